"""What is wrong with a table file, in words; shapely finds it, and what it finds decides nothing in play."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from hexwar.board import PlaneBoard
from hexwar.errors import ContentError, UnknownName
from hexwar.plane._base import MOST, Ring, Spot

GAP = 200
"""What is narrower between two obstacles is shut, unless a game says otherwise: two centimetres, in units of 0.1 mm."""


def check_board(board: PlaneBoard, known: Collection[str] = ()) -> None:
    """Refuse a board on which something cannot be.

    Raises:
        ContentError: with the map, the place and the mistake.
    """
    from shapely import MultiPoint, Point, Polygon
    from shapely.validation import explain_validity

    if max(board.width, board.height) > MOST:
        wrong = (
            f"a table is at most {MOST} units wide and high, and this one is {board.width} by {board.height}; take a coarser unit"
        )
        raise ContentError(board.id, "width", wrong)
    names: set[str] = set()
    parts = [("zone", number, zone.name, zone.terrain, zone.outline) for number, zone in enumerate(board.zones, 1)]
    parts += [("line", number, line.name, line.kind, line.points) for number, line in enumerate(board.lines, 1)]
    for what, number, name, kind, spots in parts:
        where = f"{what} {name or number}"
        if known and kind not in known:
            raise ContentError(board.id, where, str(UnknownName("terrain", kind, sorted(known))))
        if name and name in names:
            raise ContentError(board.id, where, "another part of the table has this name; players name places by it")
        names.add(name)
        for x, y in spots:
            if not (0 <= x <= board.width and 0 <= y <= board.height):
                wrong = f"{x}, {y} lies off the table, which is {board.width} by {board.height}"
                raise ContentError(board.id, where, wrong)
        for one, other in itertools.pairwise(spots):
            if tuple(one) == tuple(other):
                raise ContentError(board.id, where, f"{one[0]}, {one[1]} stands there twice; each point is given once")
    for number, zone in enumerate(board.zones, 1):
        where = f"zone {zone.name or number}"
        shape = Polygon(zone.outline)
        if not shape.is_valid:
            raise ContentError(board.id, where, f"the outline is not simple: {explain_validity(shape)}")
        if zone.crest:
            hull = MultiPoint(zone.outline).convex_hull
            for x, y in (zone.crest[0], zone.crest[-1]):
                if hull.intersects(Point(x, y)):
                    wrong = (
                        f"the crest ends on the hill, at {x}, {y}; it must lead across, from beyond one side to beyond the other"
                    )
                    raise ContentError(board.id, where, wrong)
    for who, outlines in board.closed.items():
        for number, outline in enumerate(outlines, 1):
            if not (shape := Polygon(outline)).is_valid:
                raise ContentError(board.id, f"closed {who} {number}", f"the outline is not simple: {explain_validity(shape)}")


def joined(rings: Sequence[Sequence[Spot]], gap: int = GAP) -> list[Ring]:
    """Some outlines with the gaps between them closed that are narrower than a limit, for the key `closed` of a table file.

    Play reads them from the file: the maker of the table finds them once.
    """
    from shapely import Polygon
    from shapely.ops import unary_union

    half = gap / 2 - 0.01
    shape = unary_union([Polygon(ring) for ring in rings]).buffer(half, join_style="mitre").buffer(-half, join_style="mitre")
    parts = getattr(shape, "geoms", [shape])
    return [tuple((round(x), round(y)) for x, y in part.exterior.coords[:-1]) for part in parts if not part.is_empty]
