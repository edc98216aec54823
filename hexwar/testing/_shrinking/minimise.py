"""Delta debugging: a shorter game with the same fault.

Moves are left out in chunks, large ones first and from the end, or dull play takes the place of a chunk until the next recorded
move is offered. What is not offered is skipped, so that every candidate is a game that the gate accepts. Candidates begin
from a copy of the game where they part from the best one so far. Hypothesis' own shrinking takes minutes for what this does in
a second.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hexwar.engine import Action, Game, RandomSource
from hexwar.testing._running.watch import Crash, Fault, NotJudged, Watch, complaint
from hexwar.testing._staging.dice import MoveDice, Outcomes
from hexwar.testing._staging.random_play import SeatAction, is_offered

SECONDS = 2.0
"""Of the processor's time: a busy machine finds the same."""
DULL_MOVES = 14
"""At most this many dull moves may take the place of a chunk."""
CLOSING_MOVES = 2
"""At most this many dull moves may stand before any recorded one, to close a segment from which moves were left out."""
GROUP = 3
"""At least this many moves that name the same thing are worth leaving out together."""
MISSES = 1
"""At most this many recorded moves in a row are waited for that way."""

Numbered = tuple[int, SeatAction]
"""A decision with the number that it had in the recorded game; -n for a dull one that was put in before move n."""


@dataclass(slots=True)
class Effort:
    """What a minimisation took."""

    replays: int = 0
    seconds: float = 0.0


class Trial:
    """One candidate being played; this one asks a function whether the fault shows, or waits for an error.

    Args:
        fails: the function, or the type of the error.
    """

    def __init__(self, fails: Callable[[Game], bool] | type[Exception]) -> None:
        self._asked = fails

    def begin(self, game: Game) -> bool:
        """Whether the fault shows before the first move."""
        return not isinstance(self._asked, type) and self._asked(game)

    def play(self, game: Game, number: int, move: SeatAction) -> bool | None:
        """Make a move; whether the fault shows, or None if the game broke in another way."""
        try:
            game.apply(move[1], move[0])
        except Exception as error:
            return (isinstance(self._asked, type) and isinstance(error, self._asked)) or None
        return self.begin(game)

    def end(self, game: Game) -> bool:
        """Whether the fault shows now that all moves are made."""
        return False

    def seek(self, number: int) -> None:
        """Let the next move have the dice of the recorded one with this number; as a rule they are as the game has them."""

    def can_begin_behind(self, number: int) -> bool:
        """Whether a new trial may begin in a copy of the game behind the move with this number."""
        return True


class Shrinker:
    """Looks for a shorter game.

    Args:
        start: makes a new copy of the game from its start.
        trial: makes a new trial.
        moves: the recorded moves, the last of which shows the fault.
        seconds: when to stop with what was found so far.
        effort: what it took until now.
    """

    def __init__(
        self,
        start: Callable[[], Game],
        trial: Callable[[], Trial],
        moves: Iterable[SeatAction],
        seconds: float,
        effort: Effort,
    ) -> None:
        self._start = start
        self._trial = trial
        self._seconds = seconds
        self._copies: list[Game] = []
        self._begun = time.process_time() - effort.seconds
        self._effort = effort
        self.shown: Trial | None = None
        """The trial in which the shortest game so far showed the fault."""
        self.best: list[Numbered] = list(enumerate(moves))
        """The shortest game so far."""

    def run(self) -> bool:
        """Shorten the game; False if it does not show the fault at all."""
        if not self._accepts(0, list(self.best), shorter=False):
            return False
        self._cut_chunks(down_to=max(1, len(self.best) // 6))
        self._cut_groups()
        self._cut_chunks(down_to=1)
        return True

    def _has_time(self) -> bool:
        self._effort.seconds = time.process_time() - self._begun
        return self._effort.seconds < self._seconds

    def _cut_groups(self) -> None:
        """Leave out all moves that name the same thing: whatever a certain unit does, or all that happens at a place."""
        names = Counter(name for _, (_, action) in self.best for name in _names(action))
        for name, count in names.most_common():
            if count < GROUP or not self._has_time():
                return
            first = next((place for place, (_, (_, action)) in enumerate(self.best) if name in _names(action)), None)
            if first is not None:
                self._accepts(first, [numbered for numbered in self.best[first:] if name not in _names(numbered[1][1])])

    def _cut_chunks(self, down_to: int) -> None:
        """Leave out chunks, ever smaller ones, or let dull play take their place."""
        size = max(1, len(self.best) // 2)
        while self.best and self._has_time():
            found = False
            start = len(self.best)
            while start > 0 and self._has_time():
                # The moves before the chunk first: what comes after it has been shortened already.
                start = min(max(0, start - size), len(self.best))
                rest = list(self.best[start + size :])
                found |= self._accepts(start, rest) or (size >= GROUP and self._accepts(start, [None, *rest]))
            if size > down_to:
                size = max(down_to, size // 2)
            elif not found or down_to > 1:
                return

    def _accepts(self, start: int, rest: Sequence[Numbered | None], *, shorter: bool = True) -> bool:
        """Try the best game's moves before `start` and then others; None is dull play up to the next one."""
        self._effort.replays += 1
        trial = self._trial()
        kept = min(start, len(self._copies) - 1)
        copies: list[Game] = []
        if kept >= 0:
            game = self._copies[kept].copy()
            copies = self._copies[:kept]
        else:
            kept, game = 0, self._start()
            if trial.begin(game):
                self.best, self._copies, self.shown = [], [], trial
                return True
        done = self.best[:kept]
        is_cached = True
        for number, move in self._moves(game, trial, [*self.best[kept:start], *rest]):
            if shorter and len(done) + 1 >= len(self.best):
                return False
            if is_cached:
                copies.append(game.copy())
                is_cached = trial.can_begin_behind(number)
            done.append((number, move))
            shows = trial.play(game, number, move)
            if shows is None:
                return False
            if shows:
                break
        else:
            if not trial.end(game):
                return False
        self.best, self._copies, self.shown = done, copies, trial
        return True

    def _moves(self, game: Game, trial: Trial, wanted: list[Numbered | None]) -> Iterator[Numbered]:
        """The moves that can be made, one after the other."""
        length, misses = -1, 0
        for place, numbered in enumerate(wanted):
            then = numbered or (wanted[place + 1] if place + 1 < len(wanted) else None)
            if then is None:
                continue
            if length != len(game.history):
                length, misses = len(game.history), 0
            if misses < MISSES and not is_offered(game, *then[1]):
                dull = self._dull(game, trial, then, DULL_MOVES if numbered is None else CLOSING_MOVES)
                misses += not dull
                yield from dull
            if numbered is not None and is_offered(game, *numbered[1]):
                yield numbered

    def _dull(self, game: Game, trial: Trial, then: Numbered, limit: int) -> list[Numbered]:
        """Dull moves after which a recorded move is offered; none if it does not come to that."""
        number, wanted = then
        twin = game.copy()
        dull: list[Numbered] = []
        while len(dull) < limit and (asked := twin.to_move):
            # The seat that the recorded game waits for moves last.
            seat = next((seat for seat in asked if seat != wanted[0]), asked[0])
            # With the dice of the move before the recorded one, in whose place it stands.
            move = -max(1, abs(number)), (seat, next(iter(twin.offered(seat))))
            trial.seek(move[0])
            try:
                twin.apply(move[1][1], seat)
            except Exception:
                break
            dull.append(move)
            if is_offered(twin, *wanted):
                return dull
        return []


def _names(action: Action) -> set[str]:
    """The texts in an action's fields."""
    return {value for field in dataclasses.fields(action) if isinstance(value := getattr(action, field.name), str)}  # type: ignore[arg-type]


# -- for everybody --------------------------------------------------------------------------------------------------------


def minimise(
    game_factory: Callable[[], Game],
    moves: Iterable[SeatAction],
    fails: Callable[[Game], bool] | type[Exception],
    *,
    seconds: float = SECONDS,
) -> list[SeatAction]:
    """A shorter sequence of moves with the same fault.

    Args:
        game_factory: makes a new game from the start, with the same dice.
        moves: what was done, up to the fault.
        fails: whether a game shows the fault, asked after every move; or the type of an error that a move raises.
        seconds: when to stop with what was found so far.

    Returns:
        The moves of the shorter game; the last one shows the fault. All of them, if they do not show it at all.
    """
    whole = list(moves)
    shrinker = Shrinker(game_factory, lambda: Trial(fails), whole, seconds, Effort())
    return [move for _, move in shrinker.best] if shrinker.run() else whole


# -- for the checks -------------------------------------------------------------------------------------------------------


class Watched(Trial):
    """A trial observed by a watch that looks only where it must."""

    def __init__(self, watch: Watch, dice: MoveDice, fault: Fault) -> None:
        self._watch = watch
        self._dice = dice
        self._fault = fault
        self.error = fault.error

    def _fails(self, method: Callable[..., None], *arguments: Any) -> bool:
        error = complaint(self._watch, method, *arguments)
        # A crash in a copy is left alone: the move that crashed there is the last one of the recorded game.
        if error is None or isinstance(error, NotJudged) or isinstance(error.__cause__, Crash):
            return False
        self.error = error
        return True

    def begin(self, game: Game) -> bool:
        """See `Trial.begin`."""
        return self._fails(self._watch.begin, game)

    def play(self, game: Game, number: int, move: SeatAction) -> bool | None:
        """See `Trial.play`."""
        seat, action = move
        looking = self._watch.follows or number in self._fault.looked
        if looking and self._fails(self._watch.before, game, seat, action):
            return True
        self.seek(number)
        try:
            events = game.apply(action, seat)
        except Exception as error:
            return self._fails(self._watch.crashed, game, seat, action, error) or None
        return looking and self._fails(self._watch.after, game, seat, action, events)

    def seek(self, number: int) -> None:
        """See `Trial.seek`."""
        self._dice.seek(self._fault.draws_of(number))

    def end(self, game: Game) -> bool:
        """See `Trial.end`."""
        return self._fault.at_end and self._fails(self._watch.end, game)

    def can_begin_behind(self, number: int) -> bool:
        """See `Trial.can_begin_behind`."""
        return number not in self._fault.looked

    def shown_at(self, game: Game, moves: Sequence[SeatAction]) -> int | None:
        """The number of the move of a game at which the fault shows, -1 for its beginning; None if it does not show."""
        if self.begin(game):
            return -1
        for number, move in enumerate(moves):
            shows = self.play(game, number, move) if is_offered(game, *move) else None
            if shows is None:
                return None
            if shows:
                return number
        return len(moves) - 1 if self.end(game) else None


@dataclass(frozen=True, slots=True)
class Recording:
    """A game in which a watch found something, as it can be played again.

    Args:
        start: makes a new game with some dice.
        outcomes: the draws of the game.
        watch: makes a new watch.
    """

    start: Callable[[RandomSource], Game]
    outcomes: Outcomes
    watch: Callable[[], Watch]

    def again(self, fault: Fault) -> tuple[Callable[[], Game], Callable[[], Watched]]:
        """What begins the game, and what tries whether a fault shows in it."""
        dice = MoveDice(self.outcomes)

        def begin() -> Game:
            dice.seek(0)
            return self.start(dice)

        return begin, lambda: Watched(self.watch(), dice, fault)

    def minimal(self, fault: Fault, seconds: float, effort: Effort) -> Fault:
        """The same fault in a shorter game.

        Args:
            fault: what was found.
            seconds: when to stop.
            effort: what it took until now; what this takes is added.
        """
        fault = self._wide_enough(fault)
        while True:
            begin, trial = self.again(fault)
            shrinker = Shrinker(begin, trial, fault.moves, seconds, effort)
            shrinker.run()
            error = shrinker.shown.error if isinstance(shrinker.shown, Watched) else fault.error
            shorter = replace(
                fault,
                error=error,
                moves=tuple(move for _, move in shrinker.best),
                draws=tuple(fault.draws_of(number) for number, _ in shrinker.best),
                looked=frozenset(place for place, (number, _) in enumerate(shrinker.best) if number in fault.looked),
            )
            sooner = self._sooner(shorter)
            if sooner is None:
                return shorter
            fault = self._wide_enough(sooner)

    def _sooner(self, fault: Fault) -> Fault | None:
        """The same fault at an earlier move of a shortened game: nobody looked there, because the recorded game had none."""
        begin, trials = self.again(replace(fault, looked=frozenset(range(len(fault.moves)))))
        trial = trials()
        place = trial.shown_at(begin(), fault.moves)
        if place is None or not 0 <= place < len(fault.moves) - 1:
            return None
        return Fault.of(trial.error, fault.moves[: place + 1], fault.draws[: place + 1])

    def _wide_enough(self, fault: Fault) -> Fault:
        """A fault that shows again: a watch that remembers what it saw before may have to look at all moves."""
        wide = replace(fault, looked=frozenset(range(len(fault.moves))))
        return wide if not self._shows(fault) and self._shows(wide) else fault

    def _shows(self, fault: Fault) -> bool:
        """Whether a fault shows if the watch looks only where it must."""
        begin, trials = self.again(fault)
        return trials().shown_at(begin(), fault.moves) is not None


def played(game: Game, dice: MoveDice, fault: Fault) -> Game:
    """A game in which the moves of a fault are made, each with its dice, as far as the rules let it."""
    for number, (seat, action) in enumerate(fault.moves):
        dice.seek(fault.draws_of(number))
        try:
            game.apply(action, seat)
        except Exception:
            break  # the rules fail at the move that shows it
    return game
