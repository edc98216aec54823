"""Hostile bots: each is refused or put up with, and the game stays what it was."""

from __future__ import annotations

import copy

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once
from hexwar.errors import Refusal
from hexwar.testing.hostile import HOSTILE


def _begun(ruleset: str) -> hexwar.Game:
    """A game in which one seat decides."""
    game, chance = hexwar.new_game(ruleset, seed=3), KeyedChance(3)
    while len(game.to_move) > 1 or len(game.history) < 12:
        move_once(game, {seat: RandomBot() for seat in game.world.seats}, chance)
    return game


@pytest.mark.parametrize("ruleset", ["bridgehead", "ava", "tow", "wop"])
@pytest.mark.parametrize(
    ("name", "error"),
    [("crashing", ZeroDivisionError), ("leaving", SystemExit), ("idle", Refusal), ("lying", Refusal), ("cheating", Refusal)],
)
def test_it_changes_nothing(name: str, error: type[BaseException], ruleset: str) -> None:
    game, bot = _begun(ruleset), HOSTILE[name]()
    (seat,) = game.to_move
    if name == "cheating":  # honest once, with something that cannot be done twice
        before = game.copy()
        for _ in range(20):
            move_once(game, {seat: bot}, KeyedChance(1))
            if game.to_move != (seat,) or game.why_not(bot.choose(game.view(seat), KeyedChance(1)), seat) is not None:
                break
        assert len(game.history) > len(before.history)
        (seat,) = game.to_move
    digest, length = game.digest, len(game.history)
    with pytest.raises(error):
        move_once(game, {seat: bot}, KeyedChance(1))
    assert (game.digest, len(game.history)) == (digest, length)
    move_once(game, {seat: RandomBot()}, KeyedChance(1))  # another takes over
    assert len(game.history) == length + 1


@pytest.mark.parametrize("ruleset", ["bridgehead", "ava", "tow", "wop"])
def test_what_it_writes_into_its_view_reaches_nobody(ruleset: str) -> None:
    game = _begun(ruleset)
    (seat,) = game.to_move
    twin = copy.copy(game)
    spoilt = HOSTILE["meddling"]().choose(game.view(seat), KeyedChance(1))
    assert game.digest == twin.digest
    assert game.state == twin.state
    assert game.apply(spoilt, seat) == twin.apply(spoilt, seat)
    assert game.digest == twin.digest


def test_a_slow_one_is_waited_for() -> None:
    game = _begun("bridgehead")
    (seat,) = game.to_move
    assert move_once(game, {seat: HOSTILE["slow"]()}, KeyedChance(1))
