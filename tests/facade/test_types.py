"""What a type checker and an editor know about hexwar in the hands of library users and ruleset authors: `typed_use.py`."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hexwar
from tests.facade import library_user, typed_use

FILE = Path(typed_use.__file__)


@pytest.mark.long
def test_the_strict_type_checker_accepts_what_is_right_and_reports_every_mistake(tmp_path: Path) -> None:
    """As a user calls it, outside of the checkout; that the file has no error means that every expected one was reported."""
    for script in (FILE, Path(library_user.__file__)):
        (tmp_path / script.name).write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_uses_and_mistakes() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(re.findall(r"\bassert_type\(", text)) > 30
    assert len(re.findall(r"# type: ignore\[[\w-]+\]", text)) > 25


def test_a_script_of_a_library_user_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library_user.main(tmp_path)
    assert "7.6: 0504 is occupied by red" in capsys.readouterr().out


def test_what_is_right_runs() -> None:
    game = hexwar.new_game("bridgehead", seed=7)
    typed_use.look(game, "b5")
    typed_use.play_some(game, 10)
    typed_use.boards_and_rulesets()
    typed_use.study()
    assert len(game.history) == 10
    for bot in typed_use.bots():
        assert game.why_not(bot.choose(game.view(game.to_move[0]), random.Random(1))) is None
    heap = typed_use.Heap()
    typed_use.Taken("north", 3).apply(heap)
    assert heap.matches == 9
    assert [variant.id for variant in typed_use.hexwar_variants()] == ["tired"]
