"""19.0 Many players with a controller: roles, the row of drawn chits, activations side by side, interrupts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar import HexwarError, RefusalCode
from hexwar.engine import Game
from hexwar.mechanics import Declare, Move
from hexwar.pieces import Done, LoseStep, Losing, Ready, Select
from hexwar_ava import INFO
from hexwar_ava.carrying_out import Cancel
from hexwar_ava.controller import DrawNext, Reveal, Wait
from hexwar_ava.setting_up import Place, PlaceRest
from hexwar_ava.supply import SupplyCheck, Withdraw
from tests.ava.table import field, position, refused, seen, told
from tests.ava.teams import CORNERS, armies, asked, controlled, finish, row, set_up

MANY = {"many-players": "controller"}
RAIL = field(areas={"supply axis": ["0101"], "supply soviet": ["4030"]}, rail=["0101 0201 0301 0401 0501"])


def new_game(seats: str = "4-players", **options: Any) -> Game:
    return hexwar.new_game("ava", "campaign", seed=3, seats=seats, options={"auto-setup": True, **options})


# -- 19.2 roles --------------------------------------------------------------------------------------------------------------

NORTH, SOUTH = ["4PzG", "16A", "18A"], ["1PzG", "6A", "17A", "11A", "RUM 3A", "RUM 4A"]
THIRD, FOURTH = ["3PzG", "9A"], ["4A", "2PzG", "2A"]
LENINGRAD, SMOLENSK, KIEV = ["8A", "11A", "27A"], ["3A", "4A", "10A", "13A"], ["5A", "6A", "26A", "12A"]
ROLES = {
    "4-players": {"north": NORTH, "centre": [*THIRD, *FOURTH], "south": SOUTH, "soviet": [*LENINGRAD, *SMOLENSK, *KIEV]},
    "5-players": {
        "north": NORTH,
        "centre": [*THIRD, *FOURTH],
        "south": SOUTH,
        "soviets-leningrad-smolensk": [*LENINGRAD, *SMOLENSK],
        "soviets-kiev": KIEV,
    },
    "6-players": {
        "north": NORTH,
        "centre-3pzg-9a": THIRD,
        "centre-4a-2pzg": FOURTH,
        "south": SOUTH,
        "soviets-leningrad-smolensk": [*LENINGRAD, *SMOLENSK],
        "soviets-kiev": KIEV,
    },
    "7-players": {
        "north": NORTH,
        "centre-3pzg-9a": THIRD,
        "centre-4a-2pzg": FOURTH,
        "south": SOUTH,
        "soviets-leningrad": LENINGRAD,
        "soviets-smolensk": SMOLENSK,
        "soviets-kiev": KIEV,
    },
    "8-players": {
        "north": NORTH,
        "centre-3pzg-9a": THIRD,
        "centre-4a-2pzg": FOURTH,
        "south-6a-1pzg-17a": ["6A", "1PzG", "17A"],
        "south-11a-romanians": ["11A", "RUM 3A", "RUM 4A"],
        "soviets-leningrad": LENINGRAD,
        "soviets-smolensk": SMOLENSK,
        "soviets-kiev": KIEV,
    },
}
CLAUSE = {"4-players": "19.2.1", "5-players": "19.2.2", "6-players": "19.2.3", "7-players": "19.2.4", "8-players": "19.2.5"}


def sheets_of(side: str) -> dict[str, str]:
    """Formation -> its home map, of the armies named above."""
    if side == "axis":
        return {**dict.fromkeys(NORTH, "L"), **dict.fromkeys([*THIRD, *FOURTH], "S"), **dict.fromkeys(SOUTH, "K")}
    return {**dict.fromkeys(LENINGRAD, "L"), **dict.fromkeys(SMOLENSK, "S"), **dict.fromkeys(KIEV, "K")}


@pytest.mark.clause("19.2.1", "19.2.2", "19.2.3", "19.2.4", "19.2.5", "19.2.6")
@pytest.mark.parametrize("seats", ROLES)
def test_19_2_every_formation_has_its_player(seats: str) -> None:
    game = new_game(seats)
    world = game.world
    assert set(world.seats) == set(ROLES[seats])
    assert world.teams.clause == CLAUSE[seats]
    for seat, formations in ROLES[seats].items():
        side = world.seats[seat]
        for unit, counter in world.units.items():
            if counter.side == side and counter.formation in formations and counter.sheet == sheets_of(side)[counter.formation]:
                assert world.seat_for(side, unit) == seat, unit


@pytest.mark.clause("19.2.5", "19.2.6")
def test_19_2_5_what_belongs_to_no_formation_goes_with_its_map_or_its_nation() -> None:
    world = new_game("8-players").world
    loose = [counter for counter in world.units.values() if not counter.formation]
    owners = {(c.side, c.sheet, c.nation): world.seat_for(c.side, c.id) for c in loose}
    assert owners == {
        ("axis", "L", "german"): "north",
        ("axis", "S", "german"): "centre-3pzg-9a",
        ("axis", "K", "german"): "south-6a-1pzg-17a",
        ("axis", "K", "romanian"): "south-11a-romanians",
        ("soviet", "L", "soviet"): "soviets-leningrad",
        ("soviet", "S", "soviet"): "soviets-smolensk",
        ("soviet", "K", "soviet"): "soviets-kiev",
    }


@pytest.mark.clause("19.1.1", "19.1.2")
def test_19_1_the_campaign_of_many_has_the_units_and_chits_of_that_of_two() -> None:
    campaign: Game = hexwar.new_game("ava", "campaign", seed=1)
    many, two = new_game(**MANY).world, campaign.world
    assert [*many.units] == [*two.units]
    assert [*many.chits] == [*two.chits]
    assert not [unit for unit in many.units.values() if "transfer" in unit.tags]
    kinds = [chit.kind for chit in many.chits.values()]
    assert (kinds.count("supply"), kinds.count("reinforcements")) == (1, 2)


@pytest.mark.clause("19.1.1")
def test_19_1_1_many_play_the_campaign_and_nothing_else() -> None:
    with pytest.raises(HexwarError, match="the seating 6-players is for campaign only, not for leningrad"):
        hexwar.new_game("ava", "leningrad", seats="6-players")
    with pytest.raises(HexwarError, match="option many-players applies to campaign only, not to kiev"):
        hexwar.new_game("ava", "kiev", options=MANY)
    with pytest.raises(HexwarError, match="no seating of ava is called '9-players'"):
        hexwar.new_game("ava", "campaign", seats="9-players")


@pytest.mark.clause("19.3.1")
def test_19_3_1_impossible_tables_are_refused_with_a_sentence() -> None:
    with pytest.raises(HexwarError, match="needs the seats of many players, such as seats='6-players'"):
        hexwar.new_game("ava", "campaign", options=MANY, seats={"anna": "axis", "bob": "axis", "carl": "soviet"})
    with pytest.raises(HexwarError, match="option controller needs many-players=controller"):
        hexwar.new_game("ava", "campaign", options={"controller": "seat"})
    with pytest.raises(HexwarError, match="option controller needs many-players=controller"):
        hexwar.new_game("ava", "campaign", options={"many-players": "master-cup", "controller": "seat"}, seats="4-teams")
    with pytest.raises(HexwarError, match="options many-players and bidding exclude each other"):
        hexwar.new_game("ava", "campaign", options={**MANY, "bidding": True})
    with pytest.raises(HexwarError, match=r"needs the roles of 19\.2"):
        hexwar.new_game("ava", "campaign", options={**MANY, "controller": "player"}, seats="4-teams")
    with pytest.raises(HexwarError, match="nobody of axis commands on one of the maps"):
        hexwar.new_game("ava", "campaign", options=MANY, seats={"north": "axis", "centre": "axis", "soviet": "soviet"})
    seats = {"north": "axis", "centre": "axis", "soviets-kiev": "axis", "south": "soviet"}
    with pytest.raises(HexwarError, match="the seats of axis are roles of the other side"):
        hexwar.new_game("ava", "campaign", options=MANY, seats=seats)


# -- each decides for his own ------------------------------------------------------------------------------------------------


@pytest.mark.clause("19.2.3")
def test_19_2_everybody_sets_his_own_units_up() -> None:
    game = hexwar.new_game("ava", "campaign", seed=3, seats="6-players")
    assert asked(game) == ("soviets-leningrad-smolensk", "soviets-kiev"), "the Soviets first (4.0.2), both at once"
    place = next(action for action in game.legal_actions("soviets-kiev") if isinstance(action, Place))
    refused(game, place, "19.2.3", f"{place.unit} is commanded by soviets-kiev", side="soviets-leningrad-smolensk")
    game.apply(PlaceRest(), "soviets-kiev")
    assert asked(game) == ("soviets-leningrad-smolensk",)
    game.apply(PlaceRest(), "soviets-leningrad-smolensk")
    assert asked(game) == ("north", "centre-3pzg-9a", "centre-4a-2pzg", "south")


@pytest.mark.clause("20.2.7", "19.2.3")
def test_19_2_the_panzer_groups_attack_together_each_led_by_its_player() -> None:
    game = new_game("6-players", **MANY)
    assert game.state.phase == "surprise"
    assert asked(game) == ("north", "centre-3pzg-9a", "centre-4a-2pzg", "south")
    for seat in game.to_move:
        units = {action.unit for action in game.legal_actions(seat) if isinstance(action, Declare)}
        assert units
        assert all(game.world.teams.owns(seat, unit) for unit in units)
        assert game.view(seat).state.phase == "surprise"
    with pytest.raises(hexwar.Refusal, match="soviets-kiev is not asked now; north, centre-3pzg-9a, centre-4a-2pzg, south must"):
        game.apply(Done(), "soviets-kiev")


@pytest.mark.clause("6.1.1", "19.1.2")
def test_6_1_1_a_team_selects_as_one() -> None:
    game = new_game("6-players", **MANY)
    while game.state.phase == "surprise":
        game.apply(Done(), game.to_move[0])
    assert set(game.to_move) == set(game.world.seats)
    game.apply(Select("ger-4pzg"), "south")
    assert game.view("north").state.selected == {"axis": ("ger-4pzg",)}
    assert game.view("soviets-kiev").state.selected == {}
    assert Select("ger-4pzg") not in game.legal_actions("north")
    game.apply(Ready(), "north")
    assert asked(game) == ("soviets-leningrad-smolensk", "soviets-kiev"), "one confirms for all"


@pytest.mark.clause("19.2.3")
def test_19_2_units_are_withdrawn_by_their_own_players_at_once() -> None:
    units = {"ger-1pz": "0205", "ger-3pz": "0405"}
    game = position(units, SupplyCheck(2), seats="6-players", options=MANY, board=RAIL, path=(3, 2), turn=2)
    assert asked(game) == ("north", "centre-4a-2pzg")
    refused(game, Withdraw("ger-3pz"), "19.2.3", "commanded by centre-4a-2pzg, not by north", side="north")
    game.apply(Withdraw("ger-3pz"), "centre-4a-2pzg")
    assert game.state.locations["ger-3pz"] == "axis available"
    assert asked(game) == ("north",)


# -- 19.3 the controller -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("19.3.1")
def test_19_3_1_the_controller_may_be_a_seat_of_its_own_that_belongs_to_no_side() -> None:
    game = new_game(**MANY, controller="seat")
    assert [*game.world.seats] == ["north", "centre", "south", "soviet", "controller"]
    assert game.world.sides == ("axis", "soviet")
    assert "controller" not in new_game(**MANY).world.seats
    state = game.view("controller").state
    assert (state.hand, state.selected) == ({}, {})


@pytest.mark.clause("19.3.1", "19.2.1", "19.2.2", "19.2.3", "19.2.4", "19.2.5")
@pytest.mark.parametrize(
    ("seats", "who"),
    [
        ("4-players", "soviet"),
        ("5-players", "soviets-kiev"),
        ("6-players", "soviets-kiev"),
        ("7-players", "soviets-leningrad"),
        ("8-players", "south-11a-romanians"),
    ],
)
def test_19_3_1_or_the_player_whom_the_roles_name(seats: str, who: str) -> None:
    assert new_game(seats, **MANY, controller="player").world.teams.controller == who


# -- 19.4 the row ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("19.4.1")
@pytest.mark.parametrize("controller", ["automatic", "seat", "player"])
def test_19_4_1_with_nothing_pending_a_chit_is_revealed_and_carried_out(controller: str) -> None:
    game = controlled("ger-4pzg", controller=controller)
    assert row(game) == "ger-4pzg in play"
    assert asked(game) == ("north",)
    assert isinstance(game.legal_actions("north")[1], Move)
    view = game.view("north").state
    assert (view.active, view.phase, view.commander) == (("ger-4pzg", "ger-1pz"), "movement", "north")
    assert game.view("soviet").state.engaged == {"ger-4pzg": ("ger-4pzg", "ger-1pz")}


@pytest.mark.clause("19.4.2", "19.4.4")
def test_19_4_2_everybody_sees_the_row_and_only_the_controller_what_lies_face_down() -> None:
    game = controlled("ger-4pzg ger-18a su-4a", controller="seat")
    assert asked(game) == ("north", "controller")
    game.apply(DrawNext(), "controller")
    assert row(game, "controller") == "ger-4pzg in play, ger-18a face down"
    for seat in ("north", "centre", "south", "soviet"):
        assert row(game, seat) == "ger-4pzg in play, ? face down"
        assert "ger-18a" not in str([event.to_json() for event in game.log(seat)])
    assert told(game.log("north"), "some-chit-laid")[-1] == "a chit is drawn and laid face down (19.4.2)"
    assert told(game.log("controller"), "chit-laid")[-1] == "ger-18a is drawn and laid face down (19.4.2)"


@pytest.mark.clause("19.4.2")
@pytest.mark.parametrize("controller", ["automatic", "seat"])
def test_19_4_2_nobody_else_can_tell_what_lies_face_down(controller: str) -> None:
    games = [controlled(f"ger-4pzg {chit}", controller=controller) for chit in ("ger-18a", "ger-16a", "supply")]
    for game in games:
        if controller == "seat":
            game.apply(DrawNext(), "controller")
        assert "face down" in row(game)
    for seat in ("north", "centre", "south", "soviet"):
        views = [seen(game, seat) for game in games]
        assert views[0] == views[1] == views[2], seat
    if controller == "seat":
        assert seen(games[0], "controller") != seen(games[1], "controller")


@pytest.mark.clause("19.4.3")
def test_19_4_3_the_controller_draws_on_or_waits_until_an_activation_ends() -> None:
    game = controlled("ger-4pzg ger-9a su-4a", controller="seat")
    assert game.legal_actions("controller") == [Wait(), DrawNext()]
    game.apply(Wait(), "controller")
    assert asked(game) == ("north",)
    finish(game, "north")
    assert row(game) == "ger-9a in play"
    assert asked(game) == ("centre", "controller"), "he is asked again"
    game.apply(DrawNext(), "controller")
    assert game.legal_actions("controller") == [Wait(), Reveal(2)]
    refused(game, DrawNext(), "19.4.1", "the cup is empty", side="controller")


@pytest.mark.clause("19.4.4")
def test_19_4_4_whoever_is_free_begins_at_once() -> None:
    game = controlled("ger-4pzg su-4a", controller="seat")
    game.apply(DrawNext(), "controller")
    game.apply(Reveal(2), "controller")
    assert asked(game) == ("north", "soviet")
    assert row(game, "centre") == "ger-4pzg in play, su-4a in play"
    game.apply(Move("ger-1pz", "0306"), "north")
    assert game.view("north").state.active == ("ger-4pzg", "ger-1pz")
    assert game.view("soviet").state.active == ("su-4a",)
    assert game.state.active == ()
    game.apply(Move("su-4a", "3816"), "soviet")
    assert row(game) == "ger-4pzg in play", "with nobody to move or to attack it is over"


@pytest.mark.clause("19.4.4")
def test_19_4_4_no_player_carries_out_two_chits_at_once() -> None:
    game = controlled("ger-4pzg ger-18a su-4a", controller="seat")
    game.apply(DrawNext(), "controller")
    refused(game, Reveal(2), "19.4.4", "north is still busy with ger-4pzg", side="controller")
    refused(game, Reveal(1), "19.4.2", "no chit lies face down in place 1", side="controller")


@pytest.mark.clause("19.4.4")
@pytest.mark.parametrize("chit", ["supply", "soviet-reinforcements"])
def test_19_4_4_what_concerns_more_than_one_player_waits_for_all_and_all_for_it(chit: str) -> None:
    game = controlled(f"ger-4pzg {chit} ger-9a", controller="seat", turn=4)
    game.apply(DrawNext(), "controller")
    refused(game, Reveal(2), "19.4.4", "concerns more than one player", side="controller")
    auto = controlled(f"ger-4pzg {chit} ger-9a", turn=4)
    assert row(auto) == f"ger-4pzg in play, {chit} face down"
    assert len(auto.state.cup) == 1, "and the automatic controller draws no more until it is over"


@pytest.mark.clause("19.4.4")
def test_19_4_4_nothing_begins_while_supply_is_checked() -> None:
    game = controlled("supply su-4a su-10a", controller="seat", board=RAIL, units=armies("ger-4pzg", "su-4a"), turn=2)
    assert asked(game) == ("north", "controller"), "the Axis may withdraw units"
    game.apply(DrawNext(), "controller")
    refused(game, Reveal(2), "19.4.4", "nothing else begins before it is over", side="controller")


@pytest.mark.clause("19.4.4")
def test_19_4_4_a_unit_is_in_the_hands_of_one_activation_only() -> None:
    units = {"ger-4pzg": "0505", "ger-1pz": "0605", "ger-9a": "0705"}
    game = controlled("ger-4pzg ger-9a su-4a", controller="seat", units=units)
    assert "ger-1pz" in game.view("north").state.active
    game.apply(DrawNext(), "controller")
    refused(game, Reveal(2), "19.4.4", "in the hands of ger-4pzg", side="controller")


@pytest.mark.clause("19.4.4")
def test_19_4_4_the_automatic_controller_keeps_enemies_apart() -> None:
    assert row(controlled("ger-4pzg su-8a")) == "ger-4pzg in play, su-8a face down", "on the same map"
    assert row(controlled("ger-4pzg su-4a")) == "ger-4pzg in play, su-4a in play"
    near = {"ger-4pzg": "0505", "ger-1pz": "0605", "su-4a": "0805"}
    assert row(controlled("ger-4pzg su-4a", units=near)) == "ger-4pzg in play, su-4a face down", "their zones meet"
    apart = {**near, "su-4a": "0905"}
    assert row(controlled("ger-4pzg su-4a", units=apart)) == "ger-4pzg in play, su-4a in play"


@pytest.mark.clause("19.4.5")
@pytest.mark.parametrize("controller", ["automatic", "seat"])
def test_19_4_5_when_everything_revealed_is_done_the_next_chit_is_revealed(controller: str) -> None:
    game = controlled("ger-4pzg ger-18a ger-16a", controller=controller)
    while controller == "seat" and "controller" in game.to_move:
        game.apply(DrawNext() if game.state.cup else Wait(), "controller")
    assert row(game) == "ger-4pzg in play, ger-18a face down, ger-16a face down"
    finish(game, "north")
    assert row(game) == "ger-18a in play, ger-16a face down"
    finish(game, "north")
    assert row(game) == "ger-16a in play"
    finish(game, "north")
    assert row(game) == ""
    assert game.state.phase == "selection", "and the turn goes on when cup and row are empty"


@pytest.mark.clause("19.4.6")
def test_19_4_6_the_chits_of_a_player_keep_their_order() -> None:
    game = controlled("ger-4pzg su-4a su-10a su-5a", controller="seat")
    for _ in range(3):
        game.apply(DrawNext(), "controller")
    refused(game, Reveal(3), "19.4.6", "su-4a of the same player lies ahead of su-10a", side="controller")
    game.apply(Reveal(2), "controller")
    assert row(game, "north") == "ger-4pzg in play, su-4a in play, ? face down, ? face down"


@pytest.mark.clause("19.4.1", "19.4.2", "19.4.3", "19.4.4", "19.4.5", "19.4.6")
def test_19_4_6_the_first_example() -> None:
    game = controlled("ger-4pzg ger-9a ger-18a ger-17a", units=set_up(), board="")
    assert row(game) == "ger-4pzg in play, ger-9a in play, ger-18a face down, ger-17a in play"
    assert row(game, "north") == "ger-4pzg in play, ger-9a in play, ? face down, ger-17a in play"
    assert asked(game) == ("north", "centre", "south")
    finish(game, "north")
    assert row(game) == "ger-9a in play, ger-18a in play, ger-17a in play"
    assert "ger-18a" in game.view("north").state.active


@pytest.mark.clause("19.4.2", "19.4.4", "19.4.5", "19.4.6")
def test_19_4_6_the_second_example() -> None:
    game = controlled("ger-1pzg-1 su-4a su-10a su-26a ger-16a", units=set_up(), board="")
    assert row(game) == "ger-1pzg-1 in play, su-4a in play, su-10a face down, su-26a face down, ger-16a in play"
    assert asked(game) == ("north", "south", "soviet")
    finish(game, "soviet")
    assert row(game) == "ger-1pzg-1 in play, su-10a in play, su-26a face down, ger-16a in play"
    finish(game, "south")
    finish(game, "soviet")
    assert row(game) == "su-26a in play, ger-16a in play"


@pytest.mark.clause("19.3.1", "19.4.3", "19.4.6")
def test_19_4_6_the_second_example_with_a_player_as_controller() -> None:
    game = controlled("ger-1pzg-1 su-4a su-10a su-26a ger-16a", units=set_up(), board="", controller="player")
    for action in (DrawNext(), Reveal(2), DrawNext(), DrawNext(), DrawNext()):
        assert game.to_move[-1] == "soviet"
        game.apply(action, "soviet")
    refused(game, Reveal(3), "19.4.4", "soviet is still busy with su-4a", side="soviet")
    game.apply(Reveal(5), "soviet")
    assert row(game) == "ger-1pzg-1 in play, su-4a in play, su-10a face down, su-26a face down, ger-16a in play"
    assert row(game, "north") == "ger-1pzg-1 in play, su-4a in play, ? face down, ? face down, ger-16a in play"
    assert game.legal_actions("soviet") == [Wait()], "asked all the same: that he is not would tell what lies face down"
    game.apply(Wait(), "soviet")
    assert "su-4a" in game.view("soviet").state.active, "nothing is left to control, so he carries out his own chit"
    while row(game).startswith("ger-1pzg-1 in play, su-4a"):
        game.apply(Done(), "soviet")
    assert game.legal_actions("soviet") == [Wait(), Reveal(2)], "as controller first"
    game.apply(Reveal(2), "soviet")
    assert row(game) == "ger-1pzg-1 in play, su-10a in play, su-26a face down, ger-16a in play"


# -- side by side ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("19.4.4", "19.2.1")
def test_19_4_4_two_combat_segments_at_once_do_not_mix() -> None:
    units = {**CORNERS, "su-10": "0405", "su-50": "1005"}
    game = controlled("ger-4pzg ger-2pzg", units=units)
    assert asked(game) == ("north", "centre")
    game.apply(Done(), "north")
    game.apply(Declare("ger-1pz", "0405"), "north")
    assert game.view("centre").state.phase == "movement"
    assert game.view("north").state.phase == "combat"
    game.apply(Done(), "centre")
    game.apply(Declare("ger-3pz", "1005"), "centre")
    assert {seat: game.view(seat).state.active for seat in ("north", "centre")} == {
        "north": ("ger-4pzg", "ger-1pz"),
        "centre": ("ger-2pzg", "ger-3pz"),
    }


@pytest.mark.clause("19.2.4", "10.5.2")
def test_19_2_losses_and_retreats_are_their_owners_business() -> None:
    stack = {"su-10": "0505", "su-50": "0505"}
    game = position(stack, Losing("soviets-leningrad", ("su-10", "su-50"), 1), seats="7-players", options=MANY, path=(3, 1))
    with pytest.raises(hexwar.Refusal, match="soviets-kiev is not asked now; soviets-leningrad must decide") as caught:
        game.apply(LoseStep("su-10"), "soviets-kiev")
    assert caught.value.code is RefusalCode.NOT_YOUR_TURN


@pytest.mark.clause("19.4.4")
def test_19_4_4_an_attack_asks_the_commander_of_the_defenders_while_all_others_go_on() -> None:
    units = {**CORNERS, "su-10": "0405", "su-125": "0405"}
    game = controlled("ger-4pzg ger-2pzg su-26a", 1, 1, 1, 6, units=units, seats="7-players")
    assert asked(game) == ("north", "centre-4a-2pzg", "soviets-kiev")
    game.apply(Done(), "north")
    game.apply(Declare("ger-1pz", "0405"), "north")
    game.apply(Done(), "north")
    before = set(game.to_move)
    assert {"centre-4a-2pzg", "soviets-kiev"} <= before
    game.apply(Move("su-26a", "3826"), "soviets-kiev")
    assert set(game.to_move) == before - {"soviets-kiev"}, "it had no more to do"
    game.apply(Move("ger-3pz", "0906"), "centre-4a-2pzg")
    assert set(game.to_move) == before - {"soviets-kiev"}


@pytest.mark.clause("19.4.4")
def test_19_4_4_a_move_beside_others_can_be_taken_back() -> None:
    game = controlled("ger-4pzg ger-2pzg")
    before = game.digest
    game.apply(Move("ger-1pz", "0306"), "north")
    game.undo("north")
    assert game.digest == before
    game.apply(Move("ger-3pz", "0906"), "centre")
    with pytest.raises(hexwar.Refusal):
        game.undo("north")
    game.undo("centre")


@pytest.mark.clause("19.4.4")
def test_19_4_4_a_game_with_activations_side_by_side_can_be_saved(tmp_path: Path) -> None:
    game = controlled("ger-4pzg ger-2pzg su-26a")
    game.apply(Move("ger-1pz", "0306"), "north")
    game.save(tmp_path / "many.hexwar")
    again = hexwar.load_game(tmp_path / "many.hexwar")
    assert again.digest == game.digest
    assert again.to_move == game.to_move == ("north", "centre", "soviet")


# -- 19.5 interrupts ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("19.5.1")
def test_19_5_1_the_commanders_of_the_interrupting_headquarters_are_asked() -> None:
    game = controlled("su-4a ger-4pzg", held="manstein guderian")
    assert asked(game) == ("north", "centre")
    assert game.prompt("north") == "su-4a is revealed. Interrupt it, or let it be? (19.5.1)"
    assert game.legal_actions("north") == [Done(), Cancel("manstein", "su-4a")]
    assert game.legal_actions("centre") == [Done(), Cancel("guderian", "su-4a")]
    refused(game, Cancel("guderian", "su-4a"), "6.3.3", "not in hand for north to play", side="north")
    refused(game, Cancel("manstein", "ger-4pzg"), "19.5.1", "su-4a was revealed, not ger-4pzg", side="north")
    game.apply(Done(), "north")
    game.apply(Done(), "centre")
    assert "su-4a in play" in row(game)


@pytest.mark.clause("19.5.1", "7.3.1")
def test_19_5_1_to_be_asked_tells_nothing_about_the_hand() -> None:
    games = [controlled("su-4a", held=held, drawn=[]) for held in ("guderian", "manstein guderian", "")]
    for game in games:
        assert asked(game) == ("north", "centre")
    views = [seen(game, "soviet") for game in games]
    assert views[0] == views[1] == views[2]
    open_now = controlled("su-4a", held="guderian")
    assert open_now.to_move == ("centre",), "Manstein lies open here, so there is nothing to ask"


@pytest.mark.clause("19.5.2")
def test_19_5_2_the_chit_and_all_behind_it_go_back_and_what_is_in_play_goes_on() -> None:
    game = controlled("ger-4pzg su-4a ger-18a su-10a", *[1] * 5, controller="seat", held="guderian")
    game.apply(Done(), "centre")
    for _ in range(3):
        game.apply(DrawNext(), "controller")
    game.apply(Reveal(2), "controller")
    assert row(game) == "ger-4pzg in play, su-4a face up, ger-18a face down, su-10a face down"
    events = game.apply(Cancel("guderian", "su-4a"), "centre")
    assert row(game) == "ger-4pzg in play, guderian in play"
    assert game.state.cup == ("ger-18a", "su-10a", "su-4a")
    assert told(events, "row-returned") == ["3 chits go back into the cup (19.5.2)"]
    assert "ger-18a" not in str([event.to_json() for event in game.log("soviet")]), "nobody learns what lay face down"
    assert game.state.known_in_cup == ("su-4a",), "which lay face up"
    assert game.view("controller").state.looked_at == {"controller": ("ger-18a", "su-10a")}
    assert not game.view("north").state.looked_at
    game.apply(DrawNext(), "controller")
    assert game.state.looked_at == {"controller": ("su-10a",)}, "the other one is seen in the row again"
    assert game.view("centre").state.active == ("ger-2pzg", "ger-3pz")
    assert game.view("north").state.active == ("ger-4pzg", "ger-1pz")


@pytest.mark.clause("19.5.2")
def test_19_5_2_what_is_in_play_behind_it_stays() -> None:
    game = controlled("ger-4pzg su-4a ger-17a", controller="seat", held="guderian")
    game.apply(Done(), "centre")
    game.apply(DrawNext(), "controller")
    game.apply(DrawNext(), "controller")
    game.apply(Reveal(3), "controller")
    game.apply(Reveal(2), "controller")
    assert row(game) == "ger-4pzg in play, su-4a face up, ger-17a face up"
    assert game.legal_actions("centre") == [Done(), Cancel("guderian", "ger-17a")]
    game.apply(Done(), "centre")
    assert row(game) == "ger-4pzg in play, su-4a face up, ger-17a in play", "one question after the other"
    game.apply(Cancel("guderian", "su-4a"), "centre")
    assert row(game) == "ger-4pzg in play, guderian in play, ger-17a in play", "only unexecuted chits go back"
    assert game.state.cup == ("su-4a",)


@pytest.mark.clause("19.5.2")
def test_19_5_2_what_was_revealed_behind_it_and_has_not_begun_goes_back_too() -> None:
    game = controlled("ger-4pzg su-4a ger-17a", controller="seat", seats="4-teams", held="guderian")
    assert asked(game) == ("north-centre", "controller")
    game.apply(Done(), "north-centre")
    game.apply(DrawNext(), "controller")
    game.apply(Reveal(2), "controller")
    game.apply(DrawNext(), "controller")
    game.apply(Reveal(3), "controller")
    assert row(game) == "ger-4pzg in play, su-4a face up, ger-17a face up"
    game.apply(Cancel("guderian", "su-4a"), "north-centre")
    assert row(game) == "ger-4pzg in play, guderian face up"
    assert game.state.cup == ("ger-17a", "su-4a")
    assert asked(game) == ("north-centre", "controller")


@pytest.mark.clause("19.5.2")
def test_19_5_2_an_interrupt_waits_while_its_player_is_busy() -> None:
    game = controlled("ger-9a su-26a", controller="seat", held="guderian")
    game.apply(Done(), "centre")
    game.apply(DrawNext(), "controller")
    game.apply(Reveal(2), "controller")
    assert row(game) == "ger-9a in play, su-26a face up"
    assert game.prompt("centre").startswith("su-26a is revealed"), "the question comes before his own activation"
    game.apply(Cancel("guderian", "su-26a"), "centre")
    assert row(game).startswith("ger-9a in play, guderian face up")
    assert game.view("centre").state.active == ("ger-9a",)
    finish(game, "centre")
    assert row(game).startswith("guderian in play")
    assert game.view("centre").state.active == ("ger-2pzg", "ger-3pz")


@pytest.mark.clause("19.5.2", "6.3.1")
def test_19_5_2_an_interrupt_that_waits_in_the_row_never_goes_into_the_cup() -> None:
    game = controlled("ger-4pzg su-8a su-26a", controller="seat", seats="7-players", held="guderian manstein")
    for seat in ("north", "centre-4a-2pzg"):
        game.apply(Done(), seat)
    for number in (2, 3):
        game.apply(DrawNext(), "controller")
        game.apply(Reveal(number), "controller")
    assert row(game) == "ger-4pzg in play, su-8a face up, su-26a face up"
    game.apply(Done(), "north")
    assert game.legal_actions("north") == [Done(), Cancel("manstein", "su-26a")]
    game.apply(Cancel("manstein", "su-26a"), "north")
    assert row(game) == "ger-4pzg in play, su-8a face up, manstein face up", "north is busy"
    game.apply(Cancel("guderian", "su-8a"), "centre-4a-2pzg")
    assert row(game) == "ger-4pzg in play, guderian in play, manstein face up"
    assert game.state.cup == ("su-26a", "su-8a")
    finish(game, "north")
    assert "manstein in play" in row(game)


def test_a_save_of_many_players_is_for_these_roles() -> None:
    many, two = new_game().world, hexwar.new_game("ava", "campaign", seed=1).world
    roles = many.printed.roles.model_dump(exclude={"provenance"})
    assert roles in many.content_parts()
    assert roles not in two.content_parts()


def test_the_seatings_of_the_card_are_the_roles_of_the_content() -> None:
    roles = {role.seat: role.side for role in new_game().world.printed.roles.role}
    for seating in INFO.seatings:
        assert {seat: roles[seat] for seat in seating.seats} == dict(seating.seats)
