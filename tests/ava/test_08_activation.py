"""8.0 Activation: who becomes active with a headquarters, for how long and for what; 13.0.2: a headquarters that is not there."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Event, Game
from hexwar.mechanics import Declare, Declaring, Move, Moving
from hexwar.pieces import Done
from hexwar_ava.activation import Interrupting
from tests.ava.table import field, position, refused

SMALL = field(size=(16, 14))


def activated(
    units: dict[str, str], *chits: str, board: str = SMALL, scenario: str = "campaign", chance: tuple[int, ...] = (), **more: Any
) -> Game:
    """The first of some chits is resolved; the others wait in the cup, and the next draw takes the next."""
    game = position(
        units,
        path=(2, 1),
        board=board,
        scenario=scenario,
        cup=sorted(chits),
        chance=(sorted(chits).index(chits[0]) + 1, *chance),
        **more,
    )
    pass_interrupt(game)
    return game


def pass_interrupt(game: Game) -> list[Event]:
    return game.apply(Done()) if isinstance(game.state.stack[-1], Interrupting) else []


def active(units: dict[str, str], chit: str, **more: Any) -> set[str]:
    return set(activated(units, chit, **more).state.active)


# -- 8.1 who is active and what it may do ------------------------------------------------------------------------------


@pytest.mark.clause("8.1.4")
def test_8_1_1_all_combat_units_in_range_whatever_they_are() -> None:
    units = {
        "ger-16a": "0707",
        "ger-12": "0708",  # infantry of the same army
        "ger-21": "0807",  # of another
        "ger-1pz": "0607",  # a panzer division of a panzer group
        "ger-36m": "0507",
        "ger-207sec": "0907",
        "ger-4pzg": "0706",  # a headquarters
        "su-10": "0710",
    }
    assert active(units, "ger-16a") == {"ger-16a", "ger-12", "ger-21", "ger-1pz", "ger-36m", "ger-207sec"}


def test_8_1_1_the_event_names_them_all() -> None:
    game = activated({"ger-16a": "0707", "ger-12": "0708"}, "ger-16a")
    (event,) = [event for event in game.log() if event.kind == "units-activated"]
    assert (event.to_json()["chit"], event.to_json()["units"], event.clause) == ("ger-16a", ["ger-16a", "ger-12"], "8.1.1")


def test_8_1_1_a_fortress_is_not_activated() -> None:
    assert active({"su-8a": "0707", "fort-l1": "0708", "su-10": "0709"}, "su-8a") == {"su-8a", "su-10"}


def test_8_1_2_both_chits_of_a_panzer_group_activate_the_same_division() -> None:
    """It moves and fights in both activations."""
    units = {"ger-1pzg": "0404", "ger-9pz": "0505", "su-10": "0507", "su-48": "0705"}
    game = activated(units, "ger-1pzg-1", "ger-1pzg-2", chance=(1,))
    for to, target in (("0506", "0507"), ("0605", "0705")):
        pass_interrupt(game)
        assert game.state.active == ("ger-1pzg", "ger-9pz")
        game.apply(Move("ger-9pz", to))
        game.apply(Done())
        assert Declare("ger-9pz", target) in game.legal_actions()
        game.apply(Done())
    assert game.state.turn == 2, "both chits were played"


def test_8_1_2_two_headquarters_activate_the_same_unit_one_after_the_other() -> None:
    units = {"ger-16a": "0404", "ger-18a": "0606", "ger-12": "0505", "su-10": "1313"}
    game = activated(units, "ger-16a", "ger-18a", chance=(1,))
    assert "ger-12" in game.state.active
    game.apply(Move("ger-12", "0504"))
    game.apply(Done())
    pass_interrupt(game)
    assert game.state.drawn == ("ger-16a", "ger-18a")
    assert set(game.state.active) == {"ger-18a", "ger-12"}
    game.apply(Move("ger-12", "0505"))
    assert game.state.locations["ger-12"] == "0505"


def test_8_1_3_one_movement_and_one_combat_in_an_activation() -> None:
    units = {"ger-16a": "0404", "ger-12": "0505", "ger-1pz": "0605", "su-10": "0507", "su-48": "0707"}
    game = activated(units, "ger-16a", chance=(6, 6))
    game.apply(Move("ger-12", "0506"))
    refused(game, Move("ger-12", "0505"), "8.1.1", "has moved already")
    game.apply(Move("ger-1pz", "0607"))
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Declaring)
    game.apply(Declare("ger-1pz", "0507"))
    assert not [a for a in game.legal_actions() if isinstance(a, Declare) and a.unit == "ger-1pz" and a.target == "0507"]
    while isinstance(game.state.stack[-1], Declaring):
        game.apply(Done())
    rolls = [event for event in game.events if event.kind == "dice-rolled"]
    assert len(rolls) == 1
    assert not any(isinstance(step, Declaring) for step in game.state.stack)


def test_8_1_3_afterwards_nobody_is_active() -> None:
    game = activated({"ger-16a": "0404", "ger-12": "0505"}, "ger-16a", "supply", chance=(1,))
    log = game.apply(Done())
    assert game.state.active == ()
    assert [event.clause for event in log if event.kind == "activation-ended"] == ["8.1.3"]


def test_8_1_4_a_headquarters_activates_no_other() -> None:
    units = {"su-8a": "0707", "su-11a": "0708", "su-27a": "0707", "su-10": "0807"}
    game = activated(units, "su-8a")
    assert set(game.state.active) == {"su-8a", "su-10"}
    refused(game, Move("su-11a", "0709"), "8.1.1", "not active")


# -- 8.2 range ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "far"), [("0703", 4), ("0711", 4), ("1107", 4), ("0309", 4), ("0702", 5), ("0712", 5), ("1207", 5)]
)
def test_8_2_1_four_hexes_are_in_range_and_five_are_not(label: str, far: int) -> None:
    game = activated({"su-8a": "0707", "su-10": label}, "su-8a")
    assert game.world.board.distance("0707", label) == far
    assert ("su-10" in game.state.active) == (far == 4)


def test_8_2_2_what_comes_into_range_later_stays_inactive() -> None:
    units = {"su-8a": "0707", "su-10": "1207", "su-48": "0703"}
    game = activated(units, "su-8a")
    assert game.state.active == ("su-8a", "su-48")
    game.apply(Move("su-8a", "0807"))
    assert game.world.board.distance("0807", "1207") == 4
    assert game.state.active == ("su-8a", "su-48"), "and what falls out of range stays active"
    refused(game, Move("su-10", "1208"), "8.1.1", "not active")
    assert Move("su-48", "0702") in game.legal_actions()


def test_8_2_3_an_active_unit_may_leave_the_range() -> None:
    game = activated({"ger-16a": "0707", "ger-1pz": "1107", "su-10": "1607"}, "ger-16a")
    game.apply(Move("ger-1pz", "1507"))
    assert game.world.board.distance("0707", "1507") == 8
    game.apply(Done())
    assert Declare("ger-1pz", "1607") in game.legal_actions()


def test_8_2_4_neither_enemies_nor_supply_nor_terrain_matter() -> None:
    """A unit that is surrounded and out of supply four hexes away, behind a major river and mountains."""
    ring = {"ger-12": "1106", "ger-30": "1207", "ger-32": "1208", "ger-121": "1108", "ger-122": "1008", "ger-123": "1007"}
    row = ["0801", "0803", "0805", "0807", "0809", "0811", "0813", "0802", "0804", "0806", "0808", "0810", "0812", "0814"]
    ground = dict.fromkeys(row, "m") | {label.replace("08", "09", 1): "s" for label in row}
    rivers = [f"{label}/{side}" for label in row for side in ("NE", "SE")]
    board = field(ground, size=(16, 14), sides={"major-river": rivers})
    units = {"su-8a": "0707", "su-10": "1107", **ring}
    assert active(units, "su-8a", board=board) == {"su-8a", "su-10"}


def lake(*gaps: str) -> dict[str, str]:
    """Column 08 under water, but for some hexes."""
    return {label: "~" for row in range(1, 15) if (label := f"08{row:02}") not in gaps}


def test_8_2_5_range_is_not_counted_through_water() -> None:
    units = {"su-8a": "0707", "su-10": "0907", "su-48": "0607"}
    assert active(units, "su-8a") == {"su-8a", "su-10", "su-48"}
    assert active(units, "su-8a", board=field(lake(), size=(16, 14))) == {"su-8a", "su-48"}


@pytest.mark.parametrize(("gap", "reached"), [("0807", True), ("0806", True), ("0809", True), ("0804", False), ("0811", False)])
def test_8_2_5_the_shortest_way_around_counts(gap: str, reached: bool) -> None:
    units = {"su-8a": "0707", "su-10": "0907"}
    assert ("su-10" in active(units, "su-8a", board=field(lake(gap), size=(16, 14)))) == reached


def test_8_2_5_range_is_not_counted_across_water_hexsides() -> None:
    units = {"su-8a": "0707", "su-10": "0807"}
    shore = [f"07{row:02}/{side}" for row in range(1, 15) for side in ("NE", "SE") if (row, side) not in ((1, "NE"), (14, "SE"))]
    assert "su-10" in active(units, "su-8a")
    assert "su-10" not in active(units, "su-8a", board=field(size=(16, 14), sides={"water": shore}))


def test_8_2_5_mountains_do_not_block() -> None:
    """Not even a wall of them without a road, which neither the headquarters nor the division could cross."""
    mountains = dict.fromkeys(lake(), "m")
    game = activated({"su-8a": "0707", "su-10": "0907"}, "su-8a", board=field(mountains, size=(16, 14)))
    assert set(game.state.active) == {"su-8a", "su-10"}
    assert not {"0807", "0806", "0707"} & set(game.query.reach("su-10").costs)


@pytest.mark.clause("8.1.1", "8.1.4", "8.2.1", "8.2.2", "8.2.6")
def test_e01_activation_by_27a() -> None:
    units = {
        "su-27a": "0707",
        "su-11": "0708",
        "su-16": "0907",
        "su-188": "0703",
        "su-292": "1107",
        "su-11a": "0706",
        "su-185m": "1207",  # for the motorized division of the example, which is not among the counters
        "su-179": "0712",
    }
    assert active(units, "su-27a") == {"su-27a", "su-11", "su-16", "su-188", "su-292"}


@pytest.mark.clause("8.2.1")
def test_e02_the_boundary_of_range() -> None:
    assert active({"su-8a": "1010", "su-10": "1410", "su-48": "1510"}, "su-8a") == {"su-8a", "su-10"}


# -- 8.3 nationality ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chit", "expected"), [("ger-11a", {"ger-11a", "ger-22"}), ("rum-3a", {"rum-3a", "rum-gd"})])
def test_8_3_1_only_units_of_its_own_nation(chit: str, expected: set[str]) -> None:
    units = {"ger-11a": "0707", "rum-3a": "0708", "ger-22": "0807", "rum-gd": "0607"}
    assert active(units, chit) == expected


def test_8_3_2_units_of_both_nations_stack() -> None:
    game = activated({"ger-11a": "0707", "ger-21": "0708", "rum-gd": "0709"}, "ger-11a")
    game.apply(Move("ger-21", "0709"))
    assert game.state.locations["ger-21"] == game.state.locations["rum-gd"]
    assert isinstance(game.state.stack[-1], Moving)


def test_8_3_2_zones_and_lines_treat_them_alike() -> None:
    """A Rumanian unit covers a German from an enemy zone as a German would, and has the same zone itself."""
    game = position({"rum-gd": "0709"}, path=(2, 0), board=SMALL)
    other = position({"ger-21": "0709"}, path=(2, 0), board=SMALL)
    assert game.query.zones("axis") == other.query.zones("axis")
    source = field(size=(16, 14), rail=["0101 0201 0301"], areas={"supply axis": ["0101"], "supply soviet": ["1614"]})
    for unit in ("rum-gd", "ger-21"):
        assert position({unit: "0303"}, path=(2, 0), board=source).query.supply(unit).supplied


@pytest.mark.parametrize(("chit", "expected"), [("rum-3a", {"rum-3a", "rum-gd"}), ("ger-11a", {"ger-11a", "ger-44"})])
@pytest.mark.clause("8.3.1", "8.3.2", "8.1.4", "3.1.1")
def test_n09_rumanian_nationality(chit: str, expected: set[str]) -> None:
    units = {"rum-3a": "K1510", "rum-gd": "K1512", "ger-44": "K1511", "rum-4a": "K1610", "ger-11a": "K1409"}
    game = activated(units, chit, board="", scenario="kiev", turn=2)
    assert set(game.state.active) == expected
    mover, other = ("rum-gd", "K1511") if chit == "rum-3a" else ("ger-44", "K1512")
    game.apply(Move(mover, other))
    assert game.state.locations["rum-gd"] == game.state.locations["ger-44"]


# -- 13.0.2 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ["soviet available", "soviet eliminated"])
def test_13_0_2_the_chit_of_a_headquarters_that_is_not_on_the_map_does_nothing(box: str) -> None:
    units = {"su-8a": box, "su-10": "0707", "su-48": "0708"}
    game = activated(units, "su-8a", "supply", chance=(1,))
    (event,) = [event for event in game.events if event.kind == "units-activated"]
    assert (event.to_json()["units"], event.clause) == ([], "13.0.2")
    phases = [event.to_json()["phase"] for event in game.events if event.kind == "phase-entered"]
    assert phases == ["command", "activation", "command"]
    assert game.state.drawn == ("su-8a", "supply"), "the chit is spent"
    assert game.state.cup == ()
