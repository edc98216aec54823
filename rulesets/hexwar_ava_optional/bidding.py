"""17.1 Bidding: the player who promises more points plays the Axis and has to reach them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hexwar import hookimpl
from hexwar.engine import Position, SequenceOfPlay, record
from hexwar.pieces import BIDDING_EVENTS, Bid, SideTaken, Victory, points_bid, sealed_too_long, with_bids
from hexwar.pieces import Bidding as BiddingForSide


@record
class AxisTaken(SideTaken):
    """17.1.1: it is settled who plays the Axis, and for how many points."""

    kind = "axis-taken"
    side: ClassVar[str] = "axis"


@record
class Bidding(BiddingForSide):
    """17.1.1: both players write a bid down at the same time; equal bids are repeated."""

    kind = "bidding"
    clause: ClassVar[str] = "17.1.1"
    taken: ClassVar[type[SideTaken]] = AxisTaken


@hookimpl
def hexwar_sequence(sequence: SequenceOfPlay) -> SequenceOfPlay:
    """17.1.1: the bids come before the set-up."""
    return with_bids(sequence, Bidding)


class BidVictory(Victory):
    """17.1.1: the bid in place of the scenario's points."""

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """17.1.1: once there is one."""
        return {**super().needed(at), **points_bid(at, Bidding)}


PARTS = {"victory": BidVictory}
ACTIONS = (Bid,)
STEPS = (Bidding,)
EVENTS = (*BIDDING_EVENTS, AxisTaken)
INVARIANTS = (sealed_too_long("17.1.1"),)
