"""Large boards are kept on disk: what comes back is the same, and nothing depends on it."""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from hexwar import cache
from hexwar.board import Board, load_map
from hexwar.board import _source as source_module
from hexwar.errors import ContentError
from tests.board.samples import FORD

SHEET = """
format = 1
id = "test/{map}"
[grid]
layout = "columns"
columns = 40
rows = 30
shifted = "even"
shift = "up"
prefix = "{name}"
[terrain]
legend = {{ "." = "clear", w = "woods" }}
rows = '''
{rows}
'''
[sides]
river = ["{name}0303/N"]
[links]
road = ["{name}0405 {name}0406 {name}0407"]
[[place]]
name = "Town {name}"
kind = "town"
hex = "{name}0505"
tags = ["port"]
[areas]
corner = ["{name}0101", "{name}0102"]
[[hex]]
hex = "{name}0202"
properties = {{ depth = 3, names = ["a", "b"] }}
[provenance]
from = "nowhere"
notes = {{ of = ["us"] }}
"""
BOARD = """
format = 1
id = "test/both"
[[sheet]]
map = "test/a"
[[sheet]]
map = "test/b"
join = ["B0101 on A4001"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXWAR_CACHE", str(tmp_path / "cache"))
    for name in "AB":
        (tmp_path / f"{name}.toml").write_text(SHEET.format(name=name, map=name.lower(), rows="\n".join(["." * 40] * 30)))
    (tmp_path / "both.toml").write_text(BOARD)
    return tmp_path


def load(folder: Path, board: str = "both", **more: Any) -> Board:
    made: Board = load_map(folder / f"{board}.toml", resolve=lambda sheet: folder / f"{sheet[-1].upper()}.toml", **more)
    return made


def kept(folder: Path) -> list[Path]:
    return [*(folder / "cache").glob("*")]


@pytest.mark.parametrize("board", ["A", "both"])
def test_what_was_kept_is_the_same_and_nothing_is_read_again(board: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(folder, board)
    monkeypatch.setattr(source_module, "read_keys", None)
    again = load(folder, board)
    assert again.content == first.content
    assert [*again.content.hexes] == [*first.content.hexes]
    assert (again.digest, again.labels, again.places) == (first.digest, first.labels, first.places)
    for made in (first, again):
        assert type(made.provenance) is MappingProxyType
        notes = made.provenance["notes"] if board == "A" else made.provenance["sheets"]["test/a"]["notes"]
        assert type(notes) is dict
        assert made.properties("A0202") == {"depth": 3, "names": ["a", "b"]}


def test_a_small_board_is_kept_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "small.toml").write_text(FORD)
    first = load(folder, "small")
    monkeypatch.setattr(source_module, "read_keys", None)
    assert load(folder, "small").content == first.content


def test_the_oldest_files_go_when_there_are_too_many_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "MOST_FILES", 10)
    (tmp_path / "diary.txt").write_text("mine")
    for number in range(11):
        cache.keep(f"number-{number}", "key", number)
        for file in tmp_path.glob(f"number-{number}.*"):
            os.utime(file, (number, number))
    assert [n for n in range(11) if cache.recall(f"number-{n}", "key") == n] == [*range(3, 11)]
    assert (tmp_path / "diary.txt").exists()


@pytest.mark.parametrize("file", ["both", "A", "B"])
def test_a_file_that_changed_is_read_again(file: str, folder: Path) -> None:
    load(folder)
    path = folder / f"{file}.toml"
    path.write_text(path.read_text().replace("id =", 'title = "changed"\nid =').replace("...", "www", 1))
    changed = load(folder)
    assert changed.title == ("changed" if file == "both" else "")
    assert ("woods" in {printed.terrain for printed in changed.content.hexes.values()}) == (file != "both")
    assert load(folder).content == changed.content


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:],
        lambda data: b"0" + data[1:],
        lambda data: data.replace(b"\n", b"", 1),
        lambda data: b"\xff\n\xfe",
        lambda data: cache.fingerprint("another key", b"i") + "\n" + "i",
    ],
)
def test_a_damaged_or_foreign_file_is_ignored_and_written_anew(damage: Any, folder: Path) -> None:
    whole = load(folder).content
    (file,) = kept(folder)
    data = file.read_bytes()
    spoilt = damage(data)
    file.write_bytes(spoilt if isinstance(spoilt, bytes) else spoilt.encode())
    assert load(folder).content == whole
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    "value", [None, 1, (), ({},), ({"test/a": "x"}, [], [], []), ({}, [1], [], [], ()), ({}, [], [[], []], [], ())]
)
def test_a_file_that_holds_something_else_is_ignored(value: object, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = load(folder).content
    monkeypatch.setattr(cache, "recall", lambda name, key: value)
    assert load(folder).content == whole


def test_another_version_of_the_code_reads_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(folder)
    before = kept(folder)[0].read_bytes()
    monkeypatch.setattr(cache, "code", lambda *modules: "other")
    load(folder)
    assert [file.read_bytes() == before for file in kept(folder)] == [False]


def test_what_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "fix.toml").write_text('format = 1\nid = "test/a"\n[[hex]]\nhex = "A0303"\nterrain = "woods"\n')
    assert load(folder, overrides=[folder / "fix.toml"]).terrain("A0303") == "woods"
    text = (folder / "A.toml").read_text()
    load_map(text)
    (folder / "A.toml").write_text(text.replace("columns = 40", "columns = 41"))
    with pytest.raises(ContentError):
        load(folder)
    monkeypatch.setenv("HEXWAR_CACHE", "")
    (folder / "A.toml").write_text(text)
    load(folder)
    assert kept(folder) == []


def test_a_folder_that_cannot_be_used_changes_nothing(folder: Path) -> None:
    (folder / "cache").write_text("a file")
    assert load(folder).content == load(folder).content
