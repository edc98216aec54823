"""Named sets of hexes: play areas, set-up areas, supply sources and whatever else a ruleset asks for by name; and the start line.

The start line lies along hexsides and decides whose ground each hex is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import networkx as nx
import shapely
from shapely import LineString, Polygon
from shapely import Point as PlanePoint

from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import nearness
from hexwar.cartography._inputs import Start
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import BankPart, BorderPart, FramePart
from hexwar.cartography._rivers import Rivers
from hexwar.cartography._survey import Survey
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside, Point


@dataclass(frozen=True, slots=True)
class Area:
    """A named set of hexes, in the order in which it is written.

    Args:
        name: what the ruleset asks for.
        hexes: its hexes.
        source: where it comes from.
        sheets: the ids of the sheets that show it; none: all of them.
    """

    name: str
    hexes: tuple[Hex, ...]
    source: str
    sheets: tuple[str, ...] = ()


def lay_areas(country: Survey, closed: Mapping[Hex, str], owner: Mapping[Hex, str]) -> list[Area]:
    """All areas of a recipe, and where the formations set up.

    Args:
        country: gives the areas.
        closed: hexes where nothing can stand.
        owner: whose ground each hex is.

    Raises:
        ContentError: if a set-up area cannot be used: a hex is water, lies on the enemy's ground or apart from the others, or
            the formation does not fit.
    """
    grid, recipe = country.grid, country.recipe
    found = [_framed(grid, country.projection, frame) for frame in recipe.frame]
    found += [Area(part.name, tuple(map(grid.at, part.hexes)), part.source) for part in recipe.area]
    for side, name in (recipe.border.grounds if recipe.border else {}).items():
        found.append(Area(name, tuple(h for h in grid.hexes if owner[h] == side), "reconstructed from the start line"))
    taken: dict[tuple[str, Hex], str] = {}
    for start in country.geography.starts:
        hexes = tuple(map(grid.at, start.hexes))
        _check(grid, start, hexes, closed, owner)
        for h in hexes:
            other = taken.setdefault((start.side, h), start.formation)
            if other != start.formation:
                raise _wrong(start, f"{grid.label(h)} already belongs to {other}")
        source = "reconstructed from where the formation stood; sized so that it fits"
        found.append(Area(f"{start.kind} {start.side} {start.formation}", hexes, source))
        found.append(Area(f"hq {start.side} {start.formation}", (grid.at(start.headquarters),), source))
    return found


def lay_bank(grid: Grid, part: BankPart, barrier: Iterable[Hexside], water: Mapping[Hex, str]) -> Area:
    """The land that can be reached from a hex without crossing a river or other water."""
    start = grid.at(part.hex)
    found = nx.node_connected_component(grid.graph(barrier, water.keys() - {start}), start)
    return Area(part.name, tuple(sorted(found)), part.source)


def _framed(grid: Grid, projection: Projection, frame: FramePart) -> Area:
    window = next(window for window in grid.windows if window.part.id == frame.sheet)
    hexes = [h for h in grid.hexes if h in window.hexes]
    if frame.line:
        far = 75.0 if frame.keep == "north" else 35.0
        (west, _), (east, _) = frame.line[0], frame.line[-1]
        outline = Polygon([projection(*point) for point in (*frame.line, (east, far), (west, far))])
        shapely.prepare(outline)
        hexes = [h for h in hexes if shapely.contains_xy(outline, *grid.centre(h))]
    return Area(frame.area, tuple(hexes), frame.source, (frame.sheet,))


def _check(grid: Grid, start: Start, hexes: tuple[Hex, ...], closed: Mapping[Hex, str], owner: Mapping[Hex, str]) -> None:
    if start.headquarters not in start.hexes:
        raise _wrong(start, "its headquarters stands outside")
    for h in hexes:
        if h not in grid.inside or h in closed:
            raise _wrong(start, f"nothing can stand in {grid.label(h)}")
        if owner and owner[h] != start.side:
            raise _wrong(start, f"{grid.label(h)} is {owner[h]} ground")
    if len(hexes) > start.units and start.kind == "area":
        raise _wrong(start, f"{start.units} units cannot occupy all of {len(hexes)} hexes")
    if 2 * len(hexes) < start.units:
        raise _wrong(start, f"{start.units} units do not fit into {len(hexes)} hexes")
    if not nx.is_connected(grid.graph().subgraph(hexes)):
        raise _wrong(start, "its hexes do not hang together")


def _wrong(start: Start, mistake: str) -> ContentError:
    return ContentError("recipe", f"start of {start.side} {start.formation}", mistake)


# -- the start line ------------------------------------------------------------------------------------------------------------


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
    """The direction to the left of a walker along a line who is nearest to a point; y grows southwards."""
    start = min(line.project(PlanePoint(point)), line.length - 0.05)
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
