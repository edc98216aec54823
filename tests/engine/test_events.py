"""Events: who may see them, and that they alone change a state."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import Event, GameEnded, LotDrawn, PhaseEntered, Result, Sight, StepPopped, StepPushed, Viewer, record
from hexwar.engine._events import DiceRolled
from tests.engine.toy import BidMade, Peeked, SomebodyBid, Toy, Walked, Walking, Wished, new_game, play_on, teams_game

NORTH, SOUTH = Viewer("n1", "north"), Viewer("s1", "south")


def test_an_event_that_does_not_say_who_sees_it_is_no_class() -> None:
    with pytest.raises(TypeError, match=r"the event Quiet must say who may see it: sight = Sight\.PUBLIC, OWNER or NOBODY"):

        @record
        class Quiet(Event[Toy]):
            kind = "quiet"
            who: str

    with pytest.raises(TypeError, match="the event Loud must say"):

        @record
        class Loud(Event[Toy]):
            kind = "loud"
            sight = "public"  # type: ignore[assignment]


def test_an_owners_secret_without_an_owner_is_no_class() -> None:
    with pytest.raises(TypeError, match="the event Orphan is its owner's secret, so it needs a field `side`"):

        @record
        class Orphan(Event[Toy]):
            kind = "orphan"
            sight = Sight.OWNER
            who: str


def test_sight_and_owner_are_inherited() -> None:
    @record
    class WishedAgain(Wished):
        kind = "wished-again"
        times: int = 2

    assert WishedAgain("n1", 3).seen_by(SOUTH) is None
    assert WishedAgain("n1", 3).kind == "wished-again"


def test_an_event_without_apply_fails_instead_of_doing_nothing() -> None:
    @record
    class Idle(Event[Toy]):
        kind = "idle"
        sight = Sight.PUBLIC
        clause: str = field(default="9", kw_only=True)

    with pytest.raises(NotImplementedError, match="the event Idle does not say how it changes the state"):
        Idle().apply(Toy())  # type: ignore[abstract]


def test_each_sight_shows_the_event_to_whom_it_should() -> None:
    walked, wished, bid = Walked("north", 2), Wished("n1", 2), BidMade("n1", 2)
    assert walked.seen_by(NORTH) is walked.seen_by(SOUTH) is walked
    assert wished.seen_by(NORTH) is wished
    assert wished.seen_by(SOUTH) is None
    assert bid.seen_by(SOUTH) == SomebodyBid("n1", clause="1")
    assert Peeked("north", 1).seen_by(NORTH) == Peeked("north", 1)
    assert StepPopped().seen_by(NORTH) is None
    assert LotDrawn("cup", 3, clause="2").seen_by(NORTH) is None


def test_the_engines_own_events_change_what_they_say() -> None:
    state = Toy()
    for event in [
        StepPushed(Walking("north", 1)),
        StepPushed(Walking("south", 1)),
        StepPopped(),
        PhaseEntered("bid", "Bidding", clause="1"),
        DiceRolled("walk", (1, 2), clause="2"),
        LotDrawn("cup", 3, clause="2"),
        GameEnded(Result("north", "won", "4"), clause="4"),
    ]:
        event.apply(state)
    assert (state.stack, state.phase, state.draws) == ([Walking("north", 1)], "bid", 3)
    assert state.result == Result("north", "won", "4")


def test_events_read_as_lines_of_a_log_and_have_a_json_form() -> None:
    assert str(PhaseEntered("bid", "Bidding", clause="1")) == "== Bidding =="
    assert str(DiceRolled("walk", (1, 2), clause="2")) == "walk: rolled 1 + 2"
    assert str(GameEnded(Result("north", "won", "4"), clause="4")) == "north wins: won (4)"
    assert str(Walked("north", 1)) == "walked (2)"
    pushed = StepPushed(Walking("north", 1)).to_json()
    assert pushed == {"kind": "step-pushed", "clause": "", "step": {"kind": "walking", "seat": "north", "left": 1}}
    assert Walked("north", 1).to_json() == {"kind": "walked", "clause": "2", "side": "north", "steps": 1}


@given(st.booleans(), st.integers(0, 50), st.lists(st.integers(0, 1000), max_size=80))
def test_folding_all_events_over_the_first_state_gives_the_last(teams: bool, seed: int, choices: list[int]) -> None:
    game: Any = teams_game(seed) if teams else new_game(seed)
    play_on(game, choices)
    state = game.first_state.copy()
    for event in game.events:
        event.apply(state)
    assert state == game.state
    assert state.digest == game.digest
    assert state.farthest == game.state.farthest
