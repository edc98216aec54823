"""Judges automatic mutants: which lines who runs, who is asked about a mutant and in which order, and what is known already."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import platform
import queue
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hexwar.errors import HexwarError, UnknownName
from hexwar.testing.automatic.edits import AutoMutant
from hexwar.testing.automatic.judging import CLOCK, FORKS, LONGEST, TIMES, answer
from hexwar.testing.automatic.report import AutoReport, AutoTrial, Verdict
from hexwar.testing.automatic.target import Overlay, Target, digest_of
from hexwar.testing.subject import Subject
from hexwar.workers import Worker, WorkerFailed, useful_jobs

FOLDER = ".hexwar/mutants"
PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the kit or the tests say about a mutant; a line of the file in which they are kept.

    Args:
        mutant: its id.
        judge: "kit" or "tests".
        digest: of all that it depends on.
        by: the check or test that caught it, "" if none did.
        message: what that one says.
        verdict: what else is known of one that was not caught.
        cpu: how many seconds of processor time it took.
    """

    mutant: str
    judge: str
    digest: str
    by: str
    message: str
    verdict: Verdict
    cpu: float


def automatic(
    ruleset: str,
    *,
    sample: int | None = None,
    seed: int = 0,
    only: Sequence[str] = (),
    within: Sequence[str] = (),
    tier: str = "quick",
    options: Mapping[str, bool | str] | None = None,
    checks: Sequence[str] = (),
    tests: Sequence[str] = (),
    jobs: int | None = None,
    survivors: bool = False,
    patience: float = PATIENCE,
    folder: str = FOLDER,
    told: Callable[[AutoTrial], object] | None = None,
) -> AutoReport:
    """Make mistakes in a ruleset, one at a time, and see who notices.

    What is known from before is used again, so that a run that was stopped goes on where it was.

    Args:
        ruleset: the id of an installed one.
        sample: how many mistakes; all if not given.
        seed: another one draws other mistakes; the games are the same.
        only: the ids of mutants, instead of a sample.
        within: only in these files and folders, which may be those of house rules; the ruleset's own package if not given.
        tier: how thoroughly the kit looks.
        options: optional rules that are on in every game of the kit.
        checks: only these checks of the kit; all if not given.
        tests: paths that pytest runs, for mutants that the kit does not catch.
        jobs: how many at a time; as many as there are processors if not given.
        survivors: a mutant that was caught once counts as caught, whatever has changed since.
        patience: the seconds that a mutant may take for a check or test besides four times those of the rules.
        folder: where results are kept.
        told: called with each result as it comes.

    Raises:
        HexwarError: nothing can be judged, because tests fail without a mistake.
    """
    target = Target.of(ruleset, within)
    harmless = Subject.of(ruleset).kit.harmless
    if only:
        known = {mutant.id: mutant for mutant in target.mutants}
        for name in only:
            if name not in known:
                raise UnknownName(f"mutant of {ruleset}", name, known)
        chosen = [known[name] for name in dict.fromkeys(only)]
    else:
        chosen = target.drawn(sample, seed, harmless)
    common = {"ruleset": ruleset, "options": dict(options or {}), "tier": tier, "checks": list(checks), "patience": patience}
    _require_tests(tests)
    run = _Run(target, common, tests, Path(folder), survivors, useful_jobs(jobs, len(chosen)))
    with run.begun():
        trials = run.judge(chosen, told)
    return AutoReport(ruleset, len(target.mutants), tuple(trials), bool(tests), dict(target.files), run.broken)


def list_mutants(ruleset: str, within: Sequence[str] = ()) -> list[str]:
    """Every mistake in a line, and those that are left out with the reason."""
    target, harmless = Target.of(ruleset, within), Subject.of(ruleset).kit.harmless
    lines = [f"{mutant.id}: {mutant.what}" for mutant in target.drawn(None, 0, harmless)]
    there = {mutant.id for mutant in target.mutants}
    gone = "no mutant is called so any more: "
    return [*lines, *(f"not {name}: {'' if name in there else gone}{why}" for name, why in harmless.items())]


def _require_tests(paths: Sequence[str]) -> None:
    """Fail if tests are named that cannot be run."""
    missing = [path for path in paths if not Path(path.partition("::")[0]).exists()]
    if missing:
        raise HexwarError(f"{missing[0]}: there are no such tests")
    if paths and importlib.util.find_spec("pytest") is None:
        raise HexwarError("tests are run by pytest, which is not installed: pip install 'hexwar[testing]'")


class _Run:
    """One run of `automatic`."""

    def __init__(
        self, target: Target, common: Mapping[str, Any], tests: Sequence[str], folder: Path, trusting: bool, jobs: int
    ) -> None:
        self._target, self._common, self._tests, self._trusting, self._jobs = target, common, tests, trusting, jobs
        home = Path(__file__).parents[2]
        about = json.dumps([common, platform.python_version()], sort_keys=True)
        self._digests = {"kit": f"{target.digest}-{digest_of([home])}-{hashlib.sha256(about.encode()).hexdigest()[:8]}"}
        self._digests["tests"] = f"{self._digests['kit']}-{digest_of(map(Path, tests))}"
        self._folder = folder
        self._file = folder / f"{target.ruleset}.jsonl"
        self._judgements: dict[tuple[str, str], Judgement] = {}
        self._lock = threading.Lock()
        self._caught: Counter[str] = Counter()
        self._asked: Counter[str] = Counter()
        self._idle: queue.SimpleQueue[tuple[Worker, Overlay]] = queue.SimpleQueue()
        self._stopping = False

    @contextlib.contextmanager
    def begun(self) -> Iterator[None]:
        """Inside there are workers, and what they say is kept."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._file.exists():
            text = self._file.read_text(encoding="utf-8")
            if not text.endswith("\n"):  # the last line was not written to its end
                self._file.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
            for line in text.splitlines():
                with contextlib.suppress(ValueError, TypeError):
                    kept = Judgement(**json.loads(line))
                    if kept.digest == self._digests[kept.judge] or (self._trusting and kept.by):
                        self._judgements[kept.mutant, kept.judge] = kept
        with tempfile.TemporaryDirectory(prefix="hexwar-") as place:
            for number in range(self._jobs):
                self._idle.put((Worker(), Overlay(self._target, Path(place).resolve() / str(number))))
            try:
                self._baseline = self._traced()
                yield
            finally:
                self._stopping = True
                while not self._idle.empty():
                    self._idle.get()[0].close()

    # -- asking workers -------------------------------------------------------------------------------------------------------

    def _ask(self, order: Mapping[str, Any], seconds: float, mutant: AutoMutant | None = None) -> Any:
        """What a worker says; one that does not answer is replaced."""
        worker, overlay = self._idle.get()
        try:
            if mutant is not None:
                overlay.put(mutant)
            packages = [root.name for root in self._target.roots if root.is_dir()]
            place = {"overlay": str(overlay.folder), "plugin_files": overlay.plugin_files, "packages": packages}
            worker.order(f"{answer.__module__}:{answer.__name__}", {**self._common, **place, **order})
            return worker.answer(seconds)
        except WorkerFailed as error:
            worker.close()
            worker = Worker()
            return {"ended": str(error)}
        finally:
            if mutant is not None:
                overlay.restore(mutant)
            if not FORKS:  # what it has imported stays
                worker.close()
                worker = Worker()
            if self._stopping:
                worker.close()
            self._idle.put((worker, overlay))

    @property
    def broken(self) -> dict[str, str]:
        """Check -> what it says without a mistake: where it does, it judges nothing."""
        told: dict[str, str] = self._baseline["kit"]["broken"]
        return told

    def _traced(self) -> dict[str, Any]:
        """Who runs which lines; kept for the same sources."""
        found: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {
            "kit": {"units": None, "tests": []},
            "tests": {"units": [], "tests": list(self._tests)},
        }
        for judge, part in parts.items():
            if judge == "tests" and not self._tests:
                continue
            file = self._folder / f"{self._target.ruleset}-{judge}.json"
            with contextlib.suppress(OSError, ValueError):
                kept = json.loads(file.read_text(encoding="utf-8"))
                if kept["digest"] == self._digests[judge]:
                    found[judge] = kept
                    continue
            told = self._ask({**part, "traced": True}, 24 * 3600)
            if "ended" in told:
                raise HexwarError(f"without a mistake nothing can be judged: {told['ended']}")
            if told["failing"]:
                raise HexwarError(f"tests fail without a mistake: {', '.join(told['failing'][:5])}")
            found[judge] = {**told, "digest": self._digests[judge]}
            file.write_text(json.dumps(found[judge]), encoding="utf-8")
        return found

    # -- judging --------------------------------------------------------------------------------------------------------------

    def judge(self, mutants: Sequence[AutoMutant], told: Callable[[AutoTrial], object] | None) -> list[AutoTrial]:
        """What becomes of each."""
        with self._file.open("a", encoding="utf-8") as kept, ThreadPoolExecutor(self._jobs) as pool:

            def one(mutant: AutoMutant) -> AutoTrial:
                judgements = {}
                for judge in ("kit", "tests") if self._tests else ("kit",):
                    found = self._judgements.get((mutant.id, judge)) or self._judgement(mutant, judge)
                    judgements[judge] = found
                    if (mutant.id, judge) not in self._judgements and not self._stopping:
                        with self._lock:
                            self._judgements[mutant.id, judge] = found
                            kept.write(f"{json.dumps(asdict(found))}\n")
                            kept.flush()
                    if found.by:
                        break
                trial = AutoTrial(mutant, judgements["kit"].by, found.by, found.message, judgements["kit"].verdict, found.cpu)
                if told is not None and not self._stopping:
                    told(trial)
                return trial

            futures = [pool.submit(one, mutant) for mutant in mutants]
            try:
                return [future.result() for future in futures]
            except BaseException:
                self._stopping = True
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _judgement(self, mutant: AutoMutant, judge: str) -> Judgement:
        known = self._baseline[judge]["units" if judge == "kit" else "tests"]
        names = self._who(mutant, judge, known)
        order: dict[str, Any] = {"traced": False, "units": [], "tests": []}
        if judge == "kit":
            order["units"] = [[name, known[name]["seconds"], known[name]["known"]] for name in names]
        else:
            order["tests"] = [[name, known[name]["seconds"]] for name in names]
        seconds = sum(CLOCK * (TIMES * known[name]["seconds"] + self._common["patience"]) for name in names)
        told: dict[str, Any] = {"by": "", "message": "", "unit": "", "digests": {}, "cpu": 0.0}
        if names:
            told.update(self._ask(order, 60 + seconds, mutant))
        if "ended" in told:
            told.update(by="endless", message=f"it does not end in {told['ended']}")
        with self._lock:
            self._asked.update(names[: names.index(told["unit"]) + 1] if told["unit"] in names else names)
            self._caught[told["unit"]] += 1
        games = {name: known[name]["digest"] for name in names if known[name].get("digest")}
        alike = bool(games) and all(told["digests"].get(name) == digest for name, digest in games.items())
        verdict: Verdict = "caught" if told["by"] else "alike" if alike else "unnoticed" if names else "unreached"
        return Judgement(mutant.id, judge, self._digests[judge], told["by"], told["message"], verdict, round(told["cpu"], 1))

    def _who(self, mutant: AutoMutant, judge: str, known: Mapping[str, Any]) -> list[str]:
        """Those that run the line of a mutant, or all if it is run when the rules are imported; likely and quick ones first."""
        first, last = mutant.edit.span
        span = range(first, last + 1)

        def runs(lines: Mapping[str, Sequence[int]]) -> bool:
            return any(line in span for line in lines.get(mutant.file, ()))

        everybody = not mutant.file.endswith(".py") or runs(self._baseline["kit"]["import"])
        found = {name for name, seen in known.items() if everybody or runs(seen["lines"])}
        if judge == "tests":
            files = {name.partition("::")[0] for name, seen in known.items() if runs(seen["setup"])}
            found |= {name for name in known if name.partition("::")[0] in files}
            longest = LONGEST * self._common["patience"]
            found = {name for name in found if not known[name]["failed"] and known[name]["seconds"] < longest}
        with self._lock:
            likely = {name: (self._caught[name] + 1) / (self._asked[name] + 4) for name in found}
        return sorted(found, key=lambda name: (-likely[name] / (known[name]["seconds"] + 0.05), name))
