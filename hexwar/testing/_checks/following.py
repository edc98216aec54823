"""What checks share: some count, some remember a game, some follow it by its events and judge each with literal rules."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from hexwar.engine import Action, Event, Game, Step, StepPushed
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Budget, Check, Watch, in_words, lend_dice
from hexwar.testing.oracles import Books, Entry, Field, ledger_of

T = TypeVar("T", bound=Step)

_BOOKS = Books()
SMALL = 200
"""Boards with fewer hexes are small: there everything is looked at."""
HUGE = 1000
"""On boards with this many hexes, even to list what is offered takes long."""


class Counting(Check, abstract=True):
    """A check that counts what it tries, by sorts, for the report of the fuzzer."""

    failing = ""
    """The sort in which something was found."""

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self.tally: Counter[str] = Counter()
        """Sort -> how often it was tried."""


class Remembering(Watch, abstract=True):
    """A watch that compares a game with what it was before the action."""

    was: Game

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Remember the game."""
        self.was = game.copy()


class Repeating(Watch, abstract=True):
    """A watch that lets a twin do what is done in the game."""

    def repeat(
        self, what: str, twin: Game, game: Game, seat: str, action: Action, events: list[Event], since: int | None = None
    ) -> None:
        """Let a twin do the same with the same dice, and see that the same follows.

        Args:
            what: the twin, in words.
            twin: it stands where the game stood before the action.
            game: it stands after the action.
            seat: who acts.
            action: the action.
            events: what followed in the game.
            since: the number of the action at which the twin was made, where that was not the last one.

        Raises:
            CheckFailed: the twin cannot do it, or something else follows.
        """
        lend_dice(game, twin)
        try:
            same = twin.apply(action, seat)
        except Exception as error:
            raise self.fail(f"{what} does not go on with {action!r}: {in_words(error)}", since) from error
        if same != events or twin.digest != game.digest:
            pairs = zip(same, events, strict=False)
            first = next((f"{one!r} instead of {other!r}" for one, other in pairs if one != other), "others")
            raise self.fail(f"{what} plays on differently after {action!r} by {seat}: its events are {first}", since)


class Following(Watch, abstract=True):
    """A watch that sees every event and every decision in order, also those since it looked last."""

    many: ClassVar[bool] = False
    """Whether it can follow a game in which several players of a side act at the same time."""

    @classmethod
    def can_follow(cls, game: Game) -> bool:
        """See `Watch.can_follow`."""
        return cls.many or _has_two_players(game)

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self.books = subject.kit.capability(Books) or _BOOKS
        self._is_following = False
        self._judged = 0
        self._decided = 0

    def samples(self, field: Field, what: object, times: int = 1) -> bool:
        """Whether something that takes long is looked at: everything on a small board, one in some on a large one."""
        every = 1 if field.world.board.size < SMALL else max(1, 36 // self.budget.probes) * times
        return zlib.crc32(str(what).encode()) % every == 0

    def begin(self, game: Game) -> None:
        """From the first event on."""
        self._catch_up(game)

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Judge what is offered."""
        self._catch_up(game)
        # Several players of a side share what it may do.
        if type(self).offered is not Following.offered and _has_two_players(game):
            field = ledger_of(game, self.books).now
            for asked in game.to_move:
                self.offered(game, field, asked)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Judge what has happened."""
        self._catch_up(game)
        if type(self).stands is not Following.stands:
            self.stands(game, ledger_of(game, self.books).now)

    def end(self, game: Game) -> None:
        """To the last event."""
        self._catch_up(game)

    def _catch_up(self, game: Game) -> None:
        if not self._is_following:  # a shorter game may be looked at in the middle only
            self._is_following = True
            for step in game.first_state.stack:
                self.waits(step, ledger_of(game, self.books).first)
        if self._judged == len(game.events):
            return
        for entry in ledger_of(game, self.books).follow(game, self._judged):
            while self._decided < len(game.history) and game.history[self._decided].log_length <= self._judged:
                move = game.history[self._decided]
                self._decided += 1
                self.decided(move.seat, move.action, entry.before)
            self._judged += 1
            if type(entry.event) is StepPushed:
                self.pushed(entry.event.step, entry.before)
            self.judge(entry)

    def same(self, what: str, told: Iterable[Any], literal: Iterable[Any], clause: str = "") -> None:
        """Fail unless two sets are the same.

        Args:
            what: of what they are.
            told: as the game has it.
            literal: as the literal rules have it.
            clause: the rule.

        Raises:
            CheckFailed: they differ.
        """
        wrong = differ({*told}, {*literal})
        self.demand(not wrong, f"{what}: {wrong}", clause)

    # -- what a check says ---------------------------------------------------------------------------------------------------

    def judge(self, entry: Entry) -> None:
        """An event."""

    def pushed(self, step: Step, field: Field) -> None:
        """A step that begins."""

    def waits(self, step: Step, field: Field) -> None:
        """A step that is there already when a game begins in the middle of things."""
        self.pushed(step, field)

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """A decision, before its events."""

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """A seat that is asked."""

    def stands(self, game: Game, field: Field) -> None:
        """The position after an action, with the books."""


def _has_two_players(game: Game) -> bool:
    """Whether every seat has a side of its own."""
    return len({*game.world.seats.values()}) == len(game.world.seats)


def current(game: Game, kind: type[T]) -> T | None:
    """The step that waits, if it is one of a kind."""
    step = game.state.stack[-1] if game.state.stack else None
    return step if isinstance(step, kind) else None


def listed(items: object) -> str:
    """Some names or paths for a sentence, in order."""
    found = sorted(" ".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in items)  # type: ignore[attr-defined]
    return ", ".join(found) or "nothing"


def differ(told: set[Any], literal: set[Any]) -> str:
    """In what two sets differ, in words: what is there and should not be, and the other way round."""
    more, fewer = told - literal, literal - told
    parts = [f"{listed(more)} too much"] if more else []
    parts += [f"{listed(fewer)} missing"] if fewer else []
    return " and ".join(parts)
