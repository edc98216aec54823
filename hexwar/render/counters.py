"""Counters: a unit as it lies on the map, with a symbol for its arm and its values, in the colours of its side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hexwar.mechanics import Face, Unit
from hexwar.render.svg import caption, element, num, text

SIZE = 0.5
"""Edge of a counter in parts of a hex."""
STEP = 0.07
"""How far each counter of a stack lies from the one below."""
MOST_IN_STACK = 5


@dataclass(frozen=True)
class Livery:
    """The colours of a side. Sides differ in lightness as well, so that a grey print tells them apart."""

    fill: str
    ink: str
    edge: str


_BY_NAME = {
    "blue": Livery("#1f5a9e", "#ffffff", "#0e2f57"),
    "red": Livery("#f0a083", "#3a0d02", "#8e2f12"),
    "axis": Livery("#59636b", "#ffffff", "#262c31"),
    "german": Livery("#59636b", "#ffffff", "#262c31"),
    "soviet": Livery("#e8b08d", "#4a1204", "#9a3412"),
    "allied": Livery("#a7b98a", "#1d2a10", "#4f6231"),
    "polish": Livery("#f3f1ee", "#7a1022", "#b3132b"),
}
_OTHERS = (
    Livery("#1f5a9e", "#ffffff", "#0e2f57"),
    Livery("#f0b26b", "#3d2200", "#96560a"),
    Livery("#00674c", "#ffffff", "#003527"),
    Livery("#e3c0d8", "#43132f", "#8d3f70"),
)


def liveries(sides: Sequence[str]) -> dict[str, Livery]:
    """The colours of some sides: their own where their name has one, otherwise the next that is free."""
    taken = [_BY_NAME[side] for side in sides if side in _BY_NAME]
    free = [livery for livery in _OTHERS if livery not in taken] or list(_OTHERS)
    found = {}
    for side in sides:
        if side in _BY_NAME:
            found[side] = _BY_NAME[side]
        else:
            found[side] = free[0]
            free = free[1:] or list(_OTHERS)
    return found


def counter(unit: Unit, face: Face, steps: int, livery: Livery, x: float, y: float) -> str:
    """One counter with its middle at a point.

    Args:
        unit: who it is.
        face: the side that lies up.
        steps: how many steps it has left.
        livery: its colours.
        x: of its middle.
        y: of its middle.
    """
    half = SIZE / 2
    reduced = steps < unit.steps
    edge: dict[str, object] = {"stroke": livery.edge, "stroke_width": "0.02"}
    box = element("rect", x=-half, y=-half, width=SIZE, height=SIZE, rx="0.045", fill=livery.fill, **edge)
    # A corner cut off is seen at any size and in grey.
    corner = f"M{num(half - 0.16)} {num(-half)}H{num(half)}V{num(-half + 0.16)}Z"
    band = element("path", d=corner, fill="#ffffff", **edge)
    values = "–".join(str(value) for value in (face.attack, face.defence, face.move))
    parts = [
        box,
        band if reduced else "",
        _symbol(unit),
        text(unit.id, -half + 0.03, -half + 0.1, min(0.088, 0.6 / len(unit.id)), fill=livery.ink, text_anchor="start"),
        text(values, 0.0, half - 0.05, 0.145 if len(values) < 7 else 0.115, fill=livery.ink, font_weight="bold"),
    ]
    title = f"{unit.name}, {unit.side}, {unit.arm}, {values}{', reduced' if reduced else ''}"
    return element("g", caption(title), *parts, transform=f"translate({num(x)} {num(y)})", data_unit=unit.id)


FORTRESSES = ("fortress", "fort", "fortification")
"""Arms that are no troops but works: they are drawn around what stands in their hex."""


def works(unit: Unit, steps: int, livery: Livery, x: float, y: float, size: float = 0.47) -> str:
    """A fortress as old maps have it: a wall with bastions, and how many levels it has.

    Args:
        unit: which it is.
        steps: its levels.
        livery: the colours of its side.
        x: of its middle.
        y: of its middle.
        size: from its middle to the tips of the bastions.
    """
    corners = []
    for number in range(16):
        far = size * (1.0, 0.78)[number % 2]
        angle = math.pi * (number / 8 + 1 / 16)
        corners.append(f"{num(far * math.cos(angle))} {num(far * math.sin(angle))}")
    wall = element(
        "path", d=f"M{'L'.join(corners)}Z", fill=livery.fill, fill_opacity="0.35", stroke=livery.edge, stroke_width="0.05"
    )
    left, up = -0.84 * size, -0.26 * size  # where neither label nor name of the hex is
    shield = element("circle", cx=left, cy=up, r=0.22 * size, fill=livery.edge)
    level = text(str(steps), left, up + 0.11 * size, 0.32 * size, fill="#ffffff", font_weight="bold")
    title = caption(f"{unit.name}, {unit.side}, {steps} level{'' if steps == 1 else 's'}")
    return element("g", title, wall, shield, level, transform=f"translate({num(x)} {num(y)})", data_unit=unit.id)


# The frame of an arm's symbol: left, top, right, bottom.
_L, _T, _R, _B = -0.15, -0.125, 0.15, 0.075
_CROSS = f"M{_L} {_T}L{_R} {_B}M{_L} {_B}L{_R} {_T}"
_OVAL = "M-0.07 -0.075H0.07A0.05 0.05 0 0 1 0.07 0.025H-0.07A0.05 0.05 0 0 1 -0.07 -0.075Z"
_SLASH = f"M{_L} {_B}L{_R} {_T}"
_PROPELLER = "M0 -0.025C0.04 -0.09 0.12 -0.09 0.12 -0.025S0.04 0.04 0 -0.025S-0.12 -0.09 -0.12 -0.025S-0.04 0.04 0 -0.025Z"

_STROKES = {
    **dict.fromkeys(("infantry", "rifles", "foot", "leg", "guards"), _CROSS),
    **dict.fromkeys(("armour", "armor", "tank", "tanks", "panzer"), _OVAL),
    **dict.fromkeys(("mechanised", "mechanized", "motorised", "motorized", "panzergrenadier"), _CROSS + _OVAL),
    **dict.fromkeys(("cavalry", "recon", "reconnaissance"), _SLASH),
    **dict.fromkeys(("engineer", "engineers"), "M-0.08 0.04V-0.08H0.08V0.04M0 -0.08V0.02"),
    **dict.fromkeys(("anti-tank", "antitank"), f"M{_L} {_B}L0 {_T}L{_R} {_B}"),
    **dict.fromkeys(("air", "aircraft", "bomber", "fighter"), _PROPELLER),
}
_INK = "#1c1c1c"


def _symbol(unit: Unit) -> str:
    """The symbol of an arm as staff maps have it; an unknown arm has its first letters in the frame."""
    size: dict[str, object] = {"x": _L, "y": _T, "width": _R - _L, "height": _B - _T}
    frame = element("rect", **size, fill="#ffffff", fill_opacity="0.88")
    strokes, filled = "", ""
    arm = unit.arm.lower()
    if unit.is_headquarters or arm in ("hq", "headquarters"):
        filled = text("HQ", 0.0, 0.03, 0.15, fill=_INK, font_weight="bold")
    elif arm in ("artillery", "guns"):
        filled = element("circle", cx=0.0, cy=-0.025, r=0.04, fill=_INK)
    elif arm in _STROKES:
        strokes = element("path", d=_STROKES[arm])
    else:
        filled = text(unit.arm[:3], 0.0, 0.015, 0.12, fill=_INK)
    return frame + element("g", strokes, element("rect", **size), fill="none", stroke=_INK, stroke_width="0.018") + filled


def flag(livery: Livery, x: float, y: float, height: float = 0.2) -> str:
    """A little flag: who controls a place."""
    wide, notch = height * 0.8, height * 0.2
    down = num(height * 0.28)
    outline = f"M{num(x)} {num(y - height)}h{num(wide)}l{num(-notch)} {down}l{num(notch)} {down}h{num(-wide)}Z"
    cloth = element("path", d=outline, fill=livery.fill, stroke=livery.edge, stroke_width="0.012")
    pole = element("path", d=f"M{num(x)} {num(y)}v{num(-height)}", stroke="#3b3630", stroke_width="0.018", fill="none")
    return cloth + pole
