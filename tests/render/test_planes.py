"""Pictures of planes: bases as large as they are, turned to their heading, and ground that can be told apart."""

from __future__ import annotations

import re

import pytest

from hexwar.board import PlaneBoard
from hexwar.engine import Colours, Piece
from hexwar.facade import load_board
from hexwar.render import board_svg, ground, piece_svg
from hexwar.render._terrain import link_line, look

COLOURS = Colours("#1f5a9e", "#ffffff", "#0e2f57")


def test_a_base_is_drawn_as_large_as_it_is_and_turned() -> None:
    piece = Piece("b1", (100, 100), "blue", symbol="infantry", heading=45, base=(300, 200), levels=(1, 2))
    based = piece_svg(piece, COLOURS, 1 / 600)
    assert 'transform="rotate(45)"' in based
    assert 'width="0.5"' in based
    assert 'height="0.33"' in based
    assert ">b1</text>" in based
    flat = piece_svg(piece, COLOURS)
    assert 'width="0.5"' in flat
    assert 'height="0.5"' in flat, "without a scale it is a counter"
    assert 'class="base"' not in flat


def test_a_spent_piece_on_a_base_is_pale() -> None:
    piece = Piece("b1", (100, 100), heading=0, base=(300, 200), state=("spent",))
    assert 'opacity="0.55"' in piece_svg(piece, COLOURS, 1 / 600)


def test_nothing_is_drawn_beyond_the_table() -> None:
    board = load_board("bkc/mokra", kind=PlaneBoard)
    svg = board_svg(board)
    clip = re.search(r'<clipPath id="([^"]+)"', svg)
    assert clip is not None
    assert svg.count(f'clip-path="url(#{clip[1]})"') == 3, "zones, crests and lines"
    assert ground(board).scale == pytest.approx(0.5 / board.piece)


def test_hills_have_contours_and_other_ground_its_drawing() -> None:
    svg = board_svg(load_board("bkc/mokra", kind=PlaneBoard))
    patterns = set(re.findall(r'fill="url\(#([^)]+)\)"', svg))
    assert len(patterns) == 4, "woods, houses, rough ground and a bog"
    assert svg.count('opacity="0.6"') == 3, "contours of three hills"


@pytest.mark.parametrize(("one", "other"), [("wall", "hedge"), ("hedge", "trench"), ("stream", "ford"), ("bridge", "wall")])
def test_lines_of_different_kinds_look_different(one: str, other: str) -> None:
    assert link_line(one) != link_line(other)


def test_water_is_blue_and_a_village_has_houses() -> None:
    assert look("pond").fill == look("river").fill == look("lake").fill
    assert look("built-up") == look("village") == look("town")
