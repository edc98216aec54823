"""13 Movement, and what enemy zones cost (10.6 to 10.9): parts of the allowance, by kind of unit."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.board import ALL, CLOSED, StepCosts, step
from hexwar.engine import Play, Position
from hexwar.mechanics import NORMAL, Bar, Going, Mode, Movement, ZoneTerms, occupant, stack
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER, TRAIN
from hexwar_wop.flights import delayed_hexes
from hexwar_wop.garrisons import Garrisoning, may_garrison
from hexwar_wop.homeward import away_from_command
from hexwar_wop.pursuit import PURSUIT
from hexwar_wop.reactions import Advancing, Approaching, SetOut, concerned
from hexwar_wop.river import boats
from hexwar_wop.transport import carrier, kind_of, mates

if TYPE_CHECKING:
    from hexwar_wop.world import WopWorld

HALVED = ("armoured_car", "tank", TRAIN, RIVER)
"""3.12.b: those that lack of supply makes slower; guns are not among them (3.12.d)."""
DELAYED = 2
"""17.9: half points."""
TOGETHER = Mode("together", topic="move.together")
"""13.7.b: as a stack."""
Steps = tuple[tuple[tuple[str, str], int], ...]
"""Steps, from hex and to hex, and their half points."""
KEPT = 1024
"""How many ways of going are kept in mind."""
ALONE = "{target} lies in an enemy zone, and no unit of its side awaits {unit} there"
"""9.27.a: a headquarters enters no enemy zone alone."""


class WopMovement(Movement):
    """13.1 to 13.8: one unit after the other, with at most its allowance, hex by hex.

    Under command, units (9.8) and headquarters (9.7) go where they like; armoured trains along railways (15.2.a), and they need
    command as others do (15.1).
    """

    world: WopWorld
    modes = (NORMAL, TOGETHER)

    def __init__(self, world: WopWorld) -> None:
        super().__init__(world)
        self._terms: dict[tuple[str, int], ZoneTerms] = {}
        self._goings: dict[Hashable, Going] = {}
        self._latest: tuple[tuple[int, list[str]], int] = ((-1, []), 0)
        """Where enemies stood, and where something may happen then."""

    def allowance(self, at: Position, unit: str, mode: str = "") -> int:
        """13.1.a, 13.8: what a unit begins with, less what loading and unloading have cost it (18.2.b, 18.13)."""
        spent, by = at.state.spent, at.state.loaded.get(unit, "")
        initial = kind_of(at, by).move if by else self.own_allowance(at, unit)
        return max(0, initial - spent.get(unit, 0) - spent.get(by, 0)) if spent else initial

    def initial(self, at: Position, unit: str) -> int:
        """What a unit begins with: the points of its transport (18.1), or its own."""
        by = at.state.loaded.get(unit, "")
        return kind_of(at, by).move if by else self.own_allowance(at, unit)

    def own_allowance(self, at: Position, unit: str) -> int:
        """13.1.a: what is printed; 3.12.b: half of it, rounded up, for what has engines and lacks supply."""
        counter = self.world.units[unit]
        printed: int = counter.faces[at.state.steps_left[unit] - 1].move
        return math.ceil(printed / 2) if counter.arm in HALVED and unit in at.state.no_supply else printed

    def moves_as(self, at: Position, unit: str) -> str:
        """18.1: the column of the terrain table by which a unit moves: that of its transport, if it is loaded."""
        return self.world.units[at.state.loaded.get(unit) or unit].arm

    # -- on the way -----------------------------------------------------------------------------------------------------

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """All at once where nothing can happen on the way, otherwise hex by hex; 13.7.b: alone or with the others."""
        members, enemies = (unit, *self.joined(play, unit, mode)), self.world.enemies(self.world.units[unit].side)
        if play.state.active and self.world.units[unit].arm != HEADQUARTERS:
            play.emit(SetOut(members, clause="13.7.b" if mode else "13.7.a"))
        indices, eventful = self.world.board.indices, self._eventful(play, self.world.units[unit].side)
        if any(
            occupant(play, label) in enemies
            or any(may_garrison(play, member, label) for member in members)
            or concerned(play, members, label)
            for label in [label for label in path[1:] if eventful >> indices[label] & 1]
        ):
            seat = self.world.seat_for(self.world.units[unit].side, unit)
            left = 2 * min(self.allowance(play, member) for member in members)
            play.push(Advancing(seat, unit, tuple(path[1:]), left, mode))
        else:
            for member in members:
                Movement.go(self, play, member, path, mode)

    def _eventful(self, at: Position, side: str) -> int:
        """The mask of the hexes in which something may happen to a unit of a side on its way: in places, at and near enemies."""
        board, [enemy] = self.world.board, self.world.enemies(side)
        held, afloat = at.state.layout.held[enemy], [at.state.locations[boat] for boat in boats(at, enemy)]
        known, found = self._latest
        if known != (held, afloat):  # nearly always it is that of the move before
            found = self._sites | held | step(board, held, board.everywhere)
            for place in afloat:
                found |= self.world.river.ground[place]
            self._latest = (held, afloat), found
        return found

    @cached_property
    def _sites(self) -> int:
        """11.1.a: the mask of the hexes in which garrisons may be left or taken along."""
        return self.world.board.terrain_mask(*[ground.id for ground in self.world.terrain.values() if ground.garrison_site])

    def company(self, at: Position, unit: str) -> tuple[str, ...]:
        """Those that go wherever a unit goes: on the same transport (18.7.3), or in the stack that is on its way (13.7.b)."""
        if carrier(at, unit):
            return mates(at, unit)
        together: tuple[str, ...] = at.state.together
        return together[1:] if together[:1] == (unit,) else ()

    def joined(self, at: Position, unit: str, mode: str) -> tuple[str, ...]:
        """Those that will go with a unit that moves in some way."""
        return self.stackable(at, unit) if mode else mates(at, unit)

    # -- 13.7.b stacks --------------------------------------------------------------------------------------------------

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """13.7.b: alone, or together with the others of its hex."""
        return self.modes if self.stackable(at, unit) else (NORMAL,)

    def companions(self, at: Position, unit: str, mode: Mode) -> tuple[str, ...]:
        """13.7.b: a stack goes as its slowest members do, and each step costs what it costs the one that pays the most."""
        return self.stackable(at, unit) if mode.name else ()

    def stackable(self, at: Position, unit: str) -> tuple[str, ...]:
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

    def entered(self, play: Play, unit: str, origin: str, target: str, mode: str = "") -> None:
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

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        """10.6.2, 10.6.3.a, 10.6.3.b, 10.7 to 10.9: parts of the allowance that a unit begins with, rounded up to half points."""
        return self.terms_with(self.moves_as(at, unit), 2 * self.initial(at, unit))

    def terms_with(self, arm: str, points: int) -> ZoneTerms:
        """10.6.1, 10.6.2: entering a zone costs nothing; 10.10, 14.32.3: the parts are of the half points that there are.

        10.4.b: friends in the zone do not help.
        """
        found = self._terms.get((arm, points))
        if found is None:
            found = self._terms[arm, points] = self._parts(arm, points)
        return found

    def _parts(self, arm: str, points: int) -> ZoneTerms:
        if arm == AIR:
            return ZoneTerms()
        templates = self.world.printed.templates
        zone = templates.zone_cost[templates.movement_class[templates.class_of(arm)].zoc_cost]
        if isinstance(zone.zone_to_zone, str):
            within = ALL if zone.zone_to_zone == "all" else CLOSED
        else:
            within = math.ceil(points * zone.zone_to_zone)
        return ZoneTerms(math.ceil(points * zone.exit), within=within)

    def going(self, at: Position, unit: str, mode: Mode = NORMAL) -> Going:
        """13.5.a, 13.5.b: at least one hex, for those that have spent nothing; 18.1: loaded, it moves as its transport does.

        With what zones, air units and boats close and cost besides, and the rules on those without command.
        """
        initial, arm = self.initial(at, unit), self.moves_as(at, unit)
        whole = not at.state.spent or self.allowance(at, unit) == initial
        going = self._going(at, unit, self.terms_with(arm, 2 * initial), arm, True, whole)
        if unit in at.state.no_command and not mode.name:
            return replace(going, bars=(*going.bars, away_from_command(at, unit, going)))
        return going

    def pursuing(self, at: Position, unit: str, terms: ZoneTerms, arm: str) -> Going:
        """10.10, 14.32.1, 14.32.3: how a unit goes that pursues: command plays no part, and there is no minimum move."""
        return self._going(at, unit, terms, arm, False, True)

    def _going(self, at: Position, unit: str, terms: ZoneTerms, arm: str, minimum: bool, whole: bool) -> Going:
        own, side = self.world.units[unit].arm, self.world.units[unit].side
        now = at.memo.get(("going", side)) or self._now(at, side)
        alone = self._alone(at, side) if own == HEADQUARTERS else 0
        passes = self.world.retreat.passed(at, unit) if own == TRAIN else 0
        key = own, arm, side, terms, minimum, whole, now, alone, passes
        found = self._goings.get(key)
        if found is None:
            if len(self._goings) > KEPT:
                self._goings.clear()
            conditions, guarded, threatened, delayed = now
            changed = self._watched(guarded, self.world.reaches.costs(arm, conditions, side), threatened, terms)
            tolls = ((delayed, DELAYED),) if delayed else ()
            bars = (Bar("move.headquarters", ALONE, alone),) if own == HEADQUARTERS else ()
            found = Going(arm, side, conditions, terms, False, changed, tolls, bars, passes, minimum, whole)
            self._goings[key] = found
        return found

    def _now(self, at: Position, side: str) -> tuple[str, frozenset[tuple[int, int]], int, int]:
        """What counts for all of a side: conditions, what boats watch, its zones if they do, and delays (17.2.2, 17.9)."""
        guarded = self.world.river.guarded(at, side)
        threatened = at.state.layout.threatened[side] if guarded else 0
        delayed = delayed_hexes(at, side) if at.state.flights and at.state.active == side else 0
        found = at.memo["going", side] = self.conditions(at), guarded, threatened, delayed
        return found

    def _watched(self, guarded: frozenset[tuple[int, int]], plain: StepCosts, mask: int, terms: ZoneTerms) -> Steps:
        """10.2.3.b: over a river that enemy boats watch, every step is one from zone to zone."""
        board, within, steps = self.world.board, terms.within or 0, {}
        for i, d in sorted(guarded):
            n, paid = i + board.deltas[d], terms.leaving if mask >> i & 1 else 0
            if plain[d][i] < ALL and not (mask >> i & 1 and mask >> n & 1):
                steps[board.label(i), board.label(n)] = within if within >= ALL else plain[d][i] + within - paid
        return tuple(steps.items())

    def _alone(self, at: Position, side: str) -> int:
        """9.27.a: the mask of the hexes that a headquarters does not enter: enemy zones, unless a unit awaits it there."""
        return int(at.state.layout.threatened[side] & ~self.world.supply.troops(at, side))

    # -- 9.11 without command

    def may_move(self, at: Position, unit: str) -> bool:
        """13.1.b, 9.11: it has an allowance, and not lost the headquarters of its formation."""
        return bool(self.allowance(at, unit)) and not (unit in at.state.no_command and self.world.command.is_orphan(at, unit))
