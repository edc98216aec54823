"""The numbers printed in the hexes of one map sheet, and the hexes that they mean.

Publishers agree on nothing: which part comes first, where counting starts, which columns or rows are shifted and
which way. A codec states those facts once per sheet; everything above works with hexes or with whole labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from hexwar.hexes._hex import Hex, Orientation

Order: TypeAlias = Literal["columns-first", "rows-first"]
Layout: TypeAlias = Literal["columns", "rows"]
Parity: TypeAlias = Literal["odd", "even"]
Shift: TypeAlias = Literal["up", "down", "east", "west"]

_SHIFTS: Final[dict[str, tuple[str, str]]] = {"columns": ("up", "down"), "rows": ("west", "east")}
_DIGITS: Final = frozenset("0123456789")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCodec:
    """Turns the labels of one sheet into hexes and back; the hex of the first column and first row is ``Hex(0, 0)``.

    Args:
        layout: "columns" where columns stand straight (flat-top hexes), "rows" where rows lie straight (pointy-top hexes).
        shifted: whether the columns (or rows) with odd or with even numbers are out of line with the others.
        shift: which way those are shifted by half a hex: "up" or "down" for columns, "east" or "west" for rows.
        order: which part a label begins with.
        first_column: the number of the westernmost column.
        first_row: the number of the row where counting starts.
        rows_from: the edge where row numbers start.
        digits: the width of each part.
        prefix: letters before the digits that tell the sheets of one game apart.
    """

    layout: Layout
    shifted: Parity
    shift: Shift
    order: Order = "columns-first"
    first_column: int = 1
    first_row: int = 1
    rows_from: Literal["north", "south"] = "north"
    digits: int = 2
    prefix: str = ""

    def __post_init__(self) -> None:
        if self.shift not in _SHIFTS[self.layout]:
            one, other = _SHIFTS[self.layout]
            raise ValueError(f"{self.layout} are shifted {one!r} or {other!r}, not {self.shift!r}")
        if self.digits < 1:
            raise ValueError(f"each part of a label needs at least one digit, not {self.digits}")
        if self.first_column < 0 or self.first_row < 0:
            raise ValueError("columns and rows are counted from 0 or more")
        if self.prefix and not (self.prefix.isascii() and self.prefix.isalpha()):
            raise ValueError(f"the prefix of a label is made of the letters A-Z and a-z, unlike {self.prefix!r}")

    @property
    def orientation(self) -> Orientation:
        """How the hexes stand on this sheet."""
        return "flat" if self.layout == "columns" else "pointy"

    def label(self, h: Hex) -> str:
        """The label of a hex.

        Raises:
            ValueError: if the hex lies before the first column or row, or beyond what the digits can count.
        """
        return self.text(*self.numbers(h))

    def hex(self, label: str) -> Hex:
        """The hex that a label means.

        Raises:
            ValueError: if the text is no label of this sheet.
        """
        digits = label.removeprefix(self.prefix)
        if not label.startswith(self.prefix) or len(digits) != 2 * self.digits or not _DIGITS.issuperset(digits):
            raise ValueError(f"{label!r} is no hex label here; one looks like {self.text(self.first_column, self.first_row)}")
        first, second = int(digits[: self.digits]), int(digits[self.digits :])
        column, row = (first, second) if self.order == "columns-first" else (second, first)
        if column < self.first_column or row < self.first_row:
            raise ValueError(f"{label!r} lies before the first hex, {self.text(self.first_column, self.first_row)}")
        return self.at(column, row)

    def text(self, column: int, row: int) -> str:
        """The label made of two numbers.

        Raises:
            ValueError: if a number lies before the first or needs more digits than a label has.
        """
        first, second = _part("column", column, self.first_column, self.digits), _part("row", row, self.first_row, self.digits)
        return f"{self.prefix}{first}{second}" if self.order == "columns-first" else f"{self.prefix}{second}{first}"

    def at(self, column: int, row: int) -> Hex:
        """The hex in a numbered column and row."""
        across, down = column - self.first_column, row - self.first_row
        if self.rows_from == "south":
            down = -down
        if self.layout == "columns":
            return Hex(across, (2 * down + self._halves(column) - self._halves(self.first_column) - across) // 2)
        return Hex((2 * across + self._halves(row) - self._halves(self.first_row) - down) // 2, down)

    def numbers(self, h: Hex) -> tuple[int, int]:
        """The column and the row of a hex."""
        if self.layout == "columns":
            column = h.q + self.first_column
            down = (2 * h.r + h.q + self._halves(self.first_column) - self._halves(column)) // 2
            return column, self._row(down)
        row = self._row(h.r)
        return (2 * h.q + h.r + self._halves(self.first_row) - self._halves(row)) // 2 + self.first_column, row

    def _row(self, down: int) -> int:
        return self.first_row + (down if self.rows_from == "north" else -down)

    def _halves(self, number: int) -> int:
        """How many half hexes the column or row of this number is out of line, southwards or eastwards."""
        if number % 2 != (self.shifted == "odd"):
            return 0
        return 1 if self.shift in ("down", "east") else -1


@lru_cache(10_000)
def _part(name: str, number: int, least: int, digits: int) -> str:
    """One of the two numbers of a label; a map needs each of them dozens of times."""
    text = str(number).zfill(digits)
    if number < least or len(text) > digits:
        raise ValueError(f"{name} {number} has no label; they run from {least} to {10**digits - 1}")
    return text
