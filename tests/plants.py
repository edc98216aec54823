"""Ways to plant a bug that only the lists of planted bugs need, besides those of `hexwar.testing.planting`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hexwar.mechanics import CombatTable, HexWorld
from hexwar.testing.planting import Plant, wrapping


def with_results(table: CombatTable, **outcomes: Mapping[str, Any]) -> CombatTable:
    """A combat table whose results mean something else; `_` stands before a result whose name begins with a digit."""
    named = {name.lstrip("_"): changes for name, changes in outcomes.items()}
    rows = {
        roll: tuple(replace(cell, **named[cell.name]) if cell.name in named else cell for cell in row)
        for roll, row in table.rows.items()
    }
    return type(table)(dict(zip(table.columns, table.ratios, strict=True)), rows)


def made(world: type[HexWorld], change: Callable[[Any], object]) -> Plant:
    """A world that is changed when it has been made."""

    def make(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        change(self)

    return wrapping(world, "__init__", make)


def instead(function: Any, other: Callable[..., Any]) -> Plant:
    """Another body of a function that somebody holds by the hand; it sees what the original saw of its module."""
    return lambda patch: patch.set(function, "__code__", other.__code__)
