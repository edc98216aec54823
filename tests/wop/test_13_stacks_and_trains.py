"""13.7.b, 13.13, 14.28: stacks that move together, headquarters that go along, trains that run past; and 2.6.a, 3.13, 1.3.d."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import DiceRolled, Game, Step
from hexwar.mechanics import Move, Pursue, price_or_refusal
from hexwar.pieces import Done, UnitMoved
from hexwar.testing import ScriptedDice, position
from hexwar_wop.activation import Marching
from hexwar_wop.content import load_wop
from hexwar_wop.groups import STAFF, Dissolve, Form, Reorganising
from hexwar_wop.modifiers import strength
from hexwar_wop.pursuit import Chasing
from hexwar_wop.reactions import React, Reacting
from tests.wop.table import PAUSE, asked, idle, load_side
from tests.wop.test_18_transport import refused

ARMY: dict[str, Any] = {"5A": "1523"}


def marching(units: dict[str, Any], side: str, *dice: int, **state: Any) -> Game:
    """A side moves; somebody is asked afterwards."""
    mine = tuple(unit for unit in units if load_side(unit) == side and unit != "5A")
    steps: list[Step] = [PAUSE, idle({"5A": ""}), Marching(side, mine)]
    return position("wop", units={**ARMY, **units}, step=steps, dice=ScriptedDice.outcomes([*dice]), active=side, **state)


# -- 13.7.b stacks -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.7.b", "13.7.a")
def test_13_7_b_a_stack_moves_together_as_its_slowest_member() -> None:
    game = marching({"97/33": "2402", "KavXV": "2402", "98/33": "2403"}, "soviet")
    offered = [action for action in game.legal_actions() if isinstance(action, Move) and action.mode]
    ends = {action.to for action in offered if action.unit == "KavXV"}
    assert "2407" in ends, "five hexes, as infantry"
    assert "2408" not in ends
    game.apply(Move("KavXV", "2406", "together"))
    assert game.state.locations["97/33"] == game.state.locations["KavXV"] == "2406"
    assert [event.unit for event in game.events if isinstance(event, UnitMoved)] == ["KavXV", "97/33"]
    assert {event.clause for event in game.events if isinstance(event, UnitMoved)} == {"13.7.b"}
    assert game.state.stack[-1] == Marching("soviet", ("98/33",)), "both have moved"


def test_13_7_b_each_hex_costs_what_the_costliest_member_pays() -> None:
    game = marching({"97/33": "2303", "ArtXV": "2303"}, "soviet")
    movement, at = game.world.movement, game.position
    assert game.world.board.terrain("2202") == "forest"
    assert price_or_refusal(at, "97/33", "2303", "2202", 10) == 3
    together = movement.mode("together")
    assert price_or_refusal(at, "97/33", "2303", "2202", 10, together) == 6, "as guns"
    zoned = marching({"97/33": "2404", "KavXV": "2404", "42/18": "2405", "49/18": "2405"}, "soviet")
    for unit in ("97/33", "KavXV"):
        found = price_or_refusal(zoned.position, unit, "2404", "2403", 10, together)
        assert found == 2 + 5, "whoever leads, leaving a zone costs what it costs infantry"


def test_13_7_b_who_cannot_go_together() -> None:
    units = {"97/33": "1721", "33DS": "1721", "PPa": "1720", "42/18": "1720", "49/18": "1719"}
    assert refused(marching(units, "soviet"), Move("97/33", "1621", "together")) == "13.7.b", "nobody is with it"
    trains = marching({"PPa": "1720", "42/18": "1720"}, "polish")
    assert trains.world.movement.stackable(trains.position, "42/18") == ()
    lost = marching({"97/33": "2402", "98/33": "2402"}, "soviet", no_command=["98/33"])
    assert lost.world.movement.stackable(lost.position, "97/33") == ()


@pytest.mark.clause("13.9.a", "13.7.b")
def test_13_7_b_enemies_answer_to_all_arms_of_the_stack() -> None:
    units: dict[str, Any] = {"203/8BJ": "2406", "97/33": "2403", "KavXV": "2403"}
    alone = marching(units, "soviet")
    alone.apply(Move("97/33", "2405"))
    assert isinstance(alone.state.stack[-1], Reacting), "cavalry falls back before infantry"
    together = marching(units, "soviet")
    together.apply(Move("97/33", "2405", "together"))
    assert together.state.locations["KavXV"] == "2405"
    assert not any(isinstance(step, Reacting) for step in together.state.stack), "but not before cavalry"


def test_13_7_b_a_stack_that_was_stopped_goes_on_together() -> None:
    units: dict[str, Any] = {"203/8BJ": "2406", "97/33": "2403", "98/33": "2403"}
    game = marching(units, "soviet", 0, 0, 0, 0)
    game.apply(Move("97/33", "2405", "together"))
    game.apply(React(4))
    while game.state.stack[-1].kind == "falling-back":
        game.apply(game.question("polish").example)
    assert game.to_move == ("soviet",)
    assert {action.kind for action in game.legal_actions()} == {"done", "move"}
    game.apply(Move("97/33", "2407", "together"))
    assert game.state.locations["98/33"] == "2407"


# -- 14.28 trains ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.28.a", "14.28.b")
@pytest.mark.parametrize(("face", "lives"), [(5, True), (6, False)])
def test_14_28_a_a_train_runs_past_a_single_enemy_unit(face: int, lives: bool) -> None:
    game = marching({"PPa": "1721", "97/33": {"at": "1719", "steps": 1}}, "polish", face, *([] if lives else [5]))
    ends = {action.to for action in game.legal_actions() if isinstance(action, Move)}
    assert "1719" not in ends, "it cannot stay there"
    assert "1718" in ends
    assert refused(game, Move("PPa", "1719")) == "12.1.a"
    game.apply(Move("PPa", "1718"))
    assert (game.state.locations["PPa"] == "1718") is lives
    assert "14.28.b" in [event.clause for event in game.events if isinstance(event, DiceRolled)]


def test_14_28_a_a_train_that_pursues_goes_to_no_hex_of_an_enemy() -> None:
    units = {**ARMY, "PPa": "1721", "97/33": {"at": "1718", "steps": 1}}
    game = position("wop", units=units, step=[PAUSE, idle({"5A": ""}), Chasing("polish", ("PPa",), "1720", 2)], active="polish")
    ends = {action.path[-1] for action in game.legal_actions() if isinstance(action, Pursue)}
    assert {"1720", "1719"} <= ends
    assert "1718" not in ends, "97/33 is there"


def test_14_28_a_not_past_two_nor_for_others() -> None:
    two = marching({"PPa": "1721", "97/33": "1719", "98/33": "1719"}, "polish")
    assert "1718" not in {action.to for action in two.legal_actions() if isinstance(action, Move)}
    step = price_or_refusal(two.position, "PPa", "1720", "1719", 32)
    assert not isinstance(step, int)
    assert step.clause == "12.1.a"
    foot = marching({"42/18": "1720", "97/33": {"at": "1719", "steps": 1}}, "polish")
    assert not foot.world.retreat.runs_past(foot.position, "42/18", "1719")
    short = marching({"PPa": "1721", "97/33": {"at": "1719", "steps": 1}}, "polish")
    assert not isinstance(price_or_refusal(short.position, "PPa", "1720", "1719", 1), int)


# -- 13.13 headquarters ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.13", "13.11.a")
def test_13_13_a_headquarters_goes_as_far_as_the_train_with_which_it_stands() -> None:
    units: dict[str, Any] = {"PPa": "1719", "9DP": "1719", "97/33": "1716"}
    game = marching(units, "soviet", 0, 0, 0, 0, 0, 0)
    game.apply(Move("97/33", "1718"))
    assert isinstance(game.state.stack[-1], Reacting)
    game.apply(React(2))
    while game.state.stack[-1].kind == "falling-back":
        game.apply(game.question("polish").example)
    board, places = game.world.board, game.state.locations
    assert board.distance("1719", places["PPa"]) == 2
    assert board.distance("1719", places["9DP"]) == 2


# -- 2.6.a groups ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.6.a")
def test_2_6_a_a_group_is_dissolved_and_formed_again() -> None:
    assert load_wop().scenarios["wkra"].groups == {"polish": ["GrK"]}
    units = {**ARMY, "GrK": "0514", "18DP": "0712", "8BJ": "0305"}
    game = position("wop", units=units, step=[PAUSE, idle(units), Reorganising("polish", ("GrK",))])
    assert set(game.legal_actions()) == {Done(), Dissolve("GrK")}
    assert refused(game, Form("GrK", "0712")) == "2.6.a"
    assert refused(game, Dissolve("18DP")) == "2.6.a"
    game.apply(Dissolve("GrK"))
    assert game.state.locations["GrK"] == STAFF
    later = position("wop", units={**units, "GrK": STAFF}, step=[PAUSE, idle(units), Reorganising("polish", ("GrK",))])
    assert set(later.legal_actions()) == {Done(), Form("GrK", "0712"), Form("GrK", "0305")}
    assert refused(later, Form("GrK", "1523")) == "2.6.a"
    assert refused(later, Dissolve("GrK")) == "2.6.a"
    later.apply(Form("GrK", "0305"))
    assert later.state.locations["GrK"] == "0305"


# -- 3.13, 1.3.d -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("3.13", "14.13.m")
def test_3_13_with_the_option_most_levels_must_lack_supply() -> None:
    units: dict[str, Any] = {**ARMY, "97/33": "2404", "98/33": "2404", "42/18": "2405"}

    def told(hungry: list[str], **options: Any) -> list[str]:
        game = asked(units, no_supply=hungry, **options)
        return [shift.clause for shift in game.query.odds(["97/33", "98/33"], "2405").shifts if shift.columns == -3]

    majority = {"options": {"supply-by-majority": True}}
    assert told(["97/33"]) == ["14.13.k"], "one is enough"
    assert told(["97/33"], **majority) == [], "two of four levels are not the most"
    assert told(["97/33", "98/33"], **majority) == ["3.13"]


def test_1_3_d_infantry_counts_what_is_printed_guns_included() -> None:
    game = asked({**ARMY, "97/33": "2404", "42/18": "2405"})
    assert strength(game.position, "97/33", attacks=True).counted == game.world.units["97/33"].faces[-1].attack == 6
    assert game.query.odds(["97/33"], "2405").attack == 6, "no counter of artillery is near, and nothing is added"
