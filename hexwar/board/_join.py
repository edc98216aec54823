"""Several sheets put together into one board.

A later sheet lies on top of the earlier ones, as on a table: what is printed in the hexes that it covers is hidden, and they
keep their old labels only as further names. A side or link that touches an uncovered hex is still seen; there both sheets count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hexwar.board._content import NOTHING, BoardContent, HexContent, Place
from hexwar.board._features import FeatureReader, placed
from hexwar.errors import ContentError, UnknownName
from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside, Orientation, neighbour

if TYPE_CHECKING:
    from hexwar.board._mapfile import BoardFile, SheetPart

_NOWHERE: Final = Hex(0, 0)
_JOIN: Final = re.compile(r"^\s*(\w+)\s+(?:on|(\w+)\s+of)\s+(\w+)\s*$")


@dataclass(frozen=True, slots=True)
class _Laid:
    """A sheet in its place, with everything in board coordinates."""

    content: BoardContent
    offset: Hex

    def at(self, h: Hex) -> Hex:
        return Hex(h.q + self.offset.q, h.r + self.offset.r)

    def side(self, side: Hexside) -> Hexside:
        return Hexside(self.at(side.hex), side.d) if self.offset != _NOWHERE else side


class Join:
    """The content of a board file.

    Args:
        source: what messages call the file.
        keys: the board file.
        load: gives the content of a sheet by its map id.
    """

    def __init__(self, source: str, keys: BoardFile, load: Callable[[str], BoardContent]) -> None:
        self._source = source
        self._keys = keys
        self._by_label: dict[str, Hex] = {}
        self._place_names: dict[str, str] = {}
        self._orientation: Orientation = "flat"
        laid: list[_Laid] = []
        for number, part in enumerate(keys.sheet, 1):
            laid.append(self._lay(part, f"sheet #{number}", load(part.map), first=number == 1))
        self._hexes = self._stack_hexes(laid)
        terrain_names = tuple(dict.fromkeys(name for sheet in laid for name in sheet.content.terrain_names))
        self._add_overrides(terrain_names)
        reader = self._reader()
        places = self._stack_places(laid)
        for place, hexes in reader.places():
            self._add_place(places, placed(place, [self._hexes[h].labels[0] for h in hexes]))
        areas = self._stack_areas(laid)
        for name, hexes in reader.areas().items():
            areas.setdefault(name, {}).update(dict.fromkeys(self._hexes[h].labels[0] for h in hexes))
        provenance = dict(keys.provenance)
        provenance["sheets"] = MappingProxyType({sheet.content.id: sheet.content.provenance for sheet in laid})
        self.content = BoardContent(
            id=keys.id,
            title=keys.title,
            orientation=self._orientation,
            hexes=self._hexes,
            sides=_stacked([(sheet, sheet.content.sides) for sheet in laid], reader.sides()),
            links=_stacked([(sheet, sheet.content.links) for sheet in laid], reader.links()),
            places=tuple(places.values()),
            areas={name: tuple(labels) for name, labels in areas.items()},
            terrain_names=terrain_names,
            provenance=MappingProxyType(provenance),
        )

    def _lay(self, part: SheetPart, where: str, content: BoardContent, *, first: bool) -> _Laid:
        if first:
            if part.join:
                raise ContentError(
                    self._source, where, "the first sheet has nothing to be joined to; give the join to a later one"
                )
            self._orientation = content.orientation
            laid = _Laid(content, Hex(0, 0))
        else:
            if content.orientation != self._orientation:
                raise ContentError(
                    self._source, where, f"the hexes of {part.map} are {content.orientation}, those before it {self._orientation}"
                )
            if not part.join:
                raise ContentError(self._source, where, "join is missing: say where this sheet lies, such as 'S0101 on L0121'")
            offsets = [self._offset(text, where, content) for text in part.join]
            for text, offset in zip(part.join, offsets, strict=True):
                if offset != offsets[0]:
                    raise ContentError(self._source, where, f"the seams {part.join[0]!r} and {text!r} contradict each other")
            laid = _Laid(content, offsets[0])
        for h, printed in content.hexes.items():
            for label in printed.labels:
                if self._by_label.setdefault(label, laid.at(h)) != laid.at(h):
                    raise ContentError(
                        self._source,
                        where,
                        f"the label {label} of {part.map} is already taken; give the sheets different prefixes",
                    )
        return laid

    def _offset(self, text: str, where: str, content: BoardContent) -> Hex:
        found = _JOIN.match(text)
        if found is None:
            raise ContentError(self._source, where, f"{text!r} is no seam; write 'S0101 on L0121' or 'K0101 S of S0130'")
        own, name, other = found.groups()
        own_hexes = {label: h for h, printed in content.hexes.items() for label in printed.labels}
        if own not in own_hexes:
            hint = UnknownName(f"hex of {content.id}", own, own_hexes)
            raise ContentError(self._source, where, f"in the seam {text!r}, {hint}")
        if other not in self._by_label:
            hint = UnknownName("hex of the sheets before it", other, self._by_label)
            raise ContentError(self._source, where, f"in the seam {text!r}, {hint}")
        target = self._by_label[other]
        if name is not None:
            names = DIRECTION_NAMES[self._orientation]
            if name not in names:
                raise ContentError(
                    self._source, where, f"in the seam {text!r}, {name!r} is no direction here; use {' '.join(names)}"
                )
            target = neighbour(target, names.index(name))
        return Hex(target.q - own_hexes[own].q, target.r - own_hexes[own].r)

    def _reader(self) -> FeatureReader:
        return FeatureReader(self._source, self._keys, self._orientation, self._find, self._no_span)

    def _find(self, label: str, where: str) -> Hex:
        if label not in self._by_label:
            raise ContentError(self._source, where, f"{UnknownName('hex', label, self._by_label)}")
        return self._by_label[label]

    def _no_span(self, first: str, last: str, where: str) -> list[str]:
        raise ContentError(
            self._source, where, f"{first}..{last} cannot be used here, where several sheets have their own numbers"
        )

    def _add_overrides(self, known: tuple[str, ...]) -> None:
        for h, part in self._reader().overrides().items():
            printed = self._hexes[h]
            if part.terrain is not None and part.terrain not in known:
                raise ContentError(self._source, f"hex {part.hex}", f"{UnknownName('terrain', part.terrain, known)}")
            properties = MappingProxyType({**printed.properties, **part.properties})
            self._hexes[h] = replace(printed, terrain=part.terrain or printed.terrain, properties=properties)

    def _stack_hexes(self, laid: list[_Laid]) -> dict[Hex, HexContent]:
        found: dict[Hex, HexContent] = {}
        for sheet in laid:
            for local, printed in sheet.content.hexes.items():
                h = sheet.at(local)
                if h in found:
                    labels = tuple(dict.fromkeys(printed.labels + found[h].labels))
                    printed = HexContent(labels, printed.terrain, printed.properties)
                found[h] = printed
        return found

    def _on_top(self, label: str) -> bool:
        """Whether a label is the primary one of its hex, so that what its sheet prints there is seen."""
        return self._hexes[self._by_label[label]].labels[0] == label

    def _stack_places(self, laid: list[_Laid]) -> dict[str, Place]:
        found: dict[str, Place] = {}
        for sheet in laid:
            for place in sheet.content.places:
                seen = tuple(label for label in place.hexes if self._on_top(label))
                if seen:
                    self._add_place(found, replace(place, hexes=seen))
        return found

    def _add_place(self, found: dict[str, Place], place: Place) -> None:
        """Adds a place; one that is cut by the edge of a sheet is put together again by its name."""
        for label in sorted(place.hexes):
            other = self._place_names.setdefault(label, place.name)
            if other != place.name:
                raise ContentError(
                    self._source, f"place {place.name}", f"hex {label} already holds {other}; a hex holds one place"
                )
        below = found.get(place.name)
        if below is not None:
            if below.kind != place.kind:
                raise ContentError(
                    self._source, f"place {place.name}", f"is a {below.kind} on one sheet and a {place.kind} on another"
                )
            place = replace(place, hexes=tuple(dict.fromkeys(place.hexes + below.hexes)))
        found[place.name] = place

    def _stack_areas(self, laid: list[_Laid]) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        for sheet in laid:
            for name, labels in sheet.content.areas.items():
                found.setdefault(name, {}).update(dict.fromkeys(label for label in labels if self._on_top(label)))
        return found


def _stacked(
    layers: list[tuple[_Laid, Mapping[Hexside, frozenset[str]]]], own: dict[Hexside, frozenset[str]]
) -> dict[Hexside, frozenset[str]]:
    """What is seen of the sides or links of all sheets, and what the board file adds."""
    found: dict[Hexside, frozenset[str]] = {}
    for sheet, sides in layers:
        if found:
            covering = {sheet.at(h) for h in sheet.content.hexes}
            # The first hex is tested on its own: most sides lie on one sheet only, and naming both hexes costs time.
            found = {
                side: names for side, names in found.items() if side.hex not in covering or not covering.issuperset(side.hexes)
            }
        for local, names in sides.items():
            side = sheet.side(local)
            found[side] = found.get(side, NOTHING) | names
    for side, names in own.items():
        found[side] = found.get(side, NOTHING) | names
    return found
