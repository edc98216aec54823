"""2.0 and 3.0: board, counters and charts of a game; stacking, zones of control, lines of communication, control of cities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from hexwar.engine import Play, Position, RuleIndex, SequenceOfPlay, Setup, part
from hexwar.errors import ContentError
from hexwar.mechanics import CombatWorld, HexState
from hexwar.pieces import Face
from hexwar_ava.activation import AvaCup
from hexwar_ava.combat import FORTRESS, AvaCombat, AvaPursuit, AvaRetreat
from hexwar_ava.content import DATA, AvaContent, load_ava
from hexwar_ava.counters import MARKERS, SET_UP, Counter
from hexwar_ava.fortresses import AvaFortresses
from hexwar_ava.lines import AvaCommand, AvaSupply
from hexwar_ava.movement import AvaMovement
from hexwar_ava.reinforcements import AvaArrivals
from hexwar_ava.setting_up import AvaDeployment
from hexwar_ava.state import CityReached
from hexwar_ava.tables import Chit, ScenarioEntry, Track
from hexwar_ava.teams import AvaTeams
from hexwar_ava.victory import AvaVictory
from hexwar_ava.zones import AvaStacking, AvaZones

RULES = RuleIndex.load(DATA / "rules.toml", keep=True)

SOURCES = "supply source"
"""What a captured source is called (16.3.1)."""

# Where the shared mechanics find their clauses in this rulebook.
CLAUSES = {
    "activation": "8.1.1",
    "activation.direct": "17.2.2",
    "activation.end": "8.1.3",
    "arrival": "12.2.1",
    "arrival.hex": "12.1.2",
    "arrival.hex.zone": "12.1.4",
    "arrival.relocated": "17.3.2",
    "arrival.transfer": "18.1.8",
    "chits.select.available": "15.2.1",
    "chits.draw": "7.1.1",
    "chits.german": "6.2.2",
    "chits.interrupt": "7.3.1",
    "chits.interrupt.hand": "6.3.3",
    "chits.interrupt.played": "7.3.3",
    "chits.interrupt.returned": "7.3.2",
    "chits.select.limit": "6.1.1",
    "chits.common": "6.2.5",
    "chits.reinforcements": "6.2.6",
    "chits.romanian": "6.2.3",
    "chits.select": "6.1.1",
    "chits.select.cup": "6.3.1",
    "chits.select.hold": "6.3.1",
    "chits.soviet": "6.2.1",
    "chits.zhukov": "18.1.11",
    "chits.zhukov.hand": "18.1.10",
    "combat": "10.1.1",
    "combat.cancelled": "10.3.12",
    "combat.closed": "10.1.6",
    "combat.empty": "10.0.2",
    "combat.declare": "10.2.1",
    "combat.odds": "10.3.6",
    "combat.once": "10.1.1",
    "combat.order": "10.2.2",
    "combat.river": "10.3.2",
    "combat.strength": "10.3.1",
    "combat.table": "10.4.1",
    "combat.terrain": "10.3.9",
    "control": "3.4.2",
    "entering": "15.4.2",
    "entering.army": "15.3.3",
    "entering.army.hex": "15.3.2",
    "entering.limit": "15.4.1",
    "losses": "10.5.2",
    "move": "9.1.2",
    "move.cost": "9.2.8",
    "move.cost.closed": "9.2.12",
    "move.cost.closed.lake": "TEC.5",
    "move.cost.closed.sea": "TEC.5",
    "move.enemy": "3.1.2",
    "move.reserves": "18.1.14",
    "move.side": "TEC.5",
    "move.side.line": "9.1.4",
    "move.strategic": "9.3.1",
    "move.strategic.open": "17.2.4",
    "move.strategic.start": "9.3.2",
    "move.strategic.way": "9.3.3",
    "move.strategic.zone": "9.3.4",
    "move.zone": "9.2.5",
    "move.zone.whole": "9.2.10",
    "move.zone.whole.ground": "9.2.15",
    "pursuit": "10.7.1",
    "pursuit.closed": "10.7.8",
    "pursuit.enemy": "10.7.11",
    "pursuit.far": "10.7.2",
    "pursuit.far.river": "10.7.4",
    "pursuit.far.stop": "10.7.3",
    "pursuit.first": "10.7.7",
    "pursuit.room": "10.7.10",
    "retreat": "10.6.1",
    "retreat.barred": "10.6.7",
    "retreat.best": "10.6.13",
    "retreat.closed": "10.6.6",
    "retreat.closed.line": "10.6.2",
    "retreat.enemy": "10.6.10",
    "retreat.none": "10.6.14",
    "retreat.room": "10.6.11",
    "retreat.zone": "10.6.9",
    "stacking": "3.1.1",
    "supply": "3.3.1",
    "supply.check": "11.1.1",
}


class AvaWorld(CombatWorld):
    """A scenario of the game.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
    """

    units: Mapping[str, Counter]

    arrivals = part(AvaArrivals)
    command = part(AvaCommand)
    cup = part(AvaCup)
    deployment = part(AvaDeployment)
    fortresses = part(AvaFortresses)
    supply = part(AvaSupply)
    teams = part(AvaTeams)
    victory = part(AvaVictory)

    zones = part(AvaZones)
    stacking = part(AvaStacking)
    movement = part(AvaMovement)
    combat = part(AvaCombat)
    retreat = part(AvaRetreat)
    pursuit = part(AvaPursuit)

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.printed: AvaContent = load_ava()
        self.entry: ScenarioEntry = self.printed.scenario(setup.scenario)
        self.last_turn = self.entry.last_turn
        self.track: Track = self.printed.track.track[self.entry.track]
        self.dates = self.printed.track.turns
        self.table = self.printed.table
        spaces = [f"turn {number}" for number in range(1, len(self.printed.track.turns) + 1)]
        super().__init__(
            setup,
            sequence,
            board=setup.board or self.printed.board_of(self.entry.id),
            units={**self.printed.units_of(self.entry.id), **self._fortresses()},
            chart=self.printed.chart,
            cite=CLAUSES,
            boxes=[*(box for boxes in self.printed.setup.boxes.values() for box in boxes), *spaces, SET_UP, MARKERS],
        )
        self._check()
        self.teams.check()

    def misplaced(self, state: HexState, unit: str, location: str) -> str:
        """14.0.1, 4.0.1: fortress markers wait in a box of their own, and what is set up waits for its formation."""
        counter = self.units[unit]
        if location in self.boxes:
            if counter.arm == FORTRESS and location not in (MARKERS, f"{counter.side} eliminated"):
                return f"a fortress marker lies on the map or in the box {MARKERS!r}, not in {location!r}"
            if counter.arm != FORTRESS and location == MARKERS:
                return f"only fortress markers lie in the box {MARKERS!r}"
            if location == SET_UP and unit not in self.deployment.formations.get((counter.side, counter.formation), ()):
                return f"it cannot lie in the box {SET_UP!r}: nobody sets it up in the scenario {self.entry.id!r}"
        return super().misplaced(state, unit, location)

    # -- 2.2 counters and markers ----------------------------------------------------------------------------------------

    def _fortresses(self) -> dict[str, Counter]:
        """2.2.16, 14.2.7: the fortress markers, which count as units of the Soviet side; a level is a step.

        They have no points to move and no strength to attack with (14.3.1).
        """
        fortress = self.printed.numbers.fortress
        faces = tuple(Face(0, fortress.defence * level, 0) for level in range(1, fortress.levels + 1))
        placed = self.printed.marked_at_start(self.entry.id, FORTRESS)
        kinds = [kind for kind in self.printed.markers.marker if kind.kind == FORTRESS]
        supply = [(sheet, number) for kind in kinds for sheet, number in kind.supply.items() if sheet in self.entry.sheets]
        markers: dict[str, Counter] = {}
        for sheet, number in supply:
            here = [label for label in placed if label.startswith(sheet)]
            for n, start in enumerate([*here, *[MARKERS] * (number - len(here))], 1):
                marker = f"fort-{sheet.lower()}{n}"
                tags = frozenset({FORTRESS} if start == MARKERS else {FORTRESS, SET_UP})
                markers[marker] = Counter(
                    marker, f"Fortress {sheet}{n}", "soviet", FORTRESS, faces, start, tags=tags, nation="soviet", sheet=sheet
                )
        return markers

    @cached_property
    def chits(self) -> Mapping[str, Chit]:
        """6.0: every chit of the game by id."""
        return self.cup.printed()

    @property
    def turns(self) -> range:
        """5.0.2: to the last of the scenario; after it the marker stands on the next."""
        return range(self.entry.last_turn + 2)

    def seat_for(self, side: str, unit: str = "") -> str:
        """19.2: who commands a unit; the first seat decides what concerns a side as a whole."""
        return self.teams.owners[unit] if unit and self.teams.divided else super().seat_for(side)

    def grave(self, at: Position, unit: str, topic: str) -> tuple[str, str]:
        """10.8, 12.3.1, 12.3.2: Soviet infantry and headquarters (13.0.3) lost in combat can come back, others not (13.0.4)."""
        counter = self.units[unit]
        if topic == "supply.check":
            return f"{counter.side} eliminated", "10.8.3"
        if counter.arm == FORTRESS:
            return f"{counter.side} eliminated", "14.3.2"
        if counter.side == "soviet" and not counter.mechanized:
            return "soviet available", "10.8.1"
        return f"{counter.side} eliminated", "10.8.2"

    # -- 3.4 control ----------------------------------------------------------------------------------------------------------

    @cached_property
    def controlled(self) -> Mapping[str, str]:
        """3.4.2, 3.4.3, 16.3.1: cities and major cities hex by hex, the Soviet sources and the hexes that score like them."""
        kinds = self.printed.markers.control.places
        names = {label: place.name for place in self.board.places if place.kind in kinds for label in place.hexes}
        for label in (*self.supply.sources["soviet"], *self.breakthrough_hexes):
            names.setdefault(label, SOURCES)
        return names

    @cached_property
    def breakthrough_hexes(self) -> tuple[str, ...]:
        """18.2.9: the hexes that score besides the sources."""
        area = self.entry.breakthrough
        return tuple(self.board.areas.get(area.area, ())) if area else ()

    @cached_property
    def from_moscow(self) -> tuple[str, ...]:
        """15.4.2, 16.3.2: the sources where reserves come from Moscow."""
        return tuple(self.board.areas.get("supply moscow", ()))

    @cached_property
    def west(self) -> frozenset[str]:
        """9.1.4: the ground beyond the start line, which no Soviet unit enters."""
        return frozenset(self.board.areas.get("west of the start line", ()))

    @cached_property
    def major_cities(self) -> tuple[str, ...]:
        """The hexes of all major cities."""
        return tuple(label for place in self.board.places if place.kind == "major-city" for label in place.hexes)

    def control_at_start(self) -> dict[str, str]:
        """3.4.1: by the start line; sources are their side's."""
        control, kept = self.printed.markers.control, self.controlled.items()
        inside = set(self.board.areas[control.area])
        return {label: control.inside if label in inside and name != SOURCES else control.outside for label, name in kept}

    def entered(self, play: Play, unit: str, hexes: Sequence[str]) -> None:
        """18.1.9: an Axis unit next to the city allows the Soviets to call Zhukov."""
        if play.state.city_reached or self.approaches.isdisjoint(hexes) or self.units[unit].side != "axis":
            return
        play.emit(CityReached(self.entry.zhukov, clause="18.1.9"))

    @cached_property
    def approaches(self) -> frozenset[str]:
        """18.1.9: the hexes around the city of the scenario in which Zhukov may be called."""
        if not self.entry.zhukov:
            return frozenset()
        city = [place for place in self.board.places if place.name == self.entry.zhukov]
        hexes = {label for place in city for label in place.hexes}
        return frozenset(near for label in hexes for near in self.board.neighbours(label)) - hexes

    @cached_property
    def approach_indices(self) -> frozenset[int]:
        """The same by their indices."""
        return frozenset(map(self.board.index, self.approaches))

    def _check(self) -> None:
        """Fail where the scenario and the board do not fit together."""
        self.rules.require({f"scenarios.toml, verdict of {self.entry.id}": self.entry.verdict})
        if self.setup.board is not None:  # a board of its own: positions are made by hand
            return
        for kind in (FORTRESS, "stand-fast"):
            for label in self.printed.marked_at_start(self.entry.id, kind):
                if label not in self.board:
                    raise ContentError("markers.toml", f"marker {kind}", f"the board {self.board.id} has no hex {label}")
        where = f"scenario {self.entry.id}"
        if self.entry.zhukov and self.entry.zhukov not in [place.name for place in self.board.places]:
            raise ContentError("scenarios.toml", where, f"zhukov: the board has no place {self.entry.zhukov!r}")
        if self.entry.breakthrough and not self.breakthrough_hexes:
            raise ContentError("scenarios.toml", where, f"breakthrough: the board has no area {self.entry.breakthrough.area!r}")
        self.deployment.check()

    def content_parts(self) -> tuple[object, ...]:
        """A save is for these chits, this track and this scenario as well as for board, counters and charts."""
        return (
            *super().content_parts(),
            *([self.printed.roles.model_dump(exclude={"provenance"})] if self.teams.divided else []),
            self.entry.model_dump(),
            self.track.model_dump(),
            [chit.model_dump() for chit in self.chits.values()],
            [zone.model_dump() for zone in self.deployment.zones.values()],
            self.printed.numbers.model_dump(exclude={"provenance"}),
            [arrival.model_dump() for arrival in self.printed.track.arrival],
            [marker.model_dump() for marker in self.printed.markers.marker],
        )
