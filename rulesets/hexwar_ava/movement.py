"""9.0 Movement: what this game adds to the mechanics of moving; 18.1.9, the way round Leningrad."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.board import mask_of
from hexwar.engine import Position
from hexwar.mechanics import NORMAL, Going, Mode, Movement, ZoneTerms
from hexwar_ava.content import STRATEGIC

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld


class AvaMovement(Movement):
    """9.1 to 9.3: normal movement over any open ground, strategic movement along roads and away from the enemy.

    Units move one after the other, in any order (9.1.1), each with its whole allowance in every segment (9.2.2).
    """

    world: AvaWorld
    modes = (Mode(""), Mode("strategic", arm=STRATEGIC, along="road", outside_zones=True, topic="move.strategic"))
    """9.1.3, 9.3.1 to 9.3.6: along roads, not railways; everything else is as in normal movement."""

    closed_sides = {"soviet": frozenset({"start-line"})}  # noqa: RUF012
    """9.1.4: no Soviet unit crosses the start line."""

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        """9.2.10, 9.2.15: a step that takes the whole allowance neither begins nor ends in an enemy zone."""
        return self._terms

    @cached_property
    def _terms(self) -> ZoneTerms:
        return self.usual_terms._replace(whole="either")

    def prizes(self, at: Position) -> frozenset[int]:
        """3.4.2, 9.1.2: cities and sources are taken on the way; a unit may be sent round by one."""
        return self.world.controlled_hexes

    def going(self, at: Position, unit: str, mode: Mode = NORMAL) -> Going:
        """18.1.9: no Axis unit passes by the city unless it has to: that would call Zhukov."""
        going, world = super().going(at, unit, mode), self.world
        if not world.approaches or at.state.city_reached or going.side != "axis":
            return going
        known = self._around.get(id(going))
        if known is None:  # with the other, so that its id stays its own
            known = self._around[id(going)] = going, replace(going, avoided=mask_of(world.approach_indices, world.board.size))
        return known[1]

    @cached_property
    def _around(self) -> dict[int, tuple[Going, Going]]:
        return {}
