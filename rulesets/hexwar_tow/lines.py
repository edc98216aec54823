"""8.1 Lines of supply: of any length, closed by enemy zones and cities; 2.3.12 to 2.3.15: whom a headquarters reaches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.board import Walls
from hexwar.engine import Position
from hexwar.mechanics import Command, LineTerms, Supply, Ways
from hexwar_tow.zones import BLOCKED, WATER

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld


class TowSupply(Supply):
    """8.1.2, 8.1.3: from a source to a unit, through no hex with an enemy."""

    world: TowWorld

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """2.1.5: from the scenario or, if its sources are on another board, from the map."""
        board = self.world.board
        printed = {str(side): [label for label in hexes if label in board] for side, hexes in self.world.entry.sources.items()}
        return {side: tuple(printed.get(side) or hexes) for side, hexes in super().sources.items()}

    def terms(self, side: str) -> LineTerms:
        """8.1.5: no line enters water or crosses a blocked hexside; 2.1.6: nor a major river without a bridge."""
        board = self.world.board
        rivers = board.walls("major-river", unless_link=("road", "rail"))
        return LineTerms(board.terrain_mask(*WATER), (board.walls(*BLOCKED), rivers))

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        """8.1.4: a line may not enter an enemy zone without a friend in it, not even to end there."""
        found = super().ways(at, side, without)
        through = found.through & ~self.closed_cities(at, side)
        sources = found.sources | self.landed(at, side)
        return found._replace(through=through, into=0, sources=sources, starts=sources)

    def closed_cities(self, at: Position, side: str) -> int:
        """8.1.6, 11.0.3: the mask of the enemy's major cities, which no line enters."""
        control = at.state.control
        return sum(bit for label, bit in self._cities.items() if control.get(label, side) != side)

    @cached_property
    def _cities(self) -> Mapping[str, int]:
        return {label: 1 << self.world.board.index(label) for label in self.world.cities}

    def landed(self, at: Position, side: str) -> int:
        """11.1.6: the mask of the Airborne marker, a source for the Soviets."""
        return 1 << self.world.board.index(at.state.airborne) if side == "soviet" and at.state.airborne else 0


class TowCommand(Command):
    """2.4.1, 4.3.3: a headquarters and all units of its side in range, of any formation; 2.3.6: none if it is not on the map.

    Supply, enemies and their zones do not change the range (2.3.14).
    """

    def closed(self, at: Position, side: str) -> int:
        """2.3.13: not over water."""
        return self.world.board.terrain_mask(*WATER)

    def walls(self) -> Walls:
        """2.3.13: nor across blocked hexsides."""
        return self.world.board.walls(*BLOCKED)
