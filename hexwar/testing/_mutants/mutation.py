"""Rule mutation: plant a bug in the rules, and see whether the suite catches it. One that survives is a missing test.

A mutant is a small function that patches the rules, or the mechanics below them. Each is planted in a process of its own, so that
nothing is left of it, and judged by the conformance suite with the ruleset's own checks until the first one fails.
"""

from __future__ import annotations

import contextlib
import json
import os
import runpy
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from hexwar.engine import Json
from hexwar.errors import HexwarError, UnknownName
from hexwar.plugins import plugins
from hexwar.testing._running.subject import Subject
from hexwar.testing.drills import DrillsComeRight
from hexwar.workers import Worker, WorkerFailed, WorkerLate, WorkerLost, completed

SECONDS = 600
"""A mutant that has not been judged by then has made the game endless, and is caught by that."""
RETRIES = 2
"""How often a mutant is judged again whose process has ended; then it has ended it itself, and is caught by that."""


class Patch:
    """Changes things, and remembers how they were."""

    def __init__(self) -> None:
        self._changes = contextlib.ExitStack()

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Give an attribute that is there another value."""
        from unittest import mock  # which imports much that only a planted bug needs

        if isinstance(owner, type | ModuleType):
            self._changes.enter_context(mock.patch.object(owner, name, value))
        else:  # the code of a function cannot be taken away, which is how mock goes back to what a class has
            self._changes.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, value)

    def wrap(self, owner: Any, name: str, around: Callable[..., Any]) -> None:
        """Put a function in the place of another, which it gets as its first argument."""
        original = getattr(owner, name)

        def wrapped(*arguments: Any, **named: Any) -> Any:
            return around(original, *arguments, **named)

        static = isinstance(owner, type) and isinstance(vars(owner).get(name), staticmethod)
        self.set(owner, name, staticmethod(wrapped) if static else wrapped)

    def everywhere(self, function: Any, around: Callable[..., Any]) -> None:
        """Wrap a function of a module in all modules that have imported it by name."""
        name = function.__name__
        for module in list(sys.modules.values()):
            if getattr(module, "__dict__", {}).get(name) is function:
                self.wrap(module, name, around)

    def undo(self) -> None:
        """Make everything as it was."""
        self._changes.close()


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug to plant.

    Args:
        id: short, with hyphens.
        what: what is wrong then, in a sentence.
        plant: does it.
        clause: the rule that it breaks, if it is a rule of one ruleset.
        options: options that the games must have, because the rule is an optional one.
        likely: the checks that should catch it; they are asked first, then the ruleset's own with its drills, and all others
            only if none of these does.
    """

    id: str
    what: str
    plant: Callable[[Patch], object]
    clause: str = ""
    options: tuple[tuple[str, bool | str], ...] = ()
    likely: tuple[str, ...] = ()


@contextlib.contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Within the block the rules are broken."""
    patch = Patch()
    try:
        _plant(mutant, patch)
        yield
    finally:
        patch.undo()
        plugins().worlds.clear()


def _plant(mutant: Mutant, patch: Patch) -> None:
    """Break the rules; worlds that were made before are forgotten, because what is broken may be in their tables."""
    mutant.plant(patch)
    plugins().worlds.clear()


def mutants_of(ruleset: str, files: Iterable[str]) -> dict[str, Mutant]:
    """The mutants that some files have for a ruleset, by id.

    Args:
        ruleset: the id of an installed one.
        files: Python files with `MUTANTS`.
    """
    found: dict[str, Mutant] = {}
    for mutant in (mutant for file in files for mutant in mutants_in(file, ruleset)):
        if mutant.id in found:
            raise HexwarError(f"two mutants of {ruleset} are called {mutant.id!r}")
        found[mutant.id] = mutant
    return found


def mutants_in(file: str, ruleset: str) -> Sequence[Mutant]:
    """What a Python file has as `MUTANTS`: a list, or a function of the ruleset's id. It may import from the working directory.

    Raises:
        HexwarError: there is no such file, or it has none.
    """
    if not Path(file).is_file():
        raise HexwarError(f"{file}: there is no such file of planted bugs")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    found = runpy.run_path(file).get("MUTANTS", ())
    mutants: Sequence[Mutant] = found(ruleset) if callable(found) else found
    if not mutants:
        raise HexwarError(f"{file}: has no MUTANTS")
    return mutants


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a mutant.

    Args:
        mutant: its id.
        what: what was wrong.
        clause: the rule it broke, if it is a ruleset's own.
        caught_by: the check that caught it, "" if none did.
        message: what that check said.
        seconds: how long it took.
        cpu: how many seconds of processor time it took, where the system reports it.
    """

    mutant: str
    what: str
    clause: str
    caught_by: str
    message: str
    seconds: float
    cpu: float = 0.0

    def line(self) -> str:
        """For a terminal."""
        verdict = f"caught by {self.caught_by}" if self.caught_by else "SURVIVES"
        return f"{self.mutant}  {verdict} ({self.seconds:.1f} s): {self.what}"


@dataclass(frozen=True, slots=True)
class MutationReport:
    """What became of all of them."""

    ruleset: str
    tier: str
    trials: tuple[Trial, ...]

    @property
    def survivors(self) -> list[Trial]:
        """Those that were not caught."""
        return [trial for trial in self.trials if not trial.caught_by]

    def lines(self) -> list[str]:
        """For a terminal."""
        catches = Counter(trial.caught_by for trial in self.trials if trial.caught_by)
        counts = [f"{count:4} caught by {check}" for check, count in catches.most_common()]
        left, cpu = len(self.survivors), sum(trial.cpu for trial in self.trials)
        verdict = f"{len(self.trials) - left} of {len(self.trials)} mutants caught" + (f", {left} survive" if left else "")
        return [*(trial.line() for trial in self.trials), *counts, f"{verdict}; {cpu:.0f} s of processor time"]

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        trials: list[Json] = [asdict(trial) for trial in self.trials]
        return {"ruleset": self.ruleset, "tier": self.tier, "caught": not self.survivors, "mutants": trials}


def mutate(
    ruleset: str,
    *,
    tier: str = "quick",
    seed: int = 0,
    files: Sequence[str],
    only: Iterable[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[Trial], object] | None = None,
    executor: Executor | None = None,
) -> MutationReport:
    """Plant the mutants of a ruleset one by one and let the suite judge each.

    Args:
        ruleset: the id of an installed one.
        tier: how thoroughly the suite looks.
        seed: other seeds play other games.
        files: Python files that have them as `MUTANTS`.
        only: the ids of the mutants, all if not given.
        jobs: how many at a time; as many as there are processors if not given.
        progress: called with each result as it comes.
        executor: who judges instead of this machine, such as a cluster; the files must be there, too.
    """
    known = mutants_of(ruleset, files)
    for name in only or ():
        if name not in known:
            raise UnknownName(f"mutant of {ruleset}", name, known)
    chosen = [known[name] for name in (known if only is None else dict.fromkeys(only))]

    trials: dict[str, Trial] = {}
    common = {"ruleset": ruleset, "tier": tier, "seed": seed, "files": list(files)}
    orders: list[dict[str, Any]] = [{**common, "mutant": mutant.id} for mutant in chosen]
    with contextlib.ExitStack() as running:
        # Threads will do: each mutant gets a process to itself, which it may spoil.
        at_once = jobs or os.cpu_count() or 1
        pool = executor or running.enter_context(ThreadPoolExecutor(at_once))
        for order, future in completed(pool, _elsewhere, orders, len(orders) if executor else at_once):
            mutant = known[order["mutant"]]
            trials[mutant.id] = trial = Trial(mutant.id, mutant.what, mutant.clause, *future.result())
            if progress is not None:
                progress(trial)
    return MutationReport(ruleset, tier, tuple(trials[mutant.id] for mutant in chosen))


def _elsewhere(order: dict[str, Any]) -> tuple[str, str, float, float]:
    """What a process of its own says of a mutant: who caught it, the words, and how long it took."""
    begun, lost = time.perf_counter(), 0
    while True:
        with Worker() as worker:
            worker.order(f"{__name__}:{answer.__name__}", order)
            try:
                check, message, cpu = worker.answer(SECONDS)
            except WorkerFailed as error:  # it has made the game endless, or ended the process
                lost += isinstance(error, WorkerLost) and not isinstance(error, WorkerLate)
                if 0 < lost <= RETRIES:  # unless somebody else did
                    continue
                check, message, cpu = "crash", str(error), 0.0
        return check, message, time.perf_counter() - begun, cpu


def answer(order: dict[str, Any]) -> tuple[str, str, float]:
    """What the other process says: the check that caught a mutant, "" if none did, its words, and the processor time."""
    check, message = _caught(order)
    return check, message, sum(os.times()[:4])


def _caught(order: dict[str, Any]) -> Sequence[str]:
    ruleset, mutant = order["ruleset"], mutants_of(order["ruleset"], order["files"])[order["mutant"]]
    os.environ[PLANTED] = json.dumps([ruleset, mutant.id, order["files"]])
    os.environ["HEXWAR_CACHE"] = ""  # what was kept of the rules as they were hides what a mutant does
    try:
        _plant(mutant, Patch())
    except Exception as error:  # nothing was broken, so nothing can be caught
        return "", f"it cannot be planted: {type(error).__name__}: {error}"
    own = [*(check.id for check in Subject.of(ruleset).kit.checks), DrillsComeRight.id]
    for only in [*([mutant.likely] if mutant.likely else []), own, None]:
        caught = _judged(ruleset, order["tier"], order["seed"], dict(mutant.options), only)
        if caught[0]:
            return caught
    return "", ""


def _judged(ruleset: str, tier: str, seed: int, options: dict[str, bool | str], only: Sequence[str] | None) -> Sequence[str]:
    from hexwar.testing._running.check import check_ruleset

    report = check_ruleset(ruleset, tier, seed, options=options, only=only, first=True)
    failed = report.failures
    return (failed[0].check, failed[0].message) if failed else ("", "")


PLANTED = "HEXWAR_PLANTED"
"""The environment variable in which a process that judges a mutant names it (ruleset, mutant, files) to those that it starts."""


def plant_again() -> None:
    """Plant the mutant that the process is about which started this one; nothing if it is about none."""
    named = os.environ.get(PLANTED)
    if named:
        ruleset, mutant, files = json.loads(named)
        _plant(mutants_of(ruleset, files)[mutant], Patch())
