"""The rules of the duel, in the order of rules.toml."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import ClassVar

from hexwar import load_board
from hexwar.board import Board
from hexwar.engine import (
    Action,
    ActionSet,
    Event,
    Invariant,
    Listed,
    Loop,
    Phase,
    Play,
    Position,
    RuleIndex,
    Ruleset,
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

from . import INFO

RULES = RuleIndex.load(files(__package__) / "rules.toml")
ROUNDS = 12
WOUNDS = 2


# -- 1 The fencers ------------------------------------------------------------------------------------------------------


@state
class Duel(State):
    """Everything that changes. A fencer is called like his side."""

    round: int = public(default=0)
    at: dict[str, str] = public(factory=dict)
    wounds: dict[str, int] = public(factory=dict)


class Meadow(World):
    """The duel's board."""

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        super().__init__(setup, sequence)
        self.board: Board = setup.board or load_board("duel/meadow")

    def enemy(self, side: str) -> str:
        """The other fencer."""
        return next(other for other in self.sides if other != side)


At = Position[Duel, Meadow]
Doing = Play[Duel, Meadow]


@record
class RoundBegan(Event[Duel]):
    """1.2."""

    sight = Sight.PUBLIC
    round: int

    def apply(self, state: Duel) -> None:
        state.round = self.round

    def __str__(self) -> str:
        return f"==== Round {self.round} ===="


# -- 2 Actions ----------------------------------------------------------------------------------------------------------


@record
class Wait(Action):
    """Do nothing."""

    def __str__(self) -> str:
        return "wait"


@record
class Go(Action):
    """Go one hex."""

    to: str

    def __str__(self) -> str:
        return f"go to {self.to}"


@record
class Strike(Action):
    """Strike the other fencer."""

    def __str__(self) -> str:
        return "strike"


@record
class Went(Event[Duel]):
    """A fencer went to a hex."""

    sight = Sight.PUBLIC
    who: str
    to: str

    def apply(self, state: Duel) -> None:
        state.at[self.who] = self.to

    def __str__(self) -> str:
        return f"{self.who} goes to {self.to}"


@record
class Acting(Step[Duel, Meadow]):
    """2.1: one fencer acts once."""

    clause: ClassVar[str] = "2.1"
    seat: str

    def deciders(self, at: At) -> tuple[str, ...]:
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        side = at.world.seats[seat]
        return f"{side} stands at {at.state.at[side]}, {at.world.enemy(side)} at {at.state.at[at.world.enemy(side)]}."

    def actions(self, at: At, seat: str) -> ActionSet:
        side = at.world.seats[seat]
        here = at.state.at[side]
        ways = [Go(label) for label in sorted(at.world.board.neighbours(here)) if is_open(at, label)]
        return Listed([Wait(), *ways, *([Strike()] if can_strike(at, side) else [])])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        side = play.world.seats[seat]
        play.pop()
        if isinstance(action, Go):
            play.emit(Went(side, action.to, clause="2.1"))
        elif isinstance(action, Strike):
            strike(play, play.world.enemy(side))

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        if isinstance(action, Go) and action.to in at.world.board and not is_open(at, action.to):
            return Refusal(RefusalCode.AGAINST_RULE, "2.2", f"{action.to} is taken, by water or by a fencer")
        if isinstance(action, Strike):
            return Refusal(RefusalCode.AGAINST_RULE, "3.1", "the other fencer is out of reach")
        return None


def is_open(at: At, label: str) -> bool:
    """2.2."""
    return at.world.board.terrain(label) != "pond" and label not in at.state.at.values()


# -- 3 Striking ---------------------------------------------------------------------------------------------------------


@record
class Wounded(Event[Duel]):
    """A fencer was hit."""

    sight = Sight.PUBLIC
    who: str

    def apply(self, state: Duel) -> None:
        state.wounds[self.who] = state.wounds.get(self.who, 0) + 1

    def __str__(self) -> str:
        return f"{self.who} is wounded"


def can_strike(at: At, side: str) -> bool:
    """3.1."""
    return at.world.board.adjacent(at.state.at[side], at.state.at[at.world.enemy(side)])


def strike(play: Doing, target: str) -> None:
    """3.1, 3.2."""
    needed = 6 if play.world.board.terrain(play.state.at[target]) == "trees" else 4
    if play.roll(f"strike at {target}", clause="3.1") < needed:
        return
    play.emit(Wounded(target, clause="3.1"))
    if play.state.wounds[target] >= WOUNDS:
        play.end(play.world.enemy(target), f"{target} is wounded twice", clause="3.2")


# -- 4 The end ----------------------------------------------------------------------------------------------------------


def rounds_remain(at: At) -> bool:
    """1.2."""
    return at.state.round < ROUNDS


def begin_round(play: Doing) -> None:
    """1.2: South's step lies deeper, so North acts first."""
    play.emit(RoundBegan(play.state.round + 1, clause="1.2"))
    for side in reversed(INFO.sides):
        play.push(Acting(play.world.seats_of(side)[0]))


def decide(play: Doing) -> None:
    """4.1."""
    north, south = (play.state.wounds.get(side, 0) for side in INFO.sides)
    winner = None if north == south else "north" if north < south else "south"
    play.end(winner, "all rounds are fought", clause="4.1", scores={"north": -north, "south": -south})


SEQUENCE = SequenceOfPlay(
    Loop("Rounds", "1.2", rounds_remain, (Phase("round", "Round", "1.2", begin_round),)),
    Phase("verdict", "Verdict", "4.1", decide),
)


def _share_a_hex(at: At) -> str | None:
    return None if len(set(at.state.at.values())) == len(at.state.at) else "both fencers stand in one hex"


class DuelRules(Ruleset[Duel, Meadow]):
    """Everything put together."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = Duel
    actions = (Wait, Go, Strike)
    steps = (Acting,)
    events = (RoundBegan, Went, Wounded)
    invariants = (Invariant("2.2", "fencers never share a hex", _share_a_hex),)

    def world(self, setup: Setup) -> Meadow:
        return Meadow(setup, SEQUENCE)

    def start(self, world: Meadow) -> Duel:
        return Duel(at={side: world.board.areas[side][0] for side in world.sides})

    def place(self, world: Meadow, state: Duel, units: Mapping[str, Mapping[str, object]]) -> None:
        for side, entry in units.items():
            label = entry.get("at")
            if side not in world.sides or not isinstance(label, str) or label not in world.board:
                raise ValueError(f"unit {side}: a fencer is called north or south and stands in a hex of the meadow")
            state.at[side] = label


RULESET = DuelRules()
