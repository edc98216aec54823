"""The map as text, for terminals: hexes drawn with slashes, units by their ids, in plain ASCII.

Good for a board of some hundred hexes; larger ones are shown only around the units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from hexwar.board import AnyBoard, AreaBoard, Board, PlaneBoard
from hexwar.engine import Picture, Piece
from hexwar.errors import HexwarError
from hexwar.hexes import neighbour

MOST_HEXES = 400
ROOM = 8
"""Letters in a line inside a hex."""
COLOURS = ("blue", "red", "green", "magenta", "cyan", "yellow")

# Where the strokes of the six sides stand around a hex's middle, by direction: (dx, dy, character).
_FLAT = (
    tuple((x, -2, "_") for x in range(-3, 3)),
    ((3, -1, "\\"), (4, 0, "\\")),
    ((4, 1, "/"), (3, 2, "/")),
    tuple((x, 2, "_") for x in range(-3, 3)),
    ((-5, 1, "\\"), (-4, 2, "\\")),
    ((-4, -1, "/"), (-5, 0, "/")),
)
_POINTY = (
    ((-3, -2, "."), (-2, -2, "-"), (-1, -2, "'")),
    ((1, -2, "'"), (2, -2, "-"), (3, -2, ".")),
    tuple((5, y, "|") for y in (-1, 0, 1)),
    ((2, 2, "."), (3, 2, "-"), (4, 2, "'")),
    ((-4, 2, "'"), (-3, 2, "-"), (-2, 2, ".")),
    tuple((-5, y, "|") for y in (-1, 0, 1)),
)


def text_map(
    picture: Picture,
    *,
    colour: bool = False,
    only: Iterable[str] | None = None,
    notes: Mapping[str, str] | None = None,
) -> str:
    """Write a picture as text: hexes are drawn, boards of other kinds are listed place by place.

    Args:
        picture: what may be shown.
        colour: with colours for the sides and for rivers; the caller strips them where they are not wanted.
        only: the hexes that are drawn; all, or on a large board those around the units, if None.
        notes: hex -> what is written there in place of its terrain.

    Raises:
        HexwarError: there is no board, or `only` some hexes are wanted of one that has none.
    """
    board, standing = picture.board, _standing(picture)
    if not isinstance(board, Board):
        if board is None:
            raise HexwarError("this game has no board")
        if only is not None:
            raise HexwarError("only a board of hexes can be shown in part")
        return "\n".join(_listed(board, standing))
    drawing = _Drawing(board, colour=colour)
    sides = dict.fromkeys((*picture.colours, *(piece.side for piece in picture.pieces)))
    colours = dict(zip(sides, COLOURS, strict=False)) if colour else {}
    for label in _worth_showing(board, standing) if only is None else only:
        drawing.hex(label, colours.get(picture.control.get(label, "")), (notes or {}).get(label))
        here = standing.get(label)
        if here:
            drawing.line(label, 0, _stacked(tuple(piece.id for piece in here)), colours.get(here[0].side))
    return drawing.text()


def _standing(picture: Picture) -> dict[Any, list[Piece]]:
    """Place on the board -> the pieces there."""
    found: dict[Any, list[Piece]] = {}
    for piece in picture.pieces if picture.board is not None else ():
        if piece.place in picture.board:
            found.setdefault(piece.place, []).append(piece)
    return found


def _listed(board: AnyBoard, standing: Mapping[Any, Sequence[Piece]]) -> Iterator[str]:
    """Areas with their neighbours and pieces; on a plane, pieces with their coordinates."""
    if isinstance(board, AreaBoard):
        for label in board.labels:
            here = ", ".join(piece.id for piece in standing.get(label, ())) or "nobody"
            yield f"{board.names.get(label, label)} ({label}): {here}; next to {', '.join(board.neighbours(label)) or 'nothing'}"
        return
    size = f"{board.width} x {board.height} {board.unit}".strip() if isinstance(board, PlaneBoard) else board.kind
    yield f"{board.title or board.id}: {size}"
    for place, pieces in standing.items():
        yield f"{', '.join(map(str, place))}: {', '.join(piece.id for piece in pieces)}"


def _stacked(units: tuple[str, ...]) -> str:
    """All of a stack if there is room for that, or its first unit and how many more there are."""
    text, more = " ".join(units), f"+{len(units) - 1}"
    return text if len(text) <= ROOM else units[0][: ROOM - len(more)] + more if len(units) > 1 else text


def _shorter(terrain: str) -> str:
    """Light-forest as "l.forest"."""
    first, hyphen, last = terrain.partition("-")
    return f"{first[0]}.{last}" if hyphen and len(terrain) > ROOM else terrain


class _Drawing:
    """Letters at places."""

    def __init__(self, board: Board, *, colour: bool) -> None:
        self._board = board
        self._colour = colour
        self._flat = board.orientation == "flat"
        self._canvas: dict[tuple[int, int], str] = {}

    def _middle(self, label: str) -> tuple[int, int]:
        x, y = self._board.centre(label)
        return (round(x / 0.866) * 8, round(y * 2) * 2) if self._flat else (round(x * 2) * 5, round(y / 0.866) * 4)

    def _write(self, x: int, y: int, text: str, tint: str | None) -> None:
        for offset, letter in enumerate(text):
            if letter != " ":
                self._canvas[y, x + offset] = click.style(letter, fg=tint, bold=True) if tint else letter

    def line(self, label: str, row: int, text: str, tint: str | None) -> None:
        """A line of text inside a hex."""
        x, y = self._middle(label)
        self._write(x - 4, y + row, text[:ROOM].center(ROOM), tint)

    def hex(self, label: str, tint: str | None, note: str | None = None) -> None:
        """The outline of a hex, its label, and its place or terrain, or something else."""
        board = self._board
        x, y = self._middle(label)
        for d, strokes in enumerate(_FLAT if self._flat else _POINTY):
            near = board.at(neighbour(board.hex(label), d))
            features = board.side(label, near) if near is not None else frozenset()
            for dx, dy, stroke in strokes:
                if features:
                    self._write(x + dx, y + dy, "~", "cyan" if self._colour else None)
                elif (y + dy, x + dx) not in self._canvas:
                    self._write(x + dx, y + dy, stroke, None)
        self.line(label, -1, label[:6], None)
        place = board.place(label)
        plain = "" if board.terrain(label) in ("clear", "plain") else board.terrain(label)
        known = place.name if place else _shorter(plain)
        self.line(label, 1, known if note is None else note, tint if place and note is None else None)

    def text(self) -> str:
        """All of it."""
        canvas = self._canvas
        left, last = min(x for _, x in canvas), max(x for _, x in canvas)
        rows = range(min(y for y, _ in canvas), max(y for y, _ in canvas) + 1)
        return "\n".join("".join(canvas.get((y, x), " ") for x in range(left, last + 1)).rstrip() for y in rows)


def _worth_showing(board: Board, standing: Iterable[str]) -> list[str]:
    if len(board) <= MOST_HEXES:
        return list(board.labels)
    near = {label for here in standing for label in board.disk(here, 2)}
    return [label for label in board.labels if label in near] or list(board.labels)
