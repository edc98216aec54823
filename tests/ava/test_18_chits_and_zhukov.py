"""18.1 to 18.3: the map, the units and the chits of each scenario; Zhukov; 19.1: what the campaign is made of."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Action, Event, Game
from hexwar.mechanics import Move, Moving, Pursue
from hexwar.pieces import ChitDrawn, Done, Interrupt, Ready, Select
from hexwar_ava.activation import Interrupting
from hexwar_ava.chits import AddChit, Adding
from hexwar_ava.turn import CallingZhukov, CallZhukov
from tests.ava.helpers import content
from tests.ava.table import declaring, field, moving, of_kind, position, pursuing, refused, seen, told

SMALL = field(size=(14, 12))
MAPS = {"leningrad": "L", "smolensk": "S", "smolensk-short": "S", "kiev": "K"}


def world(scenario: str) -> Any:
    return position({}, path=(2, 0), board=SMALL, scenario=scenario).world


# -- 18.1.1, 18.2.1, 18.3.1 maps and units; 19.1 the campaign ----------------------------------------------------------


def only_one_map(scenario: str) -> None:
    letter = MAPS[scenario]
    game: Game = hexwar.new_game("ava", scenario, seed=1)
    assert {label[0] for label in game.world.board.labels} == {letter}
    expected = {unit.id for unit in content().units.values() if unit.sheet == letter}
    units = {unit for unit, counter in game.world.units.items() if counter.arm != "fortress"}
    assert units == expected
    assert set(game.state.locations) == set(game.world.units)
    assert {chit.sheet for chit in game.world.chits.values()} == {letter, None}


def test_18_1_1_leningrad_has_its_map_and_its_units_only() -> None:
    only_one_map("leningrad")


@pytest.mark.parametrize("scenario", ["smolensk", "smolensk-short"])
def test_18_2_1_smolensk_has_its_map_and_its_units_only(scenario: str) -> None:
    only_one_map(scenario)


def test_18_3_1_kiev_has_its_map_and_its_units_only() -> None:
    only_one_map("kiev")


def test_19_1_1_the_campaign_has_all_units_but_the_transfer() -> None:
    units = {unit for unit, counter in world("campaign").units.items() if counter.arm != "fortress"}
    assert set(content().units) - units == {"ger-12pz-l", "ger-18m-l", "ger-20m-l"}
    assert units <= set(content().units)
    assert {"ger-12pz", "ger-18m", "ger-20m"} <= units, "they are there already, on the Smolensk map"
    board = hexwar.new_game("ava", "campaign", seed=1).world.board
    assert {label[0] for label in board.labels} == {"L", "S", "K"}


def test_19_1_2_one_supply_check_and_one_reinforcements_chit_a_side() -> None:
    chits = world("campaign").chits.values()
    assert [chit.id for chit in chits if chit.kind == "supply"] == ["supply"]
    assert sorted(chit.id for chit in chits if chit.kind == "reinforcements") == ["axis-reinforcements", "soviet-reinforcements"]
    assert not [chit.id for chit in chits if chit.kind in ("direct", "master")]


# -- chits -------------------------------------------------------------------------------------------------------------


def available(scenario: str, turn: int, side: str) -> list[str]:
    """What a side may select in a turn, by the names of the rulebook."""
    game = position({}, path=(2, 0), board=SMALL, scenario=scenario, turn=turn)
    names = [game.world.chits[chit].name.split(" (")[0] for chit in game.world.cup.available(game.position, side)]
    return sorted(name.replace("Axis ", "").replace("Soviet ", "") for name in names)


def listed(names: str) -> list[str]:
    return sorted(name.strip() for name in names.split(","))


def chits_are(scenario: str, axis: dict[int, str], soviet: dict[int, str]) -> None:
    """Check what comes in which turn, and that everything stays."""
    for side, schedule in (("axis", axis), ("soviet", soviet)):
        expected: list[str] = []
        for turn in range(1, 10):
            expected = sorted([*expected, *(listed(schedule[turn]) if turn in schedule else [])])
            assert available(scenario, turn, side) == expected, (side, turn)
    assert world(scenario).cup.common(None) == ("supply",)


@pytest.mark.clause("18.1.2")
def test_18_1_3_the_chits_of_leningrad() -> None:
    chits_are(
        "leningrad", {1: "4PzG, 16A, 18A, Manstein", 4: "Reinforcements"}, {1: "8A, 11A", 2: "27A", 3: "23A", 4: "Reinforcements"}
    )


@pytest.mark.clause("18.2.2")
def test_18_2_3_the_chits_of_smolensk() -> None:
    axis = {1: "2PzG, 3PzG, 3PzG, 4A, 9A, Guderian", 4: "Reinforcements, 2A"}
    chits_are("smolensk", axis, {1: "3A, 4A, 10A", 2: "13A, 20A, 21A", 3: "16A, 19A, 22A", 4: "Reinforcements"})


@pytest.mark.clause("18.3.2")
def test_18_3_3_the_chits_of_kiev() -> None:
    axis = {1: "1PzG, 1PzG, 6A, 17A", 2: "11A, RUM 3A, RUM 4A", 4: "Reinforcements"}
    chits_are("kiev", axis, {1: "5A, 6A, 26A", 2: "9A, 12A, 18A", 4: "Reinforcements"})


# -- 18.1.4 armies of choice -------------------------------------------------------------------------------------------


def begin(turn: int, scenario: str = "leningrad", *chance: int, **more: Any) -> Game:
    """The beginning of a turn."""
    return position({}, path=(2, 0), board=SMALL, scenario=scenario, turn=turn, chance=chance, **more)


@pytest.mark.parametrize("scenario", ["leningrad", "smolensk", "kiev"])
@pytest.mark.clause("18.2.3", "18.3.3")
def test_18_1_4_one_army_a_turn_from_turn_4(scenario: str) -> None:
    assert begin(3, scenario).to_move == ("axis", "soviet"), "in turn 3 nobody is asked"
    game = begin(4, scenario)
    assert game.to_move == ("soviet",)
    choices = [action.chit for action in game.legal_actions() if isinstance(action, AddChit)]
    assert len(choices) == len(game.legal_actions()) >= 5
    assert all(game.world.chits[chit].kind == "hq" for chit in choices)
    game.apply(AddChit(choices[2]))
    assert set(game.to_move) == {"axis", "soviet"}, "one and no more"
    assert Select(choices[2]) in game.legal_actions("soviet")
    refused(game, Select(choices[0]), "15.2.1", "not available", side="soviet")


def test_18_1_4_it_stays_available() -> None:
    game = begin(6, added={"soviet": ["su-34a", "su-48a"]})
    assert [action.chit for action in game.legal_actions() if isinstance(action, AddChit)] == [
        "su-42a",
        "su-52a",
        "su-54a",
        "su-55a",
    ]
    refused(game, AddChit("su-34a"), "18.1.4", "not one of the armies")
    refused(game, AddChit("su-8a"), "18.1.4")
    game.apply(AddChit("su-42a"))
    wanted = {"su-34a", "su-48a", "su-42a"}
    assert wanted <= {action.chit for action in game.legal_actions("soviet") if isinstance(action, Select)}


def test_18_1_4_the_other_side_remembers_the_armies_that_it_has_seen() -> None:
    game = begin(6, added={"soviet": ["su-34a", "su-48a"]})
    state = game.state.copy()
    state.cup = ("su-48a", "su-8a")
    for chit in state.cup:
        ChitDrawn(chit, clause="7.1.1").apply(state)
    assert state.known_added == ("su-48a",)
    assert state.seen_by(game.world.viewer("axis")).known_added == ("su-48a",)


def test_18_1_4_a_map_without_more_armies_asks_nobody() -> None:
    game = begin(9, "smolensk", added={"soviet": ["su-24a", "su-28a", "su-29a", "su-30a", "su-50a"]})
    assert game.to_move == ("axis", "soviet")


@pytest.mark.clause("15.2.1")
def test_18_1_4_the_campaign_adds_one_of_each_map() -> None:
    game = begin(4, "campaign")
    letters = []
    while isinstance(game.state.stack[-1], Adding):
        offered = [action.chit for action in game.legal_actions() if isinstance(action, AddChit)]
        (letter,) = {game.world.chits[chit].sheet for chit in offered}
        letters.append(letter)
        game.apply(AddChit(offered[0]))
    assert letters == ["L", "S", "K"]


def test_18_1_4_the_choice_is_a_secret() -> None:
    one, other = begin(4), begin(4)
    one.apply(AddChit("su-34a"))
    other.apply(AddChit("su-55a"))
    assert seen(one, "axis") == seen(other, "axis")
    assert seen(one, "soviet") != seen(other, "soviet")


# -- 18.1.9 Zhukov is called -------------------------------------------------------------------------------------------

CITY = {"Leningrad": "0604 0605 0704"}
NEVA = field(size=(14, 12), major=CITY)
"""The city has the shape of the real one (L3602, L3603, L3702)."""


def reached(events: list[Event]) -> list[str]:
    return [event.clause for event in events if event.kind == "city-reached"]


def test_18_1_9_the_city_of_the_scenario_is_that_of_three_hexes() -> None:
    board = hexwar.new_game("ava", "leningrad", seed=1).world.board
    assert set(board.find("Leningrad").hexes) == {"L3602", "L3603", "L3702"}


@pytest.mark.parametrize(
    ("part", "label"), [("0604", "0603"), ("0605", "0606"), ("0704", "0804"), ("0604", "0503"), ("0605", "0505")]
)
def test_18_1_9_next_to_any_hex_of_the_city(part: str, label: str) -> None:
    board = position({}, path=(2, 0), board=NEVA, scenario="leningrad").world.board
    assert part in board.neighbours(label)
    start = next(far for far in board.neighbours(label) if all(board.distance(far, h) > 1 for h in CITY["Leningrad"].split()))
    game = position({"ger-21": start}, moving("ger-21"), board=NEVA, scenario="leningrad")
    assert not game.state.city_reached
    assert reached(game.apply(Move("ger-21", label))) == ["18.1.9"]
    assert game.state.city_reached


def test_18_1_9_two_hexes_away_is_not_enough() -> None:
    game = position({"ger-21": "0608"}, moving("ger-21"), board=NEVA, scenario="leningrad")
    assert reached(game.apply(Move("ger-21", "0607"))) == []
    assert not game.state.city_reached


def test_18_1_9_passing_by_is_enough_and_it_is_told_once() -> None:
    board = field(size=(14, 12), major=CITY, land=["0407", "0406", "0506", "0606", "0706", "0806", "0604", "0605", "0704"])
    game = position({"ger-36m": "0407", "ger-21": "0406"}, moving("ger-36m", "ger-21"), board=board, scenario="leningrad")
    assert reached(game.apply(Move("ger-36m", "0806"))) == ["18.1.9"]
    assert reached(game.apply(Move("ger-21", "0606"))) == []


def test_18_1_9_a_pursuit_counts_too() -> None:
    game = position({"ger-21": "0607"}, pursuing("0606", "ger-21"), board=NEVA, scenario="leningrad")
    (pursuit,) = [action for action in game.legal_actions() if isinstance(action, Pursue) and action.unit == "ger-21"]
    assert reached(game.apply(pursuit)) == ["18.1.9"]


def test_18_1_9_soviet_units_do_not_count() -> None:
    game = position({"su-10": "0607"}, moving("su-10", seat="soviet"), board=NEVA, scenario="leningrad")
    game.apply(Move("su-10", "0606"))
    assert not game.state.city_reached


def test_18_1_9_no_other_scenario_has_zhukov() -> None:
    for scenario in ("campaign", "smolensk", "kiev"):
        unit = {"campaign": "ger-21", "smolensk": "ger-8", "kiev": "ger-44"}[scenario]
        game = position({unit: "0607"}, moving(unit), board=NEVA, scenario=scenario)
        assert reached(game.apply(Move(unit, "0606"))) == []


def ending(turn: int, **more: Any) -> Game:
    """The end of a turn."""
    return position({}, path=(2, 3), board=SMALL, scenario="leningrad", turn=turn, **more)


def test_18_1_9_the_soviets_may_call_him_once_the_city_is_reached() -> None:
    assert not isinstance(ending(3).state.stack[-1], CallingZhukov)
    game = ending(3, city_reached=True)
    assert game.to_move == ("soviet",)
    assert isinstance(game.state.stack[-1], CallingZhukov)
    log = game.apply(CallZhukov())
    assert [(event.to_json()["turn"], event.clause) for event in log if event.kind == "zhukov-called"] == [(3, "18.1.9")]
    assert (game.state.zhukov, game.state.turn) == (3, 4)


def test_18_1_9_they_may_wait_and_are_asked_again() -> None:
    game = ending(5, city_reached=True)
    game.apply(Done())
    assert (game.state.zhukov, game.state.turn) == (0, 6)
    assert isinstance(ending(6, city_reached=True).state.stack[-1], CallingZhukov)


def test_18_1_9_he_is_called_once() -> None:
    game = ending(6, city_reached=True, zhukov=5)
    assert not isinstance(game.state.stack[-1], CallingZhukov)
    assert game.state.turn == 7


# -- 18.1.10 the chit is held ------------------------------------------------------------------------------------------

CHIT = "soviet-reinforcements"


def holding(turn: int, zhukov: int, *chance: int) -> Game:
    """A selection with Zhukov, after the army of the turn was added."""
    game = begin(turn, "leningrad", *chance, zhukov=zhukov, city_reached=bool(zhukov))
    while isinstance(game.state.stack[-1], Adding):
        game.apply(game.legal_actions()[0])
    return game


def test_18_1_10_from_the_turn_after_he_was_called() -> None:
    same = holding(5, 5)
    refused(same, Select(CHIT, True), "6.3.1", "may not be held", side="soviet")
    game = holding(6, 5)
    assert {Select(CHIT), Select(CHIT, True)} <= set(game.legal_actions("soviet"))
    game.apply(Select(CHIT, True), "soviet")
    assert game.state.hand == {"soviet": (CHIT,)}
    assert Select(CHIT, True) in holding(9, 5).legal_actions("soviet"), "in every later turn"


def test_18_1_10_called_at_the_end_of_a_turn_he_commands_in_the_next() -> None:
    game = ending(4, city_reached=True)
    game.apply(CallZhukov())
    while isinstance(game.state.stack[-1], Adding):
        game.apply(game.legal_actions()[0])
    assert Select(CHIT, True) in game.legal_actions("soviet")


def test_18_1_10_only_that_chit_and_only_the_soviets() -> None:
    game = holding(6, 5)
    refused(game, Select("su-8a", True), "6.3.1", "may not be held", side="soviet")
    refused(game, Select("axis-reinforcements", True), "6.3.1", "may not be held", side="axis")


def test_18_1_10_it_may_still_go_into_the_cup() -> None:
    game = holding(6, 5, 1)
    game.apply(Select(CHIT), "soviet")
    game.apply(Ready(), "soviet")
    game.apply(Ready(), "axis")
    assert game.state.drawn == (CHIT,)
    assert game.state.hand == {}


def test_18_1_10_the_held_chit_uses_up_one_of_the_number() -> None:
    game = holding(6, 5)
    game.apply(Select(CHIT, True), "soviet")
    for chit in ("su-8a", "su-11a", "su-27a", "su-23a"):
        game.apply(Select(chit), "soviet")
    refused(game, Select("su-34a"), "6.2.1", "no more than 5", side="soviet")


def test_18_1_10_before_turn_4_there_is_nothing_to_hold() -> None:
    game = holding(3, 2, 1)
    refused(game, Select(CHIT, True), "15.2.1", side="soviet")
    game.apply(Ready(), "soviet")
    game.apply(Ready(), "axis")
    assert isinstance(game.state.stack[-1], Interrupting)
    log = game.apply(Done())
    assert not isinstance(game.state.stack[-1], Interrupting), "everybody knows that the Soviets hold nothing"
    assert "activation" in [event.to_json()["phase"] for event in log if event.kind == "phase-entered"]


@pytest.mark.clause("7.3.5")
def test_18_1_10_unplayed_it_is_played_before_the_end() -> None:
    game = drawing("su-8a", 1, axis="", soviet=CHIT)
    for _ in range(3):
        game.apply(Done())
    played = [event for event in game.events if event.kind == "chit-played"]
    assert [(event.to_json()["side"], event.to_json()["chit"], event.clause) for event in played] == [("soviet", CHIT, "7.3.5")]
    assert game.state.stack[-1].kind == "arriving"


def test_18_1_10_the_axis_plays_its_held_chits_first() -> None:
    game = drawing("su-8a", 1, axis="manstein", soviet=CHIT)
    for _ in range(20):
        if game.state.turn == 7:
            break
        game.apply(game.legal_actions()[0])
    played = [event.to_json()["chit"] for event in game.events if event.kind == "chit-played"]
    assert played == ["manstein", CHIT]


# -- 18.1.11, 18.1.12 the chit is played -------------------------------------------------------------------------------


def drawing(cup: str, *chance: int, axis: str, soviet: str, **more: Any) -> Game:
    """A draw in turn 6; Zhukov was called in turn 5."""
    hand = {side: [chit] for side, chit in (("axis", axis), ("soviet", soviet)) if chit}
    units = {"su-8a": "1010", "ger-4pzg": "0303", "ger-16a": "0505", "ger-1pz": "0304"}
    board = field(size=(14, 12), rail=["1412 1312"], areas={"supply axis": ["0101"], "supply soviet": ["1412"]})
    return position(
        units,
        path=(2, 1),
        board=board,
        scenario="leningrad",
        **{"turn": 6, "zhukov": 5, "city_reached": True, "cup": sorted(cup.split()), "hand": hand, "chance": chance, **more},
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_18_1_11_the_drawn_chit_goes_back_and_reinforcements_come(number: int) -> None:
    game = drawing("ger-16a su-8a supply", number, axis="", soviet=CHIT)
    cup = ("ger-16a", "su-8a", "supply")
    assert game.state.drawn == (cup[number - 1],)
    assert game.to_move == ("axis",), "the Axis is asked first"
    game.apply(Done())
    assert game.to_move == ("soviet",)
    assert "18.1.11" in game.prompt("soviet")
    log = game.apply(Interrupt(CHIT))
    assert game.state.cup == cup
    assert game.state.drawn == (CHIT,)
    assert game.state.hand == {}
    assert [event.clause for event in log if event.kind in ("chit-returned", "chit-played")] == ["18.1.11", "18.1.11"]
    assert game.to_move == ("soviet",)
    assert game.state.stack[-1].kind == "arriving", "at once, and before anything else"


def test_18_1_11_the_soviets_may_let_it_be() -> None:
    game = drawing("su-8a", 1, axis="", soviet=CHIT)
    game.apply(Done())
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Moving)
    assert game.state.hand == {"soviet": (CHIT,)}


def test_18_1_11_what_is_not_held_is_not_played() -> None:
    game = drawing("su-8a", 1, axis="", soviet="")
    game.apply(Done())
    assert game.to_move == ("soviet",)
    assert game.legal_actions() == [Done()]
    refused(game, Interrupt(CHIT), "18.1.10", "not held")


def test_18_1_11_without_zhukov_the_soviets_are_not_asked() -> None:
    for zhukov in (0, 6):
        game = drawing("su-8a", 1, axis="", soviet="", zhukov=zhukov)
        game.apply(Done())
        assert isinstance(game.state.stack[-1], Moving)


def test_18_1_12_zhukov_cannot_cancel_manstein() -> None:
    game = drawing("su-8a supply", 1, 1, axis="manstein", soviet=CHIT)
    game.apply(Interrupt("manstein"))
    assert game.state.active == ("ger-4pzg", "ger-1pz")
    assert isinstance(game.state.stack[-1], Moving), "the Soviets are not asked"
    assert game.why_not(Interrupt(CHIT), "soviet") is not None
    game.apply(Done())
    assert game.state.drawn == ("manstein", "su-8a")
    assert game.to_move == ("soviet",), "they must wait for the next draw"
    game.apply(Interrupt(CHIT))
    assert game.state.drawn == ("manstein", CHIT)


def test_18_1_12_manstein_cannot_cancel_reinforcements_that_were_not_drawn() -> None:
    game = drawing("su-8a supply", 1, 1, axis="manstein", soviet=CHIT)
    game.apply(Done())
    game.apply(Interrupt(CHIT))
    assert game.to_move == ("soviet",)
    assert game.why_not(Interrupt("manstein"), "axis") is not None
    game.apply(Done())
    assert game.to_move == ("axis",), "but he may interrupt the next draw"
    assert Interrupt("manstein") in game.legal_actions()


@pytest.mark.clause("6.1.3", "18.1.10")
def test_18_1_11_being_asked_does_not_tell_whether_the_chit_is_held() -> None:
    """The Soviets are asked at every draw as long as the chit has not been seen; the Axis sees the same."""
    probes: tuple[Action, ...] = (Done(), Interrupt(CHIT), Interrupt("manstein"))
    one, other = [drawing("ger-16a su-8a supply", 1, 1, axis="", soviet=held) for held in (CHIT, "")]
    for _ in range(5):
        assert seen(one, "axis") == seen(other, "axis")
        assert one.to_move == other.to_move
        assert [one.why_not(probe, "axis") for probe in probes] == [other.why_not(probe, "axis") for probe in probes]
        for game in (one, other):
            game.apply(Done())
    assert one.state.drawn == ("ger-16a", "su-8a")


def test_18_1_11_nobody_is_asked_once_the_chit_lies_open() -> None:
    game = drawing("su-8a", 1, axis="", soviet="", drawn=[CHIT])
    game.apply(Done())
    assert isinstance(game.state.stack[-1], Moving)


def test_18_1_10_how_the_soviets_keep_it_is_a_secret() -> None:
    one, other = [holding(6, 5) for _ in range(2)]
    one.apply(Select(CHIT, True), "soviet")
    other.apply(Select(CHIT), "soviet")
    assert seen(one, "axis") == seen(other, "axis")
    assert seen(one, "soviet") != seen(other, "soviet")


# -- 7.3.5 what the end of a turn tells ----------------------------------------------------------------------------------------


def last_attack(**state: Any) -> Game:
    """The last chit of turn 5 was Soviet, its combat segment has begun, and the Axis holds nothing."""
    units = {"su-8a": "1005", "su-10": "0505", "ger-4pzg": "0205", "ger-21": "0405"}
    segment = declaring("su-10", seat="soviet")
    return position(
        units, segment, path=(2, 1, 4), board=SMALL, scenario="leningrad", turn=5, phase="combat", drawn=["su-8a"], **state
    )


@pytest.mark.clause("7.3.5", "18.1.9")
@pytest.mark.parametrize(("city_reached", "asked"), [(True, CallingZhukov), (False, Adding)])
def test_7_3_5_nobody_takes_back_what_ended_a_turn_in_which_a_chit_might_have_been_held(city_reached: bool, asked: type) -> None:
    """The Soviets are asked next as well, about Zhukov or an army; but they have seen that no Manstein follows."""
    game = last_attack(city_reached=city_reached)
    events = game.apply(Done(), "soviet")
    assert isinstance(game.state.stack[-1], asked)
    assert game.to_move == ("soviet",)
    assert told(events, "hands-shown") == ["nobody holds a chit any more (7.3.5)"]
    assert not game.may_undo("soviet")
    with pytest.raises(hexwar.Refusal, match="nothing to take back"):
        game.undo("soviet")


@pytest.mark.clause("7.3.5")
def test_7_3_5_where_every_chit_lies_open_the_end_of_a_turn_tells_nothing() -> None:
    game = last_attack(city_reached=True)
    game._state.drawn = ("manstein", "su-8a")
    assert not of_kind(game.apply(Done(), "soviet"), "hands-shown")
    assert game.undo("soviet") == Done()
