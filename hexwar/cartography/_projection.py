"""From longitude and latitude to the plane of the hexes.

Three steps: a spherical Lambert conformal conic, the affine map that fits the control points with the least squares, and a
warp that moves each control point to exactly where the rulebook has it and carries its surroundings along. Rivers and railways
go through the same three steps, so they keep their places beside the cities.

Every result is rounded. The mathematical functions of two platforms may differ in the last bit, and a map must not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

import numpy as np

from hexwar.cartography._grid import Grid
from hexwar.cartography._inputs import Town
from hexwar.cartography._recipe import Recipe
from hexwar.errors import ContentError
from hexwar.hexes import Point

DIGITS: Final = 6
"""Decimals of a plane coordinate: a hundredth of a metre on the ground."""

_RADIUS: Final = 6371.0


@dataclass(frozen=True, slots=True)
class Control:
    """A place known on the ground and on the map; ``fitted`` ones decide the affine map, all decide the warp."""

    place: str
    lon: float
    lat: float
    target: Point
    fitted: bool = True


def conic(parallels: tuple[float, float], origin: tuple[float, float]) -> Callable[[float, float], Point]:
    """The spherical Lambert conformal conic projection, in kilometres east and north of the origin."""
    first, second, base = (math.radians(value) for value in (*parallels, origin[1]))
    cone = math.log(math.cos(first) / math.cos(second)) / math.log(_half(second) / _half(first))
    scale = _RADIUS * math.cos(first) * _half(first) ** cone / cone
    rho_base = scale / _half(base) ** cone

    def project(lon: float, lat: float) -> Point:
        rho = scale / _half(math.radians(lat)) ** cone
        angle = cone * math.radians(lon - origin[0])
        return rho * math.sin(angle), rho_base - rho * math.cos(angle)

    return project


class Projection:
    """Places on the ground to points on the plane.

    Args:
        project: the cartographic projection, in kilometres.
        controls: at least three fitted places, not in one line.
        length: how far, in hexes, the warp reaches.
    """

    def __init__(self, project: Callable[[float, float], Point], controls: Sequence[Control], length: float) -> None:
        self._project = project
        self._length = length
        fitted = [control for control in controls if control.fitted]
        self._affine = _solved([(*project(it.lon, it.lat), 1.0) for it in fitted], [it.target for it in fitted])
        self._anchors = [self.unwarped(control.lon, control.lat) for control in controls]
        pulls = [[self._pull(math.dist(a, b)) for b in self._anchors] for a in self._anchors]
        shifts = [(it.target[0] - x, it.target[1] - y) for it, (x, y) in zip(controls, self._anchors, strict=True)]
        self._weights = _solved(pulls, shifts)
        self.residuals = {
            control.place: round(math.dist(control.target, anchor), 2)
            for control, anchor in zip(controls, self._anchors, strict=True)
        }
        """How far, in hexes, each control point lies from its target before the warp."""

    def unwarped(self, lon: float, lat: float) -> Point:
        """Where the affine map alone puts a place."""
        east, north = self._project(lon, lat)
        (a, b, c), (d, e, f) = self._affine
        return a * east + b * north + c, d * east + e * north + f

    def __call__(self, lon: float, lat: float) -> Point:
        """Where a place lies on the plane."""
        x, y = self.unwarped(lon, lat)
        pulls = [self._pull(math.hypot(x - ax, y - ay)) for ax, ay in self._anchors]
        across, down = self._weights
        return round(x + sum(map(mul, pulls, across)), DIGITS), round(y + sum(map(mul, pulls, down)), DIGITS)

    def _pull(self, distance: float) -> float:
        return math.exp(-((distance / self._length) ** 2))


def fit(recipe: Recipe, grid: Grid, towns: Mapping[str, Town], origin: str = "recipe") -> Projection:
    """The projection that a recipe's control points decide.

    Args:
        recipe: the recipe.
        grid: its grid.
        towns: its towns.
        origin: what the recipe is called in a message.

    Raises:
        ContentError: if a control point is no town, or the control points do not decide the projection.
    """
    controls = []
    for part in recipe.control:
        town = towns.get(part.place)
        if town is None:
            raise ContentError(origin, f"control {part.place}", "is in no file of towns")
        xs, ys = zip(*(grid.centre(grid.at(label)) for label in part.hexes), strict=True)
        controls.append(Control(part.place, town.lon, town.lat, (sum(xs) / len(xs), sum(ys) / len(ys)), part.fitted))
    try:
        return Projection(conic(recipe.projection.parallels, recipe.projection.origin), controls, recipe.projection.warp_length)
    except ValueError as error:
        raise ContentError(origin, "control", str(error)) from None


def _half(angle: float) -> float:
    return math.tan(math.pi / 4 + angle / 2)


def _solved(rows: Sequence[Sequence[float]], values: Sequence[Point]) -> list[list[float]]:
    """For either coordinate, the numbers by which the rows come nearest to the values."""
    found, _, rank, _ = np.linalg.lstsq(rows, values, rcond=None)
    if rank < len(rows[0]):
        raise ValueError("the control points do not decide the map: too few, in one line, or two in one place")
    across, down = found.T.tolist()
    return [across, down]
