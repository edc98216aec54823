"""The environment passes PettingZoo's own tests for every installed ruleset, and pays by the verdict."""

from __future__ import annotations

import copy
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

import hexwar
from hexwar.errors import HexwarError
from hexwar.rl import NotAToken, env
from tests.rl.helpers import play, random_token

GAMES = [
    ("bridgehead", None),
    ("ava", "training"),
    ("tow", "training"),
    ("wop", "training"),
    ("wb95", "training"),
    ("bkc", "training"),
]
games = pytest.mark.parametrize(("ruleset", "scenario"), GAMES)


def test_every_installed_ruleset_is_tried() -> None:
    assert {ruleset for ruleset, _ in GAMES} == set(hexwar.rulesets())


@games
# What it warns of are tastes: an array instead of a dictionary, agents called player_0, a last mask in which nothing is possible.
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_finds_no_fault(ruleset: str, scenario: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(ruleset, scenario, seed=1), num_cycles=120)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: env(ruleset, scenario), num_cycles=60)


@pytest.mark.parametrize(("ruleset", "scenario"), GAMES[:3])
def test_a_game_to_its_end_pays_by_its_verdict(ruleset: str, scenario: str | None) -> None:
    made = env(ruleset, scenario)
    rewards = play(made, seed=3)
    result = made.game.result
    assert result is not None
    assert result.winner is not None
    assert rewards == {seat: 1.0 if side == result.winner else -1.0 for seat, side in made.game.world.seats.items()}
    assert made.agents == []


def test_a_draw_pays_nothing_and_several_losers_share(monkeypatch: pytest.MonkeyPatch) -> None:
    made = env("bridgehead", seed=1)
    made.reset()
    assert made._verdict(None) == {"blue": 0.0, "red": 0.0}
    world = made.game.world
    monkeypatch.setattr(world, "sides", ("blue", "red", "green"))
    monkeypatch.setattr(
        world, "seats", {"blue": "blue", "red": "red", "green-1": "green", "green-2": "green", "umpire": "neutral"}
    )
    made.agents = list(world.seats)
    assert made._verdict("blue") == {"blue": 1.0, "red": -0.5, "green-1": -0.5, "green-2": -0.5, "umpire": 0.0}


def test_a_game_that_is_too_long_is_truncated_and_pays_nothing() -> None:
    made = env("bridgehead", seed=1, max_actions=5)
    assert play(made, seed=1) == {"blue": 0.0, "red": 0.0}
    assert len(made.game.history) == 5
    assert made.game.result is None


def test_the_seed_is_that_of_the_game_and_the_next_games_follow_from_it() -> None:
    made, again = env("bridgehead", seed=7), env("bridgehead")
    made.reset()
    assert made.game.digest == hexwar.new_game("bridgehead", seed=7).digest
    assert made.game.seed == 7
    made.reset()
    again.reset(seed=7)
    again.reset()
    assert made.game.seed == again.game.seed == "7/1"
    fresh = env("bridgehead")
    fresh.reset()
    assert fresh.game.seed is None  # a secret until the game is over


def test_a_token_that_is_not_possible_changes_nothing() -> None:
    made = env("bridgehead", seed=1)
    with pytest.raises(HexwarError, match="call reset"):
        made.step(1)
    made.reset()
    before = made.last()[0]["action_mask"]
    with pytest.raises(NotAToken, match=r"unit \w+ is not possible now; possible are"):
        made.step(next(token for token in range(made.tokens.first_unit, made.tokens.size) if not before[token]))
    with pytest.raises(NotAToken, match="there are 418 tokens; 418 is not one of them"):
        made.step(made.tokens.size)
    assert np.array_equal(before, made.last()[0]["action_mask"])
    assert not made.game.history


def test_agents_are_seats_and_those_who_decide_at_once_are_asked_in_turn() -> None:
    made = env("ava", "training", seats={"north": "axis", "south": "axis", "stavka": "soviet"}, seed=1)
    made.reset()
    assert made.possible_agents == ["north", "south", "stavka"]
    assert set(play(made, seed=1).values()) == {1.0, -1.0}
    both = env("bridgehead", seed=1)
    both.reset()
    assert both.game.to_move == ("blue", "red")  # chits are selected in secret
    assert both.agent_selection == "blue"
    assert not both.observe("red")["action_mask"].any()
    chance, asked = np.random.default_rng(1), []
    while both.game.to_move == ("blue", "red"):
        asked.append(both.agent_selection)
        assert both.observe(both.agent_selection)["action_mask"].any()
        actions = len(both.game.history)
        while len(both.game.history) == actions:
            both.step(random_token(both, chance))
    assert len(asked) > 1
    assert asked == (["blue", "red"] * len(asked))[: len(asked)]


@pytest.mark.parametrize(("ruleset", "scenario"), GAMES[:3])
def test_nothing_hidden_is_observed(ruleset: str, scenario: str | None) -> None:
    """A seat that cannot tell two positions apart observes the same arrays and the same masks in both."""
    import random

    from hexwar.testing import imagined

    made, chance, numbers, compared = env(ruleset, scenario), random.Random(1), np.random.default_rng(1), 0
    made.reset(seed=1)
    last = made.agents[-1]
    while made.game.to_move and len(made.game.history) < 70:
        if not made._walk or not made._walk.taken:
            for seat in made.possible_agents:
                other = imagined(made.game, seat, chance)
                if other is None:
                    continue
                twin = copy.copy(made)
                twin.game = other
                twin.agent_selection = last
                twin._ask()
                here, there = made.observe(seat), twin.observe(seat)
                assert np.array_equal(here["action_mask"], there["action_mask"])
                for name, array in here["observation"].items():
                    assert np.array_equal(array, there["observation"][name]), name
                compared += 1
        actions, asked = len(made.game.history), made.agent_selection
        made.step(random_token(made, numbers))
        last = asked if len(made.game.history) > actions else last
    assert compared > 10


def test_an_observation_belongs_to_who_gets_it() -> None:
    made = env("bridgehead", seed=1)
    made.reset()
    seen = made.observe("blue")
    for array in (*seen["observation"].values(), seen["action_mask"]):
        array[:] = 9
    assert made.observe("blue")["observation"]["globals"].max() < 9
    assert made.observe("blue")["action_mask"].max() == 1


def test_before_a_game_and_after_it_nothing_is_asked() -> None:
    made = env("bridgehead", seed=1)
    for ask in (made.last, lambda: made.step(0)):
        with pytest.raises(HexwarError, match=r"call reset\(\) first"):
            ask()


def test_it_renders_what_everybody_may_see() -> None:
    made = env("bridgehead", seed=1, render_mode="svg")
    made.reset()
    assert str(made.render()).startswith("<svg")
    words = env("bridgehead", seed=1, render_mode="ansi")
    words.reset()
    before = words.render()
    assert str(before).startswith("<bridgehead")
    while not words.game.history:  # a chit is selected in secret
        words.step(words.action_mask(words.agent_selection).argmax())
    assert words.render() == before
    assert env("bridgehead").render() is None
    made.close()
    with pytest.raises(HexwarError, match="no render mode 'human'"):
        env("bridgehead", render_mode="human")


def test_the_package_imports_nothing_heavy_and_says_what_is_missing() -> None:
    code = (
        "import sys, hexwar.rl\n"
        "assert not {'numpy', 'gymnasium', 'pettingzoo', 'pluggy'} & set(sys.modules)\n"
        "sys.modules['pettingzoo'] = None\n"
        "try:\n    hexwar.rl.env('bridgehead')\n"
        "except Exception as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "pettingzoo is not installed: pip install 'hexwar[rl]'"


def test_the_mask_alone_is_that_of_the_observation() -> None:
    made = env("bridgehead", seed=4)
    made.reset(seed=4)
    for agent in made.agents:
        assert np.array_equal(made.action_mask(agent), made.observe(agent)["action_mask"])
    assert made.action_mask(made.agent_selection).any()
