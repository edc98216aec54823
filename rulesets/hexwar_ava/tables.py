"""The content files besides the counters: chits, turn track, scenarios, set-up, markers, and the numbers of the rulebook."""

from __future__ import annotations

from typing import Annotated, Literal

from hexwar.pieces import Content, Field, Sourced
from hexwar_ava.counters import Label, Nation, Sheet, Side

Count = Annotated[int, Field(strict=True, ge=0, le=99)]
Turn = Annotated[int, Field(strict=True, ge=1, le=9)]
PerTurn = Annotated[list[Count], Field(min_length=1)]
Players = Literal["1", "2", "3", "4", "5", "6", "7", "8"]
Points = Annotated[tuple[Count, Count], Field(description="with a line of communication, without")]
Rolls = Annotated[tuple[Count, ...], Field(min_length=6, max_length=6, description="by the roll of the die")]


class Chit(Content):
    """An activation chit (2.2.15)."""

    id: Label
    name: Label
    side: Side | None = Field(None, description="whose it is; of both if not said")
    nation: Nation | None = Field(None, description="against whose number of the turn track it counts")
    kind: Literal["hq", "interrupt", "reinforcements", "supply", "direct", "master"]
    activates: str = Field("", description="the headquarters")
    sheet: Sheet | None = Field(None, description="the map whose scenario has it; all of them if not said")
    turn: Turn = Field(description="from when it can be selected")
    choice: bool = Field(False, description="one of those that the Soviet player adds one by one (18.1.4)")
    copies: Count = 1
    only_with: str = Field("", description="the optional rule that needs it")


class ChitFile(Sourced):
    """All chits."""

    chit: list[Chit]


class Track(Content):
    """The numbers of the turn track, one a turn."""

    length: Turn | None = Field(None, description="how many turns it has; all of them if not said")
    chits: dict[Nation, PerTurn]
    reinforcements: dict[Nation, PerTurn]
    strategic_reserve: PerTurn


class Arrival(Content):
    """Units that wait on a space of the turn track."""

    turn: Turn
    side: Side
    formation: Label
    sheet: Sheet
    units: Count
    with_chit: Label
    clause: Label


class TrackFile(Sourced):
    """The turn track."""

    turns: list[Label]
    track: dict[str, Track]
    arrival: list[Arrival]


class Fortresses(Content):
    """How the Soviets may build (14.0, 18).

    Args:
        from_turn: the first turn in which they may.
        hexes: how many hexes may have one.
    """

    from_turn: Turn = Field(alias="from")
    hexes: Count
    levels: Count = Field(description="at each supply check")


class ExtraHeadquarters(Content):
    """Soviet chits of choice that become available each turn (18.1.4).

    Args:
        from_turn: the first turn in which they do.
        chits: map -> how many.
    """

    from_turn: Turn = Field(alias="from")
    chits: dict[Sheet, Count]


class Direct(Content):
    """How many units the chits of 17.2 activate; a chit that the scenario does not have has no numbers.

    Args:
        okh: of OKH, by the face of the die.
        reserves: of Reserves, by the face of the die.
    """

    okh: Rolls | None = None
    reserves: Rolls | None = None


class Withdrawal(Content):
    """Mechanized units that must leave (18.2.5).

    Args:
        turn: when.
        attack: how much attack strength they have together.
    """

    turn: Turn
    attack: Count


class Breakthrough(Content):
    """Hexes that score besides those of 16.3 (18.2.9).

    Args:
        area: the area of the map in which they lie.
    """

    area: Label
    points: Points


class ScenarioEntry(Content):
    """A scenario (18), the campaign, or a scenario of hexwar's own.

    Args:
        id: as `new_game` takes it.
        board: the id of its map.
        sheets: the maps that it is played on.
        track: the turn track that counts.
        last_turn: after which the verdict falls.
        victory_points: what the Axis needs.
        surprise_attack: the headquarters that attack before the first turn.
    """

    id: Label
    board: Label
    frame: str = Field("", description="the area that is played on; the whole board if not said")
    hexes: list[Label] = Field([], description="the hexes that are played on, instead of a frame")
    sheets: list[Sheet] = Field(min_length=1)
    track: Label
    last_turn: Turn
    verdict: Label = Field(description="the clause on its victory points")
    victory_points: Annotated[int, Field(strict=True, ge=0, le=999)]
    without: list[Label] = Field([], description="units with these tags stay out")
    start: dict[Label, Label] = Field({}, description="its units and where each begins; those of its maps, set up, if not said")
    sources: dict[Side, list[Label]] = Field({}, description="its supply sources; those of the map if not said")
    axis_supply_from: Turn | None = Field(None, description="from when the Axis checks supply (15.1.4)")
    reinforcements_from: Turn | None = Field(None, description="from when reinforcements come (12.0.1)")
    fortresses: Fortresses | None = None
    extra_headquarters: ExtraHeadquarters
    surprise_attack: list[Label]
    direct: Direct
    reserves_hold_back: bool = Field(False, description="units of Reserves stay out of zones and do not attack (18.1.14)")
    withdrawal: Withdrawal | None = None
    breakthrough: Breakthrough | None = None
    zhukov: str = Field("", description="the city that calls him (18.1.9)")
    clauses: list[Label] = Field([], description="where the rulebook says this")


class ScenarioFile(Sourced):
    """All scenarios."""

    scenario: list[ScenarioEntry]


class Zone(Content):
    """Where a formation sets up (4.0): names of areas on the board."""

    side: Side
    formation: Label
    sheet: Sheet
    kind: Literal["area", "range", "hex"]
    hexes: Label
    headquarters: str = ""
    beside_headquarters: Count = 0


class SetupFile(Sourced):
    """The set-up."""

    first: Side
    boxes: dict[Side, list[Label]]
    zone: list[Zone]


class Marker(Content):
    """A kind of marker (2.2.16)."""

    kind: Label
    title: Label
    side: Side | None = None
    supply: dict[Sheet, Count] = Field({}, description="how many there are for each map; as many as needed if not said")
    start: list[Label] = Field([], description="the hexes or spaces that have one at the start")
    level: Count = 0
    places: list[Label] = Field([], description="the kinds of places that always have one")


class Control(Content):
    """Who controls which places at the start (3.4.1)."""

    places: list[Label]
    area: Label
    inside: Side
    outside: Side


class MarkerFile(Sourced):
    """All markers."""

    marker: list[Marker]
    control: Control


class Scale(Content):
    """1.1.1."""

    hex_km: Count
    turn_days: Count
    unit: Label


class Zones(Content):
    """What enemy zones cost in movement points (9.2.5, 9.2.6)."""

    enter: Count
    leave: Count


class Classes(Content):
    """Which arms are of which class (2.2.1, 2.2.2)."""

    mechanized: list[Label]
    infantry: list[Label]


class Pursuit(Content):
    """How many hexes a pursuit goes (10.7.2 to 10.7.4)."""

    by_class: dict[Literal["mechanized", "infantry"], Count] = Field(alias="class")
    first_hex: dict[Label, Count]
    first_side: dict[Label, Count]


class Fortress(Content):
    """14.1.5 and 14.2.1."""

    levels: Count
    defence: Count


class Victory(Content):
    """What scores (16.1 to 16.3)."""

    major_city: Points
    stand_fast: Points
    supply_source: Points
    from_moscow: Points
    full_german_mechanized: Count
    eliminated_soviet_mechanized: Count


class Numbers(Sourced):
    """Numbers of the rulebook that stand in no other file."""

    stacking: Count
    axis_line_off_rail: Count
    axis_supply_from: Turn
    stand_fast_removal_from: Turn
    soviet_line_to_road: Count
    german_mechanized_limit: Count
    scale: Scale
    zones: Zones
    classes: Classes
    pursuit: Pursuit
    fortress: Fortress
    victory: Victory


class Role(Content):
    """What a seat commands where many play (19.2)."""

    seat: Label
    title: Label
    side: Side
    sheets: list[Sheet] = Field(min_length=1)
    formations: list[Label] = Field([], description="its own among those of its maps")
    nations: list[Nation] = Field([], description="the same of nations")


class Masters(Content):
    """20.2.4: the Master chits of a side."""

    number: dict[Players, Count] = Field(description="by the number of its players")
    fewer_in_turn_1: Count


class RoleFile(Sourced):
    """The roles of many players, and the numbers of the variant without a controller."""

    role: list[Role]
    controllers: dict[Players, Label]
    masters: Masters
