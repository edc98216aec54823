"""18: transport: who is loaded on what and where, how it is carried, and how it gets off."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Action, Game, Play, SeededChance, TapedChance
from hexwar.mechanics import Declare, Move
from hexwar.pieces import Done, UnitMoved, eliminate, stands
from hexwar.testing import ScriptedDice, position
from hexwar_wop.activation import Marching
from hexwar_wop.content import load_wop
from hexwar_wop.modifiers import morale_of, strength
from hexwar_wop.overstacking import Displace, Displacing
from hexwar_wop.reactions import Fleeing
from hexwar_wop.reinforcements import Reinforcing
from hexwar_wop.transport import (
    DEPOT,
    IN_USE,
    Load,
    Transporting,
    Unload,
    aboard,
    misplaced,
    return_transports,
    toll,
    transport_segment,
    why_not_load,
    why_not_unload,
)
from tests.wop.table import PAUSE, activated, asked, idle, load_side, pass_turn, passing, zone
from tests.wop.test_9_13_reactions import table
from tests.wop.test_14_attacks import attack, begun, planning

ARMY: dict[str, Any] = {"5A": "1523"}
COUNTERS: dict[str, Any] = {"E1": DEPOT, "T1": DEPOT, "W1": DEPOT}


def loading(units: dict[str, Any], side: str = "polish", **state: Any) -> Game:
    """The beginning of an activation."""
    mine = tuple(unit for unit in units if load_side(unit) == side)
    steps = [PAUSE, idle(units), Marching(side, mine), Transporting(side, mine)]
    return position("wop", units={**units}, step=steps, active=side, **state)


def by_rail(label: str, *units: str, **more: Any) -> dict[str, Any]:
    """Units on the echelon."""
    return {**ARMY, "E1": IN_USE, **dict.fromkeys(units, label), **more}


def on(transport: str, *units: str) -> dict[str, str]:
    return dict.fromkeys(units, transport)


def refused(game: Game, action: Action) -> str:
    """The clause against an action."""
    at = game.position
    if isinstance(action, Load):
        found = why_not_load(at, action.unit, action.transport, action.to)
    elif isinstance(action, Unload):
        found = why_not_unload(at, action.unit, action.to)
    else:
        found = game.why_not(action, game.to_move[0])
    assert found is not None
    assert action not in game.legal_actions()
    return found.clause


# -- 18.2 to 18.7 loading --------------------------------------------------------------------------------------------------


@pytest.mark.clause("18.2.a", "18.2.b", "18.3")
def test_18_2_a_loading_covers_the_unit_and_costs_the_transport_a_point() -> None:
    game = loading({**ARMY, **COUNTERS, "67/17": "1721", "HvyArt": "1721"})
    game.apply(Load("67/17", "E1", "1721"))
    game.apply(Load("HvyArt", "E1", "1721"))
    assert game.state.loaded == on("E1", "67/17", "HvyArt")
    assert game.state.locations["E1"] == IN_USE
    game.apply(Done())
    movement = game.world.movement
    assert movement.allowance(game.position, "67/17") == 19, "20 less 1, however many are loaded"
    assert game.world.printed.templates.loading.echelon_hexes == 19
    ends = {action.to for action in game.legal_actions() if isinstance(action, Move) and action.unit == "67/17"}
    assert "1405" in ends, "19 hexes along the railway"
    assert "1404" not in ends
    assert "1821" not in ends, "and nowhere else"


@pytest.mark.clause("18.1")
def test_18_1_each_kind_moves_in_its_way() -> None:
    kinds = load_wop().templates.transport
    assert set(kinds) == {"wagon", "truck", "echelon", "ship"}
    game = loading({**ARMY, **COUNTERS, "67/17": "1519", "68/17": "1520"})
    assert {(it.transport, it.to) for it in game.legal_actions() if isinstance(it, Load) and it.unit == "67/17"} == {
        ("T1", "1519"),
        ("W1", "1519"),
    }
    game.apply(Load("67/17", "T1", "1519"))
    game.apply(Load("68/17", "W1", "1520"))
    assert game.world.movement.moves_as(game.position, "67/17") == "truck"
    assert game.world.movement.allowance(game.position, "67/17") == 13
    assert game.world.movement.allowance(game.position, "68/17") == 7
    assert refused(loading({**ARMY, **COUNTERS, "67/17": "1519"}), Load("67/17", "WS1", "1519")) == "18.1"
    assert refused(loading({**ARMY, **COUNTERS, "67/17": "1519"}), Load("67/17", "5A", "1519")) == "18.1"


def test_18_2_a_who_is_loaded_is_not_loaded_again_and_a_counter_is_in_one_place() -> None:
    game = loading({**ARMY, **COUNTERS, "67/17": "1721", "68/17": "1623", "69/17": "1622"})
    game.apply(Load("67/17", "E1", "1721"))
    assert refused(game, Load("67/17", "T1", "1721")) == "18.2.a"
    assert refused(game, Load("68/17", "E1", "1623")) == "18.2.a", "the echelon is in Pomiechowek"
    assert refused(game, Load("69/17", "T1", "1623")) == "18.2.a", "trucks come to the unit"
    later = loading({**ARMY, "T1": "turn 4", "67/17": "1721"}, turn=2)
    assert refused(later, Load("67/17", "T1", "1721")) == "18.12"
    why = loading({**ARMY, **COUNTERS, "67/17": "1721", "97/33": "1303"}).why_not(Load("97/33", "T1", "1721"), "polish")
    assert why is not None
    assert why.clause == "18.2.a"


def test_18_5_a_an_echelon_loads_at_a_station_away_from_the_enemy() -> None:
    units = {**ARMY, **COUNTERS, "67/17": "1821", "68/17": "1519"}
    game = loading(units)
    assert {it.to for it in game.legal_actions() if isinstance(it, Load) and it.unit == "67/17" and it.transport == "E1"} == {
        "1721"
    }
    assert refused(game, Load("68/17", "E1", "1721")) == "18.5.a", "too far from the station"
    game.apply(Load("67/17", "E1", "1721"))
    assert game.state.locations["67/17"] == "1721", "it goes to the station"
    near = loading({**units, "46/16": "1720"})
    assert refused(near, Load("67/17", "E1", "1721")) == "18.5.a"
    off = loading({**units, "16DS": "1720", "46/16": "1719"})
    off.apply(Load("67/17", "E1", "1721"))
    assert off.state.loaded == on("E1", "67/17"), "headquarters do not count, and two hexes are enough"


def test_18_6_a_an_army_must_lead_the_unit() -> None:
    game = loading({**COUNTERS, "5A": "0301", "67/17": "1721"})
    assert refused(game, Load("67/17", "T1", "1721")) == "18.6.a"


@pytest.mark.clause("18.7.1", "18.7.3")
def test_18_7_3_an_echelon_takes_two_units_and_a_headquarters() -> None:
    units = {**ARMY, **COUNTERS, "9DP": "1721", "DO": "1721", "67/17": "1721", "AC1": "1721", "HvyArt": "1822", "PPa": "1721"}
    game = loading(units)
    assert refused(game, Load("PPa", "E1", "1721")) == "18.7.3"
    for unit in ("67/17", "AC1", "9DP"):
        game.apply(Load(unit, "E1", "1721"))
    assert refused(game, Load("HvyArt", "E1", "1721")) == "18.7.3"
    assert refused(game, Load("DO", "E1", "1721")) == "18.7.3"
    assert aboard(game.position, "E1") == ("9DP", "67/17", "AC1")


def test_18_7_1_a_truck_or_a_wagon_takes_one_infantry_unit() -> None:
    game = loading({**ARMY, **COUNTERS, "67/17": "1519", "HvyArt": "1519", "17DP": "1519", "68/17": "1519", "FortArt": "1523"})
    for unit in ("HvyArt", "17DP"):
        assert refused(game, Load(unit, "W1", "1519")) == "18.7.1"
    assert refused(game, Load("FortArt", "E1", "1623")) == "18.7.3", "what cannot move is not carried"
    game.apply(Load("67/17", "W1", "1519"))
    assert refused(game, Load("68/17", "W1", "1519")) == "18.7.1"


def test_18_2_a_wagons_do_not_come_into_a_marsh() -> None:
    game = loading({**ARMY, **COUNTERS, "34/9": "2021"})
    assert game.world.board.terrain("2021") == "marsh"
    assert refused(game, Load("34/9", "W1", "2021")) == "13.2.a"


# -- on the way --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("18.7.3", "13.7.a")
def test_18_7_3_what_an_echelon_carries_goes_together() -> None:
    units = by_rail("2224", "70/17", "FldArt", "17DP")
    steps = [PAUSE, idle(units), Marching("polish", ("70/17", "FldArt"))]
    game = position("wop", units=units, step=steps, loaded=on("E1", "70/17", "FldArt", "17DP"))
    game.apply(Move("70/17", "1721"))
    assert {game.state.locations[unit] for unit in ("70/17", "FldArt", "17DP")} == {"1721"}
    assert not any(isinstance(step, Marching) for step in game.state.stack), "all of them have moved"
    paths = {event.unit: len(event.path) - 1 for event in game.events if isinstance(event, UnitMoved)}
    assert paths == {"70/17": 9, "FldArt": 9, "17DP": 9}


def test_18_7_3_a_headquarters_alone_on_an_echelon_moves_when_headquarters_do() -> None:
    units = by_rail("1721", "9DP", **{"W1": DEPOT})
    game = position("wop", units=units, step=[PAUSE, idle(units)], loaded=on("E1", "9DP"))
    assert game.world.movement.allowance(game.position, "9DP") == 20


@pytest.mark.clause("10.2.2")
def test_18_8_what_is_loaded_has_no_zone() -> None:
    game = asked(by_rail("1721", "67/17"))
    assert zone(game, "polish")
    assert not zone(asked(by_rail("1721", "67/17"), loaded=on("E1", "67/17")), "polish")
    more = asked(by_rail("1721", "67/17", "15/9"), loaded=on("E1", "67/17"))
    assert "1720" in zone(more, "polish"), "of the others"


def test_18_2_a_what_is_loaded_leaves_no_garrison() -> None:
    units = by_rail("1721", "67/17", GarPo1="garrison pool")
    game = position("wop", units=units, step=[PAUSE, idle(units), Marching("polish", ("67/17",))], loaded=on("E1", "67/17"))
    game.apply(Move("67/17", "1623"))
    assert game.state.locations["67/17"] == "1623"
    assert game.state.stack[-1].kind != "garrisoning"


# -- 18.9, 18.10 in a fight --------------------------------------------------------------------------------------------------


@pytest.mark.clause("18.9.a", "18.9.b", "18.9.c")
def test_18_9_a_what_is_loaded_defends_with_half_and_with_the_morale_of_its_transport() -> None:
    units: dict[str, Any] = {**ARMY, "E1": IN_USE, "1/Syb": "1721", "46/16": "1720"}
    game = asked(units, loaded=on("E1", "1/Syb"))
    assert strength(game.position, "1/Syb", attacks=False).counted == 3, "half of 5, rounded up"
    shifts = {shift.clause: shift.columns for shift in game.query.odds(["46/16"], "1721").shifts}
    assert shifts["14.13.e"] == 1, "6 against 2 instead of 7"
    assert {s.clause: s.columns for s in asked(units).query.odds(["46/16"], "1721").shifts}["14.13.e"] == -1


def test_18_9_b_who_has_less_morale_keeps_it() -> None:
    units: dict[str, Any] = {**ARMY, "WS1": IN_USE, "97/33": "1721"}
    game = asked(units, loaded=on("WS1", "97/33"))
    assert morale_of(game.position, "97/33") == 3
    assert game.world.printed.templates.transport["wagon"].morale == 3


def test_18_9_c_what_is_loaded_does_not_attack_and_its_guns_are_silent() -> None:
    units: dict[str, Any] = {**ARMY, "E1": IN_USE, "1/Syb": "1721", "46/16": "1720", "FldArt": "1721", "15/9": "1820"}
    game = planning(units, "polish", [], loaded=on("E1", "1/Syb", "FldArt"))
    assert refused(game, Declare("1/Syb", "1720")) == "18.9.c"
    assert refused(game, Declare("FldArt", "1720")) == "18.9.c"
    game.apply(Declare("15/9", "1720"))
    silent = asked({**units, "47/16": "1819"}, loaded=on("E1", "1/Syb", "FldArt")).query.odds(["47/16"], "1820")
    heard = asked({**units, "47/16": "1819"}).query.odds(["47/16"], "1820")
    assert heard.defence == silent.defence + 3


@pytest.mark.clause("18.10")
def test_18_10_who_must_retreat_loses_a_level_and_its_transport() -> None:
    units: dict[str, Any] = {**ARMY, "E1": IN_USE, "67/17": "2305", "97/33": "2304", "98/33": "2304", "99/33": "2404"}
    game = attack(units, ["97/33", "98/33", "99/33"], "2305", 5, loaded=on("E1", "67/17"))
    assert "E1" not in game.state.locations
    assert game.state.loaded == {}
    assert game.state.steps_left["67/17"] == 2 - sum(event.kind == "step-lost" for event in game.events) + 1
    assert [event.clause for event in game.events if event.kind == "transport-lost"] == ["18.10"]
    assert "18.10" in [event.clause for event in game.events if event.kind == "step-lost"]


def test_18_10_a_lone_headquarters_that_is_driven_off_loses_its_transport_too() -> None:
    game = table({"97/33": "2402", "18DP": "2405", "E1": IN_USE}, "97/33", loaded=on("E1", "18DP"))
    game.apply(Move("97/33", "2404"))
    assert isinstance(game.state.stack[-1], Fleeing)
    assert "E1" not in game.state.locations
    assert stands(game.position, "18DP")


def test_18_10_a_transport_is_lost_with_its_cargo() -> None:
    game = asked(by_rail("1721", "67/17", "15/9"), loaded=on("E1", "67/17", "15/9"))
    play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice.outcomes([5, 5])))
    eliminate(play, "67/17", "losses")
    assert play.state.loaded == on("E1", "15/9")
    assert play.state.locations["E1"] == IN_USE
    eliminate(play, "15/9", "losses")
    assert "E1" not in play.state.locations
    assert misplaced(play) is None


# -- 18.11 to 18.13 unloading ------------------------------------------------------------------------------------------------


@pytest.mark.clause("18.11", "18.12", "18.13.b", "18.5.b")
def test_18_11_all_of_a_counters_cargo_gets_off_at_the_beginning_of_an_activation() -> None:
    units = by_rail("1721", "70/17", "FldArt")
    game = loading(units, loaded=on("E1", "70/17", "FldArt"), turn=2)
    game.apply(Unload("70/17", "1721"))
    assert game.state.loaded == {}
    assert game.state.locations["E1"] == "turn 6", "three full turns between"
    movement = game.world.movement
    assert movement.allowance(game.position, "70/17") == 3, "half of 5, rounded down, is paid"
    assert movement.initial(game.position, "70/17") == 5
    assert game.world.reaches.reach(game.position, "70/17").budget == 6


@pytest.mark.parametrize(("unit", "by", "paid"), [("67/17", "T1", 2), ("67/17", "W1", 1), ("HvyArt", "E1", 2)])
@pytest.mark.clause("18.13.a", "18.13.b")
def test_18_13_a_wagons_cost_a_point_others_half(unit: str, by: str, paid: int) -> None:
    game = asked({**ARMY, by: IN_USE, unit: "1721"}, loaded=on(by, unit))
    assert toll(game.position, unit, by) == paid


def test_18_13_b_who_got_off_has_no_minimum_move() -> None:
    units: dict[str, Any] = {**ARMY, "67/17": "1519", "46/16": "1618"}
    assert asked(units).query.reach("67/17").costs["1619"] == 5
    assert "1619" not in asked(units, spent={"67/17": 2}).query.reach("67/17").costs


def test_18_5_b_an_echelon_is_unloaded_near_a_station_away_from_the_enemy() -> None:
    far = loading(by_rail("1923", "67/17"), loaded=on("E1", "67/17"))
    assert refused(far, Unload("67/17", "1923")) == "18.5.b"
    watched = loading(by_rail("1721", "67/17", **{"46/16": "1720"}), loaded=on("E1", "67/17"))
    assert refused(watched, Unload("67/17", "1721")) == "18.5.b"
    beside = loading(by_rail("1720", "67/17"), loaded=on("E1", "67/17"))
    beside.apply(Unload("67/17", "1720"))
    assert beside.state.loaded == {}
    assert refused(loading({**ARMY, **COUNTERS, "67/17": "1721"}), Unload("67/17", "1721")) == "18.11"
    assert refused(loading(by_rail("1721", "67/17"), loaded=on("E1", "67/17")), Unload("67/17", "1720")) == "18.11"


def test_18_6_b_command_is_not_needed_to_get_off() -> None:
    game = loading({"E1": IN_USE, "5A": "0301", "67/17": "1721"}, loaded=on("E1", "67/17"), no_command=["67/17"])
    game.apply(Unload("67/17", "1721"))
    assert game.state.loaded == {}


@pytest.mark.clause("2.3.d", "18.12")
def test_2_3_d_a_transport_comes_back_in_its_turn() -> None:
    game = asked({**ARMY, "E1": "turn 6", "T1": "turn 7"}, turn=6)
    play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice([])))
    return_transports(play)
    assert (play.state.locations["E1"], play.state.locations["T1"]) == (DEPOT, "turn 7")


def test_12_5_who_is_pushed_out_of_a_hex_gets_off() -> None:
    units = by_rail("1721", "67/17", "15/9", "22/9", "34/9", **{"97/33": "1303"})
    steps = [PAUSE, idle(units), Displacing("soviet", "1721")]
    game = position("wop", units=units, step=steps, loaded=on("E1", "67/17"), turn=1)
    game.apply(Displace("67/17", "1720"))
    assert game.state.loaded == {}
    assert game.state.locations["E1"] == "turn 5"


# -- 6.1.a arrivals by rail ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("6.1.a")
def test_6_1_a_what_the_scenario_sends_by_rail_arrives_loaded() -> None:
    game = activated()
    assert game.state.loaded == on("E1", "70/17", "FldArt")
    assert game.state.locations["70/17"] == "2224"
    assert game.world.movement.allowance(game.position, "70/17") == 20, "it was loaded beyond the map"
    on_foot = position(
        "wop",
        units={**ARMY, "70/17": "turn 1", "E1": "turn 3", "97/33": "1303"},
        turn=1,
        step=[PAUSE, idle({"5A": ""}), Reinforcing("polish", ("70/17",))],
    )
    assert on_foot.state.locations["70/17"] == "2224"
    assert on_foot.state.loaded == {}, "there is no echelon"


@pytest.mark.clause("18.13.b", "18.12")
def test_18_12_the_worked_example_of_the_scenario() -> None:
    """E1 enters loaded at 2224, goes nine hexes to Pomiechowek, and is unloaded in turn 2."""
    game: Game = hexwar.new_game("wop", "wkra", seed=1)
    while not (isinstance(game.state.stack[-1], Marching) and game.to_move == ("polish",)):
        game.apply(Done(), game.to_move[0])
    assert game.query.reach("70/17").costs["1721"] == 9
    game.apply(Move("15/9", "1821"))
    game.apply(Move("70/17", "1721"))
    pass_turn(game)
    while not (isinstance(game.state.stack[-1], Transporting) and game.to_move == ("polish",)):
        game.apply(Done(), game.to_move[0])
    game.apply(Unload("70/17", "1721"))
    assert game.world.movement.allowance(game.position, "70/17") == 3
    assert game.state.locations["E1"] == "turn 6"


def test_18_12_nobody_is_carried_for_ever() -> None:
    *_, last = passing(2)
    assert misplaced(last.position) is None
    assert last.state.spent == {}


def test_18_2_a_the_invariant_tells_what_is_wrong() -> None:
    game = begun({**ARMY, "E1": IN_USE, "67/17": "1721"}, [], [])
    assert misplaced(game.position) == "E1 in transport in use carries nobody in "
    game = begun(by_rail("1721", "67/17", **{"15/9": "1821"}), [], [], loaded=on("E1", "67/17", "15/9"))
    assert misplaced(game.position) == "E1 in transport in use carries 67/17, 15/9 in 1721, 1821"


def test_18_7_2_pieces_on_rivers_are_asked_in_the_order_of_the_roster() -> None:
    """Equal states offer the same: who was loaded first makes no difference."""
    river = "1722|1723"
    units = {**ARMY, "Riv1": river, "22/9": river, "67/17": river}
    orders = []
    for pieces in (("22/9", "67/17"), ("67/17", "22/9")):
        game = position("wop", units=units, step=[PAUSE, idle(units)], loaded=on("Riv1", *pieces))
        play = Play(game.world, game.state.copy(), SeededChance(1))
        play.state.loaded = dict.fromkeys(pieces, "Riv1")
        transport_segment(play, "polish")
        step = play.state.stack[-1]
        assert isinstance(step, Transporting)
        orders.append(step.units)
    assert orders[0] == orders[1]
    assert {"22/9", "67/17"} <= {*orders[0]}
