"""Luck so far: rolled against expected, with numbers that were worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Attack, Join, Resolve
from hexwar.pieces import Outcome
from hexwar.table.luck import Compared, Luck, Throw, deviation, luck_of, luck_words, share_below, throws
from hexwar_tow.luftwaffe import Commit
from tests.ava.battles import AT as MEADOW
from tests.ava.battles import attack as declare
from tests.ava.battles import battle as ava_battle
from tests.bridgehead.helpers import attacking, position
from tests.cli.helpers import run
from tests.tow.table import AT, EAST
from tests.tow.table import attack as assemble
from tests.tow.table import battle as tow_battle

DIE = range(1, 7)


@pytest.mark.parametrize(
    ("total", "share"),
    [(1, 0), (2, Fraction(1, 72)), (4, Fraction(9, 72)), (7, Fraction(1, 2)), (12, Fraction(71, 72)), (13, 1)],
)
def test_the_share_of_two_dice_below_a_sum(total: int, share: Fraction) -> None:
    """Of 36 throws one gives 2, two give 3, three give 4, and so on: three are less than 4, and half of three count as well."""
    assert share_below([DIE, DIE], total) == share


def test_dice_may_differ_and_have_any_faces() -> None:
    # -1, 0, 4 and 10, 20: the sums are 9, 10, 14, 19, 20, 24.
    assert share_below([(4, -1, 0), (20, 10)], 14) == Fraction(2 * 2 + 1, 12)
    assert share_below([(4, -1, 0), (20, 10)], 15) == Fraction(1, 2)
    assert share_below([], 0) == Fraction(1, 2)


def test_hundreds_of_dice_are_still_exact() -> None:
    assert share_below([DIE] * 300, 1800) == 1 - Fraction(1, 2 * 6**300)
    assert share_below([DIE] * 301, 301 * 7 // 2) + share_below([DIE] * 301, 301 * 7 - 301 * 7 // 2) == 1


def test_deviations_are_counted_from_the_mean() -> None:
    assert deviation([DIE, DIE], 12) == pytest.approx(5 / (35 / 6) ** 0.5)
    assert deviation([DIE, DIE], 7) == 0
    assert deviation([(3,), (4,)], 7) == 0


def test_a_side_is_lucky_in_its_attacks_and_in_those_that_it_meets() -> None:
    """Five of six pairs of rolls would have been worse for it, and its own is half of the sixth."""
    bad, nothing, good = Outcome("A1", attacker=1), Outcome("-"), Outcome("D1", defender=1)
    mine = Throw("north", "south", "0101", "1:1", (bad, nothing, good), good)
    theirs = Throw("south", "north", "0102", "1:1", (bad, good), bad)
    assert (mine.ranks, mine.share, theirs.ranks, theirs.share) == ((1, 3, 5), Fraction(5, 6), (1, 3), Fraction(1, 4))
    north, south = (Luck.of(side, [mine, theirs]) for side in ("north", "south"))
    assert (north.share, south.share) == (Fraction(11, 12), Fraction(1, 12))
    # In twelfths: 2, 6 or 10, and 9 or 3. The mean is 12, the variance 32/3 + 9.
    assert north.sigma == pytest.approx(7 / (32 / 3 + 9) ** 0.5)
    assert south.sigma == pytest.approx(-north.sigma)
    # One of three of its own rolls costs the enemy a step, one of two of the enemy's rolls does.
    assert north.inflicted == Compared(2, Fraction(1, 3) + Fraction(1, 2))
    assert north.suffered == Compared(0, Fraction(1, 3) + Fraction(1, 2))
    assert (north.attacks, north.defences) == (1, 1)


def test_among_equal_losses_the_longer_retreat_is_better() -> None:
    stays, goes, flees = Outcome("-"), Outcome("R", retreat=1), Outcome("RR", retreat=2)
    thrown = Throw("north", "south", "0101", "2:1", (stays, goes, goes, flees), goes)
    assert thrown.share == Fraction(2 + 2, 8)
    assert Luck.of("north", [thrown]).driven == Compared(1, Fraction(4, 4))
    assert Luck.of("south", [thrown]).yielded == Compared(1, Fraction(4, 4))


def lucky(game: Game, seat: str) -> list[Luck]:
    return luck_of(game, throws(game, game.world.viewer(seat)))


def only(game: Game, seat: str) -> Throw:
    (found,) = throws(game, game.world.viewer(seat))
    return found


def test_a_battle_of_bridgehead_is_compared_with_its_column() -> None:
    """At 1:1 the column is A1 A1 A1 X R1 R1."""
    game = position({"b1": "0404", "r1": "0504"}, attacking("b1"), chance=[4])
    for action in (Attack("0504"), Join("b1"), Resolve()):
        game.apply(action)
    thrown = only(game, "red")
    assert (thrown.side, thrown.enemy, thrown.target, thrown.odds, thrown.rolled.name) == ("blue", "red", "0504", "1:1", "X")
    blue, red = lucky(game, "blue")
    assert (blue.share, red.share) == (Fraction(7, 12), Fraction(5, 12))
    assert (blue.suffered, blue.inflicted) == (Compared(1, Fraction(4, 6)), Compared(1, Fraction(1, 6)))
    assert (red.suffered, red.yielded) == (Compared(1, Fraction(1, 6)), Compared(0, Fraction(2, 6)))


def test_14_2_5_losses_in_place_of_a_retreat_are_expected_too() -> None:
    """At 3:1 the column is - - R R RR RR, and each hex of retreat is a step of the fortress."""
    game = ava_battle({"ger-21": "0605", "fort-l1": MEADOW}, "ger-21", reduced=["fort-l1"], chance=[5])
    declare(game, MEADOW, "ger-21")
    (axis, _) = lucky(game, "axis")
    assert (axis.inflicted, axis.driven) == (Compared(2, Fraction(1)), Compared(0, Fraction()))
    assert axis.share == Fraction(10, 12)


def test_10_3_2_what_is_taken_off_the_roll_is_expected_too() -> None:
    """4:1 with a Def AS: the rolls bring - - - R R RR in place of - R R RR RR 1RR."""
    units = {"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}
    game = tow_battle(units, "sov-2tk", "sov-10tk", dice=[6], luftwaffe={"axis": ["def"]}, sorties=1)
    assemble(game, AT, "sov-2tk", "sov-10tk")
    game.apply(Commit("def"))
    thrown = only(game, "soviet")
    assert [outcome.name for outcome in thrown.outcomes] == ["-", "-", "-", "R", "R", "RR"]
    soviet = next(it for it in lucky(game, "soviet") if it.side == "soviet")
    assert (soviet.driven, soviet.share) == (Compared(2, Fraction(4, 6)), Fraction(11, 12))


def test_an_attack_that_is_called_off_is_no_luck() -> None:
    game = position({"b1": "0404", "r1": "0504"}, attacking("b1"))
    assert lucky(game, "blue") == []
    assert luck_words(game, game.world.viewer("blue")) == ["  No battle has been rolled for yet."]


def test_luck_is_a_word_at_the_terminal() -> None:
    out = run("play", "bridgehead", "--seed", "3", "--bot", "red=random", typed="luck\nhelp\nquit\n").out
    assert "No battle has been rolled for yet." in out
    assert "luck              what the dice of the battles brought" in out
    surprise = "1pz attacks l0528; 6pz attacks taurage; 36m attacks taurage; done"
    typed = f"\ncurtain\n{surprise}\nresolve taurage\nluck\nquit\n"
    out = run("play", "ava", "--scenario", "training", "--seed", "2", typed=typed).out
    assert "axis: luckier than" in out
    assert "1 attack made, 0 met" in out
    assert "The best roll of an attacker: axis on L0629" in out


def test_a_game_without_such_dice_says_so(toy: Any) -> None:
    assert "No battle of this game is decided by dice." in run("play", "toy", typed="\nluck\nquit\n").out
