"""17.4 Soviet supply limits: a line follows a road or a railway, and leaves it for twelve hexes at most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar_ava.supply import SupplyCheck
from hexwar_ava.turn import CallingZhukov
from tests.ava.table import field, of_kind, position, retreating

ON = {"soviet-supply": True}
AREAS = {"supply axis": ["0105"], "supply soviet": ["4005"]}


def row(first: int, last: int, number: int = 5) -> str:
    """A chain of hexes in a row."""
    return " ".join(f"{column:02}{number:02}" for column in range(first, last + 1))


def quiet(units: Mapping[str, str], options: Mapping[str, bool] | None = None, **ground: Any) -> Game:
    board = field(**{"size": (40, 10), "areas": AREAS, **ground})
    return position(units, CallingZhukov("soviet"), board=board, options=ON if options is None else options)


def has_line(game: Game, of: str, side: str | None = None) -> bool:
    report = game.query.supply(of, side)
    assert report.supplied == bool(report.line)
    return bool(report.supplied)


@pytest.mark.parametrize("way", ["road", "rail"])
def test_17_4_1_a_line_leaves_its_way_for_twelve_hexes_at_most(way: str) -> None:
    """The way ends at 2505: 1305 is twelve hexes beyond, 1205 thirteen."""
    game = quiet({"su-10": "1305", "su-90": "1205"}, None, **{way: [row(25, 40)]})
    assert has_line(game, "su-10")
    assert not has_line(game, "su-90")
    assert len(game.query.supply("su-10").line) == 1 + 15 + 12
    usual = quiet({"su-90": "1205"}, {}, **{way: [row(25, 40)]})
    assert has_line(usual, "su-90"), "without the option lines go anywhere"


def test_17_4_1_far_from_every_way_there_is_no_line() -> None:
    game = quiet({"su-10": "3405"}, areas={"supply axis": ["0105"], "supply soviet": ["4005", "0110"]}, road=[row(1, 20, 10)])
    assert not has_line(game, "su-10"), "thirteen hexes from the road, and six from a source that has none"


def test_17_4_1_road_and_railway_are_not_mixed() -> None:
    """By rail to the middle, then by road: not with this rule."""
    mixed = quiet({"su-10": "0305"}, rail=[row(22, 40)], road=[row(4, 22)])
    assert not has_line(mixed, "su-10")
    for way in ("rail", "road"):
        assert has_line(quiet({"su-10": "0305"}, None, **{way: [row(4, 40)]}), "su-10")
    both = quiet({"su-10": "0305"}, rail=[row(4, 40)], road=[row(22, 40)])
    assert has_line(both, "su-10"), "a road beside the railway is no obstacle"


def test_17_4_1_an_enemy_zone_on_the_way_cuts_it() -> None:
    game = quiet({"su-10": "2005", "ger-21": "3004"}, road=[row(15, 40)])
    assert has_line(game, "su-10"), "around the zone, off the road"
    cut = quiet({"su-10": "1505", "ger-21": "3004"}, road=[row(15, 40)])
    assert not has_line(cut, "su-10")
    held = quiet({"su-10": "1505", "su-90": "3005", "su-125": "2905", "su-23": "3105", "ger-21": "3004"}, road=[row(15, 40)])
    assert has_line(held, "su-10"), "a friend in the zone holds the road open"


def test_17_4_1_the_axis_traces_as_ever() -> None:
    for options in ({}, ON):
        game = quiet({"ger-21": "0805", "ger-1": "2505"}, options, rail=[row(1, 4)])
        assert has_line(game, "ger-21")
        assert not has_line(game, "ger-1")
    road_only = quiet({"ger-21": "0805"}, road=[row(1, 4)])
    assert not has_line(road_only, "ger-21")


@pytest.mark.parametrize(("options", "losses"), [({}, 0), (ON, 1)])
def test_17_4_1_the_supply_check_goes_by_it(options: Mapping[str, bool], losses: int) -> None:
    board = field(size=(40, 10), areas=AREAS, road=[row(25, 40)])
    game = position({"su-10": "0805", "su-90": "2505", "ger-21": "0105"}, SupplyCheck(), board=board, options=options)
    assert len(of_kind(game.events, "step-lost")) == losses


@pytest.mark.parametrize("short", ["road", "rail"])
def test_17_4_1_the_shorter_of_both_ways_counts(short: str) -> None:
    """18 hexes from one source along one kind of way, 21 from another source along the other."""
    long = "rail" if short == "road" else "road"
    areas = {"supply axis": ["0105"], "supply soviet": ["4005", "0101"]}
    game = quiet({"su-10": "2205"}, None, areas=areas, **{short: [row(22, 40)], long: [row(1, 10, 1)]})
    assert game.world.supply.lengths(game.position, "soviet", ["2205"]) == {"2205": 18}
    assert len(game.query.supply("su-10").line) == 19
    only = quiet({"su-10": "2205"}, None, areas=areas, **{long: [row(1, 10, 1)]})
    assert only.world.supply.lengths(only.position, "soviet", ["2205"]) == {"2205": 21}


def test_17_4_1_a_retreat_goes_where_the_line_by_road_is_shortest() -> None:
    """A line is a line: the road, which it has to follow now, is in the north, so 1709 is no longer as good as the others."""
    road = ["1508 1507 1506 1505 1504 1503 1502", row(15, 40, 2)]
    units = {"su-10": "1508", "ger-21": "1408", "ger-1": "1409"}
    ends = {}
    for name, options in (("on", ON), ("off", {})):
        board = field(size=(40, 10), areas={**AREAS, "supply soviet": ["4002", "4010"]}, road=road)
        game = position(units, retreating(2, "su-10", origin="1508"), board=board, options=options)
        ends[name] = {action.path[-1] for action in game.legal_actions() if hasattr(action, "path")}
    assert ends == {"on": {"1707", "1708"}, "off": {"1707", "1708", "1709"}}
