"""Recipes: everything that decides how geography becomes a map, apart from the geography itself.

A recipe is text beside the inputs that it names. What a rulebook states stands in it with its clause; what was fitted or
chosen stands in it as a number, so that no number is hidden in the code.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from hexwar.pieces import Content, Field, load_content

LonLat = tuple[float, float]
Share = Annotated[float, Field(ge=0, le=1)]
Source = Annotated[str, Field(pattern=r"^(fact|fitted|reconstructed)\b")]
"""What a statement rests on: the rulebook (fact, then the clause), a computation (fitted), or a choice (reconstructed)."""


class _Statement(Content):
    source: Source


class GridPart(Content):
    """How the hexes stand and what is printed in them; the same words as in a map file."""

    layout: Literal["columns", "rows"]
    columns: int = Field(ge=1, le=99)
    shifted: Literal["odd", "even"]
    shift: Literal["up", "down", "east", "west"]
    order: Literal["columns-first", "rows-first"] = "columns-first"
    rows_from: Literal["north", "south"] = "north"


class ProjectionPart(Content):
    """A spherical Lambert conformal conic, then the affine map that fits the control points best, then the residual warp."""

    parallels: tuple[float, float] = Field(description="the two latitudes without distortion")
    origin: LonLat
    warp_length: float = Field(gt=0, description="how far, in hexes, a control point pulls its surroundings along")


class ControlPart(_Statement):
    """A place whose hex is known; after the warp it lies in that hex, or in the middle of those hexes."""

    place: str
    hexes: list[str] = Field(min_length=1)
    fitted: bool = Field(True, description="false: only the warp obeys it, because the hex is a guess")


class BoardPart(Content):
    """The board that joins all sheets."""

    id: str
    title: str


class SheetPart(BoardPart):
    """One map sheet: a window of rows of the common grid. Later sheets lie on top of earlier ones."""

    prefix: str = ""
    rows: int = Field(ge=1, le=99)
    offset: int = Field(0, description="added to a row number of this sheet it gives the row of the common grid")


class InputsPart(Content):
    """The files with the geography, beside the recipe; several files of a kind are read one after the other."""

    towns: list[str]
    rivers: list[str]
    banks: list[str]
    railways: list[str]
    roads: list[str]
    terrain: list[str]
    border: list[str] = Field(default_factory=list)
    border_towns: list[str] = Field(default_factory=list)
    starts: list[str] = Field(default_factory=list)


class WaterPart(Content):
    """What makes a hex water."""

    box: tuple[float, float, float, float] = Field(description="west, south, east, north of what is read, in degrees")
    share: Share = Field(description="a hex with more water than this is a water hex")
    side_share: Share = Field(description="a side between land hexes with more water than this is closed by water")
    lake_least: float = Field(description="lakes smaller than this (square degrees) are left out")
    reservoirs: list[LonLat] = Field(description="points in lakes that did not exist then")
    sea: str
    lake: str
    dry: dict[str, Source] = Field(default_factory=dict, description="hexside -> the source by which no water closes it")


class CoursePart(_Statement):
    """Hexsides that a river has whatever the geography says, by a rule or inside a city."""

    river: str
    major: bool
    sides: list[str] = Field(min_length=1)


class RiverPart(Content):
    """How rivers are laid along hexsides."""

    major: str
    minor: str
    water_side: str
    bridge: str
    always: list[CoursePart] = Field(default_factory=list)
    never: dict[str, Source] = Field(default_factory=dict, description="hexside -> the source by which no river lies there")


class LinkPart(Content):
    """How railways and roads are laid through hexes."""

    exits: dict[str, str] = Field(default_factory=dict, description="'town to town' -> the hex where the line leaves the map")
    via: dict[str, str] = Field(default_factory=dict, description="'town to town' -> a hex that the line passes between them")


class BorderPart(Content):
    """The line from which the campaign starts."""

    feature: str
    rivers: list[str] = Field(default_factory=list, description="rivers that it follows")
    extend: list[LonLat] = Field(default_factory=list, description="points before its first, to carry it to the map edge")
    grounds: dict[str, str] = Field(default_factory=dict, description="side -> the area that holds its ground")


class QuotaPart(Content):
    """Terrain from the forest index: this share of the land, after the quotas before it."""

    terrain: str
    share: Share


class LayerPart(QuotaPart):
    """Terrain from drawn shapes: the first layer that covers enough of a hex gives its terrain."""

    shape: str
    spared: Share = Field(0.0, description="this share of its hexes, the brightest and the darkest, is left to the forest index")


class TerrainPart(Content):
    """What grows and lies in the hexes."""

    legend: dict[str, str]
    plain: str = "clear"
    layers: list[LayerPart] = Field(default_factory=list)
    quotas: list[QuotaPart] = Field(default_factory=list)
    forest_shapes: dict[str, float] = Field(default_factory=dict, description="shape -> what it adds to the forest index")


class OverridePart(_Statement):
    """A hex that a rulebook describes."""

    hex: str
    terrain: str


class MaskPart(_Statement):
    """Ground that is printed on no map or lies outside the game."""

    name: str
    polygon: list[LonLat] = Field(min_length=3)
    becomes: str | None = Field(None, description="a terrain instead of no hex at all")


class FramePart(_Statement):
    """The play area of one scenario: what lies on one side of a line, or a whole sheet."""

    area: str
    sheet: str
    line: list[LonLat] = Field(default_factory=list)
    keep: Literal["north", "south"] = "north"


class PlacesPart(Content):
    """What towns are called on the board."""

    kinds: dict[str, str] = Field(description="kind in the towns file -> kind of place")
    forced: dict[str, list[str]] = Field(default_factory=dict, description="town -> its hexes, against the fit")
    promoted: dict[str, str] = Field(default_factory=dict, description="town -> kind of place, against the towns file")
    modern: bool = Field(False, description="whether the game calls towns by their names of today")
    names: dict[str, str] = Field(default_factory=dict, description="town -> what the game calls it")
    tags: dict[str, list[str]] = Field(default_factory=dict, description="tag -> towns")
    linked: bool = Field(False, description="whether the hexes of one city are joined by road and railway")


class BankPart(_Statement):
    """All land on one side of a river."""

    name: str
    river: str
    hex: str = Field(description="a hex on that side")


class AreaPart(_Statement):
    """A named set of hexes that the ruleset asks for."""

    name: str
    hexes: list[str] = Field(min_length=1)


class Recipe(Content):
    """One game: its sheets and its board."""

    format: Literal[1]
    grid: GridPart
    projection: ProjectionPart
    control: list[ControlPart] = Field(min_length=3)
    sheet: list[SheetPart] = Field(min_length=1)
    board: BoardPart | None = None
    inputs: InputsPart
    water: WaterPart
    rivers: RiverPart
    links: LinkPart = LinkPart()
    border: BorderPart | None = None
    terrain: TerrainPart
    places: PlacesPart
    override: list[OverridePart] = Field(default_factory=list)
    mask: list[MaskPart] = Field(default_factory=list)
    frame: list[FramePart] = Field(default_factory=list)
    area: list[AreaPart] = Field(default_factory=list)
    bank: list[BankPart] = Field(default_factory=list)
    provenance: dict[str, Any] = Field(default_factory=dict)


def read_recipe(path: Path) -> Recipe:
    """A recipe from its file.

    Raises:
        ContentError: if it is no TOML or has wrong keys.
    """
    return load_content(path, Recipe)
