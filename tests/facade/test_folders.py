"""Where the cache and a user's own things lie."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from hexwar.folders import cache_folder, data_folder, private_folder


@pytest.mark.parametrize(
    ("platform", "variables", "places"),
    [
        ("linux", ("XDG_CACHE_HOME", "XDG_DATA_HOME"), (".cache/hexwar", ".local/share/hexwar")),
        ("darwin", ("XDG_CACHE_HOME", "XDG_DATA_HOME"), ("Library/Caches/hexwar", "Library/Application Support/hexwar")),
        ("win32", ("LOCALAPPDATA", "LOCALAPPDATA"), ("AppData/Local/hexwar", "AppData/Local/hexwar/data")),
    ],
)
def test_the_folders_of_each_platform(
    platform: str, variables: tuple[str, str], places: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("HEXWAR_CACHE")
    for variable, place, folder in zip(variables, places, (cache_folder, data_folder), strict=True):
        monkeypatch.delenv(variable, raising=False)
        assert folder() == tmp_path / place
        monkeypatch.setenv(variable, str(tmp_path / "other"))
        assert folder() == tmp_path / "other" / place[place.index("hexwar") :]
        monkeypatch.setenv(variable, "not/absolute")
        assert folder() is None


def test_only_the_user_reads_what_lies_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / "share" / "hexwar").mkdir(parents=True, mode=0o755)
    folder = private_folder("saves")
    assert folder == tmp_path / "share" / "hexwar" / "saves"
    assert [stat.S_IMODE(it.stat().st_mode) for it in (folder, folder.parent)] == [0o700, 0o700]
