"""Pictures of boards: well-formed, complete, the same every time, and of every kind of board."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest

import hexwar
from hexwar.board import Board, BoardContent, HexContent, load_map
from hexwar.errors import HexwarError, UnknownName
from hexwar.hexes import Hex
from hexwar.render import board_svg
from hexwar.render._terrain import link_line, look, side_line
from tests.render.helpers import hexes, ids, parsed, texts, with_class


@pytest.fixture(scope="module")
def crossing() -> Board:
    return hexwar.load_board("bridgehead/crossing")


def test_every_hex_label_and_place_is_drawn_once(crossing: Board) -> None:
    tree = parsed(board_svg(crossing))
    assert sorted(hexes(tree)) == sorted(crossing.labels)
    written = texts(tree)
    assert all(written.count(label) == 1 for label in crossing.labels)
    assert {"Stara 2", "Brod 4", "Gora 5"} <= set(written)
    assert written[0] == "The Lenta crossing"


def test_ids_are_unique_and_all_references_lead_somewhere(crossing: Board) -> None:
    tree = parsed(board_svg(crossing))
    assert len(ids(tree)) == len(set(ids(tree))) == 4
    used = {element.attrib["href"] for element in tree.iter() if "href" in element.attrib}
    assert used == {f"#{name}" for name in ids(tree)}


def test_two_pictures_on_one_page_share_no_id(crossing: Board) -> None:
    whole, part = parsed(board_svg(crossing)), parsed(board_svg(crossing, only=["0504", "0404"]))
    assert not set(ids(whole)) & set(ids(part))


def test_the_same_arguments_give_the_same_bytes(crossing: Board) -> None:
    assert board_svg(crossing) == board_svg(hexwar.load_board("bridgehead/crossing"))


def test_every_text_names_its_font(crossing: Board) -> None:
    tree = parsed(board_svg(crossing))
    assert all("sans-serif" in element.attrib["font-family"] for element in tree.iter() if element.tag.endswith("}text"))


def test_a_bridge_stands_where_the_road_crosses_the_river(crossing: Board) -> None:
    assert len(with_class(parsed(board_svg(crossing)), "bridge")) == 1


def test_a_crop_draws_only_what_it_names(crossing: Board) -> None:
    tree = parsed(board_svg(crossing, only=crossing.disk("0504", 1)))
    assert len(hexes(tree)) == 7
    assert "Gora 5" not in texts(tree)


def test_labels_title_and_legend_can_be_left_out(crossing: Board) -> None:
    tree = parsed(board_svg(crossing, labels=False, title="", with_legend=False))
    assert sorted(texts(tree)) == ["Brod 4", "Gora 5", "Kamen 3", "Lasek 3", "Stara 2"]
    assert not with_class(tree, "legend")


def test_labels_that_nobody_could_read_are_left_out(crossing: Board) -> None:
    assert "0504" not in texts(parsed(board_svg(crossing, scale=16)))


@pytest.mark.parametrize("scale", [0, -3, 7.9, 401, float("nan"), float("inf")])
def test_a_silly_scale_is_a_sentence(crossing: Board, scale: float) -> None:
    with pytest.raises(HexwarError, match="pixels of a hex"):
        board_svg(crossing, scale=scale)


def test_an_unknown_hex_in_a_crop_is_a_sentence(crossing: Board) -> None:
    with pytest.raises(UnknownName, match="9999"):
        board_svg(crossing, only=["9999"])


def test_the_size_follows_the_scale(crossing: Board) -> None:
    small, large = (parsed(board_svg(crossing, scale=scale)) for scale in (40, 80))
    assert float(large.attrib["width"]) == pytest.approx(2 * float(small.attrib["width"]), rel=0.01)


ODD = """
format = 1
id = "odd/map"
title = "<Odd> & \\"quoted\\""
[grid]
layout = "rows"
columns = 4
rows = 4
shifted = "even"
shift = "east"
[terrain]
rows = '''
. l c h
p s u x
. . . .
l l . .
'''
[terrain.legend]
"." = "clear"
"l" = "lava"
"c" = "crystal"
"h" = "hills"
"p" = "mountain"
"s" = "desert"
"u" = "urban"
"x" = "forested-marsh"
[sides]
river = ["0101/E"]
major-river = ["0201/E"]
stream = ["0301/SE"]
wall = ["0102/E"]
ridge = ["0202/E"]
border = ["0302/E"]
ferry = ["0103/E"]
force-field = ["0203/E"]
bridge = ["0303/E"]
[links]
road = ["0101 0201"]
main-road = ["0201 0301"]
track = ["0102 0202"]
rail = ["0101 0201", "0202 0302"]
sea-lane = ["0103 0203"]
tunnel = ["0203 0303"]
[[place]]
name = "A place with a very long name"
kind = "town"
hex = "0101"
[[place]]
name = "Twelve chars"
kind = "major-city"
hex = "0202"
value = 3
"""


@pytest.fixture(scope="module")
def odd() -> Board:
    return load_map(ODD)


class TestOddBoards:
    """Pointy hexes, terrains and lines that nobody thought of, and names with letters that mean something in SVG."""

    def test_everything_is_drawn(self, odd: Board) -> None:
        tree = parsed(board_svg(odd))
        assert odd.orientation == "pointy"
        assert len(hexes(tree)) == 16
        drawn = {element.attrib["data-kind"] for element in tree.iter() if "data-kind" in element.attrib}
        assert drawn == {*odd.side_features, *odd.link_kinds} - {"bridge"}
        assert {'<Odd> & "quoted"', "lava", "force-field", "bridge", "tunnel"} <= set(texts(tree))

    def test_bridges_come_from_the_map_and_from_roads_over_water(self, odd: Board) -> None:
        on_the_map = next(iter(with_class(parsed(board_svg(odd)), "bridges")))
        assert len(on_the_map) == 3

    def test_a_road_and_a_railway_do_not_hide_each_other(self, odd: Board) -> None:
        lines = {e.attrib["data-kind"]: e.attrib["d"] for e in parsed(board_svg(odd)).iter() if "data-kind" in e.attrib}
        assert lines["road"] not in lines["rail"]

    def test_a_terrain_of_its_own_has_the_same_colour_in_every_process(self) -> None:
        assert look("crystal").fill == look("crystal").fill != look("lava").fill
        assert look("crystal").fill == "#c2e5cd"

    @pytest.mark.parametrize("name", ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh"])
    def test_any_name_can_be_drawn(self, name: str) -> None:
        assert look(name).fill.startswith("#")
        assert side_line(name).width > 0
        assert link_line(name).width > 0


def test_terrains_differ_in_drawing_as_well_as_in_colour() -> None:
    """A grey print must still tell them apart."""
    looks = [look(name) for name in ("clear", "woods", "marsh", "lake", "mountain", "hills", "desert", "city", "light-forest")]
    assert len({it.art for it in looks}) == len({it.fill for it in looks}) == len(looks)


def test_a_single_hex_is_a_picture() -> None:
    board = Board(BoardContent(id="one", hexes={Hex(0, 0): HexContent(("A1",), "clear")}))
    tree = parsed(board_svg(board))
    assert hexes(tree) == ["A1"]
    assert "one" in texts(tree)


def test_a_board_of_thousands_of_hexes_is_drawn_in_few_calls_a_hex() -> None:
    """Calls are counted, not seconds: 107 a hex today."""
    content = {
        Hex(q, r - q // 2): HexContent((f"{q:03}{r:03}",), "woods" if q % 3 else "clear") for q in range(66) for r in range(67)
    }
    board = Board(BoardContent(id="big", hexes=content))
    calls = Counter[str]()
    sys.setprofile(lambda frame, event, argument: calls.update((event,)))
    try:
        svg = board_svg(board)
    finally:
        sys.setprofile(None)
    assert len(hexes(parsed(svg))) == 66 * 67
    assert calls["call"] + calls["c_call"] < 160 * 66 * 67


def test_there_is_nothing_else() -> None:
    import hexwar.render

    module: Any = hexwar.render
    with pytest.raises(AttributeError, match="paint"):
        _ = module.paint
