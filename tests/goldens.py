"""Golden games: whole games as text, compared line by line with what was written before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from hexwar.engine import Event, Game


def told_line(event: Event) -> str:
    """An event with all clauses that it cites."""
    return f"{event} ({', '.join(dict.fromkeys(event.cited()))})"


def told_lines(game: Game) -> list[str]:
    """What everybody saw of a game."""
    return [told_line(event) for event in game.log() if event.clause]


def shortened(lines: Sequence[str], first: int, last: int) -> list[str]:
    """The first and the last lines, and how many are left out between them."""
    if len(lines) <= first + last:
        return list(lines)
    return [*lines[:first], f"[{len(lines) - first - last} more]", *lines[len(lines) - last :]]


def framed(game: Game, lines: Sequence[str]) -> str:
    """A text with the scenario above and the digest of the final position below, on which everything else depends."""
    last = f"{len(game.history)} actions, digest {game.digest}"
    return "\n".join([f"# {game.world.setup.scenario}", *lines, last]) + "\n"


def compare(file: Path, told: str) -> None:
    """Compare with the text in a file; HEXWAR_GOLDEN=write writes it anew."""
    if os.environ.get("HEXWAR_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(told, encoding="utf-8", newline="\n")
    assert told.splitlines() == file.read_text(encoding="utf-8").splitlines()
