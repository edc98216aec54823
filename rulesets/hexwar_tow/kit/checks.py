"""The checks of Traces of War: games are held to the literal rules."""

from __future__ import annotations

import random
from typing import ClassVar

from hexwar.engine import Action, Event, Game
from hexwar.mechanics import AttackAnnounced
from hexwar.testing.watch import Check, Watch
from hexwar_tow.kit.field_rules import Ground
from hexwar_tow.kit.reference import Table

COLUMNS = ("1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1")

UNITS = 4
"""So many are looked at in a position at most."""


def difference(game: Game, chance: random.Random, units: int) -> str:
    """In what a position is not as the literal rules have it, "" if it is: zones, lines, command, some reaches and retreats."""
    table, query, world = Ground(game.world, game.state), game.query, game.world
    for side in world.sides:
        if table.watched(table.enemy(side)) != set(query.zones(side)):
            return f"the zones of {side} differ"
        lines = table.supplied(side)
        for unit, label in table.at.items():
            if table.units[unit].side == side and query.supply(unit).supplied != (label in lines):
                return f"{unit} in {label} {'has' if label in lines else 'has no'} supply line by the literal rule"
    for unit in table.at:
        if table.units[unit].command and set(query.command(unit)) != table.commanded(unit):
            return f"{unit} commands others by the literal rule"
    for unit in chance.sample(sorted(table.at), min(units, len(table.at))):
        if table.ends(unit) != query.reach(unit).costs:
            return f"{unit} reaches other hexes by the literal rule"
        wrong = _retreat(game, table, unit, chance.choice((1, 2)))
        if wrong:
            return wrong
    return ""


def _retreat(game: Game, table: Ground, unit: str, hexes: int) -> str:
    options = game.query.retreats(unit, hexes)
    best = {option.path for option in options if option.rank == options[0].rank}
    return f"{unit} retreats by other ways by the literal rule" if best != table.best(unit, hexes) else ""


class LiteralPositions(Watch):
    """Zones, supply lines, command, movement and retreat."""

    id: ClassVar[str] = "literal-positions"
    sentence: ClassVar[str] = "Zones, lines, command, reaches and retreats are those of the literal rules (2.3, 6, 8.1, 9, 10.4)."
    rate: ClassVar[float] = 0.05

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """See `Watch.after`."""
        wrong = difference(game, self.random(seat, action), min(self.budget.probes, UNITS))
        if wrong:
            raise self.fail(wrong)


class LiteralBattles(Watch):
    """The odds of every attack."""

    id: ClassVar[str] = "literal-battles"
    sentence: ClassVar[str] = "Every attack is announced with the odds of the literal rules (1.3, 8.2, 10.2)."

    def before(self, game: Game, seat: str, action: Action) -> None:
        """See `Watch.before`."""
        self._table = Table(game.world, game.state)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """See `Watch.after`."""
        for event in events:
            if isinstance(event, AttackAnnounced):
                attack, defence, column = self._table.odds(event.battle.target, event.battle.attackers)
                literal = (attack, defence, "none" if column is None else COLUMNS[column])
                if literal != (event.attack, event.defence, event.odds):
                    raise self.fail(f"the attack on {event.battle.target} is {literal} by the literal rule")


CHECKS: tuple[type[Check], ...] = (LiteralPositions, LiteralBattles)
