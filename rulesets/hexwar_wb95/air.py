"""Aircraft: assignment and answer, anti-aircraft fire, air combat, raids, support, supply, and rivers that they deny."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.board import Walls, bits
from hexwar.engine import ActionSet, Explained, Part, Play, Position, PublicEvent, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import occupant
from hexwar.pieces import OneByOne, Strength, TopicStep, UnitAction, against
from hexwar_wb95.bridges import MANY, BridgeBroken
from hexwar_wb95.content import HANGAR
from hexwar_wb95.fire import strike
from hexwar_wb95.state import Flight, Wb95State, half_up, hexside, without
from hexwar_wb95.zones import LARGE_RIVER

if TYPE_CHECKING:
    from hexwar_wb95.state import Doing
    from hexwar_wb95.world import Wb95World

BOMBER, GROUND_ATTACK, ANTI_AIRCRAFT = "bomber", "ground-attack", "anti-aircraft"
RAID, BRIDGE, WORKS, SUPPORT, SUPPLY, COVER = "raid", "bridge", "works", "support", "supply", "cover"
DOES = {RAID: "raids", WORKS: "bombs the fieldworks in", SUPPORT: "supports at", SUPPLY: "supplies", COVER: "covers"}
STRIKES = (RAID, BRIDGE, WORKS)


@record
class Fly(UnitAction):
    """Send an air unit to a hex with a task; `other` is the other end of a bridge that it is to destroy."""

    kind = "fly"
    to: str
    task: str
    other: str = ""

    def __str__(self) -> str:
        if self.task == BRIDGE:
            return f"{self.unit} bombs the bridge from {self.to} to {self.other}"
        return f"{self.unit} {DOES.get(self.task, self.task)} {self.to}"


@record
class Flew(PublicEvent[Wb95State]):
    """An air unit is over a hex."""

    kind = "flew"
    says = "{unit} is over {hex}: {task}"
    unit: str
    hex: str
    task: str
    other: str = ""

    def apply(self, state: Wb95State) -> None:
        """Place it."""
        state.flights = (*state.flights, Flight(self.unit, self.hex, self.task, self.other))


@record
class FlightsEnded(PublicEvent[Wb95State]):
    """Air units are on the ground again."""

    kind = "flights-ended"
    units: tuple[str, ...]
    reason: str

    def apply(self, state: Wb95State) -> None:
        """Take them off."""
        state.flights = tuple([flight for flight in state.flights if flight.unit not in self.units])

    def __str__(self) -> str:
        return f"{', '.join(self.units)} {self.reason}"


@record
class WorksDestroyed(PublicEvent[Wb95State]):
    """Fieldworks were bombed."""

    kind = "works-destroyed"
    says = "the fieldworks in {hex} are destroyed"
    hex: str

    def apply(self, state: Wb95State) -> None:
        """Take the marker off."""
        state.works = without(state.works, self.hex)


class Wings(Part):
    """air.1 to air.12: who may fly where, and what aircraft over a hex are worth."""

    world: Wb95World

    def why_not_fly(self, at: Position, action: Fly, active: str) -> Refusal | None:
        """air.1, air.5, air.8, air.12: why an air unit may not be sent on a task."""
        world, state = self.world, at.state
        counter = world.units[action.unit]
        if action.to not in world.board.indices:
            return against(at, "air", f"there is no hex {action.to} on the map")
        mine, enemy = counter.side, world.enemies(counter.side)[0]
        holder, answers = occupant(at, action.to), counter.side != active
        if action.task == SUPPLY and not answers:
            return None if holder == mine else against(at, "air.supply", f"nobody in {action.to} needs supply from {mine}")
        if action.task == COVER:
            there = any(flight.hex == action.to and world.units[flight.unit].side == enemy for flight in state.flights)
            return None if there and answers else against(at, "air", f"no aircraft over {action.to} can be answered")
        if action.task == SUPPORT:
            if GROUND_ATTACK not in counter.tags:
                return against(at, "air.support", f"{action.unit} are bombers, which support no unit")
            wanted = mine if answers else enemy
            return None if holder == wanted else against(at, "air.support", f"{wanted} has no unit in {action.to}")
        if answers:
            return against(at, "air", f"{mine} may only answer: support or cover")
        if action.task == RAID:
            return None if holder == enemy else against(at, "air", f"there is no enemy in {action.to}")
        if BOMBER not in counter.tags:
            return against(at, "air.bombers", f"{action.unit} are no bombers, which alone destroy bridges and fieldworks")
        if action.task == WORKS:
            there = action.to in state.works and holder == enemy
            return None if there else against(at, "air.bombers", f"the enemy has no fieldworks in {action.to}")
        known = action.task == BRIDGE and action.to < action.other and action.other in world.board.indices
        if known and world.board.adjacent(action.to, action.other) and world.bridges.stands(at, action.to, action.other):
            return None
        return against(at, "air.bombers", f"there is no such task as {action.task} at {action.to}")

    def flights(self, at: Position, unit: str, active: str) -> Iterator[Fly]:
        """Everything that an air unit may be sent to do; all of its kind may do the same."""
        counter = self.world.units[unit]
        key = "flights", counter.side, counter.tags, active
        found: list[Fly] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = [*self._flights(at, unit, active)]
        return (fly if fly.unit == unit else Fly(unit, fly.to, fly.task, fly.other) for fly in found)

    def _flights(self, at: Position, unit: str, active: str) -> Iterator[Fly]:
        world, state, side = self.world, at.state, self.world.units[unit].side
        flown = {flight.hex for flight in state.flights if world.units[flight.unit].side != side}
        tasks: dict[tuple[str | None, bool, bool], list[str]] = {}
        for label in sorted(state.layout.stacks.keys() & world.board.indices.keys()):
            sort = occupant(at, label), label in state.works, label in flown
            if sort not in tasks:  # nothing else of a hex matters
                possible = (RAID, WORKS, SUPPORT, SUPPLY, COVER)
                tasks[sort] = [task for task in possible if self.why_not_fly(at, Fly(unit, label, task), active) is None]
            for task in tasks[sort]:
                yield Fly(unit, label, task)
        if BOMBER in world.units[unit].tags and world.units[unit].side == active:
            for a, b in world.bridges.standing(at):
                yield Fly(unit, a, BRIDGE, b)

    # -- what aircraft are worth

    def over(self, at: Position, label: str, side: str, *tasks: str) -> list[str]:
        """The air units of a side over a hex, with some tasks or with any."""
        units = self.world.units
        flights = [flight for flight in at.state.flights if flight.hex == label and units[flight.unit].side == side]
        return [flight.unit for flight in flights if not tasks or flight.task in tasks]

    def strength(self, units: Sequence[str]) -> int:
        """air.7, air.10: bombers add up, of ground attack the strongest counts."""
        roster = self.world.units
        points = {unit: roster[unit].faces[-1].attack for unit in units}
        bombers = sum(points[unit] for unit in units if BOMBER in roster[unit].tags)
        return bombers + max([points[unit] for unit in units if BOMBER not in roster[unit].tags], default=0)

    def support(self, at: Position, targets: Sequence[str], side: str, *, attacks: bool) -> tuple[Strength, ...]:
        """air.2, air.10, air.11: the strongest ground attack over the attacked hexes, half of it in defence."""
        found = [unit for label in targets for unit in self.over(at, label, side, SUPPORT)]
        if not found:
            return ()
        best = max(found, key=lambda unit: self.strength((unit,)))
        points = self.strength((best,))
        strength = Strength(best, points, Fraction(points))
        return (strength if attacks else strength.changed(Fraction(half_up(points)), "in defence", "air.11"),)

    def supplies(self, at: Position, unit: str) -> bool:
        """air.5: whether a unit is supplied from the air."""
        return bool(self.over(at, at.state.locations[unit], self.world.units[unit].side, SUPPLY))

    def denied(self, at: Position, side: str) -> Walls:
        """air.4: the hexsides of large rivers without a bridge near enemy aircraft, which a side does not cross."""
        board, state = self.world.board, at.state
        enemies = [flight.hex for flight in state.flights if self.world.units[flight.unit].side != side]
        if not enemies:
            return ()
        near = 0
        for label in enemies:
            near |= board.around(label) | 1 << board.indices[label]
        key = near, state.broken, state.built
        found = self._denied.get(key)
        if found is None:
            if len(self._denied) >= MANY:
                self._denied.clear()
            found = self._denied[key] = self._unbridged(at, near)
        return found

    @cached_property
    def _denied(self) -> dict[object, Walls]:
        return {}

    def _unbridged(self, at: Position, near: int) -> Walls:
        """The hexsides of large rivers without a bridge that have an end in some hexes."""
        board = self.world.board
        masks = [0] * len(board.deltas)
        for d, mask in enumerate(board.walls(LARGE_RIVER)):
            for i in bits(mask & board.everywhere):
                n = i + board.deltas[d]
                if (near >> i | near >> n) & 1 and not self.world.bridges.stands(at, board.label(i), board.label(n)):
                    masks[d] |= 1 << i
        return tuple(masks)


# -- steps --------------------------------------------------------------------------------------------------------------


@record
class Assigning(OneByOne):
    """air.1: a side assigns its aircraft; the opponent answers."""

    kind = "assigning"
    shows = ("place",)
    says = "Send aircraft: {waiting}."
    clause = "air.1"
    topic = "air"
    ending = "No more aircraft"
    active: str
    """Whose phase it is."""

    def waiting(self, at: Position) -> tuple[str, ...]:
        """Those that have not been sent."""
        return self.units

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every task."""
        wings = at.world.wings

        def why_not(action: Fly) -> Refusal | None:
            reason: Refusal | None = wings.why_not_fly(at, action, self.active) if action.unit == unit else None
            return reason

        return Explained(wings.flights(at, unit, self.active), why_not, Fly)

    def act(self, play: Play, action: Fly) -> None:
        """Send it."""
        play.emit(Flew(action.unit, action.to, action.task, action.other, clause="air.1"))


@record
class AirFighting(TopicStep):
    """air.3, air.6, air.8: anti-aircraft fire, air combat, then raids, hex by hex."""

    kind = "air-fighting"
    clause = "air.6"
    stage: int = 0

    def resume(self, play: Play) -> None:
        """Do what comes next."""
        if self.stage == 0:
            play.replace(AirFighting(1))
            _fire_at_aircraft(play)
            _fight_in_the_air(play)
            return
        flights = [flight for flight in play.state.flights if flight.task in STRIKES]
        if not flights:
            play.pop()
            return
        first = flights[0]
        alike = (first.hex, first.task, first.other)
        units = tuple([flight.unit for flight in flights if (flight.hex, flight.task, flight.other) == alike])
        play.emit(FlightsEnded(units, "have done their task", clause="air.8"))
        strength = play.world.wings.strength(units)
        if first.task == RAID:
            strike(play, first.hex, strength - 2 * play.world.bonus(first.hex), "air.9")
        else:
            _destroy(play, first, strength)


def _fire_at_aircraft(play: Doing) -> None:
    """air.3: each air unit next to an enemy anti-aircraft unit, or over it."""
    world, board = play.world, play.world.board
    for flight in play.state.flights:
        enemies = [unit for side in world.enemies(world.units[flight.unit].side) for unit in world.on_board(play.state, side)]
        batteries = [play.state.locations[unit] for unit in enemies if ANTI_AIRCRAFT in world.units[unit].tags]
        if any(board.distance(here, flight.hex) <= 1 for here in batteries):
            rolled = play.roll(f"anti-aircraft fire at {flight.unit}", clause="air.3")
            if rolled <= world.printed.tables.anti_aircraft.removed:
                play.emit(FlightsEnded((flight.unit,), "is driven off by anti-aircraft fire", clause="air.3"))


def _fight_in_the_air(play: Doing) -> None:
    """air.6: both sides roll where both have aircraft; only the winner acts."""
    wings, sides = play.world.wings, play.world.scenario.order
    for label in sorted({flight.hex for flight in play.state.flights}):
        units = {side: wings.over(play, label, side) for side in sides}
        if not all(units.values()):
            continue
        sums = {
            side: wings.strength(units[side]) + play.roll(f"air combat over {label}, {side}", clause="air.6") for side in sides
        }
        best, tie = max(sums.values()), len(set(sums.values())) == 1
        lost = tuple([unit for side in sides if tie or sums[side] < best for unit in units[side]])
        play.emit(FlightsEnded(lost, "keep each other off" if tie else "lose the air combat", clause="air.6"))


def _destroy(play: Doing, flight: Flight, strength: int) -> None:
    """air.8: bombers against a bridge or fieldworks."""
    table = play.world.printed.tables.destruction
    column = sum(strength >= least for least in table.start) - 1
    large = flight.task == BRIDGE and play.world.bridges.river(flight.hex, flight.other) == LARGE_RIVER
    rolled = play.roll(f"bombs on {flight.hex}", clause="air.8")
    if column < 0 or rolled < table.least[column] + (table.large_river if large else 0):
        return
    if flight.task == WORKS and flight.hex in play.state.works:
        play.emit(WorksDestroyed(flight.hex, clause="air.8"))
    elif flight.task == BRIDGE and play.world.bridges.stands(play, flight.hex, flight.other):
        play.emit(BridgeBroken(hexside(flight.hex, flight.other), clause="air.8"))


# -- phases -------------------------------------------------------------------------------------------------------------


def air_phase(play: Doing, side: str) -> None:
    """air.1: the active side assigns first, then the opponent; in the turns in which aircraft fly."""
    world = play.world
    if play.state.turn not in world.scenario.air:
        return
    play.push(AirFighting())
    for who in (world.enemies(side)[0], side):
        units = tuple([unit for unit in world.of_side[who] if play.state.locations.get(unit) == HANGAR])
        if units:
            play.push(Assigning(world.seat_for(who), units, side))


def land(play: Doing, *tasks: str) -> None:
    """air.1: support lasts to the end of phase 4, supply to the end of phase 6."""
    units = tuple([flight.unit for flight in play.state.flights if not tasks or flight.task in tasks])
    if units:
        play.emit(FlightsEnded(units, "return", clause="air.1"))


def end_support(play: Doing) -> None:
    """air.1: what supports or covers returns after the combat phase."""
    land(play, SUPPORT, COVER)


AIR_STEPS: tuple[type[Step], ...] = (Assigning, AirFighting)
AIR_EVENTS = (Flew, FlightsEnded, WorksDestroyed)
