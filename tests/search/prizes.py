"""A game of cards without a board: a prize lies under one of three cups, and nobody knows which; points can be taken as well."""

from __future__ import annotations

from typing import Any, ClassVar

from hexwar.engine import (
    Action,
    ActionSet,
    Clause,
    Game,
    Listed,
    Loop,
    Phase,
    Play,
    Position,
    PublicEvent,
    RandomSource,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    Scenario,
    SeededChance,
    SequenceOfPlay,
    Setup,
    State,
    Step,
    View,
    World,
    hidden,
    public,
    record,
    state,
)

CUPS = 3
PRIZE = 6
TURNS = 4

INFO = RulesetInfo(
    id="prizes",
    title="Prizes",
    version="1",
    sides=("one", "other"),
    scenarios=(Scenario("short", "Short", bound=100),),
    entry="tests.search.prizes:RULESET",
)


@state
class Table(State):
    turn: int = public(default=0)
    points: dict[str, int] = public(factory=dict)
    opened: tuple[int, ...] = public(default=())
    found: bool = public(default=False)
    prize: int = hidden(default=0)


@record
class Take(Action):
    kind = "take"
    says = "take {points}"
    points: int


@record
class Look(Action):
    kind = "look"
    says = "look under cup {cup}"
    cup: int


@record
class Got(PublicEvent[Table]):
    kind = "got"
    side: str
    points: int
    cup: int = 0

    def apply(self, state: Table) -> None:
        state.points = {**state.points, self.side: state.points.get(self.side, 0) + self.points}
        state.found = state.found or self.points == PRIZE
        state.opened = (*state.opened, self.cup) if self.cup else state.opened


@record
class Began(PublicEvent[Table]):
    kind = "began"
    turn: int

    def apply(self, state: Table) -> None:
        state.turn = self.turn


@record
class Choosing(Step[Table, World]):
    kind = "choosing"
    clause: ClassVar[str] = "1"
    says = "Take points, or look under a cup."
    seat: str

    def deciders(self, at: Position[Table, World]) -> tuple[str, ...]:
        return (self.seat,)

    def actions(self, at: Position[Table, World], seat: str) -> ActionSet:
        cups = [Look(cup) for cup in range(1, CUPS + 1) if cup not in at.state.opened]
        return Listed([*(Take(points) for points in (0, 1, 2)), *cups])

    def perform(self, play: Play[Table, World], seat: str, action: Action) -> None:
        play.pop()
        if isinstance(action, Take):
            play.emit(Got(seat, action.points, clause="1"))
        elif isinstance(action, Look):
            play.emit(Got(seat, PRIZE if action.cup == play.state.prize else 0, action.cup, clause="1"))


def _turn(play: Play[Table, World]) -> None:
    play.emit(Began(play.state.turn + 1, clause="1"))
    for seat in reversed(play.world.sides):
        play.push(Choosing(seat))


def _verdict(play: Play[Table, World]) -> None:
    points = {side: play.state.points.get(side, 0) for side in play.world.sides}
    best = [side for side in points if points[side] == max(points.values())]
    play.end(best[0] if len(best) == 1 else None, "points", clause="1", scores=points)


SEQUENCE = SequenceOfPlay(
    Loop("Turn", "1", lambda at: at.state.turn < TURNS, (Phase("turn", "Turn", "1", _turn),)),
    Phase("verdict", "Verdict", "1", _verdict),
)


class Prizes(Ruleset[Table, World]):
    info = INFO
    rules = RuleIndex([Clause("1", "everything")])
    sequence = SEQUENCE
    state_type = Table
    actions = (Take, Look)
    steps = (Choosing,)
    events = (Got, Began)

    def world(self, setup: Setup) -> World:
        return World(setup, SEQUENCE)

    def start(self, world: World) -> Table:
        return Table(prize=2)

    def imagine(self, view: View, at: Position[Table, World], chance: RandomSource) -> None:
        """The prize lies under a cup that was not opened, if nobody has it."""
        left = [cup for cup in range(1, CUPS + 1) if cup not in at.state.opened]
        at.state.prize = at.state.opened[-1] if at.state.found else left[chance.randrange(len(left))]

    def lead(self, at: Position[Table, World], side: str) -> float:
        points: Any = at.state.points
        return float(points.get(side, 0) - max(points.get(other, 0) for other in at.world.sides if other != side))


RULESET = Prizes()


def new_game(prize: int = 2, seed: int = 1) -> Game[Table, World]:
    """A game with the prize under a given cup."""
    setup = Setup("prizes", "1", "short", {}, {side: side for side in INFO.sides}, Prizes.rules)
    world = RULESET.world(setup)
    state = RULESET.start(world)
    state.prize = prize
    return Game(RULESET, world, state, SeededChance(seed))
