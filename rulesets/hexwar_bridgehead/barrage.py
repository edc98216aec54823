"""15 Optional rule: barrage. The whole rule is a change of one part, as a house rule by somebody else would be."""

from __future__ import annotations

from hexwar.mechanics import Battle
from hexwar.pieces import Shift, on_board
from hexwar_bridgehead.combat import BridgeheadCombat
from hexwar_bridgehead.world import At

RANGE = 2


class Barrage(BridgeheadCombat):
    """15: the active headquarters supports attacks near it."""

    def shifts(self, at: At, battle: Battle) -> tuple[Shift, ...]:
        """15.1: one column to the right if the active headquarters of the attacker is within two hexes of the target."""
        shifts, chit = super().shifts(at, battle), at.state.drawn[-1] if at.state.drawn else ""
        if chit not in on_board(at, battle.side) or self.world.board.distance(at.state.locations[chit], battle.target) > RANGE:
            return shifts
        return (*shifts, Shift(1, f"barrage by {chit}", "15.1"))


PARTS = {"combat": Barrage}
