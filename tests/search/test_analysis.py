"""Analyses: what they find, that they are the same again, and that what a seat cannot know makes no difference to them."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import hexwar
from hexwar.bots import GreedyBot, KeyedChance, RandomBot, load_bot, play_to_end
from hexwar.engine import Playout
from hexwar.errors import HexwarError
from hexwar.search import Analysis, Budget, Decisions, FlatMonteCarlo, Ismcts, Plan, Planner, SearchBot, analyse, level_named
from hexwar.workers import Workers
from tests.search import prizes

RANDOM = Decisions(RandomBot)


def found(prize: int = 2, rollouts: int = 360, gate: float | None = None, seed: int = 1) -> Analysis:
    """What search finds at the first decision of the game of prizes."""
    view = prizes.new_game(prize).view("one")
    return analyse(view, RANDOM, RandomBot, Budget(rollouts), KeyedChance(seed), gate=gate)


def test_what_is_better_is_found() -> None:
    leads = {option.name: option.lead for option in found().options}
    assert leads["take 2"] > leads["take 1"] > leads["take 0"]


def test_the_gain_of_a_pair_is_what_the_plan_alone_makes() -> None:
    """The dice and cups are the same in both: two points more are two points more."""
    analysis = found(gate=1.0)
    best = analysis.options[analysis.best]
    assert analysis.usual.name == "take 0"
    assert best.gain > best.error
    assert analysis.best > 0
    assert best.rollouts == analysis.usual.rollouts
    assert best.name in analysis.reason
    assert "points compared with the usual plan" in analysis.reason


def test_nobody_finds_out_what_lies_under_the_cups() -> None:
    """A search in the true position would look under the right cup at once."""
    one = found(1, 120)
    assert [found(prize, 120) for prize in (2, 3)] == [one, one]
    chosen = {analysis.options[analysis.best].name for analysis in (found(2, 120, seed=seed) for seed in range(6))}
    assert chosen != {"look under cup 2"}


def test_the_same_number_gives_the_same_analysis_whatever_the_hash_seed() -> None:
    code = (
        "import hexwar\n"
        "from functools import partial\n"
        "from hexwar.bots import GreedyBot, KeyedChance\n"
        "from hexwar.search import Budget, Decisions, analyse\n"
        "view = hexwar.new_game('bridgehead', seed=3).view('blue')\n"
        "print(analyse(view, Decisions(GreedyBot), GreedyBot, Budget(8, turns=1), KeyedChance(5)))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    view = hexwar.new_game("bridgehead", seed=3).view("blue")
    here = analyse(view, Decisions(GreedyBot), GreedyBot, Budget(8, turns=1), KeyedChance(5))
    assert told == {f"{here}\n"}


def test_other_processes_find_the_same() -> None:
    """Whoever makes a rollout, and in whatever order: the plans, their bots and the view are pickled or written as JSON."""
    game = hexwar.new_game("ava", "training", seed=5, options={"auto-setup": True})
    planner, chance = load_bot("ava-commander"), KeyedChance(1)
    assert isinstance(planner, Planner)
    while planner.scope(game.view(game.to_move[0])) is None:
        game.apply(planner.choose(game.view(game.to_move[0]), chance), game.to_move[0])
    policy = partial(load_bot, "ava-commander")
    view, budget = game.view(game.to_move[0]), Budget(16, turns=1)
    here = analyse(view, planner, policy, budget, KeyedChance(5))
    with Workers(2) as workers:
        assert analyse(view, planner, policy, budget, KeyedChance(5), executor=workers) == here
    assert here.rollouts > 12


def test_a_judge_says_what_a_line_is_worth_that_is_cut_off() -> None:
    """One that likes a side that has few points finds the opposite of what it finds otherwise."""
    view = prizes.new_game().view("one")

    def contrary(line: Playout, side: str) -> float:
        return -line.ruleset.lead(line.position, side)

    budget = Budget(90, turns=1)
    told = [analyse(view, RANDOM, RandomBot, budget, KeyedChance(1), gate=None, judge=judge) for judge in (None, contrary)]
    usual, other = ([option.lead for option in analysis.options] for analysis in told)
    assert other == [-lead for lead in usual]


def test_seconds_become_rollouts_that_can_be_repeated() -> None:
    view = prizes.new_game().view("one")
    timed = analyse(view, RANDOM, RandomBot, Budget(seconds=0.2), KeyedChance(1))
    again = analyse(view, RANDOM, RandomBot, Budget(timed.budget, turns=timed.turns), KeyedChance(1))
    assert timed == again


def test_a_budget_is_kept() -> None:
    for gate in (None, 1.0):
        for rollouts in (30, 60, 200):
            assert 0.7 * rollouts <= found(2, rollouts, gate).rollouts <= rollouts, (gate, rollouts)


def test_with_too_few_rollouts_nothing_is_claimed() -> None:
    analysis = found(2, rollouts=4)
    assert analysis.best == analysis.rollouts == 0
    assert analysis.reason == "take 0. Nothing else was tried."


def test_where_nothing_is_better_it_says_so() -> None:
    view = prizes.new_game().view("one")

    class Same:
        """Three plans that do the same."""

        def scope(self, view: Any) -> str:
            return view.digest  # type: ignore[no-any-return]

        def plans(self, view: Any) -> list[Plan]:
            return [Plan(name, RandomBot) for name in ("first", "second", "third")]

    analysis = analyse(view, Same(), RandomBot, Budget(60), KeyedChance(1))
    assert [option.gain for option in analysis.options] == [0.0, 0.0, 0.0]
    assert analysis.best == 0
    assert "No plan was found to be better among 3" in analysis.reason


@pytest.mark.parametrize(
    "wrong",
    [{}, {"rollouts": 5, "seconds": 1.0}, {"rollouts": 0}, {"seconds": -1.0}, {"seconds": math.inf}, {"rollouts": 9, "turns": 0}],
)
def test_a_budget_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(HexwarError, match="a budget"):
        Budget(**wrong)


def test_lines_are_cut_off_after_some_turns() -> None:
    view = prizes.new_game().view("one")
    short = analyse(view, RANDOM, RandomBot, Budget(60, turns=1), KeyedChance(1), gate=None)
    leads = {option.name: option.lead for option in short.options}
    assert leads["take 2"] - leads["take 0"] == pytest.approx(2.0), "nothing else of the side happens in the turn"
    assert "imagined lines of 1 turn" in replace(short, best=0).reason


def test_flat_search_beats_chance() -> None:
    won = 0
    for seed in range(10):
        game = prizes.new_game(prize=1 + seed % 3, seed=seed)
        won += play_to_end(game, {"one": FlatMonteCarlo(60), "other": RandomBot()}, KeyedChance(seed)).winner == "one"
    assert won >= 8


def test_a_search_bot_answers_the_same_in_twins() -> None:
    """Games that differ only in what blue cannot know."""
    game, chance, answers = hexwar.new_game("bridgehead", seed=4), KeyedChance(1), 0
    for _ in range(8):
        seat = game.to_move[0]
        twins = [game.view(seat), game.view(seat).imagine(chance).view(seat)]
        bots = [SearchBot(Budget(8, turns=1), GreedyBot, Decisions(GreedyBot, most=2)) for _ in twins]
        said = [bot.choose(view, KeyedChance(7)) for bot, view in zip(bots, twins, strict=True)]
        assert said[0] == said[1]
        assert bots[0].analysis == bots[1].analysis
        answers += 1
        game.apply(said[0], seat)
    assert answers == 8


def test_a_bot_plays_its_plan_to_the_end_of_the_activation() -> None:
    game = hexwar.new_game("ava", "training", seed=5, options={"auto-setup": True})
    bot, analyses = SearchBot(Budget(40, turns=1)), []
    chance = KeyedChance(1)
    others = partial(load_bot, "ava-commander")
    for _ in range(30):
        seat = game.to_move[0]
        mine = game.world.seats[seat] == "axis"
        game.apply((bot if mine else others()).choose(game.view(seat), chance), seat)
        if mine and bot.analysis not in analyses:
            analyses.append(bot.analysis)
    assert 1 < len(analyses) < 8, "one analysis for each activation, and not for each move"


def test_a_time_is_a_level() -> None:
    assert [level_named(name) for name in ("strong", "20s")] == ["strong", "search:20s"]
    assert isinstance(load_bot("search:0.5s:2"), SearchBot)
    for wrong in ("0s", "20", "-3s", "soon"):
        with pytest.raises(HexwarError, match="no level is called"):
            level_named(wrong)


@pytest.mark.parametrize("name", ["search:-4", "search:much", "search:12:x", "search:s"])
def test_a_search_that_is_not_known_says_how_it_is_called(name: str) -> None:
    with pytest.raises(HexwarError, match="search:96 has 96 rollouts"):
        load_bot(name)


def test_a_tree_of_what_seats_know_finds_what_is_better_and_nothing_that_is_hidden() -> None:
    """Two points are more than one, and a look under one cup of three is worth two as well."""
    bots = [Ismcts(300) for _ in range(3)]
    chosen = [bot.choose(prizes.new_game(prize).view("one"), KeyedChance(1)) for prize, bot in enumerate(bots, 1)]
    assert chosen[0] == chosen[1] == chosen[2]
    assert str(chosen[0]) not in ("take 0", "take 1")
    trees = [{name: [it.times for it in node.tried.values()] for name, node in bot.nodes.items()} for bot in bots]
    assert trees[0] == trees[1] == trees[2]
    root = bots[0].nodes[prizes.new_game().view("one").digest]
    assert sum(it.times for it in root.tried.values()) == 300


def test_a_tree_beats_chance() -> None:
    won = 0
    for seed in range(6):
        game = prizes.new_game(prize=1 + seed % 3, seed=seed)
        won += play_to_end(game, {"one": Ismcts(80), "other": RandomBot()}, KeyedChance(seed)).winner == "one"
    assert won >= 5
    with pytest.raises(HexwarError, match="one at least"):
        Ismcts(0)
