"""The compiled kernel, if there is one: see `_kernel.c`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

VERSION: int

class Table(MutableMapping[K, V]):
    def __init__(self, content: Mapping[K, V] = ..., /) -> None: ...
    def __getitem__(self, key: K, /) -> V: ...
    def __setitem__(self, key: K, value: V, /) -> None: ...
    def __delitem__(self, key: K, /) -> None: ...
    def __iter__(self) -> Iterator[K]: ...
    def __len__(self) -> int: ...
    def copy(self) -> Table[K, V]: ...

def search(
    spent: dict[int, int],
    came: dict[int, int],
    numbers: tuple[int, ...],
    start: int,
    budget: int,
    stride: int,
    steps: bytes,
    leave: bytes | bytearray,
    enter: bytes | bytearray,
    firsts: Collection[int],
    zones: bytes | bytearray,
    within: int,
    barred: int,
    /,
) -> bool: ...
def recounted(planes: list[int], less: int, more: int, /) -> tuple[list[int], int]: ...
def bits(mask: int, /) -> list[int]: ...
def present(names: Iterable[str], at: Table[str, str] | dict[str, str], places: dict[str, int], /) -> tuple[str, ...]: ...
