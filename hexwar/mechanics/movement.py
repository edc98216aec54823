"""Movement: which hexes a unit can reach and what that costs, and the segment in which units move one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

from hexwar.board import Reach, reach
from hexwar.engine import Action, ActionSet, Grouped, Play, Position, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics.pieces import HexState, HexWorld, face, go, has_room, in_enemy_zone, occupant

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=HexWorld)


@record
class Move(Action):
    """Move a unit to a hex, by the cheapest way."""

    unit: str
    to: str

    def __str__(self) -> str:
        return f"move {self.unit} to {self.to}"


@record
class Done(Action):
    """No more of this."""

    def __str__(self) -> str:
        return "done"


def reach_of(at: Position[S, W], unit: str, points: int | None = None) -> Reach:
    """Every hex that a unit can get to with its movement points, full stacks included.

    Args:
        at: the position.
        unit: a unit on the board.
        points: half points to spend instead of its allowance.
    """
    counter = at.world.units[unit]
    board, layout = at.world.board, at.state.layout
    conditions = at.world.hooks.refine("conditions", "", at)
    return reach(
        board,
        board.index(at.state.at[unit]),
        face(at, unit).move * 2 if points is None else points,
        at.world.costs(counter.arm, conditions),
        leave=layout.leave[counter.side],
        enter=layout.enter[counter.side],
    )


def destinations(at: Position[S, W], unit: str) -> list[str]:
    """The hexes in which a unit's move may end, in board order."""
    side, here = at.world.units[unit].side, at.state.at[unit]
    board = at.world.board
    labels = sorted(board.label(i) for i in reach_of(at, unit))
    return [label for label in labels if label != here and has_room(at, side, label)]


def path_to(at: Position[S, W], unit: str, target: str) -> list[str]:
    """The cheapest way to a hex in reach."""
    board = at.world.board
    return [board.label(i) for i in reach_of(at, unit).path(board.index(target))]


def refuse_move(at: Position[S, W], unit: str, target: str) -> Refusal | None:
    """Why a unit cannot end its move in a hex, or None if it can."""

    def no(topic: str, message: str) -> Refusal:
        return Refusal(RefusalCode.AGAINST_RULE, at.world.clause(topic), message)

    if target not in at.world.board:
        return no("move", f"there is no hex {target} on the map")
    counter, here = at.world.units[unit], at.state.at[unit]
    if target == here:
        return no("move", f"{unit} stands in {target} already")
    holder = occupant(at, target)
    if holder is not None and holder != counter.side:
        return no("move.enemy", f"{target} is occupied by {holder}")
    found = reach_of(at, unit)
    index = at.world.board.index(target)
    if index not in found:
        points = face(at, unit).move
        zones = in_enemy_zone(at, counter.side, here) or in_enemy_zone(at, counter.side, target)
        note = "; enemy zones of control make the way dearer" if zones else ""
        return no("move.zone" if zones else "move.cost", f"{target} is out of reach of {unit} with {points} points{note}")
    if not has_room(at, counter.side, target):
        return no("stacking", f"no more than {at.world.stacking_limit(counter.side, target)} units may end in {target}")
    return None


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
    open_to = {label: found[board.index(label)] / 2 for label in destinations(at, unit)}
    here = at.state.at[unit]
    closed: dict[str, Refusal] = {}
    for label in dict.fromkeys(near for known in (here, *open_to) for near in board.neighbours(known)):
        if label != here and label not in open_to:
            refusal = refuse_move(at, unit, label)
            assert refusal is not None
            closed[label] = refusal
    return ReachReport(open_to, closed)


@record
class Moving(Step[HexState, HexWorld]):
    """The movement segment: activated units move one at a time, each once, in any order."""

    topic: ClassVar[str] = "move"
    seat: str
    units: tuple[str, ...]
    """Those that have not moved yet."""

    def rule(self, at: Position[HexState, HexWorld]) -> str:
        """The ruleset's clause on movement."""
        return at.world.clause(self.topic)

    def deciders(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """Whoever was activated."""
        return (self.seat,) if self.units else ()

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """What may move."""
        return f"Move units: {', '.join(self.units)}."

    def actions(self, at: Position[HexState, HexWorld], seat: str) -> ActionSet:
        """Stop, or any move of any unit."""
        return Grouped(
            [Done()],
            self.units,
            lambda unit: [Move(unit, to) for to in destinations(at, unit)],
            lambda action: action.unit if isinstance(action, Move) else None,
        )

    def perform(self, play: Play[HexState, HexWorld], seat: str, action: Action) -> None:
        """Move it."""
        if isinstance(action, Move):
            play.replace(Moving(self.seat, tuple(unit for unit in self.units if unit != action.unit)))
            go(play, action.unit, path_to(play, action.unit, action.to), self.topic)
        else:
            play.pop()

    def resume(self, play: Play[HexState, HexWorld]) -> None:
        """All have moved."""
        play.pop()

    def refuse(self, at: Position[HexState, HexWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Move):
            return None
        if action.unit not in self.units:
            return Refusal(RefusalCode.AGAINST_RULE, at.world.clause("activation"), f"{action.unit} is not active or has moved already")
        return refuse_move(at, action.unit, action.to)
