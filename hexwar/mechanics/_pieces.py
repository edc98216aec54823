"""Pieces on a hex board: what rules ask of them, and the events that move them about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexwar.engine import Event, Play, Position, PublicEvent, record
from hexwar.mechanics._state import HexState
from hexwar.pieces._pieces import PIECE_EVENTS, Manner, UnitMoved

if TYPE_CHECKING:
    pass

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
