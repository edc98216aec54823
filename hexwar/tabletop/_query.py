"""What players may ask at any time: gaps, sight, and what a march would lead to."""

from __future__ import annotations

from typing import NamedTuple

from hexwar.engine import Position
from hexwar.plane import CM, Look, gap2
from hexwar.tabletop._marches import March, Marches
from hexwar.tabletop._world import hypothetical, placed


class Tried(NamedTuple):
    """What a march would lead to, be it possible or not; for a client while a piece is dragged.

    Args:
        length: how long its way is, in units of the table.
        sees: the enemies that the unit would see at its end.
        notes: what else there is to know, such as cover or what it does to an order: words, and the clause that says so.
    """

    length: int
    sees: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


class TableQuery:
    """Questions of a position; none of them changes it.

    Args:
        at: the position, as far as the one who asks knows it.
    """

    def __init__(self, at: Position) -> None:
        self._at = at

    def gap(self, unit: str, other: str) -> float:
        """The distance between two bases, in centimetres; only to be read."""
        num, den = gap2(placed(self._at, unit).corners, placed(self._at, other).corners)
        return float((num / den) ** 0.5 / CM)

    def look(self, unit: str, other: str) -> Look:
        """What one unit sees of another, and what is in the way."""
        found: Look = self._at.world.field(self._at).look(unit, other)
        return found

    def seen_by(self, unit: str) -> tuple[str, ...]:
        """The enemies that a unit sees."""
        return self._seen(self._at, unit)

    def marches(self, unit: str) -> Marches:
        """How a unit may go."""
        return Marches(self._at, unit)

    def attempt(self, action: March) -> Tried:
        """What a march would lead to."""
        marches = self.marches(action.unit)
        there = hypothetical(self._at, action.unit, marches.end(action))
        return Tried(marches.length(action), self._seen(there, action.unit))

    def _seen(self, at: Position, unit: str) -> tuple[str, ...]:
        units = at.world.units
        enemies = [other for other in at.state.spots if units[other].side != units[unit].side]
        found: tuple[str, ...] = at.world.field(at).seen_by(unit, enemies)
        return found
