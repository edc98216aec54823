"""Boards as plain values on disk: the next process need neither read and join their sheets nor import what checks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import hexwar.board
import hexwar.hexes
from hexwar import cache
from hexwar.board._content import BoardContent, HexContent, Place
from hexwar.errors import HexwarError
from hexwar.files import Source, read_text
from hexwar.hexes import Hex, Hexside


def kept_content(source: Source, resolve: Callable[[str], Source] | None) -> BoardContent | None:
    """The content of a board as an earlier process found it, if none of its files has changed since."""
    found = cache.recall(_name(source), _key(source))
    try:
        if found is None or any(resolve is None or read != _read(resolve(sheet)) for sheet, read in found[0].items()):
            return None
        return _content(*found[1:])
    except (HexwarError, TypeError, ValueError, AttributeError, IndexError, KeyError):
        return None


def keep_content(source: Source, sheets: Mapping[str, Source], content: BoardContent) -> None:
    """Keep the content of a board for the next process."""
    plain = _plain_content(content)
    if _content(*plain) == content:
        cache.keep(_name(source), _key(source), ({sheet: _read(file) for sheet, file in sheets.items()}, *plain))


def _name(source: Source) -> str:
    return f"board-{cache.fingerprint(str(source))}"


def _key(source: Source) -> str:
    return cache.fingerprint(cache.code(hexwar.board, hexwar.hexes), _read(source))


def _read(source: Source) -> str:
    return cache.fingerprint(read_text(source))


def _plain_content(content: BoardContent) -> tuple[Any, ...]:
    hexes = [(tuple(h), printed.labels, printed.terrain, dict(printed.properties)) for h, printed in content.hexes.items()]
    layers = [
        [(tuple(side.hex), side.d, tuple(names)) for side, names in layer.items()] for layer in (content.sides, content.links)
    ]
    places = [(place.name, place.kind, place.hexes, place.value, tuple(place.tags)) for place in content.places]
    rest = content.id, content.title, content.orientation, dict(content.areas), content.terrain_names, dict(content.provenance)
    return hexes, layers, places, rest


def _content(hexes: list[Any], layers: list[list[Any]], places: list[Any], rest: tuple[Any, ...]) -> BoardContent:
    sets: dict[tuple[str, ...], frozenset[str]] = {}  # many sides have the same features
    new = tuple.__new__

    def layer(sides: list[Any]) -> dict[Hexside, frozenset[str]]:
        return {
            new(Hexside, (new(Hex, at), d)): sets.get(names) or sets.setdefault(names, frozenset(names)) for at, d, names in sides
        }

    board, title, orientation, areas, terrain_names, provenance = rest
    return BoardContent(
        id=board,
        title=title,
        orientation=orientation,
        hexes={new(Hex, at): HexContent(labels, terrain, properties) for at, labels, terrain, properties in hexes},
        sides=layer(layers[0]),
        links=layer(layers[1]),
        places=tuple(Place(name, kind, at, value, frozenset(tags)) for name, kind, at, value, tags in places),
        areas=areas,
        terrain_names=terrain_names,
        provenance=provenance,
    )
