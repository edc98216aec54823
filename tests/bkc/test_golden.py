"""One whole random game per scenario, event by event, compared with the text in `golden`.

A change of the rules shows here as a change of a game. If it is meant, write the texts anew and read the difference:

    HEXWAR_GOLDEN=write pytest -n 0 tests/bkc/test_golden.py && git diff tests/bkc/golden
"""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar.bots import KeyedChance, play_to_end
from hexwar.engine import Action, Game, RandomSource, View
from hexwar_bkc import INFO
from tests.goldens import compare, framed, shortened, told_lines

GOLDEN = Path(__file__).parent / "golden"
FIRST, LAST = 250, 40
SEED = 1939
TRIES = {"training": 6, "orders": 3, "mokra": 3, "bzura": 2}
"""How often a bot draws again that would end something: units that only wait play few rules."""


class Restless:
    """It does something at random, and seldom nothing."""

    def __init__(self, tries: int) -> None:
        self._tries = tries

    def choose(self, view: View, chance: RandomSource) -> Action:
        """The first of some that ends nothing."""
        found = [view.sample(chance) for _ in range(self._tries)]
        return next((action for action in found if not action.ends), found[0])


def play(scenario: str) -> Game:
    """The game of a scenario."""
    game = hexwar.new_game("bkc", scenario, seed=SEED)
    play_to_end(game, {side: Restless(TRIES[scenario]) for side in INFO.sides}, KeyedChance(f"golden {scenario}"))
    return game


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_turn_3_the_game_is_played_as_before(scenario: str) -> None:
    game = play(scenario)
    assert game.result is not None
    compare(GOLDEN / f"{scenario}.txt", framed(game, shortened(told_lines(game), FIRST, LAST)))


def test_turn_3_there_is_a_golden_game_of_every_scenario_and_no_other() -> None:
    assert {file.stem for file in GOLDEN.glob("*")} == {scenario.id for scenario in INFO.scenarios}
