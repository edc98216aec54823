"""Overruns: artillery and headquarters that stand alone are destroyed by units that pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexwar.mechanics import stack
from hexwar.pieces import eliminate
from hexwar_wb95.content import GUN, HQ

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing

SOFT = frozenset({GUN, HQ})
EXTRA, EXTRA_IN_WORKS = 1, 2
"""art.4: points, or hexes of a pursuit, on top."""


def alone(at: At, side: str) -> tuple[int, int]:
    """art.4, hq.6: the masks of the hexes in which only such enemies of a side stand: in the open, and fortified (fs.4)."""
    kept, works = at.state.layout.memo, at.state.works
    found: tuple[int, int] | None = kept.get(("alone", side, works))
    if found is None:
        board, units, places, masks = at.world.board, at.world.units, at.state.locations, [0, 0]
        for label in {places.get(unit, "") for unit in at.world.soft_enemies[side]} & board.indices.keys():
            if all(units[unit].arm in SOFT for unit in stack(at, label)):
                owner = units[stack(at, label)[0]].side
                masks[at.world.forts.is_fortified(at, owner, label)] |= 1 << board.indices[label]
        found = kept["alone", side, works] = masks[0], masks[1]
    return found


def may_overrun(at: At, unit: str) -> bool:
    """art.5: only units with a zone do."""
    return at.world.units[unit].arm in at.world.zoned


def extra(at: At, unit: str, label: str) -> int | None:
    """art.4: what it costs a unit on top to overrun a hex; None if there is nothing that it could overrun."""
    if not may_overrun(at, unit):
        return None
    bit = 1 << at.world.board.indices[label]
    for mask, price in zip(alone(at, at.world.units[unit].side), (EXTRA, EXTRA_IN_WORKS), strict=True):
        if mask & bit:
            return price
    return None


def run_over(play: Doing, unit: str, path: Sequence[str]) -> None:
    """art.4, hq.6: whoever stands alone on the way of a unit is destroyed."""
    side = play.world.units[unit].side
    for label in path[1:]:
        for other in stack(play, label):
            if play.world.units[other].side != side:
                eliminate(play, other, "overrun" if play.world.units[other].arm == GUN else "overrun.headquarters")
