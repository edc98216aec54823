"""Hex coordinates, hexsides, vertices, sight, arcs, geometry and printed labels: pure functions and small values, no board."""

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
from hexwar.hexes._sight import arc, blocked_by, crossed, heading, in_arc

__all__ = [
    "DIRECTION_NAMES",
    "STEPS",
    "Hex",
    "Hexside",
    "LabelCodec",
    "Orientation",
    "Point",
    "Vertex",
    "arc",
    "blocked_by",
    "centre",
    "corners",
    "crossed",
    "direction",
    "disk",
    "distance",
    "heading",
    "hex_at",
    "in_arc",
    "line",
    "neighbour",
    "neighbours",
    "reflect",
    "ring",
    "rotate",
    "vertex_point",
]
