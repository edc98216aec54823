"""Battles of Traces of War: attacks with agreed dice, and what comes of them.

The defender of most tests stands in 0707, its neighbours are 0808, 0708, 0608, 0607, 0706 and 0807 (clockwise from the
north-east). The Soviets come from the east, the Axis source is in the west: 0706 is nearer to it than 0707, 0807 and 0607 are
as far as 0707. An attacker in 0708 covers none of these three, one in 0808 covers 0807, and one in 0608 covers 0607.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hexwar.engine import Event, Game
from hexwar.mechanics import Attack, Battle, Join, LoseStep, Odds, Outcome, Pursue, Resolve, Retreat
from hexwar.mechanics.combat import Aftermath
from hexwar_tow.content import load_tow
from tests.tow.table import SELECTION, attacking, position

AT = "0707"
OUTCOMES: dict[str, Outcome] = {outcome.name: outcome for row in load_tow().table.rows.values() for outcome in row}


def battle(units: Mapping[str, str], *attackers: str, seat: str = "soviet", **more: Any) -> Game:
    """A combat segment in which some units are active; chits are selected afterwards."""
    return position(units, attacking(*attackers, seat=seat), **{"active": list(attackers), "path": SELECTION, **more})


def after(result: str, units: Mapping[str, str], *attackers: str, target: str = AT, seat: str = "soviet", **more: Any) -> Game:
    """A battle that has just had a result, as the table has it."""
    return position(units, Aftermath(seat, Battle(seat, target, attackers), OUTCOMES[result]), **{"path": SELECTION, **more})


def attack(game: Game, target: str, *attackers: str) -> list[Event]:
    """Put an attack together and have it resolved; the events."""
    game.apply(Attack(target))
    for unit in attackers:
        game.apply(Join(unit))
    return list(game.apply(Resolve()))


def odds(game: Game, target: str, *attackers: str) -> Odds:
    """What a player is told of an attack."""
    found: Odds = game.query.odds(attackers, target)
    return found


def ratio(game: Game, target: str, *attackers: str) -> str:
    """Strengths and column of an attack, such as "8:2 = 4:1"."""
    found = odds(game, target, *attackers)
    return f"{found.attack}:{found.defence} = {found.name}"


def ways(game: Game, unit: str) -> list[str]:
    """The retreats of a unit among which its owner may choose, as hexes with blanks between them, without the first."""
    found = [action for action in game.legal_actions() if isinstance(action, Retreat) and action.unit == unit]
    return [" ".join(action.path[1:]) for action in found]


def pursuits(game: Game, unit: str) -> list[str]:
    """The pursuits of a unit that are offered, in the same form."""
    found = [action for action in game.legal_actions() if isinstance(action, Pursue) and action.unit == unit]
    return [" ".join(action.path[1:]) for action in found]


def steps(game: Game, *units: str) -> tuple[int, ...]:
    """The steps of units that stand on the board; 0 for those that do not."""
    return tuple(game.state.steps[unit] if game.state.at.get(unit) in game.world.board else 0 for unit in units)


def lost_in_all_ways(game: Game, *units: str) -> Iterator[tuple[int, ...]]:
    """Every distribution of the losses that the owner may choose, as the steps that are left to each unit."""
    choices = [action for action in game.legal_actions(game.to_move[0]) if isinstance(action, LoseStep)]
    if not choices:
        yield steps(game, *units)
    for action in choices:
        other = game.copy()
        other.apply(action)
        yield from lost_in_all_ways(other, *units)
