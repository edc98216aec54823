"""The check of what an action costs, counted in function calls: the same on every machine, however busy it is."""

from __future__ import annotations

import cProfile
import pstats
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from hexwar.engine import Game
from hexwar.plugins import plugins
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Survey, try_offered

ACTIONS = 120
"""How many actions of a game are counted, after as many that are not: the first ones fill tables that stay."""
TIMES = 15
"""An action may cost this many times what one of Bridgehead costs."""
MODEL, USUAL = "bridgehead", 160
"""The ruleset with which others are compared, and its calls an action, for where it is not installed."""


class ActionsAreCheap(Survey):
    """An action of random play costs at most 15 times the function calls of one of Bridgehead."""

    def run(self, seed: int) -> None:
        """Count the calls here and in Bridgehead; where there are too many, profile where the time goes."""
        here = calls_per_action(self.subject, seed)
        usual = calls_per_action(Subject.of(MODEL), seed) if MODEL in plugins().rulesets() else USUAL
        if here > TIMES * usual:
            raise self.fail(
                f"an action of random play calls {here:,.0f} functions, {here / usual:.0f} times as many as one of {MODEL}"
                f" ({usual:,.0f}); most of the time goes into {hot_spots(self.subject, seed)}"
            )


def calls_per_action(subject: Subject, seed: int) -> float:
    """The Python functions that an action of random play calls, choosing it included."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    @contextmanager
    def counted() -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            yield
        finally:
            sys.setprofile(before)

    actions = _play(subject, seed, counted)
    return calls / max(1, actions)


def hot_spots(subject: Subject, seed: int, most: int = 3) -> str:
    """The functions in which most time is spent, with their share, the first of them first."""
    profile = cProfile.Profile()

    @contextmanager
    def profiled() -> Iterator[None]:
        profile.enable()
        try:
            yield
        finally:
            profile.disable()

    _play(subject, seed, profiled)
    figures: dict[tuple[str, int, str], Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]  # typeshed lacks it
    own = {f"{name} ({Path(file).name}:{line})": spent[2] for (file, line, name), spent in figures.items() if line}
    total = sum(spent[2] for spent in figures.values()) or 1.0
    slowest = sorted(own, key=lambda name: -own[name])[:most]
    return ", ".join(f"{name}: {own[name] / total:.0%}" for name in slowest)


def _play(subject: Subject, seed: int, measured: Callable[[], Any]) -> int:
    """Play at random, first without measuring; how many actions were measured."""
    number = 0
    for part in (False, True):
        game, chance = subject.start(f"{seed}|{part}"), random.Random(seed)
        for _ in range(ACTIONS):
            if not game.to_move:
                break
            if not part:
                _act(game, chance)
                continue
            with measured():
                _act(game, chance)
            number += 1
    return number


def _act(game: Game, chance: random.Random) -> None:
    seat = game.to_move[0]
    try_offered(game, seat, game.offered(seat).sample(chance))
