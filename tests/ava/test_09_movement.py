"""9.0 to 9.2: who moves, in which order, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Move, Moving
from hexwar.pieces import Done
from tests.ava.table import between, cost, field, moving, position, refused, told
from tests.handmade import by

SIZE = (14, 12)
AROUND = {"0504", "0605", "0606", "0506", "0406", "0405"}
"""The neighbours of 0505."""


def game_of(units: Mapping[str, str], mover: str, seat: str = "axis", size: tuple[int, int] = SIZE, **ground: Any) -> Game:
    """A movement segment in which one unit is active."""
    return position(units, moving(mover, seat=seat), board=field(size=size, **ground))


def path(game: Game, unit: str, to: str, mode: str = "") -> list[str]:
    """Make a move; the hexes that it entered."""
    moved = [event for event in game.apply(Move(unit, to, mode)) if event.kind == "unit-moved"]
    assert len(moved) == 1
    way = moved[0].to_json()["path"]
    assert isinstance(way, list)
    assert game.state.locations[unit] == to
    return [str(label) for label in way[1:]]


def row(first: int, last: int, number: int = 5) -> list[str]:
    """Hexes of a row, each next to the one before."""
    return [f"{column:02}{number:02}" for column in range(first, last + 1)]


# -- 9.0, 9.1 the segment ----------------------------------------------------------------------------------------------


def test_9_0_1_nobody_has_to_move() -> None:
    game = position({"ger-21": "0505", "ger-217": "0505"}, moving("ger-21", "ger-217"), board=field(size=SIZE))
    game.apply(Move("ger-21", "0605"))
    assert game.legal_actions()[0] == Done()
    events = game.apply(Done())
    assert told(events, "unit-moved") == []
    assert game.state.locations["ger-217"] == "0505"
    assert not any(isinstance(step, Moving) for step in game.state.stack)


def test_9_0_1_only_active_units_move() -> None:
    game = game_of({"ger-21": "0505", "ger-217": "0505"}, "ger-21")
    assert {action.unit for action in game.legal_actions() if isinstance(action, Move)} == {"ger-21"}
    refused(game, Move("ger-217", "0605"), "8.1.1", "not active")


@pytest.mark.parametrize("order", [("ger-21", "ger-217"), ("ger-217", "ger-21")])
def test_9_1_1_one_after_the_other_in_any_order(order: tuple[str, str]) -> None:
    first, second = order
    game = position({"ger-21": "0505", "ger-217": "0503"}, moving("ger-21", "ger-217"), board=field(size=SIZE))
    game.apply(Move(first, "0604"))
    refused(game, Move(first, "0704"), "8.1.1", "has moved")
    assert {action.unit for action in game.legal_actions() if isinstance(action, Move)} == {second}
    game.apply(Move(second, "0604"))
    assert {game.state.locations[unit] for unit in order} == {"0604"}
    assert not any(isinstance(step, Moving) for step in game.state.stack), "nobody is left"


def test_9_1_2_from_hex_to_hex_in_any_direction() -> None:
    game = game_of({"ger-21": "0505"}, "ger-21")
    assert {label for label, points in game.query.reach("ger-21").costs.items() if points == 1} == AROUND
    board = game.world.board
    way = ["0505", *path(game, "ger-21", "0808")]
    assert len(way) == 5
    assert all(board.adjacent(here, there) for here, there in pairwise(way))


def test_9_1_2_an_islet_cannot_be_jumped_to() -> None:
    game = game_of({"ger-21": "0505"}, "ger-21", land=["0505", "0605", "0805"])
    assert list(game.query.reach("ger-21").costs) == ["0605"]
    refused(game, Move("ger-21", "0805"), "9.2.8", "out of reach")
    refused(game, Move("ger-21", "0505"), "9.1.2", "already")
    refused(game, Move("ger-21", "9999"), "9.1.2", "no hex")


@pytest.mark.clause("3.4.2")
def test_9_1_2_a_unit_may_go_round_by_a_city_that_it_takes() -> None:
    """The way is the player's to choose: the cheapest to 0705 does not pass the city, a longer one does."""
    units = {"ger-21": "0505"}
    board: dict[str, Any] = {"cities": {"Pskov": "0604"}, "size": SIZE}
    direct = position(units, moving("ger-21"), board=field(**board))
    direct.apply(Move("ger-21", "0705"))
    assert direct.query.control("0604") == "soviet"
    by_city = position(units, moving("ger-21"), board=field(**board))
    events = by_city.apply(by(by_city, "ger-21", "0705", "0604"))
    assert told(events, "control-taken") == ["axis takes Pskov (0604) (3.4.2)"]
    assert by_city.query.control("0604") == "axis"
    assert by_city.state.locations["ger-21"] == "0705"


@pytest.mark.clause("9.2.1")
def test_9_1_2_a_way_round_has_to_be_paid() -> None:
    game = game_of({"ger-21": "0505"}, "ger-21", cities={"Pskov": "0604", "Ostrov": "0703"})
    assert by(game, "ger-21", "0505", "0604") in game.legal_actions(), "it may come back"
    to_and_fro = ("0505", "0504") * 3 + ("0505",)
    refused(game, Move("ger-21", "0505", path=to_and_fro), "9.2.8", "and it has 0 left")
    refused(game, Move("ger-21", "0705", path=("0505", "0705")), "9.1.2", "not next to")
    own = game_of({"su-179": "0505"}, "su-179", "soviet", cities={"Pskov": "0604"})
    own.apply(by(own, "su-179", "0705", "0604"))
    assert own.state.locations["su-179"] == "0705", "for no reason that it must give"


@pytest.mark.clause("3.4.2")
def test_9_1_2_several_places_are_taken_on_one_move() -> None:
    game = game_of({"ger-18a": "0505"}, "ger-18a", cities={"Pskov": "0604", "Ostrov": "0703"})
    events = game.apply(by(game, "ger-18a", "0704", "0604", "0703"))
    assert told(events, "control-taken") == ["axis takes Pskov (0604) (3.4.2)", "axis takes Ostrov (0703) (3.4.2)"]


def test_9_1_3_normal_or_strategic_but_not_both() -> None:
    game = game_of({"ger-21": "0205"}, "ger-21", road=[" ".join(row(2, 14))])
    offered = game.legal_actions()
    assert Move("ger-21", "0405") in offered
    assert Move("ger-21", "0405", "strategic") in offered
    game.apply(Move("ger-21", "0405", "strategic"))
    assert not any(isinstance(step, Moving) for step in game.state.stack)
    # Ten hexes of road and one beside it would be a move of both kinds.
    game = game_of({"ger-21": "0205"}, "ger-21", road=[" ".join(row(2, 14))])
    assert cost(game, "ger-21", "0805", "strategic") == 3
    assert cost(game, "ger-21", "0806", "strategic") is None
    assert cost(game, "ger-21", "0806") is None


LINE: dict[str, Any] = {"start-line": between(10, 12)}


@pytest.mark.clause("9.1.4")
def test_n12_a_a_soviet_unit_never_crosses_the_start_line() -> None:
    ground: dict[str, Any] = {"sides": LINE, "road": ["1010 1110 1210"]}
    game = game_of({"su-179": "1110"}, "su-179", "soviet", **ground)
    for mode in ("", "strategic"):
        assert all(int(label[:2]) > 10 for label in game.query.reach("su-179", mode).costs)
    for label in ("1010", "1011"):
        refused(game, Move("su-179", label), "9.1.4", "start-line")
    refused(game, Move("su-179", "1010", "strategic"), "9.1.4", "start-line")
    refused(game, Move("su-179", "0910"), "9.2.8")


@pytest.mark.parametrize("unit", ["su-179", "su-8a", "su-2t", "su-6c"])
def test_9_1_4_no_hex_beyond_it_is_in_reach_of_any_soviet_unit(unit: str) -> None:
    ground: dict[str, Any] = {"sides": {"start-line": between(5, 12)}, "road": [" ".join(row(3, 9))]}
    game = game_of({unit: "0805"}, unit, "soviet", **ground)
    for mode in ("", "strategic"):
        assert {label[:2] for label in game.query.reach(unit, mode).costs} & {"03", "04", "05"} == set()


def test_9_1_4_the_axis_crosses_it_at_no_cost() -> None:
    ground: dict[str, Any] = {"sides": {"start-line": between(5, 12)}, "road": [" ".join(row(3, 9))]}
    game = game_of({"ger-21": "0505"}, "ger-21", **ground)
    free = game_of({"ger-21": "0505"}, "ger-21", road=ground["road"])
    assert game.query.reach("ger-21").costs == free.query.reach("ger-21").costs
    assert cost(game, "ger-21", "0805", "strategic") == 1.5


# -- 9.2.1 to 9.2.4 the ground -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "points"), [("rum-6", 4), ("ger-21", 5), ("ger-1c", 6), ("ger-36m", 8)])
def test_9_2_1_as_far_as_the_allowance_and_no_farther(unit: str, points: int) -> None:
    game = game_of({unit: "1010"}, unit, size=(20, 20))
    board = game.world.board
    costs = game.query.reach(unit).costs
    assert costs == {label: board.distance("1010", label) for label in board.disk("1010", points) if label != "1010"}
    assert max(costs.values()) == points


def test_9_2_1_each_hex_costs_what_its_terrain_says() -> None:
    corridor = {"0405": "f", "0505": "F", "0605": ".", "0705": "s"}
    game = game_of({"ger-36m": "0305"}, "ger-36m", land=row(3, 8), terrain=corridor)
    assert game.query.reach("ger-36m").costs == {"0405": 2, "0505": 5, "0605": 6}
    refused(game, Move("ger-36m", "0705"), "9.2.8", "with 8 points")


def test_9_2_1_the_hex_that_is_left_costs_nothing() -> None:
    game = game_of({"ger-36m": "0505"}, "ger-36m", terrain={"0505": "F"})
    assert cost(game, "ger-36m", "0605") == 1


def test_9_2_2_every_segment_gives_the_whole_allowance() -> None:
    """Two segments one after the other, as when both chits of a Panzer Group come in a turn."""
    for to, spent in (("0805", 5), ("0405", 1)):
        game = position({"ger-21": "0305"}, moving("ger-21"), moving("ger-21"), board=field(size=(20, 12)))
        assert cost(game, "ger-21", to) == spent
        game.apply(Move("ger-21", to))
        here, board = game.state.locations["ger-21"], game.world.board
        assert set(game.query.reach("ger-21").costs) == set(board.disk(here, 5)) - {here}, "five again, and no more than five"


@pytest.mark.parametrize(("letter", "infantry", "mechanized"), [(".", 2, 2), ("f", 2, 3), ("F", 3, 4), ("s", 3, 4)])
def test_9_2_3_a_minor_river_costs_one_more(letter: str, infantry: int, mechanized: int) -> None:
    ground: dict[str, Any] = {"terrain": {"0605": letter}, "sides": {"minor-river": between(5, 12)}}
    assert cost(game_of({"ger-21": "0505"}, "ger-21", **ground), "ger-21", "0605") == infantry
    assert cost(game_of({"ger-36m": "0505"}, "ger-36m", **ground), "ger-36m", "0605") == mechanized


def test_9_2_3_both_ways_and_only_there() -> None:
    ground: dict[str, Any] = {"sides": {"minor-river": between(5, 12)}}
    assert cost(game_of({"ger-21": "0605"}, "ger-21", **ground), "ger-21", "0505") == 2
    assert cost(game_of({"ger-21": "0505"}, "ger-21", **ground), "ger-21", "0506") == 1


@pytest.mark.parametrize("letter", ["f", "F", "s"])
@pytest.mark.parametrize("unit", ["ger-36m", "ger-21"])
def test_9_2_4_along_a_road_any_hex_costs_one(unit: str, letter: str) -> None:
    game = game_of({unit: "0505"}, unit, terrain=dict.fromkeys(row(6, 9), letter), road=[" ".join(row(5, 9))])
    assert [cost(game, unit, label) for label in row(6, 9)] == [1, 2, 3, 4]


def test_9_2_4_a_road_helps_only_those_who_move_along_it() -> None:
    """0605 is on a road, but the road does not come from 0505."""
    game = game_of({"ger-36m": "0505"}, "ger-36m", terrain=dict.fromkeys(AROUND, "F"), road=["0604 0605 0705"])
    assert cost(game, "ger-36m", "0605") == 3


@pytest.mark.parametrize(
    ("links", "points"),
    [({"road": ["0505 0605"]}, 1), ({"rail": ["0505 0605"]}, 3), ({}, 3), ({"road": ["0505 0605"], "rail": ["0505 0605"]}, 1)],
)
def test_9_2_4_a_road_takes_away_the_minor_river_and_a_railway_does_not(links: dict[str, Any], points: int) -> None:
    game = game_of({"ger-36m": "0505"}, "ger-36m", terrain={"0605": "f"}, sides={"minor-river": between(5, 12)}, **links)
    assert cost(game, "ger-36m", "0605") == points


# -- 9.2.5 to 9.2.8 enemy zones ----------------------------------------------------------------------------------------


def test_9_2_5_entering_an_enemy_zone_costs_two_more() -> None:
    game = game_of({"ger-36m": "0505", "su-179": "0705"}, "ger-36m", terrain={"0606": "f"})
    assert cost(game, "ger-36m", "0605") == 1 + 2
    assert cost(game, "ger-36m", "0606") == 2 + 2
    assert cost(game, "ger-36m", "0504") == 1


def test_9_2_6_leaving_an_enemy_zone_costs_two_more() -> None:
    game = game_of({"ger-21": "0505", "su-179": "0605"}, "ger-21")
    assert cost(game, "ger-21", "0405") == 1 + 2
    assert cost(game, "ger-21", "0406") == 1 + 2
    assert cost(game, "ger-21", "0305") == 1 + 2 + 1, "once it is out, it pays no more"


@pytest.mark.clause("9.2.7")
def test_e09_from_one_enemy_zone_into_another() -> None:
    """Two enemies, one for each hex."""
    game = game_of({"ger-21": "0505", "su-179": "0405", "su-188": "0705"}, "ger-21", land=["0505", "0605", "0405", "0705"])
    assert "0605" in game.query.zones("soviet")
    assert game.query.reach("ger-21").costs == {"0605": 5}


@pytest.mark.clause("9.2.5", "9.2.6", "9.2.7", "9.2.8", "3.2.5")
@pytest.mark.parametrize("around", [True, False], ids=["open", "corridor"])
def test_n01_from_zone_to_zone_of_the_same_enemy(around: bool) -> None:
    ground: dict[str, Any] = {"size": (16, 12)} if around else {"size": (16, 12), "land": ["1010", "1110", "1111", "1109"]}
    game = game_of({"ger-21": "1010", "su-179": "1109"}, "ger-21", **ground)
    zone = {"1010", "1110", "1210", "1209", "1009", "1108"}
    assert not around or set(game.query.zones("soviet")) == zone
    assert cost(game, "ger-21", "1110") == 1 + 2 + 2
    weak = game_of({"rum-6": "1010", "su-179": "1109"}, "rum-6", **ground)
    refused(weak, Move("rum-6", "1110"), "9.2.5", "with 4 points")
    quick = game_of({"ger-36m": "1010", "su-179": "1109"}, "ger-36m", **ground)
    assert cost(quick, "ger-36m", "1110") == 5
    if not around:
        assert cost(quick, "ger-36m", "1111") == 5 + 3
        assert path(quick, "ger-36m", "1111") == ["1110", "1111"]


@pytest.mark.clause("9.2.1")
def test_9_2_8_there_is_no_move_that_cannot_be_paid() -> None:
    """Dense forest, a minor river and two zones: 2 + 1 + 4 for a unit with 5 points; there is no single hex for nothing."""
    ground: dict[str, Any] = {
        "terrain": {"0605": "F"},
        "sides": {"minor-river": between(5, 12)},
        "land": ["0505", "0605", "0606"],
    }
    game = game_of({"ger-21": "0505", "su-179": "0606"}, "ger-21", **ground)
    assert game.query.reach("ger-21").costs == {}
    refused(game, Move("ger-21", "0605"), "9.2.5", "with 5 points")
    assert game.legal_actions() == [Done()]


def test_9_2_8_points_that_are_left_do_not_buy_half_a_hex() -> None:
    game = game_of({"ger-36m": "0305"}, "ger-36m", land=row(3, 11), terrain={"1005": "F"})
    assert cost(game, "ger-36m", "0905") == 6
    refused(game, Move("ger-36m", "1005"), "9.2.8", "out of reach")
    near = game_of({"ger-36m": "0405"}, "ger-36m", land=row(3, 11), terrain={"1005": "F"})
    assert cost(near, "ger-36m", "1005") == 8


@pytest.mark.clause("9.2.4")
def test_9_2_16_zones_cost_the_same_on_a_road() -> None:
    road = [" ".join(row(2, 9))]
    game = game_of({"ger-21": "0505", "su-179": "0706"}, "ger-21", terrain={"0605": "F", "0606": "F"}, road=road)
    assert set(game.query.zones("soviet")) >= {"0606", "0705"}
    assert cost(game, "ger-21", "0605") == 1
    assert cost(game, "ger-21", "0705") == 1 + 1 + 2
    game = game_of({"ger-36m": "0605", "su-179": "0606"}, "ger-36m", road=road)
    assert cost(game, "ger-36m", "0505") == 1 + 2 + 2, "from zone to zone"


# -- 9.2.9 to 9.2.11 major rivers --------------------------------------------------------------------------------------

RIVER: dict[str, Any] = {"sides": {"major-river": between(5, 12)}}


@pytest.mark.clause("9.2.9", "9.2.10", "TEC.10")
def test_e06_an_unbridged_major_river_takes_the_whole_move() -> None:
    game = game_of({"ger-251": "0505"}, "ger-251", **RIVER)
    east = {label: points for label, points in game.query.reach("ger-251").costs.items() if int(label[:2]) > 5}
    assert east == {"0605": 5, "0606": 5}, "all points, and nothing beyond"
    assert path(game, "ger-251", "0605") == ["0605"]
    assert game.why_not(Move("ger-251", "0705")) is not None


@pytest.mark.parametrize("unit", ["ger-21", "ger-36m", "ger-18a", "ger-1mt", "ger-1c"])
def test_9_2_9_no_unit_crosses_after_its_first_hex(unit: str) -> None:
    game = game_of({unit: "0405"}, unit, **RIVER)
    assert {label for label in game.query.reach(unit).costs if int(label[:2]) > 5} == set()
    refused(game, Move(unit, "0605"), "9.2.8", "out of reach")


def test_9_2_9_nor_after_taking_a_city_on_the_bank() -> None:
    """A way round is one move: what begins with another hex has no whole allowance left."""
    game = game_of({"ger-21": "0405"}, "ger-21", **RIVER, cities={"Pskov": "0505"})
    refused(game, Move("ger-21", "0605", path=("0405", "0505", "0605")), "9.2.8", "takes the whole move")
    back = game_of({"ger-21": "0505"}, "ger-21", **RIVER, cities={"Pskov": "0504"})
    assert cost(back, "ger-21", "0606") == 5
    refused(back, Move("ger-21", "0605", path=("0505", "0504", "0505", "0605")), "9.2.8", "takes the whole move")


def test_9_2_9_the_terrain_beyond_does_not_matter() -> None:
    ground = {**RIVER, "terrain": {"0605": "F", "0606": "s"}}
    for unit, points in (("ger-36m", 8), ("rum-6", 4)):
        game = game_of({unit: "0505"}, unit, **ground)
        assert (cost(game, unit, "0605"), cost(game, unit, "0606")) == (points, points)


def test_9_2_10_not_out_of_an_enemy_zone() -> None:
    game = game_of({"ger-21": "0505", "su-179": "0406"}, "ger-21", **RIVER)
    assert "0505" in game.query.zones("soviet")
    assert set(game.query.zones("soviet")).isdisjoint({"0605", "0606"})
    for label in ("0605", "0606"):
        refused(game, Move("ger-21", label), "9.2.10", "zones of control")


def test_9_2_10_nor_into_one() -> None:
    game = game_of({"ger-36m": "0505", "su-179": "0704"}, "ger-36m", **RIVER)
    assert set(game.query.zones("soviet")) & {"0505", "0605", "0606"} == {"0605"}
    refused(game, Move("ger-36m", "0605"), "9.2.10", "zones of control")
    assert cost(game, "ger-36m", "0606") == 8


@pytest.mark.clause("2.1.4")
@pytest.mark.parametrize(("links", "points"), [({"road": ["0505 0605"]}, 1), ({"rail": ["0505 0605"]}, 2)])
def test_9_2_11_a_bridge_makes_it_a_step_like_any_other(links: dict[str, Any], points: int) -> None:
    """Into light forest: 1 by road, over a railway bridge only what the terrain costs."""
    ground: dict[str, Any] = {**RIVER, "terrain": {"0605": "f"}, **links}
    game = game_of({"ger-36m": "0405"}, "ger-36m", **ground)
    assert cost(game, "ger-36m", "0605") == 1 + points, "not the first hex of the move"
    assert cost(game, "ger-36m", "0705") == 1 + points + 1, "nor the last"
    assert cost(game, "ger-36m", "0606") == 1 + points + 1, "by the bridge, for the next hex has none"
    watched = game_of({"ger-36m": "0505", "su-179": "0406", "su-188": "0704"}, "ger-36m", **ground)
    assert {"0505", "0605"} <= set(watched.query.zones("soviet"))
    assert cost(watched, "ger-36m", "0605") == points + 2 + 2


# -- 9.2.12 to 9.2.15 mountains ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["ger-21", "ger-97j", "ger-36m", "ger-1pz", "ger-18a", "ger-207sec", "ger-1c"])
def test_9_2_12_mountains_are_closed(unit: str) -> None:
    game = game_of({unit: "0505"}, unit, terrain={"0605": "m"})
    assert cost(game, unit, "0605") is None
    refused(game, Move(unit, "0605"), "9.2.12", "mountain")


@pytest.mark.parametrize("unit", ["su-179", "su-1nb-l", "su-2t"])
def test_9_2_12_to_soviet_units_too(unit: str) -> None:
    game = game_of({unit: "0505"}, unit, "soviet", terrain={"0605": "m"})
    refused(game, Move(unit, "0605"), "9.2.12", "mountain")


def test_9_2_12_nor_does_a_railway_open_them() -> None:
    game = game_of({"ger-21": "0505"}, "ger-21", terrain={"0605": "m"}, rail=["0505 0605 0705"])
    refused(game, Move("ger-21", "0605"), "9.2.12", "mountain")


@pytest.mark.parametrize("unit", ["ger-21", "ger-1pz", "ger-18a", "ger-1mt"])
def test_9_2_13_a_road_leads_any_unit_into_mountains(unit: str) -> None:
    game = game_of({unit: "0405"}, unit, terrain=dict.fromkeys(row(6, 8), "m"), road=[" ".join(row(5, 9))])
    assert [cost(game, unit, label) for label in row(5, 9)] == [1, 2, 3, 4, 5]
    assert cost(game, unit, "0606") == 2, "this is no mountain"


def test_9_2_13_a_road_in_the_mountains_that_does_not_come_from_here_is_no_help() -> None:
    game = game_of({"ger-21": "0505"}, "ger-21", terrain={"0605": "m"}, road=["0604 0605 0704"])
    assert cost(game, "ger-21", "0604") == 2
    assert cost(game, "ger-21", "0605") == 3, "round by the road"
    refused(
        game_of({"ger-21": "0505"}, "ger-21", terrain={"0605": "m"}, road=["0605 0705"], land=row(5, 8)),
        Move("ger-21", "0605"),
        "9.2.12",
    )


MOUNTAINS: dict[str, Any] = {"terrain": {"1110": "m", "1210": "m"}, "size": (16, 12)}


@pytest.mark.clause("9.2.12", "9.2.14", "TEC.8")
def test_n13_a_a_mountain_division_spends_all_its_points() -> None:
    game = game_of({"ger-1mt": "1010"}, "ger-1mt", **MOUNTAINS)
    assert cost(game, "ger-1mt", "1110") == 5
    assert cost(game, "ger-1mt", "1210") is None, "it is the only hex of the move"
    assert path(game, "ger-1mt", "1110") == ["1110"]
    infantry = game_of({"ger-21": "1010"}, "ger-21", **MOUNTAINS)
    refused(infantry, Move("ger-21", "1110"), "9.2.12", "mountain")


@pytest.mark.clause("9.2.14")
def test_n13_b_one_hex_each_activation() -> None:
    board = field(**MOUNTAINS)
    game = position({"ger-1mt": "1010"}, moving("ger-1mt"), moving("ger-1mt"), board=board)
    game.apply(Move("ger-1mt", "1110"))
    assert cost(game, "ger-1mt", "1210") == 5
    assert path(game, "ger-1mt", "1210") == ["1210"]


@pytest.mark.clause("9.2.15")
def test_n13_c_not_into_an_enemy_zone() -> None:
    game = game_of({"ger-1mt": "1110", "su-179": "1209"}, "ger-1mt", **MOUNTAINS)
    assert set(game.query.zones("soviet")) & {"1110", "1210"} == {"1210"}
    refused(game, Move("ger-1mt", "1210"), "9.2.15", "zones of control")


def test_9_2_15_nor_out_of_one() -> None:
    game = game_of({"ger-1mt": "1010", "su-179": "0910"}, "ger-1mt", **MOUNTAINS)
    assert set(game.query.zones("soviet")) & {"1010", "1110"} == {"1010"}
    refused(game, Move("ger-1mt", "1110"), "9.2.15", "zones of control")
    assert cost(game, "ger-1mt", "1011") is not None


@pytest.mark.clause("9.2.14")
def test_n13_d_not_after_another_hex() -> None:
    game = game_of({"ger-1mt": "1009"}, "ger-1mt", **MOUNTAINS)
    assert cost(game, "ger-1mt", "1010") == 1
    refused(game, Move("ger-1mt", "1110"), "9.2.8", "out of reach")


@pytest.mark.clause("9.2.13", "9.2.16")
@pytest.mark.parametrize("unit", ["ger-1mt", "ger-21"])
def test_n13_e_by_road(unit: str) -> None:
    game = game_of({unit: "1010"}, unit, **MOUNTAINS, road=["1010 1110"])
    assert cost(game, unit, "1110") == 1
    watched = game_of({unit: "1010", "su-179": "1211"}, unit, **MOUNTAINS, road=["1010 1110"])
    assert set(watched.query.zones("soviet")) & {"1010", "1110"} == {"1110"}
    assert cost(watched, unit, "1110") == 1 + 2


def test_9_2_14_out_of_the_mountains_it_moves_as_usual() -> None:
    game = game_of({"ger-1mt": "1110"}, "ger-1mt", **MOUNTAINS)
    assert cost(game, "ger-1mt", "1010") == 1
    assert cost(game, "ger-1mt", "0910") == 2


@pytest.mark.parametrize(("unit", "points"), [("rum-1mt", 4), ("ger-1mt", 5)])
def test_9_2_14_all_points_are_the_whole_allowance_however_large(unit: str, points: int) -> None:
    assert cost(game_of({unit: "1010"}, unit, **MOUNTAINS), unit, "1110") == points


@pytest.mark.clause("3.1.1", "3.1.2", "9.1.4", "9.2.8", "9.2.9", "9.2.12", "9.3.3", "9.3.4", "TEC.5")
@pytest.mark.parametrize(("unit", "seat"), [("ger-21", "axis"), ("ger-36m", "axis"), ("ger-1mt", "axis"), ("su-179", "soviet")])
def test_9_2_1_what_is_offered_is_all_that_is_not_refused(unit: str, seat: str) -> None:
    """A bit of everything: each hex of the board is either offered or refused with a reason, in both ways of moving."""
    friends = ("ger-217", "ger-58") if seat == "axis" else ("su-188", "su-10")
    enemy = "su-90" if seat == "axis" else "ger-61"
    terrain = {"0504": "m", "0404": "m", "0606": "F", "0604": "~", "0407": "s", "0307": "f"}
    sides = {"start-line": between(3, 12), "major-river": between(6, 12), "minor-river": between(5, 12), "water": ["0505|0406"]}
    game = game_of(
        {unit: "0505", friends[0]: "0605", friends[1]: "0605", enemy: "0808"},
        unit,
        seat,
        terrain=terrain,
        sides=sides,
        road=[" ".join(row(2, 9))],
    )
    offered = set(game.legal_actions())
    for mode in ("", "strategic"):
        moves = [Move(unit, label, mode) for label in game.world.board.labels]
        assert {move for move in moves if move in offered} == {move for move in moves if game.why_not(move) is None}
        assert any(move in offered for move in moves)
    assert Move(unit, "0605") not in offered
    assert Move(unit, "0808") not in offered


# -- 9.2.17 the example ------------------------------------------------------------------------------------------------


@pytest.mark.clause("9.2.3", "9.2.4", "9.2.5", "9.2.11", "9.2.17")
def test_e03_36th_motorized() -> None:
    """Forest by road, a city over a bridged major river, two hexes of road, then across a minor river into a zone."""
    game = game_of(
        {"ger-36m": "0305", "su-292": "0905"},
        "ger-36m",
        land=row(3, 9),
        terrain={"0405": "f"},
        cities={"Siauliai": "0505"},
        road=[" ".join(row(3, 7))],
        sides={"major-river": ["0405|0505"], "minor-river": ["0705|0805"]},
    )
    assert [cost(game, "ger-36m", label) for label in row(4, 8)] == [1, 2, 3, 4, 8]
    assert path(game, "ger-36m", "0805") == row(4, 8)
    assert game.query.control("0505") == "axis"


@pytest.mark.clause("9.2.1", "9.2.17", "TEC.1", "TEC.2", "TEC.3")
def test_e04_291st_infantry() -> None:
    game = game_of({"ger-291": "0305"}, "ger-291", land=row(3, 6), terrain={"0505": "F", "0605": "f"})
    assert game.query.reach("ger-291").costs == {"0405": 1, "0505": 1 + 2, "0605": 1 + 2 + 1}


@pytest.mark.clause("9.2.6", "9.2.17", "TEC.12")
@pytest.mark.parametrize("rail", [["0405 0505 0605"], ["0505 0506"], []])
def test_e05_21st_infantry_leaves_a_zone(rail: list[str]) -> None:
    game = game_of({"ger-21": "0305", "su-179": "0205"}, "ger-21", rail=rail)
    assert "0305" in game.query.zones("soviet")
    assert "0405" not in game.query.zones("soviet")
    assert (cost(game, "ger-21", "0405"), cost(game, "ger-21", "0505")) == (3, 4)


@pytest.mark.clause("2.2.13", "9.2.17", "TEC.2")
def test_e07_a_headquarters_moves_like_infantry() -> None:
    game = game_of({"ger-18a": "0305"}, "ger-18a", land=row(3, 6), terrain={"0605": "f"})
    assert game.query.reach("ger-18a").costs == {"0405": 1, "0505": 2, "0605": 3}
