"""Victory points, item by item with the clause of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """Points for one thing."""

    side: str
    points: float
    reason: str
    clause: str


def total(scores: Iterable[Score], side: str) -> float:
    """What a side has in all."""
    return sum(score.points for score in scores if score.side == side)
