"""Rivers along hexsides, with every town on its right bank.

A town's coordinates are too coarse to tell on which bank it stands, so banks are authored (`river_banks.csv`) and the sides
on the wrong side of a town are made dear. Greater rivers are laid first; the mouth of a tributary ends on one that is there.

Water runs in no circles: a river keeps off the vertices of those that were laid before it, begins on none of them, and ends at
the first that it reaches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import shapely
from shapely import LineString
from shapely import Point as PlanePoint

from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import HexsideGraph, facing, nearness
from hexwar.cartography._inputs import Geography, River
from hexwar.cartography._places import Settlements
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import RiverPart
from hexwar.cartography._water import Water
from hexwar.hexes import Hex, Hexside, Point, Vertex

_DIAGONAL: Final = math.sqrt(0.5)
COMPASS: Final[Mapping[str, Point]] = {
    "N": (0, -1),
    "NE": (_DIAGONAL, -_DIAGONAL),
    "E": (1, 0),
    "SE": (_DIAGONAL, _DIAGONAL),
    "S": (0, 1),
    "SW": (-_DIAGONAL, _DIAGONAL),
    "W": (-1, 0),
    "NW": (-_DIAGONAL, -_DIAGONAL),
}
"""The plane's directions: y grows southwards."""

_WRONG_BANK: Final = 30.0
_UNLIKELY_BANK: Final = 1.2
_BEHIND_TOWN: Final = 3.0
_RIGHT_BANK: Final = -0.12
_SETTLED: Final = 0.01
_FORBIDDEN: Final = 50.0
_TOUCHING: Final = 8.0
_SPRING: Final = 0.2
"""Hexes; a river that begins nearer than this to another one springs from it."""
_MOUTH: Final = 0.6
"""Hexes; a river that ends nearer than this to another one flows into it."""
_SHORTEST: Final = 1.2
_STRIDE: Final = 2.2


@dataclass(slots=True)
class Rivers:
    """The rivers on the map: the class and the name of every side that has one."""

    sides: dict[Hexside, tuple[str, str]] = field(default_factory=dict)
    vertices: dict[Vertex, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def of(self, name: str) -> list[Hexside]:
        """The sides of one river."""
        return [side for side, (_, river) in self.sides.items() if river == name]


@dataclass(frozen=True, slots=True)
class _Course:
    """A river, or the part of it that lies on the map, as a line on the plane; ``whole`` is all of the river."""

    river: River
    whole: LineString
    line: LineString
    major_from: float | None


class RiverLayer:
    """Lays rivers on a grid.

    Args:
        grid: the grid.
        graph: its hexsides.
        water: what is water already.
        settlements: the towns whose banks matter.
        banks: river -> town -> the side of the river that it stands on.
        part: what rivers are called, and where one must or must not be.
    """

    def __init__(
        self,
        grid: Grid,
        graph: HexsideGraph,
        water: Water,
        settlements: Settlements,
        banks: Mapping[str, Mapping[str, str]],
        part: RiverPart,
    ) -> None:
        self._grid = grid
        self._graph = graph
        self._water = water
        self._settlements = settlements
        self._banks = banks
        self._part = part
        self._never = {grid.side(text) for text in part.never}
        self._always = {grid.side(text): course for course in part.always for text in course.sides}
        self.rivers = Rivers()

    def lay(self, geography: Geography, projection: Projection) -> Rivers:
        """Lay all rivers, the greatest first."""
        courses = [course for river in geography.rivers for course in self._courses(river, projection)]
        courses.sort(key=lambda it: (it.major_from is None, -round(it.line.length, 4), it.river.name))
        for course in _downstream_first(courses):
            self._lay_one(course, courses)
        for side, part in self._always.items():
            self.rivers.sides[side] = (self._part.major if part.major else self._part.minor, part.river)
        for side in self._water.sides:
            self.rivers.sides.pop(side, None)
        return self.rivers

    def _courses(self, river: River, projection: Projection) -> Iterable[_Course]:
        points = [projection(*point) for point in river.points]
        whole = LineString(points)
        for line in shapely.get_parts(shapely.intersection(whole, self._grid.ground)).tolist():
            if isinstance(line, LineString) and line.length >= _SHORTEST:
                start = None
                if river.major_from is not None:
                    start = whole.project(PlanePoint(points[river.major_from])) - whole.project(PlanePoint(line.coords[0]))
                yield _Course(river, whole, line, None if start is not None and start >= line.length else start)

    def _lay_one(self, course: _Course, courses: Iterable[_Course]) -> None:
        name, line = course.river.name, course.line
        near = self._graph.around(line, 1.35)
        others = self._others(name)
        free = [v for v in near if v not in others]
        first, last = _pair(line.coords[0]), _pair(line.coords[-1])
        springs = any(it.river is not course.river and _springs_from(course.line, it.whole) for it in courses)
        start = self._end(first, near, 0.4) if springs else self._graph.nearest(first, free)
        stops = [start, *self._stops(name, line, free), self._end(last, near, 1.15)]
        way = self._graph.lay(line, stops, self._cost(name, line, others, self.rivers.vertices.get(stops[-1])))
        way = _apart(way, others, springs)
        if len(way) < 3:
            self.rivers.lost.append(name)
            return
        self.rivers.vertices.update((v, name) for v in way if v not in self.rivers.vertices)
        for side in self._graph.sides(way):
            if any(h not in self._grid.inside or h in self._water.terrain for h in side.hexes):
                continue
            along = round(line.project(PlanePoint(self._graph.middle(side))), 4)
            major = course.major_from is not None and along >= course.major_from
            self.rivers.sides[side] = (self._part.major if major else self._part.minor, name)

    def _others(self, name: str) -> dict[Vertex, str]:
        """The vertices on dry ground that belong to other rivers; in a lake or on its shore rivers may meet as they like."""
        wet = self._water.terrain
        return {v: river for v, river in self.rivers.vertices.items() if river != name and not any(h in wet for h in v.hexes)}

    def _end(self, point: Point, near: list[Vertex], reach: float) -> Vertex:
        """The vertex where a river begins or ends: one of another river, if there is one close by."""
        taken = [v for v in near if v in self.rivers.vertices and math.dist(self._graph.point(v), point) < reach]
        return self._graph.nearest(point, taken or near)

    def _stops(self, name: str, line: LineString, near: list[Vertex]) -> list[Vertex]:
        """Vertices on the way, so that a river keeps its bends; none beside a town, where the banks decide."""
        towns = [self._grid.centre(h) for town in self._banks.get(name, ()) for h in self._settlements.all[town].hexes]
        count = max(1, int(line.length / _STRIDE))
        found = []
        for k in range(1, count):
            point = _pair(line.interpolate(line.length * k / count).coords[0])
            if all(math.dist(point, town) > 1.5 for town in towns):
                found.append(self._graph.nearest(point, near))
        return found

    def _cost(
        self, name: str, line: LineString, others: Mapping[Vertex, str], into: str | None
    ) -> Callable[[Hexside, float], float]:
        """What a side costs this river.

        Args:
            name: the river.
            line: its course.
            others: the vertices of other rivers.
            into: the river into which it flows, which it may touch: there it will end.
        """
        dear = self._bank_costs(name, line)
        rivers, wet, never, always = self.rivers.sides, self._water.terrain, self._never, self._always

        def cost(side: Hexside, distance: float) -> float:
            found = nearness(distance) + dear.get(side, 0)
            if side in rivers and rivers[side][1] != name:
                found = found * 2.5 + 0.3
            if any(others.get(v, into) != into for v in self._graph.ends[side]):
                found += _TOUCHING
            if side in always and always[side].river == name:
                return _SETTLED
            if all(h in wet for h in side.hexes):
                found *= 0.6
            return found + _FORBIDDEN if side in never else found

        return cost

    def _bank_costs(self, name: str, line: LineString) -> dict[Hexside, float]:
        facts = self._banks.get(name, {})
        told = {h for town in facts for h in self._settlements.all[town].hexes}
        found: dict[Hexside, float] = {}
        for h, town in self._settlements.named.items():
            it = self._settlements.all[town]
            if h in told or self._settlements.rank(town) > 1:
                continue
            point = PlanePoint(it.point)
            if line.distance(point) <= 1.0:
                across = line.interpolate(line.project(point))
                away = (point.x - across.x, point.y - across.y)
                if math.hypot(*away) > 0.01:
                    size = math.hypot(*away)
                    towards = (away[0] / size, away[1] / size)
                    found.update(dict.fromkeys(self._facing(h, towards), _UNLIKELY_BANK))
        for town, side in facts.items():
            hexes = self._settlements.all[town].hexes
            x, y = COMPASS[side]
            for h in hexes:
                if h in self._grid.inside:
                    for behind in self._behind(h, (x, y)):
                        found.setdefault(behind, _BEHIND_TOWN)
                    found.update(dict.fromkeys(self._facing(h, (-x, -y)), _RIGHT_BANK))
                    found.update(dict.fromkeys(self._facing(h, (x, y)), _WRONG_BANK))
            inner = {Hexside.of(h, d) for h in hexes for d in range(6)}
            found.update((it, _WRONG_BANK) for it in inner if all(h in hexes for h in it.hexes))
        return found

    def _behind(self, h: Hex, towards: Point) -> list[Hexside]:
        """The sides a hex farther on: a river that may not touch a town's far side must not run round it either."""
        x, y = self._grid.centre(h)
        found = []
        for other in self._grid.around(h):
            for d in range(6):
                side = Hexside.of(other, d)
                mx, my = self._graph.middle(side)
                away = math.dist((mx, my), (x, y))
                if (mx - x) * towards[0] + (my - y) * towards[1] > 0.8 * away:
                    found.append(side)
        return found

    def _facing(self, h: Hex, towards: Point) -> list[Hexside]:
        return facing(self._grid, self._graph, h, towards)


def _pair(coords: tuple[float, ...]) -> Point:
    """The two numbers of a coordinate."""
    return coords[0], coords[1]


def _downstream_first(courses: Iterable[_Course]) -> list[_Course]:
    """The courses in their order, but none before the one into which it flows."""
    waiting, found = list(courses), list[_Course]()

    def place(course: _Course) -> None:
        if course in waiting:
            waiting.remove(course)
            for other in [it for it in waiting if _flows_into(course.whole, it.whole)]:
                place(other)
            found.append(course)

    for course in list(waiting):
        place(course)
    return found


def _flows_into(river: LineString, other: LineString) -> bool:
    """Whether a river ends at another one that goes on from there."""
    mouth = PlanePoint(river.coords[-1])
    return other.distance(mouth) < _MOUTH < mouth.distance(PlanePoint(other.coords[-1]))


def _springs_from(river: LineString, other: LineString) -> bool:
    """Whether a river begins at another one that comes from farther up; two sources in one place are still two."""
    source = PlanePoint(river.coords[0])
    return other.distance(source) < _SPRING < source.distance(PlanePoint(other.coords[0]))


def _apart(way: list[Vertex], others: Mapping[Vertex, str], springs: bool) -> list[Vertex]:
    """The longest part of a way that meets other rivers at its ends at most; at its upper end only if it springs from one."""
    meetings = [k for k, v in enumerate(way) if v in others]
    bounds = sorted({0, *meetings, len(way) - 1})
    parts = [way[a + (way[a] in others and not springs) : b + 1] for a, b in pairwise(bounds)]
    return max(parts, key=len, default=[])


def bank_holds(grid: Grid, graph: HexsideGraph, sides: Iterable[Hexside], hexes: Iterable[Hex], bank: str) -> bool:
    """Whether a river leaves a town on the bank that is told of it.

    No side of the town's hexes that faces away from the river may be the river's, and the river must pass within two hexes
    on the other side; where several of its sides are equally near, on the whole.
    """
    towards, own = COMPASS[bank], list(sides)
    wrong = {side for h in hexes for side in facing(grid, graph, h, towards)}
    if not own or wrong.intersection(own):
        return False
    x, y = (sum(values) / len(values) for values in zip(*(grid.centre(h) for h in hexes), strict=True))
    gaps = {side: math.dist(graph.middle(side), (x, y)) for side in own}
    nearest = min(gaps.values())
    middles = [graph.middle(side) for side in own if gaps[side] < nearest + 0.01]
    across = sum((x - mx) * towards[0] + (y - my) * towards[1] for mx, my in middles)
    return nearest < 2.5 and across > 0.01
