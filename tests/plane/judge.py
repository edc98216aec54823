"""Tables and units at random, for the judge of `hexwar.testing.oracles` who finds what a plane says in another way."""

from __future__ import annotations

import math
import random

from shapely import Polygon

from hexwar.plane import Area, Base, Breach, Class, Line, Placed, Terrain
from hexwar.testing.oracles._geometry import Rules, Spot, sees, why_not

__all__ = ["CLASSES", "RULES", "SIDE", "Spot", "outline", "sees", "spot", "table", "unit", "why_not"]

SIDE = 6000
KINDS = ("wood", "hill", "smoke", "water")
RULES = Rules({"wood": 500, "hill": 500, "smoke": 0}, frozenset({"wall"}), frozenset({"hill"}))
FOOT = Class(shut=frozenset({"water"}), crossed=frozenset({"wall", "stream"}), opened=frozenset({"bridge"}))
TRUCK = Class(
    shut=frozenset({"water", "wood"}), barred=frozenset({"wall"}), crossed=frozenset({"stream"}), opened=frozenset({"road"})
)
CLASSES = {"foot": FOOT, "truck": TRUCK}


def spot(chance: random.Random, grid: int) -> Spot:
    """A point of the table, on a grid, so that lines often run along edges and through corners."""
    return grid * chance.randrange(SIDE // grid + 1), grid * chance.randrange(SIDE // grid + 1)


def outline(chance: random.Random, grid: int) -> tuple[Spot, ...]:
    """A simple outline, often concave: corners around a middle."""
    while True:
        x, y = spot(chance, grid)
        corners = []
        for number in range(chance.randrange(3, 9)):
            angle, far = math.radians(45 * number + chance.randrange(40)), chance.randrange(3, 13) * 100
            corners.append((round((x + far * math.cos(angle)) / grid) * grid, round((y + far * math.sin(angle)) / grid) * grid))
        shape = Polygon(corners)
        if shape.is_valid and shape.area > 0 and all(0 <= n <= SIDE for corner in corners for n in corner):
            return tuple(corners) if shape.exterior.is_ccw else tuple(corners[::-1])


def table(chance: random.Random) -> Terrain:
    """A small table with everything on it."""
    grid = chance.choice((1, 50, 100))
    areas = []
    for number in range(7):
        kind, ring = KINDS[number % 4], outline(chance, grid)
        crest: tuple[Spot, ...] = ()
        if kind == "hill":
            x, y = ring[0][0], (ring[0][1] + ring[len(ring) // 2][1]) // 2
            crest = ((-500, y), (x, y + grid), (SIDE + 500, y)) if min(abs(y), SIDE - y) > 0 else ()
        areas.append(Area(kind, f"{kind} {number}", ring, crest))
    kinds = ("wall", "stream", "road", "wall")
    lines = [Line(kind, f"{kind} {n}", way(chance, grid), 300 if kind == "road" else 0) for n, kind in enumerate(kinds)]
    at = lines[0].points[0]
    return Terrain(SIDE, SIDE, areas, lines, breaches=[Breach(lines[0].name, at, 400)])


def way(chance: random.Random, grid: int) -> tuple[Spot, ...]:
    points = [spot(chance, grid)]
    while len(points) < 3:
        following = spot(chance, grid)
        if following != points[-1]:
            points.append(following)
    return tuple(points)


def unit(chance: random.Random) -> Placed:
    grid, turn = chance.choice(((1, 1), (50, 45), (50, 90), (10, 1)))
    size = Base(chance.choice((200, 300)), chance.choice((200, 300, 401)))
    return Placed(*spot(chance, grid), turn * chance.randrange(360 // turn), size)
