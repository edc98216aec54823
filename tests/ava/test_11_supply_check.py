"""11.0 Supply check: who loses, in which order, and what else may be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Event, Game
from hexwar.mechanics import Arrive
from hexwar.pieces import Done, Interrupt
from hexwar_ava.fortresses import Build
from hexwar_ava.supply import StandDown, SupplyCheck, Withdraw, Withdrawing
from tests.ava.table import declaring, field, moving, of_kind, position, refused, told

SMALL = (16, 10)
RAIL = " ".join(f"{column:02}05" for column in range(1, 7))
AREAS = {"supply axis": ["0105"], "supply soviet": ["1605"]}
ISLAND = dict.fromkeys(("1204", "1304", "1305", "1206", "1105", "1104"), "~")
"""Lakes around 1205."""
DRAWING = (2, 1, 0)
"""The command phase: the next chit is drawn."""


def ground(**more: Any) -> str:
    """An Axis railway from the west, a Soviet source in the east."""
    return field(**{"size": SMALL, "areas": AREAS, "rail": [RAIL], **more})


def checked(units: Mapping[str, str], board: str, turn: int = 4, **more: Any) -> Game:
    """A game right after the losses of a supply check."""
    return position(units, SupplyCheck(), board=board, turn=turn, **more)


def lost(events: list[Event]) -> list[str]:
    """The units that lost a step or were eliminated, in order."""
    return [event.unit for event in of_kind(events, "step-lost", "unit-eliminated")]


# -- 11.0, 11.1 losses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "enemy", "friend", "loses"),
    [("a", "2111", "", True), ("b", "2111", "2110", False), ("c", "1909", "", False), ("d", "2110", "", True)],
)
@pytest.mark.clause("3.3.2", "3.3.3", "3.3.4", "3.3.5", "11.1.1")
def test_n02_the_supply_check_of_the_corridor(case: str, enemy: str, friend: str, loses: bool) -> None:
    units = {"su-179": "2010", "ger-21": enemy, **({"su-90": friend} if friend else {})}
    land = sorted({"2010", "2110", "2210", "2310", *units.values()})
    game = checked(units, field(land=land, areas={"supply soviet": ["2310"]}, size=(25, 12)), turn=1)
    assert lost(game.events) == (["su-179"] if loses else []), case
    assert game.state.steps_left["su-179"] == (1 if loses else 2)


def test_11_0_1_the_chit_is_drawn_and_all_units_of_both_sides_check_once() -> None:
    units = {"su-179": "1205", "su-90": "1405", "ger-21": "1408", "ger-36m": "0305"}
    board = ground(terrain=ISLAND)
    game = position(units, board=board, path=DRAWING, chance=[1], turn=4, cup=["supply"])
    game.apply(Done())  # nobody interrupts
    assert lost(game.events) == ["su-179", "ger-21"]
    assert {unit: game.state.steps_left[unit] for unit in units} == {"su-179": 1, "su-90": 2, "ger-21": 1, "ger-36m": 2}


def test_11_0_1_an_interrupt_puts_it_off() -> None:
    game = position(
        {"su-179": "0105", "ger-4pzg": "0305"},
        board=ground(),
        path=DRAWING,
        chance=[1],
        turn=4,
        cup=["supply"],
        hand={"axis": ["manstein"]},
    )
    game.apply(Interrupt("manstein"))
    assert not lost(game.events)
    assert game.state.cup == ("supply",)


def test_11_0_1_the_parts_of_a_check_come_in_their_order() -> None:
    board = ground(major={"A": "1005"})
    units = {"fort-l1": "1005", "ger-21": "0305", "ger-1": "1602"}
    game = checked(units, board, turn=6, stand_fast=["1005"], reduced=["fort-l1"])
    assert lost(game.events) == ["ger-1"]
    seen = []
    for _ in range(3):
        seen.append((game.to_move, game.prompt().rsplit("(", 1)[1]))
        game.apply(Done())
    assert seen == [(("axis",), "11.2.1)"), (("soviet",), "14.1.1)"), (("soviet",), "16.2.3)")]


def test_11_1_1_a_unit_without_a_line_loses_one_step() -> None:
    units = {"su-179": "1205", "su-90": "1405"}
    game = checked(units, ground(terrain=ISLAND))
    assert told(game.events, "step-lost") == ["su-179 loses a step (11.1.1)"]
    assert (game.state.steps_left["su-179"], game.state.steps_left["su-90"]) == (1, 2)


def test_11_1_1_with_its_last_step_it_is_gone() -> None:
    units = {"su-179": "1205", "su-27a": "1205"}
    game = checked(units, ground(terrain=ISLAND), reduced=["su-179"])
    assert sorted(lost(game.events)) == ["su-179", "su-27a"]
    for unit in units:
        assert game.state.locations[unit] == "soviet eliminated"
    assert {clause for event in game.events if event.kind == "unit-eliminated" for clause in event.cited()} == {
        "11.1.1",
        "10.8.3",
    }


def test_11_1_1_axis_units_lose_too() -> None:
    game = checked({"ger-21": "1205", "ger-1": "0305"}, ground(terrain=ISLAND))
    assert told(game.events, "step-lost") == ["ger-21 loses a step (11.1.1)"]


def test_11_1_2_the_soviets_check_first() -> None:
    units = {"su-179": "1205", "ger-21": "1405"}
    game = checked(units, ground(terrain=ISLAND))
    assert lost(game.events) == ["su-179", "ger-21"]


@pytest.mark.parametrize(("reduced", "survives"), [(["su-179"], True), ([], False)])
def test_11_1_2_whom_the_check_removes_no_longer_blocks_a_line(reduced: list[str], survives: bool) -> None:
    units = {"su-179": "0305", "ger-21": "0605"}
    board = ground(land=[f"{column:02}05" for column in range(1, 7)])
    game = checked(units, board, reduced=reduced)
    assert (game.state.locations["su-179"] == "soviet eliminated") == survives
    assert game.state.steps_left["ger-21"] == (2 if survives else 1)


def test_11_1_3_a_unit_without_a_line_moves_like_any_other() -> None:
    costs = []
    cut: dict[str, list[str]] = {"supply soviet": [], "supply axis": []}
    for areas in (AREAS, cut):
        game = position({"ger-36m": "0805", "su-179": "1005"}, moving("ger-36m"), board=ground(areas=areas), turn=5)
        assert game.query.supply("ger-36m").supplied == bool(areas["supply axis"])
        costs.append(game.query.reach("ger-36m").costs)
    assert costs[0] == costs[1]
    assert costs[0]


def test_11_1_3_it_fights_like_any_other() -> None:
    found = []
    for axis, soviet in ((["0105"], ["1605"]), ([], ["1605"]), (["0105"], []), ([], [])):
        board = ground(areas={"supply axis": axis, "supply soviet": soviet})
        game = position(
            {"ger-36m": "0805", "ger-21": "0806", "su-179": "0905"}, declaring("ger-36m", "ger-21"), board=board, turn=5
        )
        odds = game.query.odds(["ger-36m", "ger-21"], "0905")
        found.append((odds.attack, odds.defence, odds.column))
    assert len(set(found)) == 1
    assert found[0][:2] == (8, 2)


# -- 11.2 withdrawal -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [1, 4, 8])
def test_11_2_1_the_axis_may_take_units_off_the_map(turn: int) -> None:
    units = {"ger-21": "0305", "ger-4pzg": "0405", "rum-6": "0505", "ger-1": "0605"}
    game = checked(units, ground(), turn=turn)
    assert game.to_move == ("axis",)
    for unit in ("ger-21", "ger-4pzg", "rum-6"):
        assert told(game.apply(Withdraw(unit)), "unit-withdrawn") == [f"{unit} goes to the box axis available (11.2.1)"]
    game.apply(Done())
    assert {unit: game.state.locations[unit] for unit in units} == {**dict.fromkeys(units, "axis available"), "ger-1": "0605"}
    assert game.to_move != ("axis",) or "off the map" not in game.prompt()


def test_11_2_1_nobody_has_to() -> None:
    game = checked({"ger-21": "0305"}, ground())
    assert game.legal_actions() == [Done(), Withdraw("ger-21")]


def test_11_2_1_it_is_the_axis_only() -> None:
    game = checked({"ger-21": "0305", "su-179": "1205"}, ground())
    refused(game, Withdraw("su-179"), "11.2.1", "no Axis unit")
    refused(game, Withdraw("ger-pol"), "11.2.1", "on the map")  # it is in the box already
    assert checked({"su-179": "1205"}, ground(), turn=3).to_move != ("axis",)


def test_11_2_1_only_in_a_supply_check() -> None:
    game = position({"ger-21": "0305"}, moving("ger-21"), board=ground())
    assert game.why_not(Withdraw("ger-21")) is not None


def test_11_2_1_it_keeps_its_strength() -> None:
    game = checked({"ger-21": "0305"}, ground(), reduced=["ger-21"])
    game.apply(Withdraw("ger-21"))
    assert (game.state.locations["ger-21"], game.state.steps_left["ger-21"]) == ("axis available", 1)


def test_11_2_2_a_unit_without_a_line_stays() -> None:
    game = checked({"ger-21": "0305", "ger-1pz": "1205"}, ground(terrain=ISLAND))
    refused(game, Withdraw("ger-1pz"), "11.2.2", "no line of communication")
    game.apply(Withdraw("ger-21"))
    assert not any(isinstance(step, Withdrawing) for step in game.state.stack), "nobody else has a line, so nobody is asked"
    assert game.state.locations["ger-1pz"] == "1205"


def test_11_2_2_a_line_may_depend_on_who_leaves() -> None:
    land = [*(f"{column:02}05" for column in range(1, 7)), "0406"]
    game = checked({"ger-21": "0605", "ger-1": "0405", "ger-11": "0305", "ger-58": "0505", "su-179": "0406"}, ground(land=land))
    assert Withdraw("ger-21") in game.legal_actions()
    game.apply(Withdraw("ger-1"))  # it kept the railway open
    refused(game, Withdraw("ger-21"), "11.2.2")


def test_11_2_3_it_comes_back_as_a_reinforcement() -> None:
    game = position(
        {"ger-21": "0305"},
        Withdrawing("axis"),
        board=ground(),
        path=(2, 1, 1),
        turn=4,
        drawn=["axis-reinforcements"],
        reduced=["ger-21"],
    )
    game.apply(Withdraw("ger-21"))  # nobody else is left, and the chit that was drawn is resolved
    game.apply(Arrive("ger-21", "0405"))
    assert (game.state.locations["ger-21"], game.state.steps_left["ger-21"]) == ("0405", 1)


# -- 11.3 fortresses -----------------------------------------------------------------------------------------------------------


def test_11_3_1_the_soviets_may_build_fortresses_where_they_have_a_line() -> None:
    board = field(
        size=SMALL,
        prefix="L",
        major={"A": "L1205"},
        cities={"B": "L1005"},
        areas={"supply soviet": ["L1605"]},
    )
    game = position({}, SupplyCheck(), board=board, turn=4)
    assert game.legal_actions() == [Done(), Build("L1205")]
    refused(game, Build("L1405"), "14.1.2", "no major city")  # it has a line, but 14.1 governs
    refused(game, Build("L1005"), "14.1.2", "no major city")
    assert "fortress-built" in [event.kind for event in game.apply(Build("L1205"))]


def test_11_3_1_only_in_a_supply_check() -> None:
    board = field(size=SMALL, prefix="L", major={"A": "L1205"}, areas={"supply soviet": ["L1605"]})
    game = position({"su-179": "L1205"}, moving("su-179", seat="soviet"), board=board, turn=4)
    assert game.why_not(Build("L1205")) is not None
    assert game.why_not(StandDown("L1205")) is not None
