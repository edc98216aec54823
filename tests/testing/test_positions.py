"""Positions in three lines, and what they look like in a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexwar import load_game
from hexwar.engine import Game, Sequencing
from hexwar.errors import ContentError, HexwarError
from hexwar.mechanics import Attack, Attacking, Join, Move, Moving, Resolve
from hexwar.testing import ScriptedDice, describe, position
from tests.engine import toy

POINTY = """
format = 1
id = "small"
title = "Small"
[grid]
layout = "rows"
shifted = "even"
shift = "east"
columns = 3
rows = 3
[terrain]
legend = { "." = "clear", "w" = "woods" }
rows = '''
. . w
. . .
. . .
'''
"""


def test_units_stand_where_they_are_put() -> None:
    game = position("bridgehead", units={"b1": "0304", "r1": {"at": "0404", "steps": 1}}, step=Moving("blue", ("b1",)), turn=2)
    assert game.state.locations == {"b1": "0304", "r1": "0404"}
    assert game.state.steps_left == {"b1": 2, "r1": 1}
    assert (game.state.turn, game.to_move) == (2, ("blue",))
    assert Move("b1", "0303") in game.legal_actions()


def test_the_dice_fall_as_the_test_says() -> None:
    """8.6: one die decides in the column."""
    units: dict[str, str | dict[str, object]] = {"b1": "0303", "b2": "0304", "r1": {"at": "0404", "steps": 1}}
    dice = ScriptedDice([6])
    game = position("bridgehead", units=units, step=Attacking("blue", ("b1", "b2")), turn=6, dice=dice)
    for action in (Attack("0404"), Join("b1"), Join("b2")):
        game.apply(action)
    assert "rolled 6" in " ".join(map(str, game.apply(Resolve())))
    assert not dice.left


def test_once_its_steps_are_done_the_sequence_of_play_begins() -> None:
    game = position("bridgehead", units={"b1": "0304", "r1": "0804"}, step=Moving("blue", ("b1",)), turn=2, dice=[])
    game.apply(game.legal_actions()[0])
    assert game.state.turn == 3


def test_several_steps_wait_below_each_other() -> None:
    steps = (Sequencing((1,)), Moving("red", ("r1",)), Moving("blue", ("b1",)))
    game = position("bridgehead", units={"b1": "0304", "r1": "0804"}, step=steps)
    game.apply(game.legal_actions()[0])
    assert game.to_move == ("red",)


def test_a_position_can_be_saved_and_loaded(tmp_path: Path) -> None:
    game = position(
        "bridgehead", units={"b1": "0304", "r1": "0804"}, step=Moving("blue", ("b1",)), control={"0204": "red"}, seed=4
    )
    game.apply(Move("b1", "0303"))
    game.save(tmp_path / "game.json")
    assert load_game(tmp_path / "game.json").digest == game.digest


def test_options_and_another_board() -> None:
    game = position("bridgehead", units={"b1": "0101"}, step=Moving("blue", ("b1",)), options={"barrage": True}, board=POINTY)
    assert game.world.options["barrage"] is True
    assert "0101: b1/2" in describe(game)
    assert describe(game).splitlines()[6].split() == ["|", "0101", "|", "0201", "|", "0301", "|"]


def test_fields_whose_names_are_taken() -> None:
    assert position("bridgehead", state={"turn": 4}, step=Moving("blue", ()), units={"b1": "0304"}, cup=("bA",)).state.turn > 4


def test_what_is_wrong_with_a_position_is_said() -> None:
    with pytest.raises(ContentError, match="b99"):
        position("bridgehead", units={"b99": "0304"})
    with pytest.raises(ValueError, match="cannot be None"):
        position("bridgehead", result=None)


def test_a_ruleset_that_is_not_installed() -> None:
    game = position(toy.RULESET, step=toy.Walking("north", 3), round=2, dice=[4])
    assert game.state.round == 2
    assert game.legal_actions() == [toy.Walk(1), toy.Walk(2), toy.Walk(3)]
    assert position(toy.RULESET).to_move == ("north", "south")


def test_a_ruleset_that_is_not_installed_has_no_other_board_and_no_units() -> None:
    with pytest.raises(HexwarError, match="not installed"):
        position(toy.RULESET, board="other")
    with pytest.raises(ValueError, match="cannot place units"):
        position(toy.RULESET, units={"b1": "0304"})


def test_the_picture_shows_units_steps_and_neighbours() -> None:
    game = position(
        "bridgehead", units={"b1": "0304", "r1": {"at": "0404", "steps": 1}, "r7": "turn 2"}, step=Moving("blue", ("b1",))
    )
    text = describe(game)
    assert "blue: Move units: b1. (7.1)" in text
    assert ":   b1   :" in text, "on the road"
    assert "Stara" in text
    assert "0304: b1/2\n0404: r1/1\nturn 2: r7/2\n" in text


def test_the_picture_of_a_board_that_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    game = position("bridgehead", units={"b1": "0304"})
    monkeypatch.setattr(Game, "picture", property(lambda self: 1 // 0))
    assert "(the map cannot be drawn: ZeroDivisionError" in describe(game)
    assert "\n0304: b1/2\n" in describe(game)


def test_the_picture_of_a_game_that_is_over() -> None:
    game = toy.new_game()
    toy.play_on(game, range(100))
    assert "over: " in describe(game)


def test_the_picture_of_a_game_whose_prompt_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, at: object, seat: str) -> str:
        raise ValueError("no words")

    monkeypatch.setattr(toy.Bidding, "prompt", fail)
    assert "north: its prompt fails with ValueError('no words')" in describe(toy.new_game())
