"""10.6 Retreats of any length that lead anywhere, against a slow and literal reading, on boards of the mechanics' tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import hexwar_ava.combat
from hexwar.board import CLOSED
from hexwar.engine import Play
from hexwar.mechanics import Measure, Pursue, Pursuing, Retreat, Retreating, RetreatOption, RetreatRules
from hexwar.pieces import Why
from hexwar_ava.combat import AvaRetreat
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


class Anywhere(AvaRetreat):
    """The search of 10.6.11 without lines; some steps may only come first."""

    late: Set[tuple[str, str]] = frozenset()

    def why_not_into(self, at: At, unit: str, path: tuple[str, ...], label: str) -> Why | None:
        late = len(path) > 1 and (path[-1], label) in self.late
        return ("retreat", "too late") if late else RetreatRules.why_not_into(self, at, unit, path, label)

    def measures(self) -> tuple[Measure, ...]:
        return self.losses, self.full_stacks

    def retreated(self, play: Play, unit: str) -> None:
        """These states remember nothing of it."""


class Wandering(Anywhere):
    """With an order of the hexes that has nothing to do with anything."""

    def measures(self) -> tuple[Measure, ...]:
        return (*super().measures(), self.by_end)

    def by_end(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
        return [at.world.board.index(way.path[-1]) % 3 for way in ways]


def wander(at: At, unit: str, hexes: int) -> Iterator[tuple[str, ...]]:
    """Every way there is, one hex after the other: no hex twice, no enemy, no closed ground; on and on where it is full."""
    board, side = at.world.board, UNITS[unit].side
    late = at.world.retreat.late
    price = price_of(board, UNITS[unit].arm)
    pending: list[tuple[str, ...]] = [(at.state.locations[unit],)]
    while pending:
        way = pending.pop()
        here, gone = way[-1], len(way) - 1
        if gone >= hexes and len(units_in(at, here)) < at.world.stacking.limit(side, here):
            yield way
            continue
        for label in board.graph.neighbors(here):
            is_open = price(here, label) != CLOSED and side_at(at, label) in (None, side)
            if label not in way and is_open and not (gone and (here, label) in late):
                pending.append((*way, label))


@st.composite
def crowded(draw: st.DrawFn) -> At:
    """A position with full hexes about, in which some steps may only come first."""
    at = draw(positions())
    board, of = at.world.board, at.world
    full = draw(st.sets(st.sampled_from(board.disk(draw(st.sampled_from(board.labels)), 2)), max_size=6))
    of.stacking.limit = lambda side, label: 0 if label in full else 2
    of.retreat = Wandering(of)
    of.retreat.late = draw(st.sets(st.sampled_from(list(board.graph.edges)), max_size=6)) if board.graph.edges else set()
    return at


@given(crowded(), st.integers(1, 3), st.data())
def test_the_best_ways_of_any_length_are_those_of_the_rule(at: At, hexes: int, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    hurt = zone(at, UNITS[unit].side)
    judged = {}
    for way in wander(at, unit, hexes):
        losses = sum(label in hurt for label in way[1:])
        end = at.world.board.index(way[-1]) % 3
        judged[way] = (losses, len(way) - 1 - hexes, end)
    expected = sorted(way for way, rank in judged.items() if rank == min(judged.values()))
    best = at.world.retreat.best(at, unit, hexes)
    assert [option.path for option in best] == expected
    options = at.world.retreat.options(at, unit, hexes)
    assert [option.path for option in options if option.rank == options[0].rank] == expected
    assert all(option.rank == judged[option.path] for option in options)
    assert at.world.retreat.is_possible(at, unit, hexes) == bool(expected)
    for way, rank in judged.items():
        assert at.world.retreat.why_not_along(at, unit, hexes, way) is None
        assert len(at.world.retreat.costly_hexes(at, unit, way)) == rank[0]


@given(crowded(), st.integers(1, 3), st.data())
def test_no_other_path_is_a_way(at: At, hexes: int, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    path = [at.state.locations[unit]]
    for _ in range(data.draw(st.integers(0, hexes + 2))):
        path.append(data.draw(st.sampled_from(list(at.world.board.graph.neighbors(path[-1])) or path)))
    expected = tuple(path) in set(wander(at, unit, hexes))
    assert (at.world.retreat.why_not_along(at, unit, hexes, tuple(path)) is None) == expected
    assert at.world.retreat.why_not_along(at, unit, hexes, ("nowhere", *path[1:])) is not None
    assert at.world.retreat.why_not_along(at, unit, hexes, ()) is not None


def island(land: str, full: str) -> At:
    """Blue's b3 in the first of some hexes, all else marsh that tracks cannot enter; some hexes are full."""
    hexes = land.split()
    marsh = {f"{c:02}{r:02}": "m" for c in range(1, 8) for r in range(1, 8) if f"{c:02}{r:02}" not in hexes}
    of = world(plain_board(terrain=marsh))
    of.stacking.limit = lambda side, label: 0 if label in full.split() else 2  # type: ignore[method-assign]
    of.retreat = Wandering(of)
    return position(of, {"b3": hexes[0]})


def test_a_way_may_end_beside_the_start_if_it_is_long_enough() -> None:
    """Round a marsh: both hexes beside the start have room but are too near, so the way leads all round to the other one."""
    at = island("0403 0503 0504 0405 0304 0303", "0504 0405 0304")
    round_about = ("0503", "0504", "0405", "0304", "0303")
    at.world.retreat = Anywhere(at.world)
    ways = [option.path for option in at.world.retreat.best(at, "b3", 2)]
    assert ways == sorted([("0403", *round_about), ("0403", *reversed(round_about))])


def test_a_chain_of_full_stacks_is_passed_to_its_end() -> None:
    corridor = "0204 0304 0404 0504 0604"
    at = island(corridor, "0304 0404")
    (only,) = at.world.retreat.best(at, "b3", 1)
    assert (only.path, only.losses, only.overflow) == (("0204", "0304", "0404", "0504"), 0, 2)
    at = island(corridor, "0304 0404 0504")
    (only,) = at.world.retreat.best(at, "b3", 1)
    assert only.path[-1] == "0604"
    at = island(corridor, corridor)
    assert at.world.retreat.best(at, "b3", 1) == []


def test_a_longer_way_counts_only_if_it_costs_less() -> None:
    """Room at once, in a zone, or after a full stack without one: the steps weigh more than the hexes."""
    of = world(plain_board())
    of.stacking.limit = lambda side, label: 0 if label == "0505" else 2  # type: ignore[method-assign]
    of.retreat = Anywhere(of)
    zoned = {"0403", "0404", "0503", "0504", "0603", "0604", "0605"}
    of.retreat.hurts = lambda at, unit, label: label in zoned  # type: ignore[method-assign]
    at = position(of, {"b1": "0504"})
    best = at.world.retreat.best(at, "b1", 1)
    assert {(option.losses, option.overflow, option.path[1]) for option in best} <= {(0, 0, "0405"), (0, 1, "0505")}
    zoned.add("0405")
    best = at.world.retreat.best(at, "b1", 1)
    assert {(option.losses, option.overflow) for option in best} == {(0, 1)}
    assert {option.path[1] for option in best} == {"0505"}
    zoned.add("0505")
    assert {(option.losses, option.overflow) for option in at.world.retreat.best(at, "b1", 1)} == {(1, 0)}


def test_a_crowded_board_is_searched_without_trying_every_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is full but one hex in the far corner: there are more ways than atoms, and few are followed up."""
    of = world(plain_board(20, 20))
    of.stacking.limit = lambda side, label: 2 if label == "2020" else 0  # type: ignore[method-assign]
    asked = [0]

    class Counting(Anywhere):
        def why_not_into(self, at: At, unit: str, path: tuple[str, ...], label: str) -> Why | None:
            asked[0] += 1
            return super().why_not_into(at, unit, path, label)

    of.retreat = Counting(of)
    monkeypatch.setattr(hexwar_ava.combat, "MANY", 100)
    at = position(of, {"b1": "1010"})
    best = at.world.retreat.best(at, "b1", 2)
    assert best
    assert {(option.path[-1], len(option.path) - 1) for option in best} == {("2020", of.board.distance("1010", "2020"))}
    assert asked[0] < 60_000


def test_the_refusal_says_what_the_better_way_does() -> None:
    class ToTheEast(Wandering):
        def by_end(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
            return [at.world.board.distance(way.path[-1], "0705") for way in ways]

    of = world(plain_board())
    of.stacking.limit = lambda side, label: 0 if label == "0505" else 2  # type: ignore[method-assign]
    of.retreat = ToTheEast(of)
    at = position(of, {"b1": "0504", "r1": "0404"})
    step = Retreating("blue", ("b1",), "0504", 1)
    assert list(step.actions(at, "blue")) == [Retreat("b1", ("0504", "0605"))]
    assert step.deciders(at) == ()
    cases = {
        ("0504", "0405"): ("retreat.best", "the way out by 0605 is better: it costs 0 steps and not 1"),
        ("0504", "0505", "0605"): ("retreat.best", "the way out by 0605 is better: it finds room after 1 hexes and not 2"),
        ("0504", "0604"): ("retreat.best", "the way out by 0605 is better: it ends nearer to supply"),
        ("0504", "0505"): ("retreat", "there is no room in 0505"),
        ("0504", "0604", "0704"): ("retreat", "there is room in 0604, where the retreat ends"),
    }
    for path, (topic, message) in cases.items():
        refusal = step.actions(at, "blue").why_not(Retreat("b1", path))
        assert refusal is not None
        assert (refusal.clause, refusal.message) == (CITE[topic], message)


def test_a_retreat_and_the_pursuit_after_it() -> None:
    """Three empty hexes, two of them in zones: out through the third, and on to where the line is shortest; then they follow."""
    of = world(plain_board(20, 30, terrain={"1624": "f"}))

    class ToTheSouth(Wandering):
        def by_end(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
            return [at.world.board.distance(way.path[-1], "1630") for way in ways]

    of.retreat = ToTheSouth(of)
    of.pursuit.stops = lambda at, unit, origin, target: "pursuit.far" * (of.board.terrain(target) != "clear")  # type: ignore[method-assign]
    at = position(of, {"r1": "1523", "b3": "1522", "b1": "1423", "b2": "1424"})
    step = Retreating("red", ("r1",), "1523", 2)
    assert list(step.actions(at, "red")) == [Retreat("r1", ("1523", "1624", "1625"))]
    refusal = step.actions(at, "red").why_not(Retreat("r1", ("1523", "1524", "1625")))
    assert refusal is not None
    assert refusal.message == "the way out by 1624 1625 is better: it costs 0 steps and not 1"
    doing = play(at)
    doing.push(Pursuing("blue", ("b1", "b2", "b3"), "1523"))
    doing.push(step)
    assert step.deciders(doing) == ()
    step.resume(doing)
    doing.state.stack[-1].resume(doing)
    assert (doing.state.locations["r1"], doing.state.steps_left["r1"]) == ("1625", 2)
    for action in (Pursue("b1", ("1423", "1523")), Pursue("b2", ("1424", "1523")), Pursue("b3", ("1522", "1523", "1624"))):
        step = doing.state.stack[-1]
        assert action in step.actions(doing, "blue")
        step.perform(doing, "blue", action)
    assert {unit: doing.state.locations[unit] for unit in ("b1", "b2", "b3")} == {"b1": "1523", "b2": "1523", "b3": "1624"}
