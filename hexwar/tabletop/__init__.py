"""Pieces on a plane: what games share in which units stand anywhere on a table and every distance is measured.

Where units stand and look, marches that no list has, the words in which a player orders them in centimetres, and what a player
may ask at any time: gaps, sight, and what a march would lead to. Tables are measured in tenths of a millimetre.
"""

from hexwar.tabletop._marches import AHEAD, March, Marches, nearest_spot
from hexwar.tabletop._query import TableQuery, Tried
from hexwar.tabletop._state import Moved, TableState, in_cm
from hexwar.tabletop._words import in_words
from hexwar.tabletop._world import TableWorld, hypothetical, on_whom, placed

__all__ = [
    "AHEAD",
    "March",
    "Marches",
    "Moved",
    "TableQuery",
    "TableState",
    "TableWorld",
    "Tried",
    "hypothetical",
    "in_cm",
    "in_words",
    "nearest_spot",
    "on_whom",
    "placed",
]
