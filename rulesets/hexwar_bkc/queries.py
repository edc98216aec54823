"""What players may ask at any time: distances (fire.4), sight, and what a march would do."""

from __future__ import annotations

from typing import NamedTuple

from hexwar.plane import Look, Spot, gap2
from hexwar_bkc.command import modifiers, plan_of
from hexwar_bkc.movement import March, Marches
from hexwar_bkc.world import At, in_cover, moved, placed, sight_between, visible


class Tried(NamedTuple):
    """What a march would do.

    Args:
        refusal: why it cannot be made, with its clause; "" if it can.
        trimmed: the longest march towards its end that can be made; None where no part of it is legal.
        length: how far it is, in units of the table.
        cover: whether the unit would be in cover.
        sees: the enemies that it would see.
        modifiers: what they would do to an order, each with its value, words and clause.
    """

    refusal: str
    trimmed: March | None
    length: int
    cover: bool
    sees: tuple[str, ...]
    modifiers: tuple[tuple[int, str, str], ...]


class BkcQuery:
    """Questions of a position; none of them changes it."""

    def __init__(self, at: At) -> None:
        self._at = at

    def gap(self, unit: str, other: str) -> float:
        """fire.3, fire.4: the distance between two bases, in centimetres; only to be read."""
        num, den = gap2(placed(self._at, unit).corners, placed(self._at, other).corners)
        return float((num / den) ** 0.5 / 100)

    def look(self, unit: str, other: str) -> Look:
        """los: what one unit sees of another, and what is in the way."""
        return sight_between(self._at, unit, other)

    def seen_by(self, unit: str) -> tuple[str, ...]:
        """los.11: the enemies that a unit sees."""
        return visible(self._at, unit)

    def reach(self, unit: str) -> tuple[Spot, ...]:
        """How far a unit gets straight ahead in each of 36 directions: the corners of the ground that a client shades."""
        return Marches(self._at, unit).region()

    def attempt(self, action: March, command: str = "") -> Tried:
        """What a march would do, legal or not.

        Args:
            action: the march.
            command: the command unit that would order it; "" if nobody does.
        """
        at, marches = self._at, Marches(self._at, action.unit)
        why = marches.why_not(action)
        trimmed = action if why is None else marches.straight_to(action.via[0] if action.via else action.to)
        there = moved(at, action.unit, marches.end(trimmed)) if trimmed else at
        changes = tuple(modifiers(at, command, [plan_of(action)])) if command else ()
        return Tried(
            "" if why is None else str(why),
            trimmed,
            marches.length(action),
            in_cover(there, action.unit, ()),
            visible(there, action.unit),
            changes,
        )
