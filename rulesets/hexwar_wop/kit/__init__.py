"""What the 1918-21 system tells the test kit about itself: chapters 14 and 17 a second time and literally, drills and totals."""

from __future__ import annotations

from importlib import resources

from hexwar.testing import Content, Kit, tables_of
from hexwar.testing.drills import DrillBook
from hexwar_wop.kit.air import CHECKS
from hexwar_wop.kit.fights import RULES, Chances
from hexwar_wop.kit.files import content_files
from hexwar_wop.kit.same import SAME
from hexwar_wop.kit.staging import THROWN
from hexwar_wop.kit.table import BOOKS
from hexwar_wop.kit.turn import CONDITIONS, TURN

FILES = resources.files(__package__)
GAMES = ("training", "raid", "narew", "wkra")
QUICK = ("training", "narew", "wkra")
"""Trains, boats and aeroplanes are in the last two only, and on both sides in the second."""
KIT = Kit(
    capabilities=(
        BOOKS,
        *RULES,
        *TURN,
        Chances(),
        THROWN,
        DrillBook(FILES / "drills.toml"),
        Content(content_files),
        *tables_of(__package__, CONDITIONS),
        *SAME,
    ),
    checks=CHECKS,
    scenarios={"quick": QUICK, "ci": GAMES, "nightly": GAMES},
    looks={"quick": 0.15, "ci": 0.15},
    secret=(),
)
