"""Chits in hand: played in place of a chit that was drawn, or put into the cup after all."""

from __future__ import annotations

from functools import partial

from hexwar.engine import Action, ActionSet, Choices, Event, News, Play, Position, Sight, record
from hexwar.errors import Refusal
from hexwar.mechanics._chits import ChitPlayed, ChitReturned, ChitState
from hexwar.mechanics._steps import Choosing, Done, against


@record
class Interrupt(Action):
    """Play a held chit in place of the one that was drawn."""

    kind = "interrupt"
    says = "play {chit} instead"
    can = "be played instead"
    chit: str


@record
class Interrupting(Choosing):
    """A side that may hold a chit says whether the drawn one goes back.

    A game asks a side as long as nobody else can know that it holds nothing: being asked must not reveal what was selected.
    """

    kind = "interrupting"
    topic = "chits.interrupt"
    ending = "Let it be"
    choice = Interrupt

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The holder."""
        return (self.seat,)

    def prompt(self, at: Position, seat: str) -> str:
        """What was drawn."""
        return f"{at.state.drawn[-1]} is drawn. Interrupt it, or let it be?"

    def about(self, at: Position) -> str:
        """The topic on this interrupt; what goes back, is played and can be played so have topics below it."""
        return self.topic

    def rule(self, at: Position) -> str:
        """The clause on the topic."""
        return str(at.world.clause(self.about(at)))

    def able(self, at: Position) -> tuple[str, ...]:
        """The chits in hand that may be played this way."""
        held: tuple[str, ...] = at.state.hand.get(at.world.seats[self.seat], ())
        return held

    def why_not(self, at: Position, action: Interrupt) -> Refusal:
        """Only a held chit is played."""
        return against(at, f"{self.about(at)}.hand", f"{action.chit} is not held in hand")

    def chosen(self, play: Play, action: Interrupt) -> None:
        """The drawn chit goes back; the held one is resolved in its place."""
        play.pop()
        clause, about = play.world.clause, self.about(play)
        play.emit(ChitReturned(play.state.drawn[-1], clause=clause(f"{about}.returned")))
        play.emit(ChitPlayed(play.world.seats[self.seat], action.chit, clause=clause(f"{about}.played")))


# -- what is put into the cup later ------------------------------------------------------------------------------------------


@record
class PutIn(Action):
    """Put a held chit into the cup."""

    kind = "put-in"
    says = "put {chit} into the cup"
    can = "be put in"
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
        state.take(self.side, self.chit)
        state.cup = tuple(sorted((*state.cup, self.chit)))

    def outline(self) -> SomeChitPutIn:
        """That there is one more."""
        return SomeChitPutIn(self.side, clause=self.clause)


@record
class PuttingIn(Choosing):
    """Before a draw, those who hold chits may put some of them into the cup; one at least, if the cup is empty."""

    kind = "putting-in"
    topic = "chits.late"
    choice = PutIn

    def able(self, at: Position) -> tuple[str, ...]:
        """The chits in hand; everybody knows how many a side holds."""
        held: tuple[str, ...] = at.state.hand.get(at.world.seats[self.seat], ())
        return held

    def prompt(self, at: Position, seat: str) -> str:
        """What is in hand."""
        need = "Put a chit into the empty cup" if not at.state.cup else "Put chits into the cup"
        return f"{need}: {', '.join(self.able(at))}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Enough, or any chit in hand."""
        return Choices([Done(), *map(PutIn, self.able(at))], partial(self.why_not, at))

    def why_not(self, at: Position, action: Action) -> Refusal | None:
        """A chit must be in hand, and the next draw needs one in the cup."""
        if isinstance(action, Done) and not at.state.cup:
            return against(at, f"{self.topic}.empty", "the cup is empty: a chit must go into it before the next draw")
        if isinstance(action, PutIn) and action.chit not in self.able(at):
            return against(at, self.topic, f"{action.chit} is not held in hand")
        return None

    def chosen(self, play: Play, action: PutIn) -> None:
        """Put it in."""
        play.emit(ChitPutIn(play.world.seats[self.seat], action.chit, clause=self.rule(play)))
