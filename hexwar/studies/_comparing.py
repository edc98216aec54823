"""Two ways of playing on the same seeds: do they differ, or is it chance?"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexwar.errors import HexwarError
from hexwar.studies._figures import lead, student
from hexwar.studies._simulate import Outcome

DOUBT = 0.05
"""A difference that chance alone would give more often than this does not count."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed for a side from one study to another.

    Args:
        side: whose wins and points are counted.
        games: how many seeds both have played.
        before: how many of them it won in the first study.
        after: how many it won in the second.
        gained: games that it won in the second study only.
        lost: games that it won in the first study only.
        doubt: how probable it is that chance alone would make them differ as much (McNemar's test, exact).
        margin: by how many more points it led in the second study, in the mean of the games in which points were counted.
        error: 95 % of such means lie within this of the true one (Student's distribution); None of fewer than two games.
    """

    side: str
    games: int
    before: int
    after: int
    gained: int
    lost: int
    doubt: float
    margin: float
    error: float | None

    def __str__(self) -> str:
        if self.doubt > DOUBT:
            verdict = "no difference beyond chance"
        else:
            verdict = f"wins {'more' if self.gained > self.lost else 'less'} often"
        games = f"{self.games} game{'s' * (self.games != 1)}"
        within = "" if self.error is None else f" (± {self.error:.1f})"
        points = f"; its lead changes by {self.margin:+.1f} points{within}" if self.margin or self.error else ""
        return (
            f"{self.side}: {verdict}: {self.after} instead of {self.before} of {games}; of the same seeds, "
            f"{self.gained} gained and {self.lost} lost (p = {self.doubt:.2g}){points}"
        )


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> list[Comparison]:
    """What changed for each side, on the seeds that both have played without a mistake.

    Raises:
        HexwarError: there is none.
    """
    first, second = ({it.seed: it for it in outcomes if not it.error} for outcomes in (before, after))
    seeds = sorted(first.keys() & second.keys())
    if not seeds:
        raise HexwarError("the two studies have no seed in common, so nothing can be compared")
    games = [(first[seed], second[seed]) for seed in seeds]
    sides = sorted({side for pair in games for it in pair for side in (it.winner, *it.scores) if side})
    return [_change(side, games) for side in sides]


def _change(side: str, games: Sequence[tuple[Outcome, Outcome]]) -> Comparison:
    won = [(before.winner == side, after.winner == side) for before, after in games]
    gained, lost = won.count((False, True)), won.count((True, False))
    leads = [lead(after.scores, side) - lead(before.scores, side) for before, after in games if before.scores and after.scores]
    error = student(len(leads) - 1) * statistics.stdev(leads) / math.sqrt(len(leads)) if len(leads) > 1 else None
    return Comparison(
        side,
        len(games),
        sum(one for one, _ in won),
        sum(other for _, other in won),
        gained,
        lost,
        _doubt(gained, lost),
        statistics.fmean(leads) if leads else 0.0,
        error,
    )


def _doubt(gained: int, lost: int) -> float:
    """How probable it is that as many coins fall as unevenly, to either side."""
    tosses, fewer = gained + lost, min(gained, lost)
    uneven: int = 2 * sum(math.comb(tosses, heads) for heads in range(fewer + 1))
    return min(1.0, uneven / float(2**tosses))
