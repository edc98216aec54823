"""From checked keys to board content: hexsides, links, places and areas, with every label looked up.

Sheets and joined boards share these sections and differ only in how a label becomes a hex, so that is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from hexwar.board._content import NOTHING, Place
from hexwar.errors import ContentError
from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside, Orientation, direction

if TYPE_CHECKING:
    from hexwar.board._mapfile import BoardFile, HexPart, MapFile, OverridesFile, PlacePart

Finder: TypeAlias = Callable[[str, str], Hex]
"""Turns a label into a hex of the map, given where the label stands; raises ContentError."""


class FeatureReader:
    """Reads the sections that name hexes.

    Args:
        source: what messages call the file.
        keys: the file.
        orientation: how the hexes stand, which decides what directions are called.
        find: turns a label into a hex.
        span: the labels from one label to another in the same column or row.
    """

    def __init__(
        self,
        source: str,
        keys: MapFile | BoardFile | OverridesFile,
        orientation: Orientation,
        find: Finder,
        span: Callable[[str, str, str], list[str]],
    ) -> None:
        self._source = source
        self._keys = keys
        self._names = DIRECTION_NAMES[orientation]
        self._find = find
        self._span = span

    def sides(self) -> dict[Hexside, frozenset[str]]:
        """The features of each hexside."""
        found: dict[Hexside, frozenset[str]] = {}
        for feature, runs in self._keys.sides.items():
            for run in runs:
                for word in run.split():
                    for side in self._sides_in(word, f"sides {feature}"):
                        found[side] = found.get(side, NOTHING) | {feature}
        return found

    def links(self) -> dict[Hexside, frozenset[str]]:
        """The kinds of link across each hexside."""
        found: dict[Hexside, frozenset[str]] = {}
        for kind, chains in self._keys.links.items():
            where = f"links {kind}"
            for chain in chains:
                labels = chain.split()
                if len(labels) < 2:
                    raise ContentError(self._source, where, f"the chain {chain!r} needs at least two hexes")
                hexes = [self._find(label, where) for label in labels]
                for k in range(len(hexes) - 1):
                    side = self._between(labels[k], hexes[k], labels[k + 1], hexes[k + 1], where)
                    found[side] = found.get(side, NOTHING) | {kind}
        return found

    def places(self) -> Iterator[tuple[PlacePart, list[Hex]]]:
        """Each named place with its hexes."""
        taken: dict[Hex, str] = {}
        names: set[str] = set()
        for part in self._keys.place:
            where = f"place {part.name}"
            if part.name in names:
                raise ContentError(self._source, where, "two places have this name; give one of them another")
            names.add(part.name)
            labels = part.hex.split()
            if not labels:
                raise ContentError(self._source, where, "hex names no hex; a label belongs there")
            hexes = [self._find(label, where) for label in labels]
            for label, h in zip(labels, hexes, strict=True):
                if h in taken:
                    raise ContentError(self._source, where, f"hex {label} already holds {taken[h]}; a hex holds one place")
                taken[h] = part.name
            yield part, hexes

    def areas(self) -> dict[str, list[Hex]]:
        """The hexes of each area, each once and in the order of the file."""
        found: dict[str, list[Hex]] = {}
        for name, runs in self._keys.areas.items():
            where = f"areas {name}"
            hexes: dict[Hex, None] = {}
            for run in runs:
                for word in run.split():
                    first, dots, last = word.partition("..")
                    labels = self._span(first, last, where) if dots else [word]
                    hexes.update(dict.fromkeys(self._find(label, where) for label in labels))
            found[name] = list(hexes)
        return found

    def overrides(self) -> dict[Hex, HexPart]:
        """The entries for single hexes."""
        found: dict[Hex, HexPart] = {}
        for part in self._keys.hex:
            h = self._find(part.hex, "hex")
            if h in found:
                raise ContentError(self._source, f"hex {part.hex}", "has two [[hex]] entries; put them together into one")
            found[h] = part
        return found

    def _sides_in(self, word: str, where: str) -> Iterator[Hexside]:
        if "|" in word:
            a, _, b = word.partition("|")
            yield self._between(a, self._find(a, where), b, self._find(b, where), where)
            return
        label, *names = word.split("/")
        if not names:
            raise ContentError(
                self._source, where, f"{word!r} is no hexside; write {label}/{self._names[0]}, or two hexes with | between them"
            )
        h = self._find(label, where)
        for name in names:
            if name not in self._names:
                raise ContentError(
                    self._source, where, f"in {word!r}, {name!r} is no direction here; use {' '.join(self._names)}"
                )
            yield Hexside.of(h, self._names.index(name))

    def _between(self, a: str, hex_a: Hex, b: str, hex_b: Hex, where: str) -> Hexside:
        try:
            return Hexside.of(hex_a, direction(hex_a, hex_b))
        except ValueError:
            raise ContentError(self._source, where, f"the hexes {a} and {b} are not adjacent") from None


def placed(part: PlacePart, labels: list[str]) -> Place:
    """The place that an entry describes."""
    return Place(part.name, part.kind, tuple(labels), part.value, frozenset(part.tags))
