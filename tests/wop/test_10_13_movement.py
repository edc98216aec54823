"""10.6 to 10.9 and 13.1 to 13.8: what steps and enemy zones cost, and how far pieces get."""

from __future__ import annotations

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Move, price_or_refusal
from hexwar.pieces import Done
from tests.wop.table import activated, asked


def cost(game: Game, unit: str, to: str) -> float | None:
    """The points of a move to a hex by the cheapest way, or None if it is out of reach."""
    costs: dict[str, float] = game.query.reach(unit).costs
    return costs.get(to)


def step(game: Game, unit: str, origin: str, target: str) -> float | None:
    """The points of a first step, or None if it is closed."""
    movement = game.world.movement
    price = price_or_refusal(game.position, unit, origin, target, 2 * movement.allowance(game.position, unit))
    return price / 2 if isinstance(price, int) else None


def refusal(game: Game, unit: str, to: str, *path: str) -> str:
    """The clause that keeps a unit from moving to a hex."""
    found = game.why_not(Move(unit, to, path=path), game.to_move[0])
    assert found is not None
    return found.clause


# -- 13.1, 13.2 allowances and costs ------------------------------------------------------------------------------------


@pytest.mark.clause("13.8")
def test_13_1_a_the_allowance_is_printed_and_there_again_in_every_turn() -> None:
    game = asked({"42/18": "0301", "18DP": "0301"})
    assert game.world.movement.allowance(game.position, "42/18") == 5
    game.apply(Move("42/18", "0302"))
    game.apply(Done())
    assert game.state.turn == 2
    assert game.world.movement.allowance(game.position, "42/18") == 5


def test_13_1_b_what_has_no_allowance_stays() -> None:
    game = asked({"GarCie": "1303"})
    assert game.query.reach("GarCie").costs == {}
    assert refusal(game, "GarCie", "1403") == "13.1.a"


@pytest.mark.clause("13.4", "13.6", "9.7", "9.8")
def test_13_2_a_every_hex_and_hexside_is_paid_up_to_the_allowance() -> None:
    game = asked({"97/33": "2402"})
    assert cost(game, "97/33", "2403") == 1
    assert cost(game, "97/33", "2407") == 5
    assert cost(game, "97/33", "2408") is None
    assert {to for to in ("2401", "2302", "2303", "2502", "2503", "2403") if cost(game, "97/33", to) == 1} == {
        "2401", "2302", "2303", "2502", "2503", "2403",
    }  # fmt: skip
    assert refusal(game, "97/33", "2408") == "13.2.a"


@pytest.mark.parametrize(("unit", "points"), [("97/33", 1.5), ("KavXV", 1.5), ("ArtXV", 3), ("33DS", 1.5)])
def test_13_2_b_each_class_has_its_column(unit: str, points: float) -> None:
    game = asked({unit: "2303"})
    assert game.world.board.terrain("2202") == "forest"
    assert cost(game, unit, "2202") == points


@pytest.mark.clause("13.2.c")
def test_13_2_ex1_guns_cross_a_brook_into_a_forest_for_four_points() -> None:
    game = asked({"ArtXV": "1608"})
    board = game.world.board
    brooks = [
        (here, there)
        for here in board.labels
        for there in board.neighbours(here)
        if "brook" in board.side(here, there) and board.terrain(there) == "forest" and not board.links(here, there)
    ]
    if not brooks:  # the map has no such hexside: the chart adds the two
        chart = game.world.chart.arms["artillery"]
        assert (chart.sides["brook"] + chart.terrain["forest"]) / 2 == 4
    for here, there in brooks:
        assert price_or_refusal(asked({"ArtXV": here}).position, "ArtXV", here, there, 10) == 8


@pytest.mark.clause("3.12.b")
@pytest.mark.parametrize(("unit", "moves"), [("AC1", 6), ("PPa", 8), ("42/18", 5), ("HvyArt", 5)])
def test_3_12_d_what_has_engines_is_slower_without_supply_guns_are_not(unit: str, moves: int) -> None:
    game = asked({unit: "1721"}, no_supply=[unit])
    assert game.world.movement.allowance(game.position, unit) == moves


# -- 13.3 roads ---------------------------------------------------------------------------------------------------------


def test_13_3_a_a_road_helps_only_along_it() -> None:
    game = asked({"97/33": "1403"})
    assert cost(game, "97/33", "1504") == 0.5, "the road from Ciechanow to Pultusk"
    assert cost(game, "97/33", "1604") == 1
    off = asked({"97/33": "1404"})
    assert cost(off, "97/33", "1403") == 1, "onto the road"
    assert cost(off, "97/33", "1304") == 1, "a railway is no road"


def test_13_3_b_closed_ground_is_left_along_the_road() -> None:
    game = asked({"AC1": "0811"})
    board = game.world.board
    chart = game.world.chart
    hexes = [label for label in board.labels if chart.entry(board, "armoured_car", label) == 255]
    assert hexes, "marshes"
    for label in hexes:
        for near in board.neighbours(label):
            if "road" not in board.links(label, near):
                assert not game.world.reaches.can_step(game.position, "AC1", label, near)
    train = asked({"PPa": "1721"})
    assert train.world.reaches.can_step(train.position, "PPa", "1721", "1720")
    assert not train.world.reaches.can_step(train.position, "PPa", "1721", "1821")


# -- 13.5 the minimum move ----------------------------------------------------------------------------------------------


def test_13_5_a_one_hex_is_always_open_for_the_whole_allowance() -> None:
    board = asked({}).world.board
    wood = next(
        label
        for label in board.labels
        if board.terrain(label) == "forest" and "forest" not in map(board.terrain, board.neighbours(label))
    )
    beside = next(near for near in board.neighbours(wood) if board.terrain(near) == "clear" and not board.side(near, wood))
    game = asked({"Tk1": beside}, no_supply=["Tk1"])
    assert game.world.movement.allowance(game.position, "Tk1") == 2
    assert cost(game, "Tk1", wood) == 2, "it costs 3, and the tank has 2"
    onward = next(label for label in board.neighbours(wood) if label != beside)
    assert refusal(game, "Tk1", onward, beside, wood, onward) == "13.2.a"
    assert "river" in board.side("1519", "1618")
    assert cost(asked({"Tk1": "1519"}), "Tk1", "1618") is None, "what is closed stays closed"


def test_13_5_b_even_from_zone_to_zone() -> None:
    near = asked({"42/18": "0719", "97/33": "0720"})
    zone = set(near.query.zones("soviet"))
    both = [label for label in near.world.board.neighbours("0719") if label in zone]
    assert both
    assert all(step(near, "42/18", "0719", label) == 5 for label in both)


def test_13_7_a_a_unit_moves_once() -> None:
    game = asked({"42/18": "0301", "49/18": "0303"})
    game.apply(Move("42/18", "0302"))
    assert refusal(game, "42/18", "0301") == "13.7.a"
    game.apply(Move("49/18", "0304"))


# -- 10.6 enemy zones ---------------------------------------------------------------------------------------------------


def find(zone_at_goal: bool) -> tuple[str, str, str]:
    """A start in the zone of an enemy next to a forest, which is in that zone or not; the enemy's hex last."""
    board = asked({}).world.board
    for wood in board.labels:
        if board.terrain(wood) != "forest":
            continue
        for start in board.neighbours(wood):
            if board.terrain(start) != "clear" or board.side(start, wood) or board.links(start, wood):
                continue
            for enemy in board.neighbours(start):
                plain = (
                    not board.side(enemy, start) and not board.side(enemy, wood)
                    if board.adjacent(enemy, wood)
                    else not board.side(enemy, start)
                )
                if enemy != wood and board.adjacent(enemy, wood) is zone_at_goal and plain and board.terrain(enemy) == "clear":
                    return start, wood, enemy
    raise AssertionError("no such hexes")


def spent(unit: str, foe: str, zone_at_goal: bool) -> tuple[float, float]:
    """What a step out of a zone into a forest costs, and what is left."""
    start, wood, enemy = find(zone_at_goal)
    game = asked({unit: start, foe: enemy})
    assert start in game.query.zones(game.world.units[foe].side)
    assert (wood in game.query.zones(game.world.units[foe].side)) is zone_at_goal
    points = game.world.movement.allowance(game.position, unit)
    price = price_or_refusal(game.position, unit, start, wood, 2 * points)
    assert isinstance(price, int)
    return price / 2, points - price / 2


@pytest.mark.clause("10.6.2.a")
def test_10_6_ex1_infantry_leaves_a_zone_into_a_forest() -> None:
    assert spent("42/18", "97/33", False) == (4, 1)


@pytest.mark.clause("10.6.2.b")
def test_10_6_ex2_cavalry_leaves_a_zone_into_a_forest() -> None:
    assert spent("2/8BJ", "97/33", False) == (3.5, 4.5)


@pytest.mark.clause("10.6.3.a")
def test_10_6_ex3_infantry_from_zone_to_zone() -> None:
    assert spent("42/18", "97/33", True) == (5, 0)


@pytest.mark.clause("10.6.3.b", "10.7")
def test_10_6_ex4_armoured_cars_from_zone_to_zone() -> None:
    assert spent("AC1", "97/33", True) == (9, 3)


def test_10_6_1_entering_a_zone_costs_nothing() -> None:
    game = asked({"42/18": "2402", "97/33": "2405"})
    assert cost(game, "42/18", "2404") == 2
    assert "2404" in game.query.zones("soviet")


@pytest.mark.clause("10.6.3.a")
def test_10_6_3_a_from_zone_to_zone_is_the_first_step_or_none() -> None:
    game = asked({"42/18": "2402", "97/33": "2405"})
    assert {"2404", "2305"} <= set(game.query.zones("soviet"))
    assert refusal(game, "42/18", "2305", "2402", "2403", "2404", "2305") == "13.2.a"


@pytest.mark.clause("10.4.b")
def test_10_4_b_a_friend_does_not_cancel_a_zone_for_movement() -> None:
    game = asked({"42/18": "2404", "49/18": "2305", "97/33": "2405"})
    assert step(game, "42/18", "2404", "2305") == 5
    assert cost(game, "42/18", "2305") == 4.5, "out of the zone and into it again is cheaper"


@pytest.mark.clause("10.8")
def test_10_8_headquarters_leave_zones_for_nothing() -> None:
    game = asked({"18DP": "2404", "42/18": "2404", "97/33": "2405"})
    assert cost(game, "18DP", "2403") == 1


@pytest.mark.parametrize("unit", ["HvyArt", "18DP"])
def test_10_9_guns_and_headquarters_never_go_from_zone_to_zone(unit: str) -> None:
    game = asked({unit: "2404", "42/18": "2305", "97/33": "2405"})
    assert step(game, unit, "2404", "2305") is None
    assert step(game, unit, "2404", "2403") is not None


def test_9_27_a_a_headquarters_enters_a_zone_only_where_a_unit_awaits_it() -> None:
    game = asked({"18DP": "2402", "42/18": "2305", "97/33": "2405"})
    assert {"2404", "2305"} <= set(game.query.zones("soviet"))
    assert cost(game, "18DP", "2404") is None
    assert refusal(game, "18DP", "2404", "2402", "2403", "2404") == "9.27.a"
    assert cost(game, "18DP", "2305") is not None
    assert refusal(game, "18DP", "2405") == "12.1.a"


# -- 7, 8 activations ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.7.a", "7.2", "8.1")
def test_1_5_the_active_side_moves_its_units_then_its_headquarters() -> None:
    game = activated()
    assert game.state.active == "soviet"
    assert {action.kind for action in game.legal_actions()} == {"done", "load"}, "transport comes first (18.2.a)"
    game.apply(Done(), "soviet")
    groups = set(game.question("soviet").groups)
    assert {"97/33", "KavXV", "ArtXV"} <= groups
    assert not groups & {"33DS", "XVA", "GarCie"}
    game.apply(Done(), "soviet")
    assert set(game.question("soviet").groups) == {"33DS", "4DS", "11DS", "16DS"}
    game.apply(Done(), "soviet")
    assert "declare" in {action.kind for action in game.legal_actions()}
    game.apply(Done(), "soviet")
    assert game.state.active == "polish"


def test_9_20_a_units_without_command_move_before_the_others_of_their_formation() -> None:
    from hexwar.testing import position
    from hexwar_wop.activation import Marching
    from tests.wop.table import PAUSE

    units = {"42/18": "0301", "49/18": "0303", "67/17": "1519", "18DP": "0302", "5A": "1523"}
    game = position("wop", units=units, step=[PAUSE, Marching("polish", ("42/18", "49/18", "67/17"))], no_command=["42/18"])
    game.apply(Move("67/17", "1520"))
    assert "42/18" in game.question("polish").groups
    game.apply(Move("49/18", "0304"))
    assert game.state.turn == 2 or "42/18" not in game.question("polish").groups


# -- 15 armoured trains -------------------------------------------------------------------------------------------------


@pytest.mark.clause("15.2.b")
def test_15_2_a_trains_move_along_rails_at_one_point_a_hex() -> None:
    game = asked({"PPa": "1916"})
    costs = game.query.reach("PPa").costs
    assert all(game.world.board.has_link(label, "rail") for label in costs)
    assert costs["1815"] == costs["1816"] == 1
    assert max(costs.values()) == 16


def test_15_1_trains_need_command() -> None:
    game = asked({"PPa": "1916", "17DP": "1303"}, no_command=["PPa"])
    assert "1815" in game.query.reach("PPa").costs
    assert "1816" not in game.query.reach("PPa").costs
    found = game.why_not(Move("PPa", "1816"), "polish")
    assert found is not None
    assert found.clause == "9.21.a"
