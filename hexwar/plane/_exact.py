"""Geometry that decides: whole numbers and fractions only, so that every machine says the same.

A line along the edge of an outline, or through a corner, is judged a hair's breadth to the left and a hair's breadth to the
right; what is said of both counts. So no verdict depends on the order of corners or on which end a line is drawn from. Outlines
go round with the inside on the right (clockwise as seen on the table), which `clockwise` sees to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from hexwar.plane._base import Placed, Ring, Spot

ANY: Final = -1
"""Of no depth at all may a line be inside."""

Box = tuple[int, int, int, int]
"""Least x and y, greatest x and y."""


def box_of(ring: Sequence[Spot]) -> Box:
    """The smallest upright rectangle around some points."""
    xs, ys = zip(*ring, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def doubled_area(ring: Ring) -> int:
    """Twice the area; below zero if the corners go round anticlockwise."""
    return sum(x * ring[number - 1][1] * -1 + ring[number - 1][0] * y for number, (x, y) in enumerate(ring))


def clockwise(ring: Sequence[Spot]) -> Ring:
    """The same outline with its inside on the right."""
    made = tuple((x, y) for x, y in ring)
    return made if doubled_area(made) >= 0 else made[::-1]


def meets(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether two lines have a point in common, their ends included."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    if max(ax, bx) < min(cx, dx) or max(cx, dx) < min(ax, bx) or max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by):
        return False
    left = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    right = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    if (left > 0 and right > 0) or (left < 0 and right < 0):
        return False
    near = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    far = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return not ((near > 0 and far > 0) or (near < 0 and far < 0))


def contains(ring: Ring, point: Spot) -> bool:
    """Whether a point lies in an outline or on its edge."""
    (x, y), inside = point, False
    ax, ay = ring[-1]
    for bx, by in ring:
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if side == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay > y) != (by > y) and (side > 0) == (by > ay):
            inside = not inside
        ax, ay = bx, by
    return inside


def shadow(a: Spot, b: Spot, ring: Ring, limit: int) -> int:
    """On which sides of a line, a hair's breadth to the left (1) or to the right (2), an outline blocks it.

    It blocks with each piece inside that neither begins at one end of the line nor ends at the other, and with one that does
    and is longer than the limit.
    """
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    sides = [dx * (y - ay) - dy * (x - ax) for x, y in ring]
    most, least = max(sides), min(sides)
    if most < 0 or least > 0:
        return 0
    if 0 in sides:
        return _shadow(a, dx, dy, ring, [side > 0 for side in sides], sides, limit) | (
            _shadow(a, dx, dy, ring, [side >= 0 for side in sides], sides, limit) << 1
        )
    return 3 * _shadow(a, dx, dy, ring, [side > 0 for side in sides], sides, limit)


def _shadow(a: Spot, dx: int, dy: int, ring: Ring, is_left: list[bool], sides: list[int], limit: int) -> int:
    """1 if the outline blocks the line from a by (dx, dy), 0 if not; `is_left` says where the corners are."""
    before = after = 0
    within: list[tuple[int, int]] = []
    for number, right in enumerate(is_left):
        if right == is_left[number - 1]:
            continue
        (px, py), (qx, qy) = ring[number - 1], ring[number]
        num = (px - a[0]) * (qy - py) - (py - a[1]) * (qx - px)
        den = dx * (qy - py) - dy * (qx - px)
        if den < 0:
            num, den = -num, -den
        if num <= 0:
            before += 1
        elif num >= den:
            after += 1
        else:
            within.append((num, den))
    starts, ends = before % 2, after % 2
    if not within:
        return int(bool(starts) and (limit < 0 or dx * dx + dy * dy > limit * limit))
    if limit < 0 or len(within) > starts + ends:
        return 1
    square, most = dx * dx + dy * dy, limit * limit
    if starts and not any(num * num * square <= most * den * den for num, den in within):
        return 1
    return int(bool(ends) and not any((den - num) ** 2 * square <= most * den * den for num, den in within))


def pieces(a: Spot, b: Spot, ring: Ring, hair: int) -> list[tuple[Fraction, Fraction]]:
    """The parts of a line, as shares of it, that lie in an outline, seen a hair's breadth to the left (0) or to the right (1)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    sides = [dx * (y - a[1]) - dy * (x - a[0]) for x, y in ring]
    left = [side >= 0 if hair else side > 0 for side in sides]
    found = []
    for number, right in enumerate(left):
        if right != left[number - 1]:
            (px, py), (qx, qy) = ring[number - 1], ring[number]
            num = (px - a[0]) * (qy - py) - (py - a[1]) * (qx - px)
            found.append(Fraction(num, dx * (qy - py) - dy * (qx - px)))
    found.sort()
    ends = [(max(one, Fraction(0)), min(other, Fraction(1))) for one, other in zip(found[::2], found[1::2], strict=True)]
    return [(one, other) for one, other in ends if one < other]


def covers(parts: Sequence[tuple[Fraction, Fraction]], one: Fraction, other: Fraction) -> bool:
    """Whether some parts of a line leave nothing out between two shares of it."""
    for start, end in sorted(parts):
        if start <= one:
            one = max(one, end)
    return one >= other


# -- convex outlines: bases, and lines as outlines of two corners ------------------------------------------------------------


def overlap(one: Ring, other: Ring) -> bool:
    """Whether two bases have more than an edge in common."""
    return not _apart(one, other, 1) and not _apart(other, one, 1)


def disjoint(one: Ring, other: Ring) -> bool:
    """Whether two bases, or a base and a line, have no point in common."""
    return _apart(one, other, 0) or _apart(other, one, 0)


def _apart(one: Ring, other: Ring, most: int) -> bool:
    """Whether all of the other lies outside an edge of the first: less than so far inside."""
    ax, ay = one[-1]
    for bx, by in one:
        dx, dy = bx - ax, by - ay
        for x, y in other:
            if dx * (y - ay) - dy * (x - ax) >= most:
                break
        else:
            return True
        ax, ay = bx, by
    return False


def gap2(one: Ring, other: Ring) -> tuple[int, int]:
    """The square of the gap between two convex outlines, as a fraction: numerator and denominator."""
    if not disjoint(one, other):
        return 0, 1
    least = None
    for gap in _gaps(one, other):
        if least is None or gap[0] * least[1] < least[0] * gap[1]:
            least = gap
    assert least is not None, "each has a corner"
    return least


def within(one: Ring, other: Ring, limit: int) -> bool:
    """Whether the gap between two convex outlines is no wider than a limit."""
    (ax, ay, bx, by), (cx, cy, dx, dy) = box_of(one), box_of(other)
    if cx - bx > limit or ax - dx > limit or cy - by > limit or ay - dy > limit:
        return False
    square = limit * limit
    for num, den in _gaps(one, other):
        if num <= square * den:
            return True
    return not disjoint(one, other)


def _gaps(one: Ring, other: Ring) -> Iterator[tuple[int, int]]:
    """The squares of the distances between the corners of each and the edges of the other."""
    for ring, points in ((one, other), (other, one)):
        ax, ay = ring[-1]
        for bx, by in ring:
            dx, dy = bx - ax, by - ay
            square = dx * dx + dy * dy
            for x, y in points:
                share = dx * (x - ax) + dy * (y - ay)
                if share <= 0:
                    yield (x - ax) ** 2 + (y - ay) ** 2, 1
                elif share < square:
                    yield (dx * (y - ay) - dy * (x - ax)) ** 2, square
            ax, ay = bx, by


def sweeps(one: Ring, way: Spot, other: Ring) -> bool:
    """Whether a base that is pushed along a vector goes through another."""
    return _entry(one, way, other) is not None


def first_touch(one: Ring, way: Spot, other: Ring) -> Fraction | None:
    """The share of a vector after which a base that is pushed along it meets another and would enter it; None if it does not."""
    entry = _entry(one, way, other)
    return None if entry is None else Fraction(*entry)


def _entry(one: Ring, way: Spot, other: Ring) -> tuple[int, int] | None:
    vx, vy = way
    enter: tuple[int, int] = (0, 1)
    leave: tuple[int, int] = (1, 1)
    for ring in (one, other):
        ax, ay = ring[-1]
        for bx, by in ring:
            nx, ny = ay - by, bx - ax
            ax, ay = bx, by
            mine, theirs = [nx * x + ny * y for x, y in one], [nx * x + ny * y for x, y in other]
            speed = nx * vx + ny * vy
            ahead, behind = min(theirs) - max(mine), max(theirs) - min(mine)
            if speed == 0:
                if ahead >= 0 or behind <= 0:
                    return None
                continue
            if speed < 0:
                ahead, behind, speed = -behind, -ahead, -speed
            if ahead * enter[1] > enter[0] * speed:
                enter = ahead, speed
            if behind * leave[1] < leave[0] * speed:
                leave = behind, speed
            if enter[0] * leave[1] >= leave[0] * enter[1]:
                return None
    return enter


# -- areas -------------------------------------------------------------------------------------------------------------------


def half_inside(placed: Placed, ring: Ring) -> bool:
    """Whether at least half of a base lies in an outline."""
    corners = placed.corners
    (ax, ay, bx, by), (cx, cy, dx, dy) = box_of(corners), box_of(ring)
    if cx >= bx or dx <= ax or cy >= by or dy <= ay:
        return False
    whole = doubled_area(corners)
    shared = _shared([(float(x), float(y)) for x, y in ring], corners)
    if abs(2 * shared - whole) > 1.0:
        return 2 * shared > whole
    return bool(2 * _shared([(Fraction(x), Fraction(y)) for x, y in ring], corners) >= whole)


def _shared(ring: list[tuple[float, float]] | list[tuple[Fraction, Fraction]], clip: Ring) -> float | Fraction:
    """Twice the area that an outline shares with a convex one, which cuts it edge by edge."""
    found: list[Any] = [*ring]
    ax, ay = clip[-1]
    for bx, by in clip:
        dx, dy = bx - ax, by - ay
        kept: list[Any] = []
        for number, (x, y) in enumerate(found):
            px, py = found[number - 1]
            here, before = dx * (y - ay) - dy * (x - ax), dx * (py - ay) - dy * (px - ax)
            if (here > 0 and before < 0) or (here < 0 and before > 0):
                share = before / (before - here)
                kept.append((px + (x - px) * share, py + (y - py) * share))
            if here >= 0:
                kept.append((x, y))
        found, ax, ay = kept, bx, by
    total: Any = 0
    for number, (x, y) in enumerate(found):
        px, py = found[number - 1]
        total += px * y - x * py
    found_area: float | Fraction = abs(total)
    return found_area
