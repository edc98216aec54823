"""What is connected with what: supply, lines of communication, command range.

All three are one wave that spreads a step at a time over masks. A wave goes through some hexes and only into others: a supply
line may end in an enemy zone but not run through it, so a hex in the zone is reached and sends nothing further. Where
the wave starts is always part of the answer and may always be left; a caller with a source that can be cut masks it first.
"""

from __future__ import annotations

from collections.abc import Iterator

from hexwar.board._bits import bits
from hexwar.board._board import Board
from hexwar.board._tables import Walls


def flood(
    board: Board, seeds: int, *, through: int, into: int = 0, walls: Walls | None = None, limit: int | None = None, until: int = 0
) -> int:
    """The mask of all hexes connected to ``seeds``, the seeds included.

    Barriers count in the direction in which the wave runs, away from the seeds. Where they are one-sided and the line
    runs towards the seeds (from a unit to its source), give ``board.reverse(walls)``.

    Args:
        board: the board.
        seeds: where the wave starts.
        through: the hexes that it may enter and leave again.
        into: the hexes that it may enter but not leave.
        walls: the sides that it may not cross.
        limit: the most steps from a seed, or None for any number.
        until: stop as soon as all these are reached; the answer is then only complete as far as they are concerned.
    """
    reached = seeds & board.everywhere
    wanted = until & ~reached
    if until and not wanted:
        return reached
    for wave in _waves(board, reached, through, into, walls, limit):
        reached |= wave
        if wanted:
            wanted &= ~wave
            if not wanted:
                break
    return reached


def step(board: Board, front: int, into: int, walls: Walls | None = None) -> int:
    """The mask of the hexes, out of some, that lie one step from a front and are no part of it."""
    return next(_waves(board, front, 0, into, walls, 1), 0)


def trace(
    board: Board, start: int, goals: int, *, through: int, into: int = 0, walls: Walls | None = None, limit: int | None = None
) -> list[int] | None:
    """A shortest path from ``start`` to one of ``goals``, both ends included, or None if there is none.

    It exists exactly if ``flood`` from the start reaches a goal, and is the same one every time.
    """
    layers = [1 << start]
    if not goals >> start & 1:
        for wave in _waves(board, 1 << start, through, into, walls, limit):
            layers.append(wave)
            if wave & goals:
                break
        else:
            return None
    ends = layers.pop() & goals
    i = (ends & -ends).bit_length() - 1
    path = [i]
    while layers:
        layer = layers.pop()
        leaving = layer & through if layers else layer
        i = next(
            i - delta
            for d, delta in enumerate(board.deltas)
            if leaving >> (i - delta) & 1 and not (walls and walls[d] >> (i - delta) & 1)
        )
        path.append(i)
    path.reverse()
    return path


def distances(
    board: Board, start: int, limit: int | None = None, *, closed: int = 0, walls: Walls | None = None
) -> dict[int, int]:
    """The number of steps from ``start`` to each hex, going round barriers.

    Args:
        board: the board.
        start: the index where counting starts; it may be closed itself.
        limit: the most steps, or None for any number.
        closed: hexes that may not be entered.
        walls: the sides that may not be crossed.
    """
    found = {start: 0}
    for steps, wave in enumerate(_waves(board, 1 << start, board.everywhere & ~closed, 0, walls, limit), 1):
        found.update(dict.fromkeys(bits(wave), steps))
    return found


def _waves(board: Board, seeds: int, through: int, into: int, walls: Walls | None, limit: int | None) -> Iterator[int]:
    """The hexes at one step from the seeds, then those at two, and so on while there are any."""
    everywhere = board.everywhere
    through &= everywhere
    left = (through | into) & everywhere & ~seeds
    # The six deltas are -1, +1 and the stride with or without one of them: N and S, then east, then west.
    stride = board.deltas[2]
    short = stride - 1
    front = seeds
    if walls is not None:
        north, north_east, south_east, south, south_west, north_west = board.open_sides(walls)
    for _ in range(board.size if limit is None else limit):
        if walls is None:
            up, down = front | front >> 1, front | front << 1
            wave = up | down | up << stride | down >> stride
        else:
            wave = (
                (front & north) >> 1
                | (front & north_east) << short
                | (front & south_east) << stride
                | (front & south) << 1
                | (front & south_west) >> short
                | (front & north_west) >> stride
            )
        wave &= left
        if not wave:
            return
        yield wave
        left ^= wave
        front = wave & through
