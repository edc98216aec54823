"""15.1.3: rivers in the surprise attack."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Declare, Pursue
from hexwar.pieces import Done
from tests.ava.battles import AT, attack, battle, meadow, odds, ratio
from tests.ava.table import field, position, pursuing, retreating, told

RIVERS = ["minor-river", "major-river"]


def across(river: str, phase: str, **more: Any) -> Game:
    board = meadow(sides={river: ["0605|0705"]})
    return battle({"ger-1pz": "0605", "ger-6pz": "0606", "su-179": AT}, "ger-1pz", "ger-6pz", board=board, phase=phase, **more)


@pytest.mark.parametrize("river", RIVERS)
def test_15_1_3_nobody_is_halved_across_a_river(river: str) -> None:
    game = across(river, "surprise", chance=[4])
    assert ratio(game, AT, "ger-1pz") == "8:2 = 4:1"
    assert odds(game, AT, "ger-1pz").strengths[0].reasons == ()
    assert ratio(across(river, "combat"), AT, "ger-1pz") == "4:2 = 2:1"
    events = attack(game, AT, "ger-1pz")
    assert told(events, "attack-declared", "attack-resolved") == [
        f"axis attacks {AT} with ger-1pz: 8 to 2, column 4:1 (10.3.6)",
        f"the attack on {AT} results in RR (10.4.1)",
    ]


@pytest.mark.clause("10.7.4")
@pytest.mark.parametrize("river", RIVERS)
@pytest.mark.parametrize(("phase", "far"), [("surprise", 2), ("combat", 1)])
def test_15_1_3_a_river_does_not_stop_the_pursuit(river: str, phase: str, far: int) -> None:
    board = meadow(sides={river: ["0605|0705"]})
    game = position({"ger-1pz": "0605"}, pursuing(AT, "ger-1pz"), board=board, phase=phase)
    assert max(len(action.path) - 1 for action in game.legal_actions() if isinstance(action, Pursue)) == far


@pytest.mark.clause("10.7.3", "10.7.2")
def test_15_1_3_terrain_and_arm_still_stop_it() -> None:
    forest = position({"ger-1pz": "0605"}, pursuing(AT, "ger-1pz"), board=meadow({AT: "f"}), phase="surprise")
    assert forest.legal_actions() == [Done(), Pursue("ger-1pz", ("0605", AT))]
    infantry = position({"ger-269": "0605"}, pursuing(AT, "ger-269"), board=meadow(), phase="surprise")
    assert infantry.legal_actions() == [Done(), Pursue("ger-269", ("0605", AT))]


@pytest.mark.clause("10.3.9")
def test_15_1_3_terrain_still_shifts() -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", board=meadow({AT: "F"}), phase="surprise")
    assert ratio(game, AT, "ger-1pz") == "8:2 = 2:1"


@pytest.mark.clause("10.6.7")
@pytest.mark.parametrize(("phase", "saved"), [("surprise", True), ("combat", False)])
def test_15_1_3_a_river_does_not_bar_the_second_hex_of_a_retreat(phase: str, saved: bool) -> None:
    """The text ignores the effects of rivers without exception, those on the defender too."""
    areas = {"supply soviet": ["0905"], "supply axis": []}
    board = field(land=["0605", AT, "0805", "0905"], size=(14, 12), sides={"major-river": ["0805|0905"]}, areas=areas)
    game = position({"ger-21": "0605", "su-179": AT}, retreating(2, "su-179", origin=AT), board=board, phase=phase)
    assert told(game.events, "unit-eliminated") == ([] if saved else ["su-179 is eliminated (soviet available) (10.6.14)"])
    if saved:
        assert game.state.locations["su-179"] == "0905"


@pytest.mark.clause("10.6.6")
def test_15_1_3_a_closed_hexside_still_bars_a_retreat() -> None:
    board = field(land=["0605", AT, "0805", "0905"], size=(14, 12), sides={"water": ["0805|0905"]})
    game = position({"ger-21": "0605", "su-179": AT}, retreating(2, "su-179", origin=AT), board=board, phase="surprise")
    assert told(game.events, "unit-eliminated") == ["su-179 is eliminated (soviet available) (10.6.14)"], "water is no river"


@pytest.mark.clause("15.1.1")
def test_15_1_3_rivers_are_ignored_in_the_surprise_attack_of_a_real_game() -> None:
    game = hexwar.new_game("ava", "leningrad", seed=3, options={"auto-setup": True})
    assert (game.to_move, game.state.phase) == (("axis",), "surprise")
    board, at = game.world.board, game.state.locations
    attacks = [action for action in game.legal_actions() if isinstance(action, Declare)]
    wet = [a for a in attacks if board.side(at[a.unit], a.target) & {"minor-river", "major-river"}]
    assert wet
    for action in wet:
        strength = odds(game, action.target, action.unit).strengths[0]
        assert (strength.unit, int(strength.counted), strength.reasons) == (action.unit, strength.printed, ())
