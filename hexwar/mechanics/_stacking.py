"""Stacking: what may stand together in a hex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexwar.engine import Part, Position
from hexwar.errors import Refusal
from hexwar.mechanics._steps import against

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld


class Stacking(Part):
    """A number of units of a side may stand in a hex, whatever they are."""

    world: HexWorld

    most: int = 2

    def limit(self, side: str, label: str) -> int:
        """How many units of a side may stand in a hex."""
        return self.most

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand together in a hex. Games that count other than heads override this."""
        return len(units) <= self.limit(self.world.units[units[0]].side, label)

    def why_not(self, at: Position, unit: str, label: str) -> Refusal | None:
        """Why there is no room in a hex for a unit that stands elsewhere; None if there is."""
        if self.fits(at, (*at.state.layout.stacks.get(label, ()), unit), label):
            return None
        return against(at, "stacking", f"at most {self.limit(self.world.units[unit].side, label)} units may end in {label}")
