"""Activation: the units that may act now, called by a headquarters or one by one from anywhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Event, Grouped, Play, Position, Sight, State, public, record, state
from hexwar.errors import Refusal
from hexwar.mechanics._onebyone import Done, UnitAction, unit_of
from hexwar.mechanics._pieces import face, on_board
from hexwar.mechanics._topics import TopicStep, against


@state
class ActivationState(State):
    """The part of a state that a game with activations has."""

    active: tuple[str, ...] = public(default=())
    """The units that the chit in play has activated."""

    def activate(self, units: tuple[str, ...]) -> None:
        """Some units are active now, and nobody else. Only events call this; states that keep more add to it."""
        self.active = units


@record
class UnitsActivated(Event[ActivationState]):
    """A chit activated units, which may be none."""

    kind = "units-activated"
    sight = Sight.PUBLIC
    chit: str
    units: tuple[str, ...]

    def apply(self, state: ActivationState) -> None:
        """They are active now, and nobody else."""
        state.activate(self.units)

    def __str__(self) -> str:
        return f"{self.chit} activates {', '.join(self.units) or 'nobody'}"


@record
class ActivationEnded(Event[ActivationState]):
    """Nobody is active any more."""

    kind = "activation-ended"
    sight = Sight.PUBLIC

    def apply(self, state: ActivationState) -> None:
        """The segment is over."""
        state.activate(())

    def __str__(self) -> str:
        return "the activation is over"


@record
class Call(UnitAction):
    """Activate a unit directly."""

    kind = "call"

    def __str__(self) -> str:
        return f"activate {self.unit}"

    def appeal(self, at: Position) -> float:
        """To a bot: the strongest first."""
        return float(face(at, self.unit).attack)


@record
class Calling(TopicStep):
    """The owner chooses units on the map, up to a number, wherever they stand; headquarters, too."""

    kind = "calling"
    topic: ClassVar[str] = "activation.direct"
    call: ClassVar[type[Call]] = Call
    """The action by which a unit is chosen."""
    seat: str
    chit: str
    number: int
    """How many may still be chosen."""
    units: tuple[str, ...] = ()
    """Those that are."""

    def _able(self, at: Position) -> list[str]:
        counters = at.world.units
        mine = on_board(at, at.world.seats[self.seat])
        return [unit for unit in mine if unit not in self.units and any(side.move for side in counters[unit].faces)]

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, as long as there is somebody to choose."""
        return (self.seat,) if self.number > 0 and self._able(at) else ()

    def prompt(self, at: Position, seat: str) -> str:
        """How many may be chosen."""
        so_far = f" So far: {', '.join(self.units)}." if self.units else ""
        return f"{self.chit}: activate up to {self.number} {'more ' if self.units else ''}units.{so_far}"

    def actions(self, at: Position, seat: str) -> ActionSet:
        """No more, or any unit on the map."""
        return Grouped([Done()], self._able(at), lambda unit: [self.call(unit)], unit_of, partial(self.why_not, at))

    def why_not(self, at: Position, action: UnitAction) -> Refusal:
        """Why a unit is not among those to choose from."""
        side = at.world.seats[self.seat]
        why = "is chosen already" if action.unit in self.units else f"is no {side} unit on the map that can move"
        return against(at, self.topic, f"{action.unit} {why}")

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Note it, or let those that are chosen act."""
        if isinstance(action, Call):
            play.replace(replace(self, number=self.number - 1, units=(*self.units, action.unit)))
        else:
            self.resume(play)

    def resume(self, play: Play) -> None:
        """They are active; a headquarters among them activates nobody."""
        play.pop()
        self.called(play, tuple(sorted(self.units, key=play.world.basis.rank.__getitem__)))

    def called(self, play: Play, units: tuple[str, ...]) -> None:
        """What becomes of those that are chosen, in roster order."""
        play.emit(UnitsActivated(self.chit, units, clause=self.rule(play)))


def end_activation(play: Play) -> None:
    """What was activated has acted."""
    if play.state.active:
        play.emit(ActivationEnded(clause=play.world.clause("activation.end")))
