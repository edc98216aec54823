"""What Traces of War tells the test kit about itself: its rules once more and literally (`reference`), and its own checks."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content
from hexwar.testing.drills import DrillBook
from hexwar.testing.kit import Kit
from hexwar.testing.oracles.field import Field, Piece
from hexwar.testing.oracles.ground import Stacking, Zones
from hexwar.testing.relations import Locality, Symmetry
from hexwar_tow.kit.checks import CHECKS
from hexwar_tow.kit.field_checks import CHECKS as FIELD_CHECKS
from hexwar_tow.kit.files import content_files
from hexwar_tow.kit.staff import CAPABILITIES as STAFF
from hexwar_tow.kit.staff_games import STAFF_CHECKS
from hexwar_tow.kit.staff_secrets import TowSecrets

WATER = ("water",)


class TowStacking(Stacking):
    """5.0.2: two combat units and one headquarters."""

    def fits(self, field: Field, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand in a hex together."""
        leaders = [unit for unit in units if field.world.units[unit].command]
        return len(leaders) <= 1 and len(units) - len(leaders) <= self.limit


class TowZones(Zones):
    """6.0.1 to 6.0.3: all six hexes around, but not across blocked hexsides and not into water."""

    def covered(self, field: Field, piece: Piece) -> set[str]:
        """The hexes that a piece covers."""
        found = Zones.covered(self, field, piece)
        return {near for near in found if "blocked" not in field.sheet.sides[piece.at, near]}


TURNS = tuple(scenario for large in ("race", "campaign") for scenario in ("training", "training", "training", large))
"""The training scenario has all rules on a small map; three of four games are of it, and no scenario is left out."""
HARMLESS = {
    "arrival-in-zones": "railways and relocations leave hexes in enemy zones out beforehand (11.0.3, 2.3.7)",
    "supply-ignores-zones": "its lines do not even end in enemy zones (8.1.4), so the bug opens none; lines-through-zones does",
    "supply-from-watched-sources": "a source in an enemy zone is closed altogether (8.1.4); watched-sources-are-open opens it",
    "retreat-stops-at-full-stacks": "its retreats go on hex by hex and know no number (10.4.6); full-hexes-kill stops them",
}
"""Generic bugs that change nothing, and its own ones that break the same rule."""

KIT = Kit(
    capabilities=(
        TowStacking(2),
        TowZones(closed_terrain=WATER),
        Symmetry(),
        Locality(),
        ExactChance(),
        Content(content_files),
        TowSecrets(),
        DrillBook(*(resources.files(__package__) / "drills" / f"{name}.toml" for name in ("field", "staff", "arrivals"))),
        *STAFF,
    ),
    checks=(*CHECKS, *FIELD_CHECKS, *STAFF_CHECKS),
    harmless=HARMLESS,
    scenarios={"quick": ("training",), "ci": TURNS, "nightly": TURNS},
)
