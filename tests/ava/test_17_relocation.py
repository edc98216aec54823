"""17.3 Headquarters in range of an activated one may go to the next turn's space and come back as reinforcements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Arriving, Entering, Move, Moving
from hexwar.pieces import Done
from hexwar_ava.reinforcements import ChoosingEntry, waiting_with
from hexwar_ava_optional.relocation import RELOCATED, Relocate, Relocating
from hexwar_ava_optional.reserves import Call
from tests.ava.table import field, of_kind, position, refused, told
from tests.ava.teams import broken, controlled, mastered

ON = {"relocation": True}
ROW = " ".join(f"{column:02}05" for column in range(1, 21))
BOARD = field(size=(20, 12), rail=[ROW], areas={"supply axis": ["0105"], "supply soviet": ["2005"]})
AXIS = {"ger-18a": "0505", "ger-16a": "0705", "ger-4pzg": "0906", "ger-1": "0506", "su-10": "1810"}
"""16A stands two hexes from 18A, 4PzG just within its range of four; all have a line."""
END = (2, 4)
"""The end of a turn."""


def drawn(chit: str, units: Mapping[str, str] = AXIS, **more: Any) -> Game:
    more = {"options": ON, "board": BOARD, "turn": 4, **more}
    return position(units, path=(2, 1, 1), drawn=[chit], **more)


def offered(game: Game) -> set[str]:
    return {action.unit for action in game.legal_actions() if isinstance(action, Relocate)}


# -- 17.3.1 off the map ----------------------------------------------------------------------------------------------------


def test_17_3_1_other_headquarters_in_range_may_leave() -> None:
    game = drawn("ger-18a")
    assert game.to_move == ("axis",)
    assert game.prompt() == "Take headquarters in range of ger-18a off the map: ger-4pzg, ger-16a? (17.3.1)"
    assert offered(game) == {"ger-16a", "ger-4pzg"}
    assert game.state.active == ("ger-18a", "ger-1")
    events = game.apply(Relocate("ger-16a"))
    assert told(events, "headquarters-relocated") == ["ger-16a goes to turn 5 (17.3.1)"]
    assert game.state.locations["ger-16a"] == "turn 5"
    assert offered(game) == {"ger-4pzg"}
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Moving)


def test_17_3_1_it_is_a_choice() -> None:
    game = drawn("ger-18a")
    game.apply(Done())
    assert game.state.locations["ger-16a"] == "0705"
    assert isinstance(game.state.stack[-1], Moving)


def test_17_3_1_not_itself_not_the_enemy_and_not_out_of_range() -> None:
    game = drawn("ger-18a", {**AXIS, "ger-4pzg": "1006", "su-8a": "0510"})
    assert offered(game) == {"ger-16a"}
    refused(game, Relocate("ger-4pzg"), "17.3.1", "not in range of ger-18a")
    refused(game, Relocate("ger-18a"), "17.3.1", "activated itself")
    for unit in ("su-8a", "ger-1", "ger-9a", "nobody"):
        refused(game, Relocate(unit), "17.3.1", "no headquarters of axis on the map")


def test_17_3_1_only_with_a_line_of_communication() -> None:
    """Without a railway only the source itself has a line."""
    bare = field(size=(20, 12), areas={"supply axis": ["0105"], "supply soviet": ["2005"]})
    game = drawn("ger-18a", {**AXIS, "ger-4pzg": "0105"}, board=bare)
    assert offered(game) == {"ger-4pzg"}
    refused(game, Relocate("ger-16a"), "17.3.1", "no line of communication")


def test_17_3_1_headquarters_of_another_nation_too() -> None:
    game = drawn("ger-18a", {**AXIS, "rum-3a": "0605"})
    assert "rum-3a" in offered(game)


def test_17_3_1_the_soviets_as_well() -> None:
    game = drawn("su-8a", {"su-8a": "1505", "su-11a": "1405", "ger-21": "0105"})
    assert game.to_move == ("soviet",)
    assert offered(game) == {"su-11a"}


def test_17_3_1_not_in_the_last_turn_which_none_follows() -> None:
    assert not isinstance(drawn("ger-18a", turn=9).state.stack[-1], Relocating)
    assert isinstance(drawn("ger-18a", turn=8).state.stack[-1], Relocating)


def test_17_3_1_a_headquarters_that_okh_activates_relocates_nobody() -> None:
    game = drawn("okh", options={**ON, "reserves": True}, chance=(1,))
    game.apply(Call("ger-18a"))
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Moving)


def test_17_3_1_a_headquarters_whose_activation_does_not_take_place_relocates_nobody() -> None:
    """17.6.1: 3PzG has no line for its second activation; 16A, on the source, has one."""
    bare = field(size=(20, 12), areas={"supply axis": ["0105"], "supply soviet": ["2005"]})
    units = {"ger-3pzg": "0405", "ger-16a": "0105", "su-10": "1810"}
    for on in (False, True):
        more = {"options": {**ON, "panzer-headquarters": on}, "notes": {"panzer groups": ["ger-3pzg"]} if on else {}}
        game = drawn("ger-3pzg-2", units, board=bare, cup=["supply"], chance=(1,), turn=2, **more)
        assert isinstance(game.state.stack[-1], Relocating) is not on


# -- where many play -------------------------------------------------------------------------------------------------------

SHARED = {"ger-18a": "0505", "ger-1": "0506", "ger-16a": "0405", "ger-4a": "0705", "ger-31": "0706", "su-10": "1810"}
"""18A of north and 4A of centre stand two hexes apart, both with the same divisions in range."""
FIRST = ("ger-18a", "ger-1", "ger-31")


def at_once(**staff: str) -> Game:
    staff = staff or {"north": "ger-18a", "centre": "ger-4a"}
    return mastered("axis-master-1", staff, units=SHARED, rules=ON, board=BOARD, turn=2, phase="command")


@pytest.mark.clause("8.1.1", "17.3.1", "20.2.8")
def test_8_1_1_no_unit_is_in_two_activations_while_somebody_is_asked_about_headquarters() -> None:
    game = at_once()
    assert {seat: game.prompt(seat).split(":")[0] for seat in game.to_move} == {
        seat: f"Take headquarters in range of {leader} off the map"
        for seat, leader in (("north", "ger-18a"), ("centre", "ger-4a"))
    }
    assert set(game.state.engaged["ger-18a"]) == set(FIRST)
    assert game.state.engaged["ger-4a"] == ("ger-4a",), "the others are in the hands of 18A"
    for seat in ("north", "centre"):
        game.apply(Done(), seat)
    game.apply(Move("ger-1", "0606"), "north")
    refused(game, Move("ger-1", "0608"), "8.1.1", "not active", side="centre")
    assert broken(game) == {}


@pytest.mark.clause("19.4.4", "17.3.1")
def test_19_4_4_a_chit_waits_while_the_player_of_its_units_is_asked_about_headquarters() -> None:
    game = controlled("ger-18a ger-4a", units=SHARED, seats="6-players", rules=ON, board=BOARD, turn=2)
    assert game.to_move == ("north",)
    assert set(game.state.engaged["ger-18a"]) == set(FIRST)
    game.apply(Done(), "north")
    assert game.to_move == ("north",), "4A would activate the same division"
    assert broken(game) == {}


@pytest.mark.clause("8.1.1")
def test_8_1_1_the_invariant_sees_a_unit_in_two_activations() -> None:
    game = at_once()
    game._state.engaged["ger-4a"] = ("ger-4a", "ger-1")
    assert broken(game)["8.1.1"] == "ger-1"


@pytest.mark.clause("17.3.1", "8.1.1")
def test_17_3_1_a_headquarters_that_is_active_itself_stays() -> None:
    game = at_once()
    assert {action.unit for action in game.legal_actions("north") if isinstance(action, Relocate)} == {"ger-16a"}
    refused(game, Relocate("ger-4a"), "17.3.1", "active itself, in other hands", side="north")
    refused(game, Relocate("ger-18a"), "17.3.1", "active itself, in other hands", side="centre")


@pytest.mark.clause("17.3.1", "20.2.8")
def test_17_3_1_whoever_draws_the_chit_is_asked() -> None:
    game = at_once(south="ger-18a")
    assert game.to_move == ("south",)
    assert game.prompt("south").startswith("Take headquarters in range of ger-18a")
    game.apply(Relocate("ger-16a"), "south")
    assert game.state.locations["ger-16a"] == "turn 3"


@pytest.mark.clause("15.3.2", "17.3.1")
def test_15_3_2_a_headquarters_that_left_the_map_does_not_enter_with_the_army() -> None:
    """However it came about that an active unit is not on the map: only what waits for its turn comes in."""
    units = {"su-19a": "turn 3", "su-10": "1810", "su-11a": "turn 4", "ger-21": "0105"}
    active = ("su-19a", "su-10", "su-11a")
    game = position(units, path=(2, 1, 2), turn=3, active=active, drawn=["su-19a"], board=BOARD, options=ON)
    [army] = [step for step in game.state.stack if isinstance(step, Entering | ChoosingEntry)]
    assert army.units == ("su-19a",)
    game = position({**units, "su-19a": "1805"}, path=(2, 1, 2), turn=3, active=active, drawn=["su-19a"], board=BOARD, options=ON)
    assert not [step for step in game.state.stack if isinstance(step, Entering | ChoosingEntry)]


# -- 17.3.2 and back -------------------------------------------------------------------------------------------------------


def away(**more: Any) -> dict[str, Any]:
    return {"notes": {RELOCATED: ["ger-16a"]}, "options": ON, "board": BOARD, **more}


@pytest.mark.parametrize(("unit", "side"), [("ger-16a", "axis"), ("su-11a", "soviet")])
def test_17_3_2_they_are_available_in_the_next_turn(unit: str, side: str) -> None:
    notes = {RELOCATED: [unit]}
    game = position({unit: "turn 5", "su-10": "1810"}, path=END, **{**away(turn=4), "notes": notes})
    assert game.state.turn == 5
    assert game.state.locations[unit] == f"{side} available"
    assert f"{unit} goes to the box {side} available (17.3.2)" in told(game.events, "unit-withdrawn")
    assert game.state.notes == {RELOCATED: (unit,)}


def arrivals(game: Game) -> set[str]:
    return {action.unit for action in game.legal_actions() if isinstance(action, Arrive)}


def reinforcements(**more: Any) -> Game:
    """In Leningrad one German unit a turn may come."""
    units = {"ger-16a": "axis available", "ger-207sec": "axis available", "ger-96": "axis available", "su-10": "1810"}
    more = {**away(), "turn": 5, "scenario": "leningrad", **more}
    return position(units, path=(2, 1, 1), drawn=["axis-reinforcements"], **more)


def test_17_3_2_they_come_beyond_the_number() -> None:
    game = reinforcements()
    assert arrivals(game) == {"ger-16a"}
    assert told(game.apply(Arrive("ger-16a", "0305")), "unit-placed", "relocation-over") == [
        "ger-16a arrives at 0305 (17.3.2)",
        "ger-16a is back (17.3.2)",
    ]
    assert game.state.notes == {}
    others = arrivals(game)
    assert others >= {"ger-207sec", "ger-96"}
    game.apply(Arrive("ger-96", "0405"))
    assert not isinstance(game.state.stack[-1], Arriving), "the number is one"


def test_17_3_2_whoever_stays_away_does_not_come_within_the_number_instead() -> None:
    game = reinforcements()
    game.apply(Done())
    assert arrivals(game) >= {"ger-207sec", "ger-96"}
    assert "ger-16a" not in arrivals(game)


def test_17_3_2_by_the_rules_of_reinforcements() -> None:
    game = reinforcements()
    refused(game, Arrive("ger-16a", "0306"), "12.1.2", "may not enter at 0306")


def test_17_3_2_without_the_note_they_count() -> None:
    game = reinforcements(notes={})
    assert arrivals(game) >= {"ger-16a", "ger-96"}
    game.apply(Arrive("ger-16a", "0305"))
    assert not isinstance(game.state.stack[-1], Arriving)


def test_17_3_2_whoever_does_not_come_then_counts_later() -> None:
    game = position({"ger-16a": "axis available", "su-10": "1810"}, path=END, **away(turn=5))
    assert game.state.notes == {}
    assert told(game.events, "relocation-over") == ["ger-16a counts as a reinforcement from now on (17.3.2)"]


def test_17_3_2_while_there_is_no_chit_they_wait_and_keep_their_right() -> None:
    """Relocated in turn 1; in turns 2 and 3 nobody can come; in turn 4 it comes beyond the number; in turn 5 no longer."""
    for turn in (1, 2, 3):
        place = "turn 2" if turn == 1 else "axis available"
        game = position({"ger-16a": place, "su-10": "1810"}, path=END, **away(turn=turn))
        assert game.state.notes == {RELOCATED: ("ger-16a",)}, turn
        assert game.state.locations["ger-16a"] == "axis available"
    game = position({"ger-16a": "axis available", "su-10": "1810"}, path=END, **away(turn=4))
    assert game.state.notes == {}


def test_17_3_2_a_soviet_headquarters_does_not_come_with_the_army_on_the_turn_track() -> None:
    """15.3: the army waits on the space of turn 3, on which a headquarters lies that was relocated in turn 2."""
    units = {"su-11a": "turn 3", "su-19a": "turn 3", "ger-21": "0105"}
    game = position(units, path=END, **{**away(turn=2), "notes": {RELOCATED: ["su-11a"]}})
    assert game.state.turn == 3
    assert game.state.locations["su-11a"] == "soviet available"
    assert game.state.locations["su-19a"] == "turn 3"
    assert [event.unit for event in of_kind(game.events, "unit-withdrawn")] == ["su-11a"]
    army = waiting_with(game.position, game.world.chits["su-19a"])
    assert "su-19a" in army
    assert "su-11a" not in army


def test_17_3_2_the_whole_way() -> None:
    """Off the map in turn 4, back in turn 5."""
    game = drawn("ger-18a", scenario="leningrad", cup=[], turn=4, chance=(1,) * 9)
    game.apply(Relocate("ger-16a"))
    for _ in range(4):
        if game.state.turn == 4 and Done() in game.legal_actions():
            game.apply(Done())
    assert game.state.turn == 5
    assert game.state.locations["ger-16a"] == "axis available"
    assert game.state.notes == {RELOCATED: ("ger-16a",)}
