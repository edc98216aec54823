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
    kept = set(dry_places)
    flooded = shapely.MultiPoint(part.reservoirs)
    later = [lake for lake in lakes if shapely.distance(lake, flooded) < 0.12]
    then = [lake for lake in lakes if lake not in later and round(lake.area, 6) > part.lake_least]
    lake_shape = on_plane(projection, then)
    dry = shapely.difference(on_plane(projection, land), lake_shape)
    land_share = covered(grid, dry)
    share = {h: round(1 - land_share.get(h, 0), 4) for h in grid.hexes}
    lake_share = covered(grid, lake_shape)
    wet = [h for h in grid.hexes if share[h] > part.share and h not in kept]
    terrain = {h: part.lake if lake_share.get(h, 0) > 0.3 else part.sea for h in wet}
    sides = set()
    for side in set(grid.sides).difference(map(grid.side, part.dry)):
        if all(h in grid.inside and h not in terrain for h in side.hexes) and max(share[h] for h in side.hexes) > 0.15:
            line = LineString([vertex_point(v, grid.orientation) for v in side.vertices])
            if round(shapely.length(shapely.difference(line, dry)) / line.length, 4) > part.side_share:
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


def covered(grid: Grid, shape: shapely.Geometry) -> dict[Hex, float]:
    """How much of each hex a shape covers; hexes that it does not touch are left out."""
    shapely.prepare(shape)
    found = {}
    for h, cell in grid.cells.items():
        if shapely.intersects(shape, cell):
            inside = shapely.contains(shape, cell)
            found[h] = 1.0 if inside else round(shapely.area(shapely.intersection(shape, cell)) / cell.area, 4)
    return found
