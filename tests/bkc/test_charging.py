"""charge, react.13 to react.29, support.cc: charges, what the enemy does about them, and support. Dice are agreed beforehand."""

from __future__ import annotations

import pytest

from hexwar.pieces import Done
from hexwar_bkc.acting import Acting
from hexwar_bkc.charging import Charge, Countering, Support, arrive, combat_of
from hexwar_bkc.command import Begin, Carry, Issue, modifiers, plan_of
from hexwar_bkc.evading import Evade
from hexwar_bkc.fire import Fire
from hexwar_bkc.movement import March
from hexwar_bkc.state import Charged, KnockedOut, Moved, Touched
from tests.bkc.table import POND, WALL, WOOD, commanding, played, reacting, said, table, why

CLOSE = {"p3": (3000, 4000), "g3": (3000, 3200), "p4": (500, 5800)}
"""A charger eight centimetres from its target, and somebody else."""


@pytest.mark.clause("react.18", "charge.1", "charge.2", "charge.15")
def test_react_14_the_front_touches_the_middle_of_the_edge() -> None:
    game = reacting(CLOSE)
    game.apply(Charge("p3", "g3"))
    assert isinstance(game.state.stack[-1], Countering)
    assert game.state.spots["p3"] == (3000, 4000), "the enemy answers first"
    game.apply(Done())
    assert (game.state.spots["p3"], game.state.headings["p3"]) == ((3000, 3403), 0)
    assert game.state.contacts == {"p3": ("g3", "front")}
    assert [event.clause for event in (*said(game, Charged), *said(game, Touched))] == ["react.13", "charge.15"]


@pytest.mark.parametrize(("heading", "edge"), [(180, "front"), (90, "right"), (0, "rear"), (270, "left")])
def test_react_15_only_the_nearest_visible_edge(heading: int, edge: str) -> None:
    game = reacting(CLOSE, headings={"g3": heading}, suppressed=["g3"])
    game.apply(Charge("p3", "g3"))
    assert game.state.contacts == {"p3": ("g3", edge)}


def test_react_16_one_unit_at_each_edge() -> None:
    units = {**CLOSE, "p4": (3400, 4200), "p6": (3000, 3403)}
    game = reacting(units, contacts={"p6": ["g3", "front"]})
    assert why(game, Charge("p4", "g3")) == "react.16"


@pytest.mark.parametrize(("more", "parts", "clause"), [
    ({"g4": (3000, 3450)}, "", "react.17"),
    ({"g4": (3200, 2900)}, "", ""),
    ({}, POND, "react.17"),
])  # fmt: skip
def test_react_17_five_centimetres_before_the_edge_are_clear(more: dict[str, tuple[int, int]], parts: str, clause: str) -> None:
    units = {**CLOSE, "g3": (3000, 3200), **more} if not parts else {"p3": (3000, 1000), "g3": (3000, 1800), "p4": (500, 5800)}
    looks = {"p3": 180, "g3": 0} if parts else {}
    game = table(units, parts=parts, headings=looks)
    assert why(game, Charge("p3", "g3")) == ("" if parts else clause), "before its front there is room"
    if parts:
        behind = {"p3": (3000, 3900), "g3": (3000, 3250)}
        assert why(table(behind, parts=POND, headings={"g3": 180}), Charge("p3", "g3")) == ""
        rear = table({"p3": (2000, 1500), "g3": (3000, 1700)}, parts=POND, headings={"p3": 90, "g3": 270})
        assert why(rear, Charge("p3", "g3")) == ""
        wet = {"p3": (3000, 4000), "g3": (3000, 1600)}
        assert why(table(wet, parts=POND, headings={"g3": 180}), Charge("p3", "g3")) == "react.17"


@pytest.mark.clause("react.13", "charge.12")
def test_react_29_twenty_centimetres_in_the_reaction_phase_and_the_move_by_order() -> None:
    far = {"p3": (3000, 5000), "g3": (3000, 2997), "p4": (500, 5800)}
    assert why(reacting(far), Charge("p3", "g3")) == "", "20 cm, although its Move is 10"
    assert why(reacting({**far, "g3": (3700, 2850)}), Charge("p3", "g3")) == "react.29"
    assert why(table(far), Charge("p3", "g3")) == "charge.3"
    assert why(table({**far, "g3": (3000, 5000 - 1203)}), Charge("p3", "g3")) == ""


@pytest.mark.clause("charge.7", "react.5", "cmdunit.1")
def test_charge_3_who_does_not_charge_whom() -> None:
    units = {
        "p1": (4000, 4000),
        "p3": (3000, 4000),
        "p5": (2000, 4000),
        "g3": (3000, 3400),
        "g1": (3600, 3400),
        "g4": (2000, 3500),
    }
    game = table(units)
    assert why(game, Charge("p5", "g4")) == "charge.7"
    assert why(game, Charge("p3", "p5")) == "charge.2"
    assert why(game, Charge("p3", "g1")) == "cmdunit.1"
    assert why(table(units, headings={"p3": 180}), Charge("p3", "g3")) == "charge.3"
    assert why(table(units, contacts={"p3": ["g3", "front"]}), Charge("p3", "g4")) == "charge.1"


@pytest.mark.clause("charge.5")
def test_charge_4_armour_charges_only_in_the_open() -> None:
    units = {"p6": (3000, 4000), "p3": (2400, 3900), "g3": (3000, 2850)}
    assert why(table(units), Charge("p6", "g3")) == ""
    woods = table(units, parts=WOOD)
    assert why(woods, Charge("p6", "g3")) == "charge.4"
    assert why(table({**units, "p3": (2700, 3500)}, parts=WOOD), Charge("p3", "g3")) == ""
    riding = {unit: spot for unit, spot in units.items() if unit != "p3"}
    assert why(table(riding, parts=WOOD, aboard={"p3": "p6"}), Charge("p6", "g3")) == ""


def test_charge_8_an_obstacle_must_be_touched_at_the_start() -> None:
    beyond = {"p3": (3000, 3000), "g3": (3000, 2200)}
    assert why(table(beyond, parts=WALL, headings={"g3": 180}), Charge("p3", "g3")) != ""
    touching = {"p3": (3000, 2610), "g3": (3000, 2200)}
    game = table({**touching, "p4": (500, 5800)}, parts=WALL)
    assert why(game, Charge("p3", "g3")) == ""


@pytest.mark.clause("react.24", "react.25", "react.26", "charge.9", "charge.10")
def test_react_23_the_target_and_its_friends_within_5_cm_answer() -> None:
    units = {**CLOSE, "g4": (3800, 3200), "g5": (3000, 2300), "g6": (2300, 3250)}
    game = reacting(units, dice=[1, 1, 1, 1, 1, 1, 1, 1, 1], headings={"g6": 0})
    game.apply(Charge("p3", "g3"))
    step = game.state.stack[-1]
    assert isinstance(step, Countering)
    assert step.units == ("g3", "g4"), "g5 is too far, g6 looks away"
    assert why(game, Fire("g3", "p4")) == "react.23"
    game.apply(Fire("g3", "p3"))
    assert why(game, Fire("g3", "p3")) == "react.24"
    game.apply(Fire("g4", "p3"))
    assert game.state.contacts == {"p3": ("g3", "front")}


@pytest.mark.clause("charge.11")
def test_react_27_a_suppressed_charger_arrives() -> None:
    game = reacting(CLOSE, dice=[4, 1, 1, 1, 4])
    game.apply(Charge("p3", "g3"))
    game.apply(Fire("g3", "p3"))
    assert (game.state.suppressed, game.state.contacts) == (("p3",), {"p3": ("g3", "front")})


def test_react_27_one_that_falls_back_may_not_get_there() -> None:
    far = {"p3": (3000, 4000), "p4": (500, 5800), "g3": (3000, 2200)}
    game = table(
        far, Acting("poland", ("p4",)), Countering("germany", ("g3",), "p3", "g3", 2000), suppressed=["p3"], dice=[4, 1, 1, 6]
    )
    game.apply(Fire("g3", "p3"))
    assert (game.state.spots["p3"], game.state.contacts) == ((3000, 4600), {})


@pytest.mark.parametrize(("distance", "caught"), [(1000, True), (500, True)])
def test_react_28_who_evades_too_little_is_caught(distance: int, caught: bool) -> None:
    game = reacting(CLOSE)
    game.apply(Charge("p3", "g3"))
    game.apply(Evade("g3", distance))
    assert [(event.unit, event.clause) for event in said(game, KnockedOut)] == ([("g3", "react.28")] if caught else [])


@pytest.mark.clause("charge.12")
@pytest.mark.parametrize(("gap", "out"), [(500, ()), (499, ("g3",))])
def test_react_28_five_centimetres_are_enough(gap: int, out: tuple[str, ...]) -> None:
    # The charger goes 10 cm to y = 3000, its front edge to 2900; the evader's rear edge is `gap` beyond.
    units = {"p3": (3000, 4000), "p4": (500, 5800), "g3": (3000, 2900 - gap - 100)}
    charge = Countering("germany", (), "p3", "g3", 1000, "touched", ("g3",))
    events = played(table(units), lambda play: arrive(play, charge))
    assert tuple([event.unit for event in events if isinstance(event, KnockedOut)]) == out


@pytest.mark.clause("command.3", "command.18")
def test_charge_3_by_order() -> None:
    units = {"p1": (3000, 5000), "p3": (3000, 4000), "p4": (3600, 4000), "g3": (3000, 3200)}
    game = commanding(units, dice=[3, 3], suppressed=["g3"])
    game.apply(Begin("p1"))
    game.apply(Charge("p3", "g3"))
    game.apply(March("p4", (3600, 3900)))
    assert (-1, "towards an enemy within 20 cm", "command.18") in modifiers(game.position, "p1", [plan_of(Charge("p3", "g3"))])
    game.apply(Issue())
    game.apply(Carry("p3"))
    assert game.state.contacts == {"p3": ("g3", "front")}


FOUGHT = {"p3": (3000, 3403), "g3": (3000, 3200), "p4": (3000, 4200), "p6": (3600, 4000), "p5": (2400, 4000)}
TOUCH = {"p3": ["g3", "front"]}


@pytest.mark.clause("react.20", "react.22", "support.cc.2", "support.cc.3")
def test_support_cc_1_behind_a_friend() -> None:
    game = table(FOUGHT, contacts=TOUCH)
    assert why(game, Support("p5", "p3")) == "support.cc.3"
    assert why(game, Support("p4", "p6")) == "react.19"
    game.apply(Support("p4", "p3"))
    assert (game.state.spots["p4"], game.state.supports) == ((3000, 3606), {"p4": ("p3", "rear")})
    assert combat_of(game.position, "g3") == {"p3", "p4", "g3"}
    game.apply(Support("p6", "p3"))
    assert game.state.supports["p6"][1] in ("right", "left"), "the rear is taken"
    woods = table({**FOUGHT, "p3": (3000, 2803), "g3": (3000, 2600), "p6": (3000, 3800)}, contacts=TOUCH, parts=WOOD)
    assert why(woods, Support("p6", "p3")) == ""


def test_react_19_the_nearest_combat_within_20_cm() -> None:
    game = reacting({**FOUGHT, "p4": (3000, 5000)}, contacts=TOUCH)
    assert why(game, Support("p4", "p3")) == ""
    assert why(reacting({**FOUGHT, "p4": (3000, 5700)}, contacts=TOUCH), Support("p4", "p3")) == "react.19", "too far"
    two = {**FOUGHT, "g4": (4000, 3200), "p6": (4000, 3420), "p4": (3200, 4200)}
    game = reacting(two, contacts={**TOUCH, "p6": ["g4", "front"]})
    assert [why(game, Support("p4", "p3")), why(game, Support("p4", "p6"))] == ["", "react.19"]


@pytest.mark.clause("isw.3", "fire.2")
def test_isw_3_nobody_fires_into_or_out_of_a_close_combat() -> None:
    game = table({**FOUGHT, "g4": (4500, 3000)}, contacts=TOUCH)
    assert why(game, Fire("p4", "g3")) == "isw.3"
    assert why(game, Fire("p3", "g4")) == "charge.1"
    assert why(game, March("p3", (3000, 4500))) == "charge.1"


def test_charge_1_a_unit_that_moves_away_is_in_contact_no_longer() -> None:
    game = table(FOUGHT, contacts=TOUCH)
    game.apply(Support("p4", "p3"))
    state = game.state.copy()
    Moved("g3", ((3000, 3200), (3000, 2000)), 180, clause="move.3").apply(state)
    assert (state.contacts, state.supports) == ({}, {})
