"""Coast and lakes: which hexes are water, and which sides between land hexes are closed by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import shapely
from shapely import LineString, Polygon

from hexwar.cartography._basemap import coast
from hexwar.cartography._grid import Grid
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import WaterPart
from hexwar.hexes import Hex, Hexside, vertex_point


@dataclass(frozen=True, slots=True)
class Water:
    """What is wet.

    Args:
        terrain: the water hexes and which water it is.
        sides: the water sides between land hexes.
        dry: the ground on the plane that is land today as it was then, away from every shore. Water is dark in a picture, and
            so would make a coast a forest.
    """

    terrain: dict[Hex, str]
    sides: frozenset[Hexside]
    dry: shapely.Geometry


def lay_water(grid: Grid, projection: Projection, part: WaterPart, dry_places: Iterable[Hex]) -> Water:
    """Lay coast and lakes on the grid.

    Args:
        grid: the grid.
        projection: from the ground to the plane.
        part: what counts as water.
        dry_places: hexes that stay land whatever the coast says, because a city stands there.
    """
    land, lakes = coast(part.box)
    then, later = [], []
    for lake in lakes:
        flooded = any(shapely.distance(lake, shapely.Point(point)) < 0.12 for point in part.reservoirs)
        if flooded:
            later.append(lake)
        elif round(lake.area, 6) > part.lake_least:
            then.append(lake)
    lake_shape = on_plane(projection, then)
    dry = shapely.difference(on_plane(projection, land), lake_shape)
    share = _shares(grid, dry)
    kept = set(dry_places)
    terrain = {}
    for h in grid.hexes:
        if share[h] > part.share and h not in kept:
            area = shapely.area(shapely.intersection(lake_shape, grid.cells[h]))
            terrain[h] = part.lake if round(area / grid.cells[h].area, 4) > 0.3 else part.sea
    sides = set()
    joined = {grid.side(text) for text in part.dry}
    for side in grid.sides:
        if side in joined:
            continue
        if all(h in grid.inside and h not in terrain for h in side.hexes) and max(share[h] for h in side.hexes) > 0.15:
            line = LineString([vertex_point(v, grid.orientation) for v in side.vertices])
            wet = shapely.length(shapely.difference(line, dry)) / line.length
            if round(wet, 4) > part.side_share:
                sides.add(side)
    shores = [shapely.buffer(on_plane(projection, later), 0.25), shapely.buffer(shapely.boundary(dry), 0.3)]
    return Water(terrain, frozenset(sides), shapely.difference(dry, shapely.union_all(shores)))


def on_plane(projection: Projection, shapes: Iterable[Polygon]) -> shapely.Geometry:
    """The union of some shapes on the ground, moved to the plane."""
    moved = []
    for found in shapes:
        rings = [[projection(*point) for point in ring.coords] for ring in (found.exterior, *found.interiors)]
        polygon = Polygon(rings[0], rings[1:])
        moved.append(polygon if polygon.is_valid else shapely.buffer(polygon, 0))
    return shapely.union_all(moved)


def _shares(grid: Grid, dry: shapely.Geometry) -> dict[Hex, float]:
    """How much of each hex is water."""
    shapely.prepare(dry)
    found = {}
    for h, cell in grid.cells.items():
        inside = 1.0 if shapely.contains(dry, cell) else shapely.area(shapely.intersection(dry, cell)) / cell.area
        found[h] = round(1 - inside, 4)
    return found
