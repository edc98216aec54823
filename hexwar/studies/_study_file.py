"""The file of a study: a line of JSON for the plan, and one for each game.

The lines of games are the same whoever played them, so that two files of a study are equal once they are sorted; how long each
took is in a file of its own beside it. A line that was not finished, because of a power failure, is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from hexwar.errors import HexwarError
from hexwar.files import read_text
from hexwar.studies._simulate import Moment, Outcome, Plan, play_seeds

FORMAT = 1
MAX_BYTES = 512_000_000


class StudyError(HexwarError):
    """A file is no study, or that of another one."""


class StudyFile:
    """Where a study keeps its games; one that exists is gone on with.

    Args:
        path: the file; the times go into `path` + ".times".
        plan: what is played.

    Raises:
        StudyError: the file holds another study, or none.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        self.path, self._plan = Path(path), plan
        self._head = _head(plan)
        self.known: dict[int, Outcome] = {}
        """Seed -> what is there already."""
        if self.path.exists() and not self._begun_only():
            head, outcomes, whole = _read(self.path)
            wrong = [key for key in self._head if head.get(key) != self._head[key]]
            if wrong:
                differences = ", ".join(f"{key} {head.get(key)!r} instead of {self._head[key]!r}" for key in wrong)
                raise StudyError(f"{self.path}: is the file of another study: {differences}")
            self.known = {outcome.seed: outcome for outcome in outcomes}
            if whole < self.path.stat().st_size:
                os.truncate(self.path, whole)
        else:
            self._add(self.path, self._head, "w")

    def play(self, seeds: Iterable[int], *, jobs: int = 1, executor: Executor | None = None) -> Iterator[Outcome]:
        """The outcomes of some seeds: those that are there first, then the others as they are played and kept."""
        seeds = list(seeds)
        yield from (self.known[seed] for seed in seeds if seed in self.known)
        left = [seed for seed in seeds if seed not in self.known]
        for outcome in play_seeds(self._plan, left, jobs=jobs, executor=executor):
            self._add(Path(f"{self.path}.times"), {"seed": outcome.seed, "seconds": round(outcome.seconds, 3)})
            self._add(self.path, {key: value for key, value in asdict(outcome).items() if key != "seconds"})
            self.known[outcome.seed] = outcome
            yield outcome

    def _begun_only(self) -> bool:
        """Whether the file is empty, or ends within its first line: it was begun, and of a power failure."""
        line = _line(self._head)
        return self.path.stat().st_size < len(line.encode()) and line.startswith(read_text(self.path))

    def _add(self, path: Path, entry: dict[str, Any], mode: Literal["a", "w"] = "a") -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open(mode, encoding="utf-8") as file:
                file.write(_line(entry))
        except OSError as error:
            raise StudyError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _line(entry: dict[str, Any]) -> str:
    return f"{json.dumps(entry, sort_keys=True)}\n"


def read_study(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[Outcome]]:
    """What a file says of its study, and its outcomes by seed.

    Raises:
        StudyError: it is not a study.
    """
    head, outcomes, _ = _read(Path(path))
    return head, sorted(outcomes, key=lambda outcome: outcome.seed)


def _head(plan: Plan) -> dict[str, Any]:
    import hexwar

    world = plan.begin(0)[0].world
    return {
        "study": FORMAT,
        "hexwar": hexwar.__version__,
        "ruleset": plan.ruleset,
        "version": world.setup.version,
        "content": world.content,
        "scenario": world.setup.scenario,
        "options": dict(sorted(world.setup.options.items())),
        "seats": plan.seats,
        "bots": dict(sorted(plan.bots.items())),
        "disturb": plan.disturb or None,  # which files of before do not name
    }


def _read(path: Path) -> tuple[dict[str, Any], list[Outcome], int]:
    """The head, the outcomes, and how many bytes of the file are whole lines."""
    lines = read_text(path, MAX_BYTES).splitlines(keepends=True)
    whole = len(lines) - bool(lines and not lines[-1].endswith("\n"))
    if not whole:
        raise StudyError(f"{path}: is no study: it has no whole line")
    head = _entry(path, 1, lines[0])
    if "study" not in head:
        raise StudyError(f"{path}: is no study: its first line does not say of what")
    if head["study"] != FORMAT:
        raise StudyError(f"{path}: is a study of format {head['study']!r}; this hexwar reads format {FORMAT}")
    seconds = _times(Path(f"{path}.times"))
    outcomes = []
    for number, line in enumerate(lines[1:whole], 2):
        game = _entry(path, number, line)
        try:
            outcomes.append(replace(_outcome(game), seconds=seconds.get(game["seed"], 0.0)))
        except (TypeError, KeyError, AttributeError):
            raise StudyError(f"{path}: line {number}: is no game of a study, or is damaged") from None
    return head, outcomes, sum(len(line.encode()) for line in lines[:whole])


def _entry(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise StudyError(f"{path}: line {number}: is no line of a study, or is damaged")
    return entry


def _outcome(game: dict[str, Any]) -> Outcome:
    return Outcome(**{**game, "moments": tuple(Moment(**moment) for moment in game["moments"])})


def _times(path: Path) -> dict[int, float]:
    """Seed -> processor seconds, as far as they are known."""
    found = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else ():
        try:
            entry = json.loads(line)
            found[int(entry["seed"])] = float(entry["seconds"])
        except (ValueError, TypeError, KeyError):  # it was not finished, or is damaged; the games are unaffected
            continue
    return found
