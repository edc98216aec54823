"""17.1 Bidding: the player who promises more points plays the Axis and has to reach them."""

from __future__ import annotations

from typing import ClassVar

from hexwar import hookimpl, pieces
from hexwar.engine import SequenceOfPlay, record
from hexwar.pieces import BIDDING_EVENTS, Bid, SideTaken, sealed_too_long, with_bids


@record
class AxisTaken(SideTaken):
    """17.1.1: it is settled who plays the Axis, and for how many points."""

    kind = "axis-taken"
    side: ClassVar[str] = "axis"


@record
class Bidding(pieces.Bidding):
    """17.1.1: both players write a bid down at the same time; equal bids are repeated."""

    kind = "bidding"
    clause: ClassVar[str] = "17.1.1"
    taken: ClassVar[type[SideTaken]] = AxisTaken


@hookimpl
def hexwar_sequence(sequence: SequenceOfPlay) -> SequenceOfPlay:
    """17.1.1: the bids come before the set-up."""
    return with_bids(sequence, Bidding)


class BidVictory(pieces.BidVictory):
    """17.1.1: the bid in place of the scenario's points."""

    bidding = Bidding


PARTS = {"victory": BidVictory}
ACTIONS = (Bid,)
STEPS = (Bidding,)
EVENTS = (*BIDDING_EVENTS, AxisTaken)
INVARIANTS = (sealed_too_long("17.1.1"),)
