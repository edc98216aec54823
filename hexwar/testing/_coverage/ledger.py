"""Who is at work: which check or game cites a clause, and how much time each check takes.

A ledger is open while something runs. Code that begins a piece of work says so; what is cited meanwhile and the time that passes
are recorded under that name. Without an open ledger nothing is noted.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextvars import ContextVar
from typing import ClassVar, NamedTuple

from hexwar.engine._rules import Citing, collectors
from hexwar.workers import ended


class Citations(NamedTuple):
    """How often a clause was cited.

    Args:
        events: something happened under it.
        refusals: something was refused because of it.
        steps: a seat was asked to decide under it.
    """

    events: int = 0
    refusals: int = 0
    steps: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)

    def plus(self, other: Citations) -> Citations:
        """Both together."""
        return Citations(*(one + another for one, another in zip(self, other, strict=True)))


_PLACES = {Citing.EVENT: 0, Citing.REFUSAL: 1, Citing.STEP: 2}


class Ledger:
    """What is noted about one ruleset while a `with` block runs.

    Args:
        rulesets: the ids of those whose citations count.
    """

    children: ClassVar[float] = 0.0
    """The processor time of other processes that have ended."""

    def __init__(self, *rulesets: str) -> None:
        self._rulesets = frozenset(rulesets)
        self._cited: dict[tuple[str, str, str], list[int]] = {}
        self.source = ""
        """Who is at work now."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        """Who was at work -> how long processors worked for it, those of other processes that it has ended included."""

    def __enter__(self) -> Ledger:
        self._since = _now()
        collectors.append(self.hear)
        self._before = _OPEN.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        self.turn_to("")
        _OPEN.reset(self._before)
        collectors.remove(self.hear)

    def hear(self, ruleset: str, clause: str, how: Citing) -> None:
        """Put a citation down; a collector of `hexwar.engine._rules`."""
        if clause and ruleset in self._rulesets:
            self._cited.setdefault((ruleset, clause, self.source), [0, 0, 0])[_PLACES[how]] += 1

    def cited(self, ruleset: str) -> dict[str, dict[str, Citations]]:
        """Clause -> who was at work -> how often."""
        found: dict[str, dict[str, Citations]] = {}
        for (of, clause, source), numbers in self._cited.items():
            if of == ruleset:
                found.setdefault(clause, {})[source] = Citations(*numbers)
        return found

    def turn_to(self, source: str) -> str:
        """From now on another check is at work; returns who was until now."""
        now = _now()
        self.seconds[self.source] += now - self._since
        before, self.source, self._since = self.source, source, now
        return before


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Within the block nobody learns of citations, for what each process plays once: their number must make no difference."""
    listening = collectors[:]
    collectors.clear()
    try:
        yield
    finally:
        collectors[:] = listening


def _now() -> float:
    """Processor time, which other programs on the machine do not change as they change what a clock shows."""
    return time.process_time() + Ledger.children


def children_ended() -> None:
    """Another process has ended: its time counts. Asked at every look of a check, this would take longer than many a look."""
    times = os.times()
    Ledger.children = times.children_user + times.children_system


ended.append(children_ended)

_OPEN: ContextVar[Ledger | None] = ContextVar("open ledger", default=None)


def open_ledger() -> Ledger | None:
    """The ledger that wants to know who is at work, if one is open."""
    return _OPEN.get()
