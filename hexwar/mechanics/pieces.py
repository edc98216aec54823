"""Pieces on a hex board: the state and world that hex rulesets build on, and the events that move pieces about.

A piece's location is a hex label or any other name: a box, a space of the turn track, another piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, TypeVar

from hexwar.board import CLOSED, Board, StepCosts
from hexwar.engine import Event, Play, Position, SequenceOfPlay, Setup, Sight, State, World, derived, public, record, state
from hexwar.errors import RuleBroken, UnknownName
from hexwar.mechanics.chart import TerrainChart
from hexwar.mechanics.layout import Covers, Ground, Layout
from hexwar.mechanics.units import Face, Unit

S = TypeVar("S", bound="HexState")
W = TypeVar("W", bound="HexWorld")


@state
class HexState(State):
    """What every hex ruleset's state has. Rulesets set `layout` when they make their first state."""

    turn: int = public(default=0)
    """The turn being played; 0 before the first."""
    at: dict[str, str] = public(factory=dict)
    """Unit -> location; a unit that is out of the game for good is not here."""
    steps: dict[str, int] = public(factory=dict)
    """Unit -> steps left."""
    control: dict[str, str] = public(factory=dict)
    """Hex of a place -> the side that controls it."""
    layout: Layout = derived(factory=lambda: None, copy=lambda layout: layout and layout.copy())

    def rebuild(self) -> None:
        """Make the layout anew."""
        if self.layout is not None:
            self.layout = Layout.of(self.layout.ground, self.at)

    def put(self, unit: str, location: str) -> None:
        """Place or move a unit. Only events call this."""
        before = self.at.get(unit)
        if before is not None:
            self.layout.lift(unit, before)
        self.at[unit] = location
        self.layout.place(unit, location)

    def remove(self, unit: str) -> None:
        """Take a unit out of the game. Only events call this."""
        self.layout.lift(unit, self.at.pop(unit))
        del self.steps[unit]


class HexWorld(World):
    """Board, units and charts of a game.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
        board: the board.
        units: every unit of the game by id.
        chart: the terrain effects chart.
        cite: topic -> clause id, for the mechanics' events and refusals.
        stacking: how many units of a side may stand in a hex.
        zone_closed: terrain into which no zone extends.
        enter_zone: half points on top for entering an enemy zone.
        leave_zone: half points on top for leaving one.
    """

    def __init__(
        self,
        setup: Setup,
        sequence: SequenceOfPlay,
        *,
        board: Board,
        units: Mapping[str, Unit],
        chart: TerrainChart,
        cite: Mapping[str, str],
        stacking: int,
        zone_closed: Iterable[str] = (),
        enter_zone: int = 0,
        leave_zone: int = 0,
    ) -> None:
        super().__init__(setup, sequence)
        self.board = board
        self.units = units
        self.chart = chart
        self.cite = cite
        self.stacking = stacking
        self._zone_closed = frozenset(zone_closed)
        self._enter_zone = enter_zone
        self._leave_zone = leave_zone
        self._costs: dict[tuple[str, str], StepCosts] = {}
        self.rules.require({f"topic {topic}": clause for topic, clause in cite.items()})

    def clause(self, topic: str) -> str:
        """The clause that a topic of the mechanics stands in."""
        try:
            return self.cite[topic]
        except KeyError:
            raise RuleBroken(f"the ruleset does not say which clause is about {topic!r}") from None

    def unit(self, unit_id: str) -> Unit:
        """A unit by its id."""
        try:
            return self.units[unit_id]
        except (KeyError, TypeError):
            raise UnknownName("unit", unit_id, self.units) from None

    def enemies(self, side: str) -> tuple[str, ...]:
        """The sides against which a side fights."""
        return tuple(other for other in self.sides if other != side)

    @cached_property
    def ground(self) -> Ground:
        """What layouts are made with."""
        arms = {unit.arm for unit in self.units.values()}
        covers = {arm: self._covers(arm) for arm in sorted(arms)}
        return Ground(self.board, self.units, covers, self._enter_zone, self._leave_zone)

    def _covers(self, arm: str) -> Covers:
        covers = {}
        for label in self.board.labels:
            covered = []
            for near in self.board.neighbours(label):
                extends = self.board.terrain(near) not in self._zone_closed
                if self.hooks.refine("zone", extends, self, arm, label, near):
                    covered.append(self.board.index(near))
            covers[label] = tuple(covered)
        return covers

    def costs(self, arm: str, conditions: str = "") -> StepCosts:
        """The movement costs of an arm under some conditions; made once, then looked up."""
        costs = self._costs.get((arm, conditions))
        if costs is None:

            def refine(origin: str, target: str, cost: int) -> int:
                refined: int = self.hooks.refine("movement_cost", cost, self, conditions, arm, origin, target)
                return min(refined, CLOSED)

            costs = self._costs[arm, conditions] = self.chart.table(self.board, arm, refine)
        return costs

    def stacking_limit(self, side: str, label: str) -> int:
        """How many units of a side may stand in a hex."""
        limit: int = self.hooks.refine("stacking_limit", self.stacking, self, side, label)
        return limit


# -- what rules ask of pieces -----------------------------------------------------------------------------------------


def face(at: Position[S, W], unit: str) -> Face:
    """The side of a counter that lies up."""
    return at.world.units[unit].faces[at.state.steps[unit] - 1]


def stack(at: Position[S, W], location: str) -> tuple[str, ...]:
    """The units in a location."""
    return at.state.layout.stacks.get(location, ())


def occupant(at: Position[S, W], label: str) -> str | None:
    """The side that stands in a hex, if any."""
    units = stack(at, label)
    return at.world.units[units[0]].side if units else None


def on_board(at: Position[S, W], side: str) -> list[str]:
    """The units of a side that stand on the board, in roster order."""
    return [unit for unit, of in at.world.units.items() if of.side == side and at.state.at.get(unit, "") in at.world.board]


def in_enemy_zone(at: Position[S, W], side: str, label: str) -> bool:
    """Whether a hex lies in a zone of control of the side's enemies."""
    return bool(at.state.layout.threatened[side] >> at.world.board.index(label) & 1)


def has_room(at: Position[S, W], side: str, label: str, coming: int = 1) -> bool:
    """Whether more units of a side may end in a hex without breaking the stacking limit."""
    return len(stack(at, label)) + coming <= at.world.stacking_limit(side, label)


# -- events ---------------------------------------------------------------------------------------------------------------


@record
class UnitPlaced(Event[HexState]):
    """A unit came onto the board or into a box."""

    sight = Sight.PUBLIC
    unit: str
    location: str

    def apply(self, state: HexState) -> None:
        """Put it there."""
        state.put(self.unit, self.location)

    def __str__(self) -> str:
        return f"{self.unit} arrives at {self.location}"


@record
class UnitMoved(Event[HexState]):
    """A unit went along a path of hexes, its first hex included."""

    sight = Sight.PUBLIC
    unit: str
    path: tuple[str, ...]
    manner: str = "moves"

    def apply(self, state: HexState) -> None:
        """Put it at the end of the path."""
        state.put(self.unit, self.path[-1])

    def __str__(self) -> str:
        return f"{self.unit} {self.manner} {' '.join(self.path)}"


@record
class StepLost(Event[HexState]):
    """A unit lost a step and lives."""

    sight = Sight.PUBLIC
    unit: str

    def apply(self, state: HexState) -> None:
        """Turn the counter."""
        state.steps[self.unit] -= 1

    def __str__(self) -> str:
        return f"{self.unit} loses a step"


@record
class UnitEliminated(Event[HexState]):
    """A unit is gone for good."""

    sight = Sight.PUBLIC
    unit: str

    def apply(self, state: HexState) -> None:
        """Take it away."""
        state.remove(self.unit)

    def __str__(self) -> str:
        return f"{self.unit} is eliminated"


@record
class ControlTaken(Event[HexState]):
    """A side took control of a place."""

    sight = Sight.PUBLIC
    side: str
    hex: str
    place: str

    def apply(self, state: HexState) -> None:
        """Note it."""
        state.control[self.hex] = self.side

    def __str__(self) -> str:
        return f"{self.side} takes {self.place} ({self.hex})"


@record
class TurnBegan(Event[HexState]):
    """The turn marker moved."""

    sight = Sight.PUBLIC
    turn: int

    def apply(self, state: HexState) -> None:
        """Move it."""
        state.turn = self.turn

    def __str__(self) -> str:
        return f"==== Turn {self.turn} ===="


PIECE_EVENTS: tuple[type[Event[Any]], ...] = (UnitPlaced, UnitMoved, StepLost, UnitEliminated, ControlTaken, TurnBegan)


def place_units(world: HexWorld, state: HexState, units: Mapping[str, Mapping[str, object]]) -> None:
    """Put units into a state that is being made: unit -> {"at": location} and, if it is not at full strength, "steps".

    Raises:
        ValueError: naming the unit and the mistake.
    """
    for unit_id, entry in units.items():
        unit = world.unit(unit_id)
        unknown = set(entry) - {"at", "steps"}
        if unknown:
            raise ValueError(f"unit {unit_id}: unknown key {min(unknown)!r}; a unit has at and steps")
        location, steps = entry.get("at"), entry.get("steps", unit.steps)
        if not isinstance(location, str) or not location:
            raise ValueError(f"unit {unit_id}: at must be a hex or another location, not {location!r}")
        if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps <= unit.steps:
            raise ValueError(f"unit {unit_id}: steps must be from 1 to {unit.steps}, not {steps!r}")
        if location[0].isdigit() and location not in world.board:
            world.board.index(location)
        state.steps[unit_id] = steps
        state.put(unit_id, location)


def lose_step(play: Play[S, W], unit: str, topic: str) -> None:
    """Take a step from a unit: turn it over, or remove it with its last."""
    clause = play.world.clause(topic)
    play.emit(StepLost(unit, clause=clause) if play.state.steps[unit] > 1 else UnitEliminated(unit, clause=clause))


def go(play: Play[S, W], unit: str, path: Iterable[str], topic: str, manner: str = "moves") -> None:
    """Move a unit along a path; it takes control of every place on its way."""
    hexes = tuple(path)
    play.emit(UnitMoved(unit, hexes, manner, clause=play.world.clause(topic)))
    take_control(play, unit, hexes[1:])


def take_control(play: Play[S, W], unit: str, hexes: Iterable[str]) -> None:
    """A unit's side takes the places in some hexes that were not its own."""
    side = play.world.units[unit].side
    for label in hexes:
        place = play.world.board.place(label)
        if place is not None and play.state.control.get(label, side) != side:
            play.emit(ControlTaken(side, label, place.name, clause=play.world.clause("control")))
