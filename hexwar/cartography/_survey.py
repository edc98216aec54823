"""What every stage of a build reads: the recipe with its geography, and where all of it lies on the grid.

A town stands in a hex and is called something there; several hexes may be one city.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import shapely
from shapely import Polygon

from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import HexsideGraph
from hexwar.cartography._inputs import Geography, Town
from hexwar.cartography._projection import Projection, fit
from hexwar.cartography._recipe import Recipe
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Point, hex_at


@dataclass(frozen=True, slots=True)
class Settlement:
    """A town on the plane.

    Args:
        town: the town on the ground.
        name: what the board calls it.
        point: where it lies.
        hexes: its hexes, on or off the map.
        kind: what it is on the board.
        tags: what else the board says of it.
    """

    town: Town
    name: str
    point: Point
    hexes: tuple[Hex, ...]
    kind: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlements:
    """All towns, and the one that each hex is named after."""

    all: Mapping[str, Settlement]
    ranks: Mapping[str, int]
    named: dict[Hex, str] = field(default_factory=dict)

    def rank(self, name: str) -> int:
        """0 for the greatest kind of place."""
        return self.ranks[self.all[name].kind]

    def name_hexes(self, grid: Grid, water: Mapping[Hex, str]) -> None:
        """Settle what each land hex is called: a hex has one name, that of its greatest town."""
        ordered = sorted(self.all.values(), key=lambda it: self.rank(it.town.name))
        for it in ordered:
            if all(h in grid.inside and h not in water and h not in self.named for h in it.hexes):
                self.named.update(dict.fromkeys(it.hexes, it.town.name))


def settle(grid: Grid, projection: Projection, recipe: Recipe, towns: Mapping[str, Town]) -> Settlements:
    """Put every town in its hex.

    Raises:
        ContentError: if the recipe speaks of towns that do not exist.
    """
    part = recipe.places
    forced = {control.place: control.hexes for control in recipe.control} | part.forced
    tagged = [name for names in part.tags.values() for name in names]
    for name in (*forced, *part.promoted, *part.names, *tagged):
        if name not in towns:
            raise ContentError("recipe", "places", f"{name} is not in the towns file")
    found = {}
    for name, town in towns.items():
        point = projection(town.lon, town.lat)
        hexes = tuple(grid.at(label) for label in forced[name]) if name in forced else (hex_at(*point, grid.orientation),)
        kind = part.promoted.get(name, part.kinds.get(town.kind, ""))
        if not kind:
            raise ContentError("recipe", "places kinds", f"does not say what a {town.kind} becomes, such as {name}")
        tags = tuple(tag for tag, names in part.tags.items() if name in names)
        shown = part.names.get(name, town.modern if part.modern else name)
        found[name] = Settlement(town, shown, point, hexes, kind, tags)
    return Settlements(found, {kind: rank for rank, kind in enumerate(dict.fromkeys(part.kinds.values()))})


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
