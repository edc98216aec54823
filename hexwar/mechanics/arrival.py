"""Arrival: reinforcements that wait off the board are placed one by one where they may enter."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics.movement import can_step
from hexwar.mechanics.onebyone import OneByOne, UnitAction
from hexwar.mechanics.pieces import UnitPlaced, enter_hexes, has_room, in_enemy_zone, occupant
from hexwar.mechanics.topics import against
from hexwar.mechanics.world import HexState, HexWorld


@record
class Arrive(UnitAction):
    """Place a waiting unit in a hex."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} arrives at {self.to}"


@record
class Arriving(OneByOne):
    """Units that may enter now; those that do not come in wait where they are."""

    topic: ClassVar[str] = "arrival"
    hexes: tuple[str, ...]
    """Where they may enter."""

    def waiting(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """The units that have not come in yet and still are in the game."""
        return tuple([unit for unit in self.units if unit in at.state.at])

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """Who waits."""
        return f"Bring in reinforcements: {', '.join(self.waiting(at))}."

    def choices(self, at: Position[HexState, HexWorld], unit: str) -> list[Action]:
        """Every open hex."""
        return [Arrive(unit, label) for label in self.hexes if self._why_closed(at, unit, label) is None]

    def _why_closed(self, at: Position[HexState, HexWorld], unit: str, label: str) -> str | None:
        side = at.world.units[unit].side
        if label not in self.hexes:
            return f"{unit} may not enter at {label}; only at {', '.join(self.hexes)}"
        if occupant(at, label) not in (None, side):
            return f"the enemy stands in {label}"
        if in_enemy_zone(at, side, label):
            return f"{label} lies in an enemy zone of control"
        if not any(can_step(at, unit, near, label) for near in at.world.board.neighbours(label)):
            return f"{label} is closed to {at.world.units[unit].arm}: {at.world.board.terrain(label)}"
        return None if has_room(at, unit, label) else f"{label} is full"

    def act(self, play: Play[HexState, HexWorld], action: Arrive) -> None:
        """Place it."""
        play.emit(UnitPlaced(action.unit, action.to, clause=play.world.clause(self.topic)))
        enter_hexes(play, action.unit, (action.to,))

    def refuse(self, at: Position[HexState, HexWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Arrive):
            return None
        if action.unit not in self.waiting(at):
            return against(at, "arrival", f"{action.unit} does not wait for its arrival")
        why = self._why_closed(at, action.unit, action.to)
        return None if why is None else against(at, "arrival.hex", why)
