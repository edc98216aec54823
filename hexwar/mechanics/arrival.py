"""Arrival: reinforcements that wait off the board are placed one by one where they may enter."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Grouped, Play, Position, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics.movement import Done
from hexwar.mechanics.pieces import HexState, HexWorld, UnitPlaced, has_room, in_enemy_zone, occupant, take_control


@record
class Arrive(Action):
    """Place a waiting unit in a hex."""

    unit: str
    to: str

    def __str__(self) -> str:
        return f"{self.unit} arrives at {self.to}"


@record
class Arriving(Step[HexState, HexWorld]):
    """Units that may enter now; those that do not come in wait where they are."""

    topic: ClassVar[str] = "arrival"
    seat: str
    units: tuple[str, ...]
    hexes: tuple[str, ...]
    """Where they may enter."""

    def rule(self, at: Position[HexState, HexWorld]) -> str:
        """The ruleset's clause on reinforcements."""
        return at.world.clause(self.topic)

    def _open(self, at: Position[HexState, HexWorld]) -> list[str]:
        side = at.world.seats[self.seat]
        free = [label for label in self.hexes if occupant(at, label) in (None, side) and not in_enemy_zone(at, side, label)]
        return [label for label in free if has_room(at, side, label)]

    def deciders(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """The owner, while there is a unit and room for it."""
        return (self.seat,) if self.units and self._open(at) else ()

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """Who waits."""
        return f"Bring in reinforcements: {', '.join(self.units)}."

    def actions(self, at: Position[HexState, HexWorld], seat: str) -> ActionSet:
        """Stop, or any unit in any open hex."""
        return Grouped(
            [Done()],
            self.units,
            lambda unit: [Arrive(unit, label) for label in self._open(at)],
            lambda action: action.unit if isinstance(action, Arrive) else None,
        )

    def perform(self, play: Play[HexState, HexWorld], seat: str, action: Action) -> None:
        """Place it."""
        if isinstance(action, Arrive):
            play.replace(Arriving(self.seat, tuple(unit for unit in self.units if unit != action.unit), self.hexes))
            play.emit(UnitPlaced(action.unit, action.to, clause=play.world.clause(self.topic)))
            take_control(play, action.unit, (action.to,))
        else:
            play.pop()

    def resume(self, play: Play[HexState, HexWorld]) -> None:
        """Nobody is left, or nowhere to go."""
        play.pop()

    def refuse(self, at: Position[HexState, HexWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Arrive) or action.unit not in self.units:
            return None
        if action.to not in self.hexes:
            message = f"{action.unit} may not enter at {action.to}; only at {', '.join(self.hexes)}"
        else:
            message = f"{action.to} is full, occupied or in an enemy zone of control"
        return Refusal(RefusalCode.AGAINST_RULE, at.world.clause("arrival.hex"), message)
