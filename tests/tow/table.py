"""Small positions of Traces of War: an open field with a few counters, one step that waits, and agreed dice; and battles on it.

The field is all clear unless a test says otherwise. As on the map of the game, a label is row and column, rows are counted from
the south, and odd rows are half a hex farther east: 0707 has the neighbours 0808, 0708, 0608, 0607, 0706 and 0807 (clockwise from
the north-east), 0807 has 0907, 0808, 0707, 0706, 0806 and 0906. The Axis source is 0701 in the west, the Soviet one 0720 in the
east.

The defender of most battles stands in `AT`, 0707. The Soviets come from the east: WEST is nearer to the Axis source than AT,
NORTH_WEST and SOUTH_WEST are as far. An attacker in EAST covers none of these three, one in NORTH_EAST covers NORTH_WEST, and
one in SOUTH_EAST covers SOUTH_WEST.

The counters that most tests use, with attack, defence and movement points:

    Axis    ger-112, ger-68, ger-75, ger-88 (3-3-5, reduced 1-1-5)    ger-11pz, ger-19pz (5-4-7, reduced 3-2-7)
            ger-213sec (1-1-5, one step)    rom-24 (2-2-4)    ger-4pza, ger-8a (headquarters 2-2, range 4)
    Soviet  sov-51, sov-50, sov-52, sov-47 (4-4-4, reduced 2-2-4)    sov-23g (5-5-4)    sov-2tk, sov-10tk (6-4-6, reduced 3-2-6)
            sov-voronezh, sov-steppe (headquarters 2-2-5, range 4)

`test_02_components.py` has a test that says so: if the order of battle changes, it fails first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hexwar.engine import Action, Event, Game, Sequencing, Step
from hexwar.mechanics import Attack, Attacking, Battle, Join, Move, Pursue, Resolve, Retreat
from hexwar.mechanics._combat import Aftermath
from hexwar.pieces import LoseStep, Odds, Outcome
from hexwar.testing import position as make
from hexwar_tow.content import load_tow
from hexwar_tow.relocation import Marching
from tests.ava.table import cost, of_kind, refused, told
from tests.tow.ground import ground as field
from tests.tow.ground import neighbours

__all__ = ["cost", "field", "neighbours", "of_kind", "refused", "told"]

CONTENT = load_tow()
OUTCOMES: dict[str, Outcome] = {outcome.name: outcome for row in CONTENT.table.rows.values() for outcome in row}
ISOLATED, OUT = "isolated", "out of supply"

AT = "0707"
EAST, NORTH_EAST, SOUTH_EAST = "0708", "0808", "0608"
WEST, NORTH_WEST, SOUTH_WEST = "0706", "0807", "0607"

ROWS, COLUMNS = 14, 20
BEYOND = [f"{row:02}{column:02}" for row in range(1, ROWS + 1) for column in range(1, 8)]
"""A bank for boards with a Dnieper."""

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


def river(column: int) -> list[str]:
    """The hexsides between a column and the next, from the southern to the northern edge."""
    found = []
    for row in range(1, ROWS + 1):
        west = f"{row:02}{column:02}"
        found += [f"{west}|{near}" for near in neighbours(west) if int(near[2:]) == column + 1 and 1 <= int(near[:2]) <= ROWS]
        if not row % 2:
            east = f"{row:02}{column + 1:02}"
            found += [f"{near}|{east}" for near in neighbours(east) if int(near[2:]) == column and near[:2] != east[:2]]
    return sorted({side for side in found if all(1 <= int(label[:2]) <= ROWS for label in side.split("|"))})


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


# -- asking and doing --------------------------------------------------------------------------------------------------------


def where(game: Game, *units: str) -> tuple[str, ...]:
    """Where units stand or lie."""
    return tuple(game.state.locations[unit] for unit in units)


def offered(game: Game, kind: type[Action], side: str | None = None) -> list[Any]:
    """The actions of a kind that are offered now."""
    return [action for action in game.legal_actions(side or game.to_move[0]) if isinstance(action, kind)]


def ends(game: Game, unit: str, mode: str = "") -> set[str]:
    """The hexes in which the move of a unit may end."""
    return {move.to for move in offered(game, Move) if move.unit == unit and move.mode == mode}


def phases(events: Iterable[Event]) -> list[str]:
    """The phases that were entered."""
    return [event.phase for event in of_kind(events, "phase-entered")]


# -- battles ------------------------------------------------------------------------------------------------------------------


def battle(units: Mapping[str, str], *attackers: str, seat: str = "soviet", **more: Any) -> Game:
    """A combat segment in which some units are active; chits are selected afterwards."""
    return position(units, attacking(*attackers, seat=seat), **{"active": list(attackers), "path": SELECTION, **more})


def after(result: str, units: Mapping[str, str], *attackers: str, target: str = AT, seat: str = "soviet", **more: Any) -> Game:
    """A battle that has just had a result, as the table has it."""
    return position(units, Aftermath(seat, Battle.on(seat, target, attackers), OUTCOMES[result]), **{"path": SELECTION, **more})


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
    return tuple(game.state.steps_left[unit] if game.state.locations.get(unit) in game.world.board else 0 for unit in units)


def lost_in_all_ways(game: Game, *units: str) -> Iterator[tuple[int, ...]]:
    """Every distribution of the losses that the owner may choose, as the steps that are left to each unit."""
    choices = [action for action in game.legal_actions(game.to_move[0]) if isinstance(action, LoseStep)]
    if not choices:
        yield steps(game, *units)
    for action in choices:
        other = game.copy()
        other.apply(action)
        yield from lost_in_all_ways(other, *units)
