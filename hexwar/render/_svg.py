"""The few pieces of SVG that the pictures are made of. Text is escaped here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

FAMILIES = ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Open Sans", "Arial", "Helvetica", "Verdana", "Segoe UI", "FreeSans")
"""Fonts to look for, in order."""

FONT = "'DejaVu Sans', Verdana, Arial, sans-serif"
"""Every text names its font, because PNG renderers silently drop text that does not."""

_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

Point = tuple[float, float]


def num(value: float) -> str:
    """A number as short as it can be, the same everywhere."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _escaped(words: str) -> str:
    """A text as XML may hold it; what no XML may hold, such as a control character, is shown as such."""
    return escape(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", words), quote=True)


def attributes(**values: object) -> str:
    """Attributes in the given order; names have - for _ and a trailing _ dropped, None is left out."""
    parts = []
    for name, value in values.items():
        if value is not None:
            text = num(value) if isinstance(value, float) else _escaped(str(value))
            parts.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    return "".join(parts)


def element(name: str, *children: str, **values: object) -> str:
    """One element."""
    inside = "".join(children)
    return f"<{name}{attributes(**values)}>{inside}</{name}>" if inside else f"<{name}{attributes(**values)}/>"


def text(content: str, x: float, y: float, size: float, **values: object) -> str:
    """A text, its anchor in the middle unless stated otherwise."""
    given: dict[str, object] = {"text_anchor": "middle", **values}
    return f"<text{attributes(x=x, y=y, font_size=size, font_family=FONT, **given)}>{_escaped(content)}</text>"


def haloed(content: str, x: float, y: float, size: float, **values: object) -> str:
    """A text that can be read on any ground."""
    halo: dict[str, object] = {
        "stroke": "#fbf8ee",
        "stroke_width": size * 0.28,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }
    return text(content, x, y, size, **halo, **values)


def caption(words: str) -> str:
    """What a pointer or a screen reader says about the element that contains this."""
    return f"<title>{_escaped(words)}</title>"


def path(points: Iterable[Point]) -> str:
    """The path data of a line through some points."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def polygon(points: Iterable[Point]) -> str:
    """The path data of a closed figure."""
    return path(points) + "Z"


def ring(x: float, y: float, r: float) -> str:
    """The path data of a circle."""
    return f"M{num(x - r)} {num(y)}a{num(r)} {num(r)} 0 1 0 {num(2 * r)} 0a{num(r)} {num(r)} 0 1 0 {num(-2 * r)} 0Z"


def segments(lines: Iterable[tuple[Point, Point]]) -> str:
    """The path data of separate lines."""
    return "".join(f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for a, b in lines)


def use(identifier: str, x: float, y: float, **values: object) -> str:
    """A symbol in its place."""
    return f'<use href="#{identifier}" x="{num(x)}" y="{num(y)}"{attributes(**values)}/>'
