"""What can happen only where the Soviets have a train, a car, boats, fighters and a staff without movement: the scenario `narew`.

The railway runs from Modlin by 1622 1621 1721 1720 1719 1718 1817 1816 1916 (Nasielsk) 1815 1814 1714 to 1713, the Soviet base.
The Narew runs from Serock (2719|2720) by 2321|2421 and 2220|2221 (Debe) to Modlin.
"""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import DiceRolled, Game, Play, TapedChance
from hexwar.errors import Refusal
from hexwar.mechanics import Declare, Declaring, Move, Moving, Retreat
from hexwar.pieces import Done, stands
from hexwar.testing import ScriptedDice, position
from hexwar_wop.activation import Marching
from hexwar_wop.air import Patrolling
from hexwar_wop.air_fights import FormationSpotted
from hexwar_wop.combat import Ending
from hexwar_wop.content import load_wop
from hexwar_wop.flights import AirUnitLeft
from hexwar_wop.missions import Escort, Hinder, Intercept, Reconnoitre
from hexwar_wop.reactions import Fleeing, React, Reacting, drive_off
from hexwar_wop.recreation import ReturnDetermined
from hexwar_wop.retreat import FallingBack
from hexwar_wop.river import Sail
from tests.wop.table import PAUSE, load_side, supplied

HOME = "airfields"


def table(units: dict[str, Any], *steps: Any, dice: tuple[int, ...] = (), **state: Any) -> Game:
    """A position of the scenario; 5A, which is far from everything, waits below."""
    over = [PAUSE, Moving("polish", ("5A",)), *steps]
    return position(
        "wop", scenario="narew", units={"5A": "1523", **units}, step=over, dice=ScriptedDice.outcomes(list(dice)), **state
    )


def moved(units: dict[str, Any], mover: str, to: str, *dice: int, **state: Any) -> Game:
    """A unit has moved."""
    side = load_side(mover)
    game = table(units, Marching(side, (mover,)), dice=dice, active=side, **state)
    game.apply(Move(mover, to))
    return game


def attacked(units: dict[str, Any], attackers: list[str], target: str, *dice: int) -> Game:
    """Units attack a hex."""
    side = load_side(attackers[0])
    game = table(units, Ending(side), Declaring(side, tuple(attackers)), dice=dice)
    for unit in attackers:
        game.apply(Declare(unit, target))
    game.apply(Done())
    return game


def rolled(game: Game) -> list[str]:
    """The clauses of the dice that fell."""
    return [event.clause for event in game.events if isinstance(event, DiceRolled)]


def terms(game: Game, attackers: list[str], target: str) -> dict[str, int]:
    """What is added to the die, by clause."""
    return {shift.clause: shift.columns for shift in game.query.odds(attackers, target).shifts}


# -- the scenario -----------------------------------------------------------------------------------------------------------


def test_17_1_either_side_has_a_train_a_car_boats_and_fighters() -> None:
    game: Game = hexwar.new_game("wop", "narew", seed=1)
    for side in ("polish", "soviet"):
        mine = [counter for counter in game.world.units.values() if counter.side == side]
        assert {"armoured_train", "armoured_car", "river_unit"} <= {counter.arm for counter in mine}
        assert [counter.id for counter in mine if counter.fighter] == [{"polish": "19esk", "soviet": "IAO5"}[side]]
    assert [unit for unit, counter in game.world.units.items() if counter.level and not counter.faces[-1].move] == ["KomN"]


def test_16_3_b_the_stream_runs_as_on_the_whole_map() -> None:
    games: list[Game] = [hexwar.new_game("wop", scenario, seed=1) for scenario in ("narew", "wkra")]
    part, whole = (game.world.river for game in games)
    assert 20 < len(part.sides) < len(whole.sides)
    pairs = [(one, other) for one in part.sides for other in part.next[one]]
    assert [part.is_upstream(*pair) for pair in pairs] == [whole.is_upstream(*pair) for pair in pairs]


def test_own_pieces_have_names_that_the_order_of_battle_does_not_have() -> None:
    scenarios = load_wop().scenarios
    own = {entry.id for entry in scenarios["narew"].soviet.units} - {entry.id for entry in scenarios["wkra"].soviet.units}
    assert own == {"Kom1", "BP8", "BA2", "RivN"}


# -- 9.26, 9.23.3 headquarters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mover", "start"), [("67/17", "1716"), ("AC1", "1714")])
def test_9_26_a_staff_that_cannot_move_is_lost_to_whoever_comes_near(mover: str, start: str) -> None:
    """Whatever arm that is, and without any roll: it is back after three full turns."""
    game = moved({"KomN": "1916", mover: start, "XVA": "2314"}, mover, "1816" if mover == "67/17" else "1915", turn=1)
    assert not stands(game.position, "KomN")
    [returned] = [event for event in game.events if isinstance(event, ReturnDetermined)]
    assert (returned.turn, returned.clause) == (5, "9.26")
    assert rolled(game) == []


@pytest.mark.clause("9.26", "14.18")
def test_9_26_a_staff_that_cannot_go_along_in_a_retreat_is_lost() -> None:
    units = {"KomN": "1916", "Kom1": "1916", "67/17": "1917", "XVA": "2314"}
    game = table(units, FallingBack("soviet", ("Kom1", "KomN"), "1916", 1, ("1917",)))
    game.apply(next(action for action in game.legal_actions() if isinstance(action, Retreat) and action.unit == "Kom1"))
    assert not stands(game.position, "KomN")
    assert stands(game.position, "Kom1")


def test_13_1_b_it_is_never_asked_to_move() -> None:
    game = table({"KomN": "1916", "16DS": "2017"}, Moving("soviet", ("KomN", "16DS")))
    assert {action.unit for action in game.legal_actions() if isinstance(action, Move)} == {"16DS"}


@pytest.mark.parametrize(("mover", "start", "to"), [("BA2", "2017", "1919"), ("BP8", "1916", "1719")])
@pytest.mark.parametrize(("die", "lost"), [(5, True), (4, False)])
def test_9_23_3_soviet_cars_and_trains_capture_polish_headquarters(mover: str, start: str, to: str, die: int, lost: bool) -> None:
    near = {"1919": "1920", "1719": "1619"}[to]
    dice = (die, 5) if lost else (die,)
    game = moved({mover: start, "17DP": near, "XVA": "2314"}, mover, to, *dice)
    assert rolled(game)[0] == "9.23.3"
    assert stands(game.position, "17DP") is not lost
    if not lost:
        step = game.state.stack[-1]
        assert isinstance(step, Fleeing)
        assert (step.seat, step.hexes) == ("soviet", 6)


def test_9_23_b_boats_drive_nobody_off() -> None:
    game = table({"17DP": "2620", "RivN": "2719|2720"}, Marching("soviet", ("RivN",)), active="soviet")
    game.apply(Sail("RivN", "2520|2620"))
    assert game.state.locations["17DP"] == "2620"


def test_9_23_a_each_of_several_headquarters_flees() -> None:
    game = table({"KomN": "1916", "16DS": "1916", "67/17": "1816", "XVA": "2314"})
    play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice.outcomes([])))
    drive_off(play, "polish", "infantry", "1916", "1816")
    assert {step.headquarters for step in play.state.stack if isinstance(step, Fleeing)} == {"KomN", "16DS"}


# -- 16, 3.5, 10.2.3.b, 14.29 boats of both sides ---------------------------------------------------------------------------


@pytest.mark.clause("16.1.a")
def test_16_1_a_no_boat_passes_an_enemy_boat() -> None:
    free = table({"Riv1": "2220|2221"}, Marching("polish", ("Riv1",)), active="polish")
    assert free.world.river.sails(free.position, "Riv1").keys() >= {"2420|2421", "2619|2620"}
    held = table({"Riv1": "2220|2221", "RivN": "2321|2421"}, Marching("polish", ("Riv1",)), active="polish")
    ends = held.world.river.sails(held.position, "Riv1").keys()
    assert "2321|2322" in ends
    assert not ends & {"2321|2421", "2420|2421", "2619|2620"}


def test_3_5_an_enemy_boat_cuts_the_river() -> None:
    assert supplied(table({"Riv1": "2220|2221"}), "Riv1")
    assert not supplied(table({"Riv1": "2220|2221", "RivN": "1922|2022", "5A": "2824"}), "Riv1"), "and 5A has no road"
    assert supplied(table({"RivN": "2420|2421"}), "RivN"), "Serock is a Soviet base"
    assert not supplied(table({"RivN": "2321|2322", "Riv1": "2420|2521"}), "RivN")


@pytest.mark.parametrize(("boat", "cost"), [("1622|1623", 5), ("1622|1723", 5), ("1922|2022", 1)])
def test_10_2_3_b_soviet_boats_watch_polish_crossings(boat: str, cost: int) -> None:
    """On the hexside of the railway bridge and on the next one; a garrison of no strength to speak of holds Modlin beside it."""
    units = {"5A": "2824", "GarSo1": "1523", "67/17": "1622", "RivN": boat}
    assert table(units).query.reach("67/17").costs["1623"] == cost


def test_14_29_a_no_boat_falls_back_past_an_enemy_boat() -> None:
    game = table({"Riv1": "2220|2221", "RivN": "2221|2321"})
    ways = game.world.river.ways_out(game.position, "Riv1", 2)
    assert ways
    assert all("2221|2321" not in way for way in ways)


@pytest.mark.clause("16.4.1", "16.4.2")
def test_14_13_o_boats_of_both_sides_in_one_fight() -> None:
    """The Poles attack 2220 from 2121, with a boat at 2121; the Soviet boat lies at the attacked hex."""
    game = table({"34/9": "2120", "Riv1": "2121|2221", "46/16": "2220", "RivN": "2220|2221"})
    shifts = [shift.columns for shift in game.query.odds(["34/9", "Riv1"], "2220").shifts if shift.clause == "14.13.o"]
    assert sorted(shifts) == [-1, 1]
    assert game.query.odds(["34/9", "Riv1"], "2220").defence == 6 + 3


# -- 13, 14.27, 14.28, 15 the Soviet train, 13.10 the Soviet car ------------------------------------------------------------


@pytest.mark.parametrize(("face", "lives"), [(5, True), (6, False)])
def test_14_28_b_a_soviet_train_runs_past_a_single_polish_unit(face: int, lives: bool) -> None:
    game = moved({"BP8": "1916", "35/9": "1817", "XVA": "2314"}, "BP8", "1718", face, *(() if lives else (5,)))
    assert "14.28.b" in rolled(game)
    assert (game.state.locations["BP8"] == "1718") is lives


@pytest.mark.clause("14.28.a")
def test_14_28_a_a_soviet_train_does_not_run_past_two_polish_units() -> None:
    game = table({"BP8": "1916", "35/9": "1817", "22/9": "1817"}, Marching("soviet", ("BP8",)), active="soviet")
    ends = {action.to for action in game.legal_actions() if isinstance(action, Move)}
    assert "1816" in ends
    assert not ends & {"1817", "1718"}


@pytest.mark.clause("13.11.a", "13.12")
def test_13_11_a_a_soviet_train_falls_back_before_anybody() -> None:
    game = moved({"BP8": "1817", "46/16": "1817", "67/17": "1619"}, "67/17", "1718")
    step = game.state.stack[-1]
    assert isinstance(step, Reacting)
    assert (step.seat, step.units, step.most) == ("soviet", ("BP8",), 6)
    game.apply(React(2))
    assert game.state.locations["BP8"] == "1916", "14.27: towards its base"


def test_14_27_a_soviet_train_falls_back_towards_its_base() -> None:
    game = table({"BP8": "1718", "67/17": "1719"}, FallingBack("soviet", ("BP8",), "1718", 2, ("1719",)))
    assert game.state.locations["BP8"] == "1816"


@pytest.mark.parametrize(("mover", "start", "to", "asks"), [("67/17", "1919", "1919", True), ("AC1", "1821", "1919", False)])
def test_13_10_a_a_soviet_car_falls_back_before_all_but_cars_and_trains(mover: str, start: str, to: str, asks: bool) -> None:
    game = moved({"BA2": "1918", mover: "1920" if mover == "67/17" else start}, mover, to)
    assert isinstance(game.state.stack[-1], Reacting) is asks


@pytest.mark.clause("15.3", "14.13.n")
def test_14_13_o_soviet_stars_count_in_attack_and_defence() -> None:
    units = {"BP8": "1719", "BA2": "1719", "46/16": "1719", "67/17": "1720"}
    found = terms(table(units), ["BP8", "BA2", "46/16"], "1720")
    assert (found["14.13.o"], found["14.13.n"]) == (2, 1)
    found = terms(table({**units, "PPa": "1720"}), ["46/16"], "1720")
    assert found["14.13.o"] == -2


# -- 17.12, 17.13 fighters of both sides --------------------------------------------------------------------------------------

AIR = {"12esk": HOME, "19esk": HOME, "RAO15": HOME, "IAO5": HOME}
BELOW = {"17DP": "1721", "67/17": "1720", "16DS": "2017", "46/16": "2018"}


def patrol(seat: str, *dice: int) -> Game:
    """A player may place air units in fair weather."""
    return table({**BELOW, **AIR}, Patrolling(seat, ()), dice=dice, weather="clear", turn=1)


def escorted(*dice: int) -> Game:
    """Soviet fighters go with a reconnaissance flight, and Polish ones meet them."""
    game = patrol("soviet", *dice)
    game.apply(Reconnoitre("RAO15", "17DP"))
    game.apply(Escort("IAO5", "RAO15"))
    game.apply(Intercept("19esk", "RAO15"))
    return game


@pytest.mark.clause("17.12.a", "17.13.c", "17.14.2")
def test_17_13_b_a_soviet_escort_that_loses_takes_all_of_its_side_home() -> None:
    game = escorted(4, 5, 9, 0)
    assert {flight.unit for flight in game.state.flights} == {"19esk"}
    assert [event.clause for event in game.events if isinstance(event, AirUnitLeft)] == ["17.14.2"] * 2
    assert not any(isinstance(event, FormationSpotted) for event in game.events)


def test_17_13_a_a_soviet_escort_that_wins() -> None:
    game = escorted(9, 0, 0, 3)
    assert {flight.unit for flight in game.state.flights} == {"IAO5", "RAO15"}
    assert any(isinstance(event, FormationSpotted) for event in game.events)


def test_17_12_b_soviet_fighters_answer_and_are_answered() -> None:
    game = patrol("polish", 4, 5, 3)
    game.apply(Hinder("12esk", "2018"))
    game.apply(Done())
    assert game.to_move == ("soviet",)
    with pytest.raises(Refusal):
        game.apply(Intercept("RAO15", "12esk"))
    game.apply(Intercept("IAO5", "12esk"))
    game.apply(Intercept("19esk", "IAO5"))
    assert {flight.unit for flight in game.state.flights} == {"12esk", "19esk"}
