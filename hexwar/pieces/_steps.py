"""Steps of the mechanics: choices of one thing or one unit after the other, and how they cite a rulebook that they do not know.

A ruleset says under which of its clauses each topic stands ("move.zone" is 7.3); steps, events and refusals of the mechanics name
the topic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from hexwar.engine import (
    Action,
    ActionSet,
    Explained,
    Grouped,
    Listed,
    Play,
    Position,
    RandomSource,
    SeatName,
    Step,
    pick,
    record,
)
from hexwar.engine._once import once
from hexwar.errors import Refusal, RefusalCode
from hexwar.pieces._state import UnitName

T = TypeVar("T")

_NEVER = Listed(())

Why = tuple[str, str]
"""Why something may not be done: the topic of the rule, and a sentence."""


@record
class TopicStep(Step):
    """A step whose clause the ruleset gives: the world knows it by the step's topic."""

    kind = ""
    topic: ClassVar[str] = ""

    def rule(self, at: Position) -> str:
        """The ruleset's clause on the topic; a step of one game names the clause itself."""
        return self.clause or str(at.world.clause(self.topic))


def against(at: Position, topic: str, message: str) -> Refusal:
    """A refusal that cites the ruleset's clause on a topic."""
    return Refusal(RefusalCode.AGAINST_RULE, at.world.clause(topic), message)


@record
class UnitAction(Action):
    """Something that one unit does."""

    kind = ""
    unit: str


def unit_of(action: Action) -> str | None:
    """The unit that an action is about, by which sets of actions are grouped; None if it is about none."""
    return action.unit if isinstance(action, UnitAction) else None


class UnitChoices(ActionSet, Generic[T]):
    """What a unit may do: listed only on demand, since there may be hundreds of choices for hundreds of units.

    Args:
        of: the kind of action.
        unit: the unit.
        rows: finds what tells one from another, in order.
        make: one of them from its row.
        why_not: the reason against one.
        likely: one of them at random, if that is found without the list.
        kept: where the rows are kept, and under which name, for other units that have the same.
        through: finds those that lead through some places, where their owner may choose the way.
    """

    __slots__ = ("_find_rows", "_kept", "_likely", "_make", "_of", "_through", "_unit", "_why_not")

    def __init__(
        self,
        of: type[UnitAction],
        unit: str,
        rows: Callable[[], Iterable[T]],
        make: Callable[[T], Action],
        why_not: Callable[[Any], Refusal | None],
        likely: Callable[[RandomSource], Action | None] = lambda chance: None,
        kept: tuple[dict[Any, Any], Hashable] | None = None,
        through: Callable[[Sequence[Any]], ActionSet] = lambda places: _NEVER,
    ) -> None:
        self._through = through
        self._of, self._unit, self._kept = of, unit, kept or ({}, "")
        self._find_rows, self._make, self._why_not, self._likely = rows, make, why_not, likely

    @once
    def _rows(self) -> list[T]:
        memo, name = self._kept
        if name not in memo:
            memo[name] = list(self._find_rows())
        found: list[T] = memo[name]
        return found

    def __iter__(self) -> Iterator[Action]:
        return map(self._make, self._rows)

    def __bool__(self) -> bool:
        return next(iter(self._find_rows()), None) is not None

    def count(self) -> int:
        """See `ActionSet.count`."""
        return len(self._rows)

    def nth(self, index: int) -> Action:
        """See `ActionSet.nth`."""
        self._handed_out = made = self._make(self._rows[index])
        return made

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        if self.is_handed_out(action):
            return action
        mine = isinstance(action, self._of) and action.unit == self._unit
        return action if mine and self._why_not(action) is None else None

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        return self._why_not(action) if isinstance(action, self._of) else None

    def through(self, places: Sequence[Any]) -> ActionSet:
        """See `ActionSet.through`."""
        return self._through(places)

    def sample(self, chance: RandomSource) -> Action:
        """A likely one, otherwise uniform over all."""
        self._handed_out = made = self._likely(chance) or self._make(pick(self._rows, chance))
        return made


@record
class Done(Action):
    """No more of this."""

    kind = "done"
    says = "done"
    ends: ClassVar[bool] = True


_STOP = Listed((Done(),))
"""It is always the same."""


@record
class Choosing(TopicStep):
    """A player chooses one thing after the other, as long as there is anything to choose."""

    kind = ""
    lists: ClassVar[tuple[str, ...]] = ("able",)
    choice: ClassVar[type[Action]]
    """The action by which a thing is chosen; its first field is that thing."""
    may_stop: ClassVar[bool] = True
    """Whether the player may leave the rest."""
    seat: SeatName

    def able(self, at: Position) -> Sequence[str]:
        """What can be chosen now."""
        raise NotImplementedError

    def why_not(self, at: Position, action: Any) -> Refusal | None:
        """Why anything else cannot."""
        return None

    def chosen(self, play: Play, action: Any) -> None:
        """Do it."""
        raise NotImplementedError

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The player, while there is something to choose."""
        return (self.seat,) if self.able(at) else ()

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Enough, if the player may stop, and everything that can be chosen."""
        stop = _STOP if self.may_stop else _NEVER
        return Explained([*stop, *map(self.choice, self.able(at))], partial(self.why_not, at), self.choice)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Do what was chosen, or stop."""
        if isinstance(action, Done):
            self.resume(play)
        else:
            self.chosen(play, action)

    def resume(self, play: Play) -> None:
        """That is all."""
        play.pop()


@record
class Obliged(Choosing):
    """A choice that must be made: a single possibility is carried out without a question."""

    kind = ""
    may_stop: ClassVar[bool] = False

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The player, if there is a choice."""
        return (self.seat,) if len(self.able(at)) > 1 else ()

    def resume(self, play: Play) -> None:
        """Do what needs no decision."""
        able = self.able(play)
        if able:
            self.chosen(play, self.choice(able[0]))  # type: ignore[call-arg]
        else:
            play.pop()


@record
class OneByOne(TopicStep):
    """Units of one side that act in the owner's order, each at most once. What a unit can do is up to the subclass."""

    kind = ""
    lists = ("waiting",)
    may_stop: ClassVar[bool] = True
    """Whether the owner may leave the rest alone."""
    seat: SeatName
    units: tuple[UnitName, ...]
    """Those that have not acted yet."""

    def choices(self, at: Position, unit: str) -> ActionSet | list[Action]:
        """What a unit may do."""
        raise NotImplementedError

    def act(self, play: Play, action: Any) -> None:
        """Do what was chosen; the unit is off the list already."""
        raise NotImplementedError

    def waiting(self, at: Position) -> tuple[str, ...]:
        """The units that have not acted yet and still stand on the board."""
        there: tuple[str, ...] = at.world.standing(at.state, self.units)
        return there

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, while a unit can do something."""
        return (self.seat,) if any(self._kept(at, unit) for unit in self.waiting(at)) else ()

    def _kept(self, at: Position, unit: str) -> ActionSet | list[Action]:
        """What a unit may do, computed once in a position: `deciders` and `actions` both ask."""
        key = id(self), unit
        known: tuple[OneByOne, ActionSet | list[Action]] | None = at.memo.get(key)
        if known is None:  # with the step itself, so that its id stays its own
            known = at.memo[key] = self, self.choices(at, unit)
        return known[1]

    def waiting_for(self, at: Position, seat: str) -> tuple[str, ...]:
        """Those of them that a seat lets act: all, unless several share the step."""
        return self.waiting(at)

    def stopping(self, at: Position) -> ActionSet | list[Action]:
        """How the owner may leave the rest alone."""
        return _STOP if self.may_stop else _NEVER

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Stop, or anything that any of the units can do."""
        waiting, missing = self.waiting_for(at, seat), partial(self.why_not_now, at)
        return Grouped(self.stopping(at), waiting, partial(self._kept, at), unit_of, missing, partial(self.size_key, at))

    def size_key(self, at: Position, unit: str) -> Hashable:
        """What the choices of a unit depend on: two of which this is the same can do the same."""
        return unit

    def why_not_now(self, at: Position, action: Any) -> Refusal | None:
        """Why the unit of an action is not one of those that can act now; None if nothing explains it."""
        return None

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Let the unit act."""
        if isinstance(action, UnitAction):
            self.strike_off(play, action.unit)
            self.act(play, action)
        else:
            self.stop(play, seat)

    def stop(self, play: Play, seat: str) -> None:
        """A seat leaves the rest alone."""
        play.pop()

    def resume(self, play: Play) -> None:
        """No unit can do anything more."""
        play.pop()

    def strike_off(self, play: Play, unit: str) -> None:
        """The unit has had its turn."""
        play.replace(replace(self, units=tuple(other for other in self.units if other != unit)))
