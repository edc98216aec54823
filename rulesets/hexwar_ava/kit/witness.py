"""A witness: follows a game by its events alone, keeps books of its own, and objects when the literal rules are broken.

It never asks the ruleset's own functions what is right. It has a judge for each subject; the checks of the kit have one each and
share the witness of a game, tests have all of them at once.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from hexwar.engine import Action, Event, Game
from hexwar_ava.kit.books import Books


@dataclass(frozen=True)
class Objection:
    """What a judge says against something that happened.

    Args:
        topic: the judge's.
        clause: the rule that was broken.
        message: what is wrong.
    """

    topic: str
    clause: str
    message: str

    def __str__(self) -> str:
        return f"{self.message} ({self.clause})"


class Judge:
    """Compares what happens with the literal rules on one subject.

    Args:
        books: what has happened so far.
        object: called with a clause and a message.
    """

    topic: ClassVar[str] = ""
    teams: ClassVar[bool] = False
    """Whether it can follow a game in which many players act at the same time."""

    def __init__(self, books: Books, object: Callable[[str, str], None]) -> None:
        self.books = books
        self.object = object
        self.hears: Mapping[type[Event], Callable[[Any], None]] = self.subjects()

    def subjects(self) -> Mapping[type[Event], Callable[[Any], None]]:
        """The events that it wants to hear of, before they are in the books."""
        return {}

    def begin(self, game: Game) -> None:
        """The game stands at its beginning."""

    def act(self, seat: str, action: Action) -> None:
        """Somebody has decided something; what follows from it is heard next."""

    def hear(self, event: Event) -> None:
        """Something happens; the books do not have it yet."""
        hearing = self.hears.get(type(event))
        if hearing is not None:
            hearing(event)

    def rest(self, game: Game) -> None:
        """Everything that followed from a decision has happened."""

    def expect(self, right: object, clause: str, message: object) -> bool:
        """Object unless something is right; the message is made a string only then."""
        if not right:
            self.object(clause, str(message))
        return bool(right)


class Witness:
    """Follows a game for some judges.

    Args:
        game: as it was begun.
        judges: who listens.
        every: of what takes long to judge on a large board, one in so many is judged.
    """

    def __init__(self, game: Game, judges: Iterable[type[Judge]] = (), every: int = 1) -> None:
        self.books = Books(game, every)
        self.objections: list[Objection] = []
        self.judges: list[Judge] = []
        self._game = weakref.ref(game)
        self._first = list(game.events)
        self._heard = len(game.history)
        for kind in judges:
            self.admit(kind)

    @classmethod
    def of(cls, game: Game, every: int) -> Witness:
        """The witness that the checks of a game share; made when the first of them asks."""
        witness = _WITNESSES.get(game)
        if witness is None:
            witness = _WITNESSES[game] = cls(game, (), every)
        return witness

    def admit(self, kind: type[Judge]) -> None:
        """One more judge listens, from the beginning."""
        if any(type(judge) is kind for judge in self.judges) or (self.books.world.teams.divided and not kind.teams):
            return

        def object(clause: str, message: str) -> None:
            self.objections.append(Objection(kind.topic, clause, message))

        judge = kind(self.books, object)
        self.judges.append(judge)
        game = self._game()
        assert game is not None
        judge.begin(game)

    def follow(self, game: Game, seat: str, action: Action, events: Iterable[Event]) -> None:
        """An action was done and these events came of it; a second call for the same one does nothing."""
        if self._heard == len(game.history):
            return
        self._heard = len(game.history)
        self._hear_first()
        for judge in self.judges:
            judge.act(seat, action)
        self._hear(events)
        for judge in self.judges:
            judge.rest(game)

    def _hear_first(self) -> None:
        first, self._first = self._first, []
        self._hear(first)

    def _hear(self, events: Iterable[Event]) -> None:
        for event in events:
            for judge in self.judges:
                judge.hear(event)
            self.books.note(event)

    def against(self, topic: str) -> Objection | None:
        """The first objection of a judge."""
        return next((objection for objection in self.objections if objection.topic == topic), None)


_WITNESSES: weakref.WeakKeyDictionary[Game, Witness] = weakref.WeakKeyDictionary()
