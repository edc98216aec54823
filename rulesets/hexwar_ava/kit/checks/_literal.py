"""What all checks of this game have."""

from __future__ import annotations

from hexwar.testing.checks.following import Following
from hexwar.testing.oracles import Books

WEST = "west of the start line"
STARVED = "11.1.1"
"""The clause under which supply checks cost steps."""


class Literal(Following, abstract=True):
    """A check of this game."""

    needs = Books
