"""Boards as they are drawn, layer by layer: hexes with rivers, roads, names and labels; areas with their links; planes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

from hexwar.board import AnyBoard, AreaBoard, Board, Place, PlaneBoard
from hexwar.errors import HexwarError
from hexwar.grouping import grouped
from hexwar.hexes import Hex, Hexside, centre, corners, vertex_point
from hexwar.render._svg import Point, element, haloed, num, path, polygon, ring, segments, text, use
from hexwar.render._terrain import Line, is_bridge, link_line, look, side_line

Box = tuple[float, float, float, float]

GRID = "#b9b199"
INK = "#3b3630"


def around(points: Iterable[Point]) -> Box:
    """The box that holds some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


class Backdrop:
    """Draws a board in a unit in which a counter is half a unit wide; the caller scales and moves the whole.

    Args:
        board: what is drawn.
        prefix: begins every id, so that two pictures can stand on one page.
        labels: whether places carry their labels.
        scale: units of the picture to one of the board.
    """

    def __init__(self, board: Any, prefix: str, *, labels: bool = True, scale: float = 1.0) -> None:
        self.board = board
        self.prefix = prefix
        self._labels = labels
        self._scale = scale

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of all of it."""
        raise NotImplementedError

    def centre(self, place: Any) -> Point:
        """Where a place is drawn."""
        return self.scaled(self.board.centre(place))

    def scaled(self, point: Point) -> Point:
        """Where a point of the board is drawn."""
        return point[0] * self._scale, point[1] * self._scale

    def layers(self) -> Iterator[str]:
        """Everything on the board, the lowest first."""
        raise NotImplementedError

    def definitions(self) -> str:
        """What is used in several places."""
        return ""

    def names(self) -> str:
        """What is drawn over the counters."""
        return ""

    def outline(self, place: Any) -> str:
        """The border of a place, as path data."""
        x, y = self.centre(place)
        return ring(x, y, 0.4)

    def samples(self) -> Iterator[tuple[str, str]]:
        """For the legend: a word, and what it looks like around the origin."""
        yield from ()


class HexBackdrop(Backdrop):
    """A board of hexes; a hex is one unit wide between opposite sides."""

    board: Board

    def outline(self, place: str) -> str:
        """The six sides of a hex."""
        return polygon(corners(self.board.hex(place), self.board.orientation))

    def samples(self) -> Iterator[tuple[str, str]]:
        """Terrain, hexsides and links."""
        for number, terrain in enumerate(self.terrains):
            yield terrain, element("g", use(f"{self.prefix}t{number}", 0.0, 0.0), transform="scale(0.44)")
        for feature in self.board.side_features:
            yield feature, bridge(0.0, 0.0, 1.0, 0.0) if is_bridge(feature) else sample(side_line(feature))
        yield from line_samples(self.board.link_kinds)

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of all hexes."""
        return around(point for h in self.board.content.hexes for point in corners(h, self.board.orientation))

    @property
    def terrains(self) -> list[str]:
        """The terrains that some hex has, in the map's order."""
        present = {content.terrain for content in self.board.content.hexes.values()}
        return [name for name in self.board.terrain_names if name in present]

    def definitions(self) -> str:
        """A symbol for each terrain, to be used in every hex of that terrain."""
        outline = polygon(corners(Hex(0, 0), self.board.orientation))
        looks = [look(terrain) for terrain in self.terrains]
        cells = [element("path", d=outline, fill=it.fill, stroke=GRID, stroke_width="0.018") + it.art for it in looks]
        return "".join(element("g", cell, id=f"{self.prefix}t{number}") for number, cell in enumerate(cells))

    def layers(self) -> Iterator[str]:
        """Everything on the board, the lowest first."""
        yield element("g", *self._hexes(), class_="hexes")
        yield element("g", *self._sides(), class_="sides")
        yield element("g", *self._links(), class_="links")
        yield element("g", *self._bridges(), class_="bridges")
        yield element("g", *map(self._place_symbol, self.board.places), class_="places")
        if self._labels:
            yield element("g", *self._hex_labels(), class_="labels", fill="#6d6655")

    def names(self) -> str:
        """The names of places, to be drawn over the counters."""
        return element("g", *map(self._place_name, self.board.places), class_="names")

    def _hexes(self) -> Iterator[str]:
        numbers = {terrain: number for number, terrain in enumerate(self.terrains)}
        for h, content in self.board.content.hexes.items():
            x, y = centre(h, self.board.orientation)
            yield use(f"{self.prefix}t{numbers[content.terrain]}", x, y, data_hex=content.labels[0])

    # -- lines ------------------------------------------------------------------------------------------------------------

    def _sides(self) -> Iterator[str]:
        printed = self.board.content.sides.items()
        sides = grouped((feature, side) for side, features in printed for feature in features if not is_bridge(feature))
        for feature in sorted(sides, key=lambda name: (bool(side_line(name).dashes), side_line(name).width, name)):
            line = side_line(feature)
            data = "".join(self._curve(side, line.is_water) for side in sorted(sides[feature]))
            yield from drawn(line, data, feature)

    def _curve(self, side: Hexside, winding: bool) -> str:
        """A hexside, a little bent if water runs along it: the same bend in every picture."""
        (ax, ay), (bx, by) = (vertex_point(vertex, self.board.orientation) for vertex in side.vertices)
        if not winding:
            return segments([((ax, ay), (bx, by))])
        bend = ((side.hex.q * 7 + side.hex.r * 13 + side.d * 5) % 5 - 2) * 0.07
        mx, my = (ax + bx) / 2 - (by - ay) * bend, (ay + by) / 2 + (bx - ax) * bend
        return f"M{num(ax)} {num(ay)}Q{num(mx)} {num(my)} {num(bx)} {num(by)}"

    def _links(self) -> Iterator[str]:
        links: dict[str, list[tuple[Point, Point]]] = {}
        for side, kinds in sorted(self.board.content.links.items()):
            (ax, ay), (bx, by) = (centre(h, self.board.orientation) for h in side.hexes)
            for number, kind in enumerate(sorted(kinds)):
                # A road and a railway between the same hexes run beside each other.
                off = (number - (len(kinds) - 1) / 2) * 0.075
                dx, dy = (by - ay) * off, (ax - bx) * off
                links.setdefault(kind, []).append(((ax + dx, ay + dy), (bx + dx, by + dy)))
        for kind in sorted(links):
            yield from drawn(link_line(kind), segments(links[kind]), kind)

    def _bridges(self) -> Iterator[str]:
        """Two strokes where the map has a bridge, or a link crosses water."""
        for side, features in sorted(self.board.content.sides.items()):
            crossed = side in self.board.content.links and any(side_line(feature).is_water for feature in features)
            if crossed or any(map(is_bridge, features)):
                (ax, ay), (bx, by) = (centre(h, self.board.orientation) for h in side.hexes)
                yield bridge((ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay)

    # -- places and labels --------------------------------------------------------------------------------------------------

    def _place_symbol(self, place: Place) -> str:
        parts = []
        for label in place.hexes:
            x, y = self.board.centre(label)
            size = (0.08, 0.12, 0.19)[_rank(place)]
            if _rank(place) == 2:
                parts.append(
                    element("circle", cx=x, cy=y, r="0.34", fill="#8a5a44", fill_opacity="0.3", stroke=INK, stroke_width="0.02")
                )
            blocks = ((-1, -0.7), (0.15, -1), (-0.75, 0.25), (0.3, 0.2))
            houses = [
                element("rect", x=x + bx * size, y=y + by * size, width=size * 0.8, height=size * 0.75) for bx, by in blocks
            ]
            parts.append(element("g", *houses, fill=INK, stroke="#fbf8ee", stroke_width="0.012"))
        return "".join(parts)

    def _place_name(self, place: Place) -> str:
        x, y = self.board.centre(place.hex)
        shown = f"{place.name} {place.value}" if place.value else place.name
        size = (0.14, 0.17, 0.24)[_rank(place)] * min(1, 9 / len(shown) if len(shown) <= 14 else 0.65)
        return haloed(shown, x, y + 0.445, size, fill=INK, font_weight="bold" if _rank(place) else "normal")

    def _hex_labels(self) -> Iterable[str]:
        for h, content in self.board.content.hexes.items():
            x, y = centre(h, self.board.orientation)
            yield text(content.labels[0], x, y - 0.36, 0.115)


def _rank(place: Place) -> int:
    """How large a place is drawn: 0 for a mere name, 1 for what counts in play, 2 for the great cities."""
    if any(word in place.kind for word in ("major", "capital")):
        return 2
    return int(bool(place.value) or any(word in place.kind for word in ("city", "fort")))


def bridge(x: float, y: float, dx: float, dy: float) -> str:
    """A bridge at a point; (dx, dy) is where it leads, of length 1."""
    rails = []
    for off in (-0.055, 0.055):
        rx, ry = x - dy * off, y + dx * off
        rails.append(((rx - dx * 0.11, ry - dy * 0.11), (rx + dx * 0.11, ry + dy * 0.11)))
    return element(
        "path", d=segments(rails), stroke=INK, stroke_width="0.03", stroke_linecap="round", fill="none", class_="bridge"
    )


def line_samples(kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Links as the legend shows them."""
    return ((kind, sample(link_line(kind))) for kind in kinds)


def sample(line: Line) -> str:
    """A line as the legend shows it."""
    return "".join(drawn(line, "M-0.22 0H0.22"))


def drawn(line: Line, data: str, name: str | None = None) -> Iterator[str]:
    """A line with its casing."""
    shared: dict[str, object] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    if line.casing:
        yield element("path", d=data, stroke=line.casing, stroke_width=num(line.width + 0.03), **shared)
    if line.dashes:
        shared["stroke_linecap"] = "butt"
    yield element(
        "path",
        d=data,
        stroke=line.colour,
        stroke_width=num(line.width),
        stroke_dasharray=line.dashes or None,
        data_kind=name,
        **shared,
    )


# -- boards without hexes ------------------------------------------------------------------------------------------------------


APART = 2.4
"""Units between the nearest two areas: room for stacks and names."""
RADIUS = 0.8
"""Of an area without an outline."""


def backdrop_of(board: AnyBoard | None, prefix: str, *, labels: bool) -> Backdrop:
    """What draws a board.

    Raises:
        HexwarError: there is no board, or one of a kind that cannot be drawn.
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


def _is_height(terrain: str) -> bool:
    """Whether a terrain is high ground, which is drawn with contour lines."""
    return any(word in terrain for word in ("hill", "height", "ridge"))


CREST = Line("#7a5a34", 0.02, dashes="0.08 0.06")
"""The line along the top of a hill."""


class PlaneBackdrop(Backdrop):
    """A table with what is printed on it."""

    board: PlaneBoard

    @property
    def box(self) -> Box:
        """The table."""
        return (0.0, 0.0, *self.scaled((self.board.width, self.board.height)))

    @cached_property
    def _terrains(self) -> dict[str, str]:
        """Terrain that has a drawing -> the id of the pattern of it."""
        kinds = dict.fromkeys(zone.terrain for zone in self.board.zones)
        drawn = [terrain for terrain in kinds if look(terrain).art and not _is_height(terrain)]
        return {terrain: f"{self.prefix}p{number}" for number, terrain in enumerate(drawn)}

    def definitions(self) -> str:
        """The patterns of terrain, and the border beyond which nothing is drawn."""
        tile: dict[str, object] = {"width": 0.8, "height": 0.54, "patternUnits": "userSpaceOnUse", "viewBox": "-0.5 -0.26 1 0.68"}
        patterns = [element("pattern", look(terrain).art, id=name, **tile) for terrain, name in self._terrains.items()]
        _, _, right, bottom = self.box
        border = element("clipPath", element("rect", width=right, height=bottom), id=f"{self.prefix}table")
        return "".join([*patterns, border])

    def layers(self) -> Iterator[str]:
        """The table, what covers it, what runs across it."""
        _, _, right, bottom = self.box
        yield element("rect", width=right, height=bottom, fill=look("clear").fill)
        zones = [self._zone(zone.terrain, [self.scaled((x, y)) for x, y in zone.outline]) for zone in self.board.zones]
        crests = [
            part
            for crest in filter(None, (zone.crest for zone in self.board.zones))
            for part in drawn(CREST, segments(pairwise(map(self.scaled, crest))))
        ]
        lines = [part for line in self.board.lines for part in self._line(line.kind, line.width, line.points)]
        clipped: dict[str, object] = {"clip_path": f"url(#{self.prefix}table)"}
        yield element("g", *zones, class_="zones", **clipped)
        if crests:
            yield element("g", *crests, class_="crest", **clipped)
        yield element("g", *lines, class_="links", **clipped)
        yield element("rect", width=right, height=bottom, fill="none", stroke=GRID, stroke_width="0.03")

    def _zone(self, terrain: str, points: Sequence[Point]) -> str:
        cell, name = _cell(terrain, polygon(points)), self._terrains.get(terrain)
        if name:
            return cell + element("path", d=polygon(points), fill=f"url(#{name})", stroke="none")
        if not _is_height(terrain):
            return cell
        x, y = (sum(numbers) / len(points) for numbers in zip(*points, strict=True))
        lines = [polygon((x + (px - x) * share, y + (py - y) * share) for px, py in points) for share in (0.8, 0.55)]
        return cell + element("path", d="".join(lines), fill="none", stroke=CREST.colour, stroke_width="0.015", opacity="0.6")

    def _line(self, kind: str, width: int, points: Sequence[Sequence[int]]) -> Iterator[str]:
        style = link_line(kind)
        style = replace(style, width=max(style.width, self.scaled((width, 0))[0]))
        return drawn(style, path(self.scaled((x, y)) for x, y in points), kind)

    def names(self) -> str:
        """The names of what covers it and of what runs across it, in the middle of its longest part."""
        parts = []
        named = [(zone.name, zone.outline) for zone in self.board.zones if zone.name]
        for name, points in named:
            xs, ys = zip(*map(self.scaled, points), strict=True)
            parts.append(haloed(name, sum(xs) / len(xs), sum(ys) / len(ys), 0.24, fill=INK))
        for line in filter(lambda line: line.name, self.board.lines):
            (ax, ay), (bx, by) = max(pairwise(map(self.scaled, line.points)), key=lambda leg: math.dist(*leg))
            parts.append(haloed(line.name, (ax + bx) / 2, (ay + by) / 2 - 0.1, 0.2, fill=INK))
        return element("g", *parts, class_="names")

    def samples(self) -> Iterator[tuple[str, str]]:
        """Terrain and lines."""
        yield from map(_swatch, dict.fromkeys(zone.terrain for zone in self.board.zones))
        yield from line_samples(dict.fromkeys(line.kind for line in self.board.lines))
