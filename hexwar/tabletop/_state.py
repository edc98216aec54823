"""Where units stand and where they look, and the event that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexwar.engine import Heading, PublicEvent, Spot, Trail, public, record, state
from hexwar.pieces import PieceState, UnitName
from hexwar.plane import CM


@state
class TableState(PieceState):
    """Points and headings of units; a unit that stands nowhere has neither."""

    spots: Mapping[UnitName, Spot] = public(factory=dict)
    """Unit -> where its centre is."""
    headings: Mapping[UnitName, Heading] = public(factory=dict)
    """Unit -> where it looks."""

    def put(self, unit: str, location: Any) -> None:
        """Place a unit at a point, looking up, or in a box."""
        if isinstance(location, tuple):
            self.spots = {**self.spots, unit: location}
            self.headings = {unit: 0, **self.headings}
        else:
            super().put(unit, location)

    def remove(self, unit: str) -> None:
        """Take a unit out of the game."""
        super().remove(unit)
        self.spots = {other: spot for other, spot in self.spots.items() if other != unit}
        self.headings = {other: heading for other, heading in self.headings.items() if other != unit}


@record
class Moved(PublicEvent[TableState]):
    """A unit went somewhere else, or turned."""

    kind = "moved"
    unit: str
    path: tuple[Spot, ...]
    """Its first point included."""
    heading: Heading
    why: str = "moves"

    def apply(self, state: TableState) -> None:
        """Put it there."""
        state.spots = {**state.spots, self.unit: self.path[-1]}
        state.headings = {**state.headings, self.unit: self.heading}

    def trail(self) -> Trail:
        """Its way."""
        return Trail((self.unit,), self.path, "move")

    def __str__(self) -> str:
        if len(set(self.path)) == 1:
            return f"{self.unit} turns to {self.heading} degrees"
        return f"{self.unit} {self.why} to {in_cm(self.path[-1])}, heading {self.heading}"


def in_cm(spot: Spot) -> str:
    """A point in centimetres, as players type it."""
    return f"{spot[0] / CM:g} {spot[1] / CM:g}"
