"""Looks for games that come to seldom reached rules, and records them as the known games of a ruleset's kit.

    python -m hexwar.testing.explore ava --games 200 -o rulesets/hexwar_ava/kit/corpus.toml
    python -m hexwar.testing.explore ava --again -o rulesets/hexwar_ava/kit/corpus.toml
    python -m hexwar.testing.explore ava --totals -o rulesets/hexwar_ava/kit/totals.toml

Games in all scenarios, options and seatings are played by a curious player, every third by a bot. Each clause that is cited and
each branch that the code of the ruleset and of the mechanics takes counts as something reached; the games that together reach
most at the least cost are kept. `--again` keeps the games and records what becomes of them now, after a rule was changed on
purpose. `--totals` writes the control totals of the data files.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import hexwar.mechanics
import hexwar.pieces
from hexwar.bots import load_bot, usual_bot
from hexwar.engine import Game
from hexwar.engine._rules import Citing, collectors
from hexwar.testing._checks.corpus import Corpus, KnownGame, OffCourse, curious_decisions, packed, recorded
from hexwar.testing._checks.totals import totals_of
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.work_units import bot_decisions
from hexwar.testing._staging.combinations import settings
from hexwar.testing._staging.positions import to_toml

STRETCH = 10
"""Decisions of each game that all checks look at."""
DEEP = 2
"""In how many known games everything should be reached."""
START, LONG = 600, 1_500
"""To begin a game costs as much as the first number of decisions; what comes after the second is not worth the wait."""

Reached = dict[tuple[Any, ...], int]
"""What was reached -> at which decision of a game first."""


@contextmanager
def traced(reach: Callable[[tuple[Any, ...]], object], folders: Sequence[str]) -> Iterator[None]:
    """Within the block every clause that is cited and every branch that code in some folders takes is reported."""

    def called(frame: FrameType, event: str, value: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(tuple(folders)):
            return None
        last = 0

        def stepped(frame: FrameType, event: str, value: Any) -> Any:
            nonlocal last
            if event == "line":
                reach((code, last, frame.f_lineno))
                last = frame.f_lineno
            return stepped

        return stepped

    def cited(ruleset: str, clause: str, how: Citing) -> None:
        reach((clause, how))

    collectors.append(cited)
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(None)
        collectors.remove(cited)


def reached(setting: Subject, key: str, folders: Sequence[str], bot: str) -> tuple[Game, Reached]:
    """A game, and what it comes to; a bot plays it before, because how it thinks does not count."""
    found: Reached = {}
    thought = [*bot_decisions(setting.start(key), load_bot(bot), key, LONG)] if bot else []
    game = setting.start(key)
    with traced(lambda what: found.setdefault(what, len(game.history)), folders):
        for seat, action in thought or curious_decisions(game, key, LONG):
            game.apply(action, seat)
    return game, found


def explored(subject: Subject, games: int, seed: int, kept: int) -> Iterator[KnownGame]:
    """The games that are worth keeping, the most valuable first."""
    scenarios = [scenario.id for scenario in subject.info.playable]
    chosen = settings(subject, [scenarios[number % len(scenarios)] for number in range(games)], seed)
    package = str(Path(str(sys.modules[type(subject.ruleset).__module__].__file__)).parent)
    shared = [str(Path(str(module.__file__)).parent) for module in (hexwar.mechanics, hexwar.pieces)]
    folders = [package, *shared]  # those of variants begin with the same name
    every = [(setting, f"{seed}|{number}") for number, setting in enumerate(chosen)]
    bots = ("", "", usual_bot(subject.info))
    played = [reached(setting, key, folders, bots[number % 3]) for number, (setting, key) in enumerate(every)]
    found = {number: what for number, (_, what) in enumerate(played)}
    often: Counter[tuple[Any, ...]] = Counter()
    while found and kept:
        worth: dict[tuple[int, int], float] = {}
        for number, what in found.items():
            firsts = sorted(first for name, first in what.items() if often[name] < DEEP)
            worth |= {(number, first): rank / (START + first) for rank, first in enumerate(firsts, 1)}
        if not worth:
            return
        number, last = max(worth, key=lambda game: worth[game])
        what, (setting, key) = found.pop(number), every[number]
        new = [name[0] for name, first in what.items() if first <= last and not often[name] and isinstance(name[0], str)]
        often.update(name for name, first in what.items() if first <= last)
        kept -= 1
        yield KnownGame(
            setting.scenario,
            key,
            (max(0, last - STRETCH + 1), last + 1),
            packed(played[number][0], last + 1),
            setting.options,
            setting.seats,
            " ".join(sorted({*new})),
        )


def written(subject: Subject, games: Sequence[KnownGame]) -> str:
    """The text of a corpus."""
    lines = ["# Known games: `python -m hexwar.testing.explore` writes them, and the test kit plays them again.\n"]
    for number, game in enumerate(games):
        try:
            game = replace(game, recorded=recorded(subject, game))
        except OffCourse as error:
            print(f"known game {number} is left out, since it cannot go on as it went: {error}")
            continue
        told = {name: getattr(game, name) for name in game.__slots__ if getattr(game, name)}
        lines.append(to_toml({**told, "looked": list(game.looked)}))
    return "\n[[game]]\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Explore, or record again."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("ruleset")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--kept", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--totals", action="store_true")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args(arguments)
    subject = Subject.of(asked.ruleset)
    if asked.totals:
        asked.output.write_text(totals_of(subject), encoding="utf-8")
        return
    games = Corpus(asked.output).games if asked.again else [*explored(subject, asked.games, asked.seed, asked.kept)]
    asked.output.write_text(written(subject, games), encoding="utf-8")
    print(f"{asked.output}: {len(Corpus(asked.output).games)} known games")


if __name__ == "__main__":
    main()
