"""Queries, hand-made positions and invariants: what people ask, and the sentences for what cannot be answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from hexwar.board import Board, BoardContent, HexContent
from hexwar.engine import Clause, Hooks, RuleIndex
from hexwar.errors import ContentError, HexwarError, RuleBroken
from hexwar.hexes import Hex
from hexwar.mechanics import HexQuery, Mode, enter_hexes, standard_invariants
from hexwar.pieces import place_units, total
from hexwar.pieces._victory import Score
from tests.mechanics.samples import CITE, At, SampleState, plain_board, play, position, positions, supply, world, zone

UNITS = {"b1": "0404", "b2": "0404", "bQ": "0304", "b3": "pool", "r1": "0504", "r2": "0606"}


def query(at: At | None = None) -> HexQuery:
    at = at or position(world(plain_board()), UNITS)
    at.world.supply = supply(at)
    return HexQuery(at)


def test_answers_carry_their_clauses() -> None:
    ask = query()
    assert ask.reach("b1").closed["0504"].clause == CITE["move.enemy"]
    assert ask.reach("b1").costs["0403"] == 1.5, "a step and the exit from a zone"
    assert (ask.supply("b1").supplied, ask.supply("b1").clause) == (True, CITE["supply"])
    assert ask.supply("0404", "red").supplied is False
    assert ask.odds(["b1", "b2"], "0504").name == "2:1"
    assert ask.command("bQ") == ("b1", "b2", "bQ")
    assert ask.retreats("r1", 1)[0].losses == 0


def test_a_game_without_battles_says_that_it_has_none() -> None:
    bare: Any = SimpleNamespace(world=SimpleNamespace())
    ask = HexQuery(bare)
    assert query().has_combat
    assert not ask.has_combat
    for asked in (partial(ask.odds, ["b1"], "0504"), partial(ask.attackers, "0504", "blue"), partial(ask.retreats, "b1", 1)):
        with pytest.raises(HexwarError, match="no combat in this game"):
            asked()


def test_a_ruleset_may_say_who_obeys() -> None:
    at = position(world(plain_board()), UNITS)
    at.world.command.follows = lambda unit, leader: unit.id == "b2"
    ask = HexQuery(at)
    assert ask.command("bQ") == ("b2", "bQ")


def test_control_and_score() -> None:
    at = position(world(plain_board(more='[[place]]\nname = "Fort"\nkind = "fort"\nhex = "0504"')), UNITS)
    points = (Score("blue", 2, "a", "1"),)
    at.world.victory = SimpleNamespace(scores=lambda at: points)
    ask = HexQuery(at)
    assert ask.control("0504") is None
    at.state.control["0504"] = "red"
    assert ask.control("0504") == "red"
    assert ask.score() == points


def test_reach_by_another_way_of_moving() -> None:
    made = world(plain_board(more='[links]\nrail = ["0101 0201 0301"]'))
    made.movement.modes = (Mode(""), Mode("rail", arm="tracks", along="rail"))
    at = position(made, {"b1": "0101", "b2": "0404"})
    ask = HexQuery(at)
    assert "0102" in ask.reach("b1").costs
    assert ask.reach("b1", "rail").costs["0301"] == 2.0
    assert ask.reach("b2", "rail").costs == {}
    with pytest.raises(HexwarError, match="'swim'"):
        ask.reach("b1", "swim")


@given(positions())
def test_zones_are_the_other_sides_enemy_zones(at: At) -> None:
    ask = query(at)
    assert set(ask.zones("blue")) == zone(at, "red")
    assert list(ask.zones("red")) == [label for label in at.world.board.labels if label in zone(at, "blue")]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda q: q.reach("b9"), "no unit is called 'b9'; known: b1, b2, b3, bQ, r1, r2, r3, rQ"),
        (lambda q: q.reach("b3"), "b3 is not on the board"),
        (lambda q: q.reach("r3"), "r3 is not on the board"),
        (lambda q: q.supply("9999", "blue"), "no unit or hex is called '9999'; there are 57"),
        (lambda q: q.supply("0404"), "say for which side 0404 is to be in supply"),
        (lambda q: q.supply("0404", "green"), "no side is called 'green'; known: blue, red"),
        (lambda q: q.supply("b3"), "b3 is not on the board"),
        (lambda q: q.odds([], "0504"), "an attack needs at least one attacker"),
        (lambda q: q.odds("b1", "0504"), "attackers are a list of units, such as ['b1'], not the string 'b1'"),
        (lambda q: q.odds(["b1"], "9999"), "no hex is called '9999'; there are 49"),
        (lambda q: q.odds(["bQ"], "0504"), "bQ does not stand next to 0504"),
        (lambda q: q.odds(["b1", "b1"], "0504"), "b1 cannot attack twice"),
        (lambda q: q.odds(["b1"], "0403"), "b1 has no enemy in 0403"),
        (lambda q: q.odds(["b1"], "0304"), "b1 has no enemy in 0304"),
        (lambda q: q.zones("green"), "no side is called 'green'; known: blue, red"),
        (lambda q: q.retreats("b1", 0), "a retreat is 1 to 9 hexes long, not 0"),
        (lambda q: q.retreats("b1", 10), "a retreat is 1 to 9 hexes long, not 10"),
        (lambda q: q.command("b1"), "b1 is not a headquarters"),
        (lambda q: q.command("rQ"), "rQ is not on the board"),
        (lambda q: q.control("9999"), "no hex is called '9999'; there are 49"),
        (lambda q: q.control("0404"), "there is nothing to control in 0404"),
        (lambda q: q.score(), "this game does not count points"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(ask: Callable[[HexQuery], object], sentence: str) -> None:
    with pytest.raises(HexwarError) as caught:
        ask(query())
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("units", "sentence"),
    [
        ({"b9": {"at": "0404"}}, "no unit is called 'b9'"),
        ({"b1": {"at": "9904"}}, "unit b1: '9904' is no hex of the board, and no box; the boxes are pool"),
        ({"b1": {"at": ""}}, "unit b1: '' is no hex of the board, and no box; the boxes are pool"),
        ({"b1": {"at": 404}}, "unit b1: at must be a place of the board, a point of it or a box, not 404"),
        ({"b1": {}}, "unit b1: at must be a place of the board, a point of it or a box, not None"),
        ({"b1": {"at": "0404", "steps": 3}}, "unit b1: steps must be from 1 to 2, not 3"),
        ({"b1": {"at": "0404", "steps": True}}, "unit b1: steps must be from 1 to 2, not True"),
        ({"b1": {"at": "0404", "where": 1}}, "unit b1: unknown key 'where'; a unit has at and steps"),
        ({"b1": {"at": "0404"}, "r1": {"at": "0404"}}, "unit r1: the enemy unit b1 stands in 0404"),
    ],
)
def test_a_bad_position_is_a_sentence(units: dict[str, dict[str, object]], sentence: str) -> None:
    at = position(world(plain_board()), {})
    with pytest.raises(HexwarError) as caught:
        place_units(at.world, at.state, units)
    assert str(caught.value).startswith(sentence)


def test_units_are_placed_by_any_label_and_in_boxes() -> None:
    board = Board(BoardContent(id="overlap", hexes={Hex(0, 0): HexContent(("A0301", "B0101"), "clear")}))
    at = position(world(board), {})
    place_units(at.world, at.state, {"b1": {"at": "B0101", "steps": 1}, "b2": {"at": "pool"}, "r1": {"at": "pool"}})
    assert at.state.locations == {"b1": "A0301", "b2": "pool", "r1": "pool"}, "under its first label; enemies may share a box"
    assert at.state.steps_left == {"b1": 1, "b2": 2, "r1": 2}
    without_boxes = world(board)
    without_boxes.boxes = frozenset()
    with pytest.raises(HexwarError, match="no hex is called 'pool'"):
        without_boxes.location("pool")


def test_variants_may_not_be_cited_under_unknown_topics() -> None:
    made = world(plain_board())
    with pytest.raises(RuleBroken, match="does not say which clause is about 'air'"):
        made.clause("air")
    made.setup.rules.require(CITE)
    with pytest.raises(ContentError, match="topic air: cites a clause that is not in the index"):
        RuleIndex([Clause("1.1", "one")]).require({"topic air": "1.2"})


def test_a_place_is_taken_once() -> None:
    board = plain_board(more='[[place]]\nname = "Fort"\nkind = "fort"\nhex = "0504"')
    doing = play(position(world(board), {"b1": "0404"}))
    enter_hexes(doing, "b1", ("0404", "0504"))
    enter_hexes(doing, "b1", ("0504",))
    assert [str(event) for event in doing.events] == ["blue takes Fort (0504)"]
    assert doing.state.control == {"0504": "blue"}


INVARIANTS = {
    invariant.clause: invariant for invariant in standard_invariants(stacking="s", sides_apart="a", zones="z", steps="t")
}


@given(positions())
def test_every_sound_position_holds_the_invariants(at: At) -> None:
    assert [invariant.broken(at) for invariant in INVARIANTS.values()] == [None] * 4


def test_each_invariant_can_break() -> None:
    made = world(plain_board())
    full = position(made, {"b1": "0404", "b2": "0404", "b3": "0404", "r1": "pool", "r2": "pool", "r3": "pool"})
    assert INVARIANTS["s"].broken(full) == "b1, b2, b3 stand in 0404"
    mixed = position(made, {"b1": "0404", "r1": "0404", "b2": "pool", "r2": "pool"})
    assert INVARIANTS["a"].broken(mixed) == "b1, r1 share 0404"
    stale = position(made, {"b1": "0404"})
    stale.state.locations["b1"] = "0405"
    assert INVARIANTS["z"].broken(stale) == "the derived layout differs from one made from scratch"
    lost = position(made, {"b1": "0404"})
    lost.state.steps_left = {}
    assert INVARIANTS["t"].broken(lost) == "b1 has a place or steps, but not both"
    lost.state.steps_left = {"b1": 3}
    assert INVARIANTS["t"].broken(lost) == "b1 has 3 steps"


def test_a_place_belongs_to_whoever_stands_in_it() -> None:
    names = {"stacking": "s", "sides_apart": "a", "zones": "z", "steps": "t"}
    found = standard_invariants(**names, control="c")
    assert [invariant.clause for invariant in found] == ["s", "a", "z", "t", "c"]
    at = position(world(plain_board(more='[[place]]\nname = "Fort"\nkind = "fort"\nhex = "0504"')), {"b1": "0504"})
    assert found[-1].broken(at) == "blue stands in Fort (0504), which belongs to nobody"
    at.state.control["0504"] = "red"
    assert found[-1].broken(at) == "blue stands in Fort (0504), which belongs to red"
    at.state.control["0504"] = "blue"
    assert found[-1].broken(at) is None
    at.state.put("b1", "0404")
    at.state.control["0504"] = "red"
    assert found[-1].broken(at) is None, "an empty place may belong to anybody"


def test_stacking_may_count_other_than_heads() -> None:
    """A game in which headquarters do not count overrides one method, and everything follows."""
    made = world(plain_board())
    made.stacking.fits = lambda at, units, label: sum("Q" not in unit for unit in units) <= 1  # type: ignore[method-assign]
    at = position(made, {"b1": "0404", "bQ": "0404", "b2": "0304"})
    assert INVARIANTS["s"].broken(at) is None
    assert query(at).reach("b2").closed["0404"].clause == CITE["stacking"]
    assert query(position(made, {"bQ": "0304", "b1": "0404"})).reach("bQ").costs["0404"] == 1.0


def test_points_add_up() -> None:
    scores = (Score("blue", 2, "a", "1"), Score("red", 5, "b", "1"), Score("blue", 1, "c", "1"))
    assert (total(scores, "blue"), total(scores, "red"), total((), "blue")) == (3, 5, 0)


def test_a_state_without_ground_has_nothing_to_rebuild() -> None:
    bare = SampleState()
    assert bare.copy().layout is None
    bare.rebuild()
    assert world(plain_board(), hooks=Hooks()).stacking.limit("blue", "0404") == 2
