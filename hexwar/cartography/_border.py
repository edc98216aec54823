"""The start line as hexsides, and which ground lies on which side of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import networkx as nx
import shapely
from shapely import LineString
from shapely import Point as PlanePoint

from hexwar.cartography._hexsides import nearness
from hexwar.cartography._recipe import BorderPart
from hexwar.cartography._rivers import Rivers
from hexwar.cartography._survey import Survey
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside, Point

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


def lay_border(country: Survey, rivers: Rivers) -> Border:
    """Lay the start line, if there is one, with every border town on its own side.

    The line is given from north to south; what lies to its left when one walks along it is the ground of the towns in the east.

    Raises:
        ContentError: if the line does not cut the map in two, or leaves a town on the wrong side.
    """
    part, grid, graph = country.recipe.border, country.grid, country.graph
    if part is None:
        return Border(frozenset(), {})
    whole = LineString([country.projection(*point) for point in (*part.extend, *country.geography.border)])
    found: set[Hexside] = set()
    for line in shapely.get_parts(shapely.line_merge(shapely.intersection(whole, grid.ground))).tolist():
        if line.length >= 0.8:
            near = graph.around(line, _REACH)
            ends = [graph.nearest(point, near) for point in (line.coords[0], line.coords[-1])]
            found.update(graph.sides(graph.lay(line, ends, _cost(country, line, rivers, part), _REACH)))
    sides = frozenset(side for side in found if grid.inside.issuperset(side.hexes))
    return Border(sides, _owners(country, sides))


def _cost(country: Survey, line: LineString, rivers: Rivers, part: BorderPart) -> Callable[[Hexside, float], float]:
    costly: dict[Hexside, float] = {}
    towns = country.geography.border_towns
    east = towns[max(towns, key=lambda name: country.geography.towns[name].lon)]
    for town, owner in towns.items():
        for h in country.grid.inside.intersection(country.settlements.all[town].hexes):
            across = _left_of(line, country.grid.centre(h))
            for side in country.graph.facing(h, across if owner == east else (-across[0], -across[1])):
                costly[side] = costly.get(side, 0) + _WRONG_SIDE

    def cost(side: Hexside, distance: float) -> float:
        found = nearness(distance)
        if side in rivers.sides and rivers.sides[side][1] in part.rivers:
            found *= 0.15
        return found + costly.get(side, 0)

    return cost


def _left_of(line: LineString, point: Point) -> Point:
    """The direction to the left of somebody who walks along a line and is nearest to a point; y grows southwards."""
    along = line.project(PlanePoint(point))
    start = min(along, line.length - 0.05)
    a, b = (line.interpolate(value) for value in (start, start + 0.05))
    dx, dy = b.x - a.x, b.y - a.y
    size = max((dx * dx + dy * dy) ** 0.5, 1e-9)
    return round(dy / size, 4), round(-dx / size, 4)


def _owners(country: Survey, sides: frozenset[Hexside]) -> dict[Hex, str]:
    """Whose ground each hex is: what the line does not part belongs to the same side."""
    named, towns = country.settlements.named, country.geography.border_towns
    owner: dict[Hex, str] = {}
    for piece in nx.connected_components(country.grid.graph(sides)):
        # A hex that is named after another town follows that one: two towns on either side of the line may share it.
        here = sorted({named[h] for h in piece if named.get(h) in towns})
        if not here:
            raise ContentError("recipe", "border", f"nobody owns {len(piece)} hexes, such as {country.grid.label(min(piece))}")
        for town in here:
            if towns[town] != towns[here[0]]:
                raise ContentError("recipe", f"border town {town}", f"the start line does not part it from {here[0]}")
        owner.update(dict.fromkeys(piece, towns[here[0]]))
    return owner
