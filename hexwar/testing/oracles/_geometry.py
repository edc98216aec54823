"""What a plane says, found in another way: by fractions a hair beside the line, and by shapely.

Nothing here uses the predicates of `hexwar.plane`.
A verdict is None where the judge cannot tell: where its floating point is closer to a limit than it is exact.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from shapely import LineString, MultiPoint, Point, Polygon

from hexwar.plane import TOUCH, Area, Class, Line, Placed, Terrain

Spot = tuple[int, int]
Exact = tuple[Fraction, Fraction]
Ring = Sequence[Spot]
HAIR = Fraction(1, 10**15)
"""How far beside a line it is judged: less than any two points that whole numbers give are apart."""
NEAR = Fraction(1, 10**9)
"""What is shorter comes from the hair and not from the ground."""

EDGE = 1e-6
"""So far from its edge an outline has ground: a way along the edge does not enter."""


class Rules(NamedTuple):
    """What blocks sight, as `hexwar.plane.Sight` takes it."""

    reach: Mapping[str, int]
    screens: frozenset[str]
    hills: frozenset[str]


def is_inside(ring: Sequence[Spot], point: Exact) -> bool:
    """By winding number."""
    x, y = point
    winding = 0
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if ay <= y < by and side > 0:
            winding += 1
        elif by <= y < ay and side < 0:
            winding -= 1
    return winding != 0


def inside_parts(a: Spot, b: Spot, ring: Sequence[Spot], hair: int) -> list[tuple[Fraction, Fraction]]:
    """The parts of a line, moved a hair aside, that lie in an outline: cut where it meets an edge, each judged by its middle."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    ax, ay = a[0] - hair * HAIR * dy, a[1] + hair * HAIR * dx
    cuts = {Fraction(0), Fraction(1)}
    for (px, py), (qx, qy) in zip(ring, [*ring[1:], ring[0]], strict=True):
        wx, wy = qx - px, qy - py
        den = dx * wy - dy * wx
        if den:
            t, u = ((px - ax) * wy - (py - ay) * wx) / den, ((px - ax) * dy - (py - ay) * dx) / den
            if 0 <= t <= 1 and 0 <= u <= 1:
                cuts.add(t)
    found: list[tuple[Fraction, Fraction]] = []
    ordered = sorted(cuts)
    for one, other in itertools.pairwise(ordered):
        if other - one < NEAR:
            continue
        middle = (one + other) / 2
        if is_inside(ring, (ax + dx * middle, ay + dy * middle)):
            if found and one - found[-1][1] < NEAR:
                found[-1] = found[-1][0], other
            else:
                found.append((one, other))
    return found


def blocks(a: Spot, b: Spot, ring: Sequence[Spot], limit: int, hair: int) -> bool:
    """Whether an outline blocks a line: any part with two free ends does, or one from an end that is longer than the limit."""
    square = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    for one, other in inside_parts(a, b, ring, hair):
        is_free = one > NEAR and other < 1 - NEAR
        if limit == 0 or is_free or float((other - one) ** 2 * square) > limit * limit * (1 + 1e-12):
            return True
    return False


def base(placed: Placed) -> Polygon:
    """A base as shapely has it."""
    return Polygon(placed.corners)


def touches(placed: Placed, line: Line) -> bool:
    """Whether a base touches a line."""
    return bool(base(placed).distance(LineString(line.points)) <= TOUCH + 1e-9)


def same_slope(area: Area, one: Spot, other: Spot) -> bool:
    """Whether two points are on a hill and no crest parts them; shapely cuts the hill."""
    hill = Polygon(area.ring)
    if not (hill.covers(Point(one)) and hill.covers(Point(other))):
        return False
    if not area.crest:
        return True
    crest = LineString(area.crest)
    if crest.distance(Point(one)) < 1e-6 or crest.distance(Point(other)) < 1e-6:
        return True
    crossings = LineString([one, other]).intersection(crest)
    return sum(1 for part in getattr(crossings, "geoms", [crossings]) if not part.is_empty) % 2 == 0


def sees(terrain: Terrain, rules: Rules, viewer: Placed, target: Placed, arc: int, others: Sequence[Placed]) -> bool | None:
    """Whether one unit sees another past some that block."""
    eye = viewer.centre if arc == 360 else viewer.eye
    areas = [
        (area.ring, rules.reach[area.kind])
        for area in terrain.areas
        if area.kind in rules.reach and not (area.kind in rules.hills and same_slope(area, viewer.centre, target.centre))
    ]
    areas += [(other.corners, 0) for other in others]
    lines = [
        LineString(line.points)
        for line in terrain.lines
        if line.kind in rules.screens and not touches(viewer, line) and not touches(target, line)
    ]
    unsure = False
    for point in target.points:
        dx, dy = point[0] - eye[0], point[1] - eye[1]
        off = abs((math.degrees(math.atan2(dx, -dy)) - viewer.heading + 180) % 360 - 180) if (dx or dy) else 0.0
        is_near = arc != 360 and abs(off - arc / 2) < 0.01
        if arc != 360 and off > arc / 2 and not is_near:
            continue
        if any(line.intersects(LineString([eye, point]) if eye != point else Point(eye)) for line in lines):
            continue
        if all(any(blocks(eye, point, ring, limit, hair) for ring, limit in areas) for hair in (-1, 1)):
            continue
        if not is_near:
            return True
        unsure = True
    return None if unsure else False


def why_not(
    terrain: Terrain,
    mover: Class,
    unit: Placed,
    path: Sequence[Spot],
    allowance: int,
    enemies: Sequence[Placed],
    gaps: Sequence[Ring] = (),
    crossing: str = "touched",
) -> str | None:
    """Why a way cannot be gone: the topics of hexwar.plane; "" if it can, None if the judge cannot tell."""
    points = [unit.centre, *path]
    if not all(0 <= x <= terrain.width and 0 <= y <= terrain.height for x, y in path):
        return "table"
    far = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
    if abs(far - allowance) < 1e-6 * len(points) and far != allowance:
        return None
    if far > allowance:
        return "length"
    closed: list[Ring] = [*(area.ring for area in terrain.areas if area.kind in mover.shut), *gaps]
    roads = [(LineString(leg), line.width / 2) for line in terrain.lines if line.kind in mover.opened for leg in line.legs]
    opened, more = ([leg.buffer(half + off, cap_style="square") for leg, half in roads] for off in (-2, 2))
    for a, b in itertools.pairwise(points):
        if a == b:
            continue
        for ring in closed:
            ground = Polygon(ring).buffer(-EDGE)
            if opened and LineString([a, b]).intersects(ground):
                left = [LineString([a, b]).intersection(ground)] * 2
                for strips in zip(opened, more, strict=True):
                    left = [free.difference(strip) for free, strip in zip(left, strips, strict=True)]
                if (left[0].length > 5) != (left[1].length > 5) or 0 < left[0].length <= 5:
                    return None
                if left[0].length:
                    return "shut"
            elif all(inside_parts(a, b, ring, hair) for hair in (-1, 1)):
                return "shut"
        for line in terrain.lines:
            if line.kind in mover.crossed | mover.barred and crosses(terrain, line, a, b):
                if line.kind in mover.barred:
                    return "barred"
                if crossing == "any":
                    continue
                if not touches(unit, line):
                    return "line"
                if crossing == "none":
                    return "again"
    for a, b in itertools.pairwise(points):
        if a != b:
            looking = unit.moved(a).corners
            swept = MultiPoint([*looking, *[(x + b[0] - a[0], y + b[1] - a[1]) for x, y in looking]]).convex_hull
            shared = [swept.intersection(base(enemy)).area for enemy in enemies]
            if any(area > 1e-3 for area in shared):
                return "enemy"
            if any(area > 0 for area in shared):
                return None
    return ""


def crosses(terrain: Terrain, line: Line, a: Spot, b: Spot) -> bool:
    """Whether a leg crosses a line where it has not been breached."""
    met = LineString([a, b]).intersection(LineString(line.points))
    gaps = [breach for breach in terrain.breaches if breach.line == line.name]
    for part in getattr(met, "geoms", [met]):
        if not part.is_empty and not any(part.distance(Point(gap.at)) <= gap.width / 2 for gap in gaps):
            return True
    return False
