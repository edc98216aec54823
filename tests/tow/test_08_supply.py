"""8.0 Supply: lines, the four examples of them, the check, markers, and what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Move
from hexwar.pieces import Done
from hexwar_tow.supply import SupplyCheck
from tests.tow.table import (
    ISOLATED,
    OUT,
    SELECTION,
    cost,
    field,
    marching,
    odds,
    of_kind,
    offered,
    position,
    river,
    sides_of,
    told,
    walls,
    where,
)


def supplied(game: Game, label: str, side: str = "axis") -> bool:
    return bool(game.query.supply(label, side).supplied)


def checked(units: Mapping[str, str], **more: Any) -> Game:
    """The position after a supply check, as far as nobody has to choose."""
    return position(units, SupplyCheck(), path=SELECTION, **more)


def ring(label: str) -> str:
    """A field on which a hex is cut off by an unbridged major river."""
    return field(sides={"major-river": sides_of(label)})


# -- 8.1 lines ---------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3.8")
def test_8_1_1_every_unit_of_both_sides_is_checked() -> None:
    units = {"ger-112": "0707", "ger-68": "0703", "sov-51": "1110", "sov-50": "0715"}
    game = checked(units, board=field(sides={"major-river": [*sides_of("0707"), *sides_of("1110")]}))
    assert game.state.supply == {"ger-112": OUT, "sov-51": OUT}


@pytest.mark.clause("2.3.4", "8.1.12")
def test_8_1_1_all_are_judged_on_the_same_board_then_soviet_headquarters_go_first() -> None:
    """The headquarters in 0707 keeps a line to 0708 open only as long as it stands there."""
    sides = [*sides_of("0707", "0708"), *sides_of("0708", "0707"), *sides_of("1110")]
    units = {"ger-4pza": "0707", "ger-112": "0708", "sov-voronezh": "1110"}
    game = checked(units, board=field(sides={"major-river": sides}))
    assert game.state.supply == {"ger-112": OUT}
    assert game.to_move == ("soviet",)
    game.apply(Arrive("sov-voronezh", "0719"))
    assert game.to_move == ("axis",)
    game.apply(Arrive("ger-4pza", "0701"))
    assert where(game, "sov-voronezh", "ger-4pza") == ("0719", "0701")


def test_8_1_2_a_line_has_any_length() -> None:
    game = position({"ger-112": "1420"})
    report = game.query.supply("ger-112")
    assert report.supplied
    assert len(report.line) > 19


@pytest.mark.clause("2.1.5")
def test_8_1_2_each_side_has_its_own_sources() -> None:
    board = field(sides={"blocked": river(10)})
    game = position({"ger-112": "0703", "rom-24": "0704", "sov-51": "0715", "ger-68": "0712", "sov-50": "0708"}, board=board)
    found = {unit: game.query.supply(unit).supplied for unit in ("ger-112", "rom-24", "sov-51", "ger-68", "sov-50")}
    assert found == {"ger-112": True, "rom-24": True, "sov-51": True, "ger-68": False, "sov-50": False}


def corridor(*hexes: str, **more: Any) -> str:
    """A field on which lines can run along some hexes and nowhere else."""
    return field(sides={"blocked": walls(*hexes)}, **more)


WAY = ("0701", "0702", "0703", "0704", "0705", "0706")


def test_8_1_3_a_line_enters_no_enemy_hex() -> None:
    assert supplied(position({"ger-112": "0706"}, board=corridor(*WAY)), "0706")
    assert not supplied(position({"ger-112": "0706", "sov-51": "0703"}, board=corridor(*WAY)), "0706")


def open_at(label: str, onto: str) -> str:
    """The corridor with a hexside through which an enemy zone reaches a hex."""
    return field(sides={"blocked": walls(*WAY, doors=[(label, onto)])})


@pytest.mark.parametrize("friend", [{}, {"ger-68": "0703"}, {"ger-4pza": "0703"}], ids=["nobody", "unit", "headquarters"])
def test_8_1_4_an_enemy_zone_closes_a_hex_unless_a_friend_stands_there(friend: dict[str, str]) -> None:
    units = {"ger-112": "0706", "sov-51": "0804", **friend}
    game = position(units, board=open_at("0703", "0804"))
    assert "0703" in game.query.zones("soviet")
    assert supplied(game, "0706") is bool(friend)


def test_8_1_4_a_source_in_an_enemy_zone_is_closed_unless_a_friend_stands_there() -> None:
    board = open_at("0701", "0802")
    assert not supplied(position({"ger-112": "0706", "sov-51": "0802"}, board=board), "0706")
    assert supplied(position({"ger-112": "0706", "sov-51": "0802", "ger-68": "0701"}, board=board), "0706")


@pytest.mark.clause("2.1.6")
@pytest.mark.parametrize(
    ("sides", "links", "passes"),
    [
        ({"major-river": river(4)}, {}, False),
        ({"major-river": river(4)}, {"road": ["0704 0705"]}, True),
        ({"major-river": river(4)}, {"rail": ["0704 0705"]}, True),
        ({"minor-river": river(4)}, {}, True),
        ({"blocked": river(4)}, {}, False),
        ({"blocked": river(4)}, {"road": ["0704 0705"]}, False),
    ],
)
def test_8_1_5_unbridged_major_rivers_and_blocked_hexsides_stop_lines(
    sides: dict[str, list[str]], links: dict[str, list[str]], passes: bool
) -> None:
    assert supplied(position({"ger-112": "0706"}, board=field(sides=sides, **links)), "0706") is passes  # type: ignore[arg-type]


def test_8_1_6_an_enemy_major_city_stops_lines_a_town_does_not() -> None:
    board = corridor(*WAY, cities={"City": "0703"}, towns={"Town": "0704"})
    assert supplied(position({"ger-112": "0706"}, board=board, orders=[]), "0706")
    assert not supplied(position({"ger-112": "0706"}, board=board, orders=[], control={"0703": "soviet"}), "0706")


def test_8_1_6_an_axis_city_stops_soviet_lines() -> None:
    board = corridor("0720", "0719", "0718", "0717", cities={"City": "0718"})
    assert not supplied(position({"sov-51": "0717"}, board=board, orders=[]), "0717", "soviet")
    assert supplied(position({"sov-51": "0717"}, board=board, orders=[], control={"0718": "soviet"}), "0717", "soviet")


# -- 8.1.7 control -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("3.0.9")
def test_8_1_7_cities_are_axis_at_first_and_change_hands_when_a_unit_passes_through() -> None:
    board = field(cities={"City": "0709"})
    game = position({"sov-2tk": "0710"}, marching("sov-2tk", seat="soviet"), board=board, orders=[])
    assert game.query.control("0709") == "axis"
    shut = corridor("0710", "0709", "0708", cities={"City": "0709"})
    game = position({"sov-2tk": "0710"}, marching("sov-2tk", seat="soviet"), board=shut, orders=[], path=SELECTION)
    events = game.apply(Move("sov-2tk", "0708"))
    assert told(events, "control-taken") == ["soviet takes City (0709) (8.1.7)"]
    assert game.query.control("0709") == "soviet"


def test_8_1_7_and_back() -> None:
    game = position(
        {"ger-112": "0708"},
        marching("ger-112"),
        board=field(cities={"City": "0709"}),
        orders=[],
        control={"0709": "soviet"},
        path=SELECTION,
    )
    game.apply(Move("ger-112", "0709"))
    assert game.query.control("0709") == "axis"


def test_8_1_7_a_city_that_is_left_stays_with_whoever_was_there_last() -> None:
    board = field(cities={"City": "0709"})
    units = {"ger-112": "0709", "sov-51": "0714"}
    game = position(units, marching("ger-112"), board=board, orders=[], path=SELECTION)
    game.apply(Move("ger-112", "0708"))
    assert game.query.control("0709") == "axis"


# -- 8.1.8 to 8.1.12 the check -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [OUT, ISOLATED])
def test_8_1_8_with_a_line_every_marker_is_lost_at_once(before: str) -> None:
    game = checked({"ger-112": "0707"}, supply={"ger-112": before})
    assert game.state.supply == {}


def test_8_1_9_without_a_line_an_unmarked_unit_is_out_of_supply() -> None:
    game = checked({"ger-112": "0707"}, board=ring("0707"))
    assert game.state.supply == {"ger-112": OUT}


@pytest.mark.parametrize("before", [OUT, ISOLATED])
@pytest.mark.clause("2.5.2")
def test_8_1_10_then_isolated_and_no_worse(before: str) -> None:
    game = checked({"ger-112": "0707"}, board=ring("0707"), supply={"ger-112": before})
    assert game.state.supply == {"ger-112": ISOLATED}
    assert game.state.steps_left["ger-112"] == 2


def test_8_1_11_the_status_stays_until_the_next_check() -> None:
    """It has a line again and moves about; the marker stays."""
    game = position({"ger-112": "0707"}, marching("ger-112"), supply={"ger-112": OUT}, path=SELECTION)
    game.apply(Move("ger-112", "0705"))
    assert game.state.supply == {"ger-112": OUT}
    cut = position({"ger-112": "0707"}, marching("ger-112"), board=ring("0707"), path=SELECTION)
    cut.apply(Done())
    assert cut.state.supply == {}


@pytest.mark.clause("2.3.4", "2.3.10")
def test_8_1_12_a_headquarters_without_a_line_is_relocated_instead() -> None:
    game = checked({"ger-4pza": "0707"}, board=ring("0707"))
    assert game.state.supply == {}
    assert game.to_move == ("axis",)
    targets = {action.to for action in offered(game, Arrive)}
    assert "0702" in targets
    assert "0703" not in targets  # four hexes away
    game.apply(Arrive("ger-4pza", "0702"))
    assert game.state.relocations == {"axis": 1}


def test_8_1_12_a_headquarters_with_a_line_stays() -> None:
    game = checked({"ger-4pza": "0707"})
    assert where(game, "ger-4pza") == ("0707",)
    assert game.state.phase == "selection"


# -- 8.2 effects -------------------------------------------------------------------------------------------------------------

BOTH = {"ger-112": "0707", "sov-51": "0708"}


def strengths(status: dict[str, str], reduced: tuple[str, ...] = ()) -> tuple[int, int]:
    """The attack and the defence of ger-112 as it fights sov-51."""
    game = position(BOTH, supply=status, reduced=reduced)
    return odds(game, "0708", "ger-112").attack, odds(game, "0707", "sov-51").defence


def points(unit: str, status: str = "") -> int:
    """How many clear hexes a unit can go."""
    return int(max(position({unit: "0710"}, supply={unit: status} if status else {}).query.reach(unit).costs.values()))


@pytest.mark.clause("3.0.5")
def test_8_2_1_in_supply_nothing_changes() -> None:
    assert strengths({}) == (3, 3)
    assert points("ger-112") == 5


def test_8_2_2_out_of_supply_weakens_the_attack_only() -> None:
    assert strengths({"ger-112": OUT}) == (1, 3)
    assert points("ger-112", OUT) == 5


def test_8_2_2_not_below_nothing() -> None:
    assert strengths({"ger-112": OUT}, ("ger-112",)) == (0, 1)


@pytest.mark.clause("1.3.1")
def test_8_2_3_isolation_weakens_both_and_halves_the_movement_points() -> None:
    assert strengths({"ger-112": ISOLATED}) == (1, 1)
    assert points("ger-112", ISOLATED) == 2  # half of 5
    assert points("ger-11pz", ISOLATED) == 3  # half of 7


def test_8_2_3_not_below_nothing() -> None:
    assert strengths({"ger-112": ISOLATED}, ("ger-112",)) == (0, 0)


def test_8_2_3_an_isolated_unit_has_not_enough_points_to_leave_a_zone() -> None:
    game = position({"ger-112": "0707", "sov-51": "0708"}, marching("ger-112"), supply={"ger-112": ISOLATED})
    assert cost(game, "ger-112", "0706") is None


def test_8_1_1_the_events_of_a_check_name_their_clauses() -> None:
    units = {"ger-112": "0707", "ger-68": "0703", "sov-51": "1110"}
    board = field(sides={"major-river": [*sides_of("0707"), *sides_of("1110")]})
    game = position(units, marching("ger-68"), SupplyCheck(), board=board, supply={"ger-68": OUT, "sov-51": OUT}, path=SELECTION)
    assert told(of_kind(game.log(), "supply-changed"), "supply-changed") == [
        "sov-51 is isolated (8.1.10)",
        "ger-112 is out of supply (8.1.9)",
        "ger-68 is in supply (8.1.8)",
    ]


# -- the examples of lines ---------------------------------------------------------------------------------------------------


def test_8_1_4_example_a_a_zone_and_blocked_hexsides_close_the_line() -> None:
    """The 17th Panzer Division: the zone of the 9th Mechanised Corps on one side, blocked hexsides on the others."""
    way = ("0804", "0805")
    board = field(sides={"blocked": walls(*way, doors=[("0805", "0806"), ("0805", "0904"), ("0805", "0704")])})
    game = position({"ger-17pz": "0804", "sov-9m": "0806"}, board=board)
    assert not game.query.supply("ger-17pz").supplied
    assert position({"ger-17pz": "0804"}, board=board).query.supply("ger-17pz").supplied


def test_8_1_4_example_b_the_line_runs_through_two_friends() -> None:
    """The 15th Division through the 46th and the 223rd, both in enemy zones."""
    chain = ("0701", "0702", "0703", "0704", "0705")
    board = field(sides={"blocked": walls(*chain, doors=[("0703", "0804"), ("0704", "0805")])})
    friends = {"ger-15": "0705", "ger-46": "0704", "ger-223": "0703"}
    enemies = {"sov-51": "0804", "sov-50": "0805"}
    game = position({**friends, **enemies}, board=board)
    assert game.query.supply("ger-15").line == ("0701", "0702", "0703", "0704", "0705")
    for absent in ("ger-46", "ger-223"):
        units = {unit: label for unit, label in {**friends, **enemies}.items() if unit != absent}
        assert not position(units, board=board).query.supply("ger-15").supplied


def test_8_1_4_example_c_empty_zones_close_a_hex() -> None:
    """The 73rd Corps: the only hex of its line lies in zones and nobody stands there."""
    chain = ("0720", "0719", "0718", "0717")
    board = field(sides={"blocked": walls(*chain, doors=[("0718", "0819")])})
    units = {"sov-73": "0717", "ger-112": "0819"}
    assert not position(units, board=board).query.supply("sov-73").supplied
    assert position({**units, "sov-66": "0718"}, board=board).query.supply("sov-73").supplied


@pytest.mark.clause("2.1.6")
def test_8_1_5_example_d_through_two_friends_and_over_a_bridge() -> None:
    """The 66th Corps through the 23rd Tank and the 9th Mechanised Corps, then over a river that has a bridge there."""
    chain = ("0720", "0719", "0718", "0717", "0716")
    doors = [("0717", "0817"), ("0718", "0818")]
    units = {"sov-66": "0716", "sov-23tk": "0717", "sov-9m": "0718", "ger-112": "0817", "ger-68": "0818"}
    shut = walls(*chain, doors=doors)
    bridged = field(sides={"blocked": shut, "major-river": ["0718|0719"]}, road=["0718 0719"])
    assert position(units, board=bridged).query.supply("sov-66").line == chain
    without = field(sides={"blocked": shut, "major-river": ["0718|0719"]})
    assert not position(units, board=without).query.supply("sov-66").supplied
