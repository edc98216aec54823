"""Reinforcements: where they may come in, how many, and that asking stays cheap."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import CLOSED
from hexwar.mechanics import Arrive, Arriving
from hexwar.pieces import Done
from tests.mechanics.samples import (
    BLUE,
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


def reference(at: At, unit: str, hexes: tuple[str, ...]) -> list[str]:
    """Hex by hex: no enemy, no enemy zone, some way in for the arm, and room."""
    board, side = at.world.board, UNITS[unit].side
    price = price_of(board, UNITS[unit].arm)
    return [
        label
        for label in hexes
        if side_at(at, label) in (None, side)
        and label not in zone(at, side)
        and any(price(near, label) != CLOSED for near in board.graph.neighbors(label))
        and len(units_in(at, label)) < 2
    ]


@given(positions(), st.data())
def test_units_in_boxes_enter_every_open_hex(at: At, data: st.DataObject) -> None:
    board = at.world.board
    boxed = [unit for unit in BLUE if at.state.locations.get(unit) == "pool"]
    hexes = tuple(data.draw(st.lists(st.sampled_from(board.labels), unique=True)))
    limit = data.draw(st.integers(0, 3))
    step = Arriving("blue", BLUE, hexes, limit)
    assert step.waiting(at) == (tuple(boxed) if limit else ())
    expected = [Arrive(unit, label) for unit in step.waiting(at) for label in reference(at, unit, hexes)]
    assert list(step.actions(at, "blue")) == [Done(), *expected]
    assert step.deciders(at) == (("blue",) if expected else ())
    for unit in step.waiting(at):
        for label in board.labels:
            assert (step.actions(at, "blue").why_not(Arrive(unit, label)) is None) == (Arrive(unit, label) in expected)


@given(positions(), st.integers(1, 3), st.randoms())
def test_no_more_come_than_the_limit(at: At, limit: int, chance: Any) -> None:
    boxed = [unit for unit in BLUE if at.state.locations.get(unit) == "pool"]
    assume(boxed)
    doing = play(at)
    doing.push(Arriving("blue", BLUE, at.world.board.labels, limit))
    came = 0
    while doing.state.stack:
        step = doing.state.stack[-1]
        if step.deciders(doing):
            step.perform(doing, "blue", chance.choice(list(step.actions(doing, "blue"))[1:]))
            came += 1
        else:
            step.resume(doing)
    assert came == sum(doing.state.locations[unit] != "pool" for unit in boxed) <= limit


def test_the_limit_by_example() -> None:
    doing = play(position(world(plain_board()), {"b1": "pool", "b2": "pool", "b3": "pool", "bQ": "0404"}))
    doing.push(Arriving("blue", ("b1", "b2", "b3", "bQ"), ("0101", "0102"), 2))
    step = doing.state.stack[-1]
    assert step.prompt(doing, "blue") == "Bring in reinforcements (no more than 2): b1, b2, b3."
    on_map = step.actions(doing, "blue").why_not(Arrive("bQ", "0101"))
    assert on_map is not None
    assert on_map.message == "bQ does not wait for its arrival"
    step.perform(doing, "blue", Arrive("b1", "0101"))
    step = doing.state.stack[-1]
    assert (step.limit, step.prompt(doing, "blue")) == (1, "Bring in reinforcements (no more than 1): b2, b3.")
    doing.state.remove("b3")
    step.strike_off(doing, "b3")
    step = doing.state.stack[-1]
    assert step.limit == 1, "one that is out of the game uses nothing up"
    step.perform(doing, "blue", Arrive("b2", "0101"))
    step = doing.state.stack[-1]
    refusal = step.actions(doing, "blue").why_not(Arrive("b2", "0102"))
    assert refusal is not None
    assert (refusal.clause, refusal.message) == (CITE["arrival"], "no more units may arrive now")
    assert step.deciders(doing) == ()


@pytest.mark.parametrize(
    ("label", "message"),
    [
        (
            "0707",
            "b1 may not enter at 0707; only at 0101, 0102, 0103, 0104, 0105, 0106, 0107, 0201, 0202, 0203, 0204, 0205 and 9 more",
        ),
        ("0303", "the enemy stands in 0303"),
        ("0304", "0304 lies in an enemy zone of control"),
        ("0101", "0101 is full"),
    ],
)
def test_why_not_there(label: str, message: str) -> None:
    at = position(world(plain_board()), {"b1": "pool", "b2": "0101", "b3": "0101", "r1": "0303"})
    step = Arriving("blue", ("b1",), tuple(f"{c:02}{r:02}" for c in (1, 2, 3) for r in range(1, 8)))
    refusal = step.actions(at, "blue").why_not(Arrive("b1", label))
    assert refusal is not None
    topic = "stacking" if "full" in message else "arrival.hex"
    assert (refusal.clause, refusal.message) == (CITE[topic], message)


def test_asking_whether_somebody_can_come_looks_no_further_than_the_first() -> None:
    made = world(plain_board(20, 20))
    asked: list[str] = []
    made.stacking.fits = lambda at, units, label: not asked.append(label)  # type: ignore[method-assign,func-returns-value]
    at = position(made, {"b1": "pool", "b2": "pool", "b3": "pool"})
    assert Arriving("blue", BLUE, made.board.labels).deciders(at) == ("blue",)
    assert len(asked) == 1
