"""7.0 The Luftwaffe: drawn unseen, used before the die, back in the pool at the end of the turn."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Attack, Join, Resolve
from hexwar.pieces import Done
from hexwar.testing import Subject, budget_of, lot, observe
from hexwar.testing._checks.exact import OddsAreKept
from hexwar.testing._running.watch import recorded_decisions
from hexwar_tow.luftwaffe import Commit
from tests.tow.table import AT, LUFTWAFFE, attack, battle, field, odds, of_kind, offered, position, refused

CRITICAL = {"ger-112": "0707", "sov-2tk": "0708", "sov-10tk": "0708"}
ATTACK = {"sov-51": "0708", "ger-11pz": "0707", "ger-112": "0707"}


def drawing(points: int, *lots: int, landed: bool = False, turn: int = 2) -> Game:
    crossings = [f"14{column:02}" for column in range(1, points + 1)]
    board = field(areas={"crossing points": crossings})
    dice = [lot(number) for number in lots]
    return position({"sov-51": "0718"}, board=board, path=LUFTWAFFE, turn=turn, crossings=crossings, landed=landed, dice=dice)


@pytest.mark.parametrize(
    ("points", "landed", "number"), [(0, 0, 0), (1, 0, 1), (2, 0, 1), (3, 0, 2), (4, 0, 2), (5, 0, 3), (6, 0, 3), (6, 1, 4)]
)
@pytest.mark.clause("7.0.3", "2.1.8", "PA.CP.1", "PA.CP.2", "PA.CP.3", "PA.CP.4", "PA.CP.5", "2.1.3")
def test_4_1_1_as_many_as_the_crossing_points_give(points: int, landed: int, number: int) -> None:
    game = drawing(points, *[0] * number, landed=bool(landed))
    assert len(of_kind(game.log("soviet"), "some-marker-drawn")) == number
    assert game.state.sorties == len(game.state.luftwaffe.get("axis", ())) == number


@pytest.mark.clause("7.0.2", "2.5.3")
def test_7_0_3_all_four_are_in_the_pool_and_the_draw_is_random() -> None:
    found = {drawing(3, *lots).state.luftwaffe["axis"] for lots in product(range(4), range(3))}
    assert found == {("def", "off"), ("off", "off"), ("def", "def")}
    assert drawing(6, 0, 0, 0, 0, landed=True).state.luftwaffe["axis"] == ("def", "def", "off", "off")


@pytest.mark.clause("7.0.1")
def test_7_0_4_the_soviets_see_only_how_many_there_are() -> None:
    one, other = drawing(3, 0, 0), drawing(3, 3, 2)
    assert one.state.luftwaffe != other.state.luftwaffe
    assert one.view("soviet").to_json() == other.view("soviet").to_json()
    assert one.view("soviet").position.state.sorties == 2
    assert [str(event) for event in one.log("soviet")] == [str(event) for event in other.log("soviet")]


def raid(units: dict[str, str], *attackers: str, seat: str, markers: tuple[str, ...], die: int, **more: Any) -> Game:
    """An attack that is declared while the Axis has markers."""
    air = {"luftwaffe": {"axis": sorted(markers)}, "sorties": len(markers)}
    game = battle(units, *attackers, seat=seat, dice=[die], **air, **more)
    attack(game, "0707" if seat == "soviet" else "0708", *attackers)
    return game


def test_7_0_1_the_soviets_are_never_asked() -> None:
    for seat, units, attackers in (("soviet", CRITICAL, ("sov-2tk", "sov-10tk")), ("axis", ATTACK, ("ger-11pz", "ger-112"))):
        game = raid(units, *attackers, seat=seat, markers=("off", "def"), die=1)
        assert game.to_move == ("axis",)


@pytest.mark.clause("7.0.8")
def test_7_0_5_using_one_is_a_choice_and_shows_it() -> None:
    game = raid(CRITICAL, "sov-2tk", "sov-10tk", seat="soviet", markers=("def", "off"), die=4)
    assert offered(game, Commit) == [Commit("def")]
    game.apply(Commit("def"))
    shown = of_kind(game.log("soviet"), "marker-used")
    assert [event.marker for event in shown] == ["def"]
    declined = raid(CRITICAL, "sov-2tk", "sov-10tk", seat="soviet", markers=("def",), die=4)
    events = declined.apply(Done())
    assert of_kind(events, "attack-resolved")[0].result == "RR"
    assert declined.state.sorties == 1


def test_7_0_5_an_attack_that_waits_for_it_has_no_result_yet() -> None:
    game = battle(CRITICAL, "sov-2tk", "sov-10tk", luftwaffe={"axis": ["def"]}, sorties=1, dice=[4])
    moves = [("soviet", action) for action in (Attack(AT), Join("sov-2tk"), Join("sov-10tk"), Resolve())]
    watch = OddsAreKept(Subject.of("tow"), budget_of("quick"))
    assert observe(game, [watch], recorded_decisions(game, moves)) == []
    assert offered(game, Commit) == [Commit("def")]


def test_7_0_5_two_in_one_attack_add_up() -> None:
    game = raid(CRITICAL, "sov-2tk", "sov-10tk", seat="soviet", markers=("def", "def"), die=6)
    game.apply(Commit("def"))
    events = game.apply(Commit("def"))
    assert of_kind(events, "roll-modified")[0].counts == 2
    assert of_kind(events, "attack-resolved")[0].result == "R"
    both = raid(ATTACK, "ger-11pz", "ger-112", seat="axis", markers=("off", "off"), die=1)
    both.apply(Commit("off"))
    events = both.apply(Commit("off"))
    assert of_kind(events, "attack-resolved")[0].result == "R"  # 2:1 and four columns: 6:1


@pytest.mark.clause("4.3.16")
def test_7_0_6_a_used_marker_is_gone_for_this_turn() -> None:
    game = raid(CRITICAL, "sov-2tk", "sov-10tk", seat="soviet", markers=("def", "off"), die=1)
    game.apply(Commit("def"))
    assert game.state.luftwaffe == {"axis": ("off",)}
    refused(game, Commit("def"), "7.0.6")
    later = drawing(6, 0, 0, 0, 0, landed=True, turn=3)
    assert len(later.state.luftwaffe["axis"]) == 4  # next turn all four are there again


@pytest.mark.parametrize(("markers", "seat", "clause"), [(("off",), "soviet", "7.0.7"), (("def",), "axis", "7.0.8")])
def test_7_0_7_off_is_for_axis_attacks_and_def_for_soviet_ones(markers: tuple[str, ...], seat: str, clause: str) -> None:
    units, attackers = (CRITICAL, ("sov-2tk", "sov-10tk")) if seat == "soviet" else (ATTACK, ("ger-11pz", "ger-112"))
    game = raid(units, *attackers, seat=seat, markers=markers, die=1)
    assert offered(game, Commit) == []
    refused(game, Commit(markers[0]), clause)


def shifted(attackers: dict[str, str], defender: str) -> tuple[str, str]:
    """The column of an attack without and with Off AS."""
    units = {defender: "0708", **attackers}
    plain = battle(units, *attackers, seat="axis")
    supported = battle(units, *attackers, seat="axis", committed=["off"], committed_to=["0708", *attackers])
    return odds(plain, "0708", *attackers).name, odds(supported, "0708", *attackers).name


def test_7_0_7_two_columns_to_the_right_but_no_farther_than_the_last() -> None:
    assert shifted({"ger-11pz": "0707"}, "sov-51") == ("1:1", "2:1")
    assert shifted({"ger-11pz": "0707", "ger-112": "0707"}, "sov-51") == ("2:1", "4:1")
    assert shifted({"ger-reich": "0707", "ger-totenkopf": "0707", "ger-wiking": "0609"}, "sov-voronezh") == ("10:1", "10:1")
    assert shifted({"ger-reich": "0707", "ger-totenkopf": "0707", "ger-11pz": "0609"}, "sov-voronezh") == ("9:1", "10:1")


def test_7_0_8_the_marker_counts_in_its_attack_only() -> None:
    """The next attack of the same activation is not helped."""
    units = {"ger-112": "0707", "ger-68": "0710", "sov-2tk": "0708", "sov-10tk": "0709"}
    game = battle(units, "sov-2tk", "sov-10tk", dice=[3, 4], luftwaffe={"axis": ["def"]}, sorties=1)
    attack(game, "0707", "sov-2tk")
    events = game.apply(Commit("def"))
    assert of_kind(events, "attack-resolved")[0].result == "A1"  # 2:1, a three that counts as one
    events = attack(game, "0710", "sov-10tk")
    assert of_kind(events, "roll-modified") == []
    assert of_kind(events, "attack-resolved")[0].result == "R"
