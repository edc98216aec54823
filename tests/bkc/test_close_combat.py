"""cc, flee, pursue: rounds of close combat and what follows from them. Dice are agreed beforehand."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game, Spot
from hexwar.plane import gap2
from hexwar_bkc.acting import Acting
from hexwar_bkc.aftermath import BreakOff, Face, FleeFrom, Fleeing, GoAfter, Hold, Pursue, Retire, Winning, flee
from hexwar_bkc.combat import Combats, Fight, melee, opponent, pursuit_bonus, strength
from hexwar_bkc.state import KnockedOut, Moved, Pursued, RoundFought, Struck, Suppressed
from hexwar_bkc.world import placed
from tests.bkc.table import MARSH, POND, WOOD, played, said, table, why

PAIR = {"p3": (3000, 3403), "g3": (3000, 3200), "p4": (500, 5800)}
FRONT = {"p3": ["g3", "front"]}
MISS = [1] * 8


def melee_of(units: dict[str, Spot] | None = None, dice: list[int] | None = None, **more: Any) -> Game:
    """A game in Poland's combat phase; afterwards p4 may act."""
    more.setdefault("contacts", FRONT)
    return table(units or PAIR, Acting("poland", ("p4",)), Combats("poland"), dice=dice or [], **more)


@pytest.mark.clause("cc.3", "cc.13", "cc.16")
def test_cc_2_a_round_and_both_break_off() -> None:
    game = melee_of(dice=[4, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 2, 4, 5])
    struck = said(game, Struck)
    assert [(event.target, event.dice, event.needed, event.received, event.clause) for event in struck] == [
        ("g3", 4, 4, 1, "cc.12"),
        ("p3", 4, 4, 1, "cc.12"),
    ]
    assert said(game, RoundFought)[0].totals == (("poland", 1), ("germany", 1))
    assert said(game, Suppressed) == [], "cc.12: nobody tests"
    assert game.to_move == ("poland",)
    assert [why(game, BreakOff("p3", spot)) for spot in ((3000, 3602), (3000, 4504))] == ["cc.20", "cc.20"], "2 to 11 cm"
    assert why(game, BreakOff("p3", (3000, 3850))) == "cc.21"
    game.apply(BreakOff("p3", (3000, 4400)))
    assert (game.state.contacts, game.to_move) == ({}, ("germany",))


@pytest.mark.parametrize(
    ("unit", "state", "heading", "dice", "clauses"),
    [
        ("p3", {}, 180, 4, []),
        ("p3", {"charged": ["p3"]}, 180, 5, ["cc.6"]),
        ("p3", {"suppressed": ["p3"]}, 180, 3, ["cc.9"]),
        ("g3", {}, 90, 3, ["cc.10"]),
        ("p6", {}, 180, 3, []),
        ("p5", {}, 180, 2, []),
    ],
)
@pytest.mark.clause("cc.6", "cc.9", "cc.10", "cc.11")
def test_cc_5_dice(unit: str, state: dict[str, Any], heading: int, dice: int, clauses: list[str]) -> None:
    mine = unit if unit[0] == "p" else "p3"
    game = table({mine: (3000, 3403), "g3": (3000, 3200), "p4": (500, 5800)}, headings={"g3": heading}, **state)
    found, notes = strength(game.position, unit, "g3" if unit != "g3" else "p3", 0)
    assert (found, [clause for _, clause in notes]) == (dice, clauses)


@pytest.mark.clause("cc.ex1")
def test_cc_7_pursuit() -> None:
    assert [pursuit_bonus(far) for far in (200, 299, 300, 600, 899)] == [1, 1, 2, 3, 3]
    found, notes = strength(table(PAIR).position, "p3", "g3", pursuit_bonus(300))
    assert (found, notes) == (6, [("+2 pursued", "cc.7")])


def test_cc_11_each_unit_has_its_own_modifiers() -> None:
    units = {**PAIR, "p4": (3253, 3200), "g4": (5000, 500)}
    game = table(units, charged=["p3", "p4"], headings={"p4": 270})
    (front, *rest) = melee(game.position, [("p3", 0), ("p4", 0)], "g3")
    assert (front.dice + sum(pool.dice for pool in rest), front.needed) == (10, 4)
    open_top = table({"p3": (3000, 3403), "g6": (3000, 3200)})
    assert strength(open_top.position, "p3", "g6", 0)[0] == 4, "its top is not open"


def test_cc_8_open_tops() -> None:
    from dataclasses import replace

    game = table(PAIR)
    units = dict(game.world.units)
    open_car = replace(units["g5"], open=True)
    game.world.units = {**units, "g3": replace(open_car, id="g3")}
    assert strength(game.position, "p3", "g3", 0) == (5, [("+1 open-topped", "cc.8")])
    game.world.units = units


@pytest.mark.clause("cc.12")
def test_save_3_a_save_is_worse_in_the_flank() -> None:
    game = table({"p3": (3253, 3200), "g5": (3000, 3200)}, headings={"p3": 270, "g5": 180})
    game.world.units = {**game.world.units, "g5": _with(game.world.units["g5"], save=4)}
    assert [pool.save for pool in melee(game.position, [("p3", 0)], "g5")] == [5]
    game.world.units = {**game.world.units, "g5": _with(game.world.units["g5"], save=6)}


def _with(unit: Any, **changes: Any) -> Any:
    from dataclasses import replace

    return replace(unit, **changes)


def test_cc_4_a_unit_strikes_whom_its_front_touches() -> None:
    units = {**PAIR, "p4": (3253, 3200), "p5": (500, 5800)}
    both = {"p4": ["g3", "right"], "p3": ["g3", "front"]}
    game = table(units, contacts=both, headings={"p4": 270})
    assert [opponent(game.position, unit) for unit in ("p3", "p4", "g3")] == ["g3", "g3", "p3"]


def test_cc_14_hits_of_this_turn_count_in_the_first_round() -> None:
    game = melee_of(dice=[1, 1, 1, 1, 1, 1, 1, 1, 1], hits={"p3": 2}, charged=["p3"])
    (fought,) = said(game, RoundFought)
    assert (fought.totals, fought.rules) == ((("poland", 2), ("germany", 0)), ("cc.14",))
    assert game.state.charged == ()


@pytest.mark.clause("cc.4", "cc.17")
def test_cc_15_supporters_add_a_hit_to_the_enemys_total() -> None:
    units = {**PAIR, "p4": (3000, 3606), "p6": (500, 5800)}
    dice = [5, 4, 3, 1, 4, 5, 1, 1]
    game = table(units, Acting("poland", ("p6",)), Combats("poland"), contacts=FRONT, supports={"p4": ["p3", "rear"]}, dice=dice)
    assert said(game, RoundFought)[0].totals == (("poland", 2), ("germany", 3))
    assert game.state.spots["g3"] == (3000, 3100), "one centimetre"
    assert isinstance(game.state.stack[-1], Winning)
    assert len(said(game, Struck)) == 2, "a supporter does not strike"


def test_cc_3_who_is_knocked_out_has_struck() -> None:
    game = melee_of(dice=[4, 1, 1, 1, 4, 4, 4, 4], hits={"g3": 4, "p3": 1})
    assert [(event.unit, event.clause) for event in said(game, KnockedOut)] == [("g3", "ko.1"), ("p3", "ko.1")]


def test_cc_1_the_active_player_chooses_the_combat() -> None:
    units = {**PAIR, "p6": (4000, 3453), "g4": (4000, 3200)}
    game = melee_of(units, contacts={**FRONT, "p6": ["g4", "front"]}, dice=[1] * 30, suppressed=["p3", "g3", "p6", "g4"])
    assert why(game, Fight("g4")) == "cc.1"
    game.apply(Fight("p6"))
    assert [fought.units for fought in said(game, RoundFought)] == [("g4", "p6"), ("g3", "p3")]
    assert game.state.contacts == {"p3": ("g3", "front"), "p6": ("g4", "front")}, "cc.23: nobody can break off"


def test_cc_23_the_suppressed_and_guns_stay() -> None:
    dice = [1] * 7 + [3, 3, 3]
    game = melee_of(dice=dice, suppressed=["g3"])
    assert why(game, BreakOff("g3", (3000, 2800))) == "cc.23"
    game.apply(BreakOff("p3", (3000, 4303)))
    assert (game.state.spots["g3"], game.state.contacts) == ((3000, 3200), {})


WON = [4, 4, 1, 1, 1, 1, 1, 1]


@pytest.mark.clause("flee.3")
@pytest.mark.clause("cc.18", "flee.1")
def test_cc_19_the_winner_holds_and_turns() -> None:
    game = melee_of(dice=WON)
    assert said(game, Moved)[-1].path == ((3000, 3200), (3000, 3000)), "two centimetres"
    game.apply(Hold())
    assert why(game, Face("p3", 0)) == "cc.19"
    assert why(game, Face("p4", 10)) == "cc.19"
    game.apply(Face("p3", 90))
    assert (game.state.headings["p3"], game.state.spots["p3"]) == (90, (3000, 3403))
    assert game.state.headings["g3"] == 180, "flee.3: it does not turn"


def test_cc_20_the_winner_may_break_off() -> None:
    game = melee_of(dice=[*WON, 1, 1, 1])
    game.apply(Retire())
    assert said(game, Moved)[-1].unit == "g3"
    assert why(game, BreakOff("p3", (3000, 3700))) == ""
    game.apply(BreakOff("p3", (3000, 3700), 0))
    assert game.state.headings["p3"] == 0


@pytest.mark.clause("pursue.1", "pursue.5", "cc.7")
def test_pursue_10_pursuit_leads_to_another_round() -> None:
    game = melee_of(dice=[*WON, *[4] * 5, *[1] * 4, *[1] * 3])
    game.apply(GoAfter())
    assert why(game, Pursue("p3", "g3", "rear")) == "pursue.7"
    assert why(game, Pursue("p3", "p4", "front")) == "pursue.9"
    game.apply(Pursue("p3", "g3", "front"))
    assert said(game, Pursued)[0].distance == 200
    assert [event.number for event in said(game, RoundFought)] == [1, 2]
    assert said(game, Struck)[2].dice == 5, "4 and one for the pursuit"
    assert game.state.lost == ("g3",), "hits of both rounds"


@pytest.mark.clause("pursue.4")
@pytest.mark.clause("pursue.3", "supp.3")
@pytest.mark.parametrize(
    ("units", "state", "able"),
    [
        ({"p3": (3000, 3403), "g3": (3000, 3200)}, {}, True),
        ({"p3": (3000, 3403), "g3": (3000, 3200)}, {"suppressed": ["p3"]}, False),
        ({"p3": (3000, 3403), "g3": (3000, 3200)}, {"dug_in": ["p3"]}, False),
        ({"p5": (3000, 3453), "g3": (3000, 3200)}, {}, False),
        ({"p3": (3000, 3453), "g5": (3000, 3200)}, {}, False),
        ({"p6": (3000, 3453), "g5": (3000, 3200)}, {}, False),
        ({"p6": (3000, 3453), "g3": (3000, 3200)}, {}, True),
        ({"p3": (3000, 2853), "g5": (3000, 2600)}, {"parts": WOOD}, True),
    ],
)
def test_pursue_2_pursue_4_who_pursues_whom(units: dict[str, Spot], state: dict[str, Any], able: bool) -> None:
    mine, foe = units
    winning = Winning("poland", (mine,), (foe,), ((mine, foe),), (foe,), ())
    game = table({**units, "p4": (500, 5800)}, Acting("poland", ("p4",)), winning, **state)
    assert (GoAfter() in game.legal_actions()) == able


@pytest.mark.clause("pursue.6")
def test_pursue_8_an_orphaned_supporter_pursues_like_a_charger() -> None:
    units = {"p6": (3000, 3706), "g3": (3000, 2700), "p4": (500, 5800)}

    def winning(*orphans: str, **more: Any) -> Game:
        step = Winning("poland", ("p6",), ("g3",), (("p3", "g3"),), ("g3",), orphans)
        return table(units, Acting("poland", ("p4",)), step, **more)

    assert GoAfter() in winning("p6").legal_actions()
    assert GoAfter() in winning(parts=WOOD).legal_actions()
    assert GoAfter() not in winning("p6", parts=WOOD).legal_actions()


def test_pursue_9_after_a_knock_out_it_goes_for_a_supporter() -> None:
    units = {"p3": (3000, 3403), "g4": (3000, 2600), "g5": (4000, 3400), "p4": (500, 5800)}
    winning = Winning("poland", ("p3",), ("g4", "g5"), (("p3", "g3"),), (), ("g4",))
    game = table(units, Acting("poland", ("p4",)), winning, parts="", lost=["g3"])
    game.apply(GoAfter())
    assert why(game, Pursue("p3", "g5", "left")) == "pursue.9"
    assert why(game, Pursue("p3", "g4", "front")) == ""


def test_pursue_7_round_the_flank_once_somebody_touches_the_front() -> None:
    units = {"p3": (3000, 3403), "p6": (3300, 3500), "g3": (3000, 2800), "p4": (500, 5800)}
    winning = Winning("poland", ("p3", "p6"), ("g3",), (("p3", "g3"),), ("g3",), ())
    game = table(units, Acting("poland", ("p4",)), winning, suppressed=["p4"])
    game.apply(GoAfter())
    assert why(game, Pursue("p6", "g3", "left")) == "pursue.7"
    game.apply(Pursue("p3", "g3", "front"))
    assert why(game, Pursue("p6", "g3", "left")) == ""


def fled(far: int, units: dict[str, Spot], **more: Any) -> list[Any]:
    """What happens when g3 flees from p3."""
    more.setdefault("contacts", FRONT)
    game = table({"p3": (3000, 3403), "g3": (3000, 3200), "p5": (500, 5700), **units}, **more)
    return played(game, lambda play: flee(play, "g3", "p3", far))


def outcome(events: list[Any]) -> list[tuple[str, str]]:
    """Who is out of the game, and why."""
    return [(event.unit, event.clause) for event in events if isinstance(event, KnockedOut)]


def test_flee_5_more_than_ten_centimetres() -> None:
    assert outcome(fled(10, {})) == []
    assert outcome(fled(11, {})) == [("g3", "flee.5")]


@pytest.mark.clause("flee.9")
def test_flee_4_flee_9_onto_friends() -> None:
    events = fled(5, {"g4": (3000, 2800)})
    assert [event.unit for event in events if isinstance(event, Suppressed)] == ["g4"]
    assert outcome(events) == []
    assert outcome(fled(5, {"g4": (3000, 2800)}, suppressed=["g4"])) == [("g3", "flee.9"), ("g4", "flee.9")]


@pytest.mark.parametrize(
    ("units", "parts"), [({"p4": (3000, 2800)}, ""), ({"p3": (3000, 3403)}, POND), ({"p3": (3000, 703), "g3": (3000, 500)}, "")]
)
def test_flee_6_through_what(units: dict[str, Spot], parts: str) -> None:
    assert outcome(fled(6, units, parts=parts)) == [("g3", "flee.6")]
    assert outcome(fled(6, {}, parts=MARSH)) == [], "infantry gets through a marsh"


def test_flee_7_through_a_combat() -> None:
    other = {"g4": (3000, 2800), "p4": (3000, 2597)}
    contacts = {**FRONT, "p4": ["g4", "rear"]}
    assert outcome(fled(5, other, contacts=contacts, headings={"p4": 180})) == [("g3", "flee.7")]


def test_flee_8_guns_and_the_dug_in() -> None:
    assert outcome(fled(1, {}, dug_in=["g3"])) == [("g3", "flee.8")]
    game = table({"p5": (3000, 3453), "g3": (3000, 3200), "p4": (500, 5700)}, contacts={"g3": ["p5", "front"]})
    assert outcome(played(game, lambda play: flee(play, "p5", "g3", 1))) == [("p5", "flee.8")]


def test_flee_2_from_the_enemy_with_most_supporters() -> None:
    units = {**PAIR, "p6": (3303, 3200), "p5": (500, 5000), "p4": (3000, 3606)}
    contacts = {"p3": ["g3", "front"], "p6": ["g3", "left"]}
    step = Fleeing("germany", ("g3",), ("p3", "p6", "p4"), 3)
    game = table(units, Acting("poland", ("p5",)), step, contacts=contacts, headings={"p6": 270})
    assert game.legal_actions() == [FleeFrom("p3"), FleeFrom("p6")]
    backed = {"p4": ["p3", "rear"]}
    game = table(units, Acting("poland", ("p5",)), step, contacts=contacts, supports=backed, headings={"p6": 270})
    assert game.state.spots["g3"] == (3000, 2900), "nobody is asked"


def test_cc_21_five_centimetres_are_kept() -> None:
    game = melee_of(dice=[1] * 8 + [6, 6, 6, 6, 6, 6])
    game.apply(BreakOff("p3", (3000, 4300)))
    at = game.position
    assert why(game, BreakOff("g3", (3000, 2600))) == ""
    num, den = gap2(placed(at, "p3").corners, placed(at, "g3").corners)
    assert num > 500 * 500 * den
