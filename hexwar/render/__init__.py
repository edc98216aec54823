"""Pictures of boards and positions, as SVG text that we write ourselves and as PNG through an extra.

Draws whatever `Ruleset.picture` gives, on boards of hexes, of areas and on planes: what it does not know (a terrain, a symbol,
a line) it draws in a way of its own that stays the same. This module is also the plugin that registers the picture formats, so
it imports nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar._lazy import lazy
from hexwar.plugins import hookimpl

if TYPE_CHECKING:
    from hexwar.render._counters import SYMBOLS, colours_of
    from hexwar.render._files import png_bytes, svg_bytes, write_picture
    from hexwar.render._ground import Ground, ground
    from hexwar.render._picture import SCALE, board_svg, game_svg, piece_svg

__all__ = [
    "SCALE",
    "SYMBOLS",
    "Ground",
    "board_svg",
    "colours_of",
    "game_svg",
    "ground",
    "piece_svg",
    "png_bytes",
    "svg_bytes",
    "write_picture",
]


@hookimpl
def hexwar_renderers() -> dict[str, str]:
    """The formats that come with hexwar."""
    return {"png": "hexwar.render:png_bytes", "svg": "hexwar.render:svg_bytes"}


__getattr__, __dir__ = lazy(
    __name__,
    {
        "Ground": "_ground",
        "SCALE": "_picture",
        "SYMBOLS": "_counters",
        "board_svg": "_picture",
        "colours_of": "_counters",
        "game_svg": "_picture",
        "ground": "_ground",
        "piece_svg": "_picture",
        "png_bytes": "_files",
        "svg_bytes": "_files",
        "write_picture": "_files",
    },
    "hexwar_renderers",
)
