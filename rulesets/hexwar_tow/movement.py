"""9.0 Movement: what this game adds to the mechanics of moving."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Mode, Movement, ZoneTerms
from hexwar_tow.content import STRATEGIC
from hexwar_tow.crossings import why_gained
from hexwar_tow.state import ISOLATED

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld


class TowMovement(Movement):
    """9.1 to 9.3: normal movement over any open ground, strategic movement along roads and away from the enemy.

    Units move one after the other (9.0.2); points that one does not spend are lost (9.1.1).
    """

    world: TowWorld
    modes = (Mode(""), Mode("strategic", arm=STRATEGIC, along="road", outside_zones=True, topic="move.strategic"))
    """9.0.4, 9.2.1 to 9.2.3."""

    def allowance(self, at: Position, unit: str, mode: str = "") -> int:
        """2.2.5; 8.2.3: half of it in isolation, fractions dropped (1.3.1)."""
        points = super().allowance(at, unit, mode)
        return points // self.world.numbers.supply.allowance_divided_by if at.state.supply.get(unit) == ISOLATED else points

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        """9.3.2: no unit crosses a major river from an enemy zone into an enemy zone, bridged or not.

        9.3.2, 9.3.4: nor does a step that takes the whole allowance lead from zone to zone.
        """
        return self._terms

    @cached_property
    def _terms(self) -> ZoneTerms:
        return self.usual_terms._replace(whole="both", barriers=frozenset({"major-river"}))

    def prizes(self, at: Position) -> frozenset[int]:
        """Cities, crossing points and the Airborne marker."""
        marker = {self.world.board.index(at.state.airborne)} if at.state.airborne else set()
        return self._lasting_prizes.union(marker)

    @cached_property
    def _lasting_prizes(self) -> frozenset[int]:
        return self.world.controlled_hexes.union(map(self.world.board.index, self.world.crossing_hexes))

    def is_prize(self, at: Position, unit: str, label: str) -> bool:
        """11.1.7, 12.3.3: the Axis overruns the marker, the Soviets gain a crossing point, even in passing."""
        if super().is_prize(at, unit, label):
            return True
        if self.world.units[unit].side == "axis":
            return bool(label == at.state.airborne)
        crossing = label in self.world.crossing_hexes and label not in at.state.crossings
        return crossing and bool(why_gained(at, label, entered=True))
