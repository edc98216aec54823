"""10.0 to 10.3: who may attack whom, the odds, the combat results table, and who bears the losses."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.bots import GreedyBot, KeyedChance
from hexwar.mechanics import Arrive, Attack, CallOff, Join, Move, Pursue, Resolve, Retreat
from hexwar.pieces import Done, LoseStep
from hexwar.testing import lot
from hexwar_tow.activation import ChooseMode
from hexwar_tow.luftwaffe import Commit
from tests.tow.table import (
    AT,
    CONTENT,
    EAST,
    ISOLATED,
    NORTH_EAST,
    OUT,
    PUTTING_IN,
    SOUTH_EAST,
    after,
    attack,
    battle,
    field,
    lost_in_all_ways,
    marching,
    odds,
    of_kind,
    offered,
    phases,
    position,
    ratio,
    refused,
    steps,
    told,
    where,
)

TABLE = CONTENT.table


def air(*markers: str) -> dict[str, Any]:
    """The Luftwaffe markers that the Axis has available."""
    return {"luftwaffe": {"axis": sorted(markers)}, "sorties": len(markers)}


def column(attack: int, defence: int) -> str:
    found = TABLE.column(attack, defence)
    return "none" if found is None else TABLE.columns[found]


# -- 10.0 who attacks --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3.2")
def test_10_0_1_the_active_player_attacks_and_the_other_defends() -> None:
    game = battle({"ger-112": AT, "sov-51": EAST}, "sov-51", dice=[4])
    assert game.to_move == ("soviet",)
    (declared,) = of_kind(attack(game, AT, "sov-51"), "attack-declared")
    assert (declared.battle.side, declared.attack, declared.defence) == ("soviet", 4, 3)


def test_10_0_2_only_active_units_attack_and_only_adjacent_enemies() -> None:
    units = {"ger-112": AT, "ger-68": "0704", "sov-51": EAST, "sov-50": NORTH_EAST, "sov-52": "0710"}
    game = battle(units, "sov-51", "sov-52")
    assert offered(game, Attack) == [Attack(AT)]
    refused(game, Attack("0704"), "10.0.2")
    refused(game, Attack("0706"), "10.0.2")
    game.apply(Attack(AT))
    assert offered(game, Join) == [Join("sov-51")]
    refused(game, Join("sov-52"), "10.0.2", "does not stand next to")
    refused(game, Join("ger-112"), "10.0.2")


def test_10_0_2_an_inactive_unit_next_to_the_target_does_not_help() -> None:
    game = battle({"ger-112": AT, "sov-51": EAST, "sov-50": NORTH_EAST}, "sov-51")
    game.apply(Attack(AT))
    refused(game, Join("sov-50"), "10.0.3", "not active")


def test_10_0_3_a_unit_attacks_once_in_an_activation() -> None:
    game = battle({"ger-112": AT, "ger-68": NORTH_EAST, "sov-51": EAST}, "sov-51", dice=[4])
    assert offered(game, Attack) == [Attack(AT), Attack(NORTH_EAST)]
    events = attack(game, AT, "sov-51")
    assert of_kind(events, "attack-resolved")[0].result == "-"
    assert "selection" in phases(events)  # nobody is left who could attack 0808


def test_10_0_4_two_units_of_a_stack_may_attack_different_hexes() -> None:
    game = battle({"ger-112": AT, "ger-68": NORTH_EAST, "sov-51": EAST, "sov-50": EAST}, "sov-51", "sov-50", dice=[4, 4])
    first = attack(game, AT, "sov-51")
    second = attack(game, NORTH_EAST, "sov-50")
    assert [of_kind(events, "attack-declared")[0].battle.attackers for events in (first, second)] == [("sov-51",), ("sov-50",)]


def test_10_0_5_attacking_is_voluntary() -> None:
    game = battle({"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert "selection" in phases(game.apply(Done()))


def test_10_0_6_a_hex_is_attacked_once_in_an_activation() -> None:
    units = {"ger-112": AT, "ger-68": "0609", "sov-51": EAST, "sov-50": SOUTH_EAST}
    game = battle(units, "sov-51", "sov-50", dice=[4])
    attack(game, AT, "sov-51")
    assert offered(game, Attack) == [Attack("0609")]
    refused(game, Attack(AT), "10.0.6", "already")


@pytest.mark.clause("10.2.8")
def test_10_0_6_an_attack_that_is_called_off_spends_neither_hex_nor_units() -> None:
    game = battle({"ger-112": AT, "ger-68": "0609", "sov-51": EAST}, "sov-51", dice=[4])
    for target in (AT, "0609", AT):
        game.apply(Attack(target))
        game.apply(Join("sov-51"))
        game.apply(CallOff())
        assert offered(game, Attack) == [Attack("0609"), Attack(AT)]
    assert of_kind(attack(game, AT, "sov-51"), "attack-resolved")


def test_10_0_6_the_greedy_bot_calls_an_attack_off_once_and_lets_it_be() -> None:
    """The corps beside the active one would make the attack worth it, so it begins; but they cannot join."""
    units = {"ger-112": AT, "sov-51": EAST, "sov-2tk": EAST, "sov-10tk": NORTH_EAST, "sov-50": NORTH_EAST}
    game, bot, done = battle(units, "sov-51", board=field(cities={"City": AT})), GreedyBot(), []
    while game.state.phase != "selection":
        done.append(bot.choose(game.view("soviet"), KeyedChance(1)))
        game.apply(done[-1])
    assert done == [Attack(AT), Join("sov-51"), CallOff(), Done()]


def test_10_0_6_the_next_activation_may_attack_it_again() -> None:
    units = {"ger-112": AT, "sov-51": EAST, "sov-voronezh": "0710"}
    game = battle(units, "sov-51", dice=[4, lot(0)], path=PUTTING_IN, cup=["voronezh-2"], drawn=["voronezh-1"])
    attack(game, AT, "sov-51")
    game.apply(ChooseMode("combat-move"))
    assert offered(game, Attack) == [Attack(AT)]


def test_10_0_7_units_in_several_hexes_attack_together() -> None:
    units = {"ger-112": AT, "sov-51": EAST, "sov-50": NORTH_EAST, "sov-2tk": NORTH_EAST}
    game = battle(units, "sov-51", "sov-50", "sov-2tk", dice=[1])
    events = attack(game, AT, "sov-51", "sov-2tk", "sov-50")
    (declared,) = of_kind(events, "attack-declared")
    assert (declared.attack, declared.defence, declared.odds) == (14, 3, "4:1")
    assert len(of_kind(events, "dice-rolled")) == 1


def test_10_0_8_all_defenders_of_a_hex_add_up() -> None:
    game = battle({"ger-112": AT, "ger-11pz": AT, "ger-4pza": AT, "sov-51": EAST, "sov-2tk": EAST}, "sov-51", "sov-2tk")
    assert ratio(game, AT, "sov-51", "sov-2tk") == "10:9 = 1:1"  # 3 + 4 + 2 of the headquarters


@pytest.mark.clause("PA.TEC.8")
def test_10_0_9_no_attack_across_a_blocked_hexside() -> None:
    board = field(sides={"blocked": [f"{AT}|{EAST}"]})
    game = battle({"ger-112": AT, "sov-51": EAST, "sov-50": NORTH_EAST}, "sov-51", "sov-50", board=board)
    game.apply(Attack(AT))
    assert offered(game, Join) == [Join("sov-50")]
    refused(game, Join("sov-51"), "10.0.9")


@pytest.mark.parametrize("letter", "^s")
def test_10_0_9_nothing_else_keeps_a_unit_from_attacking(letter: str) -> None:
    board = field({AT: letter}, sides={"major-river": [f"{AT}|{EAST}"]})
    units = {"ger-213sec": AT, "sov-2tk": EAST, "sov-51": EAST}
    game = battle(units, "sov-2tk", "sov-51", board=board)
    assert offered(game, Attack) == [Attack(AT)]
    assert ratio(game, AT, "sov-2tk", "sov-51") == "5:1 = 4:1"


# -- 10.1 the procedure ------------------------------------------------------------------------------------------------------


def test_10_1_1_the_attacker_chooses_the_order_and_each_combat_is_done_before_the_next() -> None:
    units = {"ger-112": AT, "ger-68": "0610", "sov-51": EAST, "sov-50": "0609"}
    game = battle(units, "sov-51", "sov-50", dice=[4, 4])
    assert offered(game, Attack) == [Attack("0610"), Attack(AT)]
    assert told(attack(game, "0610", "sov-50"), "attack-resolved") == ["the attack on 0610 results in - (10.3.1)"]
    assert offered(game, Attack) == [Attack(AT)]


def test_10_1_2_the_steps_of_a_combat_come_in_their_order() -> None:
    """Odds and terrain, then the Luftwaffe, then the die with its modifier, then the result."""
    board = field(towns={"Town": AT})
    units = {"ger-112": AT, "sov-51": EAST, "sov-2tk": EAST}
    game = battle(units, "sov-51", "sov-2tk", board=board, dice=[4], **air("def"))
    events = attack(game, AT, "sov-51", "sov-2tk")
    (declared,) = of_kind(events, "attack-declared")
    assert str(declared) == f"soviet attacks {AT} with sov-51, sov-2tk: 10 to 3, -1 town (10.2.6), column 2:1"
    assert not of_kind(events, "dice-rolled")
    assert game.to_move == ("axis",)
    events = game.apply(Commit("def"))
    kinds = [event.kind for event in of_kind(events, "marker-used", "dice-rolled", "roll-modified", "attack-resolved")]
    assert kinds == ["marker-used", "dice-rolled", "roll-modified", "attack-resolved"]
    assert of_kind(events, "attack-resolved")[0].result == "-"  # 2:1, a 4 that counts as 2


# -- 10.2 strengths ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["major-river", "minor-river"])
@pytest.mark.parametrize("bridge", [{}, {"road": [f"{AT} {EAST}"]}, {"rail": [f"{AT} {EAST}"]}])
@pytest.mark.clause("PA.TEC.11", "PA.TEC.12")
def test_10_2_1_whoever_attacks_across_a_river_counts_half_bridge_or_not(kind: str, bridge: dict[str, list[str]]) -> None:
    board = field(sides={kind: [f"{AT}|{EAST}"]}, **bridge)  # type: ignore[arg-type]
    game = battle({"ger-112": AT, "sov-2tk": EAST, "sov-51": NORTH_EAST}, "sov-2tk", "sov-51", board=board)
    assert ratio(game, AT, "sov-2tk", "sov-51") == "7:3 = 2:1"  # 6 / 2 + 4
    assert ratio(game, AT, "sov-51") == "4:3 = 1:1"


def test_10_2_1_a_river_does_not_change_the_defence() -> None:
    board = field(sides={"major-river": [f"{AT}|{EAST}"]})
    game = battle({"ger-112": AT, "sov-2tk": EAST}, "ger-112", seat="axis", board=board)
    assert odds(game, EAST, "ger-112").defence == 4


def test_1_3_1_fractions_are_dropped() -> None:
    board = field(sides={"minor-river": [f"{AT}|{EAST}"]})
    game = battle({"ger-213sec": AT, "sov-23g": EAST}, "sov-23g", board=board)
    assert ratio(game, AT, "sov-23g") == "2:1 = 2:1"  # half of 5
    alone = battle({"ger-213sec": AT, "sov-2tk": EAST}, "sov-2tk", board=board, reduced=["sov-2tk"])
    assert ratio(alone, AT, "sov-2tk") == "1:1 = 1:1"  # half of 3
    weak = battle({"ger-213sec": AT, "sov-2tk": EAST}, "sov-2tk", board=board, reduced=["sov-2tk"], supply={"sov-2tk": ISOLATED})
    assert odds(weak, AT, "sov-2tk").attack == 0  # half of 3 - 2


def test_1_3_2_units_of_a_hex_are_added_before_they_are_halved() -> None:
    board = field(sides={"minor-river": [f"{AT}|{EAST}"]})
    units = {"ger-213sec": AT, "sov-2tk": EAST, "sov-10tk": EAST}
    game = battle(units, "sov-2tk", "sov-10tk", board=board, reduced=["sov-2tk", "sov-10tk"])
    assert ratio(game, AT, "sov-2tk", "sov-10tk") == "3:1 = 3:1"  # half of 3 + 3, not 1 + 1
    mixed = battle({"ger-213sec": AT, "sov-2tk": EAST, "sov-51": EAST}, "sov-2tk", "sov-51", board=board, reduced=["sov-2tk"])
    assert ratio(mixed, AT, "sov-2tk", "sov-51") == "3:1 = 3:1"  # half of 7


def test_1_3_2_units_of_different_hexes_are_halved_apart() -> None:
    board = field(sides={"minor-river": [f"{AT}|{EAST}", f"{AT}|{NORTH_EAST}"]})
    units = {"ger-213sec": AT, "sov-2tk": EAST, "sov-10tk": NORTH_EAST}
    game = battle(units, "sov-2tk", "sov-10tk", board=board, reduced=["sov-2tk", "sov-10tk"])
    assert ratio(game, AT, "sov-2tk", "sov-10tk") == "2:1 = 2:1"  # 1 + 1


@pytest.mark.clause("8.2.2")
def test_10_2_2_want_of_supply_counts_before_the_strength_is_halved() -> None:
    board = field(sides={"minor-river": [f"{AT}|{EAST}"]})
    units = {"ger-213sec": AT, "sov-51": EAST, "sov-50": EAST}
    game = battle(units, "sov-51", "sov-50", board=board, supply={"sov-51": OUT, "sov-50": OUT})
    assert ratio(game, AT, "sov-51", "sov-50") == "2:1 = 2:1"  # (2 + 2) / 2
    told_of = {strength.unit: strength.reasons for strength in odds(game, AT, "sov-51", "sov-50").strengths}
    assert [clause for _, clause in told_of["sov-51"]] == ["8.2.2", "10.2.1"]


@pytest.mark.clause("8.2.3")
def test_10_2_3_all_changes_of_strength_add_up() -> None:
    board = field(sides={"minor-river": [f"{AT}|{EAST}"]})
    units = {"ger-112": AT, "sov-2tk": EAST, "sov-51": NORTH_EAST}
    game = battle(units, "sov-2tk", "sov-51", board=board, supply={"sov-2tk": ISOLATED, "sov-51": OUT, "ger-112": ISOLATED})
    assert ratio(game, AT, "sov-2tk", "sov-51") == "4:1 = 4:1"  # (6 - 2) / 2 + (4 - 2) to 3 - 2


# -- 10.2 columns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "defence", "name"),
    [
        (15, 5, "3:1"), (26, 9, "2:1"), (12, 7, "1.5:1"), (18, 13, "1:1"), (25, 2, "10:1"),
        (20, 3, "6:1"), (9, 10, "none"), (3, 2, "1.5:1"), (29, 20, "1:1"), (10, 1, "10:1"), (19, 2, "9:1"),
    ],
)  # fmt: skip
def test_10_2_4_the_ratio_is_rounded_down_to_a_column(strength: int, defence: int, name: str) -> None:
    assert column(strength, defence) == name


def test_10_2_4_the_columns_are_those_of_the_table() -> None:
    assert list(TABLE.columns) == ["1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1"]


def test_10_2_5_more_than_ten_to_one_is_ten_to_one_before_any_shift() -> None:
    """12:1 in a city is 8:1."""
    units = {"ger-213sec": AT, "sov-2tk": EAST, "sov-10tk": EAST}
    game = battle(units, "sov-2tk", "sov-10tk", board=field(cities={"City": AT}), orders=[])
    assert ratio(game, AT, "sov-2tk", "sov-10tk") == "12:1 = 8:1"


@pytest.mark.clause("PA.TEC.1", "PA.TEC.2", "PA.TEC.3", "PA.TEC.4", "PA.TEC.5", "PA.TEC.6", "PA.TEC.9", "PA.TEC.10", "PA.TEC.13")
@pytest.mark.parametrize(
    ("board", "name"),
    [
        pytest.param(field(), "4:1"),
        pytest.param(field({AT: "^"}), "3:1"),
        pytest.param(field({AT: "s"}), "3:1"),
        pytest.param(field(cities={"City": AT}), "2:1"),
        pytest.param(field({AT: "^"}, cities={"City": AT}), "2:1"),
        pytest.param(field(towns={"Town": AT}), "3:1"),
        pytest.param(field({AT: "^"}, towns={"Town": AT}), "2:1"),
        pytest.param(field(road=[f"0706 {AT}"], rail=[f"0706 {AT}"]), "4:1"),
        pytest.param(field(areas={"supply axis": [AT], "breakthrough": [AT], "crossing points": [AT]}), "4:1"),
    ],
)
def test_10_2_6_the_terrain_of_the_defender_shifts_to_the_left(board: str, name: str) -> None:
    game = battle({"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}, "sov-2tk", "sov-10tk", board=board, orders=[])
    assert ratio(game, AT, "sov-2tk", "sov-10tk") == f"12:3 = {name}"


def test_10_2_6_three_to_one_against_a_town_on_rough_ground_is_one_and_a_half_to_one() -> None:
    board = field({AT: "^"}, towns={"Town": AT})
    game = battle({"ger-112": AT, "sov-2tk": EAST, "sov-51": EAST}, "sov-2tk", "sov-51", board=board)
    assert ratio(game, AT, "sov-2tk", "sov-51") == "10:3 = 1.5:1"


def test_10_2_6_the_terrain_of_the_attacker_does_not_matter() -> None:
    game = battle({"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=field({EAST: "^"}, towns={"Town": EAST}))
    assert ratio(game, AT, "sov-2tk") == "6:3 = 2:1"


@pytest.mark.clause("10.2.10", "7.0.7")
def test_10_2_7_off_as_shifts_two_columns_right_after_the_terrain() -> None:
    """3:1 against a town on rough ground is 1.5:1, and with the Luftwaffe 3:1 again."""
    board = field({EAST: "^"}, towns={"Town": EAST})
    units = {"sov-51": EAST, "ger-reich": AT, "ger-totenkopf": AT}
    game = battle(units, "ger-reich", "ger-totenkopf", seat="axis", board=board, dice=[3], **air("off"))
    assert ratio(game, EAST, "ger-reich", "ger-totenkopf") == "14:4 = 1.5:1"
    attack(game, EAST, "ger-reich", "ger-totenkopf")
    events = game.apply(Commit("off"))
    assert of_kind(events, "attack-resolved")[0].result == "R"  # a 3 in the column 3:1; in 1.5:1 it is no effect


def test_10_2_8_below_one_to_one_after_terrain_there_is_no_attack_not_even_with_the_luftwaffe() -> None:
    units = {"sov-51": EAST, "ger-11pz": AT}
    game = battle(units, "ger-11pz", seat="axis", board=field({EAST: "^"}), **air("off", "off"))
    assert ratio(game, EAST, "ger-11pz") == "5:4 = no attack"
    game.apply(Attack(EAST))
    game.apply(Join("ger-11pz"))
    refused(game, Resolve(), "10.2.8", "too low")
    assert game.state.sorties == 2
    game.apply(CallOff())
    assert offered(game, Attack) == [Attack(EAST)]


def test_10_2_8_one_and_a_half_to_one_against_rough_ground_is_one_to_one() -> None:
    units = {"sov-51": EAST, "ger-reich": AT}
    game = battle(units, "ger-reich", seat="axis", board=field({EAST: "^"}), dice=[1])
    assert ratio(game, EAST, "ger-reich") == "7:4 = 1:1"
    assert of_kind(attack(game, EAST, "ger-reich"), "attack-resolved")[0].result == "A2"


@pytest.mark.clause("8.2.3")
def test_10_2_9_no_defence_is_the_last_column_without_shifts() -> None:
    board = field({AT: "^"}, cities={"City": AT})
    game = battle(
        {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board, reduced=["ger-112"], supply={"ger-112": ISOLATED}, orders=[]
    )
    assert ratio(game, AT, "sov-51") == "4:0 = 10:1"
    romanian = battle({"rom-24": AT, "sov-51": EAST}, "sov-51", board=board, supply={"rom-24": ISOLATED}, orders=[])
    assert ratio(romanian, AT, "sov-51") == "4:0 = 10:1"  # 2 - 2


@pytest.mark.clause("7.0.8")
def test_10_2_9_def_as_still_counts_against_the_last_column() -> None:
    game = battle({"rom-24": AT, "sov-51": EAST}, "sov-51", supply={"rom-24": ISOLATED}, dice=[6], **air("def"))
    attack(game, AT, "sov-51")
    events = game.apply(Commit("def"))
    assert of_kind(events, "attack-resolved")[0].result == "3RR"  # the row of 4


def test_10_2_10_all_shifts_add_up() -> None:
    board = field({AT: "^"}, towns={"Town": AT})
    game = battle({"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}, "sov-2tk", "sov-10tk", board=board)
    found = odds(game, AT, "sov-2tk", "sov-10tk")
    assert [shift.columns for shift in found.shifts] == [-1, -1]
    assert (TABLE.columns[found.base or 0], found.name) == ("4:1", "2:1")


def test_10_0_2_in_move_combat_a_unit_attacks_from_where_it_has_moved() -> None:
    game = position(
        {"ger-112": AT, "sov-51": "0710"}, marching("sov-51", seat="soviet"), active=["sov-51"], mode="move-combat", dice=[4]
    )
    game.apply(Move("sov-51", EAST))
    assert offered(game, Attack) == [Attack(AT)]


# -- 10.3 the die and the losses ---------------------------------------------------------------------------------------------


PRINTED = {
    1: "A2 A1 A1 - - R R RR RR 1RR 1RR",
    2: "A1 A1 - - R R RR RR 1RR 1RR 2RR",
    3: "A1 - - R R RR RR 1RR 1RR 2RR 2RR",
    4: "- - R R RR RR 1RR 1RR 2RR 2RR 3RR",
    5: "- R R RR RR 1RR 1RR 2RR 2RR 3RR 3RR",
    6: "R R RR RR 1RR 1RR 2RR 2RR 3RR 3RR 4RR",
}
SEQUENCE = ["A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR"]


@pytest.mark.parametrize("die", PRINTED)
@pytest.mark.clause("2.6.1", "PA.CRT.1", "PA.CRT.2", "PA.CRT.3", "PA.CRT.4", "PA.CRT.5", "PA.CRT.6")
def test_10_3_1_every_row_of_the_table(die: int) -> None:
    assert [outcome.name for outcome in TABLE.rows[die]] == PRINTED[die].split()


def test_pa_crt_7_all_66_cells_are_one_sequence() -> None:
    cells = {(die, number): outcome.name for die, row in TABLE.rows.items() for number, outcome in enumerate(row)}
    assert len(cells) == 66
    assert all(name == SEQUENCE[number + die - 1] for (die, number), name in cells.items())


@pytest.mark.parametrize(("die", "result"), [(1, "A1"), (2, "-"), (3, "-"), (4, "R"), (5, "R"), (6, "RR")])
def test_10_3_1_the_attacker_rolls_and_the_row_is_the_roll(die: int, result: str) -> None:
    game = battle({"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", dice=[die])
    (resolved,) = of_kind(attack(game, AT, "sov-2tk"), "attack-resolved")  # 6 to 3 is 2:1
    assert resolved.result == result


@pytest.mark.parametrize(("die", "result"), [(1, "-"), (2, "-"), (3, "-"), (4, "R"), (5, "R"), (6, "RR")])
@pytest.mark.clause("7.0.8")
def test_10_3_2_a_roll_below_one_counts_as_one(die: int, result: str) -> None:
    """4:1 with Def AS: 1 and 2 count as 1, 4 as 2."""
    game = battle(
        {"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST},
        "sov-2tk",
        "sov-10tk",
        dice=[die],
        **air("def"),
    )
    attack(game, AT, "sov-2tk", "sov-10tk")
    events = game.apply(Commit("def"))
    (modified,) = of_kind(events, "roll-modified")
    assert (modified.rolled, modified.counts) == (die, max(1, die - 2))
    assert of_kind(events, "attack-resolved")[0].result == result


# -- 10.3.3 what the results mean --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("result", "left"), [("A1", 1), ("A2", 0)])
@pytest.mark.clause("2.2.7")
def test_10_3_3_a_is_for_the_attacker(result: str, left: int) -> None:
    game = after(result, {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert steps(game, "sov-51", "ger-112") == (left, 2)
    assert where(game, "ger-112") == (AT,)


def test_10_3_3_a_dash_is_no_effect() -> None:
    game = after("-", {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert steps(game, "sov-51", "ger-112") == (2, 2)
    assert where(game, "sov-51", "ger-112") == (EAST, AT)


@pytest.mark.parametrize(("result", "left", "at"), [("R", 2, "0706"), ("RR", 2, "0705"), ("1RR", 1, "0705")])
@pytest.mark.clause("10.4.1")
def test_10_3_3_r_and_n_are_for_the_defender(result: str, left: int, at: str) -> None:
    game = after(result, {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert steps(game, "sov-51", "ger-112") == (2, left)
    assert where(game, "ger-112") == (at,)


@pytest.mark.parametrize("result", ["2RR", "3RR", "4RR"])
@pytest.mark.clause("2.2.7", "10.5.1")
def test_10_3_3_two_losses_eliminate_a_full_unit_and_empty_the_hex(result: str) -> None:
    game = after(result, {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert steps(game, "ger-112") == (0,)
    assert offered(game, Pursue) == [Pursue("sov-51", (EAST, AT))]


@pytest.mark.parametrize("result", ["1RR", "2RR", "3RR", "4RR"])
def test_10_3_3_whoever_survives_n_losses_retreats_two_hexes(result: str) -> None:
    game = after(result, {"ger-112": AT, "ger-68": AT, "ger-4pza": AT, "sov-51": EAST}, "sov-51")
    while choices := [*offered(game, LoseStep), *offered(game, Retreat)]:
        game.apply(next(choice for choice in choices if choice.unit != "ger-4pza"))
    assert where(game, "ger-4pza") == ("0705",)


@pytest.mark.clause("2.2.6", "2.2.7")
def test_10_3_3_a_counter_with_one_step_is_eliminated_by_one_loss() -> None:
    game = after("1RR", {"ger-213sec": AT, "sov-51": EAST}, "sov-51")
    assert steps(game, "ger-213sec") == (0,)


def test_10_3_4_losses_come_before_the_retreat() -> None:
    game = battle({"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}, "sov-2tk", "sov-10tk", dice=[6])
    events = attack(game, AT, "sov-2tk", "sov-10tk")
    assert of_kind(events, "attack-resolved")[0].result == "1RR"
    assert [event.kind for event in of_kind(events, "step-lost", "unit-moved")] == ["step-lost", "unit-moved"]


@pytest.mark.parametrize(
    ("result", "left"),
    [
        ("1RR", {(1, 2), (2, 1)}),
        ("2RR", {(1, 1), (0, 2), (2, 0)}),
        ("3RR", {(1, 0), (0, 1)}),
        ("4RR", {(0, 0)}),
    ],
)
def test_10_3_5_the_owner_says_who_takes_the_losses(result: str, left: set[tuple[int, int]]) -> None:
    """Two full units, two losses: one is removed, or both are reduced."""
    game = after(result, {"ger-112": AT, "ger-68": AT, "sov-51": EAST}, "sov-51")
    if result != "4RR":
        assert game.to_move == ("axis",)
    assert set(lost_in_all_ways(game, "ger-112", "ger-68")) == left


def test_10_3_5_only_units_in_the_battle_take_losses() -> None:
    units = {"ger-112": AT, "sov-51": EAST, "sov-50": EAST, "sov-52": NORTH_EAST}
    game = after("A1", units, "sov-51", "sov-52")
    assert game.to_move == ("soviet",)
    assert offered(game, LoseStep) == [LoseStep("sov-51"), LoseStep("sov-52")]
    refused(game, LoseStep("sov-50"), "10.3.5")


def test_10_3_6_whoever_is_eliminated_leaves_the_game() -> None:
    game = after("2RR", {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert where(game, "ger-112") == ("axis eliminated",)
    soviet = after("A2", {"ger-112": AT, "sov-51": EAST}, "sov-51")
    assert where(soviet, "sov-51") == ("soviet eliminated",)


@pytest.mark.clause("2.3.3", "2.3.10")
def test_10_3_6_a_headquarters_is_relocated_instead() -> None:
    game = after("1RR", {"ger-4pza": AT, "sov-51": EAST}, "sov-51")
    assert game.to_move == ("axis",)
    game.apply(Arrive("ger-4pza", "0702"))
    assert where(game, "ger-4pza") == ("0702",)
    assert steps(game, "ger-4pza") == (1,)
    assert game.state.relocations == {"axis": 1}
    assert offered(game, Pursue) == [Pursue("sov-51", (EAST, AT))]


@pytest.mark.clause("2.3.3")
def test_10_3_6_a_soviet_headquarters_too() -> None:
    game = after("A1", {"ger-112": AT, "sov-voronezh": EAST}, "sov-voronezh")
    assert game.to_move == ("soviet",)
    game.apply(Arrive("sov-voronezh", "0719"))
    assert game.state.relocations == {"soviet": 1}


@pytest.mark.clause("2.3.3", "10.3.5")
def test_10_3_6_a_headquarters_that_was_relocated_takes_no_more_of_the_losses() -> None:
    """Three losses among a headquarters and two divisions: one for it, two for them, however often it could come back."""
    game = after("3RR", {"ger-4pza": AT, "ger-112": AT, "ger-68": AT, "sov-51": EAST}, "sov-51")
    game.apply(LoseStep("ger-4pza"))
    game.apply(Arrive("ger-4pza", "0702"))
    assert offered(game, LoseStep) == [LoseStep("ger-112"), LoseStep("ger-68")]
    game.apply(LoseStep("ger-112"))
    game.apply(LoseStep("ger-112"))
    assert steps(game, "ger-4pza", "ger-112", "ger-68") == (1, 0, 2)
    assert game.state.relocations == {"axis": 1}
    alone = after("4RR", {"ger-4pza": AT, "sov-51": EAST}, "sov-51")
    alone.apply(Arrive("ger-4pza", "0702"))
    assert (where(alone, "ger-4pza"), alone.state.relocations) == (("0702",), {"axis": 1})


# -- the example of a battle -------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.1.2", "10.3.1", "10.4.3", "10.5.1", "10.5.2", "10.5.10", "PA.TEC.5")
def test_10_2_11_the_battle_for_1731_on_the_map_of_the_game() -> None:
    """Four corps with 20 points attack a division of 3 in a town: 6:1, one to the left is 5:1; a five is 1RR."""
    a, b, c, d, e = "ger-112", "sov-51", "sov-2tk", "sov-50", "sov-10tk"
    units = {a: "1731", b: "1832", c: "1832", d: "1732", e: "1732"}
    game = battle(units, b, c, d, e, board="", dice=[5])
    board = game.world.board
    assert ratio(game, "1731", b, c, d, e) == "20:3 = 5:1"
    found = odds(game, "1731", b, c, d, e)
    assert (TABLE.columns[found.base or 0], [shift.columns for shift in found.shifts]) == ("6:1", [-1])
    events = attack(game, "1731", b, c, d, e)
    assert of_kind(events, "attack-resolved")[0].result == "1RR"
    assert steps(game, a) == (1,)
    game.apply(Retreat(a, ("1731", "1730", "1630")))
    assert where(game, a) == ("1630",)
    assert board.distance("1731", "1630") == 2
    # 1731 is free: B and C go in, D finds no room any more, E could go on but stays.
    game.apply(Pursue(b, ("1832", "1731")))
    assert any(len(action.path) == 3 for action in offered(game, Pursue) if action.unit == c)
    game.apply(Pursue(c, ("1832", "1731")))
    assert not any(action.path[-1] == "1731" for action in offered(game, Pursue))
    assert {action.unit for action in offered(game, Pursue)} == {e}
    game.apply(Done())
    assert where(game, b, c, d, e) == ("1731", "1731", "1732", "1732")
