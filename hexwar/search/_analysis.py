"""Analyses: which of some plans is best, by how much, and how sure that is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass

from hexwar.bots import Bot
from hexwar.engine import Json, RandomSource, View
from hexwar.errors import HexwarError
from hexwar.search._plans import Plan, Planner
from hexwar.search._rollouts import Judge, Rollouts, mean_and_error

LEAST = 4
"""A plan is not looked at if it would get fewer rollouts than this."""
TRIAL = 3
"""How many rollouts are made to find out how long one takes."""
FEW = 64
"""With fewer rollouts than these in the given time, lines are cut off."""
CUT_AFTER = 2
"""After this many turns, then."""


@dataclass(frozen=True)
class Budget:
    """How much may be tried out. Rollouts decide, and the same number gives the same answer; seconds are for people.

    Args:
        rollouts: how many lines of play.
        seconds: how long it may take, as far as that can be foretold; it is turned into a number of rollouts.
        turns: after how many turns a line is cut off and judged by `Ruleset.lead`; it is played to the end of the game if None.
            With seconds, it is chosen so that enough lines can be played.
    """

    rollouts: int | None = None
    seconds: float | None = None
    turns: int | None = None

    def __post_init__(self) -> None:
        if (self.rollouts is None) == (self.seconds is None):
            raise HexwarError("a budget is a number of rollouts or of seconds")
        for name, value in (("rollouts", self.rollouts), ("seconds", self.seconds), ("turns", self.turns)):
            if value is not None and not 0 < value < math.inf:
                raise HexwarError(f"a budget of {value} {name} is too small: it must be above 0")


@dataclass(frozen=True)
class Option:
    """What was found out about a plan.

    Args:
        name: the plan.
        lead: the mean of the final leads, in points.
        won: the share of the rollouts that were won.
        gain: how much more lead it has than the usual plan, the mean of pairs.
        error: the standard error of the gain.
        rollouts: how many were made, and so how many pairs.
    """

    name: str
    lead: float
    won: float
    gain: float
    error: float
    rollouts: int


@dataclass(frozen=True)
class Analysis:
    """What search found.

    Args:
        options: the plans, the usual one first.
        best: the place of the one to choose.
        usual: the usual plan in the very pairs in which the best was compared with it at last.
        rollouts: how many were made.
        budget: with this number the same is found again.
        turns: after how many turns lines were cut off, None if they were played to the end.
        number: what the rollouts were made from.
    """

    options: tuple[Option, ...]
    best: int
    usual: Option
    rollouts: int
    budget: int
    turns: int | None
    number: int

    @property
    def reason(self) -> str:
        """Why the best plan is chosen, in a sentence for people, never surer than the figures."""
        if len(self.options) < 2 or not self.rollouts:
            return f"{self.usual.name}. Nothing else was tried."
        where = "imagined games" if self.turns is None else f"imagined lines of {self.turns} turn{'s' * (self.turns > 1)}"
        if not self.best:
            return f"{self.usual.name}. No plan was found to be better among {len(self.options)}, in {self.rollouts} {where}."
        best = self.options[self.best]
        ahead = f"{best.gain:+.1f} ± {best.error:.1f} points compared with the usual plan"
        wins = "wins" if self.turns is None else "is ahead in"
        shares = f"{wins} {best.won:.0%} instead of {self.usual.won:.0%}"
        return f"{best.name}: {ahead}, {shares}, in {best.rollouts} pairs of {where}."

    def to_json(self) -> dict[str, Json]:
        """The figures as plain JSON data, with the reason; an unknown error is null."""

        def figures(option: Option) -> dict[str, Json]:
            return {**asdict(option), "error": option.error if math.isfinite(option.error) else None}

        return {
            "reason": self.reason,
            "options": [figures(option) for option in self.options],
            "best": self.best,
            "usual": figures(self.usual),
            "rollouts": self.rollouts,
            "turns": self.turns,
        }


def analyse(
    view: View,
    planner: Planner,
    policy: Callable[[], Bot],
    budget: Budget,
    chance: RandomSource,
    *,
    gate: float | None = 1.0,
    plans: Sequence[Plan] = (),
    judge: Judge | None = None,
    executor: Executor | None = None,
) -> Analysis:
    """Compare the plans that a seat has now, by what it knows and nothing else.

    With a gate, half of the budget sifts the plans, halving their number again and again, and the other half compares the one
    that is left with the usual plan in fresh pairs. Without one, all plans get the same number of rollouts.

    Args:
        view: what the seat knows; it is being asked.
        planner: who knows the plans.
        policy: makes the bots that go on after a plan and play the other seats.
        budget: how much may be tried out.
        chance: one number is drawn from it.
        gate: how many standard errors another plan must be better than the usual one to be chosen; None for the best mean.
        plans: those of the planner, for callers that have asked already.
        judge: says how far a side is ahead where lines are cut off; `Ruleset.lead` if not given.
        executor: who makes the rollouts, such as `hexwar.workers.Workers`; the answer is the same. Planner, policy and
            judge must be such as can be pickled. Seconds are still those of one process.
    """
    number = chance.randrange(1 << 62)
    plans = plans or list(planner.plans(view))
    if not plans:
        raise HexwarError(f"{type(planner).__name__} has no plan for: {view.prompt}")
    total, turns = budget.rollouts, budget.turns
    if total is None:
        total, turns = _affordable(view, plans, planner, policy, number, budget, judge)
    plans = plans[: max(1, total // LEAST)]
    lines = Rollouts(view, plans, planner, policy, number, turns, judge, executor)
    if len(plans) == 1:
        only = Option(plans[0].name, 0.0, 0.0, 0.0, math.inf, 0)
        return Analysis((only,), 0, only, 0, total, turns, number)
    search = _plain if gate is None else _gated
    return search(lines, plans, total, turns, number, gate or 0.0)


def _affordable(
    view: View,
    plans: Sequence[Plan],
    planner: Planner,
    policy: Callable[[], Bot],
    number: int,
    budget: Budget,
    judge: Judge | None,
) -> tuple[int, int | None]:
    """How many rollouts the given time is enough for, and after how many turns to cut them off.

    Short lines are tried first: where these are slow already, nobody waits for the end of an imagined campaign.
    """
    assert budget.seconds is not None
    begun = time.perf_counter()

    def lasting(turns: int | None) -> float:
        """How long one rollout takes."""
        lines, start = Rollouts(view, plans[:1], planner, policy, number, turns, judge), time.perf_counter()
        for trial in range(TRIAL):
            lines.outcome(0, trial)
            if time.perf_counter() - start > (budget.seconds or 0) / 20:
                break
        return (time.perf_counter() - start) / lines.made

    def number_of(each: float) -> int:
        return max(1, int(0.8 * (budget.seconds or 0) / max(each, 1e-9)))

    if budget.turns:
        return number_of(lasting(budget.turns)), budget.turns
    short = lasting(1)
    left = max(1, getattr(view.position.world, "last_turn", 0) - getattr(view.state, "turn", 0) + 1)
    for turns, foretold in ((None, short * left), (CUT_AFTER, short * min(left, CUT_AFTER))):
        if number_of(foretold) >= FEW and number_of(each := lasting(turns)) >= FEW:
            return number_of(each), turns
    spent = time.perf_counter() - begun
    return max(1, int(number_of(short) * max(0.0, 1 - spent / budget.seconds))), 1


def _option(lines: Rollouts, plan: int, name: str, numbers: range) -> Option:
    outcomes = [lines.outcome(plan, number) for number in numbers]
    gain, error = mean_and_error(lines.gains(plan, numbers))
    lead, won = (mean_and_error([getattr(outcome, it) for outcome in outcomes])[0] for it in ("lead", "won"))
    return Option(name, lead, won, gain, error if plan else 0.0, len(numbers))


def _plain(lines: Rollouts, plans: Sequence[Plan], total: int, turns: int | None, number: int, gate: float) -> Analysis:
    numbers = range(max(1, total // len(plans)))
    lines.make((place, it) for it in numbers for place in range(len(plans)))
    options = tuple(_option(lines, place, plan.name, numbers) for place, plan in enumerate(plans))
    best = max(range(len(options)), key=lambda place: options[place].lead)
    return Analysis(options, best, options[0], lines.made, total, turns, number)


def _gated(lines: Rollouts, plans: Sequence[Plan], total: int, turns: int | None, number: int, gate: float) -> Analysis:
    left = list(range(1, len(plans)))
    rounds = max(1, math.ceil(math.log2(len(left)))) if len(left) > 1 else 1
    done: dict[int, int] = dict.fromkeys(range(len(plans)), 0)
    sifted = total // 2
    for at in range(rounds):
        share = sifted // (rounds - at) // (len(left) + 1)
        until = done[0] + max(1, share)
        done.update(dict.fromkeys((0, *left), until))
        lines.make((place, it) for it in range(until) for place in (0, *left))
        sifted = max(0, total // 2 - lines.made)
        left.sort(key=lambda place: (-mean_and_error(lines.gains(place, range(until)))[0], place))
        left = left[: (len(left) + 1) // 2]
    champion = left[0]
    fresh = range(done[0], done[0] + max(2, (total - lines.made) // 2))
    lines.make((place, it) for it in fresh for place in (0, champion))
    options = [_option(lines, place, plan.name, range(max(1, done[place]))) for place, plan in enumerate(plans)]
    options[champion] = proven = _option(lines, champion, plans[champion].name, fresh)
    usual = _option(lines, 0, plans[0].name, fresh)
    best = champion if proven.gain > gate * proven.error else 0
    return Analysis(tuple(options), best, usual, lines.made, total, turns, number)
