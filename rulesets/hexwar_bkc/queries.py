"""What players may ask at any time: distances (fire.4), sight, and what a march would do."""

from __future__ import annotations

from hexwar.plane import CM, Look, gap2
from hexwar.tabletop import March, Tried
from hexwar_bkc.movement import Marches
from hexwar_bkc.world import At, in_cover, moved, placed, sight_between, visible


class BkcQuery:
    """Questions of a position; none of them changes it."""

    def __init__(self, at: At) -> None:
        self._at = at

    def gap(self, unit: str, other: str) -> float:
        """fire.3, fire.4: the distance between two bases, in centimetres; only to be read."""
        num, den = gap2(placed(self._at, unit).corners, placed(self._at, other).corners)
        return float((num / den) ** 0.5 / CM)

    def look(self, unit: str, other: str) -> Look:
        """los: what one unit sees of another, and what is in the way."""
        return sight_between(self._at, unit, other)

    def seen_by(self, unit: str) -> tuple[str, ...]:
        """los.11: the enemies that a unit sees."""
        return visible(self._at, unit)

    def attempt(self, action: March) -> Tried:
        """What a march would lead to: whom the unit would see, and whether it would be in cover."""
        marches = Marches(self._at, action.unit)
        there = moved(self._at, action.unit, marches.end(action))
        notes = (("in cover", "hit.2"),) if in_cover(there, action.unit, ()) else ()
        return Tried(marches.length(action), visible(there, action.unit), notes)
