"""Movement: which hexes a unit can reach and what that costs, and the segment in which units move one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, TypeVar

from hexwar.board import ALL, CLOSED, MAX_BUDGET, Reach, StepCosts, reach
from hexwar.engine import Action, ActionSet, Play, Position, RandomSource, record
from hexwar.engine.actions import pick
from hexwar.engine.records import Json
from hexwar.errors import Refusal, UnknownName
from hexwar.mechanics.onebyone import OneByOne, UnitAction
from hexwar.mechanics.pieces import go, has_room, in_enemy_zone, occupant
from hexwar.mechanics.topics import against
from hexwar.mechanics.world import HexState, HexWorld, Mode

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=HexWorld)

NO_ZONES = bytes([0] * CLOSED + [CLOSED])
"""Translates a table of surcharges into one in which only closed hexes are left."""
CALM = bytes([0] + [CLOSED] * CLOSED)
"""Translates a table of surcharges into one in which every hex that has any is closed."""
TRIES = 12
"""How often a sample looks for a hex with room before it makes the list."""


@record
class Move(UnitAction):
    """Move a unit to a hex, by the cheapest way."""

    kind = "move"
    to: str
    mode: str = ""
    """The way of moving, if it is not the normal one."""
    via: str = ""
    """A place to take on the way, if the cheapest way would not pass it."""

    def __str__(self) -> str:
        return f"move {self.unit} to {self.to}{f' by {self.via}' * bool(self.via)}{f' ({self.mode})' * bool(self.mode)}"

    def __repr__(self) -> str:
        return f"Move({', '.join(f'{name}={value!r}' for name, value in self.to_json().items() if name != 'kind')})"

    def to_json(self) -> dict[str, Json]:
        """With mode and via only where they say something."""
        told = {name: value for name, value in (("mode", self.mode), ("via", self.via)) if value}
        return {"kind": self.kind, "unit": self.unit, "to": self.to, **told}


def costs_of(at: Position[S, W], unit: str, mode: str = "") -> StepCosts:
    """What each step costs a unit under the conditions of the moment, in a way of moving."""
    world = at.world
    counter = world.units[unit]
    arm = world.mode(mode).arm if mode else ""
    return world.costs(arm or counter.arm, world.hooks.refine("conditions", "", at), counter.side)


def can_step(at: Position[S, W], unit: str, origin: str, target: str) -> bool:
    """Whether the ground lets a unit go from a hex into the next, whoever stands there."""
    board = at.world.board
    return costs_of(at, unit)[board.direction(origin, target)][board.index(origin)] != CLOSED


def can_enter(at: Position[S, W], unit: str, origin: str, target: str) -> bool:
    """Whether ground and enemy let a unit go from a hex into the next."""
    return occupant(at, target) in (None, at.world.units[unit].side) and can_step(at, unit, origin, target)


def reach_of(at: Position[S, W], unit: str, points: int | None = None, mode: str = "") -> Reach:
    """Every hex that a unit can get to with its movement points, full stacks included.

    Args:
        at: the position.
        unit: a unit on the board.
        points: half points to spend instead of its allowance.
        mode: the way of moving.
    """
    start = at.world.board.index(at.state.at[unit])
    budget = at.world.allowance(at, unit) * 2 if points is None else points
    if points is None and not budget:
        return Reach(start, budget, {start: 0}, {})
    if mode or at.world.changes_modes:
        kind = at.world.mode_of(at, unit, mode)
        if kind is None or why_not_mode(at, unit, at.state.at[unit], kind):
            return Reach(start, budget, {start: 0}, {})
    return reach_from(at, unit, start, budget, mode)


def reach_from(at: Position[S, W], unit: str, start: int, budget: int, mode: str = "", *, fresh: bool = True) -> Reach:
    """Every hex that a unit could get to from a hex, wherever it stands now.

    Args:
        at: the position.
        unit: the unit.
        start: the index of the hex.
        budget: half points to spend.
        mode: the way of moving.
        fresh: whether the move begins there.
    """
    world, layout, side = at.world, at.state.layout, at.world.units[unit].side
    costs = costs_of(at, unit, mode)
    quiet = _is_quiet(at, unit, mode)
    key = (costs, side, start, budget, quiet, fresh)
    known: Reach | None = layout.memo.get(key)
    if known is not None:
        return known
    enter = layout.enter[side]
    if quiet:
        enter = enter.translate(CALM)
        if not world.ground.enter_zone:  # zones that cost nothing do not show in the table
            for label in world.board.unmask(layout.threatened[side]):
                enter[world.board.index(label)] = CLOSED
    leave = layout.leave[side]
    found = reach(world.board, start, budget, costs, leave=leave, enter=enter, fresh=fresh, whole=world.whole_steps)
    layout.memo[key] = found
    return found


def _is_quiet(at: Position[S, W], unit: str, mode: str) -> bool:
    """Whether a unit that moves in some way keeps out of enemy zones."""
    if not mode and not at.world.changes_modes:
        return False
    kind = at.world.mode_of(at, unit, mode)
    return kind is not None and kind.outside_zones


def why_not_mode(at: Position[S, W], unit: str, label: str, mode: Mode) -> tuple[str, str] | None:
    """Why a unit may not begin a move of some kind in a hex: topic and sentence. None if it may."""
    if mode.along and not at.world.board.has_link(label, mode.along):
        return f"{mode.topic}.start", f"{mode.name} movement begins on a {mode.along}, and {label} has none"
    if mode.outside_zones and in_enemy_zone(at, at.world.units[unit].side, label):
        kind = f"{mode.name} movement".lstrip()
        return f"{mode.topic}.zone", f"{label} is in an enemy zone of control, where no {kind} begins"
    return None


def destinations(at: Position[S, W], unit: str, mode: str = "") -> list[str]:
    """The hexes in which a unit's move may end, sorted by label."""
    return ends(at, unit, reach_of(at, unit, mode=mode))


def ends(at: Position[S, W], unit: str, found: Reach) -> list[str]:
    """The hexes of a reach, its start apart, in which there is room for the unit; sorted by label."""
    label_of, stacks, may_stack = at.world.board.label, at.state.layout.stacks, at.world.may_stack
    labels = [label_of(i) for i in found if i != found.start]
    # As `has_room` has it, for a hundred hexes at a time.
    return sorted([label for label in labels if may_stack((*stacks.get(label, ()), unit), label)])


def detours(at: Position[S, W], unit: str, found: Reach, only: str = "") -> list[tuple[str, str]]:
    """The places that a unit could take on its way and the hexes in which it could end then, if its cheapest way is another.

    A unit may come back to where it began.

    Args:
        at: the position.
        unit: a unit on the board.
        found: its reach by normal movement.
        only: look at no other place than this.
    """
    prizes = sorted(map(at.world.board.label, at.world.prizes(at).intersection(found)))
    if only:
        prizes = [label for label in prizes if label == only]
    return [(via, to) for via in prizes if at.world.is_prize(at, unit, via) for to in _ends_by(at, unit, found, via)[1]]


def _ends_by(at: Position[S, W], unit: str, found: Reach, via: str) -> tuple[Reach, list[str]]:
    """How far a unit gets from a hex in reach with what it has left, and the ends that this makes a choice of."""
    board, here = at.world.board, at.state.at[unit]
    middle = board.index(via)
    onward = reach_from(at, unit, middle, found.budget - found[middle], fresh=False)
    passing = _passing(at, unit, found, middle)
    offered = [label for label in ends(at, unit, onward) if label != here and board.index(label) not in passing]
    return onward, sorted([*offered, here]) if found.start in onward and via != here else offered


def _passing(at: Position[S, W], unit: str, found: Reach, middle: int) -> set[int]:
    """The hexes in reach to which a unit's way leads through a hex."""
    passing = set(found.beyond(middle))
    avoided = at.world.avoided(at, unit)
    return {i for i in passing if middle in _way(at, unit, found, i, "", avoided)} if avoided else passing


def _way(at: Position[S, W], unit: str, found: Reach, target: int, mode: str, avoided: frozenset[int]) -> list[int]:
    """The cheapest way to a hex in reach; a dearer one, if that keeps out of what is avoided."""
    path = found.path(target)
    if not avoided.isdisjoint(path[1:-1]):
        around = _reach_around(at, unit, found, mode, avoided)
        return around.path(target) if target in around else path
    return path


def path_to(at: Position[S, W], unit: str, to: str, mode: str = "", via: str = "") -> list[str]:
    """The cheapest way to a hex in reach, or the cheapest way to a hex and on from there with what is left."""
    board = at.world.board
    found = reach_of(at, unit, mode=mode)
    if not via:
        path = _way(at, unit, found, board.index(to), mode, at.world.avoided(at, unit))
        return [board.label(i) for i in path]
    middle = board.index(via)
    onward = reach_from(at, unit, middle, found.budget - found[middle], mode, fresh=False)
    return [board.label(i) for i in (*found.path(middle), *onward.path(board.index(to))[1:])]


def _reach_around(at: Position[S, W], unit: str, found: Reach, mode: str, avoided: frozenset[int]) -> Reach:
    """How far a unit gets that keeps out of some hexes."""
    layout, side = at.state.layout, at.world.units[unit].side
    enter = layout.enter[side].translate(CALM) if _is_quiet(at, unit, mode) else layout.enter[side][:]
    for i in avoided:
        enter[i] = CLOSED
    costs, leave = costs_of(at, unit, mode), layout.leave[side]
    return reach(at.world.board, found.start, found.budget, costs, leave=leave, enter=enter, whole=at.world.whole_steps)


def refuse_move(
    at: Position[S, W], unit: str, target: str, found: Reach | None = None, mode: str = "", via: str = ""
) -> Refusal | None:
    """Why a unit cannot end its move in a hex, or None if it can.

    Args:
        at: the position.
        unit: a unit on the board.
        target: a hex, or what somebody took for one.
        found: the unit's reach in that mode, if the caller has it.
        mode: the way of moving.
        via: a place to take on the way.
    """
    board, side, here = at.world.board, at.world.units[unit].side, at.state.at[unit]
    if target not in board:
        return against(at, "move", f"there is no hex {target} on the map")
    if target == here and not via:
        return against(at, "move", f"{unit} stands in {target} already")
    try:
        kind = at.world.mode_of(at, unit, mode)
    except UnknownName as error:
        return against(at, "move", str(error))
    if kind is None:
        return against(at, f"{at.world.mode(mode).topic}.open", f"{mode} movement is not open to {unit} now")
    holder = occupant(at, target)
    if holder not in (None, side):
        return against(at, "move.enemy", f"{target} is occupied by {holder}")
    if not at.world.allowance(at, unit):
        return against(at, "move", f"{unit} has no movement points")
    why = why_not_mode(at, unit, here, kind)
    if why:
        return against(at, *why)
    found = reach_of(at, unit, mode=mode) if found is None else found
    if via:
        return _refuse_detour(at, unit, target, found, mode, via)
    if board.index(target) not in found:
        return _out_of_reach(at, unit, target, kind)
    return _refuse_end(at, unit, target)


def _refuse_end(at: Position[S, W], unit: str, target: str) -> Refusal | None:
    if target == at.state.at[unit] or has_room(at, unit, target):
        return None
    limit = at.world.stacking_limit(at.world.units[unit].side, target)
    return against(at, "stacking", f"no more than {limit} units may end in {target}")


def _refuse_detour(at: Position[S, W], unit: str, target: str, found: Reach, mode: str, via: str) -> Refusal | None:
    board = at.world.board
    if via not in board:
        return against(at, "move", f"there is no hex {via} on the map")
    if not at.world.detours or mode:
        return against(at, "move", f"{unit} goes to {target} by the cheapest way and cannot be sent by {via}")
    if via == target or not at.world.is_prize(at, unit, via):
        return against(at, "move", f"{unit} is sent by a hex only to take a place on its way, and it has none to take in {via}")
    if board.index(via) not in found:
        return _out_of_reach(at, unit, via, at.world.mode_of(at, unit, mode) or at.world.mode(mode))
    onward, offered = _ends_by(at, unit, found, via)
    if target in offered:
        return None
    if board.index(target) in _passing(at, unit, found, board.index(via)):
        return against(at, "move", f"the way of {unit} to {target} passes {via} already")
    if board.index(target) not in onward:
        points = (found.budget - found[board.index(via)]) / 2
        return against(at, "move.cost", f"{target} is out of reach of {unit} from {via}, where it has {points:g} points left")
    return _refuse_end(at, unit, target)


def _out_of_reach(at: Position[S, W], unit: str, target: str, mode: Mode) -> Refusal:
    board, chart = at.world.board, at.world.chart
    counter, here = at.world.units[unit], at.state.at[unit]
    points = at.world.allowance(at, unit)
    closed = at.state.layout.enter[counter.side].translate(NO_ZONES)
    costs = costs_of(at, unit, mode.name)
    without_zones = reach(board, board.index(here), points * 2, costs, enter=closed)
    in_the_way = board.index(target) in without_zones
    adjacent = board.adjacent(here, target)
    if adjacent and (line := at.world.closed_to(counter.side, here, target)):
        return against(at, "move.side.line", f"{counter.side} never crosses the {line} between {here} and {target}")
    if mode.outside_zones and in_the_way:
        kind = f"{mode.name} move".lstrip()
        return against(at, f"{mode.topic}.zone", f"every {kind} of {unit} to {target} enters an enemy zone of control")
    if mode.name:
        if mode.along and not board.has_link(target, mode.along):
            return against(at, f"{mode.topic}.way", f"{mode.name} movement stays on a {mode.along}, and {target} has none")
        if mode.along and board.index(target) not in reach(board, board.index(here), MAX_BUDGET, costs):
            return against(at, f"{mode.topic}.way", f"no {mode.along} leads {unit} from {here} to {target}")
        return against(at, mode.topic, f"{target} is out of reach of {unit} by {mode.name} movement with {points} points")
    if adjacent:
        step = costs[board.direction(here, target)][board.index(here)]
        if step == CLOSED:
            barrier = chart.barrier(board, counter.arm, here, target)
            if barrier:
                return against(at, "move.side", f"{counter.arm} cannot cross the {barrier} between {here} and {target}")
            terrain = board.terrain(target)
            return against(at, f"move.cost.closed.{terrain}", f"{target} is closed to {counter.arm}: {terrain}")
        if step == ALL and in_the_way:
            zones = f"begins {'or' if at.world.whole_steps == 'either' else 'and'} ends in enemy zones of control"
            topic = "move.zone.whole.ground" if chart.entry(board, counter.arm, target) == ALL else "move.zone.whole"
            return against(at, topic, f"a step that takes the whole move, as from {here} to {target}, never {zones}")
        if in_the_way and costs.is_guarded(board.index(here), board.index(target)) and _both_watched(at, unit, here, target):
            why = f"nobody goes from {here} to {target} while both lie in enemy zones of control, bridge or no bridge"
            return against(at, "move.zone.whole", why)
    if in_the_way:
        message = f"enemy zones of control make the way to {target} too dear for {unit} with {points} points"
        return against(at, "move.zone", message)
    return against(at, "move.cost", f"{target} is out of reach of {unit} with {points} points")


def _both_watched(at: Position[S, W], unit: str, *hexes: str) -> bool:
    return all(in_enemy_zone(at, at.world.units[unit].side, label) for label in hexes)


@dataclass(frozen=True, slots=True)
class ReachReport:
    """What a player sees before he moves.

    Args:
        costs: hex -> movement points spent, for every hex in which the move may end.
        closed: hex next to the way -> the refusal that explains why the move may not end there.
    """

    costs: dict[str, float]
    closed: dict[str, Refusal]


def report_reach(at: Position[S, W], unit: str, mode: str = "") -> ReachReport:
    """Where a unit can go with the cost of each hex, and why neighbouring hexes are closed."""
    board = at.world.board
    found = reach_of(at, unit, mode=mode)
    open_to = {label: found[board.index(label)] / 2 for label in ends(at, unit, found)}
    here = at.state.at[unit]
    closed: dict[str, Refusal] = {}
    for label in dict.fromkeys(near for known in (here, *open_to) for near in board.neighbours(known)):
        if label != here and label not in open_to:
            refusal = refuse_move(at, unit, label, found, mode)
            assert refusal is not None
            closed[label] = refusal
    return ReachReport(open_to, closed)


class Moves(ActionSet):
    """The moves of a unit: normal ones, with detours, then those in each other way of moving.

    Sampling and asking for one move work out no more than the reach; only whoever lists them pays for the list.

    Args:
        at: the position.
        unit: a unit on the board.
    """

    __slots__ = ("_at", "_sampled", "_unit")

    def __init__(self, at: Position, unit: str) -> None:
        self._at = at
        self._unit = unit
        self._sampled: Action | None = None

    def _reaches(self) -> Iterator[tuple[str, Reach]]:
        at, unit = self._at, self._unit
        if at.world.allowance(at, unit):
            for mode in at.world.modes_of(at, unit):
                yield mode.name, reach_of(at, unit, mode=mode.name)

    def __iter__(self) -> Iterator[Action]:
        at, unit = self._at, self._unit
        for mode, found in self._reaches():
            yield from [Move(unit, to, mode) for to in ends(at, unit, found)]
            if not mode and at.world.detours:
                yield from [Move(unit, to, via=via) for via, to in detours(at, unit, found)]

    def __bool__(self) -> bool:
        at, unit, label = self._at, self._unit, self._at.world.board.label
        for _, found in self._reaches():
            if any(i != found.start and has_room(at, unit, label(i)) for i in found):
                return True
        return next(iter(self), None) is not None

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        if action is self._sampled:
            return action
        at, unit = self._at, self._unit
        if not isinstance(action, Move) or action.unit != unit:
            return None
        asked = (action.to, action.mode, action.via)
        if not all(type(word) is str for word in asked):
            return None
        board, mode = at.world.board, next((mode.name for mode in at.world.modes_of(at, unit) if mode.name == action.mode), None)
        if mode is None or action.to not in board or not at.world.allowance(at, unit):
            return None
        target = board.index(action.to)
        if board.label(target) != action.to:  # another label of the same hex
            return None
        found = reach_of(at, unit, mode=mode)
        if action.via:
            offered = not mode and at.world.detours and (action.via, action.to) in detours(at, unit, found, only=action.via)
            return Move(unit, action.to, via=action.via) if offered else None
        if target not in found or target == found.start or not has_room(at, unit, action.to):
            return None
        return Move(unit, action.to, mode)

    def sample(self, chance: RandomSource) -> Action:
        """Any way of moving, any hex in reach; then, where detours lead on from it, perhaps one of those."""
        self._sampled = sampled = self._sample(chance)
        return sampled

    def _sample(self, chance: RandomSource) -> Action:
        at, unit = self._at, self._unit
        if not at.world.allowance(at, unit):
            raise LookupError("nothing is offered")
        mode = pick(at.world.modes_of(at, unit), chance).name
        found = reach_of(at, unit, mode=mode)
        if len(found) == 1:  # that way leads nowhere, another may
            mode, found = max(self._reaches(), key=lambda entry: len(entry[1]))
        prizes = at.world.prizes(at) if at.world.detours and not mode else frozenset()
        for _ in range(TRIES):
            i = next(islice(found, chance.randrange(len(found)), None))
            label = at.world.board.label(i)
            if i in prizes and chance.randrange(2):
                onward = detours(at, unit, found, only=label)
                if onward:
                    return Move(unit, pick(onward, chance)[1], via=label)
            if i != found.start and has_room(at, unit, label):
                return Move(unit, label, mode)
        return pick(tuple(self), chance)


@record
class Moving(OneByOne):
    """The movement segment: activated units move one at a time, each once, in any order."""

    kind = "moving"
    topic: ClassVar[str] = "move"

    def deciders(self, at: Position[HexState, HexWorld]) -> tuple[str, ...]:
        """Whoever was activated; whether a unit can move at all is only worked out when somebody asks."""
        places, hexes = at.state.at, at.world.board.indices
        for unit in self.units:
            if places.get(unit) in hexes:
                return (self.seat,)
        return ()

    def prompt(self, at: Position[HexState, HexWorld], seat: str) -> str:
        """What may move."""
        return f"Move units: {', '.join(self.waiting(at))}."

    def choices(self, at: Position[HexState, HexWorld], unit: str) -> ActionSet:
        """Every hex in which its move may end, normally and with detours, then in each other way of moving."""
        return Moves(at, unit)

    def strike_off(self, play: Play[HexState, HexWorld], unit: str) -> None:
        """The unit has moved."""
        play.replace(type(self)(self.seat, tuple([other for other in self.units if other != unit])))

    def act(self, play: Play[HexState, HexWorld], action: Move) -> None:
        """Move it."""
        path = path_to(play, action.unit, action.to, action.mode, action.via)
        manner = f"moves ({action.mode})" if action.mode else "moves"
        go(play, action.unit, path, play.world.mode(action.mode).topic, manner)

    def refuse(self, at: Position[HexState, HexWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Move):
            return None
        if action.unit not in self.waiting(at):
            return against(at, "activation", f"{action.unit} is not active or has moved already")
        return refuse_move(at, action.unit, action.to, mode=action.mode, via=action.via)
