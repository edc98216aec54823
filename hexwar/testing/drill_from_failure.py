"""Turns a failure folder into a drill, so that a fault that was mended stays mended and a wargamer can read it.

    python -m hexwar.testing.drill_from_failure .hexwar/failures/moves-are-right-1a2b3c4d >> rulesets/my_rules/kit/drills.toml

The position and the decisions are those of the smallest position that shows the fault. What must become of them, only a reader
of the rulebook knows: the drill says what the rules make of them now, and its writer corrects that.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from hexwar.engine import Game, Sequencing
from hexwar.errors import HexwarError
from hexwar.files import toml_value
from hexwar.testing._reports.folders import NOTE
from hexwar.testing._running.subject import Subject
from hexwar.testing._staging.dice import RecordedDice
from hexwar.testing._staging.positions import read_position
from hexwar.testing.drills import SHORT


def drill_of(folder: str | os.PathLike[str]) -> str:
    """A failure folder as the text of a drill.

    Raises:
        HexwarError: it has no smallest position, or one on a map of its own.
    """
    place = Path(folder)
    try:
        note = json.loads((place / NOTE).read_text(encoding="utf-8"))
        text = (place / "position.toml").read_text(encoding="utf-8")
        small, said, data = note["position.toml"], note["minimal.json"], tomllib.loads(text)
    except (OSError, KeyError, ValueError):
        raise HexwarError(f"{place}: is no failure folder with a smallest position") from None
    if "board" in data:
        raise HexwarError(f"{place}: the position has a map of its own: keep its test instead")
    waiting = data.pop("stack", [])
    sequencing = waiting.pop(0) if waiting and waiting[0]["kind"] == Sequencing.kind else {}
    game = read_position(
        Subject.of(data.pop("ruleset"), data.get("scenario"), data.get("options")), text, RecordedDice(small["dice"])
    )
    for seat, action in small["moves"][:-1]:
        game.apply(action, seat)
    before = game.copy()
    for seat, action in small["moves"][-1:]:
        game.apply(action, seat)
    told: dict[str, Any] = {
        "clause": (small["clauses"] or ["?"])[-1],
        "what": said["sentence"],
        **data,
        "board": "",
        "path": sequencing.get("path", Sequencing().to_json()["path"]),
        "stack": waiting,
        "dice": [f"lot {outcome}" for outcome in small["dice"]],
        "by": small["moves"][-1][0],
        "play": [{"by": seat, "do": action} for seat, action in small["moves"]],
    }
    moments = [told, *told["play"]]
    offered = Counter(action.kind for action in before.legal_actions(small["moves"][-1][0]))
    moments[-2]["expect"] = {f"offers.{kind}": number for kind, number in offered.items()}
    moments[-1]["expect"] = _become(before, game)
    lines = [f"# Found by {said['check']}. Is this what the rulebook says?", "[[drill]]"]
    return "\n".join([*lines, *(f"{name} = {toml_value(value)}" for name, value in told.items())]) + "\n"


def _become(before: Game, after: Game) -> dict[str, Any]:
    """What has changed on the table, who is asked now and what they may do."""
    found: dict[str, Any] = {"asked": list(after.to_move)}
    if after.to_move:
        found["kinds"] = sorted({action.kind for action in after.legal_actions(after.to_move[0])})
    for short, name in SHORT.items():
        was, now = getattr(before.state, name, {}), getattr(after.state, name, {})
        found |= {f"{short}.{unit}": now[unit] for unit in now if now[unit] != was.get(unit)}
    return found


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(drill_of(name))
