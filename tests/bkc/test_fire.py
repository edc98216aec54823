"""fire, hit, save, ko, supp, fall, isw: shots and their effects. Dice are agreed beforehand."""

from __future__ import annotations

import pytest

from hexwar_bkc.acting import Acting
from hexwar_bkc.fire import Fire, can_damage, flank_save, needed_to_hit, pools
from hexwar_bkc.state import KnockedOut, Moved, Struck, Suppressed
from tests.bkc.table import WALL, WOOD, said, table, why

REST = {"p4": (500, 5800)}
"""Somebody who has not acted yet, so that the turn does not end."""


def test_fire_2_fire_3_what_can_be_fired_at() -> None:
    units = {"p3": (3000, 5000), "p6": (1000, 5000), "g3": (3000, 1800), "g1": (3500, 4000), "g5": (3400, 1850)}
    game = table(units)
    assert why(game, Fire("p3", "g3")) == ""
    assert why(table({**units, "g3": (3000, 1799)}), Fire("p3", "g3")) == "fire.3"
    assert why(game, Fire("p3", "p6")) == "fire.2"
    assert why(game, Fire("p3", "g1")) == "cmdunit.1"
    assert why(table(units, headings={"p3": 180}), Fire("p3", "g3")) == "los.1"
    assert why(table(units, parts=WALL), Fire("p3", "g3")) == "los.1"


@pytest.mark.clause("fire.10")
def test_fire_9_fire_10_infantry_does_not_block_sight_but_the_line_of_fire() -> None:
    units = {"p3": (3000, 5000), "p4": (3000, 4500), "p6": (3000, 5500), "g3": (3000, 3500)}
    game = table(units, headings={"p3": 0})
    assert game.query.look("p3", "g3").clear
    assert why(game, Fire("p3", "g3")) == "fire.10"
    assert why(game, Fire("p6", "g3")) == "", "a tank fires over them"


@pytest.mark.clause("fire.12", "fire.13", "fire.15", "fire.16", "fire.ex1", "fire.ex2")
@pytest.mark.parametrize(
    ("shooter", "spot", "target", "heading", "dice", "rules"),
    [
        ("p3", (3000, 5701), "g3", 180, 3, ()),
        ("p3", (3000, 4700), "g3", 180, 4, ("fire.12",)),
        ("p3", (3000, 4700), "g3", 0, 5, ("fire.12", "fire.13")),
        ("p6", (3000, 4250), "g3", 180, 4, ("fire.12", "fire.15")),
        ("p6", (3000, 4251), "g5", 180, 3, ("fire.12",)),
    ],
)
def test_fire_11_dice(shooter: str, spot: tuple[int, int], target: str, heading: int, dice: int, rules: tuple[str, ...]) -> None:
    game = table({shooter: spot, target: (3000, 3000 if shooter == "p3" else 2000)}, headings={target: heading})
    (pool,) = pools(game.position, [shooter], target)
    assert (pool.dice, tuple(rule for _, rule in pool.notes if rule.startswith("fire"))) == (dice, rules)


@pytest.mark.clause("hit.1", "hit.6")
def test_hit_2_cover() -> None:
    assert [needed_to_hit(False, False), needed_to_hit(True, False), needed_to_hit(False, True)] == [4, 5, 6]
    there = {"p3": (3000, 4500), "g3": (3000, 2800)}
    assert pools(table(there).position, ["p3"], "g3")[0].needed == 4
    assert pools(table(there, parts=WOOD).position, ["p3"], "g3")[0].needed == 5
    behind = {"p3": (3000, 4500), "g3": (3000, 2390)}
    assert pools(table(behind, parts=WALL).position, ["p3"], "g3")[0].needed == 5
    assert pools(table({**behind, "p3": (3000, 1000)}, parts=WALL).position, ["p3"], "g3")[0].needed == 4, "not from here"


@pytest.mark.clause("hit.7", "hit.8")
def test_hit_7_what_a_mark_cannot_damage() -> None:
    assert [can_damage("*", "armour", True), can_damage("*", "infantry", False)] == [False, True]
    assert [can_damage("#", "infantry", False), can_damage("#", "armour", True), can_damage("", "gun", False)] == [
        False,
        True,
        True,
    ]


@pytest.mark.clause("save.4", "save.ex1")
def test_save_3_from_the_flank() -> None:
    assert [flank_save(save) for save in (0, 4, 5, 6)] == [0, 5, 6, 6]


@pytest.mark.clause("ko.1", "ko.2", "supp.1", "save.2")
def test_supp_2_a_hit_that_does_not_knock_out_may_suppress() -> None:
    game = table(
        {"p3": (3000, 5000), "g3": (3000, 3500), **REST}, dice=[4, 4, 1, 1, 3, 4]
    )  # 4 dice, 2 hits, 2 dice for suppression
    game.apply(Fire("p3", "g3"))
    (struck,) = said(game, Struck)
    assert (struck.dice, struck.needed, struck.received, struck.saved, struck.marked) == (4, 4, 2, 0, 2)
    assert (game.state.hits, game.state.suppressed) == ({"g3": 2}, ("g3",))
    safe = table({"p3": (3000, 5000), "g3": (3000, 3500), **REST}, dice=[4, 4, 1, 1, 3, 3])
    safe.apply(Fire("p3", "g3"))
    assert safe.state.suppressed == ()


def test_ko_1_hits_of_earlier_attacks_count() -> None:
    game = table({"p3": (3000, 5000), "g3": (3000, 3500), **REST}, dice=[4, 1, 1, 1], hits={"g3": 4})
    game.apply(Fire("p3", "g3"))
    assert said(game, KnockedOut)[0].clause == "ko.1"
    assert (game.state.lost, "g3" in game.state.spots) == (("g3",), False)


def test_save_1_each_save_cancels_a_hit() -> None:
    game = table(
        {"p6": (3000, 4000), "g5": (3000, 2500), **REST}, dice=[4, 5, 6, 6, 5, 1, 1, 1, 1]
    )  # 3 dice, 3 saves on 6, 3 tests
    game.apply(Fire("p6", "g5"))
    (struck,) = said(game, Struck)
    assert (struck.received, struck.saved, struck.marked) == (3, 1, 2)


@pytest.mark.clause("supp.6")
def test_supp_5_fire_that_cannot_damage_suppresses_on_a_six() -> None:
    game = table({"p3": (3000, 5000), "g5": (3000, 3500), **REST}, dice=[6, 1, 1, 1, 5])
    game.apply(Fire("p3", "g5"))
    assert (game.state.hits, game.state.suppressed) == ({}, ())
    game = table({"p3": (3000, 5000), "g5": (3000, 3500), **REST}, dice=[6, 1, 1, 1, 6])
    game.apply(Fire("p3", "g5"))
    assert (said(game, Suppressed)[0].clause, game.state.suppressed) == ("supp.5", ("g5",))


@pytest.mark.clause("fall.2", "fall.6")
def test_fall_1_a_suppressed_unit_falls_back_and_faces_the_enemy() -> None:
    game = table(
        {"p3": (3000, 5000), "g3": (3000, 3500), **REST}, headings={"g3": 90}, dice=[4, 1, 1, 1, 1, 6], suppressed=["g3"]
    )
    game.apply(Fire("p3", "g3"))
    moved = said(game, Moved)[-1]
    assert (moved.path[-1], moved.heading, moved.clause) == ((3000, 2900), 180, "fall.2")
    assert game.state.suppressed == ("g3",)


def test_fall_3_more_than_ten_centimetres_knock_out() -> None:
    ten = table({"p3": (3000, 5000), "g3": (3000, 3500), **REST}, dice=[4, 4, 1, 1, 6, 4], suppressed=["g3"])
    ten.apply(Fire("p3", "g3"))
    assert ten.state.spots["g3"] == (3000, 2500)
    eleven = table({"p3": (3000, 5000), "g3": (3000, 3500), **REST}, dice=[4, 4, 1, 1, 6, 5], suppressed=["g3"])
    eleven.apply(Fire("p3", "g3"))
    assert said(eleven, KnockedOut)[0].clause == "fall.3"


def test_fall_4_off_the_table() -> None:
    game = table({"p3": (3000, 1500), "g3": (3000, 200), **REST}, dice=[4, 1, 1, 1, 6], suppressed=["g3"])
    game.apply(Fire("p3", "g3"))
    assert said(game, KnockedOut)[0].clause == "fall.4"


def test_fall_7_it_stops_at_a_friend_and_suppresses_it() -> None:
    units = {"p3": (3000, 5000), "g3": (3000, 3500), "g4": (3000, 3000), **REST}
    game = table(units, dice=[4, 1, 1, 1, 6], suppressed=["g3"])
    game.apply(Fire("p3", "g3"))
    assert (game.state.spots["g3"], game.state.suppressed) == ((3000, 3200), ("g3", "g4"))
    assert said(game, Suppressed)[-1].clause == "fall.7"


def test_fall_8_guns_stay_or_are_knocked_out() -> None:
    units = {"g3": (3000, 1500), "p5": (3000, 3000), "g4": (500, 300)}
    game = table(units, Acting("germany", ("g3", "g4")), dice=[4, 1, 1, 1, 6], suppressed=["p5"], active="germany")
    game.apply(Fire("g3", "p5"))
    assert (game.state.spots["p5"], game.state.lost) == ((3000, 3000), ())
    game = table(units, Acting("germany", ("g3", "g4")), dice=[4, 4, 1, 1, 6, 5], suppressed=["p5"], active="germany")
    game.apply(Fire("g3", "p5"))
    assert (said(game, KnockedOut)[0].clause, game.state.lost) == ("fall.8", ("p5",))
