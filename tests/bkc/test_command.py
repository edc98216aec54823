"""command: orders, their modifiers, failures, double ones and blunders. p1 commands with 8, p2 with 8."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar_bkc.acting import ActingAgain
from hexwar_bkc.command import Begin, Carry, Commanding, Executing, Issue, Keep, Plan, modifiers, plan_of
from hexwar_bkc.fire import Fire
from hexwar_bkc.movement import March
from hexwar_bkc.state import Finished, Moved, OrderTested, Struck
from tests.bkc.table import MARSH, ROAD, commanding, said, table, why

UNITS = {"p1": (3000, 5800), "p2": (1500, 5500), "p3": (3000, 5000), "p4": (4000, 5000), "g3": (3000, 400)}


def ordered(*plans: March | Fire, by: str = "p2", units: dict[str, tuple[int, int]] | None = None, **more: object):  # type: ignore[no-untyped-def]
    """A game in which a command unit has been told what to order, and the test waits."""
    game = commanding(units or UNITS, **more)
    game.apply(Begin(by))
    for plan in plans:
        game.apply(plan)
    return game


@pytest.mark.clause("command.2", "command.4", "command.10", "stat.2")
def test_command_3_the_plan_comes_first_and_two_dice_decide() -> None:
    game = ordered(March("p3", (3000, 4500)), March("p4", (4000, 4500)), dice=[4, 3])
    assert game.state.spots["p3"] == (3000, 5000), "nothing has happened yet"
    assert why(game, March("p3", (3000, 4600))) == "command.3", "it has its plan"
    game.apply(Issue())
    (test,) = said(game, OrderTested)
    assert (test.value, test.roll, test.succeeds, test.notes) == (7, 7, True, ("-1 distance",))
    game.apply(Carry("p4"))
    assert (game.state.spots["p3"], game.state.spots["p4"]) == ((3000, 4500), (4000, 4500)), "the last acts unasked"
    assert (game.state.orders, game.state.leaders) == ({"p3": 1, "p4": 1}, {"p3": "p2", "p4": "p2"})


@pytest.mark.clause("command.8", "command.11")
def test_command_5_a_failure_ends_its_orders() -> None:
    game = ordered(March("p3", (3000, 4500)), dice=[4, 5])
    game.apply(Issue())
    assert (game.state.spots["p3"], game.state.finished) == ((3000, 5000), ("p2",))
    assert why(game, Begin("p2")) == "command.5"
    assert why(game, Begin("p1")) == ""


def test_command_6_a_failure_of_the_commanding_officer_ends_all_orders() -> None:
    game = ordered(March("p3", (3000, 4500)), by="p1", dice=[5, 5])
    game.apply(Issue())
    assert [(event.command, event.clause) for event in said(game, Finished)] == [("p1", "command.5"), ("p2", "command.6")]


@pytest.mark.clause("command.1")
def test_command_7_one_leader_a_turn() -> None:
    game = ordered(March("p3", (3000, 4500)), dice=[1, 2])
    game.apply(Issue())
    game.apply(Begin("p1"))
    assert game.state.finished == ("p2",)
    assert why(game, March("p3", (3000, 4000))) == "command.7"
    assert why(game, March("p4", (4000, 4500))) == ""


@pytest.mark.clause("command.37")
def test_command_9_a_formation_is_finished_before_the_next() -> None:
    units = {**UNITS, "p5": (5000, 5000)}
    game = ordered(March("p3", (3000, 4500)), units=units, dice=[1, 2, 2, 1])
    game.apply(Issue())
    game.apply(Begin("p2"))
    assert why(game, March("p3", (3000, 4000))) == ""
    game.apply(March("p4", (4000, 4500)))
    game.apply(Issue())
    assert game.state.closed == ("p3",)
    game.apply(Begin("p2"))
    assert why(game, March("p3", (3000, 4000))) == "command.9"
    game.apply(Keep())
    assert why(game, Begin("p2")) == "command.5"


@pytest.mark.clause("command.14", "command.ex1", "command.ex2")
@pytest.mark.parametrize(
    ("spot", "state", "plan", "parts", "expected"),
    [
        ((3000, 5000), {}, March("p3", (3000, 4500)), "", {}),
        ((3000, 5000), {"orders": {"p3": 1}}, March("p3", (3000, 4500)), "", {"command.12": -1}),
        ((3000, 5000), {"orders": {"p3": 2}}, March("p3", (3000, 4500)), "", {"command.12": -2}),
        (
            (3000, 5000),
            {"reacted": ["p3"], "orders": {"p3": 1}},
            March("p3", (3000, 4500)),
            "",
            {"command.12": -1, "command.13": -1},
        ),
        ((3000, 3450), {}, March("p3", (3000, 3400)), "", {}),
        ((3000, 3449), {}, March("p3", (3000, 3400)), "", {"command.14": -1}),
        ((3000, 1450), {}, March("p3", (2900, 1500)), "", {"command.14": -1, "command.18": None}),
        ((3000, 3100), {}, March("p3", (3000, 2900)), MARSH, {"command.14": -1, "command.17": -1}),
        ((3000, 3300), {}, March("p3", (3000, 3100)), ROAD, {}),
        ((3000, 2200), {}, March("p3", (3000, 2000)), "", {"command.14": -1, "command.18": -1}),
        ((3000, 2200), {}, March("p3", (3000, 2400)), "", {"command.14": -1}),
        ((3000, 2200), {}, Fire("p3", "g3"), "", {"command.14": -1}),
    ],
)
def test_command_12_to_18_modifiers(
    spot: tuple[int, int], state: dict[str, Any], plan: March | Fire, parts: str, expected: dict[str, int | None]
) -> None:
    units = {"p1": (3000, 5700), "p3": spot, "g3": (3000, 400)}
    game = table(units, parts=parts, **state)
    plans = [plan_of(plan)]
    found = {clause: number for number, _, clause in modifiers(game.position, "p1", plans)}
    assert {clause: number for clause, number in found.items() if expected.get(clause, 0) is not None} == {
        clause: number for clause, number in expected.items() if number is not None
    }


def test_command_16_indirect_fire_hears_at_any_distance() -> None:
    game = table({"p1": (3000, 5700), "p3": (3000, 2200), "g3": (3000, 400)})
    assert modifiers(game.position, "p1", [Plan("p3", "fire", "g3")]) == [(-1, "distance", "command.14")]


def test_fire_17_shots_of_one_order_at_one_target_are_one_attack() -> None:
    units = {**UNITS, "g3": (3500, 2800)}
    game = ordered(Fire("p3", "g3"), Fire("p4", "g3"), units=units, dice=[2, 2, *[1] * 6])
    game.apply(Issue())
    game.apply(Carry("p3"))
    (struck,) = said(game, Struck)
    assert (struck.shooters, struck.dice) == (("p3", "p4"), 6)


def test_command_25_a_double_one_succeeds_and_all_act_again() -> None:
    game = ordered(March("p3", (3000, 4500)), dice=[1, 1], orders={"p3": 9}, leaders={"p3": "p2"})
    game.apply(Issue())
    assert said(game, OrderTested)[0].clause == "command.25"
    assert isinstance(game.state.stack[-1], ActingAgain)
    game.apply(March("p3", (3000, 4000)))
    assert game.state.spots["p3"] == (3000, 4000)


@pytest.mark.clause("command.27", "command.28", "command.29", "command.30", "command.31", "command.32", "command.34")
@pytest.mark.parametrize(
    ("roll", "dice", "clause"),
    [
        (1, [3, 1, 1, 1], "command.27"),
        (2, [1] * 9, "command.28"),
        (3, [], "command.29"),
        (4, [], "command.30"),
        (5, [1] * 3, "command.31"),
        (6, [], "command.32"),
    ],
)
def test_command_26_blunders(roll: int, dice: list[int], clause: str) -> None:
    units = {
        "p1": (5000, 5800),
        "p2": (2000, 4000),
        "p3": (3000, 4000),
        "p4": (4000, 4000),
        "p5": (4500, 4500),
        "g3": (3000, 1800),
    }
    game = ordered(March("p3", (3000, 3500)), units=units, dice=[6, 6, roll, *dice])
    game.apply(Issue())
    assert said(game, OrderTested)[0].succeeds is False
    events = said(game, Struck) + said(game, Moved)
    assert {event.clause for event in events} == {clause}
    assert len(events) == (3 if roll == 2 else 1)
    moved = said(game, Moved)
    if roll in (4, 6):
        assert (moved[0].unit, moved[0].path[-1]) == ("p3", (3000, 4500 if roll == 4 else 3500))
    if roll == 3:
        assert moved[0].unit == "p2"


def test_command_33_guns_stay() -> None:
    units = {"p1": (5000, 5800), "p2": (2000, 4000), "p5": (3000, 4000), "g3": (3000, 1800)}
    game = ordered(March("p5", (3000, 3800)), units=units, dice=[6, 6, 4])
    game.apply(Issue())
    assert game.state.spots["p5"] == (3000, 4000)


def test_command_35_what_cannot_happen_does_not() -> None:
    game = ordered(March("p3", (3000, 4500)), dice=[6, 6, 6], units={**UNITS, "g3": (200, 200)}, headings={"p3": 180})
    game.apply(Issue())
    assert said(game, Moved) == []


def test_a_plan_that_is_overtaken_goes_as_far_as_it_can() -> None:
    plans = (Plan("p3", "march", "", (3000, 4000)), Plan("p4", "march", "", (4000, 4500)))
    game = table({**UNITS, "g3": (3000, 4200)}, Commanding("poland"), Executing("poland", ("p3", "p4"), plans))
    game.apply(Carry("p3"))
    assert 4400 < game.state.spots["p3"][1] < 5000, "an enemy is in the way"


def test_who_cannot_be_ordered() -> None:
    game = ordered(suppressed=["p4"])
    assert why(game, March("p1", (3000, 5700))) == "command.36"
    assert why(game, March("p4", (4000, 4900))) == "supp.3"
    assert why(game, March("g3", (3000, 500))) == "command.2"
    assert why(commanding(UNITS, suppressed=["p2"]), Begin("p2")) == "supp.3"
