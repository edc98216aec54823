"""Victory points, item by item with the clause of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hexwar.engine import Objective, Part, Position, record


@record
class Score:
    """Points for one thing."""

    side: str
    points: float
    reason: str
    clause: str


class Victory(Part):
    """What counts in the end."""

    def scores(self, at: Position) -> tuple[Score, ...]:
        """The current points of all sides, item by item."""
        name = type(self).__name__
        raise NotImplementedError(f"{name}.scores must say who has which points; a game without points has no Victory")

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """Side -> the points with which it wins and the clause that says so; empty where no number decides."""
        return {}

    def objectives(self, at: Position) -> tuple[Objective, ...]:
        """The places that are worth points."""
        return ()


def total(scores: Iterable[Score], side: str) -> float:
    """What a side has in all."""
    return sum(score.points for score in scores if score.side == side)
