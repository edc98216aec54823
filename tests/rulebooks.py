"""Which clauses of a rulebook the test files of a ruleset name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from hexwar.engine import RuleIndex
from hexwar.testing._coverage.rule_coverage import clause_named_by
from hexwar.testing.drills import DrillBook, clauses_of


def named_clauses(file: Path, index: RuleIndex) -> Iterator[tuple[str, str]]:
    """What a test file names, without running it: clause and where, by functions and by `pytest.mark.clause`."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            clause = clause_named_by(node.name, index)
            if clause:
                yield clause, f"{file.name}: {node.name}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            for word in node.args:
                assert isinstance(word, ast.Constant), f"{file.name}:{node.lineno}: write the clauses out"
                yield str(word.value), f"{file.name}:{node.lineno}"


def named_in(folder: Path, index: RuleIndex, drills: Sequence[DrillBook] = ()) -> dict[str, list[str]]:
    """Clause -> where the test files of a folder, and drills, name it."""
    found: dict[str, list[str]] = {}
    for book in drills:
        for place, drill in book.cases():
            for clause in clauses_of(drill):
                found.setdefault(clause, []).append(place)
    for file in sorted(folder.glob("test_*.py")):
        for clause, where in named_clauses(file, index):
            found.setdefault(clause, []).append(where)
    return found
