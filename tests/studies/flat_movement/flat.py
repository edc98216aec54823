"""The movement segment of the campaign as flat integers: what the README measures. No product code.

`Ground` is what never changes, `Flat` a position in plain Python over byte tables, `Native` the same in C (`flat.c`). Both offer
what the engine offers, in the same order, make a move, take it back, and make its events on demand.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hexwar.board import ALL, CLOSED
from hexwar.engine import Event, Game
from hexwar.mechanics import ControlTaken, Move, Moving
from hexwar.pieces import UnitMoved
from hexwar_ava.combat import FORTRESS

ROAD, PRIZE = 1, 2
NONE = 255
"""The control of a hex that is nobody's."""


class Offer(NamedTuple):
    """A move: by its cheapest way, or by a prize. Hexes are indices."""

    unit: int
    to: int
    strategic: bool
    via: int = -1


class Made(NamedTuple):
    """What a move changed, to take it back and to report it."""

    unit: int
    path: tuple[int, ...]
    strategic: bool
    taken: tuple[tuple[int, int], ...]
    """The places on its way that changed hands, and whose they were."""


@dataclass
class Ground:
    """What does not change in a segment: tables of one board and roster.

    Args:
        game: a campaign.
    """

    game: Game[Any, Any, Any]

    def __post_init__(self) -> None:
        world = self.game.world
        board, movement = world.board, world.movement
        assert not world.approaches, "18.1.9 is left out: the campaign does not have it"
        self.size, self.deltas, self.labels = board.size, board.deltas, board._label_of
        self.units = list(world.units)
        self.numbers = {unit: number for number, unit in enumerate(self.units)}
        self.sides = list(world.sides)
        self.side = bytes(self.sides.index(world.units[unit].side) for unit in self.units)
        self.body = bytes(world.units[unit].arm != FORTRESS for unit in self.units)
        self.limit = world.printed.numbers.stacking
        self.enter_zone, self.leave_zone = world.zones.enter, world.zones.leave
        kinds: dict[object, int] = {}
        self.prices: list[bytes] = []
        chosen: list[list[int]] = [[], []]
        for unit in world.units.values():
            for mode, numbers in zip(movement.modes, chosen, strict=True):
                arm = unit.arm if unit.arm in world.chart.arms else next(iter(world.chart.arms))  # a fortress never moves
                costs = world.reaches.costs(mode.arm or arm, "", unit.side)
                if costs not in kinds:
                    kinds[costs] = len(kinds)
                    self.prices.append(costs._packed)
                numbers.append(kinds[costs])
        self.costs = [bytes(numbers) for numbers in chosen]
        self.steps: list[dict[int, tuple[tuple[int, int], ...]]] = [{} for _ in self.prices]
        self.indices = tuple(range(self.size))
        flags, covers = bytearray(self.size), bytearray(self.size)
        for i in board.hexes:
            label = board.label(i)
            flags[i] = ROAD * board.has_link(label, "road") | PRIZE * (label in world.controlled)
            for near in board.neighbours(label):
                if world.zones.extends(label, near):
                    covers[i] |= 1 << board.direction(label, near)
        self.flags, self.covers = bytes(flags), bytes(covers)
        self.prizes = frozenset(i for i in board.hexes if flags[i] & PRIZE)
        self.rank = [0] * self.size
        for place, label in enumerate(sorted(board.labels)):
            self.rank[board.index(label)] = place

    def start(self, game: Game[Any, Any, Any]) -> tuple[list[int], bytes, bytes, list[int]]:
        """Where units stand, their allowances in half points, who controls what, who waits to move."""
        state, board, movement = game.state, game.world.board, game.world.movement
        places = [board.indices.get(state.locations.get(unit), -1) for unit in self.units]
        on_map = [unit if place >= 0 else "" for unit, place in zip(self.units, places, strict=True)]
        budgets = bytes(2 * movement.allowance(game.position, unit) if unit else 0 for unit in on_map)
        control = bytearray([NONE]) * self.size
        for label, side in state.control.items():
            control[board.index(label)] = self.sides.index(side) if side in self.sides else NONE
        step = state.stack[-1]
        assert isinstance(step, Moving)
        return places, budgets, bytes(control), [self.numbers[unit] for unit in step.waiting(game.position)]

    def action(self, offer: Offer, path: Sequence[int]) -> Move:
        """An offer as the engine's action, given its way."""
        by = tuple(self.labels[i] for i in path) if offer.via >= 0 else ()
        return Move(self.units[offer.unit], self.labels[offer.to], "strategic" * offer.strategic, by)

    def events(self, made: Made) -> list[Event]:
        """The events of a move, made when somebody wants to read them."""
        world, side = self.game.world, self.sides[self.side[made.unit]]
        mode = world.movement.modes[made.strategic]
        path = tuple(self.labels[i] for i in made.path)
        moved = UnitMoved(self.units[made.unit], path, mode=mode.name, clause=world.clause(mode.topic))
        places = [self.labels[i] for i, _ in made.taken]
        return [moved, *(ControlTaken(side, at, world.controlled[at], clause=world.clause("control")) for at in places)]


Found = tuple[dict[int, int], dict[int, int]]
"""Half points spent for each hex in reach, in the order of the search, and the hex before each."""


class Flat:
    """A position in the middle of a movement segment, in plain Python; with the compiled search of `hexwar.board`, if given."""

    def __init__(self, ground: Ground, start: tuple[list[int], bytes, bytes, list[int]], kernel: Any = None) -> None:
        places, self.budgets, control, self.waiting = start
        self.ground, self.control, self.kernel = ground, bytearray(control), kernel
        self.places = [-1] * len(places)
        tables = [[bytearray(ground.size) for _ in ground.sides] for _ in range(6)]
        self.zones, self.leave, self.enter, self.heads, self.bodies, self.forts = tables
        self.made: list[Made] = []
        self._reaches: list[dict[tuple[int, int, int, bool, bool], Found]] = [{}, {}]
        self._calm: list[bytearray | None] = [None, None]
        for unit, place in enumerate(places):
            if place >= 0:
                self._put(unit, place, 1)

    # Where units stand and what follows from it

    def _put(self, unit: int, i: int, change: int) -> None:
        """A unit stands in a hex (1), or no longer (-1)."""
        ground = self.ground
        side, body = ground.side[unit], ground.body[unit]
        self.places[unit] = i if change > 0 else -1
        self.heads[side][i] += change
        if body:
            self.bodies[side][i] += change
        else:
            self.forts[side][i] += change
            self._refresh(side, i)
        other, covers = 1 - side, ground.covers[i]
        self._refresh(other, i)
        zones = self.zones[other]
        for d, delta in enumerate(ground.deltas):
            if covers >> d & 1:
                zones[i + delta] = count = zones[i + delta] + change
                if count == (change > 0):
                    self._refresh(other, i + delta)

    def _refresh(self, side: int, i: int) -> None:
        """What a hex costs a side on top, now."""
        zone = self.zones[side][i] and not self.forts[side][i]
        leave = self.ground.leave_zone if zone else 0
        enter = CLOSED if self.heads[1 - side][i] else self.ground.enter_zone if zone else 0
        if leave != self.leave[side][i] or enter != self.enter[side][i]:
            self.leave[side][i], self.enter[side][i] = leave, enter
            self._reaches[side], self._calm[side] = {}, None

    # Offers

    def _search(self, unit: int, start: int, budget: int, strategic: bool, fresh: bool) -> Found:
        ground, side = self.ground, self.ground.side[unit]
        kind = ground.costs[strategic][unit]
        key = kind, start, budget, strategic, fresh
        known = self._reaches[side].get(key)
        if known is not None:
            return known
        prices, leave, enter = ground.prices[kind], self.leave[side], self.enter[side]
        if strategic:
            calm = self._calm[side]
            if calm is None:
                calm = self._calm[side] = enter.translate(CALM)
            enter = calm
        firsts = []
        if fresh and not leave[start] and ALL in prices[7 * start : 7 * start + 6]:
            around = zip(ground.deltas, prices[7 * start : 7 * start + 6], strict=True)
            firsts = [start + delta for delta, price in around if price == ALL and not enter[start + delta]]
        spent: dict[int, int] = {}
        came: dict[int, int] = {}
        if self.kernel:
            tables = prices, leave, enter, firsts, bytes(ground.size), 0, 0
            self.kernel.search(spent, came, ground.indices, start, budget, ground.deltas[2], *tables)
        else:
            self._plain_search(spent, came, start, budget, kind, leave, enter, firsts)
        found = self._reaches[side][key] = spent, came
        return found

    def _plain_search(
        self,
        spent: dict[int, int],
        came: dict[int, int],
        start: int,
        budget: int,
        kind: int,
        leave: bytearray,
        enter: bytearray,
        firsts: Sequence[int],
    ) -> None:
        ground, prices, steps = self.ground, self.ground.prices[kind], self.ground.steps[kind]
        best = bytearray([budget + 1]) * ground.size
        best[start] = 0
        buckets: list[list[int]] = [[] for _ in range(budget + 1)]
        buckets[0].append(start)
        for n in firsts:
            best[n] = budget
            came[n] = start
            buckets[budget].append(n)
        for cost, bucket in enumerate(buckets):
            for i in bucket:
                if best[i] != cost:
                    continue
                spent[i] = cost
                base = cost + leave[i]
                if base > budget:
                    continue
                onward = steps.get(i)
                if onward is None:
                    costs = zip(ground.deltas, prices[7 * i : 7 * i + 6], strict=True)
                    onward = steps[i] = tuple([(i + delta, price) for delta, price in costs if price < ALL])
                for n, price in onward:
                    total = base + price
                    if total < best[n]:
                        total += enter[n]
                        if total < best[n]:
                            best[n] = total
                            came[n] = i
                            buckets[total].append(n)

    def _room(self, unit: int, found: Found) -> list[int]:
        """The hexes of a reach in which a unit may end, its start apart, in the order of their labels."""
        bodies, most = self.bodies[self.ground.side[unit]], self.ground.limit - self.ground.body[unit]
        hexes = iter(found[0])
        next(hexes)
        return sorted([i for i in hexes if bodies[i] <= most], key=self.ground.rank.__getitem__)

    def rows(self, unit: int) -> list[tuple[bool, int, list[int]]]:
        """All moves of a unit, as the engine lists them: whether strategic, by which place, and where they end."""
        ground, start, budget, side = self.ground, self.places[unit], self.budgets[unit], self.ground.side[unit]
        if not budget:
            return []
        found = self._search(unit, start, budget, False, True)
        rows = [(False, -1, self._room(unit, found))]
        prizes = [i for i in ground.prizes.intersection(found[0]) if self.control[i] != side]
        for via in sorted(prizes, key=ground.rank.__getitem__):
            onward = self._search(unit, via, budget - found[0][via], False, False)
            passing = {via}
            for i in found[0]:  # every hex comes after the one that its path comes from
                if found[1].get(i) in passing:
                    passing.add(i)
            ends = [to for to in self._room(unit, onward) if to != start and to not in passing]
            if start in onward[0] and via != start:
                ends = sorted([*ends, start], key=ground.rank.__getitem__)
            rows.append((False, via, ends))
        if ground.flags[start] & ROAD and not (self.zones[side][start] and not self.forts[side][start]):
            rows.append((True, -1, self._room(unit, self._search(unit, start, budget, True, True))))
        return rows

    def offers(self, unit: int) -> list[Offer]:
        """The same, move by move."""
        return [Offer(unit, to, strategic, via) for strategic, via, ends in self.rows(unit) for to in ends]

    def path(self, offer: Offer) -> list[int]:
        """The way of a move."""
        unit, start, budget = offer.unit, self.places[offer.unit], self.budgets[offer.unit]
        found = self._search(unit, start, budget, offer.strategic, True)
        if offer.via < 0:
            return path_of(found, start, offer.to)
        onward = self._search(unit, offer.via, budget - found[0][offer.via], False, False)
        return path_of(found, start, offer.via) + path_of(onward, offer.via, offer.to)[1:]

    # Making moves

    def apply(self, offer: Offer) -> None:
        """Make a move that is offered."""
        path, unit, control = self.path(offer), offer.unit, self.control
        side, flags = self.ground.side[unit], self.ground.flags
        taken = tuple([(i, control[i]) for i in path[1:] if flags[i] & PRIZE and control[i] != side])
        self._put(unit, path[0], -1)
        self._put(unit, path[-1], 1)
        for i, _ in taken:
            control[i] = side
        self.made.append(Made(unit, tuple(path), offer.strategic, tuple(dict(taken).items())))

    def undo(self) -> None:
        """Take the last move back."""
        made = self.made.pop()
        self._put(made.unit, made.path[-1], -1)
        self._put(made.unit, made.path[0], 1)
        for i, owner in made.taken:
            self.control[i] = owner

    def play(self, dice: Sequence[int]) -> int:
        """Move every unit that waits, as the dice fall: a unit, then one of its moves. How many moved."""
        waiting, roll = self.waiting[:], iter(dice)
        before = len(self.made)
        while waiting:
            unit = waiting.pop(next(roll) % len(waiting))
            rows = self.rows(unit)
            count = sum([len(ends) for _, _, ends in rows])
            if count:
                index = next(roll) % count
                for strategic, via, ends in rows:
                    if index < len(ends):
                        self.apply(Offer(unit, ends[index], strategic, via))
                        break
                    index -= len(ends)
        return len(self.made) - before


CALM = bytes([0] + [CLOSED] * CLOSED)


def path_of(found: Found, start: int, i: int) -> list[int]:
    """The path of a search to a hex."""
    path = [i]
    while i != start:
        i = found[1][i]
        path.append(i)
    path.reverse()
    return path


class Native:
    """The same in C: one call offers a unit's moves, makes one, takes one back, or plays a whole segment."""

    def __init__(self, library: ctypes.CDLL, ground: Ground, start: tuple[list[int], bytes, bytes, list[int]]) -> None:
        places, budgets, control, waiting = start
        self.library, self.ground, self.waiting = library, ground, waiting
        prices = b"".join(ground.prices)
        ints = ctypes.c_int32
        self._kept = (ints * len(places))(*places), (ints * ground.size)(*ground.rank), prices, control, budgets
        library.flat_new.restype = ctypes.c_void_p
        self.state = ctypes.c_void_p(
            library.flat_new(
                ground.size, ground.deltas[2], len(places), ground.limit, ground.enter_zone, ground.leave_zone, ground.side,
                ground.body, budgets, ground.costs[0], ground.costs[1], prices, len(prices), ground.flags, ground.covers,
                self._kept[1], self._kept[0], control,
            )
        )  # fmt: skip
        self._room = 1 << 16
        self._buffer = (ints * (4 * self._room))()

    def __del__(self) -> None:
        self.library.flat_free(self.state)

    def offers(self, unit: int) -> list[Offer]:
        """All moves of a unit."""
        count = self.library.flat_offers(self.state, unit, self._buffer, self._room)
        rows = self._buffer[: 4 * count]
        return [Offer(rows[k], rows[k + 1], bool(rows[k + 2]), rows[k + 3]) for k in range(0, len(rows), 4)]

    def apply(self, offer: Offer) -> None:
        """Make a move that is offered."""
        self.library.flat_apply(self.state, offer.unit, offer.to, int(offer.strategic), offer.via)

    def undo(self) -> None:
        """Take the last move back."""
        self.library.flat_undo(self.state)

    @property
    def made(self) -> list[Made]:
        """The moves so far."""
        moves = []
        for number in range(self.library.flat_made(self.state)):
            count = self.library.flat_move(self.state, number, self._buffer)
            unit, strategic, steps, taken = self._buffer[:4]
            path, pairs = tuple(self._buffer[4 : 4 + steps]), self._buffer[4 + steps : count]
            moves.append(Made(unit, path, bool(strategic), tuple((pairs[2 * k], pairs[2 * k + 1]) for k in range(taken))))
        return moves

    def play(self, dice: Sequence[int]) -> int:
        """Move every unit that waits, as the dice fall."""
        ints = ctypes.c_int32
        waiting, rolls = (ints * len(self.waiting))(*self.waiting), (ints * len(dice))(*dice)
        moved: int = self.library.flat_play(self.state, waiting, len(waiting), rolls)
        return moved


def build(folder: Path, compiler: str) -> ctypes.CDLL:
    """Compile `flat.c` into a folder."""
    source, made = Path(__file__).with_name("flat.c"), folder / "flat.so"
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", str(source), "-o", str(made)], check=True)
    return ctypes.CDLL(str(made))
