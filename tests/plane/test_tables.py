"""Table files: what is read from them, and what is wrong with one, in words."""

from __future__ import annotations

import pytest
from shapely import Polygon

from hexwar.board import PlaneBoard, load_map
from hexwar.errors import ContentError
from hexwar.plane import SMOKE, Area, Terrain, joined

TABLE = """
format = 1
kind = "plane"
id = "tables/farm"
width = 6000
height = 4000
unit = "0.1 mm"

[[zone]]
terrain = "wood"
name = "Copse"
outline = [[100, 100], [100, 900], [900, 900], [900, 100]]

[[zone]]
terrain = "hill"
name = "Knoll"
outline = [[2000, 1000], [4000, 1000], [4000, 3000], [2000, 3000]]
crest = [[1500, 2000], [4500, 2000]]

[[line]]
kind = "wall"
name = "Farm wall"
points = [[100, 2000], [1000, 2500]]

[closed]
truck = [[[0, 0], [100, 0], [100, 100]]]

[scenario]
edges = { blue = "south", red = "north" }
"""


def board(text: str = TABLE) -> PlaneBoard:
    return load_map(text, kind=PlaneBoard)


def test_a_table_is_read_with_its_areas_lines_crests_and_scenario() -> None:
    terrain = Terrain.of(board(), {"wood", "hill", "wall"})
    copse, knoll = terrain.areas
    assert copse == Area("wood", "Copse", ((900, 100), (900, 900), (100, 900), (100, 100))), "clockwise"
    assert knoll.crest == ((1500, 2000), (4500, 2000))
    assert (terrain.lines[0].title, terrain.lines[0].legs) == ("Farm wall", [((100, 2000), (1000, 2500))])
    assert terrain.closed == {"truck": (((0, 0), (100, 0), (100, 100)),)}
    assert board().scenario == {"edges": {"blue": "south", "red": "north"}}
    bare = TABLE.partition("[scenario]")[0]
    assert board(bare).digest != board().digest
    assert (4000, 4000) in terrain
    assert (4000, 4001) not in terrain


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"wood"', '"would"', "zone Copse: no terrain is called 'would'; did you mean wood?"),
        ("[900, 100]]", "[900, 950], [900, 100]]", "zone Copse: the outline is not simple"),
        ("[4000, 1000]", "[7000, 1000]", "zone Knoll: 7000, 1000 lies off the table, which is 6000 by 4000"),
        ("[1500, 2000]", "[2500, 2000]", "zone Knoll: the crest ends on the hill, at 2500, 2000; it must lead across"),
        ("Farm wall", "Copse", "line Copse: another part of the table has this name"),
        ("[1000, 2500]", "[100, 2000]", "line Farm wall: 100, 2000 stands there twice"),
        ("width = 6000", "width = 60000", "width: a table is at most 32767 units"),
        ("[100, 100]]]", "[50, 0]]]", "closed truck 1: the outline is not simple"),
    ],
)
def test_a_mistake_says_what_where_and_what_would_be_right(before: str, after: str, message: str) -> None:
    wrong = TABLE.replace(before, after, 1) if "]]]" not in before else TABLE.replace(before, after)
    with pytest.raises(ContentError) as error:
        Terrain.of(board(wrong), {"wood", "hill", "wall"})
    assert f"tables/farm: {message}" in str(error.value)


def test_gaps_narrower_than_two_centimetres_are_closed_for_the_file() -> None:
    left, right = ((0, 0), (500, 0), (500, 1000), (0, 1000)), ((699, 0), (1200, 0), (1200, 1000), (699, 1000))
    (closed,) = joined([left, right])
    assert Polygon(closed).covers(Polygon(((500, 1), (699, 1), (699, 999), (500, 999))))
    assert len(joined([left, tuple((x + 1, y) for x, y in right)])) == 2


def test_smoke_is_one_more_area_and_what_lies_far_off_the_table_is_left_out() -> None:
    terrain = Terrain.of(board()).changed(smoke=[((-9000, 0), (500, 0), (500, 500), (-9000, 500))])
    assert terrain.areas[-1].kind == SMOKE
    assert min(x for x, _ in terrain.areas[-1].ring) == -1000
    assert len(Terrain.of(board()).areas) == 2, "the ground itself does not change"
    with pytest.raises(ValueError, match="too far from the table"):
        Terrain(6000, 4000, [Area("wood", "", ((-9000, 0), (500, 0), (500, 500)))])
    with pytest.raises(ValueError, match="a table is at most"):
        Terrain(60000, 4000)
