"""Boards without hexes: areas with the links between them, and planes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

from hexwar.board import AnyBoard, AreaBoard, Board, PlaneBoard
from hexwar.errors import HexwarError
from hexwar.render._backdrop import GRID, INK, Backdrop, Box, HexBackdrop, around, drawn, line_samples
from hexwar.render._svg import element, haloed, polygon, ring, segments
from hexwar.render._terrain import link_line, look

APART = 2.4
"""Units between the nearest two areas: room for stacks and names."""
RADIUS = 0.8
"""Of an area without an outline."""


def backdrop_of(board: AnyBoard | None, prefix: str, *, labels: bool) -> Backdrop:
    """What draws a board.

    Raises:
        HexwarError: there is no board, or one of a kind that nobody can draw.
    """
    if isinstance(board, Board):
        return HexBackdrop(board, prefix, labels=labels)
    if isinstance(board, AreaBoard):
        return AreaBackdrop(board, prefix, labels=labels)
    if isinstance(board, PlaneBoard):
        return PlaneBackdrop(board, prefix, labels=labels, scale=0.5 / board.piece)
    raise HexwarError("this game has no board that can be drawn")


def _cell(terrain: str, outline: str) -> str:
    return element("path", d=outline, fill=look(terrain).fill, stroke=GRID, stroke_width="0.03", stroke_linejoin="round")


def _swatch(terrain: str) -> tuple[str, str]:
    return terrain, _cell(terrain, "M-0.2 -0.14H0.2V0.14H-0.2Z")


class AreaBackdrop(Backdrop):
    """Areas as they are outlined, or as circles; their links as lines."""

    board: AreaBoard

    def __init__(self, board: AreaBoard, prefix: str, *, labels: bool = True) -> None:
        nearest = min((math.dist(a, b) for a, b in combinations(map(board.centre, board.labels), 2)), default=1.0)
        super().__init__(board, prefix, labels=labels, scale=APART / (nearest or 1.0))
        self._links = sorted({(a, b) if a < b else (b, a) for a in board.labels for b in board.neighbours(a)})
        self._kinds = sorted({kind for pair in self._links for kind in board.links(*pair)})

    @property
    def box(self) -> Box:
        """Around all areas."""
        points = [self.scaled(corner) for area in self.board.areas.values() for corner in area.outline]
        for x, y in map(self.centre, self.board.labels):
            points += [(x - RADIUS, y - RADIUS), (x + RADIUS, y + RADIUS)]
        return around(points)

    def layers(self) -> Iterator[str]:
        """Areas below, links on them."""
        yield element("g", *map(self._area, self.board.labels), class_="areas")
        for kind in self._kinds:
            lines = [(self.centre(a), self.centre(b)) for a, b in self._links if kind in self.board.links(a, b)]
            yield element("g", *drawn(link_line(kind), segments(lines), kind), class_="links")

    def outline(self, place: str) -> str:
        """The border of an area."""
        area, (x, y) = self.board.areas[place], self.centre(place)
        return polygon(map(self.scaled, area.outline)) if area.outline else ring(x, y, RADIUS)

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
        yield from line_samples(self._kinds)


class PlaneBackdrop(Backdrop):
    """A table with what is printed on it."""

    board: PlaneBoard

    @property
    def box(self) -> Box:
        """The table."""
        return (0.0, 0.0, *self.scaled((self.board.width, self.board.height)))

    def layers(self) -> Iterator[str]:
        """The table, what covers it, what runs across it."""
        _, _, right, bottom = self.box
        yield element("rect", width=right, height=bottom, fill=look("clear").fill, stroke=GRID, stroke_width="0.03")
        zones = [_cell(zone.terrain, polygon(map(self.scaled, zone.outline))) for zone in self.board.zones]
        yield element("g", *zones, class_="zones")
        for line in self.board.lines:
            points = map(self.scaled, line.points)
            yield element("g", *drawn(link_line(line.kind), segments(pairwise(points)), line.kind), class_="links")

    def names(self) -> str:
        """The names of what covers it."""
        parts = []
        for zone in self.board.zones:
            xs, ys = zip(*map(self.scaled, zone.outline), strict=True)
            if zone.name:
                parts.append(haloed(zone.name, sum(xs) / len(xs), sum(ys) / len(ys), 0.24, fill=INK))
        return element("g", *parts, class_="names")

    def samples(self) -> Iterator[tuple[str, str]]:
        """Terrain and lines."""
        yield from map(_swatch, dict.fromkeys(zone.terrain for zone in self.board.zones))
        yield from line_samples(dict.fromkeys(line.kind for line in self.board.lines))
