"""Rollouts: lines of play in imagined positions, each the same for all plans but for what the plan does."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from hexwar.bots import Bot, KeyedChance
from hexwar.engine import Playout, View
from hexwar.errors import HexwarError
from hexwar.facade import read_view
from hexwar.search._dice import ImaginedDice
from hexwar.search._plans import Plan, Planner

Judge = Callable[[Playout, str], float]
"""How far a side is ahead where a line of play ends or is cut off, in points."""
SHARES = 16
"""Into how many parts the rollouts of a round are divided for other processes."""


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
        judge: says how far a side is ahead where a line was cut off; `Ruleset.lead` if not given.
        executor: who makes rollouts that are asked for together; this process if not given.
    """

    def __init__(
        self,
        view: View,
        plans: Sequence[Plan],
        planner: Planner,
        policy: Callable[[], Bot],
        number: int,
        turns: int | None = None,
        judge: Judge | None = None,
        executor: Executor | None = None,
    ) -> None:
        self._view, self._plans, self._planner, self._policy = view, plans, planner, policy
        self._number, self._turns, self._judge, self._executor = number, turns, judge, executor
        self._scope: Hashable | None = planner.scope(view)
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        scenario = view.position.world.setup.scenario
        self._bound = view.ruleset.info.scenario(scenario).bound

    @property
    def made(self) -> int:
        """How many there are."""
        return len(self._outcomes)

    def make(self, wanted: Iterable[tuple[int, int]]) -> None:
        """Make the rollouts of some plans and numbers, in other processes if there is an executor."""
        missing = [key for key in dict.fromkeys(wanted) if key not in self._outcomes]
        if self._executor is None or len(missing) < 2:
            for plan, number in missing:
                self.outcome(plan, number)
            return
        seen = self._view.to_json(whole=True)
        what = self._planner, self._policy, self._plans, self._number, self._turns, self._judge
        shares = [share for first in range(SHARES) if (share := missing[first::SHARES])]
        waiting = [(share, self._executor.submit(_made_elsewhere, seen, what, share)) for share in shares]
        for share, made in waiting:
            self._outcomes.update(zip(share, made.result(), strict=True))

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
                return self._outcome(line)
            seat = line.to_move[0]
            seen = line.view(seat)
            if mine is not None and seat == me and (now := planner.scope(seen)) is not None and now != self._scope:
                mine = None
            bot = mine if mine is not None and seat == me else bots[seat]
            line.apply(bot.choose(seen, chance), seat)
        raise HexwarError(f"an imagined game is not over after {self._bound} actions")

    def _outcome(self, line: Playout) -> Outcome:
        side, result = self._view.side, line.result
        if result is not None:
            won = 0.5 if result.winner is None else float(result.winner == side)
            return Outcome(line.ruleset.lead(line.position, side), won)
        lead = self._judge(line, side) if self._judge else line.ruleset.lead(line.position, side)
        return Outcome(lead, 0.5 + 0.5 * ((lead > 0) - (lead < 0)))


def _made_elsewhere(seen: Mapping[str, Any], what: tuple[Any, ...], share: Sequence[tuple[int, int]]) -> list[Outcome]:
    """Rollouts of a view that another process had."""
    planner, policy, plans, number, turns, judge = what
    lines = Rollouts(read_view(seen), plans, planner, policy, number, turns, judge)
    return [lines.outcome(*key) for key in share]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some values and its standard error, which is undefined for less than two."""
    if not values:
        return 0.0, float("inf")
    if len(values) < 2:
        return values[0], float("inf")
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5
