"""11: garrisons, which infantry leaves behind in forts, cities and towns, and takes along again."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hexwar.engine import Action, ActionSet, Listed, Position, SeatName, Step, record
from hexwar.mechanics import stack
from hexwar.pieces import Done, UnitAction, UnitName, UnitPlaced, lose_step, stands
from hexwar_wop.recreation import LevelGained
from hexwar_wop.transport import carrier

if TYPE_CHECKING:
    from hexwar.engine import Play
    from hexwar_wop.world import WopState, WopWorld

    At = Position[WopState, WopWorld]
    Doing = Play[WopState, WopWorld]

GARRISON, POOL = "garrison", "garrison pool"
"""11.2, 11.5: what has this tag has no movement points and does not come back; where the counters lie that are left."""


def is_field_infantry(at: At, unit: str) -> bool:
    """11.1.a, 1.8: infantry that is no garrison itself."""
    counter = at.world.units[unit]
    return counter.arm == "infantry" and GARRISON not in counter.tags


def spare(at: At, unit: str) -> str:
    """11.1.a: the garrison that a unit can leave behind, or ""."""
    if at.state.steps_left[unit] < 2 or not is_field_infantry(at, unit):
        return ""
    side = at.world.units[unit].side
    found = [other for other in stack(at, POOL) if at.world.units[other].side == side]
    return found[0] if found else ""


def present(at: At, unit: str, label: str) -> str:
    """11.6: the garrison that a unit can take along from a hex, or ""."""
    units, counter = at.world.units, at.world.units[unit]
    if at.state.steps_left[unit] == counter.steps or not is_field_infantry(at, unit):
        return ""
    return next((o for o in stack(at, label) if GARRISON in units[o].tags and units[o].side == counter.side), "")


def may_garrison(at: At, unit: str, label: str) -> bool:
    """Whether a unit that passes through a hex has a choice there."""
    if not at.world.terrain[at.world.board.terrain(label)].garrison_site or carrier(at, unit):  # 18.2.a: it must get off first
        return False
    return bool(spare(at, unit) or present(at, unit, label))


@record
class LeaveGarrison(UnitAction):
    """Leave a level of a unit behind."""

    kind = "leave-garrison"
    says = "{unit} leaves a garrison"


@record
class TakeGarrison(UnitAction):
    """Take the garrison along."""

    kind = "take-garrison"
    says = "{unit} takes the garrison along"


@record
class Garrisoning(Step["WopState", "WopWorld"]):
    """11.1.a, 11.6: a unit passes through a place and may leave a garrison or take one along."""

    kind = "garrisoning"
    clause: ClassVar[str] = "11.1.a"
    seat: SeatName
    unit: UnitName

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, while the unit is there."""
        return (self.seat,) if stands(at, self.unit) and may_garrison(at, self.unit, at.state.locations[self.unit]) else ()

    def prompt(self, at: At, seat: str) -> str:
        """Where it is."""
        return f"{self.unit} passes through {at.state.locations[self.unit]}: a garrison?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """What can be done."""
        here = at.state.locations[self.unit]
        leave: list[Action] = [LeaveGarrison(self.unit)] if spare(at, self.unit) else []
        take: list[Action] = [TakeGarrison(self.unit)] if present(at, self.unit, here) else []
        return Listed([Done(), *leave, *take])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """11.1.a, 11.1.b: a level for the garrison; 11.6: or the garrison for a level."""
        here = play.state.locations[self.unit]
        play.pop()
        if isinstance(action, LeaveGarrison):
            left = spare(play, self.unit)
            lose_step(play, self.unit, "garrison")
            play.emit(UnitPlaced(left, here, "stays behind in", clause="11.1.a"))
        elif isinstance(action, TakeGarrison):
            play.emit(UnitPlaced(present(play, self.unit, here), POOL, "goes back to the", clause="11.6"))
            play.emit(LevelGained(self.unit, clause="11.6"))

    def resume(self, play: Doing) -> None:
        """There is nothing to do any more."""
        play.pop()
