"""How a unit goes: the values with which a rulebook answers what zones cost and close, and what is closed besides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from hexwar.board import Walls
from hexwar.engine import record


@record
class Mode:
    """A way of moving among which a unit has the choice; the one without a name is the normal one.

    Args:
        name: "strategic", for instance.
        arm: whose costs of the terrain chart it uses, in place of the unit's own.
        along: a link that the hex must have in which the move begins.
        outside_zones: whether neither that hex nor any other on the way may be in an enemy zone.
        topic: under which it is cited.
        price: half points that it takes before the first step.
    """

    name: str
    arm: str = ""
    along: str = ""
    outside_zones: bool = False
    topic: str = "move"
    price: int = 0


NORMAL = Mode("")
"""The usual way of moving."""


class ZoneTerms(NamedTuple):
    """What enemy zones cost a unit, in half points, and what they close.

    Args:
        leaving: for a step out of a zone.
        entering: for a step into one.
        within: for a step from zone to zone, in place of both; `ALL` or `CLOSED` are possible. None: both are paid.
        whole: which steps that take the whole allowance are closed: "either", those that begin or end in a zone; "both",
            those that lead from zone to zone; "", none.
        barriers: features of hexsides that are never crossed from zone to zone, bridge or no bridge.
        stops: whether a unit that has entered a zone moves no farther; one that begins its move there pays for leaving it.
    """

    leaving: int = 0
    entering: int = 0
    within: int | None = None
    whole: str = ""
    barriers: frozenset[str] = frozenset()
    stops: bool = False


FREE = ZoneTerms()
"""What zones cost that cost nothing."""


class Bar(NamedTuple):
    """Hexes and steps that are closed to a unit now, whatever the ground, and the reason.

    Args:
        topic: the topic under which a move is refused.
        why: the reason as a sentence, with {unit}, {origin} and {target} in it where they are to be named.
        hexes: the mask of the hexes that it never enters.
        steps: for each direction, the mask of the hexes that it does not leave that way; empty where no step is meant.
        first: whether all this is closed only to the first step of a move; no move is offered that comes back to where it began.
    """

    topic: str
    why: str
    hexes: int = 0
    steps: Walls = ()
    first: bool = False


@dataclass(frozen=True, slots=True)
class Going:
    """How a unit moves now: all that a search looks at, besides the board, the chart, and where enemies and their zones are.

    What was found for one is found for every equal one: whatever the answers of a rulebook depend on has to show in this value.

    Args:
        arm: whose column of the terrain chart counts.
        side: whose enemies and zones count.
        conditions: see `Movement.conditions`.
        zones: what enemy zones cost it.
        outside_zones: whether it enters no hex in an enemy zone.
        changed: steps, from hex and to hex, that cost something unusual now, and their half points.
        tolls: masks of hexes that cost something on top to leave, and their half points.
        bars: what is closed to it besides.
        passes: the mask of hexes with enemies through which it may go; it may not end its move there.
        minimum: whether it may always go into a hex next to it, if its whole allowance is too little.
        whole: whether it still has its whole allowance when it sets out, as a step needs that takes all of it.
        overruns: masks of hexes with enemies that it may enter, and end its move in, and what that costs on top in half points.
        avoided: the mask of hexes through which a move does not lead, if its owner chooses no way and its end can be reached
            without them.
    """

    arm: str
    side: str
    conditions: str = ""
    zones: ZoneTerms = FREE
    outside_zones: bool = False
    changed: tuple[tuple[tuple[str, str], int], ...] = ()
    tolls: tuple[tuple[int, int], ...] = ()
    bars: tuple[Bar, ...] = ()
    passes: int = 0
    minimum: bool = False
    whole: bool = True
    overruns: tuple[tuple[int, int], ...] = ()
    avoided: int = 0
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        mine = (self.arm, self.side, self.conditions, self.zones, self.outside_zones, self.changed, self.tolls, self.bars)
        object.__setattr__(self, "_hash", hash((*mine, self.passes, self.minimum, self.whole, self.overruns, self.avoided)))

    def may_overrun(self, i: int) -> bool:
        """Whether it may enter a hex with enemies and stay there."""
        return any(mask >> i & 1 for mask, _ in self.overruns)

    def __hash__(self) -> int:
        return self._hash
