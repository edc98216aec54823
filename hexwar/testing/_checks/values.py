"""Checks that a game is a value: copies, JSON, events and reprs carry all of it and share nothing."""

from __future__ import annotations

import copy
import dataclasses
import enum
import json
import random
import sys
import types
import typing
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

from hexwar.engine import Action, Event, Game, State, World
from hexwar.engine._parts import part
from hexwar.testing._checks.following import Repeating
from hexwar.testing._running.secrecy import answer_of, some_questions
from hexwar.testing._running.watch import Watch
from hexwar.testing._staging.random_play import shortened

MANY = 60
"""More offered actions than these are sampled."""


def derived_difference(game: Game) -> str:
    """The derived field that is not what it would be if rebuilt, or ""."""
    # From the derived fields of the first state, because `rebuild` may leave alone what seems to fit already.
    fresh = game.first_state.copy()
    kept = game._state.copy()
    derived = [field.name for field in dataclasses.fields(kept) if field.metadata.get("derived")]
    for field in dataclasses.fields(kept):
        if field.name not in derived:
            setattr(fresh, field.name, getattr(kept, field.name))
    fresh.rebuild()
    return next((name for name in derived if not _alike(getattr(game._state, name), getattr(fresh, name))), "")


def _alike(one: Any, other: Any) -> bool:
    """Equality, also of objects that do not define it."""
    if "__eq__" in {name for cls in type(one).__mro__[:-1] for name in vars(cls)}:
        return bool(one == other)
    if type(one) is not type(other) or not hasattr(one, "__dict__"):
        return one is other
    return vars(one).keys() == vars(other).keys() and all(_alike(value, vars(other)[name]) for name, value in vars(one).items())


def state_difference(one: State, other: State) -> str:
    """The first field in which two states differ, with both values, or ""."""
    for field in dataclasses.fields(one):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if not _alike(mine, theirs):
            return f"{field.name} is {shortened(mine)} and should be {shortened(theirs)}"
    return ""


class EventsTellEverything(Watch):
    """The events of an action, applied to the state before it, give the state after it; from the first state on."""

    _before: State

    def begin(self, game: Game) -> None:
        """The events that led to the first decision."""
        self._compare(game.first_state.copy(), game.events, game._state)

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Remember the state."""
        self._before = game._state.copy()

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Apply the events to it."""
        self._compare(self._before, events, game._state)

    def end(self, game: Game) -> None:
        """The whole log over the first state."""
        self._compare(game.first_state.copy(), game.events, game._state)

    def _compare(self, state: State, events: list[Event], after: State) -> None:
        for event in events:
            try:
                event.apply(state)
            except Exception as error:
                raise self.fail(f"{event!r} does not fit the state that the events before it give: {error!r}") from error
        difference = state_difference(state, after)
        self.demand(not difference, f"by its events {difference}: something changed it without an event")


class DerivedIsRight(Watch):
    """After every action the derived fields are what `rebuild` makes of the state."""

    def look(self, game: Game) -> None:
        """Rebuild them."""
        name = derived_difference(game)
        self.demand(not name, f"the derived field {name} is not what it would be if made anew")


class CopiesAreIndependent(Watch):
    """Playing on in a copy never changes the game that it was copied from, nor the other way round."""

    rate = 0.25

    _twin: Game
    _digest: str

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Play on in a copy and compare the original; then keep another copy while the original plays on."""
        self._digest = game.digest
        numbers = self._numbers(game)
        self._twin = game.copy()
        shared = [
            name for name, value in vars(game).items() if isinstance(value, list | dict | set) and vars(self._twin)[name] is value
        ]
        self.demand(not shared, f"a copy shares {', '.join(shared)} with the original")
        trial = game.copy()
        chance = self.random(seat, action)
        for _ in range(self.budget.probes):
            if trial.to_move:
                asked = trial.to_move[0]
                try:
                    trial.apply(trial.offered(asked).sample(chance), asked)
                except Exception:
                    break  # left to another check
        self.demand(self._numbers(game) == numbers, "playing on in a copy changed the history or the dice of the original")
        self._intact(game, "playing on in a copy changed the original")

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """The copy must be where it was."""
        self._intact(self._twin, "playing on in the original changed a copy")

    @staticmethod
    def _numbers(game: Game) -> tuple[Any, ...]:
        tape = [*getattr(game.chance, "tape", ())]
        return len(game.history), len(game.events), game.can_undo, game.checkpoints, tape, game.first_state.digest

    def _intact(self, game: Game, what: str) -> None:
        self.demand(game.digest == self._digest, f"{what}: its digest is another")
        name = derived_difference(game)
        self.demand(not name, f"{what}: the derived field {name} no longer fits")


def fresh_world(world: World) -> World:
    """The same world, in which nothing has been computed yet."""
    twin = copy.copy(world)
    made = {name for cls in type(world).__mro__ for name, value in vars(cls).items() if isinstance(value, part | cached_property)}
    for name in made & {*vars(twin)}:
        del vars(twin)[name]
    return twin


class StatesAreValues(Repeating):
    """A state read back from JSON is equal and, in a world without memory, offers, answers and plays on the same."""

    rate = 0.2

    _twin: Game

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Make a twin from the text."""
        data = json.loads(json.dumps(game._state.to_json()))
        state = game.first_state.with_json(data, game.ruleset.step_types)
        difference = state_difference(state, game._state)
        if difference or state.digest != game.digest:
            raise self.fail(f"a state read back from JSON differs: {difference or 'its digest'}")
        self._twin = game.copy()
        self._twin._state, self._twin.world = state, fresh_world(game.world)
        self.demand(
            self._twin.to_move == game.to_move, f"read back from JSON, {self._twin.to_move} are asked instead of {game.to_move}"
        )
        for asked in game.to_move:
            self.demand(
                self._twin.legal_actions(asked) == game.legal_actions(asked),
                f"a state read back from JSON offers {asked} other actions, or in another order",
            )
        for question in some_questions(game.view(seat), self.random(seat, action), self.budget.probes):
            told, due = answer_of(game.query, question), answer_of(self._twin.query, question)
            self.demand(told == due, f"{question} is answered with {shortened(told)}; made anew, with {shortened(due)}")

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Let the twin do the same."""
        self.repeat("a state read back from JSON", self._twin, game, seat, action, events)


class JsonIsExact(Watch):
    """Actions and steps read back from JSON are equal to what was written; events have a JSON form."""

    rate = 0.3

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Actions and steps."""
        for asked in game.to_move:
            for offered in some_of(game.legal_actions(asked), self.random(seat, action)):
                for other in (offered, filled(offered), filled(offered, 3)):
                    back = game.ruleset.parse_action(_through_text(other.to_json()))
                    if back != other or type(back) is not type(other) or repr(back) != repr(other):
                        raise self.fail(f"{other!r} comes back from JSON as {back!r}")
        data = _through_text({"stack": [step.to_json() for step in game._state.stack]})
        stack = game.first_state.with_json(data, game.ruleset.step_types).stack
        for back, step in zip(stack, game._state.stack, strict=True):
            if back != step or repr(back) != repr(step):
                raise self.fail(f"the step {step!r} comes back from JSON as {back!r}")

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Events, and what the sides see of them."""
        for event in events:
            try:
                _through_text(event.to_json())
            except (TypeError, ValueError) as error:
                raise self.fail(f"{event!r} has no JSON form: {error}") from error


def _through_text(data: Any) -> Any:
    return json.loads(json.dumps(data, allow_nan=False))


def some_of(offers: Sequence[Action], chance: random.Random) -> list[Action]:
    """Some of many actions, always the first and the last."""
    if len(offers) <= MANY:
        return list(offers)
    return [offers[i] for i in sorted({0, len(offers) - 1, *(chance.randrange(len(offers)) for _ in range(MANY))})]


def filled(action: Action, length: int = 2) -> Action:
    """An action like another, offered or not, in which every empty string and row has something in it, such as a round trip.

    Args:
        action: the action.
        length: how long the rows become that are empty; two values take turns in them.
    """
    hints = typing.get_type_hints(type(action))
    values = {field.name: getattr(action, field.name) for field in dataclasses.fields(action)}  # type: ignore[arg-type]
    empty = {name: something(hints[name], 0, length) for name, value in values.items() if value in ("", ())}
    return dataclasses.replace(action, **{name: value for name, value in empty.items() if value is not None})  # type: ignore[type-var]


def something(hint: Any, number: int, length: int) -> Any:
    """A value of a type, another for an even number than for an odd one; None where no value is known.

    Args:
        hint: the type of a field.
        number: which of the values.
        length: how many items a row has whose type does not say it.
    """
    number %= 2
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint in (str, int, bool, float):
        return ("x", "y")[number] if hint is str else hint(number)
    if origin is Literal:
        return inside[-1 - number % len(inside)]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return [*hint][-1 - number % len(hint)]
    if origin is tuple:
        kinds = inside[:1] * length if ... in inside else inside
        row = tuple(something(kind, place + number, length) for place, kind in enumerate(kinds))
        return None if None in row else row
    if origin in (typing.Union, types.UnionType):
        return next((found for kind in inside if (found := something(kind, number, length)) is not None), None)
    return None


class ReprsEvaluate(Watch):
    """The repr of an offered action is Python that gives an equal action."""

    rate = 0.15

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Evaluate them."""
        for asked in game.to_move:
            for other in some_of(game.legal_actions(asked), self.random(seat, action)):
                names = {
                    **vars(sys.modules[type(other).__module__]),
                    **{cls.__name__: cls for cls in game.ruleset.actions},
                }
                try:
                    back = eval(repr(other), names)
                except Exception as error:
                    raise self.fail(f"the repr {other!r} is no Python: {error!r}") from error
                if back != other:
                    raise self.fail(f"the repr of {other!r} evaluates to {back!r}")
