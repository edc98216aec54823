"""10.3 and the combat results table: what the die says, and who bears the losses."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Arrive, LoseStep, Pursue
from hexwar_tow.content import load_tow
from hexwar_tow.luftwaffe import Commit
from tests.tow.battles import AT, after, attack, battle, lost_in_all_ways, steps
from tests.tow.table import field, of_kind, offered, refused, where

TABLE = load_tow().table
PRINTED = {
    1: "A2 A1 A1 - - R R RR RR 1RR 1RR",
    2: "A1 A1 - - R R RR RR 1RR 1RR 2RR",
    3: "A1 - - R R RR RR 1RR 1RR 2RR 2RR",
    4: "- - R R RR RR 1RR 1RR 2RR 2RR 3RR",
    5: "- R R RR RR 1RR 1RR 2RR 2RR 3RR 3RR",
    6: "R R RR RR 1RR 1RR 2RR 2RR 3RR 3RR 4RR",
}
SEQUENCE = ["A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR"]
EAST, NORTH_EAST = "0708", "0808"


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
        luftwaffe={"axis": ["def"]},
        sorties=1,
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


# -- 12.2.1 a city with a Supreme Command Order --------------------------------------------------------------------------------

CITY = field(cities={"City": AT})


@pytest.mark.parametrize(("die", "result", "lost"), [(2, "R", 1), (4, "RR", 2), (6, "1RR", 3)])
@pytest.mark.clause("10.4.12")
def test_12_2_1_retreats_become_losses(die: int, result: str, lost: int) -> None:
    """25 to 4 (one division is isolated) and two columns for the city is 4:1: R is one step, RR two, 1RR three."""
    units = {"ger-68": AT, "ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST, "sov-4gtk": NORTH_EAST, "sov-31tk": NORTH_EAST}
    attackers = ("sov-2tk", "sov-10tk", "sov-4gtk", "sov-31tk")
    game = battle(units, *attackers, board=CITY, dice=[die], orders=[AT], supply={"ger-68": "isolated"})
    (resolved,) = of_kind(attack(game, AT, *attackers), "attack-resolved")
    assert (resolved.result, resolved.rule) == (result, "12.2.1")
    assert {sum(left) for left in lost_in_all_ways(game, "ger-68", "ger-112")} == {4 - lost}
    while offered(game, LoseStep):
        game.apply(offered(game, LoseStep)[0])
    assert all(at in (AT, "axis eliminated") for at in where(game, "ger-68", "ger-112"))


def test_12_2_1_without_the_order_they_retreat() -> None:
    game = after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=CITY, orders=[])
    assert where(game, "ger-112") == ("0706",)


def test_12_2_1_the_order_is_one_to_the_axis_only() -> None:
    """Soviet units that have gone past such a city are not held in it: it falls when they enter (12.2.3)."""
    game = battle({"sov-51": EAST, "ger-reich": AT, "ger-totenkopf": AT}, "ger-reich", "ger-totenkopf", seat="axis", dice=[5])
    attack(game, EAST, "ger-reich", "ger-totenkopf")
    assert where(game, "sov-51") != (EAST,)
