"""Outlooks: what is still to be gained, by weights that are fitted to games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, play_to_end
from hexwar.engine import Position
from hexwar.mechanics._outlook import HEX_FEATURES
from hexwar.pieces import PieceRuleset
from hexwar.search.fitting import entry, fit, noted, off


def test_weights_are_found_again() -> None:
    chance, weights = random.Random(1), [3.0, -2.0, 0.5]
    rows = [(numbers, sum(w * x for w, x in zip(weights, numbers, strict=True))) for numbers in _points(chance, 200)]
    assert fit(rows) == pytest.approx(weights, abs=0.2), "drawn to zero a little"
    assert off(rows, fit(rows)) < 0.1 < off(rows, [0.0, 0.0, 0.0])


def _points(chance: random.Random, number: int) -> list[list[float]]:
    return [[chance.uniform(-1, 1) for _ in range(3)] for _ in range(number)]


@pytest.fixture
def weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Bridgehead, whose places to take count by their distance alone."""
    game: Any = hexwar.new_game("bridgehead", seed=1)
    weights = [0.0] * 2 * len(HEX_FEATURES)
    weights[HEX_FEATURES.index("places to take, by distance")] = 10.0
    file = tmp_path / "outlook.toml"
    file.write_text(f"[crossing]\nweights = {weights}\n", encoding="utf-8")
    monkeypatch.setattr(type(game.ruleset), "outlook", file)
    return game


def test_who_comes_nearer_to_a_place_is_expected_to_gain_more(weighed: Any) -> None:
    rules, world = weighed.ruleset, weighed.world
    town = next(it.hex for it in world.board.places if weighed.state.control.get(it.hex) == "red")
    leads = []
    for distance in (5, 3, 1):
        state = weighed.state.copy()
        near = next(label for label in world.board.labels if world.board.distance(label, town) == distance)
        state.put("b1", near)
        leads.append(rules.lead(Position(world, state), "blue"))
    assert leads == sorted(leads)
    assert leads[0] < leads[-1]


def test_the_end_of_a_game_is_what_was_counted(weighed: Any) -> None:
    result = play_to_end(weighed, dict.fromkeys(weighed.world.sides, RandomBot()), KeyedChance(1))
    for side in weighed.world.sides:
        lead = weighed.ruleset.lead(weighed.position, side)
        assert lead == PieceRuleset.lead(weighed.ruleset, weighed.position, side)
        assert (lead > 0) == (result.winner == side)


def test_games_become_weights_that_are_better_than_the_turn_alone() -> None:
    games = [noted("ava", "training", {"auto-setup": True}, seed) for seed in range(4)]
    assert [len(rows) for rows in games] == [3, 3, 3, 3], "one for each turn but the first"
    assert len(games[0][0][0]) == 2 * len(HEX_FEATURES)
    text = entry("training", games)
    assert text.startswith("# 9 positions of 4 games. In 3 others off by ")
    assert text.splitlines()[1] == "[training]"


def test_the_weights_of_the_games_fit_what_is_looked_at() -> None:
    for ruleset in hexwar.rulesets():
        rules: Any = hexwar.new_game(ruleset).ruleset
        for weights in getattr(rules, "outlooks", {}).values():
            assert len(weights) == 2 * len(HEX_FEATURES)
