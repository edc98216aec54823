"""Fields of distances: how far every hex of a board is from some places, all at once.

A bot that asks this for each decision needs it fast: all hexes of one cost take their steps together, as masks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial, reduce
from operator import or_
from typing import TypeVar

from hexwar.board import ALL, CLOSED, Board, StepCosts, bits

T = TypeVar("T")
Steps = tuple[tuple[int, int, int], ...]
"""What a step costs, where it leads (as a difference of indices), and the mask of the hexes in which such steps begin."""

FARTHEST = 254
"""The greatest distance that a field can hold, in half points; one more stands for no way."""
_BYTES = tuple(bytes.maketrans(b"01", bytes((0, 1 << bit))) for bit in range(8))
"""For each bit of a byte, what turns the digits of a binary number into bytes with or without that bit."""


def steps_of(board: Board, costs: StepCosts, whole: int, *, back: bool = False) -> Steps:
    """The steps that an arm can make, or the same ones walked backwards.

    Args:
        board: the board.
        costs: what each step costs, in half points.
        whole: what a step that takes the whole allowance counts for.
        back: whether fields are to tell the way to a place, and not from it.
    """
    masks: dict[tuple[int, int], int] = {}
    for d, delta in enumerate(board.deltas):
        table = costs[d]
        for i in board.hexes:
            if table[i] != CLOSED:
                price = whole if table[i] == ALL else table[i]
                key = (price, -delta) if back else (price, delta)
                masks[key] = masks.get(key, 0) | 1 << (i + delta if back else i)
    return tuple((*key, mask) for key, mask in masks.items())


def spread(steps: Steps, seeds: Mapping[int, int], size: int, most: int = FARTHEST - 1) -> bytes:
    """The cost of the cheapest way from any of the seeds to every hex, more than `most` where there is none.

    Args:
        steps: the steps there are.
        seeds: hex -> what it costs to begin there.
        size: how many indices there are.
        most: the farthest that is looked at.
    """
    planes = [0] * 8
    waves = [0] * (most + 1)
    for seed, cost in seeds.items():
        if cost <= most:
            waves[cost] |= 1 << seed
    left = (1 << size) - 1
    for cost, reached in enumerate(waves):
        wave = reached & left
        if not wave:
            continue
        left ^= wave
        for bit in bits(cost):
            planes[bit] |= wave
        for price, delta, begin in steps:
            part = wave & begin
            if part and cost + price <= most:
                waves[cost + price] |= part << delta if delta > 0 else part >> -delta
    for bit in bits(most + 1):
        planes[bit] |= left
    digits = (format(plane, f"0{size}b").encode().translate(table) for plane, table in zip(planes, _BYTES, strict=True))
    return reduce(or_, [int.from_bytes(row) for row in digits]).to_bytes(size, "little")


def remembered(method: Callable[..., T]) -> cached_property[Callable[..., T]]:
    """A method that works out each answer once; the object keeps it."""
    return cached_property(lambda self: cache(partial(method, self)))
