"""Battles of A Victory Awaits: a meadow to fight on, attacks with agreed dice, and what comes of them.

The defender of most tests stands in 0705, its neighbours are 0704, 0805, 0806, 0706, 0606 and 0605 (clockwise from the north).
The Axis comes from the west; the Soviet source is in the east, 0805 and 0806 are equally far from it. Attackers in 0605 and 0606
have 0704 and 0706 in their zones, but neither 0805 nor 0806.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hexwar.engine import Event, Game, Step, StepPopped, StepPushed
from hexwar.mechanics import Battle, Declare, Retreat
from hexwar.mechanics._combat import Aftermath
from hexwar.pieces import Done, LoseStep, Odds, Outcome
from hexwar_ava.content import load_ava
from tests.ava.table import declaring, field, position

SOURCES = {"supply soviet": ["1406"], "supply axis": ["0106"]}
AT = "0705"
OUTCOMES: dict[str, Outcome] = {outcome.name: outcome for row in load_ava().table.rows.values() for outcome in row}


def meadow(terrain: Mapping[str, str] | None = None, *, soviet: str = "1406", **more: Any) -> str:
    """A small board with a source of each side."""
    return field(terrain, size=(14, 12), areas={**SOURCES, "supply soviet": [soviet]}, **more)


def battle(units: Mapping[str, str], *attackers: str, board: str = "", seat: str = "axis", **more: Any) -> Game:
    """A combat segment in which some units are active."""
    return position(units, declaring(*attackers, seat=seat), board=board or meadow(), **more)


def after(
    result: str,
    units: Mapping[str, str],
    *attackers: str,
    target: str = AT,
    seat: str = "axis",
    board: str = "",
    before: Iterable[Step] = (),
    **more: Any,
) -> Game:
    """A battle that has just had a result."""
    fought = Aftermath(seat, Battle.on(seat, target, attackers), OUTCOMES[result])
    return position(units, *before, fought, board=board or meadow(), **more)


def attack(game: Game, target: str, *attackers: str) -> list[Event]:
    """Declare one attack and resolve it; the events."""
    events = [event for unit in attackers for event in game.apply(Declare(unit, target))]
    if Done() in game.legal_actions(game.to_move[0]) and events[-1].kind == "attack-planned":
        events += game.apply(Done())
    return events


def odds(game: Game, target: str, *attackers: str) -> Odds:
    """What a player is told of an attack."""
    found: Odds = game.query.odds(attackers, target)
    return found


def ratio(game: Game, target: str, *attackers: str) -> str:
    """Strengths and column of an attack, such as "8:2 = 4:1"."""
    found = odds(game, target, *attackers)
    return f"{found.attack}:{found.defence} = {found.name}"


def hexes(game: Game, *units: str) -> dict[str, str]:
    """Where units stand or lie."""
    return {unit: game.state.locations[unit] for unit in units}


def ways(game: Game, unit: str) -> list[str]:
    """The retreats of a unit among which its owner may choose, as hexes with blanks between them, without the first."""
    found = [action for action in game.legal_actions() if isinstance(action, Retreat) and action.unit == unit]
    return [" ".join(action.path[1:]) for action in found]


def kinds(events: Iterable[Event], *without: str) -> list[str]:
    """The kinds of the events, those of the engine's own left out."""
    return [event.kind for event in events if not isinstance(event, StepPushed | StepPopped) and event.kind not in without]


def steps(game: Game, *units: str) -> tuple[int, ...]:
    """The steps of units that stand on the board; 0 for those that do not."""
    return tuple(game.state.steps_left[unit] if game.state.locations[unit] in game.world.board else 0 for unit in units)


def lost_in_all_ways(game: Game, *units: str) -> Iterator[tuple[int, ...]]:
    """Every distribution of the losses that the owner may choose, as the steps that are left to each unit."""
    choices = [action for action in game.legal_actions(game.to_move[0]) if isinstance(action, LoseStep)]
    if not choices:
        yield steps(game, *units)
    for action in choices:
        other = game.copy()
        other.apply(action)
        yield from lost_in_all_ways(other, *units)
