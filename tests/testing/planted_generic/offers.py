"""Bugs of what is offered: an action lost, listed twice, or in an order that nothing fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hexwar.engine import Action, Listed, RandomSource
from hexwar.testing import Patch
from tests.testing.planted_generic.catalogue import Parts, Plant, bug, wrapping

Order = Callable[[tuple[Action, ...]], Iterable[Action]]


def _reordered(order: Order) -> Plant:
    return wrapping(Listed, "__init__", lambda original, self, actions: original(self, order(tuple(actions))))


def _offer_not_listed(original: Any, self: Listed) -> Iterator[Action]:
    actions = list(original(self))
    return iter(actions[:-1] if len(actions) > 1 else actions)


def _sample_is_stale(patch: Patch, parts: Parts) -> None:
    last: list[Action] = []

    def sample(original: Any, self: Listed, chance: RandomSource) -> Action:
        last.append(original(self, chance))
        return last.pop(0) if len(last) > 1 else last[0]

    patch.wrap(Listed, "sample", sample)


BUGS = (
    bug(
        "offer-lost",
        "Of three and more listed actions the last is not offered.",
        _reordered(lambda actions: actions[:-1] if len(actions) > 2 else actions),
        likely=("attacks-are-right", "chits-are-kept", "losses-are-right"),
    ),
    bug(
        "offer-not-listed",
        "The last of several offered actions is missing in the list.",
        wrapping(Listed, "__iter__", _offer_not_listed),
        likely="offers-are-sets",
    ),
    bug(
        "offer-listed-twice",
        "The first offered action is listed twice.",
        _reordered(lambda actions: (*actions[:1], *actions)),
        likely="offers-are-sets",
    ),
    bug(
        "offer-order-by-hash",
        "Offered actions come in the order of their hashes, which is another in each process.",
        _reordered(lambda actions: sorted(actions, key=lambda action: hash(repr(action)))),
        likely="same-everywhere",
    ),
    bug(
        "offer-order-by-address",
        "Offered actions come in the order of their addresses in memory.",
        _reordered(lambda actions: sorted(actions, key=id)),
        likely=("order-is-stable", "same-everywhere"),
    ),
    bug(
        "sample-is-stale",
        "A sample of what is offered gives what was sampled before.",
        _sample_is_stale,
        likely=("offers-are-sets", "offered-actions-apply"),
    ),
)
