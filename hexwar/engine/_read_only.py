"""A state that is handed out: it reads like the game's own, and refuses to be changed.

Its class is a subclass of the state's, so `isinstance` and the methods of the state work. It has the same values; what could be
changed in place is copied and sealed. The rules never see one: they work on the plain state, which costs nothing extra.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import MutableMapping
from typing import Any, NoReturn, TypeVar

from hexwar.engine._state import State

S = TypeVar("S", bound=State)

ADVICE = (
    "the state of a game changes by actions, and in rules by events: `game.state.copy()` is yours to change, "
    "and `hexwar.position` begins a game from any position"
)


def read_only(state: S) -> S:
    """The same values in a state that refuses to be changed.

    Args:
        state: a plain state, which must not change from now on.
    """
    cls: Any = type(state)
    made = object.__new__(_handed_out(cls))
    object.__setattr__(made, "_plain", state)
    shown = vars(made)
    for part in cls._parts:
        value = getattr(state, part.name)
        shown[part.name] = part.apart(value) if part.derived else _sealed(value)
    return made  # type: ignore[no-any-return]


def _sealed(value: Any) -> Any:
    """The value, or a copy that refuses to be changed if it could be."""
    if isinstance(value, dict | MutableMapping):
        return _Dict(value)
    if isinstance(value, list):
        return _List(value)
    if isinstance(value, set):
        return _Set(value)
    return value.copy() if isinstance(value, bytearray) else value


@functools.cache
def _handed_out(cls: Any) -> Any:
    """The class of the states of a class that are handed out."""
    return type(
        cls.__name__,
        (cls,),
        {
            "__slots__": ("_plain",),
            "__module__": cls.__module__,
            "__qualname__": cls.__qualname__,
            "__doc__": cls.__doc__,
            # To call the type of such a state makes a plain one.
            "__new__": lambda kind, *values, **named: cls(*values, **named),
            "__setattr__": _refuse_field,
            "__delattr__": _refuse_field,
            "__eq__": lambda self, other: self._plain == (other._plain if type(other) is type(self) else other),
            "__hash__": None,
            "__copy__": lambda self: self._plain.copy(),
            "__deepcopy__": lambda self, memo: self._plain.copy(),
            "__reduce_ex__": lambda self, protocol: (State.copy, (self._plain,)),
            "copy": lambda self: self._plain.copy(),
            "seen_by": lambda self, viewer: self._plain.seen_by(viewer),
        },
    )


def _refuse_field(self: Any, name: str, *_: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"{name} of a game's state cannot be changed: {ADVICE}")


def _refuse(self: Any, *_: object, **__: object) -> NoReturn:
    raise TypeError(f"what is in a game's state cannot be changed: {ADVICE}")


class _Dict(dict[Any, Any]):
    """A dict that refuses to be changed."""

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, ({**self},)


class _List(list[Any]):
    """A list that refuses to be changed."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return list, ([*self],)


class _Set(set[Any]):
    """A set that refuses to be changed."""

    __iand__ = __ior__ = __isub__ = __ixor__ = add = clear = discard = pop = remove = update = _refuse
    difference_update = intersection_update = symmetric_difference_update = _refuse

    def copy(self) -> set[Any]:
        """A plain set."""
        return {*self}

    def __repr__(self) -> str:
        return repr({*self})

    def __reduce__(self) -> tuple[Any, ...]:
        return set, ({*self},)
