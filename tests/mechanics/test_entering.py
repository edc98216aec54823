"""Units that come in from off the board by movement, against a slow reference; and why they may not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import ALL, CLOSED
from hexwar.mechanics import ArmCosts, Enter, Entering, Mode, Move
from hexwar.pieces import Done
from tests.mechanics.samples import (
    CHART,
    CITE,
    UNITS,
    At,
    plain_board,
    play,
    position,
    positions,
    price_of,
    side_at,
    units_in,
    world,
    zone,
)

COLUMN = ArmCosts({"clear": CLOSED, "forest": CLOSED, "marsh": CLOSED}, {}, {"road": 1})
FAST = Mode("fast", arm="column", along="road", outside_zones=True, topic="move.side")


def ready(at: At) -> At:
    """The same position in a game in which units enter, also fast along roads."""
    at.world.chart = replace(CHART, arms={**CHART.arms, "column": COLUMN}, flat={"fort": 2})
    at.world.cite = {**CITE, "entering": CITE["arrival"]}
    at.world.movement.modes = (Mode(""), FAST)
    return at


def first_price(at: At, unit: str, source: str, mode: str, budget: int) -> int | None:
    """What the entry hex costs, in words: its terrain and the zone it lies in, or half a point for its road outside zones."""
    board, side = at.world.board, UNITS[unit].side
    watched = source in zone(at, side)
    if side_at(at, source) not in (None, side):
        return None
    if mode == "fast":
        on_road = any("road" in step["links"] for _, _, step in board.graph.edges(source, data=True))
        return 1 if on_road and not watched else None
    price = CHART.arms[UNITS[unit].arm].terrain.get(board.graph.nodes[source]["terrain"], CLOSED)
    if price == CLOSED:
        return None
    if price == ALL:
        return None if watched and at.world.movement.whole == "either" else budget
    return price + 2 * watched


def onward(at: At, unit: str, source: str, mode: str, left: int) -> dict[str, int]:
    """How far it gets from there; the move has begun, so no step takes a whole allowance."""
    board, side = at.world.board, UNITS[unit].side
    watched, price = zone(at, side), price_of(board, UNITS[unit].arm)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node(source)
    for a, b, step in board.graph.edges(data=True):
        for origin, target in ((a, b), (b, a)):
            if side_at(at, target) not in (None, side):
                continue
            if mode == "fast":
                if "road" in step["links"] and target not in watched:
                    graph.add_edge(origin, target, weight=1)
            elif price(origin, target) < ALL:
                graph.add_edge(origin, target, weight=price(origin, target) + (origin in watched) * 1 + (target in watched) * 2)
    return {label: int(cost) for label, cost in nx.single_source_dijkstra_path_length(graph, source, cutoff=left).items()}


@given(st.sampled_from(("free", "either")).flatmap(lambda whole: positions(whole_steps=whole)), st.data())
def test_who_enters_pays_for_the_entry_hex_and_goes_on_with_the_rest(at: At, data: st.DataObject) -> None:
    ready(at)
    labels = at.world.board.labels
    hexes = tuple(data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=3, unique=True)))
    in_box = [unit for unit, there in at.state.locations.items() if there == "pool"]
    step = Entering("blue", tuple(UNITS), hexes)
    assert sorted(step.waiting(at)) == sorted(in_box)
    offered = []
    for unit in in_box:
        budget = UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2
        expected = []
        for mode in ("", "fast"):
            for source in hexes:
                price = first_price(at, unit, source, mode, budget)
                if price is not None and price <= budget:
                    reached = onward(at, unit, source, mode, budget - price)
                    free = [to for to in reached if len(units_in(at, to)) < 2]
                    expected += [Enter(unit, to, source, mode) for to in sorted(free, key=lambda to: (to != source, to))]
        entries = step.choices(at, unit)
        assert list(entries) == expected
        assert bool(entries) == bool(expected)
        assert all(entries.find(action) == action for action in expected)
        assert entries.find(Enter(unit, "9999", step.hexes[0])) is None
        assert entries.find(Enter(unit, "0101", "9999")) is None
        assert not expected or entries.sample(Random(1)) in expected
        offered += expected
        for mode in ("", "fast"):
            for source in hexes:
                for to in labels:
                    action = Enter(unit, to, source, mode)
                    assert (step.actions(at, "blue").why_not(action) is None) == (action in expected)
    assert step.deciders(at) == (("blue",) if offered else ())


def test_a_unit_comes_in_and_takes_what_it_passes() -> None:
    board = plain_board(terrain={"0101": "f"}, more='[[place]]\nname = "Gate"\nkind = "town"\nhex = "0101"')
    at = ready(position(world(board), {"b1": "pool", "b2": "pool"}))
    doing = play(at)
    step = Entering("blue", ("b1", "b2"), ("0101",), 2)
    doing.push(step)
    step.perform(doing, "blue", Enter("b1", "0103", "0101"))
    assert [str(event) for event in doing.events[-3:]] == [
        "b1 arrives at 0101",
        "blue takes Gate (0101)",
        "b1 moves from 0101 to 0103 by 0102",
    ]
    assert doing.events[-3].clause == CITE["arrival"]
    assert at.state.stack[-1] == Entering("blue", ("b2",), ("0101",), 1)
    at.state.stack[-1].perform(doing, "blue", Enter("b2", "0101", "0101"))
    assert str(doing.events[-1]) == "b2 arrives at 0101", "it stays"
    assert at.state.stack[-1].limit == 0


def test_a_fast_entry_is_told_as_one() -> None:
    at = ready(position(world(plain_board(more='[links]\nroad = ["0101 0102 0103"]')), {"b1": "pool"}))
    doing = play(at)
    Entering("blue", ("b1",), ("0101",)).act(doing, Enter("b1", "0103", "0101", "fast"))
    assert str(doing.events[-1]) == "b1 moves (fast) from 0101 to 0103 by 0102"
    assert doing.events[-1].clause == CITE["move.side"]


def test_a_unit_that_is_taken_away_as_it_arrives_goes_no_farther() -> None:
    at = ready(position(world(plain_board()), {"b1": "pool"}))
    at.world.entered = lambda play, unit, hexes: play.state.put(unit, "pool")
    doing = play(at)
    Entering("blue", ("b1",), ("0101",)).act(doing, Enter("b1", "0103", "0101"))
    assert [str(event) for event in doing.events] == ["b1 arrives at 0101"]


def test_no_more_come_in_than_may() -> None:
    at = ready(position(world(plain_board()), {"b1": "pool", "b2": "pool", "b3": "0404"}))
    assert Entering("blue", ("b1", "b2", "b3"), ("0101",), 1).waiting(at) == ("b1", "b2"), "b3 is in already"
    used_up = Entering("blue", ("b1", "b2"), ("0101",), 0)
    assert used_up.waiting(at) == ()
    assert used_up.deciders(at) == ()
    refusal = used_up.actions(at, "blue").why_not(Enter("b1", "0101", "0101"))
    assert refusal is not None
    assert refusal.message == "no more units may arrive now"
    prompt = Entering("blue", ("b1", "b2"), ("0101",), 1).prompt(at, "blue")
    assert prompt == "Bring units in at 0101, 1 of them: b1, b2."
    assert Entering("blue", ("b1", "b2"), ("0101",)).prompt(at, "blue") == "Bring units in at 0101: b1, b2."


def test_a_full_entry_hex_is_passed_but_nobody_stays_there() -> None:
    at = ready(position(world(plain_board()), {"b1": "pool", "b2": "0101", "b3": "0101"}))
    step = Entering("blue", ("b1",), ("0101",))
    assert step.deciders(at) == ("blue",)
    ends = {action.to for action in step.choices(at, "b1") if isinstance(action, Enter)}
    assert "0101" not in ends
    assert "0102" in ends


def test_a_flat_place_has_its_own_price() -> None:
    board = plain_board(terrain={"0101": "m"}, more='[[place]]\nname = "Gate"\nkind = "fort"\nhex = "0101"')
    at = ready(position(world(board), {"b3": "pool"}))
    ends = [str(action) for action in Entering("blue", ("b3",), ("0101",)).choices(at, "b3")]
    assert ends[:2] == ["b3 enters at 0101", "b3 enters at 0101 and moves to 0102"], "marsh is closed to tracks"
    assert "b3 enters at 0101 and moves to 0106" in ends
    assert "b3 enters at 0101 and moves to 0107" not in ends, "one point of six is for the entry"


def test_a_side_does_not_cross_what_is_closed_to_it() -> None:
    board = plain_board(1, 7, more='[sides]\nriver = ["0102/S"]')
    at = ready(position(world(board, closed_sides={"blue": ("river",)}), {"b1": "pool", "r1": "pool"}))
    for side, unit, ends in (("blue", "b1", {"0101", "0102"}), ("red", "r1", {"0101", "0102", "0103", "0104", "0105"})):
        step = Entering(side, (unit,), ("0101",))
        assert {action.to for action in step.choices(at, unit) if isinstance(action, Enter)} == ends


BORDER = plain_board(
    terrain={"0701": "m", "0702": "f"},
    more='[links]\nroad = ["0101 0102 0103", "0404 0405"]',
)


@pytest.mark.parametrize(
    ("action", "topic", "message"),
    [
        (Enter("b2", "0101", "0101"), "arrival", "b2 does not wait for its arrival"),
        (Enter("bX", "0101", "0101"), "arrival", "bX does not wait for its arrival"),
        (Enter("b1", "0201", "0201"), "arrival", "b1 may not come in at 0201; only at 0101, 0301, 0404, 0701, 0707"),
        (Enter("b1", "9999", "0101"), "move", "there is no hex 9999 on the map"),
        (Enter("b1", "0101", "0101", "fats"), "move", "no way of moving is called 'fats'; did you mean fast?"),
        (Enter("b1", "0706", "0707"), "move.enemy", "0707 is occupied by red"),
        (Enter("b1", "0707", "0101"), "move.enemy", "0707 is occupied by red"),
        (Enter("b1", "0301", "0301", "fast"), "move.side", "fast movement begins on a road, and 0301 has none"),
        (
            Enter("b1", "0405", "0404", "fast"),
            "move.side",
            "0404 is in an enemy zone of control, where no fast movement begins",
        ),
        (Enter("b3", "0701", "0701"), "move.cost", "b3 cannot come in at 0701 with 6 points: it is closed to tracks"),
        (
            Enter("b1", "0507", "0101"),
            "move.cost",
            "0507 is out of reach of b1 with the 5 points that it has left at 0101",
        ),
        (
            Enter("b1", "0201", "0101", "fast"),
            "move.side",
            "fast movement stays on a road, and 0201 has none",
        ),
        (Enter("b1", "0102", "0101"), "stacking", "at most 2 units may end in 0102"),
    ],
)
def test_each_refusal_says_what_is_wrong(action: Enter, topic: str, message: str) -> None:
    units = {"b1": "pool", "b3": "pool", "b2": "0102", "bQ": "0102", "r1": "0707", "r2": "0504"}
    at = ready(position(world(BORDER), units))
    step = Entering("blue", ("b1", "b2", "b3"), ("0101", "0301", "0404", "0701", "0707"))
    refusal = step.actions(at, "blue").why_not(action)
    assert refusal is not None
    assert (refusal.clause, refusal.message) == (CITE[topic], message)
    assert action not in step.actions(at, "blue")


def test_an_entry_hex_may_be_too_dear() -> None:
    at = ready(position(world(plain_board(), enter=12), {"b1": "pool", "r1": "0102"}))
    step = Entering("blue", ("b1",), ("0101",))
    refusal = step.actions(at, "blue").why_not(Enter("b1", "0101", "0101"))
    assert refusal is not None
    assert refusal.message == "b1 cannot come in at 0101 with 6 points: that costs 7"
    assert step.deciders(at) == ()
    assert step.actions(at, "blue").why_not(Done()) is None
    assert step.actions(at, "blue").why_not(Move("b1", "0101")) is None
