"""Long games are played to their end, but looked at in stretches only: looking costs many times what playing does."""

from __future__ import annotations

import random
from collections.abc import Container

from hexwar.testing.ledger import unheard
from hexwar.testing.playouts import playout
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget

LONG = 400
"""A game of more decisions is long."""
STRETCH = 20
"""Decisions of a long game that are looked at in a row: what goes wrong often needs several of them."""


def stretches(key: str, length: int, looks: int) -> Container[int] | None:
    """The decisions of a game that are looked at: of a long one stretches all over it, the first and the last among them.

    Args:
        key: others are chosen with another one.
        length: how many decisions the game has, at least roughly.
        looks: how many are looked at if it is long.

    Returns:
        Their numbers, or None for all of them.
    """
    if length <= max(LONG, looks):
        return None
    blocks = range((length + STRETCH - 1) // STRETCH)
    inner = blocks[1:-1]
    chosen = random.Random(key).sample(inner, max(0, min(looks // STRETCH - 2, len(inner))))
    looked = {blocks[0], blocks[-1], *chosen}
    return frozenset(block * STRETCH + number for block in looked for number in range(STRETCH))


def looks_at(subject: Subject, budget: Budget, key: str) -> Container[int] | None:
    """The decisions of a random game that are looked at; see `stretches`."""
    return stretches(key, usual_length(subject), budget.looks)


_LENGTHS: dict[tuple[int, str, str], int] = {}


def usual_length(subject: Subject) -> int:
    """How many decisions a random game of a scenario has, about; one is played once to see."""
    if subject.bound <= LONG:
        return subject.bound
    key = id(subject.ruleset), subject.scenario, repr(sorted(subject.options.items()))
    if key not in _LENGTHS:
        try:
            with unheard():
                _LENGTHS[key] = len(playout(subject.start("length"), random.Random("length")).moves)
        except Exception:  # games that crash are short, and those who watch them say why
            return 0
    return _LENGTHS[key]
