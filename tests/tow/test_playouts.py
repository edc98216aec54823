"""Random games of every scenario to the end: no dead end, no crash, within the bound, invariants looked at on the way."""

from __future__ import annotations

import random

import pytest

import hexwar
from hexwar.engine import Action, Event, Game
from hexwar.testing import play_at_random
from hexwar_tow import INFO

GAMES = {"race": 12, "campaign": 10, "training": 30}
EVERY = 25
OPTIONS = ("auto-setup", "bidding", "ukrainian-fronts")


def look(game: Game, seat: str, action: Action, events: list[Event]) -> None:
    if len(game.history) % EVERY == 0 or game.result is not None:
        broken = [(invariant.clause, invariant.broken(game.position)) for invariant in game.ruleset.invariants]
        assert [entry for entry in broken if entry[1]] == []


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_4_0_1_random_games_come_to_their_end(scenario: str) -> None:
    last = {"race": 4, "campaign": 8, "training": 3}[scenario]
    for seed in range(GAMES[scenario]):
        options = {name: bool(seed >> number & 1) for number, name in enumerate(OPTIONS)}
        game = hexwar.new_game("tow", scenario, seed=f"{scenario} {seed}", options=options)
        played = play_at_random(game, random.Random(f"{scenario} {seed}"), on_step=look)
        assert played.finished, f"{scenario}, seed {seed}: not over after {len(played.moves)} actions"
        assert len(played.moves) <= INFO.scenario(scenario).bound
        assert game.result is not None
        # Whoever wins before the last turn has taken a city that was to be held, or has the points.
        assert game.state.turn == last or (game.result.winner, game.result.clause[:4]) in (("soviet", "13.1"), ("soviet", "13.3"))


def test_4_0_1_in_random_games_everything_happens() -> None:
    """The rarer events of the game are all seen in some random campaigns."""
    seen: set[str] = set()
    for seed in range(12):
        game = hexwar.new_game("tow", "campaign", seed=seed)
        play_at_random(game, random.Random(seed))
        seen |= {event.kind for event in game.events}
    rare = {"airborne-landed", "crossing-gained", "headquarters-relocated", "marker-used", "order-removed", "reaction-played"}
    assert rare | {"unit-replaced", "roll-modified", "chit-put-in", "supply-changed", "mode-chosen"} <= seen
