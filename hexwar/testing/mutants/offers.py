"""Bugs of what is offered: an action lost, listed twice, or in an order that nothing fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hexwar.engine import Action, Listed, RandomSource
from hexwar.testing.mutants.catalogue import Parts, bug
from hexwar.testing.mutation import Patch

Order = Callable[[tuple[Action, ...]], Iterable[Action]]


def _reordered(patch: Patch, order: Order) -> None:
    patch.wrap(Listed, "__init__", lambda original, self, actions: original(self, order(tuple(actions))))


@bug("offer-lost", "Of three and more listed actions the last is not offered.",
     likely=("attacks-are-right", "chits-are-kept", "losses-are-right"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    _reordered(patch, lambda actions: actions[:-1] if len(actions) > 2 else actions)


@bug("offer-not-listed", "The last of several offered actions is missing in the list.", likely="offers-are-sets")
def _(patch: Patch, parts: Parts) -> None:
    def listing(original: Any, self: Listed) -> Iterator[Action]:
        actions = list(original(self))
        return iter(actions[:-1] if len(actions) > 1 else actions)

    patch.wrap(Listed, "__iter__", listing)


@bug("offer-listed-twice", "The first offered action is listed twice.", likely="offers-are-sets")
def _(patch: Patch, parts: Parts) -> None:
    _reordered(patch, lambda actions: (*actions[:1], *actions))


@bug("offer-order-by-hash", "Offered actions come in the order of their hashes, which is another in each process.",
     likely="same-everywhere")  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    _reordered(patch, lambda actions: sorted(actions, key=lambda action: hash(repr(action))))


@bug("offer-order-by-address", "Offered actions come in the order of their addresses in memory.",
     likely=("order-is-stable", "same-everywhere"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    _reordered(patch, lambda actions: sorted(actions, key=id))


@bug(
    "sample-is-stale",
    "A sample of what is offered gives what was sampled before.",
    likely=("offers-are-sets", "offered-actions-apply"),
)
def _(patch: Patch, parts: Parts) -> None:
    last: list[Action] = []

    def sample(original: Any, self: Listed, chance: RandomSource) -> Action:
        last.append(original(self, chance))
        return last.pop(0) if len(last) > 1 else last[0]

    patch.wrap(Listed, "sample", sample)
