"""Corrections to a map: an owner of the printed game sets hexes right in a file of his own."""

from __future__ import annotations

import pytest

from hexwar.board import load_map
from hexwar.errors import ContentError
from tests.board.samples import CAMPAIGN, FORD, sheet

CORRECTIONS = """
format = 1
id = "demo/ford"
title = "my copy"

[[hex]]
hex = "0303"
terrain = "clear"
properties = { height = 4 }

[sides]
cliff = ["0102|0103"]

[links]
road = ["0101 0202"]

[[place]]
name = "Lower Mill"
kind = "city"
hex = "0102"

[areas]
"west bank" = ["0101"]

[remove]
places = ["Twin Oaks"]

[remove.sides]
river = ["0102/N"]

[remove.links]
rail = ["0102 0103"]
"""


def test_hexes_sides_links_places_and_areas_can_be_corrected() -> None:
    before, after = load_map(FORD), load_map(FORD, overrides=[CORRECTIONS])
    assert (before.terrain("0303"), after.terrain("0303")) == ("forest", "clear")
    assert after.properties("0303") == {"height": 4, "name": "Hill 3"}
    assert after.side("0102", "0103") == {"cliff"}
    assert before.side("0101", "0102") == {"river"}
    assert after.side("0101", "0102") == set()
    assert after.links("0101", "0202") == {"road"}
    assert after.links("0102", "0103") == {"road"}
    assert after.find("Lower Mill").hexes == ("0102",)
    assert after.find("Lower Mill").kind == "city"
    assert [place.name for place in after.places] == ["Lower Mill"]
    assert after.areas["west bank"] == ("0101",)
    assert after.areas["north edge"] == before.areas["north edge"]


def test_a_corrected_board_is_another_board_and_says_so() -> None:
    before, after = load_map(FORD), load_map(FORD, overrides=[CORRECTIONS])
    assert before.digest != after.digest
    assert after.provenance["overrides"] == {"source": "my copy"}
    assert after.provenance["terrain"] == "invented"


def test_later_corrections_win() -> None:
    again = 'format = 1\nid = "demo/ford"\n[[hex]]\nhex = "0303"\nterrain = "lake"\n[provenance]\nfrom = "the errata"\n'
    board = load_map(FORD, overrides=[CORRECTIONS, again])
    assert board.terrain("0303") == "lake"
    assert board.provenance["overrides"] == {"from": "the errata"}


def test_corrections_of_a_sheet_hold_on_the_board_that_joins_it() -> None:
    sheets = {"demo/l": sheet("L", 25), "demo/s": sheet("S", 30), "demo/k": sheet("K", 30)}
    north = 'format = 1\nid = "demo/l"\n[[hex]]\nhex = "L0101"\nterrain = "forest"\n'
    joined = 'format = 1\nid = "demo/campaign"\n[[hex]]\nhex = "L1523"\nterrain = "forest"\n'
    board = load_map(CAMPAIGN, sheets.__getitem__, overrides=[north, joined])
    assert board.terrain("L0101") == "forest"
    assert board.terrain("S1503") == "forest"
    assert board.terrain("L0102") == "clear"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("format = 1", "format = 3", "format: the version of the format is 3"),
        ('id = "demo/ford"', 'id = "demo/fort"', "id: corrects demo/fort, which is neither demo/ford nor one of its sheets"),
        ('hex = "0303"', 'hex = "0909"', "no hex is called '0909'"),
        ('terrain = "clear"', 'terrain = "clean"', "hex 0303: no terrain is called 'clean'; did you mean clear?"),
        ('places = ["Twin Oaks"]', 'places = ["Twin Elms"]', "no place is called 'Twin Elms'; did you mean Twin Oaks?"),
        ('["0101"]', '["0101..0103"]', "areas west bank: 0101..0103 cannot be used here; name each hex"),
        ("[remove]", "[removed]", "removed"),
    ],
)
def test_mistakes_are_named(old: str, new: str, sentence: str) -> None:
    text = CORRECTIONS.replace(old, new, 1)
    assert text != CORRECTIONS
    with pytest.raises(ContentError) as caught:
        load_map(FORD, overrides=[text])
    assert sentence in str(caught.value)


def test_a_hex_still_holds_one_place() -> None:
    text = CORRECTIONS.replace('hex = "0102"', 'hex = "0301"').replace('places = ["Twin Oaks"]', "places = []")
    with pytest.raises(ContentError, match="hex 0301 already holds"):
        load_map(FORD, overrides=[text])
