"""5, 6 and 14.45 to 14.48: who comes back and who comes."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.engine import Game, Play, TapedChance
from hexwar.mechanics import Arrive, UnitPlaced, eliminate, stands
from hexwar.testing import ScriptedDice, position
from hexwar_wop.reinforcements import Reinforcing, arrival_hexes
from tests.wop.table import PAUSE, asked, passing


def lost(unit: str, dice: list[int], turn: int = 5) -> Play:
    """A position after the loss of a unit."""
    game = asked({unit: "0811"}, turn=turn)
    play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice.outcomes(dice)))
    eliminate(play, unit, "losses")
    return play


@pytest.mark.clause("14.47.a", "14.47.b", "14.48", "14.45")
def test_14_48_ex1_cavalry_comes_back_after_one_turn() -> None:
    play = lost("108/8BJ", [4])
    assert play.state.locations["108/8BJ"] == "turn 6"
    assert play.state.lost == {"108/8BJ": "0811"}
    assert not stands(play, "108/8BJ")


@pytest.mark.clause("14.46")
@pytest.mark.parametrize(
    ("unit", "die", "turn"), [("18DP", 9, 9), ("5A", 7, 6), ("PPa", 3, 8), ("42/18", 9, 11), ("42/18", 0, 6)]
)
def test_14_47_a_the_table_of_recreation(unit: str, die: int, turn: int) -> None:
    assert lost(unit, [die]).state.locations[unit] == f"turn {turn}"


@pytest.mark.clause("6.1.b", "6.1.d", "2.6.b")
def test_6_1_a_reinforcements_are_placed_on_their_hexes_in_their_turn() -> None:
    came: dict[str, tuple[int, str]] = {}
    for game in passing(3):
        for event in game.events:
            if isinstance(event, UnitPlaced):
                came.setdefault(event.unit, (game.state.turn, event.location))
    assert came["70/17"] == (1, "2224")
    assert came["54DS"] == came["162/54"] == (2, "1901")
    assert came["18DS"] == came["52/18"] == (3, "0301")
    fresh: Game = hexwar.new_game("wop", seed=1)
    assert fresh.world.movement.reach(fresh.position, "70/17").budget == 10, "coming costs nothing"


def test_6_1_c_a_piece_comes_elsewhere_where_the_enemy_is_in_its_hex() -> None:
    units = {"52/18": "turn 3", "2/8BJ": "0301"}
    game = position("wop", units=units, turn=3, step=[PAUSE, Reinforcing("soviet", ("52/18",))])
    hexes = arrival_hexes(game.position, "52/18")
    assert "0301" not in hexes
    assert {"0101", "0201", "0401", "0601"} <= set(hexes)
    assert all(game.world.board.distance("0301", label) <= 3 for label in hexes)
    assert not {"0701", "0302"} & set(hexes)
    assert game.to_move == ("soviet",)
    game.apply(Arrive("52/18", "0401"))
    assert game.state.locations["52/18"] == "0401"
