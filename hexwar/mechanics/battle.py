"""A battle before it is fought: who attacks which hex, what each unit counts, and the column it comes to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

from hexwar.engine import Play, Position, record
from hexwar.mechanics.odds import CombatTable, Odds, Outcome, Shift, Strength, whole_points, work_out
from hexwar.mechanics.pieces import face, has_room, in_enemy_zone, stack
from hexwar.mechanics.retreat_paths import Criterion, Path, Ranking
from hexwar.mechanics.state import HexState
from hexwar.mechanics.world import HexWorld

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
    pursuit_step: type[Any] | None = None
    """The step in which attackers pursue, if it is not the usual one."""
    retreat_criteria: tuple[Criterion, ...] = ()
    """What makes one way of retreat better than another, after the losses on it."""
    retreat_rankings: tuple[Ranking, ...] = ()
    """The same, after the criteria, for what is worked out for all ways at once."""
    retreat_away: bool = True
    """Whether every hex of a retreat leads farther from its start; if not, no hex is entered twice, and that is all."""
    retreat_overflow: int | None = 0
    """How many hexes a retreat goes on beyond those demanded, where there is no room; None is any number."""
    retreat_hex_by_hex: bool = False
    """Whether a retreat that has to go on chooses each further hex by losses and criteria, as it chose those demanded."""
    rounds_by_hex: bool = False
    """Whether fractions are dropped for each hex from which units fight, and not once for all of a side."""
    shifts_without_defence: bool = True
    """Whether terrain shifts the column of an attack on units that have no strength left to defend with."""

    def content_parts(self) -> tuple[object, ...]:
        """With the combat table."""
        return (*super().content_parts(), self.table.columns, self.table.rows)

    def stops_pursuit(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """Whether a unit that pursues into a hex may not go on from there."""
        return False

    def stopped_by(self, at: Position, unit: str, origin: str, target: str) -> str:
        """The topic of the rule that ends a pursuit in a hex, where `stops_pursuit` says that it ends."""
        return "pursuit.far.stop"

    def may_pursue(self, at: Position, unit: str, path: Path, label: str) -> bool:
        """Whether a pursuit may go on into a hex, which ground and enemy would let the unit enter; as in `may_retreat`.

        By default it enters no hex twice.
        """
        return label not in path

    def done_if_called_off(self, done: Path, target: str) -> Path:
        """The hexes that may not be attacked any more once an attack on one was called off; by default that one, too."""
        return (*done, target)

    def announced(self, play: Play, battle: Battle) -> None:
        """What comes between the announcement of an attack and the die; steps that are pushed here are gone through first."""

    def roll_modifiers(self, at: Position, battle: Battle) -> list[tuple[int, str, str]]:
        """What is added to the roll, the reason and the clause; the result stays on the table."""
        return []

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """Column shifts that count once it is plain that the odds allow an attack."""
        return ()

    def has_retreat_room(self, at: Position, unit: str, label: str) -> bool:
        """Whether a retreat may end in a hex."""
        return has_room(at, unit, label)

    def halved(self, at: Position, battle: Battle, unit: str) -> bool:
        """Whether an attacker counts half because of the hexside that it attacks across."""
        return bool(self.board.side(at.state.at[unit], battle.target) & self.chart.halved_across)

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """A result of the table as it applies to the attacked hex, and the clause that changed it; "" if nothing did."""
        return outcome, ""

    def may_retreat(self, at: Position, unit: str, path: Path, label: str) -> bool:
        """Whether a retreat may go on into a hex, which ground and enemy would let the unit enter.

        Args:
            at: the position, the unit still in its place.
            unit: who retreats.
            path: the way so far, its first hex included.
            label: the next hex.
        """
        return True

    def retreat_barred_by(self, at: Position, unit: str, path: Path, label: str) -> str:
        """The topic of the rule that keeps a retreat out of a hex, where `may_retreat` says that it does."""
        return "retreat.barred"

    def retreat_hurts(self, at: Position, unit: str, label: str) -> bool:
        """Whether a unit that retreats loses a step in a hex: in an enemy zone, unless a friend stands there."""
        return in_enemy_zone(at, self.units[unit].side, label) and not stack(at, label)

    def on_retreat(self, play: Play, unit: str) -> None:
        """What else happens when a unit has retreated and still stands."""

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """What a unit brings into a battle: the printed strength, weakened, halved across a river, then as variants say."""
        attacks = unit in battle.attackers
        printed = face(at, unit).attack if attacks else face(at, unit).defence
        counted, reasons = self.weaken(at, battle, unit, Fraction(printed))
        if attacks and self.halved(at, battle, unit):
            counted /= 2
            reasons.append(("halved across a river", self.clause("combat.river")))
        counted, more = self.modify_strength(at, battle, unit, counted)
        reasons.extend(more)
        for change in self.hooks.chain("strength"):
            changed = change(at, battle, unit, "attack" if attacks else "defence", counted)
            if isinstance(changed, tuple):
                changed, reason, clause = changed
                reasons.append((reason, clause))
            if changed is not None:
                counted = changed
        return Strength(unit, printed, counted, tuple(reasons))

    def weaken(self, at: Position, battle: Battle, unit: str, counted: Fraction) -> tuple[Fraction, list[tuple[str, str]]]:
        """The ruleset's own changes of strength that come before it is halved, with their reasons."""
        return counted, []

    def modify_strength(
        self, at: Position, battle: Battle, unit: str, counted: Fraction
    ) -> tuple[Fraction, list[tuple[str, str]]]:
        """The ruleset's own changes of strength with their reasons."""
        return counted, []

    def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """The column shifts of a battle: terrain and place, then as variants say."""
        shifts = [
            Shift(columns, reason, self.clause("combat.terrain"))
            for columns, reason in self.chart.shifts_at(self.board, battle.target)
        ]
        refined: tuple[Shift, ...] = self.hooks.refine("shifts", tuple(shifts), at, battle)
        return refined


def odds(at: Position[S, W], battle: Battle) -> Odds:
    """The odds of a battle as it stands. Resolution uses exactly this."""
    world = at.world
    attackers = tuple(world.strength(at, battle, unit) for unit in battle.attackers)
    defenders = tuple(world.strength(at, battle, unit) for unit in stack(at, battle.target))
    shifts = world.shifts(at, battle)
    if not world.shifts_without_defence and not whole_points(defenders):
        shifts = ()
    hexes = at.state.at if world.rounds_by_hex else None
    return work_out(world.table, (attackers, defenders), shifts, support=world.support(at, battle), hexes=hexes)
