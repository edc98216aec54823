"""What is inside the tuples and dictionaries that rule hooks answer with; `RULE_ANSWERS` says which of them returns which."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hexwar.errors import UnknownName
from hexwar.mechanics import Mode, Reinforcements, Shift
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


_modes, _groups = _tuple_of(Mode), _tuple_of(Reinforcements)


def _check_attackers(answer: Any, arguments: tuple[Any, ...]) -> str:
    return _check_units(answer, arguments[0])


def _check_units(units: Any, at: Any) -> str:
    known = getattr(at.world, "units", None)
    for unit in units:
        if not isinstance(unit, str):
            return f"a tuple of units' ids, and {shown(unit)} is none"
        if known is not None and unit not in known:
            return f"a tuple of units' ids, and {UnknownName('unit', unit, known)}"
    return ""


def _check_modes(answer: Any, arguments: tuple[Any, ...]) -> str:
    if not answer:
        return "one way of moving at least, the normal one, not ()"
    return _modes(answer, arguments)


def _check_reinforcements(answer: Any, arguments: tuple[Any, ...]) -> str:
    if mistake := _groups(answer, arguments):
        return mistake
    for units, number, about in answer:
        if not isinstance(units, tuple) or not isinstance(number, int) or not isinstance(about, str):
            return f"Reinforcements of units, a number and a topic, not {shown((units, number, about))}"
        if mistake := _check_units(units, arguments[0]):
            return f"Reinforcements of {mistake}"
    return ""


def _check_chits(answer: Any, arguments: tuple[Any, ...]) -> str:
    before = arguments[-1]
    if before and not answer:
        return "the chits of the game, and there is none left"
    kinds = tuple({type(chit) for chit in before.values()})
    for name, chit in answer.items():
        if not isinstance(name, str):
            return f"a dictionary of chits by their ids, and {shown(name)} is no id"
        if kinds and not isinstance(chit, kinds):
            expected = " or ".join(sorted(kind.__name__ for kind in kinds))
            return f"a dictionary of {expected} by id, and {shown(chit)} is none"
    return ""


def _check_strength(answer: Any, arguments: tuple[Any, ...]) -> str:
    if not isinstance(answer, tuple):
        return ""
    match answer:
        case (Fraction() | int(), str(), str()):
            return ""
    return f"a strength, or a tuple of strength, reason and clause, not {shown(answer)}"


ELEMENTS: dict[str, Check] = {
    "hexwar_attackers": _check_attackers,
    "hexwar_chits": _check_chits,
    "hexwar_modes": _check_modes,
    "hexwar_reinforcements": _check_reinforcements,
    "hexwar_shifts": _tuple_of(Shift),
    "hexwar_strength": _check_strength,
}
"""Rule hook -> the check of what is inside its answer, where there is something inside."""
