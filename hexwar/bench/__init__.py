"""Benchmarks that mean something on any machine: each measures our way against the obvious other way, in the same run.

Absolute times depend on the machine and on what else it does; a ratio of two things that take turns does not. So every
comparison runs in rounds, everybody after each other in each round, in processor time, and reports the medians.

Run as `hexwar bench`; `docs/performance.md` explains the tables.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import hexwar
from hexwar.bench import _parts, _play
from hexwar.bench._play import Row
from hexwar.bench._report import FLOORS, Floor, broken, picture, text
from hexwar.board import COMPILED
from hexwar.errors import UnknownName

__all__ = ["FLOORS", "Floor", "Row", "broken", "picture", "run", "text"]

LARGE = "ava/campaign"
"""The game whose parts are measured, if it is installed and no other is named."""
BOTS = ("ava/smolensk",)
"""Where bots play besides the first scenario of each ruleset; elsewhere only on demand."""
WAYS = (*_play.WAYS, "bot")
PARTS: dict[str, Callable[[str, int, float], Iterable[Row]]] = {
    "kernels": _parts.kernels,
    "start": _parts.starts,
    "growth": _parts.growth,
    "memory": _parts.memory,
}
TABLES = ("play", "worlds", *PARTS, "strategies")


def run(words: Sequence[str] = (), *, quick: bool = False) -> dict[str, list[Row]]:
    """Measure, and return the tables.

    Args:
        words: what to measure: rulesets, "ruleset/scenario", ways to play and tables; everything if none is named.
        quick: fewer and shorter rounds, and only one scenario a ruleset, to see that it works.

    Raises:
        UnknownName: a word is not one of these.
    """
    known = {
        info.id: [f"{info.id}/{scenario.id}" for scenario in info.scenarios if not scenario.lacks]
        for info in hexwar.rulesets().values()
    }
    everything = [name for names in known.values() for name in names]
    for word in words:
        if word not in (*known, *everything, *WAYS, *TABLES):
            raise UnknownName("thing to measure", word, [*known, *everything, *WAYS, *TABLES])
    games = [name for name in everything if name in words or name.partition("/")[0] in words]
    large = games[0] if games else LARGE if LARGE in everything else everything[0]
    shown = {*BOTS, *(names[0] for names in known.values() if names)}
    games = games or [name for name in everything if not quick or name == LARGE or name in shown]
    ways = [way for way in WAYS if way in words]
    wanted = [table for table in TABLES if table in words] or (["play"] if words else TABLES)

    def ways_of(name: str) -> Sequence[str]:
        return ways or [way for way in WAYS if (way != "bot" or name in shown) and not (quick and way in _play.SLOW)]

    rounds, share = (2, 0.02) if quick else (7, 0.15)
    measures: dict[str, Callable[[], Iterable[Row]]] = {
        "play": partial(_play.measured, games, ways_of, rounds, share),
        "worlds": partial(_parts.worlds, [name for name in games if name in shown], large, rounds, share),
        **{name: partial(part, large, rounds, share) for name, part in PARTS.items()},
        "strategies": partial(_strategies, quick=quick),
    }
    return {"about": [_about()]} | {name: [*measures[name]()] for name in wanted}


def _about() -> Row:
    """Where it was measured: the load says how much the absolute figures are worth."""
    kernel, load = "compiled" if COMPILED else "pure Python", os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {"name": f"Python {platform.python_version()}", "hexwar": hexwar.__version__, "kernel": kernel, "load": load}


def _strategies(*, quick: bool) -> list[Row]:
    """An example of each strategy of the test kit, if Hypothesis is installed."""
    try:
        from hexwar.testing.strategies import costs
    except ImportError:
        return []
    rulesets = [(name, scenario) for name, scenario in (("bridgehead", None), ("ava", "training")) if name in hexwar.rulesets()]
    return [{"name": name, "ms": seconds * 1e3} for name, seconds in costs(5 if quick else 150, *rulesets).items()]
