"""Corrections that are applied to a map when it is loaded.

The bundled maps are reconstructed where no source says; anyone who owns the printed game can correct any hex in a
small file of their own, without touching the map or rebuilding it. A board with corrections has another digest, so a saved game
notices when they are missing.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from hexwar.board._content import NOTHING, BoardContent, HexContent, Place
from hexwar.board._features import FeatureReader, placed
from hexwar.errors import ContentError, UnknownName
from hexwar.hexes import Hex, Hexside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexwar.board._mapfile import OverridesFile


class Overrides:
    """One overrides file.

    Args:
        source: what messages call the file.
        keys: the file.
    """

    def __init__(self, source: str, keys: OverridesFile) -> None:
        self._source = source
        self._keys = keys
        self.id = keys.id
        """The sheet or board that it corrects."""

    def apply(self, content: BoardContent) -> BoardContent:
        """The content with the corrections.

        Raises:
            ContentError: if they name a hex or place that is not there, or contradict each other.
        """
        by_label = {label: h for h, printed in content.hexes.items() for label in printed.labels}

        def find(label: str, where: str) -> Hex:
            if label not in by_label:
                raise ContentError(self._source, where, f"{UnknownName('hex', label, by_label)}")
            return by_label[label]

        def no_span(first: str, last: str, where: str) -> list[str]:
            raise ContentError(self._source, where, f"{first}..{last} cannot be used here; name each hex")

        removals = self._keys.model_copy(update={"sides": self._keys.remove.sides, "links": self._keys.remove.links})
        added, removed = (
            FeatureReader(self._source, keys, content.orientation, find, no_span) for keys in (self._keys, removals)
        )
        note = self._keys.provenance or {"source": self._keys.title or self._source}
        return replace(
            content,
            hexes=self._hexes(content, added),
            sides=_changed(content.sides, removed.sides(), added.sides()),
            links=_changed(content.links, removed.links(), added.links()),
            places=self._places(content, added),
            areas={**content.areas, **{name: _labels(content, hexes) for name, hexes in added.areas().items()}},
            provenance=MappingProxyType({**content.provenance, "overrides": MappingProxyType(dict(note))}),
        )

    def _hexes(self, content: BoardContent, added: FeatureReader) -> dict[Hex, HexContent]:
        found = dict(content.hexes)
        for h, part in added.overrides().items():
            printed, known = found[h], content.terrain_names
            if part.terrain is not None and part.terrain not in known:
                raise ContentError(self._source, f"hex {part.hex}", f"{UnknownName('terrain', part.terrain, known)}")
            properties = MappingProxyType({**printed.properties, **part.properties})
            found[h] = HexContent(printed.labels, part.terrain or printed.terrain, properties)
        return found

    def _places(self, content: BoardContent, added: FeatureReader) -> tuple[Place, ...]:
        found = {place.name: place for place in content.places}
        for name in self._keys.remove.places:
            if found.pop(name, None) is None:
                raise ContentError(self._source, "remove places", f"{UnknownName('place', name, found)}")
        for part, hexes in added.places():
            found[part.name] = placed(part, list(_labels(content, hexes)))
        taken: dict[str, str] = {}
        for place in found.values():
            for label in place.hexes:
                if taken.setdefault(label, place.name) != place.name:
                    raise ContentError(
                        self._source, f"place {place.name}", f"hex {label} already holds {taken[label]}; a hex holds one place"
                    )
        return tuple(found.values())


def _labels(content: BoardContent, hexes: list[Hex]) -> tuple[str, ...]:
    return tuple(content.hexes[h].labels[0] for h in hexes)


def _changed(
    old: Mapping[Hexside, frozenset[str]], removed: dict[Hexside, frozenset[str]], added: dict[Hexside, frozenset[str]]
) -> dict[Hexside, frozenset[str]]:
    found = dict(old)
    for side, names in removed.items():
        found[side] = found.get(side, NOTHING) - names
    for side, names in added.items():
        found[side] = found.get(side, NOTHING) | names
    return {side: names for side, names in found.items() if names}
