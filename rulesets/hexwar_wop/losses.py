"""14.12, 14.39 to 14.43: who leads in a fight, and how levels of strength are lost."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import HexName
from hexwar.pieces import LoseStep, Losing, Obliged, UnitAction, UnitName, lose_step
from hexwar_wop.fighting import LeaderNamed
from hexwar_wop.modifiers import morale_of
from hexwar_wop.river import present


@record
class Lead(UnitAction):
    """Let the morale of a unit count in the fight."""

    kind = "lead"
    says = "{unit} leads"


@record
class Leading(Obliged):
    """14.12.a, 14.13.e: a side whose units differ in morale names the one that counts, and that takes the first loss."""

    kind = "leading"
    clause: ClassVar[str] = "14.12.a"
    choice = Lead
    target: HexName
    units: tuple[UnitName, ...]

    def able(self, at: Position) -> tuple[str, ...]:
        """Those of the side that fight there, as long as none is named."""
        named = {unit for label, unit in at.state.leading if label == self.target}
        return () if named.intersection(self.units) else present(at, self.units)

    def prompt(self, at: Position, seat: str) -> str:
        """Who can."""
        told = ", ".join(f"{unit} ({morale_of(at, unit)})" for unit in self.able(at))
        return f"Whose morale counts in the fight for {self.target}? It takes the first loss. {told}."

    def why_not(self, at: Position, action: Lead) -> Refusal:
        """14.12.c: no other unit fights there, and guns elsewhere only support."""
        return Refusal.against("14.12.c", f"{action.unit} does not fight in the hexes of this attack")

    def chosen(self, play: Play, action: Lead) -> None:
        """Name it."""
        play.emit(LeaderNamed(action.unit, self.target, clause="14.12.a"))


def lead(play: Play, seat: str, target: str, units: tuple[str, ...]) -> None:
    """14.12.a: ask for a leader where there is a choice; units of the same morale need none."""
    if len({morale_of(play, unit) for unit in units}) > 1:
        play.push(Leading(seat, target, units))


@record
class LosingLevels(Losing):
    """14.40, 14.42: the leader loses first; then always one of those with the most levels left, so that losses are even."""

    kind = "losing-levels"
    first: tuple[UnitName, ...] = ()
    """14.12.b: the leader, until it has paid."""

    def alive(self, at: Position) -> tuple[str, ...]:
        """Those that are left, on the map or on its rivers."""
        return present(at, self.units) if self.left else ()

    def able(self, at: Position) -> tuple[str, ...]:
        """14.42.a to 14.42.c."""
        alive = self.alive(at)
        leader = tuple(unit for unit in alive if unit in self.first)
        most = max((at.state.steps_left[unit] for unit in alive), default=0)
        return leader or tuple(unit for unit in alive if at.state.steps_left[unit] == most)

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if it makes a difference."""
        alive, able = self.alive(at), self.able(at)
        return (self.seat,) if len(able) > 1 and sum(at.state.steps_left[unit] for unit in alive) > self.left else ()

    def why_not(self, at: Position, action: LoseStep) -> Refusal:
        """14.42.b, 14.43."""
        if action.unit in self.alive(at):
            return Refusal.against("14.42.b", f"others have more levels left than {action.unit}")
        return Refusal.against("14.42.b", f"{action.unit} is not among the units that take the losses")

    def chosen(self, play: Play, action: LoseStep) -> None:
        """14.40: take the level."""
        play.replace(LosingLevels(self.seat, self.units, self.left - 1))
        lose_step(play, action.unit, self.topic)
