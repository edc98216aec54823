"""Ways to plant a bug in a game of `hexwar.mechanics`, for the mutants of a ruleset's kit: each makes what `Mutant.plant` wants.

A bug sits in what is printed, in a value or an answer of a part, or in a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar

from hexwar.mechanics import CombatTable, HexWorld
from hexwar.testing.mutation import Patch

Plant = Callable[[Patch], object]
C = TypeVar("C")

# -- what is printed ------------------------------------------------------------------------------------------------------


def printed(load: Callable[..., C], change: Callable[[C], C]) -> Plant:
    """Other content.

    Args:
        load: the function that reads it.
        change: makes the wrong content of the right one.
    """

    def plant(patch: Patch) -> None:
        changed = change(load())
        patch.everywhere(load, lambda original, *arguments, **named: changed)

    return plant


def with_results(table: CombatTable, **outcomes: Mapping[str, Any]) -> CombatTable:
    """A combat table whose results mean something else; `_` stands before a result whose name begins with a digit."""
    named = {name.lstrip("_"): changes for name, changes in outcomes.items()}
    rows = {
        roll: tuple(replace(cell, **named[cell.name]) if cell.name in named else cell for cell in row)
        for roll, row in table.rows.items()
    }
    return type(table)(dict(zip(table.columns, table.ratios, strict=True)), rows)


# -- worlds -----------------------------------------------------------------------------------------------------------


def made(world: type[HexWorld], change: Callable[[Any], object]) -> Plant:
    """A world that is changed when it has been made."""

    def make(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        change(self)

    return wrapping(world, "__init__", make)


# -- functions ------------------------------------------------------------------------------------------------------------


def setting(owner: Any, name: str, value: Any) -> Plant:
    """Another value of an attribute."""
    return lambda patch: patch.set(owner, name, value)


def wrapping(owner: Any, name: str, around: Callable[..., Any]) -> Plant:
    """Another function of a module, or method of a class; it gets the original first.

    Args:
        owner: the module or class; "module" or "module:Class" if it is to be imported only when the bug is planted.
        name: of the function.
        around: what is called in its place.
    """
    return lambda patch: patch.wrap(_found(owner) if isinstance(owner, str) else owner, name, around)


def answering(owner: Any, name: str, value: Any) -> Plant:
    """A function that always gives the same answer."""
    return wrapping(owner, name, lambda original, *arguments, **named: value)


def everywhere(function: Any, around: Callable[..., Any]) -> Plant:
    """Another function in all modules that use it."""
    return lambda patch: patch.everywhere(function, around)


def instead(function: Any, other: Callable[..., Any]) -> Plant:
    """Another body of a function that somebody holds by the hand; it sees what the original saw of its module."""
    return lambda patch: patch.set(function, "__code__", other.__code__)


def _found(name: str) -> Any:
    module, _, kind = name.partition(":")
    return getattr(import_module(module), kind) if kind else import_module(module)
