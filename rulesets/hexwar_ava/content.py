"""Everything that is printed in the game, read from `data` and checked against itself.

An owner of the game can correct what is reconstructed without touching code: the files of a folder, given to `load_ava` or named
by the environment variable HEXWAR_AVA_DATA, replace the bundled ones of the same names.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from hexwar import load_board
from hexwar.board import Board
from hexwar.errors import ContentError
from hexwar.files import package_folder
from hexwar.grouping import grouped
from hexwar.mechanics import ChartFile, TerrainChart
from hexwar.pieces import CombatFile, CombatTable, ContentFiles, ScenarioContent, Sourced, Sources, by_id, provenance_of
from hexwar_ava.counters import SET_UP, Counter, Nation, Sheet, Side, load_counters
from hexwar_ava.tables import (
    Chit,
    ChitFile,
    MarkerFile,
    Numbers,
    RoleFile,
    ScenarioEntry,
    ScenarioFile,
    SetupFile,
    TrackFile,
    Zone,
)

DATA = package_folder(__package__) / "data"
STRATEGIC = "strategic"
"""The arm of the terrain chart by which any unit goes in strategic movement."""
MODELS: Mapping[str, type[Sourced]] = {
    "chits.toml": ChitFile,
    "combat.toml": CombatFile,
    "markers.toml": MarkerFile,
    "numbers.toml": Numbers,
    "roles.toml": RoleFile,
    "scenarios.toml": ScenarioFile,
    "setup.toml": SetupFile,
    "terrain.toml": ChartFile,
    "turn_track.toml": TrackFile,
}
# The areas of the boards that are supply sources.
SOURCES: Mapping[Side, tuple[str, ...]] = {"axis": ("supply axis",), "soviet": ("supply soviet", "supply moscow")}


@dataclass(frozen=True)
class AvaContent(ScenarioContent[ScenarioEntry]):
    """The content of the game.

    Args:
        units: every counter by id.
        chits: every chit by id.
        track: the turn track.
        table: the combat results table.
        chart: the terrain effects chart; how far a pursuit goes is in `numbers.pursuit`.
        scenarios: by id.
        setup: where formations set up.
        markers: the markers, and who controls what at the start.
        numbers: the other numbers of the rulebook.
        roles: who commands what where many play.
        provenance: file -> what in it is fact, found, derived and reconstructed.
    """

    ruleset: ClassVar[str] = "ava"
    units: Mapping[str, Counter]
    chits: Mapping[str, Chit]
    track: TrackFile
    table: CombatTable
    chart: TerrainChart
    scenarios: Mapping[str, ScenarioEntry]
    setup: SetupFile
    markers: MarkerFile
    numbers: Numbers
    roles: RoleFile
    provenance: Mapping[str, Mapping[str, str]]

    def board_of(self, scenario_id: str) -> Board:
        """2.1.5: the ground of a scenario, cut out of its board.

        Raises:
            ContentError: if the scenario names a frame, a hex or a source that is not there.
        """
        scenario = self.scenario(scenario_id)
        where = f"scenario {scenario_id}"
        board = load_board(scenario.board)
        if scenario.frame and scenario.frame not in board.areas:
            raise ContentError("scenarios.toml", where, f"has the frame {scenario.frame!r}, which {board.id} does not have")
        for label in scenario.hexes:
            if label not in board:
                raise ContentError("scenarios.toml", where, f"has the hex {label}, which {board.id} does not have")
        kept = scenario.hexes or (board.areas[scenario.frame] if scenario.frame else ())
        ground = board.crop(kept) if kept else board
        sources = (label for of_side in scenario.sources.values() for label in of_side)
        for label in (*sources, *_stacks(scenario, self)):
            if label not in ground:
                raise ContentError("scenarios.toml", where, f"uses the hex {label}, which is not on its ground")
        return ground

    def sources_of(self, scenario_id: str, board: Board) -> dict[Side, tuple[str, ...]]:
        """2.1.3, 15.4.2: the supply sources of each side that are on a board, those from Moscow among the Soviet ones."""
        own = self.scenario(scenario_id).sources
        named = own or {side: [hex for name in names for hex in board.areas.get(name, ())] for side, names in SOURCES.items()}
        return {side: tuple(dict.fromkeys(hex for hex in hexes if hex in board)) for side, hexes in named.items()}

    def turns_of(self, track: str) -> int:
        """5.0.2: how many turns a track has."""
        return self.track.track[track].length or len(self.track.turns)

    def units_of(self, scenario_id: str) -> dict[str, Counter]:
        """2.2.6: the counters that a scenario uses; if it says where they begin, then they begin there."""
        scenario = self.scenario(scenario_id)
        if scenario.start:
            return {unit: replace(self.units[unit], start=start) for unit, start in scenario.start.items()}
        return {
            unit.id: unit
            for unit in self.units.values()
            if unit.sheet in scenario.sheets and not unit.tags.intersection(scenario.without)
        }

    def chits_of(self, scenario_id: str, turn: int) -> tuple[Chit, ...]:
        """15.2.1: the chits that can be selected in a turn regardless of any choices, without those of optional rules."""
        return tuple(chit for chit in self._chits(scenario_id) if chit.turn <= turn and not chit.choice)

    def choices_of(self, scenario_id: str) -> tuple[Chit, ...]:
        """18.1.4: the chits from which the Soviet player adds some each turn."""
        return tuple(chit for chit in self._chits(scenario_id) if chit.choice)

    def _chits(self, scenario_id: str) -> Iterator[Chit]:
        """The chits of its maps and headquarters, with the turn from which this scenario has them."""
        scenario = self.scenario(scenario_id)
        for chit in self.chits.values():
            if chit.only_with or chit.sheet not in (None, *scenario.sheets):
                continue
            if scenario.start and chit.activates and chit.activates not in scenario.start:
                continue
            if chit.kind == "reinforcements" and scenario.reinforcements_from:
                yield chit.model_copy(update={"turn": scenario.reinforcements_from})
            else:
                yield chit

    def zones_of(self, scenario_id: str) -> dict[tuple[str, str], Zone]:
        """4.0: where the formations of a scenario set up, by side and formation; none if it says where its units begin."""
        scenario = self.scenario(scenario_id)
        zones = () if scenario.start else self.setup.zone
        return {(zone.side, zone.formation): zone for zone in zones if zone.sheet in scenario.sheets}

    def marked_at_start(self, scenario_id: str, kind: str) -> tuple[str, ...]:
        """4.0.16, 4.0.17: the hexes of a scenario's maps that have a marker of a kind at the start."""
        scenario = self.scenario(scenario_id)
        return tuple(
            hex
            for marker in self.markers.marker
            if marker.kind == kind
            for hex in marker.start
            if hex[0] in scenario.sheets and (not scenario.hexes or hex in scenario.hexes)
        )


def _made(sources: Sources, read: dict[str, Any]) -> AvaContent:
    numbers: Numbers = read["numbers.toml"]
    units, of_units = load_counters(sources["units.toml"], dict(numbers.classes))
    return AvaContent(
        units=units,
        chits=by_id("chits.toml", read["chits.toml"].chit),
        track=read["turn_track.toml"],
        table=CombatTable.load(sources["combat.toml"]),
        chart=TerrainChart.load(sources["terrain.toml"]),
        scenarios=by_id("scenarios.toml", read["scenarios.toml"].scenario),
        setup=read["setup.toml"],
        markers=read["markers.toml"],
        numbers=numbers,
        roles=read["roles.toml"],
        provenance={**provenance_of(read), "units.toml": of_units},
    )


# -- what one file says of another: file, entry, mistake -----------------------------------------------------------------------


def contradictions(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    """Every contradiction between two files: file, entry, mistake."""
    for about in (_about_units, _about_chits, _about_turns, _about_markers, _about_scenarios):
        yield from about(content)


def _about_units(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    for side in get_args(Side):
        for box in (f"{side} available", f"{side} eliminated"):
            if box not in content.setup.boxes.get(side, ()):
                yield "setup.toml", f"boxes of {side}", f"there must be a box {box!r} (10.8)"
    if STRATEGIC not in content.chart.arms:
        yield "terrain.toml", f"arm {STRATEGIC}", "is missing: it says what strategic movement costs (9.3)"
    zones = {(zone.side, zone.formation, zone.sheet) for zone in content.setup.zone}
    waiting = _waiting(content)
    for unit in content.units.values():
        where = f"unit {unit.id}"
        if unit.arm not in content.chart.arms:
            yield "terrain.toml", f"arm {unit.arm}", f"is missing, but {unit.id} is of this arm"
        if unit.start == SET_UP and (unit.side, unit.formation, unit.sheet) not in zones:
            yield "units.toml", where, f"setup.toml has no zone of the {unit.side} {unit.formation} on map {unit.sheet}"
        if unit.start not in (SET_UP, *waiting.get(unit.side, ())):
            yield "units.toml", where, f"starts in {unit.start!r}, which is neither {SET_UP!r} nor a box of its side nor a turn"


def _about_chits(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    common = [chit.id for chit in content.chits.values() if chit.kind == "supply"]
    if len(common) != 1:
        yield "chits.toml", "", f"there must be one chit of kind supply (6.2.5), not {len(common)}"
    for chit in content.chits.values():
        where = f"chit {chit.id}"
        if chit.kind not in ("hq", "interrupt"):
            if chit.activates:
                yield "chits.toml", where, f"is of kind {chit.kind}, which activates no headquarters"
            continue
        unit = content.units.get(chit.activates)
        if unit is None or not unit.is_headquarters:
            yield "chits.toml", where, f"activates {chit.activates!r}, which is no headquarters of units.toml"
        elif (unit.side, unit.nation, unit.sheet) != (chit.side, chit.nation, chit.sheet):
            yield "chits.toml", where, f"differs from {unit.id} in side, nation or map"


def _about_turns(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    for name, track in content.track.track.items():
        turns = content.turns_of(name)
        if turns > len(content.track.turns):
            yield "turn_track.toml", f"track {name}", f"is of {turns} turns, but there are {len(content.track.turns)}"
        lists = {f"chits of the {nation} nation": track.chits.get(nation, ()) for nation in get_args(Nation)}
        lists |= {f"reinforcements of the {nation} nation": track.reinforcements.get(nation, ()) for nation in get_args(Nation)}
        lists["strategic reserve"] = track.strategic_reserve
        for what, numbers in lists.items():
            if len(numbers) != turns:
                yield "turn_track.toml", f"track {name}", f"{what}: there must be a number for each of the {turns} turns"
    for arrival in content.track.arrival:
        where = f"arrival {arrival.formation}"
        same = (arrival.side, arrival.formation, arrival.sheet, f"turn {arrival.turn}")
        waiting = [u for u in content.units.values() if (u.side, u.formation, u.sheet, u.start) == same]
        if len(waiting) != arrival.units:
            yield "turn_track.toml", where, f"is of {arrival.units} units, but {len(waiting)} wait on turn {arrival.turn}"
        if arrival.with_chit not in content.chits:
            yield "turn_track.toml", where, f"comes with {arrival.with_chit!r}, which is no chit"


def _about_markers(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    for marker in content.markers.marker:
        for sheet in get_args(Sheet) if marker.supply else ():
            placed = sum(label.startswith(sheet) for label in marker.start)
            number = marker.supply.get(sheet, 0)
            if placed > number:
                yield "markers.toml", f"marker {marker.kind}", f"{placed} are placed on map {sheet}, but there are {number}"


def _about_scenarios(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    for scenario in content.scenarios.values():
        where = f"scenario {scenario.id}"
        if scenario.track not in content.track.track:
            yield "scenarios.toml", where, f"has the track {scenario.track!r}, which turn_track.toml does not have"
        elif scenario.last_turn > content.turns_of(scenario.track):
            yield "scenarios.toml", where, f"ends after turn {scenario.last_turn}, which the turn track does not have"
        about = [*_about_ground(scenario), *_about_start(scenario, content)]
        yield from (("scenarios.toml", where, mistake) for mistake in about)
        used = {} if about else content.units_of(scenario.id)
        for unit in scenario.surprise_attack:
            if unit not in used or not used[unit].is_headquarters:
                yield "scenarios.toml", where, f"begins with {unit!r}, which is no headquarters of its maps"


def _about_ground(scenario: ScenarioEntry) -> Iterator[str]:
    """What is wrong with the hexes that a scenario names."""
    if scenario.frame and scenario.hexes:
        yield "has both a frame and hexes"
    yield from (f"has the hex {label} twice" for label in _twice(scenario.hexes))
    if not scenario.sources:
        return
    for side in get_args(Side):
        if not scenario.sources.get(side):
            yield f"has supply sources of its own, but none of the {side} side"
    sources = [label for of_side in scenario.sources.values() for label in of_side]
    yield from (f"has the supply source {label} twice" for label in _twice(sources))
    for label in sources:
        if scenario.hexes and label not in scenario.hexes:
            yield f"has the supply source {label}, which is not one of its hexes"


def _about_start(scenario: ScenarioEntry, content: AvaContent) -> Iterator[str]:
    """What is wrong with the units that a scenario names and with where they begin."""
    waiting = _waiting(content)
    for name, start in scenario.start.items():
        unit = content.units.get(name)
        if unit is None or unit.sheet not in scenario.sheets:
            yield f"starts {name!r}, which is no unit of its maps"
        elif scenario.hexes and start not in (*scenario.hexes, *waiting[unit.side]):
            yield f"starts {name} in {start!r}, which is neither one of its hexes nor a box of its side nor a turn"
    for label, stack in _stacks(scenario, content).items():
        if len(stack) > content.numbers.stacking:
            yield f"starts {len(stack)} units in {label}; no more than {content.numbers.stacking} may stack (3.1.1)"
        if len({unit.side for unit in stack}) > 1:
            yield f"starts units of both sides in {label}"


def _stacks(scenario: ScenarioEntry, content: AvaContent) -> dict[str, list[Counter]]:
    """The units that a scenario places on the map, by hex."""
    waiting = _waiting(content)
    units = ((start, content.units.get(name)) for name, start in scenario.start.items())
    return grouped((start, unit) for start, unit in units if unit is not None and start not in waiting[unit.side])


def _waiting(content: AvaContent) -> dict[str, list[str]]:
    """Side -> where its units can be without being on the map."""
    spaces = [f"turn {number}" for number in range(1, len(content.track.turns) + 1)]
    return {side: [*boxes, *spaces] for side, boxes in content.setup.boxes.items()}


def _twice(labels: Iterable[str]) -> list[str]:
    return [label for label, count in Multiset(labels).items() if count > 1]


load_ava = ContentFiles(
    _made,
    data=DATA,
    models=MODELS,
    others=("units.toml",),
    contradictions=contradictions,
    variable="HEXWAR_AVA_DATA",
    title="A Victory Awaits",
)
"""Reads the content."""
