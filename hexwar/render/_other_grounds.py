"""Boards without hexes: areas with the links between them, and planes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from hexwar.board import AnyBoard, AreaBoard, Board, PlaneBoard
from hexwar.errors import HexwarError
from hexwar.render._ground import GRID, INK, Box, Ground, HexGround, drawn, sample
from hexwar.render._svg import Point, element, haloed, polygon, ring, segments
from hexwar.render._terrain import link_line, look

APART = 2.4
"""Units between the nearest two areas: room for stacks and names."""
RADIUS = 0.8
"""Of an area without an outline."""


def ground_of(board: AnyBoard | None, prefix: str, *, labels: bool) -> Ground:
    """What draws a board.

    Raises:
        HexwarError: there is no board, or one of a kind that nobody can draw.
    """
    if isinstance(board, Board):
        return HexGround(board, prefix, labels=labels)
    if isinstance(board, AreaBoard):
        return AreaGround(board, prefix, labels=labels)
    if isinstance(board, PlaneBoard):
        return PlaneGround(board, prefix, labels=labels)
    raise HexwarError("this game has no board that can be drawn")


def _cell(terrain: str, outline: str) -> str:
    return element("path", d=outline, fill=look(terrain).fill, stroke=GRID, stroke_width="0.03", stroke_linejoin="round")


def _swatch(terrain: str) -> tuple[str, str]:
    return terrain, _cell(terrain, "M-0.2 -0.14H0.2V0.14H-0.2Z")


class AreaGround(Ground):
    """Areas as they are outlined, or as circles; their links as lines."""

    board: AreaBoard

    def __init__(self, board: AreaBoard, prefix: str, *, labels: bool = True) -> None:
        super().__init__(board, prefix, labels=labels)
        middles = [board.centre(label) for label in board.labels]
        nearest = min((math.dist(a, b) for a, b in combinations(middles, 2)), default=1.0)
        self._scale = APART / (nearest or 1.0)
        self._links = sorted({(a, b) if a < b else (b, a) for a in board.labels for b in board.neighbours(a)})

    def centre(self, place: str) -> Point:
        """The middle of an area."""
        return self._scaled(self.board.centre(place))

    def _scaled(self, point: tuple[float, float]) -> Point:
        return point[0] * self._scale, point[1] * self._scale

    @property
    def box(self) -> Box:
        """Around all areas."""
        points = [self._scaled(corner) for area in self.board.areas.values() for corner in area.outline]
        for x, y in map(self.centre, self.board.labels):
            points += [(x - RADIUS, y - RADIUS), (x + RADIUS, y + RADIUS)]
        xs, ys = zip(*points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def layers(self) -> Iterator[str]:
        """Areas below, links on them."""
        yield element("g", *map(self._area, self.board.labels), class_="areas")
        kinds = sorted({kind for a, b in self._links for kind in self.board.links(a, b)})
        for kind in kinds:
            lines = [(self.centre(a), self.centre(b)) for a, b in self._links if kind in self.board.links(a, b)]
            yield element("g", *drawn(link_line(kind), segments(lines), kind), class_="links")

    def outline(self, place: str) -> str:
        """The border of an area."""
        area, (x, y) = self.board.areas[place], self.centre(place)
        return polygon(map(self._scaled, area.outline)) if area.outline else ring(x, y, RADIUS)

    def _area(self, label: str) -> str:
        return element("g", _cell(self.board.areas[label].terrain, self.outline(label)), data_area=label)

    def names(self) -> str:
        """The name of each area, or its label."""
        named = self.board.names

        def name(label: str) -> str:
            x, y = self.centre(label)
            known = named.get(label, label)
            shown = f"{known} ({label})" if self._labels and known != label else known
            return haloed(shown, x, y + 0.62, 0.2, fill=INK, font_weight="bold")

        return element("g", *map(name, self.board.labels), class_="names")

    def samples(self) -> Iterator[tuple[str, str]]:
        """Terrain and links."""
        yield from map(_swatch, dict.fromkeys(area.terrain for area in self.board.areas.values()))
        for kind in sorted({kind for a, b in self._links for kind in self.board.links(a, b)}):
            yield kind, sample(link_line(kind))


class PlaneGround(Ground):
    """A table with what is printed on it."""

    board: PlaneBoard

    def centre(self, place: Any) -> Point:
        """The point."""
        scale = 0.5 / self.board.piece
        return place[0] * scale, place[1] * scale

    @property
    def box(self) -> Box:
        """The table."""
        return (0.0, 0.0, *self.centre((self.board.width, self.board.height)))

    def layers(self) -> Iterator[str]:
        """The table, what covers it, what runs across it."""
        _, _, right, bottom = self.box
        yield element("rect", width=right, height=bottom, fill=look("clear").fill, stroke=GRID, stroke_width="0.03")
        zones = [_cell(zone.terrain, polygon(map(self.centre, zone.outline))) for zone in self.board.zones]
        yield element("g", *zones, class_="zones")
        for line in self.board.lines:
            points = [self.centre(point) for point in line.points]
            yield element("g", *drawn(link_line(line.kind), segments(pairwise(points)), line.kind), class_="links")

    def names(self) -> str:
        """The names of what covers it."""
        parts = []
        for zone in self.board.zones:
            xs, ys = zip(*map(self.centre, zone.outline), strict=True)
            if zone.name:
                parts.append(haloed(zone.name, sum(xs) / len(xs), sum(ys) / len(ys), 0.24, fill=INK))
        return element("g", *parts, class_="names")

    def samples(self) -> Iterator[tuple[str, str]]:
        """Terrain and lines."""
        yield from map(_swatch, dict.fromkeys(zone.terrain for zone in self.board.zones))
        for kind in dict.fromkeys(line.kind for line in self.board.lines):
            yield kind, sample(link_line(kind))
