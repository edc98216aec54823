"""The files of A Victory Awaits for the check of everything that reads files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hexwar.engine import RuleIndex
from hexwar.mechanics import CombatTable, Content, TerrainChart, load_content
from hexwar.testing.checks.loaders import ContentFile, in_owners_folder
from hexwar_ava.content import DATA, FILES, load_ava
from hexwar_ava.counters import load_counters
from hexwar_ava.tables import ChitFile, MarkerFile, Numbers, RoleFile, ScenarioFile, SetupFile, TrackFile

MODELS: dict[str, type[Content]] = {
    "chits.toml": ChitFile,
    "markers.toml": MarkerFile,
    "numbers.toml": Numbers,
    "roles.toml": RoleFile,
    "scenarios.toml": ScenarioFile,
    "turn_track.toml": TrackFile,
}


def content_files() -> list[ContentFile]:
    """Every file by itself; the set-up, which refers to all the others, together with them."""
    alone: dict[str, Callable[[Path], object]] = {name: _reading(model) for name, model in MODELS.items()}
    alone |= {
        "rules.toml": RuleIndex.load,
        "combat.toml": CombatTable.load,
        "terrain.toml": TerrainChart.load,
        "units.toml": lambda path: load_counters(path, dict(load_content(DATA / "numbers.toml", Numbers).classes)),
    }
    files = [ContentFile(name, (DATA / name).read_text(encoding="utf-8"), load) for name, load in alone.items()]
    setup = DATA / "setup.toml"
    alone_too = ContentFile("setup.toml", setup.read_text(encoding="utf-8"), _reading(SetupFile))
    return [*files, alone_too, in_owners_folder(setup, load_ava, FILES)]


def _reading(model: type[Content]) -> Callable[[Path], object]:
    return lambda path: load_content(path, model)
