"""The rules of A Victory Awaits a second time: slow, literal, and written from the clauses, not from the code.

Each class follows the clauses that it names, hex by hex. Nothing here asks the ruleset's own functions for an answer: only what
is printed is read (boards, counters, charts, the turn track).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as part
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from hexwar.board import Board
from hexwar.engine import Event, PhaseEntered
from hexwar.pieces import ActivationEnded, Manner, SideTaken, UnitMoved, UnitPlaced, UnitsActivated
from hexwar.testing.oracles import (
    Books,
    Chits,
    Combat,
    Command,
    Cost,
    Field,
    Fight,
    Movement,
    Path,
    Piece,
    Points,
    Pursuits,
    Retreats,
    Sheet,
    Stacking,
    Supply,
    Verdict,
    Zones,
)
from hexwar_ava.content import DATA, AvaContent, load_ava
from hexwar_ava.state import ChitAdded, EntryChosen, FortressBuilt, StoodDown, UnitWithdrawn, ZhukovCalled
from hexwar_ava.tables import Chit, ScenarioEntry

PRINTED: AvaContent = load_ava()
"""What is printed in the game, read when the kit is loaded, so before any fault is planted in it."""
AXIS, SOVIET = "axis", "soviet"
FORTRESS = "fortress"
WATER = ("lake", "sea")
RIVERS = {"minor-river", "major-river"}
CITIES = ("city", "major-city")
MECHANIZED = ("armour", "mechanized", "motorized")
SURPRISE, SET_UP = "surprise", "set-up"
STAND_FAST = ("L3602", "L3603", "L3702", "S3510", "S4112", "S3726", "S5003", "S5009", "S5120", "K3507", "K3607", "K3608")
"""16.2.2."""
BREAKTHROUGH = ("S4230", "S4730")
"""18.2.9."""
NEEDED = {"training": 12, "leningrad": 54, "smolensk": 85, "smolensk-short": 60, "kiev": 52, "campaign": 191}
"""16.4.2, 18.1.15, 18.2.7, 18.2.8, 18.3.6: scenario -> the points with which the Axis wins."""
STARVED = "11.1.1"
"""The clause under which supply checks cost steps."""


# -- 2.0 the table ---------------------------------------------------------------------------------------------------------


class AvaSheet(Sheet):
    """A map of this game."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        for (a, b), links in self.links.items():
            if self.kinds.get(a) == self.kinds.get(b) == "major-city":  # TEC.13
                self.links[a, b] = links | {"road", "rail"}


@dataclass(frozen=True)
class AvaField(Field):
    """What else lies on the table in this game.

    Args:
        retreated: the units that have retreated in this combat segment (10.3.4).
        stand_fast: the hexes with a Stand Fast marker (16.2).
        added: side -> the chits of choice that it has made available (18.1.4).
        entry: where the army on the turn track comes in (15.3.2).
        city_reached: whether an Axis unit has come next to Leningrad (18.1.9).
        zhukov: the turn in which Zhukov took command (18.1.9).
        notes: what optional rules keep.
        bid: the points that were bid for the Axis (17.1.1).
    """

    sheet_type: ClassVar[type[Sheet]] = AvaSheet

    retreated: tuple[str, ...] = ()
    stand_fast: tuple[str, ...] = ()
    added: Mapping[str, tuple[str, ...]] = part(default_factory=dict)
    entry: str = ""
    city_reached: bool = False
    zhukov: int = 0
    notes: Mapping[str, Sequence[str]] = part(default_factory=dict)
    bid: int = 0

    @property
    def scenario(self) -> str:
        """Its id."""
        return self.world.setup.scenario

    @property
    def chit(self) -> str:
        """The chit that is being resolved."""
        return self.drawn[-1] if self.drawn else ""

    @cached_property
    def forts(self) -> dict[str, Piece]:
        """Hex -> the fortress in it."""
        return {piece.at: piece for piece in self.pieces.values() if piece.arm == FORTRESS}


def of(field: Field) -> AvaField:
    """A position as the books of this game record it."""
    assert isinstance(field, AvaField)
    return field


def entry_of(field: Field) -> ScenarioEntry:
    """What is printed about the scenario."""
    return PRINTED.scenario(of(field).scenario)


class AvaBooks(Books):
    """What events do to the table."""

    field = AvaField

    def entered(self, field: Field, event: Event) -> Field:
        """3.4.1: nobody takes anything in the set-up; 10.3.4, 18.1.9: what moves bring about."""
        now = of(super().entered(field, event))
        if isinstance(event, UnitPlaced) and field.phase == SET_UP:
            return replace(now, control=field.control)
        return self._moved(now, event) if isinstance(event, UnitMoved) else now

    def _moved(self, now: AvaField, event: UnitMoved) -> AvaField:
        """10.3.4: remember the units that retreat; 18.1.9: and those that come next to Leningrad."""
        if event.manner == Manner.RETREATS and event.unit not in now.retreated:
            now = replace(now, retreated=(*now.retreated, event.unit))
        city = [label for label, name in now.sheet.names.items() if name == "Leningrad"] if now.scenario == "leningrad" else []
        near = {hex for label in city for hex in now.sheet.near[label]} - {*city}
        axis = now.world.units[event.unit].side == AXIS
        return replace(now, city_reached=True) if axis and near & {*event.path[1:]} else now


def _put(field: Any, event: Any) -> AvaField:
    return replace(of(field), locations={**field.locations, event.unit: event.to})


def _built(field: Any, event: FortressBuilt) -> AvaField:
    level = {**field.steps_left, event.marker: event.level}
    return replace(of(field), locations={**field.locations, event.marker: event.hex}, steps_left=level)


BOOKS = AvaBooks(
    {
        UnitWithdrawn: _put,
        FortressBuilt: _built,
        StoodDown: lambda field, event: replace(field, stand_fast=tuple(hex for hex in field.stand_fast if hex != event.hex)),
        EntryChosen: lambda field, event: replace(field, entry=event.hex),
        ChitAdded: lambda field, event: replace(
            field, added={**field.added, event.side: (*field.added.get(event.side, ()), event.chit)}
        ),
        ZhukovCalled: lambda field, event: replace(field, zhukov=field.turn),
        UnitsActivated: lambda field, event: replace(field, active=event.units, retreated=()),
        ActivationEnded: lambda field, event: replace(field, active=(), retreated=()),
        SideTaken: lambda field, event: replace(field, bid=event.points),  # 17.1.1
        # 17.3.1: an optional rule puts a headquarters on the turn track; 17.2.3: another notes and forgets units of Reserves.
        "headquarters-relocated": _put,
        "reserves-called": lambda field, event: replace(
            field, notes={**field.notes, "reserves": event.units, "reserves out of range": event.alone}
        ),
        "notes-struck": lambda field, event: replace(
            field, notes={name: note for name, note in field.notes.items() if name not in event.names}
        ),
    }
)


# -- 3.1, 3.2, 9.0 the ground ------------------------------------------------------------------------------------------------


class AvaStacking(Stacking):
    """3.1: stacking."""

    def fits(self, field: Field, units: Sequence[str], label: str) -> bool:
        """3.1.1, 14.1.5, 14.2.3: at most two units, headquarters too; one fortress besides, which does not count."""
        forts = [unit for unit in units if field.world.units[unit].arm == FORTRESS]
        return len(units) - len(forts) <= self.limit and len(forts) <= 1


class AvaZones(Zones):
    """3.2: all units have zones, fortresses too (14.2.7); none reaches over water hexes (3.2.2)."""

    def against(self, field: Field, side: str) -> set[str]:
        """14.2.2: enemy zones have no effect in the hex of a fortress."""
        return super().against(field, side) - {hex for hex, fort in of(field).forts.items() if fort.side == side}


class AvaMovement(Movement):
    """9.0: movement; the chart is the TEC."""

    def step(self, sheet: Sheet, side: str, arm: str, origin: str, target: str) -> Cost:
        """9.1.4: Soviet units do not cross the start line; 14.3.1: fortresses do not move."""
        if arm == FORTRESS or (side == SOVIET and "start-line" in sheet.sides[origin, target]):
            return None
        return super().step(sheet, side, arm, origin, target)

    def whole(self, leaves: bool, enters: bool) -> Cost:
        """9.2.10, 9.2.15: no step that takes the whole move begins or ends in an enemy zone."""
        return None if leaves or enters else "all"

    def entering(self, mode: str = "") -> int:
        """15.3.3: the hex where a unit comes onto the map costs a point, or half a point in strategic movement."""
        return 1 if mode else 2

    def price(self, field: Field, piece: Piece, origin: str, target: str, mode: str = "") -> Cost:
        """17.2.4, 18.1.14: what units of Reserves may not do."""
        notes = of(field).notes
        if notes and piece.id in notes.get("reserves", ()):
            watched = self.zones.watched(field, piece.side)
            if mode and piece.id in notes.get("reserves out of range", ()):
                return None
            if entry_of(field).reserves_hold_back and {origin, target} & watched:
                return None
        return super().price(field, piece, origin, target, mode)


STACKING = AvaStacking(2)
ZONES = AvaZones(closed_terrain=WATER)
MOVEMENT = AvaMovement(DATA / "terrain.toml", ZONES, STACKING, enter_zone=2, leave_zone=2, strategic="road")  # 9.2.5 to 9.2.7


# -- 3.3 lines of communication, 8.0 command ------------------------------------------------------------------------------------


class AvaSupply(Supply):
    """3.3, 11.1, 17.4: lines. One remembers what it follows, whether it came by road, and how far it has left what it follows."""

    in_turn = True  # 11.1.2

    def sources(self, field: Field, side: str) -> tuple[str, ...]:
        """2.1.3, 15.4.2: what the scenario names, or the map."""
        own: Mapping[str, Iterable[str]] = entry_of(field).sources  # type: ignore[assignment]
        areas = ("supply axis",) if side == AXIS else ("supply soviet", "supply moscow")
        board = field.world.board
        named = own.get(side, ()) if own else [label for area in areas for label in board.areas.get(area, ())]
        return tuple(dict.fromkeys(board.label(board.index(label)) for label in named if label in board))

    def follows(self, field: Field, side: str) -> tuple[tuple[str, int], ...]:
        """3.3.11, 3.3.13, 17.4.1: the links that lines follow, and by how many hexes they may leave them; "" for any way."""
        if side == AXIS:
            return (("rail", 6),)
        return (("rail", 12), ("road", 12)) if field.is_option_on("soviet-supply") else (("", 0),)

    def begins(self, field: Field, side: str) -> Iterable[Any]:
        """With each link that it may follow; it has come by no road yet."""
        return [(follow, None, 0) for follow in self.follows(field, side)]

    def goes_on(self, field: Field, side: str, origin: str, memory: Any) -> bool:
        """3.3.3, 3.3.5: a line may end in an enemy zone, but not go on; one begins in any source."""
        return memory[1] is None or super().goes_on(field, side, origin, memory)

    def passes(self, field: Field, side: str, origin: str, memory: Any, target: str) -> Iterable[Any]:
        """3.3.6 to 3.3.14."""
        sheet, features = field.sheet, field.sheet.sides[origin, target]
        if "water" in features or (side == SOVIET and "start-line" in features):
            return ()  # 3.3.6, 3.3.10
        road, (follow, by_road, off) = "road" in sheet.links[origin, target], memory
        if sheet.terrain[origin] == "mountain" and by_road is not None and not (by_road and road):
            return ()  # 3.3.7
        return [(follow, road, gone) for gone in self._strays(field, follow, off, origin, target)]

    def _strays(self, field: Field, follow: tuple[str, int], off: int, origin: str, target: str) -> list[int]:
        link, farthest = follow
        if not link:
            return [0]
        sheet = field.sheet
        found = [0] if not off and link in sheet.links[origin, target] else []  # 3.3.11
        if off < farthest and (off or any(link in sheet.links[origin, near] for near in sheet.near[origin])):
            found.append(off + 1)  # 3.3.13, 3.3.14
        return found

    def suffers(self, field: Field, side: str) -> set[str]:
        """11.1.1: units without a line, headquarters too; 14.2.4: not fortresses; 15.1.4: the Axis from turn 4 on."""
        if side == AXIS and field.turn < (entry_of(field).axis_supply_from or 4):
            return set()
        return {unit for unit in super().suffers(field, side) if field.world.units[unit].arm != FORTRESS}

    def judged_by(self, event: Event, field: Field) -> tuple[str, ...]:
        """11.1.2: the Soviets first."""
        checks = isinstance(event, PhaseEntered) and event.phase == "activation" and of(field).chit == "supply"
        return (SOVIET, AXIS) if checks else ()


class AvaRailway(AvaSupply):
    """12.1.3, 12.1.4: lines along the railway alone, through no enemy zone, with or without friends."""

    def follows(self, field: Field, side: str) -> tuple[tuple[str, int], ...]:
        """12.1.3: they never leave it."""
        return (("rail", 0),)

    def is_open(self, field: Field, side: str, label: str) -> bool:
        """12.1.3, 12.1.4: on a railway, and in no enemy zone."""
        on_rail = any("rail" in field.sheet.links[label, near] for near in field.sheet.near[label])
        return on_rail and label not in self.zones.watched(field, side) and super().is_open(field, side, label)


class AvaCommand(Command):
    """8.0: command."""

    def range_of(self, field: Field, leader: Piece) -> int:
        """8.2.1: four hexes."""
        return 4

    def passes(self, field: Field, origin: str, target: str) -> bool:
        """8.2.4, 8.2.5: not through water; nothing else shortens it."""
        return super().passes(field, origin, target) and "water" not in field.sheet.sides[origin, target]

    def follows(self, field: Field, leader: Piece, piece: Piece) -> bool:
        """8.1.4, 8.3.1, 14.3.1: units of its nation, no headquarters and no fortresses."""
        alike = (piece.side, piece.counter.nation) == (leader.side, leader.counter.nation)
        return alike and piece.arm not in ("hq", FORTRESS)

    def led_by(self, field: Field, leader: str) -> set[str]:
        """13.0.2: none, if the headquarters is not on the map."""
        return self.commanded(field, field.pieces[leader]) if leader in field.pieces else set()


SUPPLY = AvaSupply(ZONES, {}, closed_terrain=WATER)
RAILWAY = AvaRailway(ZONES, {}, closed_terrain=WATER)
COMMAND = AvaCommand(closed_terrain=WATER)


# -- 10.0 combat -------------------------------------------------------------------------------------------------------------


class AvaCombat(Combat):
    """10.1 to 10.5."""

    def is_halved(self, field: Field, piece: Piece, target: str) -> bool:
        """10.3.2, 15.1.3: units that attack across a river, but not in the surprise attack."""
        return field.phase != SURPRISE and bool(field.sheet.sides[piece.at, target] & RIVERS)

    def attack(self, field: Field, piece: Piece, fight: Fight) -> Fraction:
        """17.2.4: units of Reserves out of range count half."""
        alone = piece.id in of(field).notes.get("reserves out of range", ())
        return super().attack(field, piece, fight) / (2 if alone else 1)

    def defence(self, field: Field, piece: Piece) -> Fraction:
        """10.3.4: units that have retreated in this segment add nothing."""
        return Fraction(0) if piece.id in of(field).retreated else super().defence(field, piece)

    def verdict(self, field: Field, fight: Fight, result: str) -> Verdict:
        """14.2.5, 14.2.6: no unit retreats from a fortress; each hex costs a step."""
        found = super().verdict(field, fight, result)
        held = fight.targets[0] in of(field).forts
        return Verdict(found.attacker, found.defender + found.retreat, 0) if held else found


class AvaRetreats(Retreats):
    """10.6: retreat; over full stacks it goes on (10.6.11)."""

    def may_retreat(self, field: Field, piece: Piece) -> bool:
        """14.2.6, 14.3.1."""
        return piece.at not in of(field).forts

    def goes_on(self, field: Field, piece: Piece, path: Path, label: str) -> bool:
        """10.6.1 to 10.6.8, 15.1.3: an unbridged major river with the first hex only, except in the surprise attack."""
        features, links = field.sheet.sides[path[-1], label], field.sheet.links[path[-1], label]
        barred = len(path) > 1 and field.phase != SURPRISE and "major-river" in features and not links & {"road", "rail"}
        return label not in path and not barred and self.movement.may_enter(field, piece, path[-1], label)

    def rank(self, field: Field, piece: Piece, path: Path, hexes: int) -> tuple[int, ...]:
        """10.6.12, 10.6.13: then the hexes beyond those demanded, then the length of the line, as if the stack were gone."""
        key = self, piece.at
        if key not in field.memo:
            places = {unit: label for unit, label in field.locations.items() if label != piece.at}
            field.memo[key] = SUPPLY.lines(replace(field, locations=places), piece.side)
        return (*super().rank(field, piece, path, hexes), len(path) - 1 - hexes, field.memo[key].get(path[-1], 10**6))


class AvaPursuits(Pursuits):
    """10.7: pursuit."""

    def stops(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """10.7.3, 10.7.4, 15.1.3: anything but clear ground, a city, or a river; no river in the surprise attack."""
        river = field.sheet.sides[origin, target] & RIVERS and field.phase != SURPRISE
        return bool(river) or field.sheet.terrain[target] != "clear" or field.sheet.kinds.get(target) in CITIES


COMBAT = AvaCombat(DATA / "combat.toml", MOVEMENT)
RETREATS = AvaRetreats(MOVEMENT, overflow=4)
PURSUITS = AvaPursuits(MOVEMENT, {arm: 2 if arm in MECHANIZED else 1 for arm in MOVEMENT.chart["arm"]})  # 10.7.2


# -- 6.0 chits, 16.0 points ----------------------------------------------------------------------------------------------------


class AvaChits(Chits):
    """6.0, 15.2, 18.1: selection."""

    def available(self, field: Field, side: str) -> set[str]:
        """15.2.1, 17.2.1, 18.1.4: what a side may select this turn."""
        return {chit.id for chit in PRINTED.chits.values() if chit.side == side and self._is_open(of(field), chit)}

    def _is_open(self, field: AvaField, chit: Chit) -> bool:
        entry = entry_of(field)
        turn = entry.reinforcements_from if chit.kind == "reinforcements" and entry.reinforcements_from else chit.turn
        if chit.sheet not in (None, *entry.sheets) or (entry.start and chit.activates and chit.activates not in entry.start):
            return False
        if chit.kind == "direct":
            return bool(field.is_option_on("reserves") and getattr(entry.direct, chit.id, None))
        return not chit.only_with and (chit.id in field.added.get(SOVIET, ()) if chit.choice else turn <= field.turn)

    def left(self, field: Field, side: str, nation: object) -> int:
        """6.2.1 to 6.2.3, 6.3.2: how many chits of a nation may still be selected; held ones count."""
        numbers: Mapping[Any, list[int]] = PRINTED.track.track[entry_of(field).track].chits
        return numbers[nation][field.turn - 1] - sum(PRINTED.chits[chit].nation == nation for chit in self.chosen(field, side))

    def selectable(self, field: Field, side: str) -> set[str]:
        """6.1.1; 6.2.6: with the option, the Reinforcements chit must still fit."""
        rest, owed = self.available(field, side) - {*self.chosen(field, side)}, self.owed(field, side)
        return {
            chit
            for chit in rest
            if self.left(field, side, nation := PRINTED.chits[chit].nation)
            > sum(PRINTED.chits[other].nation == nation for other in owed - {chit})
        }

    def owed(self, field: Field, side: str) -> set[str]:
        """6.2.6: the Reinforcements chits that a side has still to select."""
        if not field.is_option_on("reinforcements-always"):
            return set()
        return {c for c in self.available(field, side) - {*self.chosen(field, side)} if PRINTED.chits[c].kind == "reinforcements"}

    def may_stop(self, field: Field, side: str) -> bool:
        """6.1.1: fewer are allowed; 6.2.6."""
        return not self.owed(field, side) & self.selectable(field, side)

    def ways(self, field: Field, side: str, chit: str) -> set[bool]:
        """6.3.1, 18.1.10: interrupts are held; so may the Soviet reinforcements be, from the turn after Zhukov came."""
        zhukov = chit == "soviet-reinforcements" and 0 < of(field).zhukov < field.turn
        return {True} if PRINTED.chits[chit].kind == "interrupt" else {False, True} if zhukov else {False}


class AvaPoints(Points):
    """16.0, 18: victory."""

    are_told = True

    def scores(self, field: Field) -> dict[str, int]:
        """16.1 to 16.3, 18.2.9: what the Axis would score now."""
        line, here, points = SUPPLY.lines(field, AXIS), of(field), 0
        taken = {label for label, side in field.control.items() if side == AXIS}
        for label in taken:
            if field.sheet.kinds.get(label) == "major-city":
                points += 10 if label in line else 5
                points += (5 if label in line else 2) if label in here.stand_fast else 0
        for unit, label in field.locations.items():
            counter: Any = field.world.units[unit]
            if counter.arm in MECHANIZED:
                full = counter.nation == "german" and label in field.sheet.terrain and field.steps_left[unit] == counter.steps
                points += full or (counter.side == SOVIET and label == "soviet eliminated")
        for sources in (SUPPLY.sources(field, SOVIET), field.sheet.areas.get("supply moscow", ())):
            held = taken & {*sources}
            points += 0 if not held else 10 if held & {*line} else 5
        if here.scenario == "smolensk":
            points += sum(10 if label in line else 5 for label in taken & {*BREAKTHROUGH})
        return {AXIS: points}

    def winner(self, field: Field, scores: Mapping[str, int]) -> str:
        """16.4.2, 17.1.1: the points of the scenario, or the bid."""
        return AXIS if scores[AXIS] >= (of(field).bid or NEEDED[of(field).scenario]) else SOVIET


CHITS, POINTS = AvaChits(common=["supply"]), AvaPoints()
