"""Chits are conserved and secret, and whole games keep what must hold."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game, Position
from hexwar.mechanics import ChitWorld, Ready, Select
from tests.bridgehead.helpers import scenario


def random_game(seed: int, options: dict[str, bool] | None = None) -> tuple[random.Random, Game[Any, Any]]:
    return random.Random(seed), scenario(random.Random(seed + 1000), options)


@pytest.mark.parametrize("seed", range(4))
def test_no_chit_is_lost_or_seen(seed: int) -> None:
    chance, game = random_game(seed)
    in_play: Counter[str] = Counter()
    while game.to_move:
        seat = chance.choice(game.to_move)
        chosen = game.state.selected
        for side in ("blue", "red"):
            seen = game.view(side).state
            assert seen.selected == ({side: chosen[side]} if side in chosen else {})
            assert set(seen.cup) <= {"?"}
            assert len(seen.cup) == len(game.state.cup)
        for event in game.apply(game.offered(seat).sample(chance), seat):
            if event.kind == "chit-selected":
                in_play.update([event.chit])  # type: ignore[attr-defined]
            elif event.kind == "cup-filled":
                in_play["supply"] += 1
                assert event.count == sum(in_play.values())  # type: ignore[attr-defined]
            elif event.kind == "chit-drawn":
                in_play.subtract([event.chit])  # type: ignore[attr-defined]
        assert min(in_play.values(), default=0) >= 0
        held = Counter(chit for chits in game.state.selected.values() for chit in chits)
        assert +in_play == +(held + Counter(game.state.cup))
    assert not +in_play, "every cup was drawn empty" if game.result and game.result.clause == "14.3" else ""


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_keep_the_invariants_and_equal_states_offer_the_same(seed: int) -> None:
    chance, game = random_game(seed, options={"barrage": bool(seed % 2)})
    while game.to_move:
        for invariant in game.ruleset.invariants:
            assert invariant.broken(game.position) is None
        # The same value, made anew from its JSON form, must offer the same choices in the same order.
        twin = game.ruleset.bare(game.world).with_json(game.state.to_json(), game.ruleset.step_types)
        assert twin == game.state
        for seat in game.to_move:
            at = Position(game.world, twin)
            assert list(twin.stack[-1].actions(at, seat)) == game.legal_actions(seat)
            assert twin.stack[-1].prompt(at, seat) in game.prompt(seat)
        seat = chance.choice(game.to_move)
        game.apply(game.offered(seat).sample(chance), seat)


def test_sentences() -> None:
    assert (str(Select("bA")), str(Ready())) == ("select bA", "selection made")


def test_a_ruleset_says_which_chits_there_are() -> None:
    bare = ChitWorld.__new__(ChitWorld)
    with pytest.raises(NotImplementedError):
        bare.chits_to_choose(None, "blue")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError):
        bare.clause("chits.draw")
    assert bare.common_chits(None) == ()  # type: ignore[arg-type]


def test_the_bundled_game_plays_to_its_end() -> None:
    chance = random.Random(5)
    game = hexwar.new_game("bridgehead", seed=5)
    while game.to_move:
        seat = chance.choice(game.to_move)
        game.apply(game.offered(seat).sample(chance), seat)
    assert game.result is not None
    assert game.result.winner in ("blue", "red")
