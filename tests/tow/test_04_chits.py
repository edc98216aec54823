"""4.2 and 4.3: choosing chits, holding them, drawing, reacting, activation and its modes."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Attack, Call, Done, Interrupt, Move, PutIn, Ready, Select, Selecting
from hexwar_tow.activation import ChooseMode, ChoosingMode, Include, Lead
from hexwar_tow.okh import ChoosingUse, Use
from tests.tow.helpers import content, marching, of_kind, offers, position, refused, start, told

FRONTS = ("voronezh-1", "steppe-1", "southwest-1", "south-1")
DRAW = (1, 3, 1)
PUT_IN = (1, 3, 0)
UNITS = {"ger-8a": "0708", "ger-57": "0709", "sov-steppe": "1118", "sov-51": "1117"}


def choosing(turn: int, **state: Any) -> Game:
    return position(UNITS, Selecting(), turn=turn, phase="selection", **state)


def choose(game: Game, side: str, *chits: str, hold: bool = False) -> None:
    for chit in chits:
        game.apply(Select(chit, hold), side)


def offered(game: Game, side: str) -> set[str]:
    return {action.chit for action in game.legal_actions(side) if isinstance(action, Select)}


def drawing(cup: list[str], units: dict[str, str] | None = None, *, chance: Any = (1,), **state: Any) -> Game:
    """A chit is about to be drawn; the phase of held chits has passed."""
    more = {"phase": "draw", **state}
    return position(UNITS if units is None else units, path=more.pop("path", DRAW), cup=cup, chance=chance, **more)


# -- 4.2 selection -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.4.3", "3.0.4")
def test_4_2_0_1_both_choose_in_secret_and_at_once() -> None:
    game = choosing(1)
    assert game.to_move == ("axis", "soviet")
    choose(game, "axis", "8a")
    assert game.view("soviet").position.state.selected == {}


def test_4_2_0_2_the_soviets_hold_nothing() -> None:
    game = choosing(1)
    refused(game, Select("steppe-1", True), "4.2.0.2", "held", side="soviet")


def test_4_2_0_3_the_axis_may_hold_all_its_chits() -> None:
    game = choosing(1)
    choose(game, "axis", "8a", "6a", "4pza", hold=True)
    game.apply(Ready(), "axis")
    choose(game, "soviet", *FRONTS, "reinforcements", "steppe-2")
    game.apply(Ready(), "soviet")
    assert game.state.hand == {"axis": ("8a", "6a", "4pza")}
    assert len(game.state.cup) == 7


def test_4_2_0_4_held_chits_go_in_before_a_draw() -> None:
    game = drawing(["supply"], hand={"axis": ["8a"]}, path=PUT_IN, chance=[1])
    assert game.legal_actions() == [Done(), PutIn("8a")]
    refused(game, PutIn("6a"), "4.2.0.4", "not held")
    events = game.apply(PutIn("8a"))
    assert told(events, "chit-put-in") == ["axis puts 8a into the cup (4.2.0.4)"]
    assert [str(event) for event in game.log("soviet") if event.kind == "some-chit-put-in"] == ["axis puts a chit into the cup"]
    assert of_kind(game.events, "chit-drawn")[0].chit == "8a"  # the third draw can be the chit that came late


@pytest.mark.clause("4.2.0.6", "4.2.0.7")
def test_4_2_0_5_the_supply_chit_is_in_every_cup() -> None:
    game = choosing(1)
    refused(game, Select("supply"), "4.2.0.5", side="axis")
    choose(game, "axis", "8a", "6a", "4pza")
    game.apply(Ready(), "axis")
    choose(game, "soviet", *FRONTS, "reinforcements", "steppe-2")
    game.apply(Ready(), "soviet")
    filled = of_kind(game.events, "cup-filled")[0]
    assert (filled.common, filled.count) == (("supply",), 10)
    assert "1pza" not in (*game.state.cup, *game.state.drawn)


def test_4_2_0_8_nobody_sees_the_cup_or_what_was_not_chosen() -> None:
    game = drawing(["8a", "supply", "steppe-1"], chance=[1], hand={"axis": ["6a"]}, path=PUT_IN)
    for side in ("axis", "soviet"):
        assert set(game.view(side).position.state.cup) == {"?"}
    assert game.view("soviet").position.state.hand == {}


def test_4_2_1_1_the_soviet_pool_grows() -> None:
    assert len(offered(choosing(1), "soviet")) == 9
    assert len(offered(choosing(3), "soviet")) == 10
    assert len(offered(choosing(5), "soviet")) == 11


def test_4_2_1_2_exactly_six() -> None:
    game = choosing(1)
    choose(game, "soviet", *FRONTS, "reinforcements")
    refused(game, Ready(), "4.2.1.2", "has 5", side="soviet")
    choose(game, "soviet", "steppe-2")
    refused(game, Select("south-2"), "4.2.1.2", "6 chits", side="soviet")
    game.apply(Ready(), "soviet")
    assert "soviet" in game.state.ready


@pytest.mark.clause("4.2.1.5")
def test_4_2_1_3_one_of_each_front() -> None:
    game = choosing(1)
    choose(game, "soviet", "voronezh-1", "voronezh-2", "steppe-1", "steppe-2")
    assert offered(game, "soviet") == {"southwest-1", "southwest-2", "south-1", "south-2"}
    refused(game, Select("reinforcements"), "4.2.1.3", "South", side="soviet")


def test_4_2_1_4_stavka_stands_in_for_one_front() -> None:
    game = choosing(6, crossings=["0403"], board=None)
    choose(game, "soviet", "voronezh-1", "southwest-1", "south-1", "stavka")
    assert "reinforcements" in offered(game, "soviet")
    choose(game, "soviet", "voronezh-2", "reinforcements")
    game.apply(Ready(), "soviet")
    assert "soviet" in game.state.ready


def test_4_2_1_6_airborne_from_turn_3_and_once() -> None:
    refused(choosing(2), Select("airborne"), "4.2.1.6", "turn 3", side="soviet")
    assert "airborne" in offered(choosing(3), "soviet")
    refused(choosing(4, landed=True), Select("airborne"), "4.2.1.6", "marker", side="soviet")


@pytest.mark.clause("PA.STAVKA.1", "PA.STAVKA.2", "PA.STAVKA.3", "PA.STAVKA.4", "PA.CP.6")
@pytest.mark.parametrize(("turn", "most"), [(5, 0), (6, 1), (7, 3), (8, 5)])
def test_4_2_1_7_stavka_needs_few_crossing_points(turn: int, most: int) -> None:
    hexes = [f"04{column:02}" for column in range(1, 7)]
    assert "stavka" in offered(choosing(turn, crossings=hexes[:most]), "soviet")
    refused(choosing(turn, crossings=hexes[:most], landed=True), Select("stavka"), "4.2.1.7", "at most", side="soviet")
    refused(choosing(4), Select("stavka"), "4.2.1.7", "turn 5", side="soviet")


@pytest.mark.clause("2.4.2")
def test_4_2_2_1_the_axis_has_a_chit_for_each_headquarters_and_two_okh() -> None:
    assert offered(choosing(1), "axis") == {"4pza", "8a", "1pza", "6a"}
    assert offered(choosing(2), "axis") == {"4pza", "8a", "1pza", "6a", "okh-1", "okh-2"}


@pytest.mark.clause("2.1.1")
def test_4_2_2_2_the_axis_chooses_the_number_of_the_track() -> None:
    numbers = content().track.axis_chits
    assert len(numbers) == 8
    assert set(numbers) <= {3, 4, 5}
    game = choosing(1)
    choose(game, "axis", "8a", "6a")
    refused(game, Ready(), "4.2.2.2", "chooses 3", side="axis")
    choose(game, "axis", "4pza", hold=True)
    refused(game, Select("1pza"), "4.2.2.2", "3 chits", side="axis")


@pytest.mark.clause("3.0.3")
def test_4_2_2_3_okh_from_turn_2() -> None:
    refused(choosing(1), Select("okh-1"), "4.2.2.3", "turn 2", side="axis")


# -- 4.2.2 OKH ---------------------------------------------------------------------------------------------------------


def okh(from_hand: bool = False, units: dict[str, str] | None = None, **state: Any) -> Game:
    return position(UNITS if units is None else units, ChoosingUse("axis", "okh-1", from_hand), path=(1, 3, 3), **state)


@pytest.mark.clause("4.3.12")
def test_4_2_2_4_from_the_cup_okh_has_three_uses() -> None:
    assert okh().legal_actions() == [Use("headquarters"), Use("order"), Use("negotiation")]
    game = drawing(["okh-1"])
    assert isinstance(game.state.stack[-1], ChoosingUse)


def test_4_2_2_5_from_the_hand_it_is_never_negotiation() -> None:
    game = okh(from_hand=True)
    assert game.legal_actions() == [Use("headquarters"), Use("order")]
    refused(game, Use("negotiation"), "4.2.2.5", "not used")


@pytest.mark.clause("4.3.13")
def test_4_2_2_6_a_reaction_puts_the_drawn_chit_back() -> None:
    game = drawing(["steppe-1"], hand={"axis": ["okh-1", "8a"]})
    assert game.to_move == ("axis",)
    assert game.legal_actions() == [Done(), Interrupt("okh-1")]
    refused(game, Interrupt("8a"), "4.2.2.5")
    game.apply(Interrupt("okh-1"))
    assert game.state.cup == ("steppe-1",)
    assert game.legal_actions() == [Use("headquarters"), Use("order")]


def test_4_2_2_7_okh_activates_any_headquarters() -> None:
    game = okh(units={**UNITS, "ger-6a": "0203"})
    game.apply(Use("headquarters"))
    assert game.legal_actions() == [Lead("ger-8a"), Lead("ger-6a")]
    refused(game, Lead("sov-steppe"), "4.2.2.7", "no axis headquarters")
    game.apply(Lead("ger-8a"))
    assert set(game.state.active) == {"ger-8a", "ger-57"}


@pytest.mark.clause("PA.CP.1", "PA.CP.2", "PA.CP.3", "PA.CP.4", "PA.CP.5", "12.3.1")
@pytest.mark.parametrize(
    ("crossings", "landed", "number"), [(0, False, 6), (2, False, 7), (4, False, 8), (5, True, 9), (6, True, 10)]
)
def test_4_2_2_8_an_okh_order_activates_units_anywhere(crossings: int, landed: bool, number: int) -> None:
    hexes = [f"04{column:02}" for column in range(1, crossings + 1)]
    game = okh(units={**UNITS, "ger-68": "0201"}, crossings=hexes, landed=landed)
    game.apply(Use("order"))
    assert game.state.stack[-1].number == number
    game.apply(Call("ger-68"))
    game.apply(Call("ger-8a"))  # a headquarters counts as one and activates nobody
    refused(game, Call("sov-51"), "4.2.2.8", "no axis unit")
    game.apply(Done())
    assert set(game.state.active) == {"ger-8a", "ger-68"}
    assert isinstance(game.state.stack[-1], ChoosingMode)


# -- 4.3 the action phase ----------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3.2")
def test_4_3_1_chits_are_drawn_until_the_cup_is_empty() -> None:
    game = drawing(["8a"], chance=[1])
    assert of_kind(game.events, "chit-drawn")[0].clause == "4.3.1"
    assert game.to_move == ("axis",)
    game.apply(ChooseMode("move-combat"))
    game.apply(Done())
    assert game.state.turn == 3  # nothing is left: the next turn


@pytest.mark.clause("2.4.1", "2.3.12", "2.3.14")
def test_4_3_3_a_headquarters_activates_all_units_in_range() -> None:
    units = {"ger-8a": "0708", "ger-57": "0712", "rom-24": "0704", "ger-68": "0713", "sov-51": "0711"}
    game = drawing(["8a"], units, supply={"ger-57": "isolated"})
    assert set(game.state.active) == {"ger-8a", "ger-57", "rom-24"}


@pytest.mark.clause("4.3.5")
def test_4_3_4_an_axis_headquarters_may_activate_one_other() -> None:
    units = {"ger-8a": "0708", "ger-6a": "0711", "ger-57": "0714", "ger-1pza": "0707"}
    game = drawing(["8a"], units)
    assert set(game.legal_actions()) == {Done(), Include("ger-6a"), Include("ger-1pza")}
    refused(game, Include("ger-57"), "4.3.4", "no other headquarters")
    game.apply(Include("ger-6a"))
    assert set(game.state.active) == {"ger-8a", "ger-6a"}  # 57 is in the range of 6A only
    soviet = drawing(["steppe-1"], {"sov-steppe": "1118", "sov-south": "1117"})
    assert soviet.state.active == ("sov-steppe",)


def test_4_3_6_the_owner_chooses_a_mode() -> None:
    game = drawing(["8a"])
    assert game.legal_actions() == [ChooseMode("move-combat"), ChooseMode("combat-move")]


def test_4_3_7_one_segment_is_over_before_the_next_begins() -> None:
    units = {"ger-8a": "0708", "ger-57": "0709", "sov-51": "0710", "sov-steppe": "1118"}
    move_first = drawing(["8a"], units)
    move_first.apply(ChooseMode("move-combat"))
    assert any(isinstance(action, Move) for action in move_first.legal_actions())
    move_first.apply(Done())
    assert [action for action in move_first.legal_actions() if isinstance(action, Attack)] == [Attack("0710")]
    move_first.apply(Done())
    assert move_first.state.turn == 3
    fight_first = drawing(["8a"], units)
    fight_first.apply(ChooseMode("combat-move"))
    assert Attack("0710") in fight_first.legal_actions()
    fight_first.apply(Done())
    assert any(isinstance(action, Move) and action.unit == "ger-57" for action in fight_first.legal_actions())


def test_2_3_15_range_counts_only_at_the_activation() -> None:
    game = drawing(["8a"])
    game.apply(ChooseMode("move-combat"))
    game.apply(Move("ger-57", "0714"))
    assert "ger-57" in game.state.active


def test_4_3_9_the_reinforcement_chit_brings_a_group() -> None:
    game = drawing(["reinforcements"])
    assert told(game.events, "group-called") == ["Soviet reinforcements: group 1 (11.1.1)"]


def test_4_3_10_the_airborne_chit_brings_a_group_and_paratroopers() -> None:
    game = drawing(["airborne", "supply"], turn=3, chance=[1, 1, 1])
    assert of_kind(game.events, "group-called")
    assert {action.unit for action in offers(game)} == {"sov-18g"}  # no railway: the group waits
    game.apply(game.legal_actions()[0])
    assert game.state.landed


def test_4_3_11_stavka_activates_any_front() -> None:
    game = drawing(["stavka"], {**UNITS, "sov-south": "0220"}, turn=5)
    assert game.legal_actions() == [Lead("sov-steppe"), Lead("sov-south")]
    game.apply(Lead("sov-south"))
    assert set(game.state.active) == {"sov-south"}


def test_4_3_13_an_okh_chit_in_the_cup_is_no_reaction() -> None:
    game = drawing(["steppe-1", "okh-1"], hand={"axis": ["8a"]}, chance=[2])
    # okh-2 might be in hand for all that the Soviets know, so the Axis is asked; it holds none.
    assert game.legal_actions() == [Done()]
    refused(game, Interrupt("okh-1"), "4.2.2.5", "not held")


def test_4_3_14_supply_is_never_cancelled() -> None:
    game = drawing(["steppe-1", "supply"], hand={"axis": ["okh-1"]}, chance=[2])
    assert of_kind(game.events, "chit-drawn")[0].chit == "supply"
    assert not isinstance(game.legal_actions()[-1], Interrupt)
    own = drawing(["8a"], hand={"axis": ["okh-1"]})
    assert Interrupt("okh-1") in own.legal_actions()


def test_4_3_15_with_an_empty_cup_a_held_chit_must_go_in() -> None:
    game = drawing([], hand={"axis": ["8a"]}, path=PUT_IN, chance=[1])
    assert game.legal_actions() == [PutIn("8a")]
    refused(game, Done(), "4.3.15", "cup is empty")
    game.apply(PutIn("8a"))
    assert of_kind(game.events, "chit-drawn")


def test_4_3_16_unused_markers_return_at_the_end() -> None:
    game = position(UNITS, path=(1, 4), luftwaffe={"axis": ["off"]}, sorties=1, phase="combat")
    assert told(game.events, "markers-returned") == ["the Luftwaffe markers go back into the pool (4.3.16)"]
    assert game.state.sorties == 0


def test_4_3_17_a_unit_acts_whenever_it_is_activated() -> None:
    game = drawing(["steppe-1", "steppe-2"], chance=[1, 1])
    for _ in range(2):
        assert set(game.state.active) == {"sov-steppe", "sov-51"}
        game.apply(ChooseMode("move-combat"))
        game.apply(Move("sov-51", "1116" if game.state.at["sov-51"] == "1117" else "1115"))
        game.apply(Done())
    assert game.state.at["sov-51"] == "1115"


@pytest.mark.clause("12.1.2", "4.0.2", "4.0.1")
def test_12_1_1_turn_1_begins_with_an_attack_of_one_soviet_headquarters() -> None:
    game = start()
    assert game.to_move == ("soviet",)
    assert [action.unit for action in offers(game)] == ["sov-voronezh", "sov-steppe", "sov-southwest", "sov-south"]
    game.apply(Lead("sov-voronezh"))
    assert all(isinstance(action, Attack | Done) for action in game.legal_actions())
    game.apply(Done())
    assert game.state.phase == "selection"


@pytest.mark.clause("4.4.1")
def test_4_4_2_the_turn_marker_goes_on() -> None:
    game = position(UNITS, path=(1, 4), phase="combat", turn=2)
    assert told(game.events, "turn-began") == ["==== Turn 3 ==== (4.4.2)"]
    assert game.state.phase == "selection"


def test_2_3_13_range_is_not_counted_across_blocked_hexsides_or_water() -> None:
    from tests.tow.helpers import after, field

    units = {"ger-8a": "0708", "ger-57": "0710"}
    detour = field(sides={"blocked": [side for side in after(8) if side not in ("0408|0409", "1008|1009")]})
    assert drawing(["8a"], units, board=detour).state.active == ("ger-8a",)
    lake = field({f"{row:02}09": "~" for row in range(1, 15)})
    assert drawing(["8a"], units, board=lake).state.active == ("ger-8a",)


def test_9_0_1_a_headquarters_moves_with_its_units() -> None:
    game = position(UNITS, marching("ger-8a", "ger-57"))
    assert {action.unit for action in game.legal_actions() if isinstance(action, Move)} == {"ger-8a", "ger-57"}
