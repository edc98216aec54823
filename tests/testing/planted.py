"""The duel of tests/plugin_project with one of its listed bugs planted, in a folder of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "plugin_project"
MOST_ACTIONS = 30
SECONDS = 60
"""Of the processor's time: what a busy machine makes of it is not our business."""
IN_A_FOLDER = {"REPORT.md", "replay.json", "minimal.json", "fault.json", "position.svg"}


@dataclass(frozen=True)
class Bug:
    """A bug to plant: what it is, the text that it replaces, and the check that must catch it."""

    id: str
    what: str
    find: str
    replace: str
    caught_by: str
    game: bool = True
    """Whether a game shows it."""
    steady: bool = True
    """Whether the same game shows it every time."""


BUGS = [Bug(**entry) for entry in tomllib.loads((PROJECT / "bugs.toml").read_text(encoding="utf-8"))["bug"]]


def plant(bug: Bug | None, rules: Path) -> None:
    """Plant a bug in a copy of the rules."""
    if bug is not None:
        text = rules.read_text(encoding="utf-8")
        assert text.count(bug.find) == 1, f"{bug.id}: the rules have {text.count(bug.find)} times {bug.find!r}"
        rules.write_text(text.replace(bug.find, bug.replace), encoding="utf-8")


def copied(bug: Bug | None, folder: Path) -> Path:
    """A copy of the duel's package with a bug."""
    package = folder / "hexwar_duel"
    shutil.copytree(PROJECT / "src" / "hexwar_duel", package, ignore=shutil.ignore_patterns("__pycache__"))
    plant(bug, package / "rules.py")
    return package


def run_python(
    *words: object, cwd: Path, environment: Mapping[str, str], python: Path | str = sys.executable
) -> tuple[int, str, float]:
    """Run Python in a process of its own; its exit code, what it prints, and the seconds of processor time that it took."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEXWAR_")}
    usual = {"NO_COLOR": "1", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    before = os.times()
    done = subprocess.run(
        [str(python), *map(str, words)],
        cwd=cwd,
        env={**inherited, **usual, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=5 * SECONDS,
        check=False,
    )
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return done.returncode, done.stdout + done.stderr, seconds


def folder_of(failures: Path, bug: Bug) -> Path:
    """The folder of the check that must catch a bug."""
    found = sorted(failures.glob(f"{bug.caught_by}-*"))
    assert found, f"{bug.id}: {bug.caught_by} wrote no report; there are {sorted(path.name for path in failures.glob('*'))}"
    return found[0]


def assert_teaches(folder: Path, bug: Bug) -> None:
    """A report has everything, and its minimal game is short."""
    names = {path.name for path in folder.iterdir()}
    report = (folder / "REPORT.md").read_text(encoding="utf-8")
    assert re.search(r"^## What must hold\n\n\w", report, re.MULTILINE)
    assert re.search(r"^## What was found\n\n\w", report, re.MULTILINE)
    if not bug.game:
        return
    assert names >= IN_A_FOLDER, f"{bug.id}: only {sorted(names)}"
    assert any(name.startswith("test_") for name in names)
    note = json.loads((folder / "fault.json").read_text(encoding="utf-8"))
    assert 0 < note["minimal.json"]["move"] <= MOST_ACTIONS
    saved = json.loads((folder / "minimal.json").read_text(encoding="utf-8"))
    assert len(saved["decisions"]) <= MOST_ACTIONS
    sections = re.findall(r"^## (.*)$", report, re.MULTILINE)
    assert sections[:7] == [
        "What must hold",
        "What was found",
        "The position",
        "The last moves",
        "Clauses",
        "See it again",
        "Keep it from coming back",
    ]
