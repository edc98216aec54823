"""Each invariant of the game notices the fault for which it is there."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Position
from tests.tow.table import field, marching, position

BOARD = field(
    cities={"Kharkiv": "0712"},
    areas={"crossing points": ["0705"], "supply axis": ["0101"], "supply soviet": ["1420"]},
)
UNITS = {"ger-57": "0708", "ger-8a": "0208", "sov-51": "0716"}
SOUND: dict[str, Any] = {"crossings": [], "orders": ["0712"]}


def complaints(**changes: Any) -> dict[str, str]:
    """Clause -> what is wrong, in a sound position of which some fields have been spoilt."""
    game = position(UNITS, marching("ger-57"), board=BOARD, turn=2, **SOUND)
    state = game.state.copy()
    for name, value in changes.items():
        setattr(state, name, value)
    state.rebuild()
    at = Position(game.world, state)
    found = {invariant.clause: invariant.broken(at) for invariant in game.ruleset.invariants}
    return {clause: why for clause, why in found.items() if why}


def test_4_0_1_the_position_itself_is_sound() -> None:
    assert complaints() == {}


@pytest.mark.parametrize(
    ("clause", "changes"),
    [
        ("4.2.0.6", {"cup": ("8a",), "drawn": ("8a",)}),
        ("8.1.9", {"supply": {"ger-8a": "out of supply"}}),
        ("12.3.4", {"locations": {**UNITS, "sov-51": "0707", "ger-57": "0702"}}),
        ("7.0.3", {"luftwaffe": {"axis": ("off",)}}),
        ("12.2.3", {"control": {"0712": "soviet"}}),
        ("11.1.7", {"airborne": "0708"}),
        ("5.0.2", {"locations": {**UNITS, "ger-57": "0208", "ger-68": "0208", "ger-75": "0208"}}),
        ("5.0.6", {"locations": {**UNITS, "sov-51": "0708"}}),
        ("8.1.7", {"locations": {**UNITS, "sov-51": "0712"}}),
        ("2.2.6", {"steps_left": {**dict.fromkeys(UNITS, 1), "ger-57": 3}}),
    ],
)
def test_4_0_1_a_planted_fault_is_found(clause: str, changes: dict[str, Any]) -> None:
    assert clause in complaints(**changes)
