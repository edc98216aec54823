"""What other processes do: run the checks of the kit, or pytest, against a copy of the ruleset.

A worker has imported hexwar but not the rules. Where processes can be forked, each order gets a fork of it; elsewhere the one
who gives orders starts a new worker for each.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hexwar.plugins import plugins, use_plugins
from hexwar.testing._checks import checks_of
from hexwar.testing._mutants.lines_run import Lines, end_with
from hexwar.testing._mutants.witness import searched
from hexwar.testing._running.check import units_of
from hexwar.testing._running.suite import choose_subjects, known_of
from hexwar.testing._running.watch import budget_of, in_words
from hexwar.testing._running.work_units import Result, work

FORKS = hasattr(os, "fork")
"""Where not, there are no limits either, and the one who waits for the answer ends what takes too long."""
MEMORY = 4 << 30
"""Bytes that a mutant may use."""
TIMES = 4
"""A mutant may take this many times as long as the rules themselves for each unit or test, and some seconds more."""
CLOCK = 60
"""By the clock it may take this many times as long as by the processor: others may need that, and what only waits must end."""
LONGEST = 3
"""Tests that take this many times the patience are not asked: a mutant that only they catch costs too much."""
KIT_SUITE = "hexwar.testing._running.suite"
"""Where classes of conformance tests come from, which say what the kit says."""


def answer(order: Mapping[str, Any]) -> Any:
    """What a worker says: see `_traced` and `_judged`.

    `{"ended": ...}` with the last unit if the process went beyond a limit, `{"lost": ...}` if another process killed it.
    """
    if order["tests"]:
        importlib.import_module("pytest")  # once, and not in every fork
    if not FORKS:
        return _answered(order, lambda name: None)
    end_with(os.getppid())
    into, out = os.pipe()
    child = os.fork()
    if not child:
        end_with(os.getppid())
        try:
            with os.fdopen(out, "w", encoding="utf-8") as pipe:
                told = _answered(order, lambda name: print(json.dumps({"ended": name}), file=pipe, flush=True))
                print(json.dumps(told), file=pipe, flush=True)
        except BaseException:
            traceback.print_exc()
        finally:  # whatever happens: this is no worker that could take another order
            os._exit(0)
    os.close(out)
    with os.fdopen(into, encoding="utf-8") as pipe:
        lines = pipe.read().splitlines()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:  # no limit ends with this signal
        return {"lost": "another process was killed"}
    return json.loads(lines[-1]) if lines else {"ended": "the import of the rules"}


def _answered(order: Mapping[str, Any], tell: Callable[[str], object]) -> Any:
    sys.dont_write_bytecode = True
    if Path(order["cwd"]).is_dir():  # that of the one who asks, where tests are; on another machine it may be missing
        os.chdir(order["cwd"])
    sys.path[:0] = [order["overlay"], str(Path.cwd())]
    os.environ["PYTHONPATH"] = os.pathsep.join([order["overlay"], os.environ.get("PYTHONPATH", "")])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["HEXWAR_CACHE"] = ""  # what was kept of the code as it was hides what a mutant does
    os.environ["HEXWAR_PLUGIN_FILE"] = os.pathsep.join(order["plugin_files"])
    os.environ["HEXWAR_FAILURES"] = os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{order['overlay']}/.found"
    importlib.invalidate_caches()
    use_plugins(None)
    if "mistake" in order:
        return searched(order)
    if order["traced"]:
        return _traced(order)
    if FORKS:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return _judged(order, tell)


def _cpu() -> float:
    """Seconds of the processor that this process and those that it has waited for have taken."""
    return sum(os.times()[:4])


def _limit(order: Mapping[str, Any], seconds: float) -> None:
    """From now on, at most this many seconds of the processor, and many times as many by the clock."""
    if FORKS:
        import resource

        allowed = TIMES * seconds + order["patience"]
        soft = math.ceil(time.process_time() + allowed)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        signal.alarm(math.ceil(CLOCK * allowed))


# -- with a mistake -------------------------------------------------------------------------------------------------------------


def _judged(order: Mapping[str, Any], tell: Callable[[str], object]) -> dict[str, Any]:
    """`{"by", "message"}` of what catches it and in which unit, and `{"digests"}` of the games that were played until then."""
    digests: dict[str, str] = {}
    begun = _cpu()

    def found(by: str, message: str, unit: str = "") -> dict[str, Any]:
        cpu = _cpu() - begun
        return {"by": by, "message": message[:600], "unit": unit, "digests": digests, "cpu": cpu}

    _limit(order, order["patience"])
    try:
        for package in order["packages"]:
            importlib.import_module(package)
        run = _Units(order)
    except (Exception, SystemExit) as error:
        return found("import", f"{type(error).__name__}: {error}")
    for name, seconds, known in order["units"]:
        tell(name)
        _limit(order, seconds)
        try:
            result = run.work(name, first=True)
        except Exception as error:
            return found(name, in_words(error), name)
        complaints = [error for error in result.found if error.check not in known]
        if complaints:
            return found(complaints[0].check, complaints[0].message, name)
        if result.digest:
            digests[name] = result.digest
    if order["tests"]:
        chosen = _Tests(order, dict(order["tests"]), tell)
        code = chosen.run(list(dict.fromkeys(name.partition("::")[0] for name, _ in order["tests"])), ["-x"])
        if chosen.failed or code not in (0, 5):
            name, message = next(iter(chosen.failed.items()), ("pytest", f"it ends with code {code}"))
            return found(name, message, name)
    return found("", "")


class _Units:
    """The units of work of the kit by name."""

    def __init__(self, order: Mapping[str, Any]) -> None:
        self._budget = budget_of(order["tier"])
        subjects = choose_subjects(order["ruleset"], None, order["options"], self._budget)
        self._subject = subjects[0]
        self.known = tuple(known_of(self._subject, None))
        checked = [kind for kind in checks_of(self._subject, order["tier"]) if not order["checks"] or kind.id in order["checks"]]
        units = units_of(checked, subjects, self._subject.played(order["tier"]), self._budget, 0, 0)
        self.units = {
            f"{f'game {unit.key}' if unit.key else unit.checks[0]} of {unit.subject.scenario} ({number})": unit
            for number, unit in enumerate(units)
        }

    def work(self, name: str, *, first: bool) -> Result:
        """Do one."""
        return work(self._budget, 0, self.units[name], first=first)


class _TooLong(BaseException):
    """A test has run for too long to be asked."""


def _give_up(*_: object) -> None:
    raise _TooLong


class _Tests:
    """A pytest plugin: runs the chosen tests, those of the kit apart, and puts down what becomes of each.

    Args:
        order: what is judged.
        wanted: test -> the seconds it takes, in the order in which they are run; all if not given.
        tell: called with the name of each.
        traced: puts down which lines are run.
    """

    def __init__(
        self,
        order: Mapping[str, Any],
        wanted: Mapping[str, float] | None,
        tell: Callable[[str], object],
        traced: Lines | None = None,
    ) -> None:
        self._order, self._wanted, self._tell, self._traced = order, wanted, tell, traced
        self.failed: dict[str, str] = {}
        self.done: dict[str, dict[str, Any]] = {}
        self._begun = 0.0

    def run(self, paths: Sequence[str], more: Sequence[str] = ()) -> int:
        """Run them and return the exit code."""
        import pytest

        plain = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        here = ["-n0"] if importlib.util.find_spec("xdist") else []
        return int(pytest.main([*plain, *here, *more, *paths], plugins=[self]))

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Only the chosen ones."""
        own = [item for item in items if getattr(item.cls, "__module__", "") != KIT_SUITE]
        if self._wanted is not None:
            there = {item.nodeid: item for item in own}
            own = [there[name] for name in self._wanted if name in there]
        items[:] = own

    def pytest_collectreport(self, report: Any) -> None:
        """What cannot be imported."""
        if report.failed:
            self.failed[report.nodeid] = str(report.longrepr)[-600:]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        if self._wanted is not None:
            self._tell(nodeid)
            _limit(self._order, self._wanted.get(nodeid, 0.0))
        if self._traced is not None:
            _forget(self._order["packages"])
            if FORKS:
                signal.signal(signal.SIGVTALRM, _give_up)
                signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST * self._order["patience"])
            self._traced.begin()
        self._begun = _cpu()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A part of a test is over."""
        seen = self.done.setdefault(report.nodeid, {"seconds": 0.0, "failed": False, "setup": {}, "lines": {}})
        seen["seconds"] = _cpu() - self._begun
        seen["failed"] |= report.outcome != "passed"
        if report.failed and _TooLong.__name__ not in str(report.longrepr):
            self.failed[report.nodeid] = str(report.longrepr)[-600:]
        if self._traced is not None:
            if report.when == "setup":  # what a fixture did, it may have done for the other tests of the file too
                seen["setup"] = self._traced.run_lines()
            elif report.when == "teardown":
                seen["lines"] = self._traced.run_lines()
                if FORKS:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


# -- without one ----------------------------------------------------------------------------------------------------------------


def _traced(order: Mapping[str, Any]) -> dict[str, Any]:
    """Which lines the import of the rules, each unit and each test run, and what becomes of them without a mistake."""
    lines = Lines(order["overlay"])
    lines.begin()
    for package in order["packages"]:
        importlib.import_module(package)
    run = _Units(order)
    told: dict[str, Any] = {"import": lines.run_lines(), "units": {}, "tests": {}, "failing": [], "broken": {}}
    for name in run.units if order["units"] is None else ():
        _forget(order["packages"])
        lines.begin()
        begun = _cpu()
        result = _Units(order).work(name, first=False)
        for error in result.found:
            if error.check not in run.known:
                told["broken"].setdefault(error.check, error.message)
        told["units"][name] = {
            "seconds": _cpu() - begun,
            "known": sorted({*run.known, *(error.check for error in result.found)}),
            "digest": result.digest,
            "lines": lines.run_lines(),
        }
    if order["tests"]:
        tests = _Tests(order, None, lambda name: None, lines)
        code = tests.run(order["tests"])
        told["tests"], told["failing"] = tests.done, [*tests.failed] or ([] if code < 2 else [f"pytest ends with code {code}"])
    return told


def _forget(packages: Sequence[str]) -> None:
    """Whatever is kept from one unit to the next, so that each shows all that it needs."""
    plugins().worlds.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith(("hexwar", *packages)):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()
