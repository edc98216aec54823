"""Rule coverage: for each clause who cited it, and the passing tests that are named after it.

`hexwar.testing.pytest_plugin` gathers it from tests and `hexwar check --coverage` from games of its own;
`hexwar rules RULESET --coverage FILE` shows it beside the rules, and `coverage_html` as a page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any

from hexwar.engine import Clause, RuleIndex, Status
from hexwar.errors import ContentError, UnknownName
from hexwar.files import write_file
from hexwar.testing._coverage.ledger import Citations

FORMAT = 2


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
    """What a run of tests or of games says about the clauses of a ruleset.

    Args:
        ruleset: its id.
        tests: clause -> the tests named after it that passed, in order.
        failing: clause -> the tests named after it that did not.
        fired: clause -> who cited it -> how often; a test, a check, or the scenario of a game.
        unknown: clause that is not in the index -> the tests that name it.
        options: the optional rules that were on; None if they were on and off as tests liked, so that all of them count.
    """

    ruleset: str
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fired: Mapping[str, Mapping[str, Citations]] = field(default_factory=dict)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: tuple[str, ...] | None = None

    # -- one clause ---------------------------------------------------------------------------------------------------------

    def citations(self, clause_id: str) -> Citations:
        """How often a clause was cited, by all together."""
        return reduce(Citations.plus, self.fired.get(clause_id, {}).values(), Citations())

    def covered(self, clause_id: str) -> dict[str, int]:
        """The number of passing tests and of citations of a clause, for a program."""
        citations = self.citations(clause_id)
        return {"tests": len(self.tests.get(clause_id, ())), "citations": citations.total, **citations._asdict()}

    # -- all of them --------------------------------------------------------------------------------------------------------

    @property
    def cited(self) -> dict[str, int]:
        """Clause -> how often it was cited in any way."""
        return {clause: number for clause in self.fired if (number := self.citations(clause).total)}

    def expected(self, index: RuleIndex) -> list[Clause]:
        """The clauses that play could cite: carried out, and not of an optional rule that was off."""
        on = self.options
        return [
            clause
            for clause in index.values()
            if clause.status is not Status.ABSENT and (on is None or not clause.option or clause.option in on)
        ]

    def never(self, index: RuleIndex) -> list[Clause]:
        """The clauses that play could cite and did not."""
        cited = self.cited
        return [clause for clause in self.expected(index) if clause.id not in cited]

    def cited_percent(self, index: RuleIndex) -> float:
        """How many of every hundred clauses that play could cite were cited."""
        expected = len(self.expected(index))
        return 100 * (expected - len(self.never(index))) / expected if expected else 100.0

    def missing(self, index: RuleIndex) -> list[Clause]:
        """The clauses that could have a test and have none that passes."""
        return [clause for clause in index.values() if clause.testable and not self.tests.get(clause.id)]

    def percent(self, index: RuleIndex) -> float:
        """How many of every hundred clauses that could have a passing test have one."""
        testable = sum(clause.testable for clause in index.values())
        return 100 * (testable - len(self.missing(index))) / testable if testable else 100.0

    # -- in words -----------------------------------------------------------------------------------------------------------

    def sentence(self, index: RuleIndex) -> str:
        """What tests cover, in one line."""
        testable = sum(clause.testable for clause in index.values())
        # Never rounded up: 100 % is said of all of them only.
        share = f"{testable - len(self.missing(index))} of {testable} testable clauses have a passing test"
        parts = [f"{share} ({int(self.percent(index))} %)", f"{sum(cited in index for cited in self.cited)} cited in play"]
        exempt = [clause.id for clause in index.values() if clause.exempt]
        parts += [f"{len(exempt)} exempt: {', '.join(exempt)}"] if exempt else []
        return f"rule coverage {self.ruleset}: {'; '.join(parts)}"

    def cited_sentence(self, index: RuleIndex) -> str:
        """What play covers, in one line."""
        expected, never = self.expected(index), self.never(index)
        ways = [sum(bool(self.citations(clause.id)[place]) for clause in expected) for place in range(3)]
        return (
            f"rule coverage: {len(expected) - len(never)} of {len(expected)} clauses cited ({int(self.cited_percent(index))} %): "
            f"{ways[0]} by events, {ways[1]} by refusals, {ways[2]} by steps"
        )

    def lines(self, index: RuleIndex) -> list[str]:
        """What tests cover: the sentence, the clauses without a passing test, and what tests name that is not in the index."""
        missing = self.missing(index)
        width = max((len(clause.id) for clause in missing), default=0)
        found = [self.sentence(index), *(["without a passing test:"] if missing else [])]
        for clause in missing:
            fails = f" (fails: {', '.join(self.failing[clause.id])})" if clause.id in self.failing else ""
            found.append(f"  {clause.id.ljust(width)}  {clause.title}{fails}")
        found += [f"no clause {name}, which {', '.join(tests)} names" for name, tests in self.unknown.items()]
        return found

    def cited_lines(self, index: RuleIndex) -> list[str]:
        """What play covers: a line for each clause that was cited with who cited it most, then those that never were."""
        expected, never = self.expected(index), self.never(index)
        width = max((len(clause.id) for clause in expected), default=0)
        found = [f"{'clause'.ljust(width)}    events  refusals     steps  most by"]
        width = max(width, len("clause"))
        for clause in expected:
            numbers = self.citations(clause.id)
            if numbers.total:
                cells = "".join(f"{number or '-':>10}" for number in numbers)
                found.append(f"{clause.id.ljust(width)}{cells}  {', '.join(self.most(clause.id))}")
        if never:
            found += ["", "never cited:", *(f"  {clause.id.ljust(width)}  {clause.title}" for clause in never)]
        return [*found, "", self.cited_sentence(index)]

    def most(self, clause_id: str, number: int = 3) -> list[str]:
        """Who cited a clause most often."""
        fired = self.fired.get(clause_id, {})
        return sorted(fired, key=lambda source: (-fired[source].total, source))[:number]

    # -- putting together ---------------------------------------------------------------------------------------------------

    def merged(self, other: RuleCoverage) -> RuleCoverage:
        """What two runs say about the same ruleset. A test that fails in one of them fails."""
        failing = _joined(self.failing, other.failing)
        tests = {
            clause: kept
            for clause, names in _joined(self.tests, other.tests).items()
            if (kept := tuple(name for name in names if name not in failing.get(clause, ())))
        }
        fired: dict[str, dict[str, Citations]] = {clause: dict(sources) for clause, sources in self.fired.items()}
        for clause, sources in other.fired.items():
            here = fired.setdefault(clause, {})
            here |= {source: here.get(source, Citations()).plus(citations) for source, citations in sources.items()}
        both = self.options is not None and other.options is not None
        options = tuple(dict.fromkeys((*(self.options or ()), *(other.options or ())))) if both else None
        return RuleCoverage(self.ruleset, tests, failing, fired, _joined(self.unknown, other.unknown), options)

    def ordered(self, index: RuleIndex) -> RuleCoverage:
        """The same in the order of the index and of names, without clauses that are not in it."""
        fired = {clause: dict(sorted(self.fired[clause].items())) for clause in index if clause in self.fired}
        return replace(self, fired=fired)

    def to_json(self) -> dict[str, Any]:
        """Plain data, which `from_json` reads. Who cited is named once, because the names of tests are long."""
        sources = list(dict.fromkeys(source for fired in self.fired.values() for source in fired))
        places = {source: place for place, source in enumerate(sources)}
        return {
            "ruleset": self.ruleset,
            "tests": {clause: list(names) for clause, names in self.tests.items()},
            "failing": {clause: list(names) for clause, names in self.failing.items()},
            "sources": sources,
            "fired": {
                clause: [[places[source], *numbers] for source, numbers in of.items()] for clause, of in self.fired.items()
            },
            "unknown": {clause: list(names) for clause, names in self.unknown.items()},
            "options": None if self.options is None else list(self.options),
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> RuleCoverage:
        """What `to_json` wrote."""

        def named(key: str) -> dict[str, tuple[str, ...]]:
            return {str(clause): tuple(map(str, tests)) for clause, tests in entry[key].items()}

        sources = [str(source) for source in entry["sources"]]
        fired = {
            str(clause): {sources[place]: Citations(*map(int, numbers)) for place, *numbers in rows}
            for clause, rows in entry["fired"].items()
        }
        options = None if entry["options"] is None else tuple(map(str, entry["options"]))
        return cls(str(entry["ruleset"]), named("tests"), named("failing"), fired, named("unknown"), options)


def _joined(one: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(sorted({*one.get(key, ()), *other.get(key, ())})) for key in sorted({*one, *other})}


# -- files --------------------------------------------------------------------------------------------------------------


def write_coverage(file: Path, found: Iterable[RuleCoverage]) -> None:
    """Write what a run found about some rulesets into a file."""
    data = {"format": FORMAT, "rulesets": [coverage.to_json() for coverage in found]}
    write_file(file, json.dumps(data, indent=1) + "\n")


def load_coverage(file: Path, ruleset: str) -> RuleCoverage:
    """Read what a run found about a ruleset.

    Raises:
        ContentError: if the file does not hold rule coverage, or of other rulesets only.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ContentError(file.name, "format", f"is {data['format']!r}; this version of hexwar reads {FORMAT}")
        found = {entry["ruleset"]: RuleCoverage.from_json(entry) for entry in data["rulesets"]}
    except OSError as error:
        raise ContentError(file.name, "", f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, IndexError):
        writers = "as pytest --rule-coverage-file and hexwar check --coverage-file write it"
        raise ContentError(file.name, "", f"is no file of rule coverage, {writers}") from None
    if ruleset not in found:
        raise ContentError(file.name, "rulesets", str(UnknownName("rule coverage of", ruleset, found)))
    return found[ruleset]
