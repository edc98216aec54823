"""What A Victory Awaits tells the test kit about itself.

`rules` has the rules again, literally, as oracles of `hexwar.testing`, whose checks run them; `boards` makes small positions
in which everything lies close together; `checks` are checks of what only this game has; `drills` are positions made by hand for
rules that rarely come up.
"""

from __future__ import annotations

from importlib import resources

from hexwar.testing.checks.corpus import Corpus
from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content
from hexwar.testing.checks.questions import Questions
from hexwar.testing.checks.topics import Topics
from hexwar.testing.checks.totals import Totals
from hexwar.testing.drills import DrillBook
from hexwar.testing.kit import Kit
from hexwar.testing.relations import Locality, Symmetry
from hexwar_ava.kit import rules
from hexwar_ava.kit.boards import STAGING
from hexwar_ava.kit.checks import CHECKS, CONDITIONS
from hexwar_ava.kit.files import ContentIsRefused, content_files
from hexwar_ava.kit.secrets import AvaSecrets

LARGE = ("leningrad", "smolensk-short", "smolensk", "kiev", "campaign")
TURNS = tuple(scenario for large in LARGE for scenario in ("training", "training", "training", large))
"""Games of the training scenario take a second, of the others ten: three in four are of the first; no scenario is left out."""
ORACLES = (
    rules.BOOKS,
    rules.STACKING,
    rules.ZONES,
    rules.MOVEMENT,
    rules.SUPPLY,
    rules.COMMAND,
    rules.COMBAT,
    rules.RETREATS,
    rules.PURSUITS,
    rules.CHITS,
    rules.POINTS,
)
CHAPTERS = ("field.toml", "staff.toml", "scenarios.toml", "teams.toml")
DRILLS = DrillBook(*(resources.files(__package__) / "drills" / name for name in CHAPTERS))

CORPUS = Corpus(resources.files(__package__) / "corpus.toml")
QUESTIONS = Questions(resources.files(__package__) / "asked.toml", CONDITIONS)
TOPICS = Topics(resources.files(__package__) / "topics.toml")
TOTALS = Totals(resources.files(__package__) / "totals.toml")
KIT = Kit(
    capabilities=(
        Symmetry(),
        Locality(),
        ExactChance(),
        Content(content_files),
        AvaSecrets(),
        *ORACLES,
        STAGING,
        DRILLS,
        CORPUS,
        QUESTIONS,
        TOTALS,
        TOPICS,
    ),
    checks=(*CHECKS, ContentIsRefused),
    scenarios={"quick": ("training",), "ci": TURNS, "nightly": TURNS},
    harmless={
        "zones-6175dfa2": "only asked whether something is in it",
        "zones-cdfd90e0": "a shortcut: where no more units stand than the limit, no more of them count",
        "zones-25ec757f": "the limit is the same for every side and hex",
        "combat-36a7cf62": "ways that cost no fewer steps and pass one more full stack are never the best",
        "controller-5a2e3e6c": "place 0 of the row is no place, and the reason against it keeps it from being offered",
        "reinforcements-b889ae85": "every arrival names its chit: content without one is refused",
        "movement-38a5d1c2": "a shortcut: without a city there are no hexes to avoid",
    },
)
