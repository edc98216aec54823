"""The files of A Victory Awaits for the check of everything that reads files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hexwar.engine import RuleIndex
from hexwar.mechanics import CombatTable, Content, TerrainChart, load_content
from hexwar.testing.checks.loaders import ContentFile
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
    """Every file by itself; the set-up, which names what all the others have, together with them."""
    alone: dict[str, Callable[[Path], object]] = {name: _reading(model) for name, model in MODELS.items()}
    alone |= {
        "rules.toml": RuleIndex.load,
        "combat.toml": CombatTable.load,
        "terrain.toml": TerrainChart.load,
        "units.toml": lambda path: load_counters(path, dict(load_content(DATA / "numbers.toml", Numbers).classes)),
    }
    files = [ContentFile(name, (DATA / name).read_text(encoding="utf-8"), load) for name, load in alone.items()]
    setup = (DATA / "setup.toml").read_text(encoding="utf-8")
    return [*files, ContentFile("setup.toml", setup, lambda path: load_content(path, SetupFile)), _together(setup)]


def _together(setup: str) -> ContentFile:
    """A folder in which nothing but the set-up is replaced, as an owner's HEXWAR_AVA_DATA may be."""

    def load(path: Path) -> object:
        folder = path.parent / "ava"
        folder.mkdir(exist_ok=True)
        path.replace(folder / "setup.toml")
        return load_ava(folder)

    return ContentFile("setup.toml", setup, load, partners=FILES, cost=20)


def _reading(model: type[Content]) -> Callable[[Path], object]:
    return lambda path: load_content(path, model)
