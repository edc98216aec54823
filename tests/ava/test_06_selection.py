"""6.0 Selection: which chits, how many, and what the other side may learn of it; 15.2: from when a chit is available."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hexwar.engine import Action, Event, Game
from hexwar.pieces import Done, Interrupt, Ready, Select
from hexwar_ava.activation import Interrupting
from hexwar_ava.chits import AddChit, SelectRest
from tests.ava.helpers import BUNDLED
from tests.ava.table import field, position, refused, seen

SMALL = field(size=(14, 12))
Printed = Callable[[str, str], None]


def selection(turn: int = 1, scenario: str = "leningrad", *chance: int, units: dict[str, str] | None = None, **more: Any) -> Game:
    """The selection of a turn; what the Soviets may add before is passed over by the first army of each map."""
    game = position(units or {}, path=(2, 0), board=SMALL, scenario=scenario, turn=turn, chance=chance, **more)
    while isinstance(game.legal_actions(game.to_move[0])[0], AddChit):
        game.apply(game.legal_actions()[0])
    return game


def selects(game: Game, side: str) -> set[str]:
    """The chits that a side may select now."""
    return {action.chit for action in game.legal_actions(side) if isinstance(action, Select)}


def choose(game: Game, side: str, *chits: str) -> list[Event]:
    """Select these and no more."""
    for chit in chits:
        game.apply(Select(chit, chit in ("manstein", "guderian")), side)
    return game.apply(Ready(), side)


# -- 6.1, 6.2 how many -------------------------------------------------------------------------------------------------


def test_6_1_1_up_to_the_number_and_never_fewer_than_none() -> None:
    """The number is the most; a side may select fewer, or nothing."""
    game = selection(4)
    assert Ready() in game.legal_actions("soviet")
    assert "up to 5" in game.prompt("soviet")
    game.apply(Select("su-8a"), "soviet")
    assert Ready() in game.legal_actions("soviet")
    assert "up to 4" in game.prompt("soviet")


def test_6_1_1_nobody_selects_a_chit_twice_or_one_of_the_enemy() -> None:
    game = selection()
    game.apply(Select("su-8a"), "soviet")
    refused(game, Select("su-8a"), "6.1.1", "already", side="soviet")
    refused(game, Select("ger-16a"), "15.2.1", "no chit of soviet", side="soviet")
    refused(game, Select("su-8a"), "15.2.1", "no chit of axis", side="axis")
    refused(game, Select("su-999a"), "15.2.1", side="soviet")
    refused(game, Select("supply"), "6.2.5", side="axis")


def test_6_1_1_both_sides_select_in_any_order() -> None:
    game = selection(1, "leningrad", 1)
    game.apply(Select("ger-16a"), "axis")
    game.apply(Select("su-8a"), "soviet")
    game.apply(Select("ger-18a"), "axis")
    game.apply(Ready(), "axis")
    assert game.to_move == ("soviet",)
    game.apply(Ready(), "soviet")
    assert len(game.state.cup) == 3, "four less the one that is drawn"


def test_6_1_2_what_is_not_selected_is_not_used() -> None:
    game = selection(1, "leningrad", 1, 1)
    choose(game, "axis", "ger-16a")
    choose(game, "soviet")
    game.apply(Done())
    assert game.state.drawn == ("ger-16a", "supply")
    assert game.state.cup == ()


def test_6_1_2_it_can_be_selected_again_in_the_next_turn() -> None:
    game = selection(2, drawn=["su-8a", "supply"])
    assert {"su-8a", "su-11a", "su-27a"} == selects(game, "soviet")


@pytest.mark.parametrize(("turn", "number"), [(1, 2), (2, 3), (3, 4), (4, 5), (9, 5)])
def test_6_2_1_the_soviet_number(turn: int, number: int) -> None:
    game = selection(turn, added={"soviet": ["su-34a", "su-42a"]} if turn > 3 else {})
    chits = sorted(selects(game, "soviet"))
    for chit in chits[:number]:
        game.apply(Select(chit), "soviet")
    assert selects(game, "soviet") == set()
    assert Ready() in game.legal_actions("soviet")
    for chit in chits[number:]:
        refused(game, Select(chit), "6.2.1", f"no more than {number}", side="soviet")


def test_6_2_1_the_fourth_is_refused_where_the_number_is_three() -> None:
    game = selection(1, "smolensk")
    choose(game, "soviet", "su-3a", "su-4a", "su-10a")
    crowded = selection(2, "kiev", added={"soviet": ["su-37a", "su-38a"]})
    for chit in ("su-5a", "su-6a", "su-26a", "su-9a", "su-12a", "su-18a"):
        crowded.apply(Select(chit), "soviet")
    refused(crowded, Select("su-37a"), "6.2.1", "no more than 6 soviet", side="soviet")


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Printed:
    """Other numbers on the turn track than the printed ones, which let the Axis have everything."""

    def replace(old: str, new: str) -> None:
        text = (BUNDLED / "turn_track.toml").read_text(encoding="utf-8")
        assert old in text
        (tmp_path / "turn_track.toml").write_text(text.replace(old, new), encoding="utf-8")
        monkeypatch.setenv("HEXWAR_AVA_DATA", str(tmp_path))

    return replace


def test_6_2_2_the_german_number(printed: Printed) -> None:
    printed("german = [4, 5, 5, 6", "german = [4, 2, 5, 6")
    game = selection(2, "kiev")
    game.apply(Select("ger-6a"), "axis")
    game.apply(Select("ger-17a"), "axis")
    assert selects(game, "axis") == {"rum-3a", "rum-4a"}
    refused(game, Select("ger-11a"), "6.2.2", "no more than 2 german", side="axis")


def test_6_2_3_the_rumanian_number(printed: Printed) -> None:
    printed("romanian = [0, 2, 2", "romanian = [0, 1, 2")
    game = selection(2, "kiev")
    game.apply(Select("rum-3a"), "axis")
    refused(game, Select("rum-4a"), "6.2.3", "no more than 1 romanian", side="axis")
    assert selects(game, "axis") == {"ger-1pzg-1", "ger-1pzg-2", "ger-6a", "ger-17a", "ger-11a"}
    assert "up to 5" in game.prompt("axis"), "what is left of the German number is for Germans"


def test_6_2_3_what_is_left_of_it_is_not_for_germans(printed: Printed) -> None:
    printed("german = [4, 5, 5, 6", "german = [4, 0, 5, 6")
    game = selection(2, "kiev")
    assert selects(game, "axis") == {"rum-3a", "rum-4a"}
    refused(game, Select("ger-6a"), "6.2.2", side="axis")


@pytest.mark.parametrize("scenario", ["leningrad", "smolensk", "kiev", "campaign"])
@pytest.mark.parametrize("turn", [1, 2, 4, 9])
def test_6_2_4_the_axis_may_select_everything(scenario: str, turn: int) -> None:
    game = selection(turn, scenario)
    wanted = set(game.world.cup.available(game.position, "axis"))
    game.apply(SelectRest(), "axis")
    chosen = {*game.state.selected["axis"], *game.state.hand.get("axis", ())}
    assert chosen == wanted
    assert selects(game, "axis") == set()


def test_6_2_4_the_rest_of_too_many_is_not_taken_at_one_stroke() -> None:
    game = selection(4, added={"soviet": ["su-34a", "su-42a"]})
    assert SelectRest() not in game.legal_actions("soviet")
    refused(game, SelectRest(), "6.1.1", side="soviet")


def test_6_2_5_the_supply_check_is_always_in_the_cup_and_counts_against_nobody() -> None:
    game = selection(1, "leningrad", 1)
    assert "supply" not in selects(game, "axis") | selects(game, "soviet")
    choose(game, "soviet", "su-8a", "su-11a")
    log = choose(game, "axis", "ger-16a", "ger-18a", "ger-4pzg", "manstein")
    filled = next(event for event in log if event.kind == "cup-filled")
    assert filled.to_json()["common"] == ["supply"]
    assert filled.to_json()["count"] == 6, "two Soviet, three German, and the check"
    empty = selection(1, "leningrad", 1)
    choose(empty, "soviet")
    choose(empty, "axis")
    assert empty.state.drawn == ("supply",)


def test_6_2_6_reinforcements_come_only_if_selected() -> None:
    game = selection(4, "leningrad", 1)
    assert "soviet-reinforcements" in selects(game, "soviet")
    assert "axis-reinforcements" in selects(game, "axis")
    choose(game, "soviet", "su-8a")
    choose(game, "axis")
    assert sorted((*game.state.cup, *game.state.drawn)) == ["su-8a", "supply"]


def test_6_2_6_reinforcements_use_up_one_of_the_number() -> None:
    game = selection(4)
    before = game.prompt("soviet")
    game.apply(Select("soviet-reinforcements"), "soviet")
    assert "5" in before
    assert "4" in game.prompt("soviet")


def test_6_2_6_the_option_makes_reinforcements_compulsory() -> None:
    game = selection(4, options={"reinforcements-always": True})
    for side in ("axis", "soviet"):
        assert Ready() not in game.legal_actions(side)
        refused(game, Ready(), "6.2.6", "must be selected", side=side)
        game.apply(Select(f"{side}-reinforcements"), side)
        assert Ready() in game.legal_actions(side)
    early = selection(3, options={"reinforcements-always": True})
    assert Ready() in early.legal_actions("soviet")


def test_6_2_6_the_option_keeps_the_last_place_for_them() -> None:
    """Nobody gets around it by using up the number with other chits."""
    game = selection(4, options={"reinforcements-always": True})
    for chit in ("su-8a", "su-11a", "su-27a", "su-23a"):
        game.apply(Select(chit), "soviet")
    assert selects(game, "soviet") == {"soviet-reinforcements"}
    refused(game, Select("su-34a"), "6.2.1", "soviet-reinforcements", side="soviet")
    free = selection(4)
    for chit in ("su-8a", "su-11a", "su-27a", "su-23a"):
        free.apply(Select(chit), "soviet")
    assert selects(free, "soviet") == {"soviet-reinforcements", "su-34a"}


# -- 6.3 interrupts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "chit"), [("leningrad", "manstein"), ("smolensk", "guderian")])
def test_6_3_1_an_interrupt_is_held_and_does_not_go_into_the_cup(scenario: str, chit: str) -> None:
    game = selection(1, scenario, 1)
    refused(game, Select(chit), "6.3.1", "may not be put into the cup", side="axis")
    game.apply(Select(chit, True), "axis")
    game.apply(Ready(), "axis")
    game.apply(Ready(), "soviet")
    assert game.state.hand == {"axis": (chit,)}
    assert chit not in game.state.cup
    assert game.state.drawn == ("supply",)


def test_6_3_1_nothing_else_is_held() -> None:
    game = selection(4)
    refused(game, Select("ger-16a", True), "6.3.1", "may not be held", side="axis")
    refused(game, Select("soviet-reinforcements", True), "6.3.1", "may not be held", side="soviet")


def test_6_3_2_an_interrupt_counts_against_the_german_number(printed: Printed) -> None:
    """Five German chits, and Manstein is one of them: four others are left."""
    printed("german = [14, 15, 15, 17", "german = [14, 15, 15, 5")
    game = selection(4, "campaign")
    game.apply(Select("manstein", True), "axis")
    for chit in ("ger-16a", "ger-18a", "ger-4pzg", "ger-2pzg"):
        game.apply(Select(chit), "axis")
    refused(game, Select("ger-4a"), "6.2.2", "no more than 5 german", side="axis")
    refused(game, Select("guderian", True), "6.2.2", side="axis")


def test_6_3_3_an_interrupt_that_was_not_selected_is_not_offered_all_turn() -> None:
    game = selection(1, "smolensk", 1, 1, 1, 1)
    choose(game, "axis", "ger-4a", "ger-9a")
    choose(game, "soviet", "su-3a")
    asked = 0
    while game.state.turn == 1 and game.state.phase != "selection":
        assert not any(isinstance(action, Interrupt) for action in game.legal_actions())
        if isinstance(game.state.stack[-1], Interrupting):
            asked += 1
            refused(game, Interrupt("guderian"), "6.3.3", "not held")
        game.apply(game.legal_actions()[0])
    assert asked == 4


# -- 6.1.3 secrets -----------------------------------------------------------------------------------------------------

UNITS = {"ger-16a": "0303", "ger-4pzg": "0505", "ger-2pzg": "0707", "su-8a": "1010", "su-10": "1011", "su-4a": "1212"}
PROBES: tuple[Action, ...] = (
    Select("ger-16a"),
    Select("manstein", True),
    Select("su-8a"),
    Select("su-27a"),
    SelectRest(),
    Ready(),
    Done(),
    Interrupt("manstein"),
    Interrupt("ger-16a"),
    Interrupt("soviet-reinforcements"),
)


def known(game: Game, side: str) -> dict[str, Any]:
    """All that a side can find out: what it sees, and what it is told when it tries something."""
    told = [(probe, game.why_not(probe, side)) for probe in PROBES]
    return {**seen(game, side), "public": [str(event) for event in game.log()], "told": told, "prompt": game.view(side).prompt}


PAIRS = [
    (("ger-16a",), ("ger-18a",)),
    (("ger-16a", "manstein"), ("ger-16a", "guderian")),
    (("ger-16a", "manstein"), ("ger-16a",)),
    (("ger-16a", "manstein", "guderian"), ("ger-16a",)),
    (("ger-16a", "ger-18a", "ger-4a"), ("ger-9a", "ger-2pzg", "ger-6a")),
]


@pytest.mark.parametrize(("this", "that"), PAIRS)
@pytest.mark.clause("5.0.3", "6.1.2")
def test_6_1_3_the_soviets_cannot_tell_one_selection_from_another(this: tuple[str, ...], that: tuple[str, ...]) -> None:
    """Step by step: while the Axis selects, when it is ready, when the cup is filled and when a Soviet chit is drawn."""
    cups = [sorted({*chits, "su-8a", "supply"} - {"manstein", "guderian"}) for chits in (this, that)]
    one, other = [selection(1, "campaign", cup.index("su-8a") + 1, units=UNITS) for cup in cups]
    assert known(one, "soviet") == known(other, "soviet")
    for game, chits in ((one, this), (other, that)):
        for chit in chits:
            game.apply(Select(chit, chit in ("manstein", "guderian")), "axis")
    assert known(one, "soviet") == known(other, "soviet")
    for game in (one, other):
        game.apply(Ready(), "axis")
    assert known(one, "soviet") == known(other, "soviet")
    for game in (one, other):
        choose(game, "soviet", "su-8a")
        assert game.state.drawn == ("su-8a",)
        assert game.to_move == ("axis",)
    assert (one.state.cup, one.state.hand) != (other.state.cup, other.state.hand)
    assert known(one, "soviet") == known(other, "soviet")
    for game in (one, other):
        game.apply(Done())
        assert game.to_move == ("soviet",)
    assert known(one, "soviet") == known(other, "soviet")


def test_6_1_3_the_axis_cannot_tell_what_the_soviets_selected_or_added() -> None:
    one, other = [position({}, path=(2, 0), board=SMALL, scenario="leningrad", turn=4) for _ in range(2)]
    for game, army, chits in ((one, "su-34a", ("su-8a", "su-34a")), (other, "su-55a", ("su-11a", "soviet-reinforcements"))):
        game.apply(AddChit(army), "soviet")
        for chit in chits:
            game.apply(Select(chit), "soviet")
    assert one.state.added != other.state.added
    assert known(one, "axis") == known(other, "axis")
    for game in (one, other):
        game.apply(Ready(), "soviet")
    assert known(one, "axis") == known(other, "axis")


def test_6_1_3_neither_cup_nor_hand_is_in_a_view() -> None:
    game = selection(1, "leningrad", 1)
    choose(game, "soviet", "su-8a", "su-11a")
    choose(game, "axis", "ger-18a", "ger-4pzg", "manstein")
    assert sorted(game.state.cup) == ["ger-4pzg", "su-11a", "su-8a", "supply"]
    for side in ("soviet", "axis"):
        state = game.view(side).to_json()["state"]
        assert isinstance(state, dict)
        assert state["cup"] == ["?"] * 4
        assert state["hand"] == ({"axis": ["manstein"]} if side == "axis" else {})
        assert state["selected"] == {}
        assert state["drawn"] == ["ger-18a"]
    public = " ".join(map(str, game.log()))
    for chit in ("manstein", "ger-4pzg", "su-8a", "su-11a"):
        assert f"selects {chit}" not in public
    assert "axis selects manstein and holds it" in " ".join(map(str, game.log("axis")))


def test_6_1_3_the_order_of_the_cup_says_nothing() -> None:
    """Whatever the order in which the chits were selected, the cup is the same, and the lot that is drawn stays unseen."""
    cups = []
    for axis in (("ger-16a", "ger-18a"), ("ger-18a", "ger-16a")):
        for first in ("axis", "soviet"):
            game = selection(1, "leningrad", 1)
            order = ("axis", "soviet") if first == "axis" else ("soviet", "axis")
            for side in order:
                choose(game, side, *(axis if side == "axis" else ("su-8a",)))
            cups.append((game.state.cup, game.state.drawn))
            for side in ("axis", "soviet"):
                assert not [event for event in game.log(side) if event.kind == "lot-drawn"]
    assert len(set(cups)) == 1


# -- 15.2 from when ----------------------------------------------------------------------------------------------------


def test_15_2_1_27a_is_refused_in_turn_1_and_allowed_in_turn_2() -> None:
    game = selection(1)
    refused(game, Select("su-27a"), "15.2.1", "not available in turn 1", side="soviet")
    later = selection(2)
    later.apply(Select("su-27a"), "soviet")
    assert later.state.selected == {"soviet": ("su-27a",)}


@pytest.mark.parametrize(
    ("scenario", "chit", "turn", "side"),
    [
        ("leningrad", "su-23a", 3, "soviet"),
        ("leningrad", "soviet-reinforcements", 4, "soviet"),
        ("leningrad", "axis-reinforcements", 4, "axis"),
        ("smolensk", "su-19a", 3, "soviet"),
        ("smolensk", "ger-2a", 4, "axis"),
        ("kiev", "rum-4a", 2, "axis"),
        ("campaign", "su-13a", 2, "soviet"),
        ("campaign", "ger-11a", 2, "axis"),
    ],
)
def test_15_2_1_later_chits_come_on_their_turn_and_stay(scenario: str, chit: str, turn: int, side: str) -> None:
    refused(selection(turn - 1, scenario), Select(chit), "15.2.1", "not available", side=side)
    assert chit in selects(selection(turn, scenario), side)
    assert chit in selects(selection(9, scenario), side)
