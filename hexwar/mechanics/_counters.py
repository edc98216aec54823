"""Counters of games of one family: divisions and corps of arms and classes, with headquarters that command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import Field

from hexwar.errors import ContentError
from hexwar.mechanics._content import Content, UnitEntry, load_content
from hexwar.mechanics._units import Unit

if TYPE_CHECKING:
    from hexwar.files import TextSource

U = TypeVar("U", bound=Unit)

HEADQUARTERS = "hq"
"""The arm of headquarters."""


class Sourced(Content):
    """A content file that says where it comes from."""

    provenance: dict[str, str] = Field({}, description="what in it is fact, found, derived and reconstructed")


def read_counters(
    file: TextSource, model: type[Sourced], make: Callable[[Any], U], mistake: Callable[[Any], str]
) -> tuple[dict[str, U], dict[str, str]]:
    """Read a roster of a ruleset's own counters.

    Args:
        file: the content file.
        model: what it holds, with the lines in `unit`.
        make: the counter of a line.
        mistake: what is wrong with a line, "" if nothing is.

    Returns:
        The units by id, and where they come from.

    Raises:
        ContentError: naming the unit and the mistake.
    """
    content: Any = load_content(file, model)
    roster: dict[str, U] = {}
    for entry in content.unit:
        wrong = "the id is used twice" if entry.id in roster else mistake(entry)
        if wrong:
            raise ContentError(file.name, f"unit {entry.id}", wrong)
        roster[entry.id] = make(entry)
    return roster, content.provenance


def counter_mistake(entry: UnitEntry, classes: Mapping[str, Sequence[str]], two_strengths: str) -> str:
    """What no counter of such a game can be, or "".

    Args:
        entry: a line of a roster.
        classes: "mechanized" and others -> their arms.
        two_strengths: what is said of a unit that is not mechanised and has two strengths.
    """
    arms = [arm for of_class in classes.values() for arm in of_class]
    faces = [values for values in (entry.full, entry.reduced) if values is not None]
    if entry.arm not in arms:
        return f"arm {entry.arm!r} is not one of {', '.join(arms)}"
    if (entry.arm == HEADQUARTERS) != (entry.command > 0):
        return "a headquarters has a command range, and only a headquarters"
    if entry.arm not in classes["mechanized"] and any(attack != defence for attack, defence, _ in faces):
        return two_strengths
    if entry.reduced is not None and any(back > front for back, front in zip(entry.reduced, entry.full, strict=True)):
        return "the reduced side is stronger than the full one"
    return ""
