"""The conformance checks without pytest: `check_ruleset`, which `hexwar check` runs."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from hexwar.bots import usual_bot
from hexwar.engine import Json, RuleIndex, Ruleset
from hexwar.plugins import plugins
from hexwar.testing._checks import check_named, checks_of
from hexwar.testing._checks.content import ContentIsSound, secrets_of
from hexwar.testing._checks.corpus import watched_games
from hexwar.testing._checks.processes import in_pythons
from hexwar.testing._coverage.rule_coverage import RuleCoverage
from hexwar.testing._reports.failures import TRIES, Failure, failure_of, settle_fault, settle_staged
from hexwar.testing._reports.folders import write_plain
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.suite import choose_subjects, known_of
from hexwar.testing._running.watch import Budget, Check, CheckFailed, NotJudged, Survey, Watch, begin, budget_of
from hexwar.testing._running.work_units import Result, Unit, elsewhere, work
from hexwar.testing._staging.combinations import settings
from hexwar.workers import answers, useful_jobs

MORE_GAMES = 3
"""So many times as many short games are played: they cost little and show little."""
Verdict = Literal["passed", "failed", "known", "repaired", "unjudged", "not run"]
"""A known failure that still fails is "known", one that passes is "repaired" and must be taken off the list. A check
is "unjudged" if the ruleset crashed in its games and it found nothing else, and "not run" if no game could begin."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one check went; its seconds are those of all processes together."""

    check: str
    sentence: str
    verdict: Verdict
    failure: Failure | None = None
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_good(self) -> bool:
        """Whether nobody needs to do anything."""
        return self.verdict in ("passed", "known")

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        data: dict[str, Json] = {"id": self.check, "sentence": self.sentence, "verdict": self.verdict}
        data |= {"seconds": round(self.seconds, 3), **({"reason": self.reason} if self.reason else {})}
        failure = self.failure
        if failure is not None:
            moves: list[Json] = [{"seat": seat, "action": action.to_json()} for seat, action in failure.replay]
            folder = None if failure.folder is None else str(failure.folder)
            data |= {"message": failure.message, "clauses": list(failure.clauses), "moves": moves, "folder": folder}
            data |= {"position": failure.smallest.text} if failure.smallest is not None and failure.begins_late else {}
        return data


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which clauses the games cited, refusals and steps included.

    Args:
        rules: who cited what, in full.
        index: the clauses.
    """

    rules: RuleCoverage
    index: RuleIndex = field(compare=False)

    @property
    def cited(self) -> Mapping[str, int]:
        """Clause -> how often it was cited in any way, in rulebook order."""
        return self.rules.cited

    @property
    def never(self) -> tuple[str, ...]:
        """Clauses that count as implemented and were not cited; optional rules that were off are not counted."""
        return tuple(clause.id for clause in self.rules.never(self.index))

    @property
    def percent(self) -> float:
        """How many of every hundred clauses that could be cited were cited."""
        return self.rules.cited_percent(self.index)

    def lines(self) -> list[str]:
        """The whole for a terminal."""
        return self.rules.cited_lines(self.index)


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
    seconds: float = field(default=0.0, compare=False)
    scenarios: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = ()
    """What else the reader should know."""
    jobs: int = field(default=1, compare=False)

    @property
    def passed(self) -> bool:
        """Whether every check passed, or fails for a known reason."""
        return all(outcome.is_good for outcome in self.outcomes)

    @property
    def failures(self) -> list[Failure]:
        """What must be repaired."""
        return [outcome.failure for outcome in self.outcomes if outcome.verdict == "failed" and outcome.failure is not None]

    def lines(self, *, slow: bool = False, coverage: bool = False) -> list[str]:
        """For a terminal.

        Args:
            slow: report how long each check took.
            coverage: report every clause.
        """
        where = ", ".join(self.scenarios)
        lines = [f"{self.ruleset} {self.version} ({where}): {self.games} games, {self.actions} actions, {self.seconds:.1f} s"]
        lines += self.notes
        number = Counter(outcome.verdict for outcome in self.outcomes)
        for outcome in self.outcomes:
            if outcome.verdict == "not run":
                continue
            note = f" ({outcome.reason})" if outcome.reason else ""
            if outcome.verdict == "unjudged":
                note = outcome.reason.removeprefix("not judged")
            took = f"{outcome.seconds:7.2f} s  " if slow else ""
            lines.append(f"{outcome.verdict:8} {took}{outcome.check}{note}")
            if outcome.verdict == "failed" and outcome.failure is not None:
                lines += [f"    {line}" for line in outcome.failure.lines()]
        if number["not run"]:
            lines.append(f"not run  {number['not run']} other checks")
        elif coverage:
            lines += ["", *self.coverage.lines()]
        else:
            never = len(self.coverage.never)
            hint = f"; {never} never, see --coverage" if never else ""
            lines.append(f"{self.coverage.rules.cited_sentence(self.coverage.index)}{hint}")
        others = {"not judged": number["unjudged"], "not run": number["not run"]}
        note = next((f", {count} {what}" for what, count in others.items() if count), "")
        bad = number["failed"] + number["repaired"]
        lines.append("passed" if self.passed else f"{bad} of {len(self.outcomes)} checks failed{note}")
        return lines

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        rules = self.coverage.rules
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
            "jobs": self.jobs,
            "notes": list(self.notes),
            "checks": [outcome.to_json() for outcome in self.outcomes],
            "coverage": {
                "percent": round(self.coverage.percent, 2),
                "cited": {clause: rules.citations(clause)._asdict() for clause in self.coverage.cited},
                "never": list(self.coverage.never),
            },
        }


def check_ruleset(
    ruleset: str | Ruleset,
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
    jobs: int | None = 1,
    bot_games: int = 0,
    pythons: Sequence[str] | None = None,
    executor: Executor | None = None,
) -> Report:
    """Hold a ruleset to what every ruleset promises; all checks watch the same random games.

    The same arguments give the same report, whatever the number of jobs, but for the seconds.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        tier: "quick", "ci" or "nightly".
        seed: other seeds play other games.
        report_dir: where failures are written; `.hexwar/failures` if not given.
        known_failures: check id -> why it fails; besides those that the ruleset's kit names.
        scenarios: the ones to play; those that the ruleset's kit names for the tier if not given.
        options: optional rules that are on in every game.
        only: the ids of the checks to run, all if not given.
        capabilities: what the ruleset has, besides what its own kit says; switches on the checks that need it.
        checks: further checks, besides those of the ruleset's own kit.
        first: stop at the first failure, and neither minimise nor write it.
        jobs: how many processes share the work; None for as many as there are processors. What other processes could not find,
            such as a ruleset that is in no module, or capabilities and checks that are given here, is checked in this one.
        bot_games: how many further games the ruleset's bot plays, or one that plays any game; they reach more clauses.
        pythons: other interpreters that must play the same games; those of HEXWAR_PYTHONS if not given.
        executor: who shares the work instead of processes of this machine, such as a cluster.
    """
    begun = time.perf_counter()
    budget = budget_of(tier)
    subjects = choose_subjects(ruleset, scenarios, options, budget, capabilities, checks)
    subject = subjects[0]
    wanted = None if only is None else {check_named(name, subject).id for name in only}
    checked = [kind for kind in checks_of(subject, tier) if wanted is None or kind.id in wanted]
    run = _Run(subject, budget, seed, report_dir, known_of(subject, known_failures), first)
    turns = subject.played(tier) if scenarios is None else [one.scenario for one in subjects]
    if run.begins(subjects):
        units = units_of(checked, subjects, turns, budget, seed, bot_games)
    else:  # one report says why; every check would say it again
        units, checked = [], [ContentIsSound, *(kind for kind in checked if kind is not ContentIsSound)]
    is_shared = plugins().portable and subject.address is not None and not (capabilities or checks or first)
    jobs = useful_jobs(jobs, len(units)) if is_shared else 1
    with in_pythons(pythons):
        for unit, result in _results(budget, seed, units, jobs, executor if is_shared else None):
            run.take(unit, result)
            if run.done:
                break
    on = tuple(name for name, value in (options or {}).items() if value)
    return Report(
        subject.info.id,
        subject.info.version,
        tier,
        seed,
        tuple(run.outcome(kind) for kind in checked),
        Coverage(replace(run.coverage.ordered(subject.rules), options=on), subject.rules),
        run.games,
        run.actions,
        time.perf_counter() - begun,
        tuple(subject.scenario for subject in subjects),
        (*unsaid(subject), *run.notes),
        jobs,
    )


def unsaid(subject: Subject) -> list[str]:
    """What the kit does not say, and what nobody looks at therefore."""
    if subject.kit.secret is not None or secrets_of(subject.ruleset):
        return []
    return [
        "no field of the state is hidden, so the checks of secrets judge nothing; "
        "does the rulebook hide nothing? Then say so in the kit: Kit(secret=())"
    ]


def units_of(
    checked: Sequence[type[Check]],
    subjects: Sequence[Subject],
    turns: Sequence[str],
    budget: Budget,
    seed: int,
    bot_games: int,
) -> list[Unit]:
    """What there is to do: games of the scenarios in turn, then surveys of each."""
    watches = tuple(kind.id for kind in checked if issubclass(kind, Watch))
    plain = subjects[0]
    units: list[Unit] = []
    if watches:
        bot = usual_bot(plain.info)
        games = budget.games * (MORE_GAMES if all(subject.is_short for subject in subjects) else 1)
        played = settings(plain, [turns[number % len(turns)] for number in range(games)], seed)
        units += [Unit(one, watches, f"{seed}|{number}") for number, one in enumerate(played)]
        known = watched_games(plain, budget.tier) if turns == plain.played(budget.tier) else {}
        for number, game in known.items():
            setting = replace(plain, scenario=game.scenario, options={**plain.options, **game.options}, seats=game.seats)
            units.append(Unit(setting, watches, game.key, known=number))
        units += [Unit(subjects[number % len(subjects)], watches, f"{seed}|bot|{number}", bot) for number in range(bot_games)]
    surveys = [kind for kind in checked if issubclass(kind, Survey)]
    return [*units, *(Unit(one, (kind.id,)) for kind in surveys for one in (subjects[:1] if kind.once else subjects))]


def _results(
    budget: Budget, seed: int, units: Sequence[Unit], jobs: int, executor: Executor | None
) -> Iterator[tuple[Unit, Result]]:
    """What each unit found, in their order."""
    if jobs == 1 and executor is None:
        for unit in units:
            yield unit, work(budget, seed, unit)
        return
    # What takes longest first, so that nobody waits for one process at the end: surveys, then long games.
    order = sorted(range(len(units)), key=lambda n: (bool(units[n].key), -units[n].subject.bound))
    told = answers(partial(elsewhere, budget, seed), [units[number] for number in order], jobs, executor)
    found = dict(zip(order, told, strict=True))
    for number, unit in enumerate(units):
        yield unit, found[number]


class _Run:
    """One run of `check_ruleset`."""

    def __init__(
        self,
        subject: Subject,
        budget: Budget,
        seed: int,
        report_dir: str | os.PathLike[str] | None,
        known: Mapping[str, str],
        first: bool,
    ) -> None:
        self._budget = budget
        self._seed = seed
        self._report_dir = report_dir
        self._known = known
        self._first = first
        self._failures: dict[str, Failure] = {}
        self._crashes: dict[str, CheckFailed] = {}
        """By the checks that could not be judged because of them."""
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self.coverage = RuleCoverage(subject.info.id)
        self._begins = True
        self.games = 0
        self.actions = 0
        self.notes: list[str] = []

    def begins(self, subjects: Iterable[Subject]) -> bool:
        """Whether a game of each scenario begins; if not, this is recorded as a failure."""
        for subject in subjects:
            try:
                begin(subject, f"{self._seed}|0")
            except CheckFailed as error:
                failure = failure_of(error, subject)
                plain = self._first or error.check in self._known
                self._failures[error.check] = failure if plain else write_plain(failure, subject, self._report_dir)
                self._begins = False
                return False
        return True

    def take(self, unit: Unit, result: Result) -> None:
        """Put down what a unit found; the first fault of each check is settled."""
        for check, seconds in result.seconds.items():
            self._seconds[check] += seconds
        self.coverage = self.coverage.merged(RuleCoverage(self.coverage.ruleset, fired=result.fired))
        self.games += bool(unit.key)
        self.actions += result.actions
        if result.note:
            self.notes.append(result.note)
        for error in sorted(result.found, key=lambda error: error.crash is not None):
            if error.crash:
                self._crashes.setdefault(error.check, error.crash)
            responsible = error.crash or error
            is_ours = not error.crash or error.is_staged or responsible.check in unit.checks
            if responsible.check not in self._failures and is_ours:
                self._settle(unit, result, error)

    @property
    def done(self) -> bool:
        """Whether there is nothing more to find out."""
        return self._first and any(check not in self._known for check in self._failures)

    def _settle(self, unit: Unit, result: Result, found: CheckFailed) -> None:
        """Minimise what was found, and write it."""
        subject = unit.subject
        error = found.crash or found
        write = error.check not in self._known and not self._first
        if found.is_staged:
            again = [] if found.staged else work(self._budget, self._seed, unit).found  # another process found it
            found = next((one for one in again if one.staged), found)
        if found.staged:
            self._failures[error.check] = settle_staged(found, self._budget, self._report_dir, write=write)
            return
        played, alone = result.played.get(found.check), replace(unit, checks=(found.check,))
        for _ in range(TRIES if unit.key and not self._first else 0):  # another process found it: play it here
            played = played or work(self._budget, self._seed, alone).played.get(found.check)
        if played is None:
            failure = failure_of(error, subject)
            failure = write_plain(failure, subject, self._report_dir) if write else failure
        elif self._first:
            failure = replace(failure_of(played[1].settled.error, subject), moves=played[1].moves)
        else:
            game, fault = played
            rolled = getattr(game.chance, "tape", ())
            failure = settle_fault(subject, game, fault.settled, self._budget, self._report_dir, rolled=rolled, write=write)
        self._failures[error.check] = failure

    def outcome(self, kind: type[Check]) -> Outcome:
        """How a check went."""
        failure, crash, reason = self._failures.get(kind.id), self._crashes.get(kind.id), self._known.get(kind.id, "")
        seconds = self._seconds[kind.id]
        if failure is None and not self._begins:
            return Outcome(kind.id, kind.sentence, "not run", None, "a game does not begin")
        if kind.id in self._known:
            return Outcome(kind.id, kind.sentence, "known" if failure or crash else "repaired", failure, reason, seconds)
        if failure is not None or crash is None:
            return Outcome(kind.id, kind.sentence, "failed" if failure else "passed", failure, "", seconds)
        if crash.check in self._known:
            note = f"until the ruleset crashed, a known failure of {crash.check}"
            return Outcome(kind.id, kind.sentence, "passed", None, note, seconds)
        message = NotJudged(kind.id, crash).message
        if crash.check not in self._failures:  # nobody ran the check that would say more
            message = f"not judged: the ruleset crashed: {crash.message}"
        return Outcome(kind.id, kind.sentence, "unjudged", None, message, seconds)
