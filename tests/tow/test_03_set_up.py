"""3.0 Setting up the game."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive
from hexwar.pieces import Done, Select
from tests.tow.table import CONTENT, SET_UP, field, offered, position, refused

UNITS = CONTENT.units


def game(scenario: str = "campaign", *options: str) -> Game:
    return hexwar.new_game("tow", scenario, seed=1, options=dict.fromkeys(options, True))


# -- 3.0 set-up --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.2.8", "3.0.5", "3.0.8", "2.2.10")
def test_3_0_1_everybody_begins_on_his_hex_or_in_his_box_in_full_strength_and_in_supply() -> None:
    start = game()
    assert all(start.state.locations[unit] == it.start for unit, it in UNITS.items())
    assert all(start.state.steps_left[unit] == it.steps for unit, it in UNITS.items())
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
    assert all(start.state.locations[unit] == "ukrainian fronts" for unit in ("sov-1ukr", "sov-2ukr", "sov-3ukr", "sov-4ukr"))


@pytest.mark.clause("3.0.3", "4.2.0.7", "4.2.2.1")
def test_3_0_4_in_turn_1_only_chits_of_headquarters_and_reinforcements_can_be_chosen() -> None:
    start = game("campaign", "auto-setup")
    assert start.state.turn == 1
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
    refused(start, Arrive("ger-444sec", "2918"), "3.0.7", "already")
    refused(start, Arrive("ger-444sec", "2917"), "3.0.7", "no major city")
    assert Done() not in start.legal_actions()
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
