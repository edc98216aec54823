"""Units: counters with faces, and the rosters from which they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from hexwar.engine import record
from hexwar.errors import ContentError
from hexwar.files import TextSource
from hexwar.pieces._content import RosterFile, Sourced, UnitEntry, load_content


@record
class Face:
    """One side of a counter."""

    attack: int
    defence: int
    move: int
    """Movement points."""


@record
class Unit:
    """A counter; where it stands and how many steps it has left is in the state.

    Args:
        id: unique in its roster.
        name: for people.
        side: whose it is.
        arm: what it is: "infantry", "armour", "hq"; the terrain chart knows the arms as movement classes.
        faces: by steps left, the weakest first.
        start: where it begins: a hex, or any other location of the ruleset such as "turn 3".
        command: a headquarters' range in hexes, 0 for others.
        formation: what it belongs to.
        tags: anything else a rule asks about.
    """

    id: str
    name: str
    side: str
    arm: str
    faces: tuple[Face, ...]
    start: str = ""
    command: int = 0
    formation: str = ""
    tags: frozenset[str] = frozenset()

    @property
    def steps(self) -> int:
        """How many steps it has at full strength."""
        return len(self.faces)

    @property
    def is_headquarters(self) -> bool:
        """Whether it commands."""
        return self.command > 0


def load_roster(file: TextSource) -> dict[str, Unit]:
    """Read the units of a ruleset.

    A roster is TOML: `[[unit]]` tables with id, name, side, arm and `full = [attack, defence, move]`, for a unit of two
    steps also `reduced`, and start, command, formation and tags where they apply.

    Raises:
        ContentError: naming the unit and the mistake.
    """
    return read_counters(file, RosterFile, lambda entry: Unit(**printed(entry)), lambda entry: "")[0]


def printed(entry: UnitEntry) -> dict[str, Any]:
    """What a line of a roster says of a unit, by the names of `Unit` and of whatever else a game has on its counters."""
    faces = tuple(Face(*values) for values in (entry.reduced, entry.full) if values is not None)
    said = {name: value for name, value in entry if name not in ("full", "reduced")}
    return {**said, "faces": faces, "tags": frozenset(entry.tags)}


def require_known(file: str, roster: Mapping[str, Unit], what: str, known: Mapping[str, object] | tuple[str, ...]) -> None:
    """Fail if a unit has a side or an arm that the ruleset does not know.

    Args:
        file: the roster's name.
        roster: the units.
        what: "side" or "arm".
        known: the names there are.
    """
    for unit in roster.values():
        value = getattr(unit, what)
        if value not in known:
            raise ContentError(file, f"unit {unit.id}", f"{what} {value!r} is not one of {', '.join(known)}")


U = TypeVar("U", bound=Unit)

HEADQUARTERS = "hq"
"""The arm of headquarters."""


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
