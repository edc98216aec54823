"""Hexsides and vertices, each with one name whichever hex it is seen from.

Side ``d`` of a hex faces its neighbour in direction ``d``; corner ``k`` lies between the sides ``k`` and ``k + 1``. Every side
belongs to two hexes and every corner to three, so data keyed by a raw (hex, side) pair can contradict itself. These
two types cannot: there is one value per side and per vertex.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hexwar.hexes._hex import Hex, direction, neighbour


class _Side(NamedTuple):
    hex: Hex
    d: int


class Hexside(_Side):
    """The side between ``hex`` and its neighbour in direction ``d``, which is 0, 1 or 2; make one with ``of`` or ``between``.

    A tuple, because maps have thousands of them, which are made and hashed again and again.
    """

    __slots__ = ()

    def __new__(cls, hex: Hex, d: int) -> Hexside:
        if d not in (0, 1, 2):
            raise ValueError(f"a hexside is named by a direction of 0, 1 or 2, not {d}; Hexside.of takes any direction")
        return super().__new__(cls, hex, d)

    @classmethod
    def of(cls, h: Hex, d: int) -> Hexside:
        """The side of ``h`` that faces direction ``d``."""
        d %= 6
        return cls(h, d) if d < 3 else cls(neighbour(h, d), d - 3)

    @classmethod
    def between(cls, a: Hex, b: Hex) -> Hexside:
        """The side that two adjacent hexes share.

        Raises:
            ValueError: if they are not adjacent.
        """
        return cls.of(a, direction(a, b))

    @property
    def hexes(self) -> tuple[Hex, Hex]:
        """The two hexes that share this side."""
        return self.hex, neighbour(self.hex, self.d)

    @property
    def vertices(self) -> tuple[Vertex, Vertex]:
        """The two ends of this side."""
        return Vertex.of(self.hex, self.d - 1), Vertex.of(self.hex, self.d)


@dataclass(frozen=True, order=True, slots=True)
class Vertex:
    """A corner where three hexes meet, named by one of them and a ``corner`` of 0 or 1; make one with ``of``."""

    hex: Hex
    corner: int

    def __post_init__(self) -> None:
        if self.corner not in (0, 1):
            raise ValueError(f"a vertex is named by a corner of 0 or 1, not {self.corner}; Vertex.of takes any corner")

    @classmethod
    def of(cls, h: Hex, corner: int) -> Vertex:
        """The corner of ``h`` between its sides ``corner`` and ``corner + 1``."""
        corner %= 6
        if corner < 2:
            return cls(h, corner)
        # Seen from the hex across, the same point is two corners back; each corner has one such hex that calls it 0 or 1.
        if corner in (2, 5):
            return cls(neighbour(h, 3 if corner == 2 else 5), 0 if corner == 2 else 1)
        return cls(neighbour(h, 4), 0 if corner == 4 else 1)

    @property
    def hexes(self) -> tuple[Hex, Hex, Hex]:
        """The three hexes that meet here, clockwise."""
        return self.hex, neighbour(self.hex, self.corner), neighbour(self.hex, self.corner + 1)

    @property
    def hexsides(self) -> tuple[Hexside, Hexside, Hexside]:
        """The three sides that end here."""
        a, b, c = self.hexes
        return Hexside.between(a, b), Hexside.between(b, c), Hexside.between(c, a)

    @property
    def neighbours(self) -> tuple[Vertex, ...]:
        """The vertices one hexside away, in the order of ``hexsides``: a river runs from vertex to vertex."""
        return tuple(v for side in self.hexsides for v in side.vertices if v != self)
