"""Games on boards that are no hexes, as a third party would bring them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hexwar.plugins import Plugins, hookimpl
from tests.facade import islands, skirmish


def toys(folder: Path) -> Plugins:
    """Both games alone, with their maps in a folder, and nothing that is installed."""
    maps = {"islands/five": folder / "five.toml", "skirmish/table": folder / "table.toml"}
    for file, text in zip(maps.values(), (islands.MAP, skirmish.MAP), strict=True):
        file.write_text(text, encoding="utf-8")

    class Toys:
        @hookimpl
        def hexwar_rulesets(self) -> list[Any]:
            return [islands.INFO, skirmish.INFO]

        @hookimpl
        def hexwar_maps(self) -> dict[str, Any]:
            return maps

        @hookimpl
        def hexwar_bots(self) -> dict[str, str]:
            return {"random": "hexwar.bots:RandomBot"}

        @hookimpl
        def hexwar_renderers(self) -> dict[str, str]:
            return {"svg": "hexwar.render:svg_bytes", "png": "hexwar.render:png_bytes"}

    manager = Plugins(installed=False)
    manager.register(Toys(), "toys")
    return manager
