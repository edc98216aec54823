"""Saves of released versions, which load for ever."""

from __future__ import annotations

import re
from pathlib import Path

import hexwar
from hexwar.engine._state import SCHEMA


def replays(save: Path, digest: str, folder: Path) -> None:
    """Load a save, which compares its digests on the way, and save it again: the same bytes if format and schema are current."""
    game, text = hexwar.load_game(save), save.read_text(encoding="utf-8")
    assert game.digest == digest
    schema = re.search(r'"digest_schema": (\d+)', text)
    assert schema is not None
    is_current = int(schema[1]) == SCHEMA
    assert (game.caveat == "") == is_current
    assert (f"digests of schema {schema[1]}" in game.caveat) == (not is_current)
    game.save(folder / save.name)
    assert ((folder / save.name).read_text(encoding="utf-8") == text) == is_current
    again = hexwar.load_game(folder / save.name)
    assert (again.digest, again.caveat) == (digest, "")
