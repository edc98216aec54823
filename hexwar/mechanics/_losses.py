"""Losses: the owner says which of his units lose steps."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Choices, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics._onebyone import UnitAction
from hexwar.mechanics._pieces import lose_step, standing
from hexwar.mechanics._topics import TopicStep, against


@record
class LoseStep(UnitAction):
    """Take a step from a unit."""

    kind = "lose-step"

    def __str__(self) -> str:
        return f"{self.unit} loses a step"


@record
class Losing(TopicStep):
    """Steps to lose among some units; without a choice they are taken at once."""

    kind = "losing"
    topic: ClassVar[str] = "losses"
    seat: str
    units: tuple[str, ...]
    left: int

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if there is a choice."""
        alive = standing(at, self.units)
        return (self.seat,) if len(alive) > 1 and sum(at.state.steps_left[unit] for unit in alive) > self.left > 0 else ()

    def prompt(self, at: Position, seat: str) -> str:
        """How many are to go."""
        return f"Lose {self.left} step{'s' if self.left > 1 else ''} among {', '.join(standing(at, self.units))}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Any of the units."""
        alive = standing(at, self.units)

        def why_not(action: Action) -> Refusal | None:
            if not isinstance(action, LoseStep) or action.unit in alive:
                return None
            return against(at, self.topic, f"{action.unit} is not among the units that take the losses")

        return Choices(map(LoseStep, self.units), why_not)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Take the step."""
        assert isinstance(action, LoseStep)
        self._take(play, action.unit)

    def resume(self, play: Play) -> None:
        """Take what nobody needs to be asked about."""
        alive = standing(play, self.units)
        if alive and self.left:
            self._take(play, alive[0])
        else:
            play.pop()

    def _take(self, play: Play, unit: str) -> None:
        # A unit that loses its last step drops out, even where it comes back at once, such as a headquarters that is relocated.
        units = self.units if play.state.steps_left[unit] > 1 else tuple(other for other in self.units if other != unit)
        play.replace(Losing(self.seat, units, self.left - 1))
        lose_step(play, unit, self.topic)
