"""4.0 to 4.4 and 12.1: a turn from the Luftwaffe to the verdict, as the text tells it."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Attack, Move, Pursue
from hexwar.pieces import Call, Done, Interrupt, Ready, Select
from hexwar.testing import lot
from hexwar_tow.activation import ChooseMode, Include, Lead
from hexwar_tow.late_chits import PutIn
from hexwar_tow.okh import ChoosingUse, Use
from tests.tow.table import (
    CHIT,
    DRAW,
    END,
    LUFTWAFFE,
    MOVEMENT,
    OPENING,
    PUTTING_IN,
    SELECTION,
    attack,
    ends,
    field,
    of_kind,
    offered,
    phases,
    position,
    refused,
    told,
    where,
)

FRONTS = ("voronezh-1", "steppe-1", "southwest-1", "south-1")
CALM = {"ger-4pza": "0705", "ger-112": "0706", "sov-voronezh": "0715", "sov-51": "0714"}
"""Two headquarters with a unit each, far from each other."""


def cup(*chits: str, draw: Any = (), units: dict[str, str] | None = None, **more: Any) -> Game:
    """The Action Phase with some chits in the cup, before a draw."""
    state = {"turn": 2, "path": PUTTING_IN, **more}
    dice = [lot(chit, sorted(among)) for chit, among in draw]
    return position(CALM if units is None else units, cup=sorted(chits), dice=dice, **state)


# -- 4.0 the order of a turn ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.0.2", "12.1.2", "12.1.1", "4.1.1")
def test_4_0_1_the_phases_of_turn_1_and_of_turn_2() -> None:
    game = position(CALM, path=LUFTWAFFE, dice=None)
    assert phases(game.events) == ["luftwaffe", "opening"]
    game.apply(Lead("sov-voronezh"))
    assert game.state.phase == "selection"
    second = position(CALM, path=LUFTWAFFE, turn=2, dice=None)
    assert phases(second.events) == ["luftwaffe", "selection"]
    end = position(CALM, path=END, turn=2, dice=None)
    assert [phase for phase in phases(end.events) if phase in ("verdict", "luftwaffe", "selection")] == [
        "verdict",
        "luftwaffe",
        "selection",
    ]
    assert end.state.turn == 3


def test_4_4_2_after_the_last_turn_there_is_no_other() -> None:
    assert position(CALM, path=END, turn=8).result is not None
    assert position(CALM, path=END, turn=7, dice=None).result is None
    assert position(CALM, path=END, turn=4, scenario="race").result is not None


# -- 12.1 the first turn -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.5.4", "2.3.15")
def test_12_1_1_the_chosen_headquarters_and_the_units_in_its_range_attack_and_do_not_move() -> None:
    units = {
        "sov-voronezh": "0711",
        "sov-2tk": "0708",
        "sov-51": "0808",
        "sov-steppe": "1418",
        "sov-50": "1018",
        "ger-112": "0707",
    }
    game = position(units, path=OPENING, dice=[6])
    assert {action.unit for action in offered(game, Lead)} == {"sov-voronezh", "sov-steppe"}
    refused(game, Lead("ger-4pza"), "12.1.1")
    game.apply(Lead("sov-voronezh"))
    assert set(game.state.active) == {"sov-voronezh", "sov-2tk", "sov-51"}
    assert offered(game, Move) == []
    assert offered(game, Attack) == [Attack("0707")]
    attack(game, "0707", "sov-2tk")
    game.apply(Pursue("sov-2tk", ("0708", "0707", "0807")))  # 2:1 and a six: RR; pursuit is no movement
    assert where(game, "sov-2tk") == ("0807",)
    assert offered(game, Move) == []


@pytest.mark.clause("10.2.1")
def test_12_1_1_rivers_count_as_always() -> None:
    units = {"sov-voronezh": "0712", "sov-2tk": "0708", "ger-112": "0707"}
    game = position(units, path=OPENING, board=field(sides={"major-river": ["0707|0708"]}), dice=[1])
    game.apply(Lead("sov-voronezh"))
    (declared,) = of_kind(attack(game, "0707", "sov-2tk"), "attack-declared")
    assert (declared.attack, declared.defence) == (3, 3)


def test_12_1_1_the_real_game_begins_so() -> None:
    game: Game = hexwar.new_game("tow", "campaign", seed=5, options={"auto-setup": True})
    assert (game.state.phase, game.to_move, game.state.sorties) == ("opening", ("soviet",), 0)
    assert [action.unit for action in offered(game, Lead)] == ["sov-voronezh", "sov-steppe", "sov-southwest", "sov-south"]


# -- 4.2 selection and the cup -------------------------------------------------------------------------------------------------


def selecting(turn: int = 2, **more: Any) -> Game:
    return position(CALM, path=SELECTION, turn=turn, **{"dice": None, **more})


def choose(game: Game, side: str, *chits: str, hold: tuple[str, ...] = ()) -> None:
    for chit in chits:
        game.apply(Select(chit, chit in hold), side)
    game.apply(Ready(), side)


@pytest.mark.clause("4.2.0.5", "4.2.0.6", "4.2.0.2", "2.4.3")
def test_4_2_0_1_six_soviet_chits_those_of_the_axis_and_supply_are_in_the_cup() -> None:
    game = selecting(dice=[])
    refused(game, Select("supply"), "4.2.0.5", side="axis")
    choose(game, "soviet", *FRONTS, "reinforcements", "south-2")
    choose(game, "axis", "4pza", "8a", "okh-1", "okh-2", hold=("okh-2", "8a"))
    assert game.state.cup == tuple(sorted((*FRONTS, "reinforcements", "south-2", "4pza", "okh-1", "supply")))
    assert set(game.state.hand["axis"]) == {"okh-2", "8a"}
    assert offered(game, PutIn, "axis") == [PutIn("8a"), PutIn("okh-2")]


def test_4_2_0_2_the_soviets_hold_nothing() -> None:
    refused(selecting(), Select("steppe-1", True), "4.2.0.2", "held", side="soviet")


def test_4_2_0_3_the_axis_may_hold_all_its_chits() -> None:
    game = selecting(1)
    choose(game, "axis", "8a", "6a", "4pza", hold=("8a", "6a", "4pza"))
    assert game.state.hand == {"axis": ("8a", "6a", "4pza")}
    assert game.state.selected.get("axis", ()) == ()


@pytest.mark.clause("4.2.0.8", "4.2.0.7")
def test_4_2_0_1_nobody_sees_what_the_other_chooses() -> None:
    one, two = selecting(), selecting()
    choose(one, "axis", "4pza", "8a", "okh-1", "okh-2", hold=("okh-2",))
    choose(two, "axis", "1pza", "6a", "8a", "4pza", hold=("4pza",))
    assert one.view("soviet").to_json() == two.view("soviet").to_json()
    assert one.view("axis").to_json() != two.view("axis").to_json()


def test_4_2_0_8_nobody_sees_the_cup_or_a_held_chit() -> None:
    game = cup("8a", "supply", "steppe-1", hand={"axis": ["6a"]})
    for side in ("axis", "soviet"):
        assert set(game.view(side).position.state.cup) == {"?"}
    assert game.view("soviet").position.state.hand == {}


@pytest.mark.parametrize(("turn", "number"), list(enumerate((9, 9, 10, 10, 11, 11, 11, 11), 1)))
@pytest.mark.clause("3.0.3", "4.2.1.6", "4.2.1.7")
def test_4_2_1_1_the_soviet_pool_turn_by_turn(turn: int, number: int) -> None:
    assert len(offered(selecting(turn), Select, "soviet")) == number


def test_4_2_1_2_six_chits_and_nothing_else_will_do() -> None:
    game = selecting()
    for chit in (*FRONTS, "voronezh-2"):
        game.apply(Select(chit), "soviet")
    refused(game, Ready(), "4.2.1.2", "has 5", side="soviet")
    game.apply(Select("steppe-2"), "soviet")
    refused(game, Select("south-2"), "4.2.1.2", "6 chits", side="soviet")
    assert offered(game, Select, "soviet") == []


@pytest.mark.clause("4.2.1.5")
def test_4_2_1_3_two_of_two_fronts_one_of_a_third_and_reinforcements_are_not_allowed() -> None:
    game = selecting()
    for chit in ("voronezh-1", "voronezh-2", "steppe-1", "steppe-2", "southwest-1"):
        game.apply(Select(chit), "soviet")
    refused(game, Select("reinforcements"), "4.2.1.3", side="soviet")
    refused(game, Select("southwest-2"), "4.2.1.3", side="soviet")
    assert {action.chit for action in offered(game, Select, "soviet")} == {"south-1", "south-2"}


def test_4_2_1_5_the_two_free_chits_may_be_airborne_and_stavka() -> None:
    game = selecting(5)
    for chit in (*FRONTS, "airborne", "stavka"):
        game.apply(Select(chit), "soviet")
    assert Ready() in game.legal_actions("soviet")


def stavka(turn: int, crossings: int, **more: Any) -> Game:
    points = [f"14{column:02}" for column in range(1, crossings + 1)]
    return selecting(turn, board=field(areas={"crossing points": points}), crossings=points, **more)


def chosen(game: Game, *chits: str) -> bool:
    """Whether the Soviets may choose these chits and no others."""
    for chit in chits:
        if Select(chit) not in game.legal_actions("soviet"):
            return False
        game.apply(Select(chit), "soviet")
    return Ready() in game.legal_actions("soviet")


@pytest.mark.clause("PA.STAVKA.1", "4.2.1.7")
def test_4_2_1_3_turn_5_with_a_crossing_point_needs_all_four_fronts() -> None:
    fronts = ("voronezh-1", "steppe-1", "southwest-1", "south-1")
    assert chosen(stavka(5, 0), *fronts, "stavka", "reinforcements")
    assert not chosen(stavka(5, 1), "stavka")
    assert chosen(stavka(5, 1), *fronts, "reinforcements", "south-2")


@pytest.mark.clause("PA.STAVKA.2", "4.2.1.3")
def test_4_2_1_4_turn_6_with_one_crossing_point_needs_three_fronts_and_stavka() -> None:
    assert chosen(stavka(6, 1), "voronezh-1", "southwest-1", "south-1", "stavka", "reinforcements", "voronezh-2")
    assert not chosen(stavka(6, 1), "voronezh-1", "southwest-1", "stavka", "reinforcements", "voronezh-2", "southwest-2")
    assert not chosen(stavka(6, 2), "stavka")


def test_4_2_1_6_airborne_from_turn_3_and_once() -> None:
    refused(selecting(2), Select("airborne"), "4.2.1.6", "turn 3", side="soviet")
    assert Select("airborne") in offered(selecting(3), Select, "soviet")
    refused(selecting(4, landed=True), Select("airborne"), "4.2.1.6", "marker", side="soviet")


@pytest.mark.clause("PA.STAVKA.1", "PA.STAVKA.2", "PA.STAVKA.3", "PA.STAVKA.4", "PA.CP.6")
@pytest.mark.parametrize(("turn", "most"), [(5, 0), (6, 1), (7, 3), (8, 5)])
def test_4_2_1_7_stavka_needs_few_crossing_points(turn: int, most: int) -> None:
    assert Select("stavka") in offered(stavka(turn, most), Select, "soviet")
    refused(stavka(turn, most, landed=True), Select("stavka"), "4.2.1.7", "at most", side="soviet")
    refused(stavka(4, 0), Select("stavka"), "4.2.1.7", "turn 5", side="soviet")


@pytest.mark.clause("2.4.2", "3.0.3", "4.2.2.3")
def test_4_2_2_1_the_axis_has_a_chit_for_each_headquarters_and_from_turn_2_two_okh() -> None:
    assert {action.chit for action in offered(selecting(2), Select, "axis")} == {"4pza", "8a", "1pza", "6a", "okh-1", "okh-2"}
    refused(selecting(1), Select("okh-1"), "4.2.2.3", "turn 2", side="axis")


@pytest.mark.clause("2.1.1")
def test_4_2_2_2_three_to_five_chits_and_exactly_so_many() -> None:
    for turn in range(1, 9):
        game = selecting(turn)
        number = 0
        while chits := offered(game, Select, "axis"):
            refused(game, Ready(), "4.2.2.2", side="axis")
            game.apply(chits[0], "axis")
            number += 1
        assert 3 <= number <= 5
        assert Ready() in game.legal_actions("axis")


# -- 4.2.0.4, 4.3.15 held chits ------------------------------------------------------------------------------------------------


def test_4_2_0_4_a_held_chit_goes_in_late_and_is_drawn() -> None:
    game = cup("supply", "voronezh-1", hand={"axis": ["4pza"]}, draw=[("4pza", ["4pza", "supply", "voronezh-1"])])
    refused(game, PutIn("6a"), "4.2.0.4", "not held")
    assert told(game.apply(PutIn("4pza")), "chit-put-in") == ["axis puts 4pza into the cup (4.2.0.4)"]
    assert told(game.log("soviet"), "some-chit-put-in") == ["axis puts a chit into the cup (4.2.0.4)"]
    assert game.view("axis").state.put_in == {"axis": ("4pza",)}
    assert not game.view("soviet").state.put_in
    assert game.state.drawn == ("4pza",)
    assert game.to_move == ("axis",)


def test_4_2_0_4_nothing_need_go_in_while_the_cup_has_chits() -> None:
    game = cup("voronezh-1", hand={"axis": ["4pza"]}, draw=[("voronezh-1", ["voronezh-1"])])
    game.apply(Done())
    assert game.state.drawn == ("voronezh-1",)
    assert game.state.hand == {"axis": ("4pza",)}


def test_4_3_15_the_phase_goes_on_until_hand_and_cup_are_empty() -> None:
    game = cup(hand={"axis": ["4pza", "8a"]}, draw=[("4pza", ["4pza"])])
    refused(game, Done(), "4.3.15", "cup is empty")
    game.apply(PutIn("4pza"))
    game.apply(Done())
    game.apply(Done())  # no reaction: for all that the Soviets know, the chit in hand is OKH
    game.apply(ChooseMode("move-combat"))
    game.apply(Done())
    assert (game.state.turn, game.state.hand) == (2, {"axis": ("8a",)})
    assert game.legal_actions("axis") == [PutIn("8a")]


@pytest.mark.clause("4.3.16")
def test_4_3_15_then_the_turn_ends() -> None:
    game = cup("supply", draw=[("supply", ["supply"])], luftwaffe={"axis": ["off"]}, sorties=1)
    assert game.state.turn == 3
    assert (game.state.sorties, game.state.luftwaffe) == (0, {})


# -- 4.3 what the chits do -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3.3", "2.4.1", "2.3.12")
def test_4_3_2_the_owner_of_the_chit_is_active() -> None:
    axis = cup("4pza", draw=[("4pza", ["4pza"])])
    assert axis.to_move == ("axis",)
    soviet = cup("voronezh-2", draw=[("voronezh-2", ["voronezh-2"])])
    assert soviet.to_move == ("soviet",)
    assert set(soviet.state.active) == {"sov-voronezh", "sov-51"}


@pytest.mark.clause("4.3.5")
def test_4_3_4_a_second_axis_headquarters_acts_but_activates_nobody() -> None:
    units = {"ger-4pza": "0707", "ger-8a": "0711", "ger-112": "0714", "ger-6a": "0712"}
    game = cup("4pza", draw=[("4pza", ["4pza"])], units=units)
    assert offered(game, Include) == [Include("ger-8a")]
    refused(game, Include("ger-6a"), "4.3.4")
    game.apply(Include("ger-8a"))
    assert set(game.state.active) == {"ger-4pza", "ger-8a"}
    game.apply(ChooseMode("move-combat"))
    assert {move.unit for move in offered(game, Move)} == {"ger-4pza", "ger-8a"}


def test_4_3_4_it_need_not() -> None:
    game = cup("4pza", draw=[("4pza", ["4pza"])], units={"ger-4pza": "0707", "ger-8a": "0708"})
    refused(game, Include("ger-112"), "4.3.4", "no other headquarters")
    game.apply(Done())
    assert game.state.active == ("ger-4pza",)


@pytest.mark.clause("4.3.11")
def test_4_3_4_never_a_soviet_one_not_even_by_stavka() -> None:
    units = {"sov-voronezh": "0707", "sov-steppe": "0708", "sov-51": "0709", "sov-south": "0220"}
    game = cup("stavka", draw=[("stavka", ["stavka"])], units=units, turn=5)
    assert offered(game, Lead) == [Lead("sov-voronezh"), Lead("sov-steppe"), Lead("sov-south")]
    game.apply(Lead("sov-voronezh"))
    assert set(game.state.active) == {"sov-voronezh", "sov-51"}
    assert offered(game, Include) == []


@pytest.mark.clause("4.3.7", "10.5.4")
def test_4_3_6_combat_move_a_unit_that_has_pursued_moves_with_all_its_points() -> None:
    units = {"ger-4pza": "0705", "ger-reich": "0707", "sov-51": "0708"}
    game = position(units, path=CHIT, drawn=["4pza"], cup=[], dice=[5])
    game.apply(ChooseMode("combat-move"))
    assert offered(game, Move) == []
    attack(game, "0708", "ger-reich")  # 7 to 4, 1.5:1, a five is R
    assert where(game, "sov-51") == ("0709",)
    game.apply(Pursue("ger-reich", ("0707", "0708")))
    assert game.state.phase == "movement-after"
    assert "0703" in ends(game, "ger-reich")  # 1 and 2 to leave the zone, then four more: seven


@pytest.mark.clause("4.3.7")
def test_4_3_6_move_combat_nobody_moves_after_the_first_attack() -> None:
    units = {"ger-4pza": "0705", "ger-reich": "0706", "sov-51": "0708", "ger-112": "0604"}
    game = position(units, path=CHIT, drawn=["4pza"], cup=[], dice=[4])
    game.apply(ChooseMode("move-combat"))
    assert offered(game, Attack) == []
    game.apply(Move("ger-reich", "0707"))
    game.apply(Done())
    events = attack(game, "0708", "ger-reich")
    assert "movement-after" not in phases(events)
    assert offered(game, Move) == []


def test_4_3_17_the_second_chit_of_a_front_activates_the_same_units_again() -> None:
    both = ["voronezh-1", "voronezh-2"]
    game = cup(*both, draw=[("voronezh-1", both), ("voronezh-2", ["voronezh-2"])])
    for label in ("0713", "0712"):
        game.apply(ChooseMode("move-combat"))
        game.apply(Move("sov-51", label))
        game.apply(Done())
    assert where(game, "sov-51") == ("0712",)


@pytest.mark.clause("8.1.1")
def test_4_3_8_the_supply_chit_checks_both_sides() -> None:
    board = field(sides={"major-river": [f"0706|{label}" for label in ("0807", "0707", "0607", "0606", "0705", "0806")]})
    game = cup("supply", draw=[("supply", ["supply"])], board=board)
    assert told(game.events, "supply-changed") == ["ger-112 is out of supply (8.1.9)"]


# -- 4.2.2, 4.3.12 to 4.3.14 OKH -----------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3.12")
def test_4_2_2_4_an_okh_chit_that_is_drawn_has_three_uses() -> None:
    game = cup("okh-1", draw=[("okh-1", ["okh-1"])])
    assert offered(game, Use) == [Use("headquarters"), Use("order"), Use("negotiation")]


@pytest.mark.clause("4.2.2.5", "4.3.13")
@pytest.mark.parametrize("chit", ["voronezh-1", "reinforcements", "4pza", "okh-2"])
def test_4_2_2_6_any_chit_may_be_sent_back_and_may_come_again(chit: str) -> None:
    hold = "okh-1"
    game = cup(chit, hand={"axis": [hold]}, draw=[(chit, [chit]), (chit, [chit])])
    game.apply(Done())
    assert game.state.drawn == (chit,)
    game.apply(Interrupt(hold))
    assert game.state.cup == (chit,)
    assert game.state.groups == 0
    assert offered(game, Use) == [Use("headquarters"), Use("order")]
    refused(game, Use("negotiation"), "4.2.2.5")
    game.apply(Use("headquarters"))
    game.apply(Lead("ger-4pza"))
    game.apply(ChooseMode("move-combat"))
    game.apply(Done())
    assert game.state.drawn == (hold, chit)


def test_4_3_14_supply_is_not_to_be_cancelled() -> None:
    game = cup("supply", "voronezh-1", hand={"axis": ["okh-1"]}, draw=[("supply", ["supply", "voronezh-1"])])
    game.apply(Done())
    assert game.state.drawn[0] == "supply"
    assert offered(game, Interrupt, "axis") == []


def test_4_3_13_other_held_chits_are_no_reaction() -> None:
    game = cup("voronezh-1", hand={"axis": ["4pza", "okh-1"]}, draw=[("voronezh-1", ["voronezh-1"])])
    game.apply(Done())
    assert offered(game, Interrupt) == [Interrupt("okh-1")]
    refused(game, Interrupt("4pza"), "4.2.2.5")


def test_4_3_13_an_okh_chit_in_the_cup_is_no_reaction() -> None:
    """For all that the Soviets know OKH might be in hand, so the Axis is asked; it holds none."""
    both = ["okh-1", "voronezh-1"]
    game = cup(*both, hand={"axis": ["8a"]}, draw=[("voronezh-1", both)])
    game.apply(Done())
    assert game.legal_actions() == [Done()]
    refused(game, Interrupt("okh-1"), "4.2.2.5", "not held")


def test_4_2_2_7_okh_activates_a_headquarters_and_this_one_perhaps_another() -> None:
    units = {**CALM, "ger-8a": "0707", "ger-6a": "0203"}
    game = position(units, ChoosingUse("axis", "okh-1"), path=MOVEMENT, turn=2, drawn=["okh-1"])
    game.apply(Use("headquarters"))
    assert offered(game, Lead) == [Lead("ger-4pza"), Lead("ger-8a"), Lead("ger-6a")]
    refused(game, Lead("sov-voronezh"), "4.2.2.7", "no axis headquarters")
    game.apply(Lead("ger-8a"))
    game.apply(Include("ger-4pza"))
    assert set(game.state.active) == {"ger-8a", "ger-4pza", "ger-112"}


@pytest.mark.parametrize(
    ("points", "landed", "number"), [(0, 0, 6), (1, 0, 7), (2, 0, 7), (3, 0, 8), (4, 0, 8), (5, 0, 9), (6, 0, 9), (6, 1, 10)]
)
@pytest.mark.clause("PA.CP.1", "PA.CP.2", "PA.CP.3", "PA.CP.4", "PA.CP.5", "2.1.8", "PA.CP.6")
def test_4_2_2_8_an_okh_order_is_for_so_many_units(points: int, landed: int, number: int) -> None:
    crossings = [f"14{column:02}" for column in range(1, points + 1)]
    divisions = (
        "ger-112",
        "ger-68",
        "ger-75",
        "ger-88",
        "ger-57",
        "ger-332",
        "ger-255",
        "ger-167",
        "ger-11pz",
        "ger-19pz",
        "ger-7pz",
    )
    units = {unit: f"{2 * row:02}04" for row, unit in enumerate(divisions[:7], 1)}
    units |= {unit: f"{2 * row:02}08" for row, unit in enumerate(divisions[7:], 1)}
    game = position(
        {**units, "sov-51": "0718"},
        ChoosingUse("axis", "okh-1"),
        board=field(areas={"crossing points": crossings}),
        path=MOVEMENT,
        crossings=crossings,
        landed=bool(landed),
    )
    game.apply(Use("order"))
    called = 0
    while calls := offered(game, Call):
        game.apply(calls[0])
        called += 1
    assert called == number
    assert len(game.state.active) == number
    assert offered(game, ChooseMode) == [ChooseMode("move-combat"), ChooseMode("combat-move")]


def test_4_2_2_8_a_headquarters_among_them_activates_nobody() -> None:
    game = position(CALM, ChoosingUse("axis", "okh-1"), path=MOVEMENT)
    game.apply(Use("order"))
    refused(game, Call("sov-51"), "4.2.2.8", "no axis unit")
    game.apply(Call("ger-4pza"))
    game.apply(Done())
    assert game.state.active == ("ger-4pza",)


def test_4_3_1_one_chit_after_the_other_until_the_cup_is_empty() -> None:
    all_of = ["supply", "voronezh-1"]
    game = cup(*all_of, draw=[("voronezh-1", all_of), ("supply", ["supply"])], path=DRAW)
    game.apply(ChooseMode("move-combat"))
    game.apply(Done())
    assert [event.chit for event in of_kind(game.events, "chit-drawn")][-1:] == ["supply"]
    assert game.state.turn == 3
