"""A game with three sides, priced supply, a duty to attack and attacks by one hex on several: see `tests.mechanics.fords`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from typing import Any

from hexwar.engine import Action, Play, TapedChance
from hexwar.mechanics import Assembling, Attack, Attacking, Battle, Join, Resolve, Widen
from hexwar.pieces import Done, Losing, Outcome
from hexwar.testing import conformance_suite
from tests.mechanics import fords

TestFords = conformance_suite(fords.RULESET)

AMBUSH = {"r1": "0303", "r2": "0303", "r3": "0302", "b1": "0403", "b2": "0403", "g1": "0304", "g3": "0203"}
"""Red's infantry in 0303 touches Blue in 0403 and Green in 0304 and 0203; a gun stands behind."""


def table(units: Mapping[str, str], *dice: int) -> Play[fords.FordsState, fords.FordsWorld]:
    """These units and no others; the table has rows for one to four."""
    world = fords.new_game().world
    state = fords.RULESET.bare(world)
    for unit, label in units.items():
        state.steps_left = {**state.steps_left, unit: 2}
        state.put(unit, label)
    return Play(world, state, TapedChance(None, [face - 1 for face in dice]))


def act(doing: Play[Any, Any], *actions: Action) -> None:
    for action in actions:
        assert action in doing.state.stack[-1].actions(doing, "red")
        doing.state.stack[-1].perform(doing, "red", action)


def refusal(doing: Play[Any, Any], action: Action) -> tuple[str, str]:
    found = doing.state.stack[-1].actions(doing, "red").why_not(action)
    assert found is not None
    return found.clause, found.message


def test_the_rules_of_the_toy_are_short() -> None:
    nodes = [node for node in ast.walk(ast.parse(inspect.getsource(fords))) if isinstance(node, ast.stmt)]
    assert sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in nodes) < 250


def test_3_one_hex_attacks_enemies_of_two_sides_and_leaves_nobody() -> None:
    doing = table(AMBUSH, 2)
    fords.fight(doing, "red")
    assert doing.state.stack[-1].due(doing) == ("0203", "0304", "0403"), "those of both enemies, guns that are touched among them"
    assert refusal(doing, Done()) == ("3", "0203, 0304, 0403 would be left unattacked")
    act(doing, Attack("0304"), Join("r1"), Join("r2"))
    assert refusal(doing, Resolve()) == ("3", "0203, 0403 would be left unattacked")
    act(doing, Widen("0403"), Widen("0203"), Resolve())
    told = [str(event) for event in doing.events if event.kind == "attack-declared"]
    assert told == ["red attacks 0304 and 0403 and 0203 with r1, r2: 8 to 12, column 1:2"]


def test_3_units_of_one_hex_may_fight_apart() -> None:
    doing = table(AMBUSH, 3)
    fords.fight(doing, "red")
    act(doing, Attack("0304"), Join("r1"), Resolve())
    while not isinstance(doing.state.stack[-1], Attacking):
        step = doing.state.stack[-1]
        seats = step.deciders(doing)
        step.perform(doing, seats[0], next(iter(step.actions(doing, seats[0])))) if seats else step.resume(doing)
    assert doing.state.stack[-1].due(doing) == ("0203", "0403")
    act(doing, Attack("0403"), Join("r2"))
    assert refusal(doing, Resolve()) == ("3", "0203 would be left unattacked")
    act(doing, Widen("0203"), Resolve())


def test_3_guns_need_not_attack() -> None:
    doing = table({"r3": "0303", "b1": "0403"})
    fords.fight(doing, "red")
    assert doing.state.stack[-1].due(doing) == ()
    act(doing, Done())


def test_4_1_each_of_two_enemies_loses_in_turn() -> None:
    doing = table(AMBUSH)
    combat = doing.world.combat
    battle = Battle("red", ("0304", "0403"), (("r1", "0304"), ("r1", "0403")))
    combat.defenders_lose(doing, "red", battle, Outcome("D3", defender=3))
    waiting = [(step.seat, step.units, step.left) for step in doing.state.stack if isinstance(step, Losing)]
    assert waiting == [("blue", ("b1", "b2"), 1), ("green", ("g1",), 2)], "the last one pushed is asked first"
    assert combat.shares(doing, {"blue": ["b1", "b2"], "green": ["g1"]}, 6) == {"green": 2, "blue": 4}
    assert combat.shares(doing, {"blue": ["b1"]}, 5) == {"blue": 5}


def test_4_the_worst_odds_are_still_an_attack() -> None:
    doing = table({"r1": "0303", "b1": "0403", "b2": "0403"})
    doing.state.steps_left = {**doing.state.steps_left, "r1": 1}
    fords.fight(doing, "red")
    act(doing, Attack("0403"), Join("r1"))
    step = doing.state.stack[-1]
    assert isinstance(step, Assembling)
    odds = doing.world.combat.odds(doing, step.battle)
    assert (odds.attack, odds.defence, odds.name) == (2, 6, "1:4")


def test_5_lines_cost_nothing_along_roads_and_through_own_units() -> None:
    alone, held = table({}), table({"r1": "0303"})
    for doing, price in ((alone, 2), (held, 0)):
        costs = doing.world.supply.lengths(doing, "red", ["0302", "0303", "0304"])
        assert costs == {"0302": 0, "0303": price, "0304": 2}


def test_5_1_a_nation_is_supplied_as_far_as_its_points_go() -> None:
    """Blue stands on the road to the south, so that lines of Red go round."""
    for unit, supplied in (("r1", True), ("r2", False)):
        doing = table({unit: "0206", "b1": "0405"})
        assert doing.world.supply.lengths(doing, "red", ["0206"]) == {"0206": 6}
        assert doing.world.supply.is_supplied(doing, unit) == supplied


def test_5_2_whoever_has_no_line_loses_a_step() -> None:
    doing = table({"r1": "0206", "r2": "0105", "g3": "0306", "b1": "0405"})
    fords.check_lines(doing)
    assert doing.state.steps_left == {"r1": 2, "r2": 1, "g3": 1, "b1": 2}
