"""3.1 stacking, 3.2 zones of control and 3.4 control, with what a fortress changes in them (14.2.2, 14.2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Declare, Move, Pursue
from tests.ava.battles import AT, after, battle, hexes, meadow, ways
from tests.ava.helpers import content, ground
from tests.ava.table import between, cost, field, moving, position, pursuing, refused, retreating, told

SIZE = (14, 12)
AROUND = {"0504", "0605", "0606", "0506", "0406", "0405"}
"""The neighbours of 0505."""


def row(first: int, last: int, number: int = 5) -> list[str]:
    """Hexes of a row, each next to the one before."""
    return [f"{column:02}{number:02}" for column in range(first, last + 1)]


def game_of(units: Mapping[str, str], *movers: str, seat: str = "axis", reduced: tuple[str, ...] = (), **more: Any) -> Game:
    """A movement segment on a field of one's own."""
    return position(units, moving(*movers, seat=seat), board=field(**{"size": SIZE, **more}), reduced=reduced)


def reinforcements(side: str, units: Mapping[str, str], **more: Any) -> Game:
    """The Reinforcements chit of a side has just been drawn; a railway runs from west to east, a source at each end."""
    board: dict[str, Any] = {
        "size": (14, 10),
        "rail": [" ".join(row(1, 14))],
        "areas": {"supply axis": ["0105"], "supply soviet": ["1405"]},
    }
    chit = {"axis": "axis-reinforcements", "soviet": "soviet-reinforcements"}[side]
    return position(units, board=field(**{**board, **more}), scenario="kiev", path=(2, 1, 1), turn=4, drawn=[chit])


def placed(game: Game, unit: str) -> set[str]:
    """Where a unit may arrive."""
    return {action.to for action in game.legal_actions() if isinstance(action, Arrive) and action.unit == unit}


# -- 3.1 stacking ------------------------------------------------------------------------------------------------------


def test_3_1_1_two_units_and_not_three() -> None:
    units = {"ger-21": "0505", "ger-217": "0705", "ger-58": "0705"}
    game = game_of(units, "ger-21")
    refused(game, Move("ger-21", "0705"), "3.1.1", "at most 2")
    assert Move("ger-21", "0705") not in game.legal_actions()
    assert "0705" not in game.query.reach("ger-21").costs
    one = game_of({"ger-21": "0505", "ger-217": "0705"}, "ger-21")
    assert cost(one, "ger-21", "0705") == 2


@pytest.mark.parametrize(
    ("mover", "there", "reduced"),
    [
        ("ger-18a", ("ger-217", "ger-58"), ("ger-217", "ger-58")),
        ("ger-217", ("ger-18a", "ger-58"), ("ger-217", "ger-58")),
        ("ger-4pzg", ("ger-18a", "ger-16a"), ()),
        ("rum-6", ("ger-1pz", "ger-207sec"), ()),
    ],
)
def test_3_1_1_headquarters_and_reduced_units_count(mover: str, there: tuple[str, str], reduced: tuple[str, ...]) -> None:
    game = game_of({mover: "0505", **dict.fromkeys(there, "0605")}, mover, reduced=reduced)
    refused(game, Move(mover, "0605"), "3.1.1", "at most 2")


@pytest.mark.clause("8.3.2")
def test_3_1_1_units_of_two_nations_may_stand_together() -> None:
    game = game_of({"ger-21": "0505", "rum-6": "0605"}, "ger-21")
    game.apply(Move("ger-21", "0605"))
    assert hexes(game, "ger-21", "rum-6") == {"ger-21": "0605", "rum-6": "0605"}


def test_3_1_2_nobody_moves_into_the_enemy() -> None:
    game = game_of({"ger-21": "0505", "su-8a": "0605"}, "ger-21")
    refused(game, Move("ger-21", "0605"), "3.1.2", "occupied")
    soviet = game_of({"su-2t": "0505", "ger-21": "0605"}, "su-2t", seat="soviet")
    refused(soviet, Move("su-2t", "0605"), "3.1.2", "occupied")


def test_3_1_2_nor_through_him() -> None:
    units = {"ger-1pz": "0405", "su-179": "0605"}
    game = game_of(units, "ger-1pz", land=row(3, 9))
    assert cost(game, "ger-1pz", "0505") == 3
    refused(game, Move("ger-1pz", "0705"), "9.2.8")
    assert {label for label in game.query.reach("ger-1pz").costs if label > "0605"} == set()


def test_3_1_2_no_retreat_leads_through_the_enemy() -> None:
    units = {"su-179": AT, "ger-21": "0605", "ger-217": "0606", "ger-58": "0805"}
    game = after("RR", units, "ger-21", "ger-217")
    assert ways(game, "su-179") or told(game.events, "unit-moved")
    enemies = {"0605", "0606", "0805"}
    for way in position(units, retreating(2, "su-179", origin=AT), board=meadow()).query.retreats("su-179", 2):
        assert enemies.isdisjoint(way.path)


@pytest.mark.clause("10.7.11")
def test_3_1_2_no_pursuit_enters_his_hex() -> None:
    game = position({"ger-1pz": "0605", "su-179": "0805"}, pursuing(AT, "ger-1pz"), board=meadow())
    paths = [action.path for action in game.legal_actions() if isinstance(action, Pursue)]
    assert ("0605", AT, "0806") in paths
    assert not any("0805" in path for path in paths)
    refused(game, Pursue("ger-1pz", ("0605", AT, "0805")), "10.7.11", "enemy")


def test_3_1_2_no_reinforcement_arrives_there() -> None:
    game = reinforcements("soviet", {"ger-44": "0705"})
    assert "0705" not in placed(game, "su-116")
    assert game.why_not(Arrive("su-116", "0705")) is not None


def test_3_1_3_each_move_must_end_well_before_the_next_begins() -> None:
    """The third unit has to wait until one of the two has gone; it may not count on it."""
    units = {"ger-21": "0505", "ger-217": "0605", "ger-58": "0605"}
    game = game_of(units, "ger-21", "ger-217")
    refused(game, Move("ger-21", "0605"), "3.1.1", "at most 2")
    game.apply(Move("ger-217", "0705"))
    game.apply(Move("ger-21", "0605"))
    assert game.state.locations["ger-21"] == "0605"


def test_3_1_3_reinforcements_keep_the_limit() -> None:
    game = reinforcements("soviet", {"su-45": "1305", "su-62": "1305", "su-87": "1205"})
    assert "1305" not in placed(game, "su-116")
    assert "1205" in placed(game, "su-116")
    refused(game, Arrive("su-116", "1305"), "3.1.1", "full")
    game.apply(Arrive("su-116", "1205"))
    assert "1205" not in placed(game, "su-140")


@pytest.mark.clause("10.6.11")
def test_3_1_3_whoever_would_end_a_retreat_in_a_full_hex_goes_on() -> None:
    land = ["0605", AT, "0805", "0905", "1005"]
    units = {"ger-21": "0605", "su-179": AT, "su-188": "0805", "su-10": "0805"}
    game = after("R", units, "ger-21", board=meadow(land=[*land, "1406", "0106"]))
    assert told(game.events, "unit-moved") == [f"su-179 retreats from {AT} to 0905 by 0805 (10.6.1)"]


@pytest.mark.clause("10.7.10")
def test_3_1_3_a_third_unit_does_not_end_its_pursuit_in_the_hex() -> None:
    units = {"ger-21": "0605", "ger-217": "0605", "ger-58": "0606", "ger-1pz": "0606"}
    game = position(units, pursuing(AT, *units), board=meadow())
    game.apply(Pursue("ger-21", ("0605", AT)))
    game.apply(Pursue("ger-217", ("0605", AT)))
    refused(game, Pursue("ger-58", ("0606", AT)), "10.7.10", "no room")
    assert Pursue("ger-1pz", ("0606", AT, "0805")) in game.legal_actions(), "who goes on may pass"


def test_3_1_4_a_full_hex_may_be_passed() -> None:
    units = {"ger-21": "0405", "ger-217": "0505", "ger-58": "0505", "ger-1": "0605", "ger-11": "0605"}
    game = game_of(units, "ger-21", land=row(3, 9))
    refused(game, Move("ger-21", "0505"), "3.1.1")
    refused(game, Move("ger-21", "0605"), "3.1.1")
    assert cost(game, "ger-21", "0705") == 3
    assert told(game.apply(Move("ger-21", "0705")), "unit-moved") == ["ger-21 moves from 0405 to 0705 by 0505, 0605 (9.1.2)"]


def test_14_2_3_a_fortress_takes_nobodys_place() -> None:
    units = {"su-179": "0405", "su-188": "0505", "fort-l1": "0505"}
    game = game_of(units, "su-179", seat="soviet")
    game.apply(Move("su-179", "0505"))
    assert game.state.layout.stacks["0505"] == ("su-179", "su-188", "fort-l1")
    assert game.state.steps_left["fort-l1"] == 2
    third = game_of({**units, "su-179": "0505", "su-10": "0405"}, "su-10", seat="soviet")
    refused(third, Move("su-10", "0505"), "3.1.1", "at most 2")


# -- 3.2 zones of control ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "reduced"),
    [("ger-21", False), ("ger-21", True), ("ger-18a", False), ("ger-1pz", True), ("ger-207sec", False), ("rum-1mt", True)],
)
def test_3_2_1_every_unit_has_a_zone_of_six_hexes(unit: str, reduced: bool) -> None:
    game = game_of({unit: "0505", "su-179": "0705"}, "su-179", seat="soviet", reduced=(unit,) if reduced else ())
    assert set(game.query.zones("axis")) == AROUND
    assert cost(game, "su-179", "0605") == 1 + 2, "and it has its effect"


def test_3_2_1_a_unit_of_its_own_side_pays_nothing_for_it() -> None:
    game = game_of({"ger-21": "0505", "ger-217": "0705"}, "ger-217")
    assert cost(game, "ger-217", "0605") == 1


def test_3_2_1_a_zone_goes_where_the_unit_goes() -> None:
    game = game_of({"ger-21": "0505"}, "ger-21")
    game.apply(Move("ger-21", "0805"))
    assert set(game.query.zones("axis")) == {"0804", "0904", "0905", "0806", "0705", "0704"}


@pytest.mark.parametrize("water", ["~", "="])
def test_3_2_2_no_zone_reaches_onto_water(water: str) -> None:
    game = game_of({"ger-21": "0505"}, "ger-21", terrain={"0605": water, "0606": water})
    assert set(game.query.zones("axis")) == AROUND - {"0605", "0606"}


@pytest.mark.parametrize("unit", ["ger-21", "su-179"])
def test_3_2_3_only_what_nobody_can_enter_has_no_zone(unit: str) -> None:
    """Mountains and the ground beyond the start line are closed to many, but not to all."""
    seat = "axis" if unit == "ger-21" else "soviet"
    terrain = {"0605": "m", "0606": "F", "0506": "s", "0504": "~"}
    game = game_of({unit: "0505"}, unit, seat=seat, terrain=terrain, sides={"start-line": between(4, 12)})
    assert set(game.query.zones(seat)) == AROUND - {"0504"}


@pytest.mark.clause("3.2.3", "9.2.15")
@pytest.mark.parametrize(("watched", "climbs"), [(True, False), (False, True)])
def test_3_2_3_a_zone_in_a_roadless_mountain_keeps_mountain_divisions_out(watched: bool, climbs: bool) -> None:
    """9.2.15 speaks of an enemy zone in the mountain hex, so zones reach it: even those of units that could not enter it."""
    units = {"ger-1mt": "0505", **({"su-179": "0705"} if watched else {})}
    game = game_of(units, "ger-1mt", terrain={"0605": "m"})
    assert ("0605" in game.query.zones("soviet")) == watched
    assert (Move("ger-1mt", "0605") in game.legal_actions()) == climbs


@pytest.mark.clause("3.2.3", "9.1.4")
def test_n12_e_a_soviet_zone_beyond_the_start_line() -> None:
    """The zone of D covers 1010 and 1011, and Axis units pay for it there."""
    sides = {"start-line": between(10, 14)}
    game = game_of({"su-179": "1110", "ger-21": "0910"}, "ger-21", size=(16, 14), sides=sides)
    assert {"1010", "1011"} <= set(game.query.zones("soviet"))
    assert cost(game, "ger-21", "1010") == 1 + 2
    assert cost(game, "ger-21", "1011") == 1 + 2


@pytest.mark.parametrize("links", [{}, {"road": ["0505 0605"]}, {"rail": ["0505 0605"]}])
def test_3_2_4_zones_reach_across_major_rivers(links: dict[str, Any]) -> None:
    game = game_of({"ger-21": "0505"}, "ger-21", sides={"major-river": between(5, 12)}, **links)
    assert set(game.query.zones("axis")) == AROUND
    soviet = game_of(
        {"ger-21": "0505", "su-179": "0705"}, "su-179", seat="soviet", sides={"major-river": between(5, 12)}, **links
    )
    assert cost(soviet, "su-179", "0605") == 3


@pytest.mark.parametrize("enemies", [1, 2, 3])
def test_3_2_5_several_zones_are_no_more_than_one(enemies: int) -> None:
    around = dict(zip(("su-179", "su-188", "su-10"), ("0705", "0604", "0704"), strict=True))
    units = dict(list(around.items())[:enemies])
    game = game_of({"ger-21": "0505", **units}, "ger-21")
    assert cost(game, "ger-21", "0605") == 3


@pytest.mark.clause("10.6.9")
@pytest.mark.parametrize("enemies", [1, 2, 3])
def test_3_2_5_and_a_retreat_into_them_costs_one_step(enemies: int) -> None:
    """0805 is the only hex that is left; up to three enemies have it in their zones."""
    watchers = dict(list({"ger-217": "0904", "ger-58": "0905", "ger-1": "0804"}.items())[:enemies])
    units = {"su-179": AT, "ger-21": "0605", **watchers}
    game = after("R", units, "ger-21", board=meadow(land=["0605", AT, "0805", "0106", "1406", *watchers.values()]))
    assert told(game.events, "step-lost", "unit-eliminated") == ["su-179 loses a step (10.6.9)"]
    assert (game.state.locations["su-179"], game.state.steps_left["su-179"]) == ("0805", 1)


def test_3_2_6_what_zones_have_an_effect_on() -> None:
    """Lines, movement, retreat and the arrival of reinforcements; each with a zone and without it."""
    land = [*row(1, 14), "0706"]
    for enemy, watched in (({"ger-44": "0706"}, True), ({}, False)):
        units = {"su-45": "0505", **enemy}
        game = game_of(units, "su-45", seat="soviet", land=land, areas={"supply soviet": ["1405"]})
        assert ("0705" in game.query.zones("axis")) == watched
        assert game.query.supply("su-45").supplied == (not watched)
        assert cost(game, "su-45", "0705") == (4 if watched else 2)
        retreats = [way for way in game.query.retreats("su-45", 2) if way.path[-1] == "0705"]
        assert [way.losses for way in retreats] == [int(watched)]
        arriving = reinforcements("soviet", units, land=land)
        assert ("0705" in placed(arriving, "su-116")) == (not watched)


def test_3_2_6_attack_and_pursuit_do_not_mind_zones() -> None:
    units = {"ger-1pz": "0605", "su-179": "0905"}
    game = position(units, pursuing(AT, "ger-1pz"), board=meadow())
    assert "0805" in game.query.zones("soviet")
    assert Pursue("ger-1pz", ("0605", AT, "0805")) in game.legal_actions()
    fight = battle({"ger-21": "0605", "su-179": AT, "su-188": "0604"}, "ger-21")
    assert {Declare("ger-21", AT), Declare("ger-21", "0604")} <= set(fight.legal_actions())


def test_3_2_7_a_friend_does_not_make_a_zone_cheaper() -> None:
    game = game_of({"ger-21": "0505", "ger-217": "0605", "su-179": "0705"}, "ger-21")
    assert cost(game, "ger-21", "0605") == 1 + 2
    leaving = game_of({"ger-21": "0605", "ger-217": "0605", "su-179": "0705"}, "ger-21")
    assert cost(leaving, "ger-21", "0505") == 1 + 2


@pytest.mark.clause("10.6.9")
def test_3_2_7_nor_a_retreat() -> None:
    units = {"su-179": AT, "su-188": "0805", "ger-21": "0605", "ger-217": "0905"}
    game = after("R", units, "ger-21", board=meadow(land=["0605", AT, "0805", "0905", "0106", "1406"]))
    assert told(game.events, "step-lost") == ["su-179 loses a step (10.6.9)"]
    assert hexes(game, "su-179", "su-188") == {"su-179": "0805", "su-188": "0805"}


@pytest.mark.clause("3.3.5", "12.1.4")
def test_3_2_7_it_helps_a_line_and_nothing_else() -> None:
    units = {"ger-44": "0706", "su-45": "0705", "su-80": "0405"}
    land = [*row(1, 14), "0706"]
    game = reinforcements("soviet", units, land=land)
    assert game.query.supply("su-80").supplied
    assert placed(game, "su-116") == set(row(8, 14)), "no railway leads past the zone, friends or not"


# -- 14.2.2 fortresses -------------------------------------------------------------------------------------------------


def test_14_2_2_a_unit_enters_and_leaves_a_fortress_at_no_extra_cost() -> None:
    enemy = {"ger-21": "0605"}  # 0505 and 0506 are in its zone
    game = game_of({"su-179": "0405", "fort-l1": "0505", **enemy}, "su-179", seat="soviet")
    assert "0505" in game.query.zones("axis")
    assert cost(game, "su-179", "0505") == 1
    plain = game_of({"su-179": "0405", **enemy}, "su-179", seat="soviet")
    assert cost(plain, "su-179", "0505") == 3
    inside = game_of({"su-179": "0505", "fort-l1": "0505", **enemy}, "su-179", seat="soviet")
    assert cost(inside, "su-179", "0405") == 1
    assert cost(inside, "su-179", "0506") == 1, "0506 is out of the zone"
    assert cost(inside, "su-179", "0504") == 1 + 2, "the next hex has no fortress"


def test_14_2_2_one_level_is_enough_and_a_lost_fortress_shelters_nobody() -> None:
    units = {"su-179": "0405", "fort-l1": "0505", "ger-21": "0605"}
    game = game_of(units, "su-179", seat="soviet", reduced=("fort-l1",))
    assert game.state.steps_left["fort-l1"] == 1
    assert cost(game, "su-179", "0505") == 1
    gone = game_of({**units, "fort-l1": "soviet eliminated"}, "su-179", seat="soviet")
    assert cost(gone, "su-179", "0505") == 3


def test_14_2_2_strategic_movement_passes_a_fortress() -> None:
    units = {"su-179": "0305", "fort-l1": "0605", "ger-21": "0604"}
    board: dict[str, Any] = {"land": [*row(1, 14), "0604"], "road": [" ".join(row(1, 14))]}
    game = game_of(units, "su-179", seat="soviet", **board)
    assert set(game.query.zones("axis")) & set(row(1, 14)) == {"0605"}
    assert cost(game, "su-179", "0905", "strategic") == 3
    bare = game_of({"su-179": "0305", "ger-21": "0604"}, "su-179", seat="soviet", **board)
    assert cost(bare, "su-179", "0605", "strategic") is None


@pytest.mark.clause("3.3.3")
def test_14_2_2_a_line_passes_a_fortress() -> None:
    land = [*row(3, 14), "0604"]
    areas = {"supply soviet": ["1405"]}
    for fortress, supplied in (({"fort-l1": "0605"}, True), ({}, False)):
        units = {"su-179": "0405", "ger-21": "0604", **fortress}
        game = game_of(units, "su-179", seat="soviet", land=land, areas=areas)
        assert game.query.supply("su-179").supplied == supplied


@pytest.mark.clause("10.6.9")
def test_14_2_2_a_retreat_into_a_fortress_costs_no_step() -> None:
    land = ["0605", AT, "0805", "0905", "0106", "1406"]
    units = {"su-179": AT, "ger-21": "0605", "ger-217": "0905", "fort-l1": "0805"}
    game = after("R", units, "ger-21", board=meadow(land=land))
    assert told(game.events, "step-lost") == []
    assert (game.state.locations["su-179"], game.state.steps_left["su-179"]) == ("0805", 2)


# -- 3.4 control of cities ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "unit"), [("leningrad", "su-179"), ("smolensk", "su-27"), ("kiev", "su-45")])
def test_3_4_1_at_the_start_the_line_decides(scenario: str, unit: str) -> None:
    on = ground(scenario)
    west = set(on.areas["west of the start line"])
    game = position({}, moving(unit), board="", scenario=scenario)
    cities = [label for place in on.places if place.kind in ("city", "major-city") for label in place.hexes]
    assert {game.query.control(label) for label in cities if label in west} <= {"axis"}
    assert {game.query.control(label) for label in cities if label not in west} == {"soviet"}
    assert {label for label in cities if label in west}, "the map shows some"


CITY: dict[str, Any] = {"cities": {"Pskov": "0505"}}


def test_3_4_2_whoever_enters_last_has_it() -> None:
    game = position({"ger-21": "0405"}, moving("ger-21"), moving("ger-21"), board=field(size=SIZE, **CITY))
    assert game.query.control("0505") == "soviet"
    assert told(game.apply(Move("ger-21", "0505")), "control-taken") == ["axis takes Pskov (0505) (3.4.2)"]
    game.apply(Move("ger-21", "0405"))
    assert game.query.control("0505") == "axis", "it stays so when the unit has left"
    back = game_of({"su-179": "0405"}, "su-179", seat="soviet", **CITY)
    assert back.query.control("0505") == "soviet"
    assert told(back.apply(Move("su-179", "0505")), "control-taken") == [], "it had it already"


def test_3_4_2_the_soviets_take_it_back() -> None:
    board = field(size=SIZE, **CITY)
    units = {"ger-21": "0405", "su-179": "0705"}
    game = position(units, moving("su-179", seat="soviet"), moving("ger-21"), moving("ger-21"), board=board)
    game.apply(Move("ger-21", "0505"))
    game.apply(Move("ger-21", "0405"))
    game.apply(Move("su-179", "0505"))
    assert game.query.control("0505") == "soviet"


def test_3_4_2_passing_through_is_enough() -> None:
    game = game_of({"ger-21": "0405"}, "ger-21", land=row(3, 8), **CITY)
    assert told(game.apply(Move("ger-21", "0705")), "control-taken") == ["axis takes Pskov (0505) (3.4.2)"]


def test_3_4_2_a_zone_alone_changes_nothing() -> None:
    game = game_of({"ger-21": "0305"}, "ger-21", **CITY)
    game.apply(Move("ger-21", "0405"))
    assert "0505" in game.query.zones("axis")
    assert game.query.control("0505") == "soviet"


def test_3_4_2_by_pursuit() -> None:
    game = position({"ger-1pz": "0605"}, pursuing(AT, "ger-1pz"), board=meadow(cities={"Pskov": "0805", "Ostrov": AT}))
    game.apply(Pursue("ger-1pz", ("0605", AT)))
    assert game.query.control(AT) == "axis"
    assert game.query.control("0805") == "soviet"


def test_3_4_2_by_retreat() -> None:
    """A unit that flees into a city, or through it, takes it: here a Soviet unit those that the Axis has."""
    land = ["0605", AT, "0805", "0905", "0106", "1406"]
    areas = {"supply soviet": ["1406"], "supply axis": ["0106"], "west of the start line": ["0805", "0905"]}
    board = field(size=SIZE, land=land, areas=areas, cities={"Pskov": "0805", "Ostrov": "0905"})
    game = after("RR", {"su-179": AT, "ger-21": "0605"}, "ger-21", board=board)
    assert game.state.locations["su-179"] == "0905"
    assert told(game.events, "control-taken") == ["soviet takes Pskov (0805) (3.4.2)", "soviet takes Ostrov (0905) (3.4.2)"]


def test_3_4_2_by_reinforcements() -> None:
    game = reinforcements("axis", {}, cities={"Pskov": "0505"})
    assert game.query.control("0505") == "soviet"
    assert told(game.apply(Arrive("ger-46", "0505")), "control-taken") == ["axis takes Pskov (0505) (3.4.2)"]


@pytest.mark.clause("12.1.2")
def test_3_4_2_a_unit_placed_by_rail_takes_its_hex_and_nothing_on_the_way() -> None:
    """The railway from the source leads through Ostrov; the unit enters Pskov and no other hex."""
    game = reinforcements("axis", {}, cities={"Ostrov": "0305", "Pskov": "0505"})
    game.apply(Arrive("ger-46", "0505"))
    assert {name: game.query.control(name) for name in ("0305", "0505")} == {"0305": "soviet", "0505": "axis"}


def test_3_4_2_towns_belong_to_nobody() -> None:
    town = next(place for place in ground("leningrad").places if place.kind == "town")
    game = position({}, moving("su-179"), board="", scenario="leningrad")
    assert town.hexes[0] not in game.state.control


def test_3_4_3_each_hex_of_a_city_by_itself() -> None:
    hexes_of = [label for place in ground("leningrad").places if place.name == "Leningrad" for label in place.hexes]
    assert sorted(hexes_of) == ["L3602", "L3603", "L3702"]
    game = position({"ger-1pz": "L3501"}, moving("ger-1pz"), board="", scenario="leningrad")
    game.apply(Move("ger-1pz", "L3602"))
    assert {label: game.query.control(label) for label in hexes_of} == {"L3602": "axis", "L3603": "soviet", "L3702": "soviet"}


def test_3_4_3_in_a_city_of_two_hexes() -> None:
    game = game_of({"ger-21": "0405"}, "ger-21", major={"Minsk": "0505 0606"})
    game.apply(Move("ger-21", "0505"))
    assert (game.query.control("0505"), game.query.control("0606")) == ("axis", "soviet")
    assert content().markers.control.places == ["city", "major-city"]
