"""Command: which units a headquarters reaches."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexwar.board import Walls
from hexwar.engine import Part, Position

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld
    from hexwar.pieces._units import Unit


class Command(Part):
    """Who obeys a headquarters: units of its side that a way of at most its range leads to."""

    world: HexWorld

    def closed(self, at: Position, side: str) -> int:
        """The mask of the hexes through which the range of a side's headquarters is not counted now."""
        return 0

    def walls(self) -> Walls | None:
        """The hexsides across which range is not counted; the same value each time."""
        return None

    def follows(self, unit: Any, leader: Any) -> bool:
        """Whether a unit within the range of a headquarters of its side obeys it: no other headquarters does."""
        return not unit.is_headquarters

    def range_of(self, at: Position, headquarters: str) -> int:
        """The mask of the hexes within the range of a headquarters on the board; kept until a unit moves."""
        kept, key = at.state.layout.memo, ("range", headquarters)
        found: int | None = kept.get(key)
        if found is None:
            board, counter = self.world.board, self.world.units[headquarters]
            through, here = board.everywhere & ~self.closed(at, counter.side), 1 << board.index(at.state.locations[headquarters])
            found = kept[key] = self.world.floods(here, through=through, walls=self.walls(), limit=counter.command)
        return found

    @cached_property
    def _followers(self) -> dict[str, frozenset[str]]:
        return {}

    def _followers_of(self, leader: Unit) -> frozenset[str]:
        """The units that obey a headquarters where it reaches them."""
        found = self._followers.get(leader.id)
        if found is None:
            movers = [self.world.units[unit] for unit in self.world.basis.movers]
            found = frozenset([unit.id for unit in movers if unit.side == leader.side and self.follows(unit, leader)])
            self._followers[leader.id] = found
        return found

    def led_by(self, at: Position, headquarters: str) -> tuple[str, ...]:
        """The headquarters and all who obey it now, in roster order; none if it is not on the board.

        Nothing obeys that never moves, such as the marker of a fortress.
        """
        if at.state.locations.get(headquarters) not in self.world.board.indices:
            return ()
        leader, layout = self.world.units[headquarters], at.state.layout
        found, followers = [headquarters], self._followers_of(leader)
        for label in self.world.board.scattered(self.range_of(at, headquarters) & layout.held[leader.side]):
            found += [unit for unit in layout.stacks[label] if unit in followers]
        return tuple(sorted(found, key=layout.basis.rank.__getitem__))
