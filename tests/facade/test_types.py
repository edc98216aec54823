"""What a type checker and an editor know about a game in the hands of a library user."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import hexwar


def survey(game: hexwar.Game, unit: str) -> dict[str, float]:
    turn: int = game.state.turn
    reach = game.query.reach(unit)
    if turn and reach.costs:
        reveal_type(game.query.odds([unit], "0504").column)
    reveal_type(game.state.turn)
    reveal_type(game.view("blue").query.reach(unit).costs)
    return reach.costs


survey(hexwar.new_game("bridgehead", seed=7), "b5")
"""


@pytest.mark.long
def test_a_script_that_annotates_games_passes_the_strict_type_checker(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), script.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = [line.split('"')[1] for line in done.stdout.splitlines() if "Revealed type" in line]
    assert shown == ["int | None", "int", "dict[str, float]"], done.stdout
