"""How far units get: the search behind every move, way, detour and line of a mover.

`Reaches` is the only class that searches. It asks the rule questions of `Movement`, and what it found is kept under what they
answered: under a `Going`, and as long as enemies and their zones stay as they are. No game makes a class of its own of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, final

from hexwar.board import ALL, CLOSED, Reach, StepCosts, bits, greatest, reach, spread
from hexwar.engine import Position
from hexwar.mechanics._going import NORMAL, Going, Mode, ZoneTerms
from hexwar.mechanics._pieces import occupant
from hexwar.mechanics._prices import Prices, cost_of_leaving, extra
from hexwar.mechanics._why_not_move import cannot_begin

if TYPE_CHECKING:
    from hexwar.mechanics._layout import Facing
    from hexwar.mechanics._world import HexWorld

NO_SIDES: Final[frozenset[str]] = frozenset()
MANY_CHANGES: Final = 256
"""How many tables of steps that changed or are barred are kept in mind."""
MANY_REACHES: Final = 4000
"""How many reaches far from any enemy are kept in mind."""


class _Asked:
    """What the rules say of a unit and a way of moving in a position, as far as they were asked.

    Args:
        mode: the way of moving.
        others: the units that go along.
        points: the half points of all of them.
    """

    __slots__ = ("found", "mode", "others", "points", "prices")

    def __init__(self, mode: Mode, others: tuple[str, ...], points: int) -> None:
        self.mode, self.others, self.points = mode, others, points
        self.prices: Prices | None = None
        self.found: Reach | None = None
        """How far the unit gets with these points, where this way of moving is open to it."""


@final
class Reaches:
    """What steps cost, how far units get, and by which ways.

    Args:
        world: its `movement` answers what the rules say.
    """

    def __init__(self, world: HexWorld) -> None:
        self.world = world
        self._tables: dict[tuple[str, str, frozenset[str], frozenset[str]], StepCosts] = {}
        self._same: dict[object, StepCosts] = {}
        """Tables by what is in them, so that arms that move alike share one, and what is kept under it."""
        self._now: dict[object, StepCosts] = {}
        self._free: dict[object, Reach] = {}
        """Reaches in which there was no surcharge: they hold as long as there is no enemy and no zone, in every position."""

    # -- what steps cost ------------------------------------------------------------------------------------------------

    def costs(self, arm: str, conditions: str = "", side: str = "", barriers: frozenset[str] = frozenset()) -> StepCosts:
        """What the ground asks of an arm of a side under some conditions; made once, then looked up.

        Args:
            arm: a column of the terrain chart.
            conditions: see `Movement.conditions`.
            side: whose closed hexsides count; none do if it is "".
            barriers: the features of hexsides that are not crossed from zone to zone.
        """
        closed = self.world.movement.closed_sides.get(side, NO_SIDES)
        found = self._tables.get((arm, conditions, closed, barriers))
        if found is None:
            made = self._made(arm, conditions, closed, barriers)
            found = self._tables[arm, conditions, closed, barriers] = self._same.setdefault(made.content, made)
        return found

    def _made(self, arm: str, conditions: str, closed: frozenset[str], barriers: frozenset[str]) -> StepCosts:
        board, refine = self.world.board, partial(self.world.movement.step_cost, arm, conditions)
        walls = board.walls(*barriers) if barriers else ()
        guarded = frozenset((i, i + board.deltas[d]) for d, mask in enumerate(walls) for i in bits(mask))
        return self.world.chart.table(board, arm, refine, guarded, closed)

    def costs_of(self, at: Position, unit: str, mode: Mode = NORMAL) -> StepCosts:
        """What the ground asks of a unit now, in a way of moving: with steps that changed or are barred, without zones."""
        return self.prices(at, unit, mode).costs

    def prices(self, at: Position, unit: str, mode: Mode = NORMAL) -> Prices:
        """What steps cost a unit now, and those that go along with it; asked once in a position."""
        asked = self._ask(at, unit, mode)
        return asked.prices or self._price(at, unit, asked)

    def _price(self, at: Position, unit: str, asked: _Asked) -> Prices:
        movement, mode = self.world.movement, asked.mode
        going = movement.going(at, unit, mode)
        if asked.others:
            found = self._together(at, (going, *[movement.going(at, other, mode) for other in asked.others]))
        else:
            found = self.prices_for(at, going)
        asked.prices = found
        return found

    def _ask(self, at: Position, unit: str, mode: Mode) -> _Asked:
        """What the rules say of a unit in a position."""
        key = "moving", unit, mode.name
        known: _Asked | None = at.memo.get(key)
        if known is None or known.mode is not mode:
            allowance, others = self.world.movement.allowance, self.world.movement.companions(at, unit, mode)
            points = allowance(at, unit, mode.name)
            if others:
                points = min(points, *[allowance(at, other, mode.name) for other in others])
            known = at.memo[key] = _Asked(mode, others, max(0, 2 * points - mode.price) if mode.price else 2 * points)
        return known

    def prices_for(self, at: Position, going: Going) -> Prices:
        """What steps cost now those who go in some way."""
        facing: Facing = at.state.layout.facing(going.side)
        found: Prices | None = facing.prices.get(id(going))
        if found is None or found.going is not going:  # nearly always it is the very same value as before
            found = facing.prices.get(going)
            if found is None:
                found = facing.prices[going] = facing.prices[id(going)] = self._priced(facing, going)  # which keeps it alive
        return found

    def _priced(self, facing: Facing, going: Going) -> Prices:
        terms, board = going.zones, self.world.board
        entering = CLOSED if going.outside_zones else terms.entering
        leave, enter = facing.tables(CLOSED if terms.stops else terms.leaving, entering)
        if going.tolls:
            leave = leave[:]
            for mask, toll in going.tolls:
                for i in bits(mask & board.everywhere):
                    leave[i] = min(CLOSED, leave[i] + toll)
        shut = 0
        for bar in going.bars:
            shut |= 0 if bar.first else bar.hexes
        passes = going.passes & facing.closed
        if passes or going.overruns:
            enter = enter[:]
            for i in bits(passes):
                enter[i] = entering if facing.threatened >> i & 1 else 0
            for mask, toll in going.overruns:
                for i in bits(mask & facing.closed):
                    enter[i] = min(CLOSED, toll + (entering if facing.threatened >> i & 1 else 0))
        if shut:
            enter = bytearray(greatest((enter, spread(shut & board.everywhere, CLOSED, board.size))))
        zones = facing.tables(1, 0)[0] if terms.within is not None or terms.barriers else None
        return Prices(going, self._ground(going), (leave, enter), zones, extra(terms), facing.threatened, passes)

    def _ground(self, going: Going) -> StepCosts:
        """What the ground asks of those who go in some way."""
        costs = self.costs(going.arm, going.conditions, going.side, going.zones.barriers)
        walls = tuple([bar.steps for bar in going.bars if bar.steps and not bar.first])
        if not going.changed and not walls:
            return costs
        key = costs, going.changed, walls
        found = self._now.get(key)
        if found is None:
            if len(self._now) > MANY_CHANGES:
                self._now.clear()
            index, board = self.world.board.index, self.world.board
            found = costs
            if going.changed:
                steps = {(index(origin), index(target)): min(cost, CLOSED) for (origin, target), cost in going.changed}
                found = found.changed(board, steps)
            for wall in walls:
                found = found.walled(board, wall)
            self._now[key] = found
        return found

    def _together(self, at: Position, goings: tuple[Going, ...]) -> Prices:
        """What steps cost those who move together: each what it costs the one that pays the most for it."""
        if len({*goings}) == 1:
            return self.prices_for(at, goings[0])
        facing: Facing = at.state.layout.facing(goings[0].side)
        found: Prices | None = facing.prices.get(goings)
        if found is None:
            board, each = self.world.board, [self.prices_for(at, going) for going in dict.fromkeys(goings)]
            costs = each[0].costs.dearer(list(map(greatest, zip(*[one.in_full(board) for one in each], strict=True))))
            enter = greatest([one.enter for one in each])
            going = replace(goings[0], zones=ZoneTerms(), minimum=all(going.minimum for going in goings))
            surcharges, passes = (board.nothing, enter), each[0].passes
            found = facing.prices[goings] = Prices(going, costs, surcharges, None, 0, facing.threatened, passes)
        return found

    def can_step(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """Whether a unit could ever go from a hex into the next, no matter who stands there."""
        board, prices = self.world.board, self.prices(at, unit)
        i, n = board.index(origin), board.index(target)
        is_within = prices.zones is not None and prices.within == CLOSED and prices.zones[i] and prices.zones[n]
        return prices.costs[board.direction(origin, target)][i] != CLOSED and not is_within

    def can_enter(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """Whether a unit could ever go from a hex into the next, and no enemy stands there."""
        return occupant(at, target) in (None, self.world.units[unit].side) and self.can_step(at, unit, origin, target)

    def closed_line(self, side: str, origin: str, target: str) -> str:
        """The feature of the hexside between two adjacent hexes that a side never crosses, or ""."""
        closed = self.world.movement.closed_sides.get(side, NO_SIDES)
        return min(closed & self.world.board.side(origin, target), default="")

    # -- how far a unit gets --------------------------------------------------------------------------------------------

    def open_mode(self, at: Position, unit: str, name: str) -> Mode | None:
        """A way of moving, if it is open to a unit."""
        for mode in self.world.movement.modes_of(at, unit):
            if mode.name == name:
                return mode
        return None

    def points(self, at: Position, unit: str, mode: Mode = NORMAL) -> int:
        """The half points that a unit has for its steps: less the price of the way of moving, and no more than its companions."""
        return self._ask(at, unit, mode).points

    def reach(self, at: Position, unit: str, mode: str = "", points: int | None = None) -> Reach:
        """Every hex that a unit can get to with its movement points, full stacks included.

        Args:
            at: the position.
            unit: a unit on the board.
            mode: the way of moving.
            points: half points to spend instead of its allowance.
        """
        kind = self.open_mode(at, unit, mode)
        if kind is None:
            self.world.movement.mode(mode)  # there is such a way of moving, but not for this unit
            return Reach(self.world.board.indices[at.state.locations[unit]], 0)
        return self.reach_by(at, unit, kind, points)

    def reach_by(self, at: Position, unit: str, mode: Mode, points: int | None = None) -> Reach:
        """The same by a way of moving that is open to the unit."""
        asked = self._ask(at, unit, mode)
        if points is not None:
            return self._reached(at, unit, asked, points)
        if asked.found is None:
            asked.found = self._reached(at, unit, asked, asked.points)
        return asked.found

    def _reached(self, at: Position, unit: str, asked: _Asked, points: int) -> Reach:
        start, mode = self.world.board.indices[at.state.locations[unit]], asked.mode
        if not points or ((mode.along or mode.outside_zones) and cannot_begin(at, unit, start, mode)):
            return Reach(start, points)
        return self.search(at, asked.prices or self._price(at, unit, asked), start, points, fresh=True)

    def reach_from(self, at: Position, unit: str, start: int, budget: int, mode: Mode = NORMAL, *, fresh: bool = True) -> Reach:
        """Every hex that a unit could get to from a hex, wherever it stands now.

        Args:
            at: the position.
            unit: the unit.
            start: the index of the hex.
            budget: half points to spend.
            mode: the way of moving.
            fresh: whether the move begins there.
        """
        return self.search(at, self.prices(at, unit, mode), start, budget, fresh=fresh)

    def search(self, at: Position, prices: Prices, start: int, budget: int, *, fresh: bool = False) -> Reach:
        """Every hex that those who pay some prices get to from a hex: see `reach_from`."""
        found = prices.reaches.get((start, budget, fresh))
        if found is None:
            facing: Facing = at.state.layout.facing(prices.going.side)
            found = prices.reaches[start, budget, fresh] = self._kept(facing, prices, start, budget, fresh)
        return found

    def _kept(self, facing: Facing, prices: Prices, start: int, budget: int, fresh: bool) -> Reach:
        board, going = self.world.board, prices.going
        key = (prices.costs, start, budget, fresh and going.whole, going.minimum)
        found = None if going.bars or going.tolls else self._free.get(key)
        # A hex beyond a free reach is too far without surcharges: what happens there makes no difference.
        if found is None or found.mask(board) & facing.enemies:
            found = self._found(prices, start, budget, fresh)
            # A zone may close a first step before the search.
            if found.is_free and not (going.bars or going.tolls or board.around(board.label(start)) & facing.enemies):
                if len(self._free) > MANY_REACHES:
                    self._free.clear()
                self._free[key] = found
        return found

    def _found(self, prices: Prices, start: int, budget: int, fresh: bool, shut: Collection[int] = ()) -> Reach:
        """Search, without some hexes."""
        going, leave, enter = prices.going, prices.leave, prices.enter
        may_take_all = prices.may_take_all or prices.costs.whole_steps(start)
        firsts = self._firsts(prices, start) if may_take_all and fresh and going.whole else ()
        if shut:
            enter = bytearray(enter)
            for i in shut:
                enter[i] = CLOSED
        if fresh and going.zones.stops and leave[start] == CLOSED:
            leave = bytearray(leave)
            leave[start] = cost_of_leaving(prices, start, fresh)
        found = reach(
            self.world.board,
            start,
            budget,
            prices.costs,
            leave=leave,
            enter=enter,
            firsts=firsts,
            zones=prices.zones,
            within=prices.within,
            barred=self._barred(going, start) if fresh and going.bars else 0,
        )
        found.passed = prices.passes
        return found

    def _barred(self, going: Going, start: int) -> int:
        """A bit for each direction in which a first step from a hex is barred."""
        found = 0
        for bar in going.bars:
            for d, delta in enumerate(self.world.board.deltas if bar.first else ()):
                if bar.hexes >> (start + delta) & 1 or (bar.steps and bar.steps[d] >> start & 1):
                    found |= 1 << d
        return found

    def _firsts(self, prices: Prices, start: int) -> Sequence[int]:
        """The hexes into which a first step is open that takes the whole allowance."""
        costs, going, found = prices.costs, prices.going, []
        if not prices.may_take_all and not costs.whole_steps(start):
            return ()
        if cost_of_leaving(prices, start, fresh=True) == CLOSED:
            return ()
        barred, passes, enter = self._barred(going, start) if going.bars else 0, prices.passes, prices.enter
        zones = prices.zones if prices.zones is not None and prices.zones[start] else None
        for d, (price, delta) in enumerate(zip(costs.out_of(start), self.world.board.deltas, strict=True)):
            n = start + delta
            if price == CLOSED or enter[n] == CLOSED or (passes >> n & 1) or (barred >> d & 1):
                continue
            is_inside = zones is not None and zones[n]
            if is_inside and (costs.is_guarded(start, n) or prices.within == CLOSED):
                continue
            takes_all = price == ALL or (is_inside and prices.within == ALL)
            if (going.minimum or takes_all) and not (price == ALL and self.bars_whole(prices, start, n)):
                found.append(n)
        return found

    def bars_whole(self, prices: Prices, origin: int, target: int) -> bool:
        """Whether enemy zones close a step that takes the whole allowance."""
        rule, ends = prices.going.zones.whole, (prices.threatened >> origin & 1) + (prices.threatened >> target & 1)
        return bool(rule) and ends >= (2 if rule == "both" else 1)

    def step(
        self, at: Position, unit: str, origin: str, target: str, left: int, mode: Mode = NORMAL, *, fresh: bool = True
    ) -> int | None:
        """What a step between adjacent hexes costs a unit with some half points left, None if it cannot take it.

        The reach of a unit is this question for hundreds of steps at once.
        """
        board, prices = self.world.board, self.prices(at, unit, mode)
        i, d = board.index(origin), board.direction(origin, target)
        total = self.price(prices, i, d, fresh=fresh)
        if total <= left and total < ALL:
            return total
        is_first = left and fresh and prices.going.whole and board.index(target) in self._firsts(prices, i)
        return left if is_first else None

    def price(self, prices: Prices, i: int, d: int, *, fresh: bool = False) -> int:
        """What a step out of a hex in a direction costs in full: `ALL` if it takes the whole allowance, `CLOSED` if it is closed.

        Args:
            prices: what counts for those who take it.
            i: the index of the hex.
            d: the direction.
            fresh: whether the move begins there.
        """
        price, n, leaving = prices.costs[d][i], i + self.world.board.deltas[d], cost_of_leaving(prices, i, fresh)
        if CLOSED in (price, leaving, prices.enter[n]) or (fresh and self._barred(prices.going, i) >> d & 1):
            return CLOSED
        is_inside = prices.zones is not None and prices.zones[i] and prices.zones[n]
        if is_inside and (prices.within == CLOSED or prices.costs.is_guarded(i, n)):
            return CLOSED
        if price == ALL or (is_inside and prices.within == ALL):
            return ALL
        total = max(0, leaving + price + prices.enter[n] + (prices.within if is_inside else 0))
        return total if total < ALL else CLOSED

    def open_ends(self, at: Position, unit: str, found: Reach) -> int:
        """The mask of the hexes of a reach, its start apart, in which a move may end, as `Stacking` says."""
        hexes = found.mask(self.world.board) & ~(1 << found.start | found.passed)
        return self.world.stacking.open_in(at, unit, hexes)

    def ends(self, at: Position, unit: str, found: Reach) -> list[str]:
        """The same hexes, sorted by label."""
        return found.named(self.world.board, self.open_ends(at, unit, found))

    # -- which way it goes ----------------------------------------------------------------------------------------------

    def way(self, at: Position, unit: str, to: str, mode: str = "", by: Sequence[str] = ()) -> list[str]:
        """The cheapest way to a hex in reach, or by some hexes to it; a costlier one, if that keeps out of what is avoided.

        Raises:
            KeyError: there is no such way.
        """
        board, asked = self.world.board, at.memo.get(("moving", unit, mode))
        if asked is None or asked.found is None:
            kind = self.open_mode(at, unit, mode) or self.world.movement.mode(mode)
            asked = self._ask(at, unit, kind)
            asked.found = self._reached(at, unit, asked, asked.points)
        found = asked.found
        if not by:
            path = found.path(board.index(to))
            if asked.prices is not None and asked.prices.going.avoided:
                path = self._around(asked.prices, found, path)
        else:
            path, prices = found.path(board.index(by[0])), self.prices(at, unit, asked.mode)
            left = found.budget - found[path[-1]]
            for label in (*by[1:], to):
                onward = self.search(at, prices, path[-1], left)
                path += onward.path(board.index(label))[1:]
                left -= onward[path[-1]]
        return board.labelled(path)

    def _around(self, prices: Prices, found: Reach, path: list[int]) -> list[int]:
        """The cheapest way that keeps out of what is avoided; the one that was found, if it does or if there is none."""
        avoided = prices.going.avoided
        if not any(avoided >> i & 1 for i in path[1:-1]):
            return path
        around = self._found(prices, found.start, found.budget, fresh=True, shut=bits(avoided))
        return around.path(path[-1]) if path[-1] in around else path

    def detours(self, at: Position, unit: str, found: Reach, only: int | None = None) -> Iterator[tuple[str, ...]]:
        """The ways by a place that a unit could take, to each hex to which its cheapest way does not lead by it.

        A unit may come back to where it began.

        Args:
            at: the position.
            unit: a unit on the board.
            found: its reach by normal movement.
            only: look at no other place than this.
        """
        movement = self.world.movement
        prizes = movement.prizes(at) & (found.keys() if only is None else {only})
        if not prizes:
            return
        board, here = self.world.board, at.state.locations[unit]
        for via in sorted(map(board.label, prizes)):
            if not movement.is_prize(at, unit, via):
                continue
            middle = board.index(via)
            prices = self.prices(at, unit, self.open_mode(at, unit, "") or NORMAL)
            onward = self.search(at, prices, middle, found.budget - found[middle])
            passing = self._passing(at, unit, prices, found, middle)
            ends = [to for to in self.ends(at, unit, onward) if to != here and board.index(to) not in passing]
            if found.start in onward and via != here:
                ends = sorted([*ends, here])
            for to in ends:
                yield tuple([board.label(i) for i in (*found.path(middle), *onward.path(board.index(to))[1:])])

    def _passing(self, at: Position, unit: str, prices: Prices, found: Reach, middle: int) -> set[int]:
        """The hexes in reach to which a unit's way leads through a hex."""
        passing = found.beyond(middle)
        if not prices.going.avoided:
            return passing
        return {i for i in passing if middle in self._around(prices, found, found.path(i))}
