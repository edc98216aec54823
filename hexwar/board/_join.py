"""Several sheets put together into one board.

A later sheet lies on top of the earlier ones, as on a table: what is printed in the hexes that it covers is hidden, and they
keep their old labels only as further names. A side or link that touches an uncovered hex is still seen; there both sheets count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexwar.board._content import BoardContent, HexContent
from hexwar.board._features import Features, Printed, merged, together
from hexwar.errors import ContentError, UnknownName
from hexwar.hexes import DIRECTION_NAMES, Hex, neighbour

if TYPE_CHECKING:
    from hexwar.board._mapfile import BoardFile, SheetPart

_JOIN: Final = re.compile(r"^\s*(\w+)\s+(?:on|(\w+)\s+of)\s+(\w+)\s*$")


def joined(source: str, keys: BoardFile, load: Callable[[str], BoardContent]) -> BoardContent:
    """The content of a board file.

    Args:
        source: what messages call the file.
        keys: the board file.
        load: gives the content of a sheet by its map id.
    """
    sheets: list[BoardContent] = []
    known: dict[str, Hex] = {}
    for number, part in enumerate(keys.sheet, 1):
        sheet = _Seams(source, f"sheet #{number}", part, load(part.map), known).placed(sheets)
        known |= sheet.by_label
        sheets.append(sheet)
    hexes = _stacked_hexes(sheets)
    seen = {printed.labels[0] for printed in hexes.values()}
    visible = [sheet.within(seen) for sheet in sheets]
    areas: dict[str, dict[str, None]] = {}
    for sheet in visible:
        for name, labels in sheet.areas.items():
            areas.setdefault(name, {}).update(dict.fromkeys(labels))
    below = BoardContent(
        id=keys.id,
        title=keys.title,
        orientation=sheets[0].orientation,
        hexes=hexes,
        sides=_stacked(sheets, lambda sheet: sheet.sides),
        links=_stacked(sheets, lambda sheet: sheet.links),
        places=together(source, (place for sheet in visible for place in sheet.places)),
        areas={name: tuple(labels) for name, labels in areas.items()},
        terrain_names=tuple(dict.fromkeys(name for sheet in sheets for name in sheet.terrain_names)),
        provenance={**keys.provenance, "sheets": {sheet.id: sheet.provenance for sheet in sheets}},
    )
    return Features(source, keys, below).added()


@dataclass(frozen=True, slots=True)
class _Seams:
    """Where one sheet lies, by the seams that it shares with those below it."""

    source: str
    where: str
    part: SheetPart
    sheet: BoardContent
    known: dict[str, Hex]

    def placed(self, below: list[BoardContent]) -> BoardContent:
        """The sheet in the coordinates of the board."""
        part, sheet = self.part, self.sheet
        if not below and part.join:
            raise self._wrong("the first sheet has nothing to be joined to; give the join to a later one")
        if below and sheet.orientation != below[0].orientation:
            raise self._wrong(f"the hexes of {part.map} are {sheet.orientation}, those before it {below[0].orientation}")
        if below and not part.join:
            raise self._wrong("join is missing: say where this sheet lies, such as 'S0101 on L0121'")
        offsets = {seam: self._offset(seam) for seam in part.join}
        for seam, offset in offsets.items():
            if offset != offsets[part.join[0]]:
                raise self._wrong(f"the seams {part.join[0]!r} and {seam!r} contradict each other")
        found = sheet.moved(offsets[part.join[0]]) if offsets else sheet
        for label, h in found.by_label.items():
            if self.known.get(label, h) != h:
                raise self._wrong(f"the label {label} of {part.map} is already taken; give the sheets different prefixes")
        return found

    def _offset(self, seam: str) -> Hex:
        parts = _JOIN.match(seam)
        if parts is None:
            raise self._wrong(f"{seam!r} is no seam; write 'S0101 on L0121' or 'K0101 S of S0130'")
        own, name, other = parts.groups()
        start = self._hex(seam, own, self.sheet.by_label, f"hex of {self.sheet.id}")
        target = self._hex(seam, other, self.known, "hex of the sheets before it")
        if name is not None:
            names = DIRECTION_NAMES[self.sheet.orientation]
            if name not in names:
                raise self._wrong(f"in the seam {seam!r}, {name!r} is no direction here; use {' '.join(names)}")
            target = neighbour(target, names.index(name))
        return Hex(target.q - start.q, target.r - start.r)

    def _hex(self, seam: str, label: str, hexes: dict[str, Hex], what: str) -> Hex:
        if label not in hexes:
            raise self._wrong(f"in the seam {seam!r}, {UnknownName(what, label, hexes)}")
        return hexes[label]

    def _wrong(self, mistake: str) -> ContentError:
        return ContentError(self.source, self.where, mistake)


def _stacked_hexes(sheets: Iterable[BoardContent]) -> dict[Hex, HexContent]:
    found: dict[Hex, HexContent] = {}
    for sheet in sheets:
        for h, printed in sheet.hexes.items():
            if h in found:
                found[h] = replace(printed, labels=tuple(dict.fromkeys(printed.labels + found[h].labels)))
            else:
                found[h] = printed
    return found


def _stacked(sheets: Iterable[BoardContent], layer: Callable[[BoardContent], Printed]) -> Printed:
    """What is seen of the sides or links of all sheets."""
    found: Printed = {}
    for sheet in sheets:
        over = sheet.hexes
        # The first hex is tested on its own: most sides lie on one sheet only, and naming both hexes costs time.
        seen = {side: names for side, names in found.items() if side.hex not in over or not over.keys() >= set(side.hexes)}
        found = merged(seen, layer(sheet))
    return found
