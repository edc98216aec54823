"""What scenarios tell before they begin: whatever a briefing or a lesson names is there, and lessons are about what is asked."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.bots import KeyedChance, load_bot
from hexwar.engine import Guide

TAUGHT = [("bridgehead", "crossing"), ("ava", "training"), ("tow", "training"), ("wop", "training")]
TOLD = [(info.id, scenario.id) for info in hexwar.rulesets().values() for scenario in info.playable]


def guide(ruleset: str, scenario: str) -> Guide:
    return hexwar.rulesets()[ruleset].guide(scenario)


@pytest.mark.parametrize(("ruleset", "scenario"), TOLD)
def test_whatever_a_guide_names_is_there(ruleset: str, scenario: str) -> None:
    game, told = hexwar.new_game(ruleset, scenario, seed=5), guide(ruleset, scenario)
    world, briefing = game.world, told.briefing
    pieces = [*(it for some in briefing.samples.values() for it in some), *(it for step in told.lesson for it in step.pieces)]
    assert {*pieces} <= {*world.units}
    places = [*(it for step in told.lesson for it in step.places), *(it for arrow in briefing.arrows for it in arrow.places)]
    assert {it for it in places if "," not in it} <= {*getattr(world.board, "labels", ())}  # a point of a plane is no label
    assert {*(line.clause for line in briefing.victory), *(step.clause for step in told.lesson)} <= {*world.rules, ""}
    assert {*briefing.sides, *briefing.samples, *(arrow.side for arrow in briefing.arrows)} <= {*world.sides}
    kinds = {*game.ruleset.action_types, "read", ""}
    assert {*(step.asks for step in told.lesson), *(step.until for step in told.lesson)} <= kinds
    assert {step.seat for step in told.lesson} <= {*world.seats}
    assert 20 <= len(briefing.about.split()) <= 70
    assert {*briefing.sides} == {*game.world.sides}
    assert briefing.period
    assert briefing.first
    assert briefing.minutes > 0
    assert 1 <= briefing.weight <= 5
    assert all(len(words.split()) <= 40 for words in briefing.sides.values())


@pytest.mark.parametrize(("ruleset", "scenario"), TAUGHT)
def test_whatever_a_lesson_is_about_is_asked_in_the_first_turn(ruleset: str, scenario: str) -> None:
    wanted = {(step.seat, step.asks) for step in guide(ruleset, scenario).lesson if step.asks}
    info, asked = hexwar.rulesets()[ruleset], set()
    bot, chance = load_bot(info.bot or "greedy"), KeyedChance("1")
    for seed in (5, 7):
        game = hexwar.new_game(ruleset, scenario, seed=seed)
        while game.to_move and getattr(game.state, "turn", 1) == 1:
            seat = game.to_move[0]
            asked.add((seat, game.question(seat).asks))
            game.apply(bot.choose(game.view(seat), chance), seat)
    assert wanted <= asked
