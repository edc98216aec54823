"""Supply by lines that cost points: a step has a price, and a line may cost at most what a unit's nation allows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from hexwar.board import CLOSED, Reach, StepCosts, bits, reach
from hexwar.engine import Position
from hexwar.mechanics._supply import MANY_LINES, Supply, Ways

Changed = tuple[tuple[tuple[str, str], int], ...]
"""Steps, from hex and to hex, that cost something unusual now, and their half points."""


class PricedSupply(Supply):
    """Lines cost what a row of the terrain chart says, step by step, from a source to the unit.

    What is asked is the same as for other lines: `LineTerms` has the row and the most that a line may cost, `Ways` the hexes
    entered at no cost; where nations differ in that most, `judge` knows what the line to a unit costs. A link that costs the
    row nothing, such as a road or a railway, carries lines any distance. Steps that cost something unusual now
    (`Movement.changed_steps`) do so for lines.
    """

    # -- what a line costs ----------------------------------------------------------------------------------------------

    def costs(self, at: Position, side: str, without: str = "") -> dict[int, int]:
        """Index of a hex -> the half points of the cheapest line to it, for all hexes to which a line leads.

        Args:
            at: the position.
            side: whose lines.
            without: a hex in which the side's units are ignored.
        """
        cheapest: dict[int, int] = {}
        for found in self._searches(at, side, without):
            for i, spent in found.items():
                if spent < cheapest.get(i, CLOSED):
                    cheapest[i] = spent
        return cheapest

    def _searches(self, at: Position, side: str, without: str = "") -> list[Reach]:
        """One search from each source; kept until the hexes open to lines change."""
        ways = self.ways(at, side, without)
        free, kept = ways.free, at.state.layout.lines
        changed = tuple(sorted(self.world.movement.changed_steps(at, self.terms_of(side).row).items()))
        key = ("priced", id(self), id(ways.passage), *ways[:4], free, changed)
        known: tuple[PricedSupply, Ways, list[Reach]] | None = kept.get(key)
        if known is None:
            if len(kept) >= MANY_LINES:
                kept.clear()
            # With the rules and the ways themselves, so that their ids stay theirs.
            known = kept[key] = self, ways, self._search(side, ways, free, changed)
        return known[2]

    def _search(self, side: str, ways: Ways, free: int, changed: Changed) -> list[Reach]:
        board, budget, (usable, starts) = self.world.board, self.terms_of(side).budget, ways.usable()
        leave, enter = bytearray([CLOSED]) * board.size, bytearray([CLOSED]) * board.size
        for i in bits(ways.through):
            leave[i] = enter[i] = 0
        for i in bits(ways.into):
            enter[i] = 0
        for i in bits(starts):
            leave[i] = 0
        prices = self._prices_now(side, free, changed)
        return [reach(board, i, budget if starts >> i & 1 else 0, prices, leave=leave, enter=enter) for i in bits(usable)]

    def _prices_now(self, side: str, free: int, changed: Changed) -> StepCosts:
        """What steps cost while some hexes are entered at no cost."""
        board, prices = self.world.board, self._prices(side)
        found = self._changed.get((side, free, changed))
        if found is None:
            if changed:
                index = board.index
                prices = prices.changed(board, {(index(a), index(b)): min(price, CLOSED) for (a, b), price in changed})
            steps = {}
            for n in bits(free & board.everywhere):
                for d, delta in enumerate(board.deltas):
                    if 0 <= n - delta < board.size and prices[d][n - delta] < CLOSED:
                        steps[n - delta, n] = 0
            if len(self._changed) >= MANY_LINES:
                self._changed.clear()
            found = self._changed[side, free, changed] = prices.changed(board, steps)
        return found

    def _prices(self, side: str) -> StepCosts:
        """What the chart says, with the hexsides closed that no line of the side crosses."""
        found = self._printed.get(side)
        if found is None:
            board, walls = self.world.board, self.passage(side).sides or ()
            found = self.world.chart.table(board, self.terms_of(side).row)
            shut = {
                (i, i + delta): CLOSED
                for wall, delta in zip(walls, board.deltas, strict=False)
                for i in bits(wall & board.everywhere)
            }
            found = self._printed[side] = found.changed(board, shut) if shut else found
        return found

    @cached_property
    def _printed(self) -> dict[str, StepCosts]:
        return {}

    @cached_property
    def _changed(self) -> dict[tuple[str, int, Changed], StepCosts]:
        return {}

    # -- what is asked of all lines -------------------------------------------------------------------------------------

    def supplied(self, at: Position, side: str, wanted: int = 0) -> int:
        """The mask of all hexes to which a line leads that costs at most the side's budget."""
        reached = 0
        for found in self._searches(at, side):
            reached |= found.mask(self.world.board)
        return reached

    def _price_to(self, at: Position, unit: str) -> int:
        counter, here = self.world.units[unit], self.world.board.index(at.state.locations[unit])
        return min((found[here] for found in self._searches(at, counter.side) if here in found), default=CLOSED)

    def line(self, at: Position, side: str, label: str, *, shut: int = 0) -> list[str] | None:
        """A cheapest line from a source to a hex, or None."""
        board, goal = self.world.board, self.world.board.index(label)
        ends = [(found[goal], found.start, found) for found in self._searches(at, side) if goal in found]
        return [board.label(i) for i in min(ends)[2].path(goal)] if ends else None

    def lengths(self, at: Position, side: str, labels: Iterable[str], *, without: str = "") -> dict[str, int]:
        """The half points of the cheapest line to each of some hexes, 0 for a source; hexes without a line are left out."""
        index, cheapest = self.world.board.index, self.costs(at, side, without)
        return {label: cheapest[index(label)] for label in labels if index(label) in cheapest}
