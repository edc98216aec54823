"""10.5 Pursuit: who follows, how far, and where to."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Pursue
from hexwar.pieces import Done
from tests.tow.table import (
    AT,
    EAST,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    after,
    field,
    neighbours,
    offered,
    pursuits,
    refused,
    where,
)


@pytest.mark.parametrize("result", ["R", "2RR"])
def test_10_5_1_attackers_follow_into_a_hex_that_is_empty(result: str) -> None:
    """By retreat or by elimination; all, some or none of them."""
    units = {"ger-112": AT, "sov-51": EAST, "sov-50": NORTH_EAST}
    game = after(result, units, "sov-51", "sov-50")
    assert game.to_move == ("soviet",)
    assert offered(game, Pursue) == [Pursue("sov-51", (EAST, AT)), Pursue("sov-50", (NORTH_EAST, AT))]
    game.apply(Pursue("sov-50", (NORTH_EAST, AT)))
    game.apply(Done())
    assert where(game, "sov-51", "sov-50") == (EAST, AT)


@pytest.mark.parametrize("result", ["-", "A1"])
def test_10_5_1_not_while_the_defender_stands(result: str) -> None:
    game = after(result, {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert offered(game, Pursue) == []


def test_10_5_1_only_those_who_attacked() -> None:
    game = after("R", {"ger-112": AT, "sov-51": EAST, "sov-50": EAST}, "sov-51")
    assert offered(game, Pursue) == [Pursue("sov-51", (EAST, AT))]


@pytest.mark.parametrize(
    ("unit", "far"),
    [("sov-51", False), ("sov-4gc", False), ("sov-2tk", True), ("sov-3m", True)],
    ids=["rifle", "cavalry", "tank", "mech"],
)
@pytest.mark.clause("2.2.2", "2.2.3")
def test_10_5_2_mechanised_units_pursue_two_hexes_others_one(unit: str, far: bool) -> None:
    game = after("R", {"ger-112": AT, unit: EAST}, unit)  # however far the defender has gone
    ends = {way.split()[-1] for way in pursuits(game, unit)}
    assert ends == ({AT, EAST, NORTH_WEST, SOUTH_WEST, NORTH_EAST, SOUTH_EAST} if far else {AT})


def test_10_5_2_no_farther_than_two() -> None:
    game = after("RR", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk")
    refused(game, Pursue("sov-2tk", (EAST, AT, WEST, "0806")), "10.5.2")
    infantry = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51")
    refused(infantry, Pursue("sov-51", (EAST, AT, WEST)), "10.5.2")


def test_10_5_3_a_headquarters_goes_along_with_attackers_of_its_stack() -> None:
    units = {"ger-112": AT, "sov-2tk": EAST, "sov-voronezh": EAST}
    game = after("RR", units, "sov-2tk")
    refused(game, Pursue("sov-voronezh", (EAST, AT)), "10.5.3", "have gone")
    game.apply(Pursue("sov-2tk", (EAST, AT, WEST)))
    assert pursuits(game, "sov-voronezh") == [f"{AT} {WEST}"]
    game.apply(Pursue("sov-voronezh", (EAST, AT, WEST)))
    assert where(game, "sov-2tk", "sov-voronezh") == (WEST, WEST)


def test_10_5_3_it_does_not_go_alone_if_it_did_not_attack() -> None:
    game = after("R", {"ger-112": AT, "sov-51": EAST, "sov-steppe": NORTH_EAST}, "sov-51")
    game.apply(Pursue("sov-51", (EAST, AT)))
    assert where(game, "sov-steppe") == (NORTH_EAST,)
    assert offered(game, Pursue) == []


def test_10_5_3_a_headquarters_that_attacked_alone_pursues_one_hex() -> None:
    game = after("R", {"ger-213sec": AT, "sov-voronezh": EAST}, "sov-voronezh")
    assert pursuits(game, "sov-voronezh") == [AT]


def test_10_5_4_pursuit_ignores_enemy_zones_and_movement_points() -> None:
    """An isolated tank corps goes two hexes, both in enemy zones, and the second touches the enemy."""
    units = {"ger-112": AT, "sov-2tk": EAST, "ger-68": "0806", "ger-75": "0606"}
    game = after("RR", units, "sov-2tk", supply={"sov-2tk": "isolated"})
    game.apply(Pursue("sov-2tk", (EAST, AT, WEST)))
    assert where(game, "sov-2tk") == (WEST,)


def test_10_5_4_marshes_do_not_stop_a_pursuit() -> None:
    game = after("RR", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=field({AT: "s", WEST: "s"}))
    assert f"{AT} {WEST}" in pursuits(game, "sov-2tk")


def test_10_5_5_the_first_hex_is_the_attacked_one() -> None:
    game = after("R", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk")
    refused(game, Pursue("sov-2tk", (EAST, NORTH_EAST)), "10.5.5")
    refused(game, Pursue("sov-2tk", (EAST, NORTH_EAST, NORTH_WEST)), "10.5.5")


def test_10_5_6_different_units_may_take_different_second_hexes() -> None:
    game = after("RR", {"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}, "sov-2tk", "sov-10tk")
    game.apply(Pursue("sov-2tk", (EAST, AT, SOUTH_WEST)))
    game.apply(Pursue("sov-10tk", (EAST, AT, NORTH_WEST)))
    assert where(game, "sov-2tk", "sov-10tk") == (SOUTH_WEST, NORTH_WEST)


@pytest.mark.clause("10.5.3", "10.5.11")
def test_10_5_6_the_second_hex_may_be_the_one_from_which_a_unit_came() -> None:
    """It takes the city and is back in its full stack; its headquarters may go along."""
    units = {"ger-112": AT, "sov-2tk": EAST, "sov-51": EAST, "sov-voronezh": EAST}
    game = after("2RR", units, "sov-2tk", board=field(cities={"City": AT}), orders=[])
    game.apply(Pursue("sov-2tk", (EAST, AT, EAST)))
    assert game.query.control(AT) == "soviet"
    assert pursuits(game, "sov-voronezh") == [f"{AT} {EAST}"]
    assert where(game, "sov-2tk") == (EAST,)
    refused(after("2RR", units, "sov-51"), Pursue("sov-51", (EAST, AT, EAST)), "10.5.2")


def test_10_5_7_not_onto_enemies_off_the_map_or_across_a_blocked_hexside() -> None:
    board = field(sides={"blocked": [f"{AT}|{NORTH_WEST}"]})
    game = after("R", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=board)
    refused(game, Pursue("sov-2tk", (EAST, AT, WEST)), "10.5.7", "the enemy stands")
    refused(game, Pursue("sov-2tk", (EAST, AT, NORTH_WEST)), "10.5.7")
    assert NORTH_WEST not in {way.split()[-1] for way in pursuits(game, "sov-2tk")}
    corner = after("2RR", {"ger-112": "0101", "sov-2tk": "0102"}, "sov-2tk", target="0101")
    assert {way.split()[-1] for way in pursuits(corner, "sov-2tk")} == {"0101", "0102", "0201", "0202"}
    assert "0001" in neighbours("0101")


MAJOR = {"major-river": [f"{AT}|{EAST}"]}


def test_10_5_8_whoever_crosses_an_unbridged_major_river_stops() -> None:
    game = after("RR", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=field(sides=MAJOR))
    assert pursuits(game, "sov-2tk") == [AT]
    refused(game, Pursue("sov-2tk", (EAST, AT, WEST)), "10.5.8")


@pytest.mark.parametrize("board", [field(sides=MAJOR, road=[f"{AT} {EAST}"]), field(sides={"minor-river": MAJOR["major-river"]})])
def test_10_5_8_bridges_and_minor_rivers_stop_nobody(board: str) -> None:
    game = after("RR", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=board)
    assert f"{AT} {WEST}" in pursuits(game, "sov-2tk")


def test_10_5_9_the_second_hex_is_not_across_an_unbridged_major_river() -> None:
    sides = {"major-river": [f"{AT}|{WEST}"]}
    game = after("RR", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=field(sides=sides))
    refused(game, Pursue("sov-2tk", (EAST, AT, WEST)), "10.5.9")
    assert f"{AT} {NORTH_WEST}" in pursuits(game, "sov-2tk")
    bridged = after("RR", {"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=field(sides=sides, rail=[f"{AT} {WEST}"]))
    assert f"{AT} {WEST}" in pursuits(bridged, "sov-2tk")


@pytest.mark.clause("5.0.3")
def test_10_5_10_no_pursuit_ends_over_the_limit() -> None:
    attackers = {"sov-51": EAST, "sov-50": EAST, "sov-52": NORTH_EAST}
    game = after("RR", {"ger-112": AT, **attackers}, *attackers)
    game.apply(Pursue("sov-51", (EAST, AT)))
    game.apply(Pursue("sov-50", (EAST, AT)))
    assert offered(game, Pursue) == []
    assert where(game, *attackers) == (AT, AT, NORTH_EAST)


def test_10_5_10_a_full_hex_may_be_passed() -> None:
    attackers = {"sov-51": EAST, "sov-50": EAST, "sov-2tk": NORTH_EAST}
    game = after("RR", {"ger-112": AT, **attackers}, *attackers)
    game.apply(Pursue("sov-51", (EAST, AT)))
    game.apply(Pursue("sov-50", (EAST, AT)))
    assert AT not in pursuits(game, "sov-2tk")
    refused(game, Pursue("sov-2tk", (NORTH_EAST, AT)), "10.5.10")
    assert f"{AT} {NORTH_WEST}" in pursuits(game, "sov-2tk")


@pytest.mark.clause("8.1.7", "12.3.3")
def test_10_5_11_cities_and_crossing_points_are_taken_by_pursuit() -> None:
    board = field(cities={"City": AT}, areas={"crossing points": [WEST]})
    units = {"ger-112": AT, "sov-2tk": EAST, "ger-68": "0712"}
    game = after("2RR", units, "sov-2tk", board=board, orders=[], crossings=[])
    assert game.query.control(AT) == "axis"
    game.apply(Pursue("sov-2tk", (EAST, AT, NORTH_WEST)))
    assert game.query.control(AT) == "soviet"
    assert game.state.crossings == (WEST,)
