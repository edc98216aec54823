"""A Hypothesis state machine that plays a ruleset, for authors who want rules and invariants of their own.

    class Crossing(RulesetMachine):
        ruleset = "bridgehead"

        @invariant()
        def nobody_drowns(self):
            ...

    TestCrossing = Crossing.TestCase

The moves of a failing game are printed one a line: `state.play(action=Move(unit='b5', to='0504'))`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.control import current_build_context
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from hexwar.engine import Action, Game, Ruleset
from hexwar.errors import HexwarError
from hexwar.testing._checks import check_named
from hexwar.testing._reports.failures import Failure, settle_fault
from hexwar.testing._reports.folders import write_plain
from hexwar.testing._reports.pictures import describe
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import CheckFailed, Fault, Watch, budget_of, complaint, crash_failure
from hexwar.testing._staging.dice import Dice
from hexwar.testing._staging.random_play import SeatAction, moves_of
from hexwar.testing.strategies import Tape, actions, chances, decisions

UNDO, SAVES, OTHERS = "undo-goes-back", "saves-carry-everything", "others-are-refused"


_OFFERED: st.SearchStrategy[Action] = st.runner().flatmap(lambda machine: actions(machine.game, controlled=16))
_DECISION: st.SearchStrategy[SeatAction] = st.runner().flatmap(lambda machine: decisions(machine.game, controlled=16))


class RulesetMachine(RuleBasedStateMachine):
    """Plays a game by offered actions. Subclasses name the ruleset and add rules (`@rule`) and invariants (`@invariant`).

    `self.game` is the game. Between the author's own rules Hypothesis plays offered actions, takes them back, saves and loads,
    and tries what is not offered. The ruleset's invariants, or the checks that `checks` names, look at every action. A failure
    leaves a folder with the game as `hexwar check` does.
    """

    ruleset: ClassVar[str | Ruleset] = ""
    """The id of an installed ruleset, or the object of one."""
    scenario: ClassVar[str | None] = None
    """The ruleset's first if None."""
    options: ClassVar[Mapping[str, bool | str]] = {}
    """Optional rules."""
    checks: ClassVar[Sequence[str]] = ("invariants-hold",)
    """The checks of the kit that look at every action, by id: those that look at one decision at a time."""
    undoes: ClassVar[bool] = True
    """Whether actions are taken back."""
    saves: ClassVar[bool] = True
    """Whether the game is saved and loaded."""
    tries_others: ClassVar[bool] = True
    """Whether actions are tried that are not offered."""
    report_dir: ClassVar[str | os.PathLike[str] | None] = None
    """Where failures are written; `.hexwar/failures` if None."""

    def __init__(self) -> None:
        super().__init__()
        self.subject = _subject(type(self))
        self.game: Game
        self._dice: Dice
        self._watches: list[Watch] = []
        self._draws: list[int] = []
        self._fault: Fault | None = None

    # -- what Hypothesis does ---------------------------------------------------------------------------------------------

    @initialize(dice=chances(128))
    def begin(self, dice: Tape) -> None:
        """A new game."""
        self._dice = Dice(dice)
        self.game = self.subject.start(self._dice)
        self._watch()

    @precondition(lambda self: len(self.game.to_move) == 1)
    @rule(action=_OFFERED)
    def play(self, action: Action) -> None:
        """Do something that is offered to the only seat that is asked."""
        self.do(self.game.to_move[0], action)

    @precondition(lambda self: len(self.game.to_move) > 1)
    @rule(decision=_DECISION)
    def play_as(self, decision: SeatAction) -> None:
        """Do something that is offered to one of the seats that decide at the same time."""
        self.do(*decision)

    @precondition(lambda self: self.undoes and self.game.can_undo)
    @rule()
    def undo(self) -> None:
        """Take the last action back, do it again, and take it back for good."""
        last, digest = self.game.history[-1], self.game.digest
        if self._is_followed and self._draws[-1] != self.game.state.draws:
            raise CheckFailed(UNDO, f"{last.action!r} could be taken back, although something was drawn")
        self.game.undo(last.seat)
        before = self.game.digest
        self.game.apply(last.action, last.seat)
        if self.game.digest != digest:
            raise CheckFailed(UNDO, f"{last.action!r} was taken back and done again, and the state is another")
        self.game.undo(last.seat)
        if self.game.digest != before:
            raise CheckFailed(UNDO, f"{last.action!r} was taken back twice, and the states differ")
        del self._draws[len(self.game.history) :]
        self._watch()

    @precondition(lambda self: self.saves)
    @rule()
    def save_and_load(self) -> None:
        """Save the game and load it: it is the same one."""
        self._ask(SAVES, "", None)

    @precondition(lambda self: self.tries_others and self.game.to_move)
    @rule(action=_OFFERED)
    def try_illegal(self, action: Action) -> None:
        """Put all sorts of things to the gate that are not offered, made from an action that is: it refuses them."""
        self._ask(OTHERS, self.game.to_move[0], action)

    @precondition(lambda self: not self.game.to_move)
    @rule()
    def rest(self) -> None:
        """The game is over; Hypothesis wants something to do all the same."""

    # -- how it is done ---------------------------------------------------------------------------------------------------

    def do(self, seat: str, action: Action) -> None:
        """Apply an action so that the checks observe it; rules of your own play by this.

        Raises:
            CheckFailed: a check of the kit found a fault.
            Refusal: it is not offered.
        """
        game, draws = self.game, self.game.state.draws
        if game.why_not(action, seat) is None:
            for watch in self._watches:
                self._complain(complaint(watch, watch.before, game, seat, action), (seat, action))
        try:
            events = game.apply(action, seat)
        except HexwarError:
            raise
        except Exception as error:
            self._complain(crash_failure(seat, action, error), (seat, action))
            raise
        self._draws.append(draws)
        for watch in self._watches:
            self._complain(complaint(watch, watch.after, game, seat, action, events))

    def _ask(self, check: str, *decision: Any) -> None:
        """Let a check of the kit look at the game as it stands."""
        (watch,) = self._made([check])
        self._complain(complaint(watch, watch.before, self.game, *decision))

    @property
    def _is_followed(self) -> bool:
        """Whether every action of the game went through `do`, so that the dice of each are known."""
        return len(self._draws) == len(self.game.history)

    def _watch(self) -> None:
        """The checks begin to look."""
        self._watches = self._made(self.checks)
        for watch in self._watches:
            self._complain(complaint(watch, watch.begin, self.game))

    def _made(self, checks: Sequence[str]) -> list[Watch]:
        kinds = [check_named(name, self.subject) for name in checks]
        return [kind(self.subject, budget_of("quick")) for kind in kinds if issubclass(kind, Watch)]

    def _complain(self, error: CheckFailed | None, pending: SeatAction | None = None) -> None:
        """Remember what was found, for the report, and fail."""
        if error is None:
            return
        if self._is_followed:
            moves = (*moves_of(self.game), *([pending] if pending else []))
            draws = (*self._draws, *([self.game.state.draws] if pending else []))
            self._fault = Fault.of(error, moves, draws)
        raise error

    def teardown(self) -> None:
        """Write the report of the failing game that is shown; Hypothesis tries many others before."""
        error = sys.exc_info()[1]
        if not isinstance(error, Exception) or not current_build_context().is_final or not hasattr(self, "game"):
            return
        if self._fault is not None and self._fault.error is error:
            failure = settle_fault(
                self.subject, self.game, self._fault, budget_of("quick"), self.report_dir, rolled=self._dice.rolled
            )
        else:
            failure = self._own_failure(error)
        for line in failure.lines():
            note(line)

    def _own_failure(self, error: Exception) -> Failure:
        """The report of what the author's own rules found: the game as it was, since only Hypothesis can make it shorter."""
        name = f"machine-{type(self).__name__.lower()}"
        message = f"{type(error).__name__}: {error}"
        moves = tuple(moves_of(self.game))
        sentence = (type(self).__doc__ or f"The rules and invariants of {type(self).__name__} hold.").splitlines()[0]
        failure = Failure(name, sentence, message, moves, found_after=len(moves), picture=describe(self.game))
        written = write_plain(replace(failure, message=f"{message}\n\n{failure.picture}"), self.subject, self.report_dir)
        assert written.folder is not None
        (written.folder / "minimal.json").write_text(self.game.to_text(), encoding="utf-8")
        return replace(written, message=message)


@lru_cache(maxsize=100)
def _subject(machine: type[RulesetMachine]) -> Subject:
    if not machine.ruleset:
        raise HexwarError(f'{machine.__name__} names no ruleset: set `ruleset = "..."` in its body')
    subject = Subject.of(machine.ruleset, machine.scenario, machine.options)
    for name in machine.checks:
        if not issubclass(check_named(name, subject), Watch):
            raise HexwarError(f"{name} looks at no game, so that a machine cannot run it: use the conformance suite")
    return subject
