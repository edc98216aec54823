"""5.0 and 6.0: stacking and zones of control."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Stacking, Zones
from hexwar_tow.counters import HQ

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld

WATER = ("water",)
BLOCKED = ("blocked",)


class TowStacking(Stacking):
    """5.0: of the friendly units in a hex (5.0.1), combat units and headquarters are counted apart, nations are not (5.0.4).

    This applies where a unit is placed or ends its move, retreat or pursuit (5.0.3, 9.0.3, 11.0.4), not where it passes.
    """

    world: TowWorld

    def limit(self, side: str, label: str) -> int:
        """5.0.2: of combat units."""
        return self.world.numbers.stacking.combat

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """2.3.2, 5.0.2: two combat units, full or reduced, and one headquarters; the Airborne marker is no unit (5.0.7)."""
        if len(units) < 2:
            return True
        counters = self.world.units
        leaders = sum([counters[unit].arm == HQ for unit in units])
        combat = len(units) - leaders
        return leaders <= self.world.numbers.stacking.headquarters and combat <= self.limit(counters[units[0]].side, label)


class TowZones(Zones):
    """6.0: every unit covers the hexes around it; several zones over a hex count as one (6.0.4).

    Zones affect supply lines, movement, retreats and reinforcements, but not command (6.0.5).
    """

    world: TowWorld

    @cached_property
    def enter(self) -> int:  # type: ignore[override]  # read only
        """9.3.1: extra half points for entering a hex in an enemy zone."""
        return int(2 * self.world.numbers.zones.enter)

    @cached_property
    def leave(self) -> int:  # type: ignore[override]
        """9.3.1: extra half points for leaving one."""
        return int(2 * self.world.numbers.zones.leave)

    def extends(self, origin: str, target: str) -> bool:
        """6.0.2, 6.0.3: across rivers of any kind, but not onto water and not across a blocked hexside."""
        board = self.world.board
        return board.terrain(target) not in WATER and board.side(origin, target).isdisjoint(BLOCKED)
