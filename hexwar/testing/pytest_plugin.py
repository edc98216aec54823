"""Rule coverage in pytest: `pytest -p hexwar.testing.pytest_plugin --rule-coverage ava`.

It is loaded by name and not by an entry point, so that nobody's tests become slower for having hexwar installed, and so that
code coverage sees hexwar being imported. Under pytest-xdist every worker gathers what its tests say, and the main process puts it
together.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hexwar.engine import RuleIndex
from hexwar.engine.rules import collectors
from hexwar.errors import HexwarError
from hexwar.testing.rule_coverage import RuleCoverage, clause_named_by, index_of, write_coverage

NAME = "hexwar-rule-coverage"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("hexwar", "rule coverage of a hexwar ruleset")
    group.addoption(
        "--rule-coverage",
        action="append",
        default=[],
        metavar="RULESET[:FOLDER]",
        help="Tell which clauses of a ruleset have a passing test, in the folder if one is named; may be given several times.",
    )
    group.addoption("--rule-coverage-file", metavar="FILE", help="Write rule coverage as JSON, for hexwar rules --coverage.")
    group.addoption(
        "--rule-coverage-fail-under",
        type=float,
        metavar="PERCENT",
        help="Fail if fewer of the testable clauses have a passing test.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and begin if somebody asks."""
    config.addinivalue_line("markers", "clause(*ids): clauses of the rulebook that a test covers besides the one in its name")
    wanted = config.getoption("rule_coverage", [])
    if wanted:
        config.pluginmanager.register(Gatherer(config, wanted), NAME)
        return
    for name in ("rule_coverage_file", "rule_coverage_fail_under"):
        if config.getoption(name, None) is not None:
            raise pytest.UsageError(f"--{name.replace('_', '-')} needs --rule-coverage RULESET")


class Gatherer:
    """What is known about the tests of one process, and in the end of all of them.

    Args:
        config: of the run.
        wanted: rulesets, each perhaps with the folder of its tests.
    """

    def __init__(self, config: pytest.Config, wanted: list[str]) -> None:
        self.config = config
        self.indexes: dict[str, RuleIndex] = {}
        self.folders: dict[str, Path | None] = {}
        here = config.invocation_params.dir
        for name in wanted:
            ruleset, _, folder = name.partition(":")
            try:
                self.indexes[ruleset] = index_of(ruleset)
            except HexwarError as error:
                raise pytest.UsageError(f"--rule-coverage {name}: {error}") from None
            if folder and not (here / folder).is_dir():
                raise pytest.UsageError(f"--rule-coverage {name}: {folder} is no folder")
            self.folders[ruleset] = (here / folder).resolve() if folder else None
        written = config.getoption("rule_coverage_file", None)
        self.file = here / written if written else None
        if self.file is not None and not self.file.parent.is_dir():
            raise pytest.UsageError(f"--rule-coverage-file {written}: there is no folder {self.file.parent}")
        self.named: dict[str, dict[str, list[str]]] = {}
        """Test -> ruleset -> the clauses that it names."""
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """Test and "passed" or "failed" -> how many of its cases did."""
        self.cited: Counter[tuple[str, str]] = Counter()
        """Ruleset and clause -> how often it was cited."""

    # -- gathering ---------------------------------------------------------------------------------------------------------

    def pytest_sessionstart(self) -> None:
        """Listen to events and refusals."""
        collectors.append(self._hear)

    def _hear(self, ruleset: str, clause: str) -> None:
        if clause and ruleset in self.indexes:
            self.cited[ruleset, clause] += 1

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note which clauses a test names."""
        function = getattr(item, "originalname", None) or item.name
        marked = [str(clause) for mark in item.iter_markers("clause") for clause in mark.args]
        for ruleset, index in self.indexes.items():
            folder = self.folders[ruleset]
            if folder is not None and not item.path.is_relative_to(folder):
                continue
            by_name = clause_named_by(function, index)
            clauses = list(dict.fromkeys([*([by_name] if by_name else []), *marked]))
            if clauses:
                self.named.setdefault(_test(item.nodeid), {})[ruleset] = clauses

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a case of a test went; the main process of xdist hears of tests that it does not know and leaves them."""
        test = _test(report.nodeid)
        if test in self.named and (report.failed or (report.when == "call" and report.passed)):
            self.outcomes[test, report.outcome] += 1

    # -- putting it together ------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what a worker knows, or settle what all of them know."""
        collectors.remove(self._hear)
        output: dict[str, Any] | None = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[NAME] = self.to_json()
            return
        found = [self.coverage(ruleset) for ruleset in self.indexes]
        if self.file is not None:
            write_coverage(self.file, found)
        least = self.config.getoption("rule_coverage_fail_under", None)
        short = least is not None and any(one.percent(self.indexes[one.ruleset]) < least for one in found)
        if short and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of xdist has finished, or died and says nothing."""
        known = getattr(node, "workeroutput", {}).get(NAME)
        if known is not None:
            self.named.update(known["named"])
            self.outcomes.update({(test, outcome): number for test, outcome, number in known["outcomes"]})
            self.cited.update({(ruleset, clause): number for ruleset, clause, number in known["cited"]})

    def to_json(self) -> dict[str, Any]:
        """What xdist can send from a worker to the main process."""
        outcomes, cited = ([[*key, number] for key, number in table.items()] for table in (self.outcomes, self.cited))
        return {"named": self.named, "outcomes": outcomes, "cited": cited}

    def coverage(self, ruleset: str) -> RuleCoverage:
        """What is known about a ruleset. A test with several cases passes if one did and none failed."""
        index = self.indexes[ruleset]
        tests: dict[str, list[str]] = {}
        failing: dict[str, list[str]] = {}
        unknown: dict[str, list[str]] = {}
        for test, clauses in sorted(self.named.items()):
            failed, passed = self.outcomes[test, "failed"], self.outcomes[test, "passed"]
            for clause in clauses.get(ruleset, ()):
                if clause not in index:
                    unknown.setdefault(clause, []).append(test)
                elif failed or passed:
                    (failing if failed else tests).setdefault(clause, []).append(test)
        citations = {clause: number for (of, clause), number in sorted(self.cited.items()) if of == ruleset}
        named = [{clause: tuple(names) for clause, names in found.items()} for found in (tests, failing, unknown)]
        return RuleCoverage(ruleset, named[0], named[1], citations, named[2])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell."""
        terminalreporter.section("rule coverage")
        least = self.config.getoption("rule_coverage_fail_under", None)
        for ruleset, index in self.indexes.items():
            found = self.coverage(ruleset)
            for line in found.lines(index):
                terminalreporter.write_line(line)
            if least is not None and found.percent(index) < least:
                terminalreporter.write_line(f"rule coverage {ruleset}: less than the {least:g} % demanded", red=True)


def _test(nodeid: str) -> str:
    """A test without its parameters."""
    return nodeid.partition("[")[0]
