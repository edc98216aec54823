"""Movement: which hexes a unit can reach and what that costs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from hexwar.board import ALL, CLOSED, MAX_BUDGET, Reach, StepCosts, reach
from hexwar.engine import Part, Play, Position, record
from hexwar.errors import Refusal, UnknownName
from hexwar.mechanics._pieces import go, in_enemy_zone, occupant
from hexwar.pieces._steps import against

if TYPE_CHECKING:
    from hexwar.mechanics._layout import Facing
    from hexwar.mechanics._world import HexWorld

NO_ZONES = bytes([0] * CLOSED + [CLOSED])
"""Translates a table of surcharges into one in which only closed hexes are left."""
CALM = bytes([0] + [CLOSED] * CLOSED)
"""Translates a table of surcharges into one in which every hex that has any is closed."""
UNCHANGED: Mapping[tuple[str, str], int] = {}
MANY_CHANGES = 64
"""How many states of a changing ground are kept in mind."""
MANY_REACHES = 4000
"""How many reaches far from any enemy are kept in mind."""


@record
class Mode:
    """A way of moving among which a unit has the choice; the one without a name is the normal one.

    Args:
        name: "strategic", for instance.
        arm: whose costs of the terrain chart it uses, in place of the unit's own.
        along: a link that the hex must have in which the move begins.
        outside_zones: whether neither that hex nor any other on the way may be in an enemy zone.
        topic: under which it is cited.
    """

    name: str
    arm: str = ""
    along: str = ""
    outside_zones: bool = False
    topic: str = "move"


@record
class ReachReport:
    """What a player sees before he moves.

    Args:
        costs: hex -> movement points spent, for every hex in which the move may end.
        closed: hex next to the way -> the refusal that explains why the move may not end there.
    """

    costs: dict[str, float]
    closed: dict[str, Refusal]


NORMAL = Mode("")
"""The usual way of moving."""


class Movement(Part):
    """A unit spends movement points, hex by hex, as the terrain chart and enemy zones say."""

    world: HexWorld

    modes: tuple[Mode, ...] = (NORMAL,)
    """The ways of moving, the normal one first."""

    # -- what a game says of it -----------------------------------------------------------------------------------------

    def allowance(self, at: Position, unit: str) -> int:
        """The movement points of a unit as it is now: those printed on the face of its counter that lies up."""
        move: int = self.world.units[unit].faces[at.state.steps_left[unit] - 1].move
        return move

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """The ways of moving that are open to a unit, the normal one first."""
        return self.modes

    def conditions(self, at: Position) -> str:
        """The conditions that costs depend on now, such as "mud"; "" in fair weather."""
        return ""

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        """The half points of a step between adjacent hexes, given those of the chart; asked once for each step."""
        return printed

    def changed_steps(self, at: Position, arm: str) -> Mapping[tuple[str, str], int]:
        """The half points of steps that currently cost an arm something unusual: a bridge is down, wire is in place.

        For zones whose costs depend on more than one hex, such as from zone to zone, as well.
        """
        return UNCHANGED

    def closed_sides(self, side: str) -> frozenset[str]:
        """The hexside features that a side never crosses, bridge or no bridge."""
        return frozenset()

    def is_guarded(self, origin: str, target: str) -> bool:
        """Whether a step between two adjacent hexes is closed where both lie in enemy zones."""
        return False

    def bars_whole(self, leaving: int, entering: int) -> bool:
        """Whether enemy zones close a step that takes the whole allowance, given their surcharges at both of its ends."""
        return False

    def surcharges(self, at: Position, unit: str) -> tuple[bytearray, bytearray]:
        """What leaving and entering each hex costs a unit on top, `CLOSED` for enemy hexes; all alike, unless overridden.

        These tables are for everybody: nobody may change them.
        """
        tables: tuple[bytearray, bytearray] = at.state.layout.surcharges(self.world.units[unit].side)
        return tables

    def alike(self, at: Position, unit: str) -> Hashable:
        """What `surcharges` look at in a unit, besides its side: its arm, unless overridden."""
        return self.world.units[unit].arm

    def prizes(self, at: Position) -> frozenset[int]:
        """The indices of the hexes that a unit may want to pass, if `is_prize` says so: what is worth a longer way."""
        return frozenset()

    def is_prize(self, at: Position, unit: str, label: str) -> bool:
        """Whether a unit takes something when it enters a hex: a place of another side, unless overridden."""
        return label in self.world.controlled and at.state.control.get(label) != self.world.units[unit].side

    def avoided(self, at: Position, unit: str) -> frozenset[int]:
        """Hexes through which a move does not lead, if its owner chooses no way and its end can be reached without them."""
        return frozenset()

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """Move a unit along its way, all at once."""
        go(play, unit, path, self.mode(mode).topic if mode else NORMAL.topic, mode=mode)

    # -- what steps cost ------------------------------------------------------------------------------------------------

    def __init__(self, world: HexWorld) -> None:
        super().__init__(world)
        self._costs: dict[tuple[str, str, str], StepCosts] = {}
        self._now: dict[object, StepCosts] = {}
        self._free: dict[object, Reach] = {}
        """Reaches in which there was no surcharge: they hold as long as there is no enemy and no zone, in every position."""
        kind = type(self)
        self._has_costs = kind.step_cost is not Movement.step_cost
        self._by_unit = kind.surcharges is not Movement.surcharges
        self._keeps_free = kind.whole_steps is Movement.whole_steps  # who knows what another one looks at
        self._varies = kind.conditions is not Movement.conditions or kind.changed_steps is not Movement.changed_steps

    def mode(self, name: str) -> Mode:
        """A way of moving by its name."""
        for mode in self.modes:
            if mode.name == name:
                return mode
        raise UnknownName("way of moving", name, [mode.name for mode in self.modes])

    def _open_mode(self, at: Position, unit: str, name: str) -> Mode | None:
        for mode in self.modes_of(at, unit):
            if mode.name == name:
                return mode
        return None

    def costs(self, arm: str, conditions: str = "", side: str = "") -> StepCosts:
        """The movement costs of an arm of a side under some conditions; made once, then looked up."""
        costs = self._costs.get((arm, conditions, side))
        if costs is None:
            costs = self._costs[arm, conditions, side] = self._find_costs(arm, conditions, side)
        return costs

    def _find_costs(self, arm: str, conditions: str, side: str) -> StepCosts:
        board, chart = self.world.board, self.world.chart
        closed = self.closed_sides(side) if side else frozenset()
        if side and not closed:  # sides to which the same hexsides are open share a table
            return self.costs(arm, conditions)
        if not self._has_costs:
            # Then nothing but the chart matters, and arms that move alike share a table as well.
            first = next(name for name, other in chart.arms.items() if other == chart.arms[arm])
            if first != arm:
                return self.costs(first, conditions, side)

        def refine(origin: str, target: str, cost: int) -> int:
            if closed and closed & board.side(origin, target):
                return CLOSED
            return min(self.step_cost(arm, conditions, origin, target, cost), CLOSED)

        return chart.table(board, arm, refine if self._has_costs else None, self._guards, closed)

    @cached_property
    def _guards(self) -> frozenset[tuple[int, int]]:
        """The steps of which `is_guarded` says so, by their indices."""
        if type(self).is_guarded is Movement.is_guarded:
            return frozenset()
        board = self.world.board
        steps = ((origin, target) for origin in board.labels for target in board.neighbours(origin))
        return frozenset(
            (board.index(origin), board.index(target)) for origin, target in steps if self.is_guarded(origin, target)
        )

    def costs_of(self, at: Position, unit: str, mode: Mode = NORMAL) -> StepCosts:
        """What each step costs a unit under the conditions of the moment, in a way of moving."""
        counter = self.world.units[unit]
        arm = mode.arm or counter.arm
        if not self._varies:
            return self._costs.get((arm, "", counter.side)) or self.costs(arm, "", counter.side)
        costs = self.costs(arm, self.conditions(at), counter.side)
        changed = self.changed_steps(at, arm)
        return self._changed(costs, changed) if changed else costs

    def _changed(self, costs: StepCosts, steps: Mapping[tuple[str, str], int]) -> StepCosts:
        index = self.world.board.index
        key = (costs, tuple(sorted(steps.items())))
        found = self._now.get(key)
        if found is None:
            if len(self._now) > MANY_CHANGES:
                self._now.clear()
            changed = {(index(origin), index(target)): cost for (origin, target), cost in steps.items()}
            found = self._now[key] = costs.changed(self.world.board, changed)
        return found

    def can_step(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """Whether the ground lets a unit go from a hex into the next, no matter who stands there."""
        board = self.world.board
        return self.costs_of(at, unit)[board.direction(origin, target)][board.index(origin)] != CLOSED

    def can_enter(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """Whether ground and enemy let a unit go from a hex into the next."""
        return occupant(at, target) in (None, self.world.units[unit].side) and self.can_step(at, unit, origin, target)

    def closed_line(self, side: str, origin: str, target: str) -> str:
        """The feature of the hexside between two adjacent hexes that a side never crosses, or ""."""
        return min(self.closed_sides(side) & self.world.board.side(origin, target), default="")

    # -- how far a unit gets --------------------------------------------------------------------------------------------

    def reach(self, at: Position, unit: str, mode: str = "", points: int | None = None) -> Reach:
        """Every hex that a unit can get to with its movement points, full stacks included.

        Args:
            at: the position.
            unit: a unit on the board.
            mode: the way of moving.
            points: half points to spend instead of its allowance.
        """
        here = at.state.locations[unit]
        start = self.world.board.indices[here]
        budget = self.allowance(at, unit) * 2 if points is None else points
        kind = self._open_mode(at, unit, mode)
        if kind is None:
            self.mode(mode)  # there is such a way of moving, but not for this unit
        if not budget or kind is None or self.why_not_begin(at, unit, here, kind):
            return Reach(start, budget)
        return self.reach_from(at, unit, start, budget, kind)

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
        side, costs = self.world.units[unit].side, self.costs_of(at, unit, mode)
        key: tuple[object, ...] = (costs, start, budget, fresh)
        if self._by_unit:
            memo, key = at.state.layout.memo, (*key, mode.outside_zones, side, self.alike(at, unit))
            found: Reach | None = memo.get(key)
            if found is None:
                found = memo[key] = self._search(at, unit, costs, start, budget, mode, fresh)
            return found
        facing: Facing = at.state.layout.facing(side)
        memo = facing.quiet if mode.outside_zones else facing.reaches
        found = memo.get(key)
        if found is None:
            found = self._free.get(key)
            # A hex beyond a free reach is too far without surcharges: what happens there makes no difference.
            if found is None or found.mask(self.world.board) & facing.enemies:
                found = self._search(at, unit, costs, start, budget, mode, fresh)
                if found.is_free and self._keeps_free:
                    if len(self._free) > MANY_REACHES:
                        self._free.clear()
                    self._free[key] = found
            memo[key] = found
        return found

    def _search(self, at: Position, unit: str, costs: StepCosts, start: int, budget: int, mode: Mode, fresh: bool) -> Reach:
        leave, enter = self.surcharges(at, unit)
        if mode.outside_zones:
            enter = self._without_zones(at, self.world.units[unit].side, enter)
        whole = self.whole_steps(costs, start, leave, enter) if fresh else ()
        found = reach(self.world.board, start, budget, costs, leave=leave, enter=enter, firsts=whole)
        if fresh and found.is_free and any(map(enter.__getitem__, costs.whole_steps(start))):
            found.is_free = False  # a zone closes one of these steps before the search
        return found

    def whole_steps(self, costs: StepCosts, start: int, leave: bytearray, enter: bytearray) -> list[int]:
        """The hexes into which a first step that takes the whole allowance is open."""
        found = []
        for n in costs.whole_steps(start):
            guarded = leave[start] and enter[n] and costs.is_guarded(start, n)
            if enter[n] != CLOSED and not guarded and not self.bars_whole(leave[start], enter[n]):
                found.append(n)
        return found

    def _without_zones(self, at: Position, side: str, enter: bytearray) -> bytearray:
        """A table of surcharges in which every hex of an enemy zone is closed; nobody may change it."""
        facing: Facing = at.state.layout.facing(side)
        if enter is not facing.surcharges[1]:
            return self._closing_zones(at, side, enter)
        if facing.calm is None:
            facing.calm = self._closing_zones(at, side, enter)
        return facing.calm

    def _closing_zones(self, at: Position, side: str, enter: bytearray) -> bytearray:
        calm = enter.translate(CALM)
        if not self.world.zones.enter:  # zones that cost nothing do not show in the table
            for label in self.world.board.unmask(at.state.layout.threatened[side]):
                calm[self.world.board.index(label)] = CLOSED
        return calm

    def ends(self, at: Position, unit: str, found: Reach) -> Sequence[str]:
        """The hexes of a reach, its start apart, in which there is room for the unit, as `has_room` says; sorted by label."""
        return self.world.stacking.open_to(at, unit, found.labels(self.world.board))

    # -- which way it goes ----------------------------------------------------------------------------------------------

    def way(self, at: Position, unit: str, to: str, mode: str = "", by: Sequence[str] = ()) -> list[str]:
        """The cheapest way to a hex in reach, or by some hexes to it; a costlier one, if that keeps out of what is avoided.

        Raises:
            KeyError: there is no such way.
        """
        board = self.world.board
        kind = self._open_mode(at, unit, mode) or self.mode(mode)
        found = self.reach_from(at, unit, board.indices[at.state.locations[unit]], self.allowance(at, unit) * 2, kind)
        if not by:
            path = found.path(board.index(to))
            avoided = self.avoided(at, unit)
            if not avoided.isdisjoint(path[1:-1]):
                path = self._around(at, unit, found, path, kind, avoided)
        else:
            path = found.path(board.index(by[0]))
            left = found.budget - found[path[-1]]
            for label in (*by[1:], to):
                onward = self.reach_from(at, unit, path[-1], left, kind, fresh=False)
                path += onward.path(board.index(label))[1:]
                left -= onward[path[-1]]
        return [board.label(i) for i in path]

    def _around(self, at: Position, unit: str, found: Reach, path: list[int], mode: Mode, avoided: frozenset[int]) -> list[int]:
        """The cheapest way that keeps out of some hexes; the one that was found, if there is none."""
        counter = self.world.units[unit]
        leave, enter = self.surcharges(at, unit)
        enter = (self._without_zones(at, counter.side, enter) if mode.outside_zones else enter)[:]
        for i in avoided:
            enter[i] = CLOSED
        costs = self.costs_of(at, unit, mode)
        whole = self.whole_steps(costs, found.start, leave, enter)
        around = reach(self.world.board, found.start, found.budget, costs, leave=leave, enter=enter, firsts=whole)
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
        board, here = self.world.board, at.state.locations[unit]
        prizes = sorted(map(board.label, self.prizes(at).intersection(found if only is None else (only,))))
        for via in prizes:
            if not self.is_prize(at, unit, via):
                continue
            middle = board.index(via)
            mode = self._open_mode(at, unit, "") or NORMAL
            onward = self.reach_from(at, unit, middle, found.budget - found[middle], mode, fresh=False)
            passing = self._passing(at, unit, found, middle)
            ends = [to for to in self.ends(at, unit, onward) if to != here and board.index(to) not in passing]
            if found.start in onward and via != here:
                ends = sorted([*ends, here])
            for to in ends:
                yield tuple([board.label(i) for i in (*found.path(middle), *onward.path(board.index(to))[1:])])

    def _passing(self, at: Position, unit: str, found: Reach, middle: int) -> set[int]:
        """The hexes in reach to which a unit's way leads through a hex."""
        passing = found.beyond(middle)
        avoided = self.avoided(at, unit)
        if not avoided:
            return passing
        ways = {i: found.path(i) for i in passing}
        mode = self._open_mode(at, unit, "") or NORMAL
        return {
            i
            for i, way in ways.items()
            if middle in (way if avoided.isdisjoint(way[1:-1]) else self._around(at, unit, found, way, mode, avoided))
        }

    # -- why not --------------------------------------------------------------------------------------------------------

    def why_not(self, at: Position, unit: str, to: str, mode: str = "", path: Sequence[str] = ()) -> Refusal | None:
        """Why a unit on the board cannot move to a hex, or None if it can: the rule from which all moves are offered.

        Args:
            at: the position.
            unit: a unit on the board.
            to: a hex, or what somebody took for one.
            mode: the way of moving.
            path: the way that its owner chooses; the cheapest if there is none.
        """
        indices, here, units = self.world.board.indices, at.state.locations[unit], self.world.units
        if to not in indices:
            return against(at, "move", f"there is no hex {to} on the map")
        if to == here and not path:
            return against(at, "move", f"{unit} stands in {to} already")
        kind = self._open_mode(at, unit, mode)
        if kind is None:
            try:
                return against(at, f"{self.mode(mode).topic}.open", f"{mode} movement is not open to {unit} now")
            except UnknownName as error:
                return against(at, "move", str(error))
        points = self.allowance(at, unit)
        begin = self.why_not_begin(at, unit, here, kind) if kind is not NORMAL else None
        if points and not begin and not path and indices[to] in self.reach_from(at, unit, indices[here], points * 2, kind):
            return self.world.stacking.why_not(at, unit, to)
        there = at.state.layout.stacks.get(to)
        if there and units[there[0]].side != units[unit].side:
            return against(at, "move.enemy", f"{to} is occupied by {units[there[0]].side}")
        if not points:
            return against(at, "move", f"{unit} has no movement points")
        if begin or not path:
            return begin or self._out_of_reach(at, unit, to, kind)
        if path[0] != here or path[-1] != to:
            return against(at, "move", f"the way of {unit} leads from {here} to {to}, not from {path[0]} to {path[-1]}")
        why = self.why_not_along(at, unit, path, points * 2, kind)
        return why or (None if to == here else self.world.stacking.why_not(at, unit, to))

    def why_not_begin(self, at: Position, unit: str, label: str, mode: Mode) -> Refusal | None:
        """Why a unit may not begin a move of some kind in a hex. None if it may."""
        if mode.along and not self.world.board.has_link(label, mode.along):
            return against(at, f"{mode.topic}.start", f"{mode.name} movement begins on a {mode.along}, and {label} has none")
        if mode.outside_zones and in_enemy_zone(at, self.world.units[unit].side, label):
            kind = f"{mode.name} movement".lstrip()
            return against(at, f"{mode.topic}.zone", f"{label} is in an enemy zone of control, where no {kind} begins")
        return None

    def why_not_along(
        self, at: Position, unit: str, path: Sequence[str], budget: int, mode: Mode = NORMAL, *, fresh: bool = True
    ) -> Refusal | None:
        """Why a unit cannot go along a way, hex by hex, with some half points."""
        left = budget
        for here, label in pairwise(path):
            cost = self.step(at, unit, here, label, left, mode, fresh=fresh)
            if isinstance(cost, Refusal):
                return cost
            left, fresh = left - cost, False
        return None

    def step(
        self, at: Position, unit: str, origin: str, target: str, left: int, mode: Mode = NORMAL, *, fresh: bool = True
    ) -> int | Refusal:
        """What a step costs a unit that has some half points left, or the rule that keeps it from taking it.

        The reach of a unit is this question for hundreds of steps at once.
        """
        board, counter = self.world.board, self.world.units[unit]
        if target not in board or not board.adjacent(origin, target):
            return against(at, "move", f"{target} is not next to {origin} on the map")
        holder = occupant(at, target)
        if holder not in (None, counter.side):
            return against(at, "move.enemy", f"{target} is occupied by {holder}")
        i, n = board.index(origin), board.index(target)
        costs, (leave, enter) = self.costs_of(at, unit, mode), self.surcharges(at, unit)
        if mode.outside_zones and in_enemy_zone(at, counter.side, target):
            return against(at, f"{mode.topic}.zone", f"{target} lies in an enemy zone of control")
        price = costs[board.direction(origin, target)][i]
        if price == CLOSED:
            return self._closed(at, unit, origin, target, mode)
        if price == ALL and not fresh:
            return against(at, "move.cost", f"the step from {origin} to {target} takes the whole move of {unit}")
        if price == ALL and self.bars_whole(leave[i], enter[n]):
            return self._barred_whole(at, unit, origin, target)
        if leave[i] and enter[n] and costs.is_guarded(i, n):
            why = f"nobody goes from {origin} to {target} while both lie in enemy zones of control, bridge or no bridge"
            return against(at, "move.zone.whole", why)
        if price == ALL:
            return left
        total = leave[i] + price + enter[n]
        if total > left:
            topic = "move.zone" if price <= left else "move.cost"
            message = f"the step from {origin} to {target} costs {unit} {total / 2:g} points, and it has {left / 2:g} left"
            return against(at, topic, message)
        return total

    def _barred_whole(self, at: Position, unit: str, origin: str, target: str) -> Refusal:
        arm, either = self.world.units[unit].arm, self.bars_whole(1, 0)
        ground = self.world.chart.entry(self.world.board, arm, target) == ALL
        zones = f"begins {'or' if either else 'and'} ends in enemy zones of control"
        why = f"a step that takes the whole move, as from {origin} to {target}, never {zones}"
        return against(at, "move.zone.whole.ground" if ground else "move.zone.whole", why)

    def _closed(self, at: Position, unit: str, origin: str, target: str, mode: Mode = NORMAL) -> Refusal:
        """Why the ground closes a step."""
        board, counter = self.world.board, self.world.units[unit]
        if line := self.closed_line(counter.side, origin, target):
            return against(at, "move.side.line", f"{counter.side} never crosses the {line} between {origin} and {target}")
        if mode.along:
            why = f"{mode.name} movement stays on a {mode.along}, and none leads from {origin} to {target}"
            return against(at, f"{mode.topic}.way", why)
        barrier = self.world.chart.barrier(board, counter.arm, origin, target)
        if barrier:
            return against(at, "move.side", f"{counter.arm} cannot cross the {barrier} between {origin} and {target}")
        terrain = board.terrain(target)
        return against(at, f"move.cost.closed.{terrain}", f"{target} is closed to {counter.arm}: {terrain}")

    def _out_of_reach(self, at: Position, unit: str, target: str, mode: Mode) -> Refusal:
        board, here, counter = self.world.board, at.state.locations[unit], self.world.units[unit]
        points, start, goal = self.allowance(at, unit), board.index(here), board.index(target)
        costs = self.costs_of(at, unit, mode)
        leave, enter = self.surcharges(at, unit)
        open_ground = enter.translate(NO_ZONES)
        in_the_way = goal in reach(board, start, points * 2, costs, enter=open_ground, firsts=costs.whole_steps(start))
        adjacent = board.adjacent(here, target)
        if adjacent and self.closed_line(counter.side, here, target):
            return self._closed(at, unit, here, target)
        if mode.outside_zones and in_the_way:
            kind = f"{mode.name} move".lstrip()
            return against(at, f"{mode.topic}.zone", f"every {kind} of {unit} to {target} enters an enemy zone of control")
        if mode.name:
            if mode.along and not board.has_link(target, mode.along):
                return against(at, f"{mode.topic}.way", f"{mode.name} movement stays on a {mode.along}, and {target} has none")
            if mode.along and goal not in reach(board, start, MAX_BUDGET, costs):
                return against(at, f"{mode.topic}.way", f"no {mode.along} leads {unit} from {here} to {target}")
            return against(at, mode.topic, f"{target} is out of reach of {unit} by {mode.name} movement with {points} points")
        if adjacent:
            price = costs[board.direction(here, target)][start]
            if price == CLOSED and (not in_the_way or self.world.chart.barrier(board, counter.arm, here, target)):
                return self._closed(at, unit, here, target)
            if in_the_way and (price == ALL or (leave[start] and enter[goal] and costs.is_guarded(start, goal))):
                why = self.step(at, unit, here, target, points * 2)
                if isinstance(why, Refusal):
                    return why
        if in_the_way:
            message = f"enemy zones of control make the way to {target} too costly for {unit} with {points} points"
            return against(at, "move.zone", message)
        return against(at, "move.cost", f"{target} is out of reach of {unit} with {points} points")

    def report(self, at: Position, unit: str, mode: str = "") -> ReachReport:
        """Where a unit can go with the cost of each hex, and why neighbouring hexes are closed."""
        board, here = self.world.board, at.state.locations[unit]
        found = self.reach(at, unit, mode)
        open_to = {label: found[board.index(label)] / 2 for label in self.ends(at, unit, found)}
        beside = dict.fromkeys(near for known in (here, *open_to) for near in board.neighbours(known))
        refusals = {label: self.why_not(at, unit, label, mode) for label in beside if label != here and label not in open_to}
        return ReachReport(open_to, {label: refusal for label, refusal in refusals.items() if refusal})
