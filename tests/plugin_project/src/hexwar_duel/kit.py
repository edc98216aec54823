"""What the rulebook lets one judge from outside: the checks of the duel itself, besides those that every ruleset gets.

They are written from the rulebook and not from the rules, so that the same mistake is not made twice.
"""

from __future__ import annotations

from hexwar.engine import Action, DiceRolled, Event, Game
from hexwar.testing.kit import Kit
from hexwar.testing.watch import Watch

from .rules import Duel, Meadow, Strike

Bout = Game[Duel, Meadow]


class StrikesAreFair(Watch):
    """Every strike, with its die, against the book."""

    id = "strikes-are-fair"
    sentence = "Only adjacent fencers strike; 4 or more wounds the one who is struck at, under trees or behind a guard only a 6."

    def before(self, game: Bout, seat: str, action: Action) -> None:
        """Remember how things stood."""
        at, side = game.state.at, game.world.seats[seat]
        self._target = game.world.enemy(side)
        self._wounds = dict(game.state.wounds)
        covered = game.world.board.terrain(at[self._target]) == "trees" or game.state.guard.get(self._target, False)
        self._least = 6 if covered else 4
        away = game.world.board.distance(at[side], at[self._target])
        if isinstance(action, Strike) and away != 1:
            raise self.fail(f"3.1: {side} may strike from {at[side]} at {at[self._target]}, {away} hexes away")

    def after(self, game: Bout, seat: str, action: Action, events: list[Event[Duel]]) -> None:
        """Count the wounds."""
        dice = [event.dice[0] for event in events if isinstance(event, DiceRolled)]
        if isinstance(action, Strike) and not dice:
            raise self.fail("3.1: nobody rolled a die for a strike")
        hit = bool(dice) and dice[0] >= self._least
        for side in game.world.sides:
            due = self._wounds.get(side, 0) + (hit and side == self._target)
            if game.state.wounds.get(side, 0) != due:
                rolled = f"a {dice[0]} was rolled and {self._least} was needed" if dice else "nobody struck"
                raise self.fail(f"3.1: {side} has {game.state.wounds.get(side, 0)} wounds instead of {due}: {rolled}")


class TheBetterFencerWins(Watch):
    """The verdict, against the wounds."""

    id = "the-better-fencer-wins"
    sentence = "The fencer with fewer wounds wins; with as many it is a draw."

    def after(self, game: Bout, seat: str, action: Action, events: list[Event[Duel]]) -> None:
        """Judge the verdict."""
        if game.result is None:
            return
        north, south = (game.state.wounds.get(side, 0) for side in ("north", "south"))
        due = None if north == south else "north" if north < south else "south"
        if game.result.winner != due:
            won = game.result.winner or "nobody"
            raise self.fail(f"{game.result.clause}: {won} wins with wounds north {north}, south {south}")


KIT = Kit(checks=(StrikesAreFair, TheBetterFencerWins))
