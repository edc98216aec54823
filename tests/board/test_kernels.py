"""Each kernel against networkx on the same board, and the smallest boards that show what each rule means.

All of it twice where the kernel is compiled: with it and in pure Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexwar.board import (
    ALL,
    CLOSED,
    MAX_BUDGET,
    Board,
    Floods,
    Reach,
    StepCosts,
    Walls,
    _compiled,
    flood,
    load_map,
    reach,
    step_costs,
)
from hexwar.board import step as one_step
from hexwar.board._bits import bits, mask_of
from hexwar.hexes import neighbour
from tests.board.strategies import Draw, boards, draw_bytes

# Bugs of a kernel hide in rare neighbourhoods: the quick profile alone would look at too few.
SETTINGS = settings(deadline=None, max_examples=max(100, settings().max_examples))

needs_kernel = pytest.mark.skipif(
    not _compiled.BUILT, reason="the kernel is not compiled: no C compiler was found when hexwar was installed"
)


@pytest.fixture(scope="module", autouse=True, params=["pure", pytest.param("compiled", marks=needs_kernel)])
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Which search is used."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_compiled, "COMPILED", request.param == "compiled")
        yield


PRICES = (2, 1, 4, 3, 0, 6, ALL, CLOSED)
SURCHARGES = (0, 0, 0, 1, 4, CLOSED)


def step(board: Board, i: int, d: int) -> int | None:
    """The neighbour of a hex by its coordinates, which knows nothing of the padded index."""
    label = board.at(neighbour(board.hex(board.label(i)), d))
    return None if label is None else board.index(label)


def draw_mask(draw: Draw, board: Board, one_in: int = 2) -> int:
    return sum(1 << i for i, byte in zip(board.hexes, draw_bytes(draw, len(board)), strict=True) if byte % one_in == 1)


def draw_walls(draw: st.DrawFn, board: Board) -> Walls | None:
    """One-sided barriers on about a third of the sides, or none."""
    if draw(st.booleans()):
        return None
    a, b, c, d, e, f = (draw_mask(draw, board, 3) for _ in range(6))
    return a, b, c, d, e, f


class Move(NamedTuple):
    board: Board
    start: int
    budget: int
    costs: StepCosts
    leave: bytes
    enter: bytes
    firsts: tuple[int, ...]
    zones: bytes
    within: int
    barred: int

    def reach(self) -> Reach:
        return reach(
            self.board,
            self.start,
            self.budget,
            self.costs,
            leave=self.leave,
            enter=self.enter,
            firsts=self.firsts,
            zones=self.zones,
            within=self.within,
            barred=self.barred,
        )

    def price(self, i: int, d: int) -> int | None:
        """What a step costs with everything that bears on it, by the words of the rule; None where it is forbidden."""
        n = step(self.board, i, d)
        price = self.costs[d][i]
        if n is None or price == CLOSED or self.leave[i] == CLOSED or self.enter[n] == CLOSED:
            return None
        if price == ALL:
            return self.budget if i == self.start and n in self.firsts and self.budget else None
        if i == self.start and self.barred >> d & 1:
            return None
        if not (self.zones[i] and self.zones[n]):
            return price + self.leave[i] + self.enter[n]
        if self.costs.is_guarded(i, n) or self.within in (ALL, CLOSED):
            return None
        return max(0, price + self.leave[i] + self.enter[n] + self.within)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    board = draw(boards())
    tables = [bytearray([CLOSED]) * board.size for _ in range(6)]
    prices = iter(draw_bytes(draw, 6 * len(board)))
    for i in board.hexes:
        for d in range(6):
            price = PRICES[next(prices) % len(PRICES)]
            if step(board, i, d) is not None:
                tables[d][i] = price
    guarded = set()
    if draw(st.booleans()):
        dice = iter(draw_bytes(draw, 6 * len(board)))
        pairs = [(i, step(board, i, d)) for i in board.hexes for d in range(6) if next(dice) % 3 == 0]
        guarded = {(i, n) for i, n in pairs if n is not None}
    leave, enter = bytearray(board.size), bytearray(board.size)
    for i, low, high in zip(board.hexes, draw_bytes(draw, len(board)), draw_bytes(draw, len(board)), strict=True):
        leave[i] = SURCHARGES[low % len(SURCHARGES)]
        enter[i] = SURCHARGES[high % len(SURCHARGES)]
    start, costs = draw(st.sampled_from(board.hexes)), StepCosts(board, tables, guarded)
    return Move(
        board,
        start,
        draw(st.integers(0, 14)),
        costs,
        bytes(leave),
        bytes(enter),
        tuple(n for n in costs.whole_steps(start) if draw(st.booleans())),
        bytes(byte % 2 for byte in draw(st.binary(min_size=board.size, max_size=board.size))),
        draw(st.sampled_from((0, 0, 1, 3, -1, -3, ALL, CLOSED))),
        draw(st.sampled_from((0, 0, 1, 9, 63))),
    )


@SETTINGS
@given(moves())
def test_reach_is_dijkstra(move: Move) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(move.board.hexes)
    for i in move.board.hexes:
        for d in range(6):
            price, n = move.price(i, d), step(move.board, i, d)
            if price is not None and n is not None:
                graph.add_edge(i, n, price=price)
    expected = nx.single_source_dijkstra_path_length(graph, move.start, cutoff=move.budget, weight="price")
    assert dict(move.reach()) == expected


@SETTINGS
@given(moves())
def test_paths_are_legal_and_cost_what_they_claim(move: Move) -> None:
    found = move.reach()
    for i, spent in found.items():
        path = found.path(i)
        assert (path[0], path[-1]) == (move.start, i)
        total = 0
        for a, b in pairwise(path):
            d = next(d for d in range(6) if step(move.board, a, d) == b)
            price = move.price(a, d)
            assert price is not None
            total += price
        assert total == spent <= move.budget


@SETTINGS
@given(moves(), st.data())
def test_beyond_a_hex_lie_those_whose_paths_pass_it(move: Move, data: st.DataObject) -> None:
    found = move.reach()
    i = data.draw(st.sampled_from(move.board.hexes))
    assert found.beyond(i) == {n for n in found if i in found.path(n)}


@SETTINGS
@given(moves())
def test_the_same_move_gives_the_same_paths(move: Move) -> None:
    one, two = move.reach(), move.reach()
    assert list(one.items()) == list(two.items())
    assert [one.path(i) for i in one] == [two.path(i) for i in two]


class Spread(NamedTuple):
    board: Board
    seeds: int
    through: int
    into: int
    walls: Walls | None
    limit: int | None

    @property
    def rules(self) -> dict[str, Any]:
        return {"through": self.through, "into": self.into, "walls": self.walls, "limit": self.limit}

    def graph(self, seeds: int) -> nx.DiGraph[int]:
        """The steps that a line from the seeds may take; -1 stands before every seed."""
        made: nx.DiGraph[int] = nx.DiGraph()
        made.add_node(-1)
        made.add_edges_from((-1, i) for i in self.board.hexes if seeds >> i & 1)
        for i in self.board.hexes:
            for d in range(6):
                n = step(self.board, i, d)
                blocked = self.walls is not None and self.walls[d] >> i & 1
                if n is not None and not blocked and (self.through | seeds) >> i & 1 and (self.through | self.into) >> n & 1:
                    made.add_edge(i, n)
        return made

    def steps(self, seeds: int) -> dict[int, int]:
        """How far each hex lies from the seeds."""
        cutoff = None if self.limit is None else self.limit + 1
        lengths = nx.single_source_shortest_path_length(self.graph(seeds), -1, cutoff=cutoff)
        return {i: length - 1 for i, length in lengths.items() if i >= 0}


@st.composite
def spreads(draw: st.DrawFn) -> Spread:
    board = draw(boards())
    # Of ten hexes six are open, three may only be ended in and one is neither: enough zones that a line has to go round them.
    kinds = dict(zip(board.hexes, draw_bytes(draw, len(board)), strict=True))
    through = sum(1 << i for i, kind in kinds.items() if kind % 10 < 6)
    into = sum(1 << i for i, kind in kinds.items() if 5 <= kind % 10 < 9)
    limit = draw(st.none() | st.integers(0, 6))
    return Spread(board, draw_mask(draw, board, 9), through, into, draw_walls(draw, board), limit)


@SETTINGS
@given(spreads())
def test_flood_finds_what_is_connected(spread: Spread) -> None:
    found = flood(spread.board, spread.seeds, **spread.rules)
    assert found == sum(1 << i for i in spread.steps(spread.seeds))


@SETTINGS
@given(spreads())
def test_a_step_is_the_first_wave_of_a_flood(spread: Spread) -> None:
    wave = one_step(spread.board, spread.seeds, spread.into, spread.walls)
    assert wave == flood(spread.board, spread.seeds, through=0, into=spread.into, walls=spread.walls, limit=1) & ~spread.seeds


@given(st.sets(st.integers(0, 6000)))
def test_a_mask_gives_its_indices_back_however_many_there_are(indices: set[int]) -> None:
    assert bits(mask_of(indices, 6001)) == sorted(indices)


@SETTINGS
@given(spreads(), st.data())
def test_flood_that_stops_early_is_right_about_what_was_asked(spread: Spread, data: st.DataObject) -> None:
    asked = draw_mask(data.draw, spread.board, 6)
    whole = flood(spread.board, spread.seeds, **spread.rules)
    early = flood(spread.board, spread.seeds, **spread.rules, until=asked)
    assert early & asked == whole & asked
    assert early & ~whole == 0


@SETTINGS
@given(spreads(), st.data())
def test_reversed_walls_find_who_can_come(spread: Spread, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(spread.board.hexes))
    walls = spread.walls or spread.board.walls("river")
    open_board = spread._replace(through=spread.board.everywhere, walls=walls)
    expected = nx.ancestors(open_board.graph(0), goal) | {goal} if goal in open_board.graph(0) else {goal}
    found = flood(spread.board, 1 << goal, through=spread.board.everywhere, walls=spread.board.reverse(walls))
    assert found == sum(1 << i for i in expected)


# Positions small enough to see: a strip of five hexes in a row, 0101 to 0501.

STRIP = """
format = 1
id = "strip"
[grid]
layout = "rows"
columns = 5
rows = 1
shifted = "odd"
shift = "east"
[terrain]
legend = { "." = "clear" }
rows = "....."
"""


@pytest.fixture
def strip() -> Board:
    return load_map(STRIP)


def at(board: Board, label: str, value: int) -> bytes:
    table = bytearray(board.size)
    table[board.index(label)] = value
    return bytes(table)


def reached(board: Board, **rules: Any) -> dict[str, int]:
    found = reach(board, board.index("0101"), 6, step_costs(board, lambda _a, _b: 2), **rules)
    return {board.label(i): spent for i, spent in found.items()}


def test_reach_spends_half_points(strip: Board) -> None:
    assert reached(strip) == {"0101": 0, "0201": 2, "0301": 4, "0401": 6}


def test_leaving_a_zone_costs_extra(strip: Board) -> None:
    assert reached(strip, leave=at(strip, "0201", 1)) == {"0101": 0, "0201": 2, "0301": 5}


def test_entering_a_zone_costs_extra(strip: Board) -> None:
    assert reached(strip, enter=at(strip, "0201", 3)) == {"0101": 0, "0201": 5}


def test_a_hex_that_may_not_be_entered_or_left(strip: Board) -> None:
    assert reached(strip, enter=at(strip, "0301", CLOSED)) == {"0101": 0, "0201": 2}
    assert reached(strip, leave=at(strip, "0101", CLOSED)) == {"0101": 0}


def test_a_step_that_takes_everything_comes_first_or_not_at_all(strip: Board) -> None:
    costs = step_costs(strip, lambda a, _b: ALL if a in ("0101", "0301") else 2)
    start = strip.index("0101")
    firsts = costs.whole_steps(start)
    assert dict(reach(strip, start, 6, costs, firsts=firsts)) == {start: 0, strip.index("0201"): 6}
    assert dict(reach(strip, start, 6, costs)) == {start: 0}
    assert dict(reach(strip, start, 0, costs, firsts=firsts)) == {start: 0}
    middle = strip.index("0201")
    assert {strip.label(i) for i in reach(strip, middle, 6, costs)} == {"0101", "0201", "0301"}


def test_a_step_that_takes_everything_still_minds_closed_hexes(strip: Board) -> None:
    costs = step_costs(strip, lambda _a, _b: ALL)
    start = strip.index("0101")
    assert len(reach(strip, start, 6, costs, enter=at(strip, "0201", 200), firsts=costs.whole_steps(start))) == 2
    assert len(reach(strip, start, 6, costs, enter=at(strip, "0201", CLOSED), firsts=costs.whole_steps(start))) == 1
    assert len(reach(strip, start, 6, costs, leave=at(strip, "0101", CLOSED), firsts=costs.whole_steps(start))) == 1


@pytest.mark.parametrize(("zones", "is_open"), [((), True), (("0101",), True), (("0201",), True), (("0101", "0201"), False)])
def test_a_guarded_step_is_closed_from_zone_to_zone(strip: Board, zones: tuple[str, ...], is_open: bool) -> None:
    ends = strip.index("0101"), strip.index("0201")
    costs = step_costs(strip, lambda _a, _b: 2, {ends, ends[::-1]})
    table = bytes(strip.label(i) in zones if i in strip.hexes else 0 for i in range(strip.size))
    found = reach(strip, strip.index("0101"), 6, costs, zones=table)
    assert (strip.index("0201") in found) is is_open
    assert costs.is_guarded(strip.index("0101"), strip.index("0201"))


@pytest.mark.parametrize(
    ("within", "reached_hexes"),
    [
        (3, {"0101": 0, "0201": 2}),
        (1, {"0101": 0, "0201": 2, "0301": 5}),
        (-1, {"0101": 0, "0201": 2, "0301": 3, "0401": 5}),
        (-9, {"0101": 0, "0201": 2, "0301": 2, "0401": 4, "0501": 6}),
        (ALL, {"0101": 0, "0201": 2}),
        (CLOSED, {"0101": 0, "0201": 2}),
    ],
)
def test_a_step_from_zone_to_zone_has_a_price_of_its_own(strip: Board, within: int, reached_hexes: dict[str, int]) -> None:
    zones = bytes(i in (strip.index("0201"), strip.index("0301")) for i in range(strip.size))
    assert reached(strip, zones=zones, within=within) == reached_hexes


def test_a_first_step_may_be_barred(strip: Board) -> None:
    there = 1 << strip.direction("0101", "0201")
    assert reached(strip, barred=there) == {"0101": 0}
    assert reached(strip, barred=63 - there) == reached(strip)


def test_reach_is_a_mapping_with_paths(strip: Board) -> None:
    found = reach(strip, strip.index("0101"), 4, step_costs(strip, lambda _a, _b: 2))
    assert len(found) == 3
    assert [strip.label(i) for i in found.path(strip.index("0301"))] == ["0101", "0201", "0301"]
    assert found.path(found.start) == [found.start]
    assert strip.index("0401") not in found
    with pytest.raises(KeyError):
        found.path(strip.index("0401"))


@pytest.mark.parametrize("budget", [-1, MAX_BUDGET + 1])
def test_an_allowance_that_no_table_can_hold_is_refused(strip: Board, budget: int) -> None:
    with pytest.raises(ValueError, match="an allowance is 0 to 253 half points"):
        reach(strip, strip.index("0101"), budget, step_costs(strip, lambda _a, _b: 2))


def test_step_costs_must_be_costs_of_this_board(strip: Board) -> None:
    with pytest.raises(ValueError, match="from 0101 to 0201 costs 300"):
        step_costs(strip, lambda _a, _b: 300)
    with pytest.raises(ValueError, match="six tables"):
        StepCosts(strip, [b""] * 6)
    with pytest.raises(ValueError, match="step off the board is open at 0101"):
        StepCosts(strip, [bytes(strip.size)] * 6)


def test_a_line_ends_in_a_zone_but_does_not_run_through_it(strip: Board) -> None:
    zone = strip.mask(["0301"])
    found = flood(strip, strip.mask(["0101"]), through=strip.everywhere & ~zone, into=zone)
    assert strip.unmask(found) == ("0101", "0201", "0301")


def test_a_source_is_left_whatever_it_is(strip: Board) -> None:
    source = strip.mask(["0301"])
    assert flood(strip, source, through=strip.everywhere & ~source) == strip.everywhere


def test_kept_floods_differ_by_seeds_ways_walls_and_limit(strip: Board) -> None:
    wall: Walls = (0, 0, strip.mask(["0101"]), 0, 0, 0)
    floods, first = Floods(strip, most=3), strip.mask(["0101"])
    asked: list[dict[str, Any]] = [
        {"through": through, "into": into, "walls": walls, "limit": limit}
        for through in (0, strip.everywhere)
        for into in (0, strip.everywhere)
        for walls in (None, wall, strip.walls("river"))
        for limit in (None, 0, 1)
    ]
    for _ in range(2):
        for rules in asked:
            for _ in range(2):
                assert floods(first, **rules) == flood(strip, first, **rules), rules


def test_a_flood_counts_its_steps_and_drops_seeds_off_the_board(strip: Board) -> None:
    found = flood(strip, strip.mask(["0101"]) | 1, through=strip.everywhere, limit=2)
    assert strip.unmask(found) == ("0101", "0201", "0301")
    assert not found & 1
    assert flood(strip, strip.mask(["0101"]), through=-1, limit=0) == strip.mask(["0101"])


def test_a_flood_that_has_all_it_wants_does_not_start(strip: Board) -> None:
    here = strip.mask(["0101"])
    assert flood(strip, here, through=strip.everywhere, until=here) == here


def test_a_barrier_may_work_one_way_only(strip: Board) -> None:
    east = 2
    walls: list[int] = [0] * 6
    walls[east] = strip.mask(["0201"])
    one_way = (walls[0], walls[1], walls[2], walls[3], walls[4], walls[5])
    first, last = strip.index("0101"), strip.index("0501")
    assert strip.unmask(flood(strip, 1 << first, through=-1, walls=one_way)) == ("0101", "0201")
    assert flood(strip, 1 << last, through=-1, walls=one_way) == strip.everywhere
    assert strip.unmask(flood(strip, 1 << last, through=-1, walls=strip.reverse(one_way))) == ("0301", "0401", "0501")
