"""Lines that cost points against a plain Dijkstra search, hex by hex, and what each of the questions changes."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import Board
from hexwar.engine import Position
from hexwar.mechanics import ArmCosts, LineTerms, PricedSupply, Ways
from tests.mechanics.samples import CHART, CLOSED, UNITS, At, plain_board, position, positions, side_at, standing, world, zone

CARRIER = ArmCosts({"clear": 2, "forest": 4}, {"river": 3}, {"road": 0, "rail": 0})
BUDGETS = {"blue": 9, "red": 5}


class SampleLines(PricedSupply):
    """Lines by parameters: half points for a nation, and whether a side's own units prolong its lines."""

    def __init__(
        self, at: At, sources: Mapping[str, tuple[str, ...]], *, prolonged: bool = False, closed: tuple[str, ...] = ()
    ) -> None:
        at.world.chart = replace(CHART, arms={**CHART.arms, "carrier": CARRIER})
        super().__init__(at.world)
        self.sources, self.prolonged, self.features = sources, prolonged, closed

    def limit(self, unit: str) -> int:
        return BUDGETS[UNITS[unit].side] - (4 if UNITS[unit].arm == "tracks" else 0)

    def judge(self, at: Position, unit: str, price: int | None) -> bool:
        return price is not None and price <= self.limit(unit)

    def terms(self, side: str) -> LineTerms:
        walls = (self.world.board.walls(*self.features),) if self.features else ()
        return LineTerms(walls=walls, row="carrier", budget=BUDGETS[side])

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        found = super().ways(at, side, without)
        return found._replace(free=at.state.layout.held[side]) if self.prolonged else found


@st.composite
def cases(draw: st.DrawFn) -> tuple[At, SampleLines]:
    at = draw(positions())
    near = [at.state.locations[unit] for unit in standing(at)] or list(at.world.board.labels)
    around = [label for here in near for label in at.world.board.disk(here, 2)]
    sources = {side: tuple(draw(st.lists(st.sampled_from(around), min_size=1, max_size=3, unique=True))) for side in BUDGETS}
    closed = draw(st.sampled_from([(), ("river",), ("wall",)]))
    return at, SampleLines(at, sources, prolonged=draw(st.booleans()), closed=closed)


def reference(at: At, side: str, lines: SampleLines) -> dict[str, int]:
    """Hex -> the half points of its cheapest line, at most the side's budget."""
    board, watched = at.world.board, zone(at, side)

    def price(here: str, there: str) -> int:
        if board.side(here, there) & {*lines.features}:
            return CLOSED
        along = [CARRIER.links[link] for link in board.links(here, there)]
        parts = [min(along) if along else CARRIER.terrain.get(board.terrain(there), CLOSED)]
        parts += [3 for feature in board.side(here, there) if feature == "river" and "road" not in board.links(here, there)]
        if CLOSED in parts:
            return CLOSED
        return 0 if lines.prolonged and side_at(at, there) == side else sum(parts)

    found: dict[str, int] = {}
    todo = [(0, source) for source in lines.sources[side] if side_at(at, source) in (None, side)]
    while todo:
        spent, here = heapq.heappop(todo)
        if here in found:
            continue
        found[here] = spent
        if here in watched and side_at(at, here) != side:
            continue  # a line ends in an enemy zone, unless a friend stands there
        for there in board.graph.neighbors(here):
            cost = price(here, there)
            if side_at(at, there) in (None, side) and cost != CLOSED and spent + cost <= BUDGETS[side]:
                heapq.heappush(todo, (spent + cost, there))
    return found


@given(cases(), st.sampled_from(["blue", "red"]))
def test_lines_cost_what_a_plain_search_finds(case: tuple[At, SampleLines], side: str) -> None:
    at, lines = case
    board, expected = at.world.board, reference(at, side, lines)
    assert lines.lengths(at, side, board.labels) == expected
    assert {*board.unmask(lines.supplied(at, side))} == {*expected}
    for label in board.labels:
        line = lines.line(at, side, label)
        assert (line is not None) == (label in expected)
        if line:
            assert line[0] in lines.sources[side]
            assert line[-1] == label
            assert all(board.adjacent(a, b) and expected[a] <= expected[b] for a, b in pairwise(line))
    for unit in standing(at):
        if UNITS[unit].side == side:
            label = at.state.locations[unit]
            can = label in expected and expected[label] <= lines.limit(unit)
            assert lines.is_supplied(at, unit) == can == (unit in lines.supplied_units(at, side))


def strip() -> Board:
    return plain_board(7, 1)


def lines_on(board: Board, units: Mapping[str, str], *, prolonged: bool = False) -> tuple[At, SampleLines]:
    at = position(world(board), units)
    return at, SampleLines(at, {"blue": ("0101",), "red": ("0701",)}, prolonged=prolonged)


def test_a_line_reaches_as_far_as_its_points() -> None:
    at, lines = lines_on(strip(), {})
    assert lines.lengths(at, "blue", ["0101", "0501", "0601"]) == {"0101": 0, "0501": 8}
    assert lines.lengths(at, "red", ["0501", "0401"]) == {"0501": 4}


def test_own_units_prolong_a_line() -> None:
    at, lines = lines_on(strip(), {"b1": "0201", "b2": "0301"}, prolonged=True)
    assert lines.lengths(at, "blue", ["0301", "0601", "0701"]) == {"0301": 0, "0601": 6, "0701": 8}


def test_a_road_carries_a_line_any_distance() -> None:
    board = plain_board(7, 1, more='[links]\nroad = ["0101 0201 0301 0401 0501 0601 0701"]\n')
    at, lines = lines_on(board, {})
    assert lines.lengths(at, "blue", ["0701"]) == {"0701": 0}


def test_a_unit_that_moves_away_is_noticed() -> None:
    at, lines = lines_on(strip(), {"b1": "0201"}, prolonged=True)
    assert lines.lengths(at, "blue", ["0201"]) == {"0201": 0}
    at.state.put("b1", "0601")
    assert lines.lengths(at, "blue", ["0201", "0601"]) == {"0201": 2, "0601": 8}
