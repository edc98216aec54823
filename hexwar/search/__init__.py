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
    from hexwar.search._ismcts import Ismcts
    from hexwar.search._levels import LEVELS, Beginner, Normal, Strong, level_named
    from hexwar.search._plans import Decisions, Plan, Planner, planner_of
    from hexwar.search._rollouts import Judge, Rollouts

__all__ = [
    "LEVELS",
    "Analysis",
    "Beginner",
    "Budget",
    "Decisions",
    "FlatMonteCarlo",
    "ImaginedDice",
    "Ismcts",
    "Judge",
    "Normal",
    "Option",
    "Plan",
    "Planner",
    "Rollouts",
    "SearchBot",
    "Strong",
    "analyse",
    "level_named",
    "named_search",
    "planner_of",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "LEVELS": "_levels",
        "Analysis": "_analysis",
        "Beginner": "_levels",
        "Budget": "_analysis",
        "Decisions": "_plans",
        "FlatMonteCarlo": "_bots",
        "ImaginedDice": "_dice",
        "Ismcts": "_ismcts",
        "Judge": "_rollouts",
        "Normal": "_levels",
        "Option": "_analysis",
        "Plan": "_plans",
        "Planner": "_plans",
        "Rollouts": "_rollouts",
        "SearchBot": "_bots",
        "Strong": "_levels",
        "analyse": "_analysis",
        "level_named": "_levels",
        "named_search": "_bots",
        "planner_of": "_plans",
    },
)
