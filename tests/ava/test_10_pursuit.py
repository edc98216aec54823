"""10.7: who follows the beaten enemy, and how far."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Pursue
from hexwar.pieces import Done
from tests.ava.battles import AT, after, attack, battle, hexes, kinds, meadow
from tests.ava.table import field, position, pursuing, refused, told


def followers(*units: str, board: str = "", target: str = AT, where: dict[str, str] | None = None, **more: Any) -> Game:
    """Units in 0605 and 0606 that have won; 0705 is empty."""
    places = dict(zip(units, ("0605", "0606", "0605", "0606"), strict=False))
    return position({**places, **(where or {})}, pursuing(target, *units), board=board or meadow(), **more)


def paths(game: Game, unit: str) -> set[str]:
    """The pursuits that a unit is offered, as hexes with blanks between them, without the first."""
    found = [action for action in game.legal_actions() if isinstance(action, Pursue) and action.unit == unit]
    return {" ".join(action.path[1:]) for action in found}


def lengths(game: Game, unit: str) -> set[int]:
    return {len(path.split()) for path in paths(game, unit)}


# -- 10.7.1 to 10.7.4 who and how far ----------------------------------------------------------------------------------


@pytest.mark.parametrize("result", ["R", "4RR"], ids=["retreat", "elimination"])
def test_10_7_1_the_attackers_may_follow_into_the_hex_that_was_left(result: str) -> None:
    units = {"ger-21": "0605", "ger-217": "0706", "ger-58": "0605", "su-179": AT}
    game = after(result, units, "ger-21", "ger-217")
    assert game.to_move == ("axis",)
    # 58 stands beside them but did not attack.
    assert game.legal_actions() == [Done(), Pursue("ger-21", ("0605", AT)), Pursue("ger-217", ("0706", AT))]
    events = game.apply(Pursue("ger-217", ("0706", AT)))
    assert told(events, "unit-moved") == [f"ger-217 pursues from 0706 to {AT} (10.7.1)"]


@pytest.mark.parametrize("who", [(), ("ger-21",), ("ger-21", "ger-217")], ids=["nobody", "part", "all"])
def test_10_7_1_a_stack_may_follow_wholly_partly_or_not_at_all(who: tuple[str, ...]) -> None:
    units = {"ger-21": "0605", "ger-217": "0605", "su-179": AT}
    game = after("4RR", units, "ger-21", "ger-217")
    for unit in who:
        game.apply(Pursue(unit, ("0605", AT)))
    if len(who) < 2:
        assert Done() in game.legal_actions()
        game.apply(Done())
    assert {unit for unit in ("ger-21", "ger-217") if game.state.locations[unit] == AT} == set(who)
    assert game.to_move != ("axis",)


@pytest.mark.parametrize("result", ["-", "A1"])
def test_10_7_1_no_pursuit_where_the_defender_stays(result: str) -> None:
    game = after(result, {"ger-1pz": "0605", "su-179": AT}, "ger-1pz")
    assert game.state.phase == "selection"
    assert "unit-moved" not in kinds(game.events)


def test_10_7_1_each_unit_follows_once() -> None:
    game = after("4RR", {"ger-1pz": "0605", "ger-6pz": "0605", "su-179": AT}, "ger-1pz", "ger-6pz")
    game.apply(Pursue("ger-1pz", ("0605", AT)))
    assert paths(game, "ger-1pz") == set()
    assert paths(game, "ger-6pz") != set()


def test_10_7_2_infantry_and_headquarters_follow_one_hex_mechanized_units_two() -> None:
    units = ("ger-21", "ger-4pzg", "ger-1c", "ger-1mt")
    game = followers(*units)
    assert {unit: lengths(game, unit) for unit in units} == {unit: {1} for unit in units}
    mechanized = followers("ger-1pz", "ger-36m", "rum-1arm")
    assert [lengths(mechanized, unit) for unit in ("ger-1pz", "ger-36m", "rum-1arm")] == [{1, 2}] * 3
    refused(game, Pursue("ger-21", ("0605", AT, "0805")), "10.7.2")
    refused(mechanized, Pursue("ger-1pz", ("0605", AT, "0805", "0905")), "10.7.2")


def test_10_7_2_a_mechanized_unit_may_go_on_to_any_neighbour_of_the_hex() -> None:
    game = followers("ger-1pz")
    assert paths(game, "ger-1pz") == {AT, "0705 0704", "0705 0805", "0705 0806", "0705 0706", "0705 0606"}
    events = game.apply(Pursue("ger-1pz", ("0605", AT, "0805")))
    assert told(events, "unit-moved") == [f"ger-1pz pursues from 0605 to 0805 by {AT} (10.7.1)"]


@pytest.mark.parametrize("letter", [*"fFsm"], ids=["light forest", "dense forest", "swamp", "mountain"])
def test_10_7_3_terrain_of_the_first_hex_stops_mechanized_units(letter: str) -> None:
    board = meadow({AT: letter}, road=["0605 0705 0805"])
    game = followers("ger-1pz", board=board)
    assert paths(game, "ger-1pz") == {AT}
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.3")


@pytest.mark.parametrize("board", [meadow(cities={"Luga": AT}), meadow(major={"Pskov": AT})], ids=["city", "major city"])
def test_10_7_3_a_city_as_first_hex_stops_mechanized_units(board: str) -> None:
    game = followers("ger-1pz", board=board)
    assert paths(game, "ger-1pz") == {AT}


@pytest.mark.parametrize("letter", [*"fFs"], ids=["light forest", "dense forest", "swamp"])
def test_10_7_3_the_second_hex_may_be_of_any_terrain(letter: str) -> None:
    assert "0705 0805" in paths(followers("ger-1pz", board=meadow({"0805": letter})), "ger-1pz")


@pytest.mark.parametrize("river", ["minor-river", "major-river"])
@pytest.mark.parametrize("road", [[], ["0605 0705"]], ids=["no bridge", "bridge"])
def test_10_7_4_a_river_before_the_first_hex_stops_whoever_crosses_it(river: str, road: list[str]) -> None:
    game = followers("ger-1pz", "ger-6pz", board=meadow(sides={river: ["0605|0705"]}, road=road))
    assert paths(game, "ger-1pz") == {AT}
    assert lengths(game, "ger-6pz") == {1, 2}
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.4", "ends in")


def test_10_7_4_a_river_before_the_second_hex_stops_nobody() -> None:
    board = meadow(sides={"minor-river": ["0705|0805"], "major-river": ["0705|0806"]})
    assert {"0705 0805", "0705 0806"} <= paths(followers("ger-1pz", board=board), "ger-1pz")


# -- 10.7.5 to 10.7.11 where to ----------------------------------------------------------------------------------------


def test_10_7_5_pursuit_ignores_enemy_zones_and_costs_no_points() -> None:
    # 0705 and 0806 are in the zone of 0706, 0805 in that of 0904; a swamp and a major river would cost more than there is.
    where = {"su-179": "0706", "su-188": "0904"}
    board = meadow({"0806": "s"}, sides={"major-river": ["0705|0806"]})
    game = followers("ger-1pz", board=board, where=where)
    assert {AT, "0705 0805", "0705 0806"} <= paths(game, "ger-1pz")
    game.apply(Pursue("ger-1pz", ("0605", AT, "0806")))
    assert (game.state.locations["ger-1pz"], game.state.steps_left["ger-1pz"]) == ("0806", 2)


def test_10_7_6_units_of_one_battle_may_go_to_different_hexes() -> None:
    game = followers("ger-1pz", "ger-6pz", "ger-8pz")
    game.apply(Pursue("ger-1pz", ("0605", AT, "0805")))
    game.apply(Pursue("ger-6pz", ("0606", AT, "0806")))
    game.apply(Pursue("ger-8pz", ("0605", AT)))
    assert hexes(game, "ger-1pz", "ger-6pz", "ger-8pz") == {"ger-1pz": "0805", "ger-6pz": "0806", "ger-8pz": AT}


def test_10_7_7_the_first_hex_is_the_one_that_was_left() -> None:
    game = followers("ger-1pz", "ger-21")
    assert all(path.split()[0] == AT for unit in ("ger-1pz", "ger-21") for path in paths(game, unit))
    refused(game, Pursue("ger-1pz", ("0605", "0704")), "10.7.7", "first")
    refused(game, Pursue("ger-1pz", ("0605", "0704", "0805")), "10.7.7", "first")


def test_10_7_8_pursuit_crosses_no_closed_hexside() -> None:
    board = meadow({"0706": "m"}, sides={"water": ["0705|0805"], "major-river": ["0705|0806"]})
    game = followers("ger-1pz", board=board)
    assert paths(game, "ger-1pz") == {AT, "0705 0704", "0705 0806", "0705 0606"}
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.8", "could not move")
    refused(game, Pursue("ger-1pz", ("0605", AT, "0706")), "10.7.8", "could not move")


def test_10_7_8_whoever_attacked_by_the_road_follows_into_the_mountain_and_no_farther() -> None:
    game = followers("ger-1pz", board=meadow({AT: "m"}, road=["0605 0705 0805"]))
    assert paths(game, "ger-1pz") == {AT}


def test_10_7_9_pursuit_enters_no_water_and_does_not_leave_the_map() -> None:
    board = meadow({"0805": "~", "0806": "="})
    game = followers("ger-1pz", board=board)
    assert paths(game, "ger-1pz") == {AT, "0705 0704", "0705 0706", "0705 0606"}
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.8")
    edge = position({"ger-1pz": "0202"}, pursuing("0101", "ger-1pz"), board=meadow())
    assert paths(edge, "ger-1pz") <= {"0101", "0101 0102", "0101 0201"}
    at_edge = position({"ger-1pz": "0102"}, pursuing("0101", "ger-1pz"), board=meadow())
    assert paths(at_edge, "ger-1pz") == {"0101", "0101 0201", "0101 0202"}


def test_10_7_10_no_hex_holds_more_than_two_when_the_pursuit_is_over() -> None:
    game = followers("ger-21", "ger-217", "ger-58")
    game.apply(Pursue("ger-21", ("0605", AT)))
    last = game.apply(Pursue("ger-58", ("0605", AT)))
    assert game.state.locations["ger-217"] == "0606"
    assert "unit-moved" in kinds(last)
    assert game.to_move != ("axis",)


def test_10_7_10_the_refusal_says_that_there_is_no_room() -> None:
    game = followers("ger-1pz", "ger-217", "ger-58", where={"ger-61": "0805", "ger-254": "0805"})
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.10", "no room")


def test_10_7_10_a_third_unit_may_pass_through() -> None:
    game = followers("ger-21", "ger-217", "ger-1pz")
    game.apply(Pursue("ger-21", ("0605", AT)))
    game.apply(Pursue("ger-217", ("0606", AT)))
    assert "0705 0805" in paths(game, "ger-1pz")
    assert AT not in paths(game, "ger-1pz")


def test_10_7_11_pursuit_enters_no_hex_with_an_enemy() -> None:
    game = followers("ger-1pz", where={"su-179": "0805"})
    assert "0705 0805" not in paths(game, "ger-1pz")
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.11", "enemy")


@pytest.mark.clause("9.1.4")
def test_10_7_11_a_soviet_unit_never_follows_across_the_start_line() -> None:
    line = {"start-line": ["0705|0704", "0705|0605", "0705|0606"]}
    where = {"su-2t": "0805", "ger-21": "0105"}
    game = position(where, pursuing(AT, "su-2t", seat="soviet"), board=meadow(sides=line))
    assert paths(game, "su-2t") == {AT, "0705 0806", "0705 0706"}
    refused(game, Pursue("su-2t", ("0805", AT, "0605")), "10.7.8")
    axis = position({"ger-1pz": "0805"}, pursuing(AT, "ger-1pz"), board=meadow(sides=line))
    assert "0705 0605" in paths(axis, "ger-1pz")


# -- examples ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.7.2", "10.7.3", "10.7.4", "10.7.5", "10.7.6", "10.7.7", "10.7.10", "10.7.12")
def test_e20_the_pursuit_after_179() -> None:
    board = field(
        {"1624": "F"},
        size=(20, 28),
        sides={"minor-river": ["1523|1423", "1523|1424"]},
        areas={"supply soviet": ["1628"], "supply axis": ["0101"]},
    )
    units = {"ger-36m": "1522", "ger-21": "1423", "ger-217": "1424", "su-179": "1523"}
    game = battle(units, "ger-36m", "ger-21", "ger-217", board=board, chance=[4])
    attack(game, "1523", "ger-36m", "ger-21", "ger-217")
    assert "1624" in game.query.zones("soviet")  # 179 stands in 1625 now
    game.apply(Pursue("ger-21", ("1423", "1523")))
    game.apply(Pursue("ger-217", ("1424", "1523")))
    game.apply(Pursue("ger-36m", ("1522", "1523", "1624")))
    assert hexes(game, *units) == {"ger-21": "1523", "ger-217": "1523", "ger-36m": "1624", "su-179": "1625"}


@pytest.mark.parametrize("road", [[], ["0605 0705 0805"]], ids=["a", "c"])
@pytest.mark.clause("10.7.2", "10.7.3", "3.4.2", "TEC.6", "TEC.11")
def test_n10_a_pursuit_into_a_city_ends_there(road: list[str]) -> None:
    board = meadow(cities={"Luga": AT}, road=road)
    game = after("4RR", {"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=board)
    assert game.query.control(AT) == "soviet"
    assert game.legal_actions() == [Done(), Pursue("ger-1pz", ("0605", AT))]
    events = game.apply(Pursue("ger-1pz", ("0605", AT)))
    assert told(events, "control-taken") == [f"axis takes Luga ({AT}) (3.4.2)"]
    assert game.query.control(AT) == "axis"


@pytest.mark.clause("10.7.2", "10.7.3", "10.7.7", "3.4.2")
def test_n10_b_a_city_as_second_hex_is_taken() -> None:
    board = meadow(cities={"Luga": "0805"})
    game = after("4RR", {"ger-1pz": "0605", "ger-21": "0606", "su-179": AT}, "ger-1pz", "ger-21", board=board)
    assert paths(game, "ger-21") == {AT}
    assert game.query.control("0805") == "soviet"
    game.apply(Pursue("ger-1pz", ("0605", AT, "0805")))
    assert game.query.control("0805") == "axis"
    game.apply(Pursue("ger-21", ("0606", AT)))
    assert hexes(game, "ger-1pz", "ger-21") == {"ger-1pz": "0805", "ger-21": AT}
