"""An arena: all bots against each other, on both sides, with the same dice; how strong each is."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import permutations

from hexwar.studies._figures import interval, lead
from hexwar.studies._simulate import Outcome, Plan, play_seeds

ROUNDS = 400
"""Enough for the ratings to settle."""
SCALE = 400 / math.log(10)
"""So many Elo points stand for odds of e to one."""
PRIOR = 0.5
"""Each bot is credited with half a win and half a loss against the average: a rating stays finite where one always wins."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two bots on given sides.

    Args:
        scenario: where.
        bots: side -> bot.
        outcomes: its games.
    """

    scenario: str
    bots: Mapping[str, str]
    outcomes: Sequence[Outcome]

    def wins(self, side: str) -> int:
        """How many games a side won."""
        return sum(outcome.winner == side for outcome in self.outcomes)

    def lead(self, side: str) -> float | None:
        """By how many points it led in the mean of the games that were counted; None if none was."""
        leads = [lead(outcome.scores, side) for outcome in self.outcomes if outcome.scores]
        return sum(leads) / len(leads) if leads else None

    def margin(self, side: str, par: Mapping[str, float]) -> float | None:
        """By how many points it did better than par in the mean of the games that were counted; None if none was.

        Args:
            side: whose margin.
            par: side -> the points that it needs to win, as `par` finds them; the lead where no number decides.
        """
        lacking = sum(-points if needs == side else points for needs, points in par.items())
        ahead = self.lead(side)
        return None if ahead is None else ahead + lacking


@dataclass(frozen=True, slots=True)
class Standing:
    """How strong a bot is.

    Args:
        bot: its name.
        elo: its rating; the mean of all is 0.
        won: of its games; a draw counts half.
        games: how many it played.
    """

    bot: str
    elo: float
    won: float
    games: int

    @property
    def between(self) -> tuple[float, float]:
        """Where its true share of wins lies with 95 % confidence."""
        return interval(round(self.won), self.games)


def par(plan: Plan) -> dict[str, float]:
    """Side -> the points with which it wins, where the scenario has such a number; who has fewer then loses."""
    query = plan.begin(0)[0].query
    return {side: points for side, (points, _) in query.points_needed().items()} if hasattr(query, "points_needed") else {}


def arena(
    plan: Plan,
    bots: Sequence[str],
    seeds: Sequence[int],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    known: Sequence[Mapping[str, str]] = (),
    play: Callable[[Plan], Iterable[Outcome]] | None = None,
) -> Iterator[Match]:
    """Let every bot play every other, on each side, and itself, with the same seeds.

    Args:
        plan: ruleset, scenario and options; its bots do not matter but for the sides that they name, of which there are two.
        bots: their names.
        seeds: of the games of each match.
        jobs: how many processes of this machine play.
        executor: who plays instead.
        known: pairs, side -> bot, that need not be played again.
        play: plays the games of a match instead, to keep them in a file, say.
    """
    first, second = plan.bots
    pairs = [*permutations(dict.fromkeys(bots), 2), *((bot, bot) for bot in dict.fromkeys(bots))]
    for one, other in pairs:
        match = replace(plan, bots={first: one, second: other})
        if match.bots in known:
            continue
        games = play(match) if play else play_seeds(match, seeds, jobs=jobs, executor=executor)
        yield Match(plan.scenario or "", match.bots, sorted(games, key=lambda outcome: outcome.seed))


def standings(matches: Sequence[Match]) -> list[Standing]:
    """The ratings that make the results most probable (Bradley and Terry), the strongest first.

    One side may have the easier game. Each bot has played both as often, so that this cancels out. Games against itself say
    nothing of a bot's strength.
    """
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    for match in matches:
        (first, one), (second, other) = match.bots.items()
        for outcome in match.outcomes if one != other else ():
            if not outcome.error:
                share = {first: 1.0, second: 0.0}.get(outcome.winner, 0.5)
                points[one, other] += share
                points[other, one] += 1 - share
    bots = list(dict.fromkeys(bot for match in matches for bot in match.bots.values()))
    won = {bot: sum(value for (one, _), value in points.items() if one == bot) for bot in bots}
    games = {(one, other): points[one, other] + points[other, one] for one in bots for other in bots}
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(ROUNDS):
        for bot in bots:
            met = sum(games[bot, other] / (strength[bot] + strength[other]) for other in bots if other != bot)
            strength[bot] = (won[bot] + PRIOR) / (met + 2 * PRIOR / (strength[bot] + 1))
        mean = math.exp(sum(map(math.log, strength.values())) / len(bots))
        strength = {bot: value / mean for bot, value in strength.items()}
    found = [
        Standing(bot, SCALE * math.log(strength[bot]), won[bot], round(sum(games[bot, other] for other in bots if other != bot)))
        for bot in bots
    ]
    return sorted(found, key=lambda standing: -standing.elo)
