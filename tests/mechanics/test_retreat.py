"""Ways of retreat against a slow and literal reading of the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import CLOSED
from hexwar.engine import Hooks
from hexwar.mechanics import Pursue, Pursuing, Retreat, Retreating, RetreatOption
from hexwar.mechanics import retreat_paths as ways_out
from hexwar.mechanics.retreat_paths import best_retreats, can_retreat, costly_hexes, retreat_options, way_along
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
            went_on_because_full = all(len(units_in(at, label)) >= at.world.stacking.most for label in way[hexes:-1])
            ends_with_room = len(units_in(at, end)) < at.world.stacking.most
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
    assert all(
        len(stack) <= at.world.stacking.most for label, stack in doing.state.layout.stacks.items() if label in at.world.board
    )


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


# -- retreats of any length that need not lead away -------------------------------------------------------------------------


def overflow(at: At, unit: str, way: RetreatOption) -> int:
    """Full stacks are avoided next."""
    return way.overflow


def by_end(at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
    """An order of the hexes that has nothing to do with anything."""
    return [at.world.board.index(way.path[-1]) % 3 for way in ways]


def wander(at: At, unit: str, hexes: int) -> Iterator[tuple[str, ...]]:
    """Every way there is, one hex after the other: no hex twice, no enemy, no closed ground; on and on where it is full."""
    board, side = at.world.board, UNITS[unit].side
    late = getattr(at.world, "late", ())
    price = price_of(board, UNITS[unit].arm)
    pending: list[tuple[str, ...]] = [(at.state.at[unit],)]
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
    """A position with full hexes about, in which a zone hurts with and without friends, and some steps may only come first."""
    full = draw(st.sets(st.integers(0, 12), max_size=6))
    order: list[str] = []

    def limit(world: object, side: str, hex: str, limit: int) -> int | None:
        return 0 if hex in order and order.index(hex) in full else None

    at = draw(positions(hooks=Hooks({"stacking_limit": (limit,)})))
    board, of = at.world.board, at.world
    order += draw(st.permutations(board.disk(draw(st.sampled_from(board.labels)), 2)))
    of.retreat_away, of.retreat_overflow = False, None
    of.retreat_criteria, of.retreat_rankings = (overflow,), (by_end,)
    of.late = draw(st.sets(st.sampled_from(list(board.graph.edges)), max_size=6)) if board.graph.edges else set()
    of.may_retreat = lambda at, unit, path, label: len(path) < 2 or (path[-1], label) not in of.late
    of.retreat_hurts = lambda at, unit, label: label in zone(at, UNITS[unit].side)
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
        judged[way] = (int(losses >= at.state.steps[unit]), losses, len(way) - 1 - hexes, end)
    expected = sorted(way for way, rank in judged.items() if rank == min(judged.values()))
    best = best_retreats(at, unit, hexes, at.world.retreat_criteria)
    assert [option.path for option in best] == expected
    options = retreat_options(at, unit, hexes, at.world.retreat_criteria)
    assert [option.path for option in options if option.rank == options[0].rank] == expected
    assert all(option.rank == judged[option.path] for option in options)
    assert can_retreat(at, unit, hexes) == bool(expected)
    for way, rank in judged.items():
        found = way_along(at, unit, hexes, way)
        assert found is not None
        assert (found.losses, found.overflow) == rank[1:3]


@given(crowded(), st.integers(1, 3), st.data())
def test_no_other_path_is_a_way(at: At, hexes: int, data: st.DataObject) -> None:
    units = standing(at)
    assume(units)
    unit = data.draw(st.sampled_from(units))
    path = [at.state.at[unit]]
    for _ in range(data.draw(st.integers(0, hexes + 2))):
        path.append(data.draw(st.sampled_from(list(at.world.board.graph.neighbors(path[-1])) or path)))
    expected = tuple(path) in set(wander(at, unit, hexes))
    assert (way_along(at, unit, hexes, tuple(path)) is not None) == expected
    assert way_along(at, unit, hexes, ("nowhere", *path[1:])) is None
    assert way_along(at, unit, hexes, ()) is None


def island(land: str, full: str) -> At:
    """Blue's b3 in the first of some hexes, all else marsh that tracks cannot enter; some hexes are full."""
    hexes = land.split()
    marsh = {f"{c:02}{r:02}": "m" for c in range(1, 8) for r in range(1, 8) if f"{c:02}{r:02}" not in hexes}
    crowd = Hooks({"stacking_limit": (lambda world, side, hex, limit: 0 if hex in full.split() else None,)})
    of = world(plain_board(terrain=marsh), hooks=crowd)
    of.retreat_away, of.retreat_overflow = False, None
    of.retreat_criteria, of.retreat_rankings = (overflow,), (by_end,)
    return position(of, {"b3": hexes[0]})


def test_a_way_may_end_beside_the_start_if_it_is_long_enough() -> None:
    """Round a marsh: both hexes beside the start have room but are too near, so the way leads all round to the other one."""
    at = island("0403 0503 0504 0405 0304 0303", "0504 0405 0304")
    round_about = ("0503", "0504", "0405", "0304", "0303")
    at.world.retreat_rankings = ()
    ways = [option.path for option in best_retreats(at, "b3", 2, (overflow,))]
    assert ways == sorted([("0403", *round_about), ("0403", *reversed(round_about))])


def test_a_chain_of_full_stacks_is_passed_to_its_end() -> None:
    corridor = "0204 0304 0404 0504 0604"
    at = island(corridor, "0304 0404")
    (only,) = best_retreats(at, "b3", 1, (overflow,))
    assert (only.path, only.losses, only.overflow) == (("0204", "0304", "0404", "0504"), 0, 2)
    (only,) = best_retreats(island(corridor, "0304 0404 0504"), "b3", 1, (overflow,))
    assert only.path[-1] == "0604"
    assert best_retreats(island(corridor, corridor), "b3", 1, (overflow,)) == []
    at.world.retreat_overflow = 1
    assert best_retreats(at, "b3", 1, (overflow,)) == []


def test_a_longer_way_counts_only_if_it_costs_less() -> None:
    """Room at once, in a zone, or after a full stack without one: the steps weigh more than the hexes."""
    of = world(plain_board(), hooks=Hooks({"stacking_limit": (lambda world, side, hex, limit: 0 if hex == "0505" else None,)}))
    of.retreat_away, of.retreat_overflow = False, None
    zoned = {"0403", "0404", "0503", "0504", "0603", "0604", "0605"}
    of.retreat_hurts = lambda at, unit, label: label in zoned  # type: ignore[method-assign]
    at = position(of, {"b1": "0504"})
    best = best_retreats(at, "b1", 1, (overflow,))
    assert {(option.losses, option.overflow, option.path[1]) for option in best} <= {(0, 0, "0405"), (0, 1, "0505")}
    zoned.add("0405")
    best = best_retreats(at, "b1", 1, (overflow,))
    assert {(option.losses, option.overflow) for option in best} == {(0, 1)}
    assert {option.path[1] for option in best} == {"0505"}
    zoned.add("0505")
    assert {(option.losses, option.overflow) for option in best_retreats(at, "b1", 1, (overflow,))} == {(1, 0)}


def test_a_crowded_board_is_searched_without_trying_every_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is full but one hex in the far corner: there are more ways than atoms, and few are followed up."""
    crowd = Hooks({"stacking_limit": (lambda world, side, hex, limit: None if hex == "2020" else 0,)})
    of = world(plain_board(20, 20), hooks=crowd)
    of.retreat_away, of.retreat_overflow = False, None
    asked = [0]

    def may_retreat(at: At, unit: str, path: tuple[str, ...], label: str) -> bool:
        asked[0] += 1
        return True

    of.may_retreat = may_retreat  # type: ignore[method-assign]
    monkeypatch.setattr(ways_out, "MANY", 100)
    at = position(of, {"b1": "1010"})
    best = best_retreats(at, "b1", 2, (overflow,))
    assert best
    assert {(option.path[-1], len(option.path) - 1) for option in best} == {("2020", of.board.distance("1010", "2020"))}
    assert asked[0] < 40_000


def test_criteria_are_asked_only_where_ways_are_equal_so_far() -> None:
    at = position(world(plain_board()), {"b1": "0504", "r1": "0404"})
    asked: list[str] = []
    sets: list[list[str]] = []

    def criterion(at: At, unit: str, way: RetreatOption) -> int:
        asked.append(way.path[-1])
        return int(way.path[-1] == "0505")

    def ranking(at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
        sets.append(sorted(way.path[-1] for way in ways))
        return [int(way.path[-1] != "0604") for way in ways]

    at.world.retreat_rankings = (ranking, ranking)
    free = ["0505", "0604", "0605"]
    best = best_retreats(at, "b1", 1, (criterion,))
    assert [(option.path, option.rank) for option in best] == [(("0504", "0604"), (0, 0, 0, 0))]
    assert sorted(asked) == free, "not those in the zone"
    assert sets == [["0604", "0605"]], "all at once; and nobody asks when there is one way left"
    ranked = {option.path[-1]: option.rank for option in retreat_options(at, "b1", 1, (criterion,))}
    assert ranked == {
        "0604": (0, 0, 0, 0, 0),
        "0605": (0, 0, 0, 1, 1),
        "0505": (0, 0, 1, 1, 1),
        "0405": (0, 1, 0, 1, 1),
        "0503": (0, 1, 0, 1, 1),
    }


def test_the_refusal_says_what_the_better_way_does() -> None:
    def far(at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
        return [at.world.board.distance(way.path[-1], "0705") for way in ways]

    full = Hooks({"stacking_limit": (lambda world, side, hex, limit: 0 if hex == "0505" else None,)})
    of = world(plain_board(), hooks=full)
    of.retreat_away, of.retreat_overflow = False, None
    of.retreat_criteria, of.retreat_rankings = (overflow,), (far,)
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
        refusal = step.refuse(at, "blue", Retreat("b1", path))
        assert refusal is not None
        assert (refusal.clause, refusal.message) == (CITE[topic], message)


def test_who_is_lost_goes_where_the_ruleset_sends_it_and_who_is_not_is_remembered() -> None:
    of = world(plain_board(terrain=dict.fromkeys(("0403", "0503", "0603", "0604", "0605", "0505", "0405"), "m")))
    seen: list[tuple[str, str, int]] = []
    graves: list[tuple[str, str]] = []

    def grave(at: At, unit: str, topic: str) -> tuple[str, str]:
        graves.append((unit, topic))
        return "pool", CITE["losses"]

    of.grave = grave  # type: ignore[method-assign]
    of.on_retreat = lambda play, unit: seen.append((unit, play.state.at[unit], play.state.steps[unit]))  # type: ignore[method-assign]
    of.retreat_hurts = lambda at, unit, label: label == "0405"  # type: ignore[method-assign]
    of.may_retreat = lambda at, unit, path, label: label == "0405"  # type: ignore[method-assign]
    doing = play(position(of, {"b1": "0504", "b2": "0504", "b3": "0504"}, reduced=["b2"]))
    doing.push(Retreating("blue", ("b1", "b2", "b3"), "0504", 1))
    while doing.state.stack:
        step = doing.state.stack[-1]
        actions = list(step.actions(doing, "blue")) if step.deciders(doing) else []
        if actions:
            step.perform(doing, "blue", actions[0])
        else:
            step.resume(doing)
    assert seen == [("b1", "0405", 1)], "after its loss"
    assert graves == [("b2", "retreat.zone"), ("b3", "retreat.none")]
    assert (doing.state.at["b2"], doing.state.at["b3"]) == ("pool", "pool")
    lost = [event.clause for event in doing.events if event.kind == "unit-eliminated"]
    assert lost == [CITE["retreat.zone"], CITE["retreat.none"]]


def test_a_retreat_and_the_pursuit_after_it() -> None:
    """Three empty hexes, two of them in zones: out through the third, and on to where the line is shortest; then they follow."""
    of = world(plain_board(20, 30, terrain={"1624": "f"}))
    of.retreat_away, of.retreat_overflow = False, None
    of.retreat_criteria = (overflow,)
    of.retreat_rankings = (lambda at, unit, ways: [at.world.board.distance(way.path[-1], "1630") for way in ways],)
    of.stops_pursuit = lambda at, unit, origin, target: at.world.board.terrain(target) != "clear"  # type: ignore[method-assign]
    at = position(of, {"r1": "1523", "b3": "1522", "b1": "1423", "b2": "1424"})
    step = Retreating("red", ("r1",), "1523", 2)
    assert list(step.actions(at, "red")) == [Retreat("r1", ("1523", "1624", "1625"))]
    refusal = step.refuse(at, "red", Retreat("r1", ("1523", "1524", "1625")))
    assert refusal is not None
    assert refusal.message == "the way out by 1624 1625 is better: it costs 0 steps and not 1"
    doing = play(at)
    doing.push(Pursuing("blue", ("b1", "b2", "b3"), "1523"))
    doing.push(step)
    assert step.deciders(doing) == ()
    step.resume(doing)
    doing.state.stack[-1].resume(doing)
    assert (doing.state.at["r1"], doing.state.steps["r1"]) == ("1625", 2)
    for action in (Pursue("b1", ("1423", "1523")), Pursue("b2", ("1424", "1523")), Pursue("b3", ("1522", "1523", "1624"))):
        step = doing.state.stack[-1]
        assert action in step.actions(doing, "blue")
        step.perform(doing, "blue", action)
    assert {unit: doing.state.at[unit] for unit in ("b1", "b2", "b3")} == {"b1": "1523", "b2": "1523", "b3": "1624"}
