"""Small positions of Traces of War: an open field with a few counters, one step that waits, and agreed dice.

The field is all clear unless a test says otherwise. As on the map of the game, a label is row and column, rows are counted from
the south, and odd rows are half a hex farther east: 0707 has the neighbours 0808, 0708, 0608, 0607, 0706 and 0807 (clockwise from
the north-east), 0807 has 0907, 0808, 0707, 0706, 0806 and 0906. The Axis source is 0701 in the west, the Soviet one 0720 in the
east.

The counters that most tests use, with attack, defence and movement points:

    Axis    ger-112, ger-68, ger-75, ger-88 (3-3-5, reduced 1-1-5)    ger-11pz, ger-19pz (5-4-7, reduced 3-2-7)
            ger-213sec (1-1-5, one step)    rom-24 (2-2-4)    ger-4pza, ger-8a (headquarters 2-2, range 4)
    Soviet  sov-51, sov-50, sov-52, sov-47 (4-4-4, reduced 2-2-4)    sov-23g (5-5-4)    sov-2tk, sov-10tk (6-4-6, reduced 3-2-6)
            sov-voronezh, sov-steppe (headquarters 2-2-5, range 4)

`test_02_03_counters_and_set_up.py` has a test that says so: if the order of battle changes, it fails first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.engine import Action, Event, Game, Sequencing, Step
from hexwar.mechanics import Attacking, Move
from hexwar.testing import position as make
from hexwar_tow.relocation import Marching
from tests.ava.table import cost, of_kind, refused, told
from tests.tow.ground import ground as field
from tests.tow.ground import neighbours

__all__ = [
    "CHIT",
    "COMBAT",
    "DRAW",
    "END",
    "LUFTWAFFE",
    "MOVEMENT",
    "MOVEMENT_AFTER",
    "OPENING",
    "PUTTING_IN",
    "SELECTION",
    "SET_UP",
    "active",
    "attacking",
    "cost",
    "ends",
    "field",
    "marching",
    "neighbours",
    "of_kind",
    "offered",
    "phases",
    "position",
    "refused",
    "river",
    "sides_of",
    "told",
    "walls",
    "where",
]

ROWS, COLUMNS = 14, 20

PUTTING_IN, DRAW, CHIT, MOVEMENT, COMBAT, MOVEMENT_AFTER = ((1, 3, number) for number in range(6))
SET_UP, LUFTWAFFE, OPENING, SELECTION, END = (0,), (1, 0), (1, 1), (1, 2), (1, 4)
"""Where a position goes on in the sequence of play."""


def sides_of(label: str, *without: str) -> list[str]:
    """All hexsides of a hex on the field but those to some others."""
    on_map = [near for near in neighbours(label) if 1 <= int(near[:2]) <= ROWS and 1 <= int(near[2:]) <= COLUMNS]
    return [f"{label}|{near}" for near in on_map if near not in without]


def walls(*hexes: str, doors: Iterable[tuple[str, str]] = ()) -> list[str]:
    """The hexsides around a chain of hexes: behind them nothing can be done but along the chain and through some doors.

    Args:
        hexes: the chain.
        doors: hexsides that are left open, as a hex of the chain and the one beside it.
    """
    found = {side for n, label in enumerate(hexes) for side in sides_of(label, *hexes[max(0, n - 1) : n + 2])}
    return sorted(found - {f"{here}|{there}" for here, there in doors})


def river(column: int, rows: int = ROWS) -> list[str]:
    """The hexsides between a column and the next, from the southern to the northern edge."""
    found = []
    for row in range(1, rows + 1):
        west = f"{row:02}{column:02}"
        found += [f"{west}|{near}" for near in neighbours(west) if int(near[2:]) == column + 1 and 1 <= int(near[:2]) <= rows]
        if not row % 2:
            east = f"{row:02}{column + 1:02}"
            found += [f"{near}|{east}" for near in neighbours(east) if int(near[2:]) == column and near[:2] != east[:2]]
    return sorted({side for side in found if all(1 <= int(label[:2]) <= rows for label in side.split("|"))})


def position(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = None,
    scenario: str = "campaign",
    dice: Iterable[Any] | None = (),
    reduced: Iterable[str] = (),
    options: Mapping[str, bool | str] | None = None,
    path: tuple[int, ...] = COMBAT,
    **state: Any,
) -> Game:
    """A game in a hand-made position.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last.
        board: a map, as `field` makes it; None for an open field, "" for the scenario's own.
        scenario: whose counters and numbers are used.
        dice: what will be rolled and drawn; None for the dice of a seed.
        reduced: units that have lost a step.
        options: options that are on.
        path: the phase with which the sequence of play goes on after the steps; by default the combat of an activation.
        state: other fields of the state; it is turn 1, and everything of the game's own is as at its start.
    """
    counters = {unit: {"at": label, **({"steps": 1} if unit in reduced else {})} for unit, label in units.items()}
    return make(
        "tow",
        units=counters,
        step=[Sequencing(path), *steps],
        dice=dice,
        scenario=scenario,
        options=options,
        board=field() if board is None else board or None,
        state={"turn": 1, "phase": "movement", **state},
    )


# -- steps in the middle of which a test begins ------------------------------------------------------------------------------


def marching(*units: str, seat: str = "axis") -> Marching:
    """The movement of some units."""
    return Marching(seat, units)


def attacking(*units: str, seat: str = "soviet") -> Attacking:
    """The combat of some units."""
    return Attacking(seat, units)


def active(units: Iterable[str], mode: str = "move-combat", chit: str = "4pza") -> dict[str, Any]:
    """The fields of the state in the middle of an activation."""
    return {"active": list(units), "mode": mode, "drawn": [chit]}


# -- asking and doing --------------------------------------------------------------------------------------------------------


def where(game: Game, *units: str) -> tuple[str, ...]:
    """Where units stand or lie."""
    return tuple(game.state.at[unit] for unit in units)


def offered(game: Game, kind: type[Action], side: str | None = None) -> list[Any]:
    """The actions of a kind that are offered now."""
    return [action for action in game.legal_actions(side or game.to_move[0]) if isinstance(action, kind)]


def ends(game: Game, unit: str, mode: str = "") -> set[str]:
    """The hexes in which the move of a unit may end."""
    return {move.to for move in offered(game, Move) if move.unit == unit and move.mode == mode}


def phases(events: Iterable[Event]) -> list[str]:
    """The phases that were entered."""
    return [event.phase for event in of_kind(events, "phase-entered")]
