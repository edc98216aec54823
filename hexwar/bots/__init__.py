"""Bots: players that see what a side may see, and decide.

A bot is anything with `choose(view, chance)`. The ones that come with hexwar are registered through the same hook that
third parties use; this module is that plugin, so it imports nothing heavy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hexwar.plugins import hookimpl

if TYPE_CHECKING:
    from hexwar.bots.greedy import GreedyBot
    from hexwar.bots.playing import Bot, KeyedChance, RandomBot, load_bot, move_once, play_out

_HOMES = {
    "Bot": "hexwar.bots.playing",
    "GreedyBot": "hexwar.bots.greedy",
    "KeyedChance": "hexwar.bots.playing",
    "RandomBot": "hexwar.bots.playing",
    "load_bot": "hexwar.bots.playing",
    "move_once": "hexwar.bots.playing",
    "play_out": "hexwar.bots.playing",
}

__all__ = ["Bot", "GreedyBot", "KeyedChance", "RandomBot", "load_bot", "move_once", "play_out"]


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """The two that come with hexwar."""
    return {"greedy": "hexwar.bots.greedy:GreedyBot", "random": "hexwar.bots.playing:RandomBot"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'hexwar.bots' has no attribute {name!r}")
