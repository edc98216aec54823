"""16: river units. They stand on hexsides, sail along navigable ones, and take part in fights on the banks.

A hexside is named by its two hexes, as "1722|1723". Who is aboard a river unit is where it is (18.7.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, reduce
from itertools import pairwise
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar

from hexwar.board import Board
from hexwar.engine import Action, ActionSet, Explained, Part, Play, Position, PublicEvent, Step, record
from hexwar.errors import Refusal
from hexwar.pieces import Manner, OneByOne, UnitAction, eliminate, lose_step
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER
from hexwar_wop.homeward import homeward
from hexwar_wop.transport import aboard

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At = Position[WopState, WopWorld]
    Doing = Play[WopState, WopWorld]

NAVIGABLE, COURSE = "navigable", "course "
"""16.1.b: the feature of the hexsides on which river units move, and how the names of areas begin that list them downstream."""

Way = tuple[str, ...]
"""The hexsides of a way, the first one included."""


def name_of(one: str, other: str) -> str:
    """The name of the hexside between two hexes."""
    return f"{min(one, other)}|{max(one, other)}"


def navigable(board: Board) -> dict[str, frozenset[object]]:
    """16.1.b: hexside -> its two corners, for all on which river units move, in the order of their names."""
    found = {}
    for side, features in board.content.sides.items():
        one, other = (board.at(hex) for hex in side.hexes)
        if NAVIGABLE in features and one and other:
            found[name_of(one, other)] = frozenset(side.vertices)
    return dict(sorted(found.items()))


def is_afloat(at: Position, piece: str) -> bool:
    """Whether a piece is on a river: a river unit, or aboard one."""
    return at.state.locations.get(piece, "") in at.world.river.sides


def present(at: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of some pieces that are on the map or on its rivers, in the same order."""
    places, hexes, sides = at.state.locations, at.world.board.indices, at.world.river.sides
    return tuple([unit for unit in units if (place := places.get(unit)) in hexes or place in sides])


def boats(at: Position, side: str) -> tuple[str, ...]:
    """The river units of a side that are on a river."""
    places, sides = at.state.locations, at.world.river.sides
    return tuple([unit for unit in at.world.river.units[side] if places.get(unit) in sides])


class WopRivers(Part):
    """16.1 to 16.5: the net of navigable hexsides, and what river units do on it."""

    world: WopWorld

    @cached_property
    def sides(self) -> Mapping[str, frozenset[object]]:
        """16.1.a, 16.1.b: every navigable hexside -> its corners."""
        return navigable(self.world.board)

    @cached_property
    def units(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> its river units, wherever they are."""
        counters = self.world.units
        return {
            side: tuple(unit for unit, counter in counters.items() if counter.side == side and counter.arm == RIVER)
            for side in self.world.sides
        }

    @cached_property
    def next(self) -> Mapping[str, tuple[str, ...]]:
        """Hexside -> the navigable ones that share a corner with it."""
        sides = self.sides
        return {one: tuple(other for other in sides if other != one and sides[one] & sides[other]) for one in sides}

    @cached_property
    def _feet(self) -> Mapping[str, object]:
        """Hexside -> the corner at its lower end, for those of which the map says which way the water runs."""
        board, feet, sides = self.world.board, {}, self.sides
        for area, labels in board.areas.items():
            if not area.startswith(COURSE):
                continue
            course: list[str] = []
            for number, label in enumerate(labels[1:], 1):
                before = [other for other in labels[:number] if board.adjacent(label, other) and name_of(label, other) in sides]
                course += [name_of(label, before[-1])] if before else []
            for one, other in pairwise(course):
                [feet[one]] = sides[one] & sides[other]
            if len(course) > 1:
                [feet[course[-1]]] = sides[course[-1]] - sides[course[-2]]
        return feet

    def is_upstream(self, here: str, there: str) -> bool:
        """16.3.b: whether a step leads up the river: into a hexside by its lower end."""
        return self._feet.get(there) in self.sides[here] & self.sides[there]

    # -- who is at the banks

    @cached_property
    def ground(self) -> Mapping[str, int]:
        """Hex -> its mask; navigable hexside -> that of its banks."""
        board = self.world.board
        return {label: 1 << i for label, i in board.indices.items()} | {side: board.mask(self.banks(side)) for side in self.sides}

    @cached_property
    def shores(self) -> Mapping[str, int]:
        """16.4.2: navigable hexside -> the mask of its banks and the hexes next to them."""
        return {side: self.ground[side] | reduce(or_, map(self.world.board.around, self.banks(side))) for side in self.sides}

    @staticmethod
    def banks(side: str) -> list[str]:
        """16.4.2: the hexes at which a river unit on a hexside stands: both."""
        return side.split("|")

    def foes(self, at: At, side: str, unit_side: str) -> int:
        """14.29.a: how many land units of the enemy stand at a hexside."""
        units, [enemy] = self.world.units, self.world.enemies(unit_side)
        stacks = at.state.layout.stacks
        return sum(
            units[unit].side == enemy and units[unit].arm not in (HEADQUARTERS, AIR)
            for bank in self.banks(side)
            for unit in stacks.get(bank, ())
        )

    def is_held(self, at: At, side: str, unit_side: str) -> bool:
        """Whether an enemy river unit lies on a hexside, which no unit passes then."""
        units = self.world.units
        return any(units[unit].side != unit_side for unit in at.state.layout.stacks.get(side, ()))

    # -- 16.1 to 16.3 how far a river unit gets

    def points(self, at: At, unit: str) -> int:
        """16.3.a: its movement points, less what loading has cost it (18.2.b)."""
        return max(0, self.world.movement.own_allowance(at, unit) - at.state.spent.get(unit, 0))

    def reach(self, at: At, unit: str, points: int) -> dict[str, Way]:
        """16.1.a, 16.2, 16.3.a, 16.3.b: hexside -> the way to it; enemy zones are nothing to a river unit."""
        [enemy] = self.world.enemies(self.world.units[unit].side)
        others = tuple([at.state.locations[boat] for boat in boats(at, enemy)])
        kept, key = at.state.layout.lines, ("reach", at.state.locations[unit], points, others)
        found: dict[str, Way] | None = kept.get(key)
        if found is None:
            found = kept[key] = self._reach(at, unit, points)
        return found

    def _reach(self, at: At, unit: str, points: int) -> dict[str, Way]:
        start, side = at.state.locations[unit], self.world.units[unit].side
        found: dict[str, Way] = {start: (start,)}
        queue, upstream = [start], {start: False}
        for here in queue:
            for there in self.next[here]:
                if there in found or self.is_held(at, there, side):
                    continue
                up = upstream[here] or self.is_upstream(here, there)
                if len(found[here]) <= points - up:
                    found[there], upstream[there] = (*found[here], there), up
                    queue.append(there)
        del found[start]
        return found

    def sails(self, at: At, unit: str) -> dict[str, Way]:
        """Where a river unit can go; 9.21.a: without command only nearer to it, and no farther than that."""
        found = self.reach(at, unit, self.points(at, unit))
        if unit not in at.state.no_command:
            return found
        far = self._from_command(at, unit)
        lost = len(self.sides)
        return {end: way for end, way in found.items() if all(far.get(b, lost) < far.get(a, lost) for a, b in pairwise(way))}

    def _from_command(self, at: At, unit: str) -> dict[str, int]:
        """Hexside -> how far along the river it is to one with a bank in the range of a headquarters."""
        goals, _, _ = homeward(at, unit)
        index = self.world.board.index
        found = {side: 0 for side in self.sides if any(goals >> index(bank) & 1 for bank in self.banks(side))}
        queue = list(found)
        for here in queue:
            for there in self.next[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    def why_not_sail(self, at: At, unit: str, to: str) -> Refusal | None:
        """Why a river unit cannot go to a hexside."""
        if to not in self.sides:
            return Refusal.against("16.1.a", f"{to} is no navigable hexside")
        points = self.points(at, unit)
        if to not in self.reach(at, unit, points):
            if to in self.reach(at, unit, points + 1):
                return Refusal.against("16.3.b", f"{to} is out of reach of {unit}, which has a point less up the river")
            return Refusal.against("16.3.a", f"{to} is out of reach of {unit} with {points} points along the river")
        if to not in self.sails(at, unit):
            return Refusal.against("9.21.a", f"{unit} has no command and may only move towards it")
        return None

    # -- 3.5 supply

    def is_supplied(self, at: At, unit: str) -> bool:
        """3.5: whether the river leads to a base, past no enemy river unit and not between enemies on both banks."""
        board, side, start = self.world.board, self.world.units[unit].side, at.state.locations[unit]
        bases = self.world.supply.source_masks[side]
        [enemy] = self.world.enemies(side)
        hostile = self.world.supply.troops(at, enemy)
        queue, seen = [start], {start}
        for here in queue:
            if any(bases >> board.index(bank) & 1 for bank in self.banks(here)):
                return True
            for there in self.next[here]:
                shut = all(hostile >> board.index(bank) & 1 for bank in self.banks(there))
                if there not in seen and not shut and not self.is_held(at, there, side):
                    seen.add(there)
                    queue.append(there)
        return False

    # -- 10.2.3.b zones

    def guarded(self, at: At, side: str) -> frozenset[tuple[int, int]]:
        """10.2.3.b: the steps, by index and direction, over hexsides of enemy river units and those next to them."""
        [enemy] = self.world.enemies(side)
        return self._guards(tuple([at.state.locations[boat] for boat in boats(at, enemy)]) if self.units[enemy] else ())

    def _guards(self, places: tuple[str, ...]) -> frozenset[tuple[int, int]]:
        found = self._known.get(places)
        if found is None:
            board = self.world.board
            watched = {side for place in places for side in (place, *self.next[place])}
            steps = [(a, b) for side in watched for a, b in (self.banks(side), self.banks(side)[::-1])]
            found = self._known[places] = frozenset((board.index(a), board.direction(a, b)) for a, b in steps)
        return found

    @cached_property
    def _known(self) -> dict[tuple[str, ...], frozenset[tuple[int, int]]]:
        return {}

    # -- 16.4 fights

    def why_not_attack(self, at: At, unit: str, target: str) -> Refusal | None:
        """16.4.1, 16.4.2: it supports attacks on riverside hexes to which one of its banks is next, crossings included."""
        banks, board = self.banks(at.state.locations[unit]), self.world.board
        if not any(name_of(target, near) in self.sides for near in board.neighbours(target)):
            return Refusal.against("16.4.2", f"{target} does not lie on a navigable river")
        if any(bank == target or board.adjacent(bank, target) for bank in banks):
            return None
        return Refusal.against("16.4.2", f"{unit} does not lie next to {target}")

    def defends(self, at: At, unit: str, target: str, origins: Iterable[str]) -> str:
        """The clause by which a river unit takes part in the defence of a hex, or "".

        16.4.2: it lies at the hex. 16.4.1: a unit attacks over its hexside, or over one next to it.
        """
        here = at.state.locations[unit]
        crossed = {name_of(origin, target) for origin in origins}
        if crossed & {here, *self.next[here]}:
            return "16.4.1"
        return "16.4.2" if target in self.banks(here) else ""

    # -- 14.29 retreats

    def ways_out(self, at: At, unit: str, hexes: int) -> list[Way]:
        """14.29.a: the ways of a retreat, along the river and past no more than one enemy land unit at a time."""
        side = self.world.units[unit].side
        ways: list[Way] = [(at.state.locations[unit],)]
        for _ in range(hexes):
            ways = [
                (*way, there)
                for way in ways
                for there in self.next[way[-1]]
                if there not in way and not set(self.next[there]).intersection(way[:-1])
                and not self.is_held(at, there, side) and self.foes(at, there, side) < 2
            ]  # fmt: skip
        return ways


# -- events ---------------------------------------------------------------------------------------------------------------


@record
class Sailed(PublicEvent[Any]):
    """A river unit went along hexsides, with everybody aboard."""

    kind = "sailed"
    unit: str
    path: tuple[str, ...]
    cargo: tuple[str, ...] = ()
    manner: Manner = Manner.MOVES

    def apply(self, state: WopState) -> None:
        """Put them at the end of the way."""
        for piece in (self.unit, *self.cargo):
            state.put(piece, self.path[-1])

    def __str__(self) -> str:
        told = f"{self.unit} {self.manner} along the river from {self.path[0]} to {self.path[-1]}"
        return f"{told} with {', '.join(self.cargo)}" if self.cargo else told


@record
class Sail(UnitAction):
    """Let a river unit go to a hexside."""

    kind = "sail"
    says = "{unit} sails to {to}"
    to: str


def sail(play: Doing, unit: str, way: Way, clause: str, manner: Manner = Manner.MOVES) -> None:
    """A river unit goes along a way, with everybody aboard."""
    play.emit(Sailed(unit, way, aboard(play, unit), manner, clause=clause))


def sailing(at: At, unit: str) -> ActionSet:
    """16.1 to 16.3: the moves of a river unit."""
    ways = at.world.river.sails(at, unit)
    return Explained([Sail(unit, end) for end in sorted(ways)], lambda it: at.world.river.why_not_sail(at, unit, it.to), Sail)


# -- 14.29, 16.5 after a fight ----------------------------------------------------------------------------------------------


@record
class Drifting(OneByOne):
    """14.29.a, 13.12: river units fall back along the river."""

    kind = "drifting"
    says = "{waiting} fall back along the river by {hexes}."
    clause: ClassVar[str] = "14.29.a"
    may_stop = False
    hexes: int
    beaten: bool = True
    """18.10: whether they must, so that who is aboard suffers; in reaction they do as they like."""

    def waiting(self, at: Position) -> tuple[str, ...]:
        """Those that have not gone yet."""
        return tuple(unit for unit in self.units if is_afloat(at, unit))

    def ways(self, at: Position, unit: str) -> dict[str, Way]:
        """Hexside -> the way to it."""
        return {way[-1]: way for way in at.world.river.ways_out(at, unit, self.hexes)}

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, as soon as every one that is left has a choice."""
        waiting = self.waiting(at)
        return (self.seat,) if waiting and all(len(self.ways(at, unit)) > 1 for unit in waiting) else ()

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Its ways."""
        why = Refusal.against("14.29.a", f"{unit} falls back by {self.hexes} along the river, past no more than one enemy unit")
        return Explained([Sail(unit, end) for end in sorted(self.ways(at, unit))], lambda action: why, Sail)

    def act(self, play: Play, action: Sail) -> None:
        """14.29.b: go; each enemy unit on the way may cost a level."""
        unit, way = action.unit, self.ways(play, action.unit)[action.to]
        river: WopRivers = play.world.river
        side = play.world.units[unit].side
        watched = [place for place in way[1:] if river.foes(play, place, side)]
        sail(play, unit, way, "14.29.a", Manner.RETREATS)
        for piece in aboard(play, unit) if self.beaten else ():
            if not play.world.units[piece].level:
                lose_step(play, piece, "transport.retreat")
        low, high = play.world.printed.tables.passing.river_unit_eliminated_or_weakened
        for place in watched:
            if not is_afloat(play, unit):
                return
            if low <= play.roll(f"{unit} runs past {place}", clause="14.29.b", sides=10, lowest=0) <= high:
                lose_step(play, unit, "retreat.river")

    def resume(self, play: Play) -> None:
        """Do what needs no decision; 14.26: who has no way is lost."""
        waiting = self.waiting(play)
        if not waiting:
            play.pop()
            return
        unit = next(unit for unit in waiting if len(self.ways(play, unit)) < 2)
        play.replace(replace(self, units=tuple(other for other in self.units if other != unit)))
        ends = [*self.ways(play, unit)]
        if ends:
            self.act(play, Sail(unit, ends[0]))
        else:
            eliminate(play, unit, "retreat.none")


@record
class Cruising(OneByOne):
    """16.5: river units that forced a retreat pursue along the river as they like."""

    kind = "cruising"
    says = "Pursue along the river with {waiting}?"
    clause: ClassVar[str] = "16.5"
    points: int

    def waiting(self, at: Position) -> tuple[str, ...]:
        """Those that have not gone yet."""
        return tuple(unit for unit in self.units if is_afloat(at, unit))

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every hexside within its points."""
        ends = sorted(at.world.river.reach(at, unit, self.points))
        why = Refusal.against("16.5", f"{unit} does not get there with {self.points} points of pursuit")
        return Explained([Sail(unit, end) for end in ends], lambda action: why, Sail)

    def act(self, play: Play, action: Sail) -> None:
        """Go."""
        sail(play, action.unit, play.world.river.reach(play, action.unit, self.points)[action.to], "16.5", Manner.PURSUES)


RIVER_ACTIONS: tuple[type[Action], ...] = (Sail,)
RIVER_STEPS: tuple[type[Step], ...] = (Drifting, Cruising)
RIVER_EVENTS: tuple[type[PublicEvent[Any]], ...] = (Sailed,)
