"""An open field for tests of WB-95, with units of the training scenario.

The field has nine columns of seven clear hexes. Even columns are half a hex lower: 0404 has the neighbours 0403, 0504, 0505,
0405, 0305 and 0304 (clockwise from the north). Nasielsk, which the scenario needs, is 0107. Lines of the Soviets come from 0901,
those of the Axis from 0101.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import hexwar
from hexwar import RefusalCode
from hexwar.engine import Action, Event, Game, Sequencing, Step
from hexwar.mechanics import Join, Resolve
from hexwar.testing import position
from hexwar_wb95.movement import Wb95Moving
from hexwar_wb95.support import Wb95Attacking

AXIS = ("g472", "g1076", "g1077", "g1078", "stg", "pak", "a252", "hq27")


def field(
    terrain: Mapping[str, str] | None = None,
    small: Iterable[str] = (),
    large: Iterable[str] = (),
    road: Iterable[str] = (),
    fort: Iterable[str] = (),
    inside: Iterable[str] = (),
    supply: str = "0901",
) -> str:
    """A map: hex -> letter, hexsides of rivers and forts ("0404|0504"), chains of road hexes, hexes inside forts."""
    rows = [["."] * 9 for _ in range(7)]
    for label, letter in (terrain or {}).items():
        rows[int(label[2:]) - 1][int(label[:2]) - 1] = letter
    picture = "\n".join(" ".join(row) for row in rows)
    sides = {"small-river": small, "large-river": large, "fort": fort}
    lines = "\n".join(f'{name} = ["{" ".join(found)}"]' for name, found in sides.items() if found)
    roads = ", ".join(f'"{chain}"' for chain in road)
    forts = f'"forts axis" = ["{" ".join(inside)}"]' if inside else ""
    return f'''format = 1
id = "field"
title = "A field"
[grid]
layout = "columns"
columns = 9
rows = 7
shifted = "even"
shift = "down"
[terrain]
legend = {{ "." = "clear", f = "forest", s = "marsh", h = "hill", t = "town", c = "city", m = "mountain" }}
rows = """
{picture}
"""
[sides]
{lines}
[links]
road = [{roads}]
[[place]]
name = "Nasielsk"
kind = "town"
hex = "0107"
value = 3
[areas]
"supply soviet" = ["{supply}"]
"supply axis" = ["0101"]
{forts}
'''


def side_of(unit: str) -> str:
    return "axis" if unit in AXIS else "soviet"


def placed(units: Mapping[str, Any], *steps: Step, board: str = "", dice: Iterable[int] = (), **state: Any) -> Game:
    """A position in which steps wait; the turn of the Axis follows."""
    return position(
        "wb95",
        units=dict(units),
        step=[Sequencing((0, 7)), *steps],
        board=board or field(),
        dice=list(dice) or None,
        scenario="training",
        **{"turn": 1, "phase": "soviet-combat", **state},
    )


def moving(units: Mapping[str, Any], seat: str = "soviet", **state: Any) -> Game:
    """A position in which a side moves."""
    mine = tuple(unit for unit in units if side_of(unit) == seat)
    return placed(units, Wb95Moving(seat, mine), **{"phase": f"{seat}-movement", **state})


def fighting(units: Mapping[str, Any], seat: str = "soviet", **state: Any) -> Game:
    """A position in which a side attacks."""
    mine = tuple(unit for unit in units if side_of(unit) == seat)
    return placed(units, Wb95Attacking(seat, mine), **{"phase": f"{seat}-combat", **state})


def reach(game: Game, unit: str, mode: str = "") -> dict[str, float]:
    """Hex -> points, of all in which a move of the unit may end."""
    return dict(game.query.reach(unit, mode).costs)


def attack(game: Game, *orders: Action) -> list[Event]:
    """Give some orders, joins by the names of units, and all events until somebody else is asked."""
    events: list[Event] = []
    for order in orders:
        events += game.apply(order)
    return events


def told(events: Iterable[Event], *kinds: str) -> list[str]:
    """What events of some kinds say."""
    return [str(event) for event in events if event.kind in kinds]


def refused(game: Game, action: Action, clause: str, message: str, seat: str | None = None) -> None:
    """An action is refused with a clause and words."""
    refusal = game.why_not(action, seat)
    assert refusal is not None, f"{action} is not refused"
    assert (refusal.clause, message in refusal.message) == (clause, True), refusal


def shifts(game: Game, pairs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Clause -> columns, of a battle as it would be."""
    found: dict[str, int] = {}
    for shift in game.query.odds_of(pairs).shifts:
        found[shift.clause] = found.get(shift.clause, 0) + shift.columns
    return found


__all__ = ["Join", "RefusalCode", "Resolve", "hexwar", "pytest"]
