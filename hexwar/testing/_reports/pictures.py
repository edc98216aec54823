"""A position as text and as a drawing, for failure messages and reports."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping

from hexwar.board import Board
from hexwar.engine import Game, Position, plain
from hexwar.grouping import grouped
from hexwar.testing._staging.random_play import shortened

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
        lines += ["", *_map(game, at), ""]
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


def _map(game: Game, at: Mapping[str, str]) -> Iterator[str]:
    """The map as players see it, and all units with their steps, place by place."""
    from hexwar.table.textmap import text_map

    try:
        yield text_map(game.picture)
    except Exception as error:  # as above
        yield f"(the map cannot be drawn: {error!r})"
    steps: Mapping[str, int] = getattr(game.state, "steps_left", {})
    standing = grouped((label, f"{unit}/{steps[unit]}" if unit in steps else unit) for unit, label in at.items())
    yield from (f"{label}: {' '.join(units)}" for label, units in sorted(standing.items()))


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

    Raises:
        HexwarError: the game has no board that can be drawn.
    """
    from hexwar.render import game_svg

    board, marked = game.picture.board, list(framed)
    shown = _shown_part(game.position, board, marked) if isinstance(board, Board) else None
    return game_svg(game, only=shown, title=title, marked=marked)


def _shown_part(at: Position, board: Board, framed: Iterable[str]) -> list[str]:
    if len(board) <= WHOLE:
        return list(board.labels)
    places = getattr(at.state, "locations", {})
    centres = [*framed, *(label for label in places.values() if label in board)]
    near = dict.fromkeys(label for centre in centres for label in board.disk(centre, NEAR))
    return list(near) or list(board.labels)
