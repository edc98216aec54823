"""A game as one page: a file that needs no server and no network, made from what a side may see."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hexwar.engine import Event, Game, Piece, Position, Viewer, phase_title
from hexwar.errors import HexwarError
from hexwar.table.chronicle import Chronicle
from hexwar.web._files import needed, page_texts
from hexwar.web._scene import Line, Scene, ground_of, log_lines, places


def replay_page(game: Game, side: str | None = None) -> str:
    """The whole game as an HTML page.

    Args:
        game: as it was played.
        side: made from the views and the log of this side alone; of everything that lies on the map and what is open to all if
            not given.
    """
    texts = page_texts()
    script = "\n".join(_joined(texts[name]) for name in needed("replay.js", texts))
    data = base64.b64encode(gzip.compress(json.dumps(_data(game, side)).encode(), mtime=0)).decode()
    parts = {"/*style*/": texts["tokens.css"] + texts["style.css"], "/*script*/": script, "<!--data-->": data}
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], texts["replay.html"])


def _joined(script: str) -> str:
    """A module as a part of another: without what it imports and exports."""
    return re.sub(r"^(import .*$|export )", "", script, flags=re.MULTILINE)


def _data(game: Game, side: str | None) -> dict[str, Any]:
    """The beginning, and what each action changed; actions of which nothing can be seen leave no trace."""
    start = game.after(0)
    world, info, board = start.world, start.ruleset.info, getattr(start.world, "board", None)
    if board is None:
        raise HexwarError("this game has no board that can be drawn")
    viewers = [start.view(seat).viewer for seat in ([side] if side else world.seats)]
    chronicle = Chronicle(world)
    faces: dict[str, str] = {}
    about: dict[str, dict[str, Any]] = {}
    colours: dict[str, Any] = {}
    frames: list[dict[str, Any]] = []
    pieces: dict[str, Piece] = {}
    control: Mapping[str, str] = {}
    playout, events = start.playout(), start.events
    for move in (None, *game.history):
        if move is not None:
            events = playout.apply(move.action, move.seat)
        # A view would also work out what the side may do.
        at = Position(world, playout.state.seen_by(viewers[0]) if side else playout.state)
        picture = playout.ruleset.picture(at)
        there = {piece.id: piece for piece in picture.pieces}
        # Only what changed is drawn: most of the pieces lie where they lay.
        scene = Scene(replace(picture, pieces=tuple(_changes(pieces, there).values()), control={}), world.sides)
        faces.update(scene.faces)
        colours.update(scene.colours)
        about.update({piece["face"]: {"says": piece["says"], "works": piece["works"]} for piece in scene.pieces})
        changed: dict[str, dict[str, Any]] = {
            "pieces": {piece["id"]: [piece["place"], piece["face"]] for piece in scene.pieces},
            "control": {str(place): holder for place, holder in _changes(control, picture.control).items()},
        }
        for part, before, now in (("pieces", pieces, there), ("control", control, picture.control)):
            changed[part] |= {str(key): None for key in before if key not in now}
        log = [
            {name: line[name] for name in ("kind", "text", "clause")}
            for line in log_lines(_seen(events, viewers), chronicle, world)
        ]
        pieces, control = there, dict(picture.control)
        if move is None or log or any(changed.values()):
            turn, phase = getattr(at.state, "turn", 0), phase_title(at) if at.state.phase else ""
            told_of = {part: changes for part, changes in changed.items() if changes}
            frames.append({**told_of, "log": log, "turn": f"Turn {turn}" if turn else "Begin", "phase": phase})
    return {
        "title": info.title,
        "scenario": info.scenario(world.setup.scenario).title,
        "side": side,
        "ground": places(start),
        "svg": ground_of(board).svg,
        "faces": faces,
        "about": about,
        "colours": colours,
        "frames": frames,
        "result": None if game.result is None else str(game.result),
    }


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What is other than before."""
    return {key: it for key, it in now.items() if (was := before.get(key)) is not it and was != it}


def _seen(events: Iterable[Event], viewers: Sequence[Viewer]) -> Iterator[Line]:
    """What a viewer sees of some events; of several viewers, what all of them see alike."""
    for event in events:
        versions = [event.seen_by(viewer) for viewer in viewers]
        if versions[0] is not None and (len(viewers) == 1 or all(seen is event for seen in versions)):
            yield Line(0, 0, versions[0])
