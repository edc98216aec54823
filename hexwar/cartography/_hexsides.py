"""The graph of vertices and hexsides, and how a line on the plane is laid along it.

Costs are whole numbers and every side adds its rank to its cost, so that no two ways cost the same: the result depends neither
on the order of a search nor on the last bit of a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import networkx as nx
import shapely
from shapely import LineString

from hexwar.cartography._grid import Grid
from hexwar.hexes import Hex, Hexside, Point, Vertex, vertex_point

SideCost = Callable[[Hexside, float], float]
"""The cost of a side, given its mean distance from the line in hexes."""


class HexsideGraph:
    """The vertices of a grid, joined by hexsides.

    Args:
        grid: the grid.
    """

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._rank = {side: rank for rank, side in enumerate(grid.sides)}
        self.ends: dict[Hexside, tuple[Vertex, Vertex]] = {side: side.vertices for side in grid.sides}
        self._graph: nx.Graph[Vertex] = nx.Graph()
        for side, (a, b) in self.ends.items():
            self._graph.add_edge(a, b, side=side)
        self.at: dict[Vertex, Point] = {v: vertex_point(v, grid.orientation) for v in sorted(self._graph)}
        """Where each vertex lies."""
        self._tree = shapely.STRtree(shapely.points(list(self.at.values())))

    def middle(self, side: Hexside) -> Point:
        """The middle of a side."""
        (ax, ay), (bx, by) = (self.at[v] for v in self.ends[side])
        return (ax + bx) / 2, (ay + by) / 2

    def around(self, line: LineString, reach: float) -> list[Vertex]:
        """The vertices not farther from a line than ``reach``."""
        vertices = list(self.at)
        return [vertices[k] for k in sorted(self._tree.query(line, "dwithin", reach).tolist())]

    def nearest(self, point: Sequence[float], vertices: Iterable[Vertex]) -> Vertex:
        """The vertex nearest to a point."""

        def gap(v: Vertex) -> tuple[float, Vertex]:
            x, y = self.at[v]
            return round((x - point[0]) ** 2 + (y - point[1]) ** 2, 6), v

        return min(vertices, key=gap)

    def towards(self, h: Hex, side: Hexside, direction: Point) -> float:
        """How far the middle of a side lies from the middle of a hex in some direction."""
        (x, y), (mx, my) = self._grid.centre(h), self.middle(side)
        return (mx - x) * direction[0] + (my - y) * direction[1]

    def facing(self, h: Hex, direction: Point) -> list[Hexside]:
        """The sides of a hex that lie in some direction from its middle."""
        return [side for side in sides_of(h) if self.towards(h, side, direction) > 0.1]

    def lay(self, line: LineString, stops: Sequence[Vertex], cost: SideCost, reach: float = 1.35) -> list[Vertex]:
        """The cheapest way along hexsides near a line, through some vertices.

        Detours to a stop and back are cut off again; the first and last stop are always kept.

        Args:
            line: the line on the plane.
            stops: vertices to pass, the first and the last being the ends.
            cost: the cost of a side, given its distance from the line.
            reach: how far from the line the way may go.

        Returns:
            The vertices of the way, or nothing if there is none.
        """
        near = self._graph.subgraph([*self.around(line, reach), *stops])
        weights = self._weights(line, [data["side"] for _, _, data in near.edges(data=True)], cost)

        def weight(_a: Vertex, _b: Vertex, data: dict[str, Hexside]) -> int:
            return weights[data["side"]]

        union: nx.Graph[Vertex] = nx.Graph()
        for a, b in pairwise(stops):
            if a != b and nx.has_path(near, a, b):
                way = nx.dijkstra_path(near, a, b, weight)
                union.add_edges_from((u, v, {"side": near.edges[u, v]["side"]}) for u, v in pairwise(way))
        first, last = stops[0], stops[-1]
        if first == last or first not in union or last not in union or not nx.has_path(union, first, last):
            return []
        return list(nx.dijkstra_path(union, first, last, weight))

    def sides(self, way: Sequence[Vertex]) -> list[Hexside]:
        """The hexsides between the vertices of a way."""
        return [self._graph.edges[a, b]["side"] for a, b in pairwise(way)]

    def _weights(self, line: LineString, sides: list[Hexside], cost: SideCost) -> dict[Hexside, int]:
        ends = [[self.at[v] for v in self.ends[side]] for side in sides]
        points = [(ax + (bx - ax) * part, ay + (by - ay) * part) for (ax, ay), (bx, by) in ends for part in (0.1, 0.5, 0.9)]
        gaps = shapely.distance(line, shapely.points(points)).tolist()
        means = {side: round(sum(gaps[3 * k : 3 * k + 3]) / 3, 4) for k, side in enumerate(sides)}
        return {side: round(cost(side, mean) * 1000) * 1_000_000 + self._rank[side] for side, mean in means.items()}


def nearness(distance: float) -> float:
    """What a side costs for its length and its distance from the line: near enough is cheap, far away is costly."""
    return 0.577 * (0.22 + 7 * distance * distance)


def sides_of(h: Hex) -> list[Hexside]:
    """The six sides of a hex."""
    return [Hexside.of(h, d) for d in range(6)]
