"""Boards of several sheets: where they lie, what covers what, and which labels a hex answers to."""

from __future__ import annotations

from itertools import combinations

import pytest

from hexwar.board import Board, load_map
from tests.board.samples import CAMPAIGN, sheet

NORTH = """
[sides]
river = ["L0120/S L0121/S L0510/N"]
[links]
road = ["L0119 L0120 L0121 L0122"]
[[place]]
name = "Covered"
kind = "town"
hex = "L0223"
[[place]]
name = "Astride"
kind = "city"
hex = "L3020 L3021"
[[place]]
name = "Neva"
kind = "city"
hex = "L3602 L3603 L3702"
[areas]
north = ["L0119..L0123"]
[[hex]]
hex = "L0122"
properties = { hidden = true }
[provenance]
size = "guess"
"""
SOUTH = """
[sides]
river = ["S0130/S"]
[links]
road = ["S0102 S0103"]
[[place]]
name = "Astride"
kind = "city"
hex = "S3001"
[areas]
north = ["S0101"]
"""


@pytest.fixture(scope="module")
def campaign() -> Board:
    sheets = {
        "demo/l": sheet("L", 25, extra=NORTH),
        "demo/s": sheet("S", 30, extra=SOUTH, terrain="f"),
        "demo/k": sheet("K", 30),
    }
    return load_map(CAMPAIGN, sheets.__getitem__)


def test_the_sheets_make_one_board(campaign: Board) -> None:
    assert len(campaign) == 55 * (20 + 30 + 30)
    assert campaign.labels[0] == "L0101"
    assert campaign.labels[-1] == "K5530"
    assert campaign.areas["north"] == ("L0119", "L0120", "S0101")
    assert campaign.provenance["seam"].startswith("the north sheet")
    assert campaign.provenance["sheets"] == {"demo/l": {"size": "guess"}, "demo/s": {}, "demo/k": {}}


@pytest.mark.parametrize(
    ("a", "b"),
    [("S2730", "K2701"), ("S2730", "K2801"), ("S2830", "K2801"), ("S2930", "K2801"), ("S2930", "K2901"), ("L0120", "S0101")],
)
def test_hexes_are_adjacent_across_a_seam(campaign: Board, a: str, b: str) -> None:
    assert campaign.adjacent(a, b)


def test_hexes_beside_the_seam_are_not_all_adjacent(campaign: Board) -> None:
    assert not campaign.adjacent("S2730", "K2901")
    assert not campaign.adjacent("S2830", "K2701")


def test_cities_inside_a_sheet_keep_their_shape(campaign: Board) -> None:
    for labels in (("L3602", "L3603", "L3702"), ("K3507", "K3607", "K3608")):
        assert all(campaign.adjacent(a, b) for a, b in combinations(labels, 2))


def test_a_hex_in_the_overlap_has_two_labels_and_the_top_sheet_gives_the_first(campaign: Board) -> None:
    assert campaign.aliases("L1523") == campaign.aliases("S1503") == ("S1503", "L1523")
    assert campaign.index("L2101") == campaign.index("L2101")
    assert campaign.index("L1523") == campaign.index("S1503")
    assert campaign.label(campaign.index("L1523")) == "S1503"
    assert campaign.aliases("L1520") == ("L1520",)
    assert campaign.aliases("S1506") == ("S1506",)
    assert "L1523" in campaign
    assert campaign.graph.nodes["S1503"]["labels"] == ("S1503", "L1523")
    assert "L1523" not in campaign.graph


def test_the_top_sheet_hides_what_lies_below(campaign: Board) -> None:
    assert campaign.terrain("L0120") == "clear"
    assert campaign.terrain("L0121") == "forest"
    assert campaign.properties("L0122") == {}
    assert campaign.side("L0121", "L0122") == set()
    assert campaign.links("L0121", "L0122") == set()
    assert campaign.links("S0102", "S0103") == {"road"}
    assert "Covered" not in [place.name for place in campaign.places]


def test_what_touches_an_uncovered_hex_is_still_seen(campaign: Board) -> None:
    assert campaign.side("L0120", "S0101") == {"river"}
    assert campaign.links("L0120", "S0101") == {"road"}


def test_a_river_on_the_edge_of_a_sheet_counts_for_the_next(campaign: Board) -> None:
    assert campaign.side("S0130", "K0101") == {"river"}


def test_a_city_cut_by_the_edge_of_a_sheet_is_one_place(campaign: Board) -> None:
    assert campaign.find("Astride").hexes == ("S3001", "L3020")
    assert campaign.place("L3020") is campaign.place("L3021")


def test_the_board_file_adds_what_crosses_the_seam(campaign: Board) -> None:
    assert campaign.links("S2730", "K2701") == {"rail"}


def test_the_board_file_corrects_and_adds() -> None:
    own = """
[[hex]]
hex = "L0302"
terrain = "forest"
properties = { height = 2 }
[[hex]]
hex = "S0201"
properties = { height = 1 }
[[place]]
name = "New"
kind = "town"
hex = "S0101"
[areas]
all = ["L0101 S0101"]
[sides]
wall = ["S0101|S0102"]
"""
    text = """
format = 1
id = "two"
[[sheet]]
map = "demo/l"
[[sheet]]
map = "demo/s"
join = ["S0101 on L0102"]
"""
    sheets = {"demo/l": sheet("L", 2, columns=3, extra='[[hex]]\nhex = "L0302"\nproperties = { wet = true }'),
              "demo/s": sheet("S", 2, columns=2, terrain="f")}  # fmt: skip
    board = load_map(text + own, sheets.__getitem__)
    assert len(board) == 8
    assert board.terrain("L0302") == "forest"
    assert board.properties("L0302") == {"wet": True, "height": 2}
    assert board.properties("S0201") == {"height": 1}
    assert board.find("New").hexes == ("S0101",)
    assert board.areas == {"all": ("L0101", "S0101")}
    assert board.side("S0101", "S0102") == {"wall"}


def test_a_sheet_may_have_holes_that_show_the_sheet_below() -> None:
    text = """
format = 1
id = "two"
[[sheet]]
map = "demo/l"
[[sheet]]
map = "demo/s"
join = ["S0101 on L0101"]
"""
    top = sheet("S", 1, columns=3, terrain="f").replace("fff", "f-f")
    board = load_map(text, {"demo/l": sheet("L", 1, columns=3), "demo/s": top}.__getitem__)
    assert [board.terrain(label) for label in board.labels] == ["forest", "clear", "forest"]
    assert board.labels == ("S0101", "L0201", "S0301")


def test_a_scenario_frame_keeps_both_labels(campaign: Board) -> None:
    part = campaign.crop(["L1523", "L1522"])
    assert part.aliases("L1523") == ("S1503", "L1523")
    assert part.labels == ("S1502", "S1503")


def test_pointy_sheets_join_too() -> None:
    def row_sheet(name: str, prefix: str) -> str:
        return f"""
format = 1
id = "{name}"
[grid]
layout = "rows"
columns = 2
rows = 1
shifted = "odd"
shift = "east"
prefix = "{prefix}"
[terrain]
legend = {{ "." = "clear" }}
rows = ".."
"""

    sheets = {"a": row_sheet("a", "A"), "b": row_sheet("b", "B")}
    text = 'format = 1\nid = "ab"\n[[sheet]]\nmap = "a"\n[[sheet]]\nmap = "b"\njoin = ["B0101 E of A0201"]\n'
    board = load_map(text, sheets.__getitem__)
    assert board.orientation == "pointy"
    assert board.neighbours("B0101") == ("B0201", "A0201")
