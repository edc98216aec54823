"""Small positions of A Victory Awaits: an open field with a few counters, and one step that waits.

The field is the test board of 40 columns and 30 rows, all clear, unless a test says otherwise. Odd columns are half a hex farther
south: 1110 has the neighbours 1109, 1210, 1211, 1111, 1011 and 1010 (clockwise from the north), 1010 has 1009, 1109, 1110, 1011,
0910 and 0909. Games on it use the counters of the campaign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import hexwar
from hexwar import RefusalCode
from hexwar.engine import Action, Event, Game, Step
from hexwar.mechanics import Declaring, Moving, Pursuing, Retreating
from hexwar_ava import INFO
from hexwar_ava.kit.boards import ROWS
from hexwar_ava.kit.boards import field as field
from tests.handmade import handmade


def between(west: int, rows: int = ROWS) -> list[str]:
    """All hexsides between a column and the next, for `sides` of a field with so many rows."""
    first = 0 if west % 2 else -1
    pairs = [(number, other) for number in range(1, rows + 1) for other in (number + first, number + first + 1)]
    return [f"{west:02}{number:02}|{west + 1:02}{other:02}" for number, other in pairs if 1 <= other <= rows]


def position(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = None,
    scenario: str = "campaign",
    chance: Iterable[int] = (),
    reduced: Iterable[str] = (),
    options: Mapping[str, bool | str] | None = None,
    seats: str = "",
    path: Iterable[int] = (2, 1, 3),
    **state: Any,
) -> Game:
    """A game in a hand-made position.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last.
        board: a map, as `field` makes it; None for an open field, "" for the scenario's own board.
        scenario: whose counters and numbers are used.
        chance: dice and lots, see `Script`.
        reduced: units that have lost a step; of a fortress, all levels but one are there unless it is named here.
        options: options that are on.
        seats: the name of a seating, for many players.
        path: where in the sequence of play the game goes on after the steps; by default with the combat segment of a chit.
        state: other fields of the state; it is turn 1 and the phase is "movement" unless they say otherwise.
    """
    return handmade(
        "ava",
        units,
        steps,
        board=field() if board is None else board,
        path=path,
        state={"turn": 1, "phase": "movement", **state},
        scenario=scenario,
        chance=chance,
        reduced=reduced,
        options=options,
        seats=INFO.seating(seats, scenario).seats if seats else None,
    )


# -- steps in the middle of which a test begins --------------------------------------------------------------------------


def moving(*units: str, seat: str = "axis") -> Moving:
    return Moving(seat, units)


def declaring(*units: str, seat: str = "axis") -> Declaring:
    return Declaring(seat, units)


def retreating(hexes: int, *units: str, origin: str, seat: str = "soviet") -> Retreating:
    return Retreating(seat, units, origin, hexes)


def pursuing(target: str, *units: str, seat: str = "axis") -> Pursuing:
    return Pursuing(seat, units, target)


# -- asking and doing ------------------------------------------------------------------------------------------------------


def refused(game: Game, action: Action, clause: str, words: str = "", side: str | None = None) -> None:
    """The action is not offered; the refusal cites the clause and says these words; nothing has changed."""
    before = game.digest
    with pytest.raises(hexwar.Refusal) as caught:
        game.apply(action, side)
    refusal = caught.value
    assert (refusal.code, refusal.clause) == (RefusalCode.AGAINST_RULE, clause), str(refusal)
    assert words in refusal.message
    assert game.digest == before


def of_kind(events: Iterable[Event], *kinds: str) -> list[Any]:
    """The events of some kinds."""
    return [event for event in events if event.kind in kinds]


def told(events: Iterable[Event], *kinds: str) -> list[str]:
    """The sentences of the events of some kinds, each with its clause."""
    return [f"{event} ({event.clause})" for event in events if event.kind in kinds]


def cost(game: Game, unit: str, to: str, mode: str = "") -> float | None:
    """The movement points of the cheapest way to a hex, None if the move cannot end there."""
    points: float | None = game.query.reach(unit, mode).costs.get(to)
    return points


def seen(game: Game, side: str) -> dict[str, Any]:
    """All that a side may know of a game: its view with prompt and offers, the log, and who is asked."""
    log = [(event.to_json(), str(event)) for event in game.log(side)]
    return {"view": game.view(side).to_json(), "log": log, "to_move": game.to_move}
