"""2.2 and 2.3: the counters of the game as their content file has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from hexwar.engine import TextSource, record
from hexwar.pieces import Field, Sourced, Unit, UnitEntry, counter_mistake, printed, read_counters

Side = Literal["axis", "soviet"]
Nation = Literal["german", "romanian", "hungarian", "soviet", "guards"]
Label = Annotated[str, Field(min_length=1, max_length=80)]

HQ = "hq"
ARMOUR = "armour"
SECURITY = "security"
"""The arm, and the box from which the security divisions are set up (3.0.7)."""


@record
class Counter(Unit):
    """A unit of this game.

    Args:
        nation: whose it is (2.2.1); Guards are Soviet for every rule.
        mechanized: of the mechanised class (2.2.2); all others, headquarters too, are not (2.2.3, 2.3.1).
        replacement: whether it enters in place of a unit on the map (2.2.11).
    """

    nation: str = ""
    mechanized: bool = False
    replacement: bool = False


class CounterEntry(UnitEntry):
    """A line of the roster."""

    side: Side
    nation: Nation
    replacement: bool = False


class CounterFile(Sourced):
    """The roster."""

    unit: list[CounterEntry]


def load_counters(file: TextSource, classes: Mapping[str, list[str]]) -> tuple[dict[str, Counter], dict[str, str]]:
    """Read the roster.

    Args:
        file: the content file.
        classes: "mechanized" and "other" -> their arms.

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
    if (entry.nation in ("soviet", "guards")) != (entry.side == "soviet"):
        return f"a {entry.nation} unit cannot be on the {entry.side} side"
    wrong = counter_mistake(entry, classes, "only mechanised units attack and defend with different strengths (2.2.4)")
    if wrong:
        return wrong
    if entry.replacement and not entry.start.startswith("soviet group "):
        return "a replacement comes with a Soviet reinforcement group (2.2.11)"
    if not entry.start:
        return "does not say where it begins"
    return ""
