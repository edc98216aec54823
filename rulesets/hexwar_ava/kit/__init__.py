"""What A Victory Awaits tells the test kit about itself.

`rules` has the rules again, literally, as oracles of `hexwar.testing`, whose checks run them; `boards` makes small positions
in which everything lies close together; `checks` are checks of what only this game has; `drills` are positions made by hand for
rules that rarely come up.
"""

from __future__ import annotations

from importlib import resources

from hexwar.testing import Content, ExactChance, Kit, Locality, Symmetry, tables_of
from hexwar.testing.drills import DrillBook
from hexwar.testing.oracles import Thrown
from hexwar_ava.kit import rules
from hexwar_ava.kit.boards import STAGING
from hexwar_ava.kit.checks import CHECKS, CONDITIONS
from hexwar_ava.kit.files import ContentIsRefused, content_files

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

KIT = Kit(
    capabilities=(
        Symmetry(),
        Locality(),
        ExactChance(),
        Content(content_files),
        *ORACLES,
        STAGING,
        Thrown(rules.MOVEMENT, without=["set-up-is-right"]),
        DRILLS,
        *tables_of(__package__, CONDITIONS),
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
        "supply-2f6e9385": "what is kept is computed again",
        "supply-ff87ca03": "where no marked city is held, nothing is looked up in the result",
        "chits-a0f45358": "what is kept is computed again",
        "chits-2938dfa9": "a chit of the other side is not available either, by the same clause (15.2.1)",
        "chits-a9754215": "only what is not offered is asked about, and a chit for which one place is left is offered",
        "combat-3efabc29": "from how many ways on those that are alike are put together is no rule",
        "combat-4c133ead": "from how many ways on those that are alike are put together is no rule",
        "controller-6221e929": "being close is mutual",
        "controller-1a3cdf85": "where nothing is in play, the first chit that lies open can always begin",
        "setting_up-dd55a1ef": "where a side is not divided its seat owns everything",
        "setting_up-1d348361": "the lists are made from each other and always of one length",
        "zones-612360be": "the limit is the same for every side and hex",
        "tables-6bbb14b9": "only the fortress marker is asked for its level, which says it",
        "turn-a6446995": "the supply check or the verdict ends the game in the last turn (16.4.1)",
        "turn-35effae7": "a declaration of no units ends at once",
        "master_cup-0c159daf": "another sentence only: what is not offered is refused by the same clause",
        "master_cup-2bb29978": "another sentence only: what is not offered is refused by the same clause",
        "scenarios-7bc6de5c": "where the rulebook says something is no rule",
        "init-5ec9c68c": "a bot is no rule",
        "world-e87703c3": "a space before the first turn, in which nobody waits",
    },
    secret=("sealed", "selected", "hand", "cup", "put_in", "added"),
)
