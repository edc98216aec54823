"""Levels: how strong an opponent people want."""

from __future__ import annotations

import math

from hexwar.bots import Bot, load_bot, usual_bot
from hexwar.engine import Action, RandomSource, View
from hexwar.errors import HexwarError, UnknownName
from hexwar.search._analysis import Budget
from hexwar.search._bots import NAMED, SearchBot
from hexwar.search._plans import Planner

LEVELS = {
    "beginner": "the game's bot, which uses one activation in three in another way than it would",
    "normal": "the game's bot",
    "strong": "tries the plans of the game's bot out in imagined games, about five seconds for each activation",
}
"""The levels, weakest first, each with what plays. A time such as 20s is a level as well."""
SECONDS = 5.0
OTHERWISE = 3
"""A beginner does something else once in this number of times."""


def level_named(name: str, most: float = math.inf) -> str:
    """The name of the bot that plays at a level, which may be a time such as 20s.

    Args:
        name: the level.
        most: the longest time, in seconds.

    Raises:
        UnknownName: there is no such level.
        HexwarError: that is too long.
    """
    if name in LEVELS:
        return name
    found = NAMED.fullmatch(name)
    if found is None or not found[2] or not float(found[2]):
        raise UnknownName("level", name, [*LEVELS, "20s"])
    if float(found[2]) > most:
        raise HexwarError(f"a level has {most:g} seconds at most here, not {found[2]}")
    return f"search:{name}"


class Normal:
    """The game's own bot, whichever game it is."""

    def __init__(self) -> None:
        self._bot: Bot | None = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        if self._bot is None:
            self._bot = load_bot(usual_bot(view.ruleset.info))
        return self._bot.choose(view, chance)


class Beginner:
    """The game's own bot, which uses one activation in three in another way; in a game without plans, one decision in nine."""

    def __init__(self) -> None:
        self._bot: Bot | None = None
        self._scope: object = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        if self._bot is None:
            self._bot = load_bot(usual_bot(view.ruleset.info))
        usual = load_bot(usual_bot(view.ruleset.info))
        if not isinstance(usual, Planner):
            return self._bot.choose(view, chance) if chance.randrange(OTHERWISE**2) else view.sample(chance)
        scope = usual.scope(view)
        if scope is not None and scope != self._scope:
            self._scope, self._bot = scope, usual
            plans = [*usual.plans(view)][1:]
            if plans and not chance.randrange(OTHERWISE):
                self._bot = plans[chance.randrange(len(plans))].make()
        return self._bot.choose(view, chance)


class Strong(SearchBot):
    """Search with five seconds for each activation."""

    def __init__(self) -> None:
        super().__init__(Budget(seconds=SECONDS))
