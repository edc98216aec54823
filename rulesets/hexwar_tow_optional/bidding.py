"""14.1 Bidding: the player who promises more points plays the Soviets and has to reach them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hexwar import hookimpl
from hexwar.engine import Position, SequenceOfPlay, record
from hexwar.pieces import BIDDING_EVENTS, Bid, SideTaken, Victory, points_bid, sealed_too_long, with_bids
from hexwar.pieces import Bidding as BiddingForSide


@record
class SovietTaken(SideTaken):
    """14.1.1: it is settled who plays the Soviets, and for how many points."""

    kind = "soviet-taken"
    side: ClassVar[str] = "soviet"


@record
class Bidding(BiddingForSide):
    """14.1.1: both players write a bid down at the same time; equal bids are repeated."""

    kind = "bidding"
    clause: ClassVar[str] = "14.1.1"
    taken: ClassVar[type[SideTaken]] = SovietTaken


@hookimpl
def hexwar_sequence(sequence: SequenceOfPlay) -> SequenceOfPlay:
    """14.1.1: the bids come before the set-up."""
    return with_bids(sequence, Bidding)


class BidVictory(Victory):
    """14.1.1: the bid in place of the scenario's points."""

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """14.1.1: once there is one."""
        return {**super().needed(at), **points_bid(at, Bidding)}


PARTS = {"victory": BidVictory}
ACTIONS = (Bid,)
STEPS = (Bidding,)
EVENTS = (*BIDDING_EVENTS, SovietTaken)
INVARIANTS = (sealed_too_long("14.1.1"),)
