"""Lines of sight and arcs on hexes: which hexes a straight line crosses, and what lies in front of a piece.

Everything is decided in whole numbers and fractions, so that no answer depends on rounding. A game says which hexes block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from hexwar.hexes._hex import STEPS, Hex, Orientation, disk, line, neighbours

_COSINES = (4, 3, 1, 0, -1, -3, -4)
"""Signed squares of the cosines of 0, 30 ... 180 degrees, in quarters."""


def crossed(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """The hexes that the straight line between the middles of two hexes crosses, in order and without the two.

    Each item has one hex, or the two hexes beside a hexside along which the line runs. A hex that the line touches at a corner
    only is not crossed.

    >>> crossed(Hex(0, 0), Hex(2, 0))
    ((Hex(q=1, r=0),),)
    >>> crossed(Hex(0, 0), Hex(1, 1))
    ((Hex(q=0, r=1), Hex(q=1, r=0)),)
    """
    under = line(a, b)
    near = sorted({h for on in under for h in (on, *neighbours(on))} - {a, b})
    spans: dict[tuple[Fraction, Fraction], list[Hex]] = {}
    for h in near:
        span = _span(a, b, h)
        if span is not None:
            spans.setdefault(span, []).append(h)
    return tuple(tuple(spans[span]) for span in sorted(spans))


def blocked_by(
    a: Hex, b: Hex, blocks: Callable[[Hex], bool], *, along: Callable[[Iterable[bool]], bool] = all
) -> tuple[Hex, ...]:
    """The first hexes that block the line of sight between two hexes; empty if sight is clear.

    Args:
        a: one end.
        b: the other end. Neither end blocks.
        blocks: whether a hex blocks.
        along: where the line runs along a hexside, `all`: both hexes beside it must block; `any`: one is enough.

    >>> blocked_by(Hex(0, 0), Hex(3, 0), {Hex(2, 0)}.__contains__)
    (Hex(q=2, r=0),)
    >>> blocked_by(Hex(0, 0), Hex(1, 1), {Hex(1, 0)}.__contains__)
    ()
    """
    return next((hexes for hexes in crossed(a, b) if along(blocks(h) for h in hexes)), ())


def in_arc(at: Hex, facing: int, target: Hex, width: int = 2, *, corner: bool = False) -> bool:
    """Whether a hex lies in the arc of a piece; hexes on the border of the arc do, the piece's own hex does not.

    Args:
        at: where the piece stands.
        facing: the direction that it faces, 0 to 5.
        target: the hex in question.
        width: how wide the arc is, in sixths of a circle, 1 to 6.
        corner: the piece faces the corner clockwise of that direction instead of the hexside.

    >>> in_arc(Hex(0, 0), 0, Hex(1, -1)), in_arc(Hex(0, 0), 0, Hex(1, 0))
    (True, False)
    """
    if not 1 <= width <= 6:
        raise ValueError(f"an arc is 1 to 6 sixths of a circle wide, not {width!r}")
    ahead, beside = STEPS[facing % 6], STEPS[(facing + 1) % 6]
    front = Hex(ahead.q + beside.q, ahead.r + beside.r) if corner else ahead
    to = Hex(target.q - at.q, target.r - at.r)
    if to == Hex(0, 0):
        return False
    dot = _dot(front, to)
    return 4 * dot * abs(dot) >= _COSINES[width] * _dot(front, front) * _dot(to, to)


def arc(at: Hex, facing: int, reach: int, width: int = 2, *, corner: bool = False) -> tuple[Hex, ...]:
    """The hexes in the arc of a piece that are at most `reach` steps away, nearest first; see `in_arc`.

    >>> arc(Hex(0, 0), 0, 1)
    (Hex(q=0, r=-1), Hex(q=1, r=-1), Hex(q=-1, r=0))
    """
    return tuple(h for h in disk(at, reach) if in_arc(at, facing, h, width, corner=corner))


def heading(facing: int, orientation: Orientation = "flat", *, corner: bool = False) -> int:
    """A direction in degrees clockwise from the top of the map, as `Piece.heading` has it.

    >>> heading(1), heading(1, "pointy"), heading(5, corner=True)
    (60, 30, 330)
    """
    return (60 * facing + (30 if corner else 0) - (0 if orientation == "flat" else 30)) % 360


def _dot(a: Hex, b: Hex) -> int:
    """A multiple of the scalar product of two steps on the paper: in cube coordinates all three axes count alike."""
    return a.q * b.q + a.r * b.r + (a.q + a.r) * (b.q + b.r)


def _span(a: Hex, b: Hex, h: Hex) -> tuple[Fraction, Fraction] | None:
    """From where to where the line from `a` to `b` lies in a hex, as parts of its length.

    A hex is what lies in three strips, one for each pair of its parallel sides: in cube coordinates the differences of two
    coordinates are at most 1 there.
    """
    first, last = Fraction(0), Fraction(1)
    for begin, end in zip(_strips(a, h), _strips(b, h), strict=True):
        change = end - begin
        if change == 0:
            if abs(begin) > 1:
                return None
            continue
        low, high = sorted((Fraction(-1 - begin, change), Fraction(1 - begin, change)))
        first, last = max(first, low), min(last, high)
    return (first, last) if first < last else None


def _strips(p: Hex, h: Hex) -> tuple[int, int, int]:
    q, r = p.q - h.q, p.r - h.r
    s = -q - r
    return q - r, r - s, s - q
