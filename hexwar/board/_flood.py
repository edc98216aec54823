"""What is connected with what: supply, lines of communication, command range.

All three are one wave that spreads a step at a time over masks. A wave goes through some hexes and only into others: a supply
line may end in an enemy zone but not run through it, so a hex in the zone is reached and sends nothing further. Where
the wave starts is always part of the answer and may always be left; a caller with a source that can be cut masks it first.
"""

from __future__ import annotations

from collections.abc import Iterator

from hexwar.board._board import Board
from hexwar.board._tables import Walls

MANY_FLOODS = 2048
"""How many floods are kept for a board."""


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


class Floods:
    """Floods on a board of which the latest are kept: rules ask for the same ones again and again.

    Args:
        board: the board.
        most: how many are kept.
    """

    def __init__(self, board: Board, most: int = MANY_FLOODS) -> None:
        self._board, self._most = board, most
        self._found: dict[tuple[int, int, int, int, int | None], tuple[int, Walls | None]] = {}

    def __call__(self, seeds: int, *, through: int, into: int = 0, walls: Walls | None = None, limit: int | None = None) -> int:
        """See `flood`."""
        key = (seeds, through, into, id(walls), limit)
        known = self._found.get(key)
        if known is None:  # with the barriers themselves, so that their id stays theirs
            if len(self._found) >= self._most:
                self._found.clear()
            reached = flood(self._board, seeds, through=through, into=into, walls=walls, limit=limit)
            known = self._found[key] = reached, walls
        return known[0]


def step(board: Board, front: int, into: int, walls: Walls | None = None) -> int:
    """The mask of the hexes, out of some, that lie one step from a front and are no part of it."""
    return next(_waves(board, front, 0, into, walls, 1), 0)


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
