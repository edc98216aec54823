"""16: river units on their hexsides: how they move, fight, fall back, pursue and carry.

The Narew runs by 2220|2221, 1722|1822, 1722|1723, 1622|1723 and 1622|1623 to 1523|1623, and there into the Vistula.
"""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import DiceRolled, Game, Play, TapedChance
from hexwar.mechanics import Battle, Declare, Move, price_or_refusal
from hexwar.pieces import Done, eliminate
from hexwar.testing import ScriptedDice, position
from hexwar_wop.activation import Marching
from hexwar_wop.bot import Officer
from hexwar_wop.command import check_command
from hexwar_wop.losses import Lead, LosingLevels
from hexwar_wop.modifiers import Forces
from hexwar_wop.reactions import React, Reacting
from hexwar_wop.replacements import Recreating, harbours, why_no_refit
from hexwar_wop.river import Cruising, Drifting, Sail, navigable
from hexwar_wop.transport import Load, Transporting, Unload, misplaced
from tests.wop.table import PAUSE, asked, idle, load_side, supplied, zone
from tests.wop.test_14_attacks import attack, begun, planning
from tests.wop.test_18_transport import loading, refused

ARMY: dict[str, Any] = {"5A": "1523"}


def marching(units: dict[str, Any], side: str = "polish", **state: Any) -> Game:
    """A side moves."""
    mine = tuple(unit for unit in units if load_side(unit) == side)
    steps = [PAUSE, idle({"5A": ""}), Marching(side, mine)]
    return position("wop", units={**ARMY, **units}, step=steps, **state)


def ends(game: Game, unit: str = "Riv1") -> set[str]:
    """Where a river unit can go."""
    return {action.to for action in game.legal_actions() if isinstance(action, Sail) and action.unit == unit}


def why_not(game: Game, to: str, unit: str = "Riv1") -> str:
    found = game.why_not(Sail(unit, to), game.to_move[0])
    assert found is not None
    return found.clause


# -- 16.1 to 16.3 movement -------------------------------------------------------------------------------------------------


@pytest.mark.clause("16.1.a", "16.1.b")
def test_16_1_a_river_units_move_along_navigable_hexsides_only() -> None:
    game = marching({"Riv1": "1722|1723"})
    sides = navigable(game.world.board)
    assert len(sides) == 24 + 19
    assert ends(game) <= set(sides)
    assert {"1622|1723", "1722|1822", "1523|1524"} <= ends(game)
    assert why_not(game, "1722|1821") == "16.1.a", "the Wkra is not navigable"
    game.apply(Sail("Riv1", "1523|1524"))
    assert game.state.locations["Riv1"] == "1523|1524"


@pytest.mark.clause("16.3.a", "16.3.b")
def test_16_3_b_upstream_there_is_a_point_less() -> None:
    game = marching({"Riv1": "1722|1723"})
    river, ways = game.world.river, game.world.river.sails(game.position, "Riv1")
    down = [way for way in ways.values() if not any(map(river.is_upstream, way, way[1:]))]
    up = [way for way in ways.values() if any(map(river.is_upstream, way, way[1:]))]
    assert max(map(len, down)) - 1 == 10
    assert max(map(len, up)) - 1 == 9
    assert not river.is_upstream("1722|1723", "1622|1723")
    assert river.is_upstream("1622|1723", "1722|1723")
    assert river.is_upstream("1524|1623", "1523|1623"), "from the Vistula into the Narew"
    assert not river.is_upstream("1523|1623", "1523|1524")
    tenth = next(end for end, way in river.reach(game.position, "Riv1", 11).items() if len(way) == 11 and way not in down)
    assert why_not(game, tenth) == "16.3.b"
    assert why_not(game, "2719|2720") == "16.3.a"


@pytest.mark.clause("16.2")
def test_16_2_enemy_zones_do_not_stop_a_boat_an_enemy_boat_does() -> None:
    units = {"Riv1": "1722|1723", "97/33": "1622", "98/33": "1722", "99/33": "1623"}
    assert "1523|1623" in ends(marching(units))
    assert {"1621", "1724"} <= zone(asked({**ARMY, **units}), "soviet")


@pytest.mark.clause("3.12.b")
def test_16_3_a_a_boat_without_supply_has_half_its_points() -> None:
    game = marching({"Riv1": "1722|1723"}, no_supply=["Riv1"])
    assert game.world.river.points(game.position, "Riv1") == 5


@pytest.mark.clause("9.21.a", "1.9.b")
def test_9_21_a_a_boat_without_command_goes_towards_it_only() -> None:
    home = marching({"5A": "0301", "Riv1": "1722|1723"}, no_command=["Riv1"])
    assert ends(home) == set(), "nobody's range touches the river"
    far = marching({"5A": "0311", "Riv1": "1523|1623"}, no_command=["Riv1"])
    at, river = far.position, far.world.river
    led = far.world.command.range_of(at, "5A")
    inside = {side for side in river.sides if any(led >> far.world.board.index(bank) & 1 for bank in river.banks(side))}
    assert "1523|1623" not in inside
    assert ends(far)
    for end in ends(far):
        assert not inside & {*river.sails(at, "Riv1")[end][:-1]}, "it stops in the range"
    assert why_not(far, "1622|1623") == "9.21.a"
    free = marching({"5A": "0301", "Riv1": "1722|1723"})
    assert ends(free)


def test_9_14_a_boat_that_no_line_reaches_is_tested() -> None:
    game = asked({"5A": "0301", "Riv1": "1722|1723"})
    for face, marked in ((6, ()), (7, ("Riv1",))):
        play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice.outcomes([face])))
        check_command(play)
        assert play.state.no_command == marked


# -- 3.5 supply, 10.2.3.b zones --------------------------------------------------------------------------------------------


@pytest.mark.clause("3.5")
def test_3_5_a_boat_is_supplied_along_the_river() -> None:
    assert supplied(asked({"Riv1": "2220|2221"}), "Riv1")
    both = {"Riv1": "2220|2221", "97/33": "1722", "98/33": "1723"}
    assert not supplied(asked(both), "Riv1"), "enemies on both banks"
    assert supplied(asked({**both, "98/33": "1724"}), "Riv1"), "one bank is not enough"


@pytest.mark.clause("10.2.3.b", "10.6.3.a")
def test_10_2_3_b_crossing_a_river_that_a_boat_watches_is_going_from_zone_to_zone() -> None:
    army = {"5A": "0301"}

    def crossing(place: str) -> object:
        game = asked({**army, "97/33": "1622", "Riv1": place})
        assert game.query.reach("97/33").costs["1621"] == 1, "nothing else costs more"
        return price_or_refusal(game.position, "97/33", "1622", "1623", 10)

    assert [crossing(place) for place in ("1622|1623", "1622|1723", "1523|1623", "1722|1822")] == [10, 10, 10, 2]
    guns = asked({**army, "ArtXV": "1523", "Riv1": "1523|1623"})
    assert "1623" not in guns.query.reach("ArtXV").costs, "guns never go from zone to zone"
    cavalry = asked({**army, "KavXV": "1523", "Riv1": "1523|1623"})
    assert cavalry.query.reach("KavXV").costs["1623"] == 0.5 + 4
    assert zone(asked({**army, "Riv1": "1523|1623"}), "polish") == set()


# -- 16.4 fights -------------------------------------------------------------------------------------------------------------

BANK: dict[str, Any] = {**ARMY, "97/33": "1722", "22/9": "1821", "Riv1": "1722|1822"}
"""A Soviet brigade on the bank, a Polish regiment next to it, and a boat."""


@pytest.mark.clause("16.4.2", "14.13.o")
def test_16_4_2_a_boat_supports_an_attack_on_a_riverside_hex() -> None:
    game = planning(BANK, "polish", [])
    assert refused(game, Declare("Riv1", "1722")) == "16.4.2", "somebody must attack first"
    game.apply(Declare("22/9", "1722"))
    assert Declare("Riv1", "1722") in game.legal_actions()
    alone, together = game.query.odds(["22/9"], "1722"), game.query.odds(["22/9", "Riv1"], "1722")
    assert (together.attack, together.defence) == (alone.attack + 3, alone.defence)
    assert [shift.columns for shift in together.shifts if shift.clause == "14.13.o"] == [1]
    inland = planning({**ARMY, "97/33": "1721", "22/9": "1821", "Riv1": "1722|1822"}, "polish", [])
    inland.apply(Declare("22/9", "1721"))
    assert refused(inland, Declare("Riv1", "1721")) == "16.4.2", "the hex is not at the river"
    far = planning({**BANK, "Riv1": "2220|2221"}, "polish", [])
    far.apply(Declare("22/9", "1722"))
    assert refused(far, Declare("Riv1", "1722")) == "16.4.2"


def test_16_4_2_a_boat_defends_the_hexes_at_which_it_lies() -> None:
    units: dict[str, Any] = {**ARMY, "22/9": "1722", "97/33": "1821"}
    alone = asked(units).query.odds(["97/33"], "1722")
    helped = asked({**units, "Riv1": "1722|1723"}).query.odds(["97/33"], "1722")
    assert helped.defence == alone.defence + 3
    assert [shift.columns for shift in helped.shifts if shift.clause == "14.13.o"] == [-1]
    assert asked({**units, "Riv1": "1622|1623"}).query.odds(["97/33"], "1722").defence == alone.defence


def test_16_4_1_a_boat_defends_where_the_river_is_forced_next_to_it() -> None:
    units: dict[str, Any] = {**ARMY, "22/9": "1623", "97/33": "1622"}
    alone = asked(units).query.odds(["97/33"], "1623")
    near = asked({**units, "Riv1": "1622|1723"})
    assert near.query.odds(["97/33"], "1623").defence == alone.defence + 3, "over the bridge, next to its hexside"
    forces = Forces.of(near.position, Battle.on("soviet", "1623", ("97/33",)))
    assert forces.flotilla == ("Riv1",)
    assert near.world.river.defends(near.position, "Riv1", "1623", ["1622"]) == "16.4.1"
    assert near.world.river.defends(near.position, "Riv1", "1622", []) == "16.4.2"
    assert near.world.river.defends(near.position, "Riv1", "1623", []) == ""


@pytest.mark.clause("14.3.b", "16.4.2")
def test_16_4_2_a_boat_defends_one_hex_in_an_activation() -> None:
    units: dict[str, Any] = {**ARMY, "22/9": "1722", "97/33": "1821", "Riv1": "1722|1723", "15/9": "1723", "98/33": "1724"}
    game = attack(units, ["97/33"], "1722", 4)
    assert [event.clause for event in game.events if event.kind == "boat-engaged"] == ["16.4.2"]
    busy = asked(units, engaged=[["Riv1", "1722"]])
    assert Forces.of(busy.position, Battle.on("soviet", "1723", ("98/33",))).flotilla == ()
    assert Forces.of(busy.position, Battle.on("soviet", "1722", ("97/33",))).flotilla == ("Riv1",)


def test_16_4_2_boats_share_losses_and_may_lead() -> None:
    units: dict[str, Any] = {**ARMY, "22/9": "1722", "97/33": "1821", "Riv1": "1722|1723"}
    game = begun(units, [LosingLevels("polish", ("22/9", "Riv1"), 1)], [])
    assert {action.unit for action in game.legal_actions()} == {"22/9", "Riv1"}  # type: ignore[attr-defined]
    fight = attack(units, ["97/33"], "1722", 4)
    assert {action.unit for action in fight.legal_actions() if isinstance(action, Lead)} == {"22/9", "Riv1"}


# -- 14.29 retreat, 16.5 pursuit -------------------------------------------------------------------------------------------


@pytest.mark.clause("14.29.a")
def test_14_29_a_a_boat_retreats_along_the_river_past_no_more_than_one_unit() -> None:
    game = begun({**ARMY, "Riv1": "1722|1723"}, [Drifting("polish", ("Riv1",), 2)], [])
    assert ends(game) == {"1622|1623", "1821|1822"}
    units = {**ARMY, "Riv1": "1722|1723", "97/33": "1822", "98/33": "1822"}
    down = begun(units, [Drifting("polish", ("Riv1",), 2)], [])
    assert down.state.locations["Riv1"] == "1622|1623", "two enemy units close the way up"
    lost = begun({**units, "99/33": "1622", "10/4": "1622"}, [Drifting("polish", ("Riv1",), 2)], [3])
    assert lost.state.locations["Riv1"].startswith("turn "), "no way is left (14.26)"


@pytest.mark.clause("14.29.b")
@pytest.mark.parametrize(("face", "steps"), [(5, 2), (6, 1), (9, 1)])
def test_14_29_b_running_past_a_unit_may_cost_a_level(face: int, steps: int) -> None:
    units: dict[str, Any] = {**ARMY, "Riv1": "1722|1723", "97/33": "1822", "98/33": "1822", "99/33": "1622"}
    game = begun(units, [Drifting("polish", ("Riv1",), 1)], [face])
    assert game.state.locations["Riv1"] == "1622|1723"
    assert game.state.steps_left["Riv1"] == steps
    assert [event.clause for event in game.events if isinstance(event, DiceRolled)] == ["14.29.b"]


def test_14_29_b_the_last_level_eliminates_it() -> None:
    units: dict[str, Any] = {**ARMY, "Riv1": {"at": "1722|1723", "steps": 1}, "97/33": "1822", "98/33": "1822", "99/33": "1622"}
    game = begun(units, [Drifting("polish", ("Riv1",), 2)], [6, 4])
    assert game.state.locations["Riv1"].startswith("turn ")
    assert game.state.lost == {"Riv1": "1622"}


def test_14_29_a_boats_of_the_beaten_side_fall_back_too() -> None:
    units: dict[str, Any] = {
        **ARMY, "22/9": {"at": "1722", "steps": 1}, "Riv1": "1722|1723", "97/33": "1821", "98/33": "1821", "46/16": "1822",
    }  # fmt: skip
    game = attack({**units, "9DP": "1622"}, ["97/33", "98/33"], "1722", 9, 0, 0, 0, 0)
    kinds = [event.kind for event in game.events]
    assert "boat-engaged" in kinds
    while game.to_move and game.state.stack[-1].kind in ("leading", "losing-levels", "falling-back", "drifting"):
        game.apply(game.question(game.to_move[0]).example)
    assert game.state.locations["Riv1"] != "1722|1723"


@pytest.mark.clause("16.5")
def test_16_5_a_boat_pursues_along_the_river() -> None:
    game = begun({**ARMY, "Riv1": "1722|1723"}, [Cruising("polish", ("Riv1",), 2)], [])
    assert Done() in game.legal_actions()
    assert "1622|1623" in ends(game)
    assert "1821|1822" not in ends(game), "upstream it is one hexside only"
    assert why_not(game, "1523|1524") == "16.5"
    game.apply(Sail("Riv1", "1622|1623"))
    assert game.state.locations["Riv1"] == "1622|1623"


def test_16_5_after_an_attack_that_forced_a_retreat() -> None:
    units = {**BANK, "97/33": {"at": "1722", "steps": 1}, "15/9": "1821", "34/9": "1821"}
    game = planning(units, "polish", [9, 9, 0, 0, 0])
    for unit in ("22/9", "15/9", "34/9", "Riv1"):
        game.apply(Declare(unit, "1722"))
    game.apply(Done())
    while game.to_move and game.state.stack[-1].kind not in ("cruising", "moving"):
        game.apply(game.question(game.to_move[0]).example)
        if game.state.stack[-1].kind == "chasing":
            game.apply(Done())
    assert isinstance(game.state.stack[-1], Cruising)


# -- 13.12 reaction ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.12")
def test_13_12_a_boat_may_fall_back_before_whoever_comes_to_its_bank() -> None:
    units: dict[str, Any] = {**ARMY, "Riv1": "1722|1723", "97/33": "1821"}
    steps = [PAUSE, idle({"5A": ""}), Marching("soviet", ("97/33",))]
    game = position("wop", units=units, step=steps)
    game.apply(Move("97/33", "1722"))
    assert isinstance(game.state.stack[-1], Reacting)
    assert game.to_move == ("polish",)
    assert {action.hexes for action in game.legal_actions() if isinstance(action, React)} == {1, 2, 3, 4, 5, 6}
    assert isinstance(Officer().choose(game.view("polish"), ScriptedDice([])), Done)
    game.apply(React(2))
    game.apply(Sail("Riv1", "1622|1623"))
    assert game.state.reacted == ("Riv1",)
    assert game.state.locations["97/33"] == "1722"


# -- 18.4, 18.7.2 what a boat carries --------------------------------------------------------------------------------------


@pytest.mark.clause("18.4", "18.7.2", "18.13.b")
def test_18_7_2_a_boat_carries_an_infantry_unit_and_a_headquarters() -> None:
    units = {**ARMY, "Riv1": "1722|1723", "22/9": "1722", "15/9": "1722", "9DP": "1723", "HvyArt": "1722", "34/9": "1822"}
    game = loading(units)
    assert refused(game, Load("HvyArt", "Riv1", "1722|1723")) == "18.7.2"
    assert refused(game, Load("34/9", "Riv1", "1722|1723")) == "18.4", "not at the bank"
    assert refused(game, Load("22/9", "Riv1", "1622|1723")) == "18.4", "not where the boat is"
    game.apply(Load("22/9", "Riv1", "1722|1723"))
    game.apply(Load("9DP", "Riv1", "1722|1723"))
    assert refused(game, Load("15/9", "Riv1", "1722|1723")) == "18.7.2"
    assert game.world.river.points(game.position, "Riv1") == 9
    assert isinstance(game.state.stack[-1], Marching), "nobody can be loaded any more"
    game.apply(Sail("Riv1", "1523|1623"))
    assert {game.state.locations[unit] for unit in ("Riv1", "22/9", "9DP")} == {"1523|1623"}
    assert misplaced(game.position) is None


def test_18_7_2_who_is_aboard_goes_ashore_on_a_bank() -> None:
    units = {**ARMY, "Riv1": "1622|1723", "22/9": "1622|1723", "97/33": "1723"}
    loaded = {"22/9": "Riv1"}
    game = loading(units, loaded=loaded)
    assert {action.to for action in game.legal_actions() if isinstance(action, Unload)} == {"1622"}
    assert refused(game, Unload("22/9", "1723")) == "12.1.a"
    assert refused(game, Unload("22/9", "1822")) == "18.11"
    game.apply(Unload("22/9", "1622"))
    assert game.state.locations["22/9"] == "1622"
    assert game.world.movement.allowance(game.position, "22/9") == 3
    assert game.state.locations["Riv1"] == "1622|1723", "it stays what it is"
    assert supplied(loading(units, loaded=loaded), "22/9"), "aboard it is supplied as the boat is"


def test_18_10_who_is_aboard_a_boat_that_must_retreat_loses_a_level_and_sinks_with_it() -> None:
    units: dict[str, Any] = {**ARMY, "Riv1": "1722|1723", "22/9": "1722|1723", "97/33": "1822", "98/33": "1822"}
    game = begun(units, [Drifting("polish", ("Riv1",), 1)], [], loaded={"22/9": "Riv1"})
    assert game.state.locations["22/9"] == game.state.locations["Riv1"] == "1622|1723"
    assert game.state.steps_left["22/9"] == 1
    free = begun(units, [Drifting("polish", ("Riv1",), 1, beaten=False)], [], loaded={"22/9": "Riv1"})
    assert free.state.steps_left["22/9"] == 2, "in reaction it goes as it likes"
    play = Play(game.world, game.state.copy(), TapedChance(ScriptedDice.outcomes([5, 5])))
    eliminate(play, "Riv1", "losses")
    assert play.state.lost.keys() == {"Riv1", "22/9"}
    assert misplaced(play) is None


# -- 5.7, 5.15 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.7", "5.8")
def test_5_7_a_boat_comes_back_on_the_river_near_its_army() -> None:
    units = {**ARMY, "Riv1": "turn 2"}
    step = [PAUSE, idle({"5A": ""}), Recreating("polish", ("Riv1",))]
    game = position("wop", units=units, step=step, lost={"Riv1": "1722"}, turn=2)
    assert set(harbours(game.position, "Riv1")) == {"1423|1523", "1523|1524", "1523|1623"}
    game.apply(game.question("polish").example)
    assert game.state.locations["Riv1"] in ("1423|1523", "1523|1524", "1523|1623")
    assert game.state.lost == {}


def test_5_15_a_a_weakened_boat_receives_replacements() -> None:
    units: dict[str, Any] = {**ARMY, "Riv1": {"at": "1722|1723", "steps": 1}}
    assert why_no_refit(asked(units, markers={"polish": 1}).position, "Riv1", "polish") is None


def test_16_1_a_the_transport_step_knows_boats() -> None:
    units = {**ARMY, "Riv1": "1722|1723", "22/9": "1722"}
    game = loading(units)
    assert isinstance(game.state.stack[-1], Transporting)
    assert Load("22/9", "Riv1", "1722|1723") in game.legal_actions()
