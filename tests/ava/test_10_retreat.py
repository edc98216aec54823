"""10.6: where beaten units go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Retreat
from hexwar.pieces import Done, UnitMoved
from tests.ava.battles import AT, after, attack, battle, hexes, kinds, meadow, ways
from tests.ava.table import field, position, refused, retreating, told

WEST = {"ger-21": "0605", "ger-217": "0606"}
PAIRS = (("su-188", "su-11"), ("su-16", "su-67"), ("su-180", "su-181"))


def valley(land: Iterable[str], *, soviet: str = "", size: tuple[int, int] = (14, 12), **more: Any) -> str:
    """A few hexes of land in a lake."""
    areas = {"supply soviet": [soviet] if soviet else [], "supply axis": []}
    return field(land=land, size=size, areas=areas, **more)


def driven(far: int, units: dict[str, str], board: str = "", *, who: Iterable[str] = ("su-179",), **more: Any) -> Game:
    """The Soviets must retreat from 0705."""
    return position(units, retreating(far, *who, origin=AT), board=board or meadow(), **more)


def route(game: Game, unit: str = "su-179") -> list[str]:
    """The way that a unit went without anybody being asked."""
    return [" ".join(event.path[1:]) for event in game.events if isinstance(event, UnitMoved) and event.unit == unit]


# -- 10.6.1 to 10.6.4 the way ------------------------------------------------------------------------------------------


def test_10_6_1_the_owner_retreats_each_unit_by_the_number_of_the_result() -> None:
    game = after("RR", {**WEST, "su-179": AT}, *WEST)
    assert game.to_move == ("soviet",)
    assert all(len(way.split()) == 2 for way in ways(game, "su-179"))
    refused(game, Retreat("su-179", (AT, "0805")), "10.6.1", "by 2 hexes")
    refused(game, Retreat("su-179", (AT, "0905", "1005")), "10.6.1", "not next to")
    refused(game, Retreat("su-179", (AT, "0805", "1005")), "10.6.1", "not next to")
    refused(game, Retreat("su-179", (AT, "0805", "0905", "1005")), "10.6.11", "room in 0905")


def test_10_6_1_a_path_never_repeats_a_hex_or_comes_back() -> None:
    game = driven(2, {**WEST, "su-179": AT})
    refused(game, Retreat("su-179", (AT, "0805", AT)), "10.6.1", "twice")
    # In a valley of three hexes a retreat by three would have to come back: the unit is lost.
    lost = driven(3, {"ger-21": "0605", "su-179": AT}, valley(["0605", AT, "0805", "0905"], soviet="0905"))
    assert told(lost.events, "unit-eliminated") == ["su-179 is eliminated (soviet available) (10.6.14)"]


def test_10_6_1_a_retreat_by_two_may_end_next_to_its_start() -> None:
    game = driven(2, {**WEST, "su-179": AT}, meadow(soviet="0806"))
    assert route(game) == ["0805 0806"]


@pytest.mark.clause("10.6.6")
def test_10_6_2_a_soviet_unit_never_retreats_across_the_start_line() -> None:
    line = meadow(sides={"start-line": ["0705|0805", "0705|0806", "0704|0805"]})
    game = driven(1, {"ger-21": "0605", "su-179": AT}, line)
    # 0706 is the only hex on this side of the line outside the enemy's zone.
    assert route(game) == ["0706"]
    axis = after("R", {"su-2t": "0605", "su-5t": "0606", "ger-21": AT}, "su-2t", "su-5t", seat="soviet", board=line)
    assert axis.to_move == ("axis",)
    assert ways(axis, "ger-21") == ["0805", "0806"]


def test_10_6_3_a_retreat_costs_no_movement_points() -> None:
    rivers = {"minor-river": ["0705|0805", "0805|0905"]}
    areas = {"supply soviet": ["0905"], "supply axis": []}
    board = field({"0805": "s", "0905": "s"}, land=["0605", AT], size=(14, 12), sides=rivers, areas=areas)
    # Two swamps across two rivers would cost six points; a rifle division has four.
    game = driven(2, {"ger-21": "0605", "su-179": AT}, board)
    assert route(game) == ["0805 0905"]
    assert game.state.steps_left["su-179"] == 2


def test_10_6_4_units_of_a_stack_may_go_to_different_hexes() -> None:
    units = {**WEST, "su-179": AT, "su-188": AT}
    game = driven(1, units, who=("su-179", "su-188"))
    game.apply(Retreat("su-188", (AT, "0805")))
    game.apply(Retreat("su-179", (AT, "0806")))
    assert hexes(game, "su-179", "su-188") == {"su-179": "0806", "su-188": "0805"}
    together = driven(1, units, who=("su-179", "su-188"))
    together.apply(Retreat("su-179", (AT, "0805")))
    together.apply(Retreat("su-188", (AT, "0805")))
    assert hexes(together, "su-179", "su-188") == {"su-179": "0805", "su-188": "0805"}


# -- 10.6.5 to 10.6.8 closed ways --------------------------------------------------------------------------------------


def test_10_6_5_a_unit_with_nowhere_to_go_but_off_the_map_is_destroyed() -> None:
    board = field(size=(14, 12), areas={"supply soviet": ["1406"]})
    units = {"ger-21": "0102", "ger-217": "0201", "ger-58": "0202", "su-179": "0101"}
    game = position(units, retreating(1, "su-179", origin="0101"), board=board)
    assert told(game.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]


def test_10_6_5_a_unit_with_nowhere_to_go_but_into_water_is_destroyed() -> None:
    lake = {"0704": "~", "0805": "=", "0806": "~", "0706": "="}
    game = driven(1, {**WEST, "su-179": AT}, meadow(lake))
    assert told(game.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]


def test_10_6_5_two_hexes_are_needed_for_two() -> None:
    board = valley(["0605", AT, "0805"], soviet="0805")
    assert route(driven(1, {"ger-21": "0605", "su-179": AT}, board)) == ["0805"]
    lost = driven(2, {"ger-21": "0605", "su-179": AT}, board)
    assert told(lost.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]


def test_10_6_6_a_unit_whose_only_way_is_closed_to_movement_is_destroyed() -> None:
    land = ["0605", AT, "0805"]
    board = valley(land, soviet="0805", sides={"water": ["0705|0805"]})
    lost = driven(1, {"ger-21": "0605", "su-179": AT}, board)
    assert told(lost.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]


def test_10_6_6_mountains_are_closed_to_all_but_mountain_units_and_by_road() -> None:
    def mountain(unit: str, **more: Any) -> Game:
        board = field({"0805": "m"}, land=["0605", AT], size=(14, 12), areas={"supply axis": ["0805"]}, **more)
        return after("R", {"su-2t": "0605", unit: AT}, "su-2t", seat="soviet", board=board)

    assert told(mountain("ger-21").events, "unit-eliminated") == ["ger-21 is eliminated (axis eliminated) (10.6.14)"]
    assert route(mountain("ger-1mt"), "ger-1mt") == ["0805"]
    assert route(mountain("ger-21", road=["0705 0805"]), "ger-21") == ["0805"]


BANKS = ["0605", AT, "0805", "0905"]


@pytest.mark.parametrize(
    ("links", "gets_away"),
    [({}, False), ({"road": ["0805 0905"]}, True), ({"rail": ["0805 0905"]}, True), ({"road": ["0705 0805"]}, False)],
    ids=["no bridge", "road bridge", "rail bridge", "bridge elsewhere"],
)
def test_10_6_7_the_second_hex_may_not_lie_across_an_unbridged_major_river(links: dict[str, Any], gets_away: bool) -> None:
    board = valley(BANKS, soviet="0905", sides={"major-river": ["0805|0905"]}, **links)
    game = driven(2, {"ger-21": "0605", "su-179": AT}, board)
    assert route(game) == (["0805 0905"] if gets_away else [])
    assert ("unit-eliminated" in kinds(game.events)) is not gets_away


def test_10_6_7_another_way_is_taken_if_there_is_one() -> None:
    # The source lies across the river, but that is no way out; the unit goes along the bank.
    board = valley([*BANKS, "0804"], soviet="0905", sides={"major-river": ["0805|0905"]})
    assert route(driven(2, {"ger-21": "0605", "su-179": AT}, board)) == ["0805 0804"]


@pytest.mark.clause("10.6.11")
def test_10_6_7_the_ban_covers_the_hexes_forced_by_full_stacks() -> None:
    units = {"ger-21": "0605", "su-179": AT, **dict.fromkeys(PAIRS[0], "0805")}
    free = driven(1, units, valley(BANKS, soviet="0905"))
    assert route(free) == ["0805 0905"]
    barred = driven(1, units, valley(BANKS, soviet="0905", sides={"major-river": ["0805|0905"]}))
    assert told(barred.events, "unit-eliminated") == ["su-179 is eliminated (soviet available) (10.6.14)"]


def test_10_6_7_the_refusals_name_what_is_in_the_way() -> None:
    sides = {"major-river": ["0805|0804"], "start-line": ["0705|0706"], "water": ["0805|0904"]}
    board = meadow({"0906": "m"}, sides=sides, soviet="0101")
    game = driven(2, {"ger-21": "0605", "ger-217": "0101", "su-179": AT}, board)
    assert game.to_move == ("soviet",)
    refused(game, Retreat("su-179", (AT, "0805", "0804")), "10.6.7")
    refused(game, Retreat("su-179", (AT, "0706", "0707")), "10.6.2")
    refused(game, Retreat("su-179", (AT, "0805", "0904")), "10.6.6")
    refused(game, Retreat("su-179", (AT, "0806", "0906")), "10.6.6")


def test_10_6_8_the_first_hex_may_lie_across_an_unbridged_major_river() -> None:
    board = valley(BANKS, soviet="0905", sides={"major-river": ["0705|0805"]})
    assert route(driven(1, {"ger-21": "0605", "su-179": AT}, board)) == ["0805"]
    assert route(driven(2, {"ger-21": "0605", "su-179": AT}, board)) == ["0805 0905"]


def test_10_6_8_any_hex_may_lie_across_a_minor_river() -> None:
    board = valley(BANKS, soviet="0905", sides={"minor-river": ["0705|0805", "0805|0905"]})
    assert route(driven(2, {"ger-21": "0605", "su-179": AT}, board)) == ["0805 0905"]


# -- 10.6.9, 10.6.10 enemies on the way --------------------------------------------------------------------------------

NORTH = ["0604", "0606", AT, "0704", "0703"]
"""A way north past 0604, whose zone covers both its hexes."""


def test_10_6_9_a_step_is_lost_in_an_enemy_zone() -> None:
    game = driven(1, {"ger-21": "0605", "su-179": AT}, valley(["0605", AT, "0704"], soviet="0704"))
    assert told(game.events, "unit-moved", "step-lost") == [
        f"su-179 retreats from {AT} to 0704 (10.6.1)",
        "su-179 loses a step (10.6.9)",
    ]


@pytest.mark.clause("3.2.5")
def test_10_6_9_several_enemies_cost_no_more_than_one() -> None:
    land = ["0605", "0604", "0703", AT, "0704"]
    units = {"ger-21": "0605", "ger-217": "0604", "ger-58": "0703", "su-179": AT}
    game = driven(1, units, valley(land, soviet="0704"))
    assert (game.state.locations["su-179"], game.state.steps_left["su-179"]) == ("0704", 1)


def test_10_6_9_every_hex_of_an_enemy_zone_costs_a_step() -> None:
    units = {"ger-21": "0604", "ger-217": "0606", "su-179": AT}
    one = driven(1, units, valley(["0604", "0606", AT, "0704"], soviet="0704"))
    assert one.state.steps_left["su-179"] == 1
    two = driven(2, units, valley(NORTH, soviet="0703"))
    assert told(two.events, "step-lost", "unit-eliminated") == [
        "su-179 loses a step (10.6.9)",
        "su-179 is eliminated (soviet available) (10.6.9)",
    ]


def test_10_6_9_a_reduced_unit_is_eliminated() -> None:
    game = driven(1, {"ger-21": "0605", "su-179": AT}, valley(["0605", AT, "0704"], soviet="0704"), reduced=["su-179"])
    assert told(game.events, "step-lost", "unit-eliminated") == ["su-179 is eliminated (soviet available) (10.6.9)"]
    assert game.state.retreated == ()


def test_10_6_9_each_unit_of_a_stack_loses_its_own_step() -> None:
    board = valley(["0605", AT, "0704"], soviet="0704")
    game = driven(1, {"ger-21": "0605", "su-179": AT, "su-188": AT}, board, who=("su-179", "su-188"))
    while game.to_move == ("soviet",):
        game.apply(game.legal_actions()[0])
    assert (game.state.steps_left["su-179"], game.state.steps_left["su-188"]) == (1, 1)


@pytest.mark.clause("3.2.7")
def test_10_6_9_a_friend_in_the_hex_does_not_help() -> None:
    units = {"ger-21": "0605", "su-179": AT, "su-188": "0704"}
    game = driven(1, units, valley(["0605", AT, "0704"], soviet="0704"))
    assert told(game.events, "step-lost") == ["su-179 loses a step (10.6.9)"]
    assert game.state.steps_left["su-188"] == 2


def test_10_6_9_the_zone_of_the_hex_that_is_left_does_not_matter() -> None:
    game = driven(1, {"ger-21": "0605", "su-179": AT}, valley(["0605", AT, "0805"], soviet="0805"))
    assert game.state.steps_left["su-179"] == 2


def test_10_6_10_no_retreat_into_an_enemy() -> None:
    units = {"ger-21": "0605", "ger-217": "0805", "su-179": AT}
    game = driven(1, units, valley(["0605", AT, "0805", "0905"], soviet="0905"))
    assert told(game.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]
    choice = driven(1, {"ger-21": "0605", "su-179": AT, "ger-217": "0706"}, meadow({"0806": "F"}), who=())
    assert {"0605", "0706"}.isdisjoint(option.path[1] for option in choice.query.retreats("su-179", 1))
    asked = driven(1, {**WEST, "su-179": AT})
    refused(asked, Retreat("su-179", (AT, "0606")), "10.6.10", "enemy")


# -- 10.6.11 full stacks -----------------------------------------------------------------------------------------------


def test_10_6_11_a_full_hex_on_the_way_is_free() -> None:
    board = valley([*BANKS, "1005"], soviet="1005")
    units = {"ger-21": "0605", "su-179": AT, **dict.fromkeys(PAIRS[0], "0805")}
    assert route(driven(2, units, board)) == ["0805 0905"]


def test_10_6_11_a_full_hex_at_the_end_sends_the_unit_on() -> None:
    board = valley([*BANKS, "1005"], soviet="1005")
    units = {"ger-21": "0605", "su-179": AT, **dict.fromkeys(PAIRS[0], "0905")}
    game = driven(2, units, board)
    assert route(game) == ["0805 0905 1005"]
    half = driven(2, {"ger-21": "0605", "su-179": AT, "su-188": "0905"}, board)
    assert route(half) == ["0805 0905"]


def test_10_6_11_the_unit_may_not_go_on_where_there_is_room() -> None:
    game = driven(1, {**WEST, "su-179": AT})
    refused(game, Retreat("su-179", (AT, "0805", "0905")), "10.6.11", "room in 0805")


def test_10_6_11_a_chain_of_full_stacks_without_end_destroys() -> None:
    units = {"ger-21": "0605", "su-179": AT, **dict.fromkeys(PAIRS[0], "0805"), **dict.fromkeys(PAIRS[1], "0905")}
    game = driven(1, units, valley(BANKS, soviet="0905"))
    assert told(game.events, "unit-eliminated") == ["su-179 is eliminated (soviet available) (10.6.14)"]


@pytest.mark.parametrize(("third", "way"), [(False, "2110 2210 2310"), (True, "2110 2210 2310 2410")])
@pytest.mark.clause("10.6.11", "10.6.13", "3.1.1", "3.1.3")
def test_n11_a_chain_of_full_stacks(third: bool, way: str) -> None:
    corridor = ["1910", "2010", "2110", "2210", "2310", "2410"]
    full = ["2110", "2210", *(["2310"] if third else [])]
    units = {"ger-21": "1910", "su-179": "2010", **{u: label for label, two in zip(full, PAIRS, strict=False) for u in two}}
    game = after("R", units, "ger-21", target="2010", board=valley(corridor, soviet="2410", size=(26, 12)))
    assert route(game) == [way]
    assert game.state.steps_left["su-179"] == 2


# -- 10.6.12, 10.6.13 which way ----------------------------------------------------------------------------------------


def test_10_6_12_the_shortest_line_decides() -> None:
    game = driven(1, {**WEST, "su-179": AT}, meadow(soviet="0802"))
    assert route(game) == ["0805"]
    south = driven(1, {**WEST, "su-179": AT}, meadow(soviet="0810"))
    assert route(south) == ["0806"]


def test_10_6_12_ties_are_the_owners_choice() -> None:
    game = driven(1, {**WEST, "su-179": AT})
    assert ways(game, "su-179") == ["0805", "0806"]
    assert Done() not in game.legal_actions()


def test_10_6_12_the_line_counts_and_not_the_distance() -> None:
    # 0806 is as near to the source as 0805, but lakes force its line through 0805.
    game = driven(1, {**WEST, "su-179": AT}, meadow({"0905": "~", "0906": "~", "0807": "~"}))
    assert route(game) == ["0805"]


def test_10_6_12_a_line_must_not_pass_an_enemy_zone() -> None:
    # From 0806 two hexes lead to the source, past 0907; from 0805 six lead around.
    land = ["0605", AT, "0805", "0806", "0906", "1007", "1106", "1105", "1104", "1004", "0904", "0907"]
    free = driven(1, {"ger-21": "0605", "su-179": AT}, valley(land, soviet="1007"))
    assert route(free) == ["0806"]
    guarded = driven(1, {"ger-21": "0605", "ger-58": "0907", "su-179": AT}, valley(land, soviet="1007"))
    assert route(guarded) == ["0805"]


def test_10_6_12_without_any_line_the_owner_chooses_freely() -> None:
    game = driven(1, {**WEST, "ger-58": "0802", "su-179": AT}, meadow(soviet="0802"))
    assert ways(game, "su-179") == ["0805", "0806"]


def test_10_6_12_the_axis_goes_to_where_its_line_along_the_railway_is_shortest() -> None:
    units = {"su-2t": "0805", "su-5t": "0806", "ger-21": AT}
    rail = field(size=(14, 12), rail=["0101 0201 0301 0401 0501 0601"], areas={"supply axis": ["0101"]})
    assert route(after("R", units, "su-2t", "su-5t", seat="soviet", board=rail), "ger-21") == ["0605"]
    # Without the railway no line is long enough, and both are equal.
    bare = field(size=(14, 12), areas={"supply axis": ["0101"]})
    assert ways(after("R", units, "su-2t", "su-5t", seat="soviet", board=bare), "ger-21") == ["0605", "0606"]


def test_10_6_13_a_longer_line_without_loss_comes_before_a_shorter_one_with_loss() -> None:
    game = driven(1, {**WEST, "su-179": AT}, meadow(soviet="0702"))
    assert route(game) == ["0805"]
    assert game.state.steps_left["su-179"] == 2


def test_10_6_13_the_loss_of_a_step_comes_before_destruction() -> None:
    # North are the source and two hexes in a zone; south one, and no line at all.
    units = {"ger-21": "0604", "ger-217": "0606", "su-179": AT}
    game = driven(2, units, valley([*NORTH, "0702", "0706", "0707"], soviet="0702"))
    assert route(game) == ["0706 0707"]
    assert game.state.steps_left["su-179"] == 1


def test_10_6_13_fewer_losses_come_before_more_where_both_destroy() -> None:
    # A reduced unit is lost north (two hexes in a zone) and south (one): it must choose the way that costs less.
    units = {"ger-21": "0604", "ger-217": "0606", "su-179": AT}
    game = driven(2, units, valley([*NORTH, "0702", "0706", "0707"], soviet="0702"), reduced=["su-179"])
    assert route(game) == ["0706"]  # it gets no farther
    assert game.state.locations["su-179"] == "soviet available"


def test_10_6_13_full_stacks_come_before_the_loss_of_a_step() -> None:
    units = {**WEST, "su-179": AT, **dict.fromkeys(PAIRS[0], "0805"), **dict.fromkeys(PAIRS[1], "0806")}
    game = driven(1, units)
    found = route(game) or ways(game, "su-179")
    assert {len(way.split()) for way in found} == {2}
    assert {way.split()[0] for way in found} <= {"0805", "0806"}
    refused(game, Retreat("su-179", (AT, "0704")), "10.6.13", "0 steps and not 1")


def test_10_6_13_room_comes_before_a_shorter_line() -> None:
    units = {**WEST, "su-179": AT, **dict.fromkeys(PAIRS[0], "0805")}
    game = driven(1, units, meadow(soviet="0802"))
    assert route(game) == ["0806"]


def test_10_6_14_a_surrounded_unit_is_eliminated() -> None:
    ring = zip(
        ("ger-21", "ger-217", "ger-58", "ger-61", "ger-254", "ger-291"),
        ("0704", "0805", "0806", "0706", "0606", "0605"),
        strict=True,
    )
    game = after("R", {**dict(ring), "su-179": AT}, "ger-21")
    assert told(game.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]
    assert game.to_move == ("axis",)  # and the hex is open to pursuit


def test_10_6_14_units_of_a_stack_that_cannot_retreat_are_all_eliminated() -> None:
    game = driven(1, {"ger-21": "0605", "su-179": AT, "su-188": AT}, valley(["0605", AT]), who=("su-179", "su-188"))
    assert kinds(game.events).count("unit-eliminated") == 2


# -- the example of the rulebook ---------------------------------------------------------------------------------------

RIVER = {"minor-river": ["1523|1423", "1523|1424"]}
EXAMPLE = {"ger-36m": "1522", "ger-21": "1423", "ger-217": "1424", "su-179": "1523"}


@pytest.mark.clause("10.6.9", "10.6.12", "10.6.13", "10.6.15")
def test_e19_the_retreat_of_179() -> None:
    board = field({"1624": "F"}, size=(20, 28), sides=RIVER, areas={"supply soviet": ["1628"], "supply axis": ["0101"]})
    game = battle(EXAMPLE, "ger-36m", "ger-21", "ger-217", board=board, chance=[4])
    zones = set(game.query.zones("axis"))
    assert {"1524", "1623"} <= zones
    assert "1624" not in zones
    ranked = game.query.retreats("su-179", 2)
    assert (ranked[0].path, ranked[0].losses) == (("1523", "1624", "1625"), 0)
    assert ranked[0].rank < ranked[1].rank
    events = attack(game, "1523", "ger-36m", "ger-21", "ger-217")
    assert told(events, "attack-resolved", "unit-moved", "step-lost") == [
        "the attack on 1523 results in RR (10.4.1)",
        "su-179 retreats from 1523 to 1625 by 1624 (10.6.1)",
    ]


@pytest.mark.clause("10.6.13", "10.6.15")
def test_e19_the_way_that_costs_a_step_is_refused() -> None:
    # With two equally good ways the owner is asked, and may not choose the one through the zone.
    board = field({"1624": "F"}, size=(20, 28), sides=RIVER, areas={"supply soviet": ["1625", "1724"]})
    game = position(EXAMPLE, retreating(2, "su-179", origin="1523"), board=board)
    assert ways(game, "su-179") == ["1624 1625", "1624 1724"]
    refused(game, Retreat("su-179", ("1523", "1524", "1625")), "10.6.13", "0 steps and not 1")
    refused(game, Retreat("su-179", ("1523", "1624", "1723")), "10.6.13", "supply")


# -- a slow reading of the rules --------------------------------------------------------------------------------------


class Slow:
    """Retreats of 179 as the clauses say, one by one and without any mask or shortcut."""

    def __init__(self, game: Game, source: str) -> None:
        self.board, self.source = game.world.board, source
        units = {unit: label for unit, label in game.state.locations.items() if label in self.board}
        self.enemies = {label for unit, label in units.items() if unit.startswith("ger-")}
        self.fortified = {label for unit, label in units.items() if unit.startswith("fort-")}
        self.friends = [label for unit, label in units.items() if unit.startswith("su-") and unit != "su-179"]
        self.start, self.steps = units["su-179"], game.state.steps_left["su-179"]

    def zone(self, label: str) -> bool:
        """3.2.1, 14.2.2."""
        return label not in self.fortified and any(near in self.enemies for near in self.board.neighbours(label))

    def open(self, here: str, there: str) -> bool:
        """3.1.2, 9.1.4, and water of any kind."""
        dry = self.board.terrain(there) not in ("lake", "sea")
        return dry and there not in self.enemies and not {"water", "start-line"} & self.board.side(here, there)

    def onward(self, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        """10.6.1, 10.6.5 to 10.6.8, 10.6.10."""
        here, found = path[-1], []
        for there in self.board.neighbours(here):
            links, sides = self.board.links(here, there), self.board.side(here, there)
            climbs = self.board.terrain(there) == "mountain" and "road" not in links
            swims = len(path) > 1 and "major-river" in sides and not {"road", "rail"} & links
            if there not in path and self.open(here, there) and not climbs and not swims:
                found.append((*path, there))
        return found

    def ways(self, far: int) -> list[tuple[str, ...]]:
        """10.6.1, 10.6.11: as far as demanded, and on while the hex is full."""
        done: list[tuple[str, ...]] = []
        paths: list[tuple[str, ...]] = [(self.start,)]
        gone = 0
        while paths:
            paths, gone = [longer for path in paths for longer in self.onward(path)], gone + 1
            if gone >= far:
                done += [path for path in paths if self.friends.count(path[-1]) < 2]
                paths = [path for path in paths if self.friends.count(path[-1]) >= 2]
        return done

    def lines(self) -> dict[str, int]:
        """3.3: hexes of the shortest line from the source to every hex that has one."""
        found: dict[str, int] = {}
        front = {(self.source, True)} if self.source not in self.enemies else set()
        seen, length = set(front), 0
        while front:
            for label, _ in front:
                found.setdefault(label, length)
            held = {*self.friends, *self.fortified}
            passed = [(x, by_road) for x, by_road in front if x == self.source or not self.zone(x) or x in held]
            after_these = set()
            for here, by_road in passed:
                for there in self.board.neighbours(here):
                    road = "road" in self.board.links(here, there)
                    leaves = self.board.terrain(here) != "mountain" or (by_road and road)
                    if leaves and self.open(here, there):
                        after_these.add((there, road))
            front, length = after_these - seen, length + 1
            seen |= front
        return found

    def best(self, far: int) -> set[tuple[str, ...]]:
        """10.6.9, 10.6.12, 10.6.13: destruction, losses, full stacks, then the length of the line."""
        lines = self.lines()

        def rank(path: tuple[str, ...]) -> tuple[int, ...]:
            losses = sum(map(self.zone, path[1:]))
            return (losses >= self.steps, losses, len(path) - 1 - far, lines.get(path[-1], 999))

        ways = self.ways(far)
        return {path for path in ways if rank(path) == min(map(rank, ways))}


def wild_ground(dice: Random) -> tuple[dict[str, str], str, str]:
    """Units in their places, a board of eight by eight hexes with a bit of everything, and the source."""
    labels = [f"{column:02}{row:02}" for column in range(1, 9) for row in range(1, 9)]
    terrain = {label: dice.choice("......fFssmm~~") for label in labels}
    source = dice.choice([label for label in labels if label[:2] in ("07", "08")])
    terrain |= {"0404": ".", source: "."}
    dry = [label for label in labels if terrain[label] not in "~=" and label != "0404"]
    plain = position({}, board=field(size=(8, 8))).world.board
    pairs = [(a, b) for a in labels for b in plain.neighbours(a) if a < b]
    sides = {name: [f"{a}|{b}" for a, b in dice.sample(pairs, number)] for name, number in SIDES.items()}
    on_land = [pair for pair in pairs if {*pair} <= {*dry, "0404"}]
    road, rail = ([f"{a} {b}" for a, b in dice.sample(on_land, 20)] for _ in range(2))
    dice.shuffle(dry)
    near = sorted(dry, key=lambda label: plain.distance("0404", label))
    enemies = dict(zip(("ger-21", "ger-217", "ger-58", "ger-61"), [near[0], *dice.sample(near[1:20], 3)], strict=True))
    free = [label for label in near[:16] if label not in enemies.values()]
    full = dice.sample(free, 3)
    friends = {unit: label for label, two in zip(full, PAIRS, strict=True) for unit in two}
    units = {"su-179": "0404", **enemies, **friends, "fort-l1": dice.choice(free)}
    return units, field(terrain, size=(8, 8), sides=sides, areas={"supply soviet": [source]}, road=road, rail=rail), source


SIDES = {"major-river": 40, "minor-river": 20, "water": 12, "start-line": 12}


@pytest.mark.clause("10.6.1", "10.6.5", "10.6.6", "10.6.7", "10.6.9", "10.6.11", "10.6.12")
def test_10_6_13_the_best_ways_are_those_of_a_slow_reading_of_the_rules() -> None:
    found = Counter[str]()
    for seed in range(60):
        dice = Random(seed)
        units, board, source = wild_ground(dice)
        game = position(units, board=board, reduced=["su-179"] * (seed % 3 == 0))
        slow = Slow(game, source)
        for far in (1, 2):
            ranked = game.query.retreats("su-179", far)
            best = [option for option in ranked if option.rank == ranked[0].rank]
            assert {option.path for option in best} == slow.best(far), f"seed {seed}, {far} hexes"
            found["lost"] += not best
            found["choice"] += len(best) > 1
            found["hurt"] += bool(best) and best[0].losses > 0
            found["far"] += bool(best) and best[0].overflow > 0
            found["line"] += len({option.rank for option in ranked if option.rank[:2] == ranked[0].rank[:2]}) > 1
    assert min(found[name] for name in ("lost", "choice", "hurt", "far", "line")) > 2, found
