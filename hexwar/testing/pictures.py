"""A position as text and as a drawing, for failure messages and reports."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from html import escape

from hexwar.board import Board
from hexwar.engine import Game, Position, plain
from hexwar.grouping import grouped
from hexwar.testing.playouts import shortened

MARGIN = 1
"""Hexes around the outermost units that the picture shows."""
WHOLE = 120
"""A board of no more hexes is drawn whole."""
NEAR = 2
"""On a larger one, this many hexes are drawn around every unit and every framed hex."""


def describe(game: Game) -> str:
    """Everything that matters of a position: who decides what, a map of the units, and the fields of the state.

    It shows secrets: it is for testers, not for players.
    """
    setup = game.world.setup
    options = "".join(f", {name}={value}" for name, value in setup.options.items() if value)
    lines = [f"{setup.ruleset} {setup.scenario}{options}, after {len(game.history)} actions"]
    if game.result is not None:
        lines.append(f"over: {game.result}")
    for seat in game.to_move:
        try:
            lines.append(f"{seat}: {game.prompt(seat)}")
        except Exception as error:  # it is a broken game that is described
            lines.append(f"{seat}: its prompt fails with {error!r}")
    lines += [f"  waits: {shortened(step)}" for step in reversed(game.state.stack)]
    board, at = getattr(game.world, "board", None), getattr(game.state, "locations", None)
    if isinstance(board, Board) and isinstance(at, Mapping):
        lines += ["", *_map(game, board, at), ""]
    lines += _fields(game, {"stack", "phase", "result"} | ({"locations", "steps_left"} if isinstance(board, Board) else set()))
    return "\n".join(lines)


def _fields(game: Game, without: set[str]) -> list[str]:
    lines = []
    for field in dataclasses.fields(game.state):
        value = getattr(game.state, field.name)
        if field.name in without or field.metadata.get("derived") or value in ({}, (), [], "", None):
            continue
        shown = plain(value)
        text = ", ".join(f"{key} {item}" for key, item in shown.items()) if isinstance(shown, Mapping) else str(shown)
        lines.append(f"{field.name}: {text}")
    return lines


def _map(game: Game, board: Board, at: Mapping[str, str]) -> list[str]:
    """The occupied part of the board, a cell a hex, and the units that stand elsewhere."""
    steps: Mapping[str, int] = getattr(game.state, "steps_left", {})
    standing = grouped((label, f"{unit}/{steps[unit]}" if unit in steps else unit) for unit, label in at.items())
    on_board = {label: units for label, units in standing.items() if label in board}
    away = [f"{location}: {' '.join(units)}" for location, units in sorted(standing.items()) if location not in board]
    return [*_grid(board, on_board), *away]


def _grid(board: Board, units: Mapping[str, list[str]]) -> list[str]:
    if not units:
        return ["(no unit stands on the board)"]
    flat = board.orientation == "flat"
    # Twice the row in a flat column and twice the column in a pointy row, because neighbours stand half a hex apart.
    spots = {label: (h.q, 2 * h.r + h.q) if flat else (2 * h.q + h.r, h.r) for label in board.labels for h in [board.hex(label)]}
    xs, ys = [[spots[label][i] for label in units] for i in (0, 1)]
    near_x, near_y = (MARGIN, 2 * MARGIN) if flat else (2 * MARGIN, MARGIN)
    shown = {
        spot: label
        for label, spot in spots.items()
        if min(xs) - near_x <= spot[0] <= max(xs) + near_x and min(ys) - near_y <= spot[1] <= max(ys) + near_y
    }
    cells = {spot: f"{label}{_ground(board, label)} {' '.join(units.get(label, ()))}".rstrip() for spot, label in shown.items()}
    columns = sorted({x for x, _ in cells})
    widths = {x: 2 + max(len(text) for (column, _), text in cells.items() if column == x) for x in columns}
    lines = []
    for y in sorted({y for _, y in cells}):
        if flat:
            line = "".join(cells.get((x, y), "").ljust(widths[x]) for x in columns)
        else:
            line = _spread({x - columns[0]: cells[x, y] for x in columns if (x, y) in cells}, max(widths.values()))
        lines.append(line.rstrip())
    return lines


def _spread(cells: Mapping[int, str], width: int) -> str:
    line = ""
    for x, text in sorted(cells.items()):
        line = line.ljust(x * (width // 2 + 1)) + text
    return line


def _ground(board: Board, label: str) -> str:
    """A letter for terrain that is not clear, a star for a place."""
    terrain = board.terrain(label)
    return ("" if terrain == "clear" else terrain[:1]) + ("*" if board.place(label) else "")


# -- drawings -------------------------------------------------------------------------------------------------------------


def names_in(*words: str) -> list[str]:
    """The words of some texts, such as reprs and messages, among which are the names of hexes and units."""
    return list(dict.fromkeys(re.findall(r"[\w.-]*\w", " ".join(words))))


def hexes_of(at: Position, names: Iterable[str]) -> list[str]:
    """The hexes among some names, and those of the units among them."""
    board, places = getattr(at.world, "board", None), getattr(at.state, "locations", None)
    if not isinstance(board, Board):
        return []
    found = [places.get(name, name) if isinstance(places, Mapping) else name for name in names]
    return [name for name in dict.fromkeys(found) if isinstance(name, str) and name in board]


def position_svg(game: Game, *, framed: Iterable[str] = (), title: str = "") -> str:
    """Draw a position for testers: all of it, secrets included, as far as it lies on a board.

    Args:
        game: the game.
        framed: hexes to which the reader should look.
        title: what stands above it.
    """
    from hexwar.render import game_svg

    board = game.picture.board
    if board is None:
        return _paper([title, "", "(this game has no board)"])
    marked = list(framed)
    shown = _shown_part(game.position, board, marked) if isinstance(board, Board) else None
    return game_svg(game, only=shown, title=title, marked=marked)


def _shown_part(at: Position, board: Board, framed: Iterable[str]) -> list[str]:
    if len(board) <= WHOLE:
        return list(board.labels)
    places = getattr(at.state, "locations", {})
    centres = [*framed, *(label for label in places.values() if label in board)]
    near = dict.fromkeys(label for centre in centres for label in board.disk(centre, NEAR))
    return list(near) or list(board.labels)


def _paper(lines: Iterable[str]) -> str:
    written = list(lines)
    width, height = 9 * max(map(len, written)) + 24, 20 * len(written) + 20
    words = [f'<text x="12" y="{24 + 20 * number}" font-size="14">{escape(line)}</text>' for number, line in enumerate(written)]
    size = f'width="{width}" height="{height}"'
    paper = f'<rect {size} fill="#fbf8ee"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" role="img">{paper}{"".join(words)}</svg>\n'
