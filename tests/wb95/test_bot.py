"""The officer: assaults are planned together, nobody else goes into contact, and games come to a verdict."""

from __future__ import annotations

import random

import pytest

import hexwar
from hexwar.bots import KeyedChance, load_bot, play_to_end
from hexwar.engine import Game
from hexwar.mechanics import Attack, AttackAnnounced, Move
from hexwar.pieces import Done
from hexwar_wb95.air import Fly
from hexwar_wb95.bot import Officer
from hexwar_wb95.bot_ground import Picture, Plan
from hexwar_wb95.results import Yield
from hexwar_wb95.support import Backing
from tests.wb95.table import attack, field, fighting, moving, placed


def chosen(game: Game, bot: Officer | None = None) -> object:
    """What the officer does who is asked."""
    return (bot or Officer()).choose(game.view(game.to_move[0]), random.Random(0))


def played(scenario: str, seed: int) -> Game:
    game: Game = hexwar.new_game("wb95", scenario, seed=seed)
    play_to_end(game, {side: Officer() for side in game.world.sides}, KeyedChance(seed))
    return game


def test_it_is_the_bot_of_the_game() -> None:
    assert hexwar.rulesets()["wb95"].bot == "wb95-officer"
    assert load_bot("wb95-officer").__class__ is Officer


@pytest.mark.parametrize("seed", [3, 4])
def test_it_plays_the_training_to_a_verdict_without_a_hopeless_attack_of_its_own_will(seed: int) -> None:
    game = played("training", seed)
    assert game.result is not None
    fights = [event for event in game.events if isinstance(event, AttackAnnounced) and event.battle.side == "soviet"]
    good = [event for event in fights if event.odds not in ("1:4", "1:3", "1:2", "1:1")]
    assert len(fights) >= 2
    assert 2 * len(good) >= len(fights)


@pytest.mark.long
def test_it_plays_the_narew_with_guns_aircraft_and_fieldworks() -> None:
    game = played("narew", 5)
    assert game.result is not None
    kinds = {event.kind for event in game.events}
    assert {"guns-fired", "gun-supports", "flew", "works-built", "attack-resolved", "control-taken", "unit-placed"} <= kinds


def test_combat_1_an_assault_is_planned_with_enough_and_nobody_else_goes_into_contact() -> None:
    board = field(road=["0404 0504"])
    units = {"37g": "0201", "69": "0202", "44g": "0203", "g472": "0404", "hq65": "0901", "hq27": "0907"}
    game = moving(units, board=board)
    plan = Plan(Picture(game.position, "soviet"), ("37g", "69", "44g"))
    assert list(plan.targets) == ["0404"]
    assert len(plan.orders) >= 2
    alone = moving({"69": "0202", "g472": "0404", "hq65": "0901", "hq27": "0907"}, board=board)
    assert Plan(Picture(alone.position, "soviet"), ("69",)).orders == {}
    bot = Officer()
    while alone.to_move == ("soviet",) and alone.state.phase == "soviet-movement":
        action = chosen(alone, bot)
        assert not (isinstance(action, Move) and action.to in alone.query.zones("axis") and action.unit == "69")
        alone.apply(action, "soviet")  # type: ignore[arg-type]


def test_combat_1_a_duty_is_met_and_what_is_no_duty_is_attacked_only_where_it_pays() -> None:
    weak = {"69": "0404", "g472": "0504", "g1076": "0504", "hq65": "0901", "hq27": "0107"}
    assert chosen(fighting(weak)) == Attack("0504")
    assert chosen(fighting(weak, works=["0404"])) == Done()
    strong = {"69": "0404", "37g": "0403", "44g": "0503", "g1076": "0504", "hq65": "0901", "hq27": "0107"}
    assert chosen(fighting(strong, works=["0404", "0403", "0503"])) == Attack("0504")


def test_art_13_a_gun_backs_where_it_takes_a_column_away() -> None:
    game = fighting({"37g": "0404", "g472": "0504", "a252": "0704", "hq65": "0901", "hq27": "0107"}, dice=[1])
    attack(game, "0504", "37g")
    assert game.state.stack[-1].kind == Backing.kind
    assert str(chosen(game)) == "a252 supports the defence"


def test_result_3_it_gives_ground_rather_than_its_last_step() -> None:
    units = {"37g": "0404", "44g": "0404", "g1076": {"at": "0504", "steps": 1}, "hq65": "0901", "hq27": "0107"}
    game = fighting(units, dice=[1])
    attack(game, "0504", "37g", "44g")
    assert chosen(game) == Yield(3)


def test_air_1_bombers_go_to_the_enemy_and_ground_attack_to_the_battle() -> None:
    from hexwar_wb95.air import Assigning

    units = {"37g": "0404", "g472": "0504", "as1": "hangar", "hq65": "0901", "hq27": "0107"}
    game = placed(units, Assigning("soviet", ("as1",), "soviet"), turn=3, phase="soviet-air")
    assert chosen(game) == Fly("as1", "0504", "support")


def test_in_another_game_it_chooses_by_chance() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    assert Officer().choose(game.view(game.to_move[0]), random.Random(0)) in game.legal_actions(game.to_move[0])
