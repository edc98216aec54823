"""Tables in which every sum has its result."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from hexwar.pieces._odds import Outcome


class SumTable:
    """Results for every sum there can be: the first and the last row are open at one end.

    Args:
        outcomes: from the lowest sums to the highest.
        bounds: the sum from which on each of them holds, but for the first.
    """

    def __init__(self, outcomes: Sequence[Outcome], bounds: Sequence[int]) -> None:
        if len(outcomes) != len(bounds) + 1 or list(bounds) != sorted(set(bounds)):
            raise ValueError(f"{len(outcomes)} results need {len(outcomes) - 1} ascending bounds between them, not {bounds}")
        self._outcomes, self._bounds = tuple(outcomes), tuple(bounds)

    def __getitem__(self, total: int) -> Outcome:
        """The result of a sum."""
        return self._outcomes[bisect_right(self._bounds, total)]
