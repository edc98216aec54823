"""A battle before it is fought: who attacks which hex, what each unit counts, and the column it comes to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

from hexwar.engine import Position, record
from hexwar.mechanics.odds import CombatTable, Odds, Shift, Strength, work_out
from hexwar.mechanics.pieces import face, stack
from hexwar.mechanics.retreat_paths import Criterion
from hexwar.mechanics.world import HexState, HexWorld

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound="CombatWorld")


@record
class Battle:
    """Who attacks which hex."""

    side: str
    target: str
    attackers: tuple[str, ...] = ()


class CombatWorld(HexWorld):
    """A world with a combat table; rulesets override what differs."""

    table: CombatTable
    pursuit_range: dict[str, int]
    """Arm -> how many hexes it may pursue; arms that are not here do not."""
    retreat_criteria: tuple[Criterion, ...] = ()
    """What makes one way of retreat better than another, after the losses on it."""
    retreat_overflow: int = 0
    """How many hexes a retreat goes on beyond those demanded, where there is no room."""

    def content_parts(self) -> tuple[object, ...]:
        """With the combat table."""
        return (*super().content_parts(), self.table.columns, self.table.rows)

    def stops_pursuit(self, at: Position[Any, Any], unit: str, origin: str, target: str) -> bool:
        """Whether a unit that pursues into a hex may not go on from there."""
        return False

    def strength(self, at: Position[Any, Any], battle: Battle, unit: str) -> Strength:
        """What a unit brings into a battle: the printed strength, halved across a river, then as variants say."""
        attacks = unit in battle.attackers
        printed = face(at, unit).attack if attacks else face(at, unit).defence
        counted = Fraction(printed)
        reasons: list[tuple[str, str]] = []
        if attacks and self.board.side(at.state.at[unit], battle.target) & self.chart.halved_across:
            counted /= 2
            reasons.append(("halved across a river", self.clause("combat.river")))
        counted, more = self.modify_strength(at, battle, unit, counted)
        reasons.extend(more)
        counted = self.hooks.refine("strength", counted, at, battle, unit, "attack" if attacks else "defence")
        return Strength(unit, printed, counted, tuple(reasons))

    def modify_strength(
        self, at: Position[Any, Any], battle: Battle, unit: str, counted: Fraction
    ) -> tuple[Fraction, list[tuple[str, str]]]:
        """The ruleset's own changes of strength with their reasons."""
        return counted, []

    def shifts(self, at: Position[Any, Any], battle: Battle) -> tuple[Shift, ...]:
        """The column shifts of a battle: terrain and place, then as variants say."""
        terrain = self.board.terrain(battle.target)
        place = self.board.place(battle.target)
        shifts = []
        for name in (terrain, place.kind if place else ""):
            if self.chart.shifts.get(name):
                shifts.append(Shift(self.chart.shifts[name], name, self.clause("combat.terrain")))
        refined: tuple[Shift, ...] = self.hooks.refine("shifts", tuple(shifts), at, battle)
        return refined


def odds(at: Position[S, W], battle: Battle) -> Odds:
    """The odds of a battle as it stands. Resolution uses exactly this."""
    world = at.world
    attackers = tuple(world.strength(at, battle, unit) for unit in battle.attackers)
    defenders = tuple(world.strength(at, battle, unit) for unit in stack(at, battle.target))
    return work_out(world.table, (attackers, defenders), world.shifts(at, battle))
