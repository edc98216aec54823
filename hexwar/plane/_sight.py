"""Who sees whom on a table.

Sight goes from the eye of a unit, the middle of its front edge (its centre if it looks all round), to nine points of another:
its centre, its corners and the middles of its edges. It sees the other if one of these lies in its arc and nothing blocks the
line to it: an area into which one can look only so far, a line such as a wall unless one of the two touches it, or another
unit.

There are two ways to find it, with the same verdicts: in C, if that was compiled when hexwar was installed, and the one here.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from hexwar.plane import _compiled, _exact
from hexwar.plane._base import TOUCH, Placed, Spot, bounds
from hexwar.plane._terrain import Terrain, slope

if _compiled.BUILT:
    from hexwar.plane import _kernel


class Look(NamedTuple):
    """What one unit sees of another.

    Args:
        clear: whether it sees it.
        eye: from where it looks.
        to: the point at which it is seen; its centre if it is not.
        blocked_by: what is in the way of the line to the centre: the name of an area or a line, or a unit; "" if nothing is, or
            if it lies outside the arc.
        topic: "clear", or why it is not seen: "arc", "area", "line" or "unit".
    """

    clear: bool
    eye: Spot
    to: Spot
    blocked_by: str = ""
    topic: str = "clear"


class Sight:
    """Sight over a ground.

    Args:
        terrain: the ground.
        reach: kind of area -> how far one can look into it or out of it; 0 if not at all. One cannot look through.
        screens: kinds of lines that block, unless viewer or target touches them.
        hills: kinds of areas that do not come between two units whose centres are on the same slope.
    """

    def __init__(
        self, terrain: Terrain, reach: Mapping[str, int], screens: Collection[str] = (), hills: Collection[str] = ()
    ) -> None:
        self.terrain = terrain
        self._areas = [
            (area, reach[area.kind] or _exact.ANY, _exact.box_of(area.ring)) for area in terrain.areas if area.kind in reach
        ]
        self._hills = [(number, area) for number, (area, *_) in enumerate(self._areas) if area.kind in hills]
        self._screens = [
            (line, [(*leg, _exact.box_of(leg)) for leg in line.legs]) for line in terrain.lines if line.kind in screens
        ]
        self._rows: dict[tuple[Placed, int, bool], _Row] = {}
        packed = array("q")
        for area, limit, box in self._areas:
            packed.extend((limit, len(area.ring), *box, *[number for spot in area.ring for number in spot]))
        self._packed_areas = packed.tobytes()
        packed = array("q")
        for line, _ in self._screens:
            packed.extend(
                (0, len(line.points), *_exact.box_of(line.points), *[number for spot in line.points for number in spot])
            )
        self._packed_screens = packed.tobytes()

    def field(self, placed: Mapping[str, Placed], arcs: Mapping[str, int], blocks: Collection[str]) -> Field:
        """What units see that stand so.

        Args:
            placed: unit -> where it stands.
            arcs: unit -> its arc of view in degrees: 360, or an even number up to 180.
            blocks: the units that block the sight of others.
        """
        return Field(self, {unit: self._row(spot, arcs[unit], unit in blocks) for unit, spot in placed.items()})

    def _row(self, placed: Placed, arc: int, blocks: bool) -> _Row:
        """What is computed of a unit once; kept, since most stand still while one moves."""
        key = placed, arc, blocks
        found = self._rows.get(key)
        if found is None:
            if len(self._rows) > 20_000:
                self._rows.clear()
            found = self._rows[key] = self._made(placed, arc, blocks)
        return found

    def _made(self, placed: Placed, arc: int, blocks: bool) -> _Row:
        points, corners = placed.points, placed.corners
        eye = points[0] if arc == 360 else points[5]
        left, right = ((0, 0), (0, 0)) if arc == 360 else bounds(placed.heading, arc)
        slopes = bytearray(len(self._areas))
        for number, area in self._hills:
            slopes[number] = slope(area, placed.centre)
        touched = bytes([any(_exact.within(corners, leg[:2], TOUCH) for leg in legs) for _, legs in self._screens])
        packed = array("q", (*eye, *left, *right, blocks, *[number for spot in points for number in spot])).tobytes()
        return _Row(placed, eye, left, right, points, corners, _exact.box_of(corners), blocks, bytes(slopes), touched, packed)


class _Row(NamedTuple):
    placed: Placed
    eye: Spot
    left: Spot
    right: Spot
    points: tuple[Spot, ...]
    corners: tuple[Spot, ...]
    box: _exact.Box
    blocks: bool
    slopes: bytes
    touched: bytes
    packed: bytes


_ROW: Final = 25
"""How many numbers the kernel reads of a unit."""


class Field:
    """What the units of one position see; made by `Sight.field`."""

    def __init__(self, sight: Sight, rows: Mapping[str, _Row]) -> None:
        self._sight, self._rows = sight, rows
        self._numbers = {unit: number for number, unit in enumerate(rows)}
        self._list = [*rows.values()]
        self._blocking = [number for number, row in enumerate(self._list) if row.blocks]
        self._known: dict[tuple[int, int], int] = {}

    def seen_by(self, unit: str, others: Iterable[str]) -> tuple[str, ...]:
        """Those of some units that a unit sees, in the same order."""
        return self.pairs((unit,), others)[unit]

    def sees(self, unit: str, other: str) -> bool:
        """Whether one unit sees another."""
        return bool(self._verdicts([(self._numbers[unit], self._numbers[other])])[0])

    def pairs(self, units: Iterable[str], others: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Unit -> those of the others that it sees."""
        viewers, targets = tuple(units), tuple(others)
        numbers = [self._numbers[target] for target in targets]
        found = iter(self._verdicts([(self._numbers[viewer], number) for viewer in viewers for number in numbers]))
        return {viewer: tuple([target for target, seen in zip(targets, found, strict=False) if seen]) for viewer in viewers}

    def look(self, unit: str, other: str) -> Look:
        """What one unit sees of another, and what is in the way."""
        me, it = self._numbers[unit], self._numbers[other]
        viewer, target = self._list[me], self._list[it]
        seen = self._verdicts([(me, it)])[0]
        if seen:
            return Look(True, viewer.eye, target.points[seen - 1])
        if not any(_faces(viewer, point) for point in target.points):
            return Look(False, viewer.eye, target.points[0], "", "arc")
        names = [*self._rows]
        point = next((point for point in target.points if _faces(viewer, point)), target.points[0])
        topic, name = self._obstacle(viewer, target, point, names, me, it)
        return Look(False, viewer.eye, point, name, topic)

    def _obstacle(self, viewer: _Row, target: _Row, point: Spot, names: Sequence[str], me: int, it: int) -> tuple[str, str]:
        for (area, limit, _), mine, theirs in zip(self._sight._areas, viewer.slopes, target.slopes, strict=True):
            if not mine & theirs and _exact.shadow(viewer.eye, point, area.ring, limit):
                return "area", area.title
        for number, (line, legs) in enumerate(self._sight._screens):
            is_touched = viewer.touched[number] or target.touched[number]
            if not is_touched and any(_exact.meets(viewer.eye, point, one, other) for one, other, _ in legs):
                return "line", line.title
        for number in self._blocking:
            if number not in (me, it) and _exact.shadow(viewer.eye, point, self._list[number].corners, _exact.ANY):
                return "unit", names[number]
        raise AssertionError("something is in the way of a point that is not seen")  # pragma: no cover

    def _verdicts(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        """For each viewer and target 0, or 1 more than the number of the point at which it is seen."""
        unknown = [pair for pair in pairs if pair not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._found(unknown), strict=True))
        return [self._known[pair] for pair in pairs]

    def _found(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        if not _compiled.COMPILED:
            return [self._seen(viewer, target) for viewer, target in pairs]
        sight = self._sight
        return _kernel.seen(
            b"".join([row.packed for row in self._list]),
            b"".join([row.slopes for row in self._list]),
            b"".join([row.touched for row in self._list]),
            sight._packed_areas,
            sight._packed_screens,
            array("q", [number for pair in pairs for number in pair]).tobytes(),
        )

    def _seen(self, me: int, it: int) -> int:
        viewer, target = self._list[me], self._list[it]
        (ex, ey), last = viewer.eye, None
        areas = [
            (area.ring, limit, box)
            for (area, limit, box), mine, theirs in zip(self._sight._areas, viewer.slopes, target.slopes, strict=True)
            if not mine & theirs
        ]
        areas += [
            (self._list[number].corners, _exact.ANY, self._list[number].box)
            for number in self._blocking
            if number not in (me, it)
        ]
        legs = [
            leg
            for (_, legs), mine, theirs in zip(self._sight._screens, viewer.touched, target.touched, strict=True)
            if not mine and not theirs
            for leg in legs
        ]
        near = [min(ex, target.box[0]), min(ey, target.box[1]), max(ex, target.box[2]), max(ey, target.box[3])]
        areas = [area for area in areas if _near(area[2], *near)]
        legs = [leg for leg in legs if _near(leg[2], *near)]
        for number, point in enumerate(target.points, 1):
            if not _faces(viewer, point):
                continue
            if last is not None and _exact.shadow(viewer.eye, point, last[0], last[1]) == 3:
                continue
            x, y = point
            low_x, high_x = (ex, x) if ex < x else (x, ex)
            low_y, high_y = (ey, y) if ey < y else (y, ey)
            if any(
                _near(leg[2], low_x, low_y, high_x, high_y) and _exact.meets(viewer.eye, point, leg[0], leg[1]) for leg in legs
            ):
                continue
            dark = 0
            for area in areas:
                if _near(area[2], low_x, low_y, high_x, high_y):
                    dark |= _exact.shadow(viewer.eye, point, area[0], area[1])
                    if dark == 3:
                        last = area
                        break
            else:
                return number
        return 0


def _near(box: _exact.Box, ax: int, ay: int, bx: int, by: int) -> bool:
    return box[0] <= bx and box[2] >= ax and box[1] <= by and box[3] >= ay


def _faces(viewer: _Row, point: Spot) -> bool:
    """Whether a point lies in the arc of a viewer."""
    x, y = point[0] - viewer.eye[0], point[1] - viewer.eye[1]
    return viewer.left[0] * y - viewer.left[1] * x >= 0 and x * viewer.right[1] - y * viewer.right[0] >= 0
