"""What the tests of A Victory Awaits share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import hexwar
from hexwar.board import Board
from hexwar_ava.content import AvaContent, load_ava

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "rulesets" / "hexwar_ava" / "data"
SCENARIOS = ("campaign", "leningrad", "smolensk", "smolensk-short", "kiev")


@cache
def content() -> AvaContent:
    return load_ava()


@cache
def board(name: str) -> Board:
    return hexwar.load_board(name)
