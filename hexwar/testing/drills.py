"""Drills: positions made by hand for rules that seldom come up in random games, and what must become of them.

A ruleset's kit writes them down in `Drills`, compares with `same`, and has a check of its own, a `Drilled`, play them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import ClassVar

from hexwar.errors import HexwarError
from hexwar.testing.watch import Survey

MOST = 300
"""So many characters of an answer are told."""


class Differs(AssertionError):
    """The ruleset does not do what the rulebook says.

    Args:
        clause: the rule.
        what: about what.
        told: what the ruleset says.
        due: what the rulebook says.
    """

    def __init__(self, clause: str, what: str, told: object, due: object) -> None:
        super().__init__(f"{what}: {_short(told)}, and it should be {_short(due)} ({clause})")
        self.clause = clause


def same(clause: str, what: str, told: object, due: object) -> None:
    """Fail unless two answers are equal.

    Raises:
        Differs: they are not.
    """
    if told == due:
        return
    if isinstance(told, set | frozenset) and isinstance(due, set | frozenset):
        raise Differs(clause, what, f"{_short(told - due)} more", f"{_short(due - told)} more")
    if isinstance(told, dict) and isinstance(due, dict):
        keys = [key for key in {*told, *due} if told.get(key) != due.get(key)]
        key = min(keys, key=str)
        raise Differs(clause, f"{what} {key}", told.get(key), due.get(key))
    raise Differs(clause, what, told, due)


def _short(value: object) -> str:
    text = str(sorted(value, key=str) if isinstance(value, set | frozenset) else value)
    return text if len(text) < MOST else f"{text[:MOST]}..."


@dataclass(frozen=True)
class Drill:
    """A position and what must become of it.

    Args:
        clause: the rule.
        what: what must be, in a sentence.
        play: tries it; raises `Differs` or whatever the rules raise.
    """

    clause: str
    what: str
    play: Callable[[], None]


class Drills(list[Drill]):
    """Drills in the order in which they are written down: an object of this class is the decorator that adds one."""

    def __call__(self, clause: str, what: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
        """Add a drill."""

        def add(play: Callable[[], None]) -> Callable[[], None]:
            self.append(Drill(clause, what, play))
            return play

        return add


class Drilled(Survey):
    """A check that plays drills, once for all scenarios."""

    drills: ClassVar[Sequence[Drill]] = ()

    def playing(self) -> AbstractContextManager[object]:
        """What is held while they are played."""
        return nullcontext()

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        with self.playing():
            for drill in self.drills if self.is_first else ():
                try:
                    drill.play()
                except Differs as difference:
                    raise self.fail(f"{drill.what}: {difference}") from None
                except HexwarError as error:
                    raise self.fail(f"{drill.what}: {error} ({drill.clause})") from error
