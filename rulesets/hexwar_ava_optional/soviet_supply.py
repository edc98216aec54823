"""17.4 Soviet supply limits: a Soviet line follows a road or a railway all the way except for its last hexes."""

from __future__ import annotations

from collections.abc import Mapping

from hexwar_ava.lines import AvaSupply


class AlongWays(AvaSupply):
    """17.4.1: Soviet lines, too, follow something."""

    def along(self, side: str) -> Mapping[str, int]:
        """17.4.1: twelve hexes to a road or a railway, then along that one kind of way to a source."""
        off = self.world.printed.numbers.soviet_line_to_road
        return {"rail": off, "road": off} if side == "soviet" else super().along(side)


PARTS = {"supply": AlongWays}
