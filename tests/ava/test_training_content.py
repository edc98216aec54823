"""The training scenario: small ground, few units, and a little of everything that the rules know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.board import CLOSED
from hexwar.errors import ContentError
from hexwar_ava.content import AvaContent, load_ava
from hexwar_ava.counters import Counter as Piece
from hexwar_ava.counters import Side
from hexwar_ava.world import AvaWorld
from tests.ava.helpers import BUNDLED, PRINTED, board, content, ground

ID = "training"
ENTRY = content().scenario(ID)
UNITS = content().units_of(ID)
START = {unit.id: unit.start for unit in content().units_of(ID).values()}
ON = ground(ID)
WEST = set(ON.areas["west of the start line"])
SIDES: tuple[Side, Side] = ("axis", "soviet")


def placed(side: str) -> dict[str, str]:
    """The units of a side that begin on the map, and where."""
    return {unit: start for unit, start in START.items() if UNITS[unit].side == side and start in ON}


def steps() -> Iterator[tuple[str, str]]:
    return ((a, b) for a in ON.labels for b in ON.neighbours(a))


def spread(
    start: Iterable[str], link: str = "", closed: Iterable[str] = (), over_line: bool = True, far: int = 99
) -> dict[str, int]:
    """How far every hex is that can be reached, along a kind of link and around closed hexes, which are reached but not left."""
    found = dict.fromkeys(start, 0)
    ends = set(closed)
    queue = list(found)
    for here in queue:
        for near in ON.neighbours(here):
            joined = (not link or link in ON.links(here, near)) and (over_line or "start-line" not in ON.side(here, near))
            if near not in found and joined and found[here] < far and here not in ends:
                found[near] = found[here] + 1
                queue.append(near)
    return found


def guarded(by: str) -> set[str]:
    """3.2.1: the hexes in the zones of a side."""
    return {near for label in placed(by).values() for near in ON.neighbours(label)}


# -- the ground ----------------------------------------------------------------------------------------------------------------


def test_it_is_small() -> None:
    assert len(ON) == len(ENTRY.hexes) <= 80
    assert len(UNITS) <= 16
    assert ENTRY.last_turn == content().turns_of(ENTRY.track) == 4


def test_it_is_a_part_of_the_leningrad_map() -> None:
    whole = board("ava/leningrad")
    assert set(ON.labels) == set(ENTRY.hexes) < set(whole.areas["frame leningrad"])
    assert all(ON.terrain(label) == whole.terrain(label) for label in ON.labels)


def test_every_hex_can_be_walked_to_from_every_other() -> None:
    chart = content().chart
    for arm in ("armour", "infantry"):
        assert all(chart.cost(ON, arm, a, b) != CLOSED for a, b in steps())
    assert len(spread(["L0430"])) == len(ON)


def test_it_has_a_little_of_everything() -> None:  # TEC
    assert {ON.terrain(label) for label in ON.labels} == {"clear", "light-forest", "dense-forest"}
    features = {feature for a, b in steps() for feature in ON.side(a, b)}
    assert features == {"major-river", "minor-river", "bridge", "start-line"}
    bridges = {(river, frozenset(ON.links(a, b))) for a, b in steps() for river in ON.side(a, b) if "bridge" in ON.side(a, b)}
    assert {("major-river", frozenset(["rail"])), ("major-river", frozenset(["road"]))} < bridges
    assert {("major-river", frozenset(["rail", "road"])), ("minor-river", frozenset(["rail", "road"]))} < bridges
    assert any("major-river" in ON.side(a, b) and not ON.links(a, b) for a, b in steps()), "one must also cross without a bridge"


def test_its_cities() -> None:
    cities = {place.name: place.kind for place in ON.places if place.kind != "town"}
    assert cities == {"Tilsit": "city", "Siauliai": "city", "Jelgava": "city", "Riga": "major-city"}


def test_a_road_and_a_railway_lead_from_border_to_border() -> None:
    for link in ("road", "rail"):
        along = spread(["L0430"], link)
        assert {ON.find(name).hexes[0] for name in ("Siauliai", "Jelgava", "Riga")} | {"L1619"} <= along.keys()


# -- the units -----------------------------------------------------------------------------------------------------------------


def test_the_units() -> None:
    arms = Counter((unit.side, unit.arm) for unit in UNITS.values())
    assert arms == {
        ("axis", "hq"): 2,
        ("axis", "armour"): 2,
        ("axis", "motorized"): 1,
        ("axis", "infantry"): 2,
        ("axis", "security"): 1,
        ("soviet", "hq"): 2,
        ("soviet", "armour"): 1,
        ("soviet", "motorized"): 1,
        ("soviet", "infantry"): 3,
        ("soviet", "cavalry"): 1,
    }
    for name, unit in UNITS.items():
        assert replace(unit, start=content().units[name].start) == content().units[name], "nothing but the start is its own"


def test_some_wait_in_the_boxes_and_nobody_sets_up() -> None:
    waiting = {unit: start for unit, start in START.items() if start not in ON}
    assert waiting == {"ger-207sec": "axis available", "su-25c": "soviet available"}
    assert content().zones_of(ID) == {}


def test_the_units_begin_on_their_own_side_of_the_line() -> None:  # 2.1.6, 9.1.4
    assert set(placed("axis").values()) <= WEST
    assert not set(placed("soviet").values()) & WEST


def test_no_hex_is_too_full_or_of_both_sides() -> None:  # 3.1.1, 3.1.2
    assert max(Counter(label for side in SIDES for label in placed(side).values()).values()) <= content().numbers.stacking
    assert not set(placed("axis").values()) & set(placed("soviet").values())


@pytest.mark.parametrize("side", SIDES)
def test_every_division_is_commanded(side: str) -> None:  # 8.2.1
    on_map = placed(side)
    headquarters = [label for unit, label in on_map.items() if UNITS[unit].is_headquarters]
    assert len(headquarters) == 2
    for label in on_map.values():
        assert min(ON.distance(label, at) for at in headquarters) <= 4


def test_the_panzer_group_has_whom_to_surprise() -> None:  # 15.1.1, 15.1.2
    assert ENTRY.surprise_attack == ["ger-4pzg"]
    group = {label for unit, label in placed("axis").items() if UNITS[unit].formation == "4PzG"}
    assert all(ON.distance(label, START["ger-4pzg"]) <= 4 for label in group)
    assert set(placed("soviet").values()) & {near for label in group for near in ON.neighbours(label)} == {"L0528", "L0629"}


# -- supply --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
def test_a_source_is_where_a_railway_leaves_the_ground(side: Side) -> None:  # 2.1.3
    whole = board("ava/leningrad")
    (source,) = content().sources_of(ID, ON)[side]
    assert any("rail" in whole.links(source, near) for near in whole.neighbours(source) if near not in ON)
    assert (source in WEST) == (side == "axis")
    assert all(source not in placed(other).values() for other in SIDES)


def test_a_source_that_is_not_on_the_board_is_none() -> None:
    assert content().sources_of(ID, ON.crop(["L0430", "L0431"])) == {"axis": ("L0431",), "soviet": ()}


def test_every_soviet_unit_has_a_line() -> None:  # 3.3.2, 3.3.3, 3.3.10
    own = set(placed("soviet").values())
    closed = {*placed("axis").values(), *(guarded("axis") - own)}
    assert own <= spread(content().sources_of(ID, ON)["soviet"], closed=closed, over_line=False).keys()


def test_every_axis_unit_has_a_line() -> None:  # 3.3.11 to 3.3.13
    own = set(placed("axis").values())
    closed = {*placed("soviet").values(), *(guarded("soviet") - own)}
    rail = spread(content().sources_of(ID, ON)["axis"], "rail", closed)
    assert own <= spread(rail.keys() - closed, closed=closed, far=content().numbers.axis_line_off_rail).keys()


@pytest.mark.parametrize("side", SIDES)
def test_reinforcements_of_turn_1_would_have_a_railway(side: Side) -> None:  # 12.1.2 to 12.1.4
    other = "soviet" if side == "axis" else "axis"
    rail = spread(content().sources_of(ID, ON)[side], "rail", guarded(other))
    assert {label for label in rail if label not in guarded(other)} >= {"axis": {"L0430"}, "soviet": {"L1420", "L1125"}}[side]


def test_the_railway_can_bring_the_axis_to_riga() -> None:  # 3.3.11, 16.1.2
    (source,) = content().sources_of(ID, ON)["axis"]
    assert {*ON.find("Riga").hexes, *content().sources_of(ID, ON)["soviet"]} <= spread([source], "rail").keys()


# -- chits, turns and victory ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "chits"),
    [
        (1, "supply ger-4pzg ger-18a manstein su-8a"),
        (2, "supply ger-4pzg ger-18a manstein axis-reinforcements su-8a su-27a soviet-reinforcements"),
        (4, "supply ger-4pzg ger-18a manstein axis-reinforcements su-8a su-27a soviet-reinforcements"),
    ],
)
def test_its_chits_are_those_of_its_headquarters(turn: int, chits: str) -> None:  # 13.0.2, 15.2.1
    found = content().chits_of(ID, turn)
    assert [chit.id for chit in found] == chits.split()
    assert all(not chit.activates or chit.activates in UNITS for chit in found)
    assert all(chit.turn <= turn for chit in found)


def test_there_is_nothing_to_choose_from_later() -> None:  # 18.1.4
    assert content().choices_of(ID) == ()
    assert ENTRY.extra_headquarters.chits == {}


def test_what_begins_in_turn_4_begins_in_turn_2() -> None:  # 12.0.1, 14.1.1, 15.1.4
    assert ENTRY.fortresses is not None
    found = content()
    assert (ENTRY.axis_supply_from, ENTRY.reinforcements_from, ENTRY.fortresses.from_turn) == (2, 2, 2)
    for scenario in (ID, *PRINTED):
        world: AvaWorld = hexwar.new_game("ava", scenario, seed=1).world  # type: ignore[assignment]
        assert world.supply.axis_checked_from == (2 if scenario == ID else 4)
    track = found.track.track[ENTRY.track]
    for nation in ("german", "soviet"):
        assert [bool(number) for number in track.reinforcements[nation]] == [False, True, True, True]
    assert {chit.turn for chit in found.chits_of("leningrad", 9) if chit.kind == "reinforcements"} == {4}


def test_the_soviets_cannot_select_everything() -> None:  # 6.2.1
    track = content().track.track[ENTRY.track]
    chits = [sum(chit.side == "soviet" for chit in content().chits_of(ID, turn)) for turn in range(1, 5)]
    assert chits == [1, 3, 3, 3]
    assert track.chits["soviet"] == [1, 2, 2, 2]


def test_markers_and_control_at_the_start() -> None:  # 3.4.1, 4.0.16, 4.0.17
    assert content().marked_at_start(ID, "stand-fast") == content().marked_at_start(ID, "fortress") == ()
    control = {label: side for label, side in hexwar.new_game("ava", ID, seed=1).state.control.items() if ON.place(label)}
    assert control == {"L0430": "axis", "L1125": "soviet", "L1321": "soviet", "L1420": "soviet"}


def test_the_axis_must_take_riga_or_the_source_and_keep_its_tanks() -> None:  # 16.1, 16.3.1
    victory = content().numbers.victory
    mechanized = Counter(unit.side for unit in UNITS.values() if unit.mechanized)
    units = mechanized["axis"] * victory.full_german_mechanized + mechanized["soviet"] * victory.eliminated_soviet_mechanized
    assert units < ENTRY.victory_points, "units alone do not win"
    assert victory.major_city[0] < ENTRY.victory_points <= victory.major_city[0] + units, "a city and some units do"
    assert victory.supply_source[0] + units >= ENTRY.victory_points
    assert victory.major_city[1] + units < ENTRY.victory_points, "a city without a line does not"


# -- mistakes ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        ("scenarios.toml", '"L0428", "L0429"', '"L0429", "L0429"', "scenario training: has the hex L0429 twice"),
        ("scenarios.toml", 'sheets = ["L"]', 'sheets = ["L"]\nframe = "frame leningrad"', "has both a frame and hexes"),
        ("scenarios.toml", 'axis = ["L0431"]', "axis = []", "has supply sources of its own, but none of the axis side"),
        ("scenarios.toml", 'axis = ["L0431"]', 'axis = ["L0432"]', "has the supply source L0432, which is not one of its hexes"),
        ("scenarios.toml", 'axis = ["L0431"]', 'axis = ["L1619"]', "has the supply source L1619 twice"),
        ("scenarios.toml", "ger-1pz =", "ger-101pz =", "starts 'ger-101pz', which is no unit of its maps"),
        ("scenarios.toml", "ger-1pz =", "ger-7pz =", "starts 'ger-7pz', which is no unit of its maps"),
        (
            "scenarios.toml",
            'su-90 = "L0528"',
            'su-90 = "L3602"',
            "starts su-90 in 'L3602', which is neither one of its hexes nor",
        ),
        (
            "scenarios.toml",
            'su-25c = "soviet',
            'su-25c = "axis',
            "starts su-25c in 'axis available', which is neither one of its",
        ),
        ("scenarios.toml", 'ger-36m = "L0630"', 'ger-36m = "L0529"', "starts 3 units in L0529; no more than 2 may stack (3.1.1)"),
        ("scenarios.toml", 'su-90 = "L0528"', 'su-90 = "L0429"', "starts units of both sides in L0429"),
        ("scenarios.toml", 'ger-4pzg = "L0530"', "", "begins with 'ger-4pzg', which is no headquarters of its maps"),
        (
            "scenarios.toml",
            "last_turn = 4",
            "last_turn = 5",
            "scenario training: ends after turn 5, which the turn track does not",
        ),
        ("scenarios.toml", "axis_supply_from = 2", "axis_supply_from = 0", "axis_supply_from: input should be greater than or"),
        ("turn_track.toml", "length = 4", "length = 5", "chits of the german nation: there must be a number for each of the 5"),
        ("turn_track.toml", "length = 4\n", "", "chits of the german nation: there must be a number for each of the 9"),
        (
            "turn_track.toml",
            '  "11-20 September 1941",\n',
            "",
            "track campaign: chits of the german nation: there must be a number",
        ),
    ],
)
def test_mistakes_are_told_in_sentences(tmp_path: Path, name: str, old: str, new: str, sentence: str) -> None:
    text = (BUNDLED / name).read_text(encoding="utf-8")
    assert old in text, "the test replaces something that is there"
    (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError) as told:
        load_ava(tmp_path)
    assert sentence in str(told.value)


def changed(scenario: str, **fields: Any) -> AvaContent:
    """The content with something else in a scenario."""
    scenarios = content().scenarios
    return replace(content(), scenarios={**scenarios, scenario: scenarios[scenario].model_copy(update=fields)})


@pytest.mark.parametrize(
    ("scenario", "fields", "sentence"),
    [
        ("training", {"hexes": ["L0430", "L9999"]}, "scenario training: has the hex L9999, which ava/leningrad does not have"),
        (
            "leningrad",
            {"frame": "frame moscow"},
            "scenario leningrad: has the frame 'frame moscow', which ava/leningrad does not",
        ),
        ("leningrad", {"start": {"su-10": "L5533"}}, "scenario leningrad: uses the hex L5533, which is not on its ground"),
        ("leningrad", {"sources": {"axis": ["S0112"]}}, "scenario leningrad: uses the hex S0112, which is not on its ground"),
    ],
)
def test_what_only_the_board_can_tell(scenario: str, fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ContentError) as told:
        changed(scenario, **fields).board_of(scenario)
    assert sentence in str(told.value)


def test_a_unit_may_wait_on_the_turn_track() -> None:
    other = changed(ID, start={**ENTRY.start, "su-25c": "turn 3"})
    assert other.units_of(ID)["su-25c"].start == "turn 3"
    assert isinstance(other.units_of(ID)["su-25c"], Piece)
    assert len(other.board_of(ID)) == len(ON)
