"""One whole random game per scenario, event by event, compared with the text in `golden`.

A change of the rules shows here as a change of a game. If it is meant, write the texts anew and read the difference:

    HEXWAR_GOLDEN=write pytest -n 0 tests/ava/test_golden.py && git diff tests/ava/golden

Of a set-up by the players the text has the first units, of long games the first events and the last ones; its last line is the
digest of the final position, on which everything else depends.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, play_to_end
from hexwar.engine import Game
from hexwar_ava import INFO
from tests.goldens import compare, framed, shortened, told_lines

GOLDEN = Path(__file__).parent / "golden"
SET_UP, FIRST, LAST = 20, 500, 40
"""How many events of a set-up are in the text, and how many of a long game from its beginning and from its end."""
SEEDS = {"training": 1941, "leningrad": 6, "smolensk": 22, "smolensk-short": 1, "kiev": 9, "campaign": 190}


def play(scenario: str) -> Game:
    """The game of a scenario: both sides set up and do what they are offered at random."""
    game = hexwar.new_game("ava", scenario, seed=SEEDS[scenario])
    play_to_end(game, {"axis": RandomBot(), "soviet": RandomBot()}, KeyedChance(f"golden {scenario}"))
    return game


def text_of(game: Game) -> str:
    """What everybody saw of a game."""
    lines = told_lines(game)
    begun = next(number for number, told in enumerate(lines) if told.startswith("== Surprise attack =="))
    return framed(game, shortened(lines[:begun], SET_UP, 0) + shortened(lines[begun:], FIRST, LAST))


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_5_0_1_the_game_is_played_as_before(scenario: str) -> None:
    compare(GOLDEN / f"{scenario}.txt", text_of(play(scenario)))


def test_5_0_1_there_is_a_golden_game_of_every_scenario_and_no_other() -> None:
    assert {file.stem for file in GOLDEN.glob("*")} == set(SEEDS) == {scenario.id for scenario in INFO.scenarios}
    assert all(file.stat().st_size < 60_000 for file in GOLDEN.iterdir())
