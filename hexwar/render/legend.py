"""The legend: what terrain, lines and colours mean, laid out in rows below the map."""

from __future__ import annotations

from hexwar.mechanics import Face, Unit
from hexwar.render.counters import Livery, counter, flag
from hexwar.render.ground import INK, Ground, bridge
from hexwar.render.svg import element, num, text, use
from hexwar.render.terrain import Line, is_bridge, link_line, side_line

ROW = 0.52
SIZE = 0.2
SWATCH = 0.62
"""Room for a sample before its word."""


def legend(ground: Ground, colours: dict[str, Livery], left: float, top: float, width: float) -> tuple[str, float]:
    """The drawing and where it ends."""
    samples: list[tuple[str, str]] = []
    for number, terrain in enumerate(ground.terrains):
        cell = element("g", use(f"{ground.prefix}t{number}", 0.0, 0.0), transform="scale(0.44)")
        samples.append((terrain, cell))
    for feature in ground.board.side_features:
        samples.append((feature, bridge(0.0, 0.0, 1.0, 0.0) if is_bridge(feature) else _stroke(side_line(feature))))
    samples += [(kind, _stroke(link_line(kind))) for kind in ground.board.link_kinds]
    for side, livery in colours.items():
        samples.append((side, flag(livery, -0.1, 0.16, 0.32)))
    if colours:
        example = Unit("id", "a unit", "", "infantry", (Face(1, 2, 3), Face(2, 3, 3)))
        plain = Livery("#e9e4d4", "#2b2b2b", "#6d6655")
        small = element("g", counter(example, example.faces[0], 1, plain, 0.0, 0.0), transform="scale(0.8)")
        samples.append(("attack–defence–move; white corner: reduced", small))
    parts = []
    x, y = left, top + ROW / 2
    for word, drawn in samples:
        wide = SWATCH + 0.115 * len(word) + 0.25
        if x > left and x + wide > left + width:
            x, y = left, y + ROW
        parts.append(element("g", drawn, transform=f"translate({num(x + 0.25)} {num(y)})"))
        parts.append(text(word, x + SWATCH, y + 0.07, SIZE, fill=INK, text_anchor="start"))
        x += wide
    return element("g", *parts, class_="legend"), y + ROW / 2


def _stroke(line: Line) -> str:
    data = "M-0.22 0H0.22"
    casing = element("path", d=data, stroke=line.casing, stroke_width=num(line.width + 0.03)) if line.casing else ""
    return casing + element(
        "path", d=data, stroke=line.colour, stroke_width=num(line.width), stroke_dasharray=line.dashes or None
    )
