"""Positions on the Wkra for the tests: some units, and a pause in which everything can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hexwar
from hexwar.engine import Event, Game, Sequencing, Step
from hexwar.mechanics import Moving
from hexwar.pieces import Done
from hexwar.testing import ScriptedDice, position
from hexwar_wop.content import ROUTES, load_wop
from hexwar_wop.supply import is_headquarters_supplied, is_supplied

FIRST, PAUSE = Sequencing((0, 0)), Sequencing((0, 6))
"""The sequence of play at the beginning of a turn, and before its end."""


def idle(units: dict[str, Any]) -> Step:
    """What waits while nothing happens: whoever stands on the map may move."""
    seat = "polish" if any(load_side(unit) == "polish" for unit in units) else "soviet"
    return Moving(seat, tuple(unit for unit in units if load_side(unit) == seat))


def asked(units: dict[str, Any], **state: Any) -> Game:
    """A position in which nothing happens by itself."""
    return position("wop", units=units, step=[PAUSE, idle(units)], **state)


def load_side(unit: str) -> str:
    """The side of a piece."""
    named: dict[str, set[str]] = {}
    for scenario in load_wop().scenarios.values():
        for side, force in scenario.forces.items():
            named.setdefault(side, set()).update([hq.id for hq in force.headquarters], [unit.id for unit in force.units])
    return next((side for side, names in named.items() if unit in names), "")


def played(units: dict[str, Any], dice: list[int], **state: Any) -> Game:
    """A position at the beginning of its supply phase, played until somebody is asked; dice show 0 to 9."""
    rolled = ScriptedDice.outcomes(dice)
    somebody = {} if any(load_side(unit) == "soviet" for unit in units) else {"IVA": "1303"}  # who is asked in the end phase
    game = position("wop", units={**units, **somebody}, step=[FIRST], dice=rolled, **state)
    assert not rolled.left
    return game


def supplied(game: Game, piece: str) -> bool:
    """Whether a unit or a headquarters is supplied."""
    counter = game.world.units[piece]
    return is_headquarters_supplied(game.position, piece) if counter.level else is_supplied(game.position, piece)[0]


def network(game: Game, side: str) -> set[str]:
    """The hexes that roads and railways connect to a base of a side."""
    return {*game.world.board.unmask(game.world.supply.network(game.position, side, *ROUTES))}


def led_from(game: Game, headquarters: str) -> set[str]:
    """The hexes to which a line leads from a headquarters."""
    return {*game.world.board.unmask(game.world.command.range_of(game.position, headquarters))}


def zone(game: Game, side: str) -> set[str]:
    """The hexes that a side covers with its zones."""
    return {*game.query.zones(side)}


def activated(seed: int = 1) -> Game:
    """A game at its first activation: nobody has placed air units before (4.3.b)."""
    return next(game for game in passing(seed) if game.state.active)


def passing(seed: int, **options: Any) -> Iterator[Game]:
    """A game in which nobody moves, at every question."""
    game: Game = hexwar.new_game("wop", seed=seed, **options)
    while game.to_move:
        yield game
        game.apply(Done(), game.to_move[0])
    yield game


def pass_turn(game: Game) -> list[Event]:
    """Nobody does anything until the turn is over; what happened."""
    turn, begun = game.state.turn, len(game.events)
    while game.to_move and game.state.turn == turn:
        game.apply(Done(), game.to_move[0])
    return list(game.events[begun:])


def ended(seed: int) -> Game:
    """Such a game after its last turn."""
    return list(passing(seed))[-1]
