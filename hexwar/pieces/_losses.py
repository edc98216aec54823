"""Losses: the owner chooses which of their units lose steps."""

from __future__ import annotations

from hexwar.engine import Play, Position, record
from hexwar.errors import Refusal
from hexwar.pieces._pieces import lose_step, standing
from hexwar.pieces._state import UnitName
from hexwar.pieces._steps import Obliged, UnitAction, against


@record
class LoseStep(UnitAction):
    """Take a step from a unit."""

    kind = "lose-step"
    says = "{unit} loses a step"


@record
class Losing(Obliged):
    """Steps to lose among some units; without a choice they are taken at once."""

    kind = "losing"
    title = "Who loses a step?"
    topic = "losses"
    choice = LoseStep
    units: tuple[UnitName, ...]
    left: int

    def able(self, at: Position) -> tuple[str, ...]:
        """Those that are left, while steps are to be lost."""
        return standing(at, self.units) if self.left else ()

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if there is a choice."""
        alive = self.able(at)
        return (self.seat,) if len(alive) > 1 and sum(at.state.steps_left[unit] for unit in alive) > self.left else ()

    def prompt(self, at: Position, seat: str) -> str:
        """How many are to go."""
        return f"Lose {self.left} step{'s' if self.left > 1 else ''} among {', '.join(self.able(at))}."

    def why_not(self, at: Position, action: LoseStep) -> Refusal:
        """Only they take them."""
        return against(at, self.topic, f"{action.unit} is not among the units that take the losses")

    def chosen(self, play: Play, action: LoseStep) -> None:
        """Take the step."""
        unit = action.unit
        # A unit that loses its last step drops out, even where it comes back at once, such as a headquarters that is relocated.
        units = self.units if play.state.steps_left[unit] > 1 else tuple(other for other in self.units if other != unit)
        play.replace(Losing(self.seat, units, self.left - 1))
        lose_step(play, unit, self.topic)
