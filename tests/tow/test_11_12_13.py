"""11.0 reinforcements, 12.0 orders and crossing points, 13.0 victory, 7.0 the draw of Luftwaffe markers, 14.0 optional rules."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive, Arriving, Done, Move
from hexwar.mechanics.bidding import Bid
from hexwar_tow.negotiation import LiftOrder
from hexwar_tow.okh import ChoosingUse, Use
from hexwar_tow.reinforcements import Replace
from hexwar_tow_optional.ukrainian_fronts import Rename
from tests.tow.helpers import after, content, field, marching, of_kind, position, refused, told

RAIL = field(rail=["0720 0719 0718 0717 0716 0715 0714"], areas={"supply soviet": ["0720"], "supply axis": ["0701"]})
AXIS_RAIL = field(rail=["0701 0702 0703 0704 0705"], areas={"supply soviet": ["0720"], "supply axis": ["0701"]})
FRONT = {"sov-51": "1018", "ger-57": "1002"}
CHIT = (1, 3, 2)


def called(units: dict[str, str] | None = None, chit: str = "reinforcements", board: str = RAIL, **more: Any) -> Game:
    """A Soviet chit is being resolved; the supply chit is still in the cup."""
    state = {"drawn": [chit], "cup": ["supply"], "phase": "activation", "chance": [1], **more}
    return position({**FRONT, **(units or {})}, board=board, path=CHIT, **state)


def negotiating(crossings: int = 0, units: dict[str, str] | None = None, **more: Any) -> Game:
    hexes = [f"04{column:02}" for column in range(1, crossings + 1)]
    board = more.pop("board", AXIS_RAIL)
    game = position({**FRONT, **(units or {})}, ChoosingUse("axis", "okh-1"), board=board, crossings=hexes, **more)
    game.apply(Use("negotiation"))
    return game


def in_groups() -> list[str]:
    """The Soviet reinforcements."""
    return [unit for unit, it in content().units.items() if it.start.startswith("soviet group")]


def hexes(game: Game, unit: str) -> set[str]:
    return {action.to for action in game.legal_actions() if isinstance(action, Arrive) and action.unit == unit}


# -- 11.0 where and when -----------------------------------------------------------------------------------------------


@pytest.mark.clause("11.0.1", "11.0.5")
def test_11_0_2_reinforcements_come_by_rail() -> None:
    game = called()
    assert hexes(game, "sov-6gtk") == {"0720", "0719", "0718", "0717", "0716", "0715", "0714"}
    refused(game, Arrive("sov-6gtk", "0820"), "11.0.2", "may not enter")


def test_11_0_3_zones_enemies_and_cities_close_the_railway_friends_or_not() -> None:
    near = called({"ger-68": "0817"})  # next to 0716 and 0717
    assert hexes(near, "sov-6gtk") == {"0720", "0719", "0718"}
    friend = called({"ger-68": "0817", "sov-50": "0717"})
    assert hexes(friend, "sov-6gtk") == {"0720", "0719", "0718"}
    refused(near, Arrive("sov-6gtk", "0717"), "11.0.3", "zone")
    rail, areas = ["0720 0719 0718 0717"], {"supply soviet": ["0720"], "supply axis": ["0701"]}
    city = called(board=field(rail=rail, major={"Kharkiv": "0718"}, areas=areas))
    assert hexes(city, "sov-6gtk") == {"0720", "0719"}


def test_11_0_4_placement_respects_stacking() -> None:
    game = called({"sov-50": "0719", "sov-52": "0719"})
    assert "0719" not in hexes(game, "sov-6gtk")
    refused(game, Arrive("sov-6gtk", "0719"), "5.0.2", "full")


def test_11_0_6_whoever_finds_no_place_comes_with_the_next_group() -> None:
    game = called(groups=1, board=RAIL)
    waiting = {action.unit for action in game.legal_actions() if isinstance(action, Arrive)}
    assert {"sov-6gtk", "sov-73"} <= waiting  # of groups 1 and 2


# -- 11.1 Soviet reinforcements ----------------------------------------------------------------------------------------


@pytest.mark.clause("2.2.10")
def test_11_1_1_the_nth_chit_brings_group_n() -> None:
    first = called(turn=4)
    assert {action.unit for action in first.legal_actions() if isinstance(action, Arrive)} == {
        "sov-6gtk",
        "sov-7gtk",
        "sov-9m",
        "sov-21",
        "sov-30",
    }
    second = called(chit="airborne", groups=1, turn=4)
    assert told(second.events, "group-called") == ["Soviet reinforcements: group 2 (11.1.1)"]


def replacing() -> Game:
    units = {"sov-2tk": "1017", "sov-10tk": "1016", "sov-3m": "1015"}
    boxes = {unit: "soviet eliminated" for unit in in_groups() if unit != "sov-25tk"}
    return called({**units, **boxes}, groups=2, supply={"sov-10tk": "out of supply"})


@pytest.mark.clause("2.2.11")
def test_11_1_2_a_replacement_takes_the_place_of_a_unit_of_its_kind() -> None:
    game = replacing()
    assert game.legal_actions() == [Done(), Replace("sov-25tk", "sov-2tk")]
    refused(game, Replace("sov-25tk", "sov-3m"), "11.1.2", "same kind")


def test_11_1_3_not_of_one_without_supply() -> None:
    refused(replacing(), Replace("sov-25tk", "sov-10tk"), "11.1.3", "out of supply")


def test_11_1_4_the_other_leaves_the_game() -> None:
    game = replacing()
    game.apply(Replace("sov-25tk", "sov-2tk"))
    assert game.state.at["sov-25tk"] == "1017"
    assert "sov-2tk" not in game.state.at
    assert game.state.steps["sov-25tk"] == 2


def dropping(**more: Any) -> Game:
    boxes = dict.fromkeys(in_groups(), "soviet eliminated")
    return called({**boxes, "sov-51": "1018", "ger-57": "1012"}, chit="airborne", turn=3, **more)


@pytest.mark.clause("4.3.10")
def test_11_1_5_paratroopers_land_within_eight_hexes_of_a_supplied_unit() -> None:
    game = dropping()
    distance = game.world.board.distance
    assert max(distance("1018", label) for label in hexes(game, "sov-18g")) == 8
    refused(game, Arrive("sov-18g", "1009"), "11.1.5", "8 hexes")
    refused(game, Arrive("sov-18g", "1012"), "11.1.5", "enemy")
    assert "1011" in hexes(game, "sov-18g")  # a zone does not matter
    cut = dropping(supply={"sov-51": "out of supply"})
    assert not cut.state.landed
    assert cut.state.at["sov-18g"] == "soviet airborne"


def test_11_1_6_the_marker_is_a_source_but_not_for_reinforcements() -> None:
    board = field(
        sides={"blocked": after(10)}, rail=["0705 0706 0707"], areas={"supply soviet": ["0720"], "supply axis": ["0101"]}
    )
    game = position({"sov-18g": "0706"}, marching("sov-18g", seat="soviet"), board=board, airborne="0706", landed=True)
    assert game.query.supply("sov-18g").supplied
    assert not game.world.supply.rail_network(game, "soviet", "rail")
    without = position({"sov-18g": "0706"}, marching("sov-18g", seat="soviet"), board=board, landed=True)
    assert not without.query.supply("sov-18g").supplied


@pytest.mark.clause("11.1.8")
@pytest.mark.parametrize("unit", ["ger-57", "ger-8a"])
def test_11_1_7_an_enemy_unit_destroys_the_marker(unit: str) -> None:
    game = position({unit: "0708"}, marching(unit), airborne="0709", landed=True)
    game.apply(Move(unit, "0710"))  # on its way
    assert told(game.events, "airborne-destroyed") == ["the Airborne marker in 0709 is destroyed (11.1.7)"]
    assert (game.state.airborne, game.state.crossing_points) == ("", 1)


def test_11_1_9_the_marker_counts_as_a_crossing_point_for_good() -> None:
    game = dropping(crossings=["0401", "0402", "0403"], chance=[1, 1, 1])
    assert game.state.crossing_points == 3
    game.apply(Arrive("sov-18g", "1016"))
    assert game.state.crossing_points == 4
    assert game.state.airborne == "1016"


# -- 11.2, 12.2 negotiation --------------------------------------------------------------------------------------------


@pytest.mark.clause("PA.NP.1")
def test_11_2_1_units_and_orders_have_their_price() -> None:
    game = negotiating()
    assert game.state.stack[-1].points == 6  # three points, in halves
    game.apply(Arrive("ger-1pz", "0702"))
    assert game.state.stack[-1].points == 2
    refused(game, Arrive("ger-8pz", "0703"), "11.2.1", "costs 2; 1 of the points")
    game.apply(Arrive("ger-9", "0703"))
    assert game.state.at["ger-9"] == "0703"
    assert not isinstance(game.state.stack[-1], Arriving)  # nothing is left to spend
    minors = negotiating()
    units = [unit for unit, it in content().units.items() if it.start == "axis AR"][:6]
    for unit, label in zip(units, ("0702", "0702", "0703", "0703", "0704", "0704"), strict=True):
        minors.apply(Arrive(unit, label))
    assert not isinstance(minors.state.stack[-1], Arriving)


@pytest.mark.parametrize(("crossings", "points"), [(0, 3), (2, 4), (4, 4.5), (5, 5)])
def test_4_2_2_9_negotiation_gives_points_by_crossing_points(crossings: int, points: float) -> None:
    assert negotiating(crossings).state.stack[-1].points == 2 * points
    assert negotiating(6, landed=True).state.stack[-1].points == 11


def test_12_2_2_three_points_lift_an_order() -> None:
    game = negotiating(board="", units={"ger-57": "3203", "sov-51": "3342"}, crossings=3)
    before = game.state.orders
    refused(game, LiftOrder("1226"), "12.2.2", "no order")
    game.apply(LiftOrder("2634"))
    assert set(before) - set(game.state.orders) == {"2634"}
    refused(game, LiftOrder("2918"), "12.2.2", "not enough")


@pytest.mark.clause("13.1.1")
def test_12_2_3_a_city_with_an_order_must_not_fall() -> None:
    board = field(major={"Kharkiv": "0709"})
    game = position({"sov-51": "0708"}, marching("sov-51", seat="soviet"), board=board, orders=["0709"], scenario="race")
    game.apply(Move("sov-51", "0710"))
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == ("soviet", "13.1.1")
    free = position({"sov-51": "0708"}, marching("sov-51", seat="soviet"), board=board, orders=[])
    free.apply(Move("sov-51", "0709"))
    assert free.result is None


# -- 12.3 crossing points ----------------------------------------------------------------------------------------------

POINTS = field(areas={"crossing points": ["0705"], "supply axis": ["0101"], "supply soviet": ["1420"]})


def crossing(units: dict[str, str], unit: str, to: str, board: str = POINTS, **more: Any) -> Game:
    side = "soviet" if unit.startswith("sov") else "axis"
    game = position(units, marching(unit, seat=side), board=board, **more)
    game.apply(Move(unit, to))
    return game


def test_12_3_1_six_points_on_the_map_and_the_marker() -> None:
    game: Game = hexwar.new_game("tow", "race", seed=1)
    assert len(game.world.crossing_hexes) == 6


def test_12_3_2_all_begin_with_the_axis() -> None:
    game: Game = hexwar.new_game("tow", "race", seed=1)
    assert game.state.crossings == ()


def test_12_3_3_a_soviet_unit_that_enters_takes_it() -> None:
    game = crossing({"sov-2tk": "0709"}, "sov-2tk", "0703")  # through it and on
    assert game.state.crossings == ("0705",)


@pytest.mark.clause("12.3.6")
def test_12_3_4_near_it_while_it_is_empty() -> None:
    near = crossing({"sov-51": "0708"}, "sov-51", "0707")
    assert told(near.events, "crossing-gained") == ["the Soviets gain the crossing point 0705 (12.3.4)"]
    held = crossing({"sov-51": "0708", "ger-57": "0705"}, "sov-51", "0707")
    assert held.state.crossings == ()
    left = crossing({"sov-51": "0707", "ger-57": "0705"}, "ger-57", "0704")
    assert left.state.crossings == ("0705",)
    back = crossing({"sov-51": "1414", "ger-57": "0706"}, "ger-57", "0705", crossings=["0705"])
    assert back.state.crossings == ("0705",)


@pytest.mark.parametrize(("axis", "gained"), [("1926", ()), ("1827", ()), ("2025", ("1826", "1827"))])
def test_12_3_5_kremenchuk_and_its_crossings_fall_together(axis: str, gained: tuple[str, ...]) -> None:
    units = {"sov-2tk": "1725", "ger-57": axis}
    game = crossing(units, "sov-2tk", "1825", board="")
    assert game.state.crossings == gained


def test_12_3_7_from_turn_7_on_empty_points_fall() -> None:
    game = position({"sov-51": "1414"}, path=(1, 5), board=POINTS, turn=6, chance=[1])
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0705 (12.3.7)"]
    held = position({"sov-51": "1414", "ger-57": "0705"}, path=(1, 5), board=POINTS, turn=6)
    assert held.state.crossings == ()


# -- 13.0 victory ------------------------------------------------------------------------------------------------------

WEST = field(
    areas={
        "west of the dnieper": [f"{row:02}{column:02}" for row in range(1, 15) for column in range(1, 9)],
        "crossing points": ["0705", "0708"],
        "breakthrough": ["0901", "0902"],
        "supply axis": ["0101"],
        "supply soviet": ["1420"],
    },
    major={"Kharkiv": "0712", "Poltava": "0714"},
)


def scored(units: dict[str, str], scenario: str, **more: Any) -> dict[str, float]:
    """The Soviet points by clause."""
    game = position(units, marching("ger-57"), board=WEST, scenario=scenario, **more)
    found: dict[str, float] = {}
    for score in game.query.score():
        found[score.clause] = found.get(score.clause, 0) + score.points
    return found


@pytest.mark.parametrize(("number", "winner"), [(9, "axis"), (10, "soviet")])
def test_13_2_1_fifty_points_after_turn_4(number: int, winner: str) -> None:
    points = [f"04{column:02}" for column in range(1, number + 1)]
    game = position({}, path=(1, 4), board=WEST, scenario="race", turn=4, crossings=points)
    assert game.result is not None
    assert (game.result.winner, game.result.scores) == (winner, {"soviet": 5 * number})
    early = position({}, path=(1, 4), board=WEST, scenario="race", turn=3, crossings=points, chance=[1, 1, 1, 1])
    assert early.result is None


def test_13_2_1_quarters_are_kept() -> None:
    many = [f"04{column:02}" for column in range(1, 10)]
    # Nine crossing points are 45; four and three quarters more are not enough, five are.
    tanks = ["sov-2tk", "sov-10tk", "sov-31tk", "sov-6tk"]
    units = {unit: f"{row:02}06" for row, unit in enumerate(tanks, 10)}
    short = position(
        {**units, "sov-51": "1005", "sov-50": "0805"}, path=(1, 4), board=WEST, scenario="race", turn=4, crossings=many
    )
    assert short.result is not None
    lines = [score.points for score in short.query.score() if score.clause == "13.2.4"]
    assert sorted(lines) == [0.5, 0.5, 1, 1, 1, 1]
    assert short.result.winner == "soviet"
    fewer = position(units, path=(1, 4), board=WEST, scenario="race", turn=4, crossings=many)
    assert fewer.result is not None
    assert (fewer.result.winner, fewer.result.scores) == ("axis", {"soviet": 49})


def test_13_2_2_only_the_soviets_score_and_relocations_do_not() -> None:
    assert scored({"ger-57": "0708"}, "race", relocations={"axis": 3, "soviet": 1}) == {}


def test_13_2_3_five_points_a_crossing_without_the_marker() -> None:
    assert scored({}, "race", crossings=["0705", "0708"], landed=True) == {"13.2.3": 10}


def test_13_2_4_units_beyond_the_dnieper_with_and_without_a_line() -> None:
    assert (
        scored({"sov-2tk": "0706", "sov-51": "0707", "sov-steppe": "0606"}, "race", crossings=["0705", "0708"])["13.2.4"] == 1.5
    )
    cut = {"ger-57": "0806", "ger-68": "0606", "ger-75": "0704", "ger-88": "0708"}
    assert scored({"sov-2tk": "0706", "sov-51": "0706", **cut}, "race", crossings=["0705", "0708"])["13.2.4"] == 0.75


def test_13_3_1_sixty_five_points_at_the_end_of_any_turn() -> None:
    germans = [unit for unit, it in content().units.items() if it.nation == "german" and it.arm != "hq"]
    dead = dict.fromkeys(germans, "axis eliminated")
    won = position(dead, path=(1, 4), board=WEST, turn=3, chance=[1])
    assert won.result is not None
    assert (won.result.winner, won.result.clause) == ("soviet", "13.3.1")
    early = position(dict.fromkeys(germans[:5], "axis eliminated"), path=(1, 4), board=WEST, turn=3, chance=[1])
    assert early.result is None
    none = position({}, path=(1, 4), board=WEST, turn=8)
    assert none.result is not None
    assert none.result.winner == "axis"


def test_13_3_2_eight_points_a_major_city() -> None:
    assert scored({}, "campaign", control={"0712": "soviet", "0714": "axis"}) == {"13.3.2": 8}


def test_13_3_3_destroyed_units() -> None:
    boxes = dict.fromkeys(("ger-7pz", "ger-16pg", "ger-57", "rom-24", "hun-2pz"), "axis eliminated")
    assert scored(boxes, "campaign") == {"13.3.3": 2 + 1 + 1}


def test_13_3_4_relocations() -> None:
    assert scored({}, "campaign", relocations={"axis": 2, "soviet": 3}) == {"13.3.4": 4 - 6}


@pytest.mark.clause("2.1.4")
def test_13_3_5_units_on_breakthrough_hexes() -> None:
    assert scored({"sov-2tk": "0901", "sov-51": "0901", "sov-steppe": "0902"}, "campaign") == {"13.3.5": 15}


def test_13_3_6_at_the_end_units_without_a_line_do_not_count() -> None:
    cut = {"ger-57": "0803", "ger-68": "1003", "ger-75": "0701", "ger-88": "1101", "ger-112": "0703"}
    units = {"sov-2tk": "0901", **cut}
    during = scored(units, "campaign", turn=8, phase="combat")
    assert during == {"13.3.5": 5}
    after_all = scored(units, "campaign", turn=8, phase="verdict")
    assert "13.3.5" not in after_all
    pocket = {"ger-57": "1410", "sov-2tk": "1409", "sov-51": "1411", "sov-50": "1309", "sov-52": "1310"}
    assert scored(pocket, "campaign", turn=8, phase="verdict") == {"13.3.6": 1}


# -- 7.0 the Luftwaffe phase -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("crossings", "landed", "number"), [(0, False, 0), (1, False, 1), (3, False, 2), (6, False, 3), (6, True, 4)]
)
def test_7_0_3_as_many_markers_as_the_crossing_points_give(crossings: int, landed: bool, number: int) -> None:
    hexes = [f"04{column:02}" for column in range(1, crossings + 1)]
    game = position({}, path=(1, 0), crossings=hexes, landed=landed, chance=[1] * number, phase="next")
    assert game.state.sorties == number
    assert len(game.state.luftwaffe.get("axis", ())) == number
    assert len([event for event in game.log("soviet") if event.kind == "some-marker-drawn"]) == number


def test_7_0_2_two_markers_of_each_kind() -> None:
    game = position({}, path=(1, 0), crossings=[f"04{c:02}" for c in range(1, 7)], landed=True, chance=[1, 1, 1, 1], phase="next")
    assert game.state.luftwaffe == {"axis": ("def", "def", "off", "off")}


# -- 14.0 optional rules -----------------------------------------------------------------------------------------------


def test_14_1_1_the_higher_bid_plays_the_soviets_and_has_to_reach_it() -> None:
    game = hexwar.new_game("tow", "race", seed=1, options={"bidding": True})
    game.apply(Bid(45), "axis")
    game.apply(Bid(55), "soviet")
    assert told(game.events, "soviet-taken") == ["the player at the soviet seat has the Soviet and needs 55 points (14.1.1)"]
    assert game.query.points_needed() == {"soviet": (55, "14.1.1")}
    again = hexwar.new_game("tow", "race", seed=1, options={"bidding": True})
    again.apply(Bid(50), "axis")
    again.apply(Bid(50), "soviet")
    assert again.to_move == ("axis", "soviet")  # equal bids are made again


def test_14_2_1_from_turn_4_the_fronts_may_become_ukrainian() -> None:
    units = {"sov-voronezh": "0715", "sov-51": "0716"}
    game = position(units, path=(1, 0), turn=4, phase="next", options={"ukrainian-fronts": True})
    assert game.legal_actions() == [Done(), Rename("sov-voronezh")]
    refused(game, Rename("sov-steppe"), "14.2.1", "better version")
    game.apply(Rename("sov-voronezh"))
    assert game.state.at["sov-1ukr"] == "0715"
    faces = [content().units[unit].faces[-1] for unit in ("sov-voronezh", "sov-1ukr")]
    assert faces[1].attack > faces[0].attack
    assert faces[1].move > faces[0].move
    chit = position({"sov-1ukr": "0715", "sov-51": "0716"}, path=CHIT, drawn=["voronezh-1"], phase="activation")
    assert set(chit.state.active) == {"sov-1ukr", "sov-51"}
    assert of_kind(chit.events, "units-activated")
