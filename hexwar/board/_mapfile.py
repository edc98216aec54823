"""The shape of map files: what keys there are and what each may hold.

Only shapes are checked here; what the keys say about each other (is this label on the map, are these hexes adjacent) is checked
where the content is put together, because only there can a message name the hex.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

FORMAT: Final = 1
"""The version of the format that this hexwar reads."""

_ID: Final = r"^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*$"
_WORD: Final = r"^[a-z0-9][a-z0-9_-]*$"
_SYMBOL: Final = r"^[^\s-]$"
_PREFIX: Final = r"^[A-Za-z]{0,8}$"
_LABEL: Final = r"^\S+$"

HINTS: Final = {
    _ID: "an id is made of small letters, digits, - and _, with / between its parts",
    _WORD: "a name here is made of small letters, digits, - and _",
    _SYMBOL: "a symbol is one character, neither a blank nor '-', which means: no hex",
    _PREFIX: "a prefix is made of at most 8 letters A-Z and a-z",
    _LABEL: "a label has no blanks",
}
"""Pattern -> what a message says of it."""

_Id = Annotated[str, StringConstraints(pattern=_ID, max_length=100)]
_Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_Word = Annotated[str, StringConstraints(pattern=_WORD, max_length=60)]
_Symbol = Annotated[str, StringConstraints(pattern=_SYMBOL)]
_Count = Annotated[int, Field(strict=True, ge=1, le=500)]
_First = Annotated[int, Field(strict=True, ge=0, le=9999)]
_Properties = dict[_Word, str | int | float | bool | list[str]]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True)


class GridPart(_Part):
    """How many hexes there are, how they stand and what is printed in them."""

    layout: Literal["columns", "rows"] = Field(description="columns: flat-top hexes in columns; rows: pointy-top hexes in rows")
    columns: _Count = Field(description="number of columns")
    rows: _Count = Field(description="number of rows")
    shifted: Literal["odd", "even"] = Field(description="which columns (layout columns) or rows (layout rows) are out of line")
    shift: Literal["up", "down", "east", "west"] = Field(description="which way those are shifted by half a hex")
    order: Literal["columns-first", "rows-first"] = Field("columns-first", description="which number a label begins with")
    first_column: _First = Field(1, description="number of the westernmost column")
    first_row: _First = Field(1, description="number of the row where counting starts")
    rows_from: Literal["north", "south"] = Field("north", description="edge where row numbers start")
    digits: Annotated[int, Field(strict=True, ge=1, le=4)] = Field(2, description="digits of each number in a label")
    prefix: Annotated[str, StringConstraints(pattern=_PREFIX)] = Field("", description="letters before the digits")


class TerrainPart(_Part):
    """The terrain of every hex as a block of text."""

    legend: dict[_Symbol, _Word] = Field(min_length=1, description="symbol -> terrain; '-' always means: no hex here")
    rows: str = Field(description="one line a row, north at the top, one symbol a hex; blanks between symbols do not count")


class HexPart(_Part):
    """What the terrain block cannot say about one hex."""

    hex: str = Field(description="its label")
    terrain: _Word | None = Field(None, description="a terrain of the legend, instead of the one in the block")
    properties: _Properties = Field(default_factory=dict, description="anything the ruleset asks about")


class PlacePart(_Part):
    """A named place."""

    name: _Name = Field(description="as printed")
    kind: _Word = Field(description="the ruleset's word for what it is: town, city, port")
    hex: str = Field(description="the label of its hex, or of several hexes with blanks between them")
    value: Annotated[int, Field(strict=True)] = Field(0, description="what the ruleset counts it for: points, supply, size")
    tags: list[_Word] = Field(default_factory=list, description="anything else that the ruleset asks about")


class SheetPart(_Part):
    """One sheet of a board; it lies on top of those before it."""

    map: _Id = Field(description="the id of its map file")
    join: list[str] = Field(
        default_factory=list,
        description="where it lies: 'S0101 on L0121' (this hex covers that one) or 'K0101 S of S0130' (it lies south of it)",
    )


class _File(_Part):
    format: Annotated[int, Field(strict=True)] = Field(description="the version of this format, 1")
    id: _Id = Field(description='as players and rulesets name it: "mine/ford"')
    title: str = Field("", max_length=200, description="for people")
    provenance: dict[str, Any] = Field(default_factory=dict, description="what is fact, fitted or reconstructed, and from where")


class _Features(_File):
    hex: list[HexPart] = Field(default_factory=list)
    sides: dict[_Word, list[str]] = Field(
        default_factory=dict, description="feature -> hexsides: '0304/SE', several of one hex '0304/SE/S', or '0304|0404'"
    )
    links: dict[_Word, list[str]] = Field(default_factory=dict, description="kind -> chains of hexes: '0101 0102 0203'")
    place: list[PlacePart] = Field(default_factory=list)
    areas: dict[_Name, list[str]] = Field(
        default_factory=dict, description="name -> hexes: '0101 0102', or '0101..0109' within one column or row"
    )


_Length = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
_Spot = tuple[_Length, _Length]
_Label = Annotated[str, StringConstraints(pattern=_LABEL, max_length=60)]


class AreaPart(_Part):
    """One area."""

    label: _Label = Field(description="as players type it")
    name: str = Field("", description="for people, if it is not the label")
    terrain: _Word = Field("clear", description="the ruleset's word for what it is")
    middle: _Spot = Field(description="where its pieces are drawn, in any unit")
    outline: list[_Spot] = Field(default_factory=list, description="the corners of its border; a circle is drawn without")


class AreasFile(_File):
    """A board of areas that are joined by links."""

    kind: Literal["areas"] = Field(description="the kind of board")
    area: list[AreaPart] = Field(min_length=1, max_length=2000)
    links: dict[_Word, list[str]] = Field(default_factory=dict, description="kind -> chains of areas: 'north south east'")


class ZonePart(_Part):
    """A part of a plane."""

    terrain: _Word = Field(description="the ruleset's word for what it is")
    name: str = Field("", description="for people")
    outline: list[_Spot] = Field(min_length=3, description="its corners")
    crest: list[_Spot] = Field(default_factory=list, min_length=2, description="of a hill: the line along its top, end to end")


class LinePart(_Part):
    """Something that runs across a plane."""

    kind: _Word = Field(description="the ruleset's word for what it is: road, river")
    points: list[_Spot] = Field(min_length=2, description="from one end to the other")
    name: str = Field("", description="for people")
    width: _Length = Field(0, description="how wide it is, in the units of the plane; 0 where that does not matter")


class PlaneFile(_File):
    """A plane with coordinates."""

    kind: Literal["plane"] = Field(description="the kind of board")
    width: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] = Field(description="in its units")
    height: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] = Field(description="in its units")
    unit: str = Field("", description="what is counted, such as mm")
    piece: _Length = Field(0, description="how wide a piece is drawn")
    zone: list[ZonePart] = Field(default_factory=list)
    line: list[LinePart] = Field(default_factory=list)
    closed: dict[_Word, list[Annotated[list[_Spot], Field(min_length=3)]]] = Field(
        default_factory=dict, description="who moves, such as vehicles -> outlines that are shut to them"
    )
    scenario: dict[str, Any] = Field(
        default_factory=dict, description="what a ruleset reads besides: edges, where sides deploy, objectives"
    )


class MapFile(_Features):
    """One sheet: a grid of hexes and what is printed on it."""

    kind: Literal["hexes"] = Field("hexes", description="the kind of board")
    grid: GridPart
    terrain: TerrainPart


class BoardFile(_Features):
    """Several sheets put together; features that cross a seam, or that only hold for the joined board, are listed here."""

    sheet: list[SheetPart] = Field(min_length=1, max_length=16)


class RemovalsPart(_Part):
    """What is not there, although the map says so."""

    sides: dict[_Word, list[str]] = Field(default_factory=dict, description="feature -> hexsides that do not have it")
    links: dict[_Word, list[str]] = Field(default_factory=dict, description="kind -> chains of hexes that it does not join")
    places: list[_Name] = Field(default_factory=list, description="names of places")


class OverridesFile(_Features):
    """Corrections to a sheet or a board: what a map file says, corrected.

    A hex, side or link that it names is added or changed, a place or an area that it names is replaced, and what stands under
    ``remove`` is taken away first.
    """

    remove: RemovalsPart = RemovalsPart()
