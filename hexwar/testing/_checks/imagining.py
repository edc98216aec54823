"""Checks of what a seat may imagine: it fits what the seat sees, and makes no difference to bots."""

from __future__ import annotations

from hexwar.bots import KeyedChance, load_bot, usual_bot
from hexwar.engine import Action, Game
from hexwar.testing._running.secrecy import imagined, imagines, secret_fields
from hexwar.testing._running.watch import Watch, in_words

SEATS = 3
"""How many seats imagine something in a position; others in the next."""
PLAYED_ON = 4
"""How many actions are played in what was imagined."""


class ImaginedPositionsFit(Watch):
    """What a seat imagines looks to it as the game does, offers it the same, breaks no invariant and can be played on."""

    rate = 0.3

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Imagine something for some seats."""
        if secret_fields(game._state) and not imagines(game):
            return
        chance = self.random(seat, action)
        seats = [*game.world.seats]
        for name in chance.sample(seats, min(SEATS, len(seats))):
            view = game.view(name)
            try:
                line = view.imagine(chance)
            except Exception as error:
                raise self.fail(f"{name} cannot imagine a position: {in_words(error)}") from error
            if view.question is not None:
                mine, others = view.question.to_json(), line.question(name).to_json()
                self.demand(mine == others, f"{name} is asked {others} in what it imagines, and {mine} in the game")
                same = [*line.offered(name)] == [*game.offered(name)]
                self.demand(same, f"{name} is not offered in what it imagines what the game offers")
            for invariant in game.ruleset.invariants:
                broken = invariant.broken(line._position)
                if broken and not invariant.broken(game._position):
                    raise self.fail(f"what {name} imagines breaks an invariant, {invariant.title} ({invariant.clause}): {broken}")
            try:
                for _ in range(PLAYED_ON):
                    if line.to_move:
                        asked = line.to_move[0]
                        line.apply(line.offered(asked).sample(chance), asked)
            except Exception as error:
                raise self.fail(f"what {name} imagines cannot be played on: {in_words(error)}") from error


class BotsIgnoreSecrets(Watch):
    """In games that differ only in what its seat may not know, a bot answers the same."""

    rate = 0.05

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Ask in both."""
        if not imagines(game):
            return
        other = imagined(game, seat, self.random(seat, action))
        for name in dict.fromkeys((usual_bot(self.subject.info), "greedy")) if other is not None else ():
            said = [
                load_bot(name).choose(line.view(seat), KeyedChance(f"{self.id}|{len(game.history)}"))
                for line in (game, other)
                if line is not None
            ]
            self.demand(said[0] == said[1], f"{name} answers {said[0]} or {said[1]}, depending on what {seat} cannot know")
