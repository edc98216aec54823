"""Pieces on a hex board: what rules ask of them, and the events that move them about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hexwar.engine import Event, Play, Position, PublicEvent, record
from hexwar.errors import HexwarError
from hexwar.mechanics._state import HexState
from hexwar.pieces._pieces import PIECE_EVENTS, Manner, UnitMoved

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld

# -- what rules ask of pieces -----------------------------------------------------------------------------------------


def stack(at: Position, location: str) -> tuple[str, ...]:
    """The units in a location."""
    units: tuple[str, ...] = at.state.layout.stacks.get(location, ())
    return units


def occupant(at: Position, label: str) -> str | None:
    """The side that stands in a hex, if any."""
    units = stack(at, label)
    return at.world.units[units[0]].side if units else None


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


HEX_EVENTS: tuple[type[Event], ...] = (*PIECE_EVENTS, ControlTaken)
"""The events of pieces on a hex board, for `Ruleset.events`."""


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
