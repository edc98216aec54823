"""The pytest plugin: options that reach the suites, a fixture that writes replays, and failure folders at the end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.testing import conformance_suite

SUITE = (
    "import os\n"
    "from hexwar.testing import conformance_suite\n"
    "from tests.engine import toy\n"
    "from tests.testing import mutants\n"
    "class Patch:\n"
    "    def setattr(self, owner, name, value, **more): setattr(owner, name, value)\n"
    "TestToy = conformance_suite(mutants.walking_back(Patch()))\n"
)
GAMES = (
    "import pytest\n"
    "def test_good(hexwar_game): assert hexwar_game('bridgehead').to_move\n"
    "@pytest.mark.parametrize('seed', [3])\n"
    "def test_bad(hexwar_game, seed):\n"
    "    game = hexwar_game('bridgehead', seed=seed)\n"
    "    game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])\n"
    "    assert not game.to_move\n"
    "@pytest.mark.hexwar_tier('ci')\n"
    "def test_later(): pass\n"
)


def run(folder: Path, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a process of their own."""
    (folder / "test_it.py").write_text(code, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n", encoding="utf-8")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "HEXWAR_"))}
    outside["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "hexwar.testing.pytest_plugin", *words]
    return subprocess.run(command, cwd=folder, env=outside, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("workers", ["0", "2"])
def test_failing_games_are_written_and_listed_at_the_end(tmp_path: Path, workers: str) -> None:
    ran = run(tmp_path, GAMES, "-n", workers, "--hexwar-report-dir", "found", "-rs")
    assert "1 failed, 1 passed, 1 skipped" in ran.stdout, ran.stdout + ran.stderr
    assert "runs from tier ci on: --hexwar-tier ci" in ran.stdout
    (folder,) = (tmp_path / "found").iterdir()
    assert folder.name == "test-it-py-test-bad-3-1"
    end = ran.stdout.partition("hexwar failures")[2]
    assert f"test_it.py::test_bad[3]: {folder}" in end
    assert f"hexwar replay {folder / 'replay.json'}" in end
    assert "blue" in (folder / "position.txt").read_text(encoding="utf-8").lower()
    assert len(hexwar.load_game(folder / "replay.json").history) == 1


def test_a_suite_heeds_the_options_and_its_folders_are_listed(tmp_path: Path) -> None:
    words = ["-k", "invariants_h or content_is", "--hexwar-report-dir", "found", "--hexwar-seed", "5", "--hexwar-tier", "quick"]
    ran = run(tmp_path, SUITE, *words)
    assert "1 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    (folder,) = (tmp_path / "found").iterdir()
    end = ran.stdout.partition("hexwar failures")[2]
    assert f"test_it.py::TestToy::test_invariants_hold: {folder}" in end
    assert f"hexwar replay {folder / 'minimal.json'}" in end


def test_bad_words_are_answered_by_a_sentence(tmp_path: Path) -> None:
    assert "invalid choice: 'soon'" in run(tmp_path, "", "--hexwar-tier", "soon").stderr
    code = "import pytest\n@pytest.mark.hexwar_tier('soon')\ndef test_it(): pass\n"
    ran = run(tmp_path, code)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "hexwar_tier needs one of quick, ci, nightly" in ran.stderr + ran.stdout


def test_scenarios_are_chosen_where_the_ruleset_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from hexwar.testing import Subject
    from hexwar.testing._running.suite import _asked_for

    subjects = Subject.of("ava").among(["training", "kiev"])
    assert [one.scenario for one in _asked_for(subjects, "smolensk,nowhere")] == ["smolensk"]
    assert [one.scenario for one in _asked_for(subjects, "nowhere")] == ["training", "kiev"]
    assert [one.scenario for one in _asked_for(subjects, "")] == ["training", "kiev"]
    monkeypatch.setenv("HEXWAR_SEED", "many")
    with pytest.raises(Exception, match="HEXWAR_SEED is 'many'; it must be a whole number"):
        conformance_suite("bridgehead")


def test_loading_it_loads_no_ruleset_and_no_hypothesis() -> None:
    program = (
        "import sys, hexwar.testing.pytest_plugin; "
        "late = {'hypothesis', 'hexwar_ava', 'hexwar_bridgehead', 'hexwar.testing._coverage.pytest_coverage'}; "
        "assert not late & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
