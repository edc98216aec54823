"""Two small games of `hexwar.pieces`: columns that march and fire, on areas and on a plane. Neither knows a hex."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from hexwar import load_board
from hexwar.board import AreaBoard, PlaneBoard
from hexwar.engine import (
    Action,
    ActionSet,
    AnyOf,
    Choices,
    Clause,
    Heading,
    Loop,
    Phase,
    Picture,
    Piece,
    Play,
    Position,
    PublicEvent,
    RandomSource,
    RuleIndex,
    RulesetInfo,
    Scenario,
    SequenceOfPlay,
    Setup,
    Spot,
    public,
    record,
    state,
)
from hexwar.errors import Refusal
from hexwar.pieces import (
    PIECE_EVENTS,
    Done,
    Face,
    LoseStep,
    Losing,
    OneByOne,
    PieceRuleset,
    PieceState,
    PieceWorld,
    TurnBegan,
    Unit,
    UnitAction,
    UnitMoved,
    UnitName,
    against,
    on_board,
)

AREAS = """
format = 1
kind = "areas"
id = "columns/valley"
title = "The valley"

[[area]]
label = "north"
middle = [10, 10]

[[area]]
label = "ford"
middle = [40, 30]

[[area]]
label = "south"
middle = [10, 50]

[links]
road = ["north ford south", "north south"]
"""
PLANE = """
format = 1
kind = "plane"
id = "columns/table"
title = "The table"
width = 600
height = 400
unit = "mm"
piece = 40
"""
RULES = RuleIndex(
    [Clause("1", "columns act in turn"), Clause("2", "they march"), Clause("3", "they fire"), Clause("4", "the end")]
)
CITE = {"act": "1", "march": "2", "fire": "3", "losses": "3"}
ROUNDS, FAR, RANGE = 3, 100, 250


@record
class Fire(UnitAction):
    kind = "fire"
    says = "{unit} fires at {target}"
    target: UnitName


@record
class Acting(OneByOne):
    """Columns march or fire, one by one."""

    kind = "acting"
    topic = "act"

    def choices(self, at: Position, unit: str) -> ActionSet:
        return AnyOf(self.marches(at, unit), self.shots(at, unit))

    def marches(self, at: Position, unit: str) -> ActionSet:
        raise NotImplementedError

    def in_range(self, at: Position, unit: str, target: str) -> bool:
        raise NotImplementedError

    def shots(self, at: Position, unit: str) -> ActionSet:
        def why_not(action: Action) -> Refusal | None:
            if not isinstance(action, Fire):
                return None
            if action.target not in targets:
                return against(at, "fire", f"{action.target} is no enemy on the board")
            near = self.in_range(at, unit, action.target)
            return None if near else against(at, "fire", f"{action.target} is too far from {unit}")

        targets = [other for side in at.world.enemies(at.world.units[unit].side) for other in on_board(at, side)]
        return Choices([Fire(unit, target) for target in targets], why_not)

    def act(self, play: Play, action: Any) -> None:
        if isinstance(action, Fire):
            enemy = play.world.units[action.target].side
            play.push(Losing(play.world.seat_for(enemy), tuple(on_board(play, enemy)), 1))
        else:
            self.march(play, action)

    def march(self, play: Play, action: Any) -> None:
        raise NotImplementedError


class Columns(PieceWorld):
    def __init__(self, setup: Setup, kind: type[Any]) -> None:
        columns = {f"{side[0]}{number}": side for side in ("blue", "red") for number in (1, 2)}
        faces, start = (Face(1, 1, 1), Face(2, 2, 1)), {"blue": "north", "red": "south"}
        units = {unit: Unit(unit, unit.upper(), side, "foot", faces, start[side]) for unit, side in columns.items()}
        super().__init__(setup, setup_sequence(kind), units=units, cite=CITE, boxes=("camp",))
        self.board = setup.board or load_board(BOARDS[kind], kind=kind)


BOARDS: Mapping[type[Any], str] = {AreaBoard: "columns/valley", PlaneBoard: "columns/table"}


def setup_sequence(kind: type[Any]) -> SequenceOfPlay:
    step = AreaActing if kind is AreaBoard else PlaneActing

    def act(side: str) -> Phase:
        return Phase(side, side.title(), "1", lambda play: play.push(step(side, tuple(on_board(play, side)))))

    def begin(play: Play) -> None:
        play.emit(TurnBegan(play.state.turn + 1, clause="1"))

    def end(play: Play) -> None:
        left = {side: len(on_board(play, side)) for side in play.world.sides}
        play.end(max(left, key=left.__getitem__), "has more columns", clause="4", scores=left)

    rounds = Loop("Round", "1", lambda at: at.state.turn < ROUNDS, (Phase("begin", "Begin", "1", begin), act("blue"), act("red")))
    return SequenceOfPlay(rounds, Phase("end", "End", "4", end))


# -- on areas -------------------------------------------------------------------------------------------------------------


@record
class March(UnitAction):
    kind = "march"
    says = "{unit} marches to {to}"
    to: str


@record
class AreaActing(Acting):
    kind = "acting-on-areas"

    def marches(self, at: Position, unit: str) -> ActionSet:
        here = at.state.locations[unit]

        def why_not(action: Action) -> Refusal | None:
            if not isinstance(action, March) or action.to in at.world.board.neighbours(here):
                return None
            return against(at, "march", f"no road leads from {here} to {action.to}")

        return Choices([March(unit, area) for area in at.world.board.labels], why_not)

    def in_range(self, at: Position, unit: str, target: str) -> bool:
        places = at.state.locations
        return places[target] == places[unit] or places[target] in at.world.board.neighbours(places[unit])

    def march(self, play: Play, action: March) -> None:
        path = (play.state.locations[action.unit], action.to)
        play.emit(UnitMoved(action.unit, path, clause=play.world.clause("march")))


@state
class AreaState(PieceState):
    pass


class Valley(Columns):
    """Whose units stand where their locations say."""


# -- on a plane -----------------------------------------------------------------------------------------------------------


@state
class PlaneState(PieceState):
    spots: Mapping[UnitName, Spot] = public(factory=dict)
    headings: Mapping[UnitName, Heading] = public(factory=dict)

    def put(self, unit: str, location: Any) -> None:
        if isinstance(location, tuple):
            self.spots = {**self.spots, unit: location}
        else:
            super().put(unit, location)

    def remove(self, unit: str) -> None:
        super().remove(unit)
        self.spots = {other: spot for other, spot in self.spots.items() if other != unit}


@record
class Wheel(UnitAction):
    """March to a point, by others, and look somewhere."""

    kind = "wheel"
    says = "{unit} wheels to {to}"
    to: Spot
    heading: Heading = -1
    via: tuple[Spot, ...] = ()


@record
class Wheeled(PublicEvent[PlaneState]):
    kind = "wheeled"
    says = "{unit} wheels to {to}"
    unit: str
    to: Spot
    heading: int
    clause: str = field(default="2", kw_only=True)

    def apply(self, state: PlaneState) -> None:
        state.spots = {**state.spots, self.unit: self.to}
        state.headings = {**state.headings, self.unit: self.heading % 360}


class Wheels(ActionSet):
    """Every way of at most `FAR` to a point of the table."""

    def __init__(self, at: Position, unit: str) -> None:
        self._at, self._unit = at, unit

    @property
    def complete(self) -> bool:
        return False

    def why_not(self, action: Action) -> Refusal | None:
        if not isinstance(action, Wheel):
            return None
        points = [self._at.state.spots[self._unit], *action.via, action.to]
        if not all(point in self._at.world.board for point in points):
            return against(self._at, "march", "the way leaves the table")
        length = sum(map(math.dist, points, points[1:]))
        return None if 0 < length <= FAR else against(self._at, "march", f"a column marches at most {FAR} mm")

    def find(self, action: Action) -> Action | None:
        mine = isinstance(action, Wheel) and action.unit == self._unit
        return action if mine and self.why_not(action) is None else None

    def __iter__(self) -> Iterator[Action]:
        x, y = self._at.state.spots[self._unit]
        menu = [Wheel(self._unit, (x + dx, y + dy)) for dx in (-70, 0, 70) for dy in (-70, 0, 70)]
        return (action for action in menu if self.find(action))

    def __bool__(self) -> bool:
        return True

    def sample(self, chance: RandomSource) -> Action:
        x, y = self._at.state.spots[self._unit]
        for _ in range(20):
            point = (x + chance.randrange(2 * FAR) - FAR, y + chance.randrange(2 * FAR) - FAR)
            found = self.find(Wheel(self._unit, point, chance.randrange(360)))
            if found:
                return found
        return self.example()


@record
class PlaneActing(Acting):
    kind = "acting-on-a-plane"
    near: ClassVar[int] = RANGE

    def marches(self, at: Position, unit: str) -> ActionSet:
        return Wheels(at, unit)

    def in_range(self, at: Position, unit: str, target: str) -> bool:
        return math.dist(at.state.spots[unit], at.state.spots[target]) <= self.near

    def understood(self, at: Position, seat: str, words: Sequence[str]) -> Iterator[Action]:
        """ "wheel b1 50 towards r1": so far, and looking there."""
        match [*words]:
            case ["wheel", unit, far, "towards", goal] if unit in at.state.spots and goal in at.state.spots and far.isdecimal():
                (x, y), (gx, gy) = at.state.spots[unit], at.state.spots[goal]
                share = int(far) / math.dist((x, y), (gx, gy))
                heading = round(math.degrees(math.atan2(gx - x, y - gy))) % 360
                yield Wheel(unit, (round(x + (gx - x) * share), round(y + (gy - y) * share)), heading)

    def march(self, play: Play, action: Wheel) -> None:
        play.emit(Wheeled(action.unit, action.to, action.heading))


class Table(Columns):
    """Whose units stand where their spots say."""

    def stands(self, state: Any, unit: str) -> bool:
        return unit in state.spots


# -- both -----------------------------------------------------------------------------------------------------------------


class ColumnsOnAreas(PieceRuleset[AreaState, Valley, None]):
    info = RulesetInfo(
        id="columns-areas",
        title="Columns in a valley",
        version="1",
        sides=("blue", "red"),
        scenarios=(Scenario("valley", "The valley", board="columns/valley", bound=60),),
        entry="tests.pieces.columns:ON_AREAS",
    )
    rules = RULES
    sequence = setup_sequence(AreaBoard)
    state_type = AreaState
    actions = (Done, March, Fire, LoseStep)
    steps = (AreaActing, Losing)
    events = PIECE_EVENTS

    def world(self, setup: Setup) -> Valley:
        return Valley(setup, AreaBoard)

    def bare(self, world: Valley) -> AreaState:
        return AreaState()


class ColumnsOnPlane(PieceRuleset[PlaneState, Table, None]):
    info = RulesetInfo(
        id="columns-plane",
        title="Columns on a table",
        version="1",
        sides=("blue", "red"),
        scenarios=(Scenario("table", "The table", board="columns/table", bound=60),),
        entry="tests.pieces.columns:ON_A_PLANE",
    )
    rules = RULES
    sequence = setup_sequence(PlaneBoard)
    state_type = PlaneState
    actions = (Done, Wheel, Fire, LoseStep)
    steps = (PlaneActing, Losing)
    events = (*PIECE_EVENTS, Wheeled)

    def world(self, setup: Setup) -> Table:
        return Table(setup, PlaneBoard)

    def bare(self, world: Table) -> PlaneState:
        return PlaneState()

    def start(self, world: Table) -> PlaneState:
        state = self.bare(world)
        spots = {"b1": (50, 100), "b2": (50, 300), "r1": (300, 100), "r2": (550, 300)}
        self.place(world, state, {unit: {"at": spot} for unit, spot in spots.items()})
        return state

    def picture(self, at: Position[PlaneState, Table]) -> Picture:
        return Picture(
            at.world.board, tuple(Piece(unit, spot, at.world.units[unit].side) for unit, spot in at.state.spots.items())
        )


ON_AREAS, ON_A_PLANE = ColumnsOnAreas(), ColumnsOnPlane()
