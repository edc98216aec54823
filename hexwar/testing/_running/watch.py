"""Checks as watches: what a check sees of a game while it is played, and how it reports a failure.

A watch never changes the game that it watches: what it wants to try, it tries on a copy. Whatever it picks at random depends
only on the decision at which it looks, so that it finds the same fault again when a shorter game leads to that decision.
"""

from __future__ import annotations

import random
import re
import traceback
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from hexwar.engine import Action, Event, Game, Playout, RandomSource, TapedChance
from hexwar.errors import RuleBroken, RuleBrokenCode, UnknownName
from hexwar.testing._coverage.ledger import open_ledger, unheard
from hexwar.testing._running.kit import C, Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._staging.random_play import SeatAction, choose, is_offered, play_at_random, shortened

Tier = Literal["quick", "ci", "nightly"]
TIERS: tuple[Tier, ...] = ("quick", "ci", "nightly")


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work a tier does.

    Args:
        tier: its name.
        examples: games per check in the pytest suite.
        games: games that all checks of `check_ruleset` watch together.
        probes: actions that a check tries at each look, where there are many.
        processes: other processes for the check that they agree.
        looks: decisions of a long game that are looked at; it is played to its end, but looked at in stretches only.
        share: of the decisions of other games; many games with other stretches show more than all of a few.
    """

    tier: Tier
    examples: int
    games: int
    probes: int
    processes: int
    looks: int
    share: float = 1.0


BUDGETS: dict[str, Budget] = {
    "quick": Budget("quick", examples=3, games=6, probes=3, processes=1, looks=80),
    "ci": Budget("ci", examples=20, games=40, probes=6, processes=3, looks=60, share=0.6),
    "nightly": Budget("nightly", examples=1000, games=2000, probes=40, processes=6, looks=1000),
}
"""The tiers by name."""


def budget_of(tier: str) -> Budget:
    """The budget of a tier."""
    if tier not in BUDGETS:
        raise UnknownName("tier", tier, BUDGETS)
    return BUDGETS[tier]


class CheckFailed(AssertionError):
    """A check found a fault.

    Args:
        check: its id.
        message: what is wrong, in a sentence or more.
        since: the number of the action at which the watch began what went wrong, where that was not the last one.
    """

    def __init__(self, check: str, message: str, since: int | None = None) -> None:
        super().__init__(check, message, since)
        self.check = check
        self.message = message
        self.since = since
        self.crash: CheckFailed | None = None
        """What another check says about it, if the ruleset crashed."""
        self.folder: Path | None = None
        """Where the report is, once it has been written."""
        self.staged: Staged | None = None
        """The game in which a survey found it, if it was one."""
        self.is_staged = False
        """Whether there was one: it does not come along from another process."""

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


class NotJudged(CheckFailed):
    """A check could not do its work, because the ruleset crashed, which is left to another check.

    Args:
        check: its id.
        crash: what that other check says about it.
    """

    def __init__(self, check: str, crash: CheckFailed) -> None:
        super().__init__(check, f"not judged: the ruleset crashed (see {crash.check})")
        self.crash: CheckFailed = crash

    def __reduce__(self) -> tuple[Any, ...]:
        return NotJudged, (self.check, self.crash)


class Crash(Exception):
    """A check tried an offered action on a copy of the game, and the rules raised an error.

    Args:
        seat: who was offered it.
        action: the action.
        error: what the rules raised.
    """

    def __init__(self, seat: str, action: Action, error: Exception) -> None:
        super().__init__(seat, action, error)
        self.seat = seat
        self.action = action
        self.error = error


class Check:
    """Base of all checks: what must hold, in a sentence, and from which tier on it is looked after."""

    id: ClassVar[str] = ""
    """From the name of the class, unless it says another: "games-end" for `GamesEnd`."""
    sentence: ClassVar[str] = ""
    """The first paragraph of the docstring, unless the class says another."""
    tier: ClassVar[Tier] = "quick"
    needs: ClassVar[type[Capability] | None] = None
    """What a ruleset must have for it."""

    def __init_subclass__(cls, *, abstract: bool = False, **more: Any) -> None:
        super().__init_subclass__(**more)
        if not abstract:
            cls.id = cls.id or re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
            cls.sentence = cls.sentence or " ".join((cls.__doc__ or "").partition("\n\n")[0].split())

    def __init__(self, subject: Subject, budget: Budget) -> None:
        self.subject = subject
        self.budget = budget

    def rule(self, kind: type[C]) -> C:
        """A capability that the ruleset must have."""
        found = self.subject.kit.capability(kind)
        if found is None:
            raise self.fail(f"the ruleset's kit has no {kind.__name__}, which this check needs as well")
        return found

    def demand(self, right: object, message: object, clause: str = "") -> None:
        """Fail unless something is right; for messages that cost little to make.

        Raises:
            CheckFailed: it is not.
        """
        if not right:
            raise self.fail(f"{message} ({clause})" if clause else str(message))

    def fail(self, message: str, since: int | None = None) -> CheckFailed:
        """The exception to raise."""
        return CheckFailed(self.id, message, since)


class Survey(Check, abstract=True):
    """A check that needs no game of somebody else."""

    once: ClassVar[bool] = False
    """Whether what it looks at is the same in all scenarios, so that it runs for one of them only."""

    @property
    def is_first(self) -> bool:
        """Whether no other scenario of the tier comes before this one; what is the same in all of them is done once."""
        played = self.subject.played(self.budget.tier)
        return self.subject.scenario == played[0] or self.subject.scenario not in played

    def run(self, seed: int) -> None:
        """Look.

        Raises:
            CheckFailed: what must hold does not.
        """
        raise NotImplementedError


class Watch(Check, abstract=True):
    """A check that watches one game. Its methods raise `CheckFailed`."""

    rate: ClassVar[float] = 1.0
    """The share of the decisions at which it looks."""
    shrinks: ClassVar[bool] = True
    """Whether a shorter game can have the same fault."""
    salt: str = ""
    """Another one makes it look at other decisions."""

    @classmethod
    def can_follow(cls, game: Game) -> bool:
        """Whether it understands a game of these seats."""
        return True

    def look(self, game: Game) -> None:
        """The game stands at its beginning, or something has been done: for a check that asks no more than how it stands."""

    def begin(self, game: Game) -> None:
        """The game stands at its beginning."""
        self.look(game)

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Something is about to be done."""

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """It has been done. Called where `before` was."""
        self.look(game)

    def crashed(self, game: Game, seat: str, action: Action, error: Exception) -> None:
        """It could not be done: the rules raised an error, and the game stands where it stood."""
        crash = crash_failure(seat, action, error)
        if crash.check == self.id:
            raise crash from error

    def end(self, game: Game) -> None:
        """The game is over, or nobody plays it on."""

    def looks_at(self, number: int) -> bool:
        """Whether it looks at the decision with this number in an ordinary random game."""
        return self.rate >= 1 or self.subject.is_short or random.Random(f"{self.id}{self.salt}|{number}").random() < self.rate

    @property
    def looks_back(self) -> bool:
        """Whether it has something to do after an action."""
        return type(self).after is not Watch.after or type(self).look is not Watch.look

    @property
    def follows(self) -> bool:
        """Whether it must see every decision at the moment, because it compares this game with another."""
        return False

    def random(self, seat: str, action: Action) -> random.Random:
        """Chance that depends on the decision alone."""
        return random.Random(f"{self.id}|{seat}|{action!r}")


def lend_dice(game: Game, twin: Game) -> None:
    """Let a twin roll what the game has rolled, for games whose dice come from a tape."""
    if isinstance(game.chance, TapedChance) and isinstance(twin.chance, TapedChance):
        twin.chance.tape[:] = game.chance.tape


# -- running ------------------------------------------------------------------------------------------------------------


class Staged(NamedTuple):
    """A game that a survey began in the middle of things, and what a watch found in it."""

    subject: Subject
    game: Game
    fault: Fault


@dataclass(frozen=True, slots=True)
class Fault:
    """What a watch found in a game.

    Args:
        error: the check's own words.
        moves: the decisions that lead there, the last of which shows it.
        draws: how many random numbers had been drawn before each of them.
        looked: the numbers of the decisions at which the watch must look to find it again; the last one always.
        at_end: whether it was found when the game was over.
    """

    error: CheckFailed
    moves: tuple[SeatAction, ...]
    draws: tuple[int, ...]
    looked: frozenset[int]
    at_end: bool = False

    @classmethod
    def of(cls, error: CheckFailed, moves: Sequence[SeatAction], draws: Sequence[int], *, at_end: bool = False) -> Fault:
        """At the last of some moves; the watch must look there, and where it began what went wrong."""
        last = len(moves) - 1
        return cls(error, tuple(moves), tuple(draws), frozenset({last if error.since is None else error.since, last}), at_end)

    @property
    def settled(self) -> Fault:
        """As the fault of the check that is responsible for it."""
        return replace(self, error=self.error.crash or self.error)

    @property
    def first(self) -> int:
        """The number of the first move at which the watch must look."""
        return min(self.looked, default=max(0, len(self.moves) - 1))

    def without(self, number: int) -> Fault:
        """The same fault in a game that begins with a later move."""
        looked = {*self.looked, len(self.moves) - 1} if self.moves[number:] else self.looked
        return replace(
            self,
            moves=self.moves[number:],
            draws=self.draws[number:],
            looked=frozenset(place - number for place in looked),
        )

    def draws_of(self, number: int) -> int:
        """The number of the first draw of a move; a move -n stands before move n and draws what the one before it drew."""
        return self.draws[number if number >= 0 else -number - 1]


def random_decisions(game: Game, chance: RandomSource, limit: int) -> Iterator[SeatAction]:
    """Random decisions, at most this many, while somebody else carries them out."""
    for _ in range(limit):
        if not game.to_move:
            return
        yield choose(game, chance)


def recorded_decisions(game: Game, moves: Iterable[SeatAction]) -> Iterator[SeatAction]:
    """Recorded decisions; those that are not offered are skipped."""
    for seat, action in moves:
        if is_offered(game, seat, action):
            yield seat, action


def observe(
    game: Game,
    watches: Sequence[Watch],
    decisions: Iterator[SeatAction],
    looked: Container[int] | None = None,
    within: Container[int] | None = None,
    first: bool = False,
) -> list[Fault]:
    """Play a game observed by some watches, until the game is over or all watches have found something.

    Args:
        game: it is played on.
        watches: fresh ones.
        decisions: what is done; each is asked for when the one before is done.
        looked: the numbers of the decisions at which every watch looks; where each of them likes if not given.
        within: the numbers of the decisions at which they may look; all if not given.
        first: stop after the action at which something was found.
    """
    faults: list[Fault] = []
    moves: list[SeatAction] = []
    draws: list[int] = []
    live = list(watches)
    begun = len(game.history)

    def note(watch: Watch, error: CheckFailed | None, *, at_end: bool = False) -> None:
        if error is None:
            return
        live.remove(watch)
        if isinstance(error.__cause__, Crash):  # the move that shows it is the one that was tried
            done, crash = len(game.history) - begun, error.__cause__
            tried, drawn = [*moves[:done], (crash.seat, crash.action)], [*draws[:done], game.state.draws]
            faults.append(Fault.of(error, tried, drawn))
        else:
            faults.append(Fault.of(error, moves, draws, at_end=at_end))

    for watch in watches:
        note(watch, complaint(watch, watch.begin, game))
    while True:
        try:
            decision = next(decisions, None)
        except Exception as error:
            crash = CheckFailed(APPLY, f"{', '.join(game.to_move)} cannot choose from what is offered: {in_words(error)}")
            for watch in list(live):
                note(watch, crash if watch.id == crash.check else NotJudged(watch.id, crash))
            return faults
        if decision is None:
            break
        seat, action = decision
        number = len(moves)
        moves.append((seat, action))
        draws.append(game.state.draws)
        shown = within is None or number in within
        looking = [
            watch
            for watch in live
            if watch.follows or (shown and (watch.looks_at(number) if looked is None else number in looked))
        ]
        for watch in looking:
            if type(watch).before is not Watch.before:
                note(watch, complaint(watch, watch.before, game, seat, action))
        try:
            events = game.apply(action, seat)
        except Exception as error:
            unjudged = crash_failure(seat, action, error)
            for watch in list(live):
                found = complaint(watch, watch.crashed, game, seat, action, error)
                note(watch, found or NotJudged(watch.id, unjudged))
            return faults
        for watch in looking:
            if watch in live and watch.looks_back:
                note(watch, complaint(watch, watch.after, game, seat, action, events))
        if not live or (first and faults):
            return faults
    for watch in list(live):
        note(watch, complaint(watch, watch.end, game), at_end=True)
    return faults


def complaint(check: Check, method: Callable[..., None], *arguments: Any) -> CheckFailed | None:
    """What a check finds; whatever the rules raise while it looks becomes a sentence.

    Args:
        check: who looks.
        method: how.
        arguments: of the method.
    """
    ledger = open_ledger()
    before = "" if ledger is None else ledger.turn_to(check.id)
    try:
        method(*arguments)
    except CheckFailed as error:
        return error
    except Crash as crash:
        told = crash_failure(crash.seat, crash.action, crash.error)
        judged = told if told.check == check.id else NotJudged(check.id, told)
        judged.__cause__ = crash
        return judged
    except Exception as error:
        failed = check.fail(f"the rules fail while this is looked at: {in_words(error)}")
        failed.__cause__ = error
        return failed
    finally:
        if ledger is not None:
            ledger.turn_to(before)
    return None


# -- crashes --------------------------------------------------------------------------------------------------------------

APPLY, BEGIN, CLAUSES, DEAD_ENDS = "offered-actions-apply", "content-is-sound", "clauses-are-known", "no-dead-ends"
"""The checks that are responsible when the rules raise an error."""


def begin(subject: Subject, dice: RandomSource | int | str) -> Game:
    """A new game.

    Raises:
        CheckFailed: it does not begin; the failure is that of the check responsible for this.
    """
    try:
        return subject.start(dice)
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        where = f"{Path(last.filename).name}, line {last.lineno}, in {last.name}"
        raise CheckFailed(BEGIN, f"scenario {subject.scenario} does not begin: {in_words(error)} ({where})") from error


def try_offered(game: Game | Playout, seat: str, action: Action) -> list[Event]:
    """Apply an offered action to a game that is only there to try it.

    Raises:
        Crash: the rules fail.
    """
    try:
        return game.apply(action, seat)
    except Exception as error:
        raise Crash(seat, action, error) from error


def crash_failure(seat: str, action: Action, error: Exception) -> CheckFailed:
    """What the rules raise when an offered action is applied, reported by the check responsible for it."""
    what = shortened(action)
    if isinstance(error, RuleBroken) and error.code is RuleBrokenCode.DEAD_END:
        return CheckFailed(DEAD_ENDS, f"after {what} by {seat} nobody can go on: {error}")
    if is_unknown_citation(error):
        return CheckFailed(CLAUSES, f"{what} by {seat}: {error}")
    return CheckFailed(APPLY, f"{seat} was offered {what}, but applying it fails: {in_words(error)}")


def in_words(error: Exception) -> str:
    """An error in a sentence."""
    return f"{type(error).__name__}: {error}"


def is_unknown_citation(error: Exception) -> bool:
    """Whether the engine found that a clause is cited that nobody knows."""
    return isinstance(error, RuleBroken) and error.code is RuleBrokenCode.UNKNOWN_CLAUSE


# -- long games ----------------------------------------------------------------------------------------------------------

LONG = 400
"""A game of more decisions is long."""
STRETCH = 20
"""Decisions of a long game that are looked at in a row: what goes wrong often needs several of them."""


def stretches(key: str, length: int, looks: int) -> Container[int] | None:
    """The decisions of a game that are looked at: of a long one stretches all over it, the first and the last among them.

    Args:
        key: others are chosen with another one.
        length: how many decisions the game has, at least roughly.
        looks: how many are looked at if it is long.

    Returns:
        Their numbers, or None for all of them.
    """
    if length <= max(LONG, looks):
        return None
    blocks = range((length + STRETCH - 1) // STRETCH)
    inner = blocks[1:-1]
    chosen = random.Random(key).sample(inner, max(0, min(looks // STRETCH - 2, len(inner))))
    looked = {blocks[0], blocks[-1], *chosen}
    return frozenset(block * STRETCH + number for block in looked for number in range(STRETCH))


def looks_at(subject: Subject, budget: Budget, key: str) -> Container[int] | None:
    """The decisions of a random game that are looked at: of a long one see `stretches`, of others as the kit or the tier says."""
    share = subject.kit.looks.get(budget.tier)
    if share is None:
        long, share = stretches(key, usual_length(subject), budget.looks), budget.share
        if long is not None or share == 1:
            return long
    chance = random.Random(key)
    chosen = [block for block in range(subject.bound // STRETCH + 1) if chance.random() < share or not block]
    return frozenset(block * STRETCH + number for block in chosen for number in range(STRETCH))


_LENGTHS: dict[tuple[int, str, str], int] = {}


def usual_length(subject: Subject) -> int:
    """How many decisions a random game of a scenario has, about; one is played once to see."""
    if subject.bound <= LONG:
        return subject.bound
    key = id(subject.ruleset), subject.scenario, repr(sorted(subject.options.items()))
    if key not in _LENGTHS:
        try:
            with unheard():
                _LENGTHS[key] = len(play_at_random(subject.start("length"), random.Random("length")).moves)
        except Exception:  # games that crash are short, and those who watch them say why
            return 0
    return _LENGTHS[key]
