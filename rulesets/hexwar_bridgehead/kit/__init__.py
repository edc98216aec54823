"""What Bridgehead tells the test kit about itself: its rules once more, what changes no answer of theirs, its files."""

from __future__ import annotations

from typing import Any

from hexwar.engine import RuleIndex, Ruleset, World
from hexwar.mechanics import TerrainChart
from hexwar.pieces import CombatTable, load_roster
from hexwar.testing import (
    KINDS,
    Content,
    ExactChance,
    Interchange,
    Kit,
    Locality,
    Names,
    Renaming,
    Symmetry,
    files_in,
    rebuilt,
    tables_of,
    translated,
)
from hexwar_bridgehead.content import BridgeheadScenario
from hexwar_bridgehead.kit.rules import CAPABILITIES
from hexwar_bridgehead.world import DATA


class Flags(Interchange):
    """Blue and Red could change their flags, if the home areas and the numbers of chits went along."""

    def world(self, rules: Ruleset, world: Any, names: Names) -> World:
        """With the scenario's numbers and home areas exchanged."""
        scenario = world.scenario
        changed = {name: translated(getattr(scenario, name), names) for name in ("chits", "home", "holds")}
        # The names in these tables are areas and towns, which no side has.
        return rebuilt(
            rules,
            world,
            units=self.counters(world, names),
            scenario=scenario.model_copy(update=changed),
        )


READERS: dict[str, Any] = {
    "rules.toml": RuleIndex.load,
    "combat.toml": CombatTable.load,
    "terrain.toml": TerrainChart.load,
    "units.toml": load_roster,
    "scenario.toml": BridgeheadScenario,
}

KIT = Kit(
    (
        *CAPABILITIES,
        Symmetry(labels=True),
        Renaming(),
        Flags(KINDS),
        Locality(),
        ExactChance(),
        Content(lambda: files_in(DATA, READERS)),
        *tables_of(__package__),
    ),
    harmless={
        "combat-2191f0bf": "every side has a source, so the default is never used",
        "combat-5f335286": "such a hex is refused for either reason (10.1)",
        "world-0d8b988c": "a box before the first turn, in which nobody waits",
        "world-81c26fec": "a box after the last turn, in which nobody waits",
        "world-47cccee7": "nobody waits for the first turn",
    },
    secret=("selected", "hand", "cup", "put_in"),
)
