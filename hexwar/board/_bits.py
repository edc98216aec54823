"""Sets of hexes as big integers: bit i stands for the hex with index i.

One shift moves a whole set by one hex, so a flood over a campaign map costs microseconds without any compiled code.

Small numbers for all hexes at once are bit planes, a mask for each binary digit: the hexes in which the number is odd, those in
which its second digit is 1, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from hexwar.board import _compiled

if _compiled.BUILT:
    from hexwar.board import _kernel

_IN_BYTE: Final = tuple(tuple(k for k in range(8) if byte >> k & 1) for byte in range(256))


def bits(mask: int) -> list[int]:
    """The indices in a mask, ascending."""
    if _compiled.COMPILED:
        return _kernel.bits(mask)
    found: list[int] = []
    if mask.bit_count() * 128 < mask.bit_length():  # so few that each is worth a look at the whole number
        while mask:
            lowest = mask & -mask
            found.append(lowest.bit_length() - 1)
            mask ^= lowest
        return found
    # Most sets are small and local: dropping the empty low end first keeps the rest short.
    base = max((mask & -mask).bit_length() - 1, 0)
    mask >>= base
    for byte in mask.to_bytes((mask.bit_length() + 7) // 8, "little"):
        if byte:
            for k in _IN_BYTE[byte]:
                found.append(base + k)
        base += 8
    return found


def mask_of(indices: Iterable[int], size: int) -> int:
    """The mask of some indices below ``size``."""
    if _compiled.COMPILED:
        return _kernel.mask_of(indices, size)
    # A buffer, because setting a bit of an integer copies all of it.
    buffer = bytearray(size // 8 + 1)
    for i in indices:
        buffer[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(buffer, "little")


def spread(mask: int, value: int, size: int) -> bytes:
    """A table of ``size`` bytes with a value at each index in a mask and 0 elsewhere."""
    return f"{mask:0{size}b}"[::-1].encode().translate(bytes.maketrans(b"01", bytes((0, value))))


def greatest(tables: Sequence[bytes | bytearray]) -> bytes:
    """Byte by byte the greatest of tables of one size, all bytes at once: each table is one big number."""
    size, found = len(tables[0]), int.from_bytes(tables[0])
    high, low = int.from_bytes(b"\x80" * size), int.from_bytes(b"\x7f" * size)
    for table in tables[1:]:
        other = int.from_bytes(table)
        if (differ := found ^ other) == 0:
            continue
        # Where the first bits of two bytes differ, they decide; elsewhere the others do, which borrow nothing from the next byte.
        is_greater = ((found & differ) | ((found | high) - (other & low) & (high & ~differ))) & high
        found = other ^ (differ & (is_greater >> 7) * 255)
    return found.to_bytes(size)


def chosen(one: bytes | bytearray, other: bytes | bytearray, where: bytes | bytearray) -> bytes:
    """One table, but where a third has bytes of 255, and not of 0, another one."""
    first = int.from_bytes(one)
    return (first ^ ((first ^ int.from_bytes(other)) & int.from_bytes(where))).to_bytes(len(one))


Planes: TypeAlias = list[int]
"""A mask for each binary digit, the lowest first, the last not empty; replaced, never changed, so that copies share them."""


def counted_in_python(planes: Planes, less: int, more: int) -> tuple[Planes, int]:
    """The numbers after a change, and the mask of the hexes in which they are not 0.

    Args:
        planes: the numbers.
        less: the hexes in which they are one less; they must not be 0 there.
        more: the hexes in which they are one more after that.
    """
    found = [*planes]
    for digit, plane in enumerate(found):
        if not less:
            break
        found[digit] = now = plane ^ less
        less &= now
    for digit, plane in enumerate(found):
        if not more:
            break
        found[digit] = plane ^ more
        more &= plane
    if more:
        found.append(more)
    watched = 0
    while found and not found[-1]:
        found.pop()
    for plane in found:
        watched |= plane
    return found, watched


recounted = _kernel.recounted if _compiled.COMPILED else counted_in_python
"""The numbers after a change, given the hexes with one less and those with one more, and the mask of those that are not 0."""
