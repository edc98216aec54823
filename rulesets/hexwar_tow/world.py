"""2.0, 5.0 and 6.0: board, counters and charts of a game; stacking, zones of control, lines of supply, control of cities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from hexwar.engine import Play, Position, RuleIndex, SequenceOfPlay, Setup, part
from hexwar.errors import ContentError
from hexwar.mechanics import CombatWorld
from hexwar_tow.combat import TowCombat, TowPursuit, TowRetreat
from hexwar_tow.content import DATA, TowContent, load_tow
from hexwar_tow.counters import HQ, Counter
from hexwar_tow.crossings import city_fell, landing_overrun, look_at_crossings
from hexwar_tow.lines import TowCommand, TowSupply
from hexwar_tow.movement import TowMovement
from hexwar_tow.okh import TowCup
from hexwar_tow.reinforcements import TowArrivals
from hexwar_tow.relocation import relocate
from hexwar_tow.state import WAITING
from hexwar_tow.tables import Chit, ScenarioEntry
from hexwar_tow.victory import TowVictory
from hexwar_tow.zones import TowStacking, TowZones

RULES = RuleIndex.load(DATA / "rules.toml", keep=True)


# Where the shared mechanics find their clauses in this rulebook.
CLAUSES = {
    "activation": "4.3.3",
    "activation.direct": "4.2.2.8",
    "activation.end": "4.3.7",
    "arrival": "11.1.1",
    "arrival.axis": "11.2.1",
    "arrival.drop": "11.1.5",
    "arrival.garrison": "3.0.7",
    "arrival.hex": "11.0.2",
    "arrival.hex.zone": "11.0.3",
    "arrival.relocation": "2.3.6",
    "arrival.relocation.line": "2.3.8",
    "arrival.relocation.room": "2.3.9",
    "arrival.relocation.zone": "2.3.7",
    "chits.airborne": "4.2.1.6",
    "chits.select.available": "4.2.1.1",
    "chits.common": "4.2.0.5",
    "chits.draw": "4.3.1",
    "chits.fronts": "4.2.1.3",
    "chits.interrupt": "4.3.13",
    "chits.interrupt.hand": "4.2.2.5",
    "chits.interrupt.played": "4.2.2.5",
    "chits.interrupt.returned": "4.2.2.6",
    "chits.limit": "4.2.0.1",
    "chits.select.limit": "4.2.0.1",
    "chits.limit.axis": "4.2.2.2",
    "chits.limit.soviet": "4.2.1.2",
    "chits.okh": "4.2.2.3",
    "chits.select": "4.2.0.1",
    "chits.select.cup": "4.2.0.2",
    "chits.select.hold": "4.2.0.2",
    "chits.stavka": "4.2.1.7",
    "combat": "10.0.2",
    "combat.closed": "10.0.9",
    "combat.empty": "10.0.2",
    "combat.odds": "10.2.4",
    "combat.odds.low": "10.2.8",
    "combat.once": "10.0.3",
    "combat.once.hex": "10.0.6",
    "combat.river": "10.2.1",
    "combat.strength": "10.2.4",
    "combat.sum": "10.3.2",
    "combat.table": "10.3.1",
    "combat.terrain": "10.2.6",
    "control": "8.1.7",
    "losses": "10.3.5",
    "move": "9.1.2",
    "move.cost": "9.1.3",
    "move.cost.closed": "PA.TEC.7",
    "move.enemy": "9.0.5",
    "move.side": "9.0.5",
    "move.strategic": "9.2.1",
    "move.strategic.start": "9.2.2",
    "move.strategic.way": "9.2.2",
    "move.strategic.zone": "9.2.3",
    "move.zone": "9.3.1",
    "move.zone.whole": "9.3.2",
    "move.zone.whole.ground": "9.3.4",
    "pursuit": "10.5.1",
    "pursuit.barred": "10.5.9",
    "pursuit.closed": "10.5.7",
    "pursuit.enemy": "10.5.7",
    "pursuit.far": "10.5.2",
    "pursuit.far.stop": "10.5.8",
    "pursuit.first": "10.5.5",
    "pursuit.headquarters": "10.5.3",
    "pursuit.room": "10.5.10",
    "relocation": "9.4.1",
    "retreat": "10.4.1",
    "retreat.barred": "10.4.8",
    "retreat.barred.zone": "10.4.9",
    "retreat.best": "10.4.5",
    "retreat.closed": "10.4.10",
    "retreat.enemy": "10.4.10",
    "retreat.none": "10.4.10",
    "retreat.room": "10.4.6",
    "retreat.zone": "10.4.4",
    "stacking": "5.0.2",
    "supply": "8.1.2",
}


class TowWorld(CombatWorld):
    """A scenario of the game.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
    """

    units: Mapping[str, Counter]

    arrivals = part(TowArrivals)
    command = part(TowCommand)
    cup = part(TowCup)
    supply = part(TowSupply)
    victory = part(TowVictory)

    zones = part(TowZones)
    stacking = part(TowStacking)
    movement = part(TowMovement)
    combat = part(TowCombat)
    retreat = part(TowRetreat)
    pursuit = part(TowPursuit)

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.printed: TowContent = load_tow()
        self.entry: ScenarioEntry = self.printed.scenario(setup.scenario)
        self.last_turn = self.entry.last_turn
        self.dates = self.printed.track.turns
        self.table = self.printed.table
        self.numbers = self.printed.numbers
        super().__init__(
            setup,
            sequence,
            board=setup.board or self.printed.board_of(self.entry.id),
            units=self.printed.units_of(self.entry.id),
            chart=self.printed.chart,
            cite=CLAUSES,
            boxes=[*self.printed.boxes, WAITING, "axis eliminated", "soviet eliminated"],
        )
        self.rules.require({f"scenarios.toml, verdict of {self.entry.id}": self.entry.verdict})
        if setup.board is None:
            self._check_board()

    def _check_board(self) -> None:
        """Fail where the counters and markers do not fit the board."""
        markers = self.printed.markers
        for side in self.sides:
            if not self.supply.sources[side]:
                raise ContentError("scenarios.toml", f"scenario {self.entry.id}", f"{side} has no supply source")
        for unit in self.units.values():
            if unit.start not in self.boxes and unit.start not in self.board:
                raise ContentError("units.toml", f"unit {unit.id}", f"the board {self.board.id} has no hex {unit.start}")
        for label in markers.supreme_command_orders:
            if label not in self.cities and self.entry.corners is None:
                raise ContentError("markers.toml", "supreme_command_orders", f"{label} is no major city of {self.board.id}")
        for label in markers.crossing_together.points:
            if label not in self.crossing_hexes and self.entry.corners is None:
                raise ContentError("markers.toml", "crossing_together", f"{label} is no crossing point of {self.board.id}")

    # -- 2.2 counters -------------------------------------------------------------------------------------------------------

    @cached_property
    def chits(self) -> Mapping[str, Chit]:
        """4.2: every chit of the game by id."""
        return self.cup.printed()

    @property
    def turns(self) -> range:
        """4.0.1: to the last of the scenario; after it the marker stands on the next."""
        return range(self.entry.last_turn + 2)

    def grave(self, at: Position, unit: str, topic: str) -> tuple[str, str]:
        """10.3.6: headquarters are relocated; other eliminated units leave the game."""
        counter = self.units[unit]
        return (WAITING, "2.3.3") if counter.arm == HQ else (f"{counter.side} eliminated", "10.3.6")

    def eliminated(self, play: Play, unit: str, label: str) -> None:
        """2.3.3, 12.3.4: a headquarters goes elsewhere; a crossing point may be open now."""
        if self.units[unit].arm == HQ:
            relocate(play, unit, label)
        look_at_crossings(play)

    # -- 2.1 the map --------------------------------------------------------------------------------------------------------

    @property
    def as_in_1_0(self) -> bool:
        """Whether the game was begun with version 1.0, which read 2.2.11 and 13.3.5 otherwise: such games go on as they began."""
        return self.setup.version == "1.0"

    @cached_property
    def cities(self) -> Mapping[str, str]:
        """The hexes of the major cities, and their names."""
        return {label: place.name for place in self.board.places if place.kind == "major-city" for label in place.hexes}

    @cached_property
    def controlled(self) -> Mapping[str, str]:
        """8.1.6, 8.1.7: only the control of major cities matters."""
        return self.cities

    @cached_property
    def crossing_hexes(self) -> tuple[str, ...]:
        """2.1.7: the crossing points on the map."""
        return tuple(self.board.areas.get("crossing points", ()))

    @cached_property
    def crossing_reach(self) -> Mapping[str, int]:
        """12.3.4: crossing point -> the mask of the hexes that are near enough."""
        return {label: self.board.near(label, self.numbers.crossing_reach) for label in self.crossing_hexes}

    @cached_property
    def crossings_together(self) -> tuple[frozenset[str], int]:
        """12.3.5: the crossing points that fall together only, and the mask of their hexes and the town."""
        together = self.printed.markers.crossing_together
        hexes = [label for label in (*together.points, together.town) if label in self.board]
        return frozenset(together.points), self.board.mask(hexes)

    @cached_property
    def breakthrough_hexes(self) -> tuple[str, ...]:
        """2.1.4: the hexes that score for each Soviet unit."""
        return tuple(self.board.areas.get("breakthrough", ()))

    @cached_property
    def west_bank(self) -> int:
        """13.2.4: the mask of the hexes west of the Dnieper."""
        return self.board.mask(self.board.areas.get("west of the dnieper", ()))

    # -- what happens when a unit enters a hex --------------------------------------------------------------------------------

    def entered(self, play: Play, unit: str, hexes: Sequence[str]) -> None:
        """11.1.7, 12.2.3, 12.3.3: a marker overrun, a city that was to be held, a crossing point."""
        landing_overrun(play, unit, hexes)
        city_fell(play, unit, hexes)
        look_at_crossings(play, hexes if self.units[unit].side == "soviet" else ())

    def content_parts(self) -> tuple[object, ...]:
        """A save is for these chits, this track and this scenario as well as for board, counters and charts."""
        return (
            *super().content_parts(),
            self.entry.model_dump(),
            self.printed.track.model_dump(exclude={"provenance"}),
            [chit.model_dump() for chit in self.chits.values()],
            self.numbers.model_dump_json(exclude={"provenance"}),  # as text: it has halves
            self.printed.markers.model_dump(exclude={"provenance"}),
        )
