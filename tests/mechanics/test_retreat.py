"""Ways of retreat against a slow and literal reading of the rule."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
from hypothesis import assume, given
from hypothesis import strategies as st

from hexwar.board import CLOSED
from hexwar.engine import Play
from hexwar.mechanics import Measure, Retreat, Retreating, RetreatOption, RetreatRules
from hexwar.pieces import Why
from tests.mechanics.samples import (
    CITE,
    UNITS,
    At,
    SampleMovement,
    SampleRetreat,
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


class ByEnd(SampleRetreat):
    """Of ways that cost the same, the earlier hex of the board is better."""

    def measures(self) -> tuple[Measure, ...]:
        index = self.world.board.index
        return (*super().measures(), lambda at, unit, ways: [index(way.path[-1]) for way in ways])


def reference(at: At, unit: str, hexes: int, farther: int = 2) -> dict[tuple[str, ...], int]:
    """Every simple path on the board, kept if each sentence of the rule holds for it; path -> losses."""
    board, side, start = at.world.board, UNITS[unit].side, at.state.locations[unit]
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
    at.world.retreat = ByEnd(at.world)
    options = at.world.retreat.options(at, unit, hexes)
    expected = reference(at, unit, hexes)
    assert {option.path: option.losses for option in options} == expected
    for option in options:
        assert option.overflow == len(option.path) - 1 - hexes
        assert option.rank == (option.losses, at.world.board.index(option.path[-1]))
    assert [option.rank for option in options] == sorted(option.rank for option in options)


@given(positions() | positions(stacking=1), st.integers(1, 2), st.data())
def test_nobody_is_left_behind_and_losses_are_paid(at: At, hexes: int, data: st.DataObject) -> None:
    """Play a retreat to its end: everybody has gone a way of the rule or is lost, and paid what the way costs."""
    hexes_with = sorted({at.state.locations[unit] for unit in standing(at)})
    assume(hexes_with)
    origin = data.draw(st.sampled_from(hexes_with))
    units = tuple(units_in(at, origin))
    doing = play(at)
    doing.push(Retreating(UNITS[units[0]].side, units, origin, hexes))
    chance = data.draw(st.randoms())
    while doing.state.stack:
        step = doing.state.stack[-1]
        waiting = set(step.waiting(doing))
        steps = dict(doing.state.steps_left)
        ways = {unit: reference(doing, unit, hexes) for unit in waiting}
        seats = step.deciders(doing)
        if seats:
            action = chance.choice(list(step.actions(doing, seats[0])))
            step.perform(doing, seats[0], action)
        else:
            step.resume(doing)
        for unit in waiting - set(doing.state.stack[-1].waiting(doing) if doing.state.stack else ()):
            if unit in doing.state.locations:
                went = next(way for way in ways[unit] if way[-1] == doing.state.locations[unit])
                cheapest = min(ways[unit].values())
                assert steps[unit] - doing.state.steps_left[unit] == cheapest, went
            else:
                assert not ways[unit] or min(ways[unit].values()) >= steps[unit]
    assert not [unit for unit in units if doing.state.locations.get(unit) == origin]
    assert all(
        len(stack) <= at.world.stacking.most for label, stack in doing.state.layout.stacks.items() if label in at.world.board
    )


def test_measures_see_the_whole_way() -> None:
    full = {"b1": "0504", "b2": "0604", "b3": "0604", "r1": "0404"}
    at = position(world(plain_board()), full)

    class Overflowing(SampleRetreat):
        def measures(self) -> tuple[Measure, ...]:
            return (*super().measures(), self.overflowing)

        def overflowing(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
            assert all(way.rank == () for way in ways)
            return [way.overflow for way in ways]

    ranked = [(option.losses, option.overflow) for option in Overflowing(at.world).options(at, "b1", 1)]
    assert ranked == [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 0), (1, 0)], (
        "without loss: two at once, three over the full hex"
    )


def test_a_unit_pays_only_at_hexes_of_the_way_without_friends() -> None:
    at = position(world(plain_board()), {"b1": "0504", "b2": "0604", "r1": "0603", "r2": "0703"})
    assert at.world.retreat.costly_hexes(at, "b1", ("0504", "0604", "0704")) == [2]
    assert at.world.retreat.costly_hexes(at, "b1", ("0504", "0503", "0502")) == [1, 2]


def test_the_refusals_of_a_retreat() -> None:
    at = position(world(plain_board()), {"b1": "0504", "r1": "0404"})
    step = Retreating("blue", ("b1",), "0504", 1)
    worse = step.actions(at, "blue").why_not(Retreat("b1", ("0504", "0503")))
    wrong = step.actions(at, "blue").why_not(Retreat("b1", ("0504", "0404")))
    assert worse is not None
    assert wrong is not None
    assert (worse.clause, wrong.clause) == (CITE["retreat.best"], CITE["retreat"])
    assert step.actions(at, "blue").why_not(Retreat("b2", ("0504", "0503"))) is None
    assert str(Retreat("b1", ("0504", "0604", "0704"))) == "retreat b1 to 0704 by 0604 0704"
    shut = position(world(plain_board(1, 1)), {"b1": "0101"})
    none = Retreating("blue", ("b1",), "0101", 1).actions(shut, "blue").why_not(Retreat("b1", ("0101", "0102")))
    assert none is not None
    assert none.clause == CITE["retreat.none"]


def test_closed_ground_may_change_with_the_weather() -> None:
    class Flood(SampleMovement):
        def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
            return CLOSED if target == "0604" else printed

    at = position(world(plain_board(), parts={"movement": Flood}), {"b1": "0504"})
    assert all("0604" not in option.path for option in at.world.retreat.options(at, "b1", 1))


def test_no_farther_than_the_overflow() -> None:
    """Everything is full up to three hexes away; a retreat of one hex may go on for two, so it is lost."""
    board = plain_board(12, 12)
    at = position(world(board), {"b1": "0606"})
    at.world.stacking.limit = lambda side, label: 0 if board.distance(label, "0606") <= 3 else 2
    assert at.world.retreat.options(at, "b1", 1) == []
    assert {option.overflow for option in at.world.retreat.options(at, "b1", 2)} == {2}
    at.world.retreat.overflow = 3
    assert {len(option.path) - 1 for option in at.world.retreat.options(at, "b1", 1)} == {4}


def test_measures_are_asked_only_where_ways_are_equal_so_far() -> None:
    at = position(world(plain_board()), {"b1": "0504", "r1": "0404"})
    sets: list[list[str]] = []

    class Asking(SampleRetreat):
        def measures(self) -> tuple[Measure, ...]:
            return (*super().measures(), self.not_there, self.there, self.there)

        def not_there(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
            sets.append(sorted(way.path[-1] for way in ways))
            return [int(way.path[-1] == "0505") for way in ways]

        def there(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
            sets.append(sorted(way.path[-1] for way in ways))
            return [int(way.path[-1] != "0604") for way in ways]

    rules = Asking(at.world)
    best = rules.best(at, "b1", 1)
    assert [(option.path, option.rank) for option in best] == [(("0504", "0604"), (0, 0, 0))]
    assert sets == [["0505", "0604", "0605"], ["0604", "0605"]], "not those in the zone; and nobody asks when one way is left"
    ranked = {option.path[-1]: option.rank for option in rules.options(at, "b1", 1)}
    assert ranked == {
        "0604": (0, 0, 0, 0),
        "0605": (0, 0, 1, 1),
        "0505": (0, 1, 1, 1),
        "0405": (1, 0, 1, 1),
        "0503": (1, 0, 1, 1),
    }


@given(positions() | positions(stacking=1), st.integers(1, 2), st.data())
def test_what_is_offered_is_what_nothing_speaks_against(at: At, hexes: int, data: st.DataObject) -> None:
    """The search is a shortcut of the rule: over all paths of that length and somewhat longer they agree."""
    units = standing(at)
    assume(units)
    unit, rules = data.draw(st.sampled_from(units)), at.world.retreat
    start, graph = at.state.locations[unit], at.world.board.graph
    paths = [tuple(path) for end in graph if end != start for path in nx.all_simple_paths(graph, start, end, cutoff=hexes + 1)]
    possible = {option.path for option in rules.options(at, unit, hexes) if len(option.path) <= hexes + 2}
    assert possible == {path for path in paths if rules.why_not_along(at, unit, hexes, path) is None}
    best = {option.path for option in rules.best(at, unit, hexes) if len(option.path) <= hexes + 2}
    assert best == {path for path in paths if rules.why_not(at, unit, hexes, path) is None}


def test_who_is_lost_goes_where_the_ruleset_sends_it_and_who_is_not_is_remembered() -> None:
    of = world(plain_board(terrain=dict.fromkeys(("0403", "0503", "0603", "0604", "0605", "0505", "0405"), "m")))
    seen: list[tuple[str, str, int]] = []
    graves: list[tuple[str, str]] = []

    def grave(at: At, unit: str, topic: str) -> tuple[str, str]:
        graves.append((unit, topic))
        return "pool", CITE["losses"]

    of.grave = grave  # type: ignore[method-assign]

    class OneWay(RetreatRules):
        def retreated(self, play: Play, unit: str) -> None:
            seen.append((unit, play.state.locations[unit], play.state.steps_left[unit]))

        def hurts(self, at: At, unit: str, label: str) -> bool:
            return label == "0405"

        def why_not_into(self, at: At, unit: str, path: tuple[str, ...], label: str) -> Why | None:
            why = super().why_not_into(at, unit, path, label)
            return why if why or label == "0405" else ("retreat", "not there")

    of.retreat = OneWay(of)
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
    assert (doing.state.locations["b2"], doing.state.locations["b3"]) == ("pool", "pool")
    lost = [event.clause for event in doing.events if event.kind == "unit-eliminated"]
    assert lost == [CITE["retreat.zone"], CITE["retreat.none"]]
