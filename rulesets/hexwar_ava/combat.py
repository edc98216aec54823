"""10.0 Combat: what this game adds to the mechanics of attacks; 14.2, what a fortress does in them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Battle, Outcome, Strength, TableCombat, stack

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld

FORTRESS = "fortress"
SURPRISE = "surprise"
"""The phase in which rivers do not matter (15.1.3)."""


class AvaCombat(TableCombat):
    """Attacks as 10.1 to 10.5 have them."""

    world: AvaWorld

    def halved(self, at: Position, battle: Battle, unit: str) -> bool:
        """10.3.2, 10.3.3: whoever attacks across a river; 15.1.3: not in the surprise attack."""
        return at.state.phase != SURPRISE and super().halved(at, battle, unit)

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """10.3.4: a unit that has retreated in this segment adds nothing to a defence."""
        found = super().strength(at, battle, unit)
        if unit in at.state.retreated and unit not in battle.attackers:
            return found.changed(Fraction(), "has retreated in this segment", "10.3.4")
        return found

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """14.2.5, 14.2.6: in a hex with a fortress each hex of retreat is a step loss instead."""
        fortified = any(self.world.units[unit].arm == FORTRESS for unit in stack(at, battle.target))
        if not fortified or not outcome.retreat:
            return outcome, ""
        return Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0), "14.2.5"
