"""Rivers along hexsides, with every town on its right bank.

A town's coordinates are too coarse to tell on which bank it stands, so banks are authored (`river_banks.csv`) and the sides
on the wrong side of a town are made costly. Greater rivers are laid first; the mouth of a tributary ends on one that is there.

Water runs in no circles: a river keeps off the vertices of those that were laid before it, begins on none of them, and ends at
the first that it reaches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Final

import networkx as nx
import shapely
from shapely import LineString
from shapely import Point as PlanePoint

from hexwar.cartography._hexsides import nearness, sides_of
from hexwar.cartography._inputs import River
from hexwar.cartography._survey import Survey
from hexwar.cartography._terrain import Water
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
    """Lays the rivers of a country.

    Args:
        country: its rivers, and the towns whose banks matter.
        water: what is water already.
    """

    def __init__(self, country: Survey, water: Water) -> None:
        self._country = country
        self._grid = grid = country.grid
        self._graph = country.graph
        self._water = water
        self._part = part = country.recipe.rivers
        self._never = {grid.side(text) for text in part.never}
        self._always = {grid.side(text): course for course in part.always for text in course.sides}
        self.rivers = Rivers()

    def lay(self) -> Rivers:
        """Lay all rivers, the greatest first."""
        courses = [course for river in self._country.geography.rivers for course in self._courses(river)]
        courses.sort(key=lambda it: (it.major_from is None, -round(it.line.length, 4), it.river.name))
        for course in _downstream_first(courses):
            self._lay_one(course, courses)
        for side, part in self._always.items():
            self.rivers.sides[side] = (self._part.major if part.major else self._part.minor, part.river)
        for side in self._water.sides:
            self.rivers.sides.pop(side, None)
        return self.rivers

    def _courses(self, river: River) -> Iterable[_Course]:
        points = [self._country.projection(*point) for point in river.points]
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
        first, last = line.coords[0], line.coords[-1]
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
            if all(h in self._grid.inside and h not in self._water.terrain for h in side.hexes):
                along = round(line.project(PlanePoint(self._graph.middle(side))), 4)
                major = course.major_from is not None and along >= course.major_from
                self.rivers.sides[side] = (self._part.major if major else self._part.minor, name)

    def _others(self, name: str) -> dict[Vertex, str]:
        """The vertices on dry ground that belong to other rivers; in a lake or on its shore rivers may meet as they like."""
        return {
            v: river
            for v, river in self.rivers.vertices.items()
            if river != name and self._water.terrain.keys().isdisjoint(v.hexes)
        }

    def _end(self, point: Sequence[float], near: list[Vertex], reach: float) -> Vertex:
        """The vertex where a river begins or ends: one of another river, if there is one close by."""
        taken = [v for v in near if v in self.rivers.vertices and math.dist(self._graph.at[v], point) < reach]
        return self._graph.nearest(point, taken or near)

    def _stops(self, name: str, line: LineString, near: list[Vertex]) -> list[Vertex]:
        """Vertices on the way, so that a river keeps its bends; none beside a town, where the banks decide."""
        towns = [self._grid.centre(h) for town in self._banks(name) for h in self._hexes(town)]
        count = max(1, int(line.length / _STRIDE))
        points = [line.interpolate(line.length * k / count).coords[0] for k in range(1, count)]
        return [self._graph.nearest(point, near) for point in points if all(math.dist(point, town) > 1.5 for town in towns)]

    def _banks(self, name: str) -> Mapping[str, str]:
        """Town -> the side of a river on which it stands."""
        return self._country.geography.banks.get(name, {})

    def _hexes(self, town: str) -> tuple[Hex, ...]:
        return self._country.settlements.all[town].hexes

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
        banks = self._bank_costs(name, line)
        rivers, wet, never, always = self.rivers.sides, self._water.terrain, self._never, self._always

        def cost(side: Hexside, distance: float) -> float:
            found = nearness(distance) + banks.get(side, 0)
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
        facts, settlements = self._banks(name), self._country.settlements
        told = {h for town in facts for h in self._hexes(town)}
        found: dict[Hexside, float] = {}
        for h, town in settlements.named.items():
            point = PlanePoint(settlements.all[town].point)
            if h not in told and settlements.rank(town) <= 1 and line.distance(point) <= 1.0:
                across = line.interpolate(line.project(point))
                x, y = point.x - across.x, point.y - across.y
                size = math.hypot(x, y)
                if size > 0.01:
                    found.update(dict.fromkeys(self._graph.facing(h, (x / size, y / size)), _UNLIKELY_BANK))
        for town, bank in facts.items():
            hexes = self._hexes(town)
            x, y = COMPASS[bank]
            for h in hexes:
                if h in self._grid.inside:
                    for side in self._behind(h, (x, y)):
                        found.setdefault(side, _BEHIND_TOWN)
                    found.update(dict.fromkeys(self._graph.facing(h, (-x, -y)), _RIGHT_BANK))
                    found.update(dict.fromkeys(self._graph.facing(h, (x, y)), _WRONG_BANK))
            inner = [side for h in hexes for side in sides_of(h) if set(side.hexes) <= set(hexes)]
            found.update(dict.fromkeys(inner, _WRONG_BANK))
        return found

    def _behind(self, h: Hex, towards: Point) -> list[Hexside]:
        """The sides a hex farther on: a river that may not touch a town's far side must not run round it either."""
        middle, graph = self._grid.centre(h), self._graph
        sides = [side for other in self._grid.around(h) for side in sides_of(other)]
        return [side for side in sides if graph.towards(h, side, towards) > 0.8 * math.dist(graph.middle(side), middle)]


def _downstream_first(courses: Sequence[_Course]) -> list[_Course]:
    """The courses in their order, but none before the one into which it flows."""
    graph: nx.DiGraph[_Course] = nx.DiGraph()
    graph.add_nodes_from(courses)
    graph.add_edges_from((a, b) for a, b in permutations(courses, 2) if _flows_into(a.whole, b.whole))
    return list(nx.dfs_postorder_nodes(graph))


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
    bounds = sorted({0, *(k for k, v in enumerate(way) if v in others), len(way) - 1})
    parts = [way[a + (way[a] in others and not springs) : b + 1] for a, b in pairwise(bounds)]
    return max(parts, key=len, default=[])


def bank_holds(country: Survey, sides: Sequence[Hexside], hexes: Sequence[Hex], bank: str) -> bool:
    """Whether a river leaves a town on the bank that is recorded for it.

    No side of the town's hexes that faces away from the river may be the river's, and the river must pass within two hexes
    on the other side; where several of its sides are equally near, on the whole.
    """
    towards, graph = COMPASS[bank], country.graph
    wrong = {side for h in hexes for side in graph.facing(h, towards)}
    if not sides or wrong.intersection(sides):
        return False
    x, y = (sum(values) / len(values) for values in zip(*(country.grid.centre(h) for h in hexes), strict=True))
    gaps = {side: math.dist(graph.middle(side), (x, y)) for side in sides}
    nearest = min(gaps.values())
    middles = [graph.middle(side) for side in sides if gaps[side] < nearest + 0.01]
    across = sum((x - mx) * towards[0] + (y - my) * towards[1] for mx, my in middles)
    return nearest < 2.5 and across > 0.01
