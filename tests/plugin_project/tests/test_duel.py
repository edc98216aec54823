"""The duel's own tests, as its author would write them."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.testing import ScriptedDice, conformance_suite

TestDuel = conformance_suite("duel")

FACE_TO_FACE = """
ruleset = "duel"
units = {north = "0202", south = "0102"}
"""


def test_a_strike_that_hits_twice_wins() -> None:
    game = hexwar.position(FACE_TO_FACE, chance=ScriptedDice([6, 5]))
    for action in ("strike", "wait", "strike"):
        [chosen] = [each for each in game.legal_actions() if str(each) == action]
        game.apply(chosen)
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == ("north", "3.2")


def test_nobody_enters_the_pond() -> None:
    game = hexwar.position(FACE_TO_FACE)
    with pytest.raises(hexwar.Refusal) as caught:
        game.apply({"kind": "go", "to": "0302"})
    assert caught.value.clause == "2.2"


def test_whoever_waits_draws() -> None:
    game = hexwar.new_game("duel", seed=1)
    while game.to_move:
        game.apply(game.legal_actions()[0])
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == (None, "4.1")
