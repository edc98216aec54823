"""Pursuit against literal references; arrival and losses by example."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import CLOSED
from hexwar.mechanics import Arrive, Arriving, Pursue, Pursuing
from hexwar.pieces import Done, LoseStep, Losing, OneByOne
from tests.mechanics.samples import (
    BLUE,
    CITE,
    UNITS,
    At,
    SampleWorld,
    plain_board,
    play,
    position,
    positions,
    price_of,
    side_at,
    standing,
    units_in,
    world,
)


@given(positions(), st.data())
def test_pursuit_leads_over_the_vacated_hex_as_far_as_the_arm_goes(at: At, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    board, here, side = at.world.board, at.state.locations[unit], UNITS[unit].side
    assume(board.neighbours(here))
    target = data.draw(st.sampled_from(board.neighbours(here)))
    stops = data.draw(st.sets(st.sampled_from(board.labels)))
    at.world.pursuit.stops = lambda at, unit, origin, target: "pursuit.far" * (target in stops)
    price = price_of(board, UNITS[unit].arm)
    farthest = {"foot": 1, "tracks": 3}[UNITS[unit].arm]
    expected = set()
    for end in board.graph:
        for way in nx.all_simple_paths(board.graph, here, end, cutoff=farthest) if end != here else ():
            begins_with_the_hex = way[1] == target
            is_open = all(price(a, b) != CLOSED and side_at(at, b) in (None, side) for a, b in nx.utils.pairwise(way))
            is_not_stopped = not stops.intersection(way[1:-1])
            if begins_with_the_hex and is_open and is_not_stopped and len(units_in(at, end)) < 2:
                expected.add(tuple(way))
    found = at.world.pursuit.paths(at, unit, target)
    assert set(found) == expected
    assert len(found) == len(expected)
    near = nx.single_source_shortest_path(board.graph, here, cutoff=farthest + 1).values()
    for path in (*expected, *(tuple(path) for path in near)):
        assert (at.world.pursuit.why_not(at, unit, target, path) is None) == (path in expected)


def test_only_neighbours_pursue_and_only_arms_that_may() -> None:
    at = position(world(plain_board()), {"b1": "0404", "b3": "0404"})
    assert at.world.pursuit.paths(at, "b1", "0604") == []
    at.world.pursuit.hexes = lambda arm: 0
    assert at.world.pursuit.paths(at, "b1", "0504") == []
    assert Pursuing("blue", ("b1",), "0504").deciders(at) == ()


def test_a_pursuit_played_out() -> None:
    doing = play(position(world(plain_board()), {"b1": "0404", "b2": "0404", "b3": "0405"}))
    doing.push(Pursuing("blue", ("b1", "b2", "b3"), "0504"))
    step = doing.state.stack[-1]
    assert step.prompt(doing, "blue") == "Pursue into 0504 with b1, b2, b3?"
    assert str(Pursue("b1", ("0404", "0504"))) == "b1 pursues to 0504"
    step.perform(doing, "blue", Pursue("b1", ("0404", "0504")))
    step = doing.state.stack[-1]
    step.perform(doing, "blue", Pursue("b2", ("0404", "0504")))
    step = doing.state.stack[-1]
    assert step.units == ("b3",)
    assert Pursue("b3", ("0405", "0504")) not in step.actions(doing, "blue"), "it is full"
    assert Pursue("b3", ("0405", "0504", "0604")) in step.actions(doing, "blue"), "but may be passed"
    assert step.actions(doing, "blue").why_not(Done()) is None
    assert step.actions(doing, "blue").why_not(Pursue("b1", ("0504", "0604"))) is None
    step.perform(doing, "blue", Done())
    assert doing.state.stack == []


def test_arrival_by_example() -> None:
    units = {"b1": "pool", "b2": "pool", "b3": "0101", "bQ": "0101", "r1": "0103"}
    doing = play(position(world(plain_board()), units))
    doing.push(Arriving("blue", ("b1", "b2"), ("0101", "0102", "0103", "0105")))
    step = doing.state.stack[-1]
    assert step.prompt(doing, "blue") == "Bring in reinforcements: b1, b2."
    assert list(step.actions(doing, "blue")) == [Done(), Arrive("b1", "0105"), Arrive("b2", "0105")]
    step.perform(doing, "blue", Arrive("b1", "0105"))
    step = doing.state.stack[-1]
    assert doing.state.locations["b1"] == "0105"
    assert step.actions(doing, "blue").why_not(Done()) is None
    gone = step.actions(doing, "blue").why_not(Arrive("b1", "0105"))
    assert gone is not None
    assert (gone.clause, gone.message) == (CITE["arrival"], "b1 does not wait for its arrival")
    step.perform(doing, "blue", Arrive("b2", "0105"))
    step = doing.state.stack[-1]
    assert step.deciders(doing) == ()
    step.resume(doing)
    assert doing.state.stack == []
    assert str(Arrive("b1", "0105")) == "b1 arrives at 0105"


@given(positions(), st.integers(0, 6), st.randoms())
def test_exactly_the_demanded_steps_are_lost(at: At, demanded: int, chance: object) -> None:
    units = tuple(unit for unit in BLUE if unit in standing(at))
    doing = play(at)
    had = sum(at.state.steps_left[unit] for unit in units)
    others = {unit: steps for unit, steps in at.state.steps_left.items() if unit not in units}
    doing.push(Losing("blue", units, demanded))
    while doing.state.stack:
        step = doing.state.stack[-1]
        if step.deciders(doing):
            assert step.prompt(doing, "blue").startswith(f"Lose {step.left} step")
            step.perform(doing, "blue", chance.choice(list(step.actions(doing, "blue"))))  # type: ignore[attr-defined]
        else:
            step.resume(doing)
    assert had - sum(doing.state.steps_left.get(unit, 0) for unit in units) == min(demanded, had)
    assert {unit: steps for unit, steps in doing.state.steps_left.items() if unit not in units} == others


def outcomes(of: SampleWorld, units: dict[str, str], left: int) -> set[tuple[tuple[str, int], ...]]:
    """The steps that units have left on the board, for every choice that their owner may make."""
    found = set()
    pending: list[tuple[str, ...]] = [()]
    while pending:
        chosen = pending.pop()
        doing = play(position(of, units))
        doing.push(Losing("blue", tuple(units), left))
        script = list(chosen)
        while doing.state.stack:
            step = doing.state.stack[-1]
            if not step.deciders(doing):
                step.resume(doing)
            elif script:
                step.perform(doing, "blue", LoseStep(script.pop(0)))
            else:
                pending += [(*chosen, action.unit) for action in step.actions(doing, "blue")]
                break
        else:
            found.add(tuple((unit, doing.state.steps_left[unit] if unit in standing(doing) else 0) for unit in units))
    return found


@pytest.mark.parametrize("box", ["", "pool"])
def test_the_owner_chooses_among_all_ways_to_lose_two_steps(box: str) -> None:
    """Wherever the eliminated lie: in a box they have all their steps again, but none to lose."""
    of = world(plain_board())
    of.grave = lambda at, unit, topic: (box, CITE["losses"])  # type: ignore[method-assign]
    both = {"b1": "0404", "b2": "0404"}
    assert outcomes(of, both, 2) == {(("b1", 1), ("b2", 1)), (("b1", 0), ("b2", 2)), (("b1", 2), ("b2", 0))}
    assert outcomes(of, both, 3) == {(("b1", 0), ("b2", 1)), (("b1", 1), ("b2", 0))}
    assert outcomes(of, both, 4) == outcomes(of, both, 9) == {(("b1", 0), ("b2", 0))}
    doing = play(position(of, both))
    doing.push(Losing("blue", ("b1", "b2"), 4))
    for _ in range(4):
        doing.state.stack[-1].resume(doing)
    assert [doing.state.locations.get(unit, "") for unit in both] == [box, box]


def test_a_unit_in_a_box_neither_pursues_nor_loses_steps() -> None:
    at = position(world(plain_board()), {"b1": "0404", "b2": "pool"})
    step = Pursuing("blue", ("b1", "b2"), "0504")
    assert step.waiting(at) == ("b1",)
    assert list(Losing("blue", ("b1", "b2"), 1).actions(at, "blue")) == [LoseStep("b1")]
    refusal = Losing("blue", ("b2",), 1).actions(at, "blue").why_not(LoseStep("b2"))
    assert refusal is not None


def test_who_may_lose_steps() -> None:
    at = position(world(plain_board()), {"b1": "0404", "b2": "0404"})
    step = Losing("blue", ("b1", "b2"), 1)
    assert step.actions(at, "blue").why_not(Done()) is None
    refusal = step.actions(at, "blue").why_not(LoseStep("b3"))
    assert refusal is not None
    assert refusal.message == "b3 is not among the units that take the losses"
    assert str(LoseStep("b1")) == "b1 loses a step"


def test_what_units_do_one_by_one_is_up_to_the_step() -> None:
    at = position(world(plain_board()), {"b1": "0404"})
    with pytest.raises(NotImplementedError):
        OneByOne("blue", ("b1",)).choices(at, "b1")
    with pytest.raises(NotImplementedError):
        OneByOne("blue", ("b1",)).act(play(at), LoseStep("b1"))
