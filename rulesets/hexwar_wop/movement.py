"""13 Movement, and what enemy zones cost (10.6 to 10.9): parts of the allowance, by kind of unit."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from hexwar.board import ALL, CLOSED, Reach, StepCosts, bits, mask_of
from hexwar.engine import Play, Position
from hexwar.errors import Refusal
from hexwar.mechanics import NORMAL, Mode, Movement, WalkingMovement, occupant, stack
from hexwar.pieces import against, face, on_board, stands
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER, TRAIN
from hexwar_wop.flights import delayed_hexes
from hexwar_wop.garrisons import Garrisoning, may_garrison
from hexwar_wop.modifiers import troops
from hexwar_wop.pursuit import PURSUIT
from hexwar_wop.reactions import Advancing, Approaching, SetOut, concerned
from hexwar_wop.transport import carrier, kind_of, mates

if TYPE_CHECKING:
    from hexwar_wop.world import WopWorld

HALVED = ("armoured_car", "tank", TRAIN, RIVER)
"""3.12.b: those that lack of supply makes slower; guns are not among them (3.12.d)."""
DELAYED = 2
"""17.9: half points."""
TOGETHER = Mode("together", topic="move.together")
"""13.7.b: as a stack."""
KEPT = 256
"""How many tables of step costs are kept in mind."""


class ZoneTerms(NamedTuple):
    """10.6: what enemy zones cost a unit, in half points.

    Args:
        leaving: for a step out of a zone.
        within: for one from zone to zone, in place of that; `ALL` or `CLOSED`.
    """

    leaving: int
    within: int


class WopMovement(WalkingMovement):
    """13.1 to 13.8: one unit after the other, with at most its allowance, hex by hex.

    Under command, units (9.8) and headquarters (9.7) go where they like; armoured trains along railways (15.2.a), and they need
    command as others do (15.1).
    """

    world: WopWorld
    modes = (NORMAL, TOGETHER)

    def __init__(self, world: WopWorld) -> None:
        super().__init__(world)
        self._zoned: dict[Hashable, StepCosts] = {}
        self._leaving: dict[Hashable, bytearray] = {}

    def allowance(self, at: Position, unit: str) -> int:
        """13.1.a, 13.8: what a unit begins with, less what loading and unloading have cost it (18.2.b, 18.13)."""
        spent = at.state.spent
        return (
            max(0, self.initial(at, unit) - spent.get(unit, 0) - spent.get(carrier(at, unit), 0))
            if spent
            else self.initial(at, unit)
        )

    def initial(self, at: Position, unit: str) -> int:
        """What a unit begins with: the points of its transport (18.1), or its own."""
        by = carrier(at, unit)
        return kind_of(at, by).move if by else self.own_allowance(at, unit)

    def own_allowance(self, at: Position, unit: str) -> int:
        """13.1.a: what is printed; 3.12.b: half of it, rounded up, for what has engines and lacks supply."""
        printed: int = face(at, unit).move
        if unit in at.state.no_supply and self.world.units[unit].arm in HALVED:
            return math.ceil(printed / 2)
        return printed

    def moves_as(self, at: Position, unit: str) -> str:
        """18.1: the column of the terrain table by which a unit moves: that of its transport, if it is loaded."""
        return self.world.units[carrier(at, unit) or unit].arm

    # -- on the way -----------------------------------------------------------------------------------------------------

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """All at once where nothing can happen on the way, otherwise hex by hex; 13.7.b: alone or with the others."""
        members, enemies = (unit, *self.joined(play, unit, mode)), self.world.enemies(self.world.units[unit].side)
        if play.state.active and self.world.units[unit].arm != HEADQUARTERS:
            play.emit(SetOut(members, clause="13.7.b" if mode else "13.7.a"))
        if any(
            occupant(play, label) in enemies
            or any(may_garrison(play, member, label) for member in members)
            or concerned(play, members, label)
            for label in path[1:]
        ):
            seat = self.world.seat_for(self.world.units[unit].side, unit)
            left = 2 * min(self.allowance(play, member) for member in members)
            play.push(Advancing(seat, unit, tuple(path[1:]), left, mode))
        else:
            for member in members:
                Movement.go(self, play, member, path, mode)

    def company(self, at: Position, unit: str) -> tuple[str, ...]:
        """Those that go wherever a unit goes: on the same transport (18.7.3), or in the stack that is on its way (13.7.b)."""
        if carrier(at, unit):
            return mates(at, unit)
        together: tuple[str, ...] = at.state.together
        return together[1:] if together[:1] == (unit,) else ()

    def joined(self, at: Position, unit: str, mode: str) -> tuple[str, ...]:
        """Those that will go with a unit that moves in some way."""
        return self.companions(at, unit) if mode else mates(at, unit)

    # -- 13.7.b stacks --------------------------------------------------------------------------------------------------

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """13.7.b: alone, or together with the others of its hex."""
        return self.modes if self.companions(at, unit) else (NORMAL,)

    def companions(self, at: Position, unit: str) -> tuple[str, ...]:
        """13.7.b: those with which a unit can move as a stack: all in its hex that have not moved and can, trains apart."""
        if unit in at.state.marched:
            return self.company(at, unit)
        here = stack(at, at.state.locations[unit])
        if len(here) < 2 or at.state.active != self.world.units[unit].side or not self._joins(at, unit):
            return ()
        return tuple(other for other in here if other != unit and self._joins(at, other))

    def _joins(self, at: Position, unit: str) -> bool:
        state = at.state
        free = unit not in state.no_command and unit not in state.loaded and unit not in state.spent and unit not in state.marched
        return free and self.world.units[unit].arm not in (HEADQUARTERS, AIR, TRAIN) and bool(self.allowance(at, unit))

    def _together(self, at: Position, units: Sequence[str]) -> StepCosts:
        """13.7.b: what steps cost a stack: for each, what it costs the member that pays the most.

        The search adds what leaving a zone costs the first of them.
        """
        mask, terms = at.state.layout.threatened[self.world.units[units[0]].side], [self.terms(at, unit) for unit in units]
        tables = [self._costs_on(at, unit, term) for unit, term in zip(units, terms, strict=True)]
        key = (tuple(tables), mask, tuple(terms))
        found = self._zoned.get(key)
        if found is None:
            joint = [bytearray(map(max, *(table[d] for table in tables))) for d in range(6)]
            for table, d in ((table, d) for d, table in enumerate(joint)):
                for i in bits(mask):
                    if table[i] < ALL:
                        prices = [one[d][i] + term.leaving for one, term in zip(tables, terms, strict=True)]
                        table[i] = max(prices) - terms[0].leaving
            found = self._zoned[key] = StepCosts(self.world.board, joint)
        return found

    def hop(self, play: Play, unit: str, origin: str, target: str, mode: str = "") -> None:
        """A unit has entered a hex: enemies next to it answer (13.9, 13.17, 9.23); it may leave a garrison (11.1.a, 11.6)."""
        seat = self.world.seat_for(self.world.units[unit].side, unit)
        others = self.company(play, unit) if mode != PURSUIT else ()
        for other in others:
            Movement.go(self, play, other, (origin, target), mode)
        for member in (unit, *others) if mode != PURSUIT else ():
            if may_garrison(play, member, target):
                play.push(Garrisoning(seat, member))
        hexes = concerned(play, (unit, *others), target, pursues=mode == PURSUIT)
        if hexes:
            play.push(Approaching(seat, unit, hexes, mode == PURSUIT))

    # -- 13.1 to 13.4 what steps cost -----------------------------------------------------------------------------------

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        """13.3.b: ground that is closed to an arm can only be left along the road by which it was entered."""
        board, chart = self.world.board, self.world.chart
        along = any(link in chart.arms[arm].links for link in board.links(origin, target))
        return CLOSED if chart.entry(board, arm, origin) == CLOSED and not along else printed

    # -- 10.6 zones -----------------------------------------------------------------------------------------------------

    def terms(self, at: Position, unit: str) -> ZoneTerms:
        """10.6.2, 10.6.3.a, 10.6.3.b, 10.7 to 10.9: parts of the allowance that a unit begins with, rounded up to half points."""
        return self._terms(self.moves_as(at, unit), 2 * self.initial(at, unit))

    def _terms(self, arm: str, points: int) -> ZoneTerms:
        if arm == AIR:
            return ZoneTerms(0, 0)
        templates = self.world.printed.templates
        zone = templates.zone_cost[templates.movement_class[templates.class_of(arm)].zoc_cost]
        if isinstance(zone.zone_to_zone, str):
            within = ALL if zone.zone_to_zone == "all" else CLOSED
        else:
            within = math.ceil(points * zone.zone_to_zone)
        return ZoneTerms(math.ceil(points * zone.exit), within)

    def costs_of(self, at: Position, unit: str, mode: Mode = NORMAL) -> StepCosts:
        """13.2.a, 13.4, 10.6.3: what steps cost a unit, those from zone to zone included; friends there do not help (10.4.b)."""
        if mode.name:
            return self._together(at, (unit, *self.companions(at, unit)))
        found = self._costs_on(at, unit, self.terms(at, unit))
        return self._towards_command(at, unit, found) if unit in at.state.no_command else found

    def _costs_on(self, at: Position, unit: str, terms: ZoneTerms) -> StepCosts:
        counter = self.world.units[unit]
        mask = at.state.layout.threatened[counter.side]
        plain = self.costs(self.moves_as(at, unit), self.conditions(at), counter.side)
        guarded = self.world.river.guarded(at, counter.side)
        key = (plain, mask, terms, guarded)
        found = self._zoned.get(key)
        if found is None:
            if len(self._zoned) > KEPT:
                self._zoned.clear()
            found = self._zoned[key] = self._with_zones(plain, mask, terms, guarded)
        return found

    def _with_zones(self, plain: StepCosts, mask: int, terms: ZoneTerms, guarded: frozenset[tuple[int, int]]) -> StepCosts:
        """10.6.3; 10.2.3.b: over a river that enemy boats watch, every step is one from zone to zone."""
        board = self.world.board
        tables = [bytearray(plain[d]) for d in range(6)]
        for delta, table in zip(board.deltas, tables, strict=True):
            both = mask & (mask >> delta if delta > 0 else mask << -delta)
            for i in bits(both):
                if table[i] < ALL:  # what leaving costs is added on the way
                    table[i] = terms.within if terms.within >= ALL else table[i] + terms.within - terms.leaving
        for i, d in guarded:
            delta = board.deltas[d]
            if tables[d][i] < ALL and not (mask >> i & 1 and mask >> (i + delta) & 1):
                paid = terms.leaving if mask >> i & 1 else 0
                tables[d][i] = terms.within if terms.within >= ALL else tables[d][i] + terms.within - paid
        return StepCosts(board, tables)

    def surcharges(self, at: Position, unit: str) -> tuple[bytearray, bytearray]:
        """10.6.1, 10.6.2: leaving a zone costs something, entering one nothing; 9.27.a: a headquarters enters none alone.

        17.9: leaving a hex in which enemy air units delay costs more.
        """
        return self._surcharges_on(at, unit, self.terms(at, unit).leaving)

    def _surcharges_on(self, at: Position, unit: str, leaving: int) -> tuple[bytearray, bytearray]:
        layout, counter = at.state.layout, self.world.units[unit]
        mask = layout.threatened[counter.side]
        key = (mask, leaving, slow := self.delayed(at, counter.side))
        leave = self._leaving.get(key)
        if leave is None:
            if len(self._leaving) > KEPT:
                self._leaving.clear()
            leave = self._leaving[key] = bytearray(self.world.board.size)
            for i in bits(mask) if leaving else ():
                leave[i] = leaving
            for i in bits(slow):
                leave[i] += DELAYED
        enter = layout.surcharges(counter.side)[1]
        if counter.arm == TRAIN:
            enter = self._past(at, unit, enter)
        if counter.arm == HEADQUARTERS:
            enter = enter[:]
            for i in bits(mask & ~self.world.supply.troops(at, counter.side)):
                enter[i] = CLOSED
        return leave, enter

    def _past(self, at: Position, train: str, enter: bytearray) -> bytearray:
        """14.28.a: hexes of a single enemy land unit are open to a train that runs past."""
        board, [enemy] = self.world.board, self.world.enemies(self.world.units[train].side)
        passed = [label for label in board.unmask(at.state.layout.held[enemy]) if self.runs_past(at, train, label)]
        if not passed:
            return enter
        enter = enter[:]
        for label in passed:
            enter[board.index(label)] = 0
        return enter

    def runs_past(self, at: Position, unit: str, label: str) -> bool:
        """14.28.a: whether a hex holds exactly one enemy land unit, and a train could run past it."""
        counter = self.world.units[unit]
        if counter.arm != TRAIN or not self.world.board.has_link(label, "rail"):
            return False
        return occupant(at, label) in self.world.enemies(counter.side) and len(troops(at, label)) == 1

    def alike(self, at: Position, unit: str) -> Hashable:
        """Whom enemy zones and air units cost the same."""
        counter = self.world.units[unit]
        return counter.arm == HEADQUARTERS, self.terms(at, unit).leaving, self.delayed(at, counter.side)

    def delayed(self, at: Position, side: str) -> int:
        """17.2.2, 17.9: the mask of the hexes that cost a side more to leave, in its own activation."""
        return delayed_hexes(at, side) if at.state.flights and at.state.active == side else 0

    def in_pursuit(self, at: Position, unit: str, points: int) -> tuple[StepCosts, bytearray, bytearray]:
        """10.10, 14.32.1, 14.32.3: what steps, leaving and entering cost a unit that pursues with some half points."""
        terms = self._terms(self.world.units[unit].arm, points)
        return self._costs_on(at, unit, terms), *self._surcharges_on(at, unit, terms.leaving)

    # -- 9.19 to 9.21 without command -----------------------------------------------------------------------------------

    def may_move(self, at: Position, unit: str) -> bool:
        """13.1.b, 9.11: it has an allowance, and not lost the headquarters of its formation."""
        return bool(self.allowance(at, unit)) and not (unit in at.state.no_command and self.world.command.is_orphan(at, unit))

    def homeward(self, at: Position, unit: str) -> tuple[int, int, str]:
        """Where a piece without command has to go, what it may not leave once it is there, and the clause on it.

        A headquarters goes to that of its army and stays in its range (9.19.a, 9.19.b), a unit into the range of its own
        headquarters (9.20.b), an independent one into the range of its armies or of any formation (9.21.a). Zones cost them what
        they cost others (9.20.c, 9.21.b).
        """
        counter, command = self.world.units[unit], self.world.command
        if counter.level:
            army = counter.army
            there = stands(at, army)
            here = 1 << self.world.board.index(at.state.locations[army]) if there else 0
            return here, command.range_of(at, army) if there else 0, "9.19.a"
        if counter.formation:
            return (command.range_of(at, counter.formation) if stands(at, counter.formation) else 0), 0, "9.20.b"
        leaders = [hq for hq in on_board(at, counter.side) if self.world.units[hq].level in ("army", "formation")]
        return reduce(or_, [command.range_of(at, hq) for hq in leaders], 0), 0, "9.21.a"

    def _towards_command(self, at: Position, unit: str, costs: StepCosts) -> StepCosts:
        """The steps that lead nearer to command, measured along ways that are open to the unit."""
        goals, home, _ = self.homeward(at, unit)
        [enemy] = self.world.enemies(self.world.units[unit].side)
        held = at.state.layout.held[enemy]
        key = (costs, goals, home, held)
        found = self._zoned.get(key)
        if found is None:
            found = self._zoned[key] = self._nearer(costs, goals & ~held, home, held)
        return found

    def _nearer(self, costs: StepCosts, goals: int, home: int, held: int) -> StepCosts:
        board = self.world.board
        everywhere = range(board.size)
        ways = [mask_of([i for i in everywhere if costs[d][i] != CLOSED], board.size) & ~held for d in range(6)]
        tables = [bytearray([CLOSED]) * board.size for _ in range(6)]
        layer, seen = goals, goals
        while layer:
            before = 0
            for d, delta in enumerate(board.deltas):
                steps = (layer >> delta if delta > 0 else layer << -delta) & ways[d] & ~seen
                before |= steps
                leaving = home & steps & ~(home >> delta if delta > 0 else home << -delta)
                for i in bits(steps & ~leaving):
                    tables[d][i] = costs[d][i]
            seen |= before
            layer = before
        return StepCosts(board, tables)

    def why_not(self, at: Position, unit: str, to: str, mode: str = "", path: Sequence[str] = ()) -> Refusal | None:
        """See `Movement.why_not`; without command, the rule is that of the way to it."""
        why = super().why_not(at, unit, to, mode, path)
        if why is None or unit not in at.state.no_command or why.clause not in ("13.2.a", "10.6.2.a"):
            return why
        return Refusal.against(self.homeward(at, unit)[2], f"{unit} has no command and may only move towards it")

    def reach_from(self, at: Position, unit: str, start: int, budget: int, mode: Mode = NORMAL, *, fresh: bool = True) -> Reach:
        """See `Movement.reach_from`; 13.5.a needs all points, which those that were loaded or unloaded do not have any more."""
        budget = min(budget, self._most(at, unit, mode))
        return super().reach_from(at, unit, start, budget, mode, fresh=fresh and self.is_whole(at, unit))

    def _most(self, at: Position, unit: str, mode: Mode) -> int:
        """13.7.b: the half points that a stack has: those of its slowest member."""
        members = (unit, *self.companions(at, unit)) if mode.name else (unit,)
        return 2 * min(self.allowance(at, member) for member in members)

    def why_not_along(
        self, at: Position, unit: str, path: Sequence[str], budget: int, mode: Mode = NORMAL, *, fresh: bool = True
    ) -> Refusal | None:
        """See `Movement.why_not_along`; a stack has the points of its slowest member."""
        return super().why_not_along(at, unit, path, min(budget, self._most(at, unit, mode)), mode, fresh=fresh)

    def is_whole(self, at: Position, unit: str) -> bool:
        """Whether a unit has spent nothing before it sets out."""
        return not at.state.spent or self.allowance(at, unit) == self.initial(at, unit)

    # -- 13.5 the minimum move ------------------------------------------------------------------------------------------

    def whole_steps(self, costs: StepCosts, start: int, leave: bytearray, enter: bytearray) -> list[int]:
        """13.5.a, 13.5.b: into any open hex next to it, for the whole allowance."""
        deltas = self.world.board.deltas
        return [start + delta for d, delta in enumerate(deltas) if costs[d][start] != CLOSED and enter[start + delta] != CLOSED]

    def step(
        self, at: Position, unit: str, origin: str, target: str, left: int, mode: Mode = NORMAL, *, fresh: bool = True
    ) -> int | Refusal:
        """See `Movement.step`; 13.5.a: the first hex may take the whole allowance, if it costs more; 9.27.a."""
        fresh = fresh and self.is_whole(at, unit)
        if self.runs_past(at, unit, target):
            return self._running(at, unit, origin, target, left)
        cost = super().step(at, unit, origin, target, left, mode, fresh=fresh)
        if isinstance(cost, int) or not left or not self.world.board.adjacent(origin, target):
            return cost
        index, (leave, enter) = self.world.board.index, self.surcharges(at, unit)
        if fresh and index(target) in self.whole_steps(self.costs_of(at, unit), index(origin), leave, enter):
            return left
        if enter[index(target)] == CLOSED and occupant(at, target) in (None, self.world.units[unit].side):
            return against(
                at, "move.headquarters", f"{target} lies in an enemy zone, and no unit of its side awaits {unit} there"
            )
        return cost

    def _running(self, at: Position, train: str, origin: str, target: str, left: int) -> int | Refusal:
        """14.28.a: what it costs a train to go into the hex of an enemy unit, where it does not stay."""
        board, (leave, _) = self.world.board, self.surcharges(at, train)
        i = board.index(origin)
        price = self.costs_of(at, train)[board.direction(origin, target)][i] if board.adjacent(origin, target) else CLOSED
        if price == CLOSED:
            return against(at, "move.side", f"no railway leads {train} from {origin} to {target}")
        total = leave[i] + price
        return total if total <= left else against(at, "move.cost", f"{train} has not enough points left to run past {target}")
