"""What is printed on a board, as plain values: the form between a map file and the compiled board.

Side features and links are both keyed by the hexside (a link is where a road crosses it), so neither can differ between
the two hexes that share it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from hexwar.hexes import Hex, Hexside, Orientation

NOTHING: Final[frozenset[str]] = frozenset()
_EMPTY: Final[Mapping[Any, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Place:
    """A named place: a town, a port, a fortress; a large city may cover several hexes.

    Args:
        name: as printed.
        kind: the ruleset's word for what it is.
        hexes: the primary labels of its hexes, the first being where its name stands.
        value: what the ruleset counts it for (victory points, supply, size).
        tags: anything else the ruleset asks about.
    """

    name: str
    kind: str
    hexes: tuple[str, ...]
    value: int = 0
    tags: frozenset[str] = NOTHING

    @property
    def hex(self) -> str:
        """The label of its first or only hex."""
        return self.hexes[0]


@dataclass(frozen=True, slots=True)
class HexContent:
    """One hex: its labels, the primary one first, its terrain, and the ruleset's own properties of it."""

    labels: tuple[str, ...]
    terrain: str
    properties: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardContent:
    """A whole board before it is compiled. The order of ``hexes`` is the board's reading order.

    Sides may have one of their hexes off the board: a river along the edge of a sheet matters once another is placed next to it.
    """

    id: str
    title: str = ""
    orientation: Orientation = "flat"
    hexes: Mapping[Hex, HexContent]
    sides: Mapping[Hexside, frozenset[str]] = field(default_factory=lambda: _EMPTY)
    links: Mapping[Hexside, frozenset[str]] = field(default_factory=lambda: _EMPTY)
    places: tuple[Place, ...] = ()
    areas: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    terrain_names: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    @property
    def by_label(self) -> dict[str, Hex]:
        """Every label of every hex -> its hex."""
        return {label: h for h, printed in self.hexes.items() for label in printed.labels}

    def moved(self, by: Hex) -> BoardContent:
        """The same content in other coordinates."""
        return replace(
            self,
            hexes={_moved(h, by): printed for h, printed in self.hexes.items()},
            sides={Hexside(_moved(side.hex, by), side.d): names for side, names in self.sides.items()},
            links={Hexside(_moved(side.hex, by), side.d): names for side, names in self.links.items()},
        )

    def within(self, labels: Collection[str]) -> BoardContent:
        """The same content with only those hexes of places and areas that have some primary labels."""
        places = [replace(place, hexes=tuple(label for label in place.hexes if label in labels)) for place in self.places]
        return replace(
            self,
            places=tuple(place for place in places if place.hexes),
            areas={name: tuple(label for label in area if label in labels) for name, area in self.areas.items()},
        )

    def crop(self, kept: Iterable[Hex]) -> BoardContent:
        """The same content with only some of the hexes; what lies on the others goes with them."""
        wanted = set(kept)
        hexes = {h: content for h, content in self.hexes.items() if h in wanted}
        return replace(
            self.within({content.labels[0] for content in hexes.values()}),
            hexes=hexes,
            sides={side: names for side, names in self.sides.items() if any(h in hexes for h in side.hexes)},
            links={side: names for side, names in self.links.items() if all(h in hexes for h in side.hexes)},
        )


def _moved(h: Hex, by: Hex) -> Hex:
    return Hex(h.q + by.q, h.r + by.r)
