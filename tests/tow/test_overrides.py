"""Content files that replace the bundled ones, and mistakes in them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import hexwar
from hexwar.errors import ContentError, HexwarError, UnknownName
from hexwar_tow.content import load_tow
from hexwar_tow.world import TowWorld

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "rulesets" / "hexwar_tow" / "data"


def replaced(folder: Path, name: str, old: str, new: str) -> None:
    """A bundled file with one change."""
    text = (BUNDLED / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_4_2_2_2_an_owner_sets_the_turn_track_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(tmp_path, "turn_track.toml", "[3, 4, 4, 4, 5, 5, 5, 5]", "[3, 3, 4, 4, 4, 5, 5, 5]")
    assert load_tow(tmp_path).track.axis_chits == [3, 3, 4, 4, 4, 5, 5, 5]
    monkeypatch.setenv("HEXWAR_TOW_DATA", str(tmp_path))
    assert load_tow().track.axis_chits[1] == 3


def test_every_bundled_file_can_be_replaced() -> None:
    assert set(load_tow.names) == {file.name for file in BUNDLED.glob("*.toml")} - {"rules.toml"}


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("units.toml", 'arm = "armour", full = [5, 4, 7]', 'arm = "tank", full = [5, 4, 7]', "is not one of"),
        ("units.toml", 'arm = "infantry", full = [3, 3, 5]', 'arm = "infantry", full = [3, 2, 5]', "different strengths"),
        ("units.toml", 'id = "ger-68"', 'id = "ger-112"', "used twice"),
        ("units.toml", 'side = "axis", nation = "german"', 'side = "soviet", nation = "german"', "cannot be on the soviet side"),
        ("units.toml", 'start = "security" }', 'start = "axis IR" }', "security divisions"),
        ("chits.toml", 'activates = ["ger-8a"]', 'activates = ["ger-57"]', "no headquarters of its side"),
        ("chits.toml", 'activates = ["ger-8a"]', 'activates = ["ger-6a"]', "no chit activates ger-8a"),
        ("chits.toml", 'id = "steppe-2"', 'id = "steppe-1"', "steppe-1: two chits have the same id"),
        ("scenarios.toml", 'id = "race"', 'id = "campaign"', "campaign: two scenarios have the same id"),
        ("turn_track.toml", "[3, 4, 4, 4, 5, 5, 5, 5]", "[3, 4, 4, 4, 5, 5, 5]", "at least 8 items"),
        ("turn_track.toml", "[3, 4, 4, 4, 5, 5, 5, 5]", "[2, 4, 4, 4, 5, 5, 5, 5]", "greater than or equal to 3"),
        ("markers.toml", "box = 303", "box = 302", "accounted for"),
        ("numbers.toml", "from = 3\n", "from = 1\n", "ascend"),
        ("scenarios.toml", "axis_chits = [2, 3, 3]", "axis_chits = [2, 3]", "no number for turn 3"),
        ("scenarios.toml", 'ger-gd = "2930"', 'ger-none = "2930"', "no unit ger-none"),
        ("units.toml", 'nation = "guards"', 'nation = "german"', "a german unit cannot be on the soviet side"),
        ("units.toml", 'side = "soviet", nation = "guards"', 'side = "axis", nation = "guards"', "cannot be on the axis side"),
        ("units.toml", 'start = "soviet group 3", replacement', 'start = "axis IR", replacement', "reinforcement group"),
        ("units.toml", 'start = "security" }', 'start = "" }', "does not say where it begins"),
        ("units.toml", 'arm = "security", full', 'arm = "infantry", full', "security divisions"),
        ("chits.toml", 'activates = ["ger-8a"]', 'activates = ["nobody"]', "activates nobody"),
        ("chits.toml", 'activates = ["ger-8a"]', 'activates = ["sov-steppe"]', "no headquarters of its side"),
        ("chits.toml", 'activates = ["sov-steppe", "sov-2ukr"]', 'activates = ["sov-steppe", "sov-51"]', "activates sov-51"),
        ("markers.toml", "box = 303", "boxes = 303", "None counters"),
        ("markers.toml", "turn = 1\n", "turn = 1000\n", "less than or equal to 999"),
        ("markers.toml", "turn = 1\n", "turn = -1\n", "greater than or equal to 0"),
        ("numbers.toml", "from = 0\n", "from = 1\n", "begin with 0"),
        ("numbers.toml", "from = 3\n", "from = 6\n", "ascend"),
        ("numbers.toml", "AR = 0.5", "AR = 0.3", "multiple of 0.25"),
        ("numbers.toml", "AR = 0.5", "AR = 99.25", "less than or equal to 99"),
        ("numbers.toml", "AR = 0.5", "AR = -0.25", "greater than or equal to 0"),
        ("numbers.toml", "mechanized = [1, 0.5]", "mechanized = [1, 0.5, 0.5]", "race.mechanized"),
        ("numbers.toml", "crossings_fall_from = 7", "crossings_fall_from = 9", "less than or equal to 8"),
        ("numbers.toml", "crossings_fall_from = 7", "crossings_fall_from = 0", "greater than or equal to 1"),
        ("numbers.toml", "allowance_divided_by = 2", "allowance_divided_by = 0", "greater than or equal to 1"),
        ("numbers.toml", "off = {", "on = {", "luftwaffe"),
        ("numbers.toml", "5 = 0 ", "9 = 0 ", "stavka"),
        ("numbers.toml", "5 = 0 ", "x = 0 ", "stavka"),
        ("turn_track.toml", "[3, 4, 4, 4, 5, 5, 5, 5]", "[3, 4, 4, 4, 5, 5, 5, 5, 5]", "at most 8 items"),
        ("turn_track.toml", "[3, 4, 4, 4, 5, 5, 5, 5]", "[3, 4, 4, 4, 5, 5, 5, 6]", "less than or equal to 5"),
    ],
)
def test_1_2_1_mistakes_are_told_with_their_file(tmp_path: Path, name: str, old: str, new: str, words: str) -> None:
    replaced(tmp_path, name, old, new)
    with pytest.raises(ContentError, match=words) as caught:
        load_tow(tmp_path)
    assert name in str(caught.value)


def test_a_folder_must_be_one_and_hold_nothing_else(tmp_path: Path) -> None:
    with pytest.raises(HexwarError, match="no folder"):
        load_tow(tmp_path / "none")
    (tmp_path / "odd.toml").write_text("", encoding="utf-8")
    with pytest.raises(ContentError, match="replaces nothing"):
        load_tow(tmp_path)


def test_2_1_the_turn_track_has_eight_names(tmp_path: Path) -> None:
    text = (BUNDLED / "turn_track.toml").read_text(encoding="utf-8")
    turns = tomllib.loads(text)["turns"]
    for names, words in ((turns[:-1], "at least 8 items"), ([*turns, "more"], "at most 8 items")):
        (tmp_path / "turn_track.toml").write_text(re.sub(r"turns = \[[^]]*\]", f"turns = {names}", text), encoding="utf-8")
        with pytest.raises(ContentError, match=words):
            load_tow(tmp_path)


def test_what_crossing_points_give_has_at_least_one_row(tmp_path: Path) -> None:
    text = (BUNDLED / "numbers.toml").read_text(encoding="utf-8")
    first, *others = re.findall(r"\[\[crossings\]\][^[]*", text)
    one = text
    for row in others:
        one = one.replace(row, "")
    (tmp_path / "numbers.toml").write_text(one, encoding="utf-8")
    assert load_tow(tmp_path).numbers.given_by(7).okh_units == 6
    (tmp_path / "numbers.toml").write_text("crossings = []\n" + one.replace(first, ""), encoding="utf-8")
    with pytest.raises(ContentError, match="at least 1 item"):
        load_tow(tmp_path)


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("scenarios.toml", 'axis = ["2820", "1920"]', 'axis = ["0101"]', None),
        ("units.toml", 'start = "2930"', 'start = "9930"', "has no hex 9930"),
        ("markers.toml", '"2634", "2918"', '"2635", "2918"', "2635 is no major city"),
        ("markers.toml", '"1338", "1631"]', '"1338", "1632"]', "1632 is no major city"),
        ("markers.toml", 'points = ["1826", "1827"]', 'points = ["1826", "1828"]', "1828 is no crossing point"),
        ("scenarios.toml", 'verdict = "13.3.1"', 'verdict = "99.1"', "verdict of campaign"),
    ],
)
def test_3_0_1_counters_and_markers_fit_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, words: str | None
) -> None:
    replaced(tmp_path, name, old, new)
    monkeypatch.setenv("HEXWAR_TOW_DATA", str(tmp_path))
    if words is None:  # hexes of another board count for nothing: those of the map are used, and there is none
        with pytest.raises(ContentError, match="axis has no supply source"):
            hexwar.new_game("tow", "training", seed=1)
        return
    with pytest.raises(HexwarError, match=words):
        hexwar.new_game("tow", "campaign", seed=1)


def test_13_3_orders_and_points_off_a_part_of_the_map_do_not_matter() -> None:
    world: TowWorld = hexwar.new_game("tow", "training", seed=1).world  # type: ignore[assignment]
    assert world.entry.corners is not None
    assert not {*world.printed.markers.supreme_command_orders} <= {*world.cities}


def test_a_scenario_that_there_is_not() -> None:
    with pytest.raises(UnknownName, match="scenario of tow"):
        load_tow().scenario("none")
