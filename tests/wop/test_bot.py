"""The officer: a bot that attacks where it pays, moves towards what gives points, and keeps its headquarters safe."""

from __future__ import annotations

import random
from typing import Any

import hexwar
from hexwar.bots import load_bot
from hexwar.engine import Game
from hexwar.mechanics import Battle, Declare, Move, Pursue, Retreat
from hexwar.pieces import Done, LoseStep
from hexwar_wop.air import Answering, Patrolling, Supporting
from hexwar_wop.bot import Officer, Picture, plan
from hexwar_wop.bot_air import fly
from hexwar_wop.flights import Flight
from hexwar_wop.losses import Lead, Leading, LosingLevels
from hexwar_wop.missions import Hinder, Intercept, Reconnoitre, Support
from hexwar_wop.pursuit import Chasing
from hexwar_wop.reactions import React, Reacting
from hexwar_wop.retreat import FallingBack
from tests.wop.table import asked
from tests.wop.test_14_attacks import begun, planning


def chosen(game: Game, bot: Officer | None = None) -> Any:
    """What the officer decides."""
    return (bot or Officer()).choose(game.view(game.to_move[0]), random.Random(0))


def test_it_attacks_where_that_pays_and_confirms_its_plan() -> None:
    strong: dict[str, Any] = {"97/33": "0906", "98/33": "0906", "99/33": "1006", "42/18": {"at": "0907", "steps": 1}}
    game, bot = planning(strong, "soviet", [9, 0, 0, 0]), Officer()
    orders = []
    while not game.state.leading and isinstance(order := chosen(game, bot), Declare):
        orders.append((order.unit, order.target))
        game.apply(order)
    assert orders == [("97/33", "0907"), ("98/33", "0907"), ("99/33", "0907")]
    assert chosen(game, Officer()) == Done()
    weak = planning({"97/33": "0912", "42/18": "0811", "49/18": "0811", "144/18": "0811"}, "soviet", [])
    assert plan(weak.position, "soviet") == []
    assert chosen(weak) == Done()


def test_guns_are_ordered_after_those_whom_they_support() -> None:
    units: dict[str, Any] = {"ArtXV": "0905", "97/33": "0906", "98/33": "0906", "42/18": {"at": "0907", "steps": 1}}
    assert plan(asked(units).position, "soviet")[-1] == Declare("ArtXV", "0907")


def test_losses_leaders_and_retreats() -> None:
    units: dict[str, Any] = {"49/18": "0907", "145/18": "0907", "201/DO": "0907", "97/33": "0906", "98/33": "1008"}
    assert chosen(begun(units, [LosingLevels("polish", ("49/18", "145/18", "201/DO"), 1)], [])) == LoseStep("49/18")
    assert chosen(begun(units, [Leading("polish", "0907", ("49/18", "201/DO"))], [])) == Lead("201/DO")
    way = chosen(begun(units, [FallingBack("polish", ("49/18",), "0907", 1, ("0906",))], []))
    assert isinstance(way, Retreat)
    assert way.path[-1] == "0807", "out of the zones"


def test_cavalry_falls_back_before_a_stronger_enemy_only() -> None:
    units: dict[str, Any] = {"203/8BJ": "0907", "97/33": "0906"}
    step = Reacting("polish", ("203/8BJ",), "0907", 4, "0906")
    assert chosen(begun(units, [step], [])) == React(2)
    assert chosen(begun({**units, "97/33": {"at": "0906", "steps": 1}}, [step], [])) == Done()


AIR: dict[str, Any] = {"12esk": "airfields", "19esk": "airfields", "RAO15": "airfields"}
RING: dict[str, Any] = {"33DS": "1009", "97/33": "0912", "98/33": "1012", "99/33": "1013", "49/18": "0913", "18DP": "0712"}


def test_it_looks_for_a_formation_in_touch_and_delays_others() -> None:
    step = Patrolling("polish", ())
    assert chosen(begun({**RING, **AIR}, [step], [], turn=1)) == Reconnoitre("12esk", "33DS")
    marching = {**RING, **AIR, "49/18": "0420", "99/33": "1012"}
    assert chosen(begun(marching, [step], [], turn=1)) == Hinder("12esk", "1012")
    assert chosen(begun({**RING, "19esk": "airfields"}, [step], [], turn=1)) == Done(), "the fighter waits"
    assert chosen(begun({**RING, "12esk": {"at": "airfields", "steps": 1}}, [step], [], turn=1)) == Done(), "it rests"
    assert chosen(begun({**marching, "33DS": "turn 3"}, [step], [], turn=1)).kind == "hinder"


def test_it_supports_fights_in_which_that_matters_and_intercepts() -> None:
    even: dict[str, Any] = {**AIR, "97/33": "0906", "42/18": "0907"}
    battle = Battle.on("soviet", "0907", ("97/33",))
    assert chosen(begun(even, [Supporting("soviet", (), battle)], [], turn=1)) == Support("RAO15", "0906")
    assert chosen(begun(even, [Supporting("polish", (), battle)], [], turn=1)).kind == "support"
    game = begun(even, [Supporting("soviet", (), battle)], [], turn=1)
    assert fly(game.position, game.question("soviet"), "soviet", lambda at, fight: 1.0) == Done(), "nothing changes"
    for mission, answer in (("support", Intercept("19esk", "RAO15")), ("delay", Done())):
        flights = [Flight("RAO15", mission, "0907")]
        seen = begun(even, [Answering("polish", (), 1)], [], turn=1, flights=flights, launched=["RAO15"], flown=["RAO15"])
        assert chosen(seen) == answer


def test_it_pursues_towards_a_goal_and_not_away_from_it() -> None:
    units = {"97/33": "0812", "42/18": "0520"}
    assert chosen(begun(units, [Chasing("soviet", ("97/33",), "0811", 1)], [])) == Pursue("97/33", ("0812", "0811"))
    away = {"97/33": "0811", "42/18": "0520"}
    assert chosen(begun(away, [Chasing("soviet", ("97/33",), "0810", 1)], [])) == Done()


def test_headquarters_keep_away_from_the_enemy_and_near_their_troops() -> None:
    game = asked({"18DP": "0905", "42/18": "0712", "97/33": "0904", "5A": "1523"})
    picture = Picture(game.position, "polish")
    assert picture.headquarters("18DP", "0905") < picture.headquarters("18DP", "0711")
    move = chosen(game)
    assert isinstance(move, Move)


def test_it_plays_a_game_to_its_verdict_and_takes_what_scores() -> None:
    assert load_bot("wop-officer").__class__ is Officer
    game: Game = hexwar.new_game("wop", seed=5)
    bots = {"polish": Officer(), "soviet": Officer()}
    while game.to_move:
        game.apply(bots[game.to_move[0]].choose(game.view(game.to_move[0]), random.Random(1)), game.to_move[0])
    assert game.result is not None
    fights = sum(event.kind == "attack-resolved" for event in game.events)
    assert fights > 7
    assert any(event.kind == "control-taken" for event in game.events)


def test_in_another_game_it_chooses_by_chance() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    assert Officer().choose(game.view(game.to_move[0]), random.Random(0)) in game.legal_actions(game.to_move[0])
