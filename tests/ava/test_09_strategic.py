"""9.3 Strategic movement: along roads, far from the enemy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Move
from hexwar.pieces import Done, UnitMoved
from tests.ava.table import between, cost, field, moving, position, refused, told
from tests.handmade import by

SIZE = (16, 12)
STRATEGIC = "strategic"


def row(first: int, last: int, number: int = 5) -> list[str]:
    """Hexes of a row, each next to the one before."""
    return [f"{column:02}{number:02}" for column in range(first, last + 1)]


ROAD = [" ".join(row(1, 16))]


def game_of(units: Mapping[str, str], mover: str, seat: str = "axis", **ground: Any) -> Game:
    """A movement segment in which one unit is active, on a field with a road from west to east."""
    return position(units, moving(mover, seat=seat), board=field(**{"size": SIZE, "road": ROAD, **ground}))


def ends(game: Game, unit: str) -> dict[str, float]:
    """Where a unit can get by strategic movement; what is offered must agree."""
    costs: dict[str, float] = game.query.reach(unit, STRATEGIC).costs
    offered = [
        action for action in game.legal_actions() if isinstance(action, Move) and (action.unit, action.mode) == (unit, STRATEGIC)
    ]
    assert {action.to for action in offered} == set(costs)
    return costs


def strategic(unit: str, to: str) -> Move:
    return Move(unit, to, STRATEGIC)


@pytest.mark.clause("9.3.1", "9.3.2", "9.3.3", "9.3.4")
def test_e08_217th_infantry() -> None:
    game = game_of({"ger-217": "0305"}, "ger-217")
    costs = ends(game, "ger-217")
    assert costs["1305"] == 5
    assert "1405" not in costs
    refused(game, strategic("ger-217", "1405"), "9.3.1", "with 5 points")
    events = game.apply(strategic("ger-217", "1305"))
    told_of = told(events, "unit-moved")
    assert len(told_of) == 1
    assert told_of[0].startswith("ger-217 moves (strategic) from 0305 to 1305 by 0405, ")
    assert told_of[0].endswith("(9.3.1)")
    # The same route with an enemy beside any of its hexes, and off the road.
    for number in (3, 8, 13):
        watched = game_of({"ger-217": "0305", "su-179": f"{number:02}04"}, "ger-217")
        assert f"{number:02}05" in watched.query.zones("soviet")
        refused(watched, strategic("ger-217", "1305"), "9.3.4", "zone of control")
    off = game_of({"ger-217": "0305"}, "ger-217")
    refused(off, strategic("ger-217", "0406"), "9.3.3", "road")


@pytest.mark.parametrize(
    ("letter", "unit"), [(".", "ger-21"), ("f", "ger-36m"), ("F", "ger-1pz"), ("s", "ger-18a"), ("m", "ger-21")]
)
def test_9_3_1_half_a_point_whatever_the_terrain(letter: str, unit: str) -> None:
    game = game_of({unit: "0305"}, unit, terrain=dict.fromkeys(row(3, 16), letter))
    assert [cost(game, unit, label, STRATEGIC) for label in row(4, 8)] == [0.5, 1, 1.5, 2, 2.5]


@pytest.mark.parametrize("river", ["minor-river", "major-river"])
def test_9_3_1_nor_do_rivers_under_the_road_matter(river: str) -> None:
    game = game_of({"ger-21": "0305"}, "ger-21", sides={river: [*between(4, 12), *between(6, 12)]})
    assert ends(game, "ger-21")["1305"] == 5


@pytest.mark.parametrize(("unit", "hexes"), [("rum-6", 8), ("ger-21", 10), ("ger-1c", 12)])
def test_9_3_1_twice_as_many_hexes_as_points(unit: str, hexes: int) -> None:
    game = game_of({unit: "0105"}, unit)
    assert list(ends(game, unit)) == row(2, 1 + hexes)


def test_9_3_2_it_begins_on_a_road() -> None:
    game = game_of({"ger-21": "0306"}, "ger-21")
    assert ends(game, "ger-21") == {}
    refused(game, strategic("ger-21", "0305"), "9.3.2", "begins on a road")
    refused(game, strategic("ger-21", "0405"), "9.3.2", "begins on a road")
    assert cost(game, "ger-21", "0305") == 1, "normal movement is open to it"


def test_9_3_3_it_stays_on_the_road() -> None:
    game = game_of({"ger-21": "0305"}, "ger-21", road=[" ".join(row(3, 6)), " ".join(row(8, 12))])
    assert set(ends(game, "ger-21")) == set(row(4, 6))
    refused(game, strategic("ger-21", "0406"), "9.3.3", "has none")
    refused(game, strategic("ger-21", "0805"), "9.3.3", "leads")


def test_9_3_3_hexes_of_two_roads_side_by_side_are_not_joined() -> None:
    game = game_of({"ger-21": "0305"}, "ger-21", road=["0205 0305", "0306 0406"])
    assert ends(game, "ger-21") == {"0205": 0.5}
    refused(game, strategic("ger-21", "0306"), "9.3.3", "leads")


@pytest.mark.clause("TEC.13")
def test_9_3_3_through_a_major_city() -> None:
    """The hexes of Leningrad are joined by road, across the river too; the first of them is entered by road."""
    game = position({"su-179": "L3602"}, moving("su-179", seat="soviet"), board="", scenario="leningrad")
    assert "major-river" in game.world.board.side("L3602", "L3603")
    assert cost(game, "su-179", "L3603", STRATEGIC) == 0.5
    assert cost(game, "su-179", "L3702", STRATEGIC) == 0.5


N08: dict[str, Any] = {"size": (18, 13), "road": ["1010 1110 1210 1310 1410 1510"]}


@pytest.mark.clause("9.3.1", "9.3.4")
def test_n08_a_beside_an_enemy_zone() -> None:
    game = game_of({"ger-21": "1010", "su-179": "1412"}, "ger-21", **N08)
    assert "1411" in game.query.zones("soviet")
    assert set(game.query.zones("soviet")).isdisjoint(row(10, 15, 10))
    assert ends(game, "ger-21") == {"1110": 0.5, "1210": 1, "1310": 1.5, "1410": 2, "1510": 2.5}


@pytest.mark.clause("9.3.4")
def test_n08_b_no_farther_than_the_zone() -> None:
    game = game_of({"ger-21": "1010", "su-179": "1411"}, "ger-21", **N08)
    assert set(game.query.zones("soviet")) & set(row(10, 15, 10)) == {"1310", "1410", "1510"}
    assert ends(game, "ger-21") == {"1110": 0.5, "1210": 1}
    for label in ("1310", "1410", "1510"):
        refused(game, strategic("ger-21", label), "9.3.4", "zone of control")


@pytest.mark.clause("9.3.4", "9.2.6")
def test_n08_c_none_at_all_out_of_a_zone() -> None:
    game = game_of({"ger-21": "1010", "su-179": "1009"}, "ger-21", **N08)
    assert set(game.query.zones("soviet")) & set(row(10, 15, 10)) == {"1010"}
    assert ends(game, "ger-21") == {}
    refused(game, strategic("ger-21", "1110"), "9.3.4", "zone of control")
    assert cost(game, "ger-21", "1110") == 1 + 2


@pytest.mark.clause("3.2.7")
def test_9_3_4_friends_in_the_zone_do_not_help() -> None:
    game = game_of({"ger-21": "0305", "ger-217": "0605", "su-179": "0604"}, "ger-21", land=[*row(1, 16), "0604"])
    assert set(game.query.zones("soviet")) & set(row(1, 16)) == {"0605"}
    assert list(ends(game, "ger-21")) == ["0105", "0205", "0405", "0505"]


def test_9_3_5_railways_do_not_serve() -> None:
    game = game_of({"ger-21": "0305"}, "ger-21", road=[], rail=ROAD)
    assert ends(game, "ger-21") == {}
    refused(game, strategic("ger-21", "0405"), "9.3.2", "begins on a road")
    joined = game_of({"ger-21": "0305"}, "ger-21", road=[" ".join(row(2, 5))], rail=ROAD)
    assert set(ends(joined, "ger-21")) == {"0205", "0405", "0505"}
    refused(joined, strategic("ger-21", "0605"), "9.3.3", "has none")


@pytest.mark.clause("9.1.4")
def test_9_3_6_no_soviet_unit_crosses_the_start_line() -> None:
    game = game_of({"su-179": "0805"}, "su-179", "soviet", sides={"start-line": between(5, 12)})
    assert set(ends(game, "su-179")) == {*row(6, 7), *row(9, 16)}
    at_the_line = game_of({"su-179": "0605"}, "su-179", "soviet", sides={"start-line": between(5, 12)})
    refused(at_the_line, strategic("su-179", "0505"), "9.1.4", "start-line")
    axis = game_of({"ger-21": "0505"}, "ger-21", sides={"start-line": between(5, 12)})
    assert cost(axis, "ger-21", "0605", STRATEGIC) == 0.5


@pytest.mark.clause("3.1.1", "3.1.4")
def test_9_3_6_two_units_in_a_hex_at_its_end_but_not_on_its_way() -> None:
    game = game_of({"ger-21": "0305", "ger-217": "0605", "ger-58": "0605"}, "ger-21")
    assert "0605" not in ends(game, "ger-21")
    assert ends(game, "ger-21")["0705"] == 2
    refused(game, strategic("ger-21", "0605"), "3.1.1", "at most 2")


@pytest.mark.clause("3.1.2")
def test_9_3_6_an_enemy_blocks_the_road() -> None:
    """The hexes before him are his zone."""
    game = game_of({"ger-21": "0305", "su-179": "0805"}, "ger-21")
    assert set(ends(game, "ger-21")) == {"0105", "0205", "0405", "0505", "0605"}
    refused(game, strategic("ger-21", "0805"), "3.1.2", "occupied")


@pytest.mark.clause("3.4.2")
def test_9_3_6_it_takes_the_cities_on_its_way() -> None:
    game = game_of({"ger-21": "0305"}, "ger-21", cities={"Pskov": "0605"})
    events = game.apply(strategic("ger-21", "0905"))
    assert told(events, "control-taken") == ["axis takes Pskov (0605) (3.4.2)"]


@pytest.mark.clause("9.1.3")
def test_9_3_6_a_unit_that_moved_so_is_done() -> None:
    game = position({"ger-21": "0305", "ger-217": "0305"}, moving("ger-21", "ger-217"), board=field(size=SIZE, road=ROAD))
    game.apply(strategic("ger-21", "0405"))
    refused(game, Move("ger-21", "0505"), "8.1.1", "has moved")
    assert Move("ger-217", "0405") in game.legal_actions()
    game.apply(Done())
    assert game.state.locations["ger-217"] == "0305"


def test_9_3_3_the_way_of_a_strategic_move_is_chosen_by_its_owner() -> None:
    """Two roads lead round the same hex; the unit takes the one that it is told."""
    roads = ["0505 0504 0503 0603 0703", "0505 0605 0704 0703"]
    taken = {}
    for label in ("0504", "0605"):
        game = game_of({"ger-21": "0505"}, "ger-21", road=roads)
        events = game.apply(by(game, "ger-21", "0703", label, mode=STRATEGIC))
        taken[label] = next(event.path for event in events if isinstance(event, UnitMoved))
    assert taken == {"0504": ("0505", "0504", "0503", "0603", "0703"), "0605": ("0505", "0605", "0704", "0703")}
    game = game_of({"ger-21": "0505"}, "ger-21", road=roads)
    off = ("0505", "0504", "0604", "0703")
    refused(game, Move("ger-21", "0703", STRATEGIC, off), "9.3.3", "stays on a road")


# -- the owner's way -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("9.1.2", "9.3.3")
def test_9_3_3_along_the_road_of_its_owners_choice() -> None:
    round_about = "0305 0306 0406 0506 0505"
    game = game_of({"ger-217": "0305"}, "ger-217", road=[*ROAD, round_about])
    group = game.question(game.to_move[0]).group("ger-217")
    ways = {(action.to, action.mode): action.path for action in group.through(["0406"])}  # type: ignore[attr-defined]
    assert ways["0506", STRATEGIC] == ("0305", "0306", "0406", "0506")
    game.apply(Move("ger-217", "0506", STRATEGIC, ways["0506", STRATEGIC]))
    assert game.state.locations["ger-217"] == "0506"
    refused(game_of({"ger-217": "0305"}, "ger-217"), Move("ger-217", "0506", STRATEGIC, ways["0506", STRATEGIC]), "9.3.3", "road")
