"""The sections of map files that name hexes: single hexes, hexsides, links, places and areas.

Sheets, boards of several sheets and corrections share them. Each brings the content that it starts from; what its file says
is then put onto that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from hexwar.board._content import NOTHING, BoardContent, HexContent, Place
from hexwar.errors import ContentError, UnknownName
from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside

if TYPE_CHECKING:
    from hexwar.board._mapfile import BoardFile, MapFile, OverridesFile

Printed: TypeAlias = Mapping[Hexside, frozenset[str]]
"""What lies on hexsides: features, or kinds of link."""


class Features:
    """Reads the sections of one file.

    Args:
        source: what messages call the file.
        keys: the file.
        content: the hexes that it speaks of, and what is known of them already.
    """

    def __init__(self, source: str, keys: MapFile | BoardFile | OverridesFile, content: BoardContent) -> None:
        self._source = source
        self._keys = keys
        self._content = content
        # Every label that a file mentions is looked up, most of them often: a dict is several times faster than a codec.
        self._by_label = content.by_label

    def added(self) -> BoardContent:
        """The content together with everything that the file says."""
        content, keys = self._content, self._keys
        areas = dict(content.areas)
        for name, labels in self.areas().items():
            areas[name] = tuple(dict.fromkeys((*areas.get(name, ()), *labels)))
        return replace(
            content,
            hexes=self.hexes(),
            sides=merged(content.sides, self.sides(keys.sides)),
            links=merged(content.links, self.links(keys.links)),
            places=together(self._source, (*content.places, *self.places())),
            areas=areas,
        )

    def hexes(self) -> dict[Hex, HexContent]:
        """All hexes, those with an entry of their own as it says."""
        found, named, terrains = dict(self._content.hexes), set(), self._content.terrain_names
        for part in self._keys.hex:
            h = self._find(part.hex, "hex")
            if h in named:
                raise ContentError(self._source, f"hex {part.hex}", "has two [[hex]] entries; put them together into one")
            named.add(h)
            old = found[h]
            terrain = old.terrain if part.terrain is None else part.terrain
            if terrain not in terrains:
                raise ContentError(self._source, f"hex {part.hex}", f"{UnknownName('terrain', terrain, terrains)}")
            found[h] = HexContent(old.labels, terrain, {**old.properties, **part.properties})
        return found

    def sides(self, table: Mapping[str, Iterable[str]]) -> Printed:
        """The features of each hexside in a table of runs."""
        words = ((feature, word) for feature, runs in table.items() for run in runs for word in run.split())
        return _gathered((side, feature) for feature, word in words for side in self._sides_in(word, f"sides {feature}"))

    def links(self, table: Mapping[str, Iterable[str]]) -> Printed:
        """The kinds of link across each hexside in a table of chains."""
        return _gathered(
            (side, kind) for kind, chains in table.items() for chain in chains for side in self._crossed(chain, kind)
        )

    def places(self) -> Iterator[Place]:
        """The named places."""
        names: set[str] = set()
        for part in self._keys.place:
            where = f"place {part.name}"
            if part.name in names:
                raise ContentError(self._source, where, "two places have this name; give one of them another")
            names.add(part.name)
            labels = self._primary(part.hex.split(), where)
            if not labels:
                raise ContentError(self._source, where, "hex names no hex; a label belongs there")
            yield Place(part.name, part.kind, labels, part.value, frozenset(part.tags))

    def areas(self) -> dict[str, tuple[str, ...]]:
        """The hexes of each area, each once and in the order of the file."""
        found = {}
        for name, runs in self._keys.areas.items():
            words = [word.partition("..") for run in runs for word in run.split()]
            spans = [self._span(first, last, f"areas {name}") if dots else [first] for first, dots, last in words]
            found[name] = self._primary((label for span in spans for label in span), f"areas {name}")
        return found

    def _find(self, label: str, where: str) -> Hex:
        """The hex that a label means, given where the label stands."""
        try:
            return self._by_label[label]
        except KeyError:
            raise ContentError(self._source, where, f"{UnknownName('hex', label, self._by_label)}") from None

    def _span(self, first: str, last: str, where: str) -> list[str]:
        """The labels from one to another in the same column or row."""
        raise ContentError(self._source, where, f"{first}..{last} cannot be used here; name each hex")

    def _primary(self, labels: Iterable[str], where: str) -> tuple[str, ...]:
        hexes = self._content.hexes
        return tuple(dict.fromkeys(hexes[self._find(label, where)].labels[0] for label in labels))

    def _crossed(self, chain: str, kind: str) -> list[Hexside]:
        labels = chain.split()
        if len(labels) < 2:
            raise ContentError(self._source, f"links {kind}", f"the chain {chain!r} needs at least two hexes")
        return [self._between(a, b, f"links {kind}") for a, b in pairwise(labels)]

    def _sides_in(self, word: str, where: str) -> list[Hexside]:
        first, bar, second = word.partition("|")
        if bar:
            return [self._between(first, second, where)]
        label, *names = word.split("/")
        known = DIRECTION_NAMES[self._content.orientation]
        if not names:
            raise ContentError(
                self._source, where, f"{word!r} is no hexside; write {label}/{known[0]}, or two hexes with | between them"
            )
        for name in names:
            if name not in known:
                raise ContentError(self._source, where, f"in {word!r}, {name!r} is no direction here; use {' '.join(known)}")
        h = self._find(label, where)
        return [Hexside.of(h, known.index(name)) for name in names]

    def _between(self, a: str, b: str, where: str) -> Hexside:
        one, other = self._find(a, where), self._find(b, where)
        try:
            return Hexside.between(one, other)
        except ValueError:
            raise ContentError(self._source, where, f"the hexes {a} and {b} are not adjacent") from None


def corrected(source: str, keys: OverridesFile, content: BoardContent) -> BoardContent:
    """The content with the corrections of one file, which are applied to a map when it is loaded.

    The bundled maps are reconstructed where no source says; anyone who owns the printed game can correct any hex in a small file
    of their own, without touching the map or rebuilding it. A board with corrections has another digest, so a saved game notices
    when they are missing.

    Args:
        source: what messages call the file.
        keys: the file.
        content: of the sheet or board that it corrects.

    Raises:
        ContentError: if they name a hex or place that is not there, or contradict each other.
    """
    read, remove = Features(source, keys, content), keys.remove
    places = {place.name: place for place in content.places}
    for name in remove.places:
        if places.pop(name, None) is None:
            raise ContentError(source, "remove places", f"{UnknownName('place', name, places)}")
    places.update((place.name, place) for place in read.places())
    note = keys.provenance or {"source": keys.title or source}
    return replace(
        content,
        hexes=read.hexes(),
        sides=merged(_without(content.sides, read.sides(remove.sides)), read.sides(keys.sides)),
        links=merged(_without(content.links, read.links(remove.links)), read.links(keys.links)),
        places=together(source, places.values()),
        areas={**content.areas, **read.areas()},
        provenance={**content.provenance, "overrides": note},
    )


def _without(printed: Printed, removed: Printed) -> Printed:
    left = {side: names - removed.get(side, NOTHING) for side, names in printed.items()}
    return {side: names for side, names in left.items() if names}


def merged(below: Printed, above: Printed) -> dict[Hexside, frozenset[str]]:
    """What lies on the sides of two layers."""
    return {**below, **above, **{side: below[side] | names for side, names in above.items() if side in below}}


def together(source: str, places: Iterable[Place]) -> tuple[Place, ...]:
    """Places, at most one to a hex; one that the edge of a sheet cuts is put together again by its name.

    Args:
        source: what messages call the file.
        places: from below to above.

    Raises:
        ContentError: two of them share a hex, or two parts of one are of different kinds.
    """
    found: dict[str, Place] = {}
    holds: dict[str, str] = {}
    for place in places:
        for label in place.hexes:
            other = holds.setdefault(label, place.name)
            if other != place.name:
                raise ContentError(source, f"place {place.name}", f"hex {label} already holds {other}; a hex holds one place")
        below = found.get(place.name, place)
        if below.kind != place.kind:
            raise ContentError(source, f"place {place.name}", f"is a {below.kind} on one sheet and a {place.kind} on another")
        found[place.name] = replace(place, hexes=tuple(dict.fromkeys(place.hexes + below.hexes)))
    return tuple(found.values())


def _gathered(pairs: Iterable[tuple[Hexside, str]]) -> Printed:
    found: dict[Hexside, frozenset[str]] = {}
    for side, name in pairs:
        below = found.get(side, NOTHING)
        if name not in below:
            found[side] = _with(below, name)
    return found


@cache
def _with(names: frozenset[str], name: str) -> frozenset[str]:
    """A few sets are on thousands of sides."""
    return names | {name}
