"""The padded axial index: where each hex lies in the flat tables that the kernels run on.

Hexes are numbered column by column along ``r``, with one empty slot after each column and one empty column on either side.
A step in direction d then always adds the same number, ``deltas[d]``, and a step off the board lands in an empty slot:
no bounds are tested and nothing wraps round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias

from hexwar.board._bits import mask_of
from hexwar.hexes import Hex, Hexside

Walls: TypeAlias = tuple[int, ...]
"""Six masks: bit i of mask d means that hex i may not be left in direction d."""

MAX_SIZE: Final = 1_000_000
"""The most slots an index may have; a board that needs more is a mistake in a file, and would eat the memory."""


def numbered(hexes: Collection[Hex]) -> tuple[dict[Hex, int], int, int]:
    """The index of each hex, the distance between two columns, and the number of slots, empty ones included.

    Args:
        hexes: at least one.

    Raises:
        ValueError: if they lie so far apart that the tables would be huge.
    """
    qs, rs = zip(*hexes, strict=True)
    west, north = min(qs), min(rs)
    stride = max(rs) - north + 2
    size = stride * (max(qs) - west + 3)
    if size > MAX_SIZE:
        raise ValueError(f"the hexes lie too far apart: {size} slots would be needed, and {MAX_SIZE} are allowed")
    return {h: (h.q - west + 1) * stride + h.r - north for h in hexes}, stride, size


def direction_masks(size: int, numbers: Mapping[Hex, int], sides: Iterable[Hexside]) -> Walls:
    """For each direction, the hexes on a board of some size whose side in that direction is one of ``sides``."""
    found: list[list[int]] = [[], [], [], [], [], []]
    for side in sides:
        near, far = side.hexes
        if near in numbers:
            found[side.d].append(numbers[near])
        if far in numbers:
            found[side.d + 3].append(numbers[far])
    return tuple(mask_of(part, size) for part in found)
