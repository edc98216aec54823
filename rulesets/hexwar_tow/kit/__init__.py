"""What Traces of War tells the test kit about itself: its rules a second time and literally, drills, and its own checks."""

from __future__ import annotations

from importlib import resources

from hexwar.testing.checks.corpus import Corpus
from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content
from hexwar.testing.checks.questions import Questions
from hexwar.testing.checks.totals import Totals
from hexwar.testing.drills import DrillBook
from hexwar.testing.kit import Kit
from hexwar.testing.relations import Locality, Symmetry
from hexwar_tow.kit.checks import CHECKS
from hexwar_tow.kit.files import content_files
from hexwar_tow.kit.rules import MOVEMENT, RULES
from hexwar_tow.kit.secrets import TowSecrets
from hexwar_tow.kit.staff import CHITS, POINTS
from hexwar_tow.kit.staging import NEXT_CHIT, TowStaging

DRILLS = [resources.files(__package__) / "drills" / f"{name}.toml" for name in ("field", "staff", "arrivals", "refusals")]
TURNS = tuple(scenario for large in ("race", "campaign") for scenario in ("training", "training", "training", large))
"""The training scenario has all rules on a small map; three in four games use it, and no scenario is left out."""
CORPUS = Corpus(resources.files(__package__) / "corpus.toml")
QUESTIONS = Questions(resources.files(__package__) / "asked.toml")
TOTALS = Totals(resources.files(__package__) / "totals.toml")
KIT = Kit(
    capabilities=(
        *RULES,
        CHITS,
        POINTS,
        TowStaging(MOVEMENT, NEXT_CHIT),
        DrillBook(*DRILLS),
        CORPUS,
        QUESTIONS,
        TOTALS,
        TowSecrets(),
        Symmetry(),
        Locality(),
        ExactChance(),
        Content(content_files),
    ),
    checks=CHECKS,
    scenarios={"quick": ("training",), "ci": TURNS, "nightly": TURNS},
    looks={"quick": 0.33},
)
