"""What a plane says of many positions at a limit, as digests that every machine must find: `python -m tests.plane.verdicts` makes
the file anew.

The positions are made from whole numbers alone, so that neither shapely nor the math library of a machine has a part in them.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexwar.plane import (
    EDGES,
    Area,
    Base,
    Breach,
    Class,
    Line,
    Placed,
    Ring,
    Sight,
    Spot,
    Terrain,
    Ways,
    _compiled,
    away,
    contact,
    first_touch,
    gap2,
    half_inside,
    shifted,
    towards,
)

FILE = Path(__file__).with_name("verdicts.json")
SIDE = 6000
CLASSES = {
    "foot": Class(shut=frozenset({"water"}), crossed=frozenset({"wall"}), opened=frozenset({"road"})),
    "truck": Class(shut=frozenset({"water", "wood"}), barred=frozenset({"wall"}), opened=frozenset({"road"})),
}


def spot(chance: random.Random, grid: int) -> Spot:
    """A point on a grid, so that lines often run along edges and through corners."""
    return grid * chance.randrange(SIDE // grid + 1), grid * chance.randrange(SIDE // grid + 1)


def outline(chance: random.Random, grid: int) -> Ring:
    """An outline around a middle, often concave."""
    middle = 100 * chance.randrange(12, 49), 100 * chance.randrange(12, 49)
    corners = [shifted(middle, 60 * number + chance.randrange(40), 100 * chance.randrange(4, 12)) for number in range(6)]
    return tuple((grid * (x // grid), grid * (y // grid)) for x, y in corners)


def terrain(chance: random.Random) -> Terrain:
    """A table with two woods, two hills, water, two walls of which one has a gap, and a road."""
    grid = chance.choice((1, 50, 100))
    areas = [Area(kind, kind, outline(chance, grid)) for kind in ("wood", "wood", "water", "hill")]
    ring = outline(chance, grid)
    areas.append(Area("hill", "ridge", ring, ((-500, ring[0][1]), (SIDE + 500, ring[3][1]))))
    lines = [
        Line(kind, f"{kind} {n}", (spot(chance, grid), spot(chance, grid)), 300)
        for n, kind in enumerate(("wall", "wall", "road"))
    ]
    return Terrain(SIDE, SIDE, areas, lines, breaches=[Breach("wall 0", lines[0].points[0], 900)])


def unit(chance: random.Random) -> Placed:
    """A base somewhere; half of them upright or diagonal, on a grid."""
    grid, turn = chance.choice(((1, 1), (50, 45), (50, 90), (10, 1)))
    return Placed(
        *spot(chance, grid), turn * chance.randrange(360 // turn), Base(chance.choice((200, 300)), chance.choice((300, 401)))
    )


def bases(chance: random.Random) -> Iterator[Any]:
    """Where corners lie, and which heading leads from one point to another."""
    for _ in range(4000):
        one, other = unit(chance), unit(chance)
        yield one.points, one.eye, towards(one.centre, other.centre)


def gaps(chance: random.Random) -> Iterator[Any]:
    """Gaps, half bases, first touches, contact and ways straight back."""
    ways = Ways(terrain(chance), CLASSES)
    for _ in range(1500):
        one, other, ring = unit(chance), unit(chance), outline(chance, 50)
        way = other.x - one.x + chance.randrange(-200, 201), other.y - one.y + chance.randrange(-200, 201)
        num, den = gap2(one.corners, other.corners)
        pushed = away(one, other.centre, 1500, ways, "foot", {"friend": unit(chance)}, [unit(chance)])
        touch = first_touch(one.corners, way, other.corners)
        yield num, den, half_inside(one, ring), str(touch), contact(one, other, chance.choice(EDGES)), pushed


def sights(chance: random.Random) -> Iterator[Any]:
    """At which point each unit of a position sees each other, and what is in the way of those that it does not see."""
    for _ in range(12):
        ground = terrain(chance)
        sight = Sight(ground, {"wood": 500, "hill": 500, "smoke": 0}, {"wall"}, {"hill"})
        placed = {str(number): unit(chance) for number in range(12)}
        arcs = {name: chance.choice((90, 180, 180, 360)) for name in placed}
        field = sight.field(placed, arcs, {"0", "1", "2"})
        yield from (field.look(one, other) for one in placed for other in placed if one != other)


def ways(chance: random.Random) -> Iterator[Any]:
    """Why ways cannot be gone, and how much of them can."""
    for _ in range(25):
        found, foes = Ways(terrain(chance), CLASSES), [unit(chance) for _ in range(5)]
        for _ in range(20):
            one, mover = unit(chance), chance.choice(("foot", "truck"))
            path = [(one.x + chance.randrange(-1500, 1501), one.y + chance.randrange(-1500, 1501)) for _ in range(2)]
            yield found.why_not(one, path, 2000, mover, foes), found.trim(one, path, 2000, mover, foes)


PARTS: dict[str, Callable[[random.Random], Iterator[Any]]] = {"bases": bases, "gaps": gaps, "sights": sights, "ways": ways}


def digest(part: str, compiled: bool) -> str:
    """The digest of what is said of one part."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_compiled, "COMPILED", compiled)
        told = hashlib.sha256()
        for answer in PARTS[part](random.Random(part)):
            told.update(repr(answer).encode())
        return told.hexdigest()


def known() -> dict[str, str]:
    """What the file says."""
    found: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    made = {part: digest(part, compiled=False) for part in PARTS}
    FILE.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
