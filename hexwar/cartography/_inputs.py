"""The geography as text: towns, rivers, banks, lines, shapes and the border, read and checked against each other."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shapely import Polygon
from shapely.geometry import shape

from hexwar.cartography._recipe import InputsPart
from hexwar.errors import ContentError
from hexwar.files import read_text
from hexwar.grouping import grouped


@dataclass(frozen=True, slots=True)
class Town:
    """A town on the ground."""

    name: str
    lon: float
    lat: float
    kind: str
    modern: str


@dataclass(frozen=True, slots=True)
class River:
    """A river from its source to its mouth; ``major_from`` is the point below which it is a major one."""

    name: str
    points: tuple[tuple[float, float], ...]
    major_from: int | None


@dataclass(frozen=True, slots=True)
class Start:
    """Where a formation sets up.

    Args:
        side: whose it is.
        formation: its name.
        kind: "area" where each hex must receive a unit, "range" where hexes may stay empty.
        units: how many units it has, its headquarters included.
        headquarters: the hex of its headquarters.
        hexes: all hexes, that one included.
    """

    side: str
    formation: str
    kind: str
    units: int
    headquarters: str
    hexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Geography:
    """Everything that was read."""

    towns: Mapping[str, Town]
    rivers: tuple[River, ...]
    banks: Mapping[str, Mapping[str, str]]
    railways: Mapping[str, Sequence[str]]
    roads: Mapping[str, Sequence[str]]
    shapes: tuple[tuple[str, str, Polygon], ...]
    border: tuple[tuple[float, float], ...] = ()
    border_towns: Mapping[str, str] = field(default_factory=dict)
    starts: tuple[Start, ...] = ()


def read_geography(folder: Path, inputs: InputsPart) -> Geography:
    """Read all input files of a recipe.

    Raises:
        ContentError: if a file is missing, a row is wrong, or a line names a town that is not in the towns file.
    """
    towns: dict[str, Town] = {}
    for file, number, row in _rows(folder, inputs.towns):
        if row["name"] in towns:
            raise ContentError(file, f"line {number}", f"{row['name']} stands here twice")
        towns[row["name"]] = Town(row["name"], *_place(file, number, row), row["kind"], row["modern"])

    def known(file: str, number: int, name: str) -> str:
        if name not in towns:
            raise ContentError(file, f"line {number}", f"{name} is in no file of towns")
        return name

    def lines(files: list[str]) -> dict[str, list[str]]:
        return grouped((row["line"], known(file, number, row["town"])) for file, number, row in _rows(folder, files))

    banks: dict[str, dict[str, str]] = {}
    for file, number, row in _rows(folder, inputs.banks):
        banks.setdefault(row["river"], {})[known(file, number, row["town"])] = row["side"]
    return Geography(
        towns=towns,
        rivers=tuple(_rivers(folder, inputs.rivers)),
        banks=banks,
        railways=lines(inputs.railways),
        roads=lines(inputs.roads),
        shapes=tuple(shape for file in inputs.terrain for shape in _shapes(folder, file)),
        border=tuple(_place(*row) for row in _rows(folder, inputs.border)),
        border_towns={known(file, number, row["town"]): row["side"] for file, number, row in _rows(folder, inputs.border_towns)},
        starts=tuple(_starts(folder, inputs.starts)),
    )


def _rows(folder: Path, files: list[str]) -> Iterator[tuple[str, int, dict[str, str]]]:
    for file in files:
        reader = csv.DictReader(read_text(folder / file, name=file).splitlines())
        for row in reader:
            if None in row or None in row.values():
                raise ContentError(file, f"line {reader.line_num}", f"needs {len(reader.fieldnames or ())} values")
            yield file, reader.line_num, row


def _place(file: str, number: int, row: Mapping[str, str]) -> tuple[float, float]:
    try:
        return float(row["lon"]), float(row["lat"])
    except ValueError:
        raise ContentError(file, f"line {number}", f"{row['lon']!r} and {row['lat']!r} are no longitude and latitude") from None


def _rivers(folder: Path, files: list[str]) -> Iterator[River]:
    found = grouped((row["river"], (row["cls"], _place(file, number, row))) for file, number, row in _rows(folder, files))
    for name, rows in found.items():
        if len(rows) < 2:
            raise ContentError(", ".join(files), f"river {name}", "needs at least two points")
        classes, points = zip(*rows, strict=True)
        yield River(name, points, classes.index("major") if "major" in classes else None)


def _shapes(folder: Path, file: str) -> Iterator[tuple[str, str, Polygon]]:
    for feature in json.loads(read_text(folder / file, name=file))["features"]:
        found = shape(feature["geometry"])
        if not isinstance(found, Polygon) or not found.is_valid:
            raise ContentError(file, feature["properties"]["name"], "is no proper polygon")
        yield feature["properties"]["kind"], feature["properties"]["name"], found


def _starts(folder: Path, files: list[str]) -> Iterator[Start]:
    for file, number, row in _rows(folder, files):
        if row["kind"] not in ("area", "range"):
            raise ContentError(file, f"line {number}", f"the kind is area or range, not {row['kind']!r}")
        yield Start(
            row["side"], row["formation"], row["kind"], int(row["units"]), row["headquarters"], tuple(row["hexes"].split())
        )
