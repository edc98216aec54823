"""Random games, replays and delta debugging."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hexwar import new_game
from hexwar.engine import Action, Game
from hexwar.errors import Refusal
from hexwar.mechanics import ControlTaken, Move
from hexwar.testing import minimise, moves_of, play_at_random, replay_moves
from tests.engine import toy


def a_town_was_taken(game: Game) -> bool:
    return any(isinstance(event, ControlTaken) for event in game.events)


def moves_until_error(seed: int) -> list[tuple[str, Action]]:
    """The moves of a random toy game that ends with a KeyError, or none."""
    game, chance = toy.new_game(seed), random.Random(seed)
    moves: list[tuple[str, Action]] = []
    while game.to_move:
        seat = game.to_move[0]
        moves.append((seat, game.offered(seat).sample(chance)))
        try:
            game.apply(moves[-1][1], seat)
        except KeyError:
            return moves
    return []


def test_a_playout_comes_to_its_end() -> None:
    played = play_at_random(new_game("bridgehead", seed=1), random.Random(1))
    assert played.finished
    assert played.game.result is not None
    assert list(played.moves) == moves_of(played.game)


def test_a_playout_stops_when_told() -> None:
    steps: list[Action] = []
    played = play_at_random(
        new_game("bridgehead", seed=1),
        random.Random(1),
        stop_after=7,
        on_step=lambda game, seat, action, events: steps.append(action),
    )
    assert not played.finished
    assert len(played.moves) == len(steps) == 7


def test_moves_are_replayed_in_every_form() -> None:
    game = play_at_random(new_game("bridgehead", seed=1), random.Random(1), stop_after=20).game
    as_saved = [{"seat": move.seat, "action": move.action.to_json()} for move in game.history]
    for moves in (moves_of(game), game.history, as_saved):
        again = new_game("bridgehead", seed=1)
        assert replay_moves(again, moves) == moves_of(game)
        assert again.digest == game.digest


def test_what_is_not_offered_is_refused_or_passed_over() -> None:
    moves = [("blue", Move("b1", "0304"))]
    with pytest.raises(Refusal):
        replay_moves(new_game("bridgehead", seed=1), moves)
    assert replay_moves(new_game("bridgehead", seed=1), moves, skip=True) == []


def test_a_game_is_minimised_in_about_a_second() -> None:
    found = play_at_random(new_game("bridgehead", seed=5), random.Random(5))
    shorter = minimise(lambda: new_game("bridgehead", seed=5), found.moves, a_town_was_taken, seconds=20)
    assert len(shorter) < len(found.moves) / 3
    again = new_game("bridgehead", seed=5)
    replay_moves(again, shorter)
    assert a_town_was_taken(again)


def test_time_that_runs_out_leaves_what_was_found_so_far() -> None:
    found = play_at_random(new_game("bridgehead", seed=5), random.Random(5))
    shorter = minimise(lambda: new_game("bridgehead", seed=5), found.moves, a_town_was_taken, seconds=0)
    again = new_game("bridgehead", seed=5)
    replay_moves(again, shorter)
    assert a_town_was_taken(again)


def test_an_error_is_minimised_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    perform = toy.Walking.perform

    def fail(self: Any, play: Any, seat: str, action: Any) -> None:
        if play.state.round == 2 and action.steps == 1:
            raise KeyError("one")
        perform(self, play, seat, action)

    monkeypatch.setattr(toy.Walking, "perform", fail)
    seed = next(seed for seed in range(50) if moves_until_error(seed))
    moves = moves_until_error(seed)
    shorter = minimise(lambda: toy.new_game(seed), moves, KeyError)
    assert shorter[-1][1] == toy.Walk(1)
    assert len(shorter) < len(moves)


def test_moves_without_the_fault_stay_as_they_are() -> None:
    moves = list(play_at_random(toy.new_game(1), random.Random(1)).moves)
    assert minimise(lambda: toy.new_game(1), moves, lambda game: False) == moves


def test_a_fault_at_the_beginning_needs_no_move() -> None:
    moves = list(play_at_random(toy.new_game(1), random.Random(1)).moves)
    assert minimise(lambda: toy.new_game(1), moves, lambda game: True) == []
