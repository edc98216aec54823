"""Rollouts: lines of play in imagined positions, each the same for all plans but for what the plan does."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from hexwar.bots import Bot, KeyedChance
from hexwar.engine import View
from hexwar.errors import HexwarError
from hexwar.search._dice import ImaginedDice
from hexwar.search._plans import Plan, Planner


class Outcome(NamedTuple):
    """How a rollout ended.

    Args:
        lead: how far the side was ahead, in points.
        won: 1 if it has won, 0 if it has not, a half for a draw or a line that was cut off with nobody ahead.
    """

    lead: float
    won: float


class Rollouts:
    """The rollouts of some plans, each made when it is asked for and then kept.

    The rollout of a number imagines and rolls the same for all plans, whoever makes it and in whatever order.

    Args:
        view: where the plans begin.
        plans: the plans.
        planner: who says how long a plan lasts.
        policy: makes the bots that play everything else, on all seats.
        number: what the rollouts are made from.
        turns: after how many turns a line is cut off; it is played to the end of the game if None. In a game without
            turns nothing is cut off.
    """

    def __init__(
        self,
        view: View,
        plans: Sequence[Plan],
        planner: Planner,
        policy: Callable[[], Bot],
        number: int,
        turns: int | None = None,
    ) -> None:
        self._view, self._plans, self._planner, self._policy = view, plans, planner, policy
        self._number, self._turns = number, turns
        self._scope: Hashable | None = planner.scope(view)
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        scenario = view.position.world.setup.scenario
        self._bound = view.ruleset.info.scenario(scenario).bound

    @property
    def made(self) -> int:
        """How many there are."""
        return len(self._outcomes)

    def outcome(self, plan: int, number: int) -> Outcome:
        """How a plan does in the rollout of a number."""
        key = plan, number
        if key not in self._outcomes:
            self._outcomes[key] = self._played(self._plans[plan], f"{self._number}:{number}")
        return self._outcomes[key]

    def gains(self, plan: int, numbers: Sequence[int]) -> list[float]:
        """What a plan has more than the usual one, number by number."""
        return [self.outcome(plan, number).lead - self.outcome(0, number).lead for number in numbers]

    def _played(self, plan: Plan, seed: str) -> Outcome:
        view, planner, me = self._view, self._planner, self._view.viewer.seat
        line = view.imagine(KeyedChance(f"imagine {seed}"), ImaginedDice(seed))
        chance = KeyedChance(f"play {seed}")
        bots = {seat: self._policy() for seat in line.world.seats}
        mine: Bot | None = plan.make()
        last = None if self._turns is None else getattr(line.state, "turn", 0) + self._turns
        for _ in range(self._bound):
            if line.result is not None or (last is not None and getattr(line.state, "turn", 0) >= last):
                return self._outcome(line.ruleset.lead(line.position, view.side), line)
            seat = line.to_move[0]
            seen = line.view(seat)
            if mine is not None and seat == me and (now := planner.scope(seen)) is not None and now != self._scope:
                mine = None
            bot = mine if mine is not None and seat == me else bots[seat]
            line.apply(bot.choose(seen, chance), seat)
        raise HexwarError(f"an imagined game is not over after {self._bound} actions")

    def _outcome(self, lead: float, line: object) -> Outcome:
        result = getattr(line, "result", None)
        if result is None:
            return Outcome(lead, 0.5 + 0.5 * ((lead > 0) - (lead < 0)))
        return Outcome(lead, 0.5 if result.winner is None else float(result.winner == self._view.side))


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some values and its standard error, which nobody knows of less than two."""
    if not values:
        return 0.0, float("inf")
    if len(values) < 2:
        return values[0], float("inf")
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5
