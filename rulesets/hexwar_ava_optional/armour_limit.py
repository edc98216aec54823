"""17.5 The limit on armour: a German headquarters activates ten mechanized units at most."""

from __future__ import annotations

from typing import Any, ClassVar

from hexwar import hookimpl
from hexwar.engine import Action, ActionSet, Event, Grouped, Invariant, Sight, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import UnitAction, face
from hexwar_ava.activation import activate
from hexwar_ava.state import AvaState
from hexwar_ava.world import At, Doing


def mechanized(at: At, chit: str) -> tuple[str, ...]:
    """The mechanized units that a chit would activate."""
    headquarters = at.world.chits[chit].activates
    return tuple(unit for unit in at.world.commanded(at, headquarters) if at.world.counter(unit).mechanized)


@record
class LeaveOut(UnitAction):
    """Do not activate a unit."""

    def __str__(self) -> str:
        return f"leave {self.unit} out"

    def appeal(self, at: At) -> float:
        """To a bot: the weakest first."""
        return -float(face(at, self.unit).attack)


@record
class LeftOut(Event[AvaState]):
    """Units in range were not activated."""

    sight = Sight.PUBLIC
    chit: str
    units: tuple[str, ...]

    def apply(self, state: AvaState) -> None:
        """They are not active, as before."""

    def __str__(self) -> str:
        return f"{self.chit} leaves {', '.join(self.units)} out"


@record
class LeavingOut(Step[Any, Any]):
    """17.5.1: the owner says which units are not activated, until no more are left than the limit."""

    clause: ClassVar[str] = "17.5.1"
    seat: str
    chit: str
    number: int
    """How many are still to be left out."""
    units: tuple[str, ...] = ()
    """Those that are."""

    def _able(self, at: At) -> tuple[str, ...]:
        return tuple(unit for unit in mechanized(at, self.chit) if unit not in self.units)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, until enough are left out."""
        return (self.seat,) if self.number > 0 else ()

    def prompt(self, at: At, seat: str) -> str:
        """How many may stay."""
        limit = at.world.printed.numbers.german_mechanized_limit
        return f"{self.chit} activates no more than {limit} mechanized units: leave {self.number} out."

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any of them."""
        return Grouped((), self._able(at), lambda unit: [LeaveOut(unit)], _unit_of)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Note it."""
        assert isinstance(action, LeaveOut)
        play.replace(LeavingOut(self.seat, self.chit, self.number - 1, (*self.units, action.unit)))

    def resume(self, play: Doing) -> None:
        """Activate the others."""
        play.pop()
        play.emit(LeftOut(self.chit, self.units, clause=self.clause))
        activate(play, play.world.chits[self.chit], without=self.units)

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Only mechanized units in range are counted."""
        if not isinstance(action, LeaveOut):
            return None
        why = "is left out already" if action.unit in self.units else f"is no mechanized unit that {self.chit} would activate"
        return Refusal(RefusalCode.AGAINST_RULE, self.clause, f"{action.unit} {why}")


def _unit_of(action: Action) -> str | None:
    return action.unit if isinstance(action, UnitAction) else None


@hookimpl
def hexwar_resolve_chit(play: Doing, chit: str, resolved: bool) -> bool | None:
    """17.5.1: of more units than the limit the owner chooses first."""
    world = play.world
    headquarters = world.chits[chit].activates
    if resolved or not headquarters or world.counter(headquarters).nation != "german":
        return None
    too_many = len(mechanized(play, chit)) - world.printed.numbers.german_mechanized_limit
    if too_many <= 0:
        return None
    play.push(LeavingOut(world.seat_for("axis", headquarters), chit, too_many))
    return True


def _too_many(at: At) -> str | None:
    state = at.state
    chit = at.world.chits.get(state.drawn[-1]) if state.drawn else None
    if chit is None or not chit.activates or not state.active or at.world.counter(chit.activates).nation != "german":
        return None
    active = [unit for unit in state.active if at.world.counter(unit).mechanized]
    limit = at.world.printed.numbers.german_mechanized_limit
    return f"{len(active)} mechanized units are active" if len(active) > limit else None


ACTIONS = (LeaveOut,)
STEPS = (LeavingOut,)
EVENTS = (LeftOut,)
INVARIANTS = (Invariant("17.5.1", "a German headquarters activates no more than the limit", _too_many),)
