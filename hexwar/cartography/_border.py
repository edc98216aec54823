"""The start line as hexsides, and which ground lies on which side of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import shapely
from shapely import LineString
from shapely import Point as PlanePoint

from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import HexsideGraph, facing, nearness
from hexwar.cartography._inputs import Geography
from hexwar.cartography._places import Settlements
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import BorderPart
from hexwar.cartography._rivers import Rivers
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside, Point, neighbour

_REACH: Final = 1.4
_WRONG_SIDE: Final = 20.0


@dataclass(frozen=True, slots=True)
class Border:
    """The start line.

    Args:
        sides: its hexsides.
        owner: the side whose ground each hex is.
    """

    sides: frozenset[Hexside]
    owner: Mapping[Hex, str]


def lay_border(
    grid: Grid,
    graph: HexsideGraph,
    projection: Projection,
    geography: Geography,
    settlements: Settlements,
    rivers: Rivers,
    part: BorderPart,
) -> Border:
    """Lay the start line, with every border town on its own side.

    The line is given from north to south; what lies to its left when one walks along it is the ground of the towns in the east.

    Raises:
        ContentError: if the line does not cut the map in two, or leaves a town on the wrong side.
    """
    points = [projection(*point) for point in (*part.extend, *geography.border)]
    whole = LineString(points)
    found: set[Hexside] = set()
    for line in shapely.get_parts(shapely.line_merge(shapely.intersection(whole, grid.ground))).tolist():
        if line.length < 0.8:
            continue
        near = graph.around(line, _REACH)
        ends = [graph.nearest((x, y), near) for x, y in (line.coords[0], line.coords[-1])]
        cost = _cost(grid, graph, line, geography, settlements, rivers, part)
        found.update(graph.sides(graph.lay(line, ends, cost, _REACH)))
    sides = frozenset(side for side in found if all(h in grid.inside for h in side.hexes))
    return Border(sides, _owners(grid, sides, geography, settlements))


def _cost(
    grid: Grid,
    graph: HexsideGraph,
    line: LineString,
    geography: Geography,
    settlements: Settlements,
    rivers: Rivers,
    part: BorderPart,
) -> Callable[[Hexside, float], float]:
    dear: dict[Hexside, float] = {}
    east = _eastern(geography)
    for town, owner in geography.border_towns.items():
        for h in settlements.all[town].hexes:
            if h in grid.inside:
                across = _left_of(line, grid.centre(h))
                towards = across if owner == east else (-across[0], -across[1])
                for side in facing(grid, graph, h, towards):
                    dear[side] = dear.get(side, 0) + _WRONG_SIDE

    def cost(side: Hexside, distance: float) -> float:
        found = nearness(distance)
        if side in rivers.sides and rivers.sides[side][1] in part.rivers:
            found *= 0.15
        return found + dear.get(side, 0)

    return cost


def _eastern(geography: Geography) -> str:
    """The side to which the easternmost border town belongs."""
    return geography.border_towns[max(geography.border_towns, key=lambda name: geography.towns[name].lon)]


def _left_of(line: LineString, point: Point) -> Point:
    """The direction to the left of somebody who walks along a line and is nearest to a point; y grows southwards."""
    along = line.project(PlanePoint(point))
    start = min(along, line.length - 0.05)
    a, b = (line.interpolate(value) for value in (start, start + 0.05))
    dx, dy = b.x - a.x, b.y - a.y
    size = max((dx * dx + dy * dy) ** 0.5, 1e-9)
    return round(dy / size, 4), round(-dx / size, 4)


def _owners(grid: Grid, sides: frozenset[Hexside], geography: Geography, settlements: Settlements) -> dict[Hex, str]:
    owner: dict[Hex, str] = {}
    for town, side in geography.border_towns.items():
        for h in settlements.all[town].hexes:
            # A hex that is named after another town follows that one: two towns on either side of the line may share it.
            if h in grid.inside and settlements.named.get(h) == town and owner.setdefault(h, side) != side:
                raise ContentError("recipe", f"border town {town}", "the start line leaves it on the wrong side")
            if owner.get(h) == side:
                _flood(grid, sides, h, side, owner, town)
    unowned = [h for h in grid.hexes if h not in owner]
    if unowned:
        raise ContentError("recipe", "border", f"nobody owns {len(unowned)} hexes, such as {grid.label(unowned[0])}")
    return owner


def _flood(grid: Grid, walls: frozenset[Hexside], start: Hex, side: str, owner: dict[Hex, str], town: str) -> None:
    waiting = deque([start])
    while waiting:
        h = waiting.popleft()
        for d in range(6):
            other = neighbour(h, d)
            if other not in grid.inside or Hexside.of(h, d) in walls or owner.get(other) == side:
                continue
            if other in owner:
                raise ContentError(
                    "recipe", f"border town {town}", f"from here {grid.label(other)} of the other side can be reached"
                )
            owner[other] = side
            waiting.append(other)
