"""Where a unit stands on a table: a rectangle in whole units, turned by whole degrees.

x counts to the right and y down, from the top left corner of the table. Headings count clockwise, 0 is the top. Directions come
from one table of whole cosines, so that corners are the same on every machine, and quarter turns and mirrors of the table are
exact.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

Spot: TypeAlias = tuple[int, int]
"""A point, in whole units of the table."""
Ring: TypeAlias = tuple[Spot, ...]
"""The corners of an outline; the last is joined to the first."""
Pose: TypeAlias = tuple[int, int, int]
"""x, y and heading."""

CM: Final = 100
"""Units in a centimetre: a table is measured in tenths of a millimetre."""
TOUCH: Final = 10
"""Two bases touch if the gap between them is no wider: with units of 0.1 mm, one millimetre."""
MOST: Final = 32_767
"""The longest side of a table: products of two cross products of its points fit 64 bits."""
MOST_BASE: Final = 1_000
"""The longest side of a base."""

_WHOLE: Final = 1 << 14
_COS: Final = tuple(round(math.cos(math.radians(degrees)) * _WHOLE) for degrees in range(360))
_FINE: Final = 1 << 20
_BETWEEN: Final = tuple(
    (round(math.sin(math.radians(degrees + 0.5)) * _FINE), -round(math.cos(math.radians(degrees + 0.5)) * _FINE))
    for degrees in range(360)
)
"""For each degree the direction half a degree further on: between two of them lies what is rounded to one heading."""

EDGES: Final = ("front", "right", "rear", "left")
"""The edges of a base in the order of its corners."""


class Base(NamedTuple):
    """The size of a base: its front, and how deep it is."""

    width: int
    depth: int


class Placed(NamedTuple):
    """A base in its place.

    Args:
        x: of its centre.
        y: of its centre.
        heading: where it looks.
        base: its size.
    """

    x: int
    y: int
    heading: int
    base: Base

    @property
    def centre(self) -> Spot:
        """Its middle."""
        return self.x, self.y

    @property
    def pose(self) -> Pose:
        """Where it is and where it looks."""
        return self.x, self.y, self.heading

    @property
    def points(self) -> Ring:
        """The nine points at which it can be seen: centre, corners (front left, then clockwise), middles of the edges."""
        return _points(self)

    @property
    def corners(self) -> Ring:
        """Front left, front right, rear right, rear left."""
        return _corners(self)

    @property
    def eye(self) -> Spot:
        """The middle of its front edge."""
        dx, dy = _offsets(self.base, self.heading)[5]
        return self.x + dx, self.y + dy

    def edge(self, name: str) -> tuple[Spot, Spot]:
        """The ends of an edge, clockwise."""
        number, corners = EDGES.index(name), self.corners
        return corners[number], corners[(number + 1) % 4]

    def may_touch(self, other: Placed, gap: int = 0) -> bool:
        """Whether the gap to another base could be so small, by the centres alone: most units are too far away for more."""
        (width, depth), (wide, deep) = self.base, other.base
        room = width + depth + wide + deep + gap
        return -room <= self.x - other.x <= room and -room <= self.y - other.y <= room

    def moved(self, to: Spot, heading: int | None = None) -> Placed:
        """The same base elsewhere."""
        return Placed(to[0], to[1], self.heading if heading is None else heading, self.base)


@functools.lru_cache(maxsize=16_384)
def _points(placed: Placed) -> Ring:
    x, y, heading, base = placed
    return tuple([(x + dx, y + dy) for dx, dy in _offsets(base, heading)])


@functools.lru_cache(maxsize=16_384)
def _corners(placed: Placed) -> Ring:
    return _points(placed)[1:5]


def direction(heading: int) -> Spot:
    """A heading as a vector about 16,384 long."""
    return _COS[(heading - 90) % 360], -_COS[heading % 360]


def shifted(spot: Spot, heading: int, distance: int) -> Spot:
    """The point so far away in a direction, rounded away from the first."""
    dx, dy = direction(heading)
    return spot[0] + _away(dx * distance, _WHOLE), spot[1] + _away(dy * distance, _WHOLE)


def towards(here: Spot, there: Spot) -> int:
    """The heading, to the nearest degree, in which a point lies; 0 for the same point."""
    x, y = there[0] - here[0], there[1] - here[1]
    if not x and not y:
        return 0
    guess = round(math.degrees(math.atan2(x, -y))) % 360
    for heading in (guess, (guess + 1) % 360, (guess - 1) % 360):
        (ax, ay), (bx, by) = _BETWEEN[heading - 1], _BETWEEN[heading]
        if ax * y - ay * x >= 0 > bx * y - by * x:
            return heading
    raise AssertionError(f"no heading leads by {x}, {y}")  # pragma: no cover - the three cover two degrees more than libm can err


def turned(one: int, other: int) -> int:
    """How many degrees lie between two headings, at most 180."""
    return min((one - other) % 360, (other - one) % 360)


def length(path: Sequence[Spot]) -> int:
    """How long a path is, in units of 2**-20 of a unit of the table: the same number everywhere."""
    total = 0
    for (ax, ay), (bx, by) in itertools.pairwise(path):
        total += math.isqrt(((bx - ax) ** 2 + (by - ay) ** 2) << 40)
    return total


def along(here: Spot, there: Spot, distance: int) -> Spot:
    """The point so far from one towards another, rounded towards the first."""
    x, y = there[0] - here[0], there[1] - here[1]
    whole = math.isqrt((x * x + y * y) << 40)
    return (here[0] + _towards(x * distance << 20, whole), here[1] + _towards(y * distance << 20, whole)) if whole else here


def in_arc(viewer: Placed, arc: int, point: Spot) -> bool:
    """Whether a point lies within the arc, in degrees, before the eye of a unit; 360 is all round."""
    if arc == 360:
        return True
    eye = viewer.eye
    x, y = point[0] - eye[0], point[1] - eye[1]
    (lx, ly), (rx, ry) = bounds(viewer.heading, arc)
    return lx * y - ly * x >= 0 and x * ry - y * rx >= 0


def bounds(heading: int, arc: int) -> tuple[Spot, Spot]:
    """The directions between which an arc lies.

    Raises:
        ValueError: if it is not an even number of degrees up to 180.
    """
    if not 0 < arc <= 180 or arc % 2:
        raise ValueError(f"an arc of view is 360 degrees or an even number up to 180, not {arc}")
    return direction(heading - arc // 2), direction(heading + arc // 2)


_PLACES: Final = ((0, 0), (-1, 1), (1, 1), (1, -1), (-1, -1), (0, 1), (1, 0), (0, -1), (-1, 0))
"""The nine points, as shares of half the width to the right and of half the depth forward."""


@functools.lru_cache(maxsize=4096)
def _offsets(base: Base, heading: int) -> Ring:
    if not 0 < base.width <= MOST_BASE or not 0 < base.depth <= MOST_BASE:
        raise ValueError(f"a base is at most {MOST_BASE} units wide and deep, and not {base.width} by {base.depth}")
    (fx, fy), (rx, ry) = direction(heading), direction(heading + 90)
    width, depth = base
    return tuple(
        (_away(side * width * rx + ahead * depth * fx, 2 * _WHOLE), _away(side * width * ry + ahead * depth * fy, 2 * _WHOLE))
        for side, ahead in _PLACES
    )


def _away(number: int, by: int) -> int:
    """A quotient to the nearest whole number, halves away from zero: turning and mirroring the table must not change it."""
    return (2 * number + by) // (2 * by) if number >= 0 else -((by - 2 * number) // (2 * by))


def _towards(number: int, by: int) -> int:
    """A quotient, rounded towards zero."""
    return number // by if number >= 0 else -(-number // by)
