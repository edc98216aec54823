"""7 and 8: the activation of a side: units move, then headquarters, then there are attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

from hexwar.engine import Action, ActionSet, Below, Listed, PublicEvent, SeatName, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import Move, Moving
from hexwar.pieces import UnitAction, on_board
from hexwar_wop.combat import attack_segment
from hexwar_wop.command import LOWER, note_command
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER
from hexwar_wop.flights import leave_fights
from hexwar_wop.overstacking import displace_excess
from hexwar_wop.river import Sail, boats, sail, sailing
from hexwar_wop.supply import headquarters_of
from hexwar_wop.transport import transport_segment, travels_alone
from hexwar_wop.world import At, Doing, WopState, WopWorld


@record
class ActivationBegan(PublicEvent[WopState]):
    """1.5: a side is the active one; 13.14: REACTION markers are those of this activation."""

    kind = "activation-began"
    says = "{side} is active"
    side: str

    def apply(self, state: WopState) -> None:
        """Note it."""
        state.active, state.reacted, state.marched, state.together, state.unled = self.side, (), (), (), ()


@record
class ActivationOver(PublicEvent[WopState]):
    """1.5: no unit is active."""

    kind = "activation-over"
    says = "the activation is over"

    def apply(self, state: WopState) -> None:
        """Note it."""
        state.active, state.spent, state.unled = "", {}, ()


@record
class Marching(Moving):
    """7.2, 8.1, 13.7.a: units move one after the other, in any order; 13.6: in any direction."""

    kind = "marching"

    def waiting(self, at: At) -> tuple[str, ...]:
        """Those on the map, and the boats on its rivers."""
        places, hexes, sides, loaded = at.state.locations, at.world.board.indices, at.world.river.sides, at.state.loaded
        return tuple(
            [unit for unit in self.units if (place := places.get(unit)) in hexes or (place in sides and unit not in loaded)]
        )

    def deciders(self, at: At) -> tuple[str, ...]:
        """The active player."""
        return (self.seat,) if self.waiting(at) else ()

    def choices(self, at: At, unit: str) -> ActionSet:
        """Its moves; those of a river unit lead along the river (16.1.a)."""
        return sailing(at, unit) if at.world.units[unit].arm == RIVER else Moving.choices(self, at, unit)

    def act(self, play: Doing, action: Move | Sail) -> None:
        """Move it."""
        if isinstance(action, Sail):
            sail(play, action.unit, play.world.river.sails(play, action.unit)[action.to], "16.1.a")
        else:
            for other in play.world.movement.joined(play, action.unit, action.mode):
                play.state.stack[-1].strike_off(play, other)
            Moving.act(self, play, action)

    def why_not_now(self, at: At, action: UnitAction) -> Refusal | None:
        """9.11: why a unit is not among those that move."""
        if action.unit in at.state.no_command and at.world.command.is_orphan(at, action.unit):
            return Refusal.against("9.11", f"the headquarters of {action.unit} is lost, and it stays where it is")
        return Moving.why_not_now(self, at, action)

    def strike_off(self, play: Doing, unit: str) -> None:
        """9.20.a: units without command move before the others of their formation, or not at all."""
        counters, marked = play.world.units, play.state.no_command
        formation = "" if unit in marked else counters[unit].formation
        late = [other for other in marked if formation and counters[other].formation == formation]
        play.replace(type(self)(self.seat, tuple([other for other in self.units if other != unit and other not in late])))


def move_units(play: Doing, seat: str) -> None:
    """2.7.a, 2.7.b: all units of the side on the map."""
    units = play.world.units
    side = play.world.seats[seat]
    mine = [unit for unit in on_board(play, side) if units[unit].arm not in (HEADQUARTERS, AIR)]
    movers = tuple(unit for unit in (*mine, *boats(play, side)) if play.world.movement.may_move(play, unit))
    if movers:
        play.push(Marching(seat, movers))


def move_headquarters(play: Doing, seat: str) -> None:
    """2.7.b, 2.9.b: then the headquarters below the armies."""
    leaders = headquarters_of(play, play.world.seats[seat], *LOWER)
    movers = tuple(hq.id for hq in leaders if travels_alone(play, hq.id))
    if movers:
        play.push(Moving(seat, movers))


SEGMENTS = (transport_segment, move_units, move_headquarters, attack_segment, displace_excess, leave_fights)
"""2.7.b: what an activation consists of; each may push steps."""


@record
class Activating(Step[WopState, WopWorld]):
    """2.7.b, 2.8: the segments of an activation, one after the other."""

    kind = "activating"
    clause: ClassVar[str] = "2.7.b"
    seat: SeatName
    segment: Annotated[int, Below(len(SEGMENTS) + 1)] = 0

    def may_still_attack(self, at: At) -> tuple[str, ...]:
        """7.3: until its attacks begin, everybody whom the side has on the map; those of the plan say it themselves."""
        before = self.segment <= SEGMENTS.index(attack_segment)
        return tuple(on_board(at, at.world.seats[self.seat])) if before else ()

    def actions(self, at: At, seat: str) -> ActionSet:
        """Nobody decides here."""
        return Listed(())

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Nothing is offered."""
        raise NotImplementedError

    def resume(self, play: Doing) -> None:
        """The next segment, or the end."""
        if self.segment == len(SEGMENTS):
            play.pop()
            play.emit(ActivationOver(clause="1.5"))
        else:
            play.replace(replace(self, segment=self.segment + 1))
            SEGMENTS[self.segment](play, self.seat)


def activate(play: Doing, side: str) -> None:
    """1.5, 2.7.b, 2.8: a side is active."""
    play.emit(ActivationBegan(side, clause="1.5"))
    note_command(play, side)
    play.push(Activating(play.world.seat_for(side)))
