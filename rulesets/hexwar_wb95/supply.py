"""Supply: lines for points, growing shortage, surrender; and the end of disorganisation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.board import step
from hexwar.engine import Position
from hexwar.mechanics import LineTerms, PricedSupply, Ways
from hexwar.pieces import eliminate
from hexwar_wb95.air import land
from hexwar_wb95.content import LINE
from hexwar_wb95.state import Recovered, ShortageChanged

if TYPE_CHECKING:
    from hexwar_wb95.state import Doing
    from hexwar_wb95.world import Wb95World

PATIENCE = 2
"""supply.8: a unit with a higher level rolls."""
SAVED = 6


class Wb95Supply(PricedSupply):
    """supply.1 to supply.5: lines of motorised price, free along roads and railways and through own units."""

    world: Wb95World

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """supply.1: those of the scenario, or else of the map."""
        return {**super().sources, **{side: tuple(hexes) for side, hexes in self.world.supplied_from.items()}}

    def terms(self, side: str) -> LineTerms:
        """supply.1, supply.3: the row of the chart; supply.2: the points of the nation with the longest lines."""
        points = max([self._points(unit) for unit in self.world.of_side.get(side, ())], default=0)
        return LineTerms(row=LINE, budget=points)

    def _points(self, unit: str) -> int:
        return 2 * self.world.printed.tables.nations[self.world.units[unit].nation].supply

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        """supply.4, zoc.5: into no enemy zone, that of guns included, but into own hexes, where the line then ends.

        supply.5: own units prolong a line.
        """
        found, layout = super().ways(at, side, without), at.state.layout
        held = layout.held[side] & ~(1 << self.world.board.index(without) if without else 0)
        watched, free = layout.threatened[side] | self._near_guns(at, side), found.through | found.into
        through = free & ~watched
        return found._replace(through=through, into=free & watched & held, starts=found.sources & through, free=layout.held[side])

    def _near_guns(self, at: Position, side: str) -> int:
        """zoc.5: the mask of the hexes next to enemy guns."""
        kept = at.state.layout.memo
        found: int | None = kept.get(("near guns", side))
        if found is None:
            world, guns = self.world, 0
            for enemy in world.enemies(side):
                for unit in world.on_board(at.state, enemy):
                    if world.units[unit].is_gun:
                        guns |= 1 << world.board.indices[at.state.locations[unit]]
            found = kept["near guns", side] = step(world.board, guns, world.board.everywhere) if guns else 0
        return found

    def judge(self, at: Position, unit: str, price: int | None) -> bool:
        """supply.2: lines of no more points than its nation has; fs.7: units in a fortress are always supplied."""
        has_line = price is not None and price <= self._points(unit)
        return has_line or at.state.locations[unit] in self.world.forts.hexes[self.world.units[unit].side]


def supply_phase(play: Doing, side: str) -> None:
    """supply.6 to supply.8: all lines are judged first; then levels change, and units surrender."""
    supplied = play.world.supply.supplied_units(play, side)
    units = play.world.on_board(play.state, side)
    for unit in units:
        level = play.state.shortage.get(unit, 0)
        if unit in supplied:
            if level:
                play.emit(ShortageChanged(unit, 0, clause="supply.7"))
            continue
        if play.world.wings.supplies(play, unit):  # air.5
            continue
        play.emit(ShortageChanged(unit, level + 1, clause="supply.6"))
        if level + 1 > PATIENCE:
            rolled = play.roll(f"surrender of {unit}", clause="supply.8")
            if rolled < level + 1 and rolled != SAVED:
                eliminate(play, unit, "supply.surrender")


def supply_and_land(play: Doing, side: str) -> None:
    """air.1: aircraft that supply units return after the phase."""
    supply_phase(play, side)
    land(play)


def recover(play: Doing) -> None:
    """disorg.3: units that have not stirred in the whole stage are in order again."""
    for unit in play.state.shaken:
        if unit not in play.state.stirred:
            play.emit(Recovered(unit, clause="disorg.3"))
