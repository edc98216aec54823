"""17.5 The limit on armour: a German headquarters activates ten mechanized units at most."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Invariant, News, record
from hexwar.errors import Refusal
from hexwar.pieces import Choosing, UnitAction, face
from hexwar_ava.activation import AvaCup
from hexwar_ava.state import At, AvaState, Doing


def mechanized(at: At, chit: str) -> tuple[str, ...]:
    """The mechanized units that a chit would activate: where many play, none that are in other hands (8.1.1)."""
    led = at.world.teams.free(at, at.world.command.led_by(at, at.world.chits[chit].activates))
    return tuple(unit for unit in led if at.world.units[unit].mechanized)


@record
class LeaveOut(UnitAction):
    """Do not activate a unit."""

    kind = "leave-out"
    says = "leave {unit} out"

    def appeal(self, at: At) -> float:
        """To a bot: the weakest first."""
        return -float(face(at, self.unit).attack)


@record
class LeftOut(News[AvaState]):
    """Units in range were not activated."""

    kind = "left-out"
    says = "{chit} leaves {units} out"
    chit: str
    units: tuple[str, ...]


@record
class LeavingOut(Choosing):
    """17.5.1: the player who leads them says which units are not activated, until at most the limit is left."""

    kind = "leaving-out"
    clause: ClassVar[str] = "17.5.1"
    choice = LeaveOut
    may_stop = False
    chit: str
    units: tuple[str, ...] = ()
    """Those that are."""

    def number(self, at: At) -> int:
        """How many are still to be left out; fewer, when another activation has taken some in the meantime."""
        return len(self.able(at)) - at.world.printed.numbers.german_mechanized_limit

    def able(self, at: At) -> tuple[str, ...]:
        """Those that are not left out yet."""
        return tuple(unit for unit in mechanized(at, self.chit) if unit not in self.units)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player who leads them, until enough are left out."""
        return (self.seat,) if self.number(at) > 0 else ()

    def prompt(self, at: At, seat: str) -> str:
        """How many may stay."""
        limit = at.world.printed.numbers.german_mechanized_limit
        return f"{self.chit} activates no more than {limit} mechanized units: leave {self.number(at)} out."

    def why_not(self, at: At, action: LeaveOut) -> Refusal:
        """It is out already, or would not be in."""
        why = "is left out already" if action.unit in self.units else f"is no mechanized unit that {self.chit} would activate"
        return Refusal.against(self.clause, f"{action.unit} {why}")

    def chosen(self, play: Doing, action: LeaveOut) -> None:
        """Note it."""
        play.replace(LeavingOut(self.seat, self.chit, (*self.units, action.unit)))

    def resume(self, play: Doing) -> None:
        """Activate the others."""
        play.pop()
        if self.units:
            play.emit(LeftOut(self.chit, self.units, clause=self.clause))
        play.world.cup.activate(play, play.world.chits[self.chit], without=self.units)


class ArmourLimit(AvaCup):
    """17.5: how many mechanized units a German headquarters activates."""

    def resolve(self, play: Doing, chit: str) -> None:
        """17.5.1: if there are more units than the limit, the owner chooses first."""
        headquarters = play.world.chits[chit].activates
        if headquarters and play.world.units[headquarters].nation == "german":
            leaving_out = LeavingOut(play.world.teams.acting(play, headquarters), chit)
            if leaving_out.number(play) > 0:
                play.push(leaving_out)
                return
        super().resolve(play, chit)


def _too_many(at: At) -> str | None:
    state, world = at.state, at.world
    last = state.drawn[-1] if state.drawn else ""
    groups: dict[str, tuple[str, ...]] = getattr(state, "engaged", {last: state.active})
    for chit, units in groups.items():
        leader = world.chits[chit].activates if chit in world.chits else ""
        active = [unit for unit in units if world.units[unit].mechanized]
        if leader and world.units[leader].nation == "german" and len(active) > world.printed.numbers.german_mechanized_limit:
            return f"{len(active)} mechanized units are active with {chit}"
    return None


PARTS = {"cup": ArmourLimit}
ACTIONS = (LeaveOut,)
STEPS = (LeavingOut,)
EVENTS = (LeftOut,)
INVARIANTS = (Invariant("17.5.1", "a German headquarters activates no more than the limit", _too_many),)
