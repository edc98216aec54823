"""What a game is played with: board, counters, tables, parts, and where shared rules find their clauses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from hexwar.engine import Position, RuleIndex, SequenceOfPlay, Setup, part
from hexwar.errors import ContentError, UnknownName
from hexwar.mechanics import CombatWorld
from hexwar.pieces import require_known
from hexwar_wb95.air import Wings
from hexwar_wb95.bridges import Bridges
from hexwar_wb95.combat import Wb95Combat, Wb95Duty
from hexwar_wb95.content import AIR, DATA, GUNS, HANGAR, HQ, LINE, Counter, Wb95Content, load_wb95
from hexwar_wb95.movement import Wb95Movement
from hexwar_wb95.overruns import SOFT
from hexwar_wb95.results import Wb95Pursuit, Wb95Retreat
from hexwar_wb95.stars import Stars
from hexwar_wb95.supply import Wb95Supply
from hexwar_wb95.victory import Wb95Victory
from hexwar_wb95.works import Forts
from hexwar_wb95.zones import LARGE_RIVER, Wb95Stacking, Wb95Zones

RULES = RuleIndex.load(DATA / "rules.toml", keep=True)

CLAUSES = {
    "activation": "phase.1",
    "air": "air.1",
    "air.bombers": "air.8",
    "air.supply": "air.5",
    "air.support": "air.11",
    "arrival": "phase.1",
    "bridge": "bridge.1",
    "bridge.large": "bridge.4",
    "bridge.rebuild": "bridge.2",
    "combat": "combat.4",
    "combat.alone": "hq.5",
    "combat.back": "art.15",
    "combat.back.zone": "art.14",
    "combat.barrage": "art.21",
    "combat.closed": "zoc.3",
    "combat.duty": "combat.1",
    "combat.empty": "combat.1",
    "combat.fire.formation": "art.7",
    "combat.fire.once": "art.12",
    "combat.headquarters": "combat.5",
    "combat.odds": "proc.3",
    "combat.once": "combat.3",
    "combat.river": "combat.6",
    "combat.strength": "proc.1",
    "combat.support": "art.11",
    "combat.support.range": "art.1",
    "combat.table": "proc.6",
    "combat.terrain": "combat.7",
    "control": "phase.1",
    "disorganisation.again": "disorg.2",
    "fire": "art.16",
    "fire.ammunition": "art.22",
    "fire.barrage": "art.20",
    "losses": "result.5",
    "move": "phase.1",
    "move.enemy": "art.5",
    "move.formation": "art.6",
    "move.formation.hexes": "art.9",
    "move.river": "air.4",
    "move.zone": "zoc.6",
    "move.zone.same": "zoc.8",
    "overrun": "art.4",
    "overrun.headquarters": "hq.6",
    "pursuit": "pursuit.1",
    "pursuit.closed": "pursuit.3",
    "pursuit.far": "pursuit.2",
    "pursuit.gun": "art.3",
    "pursuit.off": "pursuit.5",
    "pursuit.room": "stack.1",
    "retreat": "retreat.1",
    "retreat.best": "retreat.4",
    "retreat.closed": "retreat.2",
    "retreat.none": "retreat.5",
    "retreat.room": "stack.1",
    "retreat.zone": "retreat.4",
    "retreat.zone.alone": "retreat.3",
    "stacking": "stack.1",
    "strategic": "rs.1",
    "supply": "supply.1",
    "supply.surrender": "supply.8",
    "works": "up.1",
    "works.ground": "up.2",
    "yield": "result.3",
}


class Wb95World(CombatWorld):
    """A scenario.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
    """

    units: Mapping[str, Counter]

    bridges = part(Bridges)
    combat = part(Wb95Combat)
    forts = part(Forts)
    movement = part(Wb95Movement)
    obligations = part(Wb95Duty)
    pursuit = part(Wb95Pursuit)
    retreat = part(Wb95Retreat)
    stacking = part(Wb95Stacking)
    stars = part(Stars)
    supply = part(Wb95Supply)
    victory = part(Wb95Victory)
    wings = part(Wings)
    zones = part(Wb95Zones)

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.printed: Wb95Content = load_wb95()
        self.scenario = self.printed.scenarios[setup.scenario]
        self.table = self.printed.table
        units = self.printed.roster(self.scenario)
        require_known("units.toml", units, "side", tuple(setup.seats.values()))
        super().__init__(
            setup,
            sequence,
            board=setup.board or self.scenario.ground(),
            units=units,
            chart=self.printed.chart,
            cite=CLAUSES,
            boxes=[HANGAR, *(f"turn {number}" for number in range(1, self.scenario.turns + 1))],
        )
        self.last_turn = self.scenario.turns
        self.supplied_from = self.scenario.supply if setup.board is None else {}
        """supply.1: the sources that the scenario names; on another board they are those of the map."""
        for unit in units.values() if setup.board is None else ():
            if unit.start not in self.board and unit.start not in self.boxes:
                raise ContentError(
                    "units.toml", f"unit {unit.id}", f"starts at {unit.start}, which is no hex of {self.board.id} and no box"
                )

    def content_parts(self) -> tuple[object, ...]:
        """A save is for these tables as well as for board, counters and chart."""
        return (*super().content_parts(), self.printed.tables.model_dump_json(), self.scenario.model_dump_json())

    @cached_property
    def zoned(self) -> frozenset[str]:
        """zoc.4: the arms with zones."""
        return frozenset(self.chart.arms) - GUNS - {HQ, AIR, LINE}

    @cached_property
    def soft_enemies(self) -> Mapping[str, tuple[str, ...]]:
        """art.4, hq.6: side -> its enemies that can be overrun, wherever they are."""
        return {
            side: tuple([unit.id for unit in self.units.values() if unit.side != side and unit.arm in SOFT])
            for side in self.sides
        }

    @cached_property
    def riverside(self) -> frozenset[str]:
        """bridge.1: the hexes next to a river."""
        return frozenset(a for a in self.board.labels for b in self.board.neighbours(a) if self.bridges.river(a, b))

    @cached_property
    def banks(self) -> Mapping[str, tuple[str, ...]]:
        """star.1: hex -> the hexes beyond the large river that it lies at."""
        over = {a: tuple([b for b in self.board.neighbours(a) if LARGE_RIVER in self.board.side(a, b)]) for a in self.riverside}
        return {label: beyond for label, beyond in over.items() if beyond}

    def bonus(self, label: str) -> int:
        """proc.5: the columns that the ground of a hex gives its defender."""
        return -self.chart.shifts.get(self.board.terrain(label), 0)

    def place_named(self, name: str) -> str:
        """The hex of a place.

        Raises:
            UnknownName: there is none of this name on the board.
        """
        for place in self.board.places:
            if place.name == name:
                return place.hex
        raise UnknownName("place", name, [place.name for place in self.board.places])

    def due(self, at: Position, side: str) -> tuple[str, ...]:
        """The units of a side that wait for their arrival in this turn, or since an earlier one."""
        waiting = {f"turn {number}" for number in range(1, at.state.turn + 1)}
        return tuple([unit for unit in self.of_side[side] if at.state.locations.get(unit) in waiting])

    def entries(self, side: str) -> tuple[str, ...]:
        """The hexes where a side's reinforcements come in."""
        return tuple(self.board.areas.get(self.scenario.entry.get(side, ""), ()))
