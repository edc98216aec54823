"""The legend: what terrain, lines and colours mean, arranged in rows below the map."""

from __future__ import annotations

from collections.abc import Mapping

from hexwar.engine import Colours, Piece
from hexwar.render._backdrop import INK, Backdrop
from hexwar.render._counters import counter, flag
from hexwar.render._svg import element, num, text

ROW = 0.52
SIZE = 0.2
SWATCH = 0.62
"""Room for a sample before its word."""


def legend(
    backdrop: Backdrop, colours: Mapping[str, Colours], left: float, top: float, width: float, *, values: bool
) -> tuple[str, float]:
    """The drawing and where it ends; `values` says whether the values of counters are explained."""
    samples = list(backdrop.samples())
    samples += [(side, flag(of, -0.1, 0.16, 0.32)) for side, of in colours.items()]
    if values:
        example = Piece("id", None, name="a unit", kind="infantry", symbol="infantry", values="1–2–3", reduced=True)
        small = element("g", counter(example, Colours("#e9e4d4", "#2b2b2b", "#6d6655"), 0.0, 0.0), transform="scale(0.8)")
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
