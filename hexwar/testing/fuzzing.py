"""Long runs of the two checks that an attacker would try to break: illegal actions and hidden information.

`hexwar fuzz ID` plays random games of all scenarios in turn, with optional rules on and off and with every seating, until it
has put a given number of illegal attempts to the gate and made a given number of comparisons of non-interference. The checks are
those of the suite, so whatever is found comes with the same folder: replay, minimal game, test.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import get_context

from hexwar.engine import Game, Ruleset, RulesetInfo, settle_options
from hexwar.engine._info import Option
from hexwar.engine._records import Json
from hexwar.errors import HexwarError
from hexwar.plugins import plugins
from hexwar.testing.attempts import SORTS
from hexwar.testing.checks.gate import OthersAreRefused, WhyNotAgrees
from hexwar.testing.checks.secrets import HiddenContentDoesNotShow, SecretChoicesStaySecret
from hexwar.testing.failures import settle_fault
from hexwar.testing.playouts import SeatAction, choose
from hexwar.testing.secrecy import CHANNELS
from hexwar.testing.subject import Subject
from hexwar.testing.watch import BUDGETS, Deciding, NotJudged, observe, random_decisions

MOST_BROKEN = 5
"""How many processes may end before their time."""
BUDGET = BUDGETS["quick"]
"""The one with which the test in a failure folder looks again."""
QUOTA = 1_500, 8_000
"""About how many attempts and comparisons are made in one game, at least and at most: many games, each worth its setup."""
PER_LOOK = {OthersAreRefused: 150, WhyNotAgrees: 150, HiddenContentDoesNotShow: 35, SecretChoicesStaySecret: 60}
"""About how many attempts or comparisons one look of a check makes."""
SHARE = {OthersAreRefused: 0.8, WhyNotAgrees: 0.2, HiddenContentDoesNotShow: 0.7, SecretChoicesStaySecret: 0.3}
LENGTH = 30
"""A random game takes about so much less than its bound, as long as none has been played."""


# -- what is played ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Course:
    """One way to play a ruleset.

    Args:
        scenario: its id.
        options: those that differ from their defaults.
        seats: the name of a seating, None for one seat a side.
    """

    scenario: str
    options: tuple[tuple[str, bool | str], ...] = ()
    seats: str | None = None

    def __str__(self) -> str:
        told = [name if value is True else f"{name}={value or 'off'}" for name, value in self.options]
        return " ".join([self.scenario, *told, *([self.seats] if self.seats else [])])


def courses(
    info: RulesetInfo, known: Sequence[Option], scenarios: Sequence[str], given: Mapping[str, bool | str] | None = None
) -> list[list[Course]]:
    """The ways to play, in groups that take turns: each scenario plain and with all switches, and each choice of an option.

    A choice comes with every seating and with every option that needs it; what is given is part of every one.
    """
    base = dict(given or {})
    groups: list[list[Course]] = []
    for scenario in scenarios:
        groups.append([Course(scenario, tuple(base.items())), Course(scenario, _all_switches(known, scenario, base))])
        seatings: list[str | None] = [
            seating.id for seating in info.seatings if not seating.scenarios or scenario in seating.scenarios
        ]
        for option in known:
            for value in option.choices:
                chosen = {**base, option.id: value}
                if value == option.default or option.id in base or option.needs or not _fit(chosen, known, scenario):
                    continue
                further: list[dict[str, bool | str]] = [chosen]
                for other in known:
                    if other.needs.get(option.id) == value and other.id not in base:
                        further += [{**chosen, other.id: choice} for choice in other.choices if choice != other.default]
                switched = [_all_switches(known, scenario, each) for each in further]
                groups.append([Course(scenario, each, seats) for seats in (seatings or [None]) for each in switched])
    return groups


def _fit(options: Mapping[str, bool | str], known: Sequence[Option], scenario: str) -> bool:
    try:
        settle_options(options, known, scenario)
    except HexwarError:
        return False
    return True


def _all_switches(known: Sequence[Option], scenario: str, chosen: Mapping[str, bool | str]) -> tuple[tuple[str, bool | str], ...]:
    """Some choices with all switches that go together with them."""
    on = dict(chosen)
    for option in known:
        if not option.choices and not option.default and option.id not in on and _fit({**on, option.id: True}, known, scenario):
            on[option.id] = True
    return tuple(on.items())


# -- one game ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """One game to play.

    Args:
        address: what finds the ruleset in any process.
        course: what is played.
        seed: for decisions and dice.
        length: how many actions the game will take, as far as anybody knows.
        quota: about how many attempts and comparisons to make in it.
        gate: whether illegal attempts are still wanted.
        secrets: whether comparisons are still wanted.
        until: when to stop, by `time.time`.
        report_dir: where failures are written.
    """

    address: str
    course: Course
    seed: str
    length: int
    quota: float
    gate: bool
    secrets: bool
    until: float
    report_dir: str | None


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
    impossible: dict[str, str] = field(default_factory=dict)

    def add(self, other: Outcome) -> None:
        """Take another game into account."""
        for name in ("attempts", "accepted", "compared", "leaks", "games"):
            getattr(self, name).update(getattr(other, name))
        self.worlds += other.worlds
        self.actions += other.actions
        self.cpu += other.cpu
        self.failures += other.failures
        self.impossible.update(other.impossible)


@cache
def _subject(address: str) -> Subject:
    if ":" not in address:
        return Subject.of(address)
    module, _, name = address.partition(":")
    return Subject.of(getattr(importlib.import_module(module), name))


def play_one(order: Order, subject: Subject | None = None) -> Outcome:
    """Play one game under the eyes of the checks."""
    begun = time.process_time()
    found = subject or _subject(order.address)
    course = order.course
    subject = replace(found, scenario=course.scenario, options=dict(course.options), seats=course.seats)
    done = Outcome()
    try:
        game = subject.start(order.seed)
    except HexwarError as error:
        if course.seats is None:
            raise
        done.impossible[str(course)] = str(error)  # a seating that is not for these options
        return done
    gate = [kind(subject, BUDGET) for kind in (OthersAreRefused, WhyNotAgrees)] if order.gate else []
    secrets = [kind(subject, BUDGET) for kind in (HiddenContentDoesNotShow, SecretChoicesStaySecret)] if order.secrets else []
    watches = [*gate, *secrets]
    for watch in watches:
        watch.salt = order.seed
        watch.rate = min(1.0, SHARE[type(watch)] * order.quota / PER_LOOK[type(watch)] / order.length)  # type: ignore[misc]
    decide = _until(_with_a_taste(order.seed, subject.bound), order.until)
    for fault in observe(game, watches, decide):
        if isinstance(fault.error, NotJudged):
            fault = replace(fault, error=fault.error.crash)
        failure = settle_fault(subject, game, fault, BUDGET, order.report_dir)
        done.failures.append([f"in a game of {course}:", *failure.lines()])
    for watch in gate:
        done.attempts += watch.tally
        done.accepted += Counter([watch.failing] if watch.failing else [])
    for look in secrets:
        done.compared += look.tally
        done.leaks += Counter([look.failing] if look.failing else [])
        done.worlds += look.worlds
    done.games[str(course)] += 1
    done.actions, done.cpu = len(game.history), time.process_time() - begun
    return done


def _with_a_taste(seed: str, limit: int) -> Deciding:
    """Random decisions, in every other game by somebody who likes some kinds of actions better than others.

    Positions that need the same thing to be done again and again, such as an empty cup, hardly ever come about by pure chance.
    """
    chance = random.Random(seed)
    if chance.random() < 0.5:
        return random_decisions(chance, limit)
    taste: dict[str, float] = {}

    def decide(game: Game) -> Iterator[SeatAction]:
        for _ in range(limit):
            if not game.to_move:
                return
            choices = [choose(game, chance) for _ in range(3)]
            for _, action in choices:
                taste.setdefault(action.kind, chance.random())
            yield max(choices, key=lambda decision: taste[decision[1].kind])

    return decide


def _until(decide: Deciding, until: float) -> Deciding:
    def decisions(game: Game) -> Iterator[SeatAction]:
        for decision in decide(game):
            if time.time() > until:
                return
            yield decision

    return decisions


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
            *_table("illegal attempts", "attempts", "accepted", SORTS, done.attempts, done.accepted),
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
            "attempts": {sort: done.attempts[sort] for sort in SORTS},
            "accepted": {sort: done.accepted[sort] for sort in SORTS},
            "compared": {channel: done.compared[channel] for channel in CHANNELS},
            "leaks": {channel: done.leaks[channel] for channel in CHANNELS},
            "worlds": done.worlds,
            "games": dict(sorted(done.games.items())),
            "actions": done.actions,
            "seconds": round(self.seconds, 1),
            "cpu": round(done.cpu, 1),
            "failures": ["\n".join(lines) for lines in done.failures],
        }


def _table(
    title: str, number: str, bad: str, rows: Mapping[str, object], counted: Counter[str], wrong: Counter[str]
) -> Iterator[str]:
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
    told: Callable[[Outcome], object] | None = None,
) -> FuzzReport:
    """Put illegal attempts to a ruleset's gate and exchange what is hidden, in random games, until enough was tried.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        attempts: how many illegal attempts to make, and as many comparisons of non-interference; None for what the time allows.
        minutes: stop after so long in any case.
        jobs: how many processes play at a time; a ruleset that is in no module can have one only.
        scenarios: the ones to play; all take turns if not given.
        options: optional rules that are as said in every game; the others are on and off in turn.
        seed: other seeds play other games.
        report_dir: where failures are written; `.hexwar/failures` if not given.
        told: called after every game with what all of them gave.

    Raises:
        HexwarError: neither a number nor a time is given, or something is unknown.
    """
    if attempts is None and minutes is None:
        raise HexwarError("say how many attempts shall be made, or for how many minutes")
    subject = Subject.of(ruleset)
    address = subject.address
    if address is None and jobs > 1:
        raise HexwarError(f"{subject.info.id} is in no module, so other processes cannot find it: use one job")
    played = [subject.info.scenario(name).id for name in scenarios or [scenario.id for scenario in subject.info.playable]]
    if not played:
        raise HexwarError(f"{subject.info.id} has no scenario that can be played yet")
    run = _Run(subject, courses(subject.info, subject.every_option, played, options), seed)
    begun = time.time()
    run.until = begun + 60 * minutes if minutes is not None else float("inf")
    run.attempts = float("inf") if attempts is None else attempts
    run.report_dir = None if report_dir is None else str(report_dir)
    run.told = told or (lambda total: None)
    if jobs == 1:
        while run.goes_on:
            run.take(play_one(run.order(address or ""), subject))
    else:
        spawned, broken = get_context("spawn"), 0
        while run.goes_on:
            try:
                with ProcessPoolExecutor(jobs, spawned, initializer=_prepare, initargs=(sys.path, plugins().files)) as pool:
                    run.in_parallel(pool, jobs, address or "")
            except BrokenProcessPool:  # one was killed or crashed, which ends them all; others go on with the next games
                broken += 1
                if broken > MOST_BROKEN:
                    raise HexwarError(f"{broken} times a process that played was killed or crashed") from None
    return FuzzReport(subject.info.id, subject.info.version, seed, run.total, time.time() - begun)


def _prepare(path: list[str], files: Sequence[str]) -> None:
    """Make a new process find what this one finds."""
    sys.path[:] = path
    os.environ["HEXWAR_PLUGIN_FILE"] = os.pathsep.join(files)


class _Run:
    """One run of `fuzz_ruleset`: which game comes next, and what all of them gave."""

    until: float
    attempts: float
    report_dir: str | None
    told: Callable[[Outcome], object]

    def __init__(self, subject: Subject, groups: Sequence[Sequence[Course]], seed: int) -> None:
        self._subject = subject
        # Shuffled, so that a short run sees different seatings, and runs with another seed see others.
        self._groups = [random.Random(f"{seed}|{number}").sample(group, len(group)) for number, group in enumerate(groups)]
        self._seed = seed
        self._number = 0
        self._lengths: dict[str, int] = {}
        self.total = Outcome()

    @property
    def goes_on(self) -> bool:
        """Whether another game is to be played."""
        wanted = self.total.attempts.total() < self.attempts or self._compares_on
        playable = self._number < self._enough or bool(self.total.games)
        return wanted and playable and not self.total.failures and time.time() < self.until

    @property
    def _enough(self) -> int:
        """This many games show whether a ruleset can be played, and whether it hides anything."""
        return 3 * sum(map(len, self._groups))

    @property
    def _compares_on(self) -> bool:
        """Whether comparisons are still wanted; a game that hides nothing never has any."""
        hides = bool(self.total.worlds) or self.total.games.total() < self._enough
        return hides and self.total.compared.total() < self.attempts

    def order(self, address: str) -> Order:
        """The next game."""
        group = self._groups[self._number % len(self._groups)]
        course = group[self._number // len(self._groups) % len(group)]
        self._number += 1
        guess = max(40, self._subject.info.scenario(course.scenario).bound // LENGTH)
        return Order(
            address,
            course,
            f"fuzz|{self._seed}|{self._number}",
            self._lengths.get(str(course), guess),
            min(max(QUOTA[0], self.attempts / len(self._groups) / 4), QUOTA[1]),
            self.total.attempts.total() < self.attempts,
            self._compares_on,
            self.until,
            self.report_dir,
        )

    def take(self, done: Outcome) -> None:
        """Note what a game gave."""
        self.total.add(done)
        for course in done.games:
            self._lengths[course] = max(40, done.actions)
        self.told(self.total)

    def in_parallel(self, pool: Executor, jobs: int, address: str) -> None:
        """Keep all processes busy."""
        playing: set[Future[Outcome]] = set()
        while playing or self.goes_on:
            while self.goes_on and len(playing) < jobs:
                playing.add(pool.submit(play_one, self.order(address)))
            done, playing = wait(playing, return_when=FIRST_COMPLETED)
            for future in done:
                self.take(future.result())
