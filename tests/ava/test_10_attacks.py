"""10.0 to 10.3: who may attack what, the order of combat, and the odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hexwar.mechanics import Declare, Fight, Pursue, Retreat
from hexwar.pieces import Done, Select
from hexwar_ava.content import load_ava
from tests.ava.battles import AT, after, attack, battle, hexes, kinds, meadow, odds, ratio
from tests.ava.table import cost, declaring, field, moving, position, refused, told

TABLE = load_ava().table

# -- 10.0, 10.1 attacks ------------------------------------------------------------------------------------------------


def test_10_0_1_active_units_may_attack_adjacent_enemies_and_need_not() -> None:
    units = {"ger-21": "0605", "su-179": AT}
    game = position(units, board=meadow(), active=["ger-21"])
    assert (game.to_move, game.state.phase) == (("axis",), "combat")
    assert game.legal_actions() == [Done(), Declare("ger-21", AT)]
    events = game.apply(Done())
    assert {"attack-planned", "attack-declared", "dice-rolled"}.isdisjoint(kinds(events))
    assert hexes(game, *units) == units
    assert game.state.phase != "combat"


def test_10_0_1_an_enemy_two_hexes_away_cannot_be_attacked() -> None:
    game = battle({"ger-21": "0605", "su-179": AT, "su-188": "0805"}, "ger-21")
    assert Declare("ger-21", "0805") not in game.legal_actions()
    refused(game, Declare("ger-21", "0805"), "10.1.1", "next to")


def test_10_0_2_an_empty_hex_cannot_be_attacked() -> None:
    game = battle({"ger-21": "0605", "ger-217": "0606", "su-179": AT}, "ger-21", "ger-217")
    refused(game, Declare("ger-21", "0604"), "10.0.2", "no enemy")
    refused(game, Declare("ger-21", "0606"), "10.0.2", "no enemy")
    assert {action.target for action in game.legal_actions() if isinstance(action, Declare)} == {AT}


def test_10_0_2_a_segment_without_enemies_nearby_asks_nothing() -> None:
    game = position({"ger-21": "0605", "su-179": "0905"}, board=meadow(), active=["ger-21"])
    assert game.state.phase == "selection"


def test_10_1_1_a_unit_attacks_one_hex_only() -> None:
    game = battle({"ger-21": "0605", "ger-217": "0504", "su-179": AT, "su-188": "0604"}, "ger-21", "ger-217")
    game.apply(Declare("ger-21", AT))
    refused(game, Declare("ger-21", "0604"), "10.1.1", "already")
    refused(game, Declare("ger-21", AT), "10.1.1", "already")
    assert game.legal_actions() == [Done(), Declare("ger-217", "0604")]


def test_10_1_1_whoever_has_attacked_is_not_asked_again_in_the_segment() -> None:
    game = battle({"ger-21": "0605", "su-179": AT, "su-188": "0604"}, "ger-21", chance=[4])
    events = attack(game, AT, "ger-21")
    assert told(events, "attack-resolved") == [f"the attack on {AT} results in - (10.4.1)"]
    assert game.state.phase == "selection"


def test_10_1_1_an_inactive_unit_may_not_attack() -> None:
    game = battle({"ger-21": "0605", "ger-217": "0606", "su-179": AT}, "ger-21")
    assert game.legal_actions() == [Done(), Declare("ger-21", AT)]
    refused(game, Declare("ger-217", AT), "10.1.1", "not active")
    refused(game, Declare("su-179", "0605"), "10.1.1", "not active")


@pytest.mark.clause("10.1.4")
def test_10_1_2_a_stack_may_attack_different_hexes() -> None:
    game = battle({"ger-21": "0605", "ger-217": "0605", "su-179": AT, "su-188": "0604"}, "ger-21", "ger-217", chance=[4, 4])
    game.apply(Declare("ger-21", AT))
    game.apply(Declare("ger-217", "0604"))
    game.apply(Done())
    assert game.legal_actions() == [Fight(AT), Fight("0604")]
    events = game.apply(Fight(AT))
    declared = told(events, "attack-declared")
    assert [line.split(":")[0] for line in declared] == [f"axis attacks {AT} with ger-21", "axis attacks 0604 with ger-217"]
    assert kinds(events).count("dice-rolled") == 2


def test_10_1_3_a_hex_is_attacked_once_in_a_segment_however_many_attack_it() -> None:
    units = {"ger-21": "0605", "ger-217": "0606", "su-179": AT}
    game = battle(units, "ger-21", "ger-217", chance=[1])
    game.apply(Declare("ger-21", AT))
    game.apply(Declare("ger-217", AT))
    events = game.apply(Done())
    # 6 to 2 is 3:1, where a 1 is no effect: neither unit, nor the hex, is asked about again.
    assert kinds(events).count("dice-rolled") == 1
    assert told(events, "attack-resolved") == [f"the attack on {AT} results in - (10.4.1)"]
    assert game.state.phase == "selection"


def test_10_1_3_a_unit_that_held_back_may_not_attack_the_hex_after_the_result() -> None:
    units = {"ger-21": "0605", "ger-217": "0606", "su-179": AT}
    game = battle(units, "ger-21", "ger-217", chance=[4])
    game.apply(Declare("ger-21", AT))
    events = game.apply(Done())
    assert told(events, "attack-resolved") == [f"the attack on {AT} results in - (10.4.1)"]
    assert game.state.phase == "selection"


def test_10_1_3_a_hex_may_be_attacked_again_in_a_later_activation() -> None:
    game = battle({"ger-21": "0605", "su-179": AT}, "ger-21", chance=[4], active=["ger-21"])
    events = attack(game, AT, "ger-21")
    assert "attack-resolved" in kinds(events)
    assert "phase-entered" in kinds(events)
    assert game.legal_actions() == [Done(), Declare("ger-21", AT)]


def test_10_1_4_units_in_several_hexes_attack_together() -> None:
    units = {"ger-21": "0605", "ger-217": "0605", "ger-58": "0606", "su-179": AT}
    game = battle(units, "ger-21", "ger-217", "ger-58", chance=[3])
    events = attack(game, AT, "ger-21", "ger-58", "ger-217")
    assert told(events, "attack-declared") == [
        f"axis attacks {AT} with ger-21, ger-58, ger-217: 9 to 2, column 4:1 (10.3.6)",
    ]
    assert kinds(events).count("dice-rolled") == 1


def test_10_1_5_two_defenders_are_attacked_together() -> None:
    game = battle({"ger-21": "0605", "ger-1pz": "0606", "su-179": AT, "su-2t": AT}, "ger-21", "ger-1pz")
    assert ratio(game, AT, "ger-21", "ger-1pz") == "11:4 = 2:1"
    assert {action.target for action in game.legal_actions() if isinstance(action, Declare)} == {AT}


# -- 10.1.6 closed ground ----------------------------------------------------------------------------------------------


def test_10_1_6_only_mountain_units_attack_into_mountains_without_a_road() -> None:
    units = {"ger-21": "0605", "ger-1mt": "0605", "ger-1pz": "0606", "su-179": AT}
    active = ("ger-21", "ger-1mt", "ger-1pz")
    game = battle(units, *active, board=meadow({AT: "m"}))
    assert game.legal_actions() == [Done(), Declare("ger-1mt", AT)]
    refused(game, Declare("ger-21", AT), "10.1.6", "could not move")
    refused(game, Declare("ger-1pz", AT), "10.1.6", "could not move")
    by_road = battle(units, *active, board=meadow({AT: "m"}, road=["0606 0705"]))
    assert by_road.legal_actions() == [Done(), Declare("ger-1mt", AT), Declare("ger-1pz", AT)]


def test_10_1_6_a_mountain_unit_attacks_into_mountains_that_it_could_not_move_into_now() -> None:
    # An enemy zone covers 0604, so the move would be refused (9.2.15); the attack is not.
    units = {"ger-1mt": "0605", "su-179": "0604", "su-188": "0603"}
    game = battle(units, "ger-1mt", board=meadow({"0604": "m"}))
    assert game.legal_actions() == [Done(), Declare("ger-1mt", "0604")]


def test_10_1_6_no_attack_across_water() -> None:
    units = {"ger-21": "0605", "ger-217": "0606", "su-179": AT}
    game = battle(units, "ger-21", "ger-217", board=meadow(sides={"water": ["0605|0705"]}))
    refused(game, Declare("ger-21", AT), "10.1.6", "could not move")
    assert game.legal_actions() == [Done(), Declare("ger-217", AT)]


@pytest.mark.clause("10.3.2")
def test_10_1_6_an_attack_across_an_unbridged_major_river_is_legal_but_halved() -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow(sides={"major-river": ["0605|0705"]}))
    assert Declare("ger-1pz", AT) in game.legal_actions()
    assert ratio(game, AT, "ger-1pz") == "4:2 = 2:1"


LINE = {"start-line": ["1110|1010", "1110|1011", "1109|1009", "1109|1010", "1111|1011", "1111|1012"]}
STEPPE = field(size=(16, 14), sides=LINE, areas={"supply soviet": ["1610"], "supply axis": ["0110"]})


@pytest.mark.clause("10.1.6", "9.1.4")
def test_n12_b_a_soviet_unit_may_not_attack_across_the_start_line_but_can_be_attacked() -> None:
    units = {"su-179": "1110", "ger-21": "1010"}
    soviets = battle({**units, "ger-217": "1109"}, "su-179", board=STEPPE, seat="soviet")
    assert soviets.legal_actions() == [Done(), Declare("su-179", "1109")]
    refused(soviets, Declare("su-179", "1010"), "10.1.6", "could not move")
    axis = battle(units, "ger-21", board=STEPPE)
    assert axis.legal_actions() == [Done(), Declare("ger-21", "1110")]


@pytest.mark.clause("3.2.3")
def test_n12_e_a_zone_reaches_across_the_start_line() -> None:
    game = battle({"su-179": "1110", "ger-21": "1010"}, "ger-21", board=STEPPE)
    assert {"1010", "1011"} <= set(game.query.zones("soviet"))


@pytest.mark.clause("10.6.2", "10.6.6", "10.8.1")
def test_n12_c_a_unit_that_could_only_retreat_across_the_start_line_is_destroyed() -> None:
    ring = {"ger-21": "1109", "ger-217": "1111", "ger-58": "1210", "ger-61": "1211"}
    game = after("R", {**ring, "su-179": "1110"}, "ger-21", "ger-217", target="1110", board=STEPPE)
    assert told(game.events, "unit-eliminated", "unit-moved") == ["su-179 is eliminated (soviet available) (10.6.14)"]
    # The same ring without the line: it gets away, at the price of a step.
    free = field(size=(16, 14), areas={"supply soviet": ["1610"], "supply axis": ["0110"]})
    open_field = after("R", {**ring, "su-179": "1110"}, "ger-21", "ger-217", target="1110", board=free)
    assert "unit-eliminated" not in kinds(open_field.events)


# -- 10.2 the order of combat ------------------------------------------------------------------------------------------


def test_10_2_1_all_attacks_are_declared_before_the_first_is_resolved() -> None:
    units = {"ger-21": "0605", "ger-217": "0606", "ger-58": "0504", "su-179": AT, "su-188": "0604"}
    game = battle(units, "ger-21", "ger-217", "ger-58", chance=[4, 4])
    first = game.apply(Declare("ger-21", AT))
    assert told(first, "attack-planned") == [f"ger-21 is to attack {AT} (10.2.1)"]
    assert "dice-rolled" not in kinds(first)
    assert Declare("ger-217", AT) in game.legal_actions()
    assert f"{AT}: 3 to 2, 1.5:1" in game.prompt()
    game.apply(Declare("ger-217", AT))
    assert f"{AT}: 6 to 2, 3:1" in game.prompt()
    game.apply(Declare("ger-58", "0604"))
    assert game.legal_actions() == [Done()], "what was declared is confirmed, and can be taken back before"
    assert game.can_undo
    game.apply(Done())
    assert game.legal_actions() == [Fight(AT), Fight("0604")]


def test_10_2_2_the_attacker_chooses_the_order() -> None:
    units = {"ger-21": "0605", "ger-217": "0504", "su-179": AT, "su-188": "0604"}
    for first, second in ((AT, "0604"), ("0604", AT)):
        game = battle(units, "ger-21", "ger-217", chance=[4, 4])
        game.apply(Declare("ger-21", AT))
        game.apply(Declare("ger-217", "0604"))
        game.apply(Done())
        assert game.legal_actions() == [Fight(AT), Fight("0604")]
        events = game.apply(Fight(first))
        assert [line.split()[2] for line in told(events, "attack-declared")] == [first, second]


def test_10_2_2_only_declared_attacks_can_be_resolved() -> None:
    units = {"ger-21": "0605", "ger-217": "0504", "ger-58": "0606", "su-179": AT, "su-188": "0604", "su-11": "0706"}
    game = battle(units, "ger-21", "ger-217", "ger-58", chance=[4, 4])
    game.apply(Declare("ger-21", AT))
    game.apply(Declare("ger-217", "0604"))
    game.apply(Done())
    refused(game, Fight("0706"), "10.1.1")


@pytest.mark.clause("10.2.1")
def test_10_2_3_strengths_odds_shifts_die_and_result_follow_each_other() -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow({AT: "f"}), chance=[6])
    events = attack(game, AT, "ger-1pz")
    assert told(events, "attack-declared", "dice-rolled", "attack-resolved") == [
        f"axis attacks {AT} with ger-1pz: 8 to 2, -1 light-forest (10.3.9), column 3:1 (10.3.6)",
        f"attack on {AT}: rolled 6 (10.4.1)",
        f"the attack on {AT} results in RR (10.4.1)",
    ]


@pytest.mark.clause("10.3.4", "10.3.5")
def test_10_2_3_retreat_and_pursuit_are_over_before_the_next_odds() -> None:
    # 179 can only go from 0705 into 0806, beside 188, which is attacked next.
    units = {"ger-1pz": "0605", "ger-6pz": "0706", "su-179": AT, "su-188": "0806"}
    game = battle(units, "ger-1pz", "ger-6pz", board=meadow({"0704": "~", "0805": "~"}), chance=[3, 4])
    game.apply(Declare("ger-1pz", AT))
    game.apply(Declare("ger-6pz", "0806"))
    assert f"{AT}: 8 to 2, 4:1; 0806: 8 to 2, 4:1" in game.prompt()
    game.apply(Done())
    first = game.apply(Fight(AT))
    assert told(first, "attack-resolved", "unit-moved") == [
        f"the attack on {AT} results in R (10.4.1)",
        f"su-179 retreats from {AT} to 0806 (10.6.1)",
    ]
    assert "attack-declared" not in kinds(first)[kinds(first).index("attack-resolved") :]
    second = game.apply(Pursue("ger-1pz", ("0605", AT)))
    # It adds nothing to the defence (10.3.4) and suffers in full (10.3.5).
    assert told(second, "attack-declared", "attack-resolved") == [
        "axis attacks 0806 with ger-6pz: 8 to 2, column 4:1 (10.3.6)",
        "the attack on 0806 results in RR (10.4.1)",
    ]
    assert "10.3.4" in next(event for event in second if event.kind == "attack-declared").cited()
    for unit in ("su-188", "su-179"):
        game.apply(next(action for action in game.legal_actions() if isinstance(action, Retreat) and action.unit == unit))
        board = game.world.board
        assert board.distance("0806", game.state.locations[unit]) == 2


# -- 10.3 odds ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.0.1")
def test_10_3_1_all_that_attack_count_headquarters_too_with_their_attack_strength() -> None:
    units = {"ger-1pz": "0605", "ger-4pzg": "0605", "ger-21": "0606", "ger-217": "0606", "su-2t": AT, "su-27a": AT}
    game = battle(units, "ger-1pz")
    # A panzer division attacks with 8 (and would defend with 6); the tank division defends with 2 (and would attack with 4).
    assert ratio(game, AT, "ger-1pz", "ger-4pzg", "ger-21") == "13:3 = 4:1"
    assert [(s.unit, s.printed) for s in odds(game, AT, "ger-1pz").strengths] == [("ger-1pz", 8), ("su-2t", 2), ("su-27a", 1)]


def test_10_3_1_reduced_units_count_their_reduced_strength() -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", reduced=["ger-1pz", "su-179"])
    assert ratio(game, AT, "ger-1pz") == "4:1 = 4:1"


def test_10_3_1_a_fortress_cannot_attack_but_defends() -> None:
    game = battle({"ger-21": "0605", "fort-l1": AT}, "ger-21", reduced=["fort-l1"])
    assert ratio(game, AT, "ger-21") == "3:1 = 3:1"


@pytest.mark.parametrize("river", ["minor-river", "major-river"])
@pytest.mark.parametrize("links", [{}, {"road": ["0605 0705"]}, {"rail": ["0605 0705"]}], ids=["no bridge", "road", "rail"])
def test_10_3_2_whoever_attacks_across_a_river_is_halved(river: str, links: dict[str, Any]) -> None:
    units = {"ger-1pz": "0605", "su-179": AT}
    game = battle(units, "ger-1pz", board=meadow(sides={river: ["0605|0705"]}, **links))
    assert ratio(game, AT, "ger-1pz") == "4:2 = 2:1"
    strength = odds(game, AT, "ger-1pz").strengths[0]
    assert (int(strength.counted), strength.reasons) == (4, (("halved across a river", "10.3.2"),))


def test_10_3_2_a_river_elsewhere_does_not_matter() -> None:
    sides = {"major-river": ["0605|0604", "0705|0805"]}
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow(sides=sides))
    assert ratio(game, AT, "ger-1pz") == "8:2 = 4:1"


def test_10_3_2_defenders_are_not_halved() -> None:
    game = battle({"ger-6pz": "0605", "su-179": AT}, "su-179", seat="soviet", board=meadow(sides={"minor-river": ["0605|0705"]}))
    assert [strength.counted for strength in odds(game, "0605", "su-179").strengths] == [1, 6]


def test_10_3_3_only_those_across_the_river_are_halved() -> None:
    units = {"ger-1pz": "0605", "ger-6pz": "0606", "su-179": AT}
    game = battle(units, "ger-1pz", board=meadow(sides={"minor-river": ["0605|0705"]}))
    assert ratio(game, AT, "ger-1pz", "ger-6pz") == "12:2 = 6:1"


@pytest.mark.clause("10.3.5")
def test_10_3_4_a_unit_that_has_retreated_adds_nothing_to_the_defence() -> None:
    units = {"ger-1pz": "0605", "su-179": AT, "su-188": AT}
    assert ratio(battle(units, "ger-1pz"), AT, "ger-1pz") == "8:4 = 2:1"
    game = battle(units, "ger-1pz", retreated=["su-188"])
    assert ratio(game, AT, "ger-1pz") == "8:2 = 4:1"
    assert odds(game, AT, "ger-1pz").strengths[-1].reasons == (("has retreated in this segment", "10.3.4"),)


def test_10_3_4_with_nobody_else_there_the_column_is_10_1() -> None:
    game = battle({"ger-21": "0605", "su-188": AT}, "ger-21", retreated=["su-188"])
    assert ratio(game, AT, "ger-21") == "3:0 = 10:1"
    forest = battle({"ger-21": "0605", "su-188": AT}, "ger-21", retreated=["su-188"], board=meadow({AT: "F"}))
    assert ratio(forest, AT, "ger-21") == "3:0 = 8:1"


def test_10_3_4_a_unit_that_retreats_is_remembered_for_the_segment_only() -> None:
    units = {"ger-21": "0605", "ger-217": "0706", "su-179": AT}
    game = after("R", units, "ger-21", active=["ger-21"], path=(2, 1, 4), phase="combat")
    assert told(game.events, "retreated") == ["su-179 adds nothing to a defence for the rest of the segment (10.3.4)"]
    assert game.state.retreated == ("su-179",)
    game.apply(Done())  # no pursuit, and the activation is over
    assert game.state.retreated == ()


def test_10_3_4_the_next_activation_knows_nothing_of_it() -> None:
    units = {"ger-4pzg": "0605", "su-179": AT}
    game = position(units, board=meadow(), path=(2, 1, 1), retreated=["su-179"], drawn=["ger-4pzg"])
    assert "units-activated" in kinds(game.events)
    assert game.state.retreated == ()


@pytest.mark.parametrize(
    ("attack_total", "defence_total", "column"),
    [(15, 5, "3:1"), (26, 9, "2:1"), (12, 7, "1.5:1"), (18, 13, "1:1"), (25, 2, "10:1")],
)
@pytest.mark.clause("10.3.6", "10.3.7", "10.3.8")
def test_e10_columns_of_the_table(attack_total: int, defence_total: int, column: str) -> None:
    found = TABLE.column(Fraction(attack_total), Fraction(defence_total))
    assert found is not None
    assert TABLE.columns[found] == column


def test_10_3_6_odds_are_rounded_in_the_defenders_favour() -> None:
    units = {"ger-1pz": "0605", "ger-21": "0605", "su-2t": AT, "su-27a": AT, "ger-217": "0606"}
    game = battle(units, "ger-1pz")
    assert ratio(game, AT, "ger-1pz") == "8:3 = 2:1"
    assert ratio(game, AT, "ger-21") == "3:3 = 1:1"
    assert ratio(game, AT, "ger-1pz", "ger-21") == "11:3 = 3:1"


def test_10_3_7_odds_above_10_1_are_10_1() -> None:
    units = {"ger-1pz": "0605", "ger-6pz": "0605", "ger-8pz": "0606", "su-27a": AT}
    game = battle(units, "ger-1pz", "ger-6pz", "ger-8pz", chance=[1])
    assert ratio(game, AT, "ger-1pz", "ger-6pz", "ger-8pz") == "24:1 = 10:1"
    events = attack(game, AT, "ger-1pz", "ger-6pz", "ger-8pz")
    assert told(events, "attack-resolved") == [f"the attack on {AT} results in 1RR (10.4.1)"]


def test_10_3_8_the_columns_in_order() -> None:
    assert TABLE.columns == ("1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1")
    assert TABLE.ratios == tuple(map(Fraction, ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9", "10")))


@pytest.mark.parametrize(
    ("letter", "column"), [(".", "4:1"), ("f", "3:1"), ("s", "3:1"), ("F", "2:1"), ("m", "2:1")], ids=list(".fsFm")
)
def test_10_3_9_the_defenders_terrain_shifts_the_column(letter: str, column: str) -> None:
    units = {"ger-1pz": "0605", "su-179": AT}
    game = battle(units, "ger-1pz", board=meadow({AT: letter, "0605": "F"}, road=["0605 0705"]))
    assert ratio(game, AT, "ger-1pz") == f"8:2 = {column}"
    assert {shift.clause for shift in odds(game, AT, "ger-1pz").shifts} <= {"10.3.9"}


@pytest.mark.clause("10.3.9", "10.3.11")
def test_e11_two_shifts_from_3_1() -> None:
    game = battle({"ger-21": "0605", "ger-217": "0606", "su-179": AT}, "ger-21", board=meadow({AT: "f"}, cities={"Luga": AT}))
    found = odds(game, AT, "ger-21", "ger-217")
    assert [(shift.columns, shift.clause) for shift in found.shifts] == [(-1, "10.3.9"), (-1, "10.3.9")]
    assert ratio(game, AT, "ger-21", "ger-217") == "6:2 = 1.5:1"


@pytest.mark.clause("10.3.7", "10.3.8", "10.3.10")
def test_e12_two_shifts_from_12_1_are_counted_from_10_1() -> None:
    units = {"ger-1pz": "0605", "ger-6pz": "0605", "ger-8pz": "0606", "su-179": AT}
    game = battle(units, "ger-1pz", board=meadow({AT: "F"}))
    assert ratio(game, AT, "ger-1pz", "ger-6pz", "ger-8pz") == "24:2 = 8:1"


def test_10_3_10_one_shift_from_12_1_is_9_1() -> None:
    units = {"ger-1pz": "0605", "ger-6pz": "0605", "ger-8pz": "0606", "su-179": AT}
    game = battle(units, "ger-1pz", board=meadow({AT: "f"}))
    assert ratio(game, AT, "ger-1pz", "ger-6pz", "ger-8pz") == "24:2 = 9:1"


@pytest.mark.parametrize(("letter", "column"), [(".", "3:1"), ("f", "2:1"), ("F", "1.5:1")], ids=list(".fF"))
def test_10_3_11_city_and_terrain_add(letter: str, column: str) -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow({AT: letter}, cities={"Luga": AT}))
    assert ratio(game, AT, "ger-1pz") == f"8:2 = {column}"


def test_10_3_11_in_a_major_city_the_other_terrain_does_not_count() -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow({AT: "F"}, major={"Pskov": AT}))
    assert ratio(game, AT, "ger-1pz") == "8:2 = 2:1"


def test_10_3_12_an_attack_below_1_1_is_cancelled() -> None:
    for units, board in (
        ({"ger-4pzg": "0605", "su-179": AT}, meadow({AT: "f"})),  # 1:1 less one
        ({"ger-4pzg": "0605", "su-2t": AT, "su-27a": AT}, meadow()),  # 2 to 3
    ):
        game = battle(units, "ger-4pzg", board=board)
        events = attack(game, AT, "ger-4pzg")
        assert kinds(events)[:2] == ["attack-planned", "attack-cancelled"]
        assert {"dice-rolled", "attack-declared", "attack-resolved", "step-lost"}.isdisjoint(kinds(events))
        assert [event.clause for event in events if event.kind == "attack-cancelled"] == ["10.3.12"]
        assert hexes(game, *units) == units


def test_10_3_12_a_cancelled_attack_has_spent_attackers_and_hex() -> None:
    units = {"ger-4pzg": "0605", "ger-1pz": "0606", "su-179": AT, "su-27a": "0604"}
    game = battle(units, "ger-4pzg", "ger-1pz", board=meadow({AT: "f"}))
    game.apply(Declare("ger-4pzg", AT))
    assert f"{AT}: 2 to 2, no attack" in game.prompt()  # the player can see it coming
    events = game.apply(Done())
    assert "attack-cancelled" in kinds(events)
    assert game.state.phase == "selection"


RIVER = ["1523|1423", "1523|1424"]


def at_179(**more: Any) -> str:
    """The ground of the rulebook's example, with a source far to the south of 179."""
    areas = {"supply soviet": ["1628"], "supply axis": ["0101"]}
    return field(size=(20, 28), areas=areas, **more)


UNITS = {"ger-36m": "1522", "ger-21": "1423", "ger-217": "1424", "su-179": "1523"}
THREE = ("ger-36m", "ger-21", "ger-217")


@pytest.mark.parametrize("river", ["minor-river", "major-river"])
@pytest.mark.parametrize("road", [[], ["1423 1523 1424"]], ids=["no bridge", "bridges"])
@pytest.mark.clause("1.2.1", "10.3.1", "10.3.2", "10.3.3", "10.3.13")
def test_e13_the_attack_on_179(river: str, road: list[str]) -> None:
    game = battle(UNITS, *THREE, board=at_179(sides={river: RIVER}, road=road))
    assert ratio(game, "1523", *THREE) == "8:2 = 4:1"
    assert [strength.counted for strength in odds(game, "1523", *THREE).strengths] == [5, Fraction(3, 2), Fraction(3, 2), 2]


@pytest.mark.clause("10.3.9", "10.3.13", "TEC.3")
def test_e14_the_same_in_dense_forest() -> None:
    game = battle(UNITS, *THREE, board=at_179(terrain={"1523": "F"}, sides={"minor-river": RIVER}))
    assert ratio(game, "1523", *THREE) == "8:2 = 2:1"


@pytest.mark.clause("10.3.1", "10.3.13", "13.0.1")
def test_e15_the_same_with_a_headquarters() -> None:
    game = battle({**UNITS, "ger-4pzg": "1522"}, *THREE, board=at_179(sides={"minor-river": RIVER}))
    assert ratio(game, "1523", *THREE, "ger-4pzg") == "10:2 = 5:1"


# -- 1.2.1 fractions ---------------------------------------------------------------------------------------------------

ACROSS = meadow(sides={"minor-river": ["0605|0705", "0606|0705"]})


@pytest.mark.clause("10.3.2", "10.3.6")
def test_1_2_1_fractions_are_dropped_once_after_adding() -> None:
    units = {"ger-21": "0605", "ger-36m": "0704", "su-179": AT}
    game = battle(units, "ger-21", board=ACROSS)
    assert ratio(game, AT, "ger-21", "ger-36m") == "6:2 = 3:1"  # 5 + 1.5


def test_1_2_1_a_half_alone_is_nothing() -> None:
    game = battle({"ger-18a": "0605", "su-27a": AT}, "ger-18a", board=ACROSS)
    assert ratio(game, AT, "ger-18a") == "0:1 = no attack"


@pytest.mark.parametrize(
    ("attackers", "defenders", "expected"),
    [
        (("ger-21", "ger-217"), ("su-179",), "3:2 = 1.5:1"),
        (("ger-21",), ("su-27a",), "1:1 = 1:1"),
        (("ger-21", "ger-217", "ger-58"), ("su-179", "su-27a"), "4:3 = 1:1"),
    ],
    ids=["a", "b", "c"],
)
@pytest.mark.clause("1.2.1", "10.3.2", "10.3.6")
def test_n06_rounding_of_halves(attackers: tuple[str, ...], defenders: tuple[str, ...], expected: str) -> None:
    where = dict(zip(("ger-21", "ger-217", "ger-58"), ("0605", "0605", "0606"), strict=True))
    game = battle({**{u: where[u] for u in attackers}, **dict.fromkeys(defenders, AT)}, *attackers, board=ACROSS)
    assert ratio(game, AT, *attackers) == expected


@pytest.mark.parametrize(
    ("letter", "attackers", "expected"),
    [("F", ("ger-21", "ger-217"), None), ("f", ("ger-21", "ger-217"), "1:1"), (".", ("ger-21",), None)],
    ids=["a", "b", "c"],
)
@pytest.mark.clause("10.3.9", "10.3.12", "TEC.2", "TEC.3")
def test_n07_an_attack_that_is_cancelled_after_shifts(letter: str, attackers: tuple[str, ...], expected: str | None) -> None:
    units = {"ger-21": "0605", "ger-217": "0606", "su-179": AT, "su-188": AT}
    game = battle(units, *attackers, board=meadow({AT: letter}), chance=[5] if expected else [])
    events = attack(game, AT, *attackers)
    if expected is None:
        assert "attack-cancelled" in kinds(events)
        assert {"dice-rolled", "step-lost", "unit-moved"}.isdisjoint(kinds(events))
        assert game.state.phase == "selection"  # attackers and hex are spent
    else:
        assert told(events, "attack-declared")[0].endswith(f"6 to 4, -1 light-forest (10.3.9), column {expected} (10.3.6)")
        assert told(events, "attack-resolved") == [f"the attack on {AT} results in - (10.4.1)"]


# -- 2.2.13, 13.0 headquarters -----------------------------------------------------------------------------------------


def test_2_2_13_a_panzer_group_moves_and_pursues_like_infantry() -> None:
    units = {"ger-4pzg": "0605", "ger-36m": "0606"}
    game = position(units, moving("ger-4pzg", "ger-36m"), board=meadow({AT: "f"}))
    assert (cost(game, "ger-4pzg", AT), cost(game, "ger-36m", AT)) == (1, 2)
    pursuit = after("-", units, "ger-4pzg", "ger-36m")
    paths = [action for action in pursuit.legal_actions() if isinstance(action, Pursue)]
    assert [action.path for action in paths if action.unit == "ger-4pzg"] == [("0605", AT)]
    assert max(len(action.path) for action in paths if action.unit == "ger-36m") == 3


def test_13_0_1_a_lone_headquarters_has_a_zone_attacks_pursues_and_retreats() -> None:
    units = {"su-27a": AT, "ger-21": "0505", "ger-18a": "0605"}
    game = position(units, moving("ger-21"), board=meadow())
    assert cost(game, "ger-21", "0606") == 3  # the zone of the lone headquarters
    attacking = battle({"ger-18a": "0605", "su-27a": AT}, "ger-18a", chance=[6])
    events = attack(attacking, AT, "ger-18a")
    assert told(events, "attack-declared") == [f"axis attacks {AT} with ger-18a: 1 to 1, column 1:1 (10.3.6)"]
    way = next(action for action in attacking.legal_actions() if "0805" in str(action))
    events = attacking.apply(way)
    assert told(events, "unit-moved") == [f"su-27a retreats from {AT} to 0805 (10.6.1)"]
    attacking.apply(Pursue("ger-18a", ("0605", AT)))
    assert hexes(attacking, "ger-18a", "su-27a") == {"ger-18a": AT, "su-27a": "0805"}


def test_13_0_4_a_headquarters_of_the_axis_lost_in_combat_is_gone_and_its_chit_activates_nothing() -> None:
    game = after("A1", {"ger-4pzg": "0605", "su-179": AT}, "ger-4pzg", before=[declaring("ger-4pzg")])
    assert told(game.events, "unit-eliminated") == ["ger-4pzg is eliminated (axis eliminated) (10.5.2)"]
    later = position(
        {"ger-4pzg": "axis eliminated", "ger-1pz": "0605", "su-179": AT}, board=meadow(), path=(2, 1, 1), drawn=["ger-4pzg"]
    )
    assert told(later.events, "units-activated")[0].endswith("activates nobody (13.0.2)")
    assert (later.state.phase, later.state.active) == ("selection", ())
    assert Select("ger-4pzg") in later.legal_actions("axis")
