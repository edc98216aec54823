"""14: who may attack what, what is added to the die, and what a sum means; the worked examples and fights worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.errors import Refusal
from hexwar.mechanics import Battle
from hexwar.pieces import Odds, Outcome
from hexwar_wop.modifiers import half_up, is_encircled, is_open, odds_value
from hexwar_wop.sums import SumTable
from tests.wop.table import asked

SOVIET, POLISH = {"XVA": "2106", "33DS": "1111"}, {"5A": "1523", "GrK": "0514", "18DP": "0712"}
SOCHOCIN: dict[str, Any] = {
    **POLISH, **SOVIET, "49/18": "0913", "42/18": "0811", "AC1": "0811", "97/33": "0912", "98/33": "1012",
}  # fmt: skip
"""The Soviet attack of the first turn."""


def shifts(odds: Odds) -> dict[str, int]:
    """Clause -> what it adds; several of one clause are added up."""
    found: dict[str, int] = {}
    for shift in odds.shifts:
        found[shift.clause] = found.get(shift.clause, 0) + shift.columns
    return found


def fight(units: dict[str, Any], attackers: list[str], target: str, **state: Any) -> dict[str, int]:
    """What is added in a fight of some units."""
    return shifts(asked(units, **state).query.odds(attackers, target))


def refused(game: Game, unit: str, target: str) -> str | None:
    """The clause by which a unit may not attack a hex."""
    refusal: Refusal | None = game.world.combat.why_not_attack(game.position, unit, target)
    return refusal.clause if refusal else None


# -- 14.11 odds -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "rounded"), [("1.49", 1), ("1.5", 2), ("2.5", 3), ("2.49", 2)])
def test_1_6_halves_go_up(value: str, rounded: int) -> None:
    assert half_up(Fraction(value)) == rounded


@pytest.mark.clause("14.11.b", "14.13.j")
@pytest.mark.parametrize(
    ("attack", "defence", "value"),
    [
        (12, 5, 2), (5, 12, -2), (15, 6, 3), (6, 6, 0), (5, 4, 1), (4, 5, -1), (48, 4, 10), (4, 48, -10), (3, 0, 10),
    ],
)  # fmt: skip
def test_14_11_a_how_many_times_stronger(attack: int, defence: int, value: int) -> None:
    assert odds_value(attack, defence) == value


# -- fights worked out by hand ----------------------------------------------------------------------------------------------


@pytest.mark.clause("14.13.a", "14.13.f", "14.15", "14.16", "14.17.2")
def test_14_10_a_the_soviet_attack_at_sochocin() -> None:
    game = asked(SOCHOCIN)
    odds = game.query.odds(["97/33", "98/33"], "0913")
    assert (odds.attack, odds.defence, odds.column, odds.name) == (12, 5, -3, "-3")
    assert shifts(odds) == {"14.13.j": 2, "14.13.c": -2, "14.13.f": -1, "14.13.u": -2}
    assert [shift.reason for shift in odds.shifts] == [
        "12 against 5", "all across river", "commander 4 against 6", "0811 is not attacked",
    ]  # fmt: skip
    assert odds.results[5].name == "A 1R"
    assert game.query.odds(["97/33", "98/33"], "0913", also=["0811"]).column == -1


@pytest.mark.clause("14.14.b", "14.13.d")
def test_14_14_a_artillery_fires_over_the_wkra() -> None:
    units = {**POLISH, **SOVIET, "17DP": "1522", "16DS": "1916", "67/17": "1519", "HvyArt": "1418", "46/16": "1618"}
    game = asked(units)
    odds = game.query.odds(["67/17", "HvyArt"], "1618")
    assert (odds.attack, odds.defence) == (9, 6)
    # The twelfth squadron, which would make it 0, cannot support yet (14.13.p).
    assert shifts(odds) == {"14.13.j": 2, "14.13.c": -2, "14.13.f": -1}
    assert game.world.combat.sums[7].name == "A 1, D 1R"
    defended = asked({**units, "ArtXV": "1516", "ArtXVb": "1818"}).query.odds(["67/17", "HvyArt"], "1618")
    assert defended.defence == 12, "the defender's guns are in range too"
    assert asked({**units, "ArtXVb": "1816"}).query.odds(["67/17"], "1618").defence == 6, "out of range"


@pytest.mark.clause("14.13.b", "14.13.e", "14.13.i")
def test_14_13_c_the_raid_on_ciechanow() -> None:
    units = {"5A": "1523", "8BJ": "1202", "203/8BJ": "1302", "108/8BJ": "1202", "GarCie": "1303", "IVA": "1303"}
    game = asked(units)
    odds = game.query.odds(["203/8BJ", "108/8BJ"], "1303")
    assert shifts(odds) == {"14.13.j": 4, "14.13.b": -2, "14.13.e": 1, "14.13.f": 1}, "no formation leads the garrison"
    assert odds.column == 4
    assert odds.results[3].name == "A 1, D 1R"
    assert shifts(game.query.odds(["108/8BJ"], "1303"))["14.13.c"] == -1, "alone it attacks across the brook"


# -- the worked examples ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.13.u", "14.5")
def test_14_13_ex1_a_neighbour_that_is_left_alone() -> None:
    units = {"160/54": "1710", "68/17": "1711", "67/17": "1610"}
    assert fight(units, ["160/54"], "1711")["14.13.u"] == -2
    assert fight({**units, "69/17": "1810"}, ["160/54"], "1711")["14.13.u"] == -4
    assert "14.13.u" not in fight({**units, "67/17": "1111", "17DP": "1610"}, ["160/54"], "1711"), "a lone headquarters"
    assert "14.13.u" not in fight(units, ["160/54"], "1711", planned=[["160/54", "1610"]])


@pytest.mark.clause("14.13.o", "14.13.q")
def test_14_13_ex2_two_armoured_trains_count_as_one() -> None:
    units = {"46/16": "1720", "PPa": "1721", "PPb": "1721", "15/9": "1721"}
    assert fight(units, ["PPa", "PPb", "15/9"], "1720")["14.13.o"] == 2
    assert fight(units, ["46/16"], "1721")["14.13.o"] == -2


# -- the modifiers ----------------------------------------------------------------------------------------------------------


def test_14_13_k_an_attacker_without_supply() -> None:
    odds = fight(SOCHOCIN, ["97/33", "98/33"], "0913", no_supply=["98/33"])
    assert odds["14.13.k"] == -3


@pytest.mark.clause("14.13.m", "3.12.a", "3.13")
def test_14_13_l_a_defender_without_supply() -> None:
    odds = fight(SOCHOCIN, ["97/33", "98/33"], "0913", no_supply=["49/18", "97/33"])
    assert (odds["14.13.l"], odds["14.13.k"]) == (1, -3)
    assert "14.13.l" not in fight(SOCHOCIN, ["97/33"], "0811", no_supply=["AC1"]), "vehicles are halved instead"


@pytest.mark.clause("3.12.c")
def test_3_12_e_vehicles_and_guns_without_supply_count_half() -> None:
    units = {**SOVIET, "42/18": "0811", "AC1": "0811", "HvyArt": "0811", "97/33": "0912"}
    assert asked(units).query.odds(["97/33"], "0811").defence == 5 + 2 + 3
    game = asked(units, no_supply=["AC1", "HvyArt"])
    odds = game.query.odds(["97/33"], "0811")
    assert odds.defence == 5 + 1 + 2
    assert [reason for found in odds.strengths for reason in found.reasons] == [
        ("half without supply", "3.12.e"), ("half without supply", "3.12.c"),
    ]  # fmt: skip
    assert refused(game, "HvyArt", "0912") == "3.12.e"


def test_14_13_n_armour_has_stars_on_both_sides() -> None:
    assert fight(SOCHOCIN, ["97/33"], "0811")["14.13.n"] == -1
    assert fight(SOCHOCIN, ["AC1", "42/18"], "0912")["14.13.n"] == 1
    tanks = {"Tk1": "0811", "AC1": "0811", "42/18": "0811", "97/33": "0912"}
    assert fight(tanks, ["AC1", "Tk1", "42/18"], "0912")["14.13.n"] == 2


@pytest.mark.clause("14.13.h", "14.13.i")
def test_14_13_g_the_commander_of_a_defender_without_a_line_counts_for_nothing() -> None:
    units = {**SOCHOCIN, "18DP": "0216"}
    assert fight(units, ["97/33", "98/33"], "0913")["14.13.f"] == 1, "9.22.b: 4 against nothing"
    assert fight({**SOCHOCIN, "33DS": "2101"}, ["97/33"], "0913")["14.13.f"] == -1, "the attacker was led when he began"


@pytest.mark.clause("9.22.b")
def test_9_22_c_some_with_command_and_some_without() -> None:
    units = {
        **SOVIET,
        "5A": "1523",
        "GrK": "0514",
        "18DP": "0216",
        "49/18": "0913",
        "1/Syb": "0913",
        "BSyb": "1015",
        "97/33": "0912",
    }
    assert "14.13.f" not in fight(units, ["97/33"], "0913")
    assert fight({**units, "1/Syb": "1015"}, ["97/33"], "0913")["14.13.f"] == 1


@pytest.mark.clause("14.3.c")
def test_14_9_the_line_is_looked_for_at_the_moment_of_the_fight() -> None:
    marked = fight(SOCHOCIN, ["97/33", "98/33"], "0913", no_command=["49/18"])
    assert marked["14.13.f"] == -1, "the marker does not matter in defence"
    with_beaten = asked({**SOCHOCIN, "144/18": "0913"}, beaten=["144/18"])
    assert with_beaten.query.odds(["97/33"], "0913").defence == 5


RING = {"49/18": "0905", "97/33": "0904", "98/33": "1005", "99/33": "0805"}


@pytest.mark.clause("14.13.s", "10.4.a", "10.13")
def test_14_13_r_encirclement_by_units_and_zones() -> None:
    assert fight(RING, ["97/33"], "0905")["14.13.r"] == 4, "zones close the rest, and not all need to attack"
    assert "14.13.r" not in fight({**RING, "42/18": "0906"}, ["97/33"], "0905")
    assert fight({**RING, "18DP": "0906"}, ["97/33"], "0905")["14.13.r"] == 4, "a headquarters is no unit"
    assert "14.13.r" not in fight({**RING, "99/33": "1004"}, ["97/33"], "0905")


def test_14_13_t_no_town_is_encircled() -> None:
    game = asked({"42/18": "0514", "97/33": "0513", "98/33": "0614", "99/33": "0414"})
    assert game.world.board.terrain("0514") in ("town", "city")
    assert is_encircled(game.position, ["42/18"], "0514")
    assert "14.13.r" not in shifts(game.query.odds(["97/33"], "0514"))


def test_14_13_w_vehicles_alone_get_nothing_from_a_town() -> None:
    alone = {"AC1": "0514", "97/33": "0513"}
    assert "14.13.b" not in fight(alone, ["97/33"], "0514")
    assert "14.13.b" in fight({**alone, "42/18": "0514"}, ["97/33"], "0514")


@pytest.mark.clause("14.12.c", "14.14.d")
def test_14_13_e_guns_elsewhere_lend_no_morale() -> None:
    units = {"1/Syb": "0913", "97/33": "0912", "ArtXV": "0911"}
    assert fight(units, ["97/33", "ArtXV"], "0913")["14.13.e"] == -1
    led = asked({**units, "98/33": "0912", "10/4": "0912"}, leading=[["0913", "10/4"]])
    assert "morale 5 against 7" in [shift.reason for shift in led.query.odds(["98/33", "10/4"], "0913").shifts]


# -- who may attack ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.3.b", "9.22.a", "10.12", "11.3")
def test_14_6_who_may_not_attack() -> None:
    game = asked(
        {**SOCHOCIN, "GarCie": "1013", "FortArt": "0914", "HvyArt": "0610"},
        no_command=["98/33"],
        beaten=["42/18", "AC1"],
    )
    assert refused(game, "97/33", "0913") is None
    assert refused(game, "98/33", "0913") == "9.22.a"
    assert refused(game, "33DS", "0913") == "14.7"
    assert refused(game, "GarCie", "0913") == "11.3"
    assert refused(game, "97/33", "0811") == "14.7", "everybody there has been attacked"
    assert refused(game, "97/33", "0914") == "10.12"
    assert refused(game, "HvyArt", "0912") is None
    assert refused(game, "HvyArt", "1012") == "14.14.a"


@pytest.mark.clause("15.3")
def test_14_6_trains_attack_beside_the_line() -> None:
    game = asked({"PPa": "1721", "46/16": "1820"})
    assert not is_open(game.position, "PPa", "1721", "1820")
    assert refused(game, "PPa", "1820") is None


def test_14_6_nobody_attacks_what_it_could_not_enter() -> None:
    game = asked({"67/17": "1523", "97/33": "1524", "98/33": "1623"})
    assert refused(game, "67/17", "1524") == "14.6"
    assert refused(game, "67/17", "1623") is None, "over the bridge"


@pytest.mark.clause("14.10.c")
def test_14_10_b_strength_in_brackets_counts_in_defence_only() -> None:
    game = asked({"FortArt": "1523", "67/17": "1523", "97/33": "1522"})
    assert game.query.odds(["67/17", "FortArt"], "1522").attack == 6
    assert game.query.odds(["97/33"], "1523").defence == 10


def test_14_17_1_results_of_the_table() -> None:
    sums = asked({}).world.combat.sums
    assert [sums[total].name for total in (-40, -5, -4, 1, 3, 5, 7, 9, 22, 40)] == [
        "A 3R/2", "A 3R/2", "A 2R/2", "A 1R/1", "A 1R", "A 1, D 1", "A 1, D 1R", "D 1R/1", "D 4R/3", "D 4R/3",
    ]  # fmt: skip
    worst = sums[-40]
    assert (worst.attacker, worst.repulse, worst.defender, worst.retreat) == (2, 3, 0, 0)


def test_14_16_a_table_of_sums_needs_its_bounds() -> None:
    with pytest.raises(ValueError, match="2 results need 1 ascending"):
        SumTable([Outcome("A"), Outcome("B")], [3, 1])


def test_14_13_a_without_strength_there_is_no_sum() -> None:
    game = asked(SOCHOCIN)
    odds = game.world.combat.odds(game.position, Battle.on("soviet", "0913"))
    assert (odds.column, odds.name, odds.distribution) == (None, "no attack", {})


@pytest.mark.clause("14.17.3")
def test_14_16_the_chances_are_exact() -> None:
    odds = asked(SOCHOCIN).query.odds(["97/33", "98/33"], "0913", also=["0811"])
    assert odds.distribution == {
        "A 2R/1": Fraction(1, 10),
        "A 1R/1": Fraction(2, 10),
        "A 1R": Fraction(2, 10),
        "A 1, D 1": Fraction(2, 10),
        "A 1, D 1R": Fraction(2, 10),
        "D 1R/1": Fraction(1, 10),
    }


def test_questions_about_impossible_attacks_are_answered_in_a_sentence() -> None:
    query = asked(SOCHOCIN).query
    for attackers, message in (
        ([], "at least one attacker"),
        (["97/33", "97/33"], "cannot attack twice"),
        (["33DS"], "does not attack"),
    ):
        with pytest.raises(hexwar.HexwarError, match=message):
            query.odds(attackers, "0913")
    assert query.attackers("0913", "soviet") == ("97/33", "98/33")


def test_14_2_all_units_in_a_hex_defend_together() -> None:
    game = asked({**SOCHOCIN, "144/18": "0913"})
    assert game.world.combat.defenders(game.position, Battle.on("soviet", "0913")) == ("49/18", "144/18")
    assert game.query.odds(["97/33"], "0913").defence == 10


def test_14_14_a_artillery_alone_has_no_odds() -> None:
    game = asked({"97/33": "0912", "42/18": "0811", "ArtXV": "1012"})
    assert game.query.odds(["97/33", "ArtXV"], "0811").column is not None
    with pytest.raises(hexwar.HexwarError, match=r"14\.14\.a: ArtXV only supports others"):
        game.query.odds(["ArtXV"], "0811")
