"""13 Movement, and what enemy zones cost (10.6 to 10.9): parts of the allowance, by kind of unit."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from hexwar.board import ALL, CLOSED, StepCosts, bits
from hexwar.engine import Position
from hexwar.errors import Refusal
from hexwar.mechanics import NORMAL, Mode, WalkingMovement, against, face, occupant
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER, TRAIN

if TYPE_CHECKING:
    from hexwar_wop.world import WopWorld

HALVED = ("armoured_car", "tank", TRAIN, RIVER)
"""3.12.b: those that lack of supply makes slower; guns are not among them (3.12.d)."""
KEPT = 256
"""How many tables of step costs are kept in mind."""


class ZoneTerms(NamedTuple):
    """10.6: what enemy zones cost a unit, in half points.

    Args:
        leaving: for a step out of a zone.
        within: for one from zone to zone, in place of that; `ALL` or `CLOSED`.
    """

    leaving: int
    within: int


class WopMovement(WalkingMovement):
    """13.1 to 13.8: one unit after the other, with at most its allowance, hex by hex.

    Under command, units (9.8) and headquarters (9.7) go where they like.
    """

    world: WopWorld

    def __init__(self, world: WopWorld) -> None:
        super().__init__(world)
        self._zoned: dict[Hashable, StepCosts] = {}
        self._leaving: dict[Hashable, bytearray] = {}

    def allowance(self, at: Position, unit: str) -> int:
        """13.1.a, 13.8: what is printed; 3.12.b: half of it, rounded up, for what has engines and lacks supply."""
        printed: int = face(at, unit).move
        if unit in at.state.no_supply and self.world.units[unit].arm in HALVED:
            return math.ceil(printed / 2)
        return printed

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        """13.3.b: ground that is closed to an arm can only be left along the road by which it was entered."""
        board, chart = self.world.board, self.world.chart
        along = any(link in chart.arms[arm].links for link in board.links(origin, target))
        return CLOSED if chart.entry(board, arm, origin) == CLOSED and not along else printed

    # -- 10.6 zones -----------------------------------------------------------------------------------------------------

    def terms(self, at: Position, unit: str) -> ZoneTerms:
        """10.6.2, 10.6.3.a, 10.6.3.b, 10.7 to 10.9: parts of the allowance that a unit begins with, rounded up to half points."""
        arm = self.world.units[unit].arm
        if arm == AIR:
            return ZoneTerms(0, 0)
        templates = self.world.printed.templates
        zone = templates.zone_cost[templates.movement_class[templates.class_of(arm)].zoc_cost]
        points = 2 * self.allowance(at, unit)
        if isinstance(zone.zone_to_zone, str):
            within = ALL if zone.zone_to_zone == "all" else CLOSED
        else:
            within = math.ceil(points * zone.zone_to_zone)
        return ZoneTerms(math.ceil(points * zone.exit), within)

    def costs_of(self, at: Position, unit: str, mode: Mode = NORMAL) -> StepCosts:
        """13.2.a, 13.4, 10.6.3: what steps cost a unit, those from zone to zone included; friends there do not help (10.4.b)."""
        counter = self.world.units[unit]
        mask, terms = at.state.layout.threatened[counter.side], self.terms(at, unit)
        plain = self.costs(counter.arm, "", counter.side)
        if terms.within == terms.leaving:  # 16.2
            return plain
        key = (plain, mask, terms)
        found = self._zoned.get(key)
        if found is None:
            if len(self._zoned) > KEPT:
                self._zoned.clear()
            found = self._zoned[key] = self._with_zones(plain, mask, terms)
        return found

    def _with_zones(self, plain: StepCosts, mask: int, terms: ZoneTerms) -> StepCosts:
        board = self.world.board
        tables = [bytearray(plain[d]) for d in range(6)]
        for delta, table in zip(board.deltas, tables, strict=True):
            both = mask & (mask >> delta if delta > 0 else mask << -delta)
            for i in bits(both):
                if table[i] < ALL:  # what leaving costs is added on the way
                    table[i] = terms.within if terms.within >= ALL else table[i] + terms.within - terms.leaving
        return StepCosts(board, tables)

    def surcharges(self, at: Position, unit: str) -> tuple[bytearray, bytearray]:
        """10.6.1, 10.6.2: leaving a zone costs something, entering one nothing; 9.27.a: a headquarters enters none alone."""
        layout, counter = at.state.layout, self.world.units[unit]
        mask, leaving = layout.threatened[counter.side], self.terms(at, unit).leaving
        leave = self._leaving.get((mask, leaving))
        if leave is None:
            if len(self._leaving) > KEPT:
                self._leaving.clear()
            leave = self._leaving[mask, leaving] = bytearray(self.world.board.size)
            for i in bits(mask) if leaving else ():
                leave[i] = leaving
        enter = layout.enter[counter.side]
        if counter.arm == HEADQUARTERS:
            enter = enter[:]
            for i in bits(mask & ~self.world.supply.troops(at, counter.side)):
                enter[i] = CLOSED
        return leave, enter

    def alike(self, at: Position, unit: str) -> Hashable:
        """Whom enemy zones cost the same."""
        return self.world.units[unit].arm == HEADQUARTERS, self.terms(at, unit).leaving

    # -- 13.5 the minimum move ------------------------------------------------------------------------------------------

    def whole_steps(self, costs: StepCosts, start: int, leave: bytearray, enter: bytearray) -> list[int]:
        """13.5.a, 13.5.b: into any open hex next to it, for the whole allowance."""
        deltas = self.world.board.deltas
        return [start + delta for d, delta in enumerate(deltas) if costs[d][start] != CLOSED and enter[start + delta] != CLOSED]

    def step(
        self, at: Position, unit: str, origin: str, target: str, left: int, mode: Mode = NORMAL, *, fresh: bool = True
    ) -> int | Refusal:
        """See `Movement.step`; 13.5.a: the first hex may take the whole allowance, if it costs more; 9.27.a."""
        cost = super().step(at, unit, origin, target, left, mode, fresh=fresh)
        if isinstance(cost, int) or not left or not self.world.board.adjacent(origin, target):
            return cost
        index, (leave, enter) = self.world.board.index, self.surcharges(at, unit)
        if fresh and index(target) in self.whole_steps(self.costs_of(at, unit), index(origin), leave, enter):
            return left
        if enter[index(target)] == CLOSED and occupant(at, target) in (None, self.world.units[unit].side):
            return against(
                at, "move.headquarters", f"{target} lies in an enemy zone, and no unit of its side awaits {unit} there"
            )
        return cost
