"""Stacking: what may stand together in a hex."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from hexwar.engine import Part, Position
from hexwar.errors import Refusal
from hexwar.pieces._steps import against

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld


class Stacking(Part):
    """A number of units of a side may stand in a hex, whatever they are."""

    world: HexWorld

    most: int = 2

    def __init__(self, world: HexWorld) -> None:
        super().__init__(world)
        self._alone: dict[Hashable, tuple[set[str], set[str]]] = {}
        """Side and sort -> the hexes that have been looked at, and those of them in which a unit does not fit even alone."""

    def limit(self, side: str, label: str) -> int:
        """How many units of a side may stand in a hex."""
        return self.most

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand together in a hex. Games that count other than heads override this.

        The answer is kept until a unit comes, goes or is touched there: see `HexState.touch`.
        """
        return len(units) <= self.limit(self.world.units[units[0]].side, label)

    def lets_end(self, at: Position, units: Sequence[str], label: str) -> bool:
        """Whether a move may end in a hex where these units then stand together: if they fit, unless overridden."""
        return self.fits(at, units, label)

    def sort_of(self, at: Position, unit: str) -> Hashable:
        """What `fits` looks at in a unit, besides its side: units of one sort fit alike, so that lists ask once for all of them.

        Its arm, unless overridden: a rule that looks at more, such as steps or nations, must say so here.
        """
        return self.world.units[unit].arm

    def open_to(self, at: Position, unit: str, labels: Sequence[str]) -> Sequence[str]:
        """Those of some hexes that have room for a unit that stands elsewhere. For a unit alone in a hex, that never changes."""
        stacks, rooms, fits = at.state.layout.stacks, at.state.layout.rooms, self.lets_end
        key = self.world.units[unit].side, self.sort_of(at, unit)
        known, closed = self._alone.setdefault(key, (set(), set()))
        if not known.issuperset(labels):
            closed.update([label for label in labels if label not in known and not fits(at, (unit,), label)])
            known.update(labels)
        full = set()
        for label in filter(stacks.__contains__, labels):
            room = rooms.get(label)
            if room is None:
                room = rooms[label] = {}
            has_room = room.get(key)
            if has_room is None:
                has_room = room[key] = fits(at, (*stacks[label], unit), label)
            if not has_room:
                full.add(label)
        if closed and not closed.isdisjoint(labels):
            full.update(closed.intersection(labels).difference(stacks))
        return [label for label in labels if label not in full] if full else labels

    def why_not(self, at: Position, unit: str, label: str) -> Refusal | None:
        """Why there is no room in a hex for a unit that stands elsewhere; None if there is."""
        if self.lets_end(at, (*at.state.layout.stacks.get(label, ()), unit), label):
            return None
        return against(at, "stacking", f"at most {self.limit(self.world.units[unit].side, label)} units may end in {label}")
