"""The figures of studies beside those of SciPy and NumPy."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexwar.studies import Match, Outcome, compare, standings
from hexwar.studies._arena import PRIOR, SCALE
from hexwar.studies._figures import interval, quartiles, student

stats = pytest.importorskip("scipy.stats")
optimize = pytest.importorskip("scipy.optimize")

POINTS = st.integers(-50, 50)
GAMES = st.lists(
    st.tuples(st.sampled_from(["blue", "red"]), st.sampled_from(["blue", "red"]), POINTS, POINTS), min_size=2, max_size=30
)


@given(st.integers(1, 300).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
@example((0, 1))
@example((300, 300))
def test_an_interval_is_wilsons(counts: tuple[int, int]) -> None:
    expected = stats.binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert interval(*counts) == pytest.approx((expected.low, expected.high), abs=1e-6)


@pytest.mark.parametrize("freedom", [*range(1, 40), 100, 1000])
def test_a_mean_has_students_interval(freedom: int) -> None:
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=0.005)


@given(GAMES)
def test_a_comparison_is_mcnemars_exact_test_and_a_paired_interval(games: list[tuple[str, str, int, int]]) -> None:
    before = [Outcome(seed, first, {"blue": points, "red": 0}, 1) for seed, (first, _, points, _) in enumerate(games)]
    after = [Outcome(seed, second, {"blue": points, "red": 0}, 1) for seed, (_, second, _, points) in enumerate(games)]
    blue = compare(before, after)[0]
    changed = [second == "blue" for first, second, _, _ in games if first != second]
    expected = stats.binomtest(sum(changed), len(changed)).pvalue if changed else 1.0
    assert blue.doubt == pytest.approx(expected, rel=1e-9)
    leads = np.array([second - first for _, _, first, second in games], dtype=float)
    assert blue.margin == pytest.approx(leads.mean(), abs=1e-9)
    assert blue.error == pytest.approx(stats.t.ppf(0.975, len(games) - 1) * stats.sem(leads), rel=2e-3, abs=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_quartiles_lie_between_two_values_in_proportion(values: list[float]) -> None:
    assert quartiles(values) == pytest.approx(tuple(np.percentile(values, [25, 50, 75])), rel=1e-9, abs=1e-6)


def test_ratings_are_the_most_probable_ones() -> None:
    won = {("a", "b"): (7, 3), ("a", "c"): (9, 1), ("b", "c"): (6, 4)}
    sides = {"blue": 0, "red": 1}
    matches = [
        Match("x", {"blue": one, "red": other}, [Outcome(n, side, {}, 1) for side in sides for n in range(wins[sides[side]])])
        for (one, other), wins in won.items()
    ]

    def improbable(elo: np.ndarray) -> float:
        strength = dict(zip("abc", elo / SCALE, strict=True))
        games = [(float(strength[one] - strength[other]), count) for (one, other), count in won.items()]
        pairs: list[tuple[float, float]] = [(gap, wins) for gap, (wins, _) in games]
        pairs += [(-gap, losses) for gap, (_, losses) in games]
        pairs += [(sign * value, PRIOR) for value in strength.values() for sign in (1, -1)]  # half a win and half a loss each
        return math.fsum(count * math.log1p(math.exp(-gap)) for gap, count in pairs)

    best = optimize.minimize(
        improbable, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-12, "maxiter": 5000}
    ).x
    found = {it.bot: it.elo for it in standings(matches)}
    for one, other in combinations("abc", 2):
        difference = best["abc".index(one)] - best["abc".index(other)]
        assert found[one] - found[other] == pytest.approx(difference, abs=0.5)
