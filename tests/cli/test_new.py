"""`hexwar new`: a project with a game that works; tests/packaging installs one elsewhere and runs its tests."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hexwar.cli.new import PLACES
from tests.cli.helpers import run


def test_it_makes_a_project_and_says_how_to_go_on(tmp_path: Path) -> None:
    ran = run("new", "river-raid", "--title", "River Raid!", "--into", str(tmp_path))
    assert ran.code == 0
    assert 'pip install -e ".[testing]"' in ran.out
    folder = tmp_path / "river-raid"
    found = {str(file.relative_to(folder)).replace(os.sep, "/") for file in folder.rglob("*") if file.is_file()}
    assert found == {place.format(package="hexwar_river_raid") for place in PLACES.values()}
    for file in folder.rglob("*"):
        if file.suffix == ".py":
            ast.parse(file.read_text(encoding="utf-8"))
        elif file.suffix == ".toml":
            tomllib.loads(file.read_text(encoding="utf-8"))
        assert not file.is_file() or "$" not in file.read_text(encoding="utf-8")
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["hexwar"] == {"river-raid": "hexwar_river_raid"}


def test_the_game_of_the_project_is_played_to_its_end(tmp_path: Path) -> None:
    run("new", "mill", "--into", str(tmp_path))
    source = tmp_path / "mill" / "src"
    program = f"""
import sys
sys.path.insert(0, {str(source)!r})
import hexwar, hexwar_mill
from hexwar.plugins import plugins
plugins().register(hexwar_mill, "mill")
game = hexwar.new_game("mill", seed=4)
while game.to_move:
    game.apply(game.legal_actions()[-1])
print(game.result)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "(5.2)" in done.stdout


def test_the_game_of_the_project_passes_the_checks(tmp_path: Path) -> None:
    run("new", "mill", "--into", str(tmp_path))
    words = ["--plugin", str(tmp_path / "mill" / "src" / "hexwar_mill"), "check", "mill", "--jobs", "1"]
    done = subprocess.run([sys.executable, "-m", "hexwar", *words], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed   drills" in done.stdout


def test_the_tests_of_the_project_take_the_options_of_the_suite(tmp_path: Path) -> None:
    run("new", "mill", "--into", str(tmp_path))
    project = tmp_path / "mill"
    words = ["--hexwar-tier", "ci", "--hexwar-report-dir", "found", "-k", "no_dead_ends or test_3_3"]
    path = os.pathsep.join([str(project / "src"), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *words],
        capture_output=True, text=True, cwd=project, timeout=300,
        env={**os.environ, "HEXWAR_PLUGIN_FILE": str(project / "src" / "hexwar_mill" / "__init__.py"), "PYTHONPATH": path},
    )  # fmt: skip
    assert "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["River"], "cannot be the id of a ruleset"),
        (["a--b"], "small letters, digits and single hyphens"),
        (["../up"], "cannot be the id of a ruleset"),
        (["1st"], "cannot be the id of a ruleset"),
        (["x" * 41], "cannot be the id of a ruleset"),
        (["mill", "--title", 'a "quoted" one'], "cannot be a title"),
        (["mill", "--title", " "], "cannot be a title"),
        (["mill", "--into", "nowhere-at-all"], "there is no folder nowhere-at-all"),
        (["ava"], "a ruleset ava is installed already"),
    ],
)
def test_what_cannot_be_made_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    ran = run("new", *words)
    assert ran.code == 2
    assert sentence in ran.err


def test_nothing_is_written_over(tmp_path: Path) -> None:
    mine = tmp_path / "mill" / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("keep", encoding="utf-8")
    ran = run("new", "mill", "--into", str(tmp_path))
    assert ran.code == 2
    assert "is there already" in ran.err
    assert [file.name for file in mine.parent.iterdir()] == ["mine.txt"]
