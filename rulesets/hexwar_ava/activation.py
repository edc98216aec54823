"""7.0 Command and 8.0 Activation: a chit is drawn, perhaps interrupted, and resolved."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from hexwar.engine import Phase, Position, RandomSource, View, Viewer, pick, record, sample
from hexwar.mechanics import Declaring, Moving
from hexwar.pieces import ChitPlayed, Interrupt, Obliged, draw_chit, end_activation, standing
from hexwar.pieces import Interrupting as Holding
from hexwar_ava.chits import AvaSelection
from hexwar_ava.combat import SURPRISE
from hexwar_ava.reinforcements import ChoosingEntry, bring_in, on_the_track, waiting_with
from hexwar_ava.state import At, Doing, UnitsActivated
from hexwar_ava.supply import SupplyCheck
from hexwar_ava.tables import Chit
from hexwar_ava.team_state import UNKNOWN, UnitsEngaged


@record
class Interrupting(Holding):
    """7.3, 18.1.11: those who may hold a chit say whether the drawn one goes back, once for each draw (7.3.4)."""

    kind = "interrupting"

    def about(self, at: At) -> str:
        """7.3 for Manstein and Guderian (7.3.2, 7.3.3, 6.3.3), 18.1.11 for Zhukov (18.1.10)."""
        return self.topic if at.world.seats[self.seat] == "axis" else "chits.zhukov"

    def resume(self, play: Doing) -> None:
        """18.1.12: the Axis is asked first, and what it plays stands."""
        play.pop()
        if play.world.seats[self.seat] == "axis":
            ask_zhukov(play)


def draw(play: Doing) -> None:
    """5.0.4, 7.0.1, 7.1.1: draw a chit (nothing acts or arrives without one); the Axis may interrupt it, then Zhukov."""
    end_activation(play)
    draw_chit(play)
    if play.world.cup.may_hold(play, "axis"):
        play.push(Interrupting(play.world.seat_for("axis")))
    else:
        ask_zhukov(play)


def ask_zhukov(play: Doing) -> None:
    """18.1.11: while his chit may be in hand."""
    if play.world.cup.may_hold(play, "soviet"):
        play.push(Interrupting(play.world.seat_for("soviet")))


# -- 7.3.5 held chits at the end of the turn -----------------------------------------------------------------------------


def chits_are_held(at: At) -> bool:
    """7.3.5: a player still holds a chit."""
    return any(at.state.hand.values())


@record
class PlayingHeld(Obliged):
    """7.3.5: held chits are played before the turn ends, in their owner's order.

    The owner is asked whenever they may hold several, so that the others do not learn how many are left.
    """

    kind = "playing-held"
    says = "Which held chit first: {able}?"
    clause: ClassVar[str] = "7.3.5"
    choice = Interrupt

    def able(self, at: At) -> tuple[str, ...]:
        """The chits that are left."""
        return at.state.hand.get(at.world.seats[self.seat], ())

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, if there may be an order to choose."""
        return (self.seat,) if len(at.world.cup.may_hold(at, at.world.seats[self.seat])) > 1 else ()

    def chosen(self, play: Doing, action: Interrupt) -> None:
        """Play it."""
        play.pop()
        play.emit(ChitPlayed(play.world.seats[self.seat], action.chit, clause=self.clause))


def play_held(play: Doing) -> None:
    """7.3.5: the Axis first."""
    end_activation(play)
    side = next(side for side in play.world.sides if play.state.hand.get(side))
    play.push(PlayingHeld(play.world.seat_for(side)))


# -- 7.2 what a chit does, 8.1 activation ---------------------------------------------------------------------------------


UNFILLED = frozenset({"", "set-up", "selection", "verdict", "end"})
"""The phases in which no side holds a chit for later: before the cup is filled, and when the turn ends (7.3.5)."""


class AvaCup(AvaSelection):
    """7.2: what a drawn or played chit does."""

    def resolve(self, play: Doing, chit: str) -> None:
        """7.1.2, 7.2.1: for the chit's owner a headquarters is activated, reinforcements come, or supply is checked."""
        known = play.world.chits[chit]
        if known.kind == "supply":
            play.push(SupplyCheck())
        elif known.kind == "reinforcements":
            bring_in(play, known)
        else:
            self.activate(play, known)

    def activate(self, play: Doing, chit: Chit, without: Collection[str] = ()) -> None:
        """8.1.1: the headquarters and all in its range, as they stand now (8.2.2); 15.3.1: and the army that waits for its chit.

        A unit may have been activated before, by another headquarters (8.1.2).

        Args:
            play: the position.
            chit: the chit of a headquarters.
            without: units in range that are not activated.
        """
        waiting = waiting_with(play, chit)
        called = (unit for unit in play.world.command.led_by(play, chit.activates) if unit not in without)
        units = play.world.teams.free(play, (*called, *waiting))
        clause = "15.3.1" if waiting else "8.1.1" if units else "13.0.2"
        play.emit(UnitsActivated(chit.id, units, clause=clause))
        engage(play, chit.id, units)

    # -- what a player may imagine

    def owner(self, chit: str) -> str:
        """The side of a chit; Supply Check and Master chits are nobody's."""
        known = self.world.chits.get(chit)
        return "" if known is None else str(known.side or "")

    def lies_open(self, at: Position, viewer: Viewer) -> tuple[str, ...]:
        """19.4.2: also what lies face up in the row, or face down before the controller."""
        row = [chit for chit, _, _ in getattr(at.state, "queue", ()) if chit != UNKNOWN]
        return tuple(dict.fromkeys((*at.state.drawn, *row)))

    def lies_inside(self, at: Position, viewer: Viewer) -> tuple[str, ...]:
        """19.5.2: also what a controller saw face down before it went back; 19.4.2: not what they see in the row."""
        known = (*super().lies_inside(at, viewer), *getattr(at.state, "looked_at", {}).get(viewer.seat, ()))
        row = [chit for chit, _, _ in getattr(at.state, "queue", ())]
        return tuple(dict.fromkeys(chit for chit in known if chit not in row))

    def held(self, view: View, at: Position, side: str, chance: RandomSource) -> tuple[str, ...]:
        """6.3.1, 20.2.3, 7.3.5: what may be held; with a master cup all of it; somebody who is asked about them has some."""
        may = tuple(self.may_hold(at, side))
        if not may or at.state.phase in UNFILLED or (at.state.phase == SURPRISE and not self.world.teams.many):
            return ()
        if self.world.teams.many == "master-cup":
            return may if side == "axis" else ()
        asked = [step for step in view.steps if isinstance(step, PlayingHeld)]
        able = [chit for chit in may if chit in self.selectable(at, side)]
        if asked and (holder := self.world.seats[asked[0].seat]) != side:
            return () if self.world.sides.index(side) < self.world.sides.index(holder) else _some(able, chance)
        held = _some(able, chance)
        return held or ((pick(able or may, chance),) if asked else ())

    def filled(self, view: View, at: Position, others: Sequence[str], count: int, chance: RandomSource) -> tuple[str, ...]:
        """19.4.2: nobody knows which of the unseen chits lie in the row, face down before somebody else."""
        row = list(getattr(at.state, "queue", ()))
        places = [number for number, entry in enumerate(row) if entry[0] == UNKNOWN]
        unseen = [*super().filled(view, at, others, count + len(places), chance)]
        if not places:
            return tuple(unseen)
        dealt = sample(unseen, len(places), chance)
        for number, chit in zip(places, dealt, strict=True):
            row[number] = (chit, *row[number][1:])
            unseen.remove(chit)
        at.state.queue = tuple(row)
        return tuple(unseen)


def _some(chits: Sequence[str], chance: RandomSource) -> tuple[str, ...]:
    return tuple([chit for chit in chits if chance.randrange(2)])


def resolve(play: Doing) -> None:
    """7.2.1: the last chit that was drawn or played; in a position made by hand there may be none."""
    for chit in play.state.drawn[-1:]:
        play.world.cup.resolve(play, chit)


def engage(play: Doing, chit: str, units: tuple[str, ...]) -> None:
    """8.1.1: where activations run at the same time, the units of one are immediately closed to the others."""
    engaged = getattr(play.state, "engaged", None)
    if units and engaged is not None and chit not in engaged:
        play.emit(UnitsEngaged(chit, units, clause="8.1.1"))


def somebody_is_active(at: At) -> bool:
    """5.0.5: the chit activated units."""
    return bool(at.state.active)


def move(play: Doing) -> None:
    """9.0.1: the active units may move, each once, wherever they like (8.2.3); 15.3.2: those on the turn track come in."""
    active = play.state.active
    seat = play.world.teams.acting(play, active[0])
    on_map, waiting = standing(play, active), on_the_track(play, active)
    if waiting:
        play.push(ChoosingEntry(seat, waiting))
    if on_map:
        play.push(Moving(seat, on_map))


def attackers(at: At) -> tuple[str, ...]:
    """10.0.1: the active units on the map; an optional rule may keep some of them from attacking."""
    return at.world.combat.attackers(at, standing(at, at.state.active))


def fight(play: Doing) -> None:
    """10.0.1: then they may attack."""
    able = attackers(play)
    if able:
        play.push(Declaring(play.world.teams.acting(play, able[0]), able))


def active_and_standing(at: At) -> bool:
    """10.0.1: an active unit is on the map."""
    return bool(attackers(at))


OPERATIONS = (
    Phase("activation", "Activation", "7.2.1", resolve),
    Phase("movement", "Movement segment", "9.0.1", move, when=somebody_is_active),
    Phase("combat", "Combat segment", "10.0.1", fight, when=active_and_standing),
)
"""5.0.5: what a chit brings."""
