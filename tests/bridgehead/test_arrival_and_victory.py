"""13 to 15: reinforcements, victory and the optional rule."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Arrive, Attack, Join, Move, Pursue, Resolve
from hexwar.pieces import Done, total
from tests.bridgehead.helpers import arriving, attacking, field, losing, moving, position, pursuing, refused, retreating, told


def test_13_1_reinforcements_arrive_at_the_beginning_of_their_turn_reds_first() -> None:
    game = position({"b3": "turn 2", "b1": "0404", "r3": "turn 2", "r1": "0804"})
    assert game.state.turn == 2
    assert game.to_move == ("red",)
    assert game.prompt() == "Bring in reinforcements: r3. (13.1)"
    events = game.apply(Arrive("r3", "0904"))
    assert told(events, "unit-placed") == ["r3 arrives at 0904 (13.1)"]
    assert game.prompt() == "Bring in reinforcements: b3. (13.1)"
    assert {action.to for action in game.legal_actions() if action != Done()} == {  # type: ignore[attr-defined]
        f"01{row:02}" for row in range(1, 8)
    }, "in the home area"
    game.apply(Arrive("b3", "0101"))
    assert game.state.phase == "selection"


def test_13_1_not_before_their_turn() -> None:
    game = position({"b3": "turn 3", "b1": "0404", "r1": "0804"})
    assert (game.state.turn, game.state.phase, game.state.locations["b3"]) == (2, "selection", "turn 3")


def test_13_1_those_that_do_not_arrive_may_do_so_later() -> None:
    game = position({"b3": "turn 2", "b1": "0404", "r1": "0804"})
    game.apply(Done())
    assert game.state.locations["b3"] == "turn 2"
    later = position({"b3": "turn 2", "b1": "0404", "r1": "0804"}, turn=4)
    assert later.state.turn == 5
    assert later.prompt() == "Bring in reinforcements: b3. (13.1)"


def test_13_1_while_the_enemy_holds_the_home_area_they_wait() -> None:
    held = {"r1": "0102", "r2": "0105", "r3": "0106", "r6": "0103", "rA": "0107", "rB": "0101"}
    game = position({"b3": "turn 2", "b1": "0404", **held}, board=field(terrain={"0104": "~"}))
    assert (game.state.phase, game.state.locations["b3"]) == ("selection", "turn 2")


def test_13_2_they_arrive_outside_enemy_zones_and_within_the_stacking_limit() -> None:
    hexes = ("0101", "0102", "0104", "0106", "0107")
    units = {"b3": "turn 2", "b6": "turn 2", "b1": "0104", "b2": "0104", "r1": "0107", "b5": "0102"}
    game = position(units, arriving("b3", "b6", hexes=hexes))
    assert [str(action) for action in game.legal_actions()] == [
        "done",
        "b3 arrives at 0101",
        "b3 arrives at 0102",
        "b6 arrives at 0101",
        "b6 arrives at 0102",
    ]
    refused(game, Arrive("b3", "0104"), "3.1", "0104 is full")
    refused(game, Arrive("b3", "0106"), "13.2", "0106 lies in an enemy zone of control")
    refused(game, Arrive("b3", "0107"), "13.2", "the enemy stands in 0107")
    refused(game, Arrive("b3", "0404"), "13.2", "b3 may not enter at 0404; only at 0101, 0102, 0104, 0106, 0107")
    game.apply(Arrive("b3", "0102"))
    refused(game, Arrive("b6", "0102"), "3.1", "0102 is full")
    refused(game, Arrive("b3", "0101"), "13.1", "b3 does not wait for its arrival")


def test_13_2_where_they_could_move() -> None:
    board = field(terrain={"0103": "~", "0104": "m", "0105": "m"}, road=["0105 0205"])
    game = position(
        {"b3": "turn 2", "b6": "turn 2", "r1": "0904"}, arriving("b3", "b6", hexes=("0103", "0104", "0105")), board=board
    )
    assert [str(action) for action in game.legal_actions()] == [
        "done",
        "b3 arrives at 0104",
        "b3 arrives at 0105",
        "b6 arrives at 0105",
    ], "nobody in the lake, and tanks in the marsh only where a road leads into it"
    refused(game, Arrive("b3", "0103"), "13.2", "0103 is closed to infantry: lake")
    refused(game, Arrive("b6", "0104"), "13.2", "0104 is closed to armour: marsh")


def test_14_1_a_town_belongs_to_the_side_whose_unit_was_in_it_last() -> None:
    board = field(towns={"Brod": "0504"})
    game = position({"b1": "0404", "r1": "0804"}, moving("b1"), board=board)
    assert game.state.control == {"0504": "red"}, "as the scenario begins"
    events = game.apply(Move("b1", "0504"))
    assert told(events, "control-taken") == ["blue takes Brod (0504) (14.1)"]
    left = position({"b1": "0504", "r1": "0804"}, moving("b1"), board=board, control={"0504": "blue"})
    left.apply(Move("b1", "0404"))
    assert left.state.control == {"0504": "blue"}, "it need not stay"


def test_14_1_also_by_retreat_pursuit_and_arrival() -> None:
    board = field(towns={"Stara": "0604", "Brod": "0504"})
    lane = field(towns={"Stara": "0604"}, terrain={"0605": "~"})
    retreat = position({"r1": "0504", "b1": "0404", "b2": "0505", "rA": "0904"}, retreating(1, "r1"), board=lane)
    assert told(retreat.events, "unit-moved", "control-taken") == [
        "r1 retreats from 0504 to 0604 (10.1)",
        "red takes Stara (0604) (14.1)",
    ]
    pursuit = position({"b5": "0404", "r1": "0904"}, pursuing("0504", "b5"), board=board)
    assert told(pursuit.apply(Pursue("b5", ("0404", "0504"))), "control-taken") == ["blue takes Brod (0504) (14.1)"]
    arrival = position({"b3": "turn 2", "r1": "0904"}, arriving("b3", hexes=("0104",)), board=field(towns={"Brod": "0104"}))
    assert told(arrival.apply(Arrive("b3", "0104")), "control-taken") == ["blue takes Brod (0104) (14.1)"]


def test_14_1_a_town_that_belongs_to_nobody_is_taken_likewise() -> None:
    game = position({"b1": "0404", "r1": "0804"}, moving("b1"), board=field(towns={"Nowa": "0504"}))
    assert game.state.control == {}
    game.apply(Move("b1", "0504"))
    assert game.state.control == {"0504": "blue"}


def test_14_1_it_stays_with_its_owner_when_the_unit_in_it_is_eliminated() -> None:
    board = field(towns={"Brod": "0504"})
    units = {"r1": "0504", "b1": "0404", "rA": "0904"}
    game = position(units, losing("red", 1, "r1"), reduced=["r1"], board=board)
    assert "r1" not in game.state.locations
    assert game.state.control == {"0504": "red"}


ALL_BLUE = {"bA": "0101", "bB": "0101", "b1": "0201", "b2": "0201", "b3": "0301", "b5": "0301", "b6": "0401"}
ALL_RED = {"rA": "0907", "rB": "0907", "r1": "0807", "r2": "0807", "r3": "0707", "r6": "0707"}


def test_14_2_towns_and_eliminated_units_score() -> None:
    board = field(towns={"Stara": "0504", "Brod": "0505", "Nowa": "0506"})
    blue = {unit: label for unit, label in ALL_BLUE.items() if unit not in ("b5", "b6")}
    game = position({**blue, **ALL_RED}, moving("bA"), board=board)
    items = [(score.side, score.points, score.reason, score.clause) for score in game.query.score()]
    assert items == [
        ("blue", 3, "holds Stara", "14.2"),
        ("red", 3, "holds Brod", "14.2"),
        ("red", 1, "eliminated b5", "14.2"),
        ("red", 1, "eliminated b6", "14.2"),
    ], "and nobody scores for Nowa, which nobody holds"
    assert (total(game.query.score(), "blue"), total(game.query.score(), "red")) == (3, 5)


@pytest.mark.parametrize(
    ("missing", "winner", "reason"),
    [("b6", "red", "more points"), ("r6", "blue", "more points"), ("", "red", "a tie goes to the defender")],
)
def test_14_3_the_side_with_more_points_wins_and_red_wins_a_tie(missing: str, winner: str, reason: str) -> None:
    units = {unit: label for unit, label in {**ALL_BLUE, **ALL_RED}.items() if unit != missing}
    game = position(units, turn=6)
    assert game.to_move == ()
    assert game.result is not None
    assert (game.result.winner, game.result.reason, game.result.clause) == (winner, reason, "14.3")
    assert game.result.scores == {"blue": int(missing == "r6"), "red": int(missing == "b6")}


def test_14_4_a_side_without_units_loses_as_soon_as_the_operations_end() -> None:
    game = position({"b5": "0404", "rA": "0504"}, attacking("b5"), cup=["bA", "supply"], chance=[1])
    for action in (Attack("0504"), Join("b5"), Resolve()):  # D1
        game.apply(action)
    assert game.result is None, "the pursuit is still to come"
    game.apply(Done())
    assert str(game.result) == "blue wins: red has no units left (14.4)"
    assert game.state.cup == ("bA", "supply"), "nothing more is drawn"


def test_14_4_units_on_the_turn_track_count() -> None:
    game = position({"b5": "0404", "rA": "0504", "r3": "turn 3"}, attacking("b5"), chance=[1])
    for action in (Attack("0504"), Join("b5"), Resolve(), Done()):
        game.apply(action)
    assert game.result is None
    assert game.state.turn == 2


def test_14_4_the_attacker_may_be_the_one_who_is_beaten() -> None:
    game = position({"b1": "0404", "r1": "0504"}, attacking("b1"), reduced=["b1"], chance=[1])
    for action in (Attack("0504"), Join("b1"), Resolve()):  # 2 to 4, a one: A1
        game.apply(action)
    assert str(game.result) == "red wins: blue has no units left (14.4)"


def test_14_4_if_nobody_has_units_left_reds_went_first() -> None:
    units = {"bA": "0905", "rA": "0104"}
    board = field(home="0104").replace('east = ["0901..0907"]', 'east = ["0905"]')
    game = position(units, cup=["supply"], chance=[1], board=board)
    assert str(game.result) == "blue wins: red has no units left (14.4)"


def test_15_1_the_active_headquarters_within_two_hexes_shifts_to_the_right() -> None:
    units = {"bA": "0304", "b1": "0404", "r1": "0504"}
    plain = position(units, attacking("b1"), drawn=["bA"])
    assert plain.query.odds(["b1"], "0504").shifts == ()
    game = position(units, attacking("b1"), drawn=["rA", "bA"], options="barrage")
    odds = game.query.odds(["b1"], "0504")
    assert [(shift.columns, shift.reason, shift.clause) for shift in odds.shifts] == [(1, "barrage by bA", "15.1")]
    assert odds.name == "2:1"


@pytest.mark.parametrize(
    ("units", "drawn", "why"),
    [
        ({"bA": "0204"}, ["bA"], "three hexes away"),
        ({"bA": "0304"}, ["bA", "supply"], "the supply chit is no headquarters"),
        ({"bB": "0304"}, ["bB", "bA"], "another headquarters is active, and it is lost"),
        ({"bA": "turn 3"}, ["bA"], "not on the map"),
        ({"rA": "0604"}, ["rA"], "the enemy's headquarters helps nobody"),
        ({"bA": "0304"}, [], "no chit has been drawn"),
    ],
)
def test_15_1_no_other_headquarters_helps(units: dict[str, str], drawn: list[str], why: str) -> None:
    game = position({"b1": "0404", "r1": "0504", **units}, attacking("b1"), drawn=drawn, options="barrage")
    assert game.query.odds(["b1"], "0504").shifts == (), why
