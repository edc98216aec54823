"""Rule hooks as the engine sees them: names resolved to plain callables when a game is created.

A call through a plugin manager costs microseconds, a call of a plain function does not; so nothing in play ever goes
through the manager.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


class Hooks:
    """The rule hooks of one game, each a chain of callables in calling order."""

    __slots__ = ("_chains",)

    def __init__(self, chains: Mapping[str, tuple[Callable[..., Any], ...]] | None = None) -> None:
        self._chains = dict(chains or {})

    def chain(self, name: str) -> tuple[Callable[..., Any], ...]:
        """All implementations of a hook; usually none."""
        return self._chains.get(name, ())

    def refine(self, name: str, value: Any, *arguments: Any) -> Any:
        """Pass a value through a chain: each implementation gets the value so far last and returns a new one or None."""
        for implementation in self._chains.get(name, ()):
            refined = implementation(*arguments, value)
            if refined is not None:
                value = refined
        return value
