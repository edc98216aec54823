"""Pieces on a hex board: what rules ask of them, and the events that move them about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from hexwar.engine import Event, Play, Position, Sight, record
from hexwar.errors import HexwarError
from hexwar.mechanics.units import Face
from hexwar.mechanics.world import HexState, HexWorld

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=HexWorld)

# -- what rules ask of pieces -----------------------------------------------------------------------------------------


def face(at: Position[S, W], unit: str) -> Face:
    """The side of a counter that lies up."""
    return at.world.units[unit].faces[at.state.steps[unit] - 1]


def stack(at: Position[S, W], location: str) -> tuple[str, ...]:
    """The units in a location."""
    return at.state.layout.stacks.get(location, ())


def occupant(at: Position[S, W], label: str) -> str | None:
    """The side that stands in a hex, if any."""
    units = stack(at, label)
    return at.world.units[units[0]].side if units else None


def on_board(at: Position[S, W], side: str) -> list[str]:
    """The units of a side that stand on the board, in roster order."""
    return [unit for unit, of in at.world.units.items() if of.side == side and at.state.at.get(unit, "") in at.world.board]


def in_enemy_zone(at: Position[S, W], side: str, label: str) -> bool:
    """Whether a hex lies in a zone of control of the side's enemies."""
    return bool(at.state.layout.threatened[side] >> at.world.board.index(label) & 1)


def has_room(at: Position[S, W], unit: str, label: str) -> bool:
    """Whether a unit that stands elsewhere may end in a hex without breaking the stacking limit."""
    return at.world.may_stack((*stack(at, label), unit), label)


# -- events ---------------------------------------------------------------------------------------------------------------


@record
class UnitPlaced(Event[HexState]):
    """A unit came onto the board or into a box."""

    sight = Sight.PUBLIC
    unit: str
    location: str

    def apply(self, state: HexState) -> None:
        """Put it there."""
        state.put(self.unit, self.location)

    def __str__(self) -> str:
        return f"{self.unit} arrives at {self.location}"


@record
class UnitMoved(Event[HexState]):
    """A unit went along a path of hexes, its first hex included."""

    sight = Sight.PUBLIC
    unit: str
    path: tuple[str, ...]
    manner: str = "moves"

    def apply(self, state: HexState) -> None:
        """Put it at the end of the path."""
        state.put(self.unit, self.path[-1])

    def __str__(self) -> str:
        by = f" by {', '.join(self.path[1:-1])}" if len(self.path) > 2 else ""
        return f"{self.unit} {self.manner} from {self.path[0]} to {self.path[-1]}{by}"


@record
class StepLost(Event[HexState]):
    """A unit lost a step and lives."""

    sight = Sight.PUBLIC
    unit: str

    def apply(self, state: HexState) -> None:
        """Turn the counter."""
        state.steps[self.unit] -= 1

    def __str__(self) -> str:
        return f"{self.unit} loses a step"


@record
class UnitEliminated(Event[HexState]):
    """A unit is gone for good."""

    sight = Sight.PUBLIC
    unit: str

    def apply(self, state: HexState) -> None:
        """Take it away."""
        state.remove(self.unit)

    def __str__(self) -> str:
        return f"{self.unit} is eliminated"


@record
class ControlTaken(Event[HexState]):
    """A side took control of a place."""

    sight = Sight.PUBLIC
    side: str
    hex: str
    place: str

    def apply(self, state: HexState) -> None:
        """Note it."""
        state.control[self.hex] = self.side

    def __str__(self) -> str:
        return f"{self.side} takes {self.place} ({self.hex})"


@record
class TurnBegan(Event[HexState]):
    """The turn marker moved."""

    sight = Sight.PUBLIC
    turn: int

    def apply(self, state: HexState) -> None:
        """Move it."""
        state.turn = self.turn

    def __str__(self) -> str:
        return f"==== Turn {self.turn} ===="


PIECE_EVENTS: tuple[type[Event[Any]], ...] = (UnitPlaced, UnitMoved, StepLost, UnitEliminated, ControlTaken, TurnBegan)


def place_units(world: HexWorld, state: HexState, units: Mapping[str, Mapping[str, object]]) -> None:
    """Put units into a state that is being made: unit -> {"at": location} and, if it is not at full strength, "steps".

    Raises:
        HexwarError: naming the unit and the mistake.
    """
    for unit_id, entry in units.items():
        unit = world.unit(unit_id)
        unknown = set(entry) - {"at", "steps"}
        if unknown:
            raise HexwarError(f"unit {unit_id}: unknown key {min(unknown)!r}; a unit has at and steps")
        location, steps = entry.get("at"), entry.get("steps", unit.steps)
        if not isinstance(location, str):
            raise HexwarError(f"unit {unit_id}: at must be a hex or another location, not {location!r}")
        if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps <= unit.steps:
            raise HexwarError(f"unit {unit_id}: steps must be from 1 to {unit.steps}, not {steps!r}")
        try:
            location = world.location(location)
        except HexwarError as error:
            raise HexwarError(f"unit {unit_id}: {error}") from None
        for other in state.layout.stacks.get(location, ()) if location in world.board else ():
            if world.units[other].side != unit.side:
                raise HexwarError(f"unit {unit_id}: the enemy unit {other} stands in {location}")
        state.steps[unit_id] = steps
        state.put(unit_id, location)


def lose_step(play: Play[S, W], unit: str, topic: str) -> None:
    """Take a step from a unit: turn it over, or remove it with its last."""
    clause = play.world.clause(topic)
    play.emit(StepLost(unit, clause=clause) if play.state.steps[unit] > 1 else UnitEliminated(unit, clause=clause))


def go(play: Play[S, W], unit: str, path: Iterable[str], topic: str, manner: str = "moves") -> None:
    """Move a unit along a path; it takes control of every place on its way."""
    hexes = tuple(path)
    play.emit(UnitMoved(unit, hexes, manner, clause=play.world.clause(topic)))
    take_control(play, unit, hexes[1:])


def take_control(play: Play[S, W], unit: str, hexes: Iterable[str]) -> None:
    """A unit's side takes the places in some hexes that are not its own."""
    side = play.world.units[unit].side
    for label in hexes:
        place = play.world.board.place(label)
        if place is not None and play.state.control.get(label) != side:
            play.emit(ControlTaken(side, label, place.name, clause=play.world.clause("control")))
