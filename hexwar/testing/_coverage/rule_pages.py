"""The rules of a ruleset as a page of Markdown: every clause with its status, ruling, places in the code, tests and coverage.

`hexwar rules RULESET --markdown FILE` writes one. A heading of its own gives each clause an anchor, its id, and a place in the
search of a site.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from hexwar.engine import Clause, RuleIndex, Status
from hexwar.plugins import plugins
from hexwar.plugins._places import Place, ids_in, module_of, places
from hexwar.testing._coverage.rule_coverage import RuleCoverage, clause_named_by

Names = Mapping[str, Sequence[str]]
"""Clause -> the tests that carry it, or other things about it."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_SECTION = re.compile(r'^# -- (?P<title>.+)$|\bid = "(?P<id>[^"]+)"', re.MULTILINE)


# -- tests, without running them ------------------------------------------------------------------------------------------


def tests_in(folder: Path, index: RuleIndex) -> dict[str, tuple[str, ...]]:
    """Clause -> the tests that say in their name or in a marker that they carry it, read from their source.

    Nothing is run: a test may fail, or be skipped. `--rule-coverage` tells.

    Args:
        folder: the tests, in files `test_*.py`; they are named from the working directory on, as pytest does it.
        index: the clauses.
    """
    found: dict[str, list[str]] = {}
    root = Path.cwd() if folder.resolve().is_relative_to(Path.cwd()) else folder.resolve().parent
    for file in sorted(folder.resolve().rglob("test_*.py")):
        for test, clauses in _carriers(ast.parse(file.read_text(encoding="utf-8")), index):
            for clause in clauses:
                found.setdefault(clause, []).append(f"{file.relative_to(root).as_posix()}::{test}")
    return {clause: tuple(found[clause]) for clause in index if clause in found}


def _carriers(
    scope: ast.Module | ast.ClassDef, index: RuleIndex, around: str = "", outside: Sequence[str] = ()
) -> Iterator[tuple[str, list[str]]]:
    """The tests of a file or a class, each with the clauses of its name, its markers and those of what is around it."""
    named = [node for node in scope.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    marks = [*outside, *(clause for node in named for clause in _named_marks(node))]
    for node in scope.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _carriers(node, index, f"{around}{node.name}::", [*marks, *_marks(node)])
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            own = clause_named_by(node.name, index)
            yield f"{around}{node.name}", list(dict.fromkeys([*([own] if own else []), *marks, *_marks(node)]))


def _marks(node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    return [clause for decorator in node.decorator_list for clause in _clauses(decorator)]


def _named_marks(node: ast.Assign | ast.AnnAssign) -> list[str]:
    names = node.targets if isinstance(node, ast.Assign) else [node.target]
    if not node.value or "pytestmark" not in map(ast.unparse, names):
        return []
    return [clause for mark in ast.walk(node.value) for clause in _clauses(mark)]


def _clauses(mark: ast.AST) -> list[str]:
    """What `pytest.mark.clause("1.1", "1.2")` names."""
    if not isinstance(mark, ast.Call) or not ast.unparse(mark.func).endswith("mark.clause"):
        return []
    return [each.value for each in mark.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]


# -- the page -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RulePage:
    """What a page says about a ruleset.

    Args:
        ruleset: its id.
        tests: the tests that carry each clause, from their names (`tests_in`).
        coverage: what a run of tests or of games found; takes the place of `tests` if it says anything about tests.
        recorded: when and where that was, for the reader.
        more: clause -> lines in Markdown that somebody else has to say about it.
    """

    ruleset: str
    tests: Names = field(default_factory=dict)
    coverage: RuleCoverage | None = None
    recorded: str = ""
    more: Names = field(default_factory=dict)

    def markdown(self) -> str:
        """The page, without a heading of its own."""
        index = plugins().rule_index(self.ruleset)
        where = places(self.ruleset)
        sections = _sections(self.ruleset, index)
        parts = [self._summary(index, where), self._chapters(index, where, sections), self._left_out(index, where)]
        for chapter, clauses in groupby(index.values(), lambda clause: clause.chapter):
            for number, clause in enumerate(clauses):
                if number == 0 or clause.id in sections:
                    anchor = f" {{ #chapter-{chapter} }}" if number == 0 else ""
                    parts.append(f"## {_plain(sections.get(clause.id, f'Chapter {chapter}'))}{anchor}")
                parts.append(self._clause(clause, index, where.get(clause.id, ())))
        return "\n\n".join(part for part in parts if part) + "\n"

    # -- tests and coverage -------------------------------------------------------------------------------------------------

    @property
    def _measured(self) -> RuleCoverage | None:
        """The coverage, if it is one of tests."""
        return self.coverage if self.coverage and (self.coverage.tests or self.coverage.failing) else None

    def _tests(self, clause: str) -> Sequence[str]:
        return (self._measured.tests if self._measured else self.tests).get(clause, ())

    def _meaning(self) -> dict[str, str]:
        """What the figures count, and where the page knows it from."""
        recorded = f" ({self.recorded})" if self.recorded else ""
        tested = (
            f"a test that carries it **passed in a recorded run**{recorded}"
            if self._measured
            else "a test carries it **by its name or a marker, as its source says**: nothing was run for this page"
        )
        return {
            str(Status.DIVERGENT): "carried out otherwise, for the reason in its ruling",
            str(Status.ABSENT): "not carried out",
            "ruled": "a doubt was decided",
            "placed": "the code names it",
            "testable": "carried out, and nothing exempts it from tests",
            "tested": tested,
            "cited": f"by an event, a refusal or a question of a recorded run{recorded}",
        }

    # -- at the top ---------------------------------------------------------------------------------------------------------

    def _figures(self, clauses: Sequence[Clause], where: Mapping[str, tuple[Place, ...]]) -> dict[str, int]:
        figures = {
            "all": len(clauses),
            **{str(status): sum(clause.status is status for clause in clauses) for status in Status},
            "ruled": sum(bool(clause.ruling) for clause in clauses),
            "placed": sum(clause.id in where for clause in clauses),
            "testable": sum(clause.testable for clause in clauses),
            "tested": sum(clause.testable and bool(self._tests(clause.id)) for clause in clauses),
        }
        if self.coverage:
            figures["cited"] = sum(bool(self.coverage.citations(clause.id).total) for clause in clauses)
        return figures

    def _summary(self, index: RuleIndex, where: Mapping[str, tuple[Place, ...]]) -> str:
        meaning = self._meaning()
        rows = [[name, number, meaning.get(name, "")] for name, number in self._figures(list(index.values()), where).items()]
        silent = "" if self.coverage else "\n\nNo run is recorded, so the page does not say which clauses were cited in play."
        return _table([["clauses", "number", "what counts"], *rows]) + silent

    def _chapters(self, index: RuleIndex, where: Mapping[str, tuple[Place, ...]], sections: Mapping[str, str]) -> str:
        """A line for each chapter. What no clause is, such as absent, needs no column, nor does "implemented" if all are."""
        total = self._figures(list(index.values()), where)
        kept = [name for name, number in total.items() if number and (name, number) != ("implemented", len(index))]
        rows: list[list[object]] = [["chapter", *kept]]
        for chapter, found in groupby(index.values(), lambda clause: clause.chapter):
            clauses = list(found)
            figures = self._figures(clauses, where)
            headings = [sections[clause.id].partition("/")[0].strip() for clause in clauses if clause.id in sections]
            name = _chapter_name(chapter, headings)
            rows.append([f"[{_plain(name)}](#chapter-{chapter})", *(figures[column] for column in kept)])
        return _table(rows)

    def _left_out(self, index: RuleIndex, where: Mapping[str, tuple[Place, ...]]) -> str:
        """Clauses that the code does not name, and those that no test can cover."""
        unplaced = [self._link(clause.id) for clause in index.values() if clause.id not in where]
        exempt = [f"{self._link(clause.id)} ({_plain(clause.exempt)})" for clause in index.values() if clause.exempt]
        untested = [self._link(clause.id) for clause in index.values() if clause.testable and not self._tests(clause.id)]
        lines = {
            "Clauses whose id stands nowhere in the code": unplaced,
            "Clauses that no test can cover": exempt,
            f"Clauses that could have a {'passing ' if self._measured else ''}test and have none": untested,
        }
        return "\n".join(f"- {what}: {', '.join(found)}" for what, found in lines.items() if found)

    # -- one clause ---------------------------------------------------------------------------------------------------------

    def _clause(self, clause: Clause, index: RuleIndex, where: Sequence[Place]) -> str:
        about = [*([clause.kind] if clause.kind else []), str(clause.status)]
        about += [f"option `{clause.option}`"] if clause.option else []
        lines = [f"*{about[0]}*" + "".join(f", {word}" for word in about[1:])]
        if clause.ruling:
            lines.append(f"**Ruling:** {self._linked(clause.ruling, index)}")
        if where:
            lines.append("**Code:** " + ", ".join(f"`{at.file}:{at.line}`{at.name and f' in {_code(at.name)}'}" for at in where))
        lines += self._covered(clause)
        lines += self.more.get(clause.id, ())
        heading = f'### {clause.id} {_plain(clause.title)} {{ #{clause.id} data-toc-label="{clause.id}" }}'
        return "\n".join([heading, "", *(f"- {line}" for line in lines)])

    def _covered(self, clause: Clause) -> Iterator[str]:
        tests = self._tests(clause.id)
        if tests:
            yield f"**Tests:** {', '.join(map(_code, tests))}"
        elif clause.exempt:
            yield f"**Tests:** none is possible. {_plain(clause.exempt)}"
        elif clause.testable:
            yield "**Tests:** none"
        if self._measured and (failing := self._measured.failing.get(clause.id)):
            yield f"**Failing tests:** {', '.join(map(_code, failing))}"
        if self.coverage:
            cited = self.coverage.citations(clause.id)
            ways = ", ".join(f"{number} {way}" for way, number in cited._asdict().items() if number)
            yield f"**Cited in play:** {f'{cited.total} times ({ways})' if cited.total else 'never'}"

    # -- links --------------------------------------------------------------------------------------------------------------

    def _link(self, clause: str) -> str:
        return f"[{clause}](#{clause})"

    def _linked(self, text: str, index: RuleIndex) -> str:
        """A text in which each clause that it names is a link."""
        made, done = [], 0
        for clause, at in ids_in(text, index):
            if text.startswith(clause, at) and at >= done:  # of "3.1 to 3.4", those between are not in the text
                made += [_plain(text[done:at]), self._link(clause)]
                done = at + len(clause)
        return "".join([*made, _plain(text[done:])])


def _sections(ruleset: str, index: RuleIndex) -> dict[str, str]:
    """First clause -> the heading of its section, from comments `# -- 9.2 Movement` in the file of the index."""
    spec = find_spec(module_of(plugins().info(ruleset).entry).partition(".")[0])
    if spec is None or not spec.origin:
        return {}
    found: dict[str, str] = {}
    title = ""
    for file in sorted(Path(spec.origin).parent.rglob(index.source)) if spec.submodule_search_locations else ():
        for match in _SECTION.finditer(file.read_text(encoding="utf-8")):
            if match["title"]:
                title = match["title"]
            elif title:
                found[match["id"]], title = title, ""
    return found


def _chapter_name(chapter: str, headings: Sequence[str]) -> str:
    """Its number and title: "9 Command" and "9.0 Movement" name their chapter; of others, all sections are named."""
    titles: list[str] = []
    for heading in headings:
        number, _, title = heading.partition(" ")
        if not titles and number in (chapter, f"{chapter}.0"):
            return f"{chapter} {title}"
        titles.append(title if number.startswith(f"{chapter}.") else heading)
    return f"{chapter}: {' · '.join(titles)}" if titles else chapter


def _plain(text: str) -> str:
    """A text in which nothing is Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def _code(text: str) -> str:
    return f"`{text}`"


def _table(rows: Sequence[Sequence[object]]) -> str:
    head, *body = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([head, f"|{'---|' * len(rows[0])}", *body])
