"""The files of the 1918-21 system, for the checks that damage them and add them up."""

from __future__ import annotations

from typing import Any

from hexwar.engine import RuleIndex
from hexwar.testing import ContentFile, files_in
from hexwar_wop.content import DATA, PARTS, WHOLE, CombatFile, PartFile, ScenarioFile, TablesFile, TemplatesFile, TerrainFile

READERS: dict[str, Any] = {
    "combat.toml": CombatFile,
    "rules.toml": RuleIndex.load,
    "tables.toml": TablesFile,
    "templates.toml": TemplatesFile,
    "terrain.toml": TerrainFile,
    f"{WHOLE}.toml": ScenarioFile,
    **{f"{name}.toml": PartFile for name in PARTS},
}


def content_files() -> list[ContentFile]:
    """Each file alone."""
    return files_in(DATA, READERS)
