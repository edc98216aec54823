"""The common grid of a game: all hexes of all sheets in one system of coordinates, and the labels that each sheet gives them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import shapely
from shapely import Polygon

from hexwar.cartography._recipe import GridPart, Recipe, SheetPart
from hexwar.errors import ContentError
from hexwar.hexes import Hex, Hexside, LabelCodec, Orientation, Point, centre, corners, neighbours


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the grid that one sheet shows."""

    part: SheetPart
    codec: LabelCodec
    hexes: frozenset[Hex]

    def label(self, h: Hex) -> str:
        """What this sheet prints in a hex."""
        column, row = self.codec.numbers(h)
        return self.codec.text(column, row - self.part.offset)

    def hex(self, label: str) -> Hex:
        """The hex that a label of this sheet means."""
        column, row = self.codec.numbers(self.codec.hex(label))
        return self.codec.at(column, row + self.part.offset)


class Grid:
    """All hexes of a game.

    Args:
        recipe: gives the grid and the sheets.
        masked: hexes that are taken off the map.
    """

    def __init__(self, recipe: Recipe, masked: Collection[Hex] = ()) -> None:
        self.windows = [_window(recipe.grid, sheet) for sheet in recipe.sheet]
        self.orientation: Orientation = self.windows[0].codec.orientation
        self.inside = frozenset().union(*(window.hexes for window in self.windows)).difference(masked)
        """The hexes."""
        self.hexes = tuple(sorted(self.inside))
        """The same in a fixed order."""

    def at(self, label: str) -> Hex:
        """The hex with a label of any sheet.

        Raises:
            ContentError: if no sheet has it.
        """
        for window in self.windows:
            try:
                h = window.hex(label)
            except ValueError:
                continue
            if h in window.hexes:
                return h
        raise ContentError("recipe", f"hex {label}", "lies on no sheet")

    def label(self, h: Hex) -> str:
        """The label of a hex on the topmost sheet that shows it."""
        return next(window.label(h) for window in reversed(self.windows) if h in window.hexes)

    def side(self, text: str) -> Hexside:
        """The side that a string such as 'L1522|L1523' names."""
        a, _, b = text.partition("|")
        try:
            return Hexside.between(self.at(a), self.at(b))
        except ValueError:
            raise ContentError("recipe", f"hexside {text}", "its two hexes are not adjacent") from None

    def centre(self, h: Hex) -> Point:
        """The middle of a hex on the plane."""
        return centre(h, self.orientation)

    def around(self, h: Hex) -> tuple[Hex, ...]:
        """The neighbours on the map."""
        return tuple(other for other in neighbours(h) if other in self.inside)

    @cached_property
    def cells(self) -> dict[Hex, Polygon]:
        """The hexes as polygons."""
        return {h: Polygon(corners(h, self.orientation)) for h in self.hexes}

    @cached_property
    def sides(self) -> tuple[Hexside, ...]:
        """Every hexside of the map, those of its edge included, in a fixed order; the place in it settles ties."""
        return tuple(sorted({Hexside.of(h, d) for h in self.hexes for d in range(6)}))

    @cached_property
    def ground(self) -> shapely.Geometry:
        """All cells together."""
        return shapely.union_all(list(self.cells.values()))

    def graph(self, walls: Iterable[Hexside] = (), closed: Collection[Hex] = ()) -> nx.Graph[Hex]:
        """The hexes as a graph whose edges know their ``side``, without some sides and hexes."""
        return nx.restricted_view(self._graph, closed, [side.hexes for side in walls]).copy()

    @cached_property
    def _graph(self) -> nx.Graph[Hex]:
        found: nx.Graph[Hex] = nx.Graph()
        found.add_nodes_from(self.hexes)
        found.add_edges_from((*side.hexes, {"side": side}) for side in self.sides if self.inside.issuperset(side.hexes))
        return found


def _window(grid: GridPart, part: SheetPart) -> Window:
    codec = LabelCodec(**grid.model_dump(exclude={"columns"}), prefix=part.prefix)
    if grid.layout == "rows" and part.offset % 2:
        raise ContentError("recipe", f"sheet {part.id}", "an odd offset would shift the wrong rows")
    columns, rows = range(1, grid.columns + 1), range(1, part.rows + 1)
    return Window(part, codec, frozenset(codec.at(column, row + part.offset) for row in rows for column in columns))
