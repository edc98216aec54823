"""A game that is over, told in numbers: points and losses by turn, what changed them most, and luck."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from hexwar.engine import Event, Game, Position, State
from hexwar.pieces import Score, TurnBegan, total
from hexwar.table.chronicle import Chronicle
from hexwar.table.questions import answers
from hexwar.web._scene import Line, place_name

MOST_MOMENTS = 5
"""How many turning points are told."""
MOST_SEARCHED = 4
"""In how many turns they are looked for: those in which points changed most."""


class Summary:
    """The figures of a game that is over.

    Args:
        game: as it was played.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._world = game, game.world
        self._names = Chronicle(game.world, short=True, ids=False)
        self._ends = [decision.log_length for decision in game.history]

    def figures(self, lines: Sequence[Line]) -> dict[str, Any]:
        """All of it.

        Args:
            lines: of the reader's log; a moment is the line at which it stands there.
        """
        result, turns = self._game.result, self._turns()
        points = [(turn, self._scores(end)) for turn, _, end in turns]
        sides, counts = list(self._world.sides), answers(self._game.query, "score")
        return {
            "winner": "" if result is None else result.winner or "",
            "points": [_row(turn, "points", {side: total(it, side) for side in sides}) for turn, it in points if counts],
            "needed": self._needed(),
            "losses": [_row(turn, "lost", self._lost(first, end)) for turn, first, end in turns],
            "moments": self._moments(turns, lines),
        }

    def _turns(self) -> list[tuple[int, int, int]]:
        """Each turn with the numbers of its first event and of the first after it."""
        events = self._game.events
        begun = [(event.turn, number) for number, event in enumerate(events) if isinstance(event, TurnBegan)] or [(0, 0)]
        opening = getattr(self._game.first_state, "turn", 0) or begun[0][0]
        begun = [(opening, 0), *(it for it in begun if it[0] != opening)]
        ends = [number for _, number in begun[1:]] + [len(events)]
        return [(turn, first, end) for (turn, first), end in zip(begun, ends, strict=True)]

    def _at(self, end: int) -> State:
        state: State = self._game.first_state.copy()
        for event in self._game.events[:end]:
            event.apply(state)
        return state

    def _scores(self, end: int) -> tuple[Score, ...]:
        return self._scored(self._at(end))

    def _scored(self, state: State) -> tuple[Score, ...]:
        query = self._game.ruleset.query(Position(self._world, state))
        return tuple(query.score()) if answers(query, "score") else ()

    def _needed(self) -> dict[str, float]:
        query = self._game.query
        return {side: needed for side, (needed, _) in getattr(query, "points_needed", dict)().items()}

    def _lost(self, first: int, end: int) -> dict[str, int]:
        gone = Counter(self._side(piece) for event in self._game.events[first:end] for piece in event.gone())
        return {side: gone[side] for side in self._world.sides}

    def _side(self, piece: str) -> str:
        unit = getattr(self._world, "units", {}).get(piece)
        return str(getattr(unit, "side", ""))

    def _moments(self, turns: Sequence[tuple[int, int, int]], lines: Sequence[Line]) -> list[dict[str, Any]]:
        """The largest changes of points, each with the line of the log at which it stands."""
        changes = []
        before = self._scores(0)
        for turn, first, end in turns:
            after = self._scores(end)
            changes.append((_far(before, after), turn, first, end))
            before = after
        found: list[dict[str, Any]] = []
        for far, turn, first, end in sorted(changes, reverse=True)[:MOST_SEARCHED]:
            if far:
                found += self._changes(turn, first, end, lines)
        best = sorted(found, key=lambda moment: -abs(moment["by"]))[:MOST_MOMENTS]
        return sorted(best, key=lambda moment: int(moment["line"]))

    def _changes(self, turn: int, first: int, end: int, lines: Sequence[Line]) -> list[dict[str, Any]]:
        """What changed points within a turn, action by action."""
        ends = [it for it in self._ends if first < it <= end]
        state = self._at(first)
        was, done, found = self._scores(first), first, []
        for upto in (*ends, *([] if ends and ends[-1] == end else [end])):
            for event in self._game.events[done:upto]:
                event.apply(state)
            now = self._scored(state.copy())
            found += [self._moment(turn, change, done, upto, lines) for change in _gained(was, now)]
            was, done = now, upto
        return found

    def _moment(self, turn: int, change: Score, first: int, end: int, lines: Sequence[Line]) -> dict[str, Any]:
        numbers = [line.number for line in lines]
        line = max(0, bisect_right(numbers, end - 1) - 1)
        events: Iterable[Event] = self._game.events[first:end]
        places = [place_name(place) for event in events for place in event.blow()]
        return {
            "line": lines[line].line if lines else 0,
            "turn": turn,
            "side": change.side,
            "words": self._names.named(f"{change.side.title()} {change.reason}"),
            "change": f"{change.points:+g}".replace("-", "\u2212"),
            "by": change.points,
            "places": places[-1:],
        }


def _row(turn: int, what: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"turn": turn, what: values}


def _far(before: Iterable[Score], after: Iterable[Score]) -> float:
    return sum(abs(it.points) for it in _gained(before, after))


def _gained(before: Iterable[Score], after: Iterable[Score]) -> list[Score]:
    """The points that a side gained."""
    had = {(it.side, it.reason): it.points for it in before}
    return [
        Score(it.side, it.points - had.get((it.side, it.reason), 0), it.reason, it.clause)
        for it in after
        if it.points != had.get((it.side, it.reason), 0)
    ]
