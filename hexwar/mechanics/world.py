"""The state and the world that hex rulesets build on: where pieces are, and the board, counters and charts of a game.

A piece's location is a hex label or the name of a box: a space of the turn track, a pool of reserves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from hexwar.board import CLOSED, Board, StepCosts
from hexwar.engine import Action, Play, Position, SequenceOfPlay, Setup, State, World, derived, essence, part, public, state
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics.command import Command
from hexwar.mechanics.layout import Covers, Ground, Layout

if TYPE_CHECKING:
    from hexwar.mechanics.chart import TerrainChart
    from hexwar.mechanics.units import Unit


@state
class HexState(State):
    """What every hex ruleset's state has. Rulesets set `layout` when they make their first state.

    The large fields are mappings that nobody changes: an event puts another in their place, and copies share what stays.
    """

    turn: int = public(default=0)
    """The turn being played; 0 before the first."""
    at: Mapping[str, str] = public(factory=dict)
    """Unit -> location; a unit that is out of the game for good is not here."""
    steps: Mapping[str, int] = public(factory=dict)
    """Unit -> steps left."""
    control: Mapping[str, str] = public(factory=dict)
    """Hex of a place -> the side that controls it."""
    layout: Layout = derived(factory=lambda: None, copy=lambda layout: layout and layout.share())

    def rebuild(self) -> None:
        """Make the layout anew, unless it is the layout of these units already: then it cannot differ."""
        layout: Layout | None = self.layout  # None in a state that nobody has given a ground yet
        if layout is not None and not layout.shows(self.at):
            self.layout = Layout.of(layout.ground, self.at)

    def put(self, unit: str, location: str) -> None:
        """Place or move a unit. Only events call this."""
        before, layout = self.at.get(unit), self.layout.own()
        if before is not None:
            layout.lift(unit, before)
        layout.place(unit, location)
        places = layout.places(self.at)
        places[unit] = location
        self.layout, self.at = layout, places

    def remove(self, unit: str) -> None:
        """Take a unit out of the game. Only events call this."""
        self.layout = self.layout.own()
        self.layout.lift(unit, self.at[unit])
        self.at = {other: location for other, location in self.at.items() if other != unit}
        self.steps = {other: steps for other, steps in self.steps.items() if other != unit}


@dataclass(frozen=True, slots=True)
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
        boxes: locations off the board.
        closed_sides: side -> hexside features that it never crosses, bridge or no bridge.
        whole_steps: whether zones close the steps that take a whole allowance, as in `hexwar.board.reach`.
        guarded_sides: hexside features that nobody crosses from an enemy zone into an enemy zone, bridge or no bridge.
        zone_closed_sides: hexside features across which no zone extends.
        shelters: arms in whose hexes enemy zones have no effect on their side.
    """

    command = part(Command)

    modes: tuple[Mode, ...] = (Mode(""),)
    """The ways of moving, the normal one first."""
    detours: bool = False
    """Whether a unit may be sent round by a place that it would take on its way, although that is not the cheapest way."""

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
        boxes: Iterable[str] = (),
        closed_sides: Mapping[str, Iterable[str]] | None = None,
        whole_steps: Literal["free", "either", "both"] = "free",
        guarded_sides: Iterable[str] = (),
        zone_closed_sides: Iterable[str] = (),
        shelters: Iterable[str] = (),
    ) -> None:
        super().__init__(setup, sequence)
        self.board = board
        self.units = units
        self.chart = chart
        self.cite = cite
        self.stacking = stacking
        self.boxes = frozenset(boxes)
        self.whole_steps = whole_steps
        self._shelters = frozenset(shelters)
        self._guarded_sides = frozenset(guarded_sides)
        self._zone_closed = frozenset(zone_closed)
        self._zone_closed_sides = frozenset(zone_closed_sides)
        self._enter_zone = enter_zone
        self._leave_zone = leave_zone
        self._closed_sides = {side: frozenset(features) for side, features in (closed_sides or {}).items()}
        self._costs: dict[tuple[str, str, str], StepCosts] = {}
        self._limits: dict[tuple[str, str], int] = {}
        self.changes_modes = bool(self.hooks.chain("modes"))
        """Whether a variant may give a unit other ways of moving than `modes`."""
        self._enemies = {side: tuple(other for other in self.sides if other != side) for side in self.sides}
        self.rules.require({f"topic {topic}": clause for topic, clause in cite.items()})
        chart.require_names(board)

    @cached_property
    def content(self) -> str:
        """See `World.content`."""
        text = json.dumps(essence(self.content_parts()), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def content_parts(self) -> tuple[object, ...]:
        """What a game depends on; a world with further tables adds them to those of its base."""
        return (self.board.digest, self.units, self.chart)

    def closed_to(self, side: str, origin: str, target: str) -> str:
        """The feature of the hexside between two adjacent hexes that a side never crosses, or ""."""
        return min(self._closed_sides.get(side, frozenset()) & self.board.side(origin, target), default="")

    def mode(self, name: str) -> Mode:
        """A way of moving by its name."""
        for mode in self.modes:
            if mode.name == name:
                return mode
        raise UnknownName("way of moving", name, [mode.name for mode in self.modes])

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """The ways of moving that are open to a unit, the normal one first."""
        if not self.changes_modes:
            return self.modes
        open_to: tuple[Mode, ...] = self.hooks.refine("modes", self.modes, at, unit)
        return open_to

    def mode_of(self, at: Position, unit: str, name: str) -> Mode | None:
        """A way of moving by its name, as it is open to a unit; None if it is closed to it."""
        known = self.mode(name)
        if not self.changes_modes:
            return known
        return next((mode for mode in self.modes_of(at, unit) if mode.name == name), None)

    def unit(self, unit_id: str) -> Unit:
        """A unit by its id."""
        try:
            return self.units[unit_id]
        except (KeyError, TypeError):
            raise UnknownName("unit", unit_id, self.units) from None

    def location(self, name: str) -> str:
        """A location under its own name: a hex by any of its labels, or a box.

        Raises:
            HexwarError: if there is no such location.
        """
        if name in self.boxes:
            return name
        if name not in self.board and self.boxes:
            raise HexwarError(f"{name!r} is no hex of the board, and no box; the boxes are {', '.join(sorted(self.boxes))}")
        return self.board.label(self.board.index(name))

    def enemies(self, side: str) -> tuple[str, ...]:
        """The sides against which a side fights."""
        return self._enemies[side]

    @cached_property
    def ground(self) -> Ground:
        """What layouts are made with."""
        arms = sorted({unit.arm for unit in self.units.values()})
        if self.hooks.chain("zone"):
            covers = {arm: self._covers(arm) for arm in arms}
        else:  # then all arms are alike
            covers = dict.fromkeys(arms, self._covers(arms[0])) if arms else {}
        return Ground(self.board, self.units, covers, self._enter_zone, self._leave_zone, self._shelters)

    def _covers(self, arm: str) -> Covers:
        covers = {}
        for label in self.board.labels:
            covered = []
            for near in self.board.neighbours(label):
                extends = self.board.terrain(near) not in self._zone_closed
                if self._zone_closed_sides and self._zone_closed_sides & self.board.side(label, near):
                    extends = False
                if self.hooks.refine("zone", extends, self, arm, label, near):
                    covered.append(self.board.index(near))
            covers[label] = tuple(covered)
        return covers

    def costs(self, arm: str, conditions: str = "", side: str = "") -> StepCosts:
        """The movement costs of an arm of a side under some conditions; made once, then looked up."""
        costs = self._costs.get((arm, conditions, side))
        if costs is None:
            costs = self._costs[arm, conditions, side] = self._find_costs(arm, conditions, side)
        return costs

    def _find_costs(self, arm: str, conditions: str, side: str) -> StepCosts:
        closed = self._closed_sides.get(side, frozenset())
        if side and not closed:  # sides to which the same hexsides are open share a table
            return self.costs(arm, conditions)
        hooked = self.hooks.chain("movement_cost")
        if not hooked:
            # Then nothing but the chart matters, and arms that move alike share a table as well.
            first = next(name for name, other in self.chart.arms.items() if other == self.chart.arms[arm])
            if first != arm:
                return self.costs(first, conditions, side)

        def refine(origin: str, target: str, cost: int) -> int:
            if closed and closed & self.board.side(origin, target):
                return CLOSED
            refined: int = self.hooks.refine("movement_cost", cost, self, conditions, arm, origin, target)
            return min(refined, CLOSED)

        last_word = refine if hooked or closed else None
        return self.chart.table(self.board, arm, last_word, self.is_guarded if self._guarded_sides else None)

    def is_guarded(self, origin: str, target: str) -> bool:
        """Whether a step between two adjacent hexes is closed where both lie in enemy zones."""
        return not self._guarded_sides.isdisjoint(self.board.side(origin, target))

    def allowance(self, at: Position, unit: str) -> int:
        """The movement points of a unit on the board as it is now: those printed on the side of its counter that lies up."""
        move: int = self.units[unit].faces[at.state.steps[unit] - 1].move
        return move

    @cached_property
    def controlled(self) -> Mapping[str, str]:
        """Hex -> the name of what a side controls there since it entered last; every place of the board, unless overridden."""
        return {label: place.name for place in self.board.places for label in place.hexes}

    @cached_property
    def controlled_hexes(self) -> frozenset[int]:
        """The indices of what is controlled."""
        return frozenset(map(self.board.index, self.controlled))

    def prizes(self, at: Position) -> frozenset[int]:
        """The indices of the hexes that a unit may want to pass, if `is_prize` says so; what is controlled, unless overridden."""
        return self.controlled_hexes

    def is_prize(self, at: Position, unit: str, label: str) -> bool:
        """Whether a unit takes something when it enters a hex: a place of another side, unless overridden."""
        return label in self.controlled and at.state.control.get(label) != self.units[unit].side

    def named(self, action: Action) -> Action:
        """With every hex under its first label."""
        changes: dict[str, object] = {}
        for field in fields(action):  # type: ignore[arg-type]  # every action is a record
            value = getattr(action, field.name)
            if isinstance(value, str):
                changes[field.name] = self._named(value)
            elif isinstance(value, tuple) and all(isinstance(item, str) for item in value):
                changes[field.name] = tuple(map(self._named, value))
        return replace(action, **changes)  # type: ignore[type-var]

    def _named(self, word: str) -> str:
        return self.board.label(self.board.index(word)) if word in self.board else word

    def avoided(self, at: Position, unit: str) -> frozenset[int]:
        """Hexes through which a move does not lead if its end can be reached without them."""
        return frozenset()

    def entered(self, play: Play, unit: str, hexes: Sequence[str]) -> None:
        """What else happens when a unit has entered some hexes, by movement, retreat, pursuit or arrival."""

    def eliminated(self, play: Play, unit: str, label: str) -> None:
        """What else happens when a unit has been eliminated.

        Args:
            play: the position, the unit gone or in its box.
            unit: the unit.
            label: where it stood.
        """

    def grave(self, at: Position, unit: str, topic: str) -> tuple[str, str]:
        """Where a unit goes that is eliminated, and the clause on that; two empty strings if it leaves the game.

        Args:
            at: the position, the unit still in its place.
            unit: the unit.
            topic: what eliminates it: "losses", "retreat.zone", "retreat.none" or a ruleset's own.
        """
        return "", ""

    def stacking_limit(self, side: str, label: str) -> int:
        """How many units of a side may stand in a hex; asked once, then looked up."""
        limit = self._limits.get((side, label))
        if limit is None:
            limit = self._limits[side, label] = self.hooks.refine("stacking_limit", self.stacking, self, side, label)
        return limit

    def may_stack(self, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand together in a hex. Games that count other than heads override this."""
        return len(units) <= self.stacking_limit(self.units[units[0]].side, label)
