"""Entering: units that come onto the board from outside by movement, through entry hexes for which they pay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from hexwar.board import ALL, CLOSED, Reach
from hexwar.engine import Action, ActionSet, Play, Position, RandomSource, record
from hexwar.engine._actions import pick
from hexwar.errors import Refusal, UnknownName
from hexwar.mechanics._onebyone import OneByOne, UnitAction
from hexwar.mechanics._pieces import UnitPlaced, enter_hexes, has_room, occupant
from hexwar.mechanics._state import HexState
from hexwar.mechanics._topics import against
from hexwar.mechanics._world import HexWorld


@record
class Enter(UnitAction):
    """Bring a unit in through an entry hex and move it on."""

    kind = "enter"
    to: str
    source: str
    """The entry hex."""
    mode: str = ""
    """The way of moving, if it is not the normal one."""
    path: tuple[str, ...] = ()
    """Every hex of its way, from the entry hex to the last, if it is not the cheapest."""

    def __str__(self) -> str:
        onward = f" and moves to {self.to}" if self.to != self.source else ""
        return f"{self.unit} enters at {self.source}{onward}{f' ({self.mode})' * bool(self.mode)}"


def entry_price(at: Position[HexState, HexWorld], unit: str, source: str, mode: str = "") -> int:
    """The half points that a unit pays for the hex through which it comes in, or `CLOSED`.

    It pays for terrain or place, or in a way of moving along a link for that; and the surcharge of an enemy zone. There is no
    step between two hexes here, so what variants say of steps does not count. A price of the whole allowance is all it has.
    """
    world, counter = at.world, at.world.units[unit]
    movement, kind = world.movement, world.movement.mode(mode)
    if movement.why_not_begin(at, unit, source, kind):
        return CLOSED
    arm = kind.arm or counter.arm
    price = world.chart.arms[arm].links.get(kind.along, CLOSED) if kind.along else world.chart.entry(world.board, arm, source)
    surcharge = at.state.layout.enter[counter.side][world.board.index(source)]
    if CLOSED in (price, surcharge):
        return CLOSED
    if price == ALL:
        return CLOSED if movement.bars_whole(0, surcharge) else movement.allowance(at, unit) * 2
    return min(price + surcharge, CLOSED)


def entry_reach(at: Position[HexState, HexWorld], unit: str, source: str, mode: str = "") -> Reach | None:
    """How far a unit gets that comes in through a hex; None if it cannot come in there."""
    movement = at.world.movement
    budget, price = movement.allowance(at, unit) * 2, entry_price(at, unit, source, mode)
    if not budget or price > budget:
        return None
    return movement.reach_from(at, unit, at.world.board.index(source), budget - price, movement.mode(mode), fresh=False)


class Entries(ActionSet):
    """Every hex in which a unit may end that comes in, by each way of moving and each entry hex; listed only when asked for.

    Args:
        step: the step that offers them.
        at: the position.
        unit: a unit that waits.
    """

    __slots__ = ("_at", "_step", "_unit")

    def __init__(self, step: Entering, at: Position[HexState, HexWorld], unit: str) -> None:
        self._step = step
        self._at = at
        self._unit = unit

    def _ends(self, source: str, mode: str) -> list[str]:
        at, unit = self._at, self._unit
        reached = entry_reach(at, unit, source, mode)
        if reached is None:
            return []
        return [*([source] if has_room(at, unit, source) else []), *at.world.movement.ends(at, unit, reached)]

    def __iter__(self) -> Iterator[Action]:
        for mode in self._at.world.movement.modes:
            for source in self._step.hexes:
                yield from [Enter(self._unit, to, source, mode.name) for to in self._ends(source, mode.name)]

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        mine = isinstance(action, Enter) and action.unit == self._unit
        return action if mine and self.why_not(action) is None else None

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        if not isinstance(action, Enter):
            return None
        at, unit, source, target = self._at, self._unit, action.source, action.to
        world, movement = at.world, at.world.movement
        if source not in self._step.hexes:
            why = f"{unit} may not come in at {source}; only at {', '.join(self._step.hexes)}"
            return against(at, f"{self._step.about}.hex", why)
        if target not in world.board:
            return against(at, "move", f"there is no hex {target} on the map")
        try:
            mode = movement.mode(action.mode)
        except UnknownName as error:
            return against(at, "move", str(error))
        side, points = world.units[unit].side, movement.allowance(at, unit)
        for label in (source, target):
            holder = occupant(at, label)
            if holder not in (None, side):
                return against(at, "move.enemy", f"{label} is occupied by {holder}")
        if why_not := movement.why_not_begin(at, unit, source, mode):
            return why_not
        reached = entry_reach(at, unit, source, mode.name)
        if reached is None:
            price = entry_price(at, unit, source, mode.name)
            ask = f"it is closed to {world.units[unit].arm}" if price == CLOSED else f"that costs {price / 2:g}"
            return against(at, "move.cost", f"{unit} cannot come in at {source} with {points} points: {ask}")
        if action.path:
            if action.path[0] != source or action.path[-1] != target:
                return against(at, "move", f"the way of {unit} leads from {source} to {target}")
            if why_not := movement.why_not_along(at, unit, action.path, reached.budget, mode, fresh=False):
                return why_not
        elif world.board.index(target) not in reached:
            if mode.along and not world.board.has_link(target, mode.along):
                return against(at, f"{mode.topic}.way", f"{mode.name} movement stays on a {mode.along}, and {target} has none")
            message = f"{target} is out of reach of {unit} with the {reached.budget / 2:g} points that it has left at {source}"
            return against(at, mode.topic if mode.name else "move.cost", message)
        return world.stacking.why_not(at, unit, target)

    def sample(self, chance: RandomSource) -> Action:
        """Any entry hex, any way of moving, any end; if that leads nowhere, any of all."""
        mode, source = pick(self._at.world.movement.modes, chance).name, pick(self._step.hexes, chance)
        found = self._ends(source, mode)
        return Enter(self._unit, pick(found, chance), source, mode) if found else pick(tuple(self), chance)


@record
class Entering(OneByOne):
    """Units that may come in now, one by one; those that do not wait where they are."""

    kind = "entering"
    topic: ClassVar[str] = "entering"
    hexes: tuple[str, ...]
    """Where they may come in."""
    limit: int = 999
    """How many may still come in."""
    about: str = "entering"
    """The topic under which they come in."""

    def rule(self, at: Position[HexState, HexWorld]) -> str:
        """The clause on why they come in."""
        return at.world.clause(self.about)

    def waiting(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """The units that are still in a box, while any may come in."""
        if self.limit <= 0:
            return ()
        places, board = at.state.locations, at.world.board
        return tuple([unit for unit in self.units if unit in places and places[unit] not in board])

    def deciders(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """The owner, while a unit can come in; nearly always the first look shows that."""
        waiting = self.waiting(at)
        return (self.seat,) if any(self._finds_room(at, unit) or self.choices(at, unit) for unit in waiting) else ()

    def _finds_room(self, at: Position[HexState, HexWorld], unit: str) -> bool:
        """Whether a unit can stop where it comes in, by normal movement."""
        budget = at.world.movement.allowance(at, unit) * 2
        return budget > 0 and any(has_room(at, unit, label) and entry_price(at, unit, label) <= budget for label in self.hexes)

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """Who may come in, where, and how many."""
        waiting = self.waiting(at)
        count = f", {self.limit} of them" if self.limit < len(waiting) else ""
        return f"Bring units in at {', '.join(self.hexes)}{count}: {', '.join(waiting)}."

    def choices(self, at: Position[HexState, HexWorld], unit: str) -> ActionSet:
        """Every hex in which its move may end, by each way of moving and each entry hex."""
        return Entries(self, at, unit)

    def act(self, play: Play[HexState, HexWorld], action: Enter) -> None:
        """Place it in the entry hex and move it on."""
        board, unit, source = play.world.board, action.unit, action.source
        reached = entry_reach(play, unit, source, action.mode)
        assert reached is not None
        path = action.path or [board.label(i) for i in reached.path(board.index(action.to))]
        play.emit(UnitPlaced(unit, source, clause=play.world.clause(self.about)))
        enter_hexes(play, unit, (source,))
        # A reaction to the arrival may have taken the unit away.
        if len(path) > 1 and play.state.locations.get(unit) == source:
            play.world.movement.go(play, unit, path, action.mode)

    def strike_off(self, play: Play[HexState, HexWorld], unit: str) -> None:
        """The unit has come in."""
        play.replace(replace(self, units=tuple(other for other in self.units if other != unit), limit=self.limit - 1))

    def why_not_now(self, at: Position[HexState, HexWorld], action: UnitAction) -> Refusal | None:
        """Why a unit is not among those that come in."""
        if self.limit <= 0:
            return against(at, f"{self.about}.limit", "no more units may come in now")
        return against(at, self.about, f"{action.unit} does not wait to come in")
