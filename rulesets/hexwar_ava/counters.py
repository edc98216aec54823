"""2.2 Counters: the units of the game as their content file has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from hexwar.engine import TextSource, record
from hexwar.pieces import Field, Sourced, Unit, UnitEntry, counter_mistake, printed, read_counters

Side = Literal["axis", "soviet"]
Nation = Literal["german", "romanian", "soviet"]
Sheet = Literal["L", "S", "K"]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Value = Annotated[int, Field(strict=True, ge=0, le=30)]
Values = tuple[Value, Value, Value]

MARKERS = "fortress markers"
"""The box of the fortress markers that have not been built yet."""
SET_UP = "set-up"
"""Where a unit starts that is set up on the map with its formation."""


@record
class Counter(Unit):
    """A unit of this game.

    Args:
        nation: whose headquarters activate it (8.3.1).
        sheet: the letter of its map (2.2.6).
        mechanized: of the mechanized class; all others, headquarters too, count as infantry (2.2.1, 2.2.2, 2.2.13).
    """

    nation: str = ""
    sheet: str = ""
    mechanized: bool = False


class CounterEntry(UnitEntry):
    """A line of the roster."""

    side: Side
    nation: Nation
    full: Values
    reduced: Values | None = None
    sheet: Sheet
    start: Label
    tags: list[Label] = Field([], description="anything else that a rule asks about")


class CounterFile(Sourced):
    """The roster."""

    unit: list[CounterEntry]


def load_counters(file: TextSource, classes: Mapping[str, list[str]]) -> tuple[dict[str, Counter], dict[str, str]]:
    """Read the roster.

    Args:
        file: the content file.
        classes: "mechanized" and "infantry" -> their arms.

    Returns:
        The units by id, and where they come from.

    Raises:
        ContentError: naming the unit and the mistake.
    """
    return read_counters(
        file,
        CounterFile,
        lambda entry: Counter(**printed(entry), mechanized=entry.arm in classes["mechanized"]),
        lambda entry: _mistake(entry, classes),
    )


def _mistake(entry: CounterEntry, classes: Mapping[str, list[str]]) -> str:
    """What no counter of this game can be, or ""."""
    if (entry.nation == "soviet") != (entry.side == "soviet"):
        return f"a {entry.nation} unit cannot be on the {entry.side} side"
    wrong = counter_mistake(entry, classes, "only mechanized units attack and defend with different strengths (2.2.7)")
    if wrong:
        return wrong
    if entry.start == SET_UP and not entry.formation:
        return "a unit that is set up needs a formation"
    return ""
