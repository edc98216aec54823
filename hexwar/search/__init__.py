"""Search: bots that try their plans out in positions that they imagine, and see the true one as little as any other bot.

`analyse` compares the plans of an activation, or single actions, by rollouts: lines of play in imagined positions. `SearchBot`
plays by it. A `Planner` says which plans there are; bots that know a game are planners of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar._lazy import lazy

if TYPE_CHECKING:
    from hexwar.search._analysis import Analysis, Budget, Option, analyse
    from hexwar.search._bots import FlatMonteCarlo, SearchBot, named_search
    from hexwar.search._dice import ImaginedDice
    from hexwar.search._levels import Beginner, Normal, Strong
    from hexwar.search._plans import Decisions, Plan, Planner, planner_of
    from hexwar.search._rollouts import Rollouts

__all__ = [
    "LEVELS",
    "Analysis",
    "Beginner",
    "Budget",
    "Decisions",
    "FlatMonteCarlo",
    "ImaginedDice",
    "Normal",
    "Option",
    "Plan",
    "Planner",
    "Rollouts",
    "SearchBot",
    "Strong",
    "analyse",
    "named_search",
    "planner_of",
]

LEVELS = {
    "beginner": "the game's bot, which uses one activation in three in another way than it would",
    "normal": "the game's bot",
    "strong": "tries the plans of the game's bot out in imagined games, about five seconds for each activation",
}
"""The levels, weakest first, each with what plays."""

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Analysis": "_analysis",
        "Beginner": "_levels",
        "Budget": "_analysis",
        "Decisions": "_plans",
        "FlatMonteCarlo": "_bots",
        "ImaginedDice": "_dice",
        "Normal": "_levels",
        "Option": "_analysis",
        "Plan": "_plans",
        "Planner": "_plans",
        "Rollouts": "_rollouts",
        "SearchBot": "_bots",
        "Strong": "_levels",
        "analyse": "_analysis",
        "named_search": "_bots",
        "planner_of": "_plans",
    },
    "LEVELS",
)
