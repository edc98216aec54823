"""10.0 Combat: what this game adds to attacks; 8.2 and 12.2, what supply and orders do in them; 7.0, what the Luftwaffe does."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from hexwar.engine import Play, Position
from hexwar.mechanics import Battle, Outcome, RollModified, Shift, Strength, TableCombat
from hexwar_tow.luftwaffe import ask_for_support, committed
from hexwar_tow.state import ISOLATED

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld


class TowCombat(TableCombat):
    """Attacks as 10.0 to 10.3 have them."""

    world: TowWorld

    def printed(self, at: Position, battle: Battle, unit: str) -> Strength:
        """10.2.2: what supply costs is taken off before rivers count."""
        return self.weakened(at, battle, super().printed(at, battle, unit))

    def weakened(self, at: Position, battle: Battle, found: Strength) -> Strength:
        """8.2.2, 8.2.3: weaker attack without supply, weaker attack and defence in isolation; never below nothing."""
        status = at.state.supply.get(found.unit)
        if status is None or (status != ISOLATED and found.unit not in battle.attackers):
            return found
        weaker = max(found.counted - self.world.numbers.supply.weaker, Fraction())
        return found.changed(weaker, status, "8.2.3" if status == ISOLATED else "8.2.2")

    def points(self, at: Position, strengths: Iterable[Strength]) -> int:
        """1.3.2: fractions are dropped for each hex."""
        sums: dict[str, Fraction] = {}
        for strength in strengths:
            label = at.state.at[strength.unit]
            sums[label] = sums.get(label, Fraction()) + strength.counted
        return sum(map(int, sums.values()))

    def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """10.2.9: terrain does not shift an attack on a defence of nothing."""
        shifts = super().shifts(at, battle)
        defence = (self.strength(at, battle, unit) for unit in self.defenders(at, battle)) if shifts else ()
        return shifts if self.points(at, defence) else ()

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """7.0.7, 10.2.7: two columns for each Off AS."""
        columns = self.world.numbers.luftwaffe["off"].columns
        return tuple(Shift(columns, "Luftwaffe", "7.0.7") for marker in committed(at, battle) if marker == "off")

    def roll(self, play: Play, battle: Battle) -> int:
        """7.0.8, 10.3.2: two points off the roll for each Def AS; the result stays on the table."""
        rolled = super().roll(play, battle)
        points = self.world.numbers.luftwaffe["def"].roll
        modifiers = tuple((points, "Luftwaffe", "7.0.8") for marker in committed(play, battle) if marker == "def")
        if not modifiers:
            return rolled
        counts = max(1, min(rolled + points * len(modifiers), len(self.world.table.rows)))
        play.emit(RollModified(rolled, counts, modifiers, clause="10.3.2"))
        return counts

    def spent_by_calling_off(self, battle: Battle) -> tuple[str, ...]:
        """10.0.6, 10.2.8: an attack that is called off was none; nothing is spent."""
        return ()

    def announced(self, play: Play, battle: Battle) -> None:
        """10.1.2: the Axis may use the Luftwaffe before the die is rolled."""
        ask_for_support(play, battle)

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """12.2.1: in a city with a Supreme Command Order each hex of retreat is a step loss instead."""
        if battle.target not in at.state.orders or battle.side == "axis" or not outcome.retreat:
            return outcome, ""
        return Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0), "12.2.1"
