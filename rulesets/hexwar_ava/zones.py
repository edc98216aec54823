"""3.1 and 3.2: stacking and zones of control."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Stacking, Zones
from hexwar_ava.combat import FORTRESS

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld

WATER = ("lake", "sea")


class AvaStacking(Stacking):
    """3.1: two units, headquarters and reduced ones like any other.

    This applies to the hex where a unit ends (3.1.3): on its way it may pass a full stack (3.1.4).
    """

    world: AvaWorld

    @cached_property
    def most(self) -> int:  # type: ignore[override]  # read only
        """3.1.1."""
        return self.world.printed.numbers.stacking

    def sort_of(self, at: Position, unit: str) -> Hashable:
        """14.2.3."""
        return self.world.units[unit].arm == FORTRESS

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """14.2.3: fortresses do not count."""
        counters = self.world.units
        limit = self.limit(counters[units[0]].side, label)
        return len(units) <= limit or len([unit for unit in units if counters[unit].arm != FORTRESS]) <= limit


class AvaZones(Zones):
    """3.2: every unit covers the hexes around it; several zones over a hex count as one (3.2.5).

    Zones affect lines of communication, movement, retreats and reinforcements (3.2.6); a friend in a hex lifts them for lines
    alone (3.2.7).
    """

    world: AvaWorld
    shelters = frozenset({FORTRESS})
    """14.2.2: enemy zones have no effect in a hex with a fortress."""

    @cached_property
    def enter(self) -> int:  # type: ignore[override]  # read only
        """9.2.5, 9.2.16: extra half points for entering a hex in an enemy zone, along a road as well."""
        return 2 * self.world.printed.numbers.zones.enter

    @cached_property
    def leave(self) -> int:  # type: ignore[override]
        """9.2.6, 9.2.7: extra half points for leaving one, in addition to those for entering the next."""
        return 2 * self.world.printed.numbers.zones.leave

    def extends(self, origin: str, target: str) -> bool:
        """3.2.2 to 3.2.4: not onto water, but over rivers of any kind."""
        return self.world.board.terrain(target) not in WATER
