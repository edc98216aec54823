"""Stacking and zones of control: what may stand together, and which hexes a unit covers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from hexwar.board import CLOSED
from hexwar.engine import Position
from hexwar.mechanics import Stacking, Zones
from hexwar.pieces import face
from hexwar_wb95.content import GUNS, HQ

if TYPE_CHECKING:
    from hexwar_wb95.world import Wb95World

LARGE_RIVER, SMALL_RIVER = "large-river", "small-river"
MOST = 8
"""stack.1."""


def strength_points(at: Position, unit: str) -> int:
    """stack.1: what a unit counts as it stands; artillery and headquarters count 1."""
    arm = at.world.units[unit].arm
    return 1 if arm in GUNS or arm == HQ else face(at, unit).attack


class Wb95Stacking(Stacking):
    """stack.1: strength points."""

    world: Wb95World
    counted = "strength points"

    def limit(self, side: str, label: str) -> int:
        """stack.1."""
        return MOST

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """stack.1: what the units of the side of the last one count together."""
        side = self.world.units[units[-1]].side
        return sum(strength_points(at, unit) for unit in units if self.world.units[unit].side == side) <= MOST

    def sort_of(self, at: Position, unit: str) -> Hashable:
        """stack.1: nothing else matters."""
        return strength_points(at, unit)


class Wb95Zones(Zones):
    """zoc.1: the six hexes around a unit."""

    world: Wb95World

    def covers(self, arm: str, label: str) -> Sequence[int]:
        """zoc.2 to zoc.4: not across a large river, not where the arm cannot go; headquarters and artillery have none."""
        if arm not in self.world.zoned:
            return ()
        board, chart = self.world.board, self.world.chart
        return [
            board.index(near)
            for near in board.neighbours(label)
            if LARGE_RIVER not in board.side(label, near) and chart.cost(board, arm, label, near) != CLOSED
        ]

    def mask(self, at: Position, unit: str) -> int:
        """zoc.1: the mask of the hexes that a unit on the board covers."""
        basis, counter, here = at.state.layout.basis, self.world.units[unit], at.state.locations[unit]
        found: int | None = basis.zones[counter.arm].get(here)
        return basis.zone(counter.arm, here) if found is None else found

    def same(self, at: Position, side: str, label: str) -> int:
        """zoc.8: the mask of the hexes in zones of those enemies of a side in whose zones a hex lies."""
        layout, board = at.state.layout, self.world.board
        bit = 1 << board.indices[label]
        if not layout.threatened[side] & bit:
            return 0
        kept, key = layout.memo, ("same zones", side, label)
        found: int | None = kept.get(key)
        if found is None:
            found = 0
            for near in board.neighbours(label):
                for unit in layout.stacks.get(near, ()):
                    if self.world.units[unit].side != side and (mask := self.mask(at, unit)) & bit:
                        found |= mask
            kept[key] = found
        return found
