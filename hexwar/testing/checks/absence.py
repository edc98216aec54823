"""The check that an optional rule which is off is as good as not there: its plugin may be installed or not."""

from __future__ import annotations

import copy
import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest

from hexwar.engine import Game
from hexwar.plugins import Plugins, plugins, use_plugins
from hexwar.testing.checks.processes import SECONDS, ask
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Survey, random_decisions, try_offered
from hexwar.workers import Worker, WorkerFailed

ACTIONS = 200
"""How far each of the games is followed."""
GAMES = 40
"""At most this many are played."""


class OffIsAbsent(Survey):
    """With every optional rule off, offers, digests and the save are the same as if nobody had written the rules."""

    def run(self, seed: int) -> None:
        """Play with the variants installed, without them here, and without their plugins in another process."""
        if not self.subject.installed or not plugins().variants(self.subject.info.id):
            return
        if not self.is_first and self.budget.tier != "nightly":
            return
        subject = self.subject.with_options({})
        records = self._records(subject, seed)
        with without_variants():
            for number, installed in enumerate(records, seed):
                self._compare(installed, record_of(subject, number), "without the variants")
        foreign = plugins().foreign_plugins(subject.info.id)
        if foreign:
            blocked = f"without the plugins {', '.join(foreign)}"
            with Worker(block=foreign) as other:
                ask(other, "hexwar.testing.checks.absence:record_of", subject, seed)
                try:
                    there = other.answer(SECONDS)
                except WorkerFailed as error:
                    raise self.fail(f"{blocked} the game fails in another process: {error}") from error
            self._compare(records[0], there, blocked)

    def _records(self, subject: Subject, seed: int) -> list[list[str]]:
        """Of one game, or of several if they are short: some rules matter only now and then."""
        records: list[list[str]] = []
        for number in range(seed, seed + min(self.budget.games, GAMES)):
            game = subject.start(number)
            records.append(_record(game, number))
            if game.to_move:  # it continues
                break
        return records

    def _compare(self, installed: list[str], bare: list[str], how: str) -> None:
        for number, (one, other) in enumerate(zip_longest(installed, bare)):
            if one != other:
                raise self.fail(f"{how} the game differs at item {number}: {other}; with them, switched off, it is {one}")


@contextmanager
def without_variants() -> Iterator[Plugins]:
    """The plugins of this process as if none of them brought a variant."""
    manager = plugins()
    bare = copy.copy(manager)
    bare.variants = lambda ruleset: {}  # type: ignore[method-assign]
    bare.worlds = {}
    use_plugins(bare)
    try:
        yield bare
    finally:
        use_plugins(manager)


def record_of(subject: Subject, seed: int) -> list[str]:
    """A random game: what was offered, the digests, and the save."""
    return _record(subject.start(seed), seed)


def _record(game: Game, seed: int) -> list[str]:
    found = [game.digest]
    for seat, action in random_decisions(game, random.Random(seed), ACTIONS):
        offered = "\n".join(map(repr, game.legal_actions(seat)))
        try_offered(game, seat, action)
        found.append(f"{seat} {hashlib.blake2b(offered.encode(), digest_size=8).hexdigest()} {action!r} {game.digest}")
    return [*found, *game.to_text().splitlines()]
