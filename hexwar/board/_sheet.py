"""One map sheet: from the keys of its file to board content."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hexwar.board._content import BoardContent, HexContent
from hexwar.board._features import FeatureReader, placed
from hexwar.errors import ContentError, UnknownName
from hexwar.hexes import Hex, LabelCodec

if TYPE_CHECKING:
    from hexwar.board._mapfile import MapFile

_NO_HEX: Final = "-"


class Sheet:
    """The content of a map file, and the label codec that it is written with."""

    def __init__(self, source: str, keys: MapFile) -> None:
        self._source = source
        self._keys = keys
        self._codec = self._make_codec()
        # Every label that a file mentions is looked up, most of them often: a dict is several times faster than the codec.
        self._labels: dict[Hex, str] = {}
        self._terrain = self._read_block()
        self._by_label = {label: h for h, label in self._labels.items()}
        reader = FeatureReader(source, keys, self._codec.orientation, self._find, self._span)
        properties = {}
        names = tuple(dict.fromkeys(keys.terrain.legend.values()))
        for h, part in reader.overrides().items():
            if part.terrain is not None:
                if part.terrain not in names:
                    raise ContentError(source, f"hex {part.hex}", f"{UnknownName('terrain of the legend', part.terrain, names)}")
                self._terrain[h] = part.terrain
            properties[h] = MappingProxyType(dict(part.properties))
        label = self._labels.__getitem__
        self.content = BoardContent(
            id=keys.id,
            title=keys.title,
            orientation=self._codec.orientation,
            hexes={
                h: HexContent((label(h),), terrain, properties[h]) if h in properties else HexContent((label(h),), terrain)
                for h, terrain in self._terrain.items()
            },
            sides=reader.sides(),
            links=reader.links(),
            places=tuple(placed(part, [label(h) for h in hexes]) for part, hexes in reader.places()),
            areas={name: tuple(label(h) for h in hexes) for name, hexes in reader.areas().items()},
            terrain_names=names,
            provenance=MappingProxyType(dict(keys.provenance)),
        )

    def _make_codec(self) -> LabelCodec:
        grid = self._keys.grid
        try:
            codec = LabelCodec(
                layout=grid.layout,
                shifted=grid.shifted,
                shift=grid.shift,
                order=grid.order,
                first_column=grid.first_column,
                first_row=grid.first_row,
                rows_from=grid.rows_from,
                digits=grid.digits,
                prefix=grid.prefix,
            )
            codec.text(grid.first_column + grid.columns - 1, grid.first_row + grid.rows - 1)
        except ValueError as error:
            raise ContentError(self._source, "grid", f"{error}") from None
        return codec

    def _read_block(self) -> dict[Hex, str]:
        grid, legend = self._keys.grid, self._keys.terrain.legend
        lines = [line.split() for line in self._keys.terrain.rows.splitlines()]
        rows = ["".join(line) for line in lines if line]
        if len(rows) != grid.rows:
            raise ContentError(
                self._source, "terrain rows", f"there are {len(rows)} rows of terrain, but grid rows is {grid.rows}"
            )
        found: dict[Hex, str] = {}
        for k, row in enumerate(rows):
            number = grid.first_row + (k if grid.rows_from == "north" else grid.rows - 1 - k)
            if len(row) != grid.columns:
                where, kind = f"terrain row {number}", "too long" if len(row) > grid.columns else "too short"
                raise ContentError(self._source, where, f"is {kind}: it has {len(row)} hexes, but grid columns is {grid.columns}")
            for column, symbol in enumerate(row, grid.first_column):
                if symbol == _NO_HEX:
                    continue
                if symbol not in legend:
                    known = " ".join(legend)
                    raise ContentError(
                        self._source,
                        f"hex {self._codec.text(column, number)}",
                        f"the terrain symbol {symbol!r} is not in the legend, which has {known} (and {_NO_HEX} for no hex)",
                    )
                h = self._codec.at(column, number)
                found[h] = legend[symbol]
                self._labels[h] = self._codec.text(column, number)
        if not found:
            raise ContentError(self._source, "terrain rows", "there is no hex at all; every symbol is -")
        return found

    def _find(self, label: str, where: str) -> Hex:
        known = self._by_label.get(label)
        if known is not None:
            return known
        try:
            h = self._codec.hex(label)
        except ValueError as error:
            raise ContentError(self._source, where, f"{error}") from None
        grid = self._keys.grid
        column, row = self._codec.numbers(h)
        last_column, last_row = grid.first_column + grid.columns - 1, grid.first_row + grid.rows - 1
        if column <= last_column and row <= last_row:
            raise ContentError(self._source, where, f"hex {label} is off the map: the terrain block leaves it out with {_NO_HEX}")
        first, last = self._codec.text(grid.first_column, grid.first_row), self._codec.text(last_column, last_row)
        raise ContentError(self._source, where, f"hex {label} is off the map, which runs from {first} to {last}")

    def _span(self, first: str, last: str, where: str) -> list[str]:
        (column, row), (end_column, end_row) = (self._codec.numbers(self._find(label, where)) for label in (first, last))
        if column == end_column and row <= end_row:
            return [self._codec.text(column, k) for k in range(row, end_row + 1)]
        if row == end_row and column <= end_column:
            return [self._codec.text(k, row) for k in range(column, end_column + 1)]
        raise ContentError(self._source, where, f"{first}..{last} does not run forwards within one column or one row")
