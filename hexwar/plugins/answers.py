"""What is inside the tuples and dictionaries that rule hooks answer with; `RULE_ANSWERS` says which of them returns which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hexwar.mechanics import Mode
from hexwar.plugins.checks import shown

Check = Callable[[Any, tuple[Any, ...]], str]
"""From an answer, and the arguments of the hook, to what it should have been and why it is not; "" if it is."""


def _tuple_of(kind: type) -> Check:
    def check(answer: Any, arguments: tuple[Any, ...]) -> str:
        for item in answer:
            if not isinstance(item, kind):
                return f"a tuple of {kind.__name__}, and {shown(item)} is none"
        return ""

    return check


_modes = _tuple_of(Mode)


def _check_modes(answer: Any, arguments: tuple[Any, ...]) -> str:
    if not answer:
        return "one way of moving at least, the normal one, not ()"
    return _modes(answer, arguments)


ELEMENTS: dict[str, Check] = {
    "hexwar_modes": _check_modes,
}
"""Rule hook -> the check of what is inside its answer, where there is something inside."""
