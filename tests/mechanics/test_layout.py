"""Where units stand, and what follows from it: kept up to date step by step, it is what it would be made from scratch."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hexwar
from hexwar.engine import Position
from hexwar.errors import UnknownName
from hexwar.mechanics import Layout, Reaches, Supply
from tests.board.strategies import boards
from tests.mechanics.samples import BLUE, RED, UNITS, At, plain_board, position, positions, side_at, units_in, world, zone

SHELTERS = st.sampled_from(((), ("tracks",), ("foot",), ("foot", "tracks")))


@given(st.data())
def test_changed_bit_by_bit_it_is_what_it_would_be_from_scratch(data: st.DataObject) -> None:
    board = data.draw(boards(max_columns=5, max_rows=5))
    at = position(world(board, shelters=data.draw(SHELTERS)), {})
    for _ in range(data.draw(st.integers(1, 25))):
        before, kept = at.state.copy(), dict(at.state.locations)
        unit = data.draw(st.sampled_from(list(UNITS)))
        label = data.draw(st.sampled_from((*board.labels, "pool", "")))
        if not label:
            if unit in at.state.locations:
                at.state.remove(unit)
        elif label == "pool" or side_at(at, label) in (None, UNITS[unit].side):
            at.state.steps_left = {**at.state.steps_left, unit: 1}
            at.state.put(unit, label)
        assert at.state.layout == Layout.of(at.world.basis, at.state.locations)
        assert before.layout == Layout.of(at.world.basis, kept), "a copy changes with its original"
        assert before.locations == kept, "a copy changes with its original"
        if data.draw(st.booleans()):
            at.state = at.state.copy()


def test_what_somebody_writes_into_a_view_is_no_part_of_the_game() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    while not any(decision.action.kind == "move" for decision in game.history):
        game.apply(game.legal_actions(game.to_move[0])[-1], game.to_move[0])
    before, unit = game.digest, next(iter(game.state.locations))
    for seat in (*game.world.seats, None):
        seen: Any = game.view(seat).state.locations
        seen[unit] = "nowhere"
        del seen[next(reversed([*seen]))]
    assert game.digest == before
    assert game.state.layout == Layout.of(game.world.basis, game.state.locations)


def test_a_copy_with_a_layout_made_anew_has_places_of_its_own() -> None:
    at = position(world(plain_board(4, 4)), {BLUE[0]: "0101"})
    made, bare = at.state.copy(), at.state.copy()
    bare.locations, bare.layout = {}, Layout(at.world.basis)
    made.layout = Layout.of(at.world.basis, made.locations)
    made.put(BLUE[0], "0202")
    twin = bare.copy()
    twin.layout = Layout(at.world.basis)
    twin.put(BLUE[1], "0303")
    assert at.state.locations == {BLUE[0]: "0101"}
    assert (made.locations, bare.locations, twin.locations) == ({BLUE[0]: "0202"}, {}, {BLUE[1]: "0303"})


@given(st.data())
def test_what_is_kept_in_mind_is_what_a_fresh_search_finds(data: st.DataObject) -> None:
    board = data.draw(boards(max_columns=5, max_rows=5))
    at = position(world(board, shelters=data.draw(SHELTERS)), {})
    states, supply = [at.state], Supply(at.world)
    supply.sources = {"blue": board.labels[:1], "red": board.labels[-1:]}
    for _ in range(data.draw(st.integers(1, 12))):
        at.state = data.draw(st.sampled_from(states))
        unit, label = data.draw(st.sampled_from(list(UNITS))), data.draw(st.sampled_from(board.labels))
        if side_at(at, label) in (None, UNITS[unit].side):
            at.state = at.state.copy()
            at.state.steps_left = {**at.state.steps_left, unit: 1}
            at.state.put(unit, label)
            states.append(at.state)
        for state in data.draw(st.lists(st.sampled_from(states), max_size=3)):
            fresh = state.copy()
            fresh.layout = Layout.of(at.world.basis, state.locations)
            now, anew = Position(at.world, state), Position(at.world, fresh)
            for other in state.locations:
                found, expected = at.world.reaches.reach(now, other), Reaches(at.world).reach(anew, other)
                assert ([*found.items()], found.start) == ([*expected.items()], expected.start)
                assert [found.path(i) for i in found] == [expected.path(i) for i in expected]
            for side in ("blue", "red"):
                assert supply.supplied_units(now, side) == supply.supplied_units(anew, side)


@given(SHELTERS.flatmap(lambda arms: st.tuples(st.just(arms), positions(enter=3, leave=1, shelters=arms))))
def test_it_says_what_the_rules_say(drawn: tuple[tuple[str, ...], At]) -> None:
    shelters, at = drawn
    layout, board = at.state.layout, at.world.board
    for side in ("blue", "red"):
        watched = zone(at, side) - {
            label for unit, label in at.state.locations.items() if UNITS[unit].side == side and UNITS[unit].arm in shelters
        }
        assert set(board.unmask(layout.threatened[side])) == watched
        assert set(board.unmask(layout.held[side])) == {label for label in board.labels if side_at(at, label) == side}
        leave, enter = layout.facing(side).tables(1, 3)
        for label in board.labels:
            i = board.index(label)
            assert leave[i] == (1 if label in watched else 0)
            enemy = side_at(at, label) not in (None, side)
            assert enter[i] == (255 if enemy else 3 if label in watched else 0)
    for label in (*board.labels, "pool"):
        assert sorted(layout.stacks.get(label, ())) == sorted(units_in(at, label))


@given(SHELTERS.flatmap(lambda arms: positions(shelters=arms)), st.randoms())
def test_the_order_in_which_units_came_leaves_no_trace(at: At, chance: object) -> None:
    shuffled = list(at.state.locations)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    other = Layout.of(at.world.basis, {unit: at.state.locations[unit] for unit in shuffled})
    assert other == at.state.layout
    assert all(list(units) == sorted(units, key=list(UNITS).index) for units in other.stacks.values())


@given(positions(), st.data())
def test_it_knows_whose_layout_it_is(at: At, data: st.DataObject) -> None:
    assert at.state.layout.shows(at.state.locations)
    unit = data.draw(st.sampled_from(list(UNITS)))
    label = data.draw(st.sampled_from((*at.world.board.labels, "pool")))
    changed = {**at.state.locations, unit: label}
    assert at.state.layout.shows(changed) == (changed == at.state.locations)
    fewer = {other: place for other, place in at.state.locations.items() if other != unit}
    assert at.state.layout.shows(fewer) == (fewer == at.state.locations)


@given(positions())
def test_a_state_from_its_json_form_has_the_same_layout(at: At) -> None:
    empty = position(at.world, {}).state
    assert empty.with_json(at.state.to_json(), {}).layout == at.state.layout


def test_an_unknown_unit_is_named() -> None:
    at = position(world(plain_board()), {})
    with pytest.raises(UnknownName, match=r"no unit is called 'b9'; known: b1, b2, b3, bQ, r1"):
        at.state.with_json({"locations": {"b9": at.world.board.labels[0]}}, {})


def test_a_unit_that_closes_a_hex_opens_it_when_it_leaves() -> None:
    board = plain_board()
    here, near = board.labels[0], board.neighbours(board.labels[0])[0]
    at = position(world(board), {RED[0]: here, RED[1]: here, BLUE[0]: near})

    def entering() -> int:
        _, enter = at.state.layout.facing("blue").tables(1, 2)
        return int(enter[board.index(here)])

    assert entering() == 255
    at.state.remove(RED[0])
    assert entering() == 255, "one is left"
    at.state.remove(RED[1])
    assert entering() == 0


def test_a_shelter_keeps_enemy_zones_off_its_own_side_while_it_stands() -> None:
    board = plain_board()
    here, near = "0404", "0405"
    at = position(world(board, shelters=("tracks",)), {"b1": here, "b3": here, "r1": near})
    i, j = board.index(here), board.index(near)
    layout = at.state.layout
    assert not layout.threatened["blue"] >> i & 1
    assert [table[i] for table in layout.facing("blue").tables(1, 2)] == [0, 0]
    assert layout.threatened["red"] >> j & 1, "its own zone is a zone"
    at.state.put("r2", "0403")
    assert not layout.threatened["blue"] >> i & 1, "who comes later has no effect either"
    at.state.remove("b3")
    assert layout.threatened["blue"] >> i & 1
    assert [table[i] for table in layout.facing("blue").tables(1, 2)] == [1, 2]
