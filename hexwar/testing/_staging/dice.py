"""Scripted dice: a test says what is rolled and drawn, and fails when the game asks for something else."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hexwar.engine import Chance, RandomSource, SeededChance
from hexwar.errors import HexwarError


class ScriptError(HexwarError):
    """A game asked for another roll or draw than its script has."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A blind draw in a script of dice: the number of the lot that is drawn, from 0."""

    index: int
    name: str = ""

    def __str__(self) -> str:
        return f"lot {self.index}" + (f" ({self.name})" if self.name else "")


def lot(which: int | str, among: Sequence[object] = ()) -> Lot:
    """A blind draw for `ScriptedDice`.

    Args:
        which: the number of the lot from 0, or its name.
        among: what is drawn from, such as `game.state.cup`; needed for a name.
    """
    if isinstance(which, int):
        return Lot(which)
    if which not in among:
        raise ScriptError(f"{which!r} cannot be drawn: there are {', '.join(map(str, among)) or 'no lots'}")
    return Lot(list(among).index(which), which)


class ScriptedDice:
    """A source of chance for `new_game(chance=...)` that gives what a test wrote down, in order.

    Args:
        script: die faces as they are printed (1 to 6), and `lot(...)` for blind draws.
        then: where further numbers come from; without it, running out is an error.
    """

    def __init__(self, script: Iterable[int | Lot], then: RandomSource | None = None) -> None:
        self.script = tuple(script)
        self.used = 0
        """How many numbers of the script were asked for."""
        self.then = then

    @classmethod
    def outcomes(cls, tape: Iterable[int], then: RandomSource | None = None) -> ScriptedDice:
        """Dice that repeat raw outcomes from 0, such as the tape of a saved game."""
        return cls((Lot(outcome) for outcome in tape), then)

    @property
    def left(self) -> tuple[int | Lot, ...]:
        """What was not asked for yet."""
        return self.script[self.used :]

    def randrange(self, stop: int, /) -> int:
        """The next number of the script as an outcome from 0.

        Raises:
            ScriptError: the script has run out, or its next number does not fit what is rolled.
        """
        if self.used >= len(self.script):
            if self.then is None:
                rolled = ", ".join(map(str, self.script)) or "nothing"
                raise ScriptError(
                    f"the dice ran out: the script has {rolled}, and draw {self.used + 1} (one of {stop}) is asked for"
                )
            return self.then.randrange(stop)
        entry = self.script[self.used]
        outcome = entry.index if isinstance(entry, Lot) else entry - 1
        if not 0 <= outcome < stop:
            wanted = f"lots 0 to {stop - 1}" if isinstance(entry, Lot) else f"faces 1 to {stop}"
            raise ScriptError(f"draw {self.used + 1} of the script is {entry}, but the game draws one of {stop}: {wanted}")
        self.used += 1
        return outcome

    def __copy__(self) -> ScriptedDice:
        twin = ScriptedDice(self.script, _copied(self.then))
        twin.used = self.used
        return twin

    def __repr__(self) -> str:
        return f"<dice {', '.join(map(str, self.script))}; {self.used} used>"


Outcomes = Callable[[int, int], int]
"""The outcome of a draw, given its number and from how many lots it draws."""


class MoveDice:
    """The dice of a recorded game for another one in which some of its moves are left out.

    Each move rolls what it rolled in the recorded game, whatever became of the moves before it; so a fault that needs a certain
    roll does not go away when an earlier roll does.

    Args:
        outcomes: the draws of the recorded game.
    """

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self._next = 0
        self.rolled: list[int] = []
        """All outcomes so far, those of a move that failed included."""

    def seek(self, number: int) -> None:
        """Go on with the draw that had this number."""
        self._next = number

    def randrange(self, stop: int, /) -> int:
        """The next outcome."""
        self._next += 1
        self.rolled.append(self._outcomes(self._next - 1, stop))
        return self.rolled[-1]

    def __copy__(self) -> Any:
        return self  # shared by all copies of a game, because the caller seeks the draws of a move before playing it


class Dice(MoveDice):
    """Dice for a watched game, from any source; copies of the game roll dice of their own and leave the source alone."""

    def __init__(self, source: RandomSource) -> None:
        super().__init__(lambda number, stop: source.randrange(stop))

    def __copy__(self) -> Any:
        return random.Random(0)


class RecordedDice(MoveDice):
    """The raw outcomes of a recorded game for a test that must go on working when the rules change.

    What does not fit is made to fit, and what runs out is continued. Copies of a game roll the same on their own.

    Args:
        tape: outcomes from 0.
    """

    def __init__(self, tape: Sequence[int]) -> None:
        super().__init__(tape_outcomes(tape))

    def __copy__(self) -> Any:
        twin = RecordedDice(())
        twin.__dict__.update({**vars(self), "rolled": list(self.rolled)})
        return twin


def outcomes_of(chance: Chance, rolled: Sequence[int] = ()) -> Outcomes:
    """The draws of a game, made to fit where they are drawn from another number of lots, and more of them at the end.

    Args:
        chance: the game's dice.
        rolled: what was rolled, where the tape of the dice no longer has all of it.
    """
    if isinstance(chance, SeededChance):
        return chance.draw
    return tape_outcomes(list(rolled) or list(getattr(chance, "tape", ())))


def tape_outcomes(tape: Sequence[int]) -> Outcomes:
    """The draws that a tape has, made to fit, and more of them at its end."""
    return lambda number, stop: tape[number] % stop if number < len(tape) else random.Random(number).randrange(stop)


def _copied(source: Any) -> Any:
    """A copy where there can be one; the dice of the operating system cannot be copied."""
    try:
        return copy.copy(source)
    except (TypeError, NotImplementedError):
        return source
