"""Moving: the segment in which units move one by one, and the moves that are offered.

Units move at once, or walk hex by hex: others may interrupt after each hex, and the unit continues with its remaining points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from hexwar.board import Reach
from hexwar.engine import Action, ActionSet, Listed, Play, Position, RandomSource, pick, record
from hexwar.engine._once import once
from hexwar.engine._records import Json
from hexwar.errors import Refusal
from hexwar.mechanics._movement import Movement
from hexwar.mechanics._pieces import has_room
from hexwar.mechanics._reaches import Reaches
from hexwar.mechanics._through import ways_through
from hexwar.mechanics._why_not_move import price_or_refusal, why_not_move
from hexwar.pieces._pieces import stands
from hexwar.pieces._steps import Done, OneByOne, TopicStep, UnitAction, against

TRIES = 12
"""How often a sample looks for a hex with room before it makes the list."""


@record
class Move(UnitAction):
    """Move a unit to a hex, by the cheapest way or by one that its owner chooses."""

    kind = "move"
    way = "path"
    to: str
    mode: str = ""
    """The way of moving, if it is not the normal one."""
    path: tuple[str, ...] = ()
    """Every hex of the way, from the unit's own to the last, if it is not the cheapest."""

    def __str__(self) -> str:
        by = f" by {', '.join(self.path[1:-1])}" if self.path else ""
        return f"move {self.unit} to {self.to}{by}{f' ({self.mode})' * bool(self.mode)}"

    def __repr__(self) -> str:
        told = {"unit": self.unit, "to": self.to, "mode": self.mode, "path": self.path}
        return f"Move({', '.join(f'{name}={value!r}' for name, value in told.items() if value)})"

    def to_json(self) -> dict[str, Json]:
        """With mode and path only where they say something."""
        told: dict[str, Json] = {"kind": self.kind, "unit": self.unit, "to": self.to}
        if self.mode:
            told["mode"] = self.mode
        if self.path:
            told["path"] = list(self.path)
        return told


class Moves(ActionSet):
    """The moves of a unit. It contains every move that `why_not_move` does not refuse, whatever way it takes.

    Listed are the moves by the cheapest way, normal ones first, and detours by places that the unit would take. Sampling and
    asking for one move work out no more than the reach; only a caller that lists them pays for the list.

    Args:
        at: the position.
        unit: a unit on the board.
    """

    __slots__ = ("_at", "_movement", "_search", "_unit")

    complete = False

    def __init__(self, at: Position, unit: str) -> None:
        self._at = at
        self._unit = unit
        self._movement: Movement = at.world.movement
        self._search: Reaches = at.world.reaches

    def _reaches(self) -> Iterator[tuple[str, Reach]]:
        at, unit = self._at, self._unit
        if self._movement.allowance(at, unit):
            for mode in self._movement.modes_of(at, unit):
                yield mode.name, self._search.reach_by(at, unit, mode)

    @once
    def _rows(self) -> list[tuple[str, Reach, int, list[tuple[str, ...]]]]:
        """For each way of moving, its reach, the mask of the hexes in which a move may end, and the detours."""
        at, unit, reaches = self._at, self._unit, self._search
        return [
            (mode, found, reaches.open_ends(at, unit, found), [] if mode else list(reaches.detours(at, unit, found)))
            for mode, found in self._reaches()
            if len(found) > 1
        ]

    def __iter__(self) -> Iterator[Action]:
        board = self._at.world.board
        for mode, found, ends, detours in self._rows:
            yield from [Move(self._unit, to, mode) for to in found.named(board, ends)]
            yield from [Move(self._unit, path[-1], path=path) for path in detours]

    def count(self) -> int:
        """See `ActionSet.count`."""
        number = 0
        for _, _, ends, detours in self._rows:
            number += ends.bit_count() + len(detours)
        return number

    def nth(self, index: int) -> Action:
        """See `ActionSet.nth`."""
        for mode, _, ends, detours in self._rows:
            number = ends.bit_count()
            if index < number:
                self._handed_out = made = Move(self._unit, self._at.world.board.nth(ends, index), mode)
                return made
            index -= number
            if index < len(detours):
                self._handed_out = made = Move(self._unit, detours[index][-1], path=detours[index])
                return made
            index -= len(detours)
        raise IndexError(index)

    def example(self) -> Action:
        """The first of all, but without the others and the detours."""
        at, unit = self._at, self._unit
        mode, found = next(self._reaches(), ("", None))
        for to in self._search.ends(at, unit, found) if found else ():
            return Move(unit, to, mode)
        return super().example()

    def lists(self, action: Action) -> bool:
        """See `ActionSet.lists`."""
        if not isinstance(action, Move) or self.find(action) is None:
            return False
        return not action.path or any(action.path in detours for mode, *_, detours in self._rows if mode == action.mode)

    def __bool__(self) -> bool:
        at, unit, label = self._at, self._unit, self._at.world.board.label
        for _, found in self._reaches():
            if any(i != found.start and has_room(at, unit, label(i)) for i in found):
                return True
        return next(iter(self), None) is not None

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        if self.is_handed_out(action):
            return action
        board = self._at.world.board
        if not isinstance(action, Move) or action.unit != self._unit or action.to not in board:
            return None
        same = board.label(board.index(action.to)) == action.to  # or another label of the same hex
        return Move(self._unit, action.to, action.mode, action.path) if same and self.why_not(action) is None else None

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        if not isinstance(action, Move):
            return None
        return why_not_move(self._at, self._unit, action.to, action.mode, action.path)

    def through(self, places: Sequence[str]) -> ActionSet:
        """See `ActionSet.through`; in each way of moving in which the unit gets there."""
        made: list[Action] = []
        refusals: list[Refusal] = []
        for mode, found in self._reaches():
            ways = ways_through(self._at, self._unit, found, self._movement.mode(mode), places)
            if isinstance(ways, Refusal):
                refusals.append(self.why_not(Move(self._unit, places[0], mode)) or ways)
            else:
                made += [Move(self._unit, way[-1], mode, way) for way in ways]
        if not made and refusals:
            raise refusals[0]
        return Listed(made)

    def sample(self, chance: RandomSource) -> Action:
        """Any way of moving, any hex in reach; then, where detours lead on from it, perhaps one of those."""
        self._handed_out = made = self._sample(chance)
        return made

    def _sample(self, chance: RandomSource) -> Action:
        at, unit, movement, search = self._at, self._unit, self._movement, self._search
        if not movement.allowance(at, unit):
            raise LookupError("nothing is offered")
        modes = movement.modes_of(at, unit)
        picked = pick(modes, chance)
        mode, found = picked.name, search.reach_by(at, unit, picked)
        if len(found) == 1:  # that way leads nowhere, another may
            reaches = [(other.name, found if other is picked else search.reach_by(at, unit, other)) for other in modes]
            mode, found = max(reaches, key=lambda entry: len(entry[1]))
        prizes = frozenset() if mode else movement.prizes(at)
        for _ in range(TRIES):
            i = next(islice(found, chance.randrange(len(found)), None))
            label = at.world.board.label(i)
            if i in prizes and chance.randrange(2):
                onward = tuple(search.detours(at, unit, found, i))
                if onward:
                    path = pick(onward, chance)
                    return Move(unit, path[-1], path=path)
            if i != found.start and has_room(at, unit, label):
                return Move(unit, label, mode)
        return pick(tuple(self), chance)


@record
class Moving(OneByOne):
    """The movement segment: activated units move one at a time, each once, in any order."""

    kind = "moving"
    shows = ("reach",)
    says = "Move units: {waiting}."
    topic = "move"
    title = "Move your units"
    ending = "End movement"

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The side that was activated; whether a unit can move at all is computed on demand."""
        places, hexes = at.state.locations, at.world.board.indices
        for unit in self.units:
            if places.get(unit) in hexes:
                return (self.seat,)
        return ()

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every hex in which its move may end, normally and with detours, then in each other way of moving."""
        return Moves(at, unit)

    def cost(self, at: Position, action: Action) -> float | None:
        """The movement points of the cheapest way; that of a detour is the owner's own."""
        if not isinstance(action, Move) or action.path:
            return None
        half_points: int = at.world.reaches.reach(at, action.unit, action.mode)[at.world.board.index(action.to)]
        return half_points / 2

    def why_not_now(self, at: Position, action: UnitAction) -> Refusal | None:
        """Only what was activated moves, and once."""
        return against(at, "activation", f"{action.unit} is not active or has moved already")

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Let the unit act, by the way that is the cheapest as it was offered."""
        if isinstance(action, Move) and not action.path:
            path = play.world.reaches.way(play, action.unit, action.to, action.mode)
            action = Move(action.unit, action.to, action.mode, tuple(path))
        OneByOne.perform(self, play, seat, action)

    def strike_off(self, play: Play, unit: str) -> None:
        """The unit has moved."""
        play.replace(type(self)(self.seat, tuple([other for other in self.units if other != unit])))

    def act(self, play: Play, action: Move) -> None:
        """Move it."""
        movement: Movement = play.world.movement
        path = action.path or play.world.reaches.way(play, action.unit, action.to, action.mode)
        movement.go(play, action.unit, path, action.mode)


# -- hex by hex ------------------------------------------------------------------------------------------------------------


class WalkingMovement(Movement):
    """Units walk: each hex is an event of its own, and after each the others may act."""

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """Begin to walk."""
        seat = play.world.seat_for(self.world.units[unit].side, unit)
        points = play.world.reaches.points(play, unit, self.mode(mode))
        play.push(Walking(seat, unit, tuple(path[1:]), points, mode))

    def hop(self, play: Play, unit: str, origin: str, target: str, mode: str = "") -> None:
        """A unit has entered a hex and may go on; steps that are pushed here come first, such as a shot of the enemy."""


@record
class Walking(TopicStep):
    """A unit on its way."""

    kind = "walking"
    topic = "move"
    seat: str
    unit: str
    path: tuple[str, ...]
    """The hexes that it is still to enter."""
    left: int
    """The half points that it has left."""
    mode: str = ""
    begun: bool = False

    def _goes_on(self, at: Position, path: Sequence[str]) -> int | Refusal:
        """What the next hex costs, or why the unit cannot enter it now."""
        return self.price(at, at.state.locations[self.unit], path[0], self.left, fresh=not self.begun)

    def price(self, at: Position, origin: str, target: str, left: int, *, fresh: bool) -> int | Refusal:
        """What a step on its way costs the unit with some half points left, or why it cannot take it."""
        return price_or_refusal(at, self.unit, origin, target, left, at.world.movement.mode(self.mode), fresh=fresh)

    def _reach(self, at: Position) -> Reach:
        reaches: Reaches = at.world.reaches
        start, mode = at.world.board.index(at.state.locations[self.unit]), at.world.movement.mode(self.mode)
        return reaches.reach_from(at, self.unit, start, self.left, mode, fresh=not self.begun)

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if the chosen way is closed now."""
        is_stopped = self.path and stands(at, self.unit) and isinstance(self._goes_on(at, self.path), Refusal)
        return (self.seat,) if is_stopped else ()

    def prompt(self, at: Position, seat: str) -> str:
        """Where it stands."""
        return f"{self.unit} is stopped in {at.state.locations[self.unit]} with {self.left / 2:g} points left. Where does it go?"

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Stay, or go on to any hex that is still in reach."""
        stay = [Done()] if has_room(at, self.unit, at.state.locations[self.unit]) else []
        ends = at.world.reaches.ends(at, self.unit, self._reach(at))
        return Listed([*stay, *(Move(self.unit, to, self.mode) for to in ends)])

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Stop, or take another way."""
        path: tuple[str, ...] = ()
        if isinstance(action, Move):
            board = play.world.board
            path = tuple(board.label(i) for i in self._reach(play).path(board.index(action.to))[1:])
        play.replace(replace(self, path=path))

    def resume(self, play: Play) -> None:
        """Enter the next hex, or arrive."""
        if not self.path or not stands(play, self.unit):
            play.pop()
            return
        origin, target = play.state.locations[self.unit], self.path[0]
        cost = self._goes_on(play, self.path)
        assert isinstance(cost, int)
        play.replace(replace(self, path=self.path[1:], left=self.left - cost, begun=True))
        Movement.go(play.world.movement, play, self.unit, (origin, target), self.mode)
        self.hopped(play, origin, target)

    def hopped(self, play: Play, origin: str, target: str) -> None:
        """It has entered a hex: others may act."""
        play.world.movement.hop(play, self.unit, origin, target, self.mode)
