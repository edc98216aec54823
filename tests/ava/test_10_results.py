"""10.4, 10.5, 10.8: what the results mean, who loses steps, and where the lost units go."""

from __future__ import annotations

from collections import Counter

import pytest

from hexwar.mechanics import Arrive, Retreat
from hexwar.pieces import Done, LoseStep
from hexwar_ava.content import load_ava
from hexwar_ava.supply import SupplyCheck
from tests.ava.battles import AT, OUTCOMES, after, attack, battle, hexes, kinds, lost_in_all_ways, meadow, steps
from tests.ava.table import position, refused, told

PAIR = {"su-179": AT, "su-188": AT}
WEST = {"ger-21": "0605", "ger-217": "0606"}


# -- 10.4 results ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "result"), list(enumerate(["-", "R", "R", "RR", "RR", "1RR"], start=1)))
def test_10_4_1_the_die_is_read_in_the_final_column(die: int, result: str) -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", chance=[die])
    events = attack(game, AT, "ger-1pz")
    assert told(events, "dice-rolled", "attack-resolved") == [
        f"attack on {AT}: rolled {die} (10.4.1)",
        f"the attack on {AT} results in {result} (10.4.1)",
    ]


def test_10_4_1_the_shifted_column_counts_and_not_the_first() -> None:
    # 8 to 2 is 4:1, where a 2 is R; in dense forest it is 2:1, where a 2 is nothing.
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow({AT: "F"}), chance=[2])
    assert told(attack(game, AT, "ger-1pz"), "attack-resolved") == [f"the attack on {AT} results in - (10.4.1)"]


def test_10_4_1_a_dash_has_no_effect() -> None:
    units = {"ger-1pz": "0605", "su-179": AT}
    game = battle(units, "ger-1pz", chance=[1])
    events = attack(game, AT, "ger-1pz")
    assert {"step-lost", "unit-eliminated", "unit-moved"}.isdisjoint(kinds(events))
    assert (hexes(game, *units), steps(game, *units)) == (units, (2, 2))


@pytest.mark.clause("10.4.1", "10.4.5")
def test_e16_column_4_1_and_a_4() -> None:
    units = {"ger-36m": "0605", "ger-21": "0606", "su-179": AT}
    game = battle(units, "ger-36m", "ger-21", chance=[4])
    events = attack(game, AT, "ger-36m", "ger-21")
    assert told(events, "attack-declared")[0].endswith("8 to 2, column 4:1 (10.3.6)")
    assert told(events, "attack-resolved") == [f"the attack on {AT} results in RR (10.4.1)"]


def test_10_4_5_the_cell_that_the_rules_give() -> None:
    table = load_ava().table
    assert table.rows[4][table.columns.index("4:1")].name == "RR"
    assert {outcome.name for row in table.rows.values() for outcome in row} >= {"-", "A1", "R", "RR", "1RR", "2RR"}


def test_10_4_2_the_attacker_picks_who_loses_the_step() -> None:
    game = after("A1", {**WEST, "su-179": AT}, *WEST)
    assert game.to_move == ("axis",)
    assert game.legal_actions() == [LoseStep("ger-21"), LoseStep("ger-217")]
    events = game.apply(LoseStep("ger-217"))
    assert told(events, "step-lost") == ["ger-217 loses a step (10.5.2)"]
    assert steps(game, "ger-21", "ger-217", "su-179") == (2, 1, 2)


def test_10_4_2_only_those_that_attacked_lose_steps() -> None:
    units = {"ger-21": "0605", "ger-58": "0605", "ger-217": "0606", "su-179": AT}
    game = after("A1", units, "ger-21", "ger-217")
    assert game.legal_actions() == [LoseStep("ger-21"), LoseStep("ger-217")]
    refused(game, LoseStep("ger-58"), "10.5.2")
    refused(game, LoseStep("su-179"), "10.5.2")


@pytest.mark.parametrize(("result", "left"), [("A1", 1), ("A2", 0)])
def test_10_4_2_x_is_the_number_of_steps(result: str, left: int) -> None:
    game = after(result, {"ger-21": "0605", "su-179": AT}, "ger-21")
    assert steps(game, "ger-21", "su-179") == (left, 2)
    assert game.state.locations["su-179"] == AT


@pytest.mark.parametrize(("result", "far"), [("R", 1), ("RR", 2)])
def test_10_4_3_all_defenders_retreat(result: str, far: int) -> None:
    game = after(result, {**WEST, **PAIR}, *WEST)
    assert game.to_move == ("soviet",)
    for unit in PAIR:
        game.apply(next(action for action in game.legal_actions() if isinstance(action, Retreat) and action.unit == unit))
    assert {game.world.board.distance(AT, game.state.locations[unit]) for unit in PAIR} == {far}
    assert steps(game, *PAIR) == (2, 2)


def test_10_4_3_the_owner_may_not_stop_halfway() -> None:
    game = after("RR", {**WEST, "su-179": AT}, *WEST)
    assert Done() not in game.legal_actions()
    assert {len(action.path) for action in game.legal_actions() if isinstance(action, Retreat)} == {3}
    refused(game, Retreat("su-179", (AT, "0805")), "10.6.1")


@pytest.mark.clause("10.5.1", "10.5.3")
def test_10_4_4_losses_come_first_and_the_survivors_retreat_two_hexes() -> None:
    both = after("2RR", {**WEST, **PAIR}, *WEST)
    assert both.to_move == ("soviet",)
    both.apply(LoseStep("su-179"))
    both.apply(LoseStep("su-188"))
    assert steps(both, *PAIR) == (1, 1)
    for unit in PAIR:
        both.apply(next(action for action in both.legal_actions() if isinstance(action, Retreat) and action.unit == unit))
    assert {both.world.board.distance(AT, both.state.locations[unit]) for unit in PAIR} == {2}

    one = after("2RR", {**WEST, **PAIR}, *WEST)
    one.apply(LoseStep("su-179"))
    one.apply(LoseStep("su-179"))
    assert steps(one, *PAIR) == (0, 2)
    assert {action.unit for action in one.legal_actions() if isinstance(action, Retreat)} == {"su-188"}
    one.apply(one.legal_actions()[0])
    assert one.world.board.distance(AT, one.state.locations["su-188"]) == 2


@pytest.mark.clause("10.4.2", "10.4.3", "10.4.4")
def test_e17_reading_results() -> None:
    read = {name: (of.attacker, of.defender, of.retreat) for name, of in OUTCOMES.items()}
    assert read == {
        "-": (0, 0, 0),
        "A1": (1, 0, 0),
        "A2": (2, 0, 0),
        "R": (0, 0, 1),
        "RR": (0, 0, 2),
        "1RR": (0, 1, 2),
        "2RR": (0, 2, 2),
        "3RR": (0, 3, 2),
        "4RR": (0, 4, 2),
    }


# -- 10.5 losses -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.5.1", "10.5.2", "10.5.3")
def test_e18_two_losses_among_two_full_units() -> None:
    game = after("2RR", {**WEST, **PAIR}, *WEST)
    assert Counter(lost_in_all_ways(game, *PAIR)) == {(1, 1): 2, (0, 2): 1, (2, 0): 1}


def test_10_5_1_each_owner_distributes_his_own_losses() -> None:
    assert after("1RR", {**WEST, **PAIR}, *WEST).to_move == ("soviet",)
    assert after("A1", {**WEST, **PAIR}, *WEST).to_move == ("axis",)
    soviets = {"su-2t": "0605", "su-5t": "0606", "ger-21": AT, "ger-217": AT}
    assert after("A1", soviets, "su-2t", "su-5t", seat="soviet").to_move == ("soviet",)
    assert after("1RR", soviets, "su-2t", "su-5t", seat="soviet").to_move == ("axis",)


def test_10_5_1_without_a_choice_nobody_is_asked() -> None:
    game = after("4RR", {**WEST, **PAIR}, *WEST)
    assert game.to_move == ("axis",)  # all four steps are gone, the pursuit is next
    assert steps(game, *PAIR) == (0, 0)


def test_10_5_2_a_step_turns_a_full_unit_and_eliminates_a_reduced_or_single_one() -> None:
    full = after("A1", {"ger-21": "0605", "su-179": AT}, "ger-21")
    assert told(full.events, "step-lost", "unit-eliminated") == ["ger-21 loses a step (10.5.2)"]
    reduced = after("A1", {"ger-21": "0605", "su-179": AT}, "ger-21", reduced=["ger-21"])
    assert told(reduced.events, "step-lost", "unit-eliminated") == ["ger-21 is eliminated (axis eliminated) (10.5.2)"]
    single = after("A1", {"ger-207sec": "0605", "su-179": AT}, "ger-207sec")
    assert told(single.events, "step-lost", "unit-eliminated") == ["ger-207sec is eliminated (axis eliminated) (10.5.2)"]


def test_10_5_3_several_losses_may_fall_on_one_unit() -> None:
    game = after("A2", {**WEST, "su-179": AT}, *WEST)
    game.apply(LoseStep("ger-21"))
    assert game.legal_actions() == [LoseStep("ger-21"), LoseStep("ger-217")]
    events = game.apply(LoseStep("ger-21"))
    assert told(events, "unit-eliminated") == ["ger-21 is eliminated (axis eliminated) (10.5.2)"]
    assert steps(game, *WEST) == (0, 2)


@pytest.mark.clause("10.7.1")
def test_10_5_4_losses_beyond_all_steps_are_ignored() -> None:
    game = after("4RR", {**WEST, "su-179": AT}, *WEST)
    assert kinds(game.events).count("unit-eliminated") == 1
    assert kinds(game.events).count("step-lost") == 1
    assert game.prompt().startswith("Pursue")
    attackers = after("A2", {"ger-21": "0605", "su-179": AT}, "ger-21", reduced=["ger-21"])
    assert told(attackers.events, "step-lost", "unit-eliminated") == ["ger-21 is eliminated (axis eliminated) (10.5.2)"]
    assert attackers.state.locations["su-179"] == AT


# -- 10.8 where the lost units go --------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["su-179", "su-25c", "su-27a"], ids=["rifle", "cavalry", "headquarters"])
def test_10_8_1_soviet_infantry_and_headquarters_become_available_again(unit: str) -> None:
    game = after("2RR", {"ger-21": "0605", unit: AT}, "ger-21")
    lost = next(event for event in game.events if event.kind == "unit-eliminated")
    assert (game.state.locations[unit], lost.cited()) == ("soviet available", ("10.5.2", "10.8.1"))
    assert game.state.steps_left[unit] == game.world.units[unit].steps


@pytest.mark.clause("10.6.9")
def test_10_8_1_a_reduced_cavalry_division_lost_in_retreat() -> None:
    around = {"ger-21": "0605", "ger-217": "0606", "ger-58": "0806"}
    game = after("R", {**around, "su-25c": AT}, "ger-21", reduced=["su-25c"])
    game.apply(game.legal_actions()[0])
    assert game.state.locations["su-25c"] == "soviet available"
    lost = next(event for event in game.events if event.kind == "unit-eliminated")
    assert lost.cited() == ("10.6.9", "10.8.1")


@pytest.mark.parametrize("unit", ["ger-21", "ger-1pz", "ger-18a", "rum-1mt", "rum-1arm"])
def test_10_8_2_units_of_the_axis_leave_the_game(unit: str) -> None:
    game = after("A2", {unit: "0605", "su-179": AT}, unit)
    lost = next(event for event in game.events if event.kind == "unit-eliminated")
    assert (game.state.locations[unit], lost.cited()) == ("axis eliminated", ("10.5.2", "10.8.2"))


@pytest.mark.clause("10.8.4")
@pytest.mark.parametrize("unit", ["su-2t", "su-84m"])
def test_10_8_2_soviet_mechanized_units_leave_the_game(unit: str) -> None:
    game = after("2RR", {"ger-21": "0605", unit: AT}, "ger-21")
    assert game.state.locations[unit] == "soviet eliminated"
    assert [(score.points, score.clause) for score in game.query.score()] == [(1, "16.1.4")]


def test_10_8_2_an_eliminated_unit_cannot_be_chosen_as_a_reinforcement() -> None:
    units = {"ger-21": "axis eliminated", "ger-217": "axis available", "su-2t": "soviet eliminated", "su-11": "soviet available"}
    board = meadow(rail=["0106 0206", "1406 1306"])
    for chit, side in (("axis-reinforcements", "axis"), ("soviet-reinforcements", "soviet")):
        game = position(units, board=board, path=(2, 1, 1), drawn=[chit], turn=4)
        assert game.to_move == (side,)
        offered = {action.unit for action in game.legal_actions() if isinstance(action, Arrive)}
        assert {"axis": "ger-217", "soviet": "su-11"}[side] in offered
        assert offered.isdisjoint({"ger-21", "su-2t"})


@pytest.mark.parametrize(
    ("unit", "box"), [("su-179", "soviet eliminated"), ("su-27a", "soviet eliminated"), ("ger-21", "axis eliminated")]
)
@pytest.mark.clause("13.0.3")
def test_10_8_3_whoever_is_lost_in_a_supply_check_leaves_the_game(unit: str, box: str) -> None:
    island = meadow(dict.fromkeys(("0704", "0805", "0806", "0706", "0606", "0605"), "~"))
    reduced = [] if unit == "su-27a" else [unit]
    game = position({unit: AT, "ger-217": "0106"}, SupplyCheck(), board=island, reduced=reduced, turn=4)
    lost = next(event for event in game.events if event.kind == "unit-eliminated")
    assert (game.state.locations[unit], lost.cited()) == (box, ("11.1.1", "10.8.3"))


def test_10_8_4_only_mechanized_units_in_the_eliminated_box_count_whatever_eliminated_them() -> None:
    units = {"su-2t": "soviet eliminated", "su-84m": "soviet eliminated", "su-179": "soviet eliminated"}
    game = position({**units, "su-5t": "soviet available", "ger-21": "0605"}, board=meadow())
    assert [(score.points, score.reason, score.clause) for score in game.query.score()] == [
        (1, "su-2t eliminated", "16.1.4"),
        (1, "su-84m eliminated", "16.1.4"),
    ]
