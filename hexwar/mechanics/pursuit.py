"""Pursuit: attackers may follow into the hex that the defenders left, and some arms farther."""

from __future__ import annotations

from typing import Any, ClassVar

from hexwar.board import CLOSED
from hexwar.engine import Action, ActionSet, Grouped, Play, Position, Step, record
from hexwar.mechanics.battle import CombatWorld
from hexwar.mechanics.movement import Done
from hexwar.mechanics.pieces import HexState, go, has_room, occupant


@record
class Pursue(Action):
    """Let a unit follow along a path, its own hex included."""

    unit: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit} pursues to {self.path[-1]}"


def pursuit_paths(at: Position[Any, Any], unit: str, target: str) -> list[tuple[str, ...]]:
    """The ways a victorious unit may follow: first the vacated hex, then as far as its arm pursues. Zones do not matter."""
    world = at.world
    counter, here = world.units[unit], at.state.at[unit]
    farthest = world.pursuit_range.get(counter.arm, 0)
    costs = world.costs(counter.arm, world.hooks.refine("conditions", "", at))
    board = world.board

    def is_open(a: str, b: str) -> bool:
        return costs[board.direction(a, b)][board.index(a)] != CLOSED and occupant(at, b) in (None, counter.side)

    if not farthest or not board.adjacent(here, target) or not is_open(here, target):
        return []
    paths: list[tuple[str, ...]] = [(here, target)]
    if farthest > 1 and not world.stops_pursuit(at, unit, here, target):
        paths += [(here, target, label) for label in sorted(board.neighbours(target)) if label != here and is_open(target, label)]
    return [path for path in paths if has_room(at, counter.side, path[-1])]


@record
class Pursuing(Step[HexState, CombatWorld]):
    """The attackers' pursuit, voluntary and one by one."""

    topic: ClassVar[str] = "pursuit"
    side: str
    target: str
    units: tuple[str, ...]

    def rule(self, at: Position[HexState, CombatWorld]) -> str:
        """The ruleset's clause on pursuit."""
        return at.world.clause(self.topic)

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The attacker, if anybody can follow."""
        able = any(pursuit_paths(at, unit, self.target) for unit in self.units)
        return at.world.seats_of(self.side)[:1] if able else ()

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """Who may follow."""
        return f"Pursue into {self.target} with {', '.join(self.units)}?"

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """Stay, or follow."""
        return Grouped(
            [Done()],
            self.units,
            lambda unit: [Pursue(unit, path) for path in pursuit_paths(at, unit, self.target)],
            lambda action: action.unit if isinstance(action, Pursue) else None,
        )

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Follow."""
        if isinstance(action, Pursue):
            play.replace(Pursuing(self.side, self.target, tuple(unit for unit in self.units if unit != action.unit)))
            go(play, action.unit, action.path, self.topic, "pursues")
        else:
            play.pop()

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Nobody can follow."""
        play.pop()
