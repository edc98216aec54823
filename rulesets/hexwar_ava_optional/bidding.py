"""17.1 Bidding: whoever promises more points plays the Axis and has to reach them."""

from __future__ import annotations

from typing import Any, ClassVar

from hexwar import hookimpl
from hexwar.engine import (
    Action,
    ActionSet,
    Branch,
    Event,
    Invariant,
    Listed,
    Phase,
    Position,
    SequenceOfPlay,
    Sight,
    Step,
    record,
)
from hexwar.errors import Refusal, RefusalCode
from hexwar_ava.state import AvaState
from hexwar_ava.world import At, Doing

BID = "bid"
"""The note on what the Axis needs, and on who bid it."""
TIES = "equal bids"
"""The note on the bids that were equal so far."""
MOST_TIES = 3
"""After so many equal bids the die decides."""


@record
class Bid(Action):
    """Promise so many points for the Axis."""

    points: int

    def __str__(self) -> str:
        return f"bid {self.points}"

    def appeal(self, at: At) -> float:
        """To a bot: what the scenario asks for."""
        return -float(abs(self.points - at.world.entry.victory_points))


def highest(at: At) -> int:
    """The highest bid: twice the points of the scenario."""
    return 2 * at.world.entry.victory_points


@record
class Bidding(Step[Any, Any]):
    """17.1.1: both players write a bid down at the same time; equal bids are made again."""

    clause: ClassVar[str] = "17.1.1"

    def deciders(self, at: At) -> tuple[str, ...]:
        """Whoever has not bid."""
        return tuple(at.world.seat_for(side) for side in at.world.sides if side not in at.state.sealed)

    def prompt(self, at: At, seat: str) -> str:
        """The range, and how often bids were equal."""
        again = f" The last bids were equal, {at.state.notes[TIES][-1]} points." if TIES in at.state.notes else ""
        usual = f"the scenario asks for {at.world.entry.victory_points}"
        return f"Bid points for the Axis, up to {highest(at)}; {usual}.{again}"

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any number up to the highest; at the table each bid has its own number."""
        return Listed(Bid(points) for points in range(1, highest(at) + 1))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Write it down."""
        assert isinstance(action, Bid)
        play.emit(BidMade(play.world.seats[seat], action.points, clause=self.clause))

    def resume(self, play: Doing) -> None:
        """Open the bids; after some equal ones the die says whose counts."""
        bids = {side: int(play.state.sealed[side][0]) for side in play.world.sides}
        play.emit(BidsOpened(tuple(bids.items()), clause=self.clause))
        best = [side for side, points in bids.items() if points == max(bids.values())]
        if len(best) > 1:
            if len(play.state.notes[TIES]) < MOST_TIES:
                return
            best = [best[0] if play.roll("equal bids", clause=self.clause) <= 3 else best[1]]
        play.pop()
        play.emit(AxisTaken(best[0], bids[best[0]], clause=self.clause))

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Name the range."""
        if not isinstance(action, Bid):
            return None
        return Refusal(RefusalCode.AGAINST_RULE, self.clause, f"a bid is 1 to {highest(at)} points, not {action.points}")


@record
class BidSealed(Event[AvaState]):
    """What the others see of a bid: that it was made."""

    sight = Sight.PUBLIC
    by: str

    def apply(self, state: AvaState) -> None:
        """Nobody knows more."""

    def __str__(self) -> str:
        return f"{self.by} has made a bid"


@record
class BidMade(Event[AvaState]):
    """A player wrote down what he promises."""

    sight = Sight.OWNER
    side: str
    points: int

    def apply(self, state: AvaState) -> None:
        """Seal it."""
        state.sealed[self.side] = (str(self.points),)

    def outline(self) -> BidSealed:
        """That there is a bid."""
        return BidSealed(self.side, clause=self.clause)

    def __str__(self) -> str:
        return f"{self.side} bids {self.points}"


@record
class BidsOpened(Event[AvaState]):
    """Everybody sees all bids."""

    sight = Sight.PUBLIC
    reveals = True
    bids: tuple[tuple[str, int], ...]

    def apply(self, state: AvaState) -> None:
        """Open them, and note equal ones."""
        state.sealed = {}
        points = {points for _, points in self.bids}
        if len(points) == 1:
            state.notes[TIES] = (*state.notes.get(TIES, ()), str(*points))

    def __str__(self) -> str:
        return f"the bids are {', '.join(f'{side} {points}' for side, points in self.bids)}"


@record
class AxisTaken(Event[AvaState]):
    """It is settled who plays the Axis, and for how many points."""

    sight = Sight.PUBLIC
    by: str
    points: int

    def apply(self, state: AvaState) -> None:
        """Note it."""
        state.notes = {name: note for name, note in state.notes.items() if name != TIES}
        state.notes[BID] = (str(self.points), self.by)

    def __str__(self) -> str:
        chairs = "" if self.by == "axis" else "; the players exchange chairs"
        return f"the player at the {self.by} seat has the Axis and needs {self.points} points{chairs}"


def bid(play: Doing) -> None:
    """17.1.1: before anything else."""
    play.push(Bidding())


def players_bid_for_the_axis(at: Position[Any, Any]) -> bool:
    """17.1.1: always, where the option is on."""
    return True


@hookimpl
def hexwar_sequence(sequence: SequenceOfPlay) -> SequenceOfPlay:
    """17.1.1: the bids come before the set-up; everything behind it keeps its place in the sequence."""
    first, *rest = sequence.nodes
    opening = (Phase("bidding", "Bidding", "17.1.1", bid), first)
    return SequenceOfPlay(Branch("Opening", "17.1.1", players_bid_for_the_axis, opening), *rest)


@hookimpl
def hexwar_points_needed(at: At, side: str) -> tuple[int, str] | None:
    """17.1.1: the bid in place of the scenario's points."""
    found = at.state.notes.get(BID)
    return (int(found[0]), "17.1.1") if found and side == "axis" else None


def _still_sealed(at: At) -> str | None:
    late = at.state.sealed and at.state.phase not in ("", "bidding")
    return f"bids of {', '.join(at.state.sealed)} are sealed in the phase {at.state.phase}" if late else None


ACTIONS = (Bid,)
STEPS = (Bidding,)
EVENTS = (BidMade, BidSealed, BidsOpened, AxisTaken)
INVARIANTS = (Invariant("17.1.1", "no bid stays sealed once the game has begun", _still_sealed),)
