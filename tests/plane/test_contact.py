"""Bases, gaps, contact, ways straight back and zones: against shapely with a margin and by hand."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest
from shapely import LineString, Polygon
from shapely.affinity import translate

from hexwar.plane import (
    EDGES,
    TOUCH,
    Area,
    Base,
    Class,
    Line,
    Placed,
    Terrain,
    Ways,
    along,
    away,
    contact,
    direction,
    edges_towards,
    facing,
    first_touch,
    flank,
    gap2,
    half_inside,
    in_arc,
    is_edge_free,
    length,
    overlap,
    rectangle,
    shifted,
    square,
    towards,
    turned,
    within,
)
from tests.plane import judge

BASE = Base(300, 200)
OPEN = Ways(Terrain(6000, 6000), {"foot": Class()})


def test_no_direction_is_near_a_half_so_that_every_machine_has_the_same_table() -> None:
    near = [abs(math.cos(math.radians(h)) * 2**14 % 1 - 0.5) for h in range(360)]
    near += [abs(math.sin(math.radians(h + 0.5)) * 2**20 % 1 - 0.5) for h in range(360)]
    assert min(near) > 1e-4
    assert (direction(0), direction(90), direction(180)) == ((0, -16384), (16384, 0), (0, 16384))


def test_corners_are_those_of_a_turned_rectangle() -> None:
    for heading in range(360):
        placed = Placed(1000, 2000, heading, BASE)
        radians = math.radians(heading)
        for (x, y), (side, ahead) in zip(placed.corners, ((-150, 100), (150, 100), (150, -100), (-150, -100)), strict=True):
            assert abs(x - 1000 - side * math.cos(radians) - ahead * math.sin(radians)) < 0.52
            assert abs(y - 2000 - side * math.sin(radians) + ahead * math.cos(radians)) < 0.52
    assert Placed(10, 20, 0, Base(3, 5)).corners == ((8, 17), (12, 17), (12, 23), (8, 23)), "halves go outwards"
    assert Placed(10, 20, 90, BASE).eye == (110, 20)
    with pytest.raises(ValueError, match="a base is at most"):
        _ = Placed(0, 0, 0, Base(0, 300)).corners


def test_towards_is_the_nearest_degree() -> None:
    chance = random.Random(4)
    for _ in range(500):
        here, there = judge.spot(chance, 1), judge.spot(chance, 1)
        exact = math.degrees(math.atan2(there[0] - here[0], here[1] - there[1]))
        if here != there and abs(exact % 1 - 0.5) > 1e-6:
            assert towards(here, there) == round(exact) % 360
            assert (towards(there, here) - towards(here, there)) % 360 == 180
    assert towards((5, 5), (5, 5)) == 0
    assert (turned(350, 20), turned(90, 270)) == (30, 180)


def test_gaps_are_those_of_shapely() -> None:
    chance, touching = random.Random(8), 0
    for _ in range(600):
        one = judge.unit(chance)
        other = judge.unit(chance).moved((one.x + chance.randrange(-600, 601), one.y + chance.randrange(-600, 601)))
        a, b = Polygon(one.corners), Polygon(other.corners)
        num, den = gap2(one.corners, other.corners)
        assert math.sqrt(num / den) == pytest.approx(a.distance(b), abs=1e-6)
        assert (num == 0) == a.intersects(b)
        assert overlap(one.corners, other.corners) == (a.intersection(b).area > 1e-3)
        touching += num == 0
        for limit in (math.isqrt(num // den), math.isqrt(num // den) + 1, 50):
            assert within(one.corners, other.corners, limit) == (Fraction(num, den) <= limit**2)
    assert touching > 50


@pytest.mark.parametrize(("distance", "expected"), [(500, True), (501, False)])
def test_react_1_a_limit_belongs_to_what_is_within(distance: int, expected: bool) -> None:
    one = Placed(1000, 1000, 0, BASE)
    assert within(one.corners, Placed(1000, 1200 + distance, 0, BASE).corners, 500) == expected


def test_half_of_a_base_is_half_also_to_the_last_unit() -> None:
    chance, inside = random.Random(2), 0
    for _ in range(400):
        placed, ring = judge.unit(chance), judge.outline(chance, chance.choice((1, 50)))
        (ax, ay), (bx, by) = ring[:2]
        placed = placed.moved(((ax + bx) // 2, (ay + by) // 2)) if chance.randrange(4) else placed
        shape = Polygon(placed.corners)
        share = shape.intersection(Polygon(ring)).area / shape.area
        if abs(share - 0.5) > 1e-6:
            assert half_inside(placed, ring) == (share > 0.5)
            inside += share > 0.5
    assert 20 < inside < 380
    zone = square((1000, 1000), 2000)
    assert zone == ((0, 0), (2000, 0), (2000, 2000), (0, 2000))
    assert half_inside(Placed(2000, 1000, 0, Base(300, 300)), zone), "artillery.24: its middle is on the border"
    assert not half_inside(Placed(2001, 1000, 0, Base(300, 300)), zone)
    assert rectangle((3000, 1000), 6000, 2000) == ((0, 0), (6000, 0), (6000, 2000), (0, 2000))


def test_the_first_touch_is_that_of_shapely() -> None:
    chance, met = random.Random(6), 0
    for _ in range(300):
        one, other = judge.unit(chance), judge.unit(chance)
        other = other.moved((one.x + chance.randrange(-900, 901), one.y + chance.randrange(-900, 901)))
        way = chance.randrange(-1500, 1501), chance.randrange(-1500, 1501)
        if overlap(one.corners, other.corners) or way == (0, 0):
            continue
        share = first_touch(one.corners, way, other.corners)
        a, b = Polygon(one.corners), Polygon(other.corners)
        swept = a.union(translate(a, *way)).convex_hull.intersection(b).area
        if share is None:
            assert swept < 1
        elif swept > 1:
            met += 1
            at = float(share)
            assert translate(a, way[0] * at, way[1] * at).distance(b) < 1e-6
            assert translate(a, way[0] * (at - 1e-4), way[1] * (at - 1e-4)).intersection(b).area < 1
    assert met > 30


def test_react_14_contact_is_middle_to_middle_and_nothing_overlaps() -> None:
    for heading in range(0, 360, 7):
        for base in (BASE, Base(251, 399)):
            target, mover = Placed(3000, 3000, heading, base), Placed(0, 0, 0, Base(300, 201))
            for edge in EDGES:
                placed = contact(mover, target, edge)
                assert not overlap(placed.corners, target.corners)
                assert within(placed.corners, target.corners, TOUCH)
                assert math.dist(placed.eye, target.points[5 + EDGES.index(edge)]) < 8
                assert (placed.heading - target.heading - 90 * EDGES.index(edge)) % 360 == 180


def test_react_15_the_edges_that_look_at_a_charger() -> None:
    target = Placed(3000, 3000, 0, BASE)
    assert edges_towards(target, (3000, 1000)) == ("front",)
    assert edges_towards(target, (3500, 1000)) == ("front", "right")
    assert edges_towards(target, (1000, 3400)) == ("left", "rear")
    assert edges_towards(target, (3000, 3000)) == ()


def test_fire_14_flank_and_rear_and_a_corner_is_the_front() -> None:
    target = Placed(3000, 3000, 0, Base(300, 300))
    shots = {
        (3000, 0): "front",
        (6000, 3000): "right",
        (3000, 6000): "rear",
        (0, 3000): "left",
        (0, 0): "front",
        (6000, 6000): "rear",
    }
    assert {spot: flank(target, spot) for spot in shots} == shots
    assert flank(target, (3000, 2990)) == "front"


def test_react_17_an_edge_is_free_if_nothing_is_within_its_strip() -> None:
    target, friend = Placed(3000, 3000, 0, Base(300, 300)), Base(300, 300)
    assert is_edge_free(target, "front", 500, [Placed(3000, 2200, 0, friend)])
    assert not is_edge_free(target, "front", 500, [Placed(3000, 2201, 0, friend)])
    assert is_edge_free(target, "front", 500, [Placed(3300, 2600, 0, friend)]), "beside the strip"
    pond = ((2900, 2000), (3100, 2000), (3100, 2351), (2900, 2351))
    assert not is_edge_free(target, "front", 500, [], [pond])
    assert is_edge_free(target, "front", 500, [], [tuple((x, y - 1) for x, y in pond)])
    assert not is_edge_free(target, "front", 500, [], [((0, 0), (6000, 0), (6000, 6000), (0, 6000))]), "all around"


class TestAway:
    unit = Placed(3000, 3000, 0, Base(300, 300))

    def test_fall_2_straight_away_without_turning(self) -> None:
        found = away(self.unit, (3000, 1000), 700, OPEN, "foot", {}, [])
        assert (found.to.pose, found.stopped_by, found.out) == ((3000, 3700, 0), "", "")
        assert away(self.unit, self.unit.centre, 700, OPEN, "foot", {}, []).to.pose == (3000, 3700, 0), "to its rear"

    def test_fall_7_it_stops_at_a_friend(self) -> None:
        friends = {"near": Placed(3000, 4000, 0, Base(300, 300)), "far": Placed(3000, 4500, 0, Base(300, 300))}
        found = away(self.unit, (3000, 1000), 1500, OPEN, "foot", friends, [Placed(3000, 5000, 0, BASE)])
        assert (found.to.pose, found.stopped_by, found.out) == ((3000, 3700, 0), "near", "")
        assert away(self.unit, (3000, 1000), 699, OPEN, "foot", friends, []).stopped_by == ""

    def test_fall_4_what_puts_it_out(self) -> None:
        wall, pond = (
            Line("wall", "", ((0, 3500), (6000, 3500))),
            Area("water", "", ((0, 4000), (6000, 4000), (6000, 5000), (0, 5000))),
        )
        ways = Ways(
            Terrain(6000, 6000, [pond], [wall]),
            {"foot": Class(frozenset({"water"}), frozenset({"wall"})), "truck": Class(barred=frozenset({"wall"}))},
        )
        assert away(self.unit, (3000, 1000), 900, ways, "foot", {}, []).out == ""
        assert away(self.unit, (3000, 1000), 1100, ways, "foot", {}, []).out == "shut"
        assert away(self.unit, (3000, 1000), 900, ways, "truck", {}, []).out == "barred"
        assert away(self.unit, (3000, 1000), 5000, OPEN, "foot", {}, []).out == "table"
        assert away(self.unit, (3000, 1000), 900, OPEN, "foot", {}, [Placed(3000, 4000, 0, BASE)]).out == "enemy"


def test_lengths_and_points_along_a_line() -> None:
    assert length(((0, 0), (30, 40), (30, 40))) == 50 << 20
    assert along((0, 0), (300, 400), 250) == (150, 200)
    assert along((0, 0), (-1, -1), 100) == (-70, -70), "rounded towards the start"
    assert along((7, 7), (7, 7), 100) == (7, 7)
    assert shifted((100, 100), 270, 50) == (50, 100)
    assert facing(Placed(0, 0, 0, BASE), (100, 0)).heading == 90


def test_arcs_have_their_edges() -> None:
    viewer = Placed(1000, 1100, 0, BASE)  # its eye is at 1000, 1000
    assert in_arc(viewer, 180, (2000, 1000))
    assert not in_arc(viewer, 180, (2000, 1001))
    assert in_arc(viewer, 90, (1500, 500))
    assert not in_arc(viewer, 90, (1501, 500))
    assert in_arc(viewer, 360, (1000, 5000))
    with pytest.raises(ValueError, match="an arc of view"):
        in_arc(viewer, 270, (0, 0))


def test_lines_that_are_touched_and_areas_that_a_unit_is_in() -> None:
    lines = [Line("wall", "near", ((0, 2840), (4000, 2840))), Line("wall", "far", ((0, 2839), (4000, 2839)))]
    wood = Area("wood", "Copse", ((0, 3000), (6000, 3000), (6000, 6000), (0, 6000)))
    terrain, unit = Terrain(6000, 6000, [wood], lines), Placed(3000, 3000, 0, Base(300, 300))
    assert terrain.touched(unit) == (0,)
    assert terrain.areas_of(unit) == (wood,)
    assert terrain.areas_of(unit.moved((3000, 2999))) == ()
    assert terrain.named("copse") == wood
    assert terrain.named("nowhere") is None
    road = Terrain(6000, 6000, lines=[Line("road", "", ((0, 3000), (6000, 3000)), 300)])
    assert [road.on(unit.moved((3000, y)), ("road",)) for y in (3150, 3151)] == [True, False]
    assert all(LineString(leg).length for line in lines for leg in line.legs)
    assert [*pairwise(lines[0].points)] == [*lines[0].legs]
