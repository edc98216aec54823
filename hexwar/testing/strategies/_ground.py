"""Small boards with everything that a map can have, and the hexes, sides and labels of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import networkx as nx
from hypothesis import strategies as st

from hexwar.board import Board, BoardContent, HexContent, Place
from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside, LabelCodec, Orientation, neighbours
from hexwar.testing._staging.positions import to_toml
from hexwar.testing.strategies._arguments import StrategyError, draw_bytes, whole, words

TERRAINS = ("clear", "forest", "marsh")
"""What hexes of the boards are, if nothing else is asked for."""
FEATURES = ("river", "wall")
"""What lies on their hexsides."""
LINKS = ("road", "rail")
"""What joins their hexes."""
PLACES = ("town", "city")
"""The kinds of their places."""
LARGEST = 30
"""The most columns or rows: larger boards are no longer small, and their bytes are more than Hypothesis likes."""
MOST_PLACES = 3

_CODECS: dict[str, list[LabelCodec]] = {
    orientation: [
        LabelCodec(layout=layout, shifted=shifted, shift=shift, order=order, rows_from=edge)  # type: ignore[arg-type]
        for order in ("columns-first", "rows-first")
        for edge in ("north", "south")
        for shifted in ("even", "odd")
        for shift in shifts
    ]
    for orientation, layout, shifts in (("flat", "columns", ("up", "down")), ("pointy", "rows", ("east", "west")))
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A map before it is compiled: what is printed on it, and how it is numbered."""

    codec: LabelCodec
    columns: int
    rows: int
    content: BoardContent

    def text(self) -> str:
        """The same as a map file."""
        codec, content = self.codec, self.content
        symbols = dict(zip(content.terrain_names, ".abcdefghijklmnopqrstuvwxyz", strict=False))
        lines = []
        for row in _rows(codec, self.rows):
            hexes = [content.hexes.get(codec.at(column, row)) for column in range(1, self.columns + 1)]
            lines.append(" ".join("-" if it is None else symbols[it.terrain] for it in hexes))
        numbered = {name: getattr(codec, name) for name in ("layout", "shifted", "shift", "order", "rows_from")}
        return to_toml({
            "format": 1,
            "id": content.id,
            "grid": {"columns": self.columns, "rows": self.rows, **numbered},
            "terrain": {"legend": {symbol: terrain for terrain, symbol in symbols.items()}, "rows": "\n".join(lines)},
            "sides": _listed(content.sides, self._side),
            "links": _listed(content.links, lambda side: " ".join(map(codec.label, side.hexes))),
            "place": [
                {"name": place.name, "kind": place.kind, "hex": " ".join(place.hexes), "value": place.value}
                for place in content.places
            ],
            "areas": {name: [" ".join(labels)] for name, labels in content.areas.items()},
        })  # fmt: skip

    def _side(self, side: Hexside) -> str:
        names = DIRECTION_NAMES[self.codec.orientation]
        here, there = side.hexes
        if here in self.content.hexes:
            return f"{self.codec.label(here)}/{names[side.d]}"
        return f"{self.codec.label(there)}/{names[side.d + 3]}"


def _listed(marked: Mapping[Hexside, frozenset[str]], name: Callable[[Hexside], str]) -> dict[str, list[str]]:
    every = sorted({mark for marks in marked.values() for mark in marks})
    return {mark: [name(side) for side, marks in marked.items() if mark in marks] for mark in every}


def _rows(codec: LabelCodec, number: int) -> Sequence[int]:
    """The numbers of the rows, the northernmost first."""
    return range(1, number + 1) if codec.rows_from == "north" else range(number, 0, -1)


@dataclass(frozen=True)
class Shape:
    """What boards a strategy makes."""

    columns: tuple[int, int]
    rows: tuple[int, int]
    least: int
    orientation: str | None
    terrains: tuple[str, ...]
    features: tuple[str, ...]
    links: tuple[str, ...]
    places: tuple[str, ...]
    areas: tuple[str, ...]
    holes: bool
    connected: bool

    def make(self, codec: LabelCodec, columns: int, rows: int, data: bytes) -> Sheet:
        """A board from its choices."""
        rows = min(self.rows[1], max(rows, -(-self.least // columns)))
        columns = max(columns, -(-self.least // rows))
        ground, sides, links, rest = self._split(data)
        slots, edges = _grid(codec, columns, rows, self.columns[1])
        kept = self._kept({h: ground[place] for h, (_, place) in slots.items()})
        hexes = {
            h: HexContent((label,), self.terrains[ground[place] // 5 % len(self.terrains)])
            for h, (label, place) in slots.items()
            if h in kept
        }
        around = {side: sides[place] for side, a, b, place in edges if a in hexes or b in hexes}
        inside = {side: links[place] for side, a, b, place in edges if a in hexes and b in hexes}
        content = BoardContent(
            id="random",
            orientation=codec.orientation,
            hexes=hexes,
            sides=_marked(around, self.features),
            links=_marked(inside, self.links),
            terrain_names=self.terrains,
            places=tuple(self._places(codec, list(hexes), rest[: -len(self.areas) or None])),
            areas=self._areas(codec, list(hexes), rest[len(rest) - len(self.areas) :]),
        )
        return Sheet(codec, columns, rows, content)

    def _kept(self, ground: Mapping[Hex, int]) -> set[Hex]:
        """One hex in five is a hole; of what is left, all, or the largest part that hangs together."""
        slots = list(ground)
        if not self.holes:
            return set(slots)
        # The first hex never is a hole, so that there always is a hex.
        kept = {h for h, byte in ground.items() if h == slots[0] or byte % 5 != 4}
        if self.connected and len(kept) < len(slots):
            near = [(h, other) for h in kept for other in neighbours(h) if other in kept]
            joined: nx.Graph[Hex] = nx.Graph(near)
            joined.add_nodes_from(kept)
            kept = max(nx.connected_components(joined), key=lambda part: (len(part), -min(map(slots.index, part))))
        return kept if len(kept) >= self.least else set(slots)

    def _places(self, codec: LabelCodec, hexes: Sequence[Hex], data: bytes) -> Iterable[Place]:
        taken: set[Hex] = set()
        for number in range(MOST_PLACES if self.places else 0):
            there, where, what = data[3 * number : 3 * number + 3]
            h = hexes[where % len(hexes)]
            if there % 2 == 0 or h in taken:
                continue
            second = [other for other in neighbours(h) if other in hexes and other not in taken]
            of = (h, second[0]) if there % 8 == 7 and second else (h,)
            taken.update(of)
            kind = self.places[what % len(self.places)]
            yield Place(f"Place {number + 1}", kind, tuple(map(codec.label, of)), what // 8 % 4)

    def _areas(self, codec: LabelCodec, hexes: Sequence[Hex], data: bytes) -> dict[str, tuple[str, ...]]:
        found = {}
        for name, where in zip(self.areas, data, strict=True):
            middle = hexes[where % len(hexes)]
            found[name] = tuple(codec.label(h) for h in (middle, *neighbours(middle)) if h in hexes)
        return found

    @property
    def _sizes(self) -> tuple[int, int, int]:
        """How many bytes there are for the ground, for sides and for links."""
        columns, rows = self.columns[1], self.rows[1]
        edges = 3 * (columns + 2) * (rows + 2)
        return columns * rows, edges if self.features else 0, edges if self.links else 0

    @property
    def size(self) -> int:
        """How many bytes `make` reads at most."""
        return sum(self._sizes) + (3 * MOST_PLACES if self.places else 0) + len(self.areas)

    def _split(self, data: bytes) -> tuple[bytes, bytes, bytes, bytes]:
        ground, sides, links = self._sizes
        nothing = bytes(3 * (self.columns[1] + 2) * (self.rows[1] + 2))
        rest = data[ground:]
        return data[:ground], rest[:sides] or nothing, rest[sides : sides + links] or nothing, rest[sides + links :]


_Edge = tuple[Hexside, Hex, Hex, int]
"""A hexside, its hexes, and the place of the byte that decides about it."""


@lru_cache(maxsize=500)
def _grid(codec: LabelCodec, columns: int, rows: int, stride: int) -> tuple[dict[Hex, tuple[str, int]], list[_Edge]]:
    """The hexes of a full grid in reading order and their sides, each with the place of its byte.

    The places do not depend on how large this grid is, so that a board keeps its ground when it shrinks by a column or a row.
    """
    found = [(column, row) for row in _rows(codec, rows) for column in range(1, columns + 1)]
    slots = {codec.at(column, row): (codec.text(column, row), (row - 1) * stride + column - 1) for column, row in found}
    edges = []
    for side in sorted({Hexside.of(h, d) for h in slots for d in range(6)}):
        column, row = codec.numbers(side.hex)
        edges.append((side, *side.hexes, 3 * (row * (stride + 2) + column) + side.d))
    return slots, edges


def _marked(sides: Mapping[Hexside, int], names: tuple[str, ...]) -> dict[Hexside, frozenset[str]]:
    if not names:
        return {}
    none: frozenset[str] = frozenset()
    marks = [none] * len(names) + [frozenset({name}) for name in names] + [frozenset(names)]
    return {side: marks[byte % len(marks)] for side, byte in sides.items() if marks[byte % len(marks)]}


@cache
def _sizes(least: int, most: int) -> st.SearchStrategy[int]:
    # Half of them at least half as large as allowed: on tiny boards there is nothing to go round.
    return st.sampled_from([*range(least, most + 1), *range(max(least, (most + 1) // 2), most + 1)])


@cache
def codecs(orientation: str | None = None) -> st.SearchStrategy[LabelCodec]:
    """Ways of numbering a sheet: every layout, shift, order and direction of counting."""
    return st.sampled_from([codec for name, of in _CODECS.items() if orientation in (None, name) for codec in of])


def _sheet(draw: st.DrawFn, shape: Shape) -> Sheet:
    codec, columns, rows = draw(codecs(shape.orientation)), draw(_sizes(*shape.columns)), draw(_sizes(*shape.rows))
    return shape.make(codec, columns, rows, draw_bytes(draw, shape.size))


@st.composite
def _boards(draw: st.DrawFn, shape: Shape) -> Board:
    return Board(_sheet(draw, shape).content)


@st.composite
def _map_texts(draw: st.DrawFn, shape: Shape) -> str:
    return _sheet(draw, shape).text()


def boards(
    *,
    min_columns: int = 1,
    max_columns: int = 8,
    min_rows: int = 1,
    max_rows: int = 7,
    min_hexes: int = 1,
    orientation: Orientation | None = None,
    terrains: Iterable[str] = TERRAINS,
    features: Iterable[str] = FEATURES,
    links: Iterable[str] = LINKS,
    places: Iterable[str] = PLACES,
    areas: Iterable[str] = (),
    holes: bool = True,
    connected: bool = True,
) -> st.SearchStrategy[Board]:
    """Small boards: both orientations and all ways of numbering, ragged edges, rivers on hexsides, roads from hex to hex, towns.

        @given(boards(terrains=["clear", "woods"], features=["river"], links=["road"]))
        def test_a_river_is_the_same_from_both_banks(board):
            for a in board.labels:
                assert all(board.side(a, b) == board.side(b, a) for b in board.neighbours(a))

    They shrink to one clear hex without anything.

    Args:
        min_columns: the least number of columns.
        max_columns: the greatest, at most 30.
        min_rows: the least number of rows.
        max_rows: the greatest, at most 30.
        min_hexes: how many hexes there are at least.
        orientation: "flat" or "pointy"; both if not given.
        terrains: the first one is what a board shrinks to.
        features: of hexsides, the edge of the board included.
        links: kinds of ways from hex to hex.
        places: kinds of places; there are at most three, some of two hexes.
        areas: names of areas; each has a hex and its neighbours.
        holes: whether hexes may be missing.
        connected: whether one can go from every hex to every other through hexes, whatever lies between them.
    """
    shape = _shape(
        min_columns=min_columns,
        max_columns=max_columns,
        min_rows=min_rows,
        max_rows=max_rows,
        min_hexes=min_hexes,
        orientation=orientation,
        terrains=terrains,
        features=features,
        links=links,
        places=places,
        areas=areas,
        holes=holes,
        connected=connected,
    )
    return _boards(shape)


def map_texts(**arguments: Any) -> st.SearchStrategy[str]:
    """Map files as `hexwar.board.load_map` reads them.

        @given(map_texts(max_columns=4))
        def test_maps_can_be_read(text):
            assert len(load_map(text)) >= 1

    Args:
        **arguments: those of `boards`.
    """
    return _map_texts(_shape(**arguments))


def _shape(
    *,
    min_columns: int = 1,
    max_columns: int = 8,
    min_rows: int = 1,
    max_rows: int = 7,
    min_hexes: int = 1,
    orientation: Literal["flat", "pointy"] | None = None,
    terrains: Iterable[str] = TERRAINS,
    features: Iterable[str] = FEATURES,
    links: Iterable[str] = LINKS,
    places: Iterable[str] = PLACES,
    areas: Iterable[str] = (),
    holes: bool = True,
    connected: bool = True,
) -> Shape:
    columns = whole("min_columns", min_columns, 1, LARGEST), whole("max_columns", max_columns, min_columns, LARGEST)
    rows = whole("min_rows", min_rows, 1, LARGEST), whole("max_rows", max_rows, min_rows, LARGEST)
    least = whole("min_hexes", min_hexes, 1)
    if least > max_columns * max_rows:
        raise StrategyError(f"min_hexes is {least}, but {max_columns} columns of {max_rows} rows have no more than that")
    if orientation not in (None, *_CODECS):
        raise StrategyError(f"orientation must be None or 'flat' or 'pointy', not {orientation!r}")
    kinds = words("terrains", terrains, 1)
    if len(kinds) > 26:
        raise StrategyError("terrains: a board has at most 26")
    marks = words("features", features), words("links", links), words("places", places), words("areas", areas)
    return Shape(columns, rows, least, orientation, kinds, *marks, holes, connected)


# -- parts of a board -----------------------------------------------------------------------------------------------------


def _checked(board: Board) -> Board:
    if not isinstance(board, Board):
        raise StrategyError(f"a Board is needed, not {board!r}; hexwar.load_board gives one by its id")
    return board


def hexes(board: Board) -> st.SearchStrategy[Hex]:
    """The coordinates of a hex of a board; shrinks to the first one.

    @given(hexes(load_board("bridgehead/crossing")))
    def test_a_hex_is_next_to_its_neighbours(h): ...
    """
    return st.sampled_from(tuple(_checked(board).content.hexes))


def labels(board: Board) -> st.SearchStrategy[str]:
    """The primary label of a hex of a board; shrinks to the first one.

    @given(st.data())
    def test_a_disk_holds_its_middle(data):
        board = data.draw(boards())
        label = data.draw(labels(board))
        assert label in board.disk(label, 2)
    """
    return st.sampled_from(_checked(board).labels)


def hexsides(board: Board, *, inside: bool = False) -> st.SearchStrategy[Hexside]:
    """A side of a hex of a board.

        @given(hexsides(load_board("bridgehead/crossing"), inside=True))
        def test_both_banks_are_on_the_board(side): ...

    Args:
        board: the board.
        inside: only sides with a hex on both sides; the edge of the board as well if not given.
    """
    there = _checked(board).content.hexes
    every = dict.fromkeys(Hexside.of(h, d) for h in there for d in range(6))
    found = [side for side in every if not inside or all(h in there for h in side.hexes)]
    if not found:
        raise StrategyError(f"{board!r} has no side between two hexes")
    return st.sampled_from(found)
