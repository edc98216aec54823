"""Pieces on a hex board: what rules ask of them, and the events that move them about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from hexwar.board import present
from hexwar.engine import Event, Play, Position, PublicEvent, record
from hexwar.errors import HexwarError
from hexwar.mechanics._state import HexState
from hexwar.mechanics._units import Face

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld

# -- what rules ask of pieces -----------------------------------------------------------------------------------------


def face(at: Position, unit: str) -> Face:
    """The side of a counter that lies up."""
    up: Face = at.world.units[unit].faces[at.state.steps_left[unit] - 1]
    return up


def stack(at: Position, location: str) -> tuple[str, ...]:
    """The units in a location."""
    units: tuple[str, ...] = at.state.layout.stacks.get(location, ())
    return units


def occupant(at: Position, label: str) -> str | None:
    """The side that stands in a hex, if any."""
    units = stack(at, label)
    return at.world.units[units[0]].side if units else None


def stands(at: Position, unit: str) -> bool:
    """Whether a unit stands on the board, and not in a box or nowhere."""
    return at.state.locations.get(unit) in at.world.board.indices


def standing(at: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of some units that stand on the board, in the same order."""
    return present(units, at.state.locations, at.world.board.indices)


def on_board(at: Position, side: str) -> list[str]:
    """The units of a side that stand on the board, in roster order."""
    places, hexes = at.state.locations, at.world.board.indices
    return [unit for unit, of in at.world.units.items() if of.side == side and places.get(unit) in hexes]


def in_enemy_zone(at: Position, side: str, label: str) -> bool:
    """Whether a hex lies in a zone of control of the side's enemies."""
    return bool(at.state.layout.threatened[side] >> at.world.board.index(label) & 1)


def has_room(at: Position, unit: str, label: str) -> bool:
    """Whether a unit may end in a hex without breaking the stacking limit."""
    there = at.state.layout.stacks.get(label, ())
    fits: bool = at.world.stacking.fits(at, there if unit in there else (*there, unit), label)
    return fits


# -- events ---------------------------------------------------------------------------------------------------------------


@record
class UnitPlaced(PublicEvent[HexState]):
    """A unit came onto the board or into a box."""

    kind = "unit-placed"
    says = "{unit} {manner} {location}"
    unit: str
    location: str
    manner: str = "arrives at"

    def apply(self, state: HexState) -> None:
        """Put it there."""
        state.put(self.unit, self.location)


class Manner(StrEnum):
    """Why a unit goes along a path."""

    MOVES = "moves"
    RETREATS = "retreats"
    PURSUES = "pursues"


@record
class UnitMoved(PublicEvent[HexState]):
    """A unit went along a path of hexes, its first hex included."""

    kind = "unit-moved"
    unit: str
    path: tuple[str, ...]
    manner: Manner = Manner.MOVES
    mode: str = ""
    """The way of moving, such as strategic movement; "" for the usual one."""

    def apply(self, state: HexState) -> None:
        """Put it at the end of the path."""
        state.put(self.unit, self.path[-1])

    def __str__(self) -> str:
        by = f" by {', '.join(self.path[1:-1])}" if len(self.path) > 2 else ""
        how = f"{self.manner} ({self.mode})" if self.mode else self.manner
        return f"{self.unit} {how} from {self.path[0]} to {self.path[-1]}{by}"


@record
class StepLost(PublicEvent[HexState]):
    """A unit lost a step and lives."""

    kind = "step-lost"
    says = "{unit} loses a step"
    unit: str

    def apply(self, state: HexState) -> None:
        """Turn the counter."""
        state.steps_left = {**state.steps_left, self.unit: state.steps_left[self.unit] - 1}
        state.touch(self.unit)


@record
class UnitEliminated(PublicEvent[HexState]):
    """A unit is gone: for good, or into a box, where it lies at full strength."""

    kind = "unit-eliminated"
    unit: str
    to: str = ""
    """The box, if any."""
    rule: str = ""
    """The clause that says where it goes."""

    def apply(self, state: HexState) -> None:
        """Take it away."""
        if self.to:
            state.put(self.unit, self.to)
            state.steps_left = {**state.steps_left, self.unit: state.layout.basis.units[self.unit].steps}
        else:
            state.remove(self.unit)

    def cited(self) -> tuple[str, ...]:
        """With the clause that says where it goes."""
        return (self.clause, self.rule) if self.rule else (self.clause,)

    def __str__(self) -> str:
        return f"{self.unit} is eliminated" + (f" ({self.to})" if self.to else "")


@record
class ControlTaken(PublicEvent[HexState]):
    """A side took control of a place."""

    kind = "control-taken"
    says = "{side} takes {place} ({hex})"
    side: str
    hex: str
    place: str

    def apply(self, state: HexState) -> None:
        """Note it."""
        state.control = {**state.control, self.hex: self.side}


@record
class TurnBegan(PublicEvent[HexState]):
    """The turn marker moved."""

    kind = "turn-began"
    says = "==== Turn {turn} ===="
    turn: int

    def apply(self, state: HexState) -> None:
        """Move it."""
        state.turn = self.turn


PIECE_EVENTS: tuple[type[Event], ...] = (UnitPlaced, UnitMoved, StepLost, UnitEliminated, ControlTaken, TurnBegan)
"""The events of pieces, for `Ruleset.events`."""


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
    label = play.state.locations[unit]
    play.emit(UnitEliminated(unit, to, rule, clause=play.world.clause(topic)))
    play.world.eliminated(play, unit, label)


def go(play: Play, unit: str, path: Iterable[str], topic: str, manner: Manner = Manner.MOVES, mode: str = "") -> None:
    """Move a unit along a path; it takes control of every place on its way."""
    hexes = tuple(path)
    play.emit(UnitMoved(unit, hexes, manner, mode, clause=play.world.clause(topic)))
    enter_hexes(play, unit, hexes[1:])


def enter_hexes(play: Play, unit: str, hexes: Iterable[str]) -> None:
    """A unit has entered some hexes: its side takes those places in them that are not its own."""
    labels = tuple(hexes)
    side, controlled = play.world.units[unit].side, play.world.controlled
    for label in () if controlled.keys().isdisjoint(labels) else labels:
        if label in controlled and play.state.control.get(label) != side:
            play.emit(ControlTaken(side, label, controlled[label], clause=play.world.clause("control")))
    play.world.entered(play, unit, labels)
