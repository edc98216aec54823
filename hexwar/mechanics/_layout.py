"""Where units stand and everything that follows from it: stacks, occupied hexes, zones of control.

Copies of a state share it until one of them changes it. Three functions alone do that, `place`, `lift` and `move`, on a layout
that `own` gave, each in a microsecond or two; `Layout.of` makes it from scratch, and a property test compares the two.

How many zones cover a hex is kept in bit planes, so that a zone that begins or ceases is added to all its hexes at once.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hexwar.board import CLOSED, AnyTable, Board, Planes, bits, mask_of, recounted, table
from hexwar.errors import UnknownName
from hexwar.mechanics._rooms import Rooms
from hexwar.mechanics._zones import ChangingZones
from hexwar.pieces._units import Unit


@dataclass(frozen=True)
class Basis:
    """What never changes during a game and a layout is made with.

    Args:
        board: the board.
        units: every unit of the game.
        covers: arm and hex -> the indices of the hexes that a unit covers from there.
        shelters: arms in whose hexes enemy zones have no effect on their side.
        changing: what says which hexes a stack covers, where that depends on more than its place.
    """

    board: Board
    units: Mapping[str, Unit]
    covers: Callable[[str, str], Iterable[int]]
    shelters: frozenset[str] = frozenset()
    changing: ChangingZones | None = None

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """All sides that have units."""
        return tuple(dict.fromkeys(unit.side for unit in self.units.values()))

    @cached_property
    def others(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> all others."""
        return {side: tuple(other for other in self.sides if other != side) for side in self.sides}

    @cached_property
    def movers(self) -> frozenset[str]:
        """The units that have movement points on one of their sides."""
        return frozenset(unit for unit, counter in self.units.items() if any(face.move for face in counter.faces))

    @cached_property
    def zones(self) -> dict[str, dict[str, int]]:
        """Arm -> hex -> what `zone` found for them."""
        return {unit.arm: {} for unit in self.units.values()}

    @cached_property
    def indices(self) -> Mapping[str, int]:
        """Hex -> its index."""
        return self.board.indices

    def zone(self, arm: str, location: str) -> int:
        """Find and note the mask of the hexes that a unit of an arm covers from a hex."""
        found = self.zones[arm][location] = mask_of(self.covers(arm, location), self.board.size)
        return found

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """Where each unit stands in the roster."""
        return {unit: number for number, unit in enumerate(self.units)}


Surcharges = tuple[bytearray, bytearray]
"""What leaving and entering each hex costs on top, as `hexwar.board.reach` takes it; shared, so read-only."""


SHUT = bytes([0] + [CLOSED] * CLOSED)
"""Translates a table of surcharges into one in which every hex that has any is closed."""


class Facing:
    """The enemies and zones before a side, the same for all layouts in which no enemy has come or gone or covers other hexes.

    Args:
        basis: what it is made with.
        threatened: the hexes in enemy zones that have an effect.
        closed: the hexes in which enemies stand.
        before: what it was before, of which little has changed.
    """

    __slots__ = ("_basis", "_before", "_tables", "closed", "enemies", "prices", "threatened")

    def __init__(self, basis: Basis, threatened: int, closed: int, before: Facing | None) -> None:
        self.threatened = threatened
        self.closed = closed
        self.enemies = threatened | closed
        self.prices: dict[Any, Any] = {}
        """What steps cost in each way of going, and the reaches found with it: see `hexwar.mechanics.Reaches`."""
        self._basis = basis
        self._tables: dict[tuple[int, int], Surcharges] = {}
        if before is not None and not before._tables:  # its tables were never needed
            before = before._before
        if before is not None:
            before._before = None  # one is enough
        self._before: Facing | None = before

    def tables(self, leaving: int, entering: int) -> Surcharges:
        """The surcharges of a side that pays half points for leaving and entering enemy zones; enemies close their hexes."""
        found = self._tables.get((leaving, entering))
        if found is None:
            found = self._tables[leaving, entering] = self._changed(leaving, entering)
        return found

    def _changed(self, leaving: int, entering: int) -> Surcharges:
        """The tables before, with what has changed since; made from nothing if there were none."""
        if (leaving, entering) == (0, CLOSED):  # whoever keeps out of zones: where entering costs anything, it is closed
            for (_, price), (_, dear) in self._tables.items():
                if price:
                    return bytearray(self._basis.board.size), dear.translate(SHUT)
        threatened, closed, before = self.threatened, self.closed, self._before
        known = before._tables.get((leaving, entering)) if before else None
        if before is None or known is None:
            watched, shut, (leave, enter) = 0, 0, map(bytearray, [self._basis.board.size] * 2)
        else:
            watched, shut, (leave, enter) = before.threatened, before.closed, (table[:] for table in known)
        changed = watched ^ threatened
        for i in bits(changed & threatened):
            leave[i], enter[i] = leaving, entering
        for i in bits(changed & watched):
            leave[i] = enter[i] = 0
        for i in bits(shut & ~(closed | changed)):
            enter[i] = entering if threatened >> i & 1 else 0
        for i in bits(closed & (changed | ~shut)):
            enter[i] = CLOSED
        return leave, enter


class Layout:
    """The derived part of a state."""

    __slots__ = (
        "_faced",
        "_facing",
        "_places",
        "_planes",
        "_shared",
        "_sheltered",
        "_zones",
        "basis",
        "held",
        "lines",
        "memo",
        "rooms",
        "stacks",
        "threatened",
    )

    def __init__(self, basis: Basis) -> None:
        self.basis = basis
        self.stacks: AnyTable[str, tuple[str, ...]] = table({})
        """Location -> the units there, in roster order: equal positions must offer their choices in the same order."""
        self.held: dict[str, int] = dict.fromkeys(basis.sides, 0)
        """Side -> mask of the hexes its units stand in."""
        self.threatened: dict[str, int] = dict.fromkeys(basis.sides, 0)
        """Side -> mask of the hexes in a zone of its enemies that has an effect on it."""
        self._planes: dict[str, Planes] = {side: [] for side in basis.sides}
        """Side -> how many zones of its enemies cover each hex."""
        # These two seldom change: others are put in their place, and copies share them.
        self._sheltered: Mapping[str, int] = dict.fromkeys(basis.sides, 0)
        self._zones: Mapping[str, tuple[str, int]] = {}
        """Hex -> whose zone it is and the mask of what it covers, where zones change and there is one."""
        self._shared = False
        self._places: object = None
        self.memo: dict[Any, Any] = {}
        """What has been computed for units as they stand now, such as reaches; forgotten when one moves."""
        self._facing: dict[str, Facing] = {}
        """Side -> what it has to do with, if it was computed since that changed."""
        self._faced: dict[str, Facing] = {}
        """Side -> what it had to do with before."""
        self.rooms = Rooms(basis.board.size)
        """For which sorts of units there is room beside others."""
        self.lines: dict[Any, Any] = {}
        """What has been computed from masks that are part of the key, so that it is never wrong: copies share it."""

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
        unit = self.basis.units[unit_id]
        self._cover(unit.side, 0, self._join(unit_id, unit, location))

    def lift(self, unit_id: str, location: str) -> None:
        """A unit no longer stands here."""
        unit = self.basis.units[unit_id]
        self._cover(unit.side, self._part(unit_id, unit, location), 0)

    def move(self, unit_id: str, before: str, location: str) -> None:
        """A unit stands here, and no longer there."""
        unit = self.basis.units[unit_id]
        self._cover(unit.side, self._part(unit_id, unit, before), self._join(unit_id, unit, location))

    def _join(self, unit_id: str, unit: Unit, location: str) -> int:
        """A unit comes to the others in a location; the mask of its zone."""
        basis, here = self.basis, self.stacks.get(location)
        hex_index = basis.indices.get(location)
        if here is None:
            self.stacks[location] = (unit_id,)
            if hex_index is not None:
                self.held[unit.side] |= 1 << hex_index
        else:
            place = bisect(here, basis.rank[unit_id], key=basis.rank.__getitem__)
            self.stacks[location] = (*here[:place], unit_id, *here[place:])
        if hex_index is None:
            return 0
        self.rooms.forget(hex_index)
        arm = unit.arm
        if arm in basis.shelters:
            self._shelter(unit.side, self._sheltered[unit.side] | 1 << hex_index)
        zone = basis.zones[arm].get(location)
        return basis.zone(arm, location) if zone is None else zone

    def _part(self, unit_id: str, unit: Unit, location: str) -> int:
        """A unit leaves the others in a location; the mask of its zone."""
        basis, units = self.basis, self.stacks[location]
        hex_index = basis.indices.get(location)
        if len(units) == 1:
            rest: tuple[str, ...] = ()
            del self.stacks[location]
            if hex_index is not None:
                self.held[unit.side] ^= 1 << hex_index
        else:
            place = units.index(unit_id)
            self.stacks[location] = rest = units[:place] + units[place + 1 :]
        if hex_index is None:
            return 0
        self.rooms.forget(hex_index)
        arm, shelters = unit.arm, basis.shelters
        if arm in shelters and not any(basis.units[other].arm in shelters for other in rest):
            self._shelter(unit.side, self._sheltered[unit.side] & ~(1 << hex_index))
        zone = basis.zones[arm].get(location)
        return basis.zone(arm, location) if zone is None else zone

    def _shelter(self, side: str, mask: int) -> None:
        """Enemy zones have no effect on a side in these hexes."""
        self._sheltered = {**self._sheltered, side: mask}
        self._look_up(side)
        self.threatened[side] = recounted(self._planes[side], 0, 0)[1] & ~mask

    def _cover(self, owner: str, less: int, more: int) -> None:
        """A unit of a side has come or gone: a zone ceases to cover some hexes, another begins to."""
        for side in self.basis.others[owner]:
            if side in self._facing:
                self._look_up(side)
            if less != more:
                self._planes[side], watched = recounted(self._planes[side], less, more)
                sheltered = self._sheltered[side]
                self.threatened[side] = watched & ~sheltered if sheltered else watched

    def closed_to(self, side: str) -> int:
        """The mask of the hexes in which enemies of a side stand."""
        mask = 0
        for other in self.basis.others[side]:
            mask |= self.held[other]
        return mask

    def facing(self, side: str) -> Facing:
        """What a side has to do with as the enemy stands now."""
        known = self._facing.get(side)
        if known is None:
            threatened, closed = self.threatened[side], self.closed_to(side)
            known = self._faced.get(side)
            if known is None or known.closed != closed or known.threatened != threatened:
                known = Facing(self.basis, threatened, closed, known)
            self._facing[side] = known
        return known

    def _look_up(self, side: str) -> None:
        """What a side has to do with may change."""
        known = self._facing.pop(side, None)
        if known is not None:
            self._faced[side] = known

    def change_zone(self, location: str, covered: int) -> None:
        """The units in a hex cover the hexes of a mask together from now on."""
        before, units = self._zones.get(location), self.stacks.get(location)
        now = (self.basis.units[units[0]].side, covered) if units and covered else None
        if now == before:
            return
        zones = {**self._zones, location: now}
        if not now:
            del zones[location]
        self._zones = zones  # type: ignore[assignment]  # what is None has just been taken out
        if before:
            self._cover(before[0], before[1], 0)
        if now:
            self._cover(now[0], 0, now[1])

    def covered(self, units: Iterable[str], location: str) -> set[int]:
        """The indices of the hexes that some units in a hex cover."""
        if self.basis.changing:
            return set(bits(self._zones[location][1])) if location in self._zones else set()
        return {i for unit in units for i in self.basis.covers(self.basis.units[unit].arm, location)}

    def share(self) -> Layout:
        """This layout for a copy of a state: from now on, a state that changes it makes a copy of its own."""
        self._shared = True
        return self

    def places(self, at: Mapping[str, str]) -> AnyTable[str, str]:
        """The places of units as a table that only the state with this layout has, to change: a copy, when first asked for."""
        if self._places is not at:
            self._places = table(at) if type(at) is dict else at.copy()  # type: ignore[attr-defined]  # as a table can do
        return self._places  # type: ignore[return-value]

    def own(self) -> Layout:
        """A layout to change: this one, or a copy if others share it. What was computed for the units is forgotten."""
        if not self._shared:
            if self.memo:
                self.memo = {}
            return self
        twin = object.__new__(Layout)
        twin.basis = self.basis
        twin.stacks = self.stacks.copy()
        twin.held = self.held.copy()
        twin.threatened = self.threatened.copy()
        twin._planes = self._planes.copy()
        twin._sheltered = self._sheltered
        twin._zones = self._zones
        twin._facing = self._facing.copy()
        twin._faced = self._faced.copy()
        twin._places = None
        twin.memo = {}
        twin.rooms = self.rooms.copy()
        twin.lines = self.lines
        twin._shared = False
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and all(
            getattr(self, name) == getattr(other, name)
            for name in self.__slots__
            if name not in ("_faced", "_facing", "_places", "_shared", "basis", "lines", "memo", "rooms")
        )

    __hash__ = None  # type: ignore[assignment]
