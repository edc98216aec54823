"""Exact chance: everything that dice and blind draws can make of an action, each with its probability as a fraction.

The action is applied to copies of the game, once for each way through the tree of its draws, so the answer holds for the rules as
they are, whatever they do with a roll.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from hexwar.engine import Action, Chance, Game
from hexwar.errors import HexwarError

T = TypeVar("T", bound=Hashable)

MOST = 20_000
"""At most this many ways through the dice are followed unless the caller says otherwise."""


class TooManyWays(HexwarError):
    """The dice of an action can take more ways than are to be followed."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way through the dice of an action.

    Args:
        game: a game of its own after the action. It begins where the other stood, so its events are those of the action.
        draws: the outcomes, from 0.
        probability: how likely these are.
    """

    game: Game
    draws: tuple[int, ...]
    probability: Fraction


class _Path(Chance):
    """Draws that follow a path through the tree, then its first branches."""

    def __init__(self, first: int, path: tuple[int, ...]) -> None:
        self._first = first
        self._path = path
        self.taken: list[int] = []
        self.sizes: list[int] = []

    def draw(self, counter: int, size: int) -> int:
        """See `Chance.draw`."""
        if size < 1:
            raise ValueError(f"one of {size} outcomes cannot be drawn")
        number = counter - self._first
        if number < len(self.taken):  # asked for again, by a copy of the game
            return self.taken[number]
        self.taken.append(self._path[number] if number < len(self._path) else 0)
        self.sizes.append(size)
        return self.taken[-1]

    def next(self) -> tuple[int, ...] | None:
        """The path to the next branch, None behind the last."""
        number = len(self.taken) - 1
        while number >= 0 and self.taken[number] + 1 == self.sizes[number]:
            number -= 1
        return (*self.taken[:number], self.taken[number] + 1) if number >= 0 else None


def branches(game: Game, action: Action | Mapping[str, object], side: str | None = None, *, most: int = MOST) -> Iterator[Branch]:
    """Every way that the dice can take when an action is done.

    Args:
        game: it stays as it is.
        action: an offered one, or its JSON form.
        side: who does it; needed only if several decide now.
        most: how many ways are followed.

    Raises:
        TooManyWays: there are more.
        Refusal: it is not offered.
    """
    path: tuple[int, ...] | None = ()
    for _ in range(most):
        assert path is not None
        chance = _Path(game.state.draws, path)
        twin = Game(game.ruleset, game.world, game.state, chance)
        twin.apply(action, side)
        yield Branch(twin, tuple(chance.taken), Fraction(1, math.prod(chance.sizes)))
        path = chance.next()
        if path is None:
            return
    raise TooManyWays(f"the dice of this action can take more than {most} ways, which are too many to follow them all")


def distribution(
    game: Game,
    action: Action | Mapping[str, object],
    side: str | None = None,
    *,
    of: Callable[[Branch], T] = lambda branch: branch.game.digest,  # type: ignore[assignment,return-value]  # T is str then
    most: int = MOST,
) -> dict[T, Fraction]:
    """The exact distribution of something that an action leads to, in the order in which it is found.

    Args:
        game: it stays as it is.
        action: an offered one, or its JSON form.
        side: who does it; needed only if several decide now.
        of: what of each branch is of interest: a result, the losses, who wins; the digest of the game if not given.
        most: how many ways through the dice are followed.

    Raises:
        TooManyWays: there are more.
        Refusal: it is not offered.
    """
    found: dict[T, Fraction] = {}
    for branch in branches(game, action, side, most=most):
        value = of(branch)
        found[value] = found.get(value, Fraction()) + branch.probability
    return found
