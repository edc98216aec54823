"""Activation: the units that may act now, called by a headquarters or one by one from anywhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from hexwar.engine import ActionSet, Grouped, Play, Position, PublicEvent, State, public, record, state
from hexwar.errors import Refusal
from hexwar.pieces._pieces import face, on_board
from hexwar.pieces._state import ChitName, UnitName
from hexwar.pieces._steps import Choosing, Done, UnitAction, against, unit_of


@state
class ActivationState(State):
    """The part of a state that a game with activations has."""

    active: tuple[UnitName, ...] = public(default=())
    """The units that the chit in play has activated."""

    def activate(self, units: tuple[str, ...]) -> None:
        """These units are active now, and no others. Only events call this; states that keep more add to it."""
        self.active = units


@record
class UnitsActivated(PublicEvent[ActivationState]):
    """A chit activated units, which may be none."""

    kind = "units-activated"
    chit: str
    units: tuple[str, ...]

    def apply(self, state: ActivationState) -> None:
        """They are active now, and no others."""
        state.activate(self.units)

    def __str__(self) -> str:
        return f"{self.chit} activates {', '.join(self.units) or 'nobody'}"


@record
class ActivationEnded(PublicEvent[ActivationState]):
    """No unit is active any more."""

    kind = "activation-ended"
    says = "the activation is over"

    def apply(self, state: ActivationState) -> None:
        """The segment is over."""
        state.activate(())


@record
class Call(UnitAction):
    """Activate a unit directly."""

    kind = "call"
    says = "activate {unit}"
    can = "be activated"

    def appeal(self, at: Position) -> float:
        """To a bot: the strongest first."""
        return float(face(at, self.unit).attack)


@record
class Calling(Choosing):
    """The owner chooses units on the map, up to a number, wherever they stand; headquarters, too."""

    kind = "calling"
    title = "Whom do you activate?"
    topic = "activation.direct"
    choice = Call
    chit: ChitName
    number: int
    """How many may still be chosen."""
    units: tuple[UnitName, ...] = ()
    """Those that are."""

    def able(self, at: Position) -> list[str]:
        """Its units on the map that can move and are not chosen yet."""
        counters = at.world.units
        mine = on_board(at, at.world.seats[self.seat])
        return [unit for unit in mine if unit not in self.units and any(side.move for side in counters[unit].faces)]

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, as long as there is a choice."""
        return (self.seat,) if self.number > 0 and self.able(at) else ()

    def prompt(self, at: Position, seat: str) -> str:
        """How many may be chosen."""
        so_far = f" So far: {', '.join(self.units)}." if self.units else ""
        return f"{self.chit}: activate up to {self.number} {'more ' if self.units else ''}units.{so_far}"

    def actions(self, at: Position, seat: str) -> ActionSet:
        """No more, or any unit on the map."""
        return Grouped([Done()], self.able(at), lambda unit: [self.choice(unit)], unit_of, partial(self.why_not, at))

    def why_not(self, at: Position, action: UnitAction) -> Refusal:
        """Why a unit is not among those to choose from."""
        side = at.world.seats[self.seat]
        why = "is chosen already" if action.unit in self.units else f"is no {side} unit on the map that can move"
        return against(at, self.topic, f"{action.unit} {why}")

    def chosen(self, play: Play, action: Call) -> None:
        """Note it."""
        play.replace(replace(self, number=self.number - 1, units=(*self.units, action.unit)))

    def resume(self, play: Play) -> None:
        """They are active; a headquarters among them activates no unit."""
        play.pop()
        self.called(play, tuple(unit for unit in play.world.units if unit in self.units))

    def called(self, play: Play, units: tuple[str, ...]) -> None:
        """What becomes of those that are chosen, in roster order."""
        play.emit(UnitsActivated(self.chit, units, clause=self.rule(play)))


def end_activation(play: Play) -> None:
    """What was activated has acted."""
    if play.state.active:
        play.emit(ActivationEnded(clause=play.world.clause("activation.end")))
