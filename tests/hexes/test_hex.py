"""Coordinates, hexsides, vertices and geometry: laws that hold for every hex."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.hexes import (
    DIRECTION_NAMES,
    Hex,
    Hexside,
    Orientation,
    Vertex,
    centre,
    corners,
    direction,
    disk,
    distance,
    hex_at,
    line,
    neighbour,
    neighbours,
    reflect,
    ring,
    rotate,
    vertex_point,
)

hexes = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60))
directions = st.integers(0, 5)
orientations: st.SearchStrategy[Orientation] = st.sampled_from(("flat", "pointy"))


@given(hexes, directions)
def test_directions_are_opposite_three_apart(h: Hex, d: int) -> None:
    assert neighbour(neighbour(h, d), d + 3) == h
    assert direction(h, neighbour(h, d)) == d
    assert neighbours(h)[d] == neighbour(h, d)


def test_direction_of_hexes_that_are_not_adjacent_is_refused() -> None:
    with pytest.raises(ValueError, match="not adjacent"):
        direction(Hex(0, 0), Hex(0, 2))


@given(orientations, directions)
def test_directions_point_where_their_names_say(orientation: Orientation, d: int) -> None:
    x, y = centre(neighbour(Hex(0, 0), d), orientation)
    name = DIRECTION_NAMES[orientation][d]
    assert ("N" in name, "S" in name) == (y < -0.1, y > 0.1)
    assert ("E" in name, "W" in name) == (x > 0.1, x < -0.1)
    assert math.isclose(math.hypot(x, y), 1)


@given(orientations, directions)
def test_directions_run_clockwise(orientation: Orientation, d: int) -> None:
    (x1, y1), (x2, y2) = (centre(neighbour(Hex(0, 0), k), orientation) for k in (d, d + 1))
    assert math.isclose(x1 * y2 - y1 * x2, math.sqrt(3) / 2)


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes, st.integers(0, 8))
def test_rings_hold_what_is_so_far_away_in_a_circle(c: Hex, n: int) -> None:
    found = ring(c, n)
    assert len(set(found)) == len(found) == (6 * n or 1)
    assert {distance(c, h) for h in found} == {n}
    assert all(distance(a, b) == 1 for a, b in pairwise(found))
    if n:
        assert found[0] == Hex(c.q, c.r - n)


@given(hexes, st.integers(0, 8))
def test_disks_hold_everything_within(c: Hex, n: int) -> None:
    found = disk(c, n)
    assert len(set(found)) == len(found) == 3 * n * (n + 1) + 1
    assert all(distance(c, h) <= n for h in found)


def test_a_ring_of_negative_radius_is_refused() -> None:
    with pytest.raises(ValueError, match="radius of 0 or more, not -1"):
        ring(Hex(0, 0), -1)


@given(hexes, hexes)
def test_lines_are_connected_short_and_mutual(a: Hex, b: Hex) -> None:
    found = line(a, b)
    assert (found[0], found[-1]) == (a, b)
    assert len(found) == distance(a, b) + 1
    assert all(distance(c, d) == 1 for c, d in pairwise(found))
    assert tuple(reversed(found)) == line(b, a)


def test_every_short_line_is_connected_and_mutual() -> None:
    here = Hex(0, 0)
    for there in disk(here, 12):
        found = line(here, there)
        assert all(distance(a, b) == 1 for a, b in pairwise(found))
        assert found[::-1] == line(there, here)


def test_a_line_along_hexsides_keeps_to_one_hex_of_each_pair() -> None:
    assert line(Hex(0, 0), Hex(1, 1)) == (Hex(0, 0), Hex(0, 1), Hex(1, 1))
    assert line(Hex(0, 0), Hex(2, 2)) == (Hex(0, 0), Hex(0, 1), Hex(1, 1), Hex(1, 2), Hex(2, 2))


@given(hexes, hexes, hexes)
def test_lines_do_not_depend_on_where_they_lie(a: Hex, b: Hex, c: Hex) -> None:
    moved = line(Hex(a.q + c.q, a.r + c.r), Hex(b.q + c.q, b.r + c.r))
    assert moved == tuple(Hex(h.q + c.q, h.r + c.r) for h in line(a, b))


@given(hexes, hexes, orientations)
def test_lines_stay_near_the_straight_line(a: Hex, b: Hex, orientation: Orientation) -> None:
    found = line(a, b)
    (ax, ay), (bx, by) = centre(a, orientation), centre(b, orientation)
    for k, h in enumerate(found):
        t = k / max(len(found) - 1, 1)
        x, y = centre(h, orientation)
        assert math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) < 1 / math.sqrt(3) + 1e-9


@given(hexes, hexes, st.integers(-9, 9), directions)
def test_turns_and_mirrors_keep_distances_and_move_directions(h: Hex, about: Hex, steps: int, d: int) -> None:
    assert distance(rotate(h, steps, about), about) == distance(h, about)
    assert rotate(rotate(h, steps, about), -steps, about) == h
    assert rotate(neighbour(about, d), steps, about) == neighbour(about, d + steps)
    assert reflect(reflect(h, steps, about), steps, about) == h
    assert reflect(neighbour(about, d), steps, about) == neighbour(about, 2 * steps - d)


@given(hexes, directions)
def test_a_hexside_is_the_same_from_both_hexes(h: Hex, d: int) -> None:
    other = neighbour(h, d)
    side = Hexside.of(h, d)
    assert side == Hexside.of(other, d + 3) == Hexside.between(h, other) == Hexside.between(other, h)
    assert set(side.hexes) == {h, other}


@given(hexes, directions)
def test_a_vertex_is_the_same_from_all_three_hexes(h: Hex, k: int) -> None:
    vertex = Vertex.of(h, k)
    assert set(vertex.hexes) == {h, neighbour(h, k), neighbour(h, k + 1)}
    for other in vertex.hexes:
        assert sum(Vertex.of(other, corner) == vertex for corner in range(6)) == 1


@given(hexes, directions)
def test_sides_end_in_vertices_and_vertices_join_sides(h: Hex, d: int) -> None:
    side = Hexside.of(h, d)
    assert set(side.vertices) == {Vertex.of(h, d - 1), Vertex.of(h, d)}
    assert all(side in vertex.hexsides for vertex in side.vertices)
    vertex = Vertex.of(h, d)
    assert len(set(vertex.hexsides)) == len(set(vertex.neighbours)) == 3
    for joined, far in zip(vertex.hexsides, vertex.neighbours, strict=True):
        assert set(joined.vertices) == {vertex, far}


def test_names_that_are_not_canonical_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Hexside\.of"):
        Hexside(Hex(0, 0), 3)
    with pytest.raises(ValueError, match=r"Vertex\.of"):
        Vertex(Hex(0, 0), 2)


@given(hexes, orientations)
def test_shared_corners_are_the_same_float(h: Hex, orientation: Orientation) -> None:
    for k, point in enumerate(corners(h, orientation)):
        assert vertex_point(Vertex.of(h, k), orientation) == point
        for other in Vertex.of(h, k).hexes:
            assert point in corners(other, orientation)


@given(hexes, orientations)
def test_corners_lie_around_the_centre_clockwise_between_the_sides(h: Hex, orientation: Orientation) -> None:
    x, y = centre(h, orientation)
    for k, (cx, cy) in enumerate(corners(h, orientation)):
        assert math.isclose(math.hypot(cx - x, cy - y), 1 / math.sqrt(3), abs_tol=1e-9)
        for d in (k, k + 1):
            nx, ny = centre(neighbour(h, d), orientation)
            assert math.isclose(math.hypot(cx - nx, cy - ny), 1 / math.sqrt(3), abs_tol=1e-9)


@given(hexes, orientations, st.floats(0, 2 * math.pi), st.floats(0, 0.499))
def test_a_point_inside_a_hex_finds_it(h: Hex, orientation: Orientation, angle: float, radius: float) -> None:
    x, y = centre(h, orientation)
    assert hex_at(x + radius * math.cos(angle), y + radius * math.sin(angle), orientation) == h


@given(hexes, orientations, directions, st.floats(0, 0.999), st.floats(0, 1))
def test_a_point_just_inside_a_side_finds_its_hex(h: Hex, orientation: Orientation, k: int, out: float, along: float) -> None:
    x, y = centre(h, orientation)
    (ax, ay), (bx, by) = corners(h, orientation)[k - 1], corners(h, orientation)[k]
    edge_x, edge_y = ax + along * (bx - ax), ay + along * (by - ay)
    assert hex_at(x + out * (edge_x - x), y + out * (edge_y - y), orientation) == h


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("along", [0.02, 0.2, 0.8, 0.98])
def test_a_point_near_any_corner_finds_its_hex(orientation: Orientation, along: float) -> None:
    for k, (bx, by) in enumerate(points := corners(Hex(0, 0), orientation)):
        ax, ay = points[k - 1]
        assert hex_at(0.99 * (ax + along * (bx - ax)), 0.99 * (ay + along * (by - ay)), orientation) == Hex(0, 0)
