"""20.0 Many players without a controller: Master chits in one cup, headquarters chits in a cup of each player."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Event, Explained, News, PublicEvent, SeatName, Sight, Step, record
from hexwar.errors import Refusal
from hexwar.pieces import ChitDrawn, ChitName, ChitPlayed, ChitReturned, Done, Ready, SelectionMade, end_activation
from hexwar_ava.carrying_out import At, Cancel, Doing, carry_out, held_by, holders, is_of_one_player, who_carries_out
from hexwar_ava.chits import add_chits
from hexwar_ava.team_state import AvaTeamState

DUMMY = "dummy"


def masters_of(at: At, side: str) -> tuple[str, ...]:
    """20.2.4: the Master chits of a side in this turn."""
    table = at.world.printed.roles.masters
    number = table.number[str(len(at.world.seats_of(side)))]  # type: ignore[index]
    number -= table.fewer_in_turn_1 if at.state.turn == 1 else 0
    return tuple(f"{side}-master-{n}" for n in range(1, number + 1))


def side_of_master(chit: str) -> str:
    """20.1.1: the side whose Master chit it is, "" for any other chit."""
    side, _, number = chit.rpartition("-master-")
    return side if number else ""


def common_chits(at: At) -> tuple[str, ...]:
    """20.1.1, 20.2.5, 20.2.6: what else is in the master cup: Supply Check, OKH and Reserves always, reinforcements later."""
    chits = at.world.chits.values()
    return tuple(chit.id for chit in chits if not is_of_one_player(chit) and chit.turn <= at.state.turn)


def is_dummy(chit: str) -> bool:
    """20.2.13: whether a chit stands for no headquarters."""
    return chit.startswith(f"{DUMMY}-")


# -- 20.2.1 the division ------------------------------------------------------------------------------------------------------


@record
class GiveChit(Action):
    """Put a headquarters chit into the cup of a player."""

    kind = "give-chit"
    says = "{chit} goes to {seat}"
    chit: str
    seat: str


@record
class DivideRest(Action):
    """Give every remaining chit to the commander of its headquarters."""

    kind = "divide-rest"
    says = "divide the rest by command"


@record
class StaffCupsEmptied(PublicEvent[AvaTeamState]):
    """What was left in the players' cups is taken out for the new turn."""

    kind = "staff-cups-emptied"
    says = "the cups of all players are emptied"

    def apply(self, state: AvaTeamState) -> None:
        """Empty them."""
        state.staff = {}
        state.shown_from = {}


@record
class ChitGiven(Event[AvaTeamState]):
    """A team put a chit into the cup of one of its players, in secret."""

    kind = "chit-given"
    sight = Sight.OWNER
    says = "{chit} goes into the cup of {seat}"
    side: str
    seat: str
    chit: str

    def apply(self, state: AvaTeamState) -> None:
        """Note it."""
        state.staff[self.side] = tuple(sorted((*state.staff.get(self.side, ()), (self.seat, self.chit))))


@record
class MasterCupFilled(PublicEvent[AvaTeamState]):
    """The master cup of the turn is filled."""

    kind = "master-cup-filled"
    chits: tuple[str, ...]
    held: tuple[str, ...]
    """What the Axis keeps in hand (20.2.3)."""

    def apply(self, state: AvaTeamState) -> None:
        """Mix them."""
        state.cup = state.known_in_cup = tuple(sorted(self.chits))
        state.hand = {"axis": self.held} if self.held else {}
        state.ready = ()
        state.drawn = ()

    def __str__(self) -> str:
        return f"{len(self.chits)} chits go into the master cup"


def cup_of(at: At, seat: str) -> tuple[str, ...]:
    """20.1.2: what lies in a player's cup, as far as the viewer may know."""
    return tuple(chit for of, chit in at.state.staff.get(at.world.seats[seat], ()) if of == seat)


@record
class Dividing(Step):
    """20.2.1: each team divides its headquarters chits among its players, in secret; both do so at once.

    A team acts as one: each of its players may put chits into any of its cups, and one of them confirms for all.
    """

    kind = "dividing"
    clause: ClassVar[str] = "20.2.1"

    def left(self, at: At, side: str) -> list[str]:
        """The available headquarters chits that are in no cup yet."""
        given = {chit for _, chit in at.state.staff.get(side, ())}
        chits = at.world.chits
        return [chit for chit in at.world.cup.available(at, side) if chits[chit].kind == "hq" and chit not in given]

    def homes(self, at: At, chit: str) -> tuple[str, ...]:
        """20.2.2: whose cup a chit may go into: any, or that of the other chit of the same headquarters."""
        chits, known = at.world.chits, at.world.chits[chit]
        given = [(seat, other) for seat, other in at.state.staff.get(str(known.side), ()) if not is_dummy(other)]
        same = [seat for seat, other in given if chits[other].activates == known.activates]
        return tuple(same[:1]) or at.world.seats_of(str(known.side))

    def deciders(self, at: At) -> tuple[str, ...]:
        """All players of the teams that have not finished."""
        return tuple(seat for seat in at.world.teams.players if at.world.seats[seat] not in at.state.ready)

    def prompt(self, at: At, seat: str) -> str:
        """What is left."""
        left = self.left(at, at.world.seats[seat])
        return f"Divide among your team: {', '.join(left)}." if left else "Confirm the division."

    def actions(self, at: At, seat: str) -> ActionSet:
        """Confirm, or give any chit to any player of the team."""
        left = self.left(at, at.world.seats[seat])
        chits = [GiveChit(chit, to) for chit in left for to in self.homes(at, chit)]
        return Explained([DivideRest(), *chits] if left else [Ready()], partial(self._why_not, at, seat))

    def _why_not(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Which rule keeps a chit out of a player's cup, or a team from confirming."""
        side = at.world.seats[seat]
        if isinstance(action, Ready):
            return Refusal.against(self.clause, f"all chits are divided: {', '.join(self.left(at, side))} are in no cup yet")
        if not isinstance(action, GiveChit):
            return None
        known = at.world.chits.get(action.chit)
        clause, why = self.clause, f"{action.chit} is not among the chits that {side} has still to divide"
        if known is not None and known.kind == "interrupt":
            clause, why = "20.2.3", f"{action.chit} is held by the Axis and goes into no cup"
        elif known is not None and not is_of_one_player(known):
            clause, why = "20.1.1", f"{action.chit} belongs in the master cup"
        elif at.world.seats.get(action.seat) != side:
            why = f"{action.seat} is nobody of {side}"
        elif action.chit in self.left(at, side):
            [home] = self.homes(at, action.chit)
            clause, why = "20.2.2", f"both chits of this headquarters go to one player, and {home} has the other"
        return Refusal.against(clause, why)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Put chits into cups."""
        side = play.world.seats[seat]
        if isinstance(action, GiveChit):
            play.emit(ChitGiven(side, action.seat, action.chit, clause=self.clause))
        elif isinstance(action, DivideRest):
            for chit in self.left(play, side):
                commander = play.world.teams.seat_of(play.world.chits[chit])
                homes = self.homes(play, chit)
                to = commander if commander in homes else homes[0]
                play.emit(ChitGiven(side, to, chit, clause=self.clause))
        else:
            play.emit(SelectionMade(side, clause=self.clause))

    def resume(self, play: Doing) -> None:
        """Both are ready: add the dummies, fill the master cup."""
        play.pop()
        add_dummies(play)
        chits = (*common_chits(play), *(chit for side in play.world.sides for chit in masters_of(play, side)))
        held = tuple(c.id for c in play.world.chits.values() if c.kind == "interrupt" and c.turn <= play.state.turn)
        play.emit(MasterCupFilled(chits, held, clause="20.2.4"))


def add_dummies(play: Doing) -> None:
    """20.2.12: every Soviet player has as many chits as the one who has most."""
    seats = play.world.seats_of("soviet")
    counts = {seat: len(cup_of(play, seat)) for seat in seats}
    lacking = [seat for seat in seats for _ in range(max(counts.values()) - counts[seat])]
    for number, seat in enumerate(lacking, 1):
        play.emit(ChitGiven("soviet", seat, f"{DUMMY}-{number}", clause="20.2.12"))


def divide(play: Doing) -> None:
    """20.2.1: at the start of a turn, after the Soviets have said which armies they add (18.1.4)."""
    end_activation(play)
    play.emit(StaffCupsEmptied(clause="20.2.1"))
    play.push(Dividing())
    add_chits(play)


# -- 20.2.8 draws -------------------------------------------------------------------------------------------------------


@record
class StaffChitDrawn(PublicEvent[AvaTeamState]):
    """A player drew a chit from their own cup and showed it."""

    kind = "staff-chit-drawn"
    reveals = True
    says = "-- {seat} draws {chit} --"
    side: str
    seat: str
    chit: str

    def apply(self, state: AvaTeamState) -> None:
        """Take it out."""
        state.staff[self.side] = tuple(entry for entry in state.staff[self.side] if entry != (self.seat, self.chit))
        state.shown_from = {**state.shown_from, self.chit: self.seat}
        state.show(self.chit)
        state.drawn = (*state.drawn, self.chit)


@record
class StaffChitReturned(PublicEvent[AvaTeamState]):
    """An interrupted chit goes back into the cup of its player."""

    kind = "staff-chit-returned"
    says = "{chit} goes back into the cup of {seat}"
    side: str
    seat: str
    chit: str

    def apply(self, state: AvaTeamState) -> None:
        """Put it back."""
        state.drawn = tuple(chit for chit in state.drawn if chit != self.chit)
        state.staff[self.side] = tuple(sorted((*state.staff.get(self.side, ()), (self.seat, self.chit))))


@record
class DummyDrawn(News[AvaTeamState]):
    """A chit without a headquarters was drawn."""

    kind = "dummy-drawn"
    says = "the chit of {seat} is a dummy"
    seat: str
    chit: str


def draw_master(play: Doing) -> None:
    """20.2.8, 20.2.9: a chit from the master cup; after a Master every player of its side also draws from their own cup."""
    chit = play.draw("master chit", play.state.cup, clause="20.2.8")
    play.emit(ChitDrawn(chit, clause="20.2.8"))
    side = side_of_master(chit)
    if not side:
        play.push(Revealing((("", chit),)))
        return
    revealed: list[tuple[str, str]] = []
    cups = {seat: cup for seat in play.world.seats_of(side) if (cup := cup_of(play, seat))}
    for seat, cup in cups.items():
        drawn = play.draw(f"chit of {seat}", cup, clause="20.2.8")
        play.emit(StaffChitDrawn(side, seat, drawn, clause="20.2.8"))
        if is_dummy(drawn):
            play.emit(DummyDrawn(seat, drawn, clause="20.2.13"))
        else:
            revealed.append((seat, drawn))
    if revealed:
        play.push(Revealing(tuple(revealed)))


@record
class Revealing(Step):
    """20.2.8 to 20.2.11: the Axis may interrupt revealed chits one by one; then all that are left are carried out at once."""

    kind = "revealing"
    clause: ClassVar[str] = "20.2.10"
    revealed: tuple[tuple[SeatName, ChitName], ...]
    """Whose cup each came from ("" for the master cup), and the chit."""
    passed: tuple[SeatName, ...] = ()
    """Who does not interrupt."""

    def deciders(self, at: At) -> tuple[str, ...]:
        """Those who may hold Manstein or Guderian."""
        return tuple(seat for seat in holders(at) if seat not in self.passed) if self.revealed else ()

    def _chits(self) -> list[str]:
        return [chit for _, chit in self.revealed]

    def prompt(self, at: At, seat: str) -> str:
        """What was revealed."""
        return f"{', '.join(self._chits())}: interrupt, or let it be?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """Let them stand, or play a held chit in place of any of them."""

        def why_not(action: Cancel) -> Refusal:
            if side_of_master(action.revealed):
                return Refusal.against(self.clause, "a Master chit cannot be interrupted")
            if action.revealed not in self._chits():
                return Refusal.against(self.clause, f"{action.revealed} is not revealed now")
            return Refusal.against("20.2.3", f"{action.chit} is not in hand for {seat} to play")

        chits = [Cancel(held, chit) for held in held_by(at, seat) for chit in self._chits()]
        return Explained([Done(), *chits], why_not, Cancel)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """20.2.11: the chit goes back to where it came from, and the other one is carried out."""
        if not isinstance(action, Cancel):
            play.replace(replace(self, passed=(*self.passed, seat)))
            return
        cup = next(cup for cup, chit in self.revealed if chit == action.revealed)
        play.replace(Revealing(tuple(entry for entry in self.revealed if entry[1] != action.revealed)))
        if cup:
            play.emit(StaffChitReturned(play.world.seats[cup], cup, action.revealed, clause="20.2.11"))
        else:
            play.emit(ChitReturned(action.revealed, clause="20.2.11"))
        play.emit(ChitPlayed("axis", action.chit, clause="7.3.3"))
        carry_out(play, [(seat, action.chit)])

    def resume(self, play: Doing) -> None:
        """No one interrupts any further."""
        play.pop()
        chits = play.world.chits
        carry_out(play, [(seat or who_carries_out(play, chits[chit]), chit) for seat, chit in self.revealed])
