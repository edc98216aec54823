"""19.3 to 19.5 Many players with a controller: chits are drawn ahead, wait in a row, and are carried out side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from hexwar.engine import (
    Action,
    ActionSet,
    Choices,
    Event,
    Explained,
    Lane,
    Lanes,
    News,
    PublicEvent,
    SeatName,
    Sight,
    Step,
    record,
)
from hexwar.errors import Refusal
from hexwar.pieces import ChitName, ChitPlayed, Done, end_activation, less, stands
from hexwar_ava.carrying_out import At, Cancel, Doing, Operating, held_by, holders, is_of_one_player, who_carries_out
from hexwar_ava.team_state import DOWN, RUNNING, UP, AvaTeamState
from hexwar_ava.teams import OWN_FIELDS

CLOSE = 2
"""Units of two sides this close together could fight each other, even from different maps: their zones meet."""


# -- 19.4.2 the row of drawn chits --------------------------------------------------------------------------------------------


@record
class DrawNext(Action):
    """Draw another chit and place it face down at the end of the row."""

    kind = "draw-next"
    says = "draw another chit"


@record
class Reveal(Action):
    """Turn a chit of the row face up, so that its player begins."""

    kind = "reveal"
    says = "reveal chit {number} of the row"
    number: int
    """Its place in the row, from 1."""


@record
class Wait(Action):
    """Draw and reveal nothing until an activation has ended."""

    kind = "wait"
    says = "wait"


@record
class ChitLaid(Event[AvaTeamState]):
    """A chit was drawn and lies face down at the end of the row; only the controller knows which."""

    kind = "chit-laid"
    sight = Sight.OWNER
    says = "{chit} is drawn and laid face down"
    side: str
    """The controller's seat, "" if nobody looks at it."""
    chit: str

    def apply(self, state: AvaTeamState) -> None:
        """Put it at the end of the row."""
        state.cup = less(state.cup, self.chit)
        if self.chit in state.looked_at.get(self.side, ()):
            state.looked_at = {**state.looked_at, self.side: less(state.looked_at[self.side], self.chit)}
        state.queue = (*state.queue, (self.chit, DOWN, self.side))

    def outline(self) -> Event:
        """What the others see."""
        return SomeChitLaid(clause=self.clause)


@record
class SomeChitLaid(News[AvaTeamState]):
    """What everybody sees when a chit is drawn and placed face down."""

    kind = "some-chit-laid"
    says = "a chit is drawn and laid face down"


@record
class ChitRevealed(PublicEvent[AvaTeamState]):
    """A chit of the row was turned face up."""

    kind = "chit-revealed"
    reveals = True
    says = "-- {chit} is revealed --"
    number: int
    chit: str

    def apply(self, state: AvaTeamState) -> None:
        """Turn it."""
        queue = list(state.queue)
        queue[self.number - 1] = (self.chit, UP, queue[self.number - 1][2])
        state.queue = tuple(queue)
        state.show(self.chit)


@record
class RowReturned(PublicEvent[AvaTeamState]):
    """A chit of the row and all behind it that were not in play went back into the cup; nobody sees the face-down ones."""

    kind = "row-returned"
    number: int
    count: int
    by: str
    """The chit that is played instead and takes its place."""

    def apply(self, state: AvaTeamState) -> None:
        """Put them back."""
        ahead, behind = state.queue[: self.number - 1], state.queue[self.number - 1 :]
        stays = [entry for entry in behind if entry[0] in state.drawn]  # in play, or an interrupt that waits for its player
        back = [entry for entry in behind if entry not in stays]
        state.cup = tuple(sorted((*state.cup, *(chit for chit, _, _ in back))))
        state.known_in_cup = tuple(sorted((*state.known_in_cup, *(chit for chit, face, _ in back if face != DOWN))))
        for chit, face, keeper in back:
            if face == DOWN and keeper:
                state.looked_at = {**state.looked_at, keeper: (*state.looked_at.get(keeper, ()), chit)}
        state.queue = (*ahead, (self.by, UP, ""), *stays)
        state.waits = False

    def __str__(self) -> str:
        return f"{self.count} chit{'s go' if self.count > 1 else ' goes'} back into the cup"


@record
class ControllerWaits(PublicEvent[AvaTeamState]):
    """The controller draws and reveals nothing for now."""

    kind = "controller-waits"
    says = "the controller waits"

    def apply(self, state: AvaTeamState) -> None:
        """Until an activation has ended."""
        state.waits = True


# -- 19.4.4 what disturbs what ------------------------------------------------------------------------------------------------


def open_chits(at: At) -> list[str]:
    """The chits of the row that lie face up, in play or about to be."""
    return [chit for chit, face, _ in at.state.queue if face != DOWN]


def why_not_now(at: At, number: int) -> Refusal | None:
    """Why no controller may let a chit of the row begin now; None if nothing forbids it.

    A chit that lies face up already, because it was played as an interrupt, waits only for what is in play or ahead of it.
    """
    world, queue = at.world, at.state.queue
    name, own_face, _ = queue[number - 1]
    chit = world.chits[name]
    before = queue[: number - 1]
    rivals = [entry for entry in queue if own_face == DOWN or entry[1] == RUNNING or entry in before]
    shown = [world.chits[other] for other, face, _ in rivals if face != DOWN]
    if shown and not is_of_one_player(chit):
        return Refusal.against("19.4.4", f"{chit.id} concerns more than one player, so all that is in play comes before it")
    for other in shown:
        if not is_of_one_player(other):
            return Refusal.against(
                "19.4.4", f"{other.id} concerns more than one player, so nothing else begins before it is over"
            )
        if world.teams.seat_of(other) == world.teams.seat_of(chit):
            return Refusal.against("19.4.4", f"{world.teams.seat_of(chit)} is still busy with {other.id}")
    ahead = [world.chits[other] for other, face, _ in before if own_face == face == DOWN]
    for other in ahead:
        if is_of_one_player(other) and world.teams.seat_of(other) == world.teams.seat_of(chit):
            return Refusal.against("19.4.6", f"{other.id} of the same player lies ahead of {chit.id}")
    led = world.command.led_by(at, chit.activates) if chit.activates else ()
    for other in shown:  # one that has not activated its units yet, because a player must answer first, is about to
        units = at.state.engaged.get(other.id) or world.command.led_by(at, other.activates)
        shared = [unit for unit in led if unit in units]
        if shared:
            return Refusal.against("19.4.4", f"{', '.join(shared)} are in the hands of {other.id}")
    return None


def are_close(at: At, units: Iterable[str], others: Iterable[str]) -> bool:
    """Whether any of some units stands within `CLOSE` hexes of any of the others."""
    board = at.world.board
    there = board.mask([at.state.locations[unit] for unit in others if stands(at, unit)])
    return any(board.near(at.state.locations[unit], CLOSE) & there for unit in units if stands(at, unit))


def disturbs(at: At, number: int) -> bool:
    """Whether the automatic controller leaves a chit face down.

    Besides what is forbidden: nothing overtakes a chit that concerns more than one player, and two sides are not active at once
    on the same map, or with units that stand close together.
    """
    world, queue = at.world, at.state.queue
    if why_not_now(at, number) is not None:
        return True
    if any(face == DOWN and not is_of_one_player(world.chits[chit]) for chit, face, _ in queue[: number - 1]):
        return True
    chit = world.chits[queue[number - 1][0]]
    shown = [world.chits[name] for name in open_chits(at)]
    foes = [other for other in shown if other.side != chit.side]
    if any(other.sheet == chit.sheet for other in foes):
        return True
    led = world.command.led_by(at, chit.activates) if foes else ()
    return any(are_close(at, led, at.state.engaged.get(other.id, ())) for other in foes)


def wants_to_draw(at: At) -> bool:
    """19.4.3: the automatic controller draws on while somebody is idle and a new chit may well be carried out at once."""
    world, queue = at.world, at.state.queue
    hidden = [world.chits[chit] for chit, face, _ in queue if face == DOWN]
    if not at.state.cup or len(hidden) >= len(world.teams.players) or not all(map(is_of_one_player, hidden)):
        return False
    shown = [world.chits[chit] for chit in open_chits(at)]
    busy = {world.teams.seat_of(chit) for chit in shown if is_of_one_player(chit)}
    return all(map(is_of_one_player, shown)) and not busy.issuperset(world.teams.players)


# -- 19.4 the course of play --------------------------------------------------------------------------------------------------


@record
class Controlling(Lanes):
    """19.4: chits are drawn, revealed and carried out until the cup and the row are empty."""

    kind = "controlling"
    clause: ClassVar[str] = "19.4.1"

    def _idle(self, at: At) -> bool:
        """Whether every chit that was revealed has been carried out."""
        return not self.lanes and not open_chits(at)

    def _next_open(self, at: At) -> str:
        """A face-up chit that waited for its turn and can have it now: one that was played as an interrupt."""
        begun = {lane.name for lane in self.lanes}
        waiting = ((number, chit) for number, (chit, face, _) in enumerate(at.state.queue, 1) if face == UP and chit not in begun)
        return next((str(chit) for number, chit in waiting if why_not_now(at, number) is None), "")

    def own_work(self, at: At) -> bool:
        """What needs no decision: to go on when nothing is in play; and everything, if the controller is automatic."""
        if self._idle(at):
            return bool(at.state.queue or at.state.cup)
        if len(open_chits(at)) > len(self.lanes) and self._next_open(at):
            return True
        return not at.world.teams.controller and not at.state.waits

    def own_resume(self, play: Doing) -> None:
        """19.4.1, 19.4.5: draw and reveal if nothing is in play; otherwise what an automatic controller does."""
        opened, idle = self._next_open(play), self._idle(play)
        hidden = [number for number, (_, face, _) in enumerate(play.state.queue, 1) if face == DOWN]
        if opened:
            self._begin(play, opened, ())
        elif free := next((number for number in hidden if idle or not disturbs(play, number)), 0):
            self._reveal(play, free)
        elif idle or wants_to_draw(play):
            self._draw(play)
        else:
            play.emit(ControllerWaits(clause="19.4.3"))

    def _draw(self, play: Doing) -> None:
        chit = play.draw("chit", play.state.cup, clause="19.4.1")
        play.emit(ChitLaid(play.world.teams.controller, chit, clause="19.4.2"))

    def _reveal(self, play: Doing, number: int) -> None:
        chit = play.state.queue[number - 1][0]
        play.emit(ChitRevealed(number, chit, clause="19.4.4"))
        self._begin(play, chit, [Answering(chit)] if holders(play) else ())

    def _begin(self, play: Doing, chit: str, first: Iterable[Step]) -> None:
        seat = who_carries_out(play, play.world.chits[chit])
        steps = [Operating(chit, seat), *first]
        play.replace(self.with_lane(play, chit, seat, steps, phase=play.state.phase, **OWN_FIELDS))

    def ended(self, play: Doing, lane: Lane) -> None:
        """19.5.2: with an interrupted chit, those go that were revealed behind it and have not begun."""
        there = {chit for chit, _, _ in play.state.queue}
        lanes: Controlling = play.state.stack[-1]
        left = tuple(other for other in lanes.lanes if other.name in there)
        if len(left) < len(lanes.lanes):
            play.replace(replace(lanes, lanes=left))

    # -- 19.3 a controller who is asked

    def own_deciders(self, at: At) -> tuple[str, ...]:
        """The controller, while something is in play and chits are left; if he waits, not until an activation ends.

        He is asked even if nothing may be revealed: not asking him would give away what lies face down.
        """
        controller = at.world.teams.controller
        if not controller or at.state.waits or self._idle(at):
            return ()
        return (controller,) if at.state.cup or any(face == DOWN for _, face, _ in at.state.queue) else ()

    def own_prompt(self, at: At, seat: str) -> str:
        """The state of the row."""
        row = ", ".join(f"{number} {chit} ({face})" for number, (chit, face, _) in enumerate(at.state.queue, 1))
        return f"Controller: draw another chit, reveal one, or wait? In the row: {row}. {len(at.state.cup)} in the cup. (19.4.3)"

    def own_actions(self, at: At, seat: str) -> ActionSet:
        """Wait, draw, or reveal what nothing forbids."""
        return Choices([Wait(), DrawNext(), *map(Reveal, range(1, len(at.state.queue) + 1))], partial(self._why_not, at))

    def _why_not(self, at: At, action: Action) -> Refusal | None:
        """Why the controller may not draw or reveal a chit."""
        queue = at.state.queue
        if isinstance(action, DrawNext) and not at.state.cup:
            return Refusal.against("19.4.1", "the cup is empty")
        if not isinstance(action, Reveal):
            return None
        if not 1 <= action.number <= len(queue) or queue[action.number - 1][1] != DOWN:
            return Refusal.against("19.4.2", f"no chit lies face down in place {action.number} of the row")
        return why_not_now(at, action.number)

    def own_perform(self, play: Doing, seat: str, action: Action) -> None:
        """Do as he says."""
        if isinstance(action, DrawNext):
            self._draw(play)
        elif isinstance(action, Reveal):
            self._reveal(play, action.number)
        else:
            play.emit(ControllerWaits(clause="19.4.3"))


# -- 19.5 interrupts ----------------------------------------------------------------------------------------------------------


@record
class Answering(Step):
    """19.5.1: when a chit is revealed, those who may hold Manstein or Guderian say whether it goes back."""

    kind = "answering"
    says = "{chit} is revealed. Interrupt it, or let it be?"
    clause: ClassVar[str] = "19.5.1"
    chit: ChitName
    passed: tuple[SeatName, ...] = ()
    """Those who have let it stand."""

    def deciders(self, at: At) -> tuple[str, ...]:
        """The commanders of the headquarters that they activate."""
        return tuple(seat for seat in holders(at) if seat not in self.passed)

    def actions(self, at: At, seat: str) -> ActionSet:
        """Let it stand, or play a held chit."""

        def why_not(action: Cancel) -> Refusal:
            if action.revealed != self.chit:
                return Refusal.against(self.clause, f"{self.chit} was revealed, not {action.revealed}")
            return Refusal.against("6.3.3", f"{action.chit} is not in hand for {seat} to play")

        return Explained([Done(), *(Cancel(held, self.chit) for held in held_by(at, seat))], why_not, Cancel)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """19.5.2: it and all behind it that are not in play go back; the held chit takes its place in the row."""
        if not isinstance(action, Cancel):
            play.replace(replace(self, passed=(*self.passed, seat)))
            return
        play.pop()
        play.pop()
        number = next(n for n, (chit, _, _) in enumerate(play.state.queue, 1) if chit == self.chit)
        count = sum(chit not in play.state.drawn for chit, _, _ in play.state.queue[number - 1 :])
        play.emit(RowReturned(number, count, action.chit, clause="19.5.2"))
        play.emit(ChitPlayed("axis", action.chit, clause="7.3.3"))

    def resume(self, play: Doing) -> None:
        """Everybody lets it stand."""
        play.pop()


def control(play: Doing) -> None:
    """19.4: the chits of the turn."""
    end_activation(play)
    play.push(Controlling())
