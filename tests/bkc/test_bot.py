"""The officer: shots, charges and marches are weighed in points, and an order names those that make it worth most."""

from __future__ import annotations

import random

import pytest

import hexwar
from hexwar.bots import Disturbed, KeyedChance, load_bot, play_to_end
from hexwar.engine import Game
from hexwar.pieces import Done
from hexwar.plane import Terrain, Ways
from hexwar.tabletop import March
from hexwar_bkc.bot import Officer, succeeds
from hexwar_bkc.bot_ground import Routes, Shot, worth_of
from hexwar_bkc.charging import Charge
from hexwar_bkc.command import Begin, Commanding, Issue
from hexwar_bkc.fire import Fire
from hexwar_bkc.state import OrderTested, Struck
from hexwar_bkc.world import CLASSES
from tests.bkc.table import POND, commanding, reacting, said, table


def chosen(game: Game, bot: Officer | None = None) -> object:
    """What the officer does who is asked."""
    return (bot or Officer()).choose(game.view(game.to_move[0]), random.Random(0))


def played(scenario: str, seed: int) -> Game:
    game: Game = hexwar.new_game("bkc", scenario, seed=seed)
    play_to_end(game, {side: Officer() for side in game.world.sides}, KeyedChance(seed))
    return game


def test_it_is_the_bot_of_the_game() -> None:
    assert hexwar.rulesets()["bkc"].bot == "bkc-officer"
    assert load_bot("bkc-officer").__class__ is Officer


@pytest.mark.parametrize("scenario", ["training", "orders"])
def test_it_plays_to_a_verdict_and_shoots_on_the_way(scenario: str) -> None:
    game = played(scenario, 3)
    assert game.result is not None
    assert len(said(game, Struck)) >= 3
    assert bool(said(game, OrderTested)) == (scenario == "orders")


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["mokra", "bzura"])
def test_it_plays_the_large_scenarios_with_orders_and_artillery(scenario: str) -> None:
    game = played(scenario, 5)
    assert game.result is not None
    assert {"bombarded", "order-tested", "struck", "suppressed", "knocked-out"} <= {event.kind for event in game.events}


def test_it_goes_on_where_others_have_decided() -> None:
    game: Game = hexwar.new_game("bkc", "orders", seed=7)
    bots = {side: Disturbed(Officer(), 4, KeyedChance(side)) for side in game.world.sides}
    assert play_to_end(game, bots, KeyedChance(7)) is game.result


def test_command_3_the_chance_of_an_order() -> None:
    assert succeeds(7) == 21 / 36
    assert succeeds(1) == 1 / 36  # a double one gets through
    assert succeeds(12) == 35 / 36  # a double six does not


def test_a_shot_is_worth_more_with_more_dice_in_the_open_and_against_who_is_worn_down() -> None:
    few, many, behind = Shot(2, 4, 0, True), Shot(4, 4, 0, True), Shot(4, 5, 0, True)
    assert worth_of(few, 4, 25, False) < worth_of(behind, 4, 25, False) < worth_of(many, 4, 25, False)
    assert worth_of(many, 4, 25, False) < worth_of(many, 1, 25, False)
    assert worth_of(many._replace(damages=False), 1, 25, False) < worth_of(many, 4, 25, False)


def test_fire_11_it_fires_at_who_is_in_the_open_before_anybody_marches() -> None:
    game = table({"p3": (3000, 4000), "p4": (1000, 5500), "g3": (3000, 2500)}, scenario="training")
    assert chosen(game) == Fire("p3", "g3")


def test_react_7_it_fires_in_reaction_and_then_has_done() -> None:
    game = reacting({"p3": (3000, 4000), "g3": (3000, 2500)}, dice=[1] * 9)
    assert chosen(game) == Fire("p3", "g3")
    far = reacting({"p3": (3000, 5500), "g3": (3000, 1000)})
    assert not isinstance(chosen(far), Fire)


def test_react_13_it_charges_who_is_suppressed_and_alone_and_nobody_else() -> None:
    units = {"p3": (3000, 4000), "g3": (3000, 3000)}
    assert chosen(reacting(units, suppressed=["g3"])) == Charge("p3", "g3")
    assert chosen(reacting(units)) == Fire("p3", "g3")
    assert chosen(reacting({**units, "g4": (3400, 3000)}, suppressed=["g3"])) != Charge("p3", "g3")


def test_command_6_a_headquarters_orders_before_the_commanding_officer() -> None:
    game = commanding({"p1": (2600, 5500), "p2": (3400, 5500), "p3": (2600, 4800), "p4": (3400, 4800), "g3": (3000, 1500)})
    assert chosen(game) == Begin("p2")


def test_command_2_an_order_names_all_whom_it_costs_nothing_and_is_given_then() -> None:
    game = commanding(
        {"p2": (3000, 5500), "p3": (2600, 4800), "p4": (3400, 4800), "p6": (4200, 4800), "g3": (3000, 1500)},
        dice=[3, 3, *[1] * 40],
    )
    bot = Officer()
    game.apply(Begin("p2"))
    actions = []
    while (action := chosen(game, bot)) != Issue():
        actions.append(action)
        game.apply(action)  # type: ignore[arg-type]
    assert {action.unit for action in actions} == {"p3", "p4", "p6"}  # type: ignore[attr-defined]
    assert any(isinstance(action, March) for action in actions)
    game.apply(Issue())
    [test] = said(game, OrderTested)
    assert test.succeeds


def test_command_5_it_stops_where_nothing_is_left_to_order() -> None:
    game = table({"p2": (3000, 5500), "g3": (3000, 1500)}, Commanding("poland"), finished=["p2"])
    assert game.to_move == () or chosen(game) == Done()


def test_a_way_leads_around_what_is_shut() -> None:
    game = table({"p3": (3000, 4000), "g3": (3000, 1000)}, parts=POND)
    terrain: Terrain = game.world.terrain
    ways = Ways(terrain, CLASSES)
    routes = Routes(ways, "foot", ((2800, 1200), (3200, 1200), (3200, 1600), (2800, 1600)))
    assert routes.distance((3000, 4000)) > 2600
    path = routes.way((3000, 4000), 3000)
    assert path
    assert not any(ways.is_shut("foot", spot) for spot in path)


def test_in_another_game_it_chooses_by_chance() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    assert Officer().choose(game.view(game.to_move[0]), random.Random(0)) in game.legal_actions(game.to_move[0])
