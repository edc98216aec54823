"""17.2 Reserves and OKH, with what the scenarios of 18 make of them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

import hexwar
from hexwar import Refusal
from hexwar.engine import Game, Play
from hexwar.mechanics import Declaring, Move, Moving
from hexwar.pieces import Done, Ready, Select
from hexwar_ava.chits import AvaSelecting
from hexwar_ava_optional.reserves import ALONE, CALLED, Call, Calling
from tests.ava.table import field, of_kind, position, refused, told

ON = {"reserves": True}
CHIT_PHASE = (2, 1, 1)
"""Where a drawn chit is resolved."""
UNITS = {"su-8a": "0505", "su-10": "0606", "su-90": "2020", "su-125": "2525", "ger-21": "3505", "fort-l1": "3030"}
"""su-10 is in range of its headquarters; su-90 and su-125 are not."""


def drawn(chit: str, roll: int, units: dict[str, str] | None = None, **more: Any) -> Game:
    """A chit has been drawn, and the die shows this."""
    more = {"options": ON, "chance": (roll,), "phase": "command", "turn": 2, **more}
    return position(units or UNITS, path=CHIT_PHASE, drawn=(chit,), **more)


def called(game: Game, *units: str) -> Game:
    """The same, after these units have been activated and no more."""
    for unit in units:
        game.apply(Call(unit))
    if isinstance(game.state.stack[-1], Calling):
        game.apply(Done())
    return game


def selection(scenario: str, turn: int = 1, units: dict[str, str] | None = None, **more: Any) -> Game:
    more = {"options": ON, **more}
    return position(units or {}, AvaSelecting(), scenario=scenario, board="", turn=turn, phase="selection", path=(2, 1), **more)


def chits(game: Game, side: str) -> set[str]:
    return {action.chit for action in game.legal_actions(side) if isinstance(action, Select)}


# -- 17.2.1 selection ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["campaign", "smolensk", "smolensk-short"])
def test_17_2_1_both_chits_can_be_selected_from_the_first_turn(scenario: str) -> None:
    game = selection(scenario)
    assert "okh" in chits(game, "axis")
    assert "reserves" in chits(game, "soviet")
    assert "reserves" not in chits(game, "axis")


@pytest.mark.clause("18.1.6", "18.3.5")
@pytest.mark.parametrize("scenario", ["leningrad", "kiev", "training"])
def test_17_2_1_some_scenarios_have_no_okh(scenario: str) -> None:
    game = selection(scenario)
    assert "reserves" in chits(game, "soviet")
    refused(game, Select("okh"), "15.2.1", "there is no chit okh", side="axis")


def test_17_2_1_it_takes_the_place_of_a_headquarters_chit() -> None:
    """Two Soviet chits in the first turn of Leningrad: Reserves and one army, or both armies."""
    game = selection("leningrad")
    game.apply(Select("reserves"), "soviet")
    game.apply(Select("su-8a"), "soviet")
    refused(game, Select("su-11a"), "6.2.1", "no more than 2", side="soviet")
    armies = selection("leningrad")
    for chit in ("su-8a", "su-11a"):
        armies.apply(Select(chit), "soviet")
    refused(armies, Select("reserves"), "6.2.1", side="soviet")


def test_17_2_1_it_goes_into_the_cup_and_is_drawn_like_any_other() -> None:
    game = selection("leningrad", units={"su-8a": "L1420"}, chance=(1, 6))
    game.apply(Select("reserves"), "soviet")
    game.apply(Ready(), "soviet")
    game.apply(Ready(), "axis")
    assert game.state.drawn == ("reserves",)
    assert game.state.cup == ("supply",)
    game.apply(Done(), "axis")  # Manstein lets it be
    assert game.prompt() == "reserves: activate up to 3 units. (17.2.2)"


def test_17_2_1_without_the_option_there_is_no_such_chit() -> None:
    game = selection("campaign", options={})
    refused(game, Select("reserves"), "15.2.1", "there is no chit reserves", side="soviet")
    assert game.why_not({"kind": "call", "unit": "su-10"}, "soviet").code is hexwar.RefusalCode.UNKNOWN_ACTION  # type: ignore[union-attr]


# -- 17.2.2 the number ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chit", ["okh", "reserves"])
@pytest.mark.parametrize(("roll", "number"), [(1, 3), (4, 3), (5, 4), (6, 5)])
def test_17_2_2_the_die_says_how_many(chit: str, roll: int, number: int) -> None:
    units = {f"su-{n}": f"05{n:02}" for n in (10, 11, 23, 27)} | {"su-90": "0605", "su-125": "0705"}
    units |= {"ger-1": "2005", "ger-11": "2010", "ger-21": "2015", "ger-61": "2020", "ger-217": "2025", "ger-291": "2103"}
    game = drawn(chit, roll, units)
    assert told(game.events, "dice-rolled") == [f"units of {chit}: rolled {roll} (17.2.2)"]
    chosen = []
    while isinstance(game.state.stack[-1], Calling):
        chosen.append(next(action for action in game.legal_actions() if isinstance(action, Call)))
        game.apply(chosen[-1])
    assert len(chosen) == number
    assert set(game.state.active) == {action.unit for action in chosen}
    assert isinstance(game.state.stack[-1], Moving)


def test_17_2_2_fewer_will_do_even_none() -> None:
    game = drawn("reserves", 6)
    game.apply(Call("su-90"))
    assert "up to 4 more units. So far: su-90." in game.prompt()
    game.apply(Done())
    assert game.state.active == ("su-90",)
    nobody = called(drawn("reserves", 6, cup=("supply",), chance=(6, 1)))
    assert of_kind(nobody.events, "units-activated")[-1].units == ()
    assert nobody.state.drawn[-1] == "supply", "the next chit is drawn"


def test_17_2_2_any_unit_on_the_map_that_can_move_and_no_other() -> None:
    game = drawn("reserves", 6)
    offered = {action.unit for action in game.legal_actions() if isinstance(action, Call)}
    assert offered == {"su-8a", "su-10", "su-90", "su-125"}
    game.apply(Call("su-10"))
    refused(game, Call("su-10"), "17.2.2", "chosen already")
    for unit in ("ger-21", "fort-l1", "su-179"):
        refused(game, Call(unit), "17.2.2", "no soviet unit on the map that can move")


def test_17_2_2_the_active_ones_move_and_fight_and_then_it_is_over() -> None:
    units = {"ger-21": "0505", "ger-1": "3030", "su-10": "0506"}
    game = called(drawn("okh", 1, units, cup=("supply",), chance=(1, 1), turn=3), "ger-21")
    assert [action.unit for action in game.legal_actions() if isinstance(action, Move)].count("ger-1") == 0
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Declaring)
    game.apply(Done())
    assert game.state.active == ()
    assert game.state.drawn == ("okh", "supply")


def test_17_2_2_another_ruleset_part_can_resolve_the_chit() -> None:
    """What draws chits in its own way calls the same function."""
    game = selection("campaign", chance=(3,))

    play = Play(game.world, game.state.copy(), game.chance)
    game.world.cup.resolve(play, "reserves")
    assert isinstance(play.state.stack[-1], Calling)


# -- 17.2.3 to 17.2.5 command range -----------------------------------------------------------------------------------------


def by_road(chit: str, units: dict[str, str], **more: Any) -> Game:
    return drawn(chit, 1, units, board=field(road=["1010 1110 1210 1310 1410 1510"]), **more)


def test_17_2_3_in_range_of_a_headquarters_they_act_as_usual() -> None:
    game = called(by_road("reserves", {"su-8a": "1008", "su-10": "1010", "ger-21": "3020"}), "su-10")
    assert told(game.events, "reserves-called") == ["all units of Reserves are in range of a headquarters (17.2.3)"]
    assert any(move.mode == "strategic" for move in game.legal_actions() if isinstance(move, Move))
    near = called(drawn("reserves", 1, {"su-8a": "1008", "su-10": "1010", "ger-21": "1011"}), "su-10")
    [strength, _] = near.query.odds(["su-10"], "1011").strengths
    assert (strength.counted, strength.reasons) == (strength.printed, ())


def test_17_2_3_any_headquarters_of_the_side_will_do_but_not_one_of_the_enemy() -> None:
    game = called(by_road("reserves", {"su-csta": "1008", "ger-18a": "1410", "su-10": "1010", "su-90": "1510"}), "su-10", "su-90")
    assert game.state.notes[ALONE] == ("su-90",)


def test_17_2_3_a_headquarters_is_in_its_own_range() -> None:
    game = called(drawn("reserves", 1, {"su-8a": "1008", "ger-21": "3020"}), "su-8a")
    assert game.state.notes == {CALLED: ("su-8a",)}


def test_17_2_3_range_is_taken_when_the_chit_is_resolved() -> None:
    """su-10 moves away from its headquarters and still fights at full strength."""
    game = called(drawn("reserves", 1, {"su-8a": "1006", "su-10": "1010", "ger-21": "1013"}), "su-10")
    game.apply(Move("su-10", "1012"))
    [strength, _] = game.query.odds(["su-10"], "1013").strengths
    assert strength.counted == strength.printed


def test_17_2_4_out_of_range_there_is_no_strategic_movement() -> None:
    game = called(by_road("reserves", {"su-8a": "3030", "su-10": "1010", "ger-21": "3520"}), "su-10")
    assert game.state.notes[ALONE] == ("su-10",)
    moves = [move for move in game.legal_actions() if isinstance(move, Move)]
    assert moves
    assert {move.mode for move in moves} == {""}
    refused(game, Move("su-10", "1410", "strategic"), "17.2.4", "not open to su-10")
    # In another activation it may.
    usual = position(
        {"su-8a": "1008", "su-10": "1010"}, Moving("soviet", ("su-10",)), options=ON, board=field(road=["1010 1110"])
    )
    assert any(move.mode == "strategic" for move in usual.legal_actions() if isinstance(move, Move))


def halved(units: dict[str, str], attackers: Iterable[str], target: str, chit: str = "reserves", **more: Any) -> Any:
    game = called(drawn(chit, 1, units, **more), *attackers)
    return game.query.odds(list(attackers), target)


def test_17_2_4_out_of_range_they_fight_at_half_strength() -> None:
    odds = halved({"su-8a": "3030", "su-10": "1010", "ger-21": "1011"}, ["su-10"], "1011")
    assert odds.strengths[0].counted == Fraction(odds.strengths[0].printed, 2)
    assert odds.strengths[0].reasons == (("halved out of range of every headquarters", "17.2.4"),)
    assert odds.strengths[1].reasons == (), "the enemy is not"


def test_17_2_4_in_attack_only() -> None:
    """The activation is over before anybody can attack them, whatever is asked about it in the meantime."""
    game = called(drawn("reserves", 1, {"su-8a": "3030", "su-10": "1010", "ger-21": "1011"}), "su-10")
    assert game.state.notes[ALONE] == ("su-10",)
    defender = game.query.odds(["ger-21"], "1010").strengths[1]
    assert (defender.unit, defender.counted, defender.reasons) == ("su-10", defender.printed, ())


def test_17_2_4_and_across_a_river_at_a_quarter() -> None:
    river = field(sides={"major-river": ["1010|1011"]})
    odds = halved({"su-8a": "3030", "su-10": "1010", "ger-21": "1011"}, ["su-10"], "1011", board=river)
    assert odds.strengths[0].counted == Fraction(odds.strengths[0].printed, 4)
    assert [clause for _, clause in odds.strengths[0].reasons] == ["10.3.2", "17.2.4"]


def test_17_2_4_the_limits_end_with_the_activation() -> None:
    game = called(
        drawn("reserves", 1, {"su-8a": "3030", "su-10": "1010", "ger-21": "1020"}, cup=("supply",), chance=(1, 1)), "su-10"
    )
    game.apply(Done())
    assert game.state.drawn[-1] == "supply"
    assert game.state.notes == {}
    assert "the units of Reserves have acted (17.2.3)" in told(game.events, "notes-struck")


def test_17_2_5_units_of_okh_know_no_limits() -> None:
    game = called(by_road("okh", {"ger-18a": "3030", "ger-21": "1010", "su-10": "3520"}), "ger-21")
    assert game.state.notes == {}
    assert any(move.mode == "strategic" for move in game.legal_actions() if isinstance(move, Move))
    odds = halved({"ger-18a": "3030", "ger-21": "1010", "su-10": "1011"}, ["ger-21"], "1011", "okh")
    assert odds.strengths[0].counted == odds.strengths[0].printed


def test_17_2_6_a_headquarters_can_be_activated_and_activates_nobody() -> None:
    game = called(drawn("reserves", 1), "su-8a")
    assert game.state.active == ("su-8a",)
    assert {move.unit for move in game.legal_actions() if isinstance(move, Move)} == {"su-8a"}
    game = called(drawn("okh", 1, {"ger-18a": "1010", "ger-1": "1011", "su-10": "3030"}), "ger-18a")
    assert game.state.active == ("ger-18a",)


# -- 18.1.13, 18.1.14 Leningrad ---------------------------------------------------------------------------------------------

LENINGRAD = {"su-8a": "0505", "su-10": "0606", "su-90": "0707", "su-125": "0808", "su-23": "0909", "ger-21": "2505"}


@pytest.mark.parametrize(("roll", "number"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_18_1_13_in_leningrad_fewer_units_are_activated(roll: int, number: int) -> None:
    game = drawn("reserves", roll, LENINGRAD, scenario="leningrad")
    assert f"up to {number} units" in game.prompt()
    assert told(game.events, "dice-rolled") == [f"units of reserves: rolled {roll} (18.1.13)"]


def test_18_1_14_in_leningrad_they_do_not_enter_an_enemy_zone() -> None:
    units = {"su-8a": "1006", "su-10": "1010", "ger-21": "1013"}
    game = called(drawn("reserves", 1, units, scenario="leningrad"), "su-10")
    ends = {move.to for move in game.legal_actions() if isinstance(move, Move)}
    assert ends
    assert not ends & {"1012", "1113", "0913", "1114", "0914", "1014"}
    refused(game, Move("su-10", "1012"), "18.1.14", "enters an enemy zone of control")
    # Elsewhere they may.
    free = called(drawn("reserves", 1, units), "su-10")
    assert any(move.to == "1012" for move in free.legal_actions() if isinstance(move, Move))


def test_18_1_14_in_leningrad_they_go_round_a_zone() -> None:
    """The straight way leads through the zone; a longer one does not, and it is the one that is taken."""
    counters = drawn("reserves", 1, LENINGRAD, scenario="leningrad").world.units
    fast = max((unit for unit in counters if counters[unit].side == "soviet"), key=lambda unit: counters[unit].faces[-1].move)
    units = {"su-8a": "1008", fast: "1008", "ger-21": "1210"}
    game = called(drawn("reserves", 1, units, scenario="leningrad"), fast)
    ends = {move.to for move in game.legal_actions() if isinstance(move, Move)}
    beyond = next(label for label in ("1113", "1213", "1212", "1014") if label in ends)
    events = game.apply(Move(fast, beyond))
    [moved] = of_kind(events, "unit-moved")
    watched = set(game.query.zones("axis"))
    assert not watched & set(moved.path)


def test_18_1_14_in_leningrad_they_do_not_leave_an_enemy_zone() -> None:
    game = called(drawn("reserves", 1, {"su-8a": "1006", "su-10": "1012", "ger-21": "1013"}, scenario="leningrad"), "su-10")
    assert [action for action in game.legal_actions() if isinstance(action, Move)] == []
    refused(game, Move("su-10", "1011"), "18.1.14", "in an enemy zone of control")


def test_18_1_14_in_leningrad_they_do_not_attack() -> None:
    units = {"su-8a": "1006", "su-10": "1012", "ger-21": "1013"}
    game = called(drawn("reserves", 1, units, scenario="leningrad", cup=("supply",), chance=(1, 1)), "su-10")
    game.apply(Done())
    assert game.state.drawn[-1] == "supply"
    assert not any(event.phase == "combat" for event in of_kind(game.events, "phase-entered"))
    free = called(drawn("reserves", 1, units), "su-10")
    free.apply(Done())
    assert isinstance(free.state.stack[-1], Declaring)


def test_18_1_14_an_army_of_leningrad_attacks_as_ever() -> None:
    game = position(
        {"su-8a": "1010", "su-10": "1012", "ger-21": "1013"}, path=CHIT_PHASE, drawn=("su-8a",), scenario="leningrad", options=ON
    )
    game.apply(Move("su-10", "1011"))
    game.apply(Move("su-8a", "1012"))
    assert isinstance(game.state.stack[-1], Declaring)


def test_a_refusal_of_an_unknown_unit_is_no_crash() -> None:
    game = drawn("reserves", 1)
    assert isinstance(game.why_not(Call("nobody")), Refusal)
