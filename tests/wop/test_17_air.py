"""4.3, 14.8 and 17: air units, the dice in the test's hand. Air losses and reconnaissance take dice of 0 to 9."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.engine import DiceRolled, Game
from hexwar.errors import Refusal
from hexwar.mechanics import Battle, Move, Retreat, RollModified
from hexwar.pieces import Done
from hexwar.plugins import plugins
from hexwar.testing import ScriptedDice, position
from hexwar_wop.activation import Activating, Marching
from hexwar_wop.air import Answering, Patrolling, Supporting
from hexwar_wop.air_fights import AirUnitPlaced, FormationSpotted
from hexwar_wop.content import AirEntry, load_wop
from hexwar_wop.flights import (
    COVER,
    DELAY,
    RECONNAISSANCE,
    SUPPORT,
    AirUnitLeft,
    Flight,
    delayed_hexes,
    hex_of,
    impact_zone,
)
from hexwar_wop.missions import Escort, Hinder, Intercept, Reconnoitre, Support
from hexwar_wop.retreat import FallingBack
from tests.wop.table import FIRST, asked, played
from tests.wop.test_14_attacks import attack, begun, offered

HOME = "airfields"
AIR: dict[str, Any] = {"12esk": HOME, "19esk": HOME, "RAO15": HOME}
FRONT: dict[str, Any] = {"18DP": "0712", "49/18": "0913", "42/18": "0811", "33DS": "1009", "97/33": "0912", "98/33": "1012"}
ARMIES: dict[str, Any] = {"5A": "1523", "IVA": "1303"}
WEAK = {"at": HOME, "steps": 1}


def patrol(dice: list[int], seat: str = "polish", units: dict[str, Any] | None = None, **state: Any) -> Game:
    """A player may place air units in fair weather."""
    return begun({**FRONT, **AIR, **(units or {})}, [Patrolling(seat, ())], dice, **{"weather": "clear", "turn": 1, **state})


def begins(units: dict[str, Any], turn: int) -> Game:
    """The beginning of a turn on which all dice fall well."""
    return position("wop", units=units, step=[FIRST], dice=ScriptedDice.outcomes([0] * 20), turn=turn)


def refused(game: Game, action: Any, seat: str | None = None) -> str:
    """The clause that speaks against an action."""
    with pytest.raises(Refusal) as caught:
        game.apply(action, seat or game.to_move[0])
    return str(caught.value.clause)


def flown(game: Game) -> dict[str, tuple[str, str]]:
    """Air unit over the map -> what it does and where."""
    return {flight.unit: (flight.mission, flight.hex) for flight in game.state.flights}


def rolls(game: Game) -> list[str]:
    """What dice were thrown for."""
    return [event.purpose for event in game.events if isinstance(event, DiceRolled)]


def shifts(game: Game, attackers: list[str], target: str) -> dict[str, int]:
    """What is added to the die, by clause."""
    return {shift.clause: shift.columns for shift in game.query.odds(attackers, target).shifts}


def over(unit: str, mission: str, label: str, **more: str) -> Flight:
    """An air unit over the map."""
    return Flight(unit, mission, label, **more)


@pytest.fixture
def soviet_fighters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario in which the other side has fighters too."""
    scenario = load_wop().scenarios["wkra"]
    kinds = {"RAO15": True, "RAO16": False, "RAO17": True}
    fighters = [AirEntry(id=name, fighter=fighter, stars=(1 + fighter, 1)) for name, fighter in kinds.items()]
    soviet = scenario.soviet.model_copy(update={"air": fighters})
    monkeypatch.setitem(load_wop().scenarios, "wkra", scenario.model_copy(update={"soviet": soviet}))
    monkeypatch.setattr(plugins(), "worlds", {})


# -- the phase --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.4")
def test_4_3_a_the_player_without_the_initiative_places_first() -> None:
    for turn, order in ((1, ["polish", "soviet"]), (2, ["soviet", "polish"])):
        game = begins({**FRONT, **AIR}, turn)
        asked_now = []
        while game.question(game.to_move[0]).kind == Patrolling.kind:
            asked_now.append(game.to_move[0])
            game.apply(Done())
        assert asked_now == order


@pytest.mark.clause("17.2.1", "17.2.2", "17.2.4")
def test_4_3_a_what_is_placed_in_this_phase() -> None:
    game = patrol([])
    assert {action.kind for action in game.legal_actions()} == {"done", "reconnoitre", "hinder"}
    assert refused(game, Support("12esk", "0913")) == "4.3.a"
    game.apply(Hinder("12esk", "0912"))
    assert offered(game, Escort) == [Escort("19esk", "12esk")]


def test_4_3_b_what_is_not_placed_waits_for_the_fights() -> None:
    game = patrol([])
    game.apply(Done())
    assert flown(game) == {}
    fight = attack({**FRONT, **AIR}, ["97/33"], "0913", turn=1)
    assert fight.to_move == ("soviet",)
    fight.apply(Support("RAO15", "0912"))
    assert offered(fight, Support) != []
    assert fight.to_move == ("polish",)


def test_17_3_anywhere_on_the_map() -> None:
    game = patrol([])
    assert refused(game, Hinder("12esk", "9999")) == "17.3"
    far = patrol([], units={"97/33": "0101", "33DS": "2001"})
    assert Hinder("12esk", "0101") in far.legal_actions()


def test_17_5_a_one_mission_in_a_turn() -> None:
    game = patrol([9])
    game.apply(Hinder("12esk", "0912"))
    assert refused(game, Hinder("12esk", "0913")) == "17.5.a"
    assert refused(game, Hinder("49/18", "0913")) == "17.2.1"
    assert refused(game, Hinder("RAO15", "0913")) == "17.2.1"
    assert refused(patrol([], units={"12esk": "turn 3"}), Hinder("12esk", "0912")) == "17.16"


@pytest.mark.clause("4.2.2", "4.2.3")
@pytest.mark.parametrize(("weather", "clause"), [("cloudy", "4.2.2"), ("precipitation", "4.2.3")])
def test_4_2_what_is_grounded_does_not_fly(weather: str, clause: str) -> None:
    game = patrol([], weather=weather, grounded=["12esk"])
    assert {action.unit for action in offered(game, Hinder)} == {"19esk"}
    assert refused(game, Hinder("12esk", "0912")) == clause


def test_4_2_2_an_air_unit_that_is_away_is_not_rolled_for() -> None:
    assert played({"12esk": "turn 3", "19esk": "turn 1"}, [6, 9], turn=1).state.grounded == ("19esk",)


# -- 17.4 impact zones --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "hexes"), [(2, 7), (1, 1)])
def test_17_4_a_radius_of_one_hex_or_the_hex_alone(steps: int, hexes: int) -> None:
    flight = over("12esk", DELAY, "1010")
    game = asked({**FRONT, "12esk": {"at": HOME, "steps": steps}}, flights=[flight])
    zone = impact_zone(game.position, flight)
    assert len(game.world.board.unmask(zone)) == hexes
    assert "1010" in game.world.board.unmask(zone)
    assert delayed_hexes(game.position, "soviet") == zone
    assert delayed_hexes(game.position, "polish") == 0


def test_17_4_pictures_show_air_units_where_they_are() -> None:
    game = asked({**FRONT, **AIR}, flights=[over("12esk", RECONNAISSANCE, "1010", formation="33DS")])
    places = {piece.id: piece.place for piece in game.ruleset.picture(game.position).pieces}
    assert (places["12esk"], places["19esk"]) == ("1009", HOME)


# -- 17.6, 17.7 reconnaissance ------------------------------------------------------------------------------------------------


@pytest.mark.clause("17.6.c", "17.15")
@pytest.mark.parametrize(("die", "found"), [(0, True), (7, True), (8, False), (9, False)])
def test_17_6_a_the_die_finds_a_formation(die: int, found: bool) -> None:
    game = patrol([die] if found else [die, 0])
    assert offered(game, Reconnoitre) == [Reconnoitre("12esk", "33DS"), Reconnoitre("19esk", "33DS")]
    game.apply(Reconnoitre("12esk", "33DS"))
    game.apply(Done())
    assert flown(game) == ({"12esk": (RECONNAISSANCE, "1009")} if found else {})
    assert any(isinstance(event, FormationSpotted) for event in game.events) is found
    assert game.state.flown == ("12esk",), "it has used its mission"
    assert game.state.launched == ()


def test_17_6_a_only_formations_are_looked_for() -> None:
    game = patrol([], units={"IVA": "1303", "99/33": "1010"})
    for piece in ("IVA", "99/33", "18DP", "nobody", "54DS"):
        assert refused(game, Reconnoitre("12esk", piece)) == "17.6.a"


def test_17_6_a_it_stays_over_the_headquarters() -> None:
    flight = over("12esk", RECONNAISSANCE, "1009", formation="33DS")
    game = asked({**FRONT, **AIR, "33DS": "1108"}, flights=[flight])
    assert hex_of(game.position, flight) == "1108"
    gone = {unit: label for unit, label in FRONT.items() if unit != "33DS"}
    assert hex_of(asked({**gone, **AIR}, flights=[flight]).position, flight) == "1009", "it was eliminated"


@pytest.mark.parametrize(("die", "found"), [(5, True), (6, False)])
def test_17_6_b_the_twelfth_squadron_weakened_looks_for_the_sixteenth_division(die: int, found: bool) -> None:
    game = patrol([die] if found else [die, 0], units={"16DS": "1916", "12esk": WEAK})
    game.apply(Reconnoitre("12esk", "16DS"))
    game.apply(Done())
    assert ("12esk" in flown(game)) is found


@pytest.mark.clause("14.13.v")
def test_17_7_a_formation_that_is_tracked_attacks_and_defends_worse() -> None:
    units = {**FRONT, **AIR}
    spied = [over("12esk", RECONNAISSANCE, "1009", formation="33DS")]
    assert shifts(asked(units, flights=spied), ["97/33", "98/33"], "0913")["14.13.v"] == -1
    assert shifts(asked(units, flights=spied), ["49/18"], "0912")["14.13.v"] == 1
    spies = [over("RAO15", RECONNAISSANCE, "0712", formation="18DP")]
    assert shifts(asked(units, flights=spies), ["97/33", "98/33"], "0913")["14.13.v"] == 1
    assert "14.13.v" not in shifts(asked(units), ["97/33", "98/33"], "0913")
    others = [over("12esk", RECONNAISSANCE, "1916", formation="16DS")]
    assert "14.13.v" not in shifts(asked({**units, "16DS": "1916"}, flights=others), ["97/33"], "0913")


# -- 17.8, 17.9 delay ---------------------------------------------------------------------------------------------------------


def test_17_8_up_to_three_hexes_from_a_formation() -> None:
    units = {"97/33": "1010", "33DS": "1109", "98/33": "1011", "ArtXV": "0320", "IVA": "0319"}
    game = patrol([], units=units)
    board = game.world.board
    near = {label for label in board.labels if min(board.distance(label, foe) for foe in ("1010", "1109", "1011")) <= 3}
    assert {action.to for action in offered(game, Hinder)} == near
    assert refused(game, Hinder("12esk", "0320")) == "17.8", "guns of no formation, and an army"
    game.apply(Hinder("12esk", "1013"))
    assert flown(game) == {"12esk": (DELAY, "1013")}


@pytest.mark.clause("17.2.2")
def test_17_9_leaving_a_hex_costs_a_point_more() -> None:
    units = {"97/33": "1010", "33DS": "1009", "12esk": HOME, "49/18": "0420"}
    free, slow = (
        begun(units, [Marching("soviet", ("97/33",))], [], active="soviet", flights=flights)
        for flights in ([], [over("12esk", DELAY, "1010")])
    )
    for label in free.world.board.neighbours("1010"):
        assert slow.query.reach("97/33").costs[label] == free.query.reach("97/33").costs[label] + 1
    two = [label for label in free.query.reach("97/33").costs if free.world.board.distance("1010", label) == 2]
    for label in two:
        told = slow.query.reach("97/33").costs.get(label)
        assert told is None or told == free.query.reach("97/33").costs[label] + 2, "out of both hexes"
    other = begun(units, [Marching("soviet", ("97/33",))], [], flights=[over("12esk", DELAY, "1010")])
    assert other.query.reach("97/33").costs == free.query.reach("97/33").costs, "in its own activation only"
    slow.apply(Move("97/33", "1009"), "soviet")
    assert slow.state.locations["97/33"] == "1009"


def test_17_9_zones_and_delay_add_up() -> None:
    units = {"97/33": "1010", "33DS": "1009", "12esk": HOME, "49/18": "1011", "42/18": "0420"}
    plain, slow = (asked(units, active="soviet", flights=flights) for flights in ([], [over("12esk", DELAY, "1010")]))
    index = plain.world.board.index("1010")
    before, after = (game.world.reaches.prices(game.position, "97/33").leave[index] for game in (plain, slow))
    assert before > 0
    assert after == before + 2


def test_14_25_b_a_retreat_over_hexes_in_which_the_enemy_delays() -> None:
    units = {"97/33": "1010", "33DS": "1009", "12esk": HOME, "49/18": "1011"}
    flight = over("12esk", DELAY, "1008")
    step = FallingBack("soviet", ("97/33",), "1010", 2, ("1011",))
    game = begun(units, [step], [0, 0], flights=[flight])
    way = next(action for action in offered(game, Retreat) if action.path == ("1010", "1009", "1008"))
    game.apply(way)
    assert [purpose for purpose in rolls(game) if "zone" in purpose] == [
        "97/33 in the zone over 1009 (6)", "97/33 in the zone over 1008 (6)",
    ]  # fmt: skip


# -- 17.10, 17.11 support -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.8.a", "17.2.3", "17.11", "14.13.p")
def test_17_10_a_both_sides_support_a_fight_the_attacker_first() -> None:
    units = {**FRONT, **AIR, "99/33": "1108"}
    game = attack(units, ["97/33", "98/33"], "0913", 5, 0, 0, 0, 0, turn=1)
    assert game.question("soviet").kind == Supporting.kind
    assert {action.to for action in offered(game, Support)} == {"0912", "1012", "1108"}, "wherever its division is"
    assert refused(game, Support("RAO15", "1009")) == "17.10.a", "a headquarters is no unit"
    assert refused(game, Support("RAO15", "0913")) == "17.10.a", "that is the enemy"
    assert refused(game, Hinder("RAO15", "0913")) == "14.8.a"
    game.apply(Support("RAO15", "1108"))
    assert game.to_move == ("polish",)
    assert {(action.unit, action.to) for action in offered(game, Support)} == {
        (unit, label) for unit in ("12esk", "19esk") for label in ("0913", "0811")
    }
    game.apply(Support("12esk", "0811"))
    assert shifts(game, ["97/33", "98/33"], "0913").get("14.13.p") is not None
    game.apply(Done())
    assert [event.modifiers for event in game.events if isinstance(event, RollModified)] == []
    assert game.question("polish").kind == Answering.kind, "the fighter is left"
    game.apply(Done())
    [rolled] = [event for event in game.events if isinstance(event, RollModified)]
    assert [(value, why) for value, why, clause in rolled.modifiers if clause == "14.13.p"] == [
        (1, "RAO15 in the air"), (-1, "12esk in the air"),
    ]  # fmt: skip


@pytest.mark.clause("17.10.b")
def test_14_13_p_three_stars_at_most() -> None:
    units: dict[str, Any] = {**FRONT, **AIR}
    both = [over("12esk", SUPPORT, "0913", battle="0912"), over("19esk", SUPPORT, "0913", battle="0912")]
    assert shifts(asked(units, flights=both), ["49/18"], "0912")["14.13.p"] == 3
    assert shifts(asked({**units, "19esk": WEAK}, flights=both), ["49/18"], "0912")["14.13.p"] == 2
    elsewhere = [over("12esk", SUPPORT, "0913", battle="1012")]
    assert "14.13.p" not in shifts(asked(units, flights=elsewhere), ["49/18"], "0912")
    defended = [over("19esk", SUPPORT, "0913", battle="0913")]
    assert shifts(asked(units, flights=defended), ["97/33"], "0913")["14.13.p"] == -2


@pytest.mark.clause("14.13.p")
def test_17_11_the_twelfth_squadron_over_the_wkra() -> None:
    units = {"5A": "1523", "17DP": "1522", "67/17": "1519", "HvyArt": "1418", "46/16": "1618", "16DS": "1916", "XVA": "1909"}
    flight = over("12esk", SUPPORT, "1519", battle="1618")
    odds = asked({**units, "12esk": HOME}, flights=[flight]).query.odds(["67/17", "HvyArt"], "1618")
    assert odds.column == 0
    before = asked({**units, "12esk": HOME}, weather="clear", turn=1)
    assert before.query.odds(["67/17", "HvyArt"], "1618", air=["12esk"]) == odds, "asked before it flies"
    assert before.query.odds(["67/17", "HvyArt"], "1618").column == -1
    for unit, why in (("67/17", "17.2.1: 67/17 is no air unit"), ("19esk", "17.16: 19esk is not back yet"), ("x", "17.2.1")):
        with pytest.raises(hexwar.HexwarError, match=why):
            before.query.odds(["67/17", "HvyArt"], "1618", air=[unit])


def test_17_10_a_independent_units_are_supported_where_they_are() -> None:
    units = {"ArtXV": "0905", "97/33": "0906", "HvyArt": "0907", "RAO15": HOME, "33DS": "1009", "12esk": HOME, "42/18": "0908"}
    battle = Battle.on("soviet", "0907", ("97/33", "ArtXV"))
    for side, hexes in (("polish", {"0907"}), ("soviet", {"0905", "0906"})):
        game = begun(units, [Supporting(side, (), battle)], [], turn=1)
        assert {action.to for action in offered(game, Support)} == hexes


def test_17_5_b_one_fight_in_a_turn() -> None:
    units = {**FRONT, **AIR}
    supports = [over("RAO15", SUPPORT, "0912", battle="0811")]
    step = Supporting("soviet", (), Battle.on("soviet", "0913", ("97/33",)))
    game = begun(units, [step], [], turn=1, flights=supports, flown=["RAO15"])
    assert game.to_move == ("polish",), "nobody is asked"
    polish = Supporting("polish", (), Battle.on("soviet", "0913", ("97/33",)))
    also = [over("12esk", SUPPORT, "0913", battle="0811")]
    assert refused(begun(units, [polish], [], turn=1, flights=also, flown=["12esk"]), Support("12esk", "0913")) == "17.5.b"


@pytest.mark.clause("17.15")
def test_17_14_1_after_the_activation_support_flies_home() -> None:
    flights = [over("12esk", SUPPORT, "0913", battle="0912"), over("RAO15", DELAY, "0913")]
    units = {**FRONT, **AIR}
    game = begun(units, [Activating("soviet", 4)], [5], turn=1, flights=flights, flown=["12esk", "RAO15"], active="soviet")
    assert set(flown(game)) == {"RAO15"}
    assert game.state.steps_left["12esk"] == 1
    [left] = [event for event in game.events if isinstance(event, AirUnitLeft)]
    assert left.clause == "17.14.1"


# -- 17.12, 17.13 fighters ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("17.2.4")
def test_17_12_a_a_fighter_goes_with_another_air_unit() -> None:
    game = patrol([])
    assert refused(game, Escort("19esk", "12esk")) == "17.12.a", "it is not over the map"
    game.apply(Hinder("19esk", "0912"))
    assert refused(game, Escort("12esk", "19esk")) == "17.12.a", "no fighter"
    game = patrol([])
    game.apply(Hinder("12esk", "0912"))
    game.apply(Escort("19esk", "12esk"))
    assert flown(game) == {"12esk": (DELAY, "0912"), "19esk": (COVER, "0912")}


def test_17_12_a_not_with_what_was_placed_before() -> None:
    game = patrol([], flights=[over("12esk", DELAY, "0912")], flown=["12esk"])
    assert refused(game, Escort("19esk", "12esk")) == "17.12.a"


@pytest.mark.usefixtures("soviet_fighters")
def test_17_12_a_nobody_escorts_an_escort() -> None:
    game = patrol([], "soviet", units={"RAO16": HOME, "RAO17": HOME})
    game.apply(Hinder("RAO16", "0913"))
    game.apply(Escort("RAO15", "RAO16"))
    assert offered(game, Escort) == [Escort("RAO17", "RAO16")]
    assert refused(game, Escort("RAO17", "RAO15")) == "17.12.a"


@pytest.mark.clause("17.13.a")
def test_17_12_b_a_fighter_is_placed_on_what_the_enemy_uses() -> None:
    game = patrol([9, 8, 0, 0], "soviet")
    game.apply(Reconnoitre("RAO15", "18DP"))
    assert game.to_move == ("polish",)
    assert offered(game, Intercept) == [Intercept("19esk", "RAO15")]
    assert refused(game, Intercept("12esk", "RAO15")) == "17.12.a"
    assert refused(game, Intercept("19esk", "12esk")) == "17.12.b"
    assert refused(game, Hinder("19esk", "0912")) == "17.12.b"
    game.apply(Intercept("19esk", "RAO15"))
    assert flown(game) == {"19esk": (COVER, "0712")}, "11 against 8"
    assert rolls(game)[:2] == ["19esk in the air (+2)", "RAO15 in the air (+0)"]


@pytest.mark.clause("17.14.2", "17.15")
@pytest.mark.parametrize(("dice", "goes_on"), [([3, 5, 0], True), ([3, 9, 0], True), ([4, 5, 4], False), ([9, 0, 9], False)])
def test_17_13_a_an_air_unit_without_escort_defends_itself(dice: list[int], goes_on: bool) -> None:
    game = patrol(dice, "soviet")
    game.apply(Reconnoitre("RAO15", "18DP"))
    game.apply(Intercept("19esk", "RAO15"))
    assert ("RAO15" in flown(game)) is goes_on
    assert "19esk" in flown(game)
    assert any(isinstance(event, FormationSpotted) for event in game.events) is goes_on
    assert game.state.steps_left["RAO15"] == (1 if dice[-1] == 9 else 2)


def _escorted(dice: list[int]) -> Game:
    """Soviet fighters go with a reconnaissance flight, and Polish ones meet them."""
    game = patrol(dice, "soviet", units={"RAO16": HOME})
    game.apply(Reconnoitre("RAO16", "18DP"))
    game.apply(Escort("RAO15", "RAO16"))
    game.apply(Intercept("19esk", "RAO16"))
    return game


@pytest.mark.usefixtures("soviet_fighters")
@pytest.mark.clause("17.13.b", "17.14.2")
def test_17_13_c_the_escort_loses_and_all_of_its_side_go_home() -> None:
    game = _escorted([4, 5, 9, 0])
    assert set(flown(game)) == {"19esk"}
    assert (game.state.steps_left["RAO16"], game.state.steps_left["RAO15"]) == (1, 2)
    assert not any(isinstance(event, FormationSpotted) for event in game.events)
    assert [event.clause for event in game.events if isinstance(event, AirUnitLeft)] == ["17.14.2"] * 2


@pytest.mark.usefixtures("soviet_fighters")
def test_17_13_a_the_escort_wins_or_nobody_does() -> None:
    game = _escorted([5, 4, 0, 3])
    assert set(flown(game)) == {"RAO15", "RAO16"}
    tie = _escorted([4, 4, 3])
    assert set(flown(tie)) == {"RAO15", "RAO16", "19esk"}, "and the reconnaissance goes on"


@pytest.mark.usefixtures("soviet_fighters")
def test_17_12_b_fighters_are_answered_by_fighters() -> None:
    game = patrol([4, 5, 3], "polish")
    game.apply(Hinder("12esk", "0912"))
    game.apply(Done())
    assert game.to_move == ("soviet",)
    game.apply(Intercept("RAO15", "12esk"))
    assert game.to_move == ("polish",), "the other fighter is in reserve"
    game.apply(Intercept("19esk", "RAO15"))
    assert set(flown(game)) == {"12esk", "19esk"}, "6 against 7"
    assert rolls(game)[:2] == ["RAO15 in the air (+2)", "19esk in the air (+2)"]


@pytest.mark.usefixtures("soviet_fighters")
@pytest.mark.parametrize(("label", "meet"), [("0914", True), ("0915", False)])
def test_17_13_a_zones_touch_where_they_share_a_hex(label: str, meet: bool) -> None:
    game = patrol([9, 0, 0] if meet else [], "polish", flights=[over("RAO15", COVER, label)], flown=["RAO15"])
    game.apply(Hinder("19esk", "0912"))
    game.apply(Done())
    assert ("RAO15" in flown(game)) is not meet


@pytest.mark.clause("17.12.b")
def test_14_8_b_fighters_after_support_is_placed() -> None:
    game = attack({**FRONT, **AIR}, ["97/33"], "0913", 9, 0, 0, 5, turn=1)
    game.apply(Support("RAO15", "0912"))
    game.apply(Done())
    assert game.question("polish").kind == Answering.kind
    game.apply(Intercept("19esk", "RAO15"))
    [rolled] = [event for event in game.events if isinstance(event, RollModified)]
    assert "14.13.p" not in [clause for _, _, clause in rolled.modifiers], "it was driven off"


# -- 17.14 to 17.17 home again ------------------------------------------------------------------------------------------------


def _end(units: dict[str, Any], flights: list[Flight], dice: list[int], turn: int = 1) -> Game:
    """The end phase of a turn, after which the next one begins in rain."""
    used = [flight.unit for flight in flights]
    game = begun({**ARMIES, **units}, [], [*dice, 9], turn=turn, flights=flights, flown=used)
    while game.state.turn == turn:
        game.apply(Done())
    return game


@pytest.mark.clause("19.1.4", "2.9.a")
def test_17_14_3_all_others_leave_in_the_end_phase() -> None:
    game = _end(AIR, [over("12esk", DELAY, "0912"), over("19esk", COVER, "0912")], [0, 9])
    assert game.state.flights == ()
    assert game.state.flown == ()
    told = [event.kind for event in game.events]
    assert told.index("command-markers-removed") < told.index("air-unit-left") < told.index("turn-began")
    assert (game.state.steps_left["12esk"], game.state.steps_left["19esk"]) == (2, 1)


@pytest.mark.parametrize(("die", "steps"), [(0, 2), (4, 2), (5, 1), (9, 1)])
def test_17_15_what_comes_home_at_full_strength(die: int, steps: int) -> None:
    assert _end(AIR, [over("12esk", DELAY, "0912")], [die]).state.steps_left["12esk"] == steps


@pytest.mark.clause("5.10")
@pytest.mark.parametrize(
    ("die", "steps", "place"), [(3, 2, HOME), (4, 1, HOME), (6, 1, HOME), (7, 2, "turn 3"), (9, 2, "turn 3")]
)
def test_17_16_what_comes_home_weakened(die: int, steps: int, place: str) -> None:
    game = _end({**AIR, "12esk": WEAK}, [over("12esk", DELAY, "0912")], [die])
    assert (game.state.steps_left["12esk"], game.state.locations["12esk"]) == (steps, place)


@pytest.mark.clause("17.16")
def test_5_10_it_misses_a_turn_and_is_back_with_the_reinforcements() -> None:
    assert begins({**ARMIES, "12esk": "turn 3"}, 2).state.locations["12esk"] == "turn 3"
    later = begins({**ARMIES, "12esk": "turn 3"}, 3)
    assert later.state.locations["12esk"] == HOME
    assert later.state.steps_left["12esk"] == 2
    assert not any(isinstance(event, AirUnitPlaced) for event in later.events)


def test_17_17_a_turn_on_the_ground_makes_whole() -> None:
    game = _end({**AIR, "12esk": WEAK, "19esk": WEAK}, [over("19esk", DELAY, "0912")], [5])
    assert (game.state.steps_left["12esk"], game.state.steps_left["19esk"]) == (2, 1)


# -- 14.13.r encirclement -----------------------------------------------------------------------------------------------------


def test_14_13_r_air_units_that_delay_close_a_way_out() -> None:
    game = asked({"42/18": "0907", "97/33": "0906", "12esk": HOME, "RAO15": HOME})
    assert "14.13.r" not in shifts(game, ["97/33"], "0907")
    flight = over("RAO15", DELAY, "0907")
    ringed = asked({"42/18": "0907", "97/33": "0906", "12esk": HOME, "RAO15": HOME}, flights=[flight])
    assert shifts(ringed, ["97/33"], "0907")["14.13.r"] == 4
    friend = asked({"42/18": "0907", "49/18": "0908", "97/33": "0906", "RAO15": HOME}, flights=[flight])
    assert "14.13.r" not in shifts(friend, ["97/33"], "0907")
