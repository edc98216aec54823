"""3 and 10: supply of headquarters and units on the Wkra, and the zones that stop it.

Modlin (1523) and 2224 are Polish bases; the road from Modlin runs 1422 1323 1222 1221 1121 1020 to Plonsk (0514).
"""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.pieces import Done
from hexwar_wop.supply import is_supplied
from tests.wop.table import asked, led_from, network, played, supplied, zone


@pytest.mark.clause("3.1")
@pytest.mark.parametrize(("label", "fed"), [("1523", True), ("1020", True), ("0920", True), ("0820", False)])
def test_3_2_a_headquarters_on_a_connected_road_or_next_to_it(label: str, fed: bool) -> None:
    assert supplied(asked({"17DP": label}), "17DP") is fed


def test_3_2_a_roads_and_railways_may_be_mixed() -> None:
    # 2224 is a base at the end of the railway; Ciechanow lies on it, and the road from there leads to Golymin (2106).
    assert supplied(asked({"17DP": "2106"}), "17DP")


@pytest.mark.clause("10.4.a")
def test_3_2_b_an_enemy_unit_or_zone_breaks_the_connection() -> None:
    # The road from Modlin north-west and the one along the western bank both lead to 1015; all others are longer still.
    cut = {"17DP": "0514", "97/33": "1222", "98/33": "1421", "99/33": "1621", "10/4": "1718"}
    assert not supplied(asked(cut), "17DP")
    connected = network(asked({"17DP": "0514", "97/33": "1020"}), "polish")
    assert "1121" not in connected  # in the zone of 97/33
    assert "1121" in network(asked({"97/33": "1020", "42/18": "1121"}), "polish")


@pytest.mark.clause("3.9", "10.2.1")
def test_3_2_c_a_lone_headquarters_breaks_nothing() -> None:
    connected = network(asked({"33DS": "1020"}), "polish")
    assert {"1020", "1121", "1019"} <= connected


@pytest.mark.parametrize(
    ("label", "fed"),
    [("0813", True), ("0711", False)],  # four and five hexes from 1015, off the roads
)
def test_3_3_a_a_unit_is_supplied_by_its_headquarters(label: str, fed: bool) -> None:
    game = asked({"BSyb": "1115", "1/Syb": label})
    assert game.world.units["BSyb"].command == 4
    assert (label in led_from(game, "BSyb")) is (game.world.board.distance("1115", label) <= 4)
    assert fed is supplied(game, "1/Syb") or label in network(game, "polish")


@pytest.mark.clause("3.3.a")
@pytest.mark.parametrize(("label", "hexes", "fed"), [("0820", 3, True), ("0720", 4, True), ("0620", 5, False)])
def test_3_7_a_line_is_no_longer_than_the_range(label: str, hexes: int, fed: bool) -> None:
    game = asked({"17DP": "1121", "67/17": label})
    assert game.world.units["17DP"].command == 4
    assert game.world.board.distance("1121", label) == hexes
    assert label not in network(game, "polish")
    assert supplied(game, "67/17") is fed


def test_3_7_a_unit_with_its_headquarters_has_a_line_of_no_hexes() -> None:
    game = asked({"17DP": "0820", "67/17": "0820"})
    assert "0820" in led_from(game, "17DP")


def test_3_3_b_on_a_connected_road_no_headquarters_is_needed() -> None:
    assert supplied(asked({"67/17": "1020"}), "67/17")
    assert not supplied(asked({"67/17": "0820"}), "67/17")


@pytest.mark.clause("3.4.b")
def test_3_4_a_independent_units_draw_from_any_formation_or_army() -> None:
    assert not supplied(asked({"HvyArt": "0820"}), "HvyArt")
    assert supplied(asked({"HvyArt": "0820", "9DP": "1020"}), "HvyArt")
    assert supplied(asked({"HvyArt": "0820", "5A": "1523"}), "HvyArt")
    assert not supplied(asked({"HvyArt": "0820", "GrK": "1020"}), "HvyArt")  # a group feeds nobody


CUT: dict[str, Any] = {"PPa": "1611", "GarCie": "1610", "KavXV": {"at": "1712", "steps": 1}}
"""A train between enemies without zones on a railway with no road; the road through 1612 beside it is free."""


def test_3_5_trains_are_fed_along_the_railway() -> None:
    assert is_supplied(asked({"PPa": "1611"}).position, "PPa") == (True, "3.5")
    assert not supplied(asked(CUT), "PPa")
    assert not supplied(asked({"PPa": "1611", "97/33": "1709", "98/33": "1811"}), "PPa"), "zones close the railway as well"
    assert supplied(asked({"Riv1": "1722|1723", "97/33": "1724"}), "Riv1")


@pytest.mark.clause("3.4.b", "1.9.b")
@pytest.mark.parametrize(("leader", "fed"), [("9DP", True), ("5A", True), ("GrK", False)])
def test_3_4_a_trains_and_boats_are_independent_units_as_well(leader: str, fed: bool) -> None:
    """3.5 says when they are supplied always; what feeds any independent unit feeds them, too."""
    near = asked({**CUT, leader: "1612"})
    assert supplied(near, leader)
    assert supplied(near, "PPa") is fed
    assert not supplied(asked({**CUT, leader: "1310"}), "PPa"), "the headquarters has no road"


@pytest.mark.clause("3.4.b", "3.5")
@pytest.mark.parametrize(("leader", "fed"), [("9DP", True), ("5A", True), ("GrK", False)])
def test_3_4_a_a_boat_between_enemies_draws_from_a_headquarters_near_its_bank(leader: str, fed: bool) -> None:
    closed = {"Riv1": "2220|2221", "97/33": "1722", "98/33": "1723"}
    assert not supplied(asked({**closed, leader: "0301"}), "Riv1")
    near = asked({**closed, leader: "2120"})
    assert supplied(near, leader)
    assert supplied(near, "Riv1") is fed


@pytest.mark.clause("3.4.a")
def test_3_3_b_a_train_on_a_connected_road_is_supplied() -> None:
    cut: dict[str, Any] = {"PPa": "1713", "GarCie": "1712", "KavXV": {"at": "1714", "steps": 1}}
    assert is_supplied(asked(cut).position, "PPa") == (True, "3.3.b")
    assert not supplied(asked({**cut, "97/33": "1612"}), "PPa")


@pytest.mark.clause("10.4.a", "10.11")
def test_3_2_b_a_headquarters_alone_in_an_enemy_zone_is_not_supplied_beside_a_free_road() -> None:
    beside = {"17DP": "0920", "97/33": "0819"}
    assert "1020" in network(asked(beside), "polish"), "the road is free"
    assert supplied(asked({**beside, "97/33": "0301"}), "17DP")
    assert not supplied(asked(beside), "17DP")
    assert supplied(asked({**beside, "42/18": "0920"}), "17DP"), "a unit with it cancels the zone"
    assert supplied(asked({"17DP": "0920", "IVA": "0819"}), "17DP"), "3.2.c: a lone headquarters has no zone"
    base = {"17DP": "2224", "97/33": "2223"}
    assert not supplied(asked(base), "17DP"), "nor on a base"


def test_3_6_air_units_need_no_supply() -> None:
    game = played({"12esk": "airfields"}, [0])
    assert game.state.no_supply == ()


def test_3_8_1_no_line_through_an_enemy_unit() -> None:
    # The garrison (2) has no zone: what stops the line is that it stands in the way.
    game = asked({"BSyb": "0118", "1/Syb": "0120", "GarCie": "0119"})
    assert zone(game, "soviet") == set()
    assert "0119" not in led_from(game, "BSyb")
    assert "0120" in led_from(game, "BSyb")  # round it


@pytest.mark.clause("10.11", "10.4.a")
def test_3_8_2_no_line_through_an_enemy_zone_without_a_unit_of_ones_own() -> None:
    lone = asked({"BSyb": "0716", "97/33": "0718"})
    assert "0717" not in led_from(lone, "BSyb")
    held = asked({"BSyb": "0716", "97/33": "0718", "1/Syb": "0717"})
    assert "0717" in led_from(held, "BSyb")


def test_3_8_3_no_line_over_a_large_river_but_by_a_bridge() -> None:
    game = asked({"17DP": "1623"})
    reach = led_from(game, "17DP")
    assert {"1622", "1523"} <= reach  # bridges of railway and road
    away = led_from(asked({"9DP": "2120"}), "9DP")
    assert game.world.board.distance("2120", "2122") == 2
    assert "2122" not in away
    assert "2018" in away


def test_3_10_a_fort_feeds_whoever_stands_in_it() -> None:
    ring = {"97/33": "1522", "98/33": "1422", "99/33": "1621"}
    assert supplied(asked({"FortArt": "1523", **ring}), "FortArt")


@pytest.mark.clause("2.3.a", "3.14", "2.3.c")
def test_3_11_a_a_headquarters_without_supply_starves_its_units() -> None:
    game = played({"17DP": "0820", "67/17": "0821", "5A": "1523"}, [0])
    assert game.state.no_supply == ("67/17",)
    assert "headquarters without supply: 17DP" in next(str(event) for event in game.events if event.clause == "2.3.b")


@pytest.mark.clause("2.3.b")
def test_3_11_b_a_marker_stays_until_a_supply_phase_takes_it_off() -> None:
    game = asked({"67/17": "1020"}, no_supply=["67/17"])
    assert supplied(game, "67/17")
    assert game.state.no_supply == ("67/17",)
    game.apply(Done())
    assert game.state.no_supply == ()


@pytest.mark.clause("10.2.a", "10.5")
def test_10_1_a_zone_is_the_six_hexes_around() -> None:
    game = asked({"97/33": "0718", "42/18": "0720"})
    assert zone(game, "soviet") == set(game.world.board.neighbours("0718"))
    assert "0719" in zone(game, "polish") & zone(game, "soviet")


@pytest.mark.clause("10.2.4")
@pytest.mark.parametrize(("units", "covered"), [({"97/33": 2}, True), ({"KavXV": 1}, False), ({"KavXV": 1, "GarCie": 1}, True)])
def test_10_2_3_a_a_stack_of_strength_2_has_no_zone(units: dict[str, int], covered: bool) -> None:
    game = asked({unit: {"at": "0718", "steps": steps} for unit, steps in units.items()})
    assert bool(zone(game, "soviet")) is covered


@pytest.mark.clause("10.3.b")
def test_10_3_a_no_zone_into_a_city_but_out_of_it() -> None:
    game = asked({"97/33": "1304"})
    assert "1303" not in zone(game, "soviet")
    inside = asked({"97/33": "1303"})
    assert zone(inside, "soviet") == set(inside.world.board.neighbours("1303"))


def test_10_3_a_no_zone_over_a_large_river_but_by_a_bridge() -> None:
    covered = zone(asked({"97/33": "1622"}), "soviet")
    assert "1623" in covered
    assert "1723" not in covered


def test_a_query_tells_supply_with_its_clause() -> None:
    game = asked({"67/17": "1020", "17DP": "0820"})
    assert (game.query.supply("67/17").supplied, game.query.supply("67/17").clause) == (True, "3.3.b")
    assert (game.query.supply("17DP").supplied, game.query.supply("17DP").clause) == (False, "3.2.a")
    for wrong in ("1020", "12esk", "68/17"):
        with pytest.raises(hexwar.HexwarError):
            game.query.supply(wrong)
    assert "1019" in game.query.zones("polish")
    assert game.query.zones("soviet") == ()
    assert game.query.command("17DP") == ("67/17",)
