"""How much anybody may ask for."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Hashable
from time import monotonic
from typing import NamedTuple

from hexwar.errors import HexwarError

MOST_NAMES = 10_000


class TooMany(HexwarError):
    """A client asks too often.

    Args:
        message: what there is too much of.
        wait: after how many seconds another try makes sense; 0 if unknown.
    """

    def __init__(self, message: str, wait: int = 0) -> None:
        super().__init__(f"{message}: try again in {wait} s" if wait else message)
        self.wait = wait


class Limits(NamedTuple):
    """What one key or address may ask for; `math.inf` for no limit."""

    requests: float = 50.0
    """A second, with one key from one address."""
    burst: float = 300.0
    """At once, with one key from one address."""
    misses: float = 60.0
    """Keys from one address that open nothing; one more every second. Further ones are refused, right keys never."""
    guesses: float = 10.0
    """Wrong passwords for one seat from one address; one more every minute. Ten times as many from all addresses together."""
    games: float = 30.0
    """Games begun with one key; one more every ten seconds."""
    streams: float = 8.0
    """Open at the same time, with the key of a seat from one address; four times as many from all addresses together."""
    watching: float = 100.0
    """Open at the same time by those who only watch one game; half of them from one address."""
    all_streams: float = 1000.0
    """Open at the same time, of all games."""


class Bucket:
    """Tokens for everybody: a number at first, and some more each second.

    Args:
        rate: how many a second.
        burst: how many at most.
        says: what there is too much of when none is left.
    """

    def __init__(self, rate: float, burst: float, says: str = "too many requests") -> None:
        self._rate, self._burst, self._says = rate, burst, says
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._alone = threading.Lock()

    def take(self, name: Hashable) -> None:
        """Take a token of a client.

        Raises:
            TooMany: nothing is left.
        """
        left = self._add(name, -1.0)
        if left < 0:
            raise TooMany(self._says, math.ceil(-left / self._rate))

    def give_back(self, name: Hashable) -> None:
        """Put back a token."""
        self._add(name, 1.0)

    def _add(self, name: Hashable, tokens: float) -> float:
        """What is left then; where that is less than nothing, it is left as it was."""
        if math.isinf(self._burst):
            return self._burst
        with self._alone:
            now = monotonic()
            before, since = self._left.pop(name, (self._burst, now))
            before = min(self._burst, before + (now - since) * self._rate)
            left = min(self._burst, before + tokens)
            self._left[name] = (before if left < 0 else left, now)
            while len(self._left) > MOST_NAMES:
                self._left.popitem(last=False)
        return left
