"""The check of a ruleset's own bot: it can take over a seat, and advise, at any moment."""

from __future__ import annotations

import random

from hexwar.bots import KeyedChance, load_bot, usual_bot
from hexwar.engine import Action, Game
from hexwar.testing.watch import Watch

QUICKLY = 0.003
"""The share of the decisions of the quick tier: a bot may think for long."""


class BotsAnswerWhatIsOffered(Watch):
    """The game's bot, made afresh and asked in the middle of a game of others, answers with something that is offered."""

    rate = 0.02

    def looks_at(self, number: int) -> bool:
        """Fewer decisions than other checks, in short games too."""
        share = QUICKLY if self.budget.tier == "quick" else self.rate
        return random.Random(f"{self.id}{self.salt}|{number}").random() < share

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Ask it."""
        name = usual_bot(self.subject.info)
        try:
            answer = load_bot(name).choose(game.view(seat), KeyedChance(f"{self.id}|{len(game.history)}"))
        except Exception as error:
            raise self.fail(f"{name}, asked in place of {seat}, fails: {type(error).__name__}: {error}") from error
        if (refusal := game.why_not(answer, seat)) is not None:
            raise self.fail(f"{name}, asked in place of {seat}, answers {answer}: {refusal}")
