"""Hex coordinates, hexsides, vertices, plane geometry and printed labels: pure functions and small values, no board."""

from hexwar.hexes._geometry import Point, centre, corners, hex_at, vertex_point
from hexwar.hexes._hex import (
    DIRECTION_NAMES,
    STEPS,
    Hex,
    Orientation,
    direction,
    disk,
    distance,
    line,
    neighbour,
    neighbours,
    reflect,
    ring,
    rotate,
)
from hexwar.hexes._labels import LabelCodec
from hexwar.hexes._sides import Hexside, Vertex

__all__ = [
    "DIRECTION_NAMES",
    "STEPS",
    "Hex",
    "Hexside",
    "LabelCodec",
    "Orientation",
    "Point",
    "Vertex",
    "centre",
    "corners",
    "direction",
    "disk",
    "distance",
    "hex_at",
    "line",
    "neighbour",
    "neighbours",
    "reflect",
    "ring",
    "rotate",
    "vertex_point",
]
