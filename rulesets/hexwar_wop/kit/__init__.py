"""What the 1918-21 system tells the test kit about itself: chapter 14 a second time and literally, and drills."""

from __future__ import annotations

from importlib import resources

from hexwar.testing.drills import DrillBook
from hexwar.testing.kit import Kit
from hexwar_wop.kit.checks import CHECKS

DRILLS = resources.files(__package__) / "drills.toml"
GAMES = ("training", "raid", "wkra")
QUICK = ("training", "wkra")
"""Trains, boats and aeroplanes are in the second one only."""
KIT = Kit(
    capabilities=(DrillBook(DRILLS),),
    checks=CHECKS,
    scenarios={"quick": QUICK, "ci": GAMES, "nightly": GAMES},
    looks={"quick": 0.33},
)
