"""Saves of released versions, which load for ever."""

from __future__ import annotations

from pathlib import Path

import hexwar


def replays(save: Path, digest: str, folder: Path) -> None:
    """Load a save, which compares its digests on the way, and save it again: the same bytes if the format is the current one."""
    game = hexwar.load_game(save)
    assert game.digest == digest
    assert game.caveat == ""
    game.save(folder / save.name)
    assert (folder / save.name).read_text(encoding="utf-8") == save.read_text(encoding="utf-8")
