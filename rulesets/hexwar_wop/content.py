"""The tables, templates and scenarios as content: checked when they are read, even if no rule uses them yet."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, Literal, TypeVar

from hexwar import load_board
from hexwar.board import Board
from hexwar.errors import ContentError
from hexwar.pieces import AfterValidator, Content, Field, load_content

DATA = files(__package__) / "data"
HEADQUARTERS, AIR, RIVER, TRAIN = "hq", "air", "river_unit", "armoured_train"
ROUTES = ("road", "rail")
WHOLE, PARTS = "wkra", ("training", "raid", "narew")
"""The scenario with the order of battle, and those that take pieces from it."""
COLUMN, ROW = slice(2), slice(2, 4)
"""Where the label of a hex has them."""

Side = Literal["polish", "soviet"]
Type = Literal[
    "infantry", "cavalry", "artillery", "armoured_car", "tank", "armoured_train", "river_unit", "air", "hq",
]  # fmt: skip
Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]
Points = Annotated[float, Field(ge=0, le=60, multiple_of=0.5)]
Price = Points | Literal["closed"]
Small = Annotated[int, Field(strict=True, ge=0, le=99)]
Modifier = Annotated[int, Field(strict=True, ge=-10, le=10)]
Label = Annotated[str, Field(pattern=r"^\d{4}$")]
Hexside = Annotated[str, Field(pattern=r"^\d{4}\|\d{4}$")]


def _in_order(span: tuple[int, int]) -> tuple[int, int]:
    if span[0] > span[1]:
        raise ValueError(f"a span goes from the lower face to the higher one, not from {span[0]} to {span[1]}")
    return span


Face = Annotated[int, Field(strict=True, ge=0, le=9)]
Span = Annotated[tuple[Face, Face], AfterValidator(_in_order)]
"""The lowest and the highest face of the die that belong to an outcome."""


# -- terrain ------------------------------------------------------------------------------------------------------------


class Ground(Content):
    """What a kind of hex or hexside does.

    Args:
        id: as maps name it.
        cost: movement class -> points.
        combat: what is added to the attacker's die.
        status: what is printed and what is ours.
        zoc_enters: whether zones of control extend into such a hex (10.3.a).
        zoc_crosses: whether they extend across such a hexside.
        all_attackers: whether a hexside counts only if every attacker crosses it (14.13.c).
        blocks_supply: whether lines stop there (3.8.3).
        always_supplied: whether units there are (3.10).
        blocks_encirclement: see 14.13.t.
        garrison_site: see 11.1.
        no_combat_mod_for_vehicles_only: see 14.13.w.
    """

    id: str
    cost: dict[str, Price]
    combat: Modifier
    status: str
    zoc_enters: bool = True
    zoc_crosses: bool = True
    all_attackers: bool = False
    blocks_supply: bool = False
    always_supplied: bool = False
    blocks_encirclement: bool = False
    garrison_site: bool = False
    no_combat_mod_for_vehicles_only: bool = False


class Route(Content):
    """A road or a railway."""

    id: str
    cost: dict[str, Points]
    replaces_hex_cost: bool
    replaces_hexside_cost: bool
    status: str


class TerrainFile(Content):
    """The terrain table."""

    hex: list[Ground]
    hexside: list[Ground]
    route: list[Route]
    provenance: dict[str, str]


# -- combat -------------------------------------------------------------------------------------------------------------


class CombatModifier(Content):
    """Something that is added to the die: a number, a number for the better side, or a way to work it out."""

    id: str
    rule: str
    value: Modifier | None = None
    how: str = ""
    attacker_higher: Modifier | None = None
    defender_higher: Modifier | None = None
    cap_per_side: Small | None = None
    per: Literal["", "hex"] = ""


class Outcome(Content):
    """Hexes of retreat and levels lost."""

    retreat: Small
    losses: Small


class CombatRow(Content):
    """The results for a span of sums; the first and the last row are open at one end."""

    min: int | None = None
    max: int | None = None
    attacker: Outcome
    defender: Outcome


def _without_gaps(rows: list[CombatRow]) -> list[CombatRow]:
    if not rows or rows[0].min is not None or rows[-1].max is not None:
        raise ValueError("the first row has no min and the last row no max, so that every sum has a result")
    for one, other in pairwise(rows):
        if one.max is None or other.min != one.max + 1:
            raise ValueError(f"the row from {other.min} must follow on the one up to {one.max}")
    return rows


class CombatFile(Content):
    """Modifiers and the combat table."""

    modifier: list[CombatModifier]
    row: Annotated[list[CombatRow], AfterValidator(_without_gaps)]
    provenance: dict[str, str]


# -- the small tables ---------------------------------------------------------------------------------------------------


class Dice(Content):
    """1.4.a."""

    sides: Literal[10]
    lowest: Literal[0]


class Weather(Content):
    """The weather table of a season."""

    clear: Span
    cloudy: Span
    precipitation: Span

    def of(self, face: int) -> str:
        """4.1: the weather that a face of the die brings."""
        return next(name for name, (low, high) in self if low <= face <= high)


def _whole_die(table: dict[str, Weather]) -> dict[str, Weather]:
    for season, weather in table.items():
        spans = (weather.clear, weather.cloudy, weather.precipitation)
        if sorted(face for low, high in spans for face in range(low, high + 1)) != list(range(10)):
            raise ValueError(f"{season}: every face from 0 to 9 needs exactly one weather")
    return table


class Air(Content):
    """4.2, 17: air units and the die."""

    cloudy_operates: Span
    reconnaissance: Span
    reconnaissance_weakened: Small
    returns_full: dict[Literal["full", "weakened"], Span]
    returns_weakened: dict[Literal["full", "weakened", "rest"], Span]


class ByMorale(Content):
    """A modifier for a span of morale."""

    morale: Span
    modifier: Modifier


class Recreation(Content):
    """5, 14.47: how long it takes until a piece comes back."""

    minimum: Small
    by_type: dict[str, Modifier]
    by_morale: list[ByMorale]
    immobile_headquarters: Small
    returns_at_level: dict[Literal["three", "two", "one"], Small]


class Approached(Content):
    """9.23 to 9.27: what happens to a lone headquarters when such a unit comes near."""

    eliminated_on: Span | None = None
    displaced: Small
    passing_zone: Span


class Passing(Content):
    """14.28, 16.5: running past the enemy."""

    train_eliminated: Span
    river_unit_eliminated_or_weakened: Span


class ReactionEntry(Content):
    """13.9: who may fall back when an enemy comes near."""

    hexes: Small
    to: list[str]
    needs: str


class Stacking(Content):
    """12.2: how much may stand in a hex, and what a piece counts."""

    limit: Points
    weight: dict[str, Points]


class Rounding(Content):
    """A way to round, and the rules that round so."""

    mode: Literal["half up", "up", "up to a half", "down"]
    rules: list[str]


class TablesFile(Content):
    """The small tables."""

    dice: Dice
    weather: Annotated[dict[Literal["summer", "transition", "winter"], Weather], AfterValidator(_whole_die)]
    air: Air
    recreation: Recreation
    headquarters_approached: dict[str, Approached]
    passing: Passing
    pursuit: dict[str, float]
    reaction: dict[str, ReactionEntry]
    stacking: Stacking
    rounding: list[Rounding]
    provenance: dict[str, str]


# -- templates ----------------------------------------------------------------------------------------------------------


class MovementClass(Content):
    """13.2.b: how a kind of piece moves."""

    colour: str
    used_by: list[str]
    zoc_cost: str
    cost_per_rail_hex: Small | None = None
    cost_per_river_hexside: Small | None = None
    upstream_allowance_penalty: Small | None = None


class ZoneCost(Content):
    """10.6: parts of the allowance for leaving an enemy zone, and for going from one into another."""

    exit: Annotated[float, Field(ge=0, le=1)]
    zone_to_zone: Annotated[float, Field(ge=0, le=1)] | Literal["all", "forbidden"]


class Template(Content):
    """A kind of counter."""

    type: Type
    moves_as: str = ""
    strength: tuple[Small, ...] = ()
    bracketed: bool = False
    morale: Small = 0
    move: Small = 0
    range: Small = 0
    stars: Small = 0
    fighter: bool = False
    stars_full: Small = 0
    stars_weakened: Small = 0
    command_range: Small = 0
    tactical_rating: Small = 0


class TransportKind(Content):
    """18: what carries others."""

    moves_as: str
    move: Small
    morale: Small
    capacity: dict[str, Small]
    unload_cost: Small | Literal["half allowance, down"]


class Loading(Content):
    """18.2, 18.3, 18.12."""

    cost: Small
    echelon_hexes: Small
    returns_after: Small


class TemplatesFile(Content):
    """Movement classes and kinds of counters."""

    movement_class: dict[str, MovementClass]
    zone_cost: dict[str, ZoneCost]
    template: dict[str, Template]
    garrison: Template
    transport: dict[str, TransportKind]
    loading: Loading
    provenance: dict[str, str]

    def class_of(self, kind: str) -> str:
        """The movement class of a type of unit, or of a kind of transport (18.1)."""
        if kind in self.transport:
            return self.transport[kind].moves_as
        return next(name for name, entry in self.movement_class.items() if kind in entry.used_by)


# -- the scenario -------------------------------------------------------------------------------------------------------


class Turn(Content):
    """2.1: a turn of the track.

    Args:
        n: its number.
        date: as the calendar has it.
        initiative: who is active first.
    """

    n: Small
    date: str
    initiative: Side


class Headquarters(Content):
    """1.3.c, 9.5.b: a headquarters.

    Args:
        id: as players type it.
        kind: what it leads.
        name: for people.
        cr: its command range.
        tr: its tactical rating.
        mp: its movement points.
        army: the headquarters above it.
        subordinates: those below it.
        at: the hex where it begins.
        turn: the turn in which it comes otherwise.
        entry: the hex where it then comes onto the map.
    """

    id: str
    kind: Literal["army", "group", "formation"]
    name: str
    cr: Small
    tr: Small
    mp: Small
    army: str = ""
    subordinates: tuple[str, ...] = ()
    at: Label | None = None
    turn: Small | None = None
    entry: Label | None = None


class UnitEntry(Content):
    """A combat unit; one without a formation is independent (1.9.a).

    Args:
        id: as players type it.
        type: its arm.
        s: its strength at each level, the strongest first.
        m: its morale.
        mp: its movement points.
        wj: the headquarters of its formation.
        rng: the range of its guns.
        st: its stars.
        b: whether it only defends.
        garrison: whether it is a garrison.
        optional: whether a side may leave it out.
        name: for people.
        loaded: the transport on which it comes.
        at: the hex where it begins.
        side: the hexside where a river unit begins.
        turn: the turn in which it comes otherwise.
        entry: the hex where it then comes onto the map.
    """

    id: str
    type: Type
    s: Annotated[list[Small], Field(min_length=1, max_length=3)]
    m: Small
    mp: Small
    wj: str = ""
    rng: Small = 0
    st: Small = 0
    b: bool = False
    garrison: bool = False
    optional: bool = False
    name: str = ""
    loaded: str = ""
    at: Label | None = None
    side: Hexside | None = None
    turn: Small | None = None
    entry: Label | None = None


Piece = TypeVar("Piece", Headquarters, UnitEntry)


class AirEntry(Content):
    """An air unit: its stars at full strength and weakened.

    Args:
        id: as players type it.
        fighter: whether it fights others in the air.
        stars: at full strength, and weakened.
    """

    id: str
    fighter: bool
    stars: tuple[Small, Small]


class TransportEntry(Content):
    """A transport counter.

    Args:
        id: as players type it.
        kind: wagons, trucks, an echelon.
    """

    id: str
    kind: str


class Force(Content):
    """Everything that a side has.

    Args:
        headquarters: of all kinds.
        units: that fight.
        air: whatever air units there are.
        transport: its transport counters.
        garrisons: how many garrisons it may leave.
    """

    headquarters: list[Headquarters]
    units: list[UnitEntry]
    air: list[AirEntry]
    transport: list[TransportEntry]
    garrisons: Small


class VictoryHex(Content):
    """Points for taking a hex.

    Args:
        name: for people.
        hex: its label.
        owner: who has it at the beginning.
        value: the points for the other side.
    """

    name: str
    hex: Label
    owner: Side
    value: Small


class Radio(Content):
    """Points for entering a hex early.

    Args:
        side: who gets the points.
        value: how many.
        hex: the hex to enter.
        until: the last turn in which that counts.
    """

    side: Side
    value: Small
    hex: Label
    until: Small


class Level(Content):
    """A verdict, for differences of points from this on; a draw has no winner.

    Args:
        min: the least difference of points.
        result: the verdict in words.
        winner: the side that wins.
    """

    min: int
    result: str
    winner: Side | None = None


class Victory(Content):
    """19.3: what points are given for.

    Args:
        hexes: hexes to take.
        eliminated: kind of piece -> points for each that is off the map.
        radio: a hex to enter early.
        automatic: side -> hexes; with all of them it wins at once.
        levels: the verdicts, by the difference of points.
    """

    hexes: list[VictoryHex]
    eliminated: dict[str, Small]
    radio: Radio | None = None
    automatic: dict[Side, list[Label]] = Field({})
    levels: list[Level]


class Frame(Content):
    """What every scenario says besides its pieces.

    Args:
        title: with its dates.
        board: the map.
        frame: the hexes at two corners of the part of the map that is used; the whole map if there are none.
        bases: the bases of supply, where they are not those of the map.
        weather: the season.
        recreation: whether pieces come back (5.1).
        replacements: REPLACEMENT markers (5.14).
        groups: side -> the groups that it may create and dissolve (2.6.a).
        retreat: where the sides retreat to (14.21.a).
        turn: the track.
        victory: what points are given for.
        provenance: what is fact and what is reconstructed.
    """

    title: str
    board: str
    weather: Literal["summer", "transition", "winter"]
    recreation: bool
    replacements: dict[str, Small]
    groups: dict[Side, list[str]] = Field({})
    retreat: dict[Side, list[Direction]]
    turn: Annotated[list[Turn], Field(min_length=1)]
    victory: Victory
    provenance: dict[str, list[str]]
    frame: tuple[Label, Label] | None = None
    bases: dict[str, list[Label]] = Field({})

    def ground(self) -> Board:
        """The map, or the part of it that is used."""
        board = load_board(self.board)
        if self.frame is None:
            return board
        (left, right), (top, bottom) = (sorted(int(corner[part]) for corner in self.frame) for part in (COLUMN, ROW))
        kept = [label for label in board.labels if left <= int(label[COLUMN]) <= right and top <= int(label[ROW]) <= bottom]
        return board.crop(kept)


class ScenarioFile(Frame):
    """A scenario with an order of battle of its own."""

    polish: Force
    soviet: Force

    @property
    def forces(self) -> dict[str, Force]:
        """By side, the Polish one first."""
        return {"polish": self.polish, "soviet": self.soviet}


class Own(Content):
    """Pieces that a smaller scenario has besides those that it takes.

    Args:
        headquarters: of all kinds.
        units: that fight.
        air: whatever air units there are.
    """

    headquarters: list[Headquarters] = Field([])
    units: list[UnitEntry] = Field([])
    air: list[AirEntry] = Field([])


class Deployment(Content):
    """Where the pieces of an order of battle begin that a smaller scenario takes from it.

    Args:
        at: piece -> its hex, or the hexside of a river unit.
        arrives: piece -> turn and hex.
        air: air units.
        transport: transport counters.
        garrisons: how many may be placed.
        own: pieces that the order of battle does not have.
    """

    at: dict[str, Label | Hexside]
    arrives: dict[str, tuple[Small, Label]] = Field({})
    air: list[str] = Field([])
    transport: list[str] = Field([])
    garrisons: Small = 0
    own: Own = Field(default_factory=Own)

    def of(self, force: Force, source: str) -> Force:
        """The part of a force that it takes, in the order in which that has it, and its own pieces.

        Raises:
            ContentError: for a piece that the force does not have, or one of its own that the force has.
        """
        pieces = [entry.id for entry in force.headquarters] + [entry.id for entry in force.units]
        known = {*pieces, *(entry.id for entry in force.air), *(entry.id for entry in force.transport)}
        for name in (*self.at, *self.arrives, *self.air, *self.transport):
            if name not in known:
                raise ContentError(source, "", f"there is no {name} in the order of battle")
        own = [entry.id for entry in self.own.headquarters] + [entry.id for entry in self.own.units]
        for name in (*own, *(entry.id for entry in self.own.air)):
            if name in known:
                raise ContentError(source, "", f"{name} is in the order of battle already: take it, or name it otherwise")
        units = [self._begins(entry).model_copy(update={"loaded": ""}) for entry in force.units if self._takes(entry.id)]
        taken = {
            "headquarters": [self._begins(hq) for hq in force.headquarters if self._takes(hq.id)] + self.own.headquarters,
            "units": units + self.own.units,
            "air": [entry for entry in force.air if entry.id in self.air] + self.own.air,
            "transport": [entry for entry in force.transport if entry.id in self.transport],
        }
        return force.model_copy(update={**taken, "garrisons": self.garrisons})

    def _takes(self, name: str) -> bool:
        return name in self.at or name in self.arrives

    def _begins(self, entry: Piece) -> Piece:
        at = self.at.get(entry.id)
        turn, hex = self.arrives.get(entry.id, (None, None))
        where = {"side": at, "at": None} if at and "|" in at else {"at": at}
        return entry.model_copy(update={**where, "turn": turn, "entry": hex})


class PartFile(Frame):
    """A scenario with pieces of another one."""

    order_of_battle: str
    polish: Deployment
    soviet: Deployment

    def filled(self, whole: ScenarioFile, source: str) -> ScenarioFile:
        """The scenario with its pieces."""
        own = {name: value for name, value in self if name not in ("order_of_battle", "polish", "soviet")}
        forces = {"polish": self.polish.of(whole.polish, source), "soviet": self.soviet.of(whole.soviet, source)}
        return whole.model_copy(update={**own, **forces})


class WopContent:
    """Everything that is printed, or would be."""

    def __init__(self) -> None:
        self.terrain = load_content(DATA / "terrain.toml", TerrainFile)
        self.combat = load_content(DATA / "combat.toml", CombatFile)
        self.tables = load_content(DATA / "tables.toml", TablesFile)
        self.templates = load_content(DATA / "templates.toml", TemplatesFile)
        self.scenarios = {WHOLE: load_content(DATA / f"{WHOLE}.toml", ScenarioFile)}
        for name in PARTS:
            part = load_content(DATA / f"{name}.toml", PartFile)
            self.scenarios[name] = part.filled(self.scenarios[part.order_of_battle], f"{name}.toml")

    @property
    def common(self) -> dict[str, Content]:
        """The files that every scenario uses, by name."""
        names: dict[str, Content] = {"terrain.toml": self.terrain, "combat.toml": self.combat, "tables.toml": self.tables}
        return {**names, "templates.toml": self.templates}

    @property
    def files(self) -> dict[str, Content]:
        """By name."""
        return {**self.common, **{f"{name}.toml": scenario for name, scenario in self.scenarios.items()}}


@cache
def load_wop() -> WopContent:
    """The content of the ruleset, read once."""
    return WopContent()
