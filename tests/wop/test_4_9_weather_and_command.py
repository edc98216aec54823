"""4 and 9: weather, lines of command and tests of independence. Dice are given as they fall, 0 to 9, the weather last."""

from __future__ import annotations

import pytest

from hexwar.engine import DiceRolled
from hexwar_wop.command import is_under_command
from hexwar_wop.content import load_wop
from tests.wop.table import asked, played

WARSAW = {"12esk": "airfields", "19esk": "airfields"}


@pytest.mark.parametrize(("face", "weather"), [(0, "clear"), (5, "clear"), (6, "cloudy"), (7, "cloudy"), (8, "precipitation")])
def test_4_1_one_roll_and_the_table_of_the_season(face: int, weather: str) -> None:
    assert played({}, [face]).state.weather == weather
    assert load_wop().tables.weather["winter"].of(2) == "clear"
    assert load_wop().tables.weather["winter"].of(3) == "cloudy"


def test_4_2_1_clear_weather_grounds_nobody() -> None:
    assert played(WARSAW, [5]).state.grounded == ()


def test_4_2_2_under_clouds_each_air_unit_rolls() -> None:
    assert played(WARSAW, [6, 4, 5]).state.grounded == ("19esk",)
    assert played(WARSAW, [6, 9, 0]).state.grounded == ("12esk",)


def test_4_2_3_nobody_flies_through_rain() -> None:
    assert played(WARSAW, [8]).state.grounded == ("12esk", "19esk")


def commanded(units: dict[str, str], headquarters: str) -> bool:
    game = asked(units)
    return is_under_command(game.position, game.world.units[headquarters])


@pytest.mark.clause("9.1", "9.5.a", "9.5.b")
@pytest.mark.parametrize(("label", "inside"), [("0301", False), ("0815", True)])
def test_9_2_an_army_commands_the_headquarters_that_its_line_reaches(label: str, inside: bool) -> None:
    units = {"5A": "1523", "17DP": label}
    game = asked(units)
    assert game.world.units["5A"].command == 16
    assert (game.world.board.distance("1523", label) <= 16) is inside
    assert commanded(units, "17DP") is inside


def test_9_2_no_army_but_its_own() -> None:
    assert not commanded({"IVA": "1303", "33DS": "1304"}, "33DS")
    assert commanded({"XVA": "1303", "33DS": "1304"}, "33DS")


def test_9_6_a_group_carries_the_command_on() -> None:
    far = {"5A": "1523", "18DP": "0504"}
    assert not commanded(far, "18DP")
    assert commanded({**far, "GrK": "0512"}, "18DP")
    assert not commanded({"5A": "1523", "17DP": "0504", "GrK": "0512"}, "17DP")  # not its subordinate
    assert not commanded({"18DP": "0504", "GrK": "0512"}, "18DP")  # nobody commands the group


@pytest.mark.clause("9.9", "9.10", "9.14")
def test_9_3_a_unit_is_commanded_by_its_own_headquarters() -> None:
    army = {"5A": "1523", "17DP": "1121"}
    assert played({**army, "67/17": "0720"}, [0]).state.no_command == ()
    game = played({**army, "67/17": "0520"}, [7, 0])  # too far: morale 6, rolls 7
    assert game.state.no_command == ("67/17",)
    rolls = [event for event in game.events if isinstance(event, DiceRolled)]
    assert [roll.clause for roll in rolls] == ["9.14", "4.1"]


def test_9_4_an_independent_unit_is_commanded_by_any_headquarters() -> None:
    army = {"5A": "1523", "GrK": "1020"}
    assert played({**army, "HvyArt": "0720"}, [0]).state.no_command == ()
    assert played({"HvyArt": "0720"}, [6, 0]).state.no_command == ("HvyArt",)


def test_9_11_without_a_headquarters_there_is_no_test() -> None:
    assert played({"67/17": "1020"}, [0]).state.no_command == ("67/17",)
    arrives = {"70/17": "1020", "17DP": "turn 2"}  # it has one, which is not on the map yet
    assert played(arrives, [6, 0]).state.no_command == ()


@pytest.mark.clause("9.15", "9.17.a")
@pytest.mark.parametrize(("face", "marked"), [(4, ()), (5, ("17DP",))])
def test_9_13_a_headquarters_tests_its_rating(face: int, marked: tuple[str, ...]) -> None:
    game = played({"17DP": "1020"}, [face, 0])
    assert game.world.units["17DP"].rating == 4
    assert game.state.no_command == marked


@pytest.mark.clause("9.12")
def test_9_17_b_if_it_passes_its_units_are_commanded_and_otherwise_each_tests() -> None:
    units = {"17DP": "1020", "67/17": "1020", "68/17": "1019"}
    assert played(units, [4, 0]).state.no_command == ()
    assert played(units, [9, 6, 7, 0]).state.no_command == ("17DP", "68/17")


def test_9_16_units_of_a_stack_are_tested_one_by_one() -> None:
    army = {"5A": "1523", "17DP": "1121"}
    game = played({**army, "67/17": "0520", "68/17": "0520"}, [0, 9, 0])
    assert game.state.no_command == ("68/17",)


@pytest.mark.clause("9.8", "9.15")
@pytest.mark.parametrize(("face", "free"), [(6, True), (7, False)])
def test_9_18_who_passes_the_test_moves_and_attacks_as_if_under_command(face: int, free: bool) -> None:
    units = {"5A": "1523", "18DP": "1418", "42/18": "2404", "97/33": "2405", "XVA": "2106"}
    game = played(units, [face, 0])
    at = game.position
    assert ("42/18" not in game.state.no_command) is free
    assert ("2403" in game.query.reach("42/18").costs) is free, "away from its headquarters"
    why = game.world.combat.why_not_attack(at, "42/18", "2405")
    assert (why is None) is free
    assert free or (why is not None and why.clause == "9.22.a")
