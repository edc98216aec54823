"""Reach against networkx, and the reasons for what is out of reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import ALL, CLOSED
from hexwar.engine import Part
from hexwar.errors import UnknownName
from hexwar.mechanics import ArmCosts, Mode, Move, Moves, Moving, Reaches, reach_report, why_not_move
from hexwar.pieces import Done, Manner, UnitMoved
from tests.mechanics.samples import (
    CHART,
    CITE,
    UNITS,
    At,
    SampleMovement,
    SampleStacking,
    SampleZones,
    plain_board,
    play,
    position,
    positions,
    price_of,
    side_at,
    standing,
    units_in,
    world,
    zone,
)


def reference(at: At, unit: str, budget: int, start: str = "", whole: str = "free") -> dict[str, int]:
    """Cheapest ways by Dijkstra: each step costs its price, the exit from a zone and the entry into one.

    A way from another start than the unit's own hex goes on from there: no step takes a whole allowance.
    """
    side, fresh, start = UNITS[unit].side, not start, start or at.state.locations[unit]
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
                zones = (origin in watched) + (target in watched)
                barred = zones > {"free": 2, "both": 1, "either": 0}[whole]
                firsts += [target] if origin == start and budget and fresh and not barred else []
            else:
                graph.add_edge(origin, target, weight=cost + (origin in watched) * 1 + (target in watched) * 2)
    found = {label: int(cost) for label, cost in nx.single_source_dijkstra_path_length(graph, start, cutoff=budget).items()}
    for target in firsts:
        found[target] = min(found.get(target, budget), budget)
    return found


def ends_of(at: At, unit: str, mode: str = "") -> Sequence[str]:
    """The hexes in which a move may end."""
    reaches: Reaches = at.world.reaches
    return reaches.ends(at, unit, reaches.reach(at, unit, mode))


WHOLE = ("free", "either", "both")


@given(st.sampled_from(WHOLE).flatmap(lambda whole: positions(whole_steps=whole)), st.data())
def test_reach_is_what_dijkstra_finds(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    points = data.draw(st.none() | st.integers(0, 14))
    budget = UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2 if points is None else points
    found = at.world.reaches.reach(at, unit, points=points)
    board = at.world.board
    assert {board.label(i): cost for i, cost in found.items()} == reference(at, unit, budget, whole=at.world.movement.whole)


@given(positions(), st.data())
def test_a_move_may_end_where_there_is_room_and_every_other_hex_has_a_reason(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    here = at.state.locations[unit]
    reachable = reference(at, unit, UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2)
    expected = {label for label in reachable if label != here and len(units_in(at, label)) < 2}
    assert ends_of(at, unit) == sorted(expected)
    for label in at.world.board.labels:
        refusal = why_not_move(at, unit, label)
        assert (refusal is None) == (label in expected)
        if label in expected:
            path = at.world.reaches.way(at, unit, label)
            assert (path[0], path[-1]) == (here, label)
            assert all(at.world.reaches.can_enter(at, unit, a, b) for a, b in pairwise(path))
    report = reach_report(at, unit)
    assert report.costs == {label: reachable[label] / 2 for label in expected}
    assert all(refusal.clause in CITE.values() for refusal in report.closed.values())
    assert not report.closed.keys() & {here, *expected}


@given(positions(), st.data())
def test_the_rule_that_is_named_is_the_one_in_the_way(at: At, data: st.DataObject) -> None:
    """Without zones, enemies or limits the same hex would be in reach; with a closed side or terrain it never is."""
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    side, arm, here = UNITS[unit].side, UNITS[unit].arm, at.state.locations[unit]
    budget = UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2
    board = at.world.board
    enemies = {other: label for other, label in at.state.locations.items() if UNITS[other].side != side}
    for label in board.labels:
        refusal = why_not_move(at, unit, label)
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
            assert label in [board.label(i) for i in calm.reaches.reach(position(calm, at.state.locations, _reduced(at)), unit)]
        elif topic == "move.cost":
            calm = world(board, enter=0, leave=0)
            assert label not in [
                board.label(i) for i in calm.reaches.reach(position(calm, at.state.locations, _reduced(at)), unit, points=budget)
            ]
        else:
            assert label == here


def _reduced(at: At) -> list[str]:
    return [unit for unit, steps in at.state.steps_left.items() if steps == 1]


@given(positions(), st.data())
def test_a_step_is_open_as_the_chart_says(at: At, data: st.DataObject) -> None:
    for unit in standing(at):
        price = price_of(at.world.board, UNITS[unit].arm)
        here = at.state.locations[unit]
        for near in at.world.board.neighbours(here):
            assert at.world.reaches.can_step(at, unit, here, near) == (price(here, near) != CLOSED)
            enemy = side_at(at, near) not in (None, UNITS[unit].side)
            assert at.world.reaches.can_enter(at, unit, here, near) == (price(here, near) != CLOSED and not enemy)


def test_variants_change_costs_zones_and_limits() -> None:
    class Mud(SampleMovement):
        def conditions(self, at: At) -> str:
            return "mud"

        def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
            return printed + 2 if conditions == "mud" else printed

    class Gap(SampleZones):
        def extends(self, origin: str, target: str) -> bool:
            return target != "0305" and super().extends(origin, target)

    class Full(SampleStacking):
        def limit(self, side: str, label: str) -> int:
            return 0 if label == "0403" else super().limit(side, label)

    changed = world(plain_board(), parts={"movement": Mud, "zones": Gap, "stacking": Full})
    at = position(changed, {"b1": "0404", "r1": "0306"})
    report = reach_report(at, "b1")
    assert report.costs["0405"] == 2.0, "a step in the mud"
    assert report.closed["0403"].message == "at most 0 units may end in 0403"
    assert "0305" not in at.world.board.unmask(at.state.layout.threatened["blue"])


def test_units_that_a_variant_took_away_are_no_longer_asked_about() -> None:
    at = position(world(plain_board()), {"b1": "0404"})
    step = Moving("blue", ("b1", "b2"))
    assert step.prompt(at, "blue") == "Move units: b1."
    assert {action.unit for action in step.actions(at, "blue") if isinstance(action, Move)} == {"b1"}
    assert Moving("blue", ("b2",)).deciders(at) == ()
    refusal = step.actions(at, "blue").why_not(Move("b2", "0403"))
    assert refusal is not None
    assert refusal.message == "b2 is not active or has moved already"
    assert step.actions(at, "blue").why_not(Done()) is None


@pytest.mark.parametrize(
    ("unit", "target", "topic", "message"),
    [
        ("b1", "9999", "move", "there is no hex 9999 on the map"),
        ("b1", "0404", "move", "b1 stands in 0404 already"),
        ("b1", "0503", "move.enemy", "0503 is occupied by red"),
        ("b3", "0504", "move.side", "tracks cannot cross the river between 0404 and 0504"),
        ("b3", "0405", "move.cost", "0405 is closed to tracks: marsh"),
        ("b1", "1204", "move.cost", "1204 is out of reach of b1 with 6 points"),
        ("b1", "0403", "stacking", "at most 2 units may end in 0403"),
    ],
)
def test_each_refusal_says_what_is_wrong(unit: str, target: str, topic: str, message: str) -> None:
    board = plain_board(12, terrain={"0405": "m"}, more='[sides]\nriver = ["0404/SE"]')
    units = {"b1": "0404", "b3": "0404", "r1": "0503", "b2": "0403", "bQ": "0403"}
    at = position(world(board), units)
    refusal = why_not_move(at, unit, target)
    assert refusal is not None
    assert (refusal.clause, refusal.message) == (CITE[topic], message)


def test_a_hexside_that_is_closed_to_a_side() -> None:
    board = plain_board(more='[sides]\nriver = ["0404/N"]\n[links]\nroad = ["0404 0403"]')
    at = position(world(board, closed_sides={"blue": ("river",)}), {"b1": "0404", "r1": "0104"})
    assert not at.world.reaches.can_step(at, "b1", "0404", "0403"), "bridge or no bridge"
    assert at.world.reaches.can_step(at, "r1", "0404", "0403")
    assert board.index("0403") in at.world.reaches.reach(at, "b1"), "round it"
    assert board.index("0403") not in at.world.reaches.reach(at, "b1", points=2)


@pytest.mark.parametrize(
    ("whole", "red", "is_open"),
    [
        ("free", "0304", True),
        ("either", "0402", True),
        ("either", "0403", False),
        ("either", "0406", False),
        ("either", "0304", False),
        ("both", "0403", True),
        ("both", "0406", True),
        ("both", "0304", False),
    ],
)
def test_zones_close_steps_that_take_the_whole_move(whole: str, red: str, is_open: bool) -> None:
    """From 0404 into the marsh of 0405: Red in 0403 watches the first, in 0406 the second and in 0304 both."""

    class Everywhere(SampleZones):
        def extends(self, origin: str, target: str) -> bool:
            return True

    marsh = world(plain_board(terrain={"0405": "m"}), whole_steps=whole, parts={"zones": Everywhere})
    at = position(marsh, {"b1": "0404", "r1": red})
    refusal = why_not_move(at, "b1", "0405")
    assert ("0405" in ends_of(at, "b1")) == is_open == (refusal is None)
    if refusal is not None:
        ends = "begins or ends" if whole == "either" else "begins and ends"
        message = f"a step that takes the whole move, as from 0404 to 0405, never {ends} in enemy zones of control"
        assert (refusal.clause, refusal.message) == (CITE["move.zone"], message)
        at.world.cite = {**CITE, "move.zone.whole": "clause combat"}
        refusal = why_not_move(at, "b1", "0405")
        assert refusal is not None
        assert refusal.clause == "clause combat", "a ruleset may have a clause on just that"


def test_arms_that_move_alike_share_their_costs_unless_a_variant_tells_them_apart() -> None:
    class Slower(SampleMovement):
        def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
            return 9 if arm == "march" else printed

    changes: list[tuple[dict[str, type[Part]], tuple[int, int]]] = [({}, (2, 2)), ({"movement": Slower}, (2, 9))]
    for parts, prices in changes:
        of = world(plain_board(more='[sides]\nriver = ["0204/N"]'), parts=parts, closed_sides={"red": ("river",)})
        of.chart = replace(CHART, arms={**CHART.arms, "march": CHART.arms["foot"]})
        here = of.board.index("0404")
        assert tuple(of.reaches.costs(arm)[0][here] for arm in ("foot", "march")) == prices
        assert (of.reaches.costs("march") is of.reaches.costs("foot")) == (prices == (2, 2))
        assert of.reaches.costs("march", side="red") is not of.reaches.costs("march"), "a hexside is closed to them"
        assert of.reaches.costs("tracks") is not of.reaches.costs("foot")


# -- ways of moving ----------------------------------------------------------------------------------------------------------

COLUMN = ArmCosts({"clear": CLOSED, "forest": CLOSED, "marsh": CLOSED}, {}, {"road": 1})
FAST = Mode("fast", arm="column", along="road", outside_zones=True, topic="move.side")


def with_modes(at: At, *modes: Mode) -> At:
    """The same position where units may also move in other ways."""
    at.world.chart = replace(CHART, arms={**CHART.arms, "column": COLUMN})
    at.world.movement.modes = (Mode(""), *modes)
    return at


@given(st.sampled_from((0, 2)).flatmap(lambda enter: positions(enter=enter)), st.data())
def test_a_way_of_moving_keeps_to_its_link_and_out_of_zones(at: At, data: st.DataObject) -> None:
    with_modes(at, FAST)
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    here, side = at.state.locations[unit], UNITS[unit].side
    roads: nx.Graph[str] = nx.Graph()
    roads.add_nodes_from(
        label for label in at.world.board.labels if label not in zone(at, side) and side_at(at, label) in (None, side)
    )
    edges = at.world.board.graph.edges(data=True)
    roads.add_edges_from((a, b) for a, b, step in edges if "road" in step["links"] and a in roads and b in roads)
    starts = here in roads and any("road" in step["links"] for _, _, step in at.world.board.graph.edges(here, data=True))
    budget = UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2
    reached = dict(nx.single_source_shortest_path_length(roads, here, cutoff=budget)) if starts else {here: 0}
    found = at.world.reaches.reach(at, unit, mode="fast")
    assert {at.world.board.label(i): cost for i, cost in found.items()} == reached
    expected = sorted(label for label in reached if label != here and len(units_in(at, label)) < 2)
    assert ends_of(at, unit, "fast") == expected
    normal = [Move(unit, to) for to in ends_of(at, unit)]
    assert list(Moving(side, (unit,)).choices(at, unit)) == [*normal, *(Move(unit, to, "fast") for to in expected)]
    report = reach_report(at, unit, "fast")
    assert report.costs == {label: reached[label] / 2 for label in expected}
    for label in at.world.board.labels:
        refusal = why_not_move(at, unit, label, mode="fast")
        assert (refusal is None) == (label in expected)
        assert label not in report.closed or report.closed[label] == refusal
        if refusal is None:
            path = at.world.reaches.way(at, unit, label, "fast")
            assert len(path) - 1 == reached[label]
            assert all(roads.has_edge(a, b) for a, b in pairwise(path))


ROAD = """
[links]
road = ["0401 0402 0403 0404 0405 0406 0407"]
"""


@pytest.mark.parametrize(
    ("unit", "target", "message"),
    [
        ("b2", "0405", "fast movement begins on a road, and 0304 has none"),
        ("b3", "0405", "0402 is in an enemy zone of control, where no fast movement begins"),
        ("b1", "0402", "every fast move of b1 to 0402 enters an enemy zone of control"),
        ("b1", "0504", "fast movement stays on a road, and 0504 has none"),
    ],
)
def test_each_refusal_of_a_way_of_moving_says_what_is_wrong(unit: str, target: str, message: str) -> None:
    units = {"b1": "0404", "b2": "0304", "b3": "0402", "r1": "0501"}
    at = with_modes(position(world(plain_board(more=ROAD)), units), FAST)
    refusal = why_not_move(at, unit, target, mode="fast")
    assert refusal is not None
    assert (refusal.clause, refusal.message) == (CITE["move.side"], message)
    assert target in reach_report(at, unit, "fast").closed or target == "0405"


def test_a_unit_moves_in_another_way() -> None:
    at = with_modes(position(world(plain_board(more=ROAD)), {"b1": "0401"}), FAST)
    doing = play(at)
    Moving("blue", ("b1",)).act(doing, Move("b1", "0407", "fast"))
    [moved] = doing.events
    assert isinstance(moved, UnitMoved)
    assert (moved.manner, moved.mode, moved.clause, len(moved.path)) == (Manner.MOVES, "fast", CITE["move.side"], 7)
    assert at.state.locations["b1"] == "0407"


def test_a_way_of_moving_that_nobody_knows() -> None:
    at = with_modes(position(world(plain_board()), {"b1": "0404"}), FAST)
    refusal = why_not_move(at, "b1", "0403", mode="fats")
    assert refusal is not None
    assert refusal.message == "no way of moving is called 'fats'; did you mean fast?"
    with pytest.raises(UnknownName):
        at.world.reaches.reach(at, "b1", mode="fats")


def test_the_costs_of_a_way_of_moving_may_be_the_units_own() -> None:
    at = with_modes(position(world(plain_board()), {"b1": "0404", "r1": "0704"}), Mode("wary", outside_zones=True))
    assert set(ends_of(at, "b1", "wary")) == set(ends_of(at, "b1")) - {"0604", "0605", "0703", "0705"}


def test_who_has_no_allowance_stays() -> None:
    at = position(world(plain_board()), {"b1": "0404"})
    still = replace(UNITS["b1"], arm="fortress", faces=(replace(UNITS["b1"].faces[0], move=0),) * 2)
    at.world.units = {**UNITS, "b1": still}
    assert list(Moving("blue", ("b1",)).choices(at, "b1")) == []
    assert reach_report(at, "b1").costs == {}
    refusal = why_not_move(at, "b1", "0403")
    assert refusal is not None
    assert refusal.message == "b1 has no movement points"


def test_a_move_says_only_what_is_not_as_usual() -> None:
    assert repr(Move("b1", "0403")) == "Move(unit='b1', to='0403')"
    far = Move("b1", "0403", "fast", ("0401", "0402", "0403"))
    assert eval(repr(far)) == far
    assert str(far) == "move b1 to 0403 by 0402 (fast)"
    path = ["0401", "0402", "0403"]
    assert far.to_json() == {"kind": "move", "unit": "b1", "to": "0403", "mode": "fast", "path": path}
    assert str(Move("b1", "0403")) == "move b1 to 0403"


# -- detours ----------------------------------------------------------------------------------------------------------------


@given(positions(), st.data())
def test_a_unit_may_go_round_by_a_place_that_it_takes(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit, labels = data.draw(st.sampled_from(units)), at.world.board.labels
    here, side = at.state.locations[unit], UNITS[unit].side
    owners = data.draw(st.dictionaries(st.sampled_from(labels), st.sampled_from(("blue", "red", "")), max_size=4))
    at.world.controlled = {label: f"place {label}" for label in owners}
    at.state.control.update({label: owner for label, owner in owners.items() if owner})
    plain_moves = list(Moving(side, (unit,)).choices(at, unit))
    at.world.movement.detouring = True
    budget = UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2
    first = reference(at, unit, budget)
    expected = []
    for via in sorted(owners):
        if owners[via] == side or via not in first:
            continue
        onward = reference(at, unit, budget - first[via], via)
        for to in sorted(onward):
            room = to == here or len(units_in(at, to)) < 2
            if to != via and room and (to == here or via not in at.world.reaches.way(at, unit, to)) and via != here:
                expected.append((via, to))
    listed = list(Moving(side, (unit,)).choices(at, unit))
    assert listed[: len(plain_moves)] == plain_moves
    detours = [move.path for move in listed[len(plain_moves) :] if isinstance(move, Move)]
    assert len(detours) == len(expected)
    for path, (via, to) in zip(detours, expected, strict=True):
        assert (path[0], path[-1]) == (here, to)
        assert list(path) == at.world.reaches.way(at, unit, to, by=(via,))
        left = budget - first[via]
        costs = {cost_of(at, unit, path[:cut]) + cost_of(at, unit, path[cut - 1 :]) for cut in range(2, len(path))}
        assert first[via] + reference(at, unit, left, via)[to] in costs
        assert Move(unit, to, path=path) in Moving(side, (unit,)).actions(at, side)


@given(positions(), st.data())
def test_any_way_that_can_be_paid_may_be_chosen(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    here, side, board = at.state.locations[unit], UNITS[unit].side, at.world.board
    path = [here]
    for _ in range(data.draw(st.integers(1, 5))):
        assume(board.neighbours(path[-1]))
        path.append(data.draw(st.sampled_from(sorted(board.neighbours(path[-1])))))
    budget = UNITS[unit].faces[at.state.steps_left[unit] - 1].move * 2
    price, watched = price_of(board, UNITS[unit].arm), zone(at, side)
    prices = [price(a, b) for a, b in pairwise(path)]
    paid = sum(prices) + sum((a in watched) * 1 + (b in watched) * 2 for a, b in pairwise(path)) <= budget
    may = paid if ALL not in prices else prices == [ALL] and budget > 0
    enemies = any(side_at(at, label) not in (None, side) for label in path)
    room = path[-1] == here or len(units_in(at, path[-1])) < 2
    move = Move(unit, path[-1], path=tuple(path))
    offer = Moving(side, (unit,)).actions(at, side)
    assert (move in offer) == (may and CLOSED not in prices and not enemies and room and budget > 0)
    assert (offer.why_not(move) is None) == (move in offer)


def cost_of(at: At, unit: str, path: Sequence[str]) -> int:
    """What a way costs, by the sample chart; one that begins with a step that takes everything costs all there is."""
    watched, price = zone(at, UNITS[unit].side), price_of(at.world.board, UNITS[unit].arm)
    prices = [price(a, b) for a, b in pairwise(path)]
    steps: int = at.state.steps_left[unit]
    if ALL in prices:
        return UNITS[unit].faces[steps - 1].move * 2
    return sum(prices) + sum((a in watched) * 1 + (b in watched) * 2 for a, b in pairwise(path))


def test_a_detour_takes_the_place_and_says_so() -> None:
    at = position(world(plain_board()), {"b1": "0404", "r1": "0707"})
    at.world.controlled = {"0303": "Mill"}
    at.world.movement.detouring = True
    at.state.control["0303"] = "red"
    doing = play(at)
    assert "0303" not in at.world.reaches.way(at, "b1", "0402")
    Moving("blue", ("b1",)).act(doing, Move("b1", "0402", path=("0404", "0303", "0302", "0402")))
    assert [str(event) for event in doing.events] == ["b1 moves from 0404 to 0402 by 0303, 0302", "blue takes Mill (0303)"]
    assert not any(isinstance(move, Move) and move.path for move in list(Moving("blue", ("b1",)).choices(at, "b1"))), (
        "it is taken"
    )


@pytest.mark.parametrize(
    ("path", "mode", "message"),
    [
        ("0404 9999 0402", "", "9999 is not next to 0404 on the map"),
        ("0404 0402", "", "0402 is not next to 0404 on the map"),
        ("0403 0402", "", "the way of b1 leads from 0404 to 0402, not from 0403 to 0402"),
        ("0404 0403 0402 0401", "", "at most 2 units may end in 0401"),
        ("0404 0503 0603 0703 0803 0903 1003 1103", "", "the step from 1003 to 1103 costs b1 1 points, and it has 0 left"),
        ("0404 0504 0604 0704", "", "0604 is occupied by red"),
        ("0404 0303 0302 0402", "fast", "fast movement begins on a road, and 0404 has none"),
    ],
)
def test_each_refusal_of_a_way_says_what_is_wrong(path: str, mode: str, message: str) -> None:
    units = {"b1": "0404", "b2": "0401", "b3": "0401", "r1": "0604"}
    at = with_modes(position(world(plain_board(12), enter=0, leave=0), units), FAST)
    hexes = tuple(path.split())
    refusal = Moving("blue", ("b1",)).actions(at, "blue").why_not(Move("b1", hexes[-1], mode, hexes))
    assert refusal is not None
    assert refusal.message == message


# -- the set of a unit's moves ----------------------------------------------------------------------------------------------


@given(positions(), st.data())
def test_moves_that_are_found_or_sampled_are_those_that_are_listed(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit, labels = data.draw(st.sampled_from(units)), at.world.board.labels
    at.world.movement.detouring = True
    at.world.movement.modes = (Mode(""), Mode("fast", outside_zones=True))
    places = data.draw(st.lists(st.sampled_from(labels), max_size=3))
    at.world.controlled = dict.fromkeys(places, "a place")
    moves = Moves(at, unit)
    listed = list(moves)
    assert bool(moves) == bool(listed)
    for to in (*labels, "9999"):
        for mode in ("", "fast", "slow"):
            move = Move(unit, to, mode)
            assert (moves.find(move) == move) == (move in listed)
            assert (moves.why_not(move) is None) == (move in listed)
    assert all(moves.find(move) == move for move in listed)
    assert moves.find(Move("nobody", labels[0])) is None
    assert moves.find(Done()) is None
    if listed:
        chance = Random(data.draw(st.integers(0, 99)))
        assert all(moves.sample(chance) in listed for _ in range(5))


def test_every_move_is_sampled_sooner_or_later() -> None:
    at = position(world(plain_board()), {"b1": "0404", "r1": "0603"})
    at.world.movement.detouring = True
    at.world.controlled = {"0403": "a place"}
    moves, chance = Moves(at, "b1"), Random(1)
    listed = set(moves)
    assert any(isinstance(move, Move) and move.path for move in listed)
    assert {moves.sample(chance) for _ in range(80_000)} == listed
