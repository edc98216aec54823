"""Movement, lines of communication, zones, odds and retreats against the literal rules of `hexwar_ava.kit.reference`.

On random small boards with everything that the rules speak of, and on positions of real scenarios that random play has led to.
"""

from __future__ import annotations

import os
import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hexwar
from hexwar.engine import Game
from hexwar.testing import playout
from hexwar_ava.content import load_ava
from hexwar_ava.kit import reference as ref
from hexwar_ava.kit.boards import AXIS_UNITS, HEXES, PAIRS, RANDOM_SIZE, around, field, random_scene
from hexwar_ava.kit.comparing import (
    on_map,
    same_command,
    same_detours,
    same_lines,
    same_odds,
    same_pursuits,
    same_rail_lines,
    same_reach,
    same_retreats,
    same_zones,
)
from tests.ava.table import moving, position
from tests.board.strategies import draw_bytes

pytestmark = pytest.mark.long


@st.composite
def positions(draw: st.DrawFn) -> Game:
    """A random board with units of both sides, those of the Axis in the middle of their move."""
    return random_scene(lambda size: draw_bytes(draw, size), draw(st.integers(0, 3)), surprise=draw(st.booleans()))


EXAMPLES = {"quick": 40, "ci": 100, "nightly": 2000}[os.environ.get("HEXWAR_TIER", "quick")]
RANDOM_BOARDS = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


# -- positions of real games ------------------------------------------------------------------------------------------


@cache
def plays(scenario: str) -> tuple[tuple[Game, ref.Ground], ...]:
    """A few moments of a random game of a scenario."""
    game = hexwar.new_game("ava", scenario, seed=f"differential {scenario}", options={"auto-setup": True})
    chance = random.Random(f"moments of {scenario}")
    whole = ref.Field.of(game)
    found = []
    length = {"training": 25, "campaign": 330}.get(scenario, 110)
    for _ in range(3):
        playout(game, chance, stop_after=length)
        if game.result is None:
            found.append((game.copy(), ref.Ground(whole.moved(game))))
    assert found
    return tuple(found)


REAL = ("training", "leningrad", "smolensk", "kiev", "campaign")


def sampled(game: Game, key: str, number: int) -> list[str]:
    """Some units on the map, those next to enemies first, because there something happens."""
    at, board = game.state.at, game.world.board
    units = [unit for unit, label in at.items() if label in board]
    chance = random.Random(key)
    chance.shuffle(units)
    sides = {label: game.world.units[unit].side for unit, label in at.items() if label in board}
    units.sort(key=lambda unit: all(sides.get(near, sides[at[unit]]) == sides[at[unit]] for near in board.neighbours(at[unit])))
    return units[: number * 2 // 3] + units[len(units) - number // 3 :]


# -- zones ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", REAL)
def test_3_2_1_zones_in_real_games(scenario: str) -> None:
    for game, ground in plays(scenario):
        same_zones(game, ground)


# -- movement ------------------------------------------------------------------------------------------


@given(positions())
@RANDOM_BOARDS
def test_9_2_1_zones_and_reach_on_random_boards(game: Game) -> None:
    ground = ref.Ground(ref.Field.of(game))
    same_zones(game, ground)
    same_command(game, ground)
    for unit in on_map(game):
        same_reach(game, ground, unit)
        same_detours(game, ground, unit)


@pytest.mark.parametrize("scenario", REAL)
def test_9_2_1_reach_in_real_games(scenario: str) -> None:
    for number, (game, ground) in enumerate(plays(scenario)):
        for unit in sampled(game, f"reach {number}", 12):
            same_reach(game, ground, unit)
            same_detours(game, ground, unit)


# -- lines of communication ------------------------------------------------------------------------------------------


@given(positions())
@RANDOM_BOARDS
def test_3_3_1_lines_on_random_boards(game: Game) -> None:
    ground = ref.Ground(ref.Field.of(game))
    same_lines(game, ground, HEXES)
    same_rail_lines(game, ground)


@pytest.mark.parametrize("scenario", REAL)
def test_3_3_1_lines_in_real_games(scenario: str) -> None:
    for number, (game, ground) in enumerate(plays(scenario)):
        hexes = [game.state.at[unit] for unit in sampled(game, f"lines {number}", 9)]
        hexes += random.Random(number).sample(sorted(ground.field.terrain), 6)
        same_lines(game, ground, sorted(set(hexes)))


# -- odds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", REAL)
def test_10_3_6_odds_in_real_games(scenario: str) -> None:
    assert sum(same_odds(game, ground) for game, ground in plays(scenario))


# -- points ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [*REAL, "smolensk-short"])
def test_16_1_2_points_in_real_games(scenario: str) -> None:
    """With cities, sources and Stand Fast markers in other hands than in the game, so that all of them count now and then."""
    chance = random.Random(scenario)
    for game, ground in plays(scenario):
        for _ in range(1 if scenario == "campaign" else 3):
            twin = game.copy()
            twin.state.control = {label: chance.choice(("axis", "soviet")) for label in sorted(twin.state.control)}
            twin.state.stand_fast = tuple(label for label in twin.state.stand_fast if chance.random() < 0.7)
            points = ref.victory_points(ground, twin.state.control, twin.state.stand_fast, scenario)
            assert sum(score.points for score in twin.query.score() if score.side == "axis") == points
            assert all(score.side == "axis" for score in twin.query.score())  # 16.1.1


# -- retreat ------------------------------------------------------------------------------------------


@given(positions())
@RANDOM_BOARDS
def test_10_6_12_odds_retreats_and_pursuits_on_random_boards(game: Game) -> None:
    ground = ref.Ground(ref.Field.of(game))
    same_odds(game, ground)
    same_pursuits(game, ground)
    for unit in on_map(game):
        same_retreats(game, ground, unit)


@pytest.mark.parametrize("scenario", REAL)
def test_10_6_12_retreats_in_real_games(scenario: str) -> None:
    number = {"training": 12, "campaign": 2}.get(scenario, 6)
    for index, (game, ground) in enumerate(plays(scenario)):
        for unit in sampled(game, f"retreats {index}", number):
            same_retreats(game, ground, unit)


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
    board = field(sides=sides, areas={"supply soviet": ["0804"], "supply axis": ["0101"]}, size=RANDOM_SIZE)
    units = {"su-5": "0404"}
    rifles = iter([rifle for rifle in RIFLES if rifle != "su-5"])
    full = [label for label, n in zip((*RING, *SECOND_RING), crowded, strict=True) if n % 4 < (3 if label in RING else 1)]
    units |= {next(rifles): label for label in full for _ in range(2)}
    free = [label for label in HEXES if label not in units.values()]
    units |= {unit: free[n % len(free)] for unit, n in zip(AXIS_UNITS[: 2 + places[8] % 7], places, strict=False)}
    game = position(units, moving("ger-1pz"), board=board)
    same_retreats(game, ref.Ground(ref.Field.of(game)), "su-5")


def test_10_6_13_room_comes_before_the_length_of_the_line() -> None:
    """Both ways cost a step; the one that need not pass a full stack is better, although its end has no line at all."""
    land = ["0402", "0403", "0404", "0405", "0406", "0407", "0506"]
    board = field(land=land, areas={"supply soviet": ["0506"], "supply axis": ["0402"]}, size=RANDOM_SIZE)
    units = {"su-5": "0404", RIFLES[5]: "0405", RIFLES[6]: "0405", "ger-1pz": "0402", "ger-21": "0407"}
    game = position(units, moving("ger-1pz"), board=board)
    assert [option.path for option in game.world.retreat.best(game.position, "su-5", 1)] == [("0404", "0403")]
    same_retreats(game, ref.Ground(ref.Field.of(game)), "su-5")
