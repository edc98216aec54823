"""The whole way from a recipe to map files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path

import shapely
from shapely import Polygon

from hexwar.cartography._areas import lay_areas, lay_bank
from hexwar.cartography._border import Border, lay_border
from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import HexsideGraph
from hexwar.cartography._inputs import Geography, read_geography
from hexwar.cartography._links import LinkLayer, Links, join_cities
from hexwar.cartography._places import settle
from hexwar.cartography._projection import fit
from hexwar.cartography._recipe import Recipe, read_recipe
from hexwar.cartography._rivers import RiverLayer, Rivers, bank_holds
from hexwar.cartography._sheets import Drawing, SheetWriter
from hexwar.cartography._terrain import lay_terrain
from hexwar.cartography._water import Water, lay_water
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside


@dataclass(frozen=True, slots=True)
class Built:
    """What came out of a recipe.

    Args:
        files: map id -> text of its file.
        residuals: how far, in hexes, each control point lies from its hex before the warp.
        banks: "town on river" -> whether the town lies on the bank that is told of it.
        lost: rivers too short to be laid on hexsides.
        exits: where lines leave the map: kind of link -> label -> lines.
    """

    files: Mapping[str, str]
    residuals: Mapping[str, float] = field(default_factory=dict)
    banks: Mapping[str, bool] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    exits: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def save(self, folder: Path) -> list[Path]:
        """Write the files below a folder, "ava/kiev" as ``ava/kiev.toml``; each appears whole or not at all."""
        written = []
        for map_id, text in self.files.items():
            path = folder / f"{map_id}.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                Path(name).chmod(0o644)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            written.append(path)
        return written


def build(recipe: Path | Traversable, folder: Path | Traversable | None = None) -> Built:
    """Build all maps of a recipe.

    Args:
        recipe: the recipe file.
        folder: where its inputs are; the recipe's own folder if nothing is said.

    Raises:
        ContentError: if the recipe or an input is wrong; it names the file, the place and the mistake.
        HexwarError: if the packages that hold coast and picture are not installed.
    """
    if folder is None:
        if not isinstance(recipe, Path):
            raise ContentError(recipe.name, "", "say where its inputs are")
        folder = recipe.parent
    keys = read_recipe(recipe)
    return _Workshop(keys, read_geography(folder, keys.inputs), recipe.name).build()


class _Workshop:
    """The stages, in the order in which each needs the ones before it."""

    def __init__(self, recipe: Recipe, geography: Geography, origin: str) -> None:
        self._recipe = recipe
        self._geography = geography
        self._origin = origin
        self._grid = Grid(recipe)
        self._projection = fit(recipe, self._grid, geography.towns, origin)
        self._replaced = self._mask()
        self._graph = HexsideGraph(self._grid)
        self._settlements = settle(self._grid, self._projection, recipe, geography.towns)

    def build(self) -> Built:
        recipe, grid, geography = self._recipe, self._grid, self._geography
        water = self._water()
        self._settlements.name_hexes(grid, water.terrain)
        layer = RiverLayer(grid, self._graph, water, self._settlements, geography.banks, recipe.rivers)
        rivers = layer.lay(geography, self._projection)
        border = self._border(rivers)
        terrain = lay_terrain(grid, self._projection, geography, recipe, water)
        links = self._links(water)
        areas = lay_areas(grid, self._projection, geography, recipe, water.terrain, border.owner)
        areas += [lay_bank(grid, part, (*rivers.of(part.river), *water.sides), water.terrain) for part in recipe.bank]
        sides = self._sides(water, rivers, border, links)
        drawing = Drawing(terrain, sides, {kind: found.chains for kind, found in links.items()}, self._settlements, areas)
        writer = SheetWriter(recipe, grid, drawing, self._origin)
        files = {window.part.id: writer.sheet(window) for window in grid.windows}
        if recipe.board is not None:
            files[recipe.board.id] = writer.board()
        return Built(
            files,
            self._projection.residuals,
            self._banks(rivers),
            tuple(sorted(rivers.lost)),
            {kind: {grid.label(h): tuple(names) for h, names in sorted(found.exits.items())} for kind, found in links.items()},
        )

    def _mask(self) -> dict[Hex, str]:
        """Take unplayable ground off the grid, and tell which of it becomes another terrain instead."""
        replaced: dict[Hex, str] = {}
        for part in self._recipe.mask:
            outline = Polygon([self._projection(*point) for point in part.polygon])
            shapely.prepare(outline)
            hexes = [h for h in self._grid.hexes if shapely.contains_xy(outline, *self._grid.centre(h))]
            if part.becomes is None:
                self._grid.mask(hexes)
            else:
                replaced.update(dict.fromkeys(hexes, part.becomes))
        return replaced

    def _water(self) -> Water:
        cities = [h for name, it in self._settlements.all.items() if self._settlements.rank(name) < 2 for h in it.hexes]
        ruled = [self._grid.at(override.hex) for override in self._recipe.override]
        water = lay_water(self._grid, self._projection, self._recipe.water, (*cities, *ruled))
        water.terrain.update(self._replaced)
        return water

    def _border(self, rivers: Rivers) -> Border:
        if self._recipe.border is None:
            return Border(frozenset(), {})
        return lay_border(
            self._grid, self._graph, self._projection, self._geography, self._settlements, rivers, self._recipe.border
        )

    def _links(self, water: Water) -> dict[str, Links]:
        layer = LinkLayer(self._grid, self._settlements, water.terrain, water.sides, self._recipe.links)
        found = {"rail": layer.lay(self._geography.railways), "road": layer.lay(self._geography.roads)}
        for links in found.values():
            if self._recipe.places.linked:
                join_cities(links, self._settlements, self._grid)
            links.keep_greatest_net()
        return found

    def _sides(
        self, water: Water, rivers: Rivers, border: Border, links: Mapping[str, Links]
    ) -> dict[str, dict[str, list[Hexside]]]:
        part = self._recipe.rivers
        found: dict[str, dict[str, list[Hexside]]] = {part.major: {}, part.minor: {}}
        for side, (feature, name) in rivers.sides.items():
            found[feature].setdefault(name, []).append(side)
        crossed = set().union(*(it.sides for it in links.values()))
        found[part.bridge] = {"": [side for side in rivers.sides if side in crossed]}
        found[part.water_side] = {"": list(water.sides)}
        if self._recipe.border is not None:
            found[self._recipe.border.feature] = {"": list(border.sides)}
        return found

    def _banks(self, rivers: Rivers) -> dict[str, bool]:
        found = {}
        for river, towns in self._geography.banks.items():
            sides = rivers.of(river)
            for town, bank in towns.items():
                hexes = self._settlements.all[town].hexes
                if all(h in self._grid.inside for h in hexes):
                    found[f"{town} on {river}"] = bank_holds(self._grid, self._graph, sides, hexes, bank)
        return found
