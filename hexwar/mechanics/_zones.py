"""Zones of control: which hexes a unit covers, and what enemy zones cost those who enter and leave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Part, Position

if TYPE_CHECKING:
    from hexwar.mechanics._state import HexState
    from hexwar.mechanics._world import HexWorld

Covers = Mapping[str, tuple[int, ...]]
"""Hex -> the indices of the hexes that a unit standing there covers with its zone."""


class Zones(Part):
    """Every unit covers the hexes around its own; a game says where zones do not extend and what they cost."""

    world: HexWorld

    enter: int = 0
    """Half points on top for entering a hex in an enemy zone."""
    leave: int = 0
    """Half points on top for leaving one."""

    def extends(self, origin: str, target: str) -> bool:
        """Whether zones extend from a hex into the next."""
        return True

    def shelters(self, arm: str) -> bool:
        """Whether enemy zones have no effect on a side in the hexes of its units of an arm."""
        return False

    def covers(self, arm: str) -> Covers:
        """Where an arm covers what; all arms alike, unless overridden."""
        return self._covers

    @cached_property
    def _covers(self) -> Covers:
        return _Covers(self)

    def of(self, at: Position, side: str) -> tuple[str, ...]:
        """The hexes in a side's zones of control, in the order of the board."""
        board, units = self.world.board, self.world.units
        covered: set[int] = set()
        for label, stack in at.state.layout.stacks.items():
            if label in board and units[stack[0]].side == side:
                covered.update(at.state.layout.covered(stack, label))
        return tuple(label for label in board.labels if board.index(label) in covered)


class _Covers(dict[str, tuple[int, ...]]):
    """What is covered from each hex, worked out when somebody stands there: of thousands of hexes, few are asked for.

    A dict, because a hex that was asked for once is looked up as in one; who lists it gets all hexes.
    """

    def __init__(self, zones: Zones) -> None:
        self._zones, self._board = zones, zones.world.board

    def __missing__(self, label: str) -> tuple[int, ...]:
        if label not in self._board:
            raise KeyError(label)
        zones, board = self._zones, self._board
        found = self[label] = tuple([board.index(near) for near in board.neighbours(label) if zones.extends(label, near)])
        return found

    def __contains__(self, label: object) -> bool:
        return label in self._board

    def __iter__(self) -> Iterator[str]:
        return iter(self._board.labels)

    def __len__(self) -> int:
        return len(self._board)

    keys, values, items, get = Mapping.keys, Mapping.values, Mapping.items, Mapping.get  # type: ignore[assignment]


class ChangingZones(Zones):
    """Zones that depend on more than where units stand: on the strength of a stack, on steps, on supply.

    The layout keeps them up to date stack by stack: whatever changes in a stack besides its place, an event tells the state
    by `HexState.touch`.
    """

    def covered(self, state: HexState, label: str) -> Iterable[int]:
        """The indices of the hexes that the units in a hex cover together, as they are now."""
        raise NotImplementedError

    def covers(self, arm: str) -> Covers:
        """Nothing that a single unit could answer for."""
        return dict.fromkeys(self.world.board.labels, ())
