"""Pursuit: attackers may follow into the hex that the defenders left, and some arms farther."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Self

from hexwar.engine import Action, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics.battle import Battle, CombatWorld
from hexwar.mechanics.onebyone import OneByOne, UnitAction
from hexwar.mechanics.pieces import go, has_room, occupant
from hexwar.mechanics.state import HexState
from hexwar.mechanics.topics import against

Path = tuple[str, ...]


@record
class Pursue(UnitAction):
    """Let a unit follow along a path, its own hex included."""

    kind = "pursue"
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit} pursues to {' '.join(self.path[-1:])}"


def pursuit_paths(at: Position, unit: str, target: str) -> list[Path]:
    """The ways a victorious unit may follow: first the vacated hex, then as far as its arm pursues. Zones do not matter."""
    world, here = at.world, at.state.at[unit]
    if not world.board.adjacent(here, target):
        return []
    paths: list[Path] = []
    longer: list[Path] = [(here, target)]
    for _ in range(world.pursuit_range.get(world.units[unit].arm, 0)):
        longer = [path for path in longer if at.world.movement.can_enter(at, unit, path[-2], path[-1])]
        longer = [path for path in longer if world.may_pursue(at, unit, path[:-1], path[-1])]
        paths += longer
        onward = [path for path in longer if not world.stops_pursuit(at, unit, path[-2], path[-1])]
        longer = [(*path, label) for path in onward for label in sorted(world.board.neighbours(path[-1]))]
    return [path for path in paths if has_room(at, unit, path[-1])]


@record
class Pursuing(OneByOne):
    """The attackers' pursuit, voluntary and one by one."""

    kind = "pursuing"
    topic: ClassVar[str] = "pursuit"
    target: str

    @classmethod
    def begin(cls, at: Position, seat: str, battle: Battle, attackers: tuple[str, ...]) -> Self:
        """The step for those attackers of a battle that are left."""
        return cls(seat, attackers, battle.target)

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """Who may follow."""
        return f"Pursue into {self.target} with {', '.join(self.waiting(at))}?"

    def choices(self, at: Position[HexState, CombatWorld], unit: str) -> list[Action]:
        """Every way it may follow."""
        return [Pursue(unit, path) for path in pursuit_paths(at, unit, self.target)]

    def act(self, play: Play[HexState, CombatWorld], action: Pursue) -> None:
        """Follow."""
        go(play, action.unit, action.path, self.topic, "pursues")

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Pursue) or action.unit not in self.waiting(at):
            return None
        if action.path[:2] != (at.state.at[action.unit], self.target):
            return against(at, "pursuit.first", f"a pursuit leads from {at.state.at[action.unit]} to {self.target} first")
        world, end, unit = at.world, action.path[-1], action.unit
        hexes = len(action.path) - 1
        if hexes > world.pursuit_range.get(world.units[unit].arm, 0):
            return against(at, "pursuit.far", f"{unit} may not pursue so far as {end}")
        for gone, (here, label) in enumerate(pairwise(action.path), 1):
            if label not in world.board or not world.board.adjacent(here, label):
                return against(at, "pursuit", f"{unit} cannot go from {here} to {label}")
            if occupant(at, label) not in (None, world.units[unit].side):
                return against(at, "pursuit.enemy", f"the enemy stands in {label}")
            if not at.world.movement.can_step(at, unit, here, label):
                return against(at, "pursuit.closed", f"{unit} could not move from {here} into {label}")
            if not world.may_pursue(at, unit, action.path[:gone], label):
                return against(at, "pursuit.barred", f"the pursuit of {unit} may not lead from {here} into {label}")
        for here, label in pairwise(action.path[:-1]):
            if world.stops_pursuit(at, unit, here, label):
                return against(at, world.stopped_by(at, unit, here, label), f"the pursuit of {unit} ends in {label}")
        return against(at, "pursuit.room", f"there is no room for {unit} in {end}")
