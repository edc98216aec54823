"""8 and 9: combat and losses."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hexwar.mechanics import Attack, CallOff, Join, Resolve
from hexwar.pieces import Done, LoseStep
from tests.bridgehead.helpers import attacking, field, losing, position, refused, told

RIVER = ["0404/NE/SE"]  # between 0404 and both 0503 and 0504


def test_8_1_active_units_attack_adjacent_enemy_hexes() -> None:
    game = position({"b1": "0404", "b2": "0405", "r1": "0504", "r2": "0605", "r3": "0403"}, attacking("b1"))
    assert game.legal_actions() == [Done(), Attack("0403"), Attack("0504")]
    refused(game, Attack("0605"), "8.1", "no active unit that has not yet attacked can attack 0605")
    game.apply(Attack("0504"))
    assert game.legal_actions() == [CallOff(), Join("b1")]
    refused(game, Join("b2"), "8.2", "b2 is not active or has attacked already")
    refused(game, Join("r2"), "8.1", "blue has no unit r2 on the map")
    refused(game, Join("b3"), "8.1", "blue has no unit b3 on the map")


def test_8_1_only_into_hexes_into_which_they_could_move() -> None:
    units = {"b1": "0404", "b5": "0404", "r1": "0504", "r2": "0503"}
    game = position(units, attacking("b1", "b5"), board=field(river=RIVER, road=["0404 0504"]))
    game.apply(Attack("0503"))
    assert game.legal_actions() == [CallOff(), Join("b1")]
    refused(game, Join("b5"), "8.1", "b5 could not move from 0404 into 0503")
    game.apply(CallOff())
    game.apply(Attack("0504"))
    assert Join("b5") in game.legal_actions(), "over the bridge"


def test_8_1_combat_comes_after_movement_and_is_voluntary() -> None:
    game = position({"bA": "0304", "b1": "0404", "r1": "0504"}, cup=["bA"], chance=[1])
    assert game.prompt() == "Move units: bA, b1. (7.1)"
    game.apply(Done())
    assert game.prompt() == "Choose a hex to attack: 0504. (8.1)"
    game.apply(Done())
    assert game.state.turn == 2


def test_8_2_a_unit_attacks_once_and_a_hex_is_attacked_once() -> None:
    units = {"b1": "0404", "b2": "0404", "b5": "0405", "r1": "0504", "r2": "0503", "rA": "0904"}
    game = position(units, attacking("b1", "b2", "b5"), chance=[1])
    game.apply(Attack("0504"))
    game.apply(Join("b1"))
    refused(game, Join("b1"), "8.2", "b1 takes part already")
    game.apply(Resolve())  # 4 to 4, a one: the attacker loses a step
    assert game.legal_actions() == [Done(), Attack("0503")]
    refused(game, Attack("0504"), "8.2", "0504 has been attacked already")
    game.apply(Attack("0503"))
    assert game.legal_actions() == [CallOff(), Join("b2")]
    refused(game, Join("b1"), "8.2", "b1 is not active or has attacked already")
    refused(game, Join("b5"), "8.1", "b5 does not stand next to 0503")


def test_8_2_an_attack_that_is_called_off_counts_for_the_hex_and_not_for_the_units() -> None:
    game = position({"b1": "0404", "r1": "0504", "r2": "0503"}, attacking("b1"))
    game.apply(Attack("0504"))
    game.apply(Join("b1"))
    game.apply(CallOff())
    assert game.legal_actions() == [Done(), Attack("0503")]
    game.apply(Attack("0503"))
    assert Join("b1") in game.legal_actions()


def test_8_2_all_defenders_fight_together() -> None:
    game = position({"b1": "0404", "b2": "0404", "r1": "0504", "rA": "0504"}, attacking("b1", "b2"))
    odds = game.query.odds(["b1", "b2"], "0504")
    assert (odds.attack, odds.defence, odds.name) == (8, 5, "1:1")


def test_8_3_attackers_across_a_river_are_halved_bridge_or_not() -> None:
    board = field(river=RIVER, road=["0404 0504"])
    game = position({"b1": "0404", "b2": "0405", "r1": "0504", "r2": "0503"}, attacking("b1", "b2"), board=board)
    bridged, swum = game.query.odds(["b1"], "0504"), game.query.odds(["b1"], "0503")
    assert bridged.attack == swum.attack == 2
    assert bridged.strengths[0].reasons == (("halved across a river", "8.3"),)
    assert game.query.odds(["b1", "b2"], "0504").attack == 6, "b2 stands on the other's bank"
    assert game.query.odds(["b1"], "0504").defence == 4, "the defender is not halved"


def test_8_4_fractions_are_dropped_once() -> None:
    # Two attackers of 3 across the river count 1.5 each: three together, not two.
    board = field(river=RIVER)
    units = {"b3": "0404", "b5": "0404", "r2": "0503"}
    game = position(units, attacking("b3", "b5"), reduced=["b5"], board=board)
    odds = game.query.odds(["b3", "b5"], "0503")
    assert [strength.counted for strength in odds.strengths] == [Fraction(3, 2), Fraction(3, 2), Fraction(3)]
    assert (odds.attack, odds.defence, odds.name) == (3, 3, "1:1")
    assert game.query.odds(["b3"], "0503").attack == 1


@pytest.mark.parametrize(
    ("attackers", "defenders", "column"),
    [
        (["b3"], ["r1"], "1:2"),  # 3 to 4
        (["b1"], ["r1"], "1:1"),  # 4 to 4
        (["b1", "b3"], ["r1"], "1:1"),  # 7 to 4
        (["b1", "b2"], ["r1"], "2:1"),  # 8 to 4
        (["b5", "b6"], ["r1"], "3:1"),  # 12 to 4
        (["b5", "b1"], ["rA"], "5:1"),  # 10 to 1, the last column
    ],
)
def test_8_4_the_ratio_is_rounded_down_to_a_column(attackers: list[str], defenders: list[str], column: str) -> None:
    places = {**dict.fromkeys(attackers, "0404"), **dict.fromkeys(defenders, "0504")}
    game = position(places, attacking(*attackers))
    assert game.query.odds(attackers, "0504").name == column


def test_8_4_below_the_first_column_there_is_no_attack() -> None:
    game = position({"b3": "0404", "r1": "0504", "r2": "0504"}, attacking("b3"), reduced=["b3"])
    game.apply(Attack("0504"))
    game.apply(Join("b3"))  # 1 to 7
    assert game.legal_actions() == [CallOff()]
    refused(game, Resolve(), "8.4", "the odds are too low for an attack")
    assert game.prompt() == "Attack on 0504: 1 to 7, column no attack. (8.1)"


def test_8_4_a_defence_of_zero_is_the_last_column_and_an_attack_of_zero_is_none() -> None:
    # Without supply a headquarters defends with half a point, which is dropped; so is b3's half point across the river.
    board = field(river=["0405/N/NE/SE/S/SW/NW"])
    home = {label: unit for unit, label in zip(("b2", "b5", "b6"), ("0902", "0904", "0906"), strict=True)}
    units = {"b1": "0404", "b3": "0405", "rA": "0504", **{unit: label for label, unit in home.items()}, "bA": "0907"}
    game = position(units, attacking("b1", "b3"), reduced=["b3"], board=board)
    assert not game.query.supply("rA").supplied
    odds = game.query.odds(["b1"], "0504")
    assert (odds.attack, odds.defence, odds.base, odds.name) == (4, 0, 5, "5:1")
    odds = game.query.odds(["b3"], "0504")
    assert (odds.attack, odds.defence, odds.base, odds.name) == (0, 0, None, "no attack")


@pytest.mark.parametrize(
    ("terrain", "town", "name", "reasons"),
    [
        (".", False, "2:1", []),
        ("w", False, "1:1", ["woods"]),
        ("m", False, "1:1", ["marsh"]),
        (".", True, "1:1", ["town"]),
        ("w", True, "1:2", ["woods", "town"]),
    ],
)
def test_8_5_woods_marsh_and_towns_shift_left(terrain: str, town: bool, name: str, reasons: list[str]) -> None:
    board = field(terrain={"0504": terrain}, towns={"Brod": "0504"} if town else {})
    game = position({"b1": "0404", "b2": "0404", "r1": "0504"}, attacking("b1", "b2"), board=board)
    odds = game.query.odds(["b1", "b2"], "0504")
    assert odds.name == name
    assert [(shift.columns, shift.reason, shift.clause) for shift in odds.shifts] == [(-1, reason, "8.5") for reason in reasons]


def test_8_5_a_shift_below_the_first_column_forbids_the_attack() -> None:
    game = position({"b3": "0404", "r1": "0504"}, attacking("b3"), board=field(terrain={"0504": "w"}))
    odds = game.query.odds(["b3"], "0504")
    assert (odds.base, odds.column, odds.name, odds.distribution) == (0, None, "no attack", {})


def test_8_5_the_ratio_is_capped_before_it_is_shifted() -> None:
    game = position({"b5": "0404", "b6": "0404", "rA": "0504"}, attacking("b5", "b6"), board=field(terrain={"0504": "w"}))
    assert game.query.odds(["b5", "b6"], "0504").name == "4:1", "twelve to one counts as five to one"


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_8_6_one_die_decides_in_the_column(die: int) -> None:
    expected = {1: "A1", 2: "A1", 3: "A1", 4: "X", 5: "R1", 6: "R1"}  # the column 1:1
    game = position({"b1": "0404", "r1": "0504", "rA": "0904"}, attacking("b1"), chance=[die])
    game.apply(Attack("0504"))
    game.apply(Join("b1"))
    events = game.apply(Resolve())
    assert told(events, "attack-declared", "dice-rolled", "attack-resolved") == [
        "blue attacks 0504 with b1: 4 to 4, column 1:1 (8.4)",
        f"attack on 0504: rolled {die} (8.6)",
        f"the attack on 0504 results in {expected[die]} (8.6)",
    ]


def test_8_6_the_preview_is_what_the_die_then_decides() -> None:
    """All six dice together are the distribution that was shown before."""
    results: dict[str, Fraction] = {}
    shown = {}
    for die in range(1, 7):
        units = {"b1": "0404", "b5": "0404", "r1": "0504", "rA": "0904"}
        game = position(units, attacking("b1", "b5"), chance=[die], board=field(terrain={"0504": "w"}))
        for action in (Attack("0504"), Join("b1"), Join("b5")):
            game.apply(action)
        shown = game.query.odds(["b1", "b5"], "0504").distribution
        (resolved,) = [event for event in game.apply(Resolve()) if event.kind == "attack-resolved"]
        name = resolved.result  # type: ignore[attr-defined]
        results[name] = results.get(name, Fraction()) + Fraction(1, 6)
    assert results == shown
    assert sum(shown.values()) == 1


def test_9_1_the_owner_chooses_which_of_his_units_lose_steps() -> None:
    game = position({"b1": "0404", "b2": "0404", "r1": "0504", "rA": "0504"}, losing("red", 1, "r1", "rA"))
    assert game.to_move == ("red",)
    assert game.prompt() == "Lose 1 step among r1, rA. (9.1)"
    assert game.legal_actions() == [LoseStep("r1"), LoseStep("rA")]
    refused(game, LoseStep("b1"), "9.1", "b1 is not among the units that take the losses")
    assert told(game.apply(LoseStep("r1")), "step-lost") == ["r1 loses a step (9.1)"]


def test_9_1_without_a_choice_nobody_is_asked() -> None:
    game = position({"b1": "0404", "r1": "0504", "rA": "0904"}, losing("red", 1, "r1"))
    assert told(game.events, "step-lost") == ["r1 loses a step (9.1)"]
    all_lost = position({"b1": "0404", "r1": "0504", "rA": "0504", "r2": "0904"}, losing("red", 3, "r1", "rA"))
    assert set(all_lost.state.locations) == {"b1", "r2"}
    more = position({"b1": "0404", "rA": "0504", "r2": "0904"}, losing("red", 3, "rA"))
    assert set(more.state.locations) == {"b1", "r2"}, "more steps than there are"


def test_9_1_both_sides_lose_in_an_exchange_the_attacker_first() -> None:
    game = position({"b1": "0404", "r1": "0504", "rA": "0904"}, attacking("b1"), chance=[4])
    game.apply(Attack("0504"))
    game.apply(Join("b1"))
    assert told(game.apply(Resolve()), "step-lost") == ["b1 loses a step (9.1)", "r1 loses a step (9.1)"]


def test_9_2_a_unit_that_loses_its_last_step_is_eliminated() -> None:
    game = position({"b1": "0404", "r1": "0504", "rA": "0904"}, losing("red", 1, "r1"), reduced=["r1"])
    assert told(game.events, "unit-eliminated") == ["r1 is eliminated (9.1)"]
    assert "r1" not in game.state.locations
    assert "r1" not in game.state.steps_left


def test_9_2_an_attacker_that_is_gone_does_not_attack_again() -> None:
    units = {"b1": "0404", "b2": "0405", "r1": "0504", "r2": "0503", "rA": "0904"}
    game = position(units, attacking("b1", "b2"), reduced=["b1"], chance=[1])
    game.apply(Attack("0504"))
    game.apply(Join("b1"))  # 2 to 4, a one
    game.apply(Resolve())
    assert "b1" not in game.state.locations
    assert game.state.turn == 2, "b2 touches only the hex that has been attacked"
