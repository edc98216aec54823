"""How much anybody may ask for."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import NamedTuple

from hexwar.errors import HexwarError

MOST_NAMES = 10_000


class TooMany(HexwarError):
    """Somebody asks too often."""


class Limits(NamedTuple):
    """What one key or address may ask for; `math.inf` for no limit."""

    requests: float = 50.0
    """A second, with one key."""
    burst: float = 300.0
    """At once, with one key."""
    misses: float = 60.0
    """Keys or passwords from one address that open nothing; one more every second."""
    streams: float = 8
    """Open at the same time, with one key."""


class Bucket:
    """Tokens for everybody: so many at first, and so many more each second.

    Args:
        rate: how many a second.
        burst: how many at most.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str, tokens: float = 1.0) -> None:
        """Take tokens of somebody; none, to see whether he has any.

        Raises:
            TooMany: he has none left.
        """
        if math.isinf(self._burst):
            return
        now = time.monotonic()
        left, since = self._left.pop(name, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        self._left[name] = (left - tokens if left >= 1 else left, now)
        while len(self._left) > MOST_NAMES:
            self._left.popitem(last=False)
        if left < 1:
            raise TooMany("too many requests: wait a little")
