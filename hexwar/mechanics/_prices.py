"""What steps cost those who go in some way, as enemies and zones are now: `hexwar.mechanics.Reaches` makes and keeps it."""

from __future__ import annotations

from typing import final

from hexwar.board import ALL, CLOSED, Reach, StepCosts, bits
from hexwar.mechanics._going import Going, ZoneTerms


@final
class Prices:
    """What steps cost those who go alike, as enemies and zones are now.

    Args:
        going: how they go; how the first of several goes that move together.
        costs: what the ground asks.
        surcharges: what leaving and entering each hex costs on top.
        zones: for each index, whether the hex lies in an enemy zone; None where that closes and costs nothing by itself.
        within: what a step from zone to zone costs besides all that, as `hexwar.board.reach` takes it.
        threatened: the mask of the hexes in enemy zones.
        passes: the mask of the hexes with enemies through which they may go.
    """

    __slots__ = ("costs", "enter", "going", "leave", "may_take_all", "passes", "reaches", "threatened", "within", "zones")

    def __init__(
        self,
        going: Going,
        costs: StepCosts,
        surcharges: tuple[bytearray, bytearray],
        zones: bytearray | None,
        within: int,
        threatened: int,
        passes: int,
    ) -> None:
        self.passes = passes
        self.going, self.costs, self.zones, self.within, self.threatened = going, costs, zones, within, threatened
        self.leave, self.enter = surcharges
        self.may_take_all = going.minimum or within == ALL
        """Whether a first step may take the whole allowance from anywhere, whatever the ground."""
        self.reaches: dict[tuple[int, int, bool], Reach] = {}
        """What has been found: by the index of the start, half points, and whether the move begins there."""


def extra(terms: ZoneTerms) -> int:
    """What a step from zone to zone costs besides leaving and entering zones, as `hexwar.board.reach` takes it."""
    if terms.within is None or terms.within >= ALL:
        return terms.within or 0
    return terms.within - terms.leaving - terms.entering


def cost_of_leaving(prices: Prices, i: int, fresh: bool) -> int:
    """What leaving a hex costs: a unit that stops in zones pays only where its move begins."""
    terms = prices.going.zones
    if not (fresh and terms.stops and prices.threatened >> i & 1):
        return prices.leave[i]
    tolls = sum(toll for mask, toll in prices.going.tolls if mask >> i & 1)
    return min(CLOSED, terms.leaving + tolls)


def paying(prices: Prices) -> int:
    """The mask of the hexes that may cost something to leave besides what the ground asks."""
    found = prices.threatened
    for mask, _ in prices.going.tolls:
        found |= mask
    return found


def in_full(delta: int, d: int, prices: Prices) -> bytearray:
    """What each step in a direction costs, with leaving a hex and going from zone to zone; entering one apart."""
    table, zones = bytearray(prices.costs[d]), prices.zones
    inside = prices.threatened if zones is not None else 0
    both = inside & (inside >> delta if delta > 0 else inside << -delta)
    for i in bits(paying(prices)):
        if table[i] >= ALL:
            continue
        within = prices.within if both >> i & 1 else 0
        if within >= ALL or (both >> i & 1 and prices.costs.is_guarded(i, i + delta)):
            table[i] = within if within >= ALL else CLOSED
        else:
            total = max(0, table[i] + prices.leave[i] + within)
            table[i] = total if total < ALL else CLOSED
    return table
