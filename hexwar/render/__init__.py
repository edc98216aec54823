"""Pictures of boards and positions, as SVG text that we write ourselves and as PNG through an extra.

Draws any ruleset that is built on `hexwar.mechanics`: what it does not know (a terrain, an arm, a hexside feature) it draws
in a way of its own that stays the same. This module is also the plugin that registers the picture formats, so it imports
nothing heavy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hexwar.plugins import hookimpl

if TYPE_CHECKING:
    from hexwar.render.files import png_bytes, svg_bytes, write_picture
    from hexwar.render.picture import board_svg, game_svg

_HOMES = {
    "board_svg": "hexwar.render.picture",
    "game_svg": "hexwar.render.picture",
    "png_bytes": "hexwar.render.files",
    "svg_bytes": "hexwar.render.files",
    "write_picture": "hexwar.render.files",
}

__all__ = ["board_svg", "game_svg", "png_bytes", "svg_bytes", "write_picture"]


@hookimpl
def hexwar_renderers() -> dict[str, str]:
    """The formats that come with hexwar."""
    return {"png": "hexwar.render.files:png_bytes", "svg": "hexwar.render.files:svg_bytes"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'hexwar.render' has no attribute {name!r}")
