"""What a value in a state or a step stands for: its type says it, and every value that is read is compared with it.

    attackers: tuple[UnitName, ...]      # UnitName = Annotated[str, Names("unit")]

For the rules it stays the text that it is. When a position is loaded, each must be something that the world knows.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from hexwar.engine._records import MOST

if TYPE_CHECKING:
    from hexwar.engine._steps import Position


class Names(NamedTuple):
    """What a value is the name of, in the words of `World.knows`."""

    what: str


class Below(NamedTuple):
    """A number is one of 0, 1 and so on, and less than this."""

    limit: int


SeatName = Annotated[str, Names("seat")]
"""A text that names a seat."""
SideName = Annotated[str, Names("side")]
"""A text that names a side."""
Spot = Annotated[tuple[int, int], Names("spot")]
"""A point of a board without places, such as a table top, in whole units of its own: x to the right, y down."""
Heading = Annotated[int, Names("heading")]
"""Where something looks, in whole degrees: 0 is the top of the board, and they count clockwise up to 359."""


def misnamed(at: Position) -> Iterator[str]:
    """Whatever the fields and steps of a position name that the world does not know, each with its place, in words.

    What a field has by default ("" for nothing yet) is no name.
    """
    return _of_fields(at, at.state, "")


def _of_fields(at: Position, owner: Any, place: str) -> Iterator[str]:
    for name, default, hint in _typed(type(owner)):  # type: ignore[arg-type]  # a class is hashable
        value = getattr(owner, name)
        if value != default:
            yield from _of_value(at, hint, value, f"{place}{name}")


def _of_value(at: Position, hint: Any, value: Any, place: str) -> Iterator[str]:
    plain = hint.__origin__ if typing.get_origin(hint) is Annotated else hint
    inside = typing.get_args(plain)
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Names) and not at.world.knows(at.state, mark.what, value):
            yield f"{place}: no {mark.what} is called {value!r}"
        elif isinstance(mark, Below) and value not in range(mark.limit):
            yield f"{place}: {value!r} is not one of the numbers from 0 to {mark.limit - 1}"
    if dataclasses.is_dataclass(value):
        yield from _of_fields(at, value, f"{place}.")
    elif isinstance(value, int) and abs(value) > MOST:
        yield f"{place}: the number is too large"
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _of_value(at, inside[0], key, place)
            yield from _of_value(at, inside[-1], item, f"{place}.{key}")
    elif isinstance(value, tuple | list):
        is_pair = typing.get_origin(plain) is tuple and ... not in inside
        hints = inside if is_pair else (inside or (Any,))[:1] * len(value)
        for number, (item, kind) in enumerate(zip(value, hints, strict=False)):
            yield from _of_value(at, kind, item, f"{place}.{number}")


@functools.cache
def _typed(cls: Any) -> list[tuple[str, Any, Any]]:
    """The fields of a state or a record that are no derived ones: name, default, type."""
    hints = typing.get_type_hints(cls, include_extras=True)
    fields = [field for field in dataclasses.fields(cls) if not field.metadata.get("derived")]
    return [(field.name, field.default, hints[field.name]) for field in fields]
