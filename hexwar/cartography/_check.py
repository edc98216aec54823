"""What is wrong with a map, found by its geometry alone: no rules, no recipe, any board.

The loader refuses what cannot be meant (an unknown hex, a link between hexes that do not touch, two places in one hex). What is
looked for here can be loaded and is still a mistake: a railway that falls apart, a river that stops in the open, ground nobody
can reach. An *error* cannot be right; a *warning* can (an island, two roads that never met) and is to be looked at.

Rules have their own words for water, so what a name means is guessed from its parts: "major-river" is a river because it has
the part "river". `Words` holds those parts.

When is a river's end good? On the ground every river has one mouth and any number of sources, and a map does not say which way
it runs. So an end is tied if it touches the map edge, a water hex or a hexside closed by water; an end on another river is no end
at all, because rivers that touch are one system. A system with a tied end may have loose ones: they are its sources. A system
without any is an error: its mouth is missing. Cutting a river leaves such a system upstream, unless that part also comes in over
the edge; then two systems face each other across one missing hexside, which is a warning, since two sources may do so as well.
Rivers that close a ring are a warning too: water does not run in circles, but two sources drawn on one vertex make it seem so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, TypeAlias, get_args

import networkx as nx
from shapely import Polygon, contains_xy

from hexwar.board import Board, BoardContent
from hexwar.hexes import Hex, Hexside, LabelCodec, Orientation, Vertex, centre, neighbours, vertex_point
from hexwar.hexes._labels import Order, Parity

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Args:
        severity: "error" if it cannot be right, "warning" if it should be looked at.
        check: which check found it.
        hexes: the labels of the hexes concerned, the first being the one to look at; none if it is about the whole file.
        reason: what is wrong, as a sentence without its subject.
    """

    severity: Severity
    check: str
    hexes: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        where = f"{' '.join(self.hexes[:4])}{' …' if len(self.hexes) > 4 else ''}: " if self.hexes else ""
        return f"{self.severity}: {where}{self.reason} ({self.check})"


@dataclass(frozen=True, slots=True)
class Words:
    """The parts of names that tell what a terrain or a hexside feature is.

    Args:
        water: terrains that no unit enters, and features of a side that water closes.
        closed: features that close a side for other reasons.
        river: features that run on from side to side.
        bridge: features that make no sense without a river.
    """

    water: frozenset[str] = frozenset({"water", "sea", "lake", "ocean"})
    closed: frozenset[str] = frozenset({"blocked", "impassable"})
    river: frozenset[str] = frozenset({"river", "brook", "stream", "creek", "canal"})
    bridge: frozenset[str] = frozenset({"bridge"})


WORDS: Final = Words()


def check_board(board: Board, words: Words = WORDS, sheets: Iterable[BoardContent] = ()) -> list[Finding]:
    """Everything that is wrong with a board, errors first.

    Args:
        board: the board.
        words: what names mean.
        sheets: the sheets of a joined board, from below to above, to see whether they agree where they meet.
    """
    inspected = _Inspected(board.content, words)
    found = [finding for check in _CHECKS for finding in check(inspected)]
    found += _sheets(inspected, list(sheets))
    return sorted(found, key=lambda finding: finding.severity)


class _Inspected:
    """The content, and what several checks want to know of it."""

    def __init__(self, content: BoardContent, words: Words) -> None:
        self.content = content
        self.words = words
        self.hexes = content.hexes
        self.by_label = content.by_label
        self.near: nx.Graph[Hex] = nx.Graph()
        self.near.add_nodes_from(self.hexes)
        self.near.add_edges_from((h, other) for h in self.hexes for other in self.around(h))
        self.water = frozenset(h for h, printed in content.hexes.items() if self.means(printed.terrain, words.water))
        self.closed = frozenset(side for side in content.sides if self.features(side, words.water | words.closed))

    def means(self, name: str, parts: frozenset[str]) -> bool:
        return not parts.isdisjoint(re.split("[-_ ]", name))

    def features(self, side: Hexside, parts: frozenset[str]) -> list[str]:
        return sorted(name for name in self.content.sides.get(side, ()) if self.means(name, parts))

    def labels(self, hexes: Iterable[Hex]) -> tuple[str, ...]:
        return tuple(self.hexes[h].labels[0] for h in hexes if h in self.hexes)

    def around(self, h: Hex) -> list[Hex]:
        return [other for other in neighbours(h) if other in self.hexes]

    def at_edge(self, h: Hex) -> bool:
        return len(self.around(h)) < 6

    def parts(self, labels: Iterable[str]) -> list[set[Hex]]:
        """The groups of hexes that touch, the greatest first."""
        return _pieces(self.near.subgraph([self.by_label[label] for label in labels]))


def _pieces(graph: nx.Graph[Hex]) -> list[set[Hex]]:
    return sorted(nx.connected_components(graph), key=lambda piece: (-len(piece), min(piece)))


def _labels(board: _Inspected) -> Iterator[Finding]:
    for label, right in misprints(board.by_label, board.content.orientation):
        yield Finding("error", "label", (label,), f"stands where {right} belongs")


# -- labels out of their series: one way of numbering explains nearly all labels of a sheet, whatever it is ---------------------

_NUMBERED: Final = re.compile("([A-Za-z]*)([0-9]+)")

_SERIES: Final = 0.75
"""The share of labels that one way of numbering must explain; where none does, the hexes are not numbered by their place."""


def misprints(by_label: Mapping[str, Hex], orientation: Orientation) -> Iterator[tuple[str, str]]:
    """Each label that is out of its series, and what should stand there instead.

    Args:
        by_label: the hex of each label; labels with other prefixes or of other lengths are series of their own.
        orientation: how the hexes stand.
    """
    series: dict[tuple[str, int], dict[str, Hex]] = {}
    for label, h in by_label.items():
        found = _NUMBERED.fullmatch(label)
        if found is not None and len(found[2]) % 2 == 0:
            series.setdefault((found[1], len(found[2]) // 2), {})[label] = h
    for (prefix, digits), labelled in series.items():
        codec, origin, explained = max(
            (_explained(codec, labelled) for codec in _codecs(orientation, prefix, digits)), key=lambda it: it[2]
        )
        if explained < _SERIES * len(labelled):
            continue
        for label, h in labelled.items():
            column, row = codec.numbers(Hex(h.q - origin.q, h.r - origin.r))
            right = codec.text(column, row) if min(column, row) >= 0 and max(column, row) < 10**digits else "no such number"
            if label != right:
                yield label, right


def _explained(codec: LabelCodec, labelled: Mapping[str, Hex]) -> tuple[LabelCodec, Hex, int]:
    """Where counting must have started for most labels to be right, and how many then are."""
    pairs = [(h, codec.hex(label)) for label, h in labelled.items()]
    ((origin, number),) = Counter(Hex(h.q - meant.q, h.r - meant.r) for h, meant in pairs).most_common(1)
    return codec, origin, number


def _codecs(orientation: Orientation, prefix: str, digits: int) -> Iterator[LabelCodec]:
    """Every way of numbering; one direction of the shift will do, since odd lines shifted back are even lines shifted on."""
    for shifted, order, upwards in product(get_args(Parity), get_args(Order), (False, True)):
        yield LabelCodec(
            layout="columns" if orientation == "flat" else "rows",
            shifted=shifted,
            shift="down" if orientation == "flat" else "east",
            order=order,
            first_column=0,
            first_row=0,
            rows_from="south" if upwards else "north",
            digits=digits,
            prefix=prefix,
        )


# -- everything else -------------------------------------------------------------------------------------------------------------


def _places(board: _Inspected) -> Iterator[Finding]:
    for place in board.content.places:
        if len(board.parts(place.hexes)) > 1:
            yield Finding("warning", "place", place.hexes, f"the hexes of {place.name} do not touch")
        if drowned := tuple(label for label in place.hexes if board.by_label[label] in board.water):
            yield Finding("warning", "place", drowned, f"{place.name} lies in the water")


def _land(board: _Inspected) -> Iterator[Finding]:
    """Hexes on their own, and land that cannot be reached: water around it makes an island, nothing around it a mistake."""
    alone = set(nx.isolates(board.near)) if len(board.hexes) > 1 else set()
    for label in board.labels(sorted(alone)):
        yield Finding("error", "isolated", (label,), "has no neighbour on the map")
    closed = [side.hexes for side in board.closed if not board.content.links.get(side)]
    for piece in _pieces(nx.restricted_view(board.near, board.water | alone, closed))[1:]:
        shore = any(other not in piece for h in piece for other in board.around(h))
        hexes = board.labels(sorted(piece))
        size = f"{_count(len(piece), 'hex', 'hexes')} of land"
        if shore:
            yield Finding("warning", "unreachable", hexes, f"{size} behind water")
        else:
            yield Finding("error", "unreachable", hexes, f"{size} that nothing joins to the rest")


def _links(board: _Inspected) -> Iterator[Finding]:
    kinds = sorted({kind for names in board.content.links.values() for kind in names})
    for kind in kinds:
        sides = [side for side, names in board.content.links.items() if kind in names]
        yield from _nets(board, kind, sides)
        wet = sorted({h for side in sides for h in side.hexes} & board.water)
        if wet:
            yield Finding("warning", "link", board.labels(wet), f"{kind} runs through water")


def _nets(board: _Inspected, kind: str, sides: list[Hexside]) -> Iterator[Finding]:
    """Nets that one more link would join were one net; others may be joined beyond the edge, or were never one."""
    nets = _pieces(nx.Graph([side.hexes for side in sides]))
    net_of = {h: number for number, net in enumerate(nets) for h in net}
    for net in nets[1:]:
        gap = next(_gaps(board, net_of, sorted(net)), None)
        size = f"a {kind} net of {_count(len(net), 'hex', 'hexes')}"
        if gap is not None:
            other = len(nets[net_of[gap[1]]])
            yield Finding("error", "link", board.labels(gap), f"{size} ends one step from a net of {other}")
        else:
            yield Finding("warning", "link", board.labels(sorted(net)), f"{size} is joined to no other")


def _gaps(board: _Inspected, net_of: dict[Hex, int], net: list[Hex]) -> Iterator[tuple[Hex, Hex]]:
    """Pairs of adjacent hexes of two nets, inside the map: at its edge lines leave, and may be joined beyond it."""
    for a in net:
        for b in board.around(a):
            apart = net_of.get(b, net_of[a]) != net_of[a] and Hexside.between(a, b) not in board.closed
            if apart and not board.at_edge(a) and not board.at_edge(b):
                yield a, b


def _rivers(board: _Inspected) -> Iterator[Finding]:
    graph: nx.Graph[Vertex] = nx.Graph()
    for side in sorted(board.content.sides):
        if board.features(side, board.words.river):
            graph.add_edge(*side.vertices)
            if board.water.issuperset(side.hexes):
                yield Finding("warning", "river", board.labels(side.hexes), "a river runs between two hexes of water")
    yield from _rings(board, graph)
    systems = sorted((set(system) for system in nx.connected_components(graph)), key=min)
    system_of = {v: number for number, system in enumerate(systems) for v in system}
    tied = [any(_is_tied(board, v) for v in system) for system in systems]
    told: set[frozenset[int]] = set()
    for number, system in enumerate(systems):
        loose = sorted(v for v in system if graph.degree(v) == 1 and not _is_tied(board, v))
        if loose and not tied[number]:
            around = board.labels(dict.fromkeys(h for v in loose for h in v.hexes))
            sides = graph.subgraph(system).number_of_edges()
            yield Finding("error", "river", around, f"a river of {_count(sides, 'hexside', 'hexsides')} has no mouth")
        for v in loose:
            for other in v.neighbours:
                pair = frozenset((number, system_of.get(other, number)))
                if len(pair) == 2 and pair not in told and all(tied[it] for it in pair):
                    told.add(pair)
                    how = "from the end of another" if graph.degree(other) == 1 else "short of another"
                    yield Finding("warning", "river", board.labels(v.hexes), f"a river ends one hexside {how}")


def _rings(board: _Inspected, graph: nx.Graph[Vertex]) -> Iterator[Finding]:
    """Rivers that close a ring: first around single hexes, each of which is told, then around more."""
    single = {h for h in board.hexes if all(graph.has_edge(*Hexside.of(h, d).vertices) for d in range(6))}
    rings = [[h] for h in sorted(single)]
    for ring in nx.cycle_basis(graph):
        outline = Polygon([vertex_point(v, board.content.orientation) for v in ring])
        inside = [h for h in board.hexes if contains_xy(outline, *centre(h, board.content.orientation))]
        if not single.issuperset(inside):
            rings.append(inside)
    for hexes in rings:
        yield Finding("warning", "river", board.labels(hexes), f"{_count(len(hexes), 'hex', 'hexes')} with rivers all around")


def _is_tied(board: _Inspected, v: Vertex) -> bool:
    return any(h not in board.hexes or h in board.water for h in v.hexes) or any(side in board.closed for side in v.hexsides)


def _bridges(board: _Inspected) -> Iterator[Finding]:
    for side in sorted(board.content.sides):
        for bridge in board.features(side, board.words.bridge):
            if not board.features(side, board.words.river | board.words.water):
                yield Finding("error", "bridge", board.labels(side.hexes), f"a {bridge} without a river")
            if not board.content.links.get(side) and board.hexes.keys() >= set(side.hexes):
                yield Finding("warning", "bridge", board.labels(side.hexes), f"a {bridge} that no link crosses")


def _areas(board: _Inspected) -> Iterator[Finding]:
    """Areas without hexes or in pieces. Where most hexes stand alone, as supply sources do, it is a list and may fall apart."""
    for name, labels in board.content.areas.items():
        if not labels:
            yield Finding("warning", "area", (), f"the area {name} has no hexes")
        parts = board.parts(labels)
        alone = sum(len(part) == 1 for part in parts)
        if len(parts) > 1 and 2 * alone <= len(labels):
            sizes = ", ".join(str(len(part)) for part in parts)
            yield Finding("warning", "area", board.labels(sorted(parts[-1])), f"the area {name} is in pieces of {sizes}")


def _sheets(board: _Inspected, sheets: list[BoardContent]) -> Iterator[Finding]:
    """Hexes and hexsides that two sheets show must look alike on both; on the board the upper one is seen."""
    laid = [_laid(board, sheet) for sheet in sheets if not board.by_label.keys().isdisjoint(sheet.by_label)]
    for number, (upper_id, upper) in enumerate(laid):
        for lower_id, lower in laid[:number]:
            for key in sorted(upper.keys() & lower.keys(), key=str):
                if upper[key] != lower[key]:
                    what, hexes = key
                    told = f"{what} {_named(lower[key])} on {lower_id} but {_named(upper[key])} on {upper_id}"
                    yield Finding("warning", "sheet", board.labels(hexes), told)


def _laid(board: _Inspected, sheet: BoardContent) -> tuple[str, dict[tuple[str, tuple[Hex, ...]], frozenset[str]]]:
    """What a sheet says of each hex and side of the board that it shows."""
    here, there = next((h, board.by_label[it.labels[0]]) for h, it in sheet.hexes.items() if it.labels[0] in board.by_label)
    placed = sheet.moved(Hex(there.q - here.q, there.r - here.r))
    said: dict[tuple[str, tuple[Hex, ...]], frozenset[str]] = {}
    for h, printed in placed.hexes.items():
        said["terrain", (h,)] = frozenset({printed.terrain})
        for other in neighbours(h):
            side = Hexside.between(h, other)
            said["hexside", side.hexes] = placed.sides.get(side, frozenset())
            if other in placed.hexes:
                said["link", side.hexes] = placed.links.get(side, frozenset())
    return sheet.id, said


def _named(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number} {many}"


_CHECKS: Final[tuple[Callable[[_Inspected], Iterator[Finding]], ...]] = (
    _labels,
    _places,
    _land,
    _links,
    _rivers,
    _bridges,
    _areas,
)
