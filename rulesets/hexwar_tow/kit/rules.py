"""The rules of the field a second time, literally: stacking (5), zones (6), supply (8), movement (9), combat (10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as keeping
from math import floor
from typing import Any

from hexwar.pieces import SideTaken, UnitsActivated
from hexwar.testing.oracles import (
    Books,
    Combat,
    Command,
    Cost,
    Field,
    Fight,
    Movement,
    Path,
    Piece,
    Pursuits,
    Reckoning,
    Retreats,
    Sheet,
    Stacking,
    Supply,
    Verdict,
    Zones,
)
from hexwar_tow.content import DATA
from hexwar_tow.late_chits import ChitPutIn
from hexwar_tow.state import (
    AirborneDestroyed,
    AirborneLanded,
    CrossingGained,
    GroupCalled,
    HeadquartersLifted,
    HeadquartersRelocated,
    MarkerUsed,
    OrderRemoved,
    SupplyChanged,
    UnitReplaced,
)

HQ, MAJOR, CITY, WAITING = "hq", "major-river", "major-city", "headquarters waiting"
OTHER = {"axis": "soviet", "soviet": "axis"}

# -- what lies on the table -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TowField(Field):
    """What else lies on the table in this game; see `TowState`."""

    supply: Mapping[str, str] = keeping(default_factory=dict)
    orders: tuple[str, ...] = ()
    crossings: tuple[str, ...] = ()
    airborne: str = ""
    landed: bool = False
    groups: int = 0
    relocations: Mapping[str, int] = keeping(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = keeping(default_factory=dict)
    committed: tuple[str, ...] = ()
    committed_to: tuple[str, ...] = ()

    @property
    def crossing_points(self) -> int:
        """12.3.1: with that of the Airborne marker."""
        return len(self.crossings) + int(self.landed)

    def marker(self, unit: str) -> str:
        """8.1: the supply marker of a unit on the map, "" if it has none."""
        return self.supply.get(unit, "") if unit in self.pieces else ""


def _relocated(field: TowField, event: HeadquartersRelocated) -> TowField:
    taken = {event.hex: event.side} if event.hex in field.control else {}
    count = {**field.relocations, event.side: field.relocations.get(event.side, 0) + 1}
    return replace(
        field, locations={**field.locations, event.unit: event.hex}, control={**field.control, **taken}, relocations=count
    )


def _replaced(field: TowField, event: UnitReplaced) -> Field:
    rest, full = field.without(event.unit), field.world.units[event.by].steps
    return replace(
        rest, locations={**rest.locations, event.by: field.locations[event.unit]}, steps_left={**rest.steps_left, event.by: full}
    )


def _used(field: TowField, event: MarkerUsed) -> TowField:
    before = field.committed if field.committed_to == event.attack else ()
    return replace(field, committed=(*before, event.marker), committed_to=event.attack)


def _put_in(field: TowField, event: ChitPutIn) -> TowField:
    held, mine = [*field.hand.get(event.side, ())], (*field.put_in.get(event.side, ()), event.chit)
    if event.chit in held:
        held.remove(event.chit)
    hand, put_in = {**field.hand, event.side: tuple(held)}, {**field.put_in, event.side: mine}
    return replace(field, hand=hand, cup=(*field.cup, event.chit), put_in=put_in)


class TowBooks(Books):
    """The books of this game."""

    field = TowField


BOOKS = TowBooks(
    {
        HeadquartersLifted: lambda field, event: replace(field, locations={**field.locations, event.unit: WAITING}),
        HeadquartersRelocated: _relocated,
        UnitReplaced: _replaced,
        ChitPutIn: _put_in,
        MarkerUsed: _used,
        SupplyChanged: lambda field, event: replace(field, supply={**field.supply, event.unit: event.status}),
        OrderRemoved: lambda field, event: replace(field, orders=tuple(it for it in field.orders if it != event.hex)),
        UnitsActivated: lambda field, event: replace(field, active=event.units, committed=(), committed_to=()),
        SideTaken: lambda field, event: replace(field, notes={"bid": (str(event.points), event.by)}),
        CrossingGained: lambda field, event: replace(field, crossings=(*field.crossings, event.hex)),
        AirborneLanded: lambda field, event: replace(field, landed=True, airborne=event.hex),
        AirborneDestroyed: lambda field, event: replace(field, airborne=""),
        GroupCalled: lambda field, event: replace(field, groups=event.group),
    }
)

# -- 5, 6, 9 --------------------------------------------------------------------------------------------------------------


class TowStacking(Stacking):
    """5.0.2: two combat units and one headquarters."""

    def fits(self, field: Field, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand in a hex together."""
        leaders = [unit for unit in units if field.world.units[unit].command]
        return len(leaders) <= 1 and len(units) - len(leaders) <= self.limit


class TowZones(Zones):
    """6.0.1 to 6.0.3: all six hexes around, but not across blocked hexsides and not into water."""

    def covered(self, field: Field, piece: Piece) -> set[str]:
        """The hexes that a piece covers."""
        return {near for near in super().covered(field, piece) if "blocked" not in field.sheet.sides[piece.at, near]}


def unbridged(sheet: Sheet, a: str, b: str) -> bool:
    """2.1.6: whether a major river without road or railway lies between two hexes."""
    return MAJOR in sheet.sides[a, b] and not sheet.links[a, b] & {"road", "rail"}


class TowMovement(Movement):
    """9: movement."""

    def allowance(self, field: Any, piece: Piece, mode: str = "") -> int:
        """8.2.3, 1.3.1: an isolated unit has half its points, fractions dropped."""
        return 2 * (piece.move // 2 if field.marker(piece.id) == "isolated" else piece.move)

    def price(self, field: Field, piece: Piece, origin: str, target: str, mode: str = "") -> Cost:
        """9.3.2, 9.3.3: from zone to zone no unit crosses a major river, bridged or not, or enters a marsh off the road."""
        price, watched = super().price(field, piece, origin, target, mode), self.zones.watched(field, piece.side)
        barred = price == "all" or MAJOR in field.sheet.sides[origin, target]
        return None if barred and origin in watched and target in watched else price


# -- 10.0 to 10.3 -----------------------------------------------------------------------------------------------------------


class TowCombat(Combat):
    """10.2, 10.3: odds and results."""

    spends_when_called_off = False  # 10.0.6, 10.2.8

    def strength(self, field: Any, piece: Piece, *, attacks: bool) -> int:
        """8.2.2, 8.2.3: two less in attack with any marker, in defence with Isolated; never below nothing."""
        printed, marker = piece.attack if attacks else piece.defence, field.marker(piece.id)
        return max(0, printed - 2) if marker == "isolated" or (marker and attacks) else printed

    def reckon(self, field: Any, fight: Fight) -> Reckoning:
        """1.3.2, 10.2.1: units of a hex are halved together; 10.2.9: terrain does not help a defence of nothing."""
        pieces, [target] = [field.pieces[unit] for unit in fight.attackers], fight.targets
        sums = {
            at: sum(self.strength(field, it, attacks=True) for it in pieces if it.at == at) for at in {it.at for it in pieces}
        }
        rivers = {"major-river", "minor-river"}
        attack = sum(floor(points / 2) if field.sheet.sides[at, target] & rivers else points for at, points in sums.items())
        defence = sum(self.strength(field, field.pieces[unit], attacks=False) for unit in field.stacks[target])
        column = self.column(attack, defence)
        if column is not None and defence:
            column += self.shift(field, fight)
            off = self._used(field, fight).count("off")
            column = min(column + 2 * off, len(self.columns) - 1) if column >= 0 else None  # 10.2.8 before 7.0.7
        return Reckoning(attack, defence, column)

    def shift_at(self, field: Field, target: str) -> int:
        """PA.TEC.4: in a major city the other terrain does not count."""
        kind = field.sheet.kinds.get(target, "")
        return -2 if kind == CITY else -(field.sheet.terrain[target] in ("rough", "marsh")) - (kind == "town")

    def _used(self, field: TowField, fight: Fight) -> tuple[str, ...]:
        return field.committed if field.committed_to == (*fight.targets, *fight.attackers) else ()

    def counts(self, field: Any, fight: Fight, roll: int) -> int:
        """7.0.8: two off the die for each Def AS, but not below one."""
        return max(1, roll - 2 * self._used(field, fight).count("def"))

    def verdict(self, field: Any, fight: Fight, result: str) -> Verdict:
        """12.2.1: in a city with an order each hex of retreat is a lost step."""
        found = super().verdict(field, fight, result)
        ordered = fight.targets[0] in field.orders
        return Verdict(found.attacker, found.defender + found.retreat, 0) if ordered else found


# -- 10.4, 10.5 -------------------------------------------------------------------------------------------------------------


class TowRetreats(Retreats):
    """10.4: retreat."""

    def goes_on(self, field: Field, piece: Piece, path: Path, label: str) -> bool:
        """10.4.8, 10.4.9, 10.4.11: no hex twice, no major river from zone to zone or, unbridged, from a hex without one."""
        here, sheet, watched = path[-1], field.sheet, self.movement.zones.watched(field, piece.side)
        if label in path or not self.movement.may_enter(field, piece, here, label):
            return False
        bank = any(MAJOR in sheet.sides[path[0], near] for near in sheet.near[path[0]])
        between_zones = MAJOR in sheet.sides[here, label] and here in watched and label in watched
        return not between_zones and (bank or not unbridged(sheet, here, label))

    def ways(self, field: Field, piece: Piece, hexes: int) -> list[Path]:
        """Every way of the demanded length, and on from a full hex."""
        paths: list[Path] = [(piece.at,)]
        for _ in range(hexes):
            paths = [(*path, near) for path in paths for near in self._onward(field, piece, path)]
        return [way for path in paths for way in self._until_room(field, piece, path)]

    def _onward(self, field: Field, piece: Piece, path: Path) -> list[str]:
        return [near for near in field.sheet.near[path[-1]] if self.goes_on(field, piece, path, near)]

    def _until_room(self, field: Field, piece: Piece, path: Path) -> list[Path]:
        """10.4.6: a way that ends in a full hex goes on hex by hex; 5.0.5: a headquarters need not, it is relocated."""
        if piece.arm == HQ or self.movement.stacking.has_room(field, piece.id, path[-1]):
            return [path]
        ranked: dict[tuple[int, ...], list[Path]] = {}
        for near in self._onward(field, piece, path):
            longer = (*path, near)
            ranked.setdefault((self.losses(field, piece, longer), *self._wishes(field, piece, near)), []).append(longer)
        for rank in sorted(ranked):
            found = [end for longer in ranked[rank] for end in self._until_room(field, piece, longer)]
            if found:
                return found
        return []

    def rank(self, field: Field, piece: Piece, path: Path, hexes: int) -> tuple[int, ...]:
        """10.4.3, 10.4.5: as few losses as possible, then nearer to a source, then within stacking, at the last hex demanded."""
        return (*super().rank(field, piece, path, hexes), *self._wishes(field, piece, path[hexes]))

    def _wishes(self, field: Field, piece: Piece, label: str) -> tuple[int, int]:
        far = min(field.sheet.distance(label, source) for source in SUPPLY.sources(field, piece.side))
        return far, int(not self.movement.stacking.has_room(field, piece.id, label))

    def differ(self, told: set[Path], best: set[Path], hexes: int) -> set[Path]:
        """Every best way is offered."""
        return told ^ best


class TowPursuits(Pursuits):
    """10.5: pursuit."""

    def pursuers(self, field: Field, attackers: Iterable[str]) -> set[str]:
        """10.5.1, 10.5.3: the attackers, and the headquarters in their hexes."""
        hexes = {field.pieces[unit].at for unit in attackers}
        return {*attackers, *(it.id for it in field.pieces.values() if it.arm == HQ and it.at in hexes)}

    def ways(
        self,
        field: Field,
        piece: Piece,
        target: str,
        attackers: Sequence[str] = (),
        gone: Sequence[Path] = (),
        hexes: int = 1,
    ) -> set[Path]:
        """10.5.3: a headquarters goes where its stack has gone, or one hex if it attacked; 10.5.6 to 10.5.9: tanks go two."""
        first, sheet = (piece.at, target), field.sheet
        if field.is_enemy_held(piece.side, target):
            return set()
        if piece.arm == HQ:
            found = {path for path in gone if path[0] == piece.at} | ({first} if piece.id in attackers else set())
        else:
            found = {first} if self.movement.may_enter(field, piece, piece.at, target) else set()
        if found and piece.arm in ("armour", "mechanized") and not unbridged(sheet, piece.at, target):
            near = [label for label in sheet.near[target] if not unbridged(sheet, target, label)]
            found |= {(*first, label) for label in near if self.movement.may_enter(field, piece, target, label)}
        return {path for path in found if self.movement.stacking.has_room(field, piece.id, path[-1])}


# -- 8.1, 2.3 ---------------------------------------------------------------------------------------------------------------


class TowSupply(Supply):
    """8.1: lines."""

    def printed(self, field: Any, side: str) -> tuple[str, ...]:
        """2.1.5: the sources of the scenario, otherwise of the map."""
        own = [label for label in field.world.entry.sources.get(side, ()) if label in field.sheet.terrain]
        return tuple(own) or super().sources(field, side)

    def sources(self, field: Any, side: str) -> tuple[str, ...]:
        """11.1.6: the Airborne marker is one."""
        return (*self.printed(field, side), *([field.airborne] if side == "soviet" and field.airborne else []))

    def is_open(self, field: Field, side: str, label: str) -> bool:
        """8.1.4, 8.1.6: not an enemy zone without a friend, nor a major city of the enemy."""
        lost = field.sheet.kinds.get(label) == CITY and field.control[label] != side
        covered = label in self.zones.watched(field, side) and label not in field.stacks
        return super().is_open(field, side, label) and not lost and not covered

    def goes_on(self, field: Field, side: str, origin: str, memory: object) -> bool:
        """8.1.4: wherever a line comes, it goes on."""
        return True

    def passes(self, field: Field, side: str, origin: str, memory: object, target: str) -> Iterable[bool]:
        """8.1.5: not across blocked hexsides or major rivers without a bridge."""
        barred = "blocked" in field.sheet.sides[origin, target] or unbridged(field.sheet, origin, target)
        return () if barred else (True,)


class TowCommand(Command):
    """2.3.12 to 2.3.14: command."""

    def passes(self, field: Field, origin: str, target: str) -> bool:
        """2.3.13: not across blocked hexsides."""
        return super().passes(field, origin, target) and "blocked" not in field.sheet.sides[origin, target]


STACKING, ZONES = TowStacking(2), TowZones(closed_terrain=["water"])
MOVEMENT = TowMovement(DATA / "terrain.toml", ZONES, STACKING, enter_zone=2, leave_zone=2, strategic="road")  # 9.2, 9.3.1
SUPPLY = TowSupply(ZONES, {"axis": "supply axis", "soviet": "supply soviet"}, closed_terrain=["water"])
RULES = (
    BOOKS,
    STACKING,
    ZONES,
    MOVEMENT,
    SUPPLY,
    COMMAND := TowCommand(closed_terrain=["water"]),
    TowCombat(DATA / "combat.toml", MOVEMENT),
    TowRetreats(MOVEMENT),
    TowPursuits(MOVEMENT, {}),
)
