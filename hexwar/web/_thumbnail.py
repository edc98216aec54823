"""Small pictures of scenarios: the part of the map in which the sides stand nearest to each other."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from math import dist
from typing import Any

import hexwar
from hexwar.board import Board
from hexwar.engine import HasBoard, View
from hexwar.errors import HexwarError
from hexwar.render import game_svg
from hexwar.web._scene import ground_of

WIDE, HIGH = 6.5, 3.2
"""Half of the part that is shown, in hexes."""
SEED = 1


@lru_cache(64)
def thumbnail(ruleset: str, scenario: str) -> bytes:
    """The picture of a scenario, packed as it goes over the wire.

    Raises:
        HexwarError: there is no such scenario, or it has no board.
    """
    game = hexwar.new_game(ruleset, scenario, seed=SEED)
    if not isinstance(game.world, HasBoard):
        raise HexwarError(f"{ruleset} is played without a board")
    view = game.view(None)
    board: Any = game.world.board
    only = _cut(view, board) if isinstance(board, Board) else None
    svg = game_svg(view, only=only, labels=False, title="", with_legend=False, with_status=False)
    return gzip.compress(svg.encode(), mtime=0)


def _cut(view: View, board: Board) -> list[str]:
    """The hexes that are shown."""
    centres = ground_of(board).centres
    x, y = _middle(view, centres)
    return [label for label, (u, v) in centres.items() if abs(u - x) <= WIDE and abs(v - y) <= HIGH]


def _middle(view: View, centres: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    """Where the sides are nearest to each other; where points are to be won if no piece stands on the map yet."""
    standing: dict[str, set[tuple[float, float]]] = {}
    for piece in view.picture.pieces:
        if isinstance(piece.place, str) and piece.place in centres and piece.symbol != "works":
            standing.setdefault(piece.side, set()).add(centres[piece.place])
    everything = [point for points in standing.values() for point in points]
    heart = _mean(everything or _goals(view, centres) or centres.values())
    pairs = [(one, other) for two in combinations(standing.values(), 2) for one in two[0] for other in two[1]]
    if pairs:
        return _mean(min(pairs, key=lambda pair: (round(dist(*pair)), dist(_mean(pair), heart), pair)))
    return min(everything or _goals(view, centres) or centres.values(), key=lambda point: (dist(point, heart), point))


def _goals(view: View, centres: Mapping[str, tuple[float, float]]) -> list[tuple[float, float]]:
    objectives: Any = view.ruleset.objectives(view.position)
    return [centres[it.place] for it in objectives if it.place in centres]


def _mean(points: Iterable[tuple[float, float]]) -> tuple[float, float]:
    x, y = zip(*points, strict=True)
    return sum(x) / len(x), sum(y) / len(y)
