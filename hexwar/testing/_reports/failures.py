"""Failures: a fault that a check found, cut down to a short game and to a small position, and looked at again by a test.

What is written about one is up to `hexwar.testing._reports.folders`.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hexwar.engine import Game, RandomSource, TapedChance
from hexwar.errors import HexwarError
from hexwar.testing._checks import check_named
from hexwar.testing._reports import folders
from hexwar.testing._reports.pictures import describe
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import (
    Budget,
    CheckFailed,
    Fault,
    Watch,
    budget_of,
    observe,
    random_decisions,
    recorded_decisions,
)
from hexwar.testing._shrinking import minimise
from hexwar.testing._shrinking.minimise import Effort, Recording, played
from hexwar.testing._shrinking.smallest import Search, SmallPosition, likeness, whole_text
from hexwar.testing._staging.dice import MoveDice, RecordedDice, outcomes_of
from hexwar.testing._staging.positions import read_position
from hexwar.testing._staging.random_play import SeatAction

LONG = 40
"""A game of more moves is worth looking for another one in which the fault comes sooner."""
OTHER_GAMES = 6
FEW = 5
"""A game of no more moves is short enough."""
SHORT_GAMES = 60
"""Random games that are shorter than what was left over, in which the fault may come at once."""
SHORT = 30
"""The most moves of a replay that can be read: one that would be longer begins in a position."""
TAILS = (3, 10, SHORT)
"""How many moves it has then, if the fault does not show in the position before the last one."""
SECONDS = 20.0
"""Of the processor's time, for a game that is long and whose fault shows in no position."""
TRIES = 3
"""Rules that are not the same twice, the worst of faults, may hide it when they are asked again."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that failed, as it is reported.

    Args:
        check: its id.
        sentence: what it demands.
        message: what was found.
        moves: the moves of the minimal game; the last one shows the fault. Empty if no game is concerned.
        looked: the numbers of the moves at which the check must look.
        found_after: how many moves the game had in which it was found.
        clauses: what the check named and what was cited by the last move.
        picture: the position as text.
        smallest: the smallest position that shows the fault, if one does.
        folder: where it was written, or None.
        effort: what the minimisation took.
        staged: the position in which the game begins, if a survey staged it, as `hexwar.position` reads it.
        judge: the check that looked at that game.
    """

    check: str
    sentence: str
    message: str
    moves: tuple[SeatAction, ...] = ()
    looked: tuple[int, ...] = ()
    found_after: int = 0
    clauses: tuple[str, ...] = ()
    picture: str = ""
    smallest: SmallPosition | None = None
    folder: Path | None = None
    effort: Effort = field(default_factory=Effort)
    staged: str = ""
    judge: str = ""

    @property
    def begins_late(self) -> bool:
        """Whether its replay begins in the smallest position, because the minimal game is long or began in a position."""
        return self.smallest is not None and (bool(self.staged) or len(self.moves) > SHORT)

    @property
    def replay(self) -> tuple[SeatAction, ...]:
        """The moves of the replay: from the beginning of the game, or from the smallest position."""
        return self.smallest.moves if self.smallest is not None and self.begins_late else self.moves

    def lines(self) -> list[str]:
        """What a terminal shows."""
        lines = [f"{self.judge or self.check}: {self.message}", f"  must hold: {self.sentence}"]
        if self.moves:
            seat, action = self.moves[-1]
            late = f", from a position {len(self.replay)}" if self.begins_late else ""
            told = f"minimal game {len(self.moves)} moves{late}"
            told = f"from a staged position {len(self.replay)}" if self.staged else told
            lines.append(f"  found after {self.found_after} moves, {told}, the last one:")
            lines.append(f"    {seat}: {folders.repr_of(action)}")
        if self.smallest is not None and self.smallest.units_before:
            lines.append(f"  smallest position: {self.smallest.units} of {self.smallest.units_before} units")
        if self.folder is not None:
            lines.append(f"  report: {self.folder / 'REPORT.md'}")
            if (game := self.folder / "minimal.json").exists():
                lines.append(f"  replay: {folders.replay_command(game)}")
        return lines


def failure_of(error: CheckFailed, subject: Subject) -> Failure:
    """The failure of a check that needs no game."""
    return Failure(error.check, check_named(error.check, subject).sentence, error.message)


def settle_fault(
    subject: Subject,
    game: Game,
    fault: Fault,
    budget: Budget,
    directory: str | os.PathLike[str] | None = None,
    *,
    rolled: Sequence[int] = (),
    write: bool = True,
) -> Failure:
    """Minimise a fault and write its folder.

    Args:
        subject: what was played.
        game: the game in which it was found; its dice are used again.
        fault: what was found.
        budget: of the check.
        directory: where the folder goes; `.hexwar/failures`, or HEXWAR_FAILURES, if not given.
        rolled: everything the game rolled, if its dice are not those of a seed.
        write: whether to write at all.
    """
    for _ in range(TRIES):
        with contextlib.suppress(Exception):  # a ruleset that fails in other ways too: what the check says is not lost
            return _settled(subject, game, fault, budget, directory, rolled, write)
    failure = replace(failure_of(fault.error, subject), found_after=len(fault.moves))
    return folders.write_plain(failure, subject, directory) if write else failure


def settle_staged(found: CheckFailed, budget: Budget, directory: str | os.PathLike[str] | None, *, write: bool = True) -> Failure:
    """Minimise a fault of a game that a survey has staged, and write its folder.

    Args:
        found: by the survey, with the game.
        budget: of the check.
        directory: see `settle_fault`.
        write: whether to write at all.
    """
    assert found.staged is not None
    (subject, game, fault), error = found.staged, found.crash or found
    setup = game.world.setup
    usual = {option.id: option.default for option in subject.every_option}
    options = {name: value for name, value in setup.options.items() if value != usual.get(name)}
    subject = replace(subject, scenario=setup.scenario, options=options)
    for _ in range(TRIES):
        with contextlib.suppress(Exception):  # as above
            text = whole_text(subject, game)
            return _settled(subject, game, fault.settled, budget, directory, (), write, error.check, text)
    plain = replace(failure_of(error, subject), found_after=len(fault.moves), picture=_described(game))
    return folders.write_plain(plain, subject, directory) if write else plain


def _settled(
    subject: Subject,
    game: Game,
    fault: Fault,
    budget: Budget,
    directory: str | os.PathLike[str] | None,
    rolled: Sequence[int],
    write: bool,
    survey: str = "",
    staged: str = "",
) -> Failure:
    kind = check_named(fault.error.check, subject)
    assert issubclass(kind, Watch)

    def start(dice: RandomSource) -> Game:
        if not staged:
            return subject.start(dice)
        return Game(found_in.ruleset, found_in.world, found_in.first_state.copy(), TapedChance(dice), staged)

    found_in, found, effort, smallest = game, fault, Effort(), None
    recording = Recording(start, outcomes_of(game.chance, rolled), lambda: kind(subject, budget))
    if kind.shrinks and len(found.moves) > LONG and not staged:
        game, fault = _sooner(kind, subject, budget, game, fault)
        recording = replace(recording, outcomes=outcomes_of(game.chance, rolled if game is found_in else ()))
    if not fault.moves:
        smallest = _smallest(subject, recording, fault) if staged else None
    for seconds in (minimise.SECONDS, SECONDS) if kind.shrinks and fault.moves else ():
        fault = recording.minimal(fault, effort.seconds + seconds, effort)
        if len(fault.moves) > FEW and not staged:
            other, begun = _sooner(kind, subject, budget, game, fault, SHORT_GAMES)
            if other is not game:
                game, recording = other, replace(recording, outcomes=outcomes_of(other.chance))
                fault = recording.minimal(begun, effort.seconds + seconds, effort)
        smallest = _smallest(subject, recording, fault)
        if smallest is not None or len(fault.moves) <= SHORT:
            break
    dice = MoveDice(recording.outcomes)
    before = played(start(dice), dice, replace(fault, moves=fault.moves[: fault.first]))
    end = played(before.copy(), dice, fault.without(fault.first))
    failure = Failure(
        check=survey or fault.error.check,
        judge=fault.error.check if staged else "",
        staged=staged,
        sentence=kind.sentence,
        message=fault.error.message,
        moves=fault.moves,
        looked=tuple(sorted(fault.looked)),
        found_after=len(found.moves),
        clauses=_clauses(subject, end, before, fault.error),
        picture=_described(end),
        smallest=smallest,
        effort=effort,
    )
    if not write:
        return failure
    return folders.write_failure(failure, subject, found, found_in, end, before, dice.rolled, directory)


def _smallest(subject: Subject, recording: Recording, fault: Fault) -> SmallPosition | None:
    """The smallest position before the move at which a fault is looked for; if there is none, of a long game one sooner."""
    sooner = [len(fault.moves) - tail for tail in TAILS if len(fault.moves) > SHORT]
    for first in [fault.first, *(first for first in sooner if first < fault.first)]:
        with contextlib.suppress(Exception):  # it is a broken game that is taken apart
            dice = MoveDice(recording.outcomes)
            before = played(recording.start(dice), dice, replace(fault, moves=fault.moves[:first]))
            found = Search(subject, before, recording, fault.without(first)).run()
            if found is not None:
                return found
    return None


def _clauses(subject: Subject, end: Game, before: Game, error: CheckFailed) -> tuple[str, ...]:
    """What the check names, what waits to be decided, and what the last moves cited."""
    named = [word.strip(".,:;()'\"") for word in error.message.split()]
    waiting = [step.rule(before.position) for step in before.state.stack[-1:]]
    cited = [event.clause for event in end.events[len(before.events) :]]
    known = subject.rules
    return tuple(dict.fromkeys(clause for clause in (*named, *waiting, *cited) if clause and clause in known))


def _described(game: Game) -> str:
    try:
        return describe(game)
    except Exception as error:  # it is a broken game that is described
        return f"the position cannot be described: {type(error).__name__}: {error}"


def _sooner(
    kind: type[Watch], subject: Subject, budget: Budget, game: Game, fault: Fault, games: int = OTHER_GAMES
) -> tuple[Game, Fault]:
    """A game that reaches the same fault sooner, found by random play: a good beginning makes the minimal game much shorter."""
    said, end = likeness(fault.error), time.process_time() + minimise.SECONDS
    for number in range(games):
        if len(fault.moves) <= FEW or time.process_time() > end:
            break
        key = f"sooner|{number}"
        other = subject.start(key)
        decisions = random_decisions(other, random.Random(key), len(fault.moves) - 1)
        for found in observe(other, [kind(subject, budget)], decisions):
            if likeness(found.error) == said and not found.at_end:
                game, fault = other, found
    return game, fault


def recheck(
    check: str,
    ruleset: Any,
    moves: Sequence[SeatAction],
    *,
    position: str | None = None,
    scenario: str | None = None,
    options: Mapping[str, bool | str] | None = None,
    seats: str | None = None,
    dice: Sequence[int] = (),
    looked: Sequence[int] | None = None,
    tier: str = "quick",
) -> None:
    """Let a check look at a game of recorded moves.

    Args:
        check: its id.
        ruleset: an id or a ruleset.
        moves: pairs of seat and action; those that are not offered are skipped.
        position: the text of the position in which the game begins, as `hexwar.position` reads it; the scenario's beginning if
            not given.
        scenario: the ruleset's first if not given.
        options: optional rules.
        seats: the name of a seating.
        dice: raw outcomes from 0, as a save's tape has them; more of them are made up.
        looked: the numbers of the moves at which the check looks; all if not given.
        tier: how thoroughly to look.

    Raises:
        CheckFailed: the fault is there.
    """
    subject = Subject.of(ruleset, scenario, options, seats)
    kind = check_named(check, subject)
    if not issubclass(kind, Watch):
        raise HexwarError(f"{check} looks at no game: run `check_ruleset` or the conformance suite")
    watch = kind(subject, budget_of(tier))
    source = RecordedDice(dice)
    game = subject.start(source) if position is None else read_position(subject, position, source)
    for fault in observe(game, [watch], recorded_decisions(game, moves), range(len(moves)) if looked is None else looked):
        raise fault.error
