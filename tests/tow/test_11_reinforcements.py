"""11.0 to 11.2: groups, replacements, the airborne drop and what the Axis buys, in the order of the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Move
from hexwar.pieces import Done
from hexwar_tow.negotiation import LiftOrder
from hexwar_tow.okh import ChoosingUse, Use
from hexwar_tow.reinforcements import Replace
from tests.handmade import by
from tests.tow.table import (
    CHIT,
    CONTENT,
    OUT,
    SELECTION,
    field,
    marching,
    of_kind,
    offered,
    position,
    refused,
    river,
    told,
    where,
)

UNITS = CONTENT.units
SOVIET_RAIL = [" ".join(f"07{column:02}" for column in range(20, 9, -1))]
AXIS_RAIL = [" ".join(f"07{column:02}" for column in range(1, 9))]
GROUPS = {number: [unit for unit, it in UNITS.items() if it.start == f"soviet group {number}"] for number in range(1, 9)}


def fresh(number: int) -> set[str]:
    """The units of a group that come by rail."""
    return {unit for unit in GROUPS[number] if not UNITS[unit].replacement}


def drawn(chit: str, units: dict[str, str] | None = None, rail: list[str] | None = None, **more: Any) -> Game:
    """A Soviet chit that was drawn; one more is in the cup."""
    board = more.pop("board", field(rail=SOVIET_RAIL if rail is None else rail))
    state = {"drawn": [chit], "cup": ["supply"], "dice": [1] * 4, "path": CHIT, "turn": 3, **more}
    return position({"sov-51": "1018", **(units or {})}, board=board, **state)


def arrivals(game: Game) -> set[str]:
    return {action.unit for action in offered(game, Arrive)}


def hexes(game: Game, unit: str) -> set[str]:
    return {action.to for action in offered(game, Arrive) if action.unit == unit}


def come(game: Game, **where_to: str) -> None:
    for unit, label in where_to.items():
        game.apply(Arrive(unit.replace("_", "-"), label))


# -- 11.0 --------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3.9")
def test_11_0_1_the_reinforcement_chit_brings_the_first_group() -> None:
    game = drawn("reinforcements")
    assert game.to_move == ("soviet",)
    assert arrivals(game) == fresh(1)


@pytest.mark.clause("11.0.5")
def test_11_0_2_on_any_rail_hex_that_the_railway_connects_with_a_source_command_or_not() -> None:
    island = "0705 0706"
    game = drawn("reinforcements", rail=[*SOVIET_RAIL, island])
    (unit, *_) = sorted(fresh(1))
    assert hexes(game, unit) == {f"07{column}" for column in range(10, 21)}
    refused(game, Arrive(unit, "0705"), "11.0.2")
    refused(game, Arrive(unit, "0919"), "11.0.2")


@pytest.mark.parametrize("friends", [{}, {"sov-50": "0714", "sov-52": "0715"}], ids=["empty", "friends"])
def test_11_0_3_an_enemy_zone_closes_the_railway_even_where_friends_stand(friends: dict[str, str]) -> None:
    game = drawn("reinforcements", {"ger-112": "0815", **friends})  # its zone covers 0714 and 0715
    (unit, *_) = sorted(fresh(1))
    assert hexes(game, unit) == {f"07{column}" for column in range(16, 21)}
    refused(game, Arrive(unit, "0715"), "11.0.3", "zone")


def test_11_0_3_an_enemy_unit_or_city_closes_it() -> None:
    (unit, *_) = sorted(fresh(1))
    city = drawn("reinforcements", board=field(rail=SOVIET_RAIL, cities={"City": "0717"}), orders=[])
    assert hexes(city, unit) == {"0718", "0719", "0720"}
    taken = drawn("reinforcements", board=field(rail=SOVIET_RAIL, cities={"City": "0717"}), orders=[], control={"0717": "soviet"})
    assert hexes(taken, unit) == {f"07{column}" for column in range(10, 21)}


def test_11_0_3_a_watched_source_brings_nothing() -> None:
    game = drawn("reinforcements", {"ger-112": "0820"})
    assert game.state.groups == 1
    assert all(where(game, unit) == ("soviet group 1",) for unit in fresh(1))


@pytest.mark.clause("5.0.3")
def test_11_0_4_two_units_to_a_hex() -> None:
    game = drawn("reinforcements", rail=["0720 0719"])
    come(game, sov_6gtk="0720", sov_7gtk="0720")
    refused(game, Arrive("sov-9m", "0720"), "5.0.2")
    come(game, sov_9m="0719", sov_21="0719")
    assert where(game, "sov-30") == ("soviet group 1",)


@pytest.mark.clause("11.1.1")
def test_11_0_6_whoever_had_no_room_comes_with_the_next_chit() -> None:
    placed = dict.fromkeys(("sov-6gtk", "sov-7gtk", "sov-9m", "sov-21"), "soviet eliminated")
    game = drawn("reinforcements", placed, groups=1)
    assert arrivals(game) == {"sov-30", *fresh(2)}


@pytest.mark.clause("2.2.8")
def test_11_0_2_they_come_at_full_strength() -> None:
    game = drawn("reinforcements")
    come(game, sov_6gtk="0720")
    assert game.state.steps_left["sov-6gtk"] == 2


# -- 11.1 groups and replacements ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [1, 4, 8])
def test_11_1_1_the_number_is_not_a_turn(turn: int) -> None:
    assert arrivals(drawn("reinforcements", turn=turn)) == fresh(1)


def test_11_1_1_the_airborne_chit_counts_like_the_other() -> None:
    game = drawn("airborne", dict.fromkeys(GROUPS[1], "soviet eliminated"), groups=1)
    assert told(game.events, "group-called") == ["Soviet reinforcements: group 2 (11.1.1)"]
    assert game.state.groups == 2
    assert fresh(2) <= arrivals(game)


@pytest.mark.clause("2.2.10", "2.2.11")
def test_11_1_1_the_examples_a_first_and_a_sixth_group_and_a_replacement_in_the_fourth() -> None:
    assert fresh(1) == {"sov-6gtk", "sov-7gtk", "sov-9m", "sov-21", "sov-30"}
    assert fresh(6)
    assert any(UNITS[unit].replacement for unit in GROUPS[4])


def replaced(group: int = 4, others: Mapping[str, str] | None = None, reduced: Sequence[str] = (), **more: Any) -> Game:
    """Group 4 with its two Guards tank corps, which are replacements, or another; nobody comes by rail."""
    gone = {unit: "soviet eliminated" for number in range(1, group) for unit in GROUPS[number]}
    units = {"sov-2tk": "0707", "sov-10tk": "0708", "sov-31tk": "0709", "sov-3m": "1010", "sov-50": "1011", **(others or {})}
    weak = ["sov-2tk", *reduced]
    return drawn("reinforcements", {**gone, **units}, rail=["0101 0102"], groups=group - 1, reduced=weak, **more)


@pytest.mark.clause("11.1.4")
def test_11_1_2_a_replacement_takes_the_place_of_a_unit_of_its_kind_anywhere() -> None:
    game = replaced()
    assert {(it.unit, it.replaced) for it in offered(game, Replace)} == {
        (unit, tank) for unit in ("sov-2gtk", "sov-3gtk") for tank in ("sov-2tk", "sov-10tk", "sov-31tk")
    }
    assert Done() in game.legal_actions()
    refused(game, Replace("sov-2gtk", "sov-3m"), "11.1.2", "same kind")
    game.apply(Replace("sov-2gtk", "sov-2tk"))
    assert where(game, "sov-2gtk") == ("0707",)
    assert game.state.steps_left["sov-2gtk"] == 2  # at full strength, though the other was reduced
    assert game.state.locations.get("sov-2tk") not in game.world.board


@pytest.mark.clause("2.2.11")
def test_2_2_11_only_of_a_weaker_unit_as_it_stands() -> None:
    game = replaced(others={"sov-4gtk": "0710", "sov-5gtk": "0711"}, reduced=["sov-5gtk"])
    assert {it.replaced for it in offered(game, Replace)} == {"sov-2tk", "sov-10tk", "sov-31tk", "sov-5gtk"}
    refused(game, Replace("sov-2gtk", "sov-4gtk"), "2.2.11", "sov-4gtk is not weaker than sov-2gtk: 7-5 as it stands against 7-5")


@pytest.mark.clause("2.2.11")
def test_2_2_11_the_25th_tank_corps_is_as_strong_as_the_others_and_replaces_what_is_reduced() -> None:
    assert {(it.unit, it.replaced) for it in offered(replaced(3), Replace)} == {("sov-25tk", "sov-2tk")}


@pytest.mark.parametrize("status", ["out of supply", "isolated"])
def test_11_1_3_not_of_a_unit_without_supply(status: str) -> None:
    game = replaced(supply={"sov-2tk": status})
    refused(game, Replace("sov-2gtk", "sov-2tk"), "11.1.3", status)
    assert {it.replaced for it in offered(game, Replace)} == {"sov-10tk", "sov-31tk"}


def test_11_1_4_the_replaced_unit_never_comes_back_and_a_replacement_may_be_replaced() -> None:
    game = replaced(others={"sov-8gtk": "0710"}, reduced=["sov-8gtk"])
    game.apply(Replace("sov-2gtk", "sov-2tk"))
    assert ("sov-3gtk", "sov-2tk") not in {(it.unit, it.replaced) for it in offered(game, Replace)}
    assert ("sov-3gtk", "sov-8gtk") in {(it.unit, it.replaced) for it in offered(game, Replace)}


# -- 11.1 the airborne drop ----------------------------------------------------------------------------------------------------

ALL = {unit: "soviet eliminated" for units in GROUPS.values() for unit in units}


def dropping(units: dict[str, str] | None = None, **more: Any) -> Game:
    """The paratroopers are about to land; there are no other reinforcements."""
    return drawn("airborne", {**ALL, **(units or {})}, **more)


@pytest.mark.clause("4.3.10")
def test_11_1_5_marker_and_unit_land_together_within_eight_hexes() -> None:
    game = dropping({"sov-51": "0718"})
    distance = game.world.board.distance
    assert {distance("0718", label) for label in hexes(game, "sov-18g")} == set(range(9))
    refused(game, Arrive("sov-18g", "0709"), "11.1.5")
    game.apply(Arrive("sov-18g", "0710"))
    assert (game.state.airborne, *where(game, "sov-18g")) == ("0710", "0710")


def test_11_1_5_of_a_unit_in_supply() -> None:
    game = dropping({"sov-51": "0718", "sov-50": "0708"}, supply={"sov-50": "isolated"})
    assert "0710" in hexes(game, "sov-18g")
    assert "0707" not in hexes(game, "sov-18g")
    cut = dropping({"sov-51": "0718"}, supply={"sov-51": OUT})
    assert (cut.state.landed, *where(cut, "sov-18g")) == (False, "soviet airborne")


def test_11_1_5_a_headquarters_is_a_unit_in_supply_too() -> None:
    assert "0702" in hexes(dropping({"sov-voronezh": "0710"}), "sov-18g")


def test_11_1_5_not_onto_the_enemy_into_water_or_a_full_hex_but_into_a_zone() -> None:
    units = {"sov-51": "0718", "ger-112": "0712", "sov-50": "0715", "sov-52": "0715"}
    game = dropping(units, board=field({"0714": "~"}))
    assert hexes(game, "sov-18g").isdisjoint({"0712", "0714", "0715"})
    refused(game, Arrive("sov-18g", "0712"), "11.1.5", "enemy")
    assert "0713" in hexes(game, "sov-18g")


def test_11_1_5_a_unit_that_has_just_come_counts() -> None:
    """The group arrives first, so its units bring the paratroopers farther."""
    game = drawn("airborne", {"sov-51": "1420"}, rail=SOVIET_RAIL)
    come(game, sov_6gtk="0710", sov_7gtk="0720", sov_9m="0720", sov_21="0719", sov_30="0719")
    assert "0702" in hexes(game, "sov-18g")
    game.apply(Arrive("sov-18g", "0702"))
    assert game.state.airborne == "0702"


def test_11_1_6_the_marker_is_a_source_but_not_for_reinforcements() -> None:
    board = field(sides={"blocked": river(10)}, rail=["0705 0706 0707"])
    for marker in ("0706", ""):
        game = position({"sov-18g": "0706"}, board=board, airborne=marker, landed=True, path=SELECTION)
        assert game.query.supply("sov-18g").supplied is bool(marker)
        assert not game.world.supply.rail_network(game, "soviet", "rail")


@pytest.mark.clause("11.1.7", "11.1.8", "11.1.9")
@pytest.mark.parametrize("unit", ["ger-112", "ger-4pza"])
def test_12_3_1_the_marker_counts_at_once_and_even_when_it_is_gone(unit: str) -> None:
    game = dropping({"sov-51": "0718", "ger-112": "0708"}, path=CHIT)
    game.apply(Arrive("sov-18g", "0710"))
    assert game.state.crossing_points == 1
    later = position({unit: "0708"}, marching(unit), airborne="0709", landed=True, path=SELECTION)
    events = later.apply(Move(unit, "0709"))
    assert told(events, "airborne-destroyed") == ["the Airborne marker in 0709 is destroyed (11.1.7)"]
    assert (later.state.airborne, later.state.crossing_points) == ("", 1)


def test_11_1_7_a_soviet_unit_does_not_destroy_it() -> None:
    game = position({"sov-51": "0708"}, marching("sov-51", seat="soviet"), airborne="0709", landed=True, path=SELECTION)
    game.apply(Move("sov-51", "0709"))
    assert game.state.airborne == "0709"


def test_11_1_7_an_axis_unit_may_pass_through_on_its_way() -> None:
    """A way that is no shorter, for the sake of the marker."""
    game = position({"ger-112": "0708", "sov-51": "1420"}, marching("ger-112"), airborne="0809", landed=True, path=SELECTION)
    game.apply(by(game, "ger-112", "0710", "0809"))
    assert game.state.airborne == ""


# -- 11.2 what the Axis buys ---------------------------------------------------------------------------------------------------


def negotiating(points_on_map: int = 0, units: dict[str, str] | None = None, **more: Any) -> Game:
    crossings = [f"14{column:02}" for column in range(1, points_on_map + 1)]
    board = field(rail=AXIS_RAIL, cities={"City": "0705"}, areas={"crossing points": crossings})
    state = {"orders": ["0705"], "crossings": crossings, "turn": 3, **more}
    game = position(units or {}, ChoosingUse("axis", "okh-1"), board=board, path=SELECTION, dice=[1] * 4, **state)
    game.apply(Use("negotiation"))
    return game


def bought(game: Game) -> bool:
    """Whether the negotiation is over."""
    return not offered(game, Arrive, "axis") and not offered(game, LiftOrder, "axis")


@pytest.mark.clause("PA.NP.1", "12.2.2")
def test_11_2_1_three_points_are_an_order_or_panzers_and_infantry_or_six_allies() -> None:
    order = negotiating()
    order.apply(LiftOrder("0705"))
    assert bought(order)
    units = negotiating()
    refused(units, LiftOrder("0701"), "12.2.2", "no order")
    come(units, ger_1pz="0702")
    refused(units, Arrive("ger-8pz", "0703"), "11.2.1", "costs 2; 1 of the points")
    refused(units, LiftOrder("0705"), "12.2.2", "not enough")
    come(units, ger_9="0703")
    assert bought(units)
    allies = negotiating()
    come(allies, rom_5="0702", rom_10="0702", rom_14="0703", rom_15="0703", hun_7="0704", hun_16="0704")
    assert bought(allies)


@pytest.mark.clause("PA.CP.3", "4.2.2.9")
def test_11_2_1_four_and_a_half_points_are_an_order_and_infantry_and_an_ally() -> None:
    game = negotiating(3)
    game.apply(LiftOrder("0705"))
    assert not any(action.unit == "ger-1pz" for action in offered(game, Arrive))
    come(game, ger_9="0702", rom_5="0702")
    assert bought(game)


def test_4_2_2_9_what_is_not_spent_is_lost() -> None:
    game = negotiating()
    game.apply(Done())
    assert game.state.phase == "selection"
    again = negotiating()
    come(again, ger_9="0702")
    assert not bought(again)
    again.apply(Done())
    assert of_kind(again.events, "order-removed") == []


@pytest.mark.clause("11.0.3")
def test_11_2_1_the_axis_comes_by_its_own_railways() -> None:
    game = negotiating(units={"sov-51": "0804"})
    assert hexes(game, "ger-9") == {"0701", "0702"}  # the zone covers 0703 and 0704


@pytest.mark.parametrize(
    ("points", "landed", "halves"), [(0, 0, 6), (1, 0, 8), (2, 0, 8), (3, 0, 9), (4, 0, 9), (5, 0, 10), (6, 0, 10), (6, 1, 11)]
)
@pytest.mark.clause("PA.CP.1", "PA.CP.2", "PA.CP.4", "PA.CP.5", "2.1.8")
def test_4_2_2_9_points_by_the_number_of_crossing_points(points: int, landed: int, halves: int) -> None:
    """Allies at half a point each are bought until nothing is left."""
    game = negotiating(points, landed=bool(landed))
    spent = 0
    places = iter([f"07{column:02}" for column in range(1, 9) for _ in range(2)])
    while allies := [action.unit for action in offered(game, Arrive, "axis") if UNITS[action.unit].start == "axis AR"]:
        game.apply(Arrive(allies[0], next(places)))
        spent += 1
    assert spent == halves
