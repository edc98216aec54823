"""Zones of control: which hexes a unit covers, and what enemy zones cost those who enter and leave them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexwar.engine import Part, Position

if TYPE_CHECKING:
    from hexwar.mechanics._state import HexState
    from hexwar.mechanics._world import HexWorld


class Zones(Part):
    """Every unit covers the hexes around its own; a game says where zones do not extend and what they cost."""

    world: HexWorld

    enter: int = 0
    """Half points on top for entering a hex in an enemy zone."""
    leave: int = 0
    """Half points on top for leaving one."""
    shelters: frozenset[str] = frozenset()
    """The arms of units in whose hexes enemy zones have no effect on their side."""

    def extends(self, origin: str, target: str) -> bool:
        """Whether zones extend from a hex into the next."""
        return True

    def covers(self, arm: str, label: str) -> Sequence[int]:
        """The indices of the hexes that a unit of an arm covers from a hex; all arms alike, unless overridden. Asked once."""
        board = self.world.board
        return [board.index(near) for near in board.neighbours(label) if self.extends(label, near)]

    def of(self, at: Position, side: str) -> tuple[str, ...]:
        """The hexes in a side's zones of control, in the order of the board."""
        board, units = self.world.board, self.world.units
        covered: set[int] = set()
        for label, stack in at.state.layout.stacks.items():
            if label in board and units[stack[0]].side == side:
                covered.update(at.state.layout.covered(stack, label))
        return tuple(label for label in board.labels if board.index(label) in covered)


class ChangingZones(Zones):
    """Zones that depend on more than where units stand: on the strength of a stack, on steps, on supply.

    The layout keeps them up to date stack by stack: whatever changes in a stack besides its place, an event tells the state
    by `HexState.touch`.
    """

    def covered(self, state: HexState, label: str) -> int:
        """The mask of the hexes that the units in a hex cover together, as they are now."""
        raise NotImplementedError(f"{type(self).__name__}.covered must say which hexes the units in a hex cover")

    def covers(self, arm: str, label: str) -> Sequence[int]:
        """Nothing that a single unit could answer for."""
        return ()
