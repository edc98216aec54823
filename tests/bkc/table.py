"""A bare table of 60 by 60 cm for tests of Blitzkrieg Commander, with the units of the training scenarios.

Poland's units look up (heading 0) and Germany's down. In the scenario "orders" p1 and g1 are commanding officers, p2 and g2
headquarters. p3 and p4 are infantry, p5 a gun, p6 a 7TP, p7 trucks, p8 mortars, p9 an observer, p10 and p11 field guns off the
table; g3 riflemen, g4 machine guns, g5 a Panzer II, g6 a Panzer 35(t), g7 a half-track, g8 an infantry gun. Those that a test
does not put on the table are not in its game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hexwar.engine import Action, Event, Game, Play, Spot, Step
from hexwar.errors import Refusal
from hexwar_bkc.acting import Acting, Reacting
from hexwar_bkc.command import Commanding
from tests.handmade import handmade

TABLE = """
format = 1
kind = "plane"
id = "test/table"
title = "A table"
width = 6000
height = 6000
unit = "0.1 mm"
piece = 300

[[zone]]
terrain = "built-up"
name = "Farm"
outline = [[5000, 5000], [5900, 5000], [5900, 5900], [5000, 5900]]
{parts}

[scenario]
turns = 3
first = "poland"
units.poland = ["inf", "inf", "atg", "7tp", "truck", "mort", "fao", "75", "75"]
assets.poland = {{ 75 = 3 }}
units.germany = ["inf", "hmg", "pz2", "pz35", "sdkfz251", "ig"]
edges = {{ poland = "south", germany = "north" }}
deploy = {{ poland = [[0, 4800], [6000, 4800], [6000, 6000], [0, 6000]], germany = [[0, 0], [6000, 0], [6000, 1200], [0, 1200]] }}
objective = [{{ side = "poland", rank = "main", hold = "Farm" }}, {{ side = "germany", rank = "main", hold = "Farm" }}]
"""
WALL = '[[line]]\nkind = "wall"\nname = "Farm wall"\npoints = [[0, 2500], [6000, 2500]]\n'
WOOD = '[[zone]]\nterrain = "wood"\nname = "Copse"\noutline = [[2000, 2000], [4000, 2000], [4000, 3000], [2000, 3000]]\n'
POND = '[[zone]]\nterrain = "river"\nname = "Pond"\noutline = [[2000, 2000], [4000, 2000], [4000, 3000], [2000, 3000]]\n'
MARSH = '[[zone]]\nterrain = "marsh"\nname = "Bog"\noutline = [[2000, 2000], [4000, 2000], [4000, 3000], [2000, 3000]]\n'
ROAD = '[[line]]\nkind = "road"\nname = "Track"\npoints = [[3000, 0], [3000, 6000]]\nwidth = 300\n'


def table(
    units: Mapping[str, Spot],
    *steps: Step,
    parts: str = "",
    headings: Mapping[str, int] | None = None,
    dice: Iterable[int] = (),
    scenario: str = "orders",
    path: tuple[int, ...] = (1, 1, 6),
    options: Mapping[str, bool | str] | None = None,
    **state: Any,
) -> Game:
    """Units on a table, Poland's turn, and what waits: by default each unit of Poland may act once.

    Args:
        units: unit -> where.
        steps: what waits.
        parts: areas and lines.
        headings: of units that do not look at the enemy's edge.
        dice: what they show.
        scenario: whose units.
        path: where the sequence of play goes on.
        options: that are on.
        state: other fields of the state.
    """
    looks = {unit: 180 if unit[0] == "g" else 0 for unit in units} | dict(headings or {})
    waits = steps or (Acting("poland", tuple(unit for unit in units if unit[0] == "p")),)
    fields = {"active": "poland", "turn": 1, **state, "headings": looks}
    where: Mapping[str, Any] = {unit: list(spot) for unit, spot in units.items()}
    board = TABLE.format(parts=parts)
    how: Any = {"path": path, "state": fields, "scenario": scenario, "chance": dice, "options": options}
    return handmade("bkc", where, waits, board=board, **how)


def reacting(units: Mapping[str, Spot], **more: Any) -> Game:
    """The same in Poland's reaction phase; afterwards each unit may act once."""
    mine = tuple(unit for unit in units if unit[0] == "p" and unit not in ("p1", "p2"))
    return table(units, Acting("poland", mine), Reacting("poland", mine), **more)


def commanding(units: Mapping[str, Spot], **more: Any) -> Game:
    """The same while Poland gives orders."""
    return table(units, Commanding("poland"), **more)


def why(game: Game, action: Action) -> str:
    """The clause that refuses an action; "" if it is legal."""
    found = game.why_not(action)
    assert found is None or isinstance(found, Refusal)
    return "" if found is None else found.clause


def said(game: Game, kind: type[Any]) -> list[Any]:
    """The events of a kind."""
    found: list[Event] = [event for event in game.events if isinstance(event, kind)]
    return found


def played(game: Game, does: Callable[[Any], None]) -> list[Event]:
    """What happens in a copy of a game if the rules do something there; the game stays as it is."""
    play: Any = Play(game.world, game.state.copy(), game.chance)
    does(play)
    found: list[Event] = play.events
    return found
