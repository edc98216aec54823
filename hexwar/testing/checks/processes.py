"""The check that a game is the same everywhere: other processes play it too, with other hash seeds and by other Pythons.

Which other Pythons there are, nobody can guess: `HEXWAR_PYTHONS` names them, `check_ruleset(pythons=...)` or
`hexwar check --python`. Each needs hexwar and the ruleset installed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from hexwar.plugins._variants import load_object
from hexwar.testing.checks.content import fingerprint
from hexwar.testing.checks.corpus import KnownGame, OffCourse, known_games, recorded
from hexwar.testing.mutation import plant_again
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Survey
from hexwar.workers import Worker, WorkerFailed

GAMES, KNOWN = 1, 2
"""How many games are played at random, and how many of the known ones."""
PYTHONS = "HEXWAR_PYTHONS"
SECONDS = 300


@contextlib.contextmanager
def in_pythons(pythons: Sequence[str] | None) -> Iterator[None]:
    """Inside, these interpreters play as well, also where other processes share the work; None leaves it to HEXWAR_PYTHONS."""
    before = os.environ.get(PYTHONS)
    if pythons is not None:
        os.environ[PYTHONS] = os.pathsep.join(pythons)
    try:
        yield
    finally:
        if before is not None:
            os.environ[PYTHONS] = before
        elif pythons is not None:
            del os.environ[PYTHONS]


def other_pythons() -> tuple[str, ...]:
    """The interpreters that play as well: names or paths."""
    return tuple(filter(None, os.environ.get(PYTHONS, "").split(os.pathsep)))


def ask(worker: Worker, function: str, subject: Subject, seed: int) -> None:
    """Let a worker call a function of a subject and a seed; an order for it, as plain data.

    Args:
        worker: who works until somebody asks for the answer.
        function: "module:function", which returns JSON data.
        subject: what is asked about; it must have an address.
        seed: for games.
    """
    order = {
        "path": [] if subject.installed else _ours(),
        "function": function,
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


class SameEverywhere(Survey):
    """The same moves and dice give the same digests and the same log in another process under another hash seed."""

    def run(self, seed: int) -> None:
        """Play the same games here and elsewhere."""
        self.demand(
            self.subject.address is not None,
            "the ruleset is an object in no module, so that no other process finds it: assign it to a name there",
        )
        # What depends on hash seeds does so in every scenario: the first is played under several, the others under one more each.
        seeds = range(self.budget.processes if self.is_first or self.budget.tier == "nightly" else 1)
        makes: list[dict[str, Any]] = [{"hash_seed": number} for number in seeds]
        makes += [{"python": python} for python in other_pythons()]
        asked = play if self.is_first else fingerprints  # known games are of all scenarios
        with contextlib.ExitStack() as running:
            others: dict[str, Worker] = {}
            for make in makes:
                what = f"with PYTHONHASHSEED={make.get('hash_seed', 0)}" + (f" in {make['python']}" if "python" in make else "")
                try:
                    others[what] = running.enter_context(Worker(**{"hash_seed": 0, **make}))
                except WorkerFailed as error:
                    raise self.fail(f"{what} nothing can be compared: it {error}") from error
                ask(others[what], f"{__name__}:{asked.__name__}", self.subject, seed)
            here = asked(self.subject, seed)  # while the others work as well
            for what, other in others.items():
                try:
                    there = other.answer(SECONDS)
                except WorkerFailed as error:
                    raise self.fail(f"{what} the game fails in another process: {error}") from error
                self._compare(here, there, what)

    def _compare(self, here: list[str], there: list[str], what: str) -> None:
        for number, (one, other) in enumerate(zip(here, there, strict=False)):
            if one != other:
                raise self.fail(f"{what} another process differs at item {number}: {other}; here {one}")
        self.demand(len(here) == len(there), f"{what} another process has {len(there)} items instead of {len(here)}")


def play(subject: Subject, seed: int) -> list[str]:
    """What another process is asked as well: the fingerprint of some games, and what becomes of known ones."""
    told = [f"known game {number}: {_became(subject, game)}" for number, game in enumerate(known_games(subject)[:KNOWN])]
    return [*fingerprints(subject, seed), *told]


def _became(subject: Subject, known: KnownGame) -> str:
    """What becomes of a known game; that one goes otherwise than it was recorded is reported by the check of these games."""
    try:
        return str(recorded(subject, known))
    except OffCourse as error:
        return str(error)


def fingerprints(subject: Subject, seed: int) -> list[str]:
    """The games of one scenario alone."""
    return fingerprint(subject, seed, GAMES)


def answer(order: dict[str, Any]) -> Any:
    """What the other process says."""
    sys.path += order["path"]
    plant_again()  # a bug that was planted here is planted there
    ruleset = order["ruleset"]
    subject = Subject.of(load_object(ruleset) if ":" in ruleset else ruleset, order["scenario"], order["options"])
    return load_object(order["function"])(subject, order["seed"])
