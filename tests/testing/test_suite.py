"""The conformance suite under pytest: three lines for an author, fresh functions, strict known failures."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hexwar.testing import (
    BUDGETS,
    CHECKS,
    CheckFailed,
    Kit,
    Subject,
    Watch,
    check_ruleset,
    conformance_suite,
    observe,
    random_decisions,
)
from hexwar.testing._running.watch import LONG, looks_at, stretches
from tests.engine import toy
from tests.testing import mutants

TestToy = conformance_suite(toy.RULESET)
TestToyInTeams: Any = conformance_suite(toy.RULESET, scenarios=["teams"], options={"pace": "fast"})

ROOT = Path(__file__).resolve().parents[2]


def test_there_is_a_test_for_each_check() -> None:
    names = {name for name in vars(TestToy) if name.startswith("test_")}
    assert names == {f"test_{check.replace('-', '_')}" for check, kind in CHECKS.items() if kind.needs is None}
    assert TestToyInTeams.test_no_dead_ends is not TestToy.test_no_dead_ends  # type: ignore[attr-defined]
    assert TestToyInTeams.test_no_dead_ends.__doc__ == CHECKS["no-dead-ends"].sentence


def test_a_failing_check_tells_where_to_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    suite: Any = conformance_suite(mutants.walking_back(monkeypatch), report_dir=tmp_path)
    with pytest.raises(CheckFailed) as raised:
        suite().test_invariants_hold()
    (folder,) = tmp_path.iterdir()
    assert str(folder) in str(raised.value)
    assert "must hold: The invariants" in str(raised.value)


def test_a_failing_survey_tells_where_to_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    suite: Any = conformance_suite(mutants.scenario_without_bound(monkeypatch), report_dir=tmp_path)
    with pytest.raises(CheckFailed, match="bound is 0"):
        suite().test_content_is_sound()
    assert (next(tmp_path.iterdir()) / "REPORT.md").exists()


def test_known_failures_are_strict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = {"invariants-hold": "see 2", "content-is-sound": "soon"}
    ruleset = mutants.walking_back(monkeypatch)
    mutants.scenario_without_bound(monkeypatch)
    suite: Any = conformance_suite(ruleset, known_failures=known, report_dir=tmp_path)
    (mark,) = suite.test_invariants_hold.pytestmark
    assert mark.name == "xfail"
    assert mark.kwargs == {"reason": "see 2", "strict": True, "raises": CheckFailed}
    with pytest.raises(CheckFailed):
        suite().test_content_is_sound()
    assert not list(tmp_path.iterdir())


def test_a_kit_may_know_of_failures_and_check_agrees_with_the_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.walking_back(monkeypatch)
    monkeypatch.setattr(mutants, "KIT", Kit(known_failures={"invariants-hold": "see 2"}), raising=False)
    monkeypatch.setattr(ruleset, "info", replace(ruleset.info, kit="tests.testing.mutants:KIT"))
    suite: Any = conformance_suite(ruleset, known_failures={"content-is-sound": "soon"}, report_dir=tmp_path)
    assert suite.test_invariants_hold.pytestmark[0].kwargs["reason"] == "see 2"
    assert suite.test_content_is_sound.pytestmark[0].kwargs["reason"] == "soon"
    report = check_ruleset(ruleset, only=["invariants-hold", "no-dead-ends"], report_dir=tmp_path)
    assert [(one.verdict, one.reason) for one in report.outcomes] == [("passed", ""), ("known", "see 2")]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("looks", [80, 2000])
def test_long_games_are_looked_at_from_end_to_end(looks: int) -> None:
    assert stretches("a", LONG, 80) is None
    chosen = stretches("a", 1718, looks)
    if looks > 1718:
        assert chosen is None
        return
    assert isinstance(chosen, frozenset)
    assert len(chosen) == looks
    assert {0, 1717} <= chosen
    assert chosen != stretches("b", 1718, looks)


def test_a_kit_says_how_much_of_its_games_is_looked_at() -> None:
    subject = Subject.of("tow", "training")
    chosen = looks_at(subject, BUDGETS["quick"], "a")
    assert isinstance(chosen, frozenset)
    assert {*range(20)} <= chosen
    assert len(chosen) / subject.bound == pytest.approx(subject.kit.looks["quick"], abs=0.1)
    assert chosen != looks_at(subject, BUDGETS["quick"], "b")


def test_watches_look_only_where_they_may() -> None:
    seen: list[int] = []

    class Looks(Watch):
        id = "looks"

        def after(self, game: Any, seat: str, action: Any, events: list[Any]) -> None:
            seen.append(len(game.history) - 1)

    subject = Subject.of("bridgehead")
    looks = Looks(subject, BUDGETS["quick"])
    game = subject.start(1)
    assert observe(game, [looks], random_decisions(game, random.Random(1), 30), within={3, 7, 8}) == []
    assert seen == [3, 7, 8]


def test_three_lines_in_a_project_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "test_conformance.py").write_text(
        "from hexwar.testing import conformance_suite\n\n"
        "TestBridgehead = conformance_suite('bridgehead', known_failures={'games-end': 'it does end, so this must fail'})\n",
        encoding="utf-8",
    )
    chosen = "content_is or games_end"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert "1 failed" in done.stdout
    assert "XPASS(strict)" in done.stdout


def test_the_kit_needs_no_pytest() -> None:
    program = "import sys, hexwar.testing; assert not {'pytest', 'hypothesis'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, timeout=120)
