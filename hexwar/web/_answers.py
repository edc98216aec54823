"""What the server says to a seat, as plain JSON data: all of it made from the seat's view and its log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import hexwar
from hexwar.cli.chronicle import Chronicle, brief
from hexwar.cli.questions import Questions
from hexwar.engine import Colours, Event, GameEnded, HasBoard, PhaseEntered, Piece, View, phase_title
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics import TurnBegan
from hexwar.plugins import plugins
from hexwar.render import Ground, colours_of, ground, piece_svg
from hexwar.web._tables import Table

LATEST = 80
"""How many lines of the log come with a position."""


def catalogue() -> list[dict[str, Any]]:
    """What can be played."""
    bots = sorted(plugins().bots())
    return [
        {
            "id": info.id,
            "title": info.title,
            "bots": bots,
            "bot": info.bot or "greedy",
            "scenarios": [
                {"id": scenario.id, "title": scenario.title, "summary": scenario.summary, "sides": list(info.sides)}
                for scenario in info.playable
            ],
            "options": [
                {"id": option.id, "title": option.title, "default": option.default, "choices": list(option.choices)}
                for option in plugins().options(info.id)
            ],
        }
        for info in hexwar.rulesets().values()
        if info.playable
    ]


def about(table: Table, seats: Iterable[str]) -> dict[str, Any]:
    """What never changes: the game's name, who sits where, and the board."""
    game = table.game
    info, setup = game.ruleset.info, game.world.setup
    board = game.world.board if isinstance(game.world, HasBoard) else None
    drawn = None if board is None else ground_of(board)
    return {
        "game": table.name,
        "title": info.title,
        "scenario": info.scenario(setup.scenario).title,
        "seats": dict(game.world.seats),
        "bots": dict(table.head["bots"]),
        "mine": list(seats),
        "ground": drawn
        and {
            "origin": drawn.origin,
            "centres": {label: [round(x, 3), round(y, 3)] for label, (x, y) in drawn.centres.items()},
            "outline": drawn.outline,
            "outlines": drawn.outlines,
        },
        "names": dict(getattr(board, "names", {})),
    }


ground_of: Callable[[Any], Ground] = lru_cache(8)(ground)
"""The board of a game, drawn once."""


@lru_cache(4096)
def _face(piece: Piece, colours: Colours) -> tuple[str, str]:
    """A counter as SVG, and its name."""
    drawn = piece_svg(piece, colours)
    return hashlib.sha256(drawn.encode()).hexdigest()[:12], drawn


def position(table: Table, seat: str, known: Iterable[str] = ()) -> dict[str, Any]:
    """What a seat sees now.

    Args:
        table: where.
        seat: whose view it is.
        known: names of faces that the page has already.
    """
    game = table.game
    view = game.view(seat)
    picture, at = view.picture, view.position
    colours = colours_of(dict.fromkeys((*game.world.sides, *(piece.side for piece in picture.pieces))), picture.colours)
    faces, pieces = {}, []
    for piece in picture.pieces:
        face, drawn = _face(_without_place(piece), colours[piece.side])
        faces[face] = drawn
        pieces.append(
            {
                "id": piece.id,
                "place": _place(piece.place),
                "side": piece.side,
                "face": face,
                "says": ", ".join(filter(None, (piece.name or piece.id, piece.kind, piece.values, "reduced" * piece.reduced))),
                "works": piece.symbol == "works",
            }
        )
    chronicle = Chronicle(game.world, short=True)
    question = None if view.question is None else view.question.to_json()
    if question is not None:
        question["words"] = chronicle.named(brief(str(question["prompt"])))
    return {
        "number": table.number,
        "seat": seat,
        "to_move": list(view.to_move),
        "turn": getattr(at.state, "turn", 0),
        "phase": phase_title(at) if at.state.phase else "",
        "notes": list(picture.notes),
        "status": [line.strip() for line in Questions(view, chronicle).known["status"]([])],
        "result": None if view.result is None else str(view.result),
        "question": question,
        "undo": game.may_undo(seat),
        "pieces": pieces,
        "control": {str(place): side for place, side in picture.control.items()},
        "colours": {side: {"fill": its.fill, "ink": its.ink, "edge": its.edge} for side, its in colours.items()},
        "faces": {face: drawn for face, drawn in faces.items() if face not in set(known)},
        "log": _log(game.log(seat)[-LATEST:], chronicle),
        "stopped": table.latest,
    }


def _without_place(piece: Piece) -> Piece:
    return Piece(piece.id, None, piece.side, piece.name, piece.kind, piece.group, piece.symbol, piece.values, piece.reduced)


def _place(place: object) -> str | None:
    return place if isinstance(place, str) or place is None else ",".join(map(str, place))  # type: ignore[call-overload]


def _log(events: Iterable[Event], chronicle: Chronicle) -> list[dict[str, str]]:
    lines = []
    for event in events:
        kind = "turn" if isinstance(event, TurnBegan) else "phase" if isinstance(event, PhaseEntered) else "event"
        if not isinstance(event, GameEnded):
            lines.append({"kind": kind, "text": chronicle.named(brief(str(event))), "clause": event.clause})
    return lines


def group(table: Table, seat: str, key: str) -> dict[str, Any]:
    """The choices of a question that are about one thing, and where they lead."""
    view = table.game.view(seat)
    if view.question is None:
        raise HexwarError(f"{seat} is not asked")
    found = view.question.group(key)
    places = found.places()
    listed = {id(action): _place(place) for place, actions in places.items() for action in actions}
    chosen = [action for actions in places.values() for action in actions] + [it for it in found if id(it) not in listed]
    return {
        "key": key,
        "complete": view.question.complete,
        "choices": [{"action": it.to_json(), "words": str(it), "place": listed.get(id(it))} for it in chosen],
    }


def reach(table: Table, seat: str, unit: str) -> dict[str, Any]:
    """What it costs a unit to go where, and why hexes are closed to it."""
    report = _query(table, seat, "reach")(unit)
    return {
        "costs": {label: float(cost) for label, cost in report.costs.items()},
        "closed": {label: str(why) for label, why in report.closed.items()},
    }


def words(table: Table, seat: str, question: str, about: list[str]) -> list[str]:
    """What the table in the terminal would answer: odds, supply, hex and so on."""
    view = table.game.view(seat)
    known = Questions(view, Chronicle(table.game.world, short=True)).known
    if question not in known or question == "map":
        raise UnknownName("question", question, [name for name in known if name != "map"])
    return list(known[question](about))


def rule(table: Table, clause: str) -> dict[str, str]:
    """A clause of the rules in play."""
    rules = table.game.world.rules
    if clause not in rules:
        raise UnknownName("clause", clause, rules)
    return {"clause": clause, "text": rules[clause].title, "ruling": rules[clause].ruling}


def _query(table: Table, seat: str, name: str) -> Any:
    view: View = table.game.view(seat)
    found = getattr(view.query, name, None)
    if found is None:
        raise HexwarError(f"this game has no {name}")
    return found
