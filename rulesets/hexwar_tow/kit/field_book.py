"""A watch that keeps a position of its own by the events alone, so that each event is judged on the board as it was before it."""

from __future__ import annotations

from typing import Any, TypeVar

from hexwar.engine import Action, Event, Game, Step
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, Watch
from hexwar_tow.kit.field_rules import Ground

T = TypeVar("T", bound=Step)


class Follower(Watch):
    """Sees every event and every decision in order, also those since it looked last."""

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._judged = 0
        self._decided = 0
        self.state: Any = None
        """The position before the event that is judged."""

    def begin(self, game: Game) -> None:
        """From the first event on."""
        self.state = game.first_state.copy()
        for step in self.state.stack:
            self.waits(step)
        self._catch_up(game)

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Judge what is offered."""
        self._catch_up(game)
        for asked in game.to_move:
            self.offered(game, asked)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Judge what has happened."""
        self._catch_up(game)
        self.stands(game)

    def end(self, game: Game) -> None:
        """To the last event."""
        self._catch_up(game)

    def _catch_up(self, game: Game) -> None:
        if self.state is None:  # nobody has told that the game began
            self.begin(game)
        log = game.events
        while self._judged < len(log):
            while self._decided < len(game.history) and game.history[self._decided].log_length <= self._judged:
                move = game.history[self._decided]
                self._decided += 1
                self.decided(move.action)
            event = log[self._judged]
            self._judged += 1
            self.judge(game, event)
            event.apply(self.state)

    def ground(self, game: Game) -> Ground:
        """The board before the event that is judged."""
        return Ground(game.world, self.state)

    def top(self, kind: type[T]) -> T | None:
        """The step on which an event comes, if it is one of a kind."""
        step = self.state.stack[-1] if self.state.stack else None
        return step if isinstance(step, kind) else None

    # -- what a check says ---------------------------------------------------------------------------------------------------

    def waits(self, step: Step) -> None:
        """A step that is there already when a game begins in the middle of things."""

    def decided(self, action: Action) -> None:
        """A decision, before its events."""

    def judge(self, game: Game, event: Event) -> None:
        """An event."""

    def offered(self, game: Game, seat: str) -> None:
        """A seat that is asked."""

    def stands(self, game: Game) -> None:
        """The position after an action."""
