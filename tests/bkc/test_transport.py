"""command.23, fire.6, ko.3 to ko.5, charge.6, isw.4: what is carried, and mortars that fire at what others see."""

from __future__ import annotations

import pytest

from hexwar.pieces import Done
from hexwar_bkc.acting import Acting
from hexwar_bkc.aftermath import BreakingOff, BreakOff
from hexwar_bkc.charging import Charge, Countering, Support
from hexwar_bkc.command import Begin, Issue
from hexwar_bkc.effects import knock_out
from hexwar_bkc.evading import Evade
from hexwar_bkc.fire import Fire
from hexwar_bkc.movement import March
from hexwar_bkc.state import Dismounted, KnockedOut, Mounted, Moved, Struck, Suppressed
from hexwar_bkc.transport import Dismount, Mount, shaken
from tests.bkc.table import POND, WALL, commanding, played, reacting, said, table, why

PARK = {"p3": (3000, 5000), "p7": (3000, 5400), "p5": (2000, 5000), "p4": (500, 5800), "g3": (3000, 400)}


@pytest.mark.clause("react.12")
def test_command_23_getting_on_and_off() -> None:
    game = table(PARK)
    assert why(game, Mount("p3", "g3")) == "command.23"
    assert why(game, Mount("p7", "p3")) == "command.23"
    assert why(game, Mount("p4", "p7")) == "react.12", "farther than 5 cm"
    assert why(game, Mount("p5", "p7")) == "react.11", "a gun must touch it"
    game.apply(Mount("p3", "p7"))
    assert (game.state.aboard, "p3" in game.state.spots) == ({"p3": "p7"}, False)
    assert why(game, Dismount("p4", "rear")) == "command.23"
    loaded = table({unit: spot for unit, spot in PARK.items() if unit != "p3"}, aboard={"p3": "p7"})
    assert why(loaded, Mount("p4", "p7")) == "command.23", "it is full"
    loaded = table(
        {unit: spot for unit, spot in PARK.items() if unit != "p3"}, Acting("poland", ("p3", "p4")), aboard={"p3": "p7"}
    )
    assert why(loaded, Dismount("p3", "roof")) == "command.23"
    loaded.apply(Dismount("p3", "rear"))
    assert (loaded.state.spots["p3"], loaded.state.headings["p3"]) == ((3000, 5703), 180)


@pytest.mark.clause("react.11")
def test_command_23_a_gun_is_limbered_and_unlimbered() -> None:
    game = table({**PARK, "p5": (3000, 5053), "p3": (1000, 5000)})
    game.apply(Mount("p5", "p7"))
    assert said(game, Mounted)[0].clause == "command.23"
    assert why(table({**PARK, "p6": (2000, 5300)}), Mount("p5", "p6")) == "react.11", "tanks tow nothing"


def test_command_23_what_is_carried_goes_with_its_carrier() -> None:
    units = {unit: spot for unit, spot in PARK.items() if unit != "p3"}
    game = table(units, Acting("poland", ("p7", "p3")), aboard={"p3": "p7"}, parts=WALL)
    game.apply(March("p7", (3000, 3000)))
    game.apply(Dismount("p3", "front"))
    assert game.state.spots["p3"][1] < 3000
    full = table(units, Acting("poland", ("p7", "p3")), aboard={"p3": "p7"})
    assert "carries" in next(piece.name for piece in full.picture.pieces if piece.id == "p7")


@pytest.mark.clause("fire.7")
@pytest.mark.parametrize(
    ("carrier", "stirred", "clause"), [("g7", [], ""), ("g7", ["g7"], "fire.7"), ("g6", [], ""), ("p7", [], "fire.6")]
)
def test_fire_6_fire_7_fire_from_a_carrier(carrier: str, stirred: list[str], clause: str) -> None:
    shooter, target = ("g3", "p4") if carrier[0] == "g" else ("p3", "g4")
    spot = (3000, 3000)
    units = {carrier: spot, target: (3000, 1000), "p5": (500, 5800), "g5": (5500, 500)}
    seat = "germany" if carrier[0] == "g" else "poland"
    step = Acting(seat, (shooter, "g5" if seat == "germany" else "p5"))
    game = table(units, step, aboard={shooter: carrier}, stirred=stirred, active=seat, headings={carrier: 0, target: 180})
    assert why(game, Fire(shooter, target)) == clause


@pytest.mark.clause("fire.9")
def test_fire_9_infantry_on_a_vehicle_fires_over_others() -> None:
    units = {"g7": (3000, 3000), "g4": (3000, 2600), "p4": (3000, 1000), "g5": (5500, 500)}
    game = table(units, Acting("germany", ("g3", "g5")), aboard={"g3": "g7"}, active="germany", headings={"g7": 0})
    assert why(game, Fire("g3", "p4")) == ""


def test_ko_3_who_is_carried_goes_down_with_the_carrier() -> None:
    game = table({"p7": (3000, 3000), "p4": (500, 5800)}, aboard={"p3": "p7"})
    events = played(game, lambda play: knock_out(play, "p7", "hit", "ko.1"))
    assert [(event.unit, event.clause) for event in events if isinstance(event, KnockedOut)] == [("p7", "ko.1"), ("p3", "ko.3")]


def test_ko_4_soft_transport_that_is_hit_is_left_under_fire() -> None:
    units = {"p7": (3000, 3000), "p4": (500, 5800), "g3": (3000, 1500), "g4": (5000, 500)}
    dice = [4, 1, 1, 1, 1]
    game = table(units, Acting("germany", ("g3", "g4")), aboard={"p3": "p7"}, active="germany", dice=dice)
    game.apply(Fire("g3", "p7"))
    assert [event.clause for event in (*said(game, Dismounted), *said(game, Suppressed))] == ["ko.4", "ko.4"]
    assert game.state.suppressed == ("p3",)
    events = played(
        table({"p7": (3000, 3000), "p4": (500, 5800)}, aboard={"p3": "p7"}, suppressed=["p4"], parts=""),
        lambda play: shaken(play, "p7"),
    )
    assert [event.kind for event in events] == ["dismounted", "suppressed"]


def test_ko_4_without_room_they_are_lost() -> None:
    around = {"p5": (3000, 2700), "p6": (3000, 3330), "p4": (2710, 3000), "p8": (3290, 3000)}
    game = table({"p7": (3000, 3000), **around, "g3": (500, 500)}, aboard={"p3": "p7"})
    events = played(game, lambda play: shaken(play, "p7"))
    assert [(event.unit, event.clause) for event in events if isinstance(event, KnockedOut)] == [("p3", "ko.4")]


def test_ko_5_armoured_transport_may_be_left() -> None:
    units = {"g7": (3000, 2000), "g4": (5000, 500), "p6": (3000, 4000), "p4": (500, 5800)}
    game = table(units, Acting("poland", ("p6", "p4")), aboard={"g3": "g7"}, dice=[5, 1, 1, 1, 1])
    game.apply(Fire("p6", "g7"))
    assert game.to_move == ("germany",)
    assert why(game, Dismount("g4", "rear")) == "ko.5"
    stay = game.copy()
    stay.apply(Done())
    assert (stay.state.aboard, stay.state.suppressed) == ({"g3": "g7"}, ())
    game.apply(Dismount("g3", "rear"))
    assert (game.state.aboard, game.state.suppressed) == ({}, ("g3",))


@pytest.mark.clause("charge.5")
def test_charge_6_those_who_are_carried_fight() -> None:
    units = {"p6": (3000, 4000), "g3": (3000, 3000), "p4": (500, 5800)}
    game = table(units, Acting("poland", ("p6", "p4")), aboard={"p3": "p6"}, dice=[4, 1, 1, 1, 1])
    game.apply(Charge("p6", "g3"))
    game.apply(Fire("g3", "p6"))
    assert said(game, Struck)[0].target == "p3", "it takes the hits"
    assert game.state.contacts == {"p3": ("g3", "front")}
    assert game.state.supports == {"p6": ("p3", "rear")}
    assert set(game.state.charged) == {"p6", "p3"}


@pytest.mark.clause("react.21", "charge.7")
def test_react_21_transport_supports_only_with_a_weapon() -> None:
    fight = {"p3": (3000, 3403), "g3": (3000, 3200), "p7": (3000, 4000), "p4": (500, 5800)}
    game = table(fight, Acting("poland", ("p7", "p4")), contacts={"p3": ["g3", "front"]})
    assert why(game, Support("p7", "p3")) == "react.21"
    assert why(table({**fight, "g4": (3600, 3400)}), Charge("p7", "g4")) == "charge.7"
    back = {"p3": (3000, 3403), "g3": (3000, 3200), "g7": (3000, 2500), "g4": (500, 500)}
    game = table(back, Acting("germany", ("g7", "g4")), contacts={"p3": ["g3", "front"]}, active="germany")
    assert why(game, Support("g7", "g3")) == ""


@pytest.mark.clause("charge.13", "charge.14")
def test_react_11_react_12_evading_on_transport() -> None:
    units = {"p5": (3000, 4000), "p7": (3000, 4353), "p4": (2500, 4300), "g3": (3000, 3000)}
    game = reacting(units)
    assert why(game, Evade("p5", 500)) == "react.11"
    assert why(game, Evade("p5", 1501, -1, "p7")) == "react.11"
    assert why(game, Evade("p4", 1501, -1, "p7")) == "react.12"
    game.apply(Evade("p5", 1200, -1, "p7"))
    assert (game.state.aboard, game.state.spots["p7"]) == ({"p5": "p7"}, (3000, 5553))
    assert [event.clause for event in (*said(game, Mounted), *said(game, Moved))] == ["react.11", "react.11"]
    for unit, clause in (("p5", "charge.13"), ("p4", "charge.14")):
        step = Countering("poland", ("p5", "p4"), "g3", "p5", 800)
        game = table(units, Acting("poland", ("p4",)), step, active="germany")
        game.apply(Evade(unit, 1200, -1, "p7"))
        assert said(game, Mounted)[0].clause == clause


def test_cc_22_breaking_off_on_transport() -> None:
    units = {"p3": (3000, 4000), "p7": (3000, 4303), "p4": (500, 5800), "p6": (2500, 4000), "g3": (3000, 3000)}
    game = table(units, Acting("poland", ("p4",)), BreakingOff("poland", ("p3",), 300, 1200))
    assert why(game, BreakOff("p3", (2500, 4700), -1, "p6")) == "cc.22"
    assert why(game, BreakOff("p3", (3000, 4303 + 601), -1, "p7")) == "cc.22"
    game.apply(BreakOff("p3", (3000, 4303 + 600), -1, "p7"))
    assert (game.state.aboard, game.state.spots["p7"]) == ({"p3": "p7"}, (3000, 4903))


@pytest.mark.clause("isw.2", "isw.5", "isw.6", "isw.7")
def test_isw_4_mortars_fire_at_what_their_command_unit_sees() -> None:
    units = {"p1": (1000, 5000), "p8": (3000, 5000), "p4": (500, 5800), "g3": (1000, 2000)}
    wall = '[[line]]\nkind = "wall"\nname = "Farm wall"\npoints = [[2000, 3000], [4000, 3000]]\n'
    hidden = {**units, "g3": (3000, 2000)}
    assert why(table(hidden, parts=wall), Fire("p8", "g3")) == "los.1"
    game = commanding({**hidden, "p1": (5500, 3500)}, parts=wall, dice=[1, 2, 1, 1, 1, 1])
    game.apply(Begin("p1"))
    assert why(game, Fire("p8", "g3")) == ""
    game.apply(Fire("p8", "g3"))
    game.apply(Issue())
    assert said(game, Struck)[0].dice == 4, "no bonus for half the range"
    game = commanding({**hidden, "p1": (3000, 5500)}, parts=wall)
    game.apply(Begin("p1"))
    assert why(game, Fire("p8", "g3")) == "isw.4"


def test_move_10_a_carrier_needs_room() -> None:
    game = table({"p7": (3000, 3200), "p4": (500, 5800)}, Acting("poland", ("p3", "p4")), aboard={"p3": "p7"}, parts=POND)
    assert why(game, Dismount("p3", "front")) == "command.23", "there is water"
    assert why(game, Dismount("p3", "rear")) == ""
