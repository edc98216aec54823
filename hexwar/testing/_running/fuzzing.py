"""Long runs of the two checks that an attacker would try to break: illegal actions and hidden information.

`hexwar fuzz ID` plays random games of all scenarios in turn, with optional rules on and off and with every seating, until it
has put a given number of illegal attempts to the gate and made a given number of comparisons of non-interference. The checks are
those of the suite, so whatever is found comes with the same folder: replay, minimal game, test.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from typing import Any

from hexwar.engine import Game, Json, Ruleset
from hexwar.errors import HexwarError
from hexwar.testing._checks.attacks import ATTACKS, AttacksFail
from hexwar.testing._checks.gate import OthersAreRefused, WhyNotAgrees
from hexwar.testing._checks.loaders import LoadersSayWhy
from hexwar.testing._checks.secrets import HiddenContentDoesNotShow, SecretChoicesStaySecret
from hexwar.testing._reports.failures import failure_of, settle_fault
from hexwar.testing._reports.folders import write_plain
from hexwar.testing._running.secrecy import CHANNELS
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import BUDGETS, complaint, observe
from hexwar.testing._staging.attempts import SORTS
from hexwar.testing._staging.combinations import settings
from hexwar.testing._staging.random_play import SeatAction, choose
from hexwar.workers import WorkerLost, Workers, completed

MOST_BROKEN = 5
"""How many games may end every process that plays them."""
BUDGET = BUDGETS["quick"]
"""The one with which the test in a failure folder looks again."""
QUOTA = 1_500, 8_000
"""About how many attempts and comparisons are made in one game, at least and at most: many games, each worth its setup."""
LOOKS = {
    OthersAreRefused: 0.7 / 150,
    WhyNotAgrees: 0.2 / 150,
    AttacksFail: 0.1 / 10,
    HiddenContentDoesNotShow: 0.7 / 35,
    SecretChoicesStaySecret: 0.3 / 60,
}
"""How many looks of a check each attempt or comparison of the quota takes: its share of them by about how many a look makes."""
FILES = {"game.json": "damaged save", "position.toml": "damaged position"}
"""The files that are damaged, and the sort of that."""
FILES_EVERY = 10_000
"""About how many attempts are made between two games whose files are damaged."""
TRIED = (*SORTS, *ATTACKS, *FILES.values())
GAMES = 40
"""Into about this many games the attempts are divided, as far as the quota of a game allows."""
ENOUGH = 30
"""This many games show whether a ruleset hides anything."""
LENGTH = 30
"""A random game takes about so much less than its bound, as long as none has been played."""


# -- one game ---------------------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """What came of one game, or of all of them together."""

    attempts: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    leaks: Counter[str] = field(default_factory=Counter)
    worlds: int = 0
    actions: int = 0
    cpu: float = 0.0
    failures: list[list[str]] = field(default_factory=list)
    games: Counter[str] = field(default_factory=Counter)

    def add(self, other: Outcome) -> None:
        """Take another game into account."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))


def play_one(
    subject: Subject,
    seed: str,
    *,
    length: int,
    quota: float,
    gate: bool = True,
    secrets: bool = True,
    until: float = math.inf,
    report_dir: str | None = None,
) -> Outcome:
    """Play one game observed by the checks.

    Args:
        subject: what is played.
        seed: for decisions and dice.
        length: how many actions the game will take, as far as anybody knows.
        quota: about how many attempts and comparisons to make in it.
        gate: whether illegal attempts are still wanted.
        secrets: whether comparisons are still wanted.
        until: when to stop, by `time.time`.
        report_dir: where failures are written.
    """
    begun = time.process_time()
    done, game = Outcome(), subject.start(seed)
    guards = [kind(subject, BUDGET) for kind in (OthersAreRefused, WhyNotAgrees, AttacksFail) if gate]
    spies = [kind(subject, BUDGET) for kind in (HiddenContentDoesNotShow, SecretChoicesStaySecret) if secrets]
    for watch in (watches := [*guards, *spies]):
        watch.salt = seed
        watch.rate = min(1.0, LOOKS[type(watch)] * quota / length)  # type: ignore[misc]
    for fault in observe(game, watches, _decisions(game, seed, subject.bound, until)):
        failure = settle_fault(subject, game, fault.settled, BUDGET, report_dir)
        done.failures.append([f"in a game of {subject}:", *failure.lines()])
    if gate and subject.installed and random.Random(seed).random() < quota / FILES_EVERY:
        _damage_files(subject, seed, done, report_dir)
    for watch in guards:
        done.attempts += watch.tally
        done.accepted += Counter([watch.failing] if watch.failing else [])
    for look in spies:
        done.compared += look.tally
        done.leaks += Counter([look.failing] if look.failing else [])
        done.worlds += look.worlds
    done.games[str(subject)] += 1
    done.actions, done.cpu = len(game.history), time.process_time() - begun
    return done


def _damage_files(subject: Subject, seed: str, done: Outcome, report_dir: str | None) -> None:
    """Load damaged saves and positions of such a game."""
    survey = LoadersSayWhy(subject, BUDGET)
    error = complaint(survey, survey.run, seed, survey.played(seed))
    done.attempts += Counter({FILES[name]: number for name, number in survey.tally.items()})
    if error is not None:
        done.accepted[FILES[([*survey.tally] or [*FILES])[-1]]] += 1
        done.failures.append(write_plain(failure_of(error, subject), subject, report_dir).lines())


def _decisions(game: Game, seed: str, limit: int, until: float) -> Iterator[SeatAction]:
    """Random decisions until then, in every other game by a player who likes some kinds of actions better than others.

    Positions that need the same thing to be done again and again, such as an empty cup, hardly ever come about by pure chance.
    """
    chance = random.Random(seed)
    number = 1 if chance.random() < 0.5 else 3
    taste: defaultdict[str, float] = defaultdict(chance.random)
    for _ in range(limit):
        if not game.to_move or time.time() > until:
            return
        choices = [choose(game, chance) for _ in range(number)]
        yield choices[0] if number == 1 else max(choices, key=lambda decision: taste[decision[1].kind])


# -- many games -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FuzzReport:
    """What `fuzz_ruleset` found."""

    ruleset: str
    version: str
    seed: int
    outcome: Outcome
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing was accepted and nothing leaked."""
        return not self.outcome.failures

    def lines(self) -> list[str]:
        """For a terminal."""
        done = self.outcome
        lines = [
            f"{self.ruleset} {self.version}: {done.games.total()} games, {done.actions:,} actions, {self.seconds:.0f} s, "
            f"{done.cpu:.0f} s of processor time",
            "",
            *_table("illegal attempts", "attempts", "accepted", TRIED, done.attempts, done.accepted),
            "",
            *_table("non-interference", "compared", "leaks", CHANNELS, done.compared, done.leaks),
            f"{done.worlds:,} other games that a seat must not be able to tell from the real one",
            "",
            f"played: {', '.join(f'{course} {number}' for course, number in sorted(done.games.items()))}",
        ]
        for failure in done.failures:
            lines += ["", *failure]
        return [*lines, "passed" if self.passed else f"failed: {len(done.failures)} found"]

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        done = self.outcome
        return {
            "ruleset": self.ruleset,
            "version": self.version,
            "seed": self.seed,
            "passed": self.passed,
            "attempts": {sort: done.attempts[sort] for sort in TRIED},
            "accepted": {sort: done.accepted[sort] for sort in TRIED},
            "compared": {channel: done.compared[channel] for channel in CHANNELS},
            "leaks": {channel: done.leaks[channel] for channel in CHANNELS},
            "worlds": done.worlds,
            "games": dict(sorted(done.games.items())),
            "actions": done.actions,
            "seconds": round(self.seconds, 1),
            "cpu": round(done.cpu, 1),
            "failures": ["\n".join(lines) for lines in done.failures],
        }


def _table(title: str, number: str, bad: str, rows: Iterable[str], counted: Counter[str], wrong: Counter[str]) -> Iterator[str]:
    yield f"{title:20} {number:>12} {bad:>10}"
    for row in rows:
        yield f"  {row:18} {counted[row]:>12,} {wrong[row]:>10,}"
    yield f"  {'all':18} {counted.total():>12,} {wrong.total():>10,}"


def fuzz_ruleset(
    ruleset: str | Ruleset,
    *,
    attempts: int | None = 10_000,
    minutes: float | None = None,
    jobs: int = 1,
    scenarios: Sequence[str] | None = None,
    options: Mapping[str, bool | str] | None = None,
    seed: int = 0,
    report_dir: str | os.PathLike[str] | None = None,
    progress: Callable[[Outcome], object] | None = None,
    executor: Executor | None = None,
) -> FuzzReport:
    """Put illegal attempts to a ruleset's gate and exchange what is hidden, in random games, until enough was tried.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        attempts: how many illegal attempts to make, and as many comparisons of non-interference; None for what the time allows.
        minutes: stop after this time in any case.
        jobs: how many processes play at a time; a ruleset that is in no module can have one only.
        scenarios: the ones to play; all take turns if not given.
        options: optional rules that are as said in every game; the others are on and off in turn.
        seed: other seeds play other games.
        report_dir: where failures are written; `.hexwar/failures` if not given.
        progress: called after every game with what all of them gave.
        executor: who plays instead of processes of this machine, such as a cluster; `jobs` games at a time.

    Raises:
        HexwarError: neither a number nor a time is given, or something is unknown.
    """
    if attempts is None and minutes is None:
        raise HexwarError("say how many attempts to make, or for how many minutes")
    subject = Subject.of(ruleset)
    if subject.address is None and (jobs > 1 or executor is not None):
        raise HexwarError(f"{subject.info.id} is in no module, so other processes cannot find it: use one job")
    played = [subject.info.scenario(name).id for name in scenarios or [scenario.id for scenario in subject.info.playable]]
    if not played:
        raise HexwarError(f"{subject.info.id} has no scenario that can be played yet")
    begun = time.time()
    run = _Run(
        settings(replace(subject, options=dict(options or {})), itertools.cycle(played), seed),
        seed,
        math.inf if attempts is None else attempts,
        math.inf if minutes is None else begun + 60 * minutes,
        None if report_dir is None else str(report_dir),
        progress or (lambda total: None),
    )
    if jobs == 1 and executor is None:
        for order in run.orders():
            run.take(order, play_one(**order))
    else:
        with contextlib.ExitStack() as running:
            run.in_parallel(executor or running.enter_context(Workers(jobs)), max(jobs, 2))
    return FuzzReport(subject.info.id, subject.info.version, seed, run.total, time.time() - begun)


def _play_ordered(order: dict[str, Any]) -> Outcome:
    return play_one(**order)


@dataclass
class _Run:
    """One run of `fuzz_ruleset`: which game comes next, and what all of them gave."""

    settings: Iterator[Subject]
    seed: int
    attempts: float
    until: float
    report_dir: str | None
    progress: Callable[[Outcome], object]
    lengths: dict[str, int] = field(default_factory=dict)
    total: Outcome = field(default_factory=Outcome)

    @property
    def _compares_on(self) -> bool:
        """Whether comparisons are still wanted; a game that hides nothing never has any."""
        hides = bool(self.total.worlds) or self.total.games.total() < ENOUGH
        return hides and self.total.compared.total() < self.attempts

    def orders(self) -> Iterator[dict[str, Any]]:
        """The games that are still to be played, as `play_one` takes them."""
        for number, subject in enumerate(self.settings, 1):
            gate = self.total.attempts.total() < self.attempts
            if not (gate or self._compares_on) or self.total.failures or time.time() >= self.until:
                return
            yield {
                "subject": subject,
                "seed": f"fuzz|{self.seed}|{number}",
                "length": self.lengths.get(subject.scenario, max(40, subject.bound // LENGTH)),
                "quota": min(max(QUOTA[0], self.attempts / GAMES), QUOTA[1]),
                "gate": gate,
                "secrets": self._compares_on,
                "until": self.until,
                "report_dir": self.report_dir,
            }

    def take(self, order: dict[str, Any], done: Outcome) -> None:
        """Note what a game gave."""
        self.total.add(done)
        self.lengths[order["subject"].scenario] = max(40, done.actions)
        self.progress(self.total)

    def in_parallel(self, pool: Executor, jobs: int) -> None:
        """Keep all processes busy."""
        broken = 0
        for order, future in completed(pool, _play_ordered, self.orders(), jobs):
            try:
                self.take(order, future.result())
            except WorkerLost:
                broken += 1
                if broken > MOST_BROKEN:
                    raise HexwarError(f"{broken} games ended every process that played them") from None
