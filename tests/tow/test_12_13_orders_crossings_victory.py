"""12.2, 12.3 and 13.0: cities to be held, crossing points, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, LoseStep, Move, Pursue, Retreat, Selecting, total
from hexwar_tow.content import load_tow
from tests.tow.battles import after, attack, battle
from tests.tow.table import CHIT, END, SELECTION, field, marching, offered, position, sides_of, told, walls, where

CITY = "0707"
HELD = field(cities={"City": CITY, "Other": "0712"})


# -- 12.2 Supreme Command Orders -----------------------------------------------------------------------------------------------


@pytest.mark.clause("13.1.1")
@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_12_2_3_the_fall_of_a_city_with_an_order_ends_the_game(scenario: str) -> None:
    game = position({"sov-51": "0708"}, marching("sov-51", seat="soviet"), board=HELD, orders=[CITY], scenario=scenario)
    game.apply(Move("sov-51", CITY))
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == ("soviet", "13.1.1")


def test_12_2_3_a_city_without_an_order_does_not() -> None:
    game = position({"sov-51": "0713"}, marching("sov-51", seat="soviet"), board=HELD, orders=[CITY], path=SELECTION)
    game.apply(Move("sov-51", "0712"))
    assert game.result is None
    assert game.query.control("0712") == "soviet"


@pytest.mark.clause("12.2.1", "10.5.11")
def test_12_2_3_it_falls_by_pursuit_when_its_defenders_are_gone() -> None:
    units = {"ger-213sec": CITY, "sov-2tk": "0708", "sov-10tk": "0708"}
    game = battle(units, "sov-2tk", "sov-10tk", board=HELD, orders=[CITY], dice=[1])
    attack(game, CITY, "sov-2tk", "sov-10tk")  # 12:1, two to the left is 8:1; a one is RR: two losses
    assert where(game, "ger-213sec") == ("axis eliminated",)
    assert game.result is None
    game.apply(Pursue("sov-2tk", ("0708", CITY)))
    assert game.result is not None
    assert game.result.winner == "soviet"


def test_12_2_3_paratroopers_may_take_it() -> None:
    gone = {unit: "soviet eliminated" for unit, it in load_tow().units.items() if it.start.startswith("soviet group")}
    game = position(
        {**gone, "sov-51": "0713"}, path=CHIT, drawn=["airborne"], cup=["supply"], turn=3, board=HELD, orders=[CITY], dice=[1] * 4
    )
    game.apply(Arrive("sov-18g", CITY))
    assert game.result is not None
    assert game.result.winner == "soviet"


def test_12_2_1_a_headquarters_in_such_a_city_does_not_retreat_either() -> None:
    game = battle(
        {"ger-4pza": CITY, "sov-2tk": "0708", "sov-10tk": "0708"}, "sov-2tk", "sov-10tk", board=HELD, orders=[CITY], dice=[4]
    )
    attack(game, CITY, "sov-2tk", "sov-10tk")  # 12 to 2 is 6:1, 4:1 in the city; RR is two losses
    assert game.to_move == ("axis",)
    assert offered(game, Retreat) == []
    assert offered(game, LoseStep) == []
    game.apply(Arrive("ger-4pza", "0701"))
    assert where(game, "ger-4pza") == ("0701",)
    assert game.state.relocations == {"axis": 1}


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
    assert bool(moved({"sov-51": "0711"}, "sov-51", to).state.crossings) is gained


def test_12_3_3_into_it() -> None:
    game = moved({"sov-2tk": "0711"}, "sov-2tk", POINT)
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0707 (12.3.3)"]


def test_12_3_3_also_by_passing_through() -> None:
    game = moved({"sov-2tk": "0710"}, "sov-2tk", "0704")
    assert told(game.events, "crossing-gained") == ["the Soviets gain the crossing point 0707 (12.3.3)"]


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
    assert bool(game.state.crossings) is gained


@pytest.mark.clause("12.3.5")
def test_12_3_7_it_sets_the_exception_of_kremenchuk_aside() -> None:
    game = moved({"ger-112": "1925", "sov-51": "3341"}, "ger-112", "1926", board=REAL, turn=7)
    assert {"1826", "1827"} <= set(game.state.crossings)


def test_12_3_7_an_axis_unit_holds_it_until_it_leaves() -> None:
    units = {"ger-112": POINT, "sov-51": "0718"}
    held = position(units, path=END, turn=6, board=FORD, dice=None)
    assert held.state.crossings == ()
    assert moved(units, "ger-112", "0706", turn=7).state.crossings == (POINT,)


# -- 13.0 ------------------------------------------------------------------------------------------------------------------------

WEST = [f"{row:02}{column:02}" for row in range(1, 15) for column in range(1, 8)]


def points(units: dict[str, str], scenario: str, board: str = "", **more: Any) -> float:
    ground = board or field(areas={"west of the dnieper": WEST, "breakthrough": ["0701", "0101"], "supply axis": ["1401"]})
    return float(total(position(units, Selecting(), board=ground, scenario=scenario, **more).query.score(), "soviet"))


@pytest.mark.parametrize(
    ("unit", "with_line", "without"),
    [("sov-2tk", 1, 0.5), ("sov-3m", 1, 0.5), ("sov-51", 0.5, 0.25), ("sov-4gc", 0.5, 0.25), ("sov-18g", 0.5, 0.25)],
)
def test_13_2_4_units_west_of_the_dnieper(unit: str, with_line: float, without: float) -> None:
    assert points({unit: "0705"}, "race") == with_line
    cut = field(areas={"west of the dnieper": WEST}, sides={"major-river": sides_of("0705")})
    assert points({unit: "0705"}, "race", cut) == without
    assert points({unit: "0710"}, "race") == 0


@pytest.mark.clause("8.1.11")
def test_13_2_4_a_line_is_traced_markers_do_not_count_and_headquarters_score_nothing() -> None:
    assert points({"sov-2tk": "0705"}, "race", supply={"sov-2tk": "isolated"}) == 1
    assert points({"sov-voronezh": "0705", "ger-112": "0703"}, "race") == 0


@pytest.mark.clause("12.3.1")
def test_13_2_3_all_six_points_and_the_marker_are_thirty() -> None:
    six = [f"14{column:02}" for column in range(1, 7)]
    assert points({}, "race", crossings=six, landed=True) == 30


@pytest.mark.clause("13.3.2")
def test_13_2_2_cities_losses_and_relocations_score_nothing_in_the_race() -> None:
    city = field(cities={"City": "0710"})
    state = {"control": {"0710": "soviet"}, "relocations": {"axis": 2}, "orders": []}
    assert points({"ger-11pz": "axis eliminated"}, "race", city, **state) == 0
    assert points({"ger-11pz": "axis eliminated"}, "campaign", city, **state) == 8 + 2 + 4


@pytest.mark.clause("13.3.3")
def test_13_3_2_each_city_that_the_soviets_hold() -> None:
    cities = field(cities={"One": "0710", "Two": "0712", "Three": "0714"})
    assert points({}, "campaign", cities, control={"0710": "soviet", "0712": "soviet"}, orders=[]) == 16


@pytest.mark.parametrize(
    ("unit", "worth"),
    [("ger-11pz", 2), ("ger-lssah", 2), ("ger-10pg", 1), ("ger-112", 1), ("ger-213sec", 1), ("rom-24", 0), ("hun-2pz", 0)],
)
def test_13_3_3_destroyed_units(unit: str, worth: int) -> None:
    assert points({unit: "axis eliminated"}, "campaign") == worth


def test_13_3_3_reduced_units_and_destroyed_soviets_score_nothing() -> None:
    assert points({"ger-11pz": "0710", "sov-2tk": "soviet eliminated"}, "campaign", reduced=["ger-11pz"]) == 0


@pytest.mark.clause("2.1.4")
def test_13_3_5_five_for_each_soviet_unit_on_a_breakthrough_hex() -> None:
    assert points({"sov-2tk": "0701", "sov-51": "0701", "sov-50": "0101", "ger-112": "1401"}, "campaign") == 15
    assert points({"ger-112": "0701"}, "campaign") == 0
    assert points({"sov-voronezh": "0701"}, "campaign") == 5


@pytest.mark.parametrize(("turn", "phase", "worth"), [(7, "verdict", 5), (8, "combat", 5), (8, "verdict", 0)])
def test_13_3_6_a_breakthrough_without_a_line_counts_until_the_end_only(turn: int, phase: str, worth: int) -> None:
    cut = field(areas={"breakthrough": ["0705"]}, sides={"major-river": sides_of("0705")})
    assert points({"sov-2tk": "0705"}, "campaign", cut, turn=turn, phase=phase) == worth


@pytest.mark.clause("13.3.3")
def test_13_3_6_germans_without_a_line_count_as_destroyed_at_the_end() -> None:
    cut = field(sides={"major-river": [*sides_of("0705"), *sides_of("0905"), *sides_of("1105")]})
    units = {"ger-11pz": "0705", "ger-112": "0905", "rom-24": "1105", "ger-68": "0702"}
    assert points(units, "campaign", cut, turn=8, phase="verdict") == 2 + 1
    assert points(units, "campaign", cut, turn=7, phase="verdict") == 0


def verdict(scenario: str, turn: int, **more: Any) -> str:
    cities = {f"C{number}": f"14{number:02}" for number in range(1, 13)}
    board = field(cities=cities, areas={"west of the dnieper": WEST})
    result = position(
        {"ger-112": "0710", **more.pop("units", {})},
        path=END,
        turn=turn,
        scenario=scenario,
        board=board,
        orders=[],
        dice=None,
        **more,
    ).result
    return result.winner or "nobody" if result else ""


def held(number: int) -> dict[str, str]:
    return {f"14{column:02}": "soviet" for column in range(1, number + 1)}


@pytest.mark.clause("4.4.1")
def test_13_3_1_sixty_five_points_at_the_end_of_any_turn() -> None:
    """Eight cities are 64 points, and an infantry division destroyed is one more."""
    destroyed = {"ger-68": "axis eliminated"}
    assert verdict("campaign", 2, control=held(8)) == ""
    assert verdict("campaign", 2, control=held(8), units=destroyed) == "soviet"
    assert verdict("campaign", 8, control=held(8)) == "axis"
    assert verdict("campaign", 8, control=held(9)) == "soviet"


@pytest.mark.clause("13.2.3", "13.2.4")
def test_13_2_1_fifty_points_and_a_quarter_less() -> None:
    six = [f"13{column:02}" for column in range(8, 14)]  # 30 points
    tanks = [unit for unit, it in load_tow().units.items() if it.side == "soviet" and it.mechanized][:20]
    places = iter([f"{row:02}{column:02}" for row in range(1, 7) for column in range(2, 7) for _ in range(2)])
    units = {unit: next(places) for unit in tanks}  # 20 more
    assert verdict("race", 4, crossings=six, units=units) == "soviet"
    assert verdict("race", 3, crossings=six, units=units) == ""
    short = {unit: label for unit, label in units.items() if unit != tanks[0]}
    assert verdict("race", 4, crossings=six, units={**short, "sov-51": "0602"}) == "axis"  # 49.5
    assert verdict("race", 4, crossings=six, units={**short, "sov-51": "0602", "sov-50": "0603"}) == "soviet"  # 50
