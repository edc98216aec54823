"""Bots of games as planners: what they propose can be done, and the first of it is what they would do."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, load_bot, move_once, usual_bot
from hexwar.search import Beginner, Budget, Normal, Planner, analyse

GAMES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("ava", "training", {"auto-setup": True}),
    ("ava", "leningrad", {"auto-setup": True}),
    ("tow", "training", {}),
    ("tow", "race", {}),
    ("wop", "training", {}),
    ("wb95", "training", {}),
    ("bkc", "training", {}),
)


@pytest.mark.parametrize(("ruleset", "scenario", "options"), GAMES)
def test_plans_can_be_played_and_the_usual_one_comes_first(ruleset: str, scenario: str, options: dict[str, Any]) -> None:
    game, chance = hexwar.new_game(ruleset, scenario, 5, options), KeyedChance(1)
    name = usual_bot(game.ruleset.info)
    planner = load_bot(name)
    assert isinstance(planner, Planner)
    bots = {side: load_bot(name) for side in game.world.sides}
    scopes: set[Any] = set()
    several = 0
    while game.to_move and len(scopes) < 5:
        view = game.view(game.to_move[0])
        scope = planner.scope(view)
        if scope is not None and scope not in scopes:
            scopes.add(scope)
            plans = list(planner.plans(view))
            several += len(plans) > 1
            assert len({plan.name for plan in plans}) == len(plans)
            answers = [plan.make().choose(view, chance) for plan in plans]
            assert answers[0] == load_bot(name).choose(view, chance)
            assert view.question is not None
            assert all(view.question.offer.find(answer) is not None for answer in answers)
        move_once(game, bots, chance)
    assert several > 1


def test_a_plan_lasts_as_long_as_its_activation() -> None:
    """The scope is the same from the first move to the last battle, and another in the next activation."""
    game, chance = hexwar.new_game("ava", "training", 5, {"auto-setup": True}), KeyedChance(1)
    bots = {side: load_bot("ava-commander") for side in game.world.sides}
    planner: Any = load_bot("ava-commander")
    order: list[Any] = []
    for _ in range(60):
        scope = planner.scope(game.view(game.to_move[0]))
        if scope is not None and scope not in order[-1:]:
            order.append(scope)
        move_once(game, bots, chance)
    assert len(order) == len(set(order)) > 3, "none comes back"


def test_a_planner_of_another_game_plans_nothing() -> None:
    view = hexwar.new_game("bridgehead", seed=1).view("blue")
    for name in ("ava-commander", "tow-marshal", "wop-officer"):
        planner: Any = load_bot(name)
        assert planner.scope(view) is None


@pytest.mark.parametrize("ruleset", ["bridgehead", "ava"])
def test_a_beginner_plays_otherwise_and_a_normal_player_as_the_games_bot(ruleset: str) -> None:
    options = {"auto-setup": True} if ruleset == "ava" else {}
    game, chance = hexwar.new_game(ruleset, seed=5, options=options), KeyedChance(1)
    usual = load_bot(usual_bot(game.ruleset.info))
    others, same, beginner, normal = 0, 0, Beginner(), Normal()
    for _ in range(120):
        if not game.to_move:
            break
        seat = game.to_move[0]
        view = game.view(seat)
        answer = usual.choose(view, KeyedChance(3))
        same += normal.choose(view, KeyedChance(3)) == answer
        others += beginner.choose(view, chance) != answer
        game.apply(answer, seat)
    assert same == len(game.history)
    assert 0 < others < 0.7 * len(game.history)


def test_an_analysis_of_a_game_with_many_players_goes_by_what_the_seat_knows() -> None:
    options = {"auto-setup": True, "many-players": "controller", "controller": "seat"}
    game, chance = hexwar.new_game("ava", "campaign", 5, options), KeyedChance(1)
    planner: Any = load_bot("ava-commander")
    bots = {seat: load_bot("ava-commander") for seat in game.world.seats}
    while planner.scope(game.view(game.to_move[0])) is None:
        move_once(game, bots, chance)
    line = game.view(game.to_move[0]).imagine(chance)
    for _ in range(30):
        seat = line.to_move[0]
        line.apply(bots[seat].choose(line.view(seat), chance), seat)
    assert analyse(game.view(game.to_move[0]), planner, RandomBot, Budget(3), chance).best == 0, "too few to say anything"


def test_a_headquarters_that_is_lost_leaves_its_chit_in_the_imagined_cup() -> None:
    """5.2: the chit stays in the cup until it is drawn, although it could not be selected any more (Bridgehead)."""
    game: Any = hexwar.new_game("bridgehead", seed=3)
    chance = KeyedChance(1)
    bots = {side: load_bot("greedy") for side in game.world.sides}
    lost_in_the_cup = 0
    while game.to_move:
        lost = [chit for chit in game.state.cup if chit != "supply" and chit not in game.state.locations]
        if lost:
            lost_in_the_cup += 1
            for seat in game.world.seats:
                view = game.view(seat)
                assert len(view.imagine(chance).state.cup) == len(game.state.cup)
        move_once(game, bots, chance)
    assert lost_in_the_cup
