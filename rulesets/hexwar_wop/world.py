"""1 and 12: the pieces, the board and the tables of a game; what may stand together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from importlib.resources import files
from typing import TypeAlias

from hexwar.board import CLOSED
from hexwar.engine import Play, Position, RuleIndex, SequenceOfPlay, Setup, SideName, part, public, record, state
from hexwar.errors import ContentError
from hexwar.mechanics import ArmCosts, CombatWorld, HexName, Stacking, TerrainChart
from hexwar.pieces import Face, Unit, UnitName
from hexwar_wop.combat import COMBAT_CLAUSES, WopCombat
from hexwar_wop.content import (
    AIR,
    HEADQUARTERS,
    RIVER,
    ROUTES,
    Force,
    Ground,
    Headquarters,
    UnitEntry,
    WopContent,
    load_wop,
)
from hexwar_wop.flights import HANGAR, FlyingState
from hexwar_wop.garrisons import GARRISON, POOL
from hexwar_wop.groups import STAFF
from hexwar_wop.movement import WopMovement
from hexwar_wop.pursuit import WopPursuit
from hexwar_wop.recreation import determine_return
from hexwar_wop.retreat import WopRetreat
from hexwar_wop.river import WopRivers, navigable
from hexwar_wop.transport import DEPOT, IN_USE, SHIP, STATION, cargo_is_lost
from hexwar_wop.victory import WopVictory, reach_radio
from hexwar_wop.zones import WopCommand, WopSupply, WopZones

RULES = RuleIndex.load(files(__package__) / "data" / "rules.toml")

LONGEST = 12
"""Turns after the last one that the track has boxes for: nobody stays away longer (14.48)."""

# Where the shared mechanics find their clauses in this rulebook.
CLAUSES = {
    "activation": "13.7.a",
    "command": "9.3",
    "control": "19.3",
    "garrison": "11.1.a",
    "guns": "13.17.a",
    "guns.withdraw": "13.17.c",
    "headquarters": "9.23.a",
    "headquarters.immobile": "9.26",
    "headquarters.zone": "9.27.b",
    "losses": "14.45",
    "move": "13.1.a",
    "move.cost": "13.2.a",
    "move.enemy": "12.1.a",
    "move.headquarters": "9.27.a",
    "homeward.headquarters": "9.19.a",
    "homeward.unit": "9.20.b",
    "homeward.independent": "9.21.a",
    "move.side": "13.2.a",
    "move.past": "14.28.a",
    "move.together": "13.7.b",
    "move.zone": "10.6.2.a",
    "stacking": "12.2.a",
    "stacking.excess": "12.5",
    "supply": "3.3.a",
    "transport.retreat": "18.10",
    "transport.sunk": "18.7.2",
    "zones": "10.1",
    **COMBAT_CLAUSES,
}

At: TypeAlias = "Position[WopState, WopWorld]"
Doing: TypeAlias = "Play[WopState, WopWorld]"


@state
class WopState(FlyingState):
    """Everything that changes in a game."""

    no_supply: tuple[UnitName, ...] = public(default=())
    """2.3.b: the units with a NO SUPPLY marker."""
    no_command: tuple[UnitName, ...] = public(default=())
    """9.12: the headquarters and units with a NO COMMAND marker."""
    passed: tuple[UnitName, ...] = public(default=())
    """9.18: the units that have passed the test of independence in this turn."""
    unled: tuple[UnitName, ...] = public(default=())
    """14.13.h: the units of the active side that began its activation without command, and had not passed the test."""
    weather: str = public(default="")
    """4.1: of this turn."""
    grounded: tuple[UnitName, ...] = public(default=())
    """4.2: the air units that do nothing this turn."""
    active: str = public(default="")
    """1.5: the side whose activation is in progress."""
    lost: Mapping[UnitName, HexName] = public(factory=dict)
    """14.45: pieces that are eliminated and not back yet, and where that happened (5.7)."""
    markers: Mapping[SideName, int] = public(factory=dict)
    """5.14: the REPLACEMENT markers that each side has left."""
    refitting: tuple[UnitName, ...] = public(default=())
    """5.15.a: the units that have such a marker."""
    reacted: tuple[UnitName, ...] = public(default=())
    """13.14: the units with a REACTION marker."""
    marched: tuple[UnitName, ...] = public(default=())
    """13.7.a: the units that have set out in this activation."""
    together: tuple[UnitName, ...] = public(default=())
    """13.7.b: those of them that went last, together."""
    loaded: Mapping[UnitName, UnitName] = public(factory=dict)
    """18.2.a: piece -> the transport that carries it."""
    spent: Mapping[UnitName, int] = public(factory=dict)
    """18.2.b, 18.13: transport or piece -> the points that loading or unloading has cost it in this activation."""
    radio: bool = public(default=False)
    """19.3: whether the side that the scenario names has entered the hex of the radio in time."""


@record
class Counter(Unit):
    """A piece of this game; `formation` is the headquarters that it belongs to, "" for an independent unit (1.9.a).

    Args:
        level: of a headquarters: "army", "group" or "formation" (1.3.c).
        army: of a lower headquarters: the army that it belongs to.
        subordinates: of a group: the formations whose command it carries on (9.6).
        morale: of a unit.
        rating: tactical rating of a headquarters.
        stars: of armour, trains, boats and air units.
        stars_weakened: of an air unit on its other side.
        fighter: whether an air unit has the symbol of fighters (17.12).
        reach: range of artillery in hexes.
        entry: of a piece that arrives: the hex (6.1.d).
        by: the transport on which it arrives (6.1.a).
    """

    level: str = ""
    army: str = ""
    subordinates: tuple[str, ...] = ()
    morale: int = 0
    rating: int = 0
    stars: int = 0
    stars_weakened: int = 0
    fighter: bool = False
    reach: int = 0
    entry: str = ""
    by: str = ""


class WopStacking(Stacking):
    """12.2: pieces have weights."""

    world: WopWorld

    def limit(self, side: str, label: str) -> int:
        """12.2.a."""
        return int(self.world.printed.tables.stacking.limit)

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        """12.1.b, 12.2.a, 12.2.b, 12.3: the units of a hex, and what they weigh together; transport counters weigh nothing."""
        weights, counters = self._weights, self.world.units
        if len({counters[unit].side for unit in units}) > 1:  # 12.1.a: a train runs past an enemy, and does not stay
            return False
        return sum([weights[unit] for unit in units]) <= self.world.printed.tables.stacking.limit

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        weight = self.world.printed.tables.stacking.weight
        return {unit: weight[counter.arm] for unit, counter in self.world.units.items() if counter.arm in weight}

    def open_in(self, at: Position, unit: str, hexes: int) -> int:
        """12.2.a: the limit counts at the end of a phase, so that a move may end anywhere; the excess is displaced (12.5)."""
        return hexes


class WopWorld(CombatWorld):
    """A scenario on the Wkra, on a map of hexes (1.2).

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
    """

    units: Mapping[str, Counter]

    combat = part(WopCombat)
    pursuit = part(WopPursuit)
    river = part(WopRivers)
    retreat = part(WopRetreat)
    command = part(WopCommand)
    movement = part(WopMovement)
    stacking = part(WopStacking)
    supply = part(WopSupply)
    victory = part(WopVictory)
    zones = part(WopZones)

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.printed: WopContent = load_wop()
        self.scenario = self.printed.scenarios[setup.scenario]
        counters = {counter.id: counter for side in self.scenario.forces for counter in self._counters(side)}
        board = setup.board or self.scenario.ground()
        track = [f"turn {number}" for number in range(1, len(self.scenario.turn) + LONGEST)]
        super().__init__(
            setup,
            sequence,
            board=board,
            units=counters,
            chart=_chart(self.printed),
            cite=CLAUSES,
            boxes=[HANGAR, DEPOT, IN_USE, POOL, STAFF, *track, *navigable(board)],
        )
        self.last_turn = len(self.scenario.turn)
        self.dates = [f"{day.day} {day:%B %Y}" for day in (date.fromisoformat(turn.date) for turn in self.scenario.turn)]
        self.terrain: dict[str, Ground] = {ground.id: ground for ground in self.printed.terrain.hex}
        self.hexsides: dict[str, Ground] = {ground.id: ground for ground in self.printed.terrain.hexside}
        for unit in counters.values():
            if unit.start not in self.board and unit.start not in self.boxes:
                raise ContentError(
                    f"{setup.scenario}.toml", f"unit {unit.id}", f"starts at {unit.start}, which is no hex of {self.board.id}"
                )

    def content_parts(self) -> tuple[object, ...]:
        """A save is for these tables as well as for board, counters and chart."""
        files = [*self.printed.common.values(), self.scenario]
        return (*super().content_parts(), [file.model_dump_json() for file in files])

    def initiative(self, turn: int) -> str:
        """2.1.b, 7.1: whose activation comes first."""
        return next(entry.initiative for entry in self.scenario.turn if entry.n == turn)

    @cached_property
    def air_units(self) -> tuple[str, ...]:
        """17.1: those that the scenario provides, in roster order."""
        return tuple(unit for unit, counter in self.units.items() if counter.arm == AIR)

    @cached_property
    def headquarters(self) -> Mapping[str, Mapping[str, Counter]]:
        """Side -> its headquarters by name, wherever they are, in roster order."""
        leaders = [unit for unit in self.units.values() if unit.level]
        return {side: {unit.id: unit for unit in leaders if unit.side == side} for side in self.sides}

    @cached_property
    def controlled(self) -> Mapping[str, str]:
        """19.3: the hexes that points or an early victory depend on; a hex is of the side that was there last."""
        rules = self.scenario.victory
        named = {entry.hex: entry.name for entry in rules.hexes}
        others = [label for labels in rules.automatic.values() for label in labels if label not in named]
        return named | {label: place.name if (place := self.board.place(label)) else label for label in others}

    @cached_property
    def transports(self) -> Mapping[str, tuple[str, ...]]:
        """18.1: side -> its transport counters and river units."""
        kinds = {*self.printed.templates.transport, RIVER}
        return {
            side: tuple(unit for unit, counter in self.units.items() if counter.side == side and counter.arm in kinds)
            for side in self.sides
        }

    @cached_property
    def stations(self) -> frozenset[str]:
        """18.5.a: the hexes with a station."""
        return frozenset(label for place in self.board.places if STATION in place.tags for label in place.hexes)

    def owners(self) -> dict[str, str]:
        """Who holds these hexes at the beginning."""
        rules = self.scenario.victory
        taken = {label: self.enemies(side)[0] for side, labels in rules.automatic.items() for label in labels}
        return taken | {entry.hex: entry.owner for entry in rules.hexes}

    def entered(self, play: Play, unit: str, hexes: Sequence[str]) -> None:
        """19.3: the radio."""
        reach_radio(play, unit, hexes)

    def eliminated(self, play: Play, unit: str, label: str) -> None:
        """14.45 to 14.48: a piece that is lost may come back; 18.10: what it carried or was carried by."""
        cargo_is_lost(play, unit)
        determine_return(play, unit, label.partition("|")[0])

    # -- 1.3, 1.8 the pieces --------------------------------------------------------------------------------------------

    def _counters(self, side: str) -> Iterator[Counter]:
        force: Force = self.scenario.forces[side]
        for headquarters in force.headquarters:
            yield _headquarters(headquarters, side)
        for entry in force.units:
            yield _unit(entry, side)
        kind = self.printed.templates.garrison
        for number in range(1, force.garrisons + 1):
            faces = tuple(Face(strength, strength, kind.move) for strength in reversed(kind.strength))
            name = f"Gar{side[:2].title()}{number}"
            yield Counter(name, name, side, kind.type, faces, POOL, tags=frozenset({GARRISON}), morale=kind.morale)
        for transport in force.transport:
            face = Face(0, 0, self.printed.templates.transport[transport.kind].move)
            yield Counter(transport.id, transport.id, side, transport.kind, (face,), DEPOT)
        for air in force.air:
            blank, (full, weakened) = Face(0, 0, 0), air.stars
            yield Counter(
                air.id, air.id, side, AIR, (blank, blank), HANGAR, stars=full, stars_weakened=weakened, fighter=air.fighter
            )


def _headquarters(entry: Headquarters, side: str) -> Counter:
    return Counter(
        entry.id,
        entry.name,
        side,
        HEADQUARTERS,
        (Face(0, 0, entry.mp),),
        entry.at or f"turn {entry.turn}",
        command=entry.cr,
        level=entry.kind,
        army=entry.army,
        subordinates=entry.subordinates,
        rating=entry.tr,
        entry=entry.entry or "",
    )


def _unit(entry: UnitEntry, side: str) -> Counter:
    faces = tuple(Face(0 if entry.b else strength, strength, entry.mp) for strength in reversed(entry.s))
    tags = frozenset({GARRISON} if entry.garrison else ()) | frozenset({"optional"} if entry.optional else ())
    return Counter(
        entry.id,
        entry.name or entry.id,
        side,
        entry.type,
        faces,
        entry.at or entry.side or f"turn {entry.turn}",
        formation=entry.wj,
        tags=tags,
        morale=entry.m,
        stars=entry.st,
        reach=entry.rng,
        entry=entry.entry or "",
        by=entry.loaded,
    )


def _chart(printed: WopContent) -> TerrainChart:
    """13.2.b: what a step costs each type of unit, in half points: hex and hexside added (13.2.c), or along a road (13.3.a)."""
    terrain, templates = printed.terrain, printed.templates

    def half(price: float | str) -> int:
        return CLOSED if isinstance(price, str) else int(price * 2)

    def costs(kind: str) -> ArmCosts:
        moves_as = "" if kind == AIR else templates.class_of(kind)
        return ArmCosts(
            {ground.id: half(ground.cost.get(moves_as, "closed")) for ground in terrain.hex},
            {ground.id: half(ground.cost.get(moves_as, "closed")) for ground in terrain.hexside},
            {route.id: half(route.cost[moves_as]) for route in terrain.route if moves_as in route.cost},
        )

    weighed = [kind for kind in printed.tables.stacking.weight if kind != "marker"]
    kinds = [*weighed, *(kind for kind in templates.transport if kind not in (SHIP, *weighed))]
    return TerrainChart(
        {kind: costs(kind) for kind in kinds},
        bridges=frozenset(ROUTES),
        shifts={},
        halved_across=frozenset(),
        harmless=frozenset({"navigable", "bridge"}),
    )
