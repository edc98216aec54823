"""Retreat: the owner chooses among the best ways out, unit by unit."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import ActionSet, Explained, Play, Position, record
from hexwar.mechanics._onebyone import OneByOne, UnitAction
from hexwar.mechanics._pieces import Manner, eliminate, go, lose_step, stands
from hexwar.mechanics._retreat_paths import RetreatOption


@record
class Retreat(UnitAction):
    """Retreat a unit along a path, its first hex included."""

    kind = "retreat"
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"retreat {self.unit} to {' '.join(self.path[-1:])} by {' '.join(self.path[1:])}"


@record
class Retreating(OneByOne):
    """Units that must retreat from a hex, one by one in the owner's order."""

    kind = "retreating"
    topic: ClassVar[str] = "retreat"
    may_stop: ClassVar[bool] = False
    origin: str
    hexes: int

    def best(self, at: Position, unit: str) -> list[RetreatOption]:
        """The ways among which the owner may choose."""
        key = ("retreats", unit, self.hexes)
        found: list[RetreatOption] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = at.world.retreat.best(at, unit, self.hexes)
        return found

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if there is a choice of way or of order."""
        waiting = self.waiting(at)
        if len(waiting) == 1:
            return (self.seat,) if len(self.best(at, waiting[0])) > 1 else ()
        return (self.seat,) if any(at.world.retreat.is_possible(at, unit, self.hexes) for unit in waiting) else ()

    def prompt(self, at: Position, seat: str) -> str:
        """Who retreats how far."""
        return f"Retreat {', '.join(self.waiting(at))} from {self.origin} by {self.hexes}."

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Its best ways."""
        ways = [Retreat(unit, option.path) for option in self.best(at, unit)]
        return Explained(ways, lambda action: at.world.retreat.why_not(at, unit, self.hexes, action.path), Retreat)

    def resume(self, play: Play) -> None:
        """Do what nobody needs to be asked about."""
        waiting = self.waiting(play)
        if not waiting:
            play.pop()
            return
        unit = waiting[0]
        best = self.best(play, unit)
        self.strike_off(play, unit)
        if best:
            self.act(play, Retreat(unit, best[0].path))
        else:
            eliminate(play, unit, "retreat.none")

    def act(self, play: Play, action: Retreat) -> None:
        """Go, and pay for the way."""
        unit, path, left = action.unit, action.path, play.state.steps_left[action.unit]
        costly = play.world.retreat.costly_hexes(play, unit, path)[:left]
        if len(costly) == left:  # it gets no farther than the hex in which it loses its last step
            path = path[: costly[-1] + 1]
        go(play, unit, path, self.topic, Manner.RETREATS)
        for _ in costly:
            lose_step(play, unit, "retreat.zone")
        if stands(play, unit):
            play.world.retreat.retreated(play, unit)
