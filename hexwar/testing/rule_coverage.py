"""Rule coverage of a test suite: for each clause the passing tests that are named after it, and how often play cited it.

`hexwar.testing.pytest_plugin` gathers it, `hexwar rules RULESET --coverage FILE` shows it beside the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hexwar.engine import Clause, RuleIndex
from hexwar.errors import ContentError, UnknownName
from hexwar.plugins import plugins

FORMAT = 1


def index_of(ruleset: str) -> RuleIndex:
    """The rule index of an installed ruleset, with what its variants add.

    Raises:
        HexwarError: if there is no such ruleset.
    """
    index = plugins().ruleset(ruleset).rules
    added = [clause for variant in plugins().variants(ruleset).values() for clause in variant.clauses]
    return index.extended(clause for clause in added if clause.id not in index)


def clause_named_by(test: str, index: Iterable[str]) -> str | None:
    """The clause after which a test function is named: 10.6.12 for `test_10_6_12_the_shortest_line_decides`.

    As many words of the name as make up the id of a clause count, so that `test_8_3_2_units` is about 8.3.2 only if there is an
    8.3.2, and about 8.3 otherwise. Capital and small letters are the same: `test_tec_6_cities` is about TEC.6.

    Args:
        test: the name of the function.
        index: the ids of the clauses.
    """
    ids = {clause.lower(): clause for clause in index}
    words = test.lower().removeprefix("test_").split("_")
    if not test.startswith("test_"):
        return None
    return next((ids[name] for n in range(len(words), 0, -1) if (name := ".".join(words[:n])) in ids), None)


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """What a run of tests says about the clauses of a ruleset.

    Args:
        ruleset: its id.
        tests: clause -> the tests named after it that passed, in order.
        failing: clause -> the tests named after it that did not.
        citations: clause -> how often events and refusals cited it.
        unknown: clause that is not in the index -> the tests that name it.
    """

    ruleset: str
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    citations: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def covered(self, clause_id: str) -> dict[str, int]:
        """The number of passing tests and of citations of a clause."""
        return {"tests": len(self.tests.get(clause_id, ())), "citations": self.citations.get(clause_id, 0)}

    def missing(self, index: RuleIndex) -> list[Clause]:
        """The clauses that could have a test and have none that passes."""
        return [clause for clause in index.values() if clause.testable and not self.tests.get(clause.id)]

    def percent(self, index: RuleIndex) -> float:
        """Of a hundred clauses that could have a passing test, so many have one."""
        testable = sum(clause.testable for clause in index.values())
        return 100 * (testable - len(self.missing(index))) / testable if testable else 100.0

    def sentence(self, index: RuleIndex) -> str:
        """The whole in one line."""
        testable = sum(clause.testable for clause in index.values())
        # Never rounded up: 100 % is said of all of them only.
        share = f"{testable - len(self.missing(index))} of {testable} testable clauses have a passing test"
        parts = [f"{share} ({int(self.percent(index))} %)", f"{sum(cited in index for cited in self.citations)} cited in play"]
        exempt = [clause.id for clause in index.values() if clause.exempt]
        parts += [f"{len(exempt)} exempt: {', '.join(exempt)}"] if exempt else []
        return f"rule coverage {self.ruleset}: {'; '.join(parts)}"

    def lines(self, index: RuleIndex) -> list[str]:
        """The sentence, the clauses without a passing test, and what tests name that is not in the index."""
        missing = self.missing(index)
        width = max((len(clause.id) for clause in missing), default=0)
        found = [self.sentence(index), *(["without a passing test:"] if missing else [])]
        for clause in missing:
            fails = f" (fails: {', '.join(self.failing[clause.id])})" if clause.id in self.failing else ""
            found.append(f"  {clause.id.ljust(width)}  {clause.title}{fails}")
        found += [f"no clause {name}, which {', '.join(tests)} names" for name, tests in self.unknown.items()]
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain data, which `load_coverage` reads."""
        tables = {name: dict(getattr(self, name)) for name in ("tests", "failing", "citations", "unknown")}
        return {"ruleset": self.ruleset, **tables}


def write_coverage(file: Path, found: Iterable[RuleCoverage]) -> None:
    """Write what a run found about some rulesets into a file."""
    data = {"format": FORMAT, "rulesets": [coverage.to_json() for coverage in found]}
    file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def load_coverage(file: Path, ruleset: str) -> RuleCoverage:
    """Read what a run found about a ruleset.

    Raises:
        ContentError: if the file is none of rule coverage, or of other rulesets only.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ContentError(file.name, "format", f"is {data['format']!r}; this version of hexwar reads {FORMAT}")
        found = {entry["ruleset"]: _coverage(entry) for entry in data["rulesets"]}
    except OSError as error:
        raise ContentError(file.name, "", f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise ContentError(file.name, "", "is no file of rule coverage, as pytest --rule-coverage-file writes it") from None
    if ruleset not in found:
        raise ContentError(file.name, "rulesets", str(UnknownName("rule coverage of", ruleset, found)))
    return found[ruleset]


def _coverage(entry: Mapping[str, Any]) -> RuleCoverage:
    def named(key: str) -> dict[str, tuple[str, ...]]:
        return {str(clause): tuple(map(str, tests)) for clause, tests in entry[key].items()}

    citations = {str(clause): int(number) for clause, number in entry["citations"].items()}
    return RuleCoverage(str(entry["ruleset"]), named("tests"), named("failing"), citations, named("unknown"))
