"""Where there is room beside other units: kept from one question to the next, and forgotten hex by hex."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from hexwar.board import bits, mask_of

MANY_CHANGES = 64
"""How many changes are noted before all that is known is brought up to date."""


class Rooms:
    """For each sort of unit, the hexes with other units in which there is no room for it.

    Args:
        size: how many slots the board has.
    """

    __slots__ = ("_changed", "_known", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: dict[Hashable, tuple[int, int, int]] = {}
        """Sort -> masks of the hexes that are known and of those without room, and how many changes they take into account."""
        self._changed: list[int] = []
        """The hexes in which something has changed, as indices: each sort forgets them on demand."""

    def forget(self, i: int) -> None:
        """Units have come to a hex or left it, or one of them is not what it was."""
        if not self._known:
            return
        self._changed.append(i)
        if len(self._changed) >= MANY_CHANGES:
            known = self._known.items()
            self._known = {sort: (self._without_changes(mask, number), full, 0) for sort, (mask, full, number) in known}
            self._changed = []

    def full(self, sort: Hashable, taken: int, has_room: Callable[[int], bool]) -> int:
        """The mask of those of some hexes in which there is no room for a sort of unit.

        Args:
            sort: what units have in common for which there is room in the same hexes.
            taken: the mask of the hexes, in each of which a unit stands.
            has_room: says whether there is room in a hex, by its index.
        """
        known, full, number = self._known.get(sort, (0, 0, 0))
        if number < len(self._changed):
            known = self._without_changes(known, number)
        if unknown := taken & ~known:
            shut = [i for i in bits(unknown) if not has_room(i)]
            known, full = known | unknown, full & ~unknown
            if shut:
                full |= mask_of(shut, self._size)
            self._known[sort] = known, full, len(self._changed)
        return full & taken

    def clear(self) -> None:
        """Forget all of it."""
        self._known, self._changed = {}, []

    def _without_changes(self, known: int, number: int) -> int:
        """What is still known after the changes from some number on."""
        for i in self._changed[number:]:
            known &= ~(1 << i)
        return known

    def copy(self) -> Rooms:
        """The same, to be changed independently."""
        twin = object.__new__(Rooms)
        twin._size, twin._known, twin._changed = self._size, self._known.copy(), self._changed.copy()
        return twin
