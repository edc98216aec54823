"""A plane that is geometry: units stand anywhere on a table, and every distance is measured.

State, actions and events hold whole numbers, and whole numbers decide: no verdict rests on trigonometry or on floating point
alone, so a game is the same on every machine. Shapely checks table files and builds what goes into them.
"""

from hexwar.plane._base import (
    CM,
    EDGES,
    TOUCH,
    Base,
    Placed,
    Pose,
    Ring,
    Spot,
    along,
    direction,
    in_arc,
    length,
    shifted,
    towards,
    turned,
)
from hexwar.plane._check import check_board, joined
from hexwar.plane._compiled import COMPILED
from hexwar.plane._contact import (
    Displaced,
    away,
    contact,
    edges_towards,
    facing,
    flank,
    is_edge_free,
    meets_ring,
    rectangle,
    square,
    strip,
)
from hexwar.plane._exact import contains, first_touch, gap2, half_inside, meets, overlap, shadow, sweeps, within
from hexwar.plane._sight import Field, Look, Sight
from hexwar.plane._terrain import SMOKE, Area, Breach, Line, Terrain
from hexwar.plane._ways import LEGS, Class, Crossing, UnitWays, Ways, Why, beginning

__all__ = [
    "CM",
    "COMPILED",
    "EDGES",
    "LEGS",
    "SMOKE",
    "TOUCH",
    "Area",
    "Base",
    "Breach",
    "Class",
    "Crossing",
    "Displaced",
    "Field",
    "Line",
    "Look",
    "Placed",
    "Pose",
    "Ring",
    "Sight",
    "Spot",
    "Terrain",
    "UnitWays",
    "Ways",
    "Why",
    "along",
    "away",
    "beginning",
    "check_board",
    "contact",
    "contains",
    "direction",
    "edges_towards",
    "facing",
    "first_touch",
    "flank",
    "gap2",
    "half_inside",
    "in_arc",
    "is_edge_free",
    "joined",
    "length",
    "meets",
    "meets_ring",
    "overlap",
    "rectangle",
    "shadow",
    "shifted",
    "square",
    "strip",
    "sweeps",
    "towards",
    "turned",
    "within",
]
