"""Bots: players that see what a side may see, and decide.

A bot is anything with `choose(view, chance)`. The ones that come with hexwar are registered through the same hook that
third parties use; this module is that plugin, so it imports nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar._lazy import lazy
from hexwar.plugins import hookimpl

if TYPE_CHECKING:
    from hexwar.bots._fields import remembered, spread, steps_of
    from hexwar.bots._greedy import GreedyBot
    from hexwar.bots._play_to_end import Bot, Disturbed, KeyedChance, RandomBot, load_bot, move_once, play_to_end, usual_bot
    from hexwar.bots._postures import Posture, attacking, different
    from hexwar.bots._process import ProgramBot

__all__ = [
    "Bot",
    "Disturbed",
    "GreedyBot",
    "KeyedChance",
    "Posture",
    "ProgramBot",
    "RandomBot",
    "attacking",
    "different",
    "load_bot",
    "move_once",
    "play_to_end",
    "remembered",
    "spread",
    "steps_of",
    "usual_bot",
]


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """Those that come with hexwar; the levels and `search` play any game, with its own bot as far as it has one."""
    return {
        "beginner": "hexwar.search:Beginner",
        "greedy": "hexwar.bots:GreedyBot",
        "normal": "hexwar.search:Normal",
        "random": "hexwar.bots:RandomBot",
        "search": "hexwar.search:named_search",
        "strong": "hexwar.search:Strong",
    }


__getattr__, __dir__ = lazy(
    __name__,
    {
        "Bot": "_play_to_end",
        "Disturbed": "_play_to_end",
        "GreedyBot": "_greedy",
        "KeyedChance": "_play_to_end",
        "Posture": "_postures",
        "ProgramBot": "_process",
        "attacking": "_postures",
        "different": "_postures",
        "RandomBot": "_play_to_end",
        "load_bot": "_play_to_end",
        "move_once": "_play_to_end",
        "play_to_end": "_play_to_end",
        "remembered": "_fields",
        "spread": "_fields",
        "steps_of": "_fields",
        "usual_bot": "_play_to_end",
    },
    "hexwar_bots",
)
