"""The file of a terrain effects chart, as it is checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from hexwar.pieces._checked import BeforeValidator, Content, Field
from hexwar.pieces._content import Name, Sourced


def _checked(message: str, words: tuple[str, ...] = ()) -> Any:
    """One sentence for all that can be wrong with a number of points, instead of one for each member of a union."""

    def check(value: object) -> object:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value in words or (is_number and 0 <= value <= 60 and value * 2 % 1 == 0):  # type: ignore[operator]
            return value
        raise ValueError(message)

    return BeforeValidator(check)


def _check_bridges(value: object) -> object:
    lists = [value] if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [None]
    if all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
        return value
    raise ValueError("must be a list of links, or a table of links with a list of hexside features for each")


Points = Annotated[float, _checked("must be 0 to 60 movement points, in halves")]
Price = Annotated[
    float | Literal["closed", "all"],
    _checked('must be 0 to 60 movement points, in halves, or "closed" or "all"', ("closed", "all")),
]
Columns = Annotated[int, Field(strict=True, ge=-20, le=20)]


class ArmEntry(Content):
    """How one arm moves."""

    terrain: dict[Name, Price] = Field(description="terrain -> movement points to enter")
    sides: dict[Name, Price] = Field({}, description="hexside feature -> points on top, unless a link bridges it")
    links: dict[Name, Points] = Field({}, description="link -> points of a step along it, whatever the terrain")


class ChartFile(Sourced):
    """A terrain effects chart."""

    arm: dict[Name, ArmEntry]
    bridges: Annotated[list[Name] | dict[Name, list[Name]], BeforeValidator(_check_bridges)] = Field(
        [], description="links that cross hexsides as bridges; as a table link -> the features that it lifts"
    )
    flat: dict[Name, Points] = Field({}, description="kind of place -> points to enter, and its terrain does not count")
    shifts: dict[Name, Columns] = Field({}, description="terrain or kind of place -> columns, left is negative")
    halved_across: list[Name] = Field([], description="hexside features across which attackers are halved")
    harmless: list[Name] = Field([], description="hexside features and links of the maps that cost nothing and stop nobody")
