"""Map files as text: readable, one subject a block, the same bytes for the same map."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside, Orientation, neighbour

_WIDTH: Final = 118


def text(value: str) -> str:
    """A TOML string."""
    return json.dumps(value, ensure_ascii=False)


def key(name: str) -> str:
    """A TOML key."""
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else text(name)


def table(name: str, values: Mapping[str, Any]) -> list[str]:
    """A table of simple values."""
    return [f"[{name}]", *(f"{key(word)} = {_value(value)}" for word, value in values.items()), ""]


def runs(words: Iterable[str], indent: str = "  ") -> list[str]:
    """Words as quoted strings, several to a string, none too long."""
    lines = textwrap.wrap(" ".join(words), _WIDTH - len(indent) - 3, break_long_words=False, break_on_hyphens=False)
    return [f"{indent}{text(line)}," for line in lines]


def listed(name: str, groups: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """A key with a list of strings, each group under a comment of its own; nothing at all if there are no strings."""
    lines: list[str] = []
    for comment, strings in groups:
        found = list(strings)
        if comment and found:
            lines.append(f"  # {comment}")
        lines += found
    return [f"{key(name)} = [", *lines, "]"] if lines else []


def side_words(sides: Iterable[Hexside], labels: Mapping[Hex, str], orientation: Orientation) -> list[str]:
    """Hexsides as words such as 0304/SE/S, each named from a hex that has a label, the first if both have."""
    names = DIRECTION_NAMES[orientation]
    found: dict[Hex, list[int]] = {}
    for side in sorted(sides):
        h, d = (side.hex, side.d) if side.hex in labels else (neighbour(side.hex, side.d), side.d + 3)
        found.setdefault(h, []).append(d)
    ordered = sorted(found, key=lambda h: labels[h])
    return ["/".join((labels[h], *(names[d] for d in sorted(found[h])))) for h in ordered]


def chain_strings(chains: Iterable[Sequence[Hex]], labels: Mapping[Hex, str], most: int = 20) -> list[str]:
    """Chains of hexes as quoted strings; long ones go on in the next string from the hex where the last one ended."""
    pieces = [piece for chain in chains for piece in _on_sheet(chain, labels)]
    parts = [piece[k : k + most] for piece in pieces for k in range(0, len(piece) - 1, most - 1)]
    return [f"  {text(' '.join(labels[h] for h in part))}," for part in parts]


def _on_sheet(chain: Sequence[Hex], labels: Mapping[Hex, str]) -> list[list[Hex]]:
    pieces = [list(piece) for on_sheet, piece in groupby(chain, labels.__contains__) if on_sheet]
    return [piece for piece in pieces if len(piece) > 1]


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key(word)} = {_value(inner)}" for word, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        if value and sum(len(str(item)) for item in value) > _WIDTH - 20:
            return "[\n" + "".join(f"  {_value(item)},\n" for item in value) + "]"
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return text(value) if isinstance(value, str) else json.dumps(value)
