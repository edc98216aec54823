"""Actions that no game offers: what a careless client, an old link or a forger would send."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Iterator
from typing import Any

from hexwar.engine import Action, Event, Game, record

TEXTS = (
    "", "0000", "9999", "99999999999999999999", "nowhere", "-1", " 0304", "0304 ", "\uff10\uff13\uff10\uff14", "0304\u200b",
    "\u202e4030", "ß", "İ", "\x00", "\ud800", "a" * 5000, "None", "'; drop", "{}",
)  # fmt: skip
NUMBERS = (-1, 0, 10**9, -(10**30), 10**30, 2**63, 10**400)
WRONG_TYPES: tuple[Any, ...] = (None, True, False, 1.5, float("nan"), "1", b"1", [], ["0304"], {}, {"a": 1}, (), ("",), object())


@dataclasses.dataclass(frozen=True, slots=True)
class Attempt:
    """Something to put to the gate.

    Args:
        what: why it is wrong, for the report.
        action: an action, JSON data, or anything else.
        side: who claims to do it.
    """

    what: str
    action: Any
    side: str | None = None

    def __str__(self) -> str:
        who = f" by {self.side!r}" if self.side is not None else ""
        return f"{_short(self.action)}{who} ({self.what})"


def attempts(game: Game[Any, Any], chance: random.Random, stale: Iterable[Action], probes: int) -> Iterator[Attempt]:
    """Things to try at a position; some of them may turn out to be offered after all.

    Args:
        game: the position.
        chance: picks among the many.
        stale: actions that were offered earlier in the game.
        probes: how many of each sort.
    """
    seats = list(game.world.seats)
    asked = game.to_move
    offers = {seat: game.legal_actions(seat) for seat in asked}
    old = list(dict.fromkeys(stale))
    for action in _some(old, chance, probes):
        for seat in seats:
            yield Attempt("offered earlier", action, seat)
    for seat, actions in offers.items():
        for action in _some(actions, chance, probes):
            yield from (Attempt("offered to another seat", action, other) for other in seats if other != seat)
            yield from (Attempt("by nobody", action, name) for name in ("", "nobody", seat.upper() + " ", "\ud800"))
            yield from (Attempt("wrong field", wrong, seat) for wrong in mutated(action, chance, probes))
            yield from (Attempt("altered JSON", data, seat) for data in altered(action, chance, probes))
            yield from (Attempt("foreign class", foreign, seat) for foreign in foreigners(action))
    seat = asked[0] if asked else seats[0]
    kinds = list(game.ruleset.action_types.values())
    first = next(iter(offers.values()))[0] if offers else None
    things: list[Any] = [
        None,
        5,
        "pass",
        [],
        (),
        {},
        object(),
        kinds[0],
        Event,
        first and first.to_json()["kind"],
        first and [first],
    ]
    yield from (Attempt("no action at all", thing, seat) for thing in things)


def _some(things: list[Any], chance: random.Random, number: int) -> list[Any]:
    return chance.sample(things, min(number, len(things)))


def mutated(action: Action, chance: random.Random, number: int) -> list[Action]:
    """The action with a field that has another value, often of a wrong type."""
    found: list[Action] = []
    for field in dataclasses.fields(action):  # type: ignore[arg-type]  # every action is a dataclass
        value = getattr(action, field.name)
        for other in _some(_others(value), chance, number):
            found.append(dataclasses.replace(action, **{field.name: other}))  # type: ignore[type-var]
    return found


def _others(value: Any) -> list[Any]:
    others: list[Any] = [*TEXTS, *NUMBERS, *WRONG_TYPES]
    if isinstance(value, bool):
        others += [int(value), not value]
    elif isinstance(value, int):
        others += [bool(value), float(value), str(value), value + 1, -value]
    elif isinstance(value, str):
        others += [value.upper(), value.lower(), value + "\u0301", value[::-1], value.encode()]
    elif isinstance(value, tuple):
        others += [value[:-1], value[::-1], (*value, *value), list(value), frozenset(value), (*value, None), value * 50]
    return others


def altered(action: Action, chance: random.Random, number: int) -> list[Any]:
    """The JSON form of an action with something wrong in it."""
    data = action.to_json()
    found: list[Any] = [
        {key: value for key, value in data.items() if key != "kind"},
        {**data, "kind": "no-such-kind"},
        {**data, "kind": 7},
        {**data, "kind": [data["kind"]]},
        {**data, "extra": 1},
        {**data, 1: 2},
        {"kind": data["kind"], "nested": _deep(200)},
        {**data, "kind": "\ud800"},
    ]
    for key in data:
        found += [{**data, key: other} for other in _some([*TEXTS, *NUMBERS, *WRONG_TYPES], chance, number)]
        found.append({other: value for other, value in data.items() if other != key})
    return _some(found, chance, 3 * number)


def _deep(levels: int) -> Any:
    data: Any = 0
    for _ in range(levels):
        data = [data]
    return data


def foreigners(action: Action) -> list[Action]:
    """Actions of classes that are not the ruleset's own, however much they look like it."""
    own = type(action)

    class Heir(own):  # type: ignore[misc, valid-type]
        """A subclass of the real thing, which compares equal to it."""

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash(action)

    fields: dict[str, Any] = {field.name: getattr(action, field.name) for field in dataclasses.fields(own)}  # type: ignore[arg-type]
    return [Stranger(), Namesake.of(action), Heir(**fields)]


@record
class Stranger(Action):
    """An action of no ruleset."""

    text: str = "?"


@record
class Namesake(Action):
    """An action of a foreign class with the kind of another."""

    like: Any = None

    @classmethod
    def of(cls, action: Action) -> Action:
        """One that calls itself by this action's kind."""
        made: type[Action] = type("Namesake", (cls,), {"kind": action.kind, "__slots__": ()})
        return made()


def _short(value: object, length: int = 120) -> str:
    text = ascii(value)
    return text if len(text) <= length else f"{text[:length]}..."
