"""artillery, sched, smoke: fire by plan and on call. Dice are agreed beforehand. p9 observes with 7."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hexwar.engine import Game, Spot
from hexwar.pieces import Done
from hexwar_bkc.acting import Acting
from hexwar_bkc.bombardment import shelling, zones
from hexwar_bkc.command import Begin, Commanding, modifiers, plan_of
from hexwar_bkc.movement import March
from hexwar_bkc.observers import Call, Calling, Postpone, Schedule, Scheduling, StopCalling, call_modifiers, fire_missions
from hexwar_bkc.state import Bombarded, KnockedOut, MissionFired, Moved, OrderTested, Smoke, Struck, Suppressed, TurnEnded
from tests.bkc.table import WOOD, commanding, played, said, table, why

FIELD = {"p9": (3000, 5500), "p4": (500, 5800), "g3": (3000, 2500), "g4": (1000, 1000), "g1": (3400, 2500)}
BOTH = ("p10", "p11")


def calling(*dice: int, units: dict[str, Spot] | None = None, **more: Any) -> Game:
    """A game in which the observer has been told to give an order."""
    game = table(units or FIELD, Acting("poland", ("p4",)), Commanding("poland"), dice=dice, **more)
    game.apply(Begin("p9"))
    assert isinstance(game.state.stack[-1], Calling)
    return game


@pytest.mark.clause("artillery.1", "artillery.3", "artillery.6")
def test_artillery_5_what_can_be_called() -> None:
    game = calling()
    assert why(game, Call("g3", ())) == "artillery.5"
    assert why(game, Call("g3", ("p8",))) == "artillery.1"
    assert why(game, Call("g1", BOTH)) == "artillery.6"
    assert why(game, Call("p4", BOTH)) == "artillery.5"
    hidden = {**FIELD, "g3": (3000, 1500)}
    assert why(calling(units=hidden, parts=WOOD), Call("g3", BOTH)) == "artillery.5"
    assert why(calling(activated=["p10"]), Call("g3", BOTH)) == "artillery.4"
    assert why(calling(), Call("g3", ("p10",), True)) == "artillery.22"
    touching = {**FIELD, "p3": (3000, 2703)}
    assert why(calling(units=touching, contacts={"p3": ["g3", "front"]}), Call("g3", BOTH)) == "isw.3"


@pytest.mark.clause("artillery.8", "artillery.9")
@pytest.mark.clause("artillery.ex1")
@pytest.mark.parametrize(
    ("tubes", "rockets", "propelled", "smoke", "total", "clauses"),
    [
        (1, 0, False, False, 0, []),
        (3, 0, False, False, 0, []),
        (5, 0, False, False, -1, ["artillery.8"]),
        (7, 0, False, True, -3, ["artillery.8", "artillery.10"]),
        (0, 3, False, False, -2, ["artillery.9"]),
        (0, 1, False, False, 0, []),
        (2, 0, True, False, 1, ["artillery.7"]),
    ],
)
def test_artillery_7_to_artillery_10_modifiers(
    tubes: int, rockets: int, propelled: bool, smoke: bool, total: int, clauses: list[str]
) -> None:
    game = table(FIELD)
    gun = replace(game.world.units["p10"], propelled=propelled)
    guns = {f"t{number}": gun for number in range(tubes)} | {f"r{number}": replace(gun, rocket=True) for number in range(rockets)}
    units, game.world.units = game.world.units, {**game.world.units, **guns}
    found = call_modifiers(game.position, Call("g3", tuple(guns), smoke=smoke))
    game.world.units = units
    assert (sum(value for value, *_ in found), [clause for *_, clause in found]) == (total, clauses)


@pytest.mark.clause("artillery.16", "artillery.23", "artillery.25", "artillery.27", "artillery.29", "cmdunit.2", "hit.6")
def test_artillery_17_shells_deviate_and_strike_all_in_the_zone() -> None:
    # 3 and 3 for the order, 1 + 1 + 1 cm to the east (91 is the ninetieth degree), then 6 dice against g3 and g1 each.
    game = calling(3, 3, 1, 1, 1, 91, *[4, 4, 1, 1, 1, 1], 1, 1, *[5, 5, 5, 1, 1, 1])
    game.apply(Call("g3", BOTH))
    (fell,) = said(game, Bombarded)
    assert (fell.target, fell.centre, fell.deviation, fell.units) == ((3000, 2500), (3300, 2500), 300, ("g3", "g1"))
    struck = said(game, Struck)
    assert [(event.target, event.dice, event.needed, event.received, event.clause) for event in struck] == [
        ("g3", 6, 4, 2, "artillery.25"),
        ("g1", 6, 6, 0, "artillery.25"),
    ]
    assert game.state.activated == BOTH
    assert why(game, Begin("p9")) != "", "each gun once a turn"


def test_artillery_4_artillery_is_activated_once_a_turn() -> None:
    game = calling(3, 3, 6, 6, 6, 1)
    game.apply(Call("g3", ("p10",)))
    game.apply(Begin("p9"))
    assert why(game, Call("g3", ("p10",))) == "artillery.4"
    assert why(game, Call("g3", ("p11",))) == ""
    game.apply(StopCalling())
    assert game.state.finished == ("p9",)


@pytest.mark.parametrize(
    ("dice", "rocket", "deviation"),
    [([1, 1, 3, 3, 5], False, 550), ([3, 3, 3, 3, 5], False, 1100), ([3, 3, 3, 3, 5], True, 2200)],
)
@pytest.mark.clause("artillery.18")
def test_artillery_11_a_double_one_halves_the_deviation(dice: list[int], rocket: bool, deviation: int) -> None:
    far = {**FIELD, "g3": (3000, 400), "g1": (5500, 500)}
    game = calling(*dice, 1, *([1] * 12), units=far)
    units = game.world.units
    game.world.units = {**units, "p10": replace(units["p10"], rocket=rocket)}
    game.apply(Call("g3", ("p10",)))
    game.world.units = units
    assert said(game, Bombarded)[0].deviation == deviation


@pytest.mark.clause("artillery.19", "artillery.20", "artillery.21", "artillery.26")
def test_artillery_22_zones() -> None:
    game = table(FIELD)
    units = game.world.units
    assert zones(game.position, "poland", ("p10",), (3000, 3000), False) == [
        (((2000, 2000), (4000, 2000), (4000, 4000), (2000, 4000)), 3)
    ]
    four = replace(units["p11"], dice=4)
    game.world.units = {**units, "p11": four, "p12": four, "p13": replace(four, zone=3000)}
    ((ring, dice),) = zones(game.position, "poland", ("p10", "p11", "p12"), (3000, 3000), True)
    assert (ring[0], ring[2], dice) == ((0, 2000), (6000, 4000), 4), "11 / 3, the long side along the edge"
    assert zones(game.position, "poland", ("p13",), (3000, 3000), False)[0][0][0] == (1500, 1500)
    assert why(calling(), Call("g3", BOTH, True)) == ""
    game.world.units = units


@pytest.mark.parametrize(("x", "inside"), [(4000, True), (4001, False)])
def test_artillery_24_half_of_the_base(x: int, inside: bool) -> None:
    units = {**FIELD, "g3": (3000, 2500), "g4": (x, 2500), "g1": (5500, 500)}
    game = table(units, dice=[1] * 12, missions={"poland": [{"gun": "p10", "turn": 1, "to": [3000, 2500]}]})
    events = played(game, lambda play: fire_missions(play, "poland"))
    (fell,) = [event for event in events if isinstance(event, Bombarded)]
    assert ("g4" in fell.units) == inside


@pytest.mark.clause("hit.5", "hit.9", "artillery.27")
@pytest.mark.parametrize(
    ("unit", "changes", "parts", "needed", "damages"),
    [
        ("g3", {}, "", 4, True),
        ("g3", {}, WOOD, 5, True),
        ("g5", {}, "", 6, False),
        ("g5", {"open": True}, WOOD, 5, True),
        ("g1", {}, "", 6, True),
    ],
)
def test_hit_4_what_shells_need(unit: str, changes: dict[str, Any], parts: str, needed: int, damages: bool) -> None:
    game = table({"p4": (500, 5800), unit: (3000, 2500)}, parts=parts)
    units = game.world.units
    game.world.units = {**units, unit: replace(units[unit], **changes)}
    pool = shelling(game.position, unit, ("p10",), 3)
    game.world.units = units
    assert (pool.needed, pool.damages) == (needed, damages)


def test_artillery_28_away_from_the_enemys_edge() -> None:
    units = {**FIELD, "g1": (5500, 500)}
    game = table(
        units, suppressed=["g3"], dice=[4, 1, 1, 3], missions={"poland": [{"gun": "p10", "turn": 1, "to": [2500, 2500]}]}
    )
    events = played(game, lambda play: fire_missions(play, "poland"))
    moved = next(event for event in events if isinstance(event, Moved))
    assert (moved.path[-1], moved.heading, moved.clause) == ((3000, 2200), 180, "artillery.28")


@pytest.mark.clause("artillery.13")
def test_artillery_12_a_double_six_may_strike_the_observer() -> None:
    game = calling(6, 6, 2, 3, 6, 6, 1, 1, 6)
    game.apply(Call("g3", BOTH))
    assert [event.clause for event in said(game, OrderTested)] == ["artillery.3"]
    (struck,) = said(game, Struck)
    assert (struck.target, struck.dice, struck.clause) == ("p9", 3, "artillery.13")
    assert game.state.finished == ("p9",)


@pytest.mark.parametrize(("propelled", "needed"), [(False, 4), (True, 5)])
def test_artillery_14_or_the_guns(propelled: bool, needed: int) -> None:
    game = calling(6, 6, 4, 2, 3, 3, 3, 3)
    units = game.world.units
    game.world.units = {**units, "p10": replace(units["p10"], propelled=propelled)}
    game.apply(Call("g3", BOTH))
    game.world.units = units
    struck = said(game, Struck)
    assert [(event.target, event.dice) for event in struck] == [("p10", 2), ("p11", 2)], "one die for all"
    assert struck[0].needed == needed


def test_artillery_14_guns_can_be_lost_and_suppressed() -> None:
    game = calling(6, 6, 4, 6, *[4, 4, 4, 4, 1, 1], *[4, 1, 1, 1, 1, 1], 6)
    game.apply(Call("g3", BOTH))
    assert [event.unit for event in said(game, KnockedOut)] == ["p10"]
    assert [event.unit for event in said(game, Suppressed)] == ["p11"]


def test_artillery_15_or_the_nearest_friend() -> None:
    units = {**FIELD, "p3": (3000, 3600)}
    game = calling(6, 6, 5, 1, 1, 1, 181, *[1] * 6, units=units)
    game.apply(Call("g3", BOTH))
    assert said(game, Bombarded)[0].target == (3000, 3600)


# -- smoke ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("los.8", "command.17")
def test_artillery_10_smoke_hides_and_slows() -> None:
    game = calling(2, 2, 1, 1, 1, 1)
    game.apply(Call("g3", ("p10",), smoke=True))
    assert said(game, Struck) == []
    (cloud,) = game.state.smoke
    assert (cloud.side, cloud.ring[0]) == ("poland", (2000, 1200))
    assert not game.query.look("p9", "g3").clear
    units = {"p1": (3000, 5700), "p3": (3000, 4000), "g3": (500, 400)}
    clouds = [{"side": "poland", "ring": [[2000, 2000], [4000, 2000], [4000, 3500], [2000, 3500]]}]
    plan = plan_of(March("p3", (3000, 3000)))
    found = modifiers(table(units, smoke=clouds).position, "p1", [plan])
    assert (-1, "heavy ground", "command.17") in found


def test_end_4_smoke_stays_for_the_enemys_turn() -> None:
    game = table(FIELD)
    state = game.state.copy()
    state.smoke = (Smoke("poland", ()), Smoke("germany", ()))
    TurnEnded("poland", (), clause="end.2").apply(state)
    assert [cloud.side for cloud in state.smoke] == ["poland"]


# -- planned fire --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sched.4")
@pytest.mark.clause("sched.5", "artillery.2")
def test_sched_2_sched_4_missions_are_written_before_the_battle() -> None:
    game = table(FIELD, Acting("poland", ("p4",)), Scheduling("poland"))
    assert why(game, Schedule("p9", 1, (0, 0))) == "artillery.1"
    assert why(game, Schedule("p10", 4, (0, 0))) == "sched.4"
    assert why(game, Schedule("p10", 1, (6001, 0))) == "sched.5"
    game.apply(Schedule("p10", 2, (6000, 0)))
    game.apply(Schedule("p10", 2, (3000, 3000)))
    assert why(game, Schedule("p10", 1, (0, 0))) == "sched.2"
    assert game.view("germany").state.missions == {}
    assert len(game.view("poland").state.missions["poland"]) == 2
    game.apply(Schedule("p11", 1, (0, 0)))
    assert not isinstance(game.state.stack[-1], Scheduling), "there are three assets"
    early = table(FIELD, Acting("poland", ("p4",)), Scheduling("poland"))
    early.apply(Done())
    assert early.state.missions == {}


@pytest.mark.clause("sched.3", "sched.6", "artillery.16")
def test_sched_1_missions_fall_in_their_turn() -> None:
    written = [{"gun": gun, "turn": turn, "to": [5500, 5500]} for gun, turn in (("p10", 1), ("p10", 1), ("p11", 2))]
    game = table(FIELD, missions={"poland": written})
    events = played(game, lambda play: fire_missions(play, "poland"))
    assert [event.mission.gun for event in events if isinstance(event, MissionFired)] == ["p10", "p10"]
    fell = [event for event in events if isinstance(event, Bombarded)]
    assert [(event.centre, event.deviation) for event in fell] == [((5500, 5500), 0)] * 2, "tubes do not deviate"


@pytest.mark.parametrize(("delay", "left"), [(True, [3, 2]), (False, [2])])
def test_sched_7_missions_are_cancelled_or_delayed(delay: bool, left: list[int]) -> None:
    written = [{"gun": gun, "turn": 2, "to": [0, 0]} for gun in BOTH]
    game = calling(3, 4, missions={"poland": written})
    assert why(game, Postpone(3, BOTH)) == "sched.7"
    game.apply(Postpone(2, ("p10",), delay))
    assert [mission.turn for mission in game.state.missions["poland"]] == left
    assert said(game, OrderTested)[0].clause == "sched.7"


def test_sched_8_a_double_six_bars_all_further_attempts() -> None:
    written = [{"gun": gun, "turn": 2, "to": [0, 0]} for gun in BOTH]
    game = calling(6, 6, missions={"poland": written})
    game.apply(Postpone(2, ("p10",)))
    assert game.state.barred == ("poland",)
    assert why(calling(missions={"poland": written}, barred=["poland"]), Postpone(2, ("p10",))) == "sched.8"


def test_artillery_3_who_observes_orders_nothing_else() -> None:
    game = commanding({**FIELD, "p3": (3000, 5000)})
    game.apply(Begin("p9"))
    assert why(game, March("p3", (3000, 4500))) != ""
