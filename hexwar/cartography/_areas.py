"""Named sets of hexes: play areas, set-up areas, supply sources and whatever else a ruleset asks for by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import shapely
from shapely import Polygon

from hexwar.cartography._grid import Grid
from hexwar.cartography._inputs import Geography, Start
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import BankPart, FramePart, Recipe
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside, distance


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


def lay_areas(
    grid: Grid, projection: Projection, geography: Geography, recipe: Recipe, closed: Mapping[Hex, str], owner: Mapping[Hex, str]
) -> list[Area]:
    """All areas of a recipe.

    Args:
        grid: the grid.
        projection: from the ground to the plane.
        geography: gives the set-up areas.
        recipe: gives the others.
        closed: hexes where nothing can stand.
        owner: whose ground each hex is.

    Raises:
        ContentError: if a set-up area cannot be used: a hex is water, lies on the enemy's ground or apart from the others, or
            the formation does not fit.
    """
    found = [_framed(grid, projection, frame) for frame in recipe.frame]
    for part in recipe.area:
        found.append(Area(part.name, tuple(grid.at(label) for label in part.hexes), part.source))
    for side, name in (recipe.border.grounds if recipe.border else {}).items():
        ground = tuple(h for h in grid.hexes if owner[h] == side)
        found.append(Area(name, ground, "reconstructed from the start line"))
    taken: dict[tuple[str, Hex], str] = {}
    for start in geography.starts:
        hexes = tuple(grid.at(label) for label in start.hexes)
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
    walls, start = set(barrier), grid.at(part.hex)
    found, waiting = {start}, [start]
    while waiting:
        h = waiting.pop()
        for other in grid.around(h):
            if other not in found and other not in water and Hexside.between(h, other) not in walls:
                found.add(other)
                waiting.append(other)
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
    together, waiting = set(), [hexes[0]]
    while waiting:
        h = waiting.pop()
        together.add(h)
        waiting += [other for other in hexes if other not in together and distance(h, other) == 1]
    if len(together) != len(hexes):
        raise _wrong(start, "its hexes do not hang together")


def _wrong(start: Start, mistake: str) -> ContentError:
    return ContentError("recipe", f"start of {start.side} {start.formation}", mistake)
