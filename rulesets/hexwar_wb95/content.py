"""Tables, counters and scenarios as content, checked when it is read.

An owner of the game can correct what is reconstructed without touching code: the files of a folder, given to `load_wb95` or named
by the environment variable HEXWAR_WB95_DATA, replace the bundled ones of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

from hexwar import load_board
from hexwar.board import Board
from hexwar.engine import record
from hexwar.errors import ContentError, UnknownName
from hexwar.files import package_folder
from hexwar.mechanics import ChartFile, TerrainChart
from hexwar.pieces import (
    AfterValidator,
    CombatTable,
    Content,
    ContentFiles,
    Field,
    Outcome,
    Sourced,
    Sources,
    Unit,
    UnitEntry,
    provenance_of,
    read_counters,
)
from hexwar.pieces import printed as printed_values

DATA = package_folder(__package__) / "data"
ARMS = ("infantry", "cavalry", "motorised", "armour", "gun", "sp-gun", "hq", "air")
HQ, AIR, GUN, SELF_PROPELLED = "hq", "air", "gun", "sp-gun"
GUNS = frozenset({GUN, SELF_PROPELLED})
MOTOR = frozenset({"motorised", "armour"})
HANGAR = "hangar"
LINE = "line"
"""The row of the terrain chart that prices lines of supply."""

Small = Annotated[int, Field(strict=True, ge=0, le=99)]
Die = Annotated[int, Field(strict=True, ge=1, le=7)]


# -- results ------------------------------------------------------------------------------------------------------------


class Half(NamedTuple):
    """What a half of a result asks of its side.

    Args:
        back: hexes to retreat or steps to lose, split at will.
        losses: steps to lose.
        rolls: whether each unit rolls for disorganisation.
        shaken: whether each unit is disorganised.
    """

    back: int = 0
    losses: int = 0
    rolls: bool = False
    shaken: bool = False


_HALF = re.compile(r"(?:([AB])([1-5]))?(?:-([1-5]))?(•|D)?")


@cache
def half(text: str, letter: str = "") -> Half:
    """Read a half of a result, such as "A2•", "-1" or "0".

    Raises:
        ValueError: it is not a letter, or is the letter of the other side.
    """
    found = _HALF.fullmatch(text)
    if text == "0":
        return Half()
    if not text or found is None or (found[1] or letter) != letter:
        retreat = f"{letter}1 to {letter}5, " if letter else ""
        raise ValueError(f"{text!r} is no result: it is 0, or {retreat}-1 to -5, and • or D, in this order")
    return Half(int(found[2] or 0), int(found[3] or 0), found[4] == "•", found[4] == "D")


@cache
def halves(name: str) -> tuple[Half, Half]:
    """What a result of the combat table asks of the attacker and of the defender."""
    attacker, stroke, defender = name.partition("/")
    if not stroke:
        raise ValueError(f"{name!r} is no result: a stroke separates attacker and defender")
    return half(attacker, "A"), half(defender, "B")


class CombatFile(Sourced):
    """The combat table."""

    columns: list[Annotated[str, Field(pattern=r"^\d+:\d+$")]]
    rows: dict[str, list[str]]


def _table(source: str, file: CombatFile) -> CombatTable:
    ratios = {}
    for column in file.columns:
        attack, defence = map(int, column.split(":"))
        if not defence:
            raise ContentError(source, "columns", f"{column} is no ratio")
        ratios[column] = Fraction(attack, defence)
    if list(ratios.values()) != sorted(set(ratios.values())):
        raise ContentError(source, "columns", "must be different and ascend from the worst odds to the best")
    if list(file.rows) != [str(number) for number in range(1, 7)]:
        raise ContentError(source, "rows", "must be 1 to 6, the faces of the die")
    rows = {}
    for roll, names in file.rows.items():
        if len(names) != len(ratios):
            raise ContentError(source, f"row {roll}", f"has {len(names)} results for {len(ratios)} columns")
        try:
            found = [(name, *halves(name)) for name in names]
        except ValueError as error:
            raise ContentError(source, f"row {roll}", str(error)) from None
        rows[int(roll)] = tuple([Outcome(name, a.losses, b.losses, b.back, a.back) for name, a, b in found])
    return CombatTable(ratios, rows, capped=True)


# -- the small tables ---------------------------------------------------------------------------------------------------


class Disorganisation(Content):
    """result.6: which roll disorganises."""

    least: Die


class River(Content):
    """combat.6: columns for the defender."""

    small: Small
    large: Small


class FireTable(Content):
    """art.16, art.20, air.9: strength against die."""

    start: list[Small] = Field(alias="from")
    rows: dict[str, list[str]]

    def result(self, strength: int, roll: int) -> str:
        """What some strength brings with a roll; a strength below the first column brings nothing."""
        column = sum(strength >= least for least in self.start) - 1
        return self.rows[str(roll)][column] if column >= 0 else "0"


class Destruction(Content):
    """air.8: bombers against a bridge or fieldworks."""

    start: list[Small] = Field(alias="from")
    least: list[Die]
    large_river: Small


class Guns(Content):
    """art.1."""

    range: Small


class Stars(Content):
    """star.2."""

    most: Small


class Concentration(Content):
    """conc.1."""

    units: Small


class AntiAircraft(Content):
    """air.3."""

    removed: Small


class Forts(Content):
    """fs.3, fs.5, fs.6: columns, and the losses of a defender who stays."""

    stay: dict[str, Small]
    front: Small
    rear: Small


class Fieldworks(Content):
    """up.4: columns."""

    open: Small
    built_up: Small


class Nation(Content):
    """hq.3, supply.2."""

    command: Small
    supply: Small


def _complete(fire: FireTable) -> FireTable:
    for roll in map(str, range(1, 7)):
        row = fire.rows.get(roll, [])
        if len(row) != len(fire.start):
            raise ValueError(f"row {roll} has {len(row)} results for {len(fire.start)} columns")
        for text in row:
            half(text)
    return fire


class TablesFile(Sourced):
    """The small tables."""

    disorganisation: Disorganisation
    river: River
    fire: Annotated[FireTable, AfterValidator(_complete)]
    destruction: Destruction
    guns: Guns
    stars: Stars
    concentration: Concentration
    anti_aircraft: AntiAircraft
    forts: Forts
    fieldworks: Fieldworks
    nations: dict[str, Nation]


# -- counters -----------------------------------------------------------------------------------------------------------


class CounterEntry(UnitEntry):
    """A counter."""

    nation: str
    star: Literal["", "white", "black", "gold"] = ""


class CounterFile(Sourced):
    """All counters."""

    unit: list[CounterEntry]


@record
class Counter(Unit):
    """A piece of this game; `formation` is the division or corps in the upper right corner.

    Args:
        nation: whose headquarters and lines it has.
        star: the colour of its star, "" for most.
    """

    nation: str = ""
    star: str = ""

    @property
    def is_gun(self) -> bool:
        """Whether it is artillery."""
        return self.arm in GUNS


# -- scenarios ----------------------------------------------------------------------------------------------------------


class Frame(Content):
    """The part of a map that is used."""

    columns: tuple[Small, Small]
    rows: tuple[Small, Small]


class Within(Content):
    """A unit of the side that attacks in a place, or this many hexes from it."""

    place: str
    hexes: Small


class Victory(Content):
    """What the side that attacks needs in the end; otherwise the other wins."""

    side: str
    points: Small | None = None
    sudden: list[str] = Field([])
    within: Within | None = None


class Scenario(Content):
    """A scenario."""

    title: str
    board: str
    turns: Small
    dates: list[str]
    order: list[str]
    ammunition: dict[str, Small]
    control: dict[str, list[str]]
    victory: Victory
    fieldworks: list[str] = Field([])
    air: list[Small] = Field([])
    entry: dict[str, str] = Field({})
    supply: dict[str, list[str]] = Field({})
    units: list[str] = Field([])
    moved: dict[str, str] = Field({})
    frame: Frame | None = None

    def ground(self) -> Board:
        """The map, or the part of it that is used."""
        board = load_board(self.board)
        if self.frame is None:
            return board
        (left, right), (top, bottom) = self.frame.columns, self.frame.rows
        kept = [label for label in board.labels if left <= int(label[:2]) <= right and top <= int(label[2:]) <= bottom]
        return board.crop(kept)


class ScenarioFile(Content):
    """All scenarios."""

    provenance: dict[str, list[str]]
    scenario: dict[str, Scenario]


# -- all of it ----------------------------------------------------------------------------------------------------------

MODELS: Mapping[str, type[Content]] = {
    "combat.toml": CombatFile,
    "scenarios.toml": ScenarioFile,
    "tables.toml": TablesFile,
    "terrain.toml": ChartFile,
}


@dataclass(frozen=True)
class Wb95Content:
    """Everything that is printed, or would be."""

    table: CombatTable
    chart: TerrainChart
    tables: TablesFile
    units: Mapping[str, Counter]
    scenarios: Mapping[str, Scenario]
    provenance: Mapping[str, Mapping[str, object]]

    def roster(self, scenario: Scenario) -> dict[str, Counter]:
        """The counters of a scenario, where they begin in it.

        Raises:
            UnknownName: it names a counter that there is not.
        """
        for unit in (*scenario.units, *scenario.moved):
            if unit not in self.units:
                raise UnknownName("unit", unit, self.units)
        taken = [unit for unit in self.units if not scenario.units or unit in scenario.units]
        return {unit: _moved(self.units[unit], scenario.moved.get(unit)) for unit in taken}


def _moved(counter: Counter, start: str | None) -> Counter:
    return replace(counter, start=start) if start else counter


def _made(sources: Sources, read: dict[str, Any]) -> Wb95Content:
    tables: TablesFile = read["tables.toml"]

    def mistake(entry: CounterEntry) -> str:
        nation = tables.nations.get(entry.nation)
        if entry.arm not in ARMS:
            return f"arm {entry.arm!r} is not one of {', '.join(ARMS)}"
        if nation is None:
            return f"nation {entry.nation!r} is not one of {', '.join(tables.nations)}"
        if entry.command != (nation.command if entry.arm == HQ else 0):
            return f"a headquarters of this nation commands {nation.command} hexes, and nobody else commands"
        if entry.arm not in GUNS | {AIR} and entry.full[0] != entry.full[1]:
            return "only artillery has two strengths"
        return ""

    sources_of_units = sources["units.toml"]
    units, of_units = read_counters(sources_of_units, CounterFile, lambda entry: Counter(**printed_values(entry)), mistake)
    return Wb95Content(
        table=_table("combat.toml", read["combat.toml"]),
        chart=TerrainChart.load(sources["terrain.toml"]),
        tables=tables,
        units=units,
        scenarios=read["scenarios.toml"].scenario,
        provenance={**provenance_of(read), "units.toml": of_units},
    )


load_wb95 = ContentFiles(_made, data=DATA, models=MODELS, others=("units.toml",), variable="HEXWAR_WB95_DATA", title="WB-95")
"""Reads the content."""
