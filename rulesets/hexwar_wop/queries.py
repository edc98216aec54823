"""What a player may ask about combat before he decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.errors import HexwarError
from hexwar.mechanics import Battle, HexQuery, Odds, on_board

if TYPE_CHECKING:
    from hexwar_wop.world import At


class CombatQuery(HexQuery):
    """14: the modifiers of an attack with their clauses, who could attack, and the ways of retreat."""

    _at: At  # type: ignore[assignment]  # the position of this game

    def odds(self, attackers: Iterable[str], hex: str, also: Iterable[str] = ()) -> Odds:
        """An attack on a hex: every modifier with its clause, and the exact chance of each result.

        Args:
            attackers: the units that attack, and artillery that supports them from where it stands.
            hex: the hex.
            also: hexes that are to be attacked as well in this activation, so that they do not count as left alone (14.13.u).
        """
        at, units = self._at, tuple(attackers)
        if not units:
            raise HexwarError("an attack needs at least one attacker")
        target = at.world.board.label(at.world.board.index(hex))
        for number, unit in enumerate(units):
            self._standing(unit)
            if unit in units[:number]:
                raise HexwarError(f"{unit} cannot attack twice")
            if refusal := at.world.combat.why_not_attack(at, unit, target):
                raise HexwarError(str(refusal))
        state = at.state.copy()
        state.planned = (*state.planned, *((units[0], at.world.board.label(at.world.board.index(label))) for label in also))
        return at.world.combat.odds(Position(at.world, state), Battle(at.world.units[units[0]].side, target, units))

    def attackers(self, hex: str, side: str) -> tuple[str, ...]:
        """The units of a side that could attack a hex or support an attack on it, active or not."""
        at, target = self._at, self._at.world.board.label(self._at.world.board.index(hex))
        return tuple(unit for unit in on_board(at, self._side(side)) if at.world.combat.may_attack(at, unit, target))
