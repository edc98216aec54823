"""5.0 The turn, and who takes part in the surprise attack (15.1) before the first."""

from __future__ import annotations

from itertools import pairwise

import pytest

import hexwar
from hexwar.engine import Action, Event, Game
from hexwar.mechanics import Declare, Declaring, Move, Moving
from hexwar.pieces import Done, Interrupt, Ready, Select
from hexwar_ava.chits import SelectRest
from tests.ava.table import field, position

SMALL = field(size=(14, 12))
OPERATIONS = ("activation", "movement", "combat")


def phases(events: list[Event]) -> list[str]:
    return [str(event.to_json()["phase"]) for event in events if event.kind == "phase-entered"]


def dull(game: Game, until: str, limit: int = 400) -> list[Event]:
    """Everything is selected, nobody does anything; until a phase is entered. What happened."""
    happened: list[Event] = []
    for _ in range(limit):
        if game.result is not None:
            return happened
        seat = game.to_move[0]
        offered = game.legal_actions(seat)
        wanted: Action = SelectRest() if SelectRest() in offered else offered[0]
        happened += game.apply(wanted, seat)
        if until in phases(happened):
            return happened
    raise AssertionError(f"{until} is not reached")


# -- 5.0.1 to 5.0.6 the phases -----------------------------------------------------------------------------------------


def test_5_0_1_selection_then_chits_one_by_one_then_the_end() -> None:
    game = hexwar.new_game("ava", "leningrad", seed=3, options={"auto-setup": True})
    game.apply(Done())
    assert game.state.phase == "selection"
    entered = phases(dull(game, "end"))
    assert entered[-2:] == ["end", "selection"]
    assert entered.count("command") == 6, "8A, 11A, 4PzG, 16A, 18A and the Supply Check"
    assert entered.count("held") == 1, "Manstein, whom nobody used"
    follows = {("command", "activation"), ("held", "activation"), ("activation", "movement"), ("movement", "combat")}
    follows |= {("combat", "command"), ("combat", "held"), ("activation", "command"), ("activation", "held")}
    follows |= {("combat", "end"), ("activation", "end"), ("end", "selection")}
    assert set(pairwise(entered)) <= follows
    assert [phase for phase in entered if phase in ("held", "end")] == ["held", "end"]


def test_5_0_1_every_chit_of_the_turn_is_played_once() -> None:
    game = hexwar.new_game("ava", "leningrad", seed=5, options={"auto-setup": True})
    game.apply(Done())
    log = dull(game, "end")
    drawn = [event.to_json()["chit"] for event in log if event.kind in ("chit-drawn", "chit-played")]
    assert sorted(map(str, drawn)) == ["ger-16a", "ger-18a", "ger-4pzg", "manstein", "su-11a", "su-8a", "supply"]


def last_turn(*, full: bool) -> Game:
    """Turn 9: the Supply Check is drawn first, and one more chit is in the cup."""
    return position(
        {"su-8a": "1010", "ger-21": "0303"},
        path=(2, 1),
        board=SMALL,
        scenario="leningrad",
        turn=9,
        cup=["su-8a", "supply"],
        chance=[2, 1],
        options={"full-turns": full},
    )


def test_5_0_2_the_game_ends_with_the_supply_check_of_turn_9() -> None:
    game = last_turn(full=False)
    log = dull(game, "verdict")
    assert game.result is not None
    assert "verdict" not in phases(log)
    assert game.state.cup == ("su-8a",)
    assert game.state.turn == 9


def test_5_0_2_the_option_plays_nine_whole_turns() -> None:
    game = last_turn(full=True)
    log = dull(game, "verdict")
    assert phases(log)[-1] == "verdict"
    assert game.state.turn == 9, "the marker stays where the game ends"
    assert game.state.cup == ()
    assert "su-8a" in game.state.drawn
    assert game.result is not None


def test_5_0_2_nine_turns_and_no_more() -> None:
    game = hexwar.new_game("ava", "training", seed=1)
    turns = []
    while game.result is None:
        dull(game, "end")
        turns.append(game.state.turn)
    assert turns == [2, 3, 4, 4], "the training scenario has four; the marker stays where the game ends"
    for scenario in ("campaign", "leningrad", "smolensk", "kiev"):
        world = position({}, path=(2, 0), board=SMALL, scenario=scenario).world
        assert world.entry.last_turn == 9


def test_5_0_2_a_check_before_the_last_turn_ends_nothing() -> None:
    game = position({"su-8a": "1010"}, path=(2, 1), board=SMALL, scenario="leningrad", turn=8, cup=["supply"], chance=[1])
    dull(game, "selection")
    assert game.result is None
    assert game.state.turn == 9


def test_5_0_3_both_sides_select_at_once_and_their_chits_are_mixed() -> None:
    game = position({}, path=(2, 0), board=SMALL, scenario="leningrad", chance=[1])
    assert set(game.to_move) == {"axis", "soviet"}
    game.apply(Select("su-8a"), "soviet")
    game.apply(Select("ger-16a"), "axis")
    game.apply(Ready(), "soviet")
    assert game.to_move == ("axis",)
    assert game.state.cup == ()
    log = game.apply(Ready(), "axis")
    (filled,) = [event for event in log if event.kind == "cup-filled"]
    assert filled.to_json()["count"] == 3
    assert sorted((*game.state.cup, *game.state.drawn)) == ["ger-16a", "su-8a", "supply"]


@pytest.mark.parametrize(("number", "chit", "owner"), [(1, "ger-16a", "axis"), (2, "su-8a", "soviet")])
def test_5_0_4_the_owner_of_the_drawn_chit_plays_it(number: int, chit: str, owner: str) -> None:
    units = {"su-8a": "1010", "su-10": "1110", "ger-16a": "0303", "ger-12": "0304"}
    cup = ["ger-16a", "su-8a", "supply"]
    game = position(units, path=(2, 1), board=SMALL, scenario="leningrad", cup=cup, chance=[number])
    assert game.state.drawn == (chit,)
    assert sorted(game.state.cup) == sorted(set(cup) - {chit})
    game.apply(Done())
    assert game.to_move == (owner,)
    assert isinstance(game.state.stack[-1], Moving)
    assert {game.world.units[unit].side for unit in game.state.active} == {owner}


def test_5_0_5_movement_comes_before_combat_and_not_after() -> None:
    units = {"ger-16a": "0303", "ger-12": "0505", "su-10": "0507"}
    game = position(units, path=(2, 1), board=SMALL, scenario="leningrad", cup=["ger-16a"], chance=[1, 6])
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Moving)
    assert game.why_not(Declare("ger-12", "0507")) is not None
    game.apply(Move("ger-12", "0506"))
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Declaring)
    for move in (Move("ger-12", "0505"), Move("ger-16a", "0304")):
        assert game.why_not(move) is not None
        with pytest.raises(hexwar.Refusal):
            game.apply(move)
    game.apply(Declare("ger-12", "0507"))
    assert game.why_not(Move("ger-16a", "0304")) is not None


def test_5_0_6_the_next_chit_is_drawn_while_the_cup_has_one() -> None:
    units = {"su-8a": "1010", "su-11a": "0303"}
    game = position(units, path=(2, 1), board=SMALL, scenario="leningrad", cup=["su-11a", "su-8a"], chance=[1, 1])
    log = dull(game, "end")
    assert phases(log) == [*OPERATIONS, "command", *OPERATIONS, "end", "selection"]
    assert game.state.drawn == ("su-11a", "su-8a")


def test_5_0_6_held_chits_come_between_the_cup_and_the_end() -> None:
    units = {"su-8a": "1010", "ger-4pzg": "0303"}
    game = position(units, path=(2, 1), board=SMALL, scenario="leningrad", cup=["su-8a"], hand={"axis": ["manstein"]}, chance=[1])
    entered = phases(dull(game, "end"))
    assert entered == [*OPERATIONS, "held", *OPERATIONS, "end", "selection"]


# -- 5.0.7, 5.0.8 the end ----------------------------------------------------------------------------------------------


def at_the_end(turn: int, scenario: str = "leningrad", **boxes: str) -> Game:
    """A game that has just gone through the end of a turn; boxes: unit -> space of the track."""
    where = {unit.replace("_", "-"): label for unit, label in boxes.items()}
    return position(where, path=(2, 3), board=SMALL, scenario=scenario, turn=turn, cup=[], drawn=["supply"])


def test_5_0_7_the_marker_advances_and_the_next_selection_begins() -> None:
    game = at_the_end(2)
    assert game.state.turn == 3
    assert game.state.phase == "selection"
    assert game.to_move == ("axis", "soviet")
    (event,) = [event for event in game.log() if event.kind == "turn-began"]
    assert (event.to_json()["turn"], event.clause) == (3, "5.0.7")


TRANSFER = {"ger-12pz-l", "ger-18m-l", "ger-20m-l"}


def box(game: Game, name: str) -> set[str]:
    return set(game.state.layout.stacks.get(name, ()))


def test_5_0_8_the_end_of_turn_6_brings_the_transfer_into_the_box() -> None:
    before = at_the_end(5)
    assert box(before, "turn 7") == TRANSFER
    after = at_the_end(6)
    assert box(after, "turn 7") == set()
    assert box(after, "axis available") >= TRANSFER
    told = [event for event in after.log() if event.clause == "5.0.8"]
    assert {event.to_json()["unit"] for event in told} == TRANSFER


def test_5_0_8_the_space_that_is_left_gives_nothing() -> None:
    assert box(at_the_end(7), "turn 7") == TRANSFER, "only the space that the marker enters"


def test_5_0_8_the_soviet_army_on_the_track_stays() -> None:
    for turn in (2, 3):
        game = at_the_end(turn, "smolensk")
        assert len(box(game, "turn 3")) == 11
        assert not [event for event in game.log() if event.clause == "5.0.8"]


# -- 15.1.1, 15.1.2 the surprise attack --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "leaders"),
    [
        ("leningrad", {"ger-4pzg"}),
        ("smolensk", {"ger-2pzg", "ger-3pzg"}),
        ("smolensk-short", {"ger-2pzg", "ger-3pzg"}),
        ("kiev", {"ger-1pzg"}),
        ("campaign", {"ger-4pzg", "ger-2pzg", "ger-3pzg", "ger-1pzg"}),
    ],
)
@pytest.mark.clause("15.1.2")
def test_15_1_1_all_panzer_groups_of_the_scenario_attack(scenario: str, leaders: set[str]) -> None:
    game: Game = hexwar.new_game("ava", scenario, seed=1, options={"auto-setup": True})
    active = game.state.active
    world, at = game.world, game.state.locations
    assert {unit for unit in active if world.units[unit].is_headquarters} == leaders
    assert {world.units[unit].formation for unit in active} == {world.units[leader].formation for leader in leaders}
    for unit, counter in world.units.items():
        near = [
            leader
            for leader in leaders
            if world.units[leader].formation == counter.formation and at[unit] in world.board
            if world.board.distance(at[unit], at[leader]) <= 4
        ]
        assert (unit in active) == bool(near), unit
    assert game.to_move == ("axis",)
    assert isinstance(game.state.stack[-1], Declaring)
    assert (game.state.drawn, game.state.cup, game.state.turn) == ((), (), 1)


def test_15_1_1_there_is_no_movement_and_no_chit_is_spent() -> None:
    game: Game = hexwar.new_game("ava", "leningrad", seed=1, options={"auto-setup": True})
    assert phases(game.log()) == ["set-up", "surprise"]
    assert game.why_not(Move("ger-1pz", "L0630")) is not None
    log = game.apply(Done())
    assert phases(log) == ["selection"]
    assert game.state.active == ()
    assert Select("ger-4pzg") in game.legal_actions("axis")
    assert Select("manstein", True) in game.legal_actions("axis")


def surprise(units: dict[str, str], *chance: int) -> Game:
    return position(units, path=(1,), board=SMALL, chance=chance, phase="set-up")


def test_15_1_1_units_of_two_panzer_groups_attack_together_and_a_hex_once() -> None:
    units = {"ger-2pzg": "0303", "ger-3pz": "0405", "ger-3pzg": "0705", "ger-7pz": "0606", "su-10": "0505"}
    game = surprise(units, 6)
    assert game.world.board.adjacent("0405", "0505")
    assert game.world.board.adjacent("0606", "0505")
    game.apply(Declare("ger-3pz", "0505"))
    game.apply(Declare("ger-7pz", "0505"))
    game.apply(Done())
    rolled = [event for event in game.events if event.kind == "dice-rolled"]
    assert len(rolled) == 1, "one attack of both together"
    assert game.why_not(Declare("ger-2pzg", "0505"), "axis") is not None


def test_15_1_2_only_its_own_formation_and_only_in_range() -> None:
    units = {
        "ger-3pzg": "0505",
        "ger-7pz": "0905",  # 3PzG, four hexes away
        "ger-12pz": "1005",  # 3PzG, five
        "ger-8": "0506",  # 9A, next to it
        "ger-3pz": "0605",  # 2PzG, whose headquarters is not on the map
        "su-10": "0405",
    }
    game = surprise(units)
    assert game.world.board.distance("0505", "0905") == 4
    assert game.world.board.distance("0505", "1005") == 5
    assert set(game.state.active) == {"ger-3pzg", "ger-7pz"}
    refusal = game.why_not(Declare("ger-8", "0405"))
    assert refusal is not None
    assert Declare("ger-3pzg", "0405") in game.legal_actions(), "the headquarters itself may attack"


def test_15_1_2_the_neighbour_of_another_army_may_not_join() -> None:
    """In a normal activation the same infantry division would."""
    units = {"ger-3pzg": "0505", "ger-8": "0506", "ger-7pz": "0605", "su-10": "0507"}
    game = surprise(units)
    assert "ger-8" not in game.state.active
    with pytest.raises(hexwar.Refusal):
        game.apply(Declare("ger-8", "0507"))
    normal = position(units, path=(2, 1), board=SMALL, cup=["ger-3pzg-1"], chance=[1])
    normal.apply(Done())
    assert set(normal.state.active) == {"ger-3pzg", "ger-8", "ger-7pz"}


def test_15_1_2_without_its_headquarters_a_panzer_group_does_not_attack() -> None:
    game = surprise({"ger-7pz": "0605", "su-10": "0606"})
    assert game.state.active == ()
    assert game.state.phase == "selection"


def test_15_1_1_nobody_interrupts_the_surprise_attack() -> None:
    game = surprise({"ger-4pzg": "0605", "ger-1pz": "0606", "su-10": "0607"})
    assert game.to_move == ("axis",)
    assert game.why_not(Interrupt("manstein")) is not None
    refused_moves = [game.why_not(Move("ger-1pz", "0505")), game.why_not(Select("ger-4pzg"))]
    assert all(refused_moves)
