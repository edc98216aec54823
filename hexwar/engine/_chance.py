"""Chance: dice and blind draws from a keyed stream, the same on every platform, process and Python version.

The n-th draw of a game is a keyed hash of the seed and n, so the whole state of the dice is one counter. It is part
of the game's state and of no view.
"""

from __future__ import annotations

import copy
import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, SupportsIndex

from hexwar.engine._actions import RandomSource
from hexwar.errors import HexwarError, SaveError
from hexwar.hashing import blake2b

MAX_SKIPPED_DRAWS = 100_000


class Chance(ABC):
    """Where a game's random numbers come from."""

    @abstractmethod
    def draw(self, counter: int, size: int) -> int:
        """The outcome 0 <= outcome < size of the draw with this number."""

    def rolled(self, purpose: str, counter: int, size: int) -> int:
        """The outcome of a die that is rolled for a purpose; only imagined games care for what."""
        return self.draw(counter, size)

    def lot(self, purpose: str, counter: int, lots: Sequence[Any]) -> int:
        """The place of the lot that is drawn for a purpose; only imagined games care which they are."""
        return self.draw(counter, len(lots))

    def fork(self) -> Chance:
        """A source for a copy of the game, so that neither disturbs the other."""
        return self

    def rewind(self, counter: int) -> None:  # noqa: B027 - a source without memory has nothing to forget
        """Forget the draws from this number on: what made them failed and never happened."""


class SeededChance(Chance):
    """The ordinary source: a keyed hash of seed and counter.

    Args:
        seed: a whole number or a string.
        is_secret: whether it was not given, so that it stays secret before the game is over.
    """

    __slots__ = ("_key", "is_secret", "seed")

    def __init__(self, seed: int | str, *, is_secret: bool = False) -> None:
        self._key = key_of(seed)
        self.seed = seed
        self.is_secret = is_secret

    def draw(self, counter: int, size: int) -> int:
        """See `Chance.draw`."""
        return keyed_draw(self._key, counter, size)


def key_of(seed: int | str) -> bytes:
    """What the draws of a seed are made with. The seed cannot be computed from it, only guessed and tried."""
    if type(seed) not in (int, str):
        raise HexwarError(f"a seed is a whole number or a string, not {seed!r}")
    # "surrogatepass", because JSON can write texts that UTF-8 cannot, and a save may have one.
    text = f"hexwar:{type(seed).__name__}:{seed}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=32).digest()


def keyed_draw(key: bytes, counter: int, size: int) -> int:
    """The draw of this number with a key, by rejection, so that every outcome is exactly equally likely."""
    if not 0 < size <= 1 << 64:
        raise ValueError(f"one of {size} outcomes cannot be drawn")
    limit = (1 << 64) - (1 << 64) % size
    attempt = 0
    while True:
        message = b"%d.%d" % (counter, attempt)
        value = int.from_bytes(blake2b(message, key=key, digest_size=8).digest(), "big")
        if value < limit:
            return value % size
        attempt += 1


class TapedChance(Chance):
    """Outcomes from somewhere else (scripted dice, a test's random object), noted so that a save can repeat them.

    Args:
        source: where new outcomes come from; None continues with draws of a fixed seed, for a game that was loaded from
            a file and whose source is gone: loading it twice gives the same future.
        tape: outcomes to repeat first.
    """

    __slots__ = ("_source", "tape")
    _TAIL = SeededChance("tape")

    def __init__(self, source: RandomSource | None, tape: Sequence[int] = ()) -> None:
        self._source = source
        self.tape = list(tape)

    def draw(self, counter: int, size: int) -> int:
        """See `Chance.draw`; what is on the tape already is repeated."""
        if counter < len(self.tape):
            outcome = self.tape[counter]
        elif self._source is None:
            outcome = self._TAIL.draw(counter, size)
        else:
            outcome = _whole(self._source.randrange(size))
        if not 0 <= outcome < size:
            raise SaveError(f"draw {counter + 1} is {outcome}, but it must be from 0 to {size - 1}")
        if counter >= len(self.tape):
            # A hand-made position may begin at a later draw than the first: the ones before it are never asked for.
            if counter > len(self.tape) + MAX_SKIPPED_DRAWS:
                raise SaveError(f"draw {counter + 1} cannot be noted: at most {MAX_SKIPPED_DRAWS} draws may be skipped")
            self.tape += [0] * (counter - len(self.tape))
            self.tape.append(outcome)
        return outcome

    def fork(self) -> TapedChance:
        """See `Chance.fork`; the source is copied as `copy.copy` does it, or shared where it cannot be copied."""
        try:
            source = copy.copy(self._source)
        except (TypeError, NotImplementedError):  # the module `random`, the dice of the operating system
            source = self._source
        return TapedChance(source, self.tape)

    def rewind(self, counter: int) -> None:
        """See `Chance.rewind`."""
        del self.tape[counter:]


def _whole(outcome: object) -> int:
    """What a source gave as a plain whole number; numpy's numbers are not, and no save could hold them."""
    if isinstance(outcome, bool) or not isinstance(outcome, SupportsIndex):
        raise HexwarError(f"a source of chance gives whole numbers, not {outcome!r}")
    return int.__int__(operator.index(outcome))
