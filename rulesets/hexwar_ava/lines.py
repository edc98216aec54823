"""3.3 Lines of communication, along railways for the Axis, anywhere for the Soviets; 8.2, 8.3: whom a headquarters reaches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.board import Walls
from hexwar.engine import Position
from hexwar.mechanics import Command, LineTerms, Supply, Ways
from hexwar_ava.counters import Counter
from hexwar_ava.zones import WATER

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld


class AvaSupply(Supply):
    """3.3.1, 3.3.2: a line of any length from a source to a unit; 3.3.4, 3.3.5: enemies and their zones as usual."""

    world: AvaWorld

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """3.3.2: as the scenario has them."""
        world = self.world
        return {str(side): hexes for side, hexes in world.printed.sources_of(world.entry.id, world.board).items()}

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        """3.3.3: a line leaves a source in an enemy zone as well."""
        found = super().ways(at, side, without)
        return found._replace(starts=found.sources)

    def terms(self, side: str) -> LineTerms:
        """3.3.6: no line enters lakes and seas; 3.3.7: through mountains it goes only by road."""
        board = self.world.board
        return LineTerms(
            board.terrain_mask(*WATER), self.never_crossed(side), {"road": board.terrain_mask("mountain")}, self.along(side)
        )

    def never_crossed(self, side: str) -> tuple[Walls, ...]:
        """2.1.7, 3.3.8, 3.3.10: no line crosses water, and no Soviet one the start line; rivers are no obstacle."""
        return (self.world.board.walls("water", *(("start-line",) if side == "soviet" else ())),)

    def along(self, side: str) -> Mapping[str, int]:
        """3.3.9, 3.3.11 to 3.3.14: Axis lines follow a railway except for their last hexes, Soviet ones go anywhere."""
        return {"rail": self.world.printed.numbers.axis_line_off_rail} if side == "axis" else {}

    @property
    def axis_checked_from(self) -> int:
        """15.1.4: the first turn in which the Axis checks its supply."""
        return self.world.entry.axis_supply_from or self.world.printed.numbers.axis_supply_from


class AvaCommand(Command):
    """8.1.1, 8.2.1: a headquarters and the units in its range; 13.0.2: none if it is not on the map.

    Supply, enemies, zones and terrain do not change the range (8.2.4).
    """

    def closed(self, at: Position, side: str) -> int:
        """8.2.5: not over lakes and seas."""
        return self.world.board.terrain_mask(*WATER)

    def walls(self) -> Walls:
        """8.2.5: nor across water."""
        return self.world.board.walls("water")

    def follows(self, unit: Counter, leader: Counter) -> bool:
        """8.1.4, 8.3.1, 8.3.2: no other headquarters, and no unit of another nation; nations matter for nothing else."""
        return super().follows(unit, leader) and unit.nation == leader.nation
