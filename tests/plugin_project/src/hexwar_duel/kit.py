"""What the rulebook lets one judge from outside: the checks of the duel itself, besides those that every ruleset gets.

They are written from the rulebook and not from the rules, so that the same mistake is not made twice.
"""

from __future__ import annotations

from hexwar.engine import Action, Event, Game, TapedChance
from hexwar.testing import Kit, ScriptedDice, Watch, try_offered

from .rules import Duel, Meadow, Strike

Bout = Game[Duel, Meadow]


class StrikesAreFair(Watch):
    """Every strike with every face of the die, against the book."""

    id = "strikes-are-fair"
    sentence = "Only adjacent fencers strike; 4 or more wounds the one who is struck at, under trees or behind a guard only a 6."

    def before(self, game: Bout, seat: str, action: Action) -> None:
        """Try it on copies."""
        if not isinstance(action, Strike):
            return
        board, at, side = game.world.board, game.state.locations, game.world.seats[seat]
        target = game.world.enemy(side)
        away = board.distance(at[side], at[target])
        if away != 1:
            raise self.fail(f"3.1: {side} in {at[side]} may strike at {target} in {at[target]}, {away} hexes away")
        least = 6 if board.terrain(at[target]) == "trees" or game.state.guard.get(target, False) else 4
        for face in range(1, 7):
            twin = Game(game.ruleset, game.world, game.state, TapedChance(ScriptedDice([face])))
            try_offered(twin, seat, action)
            for fencer in game.world.sides:
                due = game.state.wounds.get(fencer, 0) + (fencer == target and face >= least)
                has = twin.state.wounds.get(fencer, 0)
                if has != due:
                    raise self.fail(f"3.1: {fencer} has {has} wounds instead of {due} after a {face}, where {least} was needed")


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
