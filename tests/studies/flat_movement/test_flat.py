"""The study does what it says: flat integers offer what the engine offers, move by move."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.studies.flat_movement.flat import Flat, Ground, Native, build
from tests.studies.flat_movement.study import compare, dice_for, segments


@pytest.mark.parametrize("native", [False, True], ids=["python", "c"])
def test_flat_integers_offer_and_report_what_the_engine_does(native: bool, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if native and not compiler:
        pytest.skip("there is no C compiler on this machine")
    library = build(tmp_path, compiler) if native and compiler else None
    compared = 0
    for number, game in enumerate(segments(3, most=3)):
        ground, dice = Ground(game), dice_for(game, number)
        start = ground.start(game)
        ways: list[Flat | Native] = [Flat(ground, start)]
        if library:
            ways.append(Native(library, ground, start))
        compared += compare(game, ground, ways, dice)
    assert compared > 1000
