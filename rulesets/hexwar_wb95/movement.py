"""Movement: points, zones that stop, and guns in march and combat formation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hexwar.board import Walls
from hexwar.engine import ActionSet, AnyOf, Concern, Explained, Listed, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import NORMAL, Bar, Going, Mode, Move, Movement, Moves, Moving, ZoneTerms
from hexwar.pieces import UnitAction, standing
from hexwar_wb95.bridges import BRIDGE_ACTIONS, MANY, Demolish, Rebuild, Working, is_stopped, work
from hexwar_wb95.content import MOTOR
from hexwar_wb95.overruns import EXTRA, EXTRA_IN_WORKS, alone, may_overrun, run_over
from hexwar_wb95.state import FormationChanged, half_up

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing
    from hexwar_wb95.world import Wb95World

POINT = 2
"""A movement point in half points."""
MARCH = Mode("march", topic="move.formation", price=POINT)
"""art.6: a gun in combat formation goes into march formation, then moves."""
BATTERY = Mode("battery", topic="move.formation", price=POINT)
"""art.6: a gun in march formation moves, then goes into combat formation."""
BOTH = replace(BATTERY, price=2 * POINT)
"""art.6: a gun in combat formation moves farther than one hex, and is in combat formation again."""
ZONES = ZoneTerms(leaving=POINT, stops=True)
"""zoc.6, zoc.7."""
NOBODY = (0, 0)
SAME = "{unit} leaves the zone of an enemy, and {target} lies in a zone of the same unit"
AIRCRAFT = "{unit} cannot cross the large river from {origin} to {target}: enemy aircraft are near"
ONE_HEX = "{unit} is in combat formation, in which artillery moves one hex and no farther than {origin}"


class Wb95Movement(Movement):
    """zoc.6 to zoc.8, art.6 to art.9, supply.11."""

    world: Wb95World
    modes = (NORMAL, MARCH, BATTERY)

    def allowance(self, at: Position, unit: str, mode: str = "") -> int:
        """supply.11, art.21, bridge.1: half without supply by motor, nothing after a barrage, less after work at a bridge."""
        points, state = super().allowance(at, unit, mode), at.state
        if unit in state.silent:
            return 0
        if unit in state.shortage and self.world.units[unit].arm in MOTOR:
            points = half_up(points)
        left: int = points - state.spent.get(unit, 0)
        return max(0, left)

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """art.6: only guns have the choice."""
        if not self.world.units[unit].is_gun:
            return (NORMAL,)
        return (NORMAL, BATTERY) if unit in at.state.marching else (NORMAL, MARCH, BOTH)

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        """zoc.6, zoc.7: a zone stops whoever enters it; whoever begins there pays a point to leave."""
        return ZONES

    def going(self, at: Position, unit: str, mode: Mode = NORMAL) -> Going:
        """zoc.8, art.9: what is closed to the first step, and to a gun in combat formation."""
        found, here = super().going(at, unit, mode), at.state.locations.get(unit, "")
        if here not in self.world.board.indices:
            return found
        counter = self.world.units[unit]
        same = self.world.zones.same(at, counter.side, here)
        in_formation = here if counter.is_gun and not mode.name and unit not in at.state.marching else ""
        walls = self.world.wings.denied(at, counter.side) if at.state.flights else ()
        soft = alone(at, counter.side) if may_overrun(at, unit) else NOBODY
        if not (same or in_formation or walls or any(soft)):
            return found
        key = id(found), same, in_formation, walls, soft
        known = self._goings.get(key)
        if known is None:
            if len(self._goings) >= MANY:
                self._goings.clear()
            # With the other, so that its id stays its own.
            known = self._goings[key] = found, self._barred(found, same, in_formation, walls, soft)
        return known[1]

    def _barred(self, going: Going, same: int, in_formation: str, walls: Walls, soft: tuple[int, int]) -> Going:
        bars, board = going.bars, self.world.board
        if same:
            bars = (*bars, Bar("move.zone.same", SAME, same, first=True))
        if in_formation:
            elsewhere = board.everywhere & ~(1 << board.indices[in_formation])
            bars = (*bars, Bar("move.formation.hexes", ONE_HEX, steps=(elsewhere,) * 6))
        if any(walls):
            bars = (*bars, Bar("move.river", AIRCRAFT, steps=walls))
        masks = zip(soft, (EXTRA, EXTRA_IN_WORKS), strict=True)
        overruns = tuple([(mask, points * POINT) for mask, points in masks if mask])
        return replace(going, bars=bars, overruns=overruns) if bars or overruns else going

    @cached_property
    def _goings(self) -> dict[object, tuple[Going, Going]]:
        return {}

    def changed_steps(self, at: Position, arm: str) -> Mapping[tuple[str, str], int]:
        """bridge.1 to bridge.4: bridges that are down or new."""
        return self.world.bridges.changed_steps(at, arm) if at.state.broken or at.state.built else {}

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """art.6: a gun changes its formation before or after its way."""
        if mode == MARCH.name:
            set_formation(play, unit, marching=True)
        run_over(play, unit, path)
        super().go(play, unit, path, mode)
        if mode == BATTERY.name:
            set_formation(play, unit, marching=False)


def set_formation(play: Play, unit: str, *, marching: bool, clause: str = "art.6") -> None:
    """art.6: a gun changes its formation, unless it has it."""
    if (unit in play.state.marching) != marching:
        play.emit(FormationChanged(unit, marching, clause=clause))


@record
class Form(UnitAction):
    """Change the formation of a gun where it stands."""

    kind = "form"
    says = "{unit} changes its formation"


@record
class Wb95Moving(Moving):
    """The movement phase: units move one at a time, each once; what they would have to attack is told at every step."""

    kind = "moving"

    def prompt(self, at: Position, seat: str) -> str:
        """combat.1: with the hexes that would have to be attacked as units stand now."""
        told = Moving.prompt(self, at, seat)
        due = self.due(at)
        return f"{told} As units stand, you would have to attack {', '.join(due)}." if due else told

    def concern(self, at: Position, seat: str) -> Concern:
        """combat.1: the hexes that would have to be attacked."""
        return Concern(places=self.due(at))

    def due(self, at: At) -> tuple[str, ...]:
        """combat.1: the duties of the side as its units stand."""
        side = at.world.seats[self.seat]
        return at.world.obligations.duties(at, at.world.on_board(at.state, side))

    def choices(self, at: Position, unit: str) -> ActionSet:
        """art.6, bridge.1: with a change of formation in place, and work at bridges."""
        sets: list[ActionSet] = [Moves(at, unit)]
        points, bridges = at.world.movement.allowance(at, unit), at.world.bridges
        if at.world.units[unit].is_gun and points:
            sets.insert(0, Listed((Form(unit),)))
        if at.state.locations[unit] in at.world.riverside:

            def why_not(action: Any) -> Refusal | None:
                mine = isinstance(action, BRIDGE_ACTIONS) and getattr(action, "unit", "") == unit
                reason: Refusal | None = bridges.why_not_work(at, action, points) if mine else None
                return reason

            sets.insert(0, Explained(bridges.works(at, unit, points, fresh=True), why_not, UnitAction))
        return AnyOf(*sets) if len(sets) > 1 else sets[0]

    def perform(self, play: Play, seat: str, action: Any) -> None:
        """bridge.1: a unit that has worked at a bridge may still move, with fewer points."""
        if isinstance(action, Demolish | Rebuild):
            work(play, action)
        else:
            Moving.perform(self, play, seat, action)

    def act(self, play: Play, action: Any) -> None:
        """Move it, change its formation, or begin a bridge."""
        if isinstance(action, Form):
            set_formation(play, action.unit, marching=action.unit not in play.state.marching)
        elif isinstance(action, Move):
            left = self._left_after(play, action)
            Moving.act(self, play, action)
            if left >= POINT and not is_stopped(play, action.unit):
                play.push(Working(self.seat, action.unit, left))
        else:
            work(play, action)

    def _left_after(self, at: At, action: Move) -> int:
        """bridge.1: the half points that a unit has left after a move, if it ends at a river; artillery does not work there."""
        world, reaches = at.world, at.world.reaches
        if world.units[action.unit].is_gun or action.to not in world.riverside:
            return 0
        left = reaches.points(at, action.unit)
        for origin, target in pairwise(action.path or reaches.way(at, action.unit, action.to)):
            price = reaches.step(at, action.unit, origin, target, left, fresh=origin == at.state.locations[action.unit])
            left -= price or 0
        return int(left)


@record
class StrategicMoving(Wb95Moving):
    """rs.1: the units that did not move in the movement phase, and have done nothing else."""

    kind = "strategic-moving"
    says = "Strategic movement: {waiting}."
    topic = "strategic"
    ending = "End strategic movement"


def may_move_strategically(at: At, unit: str) -> bool:
    """rs.1, rs.2: it has neither moved nor fought nor dug in, and stands in no enemy zone."""
    state, side = at.state, at.world.units[unit].side
    here = at.world.board.indices.get(state.locations.get(unit, ""))
    busy = unit in state.marched or unit in state.fought or unit in state.dug
    return here is not None and not busy and not state.layout.threatened[side] >> here & 1


def movement_phase(play: Doing, side: str) -> None:
    """phase.1: every unit may move, those that arrive in this turn too."""
    units = (*standing(play, play.world.of_side[side]), *play.world.due(play, side))
    play.push(Wb95Moving(play.world.seat_for(side), units))


def strategic_phase(play: Doing, side: str) -> None:
    """rs.1."""
    units = tuple([unit for unit in play.world.on_board(play.state, side) if may_move_strategically(play, unit)])
    if units:
        play.push(StrategicMoving(play.world.seat_for(side), units))
