"""What a player may ask about combat before deciding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from hexwar.engine import Position
from hexwar.errors import HexwarError
from hexwar.mechanics import Battle, HexQuery, why_not_move
from hexwar.pieces import Odds, on_board
from hexwar_wop.flights import SUPPORT, Flight, why_not_ready
from hexwar_wop.modifiers import ARTILLERY
from hexwar_wop.reactions import Answer, answer, concerned
from hexwar_wop.river import boats, present

if TYPE_CHECKING:
    from hexwar_wop.world import At


class Provoked(NamedTuple):
    """Something that a move may provoke.

    Args:
        hex: the hex of its way in which that happens.
        enemy: the hex next to it in which the enemy is.
        pieces: whom it concerns.
        says: what happens to them.
        clause: by which rule.
    """

    hex: str
    enemy: str
    pieces: tuple[str, ...]
    says: str
    clause: str


class CombatQuery(HexQuery):
    """14: the modifiers of an attack with their clauses, who could attack, and the ways of retreat; 13.9: reactions."""

    _at: At  # type: ignore[assignment]  # the position of this game

    def odds(self, attackers: Iterable[str], hex: str, also: Iterable[str] = (), air: Iterable[str] = ()) -> Odds:
        """An attack on a hex: every modifier with its clause, and the exact chance of each result.

        Args:
            attackers: the units that attack, and artillery that supports them from where it stands.
            hex: the hex.
            also: hexes that are to be attacked as well in this activation, so that they do not count as left alone (14.13.u).
            air: air units of either side that are to support it, as if no fighter drove them off (14.13.p).
        """
        at, units = self._at, tuple(attackers)
        if not units:
            raise HexwarError("an attack needs at least one attacker")
        target = at.world.board.label(at.world.board.index(hex))
        for number, unit in enumerate(units):
            if not present(at, (unit,)):
                self._standing(unit)
            if unit in units[:number]:
                raise HexwarError(f"{unit} cannot attack twice")
            if refusal := at.world.combat.why_not_attack(at, unit, target):
                raise HexwarError(str(refusal))
        if all(at.world.units[unit].arm == ARTILLERY for unit in units):
            raise HexwarError(f"14.14.a: {', '.join(units)} only supports others, and nobody attacks {target}")
        state = at.state.copy()
        state.planned = (*state.planned, *((units[0], at.world.board.label(at.world.board.index(label))) for label in also))
        for unit in air:
            if refusal := why_not_ready(at, at.world.units[unit].side if unit in at.world.units else "", unit):
                raise HexwarError(str(refusal))
            state.flights = (*state.flights, Flight(unit, SUPPORT, target, battle=target))
        return at.world.combat.odds(Position(at.world, state), Battle.on(at.world.units[units[0]].side, target, units))

    def attackers(self, hex: str, side: str) -> tuple[str, ...]:
        """The units of a side that could attack a hex or support an attack on it, active or not."""
        at, target = self._at, self._at.world.board.label(self._at.world.board.index(hex))
        mine = (*on_board(at, self._side(side)), *boats(at, side))
        return tuple(unit for unit in mine if at.world.combat.may_attack(at, unit, target))

    def reactions(self, unit: str, to: str, path: Iterable[str] = ()) -> tuple[Provoked, ...]:
        """What a move may provoke on its way, hex by hex: reactions, lone headquarters that flee, guns without cover.

        Everybody else is supposed to stay: whoever falls back from one hex is not there to answer in the next one.

        Args:
            unit: who moves.
            to: where it goes.
            path: its way, from the hex in which it stands; the cheapest one if none is given.
        """
        self._standing(unit)
        at = self._at
        end, way = at.world.board.label(at.world.board.index(to)), tuple(path)
        if refusal := why_not_move(at, unit, end, "", way):
            raise HexwarError(str(refusal))
        found = []
        together = (unit, *at.world.movement.company(at, unit))
        for label in (way or at.world.reaches.way(at, unit, end))[1:]:
            state = at.state.copy()
            for member in together:
                state.put(member, label)
            there: At = Position(at.world, state)
            for enemy in concerned(there, together, label):
                answered = answer(there, together, enemy)
                assert answered is not None, "the hex is concerned"
                found.append(Provoked(label, enemy, answered.pieces, _told(answered), answered.clause))
        return tuple(found)


def _told(answered: Answer) -> str:
    """What happens, in words."""
    who, most = ", ".join(answered.pieces), answered.most
    hexes = f"{most} hex{'es' if most > 1 else ''}"
    return {
        "flight": f"{who} flees by {hexes}, or is lost",
        "guns": f"{who} withdraws by {hexes}" if most else f"{who} is overrun",
        "reaction": f"{who} may fall back by up to {hexes}",
    }[answered.kind]
