"""los, stat, turn, fire.4, victory.6 and others: what units see, what an army list says, and the order of a turn."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import PhaseEntered, Spot
from hexwar.pieces import Done
from hexwar_bkc.acting import Acting
from hexwar_bkc.bombardment import bombard
from hexwar_bkc.command import Begin, CommandMoving, Issue, heavy_ground, plan_of, steps_away
from hexwar_bkc.content import load_armies
from hexwar_bkc.ending import decide, points
from hexwar_bkc.fire import Fire, pools
from hexwar_bkc.movement import March
from hexwar_bkc.state import Broke, KnockedOut, Struck
from tests.bkc.table import MARSH, ROAD, WALL, WOOD, commanding, played, said, table, why

OTHER = {"p4": (500, 5800)}
HILL = """[[zone]]
terrain = "hill"
name = "Hill"
outline = [[2000, 2000], [4000, 2000], [4000, 3000], [2000, 3000]]
crest = [[1500, 2500], [4500, 2500]]
"""


def sees(viewer: str, target: str, units: dict[str, Spot], **more: Any) -> bool:
    """Whether a unit sees another."""
    clear: bool = table({**OTHER, **units}, **more).query.look(viewer, target).clear
    return clear


@pytest.mark.clause("los.1", "los.2", "los.4", "los.5", "los.11")
def test_los_3_arcs_of_view() -> None:
    side = {"p3": (3000, 4000), "p1": (3000, 4500), "g3": (5000, 3900)}
    assert sees("p3", "g3", side), "a corner of its base lies in the 180 degrees"
    assert not sees("p3", "g3", {**side, "g3": (5000, 4100)})
    assert sees("p1", "g3", {**side, "g3": (5000, 5500)}), "a command unit looks all round"
    file = load_armies().army["poland_1939"]
    assert [line.view for line in file.unit if line.id in ("tks", "inf")] == [180, 90]
    game = table({**OTHER, "p3": (3000, 4000), "g3": (3000, 3000)})
    assert game.query.seen_by("p3") == ("g3",)


@pytest.mark.parametrize(("y", "clear"), [(2400, True), (2398, False)])
def test_los_6_five_centimetres_into_a_wood(y: int, clear: bool) -> None:
    assert sees("p3", "g3", {"p3": (3000, 4500), "g3": (3000, y)}, parts=WOOD) == clear


def test_los_7_one_slope_of_a_hill() -> None:
    assert sees("p3", "g3", {"p3": (2200, 2900), "g3": (3800, 2700)}, parts=HILL, headings={"p3": 90})
    assert not sees("p3", "g3", {"p3": (3000, 2950), "g3": (3000, 2150)}, parts=HILL)


def test_los_9_walls() -> None:
    assert not sees("p3", "g3", {"p3": (3000, 4000), "g3": (3000, 1500)}, parts=WALL)
    assert sees("p3", "g3", {"p3": (3000, 2605), "g3": (3000, 1500)}, parts=WALL), "it touches the wall"


@pytest.mark.clause("fire.8")
@pytest.mark.parametrize(
    ("between", "clear"), [("p6", False), ("p7", False), ("p4", True), ("p5", True), ("p8", True), ("p1", True)]
)
def test_los_10_who_blocks_the_sight_of_others(between: str, clear: bool) -> None:
    units = {"p3": (3000, 5000), between: (3000, 4500), "g3": (3000, 3000)}
    looks = {between: 90}
    assert table({"p2": (500, 5800), **units}, headings=looks).query.look("p3", "g3").clear == clear


@pytest.mark.clause("fire.3", "fire.10", "fire.4")
def test_fire_4_distances_are_measured_between_edges() -> None:
    game = table({**OTHER, "p3": (3000, 4000), "g3": (3000, 3000)})
    assert game.query.gap("p3", "g3") == 8.0


@pytest.mark.clause("fire.13")
@pytest.mark.parametrize(
    ("spot", "flank"), [((3000, 4000), False), ((4000, 3000), True), ((3000, 2000), True), ((4500, 4000), False)]
)
def test_fire_14_front_flank_and_rear(spot: Spot, flank: bool) -> None:
    units = {"p3": spot, "g3": (3000, 3000), **OTHER}
    (pool,) = pools(table(units, headings={"g3": 180}).position, ["p3"], "g3")
    assert ("fire.13" in [rule for _, rule in pool.notes]) == flank, "through a corner is from the front"


# -- what an army list says --------------------------------------------------------------------------------------------------


@pytest.mark.clause("stat.4", "stat.5", "stat.6", "stat.7")
def test_stat_3_attack_range_hits_save_and_move() -> None:
    game = table(OTHER)
    infantry, tank = game.world.units["p3"], game.world.units["p6"]
    assert (infantry.dice, infantry.range, infantry.hits, infantry.save, infantry.move) == (3, 3000, 5, 0, 1000)
    assert (tank.hits, tank.save) == (3, 6)
    values = [line.value for army in load_armies().army.values() for line in army.command]
    assert all(6 <= value <= 10 for value in values)


@pytest.mark.clause("stat.9", "fire.5", "command.24", "command.31", "fire.1")
def test_stat_10_hits_last_for_a_turn_and_what_is_knocked_out_is_gone() -> None:
    game = table(
        {"p3": (3000, 4000), "g3": (3000, 3000), "g4": (500, 500)}, Acting("poland", ("p3",)), hits={"g3": 4}, dice=[4, 1, 1, 1]
    )
    game.apply(Fire("p3", "g3"))
    assert [event.unit for event in said(game, KnockedOut)] == ["g3"]
    assert ("g3" in game.state.spots, game.state.lost, game.state.hits) == (False, ("g3",), {})


# -- turns -------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("turn.1", "turn.2", "move.1")
def test_turn_3_the_phases_of_a_turn() -> None:
    game = hexwar.new_game("bkc", "orders", seed=1)
    while game.state.turn < 2:
        game.apply(next(action for action in game.legal_actions() if action.ends))
    phases = [event.phase for event in game.events if isinstance(event, PhaseEntered)]
    turn = ["begin", "scheduled", "reaction", "command", "command-movement", "combat", "end"]
    assert phases[: phases.index("turn") + 1 + 2 * len(turn)][1 + phases.index("turn") :] == turn * 2


def test_move_2_a_unit_with_two_orders_moves_twice() -> None:
    game = commanding({"p1": (3000, 5500), "p3": (3000, 5000), "g3": (500, 500)}, dice=[2, 2, 2, 2])
    for y in (4500, 4000):
        game.apply(Begin("p1"))
        game.apply(March("p3", (3000, y)))
        game.apply(Issue())
    assert game.state.spots["p3"] == (3000, 4000)


def test_command_36_command_units_move_at_the_end_of_the_phase() -> None:
    game = table(
        {"p1": (3000, 5500), "p2": (1000, 5500), "g3": (500, 500)}, CommandMoving("poland", ("p1", "p2")), suppressed=["p2"]
    )
    assert why(game, March("p2", (1000, 5000))) == "supp.3"
    game.apply(March("p1", (3000, 1600)))
    assert game.state.spots["p1"] == (3000, 1600), "40 cm are its Move"


def test_command_15_command_distance_is_measured_from_edge_to_edge() -> None:
    units = {"p1": (3000, 5000), "p3": (3000, 2750), "g3": (500, 500)}
    assert steps_away(table(units).position, "p1", "p3") == 1
    assert steps_away(table({**units, "p3": (3000, 2749)}).position, "p1", "p3") == 2


@pytest.mark.clause("command.19", "command.20", "command.21")
@pytest.mark.parametrize(
    ("unit", "kind", "heavy"),
    [
        ("p3", "mud", True),
        ("p3", "wood", False),
        ("p5", "wood", True),
        ("p6", "wood", True),
        ("p6", "hill", False),
        ("p6", "snow", True),
    ],
)
def test_command_17_what_is_heavy_for_whom(unit: str, kind: str, heavy: bool) -> None:
    game = table({unit: (3000, 3200), "p2": (500, 5800), "g3": (500, 500)}, parts=MARSH.replace('"marsh"', f'"{kind}"'))
    assert heavy_ground(game.position, plan_of(March(unit, (3000, 2800)))) == heavy


def test_command_16_a_move_along_a_road_hears_at_any_distance() -> None:
    from hexwar_bkc.command import modifiers

    units = {"p1": (5500, 5800), "p3": (3000, 2000), "g3": (500, 500)}
    found = [clause for *_, clause in modifiers(table(units, parts=ROAD).position, "p1", [plan_of(March("p3", (3000, 1500)))])]
    assert found == []
    off = [clause for *_, clause in modifiers(table(units, parts=ROAD).position, "p1", [plan_of(March("p3", (3500, 1800)))])]
    assert off == ["command.14"]


# -- the end -----------------------------------------------------------------------------------------------------------------


def test_victory_4_lost_units_and_all_artillery_off_the_table() -> None:
    game = table({"p3": (3000, 5000), "g3": (3000, 500)}, lost=["p4", "p7"])
    guns = sum(game.world.units[gun].cost for gun in ("p10", "p11"))
    assert points(game.position, "germany") == guns + game.world.units["p4"].cost + game.world.units["p7"].cost


@pytest.mark.clause("break.4")
def test_victory_6_a_side_that_broke_has_no_more_points() -> None:
    game = table({"p3": (3000, 5000), "g3": (3000, 500), "p4": (500, 5800)}, lost=["p6", "p5"], broken="germany")
    assert points(game.position, "germany") < points(game.position, "poland")
    rich = table({"p3": (3000, 5000), "g3": (3000, 500), "p4": (500, 5800)}, lost=["p6", "p5"])
    state = rich.state.copy()
    Broke("germany", ("g3",), clause="break.4").apply(state)
    assert (state.broken, "g3" in state.spots) == ("germany", False)
    over = played(table({"p3": (3000, 5000), "p4": (500, 5800)}, broken="germany"), decide)
    scores: Any = over[-1]
    assert scores.result.scores["germany"] <= scores.result.scores["poland"]


def test_artillery_23_friends_under_fire_are_struck_too() -> None:
    game = table({"p3": (3000, 3000), "g3": (3000, 2600), **OTHER}, dice=[1] * 6)
    events = played(game, lambda play: bombard(play, "poland", ("p10",), (3000, 2800), on_call=False))
    assert [event.target for event in events if isinstance(event, Struck)] == ["p3", "g3"]


def test_a_turn_may_be_left_to_the_enemy() -> None:
    game = table({"p3": (3000, 5000), "p4": (2000, 5000), "g3": (3000, 500)})
    game.apply(Done())
    assert game.state.active == "germany"
