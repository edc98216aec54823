"""The compiled kernel, if there is one: see `_kernel.c`."""

from collections.abc import Collection

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
    /,
) -> bool: ...
