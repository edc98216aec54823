"""Every machine says the same: with the kernel and without, under any Python, any shapely and any GEOS."""

from __future__ import annotations

import random

import pytest

from hexwar.plane import _compiled
from tests.plane import verdicts


@pytest.mark.parametrize("compiled", [False, True], ids=["pure", "compiled"])
@pytest.mark.parametrize("part", verdicts.PARTS)
def test_the_verdicts_are_those_of_the_file(part: str, compiled: bool) -> None:
    if compiled and not _compiled.BUILT:
        pytest.skip("the kernel was not compiled")
    assert verdicts.digest(part, compiled) == verdicts.known()[part]


def test_the_positions_are_of_all_sorts() -> None:
    topics = {look.topic for look in verdicts.sights(random.Random("sights"))}
    reasons = {why[0].partition(".")[0] for why, _ in verdicts.ways(random.Random("ways")) if why}
    assert topics == {"clear", "arc", "area", "line", "unit"}
    assert reasons == {"table", "length", "shut", "barred", "line", "enemy"}
    pushed = {(found[5].out != "", found[5].stopped_by) for found in verdicts.gaps(random.Random("gaps"))}
    assert pushed == {(False, ""), (False, "friend"), (True, "")}
