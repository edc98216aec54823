"""Self-play: what turned out well becomes more likely, the same seeds give the same policy, and the curve is what it says."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from hexwar.rl.baseline import Course, Lessons, Network, Pupil
from hexwar.rl.selfplay import FARTHEST, FIRST_SEED, curve, drawn, improve, main, practice
from hexwar.studies import interval

COURSE = Course("ava", "training", "ava-commander")
DOCS = Path(__file__).parents[2] / "docs"
CURVE, PICTURE = DOCS / "data" / "self-play.json", DOCS / "images" / "self-play.svg"


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return COURSE.lessons(range(1))


def likely(network: Network, rows: np.ndarray) -> float:
    """How likely the first of some tokens is."""
    raised = np.exp(network.scores(rows) / Pupil(network).temperature)
    return float(raised[0] / raised.sum())


@pytest.mark.parametrize("worth", [1.0, -1.0])
def test_what_is_worth_more_than_usual_becomes_more_likely_and_what_is_worth_less_does_not(
    lessons: Lessons, worth: float
) -> None:
    network, rows = Network(lessons.arrays()[0]), lessons.rows[0]
    before = likely(network, rows)
    network.learn(Lessons([rows], [0]), 3, worth=np.array([worth], np.float32), temperature=Pupil(network).temperature)
    assert (likely(network, rows) - before) * worth > 0


def test_a_choice_is_worth_what_its_side_gained_beyond_what_is_usual(lessons: Lessons) -> None:
    network = Network(lessons.arrays()[0])
    noted, worth = practice(COURSE, network, range(FIRST_SEED, FIRST_SEED + 2))
    assert len(noted.rows) == len(noted.chosen) == len(worth) > 50
    assert np.abs(worth).max() <= FARTHEST
    assert worth.std() > 0.5, "some choices turned out better than others"
    assert abs(float(worth.mean())) < 0.2, "what is usual is taken off"


def test_a_few_rounds_change_the_policy_and_the_same_seeds_give_the_same_one(lessons: Lessons) -> None:
    first, one, other = (Network(lessons.arrays()[0]) for _ in range(3))
    assert list(improve(COURSE, one, rounds=2, games=1)) == [1, 2]
    assert list(improve(COURSE, other, rounds=2, games=1)) == [1, 2]
    assert all(np.array_equal(one.weights[name], other.weights[name]) for name in one.weights)
    assert not np.array_equal(one.weights["into"], first.weights["into"])
    assert np.array_equal(one.weights["mean"], first.weights["mean"]), "the scale of the features stays"


def test_the_curve_begins_before_the_practice_and_ends_after_it() -> None:
    points = list(curve(COURSE, rounds=2, practised=1, every=2, games=1, imitated=1))
    assert [point["practised"] for point in points] == [0, 2]
    for point in points:
        assert list(point["wins"]) == ["random", "greedy", "ava-commander"]
        assert all(0 <= won <= point["games"] for sides in point["wins"].values() for won in sides.values())


def test_the_picture_in_the_documentation_is_that_of_its_figures(tmp_path: Path) -> None:
    """Nothing is played: a curve that is there is drawn."""
    main(["--curve", str(CURVE), "--plot", str(tmp_path / "again.svg")])
    text = (tmp_path / "again.svg").read_text(encoding="utf-8")
    assert text == PICTURE.read_text(encoding="utf-8")
    points = json.loads(CURVE.read_text(encoding="utf-8"))
    titles = [title.text or "" for title in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == len(points) * 3
    last = points[-1]
    won, played = sum(last["wins"]["greedy"].values()), 2 * last["games"]
    low, high = interval(won, played)
    assert f"{last['practised']} games practised: {won} of {played} won against greedy, {low:.0%} to {high:.0%}" in titles
    assert drawn(points) == text
