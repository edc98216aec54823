"""Stars: anti-tank, armour and assault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexwar.engine import Part, Position
from hexwar.grouping import grouped
from hexwar.mechanics import Battle
from hexwar.pieces import Shift
from hexwar_wb95.zones import LARGE_RIVER

if TYPE_CHECKING:
    from hexwar_wb95.world import Wb95World

BLACK, WHITE, GOLD = "black", "white", "gold"
ORDER = (BLACK, WHITE, GOLD)


class Stars(Part):
    """star.1 to star.8."""

    world: Wb95World

    def units(self, at: Position, units: Sequence[str]) -> list[str]:
        """star.2: those of some units whose stars count, at most three from a hex."""
        found = grouped([(at.state.locations[unit], unit) for unit in units if self.world.units[unit].star])
        most = self.world.printed.tables.stars.most
        return [
            unit
            for here in found.values()
            for unit in sorted(here, key=lambda unit: ORDER.index(self.world.units[unit].star))[:most]
        ]

    def counts(self, at: Position, battle: Battle, side: str) -> Counter[str]:
        """star.1, star.4: colour -> how many stars of a side are used in a battle."""
        combat = self.world.combat
        if side in at.state.starless or combat.river(at, battle) == LARGE_RIVER:
            return Counter()
        fighting = battle.attackers if side == battle.side else combat.standing_defenders(at, battle)
        return Counter([self.world.units[unit].star for unit in self.units(at, fighting)])

    def shifts(self, at: Position, battle: Battle, side: str) -> tuple[Shift, ...]:
        """star.5 to star.8: what the stars of a side are worth to it, in columns."""
        mine, theirs = self.counts(at, battle, side), self.counts(at, battle, self.world.enemies(side)[0])
        found = [Shift(min(mine[WHITE], theirs[BLACK] + theirs[GOLD]), "anti-tank stars", "star.6")]
        lost = min(theirs[WHITE], mine[BLACK] + mine[GOLD])
        black, gold = max(0, mine[BLACK] - lost), mine[GOLD] - max(0, lost - mine[BLACK])
        if side != battle.side or not self._is_fortified(at, battle):
            found.append(Shift(black, "armour stars", "star.7"))
        if gold and not self._has_armour(at, battle, side):
            found.append(Shift(gold, "assault stars", "star.8"))
        return tuple([shift for shift in found if shift.columns])

    def _has_armour(self, at: Position, battle: Battle, side: str) -> bool:
        """star.8: whether an enemy of a side fights that has a black or white star, used or not."""
        combat, units = self.world.combat, self.world.units
        enemies = combat.standing_defenders(at, battle) if side == battle.side else battle.attackers
        return any(units[unit].star in (BLACK, WHITE) for unit in enemies)

    def _is_fortified(self, at: Position, battle: Battle) -> bool:
        enemy = self.world.enemies(battle.side)[0]
        return bool(self.world.forts.is_fortified(at, enemy, self.world.combat.main_target(at, battle)))
