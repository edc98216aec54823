"""Named sets of hexes: play areas, set-up areas, supply sources and whatever else a ruleset asks for by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import networkx as nx
import shapely
from shapely import Polygon

from hexwar.cartography._grid import Grid
from hexwar.cartography._inputs import Start
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import BankPart, FramePart
from hexwar.cartography._survey import Survey
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside


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
        ground = tuple(h for h in grid.hexes if owner[h] == side)
        found.append(Area(name, ground, "reconstructed from the start line"))
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
