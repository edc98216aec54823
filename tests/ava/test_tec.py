"""TEC: the terrain effects chart in play, row by row: movement, combat and pursuit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Declare, Move, Pursue
from hexwar.pieces import Done
from tests.ava.battles import AT, battle, meadow, odds
from tests.ava.helpers import board, content
from tests.ava.table import between, cost, field, moving, position, pursuing, refused

FROM = "0605"
"""Where units come from; 0705 is the hex that a row of the chart is about."""
MECHANIZED = ("ger-1pz", "rum-1arm"), ("su-2t", "su-29m")
INFANTRY = ("ger-21", "ger-4pzg"), ("ger-1c", "ger-207sec"), ("su-1nb-l", "su-8a")
"""Pairs that stand together; test_charts has all arms, here one pair a test is enough where no special rule is near."""


def steps(*units: str, **ground: Any) -> list[float | None]:
    """What it costs units to go from 0605 into 0705; there is no other way."""
    land = {"land": [FROM, AT]} if "land" not in ground else {}
    board = field(**{"size": (8, 6), **land, **ground})
    side = "soviet" if units[0].startswith("su") else "axis"
    game = position(dict.fromkeys(units, FROM), moving(*units, seat=side), board=board)
    return [cost(game, unit, AT) for unit in units]


def costs(**ground: Any) -> tuple[set[float | None], set[float | None]]:
    """The costs of some mechanized units and of some others, which must be the same for all of them."""
    return set(steps("ger-1pz", "ger-36m", **ground)), set(steps("ger-21", "ger-4pzg", **ground))


def shifts(**ground: Any) -> list[tuple[int, str]]:
    """The columns by which an attack on 0705 is shifted, each with its reason."""
    found = odds(battle({"ger-1pz": FROM, "su-179": AT}, "ger-1pz", board=meadow(**ground)), AT, "ger-1pz")
    return [(shift.columns, shift.reason) for shift in found.shifts]


def strength(**ground: Any) -> int:
    """The strength with which a panzer division of 8 attacks 0705."""
    return int(odds(battle({"ger-1pz": FROM, "su-179": AT}, "ger-1pz", board=meadow(**ground)), AT, "ger-1pz").attack)


def pursuit(unit: str = "ger-1pz", **ground: Any) -> int:
    """How many hexes a unit may pursue through 0705."""
    game = position({unit: FROM}, pursuing(AT, unit), board=meadow(**ground))
    return max(len(action.path) - 1 for action in game.legal_actions() if isinstance(action, Pursue))


def test_tec_1_clear() -> None:
    assert costs() == ({1}, {1})
    assert shifts() == []
    assert pursuit() == 2


def test_tec_2_light_forest() -> None:
    assert costs(terrain={AT: "f"}) == ({2}, {1})
    assert shifts(terrain={AT: "f"}) == [(-1, "light-forest")]
    assert pursuit(terrain={AT: "f"}) == 1


def test_tec_3_dense_forest() -> None:
    assert costs(terrain={AT: "F"}) == ({3}, {2})
    assert shifts(terrain={AT: "F"}) == [(-2, "dense-forest")]
    assert pursuit(terrain={AT: "F"}) == 1


def test_tec_4_swamp() -> None:
    assert costs(terrain={AT: "s"}) == ({3}, {2})
    assert shifts(terrain={AT: "s"}) == [(-1, "swamp")]
    assert pursuit(terrain={AT: "s"}) == 1


@pytest.mark.parametrize("water", ["~", "="])
def test_tec_5_water_is_never_entered(water: str) -> None:
    ground: dict[str, Any] = {"land": [FROM], "terrain": {AT: water}}
    assert costs(**ground) == ({None}, {None})
    for unit in ("ger-21", "ger-1pz"):
        game = position({unit: FROM}, moving(unit), board=field({AT: water}, size=(8, 6)))
        refused(game, Move(unit, AT), "TEC.5", "closed")
    naval = position({"su-1nb-l": FROM}, moving("su-1nb-l", seat="soviet"), board=field({AT: water}, size=(8, 6)))
    refused(naval, Move("su-1nb-l", AT), "TEC.5", "closed")


def test_tec_5_a_hexside_of_water_is_never_crossed() -> None:
    wet: dict[str, Any] = {"sides": {"water": [f"{FROM}|{AT}"]}}
    assert costs(**wet) == ({None}, {None})
    game = position({"ger-21": FROM}, moving("ger-21"), board=field(size=(8, 6), **wet))
    assert cost(game, "ger-21", AT) == 2, "round by another hex"
    cut = position({"ger-21": FROM}, moving("ger-21"), board=field(size=(8, 6), land=[FROM, AT], **wet))
    refused(cut, Move("ger-21", AT), "TEC.5", "water")
    attack = battle({"ger-21": FROM, "ger-217": "0606", "su-179": AT}, "ger-21", "ger-217", board=meadow(**wet))
    assert attack.legal_actions() == [Done(), Declare("ger-217", AT)]
    follow = position({"ger-1pz": FROM, "ger-21": "0606"}, pursuing(AT, "ger-1pz", "ger-21"), board=meadow(**wet))
    assert {action.unit for action in follow.legal_actions() if isinstance(action, Pursue)} == {"ger-21"}


@pytest.mark.parametrize(
    ("letter", "mechanized", "infantry", "columns"), [(".", 1, 1, -1), ("f", 2, 1, -2), ("F", 3, 2, -3), ("s", 3, 2, -2)]
)
def test_tec_6_a_city_has_the_other_terrain_of_its_hex(letter: str, mechanized: int, infantry: int, columns: int) -> None:
    ground: dict[str, Any] = {"terrain": {AT: letter}, "cities": {"Pskov": AT}}
    assert costs(**ground) == ({mechanized}, {infantry})
    assert sum(columns for columns, _ in shifts(**ground)) == columns
    assert (-1, "city") in shifts(**ground)
    assert pursuit(**ground) == 1


@pytest.mark.parametrize("letter", [".", "f", "F", "s"])
def test_tec_7_in_a_major_city_nothing_else_counts(letter: str) -> None:
    ground: dict[str, Any] = {"terrain": {AT: letter}, "major": {"Minsk": AT}}
    assert costs(**ground) == ({1}, {1})
    assert shifts(**ground) == [(-2, "major-city")]
    assert pursuit(**ground) == 1


def test_tec_8_mountains() -> None:
    rock: dict[str, Any] = {"terrain": {AT: "m"}}
    for pair in (*MECHANIZED, *INFANTRY):
        assert steps(*pair, **rock) == [None, None]
        assert steps(*pair, **rock, road=[f"{FROM} {AT}"]) == [1, 1]
    assert steps("ger-1mt", "rum-1mt", **rock) == [5, 4], "all points"
    assert steps("ger-1mt", "rum-1mt", **rock, road=[f"{FROM} {AT}"]) == [1, 1]
    found = odds(battle({"ger-1mt": FROM, "su-179": AT}, "ger-1mt", board=meadow(**rock)), AT, "ger-1mt")
    assert [(shift.columns, shift.reason) for shift in found.shifts] == [(-2, "mountain")]
    assert pursuit(**rock, road=[f"{FROM} {AT}"]) == 1
    closed = position({"ger-1pz": FROM, "ger-1mt": FROM}, pursuing(AT, "ger-1pz", "ger-1mt"), board=meadow(**rock))
    assert {action.unit for action in closed.legal_actions() if isinstance(action, Pursue)} == {"ger-1mt"}


@pytest.mark.parametrize(("letter", "mechanized", "infantry"), [(".", 2, 2), ("f", 3, 2), ("F", 4, 3), ("s", 4, 3)])
def test_tec_9_minor_rivers(letter: str, mechanized: int, infantry: int) -> None:
    ground: dict[str, Any] = {"terrain": {AT: letter}, "sides": {"minor-river": [f"{FROM}|{AT}"]}}
    assert costs(**ground) == ({mechanized}, {infantry})
    assert (strength(**ground), strength()) == (4, 8)
    assert pursuit(**ground) == 1


def test_tec_10_major_rivers() -> None:
    ground: dict[str, Any] = {"sides": {"major-river": [f"{FROM}|{AT}"]}}
    for pair in (*MECHANIZED, *INFANTRY):
        whole = [content().units[unit].faces[-1].move for unit in pair]
        assert steps(*pair, **ground) == whole
    assert strength(**ground) == 4
    assert pursuit(**ground) == 1


@pytest.mark.clause("10.3.2")
@pytest.mark.parametrize("link", ["road", "rail"])
def test_tec_10_a_bridge_is_of_use_to_movement_only(link: str) -> None:
    ground: dict[str, Any] = {"sides": {"major-river": [f"{FROM}|{AT}"]}, link: [f"{FROM} {AT}"]}
    assert costs(**ground) == ({1}, {1})
    assert strength(**ground) == 4
    assert pursuit(**ground) == 1


@pytest.mark.parametrize("enemy", ["0505", "0805"])
def test_tec_10_not_from_or_into_an_enemy_zone(enemy: str) -> None:
    land = [FROM, AT, enemy]
    ground = field(size=(8, 6), land=land, sides={"major-river": between(6, 6)})
    game = position({"ger-21": FROM, "su-179": enemy}, moving("ger-21"), board=ground)
    assert len({FROM, AT} & set(game.query.zones("soviet"))) == 1
    refused(game, Move("ger-21", AT), "9.2.10")


@pytest.mark.parametrize("letter", ["f", "F", "s", "m"])
def test_tec_11_roads(letter: str) -> None:
    ground: dict[str, Any] = {"terrain": {AT: letter}, "road": [f"{FROM} {AT} 0805"]}
    assert costs(**ground) == ({1}, {1})
    game = position({"ger-21": FROM}, moving("ger-21"), board=field(size=(8, 6), **ground))
    assert cost(game, "ger-21", AT, "strategic") == 0.5
    without: dict[str, Any] = {"terrain": {AT: letter}}
    if letter != "m":
        assert shifts(**ground) == shifts(**without)
        assert pursuit(**ground) == pursuit(**without) == 1


@pytest.mark.parametrize(
    ("letter", "mechanized", "infantry"), [(".", 1, 1), ("f", 2, 1), ("F", 3, 2), ("s", 3, 2), ("m", None, None)]
)
def test_tec_12_railways(letter: str, mechanized: int | None, infantry: int | None) -> None:
    ground: dict[str, Any] = {"terrain": {AT: letter}, "rail": [f"{FROM} {AT} 0805"]}
    assert costs(**ground) == ({mechanized}, {infantry})
    game = position({"ger-21": FROM}, moving("ger-21"), board=field(size=(8, 6), **ground))
    assert cost(game, "ger-21", AT, "strategic") is None
    if letter != "m":
        assert shifts(**ground) == shifts(terrain={AT: letter})
        assert pursuit(**ground) == pursuit(terrain={AT: letter})


@pytest.fixture(scope="module")
def leningrad() -> Game:
    return position({"su-179": "L3602"}, moving("su-179", seat="soviet"), board="", scenario="leningrad")


def test_tec_13_the_hexes_of_a_city_are_joined(leningrad: Game) -> None:
    """Across the river in Leningrad: bridged for movement, and joined by rail and road."""
    on = leningrad.world.board
    for there in ("L3603", "L3702"):
        assert on.links("L3602", there) == {"rail", "road"}
        assert cost(leningrad, "su-179", there) == 1
        assert cost(leningrad, "su-179", there, "strategic") == 0.5
    assert {("major-river" in on.side("L3602", there)) for there in ("L3603", "L3702")} == {True, False}


@pytest.mark.parametrize("name", ["ava/leningrad", "ava/smolensk", "ava/kiev", "ava/campaign"])
def test_tec_13_in_every_city_of_more_than_one_hex(name: str) -> None:
    on = board(name)
    cities = [place for place in on.places if place.kind == "major-city"]
    pairs = {(a, b) for city in cities for other in cities for a in city.hexes for b in other.hexes if on.adjacent(a, b)}
    assert {on.links(a, b) for a, b in pairs} <= {frozenset({"rail", "road"})}
    assert {content().chart.is_bridged(on, a, b, "major-river") for a, b in pairs} <= {True}
    assert bool(pairs) == (name != "ava/smolensk")


@pytest.mark.clause("2.1.3", "2.1.5", "2.1.8")
def test_tec_14_what_the_symbols_of_the_map_are_for() -> None:
    """Each symbol of the legend is an area of the map file, and each has its use in the game that is played on it."""
    world = position({}, moving("su-27"), board="", scenario="smolensk").world
    areas: Mapping[str, tuple[str, ...]] = world.board.areas
    assert set(world.supply.sources["axis"]) == set(areas["supply axis"]) & set(world.board.labels)
    assert set(world.supply.sources["soviet"]) == set(areas["supply soviet"]) & set(world.board.labels)
    assert set(world.breakthrough_hexes) == set(areas["breakthrough"]) == {"S4230", "S4730"}
    assert world.west == frozenset(areas["west of the start line"])
    for zone in world.deployment.zones.values():
        assert zone.hexes.split()[0] in ("area", "range")
        assert set(areas[zone.headquarters]) <= set(areas[zone.hexes])
    campaign = position({}, moving("su-27"), board="", scenario="campaign").world
    assert campaign.breakthrough_hexes == ()
