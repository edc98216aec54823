"""9.23 to 9.27 and 13.9 to 13.17: what an enemy who comes near does to headquarters, guns, cavalry, cars and trains.

The open country around 2404: a Soviet unit walks down the column from 2402.
"""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import DiceRolled, Game, Play, Step, TapedChance
from hexwar.mechanics import Battle, Move, Moving, Pursue, Retreat
from hexwar.pieces import Done, Outcome, stands
from hexwar.table.chronicle import Chronicle
from hexwar.table.commands import TableCommands
from hexwar.testing import ScriptedDice, position
from hexwar_wop.pursuit import Chasing
from hexwar_wop.reactions import Advancing, Fleeing, React, Reacting, concerned, danger, leave_headquarters
from tests.wop.table import PAUSE

WATCH = {"5A": "1523"}
"""So that somebody is asked, whatever happens."""


def table(units: dict[str, Any], mover: str, *dice: int, steps: list[Step] | None = None, **state: Any) -> Game:
    """Somebody may move next to others."""
    seat = "soviet" if mover in ("97/33", "KavXV", "ArtXV", "98/33") else "polish"
    over = [PAUSE, Moving("polish", ("5A",)), *(steps or [Moving(seat, (mover,))])]
    return position("wop", units={**WATCH, **units}, step=over, dice=ScriptedDice.outcomes(list(dice)), **state)


def moved(units: dict[str, Any], mover: str, to: str, *dice: int, path: tuple[str, ...] = (), **state: Any) -> Game:
    game = table(units, mover, *dice, **state)
    game.apply(Move(mover, to, path=path))
    return game


def fall_back(game: Game) -> None:
    """Whoever retreats takes a way without enemy zones."""
    while game.state.stack[-1].kind == "falling-back":
        zone = game.query.zones("soviet")
        ways = [action for action in game.legal_actions() if isinstance(action, Retreat)]
        game.apply(min(ways, key=lambda way: sum(label in zone for label in way.path[1:])))


def rolls(game: Game) -> list[str]:
    return [event.clause for event in game.events if isinstance(event, DiceRolled)]


# -- 9.23 to 9.27 lone headquarters ---------------------------------------------------------------------------------------


@pytest.mark.clause("9.23.a", "9.23.1")
def test_9_23_1_infantry_drives_a_lone_headquarters_two_hexes_off() -> None:
    game = moved({"97/33": "2402", "18DP": "2405"}, "97/33", "2404")
    assert rolls(game) == []
    assert isinstance(game.state.stack[-1], Fleeing)
    assert game.to_move == ("soviet",), "the opponent moves it"
    board = game.world.board
    ends = [action.path[-1] for action in game.legal_actions() if isinstance(action, Retreat)]
    assert ends
    assert all(board.distance(end, "2405") == 2 for end in ends)
    printed = {"S", "SW", "NW"}
    assert printed == {*game.world.scenario.retreat["polish"]}
    game.apply(Retreat("18DP", ("2405", "2406", "2407")))
    assert game.state.locations["18DP"] == "2407"
    assert game.state.locations["97/33"] == "2404"


PRINTED = {"2204", "2205", "2206", "2307", "2407"}
"""Two hexes from 2405 to the south, south-west and north-west."""


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"98/33": "2308"},  # next to 2307 and 2407
        {"98/33": "2308", "99/33": "2104"},  # and next to 2204 and 2205
        {"5A": "2801"},  # 14.21.b: the way to the army is a choice of those who retreat
    ],
)
def test_9_23_a_the_opponent_drives_it_anywhere_in_the_printed_directions(others: dict[str, str]) -> None:
    game = moved({"97/33": "2402", "18DP": "2405", **others}, "97/33", "2404")
    assert {action.path[-1] for action in game.legal_actions() if isinstance(action, Retreat)} == PRINTED


def test_9_23_a_only_where_no_printed_direction_is_open_it_goes_as_in_a_retreat() -> None:
    closed = {"97/33": "2402", "18DP": "2405", "98/33": "2305", "99/33": "2306"}
    game = moved(closed, "97/33", "2404")
    assert {action.path[-1] for action in game.legal_actions() if isinstance(action, Retreat)} == {"2307", "2407"}
    nowhere = moved({**closed, "10/4": "2406"}, "97/33", "2404")
    ends = {action.path[-1] for action in nowhere.legal_actions() if isinstance(action, Retreat)}
    assert ends
    assert not ends & PRINTED


def test_9_23_a_with_a_unit_it_is_not_alone_and_each_new_hex_counts_again() -> None:
    game = moved({"97/33": "2402", "18DP": "2405", "42/18": "2405"}, "97/33", "2404")
    assert game.state.locations["18DP"] == "2405"
    pair = {"97/33": "2402", "98/33": "2605", "18DP": "2405"}
    again = table(pair, "97/33", steps=[Moving("soviet", ("97/33", "98/33"))])
    again.apply(Move("97/33", "2404"))
    again.apply(Retreat("18DP", ("2405", "2406", "2407")))
    again.apply(Move("98/33", "2507"))
    assert isinstance(again.state.stack[-1], Fleeing), "another came near"


@pytest.mark.parametrize(("die", "lost"), [(9, True), (8, False), (0, False)])
def test_9_23_2_cavalry_may_capture_it(die: int, lost: bool) -> None:
    dice = [die, 5] if lost else [die]
    game = moved({"KavXV": "2402", "18DP": "2405"}, "KavXV", "2404", *dice)
    assert rolls(game)[0] == "9.23.2"
    if lost:
        assert rolls(game)[1] == "14.47.a", "and rolls for its return"
        assert not stands(game.position, "18DP")
    else:
        step = game.state.stack[-1]
        assert isinstance(step, Fleeing)
        assert step.hexes == 3


@pytest.mark.parametrize("mover", ["AC1", "PPa"])
@pytest.mark.parametrize(("die", "lost"), [(5, True), (4, False)])
def test_9_23_3_cars_and_trains_capture_it_more_often(mover: str, die: int, lost: bool) -> None:
    at = {"AC1": ("1911", "1914"), "PPa": ("1916", "1714")}[mover]
    board = table({}, "5A").world.board
    near = next(label for label in board.neighbours(at[1]) if label not in ("1713", "1814", "1913"))
    game = moved({mover: at[0], "33DS": near, "IVA": "1303"}, mover, at[1], *([die, 5] if lost else [die]))
    assert rolls(game)[0] == "9.23.3"
    assert stands(game.position, "33DS") is not lost
    if not lost:
        step = game.state.stack[-1]
        assert isinstance(step, Fleeing)
        assert step.hexes == 6


def test_9_23_b_guns_drive_nobody_off() -> None:
    game = moved({"ArtXV": "2402", "18DP": "2405"}, "ArtXV", "2404")
    assert game.state.locations["18DP"] == "2405"
    assert not concerned(game.position, ("ArtXV",), "2404")


def test_9_24_those_who_pursue_do_the_same() -> None:
    units = {"97/33": "2403", "18DP": "2405"}
    game = table(units, "97/33", steps=[Chasing("soviet", ("97/33",), "2404", 1)])
    game.apply(Pursue("97/33", ("2403", "2404")))
    assert isinstance(game.state.stack[-1], Fleeing)
    assert game.to_move == ("soviet",)


@pytest.mark.parametrize(
    ("attackers", "hexes", "dice"),
    [
        ({"97/33": "2404"}, 2, []),
        ({"97/33": "2404", "KavXV": "2305"}, 3, [0]),
    ],
)
def test_9_25_losses_leave_a_headquarters_alone(attackers: dict[str, str], hexes: int, dice: list[int]) -> None:
    game = table({**attackers, "18DP": "2405"}, "97/33")
    play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice.outcomes(dice)))
    leave_headquarters(play, "soviet", Battle.on("soviet", "2405", tuple(attackers)), Outcome("", 0, 1))
    step = play.state.stack[-1]
    assert isinstance(step, Fleeing)
    assert (step.seat, step.headquarters, step.hexes) == ("soviet", "18DP", hexes), "by the most dangerous"


@pytest.mark.clause("9.27.b", "9.27.c")
@pytest.mark.parametrize(
    ("guard", "die", "lost"), [("97/33", 9, True), ("97/33", 8, False), ("KavXV", 9, True), ("KavXV", 8, False)]
)
def test_9_27_b_a_roll_for_each_zone_on_the_flight(guard: str, die: int, lost: bool) -> None:
    game = table({"98/33": "2402", "18DP": "2405", guard: "2307"}, "98/33", die, *([5] if lost else []))
    game.apply(Move("98/33", "2404"))
    zone = game.query.zones("soviet")
    ways = [action for action in game.legal_actions() if isinstance(action, Retreat)]
    game.apply(next(way for way in ways if sum(label in zone for label in way.path[1:]) == 1))
    assert rolls(game)[0] == "9.27.b"
    assert stands(game.position, "18DP") is not lost


def test_9_27_b_cars_are_more_dangerous() -> None:
    game = table({"33DS": "2405", "42/18": "2404", "AC1": "2404"}, "42/18")
    assert danger(game.position, "soviet", "2405") == (5, 9)
    assert danger(table({"33DS": "2405", "42/18": "2404"}, "42/18").position, "soviet", "2405") == (9, 9)


# -- 13.9 to 13.16 reactions ----------------------------------------------------------------------------------------------

HORSE = {"97/33": "2402", "2/8BJ": "2405", "5A": "1523"}


@pytest.mark.clause("13.9.a", "13.14")
def test_13_9_a_cavalry_falls_back_before_infantry_up_to_four_hexes() -> None:
    game = moved(HORSE, "97/33", "2404")
    assert game.to_move == ("polish",)
    assert [action.hexes for action in game.legal_actions() if isinstance(action, React)] == [1, 2, 3, 4]
    game.apply(React(2))
    assert game.state.reacted == ("2/8BJ",)
    fall_back(game)
    assert game.world.board.distance(game.state.locations["2/8BJ"], "2405") == 2


@pytest.mark.parametrize(
    ("mover", "here", "asks"),
    [
        ("97/33", {"2/8BJ": "2405", "AC1": "2405"}, True),
        ("97/33", {"2/8BJ": "2405", "42/18": "2405"}, False),
        ("97/33", {"2/8BJ": "2405", "8BJ": "2405"}, True),
        ("KavXV", {"2/8BJ": "2405"}, False),
        ("ArtXV", {"2/8BJ": "2405"}, True),
    ],
)
def test_13_9_a_only_cavalry_and_cars_and_only_before_infantry_and_guns(mover: str, here: dict[str, str], asks: bool) -> None:
    game = moved({mover: "2402", **here}, mover, "2404")
    assert isinstance(game.state.stack[-1], Reacting) is asks


@pytest.mark.clause("13.16.a", "13.16.b")
def test_13_9_b_as_in_a_retreat_after_combat_with_tests_in_zones() -> None:
    guards = {"98/33": "2307", "99/33": "2507"}
    game = table({**HORSE, **guards}, "97/33", 9)
    game.apply(Move("97/33", "2404"))
    step = game.state.stack[-1]
    assert isinstance(step, Reacting)
    game.apply(React(1))
    while game.to_move == ("polish",) and not isinstance(game.state.stack[-1], Moving):
        zone = game.query.zones("soviet")
        ways = [action for action in game.legal_actions() if isinstance(action, Retreat)]
        game.apply(next((way for way in ways if way.path[-1] in zone), ways[0]))
    here = game.state.locations["2/8BJ"]
    assert here in game.query.zones("soviet")
    assert rolls(game) == ["10.14.a"]
    assert game.state.steps_left["2/8BJ"] == 1, "a 9 is above its morale"


def test_13_9_c_nobody_reacts_to_a_pursuit() -> None:
    units = {"97/33": "2403", "2/8BJ": "2405"}
    game = table(units, "97/33", steps=[Chasing("soviet", ("97/33",), "2404", 1)])
    game.apply(Pursue("97/33", ("2403", "2404")))
    assert not isinstance(game.state.stack[-1], Reacting)
    assert game.state.locations["97/33"] == "2404"


@pytest.mark.clause("13.14", "13.10.b", "13.11.b")
@pytest.mark.parametrize("unit", ["2/8BJ", "AC1", "PPa"])
def test_13_9_d_once_in_an_activation(unit: str) -> None:
    start, to, here = ("1913", "1915", "1916") if unit == "PPa" else ("2402", "2404", "2405")
    assert isinstance(moved({"97/33": start, unit: here}, "97/33", to).state.stack[-1], Reacting)
    tired = moved({"97/33": start, unit: here}, "97/33", to, reacted=[unit])
    assert tired.state.locations["97/33"] == to


@pytest.mark.parametrize(
    ("mover", "asks"), [("97/33", True), ("KavXV", True), ("ArtXV", True), ("other cars", False), ("a train", False)]
)
def test_13_10_a_cars_fall_back_before_all_but_cars_and_trains(mover: str, asks: bool) -> None:
    table_of = table({}, "5A").world.printed.tables.reaction["armoured_car"]
    if mover in ("other cars", "a train"):
        assert not {"armoured_car", "armoured_train"} & {*table_of.to}
        return
    game = moved({mover: "2402", "AC1": "2405"}, mover, "2404")
    assert isinstance(game.state.stack[-1], Reacting) is asks
    assert [action.hexes for action in game.legal_actions() if isinstance(action, React)] == [1, 2, 3, 4]


def test_13_11_a_a_train_falls_back_before_anybody_whatever_is_with_it() -> None:
    units = {"97/33": "1913", "PPa": "1916", "42/18": "1916", "18DP": "1916"}
    game = moved(units, "97/33", "1915")
    step = game.state.stack[-1]
    assert isinstance(step, Reacting)
    assert step.units == ("PPa",)
    assert max(action.hexes for action in game.legal_actions() if isinstance(action, React)) <= 6
    game.apply(React(2))
    fall_back(game)
    assert game.state.locations["42/18"] == "1916"
    assert game.state.locations["PPa"] != "1916"
    assert game.world.board.has_link(game.state.locations["PPa"], "rail")


def test_13_13_headquarters_go_along() -> None:
    game = moved({**HORSE, "8BJ": "2405"}, "97/33", "2404")
    game.apply(React(3))
    fall_back(game)
    assert game.state.locations["8BJ"] == game.state.locations["2/8BJ"] != "2405"


def test_13_15_after_a_reaction_the_unit_goes_on_as_it_likes() -> None:
    game = moved(HORSE, "97/33", "2404")
    assert game.state.locations["97/33"] == "2404"
    game.apply(React(4))
    fall_back(game)
    step = game.state.stack[-1]
    assert isinstance(step, Advancing)
    assert (step.left, game.to_move) == (6, ("soviet",)), "three points of five"
    assert Done() in game.offered("soviet")
    game.apply(Move("97/33", "2405"))
    assert game.state.locations["97/33"] == "2405"
    stays = moved(HORSE, "97/33", "2404")
    stays.apply(Done())
    assert isinstance(stays.state.stack[-1], Moving), "nobody fell back, and its move is over"


# -- 13.17 guns without cover ---------------------------------------------------------------------------------------------


@pytest.mark.clause("13.17.a")
def test_13_17_a_cavalry_rides_guns_down() -> None:
    game = moved({"KavXV": "2402", "HvyArt": "2405"}, "KavXV", "2404", 5)
    assert not stands(game.position, "HvyArt")
    assert rolls(game) == ["14.47.a"]
    covered = moved({"KavXV": "2402", "HvyArt": "2405", "42/18": "2405"}, "KavXV", "2404")
    assert stands(covered.position, "HvyArt")
    leader = moved({"KavXV": "2402", "HvyArt": "2405", "18DP": "2405"}, "KavXV", "2404", 5, 0)
    assert isinstance(leader.state.stack[-1], Fleeing), "its headquarters is alone then"


def test_13_17_a_in_pursuit_as_well() -> None:
    units = {"KavXV": "2403", "HvyArt": "2405"}
    game = table(units, "KavXV", 5, steps=[Chasing("soviet", ("KavXV",), "2404", 1)])
    game.apply(Pursue("KavXV", ("2403", "2404")))
    assert not stands(game.position, "HvyArt")


@pytest.mark.clause("13.17.b", "13.17.c", "13.17.d")
@pytest.mark.parametrize(("die", "steps"), [(5, 2), (6, 1)])
def test_13_17_c_before_infantry_they_test_their_morale_and_withdraw(die: int, steps: int) -> None:
    game = moved({"97/33": "2402", "HvyArt": "2405"}, "97/33", "2404", die)
    assert game.world.units["HvyArt"].morale == 5
    assert rolls(game) == ["13.17.b"]
    fall_back(game)
    assert game.state.steps_left["HvyArt"] == steps
    assert game.world.board.distance(game.state.locations["HvyArt"], "2405") == 2


def test_13_17_guns_do_nothing_to_guns() -> None:
    game = moved({"ArtXV": "2402", "HvyArt": "2405"}, "ArtXV", "2404")
    assert game.state.locations["HvyArt"] == "2405"
    assert rolls(game) == []


# -- what a move may provoke ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mover", "enemies", "told"),
    [
        ("97/33", {"203/8BJ": "2405"}, ("203/8BJ may fall back by up to 4 hexes", "13.9.a")),
        ("KavXV", {"AC1": "2405"}, ("AC1 may fall back by up to 4 hexes", "13.10.a")),
        ("97/33", {"18DP": "2405"}, ("18DP flees by 2 hexes, or is lost", "9.23.1")),
        ("KavXV", {"18DP": "2405"}, ("18DP flees by 3 hexes, or is lost", "9.23.2")),
        ("97/33", {"HvyArt": "2405"}, ("HvyArt withdraws by 2 hexes", "13.17.b")),
        ("KavXV", {"HvyArt": "2405"}, ("HvyArt is overrun", "13.17.a")),
    ],
)
def test_a_preview_says_what_a_way_may_provoke(mover: str, enemies: dict[str, str], told: tuple[str, str]) -> None:
    game = table({mover: "2402", **enemies}, mover)
    [found] = game.query.reactions(mover, "2404")
    assert (found.hex, found.enemy, found.says, found.clause) == ("2404", "2405", *told)
    assert found.pieces == tuple(enemies)
    assert game.query.reactions(mover, "2403") == ()


def test_a_preview_follows_the_way_and_what_it_says_comes_true() -> None:
    around = ("2402", "2303", "2304", "2305")
    game = table({"KavXV": "2402", "AC1": "2404"}, "KavXV")
    told = game.query.reactions("KavXV", "2305", around)
    assert [(it.hex, it.enemy, it.clause) for it in told] == [("2304", "2404", "13.10.a"), ("2305", "2404", "13.10.a")]
    with pytest.raises(hexwar.HexwarError, match="2404"):
        game.query.reactions("KavXV", "2404")
    game.apply(Move("KavXV", "2305", path=around))
    step = game.state.stack[-1]
    assert isinstance(step, Reacting)
    assert (step.foe, step.origin, step.units) == ("2304", "2404", ("AC1",))


def test_at_the_table_it_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    game = table({"97/33": "2402", "203/8BJ": "2405"}, "97/33")
    commands = TableCommands(game, "soviet", Chronicle(game.world))
    assert commands.obey("reactions 97/33 2404")
    assert capsys.readouterr().out == "  in 2404: 203/8BJ may fall back by up to 4 hexes (13.9.a)\n"
    assert commands.obey("reactions 97/33 2403")
    assert capsys.readouterr().out == "  none on the cheapest way\n"
    for words in ("reactions", "reactions 97/33"):
        assert commands.obey(words)
        assert capsys.readouterr().out.startswith("say of which unit, and where it is to go")
