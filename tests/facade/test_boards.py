"""Boards by their id and from files, and what is said of a map that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar import ContentError
from hexwar.errors import UnknownName
from tests.facade.test_position import SMALL_MAP
from tests.plugins.sample import game_plugins, plugin, using


def map_file(folder: Path, text: str) -> Path:
    file = folder / "tiny.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_board_by_its_id_and_from_a_file(tmp_path: Path) -> None:
    assert len(hexwar.load_board("bridgehead/crossing").labels) == 63
    file = map_file(tmp_path, SMALL_MAP)
    assert len(hexwar.load_board(file).labels) == len(hexwar.load_board(str(file)).labels) == 9


def test_an_unknown_board_has_a_hint() -> None:
    with pytest.raises(UnknownName, match=r"'bridgehead/crosing'; did you mean bridgehead/crossing\?"):
        hexwar.load_board("bridgehead/crosing")
    for name in ("x" * 5000, "tiny\0.toml", "no/such/file.toml"):
        with pytest.raises(UnknownName):
            hexwar.load_board(name)


@pytest.mark.parametrize(
    ("old", "new", "place", "word"),
    [
        (". . .\n. . .\n. . .", ". . .\n. ? .\n. . .", "0202", "?"),
        ("[areas]", "[[hex]]\nhex = '0202'\nterrain = 'jungle'\n[areas]", "0202", "jungle"),
        ("[areas]", "[[hex]]\nhex = '0202'\n[[hex]]\nhex = '0202'\n[areas]", "0202", "has two [[hex]] entries"),
        ('west = ["0101"]', 'west = ["0909"]', "0909", ""),
    ],
    ids=["unknown symbol", "unknown terrain", "hex twice", "no such hex"],
)
def test_a_mistake_in_a_map_says_what_and_where(old: str, new: str, place: str, word: str, tmp_path: Path) -> None:
    assert old in SMALL_MAP
    file = map_file(tmp_path, SMALL_MAP.replace(old, new))
    with pytest.raises(ContentError) as caught:
        hexwar.load_board(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert place in str(caught.value)
    assert word in str(caught.value)


def test_a_board_of_several_sheets_finds_them_by_their_ids(tmp_path: Path) -> None:
    two = SMALL_MAP.replace("bridgehead/tiny", "bridgehead/other").replace('"up"}', '"up", prefix = "S"}')
    two = two.replace('"0101"', '"S0101"').replace('"0303"', '"S0303"').replace("west", "west-2").replace("east", "east-2")
    joined = """
format = 1
id = "joined"
[[sheet]]
map = "bridgehead/tiny"
[[sheet]]
map = "bridgehead/other"
join = ["S0101 S of 0103"]
"""
    (tmp_path / "two.toml").write_text(two, encoding="utf-8")
    maps = {"bridgehead/tiny": map_file(tmp_path, SMALL_MAP), "bridgehead/other": tmp_path / "two.toml"}
    manager = game_plugins()
    manager.register(plugin(hexwar_maps=lambda: maps), "annexe")
    file = tmp_path / "joined.toml"
    file.write_text(joined, encoding="utf-8")
    with using(manager):
        assert len(hexwar.load_board(file).labels) == 18
    unknown = "joined.toml: sheet bridgehead/tiny: no board is called 'bridgehead/tiny'"
    with using(game_plugins()), pytest.raises(ContentError, match=unknown):
        hexwar.load_board(file)
