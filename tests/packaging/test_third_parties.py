"""Plugins of third parties work from outside: hexwar and two small projects as wheels, in an environment of their own."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import run as follow
from tests.packaging.test_artefacts import ROOT, SCRIPTS, run
from tests.testing.planted import BUGS, SECONDS, Bug, assert_teaches, folder_of, plant, run_python

pytestmark = pytest.mark.packaging

PROJECTS = ("plugin_project", "house_rule_project")


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the checkout with the projects, their wheels and an environment in which all of them are installed."""
    folder = tmp_path_factory.mktemp("outside")
    for project in PROJECTS:
        shutil.copytree(ROOT / "tests" / project, folder / project, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / SCRIPTS / "python"
    sources = [ROOT, *(folder / project for project in PROJECTS)]
    # One build environment for all three instead of one each.
    run(python, "-m", "pip", "install", "--quiet", "hatchling", "setuptools>=70", cwd=folder)
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "wheels")
    run(python, "-m", "pip", *build, *sources, cwd=folder)
    wheels = sorted((folder / "wheels").glob("*.whl"))
    assert [wheel.name.split("-")[0] for wheel in wheels] == ["hexwar", "hexwar_duel", "hexwar_thick_woods"]
    [hexwar, *others] = wheels
    run(python, "-m", "pip", "install", "--quiet", f"{hexwar}[testing]", *others, cwd=folder)
    run(python, "-m", "pip", "check", cwd=folder)
    return folder


def printed(outside: Path, code: str) -> str:
    """What Python code prints in that environment."""
    return run(outside / "venv" / SCRIPTS / "python", "-c", code, cwd=outside).strip()


def test_the_plugins_are_found_and_work(outside: Path) -> None:
    code = """
import json
from hexwar.plugins import plugins
print(json.dumps({found.name: [found.origin, found.error] for found in plugins().found()}))
"""
    found = json.loads(printed(outside, code))
    assert found["duel"] == ["hexwar-duel 1.0", ""]
    assert found["thick-woods"] == ["hexwar-thick-woods 0.1", ""]
    assert {name: error for name, (_, error) in found.items() if error} == {}


def test_a_game_is_played_to_its_end_and_saved(outside: Path) -> None:
    code = """
import random, hexwar
game = hexwar.new_game("duel", seed=5)
chance = random.Random(5)
while game.to_move:
    game.apply(game.offered().sample(chance))
game.save("duel.json")
again = hexwar.load_game("duel.json")
assert again.digest == game.digest and again.result == game.result
print(hexwar.load_board("duel/meadow").title, "|", game.result.clause in game.ruleset.rules)
"""
    assert printed(outside, code) == "The meadow | True"


def test_the_projects_own_tests_pass(outside: Path) -> None:
    python = outside / "venv" / SCRIPTS / "python"
    assert " passed" in run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=outside / "plugin_project")


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_the_projects_three_lines_find_a_planted_bug(bug: Bug, outside: Path, tmp_path: Path) -> None:
    shutil.copytree(outside / "plugin_project", tmp_path / "project", ignore=shutil.ignore_patterns("__pycache__", ".hexwar"))
    plant(bug, tmp_path / "project" / "src" / "hexwar_duel" / "rules.py")
    test = f"test_{bug.caught_by.replace('-', '_')}"
    code, printed, seconds = run_python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"TestDuel and {test}",
        python=outside / "venv" / SCRIPTS / "python",
        cwd=tmp_path / "project",
        environment={"HEXWAR_TIER": "ci", "PYTHONPATH": str(tmp_path / "project" / "src")},
    )  # fmt: skip
    assert code == 1, printed
    assert f"TestDuel::{test}" in printed
    assert_teaches(folder_of(tmp_path / "project" / ".hexwar" / "failures", bug), bug)
    assert seconds < SECONDS


def test_the_command_line_plays_the_game(outside: Path) -> None:
    program = outside / "venv" / SCRIPTS / "hexwar"
    assert "Duel" in run(program, "list", cwd=outside)
    played = run(program, "play", "duel", "--bots", "--seed", "3", cwd=outside)
    assert "(3.2)" in played or "(4.1)" in played
    assert "thick-woods" in run(program, "info", "bridgehead", cwd=outside)


def test_a_new_project_passes_its_tests_at_once(outside: Path) -> None:
    environment = outside / "venv" / SCRIPTS
    run(environment / "hexwar", "new", "river-raid", cwd=outside)
    project = outside / "river-raid"
    run(environment / "python", "-m", "pip", "install", "--quiet", "-e", ".", cwd=project)
    assert " passed" in run(environment / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=project)
    more = ("--hexwar-tier", "ci", "-k", "games_end")
    assert "1 passed" in run(environment / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *more, cwd=project)
    assert "(5.2)" in run(environment / "hexwar", "play", "river-raid", "--bots", "--seed", "1", cwd=project)


def test_the_way_to_a_house_rule_can_be_followed_to_the_letter(outside: Path) -> None:
    folder = outside / "reader"
    folder.mkdir()
    assert follow(ROOT / "docs" / "house-rules.md", folder, own_environment=outside / "venv" / SCRIPTS) == 7


def test_the_house_rule_changes_the_reach_and_nothing_while_it_is_off(outside: Path) -> None:
    code = """
import json, hexwar
from hexwar.plugins import Plugins, use_plugins

def save(name, **options):
    game = hexwar.new_game("bridgehead", seed=9, options=options)
    game.apply(game.legal_actions("blue")[0], "blue")
    game.save(f"{name}.json")
    return game.query.reach("b2").costs["0405"]

woods = [save("silent"), save("off", **{"thick-woods": False}), save("on", **{"thick-woods": True})]
clause = hexwar.load_game("on.json").world.rules["thick-woods.1"].title
use_plugins(Plugins(block=["thick-woods"]))  # as if it were not installed
hexwar.load_game("off.json").save("without.json")
try:
    hexwar.load_game("on.json")
except hexwar.SaveError as error:
    print(json.dumps([woods, clause, str(error)]))
"""
    (silent, off, on), clause, error = json.loads(printed(outside, code))
    assert (off, on) == (silent, silent + 1)
    assert clause == "A hex of woods costs infantry two points"
    assert "no option is called 'thick-woods'" in error
    saves = {name: (outside / f"{name}.json").read_bytes() for name in ("silent", "off", "on", "without")}
    assert saves["silent"] == saves["off"] == saves["without"] != saves["on"]
