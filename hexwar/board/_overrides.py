"""Corrections that are applied to a map when it is loaded.

The bundled maps are reconstructed where no source says; anyone who owns the printed game can correct any hex in a
small file of their own, without touching the map or rebuilding it. A board with corrections has another digest, so a saved game
notices when they are missing.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from hexwar.board._content import NOTHING, BoardContent
from hexwar.board._features import Features, Printed, merged, together
from hexwar.errors import ContentError, UnknownName

if TYPE_CHECKING:
    from hexwar.board._mapfile import OverridesFile


def corrected(source: str, keys: OverridesFile, content: BoardContent) -> BoardContent:
    """The content with the corrections of one file.

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
        provenance=MappingProxyType({**content.provenance, "overrides": MappingProxyType(dict(note))}),
    )


def _without(printed: Printed, removed: Printed) -> Printed:
    left = {side: names - removed.get(side, NOTHING) for side, names in printed.items()}
    return {side: names for side, names in left.items() if names}
