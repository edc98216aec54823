"""2.3 and 9.4: headquarters that are relocated, by force or of their own will, and where they may go."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Attack, Done, Move, total
from hexwar_tow.relocation import Relocate
from hexwar_tow.state import WAITING
from hexwar_tow.supply import SupplyCheck
from tests.tow.battles import after, attack
from tests.tow.table import (
    COMBAT,
    MOVEMENT_AFTER,
    SELECTION,
    attacking,
    ends,
    field,
    marching,
    neighbours,
    of_kind,
    offered,
    position,
    refused,
    sides_of,
    walls,
    where,
)

HQ, OTHER = "ger-4pza", "ger-8a"


def lifted(units: dict[str, str] | None = None, **more: Any) -> Game:
    """A headquarters in 0710 that is being relocated of its own will."""
    game = position({HQ: "0710", **(units or {})}, marching(HQ), path=SELECTION, **more)
    game.apply(Relocate(HQ))
    return game


def targets(game: Game) -> set[str]:
    return {action.to for action in offered(game, Arrive)}


# -- 2.3.6 to 2.3.9 where to -------------------------------------------------------------------------------------------------


def test_2_3_6_at_least_five_hexes_away_and_as_far_as_it_likes() -> None:
    game = lifted()
    distance = game.world.board.distance
    assert {distance("0710", label) for label in targets(game)} == {5, 6, 7, 8, 9, 10, 11, 12, 13}
    refused(game, Arrive(HQ, "0706"), "2.3.6", "5 hexes")
    game.apply(Arrive(HQ, "0705"))
    assert where(game, HQ) == ("0705",)


def test_2_3_7_not_into_an_enemy_zone() -> None:
    game = lifted({"sov-51": "0704"})
    assert targets(game).isdisjoint(neighbours("0704"))
    refused(game, Arrive(HQ, "0705"), "2.3.7")


def test_2_3_8_only_where_it_can_trace_a_line() -> None:
    game = lifted(board=field(sides={"major-river": sides_of("0705")}))
    assert "0705" not in targets(game)
    assert "0704" in targets(game)
    refused(game, Arrive(HQ, "0705"), "2.3.8")


def test_2_3_9_not_to_another_headquarters_into_water_or_onto_the_enemy() -> None:
    units = {OTHER: "0705", "ger-112": "0704", "ger-68": "0704", "sov-51": "0902"}
    game = lifted(units, board=field({"0503": "~"}))
    assert targets(game).isdisjoint({"0705", "0503", "0902"})
    assert "0704" in targets(game)  # two combat units leave room for a headquarters
    refused(game, Arrive(HQ, "0705"), "2.3.9")


def test_2_3_6_without_a_hex_it_waits_until_the_next_supply_check() -> None:
    """The source is cut off; when it is free again, the distance no longer matters."""
    shut = field(sides={"major-river": [*sides_of("0710"), *sides_of("0701")]})
    near = {"sov-51": "0702"}
    game = position({HQ: "0710", **near}, SupplyCheck(), board=shut, path=SELECTION)
    assert where(game, HQ) == (WAITING,)
    assert game.state.relocations == {}
    again = position({HQ: WAITING, "ger-112": "0707"}, SupplyCheck(), path=SELECTION)
    assert again.to_move == ("axis",)
    again.apply(Arrive(HQ, "0706"))
    assert again.state.relocations == {"axis": 1}


def test_2_3_6_the_chit_of_a_headquarters_that_waits_activates_nobody() -> None:
    game = position({HQ: WAITING, "ger-112": "0707"}, path=(1, 3, 2), drawn=["4pza"], cup=[], dice=[])
    assert of_kind(game.events, "units-activated")[0].units == ()


# -- 9.4 of its own will -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.3.5")
def test_9_4_1_an_active_headquarters_is_relocated_instead_of_moving() -> None:
    game = position({HQ: "0710", "ger-112": "0709"}, marching(HQ, "ger-112"), path=SELECTION)
    assert offered(game, Relocate) == [Relocate(HQ)]
    refused(game, Relocate("ger-112"), "9.4.1")
    game.apply(Relocate(HQ))
    game.apply(Arrive(HQ, "0702"))
    assert not ends(game, HQ)  # it has had its move
    moved = position({HQ: "0710", "ger-112": "0709"}, marching(HQ, "ger-112"), path=SELECTION)
    moved.apply(Move(HQ, "0711"))
    assert offered(moved, Relocate) == []


@pytest.mark.clause("2.3.8", "8.1.4")
def test_9_4_1_not_if_only_the_headquarters_itself_keeps_the_lines_open() -> None:
    """It stands in an enemy zone; without it no line leads through its hex, and everything nearer is too near."""
    chain = ("0701", "0702", "0703", "0704", "0705", "0706", "0707", "0708", "0709", "0710", "0711", "0712")
    board = field(sides={"blocked": walls(*chain, doors=[("0705", "0806")])})
    units = {HQ: "0705", "sov-51": "0806"}
    game = position(units, marching(HQ), board=board, path=SELECTION)
    assert "0705" in game.query.zones("soviet")
    assert game.query.supply("0711", "axis").supplied
    refused(game, Relocate(HQ), "2.3.6")
    with_friend = position({**units, "ger-112": "0705"}, marching(HQ), board=board, path=SELECTION)
    with_friend.apply(Relocate(HQ))
    assert "0711" in targets(with_friend)


@pytest.mark.clause("4.3.6")
def test_9_4_1_it_may_attack_before() -> None:
    units = {HQ: "0707", "ger-11pz": "0707", "sov-51": "0708"}
    game = position(
        units, attacking(HQ, "ger-11pz", seat="axis"), path=MOVEMENT_AFTER, active=[HQ, "ger-11pz"], mode="combat-move", dice=[4]
    )
    attack(game, "0708", HQ, "ger-11pz")
    game.apply(Relocate(HQ))
    game.apply(Arrive(HQ, "0701"))
    assert where(game, HQ) == ("0701",)


def test_9_4_1_a_relocated_headquarters_attacks_nobody_in_its_old_hex() -> None:
    units = {HQ: "0707", "sov-51": "0708"}
    game = position(units, marching(HQ), path=COMBAT, active=[HQ], mode="move-combat")
    game.apply(Relocate(HQ))
    game.apply(Arrive(HQ, "0702"))
    assert offered(game, Attack) == []


# -- 2.3.10 what it costs ----------------------------------------------------------------------------------------------------


def score(game: Game) -> float:
    return float(total(game.query.score(), "soviet"))


@pytest.mark.clause("13.3.4", "13.2.2")
@pytest.mark.parametrize(("scenario", "points"), [("campaign", 2), ("race", 0)])
def test_2_3_10_a_german_one_is_two_points_in_the_campaign(scenario: str, points: int) -> None:
    game = lifted(scenario=scenario)
    assert score(game) == 0
    game.apply(Arrive(HQ, "0702"))
    assert score(game) == points


@pytest.mark.clause("13.3.4")
def test_2_3_10_a_soviet_one_costs_two_even_of_its_own_will() -> None:
    game = position({"sov-voronezh": "0710"}, marching("sov-voronezh", seat="soviet"), path=SELECTION)
    game.apply(Relocate("sov-voronezh"))
    game.apply(Arrive("sov-voronezh", "0719"))
    assert score(game) == -2


# -- what a headquarters leaves behind ---------------------------------------------------------------------------------------

POINT = field(areas={"crossing points": ["0710"]})


@pytest.mark.clause("2.3.5")
def test_12_3_4_a_crossing_point_that_a_headquarters_leaves_falls_at_once() -> None:
    game = position({HQ: "0710", "sov-51": "0712"}, marching(HQ), board=POINT, path=SELECTION)
    game.apply(Relocate(HQ))
    assert game.state.crossings == ("0710",)


@pytest.mark.clause("8.1.12")
def test_12_3_4_also_if_there_is_no_hex_for_the_headquarters() -> None:
    board = field(sides={"major-river": [*sides_of("0710"), *sides_of("0701")]}, areas={"crossing points": ["0710"]})
    game = position({HQ: "0710", "sov-51": "0712", "sov-50": "0702"}, SupplyCheck(), board=board, path=SELECTION)
    assert where(game, HQ) == (WAITING,)
    assert game.state.crossings == ("0710",)


@pytest.mark.clause("2.3.3")
def test_12_3_4_also_if_it_is_eliminated_in_combat() -> None:
    game = after("1RR", {HQ: "0710", "sov-51": "0711"}, "sov-51", target="0710", board=POINT)
    assert game.state.crossings == ("0710",)
    game.apply(Arrive(HQ, "0702"))
    game.apply(Done())
