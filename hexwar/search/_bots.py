"""Bots that search."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from functools import partial
from typing import Any

from hexwar.bots import Bot, load_bot, usual_bot
from hexwar.engine import Action, RandomSource, View
from hexwar.errors import HexwarError
from hexwar.search._analysis import Analysis, Budget, analyse
from hexwar.search._plans import Decisions, Planner, planner_of
from hexwar.search._rollouts import Judge

ROLLOUTS = 96
"""Of a search bot whose name says no number."""


class SearchBot:
    """Analyses at the beginning of each scope of its planner, and plays the plan that it finds.

    Args:
        budget: how much it may try out each time.
        policy: makes the bot that plays whatever is not planned, and goes on in rollouts; the game's own if not given.
        planner: who knows the plans; the policy itself, if it is one.
        gate: see `analyse`, as for the rest.
    """

    def __init__(
        self,
        budget: Budget,
        policy: Callable[[], Bot] | None = None,
        planner: Planner | None = None,
        gate: float | None = 1.0,
        judge: Judge | None = None,
        executor: Executor | None = None,
    ) -> None:
        self._budget, self._policy, self._planner, self._gate = budget, policy, planner, gate
        self._judge, self._executor = judge, executor
        self._scope: Hashable | None = None
        self._playing: Bot | None = None
        self.analysis: Analysis | None = None
        """What it found last."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        policy = self._policy = self._policy or partial(load_bot, usual_bot(view.ruleset.info))
        planner = self._planner = self._planner or planner_of(policy)
        scope = planner.scope(view)
        if self._playing is None:
            self._playing = policy()
        if scope is not None and scope != self._scope:
            self._scope = scope
            plans = list(planner.plans(view))
            how: dict[str, Any] = {"gate": self._gate, "judge": self._judge, "executor": self._executor}
            self.analysis = analyse(view, planner, policy, self._budget, chance, plans=plans, **how)
            self._playing = plans[self.analysis.best].make()
        return self._playing.choose(view, chance)


class FlatMonteCarlo(SearchBot):
    """Compares all that it may do by rollouts of a policy to the end of the game: the simplest search, for any game.

    Args:
        rollouts: how many it may make for a decision.
        policy: the name of the bot that plays the rollouts.
    """

    def __init__(self, rollouts: int = 100, policy: str = "random") -> None:
        make = partial(load_bot, policy)
        super().__init__(Budget(rollouts), make, Decisions(make), gate=None)


NAMED = re.compile(r"(?:(\d+)|(\d+(?:\.\d+)?)s)(?::(\d+))?")
"""What stands behind "search:": rollouts or seconds, and after how many turns they are cut off."""


def named_search(told: str = "") -> SearchBot:
    """A search bot by what stands behind "search:" in its name, such as 96, 96:2 or 10s; with 96 rollouts if nothing does.

    Raises:
        HexwarError: it is something else.
    """
    found = NAMED.fullmatch(told or str(ROLLOUTS))
    if found is None:
        ways = "search:96 has 96 rollouts, search:96:2 cuts them off after 2 turns, search:10s takes ten seconds"
        raise HexwarError(f"a bot search:{told} is not known; {ways}")
    rollouts, seconds, turns = found.groups()
    cut = int(turns) if turns else None
    return SearchBot(Budget(int(rollouts), turns=cut) if rollouts else Budget(seconds=float(seconds), turns=cut))
