"""Hypothesis strategies for boards, units, positions, games and chance.

They need the extra `hexwar[testing]`. Nothing else in hexwar imports this package, so that Hypothesis is loaded only by those who
test with it. Many small choices are drawn as bytes and decoded (see `draw_bytes`): that is quick, and zeros are the dullest
choice everywhere, so that examples shrink to few clear hexes, few units and dull play.
"""

from hexwar.testing.strategies._arguments import Draw, StrategyError, draw_bytes
from hexwar.testing.strategies._chances import Tape, actions, chances, decisions, dice
from hexwar.testing.strategies._costs import costs
from hexwar.testing.strategies._ground import FEATURES, LINKS, PLACES, TERRAINS, boards, hexes, hexsides, labels, map_texts
from hexwar.testing.strategies._positions import (
    Arranging,
    HexArranging,
    placements,
    positions,
    random_games,
    reachable_games,
    reachable_states,
)
from hexwar.testing.strategies._types import of_type
from hexwar.testing.strategies._units import rosters, units

__all__ = [
    "FEATURES",
    "LINKS",
    "PLACES",
    "TERRAINS",
    "Arranging",
    "Draw",
    "HexArranging",
    "StrategyError",
    "Tape",
    "actions",
    "boards",
    "chances",
    "costs",
    "decisions",
    "dice",
    "draw_bytes",
    "hexes",
    "hexsides",
    "labels",
    "map_texts",
    "of_type",
    "placements",
    "positions",
    "random_games",
    "reachable_games",
    "reachable_states",
    "rosters",
    "units",
]
