"""The map as text, for terminals: hexes drawn with slashes, units by their ids and strengths, in plain ASCII.

Good for a board of some hundred hexes; larger ones are shown only around the units, or as much as fits a window.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import click

from hexwar.board import AnyBoard, AreaBoard, Board, PlaneBoard
from hexwar.engine import Picture, Piece
from hexwar.errors import HexwarError
from hexwar.grouping import grouped
from hexwar.hexes import neighbour
from hexwar.plane import contains, within
from hexwar.table.chronicle import folded

MOST_HEXES = 400
ROOM = 8
"""Letters in a line inside a hex."""
LINKS = {" and ": "#", "road": ":", "rail": "+", "": "%"}
"""What is written where a link crosses a hexside; the last for all others."""
SIDES = {"major": "=", "river": "~", "water": "~", "line": "*", "block": "x", "": "o"}
"""What a hexside is drawn with, by a part of a feature's name; the last for all others."""
BRIDGE = "bridge"
"""A feature that is where a link crosses, and so needs no mark of its own."""
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
        here = standing.get(label, [])
        strength, note = _strength(here), (notes or {}).get(label)
        drawing.hex(label, colours.get(picture.control.get(label, "")), note or strength, is_full=bool(strength))
        if here:
            drawing.line(label, 0, _stacked(tuple(map(_facing, here))), colours.get(here[0].side))
            drawing.explain_headings(here)
    return "\n".join([drawing.text(), *drawing.legend()])


def around(board: Board, label: str, columns: int, lines: int) -> list[str]:
    """The hexes around one that fit into a window; all, if they do."""
    middles = {near: _middle(board, near) for near in board.labels}
    x, y = zip(*middles.values(), strict=True)
    left, top = _first(middles[label][0], x, columns - 12), _first(middles[label][1], y, lines - 10)
    inside = (range(left, left + columns - 11), range(top, top + lines - 9))
    return [near for near, (across, down) in middles.items() if across in inside[0] and down in inside[1]]


def _first(at: int, span: Sequence[int], room: int) -> int:
    """Where a window begins: about a place, and not beyond the edges of the board."""
    return max(min(span), min(at - room // 2, max(span) - room))


def _strength(pieces: Sequence[Piece]) -> str:
    """The values of a piece as they are printed; of several, the sums of the first two, attack and defence."""
    values = [piece.values.split("–") for piece in pieces if piece.values]
    if len(values) < 2:
        return "-".join(values[0]) if values else ""
    counted = [printed[:2] for printed in values if printed[1:] and all(map(str.isdecimal, printed[:2]))]
    return "-".join(str(sum(map(int, numbers))) for numbers in zip(*counted, strict=True))


def _standing(picture: Picture) -> dict[Any, list[Piece]]:
    """Place on the board -> the pieces there."""
    board = picture.board or ()
    return grouped((piece.place, piece) for piece in picture.pieces if piece.place in board)


def _listed(board: AnyBoard, standing: Mapping[Any, Sequence[Piece]]) -> Iterator[str]:
    """Areas with their neighbours and pieces; on a plane, pieces with their coordinates."""
    if isinstance(board, AreaBoard):
        for label in board.labels:
            here = ", ".join(map(_facing, standing.get(label, ()))) or "nobody"
            yield f"{board.names.get(label, label)} ({label}): {here}; next to {', '.join(board.neighbours(label)) or 'nothing'}"
        return
    size = f"{board.width} x {board.height} {board.unit}".strip() if isinstance(board, PlaneBoard) else board.kind
    yield f"{board.title or board.id}: {size}"
    for place, pieces in standing.items():
        yield f"{', '.join(map(str, place))}: {', '.join(map(_facing, pieces))}"
    if isinstance(board, PlaneBoard):
        yield from _raster(board, standing)


LETTERS = 60
"""How many letters wide a table is drawn."""


def _raster(board: PlaneBoard, standing: Mapping[Any, Sequence[Piece]]) -> Iterator[str]:
    """A table in letters: of what covers it the first letter of its kind, of lines a capital, and pieces by their ids."""
    wide = -(-board.width // LETTERS)
    high = 2 * wide
    zones = [(zone.terrain, tuple(zone.outline)) for zone in board.zones]
    legs = [(line.kind, tuple(leg)) for line in board.lines for leg in pairwise(line.points)]
    rows = []
    for y in range(high // 2, board.height, high):
        row = []
        for x in range(wide // 2, board.width, wide):
            crossing = [kind for kind, leg in legs if within(((x, y),), leg, wide)]
            covering = [kind for kind, ring in zones if contains(ring, (x, y))]
            row.append(crossing[-1][0].upper() if crossing else covering[-1][0].lower() if covering else ".")
        rows.append(row)
    for (x, y), pieces in standing.items():
        row = rows[min(y // high, len(rows) - 1)]
        name = pieces[-1].id[:ROOM]
        first = max(0, min(x // wide - (len(name) - 1) // 2, len(row) - len(name)))
        row[first : first + len(name)] = name
    yield from map("".join, rows)
    kinds = dict.fromkeys([kind for kind, _ in zones]), dict.fromkeys([kind for kind, _ in legs])
    letters = [f"{kind[0].lower()} {kind}" for kind in kinds[0]] + [f"{kind[0].upper()} {kind}" for kind in kinds[1]]
    yield folded(", ".join([f"a letter is {wide} by {high} {board.unit}".rstrip(), *letters]), "", "  ")


def _facing(piece: Piece) -> str:
    """The id of a piece, with its heading if it has one: "b1>60"."""
    return piece.id if piece.heading is None else f"{piece.id}>{piece.heading}"


def _stacked(units: tuple[str, ...]) -> str:
    """All of a stack if there is room for that, or its first unit and how many more there are."""
    text, more = " ".join(units), f"+{len(units) - 1}"
    return text if len(text) <= ROOM else units[0][: ROOM - len(more)] + more if len(units) > 1 else text


def _shorter(terrain: str) -> str:
    """Light-forest as "l.forest"."""
    first, hyphen, last = terrain.partition("-")
    return f"{first[0]}.{last}" if hyphen and len(terrain) > ROOM else terrain


def _middle(board: Board, label: str) -> tuple[int, int]:
    """Where the middle of a hex is drawn: column and line."""
    x, y = board.centre(label)
    return (round(x / 0.866) * 8, round(y * 2) * 2) if board.orientation == "flat" else (round(x * 2) * 5, round(y / 0.866) * 4)


class _Drawing:
    """Letters at places."""

    def __init__(self, board: Board, *, colour: bool) -> None:
        self._board = board
        self._colour = colour
        self._flat = board.orientation == "flat"
        self._canvas: dict[tuple[int, int], str] = {}
        self._meaning: dict[str, dict[str, None]] = {}
        """Mark -> what it stands for, as far as it was drawn."""

    def _write(self, x: int, y: int, text: str, tint: str | None) -> None:
        for offset, letter in enumerate(text):
            if letter != " ":
                self._canvas[y, x + offset] = click.style(letter, fg=tint, bold=True) if tint else letter

    def line(self, label: str, row: int, text: str, tint: str | None) -> None:
        """A line of text inside a hex."""
        x, y = _middle(self._board, label)
        self._write(x - 4, y + row, text[:ROOM].center(ROOM), tint)

    def _mark(self, name: str, marks: Mapping[str, str]) -> str:
        mark = next(mark for part, mark in marks.items() if part in name)
        self._meaning.setdefault(mark, {})[name] = None
        return mark

    def hex(self, label: str, tint: str | None, note: str | None = None, *, is_full: bool = False) -> None:
        """The outline of a hex, its label, and its place or terrain, or a note; in one that `is_full`, the ground is a mark."""
        for d, strokes in enumerate(_FLAT if self._flat else _POINTY):
            self._side(label, d, strokes)
        place = self._board.place(label)
        plain = "" if self._board.terrain(label) in ("clear", "plain") else self._board.terrain(label)
        ground, mark = place.name if place else plain, ""
        if is_full:
            self._meaning["numbers:"] = {"values of a counter, of a stack the sums of the first two": None}
            mark = "@" if place and ground else ground[:1]
        if mark:
            self._meaning.setdefault(mark, {})[f"{place.name} ({label})" if place else plain] = None
        self.line(label, -1, f"{label[: 6 - len(mark)]}{mark}", None)
        self.line(label, 1, note or (ground if place else _shorter(plain)), tint if place and not note else None)

    def _side(self, label: str, d: int, strokes: Sequence[tuple[int, int, str]]) -> None:
        """One side of a hex, with the marks of what runs along it and of what crosses it in the middle."""
        board = self._board
        x, y = _middle(board, label)
        near = board.at(neighbour(board.hex(label), d))
        features = [] if near is None else [name for name in sorted(board.side(label, near)) if BRIDGE not in name]
        marks = [self._mark(name, SIDES) for name in features]
        links = "" if near is None else " and ".join(sorted(board.links(label, near)))
        for number, (dx, dy, stroke) in enumerate(strokes):
            if links and number == len(strokes) // 2:
                self._write(x + dx, y + dy, self._mark(links, LINKS), None)
            elif marks:
                self._write(x + dx, y + dy, marks[number % len(marks)], "cyan" if self._colour else None)
            elif (y + dy, x + dx) not in self._canvas:
                self._write(x + dx, y + dy, stroke, None)

    def explain_headings(self, pieces: Iterable[Piece]) -> None:
        """Let the legend explain headings if one of these pieces has one."""
        if any(piece.heading is not None for piece in pieces):
            self._meaning[">"] = {"heading in degrees clockwise from the top": None}

    def legend(self) -> Iterator[str]:
        """What the marks mean that were drawn."""
        told = "; ".join(f"{mark} {', '.join(names)}" for mark, names in sorted(self._meaning.items()))
        if told:
            yield folded(told)

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
