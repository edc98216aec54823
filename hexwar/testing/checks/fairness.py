"""The check of dice and lots: every outcome comes about as often as every other."""

from __future__ import annotations

from collections import Counter

from hexwar.engine import Play
from hexwar.testing.watch import Survey

ROLLS = 1_800
SIGMA = 5
"""A fair die strays so far from its mean once in a million times; the seeds are fixed, so that it always does or never."""


class DiceAreFair(Survey):
    """In many rolls and draws every outcome, and every outcome after another, comes up about as often as all others."""

    def run(self, seed: int) -> None:
        """Roll and draw as the rules do, in a game of its own."""
        game = self.subject.start(f"{seed}|fair")
        clause = next(event.clause for event in game.events if event.clause)  # cited anyhow
        play = Play(game.world, game.state.copy(), game.chance)
        rolls = [play.roll("fairness", clause=clause) for _ in range(ROLLS)]
        draws = [play.draw("fairness", "abcde", clause=clause) for _ in range(ROLLS)]
        for what, outcomes, known in (("roll", rolls, range(1, 7)), ("draw", draws, "abcde")):
            counted: Counter[object] = Counter(outcomes)
            self._judge(what, counted, list(known))
            after = Counter(zip(outcomes[::2], outcomes[1::2], strict=True))
            self._judge(f"{what} after {what}", Counter(after), [(a, b) for a in known for b in known])

    def _judge(self, what: str, counted: Counter[object], known: list[object]) -> None:
        total = counted.total()
        mean = total / len(known)
        spread = SIGMA * (mean * (1 - 1 / len(known))) ** 0.5
        strange = [outcome for outcome in counted if outcome not in known]
        if strange:
            raise self.fail(f"a {what} gave {strange[0]!r}")
        for outcome in known:
            self.demand(
                abs(counted[outcome] - mean) <= spread,
                f"a {what} of {outcome!r} came up {counted[outcome]} times in {total}; about {mean:.0f} were due",
            )
