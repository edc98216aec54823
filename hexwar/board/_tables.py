"""The padded axial index: where each hex lies in the flat tables that the kernels run on.

Hexes are numbered column by column along ``r``, with one empty slot after each column and one empty column on either side.
A step in direction d then always adds the same number, ``deltas[d]``, and a step off the board lands in an empty slot:
no bounds are tested and nothing wraps round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from hexwar.board._bits import mask_of
from hexwar.hexes import STEPS, Hex, Hexside

Walls: TypeAlias = tuple[int, int, int, int, int, int]
"""Six masks: bit i of mask d means that hex i may not be left in direction d."""

MAX_SIZE: Final = 1_000_000
"""The most slots an index may have; a board that needs more is a mistake in a file, and would eat the memory."""


@dataclass(frozen=True, slots=True)
class Index:
    """The numbering of one board's hexes.

    Args:
        origin: the least q and r on the board.
        stride: the distance between two columns.
        size: the number of slots, empty ones included.
    """

    origin: Hex
    stride: int
    size: int

    @classmethod
    def around(cls, hexes: Iterable[Hex]) -> Index:
        """The smallest index that holds some hexes, of which there must be one at least.

        Raises:
            ValueError: if they lie so far apart that the tables would be huge.
        """
        qs, rs = zip(*hexes, strict=True)
        stride = max(rs) - min(rs) + 2
        size = stride * (max(qs) - min(qs) + 3)
        if size > MAX_SIZE:
            raise ValueError(f"the hexes lie too far apart: {size} slots would be needed, and {MAX_SIZE} are allowed")
        return cls(Hex(min(qs), min(rs)), stride, size)

    @property
    def deltas(self) -> tuple[int, int, int, int, int, int]:
        """What a step in each direction adds to an index."""
        a, b, c, d, e, f = (step.q * self.stride + step.r for step in STEPS)
        return a, b, c, d, e, f

    def of(self, h: Hex) -> int:
        """The index of a hex."""
        return (h.q - self.origin.q + 1) * self.stride + h.r - self.origin.r


def direction_masks(index: Index, numbers: Mapping[Hex, int], sides: Iterable[Hexside]) -> Walls:
    """For each direction, the hexes on the board whose side in that direction is one of ``sides``."""
    found: list[list[int]] = [[], [], [], [], [], []]
    for side in sides:
        near, far = side.hexes
        if near in numbers:
            found[side.d].append(numbers[near])
        if far in numbers:
            found[side.d + 3].append(numbers[far])
    a, b, c, d, e, f = (mask_of(part, index.size) for part in found)
    return a, b, c, d, e, f
