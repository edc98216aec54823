"""Ways to plant a bug in a game of `hexwar.mechanics`, for the mutants of a ruleset's kit: each makes what `Mutant.plant` wants.

A bug sits in what is printed, in a value or an answer of a part, or in a function.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from typing import Any, TypeVar

from hexwar.pieces import ContentFiles
from hexwar.testing._mutants.mutation import Patch

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
        if isinstance(load, ContentFiles):
            patch.set(load, "bundled", changed)
        else:
            patch.everywhere(load, lambda original, *arguments, **named: changed)

    return plant


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
    return lambda patch: patch.wrap(pkgutil.resolve_name(owner) if isinstance(owner, str) else owner, name, around)


def answering(owner: Any, name: str, value: Any) -> Plant:
    """A function that always gives the same answer."""
    return wrapping(owner, name, lambda original, *arguments, **named: value)


def everywhere(function: Any, around: Callable[..., Any]) -> Plant:
    """Another function in all modules that use it."""
    return lambda patch: patch.everywhere(function, around)
