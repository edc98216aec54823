"""What the games of a study say together."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from hexwar.studies._simulate import Outcome

NOBODY = "nobody"
SURE = 0.95
"""How sure an interval is."""
CONFIDENT = 1.959964
"""How many standard errors an interval of 95 % reaches to each side."""


def interval(hits: int, trials: int) -> tuple[float, float]:
    """Wilson's interval: where the true rate lies with 95 % confidence; good for few games and rates near 0 or 1."""
    if not trials:
        return 0.0, 1.0
    rate, square = hits / trials, CONFIDENT**2
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    half = CONFIDENT * math.sqrt(rate * (1 - rate) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def student(freedom: int) -> float:
    """How many standard errors a 95 % interval of a mean reaches to each side, by the degrees of freedom of its error."""
    if freedom == 1:
        return math.tan(math.pi * SURE / 2)
    if freedom == 2:
        return SURE * math.sqrt(2 / (1 - SURE**2))
    # Cornish and Fisher's expansion around the normal distribution; right to half a hundredth from here on.
    z = CONFIDENT
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def wins(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Side -> how many games it won; draws and games without a winner are nobody's, last."""
    counted: Counter[str] = Counter()
    for outcome in outcomes:  # a side that has lost all its units, and every game, is a side none the less
        counted.update(dict.fromkeys((*outcome.scores, *(side for moment in outcome.moments for side in moment.steps)), 0))
    counted.update(outcome.winner or NOBODY for outcome in outcomes)
    return dict(sorted(counted.items(), key=lambda entry: (entry[0] == NOBODY, entry[0])))


def lead(points: Mapping[str, float], side: str) -> float:
    """By how many points a side leads the best of the others."""
    return points.get(side, 0) - max((those for other, those in points.items() if other != side), default=0)


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Of values in any order; between two values, in proportion."""
    first, middle, last = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else (*values,) * 3
    return first, middle, last


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Who won how often, the points, and the size of the games, in lines."""
    played = [outcome for outcome in outcomes if not outcome.error]
    lines = []
    if played:
        told = ", ".join(f"{side} wins {count}{_between(count, len(played))}" for side, count in wins(played).items())
        lines.append(f"{len(played)} game{'s' * (len(played) != 1)}: {told}")
        for side in sorted({side for outcome in played for side in outcome.scores}):
            points = [outcome.scores[side] for outcome in played if side in outcome.scores]
            some = f" in the {len(points)} games that were counted" if len(points) < len(played) else ""
            quarters = " ".join(f"{value:g}" for value in quartiles(points))
            lines.append(
                f"points of {side}{some}: least {min(points)}, quartiles {quarters}, most {max(points)}, "
                f"mean {statistics.fmean(points):.1f}"
            )
        turns = [len(outcome.moments) for outcome in played if outcome.moments]
        if turns:
            lines.append(f"turns: {min(turns)} to {max(turns)}, mean {statistics.fmean(turns):.1f}")
        seats = sorted({seat for outcome in played for seat in outcome.decisions})
        means = {seat: statistics.fmean(outcome.decisions.get(seat, 0) for outcome in played) for seat in seats}
        if means:
            lines.append("decisions a game: " + ", ".join(f"{seat} {mean:.0f}" for seat, mean in means.items()))
        slowest = max(played, key=lambda outcome: outcome.seconds)
        if slowest.seconds:
            lines.append(f"slowest: seed {slowest.seed} with {slowest.seconds:.2f} processor seconds")
        size = f"{statistics.fmean(outcome.actions for outcome in played):.0f} actions"
        timed = [outcome for outcome in played if outcome.seconds]  # a file may have lost the times of some
        if timed:
            seconds = sum(outcome.seconds for outcome in timed)
            size += f" and {seconds / len(timed):.2f} processor seconds a game"
            size += f", {sum(outcome.actions for outcome in timed) / seconds:,.0f} actions a second"
        else:
            size += " a game"
        lines.append(size)
    lines += [f"seed {outcome.seed}: {outcome.error}" for outcome in outcomes if outcome.error]
    return lines


def _between(hits: int, trials: int) -> str:
    low, high = interval(hits, trials)
    return f" ({low:.0%} to {high:.0%})"
