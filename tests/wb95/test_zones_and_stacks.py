"""stack and zoc: what may stand together, zones of control, and how they stop movement."""

from __future__ import annotations

import json

import pytest

from hexwar.mechanics import Move
from tests.wb95.table import field, moving, reach, refused


def test_stack_1_eight_points_stand_together_and_nine_do_not() -> None:
    game = moving({"69": "0404", "44g": "0504", "15gt": "0505", "ga1": "0405", "g472": "0101"})
    assert "0404" in reach(game, "15gt"), "4 + 3"
    assert "0404" in reach(game, "ga1"), "artillery counts 1"
    refused(game, Move("44g", "0404"), "stack.1", "at most 8 strength points may end in 0404")


def test_stack_1_as_units_stand_now() -> None:
    full = {"69": "0404", "44g": "0504", "g472": "0101"}
    assert "0404" not in reach(moving(full), "44g"), "4 + 5"
    assert "0404" in reach(moving({**full, "69": {"at": "0404", "steps": 1}}), "44g"), "2 + 5"


def test_stack_1_a_position_read_back_knows_who_has_lost_a_step() -> None:
    game = moving({"69": "0404", "44g": "0504", "g472": "0101"})
    assert "0404" not in reach(game, "44g")
    data = json.loads(json.dumps(game.state.to_json()))
    data["steps_left"]["69"] = 1
    game._state = game.state.with_json(data, game.ruleset.step_types)
    assert "0404" in reach(game, "44g"), "room was looked up before"


def test_zoc_1_a_unit_covers_the_six_hexes_around_it() -> None:
    game = moving({"69": "0901", "g472": "0404"})
    assert set(game.query.zones("axis")) == {"0403", "0504", "0505", "0405", "0305", "0304"}


def test_zoc_2_not_across_a_large_river_bridge_or_no_bridge() -> None:
    board = field(large=["0404|0504", "0404|0505"], road=["0404 0504"])
    game = moving({"69": "0901", "g472": "0404"}, board=board)
    assert set(game.query.zones("axis")) == {"0403", "0405", "0305", "0304"}


def test_zoc_2_a_small_river_makes_no_difference() -> None:
    game = moving({"69": "0901", "g472": "0404"}, board=field(small=["0404|0504"]))
    assert "0504" in game.query.zones("axis")


@pytest.mark.parametrize(("unit", "covers"), [("stg", False), ("g472", True)])
def test_zoc_3_not_where_the_unit_cannot_go(unit: str, covers: bool) -> None:
    game = moving({"69": "0901", unit: "0404"}, board=field({"0504": "s"}))
    assert ("0504" in game.query.zones("axis")) is covers


def test_zoc_4_headquarters_and_artillery_have_none() -> None:
    game = moving({"69": "0901", "hq27": "0404", "a252": "0202"})
    assert game.query.zones("axis") == ()


def test_zoc_5_but_artillery_closes_lines_of_supply() -> None:
    road = ["0901 0801 0702 0602 0503 0403"]
    marsh = {f"{column:02}{row:02}": "s" for column in range(2, 10) for row in range(1, 8)}
    board = field({label: kind for label, kind in marsh.items() if label not in road[0]}, road=road)
    assert moving({"69": "0403", "g472": "0107"}, board=board).query.supply("69").supplied
    cut = moving({"69": "0403", "a252": "0601", "g472": "0107"}, board=board)
    assert not cut.query.supply("69").supplied, "0601 lies next to the road"
    assert cut.query.zones("axis") == moving({"69": "0403", "g472": "0107"}, board=board).query.zones("axis")


def test_zoc_6_entering_an_enemy_zone_ends_a_move() -> None:
    game = moving({"69": "0605", "g472": "0404"})
    assert reach(game, "69")["0505"] == 1, "into the zone"
    refused(game, Move("69", "0506", path=("0605", "0505", "0506")), "zoc.6", "has entered an enemy zone of control in 0505")


def test_zoc_7_leaving_one_costs_a_point() -> None:
    found = reach(moving({"69": "0505", "g472": "0404"}), "69")
    assert found["0605"] == 2


def test_zoc_8_not_into_the_zone_of_the_same_unit() -> None:
    game = moving({"69": "0505", "g472": "0404"})
    assert "0504" not in reach(game, "69") or reach(game, "69")["0504"] > 2, "by a free hex at most"
    refused(game, Move("69", "0405", path=("0505", "0405")), "zoc.8", "in a zone of the same unit")


def test_zoc_8_into_that_of_another_and_there_the_move_ends() -> None:
    game = moving({"69": "0505", "g472": "0404", "g1076": "0706"})
    assert reach(game, "69")["0605"] == 2, "in the zone of g1076 only"
    refused(game, Move("69", "0606", path=("0505", "0605", "0606")), "zoc.6", "stops there")


def test_zoc_8_after_a_free_hex_the_same_zone_may_be_entered_again() -> None:
    game = moving({"69": "0505", "g472": "0404"})
    assert reach(game, "69")["0504"] == 3, "by 0604, for a point more to leave"
