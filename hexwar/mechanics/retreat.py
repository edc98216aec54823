"""Retreat: the owner chooses among the best ways out, unit by unit."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Grouped, Play, Position, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics.battle import CombatWorld
from hexwar.mechanics.pieces import HexState, UnitEliminated, go, lose_step
from hexwar.mechanics.retreat_paths import Path, RetreatOption, retreat_options, zone_losses


@record
class Retreat(Action):
    """Retreat a unit along a path, its first hex included."""

    unit: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"retreat {self.unit} to {self.path[-1]} by {' '.join(self.path[1:])}"


@record
class Retreating(Step[HexState, CombatWorld]):
    """Units that must retreat from a hex, one by one in the owner's order."""

    topic: ClassVar[str] = "retreat"
    side: str
    origin: str
    units: tuple[str, ...]
    hexes: int

    def rule(self, at: Position[HexState, CombatWorld]) -> str:
        """The ruleset's clause on retreat."""
        return at.world.clause(self.topic)

    def best(self, at: Position[HexState, CombatWorld], unit: str) -> list[RetreatOption]:
        """The ways among which the owner may choose."""
        options = retreat_options(at, unit, self.hexes, at.world.retreat_criteria)
        return [option for option in options if option.rank == options[0].rank]

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The owner, if there is a choice."""
        is_choice = len(self.units) > 1 or (self.units and len(self.best(at, self.units[0])) > 1)
        return at.world.seats_of(self.side)[:1] if is_choice and any(self.best(at, unit) for unit in self.units) else ()

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """Who retreats how far."""
        return f"Retreat {', '.join(self.units)} from {self.origin} by {self.hexes}."

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """The best ways of each unit."""
        return Grouped(
            (),
            self.units,
            lambda unit: [Retreat(unit, option.path) for option in self.best(at, unit)],
            lambda action: action.unit if isinstance(action, Retreat) else None,
        )

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Go."""
        assert isinstance(action, Retreat)
        self._retreat(play, action.unit, action.path)

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Do what nobody needs to be asked about."""
        if not self.units:
            play.pop()
            return
        unit = self.units[0]
        best = self.best(play, unit)
        if best:
            self._retreat(play, unit, best[0].path)
        else:
            self._next(play, unit)
            play.emit(UnitEliminated(unit, clause=play.world.clause("retreat.none")))

    def _next(self, play: Play[HexState, CombatWorld], unit: str) -> None:
        play.replace(Retreating(self.side, self.origin, tuple(other for other in self.units if other != unit), self.hexes))

    def _retreat(self, play: Play[HexState, CombatWorld], unit: str, path: Path) -> None:
        self._next(play, unit)
        losses = zone_losses(play, unit, path)
        go(play, unit, path, self.topic, "retreats")
        for _ in range(losses):
            if unit in play.state.at:
                lose_step(play, unit, "retreat.zone")

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Retreat) or action.unit not in self.units:
            return None
        known = [option.path for option in retreat_options(at, action.unit, self.hexes, at.world.retreat_criteria)]
        if action.path in known:
            message = "another way out is better: fewer losses, then nearer to supply"
            return Refusal(RefusalCode.AGAINST_RULE, at.world.clause("retreat.best"), message)
        message = f"{action.unit} cannot retreat that way"
        return Refusal(RefusalCode.AGAINST_RULE, at.world.clause("retreat"), message)
