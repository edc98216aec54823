"""Steps: whatever waits for a decision is a small serialisable record on the state's stack.

A battle pushes losses, losses push a retreat, a retreat pushes a pursuit; an interrupt is one more step on top. A
step knows who decides, which actions are legal and what each does, so prompt and handler cannot diverge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal

from typing_extensions import TypeVar

from hexwar.engine._actions import Action, ActionSet, Listed
from hexwar.engine._events import DiceRolled, Event, GameEnded, LotDrawn, StepPopped, StepPushed, StepReplaced
from hexwar.engine._info import NEUTRAL
from hexwar.engine._parts import changed_parts
from hexwar.engine._records import Record, record
from hexwar.engine._rules import Citing, collectors
from hexwar.engine._state import Result, State, Viewer
from hexwar.errors import HexwarError, RuleBroken, RuleBrokenCode
from hexwar.grouping import grouped

if TYPE_CHECKING:
    from hexwar.engine._chance import Chance
    from hexwar.engine._ruleset import Setup
    from hexwar.engine._sequence import SequenceOfPlay

S = TypeVar("S", bound=State, default=Any)
W = TypeVar("W", bound="World", default=Any)
T = TypeVar("T")


_POPPED = StepPopped()
"""They are all alike."""


class World:
    """What a game is played in and with, fixed when it is created and shared by all its copies.

    Rulesets subclass it with their board, roster, tables and parts.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
    """

    cite: Mapping[str, str] = {}
    """Topic -> clause id, for the events and refusals of shared rules."""

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.setup = setup
        self.rules = setup.rules
        # Games of one setup share a world, and every view has it: it is read-only.
        self.options = MappingProxyType(dict(setup.options))
        self.seats = MappingProxyType(dict(setup.seats))
        for change in setup.hooks.sequence:
            sequence = change(self, sequence) or sequence
        self.sequence = sequence
        for seat, side in self.seats.items():
            if not seat.strip() or not seat.isprintable():  # nobody could be told whose turn it is
                raise HexwarError(f"the seat {seat!r} of {side} has no name that can be shown")
            # Secrets are kept under a seat's or a side's name, so one name may not stand for two owners.
            if seat in self.sides and (seat != side or len(self.seats_of(side)) > 1):
                raise HexwarError(f"the seat {seat!r} has the name of a side, so it must be the only seat of that side")
        self.changed_parts = changed_parts(type(self), setup.parts)
        """Part -> its class with the changes of the variants in play, which are checked before anybody asks the part."""
        self.reactions, self.vetoes = setup.hooks.on_event, setup.hooks.veto

    def clause(self, topic: str) -> str:
        """The clause on a topic of shared rules; "move.zone.whole" is under "move.zone" unless it has its own."""
        found, name = self.cite.get(topic), topic
        while found is None:
            name, point, _ = name.rpartition(".")
            if not point:
                why = f"the ruleset does not say which clause is about {topic!r}: name it in the world's `cite`"
                raise RuleBroken(RuleBrokenCode.UNKNOWN_TOPIC, why)
            found = self.cite.get(name)
        return found

    @property
    def content(self) -> str:
        """A fingerprint of board, counters and tables, which a save keeps: the same moves mean nothing on another map."""
        return ""

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides in order; a seat that belongs to none makes none."""
        return tuple(side for side in self._seats_of if side != NEUTRAL)

    def viewer(self, seat: str) -> Viewer:
        """Who looks from this seat."""
        return Viewer(seat, self.seats[seat])

    def seat_for(self, side: str, unit: str = "") -> str:
        """The seat that decides for a side, or for one of its units; its first, unless a ruleset divides them up."""
        return self.seats_of(side)[0]

    def knows(self, state: State, what: str, name: Any) -> bool:
        """Whether there is what a state or a step names (see `Names`): seats, sides, points, headings; worlds add their own."""
        if what == "spot":
            return name in getattr(self, "board", (name,))
        if what == "heading":
            return name in range(360)
        return name in {"seat": (*self.seats, ""), "side": (*self.sides, NEUTRAL)}.get(what, (name,))

    def named(self, action: Action) -> Action:
        """An action that is not offered as it stands, under the names that the world uses: a hex may have several labels."""
        return action

    def seats_of(self, side: str) -> tuple[str, ...]:
        """The seats of a side."""
        return self._seats_of.get(side, ())

    @cached_property
    def _seats_of(self) -> dict[str, tuple[str, ...]]:
        return {side: tuple(seats) for side, seats in grouped((side, seat) for seat, side in self.seats.items()).items()}


class Position(Generic[S, W]):
    """A state in its world: what every predicate and query of a ruleset takes.

    Args:
        world: the world.
        state: the state.
        memo: what has been computed about the state as it is. A step that needs something costly in `deciders` and again in
            `actions` or `resume` keeps it here; whatever an event may have changed is forgotten.
    """

    __slots__ = ("memo", "state", "world")

    def __init__(self, world: W, state: S, memo: dict[Any, Any] | None = None) -> None:
        self.world = world
        self.state = state
        self.memo: dict[Any, Any] = {} if memo is None else memo


class Play(Position[S, W]):
    """A position in which something is being done: it can emit events, roll dice and change the stack."""

    __slots__ = ("_chance", "events")

    def __init__(self, world: W, state: S, chance: Chance, memo: dict[Any, Any] | None = None) -> None:
        super().__init__(world, state, memo)
        self._chance = chance
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Apply an event and note it; the clauses it cites must be in the rule index."""
        known = self.world.rules.ids
        for clause in event.cited():
            if clause not in known:
                raise RuleBroken(
                    RuleBrokenCode.UNKNOWN_CLAUSE,
                    f"{type(event).__name__} cites clause {clause!r}, which is not in the rule index",
                )
            for collect in collectors:
                collect(self.world.setup.ruleset, clause, Citing.EVENT)
        if self.memo:
            self.memo = {}
        event.apply(self.state)
        self.events.append(event)
        for react in self.world.reactions:
            react(self, event)

    def note(self, event: Event) -> None:
        """Apply an event of the engine's own, which cites no clause and without reactions."""
        if self.memo:
            self.memo = {}
        event.apply(self.state)
        self.events.append(event)

    def push(self, step: Step) -> None:
        """Put a step on top of the stack."""
        self.note(StepPushed(step))

    def pop(self) -> None:
        """Take the current step off the stack."""
        if not self.state.stack:
            raise RuleBroken(RuleBrokenCode.EMPTY_STACK, "there is no step to take off the stack: it is empty")
        self.note(_POPPED)

    def replace(self, step: Step) -> None:
        """Put a step in place of the current one."""
        if not self.state.stack:
            raise RuleBroken(RuleBrokenCode.EMPTY_STACK, "there is no step to replace: the stack is empty")
        self.note(StepReplaced(step))

    def roll(self, purpose: str, *, clause: str, dice: int = 1, sides: int = 6, lowest: int = 1) -> int:
        """Roll dice in the open; the sum."""
        return sum(self.dice(purpose, clause=clause, dice=dice, sides=sides, lowest=lowest))

    def dice(self, purpose: str, *, clause: str, dice: int, sides: int = 6, lowest: int = 1) -> tuple[int, ...]:
        """Roll dice in the open; each of them. The faces count up from `lowest`: a die of ten may begin with 0."""
        first = self.state.draws
        rolled = tuple(lowest + self._chance.rolled(purpose, first + number, sides) for number in range(dice))
        self.emit(DiceRolled(purpose, rolled, sides, clause=clause))
        return rolled

    def draw(self, purpose: str, lots: Sequence[T], *, clause: str) -> T:
        """Draw one of the lots blindly. The caller reports what was drawn with an event of its own."""
        if not lots:
            raise RuleBroken(RuleBrokenCode.NOTHING_TO_DRAW, f"{purpose}: there is nothing to draw from")
        outcome = self._chance.lot(purpose, self.state.draws, lots)
        self.emit(LotDrawn(purpose, outcome, clause=clause))
        return lots[outcome]

    def end(self, winner: str | None, reason: str, *, clause: str, scores: Mapping[str, int] | None = None) -> None:
        """End the game."""
        self.emit(GameEnded(Result(winner, reason, clause, scores or {}), clause=clause))


Shown = Literal["reach", "attack", "retreat", "place", "path", "facing", "sight", "chits", "none"]
"""What a client may show of a decision.

- `reach`: where the chosen piece can go, and what that costs;
- `attack`: what can be attacked, and with which chances;
- `retreat`: ways back, the best first;
- `place`: places to choose among, for a piece that is not on the board or for none;
- `path`: the choices are ways, place by place;
- `facing`: a piece may be turned;
- `sight`: what can be seen;
- `chits`: the chits;
- `none`: nothing but the list of choices.
"""


@record
class Concern:
    """What a decision is about, such as the battle in which a unit must lose a step.

    Args:
        pieces: by their ids.
        places: by their labels.
        goals: piece and the place that it is to attack, for what is put together so far.
    """

    pieces: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    goals: tuple[tuple[str, str], ...] = ()


@record
class Step(Record, Generic[S, W]):
    """Base of all steps. A step without deciders is automatic: the engine calls `resume` until a decision is needed."""

    kind = ""
    clause: ClassVar[str] = ""
    """The rule that the step carries out; shown with its prompt and cited by refusals that nothing else explains."""
    shows: ClassVar[tuple[Shown, ...]] = ()
    """What a client shows besides the choices; found out from the choices if not given: see `Question.shows`."""
    title: ClassVar[str] = ""
    """What is asked, in about five words; the first sentence of its prompt if not given."""
    ending: ClassVar[str] = ""
    """What the choice that ends it does, as on a button: "End movement"; made from its kind if not given."""

    def rule(self, at: Position[S, W]) -> str:
        """The clause to cite; steps that several rulesets share look it up in the world."""
        return self.clause

    def deciders(self, at: Position[S, W]) -> tuple[str, ...]:
        """The seats that must decide now; several decide at once and independently."""
        return ()

    def prompt(self, at: Position[S, W], seat: str) -> str:
        """What is asked, in a sentence: what it `says`. `at` is blank where the seat may not look."""
        return self.sentence(**self.sentence_lists(at))

    def sentence_lists(self, at: Position[S, W]) -> dict[str, tuple[Any, ...]]:
        """What its sentence names besides its fields: the results of the methods in `lists`."""
        return {name: tuple(getattr(self, name)(at)) for name in self.lists if f"{{{name}}}" in self.says}

    def actions(self, at: Position[S, W], seat: str) -> ActionSet:
        """What a seat may do: the one source of legality."""
        return Listed(())

    def understood(self, at: Position[S, W], seat: str, words: Sequence[str]) -> Iterable[Action]:
        """The actions that typed words mean, offered or not, where they are not just the words of an action.

        A game on a plane takes "march p2 120 towards hill" so; ids of pieces and places are spelt as the game has them.
        """
        return ()

    def perform(self, play: Play[S, W], seat: str, action: Action) -> None:
        """Do what a seat decided. The action is one of `actions`."""

    def facing(self, at: Position[S, W], seat: str) -> Position[S, W]:
        """The position in which a seat decides; a step in which several things go on at once shows each seat its own."""
        return at

    def asked(self, at: Position[S, W], seat: str) -> Step[S, W]:
        """The step that asks a seat: this one, unless it holds others."""
        return self

    def seen_by(self, viewer: Viewer) -> Step[S, W]:
        """What a viewer knows of it. Steps are public: one that holds a secret says here what is left of it."""
        return self

    def concern(self, at: Position[S, W], seat: str) -> Concern:
        """The pieces and places that the decision is about, besides those to choose from: see `Question`."""
        return Concern()

    def forecast(self, at: Position[S, W], action: Action) -> tuple[tuple[str, str], ...]:
        """What a choice would do besides what it says, such as what it adds to a roll: words, and the clause that says so."""
        return ()

    def cost(self, at: Position[S, W], action: Action) -> float | None:
        """What an action costs, in whatever is paid for it; None where nothing is."""
        return None

    def resume(self, play: Play[S, W]) -> None:
        """Go on without a decision. Must emit an event or change the stack."""
