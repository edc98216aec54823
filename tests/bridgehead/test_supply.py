"""12: supply."""

from __future__ import annotations

from fractions import Fraction

from tests.bridgehead.helpers import attacking, field, moving, position, told

# Blue's home in these tests is the one hex 0104, so that its lines can be cut with few units.
NARROW = field(home="0104")


def test_12_1_a_line_of_hexes_leads_from_the_home_area_to_the_unit() -> None:
    game = position({"b1": "0404", "r1": "0904"}, moving("b1"), board=NARROW)
    report = game.query.supply("b1")
    assert (report.supplied, report.clause) == (True, "12.1")
    assert (report.line[0], report.line[-1], len(report.line)) == ("0104", "0404", 4)


def test_12_1_it_passes_no_enemy_unit() -> None:
    game = position({"b1": "0404", "r1": "0104"}, moving("b1"), board=NARROW)
    assert game.query.supply("b1").supplied is False, "the enemy stands in the only source"
    assert game.query.supply("b1").line == ()


def test_12_1_and_no_lake() -> None:
    island = dict.fromkeys(("0403", "0503", "0504", "0405", "0304", "0303"), "~")
    game = position({"b1": "0404", "r1": "0904"}, moving("b1"), board=field(terrain=island, home="0104"))
    assert game.query.supply("b1").supplied is False
    open_shore = field(terrain={**island, "0304": "."}, home="0104")
    assert position({"b1": "0404", "r1": "0904"}, moving("b1"), board=open_shore).query.supply("b1").supplied is True


def test_12_1_a_unit_in_the_home_area_is_supplied_even_in_an_enemy_zone() -> None:
    game = position({"b1": "0104", "r1": "0204"}, moving("b1"), board=NARROW)
    assert game.query.supply("b1").supplied is True
    assert game.query.supply("b1").line == ("0104",)


def test_12_1_rivers_do_not_matter() -> None:
    board = field(river=["0404/N/NE/SE/S/SW/NW"], home="0104")
    assert position({"b5": "0404", "r1": "0904"}, moving("b5"), board=board).query.supply("b5").supplied is True


def test_12_2_a_line_enters_an_enemy_zone_but_does_not_leave_it() -> None:
    # A belt of zones from edge to edge in column 3: it can be entered, and nothing gets beyond.
    belt = {"r1": "0302", "r2": "0304", "r3": "0306", "r6": "0307"}
    game = position({"b1": "0604", **belt}, moving("b1"), board=NARROW)
    assert game.query.supply("b1").supplied is False
    assert game.query.supply("0203", "blue").supplied is True, "it ends in the zone"
    assert game.query.supply("0303", "blue").supplied is False, "one hex into the belt is all"


def test_12_2_it_leaves_a_zone_where_a_friendly_unit_stands() -> None:
    belt = {"r1": "0302", "r2": "0304", "r3": "0306", "r6": "0307"}
    held = {"b2": "0203", "b3": "0303", "b5": "0403"}
    game = position({"b1": "0604", **belt, **held}, moving("b1"), board=NARROW)
    assert game.query.supply("b1").supplied is True
    assert {"0203", "0303", "0403"} <= set(game.query.supply("b1").line)
    gap = position({"b1": "0604", **belt, "b2": "0203", "b5": "0403"}, moving("b1"), board=NARROW)
    assert gap.query.supply("b1").supplied is False, "one hex of the belt without a friend is enough"


def test_12_2_no_line_leaves_a_source_that_lies_in_an_enemy_zone() -> None:
    game = position({"b1": "0404", "r1": "0204"}, moving("b1"), board=NARROW)
    assert game.query.supply("b1").supplied is False
    held = position({"b1": "0404", "b2": "0104", "r1": "0204"}, moving("b1"), board=NARROW)
    assert held.query.supply("b1").supplied is True, "a friend in the source opens it"


def test_12_3_a_unit_without_supply_attacks_and_defends_at_half_strength() -> None:
    units = {"b1": "0404", "r1": "0504", "r2": "0104"}
    game = position(units, attacking("b1"), board=NARROW)
    odds = game.query.odds(["b1"], "0504")
    assert [(strength.unit, strength.printed, strength.counted, strength.reasons) for strength in odds.strengths] == [
        ("b1", 4, Fraction(2), (("halved without supply", "12.3"),)),
        ("r1", 4, Fraction(4), ()),
    ]
    cut = position({**units, "b2": "0902", "b3": "0904", "b5": "0906"}, attacking("b1"), board=NARROW)
    assert [strength.counted for strength in cut.query.odds(["b1"], "0504").strengths] == [2, 2]


def test_12_3_halves_add_up_with_the_river() -> None:
    board = field(river=["0404/SE"], home="0104")
    game = position({"b1": "0404", "r1": "0504", "r2": "0104"}, attacking("b1"), board=board)
    (attacker, _) = game.query.odds(["b1"], "0504").strengths
    assert attacker.counted == 1
    assert attacker.reasons == (("halved across a river", "8.3"), ("halved without supply", "12.3"))


def test_12_4_the_supply_chit_costs_every_unit_without_supply_a_step_reds_first() -> None:
    blue = {"b1": "0404", "bB": "0404", "b2": "0902", "b3": "0904", "b5": "0906", "bA": "0907"}
    red = {"r1": "0104", "rA": "0105", "r2": "0703"}
    game = position({**blue, **red}, cup=["supply"], chance=[1], reduced=["r1"], board=NARROW)
    # Blue fills Red's home and Red stands in Blue's: nobody has a line.
    assert told(game.events, "step-lost", "unit-eliminated") == [
        "rA is eliminated (12.4)",
        "r1 is eliminated (12.4)",
        "r2 loses a step (12.4)",
        "bA is eliminated (12.4)",
        "bB is eliminated (12.4)",
        "b1 loses a step (12.4)",
        "b2 loses a step (12.4)",
        "b3 loses a step (12.4)",
        "b5 loses a step (12.4)",
    ]


def test_12_4_all_lines_are_judged_before_any_step_is_lost() -> None:
    # r1 stands in Blue's only source and is lost to the same check, too late for b1.
    units = {"b1": "0404", "r1": "0104", "r2": "0904"}
    wall = {"b2": "0204", "b3": "0205", "b5": "0103", "b6": "0105"}
    game = position({**units, **wall}, cup=["supply"], chance=[1], reduced=["r1"], board=NARROW)
    assert "r1" not in game.state.locations
    assert game.state.steps_left["b1"] == 1


def test_12_4_supplied_units_lose_nothing() -> None:
    game = position({"b1": "0404", "r1": "0804", "bA": "0104", "rA": "0904"}, cup=["supply"], chance=[1])
    assert told(game.events, "step-lost", "unit-eliminated") == []
