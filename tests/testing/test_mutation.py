"""Rule mutation: the lists of planted bugs are sound, and each check of rules catches the bug that it is there for."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.cli import main
from hexwar.errors import HexwarError, UnknownName
from hexwar.testing import CHECKS, Mutant, Patch, Subject, check_named, check_ruleset, planted, play_at_random
from hexwar.testing._checks.exact import DiceAreFair
from hexwar.testing._mutants import mutation
from hexwar.testing._mutants.mutation import MutationReport, Trial, mutants_in, mutants_of, mutate
from hexwar.workers import Worker
from hexwar_tow.kit import KIT
from tests.testing.planted_generic.all import CATALOGUE, Condition, Generic, Parts, generic_mutants, unused_mutants
from tests.testing.rule_bugs import CAUGHT

TESTS = Path(__file__).parents[1]
PLANTED = str(TESTS / "bridgehead" / "planted.py")
GENERIC = str(TESTS / "testing" / "planted_generic" / "all.py")
OWN = mutants_in(PLANTED, "bridgehead")
BRIDGEHEAD = mutants_of("bridgehead", [GENERIC, PLANTED])
SENTENCE = re.compile(r"[A-Z`].*\.")


def fingerprint() -> str:
    game = hexwar.new_game("bridgehead", seed=11)
    play_at_random(game, random.Random(11))
    return game.digest


@pytest.mark.parametrize("generic", CATALOGUE.values(), ids=list(CATALOGUE))
def test_a_generic_mutant_applies_to_bridgehead_or_says_why_not(generic: Generic) -> None:
    why = generic.why_not(Parts(Subject.of("bridgehead")))
    assert (generic.id in BRIDGEHEAD) == (not why)
    assert SENTENCE.fullmatch(generic.what)
    assert generic.likely
    assert all(check in CHECKS for check in generic.likely)


def test_there_are_enough_of_them() -> None:
    assert len(BRIDGEHEAD) >= 60
    assert len(OWN) >= 15


def test_own_mutants_break_a_clause_and_name_checks_that_exist() -> None:
    subject = Subject.of("bridgehead")
    for mutant in OWN:
        assert mutant.clause in subject.rules
        assert SENTENCE.fullmatch(mutant.what)
        assert all(check_named(check, subject) for check in mutant.likely)


def test_whatever_is_planted_can_be_pulled_out_again() -> None:
    before = fingerprint()
    for mutant in BRIDGEHEAD.values():
        with planted(mutant):
            pass
    assert fingerprint() == before


def test_a_ruleset_without_pieces_gets_the_bugs_of_the_engine() -> None:
    from tests.engine import toy

    subject = Subject.of(toy.RULESET)
    applied = {mutant.id for mutant in generic_mutants(subject)}
    assert "undo-crosses-dice" in applied
    unused = unused_mutants(subject)
    assert unused["zones-free-to-enter"] == "it has no movement segment of the mechanics"
    assert applied.isdisjoint(unused)
    assert len(applied) + len(unused) == len(CATALOGUE)


@pytest.mark.parametrize("check", CAUGHT)
def test_a_check_of_rules_catches_its_bug(check: str) -> None:
    mutant = BRIDGEHEAD[CAUGHT[check]]
    with planted(mutant):
        report = check_ruleset("bridgehead", options=dict(mutant.options), only=[check], first=True)
    assert [failure.check for failure in report.failures] == [check]


def test_every_check_of_rules_is_among_them() -> None:
    rules = {check.id for check in CHECKS.values() if check.__module__.endswith(RULES)}
    assert rules | {DiceAreFair.id} == set(CAUGHT)


RULES = ("pieces", "movement", "combat", "retreats", "supply", "turns", "answers", "staged", "drills")


def test_mutants_are_judged_elsewhere_though_somebody_kills_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Trial] = []
    killed: list[Worker] = []

    class Mortal(Worker):
        def order(self, function: str, order: Any) -> None:
            super().order(function, order)
            if not killed:
                killed.append(self)
                self._process.kill()

    monkeypatch.setattr(mutation, "Worker", Mortal)
    some = ["shifts-skipped", "tie-to-the-attacker"]
    report = mutate("bridgehead", only=some, files=[GENERIC, PLANTED], jobs=1, progress=told.append)
    assert [trial.caught_by for trial in report.trials] == ["attacks-are-right", "drills"]
    assert list(report.trials) == told
    assert killed
    assert not report.survivors
    assert fingerprint() == fingerprint()


def judged(mutant: Mutant, monkeypatch: pytest.MonkeyPatch, ruleset: str = "bridgehead") -> tuple[str, str, float]:
    monkeypatch.setattr(mutation, "mutants_of", lambda ruleset, files: {mutant.id: mutant})
    monkeypatch.setenv(mutation.PLANTED, "")
    return mutation.answer({"ruleset": ruleset, "mutant": mutant.id, "tier": "quick", "seed": 0, "files": []})


def test_a_mutant_that_cannot_be_planted_is_not_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Mutant("nothing", "Nothing is there.", lambda patch: patch.set(Patch, "no_such_thing", 1))
    check, message, _ = judged(nothing, monkeypatch)
    assert (check, message[:24]) == ("", "it cannot be planted: At")


def test_a_harmless_mutant_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutation, "_judged", lambda *given: ("", ""))
    harmless = Mutant("harmless", "Nothing is wrong.", lambda patch: None, likely=("moves-are-right",))
    assert judged(harmless, monkeypatch)[:2] == ("", "")


def test_the_checks_of_the_ruleset_are_asked_after_the_likely_ones_and_before_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str] | None] = []

    def ask(*given: Any) -> tuple[str, str]:
        asked.append(given[-1])
        return "", ""

    monkeypatch.setattr(mutation, "_judged", ask)
    judged(Mutant("harmless", "Nothing is wrong.", lambda patch: None, likely=("moves-are-right",)), monkeypatch, "tow")
    assert asked == [("moves-are-right",), [*(check.id for check in KIT.checks), "drills"], None]


def test_likely_checks_that_a_ruleset_does_not_have_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mutation._judged("wop", "quick", 0, {}, ["staged-games-agree"]) == ("", "")
    with pytest.raises(UnknownName):
        mutation._judged("wop", "quick", 0, {}, ["no-such-check"])


def test_a_process_that_a_judge_starts_is_broken_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    mutant = Mutant("odd", "It is odd.", lambda patch: done.append("planted"))
    monkeypatch.setattr(mutation, "mutants_of", lambda ruleset, files: {f"{ruleset}'s {mutant.id}"[-3:]: mutant})
    mutation.plant_again()
    assert not done
    monkeypatch.setenv(mutation.PLANTED, '["bridgehead", "odd", []]')
    mutation.plant_again()
    assert done == ["planted"]


def test_two_mutants_with_one_name_are_an_error() -> None:
    with pytest.raises(HexwarError, match="two mutants of bridgehead are called"):
        mutants_of("bridgehead", (PLANTED,) * 2)


def test_a_file_without_mutants_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(HexwarError, match="no such file of planted bugs"):
        mutants_in(str(tmp_path / "none.py"), "bridgehead")
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    with pytest.raises(HexwarError, match="has no MUTANTS"):
        mutants_in(str(tmp_path / "empty.py"), "bridgehead")


# -- the report ---------------------------------------------------------------------------------------------------------------


def report(*trials: Trial) -> MutationReport:
    return MutationReport("toy", "quick", trials)


CAUGHT_ONE = Trial("late", "It comes late.", "3.1", "games-end", "not over", 2.0, 1.5)
LEFT_ONE = Trial("early", "It comes early.", "", "", "", 1.0, 1.0)


def test_a_report_says_who_survives() -> None:
    lines = report(CAUGHT_ONE, LEFT_ONE).lines()
    assert lines[0] == "late  caught by games-end (2.0 s): It comes late."
    assert lines[1] == "early  SURVIVES (1.0 s): It comes early."
    assert lines[-1] == "1 of 2 mutants caught, 1 survive; 2 s of processor time"


def test_the_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutate", "bridgehead", "--planted", GENERIC, "--planted", PLANTED, "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "tie-to-the-attacker: Blue wins a tie. (14.3)" in lines
    unused = unused_mutants(Subject.of("bridgehead"))
    assert unused["zones-ignored-by-whole-moves"] == "no step takes a whole move"
    assert len(lines) == len(CATALOGUE) - len(unused) + len(OWN)


def test_conditions_are_asked_in_order() -> None:
    never = Condition("it never does", lambda parts: False)
    wrong = Condition("it fails", lambda parts: 1 // 0 == 1)
    generic = Generic("odd", "It is odd.", lambda patch, parts: None, (), (never, wrong))
    assert generic.why_not(Parts(Subject.of("bridgehead"))) == "it never does"
