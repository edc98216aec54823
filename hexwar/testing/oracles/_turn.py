"""Chits, arrivals and points, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from hexwar.mechanics import Arriving
from hexwar.pieces import UnitPlaced
from hexwar.testing._running.kit import Capability
from hexwar.testing.oracles._field import Field
from hexwar.testing.oracles._ground import Movement


class Chits(Capability):
    """Sides select chits in secret; they are drawn from a cup, one by one.

    Args:
        common: chits that are in every cup.
    """

    def __init__(self, *, common: Iterable[str] = ()) -> None:
        self.common = tuple(common)

    def number(self, field: Field, side: str) -> int:
        """How many chits a side selects this turn."""
        raise NotImplementedError

    def available(self, field: Field, side: str) -> set[str]:
        """The chits that a side has; those of its headquarters on the map, unless a ruleset says otherwise."""
        return {piece.id for piece in field.of_side(side) if piece.command}

    def chosen(self, field: Field, side: str) -> tuple[str, ...]:
        """What a side has selected this turn, or holds."""
        return (*field.selected.get(side, ()), *field.hand.get(side, ()))

    def selectable(self, field: Field, side: str) -> set[str]:
        """The chits that a side may still select."""
        chosen = self.chosen(field, side)
        return self.available(field, side) - set(chosen) if len(chosen) < self.number(field, side) else set()

    def may_stop(self, field: Field, side: str) -> bool:
        """Whether a side may leave its selection as it is."""
        return not self.selectable(field, side)

    def ways(self, field: Field, side: str, chit: str) -> set[bool]:
        """How a chit may be selected: for the cup (False), to be held (True), or either."""
        return {False}


class Arrivals(Capability):
    """Reinforcements lie on the turn track and enter in their turn or later.

    Args:
        movement: its chart says which ground is open, its zones where no unit arrives, its stacking where there is room.
        areas: side -> the area of the board where it arrives.
    """

    def __init__(self, movement: Movement, areas: Mapping[str, str]) -> None:
        self.movement = movement
        self.areas = dict(areas)

    asks: ClassVar[tuple[type[Any], ...]] = (Arriving,)
    """The steps in which the owner places them."""

    def brings(self, event: UnitPlaced, field: Field) -> bool:
        """Whether an event is an arrival: a unit comes onto the map."""
        return event.location in field.sheet.terrain

    def due(self, field: Field, unit: str) -> bool:
        """Whether a unit may come this turn: it lies on a space of the track that the turn marker has reached."""
        word, _, number = field.locations.get(unit, "").partition(" ")
        return word == "turn" and int(number) <= field.turn

    def hexes(self, field: Field, unit: str) -> set[str]:
        """Where a unit may arrive: at home, outside enemy zones, where there is room and where it could step."""
        counter, sheet = field.world.units[unit], field.sheet
        watched = self.movement.zones.watched(field, counter.side)
        return {
            label
            for label in self.entries(field, unit)
            if label not in watched
            and not field.is_enemy_held(counter.side, label)
            and self.movement.may_stand(sheet, counter.side, counter.arm, label)
            and self.movement.stacking.has_room(field, unit, label)
        }

    def entries(self, field: Field, unit: str) -> Iterable[str]:
        """The hexes where units of its sort arrive: the area of its side."""
        return field.sheet.areas.get(self.areas[field.world.units[unit].side], ())


class Points(Capability):
    """The game is decided by points when its turns are over."""

    are_told = False
    """Whether players can ask for the points at any time."""

    def scores(self, field: Field) -> dict[str, int]:
        """Side -> points."""
        raise NotImplementedError

    def winner(self, field: Field, scores: Mapping[str, int]) -> str | None:
        """Who wins with such points."""
        raise NotImplementedError
