"""What lies in the hexes: coast and lakes first, then the terrain of the land.

Mountains and marshes are shares of drawn shapes. Forest is ranked: how dark a hex is in the Blue Marble picture, against its
surroundings and at all, plus what the drawn forests add; the darkest hexes become forest until the quotas are full. A
threshold instead of quotas would make all of the north dense forest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

import shapely
from shapely import LineString, Polygon

from hexwar.cartography._basemap import coast, redness
from hexwar.cartography._grid import Grid
from hexwar.cartography._projection import Projection
from hexwar.cartography._recipe import WaterPart
from hexwar.cartography._survey import Survey
from hexwar.errors import ContentError
from hexwar.grouping import grouped
from hexwar.hexes import Hex, Hexside, centre, disk, hex_at, vertex_point


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


_REACH: Final = 14
_LENGTH: Final = 7.0
_BARE: Final = -9.0


def lay_terrain(country: Survey, water: Water) -> dict[Hex, str]:
    """The terrain of every hex, water included.

    Raises:
        ContentError: if an override or a layer names a terrain that the legend lacks.
    """
    grid, recipe, part = country.grid, country.recipe, country.recipe.terrain
    drawn = grouped((kind, shape) for kind, _, shape in country.geography.shapes)
    shares = {kind: covered(grid, on_plane(country.projection, drawn[kind])) for kind in sorted(drawn)}
    index = _forest_index(country, water)
    for kind, bonus in part.forest_shapes.items():
        for h, share in shares.get(kind, {}).items():
            index[h] = index.get(h, _BARE) + bonus * share
    ruled = {grid.at(override.hex) for override in recipe.override}
    found = dict(water.terrain)
    for layer in part.layers:
        within = [h for h in grid.hexes if h not in found and shares.get(layer.shape, {}).get(h, 0) > layer.share]
        found.update(dict.fromkeys(_without_extremes(within, index, layer.spared), layer.terrain))
    open_ground = [h for h in grid.hexes if h not in found and h not in ruled]
    ranked = iter(sorted(open_ground, key=lambda h: (-round(index.get(h, _BARE), 4), h)))
    land = len(grid.hexes) - len(water.terrain)
    for quota in part.quotas:
        found.update(dict.fromkeys(islice(ranked, int(quota.share * land)), quota.terrain))
    found.update(dict.fromkeys(ranked, part.plain))
    for override in recipe.override:
        found[grid.at(override.hex)] = override.terrain
    unknown = sorted(set(found.values()) - set(part.legend.values()))
    if unknown:
        raise ContentError("recipe", "terrain legend", f"has no symbol for {', '.join(unknown)}")
    return found


def _without_extremes(hexes: list[Hex], index: Mapping[Hex, float], share: float) -> list[Hex]:
    """Hexes without the brightest and the darkest: a marsh as large as Belgium has fields and woods in it."""
    ranked = sorted(hexes, key=lambda h: (round(index.get(h, _BARE), 4), h))
    cut = int(len(ranked) * share / 2)
    return ranked[cut : len(ranked) - cut]


def _forest_index(country: Survey, water: Water) -> dict[Hex, float]:
    red, grid = _mean_red(country, water), country.grid
    weights: Mapping[Hex, float] = {
        step: math.exp(-((math.dist(centre(step, grid.orientation), (0, 0)) / _LENGTH) ** 2)) for step in disk(Hex(0, 0), _REACH)
    }
    found = {}
    for h, value in red.items():
        total = weight = 0.0
        for step, pull in weights.items():
            other = red.get(Hex(h.q + step.q, h.r + step.r))
            if other is not None:
                total += pull * other
                weight += pull
        against_surroundings, at_all, bright = total / weight - value, 38 - value, max(0.0, value - 44)
        found[h] = 0.6 * against_surroundings / 6 + 0.4 * at_all / 10 - bright / 6
    return found


def _mean_red(country: Survey, water: Water) -> dict[Hex, float]:
    """The mean red of each land hex, measured away from all water."""
    grid = country.grid
    points = [(*country.projection(lon, lat), value) for lon, lat, value in redness(country.recipe.water.box)]
    xs, ys, values = zip(*points, strict=True)
    shapely.prepare(water.dry)
    looked_at = zip(xs, ys, values, shapely.contains_xy(water.dry, xs, ys).tolist(), strict=True)
    reds = grouped((hex_at(x, y, grid.orientation), value) for x, y, value, dry in looked_at if dry)
    land = sorted(h for h in reds if h in grid.inside and h not in water.terrain)
    return {h: round(sum(reds[h]) / len(reds[h]), 2) for h in land}
