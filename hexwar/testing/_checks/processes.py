"""The checks that a game is the same everywhere: in other processes, by other Pythons, and without the plugins of optional rules.

Which other Pythons there are cannot be guessed: `HEXWAR_PYTHONS` names them, `check_ruleset(pythons=...)` or
`hexwar check --python`. Each needs hexwar and the ruleset installed.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from hexwar.engine import Game
from hexwar.plugins import Plugins, plugins, use_plugins
from hexwar.plugins._variants import load_object
from hexwar.testing._checks.content import fingerprint
from hexwar.testing._checks.corpus import KnownGame, OffCourse, known_games, recorded
from hexwar.testing._mutants.mutation import plant_again
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Survey, random_decisions, try_offered
from hexwar.workers import Worker, WorkerFailed

KNOWN = 2
"""How many of the known games are played."""
PYTHONS = "HEXWAR_PYTHONS"
SECONDS = 300
ACTIONS = 200
"""How far each of the games without optional rules is followed."""
GAMES = 40
"""At most this many of them are played."""


def in_pythons(pythons: Sequence[str] | None) -> contextlib.AbstractContextManager[object]:
    """Inside, these interpreters play as well, also where other processes share the work; None leaves it to HEXWAR_PYTHONS."""
    if pythons is None:
        return contextlib.nullcontext()
    from unittest import mock  # which takes long to import

    return mock.patch.dict(os.environ, {PYTHONS: os.pathsep.join(pythons)})


def other_pythons() -> tuple[str, ...]:
    """The interpreters that play as well: names or paths."""
    return tuple(filter(None, os.environ.get(PYTHONS, "").split(os.pathsep)))


def ask(worker: Worker, function: Callable[[Subject, int], Any], subject: Subject, seed: int) -> None:
    """Let a worker call a function of a subject and a seed; an order for it, as plain data.

    Args:
        worker: who works until the answer is needed.
        function: one of a module, which returns JSON data.
        subject: what is asked about; it must have an address.
        seed: for games.
    """
    order = {
        "path": [] if subject.installed else _ours(),
        "function": f"{function.__module__}:{function.__name__}",
        "ruleset": subject.address,
        "scenario": subject.scenario,
        "options": dict(subject.options),
        "seed": seed,
    }
    worker.order(f"{__name__}:answer", order)


def _ours() -> list[str]:
    """Where this process finds modules that are of no Python's own."""
    own = tuple(os.path.realpath(prefix) for prefix in {sys.prefix, sys.base_prefix})
    return [entry for entry in map(os.path.realpath, sys.path) if not entry.startswith(own)]


def answer(order: dict[str, Any]) -> Any:
    """What the other process says."""
    sys.path += order["path"]
    plant_again()  # a bug that was planted here is planted there
    ruleset = order["ruleset"]
    subject = Subject.of(load_object(ruleset) if ":" in ruleset else ruleset, order["scenario"], order["options"])
    return load_object(order["function"])(subject, order["seed"])


class _Elsewhere(Survey, abstract=True):
    """What they share: answers of other processes, and how two accounts of a game are compared."""

    def answer_of(self, worker: Worker, what: str) -> Any:
        """What a worker answers to what it was asked."""
        try:
            return worker.answer(SECONDS)
        except WorkerFailed as error:
            raise self.fail(f"{what} the game fails in another process: {error}") from error

    def compare(self, what: str, there: Sequence[str], here: str, ours: Sequence[str]) -> None:
        """Two accounts of a game must be the same, item by item."""
        for number, (one, other) in enumerate(zip_longest(ours, there, fillvalue="nothing")):
            if one != other:
                raise self.fail(f"{what} differs at item {number}: {other}; {here} {one}")


class SameEverywhere(_Elsewhere):
    """The same moves and dice give the same digests and the same log in another process under another hash seed."""

    def run(self, seed: int) -> None:
        """Play the same games here and elsewhere."""
        self.demand(
            self.subject.address is not None,
            "the ruleset is an object in no module, so that no other process finds it: assign it to a name there",
        )
        # What depends on hash seeds does so in every scenario: the first is played under several, the others under one more each.
        seeds = range(self.budget.processes if self.is_first or self.budget.tier == "nightly" else 1)
        makes: dict[str, dict[str, Any]] = {f"with PYTHONHASHSEED={number}": {"hash_seed": number} for number in seeds}
        for python in other_pythons():
            makes[f"with PYTHONHASHSEED=0 in {python}"] = {"hash_seed": 0, "python": python}
        asked = play if self.is_first else fingerprint  # known games are of all scenarios
        with contextlib.ExitStack() as running:
            others: dict[str, Worker] = {}
            for what, make in makes.items():
                try:
                    others[what] = running.enter_context(Worker(**make))
                except WorkerFailed as error:
                    raise self.fail(f"{what} nothing can be compared: it {error}") from error
                ask(others[what], asked, self.subject, seed)
            here = asked(self.subject, seed)  # while the others work as well
            for what, other in others.items():
                self.compare(f"{what} another process", self.answer_of(other, what), "here", here)


def play(subject: Subject, seed: int) -> list[str]:
    """What another process is asked as well: the fingerprint of a game, and what becomes of known ones."""
    told = [f"known game {number}: {_became(subject, game)}" for number, game in enumerate(known_games(subject)[:KNOWN])]
    return [*fingerprint(subject, seed), *told]


def _became(subject: Subject, known: KnownGame) -> str:
    """What becomes of a known game; that one goes otherwise than it was recorded is reported by the check of these games."""
    try:
        return str(recorded(subject, known))
    except OffCourse as error:
        return str(error)


class OffIsAbsent(_Elsewhere):
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
                self._compare("without the variants", record_of(subject, number), installed)
        foreign = plugins().foreign_plugins(subject.info.id)
        if foreign:
            blocked = f"without the plugins {', '.join(foreign)}"
            with Worker(block=foreign) as other:
                ask(other, record_of, subject, seed)
                there = self.answer_of(other, blocked)
            self._compare(blocked, there, records[0])

    def _records(self, subject: Subject, seed: int) -> list[list[str]]:
        """Of one game, or of several if they are short: some rules matter only now and then."""
        records: list[list[str]] = []
        for number in range(seed, seed + min(self.budget.games, GAMES)):
            game = subject.start(number)
            records.append(_record(game, number))
            if game.to_move:  # it continues
                break
        return records

    def _compare(self, how: str, bare: list[str], installed: list[str]) -> None:
        self.compare(f"{how} the game", bare, "with them, switched off, it is", installed)


@contextlib.contextmanager
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
