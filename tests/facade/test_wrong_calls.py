"""A wrong call is answered by a sentence that says what to pass."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import hexwar
from hexwar.errors import HexwarError
from hexwar.render import board_svg, game_svg


@pytest.fixture(scope="module")
def game() -> hexwar.Game:
    return hexwar.new_game("bridgehead", seed=2)


CALLS: list[tuple[Callable[[Any], object], str]] = [
    (
        lambda _: hexwar.new_game("bridgehead", options=["barrage"]),
        "options are a mapping from names to values, such as {'barrage': True}",
    ),
    (
        lambda _: hexwar.new_game("bridgehead", seats=["blue"]),
        "seats are the name of a seating or a mapping from seats to sides, such as",
    ),
    (lambda _: hexwar.new_game(3), "a name is a string, not 3"),
    (lambda _: hexwar.load_board(3), 'a board is an id such as "ava/campaign" or the path of a map file, not int'),
    (lambda _: hexwar.load_game(3), "a save is the path of a file or an object with read_text, not int"),
    (lambda _: hexwar.position({"ruleset": "bridgehead"}), "a position is the path of a TOML file or its content as a string"),
    (lambda _: hexwar.position("seed = 3\n"), "no key of a position is called 'seed'"),
    (
        lambda _: hexwar.position("[units]\nb1 = '0304'\n"),
        'ruleset: is missing: write the id of a game, such as ruleset = "bridgehead"',
    ),
    (lambda game: game.question(), "blue, red decide at the same time: say which side, for example 'blue'"),
    (lambda game: game.after("x"), "after takes a number of actions, not 'x'"),
    (lambda game: game.query.odds("b5", "0504"), "attackers are a list of units, such as ['b5'], not the string 'b5'"),
    (lambda game: game.query.supply("xx"), "no unit or hex is called 'xx'"),
    (lambda game: game.query.supply("0504"), "say for which side 0504 is to be in supply: supply('0504', 'blue')"),
    (lambda game: game.query.retreats("b5", "2"), "a retreat is 1 to 9 hexes long, not '2'"),
    (lambda _: game_svg("x"), "game_svg draws a game or a view, not the string 'x'"),
    (lambda game: game_svg(game.world.board), "game_svg draws a game or a view, not a Board: use board_svg"),
    (lambda game: game_svg(game, only="0504"), "only is a list of places, such as ['0504'], not the string '0504'"),
    (lambda game: game_svg(game, marked="0504"), "marked is a list of places, such as ['0504'], not the string '0504'"),
    (lambda game: game_svg(game, scale="x"), "the scale is the pixels of a hex, from 8 to 400, not 'x'"),
    (
        lambda _: board_svg("bridgehead/crossing"),
        "board_svg draws a board, not the string 'bridgehead/crossing': pass hexwar.load_board('bridgehead/crossing')",
    ),
    (lambda game: board_svg(game), "board_svg draws a board, not a Game: pass game.world.board"),
]


@pytest.mark.parametrize(("call", "sentence"), CALLS, ids=[sentence[:40] for _, sentence in CALLS])
def test_a_wrong_call_is_told_what_to_pass(call: Callable[[Any], object], sentence: str, game: hexwar.Game) -> None:
    with pytest.raises(HexwarError) as caught:
        call(game)
    assert sentence in str(caught.value)


def test_an_action_that_two_sides_could_do_needs_a_side() -> None:
    game = hexwar.new_game("bridgehead", seed=2)
    for seat in game.to_move:
        while game.question(seat).asks == "select":
            game.apply(game.question(seat).example, seat)
    ready = next(action for action in game.legal_actions("blue") if type(action).__name__ == "Ready")
    with pytest.raises(hexwar.Refusal, match="blue, red could do this: say which side does, for example 'blue'"):
        game.apply(ready)


def test_dir_has_nothing_but_the_facade() -> None:
    assert [name for name in dir(hexwar) if not name.startswith("__")] == sorted(hexwar.__all__)
    assert "__version__" in dir(hexwar)
