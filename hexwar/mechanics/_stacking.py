"""Stacking: what may stand together in a hex."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from hexwar.board import bits, mask_of
from hexwar.engine import Part, Position
from hexwar.errors import Refusal
from hexwar.pieces._steps import against

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld


class Stacking(Part):
    """A number of units of a side may stand in a hex, whatever they are."""

    world: HexWorld

    most: int = 2
    counted = "units"
    """What the limit counts, as a refusal says it."""

    def __init__(self, world: HexWorld) -> None:
        super().__init__(world)
        self._alone: dict[Hashable, tuple[int, int]] = {}
        """Side and sort -> masks: the hexes that have been looked at, and those in which a unit does not fit even alone."""

    def limit(self, side: str, label: str) -> int:
        """How many units of a side may stand in a hex."""
        return self.most

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand together in a hex. Games that count other than heads override this.

        The answer is kept until a unit comes, goes or is touched there: see `HexState.touch`.
        """
        return len(units) <= self.limit(self.world.units[units[0]].side, label)

    def sort_of(self, at: Position, unit: str) -> Hashable:
        """What `fits` looks at in a unit, besides its side: units of one sort fit alike, so that lists ask once for all of them.

        Its arm, unless overridden: a rule that looks at more, such as steps or nations, must say so here.
        """
        return self.world.units[unit].arm

    def open_in(self, at: Position, unit: str, hexes: int) -> int:
        """The mask of those of some hexes in which a move of a unit that stands elsewhere may end: where it fits.

        For a unit alone in a hex, that never changes. Beside others, it is kept until one of them comes, goes or is touched.
        """
        board, layout = self.world.board, at.state.layout
        key = self.world.units[unit].side, self.sort_of(at, unit)
        known, closed = self._alone.get(key) or (0, 0)
        if unknown := hexes & ~known:
            shut = [i for i in bits(unknown) if not self.fits(at, (unit,), board.label(i))]
            known, closed = self._alone[key] = known | unknown, closed | mask_of(shut, board.size)
        taken = 0
        for held in layout.held.values():
            taken |= held
        taken &= hexes
        full = closed & hexes & ~taken
        if taken:

            def has_room(i: int) -> bool:
                label = board.label(i)
                return self.fits(at, (*layout.stacks[label], unit), label)

            full |= layout.rooms.full(key, taken, has_room)
        return hexes & ~full if full else hexes

    def why_not(self, at: Position, unit: str, label: str) -> Refusal | None:
        """Why there is no room in a hex for a unit that stands elsewhere; None if there is."""
        if self.open_in(at, unit, 1 << self.world.board.index(label)):
            return None
        return against(
            at, "stacking", f"at most {self.limit(self.world.units[unit].side, label)} {self.counted} may end in {label}"
        )
