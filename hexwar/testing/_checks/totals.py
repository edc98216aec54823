"""Control totals: how many numbers a ruleset's files have in each column and what they add up to, counted once from the sheets.

The rules that a kit has a second time read the same files, so that a slip in a table is the same in both. Bookkeepers add up
columns for that. `python -m hexwar.testing.explore RULESET --totals -o FILE` writes them; a reader compares them with the sheets.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from hexwar.files import TextSource
from hexwar.grouping import grouped
from hexwar.testing._checks.loaders import Content
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Survey
from hexwar.testing._staging.positions import to_toml

FEW = 12
"""A column of texts with at most this many different ones is a choice among names: it is counted how often each is there."""

Columns = dict[str, Any]


class Totals(Capability):
    """A ruleset knows the totals of its files.

    Args:
        file: where they are written down: file -> column -> how many numbers and their sum, name -> how often, or how many texts.
    """

    def __init__(self, file: TextSource) -> None:
        self.of_files: Mapping[str, Columns] = tomllib.loads(file.read_text(encoding="utf-8"))


def totals(text: str) -> Columns:
    """The totals of a file, but for where its numbers come from."""
    read = _values(tomllib.loads(text), "")
    columns = grouped((column, value) for column, value in read if not column.startswith("provenance"))
    return {column: _total(values) for column, values in columns.items()}


def totals_of(subject: Subject) -> str:
    """The totals of all files but the rule index, as text."""
    content = subject.kit.capability(Content)
    files = {file.name: totals(file.text) for file in (content.files() if content else ()) if file.form == "toml"}
    tables = [f"[{json.dumps(name)}]\n{to_toml(columns)}" for name, columns in files.items() if name != "rules.toml"]
    return "\n".join(["# Control totals of the data files: see `hexwar.testing.Totals`.", *tables])


def _values(value: Any, column: str) -> Iterator[tuple[str, Any]]:
    """Everything in a tree with its column: rows of a table share theirs, and the places of a short row have their own."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _values(item, f"{column}.{key}".lstrip("."))
    elif isinstance(value, list):
        numbered = len(value) <= FEW and all(isinstance(item, int | float) for item in value)
        for place, item in enumerate(value, 1):
            yield from _values(item, f"{column}.{place}" if numbered else column)
    else:
        yield column, value


def _total(values: list[Any]) -> Any:
    if all(isinstance(value, int | float) for value in values):
        return [len(values), sum(values)]
    names = Counter(map(str, values))
    return dict(sorted(names.items())) if len(names) <= FEW else len(values)


class FilesAddUp(Survey):
    """The columns of the ruleset's files add up to the control totals that were counted once."""

    needs = Totals
    once = True

    def run(self, seed: int) -> None:
        """Add up."""
        content, known = self.rule(Content), self.rule(Totals).of_files
        for file in content.files():
            found = totals(file.text) if file.name in known else {}
            for column in {**found, **known.get(file.name, {})}:
                told, due = found.get(column), known[file.name].get(column)
                self.demand(told == due, f"{file.name}: {column} adds up to {told}; whoever counted it once had {due}")
