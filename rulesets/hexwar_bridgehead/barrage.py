"""15 Optional rule: barrage. The whole rule is one hook, as a house rule by somebody else would be."""

from __future__ import annotations

from hexwar import hookimpl
from hexwar.mechanics import Battle, Shift, on_board
from hexwar_bridgehead.world import At

RANGE = 2


@hookimpl
def hexwar_shifts(at: At, battle: Battle, shifts: tuple[Shift, ...]) -> tuple[Shift, ...] | None:
    """15.1: one column to the right if the attacker's headquarters whose chit is in play is within two hexes of the target."""
    chit = at.state.drawn[-1] if at.state.drawn else ""
    if chit not in on_board(at, battle.side) or at.world.board.distance(at.state.at[chit], battle.target) > RANGE:
        return None
    return (*shifts, Shift(1, f"barrage by {chit}", "15.1"))
