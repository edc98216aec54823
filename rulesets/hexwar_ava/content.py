"""Everything that is printed in the game, read from `data` and checked against itself.

An owner of the game sets right what is reconstructed without touching code: the files of a folder, given to `load_ava` or named
by the environment variable HEXWAR_AVA_DATA, replace the bundled ones of the same names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from hexwar.errors import ContentError, HexwarError, UnknownName
from hexwar.mechanics import CombatTable, TerrainChart, load_content
from hexwar.mechanics.content import CombatFile
from hexwar_ava.counters import SET_UP, Counter, Nation, load_counters
from hexwar_ava.tables import (
    Chit,
    ChitFile,
    MarkerFile,
    Numbers,
    ScenarioEntry,
    ScenarioFile,
    SetupFile,
    TrackFile,
    Zone,
)

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from hexwar.board import Board

DATA = files(__package__) / "data"
OVERRIDES = "HEXWAR_AVA_DATA"
FILES = (
    "chits.toml",
    "combat.toml",
    "markers.toml",
    "numbers.toml",
    "scenarios.toml",
    "setup.toml",
    "terrain.toml",
    "turn_track.toml",
    "units.toml",
)


@dataclass(frozen=True)
class AvaContent:
    """The content of the game.

    Args:
        units: every counter by id.
        chits: every chit by id.
        track: the turn track.
        table: the combat results table.
        chart: the terrain effects chart, as far as the form can say it; the rest is in `numbers.terrain` and `numbers.pursuit`.
        scenarios: by id.
        setup: where formations set up.
        markers: the markers, and who controls what at the start.
        numbers: the other numbers of the rulebook.
        provenance: file -> what in it is fact, found, derived and reconstructed.
        replaced: the files that were not the bundled ones.
    """

    units: Mapping[str, Counter]
    chits: Mapping[str, Chit]
    track: TrackFile
    table: CombatTable
    chart: TerrainChart
    scenarios: Mapping[str, ScenarioEntry]
    setup: SetupFile
    markers: MarkerFile
    numbers: Numbers
    provenance: Mapping[str, Mapping[str, str]]
    replaced: tuple[str, ...] = ()

    def scenario(self, scenario_id: str) -> ScenarioEntry:
        """A scenario by its id."""
        try:
            return self.scenarios[scenario_id]
        except KeyError:
            raise UnknownName("scenario of ava", scenario_id, self.scenarios) from None

    def units_of(self, scenario_id: str) -> dict[str, Counter]:
        """2.2.6: the counters that a scenario uses."""
        scenario = self.scenario(scenario_id)
        return {
            unit.id: unit
            for unit in self.units.values()
            if unit.sheet in scenario.sheets and not unit.tags.intersection(scenario.without)
        }

    def chits_of(self, scenario_id: str, turn: int) -> tuple[Chit, ...]:
        """15.2.1: the chits that can be selected in a turn whatever anybody chose, without those of optional rules."""
        return tuple(chit for chit in self._chits(scenario_id) if chit.turn <= turn and not chit.choice)

    def choices_of(self, scenario_id: str) -> tuple[Chit, ...]:
        """18.1.4: the chits of which the Soviet player adds some each turn."""
        return tuple(chit for chit in self._chits(scenario_id) if chit.choice)

    def _chits(self, scenario_id: str) -> Iterator[Chit]:
        sheets = self.scenario(scenario_id).sheets
        for chit in self.chits.values():
            if not chit.only_with and (chit.sheet is None or chit.sheet in sheets):
                yield chit

    def zones_of(self, scenario_id: str) -> dict[tuple[str, str], Zone]:
        """4.0: where the formations of a scenario set up, by side and formation."""
        sheets = self.scenario(scenario_id).sheets
        return {(zone.side, zone.formation): zone for zone in self.setup.zone if zone.sheet in sheets}

    def marked_at_start(self, scenario_id: str, kind: str) -> tuple[str, ...]:
        """4.0.16, 4.0.17: the hexes of a scenario's maps that have a marker of a kind at the start."""
        sheets = self.scenario(scenario_id).sheets
        return tuple(hex for marker in self.markers.marker if marker.kind == kind for hex in marker.start if hex[0] in sheets)

    def control_at_start(self, board: Board) -> dict[str, str]:
        """3.4.1: the hexes of cities and major cities, and who controls them."""
        control = self.markers.control
        inside = set(board.areas[control.area])
        return {
            label: control.inside if label in inside else control.outside
            for place in board.places
            if place.kind in control.places
            for label in place.hexes
        }


def load_ava(overrides: str | os.PathLike[str] | None = None) -> AvaContent:
    """Read the content.

    Args:
        overrides: a folder whose files replace the bundled ones of the same name; HEXWAR_AVA_DATA names it if this does not.

    Raises:
        ContentError: naming the file, the entry and the mistake.
        HexwarError: if the folder is none.
    """
    folder = _folder(overrides)
    replaced = tuple(name for name in FILES if folder is not None and (folder / name).is_file())
    sources = {name: folder / name if folder is not None and name in replaced else DATA / name for name in FILES}
    try:
        return _load(sources, replaced)
    except ContentError as error:
        if error.source not in replaced:
            raise
        raise ContentError(str(sources[error.source]), error.where, error.mistake) from None


def _load(sources: Mapping[str, Path | Traversable], replaced: tuple[str, ...]) -> AvaContent:
    numbers = load_content(sources["numbers.toml"], Numbers)
    units, of_units = load_counters(sources["units.toml"], dict(numbers.classes))
    chits = load_content(sources["chits.toml"], ChitFile)
    track = load_content(sources["turn_track.toml"], TrackFile)
    scenarios = load_content(sources["scenarios.toml"], ScenarioFile)
    setup = load_content(sources["setup.toml"], SetupFile)
    markers = load_content(sources["markers.toml"], MarkerFile)
    content = AvaContent(
        units=units,
        chits={chit.id: chit for chit in chits.chit},
        track=track,
        table=CombatTable.load(sources["combat.toml"]),
        chart=TerrainChart.load(sources["terrain.toml"]),
        scenarios={scenario.id: scenario for scenario in scenarios.scenario},
        setup=setup,
        markers=markers,
        numbers=numbers,
        provenance={
            "chits.toml": chits.provenance,
            "combat.toml": load_content(sources["combat.toml"], CombatFile).provenance,
            "markers.toml": markers.provenance,
            "numbers.toml": numbers.provenance,
            "scenarios.toml": scenarios.provenance,
            "setup.toml": setup.provenance,
            "turn_track.toml": track.provenance,
            "units.toml": of_units,
        },
        replaced=replaced,
    )
    if len(content.chits) != len(chits.chit):
        raise ContentError("chits.toml", "", "two chits have the same id")
    if len(content.scenarios) != len(scenarios.scenario):
        raise ContentError("scenarios.toml", "", "two scenarios have the same id")
    for file, where, mistake in _contradictions(content):
        raise ContentError(file, where, mistake)
    return content


def _folder(overrides: str | os.PathLike[str] | None) -> Path | None:
    named = os.environ.get(OVERRIDES) if overrides is None else overrides
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        who = OVERRIDES if overrides is None else "the folder of replacements"
        raise HexwarError(f"{who} names {folder}, which is no folder")
    for file in sorted(folder.glob("*.toml")):
        if file.name not in FILES:
            raise ContentError(str(file), "", f"replaces nothing; the files of A Victory Awaits are {', '.join(FILES)}")
    return folder


# -- what one file says of another -------------------------------------------------------------------------------------------


def _contradictions(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    """Everything in which two files do not fit together: file, entry, mistake."""
    yield from _about_units(content)
    yield from _about_chits(content)
    yield from _about_turns(content)
    yield from _about_scenarios(content)


def _about_units(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    zones = {(zone.side, zone.formation, zone.sheet) for zone in content.setup.zone}
    spaces = [f"turn {number}" for number in range(1, len(content.track.turns) + 1)]
    waiting: dict[str, list[str]] = {side: [*boxes, *spaces] for side, boxes in content.setup.boxes.items()}
    for unit in content.units.values():
        where = f"unit {unit.id}"
        if unit.arm not in content.chart.arms:
            yield "terrain.toml", f"arm {unit.arm}", f"is missing, but {unit.id} is of this arm"
        if unit.start == SET_UP and (unit.side, unit.formation, unit.sheet) not in zones:
            yield "units.toml", where, f"setup.toml has no zone of the {unit.side} {unit.formation} on map {unit.sheet}"
        if unit.start not in (SET_UP, *waiting.get(unit.side, ())):
            yield "units.toml", where, f"starts in {unit.start!r}, which is neither {SET_UP!r} nor a box of its side nor a turn"


def _about_chits(content: AvaContent) -> Iterator[tuple[str, str, str]]:
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
    turns = len(content.track.turns)
    for name, track in content.track.track.items():
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


def _about_scenarios(content: AvaContent) -> Iterator[tuple[str, str, str]]:
    for scenario in content.scenarios.values():
        where = f"scenario {scenario.id}"
        if scenario.track not in content.track.track:
            yield "scenarios.toml", where, f"has the track {scenario.track!r}, which turn_track.toml does not have"
        if scenario.last_turn > len(content.track.turns):
            yield "scenarios.toml", where, f"ends after turn {scenario.last_turn}, which the turn track does not have"
        used = content.units_of(scenario.id)
        for unit in scenario.surprise_attack:
            if unit not in used or not used[unit].is_headquarters:
                yield "scenarios.toml", where, f"begins with {unit!r}, which is no headquarters of its maps"
