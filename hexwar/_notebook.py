"""What a notebook shows of a board, a view or a game: a picture, and a line of text for those who cannot show one."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from hexwar.errors import HexwarError


def shown(drawn: object, text: str, draw: str) -> dict[str, Any]:
    """The forms of something by their MIME types.

    Args:
        drawn: what is drawn: a board, or a view, which has no secrets.
        text: the same in a line.
        draw: the function of the renderer, which is found by its name when it is drawn: what is below it does not need it.
    """
    forms = {"text/plain": text}
    with suppress(HexwarError):  # the game may have no board that can be drawn
        forms["image/svg+xml"] = getattr(import_module("hexwar.render"), draw)(drawn)
    return forms
