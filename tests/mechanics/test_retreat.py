"""Ways of retreat against a slow and literal reading of the rule."""

from __future__ import annotations

import networkx as nx
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import CLOSED
from hexwar.engine import Hooks
from hexwar.mechanics import Retreat, Retreating, RetreatOption
from hexwar.mechanics.retreat_paths import costly_hexes, retreat_options
from tests.mechanics.samples import (
    CITE,
    UNITS,
    At,
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


def reference(at: At, unit: str, hexes: int, farther: int = 2) -> dict[tuple[str, ...], int]:
    """Every simple path on the board, kept if each sentence of the rule holds for it; path -> losses."""
    board, side, start = at.world.board, UNITS[unit].side, at.state.at[unit]
    price = price_of(board, UNITS[unit].arm)
    found = {}
    for end in board.graph:
        if end == start:
            continue
        for way in nx.all_simple_paths(board.graph, start, end, cutoff=hexes + farther):
            gone = len(way) - 1
            is_long_enough = gone >= hexes
            leads_away = all(board.distance(start, label) == n for n, label in enumerate(way))
            is_passable = all(price(a, b) != CLOSED for a, b in nx.utils.pairwise(way))
            meets_no_enemy = all(side_at(at, label) in (None, side) for label in way[1:])
            went_on_because_full = all(len(units_in(at, label)) >= at.world.stacking for label in way[hexes:-1])
            ends_with_room = len(units_in(at, end)) < at.world.stacking
            if is_long_enough and leads_away and is_passable and meets_no_enemy and went_on_because_full and ends_with_room:
                found[tuple(way)] = sum(label in zone(at, side) and not units_in(at, label) for label in way[1:])
    return found


@given(positions() | positions(stacking=1), st.integers(1, 2), st.data())
def test_the_ways_are_those_of_the_rule(at: At, hexes: int, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    options = retreat_options(at, unit, hexes, (lambda at, unit, way: at.world.board.index(way.path[-1]),))
    expected = reference(at, unit, hexes)
    assert {option.path: option.losses for option in options} == expected
    for option in options:
        assert option.overflow == len(option.path) - 1 - hexes
        lost = int(option.losses >= at.state.steps[unit])
        assert option.rank == (lost, option.losses, at.world.board.index(option.path[-1]))
    assert [option.rank for option in options] == sorted(option.rank for option in options)


@given(positions() | positions(stacking=1), st.integers(1, 2), st.data())
def test_nobody_is_left_behind_and_losses_are_paid(at: At, hexes: int, data: st.DataObject) -> None:
    """Play a retreat to its end: everybody has gone a way of the rule or is lost, and paid what the way costs."""
    hexes_with = sorted({at.state.at[unit] for unit in standing(at)})
    assume(hexes_with)
    origin = data.draw(st.sampled_from(hexes_with))
    units = tuple(units_in(at, origin))
    doing = play(at)
    doing.push(Retreating(UNITS[units[0]].side, units, origin, hexes))
    chance = data.draw(st.randoms())
    while doing.state.stack:
        step = doing.state.stack[-1]
        waiting = set(step.waiting(doing))
        steps = dict(doing.state.steps)
        ways = {unit: reference(doing, unit, hexes) for unit in waiting}
        seats = step.deciders(doing)
        if seats:
            action = chance.choice(list(step.actions(doing, seats[0])))
            step.perform(doing, seats[0], action)
        else:
            step.resume(doing)
        for unit in waiting - set(doing.state.stack[-1].waiting(doing) if doing.state.stack else ()):
            if unit in doing.state.at:
                went = next(way for way in ways[unit] if way[-1] == doing.state.at[unit])
                cheapest = min(ways[unit].values())
                assert steps[unit] - doing.state.steps[unit] == cheapest, went
            else:
                assert not ways[unit] or min(ways[unit].values()) >= steps[unit]
    assert not [unit for unit in units if doing.state.at.get(unit) == origin]
    assert all(len(stack) <= at.world.stacking for label, stack in doing.state.layout.stacks.items() if label in at.world.board)


def test_criteria_see_the_whole_way() -> None:
    full = {"b1": "0504", "b2": "0604", "b3": "0604", "r1": "0404"}
    at = position(world(plain_board()), full)

    def overflow(at: At, unit: str, way: RetreatOption) -> int:
        assert way.rank == ()
        return way.overflow

    ranked = [(option.losses, option.overflow) for option in retreat_options(at, "b1", 1, (overflow,))]
    assert ranked == [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 0), (1, 0)], (
        "without loss: two at once, three over the full hex"
    )


def test_a_unit_pays_only_at_hexes_of_the_way_without_friends() -> None:
    at = position(world(plain_board()), {"b1": "0504", "b2": "0604", "r1": "0603", "r2": "0703"})
    assert costly_hexes(at, "b1", ("0504", "0604", "0704")) == [2]
    assert costly_hexes(at, "b1", ("0504", "0503", "0502")) == [1, 2]


def test_the_refusals_of_a_retreat() -> None:
    at = position(world(plain_board()), {"b1": "0504", "r1": "0404"})
    step = Retreating("blue", ("b1",), "0504", 1)
    worse = step.refuse(at, "blue", Retreat("b1", ("0504", "0503")))
    wrong = step.refuse(at, "blue", Retreat("b1", ("0504", "0404")))
    assert worse is not None
    assert wrong is not None
    assert (worse.clause, wrong.clause) == (CITE["retreat.best"], CITE["retreat"])
    assert step.refuse(at, "blue", Retreat("b2", ("0504", "0503"))) is None
    assert str(Retreat("b1", ("0504", "0604", "0704"))) == "retreat b1 to 0704 by 0604 0704"
    shut = position(world(plain_board(1, 1)), {"b1": "0101"})
    none = Retreating("blue", ("b1",), "0101", 1).refuse(shut, "blue", Retreat("b1", ("0101", "0102")))
    assert none is not None
    assert none.clause == CITE["retreat.none"]


def test_closed_ground_may_change_with_the_weather() -> None:
    hooks = Hooks(
        {"movement_cost": (lambda world, conditions, mover, origin, target, cost: CLOSED if target == "0604" else cost,)}
    )
    at = position(world(plain_board(), hooks=hooks), {"b1": "0504"})
    assert all("0604" not in option.path for option in retreat_options(at, "b1", 1))


def test_no_farther_than_the_overflow() -> None:
    """Everything is full up to three hexes away; a retreat of one hex may go on for two, so it is lost."""
    board = plain_board(12, 12)

    def full(world: object, side: str, hex: str, limit: int) -> int | None:
        return 0 if board.distance(hex, "0606") <= 3 else None

    at = position(world(board, hooks=Hooks({"stacking_limit": (full,)})), {"b1": "0606"})
    assert retreat_options(at, "b1", 1) == []
    assert {option.overflow for option in retreat_options(at, "b1", 2)} == {2}
    at.world.retreat_overflow = 3
    assert {len(option.path) - 1 for option in retreat_options(at, "b1", 1)} == {4}
