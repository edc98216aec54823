"""What people at a table say to each other, and what they are called: kept beside the game, and no part of it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from hexwar.web._table import Table

MOST_KEPT = 200
"""How many messages of a seat are kept."""
LONGEST_MESSAGE = 500
LONGEST_NAME = 40


def names(table: Table) -> dict[str, str]:
    """Seat -> what its player is called, as far as they have said."""
    told = {seat: table.note(seat, "name") for seat in table.game.world.seats}
    return {seat: name for seat, name in told.items() if name}


def heard(table: Table, seats: Sequence[str]) -> dict[str, Any]:
    """What was said at the table, the oldest first. Spectators hear nothing of it: players may speak of what they alone see."""
    called = names(table)
    said = [] if not seats else [(seat, it) for seat in table.game.world.seats for it in _kept(table, seat)]
    told = [{"seat": seat, "from": called.get(seat, seat), **it} for seat, it in sorted(said, key=lambda each: each[1]["at"])]
    return {"names": called, "chat": [{"number": number, **it} for number, it in enumerate(told, 1)]}


def say(table: Table, seat: str, text: str) -> None:
    """Say something to all who play."""
    kept = [*_kept(table, seat), {"at": time.time(), "text": text}][-MOST_KEPT:]
    table.note(seat, "chat", json.dumps(kept))


def _kept(table: Table, seat: str) -> list[dict[str, Any]]:
    text = table.note(seat, "chat")
    return json.loads(text) if text else []
