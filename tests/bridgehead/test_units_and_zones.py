"""1 to 4: the game, its counters, stacking and zones of control."""

from __future__ import annotations

import random

import pytest

from hexwar.mechanics import Join, Move, in_enemy_zone
from hexwar.pieces import LoseStep, face
from tests.bridgehead.helpers import (
    attacking,
    field,
    losing,
    moving,
    position,
    pursuing,
    refused,
    retreating,
    scenario,
    unit_hexes,
)

ROUND_0404 = {"0403", "0503", "0504", "0405", "0304", "0303"}


def test_1_1_the_game_lasts_six_turns() -> None:
    game = scenario(random.Random(1))
    while game.to_move:
        seat = game.to_move[0]
        game.apply(game.legal_actions(seat)[0], seat)  # the dullest choice: nobody moves or fights
    turns = [event.turn for event in game.events if event.kind == "turn-began"]  # type: ignore[attr-defined]
    assert turns == [1, 2, 3, 4, 5, 6]
    assert game.state.turn == 6
    assert game.result is not None
    assert game.result.clause == "14.3"


def test_2_1_a_unit_that_lost_a_step_shows_its_weaker_values() -> None:
    game = position({"b1": "0404", "b5": "0404", "bA": "0104", "r1": "0804"}, losing("blue", 1, "b1", "b5"))
    assert {unit: game.state.steps_left[unit] for unit in ("b1", "b5", "bA")} == {"b1": 2, "b5": 2, "bA": 1}
    full, reduced = (4, 4, 4), (2, 2, 4)
    assert (face(game.position, "b1").attack, face(game.position, "b1").defence, face(game.position, "b1").move) == full
    game.apply(LoseStep("b1"))
    assert game.state.steps_left["b1"] == 1
    assert (face(game.position, "b1").attack, face(game.position, "b1").defence, face(game.position, "b1").move) == reduced


def test_2_1_a_headquarters_has_one_step() -> None:
    game = position({"b1": "0404", "bA": "0404", "r1": "0804"}, losing("blue", 1, "b1", "bA"))
    game.apply(LoseStep("bA"))
    assert "bA" not in game.state.locations


def test_2_2_a_headquarters_moves_like_infantry() -> None:
    board = field(terrain={"0505": "m"}, river=["0504/N/NE/SE/S/SW/NW"])
    game = position({"bA": "0404", "b1": "0404", "r1": "0904"}, moving("bA", "b1"), board=board)
    costs = game.query.reach("bA").costs
    assert (costs["0504"], costs["0503"], costs["0505"]) == (3.0, 1.0, 3.0)
    infantry = game.query.reach("b1").costs
    assert all(costs[label] == points for label, points in infantry.items())


def test_2_2_a_headquarters_takes_part_in_no_attack() -> None:
    game = position({"bA": "0404", "b1": "0404", "r1": "0504"}, attacking("bA", "b1"))
    game.apply(game.legal_actions()[1])
    refused(game, Join("bA"), "2.2", "bA has no attack strength")
    alone = position({"bA": "0404", "r1": "0504"}, attacking("bA"))
    assert alone.state.turn == 2, "alone it has nothing to attack"


def test_2_2_a_headquarters_defends_with_its_printed_strength() -> None:
    game = position({"b1": "0404", "rA": "0504"}, attacking("b1"))
    assert (game.query.odds(["b1"], "0504").attack, game.query.odds(["b1"], "0504").defence) == (4, 1)


def test_3_1_two_units_may_end_a_move_in_a_hex_and_no_third() -> None:
    game = position({"b1": "0404", "b2": "0304", "bA": "0304", "b5": "0204", "r1": "0904"}, moving("b1", "b5"))
    refused(game, Move("b1", "0304"), "3.1", "at most 2 units may end in 0304")
    assert "0204" in unit_hexes(game, "b1")
    assert "0205" in unit_hexes(game, "b5"), "it moves through the full hex"


def test_3_1_headquarters_count_in_retreat_and_pursuit() -> None:
    retreat = position({"r1": "0504", "r2": "0605", "rA": "0605", "b1": "0404"}, retreating(1, "r1"))
    assert all(action.path[-1] != "0605" for action in retreat.legal_actions("red"))  # type: ignore[attr-defined]
    pursuit = position({"b1": "0404", "b2": "0404", "bA": "0304", "r1": "0904"}, pursuing("0504", "b1", "b2"))
    assert [str(action) for action in pursuit.legal_actions()] == ["done", "b1 pursues to 0504", "b2 pursues to 0504"]


def test_3_2_units_of_both_sides_never_share_a_hex() -> None:
    game = position({"b5": "0304", "r1": "0504"}, moving("b5"))
    refused(game, Move("b5", "0504"), "7.6", "0504 is occupied by red")
    with pytest.raises(Exception, match=r"unit r1: the enemy unit b1 stands in 0304"):
        position({"b1": "0304", "r1": "0304"})


@pytest.mark.parametrize("unit", ["b1", "b5", "bA"])
def test_4_1_every_unit_has_a_zone_in_the_six_hexes_around_it(unit: str) -> None:
    game = position({unit: "0404", "r1": "0904"}, moving(unit))
    assert set(game.query.zones("blue")) == ROUND_0404
    assert {label for label in game.world.board.labels if in_enemy_zone(game.position, "red", label)} == ROUND_0404
    assert not in_enemy_zone(game.position, "blue", "0403")


def test_4_1_several_zones_count_as_one() -> None:
    one = position({"b1": "0304", "r1": "0504"}, moving("b1"))
    two = position({"b1": "0304", "r1": "0504", "r2": "0503", "r3": "0504"}, moving("b1"))
    assert one.query.reach("b1").costs["0404"] == two.query.reach("b1").costs["0404"] == 2.0


def test_4_2_no_zone_extends_into_a_lake() -> None:
    game = position({"b1": "0404", "r1": "0904"}, moving("b1"), board=field(terrain={"0503": "~"}))
    assert set(game.query.zones("blue")) == ROUND_0404 - {"0503"}
