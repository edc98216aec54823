"""Positions on the Wkra for the tests: some units, and a pause in which everything can be asked."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Game, Sequencing, Step
from hexwar.testing import ScriptedDice, position
from hexwar_wop.content import ROUTES
from hexwar_wop.supply import is_headquarters_supplied, is_supplied
from hexwar_wop.turn import Pausing

FIRST, PAUSE = Sequencing((0, 0)), Sequencing((0, 2))
"""The sequence of play at the beginning of a turn, and behind the weather."""


def idle(units: dict[str, Any]) -> Step:
    """What waits while nothing happens."""
    return Pausing("polish")


def asked(units: dict[str, Any], **state: Any) -> Game:
    """A position in which nothing happens by itself."""
    return position("wop", scenario="wkra-supply", units=units, step=[PAUSE, Pausing("polish")], **state)


def played(units: dict[str, Any], dice: list[int], **state: Any) -> Game:
    """A position at the beginning of its supply phase, played until somebody is asked; dice show 0 to 9."""
    rolled = ScriptedDice.outcomes(dice)
    game = position("wop", scenario="wkra-supply", units=units, step=[FIRST], dice=rolled, **state)
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
