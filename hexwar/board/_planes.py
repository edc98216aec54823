"""Bit planes: small numbers for all hexes at once.

There is a mask for each binary digit: the hexes in which the number is odd, those in which its second digit is 1, and so on.
"""

from __future__ import annotations

from typing import TypeAlias

from hexwar.board import _compiled

if _compiled.BUILT:
    from hexwar.board import _kernel

Planes: TypeAlias = list[int]
"""A mask for each binary digit, the lowest first, the last not empty; replaced, never changed, so that copies share them."""


def counted_in_python(planes: Planes, less: int, more: int) -> tuple[Planes, int]:
    """The numbers after a change, and the mask of the hexes in which they are not 0.

    Args:
        planes: the numbers.
        less: the hexes in which they are one less; they must not be 0 there.
        more: the hexes in which they are one more after that.
    """
    found = [*planes]
    for digit, plane in enumerate(found):
        if not less:
            break
        found[digit] = now = plane ^ less
        less &= now
    for digit, plane in enumerate(found):
        if not more:
            break
        found[digit] = plane ^ more
        more &= plane
    if more:
        found.append(more)
    watched = 0
    while found and not found[-1]:
        found.pop()
    for plane in found:
        watched |= plane
    return found, watched


recounted = _kernel.recounted if _compiled.COMPILED else counted_in_python
