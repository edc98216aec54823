"""Who a headquarters commands: range round barriers, its own kind only, and nothing that never moves."""

from __future__ import annotations

import networkx as nx
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.engine import Position
from hexwar.mechanics import Layout
from hexwar.pieces import Face, Unit
from tests.mechanics.samples import UNITS, At, SampleState, plain_board, positions, standing, world


@given(
    positions(),
    st.sampled_from([(), ("marsh",), ("forest", "marsh")]),
    st.sampled_from([(), ("wall",), ("river", "wall")]),
    st.sampled_from(["bQ", "rQ"]),
)
def test_range_goes_round_closed_terrain_and_closed_sides(
    at: At, terrain: tuple[str, ...], sides: tuple[str, ...], leader: str
) -> None:
    assume(leader in standing(at))
    board, here, side = at.world.board, at.state.locations[leader], UNITS[leader].side
    open_ground = nx.Graph(
        (a, b)
        for a, b in board.graph.edges
        if not board.side(a, b) & set(sides) and all(x == here or board.terrain(x) not in terrain for x in (a, b))
    )
    open_ground.add_node(here)
    near = nx.single_source_shortest_path_length(open_ground, here, cutoff=UNITS[leader].command)
    friends = [unit for unit, of in UNITS.items() if of.side == side and (not of.command or unit == leader)]
    expected = [unit for unit in friends if at.state.locations.get(unit) in near]
    command = at.world.command
    command.closed = lambda at, side: board.terrain_mask(*terrain)
    walls = board.walls(*sides)
    command.walls = lambda: walls
    assert list(command.led_by(at, leader)) == expected
    on_foot = [unit for unit in expected if unit == leader or UNITS[unit].arm == "foot"]
    command._followers.clear()  # who follows whom is worked out once
    command.follows = lambda unit, leader: unit.arm == "foot" and not unit.is_headquarters
    assert list(command.led_by(at, leader)) == on_foot


def _unit(unit_id: str, nation: str = "home", command: int = 0, moves: tuple[int, ...] = (4, 6)) -> Unit:
    faces = tuple(Face(2, 2, move) for move in moves)
    return Unit(unit_id, unit_id, "blue", "foot", faces, command=command, tags=frozenset({nation}))


ARMY = {
    unit.id: unit
    for unit in (
        _unit("late"),
        _unit("HQ", command=4),
        _unit("other HQ", command=4),
        _unit("ally", "ally"),
        _unit("ally HQ", "ally", command=4),
        _unit("fort", moves=(0, 0)),
        _unit("stuck", moves=(0, 3)),
        _unit("early"),
    )
}


def army(at: dict[str, str]) -> At:
    made = world(plain_board(12, 7))
    made.units = ARMY
    state = SampleState(layout=Layout(made.basis))
    for unit, label in at.items():
        state.steps_left = {**state.steps_left, unit: ARMY[unit].steps}
        state.put(unit, label)
    return Position(made, state)


def test_four_hexes_away_is_in_range_and_five_is_not() -> None:
    at = army({"HQ": "0104", "late": "0504", "early": "0604"})
    assert (at.world.board.distance("0104", "0504"), at.world.board.distance("0104", "0604")) == (4, 5)
    assert at.world.command.led_by(at, "HQ") == ("late", "HQ"), "in the order of the roster"


def test_no_other_headquarters_and_no_marker_obeys() -> None:
    at = army({"HQ": "0404", "other HQ": "0404", "fort": "0405", "stuck": "0405", "late": "pool"})
    at.state.steps_left["stuck"] = 1
    assert at.world.command.led_by(at, "HQ") == ("HQ", "stuck"), "one that cannot move now is still a unit"


def test_only_those_that_follow() -> None:
    at = army({"HQ": "0404", "ally HQ": "0505", "ally": "0405", "late": "0504"})

    command = at.world.command
    assert command.led_by(at, "HQ") == ("late", "HQ", "ally")
    command._followers.clear()
    command.follows = lambda unit, leader: unit.tags == leader.tags and not unit.is_headquarters
    assert command.led_by(at, "HQ") == ("late", "HQ")
    assert command.led_by(at, "ally HQ") == ("ally", "ally HQ")
