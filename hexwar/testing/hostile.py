"""Bots that do what no bot should, for those who write tables, servers and arenas: whatever they do, the game stays as it was.

from hexwar.testing.hostile import HOSTILE
bots = {"blue": HOSTILE["crashing"](), "red": load_bot("greedy")}
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

from hexwar.bots import Bot
from hexwar.engine import Action, RandomSource, View
from hexwar.testing._staging.attempts import Passing


class Crashing:
    """It raises an error."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """Never returns."""
        raise ZeroDivisionError("a bot that crashes")


class Leaving:
    """It wants to end the whole program."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """Never returns."""
        raise SystemExit("a bot that leaves")


class Idle:
    """It has no answer."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """Nothing."""
        return cast("Action", None)


class Cheating:
    """It answers with something that was offered once, to any question."""

    _kept: Action | None = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        """The first thing that was ever offered to it; honest the first time."""
        self._kept = self._kept or view.sample(chance)
        return self._kept


class Lying:
    """Its answer claims to equal everything."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """An object that passes for something offered."""
        return cast("Action", Passing(view.sample(chance)))


class Meddling:
    """It writes into what it is shown, and then answers honestly."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """Something offered, after an attempt at every field of the state."""
        answer, state = view.sample(chance), view.state
        for name in list(vars(state)):
            value: Any = getattr(state, name)
            for spoil in (lambda: value.clear(), lambda: setattr(state, name, None)):  # noqa: B023
                try:
                    spoil()
                except (AttributeError, TypeError):
                    continue
        return answer


class Slow:
    """It takes its time.

    Args:
        seconds: for each answer.
    """

    def __init__(self, seconds: float = 0.2) -> None:
        self._seconds = seconds

    def choose(self, view: View, chance: RandomSource) -> Action:
        """Something offered, late."""
        time.sleep(self._seconds)
        return view.sample(chance)


HOSTILE: dict[str, Callable[[], Bot]] = {
    "crashing": Crashing,
    "leaving": Leaving,
    "idle": Idle,
    "cheating": Cheating,
    "lying": Lying,
    "meddling": Meddling,
    "slow": Slow,
}
"""Name -> how to make one."""
