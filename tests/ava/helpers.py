"""What the tests of A Victory Awaits share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import hexwar
from hexwar.board import Board
from hexwar_ava.content import AvaContent, load_ava

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "rulesets" / "hexwar_ava" / "data"
PRINTED = ("campaign", "leningrad", "smolensk", "smolensk-short", "kiev")
SCENARIOS = ("training", *PRINTED)


@cache
def content() -> AvaContent:
    return load_ava()


@cache
def board(name: str) -> Board:
    return hexwar.load_board(name)


@cache
def ground(scenario: str) -> Board:
    return content().board_of(scenario)
