"""Books about a game that are kept by its events alone, so that what the rules do to a position can be judged from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar
from weakref import WeakKeyDictionary

from hexwar.engine import Event, Game, PhaseEntered
from hexwar.pieces import (
    ActivationEnded,
    ChitDrawn,
    ChitPlayed,
    ChitReturned,
    CupFilled,
    StepLost,
    TurnBegan,
    UnitEliminated,
    UnitMoved,
    UnitPlaced,
    UnitsActivated,
)
from hexwar.pieces._chits import ChitSelected
from hexwar.testing._running.kit import Capability
from hexwar.testing.oracles._field import Field

F = TypeVar("F", bound=Field)


class Books(Capability):
    """The pieces lie where events put them. The kit keeps books of them, and a ruleset whose events it does not know adds to it.

    Args:
        entries: event class, or the kind of an event of another package -> what such an event does to the books, besides
            those of `hexwar.mechanics`.
        visits: whether a place belongs to the side that entered it last.
        outright: the topics under which a unit is eliminated with all its steps; otherwise it loses its last one.
    """

    field: ClassVar[type[Field]] = Field
    """What lies on the table of this game."""
    kept: ClassVar[Sequence[str]] = ()
    """What else is kept by events, and must be as the state has it."""

    def __init__(
        self,
        entries: Mapping[Any, Callable[[Any, Any], Field]] | None = None,
        *,
        visits: bool = True,
        outright: Iterable[str] = ("retreat.none",),
    ) -> None:
        self._entries = {**_ENTRIES, **(entries or {})}
        self.visits = visits
        self._outright = frozenset(outright)

    def of(self, game: Game) -> Field:
        """The position of a game, as its state records it."""
        return self.field.of(game.world, game.state)

    @staticmethod
    def visited(field: F, unit: str, hexes: Sequence[str]) -> F:
        """The books after a unit has entered some hexes: those that can be controlled are of its side."""
        side = field.world.units[unit].side
        taken = {label: side for label in hexes if label in field.world.controlled}
        return replace(field, control={**field.control, **taken}) if taken else field

    def comes_back(self, field: Field, unit: str) -> bool:
        """Whether a unit that was eliminated for good may come back all the same."""
        return False

    def is_outright(self, field: Field, clause: str) -> bool:
        """Whether a clause eliminates a unit with all its steps."""
        return clause in {field.world.clause(topic) for topic in self._outright}

    def entered(self, field: Field, event: Event) -> Field:
        """The books after an event."""
        enter = next((self._entries[it] for it in (event.kind, *type(event).__mro__) if it in self._entries), None)
        after = field if enter is None else enter(field, event)
        if after is not field and after.locations is field.locations and after.steps_left is field.steps_left:
            object.__setattr__(after, "lying", field.lying)
        return after


def _placed(field: Field, event: UnitPlaced) -> Field:
    known = event.unit in field.steps_left
    steps = field.steps_left if known else {**field.steps_left, event.unit: field.world.units[event.unit].steps}
    placed = replace(field, locations={**field.locations, event.unit: event.location}, steps_left=steps)
    return Books.visited(placed, event.unit, (event.location,))


def _eliminated(field: Field, event: UnitEliminated) -> Field:
    gone = field.without(event.unit)
    if not event.to:
        return gone
    full = field.world.units[event.unit].steps
    return replace(gone, locations={**gone.locations, event.unit: event.to}, steps_left={**gone.steps_left, event.unit: full})


def _selected(field: Field, event: ChitSelected) -> Field:
    before = field.hand if event.held else field.selected
    after = {**before, event.side: (*before.get(event.side, ()), event.chit)}
    return replace(field, hand=after) if event.held else replace(field, selected=after)


def _filled(field: Field, event: CupFilled) -> Field:
    chosen = [chit for chits in field.selected.values() for chit in chits]
    cup = (*event.common, *chosen)
    return replace(field, selected={}, cup=cup, drawn=(), put_in=field.selected, known_in_cup=event.common)


def _less(chits: tuple[str, ...], chit: str) -> tuple[str, ...]:
    place = chits.index(chit) if chit in chits else len(chits)
    return (*chits[:place], *chits[place + 1 :])


def _released(field: Field, event: ChitPlayed) -> Field:
    return replace(field, hand={**field.hand, event.side: _less(field.hand.get(event.side, ()), event.chit)})


def _drawn(field: Field, event: ChitDrawn) -> Field:
    known = _less(field.known_in_cup, event.chit)
    return replace(field, cup=_less(field.cup, event.chit), drawn=(*field.drawn, event.chit), known_in_cup=known)


def _returned(field: Field, event: ChitReturned) -> Field:
    known = (*field.known_in_cup, event.chit)
    return replace(field, cup=(*field.cup, event.chit), drawn=_less(field.drawn, event.chit), known_in_cup=known)


_ENTRIES: dict[type[Event], Callable[[Any, Any], Field]] = {
    UnitPlaced: _placed,
    UnitMoved: lambda field, event: Books.visited(
        replace(field, locations={**field.locations, event.unit: event.path[-1]}), event.unit, event.path[1:]
    ),
    StepLost: lambda field, event: replace(field, steps_left={**field.steps_left, event.unit: field.steps_left[event.unit] - 1}),
    UnitEliminated: _eliminated,
    TurnBegan: lambda field, event: replace(field, turn=event.turn),
    PhaseEntered: lambda field, event: replace(field, phase=event.phase),
    UnitsActivated: lambda field, event: replace(field, active=event.units),
    ActivationEnded: lambda field, event: replace(field, active=()),
    ChitSelected: _selected,
    CupFilled: _filled,
    ChitDrawn: _drawn,
    ChitReturned: _returned,
    ChitPlayed: lambda field, event: replace(_released(field, event), drawn=(*field.drawn, event.chit)),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """An event, and the books before and after it."""

    event: Event
    before: Field
    after: Field


class Ledger:
    """The books of one game.

    Args:
        game: it is followed as far as it has come at each question.
        books: how events are entered.
    """

    def __init__(self, game: Game, books: Books) -> None:
        self.books = books
        self._entries: list[Entry] = []
        self.first = self.now = books.field.of(game.world, game.first_state)
        """The books at the beginning, and as they stand."""

    def follow(self, game: Game, begin: int = 0) -> list[Entry]:
        """All entries from one on, after the latest events have been entered."""
        for event in game.events[len(self._entries) :]:
            after = self.books.entered(self.now, event)
            self._entries.append(Entry(event, self.now, after))
            self.now = after
        return self._entries[begin:]


_LEDGERS: WeakKeyDictionary[Game, Ledger] = WeakKeyDictionary()


def ledger_of(game: Game, books: Books) -> Ledger:
    """The ledger of a game, which all checks that follow it share."""
    ledger = _LEDGERS.get(game)
    if ledger is None or ledger.books is not books:
        ledger = _LEDGERS[game] = Ledger(game, books)
    return ledger
