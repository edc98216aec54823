"""Counters: a piece as it lies on the map, with its symbol and its values, in the colours of its side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

from hexwar.engine import Colours, Piece
from hexwar.render._svg import caption, element, haloed, num, polygon, text

SIZE = 0.5
"""Edge of a counter in parts of a hex."""
STEP = 0.07
"""How far each counter of a stack lies from the one below."""
MOST_IN_STACK = 5
MOST_MARKS = 3
"""How many markers are drawn on a counter."""
CUT, DISRUPTED = "#650668", "#c31908"
"""The colours of two states; each has a shape as well."""


_PALETTE = (
    Colours("#1f5a9e", "#ffffff", "#0e2f57"),
    Colours("#f0b26b", "#3d2200", "#96560a"),
    Colours("#00674c", "#ffffff", "#003527"),
    Colours("#e3c0d8", "#43132f", "#8d3f70"),
)


def colours_of(sides: Iterable[str], given: Mapping[str, Colours]) -> dict[str, Colours]:
    """The colours of some sides: those that the ruleset gives them, otherwise the next that are free."""
    free = cycle([colours for colours in _PALETTE if colours not in given.values()] or _PALETTE)
    return {side: given[side] if side in given else next(free) for side in sides}


def counter(piece: Piece, colours: Colours, x: float, y: float, scale: float = 0.0) -> str:
    """One piece with its middle at a point: a counter with its symbol and values, or a disc if it has no symbol.

    A piece with a base is drawn as large as that is, turned to its heading, if `scale` says how large a unit of the board is.
    """
    if piece.base is not None and scale:
        return _based(piece, colours, x, y, scale)
    half, where = SIZE / 2, f"translate({num(x)} {num(y)})"
    label, left_edge = piece.label or piece.id, 0.09 if piece.stripe else 0.03
    title = _title(piece)
    edge: dict[str, object] = {"stroke": colours.edge, "stroke_width": "0.02"}
    if not piece.symbol:
        disc = element("circle", cx=0.0, cy=0.0, r=0.24, fill=colours.fill, **edge)
        called = text(label[:6], 0.0, 0.045, 0.14, fill=colours.ink, font_weight="bold")
        return element(
            "g",
            title,
            disc,
            called,
            *_states(piece),
            *_marks(piece.marks),
            _front(piece.heading, colours),
            transform=where,
            data_unit=piece.id,
        )
    box = element("rect", x=-half, y=-half, width=SIZE, height=SIZE, rx="0.045", fill=colours.fill, **edge)
    # A corner cut off is seen at any size and in grey.
    corner = f"M{num(half - 0.16)} {num(-half)}H{num(half)}V{num(-half + 0.16)}Z"
    parts = [
        box,
        element("path", d=corner, fill="#ffffff", **edge) if piece.reduced else "",
        _symbol(piece.symbol),
        *_pips(piece, colours),
        _stripe(piece.stripe),
        text(label, -half + left_edge, -half + 0.1, min(0.088, 0.6 / len(label)), fill=colours.ink, text_anchor="start"),
        text(piece.values, 0.0, half - 0.05, _letters(piece.values), fill=colours.ink, font_weight="bold"),
        *_states(piece),
        *_marks(piece.marks),
        _front(piece.heading, colours),
    ]
    return element("g", title, *parts, transform=where, data_unit=piece.id, **_faded(piece))


def _based(piece: Piece, colours: Colours, x: float, y: float, scale: float) -> str:
    """A piece on its base: the base is turned, with a bar along its front, and what stands on it is upright."""
    assert piece.base is not None  # `counter` has looked
    wide, deep = piece.base[0] * scale, piece.base[1] * scale
    least = min(wide, deep)
    size = {"x": -wide / 2, "y": -deep / 2, "width": wide, "rx": 0.06 * least}
    edge: dict[str, object] = {"stroke": colours.edge, "stroke_width": 0.04 * least}
    base = element("rect", **size, height=deep, fill=colours.fill, **edge)
    bar = element("rect", **size, height=0.14 * deep, fill=colours.edge)
    facing = element("g", base, bar, transform=f"rotate({piece.heading or 0})", class_="base")
    half, turn = SIZE / 2, math.radians(piece.heading or 0)
    below = abs(wide * math.sin(turn)) / 2 + abs(deep * math.cos(turn)) / 2
    label = haloed(piece.label or piece.id, 0.0, below + 0.13, 0.13, fill=_INK)
    upright = [
        _symbol(piece.symbol),
        *_pips(piece, colours),
        _stripe(piece.stripe),
        text(piece.values, 0.0, half - 0.06, _letters(piece.values), fill=colours.ink, font_weight="bold"),
        *_states(piece),
        *_marks(piece.marks),
    ]
    small = element("g", *upright, transform=f"scale({num(0.95 * least / SIZE)})")
    where = f"translate({num(x)} {num(y)})"
    return element("g", _title(piece), facing, small, label, transform=where, data_unit=piece.id, **_faded(piece))


def _title(piece: Piece) -> str:
    """What a pointer or a screen reader says about a piece."""
    words = [
        piece.name or piece.id,
        piece.side,
        piece.kind,
        piece.values,
        "reduced" if piece.reduced else "",
        *piece.state,
        *piece.marks,
    ]
    return caption(", ".join(word for word in dict.fromkeys(words) if word))


def _faded(piece: Piece) -> dict[str, object]:
    return {"opacity": "0.55"} if "spent" in piece.state else {}


def _pips(piece: Piece, colours: Colours) -> list[str]:
    """How many levels of strength it has left, of how many."""
    (left, most), half = piece.levels, SIZE / 2
    return [
        element(
            "rect", x=half - 0.07, y=0.03 - 0.055 * n, width=0.04, height=0.04, fill=ink, stroke=colours.ink, stroke_width="0.008"
        )
        for n, ink in enumerate([colours.ink] * left + ["#ffffff"] * (most - left))
    ]


def _stripe(colour: str) -> str:
    """The stripe of its group, at the left edge of a counter."""
    half = SIZE / 2
    return element("rect", x=-half + 0.02, y=-half + 0.02, width=0.05, height=SIZE - 0.04, fill=colour) if colour else ""


def _states(piece: Piece) -> list[str]:
    """The shapes that say what state a piece is in, besides the fading of one that is spent."""
    half, shown = SIZE / 2, []
    if "cut" in piece.state:  # a dashed border
        border: dict[str, object] = {"x": -half + 0.015, "y": -half + 0.015, "width": SIZE - 0.03, "height": SIZE - 0.03}
        dashed: dict[str, object] = {"fill": "none", "stroke": CUT, "stroke_width": "0.03", "stroke_dasharray": "0.07 0.05"}
        shown.append(element("rect", **border, **dashed))
    if "disrupted" in piece.state:  # a bar across
        across = f"M{num(-half)} {num(half)}L{num(half)} {num(-half)}"
        shown.append(element("path", d=across, stroke=DISRUPTED, stroke_width="0.04", fill="none"))
    if "hidden" in piece.state:  # a question mark on the symbol
        shown.append(text("?", 0.0, 0.06, 0.24, fill=_INK, font_weight="bold", stroke="#ffffff", stroke_width="0.015"))
    return shown


def _marks(marks: Sequence[str]) -> list[str]:
    """The markers that lie on a piece, as tabs at its right edge with their first letters."""
    half, drawn = SIZE / 2, []
    for n, mark in enumerate(marks[:MOST_MARKS]):
        top = -half + 0.17 + 0.1 * n
        drawn.append(
            element(
                "rect",
                x=half - 0.11,
                y=top,
                width=0.12,
                height=0.09,
                rx="0.015",
                fill="#ffffff",
                stroke=_INK,
                stroke_width="0.01",
            )
        )
        drawn.append(text(mark[:2], half - 0.05, top + 0.07, 0.075, fill=_INK, font_weight="bold"))
    return drawn


def _front(heading: int | None, colours: Colours) -> str:
    """A wedge beyond the edge at which a piece faces."""
    if heading is None:
        return ""
    half = SIZE / 2
    wedge = f"M-0.07 {num(-half - 0.01)}L0 {num(-half - 0.09)}L0.07 {num(-half - 0.01)}Z"
    style: dict[str, object] = {"fill": colours.fill, "stroke": colours.edge, "stroke_width": "0.02"}
    return element("path", d=wedge, transform=f"rotate({heading})", **style)


def _letters(values: str) -> float:
    """How high letters may be so that values fit on a counter: figures are wider than what stands between them."""
    wide = sum(0.5 if letter in "–:()" else 0.7 for letter in values)
    return min(0.145, 0.46 / wide) if values else 0.145


WORKS = "works"
"""The symbol of what is no troops: it is drawn around what stands in its place."""


def works(piece: Piece, colours: Colours, x: float, y: float, size: float = 0.47) -> str:
    """Works as old maps have them: a wall with bastions, and how many levels it has.

    Args:
        piece: which they are; their value is their level.
        colours: of their side.
        x: of their middle.
        y: of their middle.
        size: from their middle to the tips of the bastions.
    """
    tips = [(size * (1.0, 0.78)[number % 2], math.pi * (number / 8 + 1 / 16)) for number in range(16)]
    corners = polygon((far * math.cos(angle), far * math.sin(angle)) for far, angle in tips)
    wall = element("path", d=corners, fill=colours.fill, fill_opacity="0.35", stroke=colours.edge, stroke_width="0.05")
    left, up = -0.84 * size, -0.26 * size  # where neither label nor name of the hex is
    shield = element("circle", cx=left, cy=up, r=0.22 * size, fill=colours.edge)
    level = text(piece.values, left, up + 0.11 * size, 0.32 * size, fill="#ffffff", font_weight="bold")
    title = caption(f"{piece.name}, {piece.side}, {piece.values} level{'' if piece.values == '1' else 's'}")
    return element("g", title, wall, shield, level, transform=f"translate({num(x)} {num(y)})", data_unit=piece.id)


# The frame of an arm's symbol: left, top, right, bottom.
_L, _T, _R, _B = -0.15, -0.125, 0.15, 0.075
_CROSS = f"M{_L} {_T}L{_R} {_B}M{_L} {_B}L{_R} {_T}"
_OVAL = "M-0.07 -0.075H0.07A0.05 0.05 0 0 1 0.07 0.025H-0.07A0.05 0.05 0 0 1 -0.07 -0.075Z"
_SLASH = f"M{_L} {_B}L{_R} {_T}"
_PROPELLER = "M0 -0.025C0.04 -0.09 0.12 -0.09 0.12 -0.025S0.04 0.04 0 -0.025S-0.12 -0.09 -0.12 -0.025S-0.04 0.04 0 -0.025Z"

_STROKES = {
    "infantry": _CROSS,
    "armour": _OVAL,
    "mechanised": _CROSS + _OVAL,
    "cavalry": _SLASH,
    "engineers": "M-0.08 0.04V-0.08H0.08V0.04M0 -0.08V0.02",
    "anti-tank": f"M{_L} {_B}L0 {_T}L{_R} {_B}",
    "air": _PROPELLER,
    # Old machines as they looked from the side; the aeroplane from above, with both its wings.
    "armoured-train": (
        "M-0.13 0.02V-0.05H-0.09V-0.09H-0.03V-0.05H0.02V-0.1H0.06V-0.05H0.13V0.02ZM-0.09 -0.075H-0.13M-0.14 0.058H0.14"
    ),
    "armoured-car": "M-0.12 0.015V-0.035L-0.06 -0.05H0.08L0.12 -0.02V0.015ZM-0.02 -0.05V-0.09H0.05V-0.05M0.05 -0.075H0.11",
    "tank": "M-0.12 -0.025L-0.06 -0.09H0.08L0.13 -0.04L0.07 0.045H-0.08ZM-0.05 -0.02H0.05M0.03 -0.02V-0.05H-0.03V-0.02",
    "wagon": "M-0.12 -0.04L-0.1 0.01H0.06L0.08 -0.04ZM0.06 0H0.14",
    "truck": "M-0.12 0.015V-0.06H0.03V0.015ZM0.03 0.015V-0.035H0.09L0.12 -0.01V0.015Z",
    "echelon": "M-0.13 0.015V-0.05H-0.04V0.015ZM-0.02 0.015V-0.05H0.05V0.015ZM0.07 0.015V-0.07H0.13V0.015ZM-0.14 0.058H0.14",
    "boat": "M-0.13 -0.02H0.13L0.09 0.04H-0.09ZM-0.06 -0.02V-0.06H0.05V-0.02M0 -0.06V-0.11",
    "aeroplane": "M0 -0.11V0.05M-0.13 -0.075H0.13M-0.13 -0.04H0.13M-0.09 -0.075V-0.04M0.09 -0.075V-0.04M-0.045 0.05H0.045",
}
_WHEELS = {
    "armoured-train": (-0.09, -0.03, 0.03, 0.09),
    "armoured-car": (-0.07, 0.07),
    "wagon": (-0.07, 0.03),
    "truck": (-0.07, 0.08),
    "echelon": (-0.11, -0.06, 0.0, 0.03, 0.1),
}
"""Symbol -> where it has wheels."""
_SIZES = {"army": "XXXX", "group": "XXX", "formation": "XX"}
"""What stands on the symbol of a headquarters that says how large its troops are, such as "headquarters-army"."""
_INK = "#1c1c1c"

SYMBOLS = (*_STROKES, "artillery", "headquarters", WORKS)
"""What can be drawn on a piece; of anything else the first letters are."""


def _symbol(symbol: str) -> str:
    """A symbol as on staff maps; an unknown one is its first letters in the frame."""
    size: dict[str, object] = {"x": _L, "y": _T, "width": _R - _L, "height": _B - _T}
    frame = element("rect", **size, fill="#ffffff", fill_opacity="0.88")
    strokes, filled = "", ""
    name, _, larger = symbol.partition("-")
    if name == "headquarters":
        filled = text("HQ", 0.0, 0.03, 0.15, fill=_INK, font_weight="bold")
        size_of = _SIZES.get(larger, "")
        filled += text(size_of, 0.225, -0.155, 0.075, fill=_INK, font_weight="bold", text_anchor="end") if size_of else ""
    elif symbol == "artillery":
        filled = element("circle", cx=0.0, cy=-0.025, r=0.04, fill=_INK)
    elif symbol in _STROKES:
        strokes = element("path", d=_STROKES[symbol])
        filled = "".join(element("circle", cx=x, cy=0.035, r=0.018, fill=_INK) for x in _WHEELS.get(symbol, ()))
    else:
        filled = text(symbol[:3], 0.0, 0.015, 0.12, fill=_INK)
    return frame + element("g", strokes, element("rect", **size), fill="none", stroke=_INK, stroke_width="0.018") + filled


def flag(colours: Colours, x: float, y: float, height: float = 0.2) -> str:
    """A little flag: who controls a place."""
    wide, notch = height * 0.8, height * 0.2
    down = num(height * 0.28)
    outline = f"M{num(x)} {num(y - height)}h{num(wide)}l{num(-notch)} {down}l{num(notch)} {down}h{num(-wide)}Z"
    cloth = element("path", d=outline, fill=colours.fill, stroke=colours.edge, stroke_width="0.012")
    pole = element("path", d=f"M{num(x)} {num(y)}v{num(-height)}", stroke="#3b3630", stroke_width="0.018", fill="none")
    return cloth + pole
