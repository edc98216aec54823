"""What a notebook shows: pictures of boards, views and games, and never a secret."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.board import AreaBoard
from hexwar.engine import Picture
from hexwar.plugins import use_plugins
from hexwar.render import board_svg, game_svg
from hexwar.testing import imagined
from tests.facade.toys import toys


def test_a_board_shows_itself() -> None:
    board = hexwar.load_board("bridgehead/crossing")
    assert board._repr_mimebundle_(include=None, exclude=None) == {"text/plain": repr(board), "image/svg+xml": board_svg(board)}


def test_a_view_shows_what_its_seat_sees_and_a_game_what_everybody_may() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    view = game.view("blue")
    assert view._repr_mimebundle_()["image/svg+xml"] == game_svg(view)
    assert repr(view) == "<bridgehead crossing as blue sees it, blue, red to move>"
    assert repr(game.view(None)) == "<bridgehead crossing as everybody may see it, blue, red to move>"
    shown = game._repr_mimebundle_()
    assert shown == {"text/plain": repr(game.view(None)), "image/svg+xml": game_svg(game.view(None))}
    assert game.playout()._repr_mimebundle_()["image/svg+xml"] == shown["image/svg+xml"]


def test_a_game_with_other_secrets_shows_the_same() -> None:
    game, chance, compared = hexwar.new_game("tow", "training", seed=1), random.Random(1), 0
    for _ in range(15):
        for seat in game.world.seats:
            twin = imagined(game, seat, chance)
            if twin is not None:
                compared += 1
                assert twin.view(seat)._repr_mimebundle_() == game.view(seat)._repr_mimebundle_()
                assert twin._repr_mimebundle_() == game._repr_mimebundle_()
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
    assert compared >= 4


def test_other_boards_and_games_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    use_plugins(toys(tmp_path))
    try:
        assert "image/svg+xml" in hexwar.load_board("islands/five", kind=AreaBoard)._repr_mimebundle_()
        for ruleset in ("islands", "skirmish"):
            assert hexwar.new_game(ruleset, seed=1)._repr_mimebundle_()["image/svg+xml"].startswith("<svg")
        game = hexwar.new_game("islands", seed=1)
        monkeypatch.setattr(type(game.ruleset), "picture", lambda rules, at: Picture())
        assert game._repr_mimebundle_() == {"text/plain": repr(game.view(None))}
    finally:
        use_plugins(None)


def test_the_renderer_is_imported_when_somebody_looks() -> None:
    code = (
        "import sys, hexwar\n"
        "game = hexwar.new_game('bridgehead', seed=1)\n"
        "assert 'hexwar.render._picture' not in sys.modules\n"
        "game._repr_mimebundle_()\n"
        "assert 'hexwar.render._picture' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_secret_decision_does_not_show() -> None:
    """Given that both sides select chits in secret, when one has done so, then neither picture nor text tells it."""
    game = hexwar.new_game("bridgehead", seed=2)
    before = game._repr_mimebundle_()
    game.apply(game.question("blue").example, "blue")
    assert game._repr_mimebundle_() == before
