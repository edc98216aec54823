"""Ways over a table: where a unit may go, and why not.

A way is the path of the centre of a base, in straight legs. Turning is free, and the base turns at the end: on its way it looks
where it looked before. Obstacles are judged by the path of the centre, enemies by all the ground that the base passes over.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

from hexwar.plane import _exact
from hexwar.plane._base import CM, Placed, Ring, Spot, along, length
from hexwar.plane._terrain import Line, Terrain

LEGS: Final = 8
"""A way has no more legs."""

Crossing: TypeAlias = Literal["touched", "none", "any"]
"""Which lines a unit may cross of those that it can: those that it touches at the start, none, or any."""
Why: TypeAlias = tuple[str, str]
"""Why a way cannot be gone: a topic, and a sentence."""


class Class(NamedTuple):
    """What a class of units can cross.

    Args:
        shut: kinds of areas that it cannot enter.
        crossed: kinds of lines that it crosses only if it touched them when it began.
        barred: kinds of lines that it never crosses.
        opened: kinds of lines, such as bridges and roads, on which it may go through areas that are shut to it otherwise.
    """

    shut: frozenset[str] = frozenset()
    crossed: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()


class Ways:
    """Ways over a ground.

    Args:
        terrain: the ground.
        classes: class of units -> what it can cross.
    """

    def __init__(self, terrain: Terrain, classes: Mapping[str, Class]) -> None:
        self.terrain, self.classes = terrain, classes
        self._shut = {name: self._rings(name, kind) for name, kind in classes.items()}
        self._open = {
            name: [(strip, _exact.box_of(strip)) for line in terrain.lines if line.kind in kind.opened for strip in strips(line)]
            for name, kind in classes.items()
        }
        self._lines = {
            name: [
                (number, line, line.kind in kind.barred, _exact.box_of(line.points), line.legs)
                for number, line in enumerate(terrain.lines)
                if line.kind in kind.crossed or line.kind in kind.barred
            ]
            for name, kind in classes.items()
        }

    def _rings(self, name: str, kind: Class) -> list[tuple[Ring, _exact.Box, str, str]]:
        found = [
            (area.ring, _exact.box_of(area.ring), area.title, area.kind) for area in self.terrain.areas if area.kind in kind.shut
        ]
        return found + [
            (ring, _exact.box_of(ring), "a gap that is too narrow", "gap") for ring in self.terrain.closed.get(name, ())
        ]

    def is_shut(self, mover: str, spot: Spot) -> str:
        """What keeps units of a class from standing with their centre at a point; "" if nothing does."""
        for ring, (ax, ay, bx, by), title, _ in self._shut[mover]:
            is_in = ax < spot[0] < bx and ay < spot[1] < by and _inside(ring, spot)
            if is_in and not any(_exact.contains(strip, spot) for strip, _ in self._open[mover]):
                return title
        return ""

    def why_not(
        self,
        unit: Placed,
        path: Sequence[Spot],
        allowance: int,
        mover: str,
        enemies: Iterable[Placed] = (),
        *,
        crossing: Crossing = "touched",
    ) -> Why | None:
        """Why a unit cannot go a way; None if it can.

        The topics are "path", "table", "length", "shut", "barred", "line", "again" and "enemy"; "shut", "barred" and "line" with
        the kind of what is in the way behind a dot ("shut.wood"), or "shut.gap".

        Args:
            unit: where it stands.
            path: the points after that, the last of which is its end.
            allowance: how far it goes at most.
            mover: its class.
            enemies: the units that it may not pass through.
            crossing: which lines it may cross of those that it can: those that it touches, none, or any.
        """
        return self.of(unit, allowance, mover, enemies, crossing=crossing).why_not(path)

    def of(
        self, unit: Placed, allowance: int, mover: str, enemies: Iterable[Placed] = (), *, crossing: Crossing = "touched"
    ) -> UnitWays:
        """The ways of one unit, for callers that ask about many of them: see `why_not`."""
        return UnitWays(self, unit, allowance, mover, enemies, crossing)

    def _is_opened(self, a: Spot, b: Spot, ring: Ring, mover: str) -> bool:
        """Whether all of a leg that lies in shut ground lies on a bridge or a road."""
        (ax, ay), (bx, by) = a, b
        box = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
        open_strips = [strip for strip, around in self._open[mover] if _is_near(around, *box)]
        if not open_strips:
            return False
        for hair in (0, 1):
            free = [part for strip in open_strips for part in _exact.pieces(a, b, strip, hair)]
            if all(_exact.covers(free, *part) for part in _exact.pieces(a, b, ring, hair)):
                return True
        return False

    def _crosses(self, a: Spot, b: Spot, leg: tuple[Spot, Spot], name: str) -> bool:
        """Whether a leg crosses a line where it has not been breached."""
        breaches = [breach for breach in self.terrain.breaches if breach.line == name]
        if not breaches:
            return True
        (px, py), (qx, qy) = leg
        dx, dy, wx, wy = b[0] - a[0], b[1] - a[1], qx - px, qy - py
        den = dx * wy - dy * wx
        if den == 0:
            return True
        num = (px - a[0]) * wy - (py - a[1]) * wx
        return not any(
            4 * (((a[0] - at[0]) * den + dx * num) ** 2 + ((a[1] - at[1]) * den + dy * num) ** 2) <= (width * den) ** 2
            for _, at, width in breaches
        )

    def trim(
        self,
        unit: Placed,
        path: Sequence[Spot],
        allowance: int,
        mover: str,
        enemies: Iterable[Placed] = (),
        *,
        crossing: Crossing = "touched",
    ) -> tuple[Spot, ...]:
        """The longest beginning of a way that can be gone, to one unit; empty if none can.

        A drag that goes too far ends there, and so does a plan into whose way something came.
        """
        return self.of(unit, allowance, mover, enemies, crossing=crossing).trim(path)


class UnitWays:
    """The ways of one unit. What is near enough to be in its way is found once.

    Args:
        ways: the ways over the ground.
        unit: where it stands.
        allowance: how far it goes at most.
        mover: its class.
        enemies: the units that it may not pass through.
        crossing: which lines it may cross of those that it can.
    """

    def __init__(
        self, ways: Ways, unit: Placed, allowance: int, mover: str, enemies: Iterable[Placed], crossing: Crossing
    ) -> None:
        self._ways, self._unit, self._allowance, self._mover, self._crossing = ways, unit, allowance, mover, crossing
        box = unit.x - allowance, unit.y - allowance, unit.x + allowance, unit.y + allowance
        self._shut = [shut for shut in ways._shut[mover] if _is_near(shut[1], *box)]
        self._lines = [line for line in ways._lines[mover] if _is_near(line[3], *box)]
        room = sum(unit.base)
        foes = [(enemy, room + sum(enemy.base)) for enemy in enemies]
        self._enemies = [(foe, far) for foe, far in foes if abs(foe.x - unit.x) <= allowance + far >= abs(foe.y - unit.y)]

    @cached_property
    def _touched(self) -> Collection[int]:
        return self._ways.terrain.touched(self._unit)

    def why_not(self, path: Sequence[Spot]) -> Why | None:
        """Why it cannot go a way; None if it can: see `Ways.why_not`."""
        if not path or len(path) > LEGS:
            return "path", f"a way has 1 to {LEGS} legs, not {len(path)}"
        terrain, unit = self._ways.terrain, self._unit
        for spot in path:
            if spot not in terrain:
                return "table", "leads off the table"
        whole = (unit.centre, *path)
        far = length(whole)
        if far > self._allowance << 20:
            return "length", f"{_cm(-(-far >> 20))} is further than {_cm(self._allowance)}"
        return self._on_ground(whole) or self._by_enemies(whole)

    def _on_ground(self, path: Sequence[Spot]) -> Why | None:
        shut, lines = self._shut, self._lines
        for a, b in itertools.pairwise(path) if shut or lines else ():
            if a == b:
                continue
            least_x, most_x = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
            least_y, most_y = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
            for ring, box, title, kind in shut:
                if (
                    _is_near(box, least_x, least_y, most_x, most_y)
                    and _exact.shadow(a, b, ring, _exact.ANY) == 3
                    and not self._ways._is_opened(a, b, ring, self._mover)
                ):
                    return f"shut.{kind}", f"leads into {title}, which is shut to it"
            for number, line, is_barred, box, legs in lines:
                if not _is_near(box, least_x, least_y, most_x, most_y):
                    continue
                if not any(_exact.meets(a, b, *leg) and self._ways._crosses(a, b, leg, line.name) for leg in legs):
                    continue
                if is_barred:
                    return f"barred.{line.kind}", f"crosses {line.title}, which it cannot"
                if self._crossing == "any":
                    continue
                if number not in self._touched:
                    return f"line.{line.kind}", f"crosses {line.title}, which it did not touch at the start"
                if self._crossing == "none":
                    return "again", f"crosses {line.title}, for which it needs a new order"
        return None

    def _by_enemies(self, path: Sequence[Spot]) -> Why | None:
        for a, b in itertools.pairwise(path) if self._enemies else ():
            if a == b:
                continue
            (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
            square = dx * dx + dy * dy
            for enemy, far in self._enemies:
                # Half of `far` is more than both bases measure from their centres together.
                x, y = enemy.x - ax, enemy.y - ay
                ahead, most = dx * x + dy * y, square * far * far
                if (dx * y - dy * x) ** 2 > most or (ahead < 0 and ahead * ahead > most):
                    continue
                if ahead > square and (ahead - square) ** 2 > most:
                    continue
                if _exact.sweeps(self._unit.moved(a).corners, (dx, dy), enemy.corners):
                    return "enemy", "leads through an enemy"
        return None

    def trim(self, path: Sequence[Spot]) -> tuple[Spot, ...]:
        """The longest beginning of a way that it can go: see `Ways.trim`."""
        path = tuple(path[:LEGS])
        why = self.why_not(path)
        if why is None:
            return path
        start = self._unit.centre
        least, most = 0, min(length((start, *path)) >> 20, self._allowance)
        if why[0] == "length" and most and self.why_not(cut := beginning(start, path, most)) is None:
            return cut
        while least < most:
            middle = (least + most + 1) // 2
            if self.why_not(beginning(start, path, middle)) is None:
                least = middle
            else:
                most = middle - 1
        return beginning(start, path, least) if least else ()


def beginning(start: Spot, path: Sequence[Spot], distance: int) -> tuple[Spot, ...]:
    """The first part of a way, as long as a distance."""
    found: list[Spot] = []
    here, left = start, distance << 20
    for spot in path:
        leg = length((here, spot))
        if leg >= left:
            return (*found, along(here, spot, left >> 20))
        found.append(spot)
        here, left = spot, left - leg
    return tuple(found)


def strips(line: Line) -> list[Ring]:
    """The ground that a line covers: for each leg a strip of its width, a little longer at both ends lest bends have gaps."""
    found = []
    half = max(line.width // 2, 1)
    for (ax, ay), (bx, by) in line.legs:
        ux, uy = along((0, 0), (bx - ax, by - ay), half)
        ring = (
            (ax - ux + uy, ay - uy - ux),
            (bx + ux + uy, by + uy - ux),
            (bx + ux - uy, by + uy + ux),
            (ax - ux - uy, ay - uy + ux),
        )
        found.append(_exact.clockwise(ring))
    return found


def _inside(ring: Ring, spot: Spot) -> bool:
    """Whether a point lies in an outline and not on its edge."""
    return _exact.contains(ring, spot) and not any(
        _exact.meets(spot, spot, ring[number - 1], ring[number]) for number in range(len(ring))
    )


def _is_near(box: _exact.Box, least_x: int, least_y: int, most_x: int, most_y: int) -> bool:
    """Whether two upright rectangles have a point in common."""
    return box[0] <= most_x and box[2] >= least_x and box[1] <= most_y and box[3] >= least_y


def _cm(units: int) -> str:
    """A length in centimetres."""
    return f"{units / CM:g} cm"
