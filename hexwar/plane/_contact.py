"""Bases that meet: contact edge to edge, ways straight back, and the zones of artillery."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from hexwar.plane import _exact
from hexwar.plane._base import EDGES, Placed, Ring, Spot, along, direction, shifted, towards
from hexwar.plane._ways import Ways

CLEAR: Final = 3
"""Bases that are put together are this far apart, which is contact: corners are rounded, and none may lie on another."""


def contact(mover: Placed, target: Placed, edge: str) -> Placed:
    """Where a unit stands whose front touches an edge of another, middle to middle."""
    outward = (target.heading + 90 * EDGES.index(edge)) % 360
    deep = target.base.depth if edge in ("front", "rear") else target.base.width
    spot = shifted(target.centre, outward, (deep + mover.base.depth) // 2 + CLEAR)
    return Placed(spot[0], spot[1], (outward + 180) % 360, mover.base)


def edges_towards(target: Placed, spot: Spot) -> tuple[str, ...]:
    """The edges of a base that a point looks at, the nearest middle first."""
    corners, found = target.corners, []
    for number, name in enumerate(EDGES):
        (ax, ay), (bx, by) = corners[number], corners[(number + 1) % 4]
        if (bx - ax) * (spot[1] - ay) - (by - ay) * (spot[0] - ax) < 0:
            middle = target.points[5 + number]
            found.append(((middle[0] - spot[0]) ** 2 + (middle[1] - spot[1]) ** 2, number, name))
    return tuple([name for *_, name in sorted(found)])


def flank(target: Placed, spot: Spot) -> str:
    """The edge of a base through which a line from a point to its centre comes in; of two at a corner, the front or rear."""
    corners, centre = target.corners, target.centre
    crossed = [
        name for number, name in enumerate(EDGES) if _exact.meets(spot, centre, corners[number], corners[(number + 1) % 4])
    ]
    return min(crossed, key=("front", "rear", "right", "left").index, default="front")


def strip(target: Placed, edge: str, depth: int) -> Ring:
    """The ground before an edge of a base, as wide as the edge and so deep."""
    (ax, ay), (bx, by) = target.edge(edge)
    ux, uy = direction(target.heading + 90 * EDGES.index(edge))
    dx, dy = along((0, 0), (ux, uy), depth)
    return _exact.clockwise(((ax, ay), (bx, by), (bx + dx, by + dy), (ax + dx, ay + dy)))


def is_edge_free(target: Placed, edge: str, depth: int, others: Iterable[Placed], shut: Iterable[Ring] = ()) -> bool:
    """Whether the ground before an edge has no other unit on it and none of some outlines."""
    ground = strip(target, edge, depth)
    if any(_exact.overlap(ground, other.corners) for other in others):
        return False
    return not any(meets_ring(ground, ring) for ring in shut)


def meets_ring(ground: Ring, ring: Ring) -> bool:
    """Whether a convex outline has ground in common with another of any shape."""
    (ax, ay, bx, by), (cx, cy, dx, dy) = _exact.box_of(ground), _exact.box_of(ring)
    if cx >= bx or dx <= ax or cy >= by or dy <= ay:
        return False
    if any(_exact.shadow(ground[number - 1], spot, ring, _exact.ANY) == 3 for number, spot in enumerate(ground)):
        return True
    return any(_exact.shadow(ring[number - 1], spot, ground, _exact.ANY) == 3 for number, spot in enumerate(ring))


class Displaced(NamedTuple):
    """How a unit that is driven off gets on.

    Args:
        to: where it comes to stand.
        stopped_by: the friend at which it stops; "" if it goes all the way.
        out: the topic of what puts it out of the game on its way: "table", "shut", "barred" or "enemy"; "" if nothing does.
    """

    to: Placed
    stopped_by: str = ""
    out: str = ""


def away(
    unit: Placed,
    source: Spot,
    distance: int,
    ways: Ways,
    mover: str,
    friends: Mapping[str, Placed],
    enemies: Collection[Placed],
) -> Displaced:
    """Where a unit gets that goes straight away from a point, without turning.

    Args:
        unit: where it stands.
        source: the point; if that is its own centre, it goes to its own rear.
        distance: how far.
        ways: what it can cross; it need not touch a line first.
        mover: its class.
        friends: the units at which it stops.
        enemies: the units that it cannot pass.
    """
    dx, dy = unit.x - source[0], unit.y - source[1]
    if not dx and not dy:
        rear = direction(unit.heading + 180)
        dx, dy = rear
    end = along(unit.centre, (unit.x + dx, unit.y + dy), distance)
    way = end[0] - unit.x, end[1] - unit.y
    share, stopped = Fraction(1), ""
    for name, friend in friends.items():
        met = _exact.first_touch(unit.corners, way, friend.corners)
        if met is not None and met < share:
            share, stopped = met, name
    way = _share(way[0], share), _share(way[1], share)
    end = unit.x + way[0], unit.y + way[1]
    to, out = unit.moved(end), ""
    if any(_exact.sweeps(unit.corners, way, enemy.corners) for enemy in enemies):
        out = "enemy"
    elif end not in ways.terrain:
        out = "table"
    elif end != unit.centre:
        why = ways.why_not(unit, (end,), distance + 1, mover, crossing="any")
        out = why[0].partition(".")[0] if why else ""
    return Displaced(to, "" if out else stopped, out)


def square(centre: Spot, side: int) -> Ring:
    """An upright square."""
    return rectangle(centre, side, side)


def rectangle(centre: Spot, width: int, height: int) -> Ring:
    """An upright rectangle; the zones of a barrage side by side are one."""
    (x, y), across, down = centre, width // 2, height // 2
    return (x - across, y - down), (x + across, y - down), (x + across, y + down), (x - across, y + down)


def facing(unit: Placed, spot: Spot) -> Placed:
    """A unit turned towards a point."""
    return unit.moved(unit.centre, towards(unit.centre, spot))


def _share(number: int, share: Fraction) -> int:
    """A part of a number, rounded towards zero."""
    whole = abs(number) * share.numerator // share.denominator
    return whole if number >= 0 else -whole
