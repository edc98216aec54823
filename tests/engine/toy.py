"""A game without hexes for the engine's own tests: two sides bid secretly, roll for it, and walk a track.

It has what the engine must carry and the small hex game lacks: a track for a board, seats beyond one a side, an owner's
secret with an outline, a reveal without a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, ClassVar

from hexwar.engine import (
    Action,
    ActionSet,
    Chance,
    Clause,
    Event,
    Explained,
    Game,
    Hooks,
    Invariant,
    Listed,
    Loop,
    Phase,
    Play,
    Position,
    Result,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    Scenario,
    SeededChance,
    SequenceOfPlay,
    Setup,
    Sight,
    State,
    Step,
    Viewer,
    World,
    derived,
    hidden,
    owned,
    public,
    record,
    redacted,
    settle_options,
    state,
)
from hexwar.engine._info import Option
from hexwar.errors import Refusal
from hexwar.testing import Kit

INFO = RulesetInfo(
    id="toy",
    title="Toy",
    version="1.0",
    sides=("north", "south"),
    scenarios=(Scenario("short", "Short", bound=200), Scenario("teams", "Teams", bound=400)),
    entry="toy:RULESET",
    kit="tests.engine.toy:KIT",
    options=(
        Option("steep", "Steep", clause="3"),
        Option("flat", "Flat", excludes=("steep",)),
        Option("pace", "Pace", ("slow", "fast"), "slow"),
    ),
)

KIT = Kit(known_failures={"nothing-comes-back": "who has wished may wish for the same again"})


def face_up(cards: dict[str, int], viewer: Viewer) -> dict[str, int]:
    """Cards that lie face down have negative numbers, and nobody sees more than that they are there."""
    return {card: max(number, 0) for card, number in cards.items()}


@state
class Toy(State):
    round: int = public(default=1)
    track: dict[str, int] = public(factory=dict)
    bids: dict[str, int] = owned(factory=dict)
    wish: dict[str, int] = owned(factory=dict)
    deck: tuple[int, ...] = hidden(default=(1, 2, 3))
    known: dict[str, int] = owned(factory=dict)
    table: tuple[int, ...] = public(default=())
    cards: dict[str, int] = redacted(face_up, factory=dict)
    farthest: dict[str, int] = derived(factory=dict)

    def rebuild(self) -> None:
        self.farthest = {"steps": max(self.track.values(), default=0)}


@record
class Wish(Action):
    kind = "wish"
    amount: int

    def __str__(self) -> str:
        return f"wish for {self.amount}"


@record
class Bid(Action):
    kind = "bid"


@record
class Peek(Action):
    kind = "peek"


@record
class Walk(Action):
    kind = "walk"
    steps: int


@record
class Wished(Event[Toy]):
    kind = "wished"
    sight = Sight.OWNER
    side: str
    amount: int
    clause: str = field(default="1", kw_only=True)

    def apply(self, state: Toy) -> None:
        state.wish[self.side] = self.amount


@record
class BidMade(Event[Toy]):
    kind = "bid-made"
    sight = Sight.OWNER
    side: str
    amount: int
    clause: str = field(default="1", kw_only=True)

    def apply(self, state: Toy) -> None:
        state.bids[self.side] = self.amount

    def outline(self) -> Event | None:
        return SomebodyBid(self.side, clause=self.clause)


@record
class SomebodyBid(Event[Toy]):
    kind = "somebody-bid"
    sight = Sight.PUBLIC
    who: str

    def apply(self, state: Toy) -> None:
        pass


@record
class Peeked(Event[Toy]):
    kind = "peeked"
    sight = Sight.OWNER
    reveals: ClassVar[bool] = True
    side: str
    card: int
    clause: str = field(default="1.2", kw_only=True)

    def apply(self, state: Toy) -> None:
        state.known[self.side] = self.card


@record
class Walked(Event[Toy]):
    kind = "walked"
    sight = Sight.PUBLIC
    side: str
    steps: int
    clause: str = field(default="2", kw_only=True)

    def apply(self, state: Toy) -> None:
        state.track[self.side] = state.track.get(self.side, 0) + self.steps
        state.rebuild()


@record
class RoundEnded(Event[Toy]):
    kind = "round-ended"
    sight = Sight.PUBLIC

    def apply(self, state: Toy) -> None:
        state.round += 1
        state.bids = {}
        state.wish = {}


@record
class Bidding(Step[Toy, World]):
    kind = "bidding"
    clause: ClassVar[str] = "1"

    def deciders(self, at: Position[Toy, World]) -> tuple[str, ...]:
        return tuple(seat for seat in at.world.seats if seat not in at.state.bids)

    def prompt(self, at: Position[Toy, World], seat: str) -> str:
        return "Bid from 0 to 3."

    def actions(self, at: Position[Toy, World], seat: str) -> ActionSet:
        peek = [] if seat in at.state.known else [Peek()]
        wishes = [Wish(n) for n in range(4) if n != at.state.wish.get(seat)]
        return Explained([Bid(), *wishes, *peek], partial(self.why_not, at, seat))

    def why_not(self, at: Position[Toy, World], seat: str, action: Action) -> Refusal | None:
        if isinstance(action, Wish) and action.amount > 3:
            return Refusal.against("1.1", "a bid is at most 3")
        return None

    def perform(self, play: Play[Toy, World], seat: str, action: Action) -> None:
        if isinstance(action, Wish):
            play.emit(Wished(seat, action.amount))
        elif isinstance(action, Peek):
            play.emit(Peeked(seat, play.state.deck[0]))
        else:
            play.emit(BidMade(seat, play.state.wish.get(seat, 0)))

    def resume(self, play: Play[Toy, World]) -> None:
        play.pop()
        best = max(play.world.seats, key=lambda seat: play.state.bids[seat])  # the first seat wins a tie, whoever bid first
        play.push(Walking(best, play.roll("walk", clause="2")))


@record
class Walking(Step[Toy, World]):
    kind = "walking"
    clause: ClassVar[str] = "2"
    seat: str
    left: int

    def deciders(self, at: Position[Toy, World]) -> tuple[str, ...]:
        return (self.seat,) if self.left else ()

    def prompt(self, at: Position[Toy, World], seat: str) -> str:
        return f"Walk up to {self.left}."

    def actions(self, at: Position[Toy, World], seat: str) -> ActionSet:
        return Listed(Walk(n) for n in range(1, self.left + 1))

    def perform(self, play: Play[Toy, World], seat: str, action: Action) -> None:
        assert isinstance(action, Walk)
        play.emit(Walked(play.world.seats[seat], action.steps))
        play.replace(Walking(seat, self.left - action.steps))

    def resume(self, play: Play[Toy, World]) -> None:
        play.pop()


def _bid(play: Play[Toy, World]) -> None:
    play.push(Bidding())


def _end_round(play: Play[Toy, World]) -> None:
    play.emit(RoundEnded(clause="4"))


def rounds_remain(at: Position[Toy, World]) -> bool:
    return at.state.round <= 3


def _verdict(play: Play[Toy, World]) -> None:
    track = play.state.track
    winner = max(sorted(track), key=lambda side: track[side])
    play.end(winner, "went farthest", clause="4", scores=track)


RULES = RuleIndex([Clause(number, f"clause {number}") for number in ("1", "1.1", "1.2", "2", "3", "4", "9")])
SEQUENCE = SequenceOfPlay(
    Loop("Round", "4", rounds_remain, (Phase("bid", "Bidding", "1", _bid), Phase("end", "End of round", "4", _end_round))),
    Phase("verdict", "Verdict", "4", _verdict),
)


class ToyRuleset(Ruleset[Toy, World]):
    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = Toy
    actions: Sequence[type[Action]] = (Wish, Bid, Peek, Walk)
    steps: Sequence[type[Step]] = (Bidding, Walking)
    events: Sequence[type[Event]] = (Wished, BidMade, SomebodyBid, Peeked, Walked, RoundEnded)
    invariants = (Invariant("2", "nobody walks back", lambda at: "negative" if min(at.state.track.values()) < 0 else None),)

    def world(self, setup: Setup) -> World:
        return World(setup, self.sequence)

    def start(self, world: World) -> Toy:
        begin = Toy(track=dict.fromkeys(world.sides, 0))
        begin.rebuild()
        return begin


RULESET = ToyRuleset()


def setup(**changes: Any) -> Setup:
    fields: dict[str, Any] = {
        "ruleset": "toy",
        "version": INFO.version,
        "scenario": "short",
        "options": settle_options({}, INFO.options, "short"),
        "seats": {"north": "north", "south": "south"},
        "rules": RULES,
    }
    return Setup(**{**fields, **changes})


def new_game(seed: int = 1, *, chance: Chance | None = None, **changes: Any) -> Game[Toy, World]:
    world = RULESET.world(setup(**changes))
    return Game(RULESET, world, RULESET.start(world), chance or SeededChance(seed))


TEAMS = {"n1": "north", "n2": "north", "s1": "south", "s2": "south"}


def teams_game(seed: int = 1) -> Game[Toy, World]:
    """Four seats, two a side, who all bid at the same time."""
    return new_game(seed, scenario="teams", seats=TEAMS)


def result_of(game: Game[Toy, World]) -> Result:
    assert game.result is not None
    return game.result


def play_on(game: Game, choices: Iterable[int]) -> None:
    """Play as long as there are choices; each number picks a seat and one of its actions."""
    for choice in choices:
        if not game.to_move:
            return
        number, which = divmod(choice, len(game.to_move))
        seat = game.to_move[which]
        actions = game.legal_actions(seat)
        game.apply(actions[number % len(actions)], seat)


# -- one decision, anything may follow: for tests of what the core makes of a ruleset's deeds ------------------------------


@record
class Do(Action):
    kind = "do"
    deed: str


@record
class Lay(Action):
    """Known to the ruleset and never offered."""

    kind = "lay"
    cards: tuple[int, ...]


@record
class Changed(Event[Toy]):
    """Sets fields of the state; `reveals` is not declared, so the core has to notice for itself."""

    kind = "changed"
    sight = Sight.PUBLIC
    changes: tuple[tuple[str, Any], ...]
    clause: str = field(default="9", kw_only=True)

    def apply(self, state: Toy) -> None:
        for name, value in self.changes:
            setattr(state, name, value)


def change(play: Play, **changes: Any) -> None:
    play.emit(Changed(tuple(changes.items())))


Deed = Callable[[Play], object]


class Deeds(World):
    """A world in which `Doing` offers the named deeds."""

    deeds: Mapping[str, Deed]


@record
class Doing(Step[Toy, Deeds]):
    kind = "doing"
    clause: ClassVar[str] = "9"
    seats: tuple[str, ...] = ("north",)

    def deciders(self, at: Position[Toy, Deeds]) -> tuple[str, ...]:
        return self.seats

    def actions(self, at: Position[Toy, Deeds], seat: str) -> ActionSet:
        return Listed(Do(deed) for deed in at.world.deeds)

    def perform(self, play: Play[Toy, Deeds], seat: str, action: Action) -> None:
        assert isinstance(action, Do)
        play.world.deeds[action.deed](play)


class DeedsRuleset(ToyRuleset):
    actions = (Do, Lay)
    steps = (Doing,)
    events = (Changed,)


def deeds_game(
    deeds: Mapping[str, Deed],
    *nodes: Any,
    step: Step | None = None,
    begin: Toy | None = None,
    chance: Chance | None = None,
    hooks: Mapping[str, tuple[Callable[..., Any], ...]] | None = None,
) -> Game[Toy, Deeds]:
    """A game in which north may do any of the deeds, again and again, or whose sequence of play is `nodes`."""
    nodes = nodes or (Phase("do", "Doing", "9", lambda play: play.push(step or Doing())),)
    world = Deeds(setup(hooks=Hooks(**(hooks or {}))), SequenceOfPlay(*nodes))
    world.deeds = deeds
    return Game(DeedsRuleset(), world, begin or Toy(track={"north": 0, "south": 0}), chance or SeededChance(1))  # type: ignore[arg-type]
