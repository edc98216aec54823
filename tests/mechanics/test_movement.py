"""Reach against networkx, and the reasons for what is out of reach."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import ALL, CLOSED
from hexwar.engine import Hooks
from hexwar.mechanics import Done, Move, Moving, can_enter, can_step, destinations, reach_of
from hexwar.mechanics.movement import path_to, refuse_move, report_reach
from tests.mechanics.samples import (
    CITE,
    UNITS,
    At,
    plain_board,
    position,
    positions,
    price_of,
    side_at,
    standing,
    units_in,
    world,
    zone,
)


def reference(at: At, unit: str, budget: int) -> dict[str, int]:
    """Cheapest ways by Dijkstra: each step costs its price, the exit from a zone and the entry into one."""
    side, start = UNITS[unit].side, at.state.at[unit]
    watched = zone(at, side)
    price = price_of(at.world.board, UNITS[unit].arm)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node(start)
    firsts = []
    for a, b in at.world.board.graph.edges:
        for origin, target in ((a, b), (b, a)):
            cost = price(origin, target)
            if cost == CLOSED or side_at(at, target) not in (None, side):
                continue
            if cost == ALL:
                firsts += [target] if origin == start and budget else []
            else:
                graph.add_edge(origin, target, weight=cost + (origin in watched) * 1 + (target in watched) * 2)
    found = {label: int(cost) for label, cost in nx.single_source_dijkstra_path_length(graph, start, cutoff=budget).items()}
    for target in firsts:
        found[target] = min(found.get(target, budget), budget)
    return found


@given(positions(), st.data())
def test_reach_is_what_dijkstra_finds(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    points = data.draw(st.none() | st.integers(0, 14))
    budget = UNITS[unit].faces[at.state.steps[unit] - 1].move * 2 if points is None else points
    found = reach_of(at, unit, points)
    board = at.world.board
    assert {board.label(i): cost for i, cost in found.items()} == reference(at, unit, budget)


@given(positions(), st.data())
def test_a_move_may_end_where_there_is_room_and_every_other_hex_has_a_reason(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    here = at.state.at[unit]
    reachable = reference(at, unit, UNITS[unit].faces[at.state.steps[unit] - 1].move * 2)
    expected = {label for label in reachable if label != here and len(units_in(at, label)) < 2}
    assert destinations(at, unit) == sorted(expected)
    for label in at.world.board.labels:
        refusal = refuse_move(at, unit, label)
        assert (refusal is None) == (label in expected)
        if label in expected:
            path = path_to(at, unit, label)
            assert (path[0], path[-1]) == (here, label)
            assert all(can_enter(at, unit, a, b) for a, b in pairwise(path))
    report = report_reach(at, unit)
    assert report.costs == {label: reachable[label] / 2 for label in expected}
    assert all(refusal.clause in CITE.values() for refusal in report.closed.values())
    assert not report.closed.keys() & {here, *expected}


@given(positions(), st.data())
def test_the_rule_that_is_named_is_the_one_in_the_way(at: At, data: st.DataObject) -> None:
    """Without zones, enemies or limits the same hex would be in reach; with a closed side or terrain it never is."""
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    side, arm, here = UNITS[unit].side, UNITS[unit].arm, at.state.at[unit]
    budget = UNITS[unit].faces[at.state.steps[unit] - 1].move * 2
    board = at.world.board
    enemies = {other: label for other, label in at.state.at.items() if UNITS[other].side != side}
    for label in board.labels:
        refusal = refuse_move(at, unit, label)
        if refusal is None:
            continue
        topic = refusal.clause.removeprefix("clause ")
        if topic == "move.enemy":
            assert label in enemies.values()
        elif topic == "stacking":
            assert len(units_in(at, label)) == 2
        elif topic == "move.side":
            assert price_of(board, arm)(here, label) == CLOSED
            assert board.side(here, label)
        elif topic == "move.zone":
            assert label in zone(at, side) or any(near in zone(at, side) for near in board.labels)
            calm = world(board, enter=0, leave=0)
            assert label in [board.label(i) for i in reach_of(position(calm, at.state.at, _reduced(at)), unit)]
        elif topic == "move.cost":
            calm = world(board, enter=0, leave=0)
            assert label not in [board.label(i) for i in reach_of(position(calm, at.state.at, _reduced(at)), unit, budget)]
        else:
            assert label == here


def _reduced(at: At) -> list[str]:
    return [unit for unit, steps in at.state.steps.items() if steps == 1]


@given(positions(), st.data())
def test_a_step_is_open_as_the_chart_says(at: At, data: st.DataObject) -> None:
    for unit in standing(at):
        price = price_of(at.world.board, UNITS[unit].arm)
        here = at.state.at[unit]
        for near in at.world.board.neighbours(here):
            assert can_step(at, unit, here, near) == (price(here, near) != CLOSED)
            enemy = side_at(at, near) not in (None, UNITS[unit].side)
            assert can_enter(at, unit, here, near) == (price(here, near) != CLOSED and not enemy)


def test_variants_change_costs_zones_and_limits() -> None:
    hooks = Hooks(
        {
            "conditions": (lambda at, conditions: "mud",),
            "movement_cost": (lambda world, conditions, mover, origin, target, cost: cost + 2 if conditions == "mud" else None,),
            "zone": (lambda world, kind, origin, target, extends: extends and target != "0305",),
            "stacking_limit": (lambda world, side, hex, limit: 0 if hex == "0403" else None,),
        }
    )
    at = position(world(plain_board(), hooks=hooks), {"b1": "0404", "r1": "0306"})
    report = report_reach(at, "b1")
    assert report.costs["0405"] == 2.0, "a step in the mud"
    assert report.closed["0403"].message == "no more than 0 units may end in 0403"
    assert "0305" not in at.world.board.unmask(at.state.layout.threatened["blue"])


def test_units_that_a_variant_took_away_are_no_longer_asked_about() -> None:
    at = position(world(plain_board()), {"b1": "0404"})
    step = Moving("blue", ("b1", "b2"))
    assert step.prompt(at, "blue") == "Move units: b1."
    assert {action.unit for action in step.actions(at, "blue") if isinstance(action, Move)} == {"b1"}
    assert Moving("blue", ("b2",)).deciders(at) == ()
    refusal = step.refuse(at, "blue", Move("b2", "0403"))
    assert refusal is not None
    assert refusal.message == "b2 is not active or has moved already"
    assert step.refuse(at, "blue", Done()) is None


@pytest.mark.parametrize(
    ("unit", "target", "topic", "message"),
    [
        ("b1", "9999", "move", "there is no hex 9999 on the map"),
        ("b1", "0404", "move", "b1 stands in 0404 already"),
        ("b1", "0503", "move.enemy", "0503 is occupied by red"),
        ("b3", "0504", "move.side", "tracks cannot cross the river between 0404 and 0504"),
        ("b3", "0405", "move.cost", "0405 is closed to tracks: marsh"),
        ("b1", "1204", "move.cost", "1204 is out of reach of b1 with 6 points"),
        ("b1", "0403", "stacking", "no more than 2 units may end in 0403"),
    ],
)
def test_each_refusal_says_what_is_wrong(unit: str, target: str, topic: str, message: str) -> None:
    board = plain_board(12, terrain={"0405": "m"}, more='[sides]\nriver = ["0404/SE"]')
    units = {"b1": "0404", "b3": "0404", "r1": "0503", "b2": "0403", "bQ": "0403"}
    refusal = refuse_move(position(world(board), units), unit, target)
    assert refusal is not None
    assert (refusal.clause, refusal.message) == (CITE[topic], message)
