"""What A Victory Awaits tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content
from hexwar.testing.kit import Kit
from hexwar.testing.relations import Locality, Symmetry
from hexwar_ava.kit.files import content_files

LARGE = ("leningrad", "smolensk-short", "smolensk", "kiev", "campaign")
TURNS = tuple(scenario for large in LARGE for scenario in ("training", "training", "training", large))
"""Games of the training scenario take a second, of the others ten: three of four are of the first, and none is left out."""

KIT = Kit(
    capabilities=(Symmetry(), Locality(), ExactChance(), Content(content_files)),
    scenarios={"ci": TURNS, "nightly": TURNS},
)
