"""18.0 The scenarios: what each adds to the rules of the campaign, and who has won it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive, Arriving, Entering
from hexwar.pieces import Done, total
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.supply import Relinquishing, SupplyCheck, Withdraw
from hexwar_ava.turn import CallingZhukov, EndingTurn
from tests.ava.helpers import content
from tests.ava.table import field, of_kind, position, refused, told

RESOLVING = (2, 1, 1)
TRANSFER = ["ger-12pz-l", "ger-18m-l", "ger-20m-l"]
SMALL = (14, 10)
AREAS = {"supply axis": ["0105"], "supply soviet": ["1405"]}
RAIL = " ".join(f"{column:02}05" for column in range(1, 15))


def ground(**more: Any) -> str:
    return field(**{"size": SMALL, "areas": AREAS, "rail": [RAIL], **more})


@cache
def at_start(scenario: str) -> Mapping[str, str]:
    """Who controls what when a scenario begins."""
    control: Mapping[str, str] = position({}, CallingZhukov("soviet"), board="", scenario=scenario).state.control
    return control


def holding(scenario: str, axis: Iterable[str]) -> dict[str, str]:
    return {**at_start(scenario), **dict.fromkeys(axis, "axis")}


def finish(game: Game) -> None:
    """Decline everything until the supply check is over."""
    for _ in range(9):
        if game.result is not None or len(game.to_move) > 1 or Done() not in game.legal_actions():
            break
        game.apply(Done())


def tanks(scenario: str, number: int) -> dict[str, str]:
    """So many Soviet mechanized units in the box of the eliminated ones."""
    units = [unit.id for unit in content().units_of(scenario).values() if unit.side == "soviet" and unit.mechanized]
    return dict.fromkeys(units[:number], "soviet eliminated")


# -- 18.0 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "letter"), [("leningrad", "L"), ("smolensk", "S"), ("smolensk-short", "S"), ("kiev", "K")])
def test_18_0_1_each_is_played_on_one_map(scenario: str, letter: str) -> None:
    game = position({}, CallingZhukov("soviet"), board="", scenario=scenario)
    assert {label[0] for label in game.world.board.labels} == {letter}
    assert {unit.sheet for unit in game.world.units.values()} == {letter}
    assert {chit.sheet for chit in game.world.chits.values() if chit.sheet} == {letter}


@pytest.mark.parametrize(
    ("scenario", "city", "source"), [("leningrad", "L3602", "L5519"), ("smolensk", "S4112", "S5521"), ("kiev", "K3507", "K5510")]
)
@pytest.mark.clause("16.2.1", "16.3.1")
def test_18_0_1_what_the_campaign_scores_they_score(scenario: str, city: str, source: str) -> None:
    control = holding(scenario, [city, source])
    game = position({}, CallingZhukov("soviet"), board="", scenario=scenario, control=control)
    assert [(score.points, score.clause) for score in game.query.score()] == [(10, "16.1.2"), (5, "16.2.1"), (10, "16.3.1")]


# -- 18.1 Leningrad, 18.3 Kiev: fortresses, reserve, the verdict ---------------------------------------------------------------

FORTS = {
    "leningrad": ("L", ["L3602", "L3603", "L3702", "L3910"], "18.1.5"),
    "kiev": ("K", ["K3507", "K3607", "K3608", "K3630"], "18.3.4"),
}


@pytest.mark.parametrize("scenario", FORTS)
@pytest.mark.clause("18.3.4")
def test_18_1_5_one_level_a_check_from_turn_4(scenario: str) -> None:
    letter, cities, _ = FORTS[scenario]
    for turn in range(1, 10):
        game = position({}, SupplyCheck(), board="", scenario=scenario, turn=turn)
        assert isinstance(game.state.stack[-1], Building) == (turn >= 4), turn
        if turn >= 4:
            game.apply(Build(cities[0]))
            assert not isinstance(game.state.stack[-1], Building)
            assert game.state.steps_left[f"fort-{letter.lower()}1"] == 1


@pytest.mark.parametrize("scenario", FORTS)
@pytest.mark.clause("18.3.4")
def test_18_1_5_in_three_hexes_at_most(scenario: str) -> None:
    letter, cities, clause = FORTS[scenario]
    markers = [f"fort-{letter.lower()}{number}" for number in (1, 2, 3)]
    two = dict(zip(markers[:2], cities[:2], strict=True))
    game = position(two, SupplyCheck(), board="", scenario=scenario, turn=4, reduced=two)
    assert Build(cities[3]) in game.legal_actions(), "a third"
    three = dict(zip(markers, cities[:3], strict=True))
    game = position(three, SupplyCheck(), board="", scenario=scenario, turn=4, reduced=three)
    refused(game, Build(cities[3]), clause, "no more than 3")
    assert [action for action in game.legal_actions() if isinstance(action, Build)] == [Build(label) for label in cities[:3]]


@pytest.mark.parametrize("scenario", ["leningrad", "kiev"])
@pytest.mark.parametrize("turn", [6, 9])
@pytest.mark.clause("18.3.5")
def test_18_1_6_no_strategic_reserve(scenario: str, turn: int) -> None:
    areas = {**AREAS, "supply moscow": ["1405"]}
    chits: dict[str, Any] = {"path": RESOLVING, "turn": turn, "drawn": ["soviet-reinforcements"]}
    game = position({}, board=ground(areas=areas), scenario=scenario, **chits)
    number = 0
    while isinstance(game.state.stack[-1], Arriving):
        game.apply(game.legal_actions()[-1])
        number += 1
    assert number == 6
    assert not isinstance(game.state.stack[-1], Entering)


@pytest.mark.parametrize("scenario", ["leningrad", "kiev"])
@pytest.mark.clause("18.3.5")
def test_18_1_6_no_okh(scenario: str) -> None:
    assert content().scenario(scenario).direct.okh is None
    assert content().scenario("campaign").direct.okh is not None
    game = position({}, CallingZhukov("soviet"), board="", scenario=scenario)
    assert "okh" not in game.world.chits


def test_18_1_7_three_units_of_3pzg_wait_on_the_turn_track() -> None:
    game = hexwar.new_game("ava", "leningrad", seed=1, options={"auto-setup": True})
    assert {unit for unit, label in game.state.locations.items() if label == "turn 7"} == set(TRANSFER)
    assert all(game.state.steps_left[unit] == game.world.units[unit].steps for unit in TRANSFER)
    assert {game.world.units[unit].formation for unit in TRANSFER} == {"3PzG"}
    assert not set(TRANSFER) & set(content().units_of("campaign"))


@pytest.mark.clause("5.0.8")
def test_18_1_7_until_turn_7_begins() -> None:
    for turn, where in ((5, "turn 7"), (6, "axis available")):
        game = position({}, EndingTurn(), board="", scenario="leningrad", turn=turn, path=(2, 0))
        assert game.state.turn == turn + 1
        assert {game.state.locations[unit] for unit in TRANSFER} == {where}


def reinforcements(turn: int) -> Game:
    """The Axis Reinforcements chit is drawn in Leningrad, where one unit a turn comes; the three are in the box."""
    chits: dict[str, Any] = {"path": RESOLVING, "turn": turn, "drawn": ["axis-reinforcements"]}
    return position(dict.fromkeys(TRANSFER, "axis available"), board=ground(), scenario="leningrad", **chits)


def test_18_1_8_in_turn_7_they_come_on_top_of_the_others() -> None:
    game = reinforcements(7)
    for number, unit in enumerate(TRANSFER):
        refused(game, Arrive("ger-93", "0205"), "18.1.8")
        label = f"0{number + 2}05"
        assert told(game.apply(Arrive(unit, label)), "unit-placed") == [f"{unit} arrives at {label} (18.1.8)"]
    game.apply(Arrive("ger-93", "0205"))
    assert not isinstance(game.state.stack[-1], Arriving)
    placed = [event.unit for event in of_kind(game.events, "unit-placed")]
    assert placed == [*TRANSFER, "ger-93"]


def test_18_1_8_up_to_three() -> None:
    game = reinforcements(7)
    game.apply(Arrive(TRANSFER[0], "0205"))
    game.apply(Done())
    game.apply(Arrive("ger-93", "0205"))
    assert not isinstance(game.state.stack[-1], Arriving)
    assert game.state.locations[TRANSFER[1]] == "axis available"


@pytest.mark.parametrize("turn", [8, 9])
def test_18_1_8_later_they_are_ordinary_reinforcements(turn: int) -> None:
    game = reinforcements(turn)
    assert Arrive("ger-93", "0205") in game.legal_actions()
    game.apply(Arrive(TRANSFER[0], "0205"))
    assert not isinstance(game.state.stack[-1], Arriving), "one unit may come"


CITIES = {
    "leningrad": ["L3602", "L3603", "L3702", "L3910", "L2914"],
    "smolensk": ["S5120", "S3726", "S2517", "S5003", "S4112", "S3510", "S5009", "S5521"],  # seven cities and a source
    "smolensk-short": ["S5120", "S3726", "S2517", "S5003", "S4112"],
    "kiev": ["K5418", "K3507", "K3607", "K3608", "K0811"],
}


def verdict(scenario: str, turn: int, points: int) -> Game:
    """The supply check of a turn, in which the Axis has so many points: the hexes above make ten each, tanks the rest.

    Another chit is still in the cup.
    """
    state: dict[str, Any] = {"control": holding(scenario, CITIES[scenario]), "stand_fast": [], "cup": ["axis-reinforcements"]}
    units = tanks(scenario, points - 10 * len(CITIES[scenario]))
    game = position(units, SupplyCheck(), board="", scenario=scenario, turn=turn, chance=[1], **state)
    assert total(game.query.score(), "axis") == points
    finish(game)
    return game


@pytest.mark.parametrize(
    ("scenario", "turn", "needed", "clause"),
    [
        ("leningrad", 9, 54, "18.1.15"),
        ("smolensk-short", 6, 60, "18.2.7"),
        ("smolensk", 9, 85, "18.2.8"),
        ("kiev", 9, 52, "18.3.6"),
    ],
)
@pytest.mark.clause("18.1.15", "18.2.7", "18.2.8", "18.3.6")
def test_18_1_15_who_has_won(scenario: str, turn: int, needed: int, clause: str) -> None:
    for points, winner in ((needed - 1, "soviet"), (needed, "axis"), (needed + 1, "axis")):
        game = verdict(scenario, turn, points)
        result = game.result
        assert result is not None
        assert game.state.cup == ("axis-reinforcements",), "the game ended at once"
        assert (result.winner, result.clause, result.scores) == (winner, clause, {"axis": points})


@pytest.mark.parametrize(
    ("scenario", "turn"), [("leningrad", 8), ("smolensk-short", 5), ("smolensk", 6), ("smolensk", 8), ("kiev", 8)]
)
@pytest.mark.clause("18.1.15", "18.2.7", "18.2.8", "18.3.6")
def test_18_1_15_not_before_the_last_turn(scenario: str, turn: int) -> None:
    game = verdict(scenario, turn, 10 * len(CITIES[scenario]) + 9)
    assert game.result is None


# -- 18.2 Smolensk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["smolensk", "smolensk-short"])
def test_18_2_4_no_fortresses(scenario: str) -> None:
    for turn in (4, 5, 6):
        game = position({}, SupplyCheck(), board="", scenario=scenario, turn=turn)
        assert not any(event.kind == "fortress-built" for event in game.events)
        assert not isinstance(game.state.stack[-1], Building)
        assert game.why_not(Build("S4112"), "soviet") is not None


PANZERS = {"ger-3pz": "0205", "ger-7pz": "0205", "ger-18m": "0305", "ger-20m": "0305", "ger-10m": "0405"}
"""Attack strengths 8, 8, 5, 5 and 5."""


def withdrawing(units: Mapping[str, str], turn: int = 6, scenario: str = "smolensk", **more: Any) -> Game:
    """A supply check, in which nobody goes into the box where that is asked first."""
    game = position(units, SupplyCheck(), board=ground(**more.pop("map", {})), scenario=scenario, turn=turn, **more)
    if Done() in game.legal_actions() and game.to_move == ("axis",):
        game.apply(Done())
    return game


def gone(game: Game) -> list[str]:
    """The units that were withdrawn for good."""
    return [event.unit for event in of_kind(game.events, "unit-withdrawn") if event.to == "axis eliminated"]


@pytest.mark.parametrize("scenario", ["smolensk", "smolensk-short"])
def test_18_2_5_mechanized_units_with_18_points_go_in_turn_6(scenario: str) -> None:
    game = withdrawing({**PANZERS, "ger-7": "0605"}, scenario=scenario)
    assert game.to_move == ("axis",)
    assert game.legal_actions() == [Withdraw(unit) for unit in game.world.units if unit in PANZERS], "it must be done"
    refused(game, Withdraw("ger-7"), "18.2.5", "mechanized")
    refused(game, Withdraw("ger-4pz"), "18.2.5", "on the map")
    events = game.apply(Withdraw("ger-18m"))
    assert told(events, "unit-withdrawn") == ["ger-18m goes to the box axis eliminated (18.2.5)"]
    game.apply(Withdraw("ger-20m"))
    assert isinstance(game.state.stack[-1], Relinquishing), "10 of 18"
    game.apply(Withdraw("ger-3pz"))
    assert not any(isinstance(step, Relinquishing) for step in game.state.stack), "exactly 18"
    assert gone(game) == ["ger-18m", "ger-20m", "ger-3pz"]
    assert game.state.locations["ger-7pz"] == "0205"


@pytest.mark.clause("11.2.1", "11.2.2")
def test_18_2_5_it_is_owed_before_units_may_go_into_the_box() -> None:
    """Otherwise the box would keep all of them for the next turn (11.2.3)."""
    units = {**PANZERS, "ger-7": "0605"}
    game = withdrawing(units)
    for unit in ("ger-3pz", "ger-7pz", "ger-18m"):
        (offered, *_) = [action for action in game.legal_actions() if action == Withdraw(unit)]
        game.apply(offered)
        assert game.state.locations[unit] == "axis eliminated", "not the box, whatever the Axis would like"
    assert Done() in game.legal_actions(), "21 of 18 have gone: now the box is open"
    events = game.apply(Withdraw("ger-20m"))
    assert told(events, "unit-withdrawn") == ["ger-20m goes to the box axis available (11.2.1)"]
    game.apply(Done())
    assert gone(game) == ["ger-3pz", "ger-7pz", "ger-18m"], "and nothing is owed a second time"


def test_18_2_5_17_are_not_enough() -> None:
    game = withdrawing({"ger-dr": "0205", "ger-gd": "0205", "ger-3pz": "0305", "ger-7pz": "0305"})  # 6, 3, 8, 8
    for unit in ("ger-dr", "ger-gd", "ger-3pz"):
        game.apply(Withdraw(unit))
    assert gone(game) == ["ger-dr", "ger-gd", "ger-3pz", "ger-7pz"], "17, and the last one goes without a question"


@pytest.mark.parametrize("turn", [4, 5, 7, 9])
def test_18_2_5_in_no_other_turn(turn: int) -> None:
    game = withdrawing(PANZERS, turn=turn)
    finish(game)
    assert not any(isinstance(step, Relinquishing) for step in game.state.stack)
    assert not gone(game)


@pytest.mark.parametrize("scenario", ["campaign", "leningrad", "kiev"])
def test_18_2_5_in_no_other_scenario(scenario: str) -> None:
    unit = {"kiev": "ger-9pz"}.get(scenario, "ger-1pz")
    assert not gone(withdrawing({unit: "0205"}, scenario=scenario))


def test_18_2_5_the_strength_is_that_of_the_side_that_shows() -> None:
    game = withdrawing(PANZERS, reduced=PANZERS)  # 4, 4, 3, 3 and 3
    assert sorted(gone(game)) == sorted(PANZERS), "17 in all: everything goes"


def test_18_2_5_all_go_if_there_is_not_enough() -> None:
    game = withdrawing({"ger-3pz": "0205", "ger-7": "0305"})
    assert gone(game) == ["ger-3pz"]
    assert game.state.locations["ger-7"] == "0305"
    assert not gone(withdrawing({"ger-7": "0305"}))


def test_18_2_5_no_line_is_needed() -> None:
    cut_off = {unit: f"{column:02}05" for column, unit in enumerate([*PANZERS, "ger-4pz"], 6)}
    game = withdrawing(cut_off, map={"rail": []})  # the check has reduced them
    assert game.to_move == ("axis",)
    assert not any(game.query.supply(unit).supplied for unit in cut_off)
    game.apply(Withdraw("ger-4pz"))
    assert gone(game) == ["ger-4pz"]


def test_18_2_5_only_units_on_the_map_count() -> None:
    game = withdrawing({**PANZERS, "ger-4pz": "axis available"})
    refused(game, Withdraw("ger-4pz"), "18.2.5")
    assert game.state.locations["ger-4pz"] == "axis available"


def test_18_2_6_the_axis_chooses_full_or_reduced_ones() -> None:
    game = withdrawing(PANZERS, reduced=["ger-3pz", "ger-18m"])  # 4, 8, 3, 5, 5
    for unit in ("ger-3pz", "ger-18m", "ger-20m"):
        game.apply(Withdraw(unit))
    assert isinstance(game.state.stack[-1], Relinquishing), "12 of 18"
    game.apply(Withdraw("ger-7pz"))
    assert gone(game) == ["ger-3pz", "ger-18m", "ger-20m", "ger-7pz"]


def test_18_2_6_they_score_nothing_and_are_gone_before_points_are_counted() -> None:
    units = {**PANZERS, **tanks("smolensk-short", 1)}
    game = withdrawing(units, scenario="smolensk-short")
    assert total(game.query.score(), "axis") == 6
    for unit in ("ger-3pz", "ger-7pz", "ger-18m"):
        game.apply(Withdraw(unit))
    game.apply(Done())
    assert game.result is not None, "the short game ends with this check"
    assert game.result.scores == {"axis": 3}


def test_18_2_6_they_do_not_come_back() -> None:
    units = {**PANZERS, "ger-4pz": "axis eliminated"}
    chits: dict[str, Any] = {"path": RESOLVING, "turn": 7, "drawn": ["axis-reinforcements"]}
    game = position(units, board=ground(), scenario="smolensk", **chits)
    refused(game, Arrive("ger-4pz", "0505"), "12.2.1")


def test_18_2_9_two_hexes_score_on_their_own() -> None:
    control = holding("smolensk", ["S4230", "S4730"])
    ring = dict(zip(("su-17", "su-24", "su-37"), ("S4229", "S4330", "S4129"), strict=True))
    for units, expected in (({}, [10, 10]), (ring, [5, 10])):
        game = position(units, CallingZhukov("soviet"), board="", scenario="smolensk", control=control)
        assert [(score.points, score.clause) for score in game.query.score()] == [(points, "18.2.9") for points in expected]
    one = position({}, CallingZhukov("soviet"), board="", scenario="smolensk", control=holding("smolensk", ["S4730"]))
    assert [score.points for score in one.query.score()] == [10]


def test_18_2_9_on_top_of_the_sources() -> None:
    control = holding("smolensk", ["S4730", "S5513"])
    game = position({}, CallingZhukov("soviet"), board="", scenario="smolensk", control=control)
    assert total(game.query.score(), "axis") == 30


@pytest.mark.parametrize("scenario", ["smolensk-short", "campaign"])
@pytest.mark.clause("2.1.8")
def test_18_2_9_in_the_full_game_only(scenario: str) -> None:
    control = holding(scenario, ["S4230", "S4730"])
    game = position({}, CallingZhukov("soviet"), board="", scenario=scenario, control=control)
    assert not game.query.score()


# -- N15 -----------------------------------------------------------------------------------------------------------------------

AROUND_VITEBSK = {"su-27": "S3509", "su-56": "S3611", "su-85": "S3411"}
AROUND_S4230 = {"su-17": "S4229", "su-24": "S4330", "su-37": "S4129"}
CUT_OFF = {"su-29t": "S3922", "su-33t": "S3922"}
"""With one step each: the check removes them."""
AROUND_THEM = {"ger-7": "S3921", "ger-23": "S4023", "ger-258": "S3823"}


@pytest.mark.parametrize(("vitebsk_has_a_line", "points", "winner"), [(False, 82, "soviet"), (True, 90, "axis")])
@pytest.mark.clause("16.1.2", "16.1.3", "16.1.4", "16.2.1", "16.3.1", "18.2.6", "18.2.8", "18.2.9")
def test_n15_the_final_score_of_smolensk(vitebsk_has_a_line: bool, points: int, winner: str) -> None:
    """The scenario has sixteen mechanized units, so that one is reduced, one in the box and none withdrawn."""
    mechanized = [unit.id for unit in content().units_of("smolensk").values() if unit.nation == "german" and unit.mechanized]
    assert len(mechanized) == 16
    rail = ["S0124", "S0224", "S0323", "S0423", "S0522", "S0622", "S0721", "S0822"]
    units = {unit: rail[number // 2] for number, unit in enumerate(mechanized)}
    units["ger-14m"] = "axis available"
    units |= {unit: box for unit, box in tanks("smolensk", 21).items() if unit not in CUT_OFF}
    assert sum(place == "soviet eliminated" for place in units.values()) == 19
    units |= CUT_OFF | AROUND_THEM | AROUND_S4230 | ({} if vitebsk_has_a_line else AROUND_VITEBSK)
    game = position(
        units,
        SupplyCheck(),
        board="",
        scenario="smolensk",
        turn=9,
        reduced=["ger-18m", *CUT_OFF],
        control=holding("smolensk", ["S4112", "S3510", "S3726", "S5521", "S4230"]),
        stand_fast=["S3510", "S4112", "S5003", "S5009", "S5120"],
    )
    lines = {label: game.query.supply(label, "axis").supplied for label in ("S4112", "S3510", "S3726", "S5521", "S4230")}
    assert lines == {"S4112": True, "S3510": vitebsk_has_a_line, "S3726": True, "S5521": True, "S4230": False}
    by_clause: dict[str, list[int]] = {}
    for score in game.query.score():
        by_clause.setdefault(score.clause, []).append(score.points)
    assert sorted(by_clause["16.1.2"]) == sorted([10, 10 if vitebsk_has_a_line else 5, 10])
    assert sorted(by_clause["16.2.1"]) == sorted([5, 5 if vitebsk_has_a_line else 2])
    assert (by_clause["16.3.1"], by_clause["18.2.9"]) == ([10], [5])
    assert (sum(by_clause["16.1.3"]), sum(by_clause["16.1.4"])) == (14, 21)
    finish(game)
    assert game.result is not None
    assert (game.result.winner, game.result.scores, game.result.clause) == (winner, {"axis": points}, "18.2.8")


# -- the Reserves chit, which needs the optional rule 17.2; see test_17_reserves.py ------------------------------------------


def test_18_1_13_the_numbers_of_the_leningrad_reserves_are_there_and_no_other_map_has_them() -> None:
    assert content().scenario("leningrad").direct.reserves == (1, 1, 2, 2, 3, 3)
    assert content().scenario("smolensk").direct.reserves == content().scenario("kiev").direct.reserves == (3, 3, 3, 3, 4, 5)


def test_18_1_14_without_the_optional_rule_no_reserves_chit_can_be_drawn() -> None:
    assert content().scenario("leningrad").reserves_hold_back
    assert not content().scenario("kiev").reserves_hold_back
    game: Game = hexwar.new_game("ava", "leningrad", seed=1, options={"auto-setup": True})
    world = game.world
    assert {chit.kind for chit in world.chits.values()} == {"hq", "interrupt", "reinforcements", "supply"}
