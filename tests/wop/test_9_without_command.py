"""9.11 and 9.19 to 9.21: how pieces without command move."""

from __future__ import annotations

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Move
from hexwar.testing import position
from hexwar_wop.activation import Marching, move_units
from tests.wop.table import PAUSE, asked


def ends(game: Game, unit: str) -> set[str]:
    return set(game.query.reach(unit).costs)


def refusal(game: Game, unit: str, to: str) -> str:
    found = game.why_not(Move(unit, to), game.to_move[0])
    assert found is not None
    return found.clause


@pytest.mark.clause("9.20.b")
def test_9_20_b_a_unit_moves_only_towards_its_headquarters_and_stops_in_its_range() -> None:
    game = asked({"42/18": "2402", "18DP": "2409", "5A": "1523"}, no_command=["42/18"])
    board = game.world.board
    assert game.world.units["18DP"].command == 4
    found = ends(game, "42/18")
    assert found
    for label in found:
        assert 4 <= board.distance(label, "2409") < 7
    assert "2405" in found
    assert "2406" not in found, "commanded in 2405, where it stops"
    assert refusal(game, "42/18", "2401") == "9.20.b"
    free = asked({"42/18": "2402", "18DP": "2409", "5A": "1523"})
    assert {"2401", "2406"} <= ends(free, "42/18")
    assert ends(asked({"42/18": "2405", "18DP": "2409"}, no_command=["42/18"]), "42/18") == set()


def test_9_20_c_it_may_enter_zones_on_its_way() -> None:
    game = asked({"42/18": "2402", "18DP": "2409", "97/33": "2304"}, no_command=["42/18"])
    assert set(game.query.zones("soviet")) & ends(game, "42/18")


@pytest.mark.clause("9.21.b")
def test_9_21_a_an_independent_unit_moves_towards_any_range() -> None:
    units = {"KavXV": "2402", "33DS": "2409", "97/33": "2602"}
    game = asked(units, no_command=["KavXV", "33DS"])
    assert "2405" in ends(game, "KavXV"), "even of a headquarters without command"
    assert "2406" in ends(game, "KavXV")
    assert "2407" not in ends(game, "KavXV")
    assert refusal(game, "KavXV", "2401") == "9.21.a"
    alone = asked({"KavXV": "2402"}, no_command=["KavXV"])
    assert ends(alone, "KavXV") == set()
    zoned = asked({"KavXV": "2402", "33DS": "2409", "42/18": "2304"}, no_command=["KavXV"])
    assert set(zoned.query.zones("polish")) & ends(zoned, "KavXV")


def test_9_19_a_a_headquarters_moves_only_towards_its_army() -> None:
    game = asked({"33DS": "2402", "XVA": "2106", "IVA": "2701"}, no_command=["33DS"])
    board = game.world.board
    before = board.distance("2402", "2106")
    found = ends(game, "33DS")
    assert found
    assert all(board.distance(label, "2106") < before for label in found)
    assert refusal(game, "33DS", "2401") == "9.19.a"
    assert ends(asked({"33DS": "2402"}, no_command=["33DS"]), "33DS") == set()


def test_9_19_b_once_in_the_range_it_stays_there() -> None:
    game = asked({"33DS": "1803", "XVA": "2106"}, no_command=["33DS"])
    board = game.world.board
    inside = game.world.command.range_of(game.position, "XVA")
    costs = game.world.reaches.costs_of(game.position, "33DS")
    for d, delta in enumerate(board.deltas):
        for i in board.hexes:
            if costs[d][i] != 255 and inside >> i & 1:
                assert inside >> (i + delta) & 1


def test_9_11_a_unit_whose_headquarters_is_lost_stays() -> None:
    units = {"42/18": "2402", "49/18": "2404", "67/17": "2406", "17DP": "2407", "18DP": "turn 5"}
    game = position("wop", units=units, step=[PAUSE, Marching("polish", ("67/17",))], no_command=["42/18"], lost={"18DP": "2403"})
    assert not game.world.movement.may_move(game.position, "42/18")
    assert game.world.movement.may_move(game.position, "67/17")
    found = game.why_not(Move("42/18", "2401"), "polish")
    assert found is not None
    assert found.clause == "9.11"
    pushed: list[Marching] = []

    class Doing:
        world, state = game.world, game.state
        push = staticmethod(pushed.append)

    move_units(Doing, "polish")  # type: ignore[arg-type]  # it only looks at these
    assert pushed[0].units == ("49/18", "67/17")
