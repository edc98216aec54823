"""Where units stand and everything that follows from it: stacks, occupied hexes, zones of control.

Copies of a state share it until one of them changes it. Two functions alone do that, `place` and `lift`, on a layout that
`own` gave, each in a few microseconds; `Layout.of` makes it from scratch, and a property test compares the two.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hexwar.board import CLOSED, Board
from hexwar.errors import UnknownName
from hexwar.mechanics._units import Unit
from hexwar.mechanics._zones import ChangingZones, Covers


@dataclass(frozen=True)
class Basis:
    """What never changes during a game and a layout is made with.

    Args:
        board: the board.
        units: every unit of the game.
        covers: zone of control by arm.
        enter_zone: half points on top for entering a hex in an enemy zone.
        leave_zone: half points on top for leaving one.
        shelters: arms in whose hexes enemy zones have no effect on their side.
        changing: what says which hexes a stack covers, where that depends on more than its place.
    """

    board: Board
    units: Mapping[str, Unit]
    covers: Mapping[str, Covers]
    enter_zone: int
    leave_zone: int
    shelters: frozenset[str] = frozenset()
    changing: ChangingZones | None = None

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """All sides that have units."""
        return tuple(dict.fromkeys(unit.side for unit in self.units.values()))

    @cached_property
    def lent(self) -> frozenset[str]:
        """The sides as a set."""
        return frozenset(self.sides)

    @cached_property
    def others(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> all others."""
        return {side: tuple(other for other in self.sides if other != side) for side in self.sides}

    @cached_property
    def movers(self) -> frozenset[str]:
        """The units that have movement points on one of their sides."""
        return frozenset(unit for unit, counter in self.units.items() if any(face.move for face in counter.faces))

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """Where each unit stands in the roster."""
        return {unit: number for number, unit in enumerate(self.units)}


class Layout:
    """The derived part of a state."""

    __slots__ = (
        "_counts",
        "_lent",
        "_places",
        "_shared",
        "_sheltered",
        "_zones",
        "basis",
        "enter",
        "held",
        "leave",
        "lines",
        "memo",
        "reaches",
        "rooms",
        "stacks",
        "threatened",
    )

    def __init__(self, basis: Basis) -> None:
        size = basis.board.size
        self.basis = basis
        self.stacks: dict[str, tuple[str, ...]] = {}
        """Location -> the units there, in roster order: equal positions must offer their choices in the same order."""
        self.held: dict[str, int] = dict.fromkeys(basis.sides, 0)
        """Side -> mask of the hexes its units stand in."""
        self.threatened: dict[str, int] = dict.fromkeys(basis.sides, 0)
        """Side -> mask of the hexes in a zone of its enemies that has an effect on it."""
        self._counts = {side: bytearray(size) for side in basis.sides}
        # These two seldom change: others are put in their place, and copies share them.
        self._sheltered: Mapping[str, int] = dict.fromkeys(basis.sides, 0)
        self._zones: Mapping[str, tuple[str, tuple[int, ...]]] = {}
        """Hex -> whose zone it is and what it covers, where zones change."""
        self.leave = {side: bytearray(size) for side in basis.sides}
        """Side -> surcharge for leaving each hex, as `hexwar.board.reach` takes it."""
        self._shared = False
        self._places: object = None
        self._lent: frozenset[str] = frozenset()
        """Sides whose tables still belong to the layout of which this one is a copy."""
        self.memo: dict[Any, Any] = {}
        """What has been worked out for units as they stand now, such as reaches; forgotten when one moves."""
        self.enter = {side: bytearray(size) for side in basis.sides}
        """Side -> surcharge for entering each hex; enemy units close theirs."""
        self.reaches: dict[str, dict[Any, Any]] = {side: {} for side in basis.sides}
        """Side -> what has been worked out from these two tables; forgotten when they change, not when a friend moves."""
        self.rooms: dict[str, dict[Any, bool]] = {}
        """Hex -> for which sorts of units there is room beside those that stand there; forgotten when one comes or goes."""
        self.lines: dict[Any, Any] = {}
        """What has been worked out from masks that are part of the key, so that it is never wrong: copies share it."""

    @classmethod
    def of(cls, basis: Basis, at: Mapping[str, str]) -> Layout:
        """The layout of some units, from scratch.

        Raises:
            UnknownName: if there is no such unit.
        """
        layout = cls(basis)
        for unit, location in at.items():
            if unit not in basis.units:
                raise UnknownName("unit", unit, basis.units)
            layout.place(unit, location)
        return layout

    def shows(self, at: Mapping[str, str]) -> bool:
        """Whether it is the layout of exactly these units."""
        return self._places == at or (
            sum(map(len, self.stacks.values())) == len(at)
            and all(at.get(unit) == location for location, units in self.stacks.items() for unit in units)
        )

    def place(self, unit_id: str, location: str) -> None:
        """A unit now stands here."""
        basis, here = self.basis, self.stacks.get(location, ())
        self.rooms.pop(location, None)
        place = bisect(here, basis.rank[unit_id], key=basis.rank.__getitem__) if here else 0
        self.stacks[location] = (*here[:place], unit_id, *here[place:]) if here else (unit_id,)
        hex_index = basis.board.indices.get(location)
        if hex_index is None:
            return
        unit = basis.units[unit_id]
        if not here:
            self.held[unit.side] |= 1 << hex_index
        if unit.arm in basis.shelters and not self._sheltered[unit.side] >> hex_index & 1:
            self._sheltered = {**self._sheltered, unit.side: self._sheltered[unit.side] | 1 << hex_index}
            self._watch(unit.side, (hex_index,), False)
        self._cover(unit.side, basis.covers[unit.arm][location], 1, None if here else hex_index)

    def lift(self, unit_id: str, location: str) -> None:
        """A unit no longer stands here."""
        basis, units = self.basis, self.stacks[location]
        self.rooms.pop(location, None)
        place = units.index(unit_id)
        rest = units[:place] + units[place + 1 :]
        if rest:
            self.stacks[location] = rest
        else:
            del self.stacks[location]
        hex_index = basis.board.indices.get(location)
        if hex_index is None:
            return
        unit = basis.units[unit_id]
        if not rest:
            self.held[unit.side] &= ~(1 << hex_index)
        shelters = basis.shelters
        if unit.arm in shelters and not any(basis.units[other].arm in shelters for other in rest):
            self._sheltered = {**self._sheltered, unit.side: self._sheltered[unit.side] & ~(1 << hex_index)}
            self._watch(unit.side, (hex_index,), self._counts[unit.side][hex_index] > 0)
        self._cover(unit.side, basis.covers[unit.arm][location], -1, None if rest else hex_index)

    def _cover(self, owner: str, covered: Sequence[int], change: int = 1, hex_index: int | None = None) -> None:
        """A zone of a side begins (1) or ceases (-1) to cover some hexes; the side occupies a hex, or gives it up."""
        threshold = 1 if change > 0 else 0
        for side in self.basis.others[owner]:
            if side in self._lent:
                self._take(side)
            if hex_index is not None:
                zone = self.basis.enter_zone if self.threatened[side] >> hex_index & 1 else 0
                self.enter[side][hex_index] = CLOSED if threshold else zone
                if self.reaches[side]:
                    self.reaches[side] = {}
            counts = self._counts[side]
            for i in covered:
                counts[i] += change
            turned = [i for i in covered if counts[i] == threshold]
            if turned:
                sheltered = self._sheltered[side] if threshold else 0
                self._watch(side, [i for i in turned if not sheltered >> i & 1] if sheltered else turned, threshold > 0)

    def change_zone(self, location: str, covered: Iterable[int]) -> None:
        """The units in a hex cover these hexes together from now on."""
        if location in self._zones:
            self._cover(*self._zones[location], -1)
            self._zones = {other: zone for other, zone in self._zones.items() if other != location}
        units = self.stacks.get(location)
        if units and location in self.basis.board:
            zone = self.basis.units[units[0]].side, tuple(covered)
            self._zones = {**self._zones, location: zone}
            self._cover(*zone)

    def covered(self, units: Iterable[str], location: str) -> set[int]:
        """The indices of the hexes that some units in a hex cover."""
        if self.basis.changing:
            return set(self._zones[location][1])
        return {i for unit in units for i in self.basis.covers[self.basis.units[unit].arm][location]}

    def _take(self, side: str) -> None:
        """The tables about a side are going to change: a unit that moves changes those of its enemies, so most are only lent."""
        self._lent -= {side}
        self._counts[side] = self._counts[side][:]
        self.leave[side] = self.leave[side][:]
        self.enter[side] = self.enter[side][:]
        self.reaches[side] = {}

    def _watch(self, side: str, hexes: Iterable[int], watched: bool) -> None:
        """Zones of its enemies begin or cease to have an effect on a side in some hexes."""
        if side in self._lent:
            self._take(side)
        leave, enter = self.leave[side], self.enter[side]
        leaving, entering = (self.basis.leave_zone, self.basis.enter_zone) if watched else (0, 0)
        if self.reaches[side]:
            self.reaches[side] = {}
        mask = 0
        for i in hexes:
            mask |= 1 << i
            leave[i] = leaving
            if enter[i] != CLOSED:
                enter[i] = entering
        if watched:
            self.threatened[side] |= mask
        else:
            self.threatened[side] &= ~mask

    def share(self) -> Layout:
        """This layout for a copy of a state: from now on, a state that changes it makes a copy of its own."""
        self._shared = True
        return self

    def places(self, at: Mapping[str, str]) -> dict[str, str]:
        """The places of units as a dict that only the state with this layout has, to change: a copy, when first asked for."""
        if self._places is not at:
            self._places = at.copy() if isinstance(at, dict) else dict(at)
        return self._places  # type: ignore[return-value]

    def own(self) -> Layout:
        """A layout to change: this one, or a copy if others share it. What was worked out for the units is forgotten."""
        if not self._shared:
            if self.memo:
                self.memo = {}
            return self
        twin = object.__new__(Layout)
        twin.basis = self.basis
        twin.stacks = self.stacks.copy()
        twin.held = self.held.copy()
        twin.threatened = self.threatened.copy()
        twin._sheltered = self._sheltered
        twin._zones = self._zones
        twin._counts = self._counts.copy()
        twin.leave = self.leave.copy()
        twin.enter = self.enter.copy()
        twin._lent = self.basis.lent
        twin._places = None
        twin.memo = {}
        twin.reaches = self.reaches.copy()
        twin.rooms = self.rooms.copy()
        twin.lines = self.lines
        twin._shared = False
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and all(
            getattr(self, name) == getattr(other, name)
            for name in self.__slots__
            if name not in ("_lent", "_places", "_shared", "basis", "lines", "memo", "reaches", "rooms")
        )

    __hash__ = None  # type: ignore[assignment]
