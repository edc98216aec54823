"""5 and 6: the turn, chits and command."""

from __future__ import annotations

from hexwar import RefusalCode
from hexwar.pieces import Done, Ready, Select
from tests.bridgehead.helpers import field, position, scenario, selecting, told
from tests.handmade import Script

BOTH = {"bA": "0304", "bB": "0302", "rA": "0804", "rB": "0802"}


def test_5_1_arrival_selection_operations_and_the_next_turn() -> None:
    game = scenario(Script(1, 2, 1))
    assert [event.phase for event in game.events if event.kind == "phase-entered"] == ["arrival", "selection"]  # type: ignore[attr-defined]
    game.apply(Select("bA"), "blue")
    game.apply(Select("rA"), "red")
    game.apply(Ready(), "blue")
    events = game.apply(Ready(), "red")  # cup: bA, rA, supply
    assert told(events, "phase-entered", "chit-drawn") == ["== Operations == (5.3)", "-- bA is drawn -- (5.3)"]
    events = game.apply(Done())  # no movement, nothing to attack; then supply, then rA
    assert told(events, "phase-entered", "chit-drawn") == [
        "== Operations == (5.3)",
        "-- supply is drawn -- (5.3)",
        "== Operations == (5.3)",
        "-- rA is drawn -- (5.3)",
    ]
    events = game.apply(Done())
    assert told(events, "phase-entered", "turn-began") == ["== Arrival == (13.1)", "==== Turn 2 ==== (5.1)"]
    assert game.ruleset.sequence.outline() == [
        "Turn [5.1], repeated while turns remain",
        "  Arrival [13.1]",
        "  Selection [5.2]",
        "  Operations [5.3], repeated while chits remain",
        "    Operations [5.3]",
        "    Early end [14.4], if a side is beaten",
        "Verdict [14.3]",
    ]


def test_5_2_each_side_selects_as_many_chits_as_the_turn_track_says() -> None:
    game = position(BOTH, selecting(), chance=[1], turn=2)  # two for Blue, one for Red
    assert game.to_move == ("blue", "red")
    assert game.prompt("blue") == "Select 2 more chits. (5.2)"
    assert game.legal_actions("blue") == [Select("bA"), Select("bB")]
    refusal = game.why_not(Ready(), "blue")
    assert refusal is not None
    assert (refusal.code, str(refusal)) == (RefusalCode.AGAINST_RULE, "5.2: more of the chits must be selected")
    game.apply(Select("bB"), "blue")
    assert game.prompt("blue") == "Select 1 more chit. (5.2)"
    assert game.legal_actions("blue") == [Select("bA")]
    game.apply(Select("bA"), "blue")
    assert game.prompt("blue") == "Confirm the selection. (5.2)"
    events = game.apply(Ready(), "blue")
    assert told(events, "selection-made") == ["blue has made its selection (5.2)"]
    assert str(Ready()) == "selection made"
    assert list(game.to_move) == ["red"]
    game.apply(Select("rB"))
    events = game.apply(Ready())
    assert told(events, "cup-filled") == ["4 chits go into the cup (5.2)"]
    assert sorted((*game.state.cup, *game.state.drawn)) == ["bA", "bB", "rB", "supply"]


def test_5_2_the_selection_is_secret() -> None:
    game = position(BOTH, selecting(), turn=1)
    game.apply(Select("bB"), "blue")
    assert game.view("blue").state.selected == {"blue": ("bB",)}
    assert game.view("red").state.selected == {}
    assert told(game.log("red"), "chit-selected") == []
    assert told(game.log("blue"), "chit-selected") == ["blue selects bB (5.2)"]


def test_5_2_a_headquarters_that_is_not_on_the_map_has_no_chit() -> None:
    game = position({"bA": "turn 3", "bB": "0302", "rA": "0804"}, selecting(), chance=[1], turn=2)
    assert game.legal_actions("blue") == [Select("bB")]
    nobody = position({"b1": "0304", "rA": "0804"}, selecting(), turn=2)
    assert nobody.legal_actions("blue") == [Ready()], "without headquarters there is nothing to select"


def test_5_2_beyond_the_turn_track_nobody_selects() -> None:
    game = position(BOTH, selecting(), turn=7)
    assert game.legal_actions("blue") == game.legal_actions("red") == [Ready()]


def test_5_3_nobody_looks_into_the_cup() -> None:
    game = position(BOTH, cup=["bA", "rB", "supply"], chance=[2])
    assert game.state.drawn == ("rB",)
    assert game.view("blue").state.cup == game.view("red").state.cup == ("?", "?")
    assert told(game.log("blue"), "chit-drawn") == ["-- rB is drawn -- (5.3)"]
    assert told(game.log("blue"), "lot-drawn") == []


def test_5_3_the_cup_is_drawn_empty() -> None:
    game = position(BOTH, cup=["bA", "rB", "supply"], chance=[3, 2, 1])
    game.apply(Done())
    game.apply(Done())
    assert told(game.events, "chit-drawn") == [
        "-- supply is drawn -- (5.3)",
        "-- rB is drawn -- (5.3)",
        "-- bA is drawn -- (5.3)",
    ]
    assert game.state.turn == 2


def test_6_1_the_drawn_chit_activates_the_headquarters_and_the_units_in_its_range() -> None:
    units = {"bA": "0404", "b1": "0403", "b2": "0405", "b5": "0204", "b3": "0504", "r1": "0305", "rA": "0904"}
    game = position({**units, "b6": "0104"}, cup=["bA"], chance=[1])
    assert game.prompt() == "Move units: bA, b1, b2, b3, b5. (7.1)"
    assert game.query.command("bA") == ("bA", "b1", "b2", "b3", "b5"), "not b6, which is three hexes away, and no enemy"


def test_6_2_range_is_not_counted_through_lakes() -> None:
    # 0204 is two hexes from 0404, by 0303 or 0304; with lakes in both it takes three.
    units = {"bA": "0404", "b1": "0204", "rA": "0904"}
    dry = position(units, cup=["bA"], chance=[1])
    wet = position(units, cup=["bA"], chance=[1], board=field(terrain={"0303": "~", "0304": "~"}))
    assert dry.prompt() == "Move units: bA, b1. (7.1)"
    assert wet.prompt() == "Move units: bA. (7.1)"


def test_6_2_range_is_counted_at_the_moment_of_activation() -> None:
    game = position({"bA": "0304", "b1": "0504", "rA": "0904"}, cup=["bA"], chance=[1])
    game.apply(game.legal_actions()[-1])
    assert game.state.locations["b1"] != "0504"
    assert game.prompt() == "Move units: bA. (7.1)", "it moves although b1 left its range"
    game = position({"bA": "0304", "b1": "0704", "rA": "0904"}, cup=["bA"], chance=[1])
    game.apply(next(action for action in game.legal_actions() if str(action) == "move bA to 0604"))
    assert game.state.turn == 2, "b1 came into range too late"


def test_6_2_no_headquarters_activates_another() -> None:
    game = position({"bA": "0304", "bB": "0304", "rA": "0904"}, cup=["bA"], chance=[1])
    assert game.prompt() == "Move units: bA. (7.1)"


def test_6_3_the_chit_of_a_lost_headquarters_has_no_effect() -> None:
    game = position({"b1": "0304", "rA": "0804"}, cup=["bA", "rA"], chance=[1, 1])
    assert told(game.events, "chit-drawn") == ["-- bA is drawn -- (5.3)", "-- rA is drawn -- (5.3)"]
    assert game.to_move == ("red",)


def test_6_3_nor_has_that_of_one_on_the_turn_track() -> None:
    game = position({"bA": "turn 3", "b1": "0304", "rA": "0804"}, cup=["bA", "rA"], chance=[1, 1])
    assert game.to_move == ("red",)


def test_several_seats_of_a_side_the_first_decides() -> None:
    seats = {"north": "blue", "south": "blue", "red": "red"}
    game = position(BOTH, selecting(), seats=seats, chance=[1])
    assert game.to_move == ("north", "red")
    for action, seat in ((Select("bA"), "north"), (Ready(), "north"), (Select("rA"), "red"), (Ready(), "red")):
        game.apply(action, seat)
    assert list(game.to_move) == ["north"]
    assert game.view("south").state.selected == {}
