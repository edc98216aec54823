"""Tables: dicts of which copies are made often and little is changed in each, such as where every unit is.

The compiled kernel has a table that shares what stays the same with its copies; without the kernel it is a dict. Both hold the
same in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import TypeAlias, TypeVar

from hexwar.board import _compiled

if _compiled.BUILT:
    from hexwar.board import _kernel

    MutableMapping.register(_kernel.Table)

K = TypeVar("K")
V = TypeVar("V")

AnyTable: TypeAlias = "_kernel.Table[K, V] | dict[K, V]"
"""What `table` makes: a table of the kernel, or a dict where there is no kernel."""


def table(content: Mapping[K, V]) -> AnyTable[K, V]:
    """A mapping of one's own with the same content, to be changed: the copy of a table takes no time."""
    if _compiled.COMPILED:
        return content.copy() if isinstance(content, _kernel.Table) else _kernel.Table(content)
    return dict(content)


def present(names: Iterable[str], at: Mapping[str, str], places: Mapping[str, int]) -> tuple[str, ...]:
    """Those of some names that are at one of some places, in the same order.

    Args:
        names: the names.
        at: name -> where it is, if it is anywhere.
        places: the places, such as `Board.indices`.
    """
    if _compiled.COMPILED and isinstance(at, (_kernel.Table, dict)) and isinstance(places, dict):
        return _kernel.present(names, at, places)
    return tuple([name for name in names if at.get(name) in places])
