"""15 Optional rule: barrage. The whole rule is one hook, as a house rule by somebody else would be."""

from __future__ import annotations

from hexwar import hookimpl
from hexwar.engine import Position
from hexwar.mechanics import Battle, Shift
from hexwar_bridgehead.world import BridgeheadState, BridgeheadWorld

RANGE = 2


@hookimpl
def hexwar_shifts(
    at: Position[BridgeheadState, BridgeheadWorld], battle: Battle, shifts: tuple[Shift, ...]
) -> tuple[Shift, ...] | None:
    """15.1: one column to the right if the headquarters whose chit is in play stands within two hexes of the target."""
    headquarters = at.state.drawn[-1] if at.state.drawn else ""
    here = at.state.at.get(headquarters, "")
    if here not in at.world.board or at.world.board.distance(here, battle.target) > RANGE:
        return None
    return (*shifts, Shift(1, f"barrage by {headquarters}", "15.1"))
