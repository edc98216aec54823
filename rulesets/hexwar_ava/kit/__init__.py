"""What A Victory Awaits tells the test kit about itself.

`reference` has the rules once more, literally; `books`, `witness` and the judges follow a game by its events and compare it with
them; `checks` are the checks of the kit that do so. `drills` are positions made by hand for rules that seldom come up.
"""

from __future__ import annotations

from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content
from hexwar.testing.kit import Kit
from hexwar.testing.relations import Locality, Symmetry
from hexwar_ava.kit.checks import CHECKS
from hexwar_ava.kit.files import content_files
from hexwar_ava.kit.secrets import AvaSecrets

LARGE = ("leningrad", "smolensk-short", "smolensk", "kiev", "campaign")
TURNS = tuple(scenario for large in LARGE for scenario in ("training", "training", "training", large))
"""Games of the training scenario take a second, of the others ten: three of four are of the first, and none is left out."""

KIT = Kit(
    capabilities=(Symmetry(), Locality(), ExactChance(), Content(content_files), AvaSecrets()),
    checks=CHECKS,
    harmless={"arrival-in-zones": "its railways end where enemy zones begin (12.1.4), so nobody is offered a hex in one"},
    scenarios={"quick": ("training",), "ci": TURNS, "nightly": TURNS},
)
