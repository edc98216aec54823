"""The strategies: what they give is legal, various, small when it shrinks, and wrong arguments are answered in a sentence."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import hexwar
from hexwar.board import Board, load_map
from hexwar.engine import Game, Position, RandomSource, Ruleset, Step
from hexwar.errors import HexwarError, UnknownName
from hexwar.hexes import Hex, Hexside, LabelCodec, Vertex
from hexwar.mechanics import Attacking, Declaring, Moving
from hexwar.pieces import Face, Unit
from hexwar.testing import RandomGame, ScriptedDice, play_at_random
from hexwar.testing import strategies as hs
from hexwar.testing.strategies import _ground
from tests.engine import toy
from tests.mechanics.samples import UNITS, plain_board, world

QUIET = settings(
    max_examples=1000,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
RIVERS = {"terrains": ["clear", "woods", "marsh"], "features": ["river"], "links": ["road"], "places": ["town"]}


def some(strategy: st.SearchStrategy[Any], number: int = 60) -> list[Any]:
    """What a strategy gives in one run."""
    found: list[Any] = []

    @settings(QUIET, max_examples=number, phases=(Phase.generate,), derandomize=True)
    @given(strategy)
    def gather(value: Any) -> None:
        found.append(value)

    gather()
    return found


def smallest(strategy: st.SearchStrategy[Any], such_that: Callable[[Any], bool]) -> Any:
    return find(strategy, such_that, settings=QUIET, random=random.Random(3))


def on_board(game: Game) -> dict[str, str]:
    return {unit: label for unit, label in game.state.locations.items() if label in game.world.board}


# -- boards ------------------------------------------------------------------------------------------------------------


@given(hs.boards())
def test_boards_hang_together(board: Board) -> None:
    assert nx.is_connected(board.graph)


@given(hs.boards(min_hexes=12, max_columns=5, max_rows=4, orientation="pointy"))
def test_boards_are_as_large_and_stand_as_asked(board: Board) -> None:
    assert 12 <= len(board) <= 20
    assert board.orientation == "pointy"


@given(st.data())
def test_a_map_text_is_the_same_board(data: st.DataObject) -> None:
    shape = {**RIVERS, "areas": ["west", "east"], "connected": data.draw(st.booleans())}
    sheets: list[Any] = []
    make = _ground.Shape.make

    def kept(*parts: Any) -> Any:
        sheets.append(make(*parts))
        return sheets[-1]

    with pytest.MonkeyPatch.context() as patch:  # to see the board before it becomes a text
        patch.setattr(_ground.Shape, "make", kept)
        text = data.draw(hs.map_texts(**shape))
    board = load_map(text)
    assert board.digest == Board(sheets[0].content).digest
    assert board.labels == Board(sheets[0].content).labels
    assert (set(board.areas), board.terrain_names) == ({"west", "east"}, ("clear", "woods", "marsh"))


def test_boards_are_various() -> None:
    found = some(hs.boards(), 100)
    assert {board.orientation for board in found} == {"flat", "pointy"}
    assert sum(len(board) > 20 for board in found) > 15
    assert sum(len(board.terrain_names) == len({board.terrain(label) for label in board.labels}) for board in found) > 40
    assert sum(board.side_features == ("river", "wall") and board.link_kinds == ("rail", "road") for board in found) > 40
    assert {len(place.hexes) for board in found for place in board.places} == {1, 2}
    plain = some(hs.boards(features=[], links=[], places=[], holes=False), 40)
    assert not any(board.side_features or board.link_kinds or board.places for board in plain)


def test_boards_shrink_to_what_matters() -> None:
    assert len(smallest(hs.boards(), lambda board: True)) == 1
    river = smallest(hs.boards(), lambda board: "river" in board.side_features)
    assert len(river) == 1
    assert (river.side_features, river.link_kinds, river.places) == (("river",), (), ())
    road = smallest(hs.boards(), lambda board: len(board) > 4 and "road" in board.link_kinds)
    assert 5 <= len(road) <= 12
    assert {road.terrain(label) for label in road.labels} == {"clear"}
    assert (road.side_features, road.link_kinds, sum(map(len, road.content.links.values()))) == ((), ("road",), 1)
    marsh = smallest(hs.boards(), lambda board: any(board.terrain(label) == "marsh" for label in board.labels))
    assert len(marsh) <= 12
    assert sorted({*map(marsh.terrain, marsh.labels), "clear"}) == ["clear", "marsh"]
    assert [marsh.terrain(label) for label in marsh.labels].count("marsh") == 1
    assert (marsh.side_features, marsh.link_kinds, marsh.places) == ((), (), ())


def test_hexes_labels_and_sides_are_those_of_the_board() -> None:
    board = plain_board(3, 3)
    assert {board.at(h) for h in some(hs.hexes(board))} == set(board.labels)
    assert set(some(hs.labels(board))) == set(board.labels)
    inside = some(hs.hexsides(board, inside=True), 100)
    assert all(board.at(h) for side in inside for h in side.hexes)
    assert set(inside) < set(some(hs.hexsides(board), 200))
    assert smallest(hs.labels(board), lambda label: True) == "0101"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: hs.boards(max_columns=0), "max_columns must be from 1 to 30, not 0"),
        (lambda: hs.boards(min_rows=True), "min_rows is a whole number, not True"),
        (lambda: hs.boards(min_hexes=100), "min_hexes is 100"),
        (lambda: hs.boards(terrains=[]), "terrains must have at least 1"),
        (lambda: hs.boards(terrains="clear"), "write \\['clear'\\]"),
        (lambda: hs.boards(features=["River"]), "unlike 'River'"),
        (lambda: hs.boards(links=["road", "road"]), "given twice"),
        (lambda: hs.boards(terrains=[f"t{n}" for n in range(27)]), "at most 26"),
        (lambda: hs.boards(orientation="round"), "orientation must be None or 'flat' or 'pointy', not 'round'"),  # type: ignore[arg-type]
        (lambda: hs.labels("bridgehead/crossing"), "a Board is needed"),  # type: ignore[arg-type]
        (lambda: hs.hexsides(plain_board(1, 1), inside=True), "no side between two hexes"),
        (lambda: hs.units("bridgehead", side="blue", arm="cavalry"), "cavalry"),
        (lambda: hs.units("bridgehead", side="green"), "green"),
        (lambda: hs.units(toy.RULESET), "has no roster of units"),
        (lambda: hs.rosters(min_units=5, max_units=4), "max_units must be from 5 to 60, not 4"),
        (lambda: hs.positions(toy.RULESET), "not built on hexwar.mechanics"),
        (lambda: hs.positions("bridgehead", step=Declaring), "bridgehead has no step Declaring; it has"),
        (lambda: hs.positions("bridgehed"), "bridgehead"),
        (lambda: hs.positions("bridgehead", min_units=0), "min_units must be 1 or more"),
        (lambda: hs.placements(world(plain_board()), boxes=["shelf"]), "no box 'shelf'"),
        (lambda: hs.reachable_games("bridgehead", -1), "max_actions must be 0 or more, not -1"),
        (lambda: hs.random_games("bridgehead", controlled=9999), "controlled must be from 1 to 4000"),
        (lambda: hs.chances(0), "controlled must be"),
        (lambda: hs.dice(faces=0), "faces must be from 1 to 256"),
        (lambda: hs.actions(hexwar.new_game("bridgehead", seed=1), "nobody"), "nobody is not asked now"),
    ],
)
def test_wrong_arguments_are_answered_in_a_sentence(make: Callable[[], object], words: str) -> None:
    with pytest.raises(HexwarError, match=words):
        make()


# -- units -------------------------------------------------------------------------------------------------------------


def test_units_are_those_of_the_ruleset() -> None:
    roster = hexwar.new_game("bridgehead", seed=1).world.units
    found = some(hs.units("bridgehead", side="blue", arm="armour"))
    assert found
    assert all(roster[unit.id] is unit and (unit.side, unit.arm) == ("blue", "armour") for unit in found)
    with pytest.raises(hs.StrategyError, match="axis has no unit of arm fortress"):
        hs.units("ava", scenario="training", side="axis", arm="fortress")


@given(hs.rosters(sides=["north", "south", "east"], max_units=5))
def test_rosters_are_sound(roster: dict[str, Unit]) -> None:
    assert {unit.side for unit in roster.values()} == {"north", "south", "east"}
    for name, unit in roster.items():
        assert unit.id == name
        assert unit.arm in ("infantry", "armour")
        assert 1 <= unit.steps <= 2
        assert unit.faces[0].attack <= unit.faces[-1].attack


def test_rosters_shrink_to_one_weak_counter() -> None:
    roster = smallest(hs.rosters(), lambda roster: any(unit.is_headquarters for unit in roster.values()))
    assert len(roster) == 2
    assert {face.move for unit in roster.values() for face in unit.faces} == {1}


# -- positions ---------------------------------------------------------------------------------------------------------


def sides_of(game: Game) -> set[str]:
    return {game.world.units[unit].side for unit in on_board(game)}


@pytest.mark.parametrize(("ruleset", "scenario"), [("bridgehead", None), ("ava", "training")], ids=["bridgehead", "ava"])
@pytest.mark.parametrize("near", [True, False])
def test_positions_break_no_rule_and_can_be_played(ruleset: str, scenario: str | None, near: bool) -> None:
    for game in some(hs.positions(ruleset, scenario=scenario, near_contact=near), 40):
        assert sides_of(game) == set(game.world.sides)
        assert len(on_board(game)) <= 8
        assert game.to_move
        assert type(game.state.stack[-1]) in (Moving, Attacking, Declaring)
        assert not game.history
        for _ in range(3):
            broken = [invariant.title for invariant in game.ruleset.invariants if invariant.broken(game.position)]
            assert not broken
            play_at_random(game, random.Random(1), stop_after=4)


def touching(game: Game) -> bool:
    board, units = game.world.board, game.world.units
    places = on_board(game).items()
    return any(board.adjacent(a, b) for one, a in places for other, b in places if units[one].side != units[other].side)


def test_near_contact_the_sides_touch() -> None:
    near, far = (some(hs.positions("bridgehead", near_contact=near), 60) for near in (True, False))
    assert sum(map(touching, near)) >= 55
    assert sum(map(touching, far)) < 40


def test_positions_with_a_certain_step_and_of_a_certain_turn() -> None:
    for game in some(hs.positions("bridgehead", step=Attacking, state={"turn": 3}), 30):
        assert isinstance(game.state.stack[-1], Attacking)
        assert game.state.turn == 3
        assert any(action.kind == "attack" for action in game.legal_actions())
    kinds = {type(game.state.stack[-1]) for game in some(hs.positions("ava", scenario="training"), 60)}
    assert kinds == {Moving, Declaring}


def test_positions_on_boards_that_hypothesis_makes() -> None:
    maps = hs.map_texts(min_hexes=8, areas=["west", "east"], **RIVERS)
    found = some(hs.positions("bridgehead", maps=maps), 25)
    assert len({game.world.board.digest for game in found}) > 10
    for game in found:
        assert game.world.board.id == "random"
        assert not any(invariant.broken(game.position) for invariant in game.ruleset.invariants)


def test_positions_shrink_to_one_unit_a_side() -> None:
    game = smallest(hs.positions("bridgehead"), lambda game: True)
    assert len(on_board(game)) == 2
    assert touching(game)
    stacked = smallest(hs.positions("bridgehead"), lambda game: any(len(of) > 1 for of in game.state.layout.stacks.values()))
    assert len(on_board(stacked)) == 3
    assert set(stacked.state.steps_left.values()) <= {1, 2}


def test_positions_can_be_saved(tmp_path: Any) -> None:
    game = smallest(hs.positions("bridgehead"), lambda game: len(on_board(game)) > 3)
    play_at_random(game, random.Random(2), stop_after=5)
    game.save(tmp_path / "game.json")
    assert hexwar.load_game(tmp_path / "game.json").digest == game.digest


def test_a_broken_invariant_of_the_ruleset_is_kept_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that the ruleset's own invariant forbids is left out."""
    from hexwar.engine import Invariant
    from hexwar_bridgehead.ruleset import Bridgehead

    def broken(at: Position) -> str | None:
        return "b1 is there" if "b1" in at.state.locations else None

    monkeypatch.setattr(Bridgehead, "invariants", (Invariant("2.1", "b1 stays at home", broken),))
    found = some(hs.positions("bridgehead"), 60)
    assert len(found) > 30
    assert not any("b1" in game.state.locations for game in found)


@given(st.data())
def test_placements_obey_the_world(data: st.DataObject) -> None:
    of = world(plain_board(4, 4, {"0101": "m", "0202": "m"}))
    at = data.draw(hs.placements(of, boxes=["pool"]))
    for label in set(at.values()) - {"pool"}:
        there = [unit for unit in at if at[unit] == label]
        assert len(there) <= 2
        assert len({UNITS[unit].side for unit in there}) == 1
        assert not any(UNITS[unit].arm == "tracks" for unit in there if label in ("0101", "0202"))


class ToyArranging(hs.Arranging):
    """Two pieces on a row of three spaces, for a ruleset that is not built on the mechanics."""

    def pieces(self, world: Any) -> Mapping[str, str]:
        return {"n": "north", "s": "south"}

    def near(self, world: Any, label: str, radius: int) -> Sequence[str]:
        return sorted("123", key=lambda other: abs(int(other) - int(label)))[: radius + 1]

    def hexes(self, world: Any, piece: str) -> Sequence[str]:
        return ["1", "2", "3"]

    def fits(self, world: Any, placed: Mapping[str, str], piece: str, label: str) -> bool:
        return label not in placed.values()

    def steps(self, ruleset: Ruleset, at: Position, seat: str) -> list[Step]:
        return [toy.Walking(seat, 3)]


class PlacingToy(toy.ToyRuleset):
    def place(self, world: Any, state: Any, units: Mapping[str, Mapping[str, object]]) -> None:
        assert {entry["at"] for entry in units.values()} <= {"1", "2", "3"}
        state.round = len(units)


def test_rulesets_of_another_kind_say_how_positions_are_made() -> None:
    found = some(hs.positions(PlacingToy(), arranging=ToyArranging()), 20)
    assert {game.to_move for game in found} == {("north",), ("south",)}
    assert {game.state.round for game in found} == {2}


# -- games and chance ----------------------------------------------------------------------------------------------------


def test_reachable_games_are_various_and_within_the_limit() -> None:
    found = some(hs.reachable_games("bridgehead", 30, min_actions=3), 40)
    assert all(3 <= len(game.history) <= 30 for game in found)
    assert len({game.digest for game in found}) > 15
    assert all(isinstance(at, Position) for at in some(hs.reachable_states("bridgehead", 5), 5))


def test_reachable_games_shrink_to_dull_ones() -> None:
    game = smallest(hs.reachable_games("bridgehead", 60), lambda game: any(move.action.kind == "move" for move in game.history))
    assert sum(move.action.kind == "move" for move in game.history) == 1
    assert len(game.history) <= 12


def test_playouts_come_to_an_end() -> None:
    for played in some(hs.random_games("bridgehead"), 6):
        assert isinstance(played, RandomGame)
        assert played.finished
        assert len(played.moves) == len(played.game.history)
    assert all(len(played.moves) <= 7 for played in some(hs.random_games("bridgehead", 7), 6))


def test_actions_and_decisions_are_offered_ones() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    while len(game.to_move) < 2:
        game.apply(game.legal_actions()[0])
    assert {seat for seat, _ in some(hs.decisions(game))} == {"blue", "red"}
    for seat, action in some(hs.decisions(game)):
        assert action in game.offered(seat)
    assert all(action in game.offered("red") for action in some(hs.actions(game, "red")))
    assert all(action in game.offered("red") or action in game.offered("blue") for action in some(hs.actions(game)))
    moving = smallest(hs.positions("bridgehead", step=Moving), lambda game: True)
    assert smallest(hs.actions(moving), lambda action: True) == moving.legal_actions()[0]


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    play_at_random(game, random.Random(1))
    for make in (hs.actions, hs.decisions):
        with pytest.raises(hs.StrategyError, match="the game is over"):
            make(game)


def test_a_tape_is_a_source_of_chance() -> None:
    tape = hs.Tape(bytes(range(10)))
    twin = copy.copy(tape)
    drawn = [tape.randrange(stop) for stop in (1, 6, 6, 300, 2**40, 6, 6)]
    assert drawn[:3] == [0, (0 * 256 + 1) % 6, (2 * 256 + 3) % 6]
    assert drawn == [twin.randrange(stop) for stop in (1, 6, 6, 300, 2**40, 6, 6)]
    assert [tape.randrange(6) for _ in range(9)] == [
        copy.copy(twin).randrange(6) if n < 0 else twin.randrange(6) for n in range(9)
    ]
    assert [copy.copy(tape).randrange(1000), tape.randrange(1000)] == [twin.randrange(1000)] * 2
    assert repr(tape) == "Tape(0001020304050607...)"
    assert isinstance(tape, RandomSource)
    with pytest.raises(ValueError, match="one of 0 outcomes"):
        tape.randrange(0)


def test_every_face_of_a_drawn_tape_comes_up() -> None:
    rolls = [tape.randrange(6) for tape in some(hs.chances(16), 150) for _ in range(4)]
    assert min(rolls.count(face) for face in range(6)) > 40


def test_dice_are_a_script() -> None:
    found = some(hs.dice(rolls=3, faces=4, lots=[2]), 60)
    assert {entry for script in found for entry in script.script[1:]} == {1, 2, 3, 4}
    assert all(str(script.script[0]) == "lot 2" and len(script.script) == 4 for script in found)
    assert smallest(hs.dice(2), lambda script: 5 in script.script).script in ((1, 5), (5, 1))


def test_bytes_are_rarely_blank() -> None:
    """Chains of `map` would make a fifth of them blank: see `draw_bytes`."""

    @st.composite
    def strategy(draw: st.DrawFn) -> bytes:
        draw(st.integers(0, 30))
        return hs.draw_bytes(draw, 200)

    found = some(strategy(), 200)
    assert {len(data) for data in found} == {200}
    assert sum(not any(data) for data in found) < 20


# -- types ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Board, Face, Hex, Hexside, LabelCodec, RandomSource, ScriptedDice, hs.Tape, Unit, Vertex])
def test_hypothesis_knows_our_types(kind: type) -> None:
    assert all(isinstance(value, kind) for value in some(st.from_type(kind), 10))


def test_registering_our_types_imports_no_kit() -> None:
    """Whoever has hexwar installed and imports Hypothesis does not wait for the kit; importing the kit loads no Hypothesis."""
    code = (
        "import sys, hypothesis\n"
        "assert 'hexwar.board' in sys.modules\n"
        "assert not {'hexwar.testing', 'hexwar.mechanics', 'pydantic', 'networkx'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys, hexwar.testing\nassert 'hypothesis' not in sys.modules\nassert 'pytest' not in sys.modules\n"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_ruleset_is_named() -> None:
    with pytest.raises(UnknownName, match="bridgehead"):
        hs.reachable_games("bridgehaed")
