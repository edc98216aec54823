"""What is left behind when a check fails: enough to see it again, and a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.errors import HexwarError, UnknownName
from hexwar.testing import Budget, CheckFailed, Failure, Report, Subject, Watch, check_ruleset, recheck
from hexwar.testing._reports.failures import SHORT
from tests.engine import toy
from tests.testing import mutants
from tests.testing.rulesets import HomelessRuleset


def failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, plant: Any, check: str) -> tuple[Failure, Path, Report]:
    report = check_ruleset(plant(monkeypatch), only=[check], report_dir=tmp_path)
    (failure,) = report.failures
    assert failure.folder is not None
    return failure, failure.folder, report


def run_written_test(folder: Path) -> None:
    (file,) = folder.glob("test_*.py")
    names: dict[str, Any] = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    names[file.stem]()


def test_the_folder_has_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failure, folder, report = failing(monkeypatch, tmp_path, mutants.stacking_is_ignored, "invariants-hold")
    assert folder.parent == tmp_path
    assert folder.name.startswith("invariants-hold-")
    text = (folder / "REPORT.md").read_text(encoding="utf-8")
    for part in (
        "# invariants-hold",
        failure.sentence,
        failure.message,
        "hexwar replay ",
        "0304",
        "## Clauses",
        "def test_",
    ):
        assert part in text
    assert f"hexwar replay {folder / 'minimal.json'}" in "\n".join(report.lines())
    assert len(failure.moves) < failure.found_after


class Remembers(Watch):
    """It finds something when it looks for the second time, whatever it is."""

    id = "remembers"
    sentence = "Nobody looks twice."

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self.looks = 0

    def before(self, game: Any, seat: str, action: Any) -> None:
        self.looks += 1
        if self.looks > 1:
            raise self.fail("seen twice")


def test_a_check_that_remembers_looks_wherever_it_must(tmp_path: Path) -> None:
    (failure,) = check_ruleset(toy.RULESET, checks=[Remembers], only=["remembers"], report_dir=tmp_path).failures
    assert len(failure.moves) == 2
    assert failure.looked == (0, 1)


class ForbidsTheEnd(Watch):
    """It finds something late: whatever is done in the last turn."""

    id = "forbids-the-end"
    sentence = "Nobody plays the last turn."

    def before(self, game: Any, seat: str, action: Any) -> None:
        if game.state.turn == 6:
            raise self.fail("the last turn is played")


def test_a_fault_to_which_many_moves_lead_is_replayed_from_a_position(tmp_path: Path) -> None:
    report = check_ruleset("bridgehead", checks=[ForbidsTheEnd], only=["forbids-the-end"], report_dir=tmp_path)
    (failure,) = report.failures
    assert len(failure.moves) > SHORT >= len(failure.replay)
    assert failure.smallest is not None
    assert failure.folder is not None
    checks: Any = report.to_json()["checks"]
    (told,) = (check for check in checks if check["id"] == failure.check)
    assert len(told["moves"]) == len(failure.replay)
    assert told["position"] == failure.smallest.text
    game = hexwar.load_game(failure.folder / "minimal.json")
    assert len(game.history) == len(failure.replay)
    assert game.first_state.turn == 6


def test_both_games_can_be_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failure, folder, _ = failing(monkeypatch, tmp_path, mutants.enemy_hexes_are_open, "invariants-hold")
    assert len(hexwar.load_game(folder / "minimal.json").history) == len(failure.moves)
    assert len(hexwar.load_game(folder / "replay.json").history) >= failure.found_after


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (mutants.stacking_is_ignored, "invariants-hold"),
        (mutants.cup_is_open, "secret-choices-stay-secret"),
        (mutants.wishing_three_fails, "offered-actions-apply"),
        (mutants.last_step_is_a_dead_end, "no-dead-ends"),
    ],
)
def test_the_written_test_fails_until_the_fault_is_gone(
    plant: Any, check: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, folder, _ = failing(monkeypatch, tmp_path, plant, check)
    with pytest.raises(CheckFailed, match=check):
        run_written_test(folder)
    monkeypatch.undo()
    run_written_test(folder)


def test_a_move_at_which_the_rules_fail_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failure, folder, _ = failing(monkeypatch, tmp_path, mutants.wishing_three_fails, "offered-actions-apply")
    text = (folder / "REPORT.md").read_text(encoding="utf-8")
    assert "was offered Wish(amount=3), but applying it fails: KeyError" in failure.message
    assert text.count("wish for") >= 1


def test_options_are_in_the_written_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.walking_back(monkeypatch)
    report = check_ruleset(ruleset, only=["invariants-hold"], options={"steep": True}, report_dir=tmp_path)
    (failure,) = report.failures
    assert failure.folder is not None
    (file,) = failure.folder.glob("test_*.py")
    assert "options={'steep': True}" in file.read_text(encoding="utf-8")
    assert "RULESET" in file.read_text(encoding="utf-8")


def test_a_game_that_cannot_be_saved_is_reported_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.walking_back(monkeypatch)

    def fail(game: object) -> str:
        raise ValueError("full")

    monkeypatch.setattr("hexwar.engine.Game.to_text", fail)
    (failure,) = check_ruleset(ruleset, only=["invariants-hold"], report_dir=tmp_path).failures
    assert failure.folder is not None
    assert "cannot be saved" in (failure.folder / "minimal.json").read_text(encoding="utf-8")


def test_the_directory_is_found_in_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEXWAR_FAILURES", str(tmp_path / "here"))
    (failure,) = check_ruleset(mutants.scenario_without_bound(monkeypatch), only=["content-is-sound"]).failures
    assert failure.folder is not None
    assert failure.folder.parent == tmp_path / "here"


def test_known_failures_must_still_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.walking_back(monkeypatch)
    known = {"test_invariants_hold": "see 2", "content-is-sound": "was repaired long ago"}
    report = check_ruleset(ruleset, only=["invariants-hold", "content-is-sound"], known_failures=known, report_dir=tmp_path)
    assert [(outcome.check, outcome.verdict) for outcome in report.outcomes] == [
        ("content-is-sound", "repaired"),
        ("invariants-hold", "known"),
    ]
    assert not report.passed
    assert not list(tmp_path.iterdir())
    assert "known    invariants-hold (see 2)" in report.lines()


def test_a_known_failure_of_a_survey_is_not_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.scenario_without_bound(monkeypatch)
    report = check_ruleset(ruleset, only=["content-is-sound"], known_failures={"content-is-sound": "soon"}, report_dir=tmp_path)
    assert report.passed
    assert not list(tmp_path.iterdir())


def test_the_report_for_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failure, folder, report = failing(monkeypatch, tmp_path, mutants.walking_back, "invariants-hold")
    data = json.loads(json.dumps(report.to_json()))
    assert data["passed"] is False
    (check,) = data["checks"]
    assert check["message"] == failure.message
    assert check["folder"] == str(folder)
    assert len(check["moves"]) == len(failure.moves)
    assert set(data["coverage"]["cited"]) <= set(toy.RULES)


def test_coverage_says_what_was_never_cited(tmp_path: Path) -> None:
    report = check_ruleset("bridgehead", only=["no-dead-ends"], report_dir=tmp_path)
    assert report.coverage.cited["5.3"] > 0
    assert "1.1" in report.coverage.never
    assert "15.1" not in report.coverage.never  # the option is off
    assert not set(report.coverage.cited) & set(report.coverage.never)


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="no-dead-ends"):
        check_ruleset(toy.RULESET, only=["no-dead-end"])
    with pytest.raises(UnknownName, match="quick"):
        check_ruleset(toy.RULESET, tier="quic")
    with pytest.raises(HexwarError, match="looks at no game"):
        recheck("content-is-sound", toy.RULESET, [])


def test_a_ruleset_in_no_module_cannot_be_tried_elsewhere(tmp_path: Path) -> None:
    homeless = HomelessRuleset()
    assert Subject.of(homeless).address is None
    (failure,) = check_ruleset(homeless, only=["same-everywhere"], report_dir=tmp_path).failures
    assert "no other process finds it" in failure.message


def test_a_ruleset_object_that_is_installed_counts_as_installed() -> None:
    subject = Subject.of("bridgehead")
    assert Subject.of(subject.ruleset).installed
    assert subject.address == "bridgehead"
