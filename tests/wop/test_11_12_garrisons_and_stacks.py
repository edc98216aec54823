"""11 and 12.5: garrisons, and stacks over the limit."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import Game, Step
from hexwar.mechanics import Move
from hexwar.pieces import Done
from hexwar.testing import position
from hexwar_wop.activation import Activating, Marching
from hexwar_wop.garrisons import LeaveGarrison, TakeGarrison
from hexwar_wop.overstacking import Displace, Displacing, outlets, overfull
from tests.wop.table import PAUSE, asked

POOL = {"GarPo1": "garrison pool", "GarPo2": "garrison pool"}


def passing_plonsk(**more: Any) -> Game:
    """145/18 walks from 0512 to 0515 by Plonsk (0514)."""
    units: dict[str, Any] = {"67/17": "0512", "17DP": "0512", **POOL, **more}
    game = asked(units)
    game.apply(Move("67/17", "0515"))
    return game


def test_11_1_a_infantry_leaves_a_level_in_a_town_that_it_passes() -> None:
    game = passing_plonsk()
    assert game.state.locations["67/17"] == "0514"
    assert game.to_move == ("polish",)
    game.apply(LeaveGarrison("67/17"))
    assert game.state.locations["GarPo1"] == "0514"
    assert game.state.steps_left["67/17"] == 2
    assert game.state.locations["67/17"] == "0515", "it goes on, and the garrison costs no points"
    assert game.state.locations["GarPo2"] == "garrison pool"


@pytest.mark.parametrize(
    ("unit", "asks"),
    [({"at": "0512", "steps": 2}, True), ({"at": "0512", "steps": 1}, False)],
)
def test_11_1_a_not_at_the_last_level(unit: dict[str, Any], asks: bool) -> None:
    game = asked({"67/17": unit, "17DP": "0512", **POOL})
    game.apply(Move("67/17", "0515"))
    assert (LeaveGarrison("67/17") in game.offered("polish")) is asks


def test_11_1_a_nobody_is_asked_in_the_open_or_without_counters_or_on_horseback() -> None:
    game = asked({"67/17": "0512", "17DP": "0512"})
    game.apply(Move("67/17", "0515"))
    assert game.state.locations["67/17"] == "0515"
    horse = asked({"2/8BJ": "0512", "8BJ": "0512", **POOL})
    horse.apply(Move("2/8BJ", "0515"))
    assert horse.state.locations["2/8BJ"] == "0515"
    field = asked({"67/17": "0710", "17DP": "0512", **POOL})
    field.apply(Move("67/17", "0709"))
    assert field.state.locations["67/17"] == "0709"


def test_11_1_b_a_unit_at_its_second_level_goes_to_its_lowest() -> None:
    game = passing_plonsk(**{"67/17": {"at": "0512", "steps": 2}})
    game.apply(LeaveGarrison("67/17"))
    assert game.state.steps_left["67/17"] == 1
    assert game.world.units["67/17"].faces[0].defence == 2


def test_11_2_garrisons_never_move() -> None:
    game: Game = hexwar.new_game("wop", seed=1)
    for unit, counter in game.world.units.items():
        if "garrison" in counter.tags:
            assert game.world.movement.allowance(game.position, unit) == 0


@pytest.mark.clause("11.6")
def test_11_6_infantry_takes_a_garrison_along() -> None:
    game = passing_plonsk(**{"67/17": {"at": "0512", "steps": 1}, "GarPo1": "0514"})
    game.apply(TakeGarrison("67/17"))
    assert game.state.steps_left["67/17"] == 2
    assert game.state.locations["GarPo1"] == "garrison pool"
    assert game.state.locations["67/17"] == "0515"
    full = passing_plonsk(**{"GarPo1": "0514"})
    assert TakeGarrison("67/17") not in full.offered("polish"), "at full strength it cannot"
    full.apply(Done())
    assert full.state.locations["GarPo1"] == "0514"


CROWD = dict.fromkeys(["42/18", "49/18", "144/18", "145/18", "18DP"], "2404")


def crowded(**more: str) -> Game:
    return position("wop", units={**CROWD, **more}, step=[PAUSE, Displacing("soviet", "2404")], active="polish")


def test_12_5_the_opponent_displaces_what_is_over_the_limit() -> None:
    game = crowded(**{"97/33": "2406"})
    assert overfull(game.position) == ["2404"]
    assert game.to_move == ("soviet",)
    assert {action.unit for action in game.legal_actions("soviet") if isinstance(action, Displace)} == {
        "42/18", "49/18", "144/18", "145/18",
    }  # fmt: skip
    assert outlets(game.position, "42/18") == ["2303", "2304", "2403", "2503", "2504"] or all(
        game.world.board.distance(label, "2406") > 2 for label in outlets(game.position, "42/18")
    )
    game.apply(Displace("49/18", "2403"))
    assert game.state.locations["49/18"] == "2403"
    assert overfull(game.position) == []


def test_12_5_towards_the_enemy_only_if_nothing_else_is_open() -> None:
    around = {"97/33": "2403", "98/33": "2304", "99/33": "2504"}
    game = crowded(**around)
    board = game.world.board
    found = outlets(game.position, "42/18")
    assert found
    assert all(board.adjacent(label, "2404") for label in found)


def test_12_5_what_can_go_nowhere_is_lost() -> None:
    board = asked({}).world.board
    names = ["97/33", "98/33", "99/33", "10/4", "11/4", "12/4"]
    ring = dict(zip(names, board.neighbours("2404"), strict=True))
    game = crowded(**ring)
    assert game.state.locations["145/18"].startswith("turn "), "the last of the stack"
    assert overfull(game.position) == []


def test_12_5_at_the_end_of_an_activation() -> None:
    units = {**CROWD, "97/33": "2406"}
    game = position("wop", units=units, step=[PAUSE, Activating("polish", 3)], active="polish")
    assert game.to_move == ("soviet",)
    assert isinstance(game.state.stack[-1], Displacing)


def test_12_2_a_a_move_may_end_over_the_limit_until_the_phase_ends() -> None:
    full = {"42/18": "2404", "49/18": "2404", "144/18": "2404", "145/18": "2403", "97/33": "2409"}
    steps: list[Step] = [PAUSE, Activating("polish", 2), Marching("polish", ("145/18", "42/18"))]
    game = position("wop", units=full, step=steps, active="polish")
    game.apply(Move("145/18", "2404"))
    assert overfull(game.position) == ["2404"]
    game.apply(Move("42/18", "2403"))
    assert overfull(game.position) == [], "others have made room"
    stays = position("wop", units=full, step=steps, active="polish")
    stays.apply(Move("145/18", "2404"))
    stays.apply(Done())
    assert isinstance(stays.state.stack[-1], Displacing)
