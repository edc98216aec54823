"""2.2 Counters: how many there are, and what can be on one."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from hexwar.pieces import Face
from hexwar_ava import counters
from tests.ava.helpers import content

UNITS = content().units


def values(face: Face) -> tuple[int, int, int]:
    return face.attack, face.defence, face.move


def test_there_are_531_units() -> None:
    assert len(UNITS) == 531
    assert Counter(unit.side for unit in UNITS.values()) == {"axis": 188, "soviet": 343}
    assert Counter(unit.nation for unit in UNITS.values()) == {"german": 160, "romanian": 28, "soviet": 343}


@pytest.mark.clause("2.2.6")
def test_the_units_of_each_map() -> None:  # 2.2.6
    assert Counter(unit.sheet for unit in UNITS.values()) == {"L": 121, "S": 204, "K": 206}
    assert Counter((unit.side, unit.sheet) for unit in UNITS.values()) == {
        ("axis", "L"): 38,
        ("axis", "S"): 64,
        ("axis", "K"): 86,
        ("soviet", "L"): 83,
        ("soviet", "S"): 140,
        ("soviet", "K"): 120,
    }


@pytest.mark.clause("2.2.1", "2.2.2", "2.2.9")
def test_the_arms_of_each_nation() -> None:  # 2.2.1, 2.2.2
    found = Counter((unit.nation, unit.arm) for unit in UNITS.values())
    assert found == {
        ("german", "armour"): 18,
        ("german", "motorized"): 16,
        ("german", "infantry"): 102,
        ("german", "security"): 9,
        ("german", "mountain"): 2,
        ("german", "cavalry"): 1,
        ("german", "hq"): 12,
        ("romanian", "armour"): 1,
        ("romanian", "infantry"): 18,
        ("romanian", "mountain"): 3,
        ("romanian", "cavalry"): 4,
        ("romanian", "hq"): 2,
        ("soviet", "armour"): 54,
        ("soviet", "motorized"): 25,
        ("soviet", "infantry"): 196,
        ("soviet", "cavalry"): 20,
        ("soviet", "mountain"): 9,
        ("soviet", "naval"): 4,
        ("soviet", "hq"): 35,
    }
    assert sum(unit.mechanized for unit in UNITS.values()) == 114


@pytest.mark.clause("2.2.5")
def test_where_the_units_start() -> None:  # 2.2.5, 4.0.10, 18.1.7
    assert Counter(unit.start for unit in UNITS.values()) == {
        counters.SET_UP: 354,
        "axis available": 36,
        "soviet available": 127,
        "turn 3": 11,
        "turn 7": 3,
    }


def test_no_two_units_have_the_same_name_on_one_map() -> None:
    names = Counter((unit.nation, unit.name, unit.sheet) for unit in UNITS.values())
    assert max(names.values()) == 1


@pytest.mark.clause("2.2.1", "2.2.7", "2.2.8", "2.2.18")
@pytest.mark.parametrize("unit", UNITS.values(), ids=lambda unit: unit.id)
def test_every_counter_is_one_that_could_be_printed(unit: counters.Counter) -> None:
    full = unit.faces[-1]
    assert unit.id.split("-")[0] == {"german": "ger", "romanian": "rum", "soviet": "su"}[unit.nation]  # 2.2.18
    assert 1 <= full.attack <= 10
    assert 1 <= full.defence <= 10
    assert 4 <= full.move <= 8
    assert 1 <= unit.steps <= 2  # 2.2.8
    assert unit.mechanized == (unit.arm in ("armour", "mechanized", "motorized"))  # 2.2.1
    if unit.steps == 2:
        reduced = unit.faces[0]
        assert values(reduced) != values(full)
        assert reduced.move == full.move
        assert 1 <= reduced.attack <= full.attack
        assert 1 <= reduced.defence <= full.defence
    if not unit.mechanized:  # 2.2.7
        assert all(face.attack == face.defence for face in unit.faces)
    if unit.is_headquarters:
        assert (unit.arm, unit.command, unit.steps) == ("hq", 4, 1)  # 8.2.1


@pytest.mark.clause("9.2.17")
@pytest.mark.parametrize(
    ("unit", "attack", "defence", "least_move"),
    [
        ("ger-36m", 5, None, 8),
        ("ger-21", 3, 3, 4),
        ("ger-217", 3, 3, 5),
        ("ger-291", None, None, 4),
        ("ger-4pzg", 2, 2, 0),
        ("ger-18a", None, None, 3),
        ("su-179", None, 2, 0),
    ],
)
def test_what_the_examples_tell_of_counters(unit: str, attack: int | None, defence: int | None, least_move: int) -> None:
    full = UNITS[unit].faces[-1]  # 9.2.17, 9.3.1, 10.3.13
    assert attack in (None, full.attack)
    assert defence in (None, full.defence)
    assert full.move >= least_move


def test_the_transfer_is_the_18_attack_points_that_smolensk_withdraws() -> None:  # 18.1.7, 18.2.5
    moved = [unit for unit in UNITS.values() if "transfer" in unit.tags]
    assert [unit.id for unit in moved] == ["ger-12pz-l", "ger-18m-l", "ger-20m-l"]
    withdrawal = content().scenarios["smolensk"].withdrawal
    assert withdrawal is not None
    assert sum(unit.faces[-1].attack for unit in moved) == withdrawal.attack


def test_the_campaign_has_every_unit_once() -> None:  # 19.1.1
    assert len(content().units_of("campaign")) == 528
    assert not any("transfer" in unit.tags for unit in content().units_of("campaign").values())


@pytest.mark.clause("2.2.6")
@pytest.mark.parametrize(("scenario", "units"), [("leningrad", 121), ("smolensk", 204), ("smolensk-short", 204), ("kiev", 206)])
def test_a_scenario_has_the_units_of_its_map(scenario: str, units: int) -> None:  # 2.2.6, 18.1.1, 18.2.1, 18.3.1
    assert len(content().units_of(scenario)) == units


@pytest.mark.clause("2.2.4", "2.2.11")
def test_headquarters_and_their_formations() -> None:  # 2.2.4, 2.2.11
    headquarters = [unit for unit in UNITS.values() if unit.is_headquarters]
    assert len(headquarters) == 49
    assert len({(unit.side, unit.formation) for unit in headquarters}) == 49
    groups = [unit.id for unit in headquarters if "panzer-group" in unit.tags]
    assert groups == ["ger-4pzg", "ger-3pzg", "ger-2pzg", "ger-1pzg"]
    formations = {(unit.side, unit.formation) for unit in UNITS.values() if unit.formation}
    assert formations == {(unit.side, unit.formation) for unit in headquarters}


@pytest.mark.clause("2.2.14")
def test_the_letters_of_a_designation_say_the_arm() -> None:  # 2.2.14
    arms = {"pz": "armour", "t": "armour", "m": "motorized", "c": "cavalry", "mt": "mountain", "sec": "security", "nb": "naval"}
    arms |= {"j": "infantry", "": "infantry", "a": "hq", "pzg": "hq", "dno": "infantry", "arm": "armour"}
    for unit in UNITS.values():
        found = re.fullmatch(r"(?:ger|rum|su)-\d+([a-z]*)(?:-[lsk])?", unit.id)
        if found:
            assert unit.arm == arms[found[1]], unit.id
    named = [unit.id for unit in UNITS.values() if not re.search(r"-\d", unit.id)]
    assert named == ["ger-tot", "ger-pol", "ger-dr", "ger-gd", "ger-lah", "ger-wik", "rum-gd", "rum-fr", "su-csta"]


@pytest.mark.clause("2.2.18")
def test_both_sides_have_armies_of_the_same_number() -> None:  # 2.2.18
    axis = {unit.formation for unit in UNITS.values() if unit.nation == "german" and unit.is_headquarters}
    soviet = {unit.formation for unit in UNITS.values() if unit.side == "soviet" and unit.is_headquarters}
    assert axis & soviet == {"4A", "6A", "9A", "11A", "16A", "18A"}
