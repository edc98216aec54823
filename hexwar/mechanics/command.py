"""Command: which units a headquarters reaches."""

from __future__ import annotations

from typing import Any

from hexwar.board import distances
from hexwar.engine import Position


def in_command(at: Position[Any, Any], headquarters: str, closed_terrain: tuple[str, ...] = ()) -> list[str]:
    """The headquarters and the units of its side within its range, in roster order. It commands no other headquarters.

    Args:
        at: the position.
        headquarters: a headquarters on the board.
        closed_terrain: terrain through which range is not counted.
    """
    world = at.world
    leader = world.units[headquarters]
    board = world.board
    reached = distances(board, board.index(at.state.at[headquarters]), leader.command, closed=board.terrain_mask(*closed_terrain))
    near = {board.label(i) for i in reached}
    return [
        unit
        for unit, counter in world.units.items()
        if counter.side == leader.side and at.state.at.get(unit) in near and (unit == headquarters or not counter.is_headquarters)
    ]
