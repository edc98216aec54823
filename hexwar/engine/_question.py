"""The question: what is being decided, as data. Clients, bots and tests read it; no client parses a sentence.

Nothing is listed before it is needed: a decision may have a hundred thousand choices, so they are asked for group by
group. All of it is what the seat may know.
"""

from __future__ import annotations

import functools
import re
import typing
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from hexwar.engine._actions import Action, ActionSet, AnyOf, Freedom, Grouped, Listed, Offers, RandomSource
from hexwar.engine._names import Names
from hexwar.engine._once import once
from hexwar.engine._records import Json, record
from hexwar.engine._steps import Concern, Position, Shown, Step
from hexwar.errors import UnknownName
from hexwar.grouping import grouped

_SENTENCE = re.compile(r"[.:](?:\s|$)")
EXAMPLES = 12
"""How many choices of a sort say what a client shows of it."""


@runtime_checkable
class HasBoard(Protocol):
    """A world with a board of any kind."""

    @property
    def board(self) -> Container[object]:
        """What knows its places: by their labels, or by their coordinates."""


@runtime_checkable
class HasUnits(Protocol):
    """A world with pieces that have names; where they are, the state's `at` says."""

    @property
    def units(self) -> Mapping[str, Any]:
        """Id -> piece, which has a `name` and a `side`."""


@record
class Ending:
    """The choice that ends a decision.

    Args:
        action: what ends it.
        left: the groups from which something could still be chosen.
        asks: the kind of action that could still be done.
        title: what ends, as on a button: "End movement".
        still: what could still be done, "2 units can still move"; "" if nothing.
    """

    action: Action
    left: tuple[str, ...]
    asks: str
    title: str
    still: str

    def __str__(self) -> str:
        return f"{self.title}: {self.still}" if self.still else self.title


class Group(Offers):
    """The choices that are about one thing, such as the moves of a unit: a list that costs nothing until it is read.

    Args:
        key: what they are about.
        offer: the choices as a set.
        question: of which they are a part.
    """

    def __init__(self, key: str, offer: ActionSet, question: Question) -> None:
        super().__init__(offer)
        self.key = key
        self._question = question

    def places(self) -> dict[object, list[Action]]:
        """The choices by where they lead or strike; those that name no place are left out."""
        placed = ((place_of(self._question.at, action), action) for action in self.offer)
        return grouped((place, action) for place, action in placed if place is not None)

    def through(self, places: Sequence[Any]) -> Group:
        """The choices that lead through some places in this order: see `ActionSet.through`."""
        return Group(self.key, self.offer.through(places), self._question)

    def freedom(self) -> Freedom | None:
        """How a choice is put together that is not listed: what the set says, else what follows from the types of its fields.

        None where all are listed, or none is a point.
        """
        if self.offer.complete or not self.offer:
            return None
        return self.offer.freedom() or next(filter(None, map(self._freedom_of, self.offer)), None)

    def _freedom_of(self, action: Action) -> Freedom | None:
        hints = _hints(type(action))  # type: ignore[arg-type]  # a class is hashable
        point = next(
            (name for name, hint in hints.items() if _is_point(hint) and getattr(action, name) in self._question.board), ""
        )
        turn = next((name for name, hint in hints.items() if Names("heading") in getattr(hint, "__metadata__", ())), "")
        way = next((name for name, hint in hints.items() if _is_way(hint)), "")
        return Freedom(action, point, turn, way) if point else None

    def to_json(self) -> dict[str, Json]:
        """All its choices as plain JSON data, for a client."""
        return {"key": self.key, "complete": self._question.complete, "choices": [_choice(action) for action in self.offer]}


class Question:
    """What a seat is asked. Iteration gives the groups from which something can be chosen, each when its turn comes.

    Args:
        step: the step that waits.
        known: finds what the seat knows; it is called at most once, on demand.
        seat: who is asked.
        seats: all who decide at the same time.
        offer: what the seat may do.
    """

    def __init__(self, step: Step, known: Callable[[], Position], seat: str, seats: tuple[str, ...], offer: ActionSet) -> None:
        self.seat = seat
        self.seats = seats
        self.offer = offer
        self._on_top = step
        self._find_known = known

    @once
    def _known(self) -> Position:
        return self._find_known()

    @once
    def at(self) -> Position:
        """What the seat knows of the position in which it decides."""
        return self._on_top.facing(self._known, self.seat)

    @once
    def _step(self) -> Step:
        return self._on_top.asked(self._known, self.seat)

    @property
    def kind(self) -> str:
        """The kind of decision: that of the step."""
        return self._step.kind

    def __iter__(self) -> Iterator[Group]:
        return filter(None, map(self.group, self.groups))

    def sample(self, chance: RandomSource) -> Action:
        """One of the choices at random, as `ActionSet.sample`: nothing is listed."""
        return self.offer.sample(chance)

    @once
    def clause(self) -> str:
        """The rule under which it is asked."""
        return self._step.rule(self.at)

    @once
    def prompt(self) -> str:
        """A sentence for people, with its clause."""
        text = self._step.prompt(self.at, self.seat)
        return f"{text} ({self.clause})" if self.clause else text

    @property
    def title(self) -> str:
        """What is asked, in about five words: what the step says, else the first sentence of its prompt."""
        return self._step.title or first_sentence(self._step.prompt(self.at, self.seat))

    @property
    def subject(self) -> tuple[str, str]:
        """The piece and the place that are chosen already, each "" if none is: where it is about one, or only one can act."""
        concern = self._concern
        here = dict.fromkeys(concern.places)
        piece = concern.pieces[0] if len(concern.pieces) == 1 else ""
        if not piece and len(self.groups) == 1 and self.groups[0] in getattr(self.at.world, "units", ()):
            piece = self.groups[0]
        return piece, next(iter(here)) if len(here) == 1 else ""

    def cost(self, action: Action) -> float | None:
        """What one of the choices costs; None where nothing is paid for it."""
        return self._step.cost(self.at, action)

    def forecast(self, action: Action) -> tuple[tuple[str, str], ...]:
        """What one of the choices would do besides what it says: words, and the clause that says so."""
        return self._step.forecast(self.at, action)

    @property
    def complete(self) -> bool:
        """Whether the choices can be listed; otherwise what is listed is a menu, and others are possible."""
        return self.offer.complete

    @once
    def example(self) -> Action:
        """One of the choices that shows what is asked; never one that ends it while there is another."""
        return self._grouped.example()

    @property
    def asks(self) -> str:
        """The kind of action that is asked for, such as "move"."""
        return self.example.kind

    @property
    def way(self) -> str:
        """The field of the actions that is asked for with every place of their way; "" if the way cannot be chosen."""
        return self.example.way

    @once
    def _grouped(self) -> Grouped:
        return self.offer.grouped()

    @once
    def shows(self) -> tuple[Shown, ...]:
        """What a client shows besides the choices: what the step says, else what follows from what the choices name.

        A piece on the board and a place are `reach`, and `attack` if its enemies stand there or one of them is named; a place
        alone is `place`, an enemy alone `attack`. Several places in one field are a `path`, and a `Heading` is a `facing`.
        """
        if self._step.shows:
            return self._step.shows
        found = {shown for action in self._examples for shown in self._shown_by(action)}
        return tuple(shown for shown in typing.get_args(Shown) if shown in found) or ("none",)

    @property
    def _examples(self) -> Iterator[Action]:
        """Some choices of each sort: those of the first and of the last group in which anything can be chosen."""
        found = None
        for keys in (self.groups, reversed(self.groups)):
            found = next((group.offer for key in keys if (group := self.group(key))), None)
            sets = found.sets if isinstance(found, AnyOf) else () if found is None else (found,)
            yield from (action for each in sets for action in islice(each, EXAMPLES))
        yield from (self.example,) if found is None and not self.example.ends else ()

    def _shown_by(self, action: Action) -> Iterator[Shown]:
        hints = _hints(type(action))  # type: ignore[arg-type]  # a class is hashable
        others = [value for name in list(hints)[1:] if isinstance(value := getattr(action, name), str)]
        units: Mapping[str, Any] = self.at.world.units if isinstance(self.at.world, HasUnits) else {}
        where: Mapping[str, Any] = getattr(self.at.state, "locations", {})
        piece, place = action.key if action.key in units or action.key in where else "", place_of(self.at, action)
        side = units[piece].side if piece in units else self.at.world.seats[self.seat]
        enemies = {unit for unit, counter in units.items() if counter.side != side}
        if enemies.intersection(others) or (place is not None and any(where.get(unit) == place for unit in enemies)):
            yield "attack"
        elif place is not None:
            stands = getattr(self.at.world, "stands", lambda state, unit: where.get(unit) in self.board)
            yield "reach" if piece and stands(self.at.state, piece) else "place"
        elif piece and side != self.at.world.seats[self.seat]:
            yield "attack"
        if way_of(self.at, action):
            yield "path"
        if any(Names("heading") in getattr(hint, "__metadata__", ()) for hint in hints.values()):
            yield "facing"

    @property
    def board(self) -> Container[object]:
        """What knows the places of the game; nothing where it has no board."""
        return self.at.world.board if isinstance(self.at.world, HasBoard) else ()

    def prompt_as(self, shown: Callable[[Any], Any]) -> str | None:
        """The prompt with whatever its sentence is filled with in other words, such as names in place of ids.

        None for a prompt that its step writes in code: what it names cannot be told from its other words.

        Args:
            shown: gives the other words for a value of a field, or for a list.
        """
        step, lists = self._step, self._step.sentence_lists(self.at)
        if not step.says or step.prompt(self.at, self.seat) != step.sentence(**lists):
            return None
        text = step.sentence(**{name: shown(value) for name, value in (step.sentence_values() | lists).items()})
        return f"{text} ({self.clause})" if self.clause else text

    def understood(self, words: Sequence[str]) -> list[Action]:
        """The choices that typed words mean to the step itself, besides the words of the choices: see `Step.understood`.

        Raises:
            Refusal: the words mean something that a rule forbids now.
        """
        meant = list(self._step.understood(self.at, self.seat, words))
        found = [offered for action in meant if (offered := self.offer.find(action)) is not None]
        refusals = (self.offer.why_not(action) for action in meant if not found)
        if refusal := next(filter(None, refusals), None):
            raise refusal
        return found

    @property
    def by(self) -> str:
        """The field of the actions by which they are grouped, such as "unit"; "" where there are no groups."""
        return fields(self.example)[0].name if self.groups and self.example.key in self.groups else ""  # type: ignore[arg-type]

    @property
    def plain(self) -> tuple[Action, ...]:
        """The choices outside the groups, such as "done"."""
        return self._grouped.plain

    @property
    def groups(self) -> tuple[str, ...]:
        """What the other choices are about, such as the units that may move; of some there may be nothing to choose."""
        return self._grouped.keys

    def group(self, key: str) -> Group:
        """The choices that are about one thing.

        Raises:
            UnknownName: nothing is asked about it.
        """
        groups = self._grouped
        if key not in groups.keys:
            raise UnknownName("group of choices", key, groups.keys)
        return Group(key, groups.group(key), self)

    def counts(self) -> dict[str, int]:
        """Group -> how many choices, where that takes no work; empty otherwise."""
        return {key: len(self.group(key)) for key in self.groups} if isinstance(self.offer, Listed) else {}

    @property
    def pieces(self) -> tuple[str, ...]:
        """The pieces that it is about, and those to choose from."""
        known = getattr(self.at.world, "units", ())  # `HasUnits` would ask the same, at a hundred times the cost
        return tuple(dict.fromkeys((*self._concern.pieces, *(key for key in self.groups if key in known))))

    @property
    def places(self) -> tuple[str, ...]:
        """The places that it is about, and those to choose from."""
        known = getattr(self.at.world, "board", ())
        return tuple(dict.fromkeys((*self._concern.places, *(key for key in self.groups if key in known))))

    @property
    def goals(self) -> tuple[tuple[str, str], ...]:
        """Piece and the place that it is to attack, for what is put together so far."""
        return self._concern.goals

    @once
    def _concern(self) -> Concern:
        return self._step.concern(self.at, self.seat)

    @property
    def ending(self) -> Ending | None:
        """What ends the decision, and what could still be done then; None where nothing does."""
        ends = next((action for action in self.plain if action.ends), None)
        if ends is None:
            return None
        left, step = tuple(group.key for group in self), self._step
        return Ending(ends, left, self.asks, step.ending or f"End {_spaced(step.kind)}", self._still(len(left)))

    def _still(self, number: int) -> str:
        """What this many pieces or places could still do."""
        plural = "" if number == 1 else "es" if self.by.endswith("x") else "s"
        noun = f" {self.by}{plural}" if self.by else ""
        return f"{number}{noun} can still {self.example.can or _spaced(self.asks)}" if number else ""

    def to_json(self) -> dict[str, Json]:
        """The question as plain JSON data, for a client, which asks for the groups one by one."""
        counts, ending = self.counts(), self.ending
        return {
            "kind": self.kind,
            "clause": self.clause,
            "seat": self.seat,
            "seats": list(self.seats),
            "prompt": self.prompt,
            "title": self.title,
            "subject": list(self.subject),
            "complete": self.complete,
            "asks": self.asks,
            "shows": list(self.shows),
            "by": self.by,
            "way": self.way,
            "pieces": list(self.pieces),
            "places": list(self.places),
            "goals": [list(goal) for goal in self.goals],
            "choices": [_choice(action) for action in self.plain],
            "groups": [{"key": key, "count": counts.get(key)} for key in self.groups],
            "ending": None
            if ending is None
            else {**_choice(ending.action), "left": list(ending.left), "title": ending.title, "still": ending.still},
        }


@functools.cache
def _hints(cls: Any) -> Mapping[str, Any]:
    """The fields of a kind of action with their types; without them, if a type is not there at run time."""
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError:
        hints = {}
    return {part.name: hints.get(part.name) for part in fields(cls)}


def first_sentence(prompt: str) -> str:
    """The first sentence of a prompt, without its full stop and what is listed behind a colon."""
    return _SENTENCE.split(prompt, maxsplit=1)[0]


def _is_point(hint: Any) -> bool:
    """Whether a type is that of a point: two whole numbers, or the same as a `Spot`."""
    plain = hint.__origin__ if typing.get_origin(hint) is typing.Annotated else hint
    return bool(plain == tuple[int, int])


def _is_way(hint: Any) -> bool:
    """Whether a type is that of points in a row."""
    parts = typing.get_args(hint)
    return typing.get_origin(hint) is tuple and len(parts) == 2 and parts[1] is Ellipsis and _is_point(parts[0])


def _spaced(kind: str) -> str:
    return kind.replace("-", " ")


def _choice(action: Action) -> dict[str, Json]:
    return {"action": action.to_json(), "words": str(action)}


def way_of(at: Position, action: Action) -> tuple[Any, ...]:
    """The way that an action names, place by place: its `Action.way`, else any field of places; () if it names none."""
    if action.way:
        return tuple(getattr(action, action.way))
    board = at.world.board if isinstance(at.world, HasBoard) else ()
    for part in fields(action):  # type: ignore[arg-type]  # every record is a dataclass
        value = getattr(action, part.name)
        if isinstance(value, tuple) and value and value not in board and all(place in board for place in value):
            return value
    return ()


def place_of(at: Position, action: Action) -> object:
    """Where an action leads or strikes: the first place that it names, the end of a path; None if it names none."""
    board = at.world.board if isinstance(at.world, HasBoard) else ()
    for part in fields(action):  # type: ignore[arg-type]  # every record is a dataclass
        value = getattr(action, part.name)
        if value in board:
            return value
        if isinstance(value, tuple) and value and value[-1] in board:
            return value[-1]
    return None
