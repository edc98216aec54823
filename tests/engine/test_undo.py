"""Undo: it takes back what only its player knows, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import Event, PhaseEntered, Play
from hexwar.engine import _game as game_module
from hexwar.errors import Refusal, RefusalCode
from tests.engine.toy import (
    Bid,
    Do,
    Doing,
    Peek,
    Toy,
    Walk,
    Wish,
    change,
    deeds_game,
    new_game,
    play_on,
    teams_game,
)


def begin(**fields: Any) -> Toy:
    return Toy(track={"north": 0, "south": 0}, **fields)


def undoable(deed: Any, **fields: Any) -> bool:
    game = deeds_game({"x": deed}, begin=begin(**fields))
    game.apply(Do("x"))
    return game.can_undo


def test_undo_gives_back_action_state_log_and_offer() -> None:
    game = new_game()
    log, digest, offered = list(game.events), game.digest, game.legal_actions("north")
    game.apply(Wish(2), "north")
    assert game.can_undo
    assert game.undo("north") == Wish(2)
    assert (game.events, game.digest, game.history) == (log, digest, [])
    assert game.legal_actions("north") == offered
    assert not game.can_undo


def test_what_is_offered_can_be_asked_for_first_of_all_after_an_undo_and_in_a_copy() -> None:
    game = new_game()
    offered = list(game.offered("north"))
    game.apply(Wish(2), "north")
    game.undo("north")
    assert list(game.offered("north")) == offered
    assert list(game.copy().offered("north")) == offered


@given(st.booleans(), st.integers(0, 9), st.lists(st.integers(0, 1000), max_size=60))
def test_undo_always_returns_to_the_digest_and_crosses_no_barrier(teams: bool, seed: int, choices: list[int]) -> None:
    game: Any = teams_game(seed) if teams else new_game(seed)
    marks = [(game.digest, len(game.events), game.state.draws, game.to_move, dict(game.state.known))]
    for choice in choices:
        play_on(game, [choice])
        marks[len(game.history) :] = [(game.digest, len(game.events), game.state.draws, game.to_move, dict(game.state.known))]
        back = choice % 4
        while back and game.can_undo:
            back -= 1
            number = len(game.history)
            game.undo()
            digest, events, draws, asked, known = marks[number - 1]
            assert (game.digest, len(game.events), len(game.history)) == (digest, events, number - 1)
            assert (draws, asked, known) == marks[number][2:]
            assert game.checkpoints == {0: marks[0][0], number - 1: digest}
    twin: Any = teams_game(seed) if teams else new_game(seed)
    for move in game.history:
        twin.apply(move.action, move.seat)
    assert (twin.digest, twin.events, twin.checkpoints) == (game.digest, game.events, game.checkpoints)


def test_nobody_takes_back_what_another_did() -> None:
    game = new_game()
    game.apply(Wish(2), "north")
    for other in ("south",):
        with pytest.raises(Refusal) as caught:
            game.undo(other)
        assert caught.value.code is RefusalCode.UNDO_BARRIER
    game.apply(Wish(1), "south")
    with pytest.raises(Refusal):
        game.undo("north")
    assert game.undo("south") == Wish(1)
    assert game.undo("north") == Wish(2)


def test_nor_does_a_partner_of_the_same_side() -> None:
    game = teams_game()
    game.apply(Wish(2), "n1")
    with pytest.raises(Refusal):
        game.undo("n2")
    with pytest.raises(Refusal, match="n1, n2 sit for north: say which seat"):
        game.undo("north")
    with pytest.raises(Refusal, match="nobody sits at 'east'"):
        game.undo("east")
    assert game.undo("n1") == Wish(2)


def test_the_refusal_does_not_tell_which_barrier_it_was() -> None:
    fresh, other, peeked = new_game(), new_game(), new_game()
    other.apply(Wish(1), "north")
    peeked.apply(Peek(), "south")
    sentences = set()
    for game in (fresh, other, peeked):
        with pytest.raises(Refusal) as caught:
            game.undo("south")
        sentences.add(str(caught.value))
    assert sentences == {"there is nothing to take back since the last draw, reveal or decision of another player"}


# -- barriers ---------------------------------------------------------------------------------------------------------


def test_plain_changes_can_be_undone() -> None:
    assert undoable(lambda play: change(play, round=5))
    assert undoable(lambda play: None)
    assert undoable(lambda play: play.push(Doing()))
    assert undoable(lambda play: change(play, wish={"north": 2}), wish={"south": 1})
    assert undoable(lambda play: play.emit(PhaseEntered("x", "X", clause="9")))


def test_a_draw_cannot_be_undone() -> None:
    assert not undoable(lambda play: play.roll("luck", clause="9"))
    assert not undoable(lambda play: play.draw("cup", [1], clause="9"))


def test_a_declared_reveal_cannot_be_undone() -> None:
    game = new_game()
    game.apply(Wish(1), "north")
    game.apply(Peek(), "north")
    assert not game.can_undo
    with pytest.raises(Refusal):
        game.undo()


def from_the_deck(play: Play) -> None:
    change(play, deck=play.state.deck[1:], table=play.state.deck[:1])


def to_the_hand(play: Play) -> None:
    change(play, deck=play.state.deck[1:], known={"north": play.state.deck[0]})


def from_the_hand(play: Play) -> None:
    change(play, known={}, table=tuple(play.state.known.values()))


def turn_up(play: Play) -> None:
    change(play, cards={card: abs(number) for card, number in play.state.cards.items()})


@pytest.mark.parametrize(
    ("deed", "fields"),
    [
        (from_the_deck, {"deck": (1, 2)}),
        (to_the_hand, {"deck": (1, 2)}),
        (from_the_hand, {"known": {"north": 4}}),
        (turn_up, {"cards": {"a": -5, "b": 2}}),
    ],
)
def test_a_reveal_that_nobody_declared_is_noticed(deed: Any, fields: dict[str, Any]) -> None:
    assert not undoable(deed, **fields)


def test_moving_what_everybody_sees_among_hidden_things_is_no_reveal() -> None:
    """Card a lies face down; b, which lies open, is changed."""
    assert undoable(lambda play: change(play, cards={**play.state.cards, "b": 3}), cards={"a": -5, "b": 2})
    assert undoable(lambda play: change(play, cards={"a": -5}), cards={"a": -5, "b": 2})
    assert undoable(lambda play: change(play, cards={"a": -6}), cards={"a": -5})


def test_a_reveal_in_a_field_that_is_no_mapping_is_noticed() -> None:
    from hexwar.engine import State, Viewer, redacted, state

    @state
    class Hand(State):
        cards: tuple[int, ...] = redacted(lambda value, viewer: tuple(max(card, 0) for card in value), default=())

    viewer = Viewer("north", "north")
    assert Hand(cards=(1, 5)).discloses(Hand(cards=(1, -5)), viewer)
    assert not Hand(cards=(1, -5)).discloses(Hand(cards=(1, -5)), viewer)
    assert not Hand(cards=(2, 5)).discloses(Hand(cards=(1, 5)), viewer)


def test_a_change_of_who_decides_cannot_be_undone() -> None:
    assert not undoable(lambda play: play.push(Doing(("south",))))
    assert not undoable(lambda play: play.push(Doing(("north", "south"))))
    assert not undoable(lambda play: play.end("north", "enough", clause="9"))
    game = new_game()
    game.apply(Bid(), "north")
    assert not game.can_undo


def test_a_barrier_bars_everything_before_it_too() -> None:
    game = deeds_game(
        {"set": lambda play: change(play, round=play.state.round + 1), "roll": lambda play: play.roll("x", clause="9")}
    )
    for deed in ("set", "set", "roll", "set"):
        game.apply(Do(deed))
    game.undo()
    assert not game.can_undo
    assert [move.action for move in game.history] == [Do("set"), Do("set"), Do("roll")]


def test_walking_can_be_taken_back_up_to_the_roll() -> None:
    game = new_game(3)
    for seat in ("north", "south"):
        game.apply(Bid(), seat)
    while game.to_move == ("north",) and len(game.legal_actions()) > 1:
        game.apply(Walk(1))
    walked = game.state.track["north"]
    assert walked > 1
    while game.can_undo:
        assert game.undo() == Walk(1)
    assert game.state.track["north"] == 0
    assert game.history[-1].action == Bid()


def test_a_redaction_that_fails_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = deeds_game({"x": lambda play: change(play, cards={"a": 1})})
    digest, events = game.digest, list[Event](game.events)

    def fail(self: Toy, other: Toy, viewer: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(Toy, "differs_unseen", fail)
    with pytest.raises(ZeroDivisionError):
        game.apply(Do("x"))
    assert (game.digest, game.events, game.history) == (digest, events, [])


# -- checkpoints --------------------------------------------------------------------------------------------------------


def test_checkpoints_are_kept_every_so_often_and_forgotten_by_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_module, "CHECKPOINT_EVERY", 2)
    game = deeds_game({"set": lambda play: change(play, round=play.state.round + 1)})
    digests = [game.digest]
    for _ in range(5):
        game.apply(Do("set"))
        digests.append(game.digest)
    assert game.checkpoints == {number: digests[number] for number in (0, 2, 4, 5)}
    game.undo()
    game.undo()
    assert game.checkpoints == {number: digests[number] for number in (0, 2, 3)}
