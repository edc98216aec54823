"""What terrain looks like: a colour that colour-blind people can tell apart, and a drawing that distinguishes it in grey.

Drawings are in the unit of the map (a hex is 1 wide between opposite sides) around the middle of the hex, and keep clear of
the middle, where counters stand. A terrain that is unknown gets a colour and a hatching from its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from hexwar.render._svg import element, num

Spot = tuple[float, float]
T = TypeVar("T")

# Where single trees, tufts and peaks stand: to both sides and below, clear of the label on top and the counter in the middle.
_AROUND: tuple[Spot, ...] = (
    (-0.33, -0.08),
    (0.33, -0.11),
    (-0.41, 0.04),
    (0.40, 0.03),
    (-0.30, 0.17),
    (0.32, 0.17),
    (-0.16, 0.31),
    (0.18, 0.32),
    (0.01, 0.36),
)


@dataclass(frozen=True)
class Look:
    """How a terrain is drawn."""

    fill: str
    art: str = ""


def _each(spots: tuple[Spot, ...], draw: Callable[[float, float], str]) -> str:
    return "".join(draw(x, y) for x, y in spots)


def _stroke(data: str, colour: str, width: float = 0.018, **more: object) -> str:
    return element("path", d=data, fill="none", stroke=colour, stroke_width=num(width), stroke_linecap="round", **more)


def _trees(dark: str, light: str, most: int = 16) -> str:
    def tree(x: float, y: float) -> str:
        crown = element("circle", cx=x, cy=y, r=0.068, fill=light, stroke=dark, stroke_width="0.016")
        return _stroke(f"M{num(x)} {num(y + 0.06)}v0.05", dark, 0.022) + crown

    thicket = (*_AROUND, (-0.21, -0.17), (0.2, -0.18), (-0.2, 0.06), (0.22, 0.07), (0.02, 0.2), (0.0, -0.12), (0.04, 0.05))
    return _each(tuple(sorted(thicket[:most], key=lambda spot: spot[1])), tree)


def _tufts(colour: str) -> str:
    def tuft(x: float, y: float) -> str:
        base = _stroke(f"M{num(x - 0.09)} {num(y)}H{num(x + 0.09)}", colour)
        blades = "".join(f"M{num(x + dx)} {num(y - 0.02)}L{num(x + 2 * dx)} {num(y - 0.09)}" for dx in (-0.03, 0.0, 0.03))
        return base + _stroke(blades, colour)

    return _each(_AROUND[:7], tuft)


def _curves(spots: tuple[Spot, ...], curve: str, down: float, colour: str, width: float) -> str:
    """The same curve at every spot, begun a tenth of a hex to its left."""
    return _each(spots, lambda x, y: _stroke(f"M{num(x - 0.1)} {num(y + down)}{curve}", colour, width))


def _peaks(dark: str, light: str) -> str:
    def peak(x: float, y: float) -> str:
        lit = f"M{num(x - 0.11)} {num(y + 0.06)}L{num(x)} {num(y - 0.09)}L{num(x + 0.02)} {num(y + 0.06)}Z"
        shade = f"M{num(x)} {num(y - 0.09)}L{num(x + 0.11)} {num(y + 0.06)}H{num(x + 0.02)}Z"
        return element("path", d=lit, fill=light) + element("path", d=shade, fill=dark)

    return _each(_AROUND[:6], peak)


def _dots(colour: str) -> str:
    spots = (*_AROUND, (-0.1, 0.2), (0.12, 0.18), (-0.2, -0.02), (0.2, -0.02))
    return _each(spots, lambda x, y: element("circle", cx=x, cy=y, r=0.016, fill=colour))


def _blocks(colour: str) -> str:
    return _each(_AROUND[:6], lambda x, y: element("rect", x=x - 0.06, y=y - 0.045, width=0.12, height=0.09, fill=colour))


def _hatching(colour: str, kind: int) -> str:
    lines = {
        0: "".join(f"M{num(x)} -0.28L{num(x - 0.12)} 0.28" for x in (-0.2, -0.08, 0.04, 0.16, 0.28)),
        1: "".join(f"M-0.3 {num(y)}H0.3" for y in (-0.24, -0.12, 0.0, 0.12, 0.24)),
        2: "".join(f"M{num(x)} {num(y)}h0.08m-0.04 -0.04v0.08" for x, y in _AROUND),
        3: "".join(f"M{num(x - 0.04)} {num(y - 0.04)}l0.08 0.08m0 -0.08l-0.08 0.08" for x, y in _AROUND),
    }
    return _stroke(lines[kind], colour, 0.014)


_WATER = (*_AROUND, (0.0, 0.02), (-0.17, 0.13), (0.16, 0.15), (0.0, -0.16))

# A terrain is known by a word in its name; the first line that has one counts, so "forested marsh" stands before "forest".
_KNOWN: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("forested marsh", "wooded marsh", "forest marsh"), Look("#b7cdb4", _tufts("#3f6a5c") + _trees("#3f5f36", "#7fa26a", 7))),
    (("light forest", "light wood", "grove", "orchard"), Look("#d3dfbb", _trees("#5a7a4c", "#a5c08d", 6))),
    (("dense", "heavy wood", "jungle"), Look("#a3bf8c", _trees("#2c4a28", "#5f8a52"))),
    (("wood", "forest"), Look("#b9cfa0", _trees("#3f5f36", "#7fa26a"))),
    (("marsh", "swamp", "bog", "wetland"), Look("#c9d8cf", _tufts("#4b7a78"))),
    (
        ("lake", "sea", "water", "ocean", "gulf", "pond", "river"),
        Look("#9cc3de", _curves(_WATER, "q0.05 -0.05 0.1 0t0.1 0", 0.0, "#4a83ad", 0.02)),
    ),
    (("mountain", "alpine"), Look("#d3c5b4", _peaks("#7d6a58", "#f3ece2"))),
    (("hill", "rough", "broken", "highland"), Look("#e3d3ab", _curves(_AROUND[:7], "q0.1 -0.16 0.2 0", 0.04, "#9b7f4a", 0.024))),
    (("desert", "sand", "dune"), Look("#f3e6bd", _dots("#b99c55"))),
    (("city", "urban", "town", "suburb", "built up", "village", "houses"), Look("#d8cfc9", _blocks("#8d8078"))),
    (("clear", "open", "plain", "steppe", "grass", "field"), Look("#f1ecd8")),
)


def look(terrain: str) -> Look:
    """How a terrain is drawn; the same for the same name, always."""
    known = _known(_words(terrain), _KNOWN)
    if known is not None:
        return known
    mark = hashlib.blake2b(terrain.encode(), digest_size=3).digest()
    # Pale and not too colourful, so that counters and names stay readable on it.
    fill = hsl(mark[0] * 360 / 256, 0.32 + mark[1] / 1600, 0.83)
    return Look(fill, _hatching(hsl(mark[0] * 360 / 256, 0.35, 0.45), mark[2] % 4))


def _known(name: str, table: Iterable[tuple[tuple[str, ...], T]]) -> T | None:
    """The first entry that has a word of a name."""
    return next((entry for words, entry in table if any(word in name for word in words)), None)


def _words(name: str) -> str:
    return name.lower().replace("_", " ").replace("-", " ")


def hsl(hue: float, saturation: float, lightness: float) -> str:
    """A colour as hex digits."""
    import colorsys

    parts = colorsys.hls_to_rgb(hue / 360, lightness, saturation)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


@dataclass(frozen=True)
class Line:
    """How a hexside feature or a link is drawn: a casing below, the line on it, widths in parts of a hex."""

    colour: str
    width: float
    casing: str = ""
    dashes: str = ""
    is_water: bool = False


# Hexside features other than water.
_SIDES: tuple[tuple[tuple[str, ...], Line], ...] = (
    (("ferry", "ford"), Line("#d7ecf7", 0.035, dashes="0.04 0.04")),
    (("navigable",), Line("#d7ecf7", 0.025, dashes="0.09 0.07", is_water=True)),
    (("border", "frontier", "boundary"), Line("#8a4f9e", 0.04, dashes="0.1 0.06 0.02 0.06")),
    (("wall", "fort", "line", "trench", "block", "closed"), Line("#5a4a42", 0.07, dashes="0.08 0.04")),
    (("ridge", "crest", "slope", "escarpment", "cliff"), Line("#8b6b3d", 0.08, dashes="0.03 0.05")),
)


def is_bridge(feature: str) -> bool:
    """Whether a hexside feature is a crossing, which is drawn across the side and not along it."""
    return "bridge" in feature.lower()


def side_line(feature: str) -> Line:
    """How a hexside feature is drawn; rivers are wider the greater their name."""
    name = _words(feature)
    if any(word in name for word in ("river", "stream", "brook", "canal", "strait", "creek", "coast", "water", "sea")):
        wide = 0.15 if any(word in name for word in ("major", "great", "large", "wide", "strait", "water", "sea")) else 0.1
        wide = 0.055 if any(word in name for word in ("minor", "small", "stream", "brook", "creek", "canal")) else wide
        return Line("#5b9bc8", wide, "#2f6a94", is_water=True)
    return _known(name, _SIDES) or Line(_colour_of(name), 0.07, dashes="0.12 0.05")


_LINKS: tuple[tuple[tuple[str, ...], Line], ...] = (
    (("hedge", "bocage"), Line("#5f8a52", 0.06, "#2c4a28")),
    (("wall", "fence"), Line("#8d8078", 0.04, "#3a3a3a")),
    (("trench", "ditch"), Line("#7d6a58", 0.05, dashes="0.1 0.05")),
    (("stream", "brook", "canal", "river", "creek"), Line("#5b9bc8", 0.06, "#2f6a94")),
    (("ford",), Line("#d7ecf7", 0.05, "#2f6a94", dashes="0.06 0.05")),
    (("bridge",), Line("#e9dfc4", 0.05, "#3a3a3a")),
)
"""What runs across a plane besides roads."""


def link_line(kind: str) -> Line:
    """How a link is drawn."""
    name = _words(kind)
    if "rail" in name:
        return Line("#fbf8ee", 0.028, "#3a3a3a", dashes="0.07 0.07")
    if "road" in name or "highway" in name or "track" in name:
        wide = 0.05 if any(word in name for word in ("main", "highway", "major")) else 0.036
        return Line("#d9a066" if "track" not in name else "#e9dfc4", wide, "#7a4a24")
    if "ferry" in name or "sea" in name:
        return Line("#2f6a94", 0.025, dashes="0.05 0.05")
    return _known(name, _LINKS) or Line(_colour_of(name), 0.035, "#4a4a4a")


def _colour_of(name: str) -> str:
    mark = hashlib.blake2b(name.encode(), digest_size=2).digest()
    return hsl(mark[0] * 360 / 256, 0.55, 0.45)
