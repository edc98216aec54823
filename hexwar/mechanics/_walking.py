"""Walking: movement hex by hex, which others may interrupt after each hex; then the unit continues with its remaining points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexwar.board import Reach
from hexwar.engine import Action, ActionSet, Listed, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics._movement import Movement
from hexwar.mechanics._moving import Move
from hexwar.mechanics._pieces import has_room, stands
from hexwar.mechanics._steps import Done, TopicStep


class WalkingMovement(Movement):
    """Units walk: each hex is an event of its own, and after each the others may act."""

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """Begin to walk."""
        seat = play.world.seat_for(self.world.units[unit].side, unit)
        play.push(Walking(seat, unit, tuple(path[1:]), self.allowance(play, unit) * 2, mode))

    def hop(self, play: Play, unit: str, origin: str, target: str, mode: str = "") -> None:
        """A unit has entered a hex and may go on; steps that are pushed here come first, such as a shot of the enemy."""


@record
class Walking(TopicStep):
    """A unit on its way."""

    kind = "walking"
    topic = "move"
    seat: str
    unit: str
    path: tuple[str, ...]
    """The hexes that it is still to enter."""
    left: int
    """The half points that it has left."""
    mode: str = ""
    begun: bool = False

    def _goes_on(self, at: Position, path: Sequence[str]) -> int | Refusal:
        """What the next hex costs, or why the unit cannot enter it now."""
        movement: Movement = at.world.movement
        return movement.step(
            at, self.unit, at.state.locations[self.unit], path[0], self.left, movement.mode(self.mode), fresh=not self.begun
        )

    def _is_stopped(self, at: Position) -> bool:
        """Whether something has come into its way."""
        return bool(self.path) and stands(at, self.unit) and isinstance(self._goes_on(at, self.path), Refusal)

    def _reach(self, at: Position) -> Reach:
        movement: Movement = at.world.movement
        start = at.world.board.index(at.state.locations[self.unit])
        return movement.reach_from(at, self.unit, start, self.left, movement.mode(self.mode), fresh=not self.begun)

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, where the way that he chose is closed now."""
        return (self.seat,) if self._is_stopped(at) else ()

    def prompt(self, at: Position, seat: str) -> str:
        """Where it stands."""
        return f"{self.unit} is stopped in {at.state.locations[self.unit]} with {self.left / 2:g} points left. Where does it go?"

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Stay, or go on to any hex that is still in reach."""
        stay = [Done()] if has_room(at, self.unit, at.state.locations[self.unit]) else []
        ends = at.world.movement.ends(at, self.unit, self._reach(at))
        return Listed([*stay, *(Move(self.unit, to, self.mode) for to in ends)])

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Stop, or take another way."""
        path: tuple[str, ...] = ()
        if isinstance(action, Move):
            board = play.world.board
            path = tuple(board.label(i) for i in self._reach(play).path(board.index(action.to))[1:])
        play.replace(replace(self, path=path))

    def resume(self, play: Play) -> None:
        """Enter the next hex, or arrive."""
        if not self.path or not stands(play, self.unit):
            play.pop()
            return
        origin, target = play.state.locations[self.unit], self.path[0]
        cost = self._goes_on(play, self.path)
        assert isinstance(cost, int)
        play.replace(replace(self, path=self.path[1:], left=self.left - cost, begun=True))
        Movement.go(play.world.movement, play, self.unit, (origin, target), self.mode)
        play.world.movement.hop(play, self.unit, origin, target, self.mode)
