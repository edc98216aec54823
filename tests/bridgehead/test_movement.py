"""7: movement."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Move
from hexwar.pieces import Done
from tests.bridgehead.helpers import field, moving, position, refused, told, unit_hexes

RIVER = ["0404/N/NE/SE/S/SW/NW"]  # an island, so that there is no way round


def test_7_1_each_active_unit_moves_once_one_at_a_time() -> None:
    game = position({"b1": "0404", "b2": "0405", "b5": "0104", "r1": "0904"}, moving("b1", "b2"))
    refused(game, Move("b5", "0204"), "6.1", "b5 is not active or has moved already")
    events = game.apply(Move("b1", "0403"))
    assert told(events, "unit-moved") == ["b1 moves from 0404 to 0403 (7.1)"]
    refused(game, Move("b1", "0402"), "6.1", "b1 is not active or has moved already")
    game.apply(Move("b2", "0406"))
    assert game.state.turn == 2, "all have moved"


def test_7_1_no_farther_than_the_movement_points() -> None:
    game = position({"b1": "0404", "b5": "0405", "r1": "0901"}, moving("b1", "b5"))
    assert "0804" in unit_hexes(game, "b1")
    refused(game, Move("b1", "0904"), "7.2", "0904 is out of reach of b1 with 4 points")
    assert "0904" in unit_hexes(game, "b5")
    refused(game, Move("b1", "0404"), "7.1", "b1 stands in 0404 already")
    refused(game, Move("b1", "1404"), "7.1", "there is no hex 1404 on the map")


def test_7_1_moving_is_voluntary() -> None:
    game = position({"b1": "0404", "r1": "0904"}, moving("b1"))
    assert game.legal_actions()[0] == Done()
    game.apply(Done())
    assert game.state.locations["b1"] == "0404"


def test_7_1_by_the_cheapest_way_which_takes_the_towns_on_it() -> None:
    board = field(terrain={"0503": "m"}, towns={"Brod": "0504"})
    game = position({"b1": "0404", "r1": "0904"}, moving("b1"), board=board)
    events = game.apply(Move("b1", "0604"))
    assert told(events, "unit-moved", "control-taken") == [
        "b1 moves from 0404 to 0604 by 0504 (7.1)",
        "blue takes Brod (0504) (14.1)",
    ]


@pytest.mark.parametrize(
    ("letter", "infantry", "armour"),
    [(".", 1.0, 1.0), ("w", 1.0, 2.0), ("m", 2.0, None)],
)
def test_7_2_each_hex_costs_what_the_chart_says(letter: str, infantry: float, armour: float | None) -> None:
    board = field(terrain={"0504": letter})
    game = position({"b1": "0404", "b5": "0404", "r1": "0901"}, moving("b1", "b5"), board=board)
    assert game.query.reach("b1").costs.get("0504") == infantry
    assert game.query.reach("b5").costs.get("0504") == armour


def test_7_2_closed_terrain_is_named() -> None:
    board = field(terrain={"0504": "m", "0503": "~"})
    game = position({"b1": "0404", "b5": "0404", "r1": "0901"}, moving("b1", "b5"), board=board)
    refused(game, Move("b5", "0504"), "7.2", "0504 is closed to armour: marsh")
    refused(game, Move("b1", "0503"), "7.2", "0503 is closed to infantry: lake")


def test_7_2_half_a_point_along_a_road_whatever_the_terrain() -> None:
    board = field(terrain={"0504": "m", "0604": "w"}, road=["0404 0504 0604"])
    game = position({"b5": "0404", "r1": "0901"}, moving("b5"), board=board)
    costs = game.query.reach("b5").costs
    assert (costs["0504"], costs["0604"]) == (0.5, 1.0)


def test_7_2_only_where_the_road_connects_the_hexes() -> None:
    # Both 0404 and 0504 have a road, but none leads from one to the other.
    board = field(road=["0404 0403", "0504 0604"])
    game = position({"b1": "0404", "r1": "0901"}, moving("b1"), board=board)
    assert game.query.reach("b1").costs["0504"] == 1.0


def test_7_3_entering_and_leaving_an_enemy_zone_cost_a_point_each() -> None:
    game = position({"b1": "0204", "b2": "0404", "r1": "0504"}, moving("b1", "b2"))
    assert game.query.reach("b1").costs["0404"] == 3.0, "two hexes and the entry"
    assert game.query.reach("b2").costs["0304"] == 2.0, "one hex and the exit"
    assert game.query.reach("b2").costs["0405"] == 3.0, "one hex, the exit and the entry"
    refused(game, Move("b2", "0505"), "7.3", "enemy zones of control make the way to 0505 too costly for b2 with 4 points")


def test_7_3_friendly_zones_cost_nothing() -> None:
    game = position({"b1": "0304", "b2": "0404", "r1": "0904"}, moving("b1"))
    assert game.query.reach("b1").costs["0405"] == 1.0


def test_7_4_a_river_costs_infantry_two_points_more() -> None:
    game = position({"b1": "0404", "r1": "0901"}, moving("b1"), board=field(river=RIVER))
    assert game.query.reach("b1").costs["0504"] == 3.0


def test_7_4_armour_crosses_the_river_only_by_a_bridge() -> None:
    shut = position({"b5": "0404", "r1": "0901"}, moving("b5"), board=field(river=RIVER))
    assert unit_hexes(shut, "b5") == set()
    refused(shut, Move("b5", "0504"), "7.4", "armour cannot cross the river between 0404 and 0504")
    bridged = position({"b5": "0404", "r1": "0901"}, moving("b5"), board=field(river=RIVER, road=["0404 0503"]))
    assert bridged.query.reach("b5").costs["0503"] == 0.5
    assert bridged.query.reach("b5").costs["0504"] == 1.5, "over the bridge, then on"


def test_7_5_a_road_over_a_river_is_a_bridge() -> None:
    board = field(river=RIVER, road=["0404 0504"])
    game = position({"b1": "0404", "b5": "0404", "r1": "0901"}, moving("b1", "b5"), board=board)
    assert game.query.reach("b1").costs["0504"] == game.query.reach("b5").costs["0504"] == 0.5
    assert game.query.reach("b1").costs["0503"] == 1.5, "by the bridge and on is cheaper than through the water"


def test_7_6_no_unit_enters_a_hex_with_enemies() -> None:
    game = position({"b5": "0304", "r1": "0404"}, moving("b5"))
    refused(game, Move("b5", "0404"), "7.6", "0404 is occupied by red")
    # A wall of enemies from edge to edge: nobody gets behind it, whatever his points.
    wall = {"r1": "0301", "r2": "0303", "r3": "0305", "r6": "0307", "rA": "0302", "rB": "0304"}
    shut = position({"b5": "0104", **wall}, moving("b5"), board=field(terrain={"0306": "~"}))
    assert all(label[:2] in ("01", "02") for label in unit_hexes(shut, "b5"))
