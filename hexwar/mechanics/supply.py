"""Supply: lines of communication from a source to a unit, worked out when asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hexwar.board import Walls, flood, trace
from hexwar.engine import Position


@dataclass(frozen=True, slots=True)
class SupplyRules:
    """How a side traces its lines.

    A line may end in a hex of an enemy zone but goes through one only where a friend stands; it never enters an enemy hex.

    Args:
        sources: side -> the hexes its lines come from.
        closed_terrain: terrain that no line enters.
        closed_sides: hexside features that no line crosses.
        limit: the longest line in hexes, None for any length.
    """

    sources: Mapping[str, tuple[str, ...]]
    closed_terrain: tuple[str, ...] = ()
    closed_sides: tuple[str, ...] = ()
    limit: int | None = None

    def ways(self, at: Position[Any, Any], side: str) -> tuple[int, int, Walls | None]:
        """Hexes that a line may go through, hexes it may only end in, and hexsides it may not cross.

        A game whose lines obey other rules overrides this; everything else follows from it.
        """
        board, layout = at.world.board, at.state.layout
        enemies = 0
        for other in at.world.enemies(side):
            enemies |= layout.held[other]
        free = board.everywhere & ~enemies & ~board.terrain_mask(*self.closed_terrain)
        watched = layout.threatened[side] & ~layout.held[side]
        walls = board.walls(*self.closed_sides) if self.closed_sides else None
        return free & ~watched, free & watched, walls

    def supplied(self, at: Position[Any, Any], side: str, wanted: int = 0) -> int:
        """The mask of all hexes with a line; complete only as far as `wanted` hexes are concerned, if any are named."""
        through, into, walls = self.ways(at, side)
        seeds = at.world.board.mask(self.sources[side]) & (through | into)
        # A source inside an enemy zone may be drawn from, but a line cannot leave it: the flood starts from open ones.
        starts = seeds & through
        reached: int = flood(at.world.board, starts, through=through, into=into, walls=walls, limit=self.limit, until=wanted)
        supplied: int = reached | seeds
        return supplied

    def line(self, at: Position[Any, Any], side: str, label: str) -> list[str] | None:
        """A shortest line from a source to a hex, or None."""
        board = at.world.board
        through, into, walls = self.ways(at, side)
        seeds = board.mask(self.sources[side]) & (through | into)
        goal = board.index(label)
        if seeds >> goal & 1:
            return [label]
        best: list[int] | None = None
        for source in board.unmask(seeds & through):
            path = trace(board, board.index(source), 1 << goal, through=through, into=into, walls=walls, limit=self.limit)
            if path is not None and (best is None or len(path) < len(best)):
                best = path
        return None if best is None else [board.label(i) for i in best]

    def is_supplied(self, at: Position[Any, Any], unit: str) -> bool:
        """Whether a unit on the board has a line, as variants see it."""
        side = at.world.units[unit].side
        goal = 1 << at.world.board.index(at.state.at[unit])
        supplied: bool = at.world.hooks.refine("supply", bool(self.supplied(at, side, goal) & goal), at, unit)
        return supplied
