"""end, break, victory: the end of a turn and of a game."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Position
from hexwar.pieces import Done
from hexwar_bkc.acting import Acting
from hexwar_bkc.ending import adjusted, beyond, break_point, counted, held_now, holds, rank, verdict
from hexwar_bkc.state import Broke, TurnEnded
from tests.bkc.table import said, table

SIDES = ("poland", "germany")
GERMANS = {"g1": (1000, 400), "g3": (3000, 400), "g4": (2000, 400)}


@pytest.mark.clause("end.3")
@pytest.mark.clause("supp.4", "end.5")
def test_end_2_end_3_markers_go_and_the_active_side_recovers() -> None:
    game = table({"p3": (3000, 5000), "p4": (2000, 5000), **GERMANS}, hits={"g3": 1}, suppressed=["p4", "g3"])
    game.apply(Done())
    assert said(game, TurnEnded)[0].recovered == ("p4",)
    assert (game.state.hits, game.state.suppressed, game.state.active) == ({}, ("g3",), "germany")


def test_break_1_half_of_what_counts_rounded_up() -> None:
    game = table({"p3": (3000, 5000), "g3": (3000, 400)})
    assert (len(counted(game.position, "poland")), break_point(game.position, "poland")) == (5, 3)


@pytest.mark.clause("break.2", "break.5", "break.ex1")
@pytest.mark.parametrize(
    ("dice", "lost", "breaks"), [([4, 5], ["g3", "g4", "g5"], False), ([4, 5], ["g3", "g4", "g5", "g8"], True)]
)
def test_break_3_each_loss_more_makes_it_harder(dice: list[int], lost: list[str], breaks: bool) -> None:
    units = {f"p{number}": (800 * number, 5000) for number in range(1, 7)} | {"g1": (3000, 400), "g6": (1000, 400)}
    game = table(units, dice=dice, lost=lost)
    game.apply(Done())
    assert bool(said(game, Broke)) == breaks
    if breaks:
        assert said(game, Broke)[0].clause == "break.4"
        assert game.result is not None
        assert game.result.winner == "poland"


def test_end_6_a_main_objective_is_reached_when_it_is_held_for_two_turns() -> None:
    units = {"p3": (5400, 5400), "p4": (2000, 5000), "g3": (3000, 400)}
    game = table(units)
    assert holds(game.position, "poland", "Farm")
    assert not holds(table({**units, "g4": (5700, 5700)}).position, "poland", "Farm")
    assert (rank(game.position, "poland"), rank(game.position, "germany")) == (2, 0)
    late = table(units, Acting("germany", ("g3",)), active="germany", path=(1, 2, 6), held=["poland"])
    late.apply(Done())
    assert late.result is not None
    assert (late.result.winner, late.result.reason) == ("poland", "minor victory"), "Germany has the points for its guns"


@pytest.mark.clause("victory.1", "victory.2", "victory.3")
@pytest.mark.parametrize(
    ("ranks", "points", "steps", "clause"),
    [
        ((0, 0), (0, 0), 0, "victory.1"),
        ((2, 2), (30, 20), 0, "victory.1"),
        ((1, 0), (0, 0), 1, "victory.2"),
        ((1, 2), (0, 0), -1, "victory.2"),
        ((2, 0), (10, 10), 2, "victory.3"),
        ((0, 0), (40, 20), 1, "victory.7"),
        ((1, 0), (40, 20), 2, "victory.7"),
        ((1, 0), (20, 40), 0, "victory.7"),
        ((2, 0), (40, 0), 2, "victory.7"),
    ],
)
def test_victory_7_twice_the_points_improve_a_result(
    ranks: tuple[int, int], points: tuple[int, int], steps: int, clause: str
) -> None:
    found = verdict(dict(zip(SIDES, ranks, strict=True)), dict(zip(SIDES, points, strict=True)), SIDES)
    assert found == ({"poland": steps, "germany": -steps}, clause)


@pytest.mark.clause("victory.ex1")
def test_victory_5_a_smaller_budget_costs_the_enemy_points() -> None:
    assert [adjusted(500, 1000, 900), adjusted(50, 1000, 900), adjusted(500, 1000, None)] == [400, 0, 500]


def test_victory_2_units_beyond_a_river() -> None:
    game: Any = hexwar.new_game("bkc", "bzura", seed=1)
    assert beyond(game.position, "germany", "Bzura") == []
    assert rank(game.position, "poland") == 2, "as long as Germany does not hold Sobota"
    assert held_now(game.position) == (), "but that counts at the end"
    moved = game.state.copy()
    spots = dict(moved.spots)
    for number, unit in enumerate(["g10", "g11", "g12"]):
        spots[unit] = (200 + 400 * number, 11_000)
    moved.spots = spots
    at = Position(game.world, moved)
    assert len(beyond(at, "germany", "Bzura")) == 3
    assert rank(at, "germany") == 1
