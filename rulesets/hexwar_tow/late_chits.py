"""4.2.0.4: what the Axis puts into the cup later, before a draw."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Choices, Event, News, Play, Position, Sight, record
from hexwar.errors import Refusal
from hexwar.pieces import Choosing, Done
from hexwar_tow.state import TowState


@record
class PutIn(Action):
    """4.2.0.4: put a held chit into the cup."""

    kind = "put-in"
    says = "put {chit} into the cup"
    can = "be put in"
    chit: str


@record
class SomeChitPutIn(News[TowState]):
    """What the others see: that a chit went into the cup."""

    kind = "some-chit-put-in"
    says = "{by} puts a chit into the cup"
    by: str


@record
class ChitPutIn(Event[TowState]):
    """A side put a chit that it held into the cup, in secret."""

    kind = "chit-put-in"
    sight = Sight.OWNER
    says = "{side} puts {chit} into the cup"
    side: str
    chit: str

    def apply(self, state: TowState) -> None:
        """Put it in."""
        state.take(self.side, self.chit)
        state.cup = tuple(sorted((*state.cup, self.chit)))
        state.put_in = {**state.put_in, self.side: (*state.put_in.get(self.side, ()), self.chit)}

    def outline(self) -> SomeChitPutIn:
        """That there is one more."""
        return SomeChitPutIn(self.side, clause=self.clause)


@record
class PuttingIn(Choosing):
    """4.2.0.4: before a draw the Axis may put chits from its hand into the cup; 4.3.15: one at least, if the cup is empty."""

    kind = "putting-in"
    shows = ("chits",)
    clause: ClassVar[str] = "4.2.0.4"
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
            return Refusal.against("4.3.15", "the cup is empty: a chit must go into it before the next draw")
        if isinstance(action, PutIn) and action.chit not in self.able(at):
            return Refusal.against("4.2.0.4", f"{action.chit} is not held in hand")
        return None

    def chosen(self, play: Play, action: PutIn) -> None:
        """Put it in."""
        play.emit(ChitPutIn(play.world.seats[self.seat], action.chit, clause="4.2.0.4"))
