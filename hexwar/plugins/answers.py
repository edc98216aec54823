"""What is inside the tuples and dictionaries that rule hooks answer with; `RULE_ANSWERS` says which of them returns which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hexwar.errors import UnknownName
from hexwar.mechanics import Mode, Rail, Reinforcements, Score
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


_modes, _rails, _groups = _tuple_of(Mode), _tuple_of(Rail), _tuple_of(Reinforcements)


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


def _check_lines(answer: Any, arguments: tuple[Any, ...]) -> str:
    if mistake := _rails(answer, arguments):
        return mistake
    board, chart = (getattr(arguments[0], name, None) for name in ("board", "chart"))
    if board is None:
        return ""
    known = set(board.link_kinds)
    if chart is not None:  # a hand-made board may lack a link of the game
        known.update(chart.bridges, *(arm.links for arm in chart.arms.values()))
    for rail in answer:
        if rail.link not in known:
            return f"links that there are, and {UnknownName('link', rail.link, sorted(known))}"
    return ""


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


def _check_points_needed(answer: Any, arguments: tuple[Any, ...]) -> str:
    match answer:
        case (int(), str()):
            return ""
    return f'a tuple of a number and a clause, such as (12, "house.1"), not {shown(answer)}'


ELEMENTS: dict[str, Check] = {
    "hexwar_chits": _check_chits,
    "hexwar_lines": _check_lines,
    "hexwar_modes": _check_modes,
    "hexwar_points_needed": _check_points_needed,
    "hexwar_reinforcements": _check_reinforcements,
    "hexwar_victory_points": _tuple_of(Score),
}
"""Rule hook -> the check of what is inside its answer, where there is something inside."""
