"""Boards as GeoJSON (RFC 7946), for programs that know nothing of hexes.

A board that was built from a recipe lies somewhere on the ground: the recipe's projection, taken backwards, gives every corner
its longitude and latitude. The projection has no closed inverse, because the warp has none, so it is solved for numerically.

Other boards lie nowhere. GeoJSON without longitude and latitude is no GeoJSON, so it is never written by accident: such a board
is exported only where its own plane is asked for, and then says so in a foreign member.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from hexwar.board import Board
from hexwar.cartography._grid import Grid
from hexwar.cartography._inputs import read_geography
from hexwar.cartography._projection import fit
from hexwar.cartography._recipe import read_recipe
from hexwar.errors import HexwarError
from hexwar.grouping import grouped
from hexwar.hexes import Hex, Hexside, Point, Vertex, centre, vertex_point

DIGITS: Final = 5
"""Decimals of a coordinate: a metre on the ground, far below the size of any hex."""

_STEP: Final = 1e-3
"""Degrees between the points from which a slope is taken: wide against the rounding of the projection, narrow against a hex."""

_NEAR: Final = 2e-6
"""Hexes; the projection rounds its results, so nothing comes nearer than this."""

_MOST_ROUNDS: Final = 40


class Georeference:
    """Where the hexes of a recipe's maps lie on the ground.

    Args:
        recipe: its file; the inputs lie beside it.

    Raises:
        ContentError: if an input is wrong, or the control points do not decide the projection.
    """

    def __init__(self, recipe: Path) -> None:
        keys = read_recipe(recipe)
        self.maps = frozenset(part.id for part in (*keys.sheet, keys.board) if part is not None)
        """The ids of the maps that the recipe builds."""
        self.grid = Grid(keys)
        """The common grid of those maps."""
        towns = read_geography(recipe.parent, keys.inputs).towns
        self.project = fit(keys, self.grid, towns)
        controls = [towns[part.place] for part in keys.control]
        self._start = (sum(it.lon for it in controls) / len(controls), sum(it.lat for it in controls) / len(controls))

    def ground(self, point: Point) -> tuple[float, float]:
        """The longitude and latitude of a point of the common grid, unrounded.

        Newton's method from the middle of the control points; far outside them, where the warp is gone, it is almost linear.

        Raises:
            HexwarError: if the point lies so far outside that the projection never reaches it.
        """
        lon, lat = self._start
        for _ in range(_MOST_ROUNDS):
            x, y = self.project(lon, lat)
            dx, dy = point[0] - x, point[1] - y
            if math.hypot(dx, dy) <= _NEAR:
                return lon, lat
            east, north = self.project(lon + _STEP, lat), self.project(lon, lat + _STEP)
            a, b, c, d = ((east[0] - x) / _STEP, (north[0] - x) / _STEP, (east[1] - y) / _STEP, (north[1] - y) / _STEP)
            scale = a * d - b * c
            if not scale:
                break
            lon += (dx * d - dy * b) / scale
            lat = max(-89.0, min(89.0, lat + (dy * a - dx * c) / scale))
        raise HexwarError(f"the point {point[0]:.2f}, {point[1]:.2f} of the map lies nowhere on the ground")


def export_geojson(board: Board, where: Georeference | None) -> str:
    """A board as GeoJSON text; the same board gives the same bytes.

    Every feature tells in its property ``layer`` what it is: "hex" (a polygon), "hexside" (a line, one for each feature of a
    side), "link" (a line between the middles of two hexes) or "place" (the middle of its first hex).

    Args:
        board: the board.
        where: its place on the ground; without it, coordinates are those of the board's plane, ``y`` growing northwards.

    Raises:
        HexwarError: if the board is not a map of the recipe.
    """
    if where is not None and board.id not in where.maps:
        raise HexwarError(f"{board.id} is no map of this recipe; it builds {', '.join(sorted(where.maps))}")
    features = list(_features(board, where))
    about = {"board": board.id, "title": board.title, "digest": board.digest}
    if where is None:
        about["coordinates"] = "the plane of the board, in hexes from side to side; not longitude and latitude"
    head = {"type": "FeatureCollection", "bbox": _box(features), "hexwar": about}
    lines = ",\n".join(json.dumps(feature, ensure_ascii=False, separators=(", ", ": ")) for feature in features)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "features": [\n{lines}\n]}}\n'


def _features(board: Board, where: Georeference | None) -> Iterator[dict[str, Any]]:
    # A sheet on its own counts its hexes from its own corner; the labels say where that lies on the common grid.
    first = next(iter(board.content.hexes))
    target = where.grid.at(board.labels[0]) if where is not None else first
    content = board.content.moved(Hex(target.q - first.q, target.r - first.r))
    by_label, areas = content.by_label, grouped((label, name) for name, labels in board.areas.items() for label in labels)

    @cache  # hexes share their corners
    def placed(point: Point) -> list[float]:
        lon, lat = where.ground(point) if where is not None else (point[0], -point[1])
        # Adding zero makes a negative zero positive, which would be other bytes.
        return [round(lon, DIGITS) + 0.0, round(lat, DIGITS) + 0.0]

    def middle(h: Hex) -> list[float]:
        return placed(centre(h, board.orientation))

    def corner(v: Vertex) -> list[float]:
        return placed(vertex_point(v, board.orientation))

    def lines(
        layer: str, word: str, printed: Mapping[Hexside, Iterable[str]], line: Callable[[Hexside], list[list[float]]]
    ) -> Iterator[dict[str, Any]]:
        for side in sorted(printed):
            labels = [content.hexes[h].labels[0] for h in side.hexes if h in content.hexes]
            # With one hex, the edge of the map has several such sides, so the direction follows.
            edge = f"{labels[0]}/{side.d if side.hex in content.hexes else side.d + 3}"
            name = "|".join(labels) if len(labels) == 2 else edge
            for what in sorted(printed[side]):
                yield _feature(f"{what} {name}", layer, "LineString", line(side), {word: what, "hexes": labels})

    for h, printed in content.hexes.items():
        label = printed.labels[0]
        place = board.place(label)
        optional = {
            "aliases": list(printed.labels[1:]),
            "place": place.name if place is not None else "",
            "areas": areas.get(label),
            "properties": dict(printed.properties),
        }
        given = {name: value for name, value in optional.items() if value}
        # The corners counterclockwise, as the standard wants an outer ring, the first one again at the end.
        ring = [corner(Vertex.of(h, k)) for k in (5, 4, 3, 2, 1, 0, 5)]
        yield _feature(f"hex {label}", "hex", "Polygon", [ring], {"label": label, "terrain": printed.terrain, **given})
    yield from lines("hexside", "feature", content.sides, lambda side: [*map(corner, side.vertices)])
    yield from lines("link", "kind", content.links, lambda side: [*map(middle, side.hexes)])
    for place in board.places:
        properties = {"name": place.name, "kind": place.kind, "hexes": list(place.hexes), "value": place.value}
        if place.tags:
            properties["tags"] = sorted(place.tags)
        yield _feature(f"place {place.name}", "place", "Point", middle(by_label[place.hex]), properties)


def _feature(name: str, layer: str, shape: str, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": name,
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": {"layer": layer, **properties},
    }


def _box(features: Iterable[dict[str, Any]]) -> list[float]:
    """West, south, east, north of all cells."""
    cells = [feature["geometry"]["coordinates"][0] for feature in features if feature["properties"]["layer"] == "hex"]
    return [most(corner[axis] for cell in cells for corner in cell) for most in (min, max) for axis in (0, 1)]
