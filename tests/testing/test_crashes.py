"""Whatever a ruleset raises, the report is complete and says whose business it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest

import hexwar
from hexwar.testing import CHECKS, CheckFailed, Printed, check_ruleset, conformance_suite, recheck
from hexwar.testing.oracles import OnAPlane
from tests.cli.helpers import run
from tests.engine import toy
from tests.testing import mutants
from tests.testing.test_failures import run_written_test

CRASHES = [
    pytest.param(mutants.automatic_step_fails, "offered-actions-apply", "ZeroDivisionError: no time", id="automatic step"),
    pytest.param(mutants.supply_check_fails, "offered-actions-apply", "ZeroDivisionError: supply", id="supply"),
    pytest.param(mutants.wishing_three_fails, "offered-actions-apply", "KeyError: 'three'", id="perform"),
    pytest.param(mutants.unknown_clause_is_cited, "clauses-are-known", "cites clause '77'", id="clause"),
    pytest.param(mutants.last_step_is_a_dead_end, "no-dead-ends", "offers nothing", id="dead end"),
]
UNIVERSAL = [name for name, check in CHECKS.items() if check.needs is None]
"""The checks of the toy, which promises nothing else."""
ALL = [name for name, check in CHECKS.items() if check.needs not in (OnAPlane, Printed)]
"""The checks of Bridgehead, which promises everything that a game on hexes can, and has no rulebook but its own files."""
NOTHING_DONE = (
    "content-is-sound",
    "citations-exist",
    "topics-fit-clauses",
    "files-add-up",
    "dice-are-fair",
    "lone-pursuits-agree",
)
"""Checks that read, roll or ask, and do no action that could crash."""
IDLE = ("off-is-absent",)
"""The toy has no variants, so nothing is played."""
SHORT = ("loaders-say-why", "drills")
"""A few actions make the save of the one and the end of the other, and a crash may come elsewhere."""


@pytest.mark.parametrize(("plant", "check", "words"), CRASHES)
def test_every_check_has_a_verdict(plant: Any, check: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = plant(monkeypatch)
    checks = UNIVERSAL if ruleset is toy.RULESET else ALL
    report = check_ruleset(ruleset, report_dir=tmp_path)
    assert [outcome.check for outcome in report.outcomes] == checks
    assert not report.passed
    failure, *again = report.failures
    assert failure.check == check
    assert words in failure.message
    assert {it.check for it in again} <= {"imagined-positions-fit"}, "which plays on from positions of its own"
    for outcome in report.outcomes:
        if outcome.check in NOTHING_DONE or (outcome.check in IDLE and ruleset is toy.RULESET):
            assert outcome.verdict == "passed"
        elif outcome.check in toy.KIT.known_failures and ruleset is toy.RULESET:
            assert outcome.verdict == "known"
        elif outcome.check in SHORT and outcome.verdict == "passed":
            continue
        elif outcome.verdict != "failed":
            assert outcome.verdict == "unjudged", outcome
            assert outcome.reason == f"not judged: the ruleset crashed (see {check})"
    unjudged = sum(outcome.verdict == "unjudged" for outcome in report.outcomes)
    assert report.lines()[-1] == f"{len(report.failures)} of {len(checks)} checks failed, {unjudged} not judged"
    assert f"unjudged games-end: the ruleset crashed (see {check})" in report.lines()
    assert len(json.loads(json.dumps(report.to_json()))["checks"]) == len(checks)


@pytest.mark.parametrize(("plant", "check", "words"), CRASHES)
def test_the_crash_can_be_seen_again(plant: Any, check: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (failure,) = check_ruleset(plant(monkeypatch), only=[check], report_dir=tmp_path).failures
    assert failure.folder is not None
    assert {file.name for file in failure.folder.iterdir()} >= {"REPORT.md", "replay.json", "minimal.json"}
    assert failure.moves
    with pytest.raises(CheckFailed, match=check):
        run_written_test(failure.folder)
    monkeypatch.undo()
    run_written_test(failure.folder)


def test_the_minimal_game_ends_with_the_action_that_crashes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.supply_check_fails(monkeypatch)
    (failure,) = check_ruleset(ruleset, seed=2, only=["offered-actions-apply"], report_dir=tmp_path).failures
    assert repr(failure.moves[-1][1]) in failure.message
    assert len(failure.moves) < failure.found_after
    assert failure.folder is not None
    assert len(hexwar.load_game(failure.folder / "minimal.json").history) == len(failure.moves) - 1


@pytest.mark.parametrize(
    ("plant", "check", "checks"),
    [
        (mutants.supply_check_fails, "offered-actions-apply", ALL),
        (mutants.verdict_cites_unknown_clause, "clauses-are-known", ["clauses-are-known", "games-end"]),
    ],
)
def test_the_command_ends_with_one(
    plant: Any, check: str, checks: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plant(monkeypatch)
    only = [] if checks == ALL else [word for name in checks for word in ("--only", name)]
    # The bug is planted in this process only.
    ran = run("check", "bridgehead", "--jobs", "1", "--report", str(tmp_path), *only)
    assert ran.code == 1
    assert ran.err == ""
    assert f"failed   {check}" in ran.out
    assert "hexwar replay " in ran.out
    assert "Traceback" not in ran.out
    verdicts = {
        line.split()[1].rstrip(":") for line in ran.out.splitlines() if line.startswith(("passed ", "failed ", "unjudged "))
    }
    assert verdicts == set(checks)


def test_an_error_while_a_check_looks_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    report = check_ruleset(mutants.looking_fails(monkeypatch), report_dir=tmp_path)
    assert [outcome.check for outcome in report.outcomes] == UNIVERSAL
    failed = {failure.check: failure for failure in report.failures}
    assert failed["views-hide"].message == "the rules fail while this is looked at: LookupError: fog"
    assert "offered-actions-apply" not in failed


def test_an_offer_from_which_nothing_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    report = check_ruleset(mutants.choosing_fails(monkeypatch), report_dir=tmp_path)
    assert [outcome.check for outcome in report.outcomes] == UNIVERSAL
    failed = {failure.check: failure.message for failure in report.failures}
    assert failed["offered-actions-apply"] == "north, south cannot choose from what is offered: ArithmeticError: too many"


def test_an_invariant_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(toy.Toy, "__getattribute__", _without_track(toy.Toy.__getattribute__))
    report = check_ruleset(toy.RULESET, only=["invariants-hold"], report_dir=tmp_path)
    (failure,) = report.failures
    assert failure.message == "2, nobody walks back: cannot be told: RuntimeError: no track"


def _without_track(get: Any) -> Any:
    def found(self: Any, name: str) -> Any:
        import sys

        if name == "track" and sys._getframe(1).f_code.co_name == "<lambda>":
            raise RuntimeError("no track")
        return get(self, name)

    return found


def test_a_check_alone_tells_what_crashed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only = ["games-end", "same-everywhere"]
    report = check_ruleset(mutants.supply_check_fails(monkeypatch), only=only, report_dir=tmp_path)
    assert not report.passed
    assert not report.failures
    for outcome in report.outcomes:
        assert outcome.reason.startswith("not judged: the ruleset crashed: ")
        assert outcome.reason.endswith("ZeroDivisionError: supply")


def test_a_crash_in_a_copy_is_found_by_whoever_tries_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.wishing_three_fails(monkeypatch)
    monkeypatch.setattr(CHECKS["offered-actions-apply"], "before", lambda self, game, seat, action: None)
    only = ["offered-actions-apply", "others-are-refused", "why-not-agrees"]
    (failure,) = check_ruleset(ruleset, only=only, report_dir=tmp_path).failures
    assert failure.check == "offered-actions-apply"
    assert failure.moves[-1][1] == toy.Wish(3)


def test_a_known_crash_lets_the_others_pass(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.wishing_three_fails(monkeypatch)
    known = {"offered-actions-apply": "soon", "views-hide": "later"}
    report = check_ruleset(ruleset, known_failures=known, report_dir=tmp_path)
    assert report.passed
    assert not list(tmp_path.iterdir())
    assert "passed   games-end (until the ruleset crashed, a known failure of offered-actions-apply)" in report.lines()
    assert "known    views-hide (later)" in report.lines()  # it may fail still: nobody knows
    suite: Any = conformance_suite(ruleset, known_failures=known, report_dir=tmp_path)
    suite().test_games_end()
    suite().test_same_everywhere()


@pytest.mark.parametrize(("plant", "check", "words"), CRASHES)
def test_under_pytest(plant: Any, check: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    suite: Any = conformance_suite(plant(monkeypatch), report_dir=tmp_path)
    with pytest.raises(CheckFailed, match=words) as raised:
        getattr(suite(), f"test_{check.replace('-', '_')}")()
    assert raised.value.check == check
    for other in ("games-end", "others-are-refused", "same-everywhere", "options-work"):
        with pytest.raises(CheckFailed, match=rf"not judged: the ruleset crashed \(see {check}\)") as raised:
            getattr(suite(), f"test_{other.replace('-', '_')}")()
        assert raised.value.check == other
        assert words in str(raised.value)


@pytest.mark.parametrize("method", ["start", "world"])
class TestSetup:
    @pytest.fixture(autouse=True)
    def _broken(self, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(self: object, made_of: object) -> NoReturn:
            raise KeyError("lost")

        monkeypatch.setattr(toy.ToyRuleset, method, fail)

    def test_it_is_reported_once(self, tmp_path: Path) -> None:
        report = check_ruleset(toy.RULESET, report_dir=tmp_path)
        assert [outcome.check for outcome in report.outcomes] == UNIVERSAL
        (failure,) = report.failures
        assert failure.check == "content-is-sound"
        words = "scenario short does not begin: KeyError: 'lost' (test_crashes.py, line "
        assert failure.message.startswith(words)
        assert {outcome.verdict for outcome in report.outcomes[1:]} == {"not run"}
        assert not report.passed
        assert len(list(tmp_path.iterdir())) == 1
        lines = report.lines()
        assert sum(words in line for line in lines) == 1
        assert f"not run  {len(UNIVERSAL) - 1} other checks" in lines
        assert lines[-1] == f"1 of {len(UNIVERSAL)} checks failed, {len(UNIVERSAL) - 1} not run"

    def test_it_is_reported_even_if_only_another_check_is_asked_for(self, tmp_path: Path) -> None:
        report = check_ruleset(toy.RULESET, report_dir=tmp_path, only=["games-end"])
        assert [(outcome.check, outcome.verdict) for outcome in report.outcomes] == [
            ("content-is-sound", "failed"),
            ("games-end", "not run"),
        ]

    def test_under_pytest_the_other_tests_refer_to_it(self, tmp_path: Path) -> None:
        suite: Any = conformance_suite(toy.RULESET, report_dir=tmp_path)
        with pytest.raises(CheckFailed, match=r"games-end: not judged: the ruleset crashed \(see content-is-sound\)"):
            suite().test_games_end()
        with pytest.raises(CheckFailed, match="content-is-sound: scenario short does not begin: KeyError: 'lost'"):
            suite().test_content_is_sound()


def test_a_game_that_begins_only_now_and_then(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    start, begun = toy.ToyRuleset.start, []

    def fail(self: Any, world: Any) -> toy.Toy:
        begun.append(world)
        if len(begun) == 20:  # after those that only try which options go together
            raise KeyError("lost")
        return start(self, world)

    monkeypatch.setattr(toy.ToyRuleset, "start", fail)
    report = check_ruleset(toy.RULESET, report_dir=tmp_path, only=["games-end", "content-is-sound"])
    assert {outcome.check: outcome.verdict for outcome in report.outcomes} == {
        "content-is-sound": "failed",
        "games-end": "unjudged",
    }


def test_a_ruleset_that_cannot_even_be_described(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = mutants.automatic_step_fails(monkeypatch)

    def fail(self: object) -> str:
        raise TypeError("no words")

    for kind in toy.RULESET.actions:
        monkeypatch.setattr(kind, "__repr__", fail)
    report = check_ruleset(ruleset, report_dir=tmp_path)
    assert [outcome.check for outcome in report.outcomes] == UNIVERSAL
    assert {failure.check for failure in report.failures} >= {"offered-actions-apply", "reprs-evaluate"}
    assert report.lines()
    assert all(failure.folder is not None for failure in report.failures)


def test_clauses_that_nobody_knows_are_not_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    report = check_ruleset(mutants.prompt_cites_unknown_clause(monkeypatch), report_dir=tmp_path)
    assert {failure.check for failure in report.failures} == {"clauses-are-known"}
    assert "77" not in report.coverage.cited


def test_recheck_says_that_it_cannot_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = mutants.wishing_three_fails(monkeypatch)
    with pytest.raises(CheckFailed, match="games-end: not judged"):
        recheck("games-end", ruleset, [("north", toy.Wish(3))])
