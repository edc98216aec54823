"""Arrival: reinforcements that wait off the board are placed one by one where they may enter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, NamedTuple

from hexwar.board import CLOSED, Board, StepCosts
from hexwar.engine import Action, ActionSet, Play, Position, RandomSource, record
from hexwar.engine._actions import pick
from hexwar.errors import Refusal
from hexwar.mechanics._onebyone import OneByOne, UnitAction
from hexwar.mechanics._pieces import UnitPlaced, enter_hexes, has_room, in_enemy_zone, occupant
from hexwar.mechanics._state import HexState
from hexwar.mechanics._topics import against
from hexwar.mechanics._world import HexWorld

TRIES = 12
"""How often a sample looks for an open hex before it makes the list."""
SHOWN = 12
"""How many hexes a refusal names."""


class Reinforcements(NamedTuple):
    """Units of which some may arrive.

    Args:
        units: who.
        number: how many of them.
        about: the topic under which they come.
    """

    units: tuple[str, ...]
    number: int
    about: str = "arrival"


@record
class Arrive(UnitAction):
    """Place a waiting unit in a hex."""

    kind = "arrive"
    to: str

    def __str__(self) -> str:
        return f"{self.unit} arrives at {self.to}"


class Arrivals(ActionSet):
    """The hexes that a unit may enter: listed only on demand, since there may be hundreds.

    Args:
        step: the step that offers them.
        at: the position.
        unit: a unit that waits.
    """

    __slots__ = ("_at", "_step", "_unit")

    def __init__(self, step: Arriving, at: Position[HexState, HexWorld], unit: str) -> None:
        self._step = step
        self._at = at
        self._unit = unit

    def __iter__(self) -> Iterator[Action]:
        return (Arrive(self._unit, label) for label in self._step.open_hexes(self._at, self._unit))

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        if not isinstance(action, Arrive) or action.unit != self._unit:
            return None
        return action if self.why_not(action) is None else None

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        if not isinstance(action, Arrive):
            return None
        return self._step.why_closed(self._at, self._unit, action.to)

    def sample(self, chance: RandomSource) -> Action:
        """A few tries at any hex, then uniform over the open ones."""
        for _ in range(TRIES if self._step.hexes else 0):
            label = pick(self._step.hexes, chance)
            if self._step.why_closed(self._at, self._unit, label) is None:
                return Arrive(self._unit, label)
        return pick(tuple(self), chance)


@record
class Arriving(OneByOne):
    """Units that may enter now; those that do not come in wait where they are."""

    kind = "arriving"
    topic: ClassVar[str] = "arrival"
    hexes: tuple[str, ...]
    """Where they may enter."""
    limit: int = 999
    """How many of them may still come."""
    about: str = "arrival"
    """The topic under which they come."""

    def rule(self, at: Position[HexState, HexWorld]) -> str:
        """The clause on why they come."""
        return at.world.clause(self.about)

    def waiting(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """The units that still lie in a box, as long as more may come."""
        if self.limit < 1:
            return ()
        places, board = at.state.locations, at.world.board
        return tuple([unit for unit in self.units if unit in places and places[unit] not in board])

    def deciders(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """The owner, while a unit has a hex to enter; the first that is found will do."""
        return (self.seat,) if any(True for unit in self.waiting(at) for _ in self.open_hexes(at, unit)) else ()

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """Who waits, and how many may come if not all."""
        waiting = self.waiting(at)
        number = f" (no more than {self.limit})" if self.limit < len(waiting) else ""
        return f"Bring in reinforcements{number}: {', '.join(waiting)}."

    def choices(self, at: Position[HexState, HexWorld], unit: str) -> ActionSet:
        """Every open hex."""
        return Arrivals(self, at, unit)

    def open_hexes(self, at: Position[HexState, HexWorld], unit: str) -> Iterator[str]:
        """The hexes that a unit may enter, as `why_closed` says, for hundreds of hexes at a time."""
        world, layout, side = at.world, at.state.layout, at.world.units[unit].side
        shut = layout.threatened[side]
        for enemy in world.enemies(side):
            shut |= layout.held[enemy]
        ground = _enterable(world.board, at.world.movement.costs_of(at, unit)) & ~shut
        index, stacks = world.board.index, layout.stacks
        for label in self.hexes if ground else ():
            if ground >> index(label) & 1 and world.stacking.fits(at, (*stacks.get(label, ()), unit), label):
                yield label

    def why_closed(self, at: Position[HexState, HexWorld], unit: str, label: str) -> Refusal | None:
        """Why a unit may not enter at a hex; None if it may."""
        side, board = at.world.units[unit].side, at.world.board
        if label not in self.hexes:
            if label in board and in_enemy_zone(at, side, label):
                return against(at, "arrival.hex.zone", f"{label} lies in an enemy zone of control")
            return against(at, "arrival.hex", f"{unit} may not enter at {label}; only at {_some(self.hexes)}")
        if occupant(at, label) not in (None, side):
            return against(at, "arrival.hex", f"the enemy stands in {label}")
        if in_enemy_zone(at, side, label):
            return against(at, "arrival.hex.zone", f"{label} lies in an enemy zone of control")
        if not _enterable(board, at.world.movement.costs_of(at, unit)) >> board.index(label) & 1:
            return against(at, "arrival.hex", f"{label} is closed to {at.world.units[unit].arm}: {board.terrain(label)}")
        return None if has_room(at, unit, label) else against(at, "stacking", f"{label} is full")

    def strike_off(self, play: Play[HexState, HexWorld], unit: str) -> None:
        """The unit has come, and one less may follow."""
        units = tuple(other for other in self.units if other != unit)
        play.replace(replace(self, units=units, limit=self.limit - (unit in self.waiting(play))))

    def act(self, play: Play[HexState, HexWorld], action: Arrive) -> None:
        """Place it."""
        self.place(play, action.unit, action.to)

    def place(self, play: Play[HexState, HexWorld], unit: str, label: str) -> None:
        """A unit comes in at a hex."""
        play.emit(UnitPlaced(unit, label, clause=play.world.clause(self.about)))
        enter_hexes(play, unit, (label,))

    def why_not_now(self, at: Position[HexState, HexWorld], action: UnitAction) -> Refusal | None:
        """Why a unit is not among those that arrive."""
        why = "no more units may arrive now" if self.limit < 1 else f"{action.unit} does not wait for its arrival"
        return against(at, self.about, why)


@lru_cache(maxsize=64)
def _enterable(board: Board, costs: StepCosts) -> int:
    """The mask of the hexes into which the ground lets a step lead from somewhere; made once for an arm, then looked up."""
    tables = [(costs[d], delta) for d, delta in enumerate(board.deltas)]
    return sum(1 << i for i in board.hexes if any(table[i - delta] != CLOSED for table, delta in tables))


def _some(hexes: tuple[str, ...]) -> str:
    """The names of some hexes, not of hundreds."""
    return ", ".join(hexes) if len(hexes) <= SHOWN else f"{', '.join(hexes[:SHOWN])} and {len(hexes) - SHOWN} more"
