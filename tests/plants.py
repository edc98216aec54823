"""Ways to plant a bug that only the lists of planted bugs need, besides those of `hexwar.testing.planting`."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hexwar.mechanics import HexWorld
from hexwar.pieces import CombatTable
from hexwar.testing import Patch
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


def slip(function: Callable[..., Any], right: str, wrong: str) -> Plant:
    """Other words in the text of a function, for everybody who holds it; not if it calls `super()` without arguments."""

    def plant(patch: Patch) -> None:
        text = textwrap.dedent(inspect.getsource(function))
        if text.count(right) != 1:
            raise ValueError(f"{function.__qualname__} has {right!r} {text.count(right)} times")
        made: dict[str, Any] = {}
        exec(text.replace(right, wrong), vars(sys.modules[function.__module__]), made)
        patch.set(function, "__code__", made[function.__name__].__code__)

    return plant
