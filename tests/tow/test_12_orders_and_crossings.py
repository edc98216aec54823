"""12.2 and 12.3: cities to be held, and crossing points."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Move, Pursue, Retreat
from hexwar.pieces import LoseStep
from tests.handmade import by
from tests.tow.table import (
    AT,
    CHIT,
    CONTENT,
    EAST,
    END,
    NORTH_EAST,
    SELECTION,
    after,
    attack,
    battle,
    field,
    lost_in_all_ways,
    marching,
    of_kind,
    offered,
    position,
    sides_of,
    told,
    walls,
    where,
)

HELD = field(cities={"City": AT, "Other": "0712"})


# -- 12.2 Supreme Command Orders -----------------------------------------------------------------------------------------------


@pytest.mark.clause("13.1.1")
@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_12_2_3_the_fall_of_a_city_with_an_order_ends_the_game(scenario: str) -> None:
    game = position({"sov-51": "0708"}, marching("sov-51", seat="soviet"), board=HELD, orders=[AT], scenario=scenario)
    game.apply(Move("sov-51", "0706"))  # through it and on
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == ("soviet", "13.1.1")


def test_12_2_3_a_city_without_an_order_does_not() -> None:
    game = position({"sov-51": "0713"}, marching("sov-51", seat="soviet"), board=HELD, orders=[AT], path=SELECTION)
    game.apply(Move("sov-51", "0712"))
    assert game.result is None
    assert game.query.control("0712") == "soviet"


@pytest.mark.clause("12.2.1", "10.5.11")
def test_12_2_3_it_falls_by_pursuit_when_its_defenders_are_gone() -> None:
    units = {"ger-213sec": AT, "sov-2tk": "0708", "sov-10tk": "0708"}
    game = battle(units, "sov-2tk", "sov-10tk", board=HELD, orders=[AT], dice=[1])
    attack(game, AT, "sov-2tk", "sov-10tk")  # 12:1, two to the left is 8:1; a one is RR: two losses
    assert where(game, "ger-213sec") == ("axis eliminated",)
    assert game.result is None
    game.apply(Pursue("sov-2tk", ("0708", AT)))
    assert game.result is not None
    assert game.result.winner == "soviet"


def test_12_2_3_paratroopers_may_take_it() -> None:
    gone = {unit: "soviet eliminated" for unit, it in CONTENT.units.items() if it.start.startswith("soviet group")}
    game = position(
        {**gone, "sov-51": "0713"}, path=CHIT, drawn=["airborne"], cup=["supply"], turn=3, board=HELD, orders=[AT], dice=[1] * 4
    )
    game.apply(Arrive("sov-18g", AT))
    assert game.result is not None
    assert game.result.winner == "soviet"


def test_12_2_1_a_headquarters_in_such_a_city_does_not_retreat_either() -> None:
    game = battle(
        {"ger-4pza": AT, "sov-2tk": "0708", "sov-10tk": "0708"}, "sov-2tk", "sov-10tk", board=HELD, orders=[AT], dice=[4]
    )
    attack(game, AT, "sov-2tk", "sov-10tk")  # 12 to 2 is 6:1, 4:1 in the city; RR is two losses
    assert game.to_move == ("axis",)
    assert offered(game, Retreat) == []
    assert offered(game, LoseStep) == []
    game.apply(Arrive("ger-4pza", "0701"))
    assert where(game, "ger-4pza") == ("0701",)
    assert game.state.relocations == {"axis": 1}


@pytest.mark.parametrize(("die", "result", "lost"), [(2, "R", 1), (4, "RR", 2), (6, "1RR", 3)])
@pytest.mark.clause("10.4.12")
def test_12_2_1_retreats_become_losses(die: int, result: str, lost: int) -> None:
    """25 to 4 (one division is isolated) and two columns for the city is 4:1: R is one step, RR two, 1RR three."""
    units = {"ger-68": AT, "ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST, "sov-4gtk": NORTH_EAST, "sov-31tk": NORTH_EAST}
    attackers = ("sov-2tk", "sov-10tk", "sov-4gtk", "sov-31tk")
    game = battle(units, *attackers, board=HELD, dice=[die], orders=[AT], supply={"ger-68": "isolated"})
    (resolved,) = of_kind(attack(game, AT, *attackers), "attack-resolved")
    assert (resolved.result, resolved.rule) == (result, "12.2.1")
    assert {sum(left) for left in lost_in_all_ways(game, "ger-68", "ger-112")} == {4 - lost}
    while offered(game, LoseStep):
        game.apply(offered(game, LoseStep)[0])
    assert all(at in (AT, "axis eliminated") for at in where(game, "ger-68", "ger-112"))


def test_12_2_1_without_the_order_they_retreat() -> None:
    game = after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=HELD, orders=[])
    assert where(game, "ger-112") == ("0706",)


def test_12_2_1_the_order_is_one_to_the_axis_only() -> None:
    """Soviet units that have gone past such a city are not held in it: it falls when they enter (12.2.3)."""
    game = battle({"sov-51": EAST, "ger-reich": AT, "ger-totenkopf": AT}, "ger-reich", "ger-totenkopf", seat="axis", dice=[5])
    attack(game, EAST, "ger-reich", "ger-totenkopf")
    assert where(game, "sov-51") != (EAST,)


# -- 12.3 crossing points ------------------------------------------------------------------------------------------------------

POINT = "0707"
FORD = field(areas={"crossing points": [POINT]})


def moved(units: dict[str, str], unit: str, to: str, board: str = FORD, **more: Any) -> Game:
    seat = "soviet" if unit.startswith("sov") else "axis"
    game = position(units, marching(unit, seat=seat), board=board, **{"path": SELECTION, **more})
    game.apply(Move(unit, to))
    return game


@pytest.mark.clause("12.3.2")
@pytest.mark.parametrize(("to", "gained"), [("0710", False), ("0709", True), ("0708", True)])
def test_12_3_4_within_two_hexes_of_an_empty_one(to: str, gained: bool) -> None:
    game = moved({"sov-51": "0711"}, "sov-51", to)
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0707 (12.3.4)"] * gained


def test_12_3_3_into_it() -> None:
    game = moved({"sov-2tk": "0711"}, "sov-2tk", POINT)
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0707 (12.3.3)"]


def test_12_3_3_also_by_passing_through() -> None:
    game = moved({"sov-2tk": "0710"}, "sov-2tk", "0704")
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0707 (12.3.3)"]


@pytest.mark.clause("9.1.2")
def test_12_3_3_a_soviet_unit_may_pass_through_a_crossing_point_on_its_way() -> None:
    """It comes back to where it began, three hexes away: too far to gain the point by being near."""
    board = field(areas={"crossing points": ["0909"]})
    game = position({"sov-2tk": "0609"}, marching("sov-2tk", seat="soviet"), board=board, path=SELECTION)
    game.apply(by(game, "sov-2tk", "0609", "0909"))
    assert game.state.crossings == ("0909",)


@pytest.mark.clause("12.3.3")
def test_12_3_4_not_by_passing_near() -> None:
    """The only way from 0810 to 0610, both three hexes away, leads over 0709, two hexes away."""
    board = field(areas={"crossing points": [POINT]}, sides={"blocked": walls("0810", "0709", "0610")})
    assert moved({"sov-51": "0810"}, "sov-51", "0610", board).state.crossings == ()
    assert moved({"sov-51": "0810"}, "sov-51", "0709", board).state.crossings == (POINT,)


@pytest.mark.parametrize("guard", ["ger-112", "ger-4pza", "rom-24", "ger-213sec"])
def test_12_3_4_not_while_any_axis_unit_stands_in_it(guard: str) -> None:
    assert moved({"sov-51": "0711", guard: POINT}, "sov-51", "0709").state.crossings == ()


def test_12_3_4_when_the_axis_unit_leaves_it_is_gained() -> None:
    assert moved({"sov-51": "0709", "ger-112": POINT}, "ger-112", "0706").state.crossings == (POINT,)


def test_12_3_4_also_by_retreat_and_by_elimination() -> None:
    retreat = after("R", {"ger-112": POINT, "sov-51": "0708"}, "sov-51", board=FORD)
    assert retreat.state.crossings == (POINT,)
    lost = after("2RR", {"ger-112": POINT, "sov-51": "0708"}, "sov-51", board=FORD)
    assert lost.state.crossings == (POINT,)


def test_12_3_4_also_by_a_soviet_retreat() -> None:
    """A beaten Soviet corps that retreats towards an empty point comes near enough."""
    board = field(areas={"crossing points": ["0712"], "supply soviet": ["0720"]})
    game = after("R", {"sov-51": "0709", "ger-112": "0708"}, "ger-112", target="0709", seat="axis", board=board)
    assert where(game, "sov-51") == ("0710",)
    assert game.state.crossings == ("0712",)


def test_12_3_4_rivers_and_zones_do_not_matter_for_the_distance() -> None:
    board = field(areas={"crossing points": [POINT]}, sides={"major-river": sides_of(POINT), "blocked": sides_of("0709", "0710")})
    game = moved({"sov-51": "0710", "ger-112": "0607"}, "sov-51", "0709", board=board)
    assert game.state.crossings == (POINT,)


@pytest.mark.clause("12.3.3")
def test_12_3_6_it_stays_soviet_though_the_axis_comes_back() -> None:
    game = moved({"ger-112": "0706"}, "ger-112", POINT, crossings=[POINT])
    assert game.state.crossings == (POINT,)
    assert game.state.crossing_points == 1


REAL = ""
"""The map of the game, for 1826, 1827 and Kremenchuk in 1926."""


@pytest.mark.parametrize("guard", ["1826", "1827", "1926"])
def test_12_3_5_one_axis_unit_in_any_of_the_three_hexes_holds_both(guard: str) -> None:
    game = moved({"sov-51": "1724", "ger-112": guard}, "sov-51", "1725", board=REAL)
    assert not {"1826", "1827"} & set(game.state.crossings)
    free = moved({"sov-51": "1724"}, "sov-51", "1725", board=REAL)
    assert {"1826", "1827"} <= set(free.state.crossings)


def test_12_3_5_a_soviet_unit_in_1826_does_not_gain_it_while_kremenchuk_is_held() -> None:
    held = position({"sov-2tk": "1826", "ger-112": "1926"}, marching("sov-2tk", seat="soviet"), board=REAL, path=SELECTION)
    held.apply(offered(held, Move)[0])
    assert not {"1826", "1827"} & set(held.state.crossings)


def test_12_3_5_both_fall_when_the_last_of_the_three_is_left() -> None:
    game = moved({"sov-51": "1725", "ger-112": "1926"}, "ger-112", "1925", board=REAL)
    assert {"1826", "1827"} <= set(game.state.crossings)


@pytest.mark.parametrize(("turn", "gained"), [(5, False), (6, True), (7, True)])
def test_12_3_7_from_turn_7_an_empty_point_falls_wherever_the_soviets_are(turn: int, gained: bool) -> None:
    """Seen at the beginning of the next turn."""
    game = position({"sov-51": "0718"}, path=END, turn=turn, board=FORD, dice=None)
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0707 (12.3.7)"] * gained


@pytest.mark.clause("12.3.5")
def test_12_3_7_it_sets_the_exception_of_kremenchuk_aside() -> None:
    game = moved({"ger-112": "1925", "sov-51": "3341"}, "ger-112", "1926", board=REAL, turn=7)
    assert {"1826", "1827"} <= set(game.state.crossings)


def test_12_3_7_an_axis_unit_holds_it_until_it_leaves() -> None:
    units = {"ger-112": POINT, "sov-51": "0718"}
    held = position(units, path=END, turn=6, board=FORD, dice=None)
    assert held.state.crossings == ()
    assert moved(units, "ger-112", "0706", turn=7).state.crossings == (POINT,)
