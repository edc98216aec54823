"""Counters: those of a ruleset, and made-up rosters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from hexwar.engine import Ruleset
from hexwar.errors import UnknownName
from hexwar.pieces import Face, Unit
from hexwar.testing._running.subject import Subject
from hexwar.testing.strategies._arguments import StrategyError, draw_bytes, whole, words

_BYTES = 8


def roster_of(subject: Subject) -> Mapping[str, Any]:
    """The counters of a ruleset's scenario."""
    units = getattr(subject.start(0).world, "units", None)
    if not isinstance(units, Mapping):
        raise StrategyError(f"{subject.info.id} has no roster of units: its world has no mapping `units`")
    return units


def units(
    ruleset: str | Ruleset,
    *,
    side: str | None = None,
    arm: str | None = None,
    scenario: str | None = None,
    options: Mapping[str, bool | str] | None = None,
) -> st.SearchStrategy[Unit]:
    """A counter of a ruleset; shrinks to the first of its roster.

        @given(units("bridgehead", side="blue"))
        def test_a_counter_is_weaker_on_its_back(unit):
            assert unit.faces[0].attack <= unit.faces[-1].attack

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        side: only counters of this side.
        arm: only counters of this arm.
        scenario: the ruleset's first if not given.
        options: optional rules.
    """
    roster = roster_of(Subject.of(ruleset, scenario, options))
    for what, wanted in (("side", side), ("arm", arm)):
        known = {getattr(unit, what) for unit in roster.values()}
        if wanted is not None and wanted not in known:
            raise UnknownName(what, wanted, known)
    found = [unit for unit in roster.values() if side in (None, unit.side) and arm in (None, unit.arm)]
    if not found:
        raise StrategyError(f"{side} has no unit of arm {arm}")
    return st.sampled_from(found)


def rosters(
    *,
    sides: Iterable[str] = ("blue", "red"),
    arms: Iterable[str] = ("infantry", "armour"),
    min_units: int = 1,
    max_units: int = 4,
    headquarters: bool = True,
) -> st.SearchStrategy[dict[str, Unit]]:
    """Made-up counters for a world of your own, by their ids; shrinks to one weak counter a side.

        @given(rosters(max_units=3))
        def test_ids_are_those_of_the_counters(roster):
            assert all(unit.id == name for name, unit in roster.items())

    Args:
        sides: whose counters.
        arms: of these arms.
        min_units: the least number a side.
        max_units: the greatest number a side.
        headquarters: whether some of them command.
    """
    names, kinds = words("sides", sides, 1), words("arms", arms, 1)
    most = whole("max_units", max_units, whole("min_units", min_units, 0), 60)

    return _rosters(names, kinds, min_units, most, headquarters)


@st.composite
def _rosters(
    draw: st.DrawFn, sides: tuple[str, ...], arms: tuple[str, ...], least: int, most: int, headquarters: bool
) -> dict[str, Unit]:
    counts = [draw(st.integers(least, most)) for _ in sides]
    data = draw_bytes(draw, len(sides) * most * _BYTES)
    found: dict[str, Unit] = {}
    for side, count in zip(sides, counts, strict=True):
        for number in range(1, count + 1):
            start = len(found) * _BYTES
            unit = _unit(f"{side}-{number}", side, arms, data[start : start + _BYTES], headquarters)
            found[unit.id] = unit
    return found


def _unit(name: str, side: str, arms: tuple[str, ...], data: bytes, headquarters: bool) -> Unit:
    arm, attack, defence, move, weaker, steps, command, rank = data
    full = Face(attack % 9 + 1, defence % 9 + 1, move % 10 + 1)
    if headquarters and command % 4 == 3:
        return Unit(name, f"HQ {name}", side, arms[arm % len(arms)], (Face(0, full.defence, full.move),), command=rank % 5 + 1)
    reduced = Face(max(1, full.attack - weaker % 4), max(1, full.defence - weaker // 4 % 4), full.move)
    return Unit(name, f"Unit {name}", side, arms[arm % len(arms)], (reduced, full) if steps % 3 else (full,))
