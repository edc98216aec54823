"""Movement: which hexes a unit can reach and what that costs, and the segment in which units move one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

from hexwar.board import CLOSED, Reach, StepCosts, reach
from hexwar.engine import Action, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics.onebyone import OneByOne, UnitAction
from hexwar.mechanics.pieces import face, go, has_room, occupant
from hexwar.mechanics.topics import against
from hexwar.mechanics.world import HexState, HexWorld

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=HexWorld)

NO_ZONES = bytes([0] * CLOSED + [CLOSED])
"""Translates a table of surcharges into one in which only closed hexes are left."""


@record
class Move(UnitAction):
    """Move a unit to a hex, by the cheapest way."""

    to: str

    def __str__(self) -> str:
        return f"move {self.unit} to {self.to}"


def costs_of(at: Position[S, W], unit: str) -> StepCosts:
    """What each step costs a unit under the conditions of the moment."""
    return at.world.costs(at.world.units[unit].arm, at.world.hooks.refine("conditions", "", at))


def can_step(at: Position[S, W], unit: str, origin: str, target: str) -> bool:
    """Whether the ground lets a unit go from a hex into the next, whoever stands there."""
    board = at.world.board
    return costs_of(at, unit)[board.direction(origin, target)][board.index(origin)] != CLOSED


def can_enter(at: Position[S, W], unit: str, origin: str, target: str) -> bool:
    """Whether ground and enemy let a unit go from a hex into the next."""
    return occupant(at, target) in (None, at.world.units[unit].side) and can_step(at, unit, origin, target)


def reach_of(at: Position[S, W], unit: str, points: int | None = None) -> Reach:
    """Every hex that a unit can get to with its movement points, full stacks included.

    Args:
        at: the position.
        unit: a unit on the board.
        points: half points to spend instead of its allowance.
    """
    side, layout = at.world.units[unit].side, at.state.layout
    return reach(
        at.world.board,
        at.world.board.index(at.state.at[unit]),
        face(at, unit).move * 2 if points is None else points,
        costs_of(at, unit),
        leave=layout.leave[side],
        enter=layout.enter[side],
    )


def destinations(at: Position[S, W], unit: str) -> list[str]:
    """The hexes in which a unit's move may end, sorted by label."""
    return _ends(at, unit, reach_of(at, unit))


def _ends(at: Position[S, W], unit: str, found: Reach) -> list[str]:
    label_of, stacks, may_stack = at.world.board.label, at.state.layout.stacks, at.world.may_stack
    labels = [label_of(i) for i in found if i != found.start]
    # As `has_room` has it, for a hundred hexes at a time.
    return sorted([label for label in labels if may_stack((*stacks.get(label, ()), unit), label)])


def path_to(at: Position[S, W], unit: str, target: str) -> list[str]:
    """The cheapest way to a hex in reach."""
    board = at.world.board
    return [board.label(i) for i in reach_of(at, unit).path(board.index(target))]


def refuse_move(at: Position[S, W], unit: str, target: str, found: Reach | None = None) -> Refusal | None:
    """Why a unit cannot end its move in a hex, or None if it can.

    Args:
        at: the position.
        unit: a unit on the board.
        target: a hex, or what somebody took for one.
        found: the unit's reach, if the caller has it.
    """
    board, side, here = at.world.board, at.world.units[unit].side, at.state.at[unit]
    if target not in board:
        return against(at, "move", f"there is no hex {target} on the map")
    if target == here:
        return against(at, "move", f"{unit} stands in {target} already")
    holder = occupant(at, target)
    if holder not in (None, side):
        return against(at, "move.enemy", f"{target} is occupied by {holder}")
    found = reach_of(at, unit) if found is None else found
    if board.index(target) not in found:
        return _out_of_reach(at, unit, target)
    if not has_room(at, unit, target):
        return against(at, "stacking", f"no more than {at.world.stacking_limit(side, target)} units may end in {target}")
    return None


def _out_of_reach(at: Position[S, W], unit: str, target: str) -> Refusal:
    board, chart = at.world.board, at.world.chart
    counter, here = at.world.units[unit], at.state.at[unit]
    if board.adjacent(here, target) and not can_step(at, unit, here, target):
        barrier = chart.barrier(board, counter.arm, here, target)
        if barrier:
            return against(at, "move.side", f"{counter.arm} cannot cross the {barrier} between {here} and {target}")
        return against(at, "move.cost", f"{target} is closed to {counter.arm}: {board.terrain(target)}")
    points = face(at, unit).move
    closed = at.state.layout.enter[counter.side].translate(NO_ZONES)
    if board.index(target) in reach(board, board.index(here), points * 2, costs_of(at, unit), enter=closed):
        message = f"enemy zones of control make the way to {target} too dear for {unit} with {points} points"
        return against(at, "move.zone", message)
    return against(at, "move.cost", f"{target} is out of reach of {unit} with {points} points")


@dataclass(frozen=True, slots=True)
class ReachReport:
    """What a player sees before he moves.

    Args:
        costs: hex -> movement points spent, for every hex in which the move may end.
        closed: hex next to the way -> the refusal that explains why the move may not end there.
    """

    costs: dict[str, float]
    closed: dict[str, Refusal]


def report_reach(at: Position[S, W], unit: str) -> ReachReport:
    """Where a unit can go with the cost of each hex, and why neighbouring hexes are closed."""
    board = at.world.board
    found = reach_of(at, unit)
    open_to = {label: found[board.index(label)] / 2 for label in _ends(at, unit, found)}
    here = at.state.at[unit]
    closed: dict[str, Refusal] = {}
    for label in dict.fromkeys(near for known in (here, *open_to) for near in board.neighbours(known)):
        if label != here and label not in open_to:
            refusal = refuse_move(at, unit, label, found)
            assert refusal is not None
            closed[label] = refusal
    return ReachReport(open_to, closed)


@record
class Moving(OneByOne):
    """The movement segment: activated units move one at a time, each once, in any order."""

    topic: ClassVar[str] = "move"

    def deciders(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """Whoever was activated; whether a unit can move at all is only worked out when somebody asks."""
        return (self.seat,) if self.waiting(at) else ()

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """What may move."""
        return f"Move units: {', '.join(self.waiting(at))}."

    def choices(self, at: Position[HexState, HexWorld], unit: str) -> list[Action]:
        """Every hex in which its move may end."""
        return [Move(unit, to) for to in destinations(at, unit)]

    def act(self, play: Play[HexState, HexWorld], action: Move) -> None:
        """Move it."""
        go(play, action.unit, path_to(play, action.unit, action.to), self.topic)

    def refuse(self, at: Position[HexState, HexWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Move):
            return None
        if action.unit not in self.waiting(at):
            return against(at, "activation", f"{action.unit} is not active or has moved already")
        return refuse_move(at, action.unit, action.to)
