"""Movement, lines of communication, zones, odds, retreats and points against the literal rules of `hexwar_ava.kit.rules`.

On random small boards with everything that the rules speak of, and on positions of real scenarios that random play has led to.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hexwar
from hexwar.engine import Game
from hexwar.testing import Subject, budget_of, play_at_random
from hexwar.testing._checks.answers import AnswersAreRight
from hexwar.testing._checks.pieces import ZonesAreRight
from hexwar_ava.content import load_ava
from hexwar_ava.kit.boards import HEXES, PAIRS, SIZE, STAGING, UNITS, around, field
from hexwar_ava.kit.rules import BOOKS, POINTS, RETREATS
from tests.ava.table import moving, position
from tests.board.strategies import draw_bytes

pytestmark = pytest.mark.long

SUBJECT = Subject.of("ava")
EXAMPLES = {"quick": 40, "ci": 100, "nightly": 2000}[os.environ.get("HEXWAR_TIER", "quick")]


def compared(game: Game, units: int) -> None:
    """Answers about a position, of at most so many units."""
    AnswersAreRight(SUBJECT, budget_of("quick")).compare(game, BOOKS.of(game), units)
    ZonesAreRight(SUBJECT, budget_of("quick")).stands(game, BOOKS.of(game))


@given(st.integers(0, 10**9))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_9_2_1_answers_on_random_boards(number: int) -> None:
    compared(STAGING.stage(SUBJECT, f"differential {number}"), 99)


@cache
def plays(scenario: str) -> tuple[Game, ...]:
    """A few moments of a random game of a scenario."""
    game = hexwar.new_game("ava", scenario, seed=f"differential {scenario}", options={"auto-setup": True})
    chance = random.Random(f"moments of {scenario}")
    found = []
    length = {"training": 25, "campaign": 330}.get(scenario, 110)
    for _ in range(3):
        play_at_random(game, chance, stop_after=length)
        if game.result is None:
            found.append(game.copy())
    assert found
    return tuple(found)


REAL = ("training", "leningrad", "smolensk", "kiev", "campaign")


@pytest.mark.parametrize("scenario", REAL)
def test_9_2_1_answers_in_real_games(scenario: str) -> None:
    for game in plays(scenario):
        compared(game, 3 if scenario == "campaign" else 12)


@pytest.mark.parametrize("scenario", [*REAL, "smolensk-short"])
def test_16_1_2_points_in_real_games(scenario: str) -> None:
    """With cities, sources and Stand Fast markers in other hands than in the game, so that all of them count now and then."""
    chance = random.Random(scenario)
    for game in plays(scenario):
        for _ in range(1 if scenario == "campaign" else 3):
            twin = game.copy()
            twin._state.control = {label: chance.choice(("axis", "soviet")) for label in sorted(twin._state.control)}
            twin._state.stand_fast = tuple(label for label in twin._state.stand_fast if chance.random() < 0.7)
            assert {"axis": sum(score.points for score in twin.query.score())} == POINTS.scores(BOOKS.of(twin))
            assert all(score.side == "axis" for score in twin.query.score())  # 16.1.1


# -- retreat ------------------------------------------------------------------------------------------


def same_retreats(game: Game, unit: str) -> None:
    at = BOOKS.of(game)
    for hexes in (1, 2):
        options = game.query.retreats(unit, hexes)
        told = {option.path for option in options if option.rank == options[0].rank}
        assert not RETREATS.differ(told, RETREATS.best(at, at.pieces[unit], hexes), hexes)


RIFLES = [unit.id for unit in load_ava().units_of("campaign").values() if (unit.side, unit.arm) == ("soviet", "infantry")]
RING = around("0404")
SECOND_RING = sorted({far for near in RING for far in around(near)} - {"0404", *RING})


@given(st.data())
@settings(max_examples=EXAMPLES * 3, deadline=None, suppress_health_check=list(HealthCheck))
def test_10_6_11_retreats_over_full_stacks(data: st.DataObject) -> None:
    """A unit in the middle of a crowd: most hexes around it are full, some are watched by the enemy."""
    rivers, crowded, places = (draw_bytes(data.draw, size) for size in (len(PAIRS), 18, 9))
    numbers = list(zip(PAIRS, rivers, strict=True))
    sides = {kind: [f"{a}|{b}" for (a, b), n in numbers if n % 12 == k] for k, kind in enumerate(("major-river", "water"))}
    board = field(sides=sides, areas={"supply soviet": ["0804"], "supply axis": ["0101"]}, size=SIZE)
    units = {"su-5": "0404"}
    rifles = iter([rifle for rifle in RIFLES if rifle != "su-5"])
    full = [label for label, n in zip((*RING, *SECOND_RING), crowded, strict=True) if n % 4 < (3 if label in RING else 1)]
    units |= {next(rifles): label for label in full for _ in range(2)}
    free = [label for label in HEXES if label not in units.values()]
    units |= {unit: free[n % len(free)] for unit, n in zip(UNITS["axis"][: 2 + places[8] % 7], places, strict=False)}
    same_retreats(position(units, moving("ger-1pz"), board=board), "su-5")


def test_10_6_13_room_comes_before_the_length_of_the_line() -> None:
    """Both ways cost a step; the one that need not pass a full stack is better, although its end has no line at all."""
    land = ["0402", "0403", "0404", "0405", "0406", "0407", "0506"]
    board = field(land=land, areas={"supply soviet": ["0506"], "supply axis": ["0402"]}, size=SIZE)
    units = {"su-5": "0404", RIFLES[5]: "0405", RIFLES[6]: "0405", "ger-1pz": "0402", "ger-21": "0407"}
    game = position(units, moving("ger-1pz"), board=board)
    options = game.query.retreats("su-5", 1)
    assert [option.path for option in options if option.rank == options[0].rank] == [("0404", "0403")]
    same_retreats(game, "su-5")


def test_10_3_4_a_field_is_as_its_state_is() -> None:
    game = plays("leningrad")[-1]
    at = BOOKS.of(game)
    assert (at.locations, at.steps_left, at.control, at.turn, at.phase) == (
        game.state.locations, game.state.steps_left, game.state.control, game.state.turn, game.state.phase,
    )  # fmt: skip
    assert replace(at, turn=9).turn == 9
