"""Judges automatic mutants: which lines who runs, who is asked about a mutant and in which order, and what is known already."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import platform
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

from hexwar.errors import HexwarError, UnknownName
from hexwar.plugins import plugins
from hexwar.testing._mutants import desks
from hexwar.testing._mutants.edits import AutoMutant
from hexwar.testing._mutants.judging import CLOCK, FORKS, LONGEST, TIMES
from hexwar.testing._mutants.report import AutoReport, AutoTrial, Verdict, Witness
from hexwar.testing._mutants.target import Target, digest_of
from hexwar.testing._running.subject import Subject
from hexwar.workers import useful_jobs

FOLDER = ".hexwar/mutants"
PATIENCE = 10.0
AT_ONCE = 32
"""How many mutants are judged at a time at most. Who caught the others before these is known, however many workers there are."""


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
        unit: the unit of work or the test that caught it.
    """

    mutant: str
    judge: str
    digest: str
    by: str
    message: str
    verdict: Verdict
    cpu: float
    unit: str = ""


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
    witness: int = 0,
    patience: float = PATIENCE,
    folder: str = FOLDER,
    progress: Callable[[AutoTrial], object] | None = None,
    executor: Executor | None = None,
) -> AutoReport:
    """Make mistakes in a ruleset, one at a time, and see who notices.

    What is known from before is used again, so that a run that was stopped goes on where it was. A process that is killed loses
    nothing: its mutant is judged again.

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
        witness: for each mutant that is not caught, how many decisions are tried to find a position in which it shows.
        patience: the seconds that a mutant may take for a check or test besides four times those of the rules.
        folder: where results are kept.
        progress: called with each result as it comes.
        executor: who judges instead of this machine, such as a cluster; the same files must be there.

    Raises:
        HexwarError: nothing can be judged, because tests fail without a mistake, or a machine has other files.
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
    run = _Run(target, common, tests, Path(folder), survivors)
    with run.begun(useful_jobs(jobs, min(len(chosen), AT_ONCE)), executor):
        trials = run.judge(chosen, progress)
        if witness:
            trials = run.search(trials, witness, seed, progress)
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

    def __init__(self, target: Target, common: Mapping[str, Any], tests: Sequence[str], folder: Path, trusting: bool) -> None:
        self._target, self._common, self._tests, self._trusting = target, common, tests, trusting
        about, home = json.dumps([common, platform.python_version()], sort_keys=True), digest_of([desks.HOME])
        self._digests = {"kit": f"{target.digest}-{home}-{hashlib.sha256(about.encode()).hexdigest()[:8]}"}
        self._digests["tests"] = f"{self._digests['kit']}-{digest_of(map(Path, tests))}"
        self._folder = folder
        self._file = folder / f"{target.ruleset}.jsonl"
        self._places = [str(root.parent) for root in target.roots]
        self._judgements: dict[tuple[str, str], Judgement] = {}
        self._caught: Counter[str] = Counter()
        self._place: dict[str, Any] = {
            "ruleset": target.ruleset,
            "common": dict(common),
            "roots": [str(root) for root in target.roots],
            "digest": target.digest,
            "home": home,
            "plugin_files": list(plugins().files),
            "cwd": str(Path.cwd()),
            "has_tests": bool(tests),
            "token": secrets.token_hex(8),
        }

    @contextlib.contextmanager
    def begun(self, jobs: int, executor: Executor | None) -> Iterator[None]:
        """Inside there is somebody who judges, and what they say is kept."""
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
        with contextlib.ExitStack() as open_until:
            self._place["place"] = open_until.enter_context(tempfile.TemporaryDirectory(prefix="hexwar-"))
            # Threads will do: each has a desk with a process of its own.
            self._executor = executor or open_until.enter_context(ThreadPoolExecutor(jobs))
            self._ahead = AT_ONCE if executor else jobs
            open_until.callback(desks.end, self._place["token"])
            self._baseline = self._traced()
            yield

    def _ask(self, order: Mapping[str, Any], seconds: float, mutant: AutoMutant | None = None) -> Future[Any]:
        """What is said at a desk somewhere."""
        mistake = None
        if mutant is not None:
            mistake = mutant.file, mutant.edit.done(self._target.files[mutant.file].read_bytes())
        return self._executor.submit(desks.judged, self._place, order, seconds, mistake)

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
            told = self._ask({**part, "traced": True}, 24 * 3600).result()
            if "ended" in told:
                raise HexwarError(f"without a mistake nothing can be judged: {told['ended']}")
            if told["failing"]:
                raise HexwarError(f"tests fail without a mistake: {', '.join(told['failing'][:5])}")
            found[judge] = {**told, "digest": self._digests[judge]}
            file.write_text(json.dumps(found[judge]), encoding="utf-8")
        return found

    # -- judging --------------------------------------------------------------------------------------------------------------

    def judge(self, mutants: Sequence[AutoMutant], progress: Callable[[AutoTrial], object] | None) -> list[AutoTrial]:
        """What becomes of each.

        Who is asked first about a mutant depends on who caught those that come `AT_ONCE` before it or earlier, so never on how
        many are judged at a time.
        """
        judges = ("kit", "tests") if self._tests else ("kit",)
        trials: dict[int, AutoTrial] = {}
        last: dict[int, Judgement] = {}
        names: dict[int, dict[str, list[str]]] = {}
        waiting: dict[Future[Any], tuple[int, str]] = {}
        begun = settled = 0

        with self._file.open("a", encoding="utf-8") as kept:

            def go_on(number: int, judge: str) -> None:
                """Have a mutant judged, unless that is known; then go on to the next judge, or end with it."""
                mutant = mutants[number]
                found = self._judgements.get((mutant.id, judge))
                if found is None and names[number][judge]:
                    waiting[self._asked(mutant, judge, names[number][judge])] = number, judge
                else:
                    judged(number, judge, found or self._keep(kept, self._judgement(mutant, judge, (), {})))

            def judged(number: int, judge: str, found: Judgement) -> None:
                last[number] = found
                if not found.by and judge != judges[-1]:
                    return go_on(number, judges[judges.index(judge) + 1])
                kit = self._judgements[mutants[number].id, "kit"]
                trials[number] = AutoTrial(mutants[number], kit.by, found.by, found.message, kit.verdict, found.cpu)
                if progress is not None:
                    progress(trials[number])

            try:
                while len(trials) < len(mutants):
                    while begun < len(mutants) and len(waiting) < self._ahead and begun - AT_ONCE < settled:
                        if begun >= AT_ONCE:
                            self._caught[last[begun - AT_ONCE].unit] += 1
                        names[begun] = {judge: self._who(mutants[begun], judge) for judge in judges}
                        begun += 1
                        go_on(begun - 1, judges[0])
                        while settled in trials:
                            settled += 1
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        number, judge = waiting.pop(future)
                        found = self._judgement(mutants[number], judge, names[number][judge], future.result())
                        judged(number, judge, self._keep(kept, found))
                    while settled in trials:
                        settled += 1
            finally:
                for future in waiting:
                    future.cancel()
        return [trials[number] for number in range(len(mutants))]

    def search(
        self, trials: Sequence[AutoTrial], effort: int, seed: int, progress: Callable[[AutoTrial], object] | None
    ) -> list[AutoTrial]:
        """The same, and for each survivor the position in which it shows, or how many were looked at in vain."""
        if not FORKS:
            raise HexwarError("two versions of the rules are compared by processes that fork, and this system has none")
        file = self._folder / f"{self._target.ruleset}-witness.jsonl"
        key = f"{self._digests['kit']}-{effort}-{seed}"
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
        known = {kept["mutant"]: Witness(**kept["found"]) for kept in lines if kept["key"] == key}
        common = {"traced": False, "tests": [], "effort": effort, "seed": seed, "originals": list(plugins().files)}
        waiting: dict[str, Future[Any]] = {}
        for trial in trials:
            mutant = trial.mutant
            if not trial.by and mutant.id not in known:
                mistake = {"file": mutant.file, "span": mutant.edit.span}
                order = {**common, "mistake": mistake, "clauses": mutant.clauses, "roots": self._places}
                waiting[mutant.id] = self._ask(order, 600 + effort, mutant)
        with file.open("a", encoding="utf-8") as kept:
            for number, trial in enumerate(trials := list(trials)):
                if trial.by:
                    continue
                if trial.mutant.id in waiting:
                    told = waiting[trial.mutant.id].result()
                    known[trial.mutant.id] = Witness(**(told if "ended" not in told else {"shown": told["ended"]}))
                    data = {"mutant": trial.mutant.id, "key": key, "found": asdict(known[trial.mutant.id])}
                    print(json.dumps(data), file=kept, flush=True)
                trials[number] = replace(trial, witness=known[trial.mutant.id])
                if progress is not None:
                    progress(trials[number])
        return trials

    def _keep(self, file: IO[str], found: Judgement) -> Judgement:
        self._judgements[found.mutant, found.judge] = found
        file.write(f"{json.dumps(asdict(found))}\n")
        file.flush()
        return found

    def _known(self, judge: str) -> dict[str, Any]:
        known: dict[str, Any] = self._baseline[judge]["units" if judge == "kit" else "tests"]
        return known

    def _asked(self, mutant: AutoMutant, judge: str, names: Sequence[str]) -> Future[Any]:
        known = self._known(judge)
        order: dict[str, Any] = {"traced": False, "units": [], "tests": []}
        if judge == "kit":
            order["units"] = [[name, known[name]["seconds"], known[name]["known"]] for name in names]
        else:
            order["tests"] = [[name, known[name]["seconds"]] for name in names]
        seconds = sum(CLOCK * (TIMES * known[name]["seconds"] + self._common["patience"]) for name in names)
        return self._ask(order, 60 + seconds, mutant)

    def _judgement(self, mutant: AutoMutant, judge: str, names: Sequence[str], said: Mapping[str, Any]) -> Judgement:
        told: dict[str, Any] = {"by": "", "message": "", "unit": "", "digests": {}, "cpu": 0.0, **said}
        if "ended" in told:
            told.update(by="endless", message=f"it does not end in {told['ended']}")
        known = self._known(judge)
        games = {name: known[name]["digest"] for name in names if known[name].get("digest")}
        alike = bool(games) and all(told["digests"].get(name) == digest for name, digest in games.items())
        verdict: Verdict = "caught" if told["by"] else "alike" if alike else "unnoticed" if names else "unreached"
        cpu = round(told["cpu"], 1)
        return Judgement(mutant.id, judge, self._digests[judge], told["by"], told["message"], verdict, cpu, told["unit"])

    def _who(self, mutant: AutoMutant, judge: str) -> list[str]:
        """Those that run the line of a mutant, or all if it is run when the rules are imported; likely ones first.

        Of units of the kit that are as likely, the one that runs most lines comes first: times differ from run to run, lines do
        not. Tests are many, and some take a hundred times as long as others, so quick ones come first.
        """
        known, (first, last) = self._known(judge), mutant.edit.span
        span = range(first, last + 1)

        def runs(lines: Mapping[str, Sequence[int]]) -> bool:
            return any(line in span for line in lines.get(mutant.file, ()))

        everybody = not mutant.file.endswith(".py") or runs(self._baseline["kit"]["import"])
        found = {name for name, seen in known.items() if everybody or runs(seen["lines"])}
        if judge == "kit":
            size = {name: sum(map(len, known[name]["lines"].values())) for name in found}
            return sorted(found, key=lambda name: (-self._caught[name], -size[name], name))
        files = {name.partition("::")[0] for name, seen in known.items() if runs(seen["setup"])}
        found |= {name for name in known if name.partition("::")[0] in files}
        longest = LONGEST * self._common["patience"]
        asked = [name for name in found if not known[name]["failed"] and known[name]["seconds"] < longest]
        return sorted(asked, key=lambda name: (-(self._caught[name] + 1) / (known[name]["seconds"] + 0.05), name))
