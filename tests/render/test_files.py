"""Picture files: formats by ending, PNG with its text really drawn, and sentences where something is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.errors import HexwarError
from hexwar.render import _files as files
from hexwar.render import board_svg, png_bytes, write_picture
from tests.render.helpers import pixels

ONE_HEX = ["0504"]


@pytest.fixture(scope="module")
def svg() -> str:
    return board_svg(hexwar.load_board("bridgehead/crossing"), only=ONE_HEX, with_legend=False, title="", scale=100)


def test_an_svg_file_is_the_text_itself(svg: str, tmp_path: Path) -> None:
    write_picture(svg, tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == svg


def test_png_text_is_really_drawn(svg: str) -> None:
    """The renderer drops text silently if it finds no font: so the pixels of the name must differ from an empty name's."""
    blank = svg.replace(">Brod 4<", "><")
    assert blank != svg
    with_text, without = pixels(png_bytes(svg)), pixels(png_bytes(blank))
    height = len(with_text)
    changed = [y for y in range(height) if with_text[y] != without[y]]
    assert len(changed) > 8
    assert min(changed) > height / 2, "the name stands below the middle"


def test_png_labels_are_drawn_too(svg: str) -> None:
    assert pixels(png_bytes(svg)) != pixels(png_bytes(svg.replace(">0504<", "><")))


def test_a_png_file_is_written(svg: str, tmp_path: Path) -> None:
    write_picture(svg, tmp_path / "x.PNG")
    assert (tmp_path / "x.PNG").read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in tmp_path.iterdir()] == ["x.PNG"]


def test_a_missing_extra_names_the_extra(svg: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(HexwarError, match=r"pip install 'hexwar\[png\]'"):
        png_bytes(svg)


def test_a_machine_without_fonts_is_told(svg: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FAMILIES", ("No Such Font At All",))
    files._family.cache_clear()
    monkeypatch.setattr(files, "_rasterised", lambda svg, family: b"the same blank picture")
    try:
        with pytest.raises(HexwarError, match="no font was found"):
            png_bytes(svg)
    finally:
        files._family.cache_clear()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("picture", r"ends in \.png or \.svg"), ("picture.bmp", "picture format"), ("no/such/folder/x.svg", "cannot be written")],
)
def test_a_file_that_cannot_be_is_a_sentence(svg: str, tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(HexwarError, match=sentence):
        write_picture(svg, tmp_path / name)


def test_a_folder_in_the_way_is_a_sentence_and_leaves_nothing_behind(svg: str, tmp_path: Path) -> None:
    (tmp_path / "x.svg").mkdir()
    with pytest.raises(HexwarError, match="cannot be written"):
        write_picture(svg, tmp_path / "x.svg")
    assert [file.name for file in tmp_path.iterdir()] == ["x.svg"]
