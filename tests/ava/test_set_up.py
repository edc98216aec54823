"""2.1, 3.4, 4.0: the content files and the boards fit together."""

from __future__ import annotations

from collections import Counter

import pytest

import hexwar
from hexwar_ava.counters import SET_UP
from tests.ava.helpers import SCENARIOS, board, content, ground

WATER = ("sea", "lake")
ZONES = [(scenario, zone) for scenario in SCENARIOS for zone in content().zones_of(scenario)]


def starting(scenario: str, side: str, formation: str) -> list[str]:
    units = content().units_of(scenario).values()
    return [unit.id for unit in units if (unit.side, unit.formation, unit.start) == (side, formation, SET_UP)]


def test_there_is_a_zone_for_every_formation_that_sets_up() -> None:
    zones = content().zones_of("campaign")
    assert Counter(side for side, _ in zones) == {"axis": 13, "soviet": 18}
    assert Counter(zone.kind for zone in zones.values()) == {"area": 24, "range": 7}
    formations = {(unit.side, unit.formation) for unit in content().units.values() if unit.start == SET_UP}
    assert formations == set(zones)


@pytest.mark.parametrize(("scenario", "key"), ZONES, ids=lambda part: part if isinstance(part, str) else " ".join(part))
class TestAZone:
    def test_fits_its_formation(self, scenario: str, key: tuple[str, str]) -> None:  # 4.0.1, 4.0.6, 4.0.7
        zone = content().zones_of(scenario)[key]
        hexes = board(content().scenarios[scenario].board).areas[zone.hexes]
        units = starting(scenario, *key)
        assert len(units) <= 2 * len(hexes)
        assert zone.kind == "range" or len(units) >= len(hexes)

    def test_has_the_hex_of_its_headquarters(self, scenario: str, key: tuple[str, str]) -> None:  # 4.0.3, 4.0.5
        zone = content().zones_of(scenario)[key]
        areas = board(content().scenarios[scenario].board).areas
        assert len(areas[zone.headquarters]) == 1
        assert areas[zone.headquarters][0] in areas[zone.hexes]
        assert sum(content().units[unit].is_headquarters for unit in starting(scenario, *key)) == 1

    def test_lies_on_land_in_its_frame_on_its_side_of_the_line(self, scenario: str, key: tuple[str, str]) -> None:  # 2.1.5, 2.1.6
        entry, zone = content().scenarios[scenario], content().zones_of(scenario)[key]
        on = board(entry.board)
        hexes = set(on.areas[zone.hexes])
        assert not any(on.terrain(label) in WATER for label in hexes)
        assert not entry.frame or hexes <= set(on.areas[entry.frame])
        west = set(on.areas["west of the start line"])
        assert hexes <= west if zone.side == "axis" else not hexes & west

    def test_is_nobody_elses(self, scenario: str, key: tuple[str, str]) -> None:
        zones = content().zones_of(scenario)
        on = board(content().scenarios[scenario].board)
        others = {label for other, zone in zones.items() if other != key for label in on.areas[zone.hexes]}
        assert not others & set(on.areas[zones[key].hexes])


def test_only_the_headquarters_of_2pzg_must_have_company() -> None:  # 4.0.5
    assert {zone.formation: zone.beside_headquarters for zone in content().setup.zone if zone.beside_headquarters} == {"2PzG": 1}


def test_the_soviets_set_up_first() -> None:  # 4.0.2
    assert content().setup.first == "soviet"


@pytest.mark.clause("2.1.3")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_has_sources_of_both_sides_on_its_ground(scenario: str) -> None:  # 2.1.3
    on = ground(scenario)
    sources = content().sources_of(scenario, on)
    assert set(sources) == {"axis", "soviet"}
    for hexes in sources.values():
        assert hexes
        assert all(label in on for label in hexes)
    assert not set(sources["axis"]) & set(sources["soviet"])


@pytest.mark.clause("2.1.3", "2.1.5")
@pytest.mark.parametrize(
    ("scenario", "axis", "soviet"),
    [
        ("leningrad", "L0132", "L5504 L5519"),
        ("smolensk", "S0114 S0124 S0126", "S5504 S5507 S5513 S5521 S5529"),
        ("kiev", "K0106 K0109 K1930", "K5510 K5518 K5520"),
    ],
)
def test_the_sources_of_a_map_are_those_in_its_frame(scenario: str, axis: str, soviet: str) -> None:  # 2.1.3, 2.1.5, 15.4.2
    assert content().sources_of(scenario, ground(scenario)) == {"axis": tuple(axis.split()), "soviet": tuple(soviet.split())}


@pytest.mark.clause("2.1.5")
def test_the_ground_of_a_scenario_is_its_frame() -> None:  # 2.1.5
    for scenario in ("leningrad", "smolensk", "smolensk-short", "kiev"):
        entry = content().scenario(scenario)
        assert set(ground(scenario).labels) == set(board(entry.board).areas[entry.frame])
    assert ground("campaign").labels == board("ava/campaign").labels


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_unit_begins_where_its_counter_or_its_scenario_says(scenario: str) -> None:  # 4.0
    units = content().units_of(scenario)
    start = {unit.id: unit.start for unit in units.values()}
    assert start == {unit.id: unit.start for unit in units.values()}
    assert (SET_UP in start.values()) == bool(content().zones_of(scenario))


@pytest.mark.clause("2.1.8")
@pytest.mark.parametrize("scenario", ["campaign", "smolensk"])
def test_the_hexes_from_moscow_and_of_the_breakthrough(scenario: str) -> None:  # 2.1.8, 15.4.2, 18.2.9
    areas = board(content().scenarios[scenario].board).areas
    assert set(areas["supply moscow"]) == {"S5504", "S5507", "S5513"}
    breakthrough = content().scenarios["smolensk"].breakthrough
    assert breakthrough is not None
    assert set(areas[breakthrough.area]) == {"S4230", "S4730"}


# -- markers -------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.2.16")
def test_the_kinds_of_markers() -> None:  # 2.2.16
    assert [marker.kind for marker in content().markers.marker] == ["turn", "fortress", "stand-fast", "control", "out-of-command"]


@pytest.mark.parametrize(
    ("scenario", "count"),
    [("training", 0), ("campaign", 12), ("leningrad", 3), ("smolensk", 6), ("smolensk-short", 6), ("kiev", 3)],
)
def test_the_hexes_that_stand_fast(scenario: str, count: int) -> None:  # 16.2.2, 4.0.17
    hexes = content().marked_at_start(scenario, "stand-fast")
    on = ground(scenario)
    tagged = {label for place in on.places if "stand-fast" in place.tags for label in place.hexes}
    assert len(hexes) == count
    assert set(hexes) == tagged
    assert all(place.kind == "major-city" for label in hexes if (place := on.place(label)))


def test_the_fortress_of_brest() -> None:  # 4.0.16
    fortress = content().markers.marker[1]
    assert (fortress.kind, fortress.start, fortress.level) == ("fortress", ["S0927"], 1)
    assert board("ava/smolensk").find("Brest").hexes == ("S0927",)
    assert "S0927" in board("ava/smolensk").areas[content().zones_of("smolensk")["soviet", "4A"].hexes]
    assert content().marked_at_start("smolensk", "fortress") == ("S0927",)
    assert content().marked_at_start("kiev", "fortress") == ()


@pytest.mark.clause("2.1.6", "3.4.1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_who_controls_the_cities(scenario: str) -> None:  # 3.4.1
    on = ground(scenario)
    cities = {label for place in on.places if place.kind in ("city", "major-city") for label in place.hexes}
    control = {label: side for label, side in hexwar.new_game("ava", scenario, seed=1).state.control.items() if label in cities}
    assert set(control) == cities
    west = set(on.areas["west of the start line"])
    assert {label for label, side in control.items() if side == "axis"} == west & set(control)
    major = {label for place in on.places if place.kind == "major-city" for label in place.hexes}
    assert {control[label] for label in major} == {"soviet"}


# -- the maps as the rulebook describes them -------------------------------------------------------------------------------------


@pytest.mark.clause("2.1.9", "2.1.10")
def test_hex_numbers() -> None:  # 2.1.9, 2.1.10
    on = board("ava/campaign")
    assert on.adjacent("L1524", "L1624")
    assert on.adjacent("L1524", "L1625")
    assert not on.adjacent("L1524", "L1623")
    assert {"K2701", "K2801"} <= set(on.neighbours("S2730"))


@pytest.mark.clause("18.2.10")
@pytest.mark.parametrize(("name", "letter"), [("ava/smolensk", "S"), ("ava/kiev", "K")])
def test_the_seam_of_smolensk_and_kiev_is_a_border(name: str, letter: str) -> None:  # 18.2.10
    on = board(name)
    seam = ["S2730", "S2830", "S2930"] if letter == "S" else ["K2701", "K2801", "K2901"]
    assert all(near.startswith(letter) for label in seam for near in on.neighbours(label))


@pytest.mark.clause("TEC.14", "2.1.2", "2.1.6")
def test_the_symbols_of_the_map() -> None:  # TEC.14, 2.1.2, 2.1.6
    areas = board("ava/campaign").areas
    assert {"supply axis", "supply soviet", "breakthrough", "west of the start line", "frame kiev"} <= areas.keys()
    assert {name.split()[0] for name in areas} >= {"area", "range", "hq"}
    on = board("ava/campaign")
    line = {(a, b) for a in on.labels for b in on.neighbours(a) if "start-line" in on.side(a, b)}
    west = set(areas["west of the start line"])
    assert line
    assert all((a in west) != (b in west) for a, b in line)
