"""Playouts: lines of play in place, for search and statistics."""

from __future__ import annotations

from typing import Any, Self

from typing_extensions import TypeVar

from hexwar.engine._actions import Action
from hexwar.engine._chance import SeededChance
from hexwar.engine._events import Event
from hexwar.engine._gate import Gate
from hexwar.engine._state import State
from hexwar.engine._steps import Play, World
from hexwar.errors import RuleBroken, RuleBrokenCode

S = TypeVar("S", bound=State, default=Any)
W = TypeVar("W", bound=World, default=Any)
Q = TypeVar("Q", default=Any)


class Playout(Gate[S, W, Q]):
    """A line of play that is tried out and thrown away. `Game.playout` begins one.

    Offers, gate, events, dice and digests are those of a game, and the game that it comes from never changes. But each action
    changes the one state that there is, so nothing can be undone, nothing is saved, and there is no history. Offers, questions
    and `state` are those of the moment: do not use them after the next action. A view, a copy and a copy of the state stay what
    they are. A playout in which a rule failed in the middle of an action refuses to go on.

    Args:
        start: where it begins.
        seed: of dice of its own; None for those of the start.
        log: whether it keeps its events.
    """

    def __init__(self, start: Gate[S, W, Q], *, seed: int | str | None = None, log: bool = False) -> None:
        chance = start._chance.fork() if seed is None else SeededChance(seed)
        super().__init__(start.ruleset, start.world, start.state.copy(), chance)
        self.events: list[Event] = []
        """The events since it began, if it keeps them."""
        self._keeps_events = log
        self._is_whole = True

    def _do(self, seat: str, offered: Action) -> list[Event]:
        play = Play(self.world, self.state, self._chance)
        self._offers, self._seats, self._is_whole = {}, (), False
        self._put(self._carry_out(play, seat, offered))
        self._is_whole = True
        if self._keeps_events:
            self.events += play.events
        return play.events

    def _ask_again(self) -> tuple[str, ...]:
        if not self._is_whole:
            message = "a rule failed in the middle of an action, so this playout cannot go on; begin another one"
            raise RuleBroken(RuleBrokenCode.UNFINISHED, message)
        return super()._ask_again()

    def copy(self) -> Self:
        """An independent playout in the same position."""
        twin = super().copy()
        twin.events = list(self.events)
        return twin
