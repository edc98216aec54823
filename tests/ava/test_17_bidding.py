"""17.1 The players bid points for the Axis, in secret."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.pieces import total
from hexwar.pieces._bidding import BID, TIES, Bid
from hexwar_ava.supply import SupplyCheck
from hexwar_ava_optional.bidding import Bidding
from tests.ava.table import of_kind, position, refused, seen, told
from tests.handmade import Script

ON = {"bidding": True}


def game_of(*chance: int, scenario: str = "training", **options: bool) -> Game:
    return hexwar.new_game("ava", scenario, options={**ON, **options}, chance=Script(*chance))


def bid(game: Game, axis: int, soviet: int) -> list[Any]:
    """Both bid, the Soviets first."""
    return [*game.apply(Bid(soviet), "soviet"), *game.apply(Bid(axis), "axis")]


def test_17_1_1_bids_come_before_everything_else() -> None:
    game = game_of(scenario="leningrad")
    assert game.to_move == ("axis", "soviet")
    assert game.prompt("axis") == "Bid points for the Axis, up to 108; the scenario asks for 54. (17.1.1)"
    assert [str(action) for action in game.legal_actions("soviet")[:2]] == ["bid 1", "bid 2"]
    assert len(game.legal_actions("axis")) == 108
    bid(game, 50, 40)
    assert game.state.phase == "set-up"


def test_17_1_1_the_higher_bid_has_the_axis_and_has_to_reach_it() -> None:
    game = game_of()
    events = bid(game, 15, 9)
    assert told(events, "bids-opened", "axis-taken") == [
        "the bids are axis 15, soviet 9 (17.1.1)",
        "the player at the axis seat has the Axis and needs 15 points (17.1.1)",
    ]
    assert game.state.notes == {BID: ("15", "axis")}
    assert game.state.sealed == {}
    assert game.query.points_needed() == {"axis": (15, "17.1.1")}


def test_17_1_1_if_the_other_player_bid_more_they_exchange_chairs() -> None:
    events = bid(game_of(), 9, 15)
    assert told(events, "axis-taken") == [
        "the player at the soviet seat has the Axis and needs 15 points; the players exchange chairs (17.1.1)"
    ]


@pytest.mark.parametrize(("needed", "winner"), [(0, "axis"), (1, "axis"), (2, "soviet")])
def test_17_1_1_the_bid_decides_the_game(needed: int, winner: str) -> None:
    """One full German mechanized unit is one point."""
    units = {"ger-1pz": "L0431", "su-8a": "L1619"}
    notes = {BID: [str(needed), "soviet"]}
    game = position(units, SupplyCheck(6), board="", scenario="training", options=ON, turn=4, notes=notes, control={})
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == (winner, "17.1.1")
    assert game.result.reason == f"the Axis has 1 points and needs {needed}"
    assert total(game.query.score(), "axis") == 1


def test_17_1_1_without_the_option_the_scenario_decides() -> None:
    game = hexwar.new_game("ava", "training", seed=1)
    assert game.query.points_needed() == {"axis": (12, "16.4.2")}
    assert game.why_not(Bid(3), "axis").code == "unknown-action"  # type: ignore[union-attr]


def test_17_1_1_equal_bids_are_made_again() -> None:
    game = game_of()
    bid(game, 20, 20)
    assert game.to_move == ("axis", "soviet")
    assert game.state.notes == {TIES: ("20",)}
    assert "The last bids were equal, 20 points." in game.prompt("axis")
    bid(game, 21, 20)
    assert game.state.notes == {BID: ("21", "axis")}


@pytest.mark.parametrize(("roll", "side"), [(1, "axis"), (3, "axis"), (4, "soviet"), (6, "soviet")])
def test_17_1_1_the_third_time_the_die_decides(roll: int, side: str) -> None:
    game = game_of(roll)
    for points in (20, 19):
        bid(game, points, points)
    events = bid(game, 12, 12)
    assert told(events, "dice-rolled") == [f"equal bids: rolled {roll} (17.1.1)"]
    assert game.state.notes == {BID: ("12", side)}


def test_17_1_1_a_bid_has_its_limits() -> None:
    game = game_of()
    for points in (-1, 0, 25, 999):
        refused(game, Bid(points), "17.1.1", "1 to 24 points", side="axis")
    game.apply(Bid(24), "axis")
    with pytest.raises(hexwar.Refusal) as caught:
        game.apply(Bid(3), "axis")
    assert caught.value.code is hexwar.RefusalCode.NOT_YOUR_TURN


@pytest.mark.parametrize(("first", "second"), [("axis", "soviet"), ("soviet", "axis")])
def test_17_1_1_nobody_learns_a_bid_before_he_has_made_his(first: str, second: str) -> None:
    """Whatever the other one bid: view, log, prompt, offers, refusals and undo are the same."""
    looks = []
    for points in (1, 7, 24):
        game = game_of()
        game.apply(Bid(points), first)
        refusals = [str(game.why_not(action, second)) for action in (Bid(25), Bid(points + 100), Bid(-1))]
        with pytest.raises(hexwar.Refusal) as undo:
            game.undo(second)
        looks.append(
            (seen(game, second), [text.replace(str(points + 100), "n") for text in refusals], str(undo.value), game.can_undo)
        )
        assert game.view(second).state.sealed == {}
        assert game.view(first).state.sealed == {first: (str(points),)}
        assert told(game.log(second), "bid-sealed", "bid-made") == [f"{first} has made a bid (17.1.1)"]
        assert told(game.log(first), "bid-made") == [f"{first} bids {points} (17.1.1)"]
        assert of_kind(game.log(), "bid-made") == []
    assert looks[0] == looks[1] == looks[2]


def test_17_1_1_an_opened_bid_cannot_be_taken_back() -> None:
    game = game_of()
    bid(game, 9, 8)
    assert not game.can_undo


def test_17_1_1_the_sequence_of_play_keeps_its_places() -> None:
    game = game_of()
    lines = game.world.sequence.outline()
    assert lines[:3] == ["Opening [17.1.1], if players bid for the axis", "  Bidding [17.1.1]", "  Set-up [4.0.2]"]
    plain = hexwar.new_game("ava", "training", seed=1).world.sequence
    assert game.world.sequence.nodes[1:] == plain.nodes[1:]


def test_17_1_1_a_saved_game_keeps_sealed_bids(tmp_path: Any) -> None:
    game = hexwar.new_game("ava", "training", seed=1, options=ON)
    game.apply(Bid(11), "soviet")
    game.save(tmp_path / "sealed.hexwar")
    again: Game = hexwar.load_game(tmp_path / "sealed.hexwar")
    assert again.digest == game.digest
    assert isinstance(again.state.stack[-1], Bidding)
    again.apply(Bid(10), "axis")
    assert again.state.notes == {BID: ("11", "soviet")}
