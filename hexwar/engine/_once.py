"""An attribute that is computed at its first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  # it is used as a decorator
    """`functools.cached_property` without its lock, which costs more than the attributes of small sets of actions do.

    Args:
        compute: the method.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> T:
        found = owner.__dict__[self._name] = self._compute(owner)
        return found
