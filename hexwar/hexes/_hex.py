"""Axial hexes and the arithmetic that needs no picture: neighbours, distance, rings, lines, turns.

The arithmetic is the same for both orientations. Directions are numbered 0..5 clockwise; what they are called depends on how
the hexes stand on the paper:

    number   step (q, r)   flat (columns stand)   pointy (rows lie)
      0        ( 0, -1)            N                    NW
      1        (+1, -1)            NE                   NE
      2        (+1,  0)            SE                   E
      3        ( 0, +1)            S                    SE
      4        (-1, +1)            SW                   SW
      5        (-1,  0)            NW                   W

So ``q`` counts columns in the flat orientation and ``r`` counts rows in the pointy one, and ``r`` grows southwards in both.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Orientation: TypeAlias = Literal["flat", "pointy"]
"""Whether hexes stand on a side ("flat" top) or on a corner ("pointy" top)."""


class Hex(NamedTuple):
    """A hex by its axial coordinates."""

    q: int
    r: int


STEPS: Final = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""The step in each direction; ``STEPS[(d + 3) % 6]`` undoes ``STEPS[d]``."""

DIRECTION_NAMES: Final[dict[Orientation, tuple[str, str, str, str, str, str]]] = {
    "flat": ("N", "NE", "SE", "S", "SW", "NW"),
    "pointy": ("NW", "NE", "E", "SE", "SW", "W"),
}
"""What the six directions are called, by orientation."""

_ORIGIN: Final = Hex(0, 0)


def neighbour(h: Hex, d: int) -> Hex:
    """The hex next to ``h`` in direction ``d`` (any integer; taken modulo six)."""
    step = STEPS[d % 6]
    return Hex(h.q + step.q, h.r + step.r)


def neighbours(h: Hex) -> tuple[Hex, ...]:
    """The six hexes around ``h``, in direction order."""
    return tuple(Hex(h.q + step.q, h.r + step.r) for step in STEPS)


def direction(a: Hex, b: Hex) -> int:
    """The direction of the step from ``a`` to ``b``.

    Raises:
        ValueError: if the two are not adjacent.
    """
    try:
        return STEPS.index(Hex(b.q - a.q, b.r - a.r))
    except ValueError:
        raise ValueError(f"{a} and {b} are not adjacent") from None


def distance(a: Hex, b: Hex) -> int:
    """The least number of steps between two hexes."""
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def ring(c: Hex, n: int) -> tuple[Hex, ...]:
    """The hexes exactly ``n`` steps from ``c``, clockwise from direction 0.

    Raises:
        ValueError: if ``n`` is negative.
    """
    if n < 0:
        raise ValueError(f"a ring needs a radius of 0 or more, not {n}")
    if n == 0:
        return (c,)
    found = []
    h = Hex(c.q + STEPS[0].q * n, c.r + STEPS[0].r * n)
    for side in range(6):
        for _ in range(n):
            found.append(h)
            h = neighbour(h, side + 2)
    return tuple(found)


def disk(c: Hex, n: int) -> tuple[Hex, ...]:
    """The hexes at most ``n`` steps from ``c``, ring by ring from the middle."""
    return tuple(h for radius in range(n + 1) for h in ring(c, radius))


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """The hexes under the straight line from ``a`` to ``b``, both included.

    A line along hexsides has two right answers; the same one is taken from either end, so that sight is mutual. The sums are
    integers throughout: floats would let the choice depend on how far the line lies from the origin.
    """
    n = distance(a, b)
    if n == 0:
        return (a,)
    return tuple(_on_line(a.q * (n - i) + b.q * i, a.r * (n - i) + b.r * i, n) for i in range(n + 1))


def rotate(h: Hex, steps: int, about: Hex = _ORIGIN) -> Hex:
    """``h`` turned clockwise by ``steps`` sixths of a circle."""
    q, r = h.q - about.q, h.r - about.r
    for _ in range(steps % 6):
        q, r = -r, q + r
    return Hex(q + about.q, r + about.r)


def reflect(h: Hex, axis: int = 0, about: Hex = _ORIGIN) -> Hex:
    """``h`` mirrored in the line through ``about`` that runs in direction ``axis``: direction d becomes 2 * axis - d."""
    turned = rotate(h, -axis, about)
    q, r = turned.q - about.q, turned.r - about.r
    return rotate(Hex(about.q - q, about.r + q + r), axis, about)


def _on_line(q: int, r: int, n: int) -> Hex:
    """The hex that holds the point (q/n, r/n) of a line of n steps; on a hexside always the same one of the two.

    One of the three cube coordinates grows by exactly one a step, so only the other two are ever rounded, and one of them
    follows from the other.
    """
    s = (n - 2 * (q + r)) // (2 * n)
    if q % n == 0:
        return Hex(q // n, -(q // n) - s)
    r = (n + 2 * r) // (2 * n)
    return Hex(-r - s, r)
