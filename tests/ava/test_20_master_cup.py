"""20.0 Many players without a controller: a master cup, a cup for each player, Master chits and dummies."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Event, Game
from hexwar.mechanics import Declare, Move
from hexwar.pieces import Done, Ready
from hexwar_ava.carrying_out import Cancel
from hexwar_ava.master_cup import DivideRest, GiveChit, common_chits, masters_of, side_of_master
from hexwar_ava_optional.reserves import Call
from tests.ava.table import field, of_kind, position, refused, seen, told
from tests.ava.teams import CORNERS, asked, finish, mastered

MANY = {"many-players": "master-cup"}
TEAMS = {"4-players": (3, 1), "4-teams": (2, 2), "5-players": (3, 2), "6-teams": (3, 3), "7-players": (4, 3), "8-players": (5, 3)}
AXIS = ("north", "centre", "south")
SOVIET = ("soviets-leningrad", "soviets-smolensk", "soviets-kiev")


def dividing(seats: str = "6-teams", turn: int = 1, **state: Any) -> Game:
    """The beginning of a turn."""
    return position(CORNERS, options=MANY, seats=seats, path=(4, 0), turn=turn, chance=[1] * 9, **state)


def divide(game: Game) -> list[Event]:
    """Both teams divide by command; what happens until the cups are full, and what comes after."""
    events: list[Event] = []
    while not of_kind(events, "master-cup-filled"):
        seat = game.to_move[-1]
        events += game.apply(game.legal_actions(seat)[0], seat)
    return events


# -- 20.0, 20.1 what is needed -----------------------------------------------------------------------------------------------


@pytest.mark.clause("20.0.1")
def test_20_0_1_there_is_no_controller_and_no_row() -> None:
    game = mastered("axis-master-1", {"north": "ger-4pzg"})
    assert "controller" not in game.world.seats
    assert game.state.queue == ()
    assert asked(game) == ("north",)


@pytest.mark.clause("20.0.1", "19.1.1", "19.1.2")
def test_20_0_1_units_and_chits_are_those_of_19_1() -> None:
    many = dividing().world
    assert not [unit for unit in many.units.values() if "transfer" in unit.tags]
    assert [chit for chit in many.chits if many.chits[chit].kind == "supply"] == ["supply"]


@pytest.mark.clause("20.1.1", "20.2.4", "20.2.5", "20.2.6")
@pytest.mark.parametrize("seats", ["4-teams", "6-teams"])
@pytest.mark.parametrize("turn", [1, 2, 3, 4, 9])
def test_20_2_4_the_table_of_the_master_cup(seats: str, turn: int) -> None:
    game = dividing(seats, turn)
    printed = {"4-teams": (7, 8), "6-teams": (5, 6)}[seats]
    masters = printed[0] if turn == 1 else printed[1]
    assert {side: len(masters_of(game.position, side)) for side in ("axis", "soviet")} == {"axis": masters, "soviet": masters}
    common = ["supply", "okh", "reserves", *(["axis-reinforcements", "soviet-reinforcements"] if turn >= 4 else [])]
    assert sorted(common_chits(game.position)) == sorted(common)
    [filled] = of_kind(divide(game), "master-cup-filled")
    in_cup = filled.chits
    assert len(in_cup) == 2 * masters + len(common)
    assert len([chit for chit in in_cup if side_of_master(chit) == "axis"]) == masters


@pytest.mark.clause("20.1.1", "20.2.6", "17.2.1")
@pytest.mark.parametrize("said", [{}, {"reserves": True}, {"reserves": False}])
@pytest.mark.parametrize(("seats", "sizes"), [("4-teams", (17, 19, 21)), ("6-teams", (13, 15, 17))])
def test_20_2_6_okh_and_reserves_are_in_every_cup(seats: str, sizes: tuple[int, int, int], said: dict[str, bool]) -> None:
    """The table has them in every turn, and nothing in chapter 20 calls them optional."""
    for turn, size in zip((1, 2, 4), sizes, strict=True):
        game = position(CORNERS, options={**MANY, **said}, seats=seats, path=(4, 0), turn=turn, chance=[1] * 9)
        [filled] = of_kind(divide(game), "master-cup-filled")
        assert {"supply", "okh", "reserves"} <= set(filled.chits)
        assert len(filled.chits) == size


@pytest.mark.clause("20.2.9", "17.2.2")
def test_20_2_9_okh_activates_units_directly() -> None:
    drawn = ["guderian", "manstein"]
    game = position(CORNERS, options=MANY, seats="6-teams", path=(4, 2), chance=[1, 1], cup=["okh"], drawn=drawn)
    assert asked(game) == ("north",), "what concerns the whole side is decided by its first seat"
    for unit in ("ger-1pz", "ger-3pz"):
        game.apply(Call(unit), "north")
    game.apply(Done(), "north")
    assert game.view("north").state.active == ("ger-1pz", "ger-3pz")
    assert game.state.engaged == {"okh": ("ger-1pz", "ger-3pz")}
    game.apply(Move("ger-3pz", "0906"), "north")


@pytest.mark.clause("20.2.4")
def test_20_2_4_for_teams_of_one_four_and_five_as_ruled() -> None:
    found: dict[int, set[tuple[int, int]]] = {}
    for seats, sizes in TEAMS.items():
        for side, size in zip(("axis", "soviet"), sizes, strict=True):
            numbers = tuple(len(masters_of(dividing(seats, turn).position, side)) for turn in (1, 2))
            found.setdefault(size, set()).add(numbers)  # type: ignore[arg-type]
    assert found == {1: {(7, 8)}, 2: {(7, 8)}, 3: {(5, 6)}, 4: {(3, 4)}, 5: {(2, 3)}}


@pytest.mark.clause("20.1.2")
def test_20_1_2_every_player_has_a_cup_of_his_own() -> None:
    game = dividing()
    for seat in AXIS:
        game.apply(GiveChit({"north": "ger-16a", "centre": "ger-4a", "south": "ger-6a"}[seat], seat), "north")
    assert game.state.staff == {"axis": (("centre", "ger-4a"), ("north", "ger-16a"), ("south", "ger-6a"))}


# -- 20.2.1 the division -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.2.1")
def test_20_2_1_both_teams_divide_at_once_and_anybody_of_a_team_may() -> None:
    game = dividing()
    assert asked(game) == (*AXIS, *SOVIET)
    game.apply(GiveChit("ger-16a", "south"), "centre")
    assert GiveChit("ger-16a", "north") not in game.legal_actions("north")
    refused(game, GiveChit("ger-16a", "north"), "20.2.1", "not among the chits that axis has still to divide", side="north")
    refused(game, GiveChit("su-8a", "north"), "20.2.1", "not among the chits", side="north")
    refused(game, GiveChit("ger-4pzg", "soviets-kiev"), "20.2.1", "soviets-kiev is nobody of axis", side="north")
    game.apply(DivideRest(), "south")
    assert game.legal_actions("north") == [Ready()]
    game.apply(Ready(), "north")
    assert asked(game) == SOVIET


@pytest.mark.clause("20.2.1")
def test_20_2_1_all_available_chits_are_divided_whatever_the_turn_track_says() -> None:
    game = dividing()
    refused(game, Ready(), "20.2.1", "all chits are divided", side="north")
    game.apply(DivideRest(), "north")
    given = [chit for _, chit in game.state.staff["axis"]]
    chits = game.world.chits
    assert set(given) == {c.id for c in chits.values() if (c.side, c.kind) == ("axis", "hq") and c.turn == 1}
    late = dividing(turn=3)
    late.apply(DivideRest(), "soviets-kiev")
    assert len(late.state.staff["soviet"]) > late.world.track.chits["soviet"][2], "more than the track allows to select"


@pytest.mark.clause("20.2.1")
def test_20_2_1_by_command_every_chit_goes_to_the_commander() -> None:
    game = dividing("8-players", turn=4)
    while len(game.to_move) < 8:  # the Soviets add armies first
        game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
    game.apply(DivideRest(), "north")
    game.apply(DivideRest(), "soviets-kiev")
    for entries in game.state.staff.values():
        for seat, chit in entries:
            assert game.world.teams.seat_of(game.world.chits[chit]) == seat


@pytest.mark.clause("20.2.1", "20.2.12")
def test_20_2_1_the_other_team_learns_nothing_of_the_division() -> None:
    games = [dividing() for _ in range(2)]
    for game, seat in zip(games, ("soviets-leningrad", "soviets-kiev"), strict=True):
        for chit in ("su-8a", "su-4a", "su-5a"):
            game.apply(GiveChit(chit, seat), "soviets-smolensk")
        game.apply(DivideRest(), "soviets-smolensk")
        game.apply(Ready(), "soviets-kiev")
    for seat in AXIS:
        assert seen(games[0], seat) == seen(games[1], seat)
    assert seen(games[0], "soviets-kiev") != seen(games[1], "soviets-kiev")
    assert "su-8a" not in str([event.to_json() for event in games[0].log("north")])
    for game in games:
        game.apply(DivideRest(), "north")
        game.apply(Ready(), "north")
    for seat in AXIS:
        assert seen(games[0], seat) == seen(games[1], seat), "nor by the dummies"


@pytest.mark.clause("20.2.2")
@pytest.mark.parametrize("group", ["ger-1pzg", "ger-3pzg"])
def test_20_2_2_both_chits_of_a_panzer_group_go_to_one_player(group: str) -> None:
    game = dividing()
    game.apply(GiveChit(f"{group}-1", "north"), "south")
    offered = [action for action in game.legal_actions("centre") if isinstance(action, GiveChit) and action.chit == f"{group}-2"]
    assert offered == [GiveChit(f"{group}-2", "north")]
    refused(game, GiveChit(f"{group}-2", "centre"), "20.2.2", "north has the other", side="centre")
    game.apply(DivideRest(), "centre")
    assert ("north", f"{group}-2") in game.state.staff["axis"]


@pytest.mark.clause("20.2.3")
def test_20_2_3_manstein_and_guderian_are_held_and_go_into_no_cup() -> None:
    game = dividing()
    refused(game, GiveChit("guderian", "centre"), "20.2.3", "held by the Axis", side="centre")
    refused(game, GiveChit("supply", "centre"), "20.1.1", "belongs in the master cup", side="centre")
    divide(game)
    assert game.state.hand == {"axis": ("manstein", "guderian")}
    assert not {"manstein", "guderian"} & {chit for _, chit in game.state.staff["axis"]}


@pytest.mark.clause("20.2.7")
def test_20_2_7_the_surprise_attack_follows_the_first_division() -> None:
    game = hexwar.new_game("ava", "campaign", seed=3, seats="6-teams", options={"auto-setup": True, **MANY})
    assert (game.state.phase, game.state.turn) == ("selection", 1)
    divide(game)
    assert game.state.phase == "surprise"
    assert asked(game) == AXIS, "at the same time"
    units = {action.unit for action in game.legal_actions("centre") if isinstance(action, Declare)}
    assert {game.world.units[unit].formation for unit in units} <= {"2PzG", "3PzG"}
    while game.state.phase == "surprise":
        game.apply(Done(), game.to_move[0])
    assert game.state.phase == "command"


# -- 20.2.8 draws ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.2.8")
def test_20_2_8_a_master_lets_everybody_of_its_side_play_a_chit_at_once() -> None:
    staff = {"north": "ger-4pzg ger-18a", "centre": "ger-2pzg", "south": "ger-17a", "soviets-kiev": "su-26a"}
    game = mastered("axis-master-1 supply", staff)
    assert asked(game) == AXIS
    assert told(game.log("soviets-kiev"), "staff-chit-drawn") == [
        "-- north draws ger-18a -- (20.2.8)",
        "-- centre draws ger-2pzg -- (20.2.8)",
        "-- south draws ger-17a -- (20.2.8)",
    ]
    assert {seat: game.view(seat).state.active for seat in AXIS} == {
        "north": ("ger-18a",),
        "centre": ("ger-2pzg", "ger-3pz"),
        "south": ("ger-17a",),
    }
    game.apply(Move("ger-17a", "0924"), "south")
    assert asked(game) == ("north", "centre")
    refused(game, Move("ger-3pz", "0906"), "8.1.1", "not active", side="north")


@pytest.mark.clause("20.2.8")
def test_20_2_8_whoever_draws_a_chit_leads_its_units_whosever_they_are() -> None:
    game = mastered("axis-master-1", {"south": "ger-4pzg"})
    assert asked(game) == ("south",)
    assert game.view("south").state.active == ("ger-4pzg", "ger-1pz")
    assert game.world.seat_for("axis", "ger-1pz") == "north"


@pytest.mark.clause("20.2.8")
def test_20_2_8_a_player_whose_cup_is_empty_does_nothing() -> None:
    game = mastered("axis-master-1 soviet-master-1", {"centre": "ger-2pzg"})
    assert asked(game) == ("centre",)
    finish(game, "centre")
    assert game.state.phase == "selection", "nobody has anything left, so the Soviet Master brings nothing"


@pytest.mark.clause("20.2.8", "8.1.1")
def test_20_2_8_a_unit_in_the_range_of_two_headquarters_is_active_once() -> None:
    units = {"ger-4pzg": "0505", "ger-1pz": "0605", "ger-9a": "0805"}
    game = mastered("axis-master-1", {"north": "ger-4pzg", "centre": "ger-9a"}, units=units)
    active = {seat: game.view(seat).state.active for seat in ("north", "centre")}
    assert "ger-1pz" in active["north"]
    assert not set(active["north"]) & set(active["centre"])


@pytest.mark.clause("20.2.9")
@pytest.mark.parametrize("chit", ["supply", "axis-reinforcements"])
def test_20_2_9_the_other_chits_are_resolved_as_usual(chit: str) -> None:
    board = field(size=(10, 8), rail=["0101 0201 0301"], areas={"supply axis": ["0101"], "supply soviet": ["1008"]})
    units = {"ger-1pz": "0303", "ger-3pz": "0404", "ger-93": "axis available", "ger-129": "axis available"}
    game = position(
        units,
        options=MANY,
        seats="6-teams",
        path=(4, 2),
        board=board,
        cup=[chit],
        turn=4,
        chance=[1],
        drawn=["guderian", "manstein"],
    )
    kinds = {type(action).__name__ for seat in game.to_move for action in game.legal_actions(seat)}
    assert kinds == ({"Done", "Withdraw"} if chit == "supply" else {"Done", "Arrive"})
    for seat in game.to_move:
        for action in game.legal_actions(seat):
            assert action == Done() or game.world.teams.owns(seat, action.unit)  # type: ignore[attr-defined]


# -- 20.2.10 interrupts ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.2.10")
def test_20_2_10_a_master_cannot_be_interrupted_but_what_it_brings() -> None:
    staff = {"soviets-leningrad": "su-8a", "soviets-smolensk": "su-4a", "soviets-kiev": "su-26a"}
    game = mastered("soviet-master-1", staff, held="guderian manstein")
    assert asked(game) == ("north", "centre")
    assert game.legal_actions("centre") == [Done(), *(Cancel("guderian", chit) for chit in ("su-8a", "su-4a", "su-26a"))]
    refused(game, Cancel("guderian", "soviet-master-1"), "20.2.10", "a Master chit cannot be interrupted", side="centre")
    refused(game, Cancel("guderian", "su-5a"), "20.2.10", "su-5a is not revealed now", side="centre")
    refused(game, Cancel("guderian", "su-4a"), "20.2.3", "not in hand for north to play", side="north")


@pytest.mark.clause("20.2.11")
def test_20_2_11_the_chit_goes_back_to_its_players_cup_and_the_others_stand() -> None:
    staff = {"soviets-leningrad": "su-8a", "soviets-smolensk": "su-4a", "soviets-kiev": "su-26a"}
    game = mastered("soviet-master-1 soviet-master-2", staff, held="guderian")
    game.apply(Cancel("guderian", "su-4a"), "centre")
    assert game.state.staff["soviet"] == (("soviets-smolensk", "su-4a"),)
    seen = game.view("north").state
    assert "su-4a" not in seen.drawn
    assert not seen.staff.get("soviet")
    assert seen.shown_from["su-4a"] == "soviets-smolensk", "everybody saw whose it is"
    assert asked(game) == ("centre",)
    assert game.view("centre").state.active == ("ger-2pzg", "ger-3pz")
    finish(game, "centre")
    assert asked(game) == ("soviets-leningrad", "soviets-kiev"), "su-8a and su-26a are carried out, and the Master is spent"
    assert game.state.cup == ("soviet-master-2",)


@pytest.mark.clause("20.2.11", "20.2.10")
def test_20_2_11_a_chit_of_the_master_cup_goes_back_there() -> None:
    game = mastered("supply axis-master-1", {"north": "ger-4pzg"}, held="guderian")
    assert game.legal_actions("centre") == [Done(), Cancel("guderian", "supply")]
    game.apply(Cancel("guderian", "supply"), "centre")
    assert game.state.cup == ("axis-master-1", "supply")
    assert game.view("centre").state.active == ("ger-2pzg", "ger-3pz")


# -- 20.2.12 dummies ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("20.2.12")
def test_20_2_12_every_soviet_player_has_as_many_chits_as_the_one_who_has_most() -> None:
    game = dividing(turn=3)
    left = [chit.id for chit in game.world.chits.values() if (chit.side, chit.kind) == ("soviet", "hq") and chit.turn <= 3]
    left = [chit for chit in left if not game.world.chits[chit].choice]
    shares = {"soviets-leningrad": len(left) - 5, "soviets-smolensk": 3, "soviets-kiev": 2}
    for seat, number in shares.items():
        for _ in range(number):
            game.apply(GiveChit(left.pop(0), seat), "soviets-kiev")
    game.apply(Ready(), "soviets-kiev")
    game.apply(DivideRest(), "north")
    events = game.apply(Ready(), "north")
    dummies = [event for event in of_kind(events, "chit-given") if event.clause == "20.2.12"]
    most = max(shares.values())
    assert [event.seat for event in dummies] == ["soviets-smolensk"] * (most - 3) + ["soviets-kiev"] * (most - 2)
    assert all(event.side == "soviet" for event in dummies), "and none for the Axis"


@pytest.mark.clause("20.2.13")
def test_20_2_13_a_dummy_has_no_effect() -> None:
    game = mastered(
        "soviet-master-1 axis-master-1", {"soviets-kiev": "dummy-1", "soviets-smolensk": "su-4a", "north": "ger-4pzg"}
    )
    assert asked(game) == ("soviets-smolensk",)
    assert told(game.log("north"), "dummy-drawn") == ["the chit of soviets-kiev is a dummy (20.2.13)"]
    alone = mastered("soviet-master-1 axis-master-1", {"soviets-kiev": "dummy-1", "north": "ger-4pzg"})
    assert alone.to_move == ("north",), "the next Master is drawn at once"


@pytest.mark.clause("20.2.13", "13.0.2")
def test_20_2_13_nor_has_a_chit_whose_headquarters_is_not_on_the_map() -> None:
    game = mastered("soviet-master-1 axis-master-1", {"soviets-kiev": "su-12a", "north": "ger-4pzg"})
    assert "su-12a activates nobody (13.0.2)" in told(game.log("north"), "units-activated")
    assert asked(game) == ("north",)
