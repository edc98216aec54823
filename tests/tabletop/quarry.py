"""The game that the page about games on a plane builds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hexwar
from hexwar.engine import Game
from hexwar.plugins import plugins, use_plugins
from tests.docs.blocks import blocks

PAGE = Path(__file__).parents[2] / "docs" / "plane-game.md"
FILES = {block.title: block.text for block in blocks(PAGE.read_text("utf-8")) if block.title}


@contextmanager
def loaded(folder: Path) -> Iterator[None]:
    """The plugin, while it is wanted."""
    import sys

    for title, text in FILES.items():
        (folder / title).parent.mkdir(parents=True, exist_ok=True)
        (folder / title).write_text(text, encoding="utf-8")
    use_plugins(None)
    path, sys.path = sys.path, [*sys.path]
    try:
        plugins().load_file(folder / "quarry")
        yield
    finally:
        sys.path = path
        use_plugins(None)
        for name in [name for name in sys.modules if name.partition(".")[0] == "quarry"]:
            del sys.modules[name]


def duel(**poses: tuple[int, int, int]) -> Game[Any, Any, Any]:
    """Blue's first turn, with some squads elsewhere."""
    game: Game[Any, Any, Any] = hexwar.new_game("quarry", seed=1)
    state = game.state.copy()
    for unit, (x, y, heading) in poses.items():
        state.spots, state.headings = {**state.spots, unit: (x, y)}, {**state.headings, unit: heading}
    return Game(game.ruleset, game.world, state, game.chance)
