"""Labels out of their series, found without being told how a map is numbered.

Whatever a publisher chose, one way of numbering explains nearly all labels of a sheet; it says what the others should be.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final, Literal

from hexwar.hexes import Hex, LabelCodec, Orientation

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
    origins: Counter[Hex] = Counter()
    for label, h in labelled.items():
        meant = codec.hex(label)
        origins[Hex(h.q - meant.q, h.r - meant.r)] += 1
    origin, number = origins.most_common(1)[0]
    return codec, origin, number


def _codecs(orientation: Orientation, prefix: str, digits: int) -> Iterator[LabelCodec]:
    """Every way of numbering; one direction of the shift will do, since odd lines shifted back are even lines shifted on."""
    flat = orientation == "flat"
    parities: tuple[Literal["odd", "even"], ...] = ("odd", "even")
    orders: tuple[Literal["columns-first", "rows-first"], ...] = ("columns-first", "rows-first")
    edges: tuple[Literal["north", "south"], ...] = ("north", "south")
    for shifted, order, rows_from in product(parities, orders, edges):
        yield LabelCodec(
            layout="columns" if flat else "rows",
            shifted=shifted,
            shift="down" if flat else "east",
            order=order,
            first_column=0,
            first_row=0,
            rows_from=rows_from,
            digits=digits,
            prefix=prefix,
        )
