"""The search and the rule of a single step, for whatever a rulebook may answer; and each answer in a small position."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import ALL, CLOSED
from hexwar.engine import Position
from hexwar.errors import Refusal
from hexwar.mechanics import (
    NORMAL,
    Bar,
    Going,
    Mode,
    Move,
    Movement,
    Moves,
    ZoneTerms,
    price_or_refusal,
    reach_report,
    why_not_move,
)
from tests.mechanics.samples import UNITS, At, plain_board, position, positions, standing, units_in, world

BARRED = Bar("move.zone", "{unit} may not go from {origin} to {target}")


class Answering(Movement):
    """Answers what a test says."""

    changes: ClassVar[dict[str, Any]] = {}
    others: tuple[str, ...] = ()

    def going(self, at: Position, unit: str, mode: Mode = NORMAL) -> Going:
        return replace(super().going(at, unit, mode), **self.changes)

    def companions(self, at: Position, unit: str, mode: Mode) -> tuple[str, ...]:
        return self.others


PARTS: dict[str, Any] = {"parts": {"movement": Answering}}
TERMS = st.builds(
    ZoneTerms,
    leaving=st.sampled_from((0, 1, 3)),
    entering=st.sampled_from((0, 2)),
    within=st.sampled_from((None, 0, 2, 5, ALL, CLOSED)),
    whole=st.sampled_from(("", "either", "both")),
    barriers=st.sampled_from((frozenset(), frozenset({"river"}))),
    stops=st.booleans(),
)


@st.composite
def changes(draw: st.DrawFn, at: At) -> dict[str, Any]:
    """Anything that a rulebook may answer."""
    board = at.world.board
    some = st.sets(st.sampled_from(board.labels), max_size=3).map(board.mask)
    pairs = [(a, b) for a in board.labels for b in board.neighbours(a)]
    changed = draw(st.dictionaries(st.sampled_from(pairs), st.sampled_from((0, 1, 6, ALL, CLOSED)), max_size=3)) if pairs else {}
    bars = [
        BARRED._replace(hexes=draw(some), steps=draw(st.sampled_from(((), tuple(draw(some) for _ in range(6))))), first=first)
        for first in draw(st.lists(st.booleans(), max_size=2))
    ]
    return {
        "zones": draw(TERMS),
        "changed": tuple(changed.items()),
        "tolls": tuple((draw(some), toll) for toll in draw(st.sampled_from(((), (2,), (1, CLOSED))))),
        "bars": tuple(bars),
        "passes": draw(some),
        "minimum": draw(st.booleans()),
        "whole": draw(st.booleans()),
    }


@given(positions(**PARTS), st.data())
def test_the_search_finds_what_the_rule_of_a_step_allows(at: At, data: st.DataObject) -> None:
    """From the start with a fresh allowance, then step by step, each paid as `price_or_refusal` says."""
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    at.world.movement.changes = data.draw(changes(at))
    at.world.movement.others = data.draw(st.sampled_from(((), tuple(standing(at)[:2]))))
    board, here, budget = at.world.board, at.state.locations[unit], data.draw(st.integers(0, 14))
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from((*board.labels, "start"))
    for a in board.labels:
        for b in board.neighbours(a):
            price = price_or_refusal(at, unit, a, b, 253, fresh=False)
            if isinstance(price, int) and b != here:  # the search does not come back to where it began
                graph.add_edge(a, b, weight=price)
    for b in board.neighbours(here):
        price = price_or_refusal(at, unit, here, b, budget)
        if isinstance(price, int):
            graph.add_edge("start", b, weight=price)
    costs = nx.single_source_dijkstra_path_length(graph, "start", cutoff=budget)
    expected = {label: cost for label, cost in costs.items() if label not in ("start", here)}
    found = at.world.reaches.reach_from(at, unit, board.index(here), budget)
    assert {board.label(i): cost for i, cost in found.items() if i != found.start} == expected


@given(positions(**PARTS), st.data())
def test_what_is_listed_is_not_refused_and_what_is_not_has_a_reason(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    at.world.movement.changes = data.draw(changes(at))
    listed = {move.to for move in Moves(at, unit) if isinstance(move, Move)}
    for label in at.world.board.labels:
        assert (why_not_move(at, unit, label) is None) == (label in listed)
    assert set(reach_report(at, unit).costs) == listed


# -- each answer ------------------------------------------------------------------------------------------------------------


def ready(units: dict[str, str], **changed: Any) -> At:
    """A position on open ground, where b1 has six points and each step costs one."""
    at = position(world(plain_board(12), enter=0, leave=0, **PARTS), units)
    at.world.movement.changes = changed
    return at


def costs(at: At, unit: str = "b1") -> dict[str, float]:
    return reach_report(at, unit).costs


def test_a_unit_that_stops_in_zones_pays_only_where_its_move_begins() -> None:
    """Red in 0504 covers 0404, 0405, 0503, 0505, 0603 and 0604."""
    stopping = ZoneTerms(leaving=2, stops=True)
    free = ready({"b1": "0304", "r1": "0504"}, zones=stopping)
    assert costs(free)["0404"] == 1
    refusal = price_or_refusal(free, "b1", "0404", "0403", 6, fresh=False)
    assert isinstance(refusal, Refusal)
    assert "stops there" in refusal.message
    within = ready({"b1": "0404", "r1": "0504"}, zones=stopping)
    assert costs(within)["0403"] == 2, "a step, and a point for leaving"
    assert "0402" in costs(within), "it stops only where it enters"


def test_a_bar_closes_hexes_and_says_why() -> None:
    board = plain_board(12)
    at = ready({"b1": "0404"}, bars=(BARRED._replace(hexes=board.mask(["0403"])),))
    assert "0403" not in costs(at)
    refusal = why_not_move(at, "b1", "0403")
    assert refusal is not None
    assert refusal.message == "b1 may not go from 0404 to 0403"


def test_a_first_step_may_be_barred_and_the_same_step_later_is_not() -> None:
    board = plain_board(12)
    at = ready({"b1": "0404"}, bars=(BARRED._replace(hexes=board.mask(["0403"]), first=True),))
    assert costs(at)["0403"] == 2, "round it"
    assert price_or_refusal(at, "b1", "0404", "0403", 6, fresh=False) == 2
    assert isinstance(price_or_refusal(at, "b1", "0404", "0403", 6), Refusal)


def test_enemies_that_are_passed_are_no_end_of_a_move() -> None:
    board = plain_board(12)
    at = ready({"b1": "0404", "r1": "0403"}, passes=board.mask(["0403"]))
    assert "0403" not in costs(at)
    path = ("0404", "0403", "0402")
    assert why_not_move(at, "b1", "0402", path=path) is None
    refusal = why_not_move(at, "b1", "0403")
    assert refusal is not None
    assert refusal.message == "0403 is occupied by red"


def test_a_hex_may_cost_something_to_leave() -> None:
    board = plain_board(12)
    at = ready({"b1": "0404"}, tolls=((board.mask(["0404"]), 3),))
    assert costs(at)["0403"] == 2.5


def test_a_minimum_move_takes_a_whole_allowance_that_has_not_been_touched() -> None:
    toll = ((plain_board(12).mask(["0404"]), 40),)
    assert costs(ready({"b1": "0404"}, tolls=toll)) == {}
    assert set(costs(ready({"b1": "0404"}, tolls=toll, minimum=True)).values()) == {6.0}
    assert costs(ready({"b1": "0404"}, tolls=toll, minimum=True, whole=False)) == {}


@pytest.mark.parametrize(("price", "farthest"), [(0, 6.0), (2, 5.0), (12, 0.0), (20, 0.0)])
def test_a_way_of_moving_may_have_a_price(price: int, farthest: float) -> None:
    at = ready({"b1": "0404"})
    at.world.movement.modes = (NORMAL, Mode("march", price=price))
    assert max(reach_report(at, "b1", "march").costs.values(), default=0.0) == farthest
    assert max(costs(at).values()) == 6.0


def test_companions_pay_what_the_one_pays_that_pays_the_most() -> None:
    board = plain_board(12, terrain={"0403": "f"})
    at = position(world(board, enter=0, leave=0, **PARTS), {"b1": "0404", "b3": "0404"})
    apart = {unit: price_or_refusal(at, unit, "0404", "0403", 12) for unit in ("b1", "b3")}
    at.world.movement.others = ("b3",)
    at = Position(at.world, at.state)  # the rules are asked once in a position
    assert price_or_refusal(at, "b1", "0404", "0403", 12) == max(price for price in apart.values() if isinstance(price, int))
    points = min(UNITS[unit].faces[1].move for unit in ("b1", "b3"))
    assert at.world.reaches.points(at, "b1") == 2 * points
    assert units_in(at, "0404") == ["b1", "b3"]
