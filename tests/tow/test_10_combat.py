"""10.0 to 10.3: who attacks whom, odds, shifts, the die and losses; 7.0: the Luftwaffe; PA.CRT."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Attack, CallOff, Done, Join, LoseStep, Resolve
from hexwar_tow.luftwaffe import Commit
from tests.tow.helpers import after, attack, attacking, content, field, of_kind, offers, position, refused, told

TARGET = "0708"
DEFENDER = {"ger-57": TARGET}
EAST, NORTH, SOUTH = "0709", "0809", "0609"
SEQUENCE = ["A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR"]


def battle(attackers: dict[str, str], board: str | None = None, defenders: dict[str, str] | None = None, **more: Any) -> Game:
    """The Soviets attack 0708 from some hexes around it."""
    units = {**attackers, **(DEFENDER if defenders is None else defenders)}
    return position(units, attacking(*attackers), board=board, **more)


def odds(game: Game, *units: str) -> tuple[int, int, str]:
    found = game.query.odds(units, TARGET)
    return found.attack, found.defence, found.name


# -- PA.CRT ---------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("PA.CRT.1", "PA.CRT.2", "PA.CRT.3", "PA.CRT.4", "PA.CRT.5", "PA.CRT.6", "10.3.3")
def test_pa_crt_7_every_cell_is_an_entry_of_one_sequence() -> None:
    table = content().table
    assert table.columns == ("1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1")
    for die, row in table.rows.items():
        assert [outcome.name for outcome in row] == SEQUENCE[die - 1 : die + 10]
    meaning = {outcome.name: outcome for row in table.rows.values() for outcome in row}
    assert (meaning["A2"].attacker, meaning["RR"].retreat, meaning["4RR"].defender, meaning["4RR"].retreat) == (2, 2, 4, 2)


# -- 10.0 who may attack ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.0.1")
def test_10_0_2_only_active_units_attack_and_only_adjacent_enemies() -> None:
    units = {"sov-51": EAST, "sov-50": NORTH, "sov-52": "0711", **DEFENDER}
    game = position(units, attacking("sov-51", "sov-52"))
    refused(game, Attack("0710"), "10.0.2", "can attack")
    game.apply(Attack(TARGET))
    refused(game, Join("sov-50"), "10.0.3", "not active")
    refused(game, Join("sov-52"), "10.0.2", "next to")
    assert game.state.stack[-1].battle.side == "soviet"


@pytest.mark.clause("10.0.6")
def test_10_0_3_a_unit_and_a_hex_are_in_one_attack_only() -> None:
    game = battle({"sov-51": EAST, "sov-50": NORTH}, chance=[4], defenders={"ger-57": TARGET, "ger-68": "0808"})
    attack(game, TARGET, "sov-51")  # 4 to 3: 1-1, a four: nothing
    refused(game, Attack(TARGET), "10.0.6", "already")
    game.apply(Attack("0808"))
    refused(game, Join("sov-51"), "10.0.2", "next to")
    assert game.legal_actions() == [CallOff(), Join("sov-50")]


def test_10_0_4_units_of_a_stack_may_attack_different_hexes() -> None:
    game = battle({"sov-51": NORTH, "sov-50": NORTH}, chance=[4, 4], defenders={"ger-57": TARGET, "ger-68": "0808"})
    attack(game, TARGET, "sov-51")
    attack(game, "0808", "sov-50")
    assert len(of_kind(game.events, "attack-resolved")) == 2


def test_10_0_5_nobody_has_to_attack() -> None:
    game = battle({"sov-51": EAST})
    assert game.legal_actions() == [Done(), Attack(TARGET)]
    game.apply(Done())
    assert not of_kind(game.events, "attack-declared")


def test_10_0_7_units_of_several_hexes_join_and_their_strengths_add() -> None:
    game = battle({"sov-51": EAST, "sov-2tk": NORTH, "sov-50": SOUTH})
    assert odds(game, "sov-51", "sov-2tk", "sov-50") == (14, 3, "4:1")


def test_10_0_8_all_units_of_the_hex_defend_together() -> None:
    game = battle({"sov-51": EAST, "sov-2tk": NORTH}, defenders={"ger-57": TARGET, "ger-7pz": TARGET})
    assert odds(game, "sov-51", "sov-2tk") == (10, 7, "1:1")


def test_10_0_9_no_attack_across_a_blocked_hexside() -> None:
    game = battle({"sov-51": EAST, "sov-50": SOUTH}, field(sides={"blocked": ["0708|0709"]}))
    game.apply(Attack(TARGET))
    refused(game, Join("sov-51"), "10.0.9", "could not move")


# -- 10.1, 10.2 odds --------------------------------------------------------------------------------------------------------


def test_10_1_1_attacks_are_resolved_one_by_one_in_the_attackers_order() -> None:
    game = battle({"sov-51": EAST, "sov-50": "0807"}, chance=[4, 4], defenders={"ger-57": TARGET, "ger-68": "0808"})
    assert [action.target for action in game.legal_actions() if isinstance(action, Attack)] == [TARGET, "0808"]
    attack(game, "0808", "sov-50")
    attack(game, TARGET, "sov-51")
    assert [event.target for event in of_kind(game.events, "attack-resolved")] == ["0808", TARGET]


@pytest.mark.clause("7.0.1", "7.0.5", "4.1.1")
def test_10_1_2_the_luftwaffe_is_asked_after_the_odds_and_before_the_die() -> None:
    game = battle({"sov-51": EAST, "sov-2tk": NORTH}, chance=[5], luftwaffe={"axis": ["def"]}, sorties=1)
    events = attack(game, TARGET, "sov-51", "sov-2tk")
    assert [event.kind for event in events if event.clause] == ["attack-declared"]
    assert game.to_move == ("axis",)
    game.apply(Commit("def"), "axis")
    kinds = [event.kind for event in game.events if event.clause]
    assert kinds.index("attack-declared") < kinds.index("marker-used") < kinds.index("dice-rolled")


def test_10_2_1_attackers_across_a_river_count_half_bridge_or_no_bridge() -> None:
    board = field(sides={"minor-river": ["0708|0709"], "major-river": ["0708|0809"]}, road=["0708 0709"])
    game = battle({"sov-2tk": EAST, "sov-10tk": NORTH, "sov-51": SOUTH}, board)
    assert odds(game, "sov-2tk", "sov-51") == (7, 3, "2:1")
    assert odds(game, "sov-10tk", "sov-51") == (7, 3, "2:1")


@pytest.mark.clause("1.3.1", "10.2.3")
def test_1_3_2_fractions_are_dropped_hex_by_hex() -> None:
    river = field(sides={"minor-river": after(8)})
    game = battle({"sov-1gc": EAST, "sov-4gc": NORTH, "sov-2gm": NORTH}, river)
    # In one hex 4 + 6 is halved to 5; reduced units of 3 in two hexes give 1 and 1.
    assert odds(game, "sov-4gc", "sov-2gm")[0] == 5
    weak = battle({"sov-33g": EAST, "sov-34g": NORTH, "sov-32g": NORTH}, river, reduced=["sov-33g", "sov-34g", "sov-32g"])
    assert odds(weak, "sov-33g", "sov-34g")[0] == 2
    assert odds(weak, "sov-34g", "sov-32g")[0] == 3


def test_10_2_2_supply_weakens_each_unit_before_its_hex_is_halved() -> None:
    river = field(sides={"minor-river": after(8)})
    game = battle({"sov-51": EAST, "sov-50": EAST}, river, supply={"sov-51": "out of supply", "sov-50": "out of supply"})
    assert odds(game, "sov-51", "sov-50")[0] == 2


@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [
        (15, 5, "3:1"),
        (26, 9, "2:1"),
        (12, 7, "1.5:1"),
        (18, 13, "1:1"),
        (25, 2, "10:1"),
        (20, 3, "6:1"),
        (9, 10, None),
    ],
)
def test_10_2_4_the_ratio_is_rounded_down_to_a_column(attack: int, defence: int, name: str | None) -> None:
    table = content().table
    column = table.column(attack, defence)
    assert (None if column is None else table.columns[column]) == name


@pytest.mark.clause("10.2.10")
def test_10_2_5_more_than_ten_to_one_is_ten_before_any_shift() -> None:
    board = field({TARGET: "^"}, towns={"Izium": TARGET})
    units = {"sov-4gtk": EAST, "sov-5gtk": EAST, "sov-2gm": NORTH, "sov-4gm": NORTH, "sov-22g": SOUTH, "sov-23g": SOUTH}
    game = battle(units, board)
    found = game.query.odds(tuple(units), TARGET)
    assert (found.attack, found.defence, found.base, found.name) == (36, 3, 10, "8:1")


@pytest.mark.clause("PA.TEC.2", "PA.TEC.3", "PA.TEC.4", "PA.TEC.5", "PA.TEC.6")
@pytest.mark.parametrize(
    ("letter", "place", "columns"),
    [(".", "", 0), ("^", "", 1), ("s", "", 1), (".", "towns", 1), ("^", "towns", 2), (".", "major", 2), ("^", "major", 2)],
)
def test_10_2_6_the_defenders_terrain_shifts_to_the_left(letter: str, place: str, columns: int) -> None:
    places = {place: {"Izium": TARGET}} if place else {}
    game = battle({"sov-51": EAST, "sov-2tk": NORTH}, field({TARGET: letter}, **places))  # type: ignore[arg-type]
    found = game.query.odds(("sov-51", "sov-2tk"), TARGET)
    assert (found.base, found.column) == (3, 3 - columns)  # 10 to 3 is 3-1


@pytest.mark.clause("7.0.7")
def test_10_2_7_off_as_shifts_two_columns_right_after_the_terrain() -> None:
    board = field({TARGET: "^"}, towns={"Izium": TARGET})
    units = {"ger-7pz": EAST, "ger-11pz": EAST, "sov-51": TARGET, "ger-reich": NORTH}
    three = ("ger-7pz", "ger-11pz", "ger-reich")
    game = position(units, attacking(*three, seat="axis"), board=board, chance=[4], luftwaffe={"axis": ["off", "off"]}, sorties=2)
    assert game.query.odds(three, TARGET).name == "2:1"  # 17 to 4 is 4-1, two left
    attack(game, TARGET, *three)
    game.apply(Commit("off"))
    assert game.query.odds(three, TARGET).name == "4:1"
    game.apply(Commit("off"))  # 6-1
    resolved = of_kind(game.events, "attack-resolved")
    assert [event.result for event in resolved] == ["1RR"]  # 6-1, a four


@pytest.mark.parametrize(("base", "name"), [(2, "4:1"), (0, "2:1"), (9, "10:1"), (10, "10:1")])
def test_7_0_7_the_examples_of_off_as(base: int, name: str) -> None:
    from hexwar.mechanics import Shift
    from hexwar.mechanics.odds import work_out

    table = content().table
    ratio = table.ratios[base]
    assert work_out(table, (int(ratio * 2), 2), ((), ()), (), (Shift(2, "Luftwaffe", "7.0.7"),)).name == name


def test_10_2_8_below_one_to_one_after_terrain_there_is_no_attack_whatever_flies() -> None:
    units = {"ger-57": EAST, "sov-1gc": TARGET}
    game = position(units, attacking("ger-57", seat="axis"), board=field({TARGET: "^"}), luftwaffe={"axis": ["off"]}, sorties=1)
    game.apply(Attack(TARGET))
    game.apply(Join("ger-57"))
    refused(game, Resolve(), "10.2.8", "too low")
    legal = battle({"sov-51": EAST, "sov-50": NORTH}, field({TARGET: "^"}), defenders={"ger-7pz": TARGET})
    assert odds(legal, "sov-51", "sov-50") == (8, 4, "1.5:1")


def test_10_2_9_a_defence_of_nothing_is_the_last_column_without_shifts() -> None:
    board = field(major={"Kharkiv": TARGET})
    game = battle({"sov-51": EAST}, board, defenders={"ger-213sec": TARGET}, supply={"ger-213sec": "isolated"})
    found = game.query.odds(("sov-51",), TARGET)
    assert (found.defence, found.name, found.shifts) == (0, "10:1", ())


@pytest.mark.clause("2.2.4")
def test_10_2_11_the_example_of_a_battle() -> None:
    # Rifle corps B and D, tank corps C and E: 20 in all, from 1732 and 1832, on the unit of 3 in the town 1731.
    units = {"sov-51": "1732", "sov-2tk": "1732", "sov-50": "1832", "sov-10tk": "1832", "ger-57": "1731"}
    attackers = tuple(units)[:4]
    game = position(units, attacking(*attackers), board="", chance=[5])
    found = game.query.odds(attackers, "1731")
    assert (found.attack, found.defence, found.base, found.name) == (20, 3, 6, "5:1")
    events = attack(game, "1731", *attackers)
    assert [event.result for event in of_kind(events, "attack-resolved")] == ["1RR"]
    assert game.state.steps["ger-57"] == 1
    if game.to_move == ("axis",):
        ways = [action.path for action in offers(game)]
        way = next(path for path in ways if path[-1] == "1630")
        game.apply(next(action for action in offers(game) if action.path == way))
    assert game.world.board.distance("1731", game.state.at["ger-57"]) == 2
    paths = {(action.unit, action.path[1:]) for action in offers(game) if not isinstance(action, Done)}
    assert {("sov-51", ("1731",)), ("sov-2tk", ("1731",))} <= paths
    assert any(unit == "sov-2tk" and len(path) == 2 for unit, path in paths)
    assert not any(unit == "sov-51" and len(path) == 2 for unit, path in paths)


# -- 10.3 the die and losses ------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.3.1", "10.3.2", "7.0.6", "7.0.4")
@pytest.mark.parametrize(("die", "counts"), [(4, 2), (2, 1), (1, 1)])
def test_7_0_8_def_as_takes_two_off_the_die_of_a_soviet_attack(die: int, counts: int) -> None:
    game = battle({"sov-51": EAST, "sov-2tk": NORTH}, chance=[die], luftwaffe={"axis": ["def", "off"]}, sorties=2)
    attack(game, TARGET, "sov-51", "sov-2tk")
    assert game.view("soviet").position.state.luftwaffe == {}
    refused(game, Commit("off"), "7.0.7", "no use")
    game.apply(Commit("def"))
    refused(game, Commit("def"), "7.0.6", "left")
    game.apply(Done())
    modified = of_kind(game.events, "roll-modified")[0]
    assert (modified.rolled, modified.counts) == (die, counts)
    assert of_kind(game.events, "attack-resolved")[0].result == SEQUENCE[3 + counts - 1]
    assert (game.state.luftwaffe["axis"], game.state.sorties) == (("off",), 1)


@pytest.mark.clause("2.2.6", "2.2.7")
def test_10_3_5_the_owner_says_who_loses_steps() -> None:
    both = {"ger-57": TARGET, "ger-68": TARGET}
    units = {"sov-4gtk": EAST, "sov-5gtk": EAST, "sov-2gm": NORTH, "sov-4gm": NORTH, "sov-22g": SOUTH, "sov-23g": SOUTH}
    for choice, left in ((("ger-57", "ger-57"), {"ger-68": 2}), (("ger-57", "ger-68"), {"ger-57": 1, "ger-68": 1})):
        game = battle(units, chance=[6], defenders=both)  # 36 to 6 is 6-1, a six: 2RR
        attack(game, TARGET, *units)
        assert game.to_move == ("axis",)
        refused(game, LoseStep("sov-51"), "10.3.5", "not among")
        for unit in choice:
            if LoseStep(unit) in game.legal_actions():
                game.apply(LoseStep(unit))
        alive = {unit: game.state.steps[unit] for unit in both if game.state.at[unit] != "axis eliminated"}
        assert alive == left


@pytest.mark.clause("10.3.4", "10.3.3")
def test_10_3_6_losses_come_before_the_retreat_and_the_dead_leave_the_game() -> None:
    units = {"sov-4gtk": EAST, "sov-5gtk": EAST, "sov-2gm": NORTH}
    game = battle(units, chance=[6])  # 20 to 3 is 6-1, a six: 2RR on a unit of two steps
    events = attack(game, TARGET, *units)
    assert told(events, "unit-eliminated") == ["ger-57 is eliminated (axis eliminated) (10.3.5)"]
    assert not of_kind(events, "unit-moved")
    assert not game.state.layout.stacks.get(TARGET)


@pytest.mark.clause("10.3.3")
def test_10_3_1_an_a2_costs_the_attacker_two_steps() -> None:
    game = battle({"sov-51": EAST}, chance=[1])  # 4 to 3, a one
    attack(game, TARGET, "sov-51")
    assert game.state.at["sov-51"] == "soviet eliminated"


@pytest.mark.clause("2.3.1", "10.3.6")
def test_2_3_3_a_headquarters_that_would_be_eliminated_is_relocated() -> None:
    units = {"sov-4gtk": EAST, "sov-5gtk": EAST, "sov-2gm": NORTH}
    game = battle(units, chance=[6], defenders={"ger-8a": TARGET})
    events = attack(game, TARGET, *units)
    assert told(events, "unit-eliminated") == ["ger-8a is eliminated (headquarters waiting) (10.3.5)"]
    assert game.to_move == ("axis",)
    hexes = [action.to for action in offers(game)]
    assert min(game.world.board.distance(TARGET, label) for label in hexes) == 5
    game.apply(game.legal_actions()[0])
    assert game.state.relocations == {"axis": 1}
    assert game.state.steps["ger-8a"] == 1


@pytest.mark.clause("10.4.12")
@pytest.mark.parametrize(("die", "steps"), [(2, 1), (4, 2)])
def test_12_2_1_in_a_city_with_an_order_retreats_are_losses(die: int, steps: int) -> None:
    board = field(major={"Kharkiv": TARGET})
    two = {"ger-57": TARGET, "ger-68": TARGET}
    units = {"sov-4gtk": EAST, "sov-5gtk": EAST, "sov-2gm": NORTH, "sov-4gm": NORTH, "sov-22g": SOUTH, "sov-23g": SOUTH}
    game = battle(units, board, chance=[die], defenders=two, orders=[TARGET])  # 36 to 6 is 6-1, two left: 4-1: R or RR
    events = attack(game, TARGET, *units)
    assert of_kind(events, "attack-resolved")[0].rule == "12.2.1"
    while game.to_move == ("axis",):
        game.apply(game.legal_actions()[0])
    lost = 4 - sum(game.state.steps[unit] for unit in two if game.state.at[unit] == TARGET)
    assert lost == steps
    assert not of_kind(game.events, "unit-moved")
