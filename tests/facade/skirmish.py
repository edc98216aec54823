"""A plane game: cars on a table who drive to any point in reach. Its moves cannot be listed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from typing import ClassVar

from hexwar import load_board
from hexwar.board import PlaneBoard
from hexwar.engine import (
    Action,
    ActionSet,
    Clause,
    Event,
    Grouped,
    Loop,
    Phase,
    Picture,
    Piece,
    Play,
    Position,
    RandomSource,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    Scenario,
    SequenceOfPlay,
    Setup,
    Sight,
    State,
    Step,
    World,
    public,
    record,
    state,
)
from hexwar.errors import Refusal, RefusalCode

MAP = """
format = 1
kind = "plane"
id = "skirmish/table"
title = "The table"
width = 1200
height = 800
unit = "mm"
piece = 50

[[zone]]
terrain = "forest"
name = "Oakwood"
outline = [[300, 200], [620, 150], [700, 420], [380, 500]]

[[line]]
kind = "road"
points = [[0, 600], [500, 620], [1200, 380]]
"""
INFO = RulesetInfo(
    id="skirmish",
    title="Skirmish",
    version="1",
    sides=("blue", "red"),
    scenarios=(Scenario("table", "The table", board="skirmish/table", bound=100),),
    entry="tests.facade.skirmish:RULESET",
)
RULES = RuleIndex([Clause("1", "cars drive in turn"), Clause("2", "as far as 200 mm"), Clause("3", "and keep apart")])
REACH, APART, ROUNDS = 200, 40, 5
Spot = tuple[int, int]


@state
class Table(State):
    turn: int = public(default=0)
    locations: dict[str, tuple[int, int]] = public(factory=dict)


class Ground(World):
    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        super().__init__(setup, sequence)
        self.board: PlaneBoard = setup.board or load_board("skirmish/table", kind=PlaneBoard)


At = Position[Table, Ground]


@record
class Drive(Action):
    kind = "drive"
    unit: str
    to: tuple[int, int]

    def __str__(self) -> str:
        return f"drive {self.unit} to {self.to[0]} {self.to[1]}"


@record
class Park(Action):
    kind = "park"
    ends: ClassVar[bool] = True

    def __str__(self) -> str:
        return "park"


@record
class Drove(Event[Table]):
    kind = "drove"
    sight = Sight.PUBLIC
    unit: str
    to: tuple[int, int]
    clause: str = field(default="2", kw_only=True)

    def apply(self, state: Table) -> None:
        state.locations[self.unit] = self.to


@record
class RoundBegan(Event[Table]):
    kind = "round-began"
    sight = Sight.PUBLIC
    clause: str = field(default="1", kw_only=True)

    def apply(self, state: Table) -> None:
        state.turn += 1


class Drives(ActionSet):
    """Every point in reach of a car: known by a rule, sampled, and only some of them listed."""

    def __init__(self, at: At, unit: str) -> None:
        self._at = at
        self._unit = unit

    @property
    def complete(self) -> bool:
        return False

    def why_not(self, action: Action) -> Refusal | None:
        if not isinstance(action, Drive):
            return None
        here, others = (
            self._at.state.locations[self._unit],
            [p for car, p in self._at.state.locations.items() if car != self._unit],
        )
        if action.to not in self._at.world.board:
            return Refusal(RefusalCode.AGAINST_RULE, "2", f"{action.to} is not on the table")
        if not 0 < math.dist(here, action.to) <= REACH:
            return Refusal(RefusalCode.AGAINST_RULE, "2", f"a car drives at most {REACH} mm")
        if any(math.dist(action.to, other) < APART for other in others):
            return Refusal(RefusalCode.AGAINST_RULE, "3", f"cars stay {APART} mm apart")
        return None

    def find(self, action: Action) -> Action | None:
        return Drive(self._unit, action.to) if isinstance(action, Drive) and self.why_not(action) is None else None

    def __iter__(self) -> Iterator[Action]:
        x, y = self._at.state.locations[self._unit]
        points = [
            (round(x + REACH * math.cos(n * math.pi / 4) * 0.99), round(y + REACH * math.sin(n * math.pi / 4) * 0.99))
            for n in range(8)
        ]
        return (menu for point in points if (menu := self.find(Drive(self._unit, point))) is not None)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def sample(self, chance: RandomSource) -> Action:
        x, y = self._at.state.locations[self._unit]
        for _ in range(100):
            point = (x + chance.randrange(2 * REACH + 1) - REACH, y + chance.randrange(2 * REACH + 1) - REACH)
            found = self.find(Drive(self._unit, point))
            if found is not None:
                return found
        return self.example()


@record
class Driving(Step[Table, Ground]):
    kind = "driving"
    clause: ClassVar[str] = "2"
    seat: str
    cars: tuple[str, ...]

    def deciders(self, at: At) -> tuple[str, ...]:
        return (self.seat,) if self.cars else ()

    def prompt(self, at: At, seat: str) -> str:
        return f"Drive {', '.join(self.cars)}."

    def actions(self, at: At, seat: str) -> ActionSet:
        return Grouped([Park()], self.cars, lambda car: Drives(at, car), lambda action: action.key or None)

    def perform(self, play: Play[Table, Ground], seat: str, action: Action) -> None:
        if isinstance(action, Drive):
            play.replace(Driving(seat, tuple(car for car in self.cars if car != action.unit)))
            play.emit(Drove(action.unit, action.to))
        else:
            play.pop()

    def resume(self, play: Play[Table, Ground]) -> None:
        play.pop()


def _end(play: Play[Table, Ground]) -> None:
    middle = play.world.board.width / 2, play.world.board.height / 2
    nearest = min(play.state.locations, key=lambda car: math.dist(play.state.locations[car], middle))
    play.end(nearest.partition("-")[0], f"{nearest} is nearest to the middle", clause="1")


def _drive(side: str) -> Phase:
    def enter(play: Play[Table, Ground]) -> None:
        play.push(Driving(side, tuple(car for car in play.state.locations if car.startswith(side))))

    return Phase(side, f"{side.title()} drives", "1", enter)


SEQUENCE = SequenceOfPlay(
    Loop(
        "Round",
        "1",
        lambda at: at.state.turn < ROUNDS,
        (Phase("begin", "Begin", "1", lambda play: play.emit(RoundBegan())), _drive("blue"), _drive("red")),
    ),
    Phase("end", "End", "1", _end),
)


class Skirmish(Ruleset[Table, Ground]):
    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = Table
    actions = (Park, Drive)
    steps = (Driving,)
    events = (RoundBegan, Drove)

    def world(self, setup: Setup) -> Ground:
        return Ground(setup, SEQUENCE)

    def start(self, world: Ground) -> Table:
        return Table(locations={"blue-1": (100, 100), "blue-2": (100, 700), "red-1": (1100, 100), "red-2": (1100, 700)})

    def picture(self, at: At) -> Picture:
        cars = at.state.locations.items()
        return Picture(at.world.board, tuple(Piece(car, spot, car.partition("-")[0], symbol="armour") for car, spot in cars))


RULESET = Skirmish()
