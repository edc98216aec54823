"""Dice of imagined games: what is alike falls alike."""

from __future__ import annotations

from collections import Counter

import hexwar
from hexwar.engine import Play, SeededChance
from hexwar.search import ImaginedDice


def test_the_same_purpose_has_the_same_dice_whatever_came_before() -> None:
    one, other = ImaginedDice(1), ImaginedDice(1)
    other.rolled("attack on 0101", 0, 6)
    assert [one.rolled("attack on 0202", n, 6) for n in range(20)] == [
        other.rolled("attack on 0202", 7 * n, 6) for n in range(20)
    ]
    assert [one.rolled("a", n, 6) for n in range(20)] != [ImaginedDice(2).rolled("a", n, 6) for n in range(20)]


def test_every_face_comes_up() -> None:
    dice = ImaginedDice("faces")
    counted = Counter(dice.rolled("attack", n, 6) for n in range(3000))
    assert set(counted) == set(range(6))
    assert max(counted.values()) < 1.25 * min(counted.values())


def test_lots_come_in_the_same_order_from_cups_that_differ_in_one() -> None:
    def drawn(lots: list[str]) -> list[str]:
        dice, left, order = ImaginedDice(3), list(lots), []
        while left:
            order.append(left.pop(dice.lot("chit", 0, left)))
        return order

    lots = [f"chit {n}" for n in range(8)]
    all_of_them = drawn(lots)
    assert sorted(all_of_them) == lots
    assert drawn(lots[:3] + lots[4:]) == [lot for lot in all_of_them if lot != lots[3]]
    assert drawn(["same", "same", "other"]).count("same") == 2


def test_every_lot_is_drawn_first_about_as_often() -> None:
    counted = Counter(ImaginedDice(seed).lot("chit", 0, "abcd") for seed in range(2000))
    assert max(counted.values()) < 1.25 * min(counted.values())


def test_what_is_drawn_and_put_back_is_drawn_by_other_luck() -> None:
    dice = ImaginedDice(1)
    counted = Counter(dice.lot("chit", 0, "abcd") for _ in range(2000))
    assert max(counted.values()) < 1.25 * min(counted.values())


def test_a_lot_that_is_put_in_later_is_as_likely_as_the_others() -> None:
    """Those that are left are the last of their order: compared with them, a new one would come first too often."""
    counted: Counter[bool] = Counter()
    for seed in range(3000):
        dice, left = ImaginedDice(seed), list("abcdef")
        for _ in range(4):
            del left[dice.lot("chit", 0, left)]
        left.append("new")
        counted[left[dice.lot("chit", 0, left)] == "new"] += 1
    assert 900 < counted[True] < 1100


def test_a_copy_goes_its_own_way_from_the_same_place() -> None:
    dice = ImaginedDice(1)
    dice.rolled("attack", 0, 6)
    twin = dice.fork()
    assert [dice.rolled("attack", 0, 100) for _ in range(5)] == [twin.rolled("attack", 0, 100) for _ in range(5)]


def test_a_real_game_draws_by_its_counter() -> None:
    game = hexwar.new_game("bridgehead", seed=7)
    play = Play(game.world, game.state.copy(), SeededChance(7))
    rolled = [play.dice(purpose, clause="8.1", dice=2) for purpose in ("one", "other")]
    assert [face - 1 for faces in rolled for face in faces] == [SeededChance(7).draw(n, 6) for n in range(4)]
