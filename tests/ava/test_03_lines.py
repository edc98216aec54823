"""3.3 Lines of communication: where a line may run, for each side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar_ava.turn import CallingZhukov
from tests.ava.table import field, position

SMALL = (16, 10)
WEST, EAST = "0105", "1605"
AREAS = {"supply axis": [WEST], "supply soviet": [EAST]}
AROUND = ("0504", "0605", "0606", "0506", "0406", "0405")
"""The neighbours of 0505."""


def row(first: int, last: int, number: int = 5) -> list[str]:
    """Hexes of a row, each next to the one before."""
    return [f"{column:02}{number:02}" for column in range(first, last + 1)]


def ground(**more: Any) -> str:
    """A small field with an Axis source in the west and a Soviet one in the east."""
    return field(**{"size": SMALL, "areas": AREAS, **more})


def quiet(units: Mapping[str, str], board: str, **more: Any) -> Game:
    """A position in which nothing happens."""
    return position(units, CallingZhukov("soviet"), board=board, **more)


def has_line(game: Game, of: str, side: str | None = None) -> bool:
    """Whether a unit or a hex has a line; what is said of its way must agree."""
    report = game.query.supply(of, side)
    assert report.supplied == bool(report.line)
    assert report.clause == "3.3.1"
    return bool(report.supplied)


def test_3_3_1_a_line_is_an_unbroken_path_from_a_source() -> None:
    game = quiet({"su-179": "0305"}, ground())
    line = game.query.supply("su-179").line
    board = game.world.board
    assert line[0] == EAST
    assert line[-1] == "0305"
    assert all(board.adjacent(here, there) for here, there in pairwise(line))


def test_3_3_1_a_hex_without_units_can_have_a_line() -> None:
    game = quiet({}, ground(rail=[" ".join(row(1, 3))]))
    assert has_line(game, "0305", "soviet")
    assert has_line(game, "0305", "axis")
    assert has_line(game, EAST, "soviet")
    assert not has_line(game, EAST, "axis"), "thirteen hexes off the railway"


def test_3_3_1_an_island_has_none() -> None:
    game = quiet({"su-179": "0505"}, ground(terrain=dict.fromkeys(AROUND, "~")))
    assert not has_line(game, "su-179")


def test_3_3_1_a_side_uses_its_own_sources_only() -> None:
    land = row(1, 4) + row(8, 16)
    game = quiet({"su-179": "0205", "su-90": "0905"}, ground(land=land))
    assert not has_line(game, "su-179"), "only the Axis source is near"
    assert has_line(game, "su-90")


# -- N02 and the enemy ---------------------------------------------------------------------------------------------------------

CORRIDOR = ["2010", "2110", "2210", "2310"]


def corridor(units: Mapping[str, str]) -> Game:
    """N02: three hexes between a unit and its source, and water all around but for the enemy's hexes."""
    land = {*CORRIDOR, *units.values()}
    board = field(land=sorted(land), areas={"supply soviet": ["2310"]}, size=(25, 12))
    return quiet({"su-179": "2010", **units}, board)


@pytest.mark.clause("3.3.3")
def test_n02a_no_line_through_an_empty_hex_of_an_enemy_zone() -> None:
    game = corridor({"ger-21": "2111"})
    assert not has_line(game, "su-179")
    assert has_line(game, "2110", "soviet"), "3.3.4: it may end there"


@pytest.mark.clause("3.3.5", "3.3.4")
def test_n02b_a_friend_lets_it_pass() -> None:
    game = corridor({"ger-21": "2111", "su-90": "2110"})
    assert has_line(game, "su-179")
    assert has_line(game, "su-90")


@pytest.mark.clause("3.3.4")
def test_n02c_a_line_may_end_in_an_enemy_zone() -> None:
    game = corridor({"ger-21": "1909"})
    assert set(game.query.zones("axis")) & set(CORRIDOR) == {"2010"}
    assert has_line(game, "su-179")


@pytest.mark.clause("3.3.2")
def test_n02d_no_line_through_the_enemy() -> None:
    assert not has_line(corridor({"ger-21": "2110"}), "su-179")


def test_3_3_2_an_enemy_on_the_source_ends_it() -> None:
    units = {"su-179": "1205"}
    assert has_line(quiet(units, ground()), "su-179")
    assert not has_line(quiet({**units, "ger-21": EAST}, ground()), "su-179")
    assert not has_line(quiet({"ger-21": "0205", "su-179": WEST}, ground(rail=[" ".join(row(1, 9))])), "ger-21")


def test_3_3_3_a_watched_source_can_still_be_used() -> None:
    land = [*row(8, 16), "1606"]
    units = {"su-179": "1205", "ger-21": "1606"}
    game = quiet(units, ground(land=land))
    assert EAST in game.query.zones("axis")
    assert "1505" in game.query.zones("axis")
    assert not has_line(game, "su-179"), "1505 is gone through"
    land = [*row(8, 16), "1604"]
    game = quiet({"su-179": "1205", "ger-21": "1604"}, ground(land=land))
    assert set(game.query.zones("axis")) & set(land) == {EAST}
    assert has_line(game, "su-179")


def test_3_3_3_the_axis_source_can_be_watched_too() -> None:
    land = [*row(1, 9), "0106"]
    game = quiet({"ger-21": "0905", "su-179": "0106"}, ground(land=land, rail=[" ".join(row(1, 9))]))
    assert set(game.query.zones("soviet")) & set(row(1, 9)) == {WEST}
    assert has_line(game, "ger-21")


def test_3_3_4_a_unit_next_to_the_enemy_has_a_line() -> None:
    game = quiet({"su-179": "0805", "ger-21": "0705"}, ground())
    assert "0805" in game.query.zones("axis")
    assert has_line(game, "su-179")


def test_3_3_5_every_watched_hex_needs_a_friend() -> None:
    land = [*row(1, 16), "0606"]
    enemy = {"ger-21": "0606"}  # watches 0505, 0605 and 0705
    units = {"su-179": "0305", "su-90": "0505", "su-125": "0605", "su-10": "0705"}
    assert has_line(quiet({**enemy, **units}, ground(land=land)), "su-179")
    for missing in ("su-90", "su-125", "su-10"):
        less = {unit: label for unit, label in units.items() if unit != missing}
        assert not has_line(quiet({**enemy, **less}, ground(land=land)), "su-179"), missing


# -- the ground ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("water", ["~", "="])
def test_3_3_6_no_line_enters_a_lake_or_the_sea(water: str) -> None:
    wall = [f"08{number:02}" for number in range(1, 11)]
    game = quiet({"su-179": "0405"}, ground(terrain=dict.fromkeys(wall, water)))
    assert not has_line(game, "su-179")
    game = quiet({"su-179": "0405"}, ground(terrain=dict.fromkeys(wall[1:], water)))
    assert has_line(game, "su-179")
    assert "0801" in game.query.supply("su-179").line


@pytest.mark.clause("TEC.5")
def test_3_3_6_nor_crosses_a_hexside_of_water() -> None:
    ring = [f"0505|{near}" for near in AROUND]
    units = {"su-179": "0505"}
    assert not has_line(quiet(units, ground(sides={"water": ring})), "su-179")
    assert has_line(quiet(units, ground(sides={"water": ring[1:]})), "su-179")


MOUNTAINS = {f"07{number:02}": "m" for number in range(1, 11)}


@pytest.mark.parametrize(
    ("road", "crosses"),
    [([], False), (["0605 0705 0805"], True), (["0605 0705"], False), (["0705 0805"], False), (["0704 0705 0706"], False)],
)
def test_3_3_7_a_line_crosses_mountains_on_a_road(road: list[str], crosses: bool) -> None:
    game = quiet({"su-179": "0405"}, ground(terrain=MOUNTAINS, road=road))
    assert has_line(game, "su-179") == crosses


def test_3_3_7_a_line_may_end_in_mountains_without_a_road() -> None:
    game = quiet({"su-30mt": "0705", "su-179": "0605"}, ground(terrain=MOUNTAINS))
    assert has_line(game, "su-30mt")
    assert not has_line(game, "su-179")


@pytest.mark.clause("3.3.12")
def test_3_3_7_nor_does_a_railway_cross_them_without_a_road() -> None:
    rail = [" ".join(row(1, 14))]
    units = {"ger-21": "1405"}
    assert not has_line(quiet(units, ground(terrain=MOUNTAINS, rail=rail)), "ger-21")
    assert has_line(quiet(units, ground(terrain=MOUNTAINS, rail=rail, road=["0605 0705 0805"])), "ger-21")


@pytest.mark.parametrize("river", ["major-river", "minor-river"])
def test_3_3_8_a_line_crosses_rivers_without_a_bridge(river: str) -> None:
    ring = [f"0505|{near}" for near in AROUND]
    game = quiet({"su-179": "0505"}, ground(sides={river: ring}))
    assert has_line(game, "su-179")


def test_3_3_8_so_does_an_axis_line() -> None:
    ring = [f"0505|{near}" for near in AROUND]
    game = quiet({"ger-21": "0505"}, ground(sides={"major-river": ring}, rail=[" ".join(row(1, 3))]))
    assert has_line(game, "ger-21")


# -- Soviet lines --------------------------------------------------------------------------------------------------------------


def test_3_3_9_a_soviet_line_may_be_of_any_length() -> None:
    board = field(land=row(1, 40), areas={"supply soviet": ["4005"]}, size=(40, 8))
    game = quiet({"su-179": "0105"}, board)
    assert has_line(game, "su-179")
    assert len(game.query.supply("su-179").line) == 40


def start_line_around(*labels: str) -> dict[str, Iterable[str]]:
    return {"start-line": [f"0505|{near}" for near in labels]}


def test_3_3_10_no_soviet_line_crosses_the_start_line() -> None:
    units = {"su-179": "0505"}
    assert not has_line(quiet(units, ground(sides=start_line_around(*AROUND))), "su-179")
    assert has_line(quiet(units, ground(sides=start_line_around(*AROUND[1:]))), "su-179")


def test_3_3_10_axis_lines_do() -> None:
    board = ground(sides=start_line_around(*AROUND), rail=[" ".join(row(1, 5))])
    assert has_line(quiet({"ger-21": "0505"}, board), "ger-21")


@pytest.mark.clause("3.3.10")
def test_n12d_no_line_by_the_ground_beyond_the_start_line() -> None:
    land = ["1110", "1011", "1012", "1112", "1212"]
    areas = {"supply soviet": ["1212"], "west of the start line": ["1011", "1012"]}
    line = {"start-line": ["1110|1011", "1112|1012"]}
    unit = {"su-179": "1110"}
    assert not has_line(quiet(unit, field(land=land, areas=areas, sides=line, size=(14, 14))), "su-179")
    assert has_line(quiet(unit, field(land=land, areas=areas, size=(14, 14))), "su-179"), "but for the start line"


# -- Axis lines ----------------------------------------------------------------------------------------------------------------


def test_3_3_11_an_axis_line_follows_a_railway_however_far() -> None:
    board = field(land=row(1, 40), rail=[" ".join(row(1, 40))], areas={"supply axis": [WEST]}, size=(40, 8))
    game = quiet({"ger-21": "4005"}, board)
    assert has_line(game, "ger-21")
    assert len(game.query.supply("ger-21").line) == 40


def test_3_3_11_a_road_is_no_railway() -> None:
    assert not has_line(quiet({"ger-21": "1205"}, ground(rail=["0105 0205"], road=[" ".join(row(1, 14))])), "ger-21")


@pytest.mark.parametrize(
    ("rail", "found"),
    [
        ([" ".join(row(1, 4)), " ".join(row(4, 14))], True),  # two railways that join
        ([" ".join(row(1, 4)), " ".join(row(5, 14))], False),  # they lie side by side, but nothing leads from one to the other
        ([" ".join(row(1, 4)), " ".join(row(6, 14))], False),
    ],
)
def test_3_3_11_the_railway_must_be_unbroken(rail: list[str], found: bool) -> None:
    game = quiet({"ger-21": "1305"}, ground(rail=rail))
    assert has_line(game, "ger-21") == found


def test_3_3_11_the_axis_cannot_begin_without_a_railway() -> None:
    game = quiet({"ger-21": "0305", "ger-1": WEST}, ground())
    assert has_line(game, "ger-1"), "it stands on the source"
    assert not has_line(game, "ger-21")


def test_3_3_12_a_watched_railway_is_cut_unless_a_friend_stands_there() -> None:
    land, rail = [*row(1, 14), "0506"], [" ".join(row(1, 14))]
    units = {"ger-21": "1305", "su-179": "0506"}  # watches 0505 of the railway
    assert not has_line(quiet(units, ground(land=land, rail=rail)), "ger-21")
    assert has_line(quiet({**units, "ger-1": "0505"}, ground(land=land, rail=rail)), "ger-21")
    assert has_line(quiet({"ger-21": "1305"}, ground(land=land, rail=rail)), "ger-21")


def test_3_3_12_an_enemy_on_the_railway_cuts_it() -> None:
    rail = [" ".join(row(1, 14))]
    assert not has_line(quiet({"ger-21": "1305", "su-179": "0505"}, ground(rail=rail)), "ger-21")


def test_3_3_12_the_hex_where_the_line_leaves_the_railway_is_gone_through() -> None:
    board = ground(rail=[" ".join(row(1, 5))])
    enemy = {"su-179": "0506"}  # watches 0505, the end of the railway; from 0405 it is one hex farther
    assert has_line(quiet({"ger-21": "1105"}, board), "ger-21")
    assert not has_line(quiet({"ger-21": "1105", **enemy}, board), "ger-21")
    assert has_line(quiet({"ger-21": "1105", **enemy, "ger-1": "0505"}, board), "ger-21")
    assert has_line(quiet({"ger-21": "1005", **enemy}, board), "ger-21"), "six hexes from 0405"


@pytest.mark.clause("3.3.12")
def test_3_3_12_a_line_may_end_on_a_watched_railway() -> None:
    game = quiet({"su-179": "0506"}, ground(land=[*row(1, 9), "0506"], rail=[" ".join(row(1, 9))]))
    assert has_line(game, "0505", "axis")
    assert not has_line(game, "0605", "axis")


@pytest.mark.parametrize(("label", "found"), [("0505", True), ("0605", True), ("1105", True), ("1205", False)])
@pytest.mark.clause("3.3.14")
def test_3_3_13_a_line_goes_on_for_six_hexes(label: str, found: bool) -> None:
    game = quiet({"ger-21": label}, ground(land=row(1, 14), rail=[" ".join(row(1, 5))]))
    assert has_line(game, "ger-21") == found


def test_3_3_13_it_does_not_go_back_onto_a_railway() -> None:
    rail = [" ".join(row(1, 4)), " ".join(row(8, 14))]
    game = quiet({}, ground(land=row(1, 14), rail=rail))
    assert has_line(game, "1005", "axis")
    assert not has_line(game, "1105", "axis")


def test_3_3_14_the_six_hexes_are_traced_and_not_measured() -> None:
    rail = [" ".join(row(1, 5))]
    wall = {f"08{number:02}": "~" for number in range(1, 11)}
    away = quiet({"ger-21": "1105"}, ground(rail=rail, terrain={**wall, "0801": "."}))
    assert away.world.board.distance("0505", "1105") == 6
    assert not has_line(away, "ger-21")
    assert has_line(quiet({"ger-21": "1105"}, ground(rail=rail, terrain={**wall, "0805": "."})), "ger-21")


def test_3_3_14_the_hexes_off_the_railway_obey_the_same_rules() -> None:
    land, rail = [*row(1, 14), "0805", "0906"], [" ".join(row(1, 5))]
    enemy = {"su-179": "0906"}  # watches 0905
    assert has_line(quiet({"ger-21": "1005"}, ground(land=land, rail=rail)), "ger-21")
    assert not has_line(quiet({"ger-21": "1005", **enemy}, ground(land=land, rail=rail)), "ger-21")
    assert has_line(quiet({"ger-21": "1005", "ger-1": "0905", **enemy}, ground(land=land, rail=rail)), "ger-21")


@pytest.mark.clause("2.1.3")
def test_3_3_11_romanian_units_use_the_same_sources() -> None:
    assert has_line(quiet({"rum-6": "0605"}, ground(rail=[" ".join(row(1, 5))])), "rum-6")
