"""Command: which units a headquarters reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hexwar.board import flood
from hexwar.engine import Position
from hexwar.mechanics.units import Unit


def command_range(at: Position, headquarters: str, closed_terrain: Iterable[str] = (), closed_sides: Iterable[str] = ()) -> int:
    """The mask of the hexes within the range of a headquarters on the board; see `in_command`."""
    board = at.world.board
    walls = board.walls(*closed_sides) if closed_sides else None
    open_to = board.everywhere & ~board.terrain_mask(*closed_terrain)
    start = 1 << board.index(at.state.at[headquarters])
    return flood(board, start, through=open_to, walls=walls, limit=at.world.units[headquarters].command)


def in_command(
    at: Position,
    headquarters: str,
    closed_terrain: Iterable[str] = (),
    closed_sides: Iterable[str] = (),
    follows: Callable[[Unit], bool] | None = None,
) -> list[str]:
    """The headquarters and the units of its side within its range, in roster order.

    It commands no other headquarters, and nothing that never moves, such as the marker of a fortress.

    Args:
        at: the position.
        headquarters: a headquarters on the board.
        closed_terrain: terrain through which range is not counted.
        closed_sides: hexside features across which range is not counted.
        follows: whether a unit obeys this headquarters, where not all of its side do.
    """
    world, layout = at.world, at.state.layout
    leader, board, units, movers = world.units[headquarters], world.board, world.units, layout.ground.movers
    near = command_range(at, headquarters, closed_terrain, closed_sides)
    found = [headquarters]
    for label in board.scattered(near & layout.held[leader.side]):
        for unit in layout.stacks[label]:
            counter = units[unit]
            if unit in movers and not counter.is_headquarters and (follows is None or follows(counter)):
                found.append(unit)
    return sorted(found, key=layout.ground.rank.__getitem__)
