"""Entry points: the same that `importlib.metadata` finds, found sooner."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import sys
import zipfile
from pathlib import Path

import pytest

from hexwar.errors import PluginError
from hexwar.files import package_folder
from hexwar.plugins import Plugins
from hexwar.plugins._installed import _folders, _Unusual, entry_points

Shown = list[tuple[str, str, str]]


def theirs(group: str) -> Shown:
    """What `importlib.metadata` finds."""
    found = importlib.metadata.entry_points(group=group)
    return [(it.name, it.dist.name, f"{it.dist.name} {it.dist.version}") for it in found if it.dist]


def ours(group: str) -> Shown:
    """The same, as it is found here."""
    return [(it.name, it.dist, it.origin) for it in entry_points(group)]


def distribution(place: Path, name: str, text: str | None, version: str = "1.0", kind: str = "dist-info") -> Path:
    """A distribution as an installer leaves it."""
    folder = place / f"{name.replace('-', '_')}-{version}.{kind}"
    folder.mkdir(parents=True)
    file = "METADATA" if kind == "dist-info" else "PKG-INFO"
    (folder / file).write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: x\n\nName: no\n", encoding="utf-8"
    )
    if text is not None:
        (folder / "entry_points.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two folders that come first on the path."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    monkeypatch.setattr(sys, "path", [str(first), str(second), str(tmp_path / "missing"), *sys.path])
    return first, second


@pytest.mark.parametrize("group", ["hexwar", "console_scripts", "pytest11", "nothing.of.the.kind"])
def test_what_is_installed_here(group: str) -> None:
    assert ours(group) == theirs(group)


def test_what_was_installed_or_removed_is_noticed(places: tuple[Path, Path]) -> None:
    first, second = places
    assert ours("hexwar-test") == []
    entries = "# a comment\n[console_scripts]\nno = no:no\n\n[hexwar-test]\na = json\n b=json:JSONDecoder.decode [extra]\n"
    kept = distribution(second, "House-Rules", f"{entries}[other]\nc = c\n", "2.1")
    egg = distribution(second, "old-rules", "[hexwar-test]\nold = json\n", kind="egg-info")
    assert sorted(ours("hexwar-test")) == sorted(theirs("hexwar-test"))
    assert sorted(ours("hexwar-test")) == [
        ("a", "House-Rules", "House-Rules 2.1"),
        ("b", "House-Rules", "House-Rules 2.1"),
        ("old", "old-rules", "old-rules 1.0"),
    ]
    import json

    assert [it.load() for it in entry_points("hexwar-test") if it.dist == "House-Rules"] == [json, json.JSONDecoder.decode]
    for file in ("entry_points.txt", "PKG-INFO"):
        (egg / file).unlink()
    egg.rmdir()
    assert [name for name, *_ in ours("hexwar-test")] == ["a", "b"]
    distribution(first, "house.rules", None, "3.0")  # it comes first on the path, and brings nothing
    assert ours("hexwar-test") == theirs("hexwar-test") == []
    assert kept.is_dir()


def test_an_entry_that_names_no_module_is_reported(places: tuple[Path, Path]) -> None:
    distribution(places[0], "broken", "[hexwar]\nbroken = no module!\nempty\nabsent = hexwar_not_there\n")
    manager = Plugins(allow=["broken", "empty", "absent"])
    errors = {found.name: found.error for found in manager.found()}
    assert errors["broken"] == "its entry point is 'no module!', and should be a module, or module:object"
    assert errors["empty"] == "its entry point is '', and should be a module, or module:object"
    assert "hexwar_not_there" in errors["absent"]
    with pytest.raises(PluginError, match="plugin absent"):
        Plugins(allow=["absent"], strict=True).rulesets()


def test_metadata_that_is_missing(places: tuple[Path, Path]) -> None:
    (distribution(places[0], "bare", "[hexwar-test]\na = json\n", "0.3") / "METADATA").unlink()
    assert ours("hexwar-test") == [("a", "bare", "bare 0.3")]


class Finder:
    """Finds distributions somewhere else."""

    def find_distributions(self, context: object = None) -> list[importlib.metadata.Distribution]:
        return []

    def find_spec(self, *given: object) -> None:
        return None


@pytest.mark.parametrize("what", ["zip", "egg", "finder"])
def test_what_is_no_plain_folder_is_left_to_the_library(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    distribution(places[0], "plain", "[hexwar-test]\nplain = json\n")
    more: list[str] = []
    if what == "zip":
        file = tmp_path / "packed.zip"
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("packed-1.0.dist-info/METADATA", "Name: packed\nVersion: 1.0\n")
            packed.writestr("packed-1.0.dist-info/entry_points.txt", "[hexwar-test]\npacked = json\n")
        monkeypatch.syspath_prepend(str(file))
        more = ["packed"]
    elif what == "egg":
        folder = tmp_path / "laid-1.0-py3.egg" / "EGG-INFO"
        folder.mkdir(parents=True)
        (folder / "PKG-INFO").write_text("Name: laid\nVersion: 1.0\n", encoding="utf-8")
        (folder / "entry_points.txt").write_text("[hexwar-test]\nlaid = json\n", encoding="utf-8")
        monkeypatch.setattr(sys, "path", [str(folder.parent), *sys.path])
        more = ["laid"]
    else:
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    with pytest.raises(_Unusual):
        list(_folders())
    found = entry_points("hexwar-test")
    assert all(entry.load() for entry in found)
    assert sorted(ours("hexwar-test")) == sorted(theirs("hexwar-test"))
    assert sorted(entry.name for entry in found) == sorted(["plain", *more])


def test_the_folder_of_a_package_is_that_of_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hexwar_maps

    assert package_folder("hexwar_maps") == importlib.resources.files(hexwar_maps)
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        packed.writestr("hexwar_packed_data/__init__.py", "")
        packed.writestr("hexwar_packed_data/data/a.toml", "a = 1")
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    importlib.import_module("hexwar_packed_data")
    assert (package_folder("hexwar_packed_data") / "data" / "a.toml").read_text() == "a = 1"
