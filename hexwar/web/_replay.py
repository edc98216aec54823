"""A game as one page: a file that needs no server and no network, made from what a side may see."""

from __future__ import annotations

import base64
import gzip
import json
import re
from importlib import resources
from typing import Any

from hexwar.engine import Game, phase_title
from hexwar.errors import HexwarError
from hexwar.table.chronicle import Chronicle
from hexwar.web._scene import Line, Scene, ground_of, places, told

SCRIPTS = ("api.js", "map.js", "replay.js")


def replay_page(game: Game, side: str | None = None) -> str:
    """The whole game as an HTML page.

    Args:
        game: as it was played.
        side: made from the views and the log of this side alone; of everything that lies on the map and what is open to all if
            not given.
    """
    folder = resources.files("hexwar.web") / "page"
    script = "\n".join(_joined((folder / name).read_text(encoding="utf-8")) for name in SCRIPTS)
    data = base64.b64encode(gzip.compress(json.dumps(_data(game, side)).encode(), mtime=0)).decode()
    page = (folder / "replay.html").read_text(encoding="utf-8")
    parts = {"/*style*/": (folder / "style.css").read_text(encoding="utf-8"), "/*script*/": script, "<!--data-->": data}
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], page)


def _joined(script: str) -> str:
    """A module as a part of another: without what it imports and exports."""
    return re.sub(r"^(import .*$|export )", "", script, flags=re.MULTILINE)


def _data(game: Game, side: str | None) -> dict[str, Any]:
    """The beginning, and what each action changed; actions of which nothing can be seen leave no trace."""
    again = game.after(0)
    world, info, board = again.world, again.ruleset.info, getattr(again.world, "board", None)
    if board is None:
        raise HexwarError("this game has no board that can be drawn")
    chronicle = Chronicle(world)
    faces: dict[str, str] = {}
    about: dict[str, dict[str, Any]] = {}
    frames: list[dict[str, Any]] = []
    seen: dict[str, dict[str, Any]] = {"pieces": {}, "control": {}}
    for move in (None, *game.history):
        since = len(again.events)
        if move is not None:
            again.apply(move.action, move.seat)
        shown = again if side is None else again.view(side)
        scene = Scene(shown.picture, world.sides)
        faces.update(scene.faces)
        about.update({piece["face"]: {"says": piece["says"], "works": piece["works"]} for piece in scene.pieces})
        now: dict[str, dict[str, Any]] = {
            "pieces": {piece["id"]: [piece["place"], piece["face"]] for piece in scene.pieces},
            "control": scene.control,
        }
        changed = {part: changes for part in now if (changes := _changes(seen[part], now[part]))}
        events = again.log(side, since if move else 0)
        log = told((Line(0, 0, event) for event in events), chronicle, world)
        if move is None or log or changed:
            state = shown.state
            turn, phase = getattr(state, "turn", 0), phase_title(shown.position) if state.phase else ""
            frames.append({**changed, "log": log, "turn": f"Turn {turn}" if turn else "Begin", "phase": phase})
            seen = now
    return {
        "title": info.title,
        "scenario": info.scenario(world.setup.scenario).title,
        "side": side,
        "ground": places(again),
        "svg": ground_of(board).svg,
        "faces": faces,
        "about": about,
        "colours": scene.colours,
        "frames": frames,
        "result": None if game.result is None else str(game.result),
    }


def _changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """What is other than before; None for what is gone."""
    return {**{key: None for key in before if key not in now}, **{key: it for key, it in now.items() if before.get(key) != it}}
