"""Steps of the mechanics: choices of one thing or one unit after the other, and how they cite a rulebook that they do not know.

A ruleset says under which of its clauses each topic stands ("move.zone" is 7.3); steps, events and refusals of the mechanics name
the topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from hexwar.engine import Action, ActionSet, Explained, Grouped, Play, Position, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics._pieces import standing

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
    return Refusal.against(at.world.clause(topic), message)


@record
class UnitAction(Action):
    """Something that one unit does."""

    kind = ""
    unit: str


def unit_of(action: Action) -> str | None:
    """The unit that an action is about, by which sets of actions are grouped; None if it is about none."""
    return action.unit if isinstance(action, UnitAction) else None


@record
class Done(Action):
    """No more of this."""

    kind = "done"
    says = "done"
    ends: ClassVar[bool] = True


@record
class Choosing(TopicStep):
    """A player chooses one thing after the other, as long as there is anything to choose."""

    kind = ""
    choice: ClassVar[type[Action]]
    """The action by which a thing is chosen; its first field is that thing."""
    may_stop: ClassVar[bool] = True
    """Whether the player may leave the rest."""
    seat: str

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
        """Enough, if he may stop, and everything that can be chosen."""
        stop = [Done()] if self.may_stop else []
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
    """A choice that must be made: nobody is asked where there is only one thing to choose, and that is done at once."""

    kind = ""
    may_stop: ClassVar[bool] = False

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The player, if there is a choice."""
        return (self.seat,) if len(self.able(at)) > 1 else ()

    def resume(self, play: Play) -> None:
        """Do what nobody needs to be asked about."""
        able = self.able(play)
        if able:
            self.chosen(play, self.choice(able[0]))  # type: ignore[call-arg]
        else:
            play.pop()


@record
class OneByOne(TopicStep):
    """Units of one side that act in the owner's order, each at most once. What a unit can do is up to the subclass."""

    kind = ""
    may_stop: ClassVar[bool] = True
    """Whether the owner may leave the rest alone."""
    seat: str
    units: tuple[str, ...]
    """Those that have not acted yet."""

    def choices(self, at: Position, unit: str) -> ActionSet | list[Action]:
        """What a unit may do."""
        raise NotImplementedError

    def act(self, play: Play, action: Any) -> None:
        """Do what was chosen; the unit is off the list already."""
        raise NotImplementedError

    def waiting(self, at: Position) -> tuple[str, ...]:
        """The units that have not acted yet and still stand on the board."""
        return standing(at, self.units)

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, while a unit can do something."""
        return (self.seat,) if any(self.choices(at, unit) for unit in self.waiting(at)) else ()

    def waiting_for(self, at: Position, seat: str) -> tuple[str, ...]:
        """Those of them that a seat lets act: all, unless several share the step."""
        return self.waiting(at)

    def stopping(self, at: Position) -> ActionSet | list[Action]:
        """How the owner may leave the rest alone."""
        return [Done()] if self.may_stop else []

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Stop, or anything that any of the units can do."""
        waiting, missing = self.waiting_for(at, seat), partial(self.why_not_now, at)
        return Grouped(self.stopping(at), waiting, partial(self.choices, at), unit_of, missing)

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
        """Nobody can do anything more."""
        play.pop()

    def strike_off(self, play: Play, unit: str) -> None:
        """The unit has had its turn."""
        play.replace(replace(self, units=tuple(other for other in self.units if other != unit)))
