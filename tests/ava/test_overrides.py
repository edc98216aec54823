"""An owner of the game replaces content files; mistakes in them are told in sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hexwar
from hexwar.errors import ContentError, HexwarError, UnknownName
from hexwar_ava.content import load_ava
from tests.ava.helpers import BUNDLED, content


def replaced(folder: Path, name: str, old: str, new: str) -> Path:
    """A folder with a corrected copy of a bundled file."""
    text = (BUNDLED / name).read_text(encoding="utf-8")
    assert old in text, "the test replaces something that is there"
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def test_nothing_is_replaced_unless_asked() -> None:
    """An owner replaces what is printed; the words of clauses and the weights of outlooks are ours."""
    assert sorted(path.name for path in BUNDLED.glob("*.toml")) == sorted([*load_ava.names, "outlook.toml", "rules.toml"])


def test_the_strength_of_a_unit(tmp_path: Path) -> None:
    line = 'id = "ger-1pz", name = "1st Panzer Division", side = "axis", nation = "german", arm = "armour", full = '
    mine = load_ava(replaced(tmp_path, "units.toml", line + "[8, 6, 8]", line + "[7, 5, 9]"))
    face = mine.units["ger-1pz"].faces[-1]
    assert (face.attack, face.defence, face.move) == (7, 5, 9)
    assert mine.units["ger-6pz"] == content().units["ger-6pz"]


def test_the_combat_results_table(tmp_path: Path) -> None:
    mine = load_ava(replaced(tmp_path, "combat.toml", '1 = ["A2", ', '1 = ["A1", '))
    assert mine.table.rows[1][0].name == "A1"
    assert content().table.rows[1][0].name == "A2"


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(replaced(tmp_path, "numbers.toml", "stacking = 2", "stacking = 3")))
    assert load_ava().numbers.stacking == 3


def test_a_folder_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HexwarError, match=r"the folder of replacements names .*nowhere, which is no folder"):
        load_ava(tmp_path / "nowhere")
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(HexwarError, match=r"HEXWAR_AVA_DATA names .*nowhere, which is no folder"):
        load_ava()


def test_a_file_that_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "unit.toml").write_text("", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("anything", encoding="utf-8")
    with pytest.raises(ContentError, match=r"unit\.toml: replaces nothing; the files of A Victory Awaits are chits\.toml, "):
        load_ava(tmp_path)


def test_an_unknown_scenario() -> None:
    with pytest.raises(UnknownName, match="did you mean smolensk-short or smolensk"):
        content().scenario("smolensk-shor")


MOTORIZED = (
    'id = "ger-3m", name = "3rd Motorized Division", side = "axis", nation = "german", arm = "motorized", full = [5, 4, 8]'
)
RIFLE = 'id = "su-10", name = "10th Rifle Division", side = "soviet", nation = "soviet", arm = "infantry", full = [2, 2, 4]'
EIGHTH = 'id = "su-8a", name = "8A", side = "soviet", nation = "soviet", kind = "hq", activates = "su-8a"'


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        ("units.toml", 'id = "su-48"', 'id = "su-10"', "unit su-10: the id is used twice"),
        ("units.toml", RIFLE, RIFLE.replace("infantry", "camels"), "unit su-10: arm 'camels' is not one of armour, mechanized"),
        (
            "units.toml",
            RIFLE,
            RIFLE.replace("[2, 2,", "[2, 3,"),
            "unit su-10: only mechanized units attack and defend with different",
        ),
        ("units.toml", RIFLE, RIFLE.replace("[2, 2,", "[0, 0,"), "unit su-10: the reduced side is stronger than the full one"),
        ("units.toml", RIFLE, RIFLE.replace('"soviet", nation', '"axis", nation'), "a soviet unit cannot be on the axis side"),
        ("units.toml", MOTORIZED, MOTORIZED + ", command = 4", "unit ger-3m: a headquarters has a command range, and only a"),
        ("units.toml", RIFLE, RIFLE.replace("[2, 2, 4]", '[2, 2, "4"]'), "unit.su-10.full.2: input should be a valid integer"),
        ("units.toml", 'formation = "8A", start = "set-up"', 'start = "set-up"', "a unit that is set up needs a formation"),
        ("units.toml", 'formation = "8A", start', 'formation = "7A", start', "setup.toml has no zone of the soviet 7A on map L"),
        (
            "units.toml",
            'start = "axis available"',
            'start = "the moon"',
            "starts in 'the moon', which is neither 'set-up' nor a box",
        ),
        ("terrain.toml", "[arm.naval]", "[arm.navy]", "arm naval: is missing, but su-1nb-l is of this arm"),
        ("chits.toml", 'id = "su-11a"', 'id = "su-8a"', "two chits have the same id"),
        (
            "chits.toml",
            EIGHTH,
            EIGHTH.replace('activates = "su-8a"', 'activates = "su-10"'),
            "chit su-8a: activates 'su-10', which is no",
        ),
        (
            "chits.toml",
            EIGHTH,
            EIGHTH.replace('activates = "su-8a"', 'activates = "su-5a"'),
            "chit su-8a: differs from su-5a in side",
        ),
        (
            "chits.toml",
            'kind = "supply"',
            'kind = "supply", activates = "su-8a"',
            "is of kind supply, which activates no headquarters",
        ),
        ("chits.toml", 'kind = "supply"', 'kind = "luck"', "chit.supply.kind: input should be 'hq', 'interrupt'"),
        (
            "turn_track.toml",
            "soviet = [8, 15, ",
            "soviet = [8, ",
            "chits of the soviet nation: there must be a number for each of the 9",
        ),
        ("turn_track.toml", "units = 11", "units = 12", "arrival 19A: is of 12 units, but 11 wait on turn 3"),
        ("turn_track.toml", 'with_chit = "su-19a"', 'with_chit = "su-99a"', "arrival 19A: comes with 'su-99a', which is no chit"),
        (
            "scenarios.toml",
            'track = "kiev"',
            'track = "kyiv"',
            "scenario kiev: has the track 'kyiv', which turn_track.toml does not",
        ),
        ("scenarios.toml", 'id = "kiev"', 'id = "smolensk"', "two scenarios have the same id"),
        ("scenarios.toml", '["ger-1pzg"]', '["ger-4pzg"]', "scenario kiev: begins with 'ger-4pzg', which is no headquarters of"),
        (
            "scenarios.toml",
            "victory_points = 52",
            "victory_points = 52\nluck = 1",
            "scenario.kiev.luck: extra inputs are not permitted",
        ),
        ("chits.toml", 'kind = "supply"', 'kind = "master"', "there must be one chit of kind supply"),
        (
            "markers.toml",
            "supply = { L = 3, S = 1, K = 3 }",
            "supply = { L = 3, S = 0, K = 3 }",
            "1 are placed on map S, but there are 0",
        ),
        ("setup.toml", '"axis eliminated"', '"axis dead"', "boxes of axis: there must be a box 'axis eliminated'"),
        ("terrain.toml", "[arm.strategic]", "[arm.quick]", "arm strategic: is missing"),
        ("numbers.toml", "stacking = 2 ", "stacking = -2 ", "stacking: input should be greater than or equal to 0"),
        ("setup.toml", 'first = "soviet"', 'first = "nobody"', "first: input should be 'axis' or 'soviet'"),
        ("markers.toml", "[control]", "[contro]", "contro"),
        ("combat.toml", '2 = ["A1", "A1"', '2 = ["A1", "B1"', "row 2: result 'B1' is not one of"),
        ("combat.toml", "[rows]", "[rows", "is not valid TOML"),
    ],
)
def test_mistakes_are_told_in_sentences(tmp_path: Path, name: str, old: str, new: str, sentence: str) -> None:
    with pytest.raises(ContentError) as told:
        load_ava(replaced(tmp_path, name, old, new))
    assert sentence in str(told.value)
    assert str(tmp_path / name) in str(told.value), "the owner is told which of the files is meant"


def test_a_track_that_is_too_short_for_a_scenario(tmp_path: Path) -> None:
    text = (BUNDLED / "turn_track.toml").read_text(encoding="utf-8")
    for last in ("11-20 September 1941", "1-10 September 1941", "21-31 August 1941"):
        text = text.replace(f'  "{last}",\n', "")
    lines = [line.rsplit(", ", 3)[0] + "]" if line.endswith("]") and line.count(",") == 8 else line for line in text.splitlines()]
    text = "\n".join(lines).replace("turn = 7", "turn = 6")
    (tmp_path / "turn_track.toml").write_text(text, encoding="utf-8")
    replaced(tmp_path, "units.toml", "", "")
    units = (tmp_path / "units.toml").read_text(encoding="utf-8").replace('"turn 7"', '"turn 6"')
    (tmp_path / "units.toml").write_text(units, encoding="utf-8")
    with pytest.raises(ContentError, match="scenario campaign: ends after turn 9, which the turn track does not have"):
        load_ava(tmp_path)


# -- what does not fit the board shows when a game is created ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "scenario", "mistake"),
    [
        ("markers.toml", '"S0927"', '"S0999"', "smolensk", "marker fortress: the board ava/smolensk has no hex S0999"),
        ("markers.toml", '"L3702"', '"L3699"', "leningrad", "marker stand-fast: the board ava/leningrad has no hex L3699"),
        (
            "scenarios.toml",
            'zhukov = "Leningrad"',
            'zhukov = "Lenigrad"',
            "leningrad",
            "zhukov: the board has no place 'Lenigrad'",
        ),
        ("scenarios.toml", 'area = "breakthrough"', 'area = "breaktrough"', "smolensk", "the board has no area 'breaktrough'"),
        (
            "scenarios.toml",
            'verdict = "18.3.6"',
            'verdict = "18.3.99"',
            "kiev",
            "verdict of kiev: cites a clause that is not in the index",
        ),
    ],
)
def test_what_does_not_fit_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, scenario: str, mistake: str
) -> None:
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(replaced(tmp_path, name, old, new)))
    with pytest.raises(ContentError, match=re.escape(mistake)):
        hexwar.new_game("ava", scenario, seed=1)


def test_another_folder_makes_another_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hexwar.new_game("ava", "training", seed=1).world.stacking.limit("axis", "") == 2
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(replaced(tmp_path, "numbers.toml", "stacking = 2", "stacking = 3")))
    assert hexwar.new_game("ava", "training", seed=1).world.stacking.limit("axis", "") == 3
    monkeypatch.delenv("HEXWAR_AVA_DATA")
    assert hexwar.new_game("ava", "training", seed=1).world.stacking.limit("axis", "") == 2
