"""A playout: the same game in place, without a way back."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial

import pytest

import hexwar
from hexwar.engine import Action, Event, Play, Playout, TapedChance
from hexwar.errors import Refusal, RefusalCode, RuleBroken, RuleBrokenCode
from tests.engine.toy import Do, Walk, Wish, change, deeds_game, new_game

GAMES = [
    ("bridgehead", None, None, 400),
    ("ava", "training", None, 400),
    ("ava", "smolensk", None, 300),
    ("ava", "campaign", None, 300),
    ("ava", "campaign", "6-players", 300),
    ("tow", "race", None, 300),
    ("wop", "wkra", None, 100),
]


@pytest.mark.parametrize(("ruleset", "scenario", "seats", "most"), GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_playout_is_the_game(ruleset: str, scenario: str | None, seats: str | None, most: int, seed: int) -> None:
    game = hexwar.new_game(ruleset, scenario=scenario, seats=seats, seed=seed)
    playout = game.playout(log=True)
    first, choice, begun = game.state.copy(), random.Random(seed), len(game.events)
    for number in range(most):
        assert playout.to_move == game.to_move
        if not game.to_move:
            break
        seat = choice.choice(game.to_move)
        action = game.offered(seat).sample(choice)
        if number % 50 == 0:
            assert playout.legal_actions(seat) == game.legal_actions(seat)
            assert playout.question(seat).to_json() == game.question(seat).to_json()
            assert playout.view(seat).to_json() == game.view(seat).to_json()
        assert playout.apply(action, seat) == game.apply(action, seat)
        if number % 10 == 0:
            assert playout.digest == game.digest
    assert playout.digest == game.digest
    assert playout.result == game.result
    assert playout.events == game.events[begun:]
    for event in playout.events:
        event.apply(first)
    assert first == playout.state


def test_the_game_stays_where_it_is() -> None:
    game = hexwar.new_game("bridgehead", seed=3)
    choice = random.Random(3)
    for _ in range(30):
        game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
    digest, offers = game.digest, list(game.legal_actions(game.to_move[0]))
    ends = set()
    for _ in range(2):
        playout = game.playout()
        while playout.to_move:
            seat = playout.to_move[0]
            playout.apply(playout.offered(seat).sample(choice), seat)
        ends.add(playout.digest)
    assert len(ends) == 2
    assert (game.digest, list(game.legal_actions(game.to_move[0]))) == (digest, offers)


def test_a_copy_of_a_playout_goes_its_own_way() -> None:
    playout = hexwar.new_game("bridgehead", seed=4).playout(log=True)
    choice = random.Random(4)
    for _ in range(40):
        seat = playout.to_move[0]
        playout.apply(playout.offered(seat).sample(choice), seat)
    digest, events = playout.digest, list(playout.events)
    twin = playout.copy()
    assert twin.digest == digest
    for _ in range(20):
        seat = twin.to_move[0]
        twin.apply(twin.offered(seat).sample(choice), seat)
    assert (playout.digest, playout.events) == (digest, events)
    assert twin.events[: len(events)] == events


def test_a_view_and_a_copied_state_stay_what_they_are() -> None:
    playout = hexwar.new_game("bridgehead", seed=5).playout()
    choice = random.Random(5)
    kept = []
    for _ in range(60):
        seat = playout.to_move[0]
        view = playout.view(seat)
        kept.append((view, view.to_json(), list(view.legal_actions()), playout.state.copy(), playout.digest))
        playout.apply(playout.offered(seat).sample(choice), seat)
    for view, told, offers, state, digest in kept:
        assert view.to_json() == told
        assert list(view.legal_actions()) == offers
        assert state.digest == digest


def test_what_is_not_offered_changes_nothing() -> None:
    game = new_game()
    playout = game.playout()
    before = playout.state.copy()
    wrong: list[tuple[Action | Mapping[str, object], str, RefusalCode]] = [
        (Wish(99), "north", RefusalCode.AGAINST_RULE),
        (Wish(True), "north", RefusalCode.UNKNOWN_ACTION),
        (Walk(1), "east", RefusalCode.UNKNOWN_SEAT),
        (Do("x"), "north", RefusalCode.UNKNOWN_ACTION),
        ({"kind": "nothing"}, "north", RefusalCode.UNKNOWN_ACTION),
    ]
    for action, side, code in wrong:
        reason = game.why_not(action, side)
        assert reason is not None
        assert playout.why_not(action, side) == reason
        with pytest.raises(Refusal) as caught:
            playout.apply(action, side)
        assert caught.value == reason
        assert caught.value.code is code
        assert playout.state == before


def test_events_are_kept_only_if_somebody_asks() -> None:
    game = deeds_game({"x": lambda play: change(play, round=2)})
    silent, telling = game.playout(), game.playout(log=True)
    done: list[Event] = silent.apply(Do("x"))
    assert done
    assert silent.events == []
    assert telling.apply(Do("x")) == done == telling.events
    assert not any(hasattr(silent, name) for name in ("undo", "save", "history"))


def test_a_playout_in_which_a_rule_failed_does_not_go_on() -> None:
    def fail(play: Play) -> None:
        change(play, round=2)
        raise ZeroDivisionError

    def refuse(play: Play) -> None:
        raise Refusal.against("9", "no")

    game = deeds_game({"fail": fail, "refuse": refuse})
    for deed, error in (("fail", ZeroDivisionError), ("refuse", RuleBroken)):
        playout = game.playout()
        with pytest.raises(error):
            playout.apply(Do(deed))
        for going_on in (playout.legal_actions, playout.copy().offered, playout.question, partial(playout.apply, Do("fail"))):
            with pytest.raises(RuleBroken) as caught:
                going_on()
            assert caught.value.code is RuleBrokenCode.UNFINISHED
    assert game.to_move
    assert game.playout().to_move


def test_dice_of_its_own() -> None:
    def roll(play: Play) -> None:
        change(play, table=play.dice("test", clause="9", dice=20))

    game = deeds_game({"roll": roll})
    rolled = [game.playout(seed=seed).apply(Do("roll"))[-1] for seed in (None, 1, 1, "x")]
    assert game.apply(Do("roll"))[-1] == rolled[0] == rolled[1] == rolled[2] != rolled[3]  # a game of deeds has the seed 1


def test_dice_that_act_are_refused() -> None:
    codes = []

    class Meddling:
        playout: Playout

        def randrange(self, stop: int, /) -> int:
            with pytest.raises(Refusal) as caught:
                self.playout.apply(Do("roll"))
            codes.append(caught.value.code)
            return 0

    def roll(play: Play) -> None:
        play.roll("test", clause="9")

    playout = deeds_game({"roll": roll}, chance=TapedChance(Meddling())).playout()
    Meddling.playout = playout
    playout.apply(Do("roll"))
    assert codes == [RefusalCode.BUSY]
