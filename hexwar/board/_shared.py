"""Tables: dicts of which copies are made often and little is changed in each, such as where every unit is.

The compiled kernel has a table that shares what stays the same with its copies; without the kernel it is a dict. Both hold the
same in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
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
