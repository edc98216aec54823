"""Content files that replace the bundled ones, and mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexwar.errors import ContentError, HexwarError
from hexwar_tow.content import FILES, load_tow

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
    assert set(FILES) == {file.name for file in BUNDLED.glob("*.toml")} - {"rules.toml"}


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
