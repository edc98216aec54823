"""The board: immutable, shared by every state of a game, and compiled once into flat tables.

People and rulesets name a hex by its label; kernels name it by its index and sets of hexes by masks. Both forms are
here, and ``index``, ``label``, ``mask`` and ``unmask`` lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import permutations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from hexwar.board._bits import bits, mask_of
from hexwar.board._content import NOTHING, BoardContent, Place
from hexwar.board._kinds import AnyBoard
from hexwar.board._tables import Walls, direction_masks, numbered
from hexwar.errors import UnknownName
from hexwar.grouping import grouped
from hexwar.hexes import STEPS, Hex, Hexside, Orientation, Point, centre, corners, disk, distance

if TYPE_CHECKING:
    import networkx as nx
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry


MANY_WALLS = 64
"""How many barriers are kept in mind."""


class Board(AnyBoard):
    """A compiled board.

    Wherever a label is taken, any label of the hex will do; labels that are returned are primary ones. Terrains, features
    and kinds of link that the board does not have are not errors: a rule about ports also holds on a map without one.

    Args:
        content: what is printed on it.

    Raises:
        ValueError: if there are no hexes, a label is given to two of them, they lie absurdly far apart, or something is said
            to lie where there is no hex.
    """

    kind: ClassVar[str] = "hexes"

    def __init__(self, content: BoardContent) -> None:
        if not content.hexes:
            raise ValueError("a board needs at least one hex")
        self.content: BoardContent = content
        """The values that the board was compiled from."""
        self.id: str = content.id
        self.title: str = content.title
        self.provenance: Mapping[str, Any] = MappingProxyType(dict(content.provenance))
        self.orientation: Orientation = content.orientation
        """How the hexes stand."""
        self.places: tuple[Place, ...] = content.places
        """All named places, in the order of the map file."""
        self.names = {label: place.name for place in self.places for label in place.hexes}
        self._numbers, stride, self.size = numbered(content.hexes)
        """``size``: the number of slots of the padded index."""
        self._by_number: dict[int, Hex] = {i: h for h, i in self._numbers.items()}
        self.indices: dict[str, int] = {}
        """Every label of every hex -> its index."""
        for h, printed in content.hexes.items():
            for label in printed.labels:
                if self.indices.setdefault(label, self._numbers[h]) != self._numbers[h]:
                    raise ValueError(f"the label {label} is given to two hexes")
        self._neighbours: dict[str, tuple[str, ...]] = {}
        self._near: dict[tuple[str, int], int] = {}
        self._sides: dict[tuple[str, str], frozenset[str]] = {}
        self._links: dict[tuple[str, str], frozenset[str]] = {}
        _check(content, self.indices)
        self._label_of: dict[int, str] = {i: content.hexes[h].labels[0] for h, i in self._numbers.items()}
        self._rank: dict[int, int] = {i: rank for rank, i in enumerate(self._by_number)}
        self._terrains = {label: printed.terrain for printed in content.hexes.values() for label in printed.labels}
        self._walls: dict[object, Walls] = {}
        self._open: dict[int, tuple[Walls, Walls]] = {}
        self.deltas: tuple[int, ...] = tuple(step.q * stride + step.r for step in STEPS)
        """What a step in each direction adds to an index."""
        self.hexes: tuple[int, ...] = tuple(self._by_number)
        """The indices of the hexes, in reading order."""
        self.labels: tuple[str, ...] = tuple(self._label_of.values())
        """The primary labels, in reading order."""
        self._ring_shift = -min(self.deltas)
        # A set: on a board of one row, two directions that both lead off it have the same delta.
        self._ring = sum(1 << delta + self._ring_shift for delta in set(self.deltas))
        self.everywhere: int = mask_of(self.hexes, self.size)
        """The mask of all hexes."""

    def __repr__(self) -> str:
        return f"<Board {self.id}: {len(self)} hexes>"

    def __len__(self) -> int:
        return len(self.hexes)

    def __contains__(self, label: object) -> bool:
        return label in self.indices

    # Hexes by label

    def index(self, label: str) -> int:
        """The index of a hex.

        Raises:
            UnknownName: if no hex has this label.
        """
        try:
            return self.indices[label]
        except (KeyError, TypeError):
            raise UnknownName("hex", label, self.indices) from None

    def label(self, i: int) -> str:
        """The primary label of the hex with index ``i``.

        Raises:
            UnknownName: if the slot is empty.
        """
        try:
            return self._label_of[i]
        except KeyError:
            raise UnknownName("hex index", i, ()) from None

    def labelled(self, indices: Iterable[int]) -> list[str]:
        """The primary labels of some hexes, in the same order."""
        return list(map(self._label_of.__getitem__, indices))

    def aliases(self, label: str) -> tuple[str, ...]:
        """All labels of a hex, the primary one first: in an overlap of sheets there are two."""
        return self.content.hexes[self.hex(label)].labels

    def hex(self, label: str) -> Hex:
        """The coordinates of a hex."""
        return self._by_number[self.index(label)]

    def at(self, h: Hex) -> str | None:
        """The label of the hex at some coordinates, or None off the board."""
        i = self._numbers.get(h)
        return None if i is None else self._label_of[i]

    def centre(self, label: str) -> Point:
        """Where the middle of a hex lies on the plane."""
        return centre(self.hex(label), self.orientation)

    def terrain(self, label: str) -> str:
        """The terrain of a hex."""
        try:
            return self._terrains[label]
        except (KeyError, TypeError):
            raise UnknownName("hex", label, self.indices) from None

    def properties(self, label: str) -> Mapping[str, Any]:
        """What else the map file says of a hex."""
        return MappingProxyType(dict(self.content.hexes[self.hex(label)].properties))

    def neighbours(self, label: str) -> tuple[str, ...]:
        """The adjacent hexes on the board, in direction order."""
        found = self._neighbours.get(label)
        if found is None:
            i = self.index(label)
            found = tuple([self._label_of[i + delta] for delta in self.deltas if i + delta in self._label_of])
            self._neighbours[label] = found
        return found

    def around(self, label: str) -> int:
        """The mask of the adjacent hexes."""
        return self._ring << self.index(label) >> self._ring_shift & self.everywhere

    def adjacent(self, a: str, b: str) -> bool:
        """Whether two hexes share a side."""
        return self.index(b) - self.index(a) in self.deltas

    def direction(self, a: str, b: str) -> int:
        """The direction of the step from ``a`` to ``b``.

        Raises:
            ValueError: if they are not adjacent.
        """
        try:
            return self.deltas.index(self.index(b) - self.index(a))
        except ValueError:
            raise ValueError(f"{a} and {b} are not adjacent") from None

    def distance(self, a: str, b: str) -> int:
        """The least number of steps between two hexes, as if the board had no holes."""
        try:
            (q, r), (q2, r2) = self._axial[a], self._axial[b]
        except (KeyError, TypeError):
            return distance(self.hex(a), self.hex(b))  # which says what is unknown
        return max(abs(q - q2), abs(r - r2), abs(q + r - q2 - r2))

    @cached_property
    def _axial(self) -> dict[str, tuple[int, int]]:
        """Every label -> the coordinates of its hex."""
        return {label: (h.q, h.r) for h, printed in self.content.hexes.items() for label in printed.labels}

    def disk(self, label: str, n: int) -> tuple[str, ...]:
        """The hexes on the board at most ``n`` hexes away, nearest first."""
        middle = self.hex(label)
        if 3 * n * n < len(self):
            return tuple(self._label_of[self._numbers[h]] for h in disk(middle, n) if h in self._numbers)
        near = [(distance(middle, h), self._rank[i], i) for h, i in self._numbers.items() if distance(middle, h) <= n]
        return tuple(self._label_of[i] for _, _, i in sorted(near))

    def near(self, label: str, n: int) -> int:
        """The mask of the hexes at most ``n`` hexes away."""
        found = self._near.get((label, n))
        if found is None:
            (q, _), i, stride, found = self.hex(label), self.index(label), self.deltas[2], 0
            for columns in range(-n, n + 1):  # in each column, a run of hexes
                first, last = max(-n, -n - columns), min(n, n - columns)
                run, start = (1 << last - first + 1) - 1, i + columns * stride + first
                found |= (run << start if start >= 0 else run >> -start) & self._columns.get(q + columns, 0)
            self._near[label, n] = found
        return found

    @cached_property
    def _columns(self) -> dict[int, int]:
        """Column -> the mask of its hexes."""
        found = grouped((h.q, i) for h, i in self._numbers.items())
        return {q: mask_of(indices, self.size) for q, indices in found.items()}

    # Sides, links, places, areas

    def side(self, a: str, b: str) -> frozenset[str]:
        """The features on the side that two adjacent hexes share."""
        found = self._sides.get((a, b))
        if found is None:
            found = self._sides[a, b] = self.content.sides.get(self._between(a, b), NOTHING)
        return found

    def links(self, a: str, b: str) -> frozenset[str]:
        """The kinds of link that run directly between two adjacent hexes."""
        found = self._links.get((a, b))
        if found is None:
            found = self._links[a, b] = self.content.links.get(self._between(a, b), NOTHING)
        return found

    def link_hexes(self, kind: str) -> tuple[str, ...]:
        """The hexes that a kind of link runs through, in reading order."""
        return self.unmask(self.link_mask(kind))

    def link_mask(self, kind: str) -> int:
        """The mask of the hexes that a kind of link runs through."""
        return self._link_masks.get(kind, 0)

    def has_link(self, label: str, kind: str) -> bool:
        """Whether a kind of link runs through a hex."""
        return bool(self.link_mask(kind) >> self.index(label) & 1)

    def place(self, label: str) -> Place | None:
        """The named place in a hex."""
        return self._place_at.get(self._label_of[self.index(label)])

    def find(self, name: str) -> Place:
        """The place with some name.

        Raises:
            UnknownName: if there is none.
        """
        found = {place.name: place for place in self.places}
        if name not in found:
            raise UnknownName("place", name, found)
        return found[name]

    @cached_property
    def areas(self) -> Mapping[str, tuple[str, ...]]:
        """The named areas and their hexes."""
        return MappingProxyType(dict(self.content.areas))

    @cached_property
    def terrain_names(self) -> tuple[str, ...]:
        """The terrains that the map declares, whether or not a hex has them."""
        return tuple(dict.fromkeys((*self.content.terrain_names, *(printed.terrain for printed in self.content.hexes.values()))))

    @cached_property
    def side_features(self) -> tuple[str, ...]:
        """The features that some side has, sorted."""
        return tuple(sorted({name for names in self.content.sides.values() for name in names}))

    @cached_property
    def link_kinds(self) -> tuple[str, ...]:
        """The kinds of link that there are, sorted."""
        return tuple(sorted({name for names in self.content.links.values() for name in names}))

    # Masks for the kernels

    def mask(self, labels: Iterable[str]) -> int:
        """The mask of some hexes."""
        return mask_of([self.index(label) for label in labels], self.size)

    def unmask(self, mask: int) -> tuple[str, ...]:
        """The hexes in a mask, in reading order; bits off the board are left out."""
        inside = bits(mask & self.everywhere)
        return tuple(self._label_of[i] for i in sorted(inside, key=self._rank.__getitem__))

    def scattered(self, mask: int) -> list[str]:
        """The hexes in a mask, in no order that means anything: quicker than `unmask`."""
        return [self._label_of[i] for i in bits(mask & self.everywhere)]

    def nth(self, mask: int, number: int) -> str:
        """The hex in a mask that stands after a number of others, sorted by label: one of many is found without the list."""
        ranks, labels = self._by_label
        return labels[sorted([ranks[i] for i in bits(mask)])[number]]

    @cached_property
    def _by_label(self) -> tuple[list[int], list[str]]:
        """The rank of each index among the labels, and these, sorted."""
        labels, ranks = sorted(self._label_of.values()), [0] * self.size
        for rank, label in enumerate(labels):
            ranks[self.indices[label]] = rank
        return ranks, labels

    def terrain_mask(self, *names: str) -> int:
        """The hexes with one of some terrains."""
        return sum(self._terrain_masks.get(name, 0) for name in set(names))

    def walls(self, *features: str, unless_link: Iterable[str] = ()) -> Walls:
        """The sides that have one of some features, as barriers to a flood.

        Args:
            features: which features block.
            unless_link: kinds of link that carry across, as a bridge does.
        """
        blocking, bridges = frozenset(features), frozenset(unless_link)
        found = self._walls.get((blocking, bridges))
        if found is None:
            links = self.content.links
            found = self._walls[blocking, bridges] = self._masks(
                side for side, names in self.content.sides.items() if names & blocking and not links.get(side, NOTHING) & bridges
            )
        return found

    def link_walls(self, kind: str) -> Walls:
        """Barriers everywhere but along one kind of link."""
        found = self._walls.get(kind)
        if found is None:
            along = self._masks(side for side, kinds in self.content.links.items() if kind in kinds)
            found = self._walls[kind] = tuple(self.everywhere & ~mask for mask in along)
        return found

    def reverse(self, walls: Walls) -> Walls:
        """The same barriers for the other direction: needed where barriers are one-sided."""
        behind = zip((*walls[3:], *walls[:3]), self.deltas, strict=True)
        return tuple((wall >> delta if delta > 0 else wall << -delta) & self.everywhere for wall, delta in behind)

    def open_sides(self, walls: Walls) -> Walls:
        """For each direction, the hexes that one may leave in it; kept for barriers that are asked for again and again."""
        known = self._open.get(id(walls))
        if known is None:  # with the barriers themselves, so that their id stays theirs
            if len(self._open) >= MANY_WALLS:
                self._open.clear()
            known = self._open[id(walls)] = walls, tuple([self.everywhere & ~wall for wall in walls])
        return known[1]

    def crop(self, labels: Iterable[str]) -> Board:
        """A board of some of the hexes, for a scenario that uses a part of the map; labels stay the same."""
        return Board(self.content.crop(self.hex(label) for label in labels))

    # Tables for the kernels

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Every index, empty slots included: what the compiled search puts into its answers, so that it makes no new ones."""
        return tuple(range(self.size))

    @cached_property
    def nothing(self) -> bytes:
        """A table of surcharges that are all 0."""
        return bytes(self.size)

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The steps that lead off the board: index and direction."""
        return tuple([(i, d) for i in self.hexes for d, delta in enumerate(self.deltas) if i + delta not in self._label_of])

    # Views for analysis

    @cached_property
    def steps(self) -> tuple[tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]], ...]:
        """For each direction the steps that there are: the indices of the hexes they begin in, and the labels of both ends."""
        on_board, label = set(self.hexes), self._label_of
        found = []
        for delta in self.deltas:
            indices = tuple([i for i in self.hexes if i + delta in on_board])
            found.append((indices, tuple([label[i] for i in indices]), tuple([label[i + delta] for i in indices])))
        return tuple(found)

    @cached_property
    def sorts(self) -> tuple[tuple[tuple[str, str], ...], tuple[list[int], ...]]:
        """The sorts of steps: those with the same side and links, and the same terrain and kind of place behind them.

        What depends on nothing else, such as a terrain chart, need look at one step of each sort only: here is one of each,
        from hex and to hex, and six tables with the number of the sort of the step from each index in each direction, -1 where
        there is none.
        """
        numbers: dict[object, int] = {}
        examples: list[tuple[str, str]] = []
        tables = tuple([-1] * self.size for _ in self.deltas)

        def number(sort: object, i: int, n: int) -> int:
            if sort not in numbers:
                numbers[sort] = len(examples)
                examples.append((self._label_of[i], self._label_of[n]))
            return numbers[sort]

        ground = {
            i: (self.content.hexes[h].terrain, place.kind if (place := self._place_at.get(self._label_of[i])) else None)
            for h, i in self._numbers.items()
        }
        sides, links = self.content.sides, self.content.links
        for between in {**sides, **links}:
            ends = [self._numbers[h] for h in between.hexes if h in self._numbers]
            for i, n in permutations(ends, 2):
                sort = (sides.get(between, NOTHING), links.get(between, NOTHING), ground[n])
                tables[self.deltas.index(n - i)][i] = number(sort, i, n)
        for table, delta in zip(tables, self.deltas, strict=True):
            for i in self.hexes:  # most steps: those with nothing on their side
                if table[i] < 0 and (plain := ground.get(i + delta)):
                    known = numbers.get(plain)
                    table[i] = number(plain, i, i + delta) if known is None else known
        return tuple(examples), tables

    @cached_property
    def digest(self) -> str:
        """A fingerprint of all that can matter in play: SHA-256 in a form that no dict order, platform or hash seed can change.

        Id, title and provenance stay out: correcting a source note must not make saved games refuse their map.
        """
        import hashlib
        import json

        content = self.content
        form = {
            "orientation": content.orientation,
            "hexes": sorted([h.q, h.r, list(it.labels), it.terrain, dict(it.properties)] for h, it in content.hexes.items()),
            "sides": sorted([side.hex.q, side.hex.r, side.d, sorted(names)] for side, names in content.sides.items() if names),
            "links": sorted([side.hex.q, side.hex.r, side.d, sorted(names)] for side, names in content.links.items() if names),
            "places": [[place.name, place.kind, list(place.hexes), place.value, sorted(place.tags)] for place in content.places],
            "areas": {name: sorted(labels) for name, labels in content.areas.items()},
        }
        text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """The board as a networkx graph of primary labels, frozen because everybody shares it.

        Nodes carry ``labels``, ``terrain`` and ``place``; edges carry ``side`` (features) and ``links`` (kinds).
        """
        import networkx as nx

        made: nx.Graph[str] = nx.Graph(id=self.id, title=self.title)
        for label in self.labels:
            made.add_node(label, labels=self.aliases(label), terrain=self.terrain(label), place=self.place(label))
        for label in self.labels:
            for other in self.neighbours(label):
                if not made.has_edge(label, other):
                    made.add_edge(label, other, side=self.side(label, other), links=self.links(label, other))
        nx.freeze(made)
        return made

    def cell(self, label: str) -> Polygon:
        """The hex as a shapely polygon."""
        from shapely import Polygon

        return Polygon(corners(self.hex(label), self.orientation))

    @cached_property
    def outline(self) -> BaseGeometry:
        """The union of all hexes as a shapely shape; corners are shared to the last bit, so no slivers remain."""
        from shapely import union_all

        return union_all([self.cell(label) for label in self.labels])

    def _between(self, a: str, b: str) -> Hexside:
        return Hexside.of(self.hex(a), self.direction(a, b))

    def _masks(self, sides: Iterable[Hexside]) -> Walls:
        return direction_masks(self.size, self._numbers, sides)

    @cached_property
    def _terrain_masks(self) -> dict[str, int]:
        found = grouped((printed.terrain, self._numbers[h]) for h, printed in self.content.hexes.items())
        return {name: mask_of(indices, self.size) for name, indices in found.items()}

    @cached_property
    def _link_masks(self) -> dict[str, int]:
        found: dict[str, set[int]] = {}
        for side, kinds in self.content.links.items():
            for kind in kinds:
                found.setdefault(kind, set()).update(self._numbers[h] for h in side.hexes)
        return {kind: mask_of(indices, self.size) for kind, indices in found.items()}

    @cached_property
    def _place_at(self) -> dict[str, Place]:
        return {label: place for place in self.places for label in place.hexes}


def _check(content: BoardContent, labels: Mapping[str, int]) -> None:
    if any(h not in content.hexes for side in content.links for h in side.hexes):
        raise ValueError("a link runs off the board")
    for kind, name, hexes in (
        *(("place", it.name, it.hexes) for it in content.places),
        *(("area", *it) for it in content.areas.items()),
    ):
        for label in hexes:
            if label not in labels:
                raise ValueError(f"the {kind} {name} lies in {label}, which is no hex of the board")
