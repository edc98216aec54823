"""2.0 and 3.0: what the text tells of counters, chits, markers and the set-up, and the counters on which other tests rely."""

from __future__ import annotations

from collections import Counter

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive, Select
from hexwar_tow.content import load_tow
from tests.tow.table import SET_UP, field, offered, position, refused

CONTENT = load_tow()
UNITS = CONTENT.units
RELIED_UPON = {
    "ger-112 ger-68 ger-75 ger-88 ger-57": ("infantry", (3, 3, 5), (1, 1, 5)),
    "ger-11pz ger-19pz": ("armour", (5, 4, 7), (3, 2, 7)),
    "ger-reich ger-totenkopf ger-wiking": ("armour", (7, 6, 7), (4, 3, 7)),
    "ger-213sec": ("security", (1, 1, 5), None),
    "rom-24": ("infantry", (2, 2, 4), (1, 1, 4)),
    "ger-4pza": ("hq", (2, 2, 6), None),
    "ger-8a": ("hq", (2, 2, 5), None),
    "sov-51 sov-50 sov-52 sov-47": ("infantry", (4, 4, 4), (2, 2, 4)),
    "sov-23g": ("infantry", (5, 5, 4), (3, 3, 4)),
    "sov-2tk sov-10tk sov-31tk": ("armour", (6, 4, 6), (3, 2, 6)),
    "sov-3m": ("mechanized", (5, 5, 6), (3, 3, 6)),
    "sov-voronezh sov-steppe": ("hq", (2, 2, 5), None),
}


def game(scenario: str = "campaign", *options: str) -> Game:
    return hexwar.new_game("tow", scenario, seed=1, options=dict.fromkeys(options, True))


@pytest.mark.parametrize("names", RELIED_UPON)
def test_2_2_4_the_counters_that_other_tests_rely_on(names: str) -> None:
    arm, *faces = RELIED_UPON[names]
    for name in names.split():
        unit = UNITS[name]
        printed = [(face.attack, face.defence, face.move) for face in unit.faces]
        assert (unit.arm, printed) == (arm, [values for values in reversed(faces) if values])
        assert unit.command == (4 if arm == "hq" else 0)


# -- 2.2 combat units --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "nation", "arm"),
    [
        ("ger-17pz", "german", "armour"),
        ("ger-15", "german", "infantry"),
        ("ger-46", "german", "infantry"),
        ("ger-223", "german", "infantry"),
        ("sov-73", "soviet", "infantry"),
        ("sov-66", "soviet", "infantry"),
        ("sov-23tk", "soviet", "armour"),
        ("sov-9m", "soviet", "mechanized"),
        ("sov-18g", "guards", "airborne"),
    ],
)
def test_2_2_9_the_units_that_the_examples_name_are_there(name: str, nation: str, arm: str) -> None:
    assert (UNITS[name].nation, UNITS[name].arm) == (nation, arm)


@pytest.mark.clause("2.2.2", "2.2.3")
def test_2_2_1_arms_of_five_nations() -> None:
    assert {unit.nation for unit in UNITS.values()} == {"german", "romanian", "hungarian", "soviet", "guards"}
    mechanised = {unit.arm for unit in UNITS.values() if unit.mechanized}
    assert mechanised == {"armour", "mechanized"}
    assert {unit.arm for unit in UNITS.values()} - mechanised == {"infantry", "mountain", "cavalry", "airborne", "security", "hq"}


def test_2_2_6_most_combat_units_have_two_steps() -> None:
    steps = Counter(unit.steps for unit in UNITS.values() if unit.arm != "hq")
    assert set(steps) == {1, 2}
    assert steps[2] > steps[1]


def test_2_2_10_groups_of_the_soviets_and_boxes_of_the_axis() -> None:
    """PR has only German mechanised units, IR only other German ones, AR only allies."""
    for unit in UNITS.values():
        if unit.start == "axis PR":
            assert unit.nation == "german"
            assert unit.mechanized
        elif unit.start == "axis IR":
            assert unit.nation == "german"
            assert not unit.mechanized
        elif unit.nation in ("romanian", "hungarian"):
            assert unit.start == "axis AR"
        assert not unit.start.startswith("soviet") or unit.side == "soviet"


def test_2_2_11_each_replacement_finds_units_of_its_kind_at_the_start() -> None:
    at_start = {unit.arm for unit in UNITS.values() if unit.side == "soviet" and unit.start.isdigit()}
    assert {unit.arm for unit in UNITS.values() if unit.replacement} <= at_start


@pytest.mark.clause("2.2.12")
def test_1_2_1_the_box_has_303_small_counters_and_18_large_ones() -> None:
    markers = dict(CONTENT.markers.counters)
    assert markers.pop("box") == 303
    armour = [unit for unit in UNITS.values() if unit.arm == "armour"]
    assert len(UNITS) + len(armour) + sum(markers.values()) == 303
    assert len(CONTENT.chits) == 18
    assert markers["luftwaffe"] == 4
    assert markers["supreme_command_order"] == 6


# -- 2.3 headquarters and 2.4 chits ------------------------------------------------------------------------------------


@pytest.mark.clause("2.3.16", "14.2.1")
def test_2_3_11_four_axis_headquarters_four_fronts_and_their_better_versions() -> None:
    leaders = [unit for unit in UNITS.values() if unit.is_headquarters]
    assert Counter((unit.side, unit.start == "ukrainian fronts") for unit in leaders) == {
        ("axis", False): 4,
        ("soviet", False): 4,
        ("soviet", True): 4,
    }
    for old, new in (
        ("sov-voronezh", "sov-1ukr"),
        ("sov-steppe", "sov-2ukr"),
        ("sov-southwest", "sov-3ukr"),
        ("sov-south", "sov-4ukr"),
    ):
        before, after = UNITS[old].faces[-1], UNITS[new].faces[-1]
        assert after.attack > before.attack
        assert after.defence > before.defence
        assert after.move > before.move


@pytest.mark.clause("4.2.1.1", "4.2.2.1")
def test_2_4_2_every_headquarters_has_a_chit() -> None:
    called = Counter(leader for chit in CONTENT.chits.values() for leader in chit.activates)
    assert set(called) == {unit.id for unit in UNITS.values() if unit.is_headquarters}
    assert all(number == (1 if UNITS[leader].side == "axis" else 2) for leader, number in called.items())


# -- 3.0 set-up --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.2.8", "3.0.5", "3.0.8", "2.2.10")
def test_3_0_1_everybody_begins_on_his_hex_or_in_his_box_in_full_strength_and_in_supply() -> None:
    start = game()
    assert all(start.state.at[unit] == it.start for unit, it in UNITS.items())
    assert all(start.state.steps[unit] == it.steps for unit, it in UNITS.items())
    assert start.state.supply == {}


@pytest.mark.clause("5.0.2", "5.0.6")
def test_3_0_1_the_set_up_keeps_the_stacking_limits() -> None:
    start = game()
    stacks = {label: units for label, units in start.state.layout.stacks.items() if label in start.world.board}
    for label, units in stacks.items():
        assert len({UNITS[unit].side for unit in units}) == 1, label
        assert sum(UNITS[unit].arm == "hq" for unit in units) <= 1, label
        assert sum(UNITS[unit].arm != "hq" for unit in units) <= 2, label


def test_3_0_2_the_ukrainian_fronts_are_not_on_the_map() -> None:
    start = game()
    assert all(start.state.at[unit] == "ukrainian fronts" for unit in ("sov-1ukr", "sov-2ukr", "sov-3ukr", "sov-4ukr"))


@pytest.mark.clause("3.0.3", "4.2.0.7")
def test_3_0_4_in_turn_1_only_chits_of_headquarters_and_reinforcements_can_be_chosen() -> None:
    start = game("campaign", "auto-setup")
    start.apply(start.legal_actions("soviet")[0])
    while start.state.phase != "selection":
        start.apply(start.legal_actions("soviet")[0])
    assert {action.chit for action in offered(start, Select, "axis")} == {"4pza", "8a", "1pza", "6a"}
    soviet = {action.chit for action in offered(start, Select, "soviet")}
    assert soviet == {f"{front}-{n}" for front in ("voronezh", "steppe", "southwest", "south") for n in (1, 2)} | {
        "reinforcements"
    }


@pytest.mark.clause("2.5.4")
def test_3_0_6_the_orders_and_their_cities() -> None:
    start = game()
    assert {label: start.world.cities[label] for label in start.state.orders} == {
        "2634": "Kharkiv",
        "2918": "Kyiv",
        "0218": "Odesa",
        "2305": "Ternopil",
        "1338": "Stalino",
        "1631": "Dnipropetrovsk",
    }


def test_3_0_7_security_divisions_go_to_any_three_major_cities_one_to_each() -> None:
    start = game()
    cities = set(start.world.cities)
    assert start.to_move == ("axis",)
    assert {action.to for action in offered(start, Arrive) if action.unit == "ger-213sec"} == cities
    start.apply(Arrive("ger-213sec", "2918"))
    refused(start, Arrive("ger-444sec", "2918"), "3.0.7")
    refused(start, Arrive("ger-444sec", "2917"), "3.0.7")
    start.apply(Arrive("ger-444sec", "0218"))
    start.apply(Arrive("ger-454sec", "2305"))
    assert start.state.phase == "opening"


def test_3_0_7_a_city_next_to_the_enemy_will_do() -> None:
    board = field(cities={"K": "0707", "P": "0903", "S": "0503"})
    units = {"sov-51": "0708", "ger-112": "0903", "ger-68": "0903"}
    start = position(units, path=SET_UP, board=board, dice=None)
    assert {action.to for action in offered(start, Arrive)} == {"0707", "0503"}
    refused(start, Arrive("ger-213sec", "0903"), "5.0.2")


@pytest.mark.clause("2.1.2", "2.5.1", "12.3.2", "13.3.1")
def test_3_0_9_nothing_is_soviet_and_nothing_scores() -> None:
    for scenario in ("race", "campaign"):
        start = game(scenario)
        assert set(start.state.control.values()) == {"axis"}
        assert (start.state.crossing_points, start.query.score()) == (0, ())


@pytest.mark.clause("2.1.7", "12.3.5")
def test_2_1_5_sources_crossing_points_and_breakthroughs_of_the_map() -> None:
    start = game()
    board = start.world.board
    west = max(int(label[2:]) for label in start.world.supply.sources["axis"])
    east = min(int(label[2:]) for label in start.world.supply.sources["soviet"])
    assert west < east
    assert {"1826", "1827"} < set(start.world.crossing_hexes)
    assert board.adjacent("1826", "1926")
    assert board.adjacent("1827", "1926")
    assert board.adjacent("1826", "1827")
    assert all(
        unit in start.world.supply.supplied_units(start, UNITS[unit].side)
        for unit, label in start.state.at.items()
        if label in board
    )
