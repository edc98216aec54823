"""10.0 to 10.2: who may attack whom, and what the odds are; 8.2 and 7.0 where they count in them."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.bots import GreedyBot, KeyedChance
from hexwar.mechanics import Attack, CallOff, Done, Join, Move, Resolve
from hexwar.testing import lot
from hexwar_tow.activation import ChooseMode
from hexwar_tow.content import load_tow
from hexwar_tow.luftwaffe import Commit
from tests.tow.battles import AT, attack, battle, odds, ratio
from tests.tow.table import PUTTING_IN, field, marching, of_kind, offered, phases, position, refused, told

TABLE = load_tow().table
EAST, NORTH_EAST, SOUTH_EAST = "0708", "0808", "0608"
ISOLATED, OUT = "isolated", "out of supply"


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


@pytest.mark.parametrize(
    ("board", "name"),
    [
        pytest.param(field(), "4:1", marks=pytest.mark.clause("PA.TEC.1")),
        pytest.param(field({AT: "^"}), "3:1", marks=pytest.mark.clause("PA.TEC.2")),
        pytest.param(field({AT: "s"}), "3:1", marks=pytest.mark.clause("PA.TEC.3")),
        pytest.param(field(cities={"City": AT}), "2:1", marks=pytest.mark.clause("PA.TEC.4")),
        pytest.param(field({AT: "^"}, cities={"City": AT}), "2:1", marks=pytest.mark.clause("PA.TEC.4")),
        pytest.param(field(towns={"Town": AT}), "3:1", marks=pytest.mark.clause("PA.TEC.5")),
        pytest.param(field({AT: "^"}, towns={"Town": AT}), "2:1", marks=pytest.mark.clause("PA.TEC.6")),
        pytest.param(field(road=[f"0706 {AT}"], rail=[f"0706 {AT}"]), "4:1", marks=pytest.mark.clause("PA.TEC.9", "PA.TEC.10")),
        pytest.param(
            field(areas={"supply axis": [AT], "breakthrough": [AT], "crossing points": [AT]}),
            "4:1",
            marks=pytest.mark.clause("PA.TEC.13"),
        ),
    ],
)
def test_10_2_6_the_terrain_of_the_defender_shifts_to_the_left(board: str, name: str) -> None:
    game = battle({"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}, "sov-2tk", "sov-10tk", board=board, orders=[])
    assert ratio(game, AT, "sov-2tk", "sov-10tk") == f"12:3 = {name}"


def test_10_2_6_the_terrain_of_the_attacker_does_not_matter() -> None:
    game = battle({"ger-112": AT, "sov-2tk": EAST}, "sov-2tk", board=field({EAST: "^"}, towns={"Town": EAST}))
    assert ratio(game, AT, "sov-2tk") == "6:3 = 2:1"


def air(*markers: str) -> dict[str, Any]:
    """The Luftwaffe markers that the Axis has available."""
    return {"luftwaffe": {"axis": sorted(markers)}, "sorties": len(markers)}


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
