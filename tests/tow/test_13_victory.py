"""13.0: what the Soviets score, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.pieces import Selecting, total
from tests.tow.table import BEYOND, CONTENT, END, field, position, sides_of


def points(units: dict[str, str], scenario: str, board: str = "", **more: Any) -> float:
    ground = board or field(areas={"west of the dnieper": BEYOND, "breakthrough": ["0701", "0101"], "supply axis": ["1401"]})
    return float(total(position(units, Selecting(), board=ground, scenario=scenario, **more).query.score(), "soviet"))


@pytest.mark.parametrize(
    ("unit", "with_line", "without"),
    [("sov-2tk", 1, 0.5), ("sov-3m", 1, 0.5), ("sov-51", 0.5, 0.25), ("sov-4gc", 0.5, 0.25), ("sov-18g", 0.5, 0.25)],
)
def test_13_2_4_units_west_of_the_dnieper(unit: str, with_line: float, without: float) -> None:
    assert points({unit: "0705"}, "race") == with_line
    cut = field(areas={"west of the dnieper": BEYOND}, sides={"major-river": sides_of("0705")})
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
    assert points({"sov-voronezh": "0701", "sov-2tk": "0701"}, "campaign") == 5, "a headquarters is no combat unit"


@pytest.mark.parametrize(("turn", "phase", "worth"), [(7, "verdict", 5), (8, "combat", 5), (8, "verdict", 0)])
def test_13_3_6_a_breakthrough_without_a_line_counts_until_the_end_only(turn: int, phase: str, worth: int) -> None:
    cut = field(areas={"breakthrough": ["0705"]}, sides={"major-river": sides_of("0705")})
    assert points({"sov-2tk": "0705"}, "campaign", cut, turn=turn, phase=phase) == worth


def test_13_3_6_a_breakthrough_with_a_line_counts_at_the_end_too() -> None:
    through = field(areas={"breakthrough": ["0705"]})
    assert points({"sov-2tk": "0705"}, "campaign", through, turn=8, phase="verdict") == 5


@pytest.mark.clause("13.3.3")
def test_13_3_6_germans_without_a_line_count_as_destroyed_at_the_end() -> None:
    cut = field(sides={"major-river": [*sides_of("0705"), *sides_of("0905"), *sides_of("1105")]})
    units = {"ger-11pz": "0705", "ger-112": "0905", "rom-24": "1105", "ger-68": "0702"}
    assert points(units, "campaign", cut, turn=8, phase="verdict") == 2 + 1
    assert points(units, "campaign", cut, turn=7, phase="verdict") == 0


def verdict(scenario: str, turn: int, **more: Any) -> str:
    cities = {f"C{number}": f"14{number:02}" for number in range(1, 13)}
    board = field(cities=cities, areas={"west of the dnieper": BEYOND}, sides={"major-river": sides_of("0604")})
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
    tanks = [unit for unit, it in CONTENT.units.items() if it.side == "soviet" and it.mechanized][:20]
    places = iter([f"{row:02}{column:02}" for row in range(1, 7) for column in range(2, 7) for _ in range(2)])
    units = {unit: next(places) for unit in tanks}  # 20 more
    assert verdict("race", 4, crossings=six, units=units) == "soviet"
    assert verdict("race", 3, crossings=six, units=units) == ""
    short = {unit: label for unit, label in units.items() if unit != tanks[0]}
    almost = {**short, "sov-51": "0602", "sov-50": "0604"}  # half a point, and a quarter without a line: 49.75
    assert verdict("race", 4, crossings=six, units=almost) == "axis"
    assert verdict("race", 4, crossings=six, units={**short, "sov-51": "0602", "sov-50": "0603"}) == "soviet"  # 50
