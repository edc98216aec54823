"""What a ruleset provides: its state, steps, actions, sequence of play and rule index, and how a game begins."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, get_args

from typing_extensions import TypeVar

from hexwar.engine._actions import Action, RandomSource, by_kind
from hexwar.engine._events import Event
from hexwar.engine._guide import Chart, Objective, TurnCell, TurnMark, short_date
from hexwar.engine._info import RulesetInfo
from hexwar.engine._parts import Part
from hexwar.engine._picture import Picture, plain_picture
from hexwar.engine._records import Record, parse, plain_text, record
from hexwar.engine._rules import RuleIndex
from hexwar.engine._sequence import SequenceOfPlay, Sequencing
from hexwar.engine._state import check_flat
from hexwar.engine._steps import Play, Position, S, Shown, Step, W, World
from hexwar.errors import ContentError, Refusal

if TYPE_CHECKING:
    from hexwar.engine._view import View

Q = TypeVar("Q", default=Any)
MOST_TURNS = 60
"""A game with more turns than this has no track of them unless its ruleset gives one."""


class Hooks(NamedTuple):
    """The rule hooks of one game, each a chain of functions in calling order; nothing in play asks a plugin manager.

    Args:
        sequence: change the sequence of play; None leaves it as it is.
        veto: forbid an action that is offered.
        on_event: react to an event.
    """

    sequence: tuple[Callable[[World, SequenceOfPlay], SequenceOfPlay | None], ...] = ()
    veto: tuple[Callable[[Position, str, Action], Refusal | None], ...] = ()
    on_event: tuple[Callable[[Play, Event], None], ...] = ()


@record
class Setup:
    """Everything that was chosen when a game was created, except chance.

    Args:
        ruleset: its id.
        version: that of the ruleset with which the game was begun: rules that were corrected since ask it, and so old games go on
            as they began.
        scenario: its id.
        options: every option with its value.
        seats: seat -> side.
        rules: the index, with the clauses of the variants in play.
        hooks: the rule hooks of the variants in play.
        parts: variant in play -> part of the world -> the class that it puts in front.
        board: another board in place of the scenario's, for positions and tests.
    """

    ruleset: str
    version: str
    scenario: str
    options: Mapping[str, bool | str]
    seats: Mapping[str, str]
    rules: RuleIndex
    hooks: Hooks = field(default_factory=Hooks)
    parts: Mapping[str, Mapping[str, type[Part]]] = field(default_factory=dict)
    board: Any = None


@record
class Invariant:
    """Something that holds in every reachable state; the test kit checks it after each action.

    Args:
        clause: the rule that demands it.
        title: what must hold.
        broken: what is wrong in a position, or None.
    """

    clause: str
    title: str
    broken: Callable[[Position], str | None]


class Ruleset(ABC, Generic[S, W, Q]):
    """Base of all rulesets; one instance serves all games."""

    info: RulesetInfo
    rules: RuleIndex
    sequence: SequenceOfPlay
    state_type: type[S]
    actions: Sequence[type[Action]]
    steps: Sequence[type[Step]]
    events: Sequence[type[Event]]
    invariants: Sequence[Invariant] = ()

    @abstractmethod
    def world(self, setup: Setup) -> W:
        """Board, roster and tables for a game."""

    @abstractmethod
    def start(self, world: W) -> S:
        """The first state, before the sequence of play begins. `State.stack` stays empty."""

    def place(self, world: W, state: S, units: Mapping[str, Mapping[str, object]]) -> None:
        """Put units into a hand-made position.

        Args:
            world: the world of the position.
            state: a state as `bare` made it.
            units: unit id -> what is said of it, such as {"at": "0304", "steps": 1}.
        """
        raise ValueError(
            f"{self.info.id} cannot place units in a hand-made position: leave out `units` and write into `state` "
            "what stands where, or override Ruleset.place as hexwar.pieces.PieceRuleset does"
        )

    def bare(self, world: W) -> S:
        """The state that a hand-made position starts from: the scenario's first state without pieces on the board."""
        return self.start(world)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """File of content -> what in it is fact, fitted or reconstructed, each in a sentence or a list of them."""
        return {}

    def query(self, at: Position[S, W]) -> Q:
        """What players may ask of a position (reach, odds, supply); pure."""
        return None  # type: ignore[return-value]  # a ruleset without queries

    def picture(self, at: Position[S, W]) -> Picture:
        """What is shown of a position: drawn by `hexwar.render`, listed at the table."""
        return plain_picture(at)

    def imagine(self, view: View[S, W, Q], at: Position[S, W], chance: RandomSource) -> None:
        """Fill in at random what a seat does not know, so that it could not tell the position from the true one.

        A ruleset whose state has no secrets writes nothing. What is made must be possible as far as the seat knows; whatever is
        derived from it has to be made anew.

        Args:
            view: all that the seat knows.
            at: the same as a position, to be changed: blank where the seat may not look, with the steps that wait.
            chance: where the contents come from.
        """

    def lead(self, at: Position[S, W], side: str) -> float:
        """How far a side is ahead, in points where the game has some: what search compares, at the end and where it stops before.

        At the end a win counts 1 and a loss -1, and before it nothing does, unless a ruleset says more.
        """
        result = at.state.result
        return 0.0 if result is None or result.winner is None else 1.0 if result.winner == side else -1.0

    def track(self, at: Position[S, W]) -> tuple[TurnCell, ...]:
        """The turns and what they bring: those of the scenario's guide, or else numbers up to the world's `last_turn`.

        They have the world's `dates`, if it has some ("22-30 June 1941", "August 1943"), and what `brings` says.
        """
        if told := self.info.guide(at.world.setup.scenario).turn:
            return told
        world, last = at.world, int(getattr(at.world, "last_turn", 0))
        dates = [*getattr(world, "dates", ()), *[""] * last]
        cells = (TurnCell(n, dates[n - 1], short_date(dates[n - 1]), self.brings(world, n)) for n in range(1, last + 1))
        return tuple(cells) if last <= MOST_TURNS else ()

    def brings(self, world: W, turn: int) -> tuple[TurnMark, ...]:
        """What a turn brings, for the turn track."""
        return ()

    def objectives(self, at: Position[S, W]) -> tuple[Objective, ...]:
        """The places that are worth points."""
        return ()

    def charts(self, world: W) -> tuple[Chart, ...]:
        """The tables that players look things up in."""
        return ()

    @cached_property
    def action_types(self) -> Mapping[str, type[Record]]:
        """The actions by kind."""
        return by_kind(self.actions)

    @cached_property
    def step_types(self) -> Mapping[str, type[Record]]:
        """The steps by kind."""
        return by_kind([*self.steps, Sequencing])

    def parse_action(self, data: object) -> Action:
        """An action from untrusted JSON data.

        Raises:
            ValueError: with one sentence.
        """
        if not isinstance(data, (dict, Mapping)) or not isinstance(kind := data.get("kind"), str):
            raise ValueError('an action is an object with a "kind"')
        kind = plain_text(kind)
        if kind not in self.action_types:
            raise ValueError(f"no action is of kind {kind!r}; known: {', '.join(sorted(self.action_types))}")
        fields = dict(data)
        del fields["kind"]
        action = parse(self.action_types[kind], fields)
        assert isinstance(action, Action)
        return action

    def extended(
        self,
        rules: RuleIndex,
        actions: Iterable[type[Action]] = (),
        steps: Iterable[type[Step]] = (),
        events: Iterable[type[Event]] = (),
        invariants: Iterable[Invariant] = (),
    ) -> Self:
        """This ruleset as it is in a game with a variant that brings something of its own.

        Args:
            rules: the index with the clauses of the variants in play.
            actions: further actions.
            steps: further steps.
            events: further events.
            invariants: what else must hold.

        Raises:
            ValueError: if two different classes are of one kind.
            ContentError: if something cites a clause that is not in the index.
        """
        twin = copy.copy(self)
        for looked_up in ("action_types", "step_types"):
            twin.__dict__.pop(looked_up, None)
        twin.rules = rules
        twin.actions = tuple(dict.fromkeys((*self.actions, *actions)))
        twin.steps = tuple(dict.fromkeys((*self.steps, *steps)))
        twin.events = tuple(dict.fromkeys((*self.events, *events)))
        twin.invariants = (*self.invariants, *invariants)
        by_kind(twin.events)
        twin.check()
        return twin

    def check(self) -> None:
        """Fail with a sentence if the ruleset cites a clause that its index does not have, or its state is no value.

        Called once when the ruleset is loaded.
        """
        cited = [(f"step {step.__name__}", step.clause) for step in self.steps if step.clause]
        cited += [(f"sequence of play, {node.title}", node.clause) for _, node in self.sequence.walk()]
        cited += [(f"invariant {invariant.title!r}", invariant.clause) for invariant in self.invariants]
        cited += [(f"option {option.id}", option.clause) for option in self.info.options if option.clause]
        for event in self.events:
            default = event.__dataclass_fields__["clause"].default
            if isinstance(default, str):
                cited.append((f"event {event.__name__}", default))
        words = get_args(Shown)
        for name, shown in [(step.__name__, shown) for step in self.steps for shown in step.shows if shown not in words]:
            raise ContentError(self.info.id, f"step {name}", f"shows {shown!r}, which is not one of {', '.join(words)}")
        for citing, clause_id in cited:  # one by one: two phases may have the same title
            self.rules.require({citing: clause_id})
        check_flat(self.state_type)
        if not self.action_types:
            raise ContentError(self.info.id, "actions", "is empty: list every class of actions that a step offers")
        assert self.step_types
