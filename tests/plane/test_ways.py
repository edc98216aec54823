"""Ways over a plane: against a judge that works otherwise, at the limit to one unit, and small tables for each rule."""

from __future__ import annotations

import os
import random

import pytest

from hexwar.plane import Area, Base, Breach, Class, Line, Placed, Terrain, Ways, beginning
from tests.plane import judge

ROUNDS = int(os.environ.get("HEXWAR_PLANE_MOVES", "1000"))
BASE = Base(300, 300)
START = Placed(1000, 3000, 0, BASE)


def test_a_judge_that_works_otherwise_says_the_same_of_ways_near_the_limit() -> None:
    chance, told, legal = random.Random(23), 0, 0
    while told < ROUNDS:
        terrain = judge.table(chance)
        ways = Ways(terrain, judge.CLASSES)
        enemies = [judge.unit(chance) for _ in range(8)]
        for _ in range(min(40, ROUNDS)):
            mover, unit = chance.choice(sorted(judge.CLASSES)), judge.unit(chance)
            allowance = chance.choice((500, 1000, 2000))
            path = [
                (unit.x + chance.randrange(-1500, 1501), unit.y + chance.randrange(-1500, 1501))
                for _ in range(chance.choice((1, 1, 2)))
            ]
            for way in near_legal(ways, unit, path, allowance, mover, enemies):
                expected = judge.why_not(terrain, judge.CLASSES[mover], unit, way, allowance, enemies)
                if expected is not None:
                    why = ways.why_not(unit, way, allowance, mover, enemies)
                    told, legal = told + 1, legal + (why is None)
                    said = "" if why is None else why[0].partition(".")[0]
                    assert (said == "") == (expected == ""), (terrain.areas, terrain.lines, unit, way, mover, why, expected)
                    assert said == expected or {said, expected} <= {"shut", "barred", "line"}, (unit, way, why, expected)
    assert told // 5 < legal < told, "the ways are of one sort only"


def test_a_way_along_the_edge_of_shut_ground_does_not_enter_for_the_judge_either() -> None:
    farm = Area("built-up", "Farm", ((4200, 1600), (5000, 1600), (5000, 2300), (4200, 2300)))
    track = Line("road", "Track", ((0, 3700), (6000, 4400)), 200)
    terrain, tank = Terrain(6000, 6000, [farm], [track]), Class(shut=frozenset({"built-up"}), opened=frozenset({"road"}))
    unit, ways = Placed(4280, 1600, 108, BASE), Ways(terrain, {"tank": tank})
    for end, expected in (((4107, 1600), ""), ((4900, 1600), ""), ((4107, 1599), ""), ((4400, 1601), "shut")):
        why = ways.why_not(unit, (end,), 2500, "tank")
        assert ("" if why is None else why[0].partition(".")[0]) == expected
        assert judge.why_not(terrain, tank, unit, (end,), 2500, ()) == expected


def near_legal(
    ways: Ways, unit: Placed, path: list[judge.Spot], allowance: int, mover: str, enemies: list[Placed]
) -> list[tuple[judge.Spot, ...]]:
    """A way, and if it cannot be gone its longest beginning and the one that is a unit longer."""
    if ways.why_not(unit, path, allowance, mover, enemies) is None or (unit.x, unit.y) in path:
        return [tuple(path)]
    trimmed = ways.trim(unit, path, allowance, mover, enemies)
    if not trimmed:
        return [tuple(path)]
    goal = path[len(trimmed) - 1]
    x, y = trimmed[-1]
    step = (x + (goal[0] > x) - (goal[0] < x), y + (goal[1] > y) - (goal[1] < y))
    return [tuple(path), trimmed, (*trimmed[:-1], step)]


def test_what_is_trimmed_is_legal_and_nothing_longer_is() -> None:
    chance, trimmed = random.Random(3), 0
    for _ in range(6):
        terrain = judge.table(chance)
        ways, enemies = Ways(terrain, judge.CLASSES), [judge.unit(chance) for _ in range(8)]
        for _ in range(20):
            unit, mover = judge.unit(chance), chance.choice(sorted(judge.CLASSES))
            path = [(unit.x + chance.randrange(-3000, 3001), unit.y + chance.randrange(-3000, 3001))]
            found = ways.trim(unit, path, 1500, mover, enemies)
            if found and found != tuple(path):
                trimmed += 1
                assert ways.why_not(unit, found, 1500, mover, enemies) is None
                far = round(((found[0][0] - unit.x) ** 2 + (found[0][1] - unit.y) ** 2) ** 0.5)
                for more in (far + 3, far + 30, far + 300):  # rounding to whole units shifts a way by less than three
                    longer = beginning(unit.centre, path, more)
                    if longer != tuple(path):
                        assert ways.why_not(unit, longer, 1500, mover, enemies) is not None
    assert trimmed > 20


def why(
    terrain: Terrain, *path: judge.Spot, allowance: int = 2000, mover: str = "foot", unit: Placed = START, **more: object
) -> str:
    found = Ways(terrain, judge.CLASSES).why_not(unit, path, allowance, mover, **more)  # type: ignore[arg-type]
    return "" if found is None else " | ".join(found)


OPEN = Terrain(6000, 6000)


def test_move_3_the_path_of_the_centre_is_measured_and_turning_is_free() -> None:
    assert why(OPEN, (1000, 2000), allowance=1000) == ""
    assert why(OPEN, (1000, 1999), allowance=1000) == "length | 10.01 cm is further than 10 cm"
    assert why(OPEN, (1300, 2600), (1000, 2600), allowance=800) == ""
    assert why(OPEN, (1300, 2599), (1000, 2600), allowance=800).startswith("length")
    assert why(OPEN, (1000, -1)) == "table | leads off the table"
    assert why(OPEN).startswith("path")


WALL = Line("wall", "Churchyard wall", ((0, 2500), (4000, 2500)))


def test_move_4_a_wall_is_crossed_only_from_contact() -> None:
    terrain = Terrain(6000, 6000, lines=[WALL])
    assert why(terrain, (1000, 2000)) == "line.wall | crosses Churchyard wall, which it did not touch at the start"
    assert why(terrain, (1000, 2660)) == "", "it ends before the wall, and its base touches it"
    near = START.moved((1000, 2660))
    assert why(terrain, (1000, 1800), unit=near) == ""
    assert why(terrain, (1000, 1800), unit=near, crossing="none").startswith("again")
    assert why(terrain, (1000, 1800), unit=START.moved((1000, 2661))).startswith("line")
    assert why(terrain, (1000, 2000), crossing="any") == ""
    assert why(terrain, (1000, 2000), mover="truck") == "barred.wall | crosses Churchyard wall, which it cannot"


@pytest.mark.parametrize(("x", "is_free"), [(1000, True), (1200, True), (1201, False)])
def test_terrain_4_a_breach_is_as_wide_as_the_base_that_made_it(x: int, is_free: bool) -> None:
    breached = Terrain(6000, 6000, lines=[WALL]).changed(breaches=[Breach("Churchyard wall", (1000, 2500), 400)])
    assert (why(breached, (x, 2000), mover="truck", unit=START.moved((x, 3000))) == "") == is_free


def test_terrain_5_shut_ground_and_the_road_through_it() -> None:
    wood = Area("wood", "Copse", ((0, 1500), (3000, 1500), (3000, 2500), (0, 2500)))
    assert why(Terrain(6000, 6000, [wood]), (1000, 2000), mover="truck") == "shut.wood | leads into Copse, which is shut to it"
    assert why(Terrain(6000, 6000, [wood]), (1000, 2500), mover="truck") == ""
    road = Line("road", "", ((1000, 4000), (1000, 1000)), 300)
    through = Terrain(6000, 6000, [wood], [road])
    assert why(through, (1000, 1200), mover="truck") == ""
    assert why(through, (1400, 1200), mover="truck").startswith("shut")
    ways = Ways(through, judge.CLASSES)
    assert (ways.is_shut("truck", (1000, 2000)), ways.is_shut("truck", (2000, 2000))) == ("", "Copse")
    assert ways.is_shut("foot", (2000, 2000)) == ways.is_shut("truck", (2000, 2500)) == ""


def test_move_5_gaps_that_the_table_file_closes() -> None:
    shut = Terrain(6000, 6000, closed={"truck": [((900, 2000), (1100, 2000), (1100, 2500), (900, 2500))]})
    assert why(shut, (1000, 1800), mover="truck").startswith("shut.gap")
    assert why(shut, (1000, 1800), mover="foot") == ""


@pytest.mark.parametrize(("x", "is_free"), [(1300, True), (1299, False)])
def test_move_8_all_that_the_base_passes_over_counts_for_enemies(x: int, is_free: bool) -> None:
    enemy = Placed(x, 2000, 0, BASE)
    assert (why(OPEN, (1000, 1400), enemies=[enemy]) == "") == is_free


def test_a_way_with_more_allowance_stays_legal() -> None:
    chance = random.Random(9)
    terrain = judge.table(chance)
    ways = Ways(terrain, {"foot": Class(shut=frozenset({"water"}))})
    for _ in range(200):
        unit = judge.unit(chance)
        path = [(unit.x + chance.randrange(-900, 901), unit.y + chance.randrange(-900, 901))]
        if ways.why_not(unit, path, 1000, "foot") is None:
            assert ways.why_not(unit, path, 1700, "foot") is None
