"""The map as text."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.board import Board, BoardContent, HexContent, load_map
from hexwar.engine import Picture, Piece
from hexwar.hexes import Hex
from hexwar.table import textmap
from hexwar.table.textmap import text_map

POINTY = """
format = 1
id = "small/rows"
[grid]
layout = "rows"
columns = 3
rows = 2
shifted = "even"
shift = "east"
[terrain]
legend = { "." = "clear", "w" = "woods" }
rows = '''
. w .
. . .
'''
[sides]
river = ["0101/E"]
"""


def test_flat_hexes_share_their_sides() -> None:
    board = Board(BoardContent(id="two", hexes={Hex(0, 0): HexContent(("A",), "clear"), Hex(1, 0): HexContent(("B",), "marsh")}))
    assert text_map(Picture(board)) == "\n".join(
        [
            "  ______",
            " /  A   \\",
            "/        \\______",
            "\\        /  B   \\",
            " \\______/        \\",
            "        \\ marsh  /",
            "         \\______/",
        ]
    )


def test_pointy_hexes_and_a_river() -> None:
    text = text_map(Picture(load_map(POINTY)))
    assert "0101" in text
    assert "woods" in text
    assert text.count("~") == 3 + 1
    assert text.endswith("\n~ river")
    assert len({len(line) for line in text.splitlines()}) > 1


def test_plain_ascii_without_colour() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    plain, coloured = text_map(game.picture), text_map(game.picture, colour=True)
    assert plain.isascii()
    assert "\x1b" not in plain
    assert "\x1b[" in coloured
    assert "rA r5" in plain


def test_a_crowd_is_counted() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    for unit in ("b1", "b2", "b3"):
        game._state.put(unit, "0204")
    assert "bA+3" in text_map(game.picture)


def test_a_large_board_is_shown_around_the_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textmap, "MOST_HEXES", 10)
    game = hexwar.position('ruleset = "bridgehead"\n[units]\nb1 = "0504"\nr1 = "turn 2"')
    text = text_map(game.picture)
    assert "0303" in text
    assert "0901" not in text
    game._state.remove("b1")
    assert "0901" in text_map(game.picture)


def test_a_heading_stands_behind_the_id_of_its_piece() -> None:
    board = load_map(POINTY)
    pieces = (Piece("b1", "0101", "blue", heading=60), Piece("b2", "0201", "blue"), Piece("b3", "0301", "blue", heading=0))
    text = text_map(Picture(board, pieces))
    assert "b1>60" in text
    assert "b3>0" in text
    assert "b2>" not in text
    assert text.endswith("> heading in degrees clockwise from the top; ~ river")
    assert "heading" not in text_map(Picture(board, pieces[1:2]))
