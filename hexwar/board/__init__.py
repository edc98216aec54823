"""Boards: map files, the compiled board, and the kernels for movement, supply and command that run on it."""

from hexwar.board._bits import Planes, bits, chosen, greatest, mask_of, recounted, spread
from hexwar.board._board import Board
from hexwar.board._compiled import COMPILED
from hexwar.board._content import BoardContent, HexContent, Place
from hexwar.board._flood import Floods, flood, step
from hexwar.board._kinds import AnyBoard, AreaBoard, PlaneBoard
from hexwar.board._load import load_map, map_schema
from hexwar.board._reach import ALL, CLOSED, MAX_BUDGET, Reach, StepCosts, reach, step_costs
from hexwar.board._shared import AnyTable, present, table
from hexwar.board._tables import Walls

__all__ = [
    "ALL",
    "CLOSED",
    "COMPILED",
    "MAX_BUDGET",
    "AnyBoard",
    "AnyTable",
    "AreaBoard",
    "Board",
    "BoardContent",
    "Floods",
    "HexContent",
    "Place",
    "PlaneBoard",
    "Planes",
    "Reach",
    "StepCosts",
    "Walls",
    "bits",
    "chosen",
    "flood",
    "greatest",
    "load_map",
    "map_schema",
    "mask_of",
    "present",
    "reach",
    "recounted",
    "spread",
    "step",
    "step_costs",
    "table",
]
