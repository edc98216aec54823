"""Every drill, by its clause: positions made by hand, and what must become of them."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.testing import Subject
from hexwar.testing.drills import merged, played
from hexwar_wb95.kit import DRILLS

SUBJECT = Subject.of("wb95")
KNOWN: dict[str, Any] = {}


def cases() -> list[Any]:
    """A parameter for every case of a drill, marked with the clauses that it names."""
    found = []
    for drill in DRILLS.drills:
        for number, case in enumerate(drill.get("case", [{}])):
            one = merged(drill, case)
            clauses = {one["clause"], *[moment["clause"] for moment in one.get("play", ()) if "clause" in moment]}
            name = f"{one['clause']}: {drill['what'][:60]} ({number})"
            found.append(pytest.param(one, id=name, marks=pytest.mark.clause(*sorted(clauses))))
    return found


@pytest.mark.parametrize("drill", cases())
def test_a_drill_comes_right(drill: dict[str, Any]) -> None:
    assert played(SUBJECT, DRILLS, drill, KNOWN) == ""
