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
    Explained,
    Invariant,
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
    owned,
    public,
    record,
    state,
)
from hexwar.errors import Refusal

from . import INFO

RULES = RuleIndex.load(files(__package__) / "rules.toml")
ROUNDS = 12
WOUNDS = 2


# -- 1 The fencers ------------------------------------------------------------------------------------------------------


@state
class Duel(State):
    """Everything that changes. A fencer is called like his side."""

    round: int = public(default=0)
    locations: dict[str, str] = public(factory=dict)
    wounds: dict[str, int] = public(factory=dict)
    guard: dict[str, bool] = owned(factory=dict)
    paused: dict[str, bool] = public(factory=dict)
    """Fencer -> whether he has stood still since his guard was last seen to be down; then it may be up."""


class Meadow(World):
    """The duel's board."""

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        super().__init__(setup, sequence)
        self.board: Board = setup.board or load_board("duel/meadow")

    def enemy(self, side: str) -> str:
        """The other fencer."""
        return next(other for other in self.sides if other != side)


At = Position[Duel, Meadow]
GamePlay = Play[Duel, Meadow]


@record
class RoundBegan(Event[Duel]):
    """1.2."""

    kind = "round-began"
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

    kind = "wait"

    def __str__(self) -> str:
        return "wait"


@record
class Guard(Action):
    """Raise the guard, which looks like doing nothing."""

    kind = "guard"

    def __str__(self) -> str:
        return "raise the guard"


@record
class Go(Action):
    """Go one hex."""

    kind = "go"
    to: str

    def __str__(self) -> str:
        return f"go to {self.to}"


@record
class Strike(Action):
    """Strike the other fencer."""

    kind = "strike"

    def __str__(self) -> str:
        return "strike"


@record
class StoodStill(Event[Duel]):
    """2.3: what the other fencer does not see."""

    kind = "stood-still"
    sight = Sight.OWNER
    side: str
    guards: bool

    def apply(self, state: Duel) -> None:
        state.guard[self.side] = self.guards
        state.paused[self.side] = True

    def outline(self) -> Event[Duel]:
        return Paused(self.side, clause=self.clause)

    def __str__(self) -> str:
        return f"{self.side} {'raises the guard' if self.guards else 'waits'}"


@record
class Paused(Event[Duel]):
    """2.3: what the other fencer sees."""

    kind = "paused"
    sight = Sight.PUBLIC
    who: str

    def apply(self, state: Duel) -> None:
        state.paused[self.who] = True

    def __str__(self) -> str:
        return f"{self.who} stands still"


@record
class Went(Event[Duel]):
    """A fencer went to a hex."""

    kind = "went"
    sight = Sight.PUBLIC
    who: str
    to: str

    def apply(self, state: Duel) -> None:
        state.locations[self.who] = self.to
        state.guard[self.who] = state.paused[self.who] = False

    def __str__(self) -> str:
        return f"{self.who} goes to {self.to}"


@record
class Acting(Step[Duel, Meadow]):
    """2.1: one fencer acts once."""

    kind = "acting"
    clause: ClassVar[str] = "2.1"
    seat: str

    def deciders(self, at: At) -> tuple[str, ...]:
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        side = at.world.seats[seat]
        return (
            f"{side} stands at {at.state.locations[side]}, {at.world.enemy(side)} at {at.state.locations[at.world.enemy(side)]}."
        )

    def actions(self, at: At, seat: str) -> ActionSet:
        side = at.world.seats[seat]
        here = at.state.locations[side]
        ways = [Go(label) for label in sorted(at.world.board.neighbours(here)) if is_open(at, label)]

        def why_not(action: Action) -> Refusal | None:
            if isinstance(action, Go) and action.to in at.world.board and not is_open(at, action.to):
                return Refusal.against("2.2", f"{action.to} is taken, by water or by a fencer")
            return Refusal.against("3.1", "the other fencer is out of reach") if isinstance(action, Strike) else None

        return Explained([Wait(), Guard(), *ways, *([Strike()] if can_strike(at, side) else [])], why_not)

    def perform(self, play: GamePlay, seat: str, action: Action) -> None:
        side = play.world.seats[seat]
        play.pop()
        if isinstance(action, Go):
            play.emit(Went(side, action.to, clause="2.1"))
        elif isinstance(action, Strike):
            strike(play, side, play.world.enemy(side))
        else:
            play.emit(StoodStill(side, isinstance(action, Guard), clause="2.3"))


def is_open(at: At, label: str) -> bool:
    """2.2."""
    return at.world.board.terrain(label) != "pond" and label not in at.state.locations.values()


# -- 3 Striking ---------------------------------------------------------------------------------------------------------


@record
class Struck(Event[Duel]):
    """A fencer strikes, and shows whether the other has his guard up."""

    kind = "struck"
    sight = Sight.PUBLIC
    reveals: ClassVar[bool] = True
    who: str
    target: str
    guarded: bool

    def apply(self, state: Duel) -> None:
        state.guard[self.who] = state.guard[self.target] = False
        state.paused[self.who] = state.paused[self.target] = False

    def __str__(self) -> str:
        return f"{self.who} strikes at {self.target}" + (", who has his guard up" if self.guarded else "")


@record
class Wounded(Event[Duel]):
    """A fencer was hit."""

    kind = "wounded"
    sight = Sight.PUBLIC
    who: str

    def apply(self, state: Duel) -> None:
        state.wounds[self.who] = state.wounds.get(self.who, 0) + 1

    def __str__(self) -> str:
        return f"{self.who} is wounded"


def can_strike(at: At, side: str) -> bool:
    """3.1."""
    return at.world.board.adjacent(at.state.locations[side], at.state.locations[at.world.enemy(side)])


def needed(at: At, target: str) -> int:
    """3.1, 3.3."""
    return 6 if at.world.board.terrain(at.state.locations[target]) == "trees" or at.state.guard.get(target, False) else 4


def strike(play: GamePlay, who: str, target: str) -> None:
    """3.1 to 3.3."""
    least = needed(play, target)
    play.emit(Struck(who, target, play.state.guard.get(target, False), clause="3.3"))
    if play.roll(f"strike at {target}", clause="3.1") < least:
        return
    play.emit(Wounded(target, clause="3.1"))
    if play.state.wounds[target] >= WOUNDS:
        play.end(who, f"{target} is wounded twice", clause="3.2")


# -- 4 The end ----------------------------------------------------------------------------------------------------------


def rounds_remain(at: At) -> bool:
    """1.2."""
    return at.state.round < ROUNDS


def begin_round(play: GamePlay) -> None:
    """1.2: South's step lies deeper, so North acts first."""
    play.emit(RoundBegan(play.state.round + 1, clause="1.2"))
    for side in reversed(INFO.sides):
        play.push(Acting(play.world.seats_of(side)[0]))


def decide(play: GamePlay) -> None:
    """4.1."""
    north, south = (play.state.wounds.get(side, 0) for side in INFO.sides)
    winner = None if north == south else "north" if north < south else "south"
    play.end(winner, "all rounds are fought", clause="4.1", scores={"north": -north, "south": -south})


SEQUENCE = SequenceOfPlay(
    Loop("Rounds", "1.2", rounds_remain, (Phase("round", "Round", "1.2", begin_round),)),
    Phase("verdict", "Verdict", "4.1", decide),
)


def _share_a_hex(at: At) -> str | None:
    shared = [label for label in at.state.locations.values() if list(at.state.locations.values()).count(label) > 1]
    return f"both fencers stand in {shared[0]}" if shared else None


def _in_the_pond(at: At) -> str | None:
    wet = [f"{side} stands in {label}" for side, label in at.state.locations.items() if at.world.board.terrain(label) == "pond"]
    return " and ".join(wet) or None


class DuelRules(Ruleset[Duel, Meadow]):
    """Everything put together."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = Duel
    actions = (Wait, Guard, Go, Strike)
    steps = (Acting,)
    events = (RoundBegan, StoodStill, Paused, Went, Struck, Wounded)
    invariants = (
        Invariant("2.2", "fencers never share a hex", _share_a_hex),
        Invariant("2.2", "nobody stands in the pond", _in_the_pond),
    )

    def world(self, setup: Setup) -> Meadow:
        return Meadow(setup, SEQUENCE)

    def start(self, world: Meadow) -> Duel:
        return Duel(locations={side: world.board.areas[side][0] for side in world.sides})

    def place(self, world: Meadow, state: Duel, units: Mapping[str, Mapping[str, object]]) -> None:
        for side, entry in units.items():
            label = entry.get("at")
            if side not in world.sides or not isinstance(label, str) or label not in world.board:
                raise ValueError(f"unit {side}: a fencer is called north or south and stands in a hex of the meadow")
            state.locations[side] = label


RULESET = DuelRules()
