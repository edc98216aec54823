"""What every stage of a build reads: the recipe with its geography, and where all of it lies on the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import shapely
from shapely import Polygon

from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import HexsideGraph
from hexwar.cartography._inputs import Geography
from hexwar.cartography._places import Settlements, settle
from hexwar.cartography._projection import Projection, fit
from hexwar.cartography._recipe import Recipe
from hexwar.hexes import Hex


@dataclass(frozen=True, slots=True)
class Survey:
    """The country before anything is drawn.

    Args:
        recipe: how it becomes a map.
        geography: what was read.
        grid: the hexes that remain when unplayable ground is taken off.
        projection: from the ground to the plane.
        graph: the hexsides of the grid.
        settlements: the towns in their hexes.
        replaced: ground that becomes a terrain of its own whatever lies there.
    """

    recipe: Recipe
    geography: Geography
    grid: Grid
    projection: Projection
    graph: HexsideGraph
    settlements: Settlements
    replaced: Mapping[Hex, str]


def survey(recipe: Recipe, geography: Geography, origin: str) -> Survey:
    """Lay out the grid and put the towns on it; ``origin`` is what messages call the recipe."""
    whole = Grid(recipe)
    projection = fit(recipe, whole, geography.towns, origin)
    masked: set[Hex] = set()
    replaced: dict[Hex, str] = {}
    for part in recipe.mask:
        outline = Polygon([projection(*point) for point in part.polygon])
        shapely.prepare(outline)
        hexes = [h for h in whole.hexes if h not in masked and shapely.contains_xy(outline, *whole.centre(h))]
        if part.becomes is None:
            masked.update(hexes)
        else:
            replaced.update(dict.fromkeys(hexes, part.becomes))
    grid = Grid(recipe, masked)
    settlements = settle(grid, projection, recipe, geography.towns)
    return Survey(recipe, geography, grid, projection, HexsideGraph(grid), settlements, replaced)
