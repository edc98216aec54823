"""Supply lines against a literal search hex by hex, and what can never cut one."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import Board
from hexwar.mechanics import Supply
from hexwar.mechanics._supply import Ways
from tests.mechanics.samples import (
    UNITS,
    At,
    SampleSupply,
    plain_board,
    position,
    positions,
    side_at,
    standing,
    supply,
    world,
    zone,
)

RAILS: list[Any] = [
    {},
    {},
    {"blue": {"rail": 2}},
    {"blue": {"rail": 0}, "red": {"road": 1}},
    {"blue": {"rail": 1, "road": 2}, "red": {"road": 0, "rail": 3}},
]
CLOSED_SIDES: list[Any] = [(), ("river",), ("river", "wall"), {"blue": ("river",)}, {"blue": ("wall",), "red": ("river",)}]


@st.composite
def cases(draw: st.DrawFn) -> tuple[At, dict[str, Any]]:
    """A position and rules of supply; the sources lie where the units are, or where they may be cut off."""
    at = draw(positions())
    near = [at.state.locations[unit] for unit in standing(at)] or list(at.world.board.labels)
    around = [label for here in near for label in at.world.board.disk(here, 1)]
    sources = st.lists(st.sampled_from(around), min_size=1, max_size=2, unique=True).map(tuple)
    return at, {
        "sources": {"blue": draw(sources), "red": draw(sources)},
        "closed_terrain": draw(st.sampled_from([(), ("marsh",), ("forest", "marsh")])),
        "closed_sides": draw(st.sampled_from(CLOSED_SIDES)),
        "by_link": draw(st.sampled_from([{}, {"forest": "road"}, {"forest": "road", "marsh": "rail"}])),
        "leaves_watched_sources": draw(st.booleans()),
        "rail": draw(st.sampled_from(RAILS)),
    }


def features_closed_to(side: str, more: dict[str, Any]) -> set[str]:
    closed = more["closed_sides"]
    return set(closed.get(side, ()) if isinstance(closed, dict) else closed)


def reference(at: At, side: str, more: dict[str, Any]) -> dict[str, int]:
    """The hexes with a line and the length of the shortest, along any one of the links that lines may follow."""
    found: dict[str, int] = {}
    for link, most in more["rail"].get(side, {"": 0}).items():
        for label, length in reference_along(at, side, more, link, most).items():
            found[label] = min(length, found.get(label, length))
    return found


def reference_along(at: At, side: str, more: dict[str, Any], followed: str, most: int) -> dict[str, int]:
    """The same along one of them, a hex at a time.

    A line that has come to a hex is known by the hex before it, because that decides whether it may go on through bound
    terrain, and by how many hexes ago it left the railway, if it has to follow one.
    """
    board, watched = at.world.board, zone(at, side)

    def is_free(label: str) -> bool:
        return side_at(at, label) in (None, side) and board.terrain(label) not in more["closed_terrain"]

    def is_safe(label: str) -> bool:
        return label not in watched or side_at(at, label) == side

    def goes_through(before: str, here: str, after: str) -> bool:
        link = more["by_link"].get(board.terrain(here))
        return is_safe(here) and (link is None or (link in board.links(before, here) and link in board.links(here, after)))

    def offs(before: str | None, here: str, after: str, off: int) -> list[int]:
        if not followed:
            return [0]
        along = [0] if off == 0 and followed in board.links(here, after) else []
        may_leave = before is not None or board.has_link(here, followed)
        return [*along, *([off + 1] if may_leave and off < most else [])]

    found: dict[str, int] = {}
    todo: deque[tuple[str | None, str, int, int]] = deque((None, s, 0, 0) for s in more["sources"][side] if is_free(s))
    seen = set()
    while todo:
        before, here, off, length = todo.popleft()
        found.setdefault(here, length)
        for after in board.graph.neighbors(here):
            if not is_free(after) or board.side(here, after) & features_closed_to(side, more):
                continue
            begins = before is None and (more["leaves_watched_sources"] or is_safe(here))
            on = begins or (before is not None and goes_through(before, here, after))
            for number in offs(before, here, after, off) if on else ():
                if (here, after, number) not in seen:
                    seen.add((here, after, number))
                    todo.append((here, after, number, length + 1))
    return found


@given(cases(), st.sampled_from(["blue", "red"]))
def test_lines_are_what_a_literal_search_finds(case: tuple[At, dict[str, Any]], side: str) -> None:
    at, more = case
    lines, board = supply(at, **more), at.world.board
    expected = reference(at, side, more)
    assert set(board.unmask(lines.supplied(at, side))) == set(expected)
    assert lines.lengths(at, side, board.labels) == expected
    for label in board.labels:
        goal = 1 << board.index(label)
        assert bool(lines.supplied(at, side, goal) & goal) == (label in expected), "stopping early changes nothing"
        line = lines.line(at, side, label)
        assert (None if line is None else len(line) - 1) == expected.get(label)
        if line is not None:
            assert line[0] in lines.sources[side]
            assert line[-1] == label
            assert all(board.adjacent(a, b) for a, b in nx.utils.pairwise(line))
            assert all(step in expected for step in line)
            assert not any(board.side(a, b) & features_closed_to(side, more) for a, b in nx.utils.pairwise(line))
    friends = [unit for unit in standing(at) if UNITS[unit].side == side]
    for unit in friends:
        assert lines.is_supplied(at, unit) == (at.state.locations[unit] in expected)
    assert lines.supplied_units(at, side) == {unit for unit in friends if at.state.locations[unit] in expected}


@given(cases(), st.data())
def test_units_thought_away_are_as_good_as_gone(case: tuple[At, dict[str, Any]], data: st.DataObject) -> None:
    at, more = case
    units = list(at.state.locations)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    side, lines, labels = UNITS[unit].side, supply(at, **more), at.world.board.labels
    here = at.state.locations[unit]
    assume(here in labels)
    without = lines.lengths(at, side, labels, without=here)
    few = data.draw(st.sets(st.sampled_from(labels)))
    assert lines.lengths(at, side, few, without=here) == {label: without[label] for label in few if label in without}
    for other in at.state.layout.stacks[here]:
        at.state.remove(other)
    assert without == lines.lengths(at, side, labels)


@given(cases(), st.sampled_from(["blue", "red"]), st.sampled_from(["rail", "road"]))
def test_a_rail_network_is_free_of_enemies_and_zones_throughout(case: tuple[At, dict[str, Any]], side: str, link: str) -> None:
    at, more = case
    board, watched = at.world.board, zone(at, side)
    free = {
        label
        for label in board.link_hexes(link)
        if side_at(at, label) in (None, side) and label not in watched and board.terrain(label) not in more["closed_terrain"]
    }

    def passes(a: str, b: str) -> bool:
        return {a, b} <= free and link in board.links(a, b) and not board.side(a, b) & features_closed_to(side, more)

    def bound_by(label: str) -> str | None:
        bound: str | None = more["by_link"].get(board.terrain(label))
        return bound

    expected: set[str] = set()
    todo: deque[tuple[str | None, str]] = deque((None, source) for source in more["sources"][side] if source in free)
    seen = set(todo)
    while todo:
        before, here = todo.popleft()
        expected.add(here)
        for after in board.neighbours(here):
            bound = bound_by(here)
            on = before is None or bound is None or (bound in board.links(before, here) and bound in board.links(here, after))
            if on and passes(here, after) and (here, after) not in seen:
                seen.add((here, after))
                todo.append((here, after))
    assert set(board.unmask(supply(at, **more).rail_network(at, side, link))) == expected


@given(cases(), st.data())
def test_taking_an_enemy_away_never_cuts_a_line(case: tuple[At, dict[str, Any]], data: st.DataObject) -> None:
    at, more = case
    units = standing(at)
    assume(units)
    gone = data.draw(st.sampled_from(units))
    side = "red" if UNITS[gone].side == "blue" else "blue"
    lines = supply(at, **more)
    before = lines.supplied(at, side)
    at.state.remove(gone)
    assert before & ~lines.supplied(at, side) == 0


@given(cases(), st.data())
def test_another_friend_on_free_ground_never_cuts_a_line(case: tuple[At, dict[str, Any]], data: st.DataObject) -> None:
    at, more = case
    waiting = [unit for unit in UNITS if unit not in at.state.locations]
    assume(waiting)
    unit = data.draw(st.sampled_from(waiting))
    side = UNITS[unit].side
    free = [label for label in at.world.board.labels if side_at(at, label) in (None, side)]
    assume(free)
    lines = supply(at, **more)
    before = lines.supplied(at, side)
    at.state.steps_left[unit] = 1
    at.state.put(unit, data.draw(st.sampled_from(free)))
    assert before & ~lines.supplied(at, side) == 0


class Picky(SampleSupply):
    """Only one unit is in supply, line or no line."""

    def judge(self, at: Any, unit: str, price: int | None) -> bool:
        return unit == "b2"


def test_a_variant_has_the_last_word() -> None:
    at = position(world(plain_board()), {"b1": "0404", "b2": "0404"})
    lines = Picky(at.world, {"blue": ("0101",), "red": ()})
    assert (lines.is_supplied(at, "b1"), lines.is_supplied(at, "b2")) == (False, True)


# -- by example ------------------------------------------------------------------------------------------------------------


def corridor(*, more: str = "", terrain: dict[str, str] | None = None, columns: int = 12) -> Board:
    """A single row of clear hexes; zones reach along it and nothing goes round."""
    return plain_board(columns, 1, terrain, more)


def isthmus() -> Board:
    """Land in 0202, 0302, 0402 and 0502, marsh around."""
    labels = [f"{column:02}{row:02}" for column in range(1, 7) for row in range(1, 5)]
    return plain_board(6, 4, {label: "m" for label in labels if label not in ("0202", "0302", "0402", "0502")})


def has_line(lines: Supply, at: At, label: str, side: str = "blue") -> bool:
    found = lines.line(at, side, label) is not None
    mask = 1 << at.world.board.index(label)
    assert bool(lines.supplied(at, side) & mask) == found
    assert (label in lines.lengths(at, side, [label])) == found
    return found


@pytest.mark.parametrize(
    ("enemy", "friend", "supplied"),
    [("0303", "", False), ("0303", "0302", True), ("0101", "", True), ("0302", "", False)],
    ids=["through a zone", "through a zone with a friend", "into a zone", "through an enemy"],
)
def test_a_line_ends_in_a_zone_and_passes_one_only_where_a_friend_stands(enemy: str, friend: str, supplied: bool) -> None:
    # The enemy stands where a line cannot go anyway.
    units = {"b1": "0202", "r1": enemy} | ({"b2": friend} if friend else {})
    at = position(world(isthmus()), units)
    lines = supply(at, sources={"blue": ("0502",), "red": ()}, closed_terrain=("marsh",))
    assert lines.is_supplied(at, "b1") is supplied
    assert lines.supplied_units(at, "blue") == ({"b1", "b2"} & set(units) if supplied else set())


def test_units_that_retreat_no_longer_hold_their_hex_open() -> None:
    at = position(world(isthmus()), {"b1": "0202", "b2": "0302", "r1": "0303"})
    lines = supply(at, sources={"blue": ("0502",), "red": ()}, closed_terrain=("marsh",))
    assert lines.lengths(at, "blue", ["0202", "0302"], without="0202") == {"0202": 3, "0302": 2}
    assert lines.lengths(at, "blue", ["0202", "0302"], without="0302") == {"0302": 2}
    at.state.put("b1", "0302")
    assert lines.lengths(at, "blue", ["0202"], without="0302") == {}, "both go"


def test_one_side_alone_may_be_kept_from_crossing_a_feature() -> None:
    board = corridor(more='[sides]\nwall = ["0501|0601"]')
    at = position(world(board), {"b1": "0101", "r1": "1201"})
    both = {"blue": ("0301",), "red": ("0301",)}
    lines = supply(at, sources=both, closed_sides={"red": ("wall",)})
    assert (has_line(lines, at, "0901"), has_line(lines, at, "0901", "red")) == (True, False)
    assert not has_line(supply(at, sources=both, closed_sides=("wall",)), at, "0901")


def test_a_source_in_an_enemy_zone() -> None:
    at = position(world(corridor()), {"r1": "0101"})
    sources = {"blue": ("0201",), "red": ()}
    assert (has_line(supply(at, sources=sources), at, "0201"), has_line(supply(at, sources=sources), at, "0301")) == (True, False)
    assert has_line(supply(at, sources=sources, leaves_watched_sources=True), at, "0301")
    at.state.put("r1", "0201")
    assert not has_line(supply(at, sources=sources, leaves_watched_sources=True), at, "0301"), "an enemy in it blocks it"


def rail(*hexes: str, kind: str = "rail") -> str:
    return f'[links]\n{kind} = ["{" ".join(hexes)}"]\n'


RAILWAY = rail("0101", "0201", "0301")


def test_so_many_hexes_off_the_railway_and_no_more() -> None:
    at = position(world(corridor(more=RAILWAY)), {})
    lines = supply(at, sources={"blue": ("0101",), "red": ("0101",)}, rail={"blue": {"rail": 6}})
    assert has_line(lines, at, "0301")
    assert has_line(lines, at, "0901"), "six hexes from 0301"
    assert not has_line(lines, at, "1001"), "seven"
    assert has_line(lines, at, "1201", "red"), "who has no railway goes any distance"
    assert lines.line(at, "blue", "0501") == ["0101", "0201", "0301", "0401", "0501"]
    assert lines.lengths(at, "blue", ["0901", "1001", "0101"]) == {"0901": 8, "0101": 0}


def test_the_hex_where_a_line_leaves_the_railway_is_passed_through() -> None:
    board = plain_board(5, 3, {"0203": "m"}, more=rail("0102", "0202", "0302"))
    at = position(world(board), {"r1": "0203"})
    lines = supply(at, sources={"blue": ("0102",), "red": ()}, rail={"blue": {"rail": 1}}, leaves_watched_sources=True)
    assert at.world.board.adjacent("0203", "0302")
    assert (has_line(lines, at, "0202"), has_line(lines, at, "0302"), has_line(lines, at, "0402")) == (True, False, False)
    for unit, label in (("b1", "0202"), ("b2", "0302")):
        assert not has_line(lines, at, "0402")
        at.state.steps_left[unit] = 1
        at.state.put(unit, label)
    assert has_line(lines, at, "0402"), "friends hold the railway and the exit"


def test_a_source_off_the_railway_supplies_itself_only() -> None:
    at = position(world(corridor(more=RAILWAY)), {})
    lines = supply(at, sources={"blue": ("0401",), "red": ()}, rail={"blue": {"rail": 3}})
    assert (has_line(lines, at, "0401"), has_line(lines, at, "0501")) == (True, False)


def test_a_line_keeps_off_a_railway_that_is_shut_and_may_leave_it_before() -> None:
    at = position(world(corridor(more=RAILWAY)), {})
    lines = supply(at, sources={"blue": ("0101",), "red": ()}, rail={"blue": {"rail": 2}})
    shut = at.world.board.mask(["0301"])
    assert lines.line(at, "blue", "0501") == ["0101", "0201", "0301", "0401", "0501"]
    assert lines.line(at, "blue", "0401", shut=shut) == ["0101", "0201", "0301", "0401"], "it crosses 0301 off the rails"
    assert lines.line(at, "blue", "0501", shut=shut) is None
    assert lines.line(at, "blue", "0501", shut=at.world.board.mask(["0901"])) is not None


def test_mountains_are_crossed_by_road_and_entered_from_anywhere() -> None:
    def on(at: At, **more: Any) -> Supply:
        return supply(at, sources={"blue": ("0101",), "red": ()}, by_link={"forest": "road"}, **more)

    bare = position(world(corridor(terrain={"0301": "f", "0401": "f"})), {})
    assert [has_line(on(bare), bare, label) for label in ("0201", "0301", "0401", "0501")] == [True, True, False, False]
    paved = position(world(corridor(terrain={"0301": "f"}, more=rail("0201", "0301", "0401", kind="road"))), {})
    assert has_line(on(paved), paved, "0501")
    half = position(world(corridor(terrain={"0301": "f"}, more=rail("0301", "0401", kind="road"))), {})
    assert (has_line(on(half), half, "0301"), has_line(on(half), half, "0401")) == (True, False), "the road begins in the middle"
    ended = position(world(corridor(terrain={"0301": "f", "0401": "f"}, more=rail("0201", "0301", kind="road"))), {})
    assert (has_line(on(ended), ended, "0301"), has_line(on(ended), ended, "0401")) == (True, False), "the road ends in the first"
    tracks = position(world(corridor(terrain={"0201": "f"}, more=RAILWAY)), {})
    along = on(tracks, rail={"blue": {"rail": 2}})
    assert (has_line(along, tracks, "0201"), has_line(along, tracks, "0301")) == (True, False), "a railway is no road"


def test_friends_do_not_open_a_railway_to_reinforcements() -> None:
    at = position(world(corridor(more=rail("0101", "0201", "0301", "0401", "0501", "0601"))), {"b1": "0401", "r1": "0501"})
    board, lines = at.world.board, supply(at, sources={"blue": ("0101",), "red": ()})
    assert has_line(lines, at, "0401")
    assert board.unmask(lines.rail_network(at, "blue", "rail")) == ("0101", "0201", "0301"), "0401 lies in a zone"
    at.state.put("r1", "0201")
    assert lines.rail_network(at, "blue", "rail") == 0, "and now the source does"
    at.state.remove("r1")
    assert len(board.unmask(lines.rail_network(at, "blue", "rail"))) == 6
    assert lines.rail_network(at, "blue", "canal") == 0


def test_variants_are_asked_about_every_unit() -> None:
    at = position(world(plain_board()), {"b1": "0404", "b2": "0404", "b3": "pool"})
    assert Picky(at.world, {"blue": (), "red": ()}).supplied_units(at, "blue") == {"b2"}


class Freezing(SampleSupply):
    """Lines for which rivers are no hindrance from turn 2 on."""

    def ways(self, at: Any, side: str, without: str = "") -> Ways:
        found = super().ways(at, side, without)
        if at.state.turn < 2:
            return found
        return found._replace(passage=replace(found.passage, walls=None, sides=None, leaving=None, entering=None))


def test_lines_are_worked_out_anew_where_the_ground_is_another() -> None:
    board = plain_board(4, 3, more='[sides]\nriver = ["0101/NE", "0101/SE", "0102/NE", "0102/SE", "0103/NE", "0103/SE"]\n')
    at = position(world(board), {})
    lines = Freezing(at.world, {"blue": ("0101",)}, closed_sides=("river",))
    at.state.turn = 1
    before = lines.lengths(at, "blue", at.world.board.labels)
    assert set(before) == {"0101", "0102", "0103"}
    at.state.turn = 2
    after = lines.lengths(at, "blue", at.world.board.labels)
    assert set(after) == set(at.world.board.labels) == set(at.world.board.unmask(lines.supplied(at, "blue")))
    after.clear()
    assert lines.lengths(at, "blue", at.world.board.labels), "the caller's own dict"
