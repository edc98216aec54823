"""One map sheet: from the keys of its file to board content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexwar.board._content import BoardContent, HexContent
from hexwar.board._features import Features
from hexwar.errors import ContentError
from hexwar.hexes import Hex, LabelCodec

if TYPE_CHECKING:
    from hexwar.board._mapfile import GridPart, MapFile

_NO_HEX: Final = "-"


def sheet_content(source: str, keys: MapFile) -> BoardContent:
    """The content of a map file.

    Args:
        source: what messages call the file.
        keys: the file.

    Raises:
        ContentError: if the terrain block does not fit the grid, or anything else is wrong.
    """
    grid = keys.grid
    try:
        codec = LabelCodec(**grid.model_dump(exclude={"columns", "rows"}))
        codec.text(*_last(grid))
    except ValueError as error:
        raise ContentError(source, "grid", f"{error}") from None
    bare = BoardContent(
        id=keys.id,
        title=keys.title,
        orientation=codec.orientation,
        hexes=_read_block(source, keys, codec),
        terrain_names=tuple(dict.fromkeys(keys.terrain.legend.values())),
        provenance=keys.provenance,
    )
    return _SheetFeatures(source, keys, bare, codec).added()


def _last(grid: GridPart) -> tuple[int, int]:
    """The numbers of the last column and the last row."""
    return grid.first_column + grid.columns - 1, grid.first_row + grid.rows - 1


def _read_block(source: str, keys: MapFile, codec: LabelCodec) -> dict[Hex, HexContent]:
    grid, legend = keys.grid, keys.terrain.legend
    lines = ["".join(line.split()) for line in keys.terrain.rows.splitlines()]
    rows = [line for line in lines if line]
    if len(rows) != grid.rows:
        raise ContentError(source, "terrain rows", f"there are {len(rows)} rows of terrain, but grid rows is {grid.rows}")
    found: dict[Hex, HexContent] = {}
    for k, row in enumerate(rows):
        number = grid.first_row + (k if grid.rows_from == "north" else grid.rows - 1 - k)
        if len(row) != grid.columns:
            size = f"too {'long' if len(row) > grid.columns else 'short'}: it has {len(row)} hexes"
            raise ContentError(source, f"terrain row {number}", f"is {size}, but grid columns is {grid.columns}")
        for column, symbol in enumerate(row, grid.first_column):
            label = codec.text(column, number)
            if symbol in legend:
                found[codec.at(column, number)] = HexContent((label,), legend[symbol])
            elif symbol != _NO_HEX:
                known = f"{' '.join(legend)} (and {_NO_HEX} for no hex)"
                raise ContentError(
                    source, f"hex {label}", f"the terrain symbol {symbol!r} is not in the legend, which has {known}"
                )
    if not found:
        raise ContentError(source, "terrain rows", f"there is no hex at all; every symbol is {_NO_HEX}")
    return found


class _SheetFeatures(Features):
    """The features of a sheet, whose labels follow a codec: it knows why a label is wrong and what lies between two."""

    def __init__(self, source: str, keys: MapFile, content: BoardContent, codec: LabelCodec) -> None:
        super().__init__(source, keys, content)
        self._grid = keys.grid
        self._codec = codec

    def _find(self, label: str, where: str) -> Hex:
        if label in self._by_label:
            return self._by_label[label]
        try:
            column, row = self._codec.numbers(self._codec.hex(label))
        except ValueError as error:
            raise ContentError(self._source, where, f"{error}") from None
        last = _last(self._grid)
        why = f": the terrain block leaves it out with {_NO_HEX}"
        if column > last[0] or row > last[1]:
            first = self._codec.text(self._grid.first_column, self._grid.first_row)
            why = f", which runs from {first} to {self._codec.text(*last)}"
        raise ContentError(self._source, where, f"hex {label} is off the map{why}")

    def _span(self, first: str, last: str, where: str) -> list[str]:
        (column, row), (end_column, end_row) = (self._codec.numbers(self._find(label, where)) for label in (first, last))
        if column == end_column and row <= end_row:
            return [self._codec.text(column, k) for k in range(row, end_row + 1)]
        if row == end_row and column <= end_column:
            return [self._codec.text(k, row) for k in range(column, end_column + 1)]
        raise ContentError(self._source, where, f"{first}..{last} does not run forwards within one column or one row")
