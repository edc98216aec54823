"""2.6.a: groups above the divisions, which players create and dissolve where the scenario allows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from hexwar.engine import Action, ActionSet, Explained, Position, record
from hexwar.errors import Refusal
from hexwar.pieces import OneByOne, UnitAction, UnitPlaced, stands
from hexwar_wop.transport import carrier

if TYPE_CHECKING:
    from hexwar.engine import Play
    from hexwar_wop.world import WopState, WopWorld

    At = Position[WopState, WopWorld]
    Doing = Play[WopState, WopWorld]

STAFF = "groups"
"""Where the headquarters of dissolved groups lie."""


@record
class Form(UnitAction):
    """Create a group: its headquarters comes to that of one of its formations."""

    kind = "form"
    says = "form {unit} in {to}"
    to: str


@record
class Dissolve(UnitAction):
    """Dissolve a group."""

    kind = "dissolve"
    says = "dissolve {unit}"


def why_not(at: At, action: Action) -> Refusal | None:
    """Why a group cannot be created or dissolved."""
    if not isinstance(action, Form | Dissolve):
        return None
    unit, places = action.unit, at.state.locations
    if isinstance(action, Dissolve):
        if stands(at, unit) and not carrier(at, unit):
            return None
        return Refusal.against("2.6.a", f"{unit} is not on the map, or is on its way")
    if places.get(unit) != STAFF:
        return Refusal.against("2.6.a", f"{unit} has not been dissolved")
    if action.to in homes(at, unit):
        return None
    return Refusal.against("2.6.a", f"none of the formations of {unit} has its headquarters in {action.to}")


def homes(at: At, group: str) -> list[str]:
    """Where a group can be created."""
    own = [hq for hq in at.world.units[group].subordinates if hq in at.world.units and stands(at, hq)]
    return sorted({at.state.locations[hq] for hq in own})


@record
class Reorganising(OneByOne):
    """2.6.a: each group is created or dissolved at most once in a turn."""

    kind = "reorganising"
    says = "Create or dissolve groups: {units}?"
    clause: ClassVar[str] = "2.6.a"

    def waiting(self, at: Position) -> tuple[str, ...]:
        """Those that have not been."""
        return self.units

    def _ways(self, at: Position, unit: str) -> Iterator[Action]:
        for action in (Dissolve(unit), *(Form(unit, label) for label in homes(at, unit))):
            if why_not(at, action) is None:
                yield action

    def choices(self, at: Position, unit: str) -> ActionSet:
        """The one or the other."""
        return Explained(self._ways(at, unit), lambda action: why_not(at, action))

    def why_not_now(self, at: Position, action: UnitAction) -> Refusal | None:
        """Any other piece."""
        return Refusal.against("2.6.a", f"the scenario lets nobody create or dissolve {action.unit} now")

    def act(self, play: Doing, action: Form | Dissolve) -> None:
        """Put its headquarters there, or away."""
        if isinstance(action, Form):
            play.emit(UnitPlaced(action.unit, action.to, "is formed in", clause="2.6.a"))
        else:
            play.emit(UnitPlaced(action.unit, STAFF, "is dissolved:", clause="2.6.a"))


def reorganise(play: Doing) -> None:
    """2.6.a: both sides, the Polish one first."""
    for side in reversed(play.world.sides):
        allowed = play.world.scenario.groups.get(side, ())  # type: ignore[call-overload]  # sides are names
        units = tuple(unit for unit in allowed if unit in play.state.locations and unit not in play.state.lost)
        if units:
            play.push(Reorganising(play.world.seat_for(side), units))


GROUP_ACTIONS: tuple[type[Action], ...] = (Form, Dissolve)
GROUP_STEPS: tuple[type[Any], ...] = (Reorganising,)
