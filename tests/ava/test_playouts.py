"""Random games of every scenario to the end: no dead end, no crash, within the bound, invariants looked at on the way."""

from __future__ import annotations

import os
import random

import pytest

import hexwar
from hexwar.engine import Action, Event, Game
from hexwar.testing import play_at_random
from hexwar_ava import INFO

pytestmark = pytest.mark.long

QUICK = os.environ.get("HEXWAR_TIER", "quick") == "quick"
GAMES = {"training": 20, "campaign": 7} if QUICK else {}
"""How many games of a scenario are played, if not 12, or 20 in the larger tiers."""
EVERY = {"campaign": 100}
"""The invariants are looked at after so many actions, if not 25."""
LAST_TURN = {"training": 4, "smolensk-short": 6}


def broken(game: Game) -> list[str]:
    """What does not hold."""
    found = [(invariant, invariant.broken(game.position)) for invariant in game.ruleset.invariants]
    return [f"{invariant.clause}: {invariant.title}: {why}" for invariant, why in found if why]


def look(game: Game, seat: str, action: Action, events: list[Event]) -> None:
    if len(game.history) % EVERY.get(game.world.setup.scenario, 25) == 0 or game.result is not None:
        assert not broken(game)


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_5_0_2_random_games_come_to_their_end(scenario: str) -> None:
    bound = INFO.scenario(scenario).bound
    winners = set()
    for seed in range(GAMES.get(scenario, 12 if QUICK else 20)):
        # Every fifth game is set up by the players, every seventh played with the other end of the last turn.
        options = {"auto-setup": seed % 5 > 0, "full-turns": seed % 7 == 6, "reinforcements-always": seed % 3 == 2}
        game = hexwar.new_game("ava", scenario, seed=f"{scenario} {seed}", options=options)
        played = play_at_random(game, random.Random(f"{scenario} {seed}"), on_step=look)
        assert played.finished, f"{scenario}, seed {seed}: not over after {len(played.moves)} actions"
        assert len(played.moves) <= bound
        assert game.result is not None
        assert game.result.winner in ("axis", "soviet")
        assert game.state.turn >= LAST_TURN.get(scenario, 9)
        winners.add(game.result.winner)
    assert winners


@pytest.mark.parametrize("scenario", ["training", "leningrad"])
def test_5_0_2_the_same_seed_and_choices_give_the_same_game(scenario: str) -> None:
    digests = []
    for _ in range(2):
        game = hexwar.new_game("ava", scenario, seed=4, options={"auto-setup": True})
        play_at_random(game, random.Random(4), stop_after=200)
        digests.append(game.digest)
    assert digests[0] == digests[1]
