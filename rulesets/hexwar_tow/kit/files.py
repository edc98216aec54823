"""The files of Traces of War, for the check that damages them."""

from __future__ import annotations

from typing import Any

from hexwar.engine import RuleIndex
from hexwar.mechanics import CombatTable, TerrainChart
from hexwar.testing.checks.loaders import ContentFile, files_in, in_owners_folder
from hexwar_tow.content import DATA, FILES, MODELS, load_tow
from hexwar_tow.counters import load_counters

READERS: dict[str, Any] = {
    **MODELS,
    "rules.toml": RuleIndex.load,
    "combat.toml": CombatTable.load,
    "terrain.toml": TerrainChart.load,
    "units.toml": lambda path: load_counters(path, dict(load_tow().numbers.classes)),
}


def content_files() -> list[ContentFile]:
    """Each file alone, and those that must agree with others."""
    return [
        *files_in(DATA, READERS),
        *(in_owners_folder(DATA / name, load_tow, FILES) for name in ("chits.toml", "scenarios.toml")),
    ]
