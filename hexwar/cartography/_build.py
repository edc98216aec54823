"""The whole way from a recipe to map files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hexwar.cartography._areas import Border, lay_areas, lay_bank, lay_border
from hexwar.cartography._inputs import read_geography
from hexwar.cartography._links import LinkLayer, Links, join_cities
from hexwar.cartography._recipe import read_recipe
from hexwar.cartography._rivers import RiverLayer, Rivers, bank_holds
from hexwar.cartography._sheets import SheetWriter
from hexwar.cartography._survey import Survey, survey
from hexwar.cartography._terrain import Water, lay_terrain, lay_water
from hexwar.files import write_file
from hexwar.grouping import grouped
from hexwar.hexes import Hexside


@dataclass(frozen=True, slots=True)
class Built:
    """What came out of a recipe.

    Args:
        files: map id -> text of its file.
        residuals: how far, in hexes, each control point lies from its hex before the warp.
        banks: "town on river" -> whether the town lies on the bank that is recorded for it.
        lost: rivers too short to be laid on hexsides.
    """

    files: Mapping[str, str]
    residuals: Mapping[str, float]
    banks: Mapping[str, bool]
    lost: tuple[str, ...]

    def save(self, folder: Path) -> list[Path]:
        """Write the files below a folder, "ava/kiev" as ``ava/kiev.toml``; each appears whole or not at all."""
        written = {folder / f"{map_id}.toml": text for map_id, text in self.files.items()}
        for path, text in written.items():
            write_file(path, text, folders=True)
        return list(written)


def build(recipe: Path) -> Built:
    """Build all maps of a recipe, stage by stage: each needs the ones before it.

    Args:
        recipe: the recipe file; its inputs lie beside it.

    Raises:
        ContentError: if the recipe or an input is wrong; it names the file, the place and the mistake.
        HexwarError: if the packages that hold coast and picture are not installed.
    """
    keys = read_recipe(recipe)
    country = survey(keys, read_geography(recipe.parent, keys.inputs), recipe.name)
    grid, settlements = country.grid, country.settlements
    water = _water(country)
    settlements.name_hexes(grid, water.terrain)
    rivers = RiverLayer(country, water).lay()
    border = lay_border(country, rivers)
    links = _links(country, water)
    areas = lay_areas(country, water.terrain, border.owner)
    areas += [lay_bank(grid, part, (*rivers.of(part.river), *water.sides), water.terrain) for part in keys.bank]
    writer = SheetWriter(
        keys,
        grid,
        settlements,
        lay_terrain(country, water),
        _sides(country, water, rivers, border, links),
        {kind: found.chains for kind, found in links.items()},
        areas,
        recipe.name,
    )
    files = {window.part.id: writer.sheet(window) for window in grid.windows}
    if keys.board is not None:
        files[keys.board.id] = writer.board(keys.board)
    return Built(files, country.projection.residuals, _banks(country, rivers), tuple(sorted(rivers.lost)))


def _water(country: Survey) -> Water:
    cities = [h for name, it in country.settlements.all.items() if country.settlements.rank(name) < 2 for h in it.hexes]
    ruled = [country.grid.at(override.hex) for override in country.recipe.override]
    water = lay_water(country.grid, country.projection, country.recipe.water, (*cities, *ruled))
    water.terrain.update(country.replaced)
    return water


def _links(country: Survey, water: Water) -> dict[str, Links]:
    layer = LinkLayer(country.grid, country.settlements, water.terrain, water.sides, country.recipe.links)
    found = {"rail": layer.lay(country.geography.railways), "road": layer.lay(country.geography.roads)}
    for links in found.values():
        if country.recipe.places.linked:
            join_cities(links, country.settlements, country.grid)
        links.keep_greatest_net()
    return found


def _sides(
    country: Survey, water: Water, rivers: Rivers, border: Border, links: Mapping[str, Links]
) -> dict[str, dict[str, list[Hexside]]]:
    part = country.recipe.rivers
    found: dict[str, dict[str, list[Hexside]]] = {
        feature: grouped((name, side) for side, (kind, name) in rivers.sides.items() if kind == feature)
        for feature in (part.major, part.minor)
    }
    crossed = set().union(*(it.sides for it in links.values()))
    found[part.bridge] = {"": [side for side in rivers.sides if side in crossed]}
    found[part.water_side] = {"": list(water.sides)}
    if country.recipe.border is not None:
        found[country.recipe.border.feature] = {"": list(border.sides)}
    return found


def _banks(country: Survey, rivers: Rivers) -> dict[str, bool]:
    told = [(river, town, bank) for river, towns in country.geography.banks.items() for town, bank in towns.items()]
    hexes = {town: country.settlements.all[town].hexes for _, town, _ in told}
    return {
        f"{town} on {river}": bank_holds(country, rivers.of(river), hexes[town], bank)
        for river, town, bank in told
        if country.grid.inside.issuperset(hexes[town])
    }
