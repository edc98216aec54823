"""Bidding for a side: the player who promises more points plays it and has to reach them.

A ruleset's variant makes a `Bidding` of its own, which says for which side players bid and how many points are usual. The state
has the fields `notes` and `sealed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hexwar.engine import (
    Action,
    ActionSet,
    Branch,
    Event,
    Explained,
    Invariant,
    News,
    Phase,
    Play,
    Position,
    PublicEvent,
    RandomSource,
    SequenceOfPlay,
    SideName,
    Sight,
    State,
    Step,
    View,
    owned,
    public,
    record,
    state,
)
from hexwar.errors import Refusal
from hexwar.pieces._victory import Victory

BID = "bid"
"""The note on what the side needs, and on who bid it."""
TIES = "equal bids"
"""The note on the bids that were equal so far."""
MOST_TIES = 3
"""After this many equal bids the die decides."""


@state
class NotesState(State):
    """The part of a state in which optional rules remember something."""

    notes: Mapping[str, tuple[str, ...]] = public(factory=dict)
    """What optional rules remember, each under a name of its own; empty where none is on."""
    sealed: Mapping[SideName, tuple[str, ...]] = owned(factory=dict)
    """Side -> what it has written down for an optional rule, still secret."""


@record
class Bid(Action):
    """Promise this many points for the side that is bid for."""

    kind = "bid"
    says = "bid {points}"
    points: int

    def appeal(self, at: Position) -> float:
        """To a bot: what the scenario asks for."""
        return -float(abs(self.points - at.world.entry.victory_points))


def highest(at: Position) -> int:
    """The highest bid: twice the points of the scenario."""
    return 2 * int(at.world.entry.victory_points)


@record
class Bidding(Step):
    """Both players write a bid down at the same time; equal bids are made again."""

    kind = ""
    clause: ClassVar[str]
    taken: ClassVar[type[SideTaken]]
    """The event that settles it."""

    def deciders(self, at: Position) -> tuple[str, ...]:
        """Those who have not bid."""
        return tuple(at.world.seat_for(side) for side in at.world.sides if side not in at.state.sealed)

    def prompt(self, at: Position, seat: str) -> str:
        """The range, and how often bids were equal."""
        again = f" The last bids were equal, {at.state.notes[TIES][-1]} points." if TIES in at.state.notes else ""
        usual = f"the scenario asks for {at.world.entry.victory_points}"
        return f"Bid points for the {self.taken.side.title()}, up to {highest(at)}; {usual}.{again}"

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Any number up to the highest; at the table each bid has its own number."""
        most = highest(at)

        def why_not(bid: Bid) -> Refusal:
            return Refusal.against(self.clause, f"a bid is 1 to {most} points")

        return Explained(map(Bid, range(1, most + 1)), why_not, Bid)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Write it down."""
        assert isinstance(action, Bid)
        play.emit(BidMade(play.world.seats[seat], action.points, clause=self.clause))

    def resume(self, play: Play) -> None:
        """Open the bids; after some equal ones the die says whose counts."""
        bids = {side: int(play.state.sealed[side][0]) for side in play.world.sides}
        play.emit(BidsOpened(tuple(bids.items()), clause=self.clause))
        best = [side for side, points in bids.items() if points == max(bids.values())]
        if len(best) > 1:
            if len(play.state.notes[TIES]) < MOST_TIES:
                return
            best = [best[0] if play.roll("equal bids", clause=self.clause) <= 3 else best[1]]
        play.pop()
        play.emit(self.taken(best[0], bids[best[0]], clause=self.clause))


@record
class BidSealed(News[NotesState]):
    """What the others see of a bid: that it was made."""

    kind = "bid-sealed"
    says = "{by} has made a bid"
    by: str


@record
class BidMade(Event[NotesState]):
    """A player wrote down what they promise."""

    kind = "bid-made"
    sight = Sight.OWNER
    says = "{side} bids {points}"
    side: str
    points: int

    def apply(self, state: NotesState) -> None:
        """Seal it."""
        state.sealed = {**state.sealed, self.side: (str(self.points),)}

    def outline(self) -> BidSealed:
        """That there is a bid."""
        return BidSealed(self.side, clause=self.clause)


@record
class BidsOpened(PublicEvent[NotesState]):
    """Everybody sees all bids."""

    kind = "bids-opened"
    reveals = True
    bids: tuple[tuple[str, int], ...]

    def apply(self, state: NotesState) -> None:
        """Open them, and note equal ones."""
        state.sealed = {}
        points = {points for _, points in self.bids}
        if len(points) == 1:
            state.notes = {**state.notes, TIES: (*state.notes.get(TIES, ()), str(*points))}

    def __str__(self) -> str:
        return f"the bids are {', '.join(f'{side} {points}' for side, points in self.bids)}"


@record
class SideTaken(PublicEvent[NotesState]):
    """It is settled who plays the side that was bid for, and for how many points."""

    kind = ""
    side: ClassVar[str]
    by: str
    points: int

    def apply(self, state: NotesState) -> None:
        """Note it."""
        rest = {name: note for name, note in state.notes.items() if name != TIES}
        state.notes = {**rest, BID: (str(self.points), self.by)}

    def __str__(self) -> str:
        chairs = "" if self.by == self.side else "; the players exchange chairs"
        return f"the player at the {self.by} seat has the {self.side.title()} and needs {self.points} points{chairs}"


def imagine_bids(view: View, at: Position, chance: RandomSource) -> None:
    """Let those who have bid unseen have bid something: see `Ruleset.imagine`."""
    if view.steps and isinstance(view.steps[-1], Bidding):
        have = [side for side in at.world.sides if side != view.side and at.world.seat_for(side) not in view.to_move]
        mine = {side: bid for side, bid in at.state.sealed.items() if side == view.side}
        at.state.sealed = {**mine, **{side: (str(1 + chance.randrange(highest(at))),) for side in have}}


def with_bids(sequence: SequenceOfPlay, bidding: type[Bidding]) -> SequenceOfPlay:
    """A sequence in which bids come before the first phase; everything behind it keeps its place."""

    def bid(play: Play) -> None:
        play.push(bidding())

    def players_bid(at: Position) -> bool:
        return True

    players_bid.__name__ = f"players_bid_for_the_{bidding.taken.side}"
    first, *rest = sequence.nodes
    opening = (Phase("bidding", "Bidding", bidding.clause, bid), first)
    return SequenceOfPlay(Branch("Opening", bidding.clause, players_bid, opening), *rest)


class BidVictory(Victory):
    """The bid in place of the scenario's points. A game's own names its `Bidding`."""

    bidding: ClassVar[type[Bidding]]

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """The bid, once there is one."""
        return {**super().needed(at), **self.bid(at)}

    def bid(self, at: Position) -> dict[str, tuple[int, str]]:
        """The side that was bid for -> the bid and the clause; empty before there is one."""
        found = at.state.notes.get(BID)
        return {self.bidding.taken.side: (int(found[0]), self.bidding.clause)} if found else {}


def sealed_too_long(clause: str) -> Invariant:
    """The invariant that no bid stays sealed."""

    def still_sealed(at: Position) -> str | None:
        late = at.state.sealed and at.state.phase not in ("", "bidding")
        return f"bids of {', '.join(at.state.sealed)} are sealed in the phase {at.state.phase}" if late else None

    return Invariant(clause, "no bid stays sealed once the game has begun", still_sealed)


BIDDING_EVENTS: tuple[type[Event], ...] = (BidMade, BidSealed, BidsOpened)
"""The events of bids, for `Ruleset.events`."""
