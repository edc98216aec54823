"""Every bug in the list of the external project is caught by the check that is named there, with a report that teaches.

tests/packaging does the same with the project's own three-line suite, installed from its wheel.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.testing.planted import BUGS, SECONDS, Bug, assert_teaches, copied, folder_of, run_python

PROGRAM = """
import pathlib, runpy, sys
from hexwar.cli import main
from hexwar.testing import CheckFailed

code = main(["check", "duel", "--report", "failures", *sys.argv[1:]])
for file in pathlib.Path("failures").glob("*/test_*.py"):
    for name, test in runpy.run_path(str(file)).items():
        if name.startswith("test_"):
            try:
                test()
                print("MISSED", name)
            except CheckFailed as failed:
                print("SEEN AGAIN", failed.check)
for file in map(str, pathlib.Path("failures").glob("*/position.toml")):
    assert main(["show", file]) == 0 and main(["show", file, "-o", "now.svg"]) == 0
    assert main(["show", file, "--side", "north"]) > 0  # its pieces are of its own make
for file in map(str, pathlib.Path("failures").glob("*/minimal.json")):
    assert main(["replay", file, "--at-end"]) == 0
sys.exit(code)
"""


def test_there_are_ten_bugs_that_a_game_shows() -> None:
    assert len({bug.id for bug in BUGS}) == len(BUGS)
    assert sum(bug.game for bug in BUGS) >= 10


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_a_planted_bug_is_caught_and_explained(bug: Bug, tmp_path: Path) -> None:
    plugin = {"HEXWAR_PLUGIN_FILE": str(copied(bug, tmp_path))}
    code, printed, seconds = run_python("-c", PROGRAM, "--only", bug.caught_by, cwd=tmp_path, environment=plugin)
    assert code == 1, printed
    assert seconds < SECONDS
    assert f"failed   {bug.caught_by}" in printed
    folder = folder_of(tmp_path / "failures", bug)
    assert_teaches(folder, bug)
    if bug.game and bug.steady:
        assert f"SEEN AGAIN {bug.caught_by}" in printed
        assert "MISSED" not in printed, printed


def test_without_a_bug_nothing_is_caught(tmp_path: Path) -> None:
    plugin = {"HEXWAR_PLUGIN_FILE": str(copied(None, tmp_path))}
    code, printed, _ = run_python("-c", PROGRAM, cwd=tmp_path, environment=plugin)
    assert code == 0, printed
    assert not (tmp_path / "failures").exists()
