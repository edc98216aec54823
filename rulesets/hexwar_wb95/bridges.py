"""Bridges: destroyed and rebuilt by units beside them, and built over large rivers by headquarters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from hexwar.board import ALL, CLOSED, MAX_BUDGET
from hexwar.engine import Action, ActionSet, Choices, Part, Play, Position, PublicEvent, record
from hexwar.errors import Refusal
from hexwar.mechanics import in_enemy_zone, occupant
from hexwar.pieces import Done, TopicStep, UnitAction, against, stands
from hexwar_wb95.content import HQ
from hexwar_wb95.state import Wb95State, also, hexside, without
from hexwar_wb95.zones import LARGE_RIVER, SMALL_RIVER

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing
    from hexwar_wb95.world import Wb95World

DESTROY = {SMALL_RIVER: 1, LARGE_RIVER: 2}
"""bridge.1, bridge.3: points."""
REBUILD = 3
"""bridge.2."""
POINT = 2
MANY = 64
"""How many states of the bridges are kept in mind."""
T = TypeVar("T")


@record
class Demolish(UnitAction):
    """Destroy a bridge to a hex next to the unit."""

    kind = "demolish"
    says = "{unit} destroys the bridge to {to}"
    to: str


@record
class Rebuild(UnitAction):
    """Rebuild a bridge over a small river to a hex next to the unit."""

    kind = "rebuild"
    says = "{unit} rebuilds the bridge to {to}"
    to: str


@record
class Span(UnitAction):
    """Begin a bridge over a large river to a hex next to a headquarters."""

    kind = "span"
    says = "{unit} begins a bridge to {to}"
    to: str


@record
class BridgeBroken(PublicEvent[Wb95State]):
    """A bridge is down."""

    kind = "bridge-broken"
    says = "the bridge {side} is destroyed"
    side: str

    def apply(self, state: Wb95State) -> None:
        """Note it; one that was new is gone."""
        if self.side in state.built:
            state.built = without(state.built, self.side)
        else:
            state.broken = tuple(sorted({*state.broken, self.side}))


@record
class BridgeMade(PublicEvent[Wb95State]):
    """A bridge is there, again or for the first time."""

    kind = "bridge-made"
    says = "there is a bridge at {side}"
    side: str

    def apply(self, state: Wb95State) -> None:
        """Note it."""
        if self.side in state.broken:
            state.broken = without(state.broken, self.side)
        else:
            state.built = tuple(sorted({*state.built, self.side}))


@record
class Worked(PublicEvent[Wb95State]):
    """A unit spent points on a bridge."""

    kind = "worked"
    says = "{unit} works at a bridge for {points} points"
    unit: str
    points: int

    def apply(self, state: Wb95State) -> None:
        """That is movement, for which it has less left."""
        state.spent = {**state.spent, self.unit: state.spent.get(self.unit, 0) + self.points}
        state.marched, state.stirred = also(state.marched, self.unit), also(state.stirred, self.unit)


@record
class BridgeBegun(PublicEvent[Wb95State]):
    """A headquarters begins a bridge, which takes a whole stage."""

    kind = "bridge-begun"
    says = "{unit} begins a bridge at {side}"
    unit: str
    side: str

    def apply(self, state: Wb95State) -> None:
        """Note it; a move puts an end to it."""
        state.bridging = {**state.bridging, self.unit: self.side}


class Bridges(Part):
    """bridge.1 to bridge.4: which bridges there are, and what steps cost without them."""

    world: Wb95World

    def __init__(self, world: Wb95World) -> None:
        super().__init__(world)
        self._kept: dict[object, Any] = {}
        """What has been computed from the bridges that are down and those that are new."""

    def river(self, a: str, b: str) -> str:
        """The river between two adjacent hexes, "" if there is none."""
        found = self._rivers.get((a, b))
        if found is None:
            side = self.world.board.side(a, b)
            found = self._rivers[a, b] = next((river for river in (LARGE_RIVER, SMALL_RIVER) if river in side), "")
        return found

    @cached_property
    def _rivers(self) -> dict[tuple[str, str], str]:
        return {}

    def stands(self, at: Position, a: str, b: str) -> bool:
        """Whether a bridge leads over the river between two adjacent hexes now."""
        side, river = hexside(a, b), self.river(a, b)
        if not river or side in at.state.built:
            return bool(river)
        return side not in at.state.broken and self.world.chart.is_bridged(self.world.board, a, b, river)

    def standing(self, at: Position) -> list[tuple[str, str]]:
        """Both ends of every bridge over a river, in order."""
        key = at.state.broken, at.state.built
        found: list[tuple[str, str]] | None = self._kept.get(key)
        if found is None:
            board = self.world.board
            sides = [(a, b) for a in sorted(self.world.riverside) for b in sorted(board.neighbours(a)) if a < b]
            found = self._keep(key, [(a, b) for a, b in sides if self.stands(at, a, b)])
        return found

    def _keep(self, key: object, found: T) -> T:
        if len(self._kept) >= MANY:
            self._kept.clear()
        self._kept[key] = found
        return found

    def changed_steps(self, at: Position, arm: str) -> Mapping[tuple[str, str], int]:
        """What steps over bridges cost an arm that are down or new."""
        state, key = at.state, (arm, at.state.broken, at.state.built)
        found: dict[tuple[str, str], int] | None = self._kept.get(key)
        return self._keep(key, self._changed_steps(state, arm)) if found is None else found

    def _changed_steps(self, state: Wb95State, arm: str) -> dict[tuple[str, str], int]:
        found = dict[tuple[str, str], int]()
        for side in (*state.broken, *state.built):
            a, _, b = side.partition("|")
            for origin, target in ((a, b), (b, a)):
                found[origin, target] = self._price(arm, origin, target, is_down=side in state.broken)
        return found

    def _price(self, arm: str, origin: str, target: str, *, is_down: bool) -> int:
        chart, board = self.world.chart, self.world.board
        prices = [chart.entry(board, arm, target)]
        if is_down:
            prices.append(chart.arms[arm].sides.get(self.river(origin, target), 0))
        if CLOSED in prices or ALL in prices:
            return CLOSED if CLOSED in prices else ALL
        return sum(prices) if sum(prices) <= MAX_BUDGET else CLOSED

    # -- who may work at them

    def why_not_work(self, at: Position, action: UnitAction, points: float) -> Refusal | None:
        """Why a unit may not destroy, rebuild or begin a bridge with some points."""
        unit, to = action.unit, getattr(action, "to", "")
        counter, here = self.world.units[unit], at.state.locations[unit]
        if to not in self.world.board.indices or not self.world.board.adjacent(here, to) or not self.river(here, to):
            return against(at, "bridge", f"no river is between {here} and {to}")
        river, there = self.river(here, to), self.stands(at, here, to)
        if counter.is_gun:
            return against(at, "bridge", f"{unit} is artillery, which does not work at bridges")
        if occupant(at, to) in self.world.enemies(counter.side):
            return against(at, "bridge", f"the enemy stands in {to}, at the other end")
        if isinstance(action, Span):
            if counter.arm != HQ or river != LARGE_RIVER:
                return against(at, "bridge.large", "only headquarters build bridges, and only over large rivers")
            if not at.state.phase.endswith("-movement"):
                return against(at, "bridge.large", "a bridge over a large river is begun in the movement phase")
            return against(at, "bridge.large", f"there is a bridge from {here} to {to}") if there else None
        price = self.price(action, here)
        if isinstance(action, Demolish) and not there:
            return against(at, "bridge", f"there is no bridge from {here} to {to}")
        if isinstance(action, Rebuild):
            if river == LARGE_RIVER:
                return against(at, "bridge.large", "over a large river only headquarters build bridges")
            if hexside(here, to) not in at.state.broken:
                return against(at, "bridge.rebuild", f"no bridge is down between {here} and {to}")
        short = against(at, "bridge", f"that takes {price} points, and {unit} has {points:g} left")
        return short if price > points else None

    @cached_property
    def _over_rivers(self) -> dict[str, list[str]]:
        """Hex at a river -> the hexes on the other side, in order."""
        near = self.world.board.neighbours
        return {label: [other for other in sorted(near(label)) if self.river(label, other)] for label in self.world.riverside}

    def price(self, action: UnitAction, here: str) -> int:
        """bridge.1 to bridge.3: the points that work at a bridge beside a hex takes."""
        river = self.river(here, getattr(action, "to", ""))
        return DESTROY[river] if isinstance(action, Demolish) else REBUILD

    def works(self, at: Position, unit: str, points: float, *, fresh: bool) -> Iterator[UnitAction]:
        """What a unit may do at bridges with some points."""
        if self.world.units[unit].is_gun:
            return
        kinds = (
            Demolish,
            *([Rebuild] if at.state.broken else []),
            *([Span] if fresh and self.world.units[unit].arm == HQ else []),
        )
        for to in self._over_rivers.get(at.state.locations[unit], ()):
            for kind in kinds if at.state.broken or self.stands(at, at.state.locations[unit], to) else kinds[1:]:
                if self.why_not_work(at, action := kind(unit, to), points) is None:
                    yield action


def work(play: Doing, action: UnitAction) -> None:
    """bridge.1 to bridge.4: do it, or begin it."""
    unit, here = action.unit, play.state.locations[action.unit]
    side = hexside(here, getattr(action, "to", ""))
    if isinstance(action, Span):
        play.emit(BridgeBegun(unit, side, clause="bridge.4"))
        return
    large = play.world.bridges.river(*side.split("|")) == LARGE_RIVER
    price = play.world.bridges.price(action, here)
    if isinstance(action, Demolish):
        play.emit(BridgeBroken(side, clause="bridge.3" if large else "bridge.1"))
    else:
        play.emit(BridgeMade(side, clause="bridge.2"))
    play.emit(Worked(unit, price, clause="bridge.1"))


@record
class Working(TopicStep):
    """bridge.1 to bridge.3: a unit that has moved works at bridges with what it has left."""

    kind = "working"
    says = "{unit} has {left} half points left: work at a bridge?"
    clause = "bridge.1"
    seat: str
    unit: str
    left: int
    """Half points."""

    def _works(self, at: At) -> list[UnitAction]:
        if not stands(at, self.unit):
            return []
        return [*at.world.bridges.works(at, self.unit, self.left / POINT, fresh=False)]

    def deciders(self, at: Position) -> tuple[str, ...]:
        """Its owner, if there is something to do."""
        return (self.seat,) if self._works(at) else ()

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Work, or go on."""
        return Choices([Done(), *self._works(at)], partial(self._why_not, at))

    def _why_not(self, at: At, action: Action) -> Refusal | None:
        if not isinstance(action, UnitAction) or isinstance(action, Span):
            return None
        if action.unit != self.unit:
            return against(at, "bridge", f"it is {self.unit} that has moved")
        reason: Refusal | None = at.world.bridges.why_not_work(at, action, self.left / POINT)
        return reason

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Do it, with less left."""
        if isinstance(action, Done):
            play.pop()
            return
        assert isinstance(action, UnitAction)
        price = play.world.bridges.price(action, play.state.locations[self.unit])
        play.replace(replace(self, left=self.left - price * POINT))
        work(play, action)

    def resume(self, play: Play) -> None:
        """There is nothing to do."""
        play.pop()


def finish_bridges(play: Doing, side: str) -> None:
    """bridge.4: a headquarters that began a bridge in its last turn, and has not stirred, has built it."""
    for unit, where in sorted(play.state.bridging.items()):
        if play.world.units[unit].side != side:
            continue
        here = play.state.locations[unit]
        to = next(label for label in where.split("|") if label != here)
        play.emit(BridgeEnded(unit, clause="bridge.4"))
        if occupant(play, to) not in play.world.enemies(side) and not play.world.bridges.stands(play, here, to):
            play.emit(BridgeMade(where, clause="bridge.4"))


@record
class BridgeEnded(PublicEvent[Wb95State]):
    """A headquarters builds no more."""

    kind = "bridge-ended"
    says = "{unit} has ended its work at a bridge"
    unit: str

    def apply(self, state: Wb95State) -> None:
        """Forget it."""
        state.bridging = {unit: side for unit, side in state.bridging.items() if unit != self.unit}


def is_stopped(at: At, unit: str) -> bool:
    """bridge.1: a unit that has entered an enemy zone has no points left for work."""
    return in_enemy_zone(at, at.world.units[unit].side, at.state.locations[unit])


BRIDGE_ACTIONS: tuple[type[Action], ...] = (Demolish, Rebuild, Span)
BRIDGE_EVENTS = (BridgeBroken, BridgeMade, Worked, BridgeBegun, BridgeEnded)
