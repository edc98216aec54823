"""move, terrain: one move of a unit over the table, and why not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from hexwar import tabletop
from hexwar.engine import Action, Spot
from hexwar.errors import Refusal
from hexwar.pieces import against
from hexwar.plane import TOUCH, Placed, Ways, length, shadow, towards, within
from hexwar.tabletop import AHEAD, March
from hexwar_bkc.effects import shift
from hexwar_bkc.fire import mined
from hexwar_bkc.world import (
    CM,
    COVER,
    ROADS,
    WATER,
    At,
    Doing,
    blockers,
    enemies_of,
    in_contact,
    is_afloat,
    is_free,
    moved,
    nearest,
    placed,
    terrain_of,
    visible,
    ways_of,
)

__all__ = ["AHEAD", "WET", "March", "Marches", "go", "in_words", "middle"]

WET = 5 * CM
"""water.3."""


class Marches(tabletop.Marches):
    """Every move that a unit can make in one action; more than can be listed.

    Args:
        at: the position.
        unit: the unit.
        again: whether it is the second action of one order, which crosses no obstacle (move.4, command.25).
    """

    _at: At

    def __init__(self, at: At, unit: str, again: bool = False) -> None:
        super().__init__(at, unit)
        self.crossing = "none" if again else "touched"

    @cached_property
    def me(self) -> Placed:
        """Where it stands, or what carries it."""
        return placed(self._at, self.unit)

    @cached_property
    def allowance(self) -> int:
        """move.3."""
        return self._at.world.units[self.unit].move

    @cached_property
    def mover(self) -> str:
        """terrain: its class of movement."""
        return self._at.world.units[self.unit].arm

    @cached_property
    def ways(self) -> Ways:
        """Ways over the table as it is now."""
        return ways_of(self._at)

    @cached_property
    def enemies(self) -> list[Placed]:
        """move.7, cmdunit.4: through whom it does not move."""
        return blockers(self._at, self.unit)

    def why_not(self, action: Action) -> Refusal | None:
        """What is against a march; who fights does not march."""
        at, unit = self._at, self.unit
        if isinstance(action, March) and action.unit == unit:
            if in_contact(at, unit):
                return against(at, "move.fight", f"{unit} is in close combat")
            if at.world.units[unit].type == "gun" and unit in at.state.dug_in and action.to != self.me.centre:
                return against(at, "move.dug-in", f"{unit} is emplaced and does not move")
            if wet := why_not_on_water(at, unit, (self.me.centre, *action.via, action.to)):
                return wet
        return super().why_not(action)

    def why_not_there(self, there: Placed) -> Refusal | None:
        """move.7, charge.2: it ends on no unit, and in contact with an enemy only by a charge."""
        if other := is_free(self._at, self.unit, there):
            return against(self._at, "move.friend", f"{self.unit} would end on {other}")
        if any(within(there.corners, enemy.corners, TOUCH) for enemy in self.enemies if enemy.may_touch(there, TOUCH)):
            return against(self._at, "move.contact", f"{self.unit} would end in contact with an enemy, which is a charge")
        return None

    def goals(self) -> Mapping[str, Spot]:
        """The points of the compass, obstacles, and the ground that gives cover."""
        cover = {f"into {area.title}": middle(area.ring) for area in self.ways.terrain.areas if area.kind in COVER}
        return {**super().goals(), **cover}

    def turns(self) -> Iterator[tuple[str, March]]:
        """Towards the nearest enemy that it sees, or that is there at all."""
        at = self._at
        seen = visible(at, self.unit) or enemies_of(at, at.world.units[self.unit].side)
        if seen:
            enemy = at.state.spots[nearest(at, self.unit, seen)[0]]
            yield "face the enemy", March(self.unit, self.me.centre, towards(self.me.centre, enemy))


def why_not_on_water(at: At, unit: str, path: Sequence[Spot]) -> Refusal | None:
    """water.2, water.3: why a unit with boats does not move so: 5 cm on the water, and not on to it and off it with one order."""
    if at.world.units[unit].arm != "boat":
        return None
    me = placed(at, unit)
    start, end = is_afloat(at, unit), is_afloat(moved(at, unit, me.moved(path[-1])), unit)
    rings = [area.ring for area in terrain_of(at).areas if area.kind in WATER]
    legs = [(a, b) for a, b in itertools.pairwise(path) if a != b]
    crosses = any(shadow(a, b, ring, -1) == 3 for a, b in legs for ring in rings)
    if not start and not end and crosses and not terrain_of(at).on(me.moved(path[-1]), ROADS):
        bridged = all(terrain_of(at).on(me.moved(spot), ROADS) for spot in path)
        return None if bridged else Refusal.against("water.2", f"{unit} enters and leaves the water with separate orders")
    if (start or end) and length(path) > WET << 20:
        return Refusal.against("water.3", f"{unit} moves {WET // CM} cm at most on to, on or off the water")
    return None


def middle(ring: Sequence[Spot]) -> Spot:
    """The mean of some points."""
    return sum(x for x, _ in ring) // len(ring), sum(y for _, y in ring) // len(ring)


def go(play: Doing, action: March, again: bool = False) -> None:
    """Carry out a march."""
    marches = Marches(play, action.unit, again)
    path = (marches.me.centre, *action.via, action.to)
    shift(play, action.unit, path, marches.end(action).heading, "move.3")
    mined(play, action.unit, path)


def in_words(at: At, words: Sequence[str]) -> Iterator[Action]:
    """Marches as they are typed."""
    return tabletop.in_words(at, words, Marches)
