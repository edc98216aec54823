"""2 to 4: counters, stacking and zones; what the game is played with."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeAlias

from hexwar import load_board
from hexwar.engine import Position, RuleIndex, SequenceOfPlay, Setup, part, state
from hexwar.mechanics import CombatWorld, HexState, Stacking, TerrainChart, Zones
from hexwar.pieces import ChitState, CombatTable, load_content, load_roster, require_known
from hexwar_bridgehead.combat import BridgeheadCombat, BridgeheadPursuit, BridgeheadRetreat
from hexwar_bridgehead.content import BridgeheadScenario
from hexwar_bridgehead.staff import BridgeheadCommand, BridgeheadCup, BridgeheadSupply, BridgeheadVictory

DATA = files(__package__) / "data"
RULES = RuleIndex.load(DATA / "rules.toml")

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


class BridgeheadWorld(CombatWorld):
    """Board, counters, charts and turn track."""

    command = part(BridgeheadCommand)
    cup = part(BridgeheadCup)
    supply = part(BridgeheadSupply)
    victory = part(BridgeheadVictory)
    zones = part(BridgeheadZones)
    stacking = part(BridgeheadStacking)
    combat = part(BridgeheadCombat)
    retreat = part(BridgeheadRetreat)
    pursuit = part(BridgeheadPursuit)

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.scenario = load_content(DATA / "scenario.toml", BridgeheadScenario)
        self.last_turn = self.scenario.turns
        self.table = CombatTable.load(DATA / "combat.toml")
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

    def content_parts(self) -> tuple[object, ...]:
        """A save is for this scenario as well as for board, counters and charts."""
        return (*super().content_parts(), self.scenario.model_dump())
