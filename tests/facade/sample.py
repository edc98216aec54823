"""Games of Bridgehead for tests of the facade."""

from __future__ import annotations

import random
from pathlib import Path

from hexwar import Game

POSITION = """
ruleset = "bridgehead"
stack = [
    {kind = "sequencing", path = [0, 2]},
    {kind = "attacking", seat = "blue", units = ["b1", "b5"]},
    {kind = "moving", seat = "blue", units = ["b1", "b5"]},
]

[state]
turn = 2

[units]
b1 = "0403"
b5 = {at = "0404", steps = 1}
r1 = "0504"
rA = "0604"
"""


def play(game: Game, actions: int, seed: int = 1) -> Game:
    """Let a seeded player decide for both sides, so often or until the game is over."""
    chance = random.Random(seed)
    for _ in range(actions):
        if not game.to_move:
            break
        seat = game.to_move[0]
        game.apply(game.offered(seat).sample(chance), seat)
    return game


def text_of(game: Game, folder: Path) -> str:
    """The text of the game's save."""
    game.save(folder / "game.json")
    return (folder / "game.json").read_text(encoding="utf-8")
