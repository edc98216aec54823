"""The content files besides the counters: chits, turn track, scenarios, markers, and the numbers of the rulebook."""

from __future__ import annotations

from typing import Annotated, Literal

from hexwar.pieces import AfterValidator, Content, Field, Sourced
from hexwar_tow.counters import Label, Side

Count = Annotated[int, Field(strict=True, ge=0, le=999)]
Turn = Annotated[int, Field(strict=True, ge=1, le=8)]
Quarters = Annotated[float, Field(ge=0, le=99, multiple_of=0.25)]
Points = Annotated[tuple[Quarters, Quarters], Field(description="with a supply line, without")]
Box = Literal["PR", "IR", "AR"]
Luft = Literal["off", "def"]


class Chit(Content):
    """A command chit (2.4)."""

    id: Label
    name: Label
    side: Side | None = Field(None, description="whose it is; of both if not said")
    kind: Literal["hq", "supply", "reinforcements", "airborne", "stavka", "okh"]
    activates: list[Label] = Field([], description="the headquarters; whichever of them is on the map")
    front: str = Field("", description="the Front for which it counts (4.2.1.3)")
    turn: Turn = Field(description="from when it can be chosen")


class ChitFile(Sourced):
    """All chits."""

    chit: list[Chit]


class TrackFile(Sourced):
    """The turn track."""

    turns: list[Label] = Field(min_length=8, max_length=8)
    axis_chits: list[Annotated[int, Field(strict=True, ge=3, le=5)]] = Field(min_length=8, max_length=8)


class ScenarioEntry(Content):
    """A scenario (13.2, 13.3).

    Args:
        id: as `new_game` takes it.
        board: the id of its map.
        last_turn: after which the verdict falls.
        victory_points: what the Soviets need.
    """

    id: Label
    board: Label
    last_turn: Turn
    scheme: Literal["race", "campaign"] = Field(description="which table of victory points counts")
    victory_points: Count
    every_turn: bool = Field(description="whether the points decide at the end of any turn")
    verdict: Label = Field(description="the clause on its victory points")
    corners: tuple[Label, Label] | None = Field(None, description="its ground, from the south-west to the north-east corner")
    start: dict[Label, Label] = Field({}, description="its units and where each begins; all, as printed, if not said")
    sources: dict[Side, list[Label]] = Field({}, description="its supply sources; those of the map if not said")
    soviet_chits: Count | None = Field(None, description="how many chits the Soviets choose; as printed if not said")
    axis_chits: list[Count] = Field([], description="the same of the Axis, turn by turn")


class ScenarioFile(Sourced):
    """All scenarios."""

    scenario: list[ScenarioEntry]


class Together(Content):
    """12.3.5: crossing points that fall only when they and a town are clear of the Axis."""

    points: list[Label]
    town: Label


class MarkerFile(Sourced):
    """The markers."""

    supreme_command_orders: list[Label]
    crossing_together: Together
    counters: dict[Label, Count]


class Scale(Content):
    """1.1.1."""

    hex_km: Count
    turn_months: Count


class Stacking(Content):
    """5.0.2."""

    combat: Count
    headquarters: Count


class Zones(Content):
    """What enemy zones cost in movement points (9.3.1)."""

    enter: Count
    leave: Count


class Classes(Content):
    """Which arms are of which class (2.2.2, 2.2.3)."""

    mechanized: list[Label]
    other: list[Label]


class Pursuit(Content):
    """How many hexes a pursuit goes (10.5.2)."""

    mechanized: Count
    other: Count


class Relocation(Content):
    """2.3.6 and 2.3.10."""

    least: Count
    points: Count


class SupplyEffects(Content):
    """8.2.2 and 8.2.3."""

    weaker: Count
    allowance_divided_by: Annotated[int, Field(strict=True, ge=1)]


class LuftwaffeMarkers(Content):
    """7.0.2: a kind of marker, how many there are, and what one does."""

    markers: Count
    columns: int = 0
    roll: int = 0


class Crossing(Content):
    """PA.CP: what a number of crossing points gives."""

    at_least: Count = Field(alias="from")
    negotiation_points: Quarters
    luftwaffe: Count
    okh_units: Count


class Negotiation(Content):
    """11.2.1: prices in negotiation points."""

    order: Quarters
    PR: Quarters
    IR: Quarters
    AR: Quarters


class Race(Content):
    """13.2: what scores in the short scenario."""

    crossing: Quarters
    mechanized: Points
    other: Points


class Campaign(Content):
    """13.3: what scores in the campaign."""

    major_city: Quarters
    german_armour: Quarters
    other_german: Quarters
    relocation: Quarters
    breakthrough: Quarters


def _ascending(rows: list[Crossing]) -> list[Crossing]:
    steps = [crossing.at_least for crossing in rows]
    if steps != sorted(set(steps)) or steps[0]:
        raise ValueError("the rows of crossings must begin with 0 and ascend")
    return rows


class Numbers(Sourced):
    """Numbers of the rulebook that are in no other file."""

    soviet_chits: Count
    security_divisions: Count
    crossing_reach: Count
    crossings_fall_from: Turn
    drop_range: Count
    ukrainian_fronts_from: Turn
    scale: Scale
    stacking: Stacking
    zones: Zones
    classes: Classes
    pursuit: Pursuit
    relocation: Relocation
    supply: SupplyEffects
    luftwaffe: dict[Luft, LuftwaffeMarkers]
    negotiation: Negotiation
    crossings: Annotated[list[Crossing], AfterValidator(_ascending)] = Field(min_length=1)
    stavka: dict[Annotated[int, Field(ge=1, le=8)], Count] = Field(description="turn, as a word -> crossing points")
    race: Race
    campaign: Campaign

    def given_by(self, crossings: int) -> Crossing:
        """PA.CP: the row for a number of Soviet crossing points."""
        return [row for row in self.crossings if row.at_least <= crossings][-1]
