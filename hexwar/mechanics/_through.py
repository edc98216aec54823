"""Ways through places: how a unit gets to each end if its owner sends it through some hexes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hexwar.board import Reach
from hexwar.engine import Position
from hexwar.errors import Refusal
from hexwar.mechanics._going import Mode
from hexwar.mechanics._pieces import has_room
from hexwar.mechanics._reaches import Reaches
from hexwar.pieces._steps import against

Way = tuple[str, ...]


def ways_through(at: Position, unit: str, found: Reach, mode: Mode, places: Sequence[str]) -> Iterator[Way] | Refusal:
    """The way to each hex in which a unit may end its move, by the cheapest way between some hexes; or why there is none.

    Args:
        at: the position.
        unit: the unit.
        found: how far it gets from where it begins.
        mode: its way of moving.
        places: the hexes through which it is sent, in their order.
    """
    reaches, board = at.world.reaches, at.world.board
    way = [found.start]
    for place in places:
        if place not in board:
            return against(at, "move", f"there is no hex {place} on the map")
        here = board.index(place)
        if here not in found:
            left = f"with the {found.budget / 2:g} points that it has left there"
            return against(at, "move.cost", f"{unit} does not get from {board.label(way[-1])} to {place} {left}")
        if here != way[-1]:
            way += found.path(here)[1:]
            found = reaches.reach_from(at, unit, here, found.budget - found[here], mode, fresh=False)
    return _ends(at, unit, reaches, way, found)


def _ends(at: Position, unit: str, reaches: Reaches, way: list[int], onward: Reach) -> Iterator[Way]:
    board = at.world.board
    ends = [*reaches.ends(at, unit, onward)]
    for end, may_stay in ((board.label(onward.start), None), (at.state.locations.get(unit), True)):
        if end in board and end not in ends and board.index(end) in onward and (may_stay or has_room(at, unit, end)):
            ends.append(end)
    for to in ends:
        path = (*way, *onward.path(board.index(to))[1:])
        if len(path) > 1:
            yield tuple(map(board.label, path))
