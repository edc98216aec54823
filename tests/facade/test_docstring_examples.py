"""The names that people call most have an example in their docstring, which runs."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.render import game_svg
from hexwar.studies import Plan, simulate

CALLED = [
    *(hexwar.new_game, hexwar.load_game, hexwar.load_board, hexwar.position, game_svg, simulate),
    *(Game.question, Game.legal_actions, Game.why_not, Game.apply, Game.view, Game.log, Game.undo, Game.playout),
]


@pytest.mark.parametrize("called", CALLED, ids=lambda called: called.__name__)
def test_the_example_runs(called: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"hexwar": hexwar, "game_svg": game_svg, "Plan": Plan, "simulate": simulate}
    [example] = doctest.DocTestFinder(recurse=False).find(called, globs=names)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
