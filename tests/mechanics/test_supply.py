"""Supply lines against networkx, and what can never cut one."""

from __future__ import annotations

from typing import Any

import networkx as nx
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.engine import Hooks
from tests.mechanics.samples import UNITS, At, plain_board, position, positions, side_at, standing, supply, world, zone


@st.composite
def cases(draw: st.DrawFn) -> tuple[At, dict[str, Any]]:
    """A position and rules of supply; the sources lie where the units are, or where they may be cut off."""
    at = draw(positions())
    near = [at.state.at[unit] for unit in standing(at)] or list(at.world.board.labels)
    around = [label for here in near for label in at.world.board.disk(here, 1)]
    sources = st.lists(st.sampled_from(around), min_size=1, max_size=2, unique=True).map(tuple)
    return at, {
        "sources": {"blue": draw(sources), "red": draw(sources)},
        "closed_terrain": draw(st.sampled_from([(), ("marsh",), ("forest", "marsh")])),
        "closed_sides": draw(st.sampled_from([(), ("river",), ("river", "wall")])),
        "limit": draw(st.none() | st.integers(0, 5)),
    }


def reference(at: At, side: str, more: dict[str, Any]) -> dict[str, int]:
    """The hexes with a line and the length of the shortest, step by step on a graph of where a line may go on."""
    board, watched = at.world.board, zone(at, side)

    def is_free(label: str) -> bool:
        return side_at(at, label) in (None, side) and board.terrain(label) not in more["closed_terrain"]

    def goes_on(label: str) -> bool:
        return is_free(label) and (label not in watched or side_at(at, label) == side)

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(board.labels)
    for a, b in board.graph.edges:
        for origin, target in ((a, b), (b, a)):
            if goes_on(origin) and is_free(target) and not board.side(a, b) & set(more["closed_sides"]):
                graph.add_edge(origin, target)
    found: dict[str, int] = {}
    for source in more["sources"][side]:
        if is_free(source):
            for label, length in nx.single_source_shortest_path_length(graph, source, cutoff=more["limit"]).items():
                found[label] = min(length, found.get(label, length))
    return found


@given(cases(), st.sampled_from(["blue", "red"]))
def test_lines_are_what_a_graph_search_finds(case: tuple[At, dict[str, Any]], side: str) -> None:
    at, more = case
    lines, board = supply(at, **more), at.world.board
    expected = reference(at, side, more)
    assert set(board.unmask(lines.supplied(at, side))) == set(expected)
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
    for unit in standing(at):
        if UNITS[unit].side == side:
            assert lines.is_supplied(at, unit) == (at.state.at[unit] in expected)


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
    waiting = [unit for unit in UNITS if unit not in at.state.at]
    assume(waiting)
    unit = data.draw(st.sampled_from(waiting))
    side = UNITS[unit].side
    free = [label for label in at.world.board.labels if side_at(at, label) in (None, side)]
    assume(free)
    lines = supply(at, **more)
    before = lines.supplied(at, side)
    at.state.steps[unit] = 1
    at.state.put(unit, data.draw(st.sampled_from(free)))
    assert before & ~lines.supplied(at, side) == 0


def test_a_variant_has_the_last_word() -> None:
    hooks = Hooks({"supply": (lambda at, unit, supplied: unit == "b2",)})
    at = position(world(plain_board(), hooks=hooks), {"b1": "0404", "b2": "0404"})
    assert (supply(at).is_supplied(at, "b1"), supply(at).is_supplied(at, "b2")) == (False, True)
