"""14.13 to 14.16: modifiers, each with its reason and clause, are added to a die, and every sum has its result."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from hexwar.engine import Play, Position
from hexwar.mechanics import Battle, Combat, RollModified
from hexwar.pieces import Odds, Outcome, Strength


class SumTable:
    """Results for every sum there can be: the first and the last row are open at one end.

    Args:
        outcomes: from the lowest sums to the highest.
        bounds: the sum from which on each of them holds, but for the first.
    """

    def __init__(self, outcomes: Sequence[Outcome], bounds: Sequence[int]) -> None:
        if len(outcomes) != len(bounds) + 1 or list(bounds) != sorted(set(bounds)):
            raise ValueError(f"{len(outcomes)} results need {len(outcomes) - 1} ascending bounds between them, not {bounds}")
        self._outcomes, self._bounds = tuple(outcomes), tuple(bounds)

    def __getitem__(self, total: int) -> Outcome:
        """The result of a sum."""
        return self._outcomes[bisect_right(self._bounds, total)]


class SumCombat(Combat):
    """14.13.a, 14.15: a sum of modifiers is added to one die. `Odds.column` is the sum; None where there can be no attack."""

    sides = 6
    lowest = 1
    """The faces of the die count up from here."""

    # -- what games have rules about

    @property
    @abstractmethod
    def sums(self) -> SumTable:
        """What each sum of die and modifiers means."""

    @abstractmethod
    def strengths(self, at: Position, battle: Battle) -> tuple[tuple[Strength, ...], tuple[Strength, ...]]:
        """What each unit contributes: attackers, then defenders."""

    # -- what follows from them

    def odds(self, at: Position, battle: Battle) -> Odds:
        """The modifiers, their sum, and the exact chance of each result; there is no attack without strength."""
        attackers, defenders = self.strengths(at, battle)
        attack, defence = self.points(at, attackers), self.points(at, defenders)
        found = self.modifiers(at, battle) if attack else ()
        total = sum(modifier.columns for modifier in found) if attack else None
        name = "no attack" if total is None else f"{total:+d}"
        results = () if total is None else tuple(self.sums[total + face] for face in range(self.lowest, self.lowest + self.sides))
        counted = Counter(outcome.name for outcome in results)
        shares = {result: Fraction(count, self.sides) for result, count in counted.items()}
        return Odds(attack, defence, (*attackers, *defenders), found, total, total, name, shares, "sum", results)

    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """Roll, add everything up, and read the table."""
        clause = self.world.clause("combat.roll")
        rolled = play.roll(f"attack on {battle.where}", clause=clause, sides=self.sides, lowest=self.lowest)
        reasons = tuple((modifier.columns, modifier.reason, modifier.clause) for modifier in odds.shifts)
        total = rolled + (odds.column or 0)
        play.emit(RollModified(rolled, total, reasons, clause=self.world.clause("combat.sum")))
        return self.sums[total]
