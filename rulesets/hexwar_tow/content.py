"""Everything that is printed in the game, read from `data` and checked against itself.

An owner of the game can correct what is reconstructed without touching code: the files of a folder, given to `load_tow` or named
by the environment variable HEXWAR_TOW_DATA, replace the bundled ones of the same names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from hexwar import load_board
from hexwar.board import Board
from hexwar.files import package_folder
from hexwar.mechanics import ChartFile, TerrainChart
from hexwar.pieces import CombatFile, CombatTable, ContentFiles, ScenarioContent, Sourced, Sources, by_id, provenance_of
from hexwar_tow.counters import ARMOUR, SECURITY, Counter, load_counters
from hexwar_tow.tables import Chit, ChitFile, MarkerFile, Numbers, ScenarioEntry, ScenarioFile, TrackFile

DATA = package_folder(__package__) / "data"
MODELS: Mapping[str, type[Sourced]] = {
    "chits.toml": ChitFile,
    "combat.toml": CombatFile,
    "markers.toml": MarkerFile,
    "numbers.toml": Numbers,
    "scenarios.toml": ScenarioFile,
    "terrain.toml": ChartFile,
    "turn_track.toml": TrackFile,
}
STRATEGIC = "strategic"
"""The arm of the terrain chart by which any unit goes in strategic movement."""


@dataclass(frozen=True)
class TowContent(ScenarioContent[ScenarioEntry]):
    """The content of the game.

    Args:
        units: every counter by id.
        chits: every chit by id.
        track: the turn track.
        table: the combat results table.
        chart: the terrain effects chart.
        scenarios: by id.
        markers: the markers.
        numbers: the other numbers of the rulebook.
        provenance: file -> what in it is fact, derived and reconstructed.
    """

    ruleset: ClassVar[str] = "tow"
    units: Mapping[str, Counter]
    chits: Mapping[str, Chit]
    track: TrackFile
    table: CombatTable
    chart: TerrainChart
    scenarios: Mapping[str, ScenarioEntry]
    markers: MarkerFile
    numbers: Numbers
    provenance: Mapping[str, Mapping[str, str]]

    def board_of(self, scenario_id: str) -> Board:
        """The ground of a scenario: its board, or what lies between two corners of it."""
        scenario = self.scenario(scenario_id)
        board = load_board(scenario.board)
        if scenario.corners is None:
            return board
        (south, west), (north, east) = ((int(label[:2]), int(label[2:])) for label in scenario.corners)
        return board.crop(
            [label for label in board.labels if south <= int(label[:2]) <= north and west <= int(label[2:]) <= east]
        )

    def units_of(self, scenario_id: str) -> dict[str, Counter]:
        """The counters that a scenario uses; if it says where they begin, then they begin there."""
        start = self.scenario(scenario_id).start
        return {unit: replace(self.units[unit], start=where) for unit, where in start.items()} if start else dict(self.units)

    def chits_of(self, scenario_id: str) -> dict[str, Chit]:
        """The chits that a scenario uses: those of headquarters that it does not have stay out."""
        units = self.units_of(scenario_id)
        return {
            chit.id: chit for chit in self.chits.values() if not chit.activates or any(unit in units for unit in chit.activates)
        }

    @property
    def boxes(self) -> tuple[str, ...]:
        """Where units wait off the map."""
        return tuple(dict.fromkeys(unit.start for unit in self.units.values() if not unit.start.isdigit()))


def _made(sources: Sources, read: dict[str, Any]) -> TowContent:
    numbers: Numbers = read["numbers.toml"]
    units, of_units = load_counters(sources["units.toml"], dict(numbers.classes))
    return TowContent(
        units=units,
        chits=by_id("chits.toml", read["chits.toml"].chit),
        track=read["turn_track.toml"],
        table=CombatTable.load(sources["combat.toml"]),
        chart=TerrainChart.load(sources["terrain.toml"]),
        scenarios=by_id("scenarios.toml", read["scenarios.toml"].scenario),
        markers=read["markers.toml"],
        numbers=numbers,
        provenance={**provenance_of(read), "units.toml": of_units},
    )


def contradictions(content: TowContent) -> Iterator[tuple[str, str, str]]:
    """Every contradiction between two files: file, entry, mistake."""
    units = content.units
    for chit in content.chits.values():
        for leader in chit.activates:
            if leader not in units or not units[leader].is_headquarters or units[leader].side != chit.side:
                yield "chits.toml", f"chit {chit.id}", f"activates {leader}, which is no headquarters of its side"
    called = {leader for chit in content.chits.values() for leader in chit.activates}
    for unit in units.values():
        if unit.is_headquarters and unit.id not in called:
            yield "chits.toml", "", f"no chit activates {unit.id} (2.4.2)"
    for scenario in content.scenarios.values():
        for unit_id in scenario.start:
            if unit_id not in units:
                yield "scenarios.toml", f"scenario {scenario.id}", f"there is no unit {unit_id}"
        if scenario.axis_chits and len(scenario.axis_chits) < scenario.last_turn:
            yield "scenarios.toml", f"scenario {scenario.id}", f"axis_chits has no number for turn {scenario.last_turn}"
    security = [unit for unit in units.values() if unit.start == SECURITY]
    wanted = content.numbers.security_divisions
    if len(security) != wanted or any(unit.arm != SECURITY for unit in security):
        yield "units.toml", "", f"{wanted} security divisions are set up by the player (3.0.7), not {len(security)}"
    counters = content.markers.counters
    armour = sum(unit.arm == ARMOUR for unit in units.values())
    number = len(units) + armour + sum(count for kind, count in counters.items() if kind != "box")
    if number != counters.get("box"):
        yield "markers.toml", "counters", f"the box has {counters.get('box')} counters (1.2.1), and {number} are accounted for"


load_tow = ContentFiles(
    _made,
    data=DATA,
    models=MODELS,
    others=("units.toml",),
    contradictions=contradictions,
    variable="HEXWAR_TOW_DATA",
    title="Traces of War",
)
"""Reads the content."""
