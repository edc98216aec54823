"""Small positions of Traces of War: an open field with a few counters, and one step that waits.

The field has 20 columns and 14 rows, all clear, unless a test says otherwise. As on the map, labels are row and column, rows
count from the south, and odd rows stand half a hex farther east: 0708 has the neighbours 0808, 0809, 0709, 0609, 0608 and 0707
(clockwise from the north-west), 0608 has 0707, 0708, 0609, 0508, 0507 and 0607.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import hexwar
from hexwar.engine import Event, Game, Step
from hexwar.mechanics import Attack, Done, Join, Resolve
from hexwar_tow.content import TowContent, load_tow
from tests.handmade import handmade
from tests.tow import table
from tests.tow.table import attacking, cost, marching, of_kind, refused, told

__all__ = [
    "after",
    "attack",
    "attacking",
    "content",
    "cost",
    "field",
    "marching",
    "of_kind",
    "offers",
    "position",
    "refused",
    "start",
    "through",
    "told",
]

COLUMNS, ROWS = 20, 14
SELECTION = (1, 2)
"""The place of the selection in the sequence of play: nothing random happens on the way there."""


def content() -> TowContent:
    return load_tow()


def field(
    terrain: Mapping[str, str] | None = None,
    *,
    major: Mapping[str, str] | None = None,
    areas: Mapping[str, Iterable[str]] | None = None,
    size: tuple[int, int] = (COLUMNS, ROWS),
    **more: Any,
) -> str:
    """A map as text, with the sources of supply in two corners; see `table.field`.

    Args:
        terrain: hex -> letter.
        major: name of a major city -> hex.
        areas: name -> hexes.
        size: columns and rows.
        more: what `table.field` has besides.
    """
    columns, rows = size
    corners = {"supply axis": ["0101"], "supply soviet": [f"{rows:02}{columns:02}"]}
    return table.field(terrain, cities=major, areas={**corners, **(areas or {})}, size=(rows, columns), **more)


def after(column: int, rows: int = ROWS) -> list[str]:
    """All hexsides between a column and the next, for `sides` of a field with so many rows."""
    pairs = [(row, row + step) for row in range(1, rows + 1) for step in ((-1, 0, 1) if row % 2 else (0,))]
    return [f"{row:02}{column:02}|{other:02}{column + 1:02}" for row, other in pairs if 1 <= other <= rows]


def position(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = None,
    scenario: str = "campaign",
    chance: Iterable[int] = (),
    reduced: Iterable[str] = (),
    options: Mapping[str, bool | str] | None = None,
    path: Iterable[int] = SELECTION,
    **state: Any,
) -> Game:
    """A game in a hand-made position.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last.
        board: a map, as `field` makes it; None for an open field, "" for the scenario's own board.
        scenario: whose counters and numbers are used.
        chance: dice and lots, see `Script`.
        reduced: units that have lost a step.
        options: options that are on.
        path: where in the sequence of play the game goes on after the steps; by default with the selection.
        state: other fields of the state; it is turn 2 and the phase is "movement" unless they say otherwise.
    """
    return handmade(
        "tow",
        units,
        steps,
        board=field() if board is None else board,
        path=path,
        state={"turn": 2, "phase": "movement", **state},
        scenario=scenario,
        chance=chance,
        reduced=reduced,
        options=options,
    )


def start(scenario: str = "campaign", seed: int = 1, **options: bool) -> Game:
    """A new game whose set-up is done."""
    return hexwar.new_game("tow", scenario, seed=seed, options={"auto-setup": True, **options})


# -- doing ------------------------------------------------------------------


def attack(game: Game, target: str, *units: str) -> list[Event]:
    """Attack a hex with some units."""
    game.apply(Attack(target))
    for unit in units:
        game.apply(Join(unit))
    return list(game.apply(Resolve()))


def offers(game: Game, side: str | None = None) -> list[Any]:
    """What is offered, whatever it is."""
    return list(game.legal_actions(side))


def through(game: Game, *actions: Any) -> list[Event]:
    """Apply some actions, then whatever stops the current step; the events of all."""
    events: list[Event] = []
    for action in (*actions, Done()):
        events += game.apply(action)
    return events
