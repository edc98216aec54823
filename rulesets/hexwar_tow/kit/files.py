"""The files of Traces of War for the check of everything that reads files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hexwar.engine import RuleIndex
from hexwar.mechanics import CombatTable, Content, TerrainChart, load_content
from hexwar.testing.checks.loaders import ContentFile, in_owners_folder
from hexwar_tow.content import DATA, FILES, load_tow
from hexwar_tow.counters import load_counters
from hexwar_tow.tables import ChitFile, MarkerFile, Numbers, ScenarioFile, TrackFile

MODELS: dict[str, type[Content]] = {
    "chits.toml": ChitFile,
    "markers.toml": MarkerFile,
    "numbers.toml": Numbers,
    "scenarios.toml": ScenarioFile,
    "turn_track.toml": TrackFile,
}


def content_files() -> list[ContentFile]:
    """Every file by itself; scenarios and chits, which refer to other files, also together with those."""
    alone: dict[str, Callable[[Path], object]] = {name: _reading(model) for name, model in MODELS.items()}
    alone |= {
        "rules.toml": RuleIndex.load,
        "combat.toml": CombatTable.load,
        "terrain.toml": TerrainChart.load,
        "units.toml": lambda path: load_counters(path, dict(load_content(DATA / "numbers.toml", Numbers).classes)),
    }
    files = [ContentFile(name, (DATA / name).read_text(encoding="utf-8"), load) for name, load in alone.items()]
    return [*files, *(in_owners_folder(DATA / name, load_tow, FILES) for name in ("chits.toml", "scenarios.toml"))]


def _reading(model: type[Content]) -> Callable[[Path], object]:
    return lambda path: load_content(path, model)
