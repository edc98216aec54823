"""Where a piece can move, and what it costs: cheapest paths within an allowance.

Costs are whole half points, so that a road at half a point needs no fractions. The search is a bucket queue: one list
of hexes per number of half points, taken in order. Limit, closed sides, forbidden hexes and worse ways are all one comparison,
because each of them makes the sum larger than what the hex already has.

There are two searches, which find the same hexes in the same order by the same paths: one in C, in `_kernel.c`, if it was
compiled when hexwar was installed, and the one here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from hexwar.board import _compiled
from hexwar.board._bits import mask_of, spread
from hexwar.board._board import Board
from hexwar.board._tables import Walls

if _compiled.BUILT:
    from hexwar.board import _kernel

CLOSED: Final = 255
"""A step that is not allowed, or in a surcharge table a hex that may not be entered or left."""

ALL: Final = 254
"""A step that is allowed only as the first of a move and takes the whole allowance: the search takes it if asked to."""

MAX_BUDGET: Final = 253
"""The largest allowance, in half points: every closed step has to cost more."""

Steps: TypeAlias = tuple[tuple[int, int], ...]
"""Steps out of a hex: where to, and for what."""


class StepCosts:
    """What each step on a board costs one class of movement; made once, by ``step_costs``, and used for every move.

    Args:
        board: the board.
        tables: six tables of ``board.size`` bytes; ``tables[d][i]`` is the cost of the step from hex i in direction d.
        guarded: the steps, from hex and to hex, that are closed where both ends lie in enemy zones.

    Raises:
        ValueError: if a table has the wrong size or leaves a way off the board open.
    """

    def __init__(
        self, board: Board, tables: Sequence[bytes | bytearray], guarded: Collection[tuple[int, int]] = frozenset()
    ) -> None:
        if len(tables) != 6 or any(len(table) != board.size for table in tables):
            raise ValueError(f"step costs are six tables of {board.size} bytes for this board")
        self._tables = tuple(bytes(table) for table in tables)
        self._deltas = board.deltas
        for i, d in board.edges:
            if self._tables[d][i] != CLOSED:
                raise ValueError(f"a step off the board is open at {board.label(i)}")
        self._guards = frozenset(guarded)
        self._forget()

    def _forget(self) -> None:
        self._steps: list[Steps | None] = [None] * len(self._tables[0])
        self._whole: dict[int, tuple[int, ...]] = {}
        self._open: list[int] = []

    def dearer(self, tables: Sequence[bytes | bytearray]) -> StepCosts:
        """Other costs on the same board, of which none is open that leads off it: what is closed here is closed there."""
        found = object.__new__(StepCosts)
        found._tables, found._deltas, found._guards = tuple(map(bytes, tables)), self._deltas, self._guards
        found._forget()
        return found

    def out_of(self, i: int) -> bytes:
        """What the six steps out of a hex cost."""
        return self._packed[7 * i : 7 * i + 6]

    def __getitem__(self, d: int) -> bytes:
        return self._tables[d]

    def changed(self, board: Board, steps: Mapping[tuple[int, int], int]) -> StepCosts:
        """These costs, but for some steps, from hex and to hex, that cost something else now."""
        tables = [bytearray(table) for table in self._tables]
        for (i, n), cost in steps.items():
            tables[board.deltas.index(n - i)][i] = cost
        return self.dearer(tables)

    def walled(self, board: Board, walls: Walls) -> StepCosts:
        """These costs, but for some steps that are closed now: for each direction, the hexes that are not left that way."""
        closed = [spread(mask & board.everywhere, CLOSED, board.size) for mask in walls]
        numbers = [int.from_bytes(a) | int.from_bytes(b) for a, b in zip(self._tables, closed, strict=True)]  # all bits are set
        return self.dearer([number.to_bytes(board.size) for number in numbers])

    def open_steps(self, d: int) -> int:
        """The mask of the hexes from which a step in a direction is not closed."""
        if not self._open:
            opened = bytes.maketrans(bytes(range(256)), b"1" * CLOSED + b"0")
            self._open.extend(int(table.translate(opened)[::-1], 2) for table in self._tables)
        return self._open[d]

    @property
    def content(self) -> Hashable:
        """What two tables that cost the same have in common."""
        return self._tables, self._guards

    @cached_property
    def _least(self) -> bytes:
        """The least that a step out of each hex costs."""
        return bytes(map(min, *self._tables))

    @cached_property
    def _packed(self) -> bytes:
        """For each hex the costs of its six steps, and a bit for each of them that is guarded: what the compiled search reads."""
        guards = bytearray(len(self._steps))
        for i, n in self._guards:
            guards[i] |= 1 << self._deltas.index(n - i)
        packed = bytearray(7 * len(guards))
        for d, table in enumerate((*self._tables, guards)):
            packed[d::7] = table
        return bytes(packed)

    def _onward(self, i: int, zones: bytes | bytearray) -> Steps:
        """The steps out of hex i that are open, guarded ones last; kept if they are the same for everybody."""
        steps = [(i + delta, table[i]) for delta, table in zip(self._deltas, self._tables, strict=True) if table[i] < ALL]
        found = tuple([step for step in steps if (i, step[0]) not in self._guards])
        if len(found) == len(steps):
            self._steps[i] = found
            return found
        return (*found, *[step for step in steps if step not in found and not (zones[i] and zones[step[0]])])

    def whole_steps(self, i: int) -> tuple[int, ...]:
        """The hexes next to hex i into which a step takes the whole allowance."""
        found = self._whole.get(i)
        if found is None:
            steps = zip(self._deltas, self._tables, strict=True)
            found = self._whole[i] = tuple([i + delta for delta, table in steps if table[i] == ALL])
        return found

    @property
    def has_guards(self) -> bool:
        """Whether any step is closed where both ends lie in enemy zones."""
        return bool(self._guards)

    def is_guarded(self, i: int, n: int) -> bool:
        """Whether the step from hex i to hex n is closed where both ends lie in enemy zones."""
        return (i, n) in self._guards


class Reach(dict[int, int]):
    """The hexes that a move can end in, each with the half points spent to get there; the start costs 0."""

    __slots__ = ("_came", "_labels", "_mask", "budget", "is_free", "passed", "start")

    def __init__(self, start: int, budget: int) -> None:
        self[start] = 0
        self.start = start
        self.budget = budget
        self.is_free = False
        """Whether the search met no surcharge: then it is the same wherever there is none in these hexes."""
        self.passed = 0
        """The mask of hexes through which the move leads but in which it may not end; whoever searched may set it."""
        self._came: dict[int, int] = {}
        self._labels: list[str] | None = None
        self._mask: int | None = None

    def named(self, board: Board, hexes: int) -> list[str]:
        """Those of some hexes, given as a mask, that are in reach, sorted by label."""
        if self._labels is None:
            self._labels = sorted(map(board._label_of.__getitem__, self))
        others = self.mask(board) & ~hexes
        if not others:
            return self._labels
        left_out = {*board.scattered(others)}
        return [label for label in self._labels if label not in left_out]

    def mask(self, board: Board) -> int:
        """The mask of the hexes in reach; computed once."""
        if self._mask is None:
            self._mask = mask_of(self, board.size)
        return self._mask

    def path(self, i: int) -> list[int]:
        """A cheapest path from the start to hex ``i``, both included; the same one every time.

        Raises:
            KeyError: if ``i`` is out of reach.
        """
        if i not in self:
            raise KeyError(i)
        found = [i]
        while i != self.start:
            i = self._came[i]
            found.append(i)
        found.reverse()
        return found

    def beyond(self, i: int) -> set[int]:
        """The hexes whose paths pass through hex ``i``, itself included; empty if it is out of reach."""
        found = {i} if i in self else set()
        for n in self:  # every hex comes after the one that its path comes from
            if self._came.get(n, -1) in found:
                found.add(n)
        return found


def step_costs(board: Board, rule: Callable[[str, str], int], guarded: Collection[tuple[int, int]] = frozenset()) -> StepCosts:
    """The costs of every step on a board.

    Args:
        board: the board.
        rule: the half points of a step between two adjacent hexes, given by label; or ``CLOSED``; or ``ALL``.
        guarded: the steps, from index and to index, that are closed where both ends lie in enemy zones.

    Raises:
        ValueError: if the rule gives anything that is not a cost.
    """
    tables = [bytearray([CLOSED]) * board.size for _ in range(6)]
    on_board = set(board.hexes)
    for i in board.hexes:
        here = board.label(i)
        for delta, table in zip(board.deltas, tables, strict=True):
            if i + delta in on_board:
                there = board.label(i + delta)
                cost = rule(here, there)
                if not 0 <= cost <= CLOSED:
                    raise ValueError(f"the step from {here} to {there} costs {cost}; half points run from 0 to {MAX_BUDGET}")
                table[i] = cost
    return StepCosts(board, tables, guarded)


def reach(
    board: Board,
    start: int,
    budget: int,
    costs: StepCosts,
    *,
    leave: bytes | bytearray | None = None,
    enter: bytes | bytearray | None = None,
    firsts: Collection[int] = (),
    zones: bytes | bytearray | None = None,
    within: int = 0,
    barred: int = 0,
) -> Reach:
    """All hexes that can be reached for at most ``budget`` half points.

    Args:
        board: the board.
        start: the index of the hex that the move starts from.
        budget: the half points that may be spent.
        costs: the price of each step.
        leave: for each index, what leaving the hex costs on top; ``CLOSED`` where it may not be left.
        enter: for each index, what entering the hex costs on top; ``CLOSED`` where it may not be entered.
        firsts: hexes next to the start into which a first step leads that takes the whole budget.
        zones: for each index, whether the hex lies in an enemy zone; needed for guarded steps and for `within`.
        within: what a step from zone to zone costs besides all that; less than 0 if it costs less, ``ALL`` or ``CLOSED`` if it is
            closed. No step gives points back.
        barred: a bit for each direction in which the first step may not lead.

    Raises:
        ValueError: if the budget is negative or more than ``MAX_BUDGET``.
    """
    if not 0 <= budget <= MAX_BUDGET:
        raise ValueError(f"an allowance is 0 to {MAX_BUDGET} half points, not {budget}")
    leave, enter, zones = leave or board.nothing, enter or board.nothing, zones or board.nothing
    found = Reach(start, budget)
    if _compiled.COMPILED:
        came, numbers, stride, packed = found._came, board.numbers, board.deltas[2], costs._packed
        met = _kernel.search(found, came, numbers, start, budget, stride, packed, leave, enter, firsts, zones, within, barred)
    else:
        met = _search(found, found._came, costs, leave, enter, firsts, zones, within, barred)
    found.is_free = met is False
    return found


def _search(
    spent: Reach,
    came: dict[int, int],
    costs: StepCosts,
    leave: bytes | bytearray,
    enter: bytes | bytearray,
    firsts: Collection[int],
    zones: bytes | bytearray,
    within: int,
    barred: int,
) -> bool:
    """Fill a reach that holds nothing but its start, and the hex before each hex; whether a surcharge or a zone was met."""
    start, budget, steps, least = spent.start, spent.budget, costs._steps, costs._least
    best, met = bytearray([budget + 1]) * len(steps), False
    best[start] = 0
    buckets: list[list[int]] = [[] for _ in range(budget + 1)]
    buckets[0].append(start)
    if budget and leave[start] != CLOSED:
        for n in firsts:
            met = met or enter[n] > 0
            if enter[n] != CLOSED:
                best[n] = budget
                came[n] = start
                buckets[budget].append(n)
    begun = {start + delta for d, delta in enumerate(costs._deltas) if barred >> d & 1}
    limit = budget - min(within, 0)
    for cost, bucket in enumerate(buckets):
        # A step that costs nothing adds to the bucket that is being read, and is read in turn.
        for i in bucket:
            if best[i] != cost:
                continue
            spent[i] = base = cost
            inside = zones[i]
            if leave[i] or inside:
                base, met = cost + leave[i], True
            if base + least[i] > limit or leave[i] == CLOSED:
                continue
            # Without the surcharge at first, because most steps lead back to hexes that were cheaper already.
            for n, price in steps[i] or costs._onward(i, zones):
                total = base + price
                if inside and zones[n]:
                    if within >= ALL:
                        continue
                    total += within
                if total < best[n]:
                    if begun and i == start and n in begun:
                        continue
                    if enter[n]:
                        met = True
                        if enter[n] == CLOSED:
                            continue
                        total += enter[n]
                    if total < cost:
                        total = cost
                    if total >= best[n]:
                        continue
                    best[n] = total
                    came[n] = i
                    buckets[total].append(n)
    return met
