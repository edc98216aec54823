"""The conformance checks without pytest: `check_ruleset`, which `hexwar check` runs."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hexwar.engine import Game, Ruleset, Status, rule_coverage
from hexwar.engine.records import Json
from hexwar.engine.rules import RuleIndex
from hexwar.testing.checks import check_named, checks_of
from hexwar.testing.checks.processes import in_pythons
from hexwar.testing.failures import Failure, failure_of, settle_fault, write_plain
from hexwar.testing.kit import Capability
from hexwar.testing.subject import Subject
from hexwar.testing.suite import choose_subjects
from hexwar.testing.watch import (
    Budget,
    Check,
    CheckFailed,
    Fault,
    NotJudged,
    Survey,
    Watch,
    budget_of,
    complaint,
    in_words,
    observe,
    random_decisions,
)

Verdict = Literal["passed", "failed", "known", "repaired", "unjudged"]
"""A known failure that still fails is "known", one that passes is "repaired" and must be taken off the list. A check
is "unjudged" if the ruleset crashed in its games and it found nothing else."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one check went."""

    check: str
    sentence: str
    verdict: Verdict
    failure: Failure | None = None
    reason: str = ""

    @property
    def is_good(self) -> bool:
        """Whether nobody needs to do anything."""
        return self.verdict in ("passed", "known")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which clauses the games cited, refusals included."""

    cited: Mapping[str, int]
    never: tuple[str, ...]
    """Clauses that count as implemented and were not cited; optional rules that were off are not counted."""


@dataclass(frozen=True)
class Report:
    """What `check_ruleset` found."""

    ruleset: str
    version: str
    tier: str
    seed: int
    outcomes: tuple[Outcome, ...]
    coverage: Coverage
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    scenarios: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether every check passed, or fails for a known reason."""
        return all(outcome.is_good for outcome in self.outcomes)

    @property
    def failures(self) -> list[Failure]:
        """What must be repaired."""
        return [outcome.failure for outcome in self.outcomes if outcome.verdict == "failed" and outcome.failure is not None]

    def lines(self) -> list[str]:
        """For a terminal."""
        where = ", ".join(self.scenarios)
        lines = [f"{self.ruleset} {self.version} ({where}): {self.games} games, {self.actions} actions, {self.seconds:.1f} s"]
        for outcome in self.outcomes:
            note = f" ({outcome.reason})" if outcome.reason else ""
            if outcome.verdict == "unjudged":
                note = outcome.reason.removeprefix("not judged")
            lines.append(f"{outcome.verdict:8} {outcome.check}{note}")
            if outcome.verdict == "failed" and outcome.failure is not None:
                lines += [f"    {line}" for line in outcome.failure.lines()]
        counted = len(self.coverage.cited) + len(self.coverage.never)
        lines.append(f"rule coverage: {len(self.coverage.cited)} of {counted} clauses cited")
        if self.coverage.never:
            lines.append(f"  never cited: {', '.join(self.coverage.never)}")
        unjudged = sum(outcome.verdict == "unjudged" for outcome in self.outcomes)
        bad = sum(not outcome.is_good for outcome in self.outcomes) - unjudged
        note = f", {unjudged} not judged" if unjudged else ""
        lines.append("passed" if self.passed else f"{bad} of {len(self.outcomes)} checks failed{note}")
        return lines

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        return {
            "ruleset": self.ruleset,
            "version": self.version,
            "tier": self.tier,
            "seed": self.seed,
            "scenarios": list(self.scenarios),
            "passed": self.passed,
            "games": self.games,
            "actions": self.actions,
            "seconds": round(self.seconds, 2),
            "checks": [_outcome_json(outcome) for outcome in self.outcomes],
            "coverage": {"cited": dict(self.coverage.cited), "never": list(self.coverage.never)},
        }


def _outcome_json(outcome: Outcome) -> Json:
    failure = outcome.failure
    data: dict[str, Json] = {"id": outcome.check, "sentence": outcome.sentence, "verdict": outcome.verdict}
    if outcome.reason:
        data["reason"] = outcome.reason
    if failure is not None:
        data["message"] = failure.message
        data["clauses"] = list(failure.clauses)
        data["moves"] = [{"seat": seat, "action": action.to_json()} for seat, action in failure.moves]
        data["folder"] = None if failure.folder is None else str(failure.folder)
    return data


def check_ruleset(
    ruleset: str | Ruleset[Any, Any],
    tier: str = "quick",
    seed: int = 0,
    report_dir: str | os.PathLike[str] | None = None,
    *,
    known_failures: Mapping[str, str] | None = None,
    scenarios: Sequence[str] | None = None,
    options: Mapping[str, bool | str] | None = None,
    only: Iterable[str] | None = None,
    capabilities: Sequence[Capability] = (),
    checks: Sequence[type[Check]] = (),
    first: bool = False,
    pythons: Sequence[str] | None = None,
) -> Report:
    """Hold a ruleset to what every ruleset promises; all checks watch the same random games.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        tier: "quick", "ci" or "nightly".
        seed: other seeds play other games.
        report_dir: where failures are written; `.hexwar/failures` if not given.
        known_failures: check id -> why it fails.
        scenarios: the ones to play; those that the ruleset's kit names for the tier if not given.
        options: optional rules that are on in every game.
        only: the ids of the checks to run, all if not given.
        capabilities: what the ruleset has, besides what its own kit says; switches on the checks that need it.
        checks: further checks, besides those of the ruleset's own kit.
        first: stop at the first failure, and neither minimise nor write it.
        pythons: other interpreters that must play the same games; those of HEXWAR_PYTHONS if not given.
    """
    begun = time.perf_counter()
    budget = budget_of(tier)
    subjects = choose_subjects(ruleset, scenarios, options, budget, capabilities, checks)
    wanted = None if only is None else {check_named(name, subjects[0]).id for name in only}
    known = {check_named(name, subjects[0]).id: reason for name, reason in (known_failures or {}).items()}
    run = _Run(budget, seed, report_dir, known, first)
    info = subjects[0].info
    checked = [kind for kind in checks_of(subjects[0], tier) if wanted is None or kind.id in wanted]
    with rule_coverage(info.id) as cited, in_pythons(pythons):
        run.watch([kind for kind in checked if issubclass(kind, Watch)], subjects)
        run.survey([kind for kind in checked if issubclass(kind, Survey)], subjects)
    return Report(
        info.id,
        info.version,
        tier,
        seed,
        tuple(run.outcome(kind) for kind in checked),
        _coverage(subjects[0].rules, cited, options or {}),
        run.games,
        run.actions,
        time.perf_counter() - begun,
        tuple(subject.scenario for subject in subjects),
    )


class _Run:
    """One run of `check_ruleset`."""

    def __init__(
        self, budget: Budget, seed: int, report_dir: str | os.PathLike[str] | None, known: Mapping[str, str], first: bool
    ) -> None:
        self._budget = budget
        self._seed = seed
        self._report_dir = report_dir
        self._known = known
        self._first = first
        self._failures: dict[str, Failure] = {}
        self._crashes: dict[str, CheckFailed] = {}
        """By the checks that could not be judged because of them."""
        self.games = 0
        self.actions = 0

    def watch(self, kinds: Sequence[type[Watch]], subjects: Sequence[Subject]) -> None:
        """Play games under the eyes of all checks that have not failed yet."""
        for number in range(self._budget.games):
            live = [kind for kind in kinds if kind.id not in self._failures]
            if not live or self._done:
                return
            subject = subjects[number % len(subjects)]
            key = f"{self._seed}|{number}"
            try:
                game = subject.start(key)
            except Exception as error:
                for kind in live:
                    message = f"a game does not begin: {in_words(error)}"
                    self._failures[kind.id] = Failure(kind.id, kind.sentence, message)
                return
            watches = [kind(subject, self._budget) for kind in live]
            crashes: list[Fault] = []
            for fault in observe(game, watches, random_decisions(random.Random(key), subject.bound)):
                if isinstance(fault.error, NotJudged):
                    self._crashes.setdefault(fault.error.check, fault.error.crash)
                    crashes.append(replace(fault, error=fault.error.crash))
                else:
                    self._settle(subject, game, fault)
            for fault in crashes:
                if fault.error.check not in self._failures and fault.error.check in {kind.id for kind in kinds}:
                    self._settle(subject, game, fault)
            self.games += 1
            self.actions += len(game.history)

    @property
    def _done(self) -> bool:
        return self._first and any(check not in self._known for check in self._failures)

    def _settle(self, subject: Subject, game: Game[Any, Any], fault: Fault) -> None:
        if self._first:
            self._failures[fault.error.check] = replace(failure_of(fault.error, subject), moves=fault.moves)
            return
        write = fault.error.check not in self._known
        failure = settle_fault(subject, game, fault, self._budget, self._report_dir, write=write)
        self._failures[failure.check] = failure

    def survey(self, kinds: Sequence[type[Survey]], subjects: Sequence[Subject]) -> None:
        """Run the checks that need no game of ours."""
        for kind in kinds:
            if self._done:
                return
            for subject in subjects:
                check = kind(subject, self._budget)
                error = complaint(check, check.run, self._seed)
                if isinstance(error, NotJudged):
                    self._crashes[kind.id] = error.crash
                elif error is not None:
                    failure = failure_of(error, subject)
                    if kind.id not in self._known and not self._first:
                        failure = write_plain(failure, subject, self._report_dir)
                    self._failures[kind.id] = failure
                    break

    def outcome(self, kind: type[Check]) -> Outcome:
        """How a check went."""
        failure, crash, reason = self._failures.get(kind.id), self._crashes.get(kind.id), self._known.get(kind.id, "")
        if kind.id in self._known:
            return Outcome(kind.id, kind.sentence, "known" if failure or crash else "repaired", failure, reason)
        if failure is not None or crash is None:
            return Outcome(kind.id, kind.sentence, "failed" if failure else "passed", failure)
        if crash.check in self._known:
            return Outcome(kind.id, kind.sentence, "passed", None, f"until the ruleset crashed, a known failure of {crash.check}")
        message = NotJudged(kind.id, crash).message
        if crash.check not in self._failures:  # nobody asked the check that would tell more
            message = f"not judged: the ruleset crashed: {crash.message}"
        return Outcome(kind.id, kind.sentence, "unjudged", None, message)


def _coverage(rules: RuleIndex, cited: Counter[str], options: Mapping[str, bool | str]) -> Coverage:
    expected = [
        clause.id
        for clause in rules.values()
        if clause.status is not Status.ABSENT and (not clause.option or options.get(clause.option))
    ]
    order = list(rules)
    known = {clause: cited[clause] for clause in order if clause in cited}  # an unknown one is the business of a check
    return Coverage(known, tuple(clause for clause in expected if clause not in cited))
