"""Actions that no game offers: what a careless client, an old link or a forger would send, sort by sort."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from hexwar.engine import Action, Event, Game, record
from hexwar.testing._staging.random_play import shortened

SORTS: dict[str, str] = {
    "stale": "offered earlier in the game",
    "another seat's": "offered to somebody else at this moment",
    "nobody's": "offered, but claimed by a seat that does not exist or for a side as a whole",
    "similar": "possible in a position like this one: another unit's move, one hex beyond reach, an attack on a friend",
    "off the map": "a hex that is on no map",
    "another sheet": "a hex under the label of another map sheet",
    "wrong type": "a field with a value of a wrong type",
    "lying text": "a string or an object that equals whatever it is compared with and has the hash of what is offered",
    "huge": "a number, a string or a list beyond all measure",
    "odd text": "confusable letters, full-width digits, zero-width and combining marks, text from right to left, surrogates",
    "altered JSON": "the JSON form with keys added, taken away, renamed, nested or of wrong types",
    "forged class": "an object of a class of its own that passes for an action",
    "batch": "several actions at once",
    "no action": "something else altogether",
    "after the end": "anything, when the game is over",
}
"""The sorts of attempts, and what is wrong with each."""

TEXTS = ("", "nowhere", "-1", "None", "'; drop", "{}", "0", "pass")
NUMBERS = (-1, 0, 7, 99)
HUGE: tuple[Any, ...] = (10**9, -(10**30), 2**63, 10**400, 10**5000, "a" * 5000, "9" * 400, ("x",) * 500, "\u0301" * 999)
WRONG_TYPES: tuple[Any, ...] = (
    None, True, False, 1.5, float("nan"), float("inf"), "1", b"1", [], ["0304"], {}, {"a": 1}, (), ("",), object(), 1j,
    frozenset(),
)  # fmt: skip
CONFUSABLES = str.maketrans("aceiopsxy01", "\u0430\u0441\u0435\u0456\u043e\u0440\u0455\u0445\u0443\u039f\u04cf")
"""Cyrillic and Greek letters that look like ours."""
FULL_WIDTH = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Attempt:
    """Something to put to the gate.

    Args:
        sort: one of `SORTS`: why it is wrong.
        action: an action, JSON data, or anything else.
        side: who claims to do it.
    """

    sort: str
    action: Any
    side: Any = None

    def __repr__(self) -> str:
        who = f" by {shortened(self.side)}" if self.side is not None else ""
        return f"{shortened(self.action)}{who} ({self.sort})"


def attempts(
    game: Game, chance: random.Random, stale: Iterable[Action], probes: int, sorts: Container[str] = SORTS
) -> Iterator[Attempt]:
    """Things to try at a position; a few of them may turn out to be offered after all.

    Args:
        game: the position.
        chance: picks among the many.
        stale: actions that were offered earlier in the game.
        probes: how many of each sort, roughly.
        sorts: only these; when the game is over, all of them are of one sort.
    """
    found = _Forger(game, chance, probes, sorts).attempts(list(dict.fromkeys(stale)))
    return found if game.to_move else (dataclasses.replace(attempt, sort="after the end") for attempt in found)


class _Forger:
    """Makes the attempts at one position."""

    def __init__(self, game: Game, chance: random.Random, probes: int, sorts: Container[str]) -> None:
        self._sorts = sorts
        self._game = game
        self._chance = chance
        self._probes = probes
        self._offers = {seat: game.legal_actions(seat) for seat in game.to_move}
        self._seats = list(game.world.seats)
        board: Any = getattr(game.world, "board", None)
        self._on_map: Any = () if board is None else board  # it knows every label of a hex
        self._labels: Sequence[str] = getattr(board, "labels", ())
        self._neighbours: Any = getattr(board, "neighbours", None)
        self._units: Mapping[str, Any] = getattr(game.world, "units", {})

    def attempts(self, stale: list[Action]) -> Iterator[Attempt]:
        """Sort by sort."""
        chance, probes = self._chance, self._probes
        if "stale" in self._sorts:
            yield from (Attempt("stale", action, chance.choice(self._seats)) for action in _some(stale, chance, 2 * probes))
        models = {seat: _some(actions, chance, probes) for seat, actions in self._offers.items()}
        if not models:  # the game is over, and what was possible before is put to it in all forms
            models = {chance.choice(self._seats): _some(stale, chance, probes)}
        for seat in _some(list(models), chance, 2):
            for sort, made in self._around(seat, models[seat]).items():
                if sort in self._sorts:
                    yield from (Attempt(sort, action, side) for action, side in made())

    def _around(self, seat: str, models: list[Action]) -> dict[str, Callable[[], Iterator[tuple[Any, Any]]]]:
        """What can be made of some actions that a seat is offered: sort -> what makes it when it is wanted."""
        chance, probes = self._chance, self._probes

        def by_seat(things: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            return ((thing, seat) for thing in things)

        def others() -> Iterator[tuple[Any, Any]]:
            names = [other for other in self._seats if other != seat]
            names += [Claiming(other, seat) for other in names if other not in self._offers]
            return ((action, name) for action in models for name in names)

        def nobody() -> Iterator[tuple[Any, Any]]:
            odd: list[Any] = ["", "nobody", seat.upper() + " ", seat + "\u200b", "\ud800", 5, True, [seat], object(), "x" * 5000]
            odd += [Claiming("nobody", seat), Passing(seat)]
            return ((action, name) for action in models for name in _some(odd, chance, 3))

        return {
            "another seat's": others,
            "nobody's": nobody,
            "altered JSON": lambda: by_seat(data for action in models for data in altered(action, chance, 2 * probes)),
            "forged class": lambda: by_seat(forged for action in models for forged in _some(foreigners(action), chance, 2)),
            "similar": lambda: by_seat(_some(list(self._similar(seat, models)), chance, 3 * probes)),
            "lying text": lambda: by_seat(_some(list(self._lying(models)), chance, 2 * probes)),
            "batch": lambda: by_seat(_some(self._batches(models), chance, probes)),
            "no action": lambda: by_seat(_some(self._things(models), chance, 2 * probes)),
            **{sort: partial(self._with_other_fields, seat, models, values) for sort, values in OTHER_FIELDS.items()},
        }

    # -- fields ---------------------------------------------------------------------------------------------------

    def _with_other_fields(self, seat: str, models: list[Action], values: Values) -> Iterator[tuple[Any, Any]]:
        """The actions with other values in one of their fields."""
        for action in models:
            for field in dataclasses.fields(action):  # type: ignore[arg-type]  # every action is a dataclass
                for other in _some(values(getattr(action, field.name), self._on_map), self._chance, 1 + self._probes // 3):
                    yield dataclasses.replace(action, **{field.name: other}), seat  # type: ignore[type-var]

    def _lying(self, models: list[Action]) -> Iterator[Any]:
        """The actions with a field that claims to be what was there, as objects and as JSON."""
        for action in models:
            for field in dataclasses.fields(action):  # type: ignore[arg-type]
                value = getattr(action, field.name)
                lies: list[Any] = [Passing(value)]
                if isinstance(value, str):
                    lies += [Claiming(says, value) for says in ("nowhere", *_some(self._near(value), self._chance, 2))]
                yield from ({**action.to_json(), field.name: lie} for lie in lies[:2])
                yield from (dataclasses.replace(action, **{field.name: lie}) for lie in lies)  # type: ignore[type-var]

    def _similar(self, seat: str, models: list[Action]) -> Iterator[Action]:
        """Well-formed actions that could be offered in a position like this one, and are not offered in this one."""
        offered = set(self._offers.get(seat, ()))
        every = [*self._offers.get(seat, ()), *models]
        for action in models:
            alike = [other for other in every if type(other) is type(action)]
            for field in dataclasses.fields(action):  # type: ignore[arg-type]
                value = getattr(action, field.name)
                others = [getattr(self._chance.choice(alike), field.name) for _ in range(self._probes)]
                for other in (*others, *self._near(value)):
                    made: Action = dataclasses.replace(action, **{field.name: other})  # type: ignore[type-var]
                    if type(other) is type(value) and made not in offered:
                        yield made

    def _near(self, value: Any) -> list[Any]:
        """Values that belong to the same game."""
        match value:
            case bool():
                return [not value]
            case int():
                return [value + 1, value - 1, -value]
            case tuple():
                ends = [value[:-1], value[::-1], (*value, *value[-1:])]
                return ends + [(*value[:-1], near) for near in (self._near(value[-1]) if value else ())]
            case str() if value in self._on_map:  # one hex beyond reach is next to the last one within it
                near = list(self._neighbours(value)) if self._neighbours else []
                return [*near, *_some(self._labels, self._chance, 2)]
            case str() if value in self._units:
                return _some(list(self._units), self._chance, 4)
            case _:
                return []

    # -- other forms ----------------------------------------------------------------------------------------------

    def _batches(self, models: list[Action]) -> list[Any]:
        data = [action.to_json() for action in models]
        return [
            list(models), tuple(models), data, {"actions": data}, {"kind": [entry["kind"] for entry in data]},
            {**data[0], "then": data[-1]}, iter(models), dict(enumerate(models)), [models, data],
        ] if data else []  # fmt: skip

    def _things(self, models: list[Action]) -> list[Any]:
        kinds = list(self._game.ruleset.action_types.values())
        things: list[Any] = [None, 5, "pass", [], (), {}, object(), kinds[0], Event, NotImplemented, lambda: None, b"{}"]
        for action in models[:1]:
            things += [action.kind, repr(action), str(action.to_json()), type(action), action.to_json]
        return things


def _some(things: Sequence[Any], chance: random.Random, number: int) -> list[Any]:
    return chance.sample(things, min(number, len(things)))


# -- texts and types --------------------------------------------------------------------------------------------------------

Values = Callable[[Any, Container[str]], list[Any]]
"""The value of a field and the labels of the map -> other values."""


def _at_the_end(other: Callable[[str, Container[str]], list[str]], value: Any, on_map: Container[str]) -> list[Any]:
    """Other texts, or other last items of a path."""
    if isinstance(value, str):
        return list(other(value, on_map))
    if isinstance(value, tuple) and value and isinstance(value[-1], str):
        return [(*value[:-1], last) for last in other(value[-1], on_map)]
    return []


def odd_texts(text: str, on_map: Container[str] = ()) -> list[str]:
    """Texts that look like this one, or sort of."""
    made = (
        text.translate(CONFUSABLES), text.translate(FULL_WIDTH), f"\u202e{text[::-1]}", f"{text}\u200b", f"\ufeff{text}",
        f"{text}\u0301", f"{text} ", f" {text}", f"\u00a0{text}", f"{text}\x00", f"{text}\ud800", f"{text}\n", text.upper(),
        text.title(), text.swapcase(), text[::-1], "\u0130", "\u00df", "\ud800", "\u2028", "\U0010ffff", *TEXTS,
    )  # fmt: skip
    return [other for other in made if other != text]


def off_the_map(label: str, on_map: Container[str]) -> list[str]:
    """Labels that no map has, if this is one that a map has."""
    if label not in on_map:
        return []
    digits = label[-4:]
    made = [label[: -len(digits)] + other for other in ("0000", "9999", "-101", "99999999", "0x10", "1e03", "")]
    return [*made, label + "0", label[:-1], f"{label},{label}", "99999999999999999999", "-1"]


def other_sheets(label: str, on_map: Container[str]) -> list[str]:
    """The label as other sheets of a map would write it, as far as this map has no such hex."""
    if label not in on_map:
        return []
    bare = label.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    made = [bare, f"{label}-{bare}", *(f"{letter}{bare}" for letter in "ABEKLSWZlsk")]
    return [other for other in dict.fromkeys(made) if other not in on_map]


def wrong_types(value: Any, on_map: Container[str] = ()) -> list[Any]:
    """Values of other types, some of which compare equal to this one."""
    others: list[Any] = [other for other in WRONG_TYPES if type(other) is not type(value)]
    match value:
        case bool():
            others += [int(value), float(value)]
        case int():
            others += [bool(value), float(value), str(value), _pretender(int, True)(value)]
        case str():
            others += [value.encode(), [value], (value,), _pretender(str, False)(value)]
        case tuple():
            listed = ",".join(map(str, value))
            others += [list(value), frozenset(value), (*value, None), dict.fromkeys(value), (*value, "") * 50, listed]
    return others


OTHER_FIELDS: dict[str, Values] = {
    "off the map": partial(_at_the_end, off_the_map),
    "another sheet": partial(_at_the_end, other_sheets),
    "wrong type": wrong_types,
    "huge": lambda value, on_map: list(HUGE),
    "odd text": partial(_at_the_end, odd_texts),
}
"""Sort -> the values that it puts into fields."""


@cache
def _pretender(base: Any, equal: bool) -> Any:
    """A class whose values are equal to everything, or to nothing, and have the hashes of the real ones."""
    ways = {"__eq__": lambda self, other: equal, "__ne__": lambda self, other: not equal, "__hash__": base.__hash__}
    return type(
        f"Odd{base.__name__.title()}", (base,), {**ways, "__repr__": lambda self: f"odd {base.__repr__(self)}", "__slots__": ()}
    )


class Claiming(str):
    """A text that equals everything, and hashes as what it claims to be."""

    __slots__ = ("_claims",)
    _claims: str

    def __new__(cls, says: str, claims: str) -> Claiming:
        """One that says something and claims something else."""
        made = super().__new__(cls, says)
        made._claims = claims
        return made

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return hash(self._claims)

    def __repr__(self) -> str:
        return f"{super().__repr__()} as {self._claims!r}"


class Passing:
    """An object that equals everything, and hashes as the value for which it passes."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"something as {self._value!r}"


# -- JSON -------------------------------------------------------------------------------------------------------------------


def altered(action: Action, chance: random.Random, number: int) -> list[Any]:
    """The JSON form of an action with something wrong in it."""
    data = action.to_json()
    kind = action.kind
    found: list[Any] = [
        {key: value for key, value in data.items() if key != "kind"},
        {**data, "kind": "no-such-kind"},
        {**data, "kind": 7},
        {**data, "kind": None},
        {**data, "kind": [kind]},
        {**data, "kind": {"kind": kind}},
        {**data, "kind": kind.upper()},
        {**data, "kind": f"{kind}\u200b"},
        {**data, "kind": "\ud800"},
        {**data, "kind ": kind, "extra": 1},
        {**data, 1: 2},
        {**data, None: kind},
        {**data, "clause": "1"},
        {**data, "__class__": "Action"},
        {kind: data},
        {"kind": kind, "nested": _deep(200)},
        {"kind": kind, "nested": _deep(100_000)},
        {"kind": kind, "wide": _WIDE},
        {**data, **dict.fromkeys(data, _WIDE)},
        {"action": data},
    ]
    for key in data:
        others = [*TEXTS, *NUMBERS, *HUGE, *WRONG_TYPES, _deep(50), {"kind": kind}, _endless()]
        found += [{**data, key: other} for other in _some(others, chance, number)]
        found.append({other: value for other, value in data.items() if other != key})
        found.append({(other.upper() if other == key else other): value for other, value in data.items()})
    return _some(found, chance, number)


_WIDE = dict.fromkeys(map(str, range(3_000)))
"""An object of many keys."""


@cache
def _deep(levels: int) -> Any:
    data: Any = 0
    for _ in range(levels):
        data = [data]
    return data


def _endless() -> list[Any]:
    data: list[Any] = []
    data.append(data)
    return data


# -- classes ----------------------------------------------------------------------------------------------------------------


def foreigners(action: Action) -> list[Any]:
    """Objects of classes that are not the ruleset's own, however much they look like it."""
    own: Any = type(action)
    heir = _pretender(own, True)
    fields: dict[str, Any] = {field.name: getattr(action, field.name) for field in dataclasses.fields(own)}
    return [
        Stranger(),
        Namesake.called(action.kind),
        heir(**fields),
        Liar(own, fields),
        Namesake.called([action.kind]),
        Unhashable(),
    ]


@record
class Stranger(Action):
    """An action of no ruleset."""

    kind = "stranger"
    text: str = "?"


@record
class Namesake(Action):
    """An action of a foreign class with the kind of another."""

    kind = "namesake"

    @classmethod
    def called(cls, kind: Any) -> Action:
        """One that calls itself so, whatever that is."""
        made: type[Action] = type("Namesake", (cls,), {"kind": kind, "__slots__": ()})
        return made()


@record
class Unhashable(Action):
    """An action that says it has no hash, whatever it holds."""

    kind = "unhashable"
    __hash__ = None  # type: ignore[assignment]


class Liar:
    """An object that says that it is of the class of an action."""

    def __init__(self, own: type[Action], fields: dict[str, Any]) -> None:
        self._own = own
        self.kind = own.kind
        self.__dict__.update(fields)

    @property
    def __class__(self) -> Any:
        return self._own

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise TypeError("a liar stays a liar")
