"""Dice of imagined games, which fall alike for alike purposes: plans are compared by what they do and not by their luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hexwar.engine import Chance
from hexwar.engine._chance import key_of, keyed_draw
from hexwar.hashing import blake2b


class ImaginedDice(Chance):
    """Dice that fall by what they are rolled for: the n-th for a purpose is the same in every line of play with these dice.

    Lots have an order of their own, so that two cups that differ in one chit give up the others in the same order; once another
    lot is put among them, all get a new order, so that each is as likely as any other. A real game draws otherwise.

    Args:
        seed: the same seed gives the same dice.
    """

    __slots__ = ("_key", "_left", "_times")

    def __init__(self, seed: int | str) -> None:
        self._key = key_of(f"imagined:{seed}")
        self._times: dict[str, int] = {}
        self._left: dict[str, Counter[str]] = {}
        """Purpose -> the lots that were left after the last draw."""

    def draw(self, counter: int, size: int) -> int:
        """See `Chance.draw`."""
        return keyed_draw(self._key, counter, size)

    def rolled(self, purpose: str, counter: int, size: int) -> int:
        """See `Chance.rolled`."""
        self._times[purpose] = self._times.get(purpose, 0) + 1
        return keyed_draw(self._hash(f"{purpose}|{self._times[purpose]}"), 0, size)

    def lot(self, purpose: str, counter: int, lots: Sequence[Any]) -> int:
        """See `Chance.lot`."""
        names = [repr(lot) for lot in lots]
        if Counter(names) - self._left.get(purpose, Counter()):  # something is new: all of them get another order
            self._times[purpose] = self._times.get(purpose, 0) + 1
        told = f"{purpose}|{self._times[purpose]}"
        order = [self._hash(f"{told}|{name}|{names[:place].count(name)}") for place, name in enumerate(names)]
        drawn = order.index(min(order))
        self._left[purpose] = Counter([*names[:drawn], *names[drawn + 1 :]])
        return drawn

    def fork(self) -> ImaginedDice:
        """See `Chance.fork`."""
        twin = object.__new__(type(self))
        twin._key, twin._times, twin._left = self._key, dict(self._times), dict(self._left)
        return twin

    def _hash(self, text: str) -> bytes:
        return blake2b(text.encode("utf-8", "surrogatepass"), key=self._key, digest_size=32).digest()
