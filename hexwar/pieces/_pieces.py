"""Pieces: what rules ask of them, and the events that place, move, turn over and remove them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from hexwar.engine import Event, Play, Position, PublicEvent, Trail, record
from hexwar.errors import HexwarError
from hexwar.pieces._state import PieceState
from hexwar.pieces._units import Face

if TYPE_CHECKING:
    from hexwar.pieces._world import PieceWorld

# -- what rules ask of pieces -----------------------------------------------------------------------------------------


def face(at: Position, unit: str) -> Face:
    """The side of a counter that lies up."""
    up: Face = at.world.units[unit].faces[at.state.steps_left[unit] - 1]
    return up


def stands(at: Position, unit: str) -> bool:
    """Whether a unit stands on the board, and not in a box or nowhere."""
    there: bool = at.world.stands(at.state, unit)
    return there


def standing(at: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of some units that stand on the board, in the same order."""
    there: tuple[str, ...] = at.world.standing(at.state, units)
    return there


def on_board(at: Position, side: str) -> list[str]:
    """The units of a side that stand on the board, in roster order."""
    return [*at.world.on_board(at.state, side)]


# -- events ---------------------------------------------------------------------------------------------------------------


@record
class UnitPlaced(PublicEvent[PieceState]):
    """A unit came onto the board or into a box."""

    kind = "unit-placed"
    says = "{unit} {manner} {location}"
    unit: str
    location: str
    manner: str = "arrives at"

    def apply(self, state: PieceState) -> None:
        """Put it there."""
        state.put(self.unit, self.location)

    def trail(self) -> Trail:
        """Where it stands now."""
        return Trail((self.unit,), (self.location,), "place")


class Manner(StrEnum):
    """Why a unit goes along a path."""

    MOVES = "moves"
    RETREATS = "retreats"
    PURSUES = "pursues"


@record
class UnitMoved(PublicEvent[PieceState]):
    """A unit went along a path of places, its first place included."""

    kind = "unit-moved"
    unit: str
    path: tuple[str, ...]
    manner: Manner = Manner.MOVES
    mode: str = ""
    """The way of moving, such as strategic movement; "" for the usual one."""

    def apply(self, state: PieceState) -> None:
        """Put it at the end of the path."""
        state.put(self.unit, self.path[-1])

    def trail(self) -> Trail:
        """Its path."""
        kinds = {Manner.MOVES: self.mode or "move", Manner.RETREATS: "retreat", Manner.PURSUES: "advance"}
        return Trail((self.unit,), self.path, kinds[self.manner])

    def __str__(self) -> str:
        by = f" by {', '.join(self.path[1:-1])}" if len(self.path) > 2 else ""
        how = f"{self.manner} ({self.mode})" if self.mode else self.manner
        return f"{self.unit} {how} from {self.path[0]} to {self.path[-1]}{by}"


@record
class StepLost(PublicEvent[PieceState]):
    """A unit lost a step and lives."""

    kind = "step-lost"
    says = "{unit} loses a step"
    unit: str

    def apply(self, state: PieceState) -> None:
        """Turn the counter."""
        state.steps_left = {**state.steps_left, self.unit: state.steps_left[self.unit] - 1}
        state.touch(self.unit)


@record
class UnitEliminated(PublicEvent[PieceState]):
    """A unit is gone: for good, or into a box, where it lies at full strength."""

    kind = "unit-eliminated"
    unit: str
    to: str = ""
    """The box, if any."""
    rule: str = ""
    """The clause that says where it goes."""

    def apply(self, state: PieceState) -> None:
        """Take it away."""
        if self.to:
            state.put(self.unit, self.to)
            state.steps_left = {**state.steps_left, self.unit: state.full_steps(self.unit)}
        else:
            state.remove(self.unit)

    def cited(self) -> tuple[str, ...]:
        """With the clause that says where it goes."""
        return (self.clause, self.rule) if self.rule else (self.clause,)

    def gone(self) -> tuple[str, ...]:
        """The unit."""
        return (self.unit,)

    def __str__(self) -> str:
        return f"{self.unit} is eliminated" + (f" ({self.to})" if self.to else "")


@record
class TurnBegan(PublicEvent[PieceState]):
    """The turn marker moved."""

    kind = "turn-began"
    says = "==== Turn {turn} ===="
    turn: int

    def apply(self, state: PieceState) -> None:
        """Move it."""
        state.turn = self.turn


PIECE_EVENTS: tuple[type[Event], ...] = (UnitPlaced, UnitMoved, StepLost, UnitEliminated, TurnBegan)
"""The events of pieces, for `Ruleset.events`."""


def place_units(world: PieceWorld, state: PieceState, units: Mapping[str, Mapping[str, object]]) -> None:
    """Put units into a state that is being made: unit -> {"at": location} and, if it is not at full strength, "steps".

    A location is a place of the board, a point of it such as [120, 80], or a box.

    Raises:
        HexwarError: naming the unit and the mistake.
    """
    for unit_id, entry in units.items():
        unit = world.unit(unit_id)
        unknown = set(entry) - {"at", "steps"}
        if unknown:
            raise HexwarError(f"unit {unit_id}: unknown key {min(unknown)!r}; a unit has at and steps")
        named, steps = entry.get("at"), entry.get("steps", unit.steps)
        if not isinstance(named, str) and not (isinstance(named, list | tuple) and all(type(number) is int for number in named)):
            raise HexwarError(f"unit {unit_id}: at must be a place of the board, a point of it or a box, not {named!r}")
        if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps <= unit.steps:
            raise HexwarError(f"unit {unit_id}: steps must be from 1 to {unit.steps}, not {steps!r}")
        try:
            location = world.location(named if isinstance(named, str) else tuple(named))
            if mistake := world.misplaced(state, unit_id, location):
                raise HexwarError(mistake)
        except HexwarError as error:
            raise HexwarError(f"unit {unit_id}: {error}") from None
        state.steps_left = {**state.steps_left, unit_id: steps}
        state.put(unit_id, location)


def lose_step(play: Play, unit: str, topic: str) -> None:
    """Take a step from a unit: turn it over, or remove it with its last."""
    if play.state.steps_left[unit] > 1:
        play.emit(StepLost(unit, clause=play.world.clause(topic)))
    else:
        eliminate(play, unit, topic)


def eliminate(play: Play, unit: str, topic: str) -> None:
    """Remove a unit from the board, to wherever the ruleset sends it."""
    to, rule = play.world.grave(play, unit, topic)
    label = play.state.locations.get(unit, "")
    play.emit(UnitEliminated(unit, to, rule, clause=play.world.clause(topic)))
    play.world.eliminated(play, unit, label)
