"""Known games: short stretches of games that came to rules which are seldom reached, kept in the ruleset's kit.

A file of them (`hexwar.testing.explore` writes it) has for each game its setting, the seed of its dice, its decisions, the
stretch that every check looks at, and what became of it when it was recorded, as hashes.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import random
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hexwar.engine import Action, Event, Game
from hexwar.errors import HexwarError
from hexwar.files import TextSource
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.secrecy import questions
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Survey, try_offered
from hexwar.testing._staging.random_play import SeatAction, choose

TRIES = 3
"""How many decisions a curious player thinks of."""
NEAR, ASKED = 3, 4
"""How many offers are varied at each decision, and how many questions a seat asks of its view."""
DIGITS = 4
"""Of each hash."""
WATCHED = {"quick": 3, "ci": 12}
"""How many known games all checks look at; all by default."""
REPLAYED = {"quick": 8}
"""How many are compared with what was recorded; all by default."""


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game in the corpus.

    Args:
        scenario: the one that is played.
        key: the seed of its dice.
        looked: the first decision of the stretch, and the first one after it.
        decisions: all of them, packed by `packed`.
        options: those of the game.
        seats: the name of its seating.
        clauses: what it is there for, for readers.
        recorded: channel -> hashes; those of the events before the stretch are one hash.
    """

    scenario: str
    key: str
    looked: Sequence[int]
    decisions: str
    options: Mapping[str, bool | str] = field(default_factory=dict)
    seats: str | None = None
    clauses: str = ""
    recorded: Mapping[str, str] = field(default_factory=dict)

    def of(self, subject: Subject) -> Subject:
        """What is played."""
        return replace(subject, scenario=self.scenario, options=dict(self.options), seats=self.seats)

    def course(self, game: Game) -> Iterator[SeatAction]:
        """What is decided, while the game is played.

        Raises:
            OffCourse: what was decided next is refused now.
        """
        for number, (seat, data) in enumerate(json.loads(zlib.decompress(base64.b85decode(self.decisions)))):
            action = game.ruleset.parse_action(data)
            refusal = game.why_not(action, seat)
            if refusal is not None:
                raise OffCourse(f"decision {number}, {action!r} by {seat}, was possible and is refused now: {refusal}")
            yield seat, action


class OffCourse(HexwarError):
    """A known game cannot be played as it was recorded: the rules have changed, or were never as they were written down."""


def packed(game: Game, number: int) -> str:
    """The first decisions of a game, as few characters as possible."""
    told = [(move.seat, move.action.to_json()) for move in game.history[:number]]
    return base64.b85encode(zlib.compress(json.dumps(told, separators=(",", ":")).encode(), 9)).decode()


class Corpus(Capability):
    """A ruleset keeps known games.

    Args:
        file: where; without one there are none yet.
    """

    def __init__(self, file: TextSource) -> None:
        self.games = [KnownGame(**game) for game in tomllib.loads(file.read_text(encoding="utf-8")).get("game", ())]


def known_games(subject: Subject) -> list[KnownGame]:
    """The known games, if no options are asked for."""
    corpus = subject.kit.capability(Corpus)
    return [] if corpus is None or subject.options else corpus.games


def watched_games(subject: Subject, tier: str) -> dict[int, KnownGame]:
    """The known games that all checks of a tier look at, by number: first the shortest of each scenario and seating."""
    games = dict(enumerate(known_games(subject)))
    shortest = sorted(games, key=lambda number: -games[number].looked[1])
    firsts = {(games[number].scenario, games[number].seats): number for number in shortest}.values()
    numbers = sorted(games, key=lambda number: (number not in firsts, games[number].looked[1]))
    return {number: games[number] for number in numbers[: WATCHED.get(tier)]}


def curious_decisions(game: Game, key: str, limit: int) -> Iterator[SeatAction]:
    """Decisions by a player who, depending on the key, takes what comes, is busy, or does what was done least."""
    chance = random.Random(key)
    mood, done = chance.randrange(3), Counter[str]()
    for _ in range(limit):
        if not game.to_move:
            return
        tried = [choose(game, chance) for _ in range(TRIES if mood else 1)]
        dull = {number: not dataclasses.fields(action) for number, (_, action) in enumerate(tried)}  # type: ignore[arg-type]
        best = min(dull, key=lambda number: dull[number] if mood == 1 else done[tried[number][1].kind])
        done[tried[best][1].kind] += 1
        yield tried[best]


# -- what became of them --------------------------------------------------------------------------------------------------


class KnownGamesAgree(Survey):
    """Games that came to seldom rules go as they went when they were recorded: events, offers, refusals, views and answers."""

    needs = Corpus
    once = True

    def run(self, seed: int) -> None:
        """Play them again; in the quick tier some."""
        for number, known in enumerate(known_games(self.subject)[: REPLAYED.get(self.budget.tier)]):
            self._compare(number, known)

    def _compare(self, number: int, known: KnownGame) -> None:
        try:
            told = recorded(self.subject, known)
        except OffCourse as error:
            raise self.fail(f"known game {number} ({known.scenario}) leaves its course: {error}") from error
        first, end = known.looked
        for place in range(first - 1, end):
            at = slice(DIGITS * (place - first + 1), DIGITS * (place - first + 2))
            wrong = [name for name, hashes in known.recorded.items() if told.get(name, "")[at] != hashes[at]]
            if wrong:
                where = f"at decision {place}" if place >= first else f"before decision {first}"
                raise self.fail(
                    f"known game {number} ({known.scenario}) goes another way {where}: other {', '.join(wrong)}; "
                    f"it came to {known.clauses or 'branches that few games take'}. If the rules were changed on purpose, record "
                    f"it again: python -m hexwar.testing.explore {self.subject.info.id} --again"
                )


def recorded(subject: Subject, known: KnownGame) -> dict[str, str]:
    """Channel -> hashes of what comes through it: of all that went before the stretch, then of each of its decisions."""
    game = known.of(subject).start(known.key)
    first = known.looked[0]
    happened: list[Any] = []
    seen: dict[str, list[Any]] = {name: [[]] for name in _LOOKS}
    stale: list[Action] = []
    for number, (seat, action) in enumerate(known.course(game)):
        if number == first:
            happened.append(_events(game, game.events))
        if number >= first:
            others = [of for of in game.world.seats if of not in game.to_move]
            for name, look in _LOOKS.items():
                seen[name].append([look(game, of, stale, number) for of in (*game.to_move[:2], *others[:1])])
            stale = [stale for of in game.to_move for stale in _spread(game.legal_actions(of), NEAR)]
        events = try_offered(game, seat, action)
        if number >= first:
            happened.append(_events(game, events))
    return {name: "".join(map(_hash, told)) for name, told in {"events": happened, **seen}.items()}


def _hash(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=DIGITS // 2).hexdigest()


def _events(game: Game, events: list[Event]) -> Any:
    """What happens, which of it each seat learns, and what has become of the state."""
    since = len(game.events) - len(events)
    heard = [[event.kind for event in game.log(seat, since)] for seat in game.world.seats]
    return [[event.to_json() for event in events], heard, game.digest, [game.may_undo(seat) for seat in game.world.seats]]


def _offers(game: Game, seat: str, stale: list[Action], number: int) -> Any:
    if seat not in game.to_move:
        return None
    return [game.state.stack[-1].kind, [action.to_json() for action in game.legal_actions(seat)]]


def _refusals(game: Game, seat: str, stale: list[Action], number: int) -> Any:
    """Why not what was possible before, and what lies near the offers."""
    offers = _spread(game.legal_actions(seat), NEAR) if seat in game.to_move else []
    tries = [*stale, *(other for offer in offers for other in near(game, offer))]
    return [reason and [reason.code, reason.clause] for reason in (game.why_not(action, seat) for action in tries)]


def _views(game: Game, seat: str, stale: list[Action], number: int) -> Any:
    """What a seat sees, and the score as it counts it."""
    view = game.view(seat)
    score = getattr(view.query, "score", tuple)
    return view.state.to_json(), _stable(score())


def _answers(game: Game, seat: str, stale: list[Action], number: int) -> Any:
    """Other questions at each decision."""
    view, found = game.view(seat), []
    asked = [*questions(view, _Steady(number))]  # type: ignore[arg-type]
    for name, arguments in (asked * 2)[number * ASKED % max(1, len(asked)) :][:ASKED]:
        try:
            found.append([name, _stable(getattr(view.query, name)(*arguments))])
        except HexwarError as error:
            found.append([name, type(error).__name__])
    return found


_LOOKS: dict[str, Callable[[Game, str, list[Action], int], Any]] = {
    "offers": _offers,
    "refusals": _refusals,
    "views": _views,
    "answers": _answers,
}


class _Steady:
    """Chance for questions that stays the same for one when others are added."""

    def __init__(self, number: int) -> None:
        self._number = number

    def choice(self, items: Sequence[Any]) -> Any:
        """One of them."""
        return items[self._number * 7919 % len(items)]


def _stable(value: Any) -> Any:
    """An answer without the order of its sets."""
    if isinstance(value, set | frozenset):
        return sorted(map(repr, map(_stable, value)))
    if isinstance(value, Mapping):
        return sorted((repr(key), repr(_stable(item))) for key, item in value.items())
    if isinstance(value, list | tuple):
        return [_stable(item) for item in value]
    return repr(value)


def _spread(items: Sequence[Any], number: int) -> Sequence[Any]:
    """Some of them, evenly."""
    return items[:: max(1, -(-len(items) // number))]


def near(game: Game, action: Action) -> Iterator[Action]:
    """What lies near an action: with a neighbouring hex, with the next unit of the list and with one of the other side."""
    board, units = getattr(game.world, "board", None), list(getattr(game.world, "units", ()))
    for name in (entry.name for entry in dataclasses.fields(action)):  # type: ignore[arg-type]
        value, others = getattr(action, name), []
        if value in units:
            side, after = game.world.units[value].side, units[units.index(value) + 1 :] + units
            others = [after[0], next((unit for unit in after if game.world.units[unit].side != side), value)]
        elif isinstance(value, str) and board is not None and value in board:
            others = list(board.neighbours(value))[:2]
        yield from (dataclasses.replace(action, **{name: other}) for other in others)  # type: ignore[type-var]
