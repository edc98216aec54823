"""Rule coverage of a run of pytest: which tests are named after a clause, and which tests cited it.

Under pytest-xdist every worker gathers what its tests say, and the main process puts it together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from hexwar.engine import RuleIndex
from hexwar.engine._rules import collectors
from hexwar.errors import HexwarError
from hexwar.plugins import plugins
from hexwar.testing._coverage.ledger import Ledger
from hexwar.testing._coverage.rule_coverage import RuleCoverage, clause_named_by, write_coverage

NAME = "hexwar-rule-coverage"
OUTSIDE = "(outside of tests)"
"""What is cited while tests are collected, or by fixtures that many share."""


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
                self.indexes[ruleset] = plugins().rule_index(ruleset)
            except HexwarError as error:
                raise pytest.UsageError(f"--rule-coverage {name}: {error}") from None
            if folder and not (here / folder).is_dir():
                raise pytest.UsageError(f"--rule-coverage {name}: {folder} is no folder")
            self.folders[ruleset] = (here / folder).resolve() if folder else None
        written = config.getoption("rule_coverage_file", None)
        self.file = here / written if written else None
        if self.file is not None and not self.file.parent.is_dir():
            raise pytest.UsageError(f"--rule-coverage-file {written}: there is no folder {self.file.parent}")
        pages = config.getoption("rule_coverage_html", None)
        self.pages = here / pages if pages else None
        self.named: dict[str, dict[str, list[str]]] = {}
        """Test -> ruleset -> the clauses that it names."""
        self._cases: set[str] = set()
        """Cases of tests that are marked one by one: each counts as a test."""
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """Test and "passed" or "failed" -> how many of its cases did."""
        self.ledger = Ledger(*self.indexes)
        self.ledger.source = OUTSIDE
        self.elsewhere: list[RuleCoverage] = []
        """What the workers of xdist know."""

    # -- gathering ---------------------------------------------------------------------------------------------------------

    def pytest_sessionstart(self) -> None:
        """Listen to events, refusals and steps."""
        collectors.append(self.ledger.hear)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """What is cited now, this test cites."""
        self.ledger.source = self._test(item.nodeid)
        try:
            return (yield)
        finally:
            self.ledger.source = OUTSIDE

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note which clauses a test names."""
        function = getattr(item, "originalname", None) or item.name
        if any(mark.name == "clause" for mark in getattr(getattr(item, "callspec", None), "marks", ())):
            self._cases.add(item.nodeid)
        marked = [str(clause) for mark in item.iter_markers("clause") for clause in mark.args]
        for ruleset, index in self.indexes.items():
            folder = self.folders[ruleset]
            if folder is not None and not item.path.is_relative_to(folder):
                continue
            by_name = clause_named_by(function, index)
            clauses = list(dict.fromkeys([*([by_name] if by_name else []), *marked]))
            if clauses:
                self.named.setdefault(self._test(item.nodeid), {})[ruleset] = clauses

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a case of a test went; the main process of xdist gets reports of unknown tests, and ignores them."""
        test = self._test(report.nodeid)
        if test in self.named and (report.failed or (report.when == "call" and report.passed)):
            self.outcomes[test, report.outcome] += 1

    def _test(self, nodeid: str) -> str:
        """A test without its parameters."""
        return nodeid if nodeid in self._cases else nodeid.partition("[")[0]

    # -- putting it together ------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what a worker knows, or settle what all of them know."""
        collectors.remove(self.ledger.hear)
        output: dict[str, Any] | None = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[NAME] = [self.coverage(ruleset).to_json() for ruleset in self.indexes]
            return
        found = [self.coverage(ruleset) for ruleset in self.indexes]
        if self.file is not None:
            write_coverage(self.file, found)
        if self.pages is not None:
            from hexwar.testing._coverage.coverage_html import write_page

            for one in found:
                write_page(self.pages, one, self.indexes[one.ruleset])
        if any(self._short(one) for one in found) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _short(self, found: RuleCoverage) -> list[str]:
        """What is demanded and not reached."""
        index = self.indexes[found.ruleset]
        shares = {
            "rule_coverage_fail_under": (found.percent(index), "have a passing test"),
            "rule_coverage_cited_fail_under": (found.cited_percent(index), "are cited"),
        }
        short = []
        for option, (percent, what) in shares.items():
            least = self.config.getoption(option, None)
            if least is not None and percent < least:
                short.append(f"rule coverage {found.ruleset}: less than the {least:g} % demanded {what}")
        return short

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of xdist has finished, or died and says nothing."""
        known = getattr(node, "workeroutput", {}).get(NAME, ())
        self.elsewhere += map(RuleCoverage.from_json, known)

    def coverage(self, ruleset: str) -> RuleCoverage:
        """What is known about a ruleset. A test with several cases passes if one did and none failed."""
        index = self.indexes[ruleset]
        named: dict[str, dict[str, tuple[str, ...]]] = {"tests": {}, "failing": {}, "unknown": {}}
        for test, clauses in sorted(self.named.items()):
            failed, passed = self.outcomes[test, "failed"], self.outcomes[test, "passed"]
            for clause in clauses.get(ruleset, ()):
                if failed or passed or clause not in index:
                    found = named["unknown" if clause not in index else "failing" if failed else "tests"]
                    found[clause] = (*found.get(clause, ()), test)
        own = RuleCoverage(ruleset, named["tests"], named["failing"], self.ledger.cited(ruleset), named["unknown"])
        others = [known for known in self.elsewhere if known.ruleset == ruleset]
        return reduce(RuleCoverage.merged, others, own).ordered(index)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell."""
        terminalreporter.section("rule coverage")
        for ruleset, index in self.indexes.items():
            found = self.coverage(ruleset)
            for line in found.lines(index):
                terminalreporter.write_line(line)
            for line in self._short(found):
                terminalreporter.write_line(line, red=True)
            if self.pages is not None:
                terminalreporter.write_line(f"as a page: {self.pages / f'{ruleset}.html'}")
