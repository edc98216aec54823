"""Games of the bot."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from hexwar.engine import Game
from hexwar.testing.checks import checks_of
from hexwar.testing.checks.following import Following
from hexwar.testing.playouts import SeatAction
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Survey, observe
from hexwar_ava.bot import Commander
from hexwar_ava.kit.rules import (
    AXIS,
    SOVIET,
)


class BotGamesAgree(Survey):
    """Games of the bot obey the literal rules, in the ci tier in every scenario."""

    once = True

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        for number in range(self.budget.probes):
            self._play(self.subject, f"{seed}|{number}", number, 1_500)
        if self.budget.tier != "quick":
            for scenario in self.subject.info.scenarios[1:]:
                there = replace(self.subject, scenario=scenario.id, options={**self.subject.options, "auto-setup": True})
                self._play(there, seed, seed, 15 * self.budget.probes)

    def _play(self, subject: Subject, key: int | str, number: int, limit: int) -> None:
        """One game: the bot against itself or, as either side, against random play; or random play alone."""
        game, chance = subject.start(key), random.Random(number)
        led = ((AXIS, SOVIET), (AXIS,), (SOVIET,), ())[number % 4]
        bots = {seat: Commander() for seat, side in game.world.seats.items() if side in led}

        def decide(game: Game) -> Iterator[SeatAction]:
            for _ in range(limit if game.to_move else 0):
                if not game.to_move:
                    return
                seat = game.to_move[0]
                yield seat, bots[seat].choose(game.view(seat), chance) if seat in bots else game.offered(seat).sample(chance)

        kinds = [it for it in checks_of(subject, "quick") if issubclass(it, Following)]
        for fault in observe(game, [kind(subject, self.budget) for kind in kinds], decide(game)):
            raise self.fail(f"{subject.scenario}, game {number}, decision {len(fault.moves)}: {fault.error}")
