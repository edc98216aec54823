"""Retreat: the owner chooses among the best ways out, unit by unit."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics.battle import CombatWorld
from hexwar.mechanics.onebyone import OneByOne, UnitAction
from hexwar.mechanics.pieces import eliminate, go, lose_step, stands
from hexwar.mechanics.retreat_paths import (
    Path,
    RetreatOption,
    best_retreats,
    can_retreat,
    costly_hexes,
    way_along,
    why_not_along,
    worse_because,
)
from hexwar.mechanics.state import HexState
from hexwar.mechanics.topics import against


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

    def best(self, at: Position[HexState, CombatWorld], unit: str) -> list[RetreatOption]:
        """The ways among which the owner may choose."""
        key = ("retreats", unit, self.hexes)
        found: list[RetreatOption] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = best_retreats(at, unit, self.hexes, at.world.retreat_criteria)
        return found

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The owner, if there is a choice of way or of order."""
        waiting = self.waiting(at)
        if len(waiting) == 1:
            return (self.seat,) if len(self.best(at, waiting[0])) > 1 else ()
        return (self.seat,) if any(can_retreat(at, unit, self.hexes) for unit in waiting) else ()

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """Who retreats how far."""
        return f"Retreat {', '.join(self.waiting(at))} from {self.origin} by {self.hexes}."

    def choices(self, at: Position[HexState, CombatWorld], unit: str) -> list[Action]:
        """Its best ways."""
        return [Retreat(unit, option.path) for option in self.best(at, unit)]

    def act(self, play: Play[HexState, CombatWorld], action: Retreat) -> None:
        """Go."""
        self._retreat(play, action.unit, action.path)

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Do what nobody needs to be asked about."""
        waiting = self.waiting(play)
        if not waiting:
            play.pop()
            return
        unit = waiting[0]
        best = self.best(play, unit)
        self.strike_off(play, unit)
        if best:
            self._retreat(play, unit, best[0].path)
        else:
            eliminate(play, unit, "retreat.none")

    def _retreat(self, play: Play[HexState, CombatWorld], unit: str, path: Path) -> None:
        left = play.state.steps[unit]
        costly = costly_hexes(play, unit, path)[:left]
        if len(costly) == left:  # it gets no farther than the hex in which it loses its last step
            path = path[: costly[-1] + 1]
        go(play, unit, path, self.topic, "retreats")
        for _ in costly:
            lose_step(play, unit, "retreat.zone")
        if stands(play, unit):
            play.world.on_retreat(play, unit)

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Retreat) or action.unit not in self.waiting(at):
            return None
        best = self.best(at, action.unit)
        if not best:
            return against(at, "retreat.none", f"{action.unit} has no way out")
        way = way_along(at, action.unit, self.hexes, action.path)
        if way is None:
            why = why_not_along(at, action.unit, self.hexes, action.path)
            assert why is not None
            return against(at, *why)
        better = f"the way out by {' '.join(best[0].path[1:])} is better"
        reason = worse_because(at, action.unit, way, best[0], at.world.retreat_criteria)
        return against(at, "retreat.best", f"{better}: it {reason}")
