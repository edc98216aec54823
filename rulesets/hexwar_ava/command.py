"""8.2 and 8.3: whom a headquarters reaches."""

from __future__ import annotations

from hexwar.board import Walls
from hexwar.mechanics import Command
from hexwar_ava.counters import Counter
from hexwar_ava.zones import WATER


class AvaCommand(Command):
    """8.1.1, 8.2.1: a headquarters and the units in its range; 13.0.2: nobody if it is not on the map.

    Supply, enemies, zones and terrain do not change the range (8.2.4).
    """

    def closed(self) -> int:
        """8.2.5: not over lakes and seas."""
        return self.world.board.terrain_mask(*WATER)

    def walls(self) -> Walls:
        """8.2.5: nor across water."""
        return self.world.board.walls("water")

    def follows(self, unit: Counter, leader: Counter) -> bool:
        """8.1.4, 8.3.1, 8.3.2: no other headquarters, and no unit of another nation; nations matter for nothing else."""
        return super().follows(unit, leader) and unit.nation == leader.nation
