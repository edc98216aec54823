"""What steps cost those who go in some way, as enemies and zones are now: `hexwar.mechanics.Reaches` makes and keeps it."""

from __future__ import annotations

from functools import cache
from typing import final

from hexwar.board import ALL, CLOSED, Board, Reach, StepCosts, bits, chosen, spread
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

    __slots__ = (
        "_in_full",
        "costs",
        "enter",
        "going",
        "leave",
        "may_take_all",
        "passes",
        "reaches",
        "threatened",
        "within",
        "zones",
    )

    def __init__(
        self,
        going: Going,
        costs: StepCosts,
        surcharges: tuple[bytes | bytearray, bytes | bytearray],
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
        self._in_full: list[bytes] = []

    def in_full(self, board: Board) -> list[bytes]:
        """For each direction what steps cost with leaving a hex and going from zone to zone; entering one comes apart."""
        if not self._in_full:
            levels = {*self.leave}
            self._in_full = [_in_full(board, d, self, levels) for d in range(len(board.deltas))]
        return self._in_full


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


def _in_full(board: Board, d: int, prices: Prices, levels: set[int]) -> bytes:
    """The table of one direction; `levels` are all the prices of leaving a hex."""
    table, leave, delta = prices.costs[d], prices.leave, board.deltas[d]
    found = table
    for price in levels - {0}:
        found = chosen(found, table.translate(_dearer(price)), leave.translate(_ONLY[price]))
    inside = prices.threatened if prices.zones is not None else 0
    both = inside & (inside >> delta if delta > 0 else inside << -delta)
    if not both:
        return found
    if prices.within:
        steps = spread(both, 255, board.size)
        for price in levels:
            alike = chosen(bytes(board.size), leave.translate(_ONLY[price]), steps)
            found = chosen(found, table.translate(_dearer(price, prices.within)), alike)
    guarded = [i for i in bits(both) if prices.costs.is_guarded(i, i + delta)] if prices.costs.has_guards else ()
    if guarded and prices.within < ALL:
        closed = bytearray(found)
        for i in guarded:
            closed[i] = found[i] if table[i] >= ALL else CLOSED
        return bytes(closed)
    return found


_ONLY = [bytes([255 if byte == price else 0 for byte in range(256)]) for price in range(256)]
"""For each byte a translation of it into 255, and of all others into 0."""


@cache
def _dearer(price: int, within: int = 0) -> bytes:
    """A translation of costs into those with a surcharge; what takes the whole allowance or is closed stays so."""
    if within >= ALL:
        return bytes([*[within] * ALL, ALL, CLOSED])
    totals = [max(0, cost + price + within) for cost in range(ALL)]
    return bytes([*[total if total < ALL else CLOSED for total in totals], ALL, CLOSED])
