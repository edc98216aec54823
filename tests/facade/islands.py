"""An area game: two fleets on five islands that are joined by sea lanes. It has a board, units and points, and no hexes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from hexwar import load_board
from hexwar.board import AreaBoard
from hexwar.engine import (
    Action,
    ActionSet,
    Choices,
    Clause,
    Colours,
    Event,
    Grouped,
    Loop,
    Phase,
    Picture,
    Piece,
    Play,
    Position,
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
from hexwar.pieces import Score

MAP = """
format = 1
kind = "areas"
id = "islands/five"
title = "Five islands"

[[area]]
label = "cod"
name = "Codfish Bank"
terrain = "sea"
middle = [10, 10]

[[area]]
label = "elm"
name = "Elm Isle"
terrain = "forest"
middle = [40, 12]

[[area]]
label = "fox"
terrain = "hills"
middle = [70, 10]
outline = [[58, 0], [84, 2], [82, 20], [60, 22]]

[[area]]
label = "gull"
name = "Gull Rock"
middle = [25, 35]

[[area]]
label = "heron"
name = "Heron Marsh"
terrain = "marsh"
middle = [55, 36]

[links]
sea = ["cod elm fox", "cod gull heron fox"]
ferry = ["gull elm"]

[provenance]
everything = "invented"
"""
INFO = RulesetInfo(
    id="islands",
    title="Islands",
    version="1",
    sides=("east", "west"),
    scenarios=(Scenario("five", "Five islands", "Hold more islands than the other fleet.", "islands/five", bound=200),),
    entry="tests.facade.islands:RULESET",
)
RULES = RuleIndex([Clause("1", "fleets take turns"), Clause("2", "a fleet sails along a lane"), Clause("3", "islands count")])
ROUNDS = 4


@state
class Sea(State):
    turn: int = public(default=0)
    locations: dict[str, str] = public(factory=dict)
    control: dict[str, str] = public(factory=dict)


@dataclass(frozen=True)
class Ship:
    id: str
    name: str
    side: str


class Waters(World):
    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        super().__init__(setup, sequence)
        self.board: AreaBoard = setup.board or load_board("islands/five", kind=AreaBoard)
        ships = (Ship("e1", "Eagle", "east"), Ship("e2", "Egret", "east"), Ship("w1", "Wolf", "west"), Ship("w2", "Wren", "west"))
        self.units = {ship.id: ship for ship in ships}

    @property
    def content(self) -> str:
        return self.board.digest


At = Position[Sea, Waters]


@record
class Sail(Action):
    kind = "sail"
    unit: str
    to: str

    def __str__(self) -> str:
        return f"sail {self.unit} to {self.to}"


@record
class Stay(Action):
    kind = "stay"
    ends: ClassVar[bool] = True

    def __str__(self) -> str:
        return "stay"


@record
class Sailed(Event[Sea]):
    kind = "sailed"
    sight = Sight.PUBLIC
    unit: str
    path: tuple[str, ...]
    side: str
    clause: str = field(default="2", kw_only=True)

    def apply(self, state: Sea) -> None:
        state.locations[self.unit] = self.path[-1]
        state.control[self.path[-1]] = self.side

    def __str__(self) -> str:
        return f"{self.unit} sails from {self.path[0]} to {self.path[-1]}"


@record
class RoundBegan(Event[Sea]):
    kind = "round-began"
    sight = Sight.PUBLIC
    clause: str = field(default="1", kw_only=True)

    def apply(self, state: Sea) -> None:
        state.turn += 1


def why_not(at: At, seat: str, action: Action) -> Refusal | None:
    if not isinstance(action, Sail):
        return None
    here, board = at.state.locations.get(action.unit, ""), at.world.board
    if here not in board or at.world.units[action.unit].side != seat:
        return Refusal(RefusalCode.AGAINST_RULE, "1", f"{action.unit} is no fleet of {seat}")
    if action.to not in board.neighbours(here):
        return Refusal(RefusalCode.AGAINST_RULE, "2", f"no lane leads from {here} to {action.to}")
    return None


@record
class Sailing(Step[Sea, Waters]):
    kind = "sailing"
    clause: ClassVar[str] = "2"
    seat: str

    def deciders(self, at: At) -> tuple[str, ...]:
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        return "Sail with one fleet, or stay."

    def actions(self, at: At, seat: str) -> ActionSet:
        board = at.world.board
        mine = [unit for unit, ship in at.world.units.items() if ship.side == seat]

        def lanes(unit: str) -> ActionSet:
            return Choices([Sail(unit, to) for to in board.labels], lambda action: why_not(at, seat, action))

        missing = Refusal(RefusalCode.AGAINST_RULE, "1", "this is no fleet of yours")
        return Grouped([Stay()], mine, lanes, lambda action: action.key or None, lambda key: missing)

    def perform(self, play: Play[Sea, Waters], seat: str, action: Action) -> None:
        play.pop()
        if isinstance(action, Sail):
            play.emit(Sailed(action.unit, (play.state.locations[action.unit], action.to), seat))


@dataclass(frozen=True)
class Lanes:
    """Where a fleet can sail; the ferry costs two days."""

    costs: dict[str, float]
    closed: dict[str, Refusal]


class Counting:
    """The queries of this game."""

    def __init__(self, at: At) -> None:
        self._at = at

    def reach(self, unit: str) -> Lanes:
        here, board = self._at.state.locations[unit], self._at.world.board
        return Lanes({near: 2 if "ferry" in board.links(here, near) else 1 for near in board.neighbours(here)}, {})

    def score(self) -> tuple[Score, ...]:
        return tuple(Score(side, 1, label, "3") for label, side in self._at.state.control.items())


def _begin(play: Play[Sea, Waters]) -> None:
    play.emit(RoundBegan())


def _end(play: Play[Sea, Waters]) -> None:
    held = list(play.state.control.values())
    scores = {side: held.count(side) for side in play.world.sides}
    play.end(max(scores, key=lambda side: scores[side]), "holds more islands", clause="3", scores=scores)


def _sail(side: str) -> Phase:
    return Phase(side, f"{side.title()} sails", "1", lambda play: play.push(Sailing(side)))


SEQUENCE = SequenceOfPlay(
    Loop("Round", "1", lambda at: at.state.turn < ROUNDS, (Phase("begin", "Begin", "1", _begin), _sail("east"), _sail("west"))),
    Phase("end", "End", "3", _end),
)


class Islands(Ruleset[Sea, Waters]):
    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = Sea
    actions = (Stay, Sail)
    steps = (Sailing,)
    events = (RoundBegan, Sailed)

    def world(self, setup: Setup) -> Waters:
        return Waters(setup, SEQUENCE)

    def start(self, world: Waters) -> Sea:
        return Sea(locations={"e1": "fox", "e2": "heron", "w1": "cod", "w2": "gull"}, control={"fox": "east", "cod": "west"})

    def query(self, at: At) -> Counting:
        return Counting(at)

    def picture(self, at: At) -> Picture:
        ships = at.world.units.values()
        pieces = tuple(Piece(ship.id, at.state.locations[ship.id], ship.side, ship.name) for ship in ships)
        return Picture(at.world.board, pieces, at.state.control, {"east": Colours("#7a1022", "#ffffff", "#3a0510")})


RULESET = Islands()
