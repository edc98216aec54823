"""What Traces of War tells the test kit about itself: its rules a second time and literally, drills, and its own checks."""

from __future__ import annotations

from importlib import resources
from typing import Any

from hexwar.engine import RuleIndex
from hexwar.mechanics import TerrainChart
from hexwar.pieces import CombatTable
from hexwar.testing import Content, ExactChance, Kit, Locality, Symmetry, files_in, in_owners_folder, tables_of
from hexwar.testing.drills import DrillBook
from hexwar.testing.oracles import Thrown
from hexwar_tow.content import DATA, MODELS, load_tow
from hexwar_tow.counters import load_counters
from hexwar_tow.kit.checks import CHECKS
from hexwar_tow.kit.rules import MOVEMENT, RULES
from hexwar_tow.kit.staff import CHITS, CONDITIONS, POINTS
from hexwar_tow.kit.staging import NEXT_CHIT, TowStaging

DRILLS = [
    resources.files(__package__) / "drills" / f"{name}.toml" for name in ("field", "staff", "arrivals", "refusals", "examples")
]
TURNS = tuple(scenario for large in ("race", "campaign") for scenario in ("training", "training", "training", large))
"""The training scenario has all rules on a small map; three in four games use it, and no scenario is left out."""
READERS: dict[str, Any] = {
    **MODELS,
    "rules.toml": RuleIndex.load,
    "combat.toml": CombatTable.load,
    "terrain.toml": TerrainChart.load,
    "units.toml": lambda path: load_counters(path, dict(load_tow().numbers.classes)),
}
"""File -> what reads it."""
AGREEING = ("chits.toml", "scenarios.toml")
"""Files that must agree with others."""
HARMLESS = {
    "activation-de7b4d5d": "nobody leaves the map between the choice of the mode and the first segment",
    "chits-2928ec7f": "what is kept is computed again",
    "chits-f88df3cd": "before turn 5 the chit is refused for its turn, and turns 5 to 8 have a number",
    "chits-dadc7b11": "the same values in another order are as good a key",
    "combat-63a5a727": "a second hex over a river and into an enemy is refused for either reason (10.5.7, 10.5.9)",
    "combat-ea86c745": "without shifts there is nothing to take away",
    "counters-340be8b7": "the reader of the counters always says it",
    "counters-8a36a5f6": "the reader of the counters always says it",
    "crossings-6741f28c": "no hex of a board has the number 0, for which the default would stand",
    "crossings-7dde0c42": "a shortcut: the loop over no orders does nothing",
    "crossings-e42c76c0": "a shortcut: the loop passes over every crossing point that the Soviets have",
    "lines-a7736ae0": "kinds of links are a set",
    "luftwaffe-05b1933e": "where none is used, there is none to return",
    "relocation-2a429f40": "how often a random player relocates is no rule",
    "relocation-7f9f06bb": "a shortcut: outside enemy zones a line does not need the headquarters",
    "relocation-843880cd": "how often a random player relocates is no rule",
    "relocation-b44a86be": "its own hex is too near anyway",
    "state-f8826a8a": "a unit without a marker has none to lose",
    "tables-3969cfda": "only the defensive markers are asked for it, which say it",
    "tables-7d11ac81": "only the offensive markers are asked for it, which say it",
    "zones-268ade4e": "a shortcut: one unit alone always fits",
}
"""Automatic mutants that are no mistakes."""
KIT = Kit(
    capabilities=(
        *RULES,
        CHITS,
        POINTS,
        TowStaging(MOVEMENT, NEXT_CHIT),
        Thrown(MOVEMENT, without=["activation-is-right"]),
        DrillBook(*DRILLS),
        *tables_of(__package__, CONDITIONS),
        Symmetry(),
        Locality(),
        ExactChance(),
        Content(
            lambda: [*files_in(DATA, READERS), *(in_owners_folder(DATA / name, load_tow, load_tow.names) for name in AGREEING)]
        ),
    ),
    checks=CHECKS,
    scenarios={"quick": ("training",), "ci": TURNS, "nightly": TURNS},
    looks={"quick": 0.33},
    harmless=HARMLESS,
    secret=("sealed", "selected", "hand", "cup", "put_in", "luftwaffe"),
)
