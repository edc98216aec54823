"""14.0 The optional rules: bids for the Soviets, and the Ukrainian Fronts."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive
from hexwar.pieces import Done
from hexwar.pieces._bidding import Bid
from hexwar_tow.state import WAITING
from hexwar_tow.supply import SupplyCheck
from hexwar_tow_optional.ukrainian_fronts import Rename
from tests.tow.table import BEYOND, CHIT, COMBAT, END, LUFTWAFFE, field, offered, phases, position, refused, told, where

BIDS = {"bidding": True}
FRONTS = {"ukrainian-fronts": True}


def bid(axis: int, soviet: int, scenario: str = "race") -> Game:
    game = hexwar.new_game("tow", scenario, seed=1, options=BIDS)
    game.apply(Bid(axis), "axis")
    game.apply(Bid(soviet), "soviet")
    return game


def test_14_1_1_the_higher_bid_is_what_the_soviets_need() -> None:
    game = bid(40, 52)
    assert told(game.events, "soviet-taken") == ["the player at the soviet seat has the Soviet and needs 52 points (14.1.1)"]
    assert game.query.points_needed() == {"soviet": (52, "14.1.1")}
    assert bid(60, 52).query.points_needed()["soviet"][0] == 60
    assert bid(70, 52, "campaign").query.points_needed()["soviet"][0] == 70


def test_14_1_1_bids_are_secret_until_both_are_made() -> None:
    one, two = (hexwar.new_game("tow", "race", seed=1, options=BIDS) for _ in range(2))
    one.apply(Bid(40), "axis")
    two.apply(Bid(55), "axis")
    assert one.view("soviet").to_json() == two.view("soviet").to_json()


def test_14_1_1_equal_bids_are_made_again() -> None:
    game = bid(50, 50)
    assert set(game.to_move) == {"axis", "soviet"}
    game.apply(Bid(50), "axis")
    game.apply(Bid(51), "soviet")
    assert game.query.points_needed()["soviet"][0] == 51


def test_14_1_1_without_the_option_the_scenario_decides() -> None:
    assert hexwar.new_game("tow", "race", seed=1).query.points_needed()["soviet"] == (50, "13.2.1")
    assert hexwar.new_game("tow", "campaign", seed=1).query.points_needed()["soviet"] == (65, "13.3.1")


def fronts(turn: int, **more: Any) -> Game:
    units = {"sov-voronezh": "0715", "sov-steppe": "0915", "sov-51": "0714"}
    return position(units, path=LUFTWAFFE, turn=turn, options=FRONTS, dice=None, **more)


@pytest.mark.parametrize("turn", [3, 5])
def test_14_2_1_only_at_the_start_of_turn_4(turn: int) -> None:
    assert "fronts" not in phases(fronts(turn).events)
    game = fronts(4)
    assert game.to_move == ("soviet",)
    assert offered(game, Rename) == [Rename("sov-voronezh"), Rename("sov-steppe")]


@pytest.mark.clause("2.3.6")
def test_14_2_1_also_one_that_waits_off_the_map_for_a_hex() -> None:
    """It waits on in its new form, and the next supply check places that."""
    game = position({"sov-voronezh": WAITING, "sov-51": "0714"}, path=LUFTWAFFE, turn=4, options=FRONTS, dice=None)
    game.apply(Rename("sov-voronezh"))
    assert where(game, "sov-1ukr") == (WAITING,)
    assert "sov-voronezh" not in game.state.locations
    beyond = COMBAT[0], COMBAT[1] + 1, COMBAT[2]  # the option puts a phase before it
    later = position({"sov-1ukr": WAITING}, SupplyCheck(), path=beyond, turn=4, options=FRONTS)
    later.apply(Arrive("sov-1ukr", "0718"))
    assert where(later, "sov-1ukr") == ("0718",)


@pytest.mark.clause("2.3.16")
def test_14_2_1_any_of_them_may_be_exchanged_and_stays_where_it_is() -> None:
    game = fronts(4)
    game.apply(Rename("sov-steppe"))
    assert where(game, "sov-2ukr", "sov-voronezh") == ("0915", "0715")
    assert "sov-steppe" not in game.state.locations
    refused(game, Rename("sov-steppe"), "14.2.1")
    game.apply(Done())
    assert game.state.phase == "selection"


def test_14_2_1_the_chits_of_a_front_activate_its_new_headquarters() -> None:
    game = position({"sov-1ukr": "0715", "sov-51": "0714"}, path=CHIT, drawn=["voronezh-2"])
    assert set(game.state.active) == {"sov-1ukr", "sov-51"}


def test_14_2_1_without_the_option_nobody_is_asked() -> None:
    game = position({"sov-voronezh": "0715"}, path=LUFTWAFFE, turn=4, dice=None)
    assert "fronts" not in phases(game.events)


@pytest.mark.clause("14.2.1")
def test_14_1_1_both_together() -> None:
    game = hexwar.new_game("tow", "campaign", seed=1, options={**BIDS, **FRONTS})
    game.apply(Bid(60), "axis")
    game.apply(Bid(66), "soviet")
    assert game.query.points_needed()["soviet"] == (66, "14.1.1")


@pytest.mark.parametrize(("needed", "winner"), [(50, "soviet"), (51, "axis")])
def test_14_1_1_whoever_does_not_reach_his_bid_loses(needed: int, winner: str) -> None:
    crossings = [f"13{column:02}" for column in range(1, 11)]
    board = field(areas={"west of the dnieper": BEYOND, "crossing points": crossings})
    bids = bid(40, needed).state.notes
    state = {"crossings": crossings, "notes": {name: list(note) for name, note in bids.items()}}
    game = position({"ger-112": "0710"}, path=END, turn=4, scenario="race", board=board, options=BIDS, **state)
    assert game.result is not None
    assert (game.result.winner, game.result.scores) == (winner, {"soviet": 50})
