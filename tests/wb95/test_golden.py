"""One whole random game per scenario, event by event, compared with the text in `golden`.

A change of the rules shows here as a change of a game. If it is meant, write the texts anew and read the difference:

    HEXWAR_GOLDEN=write pytest -n 0 tests/wb95/test_golden.py && git diff tests/wb95/golden
"""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, play_to_end
from hexwar.engine import Game
from hexwar_wb95 import INFO
from tests.goldens import compare, framed, shortened, told_lines

GOLDEN = Path(__file__).parent / "golden"
FIRST, LAST = 300, 40
SEED = 1945


def play(scenario: str) -> Game:
    """The game of a scenario: both sides do what they are offered at random."""
    game = hexwar.new_game("wb95", scenario, seed=SEED)
    play_to_end(game, {side: RandomBot() for side in INFO.sides}, KeyedChance(f"golden {scenario}"))
    return game


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_phase_1_the_game_is_played_as_before(scenario: str) -> None:
    game = play(scenario)
    assert game.result is not None
    compare(GOLDEN / f"{scenario}.txt", framed(game, shortened(told_lines(game), FIRST, LAST)))


def test_phase_1_there_is_a_golden_game_of_every_scenario_and_no_other() -> None:
    assert {file.stem for file in GOLDEN.glob("*")} == {scenario.id for scenario in INFO.scenarios}
