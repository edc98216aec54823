"""Postures: how a bot weighs attacks, as a value, so that search can try others than the usual one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

BOLDER, CAREFUL, NEVER = -0.35, 0.5, 99.0
"""How much more an attack must promise in another posture."""


@dataclass(frozen=True, kw_only=True)
class Posture:
    """How a bot weighs attacks. A game's own adds what else its bot weighs.

    Args:
        name: what is done, as the beginning of a sentence.
        retreat: what it is worth to drive an enemy from its hex, besides the place in it.
        effort: what a point of attack strength could do elsewhere.
        progress: how much of a place is as good as won when its defenders have lost all but their last step.
        least: what an attack of each side must promise.
        favoured: hexes whose attack is worth more than it looks, each with how much.
    """

    name: str = "As usual"
    retreat: float
    effort: float
    progress: float
    least: Mapping[str, float]
    favoured: tuple[tuple[int, float], ...] = ()


P = TypeVar("P", bound=Posture)
T = TypeVar("T")


def attacking(usual: P) -> Iterator[P]:
    """Other ways to attack."""

    def least(more: float) -> dict[str, float]:
        return {side: promise + more for side, promise in usual.least.items()}

    yield replace(usual, name="Attack more boldly", least=least(BOLDER), effort=usual.effort / 3)
    yield replace(usual, name="Attack only where much is to be won", least=least(CAREFUL))
    yield replace(usual, name="Attack nothing", least=least(NEVER))
    yield replace(usual, name="Drive the enemy back", retreat=2 * usual.retreat)
    yield replace(usual, name="Wear the enemy down", retreat=usual.retreat / 2, progress=min(1.0, 1.4 * usual.progress))


def different(postures: Iterable[T], acts: Callable[[T], object]) -> list[T]:
    """Those of some postures that do different things, the first of those that do the same.

    Args:
        postures: in the order in which they are wanted.
        acts: what a posture does, as something that can be compared.
    """
    found: dict[object, T] = {}
    for posture in postures:
        found.setdefault(acts(posture), posture)
    return list(found.values())
