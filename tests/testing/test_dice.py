"""Scripted dice: what a test wrote down, in order, and clear words when the game asks for something else."""

from __future__ import annotations

import copy
import random

import pytest

from hexwar import new_game
from hexwar.engine import SeededChance, TapedChance
from hexwar.testing import ScriptedDice, ScriptError, lot
from hexwar.testing._staging.dice import MoveDice, outcomes_of


def test_faces_come_in_order_as_they_are_printed() -> None:
    dice = ScriptedDice([6, 3, 1])
    assert [dice.randrange(6) for _ in range(3)] == [5, 2, 0]
    assert not dice.left


def test_what_was_not_asked_for_is_left() -> None:
    dice = ScriptedDice([6, lot(2)])
    dice.randrange(6)
    assert dice.left
    assert dice.left == (lot(2),)
    assert repr(dice) == "<dice 6, lot 2; 1 used>"


def test_a_blind_draw_is_named_by_its_number_or_its_name() -> None:
    assert ScriptedDice([lot(2)]).randrange(4) == 2
    assert ScriptedDice([lot("rA", among=("bA", "rA", "supply"))]).randrange(3) == 1


def test_a_lot_that_is_not_there_cannot_be_drawn() -> None:
    with pytest.raises(ScriptError, match="'rC' cannot be drawn: there are bA, rA"):
        lot("rC", among=("bA", "rA"))


def test_running_out_says_what_the_script_was() -> None:
    dice = ScriptedDice([4])
    dice.randrange(6)
    with pytest.raises(ScriptError, match=r"the dice ran out: the script has 4, and draw 2 \(one of 6\) is asked for"):
        dice.randrange(6)


@pytest.mark.parametrize(("entry", "words"), [(7, "faces 1 to 6"), (0, "faces 1 to 6"), (lot(6), "lots 0 to 5")])
def test_what_does_not_fit_is_an_error(entry: int, words: str) -> None:
    with pytest.raises(ScriptError, match=words):
        ScriptedDice([entry]).randrange(6)


def test_another_source_goes_on_where_the_script_ends() -> None:
    dice = ScriptedDice([1], then=random.Random(3))
    assert [dice.randrange(6), dice.randrange(6)] == [0, random.Random(3).randrange(6)]


def test_a_copy_goes_its_own_way() -> None:
    dice = ScriptedDice([1, 2], then=random.Random(3))
    twin = copy.copy(dice)
    assert [twin.randrange(6) for _ in range(3)] == [dice.randrange(6) for _ in range(3)]
    assert copy.copy(ScriptedDice([], then=random.SystemRandom())).randrange(1) == 0


def test_raw_outcomes_of_a_tape() -> None:
    assert ScriptedDice.outcomes([0, 5]).randrange(6) == 0


def test_a_game_draws_from_the_script() -> None:
    game = new_game("bridgehead", chance=ScriptedDice([], then=random.Random(1)))
    assert game.to_move == ("blue", "red")


def test_each_move_has_the_draws_that_it_had() -> None:
    dice = MoveDice(outcomes_of(TapedChance(None, [5, 4, 3])))
    dice.seek(2)
    assert [dice.randrange(6), dice.randrange(6)] == [3, random.Random(3).randrange(6)]
    assert dice.rolled[0] == 3
    assert copy.copy(dice) is dice


def test_the_draws_of_a_seed_go_by_their_numbers() -> None:
    chance = SeededChance(7)
    assert outcomes_of(chance)(4, 6) == chance.draw(4, 6)
    assert outcomes_of(TapedChance(None, [1]), [9])(0, 6) == 3
