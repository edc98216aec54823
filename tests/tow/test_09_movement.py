"""9.0 to 9.3: what each step costs by the text and the terrain chart, and which are closed."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Move
from hexwar.pieces import Done
from tests.tow.table import (
    CONTENT,
    ISOLATED,
    SELECTION,
    cost,
    ends,
    field,
    marching,
    position,
    refused,
    river,
    sides_of,
    walls,
    where,
)

CHART = CONTENT.chart.arms


# -- PA.TEC the chart ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "2.1.6",
    "9.1.4",
    "PA.TEC.1",
    "PA.TEC.2",
    "PA.TEC.4",
    "PA.TEC.5",
    "PA.TEC.6",
    "PA.TEC.7",
    "PA.TEC.8",
    "PA.TEC.9",
    "PA.TEC.10",
    "PA.TEC.12",
    "PA.TEC.13",
)
@pytest.mark.parametrize(
    ("board", "points"),
    [
        pytest.param(field(), 1, id="clear"),
        pytest.param(field({"0708": "^"}), 1, id="rough"),
        pytest.param(field(cities={"City": "0708"}), 1, id="city"),
        pytest.param(field(towns={"Town": "0708"}), 1, id="town"),
        pytest.param(field({"0708": "^"}, towns={"Town": "0708"}), 1, id="town on rough"),
        pytest.param(field({"0808": "~"}), 1, id="coast"),
        pytest.param(field({"0708": "~"}), None, id="water"),
        pytest.param(field(sides={"blocked": sides_of("0708")}), None, id="blocked"),
        pytest.param(field({"0708": "^"}, road=["0707 0708"]), 1, id="road"),
        pytest.param(field({"0708": "^"}, rail=["0707 0708"]), 1, id="rail"),
        pytest.param(field(sides={"minor-river": sides_of("0708")}), 2, id="minor river"),
        pytest.param(field(sides={"minor-river": sides_of("0708")}, rail=["0707 0708"]), 1, id="bridge"),
        pytest.param(
            field(areas={"supply axis": ["0708"], "crossing points": ["0708"], "breakthrough": ["0708"]}), 1, id="overlays"
        ),
    ],
)
def test_9_1_2_what_a_hex_costs(board: str, points: int | None) -> None:
    assert cost(position({"ger-112": "0707"}, marching("ger-112"), board=board, orders=[]), "ger-112", "0708") == points


@pytest.mark.parametrize("arm", sorted(set(CHART) - {"strategic"}))
def test_9_1_2_the_chart_makes_no_difference_between_arms(arm: str) -> None:
    assert CHART[arm] == CHART["infantry"]


def test_9_1_3_a_move_costs_what_its_steps_cost_and_no_more_than_the_points() -> None:
    board = field({"0708": "^", "0709": "^"}, towns={"Town": "0709"}, sides={"minor-river": river(9)})
    game = position({"ger-112": "0707"}, marching("ger-112"), board=board)
    assert [cost(game, "ger-112", label) for label in ("0708", "0709", "0710", "0702", "0701")] == [1, 2, 4, 5, None]


@pytest.mark.parametrize("unit", ["ger-112", "rom-24", "ger-11pz", "ger-4pza"])
@pytest.mark.clause("PA.TEC.3", "PA.TEC.11", "9.1.6", "9.3.3", "2.2.5")
def test_9_1_5_marsh_and_major_river_take_all_points_whatever_they_are(unit: str) -> None:
    for board in (field({"0708": "s"}), field(sides={"major-river": sides_of("0708")})):
        game = position({unit: "0707"}, marching(unit), board=board)
        assert cost(game, unit, "0708") == game.world.units[unit].faces[-1].move
        isolated = position({unit: "0707"}, marching(unit), board=board, supply={unit: ISOLATED})
        assert cost(isolated, unit, "0708") == game.world.units[unit].faces[-1].move // 2


# -- 9.1 and 9.3 rivers and marshes --------------------------------------------------------------------------------------------


@pytest.mark.clause("9.1.6", "PA.TEC.11")
def test_9_1_5_a_major_river_is_the_first_step_or_none() -> None:
    board = field(sides={"major-river": river(7)})
    game = position({"ger-11pz": "0706"}, marching("ger-11pz"), board=board)
    assert all(int(label[2:]) <= 7 for label in ends(game, "ger-11pz"))
    near = position({"ger-11pz": "0707"}, marching("ger-11pz"), board=board)
    across = {label for label in ends(near, "ger-11pz") if int(label[2:]) > 7}
    assert across == {"0708", "0808", "0608"}  # its neighbours, and nothing beyond


@pytest.mark.clause("2.1.6", "9.3.5", "PA.TEC.9", "PA.TEC.10")
@pytest.mark.parametrize("link", ["road", "rail"])
@pytest.mark.parametrize("kind", ["minor-river", "major-river"])
def test_9_1_7_a_step_along_a_road_or_railway_costs_one_point_over_bridges_and_through_marshes(link: str, kind: str) -> None:
    links = {link: ["0707 0708 0709 0710"]}
    board = field({"0709": "s"}, sides={kind: ["0707|0708"]}, **links)  # type: ignore[arg-type]
    game = position({"ger-112": "0707"}, marching("ger-112"), board=board)
    assert [cost(game, "ger-112", label) for label in ("0708", "0709", "0710")] == [1, 2, 3]


def test_9_3_3_beyond_a_marsh_nobody_gets_in_the_same_move() -> None:
    board = field(
        {"0708": "s"}, sides={"blocked": [side for side in walls("0707", "0708", "0709") if not side.startswith("0709")]}
    )
    game = position({"ger-11pz": "0707"}, marching("ger-11pz"), board=board)
    assert ends(game, "ger-11pz") == {"0708"}
    far = position({"ger-11pz": "0706"}, marching("ger-11pz"), board=field({"0708": "s"}))
    refused(far, Move("ger-11pz", "0708"), "9.1.3")


def test_9_3_3_out_of_a_marsh_a_move_is_like_any_other() -> None:
    game = position({"ger-112": "0707"}, marching("ger-112"), board=field({"0707": "s"}))
    assert cost(game, "ger-112", "0710") == 3


@pytest.mark.parametrize("obstacle", ["marsh", "river"])
@pytest.mark.parametrize(("near", "far"), [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.clause("9.3.2", "9.3.4")
def test_9_1_6_zones_forbid_a_crossing_only_on_both_sides_and_never_make_it_too_dear(
    obstacle: str, near: bool, far: bool
) -> None:
    board = field({"0708": "s"}) if obstacle == "marsh" else field(sides={"major-river": ["0707|0708"]})
    enemies = {"sov-51": "0706"} if near else {}
    enemies |= {"sov-50": "0709"} if far else {}
    game = position({"ger-112": "0707", **enemies}, marching("ger-112"), board=board)
    assert ("0708" in ends(game, "ger-112")) is not (near and far)
    if near and far:
        refused(game, Move("ger-112", "0708"), "9.3.4" if obstacle == "marsh" else "9.3.2")


@pytest.mark.parametrize("friend", [{}, {"ger-68": "0708"}])
@pytest.mark.parametrize("link", ["road", "rail"])
def test_9_3_2_a_bridge_or_a_friend_beyond_does_not_lift_the_ban(link: str, friend: dict[str, str]) -> None:
    board = field(sides={"major-river": river(7)}, **{link: ["0707 0708"]})  # type: ignore[arg-type]
    game = position({"ger-11pz": "0707", "sov-51": "0706", "sov-50": "0709", **friend}, marching("ger-11pz"), board=board)
    refused(game, Move("ger-11pz", "0708"), "9.3.2")
    one = position({"ger-11pz": "0707", "sov-50": "0709", **friend}, marching("ger-11pz"), board=board)
    assert cost(one, "ger-11pz", "0708") == 3


def test_9_3_2_the_near_hex_is_that_of_the_step_not_that_of_the_start() -> None:
    """It starts outside of zones, comes into one beside the river, and may not cross from there to another."""
    board = field(sides={"major-river": river(7)}, road=["0705 0706 0707 0708"])
    units = {"ger-reich": "0705", "sov-51": "0607", "sov-50": "0709"}
    game = position(units, marching("ger-reich"), board=board)
    assert {"0707", "0708"} <= set(game.query.zones("soviet"))
    assert "0708" not in ends(game, "ger-reich")


def test_9_3_5_zone_to_zone_into_a_marsh_is_allowed_along_a_road() -> None:
    board = field({"0708": "s"}, road=["0707 0708"])
    game = position({"ger-112": "0707", "sov-51": "0706", "sov-50": "0709"}, marching("ger-112"), board=board)
    assert cost(game, "ger-112", "0708") == 5  # 1 and twice 2


# -- 9.2 strategic movement ------------------------------------------------------------------------------------------------------


def test_9_2_1_ten_road_hexes_with_five_points_bridges_and_marshes_included() -> None:
    road = [" ".join(f"07{column:02}" for column in range(5, 18))]
    board = field({"0709": "s", "0711": "^"}, sides={"major-river": river(12)}, road=road)
    game = position({"ger-112": "0705"}, marching("ger-112"), board=board)
    assert cost(game, "ger-112", "0715", "strategic") == 5
    assert cost(game, "ger-112", "0716", "strategic") is None
    isolated = position({"ger-112": "0705"}, marching("ger-112"), board=board, supply={"ger-112": "isolated"})
    assert cost(isolated, "ger-112", "0709", "strategic") == 2
    assert cost(isolated, "ger-112", "0710", "strategic") is None


@pytest.mark.clause("9.0.4")
def test_9_2_2_it_may_turn_where_roads_meet_but_not_follow_railways() -> None:
    board = field(road=["0705 0706 0707", "0706 0807 0907"], rail=["0707 0708"])
    game = position({"ger-112": "0705"}, marching("ger-112"), board=board)
    assert ends(game, "ger-112", "strategic") == {"0706", "0707", "0807", "0907"}
    assert "0706" in ends(game, "ger-112")
    refused(game, Move("ger-112", "0708", "strategic"), "9.2.2", "has none")
    beside = position({"ger-112": "0605"}, marching("ger-112"), board=board)
    refused(beside, Move("ger-112", "0706", "strategic"), "9.2.2", "begins on a road")


def test_9_2_2_two_roads_in_neighbouring_hexes_are_not_one() -> None:
    board = field(road=["0705 0706", "0707 0708"])
    game = position({"ger-112": "0705"}, marching("ger-112"), board=board)
    assert ends(game, "ger-112", "strategic") == {"0706"}


@pytest.mark.parametrize("enemy", ["0604", "0708"])
def test_9_2_3_neither_from_a_zone_nor_through_one(enemy: str) -> None:
    road = [" ".join(f"07{column:02}" for column in range(4, 12))]
    game = position({"ger-112": "0704", "sov-51": enemy}, marching("ger-112"), board=field(road=road))
    assert "0709" not in ends(game, "ger-112", "strategic")
    refused(game, Move("ger-112", "0707", "strategic"), "9.2.3")


def test_9_2_3_a_zone_behind_a_blocked_hexside_is_none() -> None:
    road = [" ".join(f"07{column:02}" for column in range(4, 12))]
    board = field(road=road, sides={"blocked": sides_of("0608")})
    game = position({"ger-112": "0704", "sov-51": "0608"}, marching("ger-112"), board=board)
    assert cost(game, "ger-112", "0711", "strategic") == 3.5


# -- 9.0 the segment ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("9.1.1", "9.0.1")
def test_9_0_2_each_active_unit_moves_once_in_any_order_or_not_at_all() -> None:
    game = position({"ger-112": "0707", "ger-68": "0709", "ger-75": "0711"}, marching("ger-112", "ger-68"), path=SELECTION)
    refused(game, Move("ger-75", "0712"), "4.3.3", "not active")
    game.apply(Move("ger-68", "0710"))
    refused(game, Move("ger-68", "0711"), "4.3.3", "moved already")
    game.apply(Done())
    assert where(game, "ger-112", "ger-68", "ger-75") == ("0707", "0710", "0711")
    assert game.state.phase == "selection"


@pytest.mark.clause("9.1.3")
def test_9_3_1_what_zones_cost() -> None:
    game = position({"ger-112": "0707", "sov-51": "0710"}, marching("ger-112"))
    assert cost(game, "ger-112", "0709") == 4  # 1, then 1 and 2
    leaving = position({"ger-112": "0707", "sov-51": "0708"}, marching("ger-112"))
    assert cost(leaving, "ger-112", "0706") == 3
    both = position({"ger-112": "0707", "sov-51": "0608", "sov-50": "0705"}, marching("ger-112"))
    assert {"0706", "0707"} <= set(both.query.zones("soviet"))
    assert cost(both, "ger-112", "0706") == 5
    romanian = position({"rom-24": "0707", "sov-51": "0608", "sov-50": "0705"}, marching("rom-24"))
    refused(romanian, Move("rom-24", "0706"), "9.3.1", "too costly")  # 4 points: there is no minimum move


def test_9_3_1_friends_do_not_cancel_zones() -> None:
    game = position({"ger-112": "0707", "ger-68": "0708", "sov-51": "0709"}, marching("ger-112"))
    assert cost(game, "ger-112", "0708") == 3


@pytest.mark.clause("9.1.2", "PA.TEC.7", "PA.TEC.8")
def test_9_0_5_nobody_leaves_the_map_crosses_a_blocked_hexside_or_enters_an_enemy_hex() -> None:
    board = field({"0202": "~"}, sides={"blocked": ["0101|0201"]})
    game = position({"ger-112": "0101", "sov-51": "0102"}, marching("ger-112"), board=board)
    refused(game, Move("ger-112", "0201"), "9.0.5", "blocked")
    refused(game, Move("ger-112", "0102"), "9.0.5", "occupied")
    refused(game, Move("ger-112", "0202"), "PA.TEC.7", "water")
    refused(game, Move("ger-112", "0001"), "9.1.2", "no hex")


# -- the examples ------------------------------------------------------------------------------------------------------------


def test_9_0_6_the_first_example_from_zone_to_zone() -> None:
    """Hex A costs 1 + 2 + 2 = 5, all that a German infantry division has; hex B is across a major river, both hexes in zones."""
    board = field(sides={"major-river": ["0707|0807"]})
    units = {"ger-112": "0707", "sov-51": "0708", "sov-50": "0906", "sov-52": "0505"}
    game = position(units, marching("ger-112"), board=board)
    assert {"0707", "0706", "0807", "0607"} & set(game.query.zones("soviet")) >= {"0707", "0807"}
    zone = next(label for label in ("0706", "0607", "0608") if label in game.query.zones("soviet"))
    assert cost(game, "ger-112", zone) == 5
    refused(game, Move("ger-112", "0807"), "9.3.2")


@pytest.mark.clause("9.2.1", "9.2.3")
def test_9_0_7_the_second_example_an_enemy_bars_the_strategic_move() -> None:
    """Seven road hexes are 3.5 points; with an enemy beside the road there is no such move, and what is left is regular.

    The printed sum (3 + 1 + 2 = 5) is wrong and not taken over.
    """
    road = [" ".join(f"07{column:02}" for column in range(4, 12))]
    board = field(road=road)
    free = position({"ger-112": "0704"}, marching("ger-112"), board=board)
    assert cost(free, "ger-112", "0711", "strategic") == 3.5
    barred = position({"ger-112": "0704", "sov-51": "0808"}, marching("ger-112"), board=board)
    assert cost(barred, "ger-112", "0711", "strategic") is None
    assert "0711" not in ends(barred, "ger-112") | ends(barred, "ger-112", "strategic")
    assert cost(barred, "ger-112", "0707") == 5  # two free hexes, then 1 and 2 for the zone
    assert cost(barred, "ger-112", "0706") == 2
