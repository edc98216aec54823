"""1.0 and 2.0: the map, counters (also those on which other tests rely) and chits; 2.3 and 9.4: headquarters and relocation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive, Attack, Move
from hexwar.pieces import Done, total
from hexwar_tow.activation import ChooseMode
from hexwar_tow.relocation import Relocate
from hexwar_tow.state import WAITING
from hexwar_tow.supply import SupplyCheck
from tests.tow.table import (
    CHIT,
    COMBAT,
    CONTENT,
    MOVEMENT_AFTER,
    SELECTION,
    after,
    attack,
    attacking,
    ends,
    field,
    marching,
    neighbours,
    of_kind,
    offered,
    position,
    refused,
    river,
    sides_of,
    walls,
    where,
)

UNITS = CONTENT.units
RELIED_UPON = {
    "ger-112 ger-68 ger-75 ger-88 ger-57": ("infantry", (3, 3, 5), (1, 1, 5)),
    "ger-11pz ger-19pz": ("armour", (5, 4, 7), (3, 2, 7)),
    "ger-reich ger-totenkopf ger-wiking": ("armour", (7, 6, 7), (4, 3, 7)),
    "ger-213sec": ("security", (1, 1, 5), None),
    "rom-24": ("infantry", (2, 2, 4), (1, 1, 4)),
    "ger-4pza": ("hq", (2, 2, 6), None),
    "ger-8a": ("hq", (2, 2, 5), None),
    "sov-51 sov-50 sov-52 sov-47": ("infantry", (4, 4, 4), (2, 2, 4)),
    "sov-23g": ("infantry", (5, 5, 4), (3, 3, 4)),
    "sov-2tk sov-10tk sov-31tk": ("armour", (6, 4, 6), (3, 2, 6)),
    "sov-3m": ("mechanized", (5, 5, 6), (3, 3, 6)),
    "sov-voronezh sov-steppe": ("hq", (2, 2, 5), None),
}


@pytest.mark.parametrize("names", RELIED_UPON)
def test_2_2_4_the_counters_that_other_tests_rely_on(names: str) -> None:
    arm, *faces = RELIED_UPON[names]
    for name in names.split():
        unit = UNITS[name]
        printed = [(face.attack, face.defence, face.move) for face in unit.faces]
        assert (unit.arm, printed) == (arm, [values for values in reversed(faces) if values])
        assert unit.command == (4 if arm == "hq" else 0)


# -- 2.2 combat units --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "nation", "arm"),
    [
        ("ger-17pz", "german", "armour"),
        ("ger-15", "german", "infantry"),
        ("ger-46", "german", "infantry"),
        ("ger-223", "german", "infantry"),
        ("sov-73", "soviet", "infantry"),
        ("sov-66", "soviet", "infantry"),
        ("sov-23tk", "soviet", "armour"),
        ("sov-9m", "soviet", "mechanized"),
        ("sov-18g", "guards", "airborne"),
    ],
)
def test_2_2_9_the_units_that_the_examples_name_are_there(name: str, nation: str, arm: str) -> None:
    assert (UNITS[name].nation, UNITS[name].arm) == (nation, arm)


@pytest.mark.clause("1.0.1", "2.2.2", "2.2.3")
def test_2_2_1_two_sides_five_nations_and_their_arms() -> None:
    nations = {unit.nation: unit.side for unit in UNITS.values()}
    assert nations == {"german": "axis", "romanian": "axis", "hungarian": "axis", "soviet": "soviet", "guards": "soviet"}
    mechanised = {unit.arm for unit in UNITS.values() if unit.mechanized}
    assert mechanised == {"armour", "mechanized"}
    assert {unit.arm for unit in UNITS.values()} - mechanised == {"infantry", "mountain", "cavalry", "airborne", "security", "hq"}


def test_2_2_4_only_mechanised_units_have_two_strengths() -> None:
    assert all(unit.mechanized or face.attack == face.defence for unit in UNITS.values() for face in unit.faces)


def test_2_2_6_most_combat_units_have_two_steps() -> None:
    steps = Counter(unit.steps for unit in UNITS.values() if unit.arm != "hq")
    assert set(steps) == {1, 2}
    assert steps[2] > steps[1]


def test_2_2_10_groups_of_the_soviets_and_boxes_of_the_axis() -> None:
    """PR has only German mechanised units, IR only other German ones, AR only allies."""
    boxes = {unit.start for unit in UNITS.values() if not unit.start.isdigit()}
    assert {f"soviet group {number}" for number in range(1, 9)} | {"axis PR", "axis IR", "axis AR"} <= boxes
    for unit in UNITS.values():
        if unit.start == "axis PR":
            assert unit.nation == "german"
            assert unit.mechanized
        elif unit.start == "axis IR":
            assert unit.nation == "german"
            assert not unit.mechanized
        elif unit.nation in ("romanian", "hungarian"):
            assert unit.start == "axis AR"
        assert not unit.start.startswith("soviet") or unit.side == "soviet"


def test_2_2_11_each_replacement_finds_units_of_its_kind_at_the_start() -> None:
    at_start = {unit.arm for unit in UNITS.values() if unit.side == "soviet" and unit.start.isdigit()}
    replacements = [unit for unit in UNITS.values() if unit.replacement]
    assert replacements
    assert all(unit.start.startswith("soviet group") and unit.arm in at_start for unit in replacements)


@pytest.mark.clause("2.2.12")
def test_1_2_1_the_box_has_303_small_counters_and_18_large_ones() -> None:
    markers = dict(CONTENT.markers.counters)
    assert markers.pop("box") == 303
    armour = [unit for unit in UNITS.values() if unit.arm == "armour"]
    assert len(UNITS) + len(armour) + sum(markers.values()) == 303
    assert len(CONTENT.chits) == 18
    assert markers["luftwaffe"] == 4
    assert markers["supreme_command_order"] == 6


# -- 2.3 headquarters and 2.4 chits ------------------------------------------------------------------------------------


FRONTS = {
    "sov-voronezh": "sov-1ukr",
    "sov-steppe": "sov-2ukr",
    "sov-southwest": "sov-3ukr",
    "sov-south": "sov-4ukr",
}


@pytest.mark.clause("2.3.16", "14.2.1")
def test_2_3_11_four_axis_headquarters_four_fronts_and_their_better_versions() -> None:
    leaders = [unit for unit in UNITS.values() if unit.is_headquarters]
    assert Counter((unit.side, unit.start == "ukrainian fronts") for unit in leaders) == {
        ("axis", False): 4,
        ("soviet", False): 4,
        ("soviet", True): 4,
    }
    assert all(unit.command == 4 and unit.steps == 1 for unit in leaders)
    for old, new in FRONTS.items():
        before, after = UNITS[old].faces[-1], UNITS[new].faces[-1]
        assert after.attack > before.attack
        assert after.defence > before.defence
        assert after.move > before.move


@pytest.mark.clause("4.2.1.1", "4.2.2.1", "2.3.16")
def test_2_4_2_every_headquarters_has_a_chit() -> None:
    called = Counter(leader for chit in CONTENT.chits.values() for leader in chit.activates)
    assert set(called) == {unit.id for unit in UNITS.values() if unit.is_headquarters}
    assert all(number == (1 if UNITS[leader].side == "axis" else 2) for leader, number in called.items())
    assert {tuple(chit.activates) for chit in CONTENT.chits.values() if chit.front} == set(FRONTS.items())


def test_1_1_1_the_scale() -> None:
    scale = CONTENT.numbers.scale
    assert (scale.hex_km, scale.turn_months) == (20, 1)


def test_1_1_2_the_axis_has_divisions_and_the_soviets_corps() -> None:
    for unit in UNITS.values():
        if unit.arm != "hq":
            elite = ("Grossdeutschland", "SS ")
            assert ("Division" in unit.name or unit.name.startswith(elite)) == (unit.side == "axis")
            assert ("Corps" in unit.name) == (unit.side == "soviet")


# -- 2.1 the map -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.1.4", "2.1.7", "2.1.9", "12.3.1", "12.3.5")
def test_2_1_5_sources_crossing_points_and_breakthroughs_of_the_map() -> None:
    start: Game = hexwar.new_game("tow", "campaign", seed=1)
    board = start.world.board
    west = max(int(label[2:]) for label in start.world.supply.sources["axis"])
    east = min(int(label[2:]) for label in start.world.supply.sources["soviet"])
    assert west < east
    assert len(start.world.crossing_hexes) == 6
    assert {"1826", "1827"} < set(start.world.crossing_hexes)
    for label in start.world.crossing_hexes:  # all on the Dnieper
        assert any("major-river" in board.side(label, near) for near in board.neighbours(label)), label
    assert all(int(label[2:]) <= 2 or int(label[:2]) == 1 for label in board.areas["breakthrough"])  # in the west and south
    assert "blocked" in board.side_features
    assert board.adjacent("1826", "1926")
    assert board.adjacent("1827", "1926")
    assert board.adjacent("1826", "1827")
    assert all(
        unit in start.world.supply.supplied_units(start.position, UNITS[unit].side)
        for unit, label in start.state.locations.items()
        if label in board
    )


@pytest.mark.clause("2.6.1", "PA.CP.1", "PA.CP.2", "PA.CP.3", "PA.CP.4", "PA.CP.5", "PA.CP.6")
def test_2_1_8_crossing_points_drive_four_things() -> None:
    rows = CONTENT.numbers.crossings
    assert [(row.negotiation_points, row.luftwaffe, row.okh_units) for row in rows] == [
        (3, 0, 6),
        (4, 1, 7),
        (4.5, 2, 8),
        (5, 3, 9),
        (5.5, 4, 10),
    ]
    assert CONTENT.numbers.stavka == {5: 0, 6: 1, 7: 3, 8: 5}


# -- 2.3 command range -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "commanded"), [("0711", True), ("0712", False), ("1107", True), ("1207", False)])
def test_2_3_12_range_is_counted_in_hexes(label: str, commanded: bool) -> None:
    game = position({"ger-4pza": "0707", "ger-112": label})
    assert ("ger-112" in game.query.command("ger-4pza")) is commanded


def test_2_3_13_range_is_not_counted_across_blocked_hexsides_or_water() -> None:
    units = {"ger-4pza": "0708", "ger-112": "0710"}
    detour = field(sides={"blocked": [side for side in river(8) if side not in ("0408|0409", "1008|1009")]})
    assert position(units, board=detour).query.command("ger-4pza") == ("ger-4pza",)
    lake = field({f"{row:02}09": "~" for row in range(1, 15)})
    assert position(units, board=lake).query.command("ger-4pza") == ("ger-4pza",)


@pytest.mark.clause("2.2.9")
def test_2_4_1_units_of_any_formation_and_nation_follow() -> None:
    units = {"ger-4pza": "0707", "ger-304": "0708", "rom-24": "0709", "hun-7": "0706", "ger-15lw": "0705"}
    assert set(position(units).query.command("ger-4pza")) == set(units)


def test_2_3_15_a_unit_that_leaves_the_range_stays_active() -> None:
    units = {"ger-4pza": "0705", "ger-11pz": "0709", "sov-51": "0714"}
    game = position(units, path=CHIT, drawn=["4pza"], cup=[])
    game.apply(ChooseMode("move-combat"))
    game.apply(Move("ger-11pz", "0713"))
    game.apply(Done())
    assert "ger-11pz" not in game.query.command("ger-4pza")
    assert offered(game, Attack) == [Attack("0714")]


def test_2_3_15_a_unit_that_comes_into_range_later_is_not_active() -> None:
    units = {"ger-4pza": "0705", "ger-11pz": "0710"}
    game = position(units, path=CHIT, drawn=["4pza"], cup=[])
    game.apply(ChooseMode("move-combat"))
    game.apply(Move("ger-4pza", "0707"))
    assert "ger-11pz" in game.query.command("ger-4pza")
    assert offered(game, Move) == []


HQ, OTHER = "ger-4pza", "ger-8a"


def lifted(units: dict[str, str] | None = None, **more: Any) -> Game:
    """A headquarters in 0710 that is being relocated of its own will."""
    game = position({HQ: "0710", **(units or {})}, marching(HQ), path=SELECTION, **more)
    game.apply(Relocate(HQ))
    return game


def targets(game: Game) -> set[str]:
    return {action.to for action in offered(game, Arrive)}


# -- 2.3.6 to 2.3.9 where to -------------------------------------------------------------------------------------------------


def test_2_3_6_at_least_five_hexes_away_and_as_far_as_it_likes() -> None:
    game = lifted()
    distance = game.world.board.distance
    assert {distance("0710", label) for label in targets(game)} == {5, 6, 7, 8, 9, 10, 11, 12, 13}
    refused(game, Arrive(HQ, "0706"), "2.3.6", "5 hexes")
    game.apply(Arrive(HQ, "0705"))
    assert where(game, HQ) == ("0705",)


def test_2_3_7_not_into_an_enemy_zone() -> None:
    game = lifted({"sov-51": "0704"})
    assert targets(game).isdisjoint(neighbours("0704"))
    refused(game, Arrive(HQ, "0705"), "2.3.7")


def test_2_3_8_only_where_it_can_trace_a_line() -> None:
    game = lifted(board=field(sides={"major-river": sides_of("0705")}))
    assert "0705" not in targets(game)
    assert "0704" in targets(game)
    refused(game, Arrive(HQ, "0705"), "2.3.8")


def test_2_3_9_not_to_another_headquarters_into_water_or_onto_the_enemy() -> None:
    units = {OTHER: "0705", "ger-112": "0704", "ger-68": "0704", "sov-51": "0902"}
    game = lifted(units, board=field({"0503": "~"}))
    assert targets(game).isdisjoint({"0705", "0503", "0902"})
    assert "0704" in targets(game)  # two combat units leave room for a headquarters
    refused(game, Arrive(HQ, "0705"), "2.3.9")


def test_2_3_6_without_a_hex_it_waits_until_the_next_supply_check() -> None:
    """The source is cut off; when it is free again, the distance no longer matters."""
    shut = field(sides={"major-river": [*sides_of("0710"), *sides_of("0701")]})
    near = {"sov-51": "0702"}
    game = position({HQ: "0710", **near}, SupplyCheck(), board=shut, path=SELECTION)
    assert where(game, HQ) == (WAITING,)
    assert game.state.relocations == {}
    again = position({HQ: WAITING, "ger-112": "0707"}, SupplyCheck(), path=SELECTION)
    assert again.to_move == ("axis",)
    again.apply(Arrive(HQ, "0706"))
    assert again.state.relocations == {"axis": 1}


def test_2_3_6_the_chit_of_a_headquarters_that_waits_activates_nobody() -> None:
    game = position({HQ: WAITING, "ger-112": "0707"}, path=(1, 3, 2), drawn=["4pza"], cup=[], dice=[])
    assert of_kind(game.events, "units-activated")[0].units == ()


# -- 9.4 of its own will -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.3.5")
def test_9_4_1_an_active_headquarters_is_relocated_instead_of_moving() -> None:
    game = position({HQ: "0710", "ger-112": "0709"}, marching(HQ, "ger-112"), path=SELECTION)
    assert offered(game, Relocate) == [Relocate(HQ)]
    refused(game, Relocate("ger-112"), "9.4.1")
    game.apply(Relocate(HQ))
    game.apply(Arrive(HQ, "0702"))
    assert not ends(game, HQ)  # it has had its move
    moved = position({HQ: "0710", "ger-112": "0709"}, marching(HQ, "ger-112"), path=SELECTION)
    moved.apply(Move(HQ, "0711"))
    assert offered(moved, Relocate) == []


@pytest.mark.clause("2.3.8", "8.1.4")
def test_9_4_1_not_if_only_the_headquarters_itself_keeps_the_lines_open() -> None:
    """It stands in an enemy zone; without it no line leads through its hex, and everything nearer is too near."""
    chain = ("0701", "0702", "0703", "0704", "0705", "0706", "0707", "0708", "0709", "0710", "0711", "0712")
    board = field(sides={"blocked": walls(*chain, doors=[("0705", "0806")])})
    units = {HQ: "0705", "sov-51": "0806"}
    game = position(units, marching(HQ), board=board, path=SELECTION)
    assert "0705" in game.query.zones("soviet")
    assert game.query.supply("0711", "axis").supplied
    refused(game, Relocate(HQ), "2.3.6")
    with_friend = position({**units, "ger-112": "0705"}, marching(HQ), board=board, path=SELECTION)
    with_friend.apply(Relocate(HQ))
    assert "0711" in targets(with_friend)


@pytest.mark.clause("4.3.6")
def test_9_4_1_it_may_attack_before() -> None:
    units = {HQ: "0707", "ger-11pz": "0707", "sov-51": "0708"}
    game = position(
        units, attacking(HQ, "ger-11pz", seat="axis"), path=MOVEMENT_AFTER, active=[HQ, "ger-11pz"], mode="combat-move", dice=[4]
    )
    attack(game, "0708", HQ, "ger-11pz")
    game.apply(Relocate(HQ))
    game.apply(Arrive(HQ, "0701"))
    assert where(game, HQ) == ("0701",)


def test_9_4_1_a_relocated_headquarters_attacks_nobody_in_its_old_hex() -> None:
    units = {HQ: "0707", "sov-51": "0708"}
    game = position(units, marching(HQ), path=COMBAT, active=[HQ], mode="move-combat")
    game.apply(Relocate(HQ))
    game.apply(Arrive(HQ, "0702"))
    assert offered(game, Attack) == []


# -- 2.3.10 what it costs ----------------------------------------------------------------------------------------------------


def score(game: Game) -> float:
    return float(total(game.query.score(), "soviet"))


@pytest.mark.clause("13.3.4", "13.2.2")
@pytest.mark.parametrize(("scenario", "points"), [("campaign", 2), ("race", 0)])
def test_2_3_10_a_german_one_is_two_points_in_the_campaign(scenario: str, points: int) -> None:
    game = lifted(scenario=scenario)
    assert score(game) == 0
    game.apply(Arrive(HQ, "0702"))
    assert score(game) == points


@pytest.mark.clause("13.3.4")
def test_2_3_10_a_soviet_one_costs_two_even_of_its_own_will() -> None:
    game = position({"sov-voronezh": "0710"}, marching("sov-voronezh", seat="soviet"), path=SELECTION)
    game.apply(Relocate("sov-voronezh"))
    game.apply(Arrive("sov-voronezh", "0719"))
    assert score(game) == -2


# -- what a headquarters leaves behind ---------------------------------------------------------------------------------------

POINT = field(areas={"crossing points": ["0710"]})


@pytest.mark.clause("2.3.5")
def test_12_3_4_a_crossing_point_that_a_headquarters_leaves_falls_at_once() -> None:
    game = position({HQ: "0710", "sov-51": "0712"}, marching(HQ), board=POINT, path=SELECTION)
    game.apply(Relocate(HQ))
    assert game.state.crossings == ("0710",)


@pytest.mark.clause("8.1.12")
def test_12_3_4_also_if_there_is_no_hex_for_the_headquarters() -> None:
    board = field(sides={"major-river": [*sides_of("0710"), *sides_of("0701")]}, areas={"crossing points": ["0710"]})
    game = position({HQ: "0710", "sov-51": "0712", "sov-50": "0702"}, SupplyCheck(), board=board, path=SELECTION)
    assert where(game, HQ) == (WAITING,)
    assert game.state.crossings == ("0710",)


@pytest.mark.clause("2.3.3")
def test_12_3_4_also_if_it_is_eliminated_in_combat() -> None:
    game = after("1RR", {HQ: "0710", "sov-51": "0711"}, "sov-51", target="0710", board=POINT)
    assert game.state.crossings == ("0710",)
    game.apply(Arrive(HQ, "0702"))
    game.apply(Done())
