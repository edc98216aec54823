"""Small positions of Bridgehead: an open field, a few counters, and one step that waits.

The field has nine columns of seven clear hexes; column 1 is Blue's home and column 9 Red's. Even columns are half a hex
higher, so 0404 has the neighbours 0403, 0503, 0504, 0405, 0304 and 0303 (clockwise from the north). The counters and the
turn track are the tests' own (`data/`), so that the game can be tuned without breaking a test of a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import hexwar
from hexwar import RefusalCode
from hexwar.engine import Action, Event, Game, Step
from hexwar.mechanics import Arriving, Attacking, Moving, Pursuing, Retreating
from hexwar.pieces import Losing, Selecting, load_roster
from hexwar.testing import to_toml
from hexwar_bridgehead import world
from tests.handmade import Script

OWN_DATA = Path(__file__).parent / "data"
GAME_DATA = world.DATA


class _Data:
    """The tests' own content files where there are some, the game's where there are none."""

    def __truediv__(self, name: str) -> Any:
        own = OWN_DATA / name
        return own if own.exists() else GAME_DATA / name


def field(
    terrain: Mapping[str, str] | None = None,
    river: Iterable[str] = (),
    road: Iterable[str] = (),
    towns: Mapping[str, str] | None = None,
    home: str = "0101..0107",
) -> str:
    """A map: hex -> "w"oods, "m"arsh or "~" lake, hexsides with a river, chains of road hexes, and town -> hex."""
    rows = [["."] * 9 for _ in range(7)]
    for label, letter in (terrain or {}).items():
        rows[int(label[2:]) - 1][int(label[:2]) - 1] = letter
    picture = "\n".join(" ".join(row) for row in rows)
    places = "".join(
        f'[[place]]\nname = "{name}"\nkind = "town"\nhex = "{label}"\nvalue = 3\n' for name, label in (towns or {}).items()
    )
    return f'''format = 1
id = "field"
title = "A field"
[grid]
layout = "columns"
columns = 9
rows = 7
shifted = "even"
shift = "up"
[terrain]
legend = {{ "." = "clear", "w" = "woods", "m" = "marsh", "~" = "lake" }}
rows = """
{picture}
"""
[sides]
river = {list(river)}
[links]
road = {list(road)}
{places}
[areas]
west = ["{home}"]
east = ["0901..0907"]
'''


def position(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = None,
    chance: Iterable[int] = (),
    reduced: Iterable[str] = (),
    options: str = "",
    seats: Mapping[str, str] | None = None,
    **state: Any,
) -> Game:
    """A game in a hand-made position.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last, in the middle of a turn's operations.
        board: a map, as `field` makes it.
        chance: dice and lots, see `Script`.
        reduced: units that have lost a step.
        options: an option that is on.
        seats: seat -> side.
        state: other fields of the state; it is turn 1 unless they say otherwise.
    """
    stack = [{"kind": "sequencing", "path": [0, 2, 1]}, *(step.to_json() for step in steps)]
    counters = {unit: {"at": label, **({"steps": 1} if unit in reduced else {})} for unit, label in units.items()}
    tables = {"options": {options: True} if options else {}, "seats": dict(seats or {}), "units": counters}
    return _game(board, Script(*chance), **tables, state={"turn": 1, **state}, stack=stack)


def scenario(chance: Any, options: Mapping[str, bool] | None = None) -> Game:
    """A whole game in the field, from its beginning."""
    roster = load_roster(OWN_DATA / "units.toml")
    return _game(None, chance, options=options or {}, units={unit.id: unit.start for unit in roster.values()})


def _game(board: str | None, chance: Any, **tables: Any) -> Game:
    text = to_toml({"ruleset": "bridgehead", "board": board or field(), **tables})
    with patch.object(world, "DATA", _Data()):
        return hexwar.position(text, chance=chance)


# -- steps in the middle of which a test begins --------------------------------------------------------------------------


def moving(*units: str, seat: str = "blue") -> Moving:
    return Moving(seat, units)


def attacking(*units: str, seat: str = "blue") -> Attacking:
    return Attacking(seat, units)


def losing(seat: str, left: int, *units: str) -> Losing:
    return Losing(seat, units, left)


def retreating(hexes: int, *units: str, origin: str = "0504", seat: str = "red") -> Retreating:
    return Retreating(seat, units, origin, hexes)


def pursuing(target: str, *units: str, seat: str = "blue") -> Pursuing:
    return Pursuing(seat, units, target)


def arriving(*units: str, hexes: tuple[str, ...], seat: str = "blue") -> Arriving:
    return Arriving(seat, units, hexes)


def selecting() -> Selecting:
    return Selecting()


# -- asking and doing ------------------------------------------------------------------------------------------------------


def refused(game: Game, action: Action, clause: str, sentence: str, side: str | None = None) -> None:
    """The action is not offered, and the refusal cites the clause with this sentence; nothing has changed."""
    before, offered = game.digest, action in game.offered(side)
    with pytest.raises(hexwar.Refusal) as caught:
        game.apply(action, side)
    refusal = caught.value
    assert (refusal.code, refusal.clause, refusal.message) == (RefusalCode.AGAINST_RULE, clause, sentence)
    assert not offered
    assert game.digest == before


def told(events: Iterable[Event], *kinds: str) -> list[str]:
    """The sentences of the events of some kinds, each with its clause."""
    return [f"{event} ({event.clause})" for event in events if event.kind in kinds]


def unit_hexes(game: Game, unit: str) -> set[str]:
    """Where a unit may move."""
    return {action.to for action in game.legal_actions() if action.kind == "move" and action.unit == unit}  # type: ignore[attr-defined]
