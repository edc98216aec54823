"""Which options and seatings the games of a run are played with: in turn, so that all pairs of values soon meet in some game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from hexwar.engine import settle_options
from hexwar.errors import HexwarError
from hexwar.testing._running.subject import Subject

CANDIDATES = 24
"""At most this many settings are drawn for each game; the one with the most pairs that no game has yet is played."""


def settings(subject: Subject, scenarios: Iterable[str], seed: int) -> Iterator[Subject]:
    """A setting for each of some scenarios: the first game is played as it is printed, each other as no game was before.

    Args:
        subject: the ruleset; its own options stay as they are in every game.
        scenarios: of the games, in order; there may be no end of them.
        seed: other seeds give other settings.
    """
    chance = random.Random(f"settings|{seed}")
    met: set[tuple[object, ...]] = set()
    for number, scenario in enumerate(scenarios):
        plain = replace(subject, scenario=scenario)
        drawn = [_drawn(plain, chance) for _ in range(CANDIDATES if number else 0)]
        drawn.sort(key=lambda setting: len(_pairs(setting) - met), reverse=True)
        best = next(filter(_begins, drawn), plain)
        met |= _pairs(best)
        yield best


def _drawn(plain: Subject, chance: random.Random) -> Subject:
    """Any setting of a scenario, with half of what is open to choice as it is printed."""
    info, options = plain.info, dict(plain.options)
    for option in plain.every_option:
        others = [value for value in option.choices or (True,) if value != option.default]
        here = not option.scenarios or plain.scenario in option.scenarios
        if others and here and option.id not in options and chance.random() < 0.5:
            options |= {**option.needs, option.id: chance.choice(others)}
    seatings = [seating.id for seating in info.seatings if not seating.scenarios or plain.scenario in seating.scenarios]
    return replace(plain, options=options, seats=chance.choice([plain.seats, *seatings]))


def _begins(setting: Subject) -> bool:
    """Whether its options and its seats go together."""
    try:
        setting.start(0)
    except Exception as error:  # other errors are left to the game that is played
        return not isinstance(error, HexwarError)
    return True


def _pairs(setting: Subject) -> set[tuple[object, ...]]:
    """The pairs of values that meet in a game, those that nobody has chosen included; none if options exclude each other."""
    try:
        settled = settle_options(setting.options, setting.every_option, setting.scenario)
    except HexwarError:
        return set()
    return {*combinations((("", setting.scenario), ("seats", setting.seats), *settled.items()), 2)}
