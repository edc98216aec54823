"""The duty to attack: which enemy hexes may not be left unattacked, and what may be done without leaving one.

A unit that has not attacked can meet every duty that it could attack, up to the number of hexes that it may attack,
and so can a battle that may still be widened. How many duties can be met together is a matching of duties and units;
what would lessen it is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hexwar.engine import Part, Position
from hexwar.errors import Refusal
from hexwar.pieces._steps import against

if TYPE_CHECKING:
    from hexwar.mechanics._battle import Battle, CombatWorld, Pairs


class Hand(NamedTuple):
    """A unit that can meet duties.

    Args:
        hexes: the duties that they could meet.
        most: how many of them together; None if any number.
    """

    hexes: Collection[str]
    most: int | None


class Obligations(Part):
    """Which enemy hexes a side has to attack; none, unless a game says so."""

    world: CombatWorld

    # -- what games have rules about

    def of_unit(self, at: Position, unit: str) -> Collection[str]:
        """The hexes that may not be left unattacked because of a unit on the board; it must be able to attack each of them."""
        return ()

    # -- what follows from them

    def duties(self, at: Position, units: Iterable[str]) -> tuple[str, ...]:
        """The hexes that some units oblige their side to attack."""
        return tuple(sorted({target for unit in units for target in self.of_unit(at, unit)}))

    def _of_unit(self, at: Position, unit: str) -> Collection[str]:
        """The same as `of_unit`, asked once in a position."""
        found: Collection[str] | None = at.memo.get(("duties of", unit))
        if found is None:
            found = at.memo["duties of", unit] = self.of_unit(at, unit)
        return found

    def unmet(self, at: Position, duties: Collection[str], units: Iterable[str], declared: Pairs = ()) -> list[str]:
        """Of duties that have not been met, as many as units could still meet that have attacked no more than is declared."""
        return met(duties, self._hands(at, units, declared)) if duties else []

    def why_not_done(self, at: Position, duties: Collection[str], units: Iterable[str], declared: Pairs = ()) -> Refusal | None:
        """Why there may not be an end of attacks: duties could still be met."""
        return _left(at, self.unmet(at, duties, units, declared))

    def why_not_declare(
        self, at: Position, duties: Collection[str], units: Sequence[str], declared: Pairs, unit: str, target: str
    ) -> Refusal | None:
        """Why a unit may not be given a target: with it, fewer duties could be met."""
        if not duties:
            return None
        more = (*declared, (unit, target))
        return self._why_fewer(at, duties, self._hands(at, units, declared), (target,), self._hands(at, units, more))

    def why_not_fight(
        self, at: Position, duties: Collection[str], units: Sequence[str], battle: Battle, *, growing: bool
    ) -> Refusal | None:
        """Why a battle may not be fought as it is, or not become what it would be: with it, fewer duties could be met.

        Args:
            at: the position.
            duties: the hexes that have to be attacked and have not been.
            units: those that have not attacked, the attackers of the battle included.
            battle: the battle.
            growing: whether it may still be widened.
        """
        if all(duty in battle.targets for duty in duties):
            return None
        attackers = battle.attackers
        rest = self._hands(at, [unit for unit in self._obliged(at, tuple(units)) if unit not in attackers])
        if growing:
            rest.append(self._widening(at, duties, battle))
        return self._why_fewer(at, duties, self._hands(at, units), battle.targets, rest)

    def _why_fewer(
        self, at: Position, duties: Collection[str], before: Sequence[Hand], attacked: Collection[str], after: Sequence[Hand]
    ) -> Refusal | None:
        """Why some hexes may not be attacked: with what is left then, fewer duties are met than could be met before."""
        possible = [duty for duty in duties if any(duty in hand.hexes for hand in before)]
        could = met(possible, before)
        can = [duty for duty in possible if duty in attacked]
        can += met([duty for duty in possible if duty not in attacked], after)
        return _left(at, [duty for duty in could if duty not in can]) if len(can) < len(could) else None

    def _hands(self, at: Position, units: Iterable[str], declared: Pairs = ()) -> list[Hand]:
        most_targets, found = self.world.combat.most_targets, []
        for unit in self._obliged(at, tuple(units)):
            most = most_targets(at, unit)
            left = None if most is None else most - sum(other == unit for other, _ in declared)
            found.append(Hand(self._of_unit(at, unit), left))
        return found

    def _obliged(self, at: Position, units: tuple[str, ...]) -> list[str]:
        """Those of some units that have duties, which are few; kept, since the same ones are asked for each choice."""
        found: list[str] | None = at.memo.get(("obliged", units))
        if found is None:
            found = at.memo["obliged", units] = [unit for unit in units if self._of_unit(at, unit)]
        return found

    def _widening(self, at: Position, duties: Iterable[str], battle: Battle) -> Hand:
        """What a battle could still take in."""
        combat, attackers = self.world.combat, battle.attackers
        limits = [most for unit in attackers if (most := combat.most_targets(at, unit)) is not None]
        most = min(limits) - len(battle.targets) if limits else None
        return Hand([duty for duty in duties if combat.why_not_widen(at, battle, duty) is None], most)


def _left(at: Position, unmet: Sequence[str]) -> Refusal | None:
    return against(at, "combat.duty", f"{', '.join(unmet)} would be left unattacked") if unmet else None


def met(duties: Iterable[str], hands: Sequence[Hand]) -> list[str]:
    """As many duties as can be met together, in order."""
    given: list[list[str]] = [[] for _ in hands]

    def give(duty: str, asked: set[int]) -> bool:
        """Give a duty to a hand, which may hand on another in exchange."""
        for number, (hexes, most) in enumerate(hands):
            if number in asked or duty not in hexes:
                continue
            asked.add(number)
            if most is None or len(given[number]) < most:
                given[number].append(duty)
                return True
            for place, other in enumerate(given[number]):
                if give(other, asked):
                    given[number][place] = duty
                    return True
        return False

    return sorted(duty for duty in duties if give(duty, set()))
