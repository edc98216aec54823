"""An open field for tests of WB-95, with units of the training scenario.

The field has nine columns of seven clear hexes. Even columns are half a hex lower: 0404 has the neighbours 0403, 0504, 0505,
0405, 0305 and 0304 (clockwise from the north). Nasielsk, which the scenario needs, is 0107. Lines of the Soviets come from 0901,
those of the Axis from 0101.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.engine import Action, Event, Game, Sequencing, Step
from hexwar.mechanics import Attack, Join, Resolve, Widen
from hexwar.pieces import Done
from hexwar.testing import position
from hexwar_wb95.content import load_wb95
from hexwar_wb95.movement import Wb95Moving
from hexwar_wb95.support import Wb95Attacking

UNITS = load_wb95().units


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


def placed(
    units: Mapping[str, Any], *steps: Step, board: str = "", dice: Iterable[int] = (), scenario: str = "", **state: Any
) -> Game:
    """A position in which steps wait; the turn of the Axis follows. Units of the larger scenario choose that one."""
    small = all(unit in load_wb95().scenarios["training"].units for unit in units)
    return position(
        "wb95",
        units=dict(units),
        step=[Sequencing((0, 7)), *steps],
        board=board or field(),
        dice=list(dice) or None,
        scenario=scenario or ("training" if small else "narew"),
        **{"turn": 1, "phase": "soviet-combat", **state},
    )


def mine(units: Iterable[str], seat: str) -> tuple[str, ...]:
    """Those of a side."""
    return tuple(unit for unit in units if UNITS[unit].side == seat)


def moving(units: Mapping[str, Any], seat: str = "soviet", **state: Any) -> Game:
    """A position in which a side moves."""
    return placed(units, Wb95Moving(seat, mine(units, seat)), **{"phase": f"{seat}-movement", **state})


def fighting(units: Mapping[str, Any], seat: str = "soviet", **state: Any) -> Game:
    """A position in which a side attacks."""
    return placed(units, Wb95Attacking(seat, mine(units, seat)), **{"phase": f"{seat}-combat", **state})


def reach(game: Game, unit: str, mode: str = "") -> dict[str, float]:
    """Hex -> points, of all in which a move of the unit may end."""
    return dict(game.query.reach(unit, mode).costs)


def attack(game: Game, target: str, *attackers: str, also: Iterable[str] = ()) -> list[Event]:
    """Attack a hex, and perhaps others, with some units; all events until somebody is asked again."""
    events: list[Event] = []
    for order in (Attack(target), Join(attackers[0]), *map(Widen, also), *map(Join, attackers[1:]), Resolve()):
        events += game.apply(order)
    return events


def settle(game: Game, *kinds: str) -> list[Event]:
    """Answer with the first choice, and stop what may be stopped, until a step of one of some kinds asks; all events."""
    events: list[Event] = []
    while game.to_move and game.state.stack[-1].kind not in kinds:
        seat = game.to_move[0]
        offered = game.legal_actions(seat)
        events += game.apply(Done() if Done() in offered else offered[0], seat)
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
