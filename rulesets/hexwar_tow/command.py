"""2.3.12 to 2.3.15: whom a headquarters reaches."""

from __future__ import annotations

from hexwar.board import Walls
from hexwar.mechanics import Command
from hexwar_tow.zones import BLOCKED, WATER


class TowCommand(Command):
    """2.4.1, 4.3.3: a headquarters and all units of its side in range, of any formation; 2.3.6: nobody if it is not on the map.

    Supply, enemies and their zones do not change the range (2.3.14).
    """

    def closed(self) -> int:
        """2.3.13: not over water."""
        return self.world.board.terrain_mask(*WATER)

    def walls(self) -> Walls:
        """2.3.13: nor across blocked hexsides."""
        return self.world.board.walls(*BLOCKED)
