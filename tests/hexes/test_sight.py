"""Lines of sight and arcs, beside a picture: shapely cuts the line out of drawn hexes, `atan2` measures the angles."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from hexwar.hexes import Hex, Orientation, arc, blocked_by, centre, corners, crossed, direction, disk, heading, in_arc, neighbour
from hexwar.hexes import _sight as sight

HEXES = st.builds(Hex, st.integers(-6, 6), st.integers(-6, 6))
ALL = disk(Hex(0, 0), 14)
MIDDLE = Hex(0, 0)


def test_the_examples_of_the_docstrings_hold() -> None:
    assert doctest.testmod(sight).failed == 0


@given(HEXES, HEXES)
@example(Hex(0, 0), Hex(2, 2))
@example(Hex(0, 0), Hex(3, 1))
def test_a_line_crosses_the_hexes_that_the_drawn_line_cuts(a: Hex, b: Hex) -> None:
    drawn = LineString([centre(a, "flat"), centre(b, "flat")])
    cut = {h for h in ALL if drawn.intersection(Polygon(corners(h, "flat")).buffer(1e-9)).length > 1e-6}
    assert {h for hexes in crossed(a, b) for h in hexes} == cut - {a, b}


@given(HEXES, HEXES)
def test_sight_is_mutual(a: Hex, b: Hex) -> None:
    assert crossed(b, a) == crossed(a, b)[::-1]


def test_along_a_hexside_both_hexes_or_one_block() -> None:
    far = Hex(2, 2)
    (beside, middle, _) = crossed(MIDDLE, far)
    assert len(beside) == 2
    assert middle == (Hex(1, 1),)
    one = {beside[0]}.__contains__
    assert blocked_by(MIDDLE, far, one) == ()
    assert blocked_by(MIDDLE, far, one, along=any) == beside
    assert blocked_by(MIDDLE, far, set(beside).__contains__) == beside
    assert blocked_by(MIDDLE, far, lambda h: h in (MIDDLE, far)) == ()


@given(
    HEXES.filter(lambda h: h != MIDDLE), st.integers(0, 5), st.integers(1, 6), st.booleans(), st.sampled_from(["flat", "pointy"])
)
def test_an_arc_is_an_angle_around_the_heading(h: Hex, facing: int, width: int, corner: bool, orientation: Orientation) -> None:
    x, y = centre(h, orientation)
    bearing = math.degrees(math.atan2(x, -y))
    turned = (bearing - heading(facing, orientation, corner=corner) + 180) % 360 - 180
    assert in_arc(MIDDLE, facing, h, width, corner=corner) == (abs(turned) <= 30 * width + 1e-9)


def test_arcs_in_numbers() -> None:
    assert [len(arc(MIDDLE, 2, 1, width)) for width in range(1, 7)] == [1, 3, 3, 5, 5, 6]
    assert [len(arc(MIDDLE, 2, 1, width, corner=True)) for width in range(1, 7)] == [2, 2, 4, 4, 6, 6]
    assert MIDDLE not in arc(MIDDLE, 0, 2, 6)
    assert [heading(direction(MIDDLE, neighbour(MIDDLE, d)), "pointy") for d in range(6)] == [330, 30, 90, 150, 210, 270]
    with pytest.raises(ValueError, match="1 to 6 sixths of a circle wide, not 7"):
        in_arc(MIDDLE, 0, Hex(1, 0), 7)
