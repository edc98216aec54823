"""14: attacks. All of an activation are planned first (7.3), because the plan matters for each of them (14.13.u)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from hexwar.engine import Play, Position
from hexwar.errors import Refusal
from hexwar.mechanics import (
    Battle,
    Odds,
    Outcome,
    Shift,
    Strength,
    SumCombat,
    SumTable,
    against,
    standing,
)
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER, TRAIN
from hexwar_wop.modifiers import ARTILLERY, MODIFIERS, Forces, counting, is_open, strength

if TYPE_CHECKING:
    from hexwar_wop.content import CombatRow
    from hexwar_wop.content import Outcome as Printed
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]

COMBAT_CLAUSES = {
    "combat": "14.7",
    "combat.declare": "14.7",
    "combat.order": "7.3",
    "combat.once": "14.3.a",
    "combat.odds": "14.13.a",
    "combat.roll": "14.15",
    "combat.sum": "14.13.a",
    "combat.table": "14.16",
    "combat.cancelled": "7.3",
}
"""Where the shared mechanics find their clauses on combat."""


class WopCombat(SumCombat):
    """14.7 to 14.17: a sum of modifiers on a die of ten that begins with 0."""

    world: WopWorld
    sides, lowest = 10, 0

    # -- 14.1 to 14.7 who may attack what

    def why_not_attack(self, at: At, unit: str, target: str) -> Refusal | None:
        """Why a unit on the board could not attack a hex, or support an attack on it."""
        counter, board, here = self.world.units[unit], self.world.board, at.state.locations[unit]
        if counter.arm in (HEADQUARTERS, AIR, RIVER):
            return against(at, "combat", f"{unit} does not attack")
        if unit in at.state.no_command:
            return Refusal.against("9.22.a", f"{unit} is without command")
        if "garrison" in counter.tags:
            return Refusal.against("11.3", f"{unit} is a garrison, which does not attack")
        if target not in board or not self._enemies_in(at, counter.side, target):
            return against(at, "combat", f"there is no enemy unit in {target} that could be attacked")
        if counter.arm == ARTILLERY:
            return self._why_no_support(at, unit, target)
        if not board.adjacent(here, target):
            return Refusal.against("10.12", f"{unit} does not stand next to {target}")
        if counter.arm != TRAIN and not is_open(at, unit, here, target):
            return Refusal.against("14.6", f"{unit} could not move from {here} into {target}")
        return None

    def _enemies_in(self, at: At, side: str, target: str) -> bool:
        """14.3.b: whether units defend a hex that have not been attacked yet."""
        return any(self.world.units[unit].side != side for unit in counting(at, target))

    def _why_no_support(self, at: At, unit: str, target: str) -> Refusal | None:
        """3.12.e, 14.6, 14.14.a: artillery needs range and supply; no ground is in its way."""
        if unit in at.state.no_supply:
            return Refusal.against("3.12.e", f"{unit} is without supply and supports no attack")
        if self.world.board.distance(at.state.locations[unit], target) > self.world.units[unit].reach:
            return Refusal.against("14.14.a", f"{target} is out of range of {unit}")
        return None

    def targets(self, at: At, units: Iterable[str], side: str) -> dict[str, list[str]]:
        """Those of some units of a side that could attack or support an attack, and where."""
        [enemy] = self.world.enemies(side)
        board, found, counters = self.world.board, {}, self.world.units
        hexes = {label for label in board.unmask(at.state.layout.held[enemy]) if counting(at, label)}
        for unit in standing(at, units):
            here, counter = at.state.locations[unit], counters[unit]
            near = hexes if counter.arm == ARTILLERY else hexes.intersection(board.neighbours(here))
            able = sorted(label for label in near if self.why_not_attack(at, unit, label) is None)
            if able:
                found[unit] = able
        return found

    def weigh(self, at: At, battle: Battle) -> tuple[Battle, Odds | None, str]:
        """7.3: an attack with those attackers that still can; it is dropped if it has become impossible."""
        able = tuple(unit for unit in battle.attackers if self.may_attack(at, unit, battle.target))
        battle = Battle(battle.side, battle.target, able)
        if not self._enemies_in(at, battle.side, battle.target):
            return battle, None, f"nobody is left in {battle.target} who has not been attacked"
        if all(self.world.units[unit].arm == ARTILLERY for unit in able):
            return battle, None, "no attacker is left"
        return battle, self.odds(at, battle), ""

    # -- 14.8 to 14.16 how it is decided

    @cached_property
    def sums(self) -> SumTable:
        """14.16: the combat table."""
        rows = self.world.printed.combat.row
        return SumTable([_outcome(row) for row in rows], [row.min for row in rows if row.min is not None])

    def strengths(self, at: At, battle: Battle) -> tuple[tuple[Strength, ...], tuple[Strength, ...]]:
        """14.10.a, 14.14.b: the units of each side and the artillery that supports them."""
        forces = Forces.of(at, battle)
        attackers = tuple(strength(at, unit, attacks=True) for unit in (*forces.attackers, *forces.guns))
        return attackers, tuple(strength(at, unit, attacks=False) for unit in (*forces.defenders, *forces.support))

    def modifiers(self, at: At, battle: Battle, strengths: Sequence[Strength]) -> tuple[Shift, ...]:
        """14.13.a: all of them."""
        forces = Forces.of(at, battle)
        return tuple(shift for rule in MODIFIERS for shift in rule(at, forces, strengths))


def _outcome(row: CombatRow) -> Outcome:
    """14.17.1 to 14.17.3: a row of the table, such as "A 1, D 1R"."""
    sides = [f"{name} {_told(result)}" for name, result in (("A", row.attacker), ("D", row.defender)) if _told(result)]
    attacker, defender = row.attacker, row.defender
    return Outcome(", ".join(sides), attacker.losses, defender.losses, defender.retreat, attacker.retreat)


def _told(result: Printed) -> str:
    retreat, losses = f"{result.retreat}R" if result.retreat else "", str(result.losses) if result.losses else ""
    return "/".join(filter(None, (retreat, losses)))


def attack_segment(play: Doing, seat: str) -> None:
    """7.3, 8.2: the attacks of an activation. Absent: nobody attacks yet."""
