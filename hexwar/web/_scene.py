"""Boards, pieces and logs as the pages take them."""

from __future__ import annotations

import gzip
import hashlib
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from hexwar.board import Board, PlaneBoard
from hexwar.engine import (
    Action,
    Colours,
    DiceRolled,
    Event,
    Game,
    GameEnded,
    HasBoard,
    PhaseEntered,
    Picture,
    Piece,
    Viewer,
    World,
)
from hexwar.grouping import grouped
from hexwar.pieces import TurnBegan
from hexwar.render import Ground, colours_of, ground, piece_svg
from hexwar.table.chronicle import Chronicle
from hexwar.table.words import units_and_board

_drawn: Callable[[Any], Ground] = lru_cache(8)(ground)
_drawing = threading.Lock()


def ground_of(board: Any) -> Ground:
    """A board, drawn once: a page asks for several things at the same time that need it."""
    with _drawing:
        return _drawn(board)


@lru_cache(8)
def packed_ground(board: Any) -> bytes:
    """The picture of a board as it goes over the wire: to pack it takes longer than anything else about it."""
    return gzip.compress(ground_of(board).svg.encode(), mtime=0)


def places(game: Game) -> dict[str, Any] | None:
    """Where every place of a game's board is drawn, and what it is called; None for a game without a board."""
    if not isinstance(game.world, HasBoard):
        return None
    board: Any = game.world.board
    return _places(board)


@lru_cache(8)
def _places(board: Any) -> dict[str, Any]:
    drawn = ground_of(board)
    return {
        "origin": drawn.origin,
        "size": drawn.size,
        "centres": {label: [round(x, 3), round(y, 3)] for label, (x, y) in drawn.centres.items()},
        "outline": drawn.outline,
        "outlines": drawn.outlines,
        "scale": drawn.scale,
        "names": dict(getattr(board, "names", {})),
        **_measures(board, drawn),
        **_terrain(board),
    }


def _measures(board: Any, drawn: Ground) -> dict[str, Any]:
    """What sort of board it is, and how distances on it read: a distance as it is drawn, times `per`, in words."""
    if isinstance(board, Board):
        return {"kind": "hexes", "distance": {"unit": "hexes", "per": 1}}
    if drawn.scale:
        return {"kind": "plane", "distance": {"unit": getattr(board, "unit", ""), "per": 1}}
    return {"kind": "areas" if drawn.outlines else "points", "distance": {"unit": "", "per": 1}}


def _terrain(board: Any) -> dict[str, Any]:
    """The terrain of hexes: the usual one, and where there is another."""
    if not isinstance(board, Board):
        return {"usual": "", "terrain": {}}
    hexes = grouped((board.terrain(label), label) for label in board.labels)
    usual = max(hexes, key=lambda terrain: len(hexes[terrain]))
    return {"usual": usual, "terrain": {terrain: labels for terrain, labels in hexes.items() if terrain != usual}}


class Scene:
    """A picture in parts: its pieces, and the faces that they show.

    Args:
        picture: of a position.
        sides: of the game.
    """

    def __init__(self, picture: Picture, sides: Iterable[str]) -> None:
        of = colours_of(dict.fromkeys((*sides, *(piece.side for piece in picture.pieces))), picture.colours)
        self.faces: dict[str, str] = {}
        self.pieces: list[dict[str, Any]] = []
        self.control = {str(place): side for place, side in picture.control.items()}
        self.colours = {side: {"fill": its.fill, "ink": its.ink, "edge": its.edge} for side, its in of.items()}
        scale = ground_of(picture.board).scale if isinstance(picture.board, PlaneBoard) else 0.0
        for piece in picture.pieces:
            drawn, entry = _piece(piece, of[piece.side], scale)
            self.faces[entry["face"]] = drawn
            self.pieces.append(entry)


SAID = ("label", "kind", "group", "symbol", "values", "stripe", "state", "marks", "heading", "base", "arc", "reduced", "levels")
"""What a page knows of a piece besides, where there is something to say."""
_BLANK = Piece("", None)


@lru_cache(1 << 16)
def _piece(piece: Piece, colours: Colours, scale: float) -> tuple[str, dict[str, Any]]:
    """A piece's face, and what a page knows about the piece."""
    name, drawn = _face(replace(piece, place=None), colours, scale)  # wherever it lies, it looks the same
    words = filter(None, (piece.name or piece.id, piece.kind.replace("_", " "), piece.values, "reduced" * piece.reduced))
    entry = {
        "id": piece.id,
        "place": place_name(piece.place),
        "side": piece.side,
        "face": name,
        "says": ", ".join(words),
        "works": piece.symbol == "works",
        "name": piece.name or piece.id,
    }
    more = {field: value for field in SAID if (value := getattr(piece, field)) != getattr(_BLANK, field)}
    return drawn, entry | more


@lru_cache(4096)
def _face(piece: Piece, colours: Colours, scale: float) -> tuple[str, str]:
    drawn = piece_svg(piece, colours, scale)
    return hashlib.sha256(drawn.encode()).hexdigest()[:12], drawn


def place_named(name: str) -> object:
    """The place that a page calls so: see `place_name`."""
    numbers = name.split(",")
    return tuple(map(int, numbers)) if len(numbers) > 1 and all(map(str.isdecimal, numbers)) else name


def place_name(place: object) -> str | None:
    """What a page calls a place; a point is its coordinates."""
    return place if isinstance(place, str) or place is None else ",".join(map(str, place))  # type: ignore[call-overload]


class Line(NamedTuple):
    """A line of a seat's log."""

    line: int
    """Which one it is for the seat."""
    number: int
    """Of the event among all events, which is nobody's business."""
    event: Event


def log_lines(lines: Iterable[Line], chronicle: Chronicle, world: World, names: Chronicle | None = None) -> list[dict[str, Any]]:
    """Events as lines of a log, each with the pieces and places that it is about, and with what it shows on a map.

    Args:
        lines: those to put into words.
        chronicle: finds the words.
        world: of the game.
        names: finds other words, without ids, if wanted.
    """
    found = []
    for line, _, event in lines:
        kind = "turn" if isinstance(event, TurnBegan) else "phase" if isinstance(event, PhaseEntered) else "event"
        if not isinstance(event, GameEnded):
            about: dict[str, Any] = dict(zip(("pieces", "places"), concerned(event, world), strict=True))
            words = {"line": line, "kind": kind, "text": chronicle.sentence(event).strip("-= "), "clause": event.clause}
            if names is not None:
                about |= {"says": names.sentence(event).strip("-= "), **_seen_on_a_map(event, world)}
            found.append(words | {name: those for name, those in about.items() if those})
    return found


def _seen_on_a_map(event: Event, world: World) -> dict[str, Any]:
    """Trail, struck places, dice and what is gone: whatever a page draws of an event."""
    trail = event.trail()
    shown: dict[str, Any] = {
        "blow": [place_name(place) for place in event.blow()],
        "gone": list(event.gone()),
        "reads": event.reads(),
        "side": _side_of(event, trail.pieces if trail else (), world),
    }
    if trail is not None:
        points = [place_name(point) for point in trail.points]
        shown["trail"] = {"pieces": list(trail.pieces), "points": points, "kind": trail.kind, "side": shown["side"]}
    if isinstance(event, DiceRolled):
        shown["dice"] = [{"value": value, "faces": event.faces} for value in event.dice]
    return shown


def _side_of(event: Event, pieces: Sequence[str], world: World) -> str:
    """Whose doing an event is: of the side that it names, or of that of its pieces; "" if unknown."""
    units = units_and_board(world)[0]
    named = getattr(event, "side", "") or getattr(event, "by", "") or getattr(getattr(event, "battle", None), "side", "")
    if named in world.sides:
        return str(named)
    first = [*pieces, getattr(event, "unit", "")]
    return next((str(units[piece].side) for piece in first if piece in units), "")


def concerned(what: Action | Event, world: World) -> tuple[list[str], list[str]]:
    """The pieces and the places that an action or an event names."""
    units, board = units_and_board(world)
    texts = dict.fromkeys(_texts({name: value for name, value in what.to_json().items() if name != "kind"}))
    return [it for it in texts if it in units], [it for it in texts if it in board]


class SeatLog:
    """The log of a seat, or of spectators. It follows a game and finds words for each line once: a page asks for many, and often.

    Args:
        viewer: who reads it.
        world: of the game.
    """

    def __init__(self, viewer: Viewer, world: World) -> None:
        self._viewer, self._world = viewer, world
        self._chronicle, self._names = Chronicle(world, short=True), Chronicle(world, short=True, ids=False)
        self._events: list[Event] = []
        self._lines: list[Line] = []
        self._words: dict[int, tuple[Event, list[dict[str, Any]]]] = {}
        self._alone = threading.Lock()

    def lines(self, events: Sequence[Event]) -> list[Line]:
        """The events that the seat has seen, each with its number among all events; lines count from 0 without a gap."""
        with self._alone:
            same = min(len(events), len(self._events))
            while same and events[same - 1] is not self._events[same - 1]:  # an undo took some back
                same -= 1
            del self._lines[bisect_left(self._lines, same, key=attrgetter("number")) :]
            self._events[same:] = events[same:]
            for number in range(same, len(events)):
                if (event := events[number].seen_by(self._viewer)) is not None:
                    self._lines.append(Line(len(self._lines), number, event))
            return list(self._lines)

    def in_words(self, lines: Iterable[Line]) -> list[dict[str, Any]]:
        """Some of its lines in words."""
        found = []
        for line in lines:
            event, words = self._words.get(line.line, (None, []))
            if event is not line.event:
                words = log_lines((line,), self._chronicle, self._world, self._names)
                self._words[line.line] = line.event, words
            found += words
        return found


def _texts(value: object) -> Iterator[str]:
    """All texts in plain JSON data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
