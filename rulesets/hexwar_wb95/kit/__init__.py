"""What WB-95 tells the test kit about itself: the duty to attack a second time, drills, files and their totals."""

from __future__ import annotations

from importlib import resources
from typing import Any

from hexwar.engine import RuleIndex
from hexwar.mechanics import TerrainChart
from hexwar.testing import Content, Kit, files_in, in_owners_folder
from hexwar.testing.drills import DrillBook
from hexwar_wb95.content import DATA, MODELS, load_wb95
from hexwar_wb95.kit.duty import DutiesAreLiteral
from hexwar_wb95.kit.fights import COMBAT, PURSUITS, RETREATS
from hexwar_wb95.kit.ground import MOVEMENT, STACKING, SUPPLY, ZONES
from hexwar_wb95.kit.table import BOOKS
from hexwar_wb95.kit.turn import TURN

FILES = resources.files(__package__) / "drills"
NAMES = ("ground", "combat", "results", "guns", "rear")
DRILLS = DrillBook(*(FILES / f"{name}.toml" for name in NAMES))
READERS: dict[str, Any] = {**MODELS, "rules.toml": RuleIndex.load, "terrain.toml": TerrainChart.load}
"""File -> what reads it."""
AGREEING = ("combat.toml", "units.toml")
"""Files that are read in an owner's folder: they have readers of their own, or must agree with others."""
OFTEN = ("training", "training", "training", "narew")
"""The training scenario has all rules but those of aircraft, of bridges over large rivers and of reinforcements."""
KIT = Kit(
    capabilities=(
        DRILLS,
        BOOKS,
        STACKING,
        ZONES,
        MOVEMENT,
        SUPPLY,
        COMBAT,
        RETREATS,
        PURSUITS,
        *TURN,
        Content(
            lambda: [
                *files_in(DATA, {name: reader for name, reader in READERS.items() if name not in AGREEING}),
                *(in_owners_folder(DATA / name, load_wb95, load_wb95.names) for name in AGREEING),
            ]
        ),
    ),
    checks=(DutiesAreLiteral,),
    scenarios={"quick": ("training",), "ci": OFTEN, "nightly": ("training", "narew")},
    looks={"quick": 0.33, "ci": 0.33},
    secret=(),
)
