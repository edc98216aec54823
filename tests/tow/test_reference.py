"""The literal rules of the kit notice a rule that has been spoilt."""

from __future__ import annotations

import random

from hexwar_tow.kit.checks import difference
from hexwar_tow.kit.reference import Table
from tests.tow.helpers import after, attacking, field, marching, position

BOARD = field(sides={"major-river": ["0708|0709"]}, road=["0708 0709"])
UNITS = {"ger-57": "0708", "sov-51": "0809"}


def test_9_3_2_a_bridge_that_lifts_the_ban_is_noticed() -> None:
    assert difference(position(UNITS, marching("ger-57"), board=BOARD), random.Random(1), 2) == ""
    broken = position(UNITS, marching("ger-57"), board=BOARD)
    broken.world._guarded_sides = frozenset()
    broken.world._costs.clear()
    assert "reaches other hexes" in difference(broken, random.Random(1), 2)


def test_8_1_5_a_line_over_a_river_without_a_bridge_is_noticed() -> None:
    board = field(sides={"major-river": after(7)}, areas={"supply axis": ["0701"], "supply soviet": ["1420"]})
    game = position({"ger-57": "0710"}, marching("ger-57"), board=board)
    assert difference(game, random.Random(1), 0) == ""
    game.world.supply.walls = lambda side: None
    game.world.supply._passages.clear()
    assert "has no supply line" in difference(game, random.Random(1), 0)


def test_10_2_1_the_literal_odds_halve_hex_by_hex() -> None:
    board = field(sides={"minor-river": ["0708|0709"]})
    units = {"ger-57": "0708", "sov-2tk": "0709", "sov-51": "0609"}
    game = position(units, attacking("sov-2tk", "sov-51"), board=board)
    assert Table(game.world, game.state).odds("0708", ("sov-2tk", "sov-51")) == (7, 3, 2)
