"""What lies on a table: areas such as woods, lines such as walls and roads, and what play changes: smoke and breaches."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from hexwar.board import PlaneBoard
from hexwar.errors import ContentError
from hexwar.plane import _exact
from hexwar.plane._base import MOST, MOST_BASE, TOUCH, Placed, Ring, Spot

SMOKE = "smoke"
"""The kind of the areas that smoke makes."""


class Area(NamedTuple):
    """An area.

    Args:
        kind: the ruleset's word for what it is.
        name: for people.
        ring: its corners, clockwise.
        crest: of a hill: the line that parts one slope from the other; empty if it has one slope only.
    """

    kind: str
    name: str
    ring: Ring
    crest: Ring = ()

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name or f"the {self.kind}"


class Line(NamedTuple):
    """A line.

    Args:
        kind: the ruleset's word for what it is.
        name: for people.
        points: from one end to the other.
        width: how wide it is; 0 where that does not matter.
    """

    kind: str
    name: str
    points: Ring
    width: int = 0

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name or f"the {self.kind}"

    @property
    def legs(self) -> Sequence[tuple[Spot, Spot]]:
        """Its straight parts."""
        return [*zip(self.points, self.points[1:], strict=False)]


class Breach(NamedTuple):
    """A gap that was breached in a line: all of it that is no farther than half the width from a point."""

    line: str
    at: Spot
    width: int


class Terrain:
    """The ground of a table. It does not change: `changed` makes another.

    Args:
        width: of the table.
        height: of the table.
        areas: woods, hills, villages.
        lines: walls, streams, roads.
        closed: who moves -> outlines that are shut to them, besides those of areas.
        breaches: gaps in lines.
    """

    def __init__(
        self,
        width: int,
        height: int,
        areas: Iterable[Area] = (),
        lines: Iterable[Line] = (),
        closed: Mapping[str, Sequence[Ring]] | None = None,
        breaches: Iterable[Breach] = (),
    ) -> None:
        self.width, self.height = width, height
        self.areas, self.lines = tuple(areas), tuple(lines)
        self.closed = {who: tuple(map(_exact.clockwise, rings)) for who, rings in (closed or {}).items()}
        self.breaches = tuple(breaches)
        if not (0 < width <= MOST and 0 < height <= MOST):
            raise ValueError(f"a table is at most {MOST} units wide and high, and not {width} by {height}")
        rings = [*(area.ring for area in self.areas), *(line.points for line in self.lines)]
        for x, y in (spot for ring in rings for spot in ring):
            if not (-MOST_BASE <= x <= MOST and -MOST_BASE <= y <= MOST):
                raise ValueError(f"{x}, {y} is too far from the table")

    @classmethod
    def of(cls, board: PlaneBoard, known: Collection[str] = ()) -> Terrain:
        """The ground of a map file.

        Args:
            board: the board.
            known: the kinds of areas and lines that the ruleset knows; any if empty.

        Raises:
            ContentError: if something on it cannot be; it says what, where and what would be right.
        """
        from hexwar.plane._check import check_board

        check_board(board, known)
        areas = [
            Area(zone.terrain, zone.name, _exact.clockwise(zone.outline), tuple(map(_pair, zone.crest))) for zone in board.zones
        ]
        lines = [Line(line.kind, line.name, tuple(map(_pair, line.points)), line.width) for line in board.lines]
        closed = {who: [tuple(map(_pair, ring)) for ring in rings] for who, rings in board.closed.items()}
        try:
            return cls(board.width, board.height, areas, lines, closed)
        except ValueError as error:
            raise ContentError(board.id, "", str(error)) from None

    def changed(self, *, smoke: Iterable[Sequence[Spot]] = (), breaches: Iterable[Breach] = ()) -> Terrain:
        """This ground with smoke on it and gaps in its lines; what is there of both already stays."""
        clouds = [Area(SMOKE, "", self.clipped(ring)) for ring in smoke]
        return Terrain(self.width, self.height, (*self.areas, *clouds), self.lines, self.closed, (*self.breaches, *breaches))

    def clipped(self, ring: Sequence[Spot]) -> Ring:
        """An upright rectangle, less what lies far off the table, where nothing stands."""
        held = [(min(max(x, -MOST_BASE), MOST), min(max(y, -MOST_BASE), MOST)) for x, y in ring]
        return _exact.clockwise(held)

    def __contains__(self, spot: object) -> bool:
        return isinstance(spot, tuple) and 0 <= spot[0] <= self.width and 0 <= spot[1] <= self.height

    def areas_of(self, placed: Placed) -> tuple[Area, ...]:
        """The areas in which a unit is: those in which at least half of its base lies."""
        return tuple([area for area in self.areas if _exact.half_inside(placed, area.ring)])

    def touched(self, placed: Placed) -> tuple[int, ...]:
        """The numbers of the lines that a base touches."""
        corners = placed.corners
        return tuple(
            [number for number, line in enumerate(self.lines) if any(_exact.within(corners, leg, TOUCH) for leg in line.legs)]
        )

    def on(self, placed: Placed, kinds: Collection[str]) -> bool:
        """Whether a unit is on a road or the like: whether its centre lies on a line of one of these kinds."""
        return any(
            line.kind in kinds and any(_exact.within((placed.centre,), leg, line.width // 2) for leg in line.legs)
            for line in self.lines
        )

    def named(self, name: str) -> Area | Line | None:
        """The area or line of this name; case does not matter."""
        wanted = name.casefold()
        parts: list[Area | Line] = [*self.areas, *self.lines]
        return next((part for part in parts if part.name and part.name.casefold() == wanted), None)


def slope(area: Area, spot: Spot) -> int:
    """On which slopes of a hill a point lies: 1 or 2, 3 for both, 0 if it is not on the hill."""
    if not _exact.contains(area.ring, spot):
        return 0
    crest = area.crest
    if not crest or any(_exact.meets(spot, spot, *leg) for leg in itertools.pairwise(crest)):
        return 3
    start = next(
        corner for corner in area.ring if not any(_exact.meets(corner, corner, *leg) for leg in itertools.pairwise(crest))
    )
    dx, dy = spot[0] - start[0], spot[1] - start[1]
    over = False
    for (px, py), (qx, qy) in itertools.pairwise(crest):
        here, there = dx * (py - start[1]) - dy * (px - start[0]), dx * (qy - start[1]) - dy * (qx - start[0])
        if (here > 0) == (there > 0):
            continue
        num, den = (px - start[0]) * (qy - py) - (py - start[1]) * (qx - px), dx * (qy - py) - dy * (qx - px)
        if den < 0:
            num, den = -num, -den
        if 0 < num < den:
            over = not over
    return 2 if over else 1


def _pair(spot: Sequence[int]) -> Spot:
    return spot[0], spot[1]
