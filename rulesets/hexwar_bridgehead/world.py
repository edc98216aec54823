"""2 to 4: counters, stacking and zones; what the game is played with."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from typing import TypeAlias

from hexwar import load_board
from hexwar.engine import Position, RuleIndex, SequenceOfPlay, Setup, part, state
from hexwar.mechanics import (
    Battle,
    ChitState,
    ChitWorld,
    CombatTable,
    CombatWorld,
    HexState,
    RetreatOption,
    Stacking,
    SupplyRules,
    TerrainChart,
    Zones,
    load_content,
    load_roster,
    on_board,
    require_known,
)
from hexwar_bridgehead.content import BridgeheadScenario

DATA = files(__package__) / "data"
RULES = RuleIndex.load(DATA / "rules.toml")
SUPPLY_CHIT = "supply"

# Where the shared mechanics find their clauses in this rulebook.
CLAUSES = {
    "activation": "6.1",
    "arrival": "13.1",
    "arrival.hex": "13.2",
    "chits.draw": "5.3",
    "chits.select": "5.2",
    "combat": "8.1",
    "combat.odds": "8.4",
    "combat.once": "8.2",
    "combat.river": "8.3",
    "combat.strength": "2.2",
    "combat.table": "8.6",
    "combat.terrain": "8.5",
    "control": "14.1",
    "losses": "9.1",
    "move": "7.1",
    "move.cost": "7.2",
    "move.enemy": "7.6",
    "move.side": "7.4",
    "move.zone": "7.3",
    "pursuit": "11.1",
    "pursuit.far": "11.2",
    "retreat": "10.1",
    "retreat.best": "10.4",
    "retreat.none": "10.5",
    "retreat.zone": "10.3",
    "stacking": "3.1",
    "supply": "12.1",
    "supply.check": "12.4",
}


@state
class BridgeheadState(HexState, ChitState):
    """Everything that changes: all of it comes with the mechanics."""


At: TypeAlias = "Position[BridgeheadState, BridgeheadWorld]"


class BridgeheadZones(Zones):
    """4: every unit covers the hexes around it."""

    world: BridgeheadWorld
    enter = leave = 2
    """7.3: one point."""

    def extends(self, origin: str, target: str) -> bool:
        """4.2: not onto a lake."""
        return self.world.board.terrain(target) != "lake"


class BridgeheadStacking(Stacking):
    """3.1: two units."""

    most = 2


class BridgeheadWorld(CombatWorld, ChitWorld):
    """Board, counters, charts and turn track."""

    zones = part(BridgeheadZones)
    stacking = part(BridgeheadStacking)

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.scenario = load_content(DATA / "scenario.toml", BridgeheadScenario)
        self.table = CombatTable.load(DATA / "combat.toml")
        self.pursuit_range = {"infantry": 1, "armour": 2, "hq": 1}
        self.retreat_criteria = (_hexes_to_supply,)
        self.retreat_overflow = 2  # 10.2
        chart = TerrainChart.load(DATA / "terrain.toml")
        units = load_roster(DATA / "units.toml")
        require_known("units.toml", units, "side", tuple(setup.seats.values()))
        require_known("units.toml", units, "arm", tuple(chart.arms))
        super().__init__(
            setup,
            sequence,
            board=setup.board or load_board("bridgehead/crossing"),
            units=units,
            chart=chart,
            cite=CLAUSES,
            boxes=[f"turn {number}" for number in range(1, self.scenario.turns + 1)],
        )
        areas = self.board.areas
        sources = {side: areas.get(area, ()) for side, area in self.scenario.home.items()}
        self.supply = SupplyRules(sources, closed_terrain=("lake",))

    def content_parts(self) -> tuple[object, ...]:
        """A save is for this scenario as well as for board, counters and charts."""
        return (*super().content_parts(), self.scenario.model_dump())

    def chits_to_choose(self, at: At, side: str) -> tuple[int, tuple[str, ...]]:
        """5.2: the turn track says how many; every headquarters on the map has one chit."""
        chits = tuple(unit for unit in on_board(at, side) if self.units[unit].is_headquarters)
        return dict(enumerate(self.scenario.chits[side], 1)).get(at.state.turn, 0), chits

    def common_chits(self, at: At) -> tuple[str, ...]:
        """5.2: the supply chit is in every cup."""
        return (SUPPLY_CHIT,)

    def modify_strength(self, at: At, battle: Battle, unit: str, counted: Fraction) -> tuple[Fraction, list[tuple[str, str]]]:
        """12.3: a unit without supply counts half."""
        if self.supply.is_supplied(at, unit):
            return counted, []
        return counted / 2, [("halved without supply", "12.3")]

    def stops_pursuit(self, at: At, unit: str, origin: str, target: str) -> bool:
        """11.2: a river that was crossed, a town or anything but clear ground ends a pursuit."""
        crossed = bool(self.board.side(origin, target) & self.chart.halved_across)
        return crossed or self.board.place(target) is not None or self.board.terrain(target) != "clear"


def _hexes_to_supply(at: At, unit: str, way: RetreatOption) -> int:
    """10.4: of two ways with equal losses the one that ends nearer to a source is better."""
    sources = at.world.supply.sources[at.world.units[unit].side]
    return min((at.world.board.distance(way.path[-1], source) for source in sources), default=0)
