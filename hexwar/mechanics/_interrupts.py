"""Chits in hand: played in place of a chit that was drawn, or put into the cup after all."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Choices, Event, Explained, News, Play, Position, Sight, record
from hexwar.errors import Refusal
from hexwar.mechanics._chits import ChitPlayed, ChitReturned, ChitState
from hexwar.mechanics._onebyone import Done
from hexwar.mechanics._topics import TopicStep, against


@record
class Interrupt(Action):
    """Play a held chit in place of the one that was drawn."""

    kind = "interrupt"
    says = "play {chit} instead"
    chit: str


@record
class Interrupting(TopicStep):
    """A side that may hold a chit says whether the drawn one goes back.

    A game asks a side as long as nobody else can know that it holds nothing: being asked must not reveal what was selected.
    """

    kind = "interrupting"
    topic: ClassVar[str] = "chits.interrupt"
    seat: str

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The holder."""
        return (self.seat,)

    def prompt(self, at: Position, seat: str) -> str:
        """What was drawn."""
        return f"{at.state.drawn[-1]} is drawn. Interrupt it, or let it be?"

    def playable(self, at: Position) -> tuple[str, ...]:
        """The chits in hand that may be played this way."""
        held: tuple[str, ...] = at.state.hand.get(at.world.seats[self.seat], ())
        return held

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Leave it alone, or play a held chit."""
        offered = [Done(), *map(Interrupt, self.playable(at))]
        return Explained(offered, lambda action: against(at, self.hand(at), f"{action.chit} is not held in hand"), Interrupt)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """The drawn chit goes back; the held one is resolved in its place."""
        play.pop()
        if isinstance(action, Interrupt):
            play.emit(ChitReturned(play.state.drawn[-1], clause=play.world.clause(self.returned(play))))
            play.emit(ChitPlayed(play.world.seats[seat], action.chit, clause=play.world.clause(self.played(play))))
        else:
            self.let_be(play)

    def returned(self, at: Position) -> str:
        """The topic under which the drawn chit goes back."""
        return f"{self.topic}.returned"

    def played(self, at: Position) -> str:
        """The topic under which the held chit is played."""
        return f"{self.topic}.played"

    def hand(self, at: Position) -> str:
        """The topic on what can be played so."""
        return f"{self.topic}.hand"

    def let_be(self, play: Play) -> None:
        """What follows if the holder leaves the drawn chit alone."""


# -- what is put into the cup later ------------------------------------------------------------------------------------------


@record
class PutIn(Action):
    """Put a held chit into the cup."""

    kind = "put-in"
    says = "put {chit} into the cup"
    chit: str


@record
class SomeChitPutIn(News[ChitState]):
    """What the others see: that a chit went into the cup."""

    kind = "some-chit-put-in"
    says = "{by} puts a chit into the cup"
    by: str


@record
class ChitPutIn(Event[ChitState]):
    """A side put a chit that it held into the cup, in secret."""

    kind = "chit-put-in"
    sight = Sight.OWNER
    says = "{side} puts {chit} into the cup"
    side: str
    chit: str

    def apply(self, state: ChitState) -> None:
        """Put it in."""
        held = list(state.hand[self.side])
        held.remove(self.chit)
        if held:
            state.hand[self.side] = tuple(held)
        else:
            del state.hand[self.side]
        state.cup = tuple(sorted((*state.cup, self.chit)))

    def outline(self) -> SomeChitPutIn:
        """That there is one more."""
        return SomeChitPutIn(self.side, clause=self.clause)


@record
class PuttingIn(TopicStep):
    """Before a draw, those who hold chits may put some of them into the cup; one at least, if the cup is empty."""

    kind = "putting-in"
    topic: ClassVar[str] = "chits.late"
    seat: str

    def _held(self, at: Position) -> tuple[str, ...]:
        held: tuple[str, ...] = at.state.hand.get(at.world.seats[self.seat], ())
        return held

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The holder; everybody knows how many chits he has."""
        return (self.seat,) if self._held(at) else ()

    def prompt(self, at: Position, seat: str) -> str:
        """What is in hand."""
        need = "Put a chit into the empty cup" if not at.state.cup else "Put chits into the cup"
        return f"{need}: {', '.join(self._held(at))}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Enough, or any chit in hand."""
        return Choices([Done(), *map(PutIn, self._held(at))], partial(self.why_not, at))

    def why_not(self, at: Position, action: Action) -> Refusal | None:
        """A chit must be in hand, and the next draw needs one in the cup."""
        if isinstance(action, Done) and not at.state.cup:
            return against(at, f"{self.topic}.empty", "the cup is empty: a chit must go into it before the next draw")
        if isinstance(action, PutIn) and action.chit not in self._held(at):
            return against(at, self.topic, f"{action.chit} is not held in hand")
        return None

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Put it in."""
        if isinstance(action, PutIn):
            play.emit(ChitPutIn(play.world.seats[seat], action.chit, clause=self.rule(play)))
        else:
            play.pop()

    def resume(self, play: Play) -> None:
        """The hand is empty."""
        play.pop()
