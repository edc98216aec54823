"""What all checks of this game have."""

from __future__ import annotations

from typing import Any

from hexwar.testing.checks.following import Following, differ
from hexwar.testing.oracles import Books

WEST = "west of the start line"
STARVED = "11.1.1"
"""The clause under which supply checks cost steps."""


class Literal(Following, abstract=True):
    """A check of this game."""

    needs = Books

    def same(self, what: str, told: Any, literal: Any, clause: str) -> None:
        """Two sets must be the same."""
        wrong = differ({*told}, {*literal})
        self.demand(not wrong, f"{what}: {wrong}", clause)
