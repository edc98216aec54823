"""The files of A Victory Awaits, for the check that damages them."""

from __future__ import annotations

from typing import Any

from hexwar.engine import RuleIndex
from hexwar.mechanics import CombatTable, TerrainChart
from hexwar.testing.checks.loaders import ContentFile, files_in, in_owners_folder
from hexwar_ava.content import DATA, FILES, load_ava
from hexwar_ava.counters import load_counters
from hexwar_ava.kit.rules import PRINTED
from hexwar_ava.tables import ChitFile, MarkerFile, Numbers, RoleFile, ScenarioFile, SetupFile, TrackFile

READERS: dict[str, Any] = {
    "chits.toml": ChitFile,
    "markers.toml": MarkerFile,
    "numbers.toml": Numbers,
    "roles.toml": RoleFile,
    "scenarios.toml": ScenarioFile,
    "turn_track.toml": TrackFile,
    "rules.toml": RuleIndex.load,
    "combat.toml": CombatTable.load,
    "terrain.toml": TerrainChart.load,
    "units.toml": lambda path: load_counters(path, dict(PRINTED.numbers.classes)),
    "setup.toml": SetupFile,
}


def content_files() -> list[ContentFile]:
    """Each file alone, and the set-up with the files that it must agree with."""
    return [*files_in(DATA, READERS), in_owners_folder(DATA / "setup.toml", load_ava, FILES)]
