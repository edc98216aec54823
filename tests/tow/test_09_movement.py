"""9.0: regular and strategic movement, zones of control, rivers and marshes."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Done, Move
from hexwar_tow.relocation import Relocate
from tests.tow.helpers import after, cost, field, marching, of_kind, offers, position, refused, told

INF, PZ, RC = "ger-57", "ger-7pz", "sov-51"
RIVER = {"major-river": after(8)}


def game_with(units: dict[str, str], board: str | None = None, *movers: str, **more: Any) -> Game:
    return position(units, marching(*(movers or tuple(units)[:1])), board=board, **more)


def test_9_0_1_active_units_may_move_and_others_may_not() -> None:
    game = game_with({INF: "0708", PZ: "0508"}, None, INF)
    refused(game, Move(PZ, "0509"), "4.3.3", "not active")
    game.apply(Move(INF, "0709"))
    assert game.state.at[INF] == "0709"


def test_9_0_2_each_unit_moves_once_and_finishes_before_the_next() -> None:
    game = game_with({INF: "0708", PZ: "0508"}, None, INF, PZ)
    game.apply(Move(INF, "0709"))
    refused(game, Move(INF, "0710"), "4.3.3", "moved already")
    assert offers(game)[-1].unit == PZ


@pytest.mark.clause("5.0.3")
def test_9_0_3_no_move_ends_over_the_limit_but_it_may_pass_a_full_hex() -> None:
    game = game_with({INF: "0708", "ger-68": "0709", "ger-75": "0709"})
    refused(game, Move(INF, "0709"), "5.0.2", "at most 2")
    assert cost(game, INF, "0710") == 2


def test_9_0_4_a_move_is_regular_or_strategic() -> None:
    game = game_with({INF: "0708"}, field(road=["0708 0709 0710"]))
    assert {action.mode for action in game.legal_actions() if isinstance(action, Move)} == {"", "strategic"}


@pytest.mark.clause("PA.TEC.7", "PA.TEC.8")
def test_9_0_5_nobody_leaves_the_map_crosses_a_blocked_hexside_or_enters_an_enemy_hex() -> None:
    board = field({"0808": "~"}, sides={"blocked": after(8)})
    game = game_with({INF: "0708", RC: "0710"}, board)
    refused(game, Move(INF, "0709"), "9.0.5", "blocked")
    refused(game, Move(INF, "0710"), "9.0.5", "occupied")
    refused(game, Move(INF, "0808"), "PA.TEC.7", "water")
    refused(game, Move(INF, "9999"), "9.1.2", "no hex")


@pytest.mark.clause("9.3.1")
def test_9_0_6_the_example_from_zone_to_zone_costs_the_whole_allowance() -> None:
    # 0709 and 0710 are next to the Soviet corps in 0810; from zone to zone: 1 + 2 + 2 = 5.
    game = game_with({INF: "0709", RC: "0810"})
    assert cost(game, INF, "0710") == 5


def test_9_0_7_the_example_of_strategic_movement_that_an_enemy_forbids() -> None:
    road = ["0701 0702 0703 0704 0705 0706 0707 0708"]
    free = game_with({INF: "0701"}, field(road=road))
    assert cost(free, INF, "0708", "strategic") == 3.5
    blocked = game_with({INF: "0701", RC: "0707"}, field(road=road))
    refused(blocked, Move(INF, "0706", "strategic"), "9.2.3", "zone of control")
    refused(blocked, Move(INF, "0707", "strategic"), "9.0.5", "occupied")
    assert cost(blocked, INF, "0705") == 4
    refused(blocked, Move(INF, "0706"), "9.3.1", "too costly")


def test_9_1_1_a_unit_may_stay_or_spend_some_points() -> None:
    game = game_with({INF: "0708"})
    assert cost(game, INF, "0709") == 1
    game.apply(Done())
    assert game.state.at[INF] == "0708"


@pytest.mark.clause("PA.TEC.1", "PA.TEC.2", "PA.TEC.5", "PA.TEC.6", "PA.TEC.13", "2.2.5")
def test_9_1_2_terrain_and_hexside_are_added() -> None:
    board = field({"0709": "^", "0710": "^"}, towns={"Izium": "0710"}, sides={"minor-river": ["0710|0711"]})
    game = game_with({INF: "0708"}, board)
    assert [cost(game, INF, label) for label in ("0709", "0710")] == [1, 2]
    assert cost(game, INF, "0711") == 4
    assert cost(game, INF, "0703") == 5
    assert cost(game, INF, "0702") is None


def test_9_1_3_there_is_no_minimum_move() -> None:
    game = game_with({INF: "0708", RC: "0713"})
    # Four points to 0712's neighbour: the zone would make six.
    refused(game, Move(INF, "0712"), "9.3.1", "too costly")
    assert cost(game, INF, "0711") == 3


@pytest.mark.clause("PA.TEC.12")
def test_9_1_4_an_unbridged_minor_river_costs_a_point() -> None:
    game = game_with({INF: "0708"}, field(sides={"minor-river": ["0708|0709"]}))
    assert cost(game, INF, "0709") == 2


def test_9_1_5_an_unbridged_major_river_is_crossed_first_or_not_at_all() -> None:
    far = game_with({INF: "0707"}, field(sides=RIVER))
    assert cost(far, INF, "0709") is None
    refused(far, Move(INF, "0709"), "9.1.3")
    near = game_with({INF: "0708"}, field(sides=RIVER))
    assert cost(near, INF, "0709") == 5


@pytest.mark.clause("PA.TEC.11")
def test_9_1_6_the_crossing_takes_all_points_and_zones_do_not_make_it_too_dear() -> None:
    game = game_with({INF: "0708", RC: "0711"}, field(sides=RIVER))
    assert cost(game, INF, "0709") == 5
    assert cost(game, INF, "0710") is None
    slow = game_with({INF: "0708", RC: "0710"}, field(sides=RIVER), supply={INF: "isolated"})
    assert cost(slow, INF, "0709") == 2


@pytest.mark.clause("2.1.6", "PA.TEC.9", "PA.TEC.10")
@pytest.mark.parametrize("link", ["road", "rail"])
@pytest.mark.parametrize("river", ["minor-river", "major-river"])
def test_9_1_7_a_step_along_a_road_or_railway_costs_one_point_bridges_included(link: str, river: str) -> None:
    links = {link: ["0708 0709 0710"]}
    game = game_with({INF: "0708"}, field({"0710": "s"}, sides={river: ["0708|0709"]}, **links))  # type: ignore[arg-type]
    assert [cost(game, INF, label) for label in ("0709", "0710")] == [1, 2]


def test_9_2_1_strategic_movement_costs_half_a_point() -> None:
    road = ["0701 0702 0703 0704 0705 0706 0707 0708 0709 0710 0711 0712"]
    game = game_with({INF: "0701"}, field(road=road))
    assert cost(game, INF, "0711", "strategic") == 5
    assert cost(game, INF, "0712", "strategic") is None
    refused(game, Move(INF, "0712", "strategic"), "9.2.1", "out of reach")
    isolated = game_with({INF: "0701"}, field(road=road), supply={INF: "isolated"})
    assert cost(isolated, INF, "0705", "strategic") == 2
    assert cost(isolated, INF, "0706", "strategic") is None


def test_9_2_2_it_begins_on_a_road_and_stays_on_roads() -> None:
    board = field(road=["0708 0709 0710", "0709 0809"], rail=["0708 0707"])
    game = game_with({INF: "0708"}, board)
    assert cost(game, INF, "0809", "strategic") == 1  # a road turns off
    refused(game, Move(INF, "0707", "strategic"), "9.2.2", "has none")
    off = game_with({INF: "0707"}, board)
    refused(off, Move(INF, "0708", "strategic"), "9.2.2", "begins on a road")


def test_9_2_3_it_neither_begins_in_a_zone_nor_enters_one() -> None:
    board = field(road=["0708 0709 0710 0711"])
    game = game_with({INF: "0708", RC: "0712"}, board)
    refused(game, Move(INF, "0711", "strategic"), "9.2.3", "enters an enemy zone")
    watched = game_with({INF: "0708", RC: "0807"}, board)
    assert cost(watched, INF, "0710", "strategic") == 1  # 0807 is not next to 0708
    begun = game_with({INF: "0708", RC: "0808"}, board)
    refused(begun, Move(INF, "0710", "strategic"), "9.2.3", "begins")


def test_9_3_1_entering_and_leaving_zones_costs_two_points_each() -> None:
    game = game_with({PZ: "0708", RC: "0810", INF: "0710"})
    assert cost(game, PZ, "0709") == 3  # into a zone
    assert cost(game, PZ, "0708") is None  # where it stands
    out = game_with({PZ: "0709", RC: "0810"})
    assert cost(out, PZ, "0708") == 3  # out of one
    beside = game_with({PZ: "0708", RC: "0810", INF: "0709"})
    assert cost(beside, PZ, "0709") == 3  # a friend there changes nothing


def test_9_3_2_no_major_river_from_zone_to_zone_not_even_by_a_bridge() -> None:
    bridge = field(sides=RIVER, road=["0708 0709"])
    game = game_with({PZ: "0708", RC: "0809"}, bridge)  # next to both banks
    refused(game, Move(PZ, "0709"), "9.3.2", "bridge or no bridge")
    friend = game_with({PZ: "0708", RC: "0809", INF: "0709"}, bridge)
    refused(friend, Move(PZ, "0709"), "9.3.2")
    one_bank = game_with({PZ: "0708", RC: "0710"}, bridge)  # only the far bank
    assert cost(one_bank, PZ, "0709") == 3
    unbridged = game_with({PZ: "0708", RC: "0809"}, field(sides=RIVER))
    refused(unbridged, Move(PZ, "0709"), "9.3.2", "begins and ends")
    # The near hex is the one that the unit leaves with that step, not the one where it began.
    begun = game_with({PZ: "0707", RC: "0809"}, bridge)
    assert cost(begun, PZ, "0708") == 3
    refused(begun, Move(PZ, "0709"), "9.3.1")


@pytest.mark.clause("PA.TEC.3")
def test_9_3_3_a_marsh_is_entered_from_the_next_hex_with_all_points() -> None:
    game = game_with({INF: "0708"}, field({"0709": "s"}))
    assert cost(game, INF, "0709") == 5
    far = game_with({INF: "0707"}, field({"0709": "s"}))
    refused(far, Move(INF, "0709"), "9.1.3")


def test_9_3_4_no_marsh_from_zone_to_zone() -> None:
    game = game_with({INF: "0708", RC: "0809"}, field({"0709": "s"}))
    refused(game, Move(INF, "0709"), "9.3.4", "begins and ends")
    one = game_with({INF: "0708", RC: "0710"}, field({"0709": "s"}))
    assert cost(one, INF, "0709") == 5


@pytest.mark.parametrize("link", ["road", "rail"])
def test_9_3_5_along_a_road_a_marsh_is_like_any_hex(link: str) -> None:
    board = field({"0709": "s"}, **{link: ["0707 0708 0709 0710"]})  # type: ignore[arg-type]
    game = game_with({INF: "0707"}, board)
    assert [cost(game, INF, label) for label in ("0709", "0710")] == [2, 3]
    zones = game_with({INF: "0708", RC: "0809"}, board)
    assert cost(zones, INF, "0709") == 5


@pytest.mark.clause("2.3.5")
def test_9_4_1_an_active_headquarters_may_be_relocated_instead_of_moving() -> None:
    game = game_with({"ger-8a": "0708", INF: "0709"}, None, "ger-8a", INF)
    refused(game, Relocate(INF), "9.4.1", "no headquarters")
    events = game.apply(Relocate("ger-8a"))
    assert told(events, "headquarters-lifted") == ["ger-8a is relocated (9.4.1)"]
    place = next(action for action in offers(game) if action.to == "0701")
    events = game.apply(place)
    assert of_kind(events, "headquarters-relocated")[0].clause == "2.3.10"
    assert game.state.relocations == {"axis": 1}
    refused(game, Relocate("ger-8a"), "4.3.3", "moved already")
