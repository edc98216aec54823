"""Corrections of a map by somebody who owns the printed one."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar.errors import ContentError, HexwarError
from hexwar.plugins import use_plugins

WOODS = 'format = 1\nid = "{id}"\n[[hex]]\nhex = "0305"\nterrain = "woods"\n'


@pytest.fixture
def woods(tmp_path: Path) -> Path:
    file = tmp_path / "woods.toml"
    file.write_text(WOODS.format(id="bridgehead/crossing"), encoding="utf-8")
    return file


def test_a_board_with_corrections(woods: Path) -> None:
    plain = hexwar.load_board("bridgehead/crossing")
    corrected = hexwar.load_board("bridgehead/crossing", overrides=[woods])
    assert (plain.terrain("0305"), corrected.terrain("0305")) == ("clear", "woods")
    assert plain.digest != corrected.digest


def test_a_correction_of_another_board_is_refused_when_asked_for(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(WOODS.format(id="ava/kiev"), encoding="utf-8")
    with pytest.raises(ContentError, match="corrects ava/kiev"):
        hexwar.load_board("bridgehead/crossing", overrides=[other])


def test_corrections_in_the_players_folder_reach_every_game(woods: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (woods.parent / "other.toml").write_text(WOODS.format(id="ava/kiev"), encoding="utf-8")
    monkeypatch.setenv("HEXWAR_CORRECTIONS", str(woods.parent))
    use_plugins(None)
    try:
        game = hexwar.new_game("bridgehead", seed=1)
        assert game.world.board.terrain("0305") == "woods"
        game.save(woods.parent / "game.json")
    finally:
        use_plugins(None)
    monkeypatch.delenv("HEXWAR_CORRECTIONS")
    with pytest.raises(hexwar.SaveError, match="was played with another board"):
        hexwar.load_game(woods.parent / "game.json")


def test_a_folder_of_corrections_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_CORRECTIONS", str(tmp_path / "gone"))
    with pytest.raises(HexwarError, match=r"HEXWAR_CORRECTIONS names .*gone, which is no folder"):
        hexwar.load_board("bridgehead/crossing")
