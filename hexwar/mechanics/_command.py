"""Command: which units a headquarters reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexwar.board import Walls, flood
from hexwar.engine import Part, Position

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld


class Command(Part):
    """Who obeys a headquarters: units of its side that a way of at most its range leads to."""

    world: HexWorld

    def closed(self) -> int:
        """The mask of the hexes through which range is not counted."""
        return 0

    def walls(self) -> Walls | None:
        """The hexsides across which range is not counted."""
        return None

    def follows(self, unit: Any, leader: Any) -> bool:
        """Whether a unit within the range of a headquarters of its side obeys it: no other headquarters does."""
        return not unit.is_headquarters

    def range_of(self, at: Position, headquarters: str) -> int:
        """The mask of the hexes within the range of a headquarters on the board."""
        board = self.world.board
        start, limit = 1 << board.index(at.state.locations[headquarters]), self.world.units[headquarters].command
        return flood(board, start, through=board.everywhere & ~self.closed(), walls=self.walls(), limit=limit)

    def led_by(self, at: Position, headquarters: str) -> tuple[str, ...]:
        """The headquarters and all who obey it now, in roster order; nobody if it is not on the board.

        Nothing obeys that never moves, such as the marker of a fortress.
        """
        if at.state.locations.get(headquarters) not in self.world.board.indices:
            return ()
        units, layout = self.world.units, at.state.layout
        leader, movers = units[headquarters], layout.basis.movers
        found = [headquarters]
        for label in self.world.board.scattered(self.range_of(at, headquarters) & layout.held[leader.side]):
            found += [unit for unit in layout.stacks[label] if unit in movers and self.follows(units[unit], leader)]
        return tuple(sorted(found, key=layout.basis.rank.__getitem__))
