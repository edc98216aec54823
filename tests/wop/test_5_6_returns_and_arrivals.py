"""5, 6 and 14.45 to 14.48: who comes back and who comes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game, Play, Sequencing, TapedChance
from hexwar.mechanics import Arrive, Retreat
from hexwar.pieces import Face, UnitPlaced, eliminate, stands
from hexwar.testing import ScriptedDice, position
from hexwar_wop.recreation import lose_markers
from hexwar_wop.reinforcements import Reinforcing, arrival_hexes
from hexwar_wop.replacements import Recreating, Refit, Refitting, raise_levels, why_no_refit
from tests.wop.table import PAUSE, activated, asked, pass_turn, passing


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
    fresh = activated()
    assert fresh.world.reaches.reach(fresh.position, "70/17").budget == 40, "coming costs nothing"


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


# -- 5 re-creation ------------------------------------------------------------------------------------------------------


def back(lost: dict[str, str], units: dict[str, Any], seat: str = "polish", **state: Any) -> Game:
    """Pieces that are due on turn 5, and the others on the map."""
    places = dict.fromkeys(lost, "turn 5")
    step = [PAUSE, Recreating(seat, tuple(lost))]
    return position("wop", units={**places, **units}, turn=5, lost=lost, step=step, **state)


def why_not(game: Game, unit: str, label: str) -> str | None:
    found = game.why_not(Arrive(unit, label), game.to_move[0])
    return found.clause if found else None


def hexes(game: Game, unit: str) -> set[str]:
    return {action.to for action in game.question(game.to_move[0]).group(unit) if isinstance(action, Arrive)}


@pytest.mark.clause("2.5", "5.1")
def test_5_1_what_is_due_may_come_back_if_the_scenario_allows_it() -> None:
    units = {"18DP": "0514", "5A": "1523", "108/8BJ": "turn 5", "8BJ": "0512", "IVA": "1303", "49/18": "turn 6"}
    game = position("wop", units=units, turn=5, lost={"108/8BJ": "0405", "49/18": "0405"}, step=[Sequencing((0, 2))])
    assert game.to_move == ("polish",)
    assert set(game.question("polish").groups) == {"108/8BJ"}, "49/18 is due in turn 6"
    assert game.world.scenario.recreation
    game.apply(Arrive("108/8BJ", "0512"))
    assert game.state.locations["108/8BJ"] == "0512"
    assert game.state.lost == {"49/18": "0405"}


def test_5_2_armies_then_formations_then_units() -> None:
    lost = {"5A": "1523", "18DP": "0811", "42/18": "0811"}
    game = back(lost, {"67/17": "1520", "17DP": "1520"})
    assert "42/18" not in game.question("polish").groups, "its headquarters is not back"
    game.apply(Arrive("5A", "1020"))
    game.apply(Arrive("18DP", "0817"))
    game.apply(Arrive("42/18", "0817"))
    late = back({"5A": "1523", "108/8BJ": "0405"}, {"8BJ": "0512"})
    late.apply(Arrive("108/8BJ", "0512"))
    assert late.state.turn == 6 or "5A" not in late.question("polish").groups


def test_5_2_whoever_is_asked_what_comes_back_does_nothing_else() -> None:
    game = back({"5A": "1523"}, {"67/17": "1520"})
    refusal = game.why_not(Retreat("5A", ("1523", "1524")), "polish")
    assert refusal is not None
    assert refusal.clause == "5.2"


def test_5_3_the_polish_player_first() -> None:
    units = {"108/8BJ": "turn 5", "8BJ": "0512", "5A": "1523", "97/33": "turn 5", "33DS": "2402", "XVA": "2106"}
    game = position("wop", units=units, turn=5, lost={"108/8BJ": "0405", "97/33": "0912"}, step=[Sequencing((0, 2))])
    assert game.to_move == ("polish",)
    game.apply(Arrive("108/8BJ", "0512"))
    assert game.to_move == ("soviet",)


@pytest.mark.clause("5.4.b")
def test_5_4_a_an_army_comes_back_where_it_has_supply_and_no_enemy_is_near() -> None:
    game = back({"5A": "1523"}, {"97/33": "1221", "144/18": "1222", "108/8BJ": "1120"})
    assert why_not(game, "5A", "0820") == "5.4.a"
    assert why_not(game, "5A", "1322") == "5.4.b"
    assert why_not(game, "5A", "1222") is None, "a unit awaits it"
    assert why_not(game, "5A", "1523") is None


@pytest.mark.clause("5.5.b")
def test_5_5_a_a_formation_comes_back_within_five_hexes_of_its_army() -> None:
    game = back({"17DP": "1520"}, {"5A": "1523", "67/17": "1521"})
    board = game.world.board
    found = hexes(game, "17DP")
    assert {board.distance("1523", label) for label in found} == {0, 1, 2, 3, 4, 5}
    far = next(label for label in ("0919", "1019", "1020") if board.distance("1523", label) == 6)
    assert why_not(game, "17DP", far) == "5.5.a"
    watched = back({"17DP": "1520"}, {"5A": "1523", "97/33": "1221"})
    assert why_not(watched, "17DP", "1322") == "5.5.b"


def test_5_6_a_unit_comes_back_with_its_headquarters() -> None:
    game = back({"42/18": "0811"}, {"18DP": "0712", "5A": "1523"})
    assert hexes(game, "42/18") == {"0712"}
    assert why_not(game, "42/18", "1523") == "5.6"


def test_5_7_an_independent_unit_comes_back_with_the_nearest_army() -> None:
    game = back({"KavXV": "2105"}, {"XVA": "2106", "IVA": "1303"}, "soviet")
    assert hexes(game, "KavXV") == {"2106"}
    assert why_not(game, "KavXV", "1303") == "5.7"
    board = game.world.board
    middle = next(label for label in board.labels if board.distance(label, "2106") == board.distance(label, "1303"))
    tie = back({"KavXV": middle}, {"XVA": "2106", "IVA": "1303"}, "soviet")
    assert hexes(tie, "KavXV") == {"2106", "1303"}


def test_5_8_next_to_the_enemy_only_where_units_are() -> None:
    alone = {"18DP": "0712", "5A": "1523", "97/33": "0713", "67/17": "1520"}
    game = back({"42/18": "0811", "69/17": "1520"}, {**alone, "17DP": "1520"})
    assert why_not(game, "42/18", "0712") == "5.8"
    assert hexes(back({"42/18": "0811"}, {**alone, "49/18": "0712"}), "42/18") == {"0712"}


@pytest.mark.parametrize(("due", "moved"), [(6, 8), (8, 8), (9, 9)])
def test_5_9_a_unit_waits_for_its_headquarters(due: int, moved: int) -> None:
    units = {"42/18": f"turn {due}", "18DP": "turn 8", "5A": "1523"}
    game = position("wop", units=units, turn=5, lost={"42/18": "0811", "18DP": "0811"}, step=[Sequencing((0, 2))])
    assert game.state.locations["42/18"] == f"turn {moved}"


@pytest.mark.parametrize(("unit", "steps"), [("67/17", 2), ("42/18", 2), ("AC1", 1)])
def test_5_11_three_levels_come_back_at_the_second(unit: str, steps: int) -> None:
    assert lost(unit, [5]).state.steps_left[unit] == steps


def test_5_12_even_where_the_headquarters_has_no_supply() -> None:
    game = back({"42/18": "0811"}, {"18DP": "0820", "5A": "1523"})
    assert not game.query.supply("18DP").supplied
    assert hexes(game, "42/18") == {"0820"}


@pytest.mark.clause("11.5")
def test_5_13_garrisons_never_come_back() -> None:
    play = lost("GarCie", [])
    assert "GarCie" not in play.state.locations
    assert play.state.lost == {}


def test_9_26_a_headquarters_that_cannot_move_is_back_after_three_full_turns() -> None:
    game = asked({"IVA": "1303"}, turn=2)
    world = game.world
    fixed = dataclasses.replace(world.units["IVA"], faces=(Face(0, 0, 0),))
    play = Play(world, game.state.copy(), TapedChance(ScriptedDice.outcomes([])))
    units = world.units
    world.units = {**units, "IVA": fixed}
    try:
        eliminate(play, "IVA", "losses")
    finally:
        world.units = units
    assert play.state.locations["IVA"] == "turn 6"


# -- 5 replacements -----------------------------------------------------------------------------------------------------

WEAK = {"42/18": {"at": "0811", "steps": 1}, "18DP": "0712", "5A": "1523"}


def refit(units: dict[str, Any], seat: str = "polish", **state: Any) -> Game:
    markers = state.pop("markers", {"polish": 2, "soviet": 2})
    return position("wop", units=units, step=[Sequencing((0, 5)), Refitting(seat)], markers=markers, turn=2, **state)


def why_no(unit: str, units: dict[str, Any], **state: Any) -> str | None:
    game = refit(units, **state)
    found = why_no_refit(game.position, unit, "polish")
    return found.clause if found else None


def test_5_14_as_many_markers_as_the_scenario_gives() -> None:
    game: Game = hexwar.new_game("wop", seed=1)
    assert game.state.markers == {"polish": 2, "soviet": 2}
    assert why_no("42/18", WEAK, markers={"polish": 0}) == "5.14"


@pytest.mark.clause("5.16")
def test_5_15_a_for_weakened_units_with_supply_and_command() -> None:
    assert why_no("42/18", WEAK) is None
    assert why_no("42/18", {**WEAK, "42/18": "0811"}) == "5.15.a", "it is at full strength"
    assert why_no("42/18", WEAK, no_supply=["42/18"]) == "5.16"
    assert why_no("42/18", {**WEAK, "18DP": "0301"}) in ("5.15.a", "5.16"), "out of range"
    assert why_no("18DP", WEAK) == "5.15.a"
    guns = {"HvyArt": {"at": "1522", "steps": 1}, "17DP": "1522"}
    assert why_no("HvyArt", guns) == "5.15.a", "an independent unit needs an army"
    assert why_no("HvyArt", {**guns, "5A": "1523"}) is None


def test_5_15_b_a_unit_that_just_came_back_may_have_one() -> None:
    units: dict[str, Any] = {"67/17": {"at": "turn 5", "steps": 2}, "17DP": "1522", "5A": "1523", "IVA": "1303"}
    game = position("wop", units=units, turn=5, lost={"67/17": "1519"}, markers={"polish": 1}, step=[Sequencing((0, 2))])
    game.apply(Arrive("67/17", "1522"))
    game.apply(Refit("67/17"))
    assert game.state.refitting == ("67/17",)


@pytest.mark.clause("5.18.b", "5.18.c", "19.1.2")
def test_5_18_a_the_unit_gains_a_level_in_the_end_phase() -> None:
    game = refit(WEAK)
    game.apply(Refit("42/18"))
    assert game.state.markers["polish"] == 1
    assert game.state.refitting == ("42/18",)
    assert game.state.steps_left["42/18"] == 1
    assert game.world.movement.may_move(game.position, "42/18")
    pass_turn(game)
    assert game.state.steps_left["42/18"] == 2
    assert game.state.refitting == ()
    assert game.state.markers["polish"] == 1, "it does not come back"
    cites = [event.clause for event in game.events]
    assert cites.index("19.1.2") < cites.index("5.18.a") < cites.index("19.1.3")


def test_5_17_a_unit_that_is_thrown_back_loses_its_marker() -> None:
    game = refit(WEAK, refitting=["42/18"])
    play = Play(game.world, game.state.copy(), TapedChance(None))
    lose_markers(play, ("42/18", "49/18"))
    assert play.state.refitting == ()
    raise_levels(play)
    assert play.state.steps_left["42/18"] == 1
