"""Secrets: what views, logs, offers, prompts and refusals may not tell."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import Action, ActionSet, Explained, Game, Position, Sight, World, record
from hexwar.errors import Refusal, RefusalCode
from tests.engine.toy import (
    TEAMS,
    Bid,
    BidMade,
    Do,
    Doing,
    Peek,
    Peeked,
    SomebodyBid,
    Toy,
    Walk,
    Wish,
    Wished,
    deeds_game,
    new_game,
    play_on,
    teams_game,
)


def all_that(game: Game[Toy, World], seat: str) -> tuple[object, ...]:
    """Everything that the engine tells a seat."""
    view = game.view(seat)
    refusals = []
    for action in (Wish(1), Wish(9), Walk(3), Bid(), Peek()):
        refusals.append(game.why_not(action, seat))
    offered = game.legal_actions(seat) if seat in game.to_move else None
    query: object = view.query
    return (
        view.to_json(),
        view.state,
        view.legal_actions(),
        repr(game.log(seat)),
        [str(e) for e in game.log(seat)],
        refusals,
        offered,
        query,
    )


def test_a_secret_decision_is_in_nothing_that_the_others_get() -> None:
    quiet, busy = new_game(), new_game()
    busy.apply(Wish(3), "north")
    busy.apply(Peek(), "north")
    assert all_that(busy, "south") == all_that(quiet, "south")
    assert all_that(busy, "north") != all_that(quiet, "north")


def test_neither_the_other_side_nor_a_partner_sees_what_a_seat_does_in_secret() -> None:
    quiet, busy = teams_game(), teams_game()
    busy.apply(Wish(3), "n1")
    for seat in ("n2", "s1", "s2"):
        assert all_that(busy, seat) == all_that(quiet, seat)
    assert busy.log("n1")[-1] == Wished("n1", 3)
    assert busy.view("n1").state.wish == {"n1": 3}


def test_an_outline_tells_that_something_was_done_and_not_what() -> None:
    one, two = teams_game(), teams_game()
    one.apply(Wish(3), "n1")
    for game in (one, two):
        game.apply(Bid(), "n1")
    assert one.log("n1")[-1] == BidMade("n1", 3)
    assert one.log("s1")[-1] == two.log("s1")[-1] == SomebodyBid("n1", clause="1")
    assert all_that(one, "s1") == all_that(two, "s1")
    assert one.to_move == ("n2", "s1", "s2")


def test_the_log_for_everybody_has_only_what_all_see_in_full() -> None:
    game = new_game()
    game.apply(Wish(3), "north")
    game.apply(Bid(), "north")
    game.apply(Bid(), "south")
    assert [event.kind for event in game.log()] == ["phase-entered", "dice-rolled"]
    assert all(event.sight is Sight.PUBLIC for event in game.log())
    assert [event.kind for event in game.log("south")] == ["phase-entered", "somebody-bid", "bid-made", "dice-rolled"]
    assert [event.kind for event in game.log("north")] == ["phase-entered", "wished", "bid-made", "somebody-bid", "dice-rolled"]


def test_four_seats_of_two_sides_bid_at_once_and_the_best_walks_for_his_side() -> None:
    game = teams_game()
    assert game.to_move == tuple(TEAMS)
    game.apply(Wish(2), "s2")
    for seat in ("s2", "n1", "s1", "n2"):
        game.apply(Bid(), seat)
    assert game.to_move == ("s2",)
    game.apply(Walk(1))
    assert game.state.track == {"north": 0, "south": 1}
    assert game.view("n1").side == "north"


def test_a_side_with_several_seats_is_not_a_seat() -> None:
    game = teams_game()
    for look in (game.view, game.log):
        with pytest.raises(Refusal) as caught:
            look("north")
        assert caught.value.code is RefusalCode.AMBIGUOUS_SEAT
        with pytest.raises(Refusal, match="nobody sits at 'east'; the seats are n1, n2, s1, s2"):
            look("east")
    one_each = new_game(seats={"alice": "north", "bob": "south"})
    assert one_each.view("north").viewer == ("alice", "north")


# -- views ------------------------------------------------------------------------------------------------------------


def test_a_view_has_neither_stack_nor_draws_and_defaults_for_what_is_hidden() -> None:
    game = new_game()
    game.apply(Wish(2), "north")
    for choice in range(6):
        play_on(game, [choice])
    game._state.deck = (9, 9)
    data: Any = game.view("south").to_json()
    assert data.keys() == {"seat", "side", "to_move", "state", "question"}
    assert not {"stack", "draws"} & data["state"].keys()
    assert data["state"]["deck"] == [1, 2, 3]
    assert game.view("south").state.stack == []
    assert game.view("south").state.draws == 0
    json.dumps(data)


def test_the_owner_sees_his_own_and_the_others_do_not() -> None:
    game = new_game()
    game.apply(Peek(), "north")
    assert game.view("north").state.known == {"north": 1}
    assert game.view("south").state.known == {}
    assert game.log("north")[-1] == Peeked("north", 1)


def test_a_view_shows_prompt_and_actions_to_those_who_are_asked_only() -> None:
    game = new_game()
    game.apply(Bid(), "north")
    north, south = game.view("north"), game.view("south")
    assert (north.prompt, list(north.legal_actions()), north.to_move) == ("", [], ("south",))
    assert south.prompt == "Bid from 0 to 3. (1)"
    assert south.legal_actions() == game.legal_actions("south")
    assert south.result is None
    assert south.side == "south"


def test_a_view_samples_what_it_offers_and_answers_what_if() -> None:
    game = new_game()
    view = game.view("north")
    chance = random.Random(1)
    assert {view.sample(chance) for _ in range(200)} == set(view.legal_actions())
    assert view.query_if(view.state.copy()) is None
    game.apply(Bid(), "north")
    with pytest.raises(LookupError, match="nothing is offered"):
        game.view("north").sample(chance)


def test_an_old_view_stays_as_it_was() -> None:
    game = new_game()
    view = game.view("north")
    before = view.to_json()
    play_on(game, range(30))
    assert view.to_json() == before


def test_everybody_sees_the_verdict() -> None:
    game = new_game()
    play_on(game, range(1000))
    assert game.view("south").result == game.result is not None
    assert game.view("south").legal_actions() == []


@given(st.booleans(), st.integers(0, 9), st.lists(st.integers(0, 1000), max_size=40), st.integers(0, 3))
def test_other_secrets_than_his_own_never_reach_a_seat(teams: bool, seed: int, choices: list[int], which: int) -> None:
    """Two games that differ only in what a seat may not know are the same game to it."""
    game: Game[Toy, World] = teams_game(seed) if teams else new_game(seed)
    play_on(game, choices)
    seat = list(game.world.seats)[which % len(game.world.seats)]
    twin = game.copy()
    twin._state = game._state.copy()
    twin._state.deck = (7, 8, 9)
    for field in (twin._state.wish, twin._state.bids, twin._state.known):
        for owner in field:
            if owner != seat:
                field[owner] = 3 - field[owner]
    twin._state.draws += 5
    assert all_that(twin, seat) == all_that(game, seat)


# -- what is said to a seat is said from its view --------------------------------------------------------------------------


@record
class Telltale(Doing):
    """A step that would tell the top card if it knew it."""

    kind = "telltale"

    def prompt(self, at: Position, seat: str) -> str:
        return f"The top card is {at.state.deck[0]}, {at.state.known}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        return Explained(
            Doing.actions(self, at, seat), lambda action: Refusal.against("9", f"not with {at.state.deck[0]} on top")
        )


def tell(at: Position, seat: str, action: Action) -> Refusal | None:
    if at.state.deck[0] > 50 and action == Do("b"):
        return Refusal(RefusalCode.AGAINST_RULE, "9", f"{at.state.deck[0]} is above 50")
    return None


def test_prompts_and_refusals_know_no_more_than_the_player() -> None:
    begin = Toy(track={"north": 0, "south": 0}, deck=(77,), known={"north": 4, "south": 5})
    game = deeds_game({"a": lambda play: None}, step=Telltale(), begin=begin)
    assert game.prompt() == game.view("north").prompt == "The top card is 1, {'north': 4}. (9)"
    assert str(game.why_not(Do("b"))) == "9: not with 1 on top"


def test_a_veto_decides_by_the_truth_and_explains_by_what_the_player_knows() -> None:
    begin = Toy(track={"north": 0, "south": 0}, deck=(77,))
    game = deeds_game({"a": lambda play: None, "b": lambda play: None}, begin=begin, hooks={"veto": (tell,)})
    assert game.legal_actions() == [Do("a")]
    assert str(game.why_not(Do("b"))) == "9: Do(deed='b') is not possible now"
