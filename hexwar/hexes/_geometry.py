"""Where hexes lie on the plane.

One unit is the distance between opposite sides of a hex, which is also the distance between the centres of neighbours. ``x``
grows eastwards and ``y`` southwards, as on a screen; ``Hex(0, 0)`` has its centre at the origin.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from hexwar.hexes._hex import STEPS, Hex, Orientation
from hexwar.hexes._sides import Vertex

Point: TypeAlias = tuple[float, float]
"""A point of the plane: x to the east, y to the south."""

_TALL: Final = math.sqrt(3) / 2


def centre(h: Hex, orientation: Orientation) -> Point:
    """The middle of a hex."""
    return _plane(h.q, h.r, 1, orientation)


def corners(h: Hex, orientation: Orientation) -> tuple[Point, ...]:
    """The six corners, clockwise from corner 0; corners that hexes share are equal to the last bit."""
    pairs = zip(STEPS, (*STEPS[1:], STEPS[0]), strict=True)
    return tuple(_plane(3 * h.q + a.q + b.q, 3 * h.r + a.r + b.r, 3, orientation) for a, b in pairs)


def vertex_point(v: Vertex, orientation: Orientation) -> Point:
    """Where a vertex lies: the same point as the corner of each of its three hexes."""
    a, b, c = v.hexes
    return _plane(a.q + b.q + c.q, a.r + b.r + c.r, 3, orientation)


def hex_at(x: float, y: float, orientation: Orientation) -> Hex:
    """The hex that holds a point; on a hexside, one of the two."""
    if orientation == "flat":
        q = x / _TALL
        r = y - q / 2
    else:
        r = y / _TALL
        q = x - r / 2
    s = -q - r
    near_q, near_r, near_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s - s)
    if off_q > off_r and off_q > off_s:
        return Hex(-near_r - near_s, near_r)
    if off_r > off_s:
        return Hex(near_q, -near_q - near_s)
    return Hex(near_q, near_r)


def _plane(q: int, r: int, parts: int, orientation: Orientation) -> Point:
    # Whole numbers until the last step: a corner summed from any of its hexes gives the same float.
    if orientation == "flat":
        return q * _TALL / parts, (2 * r + q) / (2 * parts)
    return (2 * q + r) / (2 * parts), r * _TALL / parts
