"""Sets of hexes as big integers: bit i stands for the hex with index i.

One shift moves a whole set by one hex, so a flood over a campaign map costs microseconds without any compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

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
    # A buffer, because setting a bit of an integer copies all of it.
    buffer = bytearray(size // 8 + 1)
    for i in indices:
        buffer[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(buffer, "little")
