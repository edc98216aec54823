"""4.0, 6, 12, 15, 18: the chits, the turn track and the scenarios."""

from __future__ import annotations

from collections import Counter

import pytest

from hexwar_ava import INFO
from hexwar_ava.counters import Nation
from tests.ava.helpers import PRINTED, SCENARIOS, content

CHITS = content().chits
TRACKS = content().track.track


def available(scenario: str, turn: int, side: str) -> Counter[str]:
    """The chits of a side under the names that the rulebook gives them."""
    names = [chit.name.split(" (")[0] for chit in content().chits_of(scenario, turn) if chit.side == side]
    return Counter(names)


def new(scenario: str, turn: int, side: str) -> Counter[str]:
    return available(scenario, turn, side) - available(scenario, turn - 1, side)


def listed(names: str) -> Counter[str]:
    return Counter(name.strip() for name in names.split(",") if name.strip())


@pytest.mark.parametrize(
    ("scenario", "axis", "soviet"),
    [
        (
            "campaign",
            "4PzG, 16A, 18A, Manstein, 2PzG, 3PzG, 3PzG, 4A, 9A, Guderian, 1PzG, 1PzG, 6A, 17A",  # 4.0.14
            "8A, 11A, 3A, 4A, 10A, 5A, 6A, 26A",  # 4.0.15
        ),
        ("leningrad", "4PzG, 16A, 18A, Manstein", "8A, 11A"),  # 18.1.2
        ("smolensk", "2PzG, 3PzG, 3PzG, 4A, 9A, Guderian", "3A, 4A, 10A"),  # 18.2.2
        ("smolensk-short", "2PzG, 3PzG, 3PzG, 4A, 9A, Guderian", "3A, 4A, 10A"),
        ("kiev", "1PzG, 1PzG, 6A, 17A", "5A, 6A, 26A"),  # 18.3.2
    ],
)
def test_the_first_chits(scenario: str, axis: str, soviet: str) -> None:
    assert available(scenario, 1, "axis") == listed(axis)
    assert available(scenario, 1, "soviet") == listed(soviet)
    assert [chit.id for chit in content().chits_of(scenario, 1) if chit.side is None] == ["supply"]


AXIS_LATER = {
    "campaign": {2: "11A, RUM 3A, RUM 4A", 4: "Axis Reinforcements, 2A"},
    "leningrad": {4: "Axis Reinforcements"},
    "smolensk": {4: "Axis Reinforcements, 2A"},
    "kiev": {2: "11A, RUM 3A, RUM 4A", 4: "Axis Reinforcements"},
}
SOVIET_LATER = {
    "campaign": {2: "27A, 13A, 20A, 21A, 9A, 12A, 18A", 3: "23A, 16A, 19A, 22A", 4: "Soviet Reinforcements"},
    "leningrad": {2: "27A", 3: "23A", 4: "Soviet Reinforcements"},
    "smolensk": {2: "13A, 20A, 21A", 3: "16A, 19A, 22A", 4: "Soviet Reinforcements"},
    "kiev": {2: "9A, 12A, 18A", 4: "Soviet Reinforcements"},
}


@pytest.mark.parametrize("scenario", AXIS_LATER)
@pytest.mark.parametrize("turn", range(2, 10))
def test_the_later_chits(scenario: str, turn: int) -> None:  # 15.2.1, 18.1.3, 18.2.3, 18.3.3
    assert new(scenario, turn, "axis") == listed(AXIS_LATER[scenario].get(turn, ""))
    assert new(scenario, turn, "soviet") == listed(SOVIET_LATER[scenario].get(turn, ""))


def test_the_soviet_chits_of_choice() -> None:  # 18.1.4
    assert Counter(chit.sheet for chit in content().choices_of("campaign")) == {"L": 6, "S": 5, "K": 5}
    assert all(chit.kind == "hq" and chit.side == "soviet" and chit.turn == 4 for chit in content().choices_of("campaign"))
    assert not {chit.id for chit in content().choices_of("kiev")} & {chit.id for chit in content().chits_of("kiev", 9)}


@pytest.mark.clause("2.2.11", "2.2.12")
def test_every_headquarters_has_one_chit_and_a_panzer_group_two() -> None:  # 2.2.11, 2.2.12
    counted = Counter(chit.activates for chit in CHITS.values() if chit.activates)
    for unit in content().units.values():
        assert counted[unit.id] == (2 if "panzer-group" in unit.tags else int(unit.is_headquarters))
    interrupts = {chit.id: chit.activates for chit in CHITS.values() if chit.kind == "interrupt"}
    assert interrupts == {"manstein": "ger-4pzg", "guderian": "ger-2pzg"}


@pytest.mark.clause("2.2.15")
def test_the_kinds_of_chits() -> None:  # 2.2.15
    assert Counter(chit.kind for chit in CHITS.values()) == {
        "hq": 51,
        "interrupt": 2,
        "reinforcements": 2,
        "supply": 1,
        "direct": 2,
        "master": 2,
    }
    assert {chit.id: chit.copies for chit in CHITS.values() if chit.kind == "master"} == {"axis-master": 8, "soviet-master": 8}
    optional = {chit.id for chit in CHITS.values() if chit.only_with}
    assert optional == {"okh", "reserves", "axis-master", "soviet-master"}
    assert not optional & {chit.id for scenario in SCENARIOS for chit in content().chits_of(scenario, 9)}


@pytest.mark.clause("1.1.1")
def test_there_are_nine_turns_of_ten_days() -> None:  # 1.1.1, 5.0.2
    assert len(content().track.turns) == 9
    assert content().track.turns[0] == "22-30 June 1941"
    assert content().track.turns[-1] == "11-20 September 1941"
    scale = content().numbers.scale
    assert (scale.hex_km, scale.turn_days, scale.unit) == (16, 10, "division")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("nation", ["german", "romanian"])
def test_the_axis_may_select_every_chit_that_it_has(scenario: str, nation: Nation) -> None:  # 6.2.4
    track = content().scenarios[scenario].track
    turns = range(1, content().turns_of(track) + 1)
    chits = [sum(chit.nation == nation for chit in content().chits_of(scenario, turn)) for turn in turns]
    assert TRACKS[track].chits[nation] == chits


@pytest.mark.parametrize(
    ("track", "soviet"),
    [
        ("campaign", [8, 15, 17, 17, 17, 17, 17, 17, 17]),
        ("leningrad", [2, 3, 4, 5, 5, 5, 5, 5, 5]),
        ("smolensk", [3, 6, 8, 8, 8, 8, 8, 8, 8]),
        ("kiev", [3, 6, 6, 7, 7, 7, 7, 7, 7]),
    ],
)
def test_the_soviet_numbers(track: str, soviet: list[int]) -> None:
    assert TRACKS[track].chits["soviet"] == soviet
    for turn, number in enumerate(soviet, 1):
        chits = [chit for chit in content().chits_of(track, turn) if chit.side == "soviet"]
        added = content().scenarios[track].extra_headquarters
        more = sum(added.chits.values()) * max(0, turn - added.from_turn + 1)
        assert number <= len(chits) + more, "nobody can select more than there are"


@pytest.mark.parametrize(
    ("track", "german", "romanian", "soviet", "reserve"),
    [("campaign", 6, 1, 18, 12), ("leningrad", 1, 0, 6, 0), ("smolensk", 2, 0, 6, 6), ("kiev", 3, 1, 6, 0)],
)
def test_reinforcements_come_from_turn_4(track: str, german: int, romanian: int, soviet: int, reserve: int) -> None:
    found = TRACKS[track]  # 12.0.1, 12.2.1, 15.4.1
    assert found.reinforcements["german"] == [0] * 3 + [german] * 6
    assert found.reinforcements["romanian"] == [0] * 3 + [romanian] * 6
    assert found.reinforcements["soviet"] == [0] * 3 + [soviet] * 6
    assert found.strategic_reserve == [0] * 5 + [reserve] * 4


def test_the_numbers_of_the_campaign_are_those_of_its_maps() -> None:
    parts = [TRACKS[name] for name in ("leningrad", "smolensk", "kiev")]
    for turn in range(9):
        for nation in ("german", "romanian", "soviet"):
            whole = TRACKS["campaign"].reinforcements[nation][turn]
            assert whole == sum(part.reinforcements[nation][turn] for part in parts)


def test_units_that_wait_on_the_turn_track() -> None:  # 4.0.10, 15.3.1, 18.1.7
    arrivals = {(arrival.turn, arrival.formation, arrival.sheet): arrival.units for arrival in content().track.arrival}
    assert arrivals == {(3, "19A", "S"): 11, (7, "3PzG", "L"): 3}
    entering = [unit for unit in content().units.values() if unit.start == "turn 3"]
    assert sum(unit.is_headquarters for unit in entering) == 1


# -- 18 Scenarios --------------------------------------------------------------------------------------------------------------


def test_the_scenarios_are_those_of_the_card() -> None:
    assert tuple(content().scenarios) == SCENARIOS == tuple(scenario.id for scenario in INFO.scenarios)
    for scenario in INFO.scenarios:
        assert scenario.board == content().scenarios[scenario.id].board


@pytest.mark.parametrize(
    ("scenario", "points", "turn"),
    [
        ("training", 12, 4),
        ("campaign", 191, 9),
        ("leningrad", 54, 9),
        ("smolensk", 85, 9),
        ("smolensk-short", 60, 6),
        ("kiev", 52, 9),
    ],
)
def test_when_it_ends_and_what_the_axis_needs(
    scenario: str, points: int, turn: int
) -> None:  # 16.4.2, 18.1.15, 18.2.7, 18.2.8, 18.3.6
    found = content().scenarios[scenario]
    assert (found.victory_points, found.last_turn) == (points, turn)
    assert str(points) in INFO.scenario(scenario).summary


@pytest.mark.parametrize(
    ("scenario", "hexes", "levels"),
    [("campaign", 6, 2), ("leningrad", 3, 1), ("kiev", 3, 1), ("smolensk", 0, 0), ("smolensk-short", 0, 0)],
)
def test_fortresses(scenario: str, hexes: int, levels: int) -> None:  # 14.0.1, 14.1.4, 18.1.5, 18.2.4, 18.3.4
    found = content().scenarios[scenario].fortresses
    assert (hexes, levels) == ((found.hexes, found.levels) if found else (0, 0))
    assert found is None or found.from_turn == 4


def test_special_rules_of_the_scenarios() -> None:
    campaign, leningrad, smolensk, short, kiev = (content().scenario(name) for name in PRINTED)
    assert smolensk.breakthrough is not None
    assert smolensk.breakthrough.points == (10, 5)  # 18.2.9
    assert [it.id for it in content().scenarios.values() if it.breakthrough] == ["smolensk"]
    assert [it.id for it in content().scenarios.values() if it.withdrawal] == ["smolensk", "smolensk-short"]  # 18.2.5
    assert smolensk.withdrawal == short.withdrawal
    assert [it.id for it in content().scenarios.values() if it.zhukov] == ["leningrad"]  # 18.1.9
    assert [it.id for it in content().scenarios.values() if it.direct.okh is None] == ["training", "leningrad", "kiev"]
    assert campaign.direct.okh == campaign.direct.reserves == kiev.direct.reserves == (3, 3, 3, 3, 4, 5)  # 17.2.2
    assert leningrad.direct.reserves == (1, 1, 2, 2, 3, 3)  # 18.1.13
    assert leningrad.reserves_hold_back  # 18.1.14


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_panzer_group_of_the_map_opens_with_a_surprise(scenario: str) -> None:  # 15.1.1
    groups = {unit.id for unit in content().units_of(scenario).values() if "panzer-group" in unit.tags}
    assert set(content().scenarios[scenario].surprise_attack) == groups
