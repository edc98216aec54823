"""5, 6, 12 and 14: chits, command, lines of supply, and what counts in the end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Objective, Position
from hexwar.mechanics import Command, LineTerms, Supply
from hexwar.pieces import Cup, Score, Victory, on_board

if TYPE_CHECKING:
    from hexwar_bridgehead.world import BridgeheadWorld


SUPPLY_CHIT = "supply"


class BridgeheadCup(Cup):
    """5.2: chits are chosen in secret."""

    world: BridgeheadWorld

    def knows(self, chit: str) -> bool:
        """5.2: those of headquarters, and Supply."""
        return chit == SUPPLY_CHIT or (chit in self.world.units and self.world.units[chit].is_headquarters)

    def number(self, at: Position, side: str) -> int:
        """5.2: the turn track says how many."""
        return dict(enumerate(self.world.scenario.chits[side], 1)).get(at.state.turn, 0)

    def available(self, at: Position, side: str) -> tuple[str, ...]:
        """5.2: every headquarters on the map has one chit."""
        return tuple(unit for unit in on_board(at, side) if self.world.units[unit].is_headquarters)

    def possible(self, at: Position, side: str) -> tuple[str, ...]:
        """5.2: those of headquarters that have been lost since, too."""
        lost = [it.id for it in self.world.units.values() if it.side == side and it.is_headquarters]
        return (*self.available(at, side), *(unit for unit in lost if unit not in at.state.locations))

    def common(self, at: Position) -> tuple[str, ...]:
        """5.2: the supply chit is in every cup."""
        return (SUPPLY_CHIT,)


class BridgeheadCommand(Command):
    """6: all units of the side in range."""

    def closed(self, at: Position, side: str) -> int:
        """6.2: range is not counted through lakes."""
        return self.world.board.terrain_mask("lake")


class BridgeheadSupply(Supply):
    """12.1, 12.2: lines of any length."""

    world: BridgeheadWorld

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """12.1: the home area of each side."""
        return {side: tuple(self.world.board.areas.get(area, ())) for side, area in self.world.scenario.home.items()}

    def terms(self, side: str) -> LineTerms:
        """12.2: no line enters a lake."""
        return LineTerms(closed=self.world.board.terrain_mask("lake"))


class BridgeheadVictory(Victory):
    """14: points at the end."""

    world: BridgeheadWorld

    def scores(self, at: Position) -> tuple[Score, ...]:
        """14.2: towns and eliminated units."""
        world = self.world
        held = [(place, at.state.control.get(place.hex)) for place in world.board.places]
        towns = [Score(owner, place.value, f"holds {place.name}", "14.2") for place, owner in held if owner]
        worth = world.scenario.eliminated
        gone = [
            Score(world.enemies(counter.side)[0], worth, f"eliminated {unit}", "14.2")
            for unit, counter in world.units.items()
            if unit not in at.state.locations
        ]
        return (*towns, *gone)

    def objectives(self, at: Position) -> tuple[Objective, ...]:
        """14.2: the towns."""
        held = at.state.control
        return tuple(Objective(it.hex, it.value, "", held.get(it.hex, ""), it.name, "14.2") for it in self.world.board.places)
